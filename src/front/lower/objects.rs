//! Objects in memory: where each one is, what it consists of, and what is after its end.
//!
//! A *run* is a range of consecutive elements of one type: an array, with all dimensions, or a scalar
//! or structure by itself. A pointer that is moved stays in its run. If the program moves pointers of a
//! type, one cell, the *guard*, follows each object with such a run, so the address after its end is
//! not that of the next object.
//!
//! **Incomplete:** inside a structure there are no guards. If the address of a pointer is not known,
//! the end of one member of an array type counts as the beginning of the next member of this type.

use super::Lowering;
use super::env::{Env, Home};
use super::layout::{Scalar, bytes, cells, scalars};
use super::lifetime::Variable;
use super::scan::Facts;
use super::thread::Created;
use super::value::UNWRITTEN;
use super::view::{is_scalar, rep, sees};
use crate::lower::typed::{LibraryType, Type, TypeKind, Unit};
use std::ops::{Range, RangeInclusive};

/// How an object came to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Storage {
    /// By a declaration; all 0 at first.
    Static,
    /// By the lowering; all 0 at first. No pointer leads there.
    Hidden,
    /// By a declaration in a function; indeterminate at first.
    Automatic,
    /// By `malloc`; indeterminate at first.
    Heap,
    /// By `calloc`; all 0 at first.
    Cleared,
}

/// An object in memory.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) start: i64,
    pub(super) ty: Type,
    /// The number of its cells.
    pub(super) cells: i64,
    /// The cells after its end, as many as the largest element to which a pointer may be moved has.
    pub(super) guard: Option<RangeInclusive<i64>>,
    /// Whether it was allocated.
    pub(super) on_heap: bool,
    /// The cell that is 1 once it has been freed, or its variable has ended; where that is checked.
    pub(super) mark: Option<i64>,
    /// The variable that it is, and the number of its thread.
    pub(super) owner: Option<(Variable, usize)>,
}

impl Object {
    /// Its cells.
    pub(super) fn range(&self) -> Range<i64> {
        self.start..self.start + self.cells
    }
}

/// Where a pointer to elements of a type may be moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ground {
    /// In this run of elements, and to its end.
    Run(i64, i64),
    /// It points into an object, but not to such an element.
    Other,
    /// It does not point to an object.
    Nothing,
}

/// A type of a library.
pub(super) fn of_library(kind: LibraryType) -> Type {
    Type {
        kind: TypeKind::Library(kind),
        atomic: false,
        volatile: false,
    }
}

/// Whether an object of a library has to be initialised before it is used. What handles and keys stand
/// for is known otherwise.
pub(super) fn is_prepared(kind: LibraryType) -> bool {
    match kind {
        LibraryType::Mutex
        | LibraryType::Spinlock
        | LibraryType::Condition
        | LibraryType::RwLock
        | LibraryType::Barrier
        | LibraryType::Semaphore
        | LibraryType::Once => true,
        LibraryType::Thread | LibraryType::Ignored => false,
    }
}

/// Whether a scalar of an object has no value at first. Barriers and semaphores have none in static
/// storage either: nothing but a call initialises them. All other locks are free if they are 0.
fn begins_empty(ty: &Type, storage: Storage) -> bool {
    match (storage, &ty.kind) {
        (Storage::Automatic | Storage::Heap, TypeKind::Library(kind)) => is_prepared(*kind),
        (Storage::Automatic | Storage::Heap, _) => true,
        (Storage::Static | Storage::Cleared, TypeKind::Library(kind)) => {
            matches!(kind, LibraryType::Barrier | LibraryType::Semaphore)
        }
        (Storage::Static | Storage::Cleared | Storage::Hidden, _) => false,
    }
}

/// Whether pointers to one type can be moved over objects of the other.
fn alike(a: &Type, b: &Type) -> bool {
    if is_scalar(a) && is_scalar(b) {
        sees(rep(a), rep(b)).is_some()
    } else {
        a.kind == b.kind
    }
}

/// The type of what an array consists of, through all dimensions.
pub(super) fn innermost(ty: &Type) -> &Type {
    match &ty.kind {
        TypeKind::Array(element, _) => innermost(element),
        TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Float { .. }
        | TypeKind::Pointer(_)
        | TypeKind::Struct(_)
        | TypeKind::Function(..)
        | TypeKind::Library(_) => ty,
    }
}

