//! Certificates: made for what holds, refused for what does not, and refused when they are changed.
//!
//! The checker's step functions are compared with the reference's on random programs, state by state, and
//! its witnesses of attacks with the answers on robustness.

use crate::support::{automata, config, drawn, process, random};
use automata::{Mix, automata};
use config::config;
use drawn::Drawn;
use fencepost::internals::certificate::{Certificate, of_check, of_fences, of_robust};
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::fences::{Costs, Cycles, FenceOptions, Kinds, Outcome, cheapest_fences};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::reference::{Halt, explore, explore_halts};
use fencepost::internals::robustness::{RobustOptions, robust};
use fencepost::internals::search::{Reduction, check_all_with};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Aim, FenceKind, LocId, Program, print};
use fencepost::verify::{
    self, Claim, Config, Machine, Refusal, System, Witness, cheaper, encoded, is_same_program,
    pack, verify,
};
use proptest::prelude::*;
use random::{Shape, sketch};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

const MODELS: [(Model, verify::Model); 4] = [
    (Model::Sc, verify::Model::Sc),
    (Model::Tso, verify::Model::Tso),
    (Model::Pso, verify::Model::Pso),
    (Model::Pgas, verify::Model::Pgas),
];

const WEAK: [(Model, verify::Model); 3] = [MODELS[1], MODELS[2], MODELS[3]];

/// More states than this are too many for a test.
const MOST: usize = 4_000;

fn read(program: &Program) -> verify::Program {
    verify::Program::read(&print(program)).expect("the checker reads what is printed")
}

/// States by their encoding, and whether there is a bad one.
type Found<S> = (BTreeMap<Vec<u8>, S>, bool);

/// All states by their encoding, those that are bad left out if `forged`; `None` if there are too many.
/// Also whether there is a bad one.
fn states<S: System>(system: &S, forged: bool) -> Option<Found<S::State>>
where
    S::State: Clone,
{
    let mut seen: BTreeMap<Vec<u8>, S::State> = BTreeMap::new();
    let mut bad = false;
    let mut work = VecDeque::from([system.initial()]);
    while let Some(state) = work.pop_front() {
        let is_bad = system.bad(&state).is_some();
        bad |= is_bad;
        if forged && is_bad {
            continue;
        }
        let bytes = encoded(system, &state);
        if seen.insert(bytes, state.clone()).is_none() {
            system.successors(&state, &mut |next| work.push_back(next));
        }
        if seen.len() > MOST {
            return None;
        }
    }
    Some((seen, bad))
}

fn halt(config: &Config) -> Halt {
    Halt {
        locations: config.locations.iter().map(|&at| LocId::from(at)).collect(),
        registers: config.registers.clone(),
        memory: config.cells.clone(),
    }
}

/// A certificate that says that the program holds under the model, with this set of states.
fn envelope(program: &Program, model: Model, leaves: &Value) -> Value {
    json!({
        "format": "fencepost certificate",
        "version": 1,
        "question": "check",
        "never": [],
        "model": model.name(),
        "program": print(program),
        "leaves": leaves,
    })
}

fn closed(model: Model, states: &[Vec<u8>]) -> Value {
    json!([{ "kind": "closed", "model": model.name(), "states": pack(states) }])
}

fn is_refused(certificate: &Value) -> bool {
    matches!(
        verify(&certificate.to_string()),
        Err(Refusal::Refuted(_) | Refusal::Unreadable(_))
    )
}

fn text(made: Certificate) -> String {
    match made {
        Certificate::Made { text, .. } => text,
        Certificate::None(why) => panic!("no certificate: {why}"),
    }
}

