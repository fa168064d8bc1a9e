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
use super::lifetime::Variable;
use super::memory::cells;
use super::thread::Created;
use super::value::{UNWRITTEN, shape};
use crate::lower::typed::{LibraryType, Type, TypeKind, Unit};
use std::ops::RangeInclusive;

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
        LibraryType::Thread | LibraryType::Key | LibraryType::Ignored => false,
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

/// Whether pointers to one type can point to objects of the other.
pub(super) fn alike(a: &Type, b: &Type) -> bool {
    let is_scalar = |ty: &Type| {
        matches!(
            ty.kind,
            TypeKind::Bool | TypeKind::Int { .. } | TypeKind::Pointer(_)
        )
    };
    if is_scalar(a) && is_scalar(b) {
        shape(a).bits == shape(b).bits
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
        | TypeKind::Pointer(_)
        | TypeKind::Struct(_)
        | TypeKind::Function(..)
        | TypeKind::Library(_) => ty,
    }
}

/// Collects the runs of elements of a type in an object: the first cell, and the one after the last.
pub(super) fn runs(unit: &Unit, ty: &Type, start: i64, of: &Type, found: &mut Vec<(i64, i64)>) {
    let whole = (start, start + cells(unit, ty));
    if matches!(of.kind, TypeKind::Void) || alike(ty, of) || alike(innermost(ty), of) {
        found.push(whole);
        return;
    }
    match &ty.kind {
        TypeKind::Array(element, _) if alike(element, of) => found.push(whole),
        TypeKind::Array(element, count) => {
            for index in 0..i64::from(*count) {
                let start = start + index * cells(unit, element);
                runs(unit, element, start, of, found);
            }
        }
        TypeKind::Struct(id) => {
            let mut start = start;
            for member in &unit.structs[id.0].members {
                runs(unit, &member.ty, start, of, found);
                start += cells(unit, &member.ty);
            }
        }
        TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Pointer(_)
        | TypeKind::Function(..)
        | TypeKind::Library(_) => {}
    }
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
        let start = self.memory.place(unit, name, ty);
        let count = cells(unit, ty);
        if self.test.is_none() {
            for (cell, ty) in (start..).zip(self.scalars(ty)) {
                if begins_empty(&ty, storage) {
                    self.memory.set_initial(cell, UNWRITTEN);
                }
            }
        }
        let is_moved = |of: &&Type| {
            let mut found = Vec::new();
            runs(unit, ty, start, of, &mut found);
            !found.is_empty()
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

    /// The run that a known pointer to elements of a type points into, or to the end of. If the object
    /// has none, that is the whole object. `None` if there is no object.
    pub(super) fn run_at(&self, address: i64, of: &Type) -> Option<(i64, i64)> {
        let (start, ty) = if Env::is_virtual(address) {
            self.local_at(address)?
        } else {
            let object = self.memory.object_at(address)?;
            (object.start, object.ty.clone())
        };
        let mut found = Vec::new();
        runs(self.unit, &ty, start, of, &mut found);
        let inside = |run: &&(i64, i64)| (run.0..run.1).contains(&address);
        let at_end = |run: &&(i64, i64)| run.1 == address;
        let run = found.iter().find(inside).or(found.iter().find(at_end));
        Some(*run.unwrap_or(&(start, start + cells(self.unit, &ty))))
    }

    /// The local in registers that has this address, or ends there: its address and type.
    fn local_at(&self, address: i64) -> Option<(i64, Type)> {
        for frame in &self.env()?.frames {
            for (number, home) in frame.homes.iter().enumerate() {
                if let Home::Slots {
                    slots,
                    address: start,
                } = home
                    && (*start..=*start + slots.len() as i64).contains(&address)
                {
                    let local = &self.unit.functions[frame.function.0].locals[number];
                    return Some((*start, local.ty.clone()));
                }
            }
        }
        None
    }
}
