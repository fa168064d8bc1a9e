//! Random programs that mean the same in three languages.

#![allow(clippy::expect_used, reason = "a text that is not written has failed")]

use fencepost::internals::formats::Format;
use proptest::prelude::*;
use std::fmt::Write as _;

const REGISTERS: usize = 3;
const CELLS: [&str; 3] = ["x", "y", "a[1]"];
pub const LANGUAGES: [Format; 3] = [Format::Fence, Format::C, Format::Rust];

/// How strong an operation is.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    Relaxed,
    Release,
    SeqCst,
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Load(usize, usize),
    /// A cell of the array, by a register.
    LoadAt(usize, usize),
    Store(usize, usize, i32, Order),
    Add(usize, usize, i32),
    Exchange(usize, usize, i32),
    Compare(usize, usize, i32, i32),
    Fence,
    Assign(usize, usize, i32),
    Assert(usize, i32),
    If(usize, i32, Vec<Stmt>, Vec<Stmt>),
    /// Waits for a value.
    Await(usize, i32),
    /// A loop of so many rounds.
    Repeat(i32, Vec<Stmt>),
    /// Under a lock.
    Locked(Lock, Vec<Stmt>),
}

/// The locks, and how they are held.
#[derive(Clone, Copy, Debug)]
pub enum Lock {
    Mutex,
    Read,
    Write,
}

/// A random statement.
pub fn stmt() -> BoxedStrategy<Stmt> {
    let (register, cell, value) = (0..REGISTERS, 0..CELLS.len(), 0..3);
    let order = prop_oneof![
        3 => Just(Order::Relaxed),
        1 => Just(Order::Release),
        1 => Just(Order::SeqCst),
    ];
    let simple = prop_oneof![
        5 => (register.clone(), cell.clone()).prop_map(|(r, x)| Stmt::Load(r, x)),
        1 => (register.clone(), register.clone()).prop_map(|(r, i)| Stmt::LoadAt(r, i)),
        6 => (cell.clone(), register.clone(), value.clone(), order)
            .prop_map(|(x, r, v, order)| Stmt::Store(x, r, v, order)),
        1 => (register.clone(), cell.clone(), 1..3).prop_map(|(r, x, v)| Stmt::Add(r, x, v)),
        1 => (register.clone(), cell.clone(), value.clone())
            .prop_map(|(r, x, v)| Stmt::Exchange(r, x, v)),
        1 => (register.clone(), cell.clone(), value.clone(), value.clone())
            .prop_map(|(r, x, e, d)| Stmt::Compare(r, x, e, d)),
        1 => Just(Stmt::Fence),
        1 => (register.clone(), register.clone(), value.clone())
            .prop_map(|(r, s, v)| Stmt::Assign(r, s, v)),
        2 => (register.clone(), value.clone()).prop_map(|(r, v)| Stmt::Assert(r, v)),
    ];
    simple
        .prop_recursive(2, 6, 3, move |inner| {
            let block = prop::collection::vec(inner, 1..3);
            let lock = prop::sample::select(vec![Lock::Mutex, Lock::Read, Lock::Write]);
            prop_oneof![
                3 => (register.clone(), value.clone(), block.clone(), block.clone())
                    .prop_map(|(r, v, yes, no)| Stmt::If(r, v, yes, no)),
                1 => (cell.clone(), value.clone()).prop_map(|(x, v)| Stmt::Await(x, v)),
                1 => (1..3, block.clone()).prop_map(|(n, block)| Stmt::Repeat(n, block)),
                1 => (lock, block)
                    .prop_map(|(lock, block)| Stmt::Locked(lock, unlocked(block))),
            ]
        })
        .boxed()
}

/// The statements without locks: none is taken twice.
pub fn unlocked(stmts: Vec<Stmt>) -> Vec<Stmt> {
    let inside = |stmt| match stmt {
        Stmt::Locked(_, stmts) => unlocked(stmts),
        Stmt::If(r, v, yes, no) => vec![Stmt::If(r, v, unlocked(yes), unlocked(no))],
        Stmt::Repeat(n, stmts) => vec![Stmt::Repeat(n, unlocked(stmts))],
        other @ (Stmt::Load(..)
        | Stmt::LoadAt(..)
        | Stmt::Store(..)
        | Stmt::Add(..)
        | Stmt::Exchange(..)
        | Stmt::Compare(..)
        | Stmt::Fence
        | Stmt::Assign(..)
        | Stmt::Assert(..)
        | Stmt::Await(..)) => vec![other],
    };
    stmts.into_iter().flat_map(inside).collect()
}

/// Writes a thread in one of the languages.
struct Writer {
    language: Format,
    text: String,
    /// How many loops were begun.
    loops: usize,
}

