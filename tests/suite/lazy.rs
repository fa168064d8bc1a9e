//! Lazy TSO reachability against its lemmas and against the other engines.
//!
//! The lemmas of the papers are checked with the step-by-step reference: an extension neither adds nor
//! removes configurations that are reachable under TSO (Lemma 1), no sequence is suggested twice
//! (Lemma 2), and the final extended program behaves under SC like the original one under TSO
//! (Theorem 3).

use crate::support::{config, meeting, random};
use config::config;
use fencepost::internals::check::{CheckOptions, CheckReport, Engine, Extension, Until, check};
use fencepost::internals::facts::{Loops, Values};
use fencepost::internals::lazy::{Emulation, End, Sequence};
use fencepost::internals::model::Model;
use fencepost::internals::reference::{Halt, explore_halts};
use fencepost::internals::robustness::{RobustOptions, robust};
use fencepost::internals::search::check_all;
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::parse;
use fencepost::program::{Goal, InstrId, Program, ThreadId, print};
use meeting::acyclic;
use proptest::prelude::*;
use random::{Kind, Shape, Stmt, sketch};
use std::collections::BTreeSet;

const STATES: usize = 30_000;

/// Everything that can be delayed, along paths of at most `longest` instructions.
fn sequences(program: &Program, longest: usize) -> Vec<Sequence> {
    let mut all = Vec::new();
    for thread in program.thread_ids() {
        let automaton = program.thread(thread);
        let mut work: Vec<Vec<InstrId>> = (0..automaton.instructions().len())
            .map(|instr| vec![InstrId::from(instr)])
            .collect();
        while let Some(path) = work.pop() {
            let last = automaton.instruction(path[path.len() - 1]);
            all.extend(Sequence::new(program, thread, path.clone()));
            let starts = automaton.instruction(path[0]).op.is_store();
            if starts && path.len() < longest && !last.op.drains() {
                let next = automaton.outgoing(last.to).iter();
                work.extend(next.map(|&instr| [path.as_slice(), &[instr]].concat()));
            }
        }
    }
    all
}

/// The halting configurations of the emulated program, computed from the emulating one; `None` if there
/// are too many configurations.
fn halts(emulation: &Emulation, emulated: &Program, model: Model) -> Option<BTreeSet<Halt>> {
    let budget = Budget::default().with_states(STATES);
    let (halts, incomplete) = explore_halts(emulation.program(), model, &budget);
    if incomplete.is_some() {
        return None;
    }
    let own = |halt: &Halt| {
        let mut threads = emulated.threads().iter().zip(&halt.locations);
        threads.all(|(thread, loc)| loc.index() < thread.locations().len())
    };
    let cut = |halt: Halt| {
        let threads = emulated.threads().iter().zip(halt.registers);
        let registers = threads.map(|(thread, mut values)| {
            values.truncate(thread.registers().len());
            values
        });
        let mut memory = halt.memory;
        memory.truncate(emulated.cell_count());
        Halt {
            registers: registers.collect(),
            memory,
            ..halt
        }
    };
    Some(halts.into_iter().filter(own).map(cut).collect())
}

/// The reachable goals of the emulated program; `None` if that takes too many states.
fn reached(emulation: &Emulation, emulated: &Program, model: Model) -> Option<Vec<Goal>> {
    let goals = emulated.goals();
    let images: Vec<(Goal, Goal)> = goals
        .into_iter()
        .flat_map(|goal| {
            emulation
                .images(goal)
                .into_iter()
                .map(move |image| (goal, image))
        })
        .collect();
    let goals_to_check: Vec<Goal> = images.iter().map(|&(_, image)| image).collect();
    let budget = Budget::default().with_states(STATES);
    let found = check_all(emulation.program(), model, &goals_to_check, &budget);
    let mut reached = BTreeSet::new();
    let open =
        |verdict: &Verdict<_>| matches!(verdict, Verdict::Unknown(_) | Verdict::HoldsWithin(_));
    if found.verdicts.iter().any(|(_, verdict)| open(verdict)) {
        return None;
    }
    for ((goal, _), (_, verdict)) in images.iter().zip(&found.verdicts) {
        if matches!(verdict, Verdict::Violated(_)) {
            reached.insert(*goal);
        }
    }
    Some(reached.into_iter().collect())
}

fn show(emulation: &Emulation, emulated: &Program, chosen: &[Sequence]) -> String {
    format!(
        "{chosen:?}\n{}\n{}",
        print(emulated),
        print(emulation.program())
    )
}

