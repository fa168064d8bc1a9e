//! The files of all translation units, and the one text that they make up.
//!
//! The user's files follow each other in that text, the first main file at its beginning, each once.
//! What is in no file of the user's belongs to the `#include` in one. Line markers (`# 12 "file.h"`,
//! `#line`) change how lines are named, never where they are.

use crate::c::check::Located;
use crate::program::{self, Part};
use crate::text::{Diagnostic, FileId, Place, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// The first main file.
pub(crate) const MAIN: FileId = FileId(0);

/// Where the text of a file comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// The file that was given to the tool.
    Main,
    /// A file of the user's that another one includes.
    User,
    /// A header of the system.
    System,
    /// A header that is part of the tool.
    BuiltIn,
    /// The macros that are defined before the main file begins: the tool's own and those of `-D`.
    Predefined,
    CommandLine,
}

#[derive(Debug)]
struct File {
    name: Rc<str>,
    text: Rc<str>,
    source: Source,
    /// The `#include` line; `None` for the main file and for what precedes it.
    included: Option<Place>,
    /// Where each line starts.
    lines: Vec<u32>,
    /// In the order of their lines.
    marks: Vec<Mark>,
    /// Where it begins in the text of all files; `None` if it is not the user's.
    base: Option<Base>,
}

/// Where a file begins in the text of all files.
#[derive(Clone, Copy, Debug)]
struct Base {
    byte: u32,
    /// The number of its first line, from 1.
    line: u32,
}

/// A line marker.
#[derive(Debug)]
struct Mark {
    /// The first line that it names, counted in the file.
    from: u32,
    /// The number of that line.
    line: u32,
    name: Option<Rc<str>>,
    /// Whether they are in a header of the system.
    system: bool,
}

/// What a line marker says in addition to number and name.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Flags {
    /// `1`: a file begins.
    pub(super) enters: bool,
    /// `3`: what follows comes from a header of the system, perhaps through a macro.
    pub(super) system: bool,
}

/// All files.
#[derive(Default, Debug)]
pub(crate) struct Files {
    list: Vec<File>,
    /// The user's files, one after the other.
    text: String,
    /// How many lines that has.
    lines: u32,
    /// Where they begin there, by name.
    bases: BTreeMap<Rc<str>, Base>,
    /// The headers of the system that line markers name.
    system: BTreeSet<Rc<str>>,
}

impl Located for Files {
    fn span(&self, place: Place) -> Span {
        self.span(place)
    }

    fn is_system(&self, place: Place) -> bool {
        self.is_in_system_header(place)
    }
}

impl Files {
    /// Adds a file; `None` if there are too many.
    pub(super) fn add(
        &mut self,
        name: &str,
        text: Rc<str>,
        source: Source,
        included: Option<Place>,
    ) -> Option<FileId> {
        let id = FileId(u16::try_from(self.list.len()).ok()?);
        let ends = text.match_indices('\n').map(|(at, _)| at as u32 + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        let base = match source {
            Source::Main | Source::User => Some(self.base(name, &text)),
            Source::System | Source::BuiltIn | Source::Predefined | Source::CommandLine => None,
        };
        self.list.push(File {
            base,
            name: Rc::from(name),
            text,
            source,
            included,
            lines,
            marks: Vec::new(),
        });
        Some(id)
    }

    /// Where the file with this name begins in the text of all.
    fn base(&mut self, name: &str, text: &str) -> Base {
        if let Some(base) = self.bases.get(name)
            && self.text[base.byte as usize..].starts_with(text)
        {
            return *base;
        }
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
            self.lines += 1;
        }
        let base = Base {
            byte: self.text.len() as u32,
            line: self.lines + 1,
        };
        self.text.push_str(text);
        self.lines += text.matches('\n').count() as u32;
        self.bases.insert(Rc::from(name), base);
        base
    }

    /// The file that is added next.
    pub(super) fn next(&self) -> FileId {
        FileId(self.list.len() as u16)
    }

    /// The user's files, one after the other.
    pub(crate) fn joined(&self) -> &str {
        &self.text
    }

    /// How many files of the user's there are.
    pub(crate) fn count(&self) -> usize {
        self.bases.len()
    }

    /// The file of the user's that a byte of that text belongs to, and where it begins there.
    pub(crate) fn at(&self, byte: usize) -> (FileId, usize) {
        let bases = self.list.iter().zip(0..);
        let bases = bases.filter_map(|(file, id)| Some((file.base?.byte as usize, id)));
        let last = bases
            .filter(|(base, _)| *base <= byte)
            .max_by_key(|(base, id)| {
                // Of a file that is read several times, the first reading.
                (*base, std::cmp::Reverse(*id))
            });
        last.map_or((MAIN, 0), |(base, id)| (FileId(id), base))
    }

    /// Whether headers of the system were read.
    pub(super) fn has_system_headers(&self) -> bool {
        self.list.iter().any(|file| file.source == Source::System)
    }

    /// Whether a place is in a header of the system: by where it was found, or as line markers have it.
    fn is_in_system_header(&self, place: Place) -> bool {
        let file = self.file(place.file);
        if file.source == Source::System {
            return true;
        }
        let line = self.line_of(place.file, place.start);
        let before = file.marks.partition_point(|mark| mark.from <= line);
        before
            .checked_sub(1)
            .is_some_and(|index| file.marks[index].system)
    }

    /// Whether the first main file has line markers: it is the output of a preprocessor.
    pub(crate) fn is_preprocessed(&self) -> bool {
        !self.file(MAIN).marks.is_empty()
    }

