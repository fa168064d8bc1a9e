//! What programs are checked for when they are made.

use fencepost_base::program::{
    Expr, Observable, Op, Origin, Program, Property, PropertyKind, RegId, ThreadId,
};
use fencepost_front::formats::parse;

fn program() -> Program {
    let text = "shared x; thread t { local r; atomic { x = 1; } r = x; }";
    parse(text).program.expect("no errors in the text")
}

#[test]
fn what_the_builder_made_passes_its_checks_again() {
    assert_eq!(program().errors(), []);
    let without = program().with_only(|_| false);
    assert_eq!(without.errors(), []);
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "property of a register that does not exist")]
fn a_property_of_nothing_is_refused() {
    let predicate = Expr::Var(Observable::Register(ThreadId::from(0), RegId::from(1)));
    let _ = program().with_property(Property {
        kind: PropertyKind::Forbid,
        predicate,
        origin: Origin::default(),
    });
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "inside an atomic block")]
fn an_end_of_a_block_is_not_mapped_away() {
    let _ = program().map_ops(|_, op| {
        if *op == Op::AtomicEnd {
            Op::AtomicBegin
        } else {
            op.clone()
        }
    });
}
