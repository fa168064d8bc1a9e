//! Programs in C against the same programs in Fencepost's own language: the same verdicts, and fence
//! sets of the same cost, as far as both languages have the same places.

#![allow(clippy::expect_used, reason = "a text that is not read has failed")]

use crate::support::config;
use config::config;
use fencepost::check::{CheckOptions, Engine, check};
use fencepost::fences::{FenceOptions, Outcome, cheapest_fences};
use fencepost::formats::{Format, Parsed, parse_as, render};
use fencepost::model::Model;
use fencepost::program::Aim;
use fencepost::robustness::{RobustOptions, robust};
use fencepost::verdict::Budget;
use proptest::prelude::*;
use std::fmt::Write as _;

const STATES: usize = 100_000;
const REGISTERS: usize = 3;
const CELLS: [&str; 3] = ["x", "y", "a[1]"];

/// The order of a store.
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
                1 => (1..3, block).prop_map(|(n, block)| Stmt::Repeat(n, block)),
            ]
        })
        .boxed()
}

/// Writes a thread in one of the languages.
struct Writer {
    is_c: bool,
    text: String,
    /// How many loops were begun.
    loops: usize,
}

impl Writer {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn cell(&self, cell: usize) -> String {
        let and = if self.is_c { "&" } else { "" };
        format!("{and}{}", CELLS[cell])
    }