fn drawn() -> impl Strategy<Value = Drawn> {
    prop_oneof![
        3 => sketch(Shape::ALL).prop_map(Drawn::Sketch),
        1 => sketch(Shape { words: 14, ..Shape::ALL }).prop_map(Drawn::Sketch),
        1 => sketch(Shape::COUNTING).prop_map(Drawn::Sketch),
        1 => automata(5, Mix::Apart).prop_map(Drawn::Automata),
        1 => automata(5, Mix::Races).prop_map(Drawn::Automata),
        1 => automata(5, Mix::Blocks).prop_map(Drawn::Automata),
    ]
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn the_checker_has_the_states_of_the_reference(drawn in drawn()) {
        let program = drawn.build();
        let own = read(&program);
        let budget = Budget::default().with_states(MOST);
        for (model, of_checker) in MODELS {
            let machine = Machine::new(&own, of_checker, &[]).with_all_registers();
            let Some((all, _)) = states(&machine, false) else { continue };
            let explored = explore(&program, model, &budget);
            prop_assert_eq!(explored.incomplete, None);
            prop_assert_eq!(explored.states, all.len(), "{}", model);
            let halting = all.values().filter(|config| machine.is_halting(config));
            let halts: BTreeSet<Halt> = halting.map(halt).collect();
            prop_assert_eq!(explore_halts(&program, model, &budget).0, halts);
        }
    }

    #[test]
    fn the_checker_reaches_a_goal_if_and_only_if_the_reference_does(drawn in drawn()) {
        let program = drawn.build();
        let own = read(&program);
        let never = own.observations();
        let budget = Budget::default().with_states(MOST);
        for (model, of_checker) in MODELS {
            let machine = Machine::new(&own, of_checker, &never);
            let Some((_, bad)) = states(&machine, false) else { continue };
            let answers = check_all_with(&program, model, &program.goals(), Reduction::NONE, &budget);
            let mut verdicts = answers.verdicts.iter().map(|(_, verdict)| verdict);
            let reached = verdicts.any(|verdict| matches!(verdict, Verdict::Violated(_)));
            // Without any reduction there may be too many states for the reference.
            let mut verdicts = answers.verdicts.iter().map(|(_, verdict)| verdict);
            if !reached && verdicts.any(|verdict| matches!(verdict, Verdict::Unknown(_))) {
                continue;
            }
            prop_assert_eq!(reached, bad, "{}", model);
        }
    }

    #[test]
    fn what_holds_has_a_certificate_and_no_certificate_can_be_forged_for_the_rest(drawn in drawn()) {
        let program = drawn.build();
        let own = read(&program);
        let budget = Budget::default().with_states(MOST);
        for (model, of_checker) in MODELS {
            let machine = Machine::new(&own, of_checker, &[]);
            let Some((all, bad)) = states(&machine, true) else { continue };
            let options = CheckOptions::new(model).engine(Engine::Explicit).note_waiting(false);
            let report = check(&program, &options, &budget).expect("no defect");
            let all: Vec<Vec<u8>> = all.into_keys().collect();
            let forged = envelope(&program, model, &closed(model, &all));
            prop_assert_eq!(is_refused(&forged), bad);
            let made = of_check(&program, &report, &budget).expect("no defect");
            match made {
                Certificate::Made { text, .. } => {
                    prop_assert!(!bad);
                    let verified = verify(&text).expect("it has been checked");
                    prop_assert_eq!(verified.claim, Claim::Check);
                    prop_assert!(is_same_program(&verified, &print(&program)).expect("both are programs"));
                }
                Certificate::None(_) => prop_assert!(bad || report.verdict() != Verdict::Holds),
            }
        }
    }

    #[test]
    fn the_checker_finds_an_attack_if_and_only_if_the_program_is_not_robust(drawn in drawn()) {
        let program = drawn.build();
        if program.has_barrier() {
            return Ok(());
        }
        let own = read(&program);
        let budget = Budget::default().with_states(100_000);
        for (model, of_checker) in WEAK {
            // One delaying thread need not be enough for the program.
            if Witness::new(&own, of_checker, 0).is_err() {
                continue;
            }
            let mut found = false;
            let mut leaves = Vec::new();
            for thread in 0..program.threads().len() {
                let witness = Witness::new(&own, of_checker, thread).expect("one thread is enough");
                let Some(witness) = witness else { continue };
                let Some((all, bad)) = states(&witness, true) else { return Ok(()) };
                found |= bad;
                let all: Vec<Vec<u8>> = all.into_keys().collect();
                leaves.push(json!({ "kind": "attacks", "thread": thread, "states": pack(&all) }));
            }
            let options = RobustOptions::new(model).engine(Engine::Explicit);
            let report = robust(&program, &options, &budget).expect("no defect");
            match report.verdict() {
                Verdict::Holds => prop_assert!(!found, "{}", model),
                Verdict::Violated(_) => prop_assert!(found, "{}", model),
                Verdict::HoldsWithin(_) | Verdict::Unknown(_) => continue,
            }
            let mut forged = envelope(&program, model, &Value::Array(leaves));
            forged["question"] = json!("robust");
            prop_assert_eq!(is_refused(&forged), found);
            match of_robust(&program, &report, &budget).expect("no defect") {
                Certificate::Made { text, .. } => {
                    prop_assert!(!found);
                    prop_assert_eq!(verify(&text).map(|verified| verified.claim), Ok(Claim::Robust));
                }
                Certificate::None(_) => prop_assert!(found),
            }
        }
    }

    #[test]
    fn cheapest_fences_have_a_certificate(sketch in sketch(Shape { wild: 0, longest: 4, ..Shape::ACYCLIC })) {
        let program = sketch.build();
        let budget = Budget::default().with_states(MOST);
        for (model, aim) in [
            (Model::Tso, Aim::Robustness),
            (Model::Tso, Aim::Assertions),
            (Model::Pso, Aim::Robustness),
            (Model::Pso, Aim::Assertions),
        ] {
            let options = FenceOptions::new(model, aim);
            let report = cheapest_fences(&program, &options, &budget).expect("no defect");
            let Verdict::Holds = report.verdict() else { continue };
            if program.has_barrier() && aim == Aim::Robustness {
                continue;
            }
            // A fence may take few states to be found, and many to be certified.
            let more = budget.with_states(20 * MOST);
            let made = of_fences(&program, &report, &options, &more).expect("no defect");
            let text = text(made);
            let Ok(verified) = verify(&text) else { panic!("it has been checked") };
            let Claim::Fence(cost) = verified.claim else { panic!("it is about fences") };
            // Nothing cheaper is accepted, and nothing dearer either.
            let value: Value = serde_json::from_str(&text).expect("it is JSON");
            for (number, _) in value["set"].as_array().into_iter().flatten().enumerate() {
                let mut less = value.clone();
                let place = less["set"].as_array_mut().expect("a set").remove(number);
                let of_place = &value["places"][place.as_u64().expect("a number") as usize]["each"];
                let each = of_place.as_array().expect("costs").iter();
                let of_place: u64 = each.map(|cost| cost.as_u64().expect("a cost")).sum();
                less["cost"] = json!(cost - of_place);
                prop_assert!(is_refused(&less));
            }
            let number = value["places"].as_array().map_or(0, Vec::len);
            for set in (0..number).map(|place| vec![place]).chain([(0..number).collect()]) {
                let mut other = value.clone();
                other["set"] = json!(set);
                for total in cost + 1..cost + 6 {
                    other["cost"] = json!(total);
                    prop_assert!(is_refused(&other), "{set:?} at cost {total}");
                }
            }
            if cost > 0 {
                let mut unfounded = value.clone();
                unfounded["runs"] = json!([]);
                prop_assert!(is_refused(&unfounded));
            }
        }
    }
}

const PETERSON: &str = "shared flag0, flag1, turn;
    thread t0 { local f, t; loop { flag0 = 1; turn = 1; fence;
        do { f = flag1; t = turn; } while (f == 1 && t == 1); critical: skip; flag0 = 0; } }
    thread t1 { local f, t; loop { flag1 = 1; turn = 0; fence;
        do { f = flag0; t = turn; } while (f == 1 && t == 0); critical: skip; flag1 = 0; } }
    forbid t0@critical && t1@critical;";

/// `t1` stores only when everything of `t0` is in memory: no attack is feasible, and the text excludes none.
const GUARDED: &str = "shared x, y, done;
    thread t0 { local r; x = 1; r = y; done = 1; }
    thread t1 { local r, s; do { r = done; } while (r == 0); y = 1; s = x; }";

