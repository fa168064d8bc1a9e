//! Looking ahead: no answer changes, and what is executed is still known.
//!
//! The programs are written as text. Their threads pass values to each other, wait for each other in loops
//! with and without stores, count, choose, and have blocks that may never be left. Under SC and TSO what
//! each thread does alone is followed; the other models are there to show that nothing is done about
//! them.

use crate::support::config;
use config::config;
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::reference::replay;
use fencepost::internals::search::{Answers, Onset, Reduction, check_all_with};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Goal, Program, PropertyKind};
use proptest::prelude::*;
use std::fmt::Write as _;

fn cell() -> BoxedStrategy<String> {
    prop_oneof![
        3 => Just("x"),
        3 => Just("y"),
        1 => Just("z"),
        1 => Just("a[i % 2]"),
        1 => Just("a[r & 1]"),
    ]
    .prop_map(str::to_owned)
    .boxed()
}

fn value() -> BoxedStrategy<String> {
    prop_oneof![
        4 => (0..3_i32).prop_map(|value| value.to_string()),
        1 => Just("i".to_owned()),
        1 => Just("r".to_owned()),
        1 => Just("i + 1".to_owned()),
    ]
    .boxed()
}

/// A statement that ends.
fn simple() -> BoxedStrategy<String> {
    (cell(), cell(), value(), 0..27_u8)
        .prop_map(|(x, y, v, form)| match form {
            0..=5 => format!("{x} = {v};"),
            6..=9 => format!("r = {x};"),
            10 => format!("{x} = {y};"),
            11 => format!("{x} = {x} + 1;"),
            12 => "i = i + 1;".to_owned(),
            13 => format!("assert({x} != {v});"),
            14 => "assert(r < 2);".to_owned(),
            15 => "fence;".to_owned(),
            16 => format!("r = xchg({x}, {v});"),
            17 => format!("r = cas({x}, {v}, 1);"),
            18 => format!("atomic {{ r = {x}; {y} = r; }}"),
            19 => format!("atomic {{ r = {x}; assume(r == {v}); {y} = 1; }}"),
            20 => "r = nondet(0, 1);".to_owned(),
            21 => format!("choose {{ {x} = {v}; }} or {{ skip; }}"),
            22 => format!(
                "choose {{ atomic {{ r = {x}; assume(r == 0); r = {y}; }} }} \
                 or {{ atomic {{ r = z; assume(r >= 1); z = 2; r = {y}; }} }}"
            ),
            23..=24 => format!("atomic {{ q = {x}; r = a[q & 1]; q = 0; }}"),
            25 => format!("atomic {{ q = {x}; r = a[q & 1]; a[r & 1] = {v}; q = 0; }}"),
            _ => format!("assume({x} == {v} || r == 0);"),
        })
        .boxed()
}

/// A loop that waits for other threads, or may.
fn wait() -> BoxedStrategy<String> {
    (cell(), cell(), value(), 0..12_u8)
        .prop_map(|(x, y, v, form)| match form {
            0..=2 => format!("while ({x} == {v}) {{ }}"),
            3 => format!("while ({x} != {v}) {{ }}"),
            4 => format!("while (i - {x} == 2) {{ }}"),
            5 => format!("while ({x} == {v} && {y} >= 1) {{ }}"),
            6 => format!("do {{ r = {x}; q = {y}; }} while (r != q);"),
            7 => format!("while ({x} == {v}) {{ {y} = {v}; }}"),
            8 => format!("while ({x} == {v}) {{ {y} = 1; {y} = 0; }}"),
            9 => format!("while (cas({x}, 0, 1) != 0) {{ }}"),
            10 => format!("do {{ atomic {{ r = {x}; {x} = 1; }} }} while (r == 1);"),
            _ => format!("while ({x} == {v}) {{ r = {y}; assert(r != 2); }}"),
        })
        .boxed()
}

/// The statements of a thread, with a label somewhere.
fn body() -> BoxedStrategy<String> {
    let one = || prop_oneof![4 => simple(), 2 => wait()];
    let some = |most| prop::collection::vec(one(), 0..=most).prop_map(|all| all.join(" "));
    let passing = (1..4, some(3))
        .prop_map(|(rounds, inner)| format!("while (i < {rounds}) {{ {inner} i = i + 1; }}"));
    let branch = (cell(), some(2)).prop_map(|(x, inner)| format!("if ({x} == 1) {{ {inner} }}"));
    let part = prop_oneof![4 => some(4), 3 => passing, 1 => branch];
    let long =
        (part.clone(), part).prop_map(|(before, after)| format!("{before} l: skip; {after}"));
    // Short ones mostly end, so that what they have done is seen.
    let short = prop::collection::vec(prop_oneof![8 => simple(), 1 => wait()], 1..4)
        .prop_map(|all| format!("{} l: skip;", all.join(" ")));
    prop_oneof![long, short].boxed()
}

