//! Where the scalars of an object are: in bytes, as on 64-bit Linux, and in cells.
//!
//! Programs compute with bytes (`sizeof`, casts between pointers); memory here has one cell per scalar, in
//! the order of members and elements. Both come from the same walk over a type, so that a question about
//! bytes ("is there a 4-byte integer 8 bytes from here?") is answered for the cell that is there.

use super::typed::{Expr, ExprKind, Layout, LibraryType, Member, Path, Step, Type, TypeKind, Unit};

/// A scalar of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Scalar {
    pub(super) ty: Type,
    /// In bytes, from the beginning of the object.
    pub(super) offset: i64,
}

impl Layout {
    /// Members one after the other, each where its alignment allows it.
    pub(crate) fn in_order(unit: &Unit, members: &[Member]) -> Self {
        let mut layout = Layout {
            size: 0,
            align: 1,
            offsets: Vec::new(),
        };
        for member in members {
            let (size, align) = unit.layout(&member.ty).unwrap_or((0, 1));
            let offset = layout.size.next_multiple_of(align);
            layout.offsets.push(offset);
            layout.size = offset.saturating_add(size);
            layout.align = layout.align.max(align);
        }
        layout.size = layout.size.next_multiple_of(layout.align);
        layout
    }
}

impl Unit {
    /// The size and the alignment of a type in bytes; `None` if it has none.
    pub(crate) fn layout(&self, ty: &Type) -> Option<(u64, u64)> {
        let square = |bytes| Some((bytes, bytes));
        match &ty.kind {
            TypeKind::Void | TypeKind::Function(..) | TypeKind::Array(_, 0) => None,
            TypeKind::Bool => square(1),
            TypeKind::Int { bits, .. } => square(u64::from(*bits) / 8),
            TypeKind::Float { bits } => square(u64::from(*bits).next_multiple_of(32) / 8),
            TypeKind::Pointer(_) => square(8),
            TypeKind::Array(element, length) => {
                let (size, align) = self.layout(element)?;
                Some((size.checked_mul(u64::from(*length))?, align))
            }
            TypeKind::Struct(id) => {
                let layout = self.structs.get(id.0)?.layout.as_ref()?;
                Some((layout.size, layout.align))
            }
            TypeKind::Library(library) => Some(match library {
                LibraryType::Thread => (8, 8),
                LibraryType::Mutex => (40, 8),
                LibraryType::Spinlock | LibraryType::Once => (4, 4),
                LibraryType::Condition => (48, 8),
                LibraryType::RwLock | LibraryType::Ignored => (56, 8),
                LibraryType::Barrier | LibraryType::Semaphore => (32, 8),
            }),
        }
    }
}

/// The size of a type in bytes; 1 for `void` and functions, as GNU C counts them.
pub(super) fn bytes(unit: &Unit, ty: &Type) -> i64 {
    match ty.kind {
        TypeKind::Void | TypeKind::Function(..) => 1,
        _ => unit.layout(ty).map_or(0, |(size, _)| size as i64),
    }
}

/// The number of cells of a type.
pub(super) fn cells(unit: &Unit, ty: &Type) -> i64 {
    match &ty.kind {
        TypeKind::Array(element, count) => i64::from(*count) * cells(unit, element),
        TypeKind::Struct(id) => {
            let members = unit.structs[id.0].stored().iter();
            members.map(|member| cells(unit, &member.ty)).sum()
        }
        TypeKind::Library(LibraryType::Barrier) => 3,
        TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Float { .. }
        | TypeKind::Pointer(_)
        | TypeKind::Function(..)
        | TypeKind::Library(_) => 1,
    }
}

