//! How long variables live: until the block ends that declares them, parameters until the function ends.
//!
//! Which variables live is a question of where the walk is in the text, so `alive` follows the blocks. A
//! variable in registers is accessed by its own thread alone, at a known address: the walk sees that it
//! has ended. One in memory has a *mark*, a cell that is 1 from the end of its block on, and 0 again when
//! the block is entered again. An access that may reach it and is not certainly within its life looks at
//! the mark first (`deferred`). The mark is an ordinary store: for the reason why that is enough see
//! `free`.
//!
//! Whether any access needs the mark is known at the end of the walk: then the next one has it
//! (`Learned::ends`), and all others do without.
//!
//! **Incomplete:** a block that is entered again has its variables in the same cells. An access of the
//! earlier ones is found until then only. Variables of a statement expression live as long as those of
//! the block around it. The process ends with the function that it executes, so its variables do not.

use super::Lowering;
use super::env::{Env, Home};
use super::follow::Ended;
use super::layout::{is_zero_in_union, path_offset};
use super::objects::is_prepared;
use super::value::{UNSET, Value, c};
use crate::lower::typed::{
    Expr, FunctionId, Initialised, LocalId, Path, Stmt, StmtKind, Type, TypeKind,
};
use crate::program::{Op, Ordering};
use crate::text::Place;

/// A local of an activation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Variable {
    pub(super) activation: usize,
    pub(super) function: FunctionId,
    pub(super) local: LocalId,
}

