//: about structures, arrays, results and operators
//: forbid stuck
//: check sc holds
use std::sync::atomic::*;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
const N: usize = 2;
#[derive(Debug, Clone, Copy, PartialEq)]
struct P { x: i32, y: i32 }
impl P { const ORIGIN: P = P { x: 0, y: 0 }; fn plus(self, o: P) -> P { P { x: self.x + o.x, y: self.y + o.y } } }
type Shared = Arc<[AtomicUsize; N]>;
struct Cell2 { slots: [Slot; N], len: AtomicUsize }
struct Slot { full: AtomicBool, value: AtomicU32 }
impl Cell2 {
    fn new() -> Self { Cell2 { slots: [Slot::new(), Slot::new()], len: AtomicUsize::new(0) } }
    fn put(&self, v: u32) -> Result<usize, u32> {
        for (i) in 0..N {
            let slot = &self.slots[i];
            if !slot.full.swap(true, Ordering::AcqRel) {
                slot.value.store(v, Ordering::Relaxed);
                self.len.fetch_add(1, Ordering::Relaxed);
                return Ok(i);
            }
        }
        Err(v)
    }
}
impl Slot { fn new() -> Slot { Slot { full: AtomicBool::new(false), value: AtomicU32::new(0) } } }
fn twice(c: &Cell2) -> Option<usize> { let a = c.put(1).ok()?; let b = c.put(2).ok()?; Some(a + b) }
fn start(s: &Shared, i: usize) -> JoinHandle<usize> { let s = Arc::clone(s); thread::spawn(move || s[i].fetch_add(i + 1, Ordering::SeqCst)) }
#[test]
fn misc() {
    let p = P::ORIGIN.plus(P { x: 1, y: 2 });
    assert_eq!(p, P { x: 1, y: 2 });
    let s: Shared = Arc::new([AtomicUsize::new(0), AtomicUsize::new(7)]);
    let hs: Vec<JoinHandle<usize>> = (0..N).map(|i| start(&s, i)).collect();
    let mut sum = 0usize;
    for h in hs { sum += h.join().unwrap(); }
    assert_eq!(sum, 7);
    let total: u32 = { let mut t = 0; for a in s.iter() { t += a.load(Ordering::Relaxed) as u32; } t };
    assert_eq!(total, 10);
    let c = Cell2::new();
    assert_eq!(twice(&c), Some(1));
    assert!(matches!(c.put(9), Err(9)));
    let r = thread::scope(|sc| { let h = sc.spawn(|| c.len.load(Ordering::Relaxed)); h.join().unwrap() });
    assert_eq!(r, 2);
    let mut m = 5u8; m <<= 1; m |= 1; m ^= 0xff; assert_eq!(m, 0xf4); assert_eq!(!m, 11); assert_eq!(-(m as i32) >> 2, -61);
    let t = if m > 3 { "a" } else { "b" }; let _ = t;
    let k = loop { m = m.wrapping_mul(3); if m % 2 == 0 { break m; } };
    assert!(k % 2 == 0, "{}", k);
    let x = Some(3).map(|v| v * 2).unwrap_or(0); assert_eq!(x, 6);
    let f = |a: u32, b: u32| a.max(b); assert_eq!(f(3, 4), 4);
    let Some(z) = Some(4u32) else { panic!() }; assert_eq!(z, 4);
}
