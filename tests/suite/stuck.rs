//! Waiting forever: the definition, applied here to each configuration, against all engines.
//!
//! The programs are written as text, with the statements that wait in practice: `await`, loops that
//! spin on a load, on a failed compare-and-swap or on a lock, loops in which a thread also stores,
//! counts or chooses, waits inside atomic blocks, and executions that an `assume` ends.

use crate::support::{automata, config, limit};
use automata::{Automata, Mix, automata};
use config::config;
use fencepost::analysis::Waits;
use fencepost::check::{CheckOptions, Engine, Until, check};
use fencepost::explicit::{Halt, Reduction, check_all_with, explore_halts, waiters};
use fencepost::fences::{FenceOptions, Outcome, cheapest_fences};
use fencepost::formats::parse;
use fencepost::model::Model;
use fencepost::program::{
    Aim, Change, Expr, FenceKind, FencePoint, Goal, LocId, Observable, Op, Origin, Program,
    Property, PropertyKind, ThreadId, print,
};
use fencepost::robustness::{RobustOptions, robust};
use fencepost::verdict::{Budget, Verdict};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use std::collections::{BTreeMap, BTreeSet};

const BUFFERED: [Model; 3] = [Model::Tso, Model::Pso, Model::Pgas];
const STATES: usize = 6_000;

fn budget() -> Budget {
    Budget::default().with_states(STATES)
}

/// A statement: about two cells, a lock and a register, with small values.
fn statement() -> BoxedStrategy<String> {
    let cell = prop_oneof![Just("x"), Just("y"), Just("z")];
    let simple = (cell, 0..2_i32, 0..12_u8).prop_map(|(cell, value, form)| match form {
        0 | 1 => format!("{cell} = {value};"),
        2 => format!("r = {cell};"),
        3 => format!("{cell} = r;"),
        4 => "fence;".to_owned(),
        5 => format!("r = xchg({cell}, {value});"),
        6 => format!("{cell} = {};", 1 - value),
        7 => format!("assume(r == {value});"),
        8 => "r = nondet(0, 1);".to_owned(),
        9 => format!("r = fetch_add({cell}, {value});"),
        10 => format!("{cell} = {value};"),
        _ => "fence store;".to_owned(),
    });
    let cell = prop_oneof![Just("x"), Just("y"), Just("z")];
    let wait =
        (cell.clone(), cell, 0..2_i32, 0..16_u8).prop_map(|(a, b, value, form)| match form {
            0..=3 => format!("await({a} == {value});"),
            4 => format!("await({a} == {value} && {b} == {value});"),
            5 => format!("await({a} != {b});"),
            6 => format!("while (cas({a}, {value}, {}) != {value}) {{ }}", 1 - value),
            7 => format!("while (xchg({a}, 1) == 1) {{ }}"),
            8 => format!("do {{ r = {a}; }} while (r == {value});"),
            9 => format!("while (r != {a}) {{ r = {b}; }}"),
            10 => format!("while ({a} == {value}) {{ {b} = {value}; }}"),
            11 => format!("while ({a} == {value}) {{ {b} = 1; {b} = 0; }}"),
            12 => format!("atomic {{ await({a} == {value}); {b} = 1; }}"),
            13 => format!("do {{ atomic {{ r = {a}; {a} = 1; }} }} while (r == 1);"),
            14 => format!(
                "while ({a} == {value}) {{ q = nondet(0, 1); if (q == 1) {{ assume({b} == 1); }} }}"
            ),
            _ => format!(
                "loop {{ if ({a} == {value}) {{ break; }} if ({b} == 1) {{ {b} = 0; break; }} }}"
            ),
        });
    let leaf = prop_oneof![3 => simple, 2 => wait];
    let branch = (leaf.clone(), 0..2_i32)
        .prop_map(|(inner, value)| format!("if (x == {value}) {{ {inner} }}"));
    prop_oneof![6 => leaf, 1 => branch].boxed()
}

fn thread(longest: usize) -> BoxedStrategy<String> {
    prop::collection::vec(statement(), 1..=longest)
        .prop_map(|statements| statements.join(" "))
        .boxed()
}

