//! Certificates about any number of copies: sets of views, made, forged and changed.
//!
//! The sets are made here once more, by the checker's step functions but by another search, in which views
//! that are bad can be left out. What the checker says of them is compared with instances, which the
//! explicit engine decides. (Views of the module `views` keep registers that are dead, so they may be more
//! precise, and less where a copy is not seen: the two need not agree.)

use crate::any_number::{class_program, delaying_program};
use crate::support::config::config;
use crate::support::copies::{Classes, with_properties};
use fencepost::internals::certificate::{Certificate, of_check, of_fences, of_robust};
use fencepost::internals::check::{CheckOptions, Engine, Until, check};
use fencepost::internals::fences::{FenceOptions, cheapest_fences};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{RobustOptions, robust};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Aim, Program, print};
use fencepost::verify::{
    self, Claim, Family, Machine, Refusal, Stepper, System, Witness, multisets, number_string,
    pack, verify,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// More views than this are too many for a test.
const MOST: usize = 3_000;

/// The same where several sets are made of each program.
const FEW: usize = 300;

fn program(text: &str) -> Program {
    parse(text).into_program().expect("a program")
}

fn instance(text: &str, copies: usize) -> Program {
    program(&text.replace("[*]", &format!("[{copies}]")))
}

/// A set of views that is not packed: each with its control and its local states, sorted.
type Views = BTreeSet<(Vec<u8>, Vec<Vec<u8>>)>;

/// The least set, without the views that are bad if `forged`; `None` if there are too many. Also whether one
/// is bad.
fn least<F: Family>(
    family: &F,
    size: usize,
    exact: bool,
    forged: bool,
    most: usize,
) -> Option<(Views, bool)> {
    let stepper = Stepper::new(family);
    let initial = stepper.initial_locals();
    let (mut views, mut bad) = (Views::new(), false);
    let mut new: Vec<(Vec<u8>, Vec<Vec<u8>>)> = Vec::new();
    for taken in multisets(initial.len(), size) {
        let has = |class: usize| taken.contains(&(class as u32));
        if !exact || (0..initial.len()).all(has) {
            let copies = taken.iter().map(|&class| initial[class as usize].clone());
            new.push((stepper.initial(), copies.collect()));
        }
    }
    // Again and again over all views, until there is none that is new.
    loop {
        let before = views.len();
        for (control, mut copies) in new.drain(..) {
            copies.sort();
            let state = stepper.control(&control).expect("it was made here");
            let slices: Vec<&[u8]> = copies.iter().map(Vec::as_slice).collect();
            let is_bad = stepper.seen(&state, &slices).is_some()
                || stepper.others(&state).is_err()
                || slices.iter().any(|local| {
                    stepper
                        .moves(&state, local)
                        .expect("it was made here")
                        .is_err()
                });
            bad |= is_bad;
            if !is_bad || !forged {
                views.insert((control, copies));
            }
        }
        if views.len() > most {
            return None;
        }
        if views.len() == before {
            return Some((views, bad));
        }
        let mut locals: BTreeMap<&Vec<u8>, BTreeSet<&Vec<u8>>> = BTreeMap::new();
        for (control, copies) in &views {
            locals.entry(control).or_default().extend(copies);
        }
        for (control, copies) in &views {
            let state = stepper.control(control).expect("it was made here");
            for after in stepper.others(&state).into_iter().flatten() {
                new.push((after, copies.clone()));
            }
            for &local in &locals[control] {
                let moves = stepper.moves(&state, local).expect("it was made here");
                for (after, moved) in moves.into_iter().flatten() {
                    if let Some(place) = copies.iter().position(|copy| copy == local) {
                        let mut copies = copies.clone();
                        copies[place] = moved;
                        new.push((after.clone(), copies));
                    }
                    let mut all = copies.clone();
                    all.push(local.clone());
                    all.sort();
                    let possible = (0..all.len()).all(|place| {
                        let mut rest = all.clone();
                        rest.remove(place);
                        views.contains(&(control.clone(), rest))
                    });
                    if possible && !exact {
                        new.push((after, copies.clone()));
                    }
                }
            }
        }
        new.retain(|(control, copies)| {
            let mut sorted = copies.clone();
            sorted.sort();
            !views.contains(&(control.clone(), sorted))
        });
    }
}

/// A set as the checker reads it. With fewer copies than threads with `[*]` it has no view, and yet the
/// initial control.
fn packed(views: &Views, initial: &Vec<u8>) -> Value {
    let reached = views.iter().map(|(control, _)| control);
    let controls: BTreeSet<&Vec<u8>> = reached.chain([initial]).collect();
    let locals: BTreeSet<&Vec<u8>> = views.iter().flat_map(|(_, copies)| copies).collect();
    let (controls, locals): (Vec<_>, Vec<_>) =
        (controls.into_iter().collect(), locals.into_iter().collect());
    let number = |list: &[&Vec<u8>], one: &Vec<u8>| {
        list.iter().position(|&other| other == one).expect("listed") as u32
    };
    let mut numbers: Vec<Vec<u8>> = views
        .iter()
        .map(|(control, copies)| {
            let mut own: Vec<u32> = copies.iter().map(|copy| number(&locals, copy)).collect();
            own.sort_unstable();
            own.insert(0, number(&controls, control));
            number_string(&own)
        })
        .collect();
    numbers.sort();
    json!({ "locals": pack(&locals), "controls": pack(&controls), "views": pack(&numbers) })
}

/// The leaf of a family with views of this size, those that are bad left out; and whether there are any.
fn leaf<F: Family>(family: &F, size: usize) -> Option<(Value, bool)> {
    leaf_of(family, size, true, MOST)
}

/// The same, with those that are bad unless it is to be `forged`.
fn leaf_of<F: Family>(family: &F, size: usize, forged: bool, most: usize) -> Option<(Value, bool)> {
    let initial = Stepper::new(family).initial();
    let (views, mut bad) = least(family, size, false, forged, most)?;
    let mut leaf = packed(&views, &initial);
    leaf["size"] = json!(size);
    let mut few = Vec::new();
    if family.needs().few {
        for size in 1..size {
            let (views, also) = least(family, size, true, forged, most)?;
            few.push(packed(&views, &initial));
            bad |= also;
        }
    }
    leaf["few"] = json!(few);
    Some((leaf, bad))
}

fn envelope(program: &Program, question: &str, model: Model, leaves: &[Value]) -> Value {
    json!({
        "format": "fencepost certificate",
        "version": 1,
        "question": question,
        "never": [],
        "model": model.name(),
        "program": print(program),
        "leaves": leaves,
    })
}

fn is_refused(certificate: &Value) -> bool {
    matches!(
        verify(&certificate.to_string()),
        Err(Refusal::Refuted(_) | Refusal::Unreadable(_))
    )
}

/// Whether the explicit engine finds a violation of an instance, if it can tell.
fn is_violated(text: &str, copies: usize, model: Model) -> Option<bool> {
    let options = CheckOptions::new(model)
        .engine(Engine::Explicit)
        .note_waiting(false);
    let budget = Budget::default().with_states(60_000);
    let report = check(&instance(text, copies), &options, &budget).expect("no defect");
    match report.verdict() {
        Verdict::Holds => Some(false),
        Verdict::Violated(_) => Some(true),
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
    }
}

/// The number of copies that the property names.
fn named(text: &str) -> usize {
    (0..2).filter(|n| text.contains(&format!("w.{n}"))).count()
}

fn views_agree(text: &str, size: usize) -> Result<(), TestCaseError> {
    let program = program(text);
    let own = verify::Program::read(&print(&program)).expect("a program");
    let machine = Machine::new(&own, verify::Model::Sc, &[]);
    let needs = machine.needs();
    let size = size.max(needs.copies);
    let Some((made, bad)) = leaf(&machine, size) else {
        return Ok(());
    };
    let mut leaf = made.clone();
    leaf["kind"] = json!("views");
    let certificate = envelope(&program, "check", Model::Sc, &[leaf.clone()]);
    prop_assert_eq!(is_refused(&certificate), bad, "{}", text);
    if !bad {
        // What is proved for any number is true of each.
        for copies in named(text).max(1)..=3 {
            prop_assert!(
                is_violated(text, copies, Model::Sc) != Some(true),
                "{} {}",
                text,
                copies
            );
        }
    }
    Ok(())
}

fn attacks_agree(text: &str, model: Model, size: usize) -> Result<(), TestCaseError> {
    let program = program(text);
    let own = verify::Program::read(&print(&program)).expect("a program");
    let of_checker = verify::Model::named(model.name()).expect("a model");
    let (mut leaves, mut found) = (Vec::new(), false);
    for thread in 0..own.thread_count() {
        let (apart, attacker) = own.with_one_apart(thread);
        let witness = Witness::new(&apart, of_checker, attacker);
        let Ok(witness) = witness else { return Ok(()) };
        let Some(witness) = witness else { continue };
        let Some((mut made, bad)) = leaf(&witness, size) else {
            return Ok(());
        };
        found |= bad;
        made["kind"] = json!("attack views");
        made["thread"] = json!(thread);
        leaves.push(made);
    }
    let certificate = envelope(&program, "robust", model, &leaves);
    prop_assert_eq!(is_refused(&certificate), found, "{}", text);
    if !found {
        for copies in 1..=3 {
            let options = RobustOptions::new(model).engine(Engine::Explicit);
            let budget = Budget::default().with_states(60_000);
            let report = robust(&instance(text, copies), &options, &budget).expect("no defect");
            let verdict = report.verdict();
            prop_assert!(
                !matches!(verdict, Verdict::Violated(_)),
                "{} {}",
                text,
                copies
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(30))]

    #[test]
    fn sets_of_views_prove_what_is_true_of_each_instance(text in class_program(), size in 1..3_usize) {
        views_agree(&text, size)?;
    }

    #[test]
    fn sets_of_views_without_attacks_prove_that_each_instance_is_robust(
        text in delaying_program(),
        size in 1..3_usize,
        model in prop::sample::select(vec![Model::Tso, Model::Pso, Model::Pgas]),
    ) {
        attacks_agree(&text, model, size)?;
    }

    #[test]
    fn what_holds_for_any_number_has_a_certificate(text in class_program()) {
        let program = program(&text);
        let budget = Budget::default().with_states(30_000);
        for model in [Model::Sc, Model::Tso] {
            let options = CheckOptions::new(model).note_waiting(false);
            let report = check(&program, &options, &budget).expect("no defect");
            let holds = report.verdict() == Verdict::Holds;
            match of_check(&program, &report, &budget).expect("no defect") {
                Certificate::Made { text: made, .. } => {
                    prop_assert!(holds);
                    let verified = verify(&made).expect("it has been checked");
                    prop_assert_eq!(verified.claim, Claim::Check);
                    let copies = verified.sentence.contains("for any number of copies");
                    prop_assert!(copies, "{}", verified.sentence);
                }
                // Views with single steps are more than with the engine's larger ones.
                Certificate::None(why) => prop_assert!(
                    !holds || why.contains("views") || why.contains("waits"),
                    "{}: {}",
                    text,
                    why
                ),
            }
        }
    }
}

proptest! {
    #![proptest_config(config(80))]

    #[test]
    fn sets_of_views_of_several_threads_prove_what_is_true_of_each_instance(
        drawn in with_properties(),
        all_observed in any::<bool>(),
    ) {
        views_of_classes_agree(&drawn, all_observed)?;
    }
}

/// What sets of views of some size claim, forged or not, is compared with all small instances.
fn views_of_classes_agree(drawn: &Classes, all_observed: bool) -> Result<(), TestCaseError> {
    let program = program(&drawn.text());
    let own = verify::Program::read(&print(&program)).expect("a program");
    if own.is_about_starving() {
        return Ok(());
    }
    let never = if all_observed {
        own.observations()
    } else {
        Vec::new()
    };
    let machine = Machine::new(&own, verify::Model::Sc, &never);
    let mut accepted = false;
    for (size, forged) in [(1, true), (2, true), (2, false), (3, true)] {
        let Some((mut leaf, bad)) = leaf_of(&machine, size, forged, FEW) else {
            continue;
        };
        leaf["kind"] = json!("views");
        let mut certificate = envelope(&program, "check", Model::Sc, &[leaf]);
        certificate["never"] = json!(never);
        let is_refused = is_refused(&certificate);
        if size >= machine.needs().copies {
            prop_assert_eq!(is_refused, bad, "{} {}", size, drawn.text());
        }
        accepted |= !is_refused;
    }
    let most = if accepted { 3 } else { 0 };
    for counts in drawn.sizes(most) {
        let mut options = CheckOptions::new(Model::Sc).engine(Engine::Explicit);
        options.note_waiting = false;
        let instance = self::program(&drawn.instance(&counts));
        let report = check(&instance, &options, &Budget::default().with_states(10_000));
        let report = report.expect("no defect");
        let observed = report.observations().iter().filter(|_| all_observed);
        let mut reached = report.answers().iter().chain(observed);
        let wrong = reached.find(|answer| matches!(answer.verdict, Verdict::Violated(_)));
        prop_assert!(wrong.is_none(), "{:?} {}", counts, drawn.text());
    }
    Ok(())
}

const LOCK: &str = "shared l;
    thread w[*] { local r; loop { do { r = xchg(l, 1); } while (r); critical: skip; l = 0; } }
    forbid w.0@critical && w.1@critical;";

const READERS: &str = "shared l;
    thread reader[*] { local r; atomic { r = l; assume(r < 2); l = r + 1; } reading: skip; r = fetch_sub(l, 1); }
    thread writer { local r; r = cas(l, 0, 3); if (r == 0) { writing: skip; l = 0; } }
    forbid reader.0@reading && writer@writing;";

const ENDS: &str = "shared c;
    thread w[*] { local r; atomic { r = c; assume(r < 2); c = r + 1; } here: skip; }
    final assert c == 1 || c == 2;
    forbid w.0@here && w.1@here && c == 1;";

const ONCE: &str = "shared once, value;
    thread w[*] { local r; r = cas(once, 0, 1);
        if (r == 0) { value = 1; once = 2; } else { do { r = once; } while (r != 2); r = value; assert(r == 1); } }";

/// No attack is feasible, as the copies wait until all of `first` is in memory; and none is ruled out statically.
const GUARDED: &str = "shared x, y, done;
    thread first { local r; x = 1; r = y; done = 1; }
    thread w[*] { local r, s; do { r = done; } while (r == 0); y = 1; s = x; }
    forbid x == 2;";

/// Certificates about any number of copies.
fn samples() -> Vec<(String, Value)> {
    let budget = Budget::default();
    let mut samples = Vec::new();
    let mut add = |name: String, made: Certificate| match made {
        Certificate::Made { text, .. } => {
            samples.push((name, serde_json::from_str(&text).expect("JSON")));
        }
        Certificate::None(why) => panic!("{name}: {why}"),
    };
    for text in [LOCK, READERS, ENDS, ONCE, GUARDED] {
        let program = program(text);
        for model in [Model::Sc, Model::Tso] {
            let report = check(&program, &CheckOptions::new(model), &budget).expect("no defect");
            let made = of_check(&program, &report, &budget).expect("no defect");
            add(format!("check {model} of {text}"), made);
        }
        let mut options = RobustOptions::new(Model::Tso);
        options.until = Until::Violated;
        let report = robust(&program, &options, &budget).expect("no defect");
        let made = of_robust(&program, &report, &budget).expect("no defect");
        add(format!("robust TSO of {text}"), made);
    }
    samples
}

/// The byte strings in a packed set.
fn unpacked(text: &Value) -> Vec<Vec<u8>> {
    verify::strings(text.as_str().expect("a text")).expect("it was packed")
}

/// How many changes of each set are tried; more with `PROPTEST_CASES`.
fn changes() -> usize {
    config(25).cases as usize
}

#[test]
fn a_set_of_views_without_one_of_its_parts_is_refused() {
    let (mut kinds, mut tried) = (BTreeSet::new(), 0);
    for (name, sample) in samples() {
        assert!(!is_refused(&sample), "{name}");
        for leaf in 0..sample["leaves"].as_array().expect("leaves").len() {
            let own = &sample["leaves"][leaf];
            kinds.insert(own["kind"].to_string());
            let few = own["few"].as_array().map_or(0, Vec::len);
            let sets: Vec<Option<usize>> = [None].into_iter().chain((0..few).map(Some)).collect();
            for set in sets {
                for part in ["views", "controls", "locals"] {
                    let of = |value: &Value| match set {
                        None => value["leaves"][leaf][part].clone(),
                        Some(set) => value["leaves"][leaf]["few"][set][part].clone(),
                    };
                    let all = unpacked(&of(&sample));
                    for without in (0..all.len()).step_by((all.len() / changes()).max(1)) {
                        let mut fewer = all.clone();
                        fewer.remove(without);
                        let mut other = all.clone();
                        let last = other[without].len().saturating_sub(1);
                        match other[without].get_mut(last) {
                            Some(byte) => *byte ^= 2,
                            None => other[without].push(2),
                        }
                        let mut twice = all.clone();
                        twice.insert(without, all[without].clone());
                        for changed in [fewer, other, twice] {
                            let mut certificate = sample.clone();
                            let place = match set {
                                None => &mut certificate["leaves"][leaf][part],
                                Some(set) => &mut certificate["leaves"][leaf]["few"][set][part],
                            };
                            *place = json!(pack(&changed));
                            tried += 1;
                            // The sets are the least ones, so each of their parts is needed.
                            let what = format!("{name}: {set:?} {part} {without}");
                            assert!(is_refused(&certificate), "{what}");
                        }
                    }
                }
            }
            for size in 0..4 {
                let mut certificate = sample.clone();
                certificate["leaves"][leaf]["size"] = json!(size);
                assert!(
                    json!(size) == own["size"] || is_refused(&certificate),
                    "{name} {size}"
                );
            }
            for set in 0..few {
                let mut certificate = sample.clone();
                let sets = certificate["leaves"][leaf]["few"].as_array_mut();
                sets.expect("sets").remove(set);
                assert!(is_refused(&certificate), "{name} without set {set}");
            }
            let mut twice = sample.clone();
            let again = own.clone();
            twice["leaves"].as_array_mut().expect("leaves").push(again);
            assert!(is_refused(&twice), "{name} with a leaf twice");
            let mut without = sample.clone();
            without["leaves"]
                .as_array_mut()
                .expect("leaves")
                .remove(leaf);
            assert!(is_refused(&without), "{name} without a leaf");
        }
    }
    assert_eq!(
        kinds.len(),
        2,
        "both kinds are among the samples: {kinds:?}"
    );
    assert!(tried > 300, "{tried}");
}

#[test]
fn views_of_another_program_or_model_are_refused() {
    let other = |text: &str, from: &str, to: &str| print(&program(&text.replace(from, to)));
    let changed = [
        (LOCK, "xchg(l, 1)", "xchg(l, 0)"),
        (READERS, "r < 2", "r < 3"),
        (READERS, "cas(l, 0, 3)", "cas(l, 1, 3)"),
        (ENDS, "c == 1 || c == 2", "c == 2"),
        (ENDS, "r < 2", "r < 3"),
        (ONCE, "assert(r == 1)", "assert(r == 0)"),
        (ONCE, "value = 1; once = 2;", "once = 2; value = 1;"),
    ];
    for (name, sample) in samples() {
        for (text, from, to) in changed {
            if name.starts_with("check") && name.ends_with(text) {
                let mut certificate = sample.clone();
                certificate["program"] = json!(other(text, from, to));
                assert!(is_refused(&certificate), "{name} with {to}");
            }
        }
        // Evidence about copies is none about a program without any, and the other way round.
        let mut certificate = sample.clone();
        let printed = sample["program"].as_str().expect("a text");
        certificate["program"] = json!(printed.replace("[*]", ""));
        assert!(
            sample["leaves"] == json!([]) || is_refused(&certificate),
            "{name}"
        );
    }
}

#[test]
fn states_are_no_evidence_about_any_number_of_copies() {
    // With one copy of `w` nothing happens. (The one that the property names is another.)
    let program = program("shared c; thread w[*] { local r; r = fetch_add(c, 1); } forbid c == 2;");
    let own = verify::Program::read(&print(&program)).expect("a program");
    let machine = Machine::new(&own, verify::Model::Sc, &[]);
    let mut states = BTreeSet::new();
    let mut work = vec![machine.initial()];
    while let Some(state) = work.pop() {
        assert_eq!(machine.bad(&state), None);
        if states.insert(verify::encoded(&machine, &state)) {
            machine.successors(&state, &mut |next| work.push(next));
        }
    }
    let states: Vec<Vec<u8>> = states.into_iter().collect();
    let leaf = json!({ "kind": "closed", "model": "sc", "states": pack(&states) });
    assert!(is_refused(&envelope(&program, "check", Model::Sc, &[leaf])));
}

#[test]
fn a_thread_that_is_named_like_a_copy_is_one_only_if_it_has_its_code() {
    // `w.0` does not wait for the lock. As a thread of its own, it gets where another one is.
    let sample = samples().swap_remove(0).1;
    let printed = sample["program"].as_str().expect("a text");
    let (before, rest) = printed
        .split_once("thread w.0 ")
        .expect("a copy with a name");
    let (copy, after) = rest.split_once("\nend").expect("its end");
    for (from, to) in [
        ("assume !r", "assume r"),
        ("xchg(mem[l], 1)", "xchg(mem[l], 0)"),
        ("r <- xchg(mem[l], 1)", "r <- 0"),
    ] {
        let changed = copy.replace(from, to);
        assert_ne!(changed, copy, "{copy}");
        let mut certificate = sample.clone();
        certificate["program"] = json!(format!("{before}thread w.0 {changed}\nend{after}"));
        assert!(is_refused(&certificate), "{to}");
    }
}

#[test]
fn ends_with_fewer_copies_than_a_view_has_are_part_of_the_claim() {
    // With two copies `c` is 2 at the end, and with one it is 1.
    let text = ENDS.replace("c == 1 || c == 2", "c == 2");
    for size in 1..4 {
        let own = verify::Program::read(&print(&program(&text))).expect("a program");
        let machine = Machine::new(&own, verify::Model::Sc, &[]);
        let (_, bad) = leaf(&machine, size.max(machine.needs().copies)).expect("few views");
        assert!(bad, "{size}");
    }
}

#[test]
fn ends_with_fewer_copies_than_threads_with_any_number_are_none() {
    let text = "shared x;
        thread one { here: skip; x = 0; }
        thread w[*] { local r; here: skip; x = 0; }
        thread v[*] { local r; here: skip; x = 0; }
        final assert w.0.r == w.1.r || x == 0;";
    let (program, budget) = (program(text), Budget::default());
    let report = check(&program, &CheckOptions::new(Model::Sc), &budget).expect("no defect");
    let made = of_check(&program, &report, &budget).expect("no defect");
    let Certificate::Made { text, .. } = made else {
        panic!("{made:?}")
    };
    let certificate: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(certificate["leaves"][0]["few"][0]["views"], json!(""));
}

#[test]
fn fences_of_copies_have_no_certificate_and_the_reason_is_given() {
    let text = "shared x, y;
        thread w[*] { local r; choose { x = 1; r = y; } or { y = 1; r = x; } }";
    let (program, budget) = (program(text), Budget::default());
    let options = FenceOptions::new(Model::Tso, Aim::Robustness);
    let report = cheapest_fences(&program, &options, &budget).expect("no defect");
    let made = of_fences(&program, &report, &options, &budget).expect("no defect");
    let Certificate::None(why) = made else {
        panic!("fences of copies are not covered")
    };
    assert!(why.contains("any number of copies"), "{why}");
}