/// Lemma 1, also for sequences that are not needed, and for extensions of extensions.
fn extension_adds_and_removes_nothing(
    program: &Program,
    picks: &[Vec<prop::sample::Index>],
    extension: Extension,
) -> Result<(), TestCaseError> {
    prop_assume!(!program.has_barrier());
    let mut emulation = Emulation::of(program);
    let Some(before) = halts(&emulation, program, Model::Tso) else {
        return Err(TestCaseError::reject("too many configurations"));
    };
    let goals = reached(&emulation, program, Model::Tso);
    for picks in picks {
        let all = sequences(emulation.program(), 9);
        prop_assume!(!all.is_empty());
        let chosen: Vec<Sequence> = picks.iter().map(|pick| pick.get(&all).clone()).collect();
        emulation = emulation.extended(&chosen, extension);
        let Some(after) = halts(&emulation, program, Model::Tso) else {
            return Err(TestCaseError::reject("too many configurations"));
        };
        let (lost, added): (Vec<_>, Vec<_>) = (
            before.difference(&after).collect(),
            after.difference(&before).collect(),
        );
        prop_assert!(
            lost.is_empty() && added.is_empty(),
            "lost {lost:?}, added {added:?}\n{}",
            show(&emulation, program, &chosen)
        );
        if let (Some(goals), Some(now)) = (&goals, reached(&emulation, program, Model::Tso)) {
            prop_assert_eq!(goals, &now, "{}", show(&emulation, program, &chosen));
        }
    }
    Ok(())
}

fn picks() -> BoxedStrategy<Vec<Vec<prop::sample::Index>>> {
    let some = prop::collection::vec(any::<prop::sample::Index>(), 1..4);
    prop::collection::vec(some, 1..3).boxed()
}

fn ask(program: &Program, engine: Engine, extension: Extension) -> CheckReport {
    let options = CheckOptions::new(Model::Tso)
        .engine(engine)
        .until(Until::AllAnswered)
        .extension(extension)
        .unroll(Loops::in_program(program).then_some(2));
    let budget = Budget::default().with_states(STATES);
    check(program, &options, &budget).expect("evidence replays")
}

