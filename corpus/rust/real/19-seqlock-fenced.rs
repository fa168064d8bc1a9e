//: about Seqlock, or non-blocking write: a reader takes half-written data for good; fenced at W1 and W2
//: check sc holds
//: check tso holds
//: check pso holds
//: check pgas holds
//: robust tso yes
//: robust pso yes
//: robust pgas yes
use std::sync::atomic::{fence, AtomicI32, Ordering::*};
use std::thread;

static SEQUENCE: AtomicI32 = AtomicI32::new(0);
static DATA: AtomicI32 = AtomicI32::new(0);

fn writer() {
    SEQUENCE.store(1, Relaxed);
    fence(Release);
    DATA.store(9, Relaxed);
    fence(Release);
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
