//! Litmus tests as input and output: the same programs in two languages, the format of the results, and
//! the racing cores of random runs.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot start the program has failed"
)]

use crate::support::{buffers, config, process, random};
use config::config;
use fencepost::internals::check::{CheckOptions, check_goals};
use fencepost::internals::fences::{FenceOptions, cheapest_fences};
use fencepost::internals::formats::{
    ExpectationKind, Format, Parsed, parse, parse_as, render, rewrite_as,
};
use fencepost::internals::litmus::FinalStates;
use fencepost::internals::model::Model;
use fencepost::internals::reference::explore;
use fencepost::internals::report::{ShownRun, Source, core, litmus};
use fencepost::internals::robustness::{RobustOptions, has_attacks, robust};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{
    Aim, Change, Expr, Fence, Goal, LocId, Observable, Op, Origin, Program, Property, PropertyKind,
    Thread, ThreadId,
};
use process::{code, fencepost, stderr, stdout};
use proptest::prelude::*;
use random::{Shape, sketch};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The maximum number of states for deciding whether a random program is robust.
const STATES: usize = 200_000;

const MODELS: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];

fn read(text: &str) -> Parsed {
    let parsed = parse_as(Format::Litmus, text);
    assert!(
        parsed.program.is_some(),
        "{text}\n{}",
        render(&parsed.diagnostics, "test", text, false)
    );
    parsed
}

/// Whether some final configuration satisfies the predicate, by the bounded engine.
fn observed(program: &Program, predicate: &Expr<Observable>, model: Model) -> bool {
    let asking = program.with_property(Property {
        kind: PropertyKind::Exists,
        predicate: predicate.clone(),
        origin: Origin::default(),
    });
    let goal = Goal::Property(program.properties().len());
    let report = check_goals(
        &asking,
        &[goal],
        &CheckOptions::new(model),
        &Budget::default(),
    );
    let report = report.expect("no defect");
    matches!(report.observations()[0].verdict, Verdict::Violated(_))
}

/// Pairs of a litmus test and a `.fence` program with the same meaning.
fn twins() -> Vec<(&'static str, &'static str)> {
    vec![
        (
            "X86 SB { } P0 | P1 ; MOV [x],$1 | MOV [y],$1 ; MOV EAX,[y] | MOV EAX,[x] ;
             exists (0:EAX=0 /\\ 1:EAX=0)",
            "shared x, y; thread a { local r; x = 1; r = y; } thread b { local r; y = 1; r = x; }
             exists a.r == 0 && b.r == 0;",
        ),
        (
            "X86 unlocked { } P0 | P1 ; INC [x] | LOCK INC [x] ; exists (x=1)",
            "shared x; thread a { x = x + 1; } thread b { fetch_add(x, 1); } exists x == 1;",
        ),
        (
            "X86_64 spin { 0:rdi=x; } P0 | P1 ; movl $7,(y) | L: movl (x),%eax ; movl $1,(%rdi) | cmpl $0,%eax ;
             | je L ; | movl (y),%ebx ; exists (1:rbx=0)",
            "shared x, y; thread a { y = 7; x = 1; } thread b { local r; while (x == 0) { } r = y; }
             exists b.r == 0;",
        ),
        (
            "X86 below { } P0 ; MOV EAX,$-1 ; CMP EAX,$1 ; JB L ; MOV [x],$1 ; L: ; exists (x=1)",
            "shared x; thread a { x = 1; } exists x == 1;",
        ),
        (
            "C once { } P0 (int* x, int* y) { if (xchg(x, 1) == 0 && READ_ONCE(*y) == 0) { WRITE_ONCE(*y, 1); } }
             P1 (int* x, int* y) { int r0 = cmpxchg(x, 0, 2); while (r0 == 0) { *y += 2; r0 = 1; } }
             exists (y=3)",
            "shared x, y; thread a { if (xchg(x, 1) == 0 && y == 0) { y = 1; } }
             thread b { local r; r = cas(x, 0, 2); if (r == 0) { y = y + 2; } } exists y == 3;",
        ),
        (
            "C release { } P0 (int* x, int* y) { *x = 1; smp_store_release(y, 1); }
             P1 (int* x, int* y) { int r0 = smp_load_acquire(y); int r1 = *x; } exists (1:r0=1 /\\ 1:r1=0)",
            "shared x, y; thread a { x = 1; fence store; y = 1; }
             thread b { local r, s; r = y; s = x; } exists b.r == 1 && b.s == 0;",
        ),
    ]
}

