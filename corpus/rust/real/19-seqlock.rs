//: about Seqlock, or non-blocking write: a reader takes half-written data for good
//: check sc holds
//: check tso holds
//: check pso violated
//: check pgas violated
//: robust tso yes
//: robust pso no
//: robust pgas no
//: fence tso assertions 0
//: fence tso robustness 0
//: fence pso assertions 2  W1, W2
//: fence pso robustness 2
//: fence pgas assertions 2
//: fence pgas robustness 2
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
use std::thread;

static SEQUENCE: AtomicI32 = AtomicI32::new(0);
static DATA: AtomicI32 = AtomicI32::new(0);

fn writer() {
    SEQUENCE.store(1, Relaxed);
    DATA.store(9, Relaxed);
    SEQUENCE.store(2, Relaxed);
}

/// What is read, with its version; nothing while there is a writer.
fn reader() -> Option<(i32, i32)> {
    let before = SEQUENCE.load(Relaxed);
    if before & 1 != 0 {
        return None;
    }
    let data = DATA.load(Relaxed);
    if SEQUENCE.load(Relaxed) == before {
        Some((before, data))
    } else {
        None
    }
}

#[test]
fn no_half_written_data_is_read() {
    let reader = thread::spawn(reader);
    writer();
    let reader_result = reader.join().unwrap();
    assert!(matches!(reader_result, None | Some((0, 0)) | Some((2, 9))));
}
