//! Threads in any number of copies: what views prove holds for each number, and what an instance shows
//! needs as many copies as it is said to need.

use crate::support::config::config;
use crate::support::view_checker::verify_views;
use fencepost::Source;
use fencepost::internals::check::{CheckOptions, CheckReport, Engine, check};
use fencepost::internals::fences::{FenceOptions, Outcome, cheapest_fences};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{RobustOptions, RobustReport, robust};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::internals::views::{ViewCertificate, view_certificate};
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

fn budget() -> Budget {
    Budget::default().with_states(300_000)
}

fn checked(text: &str, model: Model, engine: Engine) -> CheckReport {
    let mut options = CheckOptions::new(model);
    options.engine = engine;
    options.note_unreachable = false;
    check(&program(text), &options, &budget()).expect("no defect")
}

fn attacked(text: &str, model: Model) -> RobustReport {
    let mut options = RobustOptions::new(model);
    options.until = fencepost::internals::check::Until::Violated;
    robust(&program(text), &options, &budget()).expect("no defect")
}

/// The text with this number of copies of each thread in any number of them.
fn instance(text: &str, copies: usize) -> String {
    text.replace("[*]", &format!("[{copies}]"))
}

/// The number of copies that a report needs, if it has a run.
fn needed(any: Option<&fencepost::internals::check::AnyNumber>) -> usize {
    let copies = any.map(|any| any.copies.iter().map(|(_, count)| *count));
    copies.and_then(Iterator::max).unwrap_or(0)
}

/// A statement of a copy. Cells keep few values, so that views have a chance to be finished.
fn statement() -> impl Strategy<Value = String> {
    let cell = prop::sample::select(vec!["x", "y", "z"]);
    let simple = (cell.clone(), 0..3, 0..7).prop_map(|(cell, value, kind)| match kind {
        0 => format!("{cell} = {value};"),
        1 => format!("r = {cell};"),
        2 => format!("r = xchg({cell}, {value});"),
        3 => format!("r = cas({cell}, {value}, 1);"),
        4 => format!("atomic {{ s = {cell}; {cell} = (s + 1) & 3; }}"),
        5 => format!("assume({cell} != {value});"),
        _ => format!("atomic {{ s = {cell}; assume(s < 2); {cell} = s + 1; r = s; }}"),
    });
    let after = simple.clone();
    prop_oneof![
        4 => simple.clone(),
        1 => (0..3, after).prop_map(|(value, then)| format!("if (r == {value}) {{ {then} }}")),
        1 => (cell, 0..2).prop_map(|(cell, value)| format!("while ({cell} == {value}) {{ }}")),
        1 => simple.prop_map(|again| format!("while (r == 1) {{ {again} r = 0; }}")),
        1 => Just("fence;".to_owned()),
    ]
}

fn body() -> impl Strategy<Value = String> {
    (prop::collection::vec(statement(), 1..5), 0..5usize).prop_map(|(mut statements, at)| {
        let at = at.min(statements.len());
        statements.insert(at, "here: skip;".to_owned());
        statements.join(" ")
    })
}

/// A body of which the copies that pass a gate in some order execute the last part.
fn gated() -> impl Strategy<Value = String> {
    (body(), prop::collection::vec(statement(), 1..3), 2..4).prop_map(|(body, last, copies)| {
        let (number, last) = (copies - 1, last.join(" "));
        format!(
            "atomic {{ s = g; assume(s < {copies}); g = s + 1; }} \
             if (s == {number}) {{ {body} }} else {{ {last} }}"
        )
    })
}

/// A store and a later load, mostly of the other cell, and sometimes something in between.
fn accesses() -> impl Strategy<Value = String> {
    let between = prop::sample::select(vec![
        "",
        "",
        "",
        "fence;",
        "r = xchg(y, 1);",
        "if (r == 0) { r = x; }",
        "y = 2;",
        "assume(r == 0);",
    ]);
    (any::<bool>(), 0..4, between).prop_map(|(first, kind, between)| {
        let (mine, other) = if first { ("x", "y") } else { ("y", "x") };
        let loaded = if kind == 0 { mine } else { other };
        format!("{mine} = 1; {between} r = {loaded};")
    })
}

/// A program whose copies do one of two things, which often delay stores past loads.
pub(crate) fn delaying_program() -> impl Strategy<Value = String> {
    let single = prop::option::weighted(0.3, accesses());
    (accesses(), accesses(), single, 0..3).prop_map(|(one, other, single, gate)| {
        let single = single.map_or_else(String::new, |accesses| {
            format!("thread one {{ local r; {accesses} }}\n")
        });
        // With a gate, only one copy does the second thing.
        let body = match gate {
            0 => format!("choose {{ {one} }} or {{ {other} }}"),
            1 => format!("atomic {{ s = g; g = 1; }} if (s == 0) {{ {one} }} else {{ {other} }}"),
            _ => format!(
                "atomic {{ s = g; assume(s < 3); g = s + 1; }} \
                 if (s == 2) {{ {one} }} else {{ if (s == 1) {{ {other} }} }}"
            ),
        };
        format!("shared x, y, g;\n{single}thread w[*] {{ local r, s; {body} }}\n")
    })
}

