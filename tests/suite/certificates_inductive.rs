//! Certificates by an invariant: made, changed, and compared with all states that satisfy the invariant.

use crate::support::automata::{Automata, Mix, automata};
use crate::support::config::config;
use crate::support::random::{Shape, Sketch, sketch};
use fencepost::certificate::{Certificate, of_check};
use fencepost::check::{CheckOptions, check};
use fencepost::formats::parse;
use fencepost::model::Model;
use fencepost::program::{Program, print};
use fencepost::verdict::{Budget, Verdict};
use fencepost::verify::{self, Config, Machine, Refusal, System, check_invariant, verify};
use proptest::prelude::*;
use serde_json::{Value, json};

/// More states than this are too many for a test.
const MOST: u64 = 5_000;

fn program(text: &str) -> Program {
    parse(text).into_program().expect("a program")
}

/// The certificate of a program that holds, with so few states allowed that it has to be an invariant.
fn made(program: &Program, model: Model) -> Option<Value> {
    let options = CheckOptions::new(model).note_waiting(false);
    let report = check(program, &options, &Budget::default().with_states(50_000));
    let report = report.expect("no defect");
    if report.verdict() != Verdict::Holds {
        return None;
    }
    let made = of_check(program, &report, &Budget::default().with_states(3)).expect("no defect");
    match made {
        Certificate::Made { text, .. } => Some(serde_json::from_str(&text).expect("JSON")),
        Certificate::None(_) => None,
    }
}

/// The number of the leaf that is an invariant.
fn invariant(certificate: &Value) -> Option<usize> {
    let leaves = certificate["leaves"].as_array()?;
    leaves.iter().position(|leaf| leaf["kind"] == "inductive")
}

fn is_refused(certificate: &Value) -> bool {
    matches!(
        verify(&certificate.to_string()),
        Err(Refusal::Refuted(_) | Refusal::Unreadable(_))
    )
}

fn int(value: &Value) -> i32 {
    i32::try_from(value.as_i64().expect("a number")).expect("32 bits")
}

fn size(value: &Value) -> usize {
    value.as_u64().expect("a number") as usize
}

/// Whether a state satisfies an invariant: its values are in their ranges, and it is in no cube.
/// Registers that are dead are those that the machine does not write.
fn satisfies(leaf: &Value, config: &Config) -> bool {
    let fits = |range: &Value, value: i32| {
        range.is_null() || (int(&range[0])..=int(&range[1])).contains(&value)
    };
    let ranges = leaf["cells"].as_array().expect("ranges").iter();
    if !ranges
        .zip(&config.cells)
        .all(|(range, &value)| fits(range, value))
    {
        return false;
    }
    !leaf["clauses"]
        .as_array()
        .expect("clauses")
        .iter()
        .any(|cube| {
            cube.as_array()
                .expect("parts")
                .iter()
                .all(|part| match part[0].as_str() {
                    Some("at") => {
                        let at = config.locations[size(&part[1])];
                        part[2].as_array().expect("locations").contains(&json!(at))
                    }
                    Some("r") => {
                        let value = config.registers[size(&part[1])][size(&part[2])];
                        value & int(&part[3]) == int(&part[4])
                    }
                    _ => config.cells[size(&part[1])] & int(&part[2]) == int(&part[3]),
                })
        })
}

