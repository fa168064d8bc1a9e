//! `#if` and its relatives: which groups of lines are kept; `defined` and the like.

use super::constant::{Problem, evaluate};
use super::expand::{Stream, Tok, number};
use super::{Frame, Preprocessor};
use crate::c::lex::{Kind, Lexeme};
use crate::c::library;
use crate::text::{Diagnostic, Place};

/// An `#if` whose `#endif` is still to come.
#[derive(Debug)]
pub(super) struct Condition {
    /// The directive's name.
    pub(super) place: Place,
    group: Group,
    /// Where its `#else` is.
    otherwise: Option<Place>,
}

/// The group of lines that is being read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Group {
    Kept,
    /// Left out, and no group before it was kept.
    NotYet,
    /// Left out, and so is all that follows up to `#endif`.
    Done,
}

impl Condition {
    /// Whether the lines that are being read are left out.
    pub(super) fn leaves_out(&self) -> bool {
        self.group != Group::Kept
    }
}

impl Preprocessor<'_> {
    fn conditions(&mut self) -> Option<&mut Vec<Condition>> {
        let frame = self.frames.last_mut();
        frame.map(|frame: &mut Frame| &mut frame.conditions)
    }

    /// Whether the lines that are being read are left out.
    pub(super) fn leaves_out(&self) -> bool {
        let conditions = self.frames.last().map(|frame| &frame.conditions);
        conditions.is_some_and(|open| open.last().is_some_and(Condition::leaves_out))
    }

    fn open_condition(&mut self, directive: &Lexeme, group: Group) {
        if let Some(conditions) = self.conditions() {
            conditions.push(Condition {
                place: directive.place,
                group,
                otherwise: None,
            });
        }
    }

    /// `#if`
    pub(super) fn open_if(&mut self, directive: &Lexeme, rest: &[Lexeme]) {
        let group = if self.leaves_out() {
            Group::Done
        } else {
            self.group(directive, rest)
        };
        self.open_condition(directive, group);
    }

    /// `#ifdef` and `#ifndef`
    pub(super) fn open_ifdef(&mut self, directive: &Lexeme, rest: &[Lexeme], defined: bool) {
        let group = if self.leaves_out() {
            Group::Done
        } else {
            self.group_if_defined(directive, rest, defined)
        };
        self.open_condition(directive, group);
    }

    /// The group after a condition.
    fn group(&mut self, directive: &Lexeme, rest: &[Lexeme]) -> Group {
        if rest.is_empty() {
            let message = format!("`#{}` needs a condition", directive.text);
            self.report(directive.place, Diagnostic::error(message, 0..0));
            return Group::Done;
        }
        let Some(toks) = self.expand_line(Stream::of_condition(rest)) else {
            return Group::Done;
        };
        match evaluate(&toks, directive.place) {
            Ok(true) => Group::Kept,
            Ok(false) => Group::NotYet,
            Err(Problem { place, message }) => {
                self.report(place, Diagnostic::error(message, 0..0));
                Group::Done
            }
        }
    }

    fn group_if_defined(&mut self, directive: &Lexeme, rest: &[Lexeme], defined: bool) -> Group {
        let Some((name, rest)) = self.macro_name(directive, rest) else {
            return Group::Done;
        };
        self.nothing_more(directive, rest);
        if self.is_defined(name) == defined {
            Group::Kept
        } else {
            Group::NotYet
        }
    }

    /// The condition that `#elif` or `#else` continues. Reports if there is none.
    fn continued(&mut self, directive: &Lexeme) -> Option<Group> {
        let name = directive.text.clone();
        let found = self.conditions().and_then(|open| open.last_mut());
        let problem = match found {
            None => Diagnostic::error(format!("`#{name}` without `#if`"), 0..0),
            Some(Condition {
                otherwise: Some(first),
                ..
            }) => {
                let first = *first;
                let error = Diagnostic::error(format!("`#{name}` after `#else`"), 0..0);
                match self.files.written(first) {
                    Some(span) => error.other(span, "the `#else`"),
                    None => error,
                }
            }
            Some(condition) => return Some(condition.group),
        };
        self.report(directive.place, problem);
        None
    }

    fn turn(&mut self, group: Group) {
        if let Some(condition) = self.conditions().and_then(|open| open.last_mut()) {
            condition.group = group;
        }
    }

    /// `#elif`: its condition is looked at only if no group before it was kept.
    pub(super) fn elif(&mut self, directive: &Lexeme, rest: &[Lexeme]) {
        let group = match self.continued(directive) {
            None => return,
            Some(Group::Kept | Group::Done) => Group::Done,
            Some(Group::NotYet) => self.group(directive, rest),
        };
        self.turn(group);
    }

    /// `#elifdef` and `#elifndef`
    pub(super) fn elifdef(&mut self, directive: &Lexeme, rest: &[Lexeme], defined: bool) {
        let group = match self.continued(directive) {
            None => return,
            Some(Group::Kept | Group::Done) => Group::Done,
            Some(Group::NotYet) => self.group_if_defined(directive, rest, defined),
        };
        self.turn(group);
    }

    /// `#else`
    pub(super) fn otherwise(&mut self, directive: &Lexeme, rest: &[Lexeme]) {
        let group = match self.continued(directive) {
            None => return,
            Some(Group::Kept | Group::Done) => Group::Done,
            Some(Group::NotYet) => Group::Kept,
        };
        self.nothing_more(directive, rest);
        if let Some(condition) = self.conditions().and_then(|open| open.last_mut()) {
            condition.group = group;
            condition.otherwise = Some(directive.place);
        }
    }

    /// `#endif`
    pub(super) fn endif(&mut self, directive: &Lexeme, rest: &[Lexeme]) {
        if self.conditions().and_then(Vec::pop).is_none() {
            let error = Diagnostic::error("`#endif` without `#if`", 0..0);
            self.report(directive.place, error);
        } else {
            self.nothing_more(directive, rest);
        }
    }

    fn is_defined(&self, name: &Lexeme) -> bool {
        self.macros.contains_key(&name.text) || OPERATORS.contains(&&*name.text)
    }

    /// `defined X`, `__has_include(<x.h>)` and the like in a condition; `None` if the token is none of
    /// these. Takes what belongs to it from the stream.
    pub(super) fn operator(&mut self, tok: &Tok, stream: &mut Stream) -> Option<Tok> {
        let value = match &*tok.lexeme.text {
            "defined" => self.defined(tok, stream),
            name if OPERATORS.contains(&name) => self.has(name, tok, stream),
            _ => return None,
        };
        Some(number(tok, if value { "1" } else { "0" }, tok.shown()))
    }

    fn defined(&mut self, tok: &Tok, stream: &mut Stream) -> bool {
        let mut name = self.next(stream);
        let bracket = name.as_ref().is_some_and(|tok| tok.lexeme.is("("));
        if bracket {
            name = self.next(stream);
        }
        let Some(name) = name.filter(|name| name.lexeme.kind == Kind::Word) else {
            let error = Diagnostic::error("a macro's name is missing after `defined`", 0..0);
            self.report(tok.shown(), error);
            return false;
        };
        if bracket && !self.next(stream).is_some_and(|tok| tok.lexeme.is(")")) {
            let error = Diagnostic::error("`)` is missing after `defined`", 0..0);
            self.report(tok.shown(), error);
        }
        self.is_defined(&name.lexeme)
    }

    /// An operator that has its argument in parentheses.
    fn has(&mut self, name: &str, tok: &Tok, stream: &mut Stream) -> bool {
        let mut argument: Vec<Lexeme> = Vec::new();
        let mut depth = 0_usize;
        while let Some(next) = self.next(stream) {
            depth += usize::from(next.lexeme.is("("));
            if depth == 0 {
                stream.put_back(vec![next]);
                break;
            }
            depth -= usize::from(next.lexeme.is(")"));
            argument.push(next.lexeme);
            if depth == 0 {
                break;
            }
        }
        let inner = match argument.as_slice() {
            [_, inner @ .., close] if close.is(")") => inner,
            _ => &[],
        };
        let value = match (name, inner) {
            (_, []) => None,
            ("__has_include", inner) => self.has_include(inner),
            ("__has_builtin", [builtin]) => Some(library::find(&builtin.text).is_some()),
            // All attributes are accepted, and have no effect.
            ("__has_attribute", _) => Some(true),
            (_, _) => Some(false),
        };
        if value.is_none() {
            let message = format!("`{name}` needs one argument in parentheses");
            self.report(tok.shown(), Diagnostic::error(message, 0..0));
        }
        value.unwrap_or(false)
    }
}

/// The operators in addition to `defined`.
const OPERATORS: [&str; 6] = [
    "__has_include",
    "__has_attribute",
    "__has_builtin",
    "__has_c_attribute",
    "__has_feature",
    "__has_extension",
];
