//! The operands of an instruction: what they are, and how they are read and written.

use super::expand::{Object, Step};
use super::operands::{Assembly, Site};
use super::operations;
use super::table::Action;
use super::template::{Argument, Instruction};
use super::values::{bits_of, constant, uint};
use crate::c::check::{Checked, INT, VOID, cast, expr, folded, pointer, unqualified};
use crate::lower::operation::Operation;
use crate::lower::typed::{Callee, Expr, ExprKind, Lvalue, LvalueKind, StmtKind, Type};

impl Assembly<'_, '_> {
    /// How many bits an instruction accesses: its name or its registers say so.
    pub(super) fn width(&mut self, one: &Instruction) -> Checked<u32> {
        if matches!(one.action, Action::Extend(_)) {
            let named = self.registers(&one.arguments[1..])?;
            return match one.bits.or(named) {
                Some(bits) => Ok(bits),
                None => self.refused(format!("`{}` has no register", one.text)),
            };
        }
        let named = self.registers(&one.arguments)?;
        match (one.bits, named) {
            (Some(bits), Some(named)) if bits != named => self.refused(format!(
                "`{}` accesses {bits} bits, and its register has {named}",
                one.text
            )),
            (Some(bits), _) | (None, Some(bits)) => Ok(bits),
            (None, None) if one.arguments.is_empty() => Ok(0),
            (None, None) => {
                let message = format!("how many bits `{}` accesses is not clear", one.text);
                let note = "add the letter of a width to its name: `b`, `w`, `l` or `q`";
                Err(self.check.error_with(message, self.place, note))
            }
        }
    }

    /// The width of the registers among these operands.
    fn registers(&mut self, arguments: &[Argument]) -> Checked<Option<u32>> {
        let mut found = None;
        for argument in arguments {
            let bits = match argument {
                Argument::Register(_, bits) => *bits,
                Argument::Operand(which, bits) => {
                    let at = self.entry(which)?;
                    let entry = &self.entries[at];
                    match entry.site {
                        Site::Slot(_) => bits.unwrap_or(bits_of(&entry.ty)),
                        Site::Memory(_) | Site::Constant(_) | Site::Unknown | Site::Flag(_) => {
                            continue;
                        }
                    }
                }
                Argument::Constant(_) | Argument::Pointed(_) | Argument::Stack => continue,
            };
            if found.is_some_and(|found| found != bits) {
                return self.refused("registers of different widths in one instruction".to_owned());
            }
            found = Some(bits);
        }
        Ok(found)
    }

    /// What an operand of an instruction is.
    pub(super) fn object(&mut self, argument: &Argument, step: &Step) -> Checked<Object> {
        let bits = step.bits;
        match argument {
            Argument::Constant(value) => {
                let value = constant(*value, &uint(bits), self.place);
                Ok(Object::Value(value))
            }
            Argument::Register(register, bits) => Ok(Object::Slot(self.slot_of(*register, *bits)?)),
            Argument::Stack => Ok(Object::Stack),
            Argument::Pointed(which) => {
                let at = self.entry(which)?;
                let Site::Slot(slot) = self.entries[at].site else {
                    let message = format!(
                        "`{}` follows an operand that is in no register",
                        step.of.text
                    );
                    return self.refused(message);
                };
                let ty = self.entries[at].ty.clone();
                if !ty.is_pointer() {
                    let message = format!(
                        "`{}` follows an operand that is not a pointer",
                        step.of.text
                    );
                    return self.refused(message);
                }
                let pointer = self.read_slot(slot, 64, &step.of.text)?;
                let pointer = pointer_of(cast(pointer, &ty), bits);
                Ok(Object::Memory(pointer))
            }
            Argument::Operand(which, _) => {
                let at = self.entry(which)?;
                match self.entries[at].site.clone() {
                    Site::Slot(slot) => Ok(Object::Slot(slot)),
                    Site::Constant(value) => Ok(Object::Value(cast(value, &uint(bits)))),
                    Site::Memory(pointer) => {
                        if self.overwritten && !is_on_stack(&pointer) {
                            return Err(self.is_overwritten(&step.of.text));
                        }
                        Ok(Object::Memory(pointer_of(pointer, bits)))
                    }
                    Site::Unknown | Site::Flag(_) => {
                        let message = format!(
                            "an operand of `{}` is neither a register nor memory nor a number",
                            step.of.text
                        );
                        self.refused(message)
                    }
                }
            }
        }
    }

