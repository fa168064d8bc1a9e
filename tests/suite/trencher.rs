//! Trencher's format: a parsed program behaves according to the format's own rules, and a printed
//! program round-trips.
//!
//! The rules are implemented here a second time, on the words of the text, with the lock as a lock and
//! addresses as integers. Nothing is shared with the parser but the text.

use crate::support::{config, process};
use config::config;
use fencepost::internals::check::{Engine, Until};
use fencepost::internals::formats::{Format, parse_as, print_as, render};
use fencepost::internals::model::Model;
use fencepost::internals::reference::{explore, explore_halts};
use fencepost::internals::robustness::{RobustOptions, robust};
use fencepost::program::{
    Addr, BinaryOp, Copies, Expr, Fence, FetchOp, LocId, Observable, Op, Origin, Program,
    ProgramBuilder, PropertyKind, RegId, ThreadId, UnaryOp, Update,
};
use fencepost::{Budget, CheckOptions, Verdict, check};
use process::{code, fencepost, stderr, stdout};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const BUDGET: usize = 50_000;

// The rules of the format, executed on words.

/// A thread: its state, its registers, and its buffer, oldest store first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Doing {
    state: String,
    registers: BTreeMap<String, i64>,
    buffer: Vec<(i64, i64)>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct World {
    threads: Vec<Doing>,
    memory: BTreeMap<i64, i64>,
    holder: Option<usize>,
}

struct Rules<'t> {
    initial: Vec<&'t str>,
    transitions: Vec<Vec<Vec<&'t str>>>,
    finals: Vec<Vec<&'t str>>,
}

impl<'t> Rules<'t> {
    fn read(text: &'t str) -> Self {
        let mut rules = Rules {
            initial: Vec::new(),
            transitions: Vec::new(),
            finals: Vec::new(),
        };
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["thread", _] => {
                    rules.transitions.push(Vec::new());
                    rules.finals.push(Vec::new());
                }
                ["initial", state] => rules.initial.push(state),
                ["final", state] => rules.finals.last_mut().expect("in a thread").push(state),
                ["transition", ..] => rules
                    .transitions
                    .last_mut()
                    .expect("in a thread")
                    .push(words),
                _ => {}
            }
        }
        rules
    }

    fn start(&self) -> World {
        World {
            threads: self
                .initial
                .iter()
                .map(|state| Doing {
                    state: (*state).to_owned(),
                    ..Doing::default()
                })
                .collect(),
            memory: BTreeMap::new(),
            holder: None,
        }
    }

    /// Every successor of this world.
    fn next(&self, world: &World) -> Vec<World> {
        let mut found = Vec::new();
        for t in 0..world.threads.len() {
            let others_hold = world.holder.is_some_and(|holder| holder != t);
            let own = &world.threads[t];
            if !own.buffer.is_empty() && !others_hold {
                let mut after = world.clone();
                let (addr, value) = after.threads[t].buffer.remove(0);
                after.memory.insert(addr, value);
                found.push(after);
            }
            for words in &self.transitions[t] {
                if words[1] != own.state {
                    continue;
                }
                let mut after = world.clone();
                words[2].clone_into(&mut after.threads[t].state);
                let empty = own.buffer.is_empty();
                let mut rest = words[4..].iter().copied();
                let value = |rest: &mut dyn Iterator<Item = &'t str>| value(rest, &own.registers);
                match words[3] {
                    "read" => {
                        let into = rest.next().expect("a register");
                        let addr = value(&mut rest);
                        let early = own.buffer.iter().rev().find(|(a, _)| *a == addr);
                        if early.is_none() && others_hold {
                            continue;
                        }
                        let memory = world.memory.get(&addr).copied().unwrap_or(0);
                        let read = early.map_or(memory, |(_, value)| *value);
                        after.threads[t].registers.insert(into.to_owned(), read);
                    }
                    "write" => {
                        let stored = value(&mut rest);
                        let addr = value(&mut rest);
                        after.threads[t].buffer.push((addr, stored));
                    }
                    "local" => {
                        let into = rest.next().expect("a register");
                        let new = value(&mut rest);
                        after.threads[t].registers.insert(into.to_owned(), new);
                    }
                    "check" if value(&mut rest) == 0 => continue,
                    "mfence" if !empty => continue,
                    "lock" if !empty || world.holder.is_some() => continue,
                    "lock" => after.holder = Some(t),
                    "unlock" if !empty || world.holder != Some(t) => continue,
                    "unlock" => after.holder = None,
                    _ => {}
                }
                found.push(after);
            }
        }
        found
    }

    /// All reachable worlds; `None` if there are too many.
    fn worlds(&self) -> Option<BTreeSet<World>> {
        let mut seen = BTreeSet::from([self.start()]);
        let mut work = vec![self.start()];
        while let Some(world) = work.pop() {
            for after in self.next(&world) {
                if seen.insert(after.clone()) {
                    work.push(after);
                }
            }
            if seen.len() > 5_000 {
                return None;
            }
        }
        Some(seen)
    }

    /// All worlds reachable without buffering; `None` if there are too many.
    fn sc_worlds(&self) -> Option<BTreeSet<World>> {
        let mut seen = BTreeSet::from([self.start()]);
        let mut work = vec![self.start()];
        while let Some(world) = work.pop() {
            for mut after in self.next(&world) {
                for t in 0..after.threads.len() {
                    for (addr, value) in std::mem::take(&mut after.threads[t].buffer) {
                        after.memory.insert(addr, value);
                    }
                }
                if seen.insert(after.clone()) {
                    work.push(after);
                }
            }
            if seen.len() > 5_000 {
                return None;
            }
        }
        Some(seen)
    }

    /// Whether a condition or an address contains arithmetic, whose values are not part of a world.
    fn computes_beyond(&self) -> bool {
        let mut transitions = self.transitions.iter().flatten();
        transitions.any(|words| {
            let is_sign = |word: &&str| ["+", "-", "*"].contains(word);
            words[4..].iter().any(is_sign)
        })
    }

    fn is_goal(&self, world: &World) -> bool {
        let threads = world.threads.iter().zip(&self.finals);
        self.finals.iter().any(|finals| !finals.is_empty())
            && threads.into_iter().all(|(own, finals)| {
                own.buffer.is_empty() && (finals.is_empty() || finals.contains(&own.state.as_str()))
            })
    }
}