#[test]
fn a_test_and_its_translation_get_the_same_answers() {
    for (test, twin) in twins() {
        let parsed = read(test);
        let other = parse(twin).program.expect("the twin has no errors");
        let (program, test) = (
            parsed.program.expect("read"),
            parsed.litmus.expect("a test"),
        );
        for model in MODELS {
            let mine = explore(&program, model, &Budget::default());
            let states = FinalStates::new(&test, &mine);
            let theirs = &other.properties()[0].predicate;
            let expected = observed(&other, theirs, model);
            assert_eq!(states.positive() > 0, expected, "{twin} {model}");
            assert_eq!(
                observed(&program, &test.positive(), model),
                expected,
                "{twin} {model}"
            );
            let answer = |program: &Program| {
                let options = RobustOptions::new(if model == Model::Sc {
                    Model::Tso
                } else {
                    model
                });
                let report = robust(program, &options, &Budget::default()).expect("no defect");
                report.verdict().word()
            };
            assert_eq!(answer(&program), answer(&other), "{twin} {model}");
        }
    }
}

#[test]
fn the_states_are_printed_in_the_format_that_scripts_parse() {
    let text = "X86 SB\n{ x=0; y=0; }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n \
                MOV EAX,[y] | MOV EBX,[x] ;\nlocations [y;]\n~exists (1:EBX=0 /\\ (0:EAX=0 \\/ x=7))\n";
    let parsed = read(text);
    let (program, test) = (parsed.program.unwrap(), parsed.litmus.unwrap());
    let found = explore(&program, Model::Tso, &Budget::default());
    let states = FinalStates::new(&test, &found);
    assert_eq!(
        litmus(&program, &test, &states, Model::Tso),
        "Test SB Forbidden\nStates 4\n\
         0:EAX=0; 1:EBX=0; [x]=1; [y]=1;\n0:EAX=0; 1:EBX=1; [x]=1; [y]=1;\n\
         0:EAX=1; 1:EBX=0; [x]=1; [y]=1;\n0:EAX=1; 1:EBX=1; [x]=1; [y]=1;\n\
         No\nWitnesses\nPositive: 1 Negative: 3\n\
         Condition ~exists (1:EBX=0 /\\ (0:EAX=0 \\/ [x]=7))\nObservation SB Sometimes 1 3\nModel TSO\n"
    );
}

#[test]
fn addresses_are_printed_by_name_and_filters_remove_states() {
    let text = "X86_64 P { uint64_t* p=x; uint64_t x=5; } P0 | P1 ; movq (p),%rax | movq $y,(p) ; \
                movq (%rax),%rbx | ; filter (0:rbx=5) forall (0:rax=x)";
    let parsed = read(text);
    let (program, test) = (parsed.program.unwrap(), parsed.litmus.unwrap());
    let found = explore(&program, Model::Tso, &Budget::default());
    let states = FinalStates::new(&test, &found);
    let printed = litmus(&program, &test, &states, Model::Tso);
    assert!(printed.contains("States 1\n0:rax=x;\nOk\n"), "{printed}");
}

/// A thread that counts through all numbers before it ends. Its condition holds only for the last one.
fn counting(condition: &str) -> String {
    format!("X86 E {{ }} P0 ; L: INC [x] ; MOV EAX,[x] ; CMP EAX,$-1 ; JNE L ; {condition}")
}

