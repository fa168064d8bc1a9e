//! Several threads in any number of copies beside threads that exist once, and properties that name
//! different numbers of copies: each answer is compared with instances that are written out, goal by goal.

use crate::support::config::config;
use crate::support::copies::{
    Classes, delaying, delaying_with_properties, with_ends, with_properties, with_sides,
};
use crate::support::view_checker::{Rejection, verify_views};
use fencepost::internals::check::{CheckOptions, CheckReport, Engine, Until, check};
use fencepost::internals::fences::{FenceOptions, FenceReport, Outcome, cheapest_fences, places};
use fencepost::internals::formats::{Format, parse, rewrite_as};
use fencepost::internals::model::Model;
use fencepost::internals::reference::replay;
use fencepost::internals::robustness::{Method, RobustOptions, RobustReport, is_singular, robust};
use fencepost::internals::search::Reduction;
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::internals::views::view_certificate;
use fencepost::program::{Aim, Change, Fence, Goal, Op, Program};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use std::collections::BTreeMap;

/// Instances have up to this many copies in total.
const MOST: usize = 4;

fn program(text: &str) -> Program {
    let parsed = parse(text);
    let errors: Vec<String> = parsed
        .diagnostics
        .iter()
        .map(|d| d.message.clone())
        .collect();
    parsed
        .program
        .unwrap_or_else(|| panic!("{errors:?}\n{text}"))
}

/// The effort for a program with `[*]` that is usually enough.
const ENOUGH: usize = 60_000;

fn checked(text: &str, model: Model, engine: Engine) -> CheckReport {
    checked_within(text, model, engine, ENOUGH)
}

fn checked_within(text: &str, model: Model, engine: Engine, states: usize) -> CheckReport {
    let mut options = CheckOptions::new(model);
    options.engine = engine;
    options.until = Until::AllAnswered;
    options.note_unreachable = false;
    if engine == Engine::Explicit {
        options.techniques.reduction = Reduction::NONE;
    }
    let budget = Budget::default().with_states(states);
    check(&program(text), &options, &budget).expect("no defect")
}

fn attacked(text: &str, model: Model) -> RobustReport {
    let mut options = RobustOptions::new(model);
    options.until = Until::Violated;
    let budget = Budget::default().with_states(60_000);
    robust(&program(text), &options, &budget).expect("no defect")
}

/// A goal up to the copy that it is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Known<'a> {
    Assert(&'a str, usize),
    Outside(&'a str, usize),
    /// A property by its number in the text with `[*]`.
    Property(usize),
}

/// The goal of a program whose properties have these numbers.
fn known<'a>(program: &'a Program, goal: Goal, numbers: &[usize]) -> Known<'a> {
    let class = |thread| {
        let name = program.thread(thread).name();
        name.split('.').next().unwrap_or(name)
    };
    match goal {
        Goal::Assert(site) => Known::Assert(class(site.thread), site.instr.index()),
        Goal::Outside(site) => Known::Outside(class(site.thread), site.instr.index()),
        Goal::Property(number) => Known::Property(numbers[number]),
    }
}

/// What an instance reaches: by goal, whether it does; `None` if that is not known.
fn reached<'a>(
    instance: &'a Program,
    report: &CheckReport,
    numbers: &[usize],
) -> BTreeMap<Known<'a>, Option<bool>> {
    let mut all: BTreeMap<Known<'a>, Option<bool>> = BTreeMap::new();
    for answer in report.answers().iter().chain(report.observations()) {
        let here = match answer.verdict {
            Verdict::Violated(_) => Some(true),
            Verdict::Holds => Some(false),
            Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
        };
        let entry = all
            .entry(known(instance, answer.goal, numbers))
            .or_insert(Some(false));
        *entry = match (*entry, here) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (None, _) | (_, None) => None,
            (Some(false), Some(false)) => Some(false),
        };
    }
    all
}

/// What the instances of a program reach, by their numbers of copies.
struct Instances<'a> {
    drawn: &'a Classes,
    model: Model,
    known: BTreeMap<Vec<usize>, (Program, CheckReport, Vec<usize>)>,
}