fn value(words: &mut dyn Iterator<Item = &str>, registers: &BTreeMap<String, i64>) -> i64 {
    let word = words.next().expect("an expression");
    if let Ok(number) = word.parse() {
        return number;
    }
    if word == "!" {
        return i64::from(value(words, registers) == 0);
    }
    let signs = [
        "==", "!=", "<", "<=", ">", ">=", "&&", "||", "+", "-", "*", "&",
    ];
    let Some(sign) = signs.iter().position(|sign| *sign == word) else {
        return registers.get(word).copied().unwrap_or(0);
    };
    let a = value(words, registers);
    let b = value(words, registers);
    match sign {
        0 => i64::from(a == b),
        1 => i64::from(a != b),
        2 => i64::from(a < b),
        3 => i64::from(a <= b),
        4 => i64::from(a > b),
        5 => i64::from(a >= b),
        6 => i64::from(a != 0 && b != 0),
        7 => i64::from(a != 0 || b != 0),
        8 => a.saturating_add(b),
        9 => a.saturating_sub(b),
        10 => a.saturating_mul(b),
        _ => a & b,
    }
}

// Random texts.

fn e() -> BoxedStrategy<String> {
    prop_oneof![
        4 => (0..3).prop_map(|c: i32| c.to_string()),
        3 => prop::sample::select(vec!["a", "b"]).prop_map(str::to_owned),
        1 => prop::sample::select(vec![
            "+ a 1", "- b a", "* a b", "! a", "== a b", "< a 2", "& b 1", "|| a b", ">= b 1",
            "- 1 - a + b 1", "&& ! a b", "!= 0 a", "> a b", "<= + a b 2",
        ]).prop_map(str::to_owned),
    ]
    .boxed()
}

fn addr() -> BoxedStrategy<String> {
    prop_oneof![
        6 => prop::sample::select(vec!["5", "6", "-3", "+ 2 4"]).prop_map(str::to_owned),
        1 => prop::sample::select(vec!["+ 5 & a 1", "- 0 * 3 ! b", "b"]).prop_map(str::to_owned),
    ]
    .boxed()
}

