//! What techniques save: searches that would visit far more configurations without one of them, or be left open.
//!
//! That they change no answer is the law of `techniques`.

use fencepost::internals::check::{CheckOptions, Engine, Until, check};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{RobustOptions, RobustReport, robust};
use fencepost::internals::search::{Answers, check_all_with};
use fencepost::internals::techniques::Techniques;
use fencepost::internals::verdict::{Budget, Decided, Reason, Verdict};
use fencepost::program::Program;
use std::fmt::Write as _;

fn read(text: &str) -> Program {
    let parsed = parse(text);
    parsed
        .program
        .unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics))
}

fn without(techniques: Techniques, name: &str) -> Techniques {
    techniques.without(name).expect("there is one")
}

/// How many configurations a search with these techniques visits that finds that all goals hold.
fn states(program: &Program, model: Model, techniques: Techniques) -> usize {
    let (goals, budget) = (program.goals(), Budget::default());
    let answers = check_all_with(program, model, &goals, techniques.reduction, &budget);
    assert!(answers.verdicts.iter().all(|v| v.1 == Verdict::Holds));
    answers.states
}

/// The answers to all goals within so many configurations.
fn words(program: &Program, options: CheckOptions, states: usize) -> Vec<&'static str> {
    let options = options.until(Until::AllAnswered);
    let budget = Budget::default().with_states(states);
    let report = check(program, &options, &budget).expect("no defect");
    let answers = report.answers().iter();
    answers.map(|answer| answer.verdict.word()).collect()
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

/// Who waits in the queue, and has told its predecessor so or not, multiplies where only footprints count.
#[test]
fn who_waits_for_a_lock_keeps_no_other_thread_from_going_first() {
    let program = queue_lock(6);
    let states = |techniques| states(&program, Model::Tso, techniques);
    let eager = |after| without(Techniques::eager(after), "directed");
    let never = states(without(eager(0), "lookahead"));
    let at_once = states(eager(0));
    assert!(3 * at_once < never, "{at_once} {never}");
    // The trial is over before half of the configurations are visited, and is found to be worth it.
    let later = states(eager(20));
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
    let all = without(Techniques::eager(0), "directed");
    for model in [Model::Sc, Model::Tso] {
        let states = |places, techniques| states(&ring(places), model, techniques);
        let (few, many) = (states(4, all), states(16, all));
        assert!(many < 6 * few, "{model}: {few}, {many}");
        assert!(
            states(4, without(all, "lookahead")) > 2 * few,
            "{model}: {few}"
        );
    }
}

/// Two private loops of 512 rounds: each thread goes through its own once.
#[test]
fn private_loops_are_not_interleaved() {
    let thread = |name: &str, mine: &str, other: &str| {
        format!(
            "thread {name} {{ local i, r; {mine} = 1; while (i < 512) {{ i = i + 1; }}
              fence; r = {other}; }}\n"
        )
    };
    let text = format!(
        "shared x, y;\n{}{}final assert a.r == 1 || b.r == 1;",
        thread("a", "x", "y"),
        thread("b", "y", "x")
    );
    let program = read(&text);
    // A directed search visits some of them twice.
    let techniques = without(Techniques::default(), "directed");
    for model in Model::ALL {
        let states = states(&program, model, techniques);
        assert!(states < 10 * 512, "{states}");
    }
}

/// Only the numbers of the rounds multiply the configurations.
#[test]
fn a_counter_that_nothing_depends_on_is_left_out() {
    let locks = |body: &str| {
        read(&format!(
            "shared lock, full;
            thread w[2] {{
                local r, i;
                loop {{
                    do {{ r = cas(lock, 0, 1); }} while (r != 0);
                  critical: {body} lock = 0;
                }}
            }}
            forbid w.0@critical && w.1@critical;"
        ))
    };
    let plain = locks("skip;");
    let counted =
        locks("i = (i + 1) % 8; if (i == 0) { full = 1; } else { if (i > 3) { full = 0; } }");
    let states = |program: &Program, slices: bool| {
        let all = Techniques::eager(0);
        let options = CheckOptions::new(Model::Sc)
            .engine(Engine::Explicit)
            .techniques(if slices { all } else { without(all, "slice") });
        let report = check(program, &options, &Budget::default()).expect("no defect");
        report.stats().states.expect("the engine counts them")
    };
    assert!(states(&counted, false) > 8 * states(&plain, false));
    assert!(states(&counted, true) < 2 * states(&plain, true));
}

