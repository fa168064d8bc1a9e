//! Accesses of several cells, against a machine of bytes.
//!
//! The machine knows nothing of cells: an object is bytes, an access is an offset, a width and a number, and a
//! buffer has one entry for each store, whatever its width. Programs are drawn as such accesses, and written as
//! cells, one for each byte.

use crate::support::{config, parts, random, witnesses};
use config::config;
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::reach::{Method, configurations};
use fencepost::internals::reference::{Halt, explore};
use fencepost::internals::robustness::{RobustOptions, robust};
use fencepost::internals::search::cyclic;
use fencepost::internals::verdict::{Budget, Reason, Verdict};
use fencepost::program::{Addr, Overlap, Program, RegId, ThreadId, print};
use fencepost::verify::{self, Machine, System, encoded};
use parts::read_in_parts;
use proptest::prelude::*;
use random::{Shape, sketch};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// How many times threads in loops do the same.
const ITERATIONS: usize = 3;

/// The bytes of the object.
const BYTES: usize = 4;

/// What a thread does to the object.
#[derive(Clone, Debug)]
enum Access {
    Load(Part),
    Store(Part, u32),
    /// A locked exchange.
    Exchange(Part, u32),
    Fence,
    StoreFence,
}

/// Some bytes, from the first on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Part {
    first: usize,
    width: usize,
}

impl Part {
    fn bytes(self) -> std::ops::Range<usize> {
        self.first..self.first + self.width
    }
}

fn part() -> impl Strategy<Value = Part> {
    let aligned = |width| {
        (0..BYTES / width).prop_map(move |at| Part {
            first: at * width,
            width,
        })
    };
    prop_oneof![3 => aligned(1), 3 => aligned(2), 2 => aligned(4)]
}

/// Each byte of what is stored is 1 or 2: bytes of different stores can be told apart most of the time.
fn number() -> impl Strategy<Value = u32> {
    prop::collection::vec(1u32..3, BYTES)
        .prop_map(|bytes| bytes.into_iter().fold(0, |all, byte| all << 8 | byte))
}

fn access() -> impl Strategy<Value = Access> {
    prop_oneof![
        6 => part().prop_map(Access::Load),
        6 => (part(), number()).prop_map(|(part, value)| Access::Store(part, value)),
        1 => (part(), number()).prop_map(|(part, value)| Access::Exchange(part, value)),
        1 => Just(Access::Fence),
        1 => Just(Access::StoreFence),
    ]
}

type Threads = Vec<Vec<Access>>;

fn threads() -> impl Strategy<Value = Threads> {
    let body = |most| prop::collection::vec(access(), 1..=most);
    prop_oneof![
        3 => prop::collection::vec(body(4), 2),
        1 => prop::collection::vec(body(2), 3),
    ]
}

/// An end: what each load and exchange found, by thread, and the object.
type End = (Vec<Vec<u32>>, [u8; BYTES]);

/// An item of a buffer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    Store { first: usize, bytes: Vec<u8> },
    Line,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct World {
    done: Vec<usize>,
    found: Vec<Vec<u32>>,
    memory: [u8; BYTES],
    buffers: Vec<Vec<Item>>,
}

fn bytes_of(part: Part, value: u32) -> Vec<u8> {
    value.to_le_bytes()[..part.width].to_vec()
}

/// All ends under a model.
fn ends(threads: &Threads, model: Model, overlap: Overlap) -> BTreeSet<End> {
    let count = threads.len();
    let mut open = vec![World {
        done: vec![0; count],
        found: vec![Vec::new(); count],
        memory: [0; BYTES],
        buffers: vec![Vec::new(); count],
    }];
    let (mut seen, mut ends) = (BTreeSet::new(), BTreeSet::new());
    while let Some(world) = open.pop() {
        if !seen.insert(world.clone()) {
            continue;
        }
        let before = open.len();
        for (t, accesses) in threads.iter().enumerate() {
            for item in 0..world.buffers[t].len() {
                open.extend(leave(&world, t, item, model));
            }
            let next = accesses.get(world.done[t]);
            let waits = |access: &&Access| match (access, overlap) {
                (Access::Load(part), Overlap::Wait) => overlaps(&world.buffers[t], *part),
                (
                    Access::Load(_)
                    | Access::Store(..)
                    | Access::Exchange(..)
                    | Access::Fence
                    | Access::StoreFence,
                    _,
                ) => false,
            };
            if let Some(access) = next.filter(|access| !waits(access)) {
                open.extend(execute(&world, t, access, model));
            }
        }
        if open.len() == before {
            ends.insert((world.found, world.memory));
        }
    }
    ends
}

