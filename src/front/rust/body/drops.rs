//! What happens where a value ends: a lock is released, `Drop::drop` is called.
//!
//! Each variable or temporary value whose type has such an effect has a flag: 1 from where it gets its
//! value until that is moved; or several, if parts of it are moved on their own (`moves`). Where its block ends, it
//! is dropped if the flag is 1. Flags are constants on nearly all paths, so the program has no steps for them.
//!
//! The end of a `Box` drops what it points to, and frees it: a later access is a violation.

use super::build::{
    assign, boolean, call, constant, declare, known, load, local, long, member, truth, when,
};
use super::moves::Tree;
use super::scope::{Extent, Scope, Then};
use super::{Body, Pl, Val};
use crate::lower::direct;
use crate::lower::typed::{self, LocalId, Stmt, StmtKind};
use crate::rust::source::implied;
use crate::rust::types::{Held, Ptr, Slot, Ty};
use crate::rust::unit::{Res, void};
use crate::text::{Place, Span};

/// The elements of an array that has to be dropped.
const MOST_ELEMENTS: u32 = 64;

/// A value that has to be dropped.
#[derive(Clone, Debug)]
pub(super) struct Dropping {
    pub(super) local: LocalId,
    pub(super) ty: Ty,
    pub(super) tree: Tree,
    pub(super) span: Span,
}

impl Body<'_, '_> {
    /// Whether the end of a value of this type does anything.
    pub(super) fn needs_drop(&mut self, ty: &Ty) -> bool {
        self.drops(&self.infer.settled(ty), 0)
    }

    fn drops(&mut self, ty: &Ty, depth: usize) -> bool {
        match ty {
            Ty::Guard(..) | Ty::Ptr(Ptr::Box, _) | Ty::Dyn(_) => true,
            Ty::Ptr(kind, to) => self.t.counted(*kind, to).is_some(),
            Ty::Adt(..) | Ty::Tuple(_) | Ty::Closure(_) => {
                self.drop_method(ty).is_some()
                    || depth < 16
                        && self
                            .t
                            .parts(ty)
                            .iter()
                            .any(|(_, part)| self.drops(part, depth + 1))
            }
            Ty::Array(ty, _)
            | Ty::Mutex(ty)
            | Ty::RwLock(ty)
            | Ty::Cell(ty)
            | Ty::Slot(Slot::Cell, ty) => self.drops(ty, depth + 1),
            _ => false,
        }
    }

    /// Whether the end of a value of this type does anything but free memory.
    pub(super) fn drops_otherwise(&mut self, ty: &Ty) -> bool {
        match self.infer.settled(ty) {
            Ty::Ptr(Ptr::Box, content) => self.needs_drop(&content),
            ty => self.needs_drop(&ty),
        }
    }

    /// Notes that an operand has its value, which a jump in a later one would drop.
    pub(super) fn pend(&mut self, ty: &Ty) {
        if self.needs_drop(ty) {
            self.pending.push(self.scopes.len());
        }
    }

    /// Refuses a jump out of this scope from inside an expression one of whose operands it would drop.
    pub(super) fn nothing_pending(&mut self, depth: usize, span: Span) -> Res<()> {
        if self.pending.iter().any(|&around| around > depth) {
            return self.refuse(
                "this jump drops an operand that was evaluated before, which is not supported",
                span,
                "give the operands before it names with `let`",
            );
        }
        Ok(())
    }

    pub(super) fn set_flag(flag: LocalId, value: bool, place: Place) -> typed::Expr {
        assign(local(flag, boolean(), place), truth(value, place), place)
    }

    /// What drops a value, as far as its flags are set, and clears the flags.
    pub(super) fn drop_flagged(&mut self, of: &Dropping, place: Place) -> Res<Stmt> {
        let place = implied(place);
        let typed = self.typed(&of.ty);
        let pl = Pl {
            lvalue: local(of.local, typed, place),
            ty: of.ty.clone(),
        };
        let mut stmts = Vec::new();
        self.drop_tree(&of.tree, &pl, (place, &of.span), &mut stmts)?;
        Ok(match stmts.len() {
            1 => stmts.remove(0),
            _ => super::build::block(stmts, place),
        })
    }

    /// The end of a block on the heap.
    pub(super) fn free(pointer: typed::Expr, place: Place) -> Stmt {
        Self::effect(known(&direct::FREE, vec![pointer], void(), place))
    }