#[test]
fn exit_codes_follow_the_verdict_and_not_other_litmus_tools() {
    let test = |condition: &str| {
        format!("X86 T {{ }} P0 ; MOV [x],$1 ; MOV EAX,[x] ; {condition} (0:EAX=1)")
    };
    for (condition, expected) in [("exists", 0), ("~exists", 1), ("forall", 0)] {
        let run = fencepost(&["check", "-"], &test(condition));
        assert_eq!(code(&run), expected, "{condition}");
        assert!(stdout(&run).contains("Observation T Always 1 0\n"));
    }
    let endless = counting("exists (x=-1)");
    let run = fencepost(&["check", "-", "--timeout", "1"], &endless);
    assert_eq!(code(&run), 3);
    assert!(!stdout(&run).contains("Never"), "{}", stdout(&run));
    assert!(stderr(&run).contains("are incomplete"), "{}", stderr(&run));
    let c = "C c { } P0 (int *x, int *y) { *x = 1; int r = *y; } P1 (int *x, int *y) { *y = 1; int r = *x; }
             exists (0:r=0)";
    let fixed = fencepost(&["fence", "-", "--diff"], c);
    assert_eq!(code(&fixed), 0, "{}", stderr(&fixed));
    let fence = "*x = 1; atomic_thread_fence(memory_order_seq_cst); int r = *y;";
    assert!(stdout(&fixed).contains(fence), "{}", stdout(&fixed));
}

#[test]
fn the_states_are_values_in_json_even_if_incomplete() {
    let json = |arguments: &[&str], text: &str| -> (serde_json::Value, i32) {
        let run = fencepost(arguments, text);
        let object: serde_json::Value = serde_json::from_str(stdout(&run).trim()).unwrap();
        (object["litmus"].clone(), code(&run))
    };
    let (states, exit) = json(&["check", "-", "--json"], twins()[0].0);
    let state = |a: i32, b: i32| serde_json::json!({ "0:EAX": a, "1:EAX": b });
    let expected = serde_json::json!({
        "kind": "exists",
        "states": [state(0, 0), state(0, 1), state(1, 0), state(1, 1)],
        "holds": true,
        "positive": 1,
        "negative": 3,
        "observation": "Sometimes",
    });
    assert_eq!((states, exit), (expected, 0));

    let pointer = "X86 P { p=x; } P0 ; MOV EAX,[p] ; forall (0:EAX=x)";
    let (states, exit) = json(&["check", "-", "--json"], pointer);
    assert_eq!(
        states["states"],
        serde_json::json!([{ "0:EAX": "x" }]),
        "{states}"
    );
    assert_eq!((states["observation"].as_str(), exit), (Some("Always"), 0));

    let endless = counting("~exists (x=-1)");
    let arguments = ["check", "-", "--json", "--timeout", "1"];
    let (states, exit) = json(&arguments, &endless);
    assert_eq!((states["kind"].as_str(), exit), (Some("~exists"), 3));
    assert!(states["incomplete"].is_string(), "{states}");
    assert!(states["observation"].is_null(), "{states}");
    assert!(states["holds"].is_null(), "{states}");

    let (none, _) = json(&["check", "-", "--json"], twins()[0].1);
    assert!(none.is_null(), "{none}");
}

#[test]
fn the_core_of_an_attack_is_written_on_request() {
    let program = "shared x, y, s[2]; thread a { local r; loop { s[1] = 1; r = y; s[0] = r; if (r) { break; } } }
                   thread b { local r; y = 1; r = s[1]; }";
    let run = fencepost(&["robust", "-", "--litmus", "-", "--quiet"], program);
    let text = stdout(&run);
    let at = text.find("X86").expect(&text);
    let parsed = read(&text[at..]);
    assert_eq!(parsed.expectations.len(), 2);
    let barrier = "shared x, y; thread a { local r; x = 1; r = y; } thread b { local r; y = 1; barrier all; r = x; }";
    let refused = fencepost(&["robust", "-", "--litmus", "-"], barrier);
    assert_eq!(code(&refused), 0, "{}", stdout(&refused));
    assert!(stderr(&refused).contains("no run to show"));
}

