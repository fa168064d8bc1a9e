//! Places in memory: which cell a store, a load or a locked instruction accesses, and which cells a
//! lightweight fence names.
//!
//! The cell of an access may be computed at run time; those of a fence are static.

use super::ThreadDraft;
use super::private::Binding;
use crate::native::ast::{Expr, ExprKind};
use crate::native::lower::errors::array_without_index;
use crate::native::lower::graph::{Node, Value};
use crate::program::{Addr, BinaryOp};
use crate::text::Diagnostic;

impl<'a> ThreadDraft<'_, 'a> {
    /// The address of a place, and a name for the value loaded from it. Reports what is not a
    /// place.
    pub(super) fn place(&mut self, e: &'a Expr, at: &mut Node) -> Option<(Value, String)> {
        match &e.kind {
            ExprKind::Paren(inner) => self.place(inner, at),
            ExprKind::Name(name) => {
                if let Some(binding) = self.private.get(name) {
                    let what = match binding {
                        Binding::Register(_) => "a register",
                        Binding::Value(_) => "a parameter",
                    };
                    self.scope.error(
                        Diagnostic::error(
                            format!("`{name}` is {what}, not a shared variable"),
                            e.span.clone(),
                        )
                        .label("expected a shared variable")
                        .note(format!(
                            "`*{name}` is the cell at the address that it holds"
                        )),
                    );
                    return None;
                }
                if let Some(region) = self.scope.regions.get(name).copied() {
                    if region.array {
                        self.scope.error(array_without_index(name, &e.span));
                        return None;
                    }
                    return Some((Value::Const(region.base.0), name.clone()));
                }
                if self.scope.constants.contains_key(name.as_str()) {
                    self.not_a_place(e, "this is a constant");
                    return None;
                }
                self.unknown_name("name", name, &e.span);
                None
            }
            ExprKind::Index(name, index) => {
                let base = match self.private.get(&name.text) {
                    // As in C, indexing a register accesses a cell relative to the address in it.
                    Some(Binding::Register(reg)) => Value::Var(reg),
                    Some(Binding::Value(value)) => Value::Const(value),
                    None => {
                        let region = self.scope.array(name)?;
                        let value = self.value(index, at);
                        return Some((
                            match value.as_const() {
                                Some(value) => Value::Const(
                                    self.scope.element(name, region, value, &index.span)?.0,
                                ),
                                None => {
                                    Value::binary(BinaryOp::Add, Value::Const(region.base.0), value)
                                }
                            },
                            name.text.clone(),
                        ));
                    }
                };
                let value = self.value(index, at);
                let addr = self.scope.binary(BinaryOp::Add, base, value, &index.span);
                Some((addr, name.text.clone()))
            }
            ExprKind::Deref(inner) => {
                let name = if let ExprKind::Name(name) = &inner.strip().kind {
                    name.clone()
                } else {
                    "at".to_owned()
                };
                // Dereferencing the address of a whole array gives its first cell.
                if let ExprKind::AddressOf(place) = &inner.strip().kind
                    && !self.is_whole_array(place.strip())
                {
                    return self.place(place, at);
                }
                Some((self.value(inner, at), name))
            }
            ExprKind::Int(_)
            | ExprKind::AddressOf(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(_)
            | ExprKind::Call(..)
            | ExprKind::Fenced(..) => {
                self.not_a_place(e, "this is a value");
                None
            }
            ExprKind::Path(_) | ExprKind::At(..) => {
                self.value(e, at);
                None
            }
        }
    }

    fn not_a_place(&mut self, e: &Expr, what: &str) {
        self.scope.error(
            Diagnostic::error(format!("{what}, not a memory location"), e.span.clone())
                .label("expected a shared variable, an array element, or `*` and an address"),
        );
    }

    pub(super) fn is_whole_array(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Name(name)
            if self.scope.regions.get(name).is_some_and(|region| region.array))
    }

    /// The cells of a lightweight fence, sorted.
    pub(super) fn cells(&mut self, list: &'a [Expr]) -> Option<Vec<Addr>> {
        let mut cells = Vec::new();
        let mut whole = true;
        for e in list {
            let inner = e.strip();
            if let ExprKind::Name(name) = &inner.kind
                && let Some(binding) = self.private.get(name)
            {
                let Binding::Value(_) = binding else {
                    self.no_fence(inner, format!("a fence cannot name the register `{name}`"));
                    whole = false;
                    continue;
                };
            }
            // Parameters bound to constant addresses are cells, too.
            if let ExprKind::Deref(address) = &inner.kind {
                let mut at = self.graph.nowhere;
                if !matches!(&address.strip().kind, ExprKind::Name(name)
                    if matches!(self.private.get(name), Some(Binding::Register(_))))
                    && let Some(value) = self.value(address, &mut at).as_const()
                {
                    cells.push(Addr(value));
                    continue;
                }
                let message = "the cells of a fence must be known statically";
                self.no_fence(inner, message.to_owned());
                whole = false;
                continue;
            }
            match self.scope.static_place(inner) {
                Some((base, len)) => {
                    cells.extend((0..len).map(|i| Addr(base.0 + i as i32)));
                }
                None => whole = false,
            }
        }
        cells.sort_unstable();
        cells.dedup();
        whole.then_some(cells)
    }

    /// Reports cells that a fence cannot name. Arguments of an uncalled procedure may still turn
    /// out valid.
    fn no_fence(&mut self, e: &Expr, message: String) {
        if self.uncalled {
            return;
        }
        self.scope.error(
            Diagnostic::error(message, e.span.clone())
                .label("expected a shared variable or an array element"),
        );
    }
}