    /// Drops what is in a place.
    pub(super) fn drop_place(
        &mut self,
        pl: &Pl,
        place: Place,
        span: &Span,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let ty = self.infer.settled(&pl.ty);
        match &ty {
            Ty::Guard(held, _) => {
                let entry = match held {
                    Held::Mutex => &direct::UNLOCK,
                    Held::Read => &direct::UNLOCK_READ,
                    Held::Write => &direct::UNLOCK_WRITE,
                };
                let guard = load(pl.lvalue.clone(), place);
                let lock = self.lock_of(guard, place);
                stmts.push(Self::effect(known(entry, vec![lock], void(), place)));
                Ok(())
            }
            Ty::Adt(..) | Ty::Tuple(_) | Ty::Closure(_) => {
                if let Some(id) = self.drop_method(&ty) {
                    let id = self.t.instance(id.def, id.context, span.clone())?;
                    let address = self.address_of(pl.lvalue.clone(), place);
                    stmts.push(Self::effect(call(id, vec![address], void(), place)));
                }
                self.drop_parts(pl, &ty, place, span, stmts)
            }
            Ty::Ptr(Ptr::Box, content) if let Ty::Dyn(object) = **content => {
                self.drop_object(object, pl, place, stmts);
                Ok(())
            }
            Ty::Ptr(Ptr::Box, content) => {
                if self.drops(content, 0)
                    && let Some(inner) = self.deref_once(pl, place)?
                {
                    self.drop_content(&inner, (place, span), stmts)?;
                }
                stmts.push(Self::free(load(pl.lvalue.clone(), place), place));
                Ok(())
            }
            Ty::Ptr(kind @ (Ptr::Arc | Ptr::Rc), to) => {
                self.drop_shared((*kind, to), pl, (place, span), stmts)
            }
            Ty::Array(element, count) if self.drops(element, 0) && *count <= MOST_ELEMENTS => {
                for number in 0..*count {
                    let index = constant(i64::from(number), long(), place);
                    let typed = self.typed(element);
                    let one = Pl {
                        lvalue: super::build::element(pl.lvalue.clone(), index, typed, place),
                        ty: (**element).clone(),
                    };
                    self.drop_place(&one, place, span, stmts)?;
                }
                Ok(())
            }
            Ty::Cell(of) | Ty::Slot(Slot::Cell, of) if self.drops(of, 0) => {
                let inner = Pl {
                    lvalue: pl.lvalue.clone(),
                    ty: (**of).clone(),
                };
                self.drop_place(&inner, place, span, stmts)
            }
            Ty::Mutex(of) | Ty::RwLock(of) if self.drops(of, 0) => {
                let typed = self.typed(of);
                let inner = Pl {
                    lvalue: member(pl.lvalue.clone(), 1, typed, place),
                    ty: (**of).clone(),
                };
                self.drop_place(&inner, place, span, stmts)
            }
            _ if self.needs_drop(&ty) => self.refuse(
                "the end of this value has an effect, which is not supported here",
                span.clone(),
                "keep guards in local variables",
            ),
            _ => Ok(()),
        }
    }

    /// Drops the parts of what is in a place: those of the variant that it is.
    fn drop_parts(
        &mut self,
        pl: &Pl,
        ty: &Ty,
        place: Place,
        span: &Span,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let variants = match ty {
            Ty::Adt(id, _) => self.t.names.adts[*id].variants(),
            _ => Vec::new(),
        };
        let variants = variants.into_iter().enumerate();
        let names: Vec<(usize, String)> = variants
            .filter_map(|(number, (name, _))| Some((number, name?.to_string())))
            .collect();
        let parts = self.t.parts(ty);
        if names.is_empty() {
            for (name, part) in parts {
                if self.drops(&part, 0) {
                    let part = self.part(pl, &name, place)?;
                    self.drop_place(&part, place, span, stmts)?;
                }
            }
            return Ok(());
        }
        for (number, variant) in names {
            let mut inner = Vec::new();
            for (name, part) in &parts {
                let is_own = name.split_once('.').is_some_and(|(of, _)| of == variant);
                if is_own && self.drops(part, 0) {
                    let part = self.part(pl, name, place)?;
                    self.drop_place(&part, place, span, &mut inner)?;
                }
            }
            if !inner.is_empty() {
                match self.is_variant(pl, number, place)? {
                    Some(is) => stmts.push(when(is, inner)),
                    None => stmts.extend(inner),
                }
            }
        }
        Ok(())
    }

