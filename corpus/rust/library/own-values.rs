//: about values that each thread has of its own
//: check sc holds
//: check tso holds
use std::cell::{Cell, RefCell};
use std::thread;

thread_local! {
    static COUNT: Cell<u32> = const { Cell::new(1) };
    static ALL: RefCell<Vec<u32>> = RefCell::new(vec![2]);
}

fn next() -> u32 {
    COUNT.with(|count| {
        count.set(count.get() + 1);
        count.get()
    })
}

fn main() {
    assert_eq!(next(), 2);
    let threads = [0, 1].map(|_| {
        thread::spawn(|| {
            assert_eq!(next(), 2);
            ALL.with_borrow_mut(|all| all.push(next()));
            ALL.with_borrow(|all| assert_eq!(*all, [2, 3]));
        })
    });
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(COUNT.get(), 2);
    assert_eq!(ALL.take(), [2]);
}
