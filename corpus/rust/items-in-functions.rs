//: about items of functions, which are visible in their whole block, and hide those outside of it
//: check sc holds
//: check tso holds
//: check pso holds
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

const STEP: u32 = 1;

fn step() -> u32 {
    STEP
}

#[test]
fn each_block_has_its_own_items() {
    static TOTAL: AtomicU32 = AtomicU32::new(START);
    const START: u32 = LIMIT - 2;
    const LIMIT: u32 = 5;
    const STEP: u32 = 10;

    struct Counter {
        first: u32,
    }

    impl Counter {
        fn next(&self) -> u32 {
            self.first + STEP
        }
    }

    fn add(by: u32) {
        const TWICE: u32 = 2;
        TOTAL.fetch_add(TWICE * by, Ordering::Relaxed);
    }

    let adder = thread::spawn(|| add(STEP));
    add(step());
    adder.join().unwrap();
    assert_eq!(TOTAL.load(Ordering::Relaxed), 3 + 20 + 2);
    assert_eq!(Counter { first: 7 }.next(), 17);
    let outer = |n: u32| n + STEP;
    {
        const STEP: u32 = 100;
        // A closure means what it means where it is written.
        assert_eq!(outer(STEP), 110);
    }
}
