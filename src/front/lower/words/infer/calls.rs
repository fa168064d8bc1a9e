//! What flows into calls and out of them: of functions of the program, through pointers, and of operations of libraries.

use super::samples::{are_beyond, grows};
use super::{Class, Classes, is_64_bit, is_atomic};
use crate::lower::accesses::function;
use crate::lower::operation::{Compared, Expected, Meaning};
use crate::lower::typed::{Callee, Expr, FunctionId};

impl<'u> Classes<'u> {
    pub(super) fn call(&mut self, e: &'u Expr, callee: &'u Callee, arguments: &'u [Expr]) -> Class {
        match callee {
            Callee::Defined(FunctionId(id)) => {
                let known = self.unit.functions[*id].parameters;
                for (at, argument) in arguments.iter().enumerate() {
                    if at < known {
                        self.flow(argument, self.locals[*id][at]);
                    } else {
                        self.value(argument);
                    }
                }
                self.results[*id]
            }
            Callee::Pointer(pointer) => {
                let pointer_class = self.value(pointer);
                let function = if pointer.ty.is_pointer() {
                    self.inner(pointer_class)
                } else {
                    pointer_class
                };
                let (result, parameters) = self.signature(function, arguments.len());
                for (argument, parameter) in arguments.iter().zip(parameters) {
                    self.flow(argument, parameter);
                    // Which function it is may be found out in other ways.
                    self.keep_narrow(&argument.ty, parameter);
                }
                self.keep_narrow(&e.ty, result);
                result
            }
            Callee::Library(operation) => self.operation(e, operation.meaning, arguments),
        }
    }

    /// What a function gets and yields that is called in ways that are not followed.
    pub(super) fn keep_whole(&mut self, id: usize) {
        let function = &self.unit.functions[id];
        for (at, local) in function.locals.iter().enumerate().take(function.parameters) {
            if local.ty.is_integer() {
                self.keep_narrow(&local.ty, self.locals[id][at]);
            }
        }
        if function.returns.is_integer() {
            self.keep_narrow(&function.returns, self.results[id]);
        }
    }

    fn operation(&mut self, e: &'u Expr, meaning: Meaning, arguments: &'u [Expr]) -> Class {
        if let Meaning::Spawn | Meaning::Start | Meaning::Later = meaning
            && let Some((routine, given)) = arguments.split_first()
            && let Some(FunctionId(id)) = function(routine)
        {
            // It is called with these arguments, and nowhere else by this.
            let returns = &self.unit.functions[id].returns;
            if returns.is_integer() {
                self.keep_narrow(returns, self.results[id]);
            }
            self.routine(Some(routine), given);
            return self.own(e);
        }
        let had_large = self.has_large;
        let classes: Vec<Class> = arguments.iter().map(|e| self.value(e)).collect();
        if let Meaning::Print | Meaning::Ignore | Meaning::Nondet { .. } = meaning {
            // What the values are does not matter.
            self.has_large = had_large;
        }
        let class = |at: usize| classes.get(at).copied();
        if let Some(first) = class(0)
            && is_atomic(meaning)
        {
            let object = self.inner(first);
            let stored = match meaning {
                Meaning::CompareExchange { expected, .. } => {
                    match expected {
                        Expected::ByValue => self.flow(&arguments[1], object),
                        Expected::ByPointer => {
                            let there = self.inner(classes[1]);
                            self.unify(object, there);
                        }
                    }
                    arguments.get(2)
                }
                Meaning::Fetch { op, .. } => {
                    if let (Some(operand), Some(ty)) = (arguments.get(1), arguments[0].ty.pointee())
                    {
                        let results = self.updated((object, ty), op, operand, ty);
                        self.join(object, &results);
                        let is_beyond = grows(op) && are_beyond(&results);
                        if is_64_bit(ty) && (is_beyond || self.makes_wide(op, None, operand)) {
                            self.widen(object);
                        }
                    }
                    None
                }
                Meaning::Store(_) | Meaning::Exchange(_) => arguments.get(1),
                _ => None,
            };
            if let Some(stored) = stored {
                self.flow(stored, object);
            }
            return match meaning {
                Meaning::CompareExchange {
                    yields: Compared::Success,
                    ..
                }
                | Meaning::TestAndSet(_) => self.own(e),
                _ => object,
            };
        }
        match meaning {
            Meaning::PthreadCreate => self.routine(arguments.get(2), &arguments[3..]),
            Meaning::ThrdCreate => self.routine(arguments.get(1), &arguments[2..]),
            Meaning::CopyBytes | Meaning::CompareBytes => {
                if let (Some(a), Some(b)) = (class(0), class(1)) {
                    let (a, b) = (self.inner(a), self.inner(b));
                    self.unify(a, b);
                }
                if let Some(first) = class(0).filter(|_| e.ty.is_pointer()) {
                    return first;
                }
            }
            Meaning::AnyBytes
            | Meaning::HandOut
            | Meaning::Print
            | Meaning::Ignore
            | Meaning::Limit
            | Meaning::Free
            | Meaning::Unmap => {}
            Meaning::FillBytes | Meaning::Realloc => {
                if let Some(first) = class(0) {
                    return first;
                }
            }
            _ => {
                for (argument, class) in arguments.iter().zip(classes) {
                    if argument.ty.is_pointer() {
                        self.keep_narrow(&argument.ty, class);
                    }
                }
            }
        }
        self.own(e)
    }

    /// What a thread is given goes to the parameters of its routine.
    fn routine(&mut self, routine: Option<&'u Expr>, given: &'u [Expr]) {
        let Some(FunctionId(id)) = routine.and_then(function) else {
            return;
        };
        let parameters = self.unit.functions[id].parameters;
        for (at, argument) in given.iter().enumerate().take(parameters) {
            self.flow(argument, self.locals[id][at]);
        }
    }
}
