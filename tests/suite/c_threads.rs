//! C with threads against a machine of its own: every assertion and every fault, and all final values,
//! under each model.
//!
//! The programs are random, with seeds 0, 1, 2, …: `PROPTEST_CASES` says how many. They have structures,
//! locks, functions and pointers to them, recursion, memory that is allocated and freed by several
//! threads, and the like; a test counts these shapes.

use crate::support::{c_programs, c_threads, config};
use c_programs::Random;
use c_threads::{Kind, Outcome, Text, ast, compile, draft, explore, print};
use config::config;
use fencepost::internals::check::{CheckOptions, Engine, check, check_goals};
use fencepost::internals::formats::{Format, ParseOptions, parse_with};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::Budget;
use fencepost::program::{Fault, Goal, Program};
use std::collections::{BTreeMap, BTreeSet};

/// Larger programs are not compared.
const MOST_STATES: usize = 30_000;
const MOST_FINALS: usize = 40;

fn parsed(text: &Text) -> Result<Program, String> {
    let mut options = ParseOptions::new().name("main.c");
    if let Some(other) = &text.other {
        options = options.unit("other.c", other.clone());
    }
    let parsed = parse_with(Format::C, &text.main, &options);
    let rendered = parsed.render("main.c", &text.main, false);
    parsed.program.ok_or(rendered)
}

/// What a goal is about.
fn kind(program: &Program, goal: Goal) -> Option<(Kind, usize)> {
    let (site, fault) = match goal {
        Goal::Assert(site) => (site, program.fault(site)),
        Goal::Outside(site) => (site, Some(Fault::Null)),
        Goal::Property(_) => return None,
    };
    let kind = match fault {
        None => Kind::Assert,
        Some(Fault::Unset | Fault::Unwritten) => Kind::Unset,
        Some(Fault::Bounds | Fault::Null) => Kind::Stray,
        Some(Fault::NoValue) => Kind::NoValue,
        Some(Fault::Freed) => Kind::Freed,
        Some(Fault::FreedTwice) => Kind::FreedTwice,
        Some(Fault::NotAllocated) => Kind::NotAllocated,
        Some(Fault::Division) => Kind::Division,
        Some(Fault::Shift | Fault::Ended | Fault::NotInitialised | Fault::NoArgument) => {
            Kind::Never
        }
        Some(
            Fault::OtherSize
            | Fault::CutByBytes
            | Fault::Allocations
            | Fault::BlockSize
            | Fault::Function
            | Fault::Recursion
            | Fault::Address
            | Fault::Overflow
            | Fault::Capacity(_),
        ) => {
            return None;
        }
    };
    let line = program.instruction(site).origin.line as usize;
    Some((kind, line))
}

fn options(model: Model, engine: Engine) -> CheckOptions {
    CheckOptions::new(model).engine(engine)
}

fn word(program: &Program, goals: &[Goal], model: Model, engine: Engine) -> String {
    let report = check_goals(program, goals, &options(model, engine), &Budget::default());
    report.expect("no defect").verdict().word().to_owned()
}