fn property() -> impl Strategy<Value = String> {
    let cell = prop::sample::select(vec!["x", "y", "z"]);
    prop_oneof![
        3 => Just("forbid w.0@here && w.1@here;".to_owned()),
        2 => (cell.clone(), 1..4).prop_map(|(cell, value)| format!("forbid {cell} == {value};")),
        1 => (0..4).prop_map(|value| format!("forbid w.0@here && w.0.r == {value};")),
        1 => (0..3).prop_map(|value| format!("forbid w.0.r == {value} && w.1.r == {value} && w.0@here;")),
        2 => (cell.clone(), 0..3).prop_map(|(cell, value)| format!("final assert {cell} != {value};")),
        2 => (cell.clone(), 0..3).prop_map(|(cell, value)| format!("forbid stuck && ({cell} != {value});")),
        1 => (cell, 0..3).prop_map(|(cell, value)| format!("final assert w.0.r == w.1.r || {cell} == {value};")),
    ]
}

/// A program with copies, some of them with a thread that exists once.
pub(crate) fn class_program() -> impl Strategy<Value = String> {
    let single = prop::option::weighted(0.4, prop::collection::vec(statement(), 1..4));
    let body = prop_oneof![2 => body(), 1 => gated()];
    (body, single, property(), prop::option::weighted(0.3, 0..3)).prop_map(
        |(body, single, property, asserted)| {
            let single = single.map_or_else(String::new, |statements| {
                format!("thread one {{ local r, s; {} }}\n", statements.join(" "))
            });
            let asserted = asserted.map_or_else(String::new, |v| format!(" assert(r != {v});"));
            format!(
                "shared x, y, z, g;\n{single}thread w[*] {{ local r, s; {body}{asserted} }}\n{property}\n"
            )
        },
    )
}

/// The smallest number of copies in which the names of the property are declared.
fn least(text: &str) -> usize {
    if text.contains("w.1") { 2 } else { 1 }
}

/// Views and instances agree with the explicit engine on every small number of copies.
fn agrees(text: &str, model: Model) -> Result<(), TestCaseError> {
    let report = checked(text, model, Engine::Auto);
    let exact = |copies: usize| {
        let report = checked(&instance(text, copies), model, Engine::Explicit);
        report.verdict().map(|_| ())
    };
    match report.verdict() {
        Verdict::Holds => {
            for copies in least(text)..=MOST {
                let found = exact(copies);
                prop_assert!(!matches!(found, Verdict::Violated(())), "{copies}: {text}");
            }
        }
        Verdict::Violated((_, run)) => {
            prop_assert_eq!(run.model, model);
            let copies = needed(report.any_number());
            if copies < least(text) {
                // Another goal than the property, shown without the copies that only the property names.
                return Ok(());
            }
            if copies <= MOST + 1 {
                let found = exact(copies);
                prop_assert!(!matches!(found, Verdict::Holds), "{copies}: {text}");
            }
            if copies > least(text) && model == Model::Sc {
                let fewer = exact(copies - 1);
                prop_assert!(
                    !matches!(fewer, Verdict::Violated(())),
                    "{copies} - 1: {text}"
                );
            }
        }
        Verdict::HoldsWithin(_) => prop_assert!(false, "no bounds are reported: {text}"),
        Verdict::Unknown(_) => {
            // Nothing is claimed. But what few copies reach is found.
            for copies in least(text)..=2 {
                let found = exact(copies);
                let missed = matches!(found, Verdict::Violated(())) && model == Model::Sc;
                prop_assert!(!missed, "{copies}: {text}");
            }
        }
    }
    Ok(())
}

/// The same for robustness.
fn robustness_agrees(text: &str, model: Model) -> Result<(), TestCaseError> {
    let report = attacked(text, model);
    let exact = |copies: usize| {
        let report = attacked(&instance(text, copies), model);
        report.verdict().map(|_| ())
    };
    match report.verdict() {
        Verdict::Holds => {
            for copies in least(text)..=3 {
                let found = exact(copies);
                prop_assert!(!matches!(found, Verdict::Violated(())), "{copies}: {text}");
            }
        }
        Verdict::Violated(run) => {
            prop_assert!(run.happens_before().is_cyclic());
            let copies = needed(report.any_number());
            if copies <= MOST {
                let found = exact(copies);
                prop_assert!(!matches!(found, Verdict::Holds), "{copies}: {text}");
            }
            if copies > least(text) {
                let fewer = exact(copies - 1);
                prop_assert!(
                    !matches!(fewer, Verdict::Violated(())),
                    "{copies} - 1: {text}"
                );
            }
        }
        Verdict::HoldsWithin(_) => prop_assert!(false, "no bounds are reported: {text}"),
        Verdict::Unknown(_) => {
            let found = exact(least(text));
            prop_assert!(!matches!(found, Verdict::Violated(())), "{text}");
        }
    }
    Ok(())
}

