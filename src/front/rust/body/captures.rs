//! What the closure of a thread captures: which variables, which parts of them, and in which order.
//!
//! What is found to be used while the closure is checked counts the next time. Since edition 2021, a closure that moves
//! a variable moves those parts only that it names; the others stay where they are. A thread owns what it has moved,
//! and drops at its end what it has not moved on, in the order in which the closure first names it.

use super::build::load;
use super::moves::{Part, Way};
use super::scope::{Callable, Capture, Scope, Where};
use super::{Body, Pl};
use crate::lower::typed::{self, ExprKind, LocalId, Lvalue, LvalueKind};
use crate::rust::names::AdtItem;
use crate::rust::source::{at, span, words};
use crate::rust::types::{Ptr, Ty};
use crate::rust::unit::Res;
use crate::text::{Place, Span};
use std::collections::{BTreeMap, BTreeSet};
use syn::Pat;

/// A variable that a closure uses.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Use {
    name: String,
    /// The parts that it names.
    ways: BTreeSet<Way>,
    /// Those that it moves, and so captures by their values.
    moved: BTreeSet<Way>,
}

/// The variables that closures of threads use, by the positions of the closures, in the order of their first uses.
pub(super) type Used = BTreeMap<usize, Vec<Use>>;

/// What a closure captures of a variable.
pub(super) struct Captured {
    pub(super) number: usize,
    pub(super) name: String,
    pub(super) ty: typed::Type,
    pub(super) how: How,
}

pub(super) enum How {
    Value,
    Address,
    /// A part that is moved, and dropped with the thread.
    Moved(Way),
}

