//! What static arguments rule out has no witness, in programs that prepare a node before others can
//! find it; where they rule out everything, goals are those under SC; and threads that are alike share
//! what is known about their fences.

use crate::support::config;
use config::config;
use fencepost::internals::check::{CheckOptions, Engine, GoalAnswer, Until, check, check_goals};
use fencepost::internals::facts::Values;
use fencepost::internals::fences::{FenceOptions, FenceReport, Outcome, cheapest_fences};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::reference::Run;
use fencepost::internals::robustness::{
    LoadBearing, Pruning, RobustOptions, attacks, load_bearing, robust,
};
use fencepost::internals::techniques::{PassName, Passes, When};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Aim, Program};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use std::fmt::Write as _;

/// Statements of a thread with the node `N`; `M` is another node.
/// The plain ones come first.
const STATEMENTS: [&str; 21] = [
    "item[N] = 1;",
    "item[N] = 2;",
    "next[N] = h;",
    "h = head;",
    "h = next[h % 3];",
    "r = item[h % 3];",
    "r = item[M];",
    "r = next[M];",
    "head = N;",
    "item[h % 3] = 3;",
    "o = cas(head, 0, N);",
    "o = cas(head, h, N);",
    "o = xchg(head, N);",
    "do { h = head; next[N] = h; o = cas(head, h, N); } while (o != h);",
    "do { item[N] = h; o = cas(head, h, N); } while (o == h);",
    "do { o = cas(head, o, N); r = item[M]; } while (o != 0);",
    "do { o = cas(head, 0, N); next[N] = o; r = next[M]; } while (!(o == 0));",
    "if (o == 0) { item[N] = 3; }",
    "if (h != 0) { r = item[h % 3]; }",
    "while (head == 0) { }",
    "fence;",
];

/// How many access shared cells without a lock, a loop or a branch.
const PLAIN: usize = 10;

/// The last one.
const FENCE: usize = STATEMENTS.len() - 1;

/// The statements of a thread: most prepare its node first.
fn body() -> impl Strategy<Value = Vec<usize>> {
    let first = prop_oneof![3 => 0..3_usize, 1 => 0..STATEMENTS.len()];
    let rest = prop_oneof![4 => 3..PLAIN, 1 => 0..STATEMENTS.len()];
    (first, prop::collection::vec(rest, 1..4))
        .prop_map(|(first, rest)| [vec![first], rest].concat())
}

fn thread(body: &[usize], node: &str, other: &str) -> String {
    let statements = body.iter().map(|&number| STATEMENTS[number]);
    let body: Vec<&str> = statements.collect();
    let body = body.join(" ").replace('N', node).replace('M', other);
    format!("{{ local h, r, o; {body} }}\n")
}

const SHARED: &str = "shared head; shared next[3], item[3];\n";

/// Two or three threads with a node each.
pub(crate) fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(body(), 2..4).prop_map(|bodies| {
        let mut text = SHARED.to_owned();
        for (number, body) in bodies.iter().enumerate() {
            let (node, other) = ([1, 2, 0][number], [2, 1, 1][number]);
            let body = thread(body, &node.to_string(), &other.to_string());
            let _ = write!(text, "thread t{number} {body}");
        }
        text
    })
}

/// Two or three copies of a thread, and perhaps another one. The copies use one node, or one each.
fn copies() -> impl Strategy<Value = String> {
    let nodes = prop_oneof![
        2 => Just(("1", "2")),
        1 => Just(("1 + tid % 2", "2")),
        1 => Just(("tid % 3", "(tid + 1) % 3")),
    ];
    (2..4_usize, body(), nodes, prop::option::of(body())).prop_map(
        |(count, body, (node, other), last)| {
            let body = thread(&body, node, other);
            let mut text = format!("{SHARED}thread w[{count}] {body}");
            if let Some(last) = last {
                let _ = write!(text, "thread last {}", thread(&last, "2", "1"));
            }
            text
        },
    )
}