/// An instruction, and whether it may be repeated indefinitely.
fn does() -> BoxedStrategy<(String, bool)> {
    let reg = prop::sample::select(vec!["a", "b"]);
    prop_oneof![
        5 => (reg.clone(), addr()).prop_map(|(r, a)| (format!("read {r} {a}"), true)),
        5 => (e(), addr()).prop_map(|(v, a)| (format!("write {v} {a}"), false)),
        1 => (reg, e()).prop_map(|(r, v)| (format!("local {r} {v}"), false)),
        1 => e().prop_map(|v| (format!("check {v}"), true)),
        1 => prop::sample::select(vec!["mfence", "noop"]).prop_map(|w| (w.to_owned(), true)),
        2 => Just(("lock".to_owned(), true)),
        2 => Just(("unlock".to_owned(), true)),
    ]
    .boxed()
}

/// An instruction with large numbers.
fn large_does() -> BoxedStrategy<(String, bool)> {
    let reg = prop::sample::select(vec!["a", "b"]);
    let e = || {
        prop::sample::select(vec![
            "+ a 2147483647",
            "- b 2147483647",
            "+ b 1",
            "- a 2",
            "* a 65536",
            "* b b",
            "2",
            "-2147483648",
            "2147483647",
            "a",
            "b",
            "== a b",
            "< a 0",
            "> b 2147483646",
            "! a",
            "&& > a 0 < + a b 0",
            "!= - a b - b a",
            "- 0 a",
        ])
    };
    let addr = || prop::sample::select(vec!["5", "5", "6", "-3", "& 1 a"]);
    prop_oneof![
        5 => (reg.clone(), addr()).prop_map(|(r, a)| (format!("read {r} {a}"), true)),
        5 => (e(), addr()).prop_map(|(v, a)| (format!("write {v} {a}"), false)),
        3 => (reg, e()).prop_map(|(r, v)| (format!("local {r} {v}"), false)),
        3 => e().prop_map(|v| (format!("check {v}"), true)),
        1 => prop::sample::select(vec!["mfence", "noop"]).prop_map(|w| (w.to_owned(), true)),
        1 => Just(("lock".to_owned(), true)),
        1 => Just(("unlock".to_owned(), true)),
    ]
    .boxed()
}

fn thread() -> BoxedStrategy<Vec<String>> {
    thread_of(does().boxed()).boxed()
}

fn thread_of(does: BoxedStrategy<(String, bool)>) -> BoxedStrategy<Vec<String>> {
    let transition = (0..4_usize, 1..3_usize, any::<bool>(), does.clone());
    let chain = prop::collection::vec(does, 4);
    (
        chain,
        prop::collection::vec(transition, 0..3),
        prop::option::of(0..5_usize),
    )
        .prop_map(|(chain, more, last)| {
            let mut lines = vec!["initial 0".to_owned()];
            for (at, (does, _)) in chain.into_iter().enumerate() {
                lines.push(format!("transition {at} {} {does}", at + 1));
            }
            for (from, step, back, (does, repeats)) in more {
                let to = if back && repeats {
                    from.saturating_sub(step - 1)
                } else {
                    (from + step).min(4)
                };
                lines.push(format!("transition {from} {to} {does}"));
            }
            lines.extend(last.map(|last| format!("final {last}")));
            lines
        })
        .boxed()
}

fn text() -> BoxedStrategy<String> {
    text_of(thread()).boxed()
}

fn text_of(thread: impl Strategy<Value = Vec<String>> + 'static) -> BoxedStrategy<String> {
    prop::collection::vec(thread, 2)
        .prop_map(|threads| {
            let threads = threads
                .iter()
                .enumerate()
                .map(|(number, lines)| format!("thread t{number}\n{}\nend\n", lines.join("\n")));
            threads.collect::<Vec<_>>().concat()
        })
        .boxed()
}

/// A final state: states, registers and memory, all by name.
type Seen = (
    Vec<String>,
    Vec<BTreeMap<String, i64>>,
    BTreeMap<String, i64>,
);

