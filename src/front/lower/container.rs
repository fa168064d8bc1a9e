//! Pointers that are moved by bytes to become pointers to another type: from a member to the structure around it,
//! and back.
//!
//!   (T *)((char *)p - offsetof(T, m))   the cell of `p`, less the cells of `T` before `m`
//!   (M *)((char *)q + offsetof(T, m))   the cell of `q`, and the cells of `T` before `m`
//!
//! The first is the `container_of` of intrusive lists. `p` may be no member of a `T`: a loop over a list ends with
//! the "container" of its head, which nothing accesses, but of which the address of the member is compared. So
//! such a pointer to `T` is not checked when it is made, if the program does this with one member of `T` only. `T` is a
//! *stray* structure from then on: its objects are looked at before an access, and before a pointer to another member
//! is made. That to the same member is where it came from.
//!
//! **Why that is exact.** If all scalars of `T` are from a cell on at their distances in bytes, inside one object, then
//! so is that of `m`, and its cell is that of `p`: so `p` is as many bytes after the `T` as the program says.

use super::Lowering;
use super::bounds::Reach;
use super::layout::{bytes, cells, member_offset, scalars};
use super::objects::of_library;
use super::place::offset_by;
use super::value::{Value, binary};
use super::view::unqualified;
use crate::lower::typed::{
    BinaryOp, Expr, ExprKind, LibraryType, Lvalue, LvalueKind, Type, TypeKind,
};
use crate::program::{self, FIRST_ADDRESS, Fault};
use crate::text::{Diagnostic, Place};

/// A pointer, moved by a number of bytes.
struct Step<'e> {
    from: &'e Expr,
    op: BinaryOp,
    by: &'e Expr,
}

/// What a pointer is converted from.
fn uncast(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(inner) if inner.ty.is_pointer() && e.ty.is_pointer() => uncast(inner),
        _ => e,
    }
}

fn is_byte(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Void | TypeKind::Int { bits: 8, .. })
}

/// What is converted to a pointer to something larger than a byte.
fn step<'e>(converted: &'e Expr, to: &Type) -> Option<Step<'e>> {
    let ExprKind::Binary(op @ (BinaryOp::PointerAdd | BinaryOp::PointerSub), base, by) =
        &uncast(converted).kind
    else {
        return None;
    };
    let counts_bytes = base.ty.pointee().is_some_and(is_byte);
    let to = to.pointee()?;
    if !counts_bytes || is_byte(to) || to.is_function() {
        return None;
    }
    let from = uncast(base);
    // Bytes that are objects of their own are no members of something larger, where they are moved forwards.
    let of_bytes = |of: &Type| is_byte(of) && !of.is_void();
    let is_bytes = *op == BinaryOp::PointerAdd && from.ty.pointee().is_none_or(of_bytes);
    (!is_bytes).then_some(Step { from, op: *op, by })
}

