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
//! A text is read with the files of its modules, and with the crates that it names and whose folders are known (`files`).
//!
//! **Absent.** `async`, allocation other than `Arc::new`, `Box::new` and that of the library.

#![allow(
    clippy::wildcard_enum_match_arm,
    clippy::needless_pass_by_value,
    clippy::single_match_else,
    reason = "most code here treats some kinds of syntax or types, and refuses all others; the parser's \
              own types may get more, and what is refused comes last; values are small, and consumed where they are used"
)]

mod body;
mod counted;
mod dynamic;
mod edition;
mod entry;
mod expand;
mod files;
mod implemented;
mod imports;
mod macros;
mod names;
mod placed;
mod prelude;
mod present;
mod rewrite;
mod shapes;
mod source;

mod types;
mod unit;
mod valued;
mod written;

use crate::lower::parsed::{Lowered, parsed, stated};
use crate::lower::typed::{self, FunctionId};
use crate::lower::{self, Places, Spots};
use crate::program::{Change, Origin, Program};
use crate::text::{
    AssumedEdition, Diagnostic, Edition, Entry, FrontEnd, Idiom, Lines, ParseOptions, Parsed,
    Place, Positions, Rewritten, Span, Unprintable, Unwritable, has_errors, on_large_stack,
};
use files::{Sources, Syntax};
use macros::Macros;
use names::Names;
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

    fn idiom(&self, _: &str) -> Option<Idiom> {
        Some(Idiom::Rust)
    }

    fn entries(&self, text: &str, options: &ParseOptions) -> Option<Vec<Entry>> {
        on_large_stack(STACK, || entry::tests(text, options)).flatten()
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
        rewrite::rewrite(text, options, program, changes)
    }

    fn print(&self, _: &Program) -> Result<String, Vec<Unprintable>> {
        Err(vec![Unprintable {
            origin: Origin::default(),
            why: "no program is printed as Rust".to_owned(),
        }])
    }
}

/// Whether a condition holds on the target that programs are read for; `None` if it has no meaning.
pub(crate) fn holds_for_target(condition: &str) -> Option<bool> {
    let meta = syn::parse_str(condition).ok()?;
    names::Configuration::default().holds(&meta)
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
        wraps: options.wraps,
        edition: stated.edition.as_ref().map(|(edition, _)| *edition),
        lower: lower::Options {
            compiler: options.compiler,
            heap: options.heap,
            forbid_stuck: options.forbid_stuck || stated.forbids_stuck,
            any_number: options.any_number || stated.any_number,
            loads: options.loads,
            ends_with_entry: true,
        },
    };
    let mut assumed = None;
    let read = if has_errors(&diagnostics) {
        None
    } else {
        Sources::read(text, options, chosen.edition, true, &mut diagnostics)
    };
    let Some((sources, syntax)) = read else {
        let (parsed, spots) = parsed(None, stated, diagnostics);
        return Found { parsed, spots };
    };
    let programs = programs(&sources, &syntax, &chosen, &mut assumed, &mut diagnostics);
    drop(syntax);
    // Nothing refers to the tokens any more.
    proc_macro2::extra::invalidate_current_thread_spans();
    if let (Some((edition, span)), Some(_)) = (&assumed, &programs) {
        diagnostics.push(edition::assumed(*edition, span.clone()));
    }
    let parts = sources.parts();
    let lines = Lines::new(sources.text()).of_files(&parts);
    let (parsed, spots) = parsed(programs, stated, diagnostics);
    let parsed = Parsed {
        assumed_edition: assumed.map(|(edition, span)| AssumedEdition {
            edition,
            origin: lines.origin(&span),
        }),
        joined: sources.joined(),
        files: parts.clone(),
        ..parsed
    };
    Found { parsed, spots }
}

/// What the user chooses.
#[derive(Clone)]
struct Chosen<'c> {
    entry: Option<&'c str>,
    wraps: bool,
    /// The edition that the text states.
    edition: Option<Edition>,
    lower: lower::Options,
}