const BUFFERING: &str = "shared x, y;
    thread t0 { local r; x = 1; r = y; }
    thread t1 { local r; y = 1; r = x; }
    final assert t0.r == 1 || t1.r == 1;";

fn program(text: &str) -> Program {
    parse(text).into_program().expect("a program")
}

/// Certificates of every kind, each with the name of what it is about.
fn samples() -> Vec<(String, Value)> {
    let budget = Budget::default();
    let mut samples = Vec::new();
    let mut add = |name: String, made: Certificate| {
        samples.push((name, serde_json::from_str(&text(made)).expect("JSON")));
    };
    let fenced = program(PETERSON);
    for model in [Model::Sc, Model::Tso, Model::Pso] {
        let report = check(&fenced, &CheckOptions::new(model), &budget).expect("no defect");
        if report.verdict() == Verdict::Holds {
            add(
                format!("check {model}"),
                of_check(&fenced, &report, &budget).expect("no defect"),
            );
        }
    }
    let report = robust(&fenced, &RobustOptions::new(Model::Tso), &budget).expect("no defect");
    add(
        "robust".to_owned(),
        of_robust(&fenced, &report, &budget).expect("no defect"),
    );
    let guarded = program(GUARDED);
    let report = robust(&guarded, &RobustOptions::new(Model::Tso), &budget).expect("no defect");
    add(
        "guarded".to_owned(),
        of_robust(&guarded, &report, &budget).expect("no defect"),
    );
    let bare = program(BUFFERING);
    for aim in [Aim::Robustness, Aim::Assertions] {
        let options = FenceOptions::new(Model::Tso, aim);
        let report = cheapest_fences(&bare, &options, &budget).expect("no defect");
        assert!(matches!(&report.outcome(), Outcome::Found(_)));
        let made = of_fences(&bare, &report, &options, &budget).expect("no defect");
        add(format!("fence {aim:?}"), made);
    }
    samples
}