impl Lowering<'_> {
    /// The value of a pointer that is moved by bytes and converted to this type; `None` for other conversions.
    pub(super) fn moved_by_bytes(
        &mut self,
        converted: &Expr,
        to: &Type,
        place: Place,
    ) -> Option<Value> {
        if self.test.is_some() {
            return None;
        }
        let step = step(converted, to)?;
        let base = self.eval(step.from);
        let Value::Known(by) = self.eval(step.by) else {
            self.refuse_bytes(place);
            return Some(Value::ZERO);
        };
        let by = if step.op == BinaryOp::PointerSub {
            -by
        } else {
            by
        };
        self.state.as_ref()?;
        let (from, to) = (step.from.ty.pointee()?, to.pointee()?);
        Some(self.by_bytes((&base, from), by, to, place))
    }

    fn by_bytes(
        &mut self,
        (base, from): (&Value, &Type),
        by: i64,
        to: &Type,
        place: Place,
    ) -> Value {
        if let Value::Known(known) = base
            && let Some(there) = self.bytes_from(*known, by)
        {
            let there = Value::Known(there);
            self.retype(&there, &super::value::void(), to, place);
            return there;
        }
        if by == 0 {
            self.retype(base, from, to, place);
            return base.clone();
        }
        let cell_at = |this: &Self, ty: &Type, offset: i64| {
            let all = scalars(this.unit, ty);
            all.iter().position(|scalar| scalar.offset == offset)
        };
        if by < 0
            && let Some(cells) = cell_at(self, to, -by)
        {
            let cells = cells as i64;
            let container = self.container(base, cells, place);
            if let TypeKind::Struct(id) = to.kind {
                self.now.strays.insert((id, cells));
            } else {
                self.now.reshaped.insert(unqualified(from));
            }
            if self.stray_by(to) != Some(cells) {
                self.check_target(&container, &super::value::void(), to, place);
            }
            return container;
        }
        if by > 0
            && let Some(cells) = cell_at(self, from, by)
            && matches!(base, Value::Unknown(_))
        {
            if self.stray_by(from) != Some(cells as i64) {
                self.not_stray(base, from, place);
            }
            self.now.reshaped.insert(unqualified(from));
            let part = offset_by(base.clone(), cells as i64);
            self.check_target(&part, &super::value::void(), to, place);
            return part;
        }
        let size = bytes(self.unit, from);
        if !from.is_void() && size > 0 && by % size == 0 {
            let pointer = super::value::pointer(from.clone());
            let number = Value::Known(by / size);
            let there = self.move_pointer(
                BinaryOp::PointerAdd,
                (base.clone(), &pointer),
                number,
                Reach::PastEnd,
                place,
            );
            self.retype(&there, from, to, place);
            return there;
        }
        self.refuse_bytes(place);
        Value::ZERO
    }

    /// The structure around a member that has so many cells before it, as the kernel's `container_of` finds it.
    pub(super) fn around(&mut self, member: &Value, before: i64) -> Value {
        self.now.mixes = true;
        self.offset(member, -before)
    }

    /// A pointer less so many cells. Where it is known, there is no such object around it: it is known no longer,
    /// so that it is looked at before an access.
    fn container(&mut self, base: &Value, cells: i64, place: Place) -> Value {
        let own = self.pointer_bits(base, place);
        let own = match base {
            Value::Unknown(_) => own,
            Value::Known(known) => {
                self.expose(*known, &super::value::void());
                self.solo = false;
                let (into, origin) = (self.temporary(), self.origin(place));
                if let Some(state) = &mut self.state {
                    state.at = self.code.assign(state.at, into, own, false, origin);
                }
                program::Expr::Var(into)
            }
        };
        offset_by(Value::Unknown(own), -cells)
    }

    /// An object of a stray structure is accessed by an address that is a value at run time.
    pub(super) fn not_stray(&mut self, address: &Value, ty: &Type, place: Place) {
        if !self.is_stray(ty) {
            return;
        }
        // What is around the member at a null pointer.
        if let (Value::Unknown(own), Some(cells @ 1..)) = (address, self.stray_by(ty)) {
            let around_null = program::Expr::Const(-(cells as i32));
            let holds = binary(program::BinaryOp::Ne, own.clone(), around_null);
            self.require(holds, Fault::Null, place);
        }
        self.check_target(address, &super::value::void(), ty, place);
    }

    /// Whether pointers to this type may lead elsewhere.
    pub(super) fn is_stray(&self, ty: &Type) -> bool {
        self.strays_of(ty).next().is_some()
    }

    fn strays_of(&self, ty: &Type) -> impl Iterator<Item = i64> {
        let id = match ty.kind {
            TypeKind::Struct(id) => Some(id),
            _ => None,
        };
        let strays = self.learned.strays.iter();
        strays.filter_map(move |(of, cells)| (Some(*of) == id).then_some(*cells))
    }

    /// How many cells before its member pointers to this type are made from, if that is always the same.
    fn stray_by(&self, ty: &Type) -> Option<i64> {
        let mut all = self.strays_of(ty);
        let first = all.next()?;
        all.next().is_none().then_some(first)
    }

    /// The address of the member from which pointers to a stray structure are made; it is not accessed.
    pub(super) fn member_of_stray(&mut self, lvalue: &Lvalue) -> Option<Value> {
        if self.learned.strays.is_empty() {
            return None;
        }
        let (of, cells) = self.in_structure(lvalue)?;
        if self.stray_by(of) != Some(cells) {
            return None;
        }
        let address = self.located(lvalue);
        self.check_target(&address, &super::value::void(), &lvalue.ty, lvalue.place);
        Some(address)
    }

    /// The structure at a pointer that a member belongs to, and the cells before it.
    fn in_structure<'l>(&self, lvalue: &'l Lvalue) -> Option<(&'l Type, i64)> {
        let LvalueKind::Member(inner, index) = &lvalue.kind else {
            return None;
        };
        let own = member_offset(self.unit, &inner.ty, *index);
        if let LvalueKind::Deref(_) = inner.kind {
            return Some((&inner.ty, own));
        }
        let (of, before) = self.in_structure(inner)?;
        Some((of, before + own))
    }

    fn located(&mut self, lvalue: &Lvalue) -> Value {
        match &lvalue.kind {
            LvalueKind::Member(inner, index) => {
                let base = self.located(inner);
                self.member_at(inner, base, *index, lvalue.place)
            }
            LvalueKind::Deref(pointer) => self.accessible(pointer),
            _ => self.address(lvalue),
        }
    }

    /// Takes so many cells that what would be the container of the first object is not the null pointer.
    pub(super) fn place_before_all(&mut self) {
        let strays = self.learned.strays.iter();
        let longest = strays.map(|(id, _)| {
            let members = self.unit.structs[id.0].stored().iter();
            members
                .map(|member| cells(self.unit, &member.ty))
                .sum::<i64>()
        });
        let longest = longest.max().unwrap_or(0);
        if longest > 0 && !self.memory.has(i64::from(FIRST_ADDRESS)) {
            let mut ty = of_library(LibraryType::Ignored);
            ty.kind = TypeKind::Array(Box::new(ty.clone()), longest as u32);
            self.memory.place(self.unit, "#before", &ty);
        }
    }

    fn refuse_bytes(&mut self, place: Place) {
        self.report(
            Diagnostic::error(
                "a pointer is moved to where no scalar of a known type begins",
                self.positions.span(place),
            )
            .note("give the pointer the type of what it points to, or move it by `offsetof` of the type that it becomes"),
        );
    }
}
