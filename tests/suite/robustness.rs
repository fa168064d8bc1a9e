//! Robustness by instrumentation against its definition, attack by attack.
//!
//! The oracle (`support/witnesses`) enumerates computations and searches for witnesses as the papers
//! define them; it does not use instrumentation. It also checks every witness that the tool finds.

use crate::support::{config, meeting, random, witnesses};
use config::config;
use fencepost::internals::check::Engine;
use fencepost::internals::facts::Values;
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::reference::{explore, replay};
use fencepost::internals::robustness::{
    Dependence, Form, Method, Pruning, RobustOptions, RobustReport, attacks, derived_program,
    has_attacks, is_singular, load_bearing, robust, triangular,
};
use fencepost::internals::search::{Reduction, cyclic};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{InstrId, Program, Site, ThreadId, print};
use meeting::acyclic;
use proptest::prelude::*;
use random::{Kind, Locked, Place, REGISTERS, Shape, Sketch, Stmt, Value, sketch};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use witnesses::{check_witness, feasible_attacks, robust as oracle_robust};

const WEAK: [Model; 3] = [Model::Tso, Model::Pso, Model::Pgas];
const LIMIT: usize = 20_000;

fn ask(program: &Program, options: &RobustOptions) -> Result<RobustReport, TestCaseError> {
    robust(program, options, &Budget::default())
        .map_err(|defect| TestCaseError::fail(format!("{options:?}: {defect}")))
}

/// The feasible attacks of a report in which everything is decided.
fn feasible(
    report: &RobustReport,
) -> Result<BTreeSet<(ThreadId, InstrId, InstrId)>, TestCaseError> {
    for answer in report.answers() {
        prop_assert!(
            matches!(answer.verdict, Verdict::Holds | Verdict::Violated(_)),
            "{:?} is {}",
            answer.attack,
            answer.verdict.word()
        );
    }
    let attacks = report.feasible();
    Ok(attacks.map(|(a, _)| (a.thread, a.store, a.last)).collect())
}

/// All options that apply to the program.
fn ways(program: &Program, model: Model) -> Vec<RobustOptions> {
    let mut ways = Vec::new();
    let singular = is_singular(program, model);
    for &method in Method::ALL {
        if method == Method::Singularity && !singular {
            continue;
        }
        for engine in [Engine::Explicit, Engine::Bmc, Engine::Auto] {
            if method == Method::Direct && engine == Engine::Explicit {
                continue;
            }
            for pruning in [Pruning::NONE, Pruning::ALL] {
                ways.push(
                    RobustOptions::new(model)
                        .method(method)
                        .engine(engine)
                        .techniques(pruning),
                );
            }
        }
    }
    ways.push(
        RobustOptions::new(model)
            .engine(Engine::Explicit)
            .techniques(Reduction::NONE),
    );
    ways
}

/// Checks that all options find exactly the attacks that have a witness, and that the witnesses found
/// are valid.
fn agrees_with_the_definition(program: &Program) -> Result<(), TestCaseError> {
    for model in WEAK {
        let Some(expected) = feasible_attacks(program, model, LIMIT) else {
            continue;
        };
        if !has_attacks(program, model) {
            continue;
        }
        let singular = is_singular(program, model);
        // What each search for one delayed store finds.
        let mut with_one = None;
        for options in ways(program, model) {
            let report = ask(program, &options)?;
            let found = feasible(&report)?;
            if report.form() == Some(Form::Singularity) {
                let with_one = with_one.get_or_insert_with(|| found.clone());
                prop_assert_eq!(&found, &*with_one, "{:?}", options);
            }
            // `Auto` may have combined the answers of several methods.
            let mixed = options.method == Method::Auto && options.engine == Engine::Auto;
            if report.form() == Some(Form::Singularity) || mixed && singular {
                // Looking for one delayed store decides whether there is an attack, but does not
                // find each of them.
                prop_assert!(found.is_subset(&expected), "{:?}", options);
                prop_assert_eq!(found.is_empty(), expected.is_empty(), "{:?}", options);
            } else {
                prop_assert_eq!(&found, &expected, "{:?}", options);
            }
            for (attack, run) in report.feasible() {
                let witness = check_witness(run, attack.thread, attack.store, attack.last);
                prop_assert!(witness.is_ok(), "{:?} {:?}: {:?}", options, attack, witness);
            }
        }
    }
    Ok(())
}

