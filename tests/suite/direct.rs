//! The direct search for happens-before cycles, against small programs with known attacks, the corpus,
//! and an enumeration of witnesses.

use crate::support::{config, random, witnesses};
use config::config;
use fencepost::internals::encode::{Delay, Plan, Switch};
use fencepost::internals::facts::LoopId;
use fencepost::internals::model::Model;
use fencepost::internals::reach::{Acyclicity, CycleAnswer, Method, Reach};
use fencepost::internals::verdict::Budget;
use fencepost::parse;
use fencepost::program::{FenceKind, FencePoint, InstrId, Op, Program, Site, ThreadId};
use proptest::prelude::*;
use random::{Shape, sketch};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use witnesses::{check_witness, feasible_attacks};

type Attack = (ThreadId, InstrId, InstrId);

/// The maximum number of steps in a search for witnesses.
const STEPS: usize = 60_000;

fn program(text: &str) -> Program {
    let parsed = parse(text);
    parsed
        .program
        .unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics))
}

/// The pairs of a store and a later candidate for the last action, all in one thread.
fn pairs(program: &Program, model: Model, thread: ThreadId) -> Vec<(InstrId, InstrId)> {
    let of_kind = |wanted: fn(&Op) -> bool| -> Vec<InstrId> {
        let sites = program.sites().filter(|(site, instruction)| {
            let atomic = |loc| program.thread(thread).location(loc).atomic;
            site.thread == thread && !atomic(instruction.from) && wanted(&instruction.op)
        });
        sites.map(|(site, _)| site.instr).collect()
    };
    let stores = of_kind(|op| matches!(op, Op::Store { .. }));
    let lasts = if model.relaxes_store_store() {
        of_kind(|op| matches!(op, Op::Store { .. } | Op::Load { .. }))
    } else {
        of_kind(|op| matches!(op, Op::Load { .. }))
    };
    stores
        .iter()
        .flat_map(|&store| lasts.iter().map(move |&last| (store, last)))
        .collect()
}

fn plan(program: &Program, model: Model, thread: ThreadId) -> Plan {
    let mut plan = Plan::new(Vec::new(), model);
    plan.delay = Some(Delay {
        thread,
        pairs: pairs(program, model, thread),
    });
    plan
}

/// The pair found, or if there is none, whether that depends on a loop bound.
fn ask(
    reach: &mut Reach<'_>,
    thread: ThreadId,
    among: &[(InstrId, InstrId)],
    on: &[Switch],
) -> Result<(InstrId, InstrId), bool> {
    match reach.ask_cycle(among, on) {
        Ok(CycleAnswer::Closed { store, last, run }) => {
            assert!(among.contains(&(store, last)));
            if on.is_empty()
                && let Err(reason) = check_witness(&run, thread, store, last)
            {
                // Before the delayed stores reach memory, other threads may do more than (W3) allows.
                assert!(reason.contains("W3"), "{reason}\n{run:#?}");
            }
            Ok((store, last))
        }
        Ok(CycleAnswer::Open(core)) => Err(!frontier(&core).is_empty()),
        Err(error) => panic!("{error}"),
    }
}

/// The loops whose bounds are in the core.
fn frontier(core: &[Switch]) -> Vec<(ThreadId, LoopId)> {
    core.iter()
        .filter_map(|switch| match switch {
            Switch::Frontier(thread, id) => Some((*thread, *id)),
            Switch::KeepStoreLoad
            | Switch::KeepStoreStore
            | Switch::Order(..)
            | Switch::AtMost(_)
            | Switch::Fence(_) => None,
        })
        .collect()
}

/// The feasible attacks, with a separate query for each; requires that no answer depends on a bound.
fn attacks(program: &Program, model: Model, returns: u32, method: Method) -> BTreeSet<Attack> {
    let mut found = BTreeSet::new();
    for thread in program.thread_ids() {
        let mut plan = plan(program, model, thread);
        plan.returns = returns;
        let among = plan.delay.as_ref().expect("it has one").pairs.clone();
        let mut reach = Reach::open(program, plan, method, &Budget::default());
        let any = ask(&mut reach, thread, &among, &[]);
        for &(store, last) in &among {
            if ask(&mut reach, thread, &[(store, last)], &[]).is_ok() {
                found.insert((thread, store, last));
            }
        }
        assert_eq!(any.is_ok(), found.iter().any(|attack| attack.0 == thread));
        if let Ok((store, last)) = any {
            assert!(found.contains(&(thread, store, last)));
        }
    }
    found
}

