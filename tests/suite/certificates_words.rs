//! Certificates of programs with accesses of several cells (`lock word`), and what the checker makes of such
//! accesses: nothing comes between the stores of one of them, and each of them is one action.

use crate::support::config::config;
use crate::support::parts::read_in_parts;
use crate::support::random::{Shape, sketch};
use crate::support::witnesses;
use fencepost::internals::certificate::{Certificate, of_check, of_fences, of_robust};
use fencepost::internals::check::{CheckOptions, check};
use fencepost::internals::fences::{FenceOptions, cheapest_fences};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::reference::{Step, replay};
use fencepost::internals::robustness::{RobustOptions, robust};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Addr, Aim, InstrId, Program, ThreadId, print};
use fencepost::verify::{
    self, Claim, Config, Machine, Refusal, Replayed, System, Witness, encoded, pack, strings,
    verify,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const MODELS: [(Model, verify::Model); 4] = [
    (Model::Sc, verify::Model::Sc),
    (Model::Tso, verify::Model::Tso),
    (Model::Pso, verify::Model::Pso),
    (Model::Pgas, verify::Model::Pgas),
];

/// Both cells of a pair are read as they were before a store, or as they are after it.
const PAIR: &str = "shared a[2], x;
    thread t0 { atomic word { a[0] = 1; a[1] = 1; } x = 1; atomic word { a[0] = 2; a[1] = 2; } }
    thread t1 { local r, s; atomic word { r = a[0]; s = a[1]; } assert(r == s); }";

/// Store buffering of accesses of two cells.
const BUFFERING: &str = "shared a[2], b[2];
    thread t0 { local r; atomic word { a[0] = 1; a[1] = 1; } r = b[0]; }
    thread t1 { local r; atomic word { b[0] = 1; b[1] = 1; } r = a[1]; }
    final assert t0.r == 1 || t1.r == 1;";

fn program(text: &str) -> Program {
    parse(text).into_program().expect("a program")
}

fn read(program: &Program) -> verify::Program {
    verify::Program::read(&print(program)).expect("the checker reads what is printed")
}

fn is_refused(certificate: &Value) -> bool {
    matches!(
        verify(&certificate.to_string()),
        Err(Refusal::Refuted(_) | Refusal::Unreadable(_))
    )
}

/// All states by their encoding; `None` if there are more than this.
fn states(machine: &Machine<'_>, most: usize) -> Option<BTreeMap<Vec<u8>, Config>> {
    let mut seen = BTreeMap::new();
    let mut work = vec![machine.initial()];
    while let Some(state) = work.pop() {
        if seen
            .insert(encoded(machine, &state), state.clone())
            .is_none()
        {
            machine.successors(&state, &mut |next| work.push(next));
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(seen)
}

/// The certificate that all goals hold.
fn made(program: &Program, model: Model) -> Value {
    let budget = Budget::default();
    let report = check(program, &CheckOptions::new(model), &budget).expect("no defect");
    match of_check(program, &report, &budget).expect("no defect") {
        Certificate::Made { text, .. } => serde_json::from_str(&text).expect("JSON"),
        Certificate::None(why) => panic!("no certificate under {model}: {why}"),
    }
}

fn words() -> Shape {
    Shape {
        words: 14,
        ..Shape::ALL
    }
}

/// The same step for the reference.
fn step(step: verify::Step) -> Step {
    let id = |thread: usize| ThreadId::from(thread);
    let addr = |cell: usize| Addr(cell as i32 + 1);
    match step {
        verify::Step::Execute {
            thread,
            instruction,
            choice,
        } => Step::Execute {
            thread: id(thread),
            instr: InstrId::from(instruction),
            choice,
        },
        verify::Step::Advance { thread, cell } => Step::Advance {
            thread: id(thread),
            addr: addr(cell),
        },
        verify::Step::Flush { thread, cell } => Step::Flush {
            thread: id(thread),
            addr: addr(cell),
        },
        verify::Step::Retire { thread } => Step::Retire { thread: id(thread) },
    }
}

/// The steps that are possible, with what is after them.
fn possible(machine: &Machine<'_>, config: &Config) -> Vec<(verify::Step, Config)> {
    let mut steps = Vec::new();
    machine.proposals(config, &mut steps);
    let after = |step| machine.after(config, step).map(|next| (step, next));
    steps.into_iter().filter_map(after).collect()
}

fn executes(step: verify::Step) -> bool {
    matches!(step, verify::Step::Execute { .. })
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn a_computation_has_a_cycle_for_the_checker_if_and_only_if_it_has_one_for_the_reference(
        sketch in sketch(words()),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..60),
    ) {
        let program = sketch.build();
        let own = read(&program);
        for (model, of_checker) in MODELS {
            let machine = Machine::new(&own, of_checker, &[]);
            let (mut config, mut taken) = (machine.initial(), Vec::new());
            for choice in &choices {
                let possible = possible(&machine, &config);
                if possible.is_empty() {
                    break;
                }
                let (step, next) = possible[choice.index(possible.len())].clone();
                taken.push(step);
                config = next;
            }
            // What is buffered reaches memory, after the end of a block.
            while !machine.is_halting(&config) {
                let mut possible = possible(&machine, &config).into_iter();
                let inside = machine.are_inside(&config) > 0;
                let Some((step, next)) = possible.find(|(step, _)| inside || !executes(*step)) else {
                    break;
                };
                taken.push(step);
                config = next;
                if taken.len() > 400 {
                    break;
                }
            }
            if !machine.is_halting(&config) {
                continue;
            }
            let replayed = Replayed::of(&machine, &taken).expect("each step is possible");
            let steps: Vec<Step> = taken.iter().copied().map(step).collect();
            let run = replay(&program, model, &steps).expect("each step is one of the reference");
            prop_assert_eq!(&run.end.memory, &replayed.end.cells);
            prop_assert_eq!(&run.end.registers, &replayed.end.registers);
            let is_cyclic = run.happens_before().is_cyclic();
            prop_assert_eq!(replayed.is_cyclic, is_cyclic, "{}: {:?}", model, taken);
        }
    }

    #[test]
    fn nothing_comes_between_the_stores_of_one_access(sketch in sketch(words())) {
        let program = sketch.build();
        let own = read(&program);
        for (_, of_checker) in MODELS {
            let machine = Machine::new(&own, of_checker, &[]);
            let Some(all) = states(&machine, 3_000) else { continue };
            for state in all.values() {
                let Some(leaving) = state.leaving else { continue };
                let possible = possible(&machine, state);
                prop_assert!(!possible.is_empty());
                for (step, _) in possible {
                    let is_next = match step {
                        verify::Step::Flush { thread, .. } => {
                            !leaving.advances && thread == leaving.thread
                        }
                        verify::Step::Advance { thread, .. } => {
                            leaving.advances && thread == leaving.thread
                        }
                        verify::Step::Execute { .. } | verify::Step::Retire { .. } => false,
                    };
                    prop_assert!(is_next, "{:?}", step);
                }
            }
        }
    }
}

#[test]
fn what_holds_as_accesses_are_whole_has_a_certificate_of_which_no_state_can_be_changed() {
    let pair = program(PAIR);
    let own = read(&pair);
    for (model, of_checker) in MODELS {
        let certificate = made(&pair, model);
        let verified = verify(&certificate.to_string()).expect("it has been checked");
        assert_eq!(verified.claim, Claim::Check);
        let leaf = &certificate["leaves"][0];
        assert_eq!(
            (&leaf["kind"], &leaf["model"]),
            (&json!("closed"), &json!(model.name()))
        );
        let machine = Machine::new(&own, of_checker, &[]);
        let all = states(&machine, 10_000).expect("few states");
        let amidst = all.values().filter(|state| state.leaving.is_some()).count();
        assert_eq!(amidst > 0, model != Model::Sc, "{model}: {amidst}");
        let all: Vec<Vec<u8>> = all.into_keys().collect();
        assert_eq!(
            strings(leaf["states"].as_str().expect("a set")),
            Some(all.clone())
        );
        for without in (0..all.len()).step_by((all.len() / 60).max(1)) {
            let mut changed = certificate.clone();
            let mut fewer = all.clone();
            fewer.remove(without);
            changed["leaves"][0]["states"] = json!(pack(&fewer));
            assert!(is_refused(&changed), "{model}: without state {without}");
            // Another state in its place, which differs in one byte.
            for at in 0..all[without].len() {
                let mut other = all.clone();
                other[without][at] ^= 2;
                if all.contains(&other[without]) {
                    continue;
                }
                changed["leaves"][0]["states"] = json!(pack(&other));
                assert!(is_refused(&changed), "{model}: another state {without}");
            }
        }
    }
}

#[test]
fn a_certificate_of_whole_accesses_is_none_of_loads_and_stores_one_by_one() {
    let split = [
        PAIR.replace("atomic word { a[0] = 1; a[1] = 1; }", "a[0] = 1; a[1] = 1;"),
        PAIR.replace("atomic word { r = a[0]; s = a[1]; }", "r = a[0]; s = a[1];"),
    ];
    for (model, of_checker) in MODELS {
        let certificate = made(&program(PAIR), model);
        for text in &split {
            let torn = program(text);
            let report = check(&torn, &CheckOptions::new(model), &Budget::default());
            let report = report.expect("no defect");
            assert!(matches!(report.verdict(), Verdict::Violated(_)), "{model}");
            let mut changed = certificate.clone();
            changed["program"] = json!(print(&torn));
            assert!(is_refused(&changed), "{model}");
            // The states of that program itself are none either, as some of them are bad.
            let own = read(&torn);
            let all = states(&Machine::new(&own, of_checker, &[]), 10_000).expect("few states");
            let all: Vec<Vec<u8>> = all.into_keys().collect();
            changed["leaves"][0]["states"] = json!(pack(&all));
            assert!(is_refused(&changed), "{model}");
        }
    }
}

/// The certificate that the program is robust.
fn made_robust(program: &Program, model: Model) -> Value {
    let budget = Budget::default();
    let report = robust(program, &RobustOptions::new(model), &budget).expect("no defect");
    match of_robust(program, &report, &budget).expect("no defect") {
        Certificate::Made { text, .. } => serde_json::from_str(&text).expect("JSON"),
        Certificate::None(why) => panic!("no certificate under {model}: {why}"),
    }
}

#[test]
fn robust_programs_have_a_certificate_of_which_no_state_can_be_changed() {
    // Store buffering that is never reached, and that no look at the text rules out.
    let unreached = BUFFERING
        .replace("shared a[2], b[2];", "shared a[2], b[2], go;")
        .replace(
            "atomic word { b[0] = 1; b[1] = 1; } r = a[1];",
            "r = go; if (r == 1) { atomic word { b[0] = 1; b[1] = 1; } r = a[1]; }",
        );
    let fenced = BUFFERING
        .replace("r = b[0];", "fence; r = b[0];")
        .replace("r = a[1];", "fence; r = a[1];");
    let mut leaves = 0;
    for text in [unreached, fenced] {
        let program = program(&text);
        for &(model, _) in &MODELS[1..] {
            let certificate = made_robust(&program, model);
            let verified = verify(&certificate.to_string()).expect("it has been checked");
            assert_eq!(verified.claim, Claim::Robust);
            for (number, leaf) in certificate["leaves"]
                .as_array()
                .expect("leaves")
                .iter()
                .enumerate()
            {
                leaves += 1;
                let all = strings(leaf["states"].as_str().expect("a set")).expect("a set");
                let mut changed = certificate.clone();
                for without in (0..all.len()).step_by((all.len() / 60).max(1)) {
                    let mut fewer = all.clone();
                    fewer.remove(without);
                    changed["leaves"][number]["states"] = json!(pack(&fewer));
                    assert!(is_refused(&changed), "{model}: without state {without}");
                }
                changed["leaves"]
                    .as_array_mut()
                    .expect("leaves")
                    .remove(number);
                assert!(is_refused(&changed), "{model}: without leaf {number}");
            }
        }
    }
    assert_eq!(
        leaves, 6,
        "one for each thread of the first program, under each model"
    );
}

#[test]
fn a_certificate_that_a_program_with_fences_is_robust_is_none_of_the_program_without_one() {
    let fenced = BUFFERING
        .replace("r = b[0];", "fence; r = b[0];")
        .replace("r = a[1];", "fence; r = a[1];");
    for (model, of_checker) in &MODELS[1..] {
        let certificate = made_robust(&program(&fenced), *model);
        for gone in ["fence; r = b[0];", "fence; r = a[1];"] {
            let text = fenced.replace(gone, gone.trim_start_matches("fence; "));
            let one = program(&text);
            let mut changed = certificate.clone();
            changed["program"] = json!(print(&one));
            assert!(is_refused(&changed), "{model}: without {gone}");
            let own = read(&one);
            let leaves = forged(&own, *of_checker);
            changed["leaves"] = leaves.expect("few states").0;
            assert!(is_refused(&changed), "{model}: without {gone}");
        }
    }
    // States under SC say nothing about another model without evidence about attacks.
    let mut certificate = made(&program(PAIR), Model::Sc);
    assert!(!is_refused(&certificate));
    certificate["model"] = json!("pso");
    certificate["program"] = json!(print(&program(BUFFERING)));
    assert!(is_refused(&certificate));
}

/// Leaves about the attacks of each thread with all states but those that are bad, and whether there are such states; `None`
/// if there are too many.
fn forged(program: &verify::Program, model: verify::Model) -> Option<(Value, bool)> {
    let (mut leaves, mut found) = (Vec::new(), false);
    for thread in 0..program.thread_count() {
        let witness = Witness::new(program, model, thread).expect("attacks are defined");
        let Some(witness) = witness else { continue };
        let mut seen: BTreeSet<Vec<u8>> = BTreeSet::new();
        let mut work = vec![witness.initial()];
        while let Some(state) = work.pop() {
            if witness.bad(&state).is_some() {
                found = true;
            } else if seen.insert(encoded(&witness, &state)) {
                witness.successors(&state, &mut |next| work.push(next));
            }
            if seen.len() > 20_000 {
                return None;
            }
        }
        let all: Vec<Vec<u8>> = seen.into_iter().collect();
        leaves.push(json!({ "kind": "attacks", "thread": thread, "states": pack(&all) }));
    }
    Some((Value::Array(leaves), found))
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn the_checker_finds_an_attack_if_and_only_if_there_is_a_cycle(
        program in prop_oneof![
            sketch(Shape { words: 14, fences: 1, wild: 0, longest: 4, ..Shape::ACYCLIC })
                .prop_map(|sketch| sketch.build()),
            read_in_parts().prop_map(|text| program(&text)),
        ],
        pick in any::<prop::sample::Index>(),
    ) {
        prop_assume!(!program.has_barrier());
        let own = read(&program);
        for &(model, of_checker) in &MODELS[1..] {
            if Witness::new(&own, of_checker, 0).is_err() {
                continue;
            }
            // PGAS has the cycles of PSO, and the oracle too many steps.
            let oracle = if model == Model::Pgas { Model::Pso } else { model };
            let Some(is_robust) = witnesses::robust(&program, oracle, 60_000) else { continue };
            let Some((leaves, found)) = forged(&own, of_checker) else { continue };
            prop_assert_eq!(found, !is_robust, "{}\n{}", model, print(&program));
            let forged = json!({
                "format": "fencepost certificate",
                "version": 1,
                "question": "robust",
                "model": model.name(),
                "program": print(&program),
                "leaves": leaves,
            });
            prop_assert_eq!(is_refused(&forged), found);
            let budget = Budget::default();
            let report = robust(&program, &RobustOptions::new(model), &budget)
                .map_err(|why| TestCaseError::fail(format!("{model} {why}\n{}", print(&program))))?;
            prop_assert_eq!(report.verdict() == Verdict::Holds, is_robust);
            let made = of_robust(&program, &report, &budget)
                .map_err(|why| TestCaseError::fail(format!("{model} {why}\n{}", print(&program))))?;
            let Certificate::Made { text, .. } = made else {
                prop_assert!(!is_robust, "{} {:?}\n{}", model, made, print(&program));
                continue;
            };
            // A state less.
            let mut changed: Value = serde_json::from_str(&text).expect("JSON");
            let leaves = changed["leaves"].as_array_mut().expect("leaves");
            if leaves.is_empty() {
                continue;
            }
            let leaf = pick.get(&(0..leaves.len()).collect::<Vec<_>>()).to_owned();
            let mut all = strings(leaves[leaf]["states"].as_str().expect("a set")).expect("a set");
            all.remove(pick.index(all.len()));
            leaves[leaf]["states"] = json!(pack(&all));
            prop_assert!(is_refused(&changed));
        }
    }

    #[test]
    fn cheapest_fences_of_programs_that_read_words_in_parts_have_a_certificate(text in read_in_parts()) {
        let program = program(&text);
        let budget = Budget::default().with_states(100_000);
        for (model, _) in [MODELS[1], MODELS[2]] {
            let options = FenceOptions::new(model, Aim::Robustness);
            let report = cheapest_fences(&program, &options, &budget)
                .map_err(|why| TestCaseError::fail(format!("{model} {why}\n{text}")))?;
            let Verdict::Holds = report.verdict() else { continue };
            let made = of_fences(&program, &report, &options, &budget)
                .map_err(|why| TestCaseError::fail(format!("{model} {why}\n{text}")))?;
            let Certificate::Made { text: certificate, .. } = made else {
                return Err(TestCaseError::fail(format!("{model} {made:?}\n{text}")));
            };
            let Ok(verified) = verify(&certificate) else { panic!("it has been checked") };
            let Claim::Fence(cost) = verified.claim else { panic!("it is about fences") };
            let mut changed: Value = serde_json::from_str(&certificate).expect("JSON");
            // Without one of the fences.
            changed["cost"] = json!(cost.saturating_sub(1));
            let set = changed["set"].as_array_mut().expect("a set");
            prop_assert_eq!(set.pop().is_some(), cost > 0);
            prop_assert!(cost == 0 || is_refused(&changed));
        }
    }
}

#[test]
fn each_rule_about_accesses_of_several_cells_decides_whether_there_is_an_attack() {
    let both = "thread t1 { local r; r = y[FIRST]; assume(r == 1); z = 1; }
        thread t2 { local r, s; r = y[SECOND]; assume(r == 1); r = z; assume(r == 1); s = f; }";
    let [one, other] = [("1", "0"), ("0", "1")].map(|(first, second)| {
        let both = both.replace("FIRST", first).replace("SECOND", second);
        format!(
            "shared f, y[2], z; thread t0 {{ f = 1; atomic word {{ y[0] = 1; y[1] = 1; }} }} {both}"
        )
    });
    let second = "shared f, y[2]; thread t0 { f = 1; atomic word { y[0] = 1; y[1] = 1; } }
        thread t1 { local r; r = y[1]; assume(r == 1); r = f; }";
    // The fence is passed, which the text does not show.
    let fenced = "shared f, y[2], c;
        thread t0 { local r; r = c; f = 1; if (r == 0) { fence store; } atomic word { y[0] = 1; y[1] = 1; } }
        thread t1 { local r; r = y[1]; assume(r == 1); r = f; }";
    let own = "shared a[2], b;
        thread t0 { local r, s; atomic word { a[0] = 1; a[1] = 1; } atomic word { r = a[0]; s = a[1]; }
            assume(r == 1 && s == 1); r = b; }
        thread t1 { local r; b = 1; fence; r = a[1]; }";
    for (text, model, of_checker, expected) in [
        (one.as_str(), Model::Pso, verify::Model::Pso, false),
        (&one, Model::Tso, verify::Model::Tso, true),
        (&other, Model::Pso, verify::Model::Pso, false),
        (second, Model::Pso, verify::Model::Pso, false),
        (fenced, Model::Pso, verify::Model::Pso, true),
        (own, Model::Tso, verify::Model::Tso, false),
    ] {
        let program = program(text);
        assert_eq!(
            witnesses::robust(&program, model, 1_000_000),
            Some(expected),
            "{model} {text}"
        );
        let (_, found) = forged(&read(&program), of_checker).expect("few states");
        assert_eq!(found, !expected, "{model} {text}");
    }
}

#[test]
fn a_certificate_about_loads_that_wait_is_none_about_loads_that_combine() {
    let waiting = program(
        "shared a, b;
        thread t0 { local own, other; a = 1; atomic word wait { own = a; other = b; } }
        thread t1 { local own, other; b = 1; atomic word wait { other = a; own = b; } }
        final assert t0.other == 1 || t1.other == 1;",
    );
    for (model, of_checker) in &MODELS[1..] {
        let certificate = made(&waiting, *model);
        let text = certificate.to_string();
        assert_eq!(
            verify(&text).map(|verified| verified.claim),
            Ok(Claim::Check)
        );
        let combining = text.replace("lock word wait", "lock word");
        assert_ne!(text, combining);
        assert!(verify(&combining).is_err(), "{model}");
        assert!(
            Witness::new(&read(&waiting), *of_checker, 0).is_err(),
            "{model}"
        );
    }
}

#[test]
fn cheapest_fences_have_a_certificate() {
    let program = program(BUFFERING);
    let budget = Budget::default();
    for model in [Model::Tso, Model::Pso, Model::Pgas] {
        for aim in [Aim::Assertions, Aim::Robustness] {
            let options = FenceOptions::new(model, aim);
            let report = cheapest_fences(&program, &options, &budget).expect("no defect");
            let made = of_fences(&program, &report, &options, &budget).expect("no defect");
            let Certificate::Made { text, .. } = made else {
                panic!("{model}: {made:?}")
            };
            let verified = verify(&text).expect("it has been checked");
            assert_eq!(verified.claim, Claim::Fence(2), "{model}");
            let value: Value = serde_json::from_str(&text).expect("JSON");
            for run in 0..value["runs"].as_array().expect("runs").len() {
                // A step less, such as one of the stores of an access: no run, or one that shows the same.
                for step in 0..value["runs"][run].as_array().expect("steps").len() {
                    let mut changed = value.clone();
                    let steps = changed["runs"][run].as_array_mut().expect("steps");
                    let gone = steps.remove(step);
                    let is_flush = gone[0] == json!("f");
                    assert!(!is_flush || is_refused(&changed), "{model}: without {gone}");
                }
            }
        }
    }
}

#[test]
fn any_number_of_threads_with_such_accesses_have_a_certificate_under_sc() {
    let program = program(
        "shared a[2]; thread w[*] { local r, s; atomic word { r = a[0]; s = a[1]; } assert(r == s);
         atomic word { a[0] = 1; a[1] = 1; } }",
    );
    let certificate = made(&program, Model::Sc);
    assert_eq!(certificate["leaves"][0]["kind"], json!("views"));
    assert!(!is_refused(&certificate));
    let mut torn = certificate.clone();
    let text = print(&program)
        .replacen("lock word", "noop", 1)
        .replacen("unlock", "noop", 1);
    torn["program"] = json!(text);
    assert!(is_refused(&torn));
}