/// Protocols in which one thread sleeps and another wakes it: each stores, perhaps passes a fence, and
/// loads what decides whether to sleep or to wake.
fn handshake() -> BoxedStrategy<Vec<String>> {
    let between = || {
        prop_oneof![
            6 => Just(String::new()),
            1 => Just("fence;".to_owned()),
            1 => Just("q = xchg(z, z);".to_owned()),
            1 => statement(),
        ]
    };
    let sleeper = (between(), 0..6_u8).prop_map(|(between, form)| match form {
        0..=2 => format!("x = 1; {between} if (y == 0) {{ await(z == 1); }}"),
        3 => format!("x = 1; {between} while (y == 0 && z == 0) {{ }}"),
        4 => format!("await(y == 1); {between} if (x == 0) {{ await(z == 1); }}"),
        _ => format!("x = 1; {between} if (y == 0) {{ do {{ r = xchg(z, 0); }} while (r == 0); }}"),
    });
    let waker = (between(), 0..6_u8).prop_map(|(between, form)| match form {
        0..=2 => format!("y = 1; {between} if (x == 1) {{ z = 1; }}"),
        3 => format!("x = 1; {between} y = 1;"),
        4 => format!("y = 1; {between} r = x; z = r;"),
        _ => format!("y = 1; {between} if (x == 0) {{ await(z == 1); }}"),
    });
    let other = prop::option::weighted(0.2, thread(2));
    (sleeper, waker, other)
        .prop_map(|(a, b, c)| [a, b].into_iter().chain(c).collect())
        .boxed()
}

/// A program in which waiting is forbidden.
fn program() -> BoxedStrategy<Program> {
    prop_oneof![
        3 => prop::collection::vec(thread(4), 2..=2),
        1 => prop::collection::vec(thread(3), 3..=3),
        4 => handshake(),
    ]
    .prop_map(|threads| {
        let mut text = "shared x, y, z;\n".to_owned();
        for (number, body) in threads.iter().enumerate() {
            text += &format!("thread t{number} {{ local r; local q; {body} }}\n");
        }
        text += "forbid stuck;\n";
        let parsed = parse(&text);
        parsed
            .program
            .unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics))
    })
    .boxed()
}

fn forbidding(automata: &Automata) -> Program {
    automata.build().with_property(Property {
        kind: PropertyKind::Stuck,
        predicate: Expr::Const(1),
        origin: Origin::default(),
    })
}

/// The goal of the last property.
fn last(program: &Program) -> Goal {
    Goal::Property(program.properties().len() - 1)
}

/// A thread alone: its location, registers, and memory.
type Local = (LocId, Vec<i32>, Vec<i32>);

/// One step of a thread alone, each store at once in memory; `None` if there are too many.
fn steps(program: &Program, thread: ThreadId, (loc, registers, memory): &Local) -> Vec<Local> {
    let automaton = program.thread(thread);
    let mut next = Vec::new();
    for &instr in automaton.outgoing(*loc) {
        let instruction = automaton.instruction(instr);
        let value = |e: &Expr<_>| e.eval(|reg: fencepost::program::RegId| registers[reg.index()]);
        let (mut after, mut stored) = (registers.clone(), memory.clone());
        let mut push = |registers: &Vec<i32>, memory: &Vec<i32>| {
            next.push((instruction.to, registers.clone(), memory.clone()));
        };
        match &instruction.op {
            Op::Skip | Op::Assert(_) | Op::Fence(_) | Op::AtomicBegin | Op::AtomicEnd => {
                push(&after, &stored);
            }
            Op::Assign { into, value: e } => {
                after[into.index()] = value(e);
                push(&after, &stored);
            }
            Op::Havoc { into, low, high } => {
                for choice in *low..=*high {
                    after[into.index()] = choice;
                    push(&after, &stored);
                }
            }
            Op::Assume(e) => {
                if value(e) != 0 {
                    push(&after, &stored);
                }
            }
            Op::Load { into, addr } => {
                if let Some(cell) = program.cell_at(value(addr)) {
                    after[into.index()] = memory[cell.index()];
                    push(&after, &stored);
                }
            }
            Op::Store { addr, value: e } => {
                if let Some(cell) = program.cell_at(value(addr)) {
                    stored[cell.index()] = value(e);
                    push(&after, &stored);
                }
            }
            Op::Rmw { into, addr, update } => {
                if let Some(cell) = program.cell_at(value(addr)) {
                    let old = memory[cell.index()];
                    stored[cell.index()] = update.apply(old, |reg| registers[reg.index()]);
                    after[into.index()] = old;
                    push(&after, &stored);
                }
            }
        }
    }
    next
}

