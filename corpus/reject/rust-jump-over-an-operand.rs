//: error "this jump drops an operand that was evaluated before"
use std::sync::{Mutex, MutexGuard};
static M: Mutex<u32> = Mutex::new(0);
fn number(_guard: MutexGuard<'static, u32>, n: u32) -> u32 { n }
fn f(x: Option<u32>) -> Option<u32> {
    Some(number(M.lock().unwrap(), x?))
}
fn main() { f(None); }