/// Whether the newest store of the buffer that has some of these bytes lacks others.
fn overlaps(buffer: &[Item], part: Part) -> bool {
    let newest = buffer.iter().rev().find_map(|item| match item {
        Item::Store { first, bytes } => {
            let own = *first..first + bytes.len();
            let some = part.bytes().any(|byte| own.contains(&byte));
            some.then(|| part.bytes().all(|byte| own.contains(&byte)))
        }
        Item::Line => None,
    });
    newest == Some(false)
}

fn leave(world: &World, t: usize, item: usize, model: Model) -> Option<World> {
    let older = &world.buffers[t][..item];
    let overlaps = |first: usize, bytes: &[u8], other: &Item| match other {
        Item::Store {
            first: at,
            bytes: own,
        } => first < at + own.len() && *at < first + bytes.len(),
        Item::Line => true,
    };
    let mut next = world.clone();
    match next.buffers[t].remove(item) {
        Item::Line => older.is_empty().then_some(next),
        Item::Store { first, bytes } => {
            let waits = match model {
                Model::Sc | Model::Tso => !older.is_empty(),
                Model::Pso | Model::Pgas => older.iter().any(|item| overlaps(first, &bytes, item)),
            };
            next.memory[first..first + bytes.len()].copy_from_slice(&bytes);
            (!waits).then_some(next)
        }
    }
}

fn execute(world: &World, t: usize, access: &Access, model: Model) -> Option<World> {
    let mut next = world.clone();
    next.done[t] += 1;
    let is_drained = world.buffers[t].is_empty();
    let number = |bytes: &[u8]| {
        bytes
            .iter()
            .rev()
            .fold(0, |all, &byte| all << 8 | u32::from(byte))
    };
    match access {
        Access::Load(part) => {
            let byte = |at: usize| {
                let newest = world.buffers[t].iter().rev().find_map(|item| match item {
                    Item::Store { first, bytes } => bytes.get(at.checked_sub(*first)?).copied(),
                    Item::Line => None,
                });
                newest.unwrap_or(world.memory[at])
            };
            let bytes: Vec<u8> = part.bytes().map(byte).collect();
            next.found[t].push(number(&bytes));
        }
        Access::Store(part, value) => {
            let bytes = bytes_of(*part, *value);
            if model == Model::Sc {
                next.memory[part.bytes()].copy_from_slice(&bytes);
            } else {
                let first = part.first;
                next.buffers[t].push(Item::Store { first, bytes });
            }
        }
        Access::Exchange(part, value) => {
            next.found[t].push(number(&world.memory[part.bytes()]));
            next.memory[part.bytes()].copy_from_slice(&bytes_of(*part, *value));
            return is_drained.then_some(next);
        }
        Access::Fence => return is_drained.then_some(next),
        Access::StoreFence => match model {
            Model::Sc | Model::Tso => {}
            Model::Pso | Model::Pgas => next.buffers[t].push(Item::Line),
        },
    }
    Some(next)
}

/// The same in cells. By thread: for each number that is found, its registers, the least significant first.
fn written(threads: &Threads) -> (String, Vec<Vec<Vec<String>>>) {
    let mut text = String::from("shared b[4];\n");
    let mut all = Vec::new();
    for (t, accesses) in threads.iter().enumerate() {
        let (mut body, mut found) = (String::new(), Vec::new());
        for (n, access) in accesses.iter().enumerate() {
            let registers = |part: &Part| -> Vec<String> {
                part.bytes().map(|byte| format!("r{n}_{byte}")).collect()
            };
            let mut loads = |part: &Part| {
                let into = registers(part);
                let each = into.iter().zip(part.bytes());
                let loads = each
                    .map(|(r, byte)| format!("{r} = b[{byte}]; "))
                    .collect::<Vec<_>>()
                    .concat();
                found.push(into);
                loads
            };
            let stores = |part: &Part, value: u32| {
                let each = part.bytes().zip(bytes_of(*part, value));
                each.fold(String::new(), |all, (byte, v)| {
                    all + &format!("b[{byte}] = {v}; ")
                })
            };
            let _ = match access {
                Access::Load(part) => writeln!(body, "  atomic word {{ {}}}", loads(part)),
                Access::Store(part, value) => {
                    writeln!(body, "  atomic word {{ {}}}", stores(part, *value))
                }
                Access::Exchange(part, value) => {
                    writeln!(
                        body,
                        "  atomic {{ {}{}}}",
                        loads(part),
                        stores(part, *value)
                    )
                }
                Access::Fence => writeln!(body, "  fence;"),
                Access::StoreFence => writeln!(body, "  fence store;"),
            };
        }
        let names: Vec<String> = found.concat();
        let _ = writeln!(text, "thread t{t} {{");
        if !names.is_empty() {
            let _ = writeln!(text, "  local {};", names.join(", "));
        }
        let _ = writeln!(text, "{body}}}");
        all.push(found);
    }
    (text, all)
}

