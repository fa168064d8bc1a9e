//! Handles of threads in any number: none of them stands for a thread that is known.

use crate::lower::Lowering;
use crate::lower::arguments::acts;
use crate::lower::typed::{
    BinaryOp, Expr, ExprKind, LibraryType, Lvalue, LvalueKind, Type, TypeKind, Unit,
};
use crate::lower::value::Value;
use crate::text::Place;

/// What a handle holds that one thread of any number got: no thread has this number.
pub(super) const LOST: i64 = super::MOST_THREADS as i64 + 1;

impl Lowering<'_> {
    /// Where a handle is stored: the address, or `None` if it is a part of an object that holds no handle
    /// to a thread that is known afterwards. The expression is evaluated here, and only here.
    pub(super) fn handle_address(&mut self, handle: &Expr) -> Option<Value> {
        if !self.is_creating_any() || root_of_pointer(handle).is_none() {
            return Some(self.eval(handle));
        }
        if acts(handle) {
            self.effect(handle, handle.place);
        }
        None
    }

    /// A handle to one of any number of threads is stored in a part of an object: no handle in the whole
    /// object stands for a thread that is known.
    pub(super) fn lose_handle(&mut self, handle: &Expr, place: Place) {
        if let Some(root) = root_of_pointer(handle) {
            self.lose_object(root, place);
        }
    }

    /// The same at an address that a pointer of this type holds.
    pub(super) fn lose_cell(&mut self, address: &Value, pointer: &Type, place: Place) {
        if let (Value::Known(address), Some(pointee)) = (address, pointer.pointee()) {
            let pointee = pointee.clone();
            self.write(&Value::Known(*address), &pointee, Value::Known(LOST), place);
        } else if self.state.is_some() {
            self.refuse_any(
                "where the handle of this thread is stored is not known",
                place,
            );
        }
    }

    /// The same for the object that is assigned to.
    pub(in crate::lower) fn lose_object(&mut self, root: &Lvalue, place: Place) {
        let Value::Known(start) = self.address(root) else {
            self.refuse_any(
                "where the handle of this thread is stored is not known",
                place,
            );
            return;
        };
        for (at, ty) in self.scalars(&root.ty).into_iter().enumerate() {
            if ty.kind == TypeKind::Library(LibraryType::Thread) {
                self.write(
                    &Value::Known(start + at as i64),
                    &ty,
                    Value::Known(LOST),
                    place,
                );
            }
        }
    }

    /// Assigns to an object with handles of any number of threads, or to their number: it is not known
    /// afterwards. Returns whether it is one.
    pub(in crate::lower) fn stores_lost(
        &mut self,
        into: &Lvalue,
        value: &Expr,
        place: Place,
    ) -> bool {
        let Some(root) = root(into).filter(|_| self.is_creating_any()) else {
            return false;
        };
        let holds = holds_handles(self.unit, &root.ty);
        if holds && (holds_handles(self.unit, &into.ty) || acts(value)) {
            self.eval_all(value);
        }
        if holds {
            self.lose_object(root, place);
        }
        holds
    }
}

/// Whether something consists of handles of threads, and perhaps their number.
pub(super) fn holds_handles(unit: &Unit, ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Library(kind) => *kind == LibraryType::Thread,
        TypeKind::Array(of, _) => holds_handles(unit, of),
        TypeKind::Struct(id) => {
            let mut members = unit.structs[id.0].members.iter();
            members.any(|member| holds_handles(unit, &member.ty))
        }
        TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Float { .. }
        | TypeKind::Pointer(_)
        | TypeKind::Function(..) => false,
    }
}

/// The object that a pointer points into, if the text says which.
fn root_of_pointer(e: &Expr) -> Option<&Lvalue> {
    match &e.kind {
        ExprKind::AddressOf(place) => root(place),
        ExprKind::Cast(a) | ExprKind::Binary(BinaryOp::PointerAdd, a, _) => root_of_pointer(a),
        _ => None,
    }
}

/// The object that a place is part of.
fn root(place: &Lvalue) -> Option<&Lvalue> {
    match &place.kind {
        LvalueKind::Local(_) | LvalueKind::Object(_) => Some(place),
        LvalueKind::Member(inner, _)
        | LvalueKind::Bits(inner, _)
        | LvalueKind::Element(inner, _) => root(inner),
        LvalueKind::Deref(pointer) => root_of_pointer(pointer),
    }
}
