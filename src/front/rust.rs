//! Rust with threads: tests and small modules on atomics and locks, of `std` or of `loom`.
//!
//!   text ──syn──▶ syntax ──`expand`──▶ syntax ──names, body──▶ typed program ──`lower`──▶ Program
//!
//! The program is what one test does, or `main`, and the threads that it creates. It is lowered as
//! one of C is: each atomic operation is what compilers for x86 make of it. Functions
//! and types are read where the program uses them, so what it does not use may be outside of the
//! supported subset; anything else outside is an error with its place, and nothing is skipped.
//!
//! Arithmetic that leaves its type, a failed assertion, `panic!` and `unwrap` of nothing are violations:
//! so no thread unwinds, and no lock is poisoned.
//!
//! **Absent.** Files of modules, trait objects, closures as values, `async`, allocation other than `Arc::new` and `Box::new`.

#![allow(
    clippy::wildcard_enum_match_arm,
    clippy::needless_pass_by_value,
    clippy::single_match_else,
    reason = "most code here treats some kinds of syntax or types, and refuses all others; the parser's \
              own types may get more, and what is refused comes last; values are small, and consumed where they are used"
)]

mod body;
mod counted;
mod edition;
mod expand;
mod implemented;
mod imports;
mod macros;
mod names;
mod placed;
mod prelude;
mod rewrite;
mod source;
mod types;
mod unit;
mod written;

use crate::lower::parsed::{Lowered, parsed, stated};
use crate::lower::typed::{self, FunctionId};
use crate::lower::{self, Places, Spots};
use crate::program::{Change, Origin, Program};
use crate::text::{
    AssumedEdition, Compiler, Diagnostic, Edition, FrontEnd, Lines, ParseOptions, Parsed, Place,
    Positions, Rewritten, Span, Unprintable, Unwritable, has_errors, nearest, on_large_stack,
};
use macros::Macros;
use names::{About, Named, Names, Target};
use source::Lexeme;
use std::collections::BTreeSet;
use unit::Translator;

/// The front end of Rust.
pub(crate) struct Rust;

/// The stack of the thread that parses: syn's frames are large.
const STACK: usize = 256 << 20;

impl FrontEnd for Rust {
    /// Texts in Rust begin in no particular way.
    fn begins(&self, _: &str) -> bool {
        false
    }

    fn has_functions(&self) -> bool {
        true
    }

    fn has_builds(&self) -> bool {
        true
    }

    fn states_waits(&self) -> bool {
        true
    }

    fn entries(&self, text: &str) -> Vec<String> {
        let tests = on_large_stack(STACK, || tests(text)).unwrap_or_default();
        if tests.len() > 1 { tests } else { Vec::new() }
    }

    fn parse(&self, text: &str, options: &ParseOptions) -> Parsed {
        parse(text, options).parsed
    }

    fn rewrite(
        &self,
        text: &str,
        options: &ParseOptions,
        program: &Program,
        changes: &[Change],
    ) -> Result<Rewritten, Unwritable> {
        rewrite::rewrite(text, options, program, changes).map(Rewritten::from)
    }

    fn print(&self, _: &Program) -> Result<String, Vec<Unprintable>> {
        Err(vec![Unprintable {
            origin: Origin::default(),
            why: "no program is printed as Rust".to_owned(),
        }])
    }
}

/// What parsing finds.
struct Found {
    parsed: Parsed,
    /// The positions of the text.
    spots: Spots,
}

fn parse(text: &str, options: &ParseOptions) -> Found {
    on_large_stack(STACK, || parse_here(text, options)).unwrap_or_else(|| Found {
        parsed: Parsed::failed(Diagnostic::error(
            "there is not enough memory to parse this",
            0..0,
        )),
        spots: Spots::new(),
    })
}

