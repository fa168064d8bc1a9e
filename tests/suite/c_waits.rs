//! Waiting forever in C, against the machine of random programs with threads: whether some execution
//! ends with threads that wait for each other, and that nothing else changes where this is forbidden.
//!
//! Where waiting is a property, waits are lowered in another way. The programs are random, with seeds 0,
//! 1, 2, …: `PROPTEST_CASES` says how many. Most of them are about waiting; a test counts the outcomes.

use crate::support::{c_threads, config};
use c_threads::{Outcome, Text, compile, draft, draft_that_waits, explore, print};
use config::config;
use fencepost::internals::check::{CheckOptions, Engine, Until, check, check_goals};
use fencepost::internals::formats::{Format, ParseOptions, parse_with};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Fault, Goal, Program, PropertyKind};
use std::collections::BTreeMap;

const MODELS: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];
/// Larger programs are not compared.
const MOST_STATES: usize = 20_000;

/// The program of a seed: one in six is like those that are compared in everything else.
fn draft_of(seed: u64) -> c_threads::ast::Draft {
    if seed % 6 == 5 {
        draft(seed)
    } else {
        draft_that_waits(seed)
    }
}

fn parsed(text: &Text, forbids: bool) -> Option<Program> {
    let mut options = ParseOptions::new().name("main.c");
    if let Some(other) = &text.other {
        options = options.unit("other.c", other.clone());
    }
    if forbids {
        options = options.forbid_stuck();
    }
    parse_with(Format::C, &text.main, &options).program
}

fn claim<W>(verdict: &Verdict<W>) -> Option<bool> {
    match verdict {
        Verdict::Violated(_) => Some(true),
        Verdict::Holds => Some(false),
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
    }
}

/// Whether the program may be stuck, by an engine; `None` if it leaves that open.
fn stuck(program: &Program, model: Model, engine: Engine) -> Option<bool> {
    let property = program
        .properties()
        .iter()
        .position(|property| property.kind == PropertyKind::Stuck);
    let goals = [Goal::Property(property.expect("it is forbidden"))];
    let options = CheckOptions::new(model).engine(engine);
    let budget = Budget::default().with_states(1_000_000);
    let report = check_goals(program, &goals, &options, &budget);
    claim(&report.expect("no defect").verdict())
}

/// What else goes wrong, by line: several instructions of a line may mean the same.
type Faults = BTreeMap<(u32, Option<Fault>, bool), Option<bool>>;

fn faults(program: &Program, model: Model) -> Faults {
    let options = CheckOptions::new(model)
        .engine(Engine::Explicit)
        .until(Until::AllAnswered);
    let report = check(program, &options, &Budget::default()).expect("no defect");
    let mut faults = Faults::new();
    for answer in report.answers() {
        let (site, is_assertion) = match answer.goal {
            Goal::Assert(site) => (site, true),
            Goal::Outside(site) => (site, false),
            Goal::Property(_) => continue,
        };
        let line = program.instruction(site).origin.line;
        let key = (line, program.fault(site), is_assertion);
        let claimed = claim(&answer.verdict);
        let known = faults.entry(key).or_insert(Some(false));
        *known = match (*known, claimed) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            (None, _) | (_, None) => None,
        };
    }
    // What cannot go wrong need not be a goal.
    faults.retain(|_, goes_wrong| *goes_wrong != Some(false));
    faults
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Compared {
    Decided,
    TooLarge,
    Refused,
}

fn compare(
    seed: u64,
    text: &Text,
    (without, with): (Option<&Program>, &Program),
    model: Model,
    outcome: &Outcome,
) {
    let shown = || {
        format!(
            "seed {seed} {} in\n{}{}",
            model.name(),
            text.main,
            text.other.clone().unwrap_or_default()
        )
    };
    for engine in [Engine::Explicit, Engine::Auto] {
        if let Some(claimed) = stuck(with, model, engine) {
            assert_eq!(claimed, outcome.is_stuck, "stuck: {engine:?} {}", shown());
        }
    }
    // A loop in which `main` waits alone has no end where waits are no loops.
    if let Some(without) = without {
        assert_eq!(
            faults(with, model),
            faults(without, model),
            "other goals: {}",
            shown()
        );
    }
}

fn agrees(seed: u64) -> Compared {
    let draft = draft_of(seed);
    let (code, text) = (compile(&draft), print(&draft, None));
    let programs = [false, true].map(|forbids| parsed(&text, forbids));
    let [without, with] = &programs;
    let Some(with) = with else {
        assert!(without.is_none(), "seed {seed} is refused:\n{}", text.main);
        return Compared::Refused;
    };
    let mut compared = Compared::TooLarge;
    for model in MODELS {
        if let Some(outcome) = explore(&code, model, MOST_STATES) {
            compare(seed, &text, (without.as_ref(), with), model, &outcome);
            compared = Compared::Decided;
        }
    }
    compared
}

#[test]
fn threads_wait_as_in_the_machine() {
    let cases = config(40).cases as usize;
    let compared: Vec<Compared> = (0..cases as u64).map(agrees).collect();
    let share = |wanted: Compared| compared.iter().filter(|it| **it == wanted).count();
    let (decided, refused) = (share(Compared::Decided), share(Compared::Refused));
    assert!(refused * 8 <= cases, "{refused} of {cases} are refused");
    assert!(decided * 4 >= cases * 3, "{decided} of {cases} are decided");
}

#[test]
fn programs_are_stuck_and_not() {
    const PROGRAMS: u64 = 400;
    let (mut decided, mut always, mut only_buffered, mut only_pso, mut never) = (0, 0, 0, 0, 0);
    for seed in 0..PROGRAMS {
        let code = compile(&draft_that_waits(seed));
        let all = MODELS.map(|model| explore(&code, model, MOST_STATES));
        let [Some(sc), Some(tso), Some(pso)] = all.map(|it| Some(it?.is_stuck)) else {
            continue;
        };
        decided += 1;
        always += usize::from(sc);
        only_buffered += usize::from(!sc && tso);
        only_pso += usize::from(!tso && pso);
        never += usize::from(!pso);
    }
    assert!(decided * 10 >= PROGRAMS * 9, "{decided} are small");
    let counts = (always, only_buffered, only_pso, never);
    assert!(
        always >= 120 && only_buffered >= 12 && only_pso >= 4 && never >= 100,
        "stuck under SC, TSO, PSO, never: {counts:?}"
    );
}