/// Checks that the second engine reaches no goal that the first one refutes. Returns how many answers of
/// the first are final.
fn agree(
    program: &Program,
    one: &CheckReport,
    other: &CheckReport,
) -> Result<usize, TestCaseError> {
    let mut decided = 0;
    let answers = |report: &CheckReport| {
        let all = report.answers().iter().chain(report.observations());
        all.cloned().collect::<Vec<_>>()
    };
    for (a, b) in answers(one).iter().zip(&answers(other)) {
        prop_assert_eq!(a.goal, b.goal);
        let wrong = match (&a.verdict, &b.verdict) {
            (Verdict::Holds, Verdict::Violated(_)) | (Verdict::Violated(_), Verdict::Holds) => true,
            // The other engine must not find a violation within the same bounds.
            (Verdict::HoldsWithin(bounds), Verdict::Violated(_)) => {
                other.engine() == Some(Engine::Bmc)
                    && !bounds.loops.is_empty()
                    && bounds
                        .loops
                        .iter()
                        .all(|cut| Some(cut.iterations) == other.unroll())
            }
            (_, _) => false,
        };
        prop_assert!(
            !wrong,
            "{:?}: {:?} {:?}\n{}",
            a.goal,
            a.verdict,
            b.verdict,
            print(program)
        );
        decided += usize::from(matches!(a.verdict, Verdict::Holds | Verdict::Violated(_)));
    }
    Ok(decided)
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn an_exact_extension_neither_adds_nor_removes_anything(
        sketch in prop_oneof![
            acyclic(5),
            sketch(Shape { fences: 1, ..Shape::ALL }),
            sketch(Shape { fences: 1, ..Shape::COUNTING }),
        ],
        picks in picks(),
    ) {
        extension_adds_and_removes_nothing(&sketch.build(), &picks, Extension::Exact)?;
    }

    #[test]
    fn an_amended_extension_neither_adds_nor_removes_anything(
        sketch in prop_oneof![acyclic(5), sketch(Shape { fences: 1, ..Shape::ALL })],
        picks in picks(),
    ) {
        extension_adds_and_removes_nothing(&sketch.build(), &picks, Extension::Amended)?;
    }

    /// With barriers, which check what the threads hold back, SC adds no behaviour and TSO loses
    /// none.
    #[test]
    fn barriers_wait_for_delayed_stores(
        sketch in acyclic(5),
        position in any::<prop::sample::Index>(),
        picks in picks(),
    ) {
        let thread = position.index(sketch.threads.len());
        let place = position.index(sketch.threads[thread].len() + 1);
        let sketch = sketch.with_insertion(thread, place, Stmt::Fence(Kind::All));
        let program = sketch.build();
        let values = Values::of(&program);
        let outside = program.sites().any(|(site, _)| values.addresses(&program, site).outside);
        prop_assume!(!outside);
        let mut emulation = Emulation::of(&program);
        let Some(allowed) = halts(&emulation, &program, Model::Tso) else {
            return Err(TestCaseError::reject("too many configurations"));
        };
        for picks in &picks {
            let all = sequences(emulation.program(), 9);
            prop_assume!(!all.is_empty());
            let chosen: Vec<Sequence> = picks.iter().map(|pick| pick.get(&all).clone()).collect();
            emulation = emulation.extended(&chosen, Extension::Exact);
            let show = || show(&emulation, &program, &chosen);
            if let Some(seen) = halts(&emulation, &program, Model::Sc) {
                prop_assert!(seen.is_subset(&allowed), "{}", show());
            }
            if let Some(kept) = halts(&emulation, &program, Model::Tso) {
                prop_assert!(allowed.is_subset(&kept), "{}", show());
            }
        }
    }

    /// Lemma 2 and Theorem 3: the loop terminates, and then SC suffices.
    #[test]
    fn the_final_program_under_sc_behaves_like_the_original_under_tso(sketch in acyclic(5)) {
        let program = sketch.build();
        prop_assume!(!program.has_barrier());
        let mut emulation = Emulation::of(&program);
        let Some(wanted) = halts(&emulation, &program, Model::Tso) else {
            return Err(TestCaseError::reject("too many configurations"));
        };
        let mut suggested: BTreeSet<(ThreadId, Vec<InstrId>)> = BTreeSet::new();
        let mut projected = BTreeSet::new();
        for _ in 0..40 {
            let report = robust(
                emulation.program(),
                &RobustOptions::new(Model::Tso),
                &Budget::default(),
            );
            let report = report.expect("witnesses replay");
            let mut fresh: Vec<Sequence> = report
                .feasible()
                .map(|(attack, run)| {
                    Sequence::delayed(emulation.program(), run, attack.thread)
                        .expect("a witness delays a path")
                })
                .collect();
            fresh.sort();
            fresh.dedup();
            if fresh.is_empty() {
                prop_assert!(matches!(report.verdict(), Verdict::Holds));
                break;
            }
            for sequence in &fresh {
                let (thread, instrs) = (sequence.thread(), sequence.instrs().to_vec());
                let own = instrs[0].index() < program.thread(thread).instructions().len();
                prop_assert!(
                    suggested.insert((thread, instrs)),
                    "{}",
                    show(&emulation, &program, &fresh)
                );
                // Stores that were already delayed no longer have a place in the program.
                if own {
                    prop_assert!(
                        projected.insert(sequence.projected(&emulation)),
                        "{}",
                        show(&emulation, &program, &fresh)
                    );
                }
            }
            emulation = emulation.extended(&fresh, Extension::Exact);
        }
        if let Some(found) = halts(&emulation, &program, Model::Sc) {
            prop_assert_eq!(found, wanted, "{}", show(&emulation, &program, &[]));
        }
    }

    #[test]
    fn engines_agree_on_programs_without_loops(sketch in acyclic(6)) {
        let program = sketch.build();
        let lazy = ask(&program, Engine::Lazy, Extension::Exact);
        let decided = agree(&program, &lazy, &ask(&program, Engine::Bmc, Extension::Exact))?;
        if !program.has_barrier() {
            prop_assert_eq!(decided, program.goals().len(), "{}", print(&program));
        }
        agree(&program, &lazy, &ask(&program, Engine::Explicit, Extension::Exact))?;
    }

    #[test]
    fn engines_agree_on_programs_with_loops(
        sketch in prop_oneof![sketch(Shape::ALL), sketch(Shape::COUNTING)],
        extension in prop_oneof![Just(Extension::Exact), Just(Extension::Amended)],
    ) {
        let program = sketch.build();
        let lazy = ask(&program, Engine::Lazy, extension);
        let bounded = ask(&program, Engine::Bmc, extension);
        agree(&program, &lazy, &bounded)?;
        let explicit = ask(&program, Engine::Explicit, extension);
        agree(&program, &lazy, &explicit)?;
        let automatic = ask(&program, Engine::Auto, extension);
        agree(&program, &automatic, &explicit)?;
        agree(&program, &automatic, &lazy)?;
    }
}

