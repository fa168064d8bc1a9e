//! Cheapest fences against brute force: every subset of places is inserted into the program, and checked
//! against the definition of the aim. Neither uses cuts, switches or attacks.

use crate::support::{config, random};
use config::config;
use fencepost::internals::fences::{
    Algorithm, FenceOptions, FenceReport, Kinds, Obstacle, Outcome, Place, Sets, cheapest_fences,
    places,
};
use fencepost::internals::model::Model;
use fencepost::internals::search::{check_all, cyclic};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Aim, Change, Fence, FenceKind, LocId, Op, Program, ThreadId, print};
use proptest::prelude::*;
use random::{Shape, sketch};
use std::collections::BTreeSet;

const WEAK: [Model; 3] = [Model::Tso, Model::Pso, Model::Pgas];
const STATES: usize = 2_000;

/// Programs without `barrier all`, short enough to try all subsets.
const SMALL: Shape = Shape {
    longest: 3,
    atomic: 1,
    wild: 0,
    loops: 1,
    ..Shape::ALL
};

/// Whether the aim is met; `None` if the program is too large to check against the definition.
fn is_good(program: &Program, model: Model, aim: Aim) -> Option<bool> {
    let budget = Budget::default().with_states(STATES);
    match aim {
        Aim::Robustness => match cyclic(program, model, &budget).0 {
            Verdict::Holds => Some(true),
            Verdict::Violated(_) => Some(false),
            Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
        },
        Aim::Assertions => {
            let goals: Vec<_> = program.goals();
            let goals: Vec<_> = goals
                .into_iter()
                .filter(|goal| !is_observed(program, *goal))
                .collect();
            if goals.is_empty() {
                return Some(true);
            }
            let answers = check_all(program, model, &goals, &budget);
            let mut verdicts = answers.verdicts.iter().map(|(_, verdict)| verdict);
            if verdicts.clone().any(|v| matches!(v, Verdict::Violated(_))) {
                return Some(false);
            }
            verdicts.all(|v| *v == Verdict::Holds).then_some(true)
        }
    }
}

fn is_observed(program: &Program, goal: fencepost::program::Goal) -> bool {
    match goal {
        fencepost::program::Goal::Property(index) => {
            program.properties()[index].kind == fencepost::program::PropertyKind::Exists
        }
        fencepost::program::Goal::Assert(_) | fencepost::program::Goal::Outside(_) => false,
    }
}

/// Every location where a full fence could be inserted.
fn locations(program: &Program) -> Vec<(ThreadId, LocId)> {
    let mut all = Vec::new();
    for id in program.thread_ids() {
        let thread = program.thread(id);
        for (index, location) in thread.locations().iter().enumerate() {
            if !location.atomic && !thread.is_end(index.into()) {
                all.push((id, index.into()));
            }
        }
    }
    all
}

/// The subsets with `members` elements of the first `things` numbers, in no particular order.
fn subsets(things: usize, members: usize) -> Vec<Vec<usize>> {
    if members == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for last in (members - 1)..things {
        for mut rest in subsets(last, members - 1) {
            rest.push(last);
            all.push(rest);
        }
    }
    all
}

fn has_barrier(program: &Program) -> bool {
    let mut sites = program.sites();
    sites.any(|(_, i)| i.op == Op::Fence(Fence::All))
}

fn ask(program: &Program, options: &FenceOptions) -> Result<FenceReport, TestCaseError> {
    cheapest_fences(program, options, &Budget::default())
        .map_err(|defect| TestCaseError::fail(format!("{defect}\n{}", print(program))))
}

fn found<'r>(
    program: &Program,
    report: &'r FenceReport,
) -> Result<Option<&'r Sets>, TestCaseError> {
    match report.outcome() {
        Outcome::Found(found) => {
            prop_assert!(found.optimal, "{}", print(program));
            prop_assert_eq!(report.lower_bound(), found.cost);
            Ok(Some(found))
        }
        Outcome::Impossible { .. } => Ok(None),
        Outcome::Undecided(reason) => {
            Err(TestCaseError::fail(format!("{reason}\n{}", print(program))))
        }
    }
}

/// Full fences at locations.
fn full(program: &Program, points: &[(ThreadId, LocId)]) -> Program {
    let changes: Vec<Change> = points
        .iter()
        .map(|&(thread, loc)| Change::Fence {
            thread,
            loc,
            fence: Fence::Full,
        })
        .collect();
    program.changed(&changes)
}

