//: about values that are compared, matched and left out by patterns, and end later
//: check sc holds
use std::sync::atomic::{AtomicU32, Ordering::*};

static ORDER: AtomicU32 = AtomicU32::new(0);

#[derive(PartialEq, Debug)]
struct Part(u32);

impl Drop for Part {
    fn drop(&mut self) {
        ORDER.store(ORDER.load(Relaxed) * 10 + self.0, Relaxed);
    }
}

fn end(seen: u32) {
    assert_eq!(ORDER.swap(0, Relaxed), seen);
}

#[test]
fn they_end_later() {
    {
        let (a, b) = (Part(1), Part(2));
        assert_ne!(a, b);
        assert!(a != Part(3));
        end(3);
    }
    end(21);
    {
        let value = Some(Part(4));
        match value {
            Some(part) if part.0 == 5 => end(9),
            _ => end(0),
        }
    }
    end(4);
    let (kept, _) = (Part(6), Part(7));
    end(7);
    drop(kept);
    end(6);
    let failed: Result<u32, Part> = Err(Part(8));
    assert!(failed.ok().is_none());
    end(8);
}
