//: about store buffering in the style of loom's tests
//: check sc holds
//: check tso violated
//: fence tso assertions 2
use loom::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use loom::sync::Arc;
use loom::thread;

#[test]
fn store_buffering() {
    loom::model(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let y = Arc::new(AtomicUsize::new(0));
        let th = {
            let (x, y) = (x.clone(), y.clone());
            thread::spawn(move || {
                x.store(1, Relaxed);
                y.load(Relaxed)
            })
        };
        y.store(1, Relaxed);
        let a = x.load(Relaxed);
        let b = th.join().unwrap();
        assert!(a == 1 || b == 1);
    });
}
