//! Ways to objects: dereferences, members, elements, addresses.

use super::convert::cast;
use super::fold::fold;
use super::operand::{Constant, number};
use super::{Checked, Checker, LONG, Operand, VOID, expr, pointer, qualified, to};
use crate::lower::direct::CURRENT;
use crate::lower::typed::{
    BinaryOp, Callee, Expr, ExprKind, LibraryType, Lvalue, LvalueKind, Part, Type, TypeKind,
};
use crate::text::{Diagnostic, Place, nearest};

/// An element of an array; the index has type `long`.
pub(crate) fn element(array: Lvalue, index: Expr, place: Place) -> Lvalue {
    let ty = match &array.ty.kind {
        TypeKind::Array(element, _) => (**element).clone(),
        TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Float { .. }
        | TypeKind::Pointer(_)
        | TypeKind::Struct(_)
        | TypeKind::Function(..)
        | TypeKind::Library(_) => array.ty.clone(),
    };
    let kind = LvalueKind::Element(Box::new(array), index);
    Lvalue { kind, ty, place }
}

impl Checker<'_> {
    /// Notes that a local variable needs an address.
    pub(crate) fn mark_addressed(&mut self, lvalue: &Lvalue) {
        let mut at = lvalue;
        loop {
            match &at.kind {
                LvalueKind::Local(id) => {
                    if self.unevaluated == 0
                        && let Some(body) = &mut self.body
                    {
                        body.locals[id.0].addressed = true;
                    }
                    return;
                }
                LvalueKind::Object(_) | LvalueKind::Deref(_) => return,
                LvalueKind::Member(base, _)
                | LvalueKind::Bits(base, _)
                | LvalueKind::Element(base, _) => at = base,
            }
        }
    }

    /// `&e`
    pub(crate) fn address_of(&mut self, operand: Operand, place: Place) -> Checked<Operand> {
        let place = to(place, operand.place());
        match operand {
            Operand::Place(ref lvalue, _) | Operand::Temporary(_, ref lvalue)
                if matches!(lvalue.kind, LvalueKind::Bits(..)) =>
            {
                Err(self.error("a bit-field has no address", place))
            }
            Operand::Place(ref lvalue, _) if self.is_variable_array(lvalue) => {
                let message =
                    "the address of an array whose length is no constant is not supported";
                Err(self.error_with(
                    message,
                    place,
                    "its name is the address of its first element",
                ))
            }
            Operand::Function(..) | Operand::Library(..) => {
                let mut value = self.value(operand)?;
                value.place = place;
                Ok(Operand::Value(value))
            }
            Operand::Place(lvalue, _) => Ok(Operand::Value(self.address(lvalue, place))),
            Operand::Temporary(made, lvalue) => {
                let address = self.address(lvalue, place);
                Ok(Operand::Value(super::operand::after(*made, address)))
            }
            Operand::Value(_) | Operand::Text(..) => {
                Err(self.error("only objects and functions have an address", place))
            }
        }
    }

    fn is_variable_array(&self, lvalue: &Lvalue) -> bool {
        let arrays = self.body.as_ref().map(|body| &body.variable_arrays);
        matches!(lvalue.kind, LvalueKind::Local(id) if arrays.is_some_and(|all| all.contains_key(&id)))
    }

    fn address(&mut self, lvalue: Lvalue, place: Place) -> Expr {
        self.mark_addressed(&lvalue);
        let ty = pointer(lvalue.ty.clone());
        match lvalue.kind {
            LvalueKind::Deref(address) => Expr { place, ..address },
            LvalueKind::Object(_)
            | LvalueKind::Local(_)
            | LvalueKind::Member(..)
            | LvalueKind::Bits(..)
            | LvalueKind::Element(..) => expr(ExprKind::AddressOf(Box::new(lvalue)), ty, place),
        }
    }

    /// `*e`
    pub(crate) fn dereference(&mut self, operand: Operand, place: Place) -> Checked<Operand> {
        let place = to(place, operand.place());
        if let Operand::Function(..) = operand {
            return Ok(operand);
        }
        let value = self.value(operand)?;
        self.pointed_to(value, place)
    }

    /// What a pointer points to, as a place.
    fn pointed_to(&mut self, address: Expr, place: Place) -> Checked<Operand> {
        let address = self.with_texts(address);
        let Some(ty) = address.ty.pointee().cloned() else {
            let message = format!("`{}` is not a pointer", self.show(&address.ty));
            return Err(self.error(message, address.place));
        };
        if ty.is_function() {
            return Ok(Operand::Value(Expr { place, ..address }));
        }
        if let ExprKind::AddressOf(mut lvalue) = address.kind {
            if lvalue.ty == ty {
                lvalue.place = place;
                return Ok(Operand::Place(*lvalue, Constant::No));
            }
            let kind = ExprKind::AddressOf(lvalue);
            let kind = LvalueKind::Deref(Expr { kind, ..address });
            return Ok(Operand::Place(Lvalue { kind, ty, place }, Constant::No));
        }
        let kind = LvalueKind::Deref(address);
        Ok(Operand::Place(Lvalue { kind, ty, place }, Constant::No))
    }

    /// `a[i]`
    pub(crate) fn subscript(
        &mut self,
        base: Operand,
        index: Operand,
        place: Place,
    ) -> Checked<Operand> {
        let is_array =
            |operand: &Operand, ty: &Type| !matches!(operand, Operand::Text(..)) && array(ty);
        let base_type = self.type_of(&base);
        let swapped = !is_array(&base, &base_type) && base_type.is_integer();
        let (base, index) = if swapped {
            (index, base)
        } else {
            (base, index)
        };
        let index = self.integer_value(index, "an index")?;
        let index = cast(index, &LONG);
        let index = match fold(&index) {
            Ok(constant) => number(constant, index.place),
            Err(_) => index,
        };
        match base {
            Operand::Place(lvalue, constant) if has_length(&lvalue.ty) => {
                let lvalue = self.indexed(lvalue, index, place);
                Ok(Operand::Place(lvalue, constant))
            }
            Operand::Temporary(made, lvalue) if has_length(&lvalue.ty) => {
                let lvalue = self.indexed(lvalue, index, place);
                Ok(Operand::Temporary(made, lvalue))
            }
            other @ (Operand::Value(_)
            | Operand::Place(..)
            | Operand::Temporary(..)
            | Operand::Function(..)
            | Operand::Library(..)
            | Operand::Text(..)) => {
                let address = self.value(other)?;
                let address = self.moved(BinaryOp::PointerAdd, address, index, place)?;
                self.pointed_to(address, place)
            }
        }
    }

    fn indexed(&mut self, lvalue: Lvalue, index: Expr, place: Place) -> Lvalue {
        if fold(&index).is_err() {
            self.mark_addressed(&lvalue);
        }
        element(lvalue, index, place)
    }

    /// `e.name`
    pub(crate) fn member(
        &mut self,
        base: Operand,
        name: &str,
        name_place: Place,
    ) -> Checked<Operand> {
        let place = to(base.place(), name_place);
        match base {
            Operand::Place(lvalue, constant) => {
                let lvalue = self.of_this_cpu(lvalue);
                let lvalue = self.member_of(lvalue, name, name_place, place)?;
                Ok(Operand::Place(lvalue, constant))
            }
            Operand::Temporary(made, lvalue) => {
                let lvalue = self.member_of(lvalue, name, name_place, place)?;
                Ok(Operand::Temporary(made, lvalue))
            }
            other @ (Operand::Value(_)
            | Operand::Function(..)
            | Operand::Library(..)
            | Operand::Text(..)) => {
                let value = self.value(other)?;
                if self.structure(&value.ty).is_none() {
                    return Err(self.not_a_structure(&value.ty, value.place));
                }
                let Some((made, lvalue)) = self.temporary(value) else {
                    return Err(
                        self.error("there is no structure value outside of functions", place)
                    );
                };
                let lvalue = self.member_of(lvalue, name, name_place, place)?;
                Ok(Operand::Temporary(Box::new(made), lvalue))
            }
        }
    }

    /// Of a variable that each processor has, the one of the processor at hand: a member is named of no other one
    /// without an index, as in `this_cpu_inc(counts.packets)`. Each thread has a processor of its own number.
    fn of_this_cpu(&self, lvalue: Lvalue) -> Lvalue {
        let is_of_each = match &lvalue.kind {
            LvalueKind::Object(id) => self.objects[id.0].each,
            LvalueKind::Local(_)
            | LvalueKind::Deref(_)
            | LvalueKind::Member(..)
            | LvalueKind::Bits(..)
            | LvalueKind::Element(..) => false,
        };
        if !is_of_each {
            return lvalue;
        }
        let place = lvalue.place;
        let thread = Type {
            kind: TypeKind::Library(LibraryType::Thread),
            ..VOID
        };
        let own = ExprKind::Call(Callee::Library(&CURRENT), Vec::new());
        let own = cast(expr(own, thread, place), &LONG);
        let most = number(63, place);
        let index = ExprKind::Binary(BinaryOp::BitAnd, Box::new(own), Box::new(cast(most, &LONG)));
        element(lvalue, expr(index, LONG.clone(), place), place)
    }

    /// `e->name`
    pub(crate) fn arrow(
        &mut self,
        base: Operand,
        name: &str,
        name_place: Place,
    ) -> Checked<Operand> {
        let place = base.place();
        let value = self.value(base)?;
        if value.ty.pointee().is_none() && self.structure(&value.ty).is_some() {
            let message = "`->` needs a pointer to a structure, and this is a structure";
            return Err(self.error_with(message, place, format!("write `.{name}`")));
        }
        let object = self.pointed_to(value, place)?;
        self.member(object, name, name_place)
    }

    fn not_a_structure(&mut self, ty: &Type, place: Place) -> super::Reported {
        let shown = self.show(ty);
        let is_pointer = ty.pointee().is_some_and(|ty| self.structure(ty).is_some());
        let message = format!("`{shown}` has no members");
        if is_pointer {
            return self.error_with(message, place, "it is a pointer: write `->`");
        }
        if let TypeKind::Library(_) = ty.kind {
            let note = "the contents of library types are not modelled";
            return self.error_with(message, place, note);
        }
        self.error(message, place)
    }

    fn member_of(
        &mut self,
        base: Lvalue,
        name: &str,
        name_place: Place,
        place: Place,
    ) -> Checked<Lvalue> {
        let mut of = base;
        for number in self.member_path(&of.ty.clone(), name, name_place)? {
            let volatile = of.ty.volatile;
            let Some(structure) = self.structure(&of.ty) else {
                return Err(self.not_a_structure(&of.ty.clone(), place));
            };
            let (index, field) = match structure.part(number) {
                Some(Part::Field(field)) => (field.member, Some(field.clone())),
                Some(Part::Member(index)) => (Some(index), None),
                None => (None, None),
            };
            let Some(index) = index else {
                return Err(self.no_scalar_of_bits(name_place));
            };
            let ty = qualified(structure.members[index].ty.clone(), false, volatile);
            let kind = LvalueKind::Member(Box::new(of), index);
            of = Lvalue { kind, ty, place };
            if let Some(field) = field {
                let ty = qualified(field.ty, false, volatile);
                let kind = LvalueKind::Bits(Box::new(of), field.bits);
                of = Lvalue { kind, ty, place };
            }
        }
        Ok(of)
    }

    /// Refuses a bit-field that is in bytes which are no scalar of 32 bits or fewer.
    pub(crate) fn no_scalar_of_bits(&mut self, place: Place) -> super::Reported {
        let message =
            "this bit-field and those in the same bytes are no integer of 8, 16 or 32 bits";
        let note = "make some of them ordinary members";
        self.error_with(message, place, note)
    }

    /// The way to the member of this name, through members without one.
    fn way(&self, ty: &Type, name: &str) -> Option<Vec<usize>> {
        let known = self.structure(ty)?;
        let mut parts = known.parts();
        if let Some(number) = parts.position(|part| known.name_of(part) == name) {
            return Some(vec![number]);
        }
        known.parts().enumerate().find_map(|(number, part)| {
            let Part::Member(index) = part else {
                return None;
            };
            let member = &known.members[index];
            if !member.name.is_empty() {
                return None;
            }
            let mut way = self.way(&member.ty, name)?;
            way.insert(0, number);
            Some(way)
        })
    }

    /// The numbers ([`Struct::part`](crate::lower::typed::Struct::part)) of the members on the way to one with a
    /// name: more than one if it is a member of an anonymous union.
    pub(crate) fn member_path(
        &mut self,
        ty: &Type,
        name: &str,
        place: Place,
    ) -> Checked<Vec<usize>> {
        if self.structure(ty).is_none() {
            return Err(self.not_a_structure(ty, place));
        }
        if let Some(way) = self.way(ty, name) {
            return Ok(way);
        }
        if let TypeKind::Struct(id) = ty.kind
            && self.broken.contains(&id)
        {
            return Err(self.again());
        }
        if self.layout(ty).is_none() {
            self.size(ty, place)?;
        }
        let names = self.structure(ty).into_iter();
        let names = names.flat_map(|known| known.parts().map(|part| known.name_of(part)));
        let near = nearest(name, names);
        let label = near.map_or_else(String::new, |near| format!("did you mean `{near}`?"));
        let message = format!("`{}` has no member `{name}`", self.show(ty));
        let error = Diagnostic::error(message, self.span(place)).label(label);
        Err(self.report(error))
    }
}

fn array(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Array(..))
}

fn has_length(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Array(_, 1..))
}