/// All states of a leaf of a sample, for the leaf to be written again without some of them.
fn states_of_leaf(sample: &Value, leaf: &Value) -> Vec<Vec<u8>> {
    let own =
        verify::Program::read(sample["program"].as_str().expect("a text")).expect("a program");
    let model = verify::Model::named(sample["model"].as_str().expect("a name")).expect("a model");
    let points: Vec<(usize, usize)> = sample["set"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(|place| {
            let of_place = &sample["places"][place.as_u64().expect("a number") as usize]["points"];
            let points = of_place.as_array().expect("points").iter();
            let number = |value: &Value| value.as_u64().expect("a number") as usize;
            points.map(move |point| (number(&point[0]), number(&point[1])))
        })
        .collect();
    let own = own.fenced(&points).expect("places for fences");
    let found = if leaf["kind"] == "attacks" {
        let thread = leaf["thread"].as_u64().expect("a number") as usize;
        let witness = Witness::new(&own, model, thread)
            .expect("no barrier")
            .expect("open pairs");
        states(&witness, false)
            .expect("few states")
            .0
            .into_keys()
            .collect::<Vec<_>>()
    } else {
        let model = verify::Model::named(leaf["model"].as_str().expect("a name")).expect("a model");
        let machine = Machine::new(&own, model, &[]);
        states(&machine, false)
            .expect("few states")
            .0
            .into_keys()
            .collect::<Vec<_>>()
    };
    assert_eq!(
        leaf["states"],
        json!(pack(&found)),
        "the leaf has the reachable states"
    );
    found
}

/// How many changes of each leaf are tried; more with `PROPTEST_CASES`.
fn changes() -> usize {
    config(40).cases as usize
}

#[test]
fn a_leaf_without_one_of_its_states_is_refused() {
    let mut kinds = BTreeSet::new();
    for (name, sample) in samples() {
        assert!(!is_refused(&sample), "{name}");
        for (number, leaf) in sample["leaves"]
            .as_array()
            .expect("leaves")
            .iter()
            .enumerate()
        {
            kinds.insert(leaf["kind"].to_string());
            let all = states_of_leaf(&sample, leaf);
            let step = (all.len() / changes()).max(1);
            for without in (0..all.len()).step_by(step) {
                let mut fewer = all.clone();
                fewer.remove(without);
                let mut changed = sample.clone();
                changed["leaves"][number]["states"] = json!(pack(&fewer));
                assert!(
                    is_refused(&changed),
                    "{name}: leaf {number} without state {without}"
                );
                // The same with another state in its place.
                let mut other = all.clone();
                let last = other[without].len().saturating_sub(1);
                match other[without].get_mut(last) {
                    Some(byte) => *byte ^= 2,
                    None => other[without].push(2),
                }
                if !all.contains(&other[without]) {
                    changed["leaves"][number]["states"] = json!(pack(&other));
                    assert!(
                        is_refused(&changed),
                        "{name}: leaf {number} with another state {without}"
                    );
                }
            }
        }
    }
    assert_eq!(
        kinds.len(),
        2,
        "every kind of leaf is among the samples: {kinds:?}"
    );
}

#[test]
fn a_certificate_without_one_of_its_leaves_is_refused() {
    for (name, sample) in samples() {
        for number in 0..sample["leaves"].as_array().expect("leaves").len() {
            let mut changed = sample.clone();
            changed["leaves"]
                .as_array_mut()
                .expect("leaves")
                .remove(number);
            assert!(is_refused(&changed), "{name}: without leaf {number}");
        }
    }
}

#[test]
fn a_certificate_of_another_program_or_model_is_refused() {
    let unfenced = program(&PETERSON.replace("fence;", ""));
    for (name, sample) in samples() {
        if !name.starts_with("check") {
            continue;
        }
        let mut changed = sample.clone();
        changed["program"] = json!(print(&unfenced));
        // Without a fence Peterson's algorithm is still correct under SC, with fewer locations.
        assert!(is_refused(&changed), "{name}");
        let verified = verify(&sample.to_string()).expect("it has been checked");
        assert_eq!(is_same_program(&verified, &print(&unfenced)), Ok(false));
        assert_eq!(
            is_same_program(&verified, &print(&program(PETERSON))),
            Ok(true)
        );
        let mut weaker = sample.clone();
        weaker["model"] = json!("pso");
        if name != "check PSO" {
            assert!(is_refused(&weaker), "{name}");
        }
    }
}

#[test]
fn a_set_of_fences_that_costs_something_else_is_refused() {
    for (name, sample) in samples() {
        if !name.starts_with("fence") {
            continue;
        }
        let cost = sample["cost"].as_u64().expect("a cost");
        assert_eq!(cost, 2, "{name}");
        for wrong in [cost - 1, cost + 1] {
            let mut changed = sample.clone();
            changed["cost"] = json!(wrong);
            assert!(is_refused(&changed), "{name}: cost {wrong}");
        }
        // A place that is dearer than it was makes the set dearer than it has to be.
        let mut changed = sample.clone();
        changed["runs"].as_array_mut().expect("runs").truncate(1);
        assert!(is_refused(&changed), "{name}: with one run");
        for run in 0..sample["runs"].as_array().expect("runs").len() {
            for step in 0..sample["runs"][run].as_array().expect("steps").len() {
                let mut changed = sample.clone();
                changed["runs"][run]
                    .as_array_mut()
                    .expect("steps")
                    .remove(step);
                // Local steps at the end show nothing. All others are needed.
                if let Ok(verified) = verify(&changed.to_string()) {
                    assert_eq!(verified.claim, Claim::Fence(cost), "{name}");
                }
            }
        }
    }
}

const PRICED: &str = "shared x, y;
    thread t0 { local r; x = 1; @cost 3 r = y; }
    thread t1 { local r; y = 1; @nofence skip; r = x; }
    thread t2 { local r, s; r = x; s = y; }";

/// The certificate of the cheapest fences, with the costs that are given.
fn priced(source: &str, costs: Costs, factor: u32) -> Value {
    let program = program(source);
    let mut options = FenceOptions::new(Model::Tso, Aim::Robustness);
    options.costs = costs;
    options.kinds = Kinds(vec![(FenceKind::Full, factor)]);
    let budget = Budget::default();
    let report = cheapest_fences(&program, &options, &budget).expect("no defect");
    let made = of_fences(&program, &report, &options, &budget).expect("no defect");
    serde_json::from_str(&text(made)).expect("JSON")
}

#[test]
fn places_and_costs_of_fences_are_those_of_the_program_text() {
    let unit = priced(PRICED, Costs::Unit, 1);
    let said = |certificate: &Value| verify(&certificate.to_string()).map(|v| v.sentence);
    let sentence = said(&unit).expect("it has been checked");
    // 3 as the text says; 1 for the place after the skip, as none is allowed before it.
    assert_eq!(unit["cost"], json!(4));
    assert!(
        sentence.contains("costs 1, or what `@cost` in the program says"),
        "{sentence}"
    );
    let plain = priced(&PRICED.replace("@cost 3 ", ""), Costs::Unit, 1);
    let sentence = said(&plain).expect("it has been checked");
    assert!(sentence.contains("if each fence costs 1,"), "{sentence}");
    let stated = priced(PRICED, Costs::Loops, 1);
    let sentence = said(&stated).expect("it has been checked");
    assert!(
        sentence.contains("what the certificate states (1 to 3)"),
        "{sentence}"
    );
    let doubled = priced(PRICED, Costs::Unit, 2);
    assert_eq!(doubled["cost"], json!(8));
    assert!(
        said(&doubled)
            .expect("it has been checked")
            .contains("costs 2, or 2 times")
    );

    for certificate in [&unit, &stated, &doubled] {
        let places = certificate["places"].as_array().expect("places").len();
        for place in 0..places {
            let mut without = certificate.clone();
            without["places"]
                .as_array_mut()
                .expect("places")
                .remove(place);
            assert!(is_refused(&without), "without place {place}");
            let mut twice = certificate.clone();
            let again = twice["places"][place].clone();
            twice["places"].as_array_mut().expect("places").push(again);
            assert!(is_refused(&twice), "place {place} twice");
            for cost in [0, 1, 2, 3, 7, 1_000_001] {
                let mut other = certificate.clone();
                if other["places"][place]["each"][0] == json!(cost) {
                    continue;
                }
                other["places"][place]["each"][0] = json!(cost);
                // The sum has to fit, and then the costs of the text are compared.
                for sum in 0..12 {
                    other["cost"] = json!(sum);
                    let accepted = !is_refused(&other);
                    let said = said(&other).unwrap_or_default();
                    assert!(
                        !accepted || said.contains("what the certificate states"),
                        "{said}"
                    );
                }
            }
        }
        for (key, value) in [
            ("factor", json!(3)),
            ("costs", json!("other")),
            ("factor", json!(null)),
        ] {
            let mut other = certificate.clone();
            other[key] = value;
            assert!(is_refused(&other), "{key}");
        }
        // A place where the text allows none.
        let text = certificate["program"].as_str().expect("a text");
        assert!(text.contains("@nofence"));
        let mut free = certificate.clone();
        free["program"] = json!(text.replace("@nofence ", ""));
        assert!(is_refused(&free), "a place that is not listed");
        let mut none = certificate.clone();
        none["program"] = json!(text.replace("@cost 3 ", "@nofence "));
        assert!(is_refused(&none), "a place that is none");
    }
    // A cost of its own for all other fences is compared with each of them.
    let cycles = Cycles {
        mfence: true,
        loops: false,
    };
    let costly = priced(PRICED, Costs::X86(cycles), 1);
    assert_eq!(
        (&costly["cost"], &costly["usual"]),
        (&json!(41), &json!(38))
    );
    let sentence = said(&costly).expect("it has been checked");
    let words = "if a fence costs 38, or what `@cost` in the program says";
    assert!(sentence.contains(words), "{sentence}");
    for usual in [json!(37), json!(39), json!(null), json!("38"), json!(-38)] {
        let mut other = costly.clone();
        other["usual"] = usual;
        assert!(is_refused(&other), "{}", other["usual"]);
    }
    let mut other = costly.clone();
    other["costs"] = json!("stated");
    assert!(is_refused(&other), "one cost of all, and one of each");
    let costly = priced(&PRICED.replace("@cost 3 ", ""), Costs::X86(cycles), 2);
    let sentence = said(&costly).expect("it has been checked");
    assert!(sentence.contains("if each fence costs 76,"), "{sentence}");
    // What is stated is no more than that, but not less than what the text says.
    let mut stated = plain.clone();
    stated["costs"] = json!("stated");
    assert!(
        said(&stated)
            .expect("the same costs")
            .contains("what the certificate states (1)")
    );
}

#[test]
fn costs_that_only_the_certificate_states_are_listed() {
    // A fence in `t0` costs 5, and in `t1` what `@cost` says; what is cheapest depends on that.
    let source = "shared x, y, z;
        thread t0 { local r; x = 1; r = y; }
        thread t1 { local r; y = 1; r = x; @cost 3 r = z; z = 1; r = x; }
        thread t2 { local r; z = 1; r = y; }";
    let thread = |name: &str| -> Vec<(String, String)> {
        let program = program(source);
        let thread = program.find_thread(name).expect("a thread");
        let locations = program.thread(thread).locations().iter();
        locations
            .map(|location| (name.to_owned(), location.name.clone()))
            .collect()
    };
    let costs = Costs::Stated(thread("t0").into_iter().map(|place| (place, 5)).collect());
    let certificate = priced(source, costs, 1);
    let verified = verify(&certificate.to_string()).expect("it has been checked");
    let listed = "if a fence costs what the certificate states (1 to 5): 3 at t1@";
    assert!(verified.sentence.contains(listed), "{}", verified.sentence);
    let rest = verified.sentence.split_once(listed).expect("it is there").1;
    assert!(
        rest.contains(", 5 at t0@") && rest.contains(", and 1 elsewhere"),
        "{rest}"
    );
    // Each cost is in the sentence: with another one, the sentence is another, or it is refused.
    for place in 0..certificate["places"].as_array().expect("places").len() {
        let mut other = certificate.clone();
        let each = &mut other["places"][place]["each"][0];
        let cost = each.as_u64().expect("a cost");
        *each = json!(cost + 1);
        for sum in 0..20 {
            other["cost"] = json!(sum);
            let sentence = verify(&other.to_string()).map(|verified| verified.sentence);
            assert_ne!(sentence, Ok(verified.sentence.clone()), "place {place}");
        }
    }
}

/// All states of a program under a model, as a leaf.
fn closed_leaf(program: &Program, model: (Model, verify::Model)) -> Value {
    let own = read(program);
    let machine = Machine::new(&own, model.1, &[]);
    let (all, _) = states(&machine, false).expect("few states");
    closed(model.0, &all.into_keys().collect::<Vec<_>>())
}

#[test]
fn what_no_kind_of_evidence_is_about_is_refused() {
    let [sc, tso, pso, _] = MODELS;
    let holds = |text: &str, model: (Model, verify::Model), of: (Model, verify::Model)| {
        let program = program(text);
        let leaf = closed_leaf(&program, of);
        !is_refused(&envelope(&program, model.0, &leaf))
    };
    let plain = "shared x; thread t { x = 1; }";
    assert!(holds(plain, tso, tso) && holds(plain, tso, sc));
    // One thread that waits while others act, and more values than are enumerated.
    assert!(!holds(&format!("{plain} forbid stuck t;"), sc, sc));
    let wide = "shared x; thread t { local r; r = nondet(0, 300); x = r & 1; }";
    assert!(!holds(wide, sc, sc));
    // Robustness is not about a block that may never end: its states under SC are no evidence under PSO.
    let block = "shared x; thread t { local r; atomic { r = x; assume(r == 0); assert(r == 0); } }";
    assert!(holds(block, pso, pso) && holds(block, tso, sc) && !holds(block, pso, sc));
    // Nor is the theorem about a block that may wait after two reads, or about barriers.
    let robust = |text: &str, model: Model| {
        let mut certificate = envelope(&program(text), model, &json!([]));
        certificate["question"] = json!("robust");
        !is_refused(&certificate)
    };
    let two = "shared x, y; thread t { local r, s; atomic { r = x; s = y; assume(r == s); } }";
    assert!(robust(plain, Model::Pso) && robust(block, Model::Pso));
    assert!(robust(two, Model::Tso) && !robust(two, Model::Pso));
    assert!(!robust(
        "shared x; thread t { x = 1; barrier all; }",
        Model::Tso
    ));
}

#[test]
fn an_envelope_that_says_something_else_is_refused() {
    let program =
        program("shared x; thread t { x = 1; } forbid x == 2; exists x == 1; exists x == 3;");
    let certificate = envelope(&program, Model::Sc, &closed_leaf(&program, MODELS[0]));
    let sentence = |certificate: &Value| verify(&certificate.to_string()).map(|v| v.sentence);
    let said = sentence(&certificate).expect("no goal is reached");
    assert!(
        said.contains("(2 `exists` properties are not part of the claim)"),
        "{said}"
    );
    let with = |key: &str, value: Value| {
        let mut other = certificate.clone();
        other[key] = value;
        other
    };
    // The second observation is not made, the first one is, and what is forbidden is no observation.
    let said = sentence(&with("never", json!([2]))).expect("it is not made");
    assert!(
        said.contains("(1 `exists` properties are not part of the claim)"),
        "{said}"
    );
    for (key, value) in [
        ("never", json!([1])),
        ("never", json!([0])),
        ("never", json!([3])),
        ("never", json!(null)),
        ("version", json!(2)),
        ("version", json!("1")),
        ("format", json!("certificate")),
        ("question", json!("robustness")),
        ("model", json!("arm")),
        ("leaves", json!([])),
        ("leaves", json!(null)),
    ] {
        assert!(is_refused(&with(key, value.clone())), "{key}: {value}");
    }
}

#[test]
fn a_run_that_shows_no_violation_makes_no_fence_necessary() {
    let alone = "shared x, y; thread t { local r; x = 1; @cost 3 skip; r = y; }";
    // The store is delayed past the load, and then leaves the buffer.
    let run = json!([["x", 0, 0], ["x", 0, 1], ["x", 0, 2], ["f", 0, 0]]);
    let points = [(0, 1), (0, 2)];
    let certificate = |text: &str, aim: &str, set: &[usize], cost: u64, runs: Value| {
        let program = program(text);
        // No attack is left with the fences, nor without them if there is one thread.
        let set_points: Vec<(usize, usize)> = set.iter().map(|&place| points[place]).collect();
        let fenced = read(&program)
            .fenced(&set_points)
            .expect("places for fences");
        let machine = Machine::new(&fenced, verify::Model::Tso, &[]);
        let (all, _) = states(&machine, false).expect("few states");
        let leaves = if aim == "robustness" {
            json!([])
        } else {
            closed(Model::Tso, &all.into_keys().collect::<Vec<_>>())
        };
        let mut certificate = envelope(&program, Model::Tso, &leaves);
        let claim = json!({
            "question": "fence", "aim": aim, "cost": cost, "costs": "unit", "factor": 1, "set": set,
            "places": [{ "points": [[0, 1]], "each": [3] }, { "points": [[0, 2]], "each": [1] }],
            "runs": runs,
        });
        for (key, value) in claim.as_object().expect("an object") {
            certificate[key] = value.clone();
        }
        certificate
    };
    for aim in ["robustness", "assertions"] {
        let none = certificate(alone, aim, &[], 0, json!([]));
        assert!(!is_refused(&none), "{aim}");
        let one = certificate(alone, aim, &[1], 1, json!([run]));
        assert!(is_refused(&one), "{aim}");
    }
    // With a second thread there is a cycle, and a fence at either place excludes it: the cheaper one counts.
    let two = format!("{alone} thread u {{ local r; y = 1; fence; r = x; }}");
    let run = json!([
        ["x", 0, 0],
        ["x", 0, 1],
        ["x", 0, 2],
        ["x", 1, 0],
        ["f", 1, 1],
        ["x", 1, 1],
        ["x", 1, 2],
        ["f", 0, 0]
    ]);
    let cheap = certificate(&two, "robustness", &[1], 1, json!([run]));
    assert!(!is_refused(&cheap), "{:?}", verify(&cheap.to_string()));
    let costly = certificate(&two, "robustness", &[0], 3, json!([run]));
    assert!(is_refused(&costly));
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn a_cheaper_set_is_found_if_there_is_one(
        cuts in prop::collection::vec(prop::collection::btree_set(0..6_usize, 0..4), 0..7),
        costs in prop::collection::vec(0..5_u64, 6),
        cost in 0..14_u64,
    ) {
        let sum = |set: u32| -> u64 { (0..6).filter(|place| set >> place & 1 == 1).map(|place| costs[place]).sum() };
        let hits = |set: u32| cuts.iter().all(|cut| cut.iter().any(|place| set >> place & 1 == 1));
        let expected = (0..64).any(|set| hits(set) && sum(set) < cost);
        let found = cheaper(&cuts, &costs, cost).expect("a short search");
        prop_assert_eq!(found.is_some(), expected);
        if let Some(found) = found {
            let set = found.iter().fold(0, |set, place| set | 1 << place);
            prop_assert!(hits(set) && sum(set) < cost);
        }
    }
}

#[test]
fn a_certificate_with_a_key_twice_is_no_certificate() {
    for (name, sample) in samples() {
        let text = sample.to_string();
        let claim = text.strip_prefix('{').expect("an object");
        for more in [
            r#""model": "sc""#,
            r#""leaves": []"#,
            r#""program": "shared x = 0;""#,
            r#""mod\u0065l": "sc""#,
        ] {
            // The key that counts would be the last one.
            let twice = format!("{{{more}, {claim}");
            match verify(&twice) {
                Err(Refusal::Unreadable(why)) => assert!(why.contains("twice"), "{why}"),
                other => panic!("{name} with {more}: {other:?}"),
            }
        }
        if sample["leaves"] != json!([]) {
            let twice = text.replacen(r#""kind":"#, r#""kind": "closed", "kind":"#, 1);
            assert!(twice != text && verify(&twice).is_err(), "{name}");
        }
    }
    let (code, text) = checker(r#"{"format": "fencepost certificate", "format": 1}"#, None);
    assert!(
        code == 2 && text.contains(r#"the key "format" occurs twice in one object"#),
        "{text}"
    );
}

#[test]
fn a_program_that_takes_too_much_memory_or_time_is_refused() {
    let long = |count: usize, one: &str| -> String {
        let all: Vec<String> = (0..count).map(|number| format!("{one}{number}")).collect();
        all.join(", ")
    };
    let wide = format!(
        "shared x = 0; thread t regs {} locations {} init q0 begin q0: noop; goto q1; end",
        long(3_000, "r"),
        long(3_000, "q")
    );
    assert!(verify::Program::read(&wide).is_err());
    let threads: Vec<String> = (0..1_001)
        .map(|number| format!("thread t{number} locations q init q begin end"))
        .collect();
    assert!(verify::Program::read(&threads.join(" ")).is_err());
    // Stores and loads, each of them a pair: the square of them, and not more.
    let cells: Vec<String> = (0..1_500)
        .map(|number| format!("shared x{number} = 0;"))
        .collect();
    let mut body = String::new();
    for number in 0..1_500 {
        let next = number + 1;
        let _ = write!(body, "q{number}: mem[x{number}] <- 1; goto q{next}; ");
    }
    for number in 0..1_500 {
        let (at, next) = (1_500 + number, 1_501 + number);
        let _ = write!(body, "q{at}: r <- mem[x{number}]; goto q{next}; ");
    }
    let one = |name: &str| {
        format!(
            "thread {name} regs r locations {} init q0 begin {body} end ",
            long(3_001, "q")
        )
    };
    let text = format!("{} {} {}", cells.join(" "), one("a"), one("b"));
    let own = verify::Program::read(&text).expect("a program");
    assert!(
        Witness::new(&own, verify::Model::Pso, 0)
            .expect("no barrier")
            .is_some()
    );
}

proptest! {
    #![proptest_config(config(60))]

    /// Neither a panic nor a wrong claim, whatever changes in the text.
    #[test]
    fn a_changed_text_is_refused_or_proves_the_same(
        which in 0..100_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 1..4),
    ) {
        thread_local! {
            static SAMPLES: Vec<(String, Value)> = samples();
        }
        SAMPLES.with(|samples| {
            let (name, sample) = &samples[which % samples.len()];
            let claim = verify(&sample.to_string()).expect("it has been checked").claim;
            let mut bytes = sample.to_string().into_bytes();
            for (at, byte, kind) in changes {
                let at = at.index(bytes.len());
                match kind {
                    0 => bytes[at] = byte,
                    1 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, byte),
                }
            }
            if let Ok(verified) = verify(&String::from_utf8_lossy(&bytes)) {
                prop_assert_eq!(verified.claim, claim, "{}", name);
            }
            Ok(())
        })?;
    }

    #[test]
    fn any_program_text_is_read_or_refused(text in "[a-z0-9 ;:(){}\\[\\]<>=&|!?`\\\\.@*+-]{0,80}") {
        let _ = verify::Program::read(&text);
        let _ = verify::Program::read(&format!("shared x = 0; thread t locations a init a begin a: {text}; goto a; end"));
    }
}

#[test]
fn what_nests_too_deep_is_refused() {
    let deep = |open: &str, close: &str| {
        let (open, close) = (open.repeat(50_000), close.repeat(50_000));
        let text = format!("shared x = 0; forbid {open}x{close};");
        verify::Program::read(&text).is_err()
    };
    assert!(deep("(", ")") && deep("!", "") && deep("", " + x"));
    assert!(deep("x ? ", " : 1"));
}

#[test]
fn what_is_not_covered_has_no_certificate_and_says_so() {
    let budget = Budget::default();
    let none = |text: &str, why: &str| {
        let program = program(text);
        let options = CheckOptions::new(Model::Tso);
        let report = check(&program, &options, &budget).expect("no defect");
        let made = of_check(&program, &report, &budget).expect("no defect");
        let Certificate::None(found) = made else {
            panic!("{text} has a certificate")
        };
        assert!(found.contains(why), "{found}");
    };
    none(
        "shared x; thread t { x = 1; } forbid x == 1;",
        "not that all goals hold",
    );
    none(
        "shared x; thread t { local r; do { r = x; } while (r == 0); } thread u { x = 1; } forbid stuck t;",
        "waits forever",
    );
    none(
        "shared x; thread t { local r; r = nondet(0, 1000); x = r & 1; } forbid x > 1;",
        "256 values",
    );
}

#[test]
fn a_robust_program_with_unbounded_buffers_is_certified_by_its_states_under_sc() {
    // Under TSO the buffer grows without end, but no other thread can see a difference.
    let program = program(
        "shared x; thread t { loop { x = 1; } } thread u { local r; r = x; assert(r < 2); }",
    );
    let budget = Budget::default();
    let report = check(&program, &CheckOptions::new(Model::Tso), &budget).expect("no defect");
    assert_eq!(report.verdict(), Verdict::Holds);
    let text = text(of_check(&program, &report, &budget.with_states(3_000)).expect("no defect"));
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let models: Vec<&Value> = value["leaves"]
        .as_array()
        .expect("leaves")
        .iter()
        .map(|leaf| &leaf["model"])
        .collect();
    assert_eq!(models, [&json!("sc")]);
}

#[test]
fn a_goal_in_a_block_that_may_never_end_is_certified_by_the_states_under_the_model_only() {
    // Under PSO there are more states than under SC, though the program is robust.
    let program = program(
        "shared x, y, z;
        thread t0 { local r; atomic { r = x; assume(r == 0); assert(r == 0); x = 0; } }
        thread t1 { y = 1; z = 1; y = 2; z = 2; y = 3; z = 3; }",
    );
    let report = check(&program, &CheckOptions::new(Model::Pso), &Budget::default());
    let report = report.expect("no defect");
    assert_eq!(report.verdict(), Verdict::Holds);
    let made = |states: usize| {
        let budget = Budget::default().with_states(states);
        of_check(&program, &report, &budget).expect("no defect")
    };
    match made(50) {
        Certificate::None(why) => assert!(why.contains("more than 50 states"), "{why}"),
        Certificate::Made { text, .. } => panic!("{text}"),
    }
    let value: Value = serde_json::from_str(&text(made(10_000))).expect("JSON");
    assert_eq!(value["leaves"][0]["model"], json!("pso"));
    assert_eq!(value["leaves"].as_array().map(Vec::len), Some(1));
}

/// The second call of `put` is the last of its thread, so that a fence in it is of no use there.
const TWICE: &str = "#include <stdatomic.h>
#include <pthread.h>
atomic_int x, y, z;
static void put(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&z, 1, memory_order_relaxed);
}
void *t0(void *a) {
    put();
    int r = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    put();
    return 0;
}
void *t1(void *a) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    int r = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, t0, 0);
    pthread_create(&b, 0, t1, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
";

#[test]
fn a_place_may_have_locations_where_its_fence_is_of_no_use() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (source, out) = (path("twice.c"), path("certificate"));
    fs::write(&source, TWICE).expect("a file");
    let output = process::fencepost(&["fence", &source, "--certificate", &out], "");
    assert_eq!(process::code(&output), 0, "{}", process::stderr(&output));
    let made = fs::read_to_string(&out).expect("it was written");
    let verified = verify(&made).expect("it has been checked");
    assert!(
        verified
            .sentence
            .contains("several locations that get their fences together"),
        "{}",
        verified.sentence
    );
    // The place with none but these is refused, and so is one without them that counts as more.
    let value: Value = serde_json::from_str(&made).expect("JSON");
    let places = value["places"].as_array().expect("places");
    let is_several = |place: &Value| place["points"].as_array().map_or(0, Vec::len) > 1;
    let several = places.iter().position(is_several).expect("a place");
    let count = places[several]["points"].as_array().map_or(0, Vec::len);
    let mut refused = 0;
    for point in 0..count {
        let mut other = value.clone();
        let mut apart = other["places"][several].clone();
        for key in ["points", "each"] {
            let all = other["places"][several][key].as_array_mut();
            let one = all.expect("a list").remove(point);
            apart[key] = json!([one]);
        }
        other["places"].as_array_mut().expect("places").push(apart);
        refused += usize::from(is_refused(&other));
    }
    assert!(refused > 0, "a place of no use on its own");
}

