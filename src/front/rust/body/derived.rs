//! What `derive` makes: `Clone`, part by part, and `Default`.

use super::build::{assign, constant, declare, load, sequence, stmt, unit};
use super::lookup::Whose;
use super::{Body, Pl, Val};
use crate::lower::typed::{self, Initialised, Path, Step, Stmt, StmtKind};
use crate::rust::names::AdtItem;
use crate::rust::source::implied;
use crate::rust::types::{Ptr, Ty};
use crate::rust::unit::{Res, TAG};
use crate::text::{Place, Span};

/// Types nest up to this depth.
const MOST_DEPTH: usize = 16;

impl Body<'_, '_> {
    /// Whether a type says itself how its values, or parts of them, are cloned.
    fn clones_itself(&mut self, ty: &Ty, depth: usize) -> bool {
        if depth > MOST_DEPTH {
            return false;
        }
        match ty {
            Ty::Adt(..)
                if self
                    .function_in(ty, "clone", Whose::Known("Clone"))
                    .is_some() =>
            {
                true
            }
            Ty::Adt(..) | Ty::Tuple(_) => {
                let parts = self.t.parts(ty);
                parts
                    .iter()
                    .any(|(_, part)| self.clones_itself(part, depth + 1))
            }
            Ty::Array(element, _) => self.clones_itself(element, depth + 1),
            Ty::Ptr(Ptr::Box, _) => true,
            Ty::Ptr(kind, to) => self.t.counted(*kind, to).is_some(),
            _ => false,
        }
    }

    /// A clone of what is in a place: a copy, but for parts that say themselves how they are cloned.
    pub(super) fn clone_at(&mut self, pl: &Pl, place: Place, of: &Span) -> Res<Val> {
        let ty = self.infer.settled(&pl.ty);
        self.one_closure(&ty, of.clone())?;
        if pl.lvalue.ty.is_void() {
            return Ok(Val { e: unit(place), ty });
        }
        if !self.clones_itself(&ty, 0) {
            let e = load(pl.lvalue.clone(), place);
            return Ok(Val { e, ty });
        }
        if let Some((def, context)) = self.function_in(&ty, "clone", Whose::Known("Clone")) {
            let own = self.address_of(pl.lvalue.clone(), place);
            return self.call_function(def, context, Some(own), Vec::new(), None, place);
        }
        if let Ty::Ptr(Ptr::Box, content) = &ty {
            let content = self.infer.shallow(content);
            let is_known = !matches!(content, Ty::Dyn(_));
            if is_known && let Some(content) = self.deref_once(pl, place)? {
                let value =
                    self.in_box(&content.ty, of, |body| body.clone_at(&content, place, of))?;
                return self.boxed(value, place);
            }
            let shown = self.t.shown(&ty);
            return self.refuse(
                format!("a clone of `{shown}` is not supported"),
                of.clone(),
                "clone what it holds, or implement `Clone` for it",
            );
        }
        if let Ty::Ptr(kind, to) = &ty {
            let pointer = load(pl.lvalue.clone(), place);
            return self.cloned(*kind, to, pointer, place);
        }
        let (id, into) = self.temporary(&ty, place);
        let declared = StmtKind::Declare(id, Vec::new(), Initialised::Yes);
        let mut stmts = vec![stmt(declared, implied(place))];
        self.clone_parts(pl, &into, (place, of), &mut stmts)?;
        Ok(Val {
            e: sequence(stmts, load(into.lvalue, place)),
            ty,
        })
    }

    /// Does something with what a `Box` holds, unless that is part of a value of the same type: what is derived is put
    /// where it is used, and would not end.
    pub(super) fn in_box<T>(
        &mut self,
        content: &Ty,
        of: &Span,
        make: impl FnOnce(&mut Self) -> Res<T>,
    ) -> Res<T> {
        let content = self.infer.settled(content);
        if self.boxes.contains(&content) {
            let shown = self.t.shown(&content);
            return self.refuse(
                format!("what is derived for `{shown}` is not supported: it holds values of its own type"),
                of.clone(),
                "implement the trait",
            );
        }
        self.boxes.push(content);
        let made = make(self);
        self.boxes.pop();
        made
    }

    /// Clones the parts of a value into a place.
    fn clone_parts(
        &mut self,
        from: &Pl,
        into: &Pl,
        (place, of): (Place, &Span),
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let ty = self.infer.settled(&from.ty);
        if let Ty::Array(element, count) = &ty {
            for number in 0..*count {
                let one = |body: &mut Self, whole: &Pl| {
                    let index = constant(i64::from(number), super::build::long(), place);
                    let typed = body.typed(element);
                    Pl {
                        lvalue: super::build::element(whole.lvalue.clone(), index, typed, place),
                        ty: (**element).clone(),
                    }
                };
                let (from, into) = (one(self, from), one(self, into));
                let value = self.clone_at(&from, place, of)?;
                stmts.push(Self::effect(assign(into.lvalue, value.e, place)));
            }
            return Ok(());
        }
        for (name, _) in self.t.parts(&ty) {
            let (own, target) = (
                self.part(from, &name, place)?,
                self.part(into, &name, place)?,
            );
            if own.lvalue.ty.is_void() {
                continue;
            }
            let value = self.clone_at(&own, place, of)?;
            let set = Self::effect(assign(target.lvalue, value.e, place));
            match self.holds(&ty, from, &name, place)? {
                Some(holds) => stmts.push(super::build::when(holds, vec![set])),
                None => stmts.push(set),
            }
        }
        Ok(())
    }

