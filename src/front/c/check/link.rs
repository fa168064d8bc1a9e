//! Linking: what the translation units of a program share.
//!
//! The units are checked one after the other, and their functions and objects are numbered together.
//! A name with external linkage means in each unit what it meant in the units before; its types must
//! agree. What is `static` or `inline` belongs to its unit.
//!
//! Types of different units are the same if their structures are. A structure of an earlier unit with
//! the same name is taken for the same one; where it turns out to have other members, all units are
//! checked again with that name kept [apart](Link::apart).

use super::{Checker, Declared, Scope, Symbol, Tag};
use crate::lower::typed::{FunctionId, ObjectId, Struct, StructId, Type, TypeKind};
use std::collections::{BTreeMap, BTreeSet};

/// A name with external linkage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum External {
    Object(ObjectId),
    /// By its place in [`Checker::functions`].
    Function(usize),
}

/// The functions of a unit that have a body, and those that belong to it alone.
#[derive(Clone, Default, Debug)]
pub(crate) struct Definitions<'t> {
    pub(crate) bodies: Vec<&'t str>,
    pub(crate) internal: BTreeSet<&'t str>,
}

/// What is known of all units.
#[derive(Default, Debug)]
pub(crate) struct Link {
    /// The number of the present unit.
    pub(crate) unit: usize,
    pub(crate) externals: BTreeMap<String, External>,
    /// The functions with a body, by unit and name; those with external linkage are in all units.
    numbers: Vec<BTreeMap<String, FunctionId>>,
    /// Functions of each unit that belong to it alone.
    internal: Vec<BTreeSet<String>>,
    /// Structures of earlier units, by their tags, and those without one by the names of their types.
    tags: BTreeMap<String, StructId>,
    names: BTreeMap<String, StructId>,
    /// Structures that are also those of an earlier unit, and not yet defined in this one.
    pub(crate) shared: BTreeSet<StructId>,
    /// Tags that mean a structure of its own in a unit.
    pub(crate) apart: BTreeSet<(usize, String)>,
}

impl Checker<'_> {
    /// Whether a function that a built-in header declares for a library is not what the program calls so.
    pub(crate) fn is_another(&self, new: &Declared) -> bool {
        let is_library = self.own.is_some_and(|own| self.link.unit >= own);
        is_library
            && match self.link.externals.get(&new.name) {
                Some(External::Function(number)) => self.functions[*number].ty != new.ty,
                Some(External::Object(_)) => true,
                None => false,
            }
    }

    /// Numbers the functions of all units. Those tags are kept apart.
    pub(crate) fn link(&mut self, units: &[Definitions<'_>], apart: &BTreeSet<(usize, String)>) {
        self.link.apart.clone_from(apart);
        let mut external: BTreeMap<&str, FunctionId> = BTreeMap::new();
        let mut own = Vec::new();
        for unit in units {
            let mut internal = BTreeMap::new();
            for name in &unit.bodies {
                let numbers = if unit.internal.contains(name) {
                    &mut internal
                } else {
                    &mut external
                };
                numbers.entry(*name).or_insert_with(|| {
                    self.bodies.push(None);
                    FunctionId(self.bodies.len() - 1)
                });
            }
            own.push(internal);
        }
        for (unit, internal) in units.iter().zip(own) {
            let mut numbers = external.clone();
            numbers.retain(|name, _| !unit.internal.contains(name));
            numbers.extend(internal);
            let numbers = numbers.into_iter();
            self.link
                .numbers
                .push(numbers.map(|(name, id)| (name.to_owned(), id)).collect());
            let internal = unit.internal.iter();
            self.link
                .internal
                .push(internal.map(|name| (*name).to_owned()).collect());
        }
        self.begin_unit(0);
    }

    /// Begins to check a unit.
    pub(crate) fn begin_unit(&mut self, unit: usize) {
        self.link.unit = unit;
        self.link.shared.clear();
        self.defined = self.link.numbers.get(unit).cloned().unwrap_or_default();
        self.poisoned.clear();
        self.unsupported.clear();
        self.aside.names.clear();
        self.body = None;
        let before = std::mem::replace(&mut self.scopes, vec![Scope::default()]);
        let Some(file) = before.into_iter().next() else {
            return;
        };
        for (tag, meaning) in file.tags {
            if let Tag::Struct(id) = meaning {
                self.link.tags.entry(tag).or_insert(id);
            }
        }
        for (name, (symbol, _)) in file.names {
            if let Symbol::Typedef(ty, _) = symbol
                && let TypeKind::Struct(id) = ty.kind
            {
                self.link.names.entry(name).or_insert(id);
            }
        }
    }

    /// Whether a function belongs to this unit alone.
    pub(crate) fn is_internal(&self, function: &str) -> bool {
        let internal = self.link.internal.get(self.link.unit);
        internal.is_some_and(|names| names.contains(function))
    }

    /// What a name with external linkage means in earlier units.
    pub(crate) fn external(&self, name: &str) -> Option<External> {
        self.link.externals.get(name).copied()
    }

    /// The structure of an earlier unit that this tag of the file means, too.
    pub(crate) fn shared_tag(&mut self, tag: &str, is_union: bool) -> Option<StructId> {
        let own = self.link.apart.contains(&(self.link.unit, tag.to_owned()));
        if own || !self.is_file_scope() {
            return None;
        }
        let id = *self.link.tags.get(tag)?;
        if self.unit.structs[id.0].union.is_some() != is_union {
            return None;
        }
        self.link.shared.insert(id);
        Some(id)
    }

    /// The structure of an earlier unit with this type name and no tag, if it has the same members as
    /// this one.
    pub(crate) fn shared_name(&self, name: &str, id: StructId) -> Option<StructId> {
        let known = *self.link.names.get(name).filter(|_| self.is_file_scope())?;
        let complete = self.unit.structs[id.0].layout.is_some();
        (complete && self.same_members(known, &self.unit.structs[id.0])).then_some(known)
    }

    /// Whether a structure that is shared has these members in this unit, too. If not, its tag has to be
    /// kept apart.
    pub(crate) fn agree(&mut self, tag: &str, id: StructId, new: &Struct) {
        self.link.shared.remove(&id);
        if !self.same_members(id, new) {
            self.link.apart.insert((self.link.unit, tag.to_owned()));
        }
    }

    fn same_members(&self, id: StructId, new: &Struct) -> bool {
        let same_fields = self.unit.structs[id.0].fields == new.fields;
        let known = &self.unit.structs[id.0].members;
        let mut pairs = known.iter().zip(&new.members);
        same_fields
            && known.len() == new.members.len()
            && pairs.all(|(a, b)| a.name == b.name && self.same_type(&a.ty, &b.ty))
    }

    /// Whether types of two units are the same: structures without a name are if their members are.
    fn same_type(&self, a: &Type, b: &Type) -> bool {
        if a == b {
            return true;
        }
        if a.atomic != b.atomic || a.volatile != b.volatile {
            return false;
        }
        match (&a.kind, &b.kind) {
            (TypeKind::Struct(a), TypeKind::Struct(b)) => {
                let (a, b) = (a.0, b.0);
                let (first, second) = (&self.unit.structs[a], &self.unit.structs[b]);
                let nameless = first.name.is_empty() && second.name.is_empty();
                nameless
                    && first.union.is_some() == second.union.is_some()
                    && self.same_members(StructId(a), second)
            }
            (TypeKind::Array(a, m), TypeKind::Array(b, n)) => m == n && self.same_type(a, b),
            (TypeKind::Pointer(a), TypeKind::Pointer(b)) => self.same_type(a, b),
            _ => false,
        }
    }
}
