//! Waiting forever: the definition, applied here to each configuration, against all engines.

use crate::support::{automata, config, limit, waiting};
use automata::{Automata, Mix, automata};
use config::config;
use fencepost::internals::check::{CheckOptions, Engine, Until, check};
use fencepost::internals::facts::Waits;
use fencepost::internals::fences::{FenceOptions, Outcome, cheapest_fences};
use fencepost::internals::formats::{Format, ParseOptions, parse, parse_with};
use fencepost::internals::model::Model;
use fencepost::internals::reference::{Halt, explore_halts, waiters};
use fencepost::internals::robustness::{RobustOptions, robust};
use fencepost::internals::search::{Reduction, check_all_with};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{
    Aim, Change, Expr, FenceKind, FencePoint, Goal, LocId, Observable, Origin, Program, Property,
    PropertyKind, ThreadId, print,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use std::collections::BTreeSet;
use waiting::{
    beside_servers, conditional, is_stuck, program, starves_by_definition, waits, wake_ups,
};

const BUFFERED: [Model; 3] = [Model::Tso, Model::Pso, Model::Pgas];
const STATES: usize = 6_000;

fn budget() -> Budget {
    Budget::default().with_states(STATES)
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

/// The claim of a verdict: reachable, unreachable, or nothing.
fn claim<W>(verdict: &Verdict<W>) -> Option<bool> {
    match verdict {
        Verdict::Violated(_) => Some(true),
        Verdict::Holds => Some(false),
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
    }
}

/// Each configuration, with whether it is stuck; `None` if that is not known of one.
fn judged(program: &Program, halts: BTreeSet<Halt>) -> Option<Vec<(Halt, bool)>> {
    let judge = |halt: Halt| is_stuck(program, &halt).map(|stuck| (halt, stuck));
    halts.into_iter().map(judge).collect()
}

/// All engines agree with the definition, and the predicate is exact where it says so.
fn engines_agree(program: &Program) -> Result<(), TestCaseError> {
    let goal = last(program);
    let heads_only = Waits::of(program);
    for model in Model::ALL {
        let (halts, incomplete) = explore_halts(program, model, &budget());
        let Some(judged) = judged(program, halts) else {
            return Ok(());
        };
        let mut stuck = judged.iter().filter(|(_, stuck)| *stuck);
        let known = match (stuck.next().is_none(), &incomplete) {
            (false, _) => Some(true),
            (true, None) => Some(false),
            (true, Some(_)) => None,
        };
        let mut stated = false;
        for (halt, stuck) in &judged {
            let named: Vec<ThreadId> = waiters(program, halt).iter().map(|w| w.thread).collect();
            let threads = program.thread_ids();
            let known: Vec<ThreadId> = threads
                .filter(|&t| waits(program, t, halt) == Some(true))
                .collect();
            prop_assert_eq!(named, known, "{:?}", halt);
            let value = heads_only.stuck.eval(|observable| match observable {
                Observable::Register(thread, reg) => halt.registers[thread.index()][reg.index()],
                Observable::At(thread, loc) => i32::from(halt.locations[thread.index()] == loc),
                Observable::Cell(cell) => halt.memory[cell.index()],
            });
            stated |= value != 0;
            prop_assert!(value == 0 || *stuck, "{}: {:?}", model, halt);
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

/// All engines agree with the definition about what else holds where some thread waits.
fn engines_agree_on_the_condition(program: &Program) -> Result<(), TestCaseError> {
    let goal = last(program);
    let [property] = program.properties() else {
        return Err(TestCaseError::fail("one property was written"));
    };
    for model in Model::ALL {
        let (halts, incomplete) = explore_halts(program, model, &budget());
        let Some(judged) = judged(program, halts) else {
            return Ok(());
        };
        let is_reached = judged.iter().any(|(halt, stuck)| {
            let value = property.predicate.eval(|observable| match observable {
                Observable::Register(thread, reg) => halt.registers[thread.index()][reg.index()],
                Observable::At(thread, loc) => i32::from(halt.locations[thread.index()] == loc),
                Observable::Cell(cell) => halt.memory[cell.index()],
            });
            *stuck && value != 0
        });
        if !is_reached && incomplete.is_some() {
            continue;
        }
        for reduction in [Reduction::NONE, Reduction::ALL] {
            let found = check_all_with(program, model, &[goal], reduction, &budget());
            if let Some(claimed) = claim(&found.verdicts[0].1) {
                prop_assert_eq!(claimed, is_reached, "{}: {:?}", model, reduction);
            }
        }
        for engine in [Engine::Bmc, Engine::Lazy, Engine::Ic3, Engine::Auto] {
            let options = CheckOptions::new(model).engine(engine).unroll(3);
            let report = limit::within(STATES, |budget| check(program, &options, budget))
                .map_err(|defect| TestCaseError::fail(format!("{model} {engine:?}: {defect}")))?;
            let answers = report.answers().iter();
            for answer in answers.filter(|answer| answer.goal == goal) {
                if let Some(claimed) = claim(&answer.verdict) {
                    prop_assert_eq!(claimed, is_reached, "{}: {:?}", model, engine);
                }
            }
        }
    }
    Ok(())
}

fn stuck_halts(program: &Program, model: Model) -> Option<BTreeSet<Halt>> {
    let (halts, incomplete) = explore_halts(program, model, &budget());
    let judged = judged(program, halts)?.into_iter();
    let stuck = judged.filter_map(|(halt, stuck)| stuck.then_some(halt));
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

fn drawn(runner: &mut TestRunner, from: &BoxedStrategy<Program>) -> Program {
    let tree = from.new_tree(runner);
    tree.expect("nothing is rejected").current()
}

/// A law about programs that never wait would say nothing.
#[test]
fn the_programs_wait_in_different_ways() {
    let mut runner = TestRunner::deterministic();
    let (mut sequential, mut weak, mut complete) = (0, 0, 0);
    for _ in 0..300 {
        let program = drawn(&mut runner, &program());
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
        let program = drawn(&mut runner, &beside_servers());
        if let Some(starves) = starves_by_definition(&program) {
            starve[usize::from(starves)] += 1;
        }
    }
    assert!(starve.iter().all(|&count| count >= 15), "{starve:?} starve");
}

/// Most lost wake-ups are repaired, whether or not a predicate says where threads wait. (One that starves while it
/// counts without end has too many configurations for any engine.)
#[test]
fn fences_are_found_where_threads_wait_in_any_way() {
    let mut runner = TestRunner::deterministic();
    let mut ends = [0; 4];
    for _ in 0..200 {
        let program = drawn(&mut runner, &wake_ups());
        let options = FenceOptions::new(Model::Tso, Aim::Assertions);
        let found = limit::within(STATES, |budget| cheapest_fences(&program, &options, budget));
        let is_counted = !Waits::of(&program).complete
            || matches!(program.properties()[0].kind, PropertyKind::Starved(_));
        let ends_by_fences = || {
            let changes = points(&program).into_iter();
            let changes: Vec<Change> = changes.flat_map(|point| point.changes(&program)).collect();
            let fenced = program.changed(&changes);
            let options = CheckOptions::new(Model::Tso);
            let report = limit::within(STATES, |budget| check(&fenced, &options, budget));
            claim(&report.expect("no defect").verdict()).is_some()
        };
        match found.expect("no defect").outcome() {
            Outcome::Found(found) if found.cost > 0 => ends[usize::from(is_counted)] += 1,
            Outcome::Found(_) | Outcome::Impossible { .. } => ends[2] += 1,
            Outcome::Undecided(_) => ends[3] += usize::from(ends_by_fences()),
        }
    }
    let [stated, counted, _, undecided] = ends;
    assert!(stated >= 10, "{stated} by predicates");
    assert!(counted >= 10, "{counted} by definition");
    assert!(undecided <= 20, "{undecided} are undecided");
}

#[test]
fn the_properties_are_printed_and_parsed_again() {
    let text = "shared x;
        thread w[2] { local r; await(x == 1); r = 1; }
        forbid stuck;
        forbid stuck w.1;
        forbid stuck && x == 0 && w.0.r == 0;
        forbid stuck w.0 && x != 3;";
    let program = parse(text).program.expect("no errors in the text");
    let kinds: Vec<PropertyKind> = program.properties().iter().map(|p| p.kind).collect();
    let [first, second] = [0, 1].map(|n| PropertyKind::Starved(ThreadId::from(n)));
    assert_eq!(
        kinds,
        [PropertyKind::Stuck, second, PropertyKind::Stuck, first]
    );
    let again = parse(&print(&program)).program.expect("it was printed");
    let stated = |program: &Program| -> Vec<(PropertyKind, Expr<Observable>)> {
        let properties = program.properties().iter();
        properties.map(|p| (p.kind, p.predicate.clone())).collect()
    };
    assert_eq!(stated(&again), stated(&program));
}

/// One of the values leaves the loop, but they are too many to be tried.
#[test]
fn a_choice_among_many_values_is_no_wait() {
    let text = "shared x; thread t { local r;
            while (x == 0) { r = nondet(0, 256); if (r == 256) { break; } } }
        thread u { skip; } forbid stuck;";
    let program = parse(text).program.expect("no errors in the text");
    for engine in [Engine::Explicit, Engine::Bmc, Engine::Auto] {
        let options = CheckOptions::new(Model::Sc).engine(engine).unroll(2);
        let report = check(&program, &options, &budget()).expect("no defect");
        assert_ne!(claim(&report.verdict()), Some(true), "{engine:?}");
    }
}

#[test]
fn a_thread_does_not_starve_where_others_may_serve_it_or_no_execution_goes_on() {
    let holds = |others: &str| {
        let text = format!("shared x, y; thread t0 {{ await(x == 1); }} {others} forbid stuck t0;");
        let program = parse(&text).program.expect("no errors in the text");
        let report = check(&program, &CheckOptions::new(Model::Sc), &budget()).expect("no defect");
        claim(&report.verdict()).map(|reached| !reached)
    };
    for (others, expected) in [
        // It may go on for long, but it may always end.
        (
            "thread t1 { local r; r = 1; while (r == 1) { r = nondet(0, 1); } x = 1; }",
            true,
        ),
        // Each execution in which it acts ends at the assumption.
        ("thread t1 { local r; r = y; assume(r == 1); x = 1; }", true),
        ("thread t1 { loop { x = 1; x = 0; } }", true),
        ("thread t1 { loop { y = 1; y = 0; } }", false),
        (
            "thread t1 { local r; r = nondet(0, 1); if (r == 1) { x = 1; } }",
            false,
        ),
    ] {
        assert_eq!(holds(others), Some(expected), "{others}");
    }
}

/// The word means the property, unless it may mean a variable.
#[test]
fn a_variable_with_the_name_of_the_property_is_told_from_it() {
    let text = |property: &str| format!("shared stuck; thread t {{ stuck = 1; }} {property}");
    for (property, kind) in [
        ("forbid (stuck);", PropertyKind::Forbid),
        ("forbid stuck == 1;", PropertyKind::Forbid),
    ] {
        let program = parse(&text(property)).program.expect(property);
        assert_eq!(program.properties()[0].kind, kind, "{property}");
    }
    for property in ["forbid stuck;", "forbid stuck t;"] {
        assert!(parse(&text(property)).program.is_none(), "{property}");
    }
    let unknown = parse("shared x; thread t { x = 1; } forbid stuck u;");
    assert!(unknown.program.is_none());
}

#[test]
fn every_format_takes_the_property_as_an_option() {
    let spin = "X86 spin\n{ x=0; }\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[x] ;\nexists (1:EAX=1)\n";
    let trencher = "thread a\ninitial s\ntransition s t read r 1\ntransition t s check == r 0\n\
         transition t e check == r 1\nend\n";
    for (format, text, waits) in [
        (Format::Litmus, spin, false),
        (Format::Trencher, trencher, true),
        (Format::Fence, "shared x; thread t { await(x == 1); }", true),
    ] {
        let parsed = parse_with(format, text, &ParseOptions::new().forbid_stuck());
        let program = parsed
            .program
            .unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
        let goal = last(&program);
        let report = check(&program, &CheckOptions::new(Model::Tso), &budget()).expect("no defect");
        let mut answers = report.answers().iter();
        let answer = answers
            .find(|answer| answer.goal == goal)
            .expect("an answer");
        assert_eq!(claim(&answer.verdict), Some(waits), "{format:?}");
    }
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn engines_agree_with_the_definition(program in program()) {
        engines_agree(&program)?;
    }

    #[test]
    fn engines_agree_on_what_else_holds_where_threads_wait(program in conditional()) {
        engines_agree_on_the_condition(&program)?;
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
    fn no_fewer_fences_suffice_under_a_condition(program in conditional()) {
        fences_are_right(&program)?;
    }

    #[test]
    fn no_fewer_fences_wake_threads_up(program in wake_ups()) {
        fences_are_right(&program)?;
    }

    #[test]
    fn a_thread_starves_where_it_does_by_definition(program in beside_servers()) {
        starvation_is_right(&program)?;
    }
}

/// Each round makes the expression for the cell twice as large, so it is not followed for long.
#[test]
fn a_value_that_doubles_in_a_cell_of_a_block_is_given_up() {
    let text = "shared x, y;
        thread t { atomic { while (y == 0) { cas(x, 1, 2); cas(x, 2, 1); } } }
        forbid stuck;";
    let program = parse(text).into_program().expect("a program");
    assert!(!Waits::of(&program).complete);
}
