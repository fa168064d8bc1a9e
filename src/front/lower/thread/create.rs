//! Creating threads: one, or any number of them at once.

use super::handles::LOST;
use super::{Argument, Created, MOST_THREADS};
use crate::lower::Lowering;
use crate::lower::code::{Holds, Single};
use crate::lower::env::Env;
use crate::lower::objects::Storage;
use crate::lower::operation::Meaning;
use crate::lower::typed::{Expr, FunctionId, Type, TypeKind};
use crate::lower::value::{Value, int};
use crate::program::{self, Op, Update};
use crate::text::{Diagnostic, Place};

impl Lowering<'_> {
    /// Creates a thread; `at`: where the handle, the routine and the argument are among the
    /// arguments.
    pub(in crate::lower) fn create(
        &mut self,
        arguments: &[Expr],
        at: [usize; 3],
        place: Place,
    ) -> Value {
        let [handle, routine, argument] = at;
        if self.state.is_none() {
            return Value::ZERO;
        }
        let (Some(handle), Some(routine)) = (arguments.get(handle), arguments.get(routine)) else {
            return Value::ZERO;
        };
        if self.refuse_in_copies("threads of its own", place) {
            return Value::ZERO;
        }
        let stored = self.handle_address(handle);
        for (number, e) in arguments.iter().enumerate() {
            if !at.contains(&number) {
                self.effect(e, e.place);
            }
        }
        let function = self.eval(routine);
        let value = arguments.get(argument).map(|e| {
            if self.is_of_no_use(&function, e) {
                Value::ZERO
            } else {
                self.eval(e)
            }
        });
        let Some(id) = self.function_of(&function) else {
            self.error(
                "the routine of a thread must be a function that is known here",
                routine.place,
            );
            return Value::ZERO;
        };
        if self.loops > 0 {
            self.refuse_creation(place);
            return Value::ZERO;
        }
        if self.threads.len() >= MOST_THREADS {
            self.error(format!("more than {MOST_THREADS} threads"), place);
            return Value::ZERO;
        }
        let value = value.map(|value| {
            let given = &arguments[argument].ty;
            let function = &self.unit.functions[id.0];
            let wanted = function.locals[..function.parameters].first();
            let ty = wanted.map_or(given, |local| &local.ty);
            (self.convert(value, given, ty, place), ty.clone())
        });
        let values = value.into_iter().map(|argument| vec![argument]).collect();
        let number = self.start((id, id), values, place);
        let Some(address) = stored else {
            self.lose_handle(handle, place);
            return Value::ZERO;
        };
        if self.is_creating_any() {
            self.lose_cell(&address, &handle.ty, place);
            return Value::ZERO;
        }
        if let TypeKind::Pointer(to) = &handle.ty.kind {
            let ty = (**to).clone();
            self.write(&address, &ty, Value::Known(number as i64), place);
        }
        Value::ZERO
    }

    /// A new thread of the kernel, with this name; its number.
    pub(in crate::lower) fn start_named(
        &mut self,
        id: FunctionId,
        named: FunctionId,
        values: Vec<Vec<(Value, Type)>>,
        place: Place,
    ) -> usize {
        let number = self.start_of_kernel((id, named), values, place);
        if let Some(created) = self.threads.get_mut(number) {
            created.named = Some(named);
        }
        number
    }

    /// The same as `start`, of the kernel.
    fn start_of_kernel(
        &mut self,
        functions: (FunctionId, FunctionId),
        values: Vec<Vec<(Value, Type)>>,
        place: Place,
    ) -> usize {
        let first = self.threads.len();
        let number = self.start(functions, values, place);
        // Any number of threads are two for the search of races.
        for created in &mut self.threads[first..] {
            created.is_of_kernel = true;
        }
        number
    }

    /// A new thread with this routine, named after that function, and called with these scalars for each parameter; its
    /// number.
    fn start(
        &mut self,
        (id, named): (FunctionId, FunctionId),
        values: Vec<Vec<(Value, Type)>>,
        place: Place,
    ) -> usize {
        let number = self.threads.len();
        let function = &self.unit.functions[named.0];
        if self.is_creating_any() {
            let arguments = self.same_for_all(id, values, place);
            self.start_any(id, &arguments, place);
            return number;
        }
        // What is only known at run time is handed over in memory.
        let mut hand_over = |(value, ty)| match value {
            value @ Value::Known(_) => {
                if value.known().is_some_and(Env::is_virtual) {
                    self.pointer_bits(&value, place);
                }
                self.publish(value.known().unwrap_or_default());
                Argument::Value(value)
            }
            Value::Unknown(value) => {
                let name = format!("{}.argument", function.name);
                let cell = self.place(&name, &ty, Storage::Hidden);
                let addr = program::Expr::Const(cell as i32);
                self.emit(Op::Store { addr, value }, place);
                Argument::InCell(cell, ty)
            }
        };
        let arguments = values
            .into_iter()
            .map(|scalars| scalars.into_iter().map(&mut hand_over).collect())
            .collect();
        let is_first = self.current == 0 && !self.code.acts();
        let start = (!is_first).then(|| self.raise_start(named, number, place));
        self.solo = false;
        self.once_only(Single::Creation, place);
        self.push_created(id, arguments, start, false);
        number
    }

    /// Any number of threads; for the search of races, two of them.
    fn start_any(&mut self, id: FunctionId, arguments: &[Vec<Argument>], place: Place) {
        let is_first = self.current == 0 && !self.code.is_constrained();
        for _ in 0..if self.marks_orders { 2 } else { 1 } {
            let number = self.threads.len();
            let start = (!is_first).then(|| self.raise_start(id, number, place));
            self.once_only(Single::Creation, place);
            self.push_created(id, arguments.to_vec(), start, !self.marks_orders);
        }
    }

    /// Sets the flag that a thread waits for before it starts, by a locked instruction.
    fn raise_start(&mut self, id: FunctionId, number: usize, place: Place) -> (i64, usize) {
        let name = format!("{}.started", self.unit.functions[id.0].name);
        let cell = self.place(&name, &int(), Storage::Hidden);
        self.locked(
            &Value::Known(cell),
            Update::Exchange(program::Expr::Const(1)),
            place,
        );
        if let Some(last) = self.code.last() {
            last.holds = Some(Holds::Creates(number));
        }
        (cell, self.current)
    }

    fn push_created(
        &mut self,
        routine: FunctionId,
        arguments: Vec<Vec<Argument>>,
        start: Option<(i64, usize)>,
        any: bool,
    ) {
        self.threads.push(Created {
            any,
            routine,
            is_of_kernel: false,
            named: None,
            arguments,
            start,
            after: self.state.as_ref().map_or(0, |state| state.at),
            done: None,
            token: None,
            code: None,
            ends: Vec::new(),
        });
    }

    /// Creates a thread with arguments of any types, which may be named after the first one; its handle.
    pub(in crate::lower) fn spawn(
        &mut self,
        arguments: &[Expr],
        how: Meaning,
        place: Place,
    ) -> Value {
        let Some((routine, arguments)) = arguments.split_first() else {
            return Value::ZERO;
        };
        if self.refuse_in_copies("threads of its own", place) {
            return Value::ZERO;
        }
        let function = self.eval(routine);
        let mut values: Vec<Vec<(Value, Type)>> = Vec::new();
        for e in arguments {
            let types = self.scalars(&e.ty);
            values.push(self.eval_all(e).into_iter().zip(types).collect());
        }
        let named = values.first().and_then(|scalars| scalars.first());
        let named = named.filter(|_| how != Meaning::Spawn).cloned();
        let named = named.and_then(|(value, _)| self.function_of(&value));
        let (Some(id), true) = (self.function_of(&function), self.state.is_some()) else {
            return Value::ZERO;
        };
        // If it turns out that the loop goes on after that, `check_once` refuses it.
        if self.loops > 0 && how != Meaning::Later {
            self.refuse_creation(place);
            return Value::ZERO;
        }
        if self.threads.len() >= MOST_THREADS {
            self.error(format!("more than {MOST_THREADS} threads"), place);
            return Value::ZERO;
        }
        let number = match named {
            Some(named) => self.start_named(id, named, values, place),
            None if how == Meaning::Spawn => self.start((id, id), values, place),
            None => self.start_of_kernel((id, id), values, place),
        };
        Value::Known(if self.is_creating_any() {
            LOST
        } else {
            number as i64
        })
    }

    pub(in crate::lower) fn refuse_creation(&mut self, place: Place) {
        self.report(
            Diagnostic::error(
                "a thread is created in a loop whose number of iterations is not known",
                self.positions.span(place),
            )
            .note("bound the loop by a constant, or create any number of the same thread: `--any-number`"),
        );
    }
}