/// The end that a halting configuration is.
fn end(program: &Program, found: &[Vec<Vec<String>>], halt: &Halt) -> End {
    let value = |t: usize, name: &String| {
        let registers = program.thread(ThreadId(t as u32)).registers();
        let at = registers.iter().position(|register| register.name == *name);
        halt.registers[t][RegId::from(at.expect("the register is declared")).index()] as u32
    };
    let numbers = found.iter().enumerate().map(|(t, numbers)| {
        let number = |bytes: &Vec<String>| {
            bytes
                .iter()
                .rev()
                .fold(0, |all, name| all << 8 | value(t, name))
        };
        numbers.iter().map(number).collect()
    });
    let mut memory = [0; BYTES];
    for (at, byte) in memory.iter_mut().enumerate() {
        *byte = halt.memory[Addr(1 + at as i32).index()] as u8;
    }
    (numbers.collect(), memory)
}

/// The ends of the checker's machine; `None` if there are too many states.
fn checked_ends(
    program: &Program,
    found: &[Vec<Vec<String>>],
    model: verify::Model,
) -> Option<BTreeSet<End>> {
    let own = verify::Program::read(&print(program)).expect("the checker reads what is printed");
    let machine = Machine::new(&own, model, &[]).with_all_registers();
    let (mut seen, mut ends) = (BTreeSet::new(), BTreeSet::new());
    let mut work = vec![machine.initial()];
    while let Some(state) = work.pop() {
        if !seen.insert(encoded(&machine, &state)) {
            continue;
        }
        if seen.len() > 20_000 {
            return None;
        }
        let before = work.len();
        machine.successors(&state, &mut |next| work.push(next));
        if work.len() == before {
            let halt = Halt {
                locations: Vec::new(),
                registers: state.registers,
                memory: state.cells,
            };
            ends.insert(end(program, found, &halt));
        }
    }
    Some(ends)
}

/// The end as predicates, in an order that depends on the threads only.
fn predicates(found: &[Vec<Vec<String>>], (numbers, memory): &End) -> Vec<String> {
    let mut parts = Vec::new();
    for (t, (names, numbers)) in found.iter().zip(numbers).enumerate() {
        for (names, number) in names.iter().zip(numbers) {
            let bytes = names.iter().zip(number.to_le_bytes());
            parts.extend(bytes.map(|(name, byte)| format!("t{t}.{name} == {byte}")));
        }
    }
    parts.extend(
        memory
            .iter()
            .enumerate()
            .map(|(at, byte)| format!("b[{at}] == {byte}")),
    );
    parts
}

/// The end as a predicate.
fn predicate(found: &[Vec<Vec<String>>], end: &End) -> String {
    predicates(found, end).join(" && ")
}

