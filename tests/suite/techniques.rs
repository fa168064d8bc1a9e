//! No technique changes an answer: each alone, any two, all but one or two, all, and none; and evidence replays.
//!
//! The law is about the whole table of techniques, whatever it contains, and four kinds of questions: a search for
//! goals by the explicit engine alone, goals, attacks, and cheapest fences. The answers to compare with are those
//! without any technique: one search for all goals of the whole program; attacks by the explicit engine, with a
//! search each. Each case draws a program, a question and some sets of techniques.
//!
//! A law about a technique that never does anything says nothing. So the last tests require that each technique
//! changes what it takes to answer, in a part of the cases.

use crate::support::{config, programs, regress, witnesses};
use config::config;
use fencepost::internals::check::{CheckOptions, Engine, Stats, Until, check};
use fencepost::internals::fences::{FenceOptions, Outcome, cheapest_fences};
use fencepost::internals::model::Model;
use fencepost::internals::reference::replay;
use fencepost::internals::robustness::{
    Method, RobustOptions, RobustReport, has_attacks, is_singular, robust,
};
use fencepost::internals::search::{Answers, check_all_with};
use fencepost::internals::techniques::Techniques;
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Aim, Goal, Program, PropertyKind, Site};
use programs::Asked;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use std::collections::{BTreeMap, BTreeSet};
use witnesses::check_witness;

/// A set of techniques.
#[derive(Clone, Debug)]
enum Chosen {
    All,
    /// These, and no others.
    Only(Vec<&'static str>),
    /// All but these.
    Without(Vec<&'static str>),
}

impl Chosen {
    /// These of the techniques. Those for long searches begin after this many configurations.
    fn of(&self, after: u32) -> Techniques {
        let eager = Techniques::eager(after);
        let without = |names: &mut dyn Iterator<Item = &'static str>| {
            names.fold(eager, |left, name| {
                left.without(name).expect("its own name")
            })
        };
        match self {
            Chosen::All => eager,
            Chosen::Only(kept) => {
                without(&mut Techniques::names().filter(|name| !kept.contains(name)))
            }
            Chosen::Without(names) => without(&mut names.iter().copied()),
        }
    }
}

/// Sets of some of these techniques, drawn so that each technique is as likely.
fn chosen(names: Vec<&'static str>) -> impl Strategy<Value = Chosen> {
    let some = prop::collection::vec(prop::sample::select(names), 1..3);
    prop_oneof![
        1 => Just(Chosen::All),
        5 => some.clone().prop_map(Chosen::Only),
        6 => some.prop_map(Chosen::Without),
    ]
}

/// The techniques that a search by the explicit engine may use.
fn of_searches() -> Vec<&'static str> {
    let changes = |name: &&'static str| {
        Chosen::Only(vec![*name]).of(0).reduction != Chosen::Only(Vec::new()).of(0).reduction
    };
    Techniques::names().filter(changes).collect()
}

fn all() -> Vec<&'static str> {
    Techniques::names().collect()
}

/// No search gets that long.
const NEVER: u32 = u32::MAX;

/// From the first configuration on, or soon, or never.
fn onset() -> impl Strategy<Value = u32> {
    prop_oneof![2 => Just(0), 1 => 1..8_u32, 1 => 8..100_u32, 2 => Just(NEVER)]
}

fn model() -> impl Strategy<Value = Model> {
    prop::sample::select(Model::ALL.to_vec())
}

fn weak() -> impl Strategy<Value = Model> {
    prop::sample::select(vec![Model::Tso, Model::Pso, Model::Pgas])
}

/// Whether a question stays open.
fn is_open(word: &str) -> bool {
    ["unknown", "within"].contains(&word)
}

/// The answers to several questions.
type Words<Q> = BTreeMap<Q, &'static str>;

/// Requires the same answer to each question, unless it stays open.
fn same<Q: Ord + std::fmt::Debug>(
    known: &Words<Q>,
    found: &Words<Q>,
    about: &dyn std::fmt::Debug,
) -> Result<(), TestCaseError> {
    for (query, word) in found {
        let known = known[query];
        prop_assert!(
            word == &known || is_open(word) || is_open(known),
            "{query:?}: {word} with {about:?}, {known} with none"
        );
    }
    Ok(())
}