impl<'a> Instances<'a> {
    fn new(drawn: &'a Classes, model: Model) -> Self {
        Self {
            drawn,
            model,
            known: BTreeMap::new(),
        }
    }

    /// Whether the instance with these numbers of copies reaches this; `None` if that is not known.
    fn reach(&mut self, counts: &[usize], of: Known<'_>) -> Option<bool> {
        let entry = self.known.entry(counts.to_vec()).or_insert_with(|| {
            let text = self.drawn.instance(counts);
            let report = checked(&text, self.model, Engine::Explicit);
            (program(&text), report, self.drawn.fitting(counts))
        });
        let (instance, report, numbers) = &*entry;
        let all = reached(instance, report, numbers);
        all.get(&of).copied().flatten()
    }
}

/// Every answer is that of all instances, written out. The effort for the program with `[*]` may be too
/// small to search its instances.
fn agrees(drawn: &Classes, model: Model, states: usize) -> Result<(), TestCaseError> {
    let text = drawn.text();
    let report = checked_within(&text, model, Engine::Auto, states);
    let parsed = program(&text);
    let numbers: Vec<usize> = (0..drawn.properties.len()).collect();
    let mut instances = Instances::new(drawn, model);
    let mut exact = |counts: &[usize], of: Known<'_>| instances.reach(counts, of);
    for answer in report.answers().iter().chain(report.observations()) {
        let of = known(&parsed, answer.goal, &numbers);
        let (named, about_all) = match answer.goal {
            Goal::Property(number) => {
                let property = &drawn.properties[number];
                (property.named(), property.about_all)
            }
            Goal::Assert(_) | Goal::Outside(_) => ([0, 0], false),
        };
        let least = |at: usize| named[at].max(1);
        match &answer.verdict {
            Verdict::Holds => {
                for counts in drawn.sizes(MOST) {
                    let found = exact(&counts, of);
                    prop_assert_ne!(found, Some(true), "{:?} {:?}: {}", counts, of, text);
                }
            }
            Verdict::Violated(run) => {
                let any = report.any_number().expect("it has copies");
                let shown = any.reached_goal(answer.goal).expect("it is reached");
                let steps: Vec<_> = run.moments.iter().map(|moment| moment.step).collect();
                let again = replay(&shown.instance, model, &steps);
                prop_assert!(again.is_ok(), "{:?}: {}", of, text);
                let counts: Vec<usize> = shown.copies.iter().map(|(_, count)| *count).collect();
                let enough = (0..counts.len()).all(|at| counts[at] >= least(at));
                prop_assert!(enough, "{:?} {:?}: {}", counts, of, text);
                if counts.iter().sum::<usize>() > MOST + 1 {
                    continue;
                }
                let found = exact(&counts, of);
                prop_assert_ne!(found, Some(false), "{:?} {:?}: {}", counts, of, text);
                if model != Model::Sc || states < ENOUGH {
                    continue;
                }
                for at in 0..counts.len() {
                    let mut fewer = counts.clone();
                    fewer[at] -= 1;
                    if fewer[at] >= least(at) {
                        let found = exact(&fewer, of);
                        prop_assert_ne!(found, Some(true), "{:?} {:?}: {}", fewer, of, text);
                    }
                }
            }
            Verdict::HoldsWithin(_) => prop_assert!(false, "no bounds are reported: {text}"),
            Verdict::Unknown(_) => {
                // Nothing is claimed. But what few copies reach is found.
                for counts in drawn.sizes(drawn.bodies.len() + 1) {
                    let found = exact(&counts, of);
                    let missed = found == Some(true) && model == Model::Sc && states == ENOUGH;
                    prop_assert!(!missed, "{:?} {:?} {}: {}", counts, of, about_all, text);
                }
            }
        }
    }
    Ok(())
}

