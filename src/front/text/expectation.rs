//! The `//:` lines: the expected results of a file.
//!
//! An expectation is parsed word by word: a key, its arguments, and an optional reason after two
//! spaces. Predicates and places refer to parts of the program and are resolved once there is one.

use super::expression::{self, Token, balance, check_depth, lex, parse_expression, unescape};
use super::lines::Lines;
use super::{Diagnostic, Span, nearest};
use crate::model::Model;
use crate::program::{Aim, Expr, LocId, Observable, Origin, ThreadId};

/// A line with an expected result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// What is expected.
    pub kind: ExpectationKind,
    /// Where the line is.
    pub origin: Origin,
}

/// An expected result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExpectationKind {
    /// `about TEXT`: what the file is. Expects nothing.
    About(String),
    /// `check MODEL holds|within|violated`
    Check(Model, Outcome),
    /// `robust MODEL yes|no`
    Robust(Model, bool),
    /// `attacks MODEL feasible/candidates`
    Attacks {
        /// The memory model.
        model: Model,
        /// How many attacks are feasible.
        feasible: u32,
        /// How many candidates there are.
        candidates: u32,
    },
    /// `fence MODEL AIM COST [places…]`
    Fence {
        /// The memory model.
        model: Model,
        /// What the fences are for.
        aim: Aim,
        /// The least cost; `None` (written `none`) if fences cannot help.
        cost: Option<u32>,
        /// Where the fences are, as `thread@label`; empty if the line does not list them.
        places: Vec<(ThreadId, LocId)>,
    },
    /// `observed MODEL e yes|no`: whether some final configuration satisfies the predicate.
    Observed(Model, Expr<Observable>, bool),
    /// `error "text"`: one error message of the file contains this text.
    Error(String),
}

/// The verdict on a program's properties.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// They hold for all executions.
    Holds,
    /// They hold for all executions within the bounds.
    Within,
    /// Some execution violates one.
    Violated,
    /// There are none.
    Nothing,
}

/// An expectation with unresolved names.
pub(crate) struct Draft {
    origin: Origin,
    kind: DraftKind,
}

enum DraftKind {
    Done(ExpectationKind),
    Observed(Model, expression::Expr, bool),
    /// Without a predicate; the span is that of the answer.
    Condition(Model, bool, Span),
    Fence(Model, Aim, Option<u32>, Vec<(String, String, Span)>),
}

const KEYS: [&str; 7] = [
    "about", "check", "robust", "attacks", "fence", "observed", "error",
];