    /// The value of an operand.
    pub(super) fn read(&mut self, object: &Object, step: &Step) -> Checked<Expr> {
        match object {
            Object::Slot(slot) => {
                let value = self.read_slot(*slot, step.bits, &step.of.text)?;
                self.kept(value)
            }
            Object::Value(value) => Ok(value.clone()),
            Object::Memory(pointer) => {
                let ty = pointee(pointer);
                self.called(&operations::LOAD, vec![pointer.clone()], ty)
            }
            Object::Stack => self.refused(format!("`{}` reads the stack", step.of.text)),
        }
    }

    /// The same, to compute with.
    pub(super) fn number(&mut self, object: &Object, step: &Step) -> Checked<Expr> {
        let value = self.read(object, step)?;
        if value.ty.is_pointer() {
            let message = format!("`{}` computes with a pointer", step.of.text);
            return self.refused(message);
        }
        Ok(cast(value, &uint(step.bits)))
    }

    pub(super) fn write(&mut self, object: &Object, value: Expr, step: &Step) -> Checked<()> {
        match object {
            Object::Slot(slot) => self.write_slot(*slot, step.bits, value, &step.of.text),
            Object::Memory(pointer) => {
                let value = self.stored(pointer, value)?;
                self.effect(&operations::STORE, vec![pointer.clone(), value]);
                Ok(())
            }
            Object::Value(_) | Object::Stack => {
                self.refused(format!("`{}` does not write to an operand", step.of.text))
            }
        }
    }

    /// A value in the type of what a pointer points to.
    pub(super) fn stored(&mut self, pointer: &Expr, value: Expr) -> Checked<Expr> {
        let ty = pointee(pointer);
        self.is_bool_as(&ty, &value, self.place)?;
        Ok(cast(value, &ty))
    }

    /// A value in a variable of its own.
    pub(super) fn kept(&mut self, value: Expr) -> Checked<Expr> {
        if folded(&value).is_ok() {
            return Ok(value);
        }
        let ty = value.ty.clone();
        let local = self.variable(&ty, Some(value))?;
        Ok(self.local(local, &ty))
    }

    /// The result of an operation.
    pub(super) fn called(
        &mut self,
        operation: &'static Operation,
        arguments: Vec<Expr>,
        ty: Type,
    ) -> Checked<Expr> {
        let kind = ExprKind::Call(Callee::Library(operation), arguments);
        self.kept(expr(kind, ty, self.place))
    }

    pub(super) fn effect(&mut self, operation: &'static Operation, arguments: Vec<Expr>) {
        let kind = ExprKind::Call(Callee::Library(operation), arguments);
        let call = expr(kind, VOID, self.place);
        self.statement(StmtKind::Expr(call));
    }
}

/// The type of the object that a pointer points to.
pub(super) fn pointee(pointer: &Expr) -> Type {
    pointer.ty.pointee().map_or(INT, unqualified)
}

/// Whether a pointer is the address of a variable of the function, which is in no register of an operand.
fn is_on_stack(pointer: &Expr) -> bool {
    fn within(lvalue: &Lvalue) -> bool {
        match &lvalue.kind {
            LvalueKind::Local(_) => true,
            LvalueKind::Object(_) | LvalueKind::Deref(_) => false,
            LvalueKind::Member(base, _)
            | LvalueKind::Bits(base, _)
            | LvalueKind::Element(base, _) => within(base),
        }
    }
    matches!(&pointer.kind, ExprKind::AddressOf(lvalue) if within(lvalue))
}

/// A pointer to so many bits where this pointer points to.
fn pointer_of(address: Expr, bits: u32) -> Expr {
    match address.ty.pointee() {
        Some(ty) if ty.is_scalar() && bits_of(ty) == bits => address,
        _ => cast(address, &pointer(uint(bits))),
    }
}
