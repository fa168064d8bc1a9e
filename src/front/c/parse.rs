//! The parser: tokens to the typed program, by recursive descent in one pass.
//!
//! Whether a name is a type depends on the declarations before it, so that C is parsed and checked
//! together: each construct is handed to [`check`](super::check) when its parts are known. The one
//! thing that needs a look ahead is which functions have a body (`brackets`).
//!
//! | module | about |
//! |---|---|
//! | `brackets` | pairs of brackets, functions with a body |
//! | `declaration`, `object`, `function` | declarations, of objects, of functions with a body |
//! | `specifiers`, `structure`, `declarator` | the parts of a declaration |
//! | `initialiser` | initialisers with and without designators |
//! | `statement`, `jump`, `asm` | statements |
//! | `expression`, `postfix`, `primary`, `builtin`, `objects`, `literal` | expressions |
//! | `hidden` | unknown words beside declarations |
//! | `system` | declarations with errors; headers of the system, in preprocessed text |
//!
//! **Recovery.** An error ends the statement, declaration or member that it is in; the next one is
//! parsed as if nothing had happened. What a broken declaration should have declared is an error where it is
//! used by what the program can execute. Only unpaired brackets end everything.
//!
//! **Limits.** Nesting is bounded by [`DEEPEST`] and the operators of one expression by
//! [`MOST_OPERATORS`], so that no recursion over the result overflows a stack.

mod asm;
mod attributes;
mod bitfield;
mod brackets;
mod builtin;
pub(crate) mod cleanup;
mod declaration;
mod declarator;
mod expression;
mod function;
mod hidden;
mod initialiser;
mod jump;
mod literal;
mod object;
mod objects;
mod postfix;
mod primary;
mod specifiers;
mod statement;
mod structure;
mod system;
#[cfg(test)]
mod tests;
mod variable;

use super::check::{Checked, Checker, Lists, Located, Registers, Reported};
use super::token::{Token, TokenKind};
use crate::lower::typed::{Expr, Unit};
use crate::text::{CallModel, Diagnostic, FileId, Place, Threads};
use brackets::Brackets;
pub(crate) use hidden::hiding;
use std::collections::{BTreeMap, BTreeSet};

/// No construct is nested deeper than this.
const DEEPEST: usize = 200;

/// No expression has more operators than this.
const MOST_OPERATORS: usize = 1000;

/// What is parsed of a text.
#[derive(Default)]
pub(crate) struct Wanted<'a> {
    /// What is reached from this function; everything without one.
    pub(crate) entry: Option<&'a str>,
    /// The threads that nothing in the text creates.
    pub(crate) threads: Threads,
    /// Whether errors in what nothing executes are warnings; otherwise nothing is said of them.
    pub(crate) explain: bool,
    /// What functions without a body do.
    pub(crate) models: BTreeMap<String, CallModel>,
    /// How many of the units are the user's, if not all: functions of libraries that are written in C come after them.
    pub(crate) own: Option<usize>,
    /// Of a litmus test: what its initial state says of its variables.
    pub(crate) test: Option<&'a Registers>,
}

/// The functions that have a body in a unit.
pub(crate) fn bodies(tokens: &[Token]) -> Vec<&str> {
    match Brackets::of(tokens) {
        Ok(brackets) => brackets::functions(tokens, &brackets).bodies,
        Err(_) => Vec::new(),
    }
}

/// Parses, checks and links preprocessed translation units. `None` exactly if an error was reported.
pub(crate) fn parse(
    units: &[Vec<Token>],
    wanted: &Wanted<'_>,
    diagnostics: &mut Vec<Diagnostic>,
    located: &dyn Located,
) -> Option<Unit> {
    let mut paired = Vec::new();
    for tokens in units {
        match Brackets::of(tokens) {
            Ok(brackets) => paired.push(brackets),
            Err((message, at)) => {
                let mut check = Checker::new(diagnostics, located, &wanted.models);
                let _: Reported = check.error(message, tokens[at].place);
                return None;
            }
        }
    }
    let pairs = || units.iter().zip(&paired);
    let functions: Vec<_> = pairs()
        .map(|(tokens, brackets)| brackets::functions(tokens, brackets))
        .collect();
    let lists = lists(units);
    let before = diagnostics.len();
    let mut apart = BTreeSet::new();
    loop {
        let mut check = Checker::new(&mut *diagnostics, located, &wanted.models);
        check.test = wanted.test;
        check.own = wanted.own;
        check.lists = lists;
        check.link(&functions, &apart);
        for (unit, (tokens, brackets)) in pairs().enumerate() {
            check.begin_unit(unit);
            let mut parser = Parser {
                tokens,
                brackets: brackets.clone(),
                at: 0,
                depth: 0,
                operators: 0,
                too_deep: None,
                expressions: 0,
                declarators: Vec::new(),
                may_vary: false,
                each: false,
                length: None,
                check,
            };
            parser.unit();
            check = parser.check;
        }
        if check.link.apart == apart {
            return check.finish(wanted.entry, &wanted.threads, wanted.explain);
        }
        apart = check.link.apart;
        diagnostics.truncate(before);
    }
}

