//: about functions and constants of types that have another name
//: check sc holds
//: check tso holds
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;

type Word = AtomicU32;
type Number = u32;
type Lock = Mutex<Number>;

static STATE: Word = Word::new(Number::MAX);
static LOCK: Lock = Lock::new(7);

#[test]
fn an_alias_has_what_its_type_has() {
    let worker = thread::spawn(|| STATE.store(1, SeqCst));
    worker.join().unwrap();
    assert_eq!(STATE.load(SeqCst) + *LOCK.lock().unwrap(), 8);
    assert_eq!(<u8>::MAX, 255);
    assert!(core::usize::MAX > std::u32::MAX as usize);
}