/// Of 24 threads, the last one to arrive opens the barrier, or the last but one: 3^24 combinations of threads that have
/// not arrived, wait, or have gone on, if all assertions are decided together, or attacks in a search of the derived
/// programs.
fn barrier(count: i32) -> Program {
    let thread = |me: i32| {
        format!(
            "thread t{me} {{ local r; x[{me}] = 1;
            if (fetch_add(count, 1) == {count}) {{ go = 1; }} else {{ while (go == 0) {{ }} }}
            r = x[{}]; assert(r == 1); }}",
            (me + 1) % 24
        )
    };
    let threads: String = (0..24).map(thread).collect();
    read(&format!("shared count, go, x[24]; {threads}"))
}

#[test]
fn threads_behind_a_barrier_are_asked_one_by_one() {
    for (count, word) in [(23, "holds"), (22, "violated")] {
        let program = barrier(count);
        for model in [Model::Sc, Model::Tso, Model::Pso] {
            let options = CheckOptions::new(model).engine(Engine::Explicit);
            assert_eq!(words(&program, options, 20_000), [word; 24]);
        }
    }
}

#[test]
fn a_barrier_is_robust() {
    let options = RobustOptions::new(Model::Tso).engine(Engine::Explicit);
    let budget = Budget::default().with_states(20_000);
    let report = robust(&barrier(23), &options, &budget).expect("no defect");
    assert_eq!(report.verdict(), Verdict::Holds);
}

/// Sixty readers, each with a number of its own, so that they are not alike. A search of all at once has far
/// more than 2^60 configurations.
#[test]
fn readers_are_asked_one_by_one() {
    let reader = |number| {
        format!(
            "thread r{number} {{ local f, d; f = flag; d = data; if (d == 2) {{ d = {number}; }} \
             assert(f == 0 || d == 1); }}"
        )
    };
    let readers = (0..60).map(reader).collect::<Vec<_>>().join("\n");
    for (writer, word) in [
        ("data = 1; flag = 1;", "holds"),
        ("flag = 1; data = 1;", "violated"),
    ] {
        let program = read(&format!(
            "shared data, flag; thread w {{ {writer} }}\n{readers}"
        ));
        let options = CheckOptions::new(Model::Tso);
        assert_eq!(words(&program, options, 20_000), [word; 60]);
    }
}

/// Lamport's fast mutex (TOCS 5, 1987) for so many threads, each of which enters once; with a fence after each
/// store or without.
fn fast_mutex(threads: usize, fence: &str) -> Program {
    let mut text = format!("shared b[{threads}], x, y;\n");
    for me in 0..threads {
        let id = me + 1;
        let mut waits = String::new();
        for other in (0..threads).filter(|&other| other != me) {
            let _ = write!(waits, "while (b[{other}] == 1) {{ }} ");
        }
        let _ = writeln!(
            text,
            "thread t{id} {{
             start:
                 b[{me}] = 1; {fence} x = {id}; {fence}
                 if (y != 0) {{ b[{me}] = 0; {fence} while (y != 0) {{ }} goto start; }}
                 y = {id}; {fence}
                 if (x != {id}) {{
                     b[{me}] = 0; {fence}
                     {waits}
                     if (y != {id}) {{ while (y != 0) {{ }} goto start; }}
                 }}
             critical:
                 y = 0; {fence} b[{me}] = 0;
             }}"
        );
    }
    text.push_str("forbid t1@critical && t2@critical;");
    parse(&text).program.expect("it parses")
}