/// Whether a thread waits, by definition: alone it never ends, never leaves another memory outside of
/// atomic blocks, and has a path of any length.
fn waits(program: &Program, thread: ThreadId, halt: &Halt) -> bool {
    let t = thread.index();
    let automaton = program.thread(thread);
    let first: Local = (
        halt.locations[t],
        halt.registers[t].clone(),
        halt.memory.clone(),
    );
    let mut reached = BTreeSet::from([first.clone()]);
    let mut work = vec![first.clone()];
    let mut edges: BTreeMap<Local, Vec<Local>> = BTreeMap::new();
    while let Some(local) = work.pop() {
        let inside = automaton.location(local.0).atomic;
        if automaton.is_end(local.0) || !inside && local.2 != halt.memory {
            return false;
        }
        let next = steps(program, thread, &local);
        for after in &next {
            if reached.insert(after.clone()) {
                work.push(after.clone());
            }
        }
        edges.insert(local, next);
    }
    // A path longer than there are states repeats one.
    let mut ends: BTreeSet<&Local> = BTreeSet::from([&first]);
    for _ in 0..=edges.len() {
        ends = ends.iter().flat_map(|local| &edges[*local]).collect();
    }
    !ends.is_empty()
}

/// Whether a configuration is stuck, by definition.
fn is_stuck(program: &Program, halt: &Halt) -> bool {
    let open: Vec<ThreadId> = program
        .thread_ids()
        .filter(|&thread| {
            !program
                .thread(thread)
                .is_end(halt.locations[thread.index()])
        })
        .collect();
    !open.is_empty() && open.iter().all(|&thread| waits(program, thread, halt))
}

/// The claim of a verdict: reachable, unreachable, or nothing.
fn claim<W>(verdict: &Verdict<W>) -> Option<bool> {
    match verdict {
        Verdict::Violated(_) => Some(true),
        Verdict::Holds => Some(false),
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
    }
}

/// All engines agree with the definition, and the predicate is exact where it says so.
fn engines_agree(program: &Program) -> Result<(), TestCaseError> {
    let goal = last(program);
    let heads_only = Waits::of(program);
    for model in Model::ALL {
        let (halts, incomplete) = explore_halts(program, model, &budget());
        let stuck: Vec<&Halt> = halts
            .iter()
            .filter(|halt| is_stuck(program, halt))
            .collect();
        let known = match (stuck.is_empty(), &incomplete) {
            (false, _) => Some(true),
            (true, None) => Some(false),
            (true, Some(_)) => None,
        };
        let mut stated = false;
        for halt in &halts {
            let named: Vec<ThreadId> = waiters(program, halt).iter().map(|w| w.thread).collect();
            let threads = program.thread_ids();
            let known: Vec<ThreadId> = threads.filter(|&t| waits(program, t, halt)).collect();
            prop_assert_eq!(named, known, "{:?}", halt);
            let value = heads_only.stuck.eval(|observable| match observable {
                Observable::Register(thread, reg) => halt.registers[thread.index()][reg.index()],
                Observable::At(thread, loc) => i32::from(halt.locations[thread.index()] == loc),
                Observable::Cell(cell) => halt.memory[cell.index()],
            });
            stated |= value != 0;
            prop_assert!(
                value == 0 || is_stuck(program, halt),
                "{}: {:?}",
                model,
                halt
            );
        }
        if let (true, None, Some(known)) = (heads_only.complete, incomplete, known) {
            prop_assert_eq!(
                stated,
                known,
                "{}: the predicate\n{}",
                model,
                print(program)
            );
        }
        for reduction in [Reduction::NONE, Reduction::ALL] {
            let found = check_all_with(program, model, &[goal], reduction, &budget());
            let claimed = claim(&found.verdicts[0].1);
            if let (Some(claimed), Some(known)) = (claimed, known) {
                prop_assert_eq!(claimed, known, "{}: {:?}", model, reduction);
            }
        }
        for engine in [Engine::Bmc, Engine::Lazy, Engine::Auto] {
            let options = CheckOptions::new(model)
                .engine(engine)
                .unroll(3)
                .until(Until::AllAnswered);
            let report = limit::within(STATES, |budget| check(program, &options, budget))
                .map_err(|defect| TestCaseError::fail(format!("{model} {engine:?}: {defect}")))?;
            let answers = report.answers().iter();
            for answer in answers.filter(|answer| answer.goal == goal) {
                if let (Some(claimed), Some(known)) = (claim(&answer.verdict), known) {
                    prop_assert_eq!(claimed, known, "{}: {:?}", model, engine);
                }
            }
        }
    }
    Ok(())
}

