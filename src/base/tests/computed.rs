//! What is computed once for each program.

use fencepost_base::program::Program;
use fencepost_front::formats::parse;
use std::sync::Arc;

#[test]
fn a_result_is_computed_once_and_not_copied() {
    let program = parse("shared x; thread t { x = 1; }")
        .program
        .expect("no errors");
    let cells = program.computed(Program::cell_count);
    let again = program.computed(|_| 0_usize);
    assert!(Arc::ptr_eq(&cells, &again));
    let copy = program.clone();
    assert_eq!((copy.clone(), *copy.computed(|_| 0_usize)), (program, 0));
}