/// How many configurations are visited without any technique.
const STATES: usize = 4_000;

fn search(
    asked: &Asked,
    goals: &[Goal],
    (model, states): (Model, usize),
    techniques: Techniques,
) -> Answers {
    let budget = Budget::default().with_states(states);
    check_all_with(&asked.program, model, goals, techniques.reduction, &budget)
}

fn words(answers: &Answers) -> Words<Goal> {
    let verdicts = answers.verdicts.iter();
    verdicts
        .map(|(goal, verdict)| (*goal, verdict.word()))
        .collect()
}

/// A computation does not show by itself that a thread starves from then on.
fn is_starvation(program: &Program, goal: Goal) -> bool {
    match goal {
        Goal::Property(number) => match program.properties()[number].kind {
            PropertyKind::Starved(_) => true,
            PropertyKind::Forbid
            | PropertyKind::FinalAssert
            | PropertyKind::Exists
            | PropertyKind::Stuck => false,
        },
        Goal::Assert(_) | Goal::Outside(_) => false,
    }
}

fn evidence_replays(asked: &Asked, model: Model, answers: &Answers) -> Result<(), TestCaseError> {
    for (goal, verdict) in &answers.verdicts {
        if let Verdict::Violated(steps) = verdict {
            let run = replay(&asked.program, model, steps);
            let run = run.map_err(|error| TestCaseError::fail(format!("{goal:?}: {error:?}")))?;
            let shows = run.reached.contains(goal) || is_starvation(&asked.program, *goal);
            prop_assert!(shows, "{goal:?} is not reached");
            prop_assert_eq!(run.moments.len(), steps.len());
        }
    }
    Ok(())
}

/// What is executed where nothing ends the search early: (hopeless) leaves out nothing without goals.
fn executed(answers: &Answers) -> Option<&BTreeSet<Site>> {
    answers.complete.then_some(&answers.executed)
}

/// Requires that searches with these techniques find the same: for all goals, for one alone, which observes less, and
/// for none, which visits everything. With reductions alone, they visit no more.
fn no_search_changes(
    asked: &Asked,
    model: Model,
    sets: &[(Chosen, u32)],
    alone: usize,
) -> Result<(), TestCaseError> {
    let none = Techniques::NONE;
    let plain = search(asked, &asked.goals, (model, STATES), none);
    evidence_replays(asked, model, &plain)?;
    let known = words(&plain);
    let everything = search(asked, &[], (model, STATES), none);
    let mut few = vec![asked.goals.as_slice()];
    if !asked.goals.is_empty() {
        few.push(std::slice::from_ref(
            &asked.goals[alone % asked.goals.len()],
        ));
        let found = search(asked, few[1], (model, STATES), none);
        same(&known, &words(&found), &"one goal alone")?;
    }
    for (chosen, after) in sets {
        let techniques = chosen.of(*after);
        // Fewer configurations are visited, or a few times as many where a search begins again.
        let limit = |plain: &Answers| if plain.complete { 4 * STATES } else { STATES };
        for goals in &few {
            let found = search(asked, goals, (model, limit(&plain)), techniques);
            same(&known, &words(&found), &(model, chosen, after))?;
            evidence_replays(asked, model, &found)?;
            let is_decided = !found.verdicts.iter().any(|(_, v)| is_open(v.word()));
            prop_assert!(is_decided || !plain.complete, "{chosen:?} is open");
        }
        let all = search(asked, &[], (model, limit(&everything)), techniques);
        if let (Some(known), Some(found)) = (executed(&everything), executed(&all)) {
            prop_assert_eq!(known, found, "{} {:?} {}", model, chosen, after);
        }
        if everything.complete {
            // A search that does not begin again visits a part of all configurations, or representatives.
            let is_less = all.states <= everything.states || *after < NEVER;
            prop_assert!(all.complete && is_less, "{} {:?} {}", model, chosen, after);
        }
    }
    Ok(())
}

