//! Lines that begin with `#`.

use super::Preprocessor;
use super::expand::Stream;
use super::files::Flags;
use crate::c::lex::{Kind, Lexeme};
use crate::text::{Diagnostic, Place, nearest};
use std::rc::Rc;

/// A directive by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Directive {
    If,
    Ifdef,
    Ifndef,
    Elif,
    Elifdef,
    Elifndef,
    Else,
    Endif,
    Define,
    Undef,
    Include,
    IncludeNext,
    Line,
    Error,
    Warning,
    Pragma,
    /// `#ident`, `#sccs`: a comment in the object file.
    Ident,
}

const DIRECTIVES: [(&str, Directive); 18] = [
    ("if", Directive::If),
    ("ifdef", Directive::Ifdef),
    ("ifndef", Directive::Ifndef),
    ("elif", Directive::Elif),
    ("elifdef", Directive::Elifdef),
    ("elifndef", Directive::Elifndef),
    ("else", Directive::Else),
    ("endif", Directive::Endif),
    ("define", Directive::Define),
    ("undef", Directive::Undef),
    ("include", Directive::Include),
    ("include_next", Directive::IncludeNext),
    ("line", Directive::Line),
    ("error", Directive::Error),
    ("warning", Directive::Warning),
    ("pragma", Directive::Pragma),
    ("ident", Directive::Ident),
    ("sccs", Directive::Ident),
];

/// From the first to the last of these lexemes, which are on one line.
pub(super) fn whole(line: &[Lexeme]) -> Option<Place> {
    let (first, last) = (line.first()?, line.last()?);
    Some(Place {
        end: last.place.end,
        ..first.place
    })
}

/// The spellings of lexemes, with white space where it was.
pub(super) fn spelled<'l>(lexemes: impl IntoIterator<Item = &'l Lexeme>) -> String {
    let mut text = String::new();
    for lexeme in lexemes {
        if lexeme.space && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&lexeme.text);
    }
    text
}

impl Preprocessor<'_> {
    /// A directive: the lexemes of its line, `#` included.
    pub(super) fn directive(&mut self, line: &[Lexeme]) {
        let Some((hash, rest)) = line.split_first() else {
            return;
        };
        let Some((name, rest)) = rest.split_first() else {
            // `#` alone means nothing.
            return;
        };
        let known = DIRECTIVES.iter().find(|(known, _)| *known == &*name.text);
        let whole = whole(line).unwrap_or(hash.place);
        let kept = !self.leaves_out();
        match known.map(|(_, directive)| *directive) {
            Some(Directive::If) => self.open_if(name, rest),
            Some(Directive::Ifdef) => self.open_ifdef(name, rest, true),
            Some(Directive::Ifndef) => self.open_ifdef(name, rest, false),
            Some(Directive::Elif) => self.elif(name, rest),
            Some(Directive::Elifdef) => self.elifdef(name, rest, true),
            Some(Directive::Elifndef) => self.elifdef(name, rest, false),
            Some(Directive::Else) => self.otherwise(name, rest),
            Some(Directive::Endif) => self.endif(name, rest),
            Some(_) | None if !kept => {}
            Some(Directive::Define) => self.define(name, rest),
            Some(Directive::Undef) => self.undefine(name, rest),
            Some(Directive::Include) => self.include(name, rest, whole),
            Some(Directive::IncludeNext) => self.include_next(name, rest, whole),
            Some(Directive::Line) => self.line_directive(name, rest, whole),
            Some(Directive::Error) => {
                let message = format!("#error {}", spelled(rest));
                self.report(whole, Diagnostic::error(message.trim_end(), 0..0));
            }
            Some(Directive::Warning) => {
                let message = format!("#warning {}", spelled(rest));
                self.report(whole, Diagnostic::warning(message.trim_end(), 0..0));
            }
            Some(Directive::Pragma) => self.pragma(rest, whole),
            Some(Directive::Ident) => {}
            None if name.kind == Kind::Number => self.line_marker(name, rest, whole),
            None => self.unknown_directive(name),
        }
    }

    fn unknown_directive(&mut self, name: &Lexeme) {
        let names = DIRECTIVES.iter().map(|(known, _)| *known);
        let mut error = Diagnostic::error(format!("unknown directive `#{}`", name.text), 0..0);
        if let Some(near) = nearest(&name.text, names) {
            error = error.label(format!("did you mean `#{near}`?"));
        }
        self.report(name.place, error);
    }

    /// `#line 12 "file.c"`
    fn line_directive(&mut self, name: &Lexeme, rest: &[Lexeme], whole: Place) {
        let Some(toks) = self.expand_line(Stream::of_line(rest)) else {
            return;
        };
        let line: Vec<Lexeme> = toks.into_iter().map(|tok| tok.lexeme).collect();
        if let Some((number, rest)) = line.split_first() {
            self.line_marker(number, rest, whole);
        } else {
            let error = Diagnostic::error("a line number is missing here", 0..0);
            self.report(name.place, error);
        }
    }

    /// `# 12 "file.c" 3`, as compilers write it into preprocessed text.
    fn line_marker(&mut self, number: &Lexeme, rest: &[Lexeme], whole: Place) {
        let decimal = number.text.bytes().all(|byte| byte.is_ascii_digit());
        let line = number.text.parse::<u32>().ok();
        let Some(line) = line.filter(|&line| decimal && line <= 0x7fff_ffff) else {
            let message = format!("`{}` is not a line number", number.text);
            self.report(number.place, Diagnostic::error(message, 0..0));
            return;
        };
        let name = match rest.first() {
            None => None,
            Some(name) if name.kind == Kind::Text && name.text.starts_with('"') => {
                Some(super::literal::text(&name.text))
            }
            Some(other) => {
                let message = format!("`{}` is not a file name in quotes", other.text);
                self.report(other.place, Diagnostic::error(message, 0..0));
                return;
            }
        };
        let has = |flag: &str| rest.iter().skip(1).any(|lexeme| &*lexeme.text == flag);
        let flags = Flags {
            enters: has("1"),
            system: has("3"),
        };
        self.files.mark(whole, line, name.map(Rc::from), flags);
    }

    /// Warns of what follows the end of a directive.
    pub(super) fn nothing_more(&mut self, directive: &Lexeme, rest: &[Lexeme]) {
        let Some(place) = whole(rest) else {
            return;
        };
        let message = format!("this is ignored after `#{}`", directive.text);
        let mut warning = Diagnostic::warning(message, 0..0);
        if &*directive.text == "else" && &*rest[0].text == "if" {
            warning = warning.label("did you mean `#elif`?");
        }
        self.report(place, warning);
    }
}