/// Programs in which the cells that a thread delays, and that it reads early, depend on what it has read.
fn indexed() -> BoxedStrategy<Program> {
    const BODY: [&str; 15] = [
        "a[r] = 1;",
        "a[r] = q;",
        "a[1 - r] = 2;",
        "q = a[r];",
        "q = a[1 - r];",
        "r = a[r] & 1;",
        "a[0] = 1;",
        "q = a[1];",
        "x = 1;",
        "q = x;",
        "r = x & 1;",
        "fence(a[0]);",
        "fence(a[1], x);",
        "fence store;",
        "b = &a[r]; *b = 2; q = a[0];",
    ];
    const OTHER: [&str; 7] = [
        "r = a[1]; q = a[0];",
        "q = a[0]; r = x;",
        "r = x & 1; q = a[r];",
        "a[1] = 1; q = x;",
        "x = 1; r = a[0];",
        "q = xchg(a[1], 1); r = a[0];",
        "atomic { q = a[0]; x = 1; } r = a[1];",
    ];
    let body = prop::collection::vec(0..BODY.len(), 2..=4);
    let other = prop::collection::vec(0..OTHER.len(), 1..=2);
    let first = prop_oneof![3 => Just("r = nondet(0, 1);"), 1 => Just("r = x & 1;")];
    (first, body, other)
        .prop_map(|(first, body, other)| {
            let body: String = body.into_iter().map(|number| BODY[number]).collect();
            let mut text = format!(
                "shared a[2], x;\nthread t {{ local r; local q; local b; {first} {body} }}\n"
            );
            for (thread, number) in other.into_iter().enumerate() {
                let body = OTHER[number];
                let _ = writeln!(text, "thread u{thread} {{ local r; local q; {body} }}");
            }
            let parsed = parse(&text);
            let program = parsed.program;
            program.unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics))
        })
        .boxed()
}

/// A statement that the result may depend on, and its weaker replacement, which comes first.
fn weaker_and_stronger() -> BoxedStrategy<(Vec<Stmt>, Stmt)> {
    let fence = prop_oneof![
        3 => Just(Kind::Full),
        1 => Just(Kind::Store),
        1 => (1u8..8).prop_map(Kind::Cells),
    ];
    let exchange = (0..REGISTERS, 1..=3, 0..3).prop_map(|(reg, cell, value)| {
        let (place, value) = (Place::Cell(cell), Value::Const(value));
        let halves = vec![
            Stmt::Load(reg, place.clone()),
            Stmt::Store(place.clone(), value.clone()),
        ];
        (halves, Stmt::Locked(reg, place, Locked::Exchange(value)))
    });
    prop_oneof![
        fence.prop_map(|kind| (Vec::new(), Stmt::Fence(kind))),
        exchange,
    ]
    .boxed()
}

/// The first instruction of a program at which another one, with fewer or different instructions from
/// there on, differs.
fn first_difference(program: &Program, other: &Program) -> Option<Site> {
    program
        .sites()
        .map(|(site, instruction)| (site, &instruction.op))
        .find(|&(site, op)| {
            let theirs = other.thread(site.thread).instructions();
            theirs.get(site.instr.index()).map(|i| &i.op) != Some(op)
        })
        .map(|(site, _)| site)
}

