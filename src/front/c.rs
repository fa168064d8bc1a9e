//! C with threads: C11, POSIX threads, the kernel's macros.
//!
//!   text ──preprocess──▶ tokens ──parse, check──▶ typed program ──lower──▶ Program
//!
//! The program is that of the text, access by access: no optimisation of a compiler is modelled, but
//! each atomic operation is what compilers for x86 make of it (`lower::library`, `lower::compiled`). What
//! is outside the supported subset is an error with its place; nothing is skipped.
//!
//! Litmus tests in C have their functions read here, too (`litmus`).

mod before;
mod check;
mod generic;
mod headers;
mod lex;
mod library;
pub(crate) mod litmus;
mod parse;
mod preprocess;
mod rewrite;
mod token;

pub(crate) use rewrite::idiom_of_test;

use crate::lower::parsed::{Lowered, Stated, parsed, stated};
use crate::lower::{self, typed};
use crate::program::{Change, Copies, Origin, Program, Thread};
use crate::text::{
    Diagnostic, FindFile, FrontEnd, Idiom, Lines, ParseOptions, Parsed, Place, Positions,
    Rewritten, Span, Unprintable, Unwritable, by_cause, has_errors, nearest,
};
pub(crate) use before::without_directives;
use preprocess::{Files, Options, preprocess};
use std::collections::{BTreeMap, BTreeSet};
use token::{Token, TokenKind};

/// The front end of C.
pub(crate) struct C;

impl FrontEnd for C {
    /// Texts in C begin in no particular way.
    fn begins(&self, _: &str) -> bool {
        false
    }

    fn states_waits(&self) -> bool {
        true
    }

    fn has_preprocessor(&self) -> bool {
        true
    }

    fn idiom(&self, text: &str) -> Option<Idiom> {
        Some(rewrite::idiom_of(text))
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
            why: "no program is printed as C".to_owned(),
        }])
    }
}

/// Where places are in the user's files.
struct Written<'a> {
    files: &'a Files,
    lines: &'a Lines<'a>,
}

impl lower::Places for Written<'_> {
    fn is_written(&self, place: Place) -> bool {
        self.files.written(place).is_some()
    }

    fn before(&self, place: Place) -> &str {
        without_directives(&self.files.joined()[..self.span(place).start])
    }

    fn text(&self, place: Place) -> &str {
        &self.files.joined()[self.span(place)]
    }

    fn strengthens(&self, place: Place) -> bool {
        rewrite::strengthened(lower::Places::text(self, place)).is_some()
    }

    fn span(&self, place: Place) -> Span {
        self.files.span(place)
    }

    fn origin(&self, place: Place) -> Origin {
        self.lines.origin(&self.span(place))
    }
}

/// What parsing finds.
struct Found {
    parsed: Parsed,
    /// The positions of the text.
    spots: lower::Spots,
    /// The files that were read.
    files: Files,
}

fn parse(text: &str, options: &ParseOptions) -> Found {
    let mut diagnostics = Vec::new();
    let stated = stated(text, &mut diagnostics);
    if let Some((_, span)) = &stated.edition {
        diagnostics.push(Diagnostic::error("C has no editions", span.clone()));
    }
    let mut options = ParseOptions {
        forbid_stuck: options.forbid_stuck || stated.forbids_stuck,
        any_number: options.any_number || stated.any_number,
        ..options.clone()
    };
    for (started, _) in &stated.threads {
        options.threads.threads.push(started.clone());
    }
    if let Some((setup, _)) = &stated.setup {
        options.threads.setup.get_or_insert_with(|| setup.clone());
    }
    if let Some(message) = options.threads.conflict(options.entry.as_deref()) {
        let first = stated.threads.first().map(|(_, span)| span);
        let span = first.or(stated.setup.as_ref().map(|(_, span)| span));
        diagnostics.push(Diagnostic::error(message, span.cloned().unwrap_or(0..0)));
    }
    for (function, model, _) in &stated.models {
        let known = options.models.entry(function.clone());
        known.or_insert(*model);
    }
    let options = &options;
    let before = diagnostics.len();
    let mut read = read(text, options, &stated, &[], &mut diagnostics);
    // What is executed names a kind of mutexes: all mutexes are those that know their kinds and owners. Most programs
    // have fewer cells and steps without.
    if diagnostics
        .iter()
        .any(|one| one.message.contains(MUTEX_KIND))
    {
        diagnostics.truncate(before);
        let kinds = [(MUTEX_KINDS.to_owned(), "1".to_owned())];
        read = self::read(text, options, &stated, &kinds, &mut diagnostics);
    }
    let (programs, files) = read;
    let mut diagnostics = by_cause(diagnostics);
    check::with_all_models(&mut diagnostics);
    let (parsed, spots) = parsed(programs, stated, diagnostics);
    let parsed = Parsed {
        joined: (files.count() > 1).then(|| files.joined().to_owned()),
        files: files.parts(),
        ..parsed
    };
    Found {
        parsed,
        spots,
        files,
    }
}

