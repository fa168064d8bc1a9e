//! Programs whose threads fall into components that share no cell: searching them apart is the same as
//! searching them together, and agrees with the definitions on the whole program.

use crate::support::config;
use config::config;
use fencepost::internals::fences::{
    FenceOptions, FenceReport, Outcome, Place, cheapest_fences, places,
};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{RobustOptions, RobustReport, check_witness, robust};
use fencepost::internals::search::{check_all, cyclic};
use fencepost::internals::techniques::{PassName, Passes, When};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Aim, Change, Goal, Program, PropertyKind};
use proptest::prelude::*;
use std::fmt::Write as _;

const STATES: usize = 20_000;
/// The same for configurations with traces, which are far more expensive.
const TRACES: usize = 1_000;
const WEAK: [Model; 2] = [Model::Tso, Model::Pso];

/// Statements over the cells `X` and `Y` of a component. No statement writes `c`, except the last.
const STATEMENTS: [&str; 18] = [
    "X = 1;",
    "Y = 1;",
    "X = 1;",
    "Y = 2;",
    "r = X;",
    "r = Y;",
    "s = X;",
    "s = Y;",
    "fence;",
    "r = xchg(X, 1);",
    "atomic { X = 1; r = Y; }",
    "atomic { s = X; Y = 1; }",
    "while (X == 0) { }",
    "if (r == 1) { Y = 2; }",
    "assert(r != 2);",
    "s = c;",
    "assume(r == s);",
    "c = 1;",
];

/// The bodies of the threads of one component.
type Component = Vec<Vec<usize>>;

fn component() -> BoxedStrategy<Component> {
    let last = STATEMENTS.len() - 1;
    let statement = prop_oneof![24 => 0..last, 1 => Just(last)];
    let around = prop::collection::vec(statement.clone(), 0..2).prop_map(|between| {
        let body = |store, load| [vec![store], between.clone(), vec![load]].concat();
        vec![body(0, 5), body(1, 6)]
    });
    let any = prop::collection::vec(prop::collection::vec(statement, 1..4), 1..3);
    prop_oneof![2 => around, 1 => any].boxed()
}

/// Two or three components, some of them alike, or a single one.
fn components() -> BoxedStrategy<Vec<Component>> {
    prop_oneof![
        4 => prop::collection::vec(component(), 2),
        2 => component().prop_map(|one| vec![one.clone(), one]),
        1 => prop::collection::vec(component().prop_map(|mut c| { c.truncate(2); c }), 1..3),
    ]
    .boxed()
}

/// The program of these components, numbered from this one.
fn text(components: &[Component], first: usize) -> String {
    let mut text = "shared c;\n".to_owned();
    for (number, bodies) in components.iter().enumerate() {
        let k = first + number;
        let _ = writeln!(text, "shared x{k}, y{k};");
        for (index, body) in bodies.iter().enumerate() {
            let body: Vec<String> = body
                .iter()
                .map(|&n| STATEMENTS[n].replace('X', &format!("x{k}")))
                .map(|statement| statement.replace('Y', &format!("y{k}")))
                .collect();
            let body = body.join(" ");
            let _ = writeln!(text, "thread t{k}{index} {{ local r, s; {body} }}");
        }
        let _ = writeln!(text, "final assert t{k}0.r == 1 || y{k} == 0;");
        let _ = writeln!(text, "forbid t{k}0.r == 2 && x{k} == 0;");
    }
    if components.len() > 1 {
        let _ = writeln!(text, "forbid t00.r == 1 && t10.r == 2;");
        let _ = writeln!(text, "final assert x0 == 1 || y1 != 2;");
    }
    text
}

fn program(text: &str) -> Program {
    parse(text).program.expect("no errors in the text")
}

fn is_apart(components: &[Component]) -> bool {
    let joins = STATEMENTS.len() - 1;
    let mut statements = components.iter().flatten().flatten();
    !statements.any(|&statement| statement == joins)
}

fn attacks(program: &Program, model: Model) -> Result<RobustReport, TestCaseError> {
    let report = robust(program, &RobustOptions::new(model), &Budget::default());
    report.map_err(|error| TestCaseError::fail(error.to_string()))
}

fn fences(program: &Program, options: &FenceOptions) -> Result<FenceReport, TestCaseError> {
    let report = cheapest_fences(program, options, &Budget::default());
    report.map_err(|defect| TestCaseError::fail(defect.to_string()))
}

/// The cost, and all sets of that cost.
type Cheapest = (u64, Vec<Vec<Place>>);

/// `None` if no set suffices.
fn sets(report: &FenceReport) -> Result<Option<Cheapest>, TestCaseError> {
    match report.outcome() {
        Outcome::Found(found) => {
            prop_assert!(found.optimal);
            prop_assert_eq!(report.lower_bound(), found.cost);
            Ok(Some((found.cost, found.sets.clone())))
        }
        Outcome::Impossible { .. } => Ok(None),
        Outcome::Undecided(reason) => Err(TestCaseError::fail(reason.to_string())),
    }
}

