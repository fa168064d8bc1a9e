//! Copies that differ by `tid`: each answer is compared with threads that are written by hand, one for each
//! number, with the number in place of `tid`, and decided by the engines for finitely many threads.

use crate::support::config::config;
use fencepost::internals::check::{AnyNumber, CheckOptions, CheckReport, Engine, Until, check};
use fencepost::internals::fences::{FenceOptions, Outcome, cheapest_fences};
use fencepost::internals::formats::{Format, parse, rewrite_as};
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{RobustOptions, robust};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Aim, Goal, Program};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

/// The largest number of copies that the laws compare with.
const MOST: usize = 4;

fn program(text: &str) -> Program {
    let parsed = parse(text);
    let errors = parsed.diagnostics.iter().map(|d| d.message.clone());
    let errors: Vec<String> = errors.collect();
    parsed
        .program
        .unwrap_or_else(|| panic!("{errors:?}\n{text}"))
}

/// The same program with this many copies, each written by hand.
fn by_hand(text: &str, copies: usize) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let each = (0..copies).map(|tid| {
            line.replace("thread w[*]", &format!("thread w{tid}"))
                .replace("also()", &format!("also{tid}()"))
                .replace("tid", &tid.to_string())
        });
        if line.starts_with("proc") || line.starts_with("thread w[*]") {
            lines.extend(each);
        } else if !(copies..8).any(|tid| line.contains(&format!("w.{tid}"))) {
            lines.push(line.replace("w.", "w"));
        }
    }
    lines.join("\n") + "\n"
}

fn checked(text: &str, model: Model, engine: Engine) -> CheckReport {
    let mut options = CheckOptions::new(model);
    options.engine = engine;
    options.until = Until::AllAnswered;
    options.note_unreachable = false;
    let budget = Budget::default().with_states(20_000);
    check(&program(text), &options, &budget).expect("no defect")
}

/// The verdicts on the assertions, and on the property, each with the goal that is reached.
fn verdicts(report: &CheckReport) -> [Verdict<Goal>; 2] {
    [false, true].map(|property| {
        let wanted = report
            .answers()
            .iter()
            .filter(|answer| matches!(answer.goal, Goal::Property(_)) == property);
        Verdict::all(wanted.map(|answer| answer.verdict.as_ref().map(|_| answer.goal)))
    })
}

/// The numbers of the copies of an instance are all smaller than this.
fn bound(parsed: &Program, copies: &[(String, usize)]) -> usize {
    let number = |name: &str| {
        name.strip_prefix("w.")
            .and_then(|n| n.parse::<usize>().ok())
    };
    let threads = parsed.threads().iter();
    let apart = threads
        .filter(|thread| number(thread.name()).is_some())
        .count();
    let last = copies.iter().map(|(name, count)| {
        let kind = name
            .strip_prefix("w.mod")
            .and_then(|kind| kind.split_once('_'));
        let (modulus, remainder) = match kind {
            None => (1, 0),
            Some((modulus, remainder)) => (
                modulus.parse().expect("a number"),
                remainder.parse::<usize>().expect("a number"),
            ),
        };
        let mut own = (apart..).filter(|number| number % modulus == remainder);
        own.nth(count - 1).expect("there are infinitely many") + 1
    });
    last.max().unwrap_or(0).max(apart)
}

/// Each answer is that of all numbers of copies, written by hand.
fn agrees(text: &str, model: Model) -> Result<(), TestCaseError> {
    let parsed = program(text);
    let report = checked(text, model, Engine::Auto);
    let any = report.any_number().expect("it has copies");
    let exact = |copies: usize| {
        let own = verdicts(&checked(&by_hand(text, copies), model, Engine::Explicit));
        let numbered = text.replace("[*]", &format!("[{copies}]"));
        let is_named = (copies..8).any(|tid| text.contains(&format!("w.{tid}")));
        if !is_named {
            let numbered = verdicts(&checked(&numbered, model, Engine::Explicit));
            let same = own.iter().zip(&numbered);
            for (own, numbered) in same {
                let words = (own.as_ref().map(|_| ()), numbered.as_ref().map(|_| ()));
                prop_assert_eq!(words.0, words.1, "{}: {}", copies, text);
            }
        }
        Ok(own)
    };
    for (at, verdict) in verdicts(&report).into_iter().enumerate() {
        match verdict {
            Verdict::Holds => {
                for copies in 1..=MOST {
                    let found = &exact(copies)?[at];
                    let violated = matches!(found, Verdict::Violated(_));
                    prop_assert!(!violated, "{} {}: {}", copies, at, text);
                }
            }
            Verdict::Violated(goal) => {
                let shown = any.reached_goal(goal).expect("it is reached");
                let copies = bound(&parsed, &shown.copies);
                if copies <= MOST + 1 {
                    let found = &exact(copies)?[at];
                    prop_assert_ne!(found, &Verdict::Holds, "{} {}: {}", copies, at, text);
                }
            }
            Verdict::HoldsWithin(_) => prop_assert!(false, "no bounds are reported: {text}"),
            Verdict::Unknown(_) => {
                // Nothing is claimed. But what few copies reach is found.
                for copies in 1..=2 {
                    let violated = matches!(exact(copies)?[at], Verdict::Violated(_));
                    prop_assert!(!violated, "{} {}: {}", copies, at, text);
                }
            }
        }
    }
    Ok(())
}