/// Whether an invariant is one, by looking at all states: `None` if there are too many.
fn is_invariant(own: &verify::Program, leaf: &Value) -> Option<bool> {
    let machine = Machine::new(own, verify::Model::Sc, &[]);
    let initial = machine.initial();
    let threads = own.thread_count();
    let few = |range: &Value| (!range.is_null()).then(|| (int(&range[0]), int(&range[1])));
    // Each thread with each location and the registers in their ranges there; those that are dead have one
    // value, as encoded states show.
    let is_live = |t: usize, at: usize, register: usize| {
        let (mut a, mut b) = (initial.clone(), initial.clone());
        (a.locations[t], b.locations[t]) = (at, at);
        (a.registers[t][register], b.registers[t][register]) = (5, 6);
        verify::encoded(&machine, &a) != verify::encoded(&machine, &b)
    };
    let mut table = Vec::new();
    for t in 0..threads {
        let locations = leaf["registers"][t].as_array().expect("locations").len();
        let registers = initial.registers[t].len();
        let of = |at: usize| -> Vec<bool> { (0..registers).map(|r| is_live(t, at, r)).collect() };
        table.push((0..locations).map(of).collect::<Vec<_>>());
    }
    let live = |t: usize, at: usize, register: usize| table[t][at][register];
    let mut all = vec![initial.clone()];
    let widen =
        |all: Vec<Config>, of: &dyn Fn(&Config) -> Option<Vec<Config>>| -> Option<Vec<Config>> {
            let wider: Option<Vec<Vec<Config>>> = all.iter().map(of).collect();
            let wider = wider?.concat();
            (wider.len() as u64 <= MOST).then_some(wider)
        };
    for (cell, range) in leaf["cells"].as_array().expect("ranges").iter().enumerate() {
        let (low, high) = few(range)?;
        all = widen(all, &|config| {
            let with = |value| {
                let mut config = config.clone();
                config.cells[cell] = value;
                config
            };
            Some((low..=high).map(with).collect())
        })?;
    }
    for t in 0..threads {
        let locations = leaf["registers"][t].as_array().expect("locations").len();
        all = widen(all, &|config| {
            let with = |at| {
                let mut config = config.clone();
                config.locations[t] = at;
                config
            };
            Some((0..locations).map(with).collect())
        })?;
        for register in 0..initial.registers[t].len() {
            all = widen(all, &|config| {
                let at = config.locations[t];
                let (low, high) = if live(t, at, register) {
                    few(&leaf["registers"][t][at][register])?
                } else {
                    let dead = int(&leaf["dead"][t][register]);
                    (dead, dead)
                };
                let with = |value| {
                    let mut config = config.clone();
                    config.registers[t][register] = value;
                    config
                };
                Some((low..=high).map(with).collect())
            })?;
        }
    }
    let normal = |config: &Config| {
        let mut config = config.clone();
        for t in 0..threads {
            for register in 0..config.registers[t].len() {
                if !live(t, config.locations[t], register) {
                    config.registers[t][register] = int(&leaf["dead"][t][register]);
                }
            }
        }
        config
    };
    let inside_range = |config: &Config| {
        (0..threads).all(|t| {
            let at = config.locations[t];
            (0..config.registers[t].len()).all(|register| {
                let range = &leaf["registers"][t][at][register];
                let value = config.registers[t][register];
                !live(t, at, register)
                    || range.is_null()
                    || (int(&range[0])..=int(&range[1])).contains(&value)
            })
        })
    };
    let good = |config: &Config| satisfies(leaf, config) && inside_range(config);
    if !good(&normal(&initial)) {
        return Some(false);
    }
    for config in all.iter().filter(|config| satisfies(leaf, config)) {
        // In no execution two threads are inside blocks, and the checker need not look at such states.
        if machine.are_inside(config) > 1 {
            continue;
        }
        if machine.bad(config).is_some() {
            return Some(false);
        }
        let mut stays = true;
        machine.successors(config, &mut |next| stays &= good(&normal(&next)));
        if !stays {
            return Some(false);
        }
    }
    Some(true)
}

/// A program of either kind.
#[derive(Clone, Debug)]
enum Drawn {
    Sketch(Sketch),
    Automata(Automata),
}

impl Drawn {
    fn build(&self) -> Program {
        match self {
            Drawn::Sketch(sketch) => sketch.build(),
            Drawn::Automata(automata) => automata.build(),
        }
    }
}

fn drawn() -> impl Strategy<Value = Drawn> {
    prop_oneof![
        3 => sketch(Shape { wild: 0, ..Shape::ALL }).prop_map(Drawn::Sketch),
        1 => sketch(Shape { longest: 3, ..Shape::COUNTING }).prop_map(Drawn::Sketch),
        1 => automata(4, Mix::Apart).prop_map(Drawn::Automata),
        1 => automata(4, Mix::Blocks).prop_map(Drawn::Automata),
    ]
}