/// Whether the properties hold, by enumeration; `None` if the program is too large.
fn holds(program: &Program, model: Model) -> Option<bool> {
    let is_observed = |goal: &Goal| match *goal {
        Goal::Property(n) => program.properties()[n].kind == PropertyKind::Exists,
        Goal::Assert(_) | Goal::Outside(_) => false,
    };
    let goals: Vec<Goal> = program
        .goals()
        .into_iter()
        .filter(|g| !is_observed(g))
        .collect();
    let budget = Budget::default().with_states(STATES);
    let found = check_all(program, model, &goals, &budget).verdicts;
    let mut verdicts = found.iter().map(|(_, verdict)| verdict);
    if verdicts.clone().any(|v| matches!(v, Verdict::Violated(_))) {
        return Some(false);
    }
    verdicts.all(|v| *v == Verdict::Holds).then_some(true)
}

fn with(program: &Program, set: &[Place]) -> Program {
    let changes: Vec<Change> = set
        .iter()
        .flat_map(|place| place.changes(program))
        .collect();
    program.changed(&changes)
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn the_attacks_of_a_program_are_those_of_its_components(components in components()) {
        let text = text(&components, 0);
        let program = program(&text);
        for model in WEAK {
            let whole = attacks(&program, model)?;
            for (attack, run) in whole.feasible() {
                prop_assert_eq!(check_witness(run, attack), Ok(()), "{}", text);
                // The witness is a computation of the whole program.
                let steps: Vec<_> = run.moments.iter().map(|moment| moment.step).collect();
                let replayed = fencepost::internals::reference::replay(&program, model, &steps);
                prop_assert!(replayed.is_ok(), "{}", text);
            }
            let budget = Budget::default().with_states(TRACES);
            match cyclic(&program, model, &budget).0 {
                Verdict::Holds => prop_assert_eq!(whole.feasible().count(), 0, "{}", text),
                Verdict::Violated(_) => prop_assert!(whole.feasible().count() > 0, "{}", text),
                Verdict::HoldsWithin(_) | Verdict::Unknown(_) => {}
            }
            if is_apart(&components) {
                let mut sum = 0;
                for (number, component) in components.iter().enumerate() {
                    let own = self::text(std::slice::from_ref(component), number);
                    sum += attacks(&self::program(&own), model)?.feasible().count();
                }
                prop_assert_eq!(whole.feasible().count(), sum, "{}", text);
            }
        }
    }

    #[test]
    fn searching_apart_finds_the_sets_that_searching_together_finds(components in components()) {
        let text = text(&components, 0);
        let program = program(&text);
        for model in WEAK {
            let options = FenceOptions::new(model, Aim::Robustness).all();
            let together = Passes::default().with(PassName::Cone, When::Never);
            let apart = sets(&fences(&program, &options)?)?;
            let together = sets(&fences(&program, &options.clone().techniques(together))?)?;
            prop_assert_eq!(&apart, &together, "{}", text);
            if is_apart(&components) {
                let mut sum = Some(0);
                for (number, component) in components.iter().enumerate() {
                    let own = self::text(std::slice::from_ref(component), number);
                    let found = sets(&fences(&self::program(&own), &options)?)?;
                    sum = sum.zip(found).map(|(sum, (cost, _))| sum + cost);
                }
                prop_assert_eq!(apart.as_ref().map(|(cost, _)| *cost), sum, "{}", text);
            }
            let budget = Budget::default().with_states(TRACES);
            if let Some((_, found)) = &apart {
                for set in found.iter().take(3) {
                    let verdict = cyclic(&with(&program, set), model, &budget).0;
                    prop_assert!(!matches!(verdict, Verdict::Violated(_)), "{}", text);
                }
            }
        }
    }

    #[test]
    fn fences_for_properties_of_components_are_cheapest(components in components()) {
        let text = text(&components, 0);
        let program = program(&text);
        for model in WEAK {
            let options = FenceOptions::new(model, Aim::Assertions);
            let Some((cost, found)) = sets(&fences(&program, &options)?)? else {
                let all = places(&program, &program, model, &options.kinds, &options.costs);
                prop_assert_ne!(holds(&with(&program, &all), model), Some(true), "{}", text);
                continue;
            };
            prop_assert_ne!(holds(&with(&program, &found[0]), model), Some(false), "{}", text);
            prop_assert!(cost == 0 || holds(&program, model) != Some(true), "{}", text);
            let all = places(&program, &program, model, &options.kinds, &options.costs);
            if cost == 2 {
                for place in all {
                    let fewer = with(&program, &[place]);
                    prop_assert_ne!(holds(&fewer, model), Some(true), "{}", text);
                }
            }
        }
    }
}