/// Runs the checker on a certificate, given on standard input, and a program in this file, if any.
fn checker(certificate: &str, program: Option<&Path>) -> (i32, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fencepost-verify"))
        .arg("-")
        .args(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the checker starts");
    let mut stdin = child.stdin.take().expect("it has an input");
    stdin
        .write_all(certificate.as_bytes())
        .expect("it reads its input");
    drop(stdin);
    let output = child.wait_with_output().expect("the checker ends");
    let text = [output.stdout, output.stderr].concat();
    let code = output.status.code().expect("the checker was not killed");
    (code, String::from_utf8(text).expect("it prints text"))
}

#[test]
fn the_checker_accepts_what_the_command_line_wrote_for_this_program_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("peterson.fence"), PETERSON).expect("a file");
    let name = |name: &str| path(name).display().to_string();
    for (arguments, question) in [
        (["check", "--model=tso"].as_slice(), "no goal is reachable"),
        (&["robust"], "the program is robust"),
        (&["fence"], "with 0 fences at cost 0 the program is robust"),
        (
            &["fence", "--for=assertions"],
            "with 0 fences at cost 0 no goal is reachable",
        ),
    ] {
        let program = name("peterson.fence");
        let out = name("certificate");
        let all = [arguments, &[&program, "--json", "--certificate", &out]].concat();
        let output = process::fencepost(&all, "");
        assert_eq!(process::code(&output), 0, "{}", process::stderr(&output));
        let shown: Value = serde_json::from_str(&process::stdout(&output)).expect("JSON");
        assert_eq!(shown["certificate"]["file"], json!(out));
        let certificate = fs::read_to_string(&out).expect("it was written");
        assert_eq!(shown["certificate"]["bytes"], json!(certificate.len()));
        let mut show = vec!["show", &program];
        if arguments[0] == "fence" {
            show.push("--positions");
        }
        let automaton = process::stdout(&process::fencepost(&show, ""));
        fs::write(path("automaton"), &automaton).expect("a file");
        fs::write(path("other"), automaton.replace("mfence", "noop")).expect("a file");
        for program in [None, Some(path("automaton"))] {
            let (code, text) = checker(&certificate, program.as_deref());
            assert!(
                code == 0 && text.starts_with(&format!("verified: {question}")),
                "{text}"
            );
        }
        let (code, text) = checker(&certificate, Some(&path("other")));
        assert!(code == 1 && text.contains("another program"), "{text}");
        assert_eq!(checker(&certificate, Some(&path("peterson.fence"))).0, 2);
        assert_eq!(checker(&certificate[1..], None).0, 2);
        let other = certificate.replacen("mfence", "noop", 1);
        assert_eq!(checker(&other, None).0, 1, "{arguments:?}");
    }
}

