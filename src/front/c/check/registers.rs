//! Litmus tests: local variables that no declaration introduces, and addresses as numbers.
//!
//! In a test, a name that nothing declares is a variable of its thread, which is 0 at first. Its type is
//! that of the first value assigned to it, or `int`. The types of later values must not change what they
//! are: such a variable has one value, which the author of a test sees without a type.
//!
//! Addresses are values like others there, so that they are assigned to integers and integers to pointers
//! without a cast. What holds addresses and what holds numbers is decided when the whole test is known
//! (`litmus::kinds`).

use super::convert::cast;
use super::{Checked, Checker, INT, Symbol, pointer, unqualified};
use crate::c::library;
use crate::lower::typed::{Expr, ExprKind, Local, LocalId, Type, TypeKind};
use crate::text::Place;
use std::collections::BTreeMap;

/// What the initial state of a test says of the type of a thread's variable.
#[derive(Clone, Debug)]
pub(crate) enum InitialType {
    Declared(Type),
    /// That of a pointer to this shared variable.
    AddressOf(String),
}

/// By function and name, the variables that the initial state of a test names.
pub(crate) type Registers = BTreeMap<(String, String), InitialType>;

impl Checker<'_> {
    /// Whether this name, which is not called, is a variable of a test that is not declared.
    pub(crate) fn is_register(&self, name: &str) -> bool {
        let (Some(_), Some(body)) = (self.test, &self.body) else {
            return false;
        };
        let is_local = body.locals.iter().any(|local| local.name == name);
        super::super::litmus::thread_number(&body.name).is_some()
            && !is_local
            && self.lookup(name).is_none()
            && library::find(name).is_none()
    }

    /// The type that the initial state gives to such a variable.
    pub(crate) fn initial_type(&self, name: &str) -> Option<Type> {
        let function = self.body.as_ref()?.name.clone();
        match self.test?.get(&(function, name.to_owned()))? {
            InitialType::Declared(ty) => Some(ty.clone()),
            InitialType::AddressOf(shared) => {
                let Some(Symbol::Local(id, _)) = self.lookup(shared) else {
                    return Some(pointer(INT));
                };
                Some(unqualified(&self.body.as_ref()?.locals[id.0].ty))
            }
        }
    }

    /// Makes such a variable known, as one that holds values of this type.
    pub(crate) fn new_register(&mut self, name: &str, of: &Type, place: Place) {
        let ty = match &of.kind {
            TypeKind::Int { bits: 32.., .. } | TypeKind::Pointer(_) => unqualified(of),
            TypeKind::Array(of, _) => pointer((**of).clone()),
            TypeKind::Float { .. }
            | TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Struct(_)
            | TypeKind::Function(..)
            | TypeKind::Library(_) => INT,
        };
        let Some(local) = self.new_local(name, &ty) else {
            return;
        };
        if let Some(body) = &mut self.body {
            body.registers.push((local, place));
        }
        // The first scope is that of the file, the second one that of the function.
        if let Some(scope) = self.scopes.get_mut(1) {
            let symbol = Symbol::Local(local, false);
            scope.names.insert(name.to_owned(), (symbol, place));
        }
    }

    /// Refuses a value of another type than those before, unless it is the same number in both.
    pub(super) fn fits_register(&mut self, local: LocalId, value: &Expr) -> Checked<()> {
        let Some(body) = &self.body else {
            return Ok(());
        };
        if body
            .registers
            .iter()
            .all(|(register, _)| *register != local)
        {
            return Ok(());
        }
        let Local { name, ty, .. } = body.locals[local.0].clone();
        let fits = match (ty.width(), value.ty.width()) {
            (Some((bits, signed)), Some((other, is_signed))) => {
                let constant = matches!(value.kind, ExprKind::Const(0..=0x7fff_ffff));
                constant
                    || (bits, signed) == (other, is_signed)
                    || other < 32
                    || signed && is_signed && other < bits
            }
            // Addresses and pointers.
            _ => true,
        };
        if fits {
            return Ok(());
        }
        let (from, into) = (self.show(&value.ty), self.show(&ty));
        let message = format!("`{name}` has values of two types, `{into}` and `{from}`");
        let note = format!("declare it: `{from} {name};`");
        Err(self.error_with(message, value.place, note))
    }
}

/// A value where the other one is a pointer, and this one a number: the address that it is.
pub(super) fn as_address(value: Expr, other: &Type) -> Expr {
    if value.ty.is_integer() && other.is_pointer() {
        return cast(value, other);
    }
    value
}