fn programs(
    sources: &Sources<'_>,
    syntax: &Syntax,
    chosen: &Chosen<'_>,
    assumed: &mut Option<(Edition, Span)>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Lowered> {
    let (unit, entry) = with_unit(sources, syntax, chosen, assumed, diagnostics)?;
    // There are no unions, so none is refused.
    let (unit, _) = lower::words::expand(unit);
    let parts = sources.parts();
    let lines = Lines::new(sources.text()).of_files(&parts);
    let places = Written {
        text: sources.text(),
        lines: &lines,
        lexemes: &syntax.lexemes,
        positions: &syntax.positions,
    };
    let name = chosen.entry.unwrap_or("rust");
    let lower = |apart, diagnostics: &mut Vec<Diagnostic>| {
        let (program, spots) = lower::lower(
            &unit,
            name,
            entry,
            &places,
            apart,
            chosen.lower,
            diagnostics,
        )?;
        Some((program.with_files(parts.clone()), spots))
    };
    let (program, _) = lower(Positions::Merged, diagnostics)?;
    let (apart, spots) = lower(Positions::Apart, &mut Vec::new())?;
    let mut ordered = lower::lower_ordered(&unit, name, entry, &places, chosen.lower)?;
    ordered.program = ordered.program.with_files(parts.clone());
    Some(Lowered {
        program,
        apart,
        ordered,
        spots,
    })
}

/// The typed program of a text.
fn with_unit(
    sources: &Sources<'_>,
    syntax: &Syntax,
    chosen: &Chosen<'_>,
    assumed: &mut Option<(Edition, Span)>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(typed::Unit, FunctionId)> {
    let mut found = Vec::new();
    let made = translated(sources, syntax, chosen, assumed, &mut found);
    syntax.positions.place(&mut found);
    diagnostics.extend(found);
    made
}

fn translated(
    sources: &Sources<'_>,
    syntax: &Syntax,
    chosen: &Chosen<'_>,
    assumed: &mut Option<(Edition, Span)>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(typed::Unit, FunctionId)> {
    let macros = Macros::of(&syntax.files, &syntax.library, &syntax.positions);
    let names = Names::of(sources, syntax, diagnostics);
    if has_errors(diagnostics) {
        return None;
    }
    let (module, entry) = match entry::entry(&names, chosen.entry) {
        Ok(entry) => entry,
        Err(error) => {
            diagnostics.push(error);
            return None;
        }
    };
    let length = syntax.length;
    let mut counted = BTreeSet::new();
    let (translator, entry) = loop {
        let options = unit::Options {
            wraps: chosen.wraps,
            forbid_stuck: chosen.lower.forbid_stuck,
            counted: counted.clone(),
        };
        let mut translator = Translator::new(&names, &macros, syntax.tokens(), length, options);
        let entry = translator.program(module, entry);
        // There are finitely many types of objects, so that this ends.
        if translator.to_count.is_empty() {
            break (translator, entry);
        }
        counted.extend(translator.to_count);
    };
    let rescoped = translator.rescoped.iter();
    // The library has an edition of its own.
    let rescoped = rescoped.filter(|span| span.start < length);
    let mut assumptions = rescoped.filter_map(|span| {
        let span = syntax.positions.span(span);
        let of = &sources.crates()[sources.files()[sources.at(span.start)].of_crate];
        of.is_assumed.then_some((of.edition, span))
    });
    *assumed = assumptions.next();
    let (mut unit, errors) = (translator.unit, translator.errors);
    placed::in_text(&mut unit, length);
    let failed = !errors.is_empty();
    diagnostics.extend(errors);
    (!failed).then_some((unit, entry))
}

/// The syntax of a text, and its tokens.
fn syntax(text: &str) -> Result<(syn::File, Vec<Lexeme>), Diagnostic> {
    let tokens: proc_macro2::TokenStream =
        text.parse().map_err(|error: proc_macro2::LexError| {
            let span = error.span().byte_range();
            let end = span.end.max(span.start + 1).min(text.len());
            Diagnostic::error("this is not a token of Rust", span.start.min(end)..end)
                .note("brackets have to be balanced, and texts closed")
        })?;
    let lexemes = source::lexemes(tokens.clone())?;
    let end = text.trim_end().len();
    let file = syn::parse2::<syn::File>(tokens).map_err(|error| syntax_error(&error, end))?;
    Ok((file, lexemes))
}

/// An error of the parser in a text that ends here.
fn syntax_error(error: &syn::Error, end: usize) -> Diagnostic {
    let span = error.span().byte_range();
    let span = if span == (0..0) { end..end } else { span };
    Diagnostic::error(error.to_string(), span)
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

    fn locked(&self) -> &'static str {
        "`Ordering::SeqCst` makes it a locked instruction"
    }
}