/// Collects the runs of elements of a type in an object: the first cell, and the one after the last. The
/// program may walk over a structure by a pointer to a scalar: all of them that follow each other are
/// one run then.
pub(super) fn runs(
    unit: &Unit,
    ty: &Type,
    start: i64,
    of: &Type,
    facts: &Facts,
    found: &mut Vec<(i64, i64)>,
) {
    let whole = (start, start + cells(unit, ty));
    if alike(ty, of) || alike(innermost(ty), of) {
        found.push(whole);
        return;
    }
    if let TypeKind::Struct(id) = innermost(ty).kind
        && facts.walks_over(id, of)
    {
        found.extend(contiguous(unit, ty, start, of));
        return;
    }
    match &ty.kind {
        TypeKind::Array(element, _) if alike(element, of) => found.push(whole),
        TypeKind::Array(element, count) => {
            for index in 0..i64::from(*count) {
                let start = start + index * cells(unit, element);
                runs(unit, element, start, of, facts, found);
            }
        }
        TypeKind::Struct(id) => {
            let of_struct = &unit.structs[id.0];
            let offsets = of_struct.layout.iter().flat_map(|layout| &layout.offsets);
            let (mut start, mut end) = (start, None);
            for (member, offset) in of_struct.stored().iter().zip(offsets) {
                // Members that are such scalars and follow each other are as good as an array.
                if is_scalar(&member.ty) && alike(&member.ty, of) {
                    match found.last_mut() {
                        Some(run) if end == Some(*offset) => run.1 += 1,
                        _ => found.push((start, start + 1)),
                    }
                    end = Some(offset + bytes(unit, of) as u64);
                } else {
                    end = None;
                    runs(unit, &member.ty, start, of, facts, found);
                }
                start += cells(unit, &member.ty);
            }
        }
        TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Float { .. }
        | TypeKind::Pointer(_)
        | TypeKind::Function(..)
        | TypeKind::Library(_) => {}
    }
}

/// The scalars that are seen as this type and follow each other without a gap.
fn contiguous(unit: &Unit, ty: &Type, start: i64, of: &Type) -> Vec<(i64, i64)> {
    let size = bytes(unit, of);
    let all = scalars(unit, ty);
    let fits = |scalar: &Scalar| sees(rep(of), rep(&scalar.ty)).is_some();
    let cells = (start..).zip(&all).filter(|(_, scalar)| fits(scalar));
    let mut found: Vec<(i64, i64)> = Vec::new();
    let mut end = None;
    for (cell, scalar) in cells {
        match found.last_mut() {
            Some(run) if end == Some(scalar.offset) => run.1 = cell + 1,
            _ => found.push((cell, cell + 1)),
        }
        end = Some(scalar.offset + size);
    }
    found
}

