//! Programs whose threads fall into components that share no cell: attacks and cheapest sets of fences are those of the
//! components, and agree with the definitions on the whole program.

use crate::support::{config, programs};
use config::config;
use fencepost::internals::fences::{
    FenceOptions, FenceReport, Outcome, Place, cheapest_fences, places,
};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{RobustOptions, RobustReport, check_witness, robust};
use fencepost::internals::search::{check_all, cyclic};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Aim, Change, Goal, Program, PropertyKind};
use programs::components::{components, is_apart, text};
use proptest::prelude::*;

const STATES: usize = 20_000;
/// The same for configurations with traces, which are far more expensive.
const TRACES: usize = 1_000;
const WEAK: [Model; 2] = [Model::Tso, Model::Pso];

fn program(text: &str) -> Program {
    parse(text).program.expect("no errors in the text")
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
        let written = text(&components, 0);
        let program = program(&written);
        for model in WEAK {
            let whole = attacks(&program, model)?;
            for (attack, run) in whole.feasible() {
                prop_assert_eq!(check_witness(run, attack), Ok(()), "{}", written);
                // The witness is a computation of the whole program.
                let steps: Vec<_> = run.moments.iter().map(|moment| moment.step).collect();
                let replayed = fencepost::internals::reference::replay(&program, model, &steps);
                prop_assert!(replayed.is_ok(), "{}", written);
            }
            let budget = Budget::default().with_states(TRACES);
            match cyclic(&program, model, &budget).0 {
                Verdict::Holds => prop_assert_eq!(whole.feasible().count(), 0, "{}", written),
                Verdict::Violated(_) => prop_assert!(whole.feasible().count() > 0, "{}", written),
                Verdict::HoldsWithin(_) | Verdict::Unknown(_) => {}
            }
            if is_apart(&components) {
                let mut sum = 0;
                for (number, component) in components.iter().enumerate() {
                    let own = text(std::slice::from_ref(component), number);
                    sum += attacks(&self::program(&own), model)?.feasible().count();
                }
                prop_assert_eq!(whole.feasible().count(), sum, "{}", written);
            }
        }
    }

    #[test]
    fn the_cheapest_sets_of_a_program_are_those_of_its_components(components in components()) {
        let written = text(&components, 0);
        let program = program(&written);
        for model in WEAK {
            let options = FenceOptions::new(model, Aim::Robustness).all();
            let whole = sets(&fences(&program, &options)?)?;
            if is_apart(&components) {
                let mut sum = Some(0);
                for (number, component) in components.iter().enumerate() {
                    let own = text(std::slice::from_ref(component), number);
                    let found = sets(&fences(&self::program(&own), &options)?)?;
                    sum = sum.zip(found).map(|(sum, (cost, _))| sum + cost);
                }
                prop_assert_eq!(whole.as_ref().map(|(cost, _)| *cost), sum, "{}", written);
            }
            let budget = Budget::default().with_states(TRACES);
            if let Some((_, found)) = &whole {
                for set in found.iter().take(3) {
                    let verdict = cyclic(&with(&program, set), model, &budget).0;
                    prop_assert!(!matches!(verdict, Verdict::Violated(_)), "{}", written);
                }
            }
        }
    }

    #[test]
    fn fences_for_properties_of_components_are_cheapest(components in components()) {
        let written = text(&components, 0);
        let program = program(&written);
        for model in WEAK {
            let options = FenceOptions::new(model, Aim::Assertions);
            let Some((cost, found)) = sets(&fences(&program, &options)?)? else {
                let all = places(&program, &program, model, &options.kinds, &options.costs);
                prop_assert_ne!(holds(&with(&program, &all), model), Some(true), "{}", written);
                continue;
            };
            prop_assert_ne!(holds(&with(&program, &found[0]), model), Some(false), "{}", written);
            prop_assert!(cost == 0 || holds(&program, model) != Some(true), "{}", written);
            let all = places(&program, &program, model, &options.kinds, &options.costs);
            if cost == 2 {
                for place in all {
                    let fewer = with(&program, &[place]);
                    prop_assert_ne!(holds(&fewer, model), Some(true), "{}", written);
                }
            }
        }
    }
}