fn attacked(text: &str, model: Model) -> (Verdict<()>, Option<AnyNumber>) {
    let mut options = RobustOptions::new(model);
    options.until = Until::Violated;
    let budget = Budget::default().with_states(20_000);
    let report = robust(&program(text), &options, &budget).expect("no defect");
    (report.verdict().map(|_| ()), report.any_number().cloned())
}

/// It is robust if it is for all numbers of copies, written by hand, and so it is with the fences that are
/// found.
fn robustness_agrees(text: &str, model: Model) -> Result<(), TestCaseError> {
    let parsed = program(text);
    let exact = |text: &str, copies: usize| attacked(&by_hand(text, copies), model).0;
    match attacked(text, model) {
        (Verdict::Holds, _) => {
            for copies in 1..=MOST {
                let found = exact(text, copies);
                prop_assert_ne!(found, Verdict::Violated(()), "{}: {}", copies, text);
            }
            return Ok(());
        }
        (Verdict::Violated(()), any) => {
            let copies = bound(&parsed, &any.expect("it has copies").copies);
            if copies <= MOST + 1 {
                let found = exact(text, copies);
                prop_assert_ne!(found, Verdict::Holds, "{}: {}", copies, text);
            }
        }
        (Verdict::HoldsWithin(_), _) => prop_assert!(false, "no bounds are reported: {text}"),
        (Verdict::Unknown(_), _) => {
            for copies in 1..=2 {
                let found = exact(text, copies);
                prop_assert_ne!(found, Verdict::Violated(()), "{}: {}", copies, text);
            }
            return Ok(());
        }
    }
    let options = FenceOptions::new(model, Aim::Robustness);
    let budget = Budget::default().with_states(20_000);
    let report = cheapest_fences(&parsed, &options, &budget).expect("no defect");
    if let Outcome::Found(_) = report.outcome() {
        let changes = report.changes(&parsed).expect("there is a set");
        // Where branches that some numbers never take begin or end, a fence may have no place in the text.
        let Ok(fenced) = rewrite_as(Format::Fence, text, &parsed, &changes) else {
            return Ok(());
        };
        for copies in 1..MOST {
            let found = exact(&fenced, copies);
            prop_assert_ne!(found, Verdict::Violated(()), "{}: {}", copies, fenced);
        }
    }
    Ok(())
}

/// Something that some numbers are, and others are not.
fn kind() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "tid == 0",
        "tid == 0",
        "tid == 1",
        "tid == SECOND",
        "tid == 2",
        "tid != 0",
        "tid < 1",
        "tid < 2",
        "tid >= 1",
        "1 <= tid",
        "tid > 2",
        "tid % 2 == 0",
        "tid % 2 == 1",
        "tid % 2",
        "tid % 3 == 1",
        "0 == tid % 3 || tid == 1",
        "!(tid == 1)",
        "tid % 2 == 1 && tid != 1",
    ])
}

fn cell() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["x", "y", "x", "y", "s[0]", "s[1]", "s[tid % 2]"])
}

fn simple() -> impl Strategy<Value = String> {
    (cell(), 0..3, 0..9, kind()).prop_map(|(cell, value, kind, is)| match kind {
        0..3 => format!("{cell} = {value};"),
        3..6 => format!("r = {cell};"),
        6 => format!("r = xchg({cell}, {value});"),
        7 => format!("{cell} = {is};"),
        _ => "also();".to_owned(),
    })
}

fn statement() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => simple(),
        2 => (kind(), simple()).prop_map(|(is, then)| format!("if ({is}) {{ {then} }}")),
        4 => (kind(), accesses(), accesses())
            .prop_map(|(is, then, other)| format!("if ({is}) {{ {then} }} else {{ {other} }}")),
        3 => accesses(),
        1 => (cell(), kind()).prop_map(|(cell, is)| format!("while ({cell} == 0 && ({is})) {{ }}")),
        1 => kind().prop_map(|is| format!("assume({is});")),
        2 => (0..3, kind()).prop_map(|(value, is)| format!("assert(r != {value} || ({is}));")),
        1 => kind().prop_map(|is| format!("r = ({is}) ? 2 : r;")),
    ]
}