/// What views of some size do not show, no instance with as many copies reaches. Their checker, which has
/// rules of its own, sees the same in them.
fn views_agree(drawn: &Classes) -> Result<(), TestCaseError> {
    const VIEWS: usize = 2_000;
    let (text, budget) = (drawn.text(), Budget::default());
    let parsed = program(&text);
    let numbers: Vec<usize> = (0..drawn.properties.len()).collect();
    let mut instances = Instances::new(drawn, Model::Sc);
    for size in 1..=3 {
        let Some(all) = view_certificate(&parsed, &[], size, VIEWS, &budget) else {
            break;
        };
        for goal in parsed.goals() {
            let of = known(&parsed, goal, &numbers);
            let (about_all, waits) = match goal {
                Goal::Property(number) => {
                    let kind = parsed.properties()[number].kind;
                    (drawn.properties[number].about_all, kind.is_about_waiting())
                }
                // A copy with a name of its own stands for its class.
                Goal::Assert(site) | Goal::Outside(site) => {
                    if parsed.thread(site.thread).name().contains('.') {
                        continue;
                    }
                    (false, false)
                }
            };
            let excluded = view_certificate(&parsed, &[goal], size, VIEWS, &budget).is_some();
            if !waits {
                let checked = verify_views(&parsed, &[goal], &all, &budget);
                let no_claim = |why: &Rejection| {
                    why.0.contains("not covered") || why.0.contains("property names")
                };
                if !checked.as_ref().is_err_and(no_claim) {
                    prop_assert_eq!(checked.is_ok(), excluded, "{} {:?}: {}", size, of, text);
                }
            }
            for counts in drawn.sizes(MOST) {
                let is_covered = !about_all || counts.iter().sum::<usize>() >= size;
                if excluded && is_covered {
                    let found = instances.reach(&counts, of);
                    prop_assert_ne!(
                        found,
                        Some(true),
                        "{} {:?} {:?}: {}",
                        size,
                        counts,
                        of,
                        text
                    );
                }
            }
        }
    }
    Ok(())
}

fn copies(report: &RobustReport) -> Vec<usize> {
    let any = report.any_number().expect("it has copies");
    any.copies.iter().map(|(_, count)| *count).collect()
}

fn robustness_agrees(drawn: &Classes, model: Model) -> Result<(), TestCaseError> {
    let text = drawn.text();
    let report = attacked(&text, model);
    let exact = |counts: &[usize]| {
        attacked(&drawn.instance(counts), model)
            .verdict()
            .map(|_| ())
    };
    match report.verdict() {
        Verdict::Holds => {
            for counts in drawn.sizes(MOST) {
                let found = exact(&counts);
                prop_assert_ne!(found, Verdict::Violated(()), "{:?}: {}", counts, text);
            }
        }
        Verdict::Violated(run) => {
            prop_assert!(run.happens_before().is_cyclic());
            let counts = copies(&report);
            if counts.iter().sum::<usize>() > MOST + 1 {
                return Ok(());
            }
            prop_assert_ne!(exact(&counts), Verdict::Holds, "{:?}: {}", counts, text);
            if report.feasible().count() > 1 {
                return Ok(());
            }
            for at in 0..counts.len() {
                let mut fewer = counts.clone();
                fewer[at] -= 1;
                if fewer[at] > 0 {
                    // Another attack may need fewer copies of this thread and more of another.
                    let found = attacked(&drawn.instance(&fewer), model);
                    let same = attacks_of(&report, &program(&text));
                    let others = attacks_of(&found, &program(&drawn.instance(&fewer)));
                    let again = same.iter().any(|attack| others.contains(attack));
                    prop_assert!(!again, "{:?}: {}", fewer, text);
                }
            }
        }
        Verdict::HoldsWithin(_) => prop_assert!(false, "no bounds are reported: {text}"),
        Verdict::Unknown(_) => {
            for counts in drawn.sizes(drawn.bodies.len() + 1) {
                let found = exact(&counts);
                prop_assert_ne!(found, Verdict::Violated(()), "{:?}: {}", counts, text);
            }
        }
    }
    Ok(())
}