impl Writer {
    /// One of these lines: in Fencepost's language, in C, or in Rust.
    fn line(&mut self, lines: [&str; 3]) {
        let number = LANGUAGES.iter().position(|one| *one == self.language);
        self.text
            .push_str(lines[number.expect("it is one of them")]);
        self.text.push('\n');
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let name = |cell: usize| CELLS[cell];
        let rust = |cell: usize| CELLS[cell].to_uppercase();
        // A value that may come from a register.
        let value = |register: usize, value: i32| match value {
            2 => format!("r{register} + 1"),
            constant => constant.to_string(),
        };
        match stmt {
            Stmt::Load(r, x) => self.line([
                &format!("r{r} = {};", name(*x)),
                &format!("r{r} = atomic_load_explicit(&{}, memory_order_relaxed);", name(*x)),
                &format!("r{r} = {}.load(Relaxed);", rust(*x)),
            ]),
            Stmt::LoadAt(r, i) => self.line([
                &format!("r{r} = a[r{i} & 1];"),
                &format!("r{r} = atomic_load_explicit(&a[r{i} & 1], memory_order_relaxed);"),
                &format!("r{r} = A[(r{i} & 1) as usize].load(Acquire);"),
            ]),
            Stmt::Store(x, r, v, order) => {
                let (x, cell, v) = (name(*x), rust(*x), value(*r, *v));
                match order {
                    Order::Relaxed => self.line([
                        &format!("{x} = {v};"),
                        &format!("atomic_store_explicit(&{x}, {v}, memory_order_relaxed);"),
                        &format!("{cell}.store({v}, Ordering::Relaxed);"),
                    ]),
                    Order::Release => self.line([
                        &format!("fence store; {x} = {v};"),
                        &format!("atomic_store_explicit(&{x}, {v}, memory_order_release);"),
                        &format!("{cell}.store({v}, Release);"),
                    ]),
                    Order::SeqCst => self.line([
                        &format!("xchg({x}, {v});"),
                        &format!("atomic_store(&{x}, {v});"),
                        &format!("{cell}.store({v}, SeqCst);"),
                    ]),
                }
            }
            Stmt::Add(r, x, v) => self.line([
                &format!("r{r} = fetch_add({}, {v});", name(*x)),
                &format!("r{r} = atomic_fetch_add(&{}, {v});", name(*x)),
                &format!("r{r} = {}.fetch_add({v}, SeqCst);", rust(*x)),
            ]),
            Stmt::Exchange(r, x, v) => self.line([
                &format!("r{r} = xchg({}, {v});", name(*x)),
                &format!("r{r} = atomic_exchange(&{}, {v});", name(*x)),
                &format!("r{r} = {}.swap({v}, SeqCst);", rust(*x)),
            ]),
            Stmt::Compare(r, x, e, d) => self.line([
                &format!("r{r} = cas({}, {e}, {d});", name(*x)),
                &format!("r{r} = __sync_val_compare_and_swap(&{}, {e}, {d});", name(*x)),
                &format!(
                    "r{r} = {}.compare_exchange({e}, {d}, SeqCst, Relaxed).unwrap_or_else(|old| old);",
                    rust(*x)
                ),
            ]),
            Stmt::Fence => self.line([
                "fence;",
                "atomic_thread_fence(memory_order_seq_cst);",
                "fence(SeqCst);",
            ]),
            Stmt::Assign(r, s, v) => {
                let line = format!("r{r} = (r{s} + {v}) & 3;");
                self.line([&line, &line, &line]);
            }
            Stmt::Assert(r, v) => self.line([
                // Elsewhere, nothing is executed after an assertion that fails.
                &format!("assert(r{r} != {v}); assume(r{r} != {v});"),
                &format!("assert(r{r} != {v});"),
                &format!("assert_ne!(r{r}, {v}, \"here\");"),
            ]),
            Stmt::If(r, v, yes, no) => {
                let line = format!("if (r{r} == {v}) {{");
                self.line([&line, &line, &line]);
                self.stmts(yes);
                self.line(["} else {"; 3]);
                self.stmts(no);
                self.line(["}"; 3]);
            }
            Stmt::Await(x, v) => self.line([
                &format!("while ({} != {v}) {{ }}", name(*x)),
                &format!(
                    "while (atomic_load_explicit(&{}, memory_order_relaxed) != {v}) {{ }}",
                    name(*x)
                ),
                &format!("while {}.load(Relaxed) != {v} {{ spin_loop(); }}", rust(*x)),
            ]),
            Stmt::Repeat(rounds, block) => {
                let i = format!("i{}", self.loops);
                self.loops += 1;
                let line = format!("{i} = 0; while ({i} < {rounds}) {{");
                self.line([&line, &line, &format!("for _ in 0..{rounds} {{")]);
                self.stmts(block);
                let line = format!("{i} = {i} + 1; }}");
                self.line([&line, &line, "}"]);
            }
            Stmt::Locked(lock, block) => {
                let (take, release) = match lock {
                    Lock::Mutex => (
                        [
                            "while (xchg(lock, 1) == 1) { }",
                            "mtx_lock(&lock);",
                            "{ let mut guard = LOCK.lock().unwrap();",
                        ],
                        ["fence store; lock = 0;", "mtx_unlock(&lock);", "*guard = true; }"],
                    ),
                    Lock::Write => (
                        [
                            "while (cas(rw, 0, -1) != 0) { }",
                            "write_lock(&rw);",
                            "{ let mut guard = RW.write().unwrap();",
                        ],
                        ["fence store; rw = 0;", "write_unlock(&rw);", "*guard = true; }"],
                    ),
                    Lock::Read => (
                        [
                            "got = 0; while (got == 0) { seen = rw; if (seen >= 0) { \
                             old = cas(rw, seen, seen + 1); if (old == seen) { got = 1; } } }",
                            "read_lock(&rw);",
                            "{ let _guard = RW.read().unwrap();",
                        ],
                        ["old = fetch_sub(rw, 1);", "read_unlock(&rw);", "}"],
                    ),
                };
                self.line(take);
                self.stmts(block);
                self.line(release);
            }
        }
    }
}