/// What stands for a kind of mutexes where nothing of them is known.
const MUTEX_KIND: &str = "__fencepost_mutex_kind";

/// The macro with which mutexes know their kinds.
const MUTEX_KINDS: &str = "__FENCEPOST_MUTEX_KINDS";

/// The programs of a text with these macros in addition, and the files that it comes from.
fn read(
    text: &str,
    options: &ParseOptions,
    stated: &Stated,
    defines: &[(String, String)],
    diagnostics: &mut Vec<Diagnostic>,
) -> (Option<Lowered>, Files) {
    let (units, files) = units(text, options, defines, diagnostics);
    check_models(&units, options, stated, diagnostics);
    let programs = if has_errors(diagnostics) {
        None
    } else {
        programs(&units, &files, options, diagnostics)
    };
    (programs, files)
}

/// The tokens of all translation units with these macros in addition, and the files that they come from.
fn units(
    text: &str,
    options: &ParseOptions,
    defines: &[(String, String)],
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<Vec<Token>>, Files) {
    let name = options.name.as_deref().unwrap_or("<input>");
    let main = (name, text, options);
    let others = options.units.iter().map(|unit| {
        let own = unit.own.as_deref().unwrap_or(options);
        (unit.name.as_str(), unit.text.as_str(), own)
    });
    let mut files = Files::default();
    let mut units = Vec::new();
    for (name, text, own) in [main].into_iter().chain(others) {
        let defines = [defines, &own.defines].concat();
        let with = Options {
            defines: &defines,
            undefines: &own.undefines,
            includes: &own.includes,
            include: own.files.as_deref().map(|files| files as &dyn FindFile),
        };
        let done = preprocess(text, name, &with, files, diagnostics);
        files = done.files;
        units.push(done.tokens);
    }
    files = generic::expand(&mut units, files, diagnostics);
    let own = units.len();
    for header in WRITTEN_IN_C {
        if let Some((mut needed, place)) = needed_of(header, units.split_at(own), &files) {
            needed.extend_from_slice(defines);
            let done = preprocess::built_in(header, &needed, place, files, diagnostics);
            files = done.files;
            units.push(done.tokens);
        }
    }
    (units, files)
}

/// Warns of functions whose calls are given a meaning that does not count.
fn check_models(
    units: &[Vec<Token>],
    options: &ParseOptions,
    stated: &Stated,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for name in options.models.keys() {
        let line = stated.models.iter().find(|(stated, ..)| stated == name);
        let is_named = |token: &Token| matches!(&token.kind, TokenKind::Word(word) if word == name);
        let mut bodies = units.iter().flat_map(|tokens| parse::bodies(tokens));
        let why = if bodies.any(|body| body == name) {
            "has a body, which is what counts"
        } else if library::find(name).is_some() {
            "is a function of a library, whose meaning counts"
        } else if line.is_some() && !units.iter().flatten().any(is_named) {
            "is not in this program"
        } else {
            continue;
        };
        let span = line.map_or(0..0, |(_, _, span)| span.clone());
        let message = format!("`{name}`, of which is said what it does, {why}");
        diagnostics.push(Diagnostic::warning(message, span));
    }
}

