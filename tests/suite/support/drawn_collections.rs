//! Random programs in Rust over vectors, rings, slices and iterators, whose effects are recorded in a number.
//!
//! They are drawn by tapes, as those of `drawn_rust`. What is computed of the collections and the order in which closures
//! are called count, and so do the ends of elements. No collection gets more elements than Fencepost follows.

use std::fmt::Write as _;

/// What all programs begin with.
pub const PRELUDE: &str = "\
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{mpsc, Mutex};
static H: AtomicU32 = AtomicU32::new(0);
fn e(k: u32) -> u32 { H.store((H.load(Relaxed) * 31 + k % 1009) % 1009, Relaxed); k }
struct D(u32);
impl Drop for D { fn drop(&mut self) { e(self.0); } }
fn d(k: u32) -> D { e(k + 500); D(k) }
fn odd(x: &u32) -> bool { x % 2 == 1 }
fn total(s: &[u32]) -> u32 { let mut n = 0; for x in s { n = (n * 3 + x) % 991; } n }
fn raise(s: &mut [u32]) { for x in s.iter_mut() { *x += 1; } if !s.is_empty() { s[0] += 2; } }
fn ends(s: &[u32]) -> (Option<&u32>, Option<&u32>) { (s.first(), s.last()) }
";

/// Collections get no more elements than this.
const ROOM: usize = 14;

struct Drawn<'t> {
    tape: std::slice::Iter<'t, u8>,
    /// How many elements there are at most.
    vec: usize,
    ring: usize,
    ends: usize,
}

