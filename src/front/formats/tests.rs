//! What programs in the Fencepost language mean, which errors are reported, and that no text breaks
//! the parser.

mod fenced;
mod foreign;
pub(crate) mod fuzz;
mod litmus;
pub(crate) mod mutate;
mod reject;
mod round_trip;

use super::*;
use crate::program::{Aim, Copies, Expr, FencePlace, LocId, Op, Thread, ThreadId, print};

const PETERSON: &str = "\
//: about        Peterson's mutual exclusion, entered once by each side
//: check sc     holds
//: check tso    violated
//: robust tso   no
//: fence tso robustness   2
program peterson;

shared flag0 = 0, flag1 = 0, turn;      // cells; initial value 0 unless given
shared slot[4] = 0;                     // an array
const N = 4;

thread t0 {
    local seen = 0;
    flag0 = 1;
    turn = 1;
    while (flag1 == 1 && turn == 1) { }
  critical:
    seen = turn;
    flag0 = 0;
}
thread t1 { flag1 = 1; turn = 0; while (flag0 == 1 && turn == 0) { } critical: flag1 = 0; }

forbid t0@critical && t1@critical;
";

fn program(text: &str) -> Program {
    let parsed = parse(text);
    let shown = render(&parsed.diagnostics, "test.fence", text, false);
    parsed.program.expect(&shown)
}

/// The instructions of the first thread, as the printer writes them.
fn drawn(text: &str) -> String {
    let printed = print(&program(text));
    let start = printed.find("begin\n").expect("there is a thread") + 6;
    let end = printed.find("end\n").expect("which ends");
    printed[start..end]
        .lines()
        .flat_map(|line| [line.trim(), "\n"])
        .collect()
}

#[test]
fn the_example_of_the_language_reference_is_parsed() {
    let parsed = parse(PETERSON);
    assert_eq!(render(&parsed.diagnostics, "p", PETERSON, false), "");
    assert_eq!(parsed.expectations.len(), 5);
    let program = parsed.program.expect("no error, so there is a program");
    assert_eq!(program.threads().len(), 2);
    assert_eq!(program.cell_count(), 7);
    let t0 = program.thread(ThreadId(0));
    assert_eq!(t0.instructions()[0].origin.line, 14);
    assert!(
        t0.locations()
            .iter()
            .any(|l| l.name == "critical" && l.labelled)
    );
}

#[test]
fn a_loop_is_two_assumes_a_condition_and_loads_only_what_it_needs() {
    assert_eq!(
        drawn("shared f, t; thread a { while (f == 1 && t == 1) { } f = 0; }"),
        "q0: $f <- mem[f]; goto q1;\n\
         q1: assume $f == 1; goto q2;\n\
         q1: assume !($f == 1); goto q3;\n\
         q2: $t <- mem[t]; goto q4;\n\
         q4: assume $t == 1; goto q0;\n\
         q4: assume !($t == 1); goto q3;\n\
         q3: mem[f] <- 0; goto q5;\n"
    );
}

#[test]
fn constant_conditions_leave_no_dead_branch() {
    assert_eq!(
        drawn("shared x; thread a { while (1) { x = 1; if (x == 2) { break; } } x = 3; }"),
        "q0: mem[x] <- 1; goto q1;\n\
         q1: $x <- mem[x]; goto q2;\n\
         q2: assume $x == 2; goto q3;\n\
         q2: assume !($x == 2); goto q0;\n\
         q3: mem[x] <- 3; goto q4;\n"
    );
    // An endless loop is not an end.
    assert_eq!(
        drawn("shared x; thread a { loop { } }"),
        "q0: noop; goto q0;\n"
    );
    assert_eq!(
        drawn("shared x; thread a { l: goto l; }"),
        "l: noop; goto l;\n"
    );
}

#[test]
fn choices_branch_without_steps_unless_a_branch_is_a_loop() {
    assert_eq!(
        drawn("shared x; thread a { choose { x = 1; } or { x = 2; } or { } x = 3; }"),
        "q0: mem[x] <- 1; goto q1;\n\
         q0: mem[x] <- 2; goto q1;\n\
         q0: noop; goto q1;\n\
         q1: mem[x] <- 3; goto q2;\n"
    );
    assert_eq!(
        drawn(
            "shared x; thread a { choose { do { x = 1; } while (nondet(0, 1)); } or { x = 2; } }"
        ),
        "q0: noop; goto q1;\n\
         q1: mem[x] <- 1; goto q2;\n\
         q2: $nondet <- nondet(0, 1); goto q3;\n\
         q3: assume $nondet; goto q1;\n\
         q3: assume !$nondet; goto q4;\n\
         q0: mem[x] <- 2; goto q4;\n"
    );
}

