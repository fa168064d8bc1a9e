//! Certificates by an invariant: made, changed, and compared with all states that satisfy the invariant.

use crate::support::automata::{Mix, automata};
use crate::support::config::config;
use crate::support::drawn::Drawn;
use crate::support::random::{Shape, sketch};
use fencepost::internals::certificate::{Certificate, of_check};
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Program, print};
use fencepost::verify::{self, Config, Machine, Refusal, System, check_invariant, verify};
use proptest::prelude::*;
use serde_json::{Value, json};

/// More states than this are too many for a test.
const MOST: usize = 5_000;

/// The same where one program is compared many times.
const COMPARED: usize = 1_000;

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

/// The same of a program that the inductive engine decides at once.
fn induced(program: &Program, model: Model) -> Value {
    let options = CheckOptions::new(model).engine(Engine::Ic3);
    let report = check(program, &options, &Budget::default()).expect("no defect");
    match of_check(program, &report, &Budget::default()).expect("no defect") {
        Certificate::Made { text, .. } => serde_json::from_str(&text).expect("JSON"),
        Certificate::None(why) => panic!("{why}\n{}", print(program)),
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

/// A range; `None` for any value.
type Range = Option<(i32, i32)>;

/// A part of a cube.
enum Part {
    At(usize, Vec<bool>),
    Register(usize, usize, i32, i32),
    Cell(usize, i32, i32),
}

/// A leaf as it is written, read once.
struct Leaf {
    cells: Vec<Range>,
    registers: Vec<Vec<Vec<Range>>>,
    dead: Vec<Vec<i32>>,
    cubes: Vec<Vec<Part>>,
}

fn fits(range: Range, value: i32) -> bool {
    range.is_none_or(|(low, high)| (low..=high).contains(&value))
}

fn each<T>(value: &Value, of: impl Fn(&Value) -> T) -> Vec<T> {
    value.as_array().expect("a list").iter().map(of).collect()
}

impl Leaf {
    fn read(leaf: &Value) -> Self {
        let range = |value: &Value| (!value.is_null()).then(|| (int(&value[0]), int(&value[1])));
        let registers = each(&leaf["registers"], |of| each(of, |of| each(of, range)));
        let part = |part: &Value| match part[0].as_str() {
            Some("at") => {
                let thread = size(&part[1]);
                let mut locations = vec![false; registers[thread].len()];
                for at in each(&part[2], size) {
                    locations[at] = true;
                }
                Part::At(thread, locations)
            }
            Some("r") => {
                Part::Register(size(&part[1]), size(&part[2]), int(&part[3]), int(&part[4]))
            }
            _ => Part::Cell(size(&part[1]), int(&part[2]), int(&part[3])),
        };
        Self {
            cells: each(&leaf["cells"], range),
            cubes: each(&leaf["clauses"], |cube| each(cube, part)),
            dead: each(&leaf["dead"], |of| each(of, int)),
            registers,
        }
    }

    /// Whether a state satisfies the invariant: its values are in their ranges, and it is in no cube.
    /// Registers that are dead are those that the machine does not write.
    fn is_true(&self, config: &Config) -> bool {
        let mut ranges = self.cells.iter().zip(&config.cells);
        ranges.all(|(&range, &value)| fits(range, value))
            && !self.cubes.iter().any(|cube| {
                cube.iter().all(|part| match part {
                    Part::At(thread, locations) => locations[config.locations[*thread]],
                    Part::Register(thread, register, mask, bits) => {
                        config.registers[*thread][*register] & mask == *bits
                    }
                    Part::Cell(cell, mask, bits) => config.cells[*cell] & mask == *bits,
                })
            })
    }
}

/// By thread, location and register: whether values there make a difference to the machine.
pub(crate) fn live(machine: &Machine<'_>, locations: &[usize]) -> Vec<Vec<Vec<bool>>> {
    let initial = machine.initial();
    let is_live = |t: usize, at: usize, register: usize| {
        let (mut a, mut b) = (initial.clone(), initial.clone());
        (a.locations[t], b.locations[t]) = (at, at);
        (a.registers[t][register], b.registers[t][register]) = (5, 6);
        verify::encoded(machine, &a) != verify::encoded(machine, &b)
    };
    let of_location = |t: usize, at: usize| -> Vec<bool> {
        let registers = 0..initial.registers[t].len();
        registers.map(|register| is_live(t, at, register)).collect()
    };
    let threads = locations.iter().enumerate();
    threads
        .map(|(t, &count)| (0..count).map(|at| of_location(t, at)).collect())
        .collect()
}

/// Some of the values of a range without limits.
const SOME: (i32, i32) = (-2, 3);

/// Whether an invariant is one, by looking at all states: `None` if there are too many. Of a value that may
/// be any, some are tried: what is refuted then is no invariant.
pub(crate) fn is_invariant(
    own: &verify::Program,
    leaf: &Value,
    never: &[usize],
    most: usize,
) -> Option<bool> {
    let leaf = Leaf::read(leaf);
    let machine = Machine::new(own, verify::Model::Sc, never);
    let initial = machine.initial();
    let counts: Vec<usize> = leaf.registers.iter().map(Vec::len).collect();
    // Each thread with each location and the registers in their ranges there; those that are dead have one
    // value, as encoded states show.
    let live = live(&machine, &counts);
    let is_live = |t: usize, at: usize, register: usize| live[t][at][register];
    let mut all = vec![initial.clone()];
    let widen =
        |all: Vec<Config>, of: &dyn Fn(&Config) -> Option<Vec<Config>>| -> Option<Vec<Config>> {
            let wider: Option<Vec<Vec<Config>>> = all.iter().map(of).collect();
            let wider = wider?.concat();
            (wider.len() <= most).then_some(wider)
        };
    for (cell, &range) in leaf.cells.iter().enumerate() {
        let (low, high) = range.unwrap_or(SOME);
        all = widen(all, &|config| {
            let with = |value| {
                let mut config = config.clone();
                config.cells[cell] = value;
                config
            };
            Some((low..=high).map(with).collect())
        })?;
    }
    for (t, &locations) in counts.iter().enumerate() {
        all = widen(all, &|config| {
            let with = |at| {
                let mut config = config.clone();
                config.locations[t] = at;
                config
            };
            Some((0..locations).map(with).collect())
        })?;
        let registers = 0..initial.registers[t].len();
        for register in registers {
            all = widen(all, &|config| {
                let at = config.locations[t];
                let (low, high) = if is_live(t, at, register) {
                    leaf.registers[t][at][register].unwrap_or(SOME)
                } else {
                    let dead = leaf.dead[t][register];
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
        for (t, &at) in config.locations.iter().enumerate() {
            for (register, value) in config.registers[t].iter_mut().enumerate() {
                if !live[t][at][register] {
                    *value = leaf.dead[t][register];
                }
            }
        }
        config
    };
    let inside_range = |config: &Config| {
        config.locations.iter().enumerate().all(|(t, &at)| {
            let mut values = config.registers[t].iter().enumerate();
            values.all(|(register, &value)| {
                !live[t][at][register] || fits(leaf.registers[t][at][register], value)
            })
        })
    };
    let good = |config: &Config| leaf.is_true(config) && inside_range(config);
    if !good(&normal(&initial)) {
        return Some(false);
    }
    for config in all.iter().filter(|config| leaf.is_true(config)) {
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

fn drawn() -> impl Strategy<Value = Drawn> {
    prop_oneof![
        3 => sketch(Shape { wild: 0, ..Shape::ALL }).prop_map(Drawn::Sketch),
        1 => sketch(Shape { longest: 3, ..Shape::COUNTING }).prop_map(Drawn::Sketch),
        1 => automata(4, Mix::Apart).prop_map(Drawn::Automata),
        1 => automata(4, Mix::Blocks).prop_map(Drawn::Automata),
    ]
}

/// A change of one part of an invariant.
pub(crate) fn changed(leaf: &Value, kind: u8, at: usize, by: i32) -> Value {
    let mut leaf = leaf.clone();
    let clauses = leaf["clauses"].as_array().map_or(0, Vec::len);
    let number = at % clauses.max(1);
    let parts = leaf["clauses"][number].as_array().map_or(0, Vec::len);
    let part = at / clauses.max(1) % parts.max(1);
    match kind % 10 {
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
        5 | 6 => {
            let threads = leaf["registers"].as_array().map_or(1, Vec::len);
            let of_thread = leaf["registers"][at % threads]
                .as_array_mut()
                .expect("locations");
            let count = of_thread.len();
            let ranges = of_thread[at / threads % count].as_array_mut();
            for range in ranges.expect("ranges").iter_mut().filter(|r| !r.is_null()) {
                let (low, high) = (int(&range[0]), int(&range[1]));
                if kind % 10 == 5 {
                    range[0] = json!(low.saturating_add(by).min(high));
                } else {
                    range[1] = json!(high.saturating_add(by).max(low));
                }
            }
        }
        7 => {
            let cells = leaf["cells"].as_array_mut().expect("ranges");
            let count = cells.len();
            if let Some(range) = cells.get_mut(at % count.max(1)) {
                *range = Value::Null;
            }
        }
        8 => {
            let threads = leaf["registers"].as_array().map_or(1, Vec::len);
            let of_thread = leaf["registers"][at % threads].as_array_mut();
            for ranges in of_thread.expect("locations") {
                let ranges = ranges.as_array_mut().expect("ranges");
                let count = ranges.len();
                if let Some(range) = ranges.get_mut(at / threads % count.max(1)) {
                    *range = Value::Null;
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
        prop_assert!(is_invariant(&own, leaf, &[], MOST) != Some(false), "{}", leaf);
        let mut last = leaf.clone();
        for (kind, at, by) in changes {
            // Changes of the original, and changes on top of those that were accepted.
            for of in [leaf.clone(), last.clone()] {
                let leaf = changed(&of, kind, at.into(), by);
                if check_invariant(&own, &leaf, &[]).is_ok() {
                    prop_assert!(is_invariant(&own, &leaf, &[], MOST) != Some(false), "{}\n{}", print(&program), leaf);
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
        let [under_sc, under_tso] = [Model::Sc, Model::Tso].map(|model| induced(&program, model));
        let number = invariant(&under_sc).expect("an invariant");
        let own = verify::Program::read(&print(&program)).expect("a program");
        let leaf = &under_sc["leaves"][number];
        let clauses = leaf["clauses"].as_array().expect("clauses").len();
        for kind in 0..10 {
            let step = (clauses * 3 / config(12).cases as usize).max(1);
            for at in (0..clauses * 3).step_by(step) {
                // Some changes are the same whatever the number is.
                let is_one = matches!(kind, 0 | 1 | 7 | 8);
                for by in [-1, 1].into_iter().skip(usize::from(is_one)) {
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
                    let is = is_invariant(&own, &changed, &[], COMPARED);
                    compared += usize::from(is.is_some());
                    assert_ne!(is, Some(false), "{kind} {at} {by} {text}\n{changed}");
                }
            }
        }
        for certificate in [under_sc, under_tso] {
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
fn what_the_inductive_engine_decided_is_certified_by_an_invariant_if_the_checker_follows_one() {
    let kinds = |text: &str, model: Model| {
        let certificate = induced(&program(text), model);
        let leaves = certificate["leaves"].as_array().expect("leaves").iter();
        let kind = |leaf: &Value| leaf["kind"].as_str().expect("a kind").to_owned();
        leaves.map(kind).collect::<Vec<String>>()
    };
    // There are few states, and yet they are not listed.
    for (text, models) in [
        (LOCK, [Model::Sc, Model::Tso]),
        (OWNER, [Model::Sc, Model::Tso]),
        (BLOCK, [Model::Sc, Model::Pso]),
    ] {
        for model in models {
            assert_eq!(kinds(text, model), ["inductive"], "{model} {text}");
        }
    }
    // More values than the checker tries, and the assertion is about them.
    let text = "shared x; thread t { local i; loop { i = (i + 1) % 100; assert(i < 100); x = 1; } }
        thread u { loop { x = 2; x = 3; } }";
    assert_eq!(kinds(text, Model::Sc), ["closed"]);
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
        let certificate = induced(&program(text), Model::Sc);
        let mut other = certificate.clone();
        other["program"] = json!(print(&program(&text.replace(from, to))));
        assert!(is_refused(&other), "{text} with {to}");
    }
}

#[test]
fn bits_outside_the_mask_make_no_condition() {
    let program = program(LOCK);
    let certificate = induced(&program, Model::Sc);
    let number = invariant(&certificate).expect("an invariant");
    let own = verify::Program::read(&print(&program)).expect("a program");
    let mut leaf = certificate["leaves"][number].clone();
    // If this were read as "bit 1 is 0", each state would be excluded, and nothing had to exclude it.
    leaf["clauses"] = json!([[["c", 0, 2, 1]]]);
    assert!(check_invariant(&own, &leaf, &[]).is_err());
}

#[test]
fn parts_of_a_clause_about_the_same_value_may_exclude_each_other() {
    let program = program("shared c; thread t { loop { c = 1; here: skip; } }");
    let own = verify::Program::read(&print(&program)).expect("a program");
    let ranges = vec![json!([]); program.threads()[0].locations().len()];
    // The first clause is true of each state. The second one excludes the value 1, which is stored.
    let both = json!([
        [["c", 0, 3, 0], ["c", 0, -1, 1]],
        [["c", 0, 3, 1], ["c", 0, -1, 1]]
    ]);
    for (clauses, is_true) in [(json!([both[0]]), true), (both.clone(), false)] {
        let leaf = json!({
            "kind": "inductive", "dead": [[]], "registers": [ranges], "cells": [[0, 1]],
            "clauses": clauses,
        });
        assert_eq!(is_invariant(&own, &leaf, &[], MOST), Some(is_true));
        assert_eq!(check_invariant(&own, &leaf, &[]).is_ok(), is_true, "{leaf}");
    }
}
