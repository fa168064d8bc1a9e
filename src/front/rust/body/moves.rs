//! Which parts of a variable have values that have to be dropped, and what moves values out of them.
//!
//! As in the compiler, a variable is a tree of *paths*: those that the function moves on their own, and what is
//! around and beside them. A path without further ones below it has a flag: 1 while there is a value.
//!
//!   let p = P { a, b, c: (d, e) };  drop(p.a);  drop(p.c.1);   ─▶ flags of `p.a`, `p.b`, `p.c.0` and `p.c.1`
//!
//! Which paths are moved on their own is found out by checking the body, which happens until nothing new is
//! found: each time the trees have the paths of the time before.
//!
//! **Invariant.** A value of a type with `Drop` is one path: the compiler moves no part out of it. What holds a
//! value beside a tag (`Some`, variants with one such field each) is the same path as its value, because an arm that moves the
//! value has seen that it is all that there is. Where a variant has several, each is a path, whose value is there if its
//! flag says so and the tag is that of the variant.

use super::build::{self, boolean, declare, expr, load, local, when};
use super::drops::Dropping;
use super::{Body, Pl, Val};
use crate::lower::typed::{
    self, ExprKind, FunctionId, LocalId, Lvalue, LvalueKind, Stmt, StmtKind,
};
use crate::rust::names::AdtItem;
use crate::rust::source::implied;
use crate::rust::types::{Ptr, Ty};
use crate::rust::unit::Res;
use crate::text::{Place, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A step from a value to a part of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Part {
    /// A member in the typed program.
    Member(usize),
    /// What a `Box` points to.
    Content,
}

/// The way from a variable to a part of it.
pub(super) type Way = Vec<Part>;

/// The ways that are moved on their own, by where the variables are declared.
pub(super) type Ways = BTreeMap<(usize, usize), BTreeSet<Way>>;

/// The paths of a variable, with their flags.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    Whole(LocalId),
    /// The parts that have to be dropped: their names, and the members that they are.
    Parts(Vec<(String, usize, Tree)>),
    /// A `Box`, and what it points to.
    Boxed(LocalId, Box<Tree>),
}

impl Tree {
    /// The flags, in the order of the paths.
    pub(super) fn flags(&self) -> Vec<LocalId> {
        match self {
            Tree::Whole(flag) => vec![*flag],
            Tree::Parts(parts) => parts.iter().flat_map(|(_, _, part)| part.flags()).collect(),
            Tree::Boxed(flag, content) => {
                let mut flags = content.flags();
                flags.push(*flag);
                flags
            }
        }
    }

    /// The tree of a part; `None` if it has no flags of its own.
    pub(super) fn part(&self, way: &[Part]) -> Option<&Tree> {
        let Some((first, rest)) = way.split_first() else {
            return Some(self);
        };
        match (self, first) {
            (Tree::Parts(parts), Part::Member(member)) => {
                let mut parts = parts.iter();
                let found = parts.find(|(_, own, _)| own == member);
                found.and_then(|(_, _, part)| part.part(rest))
            }
            (Tree::Boxed(_, content), Part::Content) => content.part(rest),
            (Tree::Whole(_), _)
            | (Tree::Parts(_), Part::Content)
            | (Tree::Boxed(..), Part::Member(_)) => None,
        }
    }
}

/// What drops its value at the end of a scope.
#[derive(Clone, Debug)]
pub(super) struct Owner {
    pub(super) ty: Ty,
    pub(super) tree: Tree,
    span: Span,
}

/// Those of the functions at hand.
pub(super) type Owners = BTreeMap<(FunctionId, LocalId), Owner>;

impl Body<'_, '_> {
    /// Lets a local variable own its value from here on.
    pub(super) fn own(&mut self, local: LocalId, ty: Ty, span: Span) -> Dropping {
        self.own_parts(local, ty, span, &[])
    }

    /// The same of a variable of which at least these parts have flags of their own.
    pub(super) fn own_parts(
        &mut self,
        local: LocalId,
        ty: Ty,
        span: Span,
        parts: &[Way],
    ) -> Dropping {
        let key = (span.start, span.end);
        let mut ways: BTreeSet<Way> = self.moved_before.get(&key).cloned().unwrap_or_default();
        ways.extend(parts.iter().cloned());
        let ways: Vec<&[Part]> = ways.iter().map(Vec::as_slice).collect();
        let settled = self.infer.settled(&ty);
        let tree = self.tree(&settled, &ways);
        let owner = Owner {
            ty: ty.clone(),
            tree: tree.clone(),
            span: span.clone(),
        };
        if let Some(frame) = self.frames.last() {
            self.owners.insert((frame.function, local), owner);
        }
        Dropping {
            local,
            ty,
            tree,
            span,
        }
    }