fn program(text: &str) -> Program {
    let parsed = parse(text);
    parsed
        .program
        .unwrap_or_else(|| panic!("{text}\n{:?}", parsed.diagnostics))
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn cells_that_are_accessed_together_are_bytes(threads in threads(), pick in any::<prop::sample::Index>()) {
        let (text, found) = written(&threads);
        let written = program(&text);
        let budget = Budget::default().with_states(30_000);
        let mut by_model = BTreeMap::new();
        for model in Model::ALL {
            let expected = ends(&threads, model, Overlap::Combine);
            let explored = explore(&written, model, &budget);
            if explored.incomplete.is_none() {
                let all = explored.finals.iter();
                let reference: BTreeSet<End> = all.map(|halt| end(&written, &found, halt)).collect();
                prop_assert_eq!(&reference, &expected, "{} reference\n{}", model, text);
            }
            let encoded = configurations(&written, model, true, 1, Method::default(), &budget);
            let encoded: BTreeSet<End> = encoded
                .map_err(|why| TestCaseError::fail(format!("{why}\n{text}")))?
                .iter()
                .map(|halt| end(&written, &found, halt))
                .collect();
            prop_assert_eq!(&encoded, &expected, "{} formula\n{}", model, text);
            by_model.insert(model.to_string(), expected);
        }
        // What PGAS adds to the order of stores is not seen at the end, and every end is one of all others.
        let weakest = &by_model["PSO"];
        prop_assert_eq!(weakest, &by_model["PGAS"]);
        let ends: Vec<&End> = weakest.iter().collect();
        let end = pick.get(&ends);
        let text = format!("{text}exists {};\n", predicate(&found, end));
        let asked = program(&text);
        for model in Model::ALL {
            let is_reached = by_model[&model.to_string()].contains(*end);
            for engine in [Engine::Explicit, Engine::Bmc, Engine::Auto] {
                let options = CheckOptions::new(model).engine(engine);
                let report = check(&asked, &options, &budget)
                    .map_err(|why| TestCaseError::fail(format!("{model} {why}\n{text}")))?;
                for answer in report.observations() {
                    let is_right = match answer.verdict {
                        Verdict::Violated(_) => is_reached,
                        Verdict::Holds => !is_reached,
                        Verdict::Unknown(Reason::StateBudget(_)) => true,
                        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => false,
                    };
                    prop_assert!(is_right, "{} {:?} {:?}\n{}", model, engine, answer.verdict, text);
                }
            }
        }
    }

    /// The same where loads wait for stores that overlap them.
    #[test]
    fn loads_that_wait_are_those_of_bytes(
        threads in threads(),
        pick in any::<prop::sample::Index>(),
        kept in prop_oneof![
            Just(u32::MAX),
            any::<(u32, u32)>().prop_map(|(a, b)| a & b),
            any::<(u32, u32, u32)>().prop_map(|(a, b, c)| a & b & c),
        ],
    ) {
        let (text, found) = written(&threads);
        let waiting = program(&text).with_overlap(Overlap::Wait);
        let budget = Budget::default().with_states(30_000);
        let mut weakest = BTreeSet::new();
        for (model, of_checker) in [
            (Model::Sc, verify::Model::Sc),
            (Model::Tso, verify::Model::Tso),
            (Model::Pso, verify::Model::Pso),
            (Model::Pgas, verify::Model::Pgas),
        ] {
            let expected = ends(&threads, model, Overlap::Wait);
            let explored = explore(&waiting, model, &budget);
            if explored.incomplete.is_none() {
                let all = explored.finals.iter();
                let reference: BTreeSet<End> = all.map(|halt| end(&waiting, &found, halt)).collect();
                prop_assert_eq!(&reference, &expected, "{} reference\n{}", model, text);
            }
            if let Some(checked) = checked_ends(&waiting, &found, of_checker) {
                prop_assert_eq!(&checked, &expected, "{} checker\n{}", model, text);
            }
            let encoded = configurations(&waiting, model, true, 1, Method::default(), &budget);
            let encoded: BTreeSet<End> = encoded
                .map_err(|why| TestCaseError::fail(format!("{model} {why}\n{text}")))?
                .iter()
                .map(|halt| end(&waiting, &found, halt))
                .collect();
            prop_assert_eq!(&encoded, &expected, "{} formula\n{}", model, text);
            weakest.extend(ends(&threads, model, Overlap::Combine));
        }
        // What a load finds that does not matter may let it wait nevertheless.
        let ends_of_all: Vec<End> = weakest.into_iter().collect();
        let all = predicates(&found, pick.get(&ends_of_all));
        let asked: Vec<usize> = (0..all.len()).filter(|at| kept >> (at % 32) & 1 == 1).collect();
        let kept = |end: &End| -> Vec<String> {
            let all = predicates(&found, end);
            asked.iter().map(|&at| all[at].clone()).collect()
        };
        let end = kept(pick.get(&ends_of_all));
        let predicate = if end.is_empty() { "1".to_owned() } else { end.join(" && ") };
        let text = format!("{text}exists {predicate};\n");
        let asked = program(&text).with_overlap(Overlap::Wait);
        for model in Model::ALL {
            let is_reached = ends(&threads, model, Overlap::Wait).iter().any(|other| kept(other) == end);
            for engine in [Engine::Explicit, Engine::Bmc, Engine::Auto] {
                let options = CheckOptions::new(model).engine(engine);
                let report = check(&asked, &options, &budget)
                    .map_err(|why| TestCaseError::fail(format!("{model} {why}\n{text}")))?;
                for answer in report.observations() {
                    let is_right = match answer.verdict {
                        Verdict::Violated(_) => is_reached,
                        Verdict::Holds => !is_reached,
                        Verdict::Unknown(Reason::StateBudget(_)) => true,
                        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => false,
                    };
                    prop_assert!(is_right, "{} {:?} {:?}\n{}", model, engine, answer.verdict, text);
                }
            }
        }
        for model in [Model::Tso, Model::Pso] {
            let report = robust(&asked, &RobustOptions::new(model), &budget)
                .map_err(|why| TestCaseError::fail(format!("{model} {why}\n{text}")))?;
            if matches!(report.verdict(), Verdict::Holds) {
                let ends = |model| ends(&threads, model, Overlap::Wait);
                prop_assert_eq!(ends(model), ends(Model::Sc), "{}\n{}", model, text);
            }
        }
    }

    /// The bounded engine unrolls loops further where it has to: then there are more stores before a load, and more that
    /// cover it.
    #[test]
    fn loads_after_loops_wait_too(
        threads in prop::collection::vec(
            (prop::collection::vec(access(), 1..=2), prop::collection::vec(access(), 1..=1)),
            2,
        ),
        pick in any::<prop::sample::Index>(),
    ) {
        let all_of = |iterations: usize| -> Threads {
            let bodies = threads.iter().map(|(body, tail)| {
                [vec![body.clone(); iterations].concat(), tail.clone()].concat()
            });
            bodies.collect()
        };
        let (once, repeated) = (all_of(1), all_of(ITERATIONS));
        // What is left is found in the last iteration.
        let (text, found) = written(&once);
        let last = |(numbers, memory): &End| -> End {
            let last = numbers.iter().zip(&found).map(|(all, names)| all[all.len() - names.len()..].to_vec());
            (last.collect(), *memory)
        };
        let mut looped = String::new();
        let mut lines = text.lines();
        let mut bodies = threads.iter().map(|(body, _)| body.len());
        while let Some(line) = lines.next() {
            if !line.starts_with("thread") {
                let _ = writeln!(looped, "{line}");
                continue;
            }
            let _ = writeln!(looped, "{line} local j;");
            let mut left = bodies.next().expect("a thread");
            let begin = format!("  while (j < {ITERATIONS}) {{ j = j + 1;");
            let first = lines.next().expect("an access");
            if first.starts_with("  local") {
                let _ = writeln!(looped, "{first}\n{begin}");
            } else {
                let _ = writeln!(looped, "{begin}\n{first}");
                left -= 1;
            }
            for line in lines.by_ref().take(left) {
                let _ = writeln!(looped, "{line}");
            }
            looped += "  }\n";
        }
        let ends_of = |model, overlap| -> BTreeSet<End> {
            ends(&repeated, model, overlap).iter().map(last).collect()
        };
        let all = ends_of(Model::Pso, Overlap::Combine);
        let all: Vec<End> = all.into_iter().collect();
        let end = pick.get(&all);
        let text = format!("{looped}exists {};\n", predicate(&found, end));
        let asked = program(&text).with_overlap(Overlap::Wait);
        for model in [Model::Tso, Model::Pso] {
            let is_reached = ends_of(model, Overlap::Wait).contains(end);
            for engine in [Engine::Explicit, Engine::Bmc] {
                // With a bound the formula is deepened step by step.
                let options = CheckOptions::new(model).engine(engine).unroll(Some(8));
                let budget = Budget::default().with_states(30_000);
                let report = check(&asked, &options, &budget)
                    .map_err(|why| TestCaseError::fail(format!("{model} {why}\n{text}")))?;
                for answer in report.observations() {
                    let is_right = match answer.verdict {
                        Verdict::Violated(_) => is_reached,
                        Verdict::Holds => !is_reached,
                        Verdict::Unknown(Reason::StateBudget(_)) => true,
                        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => false,
                    };
                    prop_assert!(is_right, "{} {:?} {:?}\n{}", model, engine, answer.verdict, text);
                }
            }
        }
    }

    /// Attacks by parts of accesses are all that there are.
    #[test]
    fn a_program_without_attacks_has_no_cycle(
        sketch in prop_oneof![
            sketch(Shape { words: 14, locked: 1, fences: 1, ..Shape::ACYCLIC }),
            sketch(Shape { words: 14, fences: 1, wild: 0, longest: 4, ..Shape::ACYCLIC }),
        ],
    ) {
        let program = sketch.build();
        prop_assume!(!program.has_barrier());
        for model in [Model::Tso, Model::Pso, Model::Pgas] {
            // The oracle moves stores one by one through the two stages of PGAS.
            let expected = if model == Model::Pgas {
                match cyclic(&program, model, &Budget::default().with_states(60_000)).0 {
                    Verdict::Holds => Some(true),
                    Verdict::Violated(_) => Some(false),
                    Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
                }
            } else {
                witnesses::robust(&program, model, 60_000)
            };
            let Some(expected) = expected else { continue };
            for engine in [Engine::Auto, Engine::Explicit, Engine::Bmc] {
                let mut options = RobustOptions::new(model);
                options.engine = engine;
                let report = robust(&program, &options, &Budget::default())
                    .map_err(|why| TestCaseError::fail(format!("{model} {why}")))?;
                let is_right = match report.verdict() {
                    Verdict::Holds => expected,
                    Verdict::Violated(_) => !expected,
                    Verdict::HoldsWithin(_) | Verdict::Unknown(_) => false,
                };
                prop_assert!(is_right, "{} {:?} {}", model, engine, print(&program));
            }
        }
    }

    /// The same where what is stored at once is read in parts, and paths need what was read.
    #[test]
    fn a_program_whose_words_are_read_in_parts_has_a_cycle_if_and_only_if_it_has_an_attack(text in read_in_parts()) {
        let program = program(&text);
        for model in [Model::Tso, Model::Pso] {
            let Some(expected) = witnesses::robust(&program, model, 60_000) else { continue };
            for engine in [Engine::Explicit, Engine::Bmc] {
                let mut options = RobustOptions::new(model);
                options.engine = engine;
                let report = robust(&program, &options, &Budget::default())
                    .map_err(|why| TestCaseError::fail(format!("{model} {why}\n{text}")))?;
                let is_right = match report.verdict() {
                    Verdict::Holds => expected,
                    Verdict::Violated(_) => !expected,
                    Verdict::HoldsWithin(_) | Verdict::Unknown(_) => false,
                };
                prop_assert!(is_right, "{} {:?} {}\n{}", model, engine, expected, text);
            }
        }
    }

    /// A robust program has the ends of SC only.
    #[test]
    fn programs_that_are_robust_have_no_new_ends(threads in threads()) {
        let (text, _) = written(&threads);
        let written = program(&text);
        for model in [Model::Tso, Model::Pso] {
            let report = robust(&written, &RobustOptions::new(model), &Budget::default())
                .map_err(|why| TestCaseError::fail(format!("{model} {why}\n{text}")))?;
            if matches!(report.verdict(), Verdict::Holds) {
                prop_assert_eq!(ends(&threads, model, Overlap::Combine), ends(&threads, Model::Sc, Overlap::Combine), "{}\n{}", model, text);
            }
        }
    }
}

/// What is loaded for nothing may let a load wait all the same.
#[test]
fn loads_wait_for_parts_that_do_not_matter() {
    let text = "shared a, b;
        thread t0 { local own, other; a = 1; atomic word { own = a; other = b; } }
        thread t1 { local own, other; b = 1; atomic word { other = a; own = b; } }
        final assert t0.other == 1 || t1.other == 1;";
    for (overlap, holds) in [(Overlap::Combine, false), (Overlap::Wait, true)] {
        let program = program(text).with_overlap(overlap);
        for engine in [Engine::Explicit, Engine::Bmc, Engine::Auto] {
            for model in [Model::Tso, Model::Pso, Model::Pgas] {
                let options = CheckOptions::new(model).engine(engine);
                let report = check(&program, &options, &Budget::default()).expect("no defect");
                let found = matches!(report.verdict(), Verdict::Holds);
                assert_eq!(found, holds, "{model} {engine:?} {overlap:?}");
            }
        }
    }
}