    /// Drops what a pointer points to. A type that leads to itself is dropped by a function, which calls itself.
    pub(super) fn drop_content(
        &mut self,
        pl: &Pl,
        (place, span): (Place, &Span),
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let ty = self.infer.settled(&pl.ty);
        if !self.contents.contains(&ty) {
            self.contents.push(ty);
            let made = self.drop_place(pl, place, span, stmts);
            self.contents.pop();
            return made;
        }
        let pointer = Ty::pointer(Ptr::Raw, ty.clone());
        let id = self.t.dropper(&ty, place);
        if self.droppers.insert(ty.clone()) {
            let kept = std::mem::take(&mut self.kept_by_closure);
            self.frames.push(super::scope::Frame::new(id));
            let parameter = self.local("dropped", &pointer);
            let typed = self.typed(&pointer);
            let own = load(local(parameter, typed, place), place);
            let own = Pl {
                lvalue: super::build::deref(own, place),
                ty,
            };
            let mut body = Vec::new();
            let made = self.drop_place(&own, place, span, &mut body);
            let frame = self.frames.pop();
            self.kept_by_closure = kept;
            made?;
            let function = &mut self.t.unit.functions[id.0];
            function.parameters = 1;
            function.locals = frame.map(|frame| frame.locals).unwrap_or_default();
            function.body = body;
        }
        let address = self.address_of(pl.lvalue.clone(), place);
        stmts.push(Self::effect(call(id, vec![address], void(), place)));
        Ok(())
    }

    /// The address of the lock that a guard belongs to.
    pub(super) fn lock_of(&mut self, guard: typed::Expr, place: Place) -> typed::Expr {
        let mutex = super::build::deref(guard, place);
        let lock = self.member_type(&mutex.ty, 0);
        super::build::address(member(mutex, 0, lock, place), place)
    }

    /// The type of a member.
    pub(super) fn member_type(&self, of: &typed::Type, index: usize) -> typed::Type {
        match of.kind {
            typed::TypeKind::Struct(id) => {
                let members = &self.t.unit.structs[id.0].members;
                members
                    .get(index)
                    .map_or_else(void, |member| member.ty.clone())
            }
            _ => void(),
        }
    }

    /// A value that nothing names, kept in a variable that ends with the expression around.
    pub(super) fn keep(&mut self, value: Val, span: &Span) -> Res<Pl> {
        let place = value.e.place;
        let mut stmts = Vec::new();
        let pl = self.kept(value, span, &mut stmts)?;
        let address = self.address_of(pl.lvalue, place);
        let pointer = super::build::sequence(stmts, address);
        Ok(Pl {
            lvalue: super::build::deref(pointer, place),
            ty: pl.ty,
        })
    }

    /// Puts a value into such a variable.
    pub(super) fn kept(&mut self, value: Val, span: &Span, stmts: &mut Vec<Stmt>) -> Res<Pl> {
        if self.needs_drop(&value.ty) {
            let scope = self.scope_of_temporary(span);
            return self.kept_in(scope, value, span, stmts);
        }
        let place = value.e.place;
        let (local, pl) = self.temporary(&value.ty, place);
        stmts.push(declare(local, vec![(Vec::new(), value.e)], implied(place)));
        Ok(pl)
    }

    /// Puts a value that has to be dropped into a variable that ends with this scope.
    pub(super) fn kept_in(
        &mut self,
        scope: Option<usize>,
        value: Val,
        span: &Span,
        stmts: &mut Vec<Stmt>,
    ) -> Res<Pl> {
        let place = value.e.place;
        let (local, pl) = self.temporary(&value.ty, place);
        let Some(scope) = scope else {
            return self.refuse(
                "the end of this value has an effect, which is not supported here",
                span.clone(),
                "give it a name with `let`",
            );
        };
        let dropping = self.own(local, value.ty, span.clone());
        // Its scope declares it, and may begin further outside than the block at hand.
        stmts.push(Self::effect(assign(pl.lvalue.clone(), value.e, place)));
        stmts.extend(Self::set_flags(&dropping, place));
        self.scopes[scope].drops.push(dropping);
        Ok(pl)
    }

    /// The scope with which a temporary value ends. Where it depends on the edition, and values are
    /// dropped or something else is executed in between, the program may mean something else in each.
    fn scope_of_temporary(&mut self, span: &Span) -> Option<usize> {
        if let Some(scope) = self.extended.get(&(span.start, span.end)) {
            return Some(*scope);
        }
        let old = self.innermost(|extent| extent == Extent::Temporaries)?;
        let new =
            self.innermost(|extent| matches!(extent, Extent::Temporaries | Extent::Rescoped(_)))?;
        let matters = |scope: &Scope| {
            let extent = matches!(
                scope.extent,
                Extent::Operand | Extent::Rescoped(Then::Branch)
            );
            extent || !scope.drops.is_empty()
        };
        if self.scopes[old + 1..=new].iter().any(matters) {
            self.t.edition_matters(span.clone());
        }
        let is_new = self.edition().rescopes();
        Some(if is_new { new } else { old })
    }

