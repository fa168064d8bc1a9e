//: error "the variant `On` holds values, which is not supported"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
enum State { On(u32), Off }
fn f(s: State) -> u32 { match s { State::On(n) => n, State::Off => 0 } }
#[test] fn a() { X.store(f(State::On(1)) + f(State::Off), Ordering::SeqCst); }