/// A change of one part of an invariant.
fn changed(leaf: &Value, kind: u8, at: usize, by: i32) -> Value {
    let mut leaf = leaf.clone();
    let clauses = leaf["clauses"].as_array().map_or(0, Vec::len);
    let number = at % clauses.max(1);
    let parts = leaf["clauses"][number].as_array().map_or(0, Vec::len);
    let part = at / clauses.max(1) % parts.max(1);
    match kind % 7 {
        0 if clauses > 0 => drop(
            leaf["clauses"]
                .as_array_mut()
                .expect("clauses")
                .remove(number),
        ),
        1 if parts > 0 => {
            drop(
                leaf["clauses"][number]
                    .as_array_mut()
                    .expect("parts")
                    .remove(part),
            );
        }
        2 if parts > 0 => {
            let part = leaf["clauses"][number][part]
                .as_array_mut()
                .expect("a part");
            match part.last_mut() {
                Some(Value::Array(locations)) => drop(locations.pop()),
                Some(bits) => *bits = json!(int(bits).wrapping_add(by)),
                None => {}
            }
        }
        3 if parts > 0 => {
            let part = leaf["clauses"][number][part]
                .as_array_mut()
                .expect("a part");
            let last = part.len() - 1;
            if part[last].is_array() {
                let locations = part[last].as_array_mut().expect("locations");
                locations.push(json!(by.unsigned_abs() % 4));
            } else {
                part[last - 1] = json!(int(&part[last - 1]) ^ 1 << (by & 3));
            }
        }
        4 => {
            let cells = leaf["cells"].as_array_mut().expect("ranges");
            let count = cells.len();
            if let Some(range) = cells.get_mut(at % count.max(1))
                && !range.is_null()
            {
                range[1] = json!(int(&range[1]).saturating_add(by).max(int(&range[0])));
            }
        }
        5 => {
            let threads = leaf["registers"].as_array().map_or(1, Vec::len);
            let of_thread = leaf["registers"][at % threads]
                .as_array_mut()
                .expect("locations");
            let count = of_thread.len();
            for range in of_thread[at / threads % count]
                .as_array_mut()
                .expect("ranges")
            {
                if !range.is_null() {
                    range[0] = json!(int(&range[0]).saturating_add(by).min(int(&range[1])));
                }
            }
        }
        _ => {
            let threads = leaf["dead"].as_array().map_or(1, Vec::len);
            for value in leaf["dead"][at % threads].as_array_mut().expect("values") {
                *value = json!(int(value).wrapping_add(by));
            }
        }
    }
    leaf
}

proptest! {
    #![proptest_config(config(30))]

    #[test]
    fn an_invariant_is_accepted_only_if_all_states_that_satisfy_it_say_so(
        drawn in drawn(),
        changes in prop::collection::vec((any::<u8>(), any::<u16>(), -2..3_i32), 12),
    ) {
        let program = drawn.build();
        let Some(certificate) = made(&program, Model::Sc) else { return Ok(()) };
        let Some(number) = invariant(&certificate) else { return Ok(()) };
        let own = verify::Program::read(&print(&program)).expect("a program");
        let leaf = &certificate["leaves"][number];
        prop_assert!(is_invariant(&own, leaf) != Some(false), "{}", leaf);
        let mut last = leaf.clone();
        for (kind, at, by) in changes {
            // Changes of the original, and changes on top of those that were accepted.
            for of in [leaf.clone(), last.clone()] {
                let leaf = changed(&of, kind, at.into(), by);
                if check_invariant(&own, &leaf, &[]).is_ok() {
                    prop_assert!(is_invariant(&own, &leaf) != Some(false), "{}\n{}", print(&program), leaf);
                    last = leaf;
                }
            }
        }
    }

    #[test]
    fn no_invariant_is_accepted_for_a_program_that_is_violated(
        drawn in drawn(),
        changes in prop::collection::vec((any::<u8>(), any::<u16>(), -2..3_i32), 12),
    ) {
        let program = drawn.build();
        let report = check(&program, &CheckOptions::new(Model::Sc), &Budget::default().with_states(50_000));
        if !matches!(report.expect("no defect").verdict(), Verdict::Violated(_)) {
            return Ok(());
        }
        // The invariant of the program without its goals, of which each state is reachable or not.
        let text = print(&program);
        let harmless: Vec<String> = text
            .lines()
            .filter(|line| !["forbid", "final", "exists"].iter().any(|word| line.starts_with(word)))
            .map(|line| match line.split_once(": property ") {
                Some((from, rest)) => {
                    let to = rest.split_once("; goto").map_or("", |(_, to)| to);
                    format!("{from}: noop; goto{to}")
                }
                None => line.to_owned(),
            })
            .collect();
        let Some(harmless) = parse(&harmless.join("\n")).program else { return Ok(()) };
        let own = verify::Program::read(&text).expect("a program");
        let Some(certificate) = made(&harmless, Model::Sc) else { return Ok(()) };
        let Some(number) = invariant(&certificate) else { return Ok(()) };
        let leaf = &certificate["leaves"][number];
        prop_assert!(check_invariant(&own, leaf, &[]).is_err());
        for (kind, at, by) in changes {
            prop_assert!(check_invariant(&own, &changed(leaf, kind, at.into(), by), &[]).is_err());
        }
    }
}