#[test]
fn inserted_fences_are_rows_formatted_like_their_neighbours() {
    let sb = "X86 SB\r\n{ x=0; (* no y *) }\r\n P0          | P1          ;\r\n MOV [x],$1  | MOV [y],$1  ;\r
 MOV EAX,[y] | MOV EAX,[x] ; (* reads *)\r\nexists (0:EAX=0 /\\ 1:EAX=0)\r\n";
    let fixed = stdout(&fencepost(&["fence", "-", "--write", "-"], sb));
    let row = " MFENCE      | MFENCE      ;\r\n MOV EAX,[y] |";
    let expected = sb.replace(" MOV EAX,[y] |", row);
    assert!(fixed.ends_with(&expected), "{fixed}");

    let aside =
        "X86_64 A { } P0 | P1 ; movl $1,(x) | movl $1,(y) ; | movl $1,(z) ; movl (y),%eax | ;
                 | movl (x),%eax ; exists (0:rax=0 /\\ 1:rax=0)";
    let fixed = stdout(&fencepost(&["fence", "-", "--write", "-"], aside));
    let rows = "| mfence      ; | movl $1,(z) ; mfence        | ; movl (y),%eax | ;";
    assert!(fixed.contains(rows), "{fixed}");
}

#[test]
fn fences_that_have_no_row_are_rejected_with_a_reason() {
    let full = |thread: u32, loc: LocId| Change::Fence {
        thread: ThreadId::from(thread as usize),
        loc,
        fence: Fence::Full,
    };
    let text = "X86 T { } P0 ; INC [x] ; L: MOV EAX,[y] ; LOCK INC [x] ; exists (x=1)";
    let program = read(text).program.unwrap();
    let instructions = program.threads()[0].instructions();
    let (inside, labelled, end) = (instructions[0].to, instructions[1].to, instructions[3].to);
    let store = Change::Fence {
        thread: ThreadId::from(0),
        loc: program.threads()[0].entry(),
        fence: Fence::Store,
    };
    for (change, why) in [
        (full(0, inside), "inside an instruction"),
        (full(0, labelled), "there is a label before"),
        (full(0, end), "no instruction follows"),
        (store, "only full fences"),
    ] {
        let refused = rewrite_as(Format::Litmus, text, &program, &[change]).unwrap_err();
        assert!(refused.to_string().contains(why), "{refused}");
    }
    let other = read(twins()[0].0).program.unwrap();
    let entry = full(0, other.threads()[0].entry());
    let refused = rewrite_as(Format::Litmus, text, &other, &[entry]).unwrap_err();
    assert!(
        refused.to_string().contains("does not match the program"),
        "{refused}"
    );
}

/// The fences that make a test robust can be inserted into its text, leave the rest of the text
/// unchanged, and do make it robust.
#[test]
fn the_fences_of_the_litmus_corpus_are_written() {
    let mut written = 0;
    let folders = ["x86", "x86_64", "mixed"];
    for (path, text) in folders.into_iter().flat_map(corpus) {
        let program = read(&text).program.unwrap();
        let budget = Budget::default().with_states(STATES);
        let options = FenceOptions::new(Model::Tso, Aim::Robustness);
        let report = cheapest_fences(&program, &options, &budget).unwrap();
        let changes = report.changes(&program).expect("fences always help");
        let fixed = rewrite_as(Format::Litmus, &text, &program, &changes).unwrap();
        let mut lines = fixed.lines();
        assert!(
            text.lines().all(|line| lines.any(|other| other == line)),
            "{fixed}"
        );
        let fenced = read(&fixed).program.unwrap();
        let report = robust(&fenced, &RobustOptions::new(Model::Tso), &budget).unwrap();
        assert!(
            matches!(report.verdict(), Verdict::Holds),
            "{path:?}: {fixed}"
        );
        written += usize::from(!changes.is_empty());
    }
    assert!(written >= 30, "{written}");
}