fn seen(
    program: &Program,
    halts: &BTreeSet<fencepost::internals::reference::Halt>,
) -> BTreeSet<Seen> {
    let halts = halts.iter().map(|halt| {
        let locations = program.threads().iter().zip(&halt.locations);
        let registers = program.threads().iter().zip(&halt.registers);
        let memory = program.cells().zip(&halt.memory);
        (
            locations
                .map(|(t, loc)| t.location(*loc).name.replace(' ', "_"))
                .collect(),
            registers
                .map(|(t, values)| {
                    let named = t.registers().iter().zip(values);
                    named
                        .filter(|(_, value)| **value != 0)
                        .filter(|(reg, _)| !reg.name.starts_with("$old"))
                        .map(|(reg, value)| (reg.name.clone(), i64::from(*value)))
                        .collect()
                })
                .collect(),
            memory
                .filter(|(_, value)| **value != 0)
                .map(|(cell, value)| (program.cell_name(cell), i64::from(*value)))
                .collect(),
        )
    });
    halts.collect()
}

fn read(text: &str) -> Result<Program, String> {
    let parsed = parse_as(Format::Trencher, text);
    parsed
        .program
        .ok_or_else(|| render(&parsed.diagnostics, "text", text, false))
}

fn word<W>(verdict: &Verdict<W>) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::HoldsWithin(_) => "within",
        Verdict::Violated(_) => "violated",
        Verdict::Unknown(_) => "unknown",
    }
}