impl Drawn<'_> {
    fn choose(&mut self, of: usize) -> usize {
        let drawn = self.tape.next().copied().unwrap_or(0);
        usize::from(drawn) % of
    }

    fn number(&mut self) -> usize {
        self.choose(7)
    }

    /// An iterator over numbers, how many it has at most, and whether it can go backwards.
    fn iterator(&mut self, depth: usize) -> (String, usize, bool) {
        let k = self.number();
        let (mut text, mut most, mut both) = match self.choose(9) {
            0 => (format!("(1..{}u32)", k + 1), k, true),
            1 => (format!("(1..={k}u32)"), k, true),
            2 => ("v.iter().copied()".to_owned(), self.vec, true),
            3 => ("q.iter().cloned()".to_owned(), self.ring, true),
            4 => ("a.iter().map(|x| *x)".to_owned(), 4, true),
            5 => ("v.clone().into_iter()".to_owned(), self.vec, true),
            6 => ("a[1..].iter().copied()".to_owned(), 3, true),
            7 => (format!("(0..{k}).map(|i| i as u32 * 3)"), k, true),
            _ => (format!("(2u32..).take({k})"), k, false),
        };
        for _ in 0..self.choose(4) {
            let k = self.number();
            match self.choose(12) {
                0 => write!(text, ".map(|x| e(x) % 50 + {k})").expect("a text can be written to"),
                1 => write!(text, ".filter(|x| x % 3 != {})", k % 3)
                    .expect("a text can be written to"),
                2 if both => text += ".rev()",
                3 => {
                    text += ".enumerate().map(|(i, x)| x + i as u32)";
                    both = false;
                }
                4 => {
                    write!(text, ".take({k})").expect("a text can be written to");
                    most = most.min(k);
                    both = false;
                }
                5 => {
                    write!(text, ".skip({k})").expect("a text can be written to");
                    both = false;
                }
                6 => {
                    write!(text, ".step_by({})", k + 1).expect("a text can be written to");
                    both = false;
                }
                7 if depth > 0 => {
                    let (other, count, _) = self.iterator(depth - 1);
                    write!(text, ".zip({other}).map(|(x, y)| x * 3 % 80 + y)")
                        .expect("a text can be written to");
                    most = most.min(count);
                    both = false;
                }
                8 if depth > 0 => {
                    let (other, count, _) = self.iterator(depth - 1);
                    write!(text, ".chain({other})").expect("a text can be written to");
                    most += count;
                    both = false;
                }
                9 => {
                    write!(text, ".take_while(|x| *x < {})", k * 4)
                        .expect("a text can be written to");
                    both = false;
                }
                10 => {
                    text += ".inspect(|x| { e(*x); })";
                    both = false;
                }
                11 => {
                    text += ".filter_map(|x| if odd(&x) { Some(x + 1) } else { None })";
                    both = false;
                }
                _ => {
                    write!(text, ".skip_while(|x| *x < {k})").expect("a text can be written to");
                    both = false;
                }
            }
        }
        (text, most, both)
    }

    /// What is done with an iterator.
    fn consumed(&mut self) -> String {
        let (it, most, _) = self.iterator(1);
        let k = self.number();
        match self.choose(17) {
            0 => format!("e({it}.sum::<u32>());\n"),
            1 => format!("let n: u32 = {it}.map(|x| x % 3 + 1).product(); e(n);\n"),
            2 => format!("e({it}.count() as u32);\n"),
            3 => format!("e({it}.max().unwrap_or({k}));\n"),
            4 => format!("e({it}.min().unwrap_or({k}));\n"),
            5 => format!("e({it}.fold({k}, |n, x| (n * 2 + x) % 97));\n"),
            6 => format!("if {it}.any(|x| e(x) == {k}) {{ e(3); }}\n"),
            7 => format!("if {it}.all(|x| e(x) != {k}) {{ e(4); }}\n"),
            8 => format!("e({it}.position(|x| x == {k}).map_or(99, |i| i as u32));\n"),
            9 => format!("e({it}.find(|x| x % 5 == {}).unwrap_or(77));\n", k % 5),
            10 => format!("e({it}.last().unwrap_or(66));\n"),
            11 => format!("e({it}.nth({k}).unwrap_or(55));\n"),
            12 => format!("for x in {it} {{ if x == {k} {{ continue; }} e(x); }}\n"),
            13 => format!("for x in {it} {{ if e(x) > {} {{ break; }} }}\n", k * 3),
            14 => format!("let mut n = 0; {it}.for_each(|x| n = (n * 5 + x) % 89); e(n);\n"),
            15 if self.vec + most <= ROOM => {
                self.vec += most;
                format!("let more: Vec<u32> = {it}.collect(); v.extend(more);\n")
            }
            16 if most <= ROOM => {
                self.ring = most;
                format!("q = {it}.collect::<VecDeque<u32>>();\n")
            }
            _ => format!(
                "e({it}.find_map(|x| if x > {k} {{ Some(x * 2) }} else {{ None }}).unwrap_or(5));\n"
            ),
        }
    }

    fn of_vec(&mut self) -> String {
        let k = self.number();
        match self.choose(20) {
            0 if self.vec < ROOM => {
                self.vec += 1;
                format!("v.push({k});\n")
            }
            1 => "e(v.pop().unwrap_or(41));\n".to_owned(),
            2 => "e(v.len() as u32);\n".to_owned(),
            3 => format!("v[{}] = {k};\n", k % 3),
            4 => format!("v[{}] += {k};\n", k % 2),
            5 => format!("e(v.get({k}).copied().unwrap_or(8));\n"),
            6 => "if let Some(x) = v.last() { e(*x); }\n".to_owned(),
            7 => "if let Some(x) = v.first_mut() { *x += 3; }\n".to_owned(),
            8 => format!("v.truncate({k});\n"),
            9 => "v.clear();\n".to_owned(),
            10 => format!("if v.len() > {} {{ v.swap(0, {}); }}\n", k % 4, k % 4),
            11 => format!("if v.contains(&{k}) {{ e(12); }}\n"),
            12 if self.vec < ROOM => {
                self.vec += 1;
                format!("v.insert(v.len().min({k}), {k});\n")
            }
            13 => "if !v.is_empty() { e(v.remove(0)); }\n".to_owned(),
            14 => "if v.len() > 1 { e(v.swap_remove(0)); }\n".to_owned(),
            15 => "for x in v.iter_mut() { *x = *x * 2 % 60; }\n".to_owned(),
            16 => "for x in &v { e(*x); }\n".to_owned(),
            17 => "for x in &mut v { *x += 1; }\n".to_owned(),
            18 => format!("e(total(&v[..{}]));\n", k % 3),
            _ => "e(total(&v)); raise(&mut v); e(ends(&v).0.copied().unwrap_or(7));\n".to_owned(),
        }
    }

    fn of_ring(&mut self) -> String {
        let k = self.number();
        match self.choose(9) {
            0 if self.ring < ROOM => {
                self.ring += 1;
                format!("q.push_back({k});\n")
            }
            1 if self.ring < ROOM => {
                self.ring += 1;
                format!("q.push_front({k});\n")
            }
            2 => "e(q.pop_front().unwrap_or(31));\n".to_owned(),
            3 => "e(q.pop_back().unwrap_or(32));\n".to_owned(),
            4 => "if let Some(x) = q.front() { e(*x); }\n".to_owned(),
            5 => "if let Some(x) = q.back_mut() { *x += 1; }\n".to_owned(),
            6 => "for x in &q { e(*x); }\n".to_owned(),
            7 => format!("if q.len() > {k} {{ e(q[{k}]); }}\n"),
            _ => "while let Some(x) = q.pop_front() { e(x); }\n".to_owned(),
        }
    }

    /// Elements whose ends count.
    fn of_ends(&mut self) -> String {
        let k = self.number();
        match self.choose(8) {
            0 if self.ends < ROOM => {
                self.ends += 1;
                format!("w.push(d({k}));\n")
            }
            1 => "w.pop();\n".to_owned(),
            2 => "if let Some(x) = w.pop() { e(x.0 + 200); }\n".to_owned(),
            3 => format!("w.truncate({k});\n"),
            4 => "for x in &w { e(x.0); }\n".to_owned(),
            5 => {
                self.ends = 1;
                format!("w = vec![d({k})];\n")
            }
            6 => {
                self.ends = 0;
                format!("for x in w {{ if e(x.0) == {k} {{ break; }} }}\nw = Vec::new();\n")
            }
            _ => {
                self.ends = 0;
                "drop(w); e(9); w = Vec::new();\n".to_owned()
            }
        }
    }

    /// Threads whose results are determined.
    fn threads(&mut self) -> String {
        let k = self.number();
        match self.choose(3) {
            0 if self.vec < ROOM => {
                self.vec += 1;
                format!(
                    "let m = Mutex::new(v);\n\
                     std::thread::scope(|s| {{ s.spawn(|| {{ m.lock().unwrap().push({k}); }}); }});\n\
                     v = m.into_inner().unwrap();\n"
                )
            }
            1 => format!(
                "let (tx, rx) = mpsc::channel();\n\
                 let h = std::thread::spawn(move || {{ for x in 0..{k}u32 {{ tx.send(x * 2).unwrap(); }} }});\n\
                 for x in rx {{ e(x); }}\nh.join().unwrap();\n"
            ),
            _ => format!(
                "let (tx, rx) = mpsc::sync_channel(1);\n\
                 let h = std::thread::spawn(move || {{ tx.send({k}u32).unwrap(); tx.send(2).unwrap(); }});\n\
                 e(rx.recv().unwrap()); e(rx.recv().unwrap()); if rx.recv().is_err() {{ e(6); }}\nh.join().unwrap();\n"
            ),
        }
    }

    fn statement(&mut self) -> String {
        match self.choose(10) {
            0..=3 => self.consumed(),
            4..=6 => self.of_vec(),
            7 => self.of_ring(),
            8 => self.of_ends(),
            _ => self.threads(),
        }
    }
}

/// The function that a tape makes, with this name.
pub fn function(name: &str, tape: &[u8]) -> String {
    let mut drawn = Drawn {
        tape: tape.iter(),
        vec: 2,
        ring: 1,
        ends: 1,
    };
    let mut text = format!("fn {name}() {{\n");
    text += "let a = [4u32, 1, 3, 2];\nlet mut v = vec![5u32, 2];\n";
    text +=
        "let mut q: VecDeque<u32> = VecDeque::new();\nq.push_back(6);\nlet mut w = vec![d(1)];\n";
    for _ in 0..=drawn.choose(4) {
        let statement = drawn.statement();
        // Names of one statement are not seen by others, but for those that are assigned.
        write!(text, "{{\n{statement}}}\n").expect("a text can be written to");
    }
    text += "e(total(&v)); e(q.len() as u32); e(a[0]); e(w.len() as u32);\n}\n";
    text
}
