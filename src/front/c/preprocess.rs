//! Preprocessing: a main file and its headers to tokens (translation phases 2 to 6 of C11).
//!
//!   files ──lex──▶ lexemes ──directives──▶ lines that count ──expand──▶ ──finish──▶ tokens
//!
//! | module | about |
//! |---|---|
//! | `files` | names, texts and lines of the files; which `#include` line stands for a place |
//! | `directive`, `include`, `pragma` | what lines that begin with `#` do |
//! | `condition`, `constant` | which groups of `#if` are kept; the value of a constant expression |
//! | `macros`, `expand`, `substitute` | macros: definitions, invocations, bodies |
//! | `finish`, `literal` | the last two phases: escape sequences, adjacent strings, `_Pragma` |
//!
//! **Invariant.** It ends on every input: files, their sizes and depth, the tokens of an expansion and
//! the nesting of arguments are bounded, and an error reports each bound that is reached.
//!
//! **Absent.** The disk, the clock and the environment: the caller passes a function that finds
//! files. `__DATE__` and `__TIME__` are fixed. Trigraphs, `__VA_OPT__`, `#assert`.

mod condition;
mod constant;
mod directive;
mod expand;
mod files;
mod finish;
mod include;
mod literal;
mod macros;
mod pragma;
mod substitute;
#[cfg(test)]
mod tests;

pub(crate) use files::MAIN;
pub(crate) use files::{Files, Source};

use super::headers;
use super::lex::{Lexeme, lex, lex_built_in};
use super::token::Token;
use crate::text::{Diagnostic, FileId, FindFile, Place, Severity};
use condition::Condition;
use expand::{Stream, Tok};
use macros::Macro;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// How an `#include` writes the name of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Delimiters {
    /// `"file.h"`
    Quoted,
    /// `<file.h>`
    Angled,
}

/// What preprocessing depends on in addition to the main file.
pub(crate) struct Options<'a> {
    /// Macros in the order of their definition: `("N", "3")`, `("MAX(a, b)", "((a) > (b) ? (a) : (b))")`.
    pub(crate) defines: &'a [(String, String)],
    /// Macros that are not defined after these.
    pub(crate) undefines: &'a [String],
    /// Files that are included before the text.
    pub(crate) includes: &'a [String],
    /// The user's files. A quoted name is looked up here first, and one in angle brackets among the
    /// built-in headers first. `None`: there are only built-in headers.
    pub(crate) include: Option<&'a dyn FindFile>,
}

/// A translation unit after preprocessing.
#[derive(Debug)]
pub(crate) struct Preprocessed {
    pub(crate) tokens: Vec<Token>,
    pub(crate) files: Files,
}

/// Preprocesses a file, after the `files` of other translation units. What it cannot read is reported and left out; there is an error among the
/// diagnostics unless the tokens are what the text means.
pub(crate) fn preprocess(
    main: &str,
    name: &str,
    options: &Options<'_>,
    files: Files,
    diagnostics: &mut Vec<Diagnostic>,
) -> Preprocessed {
    let mut state = Preprocessor::new(main, name, options, files);
    let toks = state.run();
    let tokens = finish::finish(&toks, &mut state);
    diagnostics.append(&mut state.diagnostics);
    Preprocessed {
        tokens,
        files: state.files,
    }
}

/// Preprocesses a built-in header as a translation unit of its own, with these macros, where this place asks for it.
pub(crate) fn built_in(
    name: &str,
    defines: &[(String, String)],
    place: Place,
    files: Files,
    diagnostics: &mut Vec<Diagnostic>,
) -> Preprocessed {
    let options = Options {
        defines,
        undefines: &[],
        includes: &[],
        include: None,
    };
    let text = headers::find(name).unwrap_or_default();
    let source = (Source::BuiltIn, Some(place));
    let mut state = Preprocessor::of(text, name, &options, files, source);
    let toks = state.run();
    let tokens = finish::finish(&toks, &mut state);
    diagnostics.append(&mut state.diagnostics);
    Preprocessed {
        tokens,
        files: state.files,
    }
}