/// The answers of the complete engine: assertions under SC and TSO, robustness under TSO.
fn verdicts(program: &Program) -> [&'static str; 3] {
    let budget = Budget::default().with_states(BUDGET);
    let checked = [Model::Sc, Model::Tso].map(|model| {
        let options = CheckOptions::new(model).engine(Engine::Explicit);
        let report = check(program, &options, &budget).expect("no defect");
        word(&report.verdict())
    });
    let options = RobustOptions::new(Model::Tso)
        .engine(Engine::Explicit)
        .until(Until::Violated);
    let report = robust(program, &options, &budget).expect("no defect");
    [checked[0], checked[1], word(&report.verdict())]
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn a_parsed_program_follows_the_rules_of_the_format(text in text()) {
        let rules = Rules::read(&text);
        let Some(worlds) = rules.worlds() else {
            return Ok(());
        };
        let program = match read(&text) {
            Ok(program) => program,
            Err(message) => {
                // A goal inside the lock: a thread can be there, or can according to the automaton. Or
                // the range of addresses is unknown, since the analysis is incomplete.
                let reasons = [
                    "reached while the lock is held",
                    "has too many possible values",
                ];
                prop_assert!(reasons.iter().any(|why| message.contains(why)), "{}", message);
                return Ok(());
            }
        };
        if !program.limits().is_empty() {
            // Values that leave 32 bits are covered by another law.
            return Ok(());
        }
        let budget = Budget::default().with_states(BUDGET);
        let (halts, incomplete) = explore_halts(&program, Model::Tso, &budget);
        prop_assert_eq!(incomplete, None);
        let quiet = worlds.iter().filter(|world| {
            world.holder.is_none() && world.threads.iter().all(|own| own.buffer.is_empty())
        });
        let expected: BTreeSet<Seen> = quiet
            .map(|world| {
                let not_0 = |(_, value): &(_, &i64)| **value != 0;
                (
                    world.threads.iter().map(|own| own.state.clone()).collect(),
                    world
                        .threads
                        .iter()
                        .map(|own| {
                            let registers = own.registers.iter().filter(|(_, v)| **v != 0);
                            registers.map(|(r, v)| (r.clone(), *v)).collect()
                        })
                        .collect(),
                    world
                        .memory
                        .iter()
                        .filter(not_0)
                        .map(|(a, v)| (format!("mem[{a}]"), *v))
                        .collect(),
                )
            })
            .collect();
        prop_assert_eq!(seen(&program, &halts), expected);
        let goal = worlds.iter().any(|world| rules.is_goal(world));
        prop_assert_eq!(verdicts(&program)[1], if goal { "violated" } else { "holds" });
    }

    #[test]
    fn no_answer_depends_on_32_bits(text in text_of(thread_of(large_does()))) {
        let rules = Rules::read(&text);
        let Some((worlds, sc)) = rules.worlds().zip(rules.sc_worlds()) else {
            return Ok(());
        };
        let Ok(program) = read(&text) else {
            return Ok(());
        };
        let leaves = worlds.iter().any(|world| {
            let registers = world.threads.iter().flat_map(|own| own.registers.values());
            let buffered = world.threads.iter().flat_map(|own| own.buffer.iter().map(|(_, v)| v));
            let mut values = registers.chain(buffered).chain(world.memory.values());
            values.any(|value| i32::try_from(*value).is_err())
        });
        let goal = |worlds: &BTreeSet<World>| worlds.iter().any(|world| rules.is_goal(world));
        let [in_sc, in_tso, robust] = verdicts(&program);
        for (verdict, reached) in [(in_sc, goal(&sc)), (in_tso, goal(&worlds))] {
            match verdict {
                "holds" => prop_assert!(!reached),
                "violated" => prop_assert!(reached),
                "unknown" => prop_assert!(!program.limits().is_empty()),
                other => prop_assert!(false, "{other}"),
            }
            // Everything is decided if no value can leave 32 bits.
            prop_assert!(verdict != "unknown" || leaves || rules.computes_beyond());
        }
        if robust == "holds" {
            let quiet = |worlds: BTreeSet<World>| -> BTreeSet<World> {
                let idle = |world: &World| {
                    world.holder.is_none() && world.threads.iter().all(|own| own.buffer.is_empty())
                };
                worlds.into_iter().filter(idle).collect()
            };
            prop_assert_eq!(quiet(worlds).len(), quiet(sc).len());
        }
    }

    #[test]
    fn a_parsed_and_printed_program_round_trips(text in text()) {
        let finite = Rules::read(&text).worlds().is_some();
        let program = read(&text).ok().filter(|program| program.limits().is_empty());
        let Some(program) = program.filter(|_| finite) else {
            return Ok(());
        };
        let printed = print_as(Format::Trencher, &program).expect("the format can express the parsed program");
        let again = read(&printed);
        prop_assert!(again.is_ok(), "{}\n{:?}", printed, again);
        let again = again.expect("checked just now");
        prop_assert_eq!(print_as(Format::Trencher, &again), Ok(printed.clone()));
        let budget = Budget::default().with_states(BUDGET);
        let ends = |program: &Program| {
            let seen = seen(program, &explore(program, Model::Tso, &budget).finals);
            // The cells have other numbers, in the same order, and unused cells are dropped.
            let cells: Vec<String> = program.cells().map(|c| program.cell_name(c)).collect();
            seen.into_iter()
                .map(|(states, registers, memory)| {
                    let memory: Vec<(usize, i64)> = memory
                        .into_iter()
                        .map(|(name, value)| {
                            (cells.iter().position(|c| *c == name).expect("a cell"), value)
                        })
                        .collect();
                    let memory: BTreeMap<usize, i64> = memory.into_iter().collect();
                    (states, registers, memory.into_values().collect::<Vec<i64>>())
                })
                .collect::<BTreeSet<_>>()
        };
        prop_assert_eq!(ends(&program), ends(&again), "{}", printed);
        prop_assert_eq!(verdicts(&program), verdicts(&again), "{}", printed);
    }
}

// Generated programs, with locked instructions and operators that the format lacks.

#[derive(Clone, Debug)]
enum Stmt {
    Plain(Op),
    Atomic(Vec<Op>),
    If(Expr<RegId>, Vec<Op>, Vec<Op>),
}

fn expr() -> BoxedStrategy<Expr<RegId>> {
    let leaf = prop_oneof![
        (-1..3).prop_map(Expr::Const),
        (0..2_u32).prop_map(|r| Expr::Var(RegId(r))),
    ];
    leaf.prop_recursive(2, 4, 2, |inner| {
        let op = prop::sample::select(vec![
            BinaryOp::Add,
            BinaryOp::Sub,
            BinaryOp::Eq,
            BinaryOp::Lt,
            BinaryOp::And,
            BinaryOp::BitAnd,
        ]);
        let not = prop::sample::select(vec![UnaryOp::Not, UnaryOp::Neg, UnaryOp::BitNot]);
        prop_oneof![
            (op, inner.clone(), inner.clone()).prop_map(|(op, a, b)| Expr::binary(op, a, b)),
            (not, inner).prop_map(|(op, a)| Expr::unary(op, a)),
        ]
    })
    .boxed()
}

