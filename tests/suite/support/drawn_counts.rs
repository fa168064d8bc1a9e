//! Random programs in Rust over `Arc`, `Rc` and their `Weak` pointers, cells that are borrowed at run time, values that are
//! made once or by each thread, and times. Their effects are recorded in a number.

use std::fmt::Write as _;

/// What all programs begin with.
pub const PRELUDE: &str = "\
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;
static H: AtomicU32 = AtomicU32::new(0);
fn e(k: u32) -> u32 { H.store((H.load(Relaxed) * 31 + k % 1009) % 1009, Relaxed); k }
struct D(u32);
impl Drop for D { fn drop(&mut self) { e(self.0); } }
impl Clone for D { fn clone(&self) -> D { e(self.0 + 300); D(self.0 + 1) } }
fn d(k: u32) -> D { e(k + 500); D(k) }
";

/// What each thread has of its own.
const OWN: &str = "\
thread_local! { static OWN: Cell<u32> = const { Cell::new(3) }; static ALL: RefCell<[u32; 2]> = RefCell::new([e(7), 8]); }
";

struct Drawn<'t> {
    tape: std::slice::Iter<'t, u8>,
}

impl Drawn<'_> {
    fn choose(&mut self, of: usize) -> usize {
        let drawn = self.tape.next().copied().unwrap_or(0);
        usize::from(drawn) % of
    }

    /// Something about counted pointers of this kind.
    fn counted(&mut self, kind: &str) -> String {
        let (i, j, k) = (self.choose(2), self.choose(2), self.choose(7));
        let l = kind.to_lowercase();
        let (s, w) = (format!("{l}{i}"), format!("weak_{l}{j}"));
        match self.choose(19) {
            0 => format!("{s} = Some({kind}::new(d({k})));\n"),
            1 => format!("{s} = {l}{}.clone();\n", 1 - i),
            2 => format!("{s} = None;\n"),
            3 | 4 => format!("if let Some(x) = &{s} {{ {w} = {kind}::downgrade(x); }}\n"),
            5 | 6 => format!("if let Some(x) = {w}.upgrade() {{ e(x.0 + 20); }}\n"),
            7 => format!("{s} = {w}.upgrade();\n"),
            8 => format!("{w} = weak_{l}{}.clone();\n", 1 - j),
            9 => format!("{w} = std::{}::Weak::new();\n", path(kind)),
            10 => format!("e({w}.strong_count() as u32 * 7 + {w}.weak_count() as u32);\n"),
            11 => format!(
                "if let Some(x) = &{s} {{ e({kind}::strong_count(x) as u32 * 7 + {kind}::weak_count(x) as u32); }}\n"
            ),
            12 => format!(
                "if let Some(x) = &mut {s} {{ match {kind}::get_mut(x) {{ Some(x) => x.0 += {k}, None => {{ e(81); }} }} }}\n"
            ),
            13 => format!("if let Some(x) = &mut {s} {{ {kind}::make_mut(x).0 += {k}; }}\n"),
            14 => format!(
                "if let Some(x) = {s}.take() {{ match {kind}::try_unwrap(x) {{ Ok(x) => {{ e(x.0 + 40); }} Err(x) => {s} = Some(x) }} }}\n"
            ),
            15 => format!(
                "if let Some(x) = {s}.take() {{ if let Some(x) = {kind}::into_inner(x) {{ e(x.0 + 60); }} }}\n"
            ),
            16 => {
                format!("if let Some(x) = {s}.take() {{ e({kind}::unwrap_or_clone(x).0 + 70); }}\n")
            }
            17 => format!("if {w}.ptr_eq(&weak_{l}{}) {{ e(82); }}\n", 1 - j),
            _ => format!(
                "{s} = Some({kind}::new_cyclic(|x| {{ e(x.strong_count() as u32); {w} = x.clone(); d({k}) }}));\n"
            ),
        }
    }

    /// Something about cells, or what is made once.
    fn cell(&mut self) -> String {
        let k = self.choose(7);
        match self.choose(14) {
            0 => format!("*cell.borrow_mut() += {k}; e(*cell.borrow());\n"),
            1 => format!(
                "let x = cell.borrow(); if cell.try_borrow_mut().is_err() {{ e(*x + {k}); }}\n"
            ),
            2 => "let x = cell.borrow_mut(); let y = cell.borrow(); e(*x + *y);\n".to_owned(),
            3 => format!(
                "let x = cell.borrow(); let y = std::cell::Ref::clone(&x); drop(x); e(cell.try_borrow_mut().is_ok() as u32 + *y + {k});\n"
            ),
            4 => format!("e(cell.replace({k})); e(cell.take());\n"),
            5 => format!(
                "let x = std::cell::RefMut::map(ends.borrow_mut(), |x| &mut x.0); e(*x + {k});\n"
            ),
            6 => format!("drop(ends.replace(d({k})));\n"),
            7 => format!("e(*once.get_or_init(|| e({k}))); if once.set(5).is_err() {{ e(83); }}\n"),
            8 => {
                format!("e(*lock.get_or_init(|| e({k}))); e(lock.get().copied().unwrap_or(84));\n")
            }
            9 => format!("if lock.set({k}).is_ok() {{ e(85); }}\n"),
            10 => "e(*lazy + 1);\n".to_owned(),
            11 => format!("OWN.with(|x| x.set(x.get() + {k})); e(OWN.get());\n"),
            12 => format!(
                "ALL.with_borrow_mut(|x| x[1] += {k}); e(ALL.with_borrow(|x| x[0] + x[1]));\n"
            ),
            _ => format!(
                "std::thread::spawn(|| {{ e(OWN.replace({k})); ALL.with(|x| x.borrow_mut()[0] = 1); e(OWN.get()); }}).join().unwrap();\n"
            ),
        }
    }

    /// Something about times that are known.
    fn time(&mut self) -> String {
        let (i, k) = (self.choose(900) * 7, self.choose(7));
        match self.choose(6) {
            0 => format!("time += Duration::from_millis({i});\n"),
            1 => format!("time = Duration::new({k}, {i}) + time;\n"),
            2 => format!(
                "if time > Duration::from_micros({}) {{ e(86); }}\n",
                i * 100
            ),
            3 => format!("time = time.saturating_sub(Duration::from_secs({k}));\n"),
            4 => format!(
                "if let Some(x) = time.checked_sub(Duration::from_millis({i})) {{ time = x * 2; e(87); }}\n"
            ),
            _ => format!("if time == Duration::from_secs({k}) || time.is_zero() {{ e(88); }}\n"),
        }
    }
}