/// The expectations of the corpus, and all final states, agree with a simulation that shares no code
/// with the engines.
#[test]
fn expectations_of_straight_line_tests_agree_with_the_simulation() {
    let mut compared = 0;
    for folder in ["x86", "x86_64", "mixed", "c"] {
        for (path, text) in corpus(folder) {
            let parsed = read(&text);
            let (program, test) = parsed.program.zip(parsed.litmus).unwrap();
            if !buffers::is_straight(&program) {
                continue;
            }
            for model in MODELS {
                let ends = buffers::ends(&program, model);
                for expectation in &parsed.expectations {
                    let ExpectationKind::Observed(of, e, expected) = &expectation.kind else {
                        continue;
                    };
                    if *of == model {
                        let found = ends.iter().any(|end| e.eval(|o| end.value(o)) != 0);
                        assert_eq!(found, *expected, "{path:?} under {model}");
                        compared += 1;
                    }
                }
                let explored = explore(&program, model, &Budget::default());
                let states = FinalStates::new(&test, &explored);
                let counted = |end: &&buffers::World| {
                    let filter = test.filter.as_ref();
                    filter.is_none_or(|filter| filter.eval(|o| end.value(o)) != 0)
                };
                let shown = |end: &buffers::World| -> Vec<i32> {
                    let shown = test.shown.iter();
                    shown.map(|shown| end.value(shown.observable)).collect()
                };
                let found: BTreeSet<Vec<i32>> = ends.iter().filter(counted).map(shown).collect();
                let states: BTreeSet<Vec<i32>> = states.values().map(<[i32]>::to_vec).collect();
                assert_eq!(found, states, "{path:?} under {model}");
            }
        }
    }
    assert!(compared >= 600, "{compared}");
}

/// The texts of the litmus tests in a folder, ordered by file name.
fn corpus(folder: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/litmus");
    let files = std::fs::read_dir(root.join(folder)).unwrap();
    let mut texts: Vec<(PathBuf, String)> = files
        .map(|file| file.unwrap().path())
        .map(|path| (path.clone(), std::fs::read_to_string(path).unwrap()))
        .collect();
    texts.sort();
    texts
}

/// No theorem covers attacks on programs with `barrier all`. If loops do not terminate, deciding
/// robustness by definition does not either.
fn has_barrier(program: &Program) -> bool {
    let mut instructions = program.threads().iter().flat_map(Thread::instructions);
    instructions.any(|i| i.op == Op::Fence(Fence::All))
}

/// Checks the core of the run that witnesses an attack.
fn check_core(program: &Program, model: Model) -> Result<bool, TestCaseError> {
    let options = RobustOptions::new(model);
    let budget = Budget::default().with_states(STATES);
    let report = robust(program, &options, &budget)
        .map_err(|defect| TestCaseError::fail(defect.to_string()))?;
    let verdict = report.verdict();
    let Verdict::Violated(run) = verdict else {
        return Ok(false);
    };
    let source = Source::of(program);
    let Ok(text) = core(&ShownRun::new(source, run)) else {
        return Ok(false);
    };
    let parsed = parse_as(Format::Litmus, &text);
    let shown = render(&parsed.diagnostics, "core", &text, false);
    let read = parsed.program.zip(parsed.litmus);
    prop_assert!(read.is_some(), "{}\n{}", text, shown);
    let (exported, test) = read.expect("just seen");
    let condition = test.positive();
    prop_assert!(
        observed(&exported, &condition, model),
        "{}\nnot under {}",
        text,
        model
    );
    prop_assert!(
        !observed(&exported, &condition, Model::Sc),
        "{}\nunder SC",
        text
    );
    Ok(true)
}

#[test]
fn the_cores_of_the_litmus_corpus_are_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/litmus");
    let mut written = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_none_or(|extension| extension != "fence")
        {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let program = parse(&text).program.expect("a file of the corpus");
        for model in [Model::Tso, Model::Pso] {
            let kept = check_core(&program, model).unwrap_or_else(|e| panic!("{path:?}: {e}"));
            written += usize::from(kept);
        }
    }
    assert!(written >= 60, "{written}");
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn the_core_of_an_attack_has_an_outcome_that_is_impossible_under_sc(sketch in sketch(Shape::COUNTING)) {
        let program = sketch.build();
        prop_assume!(!has_barrier(&program));
        for model in [Model::Tso, Model::Pso] {
            if !has_attacks(&program, model) {
                continue;
            }
            check_core(&program, model)?;
        }
    }
}

/// A thread that stores in an endless loop, so the list of states is never complete; `y` is never 2.
fn spinning(condition: &str) -> String {
    format!("X86 Spin {{ }} P0 | P1 ; L: INC [x] | MOV [y],$1 ; JMP L | ; {condition}")
}

