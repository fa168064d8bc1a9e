//! Threads: created, joined, and the program of all of them.
//!
//! A thread that is created before `main` has executed any instruction starts at once. Any other one
//! waits for a flag, which its creator sets by a locked instruction: the creator's buffer is empty
//! before the thread starts. A thread that is joined sets a flag in the same way when it ends.

use super::Lowering;
use super::code::{Code, Loc, Single};
use super::objects::Storage;
use super::value::Value;
use crate::c::hir::{Expr, FunctionId, TypeKind};
use crate::c::token::Place;
use crate::program::{
    self, BinaryOp, Copies, FencePlace, LocId, Op, Program, ProgramBuilder, RegId, Update,
};
use crate::text::Diagnostic;
use std::collections::BTreeMap;

/// No program has more threads.
const MOST_THREADS: usize = 64;

/// A thread that is created.
#[derive(Debug)]
pub(super) struct Created {
    routine: FunctionId,
    argument: Option<Value>,
    /// The flag that it waits for.
    start: Option<i64>,
    /// The flag that it sets at its end, if it is joined, and the cell of its result.
    done: Option<(i64, i64)>,
    code: Option<Code>,
    /// Where it ends, with the results.
    ends: Vec<(Loc, Option<program::Expr<RegId>>)>,
}

fn flag() -> crate::c::hir::Type {
    crate::c::hir::Type {
        kind: TypeKind::Int {
            bits: 32,
            signed: true,
        },
        atomic: false,
        volatile: false,
    }
}