/// The answers about all goals, and what they took.
fn answers(
    asked: &Asked,
    model: Model,
    engine: Engine,
    techniques: Techniques,
) -> Result<(Words<Goal>, Stats), TestCaseError> {
    let options = CheckOptions::new(model)
        .engine(engine)
        .until(Until::AllAnswered)
        .note_unreachable(false)
        .techniques(techniques);
    // The solver would be busy with some formulas for long.
    let budget = Budget::default().with_states(5_000).with_work(1 << 20);
    // Evidence that does not replay is a defect.
    let report = check(&asked.program, &options, &budget);
    let report = report.map_err(|defect| TestCaseError::fail(defect.to_string()))?;
    let all = report.answers().iter().chain(report.observations());
    let words = all.map(|answer| {
        if let Verdict::Violated(run) = &answer.verdict {
            let shows = run.reached.contains(&answer.goal);
            assert!(shows || is_starvation(&asked.program, answer.goal));
        }
        (answer.goal, answer.verdict.word())
    });
    Ok((words.collect(), report.stats()))
}

/// Requires that these techniques change no answer about a goal.
fn no_answer_changes(
    asked: &Asked,
    model: Model,
    engine: Engine,
    sets: &[(Chosen, u32)],
) -> Result<(), TestCaseError> {
    let goals = asked.program.goals();
    let budget = Budget::default().with_states(60_000);
    let reduction = Techniques::NONE.reduction;
    let known = words(&check_all_with(
        &asked.program,
        model,
        &goals,
        reduction,
        &budget,
    ));
    for (chosen, after) in sets {
        let (found, _) = answers(asked, model, engine, chosen.of(*after))?;
        prop_assert_eq!(found.len(), goals.len());
        same(&known, &found, &(model, engine, chosen, after))?;
    }
    Ok(())
}

/// How attacks are looked for: one delayed store does not find each of them.
fn way(program: &Program, model: Model, way: usize) -> RobustOptions {
    let options = RobustOptions::new(model);
    let auto = if is_singular(program, model) {
        Method::Locality
    } else {
        Method::Auto
    };
    match way {
        0 => options.method(auto),
        1 => options.method(Method::Locality).engine(Engine::Explicit),
        2 => options.method(Method::Locality).engine(Engine::Bmc),
        _ => options.method(Method::Direct),
    }
}

/// The answers about all attacks, the verdict if one feasible attack is enough, and what both took.
fn attacks(
    options: &RobustOptions,
    program: &Program,
    states: usize,
) -> Result<(Words<String>, Stats), TestCaseError> {
    let budget = Budget::default().with_states(states).with_work(1 << 20);
    // A witness that does not replay, or is none, is a defect.
    let decided = |options: RobustOptions| -> Result<RobustReport, TestCaseError> {
        let report = robust(program, &options, &budget);
        report.map_err(|defect| TestCaseError::fail(defect.to_string()))
    };
    let all = decided(options.clone().every(true))?;
    for (attack, run) in all.feasible() {
        let witness = check_witness(run, attack.thread, attack.store, attack.last);
        prop_assert_eq!(witness, Ok(()), "{:?}", attack);
    }
    let each = all.answers().iter();
    let each = each.map(|answer| (format!("{:?}", answer.attack), answer.verdict.word()));
    let ruled_out = all.pruned().iter();
    let mut words: Words<String> = ruled_out
        .map(|attack| (format!("{attack:?}"), "holds"))
        .collect();
    words.extend(each);
    let any = decided(options.clone().until(Until::Violated))?;
    words.insert("any".to_owned(), any.verdict().word());
    Ok((words, all.stats().plus(any.stats())))
}

/// Requires that these techniques change no answer about an attack.
fn no_attack_changes(
    program: &Program,
    options: &RobustOptions,
    sets: &[(Chosen, u32)],
) -> Result<(), TestCaseError> {
    let model = options.model;
    if !has_attacks(program, model) {
        return Ok(());
    }
    let reference = RobustOptions::new(model)
        .method(Method::Locality)
        .engine(Engine::Explicit)
        .techniques(Techniques::NONE);
    let (known, _) = attacks(&reference, program, 20_000)?;
    for (chosen, after) in sets {
        let options = options.clone().techniques(chosen.of(*after));
        let (found, _) = attacks(&options, program, 5_000)?;
        prop_assert!(found.keys().eq(known.keys()), "{chosen:?}");
        let about = (model, options.method, options.engine, chosen, after);
        same(&known, &found, &about)?;
    }
    Ok(())
}