fn properties() -> BoxedStrategy<String> {
    let one = (0..8_u8, 0..3_i32).prop_map(|(form, v)| match form {
        0 => "forbid t0@l && t1@l;".to_owned(),
        1 => format!("forbid t0@l && x == {v};"),
        2 => format!("forbid t0.r == {v} && t1.r == 1;"),
        3 => format!("forbid x == 1 && y == {v};"),
        4 => format!("final assert t0.r != {v} || t1.r != 1;"),
        5 => format!("final assert x != {v};"),
        6 => format!("exists t1.r == {v} && y == 1;"),
        _ => format!("forbid t1@l && (t0@l && z == {v} || t0.i == 2);"),
    });
    let random = prop::collection::vec(one, 0..3).prop_map(|all| all.join("\n"));
    let places = [
        ("x", "y"),
        ("y", "z"),
        ("a[0]", "x"),
        ("t0.r", "t1.r"),
        ("t1.r", "x"),
    ];
    let all = prop::sample::select(places.to_vec()).prop_map(all_values);
    prop_oneof![1 => random, 2 => all].boxed()
}

/// Two short threads: one mostly goes where cells point, the other one mostly stores.
fn pointers() -> BoxedStrategy<String> {
    let of = |all: &[&'static str]| prop::sample::select(all.to_vec());
    let cell = || of(&["x", "y", "a[0]", "a[1]"]);
    let store = || (cell(), 1..3_i32).prop_map(|(cell, v)| format!("{cell} = {v};"));
    let follow = (of(&["x", "y"]), 1..3_i32, 0..9_u8).prop_map(|(x, v, form)| match form {
        0..=3 => format!("atomic {{ q = {x}; r = a[q & 1]; q = 0; }}"),
        4 => format!("atomic {{ q = {x}; r = a[q & 1]; assume(r == 0); {x} = {v}; q = 0; }}"),
        5 => format!("atomic {{ q = {x}; a[q & 1] = {v}; q = 0; }}"),
        6 => format!("r = a[{x} & 1];"),
        7 => format!("a[{x} & 1] = {v};"),
        _ => format!("while (a[{x} & 1] == 0) {{ }}"),
    });
    let wait = || (cell(), 0..3_i32).prop_map(|(cell, v)| format!("while ({cell} == {v}) {{ }}"));
    let load = || cell().prop_map(|cell| format!("r = {cell};"));
    let one = prop_oneof![6 => follow, 2 => store(), 1 => load()];
    let other = prop_oneof![8 => store(), 2 => load(), 1 => wait()];
    let body =
        |one: BoxedStrategy<String>| prop::collection::vec(one, 1..4).prop_map(|all| all.join(" "));
    let places = [("t0.r", "x"), ("t0.r", "t1.r"), ("a[0]", "a[1]")];
    let places = prop::sample::select(places.to_vec());
    (body(one.boxed()), body(other.boxed()), places)
        .prop_map(|(one, other, place)| {
            let [a, b] = [one, other].map(|body| format!("{{ local q, r; {body} }}"));
            let properties = all_values(place);
            format!("shared x, y; shared a[2];\nthread t0 {a}\nthread t1 {b}\n{properties}")
        })
        .boxed()
}

/// Three or four short threads that meet in the same few cells, exchange values, follow them, and wait.
fn crowds() -> BoxedStrategy<String> {
    let of = |all: &[&'static str]| prop::sample::select(all.to_vec());
    let cell = move || of(&["x", "x", "y", "a[0]", "a[1]"]);
    let one = (cell(), cell(), 1..3_i32, 0..30_u8).prop_map(|(x, y, v, form)| match form {
        0..=3 => format!("{x} = {v};"),
        4..=5 => format!("r = {x};"),
        6 => format!("r = xchg({x}, {v});"),
        7 => format!("q = xchg({x}, {v}); a[q & 1] = {v}; q = 0;"),
        8 => format!("q = cas({x}, 0, {v}); if (q == 0) {{ {y} = {v}; }} q = 0;"),
        9 => format!("r = fetch_add({x}, 1);"),
        10 => format!("q = {x}; a[q & 1] = {v}; q = 0;"),
        11 => format!("q = {x}; r = a[q & 1]; q = 0;"),
        12 => format!("atomic {{ q = {x}; a[q & 1] = {v}; r = {y}; q = 0; }}"),
        13 => format!("if ({x} == {v}) {{ {y} = 1; }}"),
        14 => format!("if ({x} == 0) {{ {x} = {v}; r = {y}; }}"),
        15 => format!("while ({x} == 0) {{ }}"),
        16 => format!("do {{ q = {x}; }} while (q != {v}); q = 0;"),
        17 => format!("{x} = {y};"),
        18 => "fence;".to_owned(),
        19 => format!("q = fetch_add({x}, 1); if (q == {v}) {{ {y} = 1; }} q = 0;"),
        20 => format!("do {{ q = fetch_add({x}, 1); }} while (q == 0); q = 0;"),
        21 => format!("atomic {{ r = {x}; r = r + {y}; }}"),
        22 => format!("assert({x} != {v});"),
        23 => format!("r = nondet(0, 1); {x} = r;"),
        24 => format!("atomic {{ r = {x}; assume(r == {v}); {y} = 1; }}"),
        25 => format!("assume({x} == {v} || r == 0);"),
        26 => format!("q = {x}; a[q] = {v}; q = 0;"),
        27 => format!("q = {x}; assert(q < 2); {y} = q; q = 0;"),
        28 => format!("choose {{ {x} = {v}; }} or {{ r = {y}; }}"),
        _ => format!("{x} = {v}; {x} = 0;"),
    });
    let body = prop::collection::vec(one, 1..4).prop_map(|all| all.join(" "));
    let threads = prop_oneof![
        3 => prop::collection::vec(body.clone(), 3),
        1 => prop::collection::vec(body.clone(), 4),
        1 => (body.clone(), body).prop_map(|(a, b)| vec![a.clone(), a, b]),
    ];
    let places = [
        ("t0.r", "t1.r"),
        ("t1.r", "t2.r"),
        ("x", "y"),
        ("a[0]", "a[1]"),
        ("t0.r", "a[0]"),
    ];
    let properties = prop_oneof![
        3 => prop::sample::select(places.to_vec()).prop_map(all_values),
        1 => (0..3_i32).prop_map(|v| format!("forbid t0@l && t1@l;\nforbid t2@l && x == {v};")),
        1 => (0..3_i32).prop_map(|v| format!("forbid t0.r == {v} && y == 1;")),
    ];
    (threads, properties)
        .prop_map(|(threads, properties)| {
            let mut text = "shared x, y; shared a[2];\n".to_owned();
            for (number, body) in threads.iter().enumerate() {
                let _ = writeln!(text, "thread t{number} {{ local r, q; {body} l: skip; }}");
            }
            text + &properties
        })
        .boxed()
}

/// What there may be in two places when all threads have ended.
fn all_values((one, other): (&str, &str)) -> String {
    let values = (0..3).flat_map(|a| (0..3).map(move |b| (a, b)));
    let exists = values.map(|(a, b)| format!("exists {one} == {a} && {other} == {b};"));
    exists.collect::<Vec<String>>().join("\n")
}

/// Two or three threads.
fn text() -> BoxedStrategy<String> {
    let threads = prop_oneof![
        4 => prop::collection::vec(body(), 2),
        1 => prop::collection::vec(body(), 3),
    ];
    (threads, properties())
        .prop_map(|(threads, properties)| {
            let mut text = "shared x, y, z;\nshared a[2];\n".to_owned();
            for (number, body) in threads.iter().enumerate() {
                let _ = writeln!(text, "thread t{number} {{ local i, r, q; {body} }}");
            }
            text + &properties
        })
        .boxed()
}

fn read(text: &str) -> Program {
    let program = parse(text).into_program();
    program.unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

const AHEAD: Reduction = Reduction {
    persistent: true,
    lookahead: Onset::After(0),
    ..Reduction::NONE
};

/// Searches with the others that change what a move is, and without them.
const REDUCTIONS: [Reduction; 10] = [
    AHEAD,
    Reduction {
        liveness: true,
        ..AHEAD
    },
    Reduction {
        local_steps: true,
        ..AHEAD
    },
    Reduction {
        liveness: true,
        local_steps: true,
        chains: true,
        ..AHEAD
    },
    Reduction {
        hopeless: false,
        ..ALL
    },
    ALL,
    Reduction {
        lookahead: Onset::After(40),
        ..Reduction::ALL
    },
    Reduction {
        lookahead: Onset::After(4),
        ..AHEAD
    },
    Reduction {
        lookahead: Onset::After(4),
        directed: Onset::After(2),
        ..Reduction::ALL
    },
    Reduction {
        lookahead: Onset::After(0),
        directed: Onset::After(2),
        ..Reduction::ALL
    },
];

const ALL: Reduction = Reduction {
    lookahead: Onset::After(0),
    ..Reduction::ALL
};

const STATES: usize = 6_000;

fn search(program: &Program, model: Model, goals: &[Goal], reduction: Reduction) -> Answers {
    let budget = Budget::default().with_states(STATES);
    check_all_with(program, model, goals, reduction, &budget)
}

fn same(
    program: &Program,
    model: Model,
    goals: &[Goal],
    reduction: Reduction,
    plain: &Answers,
) -> Result<(), TestCaseError> {
    let reduced = search(program, model, goals, reduction);
    for (goal, verdict) in &reduced.verdicts {
        let known = plain.verdicts.iter().find(|(known, _)| known == goal);
        let known = known.map_or("none", |(_, verdict)| verdict.word());
        let word = verdict.word();
        prop_assert!(
            word == known || [word, known].contains(&"unknown"),
            "{model} {reduction:?} {goal:?}: {word}, not {known}"
        );
        if let Verdict::Violated(steps) = verdict {
            let run = replay(program, model, steps);
            let run = run.map_err(|error| TestCaseError::fail(format!("{error:?}")))?;
            prop_assert!(run.reached.contains(goal));
        }
    }
    if plain.complete && reduced.complete && goals.len() == plain.verdicts.len() {
        prop_assert_eq!(
            &plain.executed,
            &reduced.executed,
            "{} {:?}",
            model,
            reduction
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn looking_ahead_changes_no_answer(text in text()) {
        nothing_is_lost(&text)?;
    }

    #[test]
    fn looking_ahead_sees_where_pointers_lead(text in pointers()) {
        nothing_is_lost(&text)?;
    }

    #[test]
    fn looking_ahead_sees_what_several_threads_do(text in crowds()) {
        nothing_is_lost(&text)?;
    }
}

fn nothing_is_lost(text: &str) -> Result<(), TestCaseError> {
    let program = read(text);
    let goals = program.goals();
    for model in [Model::Sc, Model::Tso, Model::Pso] {
        let plain = search(&program, model, &goals, Reduction::NONE);
        for reduction in REDUCTIONS {
            same(&program, model, &goals, reduction, &plain)?;
        }
        // A single goal observes less.
        for &goal in &goals {
            same(&program, model, &[goal], ALL, &plain)?;
        }
        // Without goals everything is visited.
        let plain = search(&program, model, &[], Reduction::NONE);
        for reduction in REDUCTIONS {
            same(&program, model, &[], reduction, &plain)?;
        }
    }
    Ok(())
}

/// A lock of Mellor-Crummey and Scott: each thread waits at a node of its own.
fn queue_lock(threads: usize) -> Program {
    let mut text = format!("shared next[{n}], waits[{n}], tail, c;\n", n = threads + 1);
    for k in 1..=threads {
        let _ = writeln!(
            text,
            "thread t{k} {{
                 local before, after, last, v;
                 next[{k}] = 0;
                 waits[{k}] = 1;
                 before = xchg(tail, {k});
                 if (before != 0) {{ next[before] = {k}; while (waits[{k}] == 1) {{ }} }}
                 v = c;
                 c = v + 1;
                 after = next[{k}];
                 if (after == 0) {{
                     last = cas(tail, {k}, 0);
                     if (last != {k}) {{ do {{ after = next[{k}]; }} while (after == 0); }}
                 }}
                 if (after != 0) {{ waits[after] = 0; }}
             }}"
        );
    }
    let _ = writeln!(text, "final assert c == {threads};");
    read(&text)
}

/// How many configurations a search visits that looks ahead like this, and finds that all goals hold.
fn states(program: &Program, lookahead: Onset) -> usize {
    let reduction = Reduction {
        lookahead,
        ..Reduction::ALL
    };
    let goals = program.goals();
    let answers = check_all_with(program, Model::Tso, &goals, reduction, &Budget::default());
    for (goal, verdict) in &answers.verdicts {
        assert_eq!(verdict.word(), "holds", "{goal:?}");
    }
    answers.states
}

/// Who waits in the queue, and has told its predecessor so or not, multiplies where only footprints count.
#[test]
fn who_waits_for_a_lock_keeps_no_other_thread_from_going_first() {
    let program = queue_lock(6);
    let never = states(&program, Onset::Never);
    let at_once = states(&program, Onset::After(0));
    assert!(3 * at_once < never, "{at_once} {never}");
    // The trial is over before half of the configurations are visited, and is found to be worth it.
    let later = states(&program, Onset::After(20));
    assert!(later < never, "{later} {never}");
}

/// A ring buffer with so many places, through which twice as many values go.
fn ring(places: usize) -> Program {
    read(&format!(
        "shared head, tail; shared place[{places}];
         thread producer {{
             local i;
             while (i < {items}) {{
                 while (i - head == {places}) {{ }}
                 place[i % {places}] = i + 10;
                 i = i + 1;
                 tail = i;
             }}
         }}
         thread consumer {{
             local i, v;
             while (i < {items}) {{
                 while (tail == i) {{ }}
                 v = place[i % {places}];
                 assert(v == i + 10);
                 i = i + 1;
                 head = i;
             }}
         }}",
        items = 2 * places
    ))
}

/// With footprints alone, the positions of producer, consumer and their buffers multiply.
#[test]
fn a_ring_buffer_is_passed_in_steps_that_grow_with_its_size() {
    for model in [Model::Sc, Model::Tso] {
        let states = |places: usize, reduction| {
            let program = ring(places);
            let goals: Vec<Goal> = program.goals();
            let answers = check_all_with(&program, model, &goals, reduction, &Budget::default());
            assert!(answers.verdicts.iter().all(|v| v.1.word() == "holds"));
            answers.states
        };
        let without = Reduction {
            lookahead: Onset::Never,
            ..Reduction::ALL
        };
        let (few, many) = (states(4, ALL), states(16, ALL));
        assert!(many < 6 * few, "{model}: {few}, {many}");
        assert!(states(4, without) > 2 * few, "{model}: {few}");
    }
}

/// Whether the last property of a program is reached, with and without looking ahead.
fn is_reached(text: &str) -> bool {
    let program = read(text);
    let goals = program.goals();
    let goals = &goals[goals.len() - 1..];
    let mut words = [Reduction::NONE, AHEAD, ALL].map(|reduction| {
        let answers = search(&program, Model::Tso, goals, reduction);
        answers.verdicts[0].1.word()
    });
    words.sort_unstable();
    assert_eq!(words[0], words[2], "{text}");
    words[0] == "violated"
}

/// The consumer may read the old value: its test has the same result, but it keeps what it has read.
#[test]
fn a_value_that_is_kept_is_seen() {
    assert!(is_reached(
        "shared x; thread a { x = 1; x = 2; } thread b { local r; r = x; if (r != 0) { skip; } }
         exists b.r == 1;"
    ));
}

/// What the waiting thread stores is seen only while the store that it waits for is still buffered.
#[test]
fn a_loop_with_a_store_is_not_left_out() {
    assert!(is_reached(
        "shared x, y; thread a { local r; x = 1; r = y; } thread b { while (x == 0) { y = 1; y = 0; } }
         exists a.r == 1;"
    ));
}

/// The load depends on what the other thread does once the store before it has left the buffer.
#[test]
fn a_load_does_not_hide_what_its_own_thread_has_buffered() {
    assert!(is_reached(
        "shared x, y; thread a { local r; x = 1; r = y; }
         thread b { local q; q = x; while (x == 0) { } y = 1; }
         exists a.r == 1 && b.q == 0;"
    ));
}

/// A block may do the same after a store, and yet depend on another cell from then on.
#[test]
fn a_block_that_reads_where_it_is_told_depends_on_what_it_would_read() {
    assert!(is_reached(
        "shared x; shared a[2]; thread p { local i, r; atomic { i = x; r = a[i]; i = 0; } }
         thread q { x = 1; a[1] = 2; } exists p.r == 2;"
    ));
}

/// A store that the other thread overwrites.
#[test]
fn two_stores_to_a_cell_come_in_both_orders() {
    for value in [1, 2] {
        assert!(is_reached(&format!(
            "shared x; thread a {{ x = 1; }} thread b {{ x = 2; }} exists x == {value};"
        )));
    }
}

/// The kinds of properties that there are: those about waiting are searched without persistent sets.
#[test]
fn waiting_forever_is_found_all_the_same() {
    let program =
        read("shared x; thread a { x = 1; } thread b { while (x != 2) { } } forbid stuck;");
    let goals = program.goals();
    let stuck = |goal: &&Goal| matches!(**goal, Goal::Property(number) if program.properties()[number].kind == PropertyKind::Stuck);
    let goal = *goals.iter().find(stuck).expect("a property");
    let answers = search(&program, Model::Tso, &[goal], Reduction::ALL);
    assert_eq!(answers.verdicts[0].1.word(), "violated");
}
