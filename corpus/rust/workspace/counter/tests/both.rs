use counter::Counter;
use std::thread;

static COUNTER: Counter = Counter::new();

#[test]
fn nothing_is_counted_twice() {
    let other = thread::spawn(|| COUNTER.count(1));
    let mine = COUNTER.count(0);
    let other = other.join().unwrap();
    assert!(mine.is_none() || mine != other);
}