fn default_attacks(text: &str, model: Model) -> Vec<(u32, u32, u32)> {
    let program = program(text);
    attacks(&program, model, 1, Method::default())
        .into_iter()
        .map(|(thread, store, last)| (thread.0, store.0, last.0))
        .collect()
}

const SB: &str = "shared x, y;
    thread t0 { local r; x = 1; r = y; }
    thread t1 { local r; y = 1; r = x; }";
const MP: &str = "shared data, flag;
    thread t0 { data = 1; flag = 1; }
    thread t1 { local p, r; p = flag; r = data; }";

#[test]
fn store_buffering_has_an_attack_on_each_side() {
    for model in [Model::Tso, Model::Pso, Model::Pgas] {
        assert_eq!(default_attacks(SB, model), [(0, 0, 1), (1, 0, 1)]);
    }
    assert_eq!(default_attacks(SB, Model::Sc), []);
}

#[test]
fn message_passing_has_an_attack_where_stores_overtake_each_other() {
    assert_eq!(default_attacks(MP, Model::Tso), []);
    assert_eq!(default_attacks(MP, Model::Pso), [(0, 0, 1)]);
    assert_eq!(default_attacks(MP, Model::Pgas), [(0, 0, 1)]);
}

#[test]
fn draining_the_buffer_in_between_leaves_no_attack() {
    for drain in ["fence;", "xchg(z, 1);", "atomic { z = 1; }", "barrier all;"] {
        let text = format!(
            "shared x, y, z;
            thread t0 {{ local r; x = 1; {drain} r = y; }}
            thread t1 {{ local r; y = 1; {drain} r = x; }}"
        );
        for model in [Model::Tso, Model::Pso, Model::Pgas] {
            assert_eq!(default_attacks(&text, model), [], "{model}: {drain}");
        }
    }
}

#[test]
fn a_barrier_of_another_thread_suffices() {
    let text = "shared x, y;
        thread t0 { local r; x = 1; r = y; }
        thread t1 { local r; y = 1; barrier all; r = x; }";
    for model in [Model::Tso, Model::Pso, Model::Pgas] {
        assert_eq!(default_attacks(text, model), [], "{model}");
    }
}

#[test]
fn no_thread_has_to_pass_a_waiting_barrier() {
    let text = "shared x, y;
        thread t0 { local r; x = 1; r = y; }
        thread t1 { local r; y = 1; r = x; barrier all; }";
    assert_eq!(default_attacks(text, Model::Tso), [(0, 0, 1), (1, 0, 1)]);
}

#[test]
fn a_lightweight_fence_delays_later_stores() {
    for (fence, held) in [
        ("fence store;", true),
        ("fence(x);", true),
        ("fence(y);", false),
    ] {
        let text = format!(
            "shared x, y;
            thread t0 {{ x = 1; {fence} y = 1; }}
            thread t1 {{ local p, r; p = y; r = x; }}"
        );
        for model in [Model::Pso, Model::Pgas] {
            let expected: &[_] = if held { &[] } else { &[(0, 0, 2)] };
            assert_eq!(default_attacks(&text, model), expected, "{model}: {fence}");
        }
    }
}

#[test]
fn an_early_load_is_not_a_last_action() {
    let text = "shared x, y;
        thread t0 { local r, s; x = 1; r = x; s = y; }
        thread t1 { local r; y = 1; r = x; }";
    assert_eq!(default_attacks(text, Model::Tso), [(0, 0, 2), (1, 0, 1)]);
}

#[test]
fn a_block_depends_as_a_whole() {
    // The load of x precedes the store to y in the block, but happens after t0's load of y.
    let text = "shared x, y;
        thread t0 { local r; x = 1; r = y; }
        thread t1 { local r; atomic { r = x; y = 1; } }";
    assert_eq!(default_attacks(text, Model::Tso), [(0, 0, 1)]);
    let apart = text.replace("atomic { r = x; y = 1; }", "r = x; y = 1;");
    assert_eq!(default_attacks(&apart, Model::Tso), []);
}

#[test]
fn happens_before_passes_through_several_threads() {
    let text = "shared x, y, z;
        thread t0 { local r; x = 1; r = y; }
        thread t1 { y = 1; z = 1; }
        thread t2 { local r, s; r = z; s = x; }";
    assert_eq!(default_attacks(text, Model::Tso), [(0, 0, 1)]);
}

#[test]
fn the_first_delayed_store_need_not_be_the_nearest() {
    let text = "shared x, y, z;
        thread t0 { local r; x = 1; z = 1; r = y; }
        thread t1 { local r; y = 1; r = x; }";
    assert_eq!(default_attacks(text, Model::Tso), [(0, 0, 2), (1, 0, 1)]);
}

