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
mod rewrite;
mod token;

use crate::program::{Change, Origin, Program};
use crate::text::{
    Compiler, Diagnostic, FrontEnd, Lines, Names, Parsed, Positions, Span, Unprintable, Unwritable,
    expectation, has_errors, sort_and_truncate,
};
use preprocess::{Files, Options, preprocess};
use std::collections::BTreeMap;
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
        rewrite::rewrite(text, program, changes)
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

impl lower::Places for InMain<'_> {
    fn is_written(&self, place: Place) -> bool {
        place.file == preprocess::MAIN
    }

    fn before(&self, place: Place) -> &str {
        &self.files.text(preprocess::MAIN)[..self.span(place).start]
    }

    fn text(&self, place: Place) -> &str {
        &self.files.text(preprocess::MAIN)[self.span(place)]
    }

    fn span(&self, place: Place) -> Span {
        let place = self.files.in_main(place);
        place.start as usize..place.end as usize
    }

    fn origin(&self, place: Place) -> Origin {
        self.lines.origin(&self.span(place))
    }
}

fn parse(text: &str) -> Parsed {
    parse_with_ends(text).0
}

/// The same, and where the statements end at whose beginnings there are positions.
fn parse_with_ends(text: &str) -> (Parsed, BTreeMap<usize, usize>) {
    let lines = Lines::new(text);
    let mut diagnostics = Vec::new();
    let comments = expectations(text);
    let mut drafts = expectation::read(&comments, &lines, &mut diagnostics);
    let (mut program, mut apart, mut ends) = (None, None, BTreeMap::new());
    if let Some(found) = programs(text, &lines, &mut diagnostics) {
        (program, apart, ends) = (Some(found.0), Some(found.1), found.2);
    }
    if let Some(program) = &program {
        let mut names = Names::new(program);
        expectation::resolve(&mut drafts, &mut names);
        diagnostics.extend(names.into_diagnostics());
    }
    sort_and_truncate(&mut diagnostics);
    if has_errors(&diagnostics) {
        (program, apart) = (None, None);
    }
    let parsed = Parsed {
        program,
        expectations: expectation::finish(drafts),
        diagnostics,
        litmus: None,
        apart,
    };
    (parsed, ends)
}

/// The program, and the same with a location for each position where a statement can be inserted.
fn programs(
    text: &str,
    lines: &Lines<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(Program, Program, BTreeMap<usize, usize>)> {
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
    let lower = |apart, diagnostics: &mut Vec<Diagnostic>| {
        let entry = hir::FunctionId(entry);
        let options = lower::Options::default();
        lower::lower(&unit, "c", entry, &positions, apart, options, diagnostics)
    };
    let (program, _) = lower(Positions::Merged, diagnostics)?;
    let (apart, ends) = lower(Positions::Apart, &mut Vec::new())?;
    Some((program, apart, ends))
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
