//! Macros and their definitions (C11 6.10.3, and gcc's named variadic parameters).

use super::Preprocessor;
use crate::c::lex::{Kind, Lexeme};
use crate::text::{Diagnostic, Place};
use std::rc::Rc;

/// A macro.
#[derive(Debug)]
pub(super) struct Macro {
    pub(super) name: Rc<str>,
    /// The number of its name, the same for all definitions of it.
    pub(super) id: u32,
    /// Its name in the definition.
    pub(super) place: Place,
    pub(super) meaning: Meaning,
    /// The body as it was written.
    written: Vec<Lexeme>,
}

/// What an invocation is replaced by.
#[derive(Debug)]
pub(super) enum Meaning {
    Object(Vec<Part>),
    Function(Parameters, Vec<Part>),
    Dynamic(Dynamic),
}

/// The parameters of a function-like macro.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Parameters {
    pub(super) names: Vec<Rc<str>>,
    /// Whether the last one takes all further arguments.
    pub(super) variadic: bool,
}

/// Macros whose replacement depends on where they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dynamic {
    Line,
    File,
    BaseFile,
    Counter,
    IncludeLevel,
}

/// A part of a macro's body.
#[derive(Debug)]
pub(super) enum Part {
    Token(Lexeme),
    /// A parameter, by its index.
    Parameter(usize, Lexeme),
    /// `#` and a parameter; the lexeme is the `#`.
    Stringify(usize, Lexeme),
    /// `##`, between two other parts.
    Paste,
}

pub(super) const DYNAMIC: [(&str, Dynamic); 5] = [
    ("__LINE__", Dynamic::Line),
    ("__FILE__", Dynamic::File),
    ("__BASE_FILE__", Dynamic::BaseFile),
    ("__COUNTER__", Dynamic::Counter),
    ("__INCLUDE_LEVEL__", Dynamic::IncludeLevel),
];

impl Macro {
    pub(super) fn dynamic(name: &str, id: u32, place: Place, dynamic: Dynamic) -> Self {
        Self {
            name: Rc::from(name),
            id,
            place,
            meaning: Meaning::Dynamic(dynamic),
            written: Vec::new(),
        }
    }

    /// Whether a second definition may follow the first (C11 6.10.3p2).
    fn agrees(&self, other: &Self) -> bool {
        let parameters = match (&self.meaning, &other.meaning) {
            (Meaning::Object(_), Meaning::Object(_)) => true,
            (Meaning::Function(a, _), Meaning::Function(b, _)) => a == b,
            (Meaning::Object(_) | Meaning::Function(..) | Meaning::Dynamic(_), _) => false,
        };
        let (a, b) = (&self.written, &other.written);
        let alike = |(at, (a, b)): (usize, (&Lexeme, &Lexeme))| {
            a.text == b.text && (at == 0 || a.space == b.space)
        };
        parameters && a.len() == b.len() && a.iter().zip(b).enumerate().all(alike)
    }
}

/// Something wrong with a definition.
struct Wrong {
    place: Place,
    message: String,
}

type Result<T> = std::result::Result<T, Wrong>;

fn wrong<T>(lexeme: &Lexeme, message: impl Into<String>) -> Result<T> {
    Err(Wrong {
        place: lexeme.place,
        message: message.into(),
    })
}

impl Preprocessor<'_> {
    /// `#define`, with the lexemes after it.
    pub(super) fn define(&mut self, directive: &Lexeme, line: &[Lexeme]) {
        let Some((name, rest)) = self.macro_name(directive, line) else {
            return;
        };
        let id = self.name_id(&name.text);
        let (meaning, written) = match meaning(rest) {
            Ok(read) => read,
            Err(Wrong { place, message }) => {
                self.report(place, Diagnostic::error(message, 0..0));
                return;
            }
        };
        let new = Macro {
            name: name.text.clone(),
            id,
            place: name.place,
            meaning,
            written,
        };
        if let Some(old) = self.macros.get(&name.text)
            && !old.agrees(&new)
        {
            let mut warning = Diagnostic::warning(
                format!("`{}` is redefined with another meaning", name.text),
                0..0,
            );
            if let Some(span) = self.files.written(old.place) {
                warning = warning.other(span, "first defined here");
            }
            self.report(name.place, warning);
        }
        self.macros.insert(name.text.clone(), Rc::new(new));
    }

    /// `#undef`, with the lexemes after it.
    pub(super) fn undefine(&mut self, directive: &Lexeme, line: &[Lexeme]) {
        if let Some((name, rest)) = self.macro_name(directive, line) {
            self.nothing_more(directive, rest);
            self.macros.remove(&name.text);
        }
    }

    /// The name that a directive is about, and what follows it. Reports if there is none.
    pub(super) fn macro_name<'l>(
        &mut self,
        directive: &Lexeme,
        line: &'l [Lexeme],
    ) -> Option<(&'l Lexeme, &'l [Lexeme])> {
        let wrong = match line.split_first() {
            None => (directive.place, "a macro's name is missing here".to_owned()),
            Some((name, rest)) if name.kind == Kind::Word => {
                if &*name.text != "defined" {
                    return Some((name, rest));
                }
                (name.place, "`defined` cannot be a macro's name".to_owned())
            }
            Some((other, _)) => {
                let message = format!("`{}` cannot be a macro's name", other.text);
                (other.place, message)
            }
        };
        self.report(wrong.0, Diagnostic::error(wrong.1, 0..0));
        None
    }
}