impl Lowering<'_> {
    /// A declaration: the variable lives, with its initial value or none.
    pub(super) fn declare(
        &mut self,
        local: LocalId,
        init: &[(Path, Expr)],
        initialised: Initialised,
        place: Place,
    ) {
        self.begin_life(local);
        let Some(frame) = self.env().and_then(|env| env.frames.last()) else {
            return;
        };
        let function = &self.unit.functions[frame.function.0];
        let ty = function.locals[local.0].ty.clone();
        let Some(address) = self.address_of_local(local) else {
            return;
        };
        let is_again = self.begin_again(local, address, place);
        let scalars = self.scalars(&ty);
        let mut values: Vec<Option<Value>> = vec![None; scalars.len()];
        let mut is_copied = false;
        for (path, e) in init {
            if is_zero_in_union(self.unit, &ty, path, e) {
                continue;
            }
            let offset = path_offset(self.unit, &ty, path) as usize;
            // An aggregate is initialised by an expression of its type as a whole.
            let is_whole = matches!(e.ty.kind, TypeKind::Struct(_) | TypeKind::Array(..));
            is_copied |= is_whole && !self.is_word(&e.ty);
            let own = self.scalars(&e.ty);
            for (at, value) in self.eval_all(e).into_iter().enumerate() {
                // In a union the cell may be that of another member.
                let value = match (own.get(at), scalars.get(offset + at)) {
                    (Some(own), Some(cell)) => self.as_stored(value, own, cell, place),
                    _ => value,
                };
                if let Some(place) = values.get_mut(offset + at) {
                    *place = Some(value);
                }
            }
        }
        let is_slot = Env::is_virtual(address);
        for (at, ty) in scalars.iter().enumerate() {
            let value = match (values[at].take(), initialised) {
                (Some(value), _) => value,
                (None, Initialised::No) if is_slot && is_unset(ty) => {
                    Value::Known(self.before_assignment())
                }
                (None, Initialised::No) if !is_slot => {
                    if is_again && is_unset(ty) {
                        self.unset(address + at as i64, ty, place);
                    }
                    continue;
                }
                (None, Initialised::Yes | Initialised::No) => Value::ZERO,
            };
            let address = Value::Known(address + at as i64);
            if is_copied {
                self.write_copied(&address, ty, value, place);
            } else {
                self.write(&address, ty, value, place);
            }
        }
    }

    /// Whether the walk is where this local of this activation lives.
    pub(super) fn is_alive(&self, activation: usize, local: LocalId) -> bool {
        let mut alive = self.alive.iter();
        alive.any(|variable| variable.activation == activation && variable.local == local)
    }

    /// Those of the living variables that are in memory.
    pub(super) fn alive_in_memory(&self) -> Vec<Variable> {
        let in_memory = &self.learned.in_memory;
        let alive = self.alive.iter();
        let such = alive.filter(|alive| in_memory.contains(&(alive.function, alive.local)));
        such.copied().collect()
    }

    /// A local of the function at hand begins to live, if it does not yet.
    pub(super) fn begin_life(&mut self, local: LocalId) {
        if let Some((activation, function)) = self.control.activation
            && !self.is_alive(activation, local)
        {
            self.alive.push(Variable {
                activation,
                function,
                local,
            });
        }
    }

    /// The statements of a block, and the end of what they declare.
    pub(super) fn block(&mut self, stmts: &[Stmt], place: Place) {
        let before = self.alive.len();
        if self.jumps > 0 {
            // A jump back may lead from after a declaration to before it.
            let outside = self.alive.clone();
            self.declare_all(stmts);
            self.moved_from(&outside, place);
        }
        self.stmts(stmts);
        self.end_of_block(place);
        self.end_lives(before, place);
        self.alive.truncate(before);
    }

    /// All that these statements declare lives from here on.
    pub(super) fn declare_all(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            if let StmtKind::Declare(local, ..) = stmt.kind {
                self.begin_life(local);
            }
        }
    }

    /// The path at hand leaves the blocks of all variables from this one on.
    pub(super) fn end_lives(&mut self, from: usize, place: Place) {
        for variable in self.alive.get(from..).unwrap_or_default().to_vec() {
            self.mark_end(variable, 1, place);
        }
    }

    /// The path at hand leaves the function, unless the process ends with that.
    pub(super) fn leave(&mut self, place: Place) {
        let is_process = self.options.ends_with_entry
            && self.current == 0
            && self.env().is_some_and(|env| env.frames.len() == 1);
        if !is_process {
            self.end_lives(self.control.floor, place);
            if let Some((activation, _)) = self.control.activation {
                self.end_stacked(Some(activation), place);
            }
        }
    }

    /// The path at hand comes by a jump from where these were alive.
    pub(super) fn moved_from(&mut self, before: &[Variable], place: Place) {
        self.moved(before, &self.alive.clone(), place);
    }

    /// The path at hand jumps from where these are alive to where those are.
    pub(super) fn moved(&mut self, from: &[Variable], to: &[Variable], place: Place) {
        for variable in from.iter().filter(|variable| !to.contains(variable)) {
            self.mark_end(*variable, 1, place);
        }
        for variable in to.iter().filter(|variable| !from.contains(variable)) {
            self.mark_end(*variable, 0, place);
        }
    }

    /// A declaration without an initialiser of variables in memory, or one with: they live, and if they
    /// may have lived before, their contents are indeterminate again.
    fn begin_again(&mut self, local: LocalId, address: i64, place: Place) -> bool {
        let Some((activation, function)) = self.control.activation else {
            return false;
        };
        let is_first = self.declared.insert((activation, local));
        let is_again = !is_first || self.loops > 0 || self.jumps > 0;
        if is_again && !Env::is_virtual(address) && self.jumps == 0 {
            let variable = Variable {
                activation,
                function,
                local,
            };
            self.mark_end(variable, 0, place);
        }
        is_again && self.test.is_none()
    }

    /// A scalar in memory has no value any more.
    fn unset(&mut self, address: i64, ty: &Type, place: Place) {
        self.write_copied(&Value::Known(address), ty, Value::Known(UNSET), place);
    }

    /// Sets the mark of a variable that is in memory.
    fn mark_end(&mut self, variable: Variable, value: i32, place: Place) {
        if self.test.is_some() || self.is_after_all() {
            return;
        }
        let frames = self.env().map_or(&[][..], |env| &env.frames);
        let mut frames = frames.iter();
        let Some(frame) = frames.find(|frame| frame.activation == variable.activation) else {
            return;
        };
        let Home::Cells(address) = frame.homes[variable.local.0] else {
            return;
        };
        if value == 1 {
            self.ends_here(Ended::Object(address));
        }
        let object = self.memory.object_at(address);
        let Some(mark) = object.and_then(|object| object.mark) else {
            return;
        };
        if self.solo {
            self.memory.set_initial(mark, value);
        } else {
            let (addr, value) = (c(mark as i32), c(value));
            self.emit_as(Op::Store { addr, value }, Ordering::Relaxed, place);
        }
    }
}

/// Whether a variable of this type has no value at first.
fn is_unset(ty: &Type) -> bool {
    match ty.kind {
        TypeKind::Library(kind) => is_prepared(kind),
        TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Float { .. }
        | TypeKind::Pointer(_)
        | TypeKind::Array(..)
        | TypeKind::Struct(_)
        | TypeKind::Function(..) => true,
    }
}
