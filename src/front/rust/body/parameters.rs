//! The parameters of the functions that closures are: what they capture, and what they are called with.

use super::Body;
use super::build::{load, local};
use super::captures::{Captured, How};
use super::moves::{Part, Way};
use super::scope::{Capture, Frame};
use crate::lower::typed::{self, Initialised, LocalId, Step, StmtKind};
use crate::rust::source::{at, implied, span};
use crate::rust::unit::Res;
use crate::text::Span;

impl<'a> Body<'_, 'a> {
    /// The parameters of a closure that leaves what it captures where that is, and then those of these types; which of the
    /// first are addresses of what is captured.
    pub(super) fn parameters_at(
        &mut self,
        captured: &[Captured],
        others: &[typed::Type],
        frame: &mut Frame,
        of: &Span,
    ) -> Res<Vec<bool>> {
        let mut found = Vec::new();
        for one in captured {
            let (ty, by_address) = match &one.how {
                How::Value if self.is_constant(one.number) => (one.ty.clone(), false),
                How::Address => (one.ty.clone(), false),
                How::Moved(way) if !way.is_empty() => {
                    // The next time it is refused, too: its body, which uses the parts, is not read.
                    let known = self.known.as_ref().and_then(|known| known.get(&of.start));
                    if let Some(known) = known.cloned() {
                        self.used.insert(of.start, known);
                    }
                    return self.refuse(
                        format!(
                            "this closure captures parts of `{}`, which is not supported",
                            one.name
                        ),
                        of.clone(),
                        "give what it uses a name of its own before",
                    );
                }
                How::Value | How::Moved(_) => (super::build::pointer_to(&one.ty), true),
            };
            let local = parameter(frame, &one.name, ty);
            let by_address_of = by_address || matches!(one.how, How::Address);
            let capture = Capture {
                local,
                by_address: by_address_of,
            };
            frame.captures.insert(one.number, capture);
            found.push(by_address);
        }
        for ty in others.iter().filter(|ty| !ty.is_void()) {
            parameter(frame, "parameter", ty.clone());
        }
        Ok(found)
    }

    /// The parameters of a thread or of a closure that is called once, then those of these types, and where its function
    /// finds what they are.
    pub(super) fn parameters_of(
        &mut self,
        captured: &[Captured],
        others: &[typed::Type],
        frame: &mut Frame,
    ) {
        let new = parameter;
        for one in captured {
            let local = new(frame, &one.name, one.ty.clone());
            let by_address = matches!(one.how, How::Address);
            let is_whole = !matches!(&one.how, How::Moved(way) if !way.is_empty());
            if is_whole {
                let capture = Capture { local, by_address };
                frame.captures.insert(one.number, capture);
            }
        }
        for ty in others.iter().filter(|ty| !ty.is_void()) {
            new(frame, "parameter", ty.clone());
        }
        for one in captured {
            if !frame.captures.contains_key(&one.number) {
                let ty = self.vars[one.number].ty.clone();
                let ty = self.typed(&ty);
                let local = new(frame, &one.name, ty);
                let capture = Capture {
                    local,
                    by_address: false,
                };
                frame.captures.insert(one.number, capture);
            }
        }
    }

    /// Lets a thread own what its closure has moved; what its function begins with.
    pub(super) fn own_captured(
        &mut self,
        closure: &'a syn::ExprClosure,
        captured: &[Captured],
        stmts: &mut Vec<typed::Stmt>,
    ) {
        let inside = implied(at(closure));
        let mut dropping = Vec::new();
        let mut at = 0;
        while let Some(one) = captured.get(at) {
            let same = captured[at..].iter();
            let same = same.take_while(|other| other.number == one.number).count();
            let parameters = at..at + same;
            at += same;
            let capture = self
                .frames
                .last()
                .and_then(|frame| frame.captures.get(&one.number));
            let (How::Moved(_), Some(capture)) = (&one.how, capture.copied()) else {
                continue;
            };
            let ways: Vec<Way> = captured[parameters.clone()]
                .iter()
                .filter_map(|one| match &one.how {
                    How::Moved(way) => Some(way.clone()),
                    How::Value | How::Address => None,
                })
                .collect();
            let ty = self.vars[one.number].ty.clone();
            let of = self.first_mention(closure, &one.name);
            let owned = self.own_parts(capture.local, ty, of, &ways);
            let is_whole = ways.iter().any(Vec::is_empty);
            if !is_whole {
                let mut values = Vec::new();
                for (parameter, way) in parameters.zip(&ways) {
                    let steps = way.iter().filter_map(|part| match part {
                        Part::Member(member) => Some(Step::Member(*member)),
                        Part::Content => None,
                    });
                    let from = local(LocalId(parameter), captured[parameter].ty.clone(), inside);
                    values.push((steps.collect(), load(from, inside)));
                }
                let kind = StmtKind::Declare(capture.local, values, Initialised::Yes);
                stmts.push(super::build::stmt(kind, inside));
            }
            stmts.extend(Self::declare_flags(&owned, is_whole, inside));
            if !is_whole {
                for way in &ways {
                    for flag in owned.tree.part(way).iter().flat_map(|tree| tree.flags()) {
                        stmts.push(Self::effect(Self::set_flag(flag, true, inside)));
                    }
                }
            }
            dropping.push(owned);
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.drops.extend(dropping.into_iter().rev());
        }
    }

    /// Where a closure first has this name.
    fn first_mention(&self, closure: &syn::ExprClosure, name: &str) -> Span {
        let of = span(closure);
        let mut inside = self.t.lexemes.iter().filter(|one| of.contains(&one.start));
        let found = inside.find(|one| one.word.as_deref() == Some(name));
        found.map_or(of, |one| one.start..one.end)
    }
}

/// A new parameter.
fn parameter(frame: &mut Frame, name: &str, ty: typed::Type) -> LocalId {
    frame.locals.push(typed::Local {
        name: name.to_owned(),
        ty,
        addressed: false,
        temporary: false,
    });
    LocalId(frame.locals.len() - 1)
}