impl<'a> Body<'_, 'a> {
    /// Notes that a closure uses a variable.
    pub(super) fn note_use(&mut self, closure: usize, name: &str) -> &mut Use {
        let uses = self.used.entry(closure).or_default();
        let at = uses.iter().position(|one| one.name == name);
        let at = at.unwrap_or_else(|| {
            uses.push(Use {
                name: name.to_owned(),
                ways: BTreeSet::new(),
                moved: BTreeSet::new(),
            });
            uses.len() - 1
        });
        &mut uses[at]
    }

    /// Notes that this part of a variable is used here.
    pub(super) fn note_part(&mut self, number: usize, way: &Way) {
        let (name, from) = (self.vars[number].name.clone(), self.vars[number].frame + 1);
        for frame in from..self.frames.len() {
            if let Some(closure) = self.frames[frame].closure {
                self.note_use(closure, &name).ways.insert(way.clone());
            }
        }
    }

    /// The variable of another function that a place is a part of.
    pub(super) fn captured_at(&self, of: &Lvalue) -> Option<(usize, Way)> {
        let frame = self.frames.last()?;
        let find = |id: LocalId, by_address: bool| {
            let mut captures = frame.captures.iter();
            let fits = |own: &Capture| own.local == id && own.by_address == by_address;
            captures
                .find(|(_, own)| fits(own))
                .map(|(number, _)| *number)
        };
        match &of.kind {
            LvalueKind::Local(id) => Some((find(*id, false)?, Vec::new())),
            LvalueKind::Member(inner, member) => {
                let (number, mut way) = self.captured_at(inner)?;
                way.push(Part::Member(*member));
                Some((number, way))
            }
            LvalueKind::Deref(pointer) => {
                let ExprKind::Load(inner) = &pointer.kind else {
                    return None;
                };
                if let LvalueKind::Local(id) = inner.kind
                    && let Some(number) = find(id, true)
                {
                    return Some((number, Vec::new()));
                }
                let (number, mut way) = self.captured_at(inner)?;
                way.push(Part::Content);
                Some((number, way))
            }
            LvalueKind::Object(_) | LvalueKind::Bits(..) | LvalueKind::Element(..) => None,
        }
    }

    /// Notes that the closure at hand moves a part of a variable that it has captured.
    pub(super) fn note_moved(&mut self, number: usize, way: Way) {
        let name = self.vars[number].name.clone();
        if let Some(closure) = self.frames.last().and_then(|frame| frame.closure) {
            self.note_use(closure, &name).moved.insert(way);
        }
    }

    /// Whether a closure that moves what it has captured owns that the next time.
    pub(super) fn moves_captured(&mut self, of: &Lvalue) -> bool {
        let Some((number, way)) = self.captured_at(of) else {
            return false;
        };
        let name = &self.vars[number].name;
        let closure = self.frames.last().and_then(|frame| frame.closure);
        let known = closure.and_then(|closure| self.known_use(closure, name));
        known.is_none_or(|known| !known.moved.contains(&way))
    }

    /// What was found the time before.
    fn known_use(&self, closure: usize, name: &str) -> Option<&Use> {
        let uses = self.known.as_ref()?.get(&closure)?;
        uses.iter().find(|one| one.name == name)
    }

    /// Refuses a pattern that leaves out parts of a captured variable: which of them are captured depends on it.
    pub(super) fn captures_all(&mut self, pattern: &Pat, pl: &Pl) -> Res<()> {
        if self.edition().captures_parts()
            && super::declaration::leaves_out(pattern)
            && self.needs_drop(&pl.ty)
            && self.captured_at(&pl.lvalue).is_some()
        {
            return self.refuse(
                "a pattern in a thread that leaves out parts of a captured value whose end has an effect is not \
                 supported",
                span(pattern),
                "move it into a variable of the thread, or name all parts",
            );
        }
        Ok(())
    }

    /// The variables that a closure captures, those that were found to be used if that is known.
    pub(super) fn captured(&mut self, closure: &'a syn::ExprClosure) -> Vec<usize> {
        let start = span(closure).start;
        let lexemes = self.t.lexemes;
        let known = self.known.as_ref();
        let known = known.map(|known| known.get(&start).cloned().unwrap_or_default());
        self.used.entry(start).or_default();
        let mut open: Vec<(Span, Option<Vec<Scope>>)> = vec![(span(closure), None)];
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        while let Some((of, scopes)) = open.pop() {
            let outside = scopes.map(|scopes| std::mem::replace(&mut self.scopes, scopes));
            let names: BTreeSet<String> = words(lexemes, &of).collect();
            for name in names {
                let Some(number) = self.find(&name) else {
                    continue;
                };
                if !seen.insert(number) {
                    continue;
                }
                match &self.vars[number].at {
                    Where::Callable(Callable::Closure {
                        closure, scopes, ..
                    }) => {
                        open.push((span(*closure), Some(scopes.clone())));
                    }
                    Where::Callable(Callable::Path { .. }) | Where::Broken => {}
                    Where::Local(_) => {
                        let is_used = |known: &Vec<Use>| known.iter().any(|one| one.name == name);
                        if known.as_ref().is_none_or(is_used) {
                            found.push(number);
                        }
                    }
                }
            }
            if let Some(outside) = outside {
                self.scopes = outside;
            }
        }
        found.sort_unstable();
        // Those that are moved end in the order of their first uses.
        let rank = |number: &usize| {
            let name = &self.vars[*number].name;
            let known = known.as_ref()?;
            known.iter().position(|one| one.name == *name)
        };
        let mut moved = found.clone();
        moved.sort_by_key(rank);
        let mut order = Vec::new();
        for (numbers, drops) in [(found, false), (moved, true)] {
            for number in numbers {
                let ty = self.vars[number].ty.clone();
                if self.needs_drop(&ty) == drops {
                    order.push(number);
                }
            }
        }
        order
    }

    /// What a closure captures, and the values and addresses that are given to its thread.
    pub(super) fn captures(
        &mut self,
        closure: &'a syn::ExprClosure,
    ) -> Res<(Vec<Captured>, Vec<typed::Expr>)> {
        let place = at(closure);
        let start = place.start as usize;
        let by_value = closure.capture.is_some();
        let (mut captured, mut arguments) = (Vec::new(), Vec::new());
        for number in self.captured(closure) {
            let var = self.vars[number].clone();
            let known = self.known_use(start, &var.name).cloned();
            let moves = known.as_ref().is_some_and(|one| !one.moved.is_empty());
            if (by_value || moves) && self.needs_drop(&var.ty) {
                let known = known.unwrap_or_default();
                let ways = self.moved_ways(&var.ty, known.ways, &span(closure))?;
                let moved = self.moved_ways(&var.ty, known.moved, &span(closure))?;
                if !by_value && ways != moved {
                    if let Some(known) = self.known.as_ref().and_then(|known| known.get(&start)) {
                        self.used.insert(start, known.clone());
                    }
                    return self.refuse(
                        format!("this closure moves parts of `{}` and borrows others, which is not supported", var.name),
                        span(closure),
                        "give what it moves a name of its own before",
                    );
                }
                for way in ways {
                    self.note_part(number, &way);
                    let whole = self.variable(number, place, span(closure))?;
                    let part = self.part_at(whole, &way, place)?;
                    if part.lvalue.ty.is_void() {
                        continue;
                    }
                    let e = if self.needs_drop(&part.ty) {
                        self.moved_value(&part, place, &span(closure))?.e
                    } else {
                        load(part.lvalue, place)
                    };
                    captured.push(Captured {
                        number,
                        name: var.name.clone(),
                        ty: e.ty.clone(),
                        how: How::Moved(way),
                    });
                    arguments.push(e);
                }
                continue;
            }
            self.note_part(number, &Vec::new());
            let pl = self.variable(number, place, span(closure))?;
            if pl.lvalue.ty.is_void() {
                continue;
            }
            let (e, ty, how) = if by_value || self.is_constant(number) {
                // A parameter keeps the type with its qualifiers, so that its address has the right one.
                let ty = self.typed(&var.ty);
                (load(pl.lvalue, place), ty, How::Value)
            } else {
                let e = self.address_of(pl.lvalue, place);
                let ty = e.ty.clone();
                (e, ty, How::Address)
            };
            captured.push(Captured {
                number,
                name: var.name,
                ty,
                how,
            });
            arguments.push(e);
        }
        Ok((captured, arguments))
    }

    /// The parts of a variable that are moved where these are named: none is a part of another one.
    fn moved_ways(&mut self, ty: &Ty, ways: BTreeSet<Way>, of: &Span) -> Res<Vec<Way>> {
        let mut moved: Vec<Way> = Vec::new();
        if ways.is_empty() || !self.edition().captures_parts() {
            return Ok(vec![Vec::new()]);
        }
        // In the order of ways, a part comes after what it is a part of.
        let mut cut = BTreeSet::new();
        for way in &ways {
            cut.insert(self.up_to_moves(ty, way, of)?);
        }
        for way in cut {
            if !moved.iter().any(|outer| way.starts_with(outer)) {
                moved.push(way);
            }
        }
        Ok(moved)
    }

    /// The way up to what the closure can move: no part of a type with `Drop`, and not what a pointer points to. What can
    /// be copied is copied, also out of a type with `Drop`, which then stays where it is.
    fn up_to_moves(&mut self, ty: &Ty, way: &Way, of: &Span) -> Res<Way> {
        let mut ty = self.infer.settled(ty);
        let mut all = Way::new();
        // Where a type with `Drop` begins, and whether the last part can be copied.
        let (mut whole, mut copies) = (None, Some(false));
        for part in way {
            let Part::Member(member) = part else {
                break;
            };
            if !matches!(ty, Ty::Adt(..) | Ty::Tuple(_)) {
                break;
            }
            let Some((name, next)) = self.member_of(&ty, *member) else {
                break;
            };
            if self.drop_method(&ty).is_some() {
                whole.get_or_insert(all.len());
            }
            copies = match &ty {
                Ty::Adt(id, _) => self.copies(*id, &name, &next),
                _ => None,
            };
            ty = next;
            all.push(*part);
        }
        match (whole, copies) {
            (Some(whole), Some(false)) => all.truncate(whole),
            (None, _) | (Some(_), Some(true)) => {}
            (Some(_), None) => {
                return self.refuse(
                    "whether a closure copies this part of a value with `Drop`, or moves all of it, is not known here",
                    of.clone(),
                    "copy it into a variable before",
                );
            }
        }
        Ok(all)
    }

    /// Whether a field can be copied, as it is written; `None` if that is not known.
    fn copies(&mut self, id: usize, name: &str, ty: &Ty) -> Option<bool> {
        let AdtItem::Struct(item) = self.t.names.adts[id].item else {
            return None;
        };
        let fields = item.fields.iter().enumerate();
        let mut fields = fields.filter(|(number, field)| match &field.ident {
            Some(own) => own == name,
            None => number.to_string() == name,
        });
        let written = &fields.next()?.1.ty;
        let is_parameter = |path: &syn::TypePath| {
            let mut parameters = item.generics.type_params();
            parameters.any(|parameter| path.path.is_ident(&parameter.ident))
        };
        match (written, ty) {
            (syn::Type::Reference(of), _) => Some(of.mutability.is_none()),
            (syn::Type::Path(path), _) if is_parameter(path) => None,
            (syn::Type::Ptr(_), _)
            | (_, Ty::Bool | Ty::Int { .. } | Ty::Ordering | Ty::Ptr(Ptr::NonNull, _)) => {
                Some(true)
            }
            (_, Ty::Adt(id, arguments)) if arguments.is_empty() => {
                Some(self.derives(*id, "Copy") || self.implements(ty, "Copy"))
            }
            (_, ty) if self.needs_drop(ty) => Some(false),
            (_, Ty::Atomic(_) | Ty::Mutex(_) | Ty::RwLock(_) | Ty::Cell(_) | Ty::Ptr(..)) => {
                Some(false)
            }
            _ => None,
        }
    }

    /// A part of what is in a place.
    fn part_at(&mut self, whole: Pl, way: &Way, place: Place) -> Res<Pl> {
        let mut pl = whole;
        for part in way {
            let Part::Member(member) = part else {
                break;
            };
            let ty = self.infer.settled(&pl.ty);
            if let Some((name, _)) = self.member_of(&ty, *member) {
                pl = self.part(&pl, &name, place)?;
            }
        }
        Ok(pl)
    }

    /// Whether a closure was found to move out of what it captures.
    pub(super) fn moves_any(&self, closure: usize) -> bool {
        let known = self.known.as_ref().and_then(|known| known.get(&closure));
        known.is_some_and(|uses| uses.iter().any(|one| !one.moved.is_empty()))
    }
}