fn parse_here(text: &str, options: &ParseOptions) -> Found {
    let mut diagnostics = Vec::new();
    let stated = stated(text, &mut diagnostics);
    for (_, _, span) in &stated.models {
        let message = "only functions of C are said what they do";
        let error = Diagnostic::error(message, span.clone());
        diagnostics.push(error.note("give the function a body"));
    }
    let started = stated.threads.iter().map(|(_, span)| span);
    for span in started.chain(stated.setup.iter().map(|(_, span)| span)) {
        let message = "only functions of C are executed by threads that nothing creates";
        let error = Diagnostic::error(message, span.clone());
        diagnostics.push(error.note("write a test that spawns them: `#[test] fn name() { … }`"));
    }
    let chosen = Chosen {
        entry: options.entry.as_deref(),
        wraps: options.release,
        edition: edition::Stated {
            user: options.edition,
            text: stated.edition.as_ref().map(|(edition, _)| *edition),
            package: options.package_edition,
        },
        lower: lower::Options {
            compiler: options.compiler,
            heap: options.heap,
            forbid_stuck: options.forbid_stuck || stated.forbids_stuck,
            any_number: options.any_number || stated.any_number,
            loads: options.loads,
            ends_with_entry: true,
        },
    };
    let lines = Lines::new(text);
    let mut assumed = None;
    let programs = if has_errors(&diagnostics) {
        None
    } else {
        programs(text, &lines, &chosen, &mut assumed, &mut diagnostics)
    };
    if let (Some((edition, span)), Some(_)) = (&assumed, &programs) {
        diagnostics.push(edition::assumed(*edition, span.clone()));
    }
    let (parsed, spots) = parsed(programs, stated, diagnostics);
    let parsed = Parsed {
        assumed_edition: assumed.map(|(edition, span)| AssumedEdition {
            edition,
            origin: lines.origin(&span),
        }),
        ..parsed
    };
    Found { parsed, spots }
}

/// What the user chooses.
#[derive(Clone)]
struct Chosen<'c> {
    entry: Option<&'c str>,
    wraps: bool,
    edition: edition::Stated,
    lower: lower::Options,
}

