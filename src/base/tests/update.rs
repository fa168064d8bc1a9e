//! The two ways to say what a locked instruction stores: as a number, and as an expression.

use fencepost_base::program::{BinaryOp, Expr, FetchOp, RegId, Update};
use proptest::prelude::*;

fn operand() -> impl Strategy<Value = Expr<RegId>> {
    let register = (0..2_u32).prop_map(|reg| Expr::Var(RegId(reg)));
    let constant = (-2..3_i32).prop_map(Expr::Const);
    let leaf = prop_oneof![register, constant];
    (leaf, -1..2_i32).prop_map(|(e, more)| Expr::binary(BinaryOp::Add, e, Expr::Const(more)))
}

fn update() -> impl Strategy<Value = Update> {
    let fetch = prop::sample::select(vec![FetchOp::Add, FetchOp::Sub, FetchOp::And, FetchOp::Or]);
    prop_oneof![
        (operand(), operand())
            .prop_map(|(expected, desired)| Update::CompareExchange { expected, desired }),
        operand().prop_map(Update::Exchange),
        (fetch, operand()).prop_map(|(op, operand)| Update::Fetch(op, operand)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn the_expression_has_the_value_that_is_stored(
        update in update(),
        old in prop_oneof![-3..4_i32, any::<i32>()],
        registers in [-3..4_i32, -3..4_i32],
    ) {
        let register = |reg: RegId| registers[reg.index()];
        // The old value is in a register of its own.
        let stored = update.stored(Expr::Var(RegId(2)), Expr::clone);
        let value = stored.eval(|reg| if reg == RegId(2) { old } else { register(reg) });
        prop_assert_eq!(value, update.apply(old, register));
    }
}