    /// Which part of that text belongs to which file.
    pub(crate) fn parts(&self) -> program::Files {
        let main = self.file(MAIN);
        if self.count() == 1 && main.marks.is_empty() {
            return program::Files::default();
        }
        let mut names: BTreeMap<&str, Arc<str>> = BTreeMap::new();
        let mut parts = BTreeMap::new();
        for (index, file) in self.list.iter().enumerate() {
            let Some(base) = file.base else {
                continue;
            };
            let whole = [(1, 1, (index > 0).then_some(&*file.name))];
            let mut name = whole[0].2;
            let marked = file.marks.iter().map(|mark| {
                name = mark.name.as_deref().or(name);
                (mark.from, mark.line, name)
            });
            for (from, line, name) in whole.into_iter().chain(marked) {
                let Some(start) = file.lines.get(from as usize - 1) else {
                    continue;
                };
                let start = base.byte + start;
                let name = name.map(|name| {
                    let known = names.entry(name).or_insert_with(|| Arc::from(name));
                    known.clone()
                });
                let first = base.line + from - 1;
                parts.insert(
                    start,
                    Part {
                        start,
                        file: name,
                        line,
                        first,
                    },
                );
            }
        }
        let presumed = main.marks.first().filter(|mark| mark.from == 2);
        let presumed = presumed.and_then(|mark| mark.name.as_deref());
        program::Files::new(parts.into_values().collect(), presumed.map(Arc::from))
    }

    /// Where a place is in the text of all files; `None` if it is in no file of the user's.
    pub(crate) fn written(&self, place: Place) -> Option<Span> {
        let base = self.file(place.file).base?.byte;
        Some((base + place.start) as usize..(base + place.end) as usize)
    }

    /// The same, or where the `#include` is through which its file is read. What comes before a main
    /// file belongs to the beginning of the text.
    pub(crate) fn span(&self, mut place: Place) -> Span {
        loop {
            if let Some(span) = self.written(place) {
                return span;
            }
            match self.file(place.file).included {
                // A file is included by one that was opened before it.
                Some(included) => place = included,
                None => return 0..0,
            }
        }
    }

    /// The name of a file as diagnostics show it.
    pub(crate) fn name(&self, file: FileId) -> &str {
        &self.file(file).name
    }

    pub(crate) fn text(&self, file: FileId) -> &str {
        &self.file(file).text
    }

    pub(crate) fn source(&self, file: FileId) -> Source {
        self.file(file).source
    }

    /// All files in the order in which they were opened, the main file first.
    pub(crate) fn ids(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.list.len()).map(|index| FileId(index as u16))
    }

    fn file(&self, file: FileId) -> &File {
        &self.list[usize::from(file.0)]
    }

    /// The line in which a place begins, counted from 1 in its file.
    pub(crate) fn line(&self, place: Place) -> u32 {
        self.line_of(place.file, place.start)
    }

    fn line_of(&self, file: FileId, at: u32) -> u32 {
        let lines = &self.file(file).lines;
        lines.partition_point(|&start| start <= at) as u32
    }

    /// The file's name and the number of the line in which a place ends, as line markers change them.
    pub(crate) fn presumed(&self, place: Place) -> (&str, u32) {
        let file = self.file(place.file);
        let last = place.end.saturating_sub(1).max(place.start);
        let line = self.line_of(place.file, last);
        let before = file.marks.partition_point(|mark| mark.from <= line);
        let Some(mark) = before.checked_sub(1).map(|index| &file.marks[index]) else {
            return (&file.name, line);
        };
        let named = file.marks[..before]
            .iter()
            .rev()
            .find_map(|mark| mark.name.as_deref());
        let line = mark.line.saturating_add(line - mark.from);
        (named.unwrap_or(&file.name), line)
    }

    /// Names the lines after this place, which is in a line marker.
    pub(super) fn mark(&mut self, place: Place, line: u32, name: Option<Rc<str>>, flags: Flags) {
        if let Some(name) = name.as_ref().filter(|_| flags.enters && flags.system) {
            self.system.insert(name.clone());
        }
        let system = name.as_ref().is_some_and(|name| self.system.contains(name));
        let last = place.end.saturating_sub(1).max(place.start);
        let from = self.line_of(place.file, last) + 1;
        let marks = &mut self.list[usize::from(place.file.0)].marks;
        marks.push(Mark {
            from,
            line,
            name,
            system,
        });
    }

    /// The diagnostic with its span at a place of any file. If that is not the user's, the span is the
    /// `#include` line, and a note names file and line.
    pub(crate) fn locate(&self, place: Place, mut diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.span = self.span(place);
        let file = self.file(place.file);
        match file.source {
            Source::Main | Source::User => diagnostic,
            Source::System => {
                let (line, name) = (self.line(place), &file.name);
                diagnostic.note(format!("this is in line {line} of `{name}`"))
            }
            Source::BuiltIn => {
                let (line, name) = (self.line(place), &file.name);
                diagnostic.note(format!(
                    "this is in line {line} of the built-in header `{name}`"
                ))
            }
            Source::Predefined => diagnostic.note("this is in the predefined macros"),
            Source::CommandLine => {
                let at = self.line(place) as usize;
                let line = file.text.lines().nth(at - 1).unwrap_or_default();
                let option = line
                    .replacen("#define", "-D", 1)
                    .replacen("#undef", "-U", 1);
                diagnostic.note(format!("this is in `{option}`"))
            }
        }
    }
}
