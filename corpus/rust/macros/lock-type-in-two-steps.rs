//: about the same lock, which looks before it takes and takes in another step
//: check sc violated
//: check tso violated
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

macro_rules! order {
    (take) => { Ordering::Acquire };
    (give) => { Ordering::Release };
}

macro_rules! lock_type {
    ($(#[$doc:meta])* $vis:vis struct $name:ident { $field:ident: $ty:ty }) => {
        $(#[$doc])*
        $vis struct $name { $field: $ty }

        impl $name {
            pub const fn new() -> Self { Self { $field: <$ty>::new(false) } }

            fn lock(&self) {
                while self.$field.load(order!(take)) {
                    std::hint::spin_loop();
                }
                self.$field.store(true, order!(give));
            }

            fn unlock(&self) { self.$field.store(false, order!(give)); }
        }
    };
}

lock_type! {
    /// A lock that spins.
    pub struct Spin { taken: AtomicBool }
}

static LOCK: Spin = Spin::new();
static COUNT: AtomicU32 = AtomicU32::new(0);

macro_rules! locked {
    ($lock:expr => $($body:tt)*) => {{ $lock.lock(); let result = { $($body)* }; $lock.unlock(); result }};
}

fn increment() {
    locked!(LOCK => {
        let count = COUNT.load(Ordering::Relaxed);
        COUNT.store(count + 1, Ordering::Relaxed);
    });
}

#[test]
fn no_increment_is_lost() {
    let other = thread::spawn(|| increment());
    increment();
    other.join().unwrap();
    assert_eq!(locked!(LOCK => COUNT.load(Ordering::Relaxed)), 2);
}