proptest! {
    #![proptest_config(config(200))]

    /// In a robust program, a fence or an exchange is load-bearing if and only if the program is not
    /// robust when the fence is removed or the exchange replaced by a load and a store.
    #[test]
    fn exactly_what_cannot_be_removed_is_load_bearing(
        sketch in acyclic(4),
        (weak, strong) in weaker_and_stronger(),
        thread in 0..6_usize,
        position in any::<prop::sample::Index>(),
        states in 1..40_usize,
    ) {
        let thread = thread % sketch.threads.len();
        let position = position.index(sketch.threads[thread].len() + 1);
        let program = sketch.with_insertion(thread, position, strong).build();
        prop_assume!(!program.has_barrier());
        let put = |sketch: Sketch, stmt: Stmt| sketch.with_insertion(thread, position, stmt);
        let weaker = weak.into_iter().rev().fold(sketch, put).build();
        let Some(site) = first_difference(&program, &weaker) else {
            return Err(TestCaseError::fail("nothing was weakened"));
        };
        for model in WEAK {
            let robust = |program| oracle_robust(program, model, LIMIT);
            let (Some(true), Some(expected)) = (robust(&program), robust(&weaker)) else { continue };
            let options = RobustOptions::new(model);
            let bearing = |budget| {
                load_bearing(&program, &options, &budget)
                    .map_err(|defect| TestCaseError::fail(defect.to_string()))
            };
            let all = bearing(Budget::default())?;
            let is_needed = |all: &Dependence| all.needed.iter().any(|b| b.site == site);
            prop_assert_eq!(is_needed(&all), !expected, "{} {:?}", model, site);
            prop_assert_eq!(all.undecided, []);
            // What takes too long is said to be undecided.
            let some = bearing(Budget::default().with_states(states))?;
            let is_decided = !some.undecided.contains(&site);
            prop_assert_eq!(is_needed(&some), is_decided && !expected, "{} {:?}", model, site);
            // The report names accesses of the program itself, not their replacements.
            for bearing in &all.needed {
                let thread = bearing.attack.thread;
                let writes = |instr| program.instruction(Site { thread, instr }).op.writes();
                prop_assert_eq!(writes(bearing.attack.store), Some(true), "{:?}", bearing);
                prop_assert!(writes(bearing.attack.last).is_some(), "{:?}", bearing);
            }
        }
    }
}