fn path(kind: &str) -> &'static str {
    if kind == "Rc" { "rc" } else { "sync" }
}

/// The function that a tape makes, with this name.
pub fn function(name: &str, tape: &[u8]) -> String {
    let mut drawn = Drawn { tape: tape.iter() };
    let mut text = format!("fn {name}() {{\n");
    // All programs are executed by one thread.
    text += OWN;
    for kind in ["Arc", "Rc"] {
        let l = kind.to_lowercase();
        for i in 0..2 {
            writeln!(
                text,
                "let mut {l}{i}: Option<{kind}<D>> = Some({kind}::new(d({})));\n\
                 let mut weak_{l}{i}: std::{}::Weak<D> = std::{}::Weak::new();",
                i + 1,
                path(kind),
                path(kind)
            )
            .expect("a text can be written to");
        }
    }
    text += "let cell = RefCell::new(4u32); let ends = RefCell::new(d(6));\n\
             let once: OnceCell<u32> = OnceCell::new(); let lock: OnceLock<u32> = OnceLock::new();\n\
             let lazy: LazyLock<u32> = LazyLock::new(|| e(9)); let mut time = Duration::from_secs(1);\n";
    for _ in 0..=drawn.choose(8) {
        let statement = match drawn.choose(6) {
            0..=2 => drawn.counted("Arc"),
            3 => drawn.counted("Rc"),
            4 => drawn.cell(),
            _ => drawn.time(),
        };
        write!(text, "{{\n{statement}}}\n").expect("a text can be written to");
    }
    text += "e(arc0.map_or(1, |x| x.0)); e(rc0.map_or(1, |x| x.0)); e(cell.into_inner());\n}\n";
    text
}
