//! Programs whose threads wait, at random, and the definition of waiting, applied to them.
//!
//! The programs are written as text, with the statements that wait in practice: `await`, loops that
//! spin on a load, on a failed compare-and-swap or on a lock, loops in which a thread also stores,
//! counts or chooses, waits inside atomic blocks, and executions that an `assume` ends.

use fencepost::internals::formats::parse;
use fencepost::internals::reference::Halt;
use fencepost::program::{Expr, LocId, Op, Program, RegId, Thread, ThreadId};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A statement: about two cells, a lock and a register, with small values.
fn statement() -> BoxedStrategy<String> {
    let cell = prop_oneof![Just("x"), Just("y"), Just("z")];
    let simple = (cell, 0..2_i32, 0..12_u8).prop_map(|(cell, value, form)| match form {
        0..=2 => format!("{cell} = {value};"),
        10 => format!("r = {cell};"),
        3 => format!("{cell} = r;"),
        4 => "fence;".to_owned(),
        5 => format!("r = xchg({cell}, {value});"),
        6 => format!("{cell} = {};", 1 - value),
        7 => format!("assume(r == {value});"),
        8 => "r = nondet(0, 1);".to_owned(),
        9 => format!("r = fetch_add({cell}, {value});"),
        _ => "fence store;".to_owned(),
    });
    let cell = prop_oneof![Just("x"), Just("y"), Just("z")];
    let wait =
        (cell.clone(), cell, 0..2_i32, 0..18_u8).prop_map(|(a, b, value, form)| match form {
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
            16 => format!("while ({a} == {value}) {{ q = 1 - q; }}"),
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

/// The body of a thread with a register `r` and a register `q`.
pub fn thread(longest: usize) -> BoxedStrategy<String> {
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
pub fn program() -> BoxedStrategy<Program> {
    prop_oneof![
        3 => prop::collection::vec(thread(4), 2..=2),
        1 => prop::collection::vec(thread(3), 3..=3),
        4 => handshake(),
    ]
    .prop_map(|threads| {
        let mut text = "shared x, y, z;\n".to_owned();
        for (number, body) in threads.iter().enumerate() {
            let _ = writeln!(text, "thread t{number} {{ local r; local q; {body} }}");
        }
        text += "forbid stuck;\n";
        let parsed = parse(&text);
        parsed
            .program
            .unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics))
    })
    .boxed()
}

/// A program in which waiting is forbidden where something else holds: of memory, or of registers, which
/// threads may set before they come to where they wait.
pub fn conditional() -> BoxedStrategy<Program> {
    let first = prop_oneof![
        1 => Just(""),
        2 => Just("q = 1;"),
        1 => Just("r = 1; q = 1;"),
        1 => Just("q = x;"),
    ];
    let condition = prop_oneof![
        (0..2_u8, prop_oneof![Just("r"), Just("q")], 0..2_i32)
            .prop_map(|(thread, register, value)| format!("t{thread}.{register} == {value}")),
        (prop_oneof![Just("x"), Just("y"), Just("z")], 0..2_i32)
            .prop_map(|(cell, value)| format!("{cell} == {value}")),
        (0..2_u8, 0..2_i32).prop_map(|(thread, value)| format!("t{thread}.q != x + {value}")),
    ];
    let body = (first, thread(3)).prop_map(|(first, rest)| format!("{first} {rest}"));
    (prop::collection::vec(body, 2..=2), condition)
        .prop_map(|(threads, condition)| {
            let mut text = "shared x, y, z;\n".to_owned();
            for (number, body) in threads.iter().enumerate() {
                let _ = writeln!(text, "thread t{number} {{ local r; local q; {body} }}");
            }
            let _ = writeln!(text, "forbid stuck && {condition};");
            let parsed = parse(&text);
            parsed
                .program
                .unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics))
        })
        .boxed()
}

/// A thread that waits, beside threads that go on forever.
pub fn beside_servers() -> BoxedStrategy<Program> {
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
                let _ = writeln!(text, "thread t{number} {{ local r; {body} }}");
            }
            text += "forbid stuck t0;\n";
            let parsed = parse(&text);
            parsed
                .program
                .unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics))
        })
        .boxed()
}

/// A thread alone: its location, registers, and memory.
type Local = (LocId, Vec<i32>, Vec<i32>);