/// No more diagnostics than this are kept.
const MOST_DIAGNOSTICS: usize = 1000;

/// A file that is being read.
struct Frame {
    file: FileId,
    lexemes: Vec<Lexeme>,
    at: usize,
    /// Those that are open, outermost first.
    conditions: Vec<Condition>,
}

/// The state of preprocessing.
struct Preprocessor<'a> {
    include: Option<&'a dyn FindFile>,
    files: Files,
    /// The main file.
    main: FileId,
    /// The files that are being read, the main file first.
    frames: Vec<Frame>,
    macros: HashMap<Rc<str>, Rc<Macro>>,
    /// Numbers of macro names.
    ids: HashMap<Rc<str>, u32>,
    /// Files with `#pragma once`.
    once: HashSet<String>,
    /// Definitions saved by `#pragma push_macro`, by name.
    pushed: HashMap<String, Vec<Option<Rc<Macro>>>>,
    counter: u32,
    /// How many bytes of files were included.
    included: usize,
    active: expand::Active,
    effort: expand::Effort,
    /// Whether a bound was reached that ends preprocessing.
    stopped: bool,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Preprocessor<'a> {
    fn new(main: &str, name: &str, options: &Options<'a>, files: Files) -> Self {
        Self::of(main, name, options, files, (Source::Main, None))
    }

    fn of(
        main: &str,
        name: &str,
        options: &Options<'a>,
        files: Files,
        (source, included): (Source, Option<Place>),
    ) -> Self {
        let mut state = Self {
            include: options.include,
            main: files.next(),
            files,
            frames: Vec::new(),
            macros: HashMap::new(),
            ids: HashMap::new(),
            once: HashSet::new(),
            pushed: HashMap::new(),
            counter: 0,
            included: 0,
            active: expand::Active::default(),
            effort: expand::Effort::default(),
            stopped: false,
            diagnostics: Vec::new(),
        };
        state.open(name, &Rc::from(main), source, included);
        let undefined = options.undefines.iter().map(|name| undefinition(name));
        let command_line: String = options
            .defines
            .iter()
            .map(definition)
            .chain(undefined)
            .chain(options.includes.iter().map(|file| {
                let file = file.replace(['"', '\n'], " ");
                format!("#include \"{file}\"\n")
            }))
            .collect();
        // The last one opened is read first.
        state.open(
            "command line",
            &Rc::from(command_line),
            Source::CommandLine,
            None,
        );
        state.open(
            "predefined",
            &Rc::from(headers::PREDEFINED),
            Source::Predefined,
            None,
        );
        state.define_dynamic();
        state
    }

    fn define_dynamic(&mut self) {
        let nowhere = Place {
            file: self.frames.last().map_or(self.main, |frame| frame.file),
            start: 0,
            end: 0,
        };
        for (name, dynamic) in macros::DYNAMIC {
            let id = self.name_id(name);
            let new = Macro::dynamic(name, id, nowhere, dynamic);
            self.macros.insert(Rc::from(name), Rc::new(new));
        }
    }

    /// All tokens of the main file after the expansion of macros.
    fn run(&mut self) -> Vec<Tok> {
        let mut stream = Stream::of_files();
        let mut toks = Vec::new();
        while let Some(tok) = self.step(&mut stream) {
            toks.push(tok);
        }
        toks
    }

    /// Begins to read a file. Whether there is room for one more.
    fn open(
        &mut self,
        name: &str,
        text: &Rc<str>,
        source: Source,
        included: Option<Place>,
    ) -> bool {
        let Some(file) = self.files.add(name, text.clone(), source, included) else {
            return false;
        };
        let lexed = match source {
            Source::BuiltIn | Source::Predefined => lex_built_in(text, file),
            Source::Main | Source::User | Source::System | Source::CommandLine => lex(text, file),
        };
        if let Some(place) = lexed.open_comment {
            let error = Diagnostic::error("this comment does not end", 0..0);
            self.report(place, error.label("`*/` is missing"));
        }
        self.frames.push(Frame {
            file,
            lexemes: lexed.lexemes,
            at: 0,
            conditions: Vec::new(),
        });
        true
    }

    /// The next lexeme of the files that is in no directive and in no group left out.
    fn read(&mut self) -> Option<Tok> {
        while !self.stopped {
            let frame = self.frames.last_mut()?;
            let Some(lexeme) = frame.lexemes.get(frame.at) else {
                self.leave();
                continue;
            };
            if lexeme.first && lexeme.is("#") {
                let line = frame.take_line();
                self.directive(&line);
            } else if frame.conditions.last().is_some_and(Condition::leaves_out) {
                frame.skip_line();
            } else {
                let tok = Tok::of(lexeme.clone());
                frame.at += 1;
                return Some(tok);
            }
        }
        None
    }

    /// Whether a directive follows in the file that is being read.
    fn at_directive(&self) -> bool {
        let next = self
            .frames
            .last()
            .and_then(|frame| frame.lexemes.get(frame.at));
        next.is_some_and(|lexeme| lexeme.first && lexeme.is("#"))
    }

    /// Ends the file that is being read.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        for condition in frame.conditions {
            let error = Diagnostic::error("`#endif` is missing", 0..0);
            self.report(condition.place, error.label("for this"));
        }
    }

    /// The number of a macro's name.
    fn name_id(&mut self, name: &str) -> u32 {
        let next = self.ids.len() as u32;
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        self.ids.insert(Rc::from(name), next);
        next
    }

    /// Reports a problem at a place of any file, whatever the diagnostic's span is.
    fn report(&mut self, place: Place, diagnostic: Diagnostic) {
        // Headers of the system, and what comes after them, are not the user's to mend.
        let is_of_system = match self.files.source(place.file) {
            Source::System => true,
            Source::BuiltIn => self.files.has_system_headers(),
            Source::Main | Source::User | Source::Predefined | Source::CommandLine => false,
        };
        if is_of_system && diagnostic.severity == Severity::Warning {
            return;
        }
        if self.diagnostics.len() < MOST_DIAGNOSTICS {
            let located = self.files.locate(place, diagnostic);
            self.diagnostics.push(located);
        }
    }

    /// Reports that a bound is reached, and reads nothing more.
    fn stop(&mut self, place: Place, message: &str) {
        if !self.stopped {
            self.stopped = true;
            // This one must not be lost among others.
            self.diagnostics.truncate(MOST_DIAGNOSTICS - 1);
            self.report(place, Diagnostic::error(message, 0..0));
        }
    }
}

impl Frame {
    /// The lexemes up to the next line.
    fn take_line(&mut self) -> Vec<Lexeme> {
        let start = self.at;
        self.skip_line();
        self.lexemes[start..self.at].to_vec()
    }

    fn skip_line(&mut self) {
        let rest = &self.lexemes[self.at..];
        let further = rest.iter().skip(1).position(|lexeme| lexeme.first);
        self.at += further.map_or(rest.len(), |further| further + 1);
    }
}

/// The directive that defines a macro of the command line.
fn definition((name, value): &(String, String)) -> String {
    format!("#define {} {}\n", on_one_line(name), on_one_line(value))
}

/// The directive that ends a macro on the command line.
fn undefinition(name: &str) -> String {
    format!("#undef {}\n", on_one_line(name))
}

fn on_one_line(text: &str) -> String {
    // A backslash at its end would join the line with the next one.
    let text = text.trim_end_matches(|c: char| c == '\\' || c.is_whitespace());
    text.replace(['\n', '\r'], " ")
}
