//! Reports about threads in any number of copies: each names threads and code of the program that was
//! checked, and executions of the instance that they are of, in every format. Code that is said to be
//! unreachable is so in every instance that is written out.

use crate::support::config::config;
use crate::support::copies::{Classes, delaying_with_properties, with_ends, with_properties};
use fencepost::Source;
use fencepost::internals::check::{CheckOptions, CheckReport, Engine, Until, check};
use fencepost::internals::fences::{FenceOptions, cheapest_fences};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::report::{
    CheckView, Detail, FencesView, Measured, MessageFormat, Repair, Report, ReportWriter,
    RobustView, ShownRun, Style, core, dot, draw, page,
};
use fencepost::internals::robustness::{RobustOptions, load_bearing, robust};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Aim, Program, Thread};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::Value;
use std::collections::BTreeSet;

/// Instances have up to this many copies in total.
const MOST: usize = 3;

fn program(text: &str) -> Program {
    parse(text)
        .program
        .unwrap_or_else(|| panic!("it parses: {text}"))
}

fn budget() -> Budget {
    Budget::default().with_states(3_000)
}

/// The program with code that no execution reaches, and some that few do.
fn with_dead_code(mut drawn: Classes, dead: usize) -> Classes {
    let more = [
        "",
        " if (r == 7) { y = 2; }",
        " if (s == 3) { r = x; assert(r != 5); }",
        " while (r == 9) { x = 1; r = y; }",
    ];
    for (number, body) in drawn.bodies.iter_mut().enumerate() {
        *body += more[(dead + number) % more.len()];
    }
    drawn
}

fn drawn() -> impl Strategy<Value = Classes> {
    let all = prop_oneof![
        3 => with_properties().boxed(),
        1 => with_ends().boxed(),
        2 => delaying_with_properties().boxed(),
    ];
    (all, 0..4_usize).prop_map(|(drawn, dead)| with_dead_code(drawn, dead))
}

/// The report in the format, as the command line prints it.
fn written(report: &Report<'_>, format: MessageFormat) -> String {
    let style = Style {
        width: 100,
        color: false,
        detail: Detail::Everything,
    };
    let mut writer = ReportWriter::new(format, style);
    let text = writer.add(report).expect("it is written");
    text + &writer.finish(true).expect("it is written")
}

/// Everything that is written about a result; returns it as JSON.
fn json(report: &Report<'_>, run: Option<ShownRun<'_>>) -> Value {
    for format in MessageFormat::ALL {
        if format != MessageFormat::Json {
            written(report, format);
        }
    }
    page::report(report);
    if let Some(run) = &run {
        draw::execution(run);
        dot::cycle(run);
        // Not every run has a core that can be written.
        let _ = core(run);
    }
    let line = written(report, MessageFormat::Json);
    serde_json::from_str(&line).expect("a line of JSON")
}

fn names(program: &Program) -> BTreeSet<&str> {
    program.threads().iter().map(Thread::name).collect()
}

/// The names of threads at these places.
fn threads(list: &Value) -> Vec<&str> {
    let all = list.as_array().into_iter().flatten();
    all.filter_map(|one| one["thread"].as_str()).collect()
}

/// By place: the thread and where in it no execution gets, `None` for its end. The copies of one declaration
/// have the same locations.
fn dead(json: &Value) -> BTreeSet<(String, Option<String>)> {
    let all = json["vacuous"].as_array().into_iter().flatten();
    let place = |one: &Value| {
        let [thread, label] = ["thread", "label"].map(|key| one[key].as_str().map(str::to_owned));
        (thread.unwrap_or_default(), label)
    };
    all.map(place).collect()
}

fn checked(program: &Program, model: Model, engine: Engine) -> CheckReport {
    let mut options = CheckOptions::new(model);
    options.until = Until::AllAnswered;
    options.engine = engine;
    let report = check(program, &options, &budget()).expect("no defect");
    report.minimised(program, &budget()).expect("no defect")
}

fn check_is_reported(drawn: &Classes, model: Model) -> Result<(), TestCaseError> {
    let text = drawn.text();
    let program = program(&text);
    let report = checked(&program, model, Engine::Auto);
    let view = CheckView::new(
        Source::of(&program).text(&text),
        &report,
        Measured::default(),
    );
    let run = view.run();
    let json = json(&Report::Check(Box::new(view)), run);
    let own = names(&program);
    for name in threads(&json["vacuous"])
        .into_iter()
        .chain(threads(&json["goals"]))
    {
        prop_assert!(own.contains(name), "{}: {}", name, text);
    }
    if let Verdict::Violated((goal, _)) = report.verdict() {
        let instance = report.instance_of(goal).expect("it is of an instance");
        let steps = threads(&json["witness"]["steps"]);
        prop_assert!(
            steps.iter().all(|name| names(instance).contains(name)),
            "{}",
            text
        );
    }
    unreachable_is_dead(drawn, model, &json)
}

/// What is listed as unreachable is so in every instance.
fn unreachable_is_dead(drawn: &Classes, model: Model, json: &Value) -> Result<(), TestCaseError> {
    let listed = dead(json);
    if listed.is_empty() {
        return Ok(());
    }
    for counts in drawn.sizes(MOST) {
        let text = drawn.instance(&counts);
        let instance = program(&text);
        let report = checked(&instance, model, Engine::Explicit);
        let view = CheckView::new(Source::of(&instance), &report, Measured::default());
        let json = written(&Report::Check(Box::new(view)), MessageFormat::Json);
        let json: Value = serde_json::from_str(&json).expect("a line of JSON");
        if json["vacuous"].is_null() {
            continue;
        }
        let here = dead(&json);
        for (thread, label) in &listed {
            let class = thread.split('.').next().unwrap_or(thread);
            let copies = names(&instance).into_iter();
            for copy in copies.filter(|name| name.split('.').next() == Some(class)) {
                let is_dead = here.contains(&(copy.to_owned(), label.clone()));
                prop_assert!(
                    is_dead,
                    "{:?} {} {:?}: {}",
                    counts,
                    copy,
                    label,
                    drawn.text()
                );
            }
        }
    }
    Ok(())
}

