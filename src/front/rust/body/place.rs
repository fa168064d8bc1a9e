//! What has an address: variables, statics, fields, elements, and what pointers point to.

use super::build::{cast, deref, element, load, long, member};
use super::control::without_brackets;
use super::{Body, Pl};
use crate::rust::names::{AdtItem, Named, Target};
use crate::rust::source::{at, span, text_of};
use crate::rust::types::{Slot, Ty, USIZE};
use crate::rust::unit::{Res, words_of};
use crate::text::Place;
use syn::Expr;

impl<'a> Body<'_, 'a> {
    /// Whether an expression has an address of its own.
    pub(super) fn is_place(&self, e: &Expr) -> bool {
        match without_brackets(e) {
            Expr::Path(path) => {
                let words = words_of(&path.path);
                if let [name] = &words[..]
                    && self.find(name).is_some()
                {
                    return true;
                }
                let target = self.t.names.resolve(self.module(), &words);
                matches!(target, Target::Item(_, Named::Static(_)))
            }
            Expr::Field(e) => self.is_place(&e.base) || !matches!(&*e.base, Expr::Path(_)),
            Expr::Index(_) => true,
            Expr::Unary(e) => matches!(e.op, syn::UnOp::Deref(_)),
            _ => false,
        }
    }

    /// The place that an expression is; a value that has none gets one.
    pub(super) fn place(&mut self, e: &'a Expr) -> Res<Pl> {
        let pl = self.place_within(e)?;
        if let Some((number, way)) = self.captured_at(&pl.lvalue) {
            self.note_part(number, &way);
        }
        Ok(pl)
    }

    /// The same of a place that another one is a part of.
    fn place_within(&mut self, e: &'a Expr) -> Res<Pl> {
        let place = at(e);
        match without_brackets(e) {
            Expr::Path(path) => {
                let words = words_of(&path.path);
                if let [name] = &words[..]
                    && let Some(number) = self.find(name)
                {
                    return self.variable(number, place, span(e));
                }
                let target = self.t.names.resolve(self.module(), &words);
                if let Target::Item(module, Named::Static(item)) = target {
                    let (id, ty) = self.t.static_object(module, item)?;
                    let typed = self.typed(&ty);
                    if let Some(initial) = self.t.names.initial_of(item) {
                        let own = Pl {
                            lvalue: super::build::object(id, typed, place),
                            ty,
                        };
                        return self.thread_local(own, initial, module, place);
                    }
                    return Ok(Pl {
                        lvalue: super::build::object(id, typed, place),
                        ty,
                    });
                }
            }
            Expr::Field(of) => {
                let name = text_of(&of.member);
                let base = self.place_within(&of.base)?;
                let base =
                    self.deref_until(base, place, |body, pl| match body.infer.shallow(&pl.ty) {
                        ty @ (Ty::Adt(..) | Ty::Tuple(_)) => body.has_part(&ty, &name),
                        _ => false,
                    })?;
                let Some(base) = base else {
                    return self
                        .error(format!("there is no field `{name}` here"), span(&of.member));
                };
                return self.part(&base, &name, place);
            }
            Expr::Index(of) => {
                if let Some(slice) = self.part_of_slice(e, place)? {
                    return self.keep(slice, &span(e));
                }
                return self.indexed(of, place);
            }
            Expr::Unary(of) if matches!(of.op, syn::UnOp::Deref(_)) => {
                let inner = self.place(&of.expr)?;
                return match self.deref_once(&inner, place)? {
                    Some(pl) => Ok(pl),
                    None => {
                        let ty = self.t.shown(&self.infer.deep(&inner.ty));
                        self.error(format!("`{ty}` is not a pointer"), span(e))
                    }
                };
            }
            _ => {}
        }
        let value = self.expr(e, None)?;
        if value.e.ty.is_void() {
            let (_, pl) = self.temporary(&Ty::Unit, place);
            let mut lvalue = pl.lvalue;
            lvalue.place = value.e.place;
            return Ok(Pl {
                lvalue,
                ty: value.ty,
            });
        }
        // A pointer that is followed at once needs no variable.
        if let Ty::Ptr(..) = self.infer.shallow(&value.ty) {
            return self.keep(value, &span(e));
        }
        self.keep(value, &span(e))
    }

    fn has_part(&mut self, ty: &Ty, name: &str) -> bool {
        let ty = self.infer.deep(ty);
        match &ty {
            Ty::Adt(id, _) => {
                let names = self.t.names;
                let AdtItem::Struct(item) = names.adts[*id].item else {
                    return false;
                };
                let there = |field: &&syn::Field| names.holds_all(&field.attrs).unwrap_or(true);
                let fields = item.fields.iter().filter(there).enumerate();
                let mut fields = fields.map(|(number, field)| {
                    let own = field.ident.as_ref();
                    let own = own.map_or_else(|| number.to_string(), ToString::to_string);
                    (own, field)
                });
                // What is private is not looked at: the field is that of what the value is dereferenced to.
                let (module, viewer) = (names.adts[*id].module, self.module());
                fields
                    .any(|(own, field)| own == name && names.sees_part(viewer, module, &field.vis))
            }
            Ty::Tuple(types) => name.parse().is_ok_and(|number: usize| number < types.len()),
            _ => false,
        }
    }

    fn indexed(&mut self, of: &'a syn::ExprIndex, place: Place) -> Res<Pl> {
        let base = self.place(&of.expr)?;
        let base = self.deref_until(base, place, |body, pl| {
            let ty = body.infer.shallow(&pl.ty);
            matches!(ty, Ty::Array(..) | Ty::Handles(_))
                || body.is_sliced(&ty)
                || body.is_indexed(&ty)
        })?;
        let Some(base) = base else {
            return self.refuse(
                "what is indexed here is not an array",
                span(&of.expr),
                "arrays of a known length are supported",
            );
        };
        if self.is_sliced(&base.ty) {
            return self.indexed_slice(&base, of, place);
        }
        if self.is_indexed(&base.ty) {
            let found = self.indexed_by(&base, &of.index, place)?;
            return match found {
                Some(found) => Ok(found),
                None => self.error("nothing of this type is an index here", span(&of.index)),
            };
        }
        let index = self.expr_as(&of.index, &USIZE)?;
        let base = self.steady_base(base, &index.e, place);
        let index = cast(index.e, long());
        match self.infer.shallow(&base.ty) {
            Ty::Handles(result) => {
                let all = self.member_type(&base.lvalue.ty, 1);
                let all = member(base.lvalue, 1, all, place);
                let ty = Ty::Handle(result);
                let typed = self.typed(&ty);
                Ok(Pl {
                    lvalue: element(all, index, typed, place),
                    ty,
                })
            }
            Ty::Array(ty, _) => {
                let typed = self.typed(&ty);
                Ok(Pl {
                    lvalue: element(base.lvalue, index, typed, place),
                    ty: *ty,
                })
            }
            _ => self.error("what is indexed here is not an array", span(&of.expr)),
        }
    }

    /// What a place points to, if it is a pointer or like one.
    pub(super) fn deref_once(&mut self, pl: &Pl, place: Place) -> Res<Option<Pl>> {
        match self.infer.shallow(&pl.ty) {
            // An object is where its pointer is.
            Ty::Ptr(_, to) if matches!(self.infer.shallow(&to), Ty::Dyn(_)) => Ok(Some(Pl {
                lvalue: pl.lvalue.clone(),
                ty: self.infer.shallow(&to),
            })),
            Ty::Ptr(kind, to) => {
                let pointer = load(pl.lvalue.clone(), place);
                if let Some(found) = self.shared(kind, &to, pointer, place)? {
                    return Ok(Some(found));
                }
                Ok(Some(Pl {
                    lvalue: self.pointee(pl, &to, place),
                    ty: *to,
                }))
            }
            Ty::Guard(_, to) => {
                let mutex = deref(load(pl.lvalue.clone(), place), place);
                let typed = self.typed(&to);
                Ok(Some(Pl {
                    lvalue: if typed.is_void() {
                        mutex
                    } else {
                        member(mutex, 1, typed, place)
                    },
                    ty: *to,
                }))
            }
            Ty::Slot(slot @ Slot::Manual, to) => Ok(Some(self.in_slot(pl, slot, &to))),
            Ty::Adt(..) => {
                let own = self.infer.shallow(&pl.ty);
                let given = super::lookup::Given::default();
                let Some((def, context)) = self.by_access("Deref", "deref", &own, &given) else {
                    return Ok(None);
                };
                let own = self.address_of(pl.lvalue.clone(), place);
                let pointer =
                    self.call_function(def, context, Some(own), Vec::new(), None, place)?;
                let Ty::Ptr(_, to) = self.infer.shallow(&pointer.ty) else {
                    return Ok(None);
                };
                Ok(Some(Pl {
                    lvalue: deref(pointer.e, place),
                    ty: *to,
                }))
            }
            _ => Ok(None),
        }
    }

    /// What a pointer in a place points to, with the type that is known of it.
    fn pointee(&mut self, pl: &Pl, to: &Ty, place: Place) -> crate::lower::typed::Lvalue {
        let mut lvalue = deref(load(pl.lvalue.clone(), place), place);
        let typed = self.typed(to);
        if lvalue.ty.kind != typed.kind || lvalue.ty.atomic != typed.atomic {
            lvalue.ty = typed;
        }
        lvalue
    }

    /// Follows pointers until something fits.
    pub(super) fn deref_until(
        &mut self,
        from: Pl,
        place: Place,
        fits: impl Fn(&mut Self, &Pl) -> bool,
    ) -> Res<Option<Pl>> {
        let mut at = from;
        for _ in 0..16 {
            if fits(self, &at) {
                return Ok(Some(at));
            }
            match self.deref_once(&at, place)? {
                Some(next) => at = next,
                None => return Ok(None),
            }
        }
        Ok(None)
    }
}
