//: about a job whose state is an enumeration with values, behind a lock: it is done once, by one of two threads
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    TooLarge(u32),
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Job {
    Waiting { input: u32 },
    Running { worker: u32, input: u32 },
    Done(Result<u32, Fault>),
}

impl Job {
    /// What a worker has to do, if nothing has begun.
    fn begin(&mut self, worker: u32) -> Option<u32> {
        match *self {
            Job::Waiting { input } => {
                *self = Job::Running { worker, input };
                Some(input)
            }
            Job::Running { .. } | Job::Done(_) => None,
        }
    }
}

fn compute(input: u32) -> Result<u32, Fault> {
    if input > 100 {
        Err(Fault::TooLarge(input))
    } else {
        Ok(input * 2)
    }
}

fn work(job: &Mutex<Job>, worker: u32) {
    let begun = job.lock().unwrap().begin(worker);
    if let Some(input) = begun {
        let result = compute(input).map(|n| n + 1);
        let mut job = job.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        assert_eq!(*job, Job::Running { worker, input });
        *job = Job::Done(result);
    }
}

#[test]
fn is_done_once() {
    let job = Arc::new(Mutex::new(Job::Waiting { input: 7 }));
    let other = {
        let job = Arc::clone(&job);
        thread::spawn(move || work(&job, 1))
    };
    work(&job, 0);
    other.join().unwrap();
    let state = *job.lock().unwrap();
    assert!(matches!(state, Job::Done(Ok(n)) if n == 15));
}