#[test]
fn what_has_no_certificate_leaves_the_answer_as_it_is_and_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("certificate").display().to_string();
    let arguments = ["check", "-", "--certificate", &out];
    let output = process::fencepost(&arguments, BUFFERING);
    assert_eq!(process::code(&output), 1);
    let text = process::stdout(&output)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(
        text.contains("No certificate: the verdict is not that all goals hold"),
        "{text}"
    );
    let output = process::fencepost(&[arguments.as_slice(), &["--json"]].concat(), BUFFERING);
    let shown: Value = serde_json::from_str(&process::stdout(&output)).expect("JSON");
    let why = shown["certificate"]["none_because"]
        .as_str()
        .expect("a reason");
    assert!(why.contains("not that all goals hold"), "{why}");
    assert!(!Path::new(&out).exists());
    let several = ["check", "-", "--model=sc,tso", "--certificate", &out];
    let output = process::fencepost(&several, BUFFERING);
    assert_eq!(process::code(&output), 2, "{}", process::stderr(&output));
}

#[test]
fn a_corpus_says_how_many_answers_are_certified() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = format!(
        "//: check sc holds\n//: check tso violated\n//: fence tso robustness 2\n{BUFFERING}"
    );
    fs::write(folder.path().join("a.fence"), text).expect("a file");
    let text =
        "//: check tso holds\n//: robust tso yes\nshared x; thread t { x = 1; } forbid stuck t;";
    fs::write(folder.path().join("b.fence"), text).expect("a file");
    let dir = folder.path().display().to_string();
    let output = process::fencepost(&["corpus", &dir, "--certify"], "");
    let shown = process::stdout(&output);
    assert_eq!(process::code(&output), 0, "{shown}");
    assert!(
        shown.contains("no certificate: check tso holds: a property is about one thread"),
        "{shown}"
    );
    assert!(
        shown.contains("5 expectations met, 0 missed, 3 answers certified, 1 not"),
        "{shown}"
    );
}