/// The cost of the cheapest fences with all sets of that cost; `None` if that is open.
fn cheapest(
    program: &Program,
    (model, aim): (Model, Aim),
    techniques: Techniques,
) -> Result<Option<String>, TestCaseError> {
    let options = FenceOptions::new(model, aim).all().techniques(techniques);
    let budget = Budget::default().with_states(20_000).with_work(1 << 22);
    let report = cheapest_fences(program, &options, &budget);
    let report = report.map_err(|defect| TestCaseError::fail(defect.to_string()))?;
    Ok(match report.outcome() {
        Outcome::Found(found) if found.optimal && found.all && found.bounds.is_none() => {
            prop_assert_eq!(report.lower_bound(), found.cost);
            Some(format!("{} {:?}", found.cost, found.sets))
        }
        Outcome::Impossible { .. } => Some("impossible".to_owned()),
        Outcome::Found(_) | Outcome::Undecided(_) => None,
    })
}

fn sets(names: Vec<&'static str>, count: usize) -> impl Strategy<Value = Vec<(Chosen, u32)>> {
    prop::collection::vec((chosen(names), onset()), count)
}

fn engines() -> impl Strategy<Value = Engine> {
    prop_oneof![
        3 => Just(Engine::Auto),
        3 => Just(Engine::Explicit),
        2 => Just(Engine::Bmc),
        1 => Just(Engine::Ic3),
        1 => Just(Engine::Lazy),
    ]
}

proptest! {
    #![proptest_config(config(120))]

    #[test]
    fn no_technique_changes_a_search(
        asked in programs::with_goals(),
        model in model(),
        sets in sets(of_searches(), 12),
        alone in 0..100_usize,
    ) {
        no_search_changes(&asked, model, &sets, alone)?;
    }
}

proptest! {
    #![proptest_config(config(250))]

    #[test]
    fn no_technique_changes_a_search_of_threads_that_are_alike(
        asked in programs::of_threads_that_are_alike(),
        model in model(),
        sets in sets(of_searches(), 8),
        alone in 0..100_usize,
    ) {
        no_search_changes(&asked, model, &sets, alone)?;
    }
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn no_technique_changes_a_search_for_threads_at_locations(
        asked in programs::at_locations(),
        model in model(),
        sets in sets(of_searches(), 16),
        alone in 0..100_usize,
    ) {
        no_search_changes(&asked, model, &sets, alone)?;
    }

    #[test]
    fn no_technique_changes_an_answer(
        asked in programs::with_goals(),
        model in model(),
        engine in engines(),
        sets in sets(all(), 10),
    ) {
        no_answer_changes(&asked, model, engine, &sets)?;
    }

    #[test]
    fn no_technique_changes_an_answer_about_waiting(
        program in programs::waiting(),
        model in model(),
        engine in engines(),
        sets in sets(all(), 10),
    ) {
        no_answer_changes(&program.into(), model, engine, &sets)?;
    }

    #[test]
    fn no_technique_changes_an_attack(
        asked in programs::with_attacks(),
        model in weak(),
        way in 0..4_usize,
        sets in sets(all(), 8),
    ) {
        let options = self::way(&asked.program, model, way);
        no_attack_changes(&asked.program, &options, &sets)?;
    }

    #[test]
    fn no_technique_changes_the_cheapest_fences(
        asked in programs::to_fence(),
        model in prop::sample::select(vec![Model::Tso, Model::Pso]),
        aim in prop::sample::select(vec![Aim::Robustness, Aim::Assertions]),
        sets in sets(all(), 2),
    ) {
        let query = (model, aim);
        let known = cheapest(&asked.program, query, Techniques::NONE)?;
        for (chosen, after) in &sets {
            let found = cheapest(&asked.program, query, chosen.of(*after))?;
            let is_open = known.is_none() || found.is_none();
            prop_assert!(is_open || known == found, "{chosen:?}: {found:?}, not {known:?}");
        }
    }
}