/// What views prove has a certificate, and no view of it can be left out.
fn is_certified(text: &str, choice: usize) -> Result<(), TestCaseError> {
    let program = program(text);
    let goals = program.goals();
    let (certificate, budget) = {
        let budget = Budget::default();
        let mut found = None;
        for size in least(text)..=3 {
            found = found.or_else(|| view_certificate(&program, &goals, size, 3_000, &budget));
        }
        (found, budget)
    };
    let Some(certificate) = certificate else {
        return Ok(());
    };
    if text.contains("forbid stuck") {
        prop_assert!(verify_views(&program, &goals, &certificate, &budget).is_err());
        return Ok(());
    }
    if text.contains("final") && certificate.size > least(text) {
        prop_assert!(verify_views(&program, &goals, &certificate, &budget).is_err());
        return Ok(());
    }
    let accepted = verify_views(&program, &goals, &certificate, &budget);
    prop_assert!(accepted.is_ok(), "{accepted:?}: {text}");
    let views: usize = certificate
        .tables
        .iter()
        .map(|table| table.views.len())
        .sum();
    let without = without_view(&certificate, choice % views);
    prop_assert!(
        verify_views(&program, &goals, &without, &budget).is_err(),
        "{text}"
    );
    for copies in least(text)..=3 {
        let found = checked(&instance(text, copies), Model::Sc, Engine::Explicit);
        prop_assert!(
            !matches!(found.verdict(), Verdict::Violated(_)),
            "{copies}: {text}"
        );
    }
    Ok(())
}

/// The certificate without one of its views.
fn without_view(certificate: &ViewCertificate, mut number: usize) -> ViewCertificate {
    let mut certificate = certificate.clone();
    for table in &mut certificate.tables {
        if number < table.views.len() {
            table.views.remove(number);
            break;
        }
        number -= table.views.len();
    }
    certificate
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn theorem_views_hold_for_every_number_of_copies(text in class_program()) {
        agrees(&text, Model::Sc)?;
    }

    #[test]
    fn theorem_a_robust_class_is_robust_in_every_instance(
        text in prop_oneof![1 => class_program().boxed(), 3 => delaying_program().boxed()],
    ) {
        robustness_agrees(&text, Model::Tso)?;
    }

    #[test]
    fn certificates_of_views_are_accepted_whole_and_rejected_without_a_view(
        text in class_program(),
        choice in 0..100_000_usize,
    ) {
        is_certified(&text, choice)?;
    }
}

proptest! {
    #![proptest_config(config(16))]

    #[test]
    fn theorem_a_robust_class_is_robust_in_every_instance_without_store_order(
        text in delaying_program(),
        model in prop::sample::select(vec![Model::Pso, Model::Pgas]),
    ) {
        robustness_agrees(&text, model)?;
    }

    #[test]
    fn what_holds_for_any_number_with_buffers_holds_in_each_instance(
        text in class_program(),
        model in prop::sample::select(vec![Model::Tso, Model::Pso, Model::Pgas]),
    ) {
        agrees(&text, model)?;
    }
}

#[test]
fn the_programs_of_the_laws_have_all_answers() {
    let mut runner = TestRunner::deterministic();
    let (mut holds, mut few, mut many, mut open) = (0, 0, 0, 0);
    let (mut robust, mut feasible, mut distant) = (0, 0, 0);
    for _ in 0..150 {
        let tree = class_program().new_tree(&mut runner).expect("a program");
        let text = tree.current();
        let report = checked(&text, Model::Sc, Engine::Auto);
        match report.verdict() {
            Verdict::Holds => holds += 1,
            Verdict::Violated(_) if needed(report.any_number()) < 3 => few += 1,
            Verdict::Violated(_) => many += 1,
            Verdict::HoldsWithin(_) | Verdict::Unknown(_) => open += 1,
        }
        let tree = delaying_program().new_tree(&mut runner).expect("a program");
        let report = attacked(&tree.current(), Model::Tso);
        match report.verdict() {
            Verdict::Holds => robust += 1,
            Verdict::Violated(_) if needed(report.any_number()) < 3 => feasible += 1,
            Verdict::Violated(_) => distant += 1,
            Verdict::HoldsWithin(_) | Verdict::Unknown(_) => {}
        }
    }
    let checked = (holds, few, many, open);
    assert!(
        holds > 20 && few > 20 && many > 0 && open < 20,
        "{checked:?}"
    );
    let attacked = (robust, feasible, distant);
    assert!(robust > 20 && feasible > 8 && distant > 0, "{attacked:?}");
}

/// Each copy passes a gate that counts; the last one does something.
fn gate(copies: usize, last: &str) -> String {
    format!(
        "shared c, x; thread w[*] {{ local o; \
         atomic {{ o = c; assume(o < {copies}); c = o + 1; }} if (o == {}) {{ {last} }} here: skip; }}\n",
        copies - 1
    )
}

#[test]
fn a_family_that_needs_some_number_of_copies_is_violated_with_that_number() {
    for copies in 1..=6 {
        let last = copies - 1;
        // What the last one does, and the property that this violates.
        let families = [
            ("assert(0);", String::new()),
            ("bad: skip;", "forbid w.0@bad;".to_owned()),
            // It cannot go on, but what it stored is there.
            ("x = 1; assume(0);", "forbid x == 1;".to_owned()),
            ("skip;", format!("forbid w.0.o == {last} && w.0@here;")),
        ];
        for (does, property) in families {
            let text = gate(copies, does) + &property;
            let report = checked(&text, Model::Sc, Engine::Auto);
            assert!(matches!(report.verdict(), Verdict::Violated(_)), "{text}");
            assert_eq!(needed(report.any_number()), copies, "{text}");
            let run = report.run().expect("there is a run");
            let instance = report.instance().expect("it is of an instance");
            assert_eq!(instance.threads().len(), copies);
            assert!(Source::of(instance).steps(run).count() > copies);
        }
        if copies > 1 {
            let text =
                gate(copies, "") + &format!("forbid w.0.o == {last} && w.0@here && w.1@here;");
            assert_eq!(
                needed(checked(&text, Model::Sc, Engine::Auto).any_number()),
                copies
            );
        }
    }
}