fn with(program: &Program, set: &[&Place]) -> Program {
    let changes: Vec<Change> = set
        .iter()
        .flat_map(|place| place.changes(program))
        .collect();
    program.changed(&changes)
}

/// Checks that no smaller set of full fences anywhere in the program suffices.
fn nothing_cheaper(program: &Program, model: Model, aim: Aim) -> Result<(), TestCaseError> {
    let all = locations(program);
    // Programs that are too large for the definition are inconclusive.
    prop_assume!(is_good(program, model, aim).is_some());
    let options = FenceOptions::new(model, aim);
    let report = ask(program, &options)?;
    let Some(found) = found(program, &report)? else {
        let fenced = is_good(&full(program, &all), model, aim);
        prop_assert_ne!(
            fenced,
            Some(true),
            "{} {:?}\n{}",
            model,
            aim,
            print(program)
        );
        return Ok(());
    };
    let best: Vec<&Place> = found.sets[0].iter().collect();
    let repaired = with(program, &best);
    prop_assert_ne!(
        is_good(&repaired, model, aim),
        Some(false),
        "{}",
        print(&repaired)
    );
    for fewer in 0..best.len() {
        for subset in subsets(all.len(), fewer) {
            let points: Vec<_> = subset.into_iter().map(|n| all[n]).collect();
            let good = is_good(&full(program, &points), model, aim);
            prop_assert_ne!(
                good,
                Some(true),
                "{} {:?}: {:?} suffice\n{}",
                model,
                aim,
                points,
                print(program)
            );
        }
    }
    for (number, _) in best.iter().enumerate() {
        let needed = found.needed.iter().any(|needed| needed.place == number);
        prop_assert!(needed, "a fence that is not needed\n{}", print(program));
    }
    Ok(())
}

/// A place of each kind at every location where it is allowed, whether or not it is useful.
fn everywhere(program: &Program, kinds: &Kinds) -> Vec<Place> {
    let mut all = Vec::new();
    for (thread, loc) in locations(program) {
        for &(kind, factor) in &kinds.0 {
            let automaton = program.thread(thread);
            let mut leaving = automaton.outgoing(loc).iter();
            if kind == FenceKind::Exchange
                && !leaving.all(|&i| automaton.instruction(i).op.is_store())
            {
                continue;
            }
            all.push(Place {
                points: vec![(thread, loc)],
                kind,
                cost: factor,
                each: vec![factor],
            });
        }
    }
    all
}

