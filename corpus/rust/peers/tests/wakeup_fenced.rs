//! A thread that sleeps until it is called. Either the caller sees that it sleeps, or it sees the call, since there is a
//! fence between store and load of both: right.

use peers::sync::atomic::{fence, AtomicBool, Ordering::*};
use peers::sync::Arc;
use peers::{model, thread};

#[derive(Default)]
struct Event {
    set: AtomicBool,
    sleeps: AtomicBool,
}

#[test]
fn wakeup_fenced() {
    model(|| {
        let event = Arc::new(Event::default());
        let theirs = event.clone();
        let sleeper = thread::spawn(move || {
            theirs.sleeps.store(true, Release);
            fence(SeqCst);
            while !theirs.set.load(Acquire) {
                thread::park();
            }
        });
        event.set.store(true, Release);
        fence(SeqCst);
        if event.sleeps.load(Acquire) {
            sleeper.thread().unpark();
        }
        sleeper.join().unwrap();
    });
}
