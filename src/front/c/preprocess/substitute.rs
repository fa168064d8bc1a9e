//! The body of a macro with its arguments: `#`, `##` and parameters (C11 6.10.3.1 to 6.10.3.3).
//!
//! An empty argument beside `##` becomes a *placemarker*, a token with an empty text, which joins
//! with anything and is dropped at the end.
//!
//! As in gcc, `, ##__VA_ARGS__` joins nothing: the comma is dropped if the arguments are left out.

use super::Preprocessor;
use super::expand::{Stream, Tok};
use super::macros::{Dynamic, Part};
use crate::c::lex::{Kind, Lexeme, single};
use crate::text::{Diagnostic, Place};
use std::rc::Rc;

/// An argument of an invocation.
pub(super) struct Argument {
    raw: Vec<Tok>,
    role: Role,
    /// After the expansion of the macros in it; made when it is first needed.
    expanded: Option<Vec<Tok>>,
}

/// What kind of parameter an argument is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Named,
    /// The last of a variadic macro.
    Variadic,
    /// The same, and there is not even a comma for it.
    Omitted,
}

impl Argument {
    pub(super) fn new(raw: Vec<Tok>, role: Role) -> Self {
        Self {
            raw,
            role,
            expanded: None,
        }
    }
}

impl Preprocessor<'_> {
    /// The tokens of a body with these arguments.
    pub(super) fn substitute(
        &mut self,
        body: &[Part],
        arguments: &mut [Argument],
        outer: Place,
    ) -> Vec<Tok> {
        let mut out: Vec<Tok> = Vec::new();
        for (at, part) in body.iter().enumerate() {
            let is_paste = |at: Option<usize>| {
                at.and_then(|at| body.get(at))
                    .is_some_and(|part| matches!(part, Part::Paste))
            };
            let (left, right) = (is_paste(at.checked_sub(1)), is_paste(Some(at + 1)));
            let mut operand = match part {
                Part::Paste => continue,
                Part::Token(lexeme) => vec![Tok::of(lexeme.clone())],
                Part::Stringify(index, lexeme) => {
                    vec![self.stringified(&arguments[*index].raw, lexeme, outer)]
                }
                Part::Parameter(index, lexeme) => {
                    let argument = &mut arguments[*index];
                    if left && argument.role == Role::Omitted && ends_in_comma(&out) {
                        // GNU: the comma goes with the arguments.
                        if let Some(comma) = out.last_mut() {
                            comma.lexeme.text = Rc::from("");
                        }
                        continue;
                    }
                    self.argument(argument, lexeme, left || right)
                }
            };
            self.spend(operand.len(), outer);
            if self.has_given_up() {
                return Vec::new();
            }
            let variadic = matches!(part, Part::Parameter(index, _) if arguments[*index].role == Role::Variadic);
            let comma = variadic && ends_in_comma(&out);
            if left && !comma {
                let first = operand.remove(0);
                match out.pop() {
                    Some(before) => self.join(before, first, outer, &mut out),
                    None => out.push(first),
                }
            }
            out.append(&mut operand);
        }
        drop_placemarkers(out)
    }

    /// The tokens of an argument in the place of a parameter: as written beside `##`, expanded
    /// elsewhere. If there are none, a placemarker.
    fn argument(&mut self, argument: &mut Argument, parameter: &Lexeme, raw: bool) -> Vec<Tok> {
        let mut toks = if raw {
            argument.raw.clone()
        } else {
            if argument.expanded.is_none() {
                argument.expanded = Some(self.expand(Stream::of(argument.raw.clone())));
            }
            argument.expanded.clone().unwrap_or_default()
        };
        if toks.is_empty() {
            let mut placemarker = Tok::of(parameter.clone());
            placemarker.lexeme.text = Rc::from("");
            toks.push(placemarker);
        }
        toks[0].lexeme.space = parameter.space;
        toks
    }

    /// `#` and a parameter: the spelling of its argument as a string literal.
    fn stringified(&mut self, raw: &[Tok], hash: &Lexeme, outer: Place) -> Tok {
        let mut text = String::from("\"");
        for (at, tok) in raw.iter().enumerate() {
            if at > 0 && tok.lexeme.space {
                text.push(' ');
            }
            let quoted = matches!(tok.lexeme.kind, Kind::Text | Kind::Char);
            for c in tok.lexeme.text.chars() {
                if quoted && matches!(c, '"' | '\\') {
                    text.push('\\');
                }
                text.push(c);
            }
        }
        text.push('"');
        // A backslash that is no part of a literal may hide the closing quote, and a quote that is
        // not closed may come too early.
        if single(&text) != Some(Kind::Text) {
            let message = format!("{text} is not a string literal");
            let error =
                Diagnostic::error(message, 0..0).label("`#` makes it from an argument here");
            self.report(outer, error);
            text = String::from("\"\"");
        }
        self.spend(text.len() / 16, outer);
        let mut tok = Tok::of(hash.clone());
        tok.lexeme.kind = Kind::Text;
        tok.lexeme.text = Rc::from(text);
        if let Some(first) = raw.first() {
            tok.lexeme.place = first.lexeme.place;
        }
        tok
    }

    /// `##`: one token from two. Reports if the result is not a token.
    fn join(&mut self, before: Tok, after: Tok, outer: Place, out: &mut Vec<Tok>) {
        if after.lexeme.text.is_empty() {
            out.push(before);
            return;
        }
        if before.lexeme.text.is_empty() {
            let space = before.lexeme.space;
            out.push(after);
            if let Some(last) = out.last_mut() {
                last.lexeme.space = space;
            }
            return;
        }
        let text = [&*before.lexeme.text, &*after.lexeme.text].concat();
        self.spend(text.len() / 16, outer);
        let Some(kind) = single(&text) else {
            let (a, b) = (&before.lexeme.text, &after.lexeme.text);
            let message = format!("`##` makes no token from `{a}` and `{b}`");
            self.report(outer, Diagnostic::error(message, 0..0));
            out.extend([before, after]);
            return;
        };
        out.push(Tok {
            lexeme: Lexeme {
                kind,
                text: Rc::from(text),
                ..before.lexeme
            },
            outer: Some(outer),
            painted: false,
        });
    }

    /// What a macro is replaced by whose meaning depends on where it is.
    pub(super) fn dynamic(&mut self, dynamic: Dynamic, name: &Tok) -> Tok {
        let shown = name.shown();
        let (kind, text) = match dynamic {
            Dynamic::Line => {
                let (_, line) = self.files.presumed(shown);
                (Kind::Number, line.to_string())
            }
            Dynamic::File => (Kind::Text, quoted(self.files.presumed(shown).0)),
            Dynamic::BaseFile => (Kind::Text, quoted(self.files.name(self.main))),
            Dynamic::Counter => {
                self.counter += 1;
                (Kind::Number, (self.counter - 1).to_string())
            }
            Dynamic::IncludeLevel => {
                let level = self.frames.len().saturating_sub(1);
                (Kind::Number, level.to_string())
            }
        };
        let mut tok = name.clone();
        tok.lexeme.kind = kind;
        tok.lexeme.text = Rc::from(text);
        tok
    }
}

fn ends_in_comma(out: &[Tok]) -> bool {
    out.last()
        .is_some_and(|tok| tok.lexeme.is(",") && !tok.lexeme.text.is_empty())
}

/// A string literal with this text.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('\n', "\\n"))
}

/// The tokens without placemarkers; white space before one is before the next token.
fn drop_placemarkers(toks: Vec<Tok>) -> Vec<Tok> {
    let mut space = false;
    let mut kept = Vec::with_capacity(toks.len());
    for mut tok in toks {
        if tok.lexeme.text.is_empty() {
            space |= tok.lexeme.space;
        } else {
            tok.lexeme.space |= std::mem::take(&mut space);
            kept.push(tok);
        }
    }
    kept
}