fn stuck_halts(program: &Program, model: Model) -> Option<BTreeSet<Halt>> {
    let (halts, incomplete) = explore_halts(program, model, &budget());
    let stuck = halts.into_iter().filter(|halt| is_stuck(program, halt));
    incomplete.is_none().then(|| stuck.collect())
}

/// A robust program is stuck in the same configurations as under SC.
fn robust_means_the_same(program: &Program) -> Result<(), TestCaseError> {
    let Some(sequential) = stuck_halts(program, Model::Sc) else {
        return Ok(());
    };
    for model in BUFFERED {
        let options = RobustOptions::new(model);
        let report = limit::within(STATES, |budget| robust(program, &options, budget))
            .map_err(|defect| TestCaseError::fail(format!("{model}: {defect}")))?;
        if let (Verdict::Holds, Some(weak)) = (report.verdict(), stuck_halts(program, model)) {
            prop_assert_eq!(&weak, &sequential, "{}", model);
        }
    }
    Ok(())
}

/// The locations where a fence may be inserted.
fn points(program: &Program) -> Vec<FencePoint> {
    let threads = program.thread_ids();
    threads
        .flat_map(|thread| {
            let automaton = program.thread(thread);
            (0..automaton.locations().len())
                .map(LocId::from)
                .filter(move |&loc| !automaton.location(loc).atomic && !automaton.is_end(loc))
                .map(move |loc| FencePoint {
                    thread,
                    loc,
                    kind: FenceKind::Full,
                })
        })
        .collect()
}

/// The fences found make it hold, and no smaller set does.
fn fences_are_right(program: &Program) -> Result<(), TestCaseError> {
    let goal = last(program);
    let holds = |program: &Program, model| {
        let found = check_all_with(program, model, &[goal], Reduction::ALL, &budget());
        claim(&found.verdicts[0].1).map(|reached| !reached)
    };
    for model in [Model::Tso, Model::Pso] {
        if holds(program, model) != Some(false) {
            continue;
        }
        let options = FenceOptions::new(model, Aim::Assertions);
        let report = limit::within(STATES, |budget| cheapest_fences(program, &options, budget))
            .map_err(|defect| TestCaseError::fail(format!("{model}: {defect}")))?;
        let all = points(program);
        let cost = match report.outcome() {
            Outcome::Found(found) => {
                let set = found.sets[0].iter();
                let changes: Vec<Change> = set.flat_map(|p| p.changes(program)).collect();
                prop_assert_ne!(holds(&program.changed(&changes), model), Some(false));
                report.lower_bound()
            }
            Outcome::Impossible { .. } => u64::MAX,
            Outcome::Undecided(_) => report.lower_bound(),
        };
        let single = (0..all.len()).map(|a| vec![a]);
        let pairs = (0..all.len()).flat_map(|a| (0..a).map(move |b| vec![a, b]));
        for set in single.chain(pairs).filter(|set| (set.len() as u64) < cost) {
            let changes: Vec<Change> = set.iter().flat_map(|&n| all[n].changes(program)).collect();
            prop_assert_ne!(
                holds(&program.changed(&changes), model),
                Some(true),
                "{}: {:?} suffices, and {} was said to be the least cost",
                model,
                set.iter().map(|&n| &all[n]).collect::<Vec<_>>(),
                cost
            );
        }
    }
    Ok(())
}

