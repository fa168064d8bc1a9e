//: about message passing in a test of loom that sets its bounds, which make no difference here
//: check sc holds
//: check tso holds
//: check pso violated
use loom::model::Builder;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use loom::thread;

#[test]
fn message() {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(3);
    builder.max_branches = 10_000;
    builder.check(|| {
        let data = Arc::new(AtomicUsize::new(0));
        let ready = Arc::new(AtomicUsize::new(0));
        let (d, r) = (data.clone(), ready.clone());
        let sender = thread::spawn(move || {
            d.store(1, Relaxed);
            r.store(1, Relaxed);
        });
        if ready.load(Relaxed) == 1 {
            assert_eq!(data.load(Relaxed), 1);
        }
        sender.join().unwrap();
    });
}