/// One step of a thread alone, each store at once in memory; `None` if there are too many.
fn steps(program: &Program, thread: ThreadId, (loc, registers, memory): &Local) -> Vec<Local> {
    let automaton = program.thread(thread);
    let mut next = Vec::new();
    for &instr in automaton.outgoing(*loc) {
        let instruction = automaton.instruction(instr);
        let value = |e: &Expr<_>| e.eval(|reg: RegId| registers[reg.index()]);
        let (mut after, mut stored) = (registers.clone(), memory.clone());
        let mut push = |registers: &Vec<i32>, memory: &Vec<i32>| {
            next.push((instruction.to, registers.clone(), memory.clone()));
        };
        match &instruction.op {
            Op::Skip
            | Op::Assert(_)
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd => {
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

/// A thread that has more states than this while it runs alone is not examined.
const MOST_ALONE: usize = 5_000;

/// Whether a thread waits, by definition: alone it never ends, never leaves another memory outside of
/// atomic blocks, and has a path of any length.
pub fn waits(program: &Program, thread: ThreadId, halt: &Halt) -> Option<bool> {
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
            return Some(false);
        }
        if reached.len() > MOST_ALONE {
            return None;
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
    Some(!ends.is_empty())
}

/// Whether a configuration is stuck, by definition; `None` if some thread has too many states.
pub fn is_stuck(program: &Program, halt: &Halt) -> Option<bool> {
    let ended = |thread: ThreadId| {
        let loc = halt.locations[thread.index()];
        program.thread(thread).is_end(loc)
    };
    let open: Vec<ThreadId> = program.thread_ids().filter(|&t| !ended(t)).collect();
    let mut stuck = !open.is_empty();
    for thread in open {
        stuck &= waits(program, thread, halt)?;
    }
    Some(stuck)
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
pub fn starves_by_definition(program: &Program) -> Option<bool> {
    let thread = ThreadId::from(0);
    let automaton = program.thread(thread);
    let first: World = (
        program.threads().iter().map(Thread::entry).collect(),
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
        waits(program, thread, &halt) == Some(true)
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

/// A thread that announces that it sleeps, and one that wakes it up if it sees that: what a missing fence breaks. The
/// sleeper may count in the loop where it waits, which is no predicate; it may be the only one that waits forever.
pub fn wake_ups() -> BoxedStrategy<Program> {
    let announce = prop_oneof![
        3 => Just("x = 1;"),
        1 => Just("x = 1; fence;"),
        1 => Just("w = 1; x = 1;"),
        1 => Just("r = xchg(x, 1);"),
    ];
    let sleep = prop_oneof![
        Just("await(z == 1);"),
        Just("while (z == 0) { r = r + 1; }"),
        Just("r = 0; while (r < 3) { r = r + z; }"),
        Just("r = 1; while (z == 0) { r = 1 - r; }"),
        Just("while (z == 0) { w = 1; }"),
        Just("while (xchg(z, 0) == 0) { r = r + 1; }"),
    ];
    let asleep = (announce, sleep, 0..3_u8).prop_map(|(announce, sleep, form)| match form {
        0 => format!("{announce} if (y == 0) {{ {sleep} }}"),
        1 => format!("{announce} r = y; if (r == 0) {{ {sleep} }}"),
        _ => format!("{announce} {sleep}"),
    });
    let wake = prop_oneof![
        Just("if (x == 1) { z = 1; }"),
        Just("r = x; z = r;"),
        Just("while (x == w) { } z = 1;"),
        Just("z = 1;"),
    ];
    let waker = (wake, 0..4_u8).prop_map(|(wake, form)| match form {
        0 => format!("y = 1; r = w; {wake}"),
        1 => format!("y = 1; fence; {wake}"),
        _ => format!("y = 1; {wake}"),
    });
    let others = prop_oneof![
        4 => Just(("", "forbid stuck;")),
        2 => Just(("", "forbid stuck t0;")),
        1 => Just(("", "forbid stuck && y == 1;")),
        1 => Just(("", "forbid stuck && t0.r != 0;")),
        2 => Just(("thread t2 { local r; loop { r = xchg(w, 1); r = xchg(w, 0); } }", "forbid stuck t0;")),
        1 => Just(("thread t2 { local r; v = 1; r = x; await(v == 1); }", "forbid stuck;")),
    ];
    (asleep, waker, others)
        .prop_map(|(asleep, waker, (other, property))| {
            let text = format!(
                "shared v, w, x, y, z;\nthread t0 {{ local r; {asleep} }}\nthread t1 {{ local r; {waker} }}\n\
                 {other}\n{property}\n"
            );
            let parsed = parse(&text);
            parsed
                .program
                .unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics))
        })
        .boxed()
}
