//! C with threads: C11, POSIX threads, the kernel's macros.
//!
//!   text ──preprocess──▶ tokens ──parse, check──▶ typed program ──lower──▶ Program
//!
//! The program is that of the text, access by access: no optimisation of a compiler is modelled, but
//! each atomic operation is what compilers for x86 make of it (`lower::library`). What is outside the
//! supported subset is an error with its place; nothing is skipped.

mod check;
mod headers;
mod hir;
mod lex;
mod library;
mod lower;
mod parse;
mod preprocess;
mod token;

use crate::program::{Change, Origin, Program};
use crate::text::{
    Compiler, Diagnostic, FrontEnd, Lines, Names, Parsed, Span, Unprintable, Unwritable,
    expectation, has_errors, sort_and_truncate, unwritable,
};
use preprocess::{Files, Options, preprocess};
use token::Place;

/// The front end of C.
pub(crate) struct C;

impl FrontEnd for C {
    /// Texts in C begin in no particular way.
    fn begins(&self, _: &str) -> bool {
        false
    }

    fn parse(&self, text: &str, _: Compiler) -> Parsed {
        parse(text)
    }

    fn rewrite(
        &self,
        text: &str,
        program: &Program,
        changes: &[Change],
    ) -> Result<String, Unwritable> {
        match changes.first() {
            None => Ok(text.to_owned()),
            Some(first) => Err(unwritable(
                program,
                first,
                "C programs are not edited yet; insert the fences by hand",
            )),
        }
    }

    fn print(&self, _: &Program) -> Result<String, Vec<Unprintable>> {
        Err(vec![Unprintable {
            origin: Origin::default(),
            why: "no program is printed as C".to_owned(),
        }])
    }
}

/// Where places are in the main file.
struct InMain<'a> {
    files: &'a Files,
    lines: &'a Lines<'a>,
}

impl lower::Positions for InMain<'_> {
    fn span(&self, place: Place) -> Span {
        let place = self.files.in_main(place);
        place.start as usize..place.end as usize
    }

    fn origin(&self, place: Place) -> Origin {
        self.lines.origin(&self.span(place))
    }
}

fn parse(text: &str) -> Parsed {
    let lines = Lines::new(text);
    let mut diagnostics = Vec::new();
    let comments = expectations(text);
    let mut drafts = expectation::read(&comments, &lines, &mut diagnostics);
    let mut program = program(text, &lines, &mut diagnostics);
    if let Some(program) = &program {
        let mut names = Names::new(program);
        expectation::resolve(&mut drafts, &mut names);
        diagnostics.extend(names.into_diagnostics());
    }
    sort_and_truncate(&mut diagnostics);
    program = program.filter(|_| !has_errors(&diagnostics));
    Parsed {
        program,
        expectations: expectation::finish(drafts),
        diagnostics,
        litmus: None,
        apart: None,
    }
}

fn program(text: &str, lines: &Lines<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Program> {
    let options = Options {
        defines: Vec::new(),
        include: None,
    };
    let preprocessed = preprocess(text, "<input>", &options, diagnostics);
    if has_errors(diagnostics) {
        return None;
    }
    let files = &preprocessed.files;
    let to_span = |place: Place| {
        let place = files.in_main(place);
        place.start as usize..place.end as usize
    };
    let unit = parse::parse(&preprocessed.tokens, diagnostics, &to_span)?;
    let mut functions = unit.functions.iter();
    let Some(entry) = functions.position(|function| function.name == "main") else {
        diagnostics.push(
            Diagnostic::error("there is no function `main`", 0..0)
                .note("the program is what `main` does and the threads that it creates"),
        );
        return None;
    };
    let positions = InMain { files, lines };
    lower::lower(&unit, "c", hir::FunctionId(entry), &positions, diagnostics)
}

/// The contents of the lines that begin with `//:`, with their places.
fn expectations(text: &str) -> Vec<(&str, Span)> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim_start();
        if let Some(rest) = body.strip_prefix("//:") {
            let at = start + (line.len() - body.len()) + "//:".len();
            let rest = rest.trim_end_matches(['\n', '\r']);
            found.push((&text[at..at + rest.len()], at..at + rest.len()));
        }
        start += line.len();
    }
    found
}