/// A store, and often a load of another cell after it.
fn accesses() -> impl Strategy<Value = String> {
    let cells = prop::sample::select(vec![
        ("x", "y"),
        ("y", "x"),
        ("x", "y"),
        ("y", "x"),
        ("s[0]", "s[1]"),
        ("s[tid % 2]", "s[1 - tid % 2]"),
        ("s[tid % 2]", "x"),
        ("x", "s[1]"),
    ]);
    (cells, 1..3, 0..6).prop_map(|((one, other), value, between)| match between {
        0 => format!("{one} = {value}; fence; r = {other};"),
        1 => format!("{one} = {value};"),
        _ => format!("{one} = {value}; r = {other};"),
    })
}

fn property() -> impl Strategy<Value = String> {
    let cell = prop::sample::select(vec!["x == 1", "y == 2", "s[0] == 1 && s[1] == 1", "x != 3"]);
    (cell, 0..3, 0..3, 0..3, 0..6).prop_map(|(cell, a, b, value, kind)| match kind {
        0 => format!("forbid {cell};"),
        1 => format!("forbid w.{a}.r == {value} && {cell};"),
        2 => format!("forbid w.{a}@here && {cell};"),
        3 if a != b => format!("forbid w.{a}@here && w.{b}@here;"),
        4 if a != b => format!("forbid w.{a}@here && w.{b}.r == {value};"),
        _ => String::new(),
    })
}

/// A program whose copies differ in finitely many ways.
fn told_apart() -> impl Strategy<Value = String> {
    let body = (
        prop::collection::vec(statement(), 1..4),
        kind(),
        accesses(),
        0..4_usize,
    );
    let single = prop::option::weighted(0.3, accesses());
    (body, single, kind(), property()).prop_map(|(body, single, is, property)| {
        let (mut statements, own, then, at) = body;
        if !statements.iter().any(|one| one.contains("tid")) {
            statements.push(format!("if ({own}) {{ {then} }}"));
        }
        let at = at.min(statements.len());
        statements.insert(at, "here: skip;".to_owned());
        let single = single.map_or_else(String::new, |accesses| {
            let accesses = accesses.replace("tid % 2", "1");
            format!("thread one {{ local r; {accesses} }}\n")
        });
        format!(
            "shared x, y, s[2];\nconst SECOND = 1;\n\
             proc also() {{ if ({is}) {{ x = 1; }} }}\n\
             {single}thread w[*] {{ local r; {} }}\n{property}\n",
            statements.join(" ")
        )
    })
}

proptest! {
    #![proptest_config(config(16))]

    #[test]
    fn copies_that_are_told_apart_do_what_threads_written_by_hand_do(text in told_apart()) {
        agrees(&text, Model::Sc)?;
    }
}

proptest! {
    #![proptest_config(config(8))]

    #[test]
    fn copies_that_are_told_apart_do_so_with_buffers(
        text in told_apart(),
        model in prop::sample::select(vec![Model::Tso, Model::Pso, Model::Pgas]),
    ) {
        agrees(&text, model)?;
    }

    #[test]
    fn copies_that_are_told_apart_are_robust_only_if_threads_written_by_hand_are(
        text in told_apart(),
        model in prop::sample::select(vec![Model::Tso, Model::Pso, Model::Pgas]),
    ) {
        robustness_agrees(&text, model)?;
    }
}

#[test]
fn the_programs_that_tell_copies_apart_have_all_answers() {
    let mut runner = TestRunner::deterministic();
    let (mut holds, mut violated, mut open) = (0, 0, 0);
    let (mut robust, mut feasible) = (0, 0);
    for _ in 0..30 {
        let text = told_apart()
            .new_tree(&mut runner)
            .expect("a program")
            .current();
        for verdict in verdicts(&checked(&text, Model::Sc, Engine::Auto)) {
            match verdict {
                Verdict::Holds => holds += 1,
                Verdict::Violated(_) => violated += 1,
                Verdict::HoldsWithin(_) | Verdict::Unknown(_) => open += 1,
            }
        }
        match attacked(&text, Model::Tso).0 {
            Verdict::Holds => robust += 1,
            Verdict::Violated(()) => feasible += 1,
            Verdict::HoldsWithin(_) | Verdict::Unknown(_) => open += 1,
        }
    }
    let checked = (holds, violated, open);
    assert!(holds > 20 && violated > 5 && open < 15, "{checked:?}");
    assert!(robust > 5 && feasible > 3, "{robust} {feasible}");
}
