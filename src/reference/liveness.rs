//! Registers whose values do not matter: two states of a thread that differ in these alone go on alike.

use crate::program::{Expr, Op, RegId, Thread};

/// For each location, the registers that no instruction reads before they are written, and that are
/// not observed. An assignment to such a register reads nothing: a count that only counts on is dead.
pub fn dead_registers(thread: &Thread, observed: impl Fn(RegId) -> bool) -> Vec<Vec<RegId>> {
    let registers = thread.registers().len();
    let mut live = vec![vec![false; registers]; thread.locations().len()];
    let mut changed = true;
    while changed {
        changed = false;
        // In reverse order: most instructions lead to a later one, so one round does most of the
        // work.
        for instruction in thread.instructions().iter().rev() {
            // Slices have instructions that are never executed.
            if matches!(instruction.op, Op::Assume(Expr::Const(0))) {
                continue;
            }
            let mut before = live[instruction.to.index()].clone();
            let mut operands = instruction.op.operands();
            if let Some(target) = instruction.op.target() {
                let is_dead = !before[target.index()] && !observed(target);
                if is_dead && matches!(instruction.op, Op::Assign { .. }) {
                    operands.clear();
                }
                before[target.index()] = false;
            }
            for operand in operands {
                operand.for_each_var(&mut |reg: RegId| before[reg.index()] = true);
            }
            for (here, there) in live[instruction.from.index()].iter_mut().zip(before) {
                changed |= there && !*here;
                *here |= there;
            }
        }
    }
    live.into_iter()
        .map(|live| {
            (0..registers)
                .map(RegId::from)
                .filter(|&reg| !live[reg.index()] && !observed(reg))
                .collect()
        })
        .collect()
}
