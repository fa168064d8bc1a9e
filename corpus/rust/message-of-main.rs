//: about a program without tests: `main` and a thread
//: check sc holds
//: check tso holds
//: check pso violated
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

static DATA: AtomicUsize = AtomicUsize::new(0);
static FLAG: AtomicBool = AtomicBool::new(false);

fn main() {
    let t = thread::spawn(|| {
        while !FLAG.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        println!("{}", DATA.load(Ordering::Relaxed));
        assert!(DATA.load(Ordering::Relaxed) == 1);
    });
    DATA.store(1, Ordering::Relaxed);
    FLAG.store(true, Ordering::Relaxed);
    t.join().unwrap();
}