#[test]
fn a_cycle_after_some_iterations_is_found_when_the_bound_allows_them() {
    let text = "shared x, y;
        thread t0 { local r, i; while (i < 3) { i = i + 1; } x = 1; r = y; }
        thread t1 { local r; y = 1; r = x; }";
    let program = program(text);
    let thread = ThreadId(0);
    let plan = plan(&program, Model::Tso, thread);
    let among = plan.delay.as_ref().expect("it has one").pairs.clone();
    let mut reach = Reach::open(&program, plan, Method::default(), &Budget::default());
    let mut bounds = 0;
    loop {
        match reach.ask_cycle(&among, &[]).expect("it replays") {
            CycleAnswer::Closed { .. } => break,
            CycleAnswer::Open(core) => {
                let loops = frontier(&core);
                assert!(!loops.is_empty(), "the loop was not to blame");
                reach.deepen(&loops, 1);
                bounds += 1;
            }
        }
    }
    assert_eq!(bounds, 2);
}

#[test]
fn a_loop_unrelated_to_the_cycle_needs_no_bound() {
    let text = "shared x, y, z;
        thread t0 { local r; x = 1; fence; r = y; }
        thread t1 { local r; y = 1; while (r == 0) { r = z; } z = 1; }";
    let program = program(text);
    let thread = ThreadId(0);
    let plan = plan(&program, Model::Tso, thread);
    let among = plan.delay.as_ref().expect("it has one").pairs.clone();
    let mut reach = Reach::open(&program, plan, Method::default(), &Budget::default());
    assert_eq!(ask(&mut reach, thread, &among, &[]), Err(false));
}

#[test]
fn an_enabled_fence_switch_removes_the_attack() {
    let program = program(SB);
    let thread = ThreadId(0);
    let load = program.instruction(Site {
        thread,
        instr: InstrId(1),
    });
    let point = FencePoint {
        thread,
        loc: load.from,
        kind: FenceKind::Full,
    };
    let mut plan = plan(&program, Model::Tso, thread);
    plan.fences.push(point.clone());
    let among = plan.delay.as_ref().expect("it has one").pairs.clone();
    let mut reach = Reach::open(&program, plan, Method::default(), &Budget::default());
    assert!(ask(&mut reach, thread, &among, &[]).is_ok());
    let on = Switch::Fence(point);
    let answer = reach.ask_cycle(&among, std::slice::from_ref(&on));
    assert_eq!(answer, Ok(CycleAnswer::Open(vec![on])));
}

fn ring(n: u32, drain: &str) -> String {
    let mut text = format!("shared x[{n}];\n");
    for i in 0..n {
        let next = (i + 1) % n;
        let _ = writeln!(
            text,
            "thread t{i} {{ local r; x[{i}] = 1; {drain} r = x[{next}]; }}"
        );
    }
    text
}

/// Store buffering with a sequence of branches, each of which stores to its own cell.
fn diamonds(n: u32, drain: &str) -> String {
    let mut text = format!("shared x, y, d[{n}];\nthread t0 {{ local r; x = 1;\n");
    for i in 0..n {
        let _ = writeln!(
            text,
            "r = d[{i}]; if (r == 0) {{ d[{i}] = 1; }} else {{ d[{i}] = 2; }}"
        );
    }
    text + drain + "r = y; }\nthread t1 { local r; y = 1; r = x; }\n"
}

#[test]
fn rings_and_sequences_of_branches_need_at_most_their_length() {
    for family in [ring, diamonds] {
        for (drain, closed) in [("", true), ("fence;", false)] {
            let mut clauses = Vec::new();
            for n in [25, 50, 100] {
                let program = program(&family(n, drain));
                let thread = ThreadId(0);
                let plan = plan(&program, Model::Tso, thread);
                let among = plan.delay.as_ref().expect("it has one").pairs.clone();
                let (store, last) = (among[0].0, among[among.len() - 1].1);
                let mut reach = Reach::open(&program, plan, Method::default(), &Budget::default());
                let claim = ask(&mut reach, thread, &[(store, last)], &[]);
                assert_eq!(
                    claim,
                    if closed {
                        Ok((store, last))
                    } else {
                        Err(false)
                    }
                );
                clauses.push(reach.effort().clauses);
            }
            assert!(clauses[1] < 3 * clauses[0], "{clauses:?}");
            assert!(clauses[2] < 3 * clauses[1], "{clauses:?}");
        }
    }
}

