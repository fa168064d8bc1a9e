//! What makes a structure or a variant: its fields in order, and the tag.

use super::build::{load, sequence};
use super::call::Operand;
use super::{Body, Val};
use crate::lower::typed;
use crate::rust::source::implied;
use crate::rust::types::Ty;
use crate::rust::unit::{Res, TAG, payload};
use crate::text::{Place, Span};

impl<'a> Body<'_, 'a> {
    /// `S(a, b)`, `E::V(a, b)`
    pub(super) fn constructed(
        &mut self,
        ty: &Ty,
        variant: Option<usize>,
        operands: Vec<Operand<'a>>,
        want: Option<&Ty>,
        place: Place,
    ) -> Res<Val> {
        if let Some(want) = want {
            self.prefer(want, ty);
        }
        let ty = &self.infer.deep(ty);
        let of: Span = place.start as usize..place.end as usize;
        let count = self.variant_fields(ty, variant).len();
        if count != operands.len() {
            return self.error(
                format!("this has {count} fields, and {} are given", operands.len()),
                of,
            );
        }
        let mut values = self.tag_value(ty, variant, place)?;
        let mut stmts = Vec::new();
        let pending = self.pending.len();
        for (number, operand) in operands.iter().enumerate() {
            let name = self.field_name(ty, variant, &number.to_string());
            let part = self.field_type(ty, &name, of.clone())?;
            let mut own = Vec::new();
            let inner = match operand {
                Operand::Written(e) => self.values_of(e, &part, &mut own)?,
                Operand::Made(_) | Operand::Called(_) => {
                    let value = self.operand(operand, &part)?;
                    if value.e.ty.is_void() {
                        own.push(Self::effect(value.e));
                        Vec::new()
                    } else {
                        vec![(Vec::new(), value.e)]
                    }
                }
            };
            if !own.is_empty() {
                self.hold_parts(&mut values, &mut stmts);
                stmts.extend(own);
            }
            self.pend(&part);
            match self.member_number(ty, &name) {
                Some(member) => {
                    for (mut path, value) in inner {
                        path.insert(0, typed::Step::Member(member));
                        values.push((path, value));
                    }
                }
                None => stmts.extend(inner.into_iter().map(|(_, value)| Self::effect(value))),
            }
        }
        self.pending.truncate(pending);
        self.order_parts(&mut values, &mut stmts);
        let (id, pl) = self.temporary(ty, place);
        let kind = typed::StmtKind::Declare(id, values, typed::Initialised::Yes);
        stmts.push(super::build::stmt(kind, implied(place)));
        Ok(Val {
            e: sequence(stmts, load(pl.lvalue, place)),
            ty: ty.clone(),
        })
    }

    /// The name of a field of a structure or a variant among the parts of the type.
    pub(super) fn field_name(&self, ty: &Ty, variant: Option<usize>, name: &str) -> String {
        match (self.infer.shallow(ty), variant) {
            (Ty::Adt(id, _), Some(variant)) => {
                let variants = self.t.names.adts[id].variants();
                let of = variants.get(variant).and_then(|(of, _)| *of);
                of.map_or_else(|| name.to_owned(), |of| payload(&of.to_string(), name))
            }
            _ => name.to_owned(),
        }
    }

    /// The fields of a structure or a variant, as they are written.
    pub(super) fn variant_fields(&self, ty: &Ty, variant: Option<usize>) -> Vec<&'a syn::Field> {
        let Ty::Adt(id, _) = self.infer.shallow(ty) else {
            return Vec::new();
        };
        let variants = self.t.names.adts[id].variants();
        let fields = variants
            .get(variant.unwrap_or(0))
            .map(|(_, fields)| *fields);
        fields
            .map(|fields| fields.iter().collect())
            .unwrap_or_default()
    }

    /// What says which variant it is.
    pub(super) fn tag_value(
        &mut self,
        ty: &Ty,
        variant: Option<usize>,
        place: Place,
    ) -> Res<Vec<(typed::Path, typed::Expr)>> {
        let (Ty::Adt(id, _), Some(variant)) = (self.infer.shallow(ty), variant) else {
            return Ok(Vec::new());
        };
        if self.t.names.adts[id].is_number() {
            let number = self.t.variants(id)?[variant];
            let typed = self.typed(ty);
            let value = super::build::constant(i64::from(number), typed, place);
            return Ok(vec![(Vec::new(), value)]);
        }
        let tag = self.t.tag(id);
        let typed = self.typed(&tag);
        let value = super::build::constant(variant as i64, typed, place);
        let member = self.member_number(ty, TAG).unwrap_or(0);
        Ok(vec![(vec![typed::Step::Member(member)], value)])
    }
}
