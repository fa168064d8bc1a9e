//: about A scheduler's state in one word: idle and searching workers, packed as two numbers of 32 bits
//: check sc holds
//: check tso holds
//: robust tso yes
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::*};
use std::thread;

const IDLE: u64 = 1 << 32;
const SEARCHING: u64 = 1;

struct Pool {
    state: AtomicU64,
}

impl Pool {
    fn search(&self) -> bool {
        let before = self.state.fetch_add(SEARCHING.wrapping_sub(IDLE), SeqCst);
        before >> 32 > 0
    }

    fn found(&self) -> u64 {
        let before = self.state.fetch_sub(SEARCHING, SeqCst);
        before & 0xffff_ffff
    }
}

fn main() {
    let pool = Arc::new(Pool {
        state: AtomicU64::new(2 * IDLE),
    });
    let others = pool.clone();
    let worker = thread::spawn(move || {
        assert!(others.search());
        assert!(others.found() >= 1);
    });
    assert!(pool.search());
    assert!(pool.found() <= 2);
    worker.join().unwrap();
    assert_eq!(pool.state.load(Relaxed), 0);
}