/// A corpus file's program.
fn corpus(name: &str) -> Program {
    let path = format!("{}/corpus/{name}.fence", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("a corpus file");
    parse(&text).program.expect("a corpus file has a program")
}

fn decided(name: &str, engine: Engine) -> CheckReport {
    let options = CheckOptions::new(Model::Tso).engine(engine);
    check(&corpus(name), &options, &Budget::default()).expect("evidence replays")
}

/// [BCDM15, Fig. 6]: at most two rounds, whatever the goal.
#[test]
fn two_rounds_are_enough_for_the_programs_of_the_paper() {
    for (name, reached) in [
        ("parker", true),
        ("peterson", true),
        ("dekker", true),
        ("lamport", true),
        ("mcs", false),
        ("clh", false),
        ("lock-free-stack", false),
    ] {
        let report = decided(&format!("table2/{name}"), Engine::Lazy);
        let violated = matches!(report.verdict(), Verdict::Violated(_));
        let holds = matches!(report.verdict(), Verdict::Holds);
        assert!(if reached { violated } else { holds }, "{name}");
        let history = report.history().expect("the lazy engine answered");
        assert_eq!(history.attempts.len(), 1, "{name}");
        assert!(history.attempts[0].rounds.len() <= 2, "{name}: {history:?}");
    }
}

/// [BCDM15, Figs. 8 and 9]: the number of queries does not depend on the size.
#[test]
fn larger_diamonds_and_loops_need_no_more_queries() {
    let questions = |name: &str| {
        let report = decided(&format!("papers/bcdm15-{name}"), Engine::Lazy);
        assert!(matches!(report.verdict(), Verdict::Violated(_)), "{name}");
        report
            .history()
            .expect("the lazy engine answered")
            .questions()
    };
    assert_eq!(questions("fig8-diamond-2"), questions("fig8-diamond-5"));
    assert_eq!(questions("fig9-loop-3"), questions("fig9-loop-4"));
}

/// An unbounded buffer does not matter if no load overtakes its stores.
#[test]
fn a_robust_program_with_unbounded_buffers_is_decided() {
    for (name, rounds) in [("beacon", 1), ("beacon-and-greeting", 2)] {
        let name = &format!("structures/{name}");
        // Static arguments are enough for the first one, so `auto` need not ask the lazy engine.
        let auto = decided(name, Engine::Auto);
        assert!(matches!(auto.verdict(), Verdict::Holds), "{name}");
        let report = decided(name, Engine::Lazy);
        assert!(matches!(report.verdict(), Verdict::Holds), "{name}");
        assert_eq!(report.engine(), Some(Engine::Lazy), "{name}");
        let history = report.history().expect("the lazy engine answered");
        let last = history.last().expect("an attempt");
        assert_eq!(last.rounds.len(), rounds, "{name}");
        assert_eq!(last.end, End::Robust, "{name}");
    }
}

/// [BCDM15, Fig. 12]: a safe program with unbounded delays.
#[test]
fn a_procedure_that_does_not_terminate_is_not_a_proof() {
    let name = "papers/bcdm15-fig12-safe";
    let program = corpus(name);
    let options = CheckOptions::new(Model::Tso).engine(Engine::Lazy).unroll(2);
    let report = check(&program, &options, &Budget::default()).expect("evidence replays");
    assert!(
        matches!(report.verdict(), Verdict::HoldsWithin(_)),
        "{:?}",
        report.verdict()
    );
    assert!(matches!(
        decided(name, Engine::Auto).verdict(),
        Verdict::Holds
    ));
}

/// Regressions: each of these was an internal error or an incorrect bound.
#[test]
fn places_and_bounds_are_those_of_the_program_as_given() {
    for name in ["never-anywhere-else", "before-or-after-the-barrier"] {
        let options = CheckOptions::new(Model::Tso).engine(Engine::Lazy).unroll(4);
        let program = corpus(&format!("regress/{name}"));
        let report = check(&program, &options, &Budget::default()).expect("evidence replays");
        let violated = matches!(report.verdict(), Verdict::Violated(_));
        assert!(!violated, "{name}: {:?}", report.verdict());
    }
    let options = CheckOptions::new(Model::Tso).engine(Engine::Lazy).unroll(2);
    let program = corpus("regress/two-loops-in-a-row");
    let report = check(&program, &options, &Budget::default()).expect("evidence replays");
    assert!(
        matches!(report.verdict(), Verdict::Violated(_)),
        "{:?}",
        report.verdict()
    );
}