/// Parses the lines.
pub(crate) fn read(
    lines: &[(&str, Span)],
    origins: &Lines<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (text, span) in lines {
        let mut line = Line {
            text,
            start: span.start,
            at: 0,
        };
        match line.expectation() {
            Ok(kind) => {
                let trimmed = text.trim();
                let start = span.start + (text.len() - text.trim_start().len());
                drafts.push(Draft {
                    origin: origins.origin(&(start..start + trimmed.len())),
                    kind,
                });
            }
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    drafts
}

/// Resolves the names in an expectation. An implementation reports those that it cannot resolve.
pub(crate) trait Resolver {
    /// The predicate that an expression denotes.
    fn predicate(&mut self, e: &expression::Expr) -> Option<Expr<Observable>>;

    /// The predicate of an expectation that does not give one. The span is that of the answer.
    fn condition(&mut self, span: &Span) -> Option<Expr<Observable>>;

    /// The location with this name in the thread with this name.
    fn place(&mut self, thread: &str, label: &str, span: &Span) -> Option<(ThreadId, LocId)>;
}

/// The error for an observation without a predicate.
pub(crate) fn missing_predicate(answer: &Span) -> Diagnostic {
    Diagnostic::error("expected a predicate", answer.clone())
        .label("expected a predicate before this")
}

/// Resolves names; requires that there is a program.
pub(crate) fn resolve(drafts: &mut [Draft], resolver: &mut impl Resolver) {
    for draft in drafts {
        let done = match &draft.kind {
            DraftKind::Done(_) => continue,
            DraftKind::Condition(model, outcome, span) => resolver
                .condition(span)
                .map(|e| ExpectationKind::Observed(*model, e, *outcome)),
            DraftKind::Observed(model, e, outcome) => resolver
                .predicate(e)
                .map(|e| ExpectationKind::Observed(*model, e, *outcome)),
            DraftKind::Fence(model, aim, cost, places) => {
                let found: Vec<Option<(ThreadId, LocId)>> = places
                    .iter()
                    .map(|(thread, label, span)| resolver.place(thread, label, span))
                    .collect();
                let found: Option<Vec<(ThreadId, LocId)>> = found.into_iter().collect();
                found.map(|places| ExpectationKind::Fence {
                    model: *model,
                    aim: *aim,
                    cost: *cost,
                    places,
                })
            }
        };
        if let Some(done) = done {
            draft.kind = DraftKind::Done(done);
        }
    }
}

/// The expectations that could be resolved.
pub(crate) fn finish(drafts: Vec<Draft>) -> Vec<Expectation> {
    drafts
        .into_iter()
        .filter_map(|draft| match draft.kind {
            DraftKind::Done(kind) => Some(Expectation {
                kind,
                origin: draft.origin,
            }),
            DraftKind::Observed(..) | DraftKind::Condition(..) | DraftKind::Fence(..) => None,
        })
        .collect()
}

type Read<T> = Result<T, Box<Diagnostic>>;

/// A line that is being parsed.
struct Line<'t> {
    text: &'t str,
    /// The position of its first byte in the file.
    start: usize,
    at: usize,
}

impl<'t> Line<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_spaces(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// The next word; empty at the end of the line.
    fn word(&mut self) -> (&'t str, Span) {
        self.skip_spaces();
        let rest = self.rest();
        let len = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let start = self.start + self.at;
        self.at += len;
        (&rest[..len], start..start + len)
    }

    /// The next word, which must be one of the choices.
    fn one_of<T: Copy>(&mut self, what: &str, choices: &[(&str, T)]) -> Read<T> {
        let (word, span) = self.word();
        if let Some((_, value)) = choices.iter().find(|(name, _)| *name == word) {
            return Ok(*value);
        }
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let (last, first) = names.split_last().map_or(("", &[][..]), |(l, f)| (*l, f));
        let expected = format!("{} or {last}", first.join(", "));
        let message = if word.is_empty() {
            format!("expected {what}, found the end of the line")
        } else {
            format!("unknown {what} `{word}`")
        };
        Err(Box::new(
            Diagnostic::error(message, span).label(format!("expected {expected}")),
        ))
    }

    fn model(&mut self) -> Read<Model> {
        self.one_of(
            "memory model",
            &Model::ALL.map(|model| (model.name(), model)),
        )
    }

    fn yes_or_no(&mut self) -> Read<bool> {
        self.one_of("answer", &[("yes", true), ("no", false)])
    }

    /// Only a reason may follow, after two spaces.
    fn end(&mut self) -> Read<()> {
        let rest = self.rest();
        if rest.trim().is_empty() || rest.starts_with("  ") || rest.starts_with('\t') {
            return Ok(());
        }
        let (word, span) = self.word();
        Err(Box::new(
            Diagnostic::error(format!("unexpected `{word}` in an expectation"), span)
                .label("expected the end of the line")
                .note("a reason may follow after two spaces"),
        ))
    }

    fn expectation(&mut self) -> Read<DraftKind> {
        let (key, span) = self.word();
        let kind = match key {
            "about" => {
                return Ok(DraftKind::Done(ExpectationKind::About(
                    self.rest().trim().to_owned(),
                )));
            }
            "check" => DraftKind::Done(ExpectationKind::Check(
                self.model()?,
                self.one_of(
                    "verdict",
                    &[
                        ("holds", Outcome::Holds),
                        ("within", Outcome::Within),
                        ("violated", Outcome::Violated),
                        ("nothing", Outcome::Nothing),
                    ],
                )?,
            )),
            "robust" => DraftKind::Done(ExpectationKind::Robust(self.model()?, self.yes_or_no()?)),
            "attacks" => {
                let model = self.model()?;
                let (word, span) = self.word();
                let counts = word
                    .split_once('/')
                    .and_then(|(f, c)| Some((f.parse().ok()?, c.parse().ok()?)));
                let Some((feasible, candidates)) = counts else {
                    return Err(Box::new(
                        Diagnostic::error(format!("`{word}` is not a count of attacks"), span)
                            .label("expected FEASIBLE/CANDIDATES, as in `3/12`"),
                    ));
                };
                DraftKind::Done(ExpectationKind::Attacks {
                    model,
                    feasible,
                    candidates,
                })
            }
            "fence" => self.fence()?,
            "observed" => self.observed()?,
            "error" => DraftKind::Done(ExpectationKind::Error(self.quoted()?)),
            "" => {
                return Err(Box::new(
                    Diagnostic::error("empty expectation", span)
                        .label(format!("expected one of {}", KEYS.join(", "))),
                ));
            }
            _ => {
                let hint = nearest(key, KEYS.into_iter()).map_or("not a key".to_owned(), |near| {
                    format!("did you mean `{near}`?")
                });
                return Err(Box::new(
                    Diagnostic::error(format!("unknown expectation `{key}`"), span)
                        .label(hint)
                        .note(format!("the keys are {}", KEYS.join(", "))),
                ));
            }
        };
        self.end()?;
        Ok(kind)
    }

    fn fence(&mut self) -> Read<DraftKind> {
        let model = self.model()?;
        let aim = self.one_of(
            "aim",
            &[
                ("robustness", Aim::Robustness),
                ("assertions", Aim::Assertions),
            ],
        )?;
        let (word, span) = self.word();
        let cost = if word == "none" {
            None
        } else {
            Some(word.parse().map_err(|_| {
                Box::new(
                    Diagnostic::error(format!("`{word}` is not a cost"), span)
                        .label("expected a number, or `none` if fences cannot help"),
                )
            })?)
        };
        let mut places = Vec::new();
        loop {
            let before = self.at;
            let (word, span) = self.word();
            let Some((thread, label)) = word.split_once('@') else {
                self.at = before;
                break;
            };
            places.push((thread.to_owned(), label.to_owned(), span));
        }
        Ok(DraftKind::Fence(model, aim, cost, places))
    }

    fn observed(&mut self) -> Read<DraftKind> {
        let model = self.model()?;
        self.skip_spaces();
        let offset = self.start + self.at;
        let rest = self.rest();
        let lexed = lex(rest);
        let answer = lexed
            .tokens
            .iter()
            .position(|(token, _)| matches!(token, Token::Ident("yes" | "no")));
        let Some(at) = answer else {
            return Err(Box::new(
                Diagnostic::error(
                    "expected an answer after the predicate",
                    offset..offset + rest.trim_end().len(),
                )
                .label("expected `yes` or `no` after this"),
            ));
        };
        let shift = |mut d: Diagnostic| {
            d.span = d.span.start + offset..d.span.end + offset;
            Box::new(d)
        };
        let end = lexed.tokens[at].1.clone();
        let mut tokens = lexed.tokens;
        let outcome = matches!(tokens[at].0, Token::Ident("yes"));
        tokens.truncate(at);
        if let Some(stray) = lexed
            .diagnostics
            .into_iter()
            .find(|d| d.span.start < end.start)
        {
            return Err(shift(stray));
        }
        if tokens.is_empty() {
            self.at += end.end;
            let place = end.start + offset..end.end + offset;
            return Ok(DraftKind::Condition(model, outcome, place));
        }
        check_depth(&tokens).map_err(shift)?;
        let mut broken = Vec::new();
        let tokens: Vec<_> = balance(tokens, &mut broken)
            .into_iter()
            .map(|(token, span)| (token, span.start + offset..span.end + offset))
            .collect();
        if let Some(broken) = broken.into_iter().next() {
            return Err(shift(broken));
        }
        let e = parse_expression(&tokens, offset + end.start).map_err(|errors| {
            Box::new(errors.into_iter().next().unwrap_or_else(|| {
                Diagnostic::error("expected a predicate", offset..offset + end.start)
            }))
        })?;
        self.at += end.end;
        Ok(DraftKind::Observed(model, e, outcome))
    }

    fn quoted(&mut self) -> Read<String> {
        self.skip_spaces();
        let start = self.start + self.at;
        let rest = self.rest();
        let mut close = None;
        let mut escaped = false;
        for (i, c) in rest.char_indices().skip(1) {
            if c == '"' && !escaped {
                close = Some(i);
                break;
            }
            escaped = c == '\\' && !escaped;
        }
        let (true, Some(close)) = (rest.starts_with('"'), close) else {
            return Err(Box::new(
                Diagnostic::error(
                    "expected a quoted string",
                    start..start + rest.trim_end().len(),
                )
                .label("here"),
            ));
        };
        self.at += close + 1;
        unescape(&rest[1..close]).map_err(|c| {
            Box::new(
                Diagnostic::error(format!("unknown escape `\\{c}`"), start..start + close + 1)
                    .label("only \\\\, \\\" and \\n are escapes"),
            )
        })
    }
}

