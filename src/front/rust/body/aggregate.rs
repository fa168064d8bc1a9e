//! Structures, tuples and arrays: the values of their parts.

use super::build::{constant, load, sequence};
use super::expr::MOST_DEPTH;
use super::{Body, Pl, Val};
use crate::lower::typed::{self, ExprKind, Path, Step, Stmt};
use crate::rust::source::{at, implied, span, text_of};
use crate::rust::types::Ty;
use crate::rust::unit::Res;
use crate::text::{Place, Span};
use syn::Expr;

impl<'a> Body<'_, 'a> {
    pub(super) fn aggregate(&mut self, e: &'a Expr, want: Option<&Ty>, place: Place) -> Res<Val> {
        let ty = match want {
            Some(ty) => ty.clone(),
            None => self.infer.fresh(span(e).start, false),
        };
        let mut stmts = Vec::new();
        let values = self.values_of(e, &ty, &mut stmts)?;
        let ty = self.infer.shallow(&ty);
        let (id, pl) = self.temporary(&ty, place);
        let kind = typed::StmtKind::Declare(id, values, typed::Initialised::Yes);
        stmts.push(super::build::stmt(kind, implied(place)));
        Ok(Val {
            e: sequence(stmts, load(pl.lvalue, place)),
            ty,
        })
    }

    /// The values of the parts of an expression of this type, by the ways to them.
    pub(super) fn values_of(
        &mut self,
        e: &'a Expr,
        ty: &Ty,
        stmts: &mut Vec<Stmt>,
    ) -> Res<Vec<(Path, typed::Expr)>> {
        let mut values = Vec::new();
        self.depth += 1;
        let made = if self.depth > MOST_DEPTH {
            self.error("expressions nest too deeply", span(e))
        } else {
            let pending = self.pending.len();
            let made = self.collect(e, ty, &[], &mut values, stmts);
            self.pending.truncate(pending);
            made
        };
        self.depth -= 1;
        made?;
        self.order_parts(&mut values, stmts);
        Ok(values)
    }

    pub(super) fn collect(
        &mut self,
        e: &'a Expr,
        ty: &Ty,
        path: &[Step],
        values: &mut Vec<(Path, typed::Expr)>,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let at_step = |step: Step| {
            let mut path = path.to_vec();
            path.push(step);
            path
        };
        match e {
            Expr::Paren(e) => return self.collect(&e.expr, ty, path, values, stmts),
            Expr::Tuple(of) if !of.elems.is_empty() => {
                let types: Vec<Ty> = match self.infer.shallow(ty) {
                    Ty::Tuple(types) if types.len() == of.elems.len() => types,
                    _ => {
                        let start = span(e).start;
                        let types: Vec<Ty> = of
                            .elems
                            .iter()
                            .map(|_| self.infer.fresh(start, false))
                            .collect();
                        self.unify(ty, &Ty::Tuple(types.clone()), span(e))?;
                        types
                    }
                };
                for (number, (e, part)) in of.elems.iter().zip(&types).enumerate() {
                    let member = self.member_number(ty, &number.to_string());
                    let path = member.map(|member| at_step(Step::Member(member)));
                    self.collect_part(e, part, path, values, stmts)?;
                }
                return Ok(());
            }
            Expr::Array(of) => {
                let (element, _) = self.array_type(ty, of.elems.len(), e)?;
                for (number, e) in of.elems.iter().enumerate() {
                    let path = at_step(Step::Element(number as u32));
                    self.collect_part(e, &element, Some(path), values, stmts)?;
                }
                return Ok(());
            }
            Expr::Repeat(of) => {
                let context = self.here();
                let count = self.t.length(&of.len, &context)?;
                let (element, _) = self.array_type(ty, count as usize, e)?;
                return self.collect_repeated((&of.expr, count), &element, path, values, stmts);
            }
            Expr::Struct(of) => {
                let (own, variant) = match self.variant_of(&of.path)? {
                    Some((own, variant)) => (own, Some(variant)),
                    None => {
                        let context = self.here();
                        let path = syn::Type::Path(syn::TypePath {
                            qself: None,
                            path: of.path.clone(),
                        });
                        self.t.infers_defaults = true;
                        let own = self.t.ty(&path, &context, Some(&mut self.infer));
                        self.t.infers_defaults = false;
                        (own?, None)
                    }
                };
                self.unify(ty, &own, span(&of.path))?;
                let own = self.infer.deep(&own);
                for (inner, value) in self.tag_value(&own, variant, at(e))? {
                    values.push((path.iter().copied().chain(inner).collect(), value));
                }
                for field in &of.fields {
                    if !self.t.is_there(&field.attrs)? {
                        continue;
                    }
                    let name = self.field_name(&own, variant, &text_of(&field.member));
                    let part = self.field_type(&own, &name, span(field))?;
                    let member = self.member_number(&own, &name);
                    let path = member.map(|member| at_step(Step::Member(member)));
                    self.collect_part(&field.expr, &part, path, values, stmts)?;
                }
                if let Some(rest) = &of.rest {
                    return self.collect_rest(of, rest, &own, path, values, stmts);
                }
                return Ok(());
            }
            Expr::Call(of) => {
                if let Some(inner) = self.transparent(of, ty)? {
                    let (e, part, member) = inner;
                    let path = match member {
                        Some(member) => at_step(Step::Member(member)),
                        None => path.to_vec(),
                    };
                    return self.collect_part(e, &part, Some(path), values, stmts);
                }
            }
            _ => {}
        }
        self.collect_part_value(e, ty, path.to_vec(), values, stmts)
    }

    /// `[e; count]`: the value is computed once and copied, but for constants, each of which is a value of its own.
    fn collect_repeated(
        &mut self,
        (e, count): (&'a Expr, u32),
        element: &Ty,
        path: &[Step],
        values: &mut Vec<(Path, typed::Expr)>,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let at_element = |number: u32| {
            let mut path = path.to_vec();
            path.push(Step::Element(number));
            path
        };
        if count == 0 {
            let value = self.expr_as(e, element)?;
            if self.needs_drop(&value.ty) {
                return self.refuse(
                    "an array without elements of a value whose end has an effect is not supported",
                    span(e),
                    "write `[]`",
                );
            }
            self.hold_parts(values, stmts);
            stmts.push(Self::effect(value.e));
            return Ok(());
        }
        if matches!(e, Expr::Path(_) | Expr::Const(_) | Expr::Lit(_)) {
            for number in 0..count {
                self.collect_part(e, element, Some(at_element(number)), values, stmts)?;
            }
            return Ok(());
        }
        let before = values.len();
        self.collect_part(e, element, Some(at_element(0)), values, stmts)?;
        let mut first = values.split_off(before);
        if count > 1
            && first
                .iter()
                .any(|(_, part)| !matches!(part.kind, ExprKind::Const(_)))
        {
            self.hold_parts(values, stmts);
            self.hold_parts(&mut first, stmts);
        }
        for number in 0..count {
            for (own, value) in &first {
                let mut own = own.clone();
                own[path.len()] = Step::Element(number);
                values.push((own, value.clone()));
            }
        }
        Ok(())
    }

    /// `..rest` in a structure: the fields that are not written are those of another value, out of which they are moved.
    fn collect_rest(
        &mut self,
        of: &'a syn::ExprStruct,
        rest: &'a Expr,
        own: &Ty,
        path: &[Step],
        values: &mut Vec<(Path, typed::Expr)>,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let place = at(rest);
        let from = if self.is_place(rest) {
            let pl = self.place(rest)?;
            self.unify(own, &pl.ty, span(rest))?;
            // Since edition 2021, a closure captures only the fields that are moved.
            if self.needs_drop(own) && self.captured_at(&pl.lvalue).is_some() {
                return self.refuse(
                    "`..` with a captured value whose end has an effect is not supported",
                    span(rest),
                    "write all fields",
                );
            }
            pl
        } else {
            let value = self.expr_as(rest, own)?;
            self.hold_parts(values, stmts);
            self.kept(value, &span(rest), stmts)?
        };
        for (name, _) in self.t.parts(own) {
            if of.fields.iter().any(|field| text_of(&field.member) == name) {
                continue;
            }
            let part = self.part(&from, &name, place)?;
            let value = self.load_place(part, rest, place)?;
            if let Some(member) = self.member_number(own, &name) {
                let mut path = path.to_vec();
                path.push(Step::Member(member));
                values.push((path, value.e));
            }
        }
        Ok(())
    }

    /// A part whose values go where the path leads; nowhere, if it has no cells.
    pub(super) fn collect_part(
        &mut self,
        e: &'a Expr,
        ty: &Ty,
        path: Option<Path>,
        values: &mut Vec<(Path, typed::Expr)>,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        match path {
            Some(path) => self.collect(e, ty, &path, values, stmts),
            None => {
                let value = self.expr_as(e, ty)?;
                if !matches!(value.e.kind, ExprKind::Statement(ref stmts) if stmts.is_empty()) {
                    self.hold_parts(values, stmts);
                    stmts.push(Self::effect(value.e));
                }
                Ok(())
            }
        }
    }

    pub(super) fn collect_part_value(
        &mut self,
        e: &'a Expr,
        ty: &Ty,
        path: Path,
        values: &mut Vec<(Path, typed::Expr)>,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let value = self.expr_as(e, ty)?;
        self.pend(ty);
        if value.e.ty.is_void() {
            self.hold_parts(values, stmts);
            stmts.push(Self::effect(value.e));
        } else {
            values.push((path, value.e));
        }
        Ok(())
    }

    pub(super) fn array_type(&mut self, ty: &Ty, count: usize, e: &Expr) -> Res<(Ty, u32)> {
        if let Ty::Array(element, length) = self.infer.shallow(ty)
            && length as usize == count
        {
            return Ok((*element, length));
        }
        let element = self.infer.fresh(span(e).start, false);
        let array = Ty::Array(Box::new(element.clone()), count as u32);
        self.unify(ty, &array, span(e))?;
        Ok((element, count as u32))
    }

    /// The number of the member that a part is, unless it has no cells.
    pub(super) fn member_number(&mut self, ty: &Ty, name: &str) -> Option<usize> {
        let ty = self.infer.settled(ty);
        let mut number = 0;
        for (own, part) in self.t.parts(&ty) {
            let has_cells = !self.t.typed(&part).is_void();
            if own == name {
                return has_cells.then_some(number);
            }
            number += usize::from(has_cells);
        }
        None
    }

    /// The type of a field or part.
    pub(super) fn field_type(&mut self, ty: &Ty, name: &str, of: Span) -> Res<Ty> {
        let ty = self.infer.shallow(ty);
        let part = match &ty {
            // With what is inferred of its arguments.
            Ty::Adt(id, arguments) => {
                let known = |ty: &Ty| match self.infer.shallow(ty) {
                    // Lengths of arrays are computed from it.
                    number @ Ty::Const(_) => number,
                    _ => ty.clone(),
                };
                let arguments: Vec<Ty> = arguments.iter().map(known).collect();
                let fields = self.t.fields(*id, &arguments)?;
                fields.into_iter().find(|(own, _)| own == name)
            }
            ty => self.t.parts(ty).into_iter().find(|(own, _)| own == name),
        };
        match part {
            Some((_, ty)) => Ok(ty),
            None => {
                let ty = self.t.shown(&self.infer.deep(&ty));
                self.error(format!("`{ty}` has no field `{name}`"), of)
            }
        }
    }

    /// A field or part of what is in a place.
    pub(super) fn part(&mut self, of: &Pl, name: &str, place: Place) -> Res<Pl> {
        let span = place.start as usize..place.end as usize;
        let ty = self.field_type(&of.ty, name, span)?;
        let typed = self.typed(&ty);
        let lvalue = match self.member_number(&of.ty, name) {
            Some(member) => super::build::member(of.lvalue.clone(), member, typed, place),
            // It has no cells, and is never accessed.
            None => typed::Lvalue {
                ty: typed,
                ..of.lvalue.clone()
            },
        };
        Ok(Pl { lvalue, ty })
    }

    /// Puts the value of an expression into a place that has none yet.
    pub(super) fn initialise(&mut self, into: &Pl, e: &'a Expr, stmts: &mut Vec<Stmt>) -> Res<()> {
        let place = implied(at(e));
        let values = self.values_of(e, &into.ty, stmts)?;
        for (path, value) in values {
            let mut lvalue = into.lvalue.clone();
            for step in path {
                lvalue = match (step, &lvalue.ty.kind) {
                    (Step::Member(member), _) => {
                        let ty = self.member_type(&lvalue.ty, member);
                        super::build::member(lvalue, member, ty, place)
                    }
                    (Step::Element(number), typed::TypeKind::Array(element, _)) => {
                        let ty = (**element).clone();
                        let index = constant(i64::from(number), super::build::long(), place);
                        super::build::element(lvalue, index, ty, place)
                    }
                    (Step::Element(_), _) => lvalue,
                };
            }
            // Nothing else can access it yet.
            lvalue.ty.atomic = false;
            let e = super::build::assign(lvalue, value, place);
            stmts.push(Self::effect(e));
        }
        Ok(())
    }
}