/// The headers that have functions and objects of libraries whose meanings are written in C: on trees, strings, values of
/// threads, tasks of Linux, and those that ask something of the system, which may need some on strings; descriptors;
/// streams and the like; what Linux does later; mutexes of all kinds, which others may lock; handlers for the end of the
/// process.
const WRITTEN_IN_C: [&str; 10] = [
    "fencepost/trees.h",
    "fencepost/later.h",
    "fencepost/files.h",
    "fencepost/tasks.h",
    "fencepost/standard.h",
    "fencepost/system.h",
    "fencepost/strings.h",
    "fencepost/keys.h",
    "fencepost/mutexes.h",
    "fencepost/exits.h",
];

/// Whether a function is one of those.
fn is_written_in_c(name: &str) -> bool {
    let line = format!("#ifdef NEEDS_{name}");
    let mut texts = WRITTEN_IN_C
        .iter()
        .filter_map(|header| headers::find(header));
    generic::is_generic(name) || texts.any(|text| text.lines().any(|other| other == line))
}

/// The functions of such a header that these units call and do not define, as macros, and where the first is called.
fn needed_of(
    header: &str,
    (own, others): (&[Vec<Token>], &[Vec<Token>]),
    files: &Files,
) -> Option<(Vec<(String, String)>, Place)> {
    let text = headers::find(header)?;
    let names = text
        .lines()
        .filter_map(|line| line.strip_prefix("#ifdef NEEDS_"));
    let mut missing: BTreeMap<&str, Option<Place>> = names.map(|name| (name, None)).collect();
    let is_member = |before: Option<&Token>| {
        before.is_some_and(|token| matches!(token.kind, TokenKind::Punct("." | "->")))
    };
    for (index, unit) in own.iter().chain(others).enumerate() {
        let mut blocks = 0_usize;
        for (at, token) in unit.iter().enumerate() {
            let word = match &token.kind {
                TokenKind::Word(word) => word,
                TokenKind::Punct(punct) => {
                    blocks += usize::from(*punct == "{");
                    blocks = blocks.saturating_sub(usize::from(*punct == "}"));
                    continue;
                }
                TokenKind::Number(_) | TokenKind::Char(_) | TokenKind::String(_) => continue,
            };
            let after = unit.get(at + 1).map(|token| &token.kind);
            let is_before_bracket = matches!(after, Some(TokenKind::Punct("(")));
            let before = at.checked_sub(1).and_then(|before| unit.get(before));
            // The address of a function of a library is that of one in C that calls it.
            let called = match check::in_c(word) {
                Some(own) if !is_before_bracket && !is_member(before) => own,
                Some(_) | None => word,
            };
            let Some(place) = missing.get_mut(called) else {
                continue;
            };
            // A declaration is no call.
            let is_called = is_before_bracket && !is_member(before) && blocks > 0;
            let is_in_text = index >= own.len() || files.written(token.place).is_some();
            if is_called && is_in_text || called.starts_with("__") {
                place.get_or_insert(token.place);
            }
        }
    }
    missing.retain(|_, place| place.is_some());
    if missing.is_empty() {
        return None;
    }
    let units = own.iter().chain(others);
    for name in units.flat_map(|tokens| parse::bodies(tokens)) {
        missing.remove(name);
    }
    let mut places = missing.values().copied().flatten();
    let first = places.next()?;
    let place = [first].into_iter().chain(places);
    let place = place.min_by_key(|place| (files.written(*place).is_none(), place.start));
    let place = place.unwrap_or(first);
    let needed = missing
        .keys()
        .map(|name| (format!("NEEDS_{name}"), "1".to_owned()));
    Some((needed.collect(), place))
}

