//! Parts of patterns: alternatives, constants, fields and variants.

use super::build::{and, compare, constant, load, or};
use super::matches::Binding;
use super::{Body, Pl};
use crate::lower::typed::{BinaryOp, Expr as Node, ExprKind};
use crate::rust::names::{Named, Target};
use crate::rust::source::{at, span};
use crate::rust::types::Ty;
use crate::rust::unit::{Res, words_of};
use crate::text::Place;
use syn::{Expr, Pat};

impl<'a> Body<'_, 'a> {
    /// `p | q`, which bind the same names.
    pub(super) fn alternatives(
        &mut self,
        pattern: &'a syn::PatOr,
        pl: &Pl,
        bindings: &mut Vec<Binding<'a>>,
    ) -> Res<Option<Node>> {
        let mut cases = Vec::new();
        for case in &pattern.cases {
            let mut bound = Vec::new();
            let condition = self.pattern(case, pl, &mut bound)?;
            bound.sort_by_key(|binding| binding.name.ident.to_string());
            let is_last = condition.is_none();
            cases.push((condition, bound));
            if is_last {
                break;
            }
        }
        let mut found: Option<(Option<Node>, Vec<Binding<'a>>)> = None;
        for (condition, bound) in cases.into_iter().rev() {
            let Some((later, others)) = found.take() else {
                found = Some((condition, bound));
                continue;
            };
            let mut merged = Vec::new();
            for (own, other) in bound.into_iter().zip(others) {
                self.unify(&own.ty, &other.ty, span(own.name))?;
                if !own.value.ty.is_scalar() {
                    return self.refuse(
                        "values of several parts in alternatives are not supported",
                        span(own.name),
                        "write an arm for each of them",
                    );
                }
                let place = own.value.place;
                let ty = own.value.ty.clone();
                let Some(condition) = &condition else {
                    continue;
                };
                let values = (Box::new(own.value), Box::new(other.value));
                let kind = ExprKind::Conditional(Box::new(condition.clone()), values.0, values.1);
                merged.push(Binding {
                    value: super::build::expr(kind, ty, place),
                    ..own
                });
            }
            let either = match (condition, later) {
                (Some(condition), Some(later)) => Some(or(condition, later)),
                (_, None) | (None, _) => None,
            };
            found = Some((either, merged));
        }
        let (condition, bound) = found.unwrap_or_default();
        bindings.extend(bound);
        Ok(condition)
    }

    pub(super) fn equals_constant(
        &mut self,
        path: &syn::ExprPath,
        pl: &Pl,
        place: Place,
    ) -> Res<Option<Node>> {
        let words = words_of(&path.path);
        let compared = match self.t.names.resolve(self.module(), &words) {
            // A structure without fields has one value.
            Target::Item(_, Named::Struct(_)) => return Ok(None),
            Target::Known(known) => Self::compared_as(&known),
            Target::Item(..) | Target::None => None,
        };
        let value = match compared {
            Some(number) => number.into(),
            None => {
                let context = self.here();
                self.t.constant(&Expr::Path(path.clone()), &context)?
            }
        };
        let typed = self.typed(&pl.ty);
        let own = load(pl.lvalue.clone(), place);
        let value = constant(value as i64, typed, place);
        Ok(Some(compare(BinaryOp::Eq, own, value, place)))
    }

    /// The value of the end of a range.
    pub(super) fn constant_value(&mut self, e: &Expr, ty: &Ty) -> Res<Node> {
        let context = self.here();
        let value = self.t.constant(e, &context)?;
        let typed = self.typed(ty);
        Ok(constant(value as i64, typed, at(e)))
    }

    pub(super) fn all_of(
        &mut self,
        parts: &[&'a Pat],
        pl: &Pl,
        bindings: &mut Vec<Binding<'a>>,
    ) -> Res<Option<Node>> {
        let count = match self.infer.shallow(&pl.ty) {
            Ty::Tuple(types) => types.len(),
            _ => self.variant_fields(&pl.ty, None).len(),
        };
        let mut all = None;
        for (name, pattern) in numbered(parts, count) {
            let part = self.part(pl, &name, at(pattern))?;
            let one = self.pattern(pattern, &part, bindings)?;
            all = both(all, one);
        }
        Ok(all)
    }

    /// `E::V(p, …)`
    pub(super) fn variant(
        &mut self,
        (ty, variant): &(Ty, usize),
        parts: Vec<(String, &'a Pat)>,
        pl: &Pl,
        bindings: &mut Vec<Binding<'a>>,
        place: Place,
    ) -> Res<Option<Node>> {
        self.unify(&pl.ty, ty, place.start as usize..place.end as usize)?;
        let mut condition = self.is_variant(pl, *variant, place)?;
        for (name, inner) in parts {
            let name = self.field_name(ty, Some(*variant), &name);
            let part = self.part(pl, &name, place)?;
            let one = self.pattern(inner, &part, bindings)?;
            condition = both(condition, one);
        }
        Ok(condition)
    }
}

/// Whether a name in a pattern is that of a constant or of a variant.
pub(super) fn is_constant(name: &syn::PatIdent) -> bool {
    let word = name.ident.to_string();
    word.starts_with(char::is_uppercase) && name.subpat.is_none()
}

/// Patterns of fields without names, by the numbers of the fields: `..` stands for any number of them.
pub(super) fn numbered<'p>(parts: &[&'p Pat], count: usize) -> Vec<(String, &'p Pat)> {
    let rest = parts.iter().position(|part| matches!(part, Pat::Rest(_)));
    let after = rest.map_or(0, |rest| parts.len() - rest - 1);
    let number = |at: usize| match rest {
        Some(rest) if at > rest => (count + at).saturating_sub(rest + 1 + after),
        _ => at,
    };
    let named = parts.iter().enumerate().filter(|(at, _)| Some(*at) != rest);
    named
        .map(|(at, part)| (number(at).to_string(), *part))
        .collect()
}

pub(super) fn both(a: Option<Node>, b: Option<Node>) -> Option<Node> {
    match (a, b) {
        (Some(a), Some(b)) => Some(and(a, b)),
        (a, None) => a,
        (None, b) => b,
    }
}
