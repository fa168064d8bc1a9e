//! What is the same in every state: the values of constant expressions, and the cells that a place
//! denotes statically.

use super::{Scope, SharedName};
use crate::native::ast::{Expr, ExprKind, Name};
use crate::program::Addr;
use crate::text::{Diagnostic, Span};

impl Scope<'_> {
    /// Whether this span contains a malformed number.
    pub(super) fn has_bad_number(&self, place: &Span) -> bool {
        let mut bad = self.bad_numbers.iter();
        bad.any(|bad| bad.start < place.end && place.start < bad.end)
    }

    /// The value of an expression of constants and addresses; reports an error if it has none.
    pub(super) fn constant(&mut self, e: &Expr) -> Option<i32> {
        match &e.kind {
            ExprKind::Int(value) => (!self.has_bad_number(&e.span)).then_some(*value),
            ExprKind::Paren(inner) => self.constant(inner),
            ExprKind::Name(name) if self.bad_constants.contains(name.as_str()) => None,
            ExprKind::Name(name) => {
                if let Some(value) = self.constants.get(name.as_str()) {
                    return Some(*value);
                }
                if self.regions.contains_key(name) {
                    self.error(
                        Diagnostic::error(
                            format!("`{name}` is a shared variable, not a constant"),
                            e.span.clone(),
                        )
                        .label("expected a constant"),
                    );
                } else {
                    self.unknown("constant", name, &e.span, |scope| {
                        scope
                            .constants
                            .keys()
                            .map(|name| (*name).to_owned())
                            .collect()
                    });
                }
                None
            }
            ExprKind::Unary(op, a) => Some(op.apply(self.constant(a)?)),
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.constant(a), self.constant(b));
                let (left, right) = (left?, right?);
                if !self.divides(*op, Some(right), &b.span) {
                    return None;
                }
                Some(op.apply(left, right))
            }
            ExprKind::Conditional(parts) => {
                let values = [
                    self.constant(&parts[0]),
                    self.constant(&parts[1]),
                    self.constant(&parts[2]),
                ];
                let [c, a, b] = values;
                Some(if c? == 0 { b? } else { a? })
            }
            ExprKind::AddressOf(place) => self.static_place(place).map(|(addr, _)| addr.0),
            ExprKind::Index(..)
            | ExprKind::Deref(_)
            | ExprKind::Call(..)
            | ExprKind::Path(_)
            | ExprKind::At(..)
            | ExprKind::Fenced(..) => {
                self.error(
                    Diagnostic::error("this is not a constant", e.span.clone())
                        .label("expected a constant"),
                );
                None
            }
        }
    }

    /// The cells that a place denotes independently of registers and memory: the first one, and how
    /// many. Reports an error if there are none.
    pub(super) fn static_place(&mut self, e: &Expr) -> Option<(Addr, usize)> {
        match &e.kind {
            ExprKind::Paren(inner) | ExprKind::AddressOf(inner) => self.static_place(inner),
            ExprKind::Name(name) => {
                if let Some(region) = self.regions.get(name) {
                    return Some((region.base, region.len));
                }
                self.unknown("shared variable", name, &e.span, |scope| {
                    scope.regions.keys().cloned().collect()
                });
                None
            }
            ExprKind::Index(name, index) => {
                let region = self.array(name)?;
                let index_value = self.constant(index)?;
                self.element(name, region, index_value, &index.span)
                    .map(|addr| (addr, 1))
            }
            ExprKind::Int(_)
            | ExprKind::Deref(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(_)
            | ExprKind::Call(..)
            | ExprKind::Path(_)
            | ExprKind::At(..)
            | ExprKind::Fenced(..) => {
                self.error(
                    Diagnostic::error("this is not a shared variable", e.span.clone())
                        .label("expected a shared variable or an array element"),
                );
                None
            }
        }
    }

    /// The array with this name; reports an error if there is none.
    pub(super) fn array(&mut self, name: &Name) -> Option<SharedName> {
        match self.regions.get(&name.text) {
            Some(region) if region.array => Some(*region),
            Some(_) => {
                self.error(
                    Diagnostic::error(
                        format!("`{}` is not an array", name.text),
                        name.span.clone(),
                    )
                    .label("cannot be indexed"),
                );
                None
            }
            None => {
                self.unknown("array", &name.text, &name.span, |scope| {
                    let arrays = scope.regions.iter().filter(|(_, region)| region.array);
                    arrays.map(|(name, _)| name.clone()).collect()
                });
                None
            }
        }
    }

    /// The element at a constant index of an array; reports an error if it is out of bounds.
    pub(super) fn element(
        &mut self,
        name: &Name,
        region: SharedName,
        index: i32,
        span: &Span,
    ) -> Option<Addr> {
        if region.bad_len {
            // The unknown size has been reported.
            return Some(region.base);
        }
        if index >= 0 && (index as usize) < region.len {
            return Some(Addr(region.base.0 + index));
        }
        self.error(
            Diagnostic::error(
                format!("index {index} is out of bounds for `{}`", name.text),
                span.clone(),
            )
            .label(format!(
                "`{}` has {} elements, numbered from 0",
                name.text, region.len
            )),
        );
        None
    }
}