fn programs(
    text: &str,
    lines: &Lines<'_>,
    chosen: &Chosen<'_>,
    assumed: &mut Option<(Edition, Span)>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Lowered> {
    let made = with_unit(text, chosen, assumed, diagnostics);
    // Nothing refers to the tokens any more.
    proc_macro2::extra::invalidate_current_thread_spans();
    let Typed {
        unit,
        entry,
        lexemes,
        positions,
    } = made?;
    // There are no unions, so none is refused.
    let (unit, _) = lower::words::expand(unit);
    let places = Written {
        text,
        lines,
        lexemes: &lexemes,
        positions: &positions,
    };
    let name = chosen.entry.unwrap_or("rust");
    let lower = |apart, diagnostics: &mut Vec<Diagnostic>| {
        lower::lower(
            &unit,
            name,
            entry,
            &places,
            apart,
            chosen.lower,
            diagnostics,
        )
    };
    let (program, _) = lower(Positions::Merged, diagnostics)?;
    let (apart, spots) = lower(Positions::Apart, &mut Vec::new())?;
    let ordered = lower::lower_ordered(&unit, name, entry, &places, chosen.lower)?;
    Some(Lowered {
        program,
        apart,
        ordered,
        spots,
    })
}

/// The typed program of a text.
struct Typed {
    unit: typed::Unit,
    entry: FunctionId,
    /// The tokens of the text.
    lexemes: Vec<Lexeme>,
    positions: expand::Positions,
}

/// The typed program of a text.
fn with_unit(
    text: &str,
    chosen: &Chosen<'_>,
    assumed: &mut Option<(Edition, Span)>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Typed> {
    let read = match Read::of(text, Some(&chosen.edition)) {
        Ok(read) => read,
        Err(error) => {
            diagnostics.push(error);
            return None;
        }
    };
    let mut found = Vec::new();
    let made = translated(&read, chosen, assumed, &mut found);
    read.positions.place(&mut found);
    diagnostics.extend(found);
    let (unit, entry) = made?;
    Some(Typed {
        unit,
        entry,
        lexemes: read.written,
        positions: read.positions,
    })
}

fn translated(
    read: &Read,
    chosen: &Chosen<'_>,
    assumed: &mut Option<(Edition, Span)>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(typed::Unit, FunctionId)> {
    let macros = Macros::of(&[&read.file, &read.library], &read.positions);
    let about = About::of(&read.written, read.edition.edition);
    let names = Names::of(&read.file, &read.library, read.length, about, diagnostics);
    if has_errors(diagnostics) {
        return None;
    }
    let (module, entry) = match entry(&names, chosen.entry) {
        Ok(entry) => entry,
        Err(error) => {
            diagnostics.push(error);
            return None;
        }
    };
    let mut counted = BTreeSet::new();
    let (translator, entry) = loop {
        let options = unit::Options {
            wraps: chosen.wraps,
            forbid_stuck: chosen.lower.forbid_stuck,
            edition: read.edition.edition,
            counted: counted.clone(),
        };
        let mut translator = Translator::new(&names, &macros, read.lexemes(), read.length, options);
        let entry = translator.program(module, entry);
        // There are finitely many types of objects, so that this ends.
        if translator.to_count.is_empty() {
            break (translator, entry);
        }
        counted.extend(translator.to_count);
    };
    if read.edition.is_assumed {
        let span = translator.rescoped.map(|span| read.positions.span(&span));
        *assumed = span.map(|span| (read.edition.edition, span));
    }
    let (mut unit, errors) = (translator.unit, translator.errors);
    placed::in_text(&mut unit, read.length);
    let failed = !errors.is_empty();
    diagnostics.extend(errors);
    (!failed).then_some((unit, entry))
}

/// The names of the tests in a text; none if it is not Rust.
fn tests(text: &str) -> Vec<String> {
    let mut tests = Vec::new();
    if let Ok(read) = Read::of(text, None) {
        let names = Names::of(
            &read.file,
            &read.library,
            read.length,
            About::default(),
            &mut Vec::new(),
        );
        tests.extend(
            names
                .tests
                .iter()
                .map(|(_, test)| test.sig.ident.to_string()),
        );
    }
    proc_macro2::extra::invalidate_current_thread_spans();
    tests
}

/// A text with its macros expanded.
struct Read {
    file: syn::File,
    /// What of the standard library is written in Rust: its positions begin where those of the file end.
    library: syn::File,
    /// The tokens of the text.
    written: Vec<Lexeme>,
    /// Those of the file, if macros make others.
    expanded: Option<Vec<Lexeme>>,
    /// How many bytes the file has.
    length: usize,
    positions: expand::Positions,
    edition: edition::Chosen,
}

impl Read {
    /// Without stated editions, none is wrong.
    fn of(text: &str, stated: Option<&edition::Stated>) -> Result<Self, Diagnostic> {
        let tokens = tokens(text)?;
        let (file, written) = syntax(text, tokens.clone())?;
        let edition = match stated {
            Some(stated) => edition::choose(&file, &written, stated)?,
            None => edition::Chosen::ASSUMED,
        };
        let mut read = Self {
            file,
            library: library(text.len()),
            written,
            expanded: None,
            length: text.len(),
            positions: expand::Positions::default(),
            edition,
        };
        if expand::has_macros(&read.written) {
            let conditions = Names::without_items(About::of(&read.written, edition.edition));
            let holds =
                |attributes: &[syn::Attribute]| conditions.holds_all(attributes).unwrap_or(false);
            if let Some(expanded) = expand::expanded(tokens, edition.edition, &holds) {
                read.file = expanded.file;
                read.expanded = Some(expanded.lexemes);
                read.length = expanded.length;
                read.library = library(expanded.length);
                read.positions = expanded.positions;
            }
        }
        Ok(read)
    }

    fn lexemes(&self) -> &[Lexeme] {
        self.expanded.as_ref().unwrap_or(&self.written)
    }
}

fn tokens(text: &str) -> Result<proc_macro2::TokenStream, Diagnostic> {
    text.parse().map_err(|error: proc_macro2::LexError| {
        let span = error.span().byte_range();
        let end = span.end.max(span.start + 1).min(text.len());
        Diagnostic::error("this is not a token of Rust", span.start.min(end)..end)
            .note("brackets have to be balanced, and texts closed")
    })
}

/// The syntax of a text, and its tokens.
fn syntax(
    text: &str,
    tokens: proc_macro2::TokenStream,
) -> Result<(syn::File, Vec<Lexeme>), Diagnostic> {
    let lexemes = source::lexemes(tokens.clone())?;
    let file = syn::parse2::<syn::File>(tokens).map_err(|error| {
        let span = error.span().byte_range();
        let span = if span == (0..0) {
            text.trim_end().len()..text.trim_end().len()
        } else {
            span
        };
        Diagnostic::error(error.to_string(), span)
    })?;
    Ok((file, lexemes))
}

/// The library, whose positions begin after those of a file of this length. A test reads it, so it has no errors.
fn library(after: usize) -> syn::File {
    let file = syn::parse_str::<syn::File>(&prelude::text(after));
    file.unwrap_or_else(|_| syn::File {
        shebang: None,
        attrs: Vec::new(),
        items: Vec::new(),
    })
}

/// The function that the program executes.
fn entry<'a>(
    names: &Names<'a>,
    wanted: Option<&str>,
) -> Result<(usize, &'a syn::ItemFn), Diagnostic> {
    let list = || {
        let tests = names
            .tests
            .iter()
            .map(|(_, test)| format!("`{}`", test.sig.ident));
        tests.collect::<Vec<_>>().join(", ")
    };
    let found = match (wanted, &names.tests[..]) {
        (Some(name), tests) => {
            let own = tests
                .iter()
                .find(|(_, test)| test.sig.ident == name)
                .copied();
            let function = || match names.resolve(0, &[name.to_owned()]) {
                Target::Item(module, Named::Fn(item)) => Some((module, item)),
                Target::Item(..) | Target::Known(_) | Target::None => None,
            };
            own.or_else(function).ok_or_else(|| {
                let error = Diagnostic::error(format!("there is no test `{name}`"), 0..0);
                let of = names
                    .tests
                    .iter()
                    .map(|(_, test)| test.sig.ident.to_string());
                let of: Vec<String> = of.collect();
                let error = match nearest(name, of.iter().map(String::as_str)) {
                    Some(near) => error.label(format!("did you mean `{near}`?")),
                    None => error,
                };
                if of.is_empty() {
                    error.note("the file has no tests; a function of it can be named, too")
                } else {
                    error.note(format!("the tests of the file are {}", list()))
                }
            })?
        }
        (None, [one]) => *one,
        (None, []) => match names.resolve(0, &["main".to_owned()]) {
            Target::Item(module, Named::Fn(item)) => (module, item),
            Target::Item(..) | Target::Known(_) | Target::None => {
                let error =
                    Diagnostic::error("there is neither a test nor a function `main`", 0..0);
                return Err(error.note(
                    "the program is what a function with `#[test]` does, and the threads that it \
                     creates",
                ));
            }
        },
        (None, several) => {
            let message = format!(
                "the file has {} tests, each a program of its own",
                several.len()
            );
            let first = source::span(&several[0].1.sig.ident);
            return Err(Diagnostic::error(message, first)
                .label("the first one")
                .note(format!("`--test NAME` selects one: {}", list())));
        }
    };
    let sig = &found.1.sig;
    let span = source::span(&sig.ident);
    if !sig.inputs.is_empty() {
        let message = format!("`{}` takes arguments, which nothing gives it", sig.ident);
        return Err(Diagnostic::error(message, span));
    }
    let panics = found
        .1
        .attrs
        .iter()
        .find(|a| a.path().is_ident("should_panic"));
    if let Some(attribute) = panics {
        let message = "a test that should panic is not supported";
        return Err(Diagnostic::error(message, source::span(attribute))
            .note("a panic is a violation: check a test that should pass"));
    }
    Ok(found)
}

/// Where places are in the text.
struct Written<'w> {
    text: &'w str,
    lines: &'w Lines<'w>,
    lexemes: &'w [Lexeme],
    positions: &'w expand::Positions,
}

impl Places for Written<'_> {
    fn span(&self, place: Place) -> Span {
        let span = place.start as usize..place.end as usize;
        self.positions.span(&span)
    }

    fn origin(&self, place: Place) -> Origin {
        self.lines.origin(&self.span(place))
    }

    fn is_written(&self, place: Place) -> bool {
        source::is_written(place) && self.positions.is_written(place)
    }

    /// Up to the end of the last token: comments may be after it.
    fn before(&self, place: Place) -> &str {
        let start = self.span(place).start;
        let count = self.lexemes.partition_point(|lexeme| lexeme.end <= start);
        let end = count
            .checked_sub(1)
            .map_or(0, |last| self.lexemes[last].end);
        self.text.get(..end).unwrap_or_default()
    }

    fn text(&self, place: Place) -> &str {
        self.text.get(self.span(place)).unwrap_or_default()
    }

    fn strengthens(&self, place: Place) -> bool {
        rewrite::strengthened(self.text(place)).is_some()
    }
}

/// What parsing with another compiler finds.
fn parse_for(text: &str, options: &ParseOptions, compiler: Compiler) -> (Parsed, Spots) {
    let found = parse(text, &options.clone().compiler(compiler));
    (found.parsed, found.spots)
}
