//! Parts of patterns: alternatives, constants, fields and variants.

use super::build::{address, and, binary, cast, compare, constant, deref, element, load, long, or};
use super::matches::Binding;
use super::{Body, Pl};
use crate::lower::typed::{BinaryOp, Expr as Node, ExprKind};
use crate::rust::names::{Named, Target};
use crate::rust::source::{at, span};
use crate::rust::types::{Ptr, Ty, USIZE};
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

    /// `[p, …, q]` for an array or a slice, whose names are then references.
    pub(super) fn element_patterns(
        &mut self,
        pattern: &'a syn::PatSlice,
        pl: &Pl,
        bindings: &mut Vec<Binding<'a>>,
    ) -> Res<Option<Node>> {
        let place = at(pattern);
        let given = pattern.elems.len();
        let rest = pattern
            .elems
            .iter()
            .position(|one| matches!(one, Pat::Rest(_)) || named_rest(one).is_some());
        let (element_ty, length) = match self.infer.shallow(&pl.ty) {
            Ty::Array(element, count) => (*element, Ok(i64::from(count))),
            Ty::Adt(id, arguments) if id == self.t.names.lang.slice => {
                let length = self.part(pl, "length", place)?;
                let length = cast(load(length.lvalue, place), long());
                (arguments[0].clone(), Err(length))
            }
            _ => {
                return self.refuse(
                    "a pattern of elements of this value is not supported",
                    span(pattern),
                    "those of arrays and slices are: write `&v[..]` for those of a vector",
                );
            }
        };
        let typed = self.typed(&element_ty);
        if length.is_err() && typed.is_void() {
            return self.refuse(
                "a pattern of a slice of values without parts is not supported",
                span(pattern),
                "look at its length",
            );
        }
        // How many elements there are after some number of them, and where those are that come last.
        let less = |by: usize| match &length {
            Ok(count) => constant(count - by as i64, long(), place),
            Err(length) => {
                let by = constant(by as i64, long(), place);
                binary(BinaryOp::Sub, length.clone(), by, long(), place)
            }
        };
        let mut all = None;
        if let Err(length) = &length {
            let fixed = given - usize::from(rest.is_some());
            let op = match rest {
                Some(_) => BinaryOp::Ge,
                None => BinaryOp::Eq,
            };
            let fixed = constant(fixed as i64, long(), place);
            all = Some(compare(op, length.clone(), fixed, place));
        }
        for (number, one) in pattern.elems.iter().enumerate() {
            let index = match rest {
                // Those after the rest are the last ones.
                Some(rest) if number > rest => less(given - number),
                Some(_) | None => constant(number as i64, long(), place),
            };
            let lvalue = match &length {
                Ok(_) => element(pl.lvalue.clone(), index, typed.clone(), place),
                Err(_) => {
                    let start = self.part(pl, "start", place)?;
                    let start = load(start.lvalue, place);
                    let ty = start.ty.clone();
                    deref(binary(BinaryOp::PointerAdd, start, index, ty, place), place)
                }
            };
            if rest == Some(number) {
                let Some(name) = named_rest(one) else {
                    continue;
                };
                if length.is_ok() {
                    return self.refuse(
                        "a name for several elements of an array is not supported",
                        span(one),
                        "match a slice of it, `&a[..]`",
                    );
                }
                let size = self.typed(&USIZE);
                let count = cast(less(given - 1), size);
                let ty = pl.ty.clone();
                let parts = vec![("start", address(lvalue, place)), ("length", count)];
                let value = self.record(ty.clone(), parts, Vec::new(), place).e;
                bindings.push(Binding { name, value, ty });
                continue;
            }
            let part = Pl {
                lvalue,
                ty: element_ty.clone(),
            };
            let from = bindings.len();
            let fits = self.pattern(one, &part, bindings)?;
            if length.is_err() {
                self.bind_references(&mut bindings[from..], place);
            }
            all = both(all, fits);
        }
        Ok(all)
    }

    /// Makes names of what a pattern looks at through a reference references.
    pub(super) fn bind_references(&mut self, bindings: &mut [Binding<'a>], place: Place) {
        for binding in bindings {
            if let ExprKind::Load(of) = binding.value.kind.clone() {
                binding.value = self.address_of(*of, place);
                binding.ty = Ty::pointer(Ptr::Ref, binding.ty.clone());
            }
        }
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

/// `name @ ..`
fn named_rest(pattern: &Pat) -> Option<&syn::PatIdent> {
    match pattern {
        Pat::Ident(name) => match &name.subpat {
            Some((_, inner)) if matches!(**inner, Pat::Rest(_)) => Some(name),
            _ => None,
        },
        _ => None,
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