/// The feasible attacks, by name of the thread without the number of its copy.
fn attacks_of(report: &RobustReport, program: &Program) -> Vec<(String, usize, usize)> {
    let attacks = report.feasible().map(|(attack, _)| {
        let name = program.thread(attack.thread).name();
        let name = name.split('.').next().unwrap_or(name).to_owned();
        (name, attack.store.index(), attack.last.index())
    });
    attacks.collect()
}

/// Each attack is feasible for any number of copies if it is in some instance, and in the instance that
/// is shown. Which attacks of a program that is not robust are feasible depends on how many stores may
/// be delayed, so the instances are searched with the form that is used for any number.
fn attacks_agree(drawn: &Classes, model: Model) -> Result<(), TestCaseError> {
    let text = drawn.text();
    let report = all_attacks(&text, model, Method::Auto);
    let parsed = program(&text);
    let own = attacks_of(&report, &parsed);
    let method = if is_singular(&parsed, model) {
        Method::Singularity
    } else {
        Method::Locality
    };
    for counts in drawn.sizes(3) {
        let instance = drawn.instance(&counts);
        let others = all_attacks(&instance, model, method);
        let others = attacks_of(&others, &program(&instance));
        for attack in others {
            // What few copies do is found, if all that they do is searched.
            let is_known = own.contains(&attack) || !report.is_complete();
            prop_assert!(is_known, "{:?} {:?}: {}", counts, attack, text);
        }
    }
    let Some(any) = report
        .any_number()
        .filter(|_| report.feasible().count() > 0)
    else {
        return Ok(());
    };
    let counts: Vec<usize> = any.copies.iter().map(|(_, count)| *count).collect();
    if counts.iter().sum::<usize>() <= MOST {
        let instance = drawn.instance(&counts);
        let found = all_attacks(&instance, model, method);
        let others = attacks_of(&found, &program(&instance));
        for attack in own {
            let is_known = others.contains(&attack) || !found.is_complete();
            prop_assert!(is_known, "{:?} {:?}: {}", counts, attack, text);
        }
    }
    Ok(())
}

fn all_attacks(text: &str, model: Model, method: Method) -> RobustReport {
    let mut options = RobustOptions::new(model);
    options.method = method;
    options.until = Until::AllAnswered;
    let budget = Budget::default().with_states(60_000);
    robust(&program(text), &options, &budget).expect("no defect")
}

fn fence_report(program: &Program, options: &FenceOptions) -> FenceReport {
    let budget = Budget::default().with_states(60_000);
    cheapest_fences(program, options, &budget).expect("no defect")
}

/// A text with `[*]` as one with these numbers of copies, without the properties that name more.
fn with_counts(drawn: &Classes, text: &str, counts: &[usize]) -> String {
    let fitting = drawn.fitting(counts);
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let mut properties = drawn.properties.iter().enumerate();
        match properties.find(|(_, property)| property.text() == line) {
            None => lines.push(line.to_owned()),
            Some((number, property)) if fitting.contains(&number) => {
                lines.push(property.in_instance());
            }
            Some(_) => {}
        }
    }
    let mut text = lines.join("\n") + "\n";
    for (name, count) in drawn.names().iter().zip(counts) {
        text = text.replace(
            &format!("thread {name}[*]"),
            &format!("thread {name}[{count}]"),
        );
    }
    text
}

/// Whether an instance fails the aim; `None` if that is not known.
fn fails(text: &str, model: Model, aim: Aim) -> Option<bool> {
    let verdict = match aim {
        Aim::Robustness => attacked(text, model).verdict().map(|_| ()),
        Aim::Assertions => {
            let report = checked(text, model, Engine::Explicit);
            let answers = report.answers().iter();
            Verdict::all(answers.map(|answer| answer.verdict.as_ref().map(|_| ())))
        }
    };
    match verdict {
        Verdict::Holds => Some(false),
        Verdict::Violated(()) => Some(true),
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
    }
}