    /// `Default::default()`
    pub(super) fn default_of(&mut self, ty: &Ty, place: Place, of: &Span) -> Res<Val> {
        let ty = self.infer.settled(ty);
        let (mut values, mut stmts) = (Vec::new(), Vec::new());
        self.default_values(&ty, (place, of), &mut Path::new(), &mut values, &mut stmts)?;
        if let Ty::Unit = ty {
            return Ok(Val {
                e: sequence(stmts, unit(place)),
                ty,
            });
        }
        let typed = self.typed(&ty);
        if typed.is_scalar() && values.is_empty() && !typed.atomic {
            let e = sequence(stmts, constant(0, typed, place));
            return Ok(Val { e, ty });
        }
        let (id, pl) = self.temporary(&ty, place);
        if typed.is_void() {
            stmts.push(declare(id, Vec::new(), implied(place)));
            return Ok(Val {
                e: sequence(stmts, unit(place)),
                ty,
            });
        }
        let declared = StmtKind::Declare(id, values, Initialised::Yes);
        stmts.push(stmt(declared, implied(place)));
        Ok(Val {
            e: sequence(stmts, load(pl.lvalue, place)),
            ty,
        })
    }

    /// The scalars of a default value that are not 0, by the ways to them.
    fn default_values(
        &mut self,
        ty: &Ty,
        (place, of): (Place, &Span),
        path: &mut Path,
        values: &mut Vec<(Path, typed::Expr)>,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        if path.len() > MOST_DEPTH {
            return self.error("this type is nested too deeply", of.clone());
        }
        match ty {
            Ty::Unit
            | Ty::Bool
            | Ty::Char
            | Ty::Int { .. }
            | Ty::Text
            | Ty::Atomic(_)
            | Ty::Condvar => {
                return Ok(());
            }
            Ty::Cell(inner) | Ty::Slot(_, inner) => {
                return self.default_values(inner, (place, of), path, values, stmts);
            }
            Ty::Mutex(inner) | Ty::RwLock(inner) => {
                path.push(Step::Member(1));
                let made = self.default_values(inner, (place, of), path, values, stmts);
                path.pop();
                return made;
            }
            Ty::Array(element, count) => {
                for number in 0..*count {
                    path.push(Step::Element(number));
                    self.default_values(element, (place, of), path, values, stmts)?;
                    path.pop();
                }
                return Ok(());
            }
            Ty::Adt(..) | Ty::Tuple(_) => {}
            _ => return self.no_default(ty, of),
        }
        if let Some((def, context)) = self.function_in(ty, "default", Whose::Known("Default")) {
            let value = self.call_function(def, context, None, Vec::new(), None, place)?;
            if value.e.ty.is_void() {
                stmts.push(Self::effect(value.e));
            } else {
                let e = self.hold_typed(value.e, stmts);
                values.push((path.clone(), e));
            }
            return Ok(());
        }
        let mut own = String::new();
        if let Ty::Adt(id, _) = ty {
            if !self.derives(*id, "Default") {
                return self.no_default(ty, of);
            }
            if let AdtItem::Enum(item) = self.t.names.adts[*id].item {
                let is_default = |one: &syn::Attribute| one.path().is_ident("default");
                let mut variants = item.variants.iter();
                let Some(number) = variants.position(|one| one.attrs.iter().any(is_default)) else {
                    return self.no_default(ty, of);
                };
                for (inner, value) in self.tag_value(ty, Some(number), place)? {
                    values.push((path.iter().copied().chain(inner).collect(), value));
                }
                own = item.variants[number].ident.to_string();
            }
        }
        for (name, part) in self.t.parts(ty) {
            let counts = match name.split_once('.') {
                Some((variant, _)) => variant == own,
                None => name != TAG || own.is_empty(),
            };
            if counts && let Some(member) = self.member_number(ty, &name) {
                path.push(Step::Member(member));
                self.default_values(&part, (place, of), path, values, stmts)?;
                path.pop();
            }
        }
        Ok(())
    }

    fn no_default(&mut self, ty: &Ty, of: &Span) -> Res<()> {
        let shown = self.t.shown(ty);
        self.refuse(
            format!("the default value of `{shown}` is not known"),
            of.clone(),
            "derive or implement `Default` for it",
        )
    }

    /// The receiver of a method whose `self` has a written type, such as `Arc<Self>`: the pointer in a place, or its
    /// address. `None` if the type is another one.
    pub(super) fn written_receiver(
        &mut self,
        pl: &Pl,
        written: &Ty,
        e: &syn::Expr,
        place: Place,
    ) -> Res<Option<typed::Expr>> {
        let known = self.infer.now();
        if self.infer.unify(written, &pl.ty) {
            return Ok(Some(self.load_place(pl.clone(), e, place)?.e));
        }
        self.infer.undo(known);
        let borrowed = Ty::pointer(Ptr::Ref, pl.ty.clone());
        if self.infer.unify(written, &borrowed) {
            return Ok(Some(self.borrowed(pl, place)));
        }
        self.infer.undo(known);
        Ok(None)
    }
}
