//! What is the same in every state: the values of constant expressions, and the cells that a place
//! names by itself.

use super::{Region, Scope};
use crate::native::ast::{Expr, ExprKind, Name};
use crate::program::Addr;
use crate::text::{Diagnostic, Span};

impl Scope<'_> {
    /// Whether there is a number in this place that was none.
    pub(super) fn is_lost(&self, place: &Span) -> bool {
        let mut lost = self.lost.iter();
        lost.any(|lost| lost.start < place.end && place.start < lost.end)
    }

    /// The value of an expression of constants and addresses; reports why it is none.
    pub(super) fn constant(&mut self, e: &Expr) -> Option<i32> {
        match &e.kind {
            ExprKind::Int(value) => (!self.is_lost(&e.span)).then_some(*value),
            ExprKind::Paren(inner) => self.constant(inner),
            ExprKind::Name(name) if self.lost_constants.contains(name.as_str()) => None,
            ExprKind::Name(name) => {
                if let Some(value) = self.constants.get(name.as_str()) {
                    return Some(*value);
                }
                if self.regions.contains_key(name) {
                    self.error(
                        Diagnostic::error(
                            format!("`{name}` is a shared name, not a constant"),
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
                    Diagnostic::error("this is no constant", e.span.clone())
                        .label("expected a constant"),
                );
                None
            }
        }
    }

    /// The cells that a place names without looking at registers or memory: the first, and how
    /// many. Reports why there are none.
    pub(super) fn static_place(&mut self, e: &Expr) -> Option<(Addr, usize)> {
        match &e.kind {
            ExprKind::Paren(inner) | ExprKind::AddressOf(inner) => self.static_place(inner),
            ExprKind::Name(name) => {
                if let Some(region) = self.regions.get(name) {
                    return Some((region.base, region.len));
                }
                self.unknown("shared name", name, &e.span, |scope| {
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
                    Diagnostic::error("this is no shared cell", e.span.clone())
                        .label("expected a shared name or an element of an array"),
                );
                None
            }
        }
    }

    /// The array of this name; reports why there is none.
    pub(super) fn array(&mut self, name: &Name) -> Option<Region> {
        match self.regions.get(&name.text) {
            Some(region) if region.array => Some(*region),
            Some(_) => {
                self.error(
                    Diagnostic::error(
                        format!("`{}` is one cell, not an array", name.text),
                        name.span.clone(),
                    )
                    .label("takes no index"),
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

    /// The cell at a constant position of an array; reports if it is outside.
    pub(super) fn element(
        &mut self,
        name: &Name,
        region: Region,
        index: i32,
        span: &Span,
    ) -> Option<Addr> {
        if region.lost {
            // How many cells there are was said to be unknown.
            return Some(region.base);
        }
        if index >= 0 && (index as usize) < region.len {
            return Some(Addr(region.base.0 + index));
        }
        self.error(
            Diagnostic::error(
                format!("index {index} is outside `{}`", name.text),
                span.clone(),
            )
            .label(format!(
                "`{}` has {} cells, numbered from 0",
                name.text, region.len
            )),
        );
        None
    }
}