#[test]
fn a_proved_condition_needs_no_list_of_states() {
    for (condition, verdict, observation) in [
        ("~exists (1:EAX=2)", "Ok", "Observation Spin Never 0 0\n"),
        ("exists (1:EAX=2)", "No", "Observation Spin Never 0 0\n"),
        ("forall (1:EAX=0)", "Ok", "Incomplete:"),
    ] {
        let run = fencepost(&["check", "-"], &spinning(condition));
        let printed = stdout(&run);
        assert!(
            printed.contains(&format!("\n{verdict}\n")),
            "{condition}\n{printed}"
        );
        assert!(printed.contains(observation), "{condition}\n{printed}");
        assert!(
            printed.contains("Incomplete: there may be more"),
            "{printed}"
        );
        assert_eq!(code(&run), 0, "{condition}\n{printed}");
        assert!(stderr(&run).contains("are incomplete"));
    }
    let json = fencepost(&["check", "-", "--json"], &spinning("~exists (1:EAX=2)"));
    let object: serde_json::Value = serde_json::from_str(stdout(&json).trim()).unwrap();
    assert_eq!(object["verdict"].as_str(), Some("holds"));
    assert_eq!(object["litmus"]["holds"].as_bool(), Some(true));
    assert_eq!(object["litmus"]["observation"].as_str(), Some("Never"));
    assert_eq!(code(&json), 0);
}

#[test]
fn a_test_without_final_states_is_reported_as_vacuous() {
    let stuck = "X86 Stuck { } P0 ; L: MOV EAX,[x] ; CMP EAX,$0 ; JE L ; ~exists (x=1)";
    let run = fencepost(&["check", "-"], stuck);
    assert_eq!(code(&run), 0, "{}", stdout(&run));
    assert!(stdout(&run).contains("States 0\n"), "{}", stdout(&run));
    let warning = "no execution of `Stuck` terminates under TSO, so its condition is vacuous";
    assert!(stderr(&run).contains(warning), "{}", stderr(&run));
    let filtered = "X86 None { } P0 ; MOV [x],$1 ; filter (x=2) ~exists (x=1)";
    let run = fencepost(&["check", "-"], filtered);
    assert!(
        stderr(&run).contains("passes its filter"),
        "{}",
        stderr(&run)
    );
    let usual = fencepost(&["check", "-"], twins()[0].0);
    assert_eq!(stderr(&usual), "");
}

#[test]
fn quiet_output_names_the_model_if_there_are_several() {
    let printed = |models| {
        stdout(&fencepost(
            &["check", "-q", "--model", models, "-"],
            twins()[0].0,
        ))
    };
    assert_eq!(
        printed("sc,tso"),
        "Observation SB Never 0 3\nModel SC\nObservation SB Sometimes 1 3\nModel TSO\n"
    );
    assert_eq!(printed("tso"), "Observation SB Sometimes 1 3\n");
}