/// What introduces the comments that are read.
const INTRODUCTIONS: [&str; 2] = ["//:", "// fencepost:"];

/// The line that states a property: programming languages have no words for it.
pub(crate) const FORBID_STUCK: &str = "forbid stuck";

/// The word before the edition of Rust in a line that is no expectation.
pub(crate) const EDITION: &str = "edition";

/// A line that is no expectation: loops that create threads create any number of them.
pub(crate) const ANY_NUMBER: &str = "any number";

/// The word before a function without a body, and what calls of it do, in a line that is no expectation.
pub(crate) const CALL: &str = "call";

/// The word before a function that threads execute, in a line that is no expectation.
pub(crate) const THREAD: &str = "thread";

/// The word before the function that is called before such threads begin.
pub(crate) const SETUP: &str = "setup";

/// The contents of the lines that begin with `//:` or `// fencepost:`, with their places.
pub(crate) fn comments(text: &str) -> Vec<(&str, Span)> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim_start();
        let mut introductions = INTRODUCTIONS.iter();
        if let Some(introduction) = introductions.find(|it| body.starts_with(*it)) {
            let at = start + (line.len() - body.len()) + introduction.len();
            let rest = body[introduction.len()..].trim_end_matches(['\n', '\r']);
            found.push((&text[at..at + rest.len()], at..at + rest.len()));
        }
        start += line.len();
    }
    found
}