impl Lowering<'_> {
    /// Puts an object of this type into new cells, and returns the address of the first.
    pub(super) fn place(&mut self, name: &str, ty: &Type, storage: Storage) -> i64 {
        let unit = self.unit;
        if !matches!(storage, Storage::Static | Storage::Hidden) {
            let routine = self.threads.get(self.current).map(Created::routine);
            let place = routine.map(|routine| unit.functions[routine.0].place);
            if let Some(place) = place {
                self.refuse_in_copies(&format!("`{name}` in memory"), place);
            }
        }
        self.place_before_all();
        let start = self.memory.place(unit, name, ty);
        let count = cells(unit, ty);
        if count == 0 {
            // Its address is that of no other object.
            let ty = of_library(LibraryType::Ignored);
            self.memory.place(unit, &format!("{name}#empty"), &ty);
        }
        if self.test.is_none() {
            for (cell, ty) in (start..).zip(self.scalars(ty)) {
                if begins_empty(&ty, storage) {
                    self.memory.set_initial(cell, UNWRITTEN);
                }
            }
        }
        let is_moved = |of: &&Type| {
            let mut found = Vec::new();
            runs(unit, ty, start, of, &self.facts, &mut found);
            !found.is_empty() || of.is_void()
        };
        let may_leave = storage != Storage::Hidden && self.test.is_none();
        let moved = self.facts.moved().iter().filter(|_| may_leave);
        let size = moved
            .filter(is_moved)
            .map(|of| cells(unit, of).max(1))
            .max();
        let guard = size.map(|size| {
            let mut ty = of_library(LibraryType::Ignored);
            if size > 1 {
                ty.kind = TypeKind::Array(Box::new(ty.clone()), size as u32);
            }
            let first = self.memory.place(unit, &format!("{name}#end"), &ty);
            first..=first + size - 1
        });
        let on_heap = matches!(storage, Storage::Heap | Storage::Cleared);
        let mark = (on_heap && self.facts.frees()).then(|| {
            let ty = of_library(LibraryType::Ignored);
            self.memory.place(unit, &format!("{name}#freed"), &ty)
        });
        if storage != Storage::Hidden {
            self.memory.placed.push(Object {
                start,
                ty: ty.clone(),
                cells: count,
                guard,
                on_heap,
                mark,
                owner: None,
            });
        }
        start
    }

    /// The same for a variable, with a mark if its end has to have one.
    pub(super) fn place_variable(&mut self, name: &str, ty: &Type, variable: Variable) -> i64 {
        let start = self.place(name, ty, Storage::Automatic);
        let key = (variable.function, variable.local);
        let mark = self.learned.ends.contains(&key).then(|| {
            let ty = of_library(LibraryType::Ignored);
            self.memory.place(self.unit, &format!("{name}#ended"), &ty)
        });
        if let Some(object) = self.memory.placed.last_mut() {
            object.mark = mark;
            object.owner = Some((variable, self.current));
        }
        start
    }

    /// Where a known pointer to elements of a type may be moved.
    pub(super) fn ground(&self, address: i64, of: &Type) -> Ground {
        let there = if Env::is_virtual(address) {
            self.local_at(address)
        } else {
            let object = self.memory.object_at(address);
            object.map(|object| (object.start, &object.ty))
        };
        let Some((start, ty)) = there else {
            return Ground::Nothing;
        };
        let mut found = Vec::new();
        runs(self.unit, ty, start, of, &self.facts, &mut found);
        let inside = |run: &&(i64, i64)| (run.0..run.1).contains(&address);
        let at_end = |run: &&(i64, i64)| run.1 == address;
        let run = found.iter().find(inside).or(found.iter().find(at_end));
        run.map_or(Ground::Other, |(first, end)| Ground::Run(*first, *end))
    }

    /// The cell so many bytes from a known one, in its object; its end if that is guarded.
    pub(super) fn bytes_from(&self, address: i64, by: i64) -> Option<i64> {
        let (start, ty, end) = if Env::is_virtual(address) {
            let (start, ty) = self.local_at(address)?;
            (start, ty, None)
        } else {
            let object = self.memory.object_at(address)?;
            let end = object.guard.as_ref().map(|guard| *guard.start());
            (object.start, &object.ty, end)
        };
        let all = scalars(self.unit, ty);
        let size = bytes(self.unit, ty);
        let from = (start..).zip(&all).find(|(cell, _)| *cell == address);
        let from = match from {
            Some((_, scalar)) => scalar.offset,
            None => (end == Some(address)).then_some(size)?,
        };
        let to = from + by;
        let there = (start..).zip(&all).find(|(_, scalar)| scalar.offset == to);
        there.map_or(end.filter(|_| to == size), |(cell, _)| Some(cell))
    }

    /// The bytes from one known address to another in the same object.
    pub(super) fn bytes_between(&self, a: i64, b: i64) -> Option<i64> {
        Some(self.byte_in(b, a)? - self.byte_in(b, b)?)
    }

    /// How many bytes an address is from the beginning of the object at another one.
    fn byte_in(&self, object: i64, address: i64) -> Option<i64> {
        if Env::is_virtual(object) {
            let (start, ty) = self.local_at(object)?;
            let all = scalars(self.unit, ty);
            let index = usize::try_from(address - start).ok()?;
            let end = (index == all.len()).then(|| bytes(self.unit, ty));
            return all.get(index).map(|scalar| scalar.offset).or(end);
        }
        let object = self.memory.object_at(object)?;
        let index = usize::try_from(address - object.start).ok()?;
        let all = self.memory.scalars_of(object);
        if all.len() as i64 != object.cells {
            return None;
        }
        let end = (index == all.len()).then(|| bytes(self.unit, &object.ty));
        all.get(index).map(|scalar| scalar.offset).or(end)
    }

    /// How many bytes a known address is from the beginning of its object, and the object's type.
    pub(super) fn offset_in(&self, address: i64) -> Option<(i64, Type)> {
        let ty = if Env::is_virtual(address) {
            self.local_at(address)?.1
        } else {
            &self.memory.object_at(address)?.ty
        };
        Some((self.byte_in(address, address)?, ty.clone()))
    }

    /// The local in registers that has this address, or ends there: its address and type.
    pub(super) fn local_at(&self, address: i64) -> Option<(i64, &Type)> {
        for frame in &self.env()?.frames {
            for (number, home) in frame.homes.iter().enumerate() {
                if let Home::Slots {
                    slots,
                    address: start,
                } = home
                    && (*start..=*start + slots.len() as i64).contains(&address)
                {
                    let local = &self.unit.functions[frame.function.0].locals[number];
                    return Some((*start, &local.ty));
                }
            }
        }
        None
    }
}
