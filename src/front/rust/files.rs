//! The files of a program in Rust, and the one text that they make up.
//!
//!   the given text ──`mod x;`──▶ files of its modules ──names of crates──▶ their first files ──`mod x;`──▶ …
//!
//! The files follow each other in that text, the given one at its beginning, and all positions are those of it: once all
//! files are known, the text is divided into tokens as a whole. A file that two modules have is there twice, since their
//! items are not the same. Modules whose conditions do not hold are not read, nor crates whose names no file mentions.
//!
//! Files are found beside the file that names them, where the compiler looks for them (`beside`). Of the given file, it is
//! not known whether it is the first one of its crate, whose modules are beside it, or that of a module, whose modules are
//! in a folder of its own name: both are tried.

mod beside;
mod reading;

use super::edition;
use super::expand::{self, Expansions, Positions, Wanted};
use super::locals::Locals;
use super::names::Configuration;
use super::prelude;
use super::source::Lexeme;
use crate::program::{self, Part};
use crate::text::{Diagnostic, Edition, ParseOptions, Reached, has_errors};
use beside::Folder;
use reading::Reading;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A file.
pub(super) struct File {
    /// As it is found, and shown.
    pub(super) name: String,
    /// Where it begins in the text of all files.
    pub(super) base: usize,
    length: usize,
    /// The number of its first line there, from 1.
    line: u32,
    /// The number of its crate.
    pub(super) of_crate: usize,
    /// The file that names it.
    parent: Option<usize>,
    /// Where files of its modules are.
    folder: Folder,
}

/// A module whose items are in another file.
pub(super) enum Outside {
    File(usize),
    /// Where it was looked for.
    Absent(String),
}

/// A crate.
pub(super) struct Crate {
    /// Its first file, if it was read.
    pub(super) root: Option<usize>,
    pub(super) edition: Edition,
    /// Whether nothing implies the edition.
    pub(super) is_assumed: bool,
    pub(super) configuration: Configuration,
    /// The crates that it can name.
    pub(super) names: BTreeMap<String, Reached>,
}

impl Crate {
    /// Whether paths in `use` begin in the first file, as in edition 2015.
    pub(super) fn is_rooted(&self) -> bool {
        self.edition == Edition::E2015
    }
}

/// The files that were read.
pub(super) struct Sources<'t> {
    text: Cow<'t, str>,
    files: Vec<File>,
    /// By where the items begin in that text.
    outside: BTreeMap<usize, Outside>,
    /// The same of modules that macros make, by where their names are, and the names.
    made: BTreeMap<(usize, String), Outside>,
    crates: Vec<Crate>,
    /// The library that is written in Rust.
    library: Crate,
}

/// The syntax of all files.
pub(super) struct Syntax {
    pub(super) files: Vec<syn::File>,
    /// That of the library which is written in Rust; its positions come after those of the files.
    pub(super) library: syn::File,
    /// What `thread_local!` defines in the files.
    pub(super) locals: Locals,
    /// The tokens of the files.
    pub(super) lexemes: Vec<Lexeme>,
    /// The same where macros stand for other tokens; `None` if none do.
    expanded: Option<Vec<Lexeme>>,
    /// The texts of files whose macros were expanded, which come after the text of all files: where they begin, and their
    /// files.
    pub(super) texts: Vec<(usize, usize)>,
    /// Where all of them end, and the library begins.
    pub(super) length: usize,
    pub(super) positions: Positions,
}

impl Syntax {
    /// The tokens that the syntax consists of.
    pub(super) fn tokens(&self) -> &[Lexeme] {
        self.expanded.as_ref().unwrap_or(&self.lexemes)
    }
}

