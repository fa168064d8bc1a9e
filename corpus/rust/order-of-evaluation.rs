//: about operands and arguments: each has the value of its turn
//: forbid stuck
//: check sc holds
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static X: AtomicU32 = AtomicU32::new(0);

fn pair(a: u32, b: u32) -> u32 {
    10 * a + b
}

#[cfg(test)]
fn only_in_tests() -> u32 {
    1
}

#[test]
fn in_order() {
    let t = thread::spawn(|| X.store(3, Ordering::Relaxed));
    t.join().unwrap();
    let mut x = X.load(Ordering::Relaxed);
    let sum = x + {
        x += 1;
        x
    };
    assert_eq!(sum, 7);
    let both = pair(x, {
        x = X.load(Ordering::Relaxed);
        x
    });
    assert_eq!(both, 43);
    #[cfg(not(test))]
    {
        x = 0;
    }
    #[cfg(test)]
    let y = only_in_tests();
    assert_eq!(x + y, 4);
}