#[test]
fn the_corpus_is_robust_where_it_says_so() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/litmus");
    let mut files: Vec<_> = fs::read_dir(directory)
        .expect("the corpus can be read")
        .map(|entry| entry.expect("entries can be read").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "fence"))
        .collect();
    files.sort();
    let mut compared = 0;
    for file in files {
        let text = fs::read_to_string(&file).expect("the corpus can be read");
        for line in text.lines() {
            let Some((model, robust)) = line
                .strip_prefix("//: robust ")
                .and_then(|rest| rest.split_once(' '))
            else {
                continue;
            };
            let (Ok(model), "yes" | "no") = (model.parse(), robust) else {
                continue;
            };
            let found = attacks(&program(&text), model, 2, Method::default());
            assert_eq!(
                found.is_empty(),
                robust == "yes",
                "{model} {}",
                file.display()
            );
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

/// Compares a method with the enumeration of witnesses.
fn agrees(program: &Program, model: Model, method: Method) -> Result<(), TestCaseError> {
    let expected = feasible_attacks(program, model, STEPS);
    prop_assume!(expected.is_some());
    let found = attacks(program, model, 1, method);
    let expected = expected.unwrap_or_default();
    prop_assert_eq!(
        found,
        expected,
        "{}\n{}",
        model,
        fencepost::program::print(program)
    );
    Ok(())
}

proptest! {
    #![proptest_config(config(120))]
    #[test]
    fn under_tso_attacks_are_those_with_witnesses(sketch in sketch(Shape { words: 0, ..Shape::ACYCLIC })) {
        agrees(&sketch.build(), Model::Tso, Method::default())?;
    }

    #[test]
    fn under_pso_attacks_are_those_with_witnesses(sketch in sketch(Shape { words: 0, ..Shape::ACYCLIC })) {
        agrees(&sketch.build(), Model::Pso, Method::default())?;
    }

    #[test]
    fn under_pgas_attacks_are_those_with_witnesses(sketch in sketch(Shape { words: 0, ..Shape::ACYCLIC })) {
        agrees(&sketch.build(), Model::Pgas, Method::default())?;
    }
}

proptest! {
    #![proptest_config(config(30))]
    #[test]
    fn no_encoding_of_acyclicity_changes_an_answer(
        sketch in sketch(Shape { words: 0, ..Shape::ACYCLIC }),
        clock in any::<bool>(),
    ) {
        let acyclicity = if clock { Acyclicity::Clock } else { Acyclicity::Transitive };
        let method = Method { acyclicity, ..Method::default() };
        agrees(&sketch.build(), Model::Pso, method)?;
    }
}

/// The maximum number of iterations of any loop in a random program.
const MOST_RETURNS: u32 = 3;

/// The answers for all pairs, with bounds that are raised as long as the answers depend on them.
fn deepened(program: &Program, model: Model) -> BTreeSet<Attack> {
    let mut found = BTreeSet::new();
    for thread in program.thread_ids() {
        let mut plan = plan(program, model, thread);
        plan.returns = 0;
        let among = plan.delay.as_ref().expect("it has one").pairs.clone();
        let mut reach = Reach::open(program, plan, Method::default(), &Budget::default());
        for (store, last) in among {
            loop {
                match reach.ask_cycle(&[(store, last)], &[]).expect("it replays") {
                    CycleAnswer::Closed { .. } => {
                        found.insert((thread, store, last));
                        break;
                    }
                    CycleAnswer::Open(core) => {
                        let loops = frontier(&core);
                        // No loop has more iterations. Still, a core may always name a loop whose further
                        // iterations are possible only because another loop exceeds its bound.
                        let spent = |&(thread, id): &_| reach.returns(thread, id) > MOST_RETURNS;
                        if loops.iter().all(spent) {
                            break;
                        }
                        reach.deepen(&loops, 1);
                    }
                }
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(config(60))]
    #[test]
    fn terminating_loops_are_unrolled_completely(
        sketch in sketch(Shape { loops: 0, words: 0, ..Shape::COUNTING }),
        model in prop_oneof![Just(Model::Tso), Just(Model::Pso), Just(Model::Pgas)],
    ) {
        let program = sketch.build();
        let expected = feasible_attacks(&program, model, STEPS);
        prop_assume!(expected.is_some());
        let found = deepened(&program, model);
        let expected = expected.unwrap_or_default();
        prop_assert_eq!(found, expected, "{}\n{}", model, fencepost::program::print(&program));
    }
}
