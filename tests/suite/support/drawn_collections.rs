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
            match self.choose(20) {
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
                12 => {
                    write!(
                        text,
                        ".map_while(|x| if x < {} {{ Some(e(x) + 1) }} else {{ None }})",
                        k * 6
                    )
                    .expect("a text can be written to");
                    both = false;
                }
                13 => {
                    write!(text, ".scan({k}u32, |s, x| {{ *s = (*s * 2 + x) % 41; if *s == 7 {{ None }} else {{ Some(*s) }} }})")
                        .expect("a text can be written to");
                    both = false;
                }
                14 if most * 2 <= ROOM => {
                    text += ".flat_map(|x| [x, x % 4])";
                    most *= 2;
                    both = false;
                }
                15 => {
                    text += ".map(|x| if x % 4 == 1 { None } else { Some(x) }).flatten()";
                    both = false;
                }
                16 => {
                    text += ".fuse().peekable()";
                    both = false;
                }
                17 => {
                    write!(text, ".take_while(|x| *x != {k}).cycle().take({})", k % 5)
                        .expect("a text can be written to");
                    most = k % 5;
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
        let (it, most, both) = self.iterator(1);
        let k = self.number();
        match self.choose(31) {
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
            17 => format!("e({it}.max_by_key(|x| e(*x) % 5).unwrap_or({k}));\n"),
            18 => format!("e({it}.min_by_key(|x| (x % 5, x % 3)).unwrap_or({k}));\n"),
            19 => format!("e({it}.max_by(|x, y| (x % 4).cmp(&(y % 4))).unwrap_or({k}));\n"),
            20 => format!("e({it}.min_by(|x, y| (y % 7).cmp(&(x % 7))).unwrap_or({k}));\n"),
            21 => format!("e({it}.reduce(|x, y| (x * 3 + e(y)) % 53).unwrap_or(9));\n"),
            22 => format!(
                "let n: Option<u32> = {it}.try_fold({k}u32, |n, x| if x == {k} {{ None }} else {{ Some((n + e(x)) % 90) }}); e(n.unwrap_or(61));\n"
            ),
            23 => format!(
                "let n: Result<(), u32> = {it}.try_for_each(|x| if e(x) > {} {{ Err(x) }} else {{ Ok(()) }}); e(n.err().unwrap_or(62));\n",
                k * 2
            ),
            24 => format!(
                "let mut i = {it}.peekable(); while let Some(x) = i.next() {{ if let Some(y) = i.peek() {{ e(x + *y); }} if let Some(z) = i.next_if(|y| *y == {k}) {{ e(z + 300); }} }}\n"
            ),
            25 => format!(
                "let mut i = {it}; for x in i.by_ref().take({}) {{ e(x); }} e(i.next().unwrap_or(63));\n",
                k % 3
            ),
            26 if most <= ROOM => format!(
                "let (x, y): (Vec<u32>, Vec<u32>) = {it}.partition(|x| odd(x)); e(total(&x)); e(total(&y));\n"
            ),
            27 if most <= ROOM => format!(
                "let (x, y): (Vec<u32>, Vec<u32>) = {it}.map(|x| (x + 1, x % 3)).unzip(); e(total(&x)); e(total(&y));\n"
            ),
            28 if most <= ROOM => format!(
                "let n: Option<Vec<u32>> = {it}.map(|x| if e(x) == {k} {{ None }} else {{ Some(x) }}).collect(); e(n.map_or(64, |n| total(&n)));\n"
            ),
            29 => format!("if {it}.eq(a.iter().copied().take({k})) {{ e(65); }}\n"),
            30 if both => format!(
                "let mut i = {it}; e(i.rfind(|x| x % 3 == {}).unwrap_or(67)); e(i.rfold(1, |n, x| (n * 3 + x) % 71));\n",
                k % 3
            ),
            _ => format!(
                "e({it}.find_map(|x| if x > {k} {{ Some(x * 2) }} else {{ None }}).unwrap_or(5));\n"
            ),
        }
    }

    fn of_vec(&mut self) -> String {
        let k = self.number();
        match self.choose(46) {
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
            19 => "v.sort(); e(total(&v)); if v.is_sorted() { e(71); }\n".to_owned(),
            20 => "v.sort_by(|x, y| (x % 5).cmp(&(y % 5)));\n".to_owned(),
            21 => format!("v.sort_by_key(|x| x % {});\n", k + 2),
            22 => "v.sort_unstable_by(|x, y| y.cmp(x));\n".to_owned(),
            23 => "v.sort_unstable_by_key(|x| std::cmp::Reverse(*x));\n".to_owned(),
            24 => format!("v.retain(|x| e(*x) % 3 != {});\n", k % 3),
            25 => "v.retain_mut(|x| { *x = *x * 3 % 40; *x != 9 });\n".to_owned(),
            26 => "v.dedup();\n".to_owned(),
            27 => "v.dedup_by_key(|x| e(*x) % 4);\n".to_owned(),
            28 => "v.dedup_by(|x, y| (*x + *y) % 2 == 0);\n".to_owned(),
            29 => format!("for x in v.drain({}..) {{ if e(x) == {k} {{ break; }} }}\n", k % 3),
            30 => format!("let x: Vec<u32> = v.drain(..{}).rev().collect(); e(total(&x));\n", k % 3),
            31 => "if v.len() > 3 { drop(v.drain(1..=2)); }\n".to_owned(),
            32 => format!("let x = v.split_off({}); e(total(&x));\n", k % 3),
            33 if self.vec + 2 <= ROOM => {
                self.vec += 2;
                format!("let mut x = vec![{k}, 9]; v.append(&mut x); e(x.len() as u32);\n")
            }
            34 => {
                self.vec = self.vec.max(k);
                format!("v.resize({k}, {});\n", k + 3)
            }
            35 => {
                self.vec = self.vec.max(k);
                format!("v.resize_with({k}, || e({k}));\n")
            }
            36 => format!("for x in v.chunks({}) {{ e(total(x)); }}\n", k + 1),
            37 => format!("for x in v.windows({}) {{ e(total(x)); }}\n", k % 3 + 1),
            38 => format!("for x in v.chunks_exact_mut({}) {{ x[0] += 5; }}\n", k + 1),
            39 => format!("if v.len() > {k} {{ let (x, y) = v.split_at({k}); e(total(x)); e(total(y)); }}\n"),
            40 => format!("if v.len() > {k} {{ v.rotate_left({k}); }}\n"),
            41 => format!("if v == [5, {k}] || v != vec![5, 2] {{ e(72); }} if v[..] == a[..{}] {{ e(73); }}\n", k % 4),
            42 => "let x = v.clone().into_boxed_slice(); e(x.len() as u32); e(total(&x));\n".to_owned(),
            43 => "let x: std::sync::Arc<[u32]> = std::sync::Arc::from(v.clone()); let y = x.clone(); e(total(&y));\n".to_owned(),
            44 => format!("let x: [u32; 4] = std::array::from_fn(|i| e(i as u32) + {k}); e(total(&x)); let y = x.map(|x| e(x) / 2); e(y[3]); if x == y {{ e(74); }}\n"),
            45 => format!("if let Ok(i) = a.binary_search(&{k}) {{ e(i as u32); }} let i = v.partition_point(|x| *x < {k}); e(i as u32); if v.starts_with(&[5]) || v.ends_with(&[{k}]) {{ e(75); }}\n"),
            _ => "e(total(&v)); raise(&mut v); e(ends(&v).0.copied().unwrap_or(7));\n".to_owned(),
        }
    }

    fn of_ring(&mut self) -> String {
        let k = self.number();
        match self.choose(12) {
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
            8 => format!("q.retain(|x| e(*x) % 3 != {});\n", k % 3),
            9 => format!("e(q.remove({k}).unwrap_or(33));\n"),
            10 => "let x = q.clone(); if x == q { e(34); }\n".to_owned(),
            _ => "while let Some(x) = q.pop_front() { e(x); }\n".to_owned(),
        }
    }

    /// Elements whose ends count.
    fn of_ends(&mut self) -> String {
        let k = self.number();
        match self.choose(14) {
            0 if self.ends < ROOM => {
                self.ends += 1;
                format!("w.push(d({k}));\n")
            }
            1 => "w.pop();\n".to_owned(),
            2 => "if let Some(x) = w.pop() { e(x.0 + 200); }\n".to_owned(),
            3 => format!("w.truncate({k});\n"),
            7 => format!("w.retain(|x| x.0 != {k});\n"),
            8 => format!("for x in w.drain(..) {{ if x.0 == {k} {{ break; }} }}\n"),
            9 => "w.sort_by_key(|x| x.0); w.dedup_by_key(|x| x.0 % 2);\n".to_owned(),
            10 => {
                format!("if w.len() > 1 {{ let x = w.split_off(1); e(x.len() as u32 + {k}); }}\n")
            }
            11 => format!("for x in [d({k}), d(2)] {{ if e(x.0) == 3 {{ break; }} }}\n"),
            12 => format!(
                "let x = [d({k}), d(4), d(5)].into_iter().nth(1); e(x.map_or(1, |x| x.0));\n"
            ),
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