/// Two or three threads with the same statements, each written out, with a node each or with one node.
fn written_out() -> impl Strategy<Value = String> {
    let nodes = prop_oneof![
        3 => Just(vec![(1, 2), (2, 1)]),
        1 => Just(vec![(1, 2), (1, 2)]),
        1 => Just(vec![(1, 0), (2, 0), (1, 0)]),
    ];
    (nodes, body(), prop::option::of(0..4_usize)).prop_map(|(nodes, mut body, fence)| {
        if let Some(at) = fence {
            body.insert(at.min(body.len()), FENCE);
        }
        let mut text = SHARED.to_owned();
        for (number, (node, other)) in nodes.iter().enumerate() {
            let body = thread(&body, &node.to_string(), &other.to_string());
            let _ = write!(text, "thread t{number} {body}");
        }
        text
    })
}

fn program(text: &str) -> Program {
    let parsed = parse(text);
    assert!(parsed.program.is_some(), "{text}\n{:?}", parsed.diagnostics);
    parsed.program.expect("it is there")
}

const WEAK: [Model; 3] = [Model::Tso, Model::Pso, Model::Pgas];

fn pruned_attacks_have_no_witness(text: &str) -> Result<(), TestCaseError> {
    let program = program(text);
    let values = Values::of(&program);
    let budget = Budget::default().with_states(20_000);
    for model in WEAK {
        let pruned = attacks(&program, &values, model, Pruning::ALL).pruned;
        let options = RobustOptions::new(model)
            .engine(Engine::Explicit)
            .techniques(Pruning::NONE);
        let report = robust(&program, &options, &budget).expect("no defect");
        for (attack, _) in report.feasible() {
            prop_assert!(
                pruned.binary_search(&attack).is_err(),
                "{} {:?}\n{}",
                model,
                attack,
                text
            );
        }
    }
    Ok(())
}

/// The program with goals about what two of its threads have read in the end.
pub(crate) fn asking(text: &str) -> String {
    let mut asking = text.to_owned();
    for (a, b) in [
        ("t0.r", "t1.r"),
        ("t0.h", "t1.h"),
        ("t0.r", "t1.h"),
        ("t0.h", "t1.r"),
    ] {
        for (x, y) in (0..9).map(|number| (number / 3, number % 3)) {
            let _ = writeln!(asking, "exists {a} == {x} && {b} == {y};");
        }
    }
    asking
}

fn goals_are_those_of_the_buffers(text: &str) -> Result<bool, TestCaseError> {
    let text = asking(text);
    let program = program(&text);
    let budget = Budget::default().with_states(20_000).with_work(4 << 20);
    let mut is_decided = false;
    for model in WEAK {
        let answers = |engine, undelayed| {
            let mut options = CheckOptions::new(model).engine(engine);
            let when = if undelayed { When::Pays } else { When::Never };
            options.techniques.passes = Passes::default().with(PassName::ToSc, when);
            let report = check(&program, &options, &budget).expect("no defect");
            let answers = report.answers().iter().chain(report.observations());
            let reached = |verdict: &Verdict<Run>| match verdict {
                Verdict::Holds => Some(false),
                Verdict::Violated(_) => Some(true),
                Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
            };
            answers
                .map(|answer| reached(&answer.verdict))
                .collect::<Vec<_>>()
        };
        let found = answers(Engine::Auto, true);
        for other in [
            answers(Engine::Auto, false),
            answers(Engine::Explicit, true),
        ] {
            for (goal, (a, b)) in found.iter().zip(&other).enumerate() {
                let agree = a.is_none() || b.is_none() || a == b;
                prop_assert!(agree, "{model}: {a:?}, not {b:?}, goal {goal} of\n{text}");
                is_decided |= a.is_some() && b.is_some();
            }
        }
    }
    Ok(is_decided)
}

/// What was asked of a program before changes no answer, and no evidence. It may save the work that
/// would have been too much.
fn answers_are_those_of_a_new_program(text: &str, some: usize) -> Result<(), TestCaseError> {
    let text = asking(text);
    let budget = Budget::default().with_states(20_000).with_work(4 << 20);
    let asked = program(&text);
    let goals = asked.goals();
    let one = std::slice::from_ref(&goals[some % goals.len()]);
    let questions = [
        (one, Model::Tso, Until::Violated),
        (&goals[..], Model::Pso, Until::Violated),
        (&goals[..], Model::Tso, Until::AllAnswered),
        (one, Model::Sc, Until::AllAnswered),
        (&goals[..], Model::Sc, Until::Violated),
        (&goals[..], Model::Pgas, Until::AllAnswered),
    ];
    for (goals, model, until) in questions {
        let mut options = CheckOptions::new(model);
        options.until = until;
        let [again, new] = [&asked, &program(&text)].map(|program| {
            let report = check_goals(program, goals, &options, &budget).expect("no defect");
            let answers = report.answers().iter().chain(report.observations());
            let is_open = |answer: &GoalAnswer| matches!(answer.verdict, Verdict::Unknown(_));
            let is_complete = !answers.clone().any(is_open);
            (is_complete, format!("{:?}", answers.collect::<Vec<_>>()))
        });
        if new.0 {
            prop_assert_eq!(again, new, "{} {:?}\n{}", model, until, text);
        }
    }
    Ok(())
}