/// Compares what goes wrong, goal by goal.
fn compare_faults(seed: u64, text: &Text, program: &Program, model: Model, outcome: &Outcome) {
    let mut goals: BTreeMap<(Kind, usize), Vec<Goal>> = BTreeMap::new();
    for goal in program.goals() {
        if let Some(key) = kind(program, goal) {
            goals.entry(key).or_default().push(goal);
        }
    }
    let shown = || {
        format!(
            "seed {seed} {} in\n{}{}",
            model.name(),
            text.main,
            text.other.clone().unwrap_or_default()
        )
    };
    let wanted: BTreeSet<(Kind, usize)> = outcome
        .faults
        .iter()
        .map(|(kind, stmt)| {
            let line = text.lines.iter().find(|(_, id)| *id == stmt);
            (*kind, line.map_or(0, |(line, _)| *line))
        })
        .collect();
    for key in &wanted {
        let goals = goals.remove(key).unwrap_or_default();
        let word = word(program, &goals, model, Engine::Explicit);
        assert_eq!(word, "violated", "{key:?} {}", shown());
    }
    for (key, goals) in &goals {
        let word = word(program, goals, model, Engine::Explicit);
        assert_eq!(word, "holds", "{key:?} {}", shown());
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Compared {
    Faults,
    Finals,
    TooLarge,
    Refused,
}

fn agrees(seed: u64) -> Compared {
    let draft = draft(seed);
    let code = compile(&draft);
    let mut compared = Compared::TooLarge;
    for model in [Model::Sc, Model::Tso, Model::Pso] {
        let Some(outcome) = explore(&code, model, MOST_STATES) else {
            continue;
        };
        let text = print(&draft, None);
        let Ok(program) = parsed(&text) else {
            return Compared::Refused;
        };
        compare_faults(seed, &text, &program, model, &outcome);
        compared = Compared::Faults;
        if !outcome.faults.is_empty() || outcome.finals.len() > MOST_FINALS {
            continue;
        }
        compared = Compared::Finals;
        compare_finals(seed, &draft, model, &outcome);
    }
    compared
}

/// The final values are these, and each of them occurs.
fn compare_finals(seed: u64, draft: &ast::Draft, model: Model, outcome: &Outcome) {
    let mut finals: Vec<Vec<i32>> = outcome.finals.iter().cloned().collect();
    let engine = if seed.is_multiple_of(4) {
        Engine::Auto
    } else {
        Engine::Explicit
    };
    let verdict = |finals: &[Vec<i32>]| {
        let text = print(draft, Some(finals));
        let program = parsed(&text).expect("it was accepted without the assertion");
        let report = check(&program, &options(model, engine), &Budget::default());
        let word = report.expect("no defect").verdict().word().to_owned();
        (word, text.main)
    };
    let (word, text) = verdict(&finals);
    assert_eq!(
        word,
        "holds",
        "seed {seed} {}: other final values\n{text}",
        model.name()
    );
    if !finals.is_empty() {
        let out = finals.remove(Random(seed).below(finals.len()));
        let (word, text) = verdict(&finals);
        let name = model.name();
        assert_eq!(
            word, "violated",
            "seed {seed} {name}: never {out:?}\n{text}"
        );
    }
}

#[test]
fn threads_do_what_the_machine_does() {
    let cases = config(25).cases as usize;
    let compared: Vec<Compared> = (0..cases as u64).map(agrees).collect();
    let share = |wanted: Compared| compared.iter().filter(|it| **it == wanted).count();
    let (finals, refused) = (share(Compared::Finals), share(Compared::Refused));
    // Divisors that are known to be 0 are refused.
    assert!(
        refused * 8 <= cases,
        "{refused} of {cases} programs are refused"
    );
    assert!(finals * 2 >= cases, "{finals} of {cases} have final values");
}

/// How many of a thousand programs have a shape at least, by a part of their text.
const SHAPES: [(&str, usize); 60] = [
    ("_lock(&guarded", 54),
    ("pthread_mutex_lock(", 27),
    ("pthread_mutex_trylock(", 11),
    ("mtx_lock(", 23),
    ("mtx_trylock(", 14),
    ("pthread_spin_lock(", 24),
    ("pthread_spin_trylock(", 12),
    ("pthread_rwlock_rdlock(", 12),
    ("pthread_rwlock_wrlock(", 14),
    ("pthread_rwlock_tryrdlock(", 9),
    ("pthread_rwlock_trywrlock(", 8),
    ("pthread_cond_wait(", 2),
    ("cnd_wait(", 4),
    ("pthread_cond_broadcast(", 41),
    ("sem_wait(", 32),
    ("sem_post(", 61),
    ("sem_trywait(", 33),
    ("pthread_barrier_wait(", 17),
    ("pthread_once(", 8),
    ("table[", 221),
    ("ops.run(", 10),
    (" apply(f", 11),
    (" ? f0 : f1)(", 10),
    ("(i0 - 1)) + i0", 88),
    ("p0->key", 128),
    ("p1->key", 41),
    ("p0->value", 21),
    ("->next = ", 42),
    ("= head;", 72),
    ("head = p", 172),
    ("atomic_store_explicit(&head", 105),
    ("stacked->", 30),
    ("nodes[1].", 96),
    ("malloc(", 105),
    ("calloc(", 101),
    ("free(", 37),
    ("pairs[0] = pairs[1]", 3),
    ("(&t[k], NULL", 28),
    ("&result); r[", 200),
    ("    pthread_exit(", 142),
    ("(own", 54),
    ("switch (", 125),
    ("goto l", 83),
    ("do {", 100),
    ("for (int c", 107),
    ("while (c", 107),
    ("break;", 133),
    ("continue;", 10),
    (" ? ", 196),
    ("), 1)", 187),
    (" && (", 212),
    (" || (", 139),
    ("(x += ", 4),
    ("(x++)", 6),
    ("(++x)", 4),
    ("compare_exchange_strong(", 198),
    ("__VERIFIER_atomic_begin();", 40),
    ("extern atomic_int", 64),
    ("stacked)", 79),
    ("(++calls)", 3),
];

#[test]
fn all_shapes_occur() {
    const PROGRAMS: u64 = 1000;
    let mut counts = [0; SHAPES.len()];
    for seed in 0..PROGRAMS {
        let text = print(&draft(seed), None);
        // What all programs have is declared before.
        let (_, main) = text.main.split_once("apply(int").expect("a helper");
        let other = text.other.unwrap_or_default();
        let all = format!("{main}{other}");
        for (count, (shape, _)) in counts.iter_mut().zip(SHAPES) {
            *count += usize::from(all.contains(shape));
        }
    }
    for (count, (shape, least)) in counts.iter().zip(SHAPES) {
        assert!(*count >= least, "`{shape}`: {count} of {PROGRAMS}");
    }
}

#[test]
fn buffers_matter_and_everything_goes_wrong_in_some_programs() {
    const PROGRAMS: u64 = 150;
    let (mut kinds, mut tso, mut pso) = (BTreeMap::new(), 0, 0);
    let mut decided = 0;
    for seed in 0..PROGRAMS {
        let code = compile(&draft(seed));
        let all =
            [Model::Sc, Model::Tso, Model::Pso].map(|model| explore(&code, model, MOST_STATES));
        let [Some(sc), Some(by_tso), Some(by_pso)] = all else {
            continue;
        };
        decided += 1;
        tso += usize::from(sc.finals != by_tso.finals || sc.faults != by_tso.faults);
        pso += usize::from(by_tso.finals != by_pso.finals || by_tso.faults != by_pso.faults);
        let found: BTreeSet<Kind> = by_pso.faults.iter().map(|(kind, _)| *kind).collect();
        for kind in found {
            *kinds.entry(kind).or_insert(0) += 1;
        }
    }
    assert!(decided * 10 >= PROGRAMS * 9, "{decided} are small");
    assert!(
        tso >= 3 && pso >= 3,
        "{tso} differ under TSO, {pso} under PSO"
    );
    for kind in [Kind::Assert, Kind::Stray, Kind::Unset, Kind::Division] {
        assert!(
            kinds.contains_key(&kind),
            "{kind:?} never occurs: {kinds:?}"
        );
    }
}
