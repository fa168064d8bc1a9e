//! Threads that are waited for: one by its handle, or all of a scope.

use super::MOST_THREADS;
use crate::lower::Lowering;
use crate::lower::arguments::Evaluated;
use crate::lower::bounds::between;
use crate::lower::code::Holds;
use crate::lower::objects::Storage;
use crate::lower::typed::{Type, TypeKind};
use crate::lower::value::{Value, int, not};
use crate::program::{self, BinaryOp, Op, RegId};
use crate::text::{Diagnostic, Place};

impl Lowering<'_> {
    /// Waits for the threads that the innermost scope has created.
    pub(in crate::lower) fn end_scope(&mut self, place: Place) {
        let from = self.scopes.pop().unwrap_or(self.threads.len());
        if self.refuse_in_copies("a scope of its own", place) {
            return;
        }
        let mut any_number = false;
        for number in from..self.threads.len() {
            let Some(at) = self.state.as_ref().map(|state| state.at) else {
                return;
            };
            let created = &self.threads[number];
            if created.any {
                any_number = true;
                continue;
            }
            let creator = created.start.map_or(0, |(_, creator)| creator);
            if creator != self.current {
                continue;
            }
            if created.start.is_some() && !self.code.dominates(created.after, at) {
                self.report(
                    Diagnostic::error(
                        "whether a thread of this scope was created is not known",
                        self.positions.span(place),
                    )
                    .note("create it unconditionally, and let it do nothing otherwise"),
                );
                return;
            }
            self.join_one(number, None, place);
        }
        if any_number {
            self.all_joined(place);
        }
    }

    /// Waits for a thread to end.
    pub(in crate::lower) fn join_thread(&mut self, arguments: &[Evaluated], place: Place) -> Value {
        let Some((handle, arguments)) = arguments.split_first() else {
            return Value::ZERO;
        };
        let result = arguments.first().filter(|to| to.value != Value::ZERO);
        if self.refuse_in_copies("threads to wait for", place) || self.is_after_all() {
            return Value::ZERO;
        }
        if self.state.is_none() {
            return Value::ZERO;
        }
        let value = handle.value.clone();
        let number = value.known().and_then(|n| usize::try_from(n).ok());
        match (number, value) {
            (Some(number), _) if (1..self.threads.len()).contains(&number) => {
                self.join_one(number, result, place);
            }
            (_, Value::Unknown(handle)) if handle.as_const().is_none() => {
                self.join_any(&handle, result, place);
            }
            _ => self.error(
                "which thread is joined here is not known when the program is read",
                place,
            ),
        }
        Value::ZERO
    }

    /// Waits for the thread with this handle, which is one of those that were created. It is a
    /// violation if it is none of them.
    fn join_any(
        &mut self,
        handle: &program::Expr<RegId>,
        result: Option<&Evaluated>,
        place: Place,
    ) {
        let mut ends = Vec::new();
        for number in 1..self.threads.len() {
            let number_of = program::Expr::Const(number as i32);
            let this = program::Expr::binary(BinaryOp::Eq, handle.clone(), number_of);
            let (yes, no) = self.split(Value::Unknown(this), place);
            self.state = yes;
            self.join_one(number, result, place);
            ends.extend(self.state.take());
            self.state = no;
        }
        // A thread that another thread creates is not known here.
        let own = between(1, handle, MOST_THREADS as i64);
        self.limit(not(own), place);
        self.emit(Op::Assert(program::Expr::Const(0)), place);
        self.state = self.join(ends, place);
    }

    /// Waits for this thread. Its result goes where the pointer points.
    fn join_one(&mut self, number: usize, to: Option<&Evaluated>, place: Place) {
        if self.state.is_none() || self.is_after_all() {
            return;
        }
        let unit = self.unit;
        let function = &unit.functions[self.threads[number].routine.0];
        let (flag_cell, mut result) = self.threads[number].done.unwrap_or_else(|| {
            let name = format!("{}.done", function.name);
            (self.place(&name, &int(), Storage::Hidden), 0)
        });
        if result == 0 && to.is_some() {
            let name = format!("{}.result", function.name);
            result = self.place(&name, &function.returns, Storage::Hidden);
        }
        self.threads[number].done = Some((flag_cell, result));
        self.wait_for(flag_cell, place);
        if let Some(last) = self.code.last() {
            last.holds = Some(Holds::Joins(number));
        }
        if let Some(to) = to {
            // What is stored is a result of the routine, whatever the pointer's type is.
            let wanted = Type {
                kind: TypeKind::Pointer(Box::new(function.returns.clone())),
                ..int()
            };
            let result_at = self.convert(to.value.clone(), to.ty, &wanted, place);
            for (at, ty) in self.scalars(&function.returns).iter().enumerate() {
                let part = self.read(&Value::Known(result + at as i64), ty, place);
                let address = self.offset(&result_at, at as i64);
                self.write(&address, ty, part, place);
            }
        }
    }
}
