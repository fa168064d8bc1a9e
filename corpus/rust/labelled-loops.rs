//: about loops with labels and values, ranges and matches
//: check sc holds
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static FOUND: AtomicU32 = AtomicU32::new(0);

fn search(limit: u32) -> u32 {
    let mut steps = 0;
    let found = 'outer: loop {
        for i in 1..limit {
            for j in 1..=i {
                steps += 1;
                if j > i / 2 {
                    continue;
                }
                if i * j == 10 {
                    break 'outer i + j;
                }
            }
        }
        break 0;
    };
    match (found, steps) {
        (0, _) => 0,
        (7, 1..=20) => 7,
        (other, _) if other > 100 => 1,
        _ => 2,
    }
}

#[test]
fn found() {
    let t = thread::spawn(|| FOUND.store(search(6), Ordering::Relaxed));
    t.join().unwrap();
    assert_eq!(FOUND.load(Ordering::Relaxed), 7);
}