proptest! {
    #![proptest_config(config(24))]

    #[test]
    fn the_attacks_found_are_those_that_have_a_witness(sketch in acyclic(4)) {
        let program = sketch.build();
        prop_assume!(!program.has_barrier());
        agrees_with_the_definition(&program)?;
    }

    #[test]
    fn attacks_through_an_index_are_those_that_have_a_witness(program in indexed()) {
        agrees_with_the_definition(&program)?;
    }

    /// Also with `barrier all`, for which it is the only method.
    #[test]
    fn the_definition_is_decided_as_the_oracle_decides_it(sketch in acyclic(4)) {
        let program = sketch.build();
        for model in WEAK {
            let Some(expected) = oracle_robust(&program, model, LIMIT) else { continue };
            let (verdict, _) = cyclic(&program, model, &Budget::default());
            match verdict {
                Verdict::Holds => prop_assert!(expected, "{}", model),
                Verdict::Violated(steps) => {
                    prop_assert!(!expected, "{}", model);
                    let run = replay(&program, model, &steps);
                    prop_assert!(run.is_ok_and(|run| run.happens_before().cycle().is_some()));
                }
                open @ (Verdict::HoldsWithin(_) | Verdict::Unknown(_)) => prop_assert!(false, "{}", open.word()),
            }
            let report = ask(&program, &RobustOptions::new(model))?;
            prop_assert_eq!(report.verdict() == Verdict::Holds, expected, "{}", model);
        }
    }

    #[test]
    fn derived_programs_round_trip(sketch in acyclic(4), number in any::<prop::sample::Index>()) {
        let program = sketch.build();
        prop_assume!(!program.has_barrier());
        for model in WEAK.into_iter().filter(|&model| has_attacks(&program, model)) {
            let values = Values::of(&program);
            let all = attacks(&program, &values, model, Pruning::NONE).open;
            if all.is_empty() {
                continue;
            }
            let attack = *number.get(&all);
            let derived = derived_program(&program, &RobustOptions::new(model), &[attack])
                .expect("instrumentation applies to the program");
            let text = print(&derived.program);
            let parsed = parse(&text);
            prop_assert!(parsed.program.is_some(), "{:?}\n{}", parsed.diagnostics, text);
            prop_assert_eq!(
                parsed.program.map(|p| p.without_origins()),
                Some(derived.program.without_origins())
            );
        }
    }

    #[test]
    fn a_robust_program_has_no_other_final_states(sketch in sketch(Shape::COUNTING)) {
        let program = sketch.build();
        prop_assume!(!program.has_barrier());
        let budget = Budget::default().with_states(30_000);
        let strong = explore(&program, Model::Sc, &budget);
        prop_assume!(strong.incomplete.is_none());
        for model in WEAK {
            let options = RobustOptions::new(model).engine(Engine::Explicit);
            let report = robust(&program, &options, &budget)
                .map_err(|defect| TestCaseError::fail(defect.to_string()))?;
            let weak = explore(&program, model, &budget);
            if report.verdict() == Verdict::Holds && weak.incomplete.is_none() {
                prop_assert_eq!(&weak.finals, &strong.finals, "{}", model);
            }
        }
    }

    #[test]
    fn a_fence_after_every_store_makes_a_program_robust(sketch in sketch(Shape::COUNTING)) {
        let fenced = sketch.after_stores(&Stmt::Fence(Kind::Full)).build();
        prop_assume!(!fenced.has_barrier());
        // Elsewhere a block with a loop may not end, and the traces of an endless loop are not enumerated.
        for model in WEAK.into_iter().filter(|&model| has_attacks(&fenced, model)) {
            // Every attack is ruled out statically.
            let report = ask(&fenced, &RobustOptions::new(model))?;
            prop_assert_eq!(report.verdict(), Verdict::Holds, "{}", model);
            prop_assert_eq!(report.answers().len(), 0);
        }
    }

    #[test]
    fn both_engines_agree_where_there_are_loops(sketch in sketch(Shape::COUNTING)) {
        let program = sketch.build();
        prop_assume!(!program.has_barrier());
        let budget = Budget::default().with_states(60_000);
        for model in WEAK {
            let way = |engine| RobustOptions::new(model).engine(engine).unroll(6);
            let ask = |engine| robust(&program, &way(engine), &budget)
                .map_err(|defect| TestCaseError::fail(defect.to_string()));
            let (explicit, bounded) = (ask(Engine::Explicit)?, ask(Engine::Bmc)?);
            for (a, b) in explicit.answers().iter().zip(bounded.answers()) {
                match (&a.verdict, &b.verdict) {
                    (Verdict::Unknown(_), _) | (Verdict::Holds, Verdict::HoldsWithin(_)) => {}
                    (a_said, b_said) => prop_assert_eq!(
                        a_said.word(), b_said.word(), "{} {:?}", model, a.attack),
                }
            }
        }
    }

    #[test]
    fn freedom_from_triangular_races_is_sufficient(sketch in acyclic(4)) {
        let program = sketch.build();
        prop_assume!(!program.has_barrier());
        for model in WEAK {
            let options = RobustOptions::new(model).engine(Engine::Explicit);
            let races = triangular(&program, &options, &Budget::default())
                .map_err(|defect| TestCaseError::fail(defect.to_string()))?;
            if races.verdict() == Verdict::Holds {
                let report = ask(&program, &options)?;
                prop_assert_eq!(report.verdict(), Verdict::Holds, "{}", model);
            }
        }
    }

    #[test]
    fn the_execution_of_a_race_ends_where_both_accesses_come_next(sketch in acyclic(4)) {
        let program = sketch.build();
        for model in WEAK {
            let options = RobustOptions::new(model).engine(Engine::Explicit);
            let races = triangular(&program, &options, &Budget::default())
                .map_err(|defect| TestCaseError::fail(defect.to_string()))?;
            for race in &races.races {
                let Verdict::Violated(run) = &race.verdict else { continue };
                for site in [race.access, race.other] {
                    let before = program.instruction(site).from;
                    prop_assert_eq!(run.end.locations[site.thread.index()], before, "{:?}", race);
                }
            }
        }
    }
}

/// Which of two cells is accessed is known only at run time: an attack through one of them must not be
/// completed by an access to the other.
#[test]
fn an_attack_through_an_index_takes_place_at_one_cell() {
    let text = "shared i, y, a[2];
        thread t0 { local k, r; k = i; a[k] = 1; r = y; }
        thread t1 { local k, r; k = i; y = 1; r = a[k]; }
        thread t2 { i = 1; }";
    let program = parse(text).program.expect("no errors in the text");
    for engine in [Engine::Bmc, Engine::Explicit] {
        let options = RobustOptions::new(Model::Tso)
            .method(Method::Locality)
            .engine(engine)
            .unroll(1);
        let report = robust(&program, &options, &Budget::default()).expect("no defect");
        assert_eq!(report.feasible().count(), 2, "{}", engine.name());
    }
}