#[test]
fn an_observation_is_not_a_property_for_fences_to_preserve() {
    let run = fencepost(&["fence", "--for", "assertions", "-"], twins()[0].0);
    assert_eq!(code(&run), 0);
    assert!(
        stdout(&run).starts_with("There is no property to keep: an `exists` is only observed."),
        "{}",
        stdout(&run)
    );
    let json = fencepost(
        &["fence", "--for", "assertions", "--json", "-"],
        twins()[0].0,
    );
    let object: serde_json::Value = serde_json::from_str(stdout(&json).trim()).unwrap();
    let reason = object["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("no property to keep"), "{object}");
    let negated = twins()[0].0.replace("exists", "~exists");
    let run = fencepost(&["fence", "--for", "assertions", "-"], &negated);
    assert!(
        stdout(&run).starts_with("2 fences make"),
        "{}",
        stdout(&run)
    );
}

#[test]
fn rows_are_inserted_before_the_comments_that_precede_a_row() {
    let sb = "X86 SB\n{ }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n \
              (* mid | *) MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n";
    let fixed = stdout(&fencepost(&["fence", "-", "--write", "-"], sb));
    let row = "\n MFENCE      | MFENCE      ;\n (* mid | *) MOV EAX,[y] | MOV EAX,[x] ;\n";
    assert!(fixed.contains(row), "{fixed}");
}

#[test]
fn a_core_has_numbers_in_place_of_addresses() {
    let test = "X86_64 Pointers { int a=0; int b=0; int z=0; uint64_t p=a; 0:rdi=b; }
         P0 | P1 ; movq %rdi,(p) | movl $1,(z) ; movl (z),%eax | movq (p),%rbx ; | movl (%rbx),%ecx ;
         ~exists (0:rax=0 /\\ 1:rbx=a)";
    let run = fencepost(&["check", "-", "--litmus", "-", "-q"], test);
    let text = stdout(&run);
    let at = text.find("X86").expect(&text);
    let core = &text[at..];
    assert!(
        core.contains("MOV [p],$1") && core.contains("p=0;"),
        "{core}"
    );
    let again = fencepost(&["check", "-", "-q"], core);
    assert!(stdout(&again).contains("Sometimes"), "{core}");
}

/// Store buffering with an operation between the store and the load of the first thread. Returns whether
/// the relaxed outcome is observed with `--compiler any` and with `--compiler gcc`.
fn buffered_past(operation: &str, after: &str) -> [bool; 2] {
    let text = format!(
        "C t {{ z=0; }}
         P0 (atomic_int* x, atomic_int* y, atomic_int* z) {{
           atomic_store_explicit(x, 1, memory_order_relaxed);
           {operation}
           int r0 = atomic_load_explicit(y, memory_order_relaxed); {after} }}
         P1 (atomic_int* x, atomic_int* y) {{
           atomic_store_explicit(y, 1, memory_order_relaxed);
           atomic_thread_fence(memory_order_seq_cst);
           int r0 = atomic_load_explicit(x, memory_order_relaxed); }}
         exists (0:r0=0 /\\ 1:r0=0)"
    );
    ["any", "gcc"].map(|compiler| {
        let run = fencepost(&["check", "--compiler", compiler, "-"], &text);
        assert_eq!(code(&run), 0, "{text}\n{}", stderr(&run));
        stdout(&run).contains("Sometimes")
    })
}

#[test]
fn an_operation_is_not_a_fence_if_some_compiler_omits_it() {
    // In gcc's code each of these is a locked instruction, so the relaxed outcome is impossible.
    for (operation, after, relaxed) in [
        // Identities whose result is unused: removed, if weaker than seq_cst.
        (
            "atomic_fetch_add_explicit(z, 0, memory_order_acq_rel);",
            "",
            true,
        ),
        (
            "atomic_fetch_sub_explicit(z, 0, memory_order_release);",
            "",
            true,
        ),
        (
            "atomic_fetch_xor_explicit(z, 0, memory_order_relaxed);",
            "",
            true,
        ),
        (
            "atomic_fetch_and_explicit(z, -1, memory_order_acquire);",
            "",
            true,
        ),
        (
            "atomic_fetch_or_explicit(z, 0, memory_order_seq_cst);",
            "",
            false,
        ),
        ("atomic_fetch_add(z, 0);", "", false),
        (
            "atomic_fetch_add_explicit(z, 1, memory_order_relaxed);",
            "",
            false,
        ),
        // Identities whose result is used: a load, unless it also releases.
        (
            "int r = atomic_fetch_add_explicit(z, 0, memory_order_acquire);",
            "*z = r;",
            true,
        ),
        (
            "int r = atomic_fetch_add_explicit(z, 0, memory_order_acq_rel);",
            "*z = r;",
            false,
        ),
        // A use that compilers fold away does not count.
        (
            "int r = atomic_fetch_add_explicit(z, 0, memory_order_acq_rel);",
            "*z = r ^ r;",
            true,
        ),
        (
            "int r = atomic_fetch_add_explicit(z, 0, memory_order_acq_rel);",
            "if (r) { }",
            true,
        ),
        (
            "int r = atomic_fetch_add_explicit(z, 0, memory_order_acq_rel); r = 2;",
            "*z = r;",
            true,
        ),
        (
            "int r = atomic_fetch_add_explicit(z, 0, memory_order_acq_rel); int s = r + 1;",
            "",
            true,
        ),
        (
            "int r = atomic_fetch_add_explicit(z, 0, memory_order_acq_rel);",
            "if (r) { *z = 3; }",
            false,
        ),
        // Exchanges and operations that store a constant: a store, if the result is unused and the
        // operation does not acquire.
        (
            "atomic_exchange_explicit(z, 1, memory_order_relaxed);",
            "",
            true,
        ),
        (
            "atomic_exchange_explicit(z, 1, memory_order_release);",
            "",
            true,
        ),
        (
            "atomic_exchange_explicit(z, 1, memory_order_acq_rel);",
            "",
            false,
        ),
        (
            "atomic_fetch_and_explicit(z, 0, memory_order_release);",
            "",
            true,
        ),
        (
            "atomic_fetch_or_explicit(z, -1, memory_order_relaxed);",
            "",
            true,
        ),
        (
            "int r = atomic_exchange_explicit(z, 1, memory_order_relaxed);",
            "*z = r;",
            false,
        ),
        // An operand that a compiler may know to be constant, and one that it cannot.
        (
            "int n = 0; atomic_fetch_add_explicit(z, n, memory_order_acq_rel);",
            "",
            true,
        ),
        (
            "int n = 1; atomic_fetch_add_explicit(z, n, memory_order_acq_rel);",
            "",
            false,
        ),
        (
            "int n = *z; atomic_fetch_add_explicit(z, n, memory_order_acq_rel);",
            "",
            false,
        ),
        // The kernel's operations are inline assembly.
        ("xchg_relaxed(z, 1);", "", false),
        ("atomic_add(0, z);", "", false),
    ] {
        let found = buffered_past(operation, after);
        assert_eq!(found, [relaxed, false], "{operation} {after}");
    }
}

#[test]
fn operations_that_some_compilers_weaken_are_reported() {
    let text =
        "C t { } P0 (atomic_int* x) { atomic_fetch_add_explicit(x, 0, memory_order_relaxed); }
                exists (x=0)";
    let run = fencepost(&["check", "-"], text);
    let note = "Note: `--compiler gcc` treats it as a locked instruction";
    assert!(stderr(&run).contains(note), "{}", stderr(&run));
    let run = fencepost(&["check", "--compiler", "gcc", "-"], text);
    assert_eq!(stderr(&run), "");
}

#[test]
fn annotations_of_test_collections_are_accepted() {
    let test = |name: &str, tail: &str| {
        format!(
            "X86 {name}\n{{ }}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n\
             exists (0:EAX=0 /\\ 1:EAX=0)\n{tail}\n"
        )
    };
    for (name, tail) in [
        ("SB", ""),
        ("SB (SB)", ""),
        ("SB (the one of table 2)", ""),
        ("SB", "with tso: exists"),
        ("SB", "with tso: ~exists;"),
        ("SB (SB)", "; with\n tso: exists\n cc: ~exists"),
        (
            "SB",
            "with x86-tso: exists, sc: ~exists (0:EAX=0), c11-2: forall",
        ),
        ("SB", "with tso: not exists; sc: forall;"),
    ] {
        let text = test(name, tail);
        let run = fencepost(&["check", "-"], &text);
        assert_eq!(code(&run), 0, "{text}\n{}", stderr(&run));
        let found = stdout(&run);
        assert!(found.contains("Observation SB Sometimes 1 3"), "{found}");
        let warned = stderr(&run).contains("expectations for single memory models are ignored");
        assert_eq!(warned, !tail.is_empty(), "{text}");
    }
    for (name, tail, message) in [
        ("SB SB", "", "unexpected `SB` after the name of the test"),
        ("SB (SB", "", "unexpected `(SB` after the name of the test"),
        (
            "SB (a) (b)",
            "",
            "unexpected `(a)` after the name of the test",
        ),
        ("SB", "with", "expected a model"),
        ("SB", "with tso", "expected `:`"),
        ("SB", "with tso: maybe", "expected a condition"),
        ("SB", "with tso: exists (0:EAX=", "expected"),
        ("SB", "without tso: exists", "expected the end of the test"),
    ] {
        let run = fencepost(&["check", "-"], &test(name, tail));
        assert_eq!(code(&run), 2);
        assert!(stderr(&run).contains(message), "{}", stderr(&run));
    }
}
