//! The expansion of macros (C11 6.10.3), as gcc and clang do it.
//!
//! A stream is what is still to be rescanned, followed by the files. [`Preprocessor::step`] takes
//! tokens from it and replaces invocations until it finds a token that is none. Arguments are
//! expanded in streams of their own, which end where the argument does.
//!
//! A macro is *active* from its invocation until the last token of its replacement is taken. Its name
//! is *painted* when it is taken in that time: it is never replaced any more (6.10.3.4p2).
//!
//! **Differs from** hide sets, which also keep a macro from names that its expansion only leads to:
//! the loops that programs build from deferred macros (`EVAL`, `DEFER`) need that to be allowed.

use super::Preprocessor;
use super::macros::{Macro, Meaning, Parameters};
use super::substitute::{Argument, Role};
use crate::c::lex::{Kind, Lexeme};
use crate::text::{Diagnostic, Place};
use std::rc::Rc;

/// A lexeme during the expansion of macros.
#[derive(Clone, Debug)]
pub(super) struct Tok {
    pub(super) lexeme: Lexeme,
    /// The outermost invocation that it comes from.
    pub(super) outer: Option<Place>,
    /// Whether it is the name of a macro that is not to be replaced.
    pub(super) painted: bool,
}

impl Tok {
    pub(super) fn of(lexeme: Lexeme) -> Self {
        Self {
            lexeme,
            outer: None,
            painted: false,
        }
    }

    /// Where diagnostics show it.
    pub(super) fn shown(&self) -> Place {
        self.outer.unwrap_or(self.lexeme.place)
    }
}

enum Pending {
    Tok(Tok),
    /// The end of the replacement of the macro with this number.
    End(u32),
}

/// Tokens to expand.
pub(super) struct Stream {
    /// The next one is last.
    pending: Vec<Pending>,
    /// Whether the files follow.
    files: bool,
    /// Whether it is the line of an `#if`, in which `defined` has a meaning.
    pub(super) condition: bool,
    /// Whether there was white space before something that was replaced by nothing.
    space: bool,
}

impl Stream {
    pub(super) fn of_files() -> Self {
        Self {
            pending: Vec::new(),
            files: true,
            condition: false,
            space: false,
        }
    }

    /// These tokens and no others.
    pub(super) fn of(toks: Vec<Tok>) -> Self {
        Self {
            pending: toks.into_iter().rev().map(Pending::Tok).collect(),
            files: false,
            condition: false,
            space: false,
        }
    }

    /// The lexemes after a directive's name.
    pub(super) fn of_line(line: &[Lexeme]) -> Self {
        Self::of(line.iter().cloned().map(Tok::of).collect())
    }

    /// The lexemes after `#if`.
    pub(super) fn of_condition(line: &[Lexeme]) -> Self {
        Self {
            condition: true,
            ..Self::of_line(line)
        }
    }

    /// Puts tokens before the others.
    pub(super) fn put_back(&mut self, toks: Vec<Tok>) {
        let toks = toks.into_iter().rev();
        self.pending.extend(toks.map(Pending::Tok));
    }
}

/// How much was spent on expansions. One unit is about one token.
#[derive(Default)]
pub(super) struct Effort {
    /// Since a token was last read from a file.
    here: usize,
    total: usize,
    /// How deep arguments are nested that are being expanded.
    depth: u32,
    /// Whether what is being expanded was given up, with an error.
    given_up: bool,
}

/// The bound on [`Effort::here`].
const MOST_HERE: usize = 1 << 18;

/// The bound on [`Effort::total`].
const MOST_IN_ALL: usize = 1 << 21;

/// Invocations may be nested this deep in arguments.
const DEEPEST_ARGUMENT: u32 = 100;

/// The macros that are active.
#[derive(Default)]
pub(super) struct Active {
    /// How many times, by their numbers.
    times: Vec<u32>,
    /// The sum of these.
    all: usize,
}

impl Active {
    fn contains(&self, id: u32) -> bool {
        self.times.get(id as usize).is_some_and(|&times| times > 0)
    }

    fn begin(&mut self, id: u32) {
        let id = id as usize;
        if self.times.len() <= id {
            self.times.resize(id + 1, 0);
        }
        self.times[id] += 1;
        self.all += 1;
    }

    fn end(&mut self, id: u32) {
        self.times[id as usize] -= 1;
        self.all -= 1;
    }
}

