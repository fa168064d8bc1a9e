//! Registers: what instructions read and write of them.

use super::operands::{Assembly, Entry, Slot};
use super::table::{self, Register};
use super::template::Which;
use super::values::{bits_of, compute, constant, uint};
use crate::c::check::{BOOL, Checked, Reported, cast, folded};
use crate::lower::typed::{BinaryOp, Expr, Type};
use crate::text::Place;

impl Assembly<'_, '_> {
    /// The variable of this register. If it is no operand, it must be named as one that is lost.
    pub(super) fn slot_of(&mut self, register: Register, bits: u32) -> Checked<usize> {
        let known = |slot: &Slot| slot.register == Some(register);
        if let Some(at) = self.slots.iter().position(known) {
            return Ok(at);
        }
        let lost = self.clobbers.iter().any(|name| {
            let name = name.trim_start_matches('%');
            table::register(name).is_some_and(|(lost, _)| lost == register)
        });
        if !lost {
            let message = "an instruction uses a register that is no operand and no clobber";
            let note =
                "name it: `\"+a\"(x)` for an operand in `eax`, or `\"eax\"` among the clobbers";
            return Err(self.check.error_with(message, self.place, note));
        }
        let ty = uint(bits.max(32));
        let local = self.variable(&ty, None)?;
        self.slots.push(Slot {
            local,
            ty,
            register: Some(register),
            defined: false,
            writable: true,
            reads_input: false,
            early: true,
        });
        Ok(self.slots.len() - 1)
    }

    /// The number of an operand that the template names.
    pub(super) fn entry(&mut self, which: &Which) -> Checked<usize> {
        let found = match which {
            Which::Number(number) => Some(*number).filter(|at| *at < self.entries.len()),
            Which::Name(name) => {
                let named = |entry: &Entry| entry.name.as_ref() == Some(name);
                self.entries.iter().position(named)
            }
        };
        found.ok_or_else(|| {
            let shown = match which {
                Which::Number(number) => format!("%{number}"),
                Which::Name(name) => format!("%[{name}]"),
            };
            let message = format!("this inline assembly has no operand `{shown}`");
            self.check.error(message, self.place)
        })
    }

    /// So many bits of a register.
    pub(super) fn read_slot(&mut self, at: usize, bits: u32, what: &str) -> Checked<Expr> {
        let slot = &self.slots[at];
        let (has, shared) = (bits_of(&slot.ty), slot.reads_input && self.overwritten);
        if !slot.defined {
            let message = format!("`{what}` reads a register that has no value yet");
            return Err(self.check.error(message, self.place));
        }
        if shared {
            return Err(self.is_overwritten(what));
        }
        if bits > has {
            return Err(self.too_wide(bits, has, what));
        }
        let value = self.local(slot.local, &slot.ty);
        Ok(if bits == has {
            value
        } else {
            cast(value, &uint(bits))
        })
    }

    pub(super) fn is_overwritten(&mut self, what: &str) -> Reported {
        let message = format!(
            "`{what}` reads an operand after an output was written that may be in the same register"
        );
        let note = "mark that output as written early: `\"=&r\"`";
        self.check.error_with(message, self.place, note)
    }

    fn too_wide(&mut self, bits: u32, has: u32, what: &str) -> Reported {
        let message = format!("`{what}` uses {bits} bits of an operand of {has}");
        let note =
            "convert the operand to a type of that width, or change the width of the instruction";
        self.check.error_with(message, self.place, note)
    }

    /// Writes so many bits of a register. Those of 32 bits clear the upper ones, narrower ones keep them.
    pub(super) fn write_slot(
        &mut self,
        at: usize,
        bits: u32,
        value: Expr,
        what: &str,
    ) -> Checked<()> {
        let slot = &self.slots[at];
        let (local, ty, has) = (slot.local, slot.ty.clone(), bits_of(&slot.ty));
        if !slot.writable {
            let message = format!("`{what}` writes an operand that is only an input");
            let note = "make it an output that is read, too: `\"+r\"(x)`, or `\"+a\"(x)` for `eax`";
            return Err(self.check.error_with(message, self.place, note));
        }
        if bits > has {
            return Err(self.too_wide(bits, has, what));
        }
        let whole = if bits == has {
            self.is_bool_as(&ty, &value, self.place)?;
            cast(value, &ty)
        } else if bits == 32 {
            cast(cast(value, &uint(32)), &ty)
        } else {
            if !slot.defined {
                let message =
                    format!("`{what}` writes {bits} bits of an operand of {has} that has no value");
                let note =
                    "make the operand as wide as what is written, or give it a value: `\"0\"(0)`";
                return Err(self.check.error_with(message, self.place, note));
            }
            let old = cast(self.local(local, &ty), &uint(has));
            let keep = constant(!((1_i64 << bits) - 1), &uint(has), self.place);
            let kept = compute(BinaryOp::BitAnd, old, keep, has);
            let new = cast(cast(value, &uint(bits)), &uint(has));
            let both = compute(BinaryOp::BitOr, kept, new, has);
            cast(both, &ty)
        };
        self.assign(local, &ty, whole);
        let slot = &mut self.slots[at];
        slot.defined = true;
        self.overwritten |= !slot.early;
        Ok(())
    }

    /// Refuses to make a `_Bool` of a value that may be another number than 0 and 1: the machine would not
    /// convert it.
    pub(super) fn is_bool_as(&mut self, ty: &Type, value: &Expr, place: Place) -> Checked<()> {
        let is_bit = value.ty == BOOL || matches!(folded(value), Ok(0 | 1));
        if *ty != BOOL || is_bit {
            return Ok(());
        }
        let message = "inline assembly may write a number to a `_Bool` that is neither 0 nor 1";
        let note = "use `unsigned char`, and compare it with 0";
        Err(self.check.error_with(message, place, note))
    }
}
