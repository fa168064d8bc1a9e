//: about jobs that are boxed closures, handed to a worker by a slot under a lock
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::thread;

type Job = Box<dyn FnOnce(u32) -> u32 + Send>;

static SLOT: Mutex<Option<Job>> = Mutex::new(None);
static DONE: AtomicU32 = AtomicU32::new(0);

fn work() -> u32 {
    let job = SLOT.lock().unwrap().take();
    match job {
        Some(job) => job(1),
        None => 0,
    }
}

fn main() {
    let by = 3;
    *SLOT.lock().unwrap() = Some(Box::new(move |n| DONE.fetch_add(n, Relaxed) + by));
    let worker = thread::spawn(work);
    let own = work();
    let other = worker.join().unwrap();
    // One of them had the job.
    assert_eq!(own + other, 3);
    assert_eq!(DONE.load(Relaxed), 1);
}