/// Whether a program with `[*]` meets the aim for any number of copies; `None` if that is not decided.
fn meets(program: &Program, model: Model, aim: Aim) -> Option<bool> {
    let budget = Budget::default().with_states(60_000);
    let verdict = match aim {
        Aim::Robustness => {
            let mut options = RobustOptions::new(model);
            options.until = Until::Violated;
            let report = robust(program, &options, &budget).expect("no defect");
            report.verdict().map(|_| ())
        }
        Aim::Assertions => {
            let mut options = CheckOptions::new(model);
            options.until = Until::AllAnswered;
            options.note_unreachable = false;
            let report = check(program, &options, &budget).expect("no defect");
            let answers = report.answers().iter();
            Verdict::all(answers.map(|answer| answer.verdict.as_ref().map(|_| ())))
        }
    };
    match verdict {
        Verdict::Holds => Some(true),
        Verdict::Violated(()) => Some(false),
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
    }
}

fn fences_in(text: &str) -> u64 {
    text.matches("fence").count() as u64
}

/// The subsets of some things, at most 64 of them.
fn subsets(count: usize) -> impl Iterator<Item = Vec<usize>> {
    let most = 1_u32 << count.min(6);
    (0..most).map(move |bits| (0..count.min(6)).filter(|at| bits >> at & 1 == 1).collect())
}

/// A set for any number of copies is enough for each instance, and no cheaper one is.
fn fences_agree(drawn: &Classes, model: Model, aim: Aim) -> Result<(), TestCaseError> {
    let text = drawn.text();
    let parsed = program(&text);
    let options = FenceOptions::new(model, aim);
    let report = fence_report(&parsed, &options);
    let all = places(&parsed, &parsed, model, &options_kinds(), &options.costs);
    let with = |set: &[usize]| {
        let changes = set.iter().flat_map(|&n| all[n].changes(&parsed));
        parsed.changed(&changes.collect::<Vec<Change>>())
    };
    match report.outcome() {
        Outcome::Found(found) => {
            let changes = report.changes(&parsed).expect("there is a set");
            let fenced =
                rewrite_as(Format::Fence, &text, &parsed, &changes).expect("it is written");
            if !text.contains("@cost") {
                prop_assert_eq!(
                    fences_in(&fenced) - fences_in(&text),
                    found.cost,
                    "{}",
                    text
                );
            }
            for counts in drawn.sizes(3) {
                let instance = with_counts(drawn, &fenced, &counts);
                let found = fails(&instance, model, aim);
                prop_assert_ne!(found, Some(true), "{:?}: {}{}", counts, text, fenced);
            }
            for counts in drawn.sizes(3) {
                let instance = program(&drawn.instance(&counts));
                let whole = fence_report(&instance, &options);
                let Outcome::Found(whole) = whole.outcome() else {
                    continue;
                };
                if !whole.optimal || drawn.fitting(&counts).len() < drawn.properties.len() {
                    continue;
                }
                // The same fences in every copy are enough for the instance.
                let cost: u64 =
                    found.sets[0]
                        .iter()
                        .map(|place| {
                            let each = place.points.iter().zip(&place.each).map(
                                |(&(thread, _), &each)| {
                                    let name = parsed.thread(thread).name();
                                    let name = name.split('.').next().unwrap_or(name);
                                    let class =
                                        drawn.names().iter().position(|&class| class == name);
                                    u64::from(each) * class.map_or(1, |class| counts[class] as u64)
                                },
                            );
                            each.sum::<u64>()
                        })
                        .sum();
                prop_assert!(
                    whole.cost <= cost,
                    "{} > {}, {:?}: {}",
                    whole.cost,
                    cost,
                    counts,
                    text
                );
            }
            if found.optimal && all.len() <= 6 {
                for set in subsets(all.len()) {
                    let cost: u64 = set.iter().map(|&n| once(drawn, &parsed, &all[n])).sum();
                    if cost < found.cost {
                        let met = meets(&with(&set), model, aim);
                        prop_assert_ne!(met, Some(true), "{:?}: {}", set, text);
                    }
                }
            }
        }
        Outcome::Impossible { shortfall, .. } => {
            let every: Vec<usize> = (0..all.len()).collect();
            prop_assert_ne!(meets(&with(&every), model, aim), Some(true), "{}", text);
            prop_assert!(!shortfall.run().moments.is_empty() || aim == Aim::Assertions);
        }
        Outcome::Undecided(_) => {}
    }
    Ok(())
}