#[test]
fn ends_with_different_numbers_of_copies_of_two_threads_are_found() {
    // Only one `a` and two `b` end like this.
    let class = |name: &str, cell: &str, most: usize| {
        format!(
            "thread {name}[*] {{ local r; atomic {{ r = {cell}; assume(r < {most}); {cell} = r + 1; }} }}\n"
        )
    };
    let property = "final assert !(x == 1 && y == 2);";
    let text = format!(
        "shared x, y;\n{}{}{property}",
        class("a", "x", 2),
        class("b", "y", 3)
    );
    let report = checked(&text, Model::Sc, Engine::Auto);
    assert!(matches!(report.verdict(), Verdict::Violated(_)));
    let copies = report.any_number().map(|any| any.copies.clone());
    assert_eq!(copies, Some(vec![("a".to_owned(), 1), ("b".to_owned(), 2)]));
}

#[test]
fn many_copies_of_one_thread_and_one_of_another_are_enough() {
    // The fifth copy of `w` lets the one of `v` fail.
    let text = "shared c, x;
        thread w[*] { local o; atomic { o = c; assume(o < 5); c = o + 1; } if (o == 4) { x = 1; } }
        thread v[*] { local r; r = x; assert(r == 0); }";
    let report = checked(text, Model::Sc, Engine::Auto);
    let copies = report.any_number().map(|any| any.copies.clone());
    assert_eq!(copies, Some(vec![("w".to_owned(), 5), ("v".to_owned(), 1)]));
}

#[test]
fn the_same_number_of_copies_of_each_thread_is_tried_and_reduced() {
    // Four of each: eight copies, and one more of neither.
    let class = |name: &str, cell: &str| {
        format!(
            "thread {name}[*] {{ local r; \
             atomic {{ r = {cell}; assume(r < 4); {cell} = r + 1; }} }}\n"
        )
    };
    let text = format!(
        "shared x, y;\n{}{}forbid x == 4 && y == 3;",
        class("a", "x"),
        class("b", "y")
    );
    let report = checked(&text, Model::Sc, Engine::Auto);
    let copies = report.any_number().map(|any| any.copies.clone());
    assert_eq!(copies, Some(vec![("a".to_owned(), 4), ("b".to_owned(), 3)]));
}

#[test]
fn a_copy_that_only_helps_is_of_the_class_of_the_attacker() {
    let text = "shared c, x, y; thread w[*] { local o, r; atomic { o = c; c = 1; }
        if (o == 0) { x = 1; r = y; } else { y = 1; fence; r = x; } }";
    let report = attacked(text, Model::Tso);
    assert!(matches!(report.verdict(), Verdict::Violated(_)));
    assert_eq!(needed(report.any_number()), 2);
}

#[test]
fn a_counter_without_bound_is_named() {
    let text = "shared x; thread w[*] { local r; r = fetch_add(x, 1); } forbid x == -1;";
    let report = checked(text, Model::Sc, Engine::Auto);
    let Verdict::Unknown(reason) = report.verdict() else {
        panic!("views of any size have all values");
    };
    assert!(
        reason.to_string().contains("`x` takes at least"),
        "{reason}"
    );
}

#[test]
fn copies_that_a_property_names_are_different_ones() {
    // One copy alone passes both labels, but not at once.
    let text =
        "shared l; thread w[*] { local r; r = xchg(l, 1); assume(r == 0); a: skip; b: skip; }
        forbid w.0@a && w.1@b;
        forbid w.0@a && w.1@a;";
    assert_eq!(
        checked(text, Model::Sc, Engine::Auto).verdict(),
        Verdict::Holds
    );
    let both = text.replace("xchg(l, 1)", "l");
    let report = checked(&both, Model::Sc, Engine::Auto);
    assert!(matches!(report.verdict(), Verdict::Violated(_)));
    assert_eq!(needed(report.any_number()), 2);
}

#[test]
fn ends_are_decided_for_fewer_copies_than_a_view_has() {
    // With one copy, `x` is 1 in the end; with more, it may be anything from 1 to 3.
    let text = "shared x; thread w[*] { local r; atomic { r = x; assume(r < 3); x = r + 1; } }
        final assert x != 1;";
    let report = checked(text, Model::Sc, Engine::Auto);
    assert!(matches!(report.verdict(), Verdict::Violated(_)));
    assert_eq!(needed(report.any_number()), 1);
    let two = text.replace("x != 1", "x != 2");
    let report = checked(&two, Model::Sc, Engine::Auto);
    assert_eq!(needed(report.any_number()), 2);
    let four = text.replace("x != 1", "x < 4");
    assert_eq!(
        checked(&four, Model::Sc, Engine::Auto).verdict(),
        Verdict::Holds
    );
}

