//! Threads: created, joined, and the program of all of them.
//!
//! A thread that is created before `main` has executed any instruction starts at once. Any other one
//! waits for a flag, which its creator sets by a locked instruction: the creator's buffer is empty
//! before the thread starts. A thread that is joined sets a flag in the same way when it ends.

mod all;
pub(super) mod any;
mod create;
mod finish;
mod handles;
mod join;
pub(super) mod litmus;
mod number;
mod numbered;
mod only;
mod stored;

pub(super) use stored::is_handle;

use super::Lowering;
use super::code::{Code, Loc};
use super::objects::Storage;
use super::scan::look;
use super::value::{UNWRITTEN, Value, int, pointer};
use super::wake::Finished;
use crate::lower::typed::{FunctionId, LocalId, Type, TypeKind};
use crate::program::{self, BinaryOp, Copies, Op, Program, ProgramBuilder, RegId, Role};
use crate::text::{Diagnostic, Place};
pub(super) use finish::Placed;
use finish::{finish, hand_over};
use std::collections::BTreeSet;

/// No program has more threads.
const MOST_THREADS: usize = 64;

/// What a thread gets.
#[derive(Clone, Debug)]
enum Argument {
    /// This value.
    Value(Value),
    /// What is in this cell when it starts, of this type.
    InCell(i64, Type),
}

/// A thread that is created.
#[derive(Debug)]
pub(super) struct Created {
    /// Whether it is any number of threads.
    pub(super) any: bool,
    routine: FunctionId,
    /// Whether it is one of the kernel, which ignores signals.
    is_of_kernel: bool,
    /// The function that it is named after, if that is another one.
    named: Option<FunctionId>,
    /// For each parameter the scalars of its value.
    arguments: Vec<Vec<Argument>>,
    /// The flag that it waits for, and the number of its creator.
    start: Option<(i64, usize)>,
    /// Where its creator went on after that.
    after: Loc,
    /// The flag that it sets at its end, if it is joined, and the cell of its result.
    done: Option<(i64, i64)>,
    /// The cell of its token, if anything is done with that.
    token: Option<i64>,
    pub(super) code: Option<Code>,
    /// Where it ends, with the scalars of the results.
    ends: Vec<(Loc, Vec<program::Expr<RegId>>)>,
}

impl Created {
    /// The function that it executes.
    pub(super) fn routine(&self) -> FunctionId {
        self.routine
    }

    /// Whether signals reach it.
    pub(super) fn takes_signals(&self) -> bool {
        !self.is_of_kernel
    }

    /// The thread that created it.
    pub(super) fn creator(&self) -> usize {
        self.start.map_or(0, |(_, creator)| creator)
    }

    /// The function that it is named after.
    fn named(&self) -> FunctionId {
        self.named.unwrap_or(self.routine)
    }
}