/// Each program of these was written for one rule, such as one dependency between threads that a search must not
/// overlook. All techniques alone, all but one, and all.
#[test]
fn no_technique_changes_an_answer_about_the_rules() {
    let mut sets = vec![(Chosen::All, 0), (Chosen::All, 5)];
    for name in of_searches() {
        sets.extend([Chosen::Only(vec![name]), Chosen::Without(vec![name])].map(|set| (set, 0)));
    }
    let mut small = 0;
    for (path, program) in regress::programs() {
        if program.sites().count() > 18 || program.threads().len() > 4 {
            continue;
        }
        small += 1;
        let asked = program.into();
        for model in Model::ALL {
            let unchanged = no_search_changes(&asked, model, &sets, 0);
            unchanged.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }
    assert!(small > 40, "{small}");
}

/// How many cases are drawn to see which techniques do something.
const DRAWN: usize = 120;

/// A technique that changes what it takes to answer in fewer cases than this would be hardly tested.
const LEAST: usize = 3;

/// Whether a technique changes what it takes to answer: by itself, among all the others, or among all but one of these,
/// which may leave nothing for it to do.
fn fires<W: PartialEq>(
    name: &'static str,
    rivals: &[&'static str],
    work: impl Fn(Techniques) -> W,
) -> bool {
    let changes = |with: Chosen, without: Chosen| work(with.of(0)) != work(without.of(0));
    changes(Chosen::Only(vec![name]), Chosen::Only(Vec::new()))
        || changes(Chosen::All, Chosen::Without(vec![name]))
        || rivals.iter().filter(|rival| **rival != name).any(|&rival| {
            changes(
                Chosen::Without(vec![rival]),
                Chosen::Without(vec![rival, name]),
            )
        })
}

/// Counts by technique in how many of the cases drawn it does something.
fn count(
    cases: impl Strategy<Value = (Asked, Model)>,
    names: &[&'static str],
    fires: impl Fn(&'static str, &Asked, Model) -> bool,
) -> BTreeMap<&'static str, usize> {
    let mut runner = TestRunner::deterministic();
    let mut fired: BTreeMap<&str, usize> = names.iter().map(|&name| (name, 0)).collect();
    for _ in 0..DRAWN {
        let (asked, model) = cases.new_tree(&mut runner).expect("a case").current();
        for &name in names {
            *fired.entry(name).or_default() += usize::from(fires(name, &asked, model));
        }
    }
    fired
}

#[test]
fn every_technique_of_searches_changes_what_some_take() {
    let cases = (programs::with_goals(), model());
    let fired = count(cases, &of_searches(), |name, asked, model| {
        fires(name, &of_searches(), |techniques| {
            search(asked, &asked.goals, (model, STATES), techniques).states
        })
    });
    assert!(fired.values().all(|&count| count >= LEAST), "{fired:?}");
}

#[test]
fn every_other_technique_changes_what_some_answers_take() {
    let names: Vec<&str> = all()
        .into_iter()
        .filter(|name| !of_searches().contains(name))
        .collect();
    let of_goals = count(
        (programs::with_goals(), model()),
        &names,
        |name, asked, model| {
            [Engine::Explicit, Engine::Bmc].into_iter().any(|engine| {
                fires(name, &[], |techniques| {
                    answers(asked, model, engine, techniques).expect("no defect")
                })
            })
        },
    );
    let of_attacks = count(
        (programs::with_attacks(), weak()),
        &names,
        |name, asked, model| {
            has_attacks(&asked.program, model)
                && fires(name, &[], |techniques| {
                    let options = way(&asked.program, model, 1).techniques(techniques);
                    attacks(&options, &asked.program, 5_000)
                        .expect("no defect")
                        .1
                })
        },
    );
    let count = |name: &&str| of_goals[name] + of_attacks[name];
    assert!(
        names.iter().all(|name| count(name) >= LEAST),
        "{of_goals:?} {of_attacks:?}"
    );
}