    /// A value that may come from a register.
    fn value(register: usize, value: i32) -> String {
        match value {
            2 => format!("r{register} + 1"),
            constant => constant.to_string(),
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let c = self.is_c;
        let relaxed = "memory_order_relaxed";
        match stmt {
            Stmt::Load(r, x) if c => {
                let x = self.cell(*x);
                self.line(&format!("r{r} = atomic_load_explicit({x}, {relaxed});"));
            }
            Stmt::Load(r, x) => self.line(&format!("r{r} = {};", CELLS[*x])),
            Stmt::LoadAt(r, i) if c => {
                self.line(&format!(
                    "r{r} = atomic_load_explicit(&a[r{i} & 1], {relaxed});"
                ));
            }
            Stmt::LoadAt(r, i) => self.line(&format!("r{r} = a[r{i} & 1];")),
            Stmt::Store(x, r, v, order) => {
                let (cell, value) = (self.cell(*x), Self::value(*r, *v));
                let line = match (c, order) {
                    (true, Order::Relaxed) => {
                        format!("atomic_store_explicit({cell}, {value}, {relaxed});")
                    }
                    (true, Order::Release) => {
                        format!("atomic_store_explicit({cell}, {value}, memory_order_release);")
                    }
                    (true, Order::SeqCst) => format!("atomic_store({cell}, {value});"),
                    (false, Order::Relaxed) => format!("{cell} = {value};"),
                    (false, Order::Release) => format!("fence store; {cell} = {value};"),
                    (false, Order::SeqCst) => format!("xchg({cell}, {value});"),
                };
                self.line(&line);
            }
            Stmt::Add(r, x, v) => {
                let name = if c { "atomic_fetch_add" } else { "fetch_add" };
                let cell = self.cell(*x);
                self.line(&format!("r{r} = {name}({cell}, {v});"));
            }
            Stmt::Exchange(r, x, v) => {
                let name = if c { "atomic_exchange" } else { "xchg" };
                let cell = self.cell(*x);
                self.line(&format!("r{r} = {name}({cell}, {v});"));
            }
            Stmt::Compare(r, x, e, d) => {
                let name = if c {
                    "__sync_val_compare_and_swap"
                } else {
                    "cas"
                };
                let cell = self.cell(*x);
                self.line(&format!("r{r} = {name}({cell}, {e}, {d});"));
            }
            Stmt::Fence if c => self.line("atomic_thread_fence(memory_order_seq_cst);"),
            Stmt::Fence => self.line("fence;"),
            Stmt::Assign(r, s, v) => self.line(&format!("r{r} = (r{s} + {v}) & 3;")),
            Stmt::Assert(r, v) if c => self.line(&format!("assert(r{r} != {v});")),
            // In C, nothing is executed after an assertion that fails.
            Stmt::Assert(r, v) => self.line(&format!("assert(r{r} != {v}); assume(r{r} != {v});")),
            Stmt::If(r, v, yes, no) => {
                self.line(&format!("if (r{r} == {v}) {{"));
                self.stmts(yes);
                self.line("} else {");
                self.stmts(no);
                self.line("}");
            }
            Stmt::Await(x, v) if c => {
                let cell = self.cell(*x);
                self.line(&format!(
                    "while (atomic_load_explicit({cell}, {relaxed}) != {v}) {{ }}"
                ));
            }
            Stmt::Await(x, v) => self.line(&format!("while ({} != {v}) {{ }}", CELLS[*x])),
            Stmt::Repeat(rounds, block) => {
                let i = format!("i{}", self.loops);
                self.loops += 1;
                self.line(&format!("{i} = 0; while ({i} < {rounds}) {{"));
                self.stmts(block);
                self.line(&format!("{i} = {i} + 1; }}"));
            }
        }
    }
}

/// A thread's statements with the declarations of its variables.
fn body(stmts: &[Stmt], is_c: bool) -> String {
    let mut writer = Writer {
        is_c,
        text: String::new(),
        loops: 0,
    };
    writer.stmts(stmts);
    let mut text = String::new();
    let names = (0..REGISTERS).map(|r| format!("r{r}"));
    for name in names.chain((0..writer.loops).map(|i| format!("i{i}"))) {
        let kind = if is_c { "int" } else { "local" };
        writeln!(text, "{kind} {name} = 0;").expect("strings grow");
    }
    text + &writer.text
}

fn fence_text(threads: &[Vec<Stmt>]) -> String {
    let mut text = "shared x, y, a[2];\n".to_owned();
    for (number, thread) in threads.iter().enumerate() {
        let body = body(thread, false);
        writeln!(text, "thread t{number} {{\n{body}}}").expect("strings grow");
    }
    text
}

fn c_text(threads: &[Vec<Stmt>]) -> String {
    let mut text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
                    atomic_int x, y, a[2];\n"
        .to_owned();
    let mut create = String::new();
    for (number, thread) in threads.iter().enumerate() {
        let body = body(thread, true);
        writeln!(text, "void *t{number}(void *u) {{\n{body}return 0;\n}}").expect("strings grow");
        writeln!(create, "pthread_create(&t, 0, t{number}, 0);").expect("strings grow");
    }
    text + &format!("int main(void) {{\npthread_t t;\n{create}pthread_exit(0);\n}}\n")
}

fn read(format: Format, text: &str) -> Parsed {
    let parsed = parse_as(format, text);
    let shown = render(&parsed.diagnostics, "program", text, false);
    assert!(parsed.program.is_some(), "{text}\n{shown}");
    parsed
}

/// What is found out about a program under a model: whether its assertions hold, whether it is robust;
/// and the least cost of fences that make it so.
fn answers(parsed: &Parsed, model: Model) -> ([Option<String>; 2], Option<u64>) {
    let budget = Budget::default().with_states(STATES);
    let program = parsed.program.as_ref().expect("it was read");
    let options = CheckOptions::new(model).engine(Engine::Explicit);
    let checked = check(program, &options, &budget).expect("no defect");
    let decided = |word: &str| (word != "unknown" && word != "within").then(|| word.to_owned());
    let checked = decided(checked.verdict().word());
    if model == Model::Sc {
        return ([checked, None], None);
    }
    let report = robust(program, &RobustOptions::new(model), &budget).expect("no defect");
    let robust = decided(report.verdict().word());
    let options = FenceOptions::new(model, Aim::Robustness);
    let positions = parsed.positions().expect("it was read");
    let report = cheapest_fences(positions, &options, &budget).expect("no defect");
    let cost = match report.outcome() {
        Outcome::Found(found) if found.optimal => Some(found.cost),
        Outcome::Found(_) | Outcome::Impossible { .. } | Outcome::Undecided(_) => None,
    };
    ([checked, robust], cost)
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn twins_in_c_have_the_same_verdicts_and_costs(
        threads in prop::collection::vec(prop::collection::vec(stmt(), 1..5), 2..4),
        model in prop::sample::select(vec![Model::Sc, Model::Tso, Model::Pso]),
    ) {
        let (own, c) = (fence_text(&threads), c_text(&threads));
        let (mine, my_cost) = answers(&read(Format::Fence, &own), model);
        let (other, cost) = answers(&read(Format::C, &c), model);
        for (mine, other) in mine.into_iter().zip(other) {
            // One of them may have more states.
            if mine.is_some() && other.is_some() {
                prop_assert_eq!(mine, other, "{}\n{}\n{}", model, own, c);
            }
        }
        // The own language has places in the conditions of loops, which C has not.
        if let (Some(mine), Some(other)) = (my_cost, cost) {
            let fits = if own.contains("while") { mine <= other } else { mine == other };
            prop_assert!(fits, "{} {} {}\n{}\n{}", mine, other, model, own, c);
        }
    }
}
