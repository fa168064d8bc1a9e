//: about load buffering: stores never overtake earlier loads on these machines
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

static X: AtomicUsize = AtomicUsize::new(0);
static Y: AtomicUsize = AtomicUsize::new(0);

#[test]
fn load_buffering() {
    let a = thread::spawn(|| {
        let seen = X.load(Relaxed);
        Y.store(1, Relaxed);
        seen
    });
    let b = thread::spawn(|| {
        let seen = Y.load(Relaxed);
        X.store(1, Relaxed);
        seen
    });
    let both = (a.join().unwrap(), b.join().unwrap());
    assert_ne!(both, (1, 1));
}