/// The cell of a member, from the first cell of its structure. All members of a union begin at its first.
pub(super) fn member_offset(unit: &Unit, ty: &Type, index: usize) -> i64 {
    match &ty.kind {
        TypeKind::Struct(id) if unit.structs[id.0].union.is_some() => 0,
        TypeKind::Struct(id) => {
            let members = unit.structs[id.0].members.iter().take(index);
            members.map(|member| cells(unit, &member.ty)).sum()
        }
        TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Float { .. }
        | TypeKind::Pointer(_)
        | TypeKind::Array(..)
        | TypeKind::Function(..)
        | TypeKind::Library(_) => 0,
    }
}

/// The cell that a path leads to, from the first one of the object.
pub(super) fn path_offset(unit: &Unit, ty: &Type, path: &Path) -> i64 {
    let (mut offset, mut ty) = (0, ty);
    for step in path {
        match (step, &ty.kind) {
            (Step::Member(index), TypeKind::Struct(id)) => {
                offset += member_offset(unit, ty, *index);
                ty = &unit.structs[id.0].members[*index].ty;
            }
            (Step::Element(index), TypeKind::Array(element, _)) => {
                offset += i64::from(*index) * cells(unit, element);
                ty = element;
            }
            _ => return offset,
        }
    }
    offset
}

/// Whether an initial value is 0 and in a union: all of its cells are 0 without one, and the path may be that to
/// a member which nothing else mentions, so that it leads to no cell.
pub(super) fn is_zero_in_union(unit: &Unit, ty: &Type, path: &Path, value: &Expr) -> bool {
    if !matches!(value.kind, ExprKind::Const(0)) {
        return false;
    }
    let mut ty = ty;
    for step in path {
        match (step, &ty.kind) {
            (Step::Member(index), TypeKind::Struct(id)) => {
                if unit.structs[id.0].union.is_some() {
                    return true;
                }
                ty = &unit.structs[id.0].members[*index].ty;
            }
            (Step::Element(_), TypeKind::Array(element, _)) => ty = element,
            _ => return false,
        }
    }
    false
}

/// The scalars of a type, one for each of its cells.
pub(super) fn scalars(unit: &Unit, ty: &Type) -> Vec<Scalar> {
    let mut found = Vec::new();
    collect(unit, ty, 0, &mut found);
    found
}

fn collect(unit: &Unit, ty: &Type, offset: i64, found: &mut Vec<Scalar>) {
    match &ty.kind {
        TypeKind::Array(element, count) => {
            let size = bytes(unit, element);
            for index in 0..i64::from(*count) {
                collect(unit, element, offset + index * size, found);
            }
        }
        TypeKind::Struct(id) => {
            let of = &unit.structs[id.0];
            let offsets = of.layout.iter().flat_map(|layout| &layout.offsets);
            // All members of a union are at its beginning.
            for (member, at) in of.stored().iter().zip(offsets) {
                collect(unit, &member.ty, offset + *at as i64, found);
            }
        }
        TypeKind::Void => {}
        TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Float { .. }
        | TypeKind::Pointer(_)
        | TypeKind::Function(..)
        | TypeKind::Library(_) => {
            for _ in 0..cells(unit, ty) {
                let ty = ty.clone();
                found.push(Scalar { ty, offset });
            }
        }
    }
}

/// The type of a scalar of a type, by its cell; `None` if there are not so many.
pub(super) fn scalar_at<'t>(unit: &'t Unit, ty: &'t Type, index: i64) -> Option<&'t Type> {
    match &ty.kind {
        TypeKind::Array(element, count) => {
            let size = cells(unit, element);
            let inside = size > 0 && index < size * i64::from(*count);
            inside.then(|| scalar_at(unit, element, index % size))?
        }
        TypeKind::Struct(id) => {
            let mut index = index;
            for member in unit.structs[id.0].stored() {
                let size = cells(unit, &member.ty);
                if index < size {
                    return scalar_at(unit, &member.ty, index);
                }
                index -= size;
            }
            None
        }
        TypeKind::Void => None,
        TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Float { .. }
        | TypeKind::Pointer(_)
        | TypeKind::Function(..)
        | TypeKind::Library(_) => (index < cells(unit, ty)).then_some(ty),
    }
}