/// Where fences are said not to be enough, all of them together are not.
fn impossible_agrees(drawn: &Classes, model: Model) -> Result<(), TestCaseError> {
    let text = drawn.text();
    let parsed = program(&text);
    let options = FenceOptions::new(model, Aim::Assertions);
    let report = fence_report(&parsed, &options);
    if let Outcome::Impossible { .. } = report.outcome() {
        let all = places(&parsed, &parsed, model, &options_kinds(), &options.costs);
        let every = all.iter().flat_map(|place| place.changes(&parsed));
        let fenced = parsed.changed(&every.collect::<Vec<Change>>());
        prop_assert_ne!(
            meets(&fenced, model, Aim::Assertions),
            Some(true),
            "{}",
            text
        );
    }
    Ok(())
}

fn options_kinds() -> fencepost::internals::fences::Kinds {
    FenceOptions::new(Model::Tso, Aim::Robustness).kinds
}

/// What a place costs if each thread with `[*]` counts once.
fn once(drawn: &Classes, program: &Program, place: &fencepost::internals::fences::Place) -> u64 {
    let points = place.points.iter().zip(&place.each);
    let named = points.filter(|&(&(thread, _), _)| {
        let name = program.thread(thread).name();
        let class = name.split('.').next().unwrap_or(name);
        class == name || !drawn.names().contains(&class)
    });
    named.map(|(_, &each)| u64::from(each)).sum()
}

/// What can be removed is what is not needed for any number of copies.
fn minimised_agrees(drawn: &Classes, model: Model, aim: Aim) -> Result<(), TestCaseError> {
    let text = drawn.text();
    let parsed = program(&text);
    let mut options = FenceOptions::new(model, aim);
    options.minimise = true;
    let report = fence_report(&parsed, &options);
    let Outcome::Found(found) = report.outcome() else {
        return Ok(());
    };
    let changes = report.changes(&parsed).expect("there is a set");
    let left = rewrite_as(Format::Fence, &text, &parsed, &changes).expect("it is written");
    for counts in drawn.sizes(3) {
        let instance = with_counts(drawn, &left, &counts);
        let found = fails(&instance, model, aim);
        prop_assert_ne!(found, Some(true), "{:?}: {}{}", counts, text, left);
    }
    // The fences of the text, each in all copies that have it.
    let mut own: BTreeMap<u32, Vec<Change>> = BTreeMap::new();
    for (site, instruction) in parsed.sites() {
        if let Op::Fence(Fence::Full | Fence::Store) = instruction.op {
            let all = own.entry(instruction.origin.start).or_default();
            all.push(Change::Remove(site));
        }
    }
    let own: Vec<Vec<Change>> = own.into_values().collect();
    if found.optimal && own.len() <= 6 && !text.contains("@cost") {
        for removed in subsets(own.len()) {
            let kept = (own.len() - removed.len()) as u64;
            if kept < found.cost {
                let changes: Vec<Change> = removed.iter().flat_map(|&n| own[n].clone()).collect();
                let met = meets(&parsed.changed(&changes), model, aim);
                prop_assert_ne!(met, Some(true), "{:?}: {}", removed, text);
            }
        }
    }
    Ok(())
}

fn weak() -> impl Strategy<Value = Model> {
    prop::sample::select(vec![Model::Tso, Model::Pso, Model::Pgas])
}

