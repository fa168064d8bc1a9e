//! What an access sees of memory that holds another type: the one definition, for all the ways in which
//! C and Rust look at an object through a pointer to something else.
//!
//! | the cell holds | the access is one of | what is seen |
//! |---|---|---|
//! | an integer | an integer of this width, signed or not | the same bits |
//! | a 64-bit integer | a pointer, or the other way round | the number as a pointer, and back (`pointer`) |
//! | a pointer | a pointer to another type | the same address, and what is there has to fit again |
//! | anything | anything else | nothing: the access is refused |
//!
//! A view is decided for the cell, so the cell has to be known. By a known address it is. All others rest
//! on types:
//!
//! **Invariant.** A pointer to `T` that is a value at run time is null, a number, the end of an object or of an
//! array in it, or the address of a cell from which on the scalars of `T` are at the same distances in bytes, and there is
//! a view of each.
//!
//! Conversions establish it, and known pointers when they become values at run time. Two facts weaken
//! it, and a program that does nothing of this kind pays nothing for them:
//!
//! * Once a pointer to `T` may lead to a cell that is represented otherwise, `T` is *recast*: accesses of
//!   this type look at the address first (`recast`).
//! * Once a pointer in memory may be stored as one to another type, pointers to that type are
//!   *doubtful*: where one is loaded, its target is checked as if it had been a `void *`.
//!
//! **Incomplete:** parts of scalars, and several scalars as one, are refused, unless `words` has made one cell of each
//! part.

use super::Lowering;
use super::bounds::root;
use super::deferred::one_of;
use super::env::Env;
use super::layout::{Scalar, scalar_at, scalars};
use super::objects::Object;
use super::pointer::{LEAST, NUMBERS};
use super::value::{UNSET, Value, binary, c, shape};
use crate::lower::typed::{LibraryType, Type, TypeKind, Unit};
use crate::program::{self, BinaryOp, Fault, RegId};
use crate::text::{Diagnostic, Place};
use std::ops::Range;

type Bits = program::Expr<RegId>;

/// How the values of a scalar type are represented in a cell. Integers of 32 bits are the same 32 bits
/// whatever their sign, and those of 64 bits are sign-extended from 32 (`wide`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Rep {
    Bool,
    /// Sign- or zero-extended.
    Narrow {
        bits: u8,
        signed: bool,
    },
    Word,
    Long,
    Float {
        bits: u8,
    },
    Pointer,
    Library(LibraryType),
}

/// How an access sees a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum View {
    /// As it is.
    Same,
    /// Converted.
    Converted,
}

pub(super) fn rep(ty: &Type) -> Rep {
    match ty.kind {
        TypeKind::Bool => Rep::Bool,
        TypeKind::Int { bits: 64, .. } => Rep::Long,
        TypeKind::Int { bits: 32, .. } => Rep::Word,
        TypeKind::Int { bits, signed } => Rep::Narrow { bits, signed },
        TypeKind::Library(library) => Rep::Library(library),
        TypeKind::Float { bits } => Rep::Float { bits },
        TypeKind::Void
        | TypeKind::Pointer(_)
        | TypeKind::Array(..)
        | TypeKind::Struct(_)
        | TypeKind::Function(..) => Rep::Pointer,
    }
}

/// What an access sees of a cell; `None` if nothing.
pub(super) fn sees(access: Rep, cell: Rep) -> Option<View> {
    match (access, cell) {
        (a, b) if a == b => Some(View::Same),
        (Rep::Narrow { bits: a, .. }, Rep::Narrow { bits: b, .. }) if a == b => {
            Some(View::Converted)
        }
        (Rep::Long, Rep::Pointer) | (Rep::Pointer, Rep::Long) => Some(View::Converted),
        _ => None,
    }
}

/// Whether a type is one scalar.
pub(super) fn is_scalar(ty: &Type) -> bool {
    match ty.kind {
        TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Float { .. }
        | TypeKind::Pointer(_)
        | TypeKind::Library(_) => true,
        TypeKind::Void | TypeKind::Array(..) | TypeKind::Struct(_) | TypeKind::Function(..) => {
            false
        }
    }
}

/// A type without qualifiers, also in what it points to.
pub(super) fn unqualified(ty: &Type) -> Type {
    let kind = match &ty.kind {
        TypeKind::Pointer(to) => TypeKind::Pointer(Box::new(unqualified(to))),
        TypeKind::Array(element, count) => TypeKind::Array(Box::new(unqualified(element)), *count),
        kind => kind.clone(),
    };
    Type {
        kind,
        atomic: false,
        volatile: false,
    }
}