fn place() -> BoxedStrategy<Expr<RegId>> {
    let element = |r: u32| {
        let bit = Expr::binary(BinaryOp::BitAnd, Expr::Var(RegId(r)), Expr::Const(1));
        Expr::binary(BinaryOp::Add, Expr::Const(3), bit)
    };
    prop_oneof![
        5 => (1..5).prop_map(Expr::Const),
        1 => (0..2_u32).prop_map(element),
    ]
    .boxed()
}

fn op() -> BoxedStrategy<Op> {
    let reg = (0..2_u32).prop_map(RegId);
    let fetch = prop::sample::select(vec![FetchOp::Add, FetchOp::Sub, FetchOp::And]);
    let update = prop_oneof![
        (expr(), expr())
            .prop_map(|(expected, desired)| Update::CompareExchange { expected, desired }),
        expr().prop_map(Update::Exchange),
        (fetch, expr()).prop_map(|(op, e)| Update::Fetch(op, e)),
    ];
    prop_oneof![
        5 => (reg.clone(), place()).prop_map(|(into, addr)| Op::Load { into, addr }),
        5 => (place(), expr()).prop_map(|(addr, value)| Op::Store { addr, value }),
        2 => (reg.clone(), place(), update)
            .prop_map(|(into, addr, update)| Op::Rmw { into, addr, update }),
        1 => (reg, expr()).prop_map(|(into, value)| Op::Assign { into, value }),
        1 => expr().prop_map(Op::Assume),
        1 => Just(Op::Fence(Fence::Full)),
        1 => Just(Op::Skip),
    ]
    .boxed()
}

fn stmt() -> BoxedStrategy<Stmt> {
    let few = || prop::collection::vec(op(), 0..3);
    prop_oneof![
        6 => op().prop_map(Stmt::Plain),
        1 => few().prop_map(Stmt::Atomic),
        1 => (expr(), few(), few()).prop_map(|(c, a, b)| Stmt::If(c, a, b)),
    ]
    .boxed()
}

fn build(threads: &[Vec<Stmt>], goal: Option<(usize, usize)>) -> Program {
    let mut builder = ProgramBuilder::new("");
    for cell in 1..5 {
        builder.cell(format!("mem[{cell}]"), 0);
    }
    let mut outside: Vec<Vec<LocId>> = Vec::new();
    for (number, body) in threads.iter().enumerate() {
        let t = builder.thread(format!("t{number}"), Copies::One, Origin::default());
        for name in ["a", "b", "c"] {
            builder.register(t, name, 0);
        }
        let loc = |builder: &mut ProgramBuilder| builder.location(t, Origin::default());
        let edge = |builder: &mut ProgramBuilder, from: LocId, op: Op, to: LocId| {
            builder.instruction(t, from, op, to, Origin::default());
        };
        let chain = |builder: &mut ProgramBuilder, mut at: LocId, ops: &[Op]| {
            for op in ops {
                let to = loc(builder);
                edge(builder, at, op.clone(), to);
                at = to;
            }
            at
        };
        let entry = loc(&mut builder);
        builder.entry(t, entry);
        let mut at = entry;
        let mut stops = vec![entry];
        for stmt in body {
            let b = &mut builder;
            at = match stmt {
                Stmt::Plain(op) => chain(b, at, std::slice::from_ref(op)),
                Stmt::Atomic(ops) => {
                    let begin = chain(b, at, &[Op::AtomicBegin]);
                    let end = chain(b, begin, ops);
                    chain(b, end, &[Op::AtomicEnd])
                }
                Stmt::If(c, yes, no) => {
                    let not = Expr::unary(UnaryOp::Not, c.clone());
                    let yes_in = chain(b, at, &[Op::Assume(c.clone())]);
                    let no_in = chain(b, at, &[Op::Assume(not)]);
                    let (yes, no) = (chain(b, yes_in, yes), chain(b, no_in, no));
                    edge(b, no, Op::Skip, yes);
                    yes
                }
            };
            stops.push(at);
        }
        // Dead code that mentions every cell, so that each keeps its number.
        let dead = loc(&mut builder);
        for cell in 1..5 {
            let addr = Expr::Const(cell);
            edge(
                &mut builder,
                dead,
                Op::Load {
                    into: RegId(2),
                    addr,
                },
                dead,
            );
        }
        outside.push(stops);
    }
    if let Some((a, b)) = goal {
        let at = |t: usize, n: usize| {
            let stops = &outside[t];
            let loc = stops[n % stops.len()];
            Expr::Var(Observable::At(ThreadId::from(t), loc))
        };
        let both = Expr::binary(BinaryOp::And, at(0, a), at(1, b));
        builder.property(PropertyKind::Forbid, both, Origin::default());
    }
    builder.build().expect("the parts fit")
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn a_printed_program_behaves_like_the_original(
        threads in prop::collection::vec(prop::collection::vec(stmt(), 1..4), 2),
        goal in prop::option::of((0..9_usize, 0..9_usize)),
    ) {
        let program = build(&threads, goal);
        let printed = match print_as(Format::Trencher, &program) {
            Ok(printed) => printed,
            Err(why) => panic!("nothing here is unsayable: {why:?}"),
        };
        let again = read(&printed);
        prop_assert!(again.is_ok(), "{}\n{:?}", printed, again);
        let again = again.expect("checked just now");
        prop_assert_eq!(print_as(Format::Trencher, &again), Ok(printed.clone()));
        let budget = Budget::default().with_states(BUDGET);
        for model in [Model::Sc, Model::Tso] {
            let ends = |program: &Program| seen(program, &explore(program, model, &budget).finals);
            prop_assert_eq!(ends(&program), ends(&again), "{}", printed);
        }
        prop_assert_eq!(verdicts(&program), verdicts(&again), "{}", printed);
    }
}