const LOCK: &str = "shared l, full;
    thread w[3] { local r, i; loop { do { r = cas(l, 0, 1); } while (r != 0);
        critical: i = (i + 1) % 4; if (i == 0) { full = 1; } l = 0; } }
    forbid w.0@critical && w.1@critical;";

const OWNER: &str = "shared l, owner;
    thread w[2] { local r, o; loop { do { r = xchg(l, 1); } while (r == 1);
        owner = tid + 1; o = owner; assert(o == tid + 1); l = 0; } }";

const WIDE: &str = "shared l, rounds;
    thread w[2] { local r, seen; loop { do { r = cas(l, 0, 1); } while (r != 0);
        critical: seen = rounds; rounds = seen + 1; l = 0; } }
    forbid w.0@critical && w.1@critical;";

const BLOCK: &str = "shared a, b;
    thread w[2] { local r; loop { atomic { r = a; assume(r < 1); a = (r + 1) & 3; b = (b + 1) & 1; } here: skip; atomic { a = (a + 3) & 3; } } }
    forbid a > 1;";

#[test]
fn every_change_of_an_invariant_is_refused_or_another_invariant() {
    let (mut refused, mut accepted, mut compared) = (0, 0, 0);
    for text in [LOCK, OWNER, WIDE, BLOCK] {
        let program = program(text);
        let certificate = made(&program, Model::Sc).unwrap_or_else(|| panic!("{text}"));
        let number = invariant(&certificate).expect("an invariant");
        let own = verify::Program::read(&print(&program)).expect("a program");
        let leaf = &certificate["leaves"][number];
        let clauses = leaf["clauses"].as_array().expect("clauses").len();
        for kind in 0..7 {
            let step = (clauses * 3 / config(12).cases as usize).max(1);
            for at in (0..clauses * 3).step_by(step) {
                for by in [-1, 1] {
                    let changed = changed(leaf, kind, at, by);
                    if changed == *leaf {
                        continue;
                    }
                    if check_invariant(&own, &changed, &[]).is_err() {
                        refused += 1;
                        continue;
                    }
                    accepted += 1;
                    // Where there are not too many states, all are looked at.
                    let is = is_invariant(&own, &changed);
                    compared += usize::from(is.is_some());
                    assert_ne!(is, Some(false), "{kind} {at} {by} {text}\n{changed}");
                }
            }
        }
        for model in [Model::Sc, Model::Tso] {
            let certificate = made(&program, model).unwrap_or_else(|| panic!("{text}"));
            let number = invariant(&certificate).expect("an invariant");
            assert!(!is_refused(&certificate), "{text}");
            let mut without = certificate.clone();
            without["leaves"]
                .as_array_mut()
                .expect("leaves")
                .remove(number);
            assert!(is_refused(&without), "{text}");
            for clauses in [json!([]), json!([[]])] {
                let mut other = certificate.clone();
                other["leaves"][number]["clauses"] = clauses;
                assert!(is_refused(&other), "{text}");
            }
        }
    }
    assert!(
        refused > 200 && accepted > 0 && compared > 0,
        "{refused} {accepted} {compared}"
    );
}

#[test]
fn an_invariant_of_another_program_is_refused() {
    for (text, from, to) in [
        (LOCK, "cas(l, 0, 1)", "cas(l, 1, 1)"),
        (LOCK, "full = 1;", "full = 1; l = 0;"),
        (OWNER, "assert(o == tid + 1)", "assert(o == 1)"),
        (WIDE, "rounds = seen + 1", "rounds = seen + 1; l = 0"),
        (BLOCK, "a > 1", "a > 0"),
        (BLOCK, "r < 1", "r < 2"),
    ] {
        let certificate = made(&program(text), Model::Sc).expect("a certificate");
        let mut other = certificate.clone();
        other["program"] = json!(print(&program(&text.replace(from, to))));
        assert!(is_refused(&other), "{text} with {to}");
    }
}

#[test]
fn bits_outside_the_mask_make_no_condition() {
    let program = program(LOCK);
    let certificate = made(&program, Model::Sc).expect("a certificate");
    let number = invariant(&certificate).expect("an invariant");
    let own = verify::Program::read(&print(&program)).expect("a program");
    let mut leaf = certificate["leaves"][number].clone();
    // If this were read as "bit 1 is 0", each state would be excluded, and nothing had to exclude it.
    leaf["clauses"] = json!([[["c", 0, 2, 1]]]);
    assert!(check_invariant(&own, &leaf, &[]).is_err());
}
