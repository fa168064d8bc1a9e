//! What people write, and what it means.

use super::*;

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

#[test]
fn the_example_of_the_contract_is_read() {
    let parsed = parse(PETERSON);
    assert_eq!(render(&parsed.diagnostics, "p", PETERSON, false), "");
    assert_eq!(parsed.expectations.len(), 5);
    let program = parsed.program.expect("no error, so there is a program");
    println!("{program:#?}");
    assert_eq!(program.threads().len(), 2);
}