impl Preprocessor<'_> {
    /// The next token of a stream that no macro replaces.
    pub(super) fn step(&mut self, stream: &mut Stream) -> Option<Tok> {
        loop {
            let tok = self.next(stream)?;
            if tok.lexeme.kind != Kind::Word || tok.painted {
                return Some(tok);
            }
            if stream.condition
                && let Some(answer) = self.operator(&tok, stream)
            {
                return Some(answer);
            }
            let Some(found) = self.macros.get(&tok.lexeme.text).map(Rc::clone) else {
                return Some(tok);
            };
            match &found.meaning {
                Meaning::Dynamic(dynamic) => return Some(self.dynamic(*dynamic, &tok)),
                Meaning::Object(body) => {
                    let outer = tok.shown();
                    let toks = self.substitute(body, &mut [], outer);
                    self.replace(stream, &tok, found.id, toks, outer);
                }
                Meaning::Function(parameters, body) => {
                    // What ends here is over before the arguments begin.
                    self.end_macros(stream);
                    // As in gcc and clang, a directive in between keeps the two apart.
                    if stream.pending.is_empty() && stream.files && self.at_directive() {
                        return Some(tok);
                    }
                    let Some(open) = self.next(stream) else {
                        return Some(tok);
                    };
                    if !open.lexeme.is("(") {
                        stream.put_back(vec![open]);
                        return Some(tok);
                    }
                    let Some((arguments, close)) = self.arguments(stream, &found, parameters, &tok)
                    else {
                        continue;
                    };
                    let outer = hull(&tok, &close);
                    let Some(mut arguments) = self.matched(arguments, &found, parameters, outer)
                    else {
                        // One operand: what is around it may be right.
                        return Some(number(&tok, "0", outer));
                    };
                    let toks = self.substitute(body, &mut arguments, outer);
                    self.replace(stream, &tok, found.id, toks, outer);
                }
            }
        }
    }

    /// All tokens of a stream that ends by itself, after the expansion of macros.
    pub(super) fn expand(&mut self, mut stream: Stream) -> Vec<Tok> {
        if self.effort.depth >= DEEPEST_ARGUMENT {
            if let Some(Pending::Tok(tok)) = stream.pending.last() {
                let message = "macros are invoked too deeply in each other's arguments";
                self.give_up(tok.shown(), message);
            }
            return Vec::new();
        }
        self.effort.depth += 1;
        let mut expanded = Vec::new();
        while let Some(tok) = self.step(&mut stream) {
            expanded.push(tok);
        }
        self.effort.depth -= 1;
        expanded
    }

    /// The next token, expanded or not.
    pub(super) fn next(&mut self, stream: &mut Stream) -> Option<Tok> {
        if self.effort.given_up {
            for pending in stream.pending.drain(..) {
                if let Pending::End(id) = pending {
                    self.active.end(id);
                }
            }
            if !stream.files {
                return None;
            }
            self.effort.given_up = false;
        }
        self.end_macros(stream);
        let mut tok = match stream.pending.pop() {
            Some(Pending::Tok(tok)) => tok,
            Some(Pending::End(_)) | None if stream.files => {
                self.effort.here = 0;
                self.read()?
            }
            Some(Pending::End(_)) | None => return None,
        };
        if self.active.all > 0 && tok.lexeme.kind == Kind::Word {
            let found = self.macros.get(&tok.lexeme.text);
            tok.painted |= found.is_some_and(|found| self.active.contains(found.id));
        }
        tok.lexeme.space |= std::mem::take(&mut stream.space);
        Some(tok)
    }

    /// Ends the macros whose replacement has no token left.
    fn end_macros(&mut self, stream: &mut Stream) {
        while let Some(&Pending::End(id)) = stream.pending.last() {
            stream.pending.pop();
            self.active.end(id);
        }
    }

    /// Puts what replaces an invocation before the rest of the stream.
    fn replace(
        &mut self,
        stream: &mut Stream,
        name: &Tok,
        id: u32,
        mut toks: Vec<Tok>,
        outer: Place,
    ) {
        self.spend(1, outer);
        for tok in &mut toks {
            tok.outer = Some(outer);
        }
        match toks.first_mut() {
            Some(first) => first.lexeme.space = name.lexeme.space,
            None => stream.space |= name.lexeme.space,
        }
        self.active.begin(id);
        stream.pending.push(Pending::End(id));
        stream.put_back(toks);
    }

    /// Counts work, and gives up if it is too much.
    pub(super) fn spend(&mut self, units: usize, place: Place) {
        self.effort.here += units;
        self.effort.total += units;
        if self.effort.total > MOST_IN_ALL {
            self.effort.given_up = true;
            self.stop(place, "the macros of this file expand to too many tokens");
        } else if self.effort.here > MOST_HERE {
            self.give_up(place, "this macro expands to too many tokens");
        }
    }

    /// Reports why an expansion is left unfinished.
    fn give_up(&mut self, place: Place, message: &str) {
        if !self.effort.given_up {
            self.effort.given_up = true;
            self.report(place, Diagnostic::error(message, 0..0));
        }
    }

    pub(super) fn has_given_up(&self) -> bool {
        self.effort.given_up
    }

    /// All tokens of a directive after the expansion of macros; `None` if it was given up.
    pub(super) fn expand_line(&mut self, stream: Stream) -> Option<Vec<Tok>> {
        self.effort.here = 0;
        let expanded = self.expand(stream);
        // The files go on.
        let given_up = std::mem::take(&mut self.effort.given_up);
        (!given_up).then_some(expanded)
    }

    /// The arguments after `(`, and the `)`. Reports if there is none.
    fn arguments(
        &mut self,
        stream: &mut Stream,
        found: &Macro,
        parameters: &Parameters,
        name: &Tok,
    ) -> Option<(Vec<Vec<Tok>>, Tok)> {
        let mut arguments = vec![Vec::new()];
        let mut depth = 0_usize;
        while let Some(tok) = self.next(stream) {
            let rest = parameters.variadic && arguments.len() == parameters.names.len();
            match tok.lexeme.kind {
                Kind::Punct(")") if depth == 0 => return Some((arguments, tok)),
                Kind::Punct(",") if depth == 0 && !rest => {
                    arguments.push(Vec::new());
                    continue;
                }
                Kind::Punct("(") => depth += 1,
                Kind::Punct(")") => depth -= 1,
                Kind::Punct(_)
                | Kind::Word
                | Kind::Number
                | Kind::Char
                | Kind::Text
                | Kind::Open
                | Kind::Other => {}
            }
            if let Some(last) = arguments.last_mut() {
                last.push(tok);
            }
        }
        if !self.effort.given_up && !self.stopped {
            let message = format!("the arguments of the macro `{}` do not end", found.name);
            let error = Diagnostic::error(message, 0..0).label("`)` is missing after this");
            self.report(name.shown(), error);
        }
        None
    }

    /// One argument for each parameter. Reports if there are more or fewer.
    fn matched(
        &mut self,
        mut given: Vec<Vec<Tok>>,
        found: &Macro,
        parameters: &Parameters,
        outer: Place,
    ) -> Option<Vec<Argument>> {
        let wanted = parameters.names.len();
        if wanted == 0 && given.len() == 1 && given[0].is_empty() {
            given.clear();
        }
        // As gcc has it: `f(a)` leaves out the last argument of `f(x, ...)`, and `f(a, )` does not.
        let missing = parameters.variadic && given.len() + 1 == wanted;
        let empty = parameters.variadic && wanted == 1 && given.iter().all(Vec::is_empty);
        if missing {
            given.push(Vec::new());
        }
        if given.len() != wanted {
            let least = wanted - usize::from(parameters.variadic);
            let message = format!(
                "the macro `{}` takes {}{}, but {} {} given",
                found.name,
                if parameters.variadic { "at least " } else { "" },
                counted(least),
                given.len(),
                if given.len() == 1 { "is" } else { "are" },
            );
            let mut error = Diagnostic::error(message, 0..0);
            if let Some(span) = self.files.written(found.place) {
                error = error.other(span, "defined here");
            }
            self.report(outer, error);
            return None;
        }
        let argument = |(at, raw)| {
            let role = if !parameters.variadic || at + 1 < wanted {
                Role::Named
            } else if missing || empty {
                Role::Omitted
            } else {
                Role::Variadic
            };
            Argument::new(raw, role)
        };
        Some(given.into_iter().enumerate().map(argument).collect())
    }
}

/// From a macro's name to the end of its arguments, or to what these come from.
fn hull(name: &Tok, close: &Tok) -> Place {
    let (start, end) = (name.shown(), close.shown());
    if start.file == end.file && start.start <= end.end {
        Place {
            end: end.end.max(start.end),
            ..start
        }
    } else {
        start
    }
}

fn counted(arguments: usize) -> String {
    match arguments {
        1 => "1 argument".to_owned(),
        several => format!("{several} arguments"),
    }
}

/// A number in the place of a token.
pub(super) fn number(tok: &Tok, text: &str, outer: Place) -> Tok {
    let mut tok = tok.clone();
    tok.lexeme.kind = Kind::Number;
    tok.lexeme.text = Rc::from(text);
    tok.outer = Some(outer);
    tok
}