/// Whether there are these scalars, all at the same distances in bytes, with a view of each.
fn agree(wanted: &[Scalar], there: &[Scalar]) -> bool {
    let (Some(first), Some(base)) = (wanted.first(), there.first()) else {
        return wanted.is_empty();
    };
    let moved = base.offset - first.offset;
    wanted.len() <= there.len()
        && wanted.iter().zip(there).all(|(wanted, there)| {
            wanted.offset + moved == there.offset && sees(rep(&wanted.ty), rep(&there.ty)).is_some()
        })
}

/// Whether an object of one type begins with one of the other.
pub(crate) fn begins_with(unit: &Unit, whole: &Type, part: &Type) -> bool {
    agree(&scalars(unit, part), &scalars(unit, whole))
}

impl Lowering<'_> {
    // Accesses.

    /// The type that the cell has which an access of a scalar of this type reaches, with the access's
    /// qualifiers: values are converted between both. If the cell is not known, it is the type of the
    /// access. `None` if nothing is accessed: a violation ends the execution, or the access is refused.
    pub(super) fn seen(&mut self, address: &Value, ty: &Type, place: Place) -> Option<Type> {
        if let Value::Known(known) = address {
            self.check_lifetime(*known, place);
        }
        self.state.as_ref()?;
        let Some(kind) = self.cell_of(address, ty) else {
            return Some(ty.clone());
        };
        let cell = Type { kind, ..ty.clone() };
        // Locks and the like are accessed as numbers, by their own operations only.
        let is_opaque = |ty: &Type| matches!(ty.kind, TypeKind::Library(_));
        if is_opaque(&cell) || is_opaque(ty) {
            return Some(ty.clone());
        }
        if sees(rep(ty), rep(&cell)).is_none() {
            let (there, own) = (shape(&cell).bits, shape(ty).bits);
            self.error(
                format!("an object of {there} bits is accessed as one of {own} bits"),
                place,
            );
            return None;
        }
        Some(cell)
    }

    /// The type of the cell at an address, if it is known.
    fn cell_of(&self, address: &Value, ty: &Type) -> Option<TypeKind> {
        match address {
            Value::Known(known) if Env::is_virtual(*known) => {
                let (start, local) = self.local_at(*known)?;
                let scalar = scalar_at(self.unit, local, *known - start);
                scalar.map(|ty| ty.kind.clone())
            }
            Value::Known(known) => self.memory.scalar(*known).map(|cell| cell.ty.kind.clone()),
            // All cells of the object may be alike.
            Value::Unknown(e) => {
                if !self.learned.recast.contains(&rep(ty)) {
                    return None;
                }
                let object = self.memory.object_at(root(e)?)?;
                let all = self.memory.scalars_of(object);
                let first = all.first()?;
                let alike = |scalar: &Scalar| unqualified(&scalar.ty) == unqualified(&first.ty);
                all.iter().all(alike).then(|| first.ty.kind.clone())
            }
        }
    }

    /// What was read from a cell of one type, as a value of the type of the access.
    pub(super) fn as_seen(&mut self, value: Value, cell: &Type, ty: &Type, place: Place) -> Value {
        if value == Value::Known(UNSET) {
            return value;
        }
        if let TypeKind::Pointer(to) = &cell.kind
            && !self.learned.doubtful.is_empty()
            && self.learned.doubtful.contains(&unqualified(to))
        {
            self.check_target(&value, &super::value::void(), to, place);
        }
        if cell.kind == ty.kind {
            value
        } else {
            self.convert(value, cell, ty, place)
        }
    }

    /// A value of the type of an access, as it is stored in a cell of one type.
    pub(super) fn as_stored(
        &mut self,
        value: Value,
        ty: &Type,
        cell: &Type,
        place: Place,
    ) -> Value {
        if cell.kind == ty.kind || value == Value::Known(UNSET) {
            value
        } else {
            self.convert(value, ty, cell, place)
        }
    }

    /// An access after the end of an object is a violation, and so is one of an own variable that has
    /// ended, and of a freed block while `main` is alone.
    fn check_lifetime(&mut self, known: i64, place: Place) {
        if self.state.is_none() {
            return;
        }
        let Some(object) = self.memory.object_at(known) else {
            return;
        };
        if object
            .guard
            .as_ref()
            .is_some_and(|guard| guard.contains(&known))
        {
            self.violation(Fault::Bounds, place);
            return;
        }
        if let Some((variable, thread)) = object.owner
            && thread == self.current
            && !self.is_alive(variable.activation, variable.local)
        {
            self.violation(Fault::Ended, place);
            return;
        }
        let mark = object.mark.and_then(|mark| self.memory.initial(mark));
        if self.solo && object.on_heap && mark == Some(1) {
            self.violation(Fault::Freed, place);
        }
    }

    // Pointers.

    /// A pointer to one type becomes one to another.
    pub(super) fn retype(&mut self, value: &Value, from: &Type, to: &Type, place: Place) {
        if matches!(value, Value::Unknown(_)) && unqualified(from) != unqualified(to) {
            self.now.reshaped.insert(unqualified(from));
        }
        if matches!(to.kind, TypeKind::Void | TypeKind::Function(..))
            || matches!(from.kind, TypeKind::Function(..))
            || self.state.is_none()
            || unqualified(from) == unqualified(to)
        {
            return;
        }
        match value {
            Value::Known(address) => {
                // What a scalar sees there is decided when it is accessed, but for locks and the like.
                let there = self.cell_of(value, to);
                let is_opaque = |kind: &TypeKind| matches!(kind, TypeKind::Library(_));
                let is_open =
                    is_scalar(to) && !is_opaque(&to.kind) && !there.as_ref().is_some_and(is_opaque);
                if !is_open && self.fits_at(*address, to).is_none() {
                    self.refuse_view(place);
                }
            }
            Value::Unknown(_) => {
                let (whole, part) = (scalars(self.unit, from), scalars(self.unit, to));
                let is_void = matches!(from.kind, TypeKind::Void) || self.is_stray(from);
                let is_longer = part.len() > whole.len();
                let fits = agree(&part, &whole) || is_longer && agree(&whole, &part);
                if !is_void && !fits {
                    self.refuse_view(place);
                    return;
                }
                for (scalar, there) in part.iter().zip(&whole) {
                    self.note_view(&scalar.ty, &there.ty);
                }
                if is_void || is_longer {
                    self.check_target(value, from, to, place);
                }
            }
        }
    }

    /// A known pointer to this type becomes a value at run time.
    pub(super) fn admit(&mut self, address: i64, to: &Type, place: Place) {
        if matches!(to.kind, TypeKind::Void | TypeKind::Function(..)) {
            return;
        }
        match self.fits_at(address, to) {
            Some(views) => {
                for (scalar, there) in views {
                    self.note_view(&scalar.ty, &there.ty);
                }
            }
            None if self.is_end_of_some(address, to) => {
                let count = scalars(self.unit, to).len() as i64;
                self.after_arrays.extend(address..address + count);
            }
            None => self.refuse_view(place),
        }
    }

    /// Whether an object of a type ends at an address inside a larger object. Nothing may be accessed there by a
    /// pointer to that type, but loops compare with it: `for (p = s->items; p < s->items + N; p++)`.
    fn is_end_of_some(&self, address: i64, to: &Type) -> bool {
        let before = address - scalars(self.unit, to).len() as i64;
        let object = (!Env::is_virtual(address)).then(|| self.memory.object_at(address));
        object
            .flatten()
            .is_some_and(|object| object.start <= before)
            && self
                .fits_at(before, to)
                .is_some_and(|views| !views.is_empty())
    }

    /// The scalars that a type has, each with what there is from an address on; `None` if they do not
    /// fit. The end of an object, and what is no object, fit everything, and have nothing.
    fn fits_at(&self, address: i64, to: &Type) -> Option<Vec<(Scalar, Scalar)>> {
        let part = scalars(self.unit, to);
        let Some(there) = self.scalars_at(address, part.len()) else {
            return Some(Vec::new());
        };
        agree(&part, &there).then(|| part.into_iter().zip(there).collect())
    }

    /// The scalars from an address on, up to so many and to the end of its object; `None` if there is no
    /// object, or only its end.
    fn scalars_at(&self, address: i64, count: usize) -> Option<Vec<Scalar>> {
        let found: Vec<Scalar> = if Env::is_virtual(address) {
            let (start, ty) = self.local_at(address)?;
            let from = (address - start) as usize;
            let all = scalars(self.unit, ty).into_iter();
            all.skip(from).take(count.max(1)).collect()
        } else {
            let object = self.memory.object_at(address)?;
            let from = (address - object.start) as usize;
            let all = self.memory.scalars_of(object).iter();
            all.skip(from).take(count.max(1)).cloned().collect()
        };
        (!found.is_empty()).then_some(found)
    }

    /// A condition that a pointer is null, a number, or points to an object of a type or to its end;
    /// `None` if all objects have this type.
    pub(super) fn points_to(&mut self, pointer: &Bits, to: &Type) -> Option<Bits> {
        let part = scalars(self.unit, to);
        if part.is_empty() {
            return None;
        }
        let mut fitting: Vec<i64> = Vec::new();
        let mut all = true;
        let objects = std::mem::take(&mut self.memory.placed);
        for object in &objects {
            let here = self.fitting(object, &part);
            all &= here.len() as i64 >= object.cells;
            // Its end, if nothing else is so near that an access there would reach it.
            let guard = object.guard.as_ref();
            let guard = guard.filter(|guard| guard.end() - guard.start() + 1 >= part.len() as i64);
            let end = guard.map(|guard| *guard.start());
            fitting.extend(end.filter(|_| !here.is_empty()));
            fitting.extend(here);
        }
        self.memory.placed = objects;
        if all {
            return None;
        }
        fitting.sort_unstable();
        fitting.dedup();
        let is_null = binary(BinaryOp::Eq, pointer.clone(), c(0));
        let is_number = binary(BinaryOp::Ge, pointer.clone(), c((NUMBERS + LEAST) as i32));
        let holds = binary(BinaryOp::Or, is_null, is_number);
        Some(binary(BinaryOp::Or, holds, one_of(&fitting, pointer)))
    }

    /// The cells of an object where the scalars of a type are; notes the views of them.
    fn fitting(&mut self, object: &Object, part: &[Scalar]) -> Vec<i64> {
        let all = self.memory.scalars_of(object).to_vec();
        let mut found = Vec::new();
        for from in 0..all.len() {
            let there = &all[from..];
            if agree(part, there) {
                found.push(object.start + from as i64);
                for (scalar, there) in part.iter().zip(there) {
                    self.note_view(&scalar.ty, &there.ty);
                }
            }
        }
        found
    }

    /// A pointer that is a value at run time may lead to any cell of a run.
    pub(super) fn note_run(&mut self, run: Range<i64>, of: &Type) {
        if !is_scalar(of) {
            return;
        }
        for address in run {
            let there = self.cell_of(&Value::Known(address), of);
            if let Some(kind) = there.filter(|kind| *kind != of.kind) {
                self.note_view(of, &Type { kind, ..of.clone() });
            }
        }
    }

    /// A pointer that is a value at run time may lead to a scalar of this type and see it as the other.
    fn note_view(&mut self, access: &Type, cell: &Type) {
        if rep(access) != rep(cell) {
            self.now.recast.insert(rep(access));
        }
        let (mut a, mut b) = (access, cell);
        while let (TypeKind::Pointer(seen), TypeKind::Pointer(there)) = (&a.kind, &b.kind) {
            (a, b) = (seen, there);
            let (seen, there) = (unqualified(a), unqualified(b));
            if seen == there {
                break;
            }
            let doubtful = [seen, there].into_iter();
            let such =
                doubtful.filter(|ty| !matches!(ty.kind, TypeKind::Void | TypeKind::Function(..)));
            self.now.doubtful.extend(such);
        }
    }

    /// A member of a union is accessed whose cells are those of another member.
    pub(super) fn note_member(&mut self, of: &Type, index: usize) {
        let TypeKind::Struct(id) = of.kind else {
            return;
        };
        let unit = self.unit;
        let known = &unit.structs[id.0];
        if known.union.is_some_and(|stored| stored != index)
            && let Some(member) = known.members.get(index)
        {
            let (part, there) = (scalars(unit, &member.ty), scalars(unit, of));
            for (scalar, there) in part.iter().zip(&there) {
                self.note_view(&scalar.ty, &there.ty);
            }
        }
    }

    fn refuse_view(&mut self, place: Place) {
        self.report(
            Diagnostic::error(
                "a pointer is converted to one to objects of another size or structure",
                self.positions.span(place),
            )
            .note("memory consists of whole scalars here, which have no bytes"),
        );
    }
}
