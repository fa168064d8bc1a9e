//! `park` and `unpark` against what they are written out: whether some execution ends with a thread that
//! waits forever.

#![allow(clippy::expect_used, reason = "a text that is not read has failed")]

use crate::support::config;
use config::config;
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::formats::{Format, ParseOptions, parse_with, render};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::Budget;
use proptest::prelude::*;
use std::fmt::Write as _;

/// A statement of one of the threads `main`, `a` and `b`.
#[derive(Clone, Debug)]
enum Stmt {
    Store(usize, bool),
    Exchange(usize),
    Fence,
    Park,
    /// Of one of the threads that were created before, by their order.
    Unpark(usize),
    /// If a cell is 0, or is not.
    If(usize, bool, Vec<Stmt>),
    /// While a cell is 0.
    ParkWhile(usize),
}

const NAMES: [&str; 3] = ["main", "a", "b"];

fn stmt() -> BoxedStrategy<Stmt> {
    let cell = 0..2_usize;
    let simple = prop_oneof![
        4 => (cell.clone(), prop::bool::weighted(0.3)).prop_map(|(x, r)| Stmt::Store(x, r)),
        1 => cell.clone().prop_map(Stmt::Exchange),
        1 => Just(Stmt::Fence),
        3 => Just(Stmt::Park),
        5 => (0..3_usize).prop_map(Stmt::Unpark),
        1 => cell.clone().prop_map(Stmt::ParkWhile),
    ];
    simple
        .prop_recursive(1, 3, 2, move |inner| {
            (
                cell.clone(),
                any::<bool>(),
                prop::collection::vec(inner, 1..3),
            )
                .prop_map(|(x, zero, then)| Stmt::If(x, zero, then))
        })
        .boxed()
}

/// The statements of a thread, in both languages.
fn write(stmts: &[Stmt], thread: usize, own: &mut String, rust: &mut String) {
    for stmt in stmts {
        match stmt {
            Stmt::Store(x, release) => {
                let (fence, order) = if *release {
                    ("fence store; ", "Release")
                } else {
                    ("", "Relaxed")
                };
                writeln!(own, "{fence}c{x} = 1;").expect("grows");
                writeln!(rust, "C[{x}].store(1, {order});").expect("grows");
            }
            Stmt::Exchange(x) => {
                writeln!(own, "xchg(c{x}, 1);").expect("grows");
                writeln!(rust, "C[{x}].swap(1, SeqCst);").expect("grows");
            }
            Stmt::Fence => {
                writeln!(own, "fence;").expect("grows");
                writeln!(rust, "fence(SeqCst);").expect("grows");
            }
            Stmt::Park => {
                writeln!(own, "{}", park(thread)).expect("grows");
                writeln!(rust, "thread::park();").expect("grows");
            }
            Stmt::Unpark(which) => {
                // `main` has all handles, `b` that of `a`.
                let others: &[usize] = [&[1, 2][..], &[0], &[0, 1]][thread];
                let other = others[which % others.len()];
                writeln!(own, "fence store; token{other} = 1;").expect("grows");
                writeln!(rust, "{}_handle.unpark();", NAMES[other]).expect("grows");
            }
            Stmt::If(x, zero, then) => {
                let op = if *zero { "==" } else { "!=" };
                writeln!(own, "r = c{x}; if (r {op} 0) {{").expect("grows");
                writeln!(rust, "if C[{x}].load(Acquire) {op} 0 {{").expect("grows");
                write(then, thread, own, rust);
                own.push_str("}\n");
                rust.push_str("}\n");
            }
            Stmt::ParkWhile(x) => {
                writeln!(
                    own,
                    "r = c{x}; while (r == 0) {{ {} r = c{x}; }}",
                    park(thread)
                )
                .expect("grows");
                writeln!(
                    rust,
                    "while C[{x}].load(Acquire) == 0 {{ thread::park(); }}"
                )
                .expect("grows");
            }
        }
    }
}

/// A thread that parks returns for no reason, or takes its token.
fn park(thread: usize) -> String {
    format!(
        "why = nondet(0, 1); if (why == 1) {{ while (token{thread} == 0) {{ }} xchg(token{thread}, 0); }}"
    )
}

/// The same program in both languages.
fn texts(threads: &[Vec<Stmt>]) -> [String; 2] {
    let mut own = "shared c0, c1, token0, token1, token2;\nforbid stuck;\n".to_owned();
    let mut bodies = Vec::new();
    for (number, thread) in threads.iter().enumerate() {
        let mut body = String::new();
        writeln!(own, "thread {} {{ local r, why;", NAMES[number]).expect("grows");
        write(thread, number, &mut own, &mut body);
        own.push_str("}\n");
        bodies.push(body);
    }
    let rust = format!(
        "use std::sync::atomic::{{fence, AtomicU32, Ordering::*}};\nuse std::thread;\n\
         static C: [AtomicU32; 2] = [const {{ AtomicU32::new(0) }}; 2];\n#[test]\nfn test() {{\n\
         let main_handle = thread::current();\nlet again = main_handle.clone();\n\
         let a = thread::spawn(move || {{\n{}}});\nlet a_handle = a.thread().clone();\n\
         let b = thread::spawn(move || {{ let main_handle = again;\n{}}});\n\
         let a_handle = a.thread();\nlet b_handle = b.thread();\n{}\
         a.join().unwrap();\nb.join().unwrap();\n}}\n",
        bodies[1], bodies[2], bodies[0]
    );
    [own, rust]
}

/// Whether a program may be stuck; `None` if that is not decided.
fn verdict(format: Format, text: &str, model: Model) -> Option<String> {
    let options = if format == Format::Rust {
        ParseOptions::new().forbid_stuck()
    } else {
        ParseOptions::new()
    };
    let parsed = parse_with(format, text, &options);
    let shown = render(&parsed.diagnostics, "program", text, false);
    let program = parsed.program.unwrap_or_else(|| panic!("{text}\n{shown}"));
    let options = CheckOptions::new(model).engine(Engine::Explicit);
    let budget = Budget::default().with_states(100_000);
    let report = check(&program, &options, &budget).expect("no defect");
    let word = report.verdict().word();
    (word != "unknown" && word != "within").then(|| word.to_owned())
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn parking_is_waiting_for_a_token(
        threads in prop::collection::vec(prop::collection::vec(stmt(), 0..5), 3),
        model in prop::sample::select(vec![Model::Sc, Model::Tso, Model::Pso]),
    ) {
        let [own, rust] = texts(&threads);
        let (a, b) = (verdict(Format::Fence, &own, model), verdict(Format::Rust, &rust, model));
        if let (Some(a), Some(b)) = (a, b) {
            prop_assert_eq!(a, b, "{}\n{}\n{}", model, own, rust);
        }
    }
}