impl<'t> Sources<'t> {
    /// Reads what a text reaches, and expands its macros if that is wanted; `None` if it has errors, which are added to the
    /// diagnostics.
    pub(super) fn read(
        text: &'t str,
        options: &ParseOptions,
        stated: Option<Edition>,
        expands: bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<(Self, Syntax)> {
        let mut reading = Reading::of(text, options);
        let mut syntax = Vec::new();
        let mut lexemes = Vec::new();
        let mut wanted = Vec::new();
        let mut is_first = true;
        loop {
            for module in std::mem::take(&mut wanted) {
                reading.made(&module, diagnostics)?;
            }
            // Each may name more files.
            while syntax.len() < reading.sources.files.len() {
                let (file, more) = reading.next(syntax.len(), diagnostics)?;
                syntax.push(file);
                lexemes.extend(more);
            }
            if has_errors(diagnostics) {
                return None;
            }
            if syntax.len() > 1 || !is_first {
                (syntax, lexemes) = reading.sources.syntax(diagnostics)?;
            }
            let sources = &mut reading.sources;
            sources.choose(&syntax, &lexemes, options, stated, diagnostics);
            let mut all = Syntax {
                files: syntax,
                library: syn::File {
                    shebang: None,
                    attrs: Vec::new(),
                    items: Vec::new(),
                },
                locals: Locals::default(),
                lexemes,
                expanded: None,
                texts: Vec::new(),
                length: sources.text.len(),
                positions: Positions::default(),
            };
            if expands {
                wanted = sources.expand(&mut all);
            }
            if wanted.is_empty() {
                all.locals = Locals::of(&all.files);
                let capacity = options.capacity.elements();
                return reading.sources.with_library(all, capacity, diagnostics);
            }
            // Once the modules that macros make are known, all is expanded again.
            is_first = false;
            (syntax, lexemes) = (all.files, all.lexemes);
        }
    }

    /// With the library that is written in Rust; `None` if there are errors.
    fn with_library(
        self,
        mut syntax: Syntax,
        capacity: u16,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<(Self, Syntax)> {
        match syn::parse_str::<syn::File>(&prelude::text(syntax.length, capacity)) {
            Ok(library) => syntax.library = library,
            Err(error) => {
                diagnostics.push(super::syntax_error(&error, 0));
                return None;
            }
        }
        (!has_errors(diagnostics)).then_some((self, syntax))
    }

    /// Expands the macros of each crate that defines some, or may use those of another one; the modules that they make and whose
    /// files were not looked for.
    fn expand(&self, syntax: &mut Syntax) -> Vec<Wanted> {
        let mut made = Vec::new();
        let mut replaced = vec![false; self.files.len()];
        let mut expansions = Expansions::default();
        for number in self.by_dependencies() {
            let of = &self.crates[number];
            let Some(first) = of.root else {
                continue;
            };
            let mut own = (0..self.files.len()).filter(|file| self.files[*file].of_crate == number);
            let defines = own.any(|file| expand::has_macros(self.lexemes(file, &syntax.lexemes)));
            if !defines && !expansions.has_exported() {
                continue;
            }
            let of = expand::Crate {
                number,
                edition: of.edition,
                names: &of.names,
                holds: &|attributes| of.configuration.holds_all(attributes).unwrap_or(false),
                first,
                outside: &|at| match self.outside.get(&at) {
                    Some(Outside::File(file)) => Some(*file),
                    Some(Outside::Absent(_)) | None => None,
                },
                made: &|at, name| match self.made.get(&(at, name.to_owned()))? {
                    Outside::File(file) => Some(Some(*file)),
                    Outside::Absent(_) => Some(None),
                },
            };
            let (start, positions) = (syntax.length, &mut syntax.positions);
            if let Some(expanded) = expansions.expanded(&of, &syntax.files, start, positions) {
                for file in expanded.files {
                    replaced[file] = true;
                    syntax.files[file].items.clear();
                }
                syntax.files[first] = expanded.file;
                syntax.texts.push((start, first));
                syntax.length = expanded.end;
                made.extend(expanded.lexemes);
            }
        }
        let wanted = expansions.wanted();
        if syntax.texts.is_empty() {
            return wanted;
        }
        let mut all = syntax.lexemes.clone();
        all.retain(|lexeme| !replaced[self.at(lexeme.start)]);
        all.extend(made);
        syntax.expanded = Some(all);
        wanted
    }

    /// The crates, each after those that it can name.
    fn by_dependencies(&self) -> Vec<usize> {
        let mut order = Vec::new();
        // Those that are left of each crate that was begun.
        let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut begun = vec![false; self.crates.len()];
        let others = |number: usize| {
            let names = self.crates[number].names.values();
            let names = names.filter_map(|reached| match reached {
                Reached::Crate(other) => Some(*other),
                Reached::Absent(_) => None,
            });
            names.collect::<Vec<usize>>()
        };
        for first in 0..self.crates.len() {
            if !std::mem::replace(&mut begun[first], true) {
                open.push((first, others(first)));
            }
            while let Some((number, left)) = open.last_mut() {
                match left.pop() {
                    Some(other) if begun[other] => {}
                    Some(other) => {
                        begun[other] = true;
                        open.push((other, others(other)));
                    }
                    None => {
                        order.push(*number);
                        open.pop();
                    }
                }
            }
        }
        order
    }

    /// The syntax of the files, with their positions in the whole text.
    fn syntax(&self, diagnostics: &mut Vec<Diagnostic>) -> Option<(Vec<syn::File>, Vec<Lexeme>)> {
        proc_macro2::extra::invalidate_current_thread_spans();
        let tokens: Option<proc_macro2::TokenStream> = self.text.parse().ok();
        let mut tokens = tokens?.into_iter().peekable();
        let mut syntax = Vec::new();
        let mut lexemes = Vec::new();
        for number in 0..self.files.len() {
            let (_, end) = self.range(number);
            let mut own = Vec::new();
            while let Some(token) = tokens.next_if(|token| token.span().byte_range().end <= end) {
                own.push(token);
            }
            let own: proc_macro2::TokenStream = own.into_iter().collect();
            let read = super::source::lexemes(own.clone()).and_then(|lexemes| {
                let file = syn::parse2::<syn::File>(own);
                let file = file.map_err(|error| super::syntax_error(&error, end))?;
                Ok((file, lexemes))
            });
            match read {
                Ok((file, more)) => {
                    syntax.push(file);
                    lexemes.extend(more);
                }
                Err(error) => {
                    diagnostics.push(error);
                    return None;
                }
            }
        }
        Some((syntax, lexemes))
    }

    /// Chooses the edition of each crate.
    fn choose(
        &mut self,
        syntax: &[syn::File],
        lexemes: &[Lexeme],
        options: &ParseOptions,
        stated: Option<Edition>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        for number in 0..self.crates.len() {
            let is_first = number == 0;
            let package = options.crates.0.get(number).and_then(|of| of.edition);
            let given = edition::Stated {
                user: options.edition.filter(|_| is_first || package.is_none()),
                text: stated.filter(|_| is_first),
                package,
            };
            let own = self.files.iter().enumerate();
            let own: Vec<usize> = own
                .filter(|(_, file)| file.of_crate == number)
                .map(|(file, _)| file)
                .collect();
            let parts = own
                .iter()
                .map(|&file| (&syntax[file], self.lexemes(file, lexemes)));
            match edition::choose(parts, &given) {
                Ok(chosen) => {
                    let of = &mut self.crates[number];
                    of.edition = chosen.edition;
                    of.is_assumed = chosen.is_assumed;
                }
                Err(error) => diagnostics.push(error),
            }
        }
    }

    /// The tokens of a file.
    fn lexemes<'l>(&self, file: usize, all: &'l [Lexeme]) -> &'l [Lexeme] {
        let (start, end) = self.range(file);
        let from = all.partition_point(|lexeme| lexeme.start < start);
        let to = all.partition_point(|lexeme| lexeme.end <= end);
        all.get(from..to).unwrap_or_default()
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn files(&self) -> &[File] {
        &self.files
    }

    pub(super) fn crates(&self) -> &[Crate] {
        &self.crates
    }

    /// The library that is written in Rust.
    pub(super) fn library(&self) -> &Crate {
        &self.library
    }

    /// Where a file is in the text.
    pub(super) fn range(&self, file: usize) -> (usize, usize) {
        let file = &self.files[file];
        (file.base, file.base + file.length)
    }

    /// The file of a module whose item begins here, and whose name is there.
    pub(super) fn outside(&self, at: usize, name: (usize, String)) -> Option<&Outside> {
        self.outside.get(&at).or_else(|| self.made.get(&name))
    }

    /// The text of all files, if there are several.
    pub(super) fn joined(&self) -> Option<String> {
        (self.files.len() > 1).then(|| self.text.to_string())
    }

    /// Which part of the text belongs to which file.
    pub(super) fn parts(&self) -> program::Files {
        if self.files.len() == 1 {
            return program::Files::default();
        }
        let parts = self.files.iter().enumerate().map(|(number, file)| Part {
            start: file.base as u32,
            file: (number > 0).then(|| Arc::from(file.name.as_str())),
            line: 1,
            first: file.line,
        });
        program::Files::new(parts.collect(), None)
    }

    /// The file that a position belongs to.
    pub(super) fn at(&self, position: usize) -> usize {
        let after = self.files.partition_point(|file| file.base <= position);
        after.saturating_sub(1)
    }

    /// The text of a file.
    pub(super) fn text_of(&self, file: usize) -> &str {
        let (start, end) = self.range(file);
        &self.text[start..end]
    }

    /// Whether several modules have this file.
    pub(super) fn is_shared(&self, file: usize) -> bool {
        let name = &self.files[file].name;
        let mut same = self.files.iter().filter(|other| other.name == *name);
        file > 0 && same.nth(1).is_some()
    }
}