/// What these units do with arguments that have no parameters.
fn lists(units: &[Vec<Token>]) -> Lists {
    let mut lists = Lists::default();
    for token in units.iter().flatten() {
        if let TokenKind::Word(word) = &token.kind {
            lists.read |= matches!(word.as_str(), "va_arg" | "__builtin_va_arg");
            let ends = ["printf", "warn", "warnx", "err", "errx", "syslog", "printk"];
            lists.printed |= word.contains('v') && ends.iter().any(|end| word.ends_with(end));
        }
    }
    lists
}

/// The tokens, and how far they are read.
struct Parser<'a> {
    tokens: &'a [Token],
    brackets: Brackets,
    /// The next token.
    at: usize,
    depth: usize,
    /// Of the outermost expression around the next token.
    operators: usize,
    /// That a construct was refused as too deep, if one was: it is reported once.
    too_deep: Option<Reported>,
    /// How many expressions are around the next token.
    expressions: usize,
    /// The names that the present declaration of the file has declared.
    declarators: Vec<String>,
    /// Whether the initialiser of the present object is that of each of its elements.
    each: bool,
    /// Whether an array that is declared here may have a length that is no constant; and that length.
    may_vary: bool,
    length: Option<Expr>,
    check: Checker<'a>,
}

impl<'a> Parser<'a> {
    /// All declarations of the unit.
    fn unit(&mut self) {
        while self.at < self.tokens.len() {
            let start = self.at;
            if self.typedef_of_library() {
                continue;
            }
            let before = self.before();
            self.too_deep = None;
            self.declarators.clear();
            if self.external_declaration().is_err() {
                self.recover(start);
                // What was begun inside the declaration has ended with it.
                self.check.scopes.truncate(1);
                self.check.body = None;
            }
            if self.at == start {
                self.at += 1;
            }
            self.set_aside(&before);
        }
    }

    fn kind(&self) -> Option<&'a TokenKind> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    fn kind_after(&self, ahead: usize) -> Option<&'a TokenKind> {
        self.tokens.get(self.at + ahead).map(|token| &token.kind)
    }