    /// The innermost scope of such an extent.
    pub(super) fn innermost(&self, fits: impl Fn(Extent) -> bool) -> Option<usize> {
        self.scopes.iter().rposition(|scope| fits(scope.extent))
    }

    /// Statements in a scope of this extent, which ends after them.
    pub(super) fn within(
        &mut self,
        extent: Extent,
        place: Place,
        stmts: &mut Vec<Stmt>,
        check: impl FnOnce(&mut Self, &mut Vec<Stmt>) -> Res<()>,
    ) -> Res<()> {
        let floor = self.scopes.len();
        self.scopes.push(Scope::of(extent));
        let mut inner = Vec::new();
        let made = check(self, &mut inner);
        self.scopes.truncate(floor + 1);
        let left = match inner.last() {
            Some(last) if jumps(last) => Ok(()),
            _ => self.leave(floor, place, &mut inner),
        };
        let temps = self.close(floor);
        made?;
        left?;
        stmts.extend(Self::declared(&temps, place));
        stmts.extend(inner);
        Ok(())
    }

    /// The same as a block.
    pub(super) fn within_block(
        &mut self,
        extent: Extent,
        place: Place,
        check: impl FnOnce(&mut Self, &mut Vec<Stmt>) -> Res<()>,
    ) -> Res<Stmt> {
        let mut stmts = Vec::new();
        self.within(extent, place, &mut stmts, check)?;
        Ok(super::build::block(stmts, implied(place)))
    }

    /// Leaves the scopes from this one on: what the outermost of them has to drop.
    pub(super) fn close(&mut self, floor: usize) -> Vec<Dropping> {
        let scope = self.scopes.drain(floor..).next();
        scope.map(|scope| scope.drops).unwrap_or_default()
    }

    /// Declares values that are not there yet.
    pub(super) fn declared(of: &[Dropping], place: Place) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for of in of {
            stmts.push(declare(of.local, Vec::new(), implied(place)));
            stmts.extend(Self::declare_flags(of, false, place));
        }
        stmts
    }

    /// Evaluates what `check` makes, and then drops the temporary values in it.
    pub(super) fn with_temps(&mut self, check: impl FnOnce(&mut Self) -> Res<Val>) -> Res<Val> {
        let floor = self.scopes.len();
        self.scopes.push(Scope::of(Extent::Temporaries));
        let value = check(self);
        let temps = self.close(floor);
        let value = value?;
        self.dropping(value, &temps)
    }

    /// A value, after which these are dropped.
    pub(super) fn dropping(&mut self, value: Val, temps: &[Dropping]) -> Res<Val> {
        if temps.is_empty() {
            return Ok(value);
        }
        let place = value.e.place;
        let mut stmts = Self::declared(temps, place);
        let result = self.hold(value.e, &value.ty, &mut stmts);
        for temp in temps.iter().rev() {
            stmts.push(self.drop_flagged(temp, place)?);
        }
        let e = super::build::sequence(stmts, result);
        Ok(Val { e, ty: value.ty })
    }

    /// Evaluates a value now, to be used later.
    pub(super) fn hold(&mut self, e: typed::Expr, ty: &Ty, stmts: &mut Vec<Stmt>) -> typed::Expr {
        let place = e.place;
        if e.ty.is_void() {
            stmts.push(Self::effect(e));
            return super::build::unit(place);
        }
        if matches!(e.kind, typed::ExprKind::Const(_)) {
            return e;
        }
        let (id, pl) = self.temporary(ty, place);
        stmts.push(declare(id, vec![(Vec::new(), e)], implied(place)));
        load(pl.lvalue, place)
    }

    /// Drops what the scopes from this one on hold, the innermost first.
    pub(super) fn leave(&mut self, depth: usize, place: Place, stmts: &mut Vec<Stmt>) -> Res<()> {
        for scope in (depth..self.scopes.len()).rev() {
            for of in self.scopes[scope].drops.clone().iter().rev() {
                stmts.push(self.drop_flagged(of, place)?);
            }
        }
        Ok(())
    }
}

/// Whether nothing comes after a statement.
fn jumps(of: &Stmt) -> bool {
    matches!(
        of.kind,
        StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue
    )
}
