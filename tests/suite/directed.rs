//! Answers that do not wait for what takes long. Directed searches get to goals sooner, and the search goes on where
//! they do not; attacks that take long are left undecided where another one decides.
//!
//! That they change no answer is checked where the other reductions are (`explicit_laws`, `hopeless`,
//! `lookahead`, `paused`).

use fencepost::internals::check::{Engine, Until};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::reference::replay;
use fencepost::internals::robustness::{RobustOptions, RobustReport, robust};
use fencepost::internals::search::{Answers, Onset, Reduction, check_all_with};
use fencepost::internals::verdict::{Budget, Decided, Reason, Verdict};
use fencepost::program::Program;
use std::fmt::Write;

/// Lamport's fast mutex (TOCS 5, 1987) for so many threads, each of which enters once; with a fence after each
/// store or without.
fn fast_mutex(threads: usize, fence: &str) -> Program {
    let mut text = format!("shared b[{threads}], x, y;\n");
    for me in 0..threads {
        let id = me + 1;
        let mut waits = String::new();
        for other in (0..threads).filter(|&other| other != me) {
            let _ = write!(waits, "while (b[{other}] == 1) {{ }} ");
        }
        let _ = writeln!(
            text,
            "thread t{id} {{
             start:
                 b[{me}] = 1; {fence} x = {id}; {fence}
                 if (y != 0) {{ b[{me}] = 0; {fence} while (y != 0) {{ }} goto start; }}
                 y = {id}; {fence}
                 if (x != {id}) {{
                     b[{me}] = 0; {fence}
                     {waits}
                     if (y != {id}) {{ while (y != 0) {{ }} goto start; }}
                 }}
             critical:
                 y = 0; {fence} b[{me}] = 0;
             }}"
        );
    }
    text.push_str("forbid t1@critical && t2@critical;");
    parse(&text).program.expect("it parses")
}

fn search(program: &Program, directed: Onset) -> Answers {
    let reduction = Reduction {
        directed,
        // It would leave out what no goal can be reached from, which is then not known to be executed.
        hopeless: false,
        ..Reduction::ALL
    };
    let goals = program.goals();
    check_all_with(program, Model::Tso, &goals, reduction, &Budget::default())
}

/// Two threads get into the critical section while the others do nothing: breadth-first search visits all that
/// they may do in as many steps.
#[test]
fn a_violation_that_few_threads_make_is_found_soon() {
    let program = fast_mutex(6, "");
    let never = search(&program, Onset::Never);
    let early = search(&program, Onset::After(100));
    assert!(
        10 * early.states < never.states,
        "{} {}",
        early.states,
        never.states
    );
    for (goal, verdict) in early.verdicts {
        let Verdict::Violated(steps) = verdict else {
            panic!("{verdict:?}");
        };
        let run = replay(&program, Model::Tso, &steps).expect("a computation");
        assert!(run.reached.contains(&goal));
    }
}

/// A directed search that finds nothing costs what it has stored, and no more: the one before it goes on, and
/// does not begin again.
#[test]
fn a_search_goes_on_where_a_directed_one_has_found_nothing() {
    let program = fast_mutex(3, "fence;");
    let never = search(&program, Onset::Never);
    assert!(never.complete, "all of it is visited");
    assert!(never.verdicts.iter().all(|v| v.1 == Verdict::Holds));
    // The second one begins after twenty times as many, and may store five times as many; each may go on for the
    // last of its configurations.
    for (after, stored) in [(never.states / 2, never.states / 2), (60, 6 * 60)] {
        let early = search(&program, Onset::After(after as u32));
        assert!(early.complete);
        assert_eq!(early.verdicts, never.verdicts);
        assert_eq!(early.executed, never.executed);
        let more = early.states - never.states;
        assert!(
            (stored..stored + 20).contains(&more),
            "{more}, not {stored}"
        );
    }
}

/// From the beginning on, it is a search of its own: what it has visited without finding anything is everything.
#[test]
fn a_directed_search_that_does_not_end_visits_everything() {
    let program = fast_mutex(3, "fence;");
    let plain = Reduction {
        directed: Onset::After(0),
        ..Reduction::NONE
    };
    let goals = program.goals();
    let never = check_all_with(
        &program,
        Model::Tso,
        &goals,
        Reduction::NONE,
        &Budget::default(),
    );
    let always = check_all_with(&program, Model::Tso, &goals, plain, &Budget::default());
    assert_eq!(never.verdicts, always.verdicts);
    assert_eq!(never.executed, always.executed);
    assert!(always.complete);
    // The first configuration is stored in both passes.
    assert_eq!(never.states + 1, always.states);
}

fn attacked(program: &Program, options: &RobustOptions) -> RobustReport {
    robust(program, options, &Budget::default()).expect("no defect")
}

/// With three threads all attacks are decided at once, so that no option changes the list; one feasible attack
/// among those of four is found long before the last one is decided.
#[test]
fn what_takes_long_is_left_undecided_where_an_attack_is_feasible() {
    let listed = |report: &RobustReport| report.feasible().map(|(attack, _)| attack).collect();
    let options = RobustOptions::new(Model::Tso);
    let three = fast_mutex(3, "");
    let quick = attacked(&three, &options);
    assert!(quick.is_complete());
    let explicit = attacked(&three, &options.clone().engine(Engine::Explicit));
    let every = attacked(&three, &options.clone().every(true));
    let quick: Vec<_> = listed(&quick);
    assert!(!quick.is_empty());
    assert_eq!(quick, listed(&explicit));
    assert_eq!(quick, listed(&every));

    let four = attacked(&fast_mutex(4, ""), &options);
    assert_eq!(four.verdict().word(), "violated");
    assert!(!four.is_complete());
    let reason = Verdict::Unknown(Reason::Decided(Decided::ByAttackSooner));
    let mut undecided = 0;
    for answer in four.answers() {
        if matches!(answer.verdict, Verdict::Unknown(_)) {
            assert_eq!(answer.verdict, reason);
            undecided += 1;
        }
    }
    assert!(undecided > 0);
    let first = attacked(&fast_mutex(4, ""), &options.until(Until::Violated));
    assert_eq!(first.feasible().count(), 1);
}