#[test]
fn a_label_holds_nowhere_but_at_its_own_location() {
    // Continuing after a labelled location is a step: the label must not hold after it.
    assert_eq!(
        drawn("shared x; thread a { if (x) { x = 1; inside: } after: x = 2; }"),
        "q0: $x <- mem[x]; goto q1;\n\
         q1: assume $x; goto q2;\n\
         q1: assume !$x; goto after;\n\
         q2: mem[x] <- 1; goto inside;\n\
         inside: noop; goto after;\n\
         after: mem[x] <- 2; goto q5;\n"
    );
    let program = program(
        "shared x; thread a { x = 1; end: } thread b { l: m: x = 2; } forbid a@end && b@m;",
    );
    let a = program.thread(ThreadId(0));
    assert!(a.is_end(LocId(1)) && a.location(LocId(1)).name == "end");
}

#[test]
fn locked_instructions_work_on_places_however_they_are_written() {
    assert_eq!(
        drawn(
            "shared x, s[3]; thread a { local r, p = &x; r = cas(x, 0, 1); cas(&x, r, 2); \
             r = xchg(*p, 1) + fetch_add(s[r], 2); while (fetch_or(*&x, 1)) { } }"
        ),
        "q0: r <- cas(mem[x], 0, 1); goto q1;\n\
         q1: $cas <- cas(mem[x], r, 2); goto q2;\n\
         q2: $xchg <- xchg(mem[p], 1); goto q3;\n\
         q3: $fetch_add <- fetch_add(mem[2 + r], 2); goto q4;\n\
         q4: r <- $xchg + $fetch_add; goto q5;\n\
         q5: $fetch_or <- fetch_or(mem[x], 1); goto q6;\n\
         q6: assume $fetch_or; goto q5;\n\
         q6: assume !$fetch_or; goto q7;\n"
    );
}

#[test]
fn procedures_are_inlined_with_their_arguments_evaluated_once() {
    assert_eq!(
        drawn(
            "shared m, x; proc lock(l) { while (xchg(*l, 1) == 1) { } } \
             proc put(v) { local k = v; x = k + v; if (k == 3) { return; } x = 0; } \
             thread a { lock(&m); put(x); put(3); }"
        ),
        "q0: $xchg <- xchg(mem[m], 1); goto q1;\n\
         q1: assume $xchg == 1; goto q0;\n\
         q1: assume !($xchg == 1); goto q2;\n\
         q2: $x <- mem[x]; goto q3;\n\
         q3: put'v <- $x; goto q4;\n\
         q4: put'k <- put'v; goto q5;\n\
         q5: mem[x] <- put'k + put'v; goto q6;\n\
         q6: assume put'k == 3; goto q7;\n\
         q6: assume !(put'k == 3); goto q8;\n\
         q8: mem[x] <- 0; goto q7;\n\
         q7: put'k'2 <- 3; goto q9;\n\
         q9: mem[x] <- put'k'2 + 3; goto q10;\n\
         q10: assume put'k'2 == 3; goto q11;\n\
         q10: assume !(put'k'2 == 3); goto q12;\n\
         q12: mem[x] <- 0; goto q11;\n"
    );
}

#[test]
fn registers_start_with_leading_constants_and_are_set_elsewhere() {
    let program = program(
        "shared x; thread a { local r = 5, s; x = r; { local k = 2; x = k; } { local k; x = k; } \
         while (x) { local z; z = 1; } }",
    );
    let registers: Vec<(&str, i32)> = program
        .thread(ThreadId(0))
        .registers()
        .iter()
        .map(|r| (r.name.as_str(), r.init))
        .collect();
    assert_eq!(
        registers,
        [
            ("r", 5),
            ("s", 0),
            ("k", 0),
            ("k'2", 0),
            ("$x", 0),
            ("z", 0)
        ]
    );
}

#[test]
fn annotations_apply_to_the_next_statement() {
    let program = program(
        "shared x, y; thread a { @cost 5 x = y; @nofence while (x == 1) { y = 2; } @nofence fence; }",
    );
    let places: Vec<FencePlace> = program
        .thread(ThreadId(0))
        .instructions()
        .iter()
        .map(|i| i.place)
        .collect();
    let (c, f, d) = (
        FencePlace::Cost(5),
        FencePlace::Forbidden,
        FencePlace::Default,
    );
    assert_eq!(places, [c, c, f, d, d, d, f]);
}

#[test]
fn only_a_store_may_become_an_exchange() {
    let program = program(
        "shared x; thread a { local r; @exchange x = 1; @exchange r = x; @exchange fence; }",
    );
    let instructions = program.thread(ThreadId(0)).instructions().iter();
    let places: Vec<FencePlace> = instructions.map(|i| i.place).collect();
    assert_eq!(
        places,
        [
            FencePlace::Exchange,
            FencePlace::Forbidden,
            FencePlace::Forbidden
        ]
    );
}

