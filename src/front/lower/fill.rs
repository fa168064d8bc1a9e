//! What the world outside stores and yields: times, states, results of system calls. Any value.

use super::Lowering;
use super::arguments::{Evaluated, value_of};
use super::bounds::Reach;
use super::value::{UNWRITTEN, Value, binary, c, shape};
use crate::lower::operation::{Omission, Operation, TextFact};
use crate::lower::typed::{self, Type, TypeKind};
use crate::program::{self, BinaryOp, Op, RegId};
use crate::text::{Diagnostic, Place};

impl Lowering<'_> {
    /// Any number from one to another.
    pub(super) fn any_value(&mut self, low: i32, high: i32, place: Place) -> Value {
        let into = self.temporary();
        self.emit(Op::Havoc { into, low, high }, place);
        self.exclude_unwritten(into, low, high, place);
        Value::Unknown(program::Expr::Var(into))
    }

    /// Excludes the number of memory that has not been written from arbitrary ones.
    pub(super) fn exclude_unwritten(&mut self, into: RegId, low: i32, high: i32, place: Place) {
        if !(low..=high).contains(&UNWRITTEN) {
            return;
        }
        self.reserved.may_occur = true;
        self.is_never_unwritten(&program::Expr::Var(into), place);
    }

    /// The same for a value that is stored, and was computed from arbitrary ones.
    pub(super) fn exclude_computed(
        &mut self,
        value: &program::Expr<RegId>,
        bits: Option<u8>,
        place: Place,
    ) {
        let is_computed = !matches!(value, program::Expr::Var(_) | program::Expr::Const(_));
        if is_computed && bits.is_none_or(|bits| bits >= 32) {
            self.is_never_unwritten(value, place);
        }
    }

    fn is_never_unwritten(&mut self, value: &program::Expr<RegId>, place: Place) {
        if self.learned.excludes_unwritten {
            let value = value.clone();
            self.emit(Op::Assume(binary(BinaryOp::Ne, value, c(UNWRITTEN))), place);
            let warning = format!("this value is never {UNWRITTEN} here");
            let diagnostic = Diagnostic::warning(warning, self.positions.span(place));
            let diagnostic = diagnostic.note("that number marks memory that has not been written");
            self.warn(diagnostic.leaving_out(format!("a value is {UNWRITTEN}")));
        }
    }

    /// Stores any value in each scalar that these pointers lead to, one after the other.
    pub(super) fn fill_any(&mut self, entry: &Operation, arguments: &[Evaluated]) {
        for given in arguments {
            let Some(pointee) = given.ty.pointee().cloned() else {
                continue;
            };
            match given.value.clone() {
                Value::Known(0) => {}
                address @ Value::Known(_) => self.fill_one(entry, &address, &pointee, given.place),
                Value::Unknown(pointer) => {
                    let pointer = self.copy(pointer, given.place);
                    let (some, null) = self.split(Value::Unknown(pointer.clone()), given.place);
                    self.state = some;
                    let address = Value::Unknown(pointer);
                    self.fill_one(entry, &address, &pointee, given.place);
                    let both = self.state.take().into_iter().chain(null).collect();
                    self.state = self.join(both, given.place);
                }
            }
        }
    }

    fn fill_one(&mut self, entry: &Operation, address: &Value, ty: &Type, place: Place) {
        self.not_stray(address, ty, place);
        for (at, scalar) in self.scalars(ty).into_iter().enumerate() {
            let address = self.offset(address, at as i64);
            self.write_any(&format!("`{}`", entry.name), &address, &scalar, place);
        }
    }

    /// Stores any value of a scalar, which comes from there.
    pub(super) fn write_any(&mut self, source: &str, address: &Value, scalar: &Type, place: Place) {
        let (low, high) = match (&scalar.kind, shape(scalar)) {
            // No value of these is known anyway.
            (TypeKind::Float { .. }, _) => (0, 0),
            // What is never looked at.
            (TypeKind::Library(_), _) => return,
            (TypeKind::Bool, _) => (0, 1),
            (TypeKind::Int { .. }, of) if of.bits >= 32 => (i32::MIN, i32::MAX),
            (TypeKind::Int { .. }, of) if of.signed => {
                (-(1 << (of.bits - 1)), (1 << (of.bits - 1)) - 1)
            }
            (TypeKind::Int { .. }, of) => (0, (1 << of.bits) - 1),
            (
                TypeKind::Void
                | TypeKind::Pointer(_)
                | TypeKind::Array(..)
                | TypeKind::Struct(_)
                | TypeKind::Function(..),
                _,
            ) => {
                self.error(
                    format!("what {source} stores here is not known: only integers are any value"),
                    place,
                );
                return;
            }
        };
        let value = self.any_value(low, high, place);
        self.write(address, scalar, value, place);
    }

    /// Stores a text of at most one character.
    pub(super) fn fill_text(&mut self, pointer: &Evaluated, place: Place) {
        let character = Type {
            kind: TypeKind::Int {
                bits: 8,
                signed: true,
            },
            atomic: false,
            volatile: false,
        };
        let ty = super::allocate::pointer_to(&character);
        self.text_fact(TextFact::Short, &[], place);
        let first = self.convert(pointer.value.clone(), pointer.ty, &ty, pointer.place);
        let one = self.any_value(-128, 127, place);
        self.write(&first, &character, one, place);
        let second = self.move_pointer(
            typed::BinaryOp::PointerAdd,
            (first, &ty),
            Value::Known(1),
            Reach::Access,
            place,
        );
        self.write(&second, &character, Value::ZERO, place);
    }

    /// Says that there are executions of the source that the program lacks.
    pub(super) fn leave_out(&mut self, omission: Omission, place: Place) -> Value {
        if self.state.is_some() {
            let span = self.positions.span(self.in_the_text(place));
            let diagnostic = Diagnostic::warning(omission.warning, span).note(omission.note);
            self.warn(diagnostic.leaving_out(omission.executions));
        }
        Value::ZERO
    }

    /// What is noted or asked about texts that are not known.
    pub(super) fn text_fact(
        &mut self,
        fact: TextFact,
        arguments: &[Evaluated],
        place: Place,
    ) -> Value {
        match fact {
            TextFact::Short => {
                self.now.has_any_text = true;
                self.leave_out(Omission::SHORT_TEXT, place)
            }
            TextFact::Any => {
                self.now.has_any_text = true;
                Value::ZERO
            }
            TextFact::IsAny => {
                let known = value_of(arguments, 0).known();
                let is_known = known.is_some_and(|text| self.unchanged(text).is_some());
                Value::Known(i64::from(self.learned.has_any_text && !is_known))
            }
        }
    }

    /// `signal`, `sigaction`
    pub(super) fn register_handler(
        &mut self,
        entry: &Operation,
        arguments: &[Evaluated],
        place: Place,
    ) {
        if self.state.is_none() {
            return;
        }
        if let Some(old) = arguments.get(2).filter(|old| old.value != Value::ZERO) {
            let message = format!(
                "what `{}` stores about the earlier handler is not known",
                entry.name
            );
            self.report(
                Diagnostic::error(message, self.positions.span(old.place))
                    .note("pass a null pointer"),
            );
            return;
        }
        // `SIG_DFL` and `SIG_IGN` are no handlers.
        let is_other = |handler: &Evaluated| {
            handler.value.known().is_some() && self.function_of(&handler.value).is_none()
        };
        if entry.name == "signal" && arguments.get(1).is_some_and(is_other) {
            return;
        }
        let warning = "handlers of signals are not executed";
        self.warn(
            Diagnostic::warning(warning, self.positions.span(place))
                .leaving_out("a signal is handled"),
        );
    }

    /// The thread ends between `pthread_cleanup_push` and `pthread_cleanup_pop`: calls the handlers, the last one first.
    pub(super) fn clean_up(&mut self, place: Place) {
        let handlers = self.cleanups.clone();
        while let Some([routine, argument]) = self.cleanups.pop() {
            if self.state.is_none() {
                break;
            }
            match self.function_of(&routine) {
                Some(id) => {
                    self.inline(id, vec![vec![argument]], false, place);
                }
                None => self.error("which handler is called here is not known", place),
            }
        }
        // Elsewhere they are still there.
        self.cleanups = handlers;
    }
}