/// The cost and the sets, or the word for there being none.
fn summary(report: &FenceReport) -> String {
    match report.outcome() {
        Outcome::Found(found) => format!("{} {} {:?}", found.optimal, found.cost, found.sets),
        Outcome::Impossible { .. } => "impossible".to_owned(),
        Outcome::Undecided(_) => "undecided".to_owned(),
    }
}

fn fences_are_those_without_symmetry(text: &str) -> Result<(), TestCaseError> {
    let program = program(text);
    let budget = Budget::default().with_states(20_000);
    for model in [Model::Tso, Model::Pso] {
        let options = FenceOptions::new(model, Aim::Robustness).all();
        let [with, without] = [true, false].map(|alike| {
            let when = if alike { When::Pays } else { When::Never };
            let mut options = options.clone();
            options.techniques.passes = Passes::default().with(PassName::Alike, when);
            summary(&cheapest_fences(&program, &options, &budget).expect("no defect"))
        });
        if ![&with, &without].contains(&&"undecided".to_owned()) {
            prop_assert_eq!(with, without, "{}\n{}", model, text);
        }
    }
    Ok(())
}

/// Copies share what is found about their fences and locked instructions.
fn dependence_is_that_without_symmetry(text: &str) -> Result<(), TestCaseError> {
    let program = program(text);
    for model in WEAK {
        let options = RobustOptions::new(model);
        let budget = Budget::default().with_states(20_000).with_work(4 << 20);
        if robust(&program, &options, &budget)
            .expect("no defect")
            .verdict()
            != Verdict::Holds
        {
            continue;
        }
        let bearing = |symmetry| {
            let mut options = options.clone();
            let when = if symmetry { When::Pays } else { When::Never };
            options.techniques.passes = Passes::default().with(PassName::Alike, when);
            load_bearing(&program, &options, &Budget::default()).expect("no defect")
        };
        let (with, without) = (bearing(true), bearing(false));
        let sites = |all: &[LoadBearing]| all.iter().map(|b| b.site).collect::<Vec<_>>();
        prop_assert_eq!(
            sites(&with.needed),
            sites(&without.needed),
            "{}\n{}",
            model,
            text
        );
        for LoadBearing { site, attack } in with.needed {
            // Without a fence only its own thread delays more.
            let is_fence = program.instruction(site).op.fence().is_some();
            prop_assert!(!is_fence || attack.thread == site.thread, "{model}\n{text}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn no_attack_is_feasible_that_was_ruled_out(text in text()) {
        pruned_attacks_have_no_witness(&text)?;
    }

    #[test]
    fn no_attack_of_copies_is_feasible_that_was_ruled_out(text in copies()) {
        pruned_attacks_have_no_witness(&text)?;
    }

    #[test]
    fn where_no_delay_matters_goals_are_those_of_the_buffers(text in text()) {
        prop_assume!(goals_are_those_of_the_buffers(&text)?);
    }

    #[test]
    fn a_program_that_was_asked_before_answers_as_a_new_one(
        text in prop_oneof![text(), written_out()],
        some in 0..36_usize,
    ) {
        answers_are_those_of_a_new_program(&text, some)?;
    }

    #[test]
    fn copies_depend_on_what_they_depend_on_one_by_one(
        text in prop_oneof![copies(), written_out()],
    ) {
        dependence_is_that_without_symmetry(&text)?;
    }

    #[test]
    fn copies_need_the_fences_that_they_need_one_by_one(
        text in prop_oneof![copies(), written_out()],
    ) {
        fences_are_those_without_symmetry(&text)?;
    }
}

/// Attacks that are ruled out, but not by fences or equal cells alone, and feasible ones.
#[test]
fn random_programs_have_attacks_of_both_kinds() {
    let mut runner = TestRunner::deterministic();
    let budget = Budget::default().with_states(20_000);
    let (mut ruled_out, mut robust_at_once, mut feasible) = (0, 0, 0);
    for _ in 0..100 {
        let text = text().new_tree(&mut runner).expect("nothing is rejected");
        let program = program(&text.current());
        let values = Values::of(&program);
        let count = |cycles| {
            let pruning = Pruning {
                cycles,
                ..Pruning::ALL
            };
            attacks(&program, &values, Model::Pso, pruning).open.len()
        };
        ruled_out += usize::from(count(true) < count(false));
        robust_at_once += usize::from(count(true) == 0);
        let options = RobustOptions::new(Model::Pso).engine(Engine::Explicit);
        let report = robust(&program, &options, &budget).expect("no defect");
        feasible += usize::from(matches!(report.verdict(), Verdict::Violated(_)));
    }
    let counts = (ruled_out, robust_at_once, feasible);
    assert!(
        ruled_out > 50 && robust_at_once > 25 && feasible > 25,
        "{counts:?}"
    );
}

/// A node that is published by a compare-and-swap is prepared before any other thread can find it.
#[test]
fn a_node_is_private_until_it_is_published() {
    let text = "shared head; shared next[3], item[3];
        thread push { local h, r, o; item[1] = 1;
            do { h = head; next[1] = h; o = cas(head, h, 1); } while (o != h); }
        thread pop { local h, r; h = head; r = cas(head, h, 0); r = item[h]; r = next[h]; }";
    let open = |text: &str, model| {
        let program = program(text);
        let values = Values::of(&program);
        attacks(&program, &values, model, Pruning::ALL).open.len()
    };
    assert_eq!(open(text, Model::Tso), 0);
    assert_eq!(open(text, Model::Pso), 0);
    // Published at once, the node can be found before it is prepared.
    let stored = text.replace("o = cas(head, h, 1);", "o = head; head = 1;");
    assert!(open(&stored, Model::Pso) > 0);
    // The loop goes on after it was published.
    let again = text.replace("o != h", "o == h");
    assert!(open(&again, Model::Tso) > 0);
}

/// Without its fences each thread delays, but within four rounds none comes to the accesses that it
/// delays past: nothing is decided, for a thread and for the one that is like it.
#[test]
fn what_is_not_decided_for_a_thread_is_not_decided_for_one_that_is_alike() {
    let wait = "i = 0; while (i < 100) { i = i + 1; }";
    let body = format!("x = 1; fence; {wait} r = y; y = 1; fence; {wait} s = x;");
    let text = format!("shared x, y; thread w[2] {{ local i, r, s; {body} }}");
    let program = program(&text);
    for symmetry in [true, false] {
        let mut options = RobustOptions::new(Model::Tso);
        (options.engine, options.unroll) = (Engine::Bmc, Some(4));
        let when = if symmetry { When::Pays } else { When::Never };
        options.techniques.passes = Passes::default().with(PassName::Alike, when);
        let found = load_bearing(&program, &options, &Budget::default()).expect("no defect");
        let threads = found.undecided.iter().map(|site| site.thread.index());
        assert_eq!(threads.collect::<Vec<_>>(), [0, 0, 1, 1], "{symmetry}");
        assert_eq!(found.needed, []);
    }
}

/// Each of two threads with the same code delays past one of its loads without the fence in between.
#[test]
fn threads_that_are_alike_depend_on_their_own_fences() {
    let body = "{ local r, s; x = 1; fence; r = y; y = 1; fence; s = x; }";
    let text = format!("shared x, y; thread w[2] {body}");
    dependence_is_that_without_symmetry(&text).expect("the same");
    let program = program(&text);
    let bearing = load_bearing(
        &program,
        &RobustOptions::new(Model::Tso),
        &Budget::default(),
    );
    let threads = bearing
        .expect("no defect")
        .needed
        .into_iter()
        .map(|bearing| {
            let LoadBearing { site, attack } = bearing;
            (site.thread.index(), attack.thread.index())
        });
    assert_eq!(
        threads.collect::<Vec<_>>(),
        [(0, 0), (0, 0), (1, 1), (1, 1)]
    );
}