/// The parameters and the body after a macro's name.
fn meaning(rest: &[Lexeme]) -> Result<(Meaning, Vec<Lexeme>)> {
    match rest.split_first() {
        Some((open, rest)) if open.is("(") && !open.space => {
            let (parameters, body) = parameters(open, rest)?;
            let parts = parts(body, Some(&parameters))?;
            Ok((Meaning::Function(parameters, parts), body.to_vec()))
        }
        Some(_) | None => Ok((Meaning::Object(parts(rest, None)?), rest.to_vec())),
    }
}

/// The parameters after `(`, and what follows `)`.
fn parameters<'l>(open: &Lexeme, rest: &'l [Lexeme]) -> Result<(Parameters, &'l [Lexeme])> {
    let mut found = Parameters {
        names: Vec::new(),
        variadic: false,
    };
    let mut rest = rest.iter();
    let mut last = open;
    let mut next = || {
        let lexeme = rest.next();
        match lexeme {
            Some(lexeme) => {
                last = lexeme;
                Ok((lexeme, rest.as_slice()))
            }
            None => wrong(last, "the list of parameters does not end: `)` is missing"),
        }
    };
    loop {
        let (lexeme, after) = next()?;
        if lexeme.is(")") && found.names.is_empty() {
            return Ok((found, after));
        }
        if lexeme.is("...") {
            found.names.push(Rc::from("__VA_ARGS__"));
            found.variadic = true;
        } else if lexeme.kind == Kind::Word {
            if found.names.contains(&lexeme.text) {
                return wrong(
                    lexeme,
                    format!("two parameters are named `{}`", lexeme.text),
                );
            }
            if &*lexeme.text == "__VA_ARGS__" {
                return wrong(
                    lexeme,
                    "`__VA_ARGS__` cannot be a parameter's name: write `...`",
                );
            }
            found.names.push(lexeme.text.clone());
        } else {
            let message = format!("expected a parameter's name, found `{}`", lexeme.text);
            return wrong(lexeme, message);
        }
        let (mut lexeme, mut after) = next()?;
        if lexeme.is("...") && !found.variadic {
            found.variadic = true;
            (lexeme, after) = next()?;
        }
        if lexeme.is(")") {
            return Ok((found, after));
        }
        if found.variadic {
            return wrong(lexeme, "expected `)` after `...`");
        }
        if !lexeme.is(",") {
            let message = format!("expected `,` or `)`, found `{}`", lexeme.text);
            return wrong(lexeme, message);
        }
    }
}

/// The parts of a body; there are parameters if the macro is function-like.
fn parts(body: &[Lexeme], parameters: Option<&Parameters>) -> Result<Vec<Part>> {
    let index = |lexeme: &Lexeme| {
        let names = &parameters?.names;
        names.iter().position(|name| *name == lexeme.text)
    };
    for end in [body.first(), body.last()].into_iter().flatten() {
        if end.is("##") {
            return wrong(end, "`##` joins two tokens: there must be one on each side");
        }
    }
    let mut parts: Vec<Part> = Vec::with_capacity(body.len());
    let mut rest = body.iter();
    while let Some(lexeme) = rest.next() {
        parts.push(if lexeme.is("##") {
            // `a ## ## b` is `a ## b`.
            if matches!(parts.last(), Some(Part::Paste)) {
                continue;
            }
            Part::Paste
        } else if lexeme.is("#") && parameters.is_some() {
            let Some(index) = rest.next().and_then(index) else {
                let message = "`#` must be followed by a parameter in a function-like macro";
                return wrong(lexeme, message);
            };
            Part::Stringify(index, lexeme.clone())
        } else if let Some(index) = index(lexeme) {
            Part::Parameter(index, lexeme.clone())
        } else if &*lexeme.text == "__VA_ARGS__" {
            let message =
                "`__VA_ARGS__` is allowed only in a macro with `...` among its parameters";
            return wrong(lexeme, message);
        } else if &*lexeme.text == "__VA_OPT__" && parameters.is_some_and(|known| known.variadic) {
            return wrong(
                lexeme,
                "`__VA_OPT__` is not C11: use `, ##__VA_ARGS__` instead",
            );
        } else {
            Part::Token(lexeme.clone())
        });
    }
    Ok(parts)
}