/// One configuration under SC: each thread's location and registers, and memory.
type World = (Vec<LocId>, Vec<Vec<i32>>, Vec<i32>);

/// The configurations after one step of some thread.
fn successors(program: &Program, (locations, registers, memory): &World) -> Vec<World> {
    let mut next = Vec::new();
    for thread in program.thread_ids() {
        let t = thread.index();
        let local = (locations[t], registers[t].clone(), memory.clone());
        for (loc, values, memory) in steps(program, thread, &local) {
            let mut world = (locations.clone(), registers.clone(), memory);
            world.0[t] = loc;
            world.1[t] = values;
            next.push(world);
        }
    }
    next
}

fn reachable(program: &Program, from: &World, most: usize) -> Option<BTreeSet<World>> {
    let mut reached = BTreeSet::from([from.clone()]);
    let mut work = vec![from.clone()];
    while let Some(world) = work.pop() {
        for next in successors(program, &world) {
            if reached.insert(next.clone()) {
                work.push(next);
            }
        }
        if reached.len() > most {
            return None;
        }
    }
    Some(reached)
}

/// Whether, by definition, the first thread starves under SC: in some reachable configuration it waits,
/// and in every configuration that is reachable from there, in the same loop. Requires a program
/// without `assume` and atomic blocks, and a first thread without loops inside loops. `None` if there
/// are too many configurations.
fn starves_by_definition(program: &Program) -> Option<bool> {
    let thread = ThreadId::from(0);
    let automaton = program.thread(thread);
    let first: World = (
        program.threads().iter().map(|t| t.entry()).collect(),
        program
            .threads()
            .iter()
            .map(|t| t.registers().iter().map(|r| r.init).collect())
            .collect(),
        program.initial_memory().to_vec(),
    );
    let leads_to = |from: LocId| {
        let mut reached = BTreeSet::new();
        let mut work = vec![from];
        while let Some(loc) = work.pop() {
            let targets = automaton.outgoing(loc).iter();
            for to in targets.map(|&instr| automaton.instruction(instr).to) {
                if reached.insert(to) {
                    work.push(to);
                }
            }
        }
        reached
    };
    let waits_in = |world: &World| {
        let (locations, registers, memory) = world.clone();
        let halt = Halt {
            locations,
            registers,
            memory,
        };
        waits(program, thread, &halt)
    };
    let all = reachable(program, &first, 1_500)?;
    Some(all.iter().any(|world| {
        let from_here = reachable(program, world, usize::MAX).expect("there is no limit");
        let same_loop = |a: LocId, b: LocId| leads_to(a).contains(&b) && leads_to(b).contains(&a);
        from_here
            .iter()
            .all(|other| waits_in(other) && same_loop(world.0[0], other.0[0]))
    }))
}