#[test]
fn everything_that_the_format_cannot_express_is_reported_at_once() {
    let text = "shared x = 1, y;
        thread t { local r = 2; r = nondet(0, 3); assert(r); y = r | 1; fence store; @nofence x = 0; }
        forbid x == 1;";
    let program = fencepost::parse(text)
        .program
        .expect("no errors in the text");
    let refused =
        print_as(Format::Trencher, &program).expect_err("much of this cannot be expressed");
    let found: Vec<String> = refused.iter().map(ToString::to_string).collect();
    for part in [
        "`x` is initially 1",
        "line 2: thread `t`: the format has no `nondet`",
        "line 2: thread `t`: the format has no assertions",
        "line 2: thread `t`: the format has no operator `|`",
        "line 2: thread `t`: the format has no store fences",
        "line 2: thread `t`: the format cannot express fence costs",
        "line 3: the format can only express one `forbid` property",
    ] {
        assert!(
            found.iter().any(|why| why.contains(part)),
            "{part}: {found:#?}"
        );
    }
}

#[test]
fn addresses_outside_cells_and_wrapping_arithmetic_are_rejected() {
    let refused = |text: &str| {
        let program = fencepost::parse(text)
            .program
            .expect("no errors in the text");
        print_as(Format::Trencher, &program).expect_err("it means something else there")
    };
    let wild = refused("shared x, y; thread t { local r; r = x; *(r) = 1; }");
    assert!(wild[0].why.contains("may not be a cell"), "{wild:?}");
    let wraps = refused("shared x; thread t { local r; loop { r = r + 1; x = r; } }");
    assert!(wraps[0].why.contains("may overflow 32 bits"), "{wraps:?}");
}

#[test]
fn unused_cells_are_dropped_and_addresses_adjusted() {
    let mut builder = ProgramBuilder::new("");
    for name in ["x", "y", "z"] {
        builder.cell(name, 0);
    }
    let t = builder.thread("t", Copies::One, Origin::default());
    let (from, to) = (
        builder.label(t, "a b", Origin::default()),
        builder.label(t, "a_b", Origin::default()),
    );
    builder.entry(t, from);
    let addr = Expr::Const(Addr(3).0);
    let value = Expr::Const(7);
    builder.instruction(t, from, Op::Store { addr, value }, to, Origin::default());
    let program = builder.build().expect("the parts fit");
    assert_eq!(
        print_as(Format::Trencher, &program).as_deref(),
        Ok("thread t\ninitial a_b\ntransition a_b a_b_ write 7 1\nend\n")
    );
}