#[test]
fn an_attack_of_one_copy_on_another_is_found() {
    // One copy stores to `x` and reads `y`, another the other way round.
    let text = "shared c, x, y; thread w[*] { local o, r; atomic { o = c; c = (o + 1) & 1; }
        if (o == 1) { x = 1; r = y; } else { y = 1; r = x; } }";
    let report = attacked(text, Model::Tso);
    assert!(matches!(report.verdict(), Verdict::Violated(_)));
    assert_eq!(needed(report.any_number()), 2);
    let fenced = text.replace("1; r", "1; fence; r");
    assert_eq!(attacked(&fenced, Model::Tso).verdict(), Verdict::Holds);
}

#[test]
fn stuck_threads_are_found_and_excluded() {
    let text = "shared x; thread w[*] { while (x == 0) { } } forbid stuck;";
    let report = checked(text, Model::Sc, Engine::Auto);
    assert!(matches!(report.verdict(), Verdict::Violated(_)));
    let free = text.replace("x == 0", "x == 1");
    assert_eq!(
        checked(&free, Model::Sc, Engine::Auto).verdict(),
        Verdict::Holds
    );
    // The first one lets all others go.
    let first = "shared x; thread w[*] { local r; r = cas(x, 0, 1); if (r == 0) { x = 2; }
        while (x != 2) { } } forbid stuck;";
    // It is in no view of those that wait. Counts show that it is there.
    let report = checked(first, Model::Sc, Engine::Auto);
    assert_eq!(report.verdict(), Verdict::Holds);
    let any = report.any_number().expect("it has copies");
    assert!(any.counts.is_some() && any.views.is_none());
    // Unless it stops before it does.
    let forgets = first.replace("x = 2;", "choose { x = 2; } or { skip; }");
    let report = checked(&forgets, Model::Sc, Engine::Auto);
    assert!(matches!(report.verdict(), Verdict::Violated(_)));
    // Only the third one forgets to.
    let third = "shared c, x; thread w[*] { local o; atomic { o = c; assume(o < 3); c = o + 1; }
        if (o == 2) { while (x == 0) { } } } forbid stuck && (c == 3);";
    let report = checked(third, Model::Sc, Engine::Auto);
    assert_eq!(needed(report.any_number()), 3);
}

/// Any number of copies take a lock, and do something with it.
fn lock(inside: &str) -> String {
    format!(
        "shared l, x; thread w[*] {{ local r, s; do {{ s = xchg(l, 1); }} while (s); {inside} l = 0; }}\n"
    )
}

#[test]
fn copies_that_wait_for_each_other_are_decided_by_counts() {
    let turn = "r = x; x = (r + 1) & 3;";
    for property in ["forbid stuck;", "forbid stuck && (l == 1);"] {
        for model in [Model::Sc, Model::Tso] {
            let report = checked(&(lock(turn) + property), model, Engine::Auto);
            assert_eq!(report.verdict(), Verdict::Holds, "{model} {property}");
        }
        // One that keeps the lock, and two that take it while they have it.
        for inside in [
            "r = x; x = 1; assume(r == 0); if (r == 0) { while (x == 1) { } }",
            "do { s = xchg(l, 1); } while (s);",
        ] {
            let report = checked(&(lock(inside) + property), Model::Sc, Engine::Auto);
            assert!(
                matches!(report.verdict(), Verdict::Violated(_)),
                "{inside} {property}"
            );
            assert!(needed(report.any_number()) <= 2, "{inside} {property}");
        }
    }
    // A ring of two: a copy that waits for another one waits forever if it is alone.
    let pair = "shared x; thread w[*] { local r; r = xchg(x, 1); if (r == 0) { while (x == 1) { } } \
        else { x = 2; } } forbid stuck;";
    let report = checked(pair, Model::Sc, Engine::Auto);
    assert_eq!(needed(report.any_number()), 1);
    // Three copies meet, or the third one forgets to let all others go.
    let meet = |most: usize| {
        format!(
            "shared c; thread w[*] {{ local o; atomic {{ o = c; if (o < 3) {{ c = o + 1; }} }} \
             while (c < {most}) {{ }} }} forbid stuck && (c == 3);"
        )
    };
    let report = checked(&meet(3), Model::Sc, Engine::Auto);
    assert_eq!(report.verdict(), Verdict::Holds);
    let report = checked(&meet(4), Model::Sc, Engine::Auto);
    assert_eq!(needed(report.any_number()), 3);
}

#[test]
fn ends_of_any_number_of_copies_are_decided_by_counts() {
    // Each takes the lock, and gives it back: it is free when all have ended.
    for property in ["final assert l == 0;", "final assert w.0.s == 0 && l == 0;"] {
        let report = checked(&(lock("x = 1;") + property), Model::Sc, Engine::Auto);
        assert_eq!(report.verdict(), Verdict::Holds, "{property}");
    }
    // One of them stores last, but which is not known; none or all of them may be the first.
    let first = "shared g, x; thread w[*] { local r; r = xchg(g, 1); if (r == 0) { x = 1; } } ";
    for (property, holds) in [
        ("final assert x == 1;", true),
        ("final assert w.0.r == 1 || w.1.r == 1;", true),
        ("final assert w.0.r == 1;", false),
        ("exists w.0.r == 0 && w.1.r == 0;", true),
    ] {
        let report = checked(&format!("{first}{property}"), Model::Sc, Engine::Auto);
        let found = matches!(report.verdict(), Verdict::Holds);
        assert_eq!(found, holds, "{property}");
    }
}

