//! Accesses of variables in registers.

use super::Lowering;
use super::deferred::Reads;
use super::env::{Slot, SlotId, value_of};
use super::value::{UNSET, UNWRITTEN, Value, binary};
use crate::lower::typed::Type;
use crate::program::{BinaryOp, Expr, Fault, RegId};
use crate::text::Place;

impl Lowering<'_> {
    /// The scalar in registers at this address: it is a violation if it has ended.
    fn living_slot(&mut self, address: i64, place: Place) -> Option<SlotId> {
        let found = self.env().and_then(|env| env.find(address));
        let id = found.filter(|id| self.is_alive(id.activation, id.local));
        if id.is_none() && self.state.is_some() {
            self.violation(Fault::Ended, place);
        }
        id
    }

    pub(super) fn read_slot(&mut self, address: i64, reads: Reads, place: Place) -> Value {
        let Some(id) = self.living_slot(address, place) else {
            return Value::ZERO;
        };
        let slot = self.env().and_then(|env| env.slot(id)).cloned();
        let unset = match reads {
            Reads::Prepared => Fault::NotInitialised,
            Reads::Uses | Reads::Copies | Reads::Merges { .. } => Fault::Unset,
        };
        let is_needed = reads.fault().is_some();
        match slot {
            Some(Slot::Known(UNSET)) if is_needed => {
                self.violation(unset, place);
                Value::ZERO
            }
            Some(Slot::Known(UNSET)) => self.without_value(reads, place),
            Some(Slot::Perhaps) if let Reads::Merges { others } = reads => {
                let register = self.register_of(id);
                self.rest_of(register, others, place)
            }
            Some(slot @ (Slot::Register | Slot::Perhaps)) => {
                let register = self.register_of(id);
                if slot == Slot::Perhaps && is_needed {
                    let holds = binary(BinaryOp::Ne, Expr::Var(register), Expr::Const(UNWRITTEN));
                    self.require(holds, unset, place);
                    self.reserved.is_checked = true;
                    let state = self.state.as_mut();
                    if let Some(slot) = state.and_then(|state| state.env.slot_mut(id)) {
                        *slot = Slot::Register;
                    }
                } else if slot == Slot::Perhaps {
                    self.memory.copies_unset();
                }
                value_of(&slot, || register)
            }
            Some(Slot::Known(value)) => Value::Known(value),
            None => Value::ZERO,
        }
    }

    pub(super) fn write_slot(
        &mut self,
        address: i64,
        ty: &Type,
        value: Value,
        doubtful: bool,
        place: Place,
    ) {
        let Some(id) = self.living_slot(address, place) else {
            return;
        };
        let slot = match value {
            Value::Known(value) => Slot::Known(value),
            Value::Unknown(Expr::Var(register))
                if self.is_temporary_slot(id) && self.code.lasts(register) =>
            {
                self.registers.insert(id, register);
                Slot::Register
            }
            Value::Unknown(_) => {
                let value = self.dynamic_of(&value, Some(ty), place);
                let register = self.register_of(id);
                let origin = self.origin(place);
                let temporary = matches!(&value, Expr::Var(reg) if self.is_temporary(*reg));
                if let Some(state) = &mut self.state {
                    self.solo = false;
                    state.at = self
                        .code
                        .assign(state.at, register, value, temporary, origin);
                }
                if doubtful {
                    Slot::Perhaps
                } else {
                    Slot::Register
                }
            }
        };
        if let Some(place) = self.state.as_mut().and_then(|state| state.env.slot_mut(id)) {
            *place = slot;
        }
    }

    fn is_temporary_slot(&self, id: SlotId) -> bool {
        let env = self.env();
        env.is_some_and(|env| self.is_temporary_local(env, id))
    }

    fn is_temporary(&self, register: RegId) -> bool {
        self.code.registers[register.index()].starts_with("$t")
    }
}
