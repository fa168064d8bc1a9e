//! Which member's scalars are the cells of a union: that of which all members that are used are a part.
//!
//!   union { int i; double d; }  of which the program uses `i`        ─▶ one cell, an integer
//!   union { struct { int kind; } any; struct { int kind, n; } one; } ─▶ the cells of `one`; `any.kind` is its first
//!
//! Members are used by their names, and by initialisers that are not 0 (all bits of a union are 0 then, whatever the
//! member). That a member is seen in the cells of another one is a matter of `lower::view`, as for pointers.
//!
//! Members that see the same bytes in integers of different sizes are cut into parts (`lower::words`).
//!
//! **Incomplete.** Structures with gaps, and bytes that are a pointer or a floating-point number in one member and
//! something else in another, are refused if the program uses both.

use super::Checker;
use super::reach::Reached;
use crate::lower::begins_with;
use crate::lower::typed::{ExprKind, Path, Step, StructId, Type, TypeKind, Unit};
use crate::lower::words::can_be_cut;
use crate::text::{Diagnostic, Place};
use std::collections::{BTreeMap, BTreeSet};

/// The members that are used, and where first.
type Used = BTreeMap<(StructId, usize), Place>;

impl Checker<'_> {
    /// Chooses the cells of all unions of a unit of which only this is left.
    pub(super) fn settle_unions(&mut self, reached: &Reached) {
        if self.unit.structs.iter().all(|known| known.union.is_none()) {
            return;
        }
        let mut used = reached.members.clone();
        let unit = &self.unit;
        let mut note = |ty: &Type, path: &Path, place: Place| {
            for member in union_members(unit, ty, path) {
                used.entry(member).or_insert(place);
            }
        };
        for object in reached.objects.iter().map(|id| &unit.objects[id.0]) {
            for (path, value) in &object.init {
                if !matches!(value.kind, ExprKind::Const(0)) {
                    note(&object.ty, path, value.place);
                }
            }
        }
        for (function, local, path, place) in &reached.filled {
            let local = &unit.functions[function.0].locals[local.0];
            note(&local.ty, path, *place);
        }
        let mut done = BTreeSet::new();
        for id in 0..self.unit.structs.len() {
            self.settle(StructId(id), &used, &mut done);
        }
    }

    /// Chooses the cells of a union after those that it consists of.
    fn settle(&mut self, id: StructId, used: &Used, done: &mut BTreeSet<StructId>) {
        if !done.insert(id) {
            return;
        }
        let types: Vec<Type> = self.unit.structs[id.0]
            .members
            .iter()
            .map(|member| member.ty.clone())
            .collect();
        for ty in &types {
            if let Some(inner) = structure_in(ty) {
                self.settle(inner, used, done);
            }
        }
        if self.unit.structs[id.0].union.is_none() {
            return;
        }
        let range = (id, 0)..=(id, usize::MAX);
        let own: Vec<(usize, Place)> = used
            .range(range)
            .map(|((_, member), place)| (*member, *place))
            .collect();
        let fits = |member: usize| {
            let whole = &types[member];
            let mut others = own.iter();
            others.all(|(other, _)| begins_with(&self.unit, whole, &types[*other]))
        };
        let chosen = match own.first() {
            None => Some(0),
            Some(_) => own
                .iter()
                .map(|(member, _)| *member)
                .find(|member| fits(*member)),
        };
        if let Some(chosen) = chosen {
            self.unit.structs[id.0].union = Some(chosen);
            return;
        }
        let used = own.iter().map(|(member, _)| &types[*member]);
        if can_be_cut(&self.unit, used) {
            self.unit.structs[id.0].apart = own.iter().map(|(member, _)| *member).collect();
            return;
        }
        self.refuse_union(id, &types, &own);
    }

    fn refuse_union(&mut self, id: StructId, types: &[Type], own: &[(usize, Place)]) {
        let is_seen = |a: usize, b: usize| {
            begins_with(&self.unit, &types[a], &types[b])
                || begins_with(&self.unit, &types[b], &types[a])
        };
        let pairs = own
            .iter()
            .enumerate()
            .flat_map(|(at, a)| own[..at].iter().map(move |b| (*b, *a)));
        let apart = pairs.clone().find(|(a, b)| !is_seen(a.0, b.0));
        let Some((first, second)) = apart.or_else(|| pairs.last()) else {
            return;
        };
        let members = &self.unit.structs[id.0].members;
        let name = |member: usize| match members[member].name.as_str() {
            "" => "a member without a name".to_owned(),
            name => format!("`{name}`"),
        };
        let message = format!(
            "{} and {} of a union share memory, which consists of other scalars in each",
            name(first.0),
            name(second.0)
        );
        let error = Diagnostic::error(message, self.span(second.1))
            .other(self.span(first.1), "the other one is used here")
            .note("use one of them only, or shift and mask one integer")
            .note("members can share memory if one begins with the scalars of the other");
        self.report(error);
    }
}

/// The structure or union that something of this type consists of.
fn structure_in(ty: &Type) -> Option<StructId> {
    match &ty.kind {
        TypeKind::Struct(id) => Some(*id),
        TypeKind::Array(element, _) => structure_in(element),
        TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Float { .. }
        | TypeKind::Pointer(_)
        | TypeKind::Function(..)
        | TypeKind::Library(_) => None,
    }
}

/// The members of unions on a way to a scalar.
fn union_members(unit: &Unit, ty: &Type, path: &Path) -> Vec<(StructId, usize)> {
    let mut found = Vec::new();
    let mut ty = ty;
    for step in path {
        match (step, &ty.kind) {
            (Step::Member(index), TypeKind::Struct(id)) => {
                let known = &unit.structs[id.0];
                if known.union.is_some() {
                    found.push((*id, *index));
                }
                let Some(member) = known.members.get(*index) else {
                    return found;
                };
                ty = &member.ty;
            }
            (Step::Element(_), TypeKind::Array(element, _)) => ty = element,
            _ => return found,
        }
    }
    found
}