/// A thread that waits, beside threads that go on forever.
fn beside_servers() -> BoxedStrategy<Program> {
    let waiter = prop::collection::vec((0..2_i32, 0..6_u8), 1..=2).prop_map(|waits| {
        let wait = |&(value, form): &(i32, u8)| match form {
            0 => format!("await(x == {value});"),
            1 => format!("await(x != y); z = {value};"),
            2 => format!("while (cas(y, {value}, 1) != {value}) {{ }}"),
            3 => format!("while (y == {value}) {{ if (x == 1) {{ z = 1; }} }}"),
            4 => format!("do {{ r = x; }} while (r == {value});"),
            _ => format!("while (xchg(z, 1) == 1) {{ }} z = {value};"),
        };
        waits.iter().map(wait).collect::<Vec<_>>().join(" ")
    });
    let act = (
        prop_oneof![Just("x"), Just("y"), Just("z")],
        0..2_i32,
        0..7_u8,
    )
        .prop_map(|(cell, value, form)| match form {
            0 | 1 => format!("{cell} = {value};"),
            2 => format!("{cell} = 1; {cell} = 0;"),
            3 => format!("await({cell} == {value});"),
            4 => format!("if ({cell} == 1) {{ x = {value}; }}"),
            5 => format!("while (xchg({cell}, 1) == 1) {{ }} {cell} = 0;"),
            _ => format!("r = {cell}; y = r;"),
        });
    let body = prop::collection::vec(act, 1..=2).prop_map(|acts| acts.join(" "));
    let server = (body, 0..4_u8).prop_map(|(body, form)| match form {
        0 => body,
        _ => format!("loop {{ {body} }}"),
    });
    (waiter, prop::collection::vec(server, 1..=2))
        .prop_map(|(waiter, servers)| {
            let mut text = "shared x, y, z;\n".to_owned();
            for (number, body) in std::iter::once(&waiter).chain(&servers).enumerate() {
                text += &format!("thread t{number} {{ local r; {body} }}\n");
            }
            text += "forbid stuck t0;\n";
            let parsed = parse(&text);
            parsed
                .program
                .unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics))
        })
        .boxed()
}

fn starvation_is_right(program: &Program) -> Result<(), TestCaseError> {
    let Some(known) = starves_by_definition(program) else {
        return Ok(());
    };
    let options = CheckOptions::new(Model::Sc).until(Until::AllAnswered);
    let report = limit::within(STATES, |budget| check(program, &options, budget))
        .map_err(|defect| TestCaseError::fail(format!("{defect}\n{}", print(program))))?;
    let answers = report.answers().iter();
    for answer in answers.filter(|answer| answer.goal == last(program)) {
        if let Some(claimed) = claim(&answer.verdict) {
            prop_assert_eq!(claimed, known, "{}", print(program));
        }
    }
    Ok(())
}

fn drawn(runner: &mut TestRunner, from: BoxedStrategy<Program>) -> Program {
    let tree = from.new_tree(runner);
    tree.expect("nothing is rejected").current()
}

/// A law about programs that never wait would say nothing.
#[test]
fn the_programs_wait_in_different_ways() {
    let mut runner = TestRunner::deterministic();
    let (mut sequential, mut weak, mut complete) = (0, 0, 0);
    for _ in 0..300 {
        let program = drawn(&mut runner, program());
        let stuck = |model| stuck_halts(&program, model).is_some_and(|halts| !halts.is_empty());
        let is_sequential = stuck(Model::Sc);
        sequential += usize::from(is_sequential);
        weak += usize::from(!is_sequential && stuck(Model::Pso));
        complete += usize::from(Waits::of(&program).complete);
    }
    assert!(
        (60..240).contains(&sequential),
        "{sequential} are stuck under SC"
    );
    assert!(weak >= 15, "{weak} are stuck under PSO only");
    assert!(complete >= 200, "{complete} have an exact predicate");
    let mut starve = [0, 0];
    for _ in 0..100 {
        let program = drawn(&mut runner, beside_servers());
        if let Some(starves) = starves_by_definition(&program) {
            starve[usize::from(starves)] += 1;
        }
    }
    assert!(starve.iter().all(|&count| count >= 15), "{starve:?} starve");
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn engines_agree_with_the_definition(program in program()) {
        engines_agree(&program)?;
    }

    #[test]
    fn engines_agree_about_automata(automata in automata(7, Mix::Blocks)) {
        engines_agree(&forbidding(&automata))?;
    }

    #[test]
    fn robust_programs_wait_as_under_sc(program in program()) {
        robust_means_the_same(&program)?;
    }

    #[test]
    fn no_fewer_fences_suffice(program in program()) {
        fences_are_right(&program)?;
    }

    #[test]
    fn a_thread_starves_where_it_does_by_definition(program in beside_servers()) {
        starvation_is_right(&program)?;
    }
}
