//: error "a type of this kind is not supported"
use std::sync::atomic::{AtomicU32, Ordering};
static X: AtomicU32 = AtomicU32::new(0);
trait Get { fn get(&self) -> u32; }
impl Get for u32 { fn get(&self) -> u32 { *self } }
fn f(g: &dyn Get) -> u32 { g.get() }
#[test] fn a() { X.store(f(&1u32), Ordering::SeqCst); }
