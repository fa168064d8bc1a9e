//! A thread that sleeps until it is called. The caller looks whether anybody sleeps before its store is visible, and the
//! sleeper may look before its own is: then nothing wakes it, on x86, too.

use peers::sync::atomic::{AtomicBool, Ordering::*};
use peers::sync::Arc;
use peers::{model, thread};

#[derive(Default)]
struct Event {
    set: AtomicBool,
    sleeps: AtomicBool,
}

#[test]
fn lost_wakeup() {
    model(|| {
        let event = Arc::new(Event::default());
        let theirs = event.clone();
        let sleeper = thread::spawn(move || {
            theirs.sleeps.store(true, Release);
            while !theirs.set.load(Acquire) {
                thread::park();
            }
        });
        event.set.store(true, Release);
        if event.sleeps.load(Acquire) {
            sleeper.thread().unpark();
        }
        sleeper.join().unwrap();
    });
}
