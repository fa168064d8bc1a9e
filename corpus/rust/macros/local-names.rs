//: about macros whose local names, and labels, are also those of their callers
//: check sc holds
//: check tso holds
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;

static X: AtomicU32 = AtomicU32::new(0);

macro_rules! twice {
    ($e:expr) => {{ let x = $e; x + x }};
}

macro_rules! until {
    ($condition:expr, $body:block) => {
        'out: loop {
            if $condition { break 'out; }
            $body
        }
    };
}

macro_rules! declare {
    ($name:ident = $value:expr) => { let other = $value; let $name = other + 1; };
}

#[test]
fn names_mean_what_they_mean_where_they_are_written() {
    let (x, other) = (3, 10);
    assert_eq!(twice!(x + other), 26);
    declare!(y = x);
    assert_eq!((x, y, other), (3, 4, 10));
    macro_rules! outer { () => { other } }
    let other = 20;
    assert_eq!((outer!(), other), (10, 20));
    let worker = thread::spawn(|| {
        let mut count = 0;
        'out: loop {
            until!(count == 2, { count += 1; if count == 7 { break 'out; } });
            X.fetch_add(count, SeqCst);
            break 'out;
        }
    });
    worker.join().unwrap();
    assert_eq!(X.load(SeqCst), 2);
}