proptest! {
    #![proptest_config(config(20))]

    #[test]
    fn each_goal_holds_for_any_number_only_if_it_does_in_each_instance(
        drawn in with_properties(),
        states in prop_oneof![2 => Just(ENOUGH), 1 => Just(1), 1 => 3..60_usize],
    ) {
        agrees(&drawn, Model::Sc, states)?;
    }

    #[test]
    fn each_goal_about_ends_holds_for_any_number_only_if_it_does_in_each_instance(
        drawn in with_ends(),
        states in prop_oneof![6 => Just(1), 3 => 3..40_usize, 1 => Just(ENOUGH)],
    ) {
        agrees(&drawn, Model::Sc, states)?;
    }

    #[test]
    fn each_goal_that_views_exclude_is_reached_in_no_instance(
        drawn in prop_oneof![2 => with_properties().boxed(), 1 => with_ends().boxed()],
    ) {
        views_agree(&drawn)?;
    }
}

proptest! {
    #![proptest_config(config(8))]

    #[test]
    fn each_goal_holds_with_buffers_only_if_it_does_in_each_instance(
        drawn in prop_oneof![with_properties().boxed(), delaying_with_properties().boxed()],
        model in weak(),
    ) {
        agrees(&drawn, model, ENOUGH)?;
    }

    #[test]
    fn classes_are_robust_only_if_each_instance_is(drawn in delaying(), model in weak()) {
        robustness_agrees(&drawn, model)?;
    }

    #[test]
    fn each_attack_of_classes_is_one_of_an_instance(drawn in delaying(), model in weak()) {
        attacks_agree(&drawn, model)?;
    }

    #[test]
    fn fences_for_any_number_repair_each_instance(drawn in delaying(), model in weak()) {
        fences_agree(&drawn, model, Aim::Robustness)?;
    }

    #[test]
    fn fences_for_assertions_of_any_number_repair_each_instance(
        drawn in delaying_with_properties(),
        model in weak(),
    ) {
        fences_agree(&drawn, model, Aim::Assertions)?;
    }

    #[test]
    fn fences_are_not_enough_for_any_number_only_if_all_of_them_are_not(
        drawn in with_sides(),
        model in prop::sample::select(vec![Model::Tso, Model::Pso]),
    ) {
        impossible_agrees(&drawn, model)?;
    }

    #[test]
    fn fences_that_are_not_needed_for_any_number_are_not_in_any_instance(
        drawn in delaying_with_properties(),
        model in weak(),
        assertions in any::<bool>(),
    ) {
        let aim = if assertions { Aim::Assertions } else { Aim::Robustness };
        minimised_agrees(&drawn, model, aim)?;
    }
}

#[test]
fn the_programs_of_the_laws_have_all_answers_and_shapes() {
    let mut runner = TestRunner::deterministic();
    let (mut holds, mut reached, mut unequal, mut open) = (0, 0, 0, 0);
    let (mut found, mut impossible) = (0, 0);
    for _ in 0..60 {
        let tree = with_properties().new_tree(&mut runner).expect("a program");
        let drawn = tree.current();
        let report = checked(&drawn.text(), Model::Sc, Engine::Auto);
        for answer in report.answers().iter().chain(report.observations()) {
            match &answer.verdict {
                Verdict::Holds => holds += 1,
                Verdict::Violated(_) => reached += 1,
                Verdict::HoldsWithin(_) | Verdict::Unknown(_) => open += 1,
            }
            let any = report.any_number().expect("it has copies");
            if let Some(shown) = any.reached_goal(answer.goal) {
                unequal += usize::from(shown.copies.iter().any(|(_, count)| *count > 1));
            }
        }
        let tree = delaying_with_properties()
            .new_tree(&mut runner)
            .expect("a program");
        let parsed = program(&tree.current().text());
        let options = FenceOptions::new(Model::Tso, Aim::Assertions);
        match fence_report(&parsed, &options).outcome() {
            Outcome::Found(sets) => found += usize::from(sets.cost > 0),
            Outcome::Impossible { .. } => impossible += 1,
            Outcome::Undecided(_) => {}
        }
    }
    let checked = (holds, reached, unequal, open);
    assert!(
        holds > 30 && reached > 30 && unequal > 5 && open < 60,
        "{checked:?}"
    );
    assert!(found > 0 && impossible > 5, "{found} {impossible}");
}