/// A thread's statements with the declarations of its variables.
fn body(stmts: &[Stmt], language: Format) -> String {
    let mut writer = Writer {
        language,
        text: String::new(),
        loops: 0,
    };
    writer.stmts(stmts);
    let mut text = String::new();
    let loops = if language == Format::Rust {
        0
    } else {
        writer.loops
    };
    let names = (0..REGISTERS).map(|r| format!("r{r}"));
    for name in names.chain((0..loops).map(|i| format!("i{i}"))) {
        let kind = match language {
            Format::C => "int",
            Format::Rust => "let mut",
            Format::Fence | Format::Trencher | Format::Litmus | Format::LitmusC => "local",
        };
        writeln!(text, "{kind} {name} = 0;").expect("strings grow");
    }
    if language == Format::Fence && writer.text.contains("(rw") {
        text.push_str("local got, seen, old;\n");
    }
    text + &writer.text
}

/// The threads as a program in one of the languages.
pub fn program(threads: &[Vec<Stmt>], language: Format) -> String {
    let (text, create, end) = match language {
        Format::C => (
            "#include <assert.h>\n#include <stdatomic.h>\n#include <threads.h>\n#include <pthread.h>\n\
             #include <linux/spinlock.h>\n\
             atomic_int x, y, a[2];\nmtx_t lock;\nrwlock_t rw;\n",
            "int main(void) {\npthread_t t;\n",
            "pthread_exit(0);\n}\n",
        ),
        Format::Rust => (
            "use std::hint::spin_loop;\nuse std::sync::{Mutex, RwLock};\nuse std::thread;\n\
             use std::sync::atomic::{fence, AtomicI32, Ordering, Ordering::*};\n\
             static X: AtomicI32 = AtomicI32::new(0);\nstatic Y: AtomicI32 = AtomicI32::new(0);\n\
             static A: [AtomicI32; 2] = [const { AtomicI32::new(0) }; 2];\n\
             static LOCK: Mutex<bool> = Mutex::new(false);\n\
             static RW: RwLock<bool> = RwLock::new(false);\n",
            "#[test]\nfn test() {\nthread::scope(|s| {\n",
            "});\n}\n",
        ),
        Format::Fence | Format::Trencher | Format::Litmus | Format::LitmusC => {
            ("shared x, y, a[2], lock, rw;\n", "", "")
        }
    };
    let (mut text, mut create) = (text.to_owned(), create.to_owned());
    for (number, thread) in threads.iter().enumerate() {
        let body = body(thread, language);
        match language {
            Format::C => {
                writeln!(text, "void *t{number}(void *u) {{\n{body}return 0;\n}}").expect("grows");
                writeln!(create, "pthread_create(&t, 0, t{number}, 0);").expect("grows");
            }
            Format::Rust => {
                writeln!(text, "fn t{number}() {{\n{body}}}").expect("grows");
                writeln!(create, "s.spawn(t{number});").expect("grows");
            }
            Format::Fence | Format::Trencher | Format::Litmus | Format::LitmusC => {
                writeln!(text, "thread t{number} {{\n{body}}}").expect("grows");
            }
        }
    }
    text + &create + end
}
