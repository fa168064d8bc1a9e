//! What compilers know of the values of a thread's registers: which are used, and which are computed
//! from constants.

use crate::facts::Flow;
use crate::lower::code::{Code, Instr};
use crate::program::{BinaryOp, Expr, Fault, Op, RegId, UnaryOp};
use std::collections::BTreeSet;

type E = Expr<RegId>;

/// For each location, the registers whose values there something depends on that a compiler keeps.
pub(super) fn live(code: &Code, observed: &BTreeSet<RegId>) -> Vec<BTreeSet<RegId>> {
    let mut live = vec![observed.clone(); code.locations.len()];
    for edge in &code.instructions {
        live[edge.from].clear();
    }
    Flow::backward(code).solve(live, |_, edge, after| {
        let mut before = after.clone();
        let is_wanted = edge.op.target().is_none_or(|into| before.remove(&into));
        // An unused assignment is not computed. Accesses stay. No compiler knows of the check that what
        // was read had been written.
        let is_checked = edge.fault == Some(Fault::Unwritten);
        if (is_wanted || edge.op.address().is_some()) && !is_checked {
            let mut registers = Vec::new();
            for operand in edge.op.operands() {
                depends(operand, &mut registers);
            }
            before.extend(registers);
        }
        before
    })
}

/// Adds the registers on which a value depends after folding what compilers fold; the value, if that is none.
fn depends(e: &E, registers: &mut Vec<RegId>) -> Option<i32> {
    let before = registers.len();
    match e {
        Expr::Const(value) => return Some(*value),
        Expr::Var(register) => registers.push(*register),
        Expr::Unary(UnaryOp::Not | UnaryOp::BitNot | UnaryOp::Neg, a) => {
            depends(a, registers);
        }
        Expr::Binary(op, a, b) => {
            let operands = [depends(a, registers), depends(b, registers)];
            let is = |value: i32| operands.contains(&Some(value));
            let is_constant = match op {
                BinaryOp::BitAnd | BinaryOp::Mul | BinaryOp::And => is(0),
                BinaryOp::BitOr => is(-1),
                BinaryOp::Or => operands.into_iter().flatten().any(|value| value != 0),
                BinaryOp::BitXor
                | BinaryOp::Sub
                | BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge => a == b,
                BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Add | BinaryOp::Div => false,
                BinaryOp::Rem => matches!(operands[1], Some(1 | -1)),
            };
            if is_constant {
                registers.truncate(before);
            }
        }
        Expr::Conditional(parts) => {
            let [c, a, b] = &**parts;
            if a != b {
                depends(c, registers);
            }
            depends(a, registers);
            depends(b, registers);
        }
    }
    // Any values will do.
    (registers.len() == before).then(|| e.eval(|_| 0))
}

/// The registers whose values come from memory, and which no compiler knows.
pub(super) fn unknown(edges: &[Instr]) -> BTreeSet<RegId> {
    let mut unknown = BTreeSet::new();
    loop {
        let before = unknown.len();
        for edge in edges {
            let Some(into) = edge.op.target() else {
                continue;
            };
            let is_computed = matches!(&edge.op, Op::Assign { value, .. }
                if value.vars().iter().all(|register| !unknown.contains(register)));
            if !is_computed {
                unknown.insert(into);
            }
        }
        if unknown.len() == before {
            return unknown;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each operator looks at its operands once: 2^200 times would not end.
    #[test]
    fn the_registers_of_a_deep_expression_are_found_at_once() {
        let register = |number: u32| Expr::Var(RegId(number));
        let mut e = register(0);
        for number in 1..200 {
            let sum = Expr::binary(BinaryOp::Add, e, register(number));
            e = Expr::binary(BinaryOp::And, Expr::Const(1), sum);
        }
        let mut found = Vec::new();
        assert_eq!(depends(&e, &mut found), None);
        assert_eq!(found, (0..200).map(RegId).collect::<Vec<_>>());
        let none = Expr::binary(BinaryOp::And, e, Expr::Const(0));
        found.clear();
        assert_eq!(depends(&none, &mut found), Some(0));
        assert!(found.is_empty());
    }
}
