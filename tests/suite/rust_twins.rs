//! Programs in Rust against the same programs in C and in Fencepost's own language: the same verdicts.

#![allow(clippy::expect_used, reason = "a text that is not read has failed")]

use crate::support::config;
use config::config;
use fencepost::check::{CheckOptions, Engine, check};
use fencepost::formats::{Format, parse_as, render};
use fencepost::model::Model;
use fencepost::robustness::{RobustOptions, robust};
use fencepost::verdict::Budget;
use proptest::prelude::*;
use std::fmt::Write as _;

const STATES: usize = 100_000;
const REGISTERS: usize = 3;
const CELLS: [&str; 3] = ["x", "y", "a[1]"];
const LANGUAGES: [Format; 3] = [Format::Fence, Format::C, Format::Rust];

/// How strong an operation is.
#[derive(Clone, Copy, Debug)]
enum Order {
    Relaxed,
    Release,
    SeqCst,
}

#[derive(Clone, Debug)]
enum Stmt {
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
    /// Under the lock.
    Locked(Vec<Stmt>),
}

fn stmt() -> BoxedStrategy<Stmt> {
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
            prop_oneof![
                3 => (register.clone(), value.clone(), block.clone(), block.clone())
                    .prop_map(|(r, v, yes, no)| Stmt::If(r, v, yes, no)),
                1 => (cell.clone(), value.clone()).prop_map(|(x, v)| Stmt::Await(x, v)),
                1 => (1..3, block.clone()).prop_map(|(n, block)| Stmt::Repeat(n, block)),
                1 => block.prop_map(|block| Stmt::Locked(unlocked(block))),
            ]
        })
        .boxed()
}