#[test]
fn a_thread_that_waits_forever_is_found_and_excluded() {
    let waits = "shared x; thread w[*] { while (x == 0) { } } forbid stuck w.0;";
    let report = checked(waits, Model::Sc, Engine::Auto);
    assert!(matches!(report.verdict(), Verdict::Violated(_)));
    assert_eq!(needed(report.any_number()), 1);
    // It would wait for a value that is never there, in `w` and in a thread that exists once.
    let never = waits.replace("x == 0", "x == 1");
    let report = checked(&never, Model::Sc, Engine::Auto);
    assert_eq!(report.verdict(), Verdict::Holds);
    let single = "shared x; thread w[*] { x = 1; } thread s { while (x == 2) { } } forbid stuck s;";
    let report = checked(single, Model::Sc, Engine::Auto);
    assert_eq!(report.verdict(), Verdict::Holds);
    let report = checked(&single.replace("x == 2", "x == 1"), Model::Sc, Engine::Auto);
    assert!(matches!(report.verdict(), Verdict::Violated(_)));
    // `s` waits for the copies, which let it go: views show only that it waits.
    let report = checked(&single.replace("x == 2", "x == 0"), Model::Sc, Engine::Auto);
    assert!(matches!(report.verdict(), Verdict::Unknown(_)));
    // While it waits, `y` is never 1.
    let elsewhere = single
        .replace("shared x", "shared x, y")
        .replace("x == 2) { }", "x == 0) { } y = 1;")
        .replace("stuck s", "stuck s && (y == 1)");
    let report = checked(&elsewhere, Model::Sc, Engine::Auto);
    assert_eq!(report.verdict(), Verdict::Holds);
}

/// A copy ends after it has taken one of this many turns.
fn turns(count: usize) -> String {
    format!(
        "shared c; thread w[*] {{ local r; atomic {{ r = c; assume(r < {count}); c = r + 1; }} here: skip; }}"
    )
}

#[test]
fn a_goal_about_ends_does_not_rely_on_copies_that_another_property_names() {
    // One copy ends with `c` at 1. The other property names two copies, and is never violated.
    for end in ["final assert c == 2;", "exists c == 1;", "final assert 0;"] {
        let alone = format!("{} {end}", turns(2));
        let report = checked(&alone, Model::Sc, Engine::Auto);
        assert_eq!(needed(report.any_number()), 1, "{end}");
        let both = format!("{alone} forbid w.0@here && w.1@here && c == 1;");
        let report = checked(&both, Model::Sc, Engine::Auto);
        let any = report.any_number().expect("it has copies");
        let reached = any.reached_goal(Goal::Property(0));
        let reached = reached.expect("one copy is enough");
        assert_eq!(reached.copies, [("w".to_owned(), 1)], "{end}");
    }
    // A view of one copy shows no such end, so this is decided for one copy too.
    let never = format!(
        "{} final assert c != 7; forbid w.0@here && w.1@here && c == 1;",
        turns(2)
    );
    let report = checked(&never, Model::Sc, Engine::Auto);
    assert_eq!(report.verdict(), Verdict::Holds);
}

#[test]
fn copies_that_only_another_property_names_do_not_take_part() {
    let text = format!(
        "{} final assert c != 1; forbid w.0.r == 3 && w.1.r == 3;",
        turns(1)
    );
    let report = checked(&text, Model::Sc, Engine::Auto);
    assert!(matches!(report.verdict(), Verdict::Violated(_)));
    assert_eq!(needed(report.any_number()), 1);
    let run = report.run().expect("there is a run");
    let instance = report.instance().expect("it is of an instance");
    let mut threads: Vec<&str> = Source::of(instance)
        .steps(run)
        .map(|step| instance.find_thread(step.thread).expect("it is there"))
        .map(|thread| instance.thread(thread).name())
        .collect();
    threads.dedup();
    assert_eq!(threads.len(), 1);
}

#[test]
fn a_thread_with_the_code_of_copies_is_none_of_them() {
    // `s` takes a turn as any copy does; one copy beside it is enough for 2.
    let body = "{ local r; atomic { r = c; assume(r < 3); c = r + 1; } }";
    let text = format!("shared c; thread w[*] {body} thread s {body} forbid c == 2;");
    let report = checked(&text, Model::Sc, Engine::Auto);
    assert!(matches!(report.verdict(), Verdict::Violated(_)));
    let copies = report.any_number().map(|any| any.copies.clone());
    assert_eq!(copies, Some(vec![("w".to_owned(), 1)]));
    // Two classes with equal code have copies of their own.
    let two = format!("shared c; thread w[*] {body} thread v[*] {body} forbid c == 2;");
    let report = checked(&two, Model::Sc, Engine::Auto);
    let copies = report.any_number().map(|any| any.copies.clone());
    assert_eq!(copies, Some(vec![("w".to_owned(), 1), ("v".to_owned(), 1)]));
}

