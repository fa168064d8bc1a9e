//! The flags: zero, carry and sign, each a variable where anything reads it.

use super::expand::Step;
use super::operands::Assembly;
use super::table::{Action, Condition, Flag};
use super::values::{compare, constant, negated, uint};
use crate::c::check::{BOOL, Checked, cast, integer};
use crate::lower::typed::{BinaryOp, Expr};

impl Assembly<'_, '_> {
    /// The flags after an operation: those that anything reads.
    pub(super) fn flags(
        &mut self,
        op: BinaryOp,
        old: Expr,
        operand: Expr,
        new: Expr,
        step: &Step,
    ) -> Checked<()> {
        let ty = uint(step.bits);
        let zero = constant(0, &ty, self.place);
        let is_step = matches!(step.of.action, Action::Step(_));
        let carry = if is_step {
            None
        } else if op == BinaryOp::Add {
            Some(compare(BinaryOp::Lt, new.clone(), operand))
        } else if op == BinaryOp::Sub {
            Some(compare(BinaryOp::Lt, old, operand))
        } else {
            // The operations on bits clear it.
            Some(constant(0, &BOOL, self.place))
        };
        if let Some(carry) = carry {
            self.set_flag(Flag::Carry, carry)?;
        }
        self.set_flag(Flag::Zero, compare(BinaryOp::Eq, new.clone(), zero))?;
        let signed = integer(step.bits as u8, true);
        let none = constant(0, &signed, self.place);
        self.set_flag(Flag::Sign, compare(BinaryOp::Lt, cast(new, &signed), none))
    }

    pub(super) fn set_flag(&mut self, flag: Flag, value: Expr) -> Checked<()> {
        if self.wanted.contains(&flag) {
            let local = self.variable(&BOOL, Some(value))?;
            self.flags.insert(flag, local);
        }
        Ok(())
    }

    /// Whether a condition holds here.
    pub(super) fn condition(&mut self, condition: Condition, what: &str) -> Checked<Expr> {
        let Some(local) = self.flags.get(&condition.flag) else {
            let message = format!("{what} depends on a flag that no instruction before has set");
            return self.refused(message);
        };
        let value = self.local(*local, &BOOL);
        Ok(if condition.set { value } else { negated(value) })
    }
}