/// Compares the least cost, and all sets of that cost, over places with kinds and costs.
fn all_optima(
    program: &Program,
    model: Model,
    aim: Aim,
    kinds: &Kinds,
    formula_after: usize,
) -> Result<(), TestCaseError> {
    let options = FenceOptions::new(model, aim)
        .kinds(kinds.0.clone())
        .formula_after(formula_after)
        .all();
    let report = ask(program, &options)?;
    let useful = places(program, program, model, kinds, &options.costs);
    let candidates = everywhere(program, kinds);
    // No place that is omitted is useful.
    prop_assert!(useful.iter().all(|place| candidates.contains(place)));
    prop_assume!(candidates.len() <= 7 && is_good(program, model, aim).is_some());
    let mut least: Option<(u64, BTreeSet<Vec<usize>>)> = None;
    for members in 0..=candidates.len() {
        for subset in subsets(candidates.len(), members) {
            let set: Vec<&Place> = subset.iter().map(|&n| &candidates[n]).collect();
            let cost: u64 = set.iter().map(|place| u64::from(place.cost)).sum();
            if least.as_ref().is_some_and(|(least, _)| *least < cost) {
                continue;
            }
            let Some(good) = is_good(&with(program, &set), model, aim) else {
                return Err(TestCaseError::reject("too large"));
            };
            match &mut least {
                _ if !good => {}
                Some((known, sets)) if *known == cost => {
                    sets.insert(subset);
                }
                _ => least = Some((cost, BTreeSet::from([subset]))),
            }
        }
    }
    let Some(found) = found(program, &report)? else {
        prop_assert_eq!(least, None, "{} {:?}\n{}", model, aim, print(program));
        return Ok(());
    };
    let Some((cost, sets)) = least else {
        return Err(TestCaseError::fail(format!(
            "nothing suffices\n{}",
            print(program)
        )));
    };
    prop_assert_eq!(found.cost, cost, "{} {:?}\n{}", model, aim, print(program));
    prop_assert!(found.all);
    let numbers = |set: &Vec<Place>| -> Vec<usize> {
        let number = |place: &Place| candidates.iter().position(|other| other == place);
        set.iter().filter_map(number).collect()
    };
    let got: BTreeSet<Vec<usize>> = found.sets.iter().map(numbers).collect();
    prop_assert_eq!(got, sets, "{}\n{}", model, print(program));
    Ok(())
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn no_fewer_fences_make_a_program_robust(sketch in sketch(SMALL)) {
        let program = sketch.build();
        prop_assume!(!has_barrier(&program) && locations(&program).len() <= 10);
        for model in WEAK {
            nothing_cheaper(&program, model, Aim::Robustness)?;
        }
    }

    #[test]
    fn no_fewer_fences_make_the_properties_hold(sketch in sketch(SMALL)) {
        let program = sketch.build();
        prop_assume!(sketch.observed.there && locations(&program).len() <= 10);
        for model in WEAK {
            let sequential = is_good(&program, Model::Sc, Aim::Assertions);
            let report = ask(&program, &FenceOptions::new(model, Aim::Assertions))?;
            if let Outcome::Impossible { obstacle, .. } = report.outcome() {
                let is_sequential = *obstacle == Obstacle::Sequential;
                prop_assert_eq!(Some(!is_sequential), sequential, "{}", print(&program));
            }
            nothing_cheaper(&program, model, Aim::Assertions)?;
        }
    }

    #[test]
    fn all_cheapest_sets_are_found(
        sketch in sketch(SMALL), costs in (1..4_u32, 1..4_u32, 1..4_u32),
        // The formula first, or only after searches.
        after in prop::sample::select(vec![0, usize::MAX]),
    ) {
        let program = sketch.build();
        prop_assume!(!has_barrier(&program) && sketch.observed.there);
        let kinds = Kinds(vec![
            (FenceKind::Full, costs.0),
            (FenceKind::Store, costs.1),
            (FenceKind::Exchange, costs.2),
        ]);
        for model in WEAK {
            for kinds in [&Kinds::default(), &kinds] {
                all_optima(&program, model, Aim::Robustness, kinds, after)?;
                all_optima(&program, model, Aim::Assertions, kinds, after)?;
            }
        }
    }

    #[test]
    fn eliminating_each_attack_separately_costs_the_same(sketch in sketch(SMALL)) {
        let program = sketch.build();
        prop_assume!(!has_barrier(&program));
        for model in WEAK {
            let options = FenceOptions::new(model, Aim::Robustness);
            let ilp = options.clone().algorithm(Algorithm::Ilp);
            let (a, b) = (ask(&program, &options)?, ask(&program, &ilp)?);
            let cost = |report: &FenceReport| -> Result<_, TestCaseError> {
                Ok(found(&program, report)?.map(|found| found.cost))
            };
            prop_assert_eq!(cost(&a)?, cost(&b)?, "{}\n{}", model, print(&program));
        }
    }

    #[test]
    fn as_few_fences_stay_as_possible(
        sketch in sketch(Shape { fences: 12, ..SMALL }),
    ) {
        let program = sketch.build();
        prop_assume!(!has_barrier(&program) && sketch.observed.there);
        let fences: Vec<Change> = program
            .sites()
            .filter(|(_, i)| matches!(i.op, Op::Fence(Fence::Full | Fence::Store)))
            .map(|(site, _)| Change::Remove(site))
            .collect();
        prop_assume!(fences.len() <= 6);
        for model in WEAK {
            for aim in [Aim::Robustness, Aim::Assertions] {
                let options = FenceOptions::new(model, aim).minimise();
                let report = ask(&program, &options)?;
                let mut most = None;
                for count in 0..=fences.len() {
                    for subset in subsets(fences.len(), count) {
                        let gone: Vec<Change> =
                            subset.into_iter().map(|n| fences[n].clone()).collect();
                        let good = is_good(&program.changed(&gone), model, aim);
                        prop_assume!(good.is_some());
                        most = if good == Some(true) { Some(count) } else { most };
                    }
                }
                let Some(found) = found(&program, &report)? else {
                    prop_assert_eq!(most, None, "{}\n{}", model, print(&program));
                    continue;
                };
                prop_assert_eq!(
                    Some(fences.len() - found.sets[0].len()), most, "{}\n{}", model, print(&program)
                );
                let changes = report.changes(&program).unwrap_or_default();
                prop_assert_eq!(changes.len() + found.sets[0].len(), fences.len());
                let good = is_good(&program.changed(&changes), model, aim);
                prop_assert_eq!(good, Some(true), "{}\n{}", model, print(&program));
            }
        }
    }
}