/// The statements without locks: none is taken twice.
fn unlocked(stmts: Vec<Stmt>) -> Vec<Stmt> {
    let inside = |stmt| match stmt {
        Stmt::Locked(stmts) => unlocked(stmts),
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
            Stmt::Locked(block) => {
                self.line([
                    "while (xchg(lock, 1) == 1) { }",
                    "mtx_lock(&lock);",
                    "{ let mut guard = LOCK.lock().unwrap();",
                ]);
                self.stmts(block);
                self.line(["fence store; lock = 0;", "mtx_unlock(&lock);", "*guard = true; }"]);
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
    text + &writer.text
}

fn program(threads: &[Vec<Stmt>], language: Format) -> String {
    let (text, create, end) = match language {
        Format::C => (
            "#include <assert.h>\n#include <stdatomic.h>\n#include <threads.h>\n#include <pthread.h>\n\
             atomic_int x, y, a[2];\nmtx_t lock;\n",
            "int main(void) {\npthread_t t;\n",
            "pthread_exit(0);\n}\n",
        ),
        Format::Rust => (
            "use std::hint::spin_loop;\nuse std::sync::Mutex;\nuse std::thread;\n\
             use std::sync::atomic::{fence, AtomicI32, Ordering, Ordering::*};\n\
             static X: AtomicI32 = AtomicI32::new(0);\nstatic Y: AtomicI32 = AtomicI32::new(0);\n\
             static A: [AtomicI32; 2] = [const { AtomicI32::new(0) }; 2];\n\
             static LOCK: Mutex<bool> = Mutex::new(false);\n",
            "#[test]\nfn test() {\nthread::scope(|s| {\n",
            "});\n}\n",
        ),
        Format::Fence | Format::Trencher | Format::Litmus | Format::LitmusC => {
            ("shared x, y, a[2], lock;\n", "", "")
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

/// Whether the assertions of a program hold under a model, and whether it is robust; `None` where that
/// is not decided.
fn answers(format: Format, text: &str, model: Model) -> [Option<String>; 2] {
    let parsed = parse_as(format, text);
    let shown = render(&parsed.diagnostics, "program", text, false);
    let program = parsed.program.unwrap_or_else(|| panic!("{text}\n{shown}"));
    let budget = Budget::default().with_states(STATES);
    let options = CheckOptions::new(model).engine(Engine::Explicit);
    let checked = check(&program, &options, &budget).expect("no defect");
    let decided = |word: &str| (word != "unknown" && word != "within").then(|| word.to_owned());
    let checked = decided(checked.verdict().word());
    if model == Model::Sc {
        return [checked, None];
    }
    let report = robust(&program, &RobustOptions::new(model), &budget).expect("no defect");
    [checked, decided(report.verdict().word())]
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn twins_in_rust_have_the_same_verdicts(
        threads in prop::collection::vec(prop::collection::vec(stmt(), 1..5), 2..4),
        model in prop::sample::select(vec![Model::Sc, Model::Tso, Model::Pso]),
    ) {
        let texts = LANGUAGES.map(|language| program(&threads, language));
        let [own, c, rust] = [0, 1, 2].map(|n| answers(LANGUAGES[n], &texts[n], model));
        for (number, rust) in rust.into_iter().enumerate() {
            // One of them may have more states. The own language's lock does not check its owner, and
            // a guard's value is one more variable, so robustness is compared without locks.
            let locks = texts[0].contains("xchg(lock");
            if number == 1 && locks {
                continue;
            }
            for other in [&own[number], &c[number]] {
                if let (Some(rust), Some(other)) = (&rust, other) {
                    prop_assert_eq!(rust, other, "{}\n{}\n{}\n{}", model, texts[0], texts[1], texts[2]);
                }
            }
        }
    }
}

/// The integer types, with their bits.
const TYPES: [(&str, &str, u32, bool); 8] = [
    ("i8", "AtomicI8", 8, true),
    ("u8", "AtomicU8", 8, false),
    ("i16", "AtomicI16", 16, true),
    ("u16", "AtomicU16", 16, false),
    ("i32", "AtomicI32", 32, true),
    ("u32", "AtomicU32", 32, false),
    ("i64", "AtomicI64", 64, true),
    ("usize", "AtomicUsize", 64, false),
];

/// What `a op b` is, exactly.
fn exact(op: &str, a: i128, b: i128, bits: u32) -> Option<i128> {
    let shift = u32::try_from(b).ok().filter(|by| *by < bits);
    match op {
        "+" => Some(a + b),
        "-" => Some(a - b),
        "*" => a.checked_mul(b),
        "/" => a.checked_div(b),
        "%" => a.checked_rem(b),
        "&" => Some(a & b),
        "|" => Some(a | b),
        "^" => Some(a ^ b),
        "<<" => Some(a << shift?),
        _ => Some(a >> shift?),
    }
}

proptest! {
    #![proptest_config(config(150))]

    /// The operands are known to no analysis of the text: they come from another thread.
    #[test]
    fn arithmetic_is_that_of_rust(
        (name, atomic, bits, signed) in prop::sample::select(TYPES.to_vec()),
        op in prop::sample::select(vec!["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"]),
        (a, b) in (any::<i64>(), any::<i64>()),
        near in 0..4_usize,
    ) {
        let (least, most) = if signed {
            (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
        } else {
            (0, (1_i128 << bits) - 1)
        };
        // Cells have 32 bits.
        let (low, high) = (least.max(-(1 << 31)), most.min(if bits == 64 { (1 << 31) - 1 } else { most }));
        let inside = |value: i64, near: bool| {
            let any = i128::from(value).rem_euclid(high - low + 1) + low;
            // Unsigned values of 64 bits may also be just below the end.
            let large = if bits == 64 && !signed { most } else { high };
            let ends = [low, low + 1, high, large - 1, 0, 1, large, 2];
            if near { ends[(value & 7) as usize] } else { any }
        };
        let shifts = matches!(op, "<<" | ">>");
        let a = inside(a, near % 2 == 1);
        let b = if shifts {
            i128::from(b).rem_euclid(i128::from(bits) + 2)
        } else {
            inside(b, near / 2 == 1)
        };
        let result = exact(op, a, b, bits).map(|exact| match op {
            // What is shifted out is lost.
            "<<" => {
                let wrapped = exact & ((1 << bits) - 1);
                if signed && wrapped > most { wrapped - (1 << bits) } else { wrapped }
            }
            _ => exact,
        });
        let quotient_fits = !(op == "%" && signed && a == least && b == -1);
        let fits = result.filter(|value| (least..=most).contains(value) && quotient_fits);
        let right = if shifts { "(b as u32)" } else { "b" };
        let check = match fits {
            Some(value) => format!("assert_eq!(a {op} {right}, {value});"),
            None => format!("let c = a {op} {right}; assert!(c == c);"),
        };
        // The number that marks memory without contents is refused.
        let reserved = [a, b, fits.unwrap_or(0)].iter().any(|v| *v as u32 == 0x9d3f_5a27);
        prop_assume!(!reserved);
        let text = format!(
            "use std::sync::atomic::{{{atomic}, Ordering::SeqCst}};\n\
             static A: {atomic} = {atomic}::new(0);\nstatic B: {atomic} = {atomic}::new(0);\n\
             #[test]\nfn test() {{\n\
             let t = std::thread::spawn(|| {{ A.store({a}, SeqCst); B.store({b}, SeqCst); }});\n\
             t.join().unwrap();\nlet (a, b): ({name}, {name}) = (A.load(SeqCst), B.load(SeqCst));\n\
             {check}\n}}\n"
        );
        let [checked, _] = answers(Format::Rust, &text, Model::Sc);
        let expected = if fits.is_some() { "holds" } else { "violated" };
        // Values of 64 bits that have no word are not decided, and neither are large unsigned dividends.
        let is_open = bits == 64 || name == "u32" && matches!(op, "/" | "%");
        match checked {
            Some(checked) => prop_assert_eq!(checked, expected, "{}", text),
            None => prop_assert!(is_open, "{}", text),
        }
    }
}
