//: about errors that are converted by the `impl` of `From` for their type
//: check sc holds
use std::sync::atomic::{AtomicU32, Ordering::*};
use std::thread;

#[derive(Debug, PartialEq)]
struct Full(u32);
#[derive(Debug, PartialEq)]
struct Closed;

#[derive(Debug, PartialEq)]
enum Failed {
    Full(u32),
    Closed,
}

impl From<Full> for Failed {
    fn from(full: Full) -> Failed {
        Failed::Full(full.0)
    }
}

impl From<Closed> for Failed {
    fn from(_: Closed) -> Failed {
        Failed::Closed
    }
}

static USED: AtomicU32 = AtomicU32::new(0);

fn open(number: u32) -> Result<u32, Closed> {
    if number == 0 { Err(Closed) } else { Ok(number) }
}

fn reserve() -> Result<u32, Full> {
    let used = USED.fetch_add(1, Relaxed);
    if used >= 1 { Err(Full(used)) } else { Ok(used) }
}

fn send(number: u32) -> Result<u32, Failed> {
    let number = open(number)?;
    let place = reserve()?;
    Ok(place + number)
}

fn main() {
    assert_eq!(send(0), Err(Failed::Closed));
    let other = thread::spawn(|| send(5));
    let own = send(5);
    let other = other.join().unwrap();
    let full: Result<u32, Failed> = Err(Full(1).into());
    assert!(own == Ok(5) && other == full || own == full && other == Ok(5));
}
