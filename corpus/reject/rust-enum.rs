//: error "`State` is not a type that is supported"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
enum State { On, Off }
fn f(s: State) -> u32 { match s { State::On => 1, State::Off => 0 } }
#[test] fn a() { X.store(f(State::On) + f(State::Off), Ordering::SeqCst); }