fn programs(
    units: &[Vec<Token>],
    files: &Files,
    options: &ParseOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Lowered> {
    let parts = files.parts();
    let lines = Lines::new(files.joined()).of_files(&parts);
    let name = match &options.entry {
        _ if !options.threads.threads.is_empty() => check::STARTS,
        Some(entry) => entry,
        None => registered(units).unwrap_or("main"),
    };
    let wanted = parse::Wanted {
        entry: Some(name),
        threads: options.threads.clone(),
        explain: options.explains_refusals,
        models: options.models.clone(),
        own: Some(1 + options.units.len()),
        test: None,
    };
    let unit = parse::parse(units, &wanted, diagnostics, files)?;
    let (unit, refused) = lower::words::expand(unit);
    for place in refused {
        let message =
            "the members of this union share memory, which consists of other scalars in each";
        let error = Diagnostic::error(message, files.span(place));
        diagnostics.push(error.note("use one of them only, or shift and mask one integer"));
    }
    if has_errors(diagnostics) {
        return None;
    }
    let mut functions = unit.functions.iter();
    let Some(entry) = functions.position(|function| function.name == name) else {
        let hidden = units.iter().find_map(|unit| parse::hiding(unit, name));
        diagnostics.push(match hidden {
            Some(hidden) => hidden.error(Some(name), files.span(hidden.place)),
            None => no_entry(name, &unit, |place| files.span(place)),
        });
        return None;
    };
    let positions = Written {
        files,
        lines: &lines,
    };
    let chosen = lower::Options {
        compiler: options.compiler,
        heap: options.heap,
        forbid_stuck: options.forbid_stuck,
        any_number: options.any_number,
        loads: options.loads,
        ends_with_entry: name == "main",
    };
    let lower = |apart, diagnostics: &mut Vec<Diagnostic>| {
        let entry = typed::FunctionId(entry);
        let (program, spots) =
            lower::lower(&unit, "c", entry, &positions, apart, chosen, diagnostics)?;
        Some((program.with_files(parts.clone()), spots))
    };
    let (program, _) = lower(Positions::Merged, diagnostics)?;
    let is_entry = |thread: &Thread| name == check::STARTS || thread.name() == name;
    let is_alone = |thread: &Thread| thread.copies() == Copies::One && is_entry(thread);
    if program.threads().len() == 1 && program.threads().iter().all(is_alone) {
        let span = files.span(unit.functions[entry].place);
        diagnostics.push(one_thread(name, span));
    }
    let (apart, spots) = lower(Positions::Apart, &mut Vec::new())?;
    let mut ordered =
        lower::lower_ordered(&unit, "c", typed::FunctionId(entry), &positions, chosen)?;
    ordered.program = ordered.program.with_files(parts.clone());
    Some(Lowered {
        program,
        apart,
        ordered,
        spots,
    })
}

/// What names of functions have before them that a text of the kernel registers, as with `module_init`.
const INITCALL: &str = "__fencepost_initcall_";

/// The function with which a text of the kernel begins, which has no `main`; `None` if it registers none, or several.
fn registered(units: &[Vec<Token>]) -> Option<&str> {
    let mut bodies = units.iter().flat_map(|unit| parse::bodies(unit));
    if bodies.any(|name| name == "main") {
        return None;
    }
    let names = units
        .iter()
        .flatten()
        .filter_map(|token| match &token.kind {
            TokenKind::Word(word) => word.strip_prefix(INITCALL),
            TokenKind::Number(_)
            | TokenKind::Char(_)
            | TokenKind::String(_)
            | TokenKind::Punct(_) => None,
        });
    let names: BTreeSet<&str> = names.collect();
    let mut names = names.into_iter();
    names.next().filter(|_| names.next().is_none())
}

/// A program with one thread does the same under all models.
fn one_thread(name: &str, span: Span) -> Diagnostic {
    let message = "the program has one thread, which sees its own stores at once";
    let label = match name {
        check::STARTS => "only this is executed".to_owned(),
        _ => format!("`{name}` creates none"),
    };
    Diagnostic::warning(message, span).label(label).note(
        "`--thread FUNCTION`, more than once, makes a program of threads that execute functions of a library",
    )
}

fn no_entry(name: &str, unit: &typed::Unit, span: impl Fn(Place) -> Span) -> Diagnostic {
    let names = unit.functions.iter().map(|function| function.name.as_str());
    let near = nearest(name, names);
    let mut functions = unit.functions.iter();
    let near = functions.find(|function| near == Some(function.name.as_str()));
    let message = format!("there is no function `{name}`");
    let error = match near {
        None => Diagnostic::nowhere(message),
        Some(near) => {
            let label = format!("did you mean `{}`?", near.name);
            Diagnostic::error(message, span(near.place)).label(label)
        }
    };
    error
        .note(format!(
            "the program is what `{name}` does and the threads that it creates"
        ))
        .note("`--entry FUNCTION` starts with another one; `--thread FUNCTION`, more than once, makes a program of \
               threads that execute functions of a library")
}