#[test]
fn the_certificate_in_the_corpus_is_what_is_made_of_its_program() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/guide");
    let text = fs::read_to_string(corpus.join("claim-fenced.fence")).expect("a program");
    let program = program(&text);
    let report = check(&program, &CheckOptions::new(Model::Tso), &Budget::default());
    let made = of_check(&program, &report.expect("no defect"), &Budget::default());
    let certificate = fs::read_to_string(corpus.join("claim-fenced.certificate"));
    assert_eq!(
        self::text(made.expect("no defect")),
        certificate.expect("a certificate")
    );
}

#[test]
fn an_attacker_reads_its_own_delayed_store() {
    // The load of `y` overtakes `x = 1` only if `a` is the value that is still buffered.
    let text = |expected: i32| {
        format!(
            "shared x, y;
            thread t0 {{ local a, r; x = 1; a = x; assume(a == {expected}); r = y; }}
            thread t1 {{ local r; y = 1; fence; r = x; }}"
        )
    };
    for (expected, bad) in [(1, true), (2, false)] {
        let own = read(&program(&text(expected)));
        let witness = Witness::new(&own, verify::Model::Tso, 0).expect("no barrier");
        let (_, found) = states(&witness.expect("an open pair"), false).expect("few states");
        assert_eq!(found, bad, "{expected}");
    }
}