#[test]
fn copies_have_numbers_and_any_number_of_copies_has_none() {
    let program = program(
        "shared s[3]; thread worker[3] { s[tid] = 1; l: } thread other[*] { s[0] = 2; } \
         forbid worker.2@l && s[1] == 0;",
    );
    let names: Vec<&str> = program.threads().iter().map(Thread::name).collect();
    assert_eq!(names, ["worker.0", "worker.1", "worker.2", "other"]);
    assert_eq!(program.threads()[3].copies(), Copies::Any);
    let Op::Store { addr, .. } = &program.threads()[2].instructions()[0].op else {
        unreachable!("the one statement is a store");
    };
    assert_eq!(addr, &Expr::Const(3));
}

#[test]
fn the_papers_form_declares_its_cells_by_use_and_warns_of_assert_once() {
    let text = "thread t1 regs r1 init l0 begin l0: mem[x] <- 1; goto l1; l1: r1 <- mem[y]; \
                goto l2; l2: assert r1 == 0; goto l3; l2: assert r1 == 1; goto l3; end";
    let parsed = parse(text);
    let program = parsed.program.expect("a warning is no error");
    let names: Vec<&str> = program.regions().iter().map(|r| r.name.as_str()).collect();
    assert_eq!(names, ["x", "y"]);
    assert_eq!(parsed.diagnostics.len(), 1);
    assert_eq!(parsed.diagnostics[0].severity, Severity::Warning);
    assert!(matches!(
        program.thread(ThreadId(0)).instructions()[2].op,
        Op::Assume(_)
    ));
}

#[test]
fn operators_bind_as_in_c() {
    let value = |text: &str| {
        let program = program(&format!("shared x = {text};"));
        program.initial_memory()[0]
    };
    assert_eq!(value("1 | 2 ^ 3 & 4 == 4"), 1 | (2 ^ (3 & 1)));
    assert_eq!(value("1 + 2 * 3 - 4 / 2 % 3"), 5);
    assert_eq!(value("1 << 2 + 1 < 9"), 1);
    assert_eq!(value("0 || 1 && 0 ? 4 : 0 ? 5 : 6"), 6);
    assert_eq!(value("-2147483648"), i32::MIN);
    assert_eq!(value("0xffffffff"), -1);
    assert_eq!(value("!3 + ~0 - -2"), 1);
    assert_eq!(value("7 - 2 - 1"), 4);
}

#[test]
fn expectations_are_typed_and_reasons_are_free() {
    let text = "//: check tso within  a bound is needed here\n//: attacks pso 3/12\n\
                //: fence tso assertions 2 a@l b@q0  because\n//: fence pso robustness none\n\
                //: observed tso a.r == 0 && x == 1 yes  store buffering\n\
                shared x; thread a { local r; l: r = x; } thread b { x = 1; }";
    let parsed = parse(text);
    assert_eq!(render(&parsed.diagnostics, "e", text, false), "");
    let kinds: Vec<&ExpectationKind> = parsed.expectations.iter().map(|e| &e.kind).collect();
    assert!(matches!(
        kinds[..],
        [
            ExpectationKind::Check(_, Outcome::Within),
            ExpectationKind::Attacks {
                feasible: 3,
                candidates: 12,
                ..
            },
            ExpectationKind::Fence {
                aim: Aim::Assertions,
                cost: Some(2),
                ..
            },
            ExpectationKind::Fence {
                aim: Aim::Robustness,
                cost: None,
                ..
            },
            ExpectationKind::Observed(_, _, true),
        ]
    ));
    let ExpectationKind::Fence { places, .. } = kinds[2] else {
        unreachable!("just matched");
    };
    assert_eq!(places, &[(ThreadId(0), LocId(0)), (ThreadId(1), LocId(0))]);
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_text() {
    for (name, text) in [
        ("a.fence", "shared x; thread t { x = 1; }\nforbid y == 1;"),
        (
            "a.txt",
            "thread t\ninitial a\ntransition a b nothing\nend\n",
        ),
        ("a.litmus", "X86 t\n{ }\n P0 ;\n NOT ;\nexists (0:EBX=x)"),
        (
            "a.litmus",
            "C t\n{ }\nP0 (int* x) { *x = y(); }\nexists (x=1)",
        ),
    ] {
        let bytes = format!("\u{feff}{text}").into_bytes();
        let (shown, format, parsed) = parse_bytes(&bytes, name, None);
        assert_eq!(shown, text);
        let (_, plain_format, plain) = parse_bytes(text.as_bytes(), name, None);
        assert!(!plain.diagnostics.is_empty(), "{text}");
        assert_eq!((format, parsed), (plain_format, plain));
    }
    let (_, _, parsed) = parse_bytes(b"\xef\xbb\xbfab\xff", "a.fence", None);
    assert_eq!(parsed.diagnostics[0].span, 2..5);
    assert_eq!(parsed.diagnostics[0].label, "byte 5 of the file, 0xff");
}