    fn word(&self) -> Option<&'a str> {
        self.word_after(0)
    }

    fn word_after(&self, ahead: usize) -> Option<&'a str> {
        match self.kind_after(ahead) {
            Some(TokenKind::Word(word)) => Some(word),
            _ => None,
        }
    }

    fn is(&self, punct: &str) -> bool {
        self.is_after(0, punct)
    }

    fn is_after(&self, ahead: usize, punct: &str) -> bool {
        matches!(self.kind_after(ahead), Some(TokenKind::Punct(next)) if *next == punct)
    }

    fn is_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    /// Whether the next token is this one, which is then read.
    fn eat(&mut self, punct: &str) -> bool {
        let found = self.is(punct);
        self.at += usize::from(found);
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    /// The place of the next token; at the end of the text, that of the last one.
    fn place(&self) -> Place {
        let token = self.tokens.get(self.at).or(self.tokens.last());
        token.map_or(
            Place {
                file: FileId(0),
                start: 0,
                end: 0,
            },
            |token| token.place,
        )
    }

    /// The place of the token that was read last.
    fn last_place(&self) -> Place {
        let before = self.at.saturating_sub(1);
        self.tokens
            .get(before)
            .map_or_else(|| self.place(), |token| token.place)
    }

    /// From the token at this position to the one read last.
    fn since(&self, start: usize) -> Place {
        let first = self.tokens.get(start).map(|token| token.place);
        match first {
            Some(first) if start < self.at => super::check::to(first, self.last_place()),
            Some(first) => first,
            None => self.place(),
        }
    }

    /// Reads this token, which must come next.
    fn expect(&mut self, punct: &str) -> Checked<Place> {
        if self.is(punct) {
            self.at += 1;
            return Ok(self.last_place());
        }
        Err(self.unexpected(&format!("`{punct}`")))
    }

    fn unexpected(&mut self, wanted: &str) -> Reported {
        let found = match self.kind() {
            None => "the end of the file".to_owned(),
            Some(TokenKind::Word(text) | TokenKind::Number(text)) => format!("`{text}`"),
            Some(TokenKind::Char(_)) => "a character".to_owned(),
            Some(TokenKind::String(_)) => "a string".to_owned(),
            Some(TokenKind::Punct(text)) => format!("`{text}`"),
        };
        // What is missing is missing after the token before, which may be on an earlier line.
        let place = if matches!(wanted, "`;`" | "`,` or `;`") && self.at > 0 {
            self.last_place()
        } else {
            self.place()
        };
        self.check
            .error(format!("expected {wanted}, found {found}"), place)
    }

    /// Parses something nested in the present construct.
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Checked<T>) -> Checked<T> {
        if self.depth >= DEEPEST {
            if let Some(reported) = self.too_deep {
                return Err(reported);
            }
            let message = format!("this is nested more than {DEEPEST} levels deep");
            let reported = self.check.error(message, self.place());
            self.too_deep = Some(reported);
            return Err(reported);
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// Counts an operator of the expression.
    fn operator(&mut self) -> Checked<()> {
        self.operators += 1;
        if self.operators > MOST_OPERATORS {
            let message = format!("this expression has more than {MOST_OPERATORS} operators");
            let note = "compute parts of it in statements of their own";
            return Err(self.check.error_with(message, self.place(), note));
        }
        Ok(())
    }

    /// Parses an operand that is not evaluated.
    fn unevaluated<T>(&mut self, parse: impl FnOnce(&mut Self) -> Checked<T>) -> Checked<T> {
        self.check.unevaluated += 1;
        let result = parse(self);
        self.check.unevaluated -= 1;
        result
    }

    /// Parses between brackets that open here. After an error, parsing goes on after them with no
    /// result.
    fn bracketed<T>(&mut self, parse: impl FnOnce(&mut Self) -> Checked<T>) -> Checked<Option<T>> {
        let open = self.at;
        self.expect("(")?;
        let closed = self.brackets.other(open);
        let result = parse(self).and_then(|result| {
            self.expect(")")?;
            Ok(result)
        });
        match (result, closed) {
            (Ok(result), _) => Ok(Some(result)),
            (Err(_), Some(closed)) => {
                self.at = closed + 1;
                Ok(None)
            }
            (Err(reported), None) => Err(reported),
        }
    }

    /// Reads the rest of the statement or declaration that begins at this position.
    fn recover(&mut self, start: usize) {
        let mut at = start;
        while at < self.tokens.len() {
            match &self.tokens[at].kind {
                TokenKind::Punct(";") if at >= self.at => {
                    self.at = at + 1;
                    return;
                }
                TokenKind::Punct("}" | ")" | "]") => break,
                TokenKind::Punct(open @ ("{" | "(" | "[")) => {
                    let closed = self.brackets.other(at).unwrap_or(at);
                    let before = at;
                    at = closed;
                    // A block ends a statement, unless it is part of a declaration or an expression.
                    if *open == "{"
                        && closed >= self.at
                        && !self.is_a_list(before)
                        && !self.goes_on(closed + 1)
                    {
                        self.at = closed + 1;
                        return;
                    }
                }
                TokenKind::Word(_)
                | TokenKind::Number(_)
                | TokenKind::Char(_)
                | TokenKind::String(_)
                | TokenKind::Punct(_) => {}
            }
            at += 1;
        }
        self.at = at.max(self.at).min(self.tokens.len());
    }

    /// Whether the curly bracket here opens the members of a structure or the like.
    fn is_a_list(&self, at: usize) -> bool {
        (1..=2).any(|back| {
            let token = at.checked_sub(back).and_then(|at| self.tokens.get(at));
            matches!(
                token.map(|token| &token.kind),
                Some(TokenKind::Word(word)) if matches!(word.as_str(), "struct" | "union" | "enum")
            )
        })
    }

    /// Whether the token here belongs to the statement that the block before it is part of.
    fn goes_on(&self, at: usize) -> bool {
        match self.tokens.get(at).map(|token| &token.kind) {
            Some(TokenKind::Punct(punct)) => {
                matches!(*punct, "," | ";" | "=" | "." | "->" | "[" | ")")
            }
            Some(TokenKind::Word(word)) => word == "else",
            Some(TokenKind::Number(_) | TokenKind::Char(_) | TokenKind::String(_)) | None => false,
        }
    }

    /// Remembers the names that a declaration with an error may have declared.
    fn poison(&mut self, start: usize) {
        let mut at = start;
        while let Some(token) = self.tokens.get(at) {
            match &token.kind {
                TokenKind::Word(word) => {
                    // Names of the file that are known keep their meaning.
                    if !self.check.scopes[0].names.contains_key(word) {
                        self.check.poisoned.insert(word.clone());
                    }
                }
                TokenKind::Punct("{" | "=" | ";" | "}") => return,
                TokenKind::Number(_)
                | TokenKind::Char(_)
                | TokenKind::String(_)
                | TokenKind::Punct(_) => {}
            }
            at += 1;
        }
    }
}