impl Lowering<'_> {
    /// The whole program, whose first thread executes this function.
    pub(super) fn program(&mut self, name: &str, entry: FunctionId) -> Option<Program> {
        // Objects have their cells in the order of their declarations.
        for id in 0..self.unit.objects.len() {
            if !self.unit.objects[id].thread_local {
                self.address_of_object(crate::c::hir::ObjectId(id));
            }
        }
        self.threads.push(Created {
            routine: entry,
            argument: None,
            start: None,
            done: None,
            code: None,
            ends: Vec::new(),
        });
        let mut next = 0;
        while next < self.threads.len() && self.errors.len() < 100 {
            self.thread(next);
            next += 1;
        }
        if !self.errors.is_empty() {
            return None;
        }
        let mut builder = ProgramBuilder::new(name);
        let mut threads = std::mem::take(&mut self.threads);
        self.memory.seal();
        for code in threads.iter_mut().filter_map(|t| t.code.as_mut()) {
            self.check_once(code);
            self.complete(code);
        }
        if !self.errors.is_empty() {
            return None;
        }
        std::mem::take(&mut self.memory).declare(&mut builder);
        for created in threads {
            let (code, ends, done) = (created.code?, created.ends, created.done);
            if !code.acts() {
                continue;
            }
            finish(&mut builder, code, &ends, done, self.apart);
        }
        match builder.build() {
            Ok(program) => Some(program),
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
        let (routine, argument, start) = (created.routine, created.argument.clone(), created.start);
        let function = &self.unit.functions[routine.0];
        let origin = self.origin(function.place);
        let same = self.threads.iter().filter(|t| t.routine == routine).count();
        let earlier = self.threads[..number]
            .iter()
            .filter(|t| t.routine == routine)
            .count();
        let name = if same > 1 {
            format!("{}.{earlier}", function.name)
        } else {
            function.name.clone()
        };
        self.current = number;
        self.solo = number == 0;
        self.code = Code::new(name, origin);
        self.begin(0);
        if let Some(start) = start {
            self.wait_for(start, function.place);
        }
        let argument = argument.into_iter().map(|value| vec![value]).collect();
        let values = self.inline(routine, argument, function.place);
        let result = values.first().map(|value| {
            let ty = function.returns.clone();
            self.dynamic_of(value, Some(&ty), function.place)
        });
        if let Some(state) = self.state.take() {
            self.threads[number].ends.push((state.at, result));
        }
        let code = std::mem::replace(&mut self.code, Code::new(String::new(), origin));
        self.threads[number].code = Some(code);
    }

    /// `pthread_exit`: the thread ends here, with this result.
    pub(super) fn end_thread(&mut self, result: Option<program::Expr<RegId>>) {
        if let Some(state) = self.state.take() {
            self.threads[self.current].ends.push((state.at, result));
        }
    }

    fn wait_for(&mut self, flag: i64, place: Place) {
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

    /// Creates a thread; `at`: where the handle, the routine and the argument are among the
    /// arguments.
    pub(super) fn create(&mut self, arguments: &[Expr], at: [usize; 3], place: Place) -> Value {
        let [handle, routine, argument] = at;
        if self.state.is_none() {
            return Value::ZERO;
        }
        let (Some(handle), Some(routine)) = (arguments.get(handle), arguments.get(routine)) else {
            return Value::ZERO;
        };
        let function = self.eval(routine);
        let value = arguments.get(argument).map(|e| self.eval(e));
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
        let number = self.threads.len();
        let function = &self.unit.functions[id.0];
        // What is only known at run time is handed over in memory.
        let argument = match value {
            Some(value @ Value::Known(_)) => {
                if value.known().is_some_and(super::env::Env::is_virtual) {
                    self.pointer_bits(&value, place);
                }
                self.publish(value.known().unwrap_or_default());
                Some(value)
            }
            Some(Value::Unknown(_)) => {
                self.error(
                    "the argument of a thread must be known where the thread is created",
                    place,
                );
                None
            }
            None => None,
        };
        let is_first = self.current == 0 && !self.code.acts();
        let start = if is_first {
            None
        } else {
            let name = format!("{}.started", function.name);
            let cell = self.place(&name, &flag(), Storage::Hidden);
            self.locked(
                &Value::Known(cell),
                Update::Exchange(program::Expr::Const(1)),
                place,
            );
            Some(cell)
        };
        self.solo = false;
        self.once_only(Single::Creation, place);
        self.threads.push(Created {
            routine: id,
            argument,
            start,
            done: None,
            code: None,
            ends: Vec::new(),
        });
        let address = self.eval(handle);
        if let TypeKind::Pointer(to) = &handle.ty.kind {
            let ty = (**to).clone();
            self.write(&address, &ty, Value::Known(number as i64), place);
        }
        Value::ZERO
    }

    pub(super) fn refuse_creation(&mut self, place: Place) {
        self.report(
            Diagnostic::error(
                "a thread is created in a loop whose number of iterations is not known",
                self.positions.span(place),
            )
            .note("bound the loop by a constant"),
        );
    }

    /// Waits for a thread to end.
    pub(super) fn join_thread(&mut self, arguments: &[Expr], place: Place) -> Value {
        let Some(handle) = arguments.first() else {
            return Value::ZERO;
        };
        let value = self.eval(handle);
        if self.state.is_none() {
            return Value::ZERO;
        }
        let number = value.known().and_then(|n| usize::try_from(n).ok());
        let Some(number) = number.filter(|n| (1..self.threads.len()).contains(n)) else {
            self.error(
                "which thread is joined here is not known when the program is read",
                place,
            );
            return Value::ZERO;
        };
        let done = if let Some(done) = self.threads[number].done {
            done
        } else {
            let routine = self.threads[number].routine;
            let name = self.unit.functions[routine.0].name.clone();
            let cell = self.place(&format!("{name}.done"), &flag(), Storage::Hidden);
            let result = if self.wants_result(arguments) {
                let ty = self.unit.functions[routine.0].returns.clone();
                self.place(&format!("{name}.result"), &ty, Storage::Hidden)
            } else {
                0
            };
            self.threads[number].done = Some((cell, result));
            (cell, result)
        };
        self.wait_for(done.0, place);
        if let Some(to) = arguments.get(1).filter(|_| self.wants_result(arguments)) {
            let address = self.eval(to);
            let pointee = match &to.ty.kind {
                TypeKind::Pointer(pointee) => (**pointee).clone(),
                _ => flag(),
            };
            if done.1 == 0 {
                self.error("this thread is joined elsewhere without its result", place);
            }
            let result = self.read(&Value::Known(done.1), &pointee, place);
            self.write(&address, &pointee, result, place);
        }
        Value::ZERO
    }

    fn wants_result(&mut self, arguments: &[Expr]) -> bool {
        let Some(to) = arguments.get(1) else {
            return false;
        };
        self.eval(to) != Value::ZERO
    }
}

/// Adds a thread to the program, without steps that do nothing.
fn finish(
    builder: &mut ProgramBuilder,
    mut code: Code,
    ends: &[(Loc, Option<program::Expr<RegId>>)],
    done: Option<(i64, i64)>,
    apart: bool,
) {
    let origin = code.origin;
    if let Some((flag, result)) = done {
        for (at, value) in ends {
            let mut at = *at;
            if result != 0 {
                let value = value.clone().unwrap_or(program::Expr::Const(0));
                let addr = program::Expr::Const(result as i32);
                at = code.step(at, Op::Store { addr, value }, origin);
            }
            let into = code.register("$t");
            let update = Update::Exchange(program::Expr::Const(1));
            let addr = program::Expr::Const(flag as i32);
            code.step(at, Op::Rmw { into, addr, update }, origin);
        }
    }
    let target = merged(&code);
    let thread = builder.thread(code.name.clone(), Copies::One, origin);
    for name in &code.registers {
        builder.register(thread, name.clone(), 0);
    }
    let mut locations: BTreeMap<Loc, LocId> = BTreeMap::new();
    let mut reached = vec![target[0]];
    let mut order = Vec::new();
    let mut seen = vec![false; code.locations.len()];
    seen[target[0]] = true;
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); code.locations.len()];
    for (index, instr) in code.instructions.iter().enumerate() {
        outgoing[instr.from].push(index);
    }
    while let Some(at) = reached.pop() {
        let origin = code.locations[at];
        locations.insert(at, builder.location(thread, origin));
        for &index in &outgoing[at] {
            order.push(index);
            let to = target[code.instructions[index].to];
            if !std::mem::replace(&mut seen[to], true) {
                reached.push(to);
            }
        }
    }
    order.sort_unstable();
    builder.entry(thread, locations[&target[0]]);
    for index in order {
        let instr = &code.instructions[index];
        let (from, to) = (locations[&instr.from], locations[&target[instr.to]]);
        let id = builder.instruction(thread, from, instr.op.clone(), to, instr.origin);
        if instr.limit {
            builder.limit(thread, id);
        }
        if let Some(fault) = instr.fault {
            builder.fault(thread, id, fault);
        }
        if apart && !instr.position {
            // A fence here could not be written.
            builder.fence_place(thread, id, FencePlace::Forbidden);
        }
    }
}

/// For each location the one where control is after all steps that do nothing and are the only ones to
/// leave.
fn merged(code: &Code) -> Vec<Loc> {
    let mut only: Vec<Option<Loc>> = vec![None; code.locations.len()];
    let mut count = vec![0; code.locations.len()];
    for instr in &code.instructions {
        count[instr.from] += 1;
        if instr.op == Op::Skip && !instr.position {
            only[instr.from] = Some(instr.to);
        }
    }
    (0..code.locations.len())
        .map(|start| {
            let mut at = start;
            let mut steps = 0;
            while let (Some(next), 1) = (only[at], count[at]) {
                at = next;
                steps += 1;
                // A loop that does nothing stays one.
                if steps > code.locations.len() {
                    return start;
                }
            }
            at
        })
        .collect()
}