/// The program's answers by a directed search that begins after so many configurations, or by none.
fn directed(program: &Program, after: Option<u32>) -> Answers {
    // The last one would leave out what no goal can be reached from, which is then not known to be executed.
    let others = ["lookahead", "hopeless"].into_iter();
    let eager = others.fold(Techniques::eager(after.unwrap_or(0)), without);
    let techniques = match after {
        None => without(eager, "directed"),
        Some(_) => eager,
    };
    let (goals, budget) = (program.goals(), Budget::default());
    check_all_with(program, Model::Tso, &goals, techniques.reduction, &budget)
}

/// Two threads get into the critical section while the others do nothing: breadth-first search visits all that
/// they may do in as many steps.
#[test]
fn a_violation_that_few_threads_make_is_found_soon() {
    let program = fast_mutex(6, "");
    let never = directed(&program, None);
    let early = directed(&program, Some(100));
    let states = (early.states, never.states);
    assert!(10 * states.0 < states.1, "{states:?}");
    assert!(early.verdicts.iter().all(|v| v.1.word() == "violated"));
}

/// A directed search that finds nothing costs what it has stored, and no more: the one before it goes on, and
/// does not begin again.
#[test]
fn a_search_goes_on_where_a_directed_one_has_found_nothing() {
    let program = fast_mutex(3, "fence;");
    let never = directed(&program, None);
    assert!(never.complete, "all of it is visited");
    assert!(never.verdicts.iter().all(|v| v.1 == Verdict::Holds));
    // The second one begins after twenty times as many, and may store five times as many; each may go on for the
    // last of its configurations.
    for (after, stored) in [(never.states / 2, never.states / 2), (60, 6 * 60)] {
        let early = directed(&program, Some(after as u32));
        assert!(early.complete);
        assert_eq!(early.verdicts, never.verdicts);
        assert_eq!(early.executed, never.executed);
        let more = early.states - never.states;
        assert!(
            (stored..stored + 20).contains(&more),
            "{more}, not {stored}"
        );
    }
}

/// From the beginning on, it is a search of its own: what it has visited without finding anything is everything.
#[test]
fn a_directed_search_that_does_not_end_visits_everything() {
    let program = fast_mutex(3, "fence;");
    let only = |name: &str| {
        let others = Techniques::names().filter(|other| *other != name);
        let only = others.fold(Techniques::eager(0), without);
        let (goals, budget) = (program.goals(), Budget::default());
        check_all_with(&program, Model::Tso, &goals, only.reduction, &budget)
    };
    let [never, always] = ["", "directed"].map(only);
    assert_eq!(never.verdicts, always.verdicts);
    assert_eq!(never.executed, always.executed);
    assert!(always.complete);
    // The first configuration is stored in both passes.
    assert_eq!(never.states + 1, always.states);
}

fn attacked(program: &Program, options: &RobustOptions) -> RobustReport {
    robust(program, options, &Budget::default()).expect("no defect")
}

/// With three threads all attacks are decided at once, so that no option changes the list; one feasible attack
/// among those of four is found long before the last one is decided.
#[test]
fn what_takes_long_is_left_undecided_where_an_attack_is_feasible() {
    let listed = |report: &RobustReport| report.feasible().map(|(attack, _)| attack).collect();
    let options = RobustOptions::new(Model::Tso);
    let three = fast_mutex(3, "");
    let quick = attacked(&three, &options);
    assert!(quick.is_complete());
    let explicit = attacked(&three, &options.clone().engine(Engine::Explicit));
    let every = attacked(&three, &options.clone().every(true));
    let quick: Vec<_> = listed(&quick);
    assert!(!quick.is_empty());
    assert_eq!(quick, listed(&explicit));
    assert_eq!(quick, listed(&every));

    let four = attacked(&fast_mutex(4, ""), &options);
    assert_eq!(four.verdict().word(), "violated");
    assert!(!four.is_complete());
    let reason = Verdict::Unknown(Reason::Decided(Decided::ByAttackSooner));
    let mut undecided = 0;
    for answer in four.answers() {
        if matches!(answer.verdict, Verdict::Unknown(_)) {
            assert_eq!(answer.verdict, reason);
            undecided += 1;
        }
    }
    assert!(undecided > 0);
    let first = attacked(&fast_mutex(4, ""), &options.until(Until::Violated));
    assert_eq!(first.feasible().count(), 1);
}