fn robustness_is_reported(text: &str, model: Model) -> Result<(), TestCaseError> {
    let program = program(text);
    let mut options = RobustOptions::new(model);
    options.until = Until::AllAnswered;
    let report = robust(&program, &options, &budget()).expect("no defect");
    let report = report.minimised(&program, &budget());
    let view = RobustView::new(
        Source::of(&program).text(text),
        &report,
        Measured::default(),
    );
    let run = view.run();
    let json = json(&Report::Robust(Box::new(view)), run);
    if let (Verdict::Violated(_), Some(instance)) = (report.verdict(), report.instance()) {
        let steps = threads(&json["witness"]["steps"]);
        prop_assert!(
            steps.iter().all(|name| names(instance).contains(name)),
            "{}",
            text
        );
    }
    if report.verdict() == Verdict::Holds {
        load_bearing(&program, &options, &budget()).expect("no defect");
    }
    Ok(())
}

fn fences_are_reported(
    text: &str,
    model: Model,
    aim: Aim,
    minimise: bool,
) -> Result<(), TestCaseError> {
    let program = program(text);
    let mut options = FenceOptions::new(model, aim);
    options.minimise = minimise;
    let report = cheapest_fences(&program, &options, &budget()).expect("no defect");
    let source = Source::of(&program).text(text);
    let view = FencesView::new(
        source,
        &report,
        None,
        Repair::default(),
        Measured::default(),
    );
    let json = json(&Report::Fences(Box::new(view)), None);
    let own = names(&program);
    for key in ["fences", "removable"] {
        let named = threads(&json[key]);
        prop_assert!(
            named.iter().all(|name| own.contains(name)),
            "{}: {}",
            key,
            text
        );
    }
    Ok(())
}

fn models() -> impl Strategy<Value = Model> {
    prop::sample::select(vec![
        Model::Sc,
        Model::Sc,
        Model::Tso,
        Model::Pso,
        Model::Pgas,
    ])
}

fn weak() -> impl Strategy<Value = Model> {
    prop::sample::select(vec![Model::Tso, Model::Pso, Model::Pgas])
}

proptest! {
    #![proptest_config(config(12))]

    #[test]
    fn a_report_on_properties_is_about_the_program_and_its_runs_about_instances(
        drawn in drawn(),
        model in models(),
    ) {
        check_is_reported(&drawn, model)?;
    }
}

proptest! {
    #![proptest_config(config(8))]

    #[test]
    fn a_report_on_robustness_is_about_the_program_and_its_runs_about_instances(
        drawn in drawn(),
        model in weak(),
    ) {
        robustness_is_reported(&drawn.text(), model)?;
    }

    #[test]
    fn a_report_on_fences_is_about_the_program_and_its_runs_about_instances(
        drawn in drawn(),
        model in weak(),
        assertions in any::<bool>(),
        minimise in any::<bool>(),
    ) {
        let aim = if assertions { Aim::Assertions } else { Aim::Robustness };
        fences_are_reported(&drawn.text(), model, aim, minimise)?;
    }
}

#[test]
fn a_copy_that_takes_no_part_may_have_unreachable_code() {
    // One property names `t0.1`, and the other one is violated by a single copy, which is another one.
    let text = "shared x; thread t0[*] { local r; if (r == 1) { } } \
                final assert t0.1.r == 0; forbid x == 0;";
    let program = program(text);
    let report = checked(&program, Model::Sc, Engine::Auto);
    assert!(matches!(report.verdict(), Verdict::Violated(_)));
    let shown = Source::of(&program).text(text).show(&report).to_string();
    assert!(shown.contains("`forbid x == 0`"), "{shown}");
    // Of the class as it is declared, and of the copy that a property names.
    let dead: Vec<&str> = shown
        .lines()
        .skip_while(|line| !line.starts_with("Never executed"))
        .collect();
    assert!(
        dead.iter().any(|line| line.trim_start().starts_with("t0 ")),
        "{shown}"
    );
    assert!(
        dead.iter()
            .any(|line| line.trim_start().starts_with("t0.0 ")),
        "{shown}"
    );
}

#[test]
fn the_programs_of_the_laws_have_unreachable_code_and_copies_that_take_no_part() {
    let mut runner = TestRunner::deterministic();
    let (mut apart, mut unreachable) = (0, 0);
    for _ in 0..30 {
        let tree = drawn().new_tree(&mut runner).expect("a program");
        let text = tree.current().text();
        let program = program(&text);
        let report = checked(&program, Model::Sc, Engine::Auto);
        let view = CheckView::new(Source::of(&program), &report, Measured::default());
        let json = written(&Report::Check(Box::new(view)), MessageFormat::Json);
        let json: Value = serde_json::from_str(&json).expect("a line of JSON");
        let is_dead = !dead(&json).is_empty();
        unreachable += usize::from(is_dead);
        if let Some(instance) = report.instance() {
            let is_empty = |thread: &Thread| {
                let name = program.find_thread(thread.name());
                let of_program = name.map(|id| program.thread(id));
                thread.instructions().is_empty()
                    && of_program.is_some_and(|own| !own.instructions().is_empty())
            };
            apart += usize::from(is_dead && instance.threads().iter().any(is_empty));
        }
    }
    assert!(apart > 0 && unreachable > 10, "{apart} {unreachable}");
}
