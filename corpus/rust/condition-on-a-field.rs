//: check sc holds
//: check tso violated
//: fence tso assertions 2
// Parts of structures, functions, values and matches that are there in some configurations only.
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

struct Flags {
    #[cfg(not(test))]
    absent: String,
    mine: AtomicU32,
    #[cfg(all(test, target_os = "linux"))]
    other: AtomicU32,
}

static FLAGS: Flags = Flags {
    #[cfg(not(test))]
    absent: String::new(),
    mine: AtomicU32::new(0),
    #[cfg(test)]
    other: AtomicU32::new(0),
};

fn set_and_look(set: &AtomicU32, #[cfg(windows)] console: u32, look: &AtomicU32) -> u32 {
    set.store(1, Ordering::Release);
    match look.load(Ordering::Acquire) {
        #[cfg(not(test))]
        0 => panic!("not compiled"),
        0 => 0,
        _ if cfg!(miri) => panic!("not true"),
        one => one,
    }
}

#[cfg_attr(test, test)]
fn one_sees_the_other() {
    let other = thread::spawn(|| set_and_look(&FLAGS.other, &FLAGS.mine));
    let mine = set_and_look(&FLAGS.mine, &FLAGS.other);
    assert!(mine + other.join().unwrap() > 0);
}
