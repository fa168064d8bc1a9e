//! A statement that does nothing changes no answer: `skip;` is inserted at arbitrary positions of a text,
//! and every command is run before and after.

use crate::support::{config, drafts};
use config::config;
use drafts::{Draft, annotated, asking, lines, plain};
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::fences::{FenceOptions, Outcome, cheapest_fences};
use fencepost::internals::formats::Parsed;
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{Method, RobustOptions, robust};
use fencepost::internals::verdict::Budget;
use fencepost::parse;
use fencepost::program::Aim;
use proptest::prelude::*;
use proptest::sample::Index;

/// The name and the answer of each query about a text.
type Answers = Vec<(String, String)>;

fn budget() -> Budget {
    Budget::default().with_states(5_000).with_work(2 << 20)
}

fn read(text: &str) -> Result<Parsed, TestCaseError> {
    let parsed = parse(text);
    if parsed.program.is_none() {
        let diagnostics = &parsed.diagnostics;
        return Err(TestCaseError::fail(format!("{diagnostics:?}\n{text}")));
    }
    Ok(parsed)
}

/// The answers of the engines for each goal.
fn checked(text: &str, model: Model) -> Result<Answers, TestCaseError> {
    let parsed = read(text)?;
    let mut answers = Answers::new();
    for engine in [Engine::Explicit, Engine::Bmc, Engine::Lazy] {
        let supported = engine != Engine::Lazy || model == Model::Tso;
        let Some(program) = parsed.program.as_ref().filter(|_| supported) else {
            continue;
        };
        let options = CheckOptions::new(model).engine(engine);
        let report = check(program, &options, &budget());
        let report = report.map_err(|defect| TestCaseError::fail(format!("{defect}\n{text}")))?;
        for (at, answer) in report
            .answers()
            .iter()
            .chain(report.observations())
            .enumerate()
        {
            let query = format!("goal {at} by {engine:?} under {model}");
            answers.push((query, answer.verdict.word().to_owned()));
        }
    }
    Ok(answers)
}

/// The answers of the methods for robustness.
fn robustness(text: &str, model: Model) -> Result<Answers, TestCaseError> {
    let parsed = read(text)?;
    let mut answers = Answers::new();
    for (method, engine) in [
        (Method::Auto, Engine::Auto),
        (Method::Locality, Engine::Explicit),
        (Method::Direct, Engine::Auto),
    ] {
        let Some(program) = &parsed.program else {
            continue;
        };
        let options = RobustOptions::new(model).method(method).engine(engine);
        let report = robust(program, &options, &budget());
        let report = report.map_err(|defect| TestCaseError::fail(format!("{defect}\n{text}")))?;
        let query = format!("robust by {method:?} under {model}");
        answers.push((query, report.verdict().word().to_owned()));
        let query = format!("candidates of {method:?} under {model}");
        answers.push((query, report.candidates().to_string()));
    }
    Ok(answers)
}

/// The cost of the cheapest fences.
fn fenced(text: &str, model: Model) -> Result<Answers, TestCaseError> {
    let parsed = read(text)?;
    let mut answers = Answers::new();
    for aim in [Aim::Robustness, Aim::Assertions] {
        let Some(program) = parsed.positions() else {
            continue;
        };
        let report = cheapest_fences(program, &FenceOptions::new(model, aim), &budget());
        let report = report.map_err(|defect| TestCaseError::fail(format!("{defect}\n{text}")))?;
        let cost = match report.outcome() {
            Outcome::Found(found) => {
                let within = if found.bounds.is_some() {
                    ", within"
                } else {
                    ""
                };
                format!("{}, optimal: {}{within}", found.cost, found.optimal)
            }
            Outcome::Impossible { obstacle, .. } => format!("impossible: {obstacle:?}"),
            Outcome::Undecided(_) => "unknown".to_owned(),
        };
        answers.push((format!("fences for {aim:?} under {model}"), cost));
    }
    Ok(answers)
}

fn the_same(
    draft: &Draft,
    positions: &[Index],
    ask: impl Fn(&str) -> Result<Answers, TestCaseError>,
) -> Result<(), TestCaseError> {
    let all = draft.positions();
    let chosen: Vec<usize> = positions.iter().map(|index| index.get(&all).0).collect();
    let (without, with) = (draft.with(&[]), draft.written_at(&chosen, "skip"));
    let (before, after) = (ask(&without)?, ask(&with)?);
    for ((query, before), (again, after)) in before.iter().zip(&after) {
        prop_assert_eq!(query, again);
        // A program with more states exceeds the budget earlier.
        let open = before == "unknown" || after == "unknown";
        prop_assert!(
            open || before == after,
            "{query}: {before} of\n{without}\nand {after} of\n{with}"
        );
    }
    prop_assert_eq!(before.len(), after.len());
    Ok(())
}

fn drafts() -> BoxedStrategy<Draft> {
    let second = prop::collection::vec(annotated(plain()), 1..4);
    (lines(), second)
        .prop_map(|(first, second)| asking(&first, &second))
        .boxed()
}

fn positions() -> BoxedStrategy<Vec<Index>> {
    prop::collection::vec(any::<Index>(), 1..4).boxed()
}

fn weak() -> BoxedStrategy<Model> {
    prop_oneof![Just(Model::Tso), Just(Model::Pso)].boxed()
}

proptest! {
    #![proptest_config(config(30))]

    #[test]
    fn a_skip_changes_no_goal(
        draft in drafts(),
        positions in positions(),
        model in prop_oneof![Just(Model::Sc), Just(Model::Tso), Just(Model::Pso), Just(Model::Pgas)],
    ) {
        the_same(&draft, &positions, |text| checked(text, model))?;
    }

    #[test]
    fn a_skip_changes_nothing_about_robustness(
        draft in drafts(),
        positions in positions(),
        model in prop_oneof![Just(Model::Tso), Just(Model::Pso), Just(Model::Pgas)],
    ) {
        the_same(&draft, &positions, |text| robustness(text, model))?;
    }

    #[test]
    fn a_skip_changes_no_least_cost(draft in drafts(), positions in positions(), model in weak()) {
        the_same(&draft, &positions, |text| fenced(text, model))?;
    }
}
