//: about an enumeration behind a lock: a job is taken by one thread only
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::Mutex;
use std::thread;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Job {
    Open,
    Taken,
}

static JOB: Mutex<Job> = Mutex::new(Job::Open);

fn take() -> bool {
    let mut job = JOB.lock().unwrap();
    let is_open = matches!(*job, Job::Open);
    if is_open {
        *job = Job::Taken;
    }
    is_open
}

#[test]
fn one_thread_takes_it() {
    let other = thread::spawn(take);
    let mine = take();
    let theirs = other.join().unwrap();
    assert_ne!(mine, theirs);
    assert_eq!(*JOB.lock().unwrap(), Job::Taken);
}