#[test]
fn fences_of_threads_with_equal_code_are_apart() {
    // Both sides of store buffering are in each thread, so both need the fence, for 1 each.
    let body = "{ local r; choose { x = 1; r = y; } or { y = 1; r = x; } }";
    for other in ["s", "v[*]"] {
        let text = format!("shared x, y;\nthread w[*] {body}\nthread {other} {body}\n");
        let spaced = format!(
            "shared x, y;\nthread w[*] {body}\nthread {other} {}\n",
            body.replace("local r;", "local r; skip;")
        );
        let cost = |text: &str| {
            let options = FenceOptions::new(Model::Tso, Aim::Robustness);
            let report = cheapest_fences(&program(text), &options, &budget());
            match report.expect("no defect").outcome() {
                Outcome::Found(sets) => sets.cost,
                Outcome::Impossible { .. } | Outcome::Undecided(_) => {
                    panic!("there are fences: {text}")
                }
            }
        };
        assert_eq!(cost(&text), 4, "{other}");
        assert_eq!(cost(&spaced), 4, "{other}");
    }
}

#[test]
fn numbers_of_copies_that_were_searched_are_totals() {
    let text = "shared a, b;
        thread w[*] { local r; atomic { r = a; assume(r < 3); a = r + 1; } }
        thread v[*] { local r; atomic { r = b; assume(r < 3); b = r + 1; } }
        final assert a == b;";
    let report = checked(text, Model::Sc, Engine::Auto);
    assert!(matches!(report.verdict(), Verdict::Violated(_)));
    let copies = report.any_number().expect("it has copies").copies.iter();
    assert_eq!(copies.map(|(_, count)| count).sum::<usize>(), 3);
    // What is counted has no bound.
    let text = "shared a, b;
        thread w[*] { local r; r = fetch_add(a, 1); }
        thread v[*] { local r; r = fetch_add(a, 1); }
        final assert a > 1;";
    let report = checked(text, Model::Sc, Engine::Auto);
    let Verdict::Unknown(reason) = report.verdict() else {
        panic!("views of any size have all values");
    };
    let reason = reason.to_string();
    assert!(reason.contains("copies in total, but `a`"), "{reason}");
}

#[test]
fn each_observation_is_shown_with_as_few_copies_as_it_needs() {
    // One copy ends with `r` at 0; the second property needs two.
    let text = format!("{} exists c == 1; exists w.0.r == 1;", turns(2));
    let report = checked(&text, Model::Sc, Engine::Auto);
    let any = report.any_number().expect("it has copies");
    for (number, copies) in [(0, 1), (1, 2)] {
        let reached = any.reached_goal(Goal::Property(number));
        let reached = reached.expect("it is observed");
        assert_eq!(reached.copies, [("w".to_owned(), copies)]);
        assert_eq!(reached.instance.threads().len(), copies);
    }
    // An observation that is not decided counts, and one that was made does not.
    assert_eq!(report.verdict(), Verdict::Holds);
    assert!(report.run().is_some());
}

/// Programs whose copies differ by `tid` in finitely many ways.
const TOLD_APART: [&str; 6] = [
    // The copy that is the owner makes what all others wait for.
    "shared x, y; thread w[*] { local r; if (tid == 0) { y = 1; x = 1; } else { r = x; \
     if (r == 1) { r = y; assert(r == 1); } } }",
    // Copy 2 must not see what copy 1 stores.
    "shared x; const LAST = 2; thread w[*] { local r; if (tid == 1) { x = 1; } \
     if (tid == LAST) { r = x; assert(r == 0); } }",
    // Even copies store, and odd ones load.
    "shared x; thread w[*] { local r; if (tid % 2 == 0) { x = 1; } else { r = x; assert(r == 0); } }",
    // Two even copies, but no two odd ones, are at the label at once.
    "shared l, m; thread w[*] { local r; if (tid % 2) { r = xchg(l, 1); } else { r = m; } \
     if (r == 0) { here: skip; if (tid % 2) { l = 0; } } }
     forbid w.1@here && w.3@here;",
    // The owner and another one store to both cells.
    "shared x, y; thread w[*] { local r; if (tid < 1) { x = 1; r = y; } else { y = 1; r = x; } }",
    "shared s[2]; proc even() { s[tid % 2] = 1; } \
     thread w[*] { local r; even(); r = s[0]; if (tid == 1) { assert(r == 0); } }",
];

#[test]
fn copies_that_are_told_apart_in_finitely_many_ways_are_decided() {
    // By text: the number of copies of `w[n]` that are needed, if it is violated.
    let needed = [None, Some(3), Some(2), None, None, Some(2)];
    for (text, needed) in TOLD_APART.into_iter().zip(needed) {
        let report = checked(text, Model::Sc, Engine::Auto);
        for copies in 1..=4 {
            if text.contains("w.3") && copies < 4 {
                continue;
            }
            let exact = checked(&instance(text, copies), Model::Sc, Engine::Explicit);
            let violated = needed.is_some_and(|needed| copies >= needed);
            assert_eq!(
                matches!(exact.verdict(), Verdict::Violated(_)),
                violated,
                "{copies}: {text}"
            );
        }
        match needed {
            None => assert_eq!(report.verdict(), Verdict::Holds, "{text}"),
            Some(_) => assert!(matches!(report.verdict(), Verdict::Violated(_)), "{text}"),
        }
    }
}