/// Store buffering, whose format is detected by its first words.
const STORE_BUFFERING: &str = "# both read 0
thread t0
initial q0
transition q0 q1 write 1 5
\ttransition q1 q2 read r 6
end
thread t1
initial q0
transition q0 q1 write 1 6
transition q1 q2 read r 5
end
";

#[test]
fn fences_are_named_by_thread_and_state_and_written_as_trencher_text() {
    let output = fencepost(&["fence", "-", "--diff", "--all"], STORE_BUFFERING);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let printed = stdout(&output);
    for part in [
        "(t0,q1): a fence before `transition q1 q2 read r 6` (line 5)",
        "+\ttransition q1 q1.fenced mfence\n+\ttransition q1.fenced q2 read r 6\n",
        "-transition q1 q2 read r 5\n",
    ] {
        assert!(printed.contains(part), "{part}\n{printed}");
    }
    let written = fencepost(&["fence", "-", "--write", "-", "--quiet"], STORE_BUFFERING);
    let robust = fencepost(&["robust", "-", "--quiet"], &stdout(&written));
    assert_eq!(code(&robust), 0, "{}", stdout(&written));
    let exchanged = ["fence", "-", "--kinds", "xchg", "--write", "-"];
    let refused = fencepost(&exchanged, STORE_BUFFERING);
    assert_eq!(code(&refused), 2);
    assert!(
        stderr(&refused).contains("the format has no exchange"),
        "{}",
        stderr(&refused)
    );
}

#[test]
fn programs_are_shown_in_trenchers_format_or_rejected_with_places() {
    let native = "shared x; thread t { local r; r = xchg(x, 1); done: } forbid t@done;";
    let shown = fencepost(&["show", "--as", "trencher", "-"], native);
    assert_eq!(code(&shown), 0, "{}", stderr(&shown));
    let text = stdout(&shown);
    assert!(
        text.contains(" lock\n") && text.contains("final done\n"),
        "{text}"
    );
    let checked = fencepost(&["check", "--format", "trencher", "--quiet", "-"], &text);
    assert_eq!(code(&checked), 1, "{text}");
    let refused = fencepost(
        &["show", "--as", "trencher", "-"],
        "shared x;\nthread t { fence store; }",
    );
    assert_eq!(code(&refused), 2);
    assert!(stderr(&refused).contains("line 2: thread `t`: the format has no store fences"));
    let format = ["check", "--format", "trencher", "-"];
    assert_eq!(code(&fencepost(&format, "shared x;")), 2);
}

#[test]
fn a_line_is_dead_only_if_dead_with_and_without_the_lock() {
    let dead = |text: &str| {
        let printed = stdout(&fencepost(&["robust", "-"], text));
        let lines = printed
            .lines()
            .skip_while(|line| !line.starts_with("Never executed"));
        let lines = lines.skip(1).take_while(|line| !line.is_empty());
        let lines = lines.map(|line| line.trim().to_owned());
        lines
            .filter(|line| !line.starts_with("the end of"))
            .collect::<Vec<_>>()
    };
    // The state `w` is reached only with the lock, though the automaton has a path without it.
    let passed = "thread t\ninitial q\ntransition q w check 0\ntransition q l lock\n\
                  transition l w noop\ntransition w e write 1 1\ntransition e f unlock\nend\n";
    assert_eq!(dead(passed), ["t line 3: transition q w check 0"]);
    let never = passed.replace("l w noop", "l w check 0");
    let found = dead(&never);
    assert_eq!(found.len(), 4, "{found:#?}");
    assert!(found[2].contains("line 6"), "{found:#?}");
    let kept = "thread t\ninitial q\ntransition q l lock\nend\n\
                thread u\ninitial q\ntransition q e write 1 1\nend\n";
    assert_eq!(dead(kept), Vec::<String>::new());
}

#[test]
fn observations_are_omitted_with_a_warning() {
    let native = "shared x;\nthread t { x = 1; }\nexists x == 1;";
    let shown = fencepost(&["show", "--as", "trencher", "-"], native);
    assert_eq!(code(&shown), 0, "{}", stderr(&shown));
    assert!(stdout(&shown).contains("write 1 1\n"), "{}", stdout(&shown));
    assert!(
        stderr(&shown).contains("line 3: `trencher` has no `exists`"),
        "{}",
        stderr(&shown)
    );
}