impl Lowering<'_> {
    /// The whole program, whose first thread executes this function.
    pub(super) fn program(&mut self, name: &str, entry: FunctionId) -> Option<Program> {
        // Objects have their cells in the order of their declarations.
        for id in 0..self.unit.objects.len() {
            let object = &self.unit.objects[id];
            if object.reached && !object.thread_local {
                self.address_of_object(crate::lower::typed::ObjectId(id));
            }
        }
        self.threads.push(Created {
            any: false,
            routine: entry,
            is_of_kernel: false,
            named: None,
            arguments: Vec::new(),
            start: None,
            after: 0,
            done: None,
            token: None,
            code: None,
            ends: Vec::new(),
        });
        let mut next = 0;
        while next < self.threads.len() && self.errors.len() < 100 {
            self.thread(next);
            next += 1;
        }
        self.find_changes();
        self.find_functions();
        if !self.errors.is_empty() {
            return None;
        }
        if self.options.any_number && !self.any.exist {
            self.warn_of_no_effect(entry);
        }
        self.limit_choices();
        let mut threads = std::mem::take(&mut self.threads);
        self.make_sections(
            threads
                .iter_mut()
                .filter_map(|created| created.code.as_mut()),
        );
        let mut builder = ProgramBuilder::new(name);
        self.memory.seal();
        let codes: Vec<Option<&Code>> = threads.iter().map(|t| t.code.as_ref()).collect();
        self.find_followers(&codes);
        for (number, created) in threads.iter_mut().enumerate() {
            let Some(code) = &mut created.code else {
                continue;
            };
            self.current = number;
            self.check_once(code);
            let ends: Vec<Loc> = created.ends.iter().map(|(at, _)| *at).collect();
            self.complete(code, &ends);
        }
        if !self.errors.is_empty() {
            return None;
        }
        self.note_words();
        std::mem::take(&mut self.memory).declare(&mut builder);
        let starts: Vec<Option<i64>> = threads
            .iter()
            .map(|created| created.start.map(|(flag, _)| flag))
            .collect();
        let mut finished = Vec::new();
        for (number, created) in threads.into_iter().enumerate() {
            let creator = created.start.map(|(_, creator)| creator);
            self.ordered.creators.push(creator);
            let (mut code, ends, done) = (created.code?, created.ends, created.done);
            let waits = self.options.forbid_stuck;
            if waits {
                self.bar_others(number, &mut code, &ends);
            }
            let may_end = self.may_end(number, &ends);
            let count = self
                .scalars(&self.unit.functions[created.routine.0].returns)
                .len();
            hand_over(&mut code, &ends, count, done);
            let is_idle = self.any.exist && number == 0 && !code.is_visible();
            if (may_end || !waits) && (!code.acts() || is_idle) {
                continue;
            }
            self.add_alternatives(&mut code, &BTreeSet::new());
            let copies = if created.any {
                Copies::Any
            } else {
                Copies::One
            };
            let promises = finish(&mut builder, &mut code, copies, self.apart);
            if let Some(instr) = promises.unproved {
                self.refuse_unlock(&code, instr);
            }
            self.ordered.orderings.push(promises.orderings);
            self.ordered.failures.extend(promises.failures);
            self.ordered.written.extend(promises.written);
            self.ordered.contexts.push(promises.contexts);
            self.ordered.numbers.push(number);
            finished.extend(promises.placed.map(|placed| Finished {
                number,
                start: starts[number],
                placed,
            }));
        }
        if self.options.forbid_stuck {
            self.forbid_waiting(&mut builder, &finished);
        }
        match builder.build() {
            Ok(program) => Some(program.with_unwritten(UNWRITTEN)),
            Err(errors) => {
                self.errors.extend(errors.into_iter().map(|error| {
                    let span = error.origin.start as usize..error.origin.end as usize;
                    Diagnostic::error(error.message, span)
                }));
                None
            }
        }
    }

    /// Lowers a thread.
    fn thread(&mut self, number: usize) {
        let created = &self.threads[number];
        let (routine, start) = (created.routine, created.start);
        let arguments = created.arguments.clone();
        let function = &self.unit.functions[routine.0];
        let origin = self.origin(function.place);
        let named = created.named();
        let is_same = |t: &&Created| t.named() == named;
        let same = self.threads.iter().filter(is_same).count();
        let earlier = self.threads[..number].iter().filter(is_same).count();
        let has_any = self.threads.iter().any(|t| is_same(&t) && t.any);
        let base = &self.unit.functions[named.0].name;
        let name = if same > 1 && !has_any {
            format!("{base}.{earlier}")
        } else {
            base.clone()
        };
        let taken = |name: &String| {
            let mut earlier = self.threads[..number]
                .iter()
                .filter_map(|t| t.code.as_ref());
            earlier.any(|code| code.name == *name)
        };
        let names = std::iter::once(name.clone()).chain((2..).map(|n| format!("{name}_{n}")));
        let name = { names }.find(|name| !taken(name)).unwrap_or_default();
        self.current = number;
        self.solo = number == 0;
        self.code = Code::new(name, origin);
        let first = self.before_sections();
        self.begin(first);
        if let Some((start, _)) = start {
            self.wait_for(start, function.place);
        }
        let mut given = Vec::new();
        for scalars in arguments {
            let scalars = scalars.into_iter().map(|scalar| match scalar {
                Argument::Value(value) => value,
                Argument::InCell(cell, ty) => self.read_orderly(cell, &ty, function.place),
            });
            given.push(scalars.collect());
        }
        if number == 0 {
            given = self.any_arguments(routine);
        }
        for instr in &mut self.code.instructions {
            instr.role = Role::Start;
        }
        self.create_waiting(function.place);
        let values = self.inline(routine, given, false, function.place);
        let types = self.scalars(&function.returns);
        let result = values.iter().zip(&types);
        let result = result.map(|(value, ty)| self.dynamic_of(value, Some(ty), function.place));
        let result = result.collect();
        if number > 0 {
            self.end_values(function.place);
        } else if self.options.ends_with_entry {
            self.call_exits(function.place);
        }
        if let Some(state) = self.state.take() {
            if number == 0 && self.options.ends_with_entry {
                self.return_from_main(state.at);
            } else if number == 0 {
                self.end_alone();
            }
            self.threads[number].ends.push((state.at, result));
        }
        if number == 0 {
            self.forget_number();
        }
        let code = std::mem::replace(&mut self.code, Code::new(String::new(), origin));
        self.threads[number].code = Some(code);
    }

    /// What `main` is called with where it looks at the texts: the name of the program, and no arguments.
    fn no_arguments(&mut self, place: Place) -> Vec<Vec<Value>> {
        let warning = "the program is executed without arguments: `argc` is 1";
        let warning = Diagnostic::warning(warning, self.positions.span(place));
        self.warn(warning.leaving_out("there are arguments"));
        let array = |of: Type, count: usize| Type {
            kind: TypeKind::Array(Box::new(of), count as u32),
            ..int()
        };
        let character = Type {
            kind: TypeKind::Int {
                bits: 8,
                signed: true,
            },
            ..int()
        };
        let name = "program";
        let ty = array(character.clone(), name.len() + 1);
        let text = self.place("argv[0]", &ty, Storage::Static);
        for (cell, byte) in (text..).zip(name.bytes()) {
            self.memory.set_initial(cell, i32::from(byte));
        }
        let ty = array(pointer(character), 2);
        let texts = self.place("argv", &ty, Storage::Static);
        self.memory.set_initial(texts, text as i32);
        vec![vec![Value::Known(1)], vec![Value::Known(texts)]]
    }

    /// What the function that the program executes is called with: any integers, and the first one of
    /// `main` is not negative. What a parameter that is not used has for a value does not matter.
    fn any_arguments(&mut self, entry: FunctionId) -> Vec<Vec<Value>> {
        let function = &self.unit.functions[entry.0];
        let mentioned = look(&function.body, &[]).mentioned;
        if let Some(place) = mentioned.get(&LocalId(1))
            && let [count, texts] = function
                .locals
                .get(..function.parameters)
                .unwrap_or_default()
            && function.name == "main"
            && count.ty.is_integer()
            && is_pointer_to_texts(&texts.ty)
        {
            return self.no_arguments(*place);
        }
        let mut arguments = Vec::new();
        for (number, local) in function.locals.iter().take(function.parameters).enumerate() {
            let Some(&place) = mentioned.get(&LocalId(number)) else {
                arguments.push(vec![Value::ZERO; self.scalars(&local.ty).len()]);
                continue;
            };
            let (low, high) = match local.ty.kind {
                TypeKind::Bool => (0, 1),
                TypeKind::Int { bits, signed } if bits < 32 => {
                    let half = 1 << (bits - 1);
                    if signed {
                        (-half, half - 1)
                    } else {
                        (0, 2 * half - 1)
                    }
                }
                TypeKind::Int { bits: 32, signed } => {
                    let count = function.name == "main" && number == 0 && signed;
                    (if count { 0 } else { i32::MIN }, i32::MAX)
                }
                _ => {
                    let error = Diagnostic::error(
                        format!(
                            "what the caller of `{}` passes here is not known",
                            function.name
                        ),
                        self.positions.span(place),
                    );
                    self.report(error.note(
                        "a parameter of the function that the program executes is any integer of up \
                         to 32 bits: write what else it is into the text, or call it from a function \
                         that `--entry` names",
                    ));
                    (0, 0)
                }
            };
            let into = self.temporary();
            self.emit(Op::Havoc { into, low, high }, function.place);
            self.exclude_unwritten(into, low, high, function.place);
            arguments.push(vec![Value::Unknown(program::Expr::Var(into))]);
        }
        arguments
    }

    /// `pthread_exit`: the thread ends here, with this result.
    pub(super) fn end_thread(&mut self, result: Vec<program::Expr<RegId>>, place: Place) {
        self.end_lives(0, place);
        self.end_stacked(None, place);
        self.end_alone();
        if let Some(state) = self.state.take() {
            self.threads[self.current].ends.push((state.at, result));
        }
    }

    /// The scalar in a cell of the library's own.
    fn read_orderly(&mut self, cell: i64, ty: &Type, place: Place) -> Value {
        let ty = Type {
            atomic: true,
            ..ty.clone()
        };
        self.read(&Value::Known(cell), &ty, place)
    }

    /// The handle of the thread at hand. `main` has one that no other thread has, and that cannot be
    /// joined.
    pub(super) fn own_handle(&self) -> Value {
        Value::Known(match self.current {
            0 => MOST_THREADS as i64,
            created => created as i64,
        })
    }

    /// The cell that is 1 while the thread with this handle has a token; `None` if there is no such
    /// thread.
    pub(super) fn token(&mut self, handle: i64) -> Option<i64> {
        let number = if handle == MOST_THREADS as i64 {
            0
        } else {
            usize::try_from(handle).ok().filter(|number| *number > 0)?
        };
        let created = self.threads.get(number)?;
        if let Some(token) = created.token {
            return Some(token);
        }
        let unit = self.unit;
        let name = format!("{}.token", unit.functions[created.routine.0].name);
        let token = self.place(&name, &int(), Storage::Hidden);
        self.threads[number].token = Some(token);
        Some(token)
    }

    fn wait_for(&mut self, flag: i64, place: Place) {
        if self.options.forbid_stuck {
            let addr = program::Expr::Const(flag as i32);
            self.spin(place, |this| {
                let into = this.temporary();
                this.emit(Op::Load { into, addr }, place);
                program::Expr::Var(into)
            });
            return;
        }
        let into = self.temporary();
        let addr = program::Expr::Const(flag as i32);
        self.emit(Op::Load { into, addr }, place);
        let set = program::Expr::binary(
            BinaryOp::Ne,
            program::Expr::Var(into),
            program::Expr::Const(0),
        );
        self.emit(Op::Assume(set), place);
    }

    /// Which of any number of threads holds a lock is not known where one of them releases it.
    fn refuse_unlock(&mut self, code: &Code, instr: usize) {
        let origin = code.instructions[instr].origin;
        self.report(
            Diagnostic::error(
                "whether this thread holds the lock is not known, and any number of threads execute this",
                origin.start as usize..origin.end as usize,
            )
            .note("release it on the same path as it is taken")
            .note(self.bounded()),
        );
    }
}

/// Whether a type is `char **`.
fn is_pointer_to_texts(ty: &Type) -> bool {
    let text = ty.pointee().and_then(Type::pointee);
    text.is_some_and(|of| matches!(of.kind, TypeKind::Int { bits: 8, .. }))
}