#[test]
fn robustness_and_fences_of_copies_that_are_told_apart_are_those_of_the_instances() {
    for text in TOLD_APART {
        for model in [Model::Tso, Model::Pso] {
            let any = attacked(text, model).verdict().map(|_| ());
            let least = if text.contains("w.3") { 4 } else { 1 };
            let each = (least..=4).map(|copies| {
                attacked(&instance(text, copies), model)
                    .verdict()
                    .map(|_| ())
            });
            let each: Vec<Verdict<()>> = each.collect();
            let violated = each
                .iter()
                .any(|verdict| matches!(verdict, Verdict::Violated(())));
            let expected = if violated {
                Verdict::Violated(())
            } else {
                Verdict::Holds
            };
            assert_eq!(any, expected, "{model}: {text} {each:?}");
        }
    }
    // One fence for the owner, and one for all others.
    let options = FenceOptions::new(Model::Tso, Aim::Robustness);
    let report = cheapest_fences(&program(TOLD_APART[4]), &options, &budget());
    let Outcome::Found(sets) = report.expect("no defect").outcome().clone() else {
        panic!("there are fences");
    };
    assert_eq!((sets.cost, sets.optimal), (2, true));
}

#[test]
fn copies_that_are_told_apart_in_more_ways_are_refused() {
    let refusals = [
        ("r = b[tid];", "by `b[tid]`: declare a number, as in `w[3]`"),
        ("b[tid + 1] = 1;", "by an index of `b`"),
        ("r = tid;", "by `r`, which keeps it"),
        ("x = tid & 1;", "by `x`, which keeps it"),
        ("*(&b + tid) = 1;", "by an address that depends on it"),
        ("keep(tid);", "by an argument of `keep`"),
        ("inside();", "by `b[tid]`"),
        ("if (tid == 100) { x = 1; }", "by its value"),
        ("if (tid % 100 == 1) { x = 1; }", "by its value"),
        ("if (-tid % 2 == 1) { x = 1; }", "by its value"),
    ];
    for (statement, why) in refusals {
        let text = format!(
            "shared x, b[4]; proc keep(i) {{ x = i; }} proc inside() {{ b[tid] = 1; }}
            thread w[*] {{ local r; {statement} }} thread one {{ keep(1); }}"
        );
        let parsed = parse(&text);
        assert!(parsed.program.is_none(), "{text}");
        let labels = format!("{:?}", parsed.diagnostics);
        assert!(labels.contains(why), "{statement}: {labels}");
    }
    let about_all = "shared x; thread w[*] { if (tid == 0) { x = 1; } } ";
    for property in [
        "final assert x == 1;",
        "exists x == 1;",
        "forbid stuck;",
        "forbid stuck w.0;",
    ] {
        let parsed = parse(&format!("{about_all}{property}"));
        let messages = format!("{:?}", parsed.diagnostics);
        assert!(
            messages.contains("that differ by `tid`"),
            "{property}: {messages}"
        );
    }
}

#[test]
fn fences_that_can_be_removed_are_those_of_the_declarations() {
    // A store before the announcement needs no fence of its own, and neither do two loads.
    let text = "shared x, y, z;
        thread w[*] { local r; z = 1; fence; x = 1; fence; r = y; }
        thread v[*] { local r; y = 1; fence; r = x; fence; r = z; }\n";
    let program = program(text);
    let mut options = FenceOptions::new(Model::Tso, Aim::Robustness);
    options.minimise = true;
    let report = cheapest_fences(&program, &options, &budget()).expect("no defect");
    let Outcome::Found(sets) = report.outcome() else {
        panic!("all of them are enough");
    };
    assert_eq!((sets.cost, sets.optimal), (2, true));
    assert_eq!(
        report.changes(&program).map(|changes| changes.len()),
        Some(2)
    );
    let words = Source::of(&program).text(text).show(&report).to_string();
    assert!(
        words.contains("2 of the program's 4 fences must stay"),
        "{words}"
    );
    assert!(words.contains("Can be removed: w line 2, "), "{words}");
}

#[test]
fn what_only_another_copy_executes_is_not_said_to_be_unreachable() {
    // The first copy fails, the second one stores 5, and none stores 6.
    let text = "shared g, x; thread w[*] { local r; atomic { r = g; g = 1; }
        if (r == 1) { x = 5; }
        if (r == 2) { x = 6; }
        assert(r == 1); }";
    for (model, asserted) in [
        (Model::Sc, "r == 1"),
        (Model::Sc, "r < 2"),
        (Model::Tso, "r < 2"),
    ] {
        let text = text.replace("assert(r == 1)", &format!("assert({asserted})"));
        let program = program(&text);
        let options = CheckOptions::new(model);
        let report = check(&program, &options, &budget()).expect("no defect");
        let vacuity = report.vacuity().expect("views show it");
        let dead = vacuity.never_executed.iter();
        let lines = dead.map(|&site| program.instruction(site).origin.line);
        let lines: std::collections::BTreeSet<u32> = lines.collect();
        assert_eq!(
            lines,
            std::collections::BTreeSet::from([3]),
            "{asserted} {model}"
        );
    }
}