    /// The paths of a value of which these parts are moved on their own.
    fn tree(&mut self, ty: &Ty, ways: &[&[Part]]) -> Tree {
        let below = |part: Part| -> Vec<&[Part]> {
            let ways = ways.iter().filter_map(|way| way.split_first());
            ways.filter(|(first, _)| **first == part)
                .map(|(_, rest)| rest)
                .collect()
        };
        let is_moved_in_parts = ways.iter().any(|way| !way.is_empty());
        if is_moved_in_parts && let Ty::Ptr(Ptr::Box, content) = ty {
            let content = self.tree(content, &below(Part::Content));
            return Tree::Boxed(self.local("dropped", &Ty::Bool), Box::new(content));
        }
        if !is_moved_in_parts || !self.has_paths(ty) {
            return Tree::Whole(self.local("dropped", &Ty::Bool));
        }
        let mut parts = Vec::new();
        for (name, part) in self.t.parts(ty) {
            if let Some(member) = self.member_number(ty, &name)
                && self.needs_drop(&part)
            {
                let tree = self.tree(&part, &below(Part::Member(member)));
                parts.push((name, member, tree));
            }
        }
        Tree::Parts(parts)
    }

    /// Whether it is an enumeration.
    fn is_holder(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Adt(id, _) => matches!(self.t.names.adts[*id].item, AdtItem::Enum(_)),
            _ => false,
        }
    }

    /// Whether each variant of an enumeration has at most one field that has to be dropped, so that an arm that moves it
    /// moves all that there is.
    fn holds_one(&mut self, ty: &Ty) -> bool {
        if !self.is_holder(ty) {
            return true;
        }
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for (name, part) in self.t.parts(ty) {
            if let Some((variant, _)) = name.split_once('.')
                && self.needs_drop(&part)
            {
                *counts.entry(variant.to_owned()).or_default() += 1;
            }
        }
        counts.into_values().all(|count| count <= 1)
    }

    /// Whether parts of a value of this type can be moved on their own.
    fn has_paths(&mut self, ty: &Ty) -> bool {
        match ty {
            Ty::Tuple(_) => true,
            Ty::Adt(..) => self.drop_method(ty).is_none(),
            _ => false,
        }
    }

    /// The part of a type that a member is.
    pub(super) fn member_of(&mut self, ty: &Ty, member: usize) -> Option<(String, Ty)> {
        let parts = self.t.parts(ty);
        let mut parts = parts.into_iter();
        parts.find(|(name, _)| self.member_number(ty, name) == Some(member))
    }

    /// The variable that owns what is in a place, and the way to it.
    pub(super) fn owner(of: &Lvalue) -> Option<(LocalId, Way)> {
        match &of.kind {
            LvalueKind::Local(id) => Some((*id, Vec::new())),
            LvalueKind::Member(inner, member) => {
                let (local, mut way) = Self::owner(inner)?;
                way.push(Part::Member(*member));
                Some((local, way))
            }
            LvalueKind::Deref(pointer) => match &pointer.kind {
                ExprKind::Load(inner) => {
                    let (local, mut way) = Self::owner(inner)?;
                    way.push(Part::Content);
                    Some((local, way))
                }
                // A value without a name, which is put into a variable here.
                ExprKind::Statement(stmts) => match &stmts.last()?.kind {
                    StmtKind::Expr(last) => match &last.kind {
                        ExprKind::AddressOf(inner) => Self::owner(inner),
                        _ => None,
                    },
                    _ => None,
                },
                _ => None,
            },
            LvalueKind::Object(_) | LvalueKind::Bits(..) | LvalueKind::Element(..) => None,
        }
    }

    /// The way up to the path that moving this part moves; `None` if the compiler moves nothing out there.
    fn path(&mut self, ty: &Ty, way: &[Part]) -> Option<Way> {
        let mut ty = self.infer.settled(ty);
        let mut holders = Vec::new();
        for part in way {
            holders.push(self.is_holder(&ty) && self.holds_one(&ty));
            ty = match (part, &ty) {
                (Part::Content, Ty::Ptr(Ptr::Box, content)) => (**content).clone(),
                (Part::Member(member), _) if self.has_paths(&ty) => self.member_of(&ty, *member)?.1,
                (Part::Content | Part::Member(_), _) => return None,
            };
        }
        let mut path = way.to_vec();
        while holders.pop() == Some(true) {
            path.pop();
        }
        Some(path)
    }

    /// The flags of what is in a place of this function; `None` if no variable of it owns that.
    pub(super) fn flags_at(&mut self, of: &Lvalue) -> Option<Vec<LocalId>> {
        let (local, way) = Self::owner(of)?;
        let function = self.frames.last()?.function;
        let owner = self.owners.get(&(function, local))?.clone();
        let path = self.path(&owner.ty, &way)?;
        if let Some(tree) = owner.tree.part(&path) {
            return Some(tree.flags());
        }
        // The next time it has a flag of its own.
        let key = (owner.span.start, owner.span.end);
        self.moved_now.entry(key).or_default().insert(path);
        Some(owner.tree.flags())
    }

    /// The paths of what is in a place, if it has flags of its own.
    pub(super) fn tree_at(&mut self, of: &Lvalue) -> Option<Tree> {
        let (local, way) = Self::owner(of)?;
        let function = self.frames.last()?.function;
        let owner = self.owners.get(&(function, local))?.clone();
        let path = self.path(&owner.ty, &way)?;
        // The value of an option is assigned to where it has one.
        owner
            .tree
            .part(&path)
            .filter(|_| path.len() == way.len())
            .cloned()
    }

    /// Notes that a value of this type is moved out of a place: what does that, to be executed when the value has been
    /// read.
    pub(super) fn moved_out(&mut self, of: &Lvalue, place: Place, span: &Span) -> Res<Vec<Stmt>> {
        if Self::owner(of).is_some_and(|(local, _)| local.0 < self.kept_by_closure) {
            return self.refuse(
                "a closure that moves a captured value whose end has an effect is not supported",
                span.clone(),
                "pass it as an argument, or write a function",
            );
        }
        if let Some((number, way)) = self.captured_at(of) {
            self.note_moved(number, way);
        }
        if let Some(flags) = self.flags_at(of) {
            let off = flags
                .into_iter()
                .map(|flag| Self::set_flag(flag, false, place));
            return Ok(off.map(Self::effect).collect());
        }
        if self.moves_captured(of) {
            return Ok(Vec::new());
        }
        self.refuse(
            "a value whose end has an effect cannot be moved out of this place",
            span.clone(),
            "use `mem::replace`, `mem::take` or `Option::take`, or give it a name of its own",
        )
    }

    /// A value that is moved out of a place.
    pub(super) fn moved_value(&mut self, pl: &Pl, place: Place, span: &Span) -> Res<Val> {
        let off = self.moved_out(&pl.lvalue, place, span)?;
        let value = load(pl.lvalue.clone(), place);
        let ty = pl.ty.clone();
        if !super::order::changes_at(&pl.lvalue) {
            let of = value.ty.clone();
            let e = off.into_iter().rev().fold(value, |value, off| {
                let StmtKind::Expr(off) = off.kind else {
                    return value;
                };
                let kind = ExprKind::Comma(Box::new(off), Box::new(value));
                expr(kind, of.clone(), place)
            });
            return Ok(Val { e, ty });
        }
        // What the place is made of sets the flags, and so comes first.
        let mut stmts = Vec::new();
        let e = self.hold(value, &ty, &mut stmts);
        stmts.extend(off);
        Ok(Val {
            e: build::sequence(stmts, e),
            ty,
        })
    }

    /// Declares the flags of a variable.
    pub(super) fn declare_flags(of: &Dropping, value: bool, place: Place) -> Vec<Stmt> {
        let flags = of.tree.flags().into_iter();
        flags
            .map(|flag| {
                let value = vec![(Vec::new(), build::truth(value, place))];
                declare(flag, value, implied(place))
            })
            .collect()
    }

    /// Notes that a place has its value.
    pub(super) fn set_flags(of: &Dropping, place: Place) -> Vec<Stmt> {
        let flags = of.tree.flags().into_iter();
        flags
            .map(|flag| Self::effect(Self::set_flag(flag, true, place)))
            .collect()
    }

    /// Drops what has a value in a place with these paths, and clears the flags.
    pub(super) fn drop_tree(
        &mut self,
        tree: &Tree,
        pl: &Pl,
        (place, span): (Place, &Span),
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        match tree {
            Tree::Whole(flag) => {
                let mut inner = vec![Self::effect(Self::set_flag(*flag, false, place))];
                self.drop_place(pl, place, span, &mut inner)?;
                stmts.push(when(load(local(*flag, boolean(), place), place), inner));
                Ok(())
            }
            Tree::Parts(parts) => {
                let ty = self.infer.settled(&pl.ty);
                for (name, _, tree) in parts {
                    let part = self.part(pl, name, place)?;
                    let mut inner = Vec::new();
                    self.drop_tree(tree, &part, (place, span), &mut inner)?;
                    match self.holds(&ty, pl, name, place)? {
                        Some(holds) => stmts.push(when(holds, inner)),
                        None => stmts.extend(inner),
                    }
                }
                Ok(())
            }
            Tree::Boxed(flag, content) => {
                let Some(inner) = self.deref_once(pl, place)? else {
                    return Ok(());
                };
                self.drop_tree(content, &inner, (place, span), stmts)?;
                let free = vec![
                    Self::effect(Self::set_flag(*flag, false, place)),
                    Self::free(load(pl.lvalue.clone(), place), place),
                ];
                stmts.push(when(load(local(*flag, boolean(), place), place), free));
                Ok(())
            }
        }
    }

    /// Whether the variant that a part belongs to is there; `None` if a part of this type always is.
    pub(super) fn holds(
        &mut self,
        ty: &Ty,
        pl: &Pl,
        name: &str,
        place: Place,
    ) -> Res<Option<typed::Expr>> {
        let (Ty::Adt(id, _), Some((variant, _))) = (ty, name.split_once('.')) else {
            return Ok(None);
        };
        match self.t.names.adts[*id].variant(variant) {
            Some(number) => self.is_variant(pl, number, place),
            None => Ok(None),
        }
    }
}
