//! The files of a translation unit, and where in the main file each of their places belongs.
//!
//! A file that is included twice is two files here: its places belong to different lines of the main
//! file. Line markers (`# 12 "file.h"`, `#line`) change how lines are named, never where they are.

use crate::c::token::{FileId, Place};
use crate::text::Diagnostic;
use std::rc::Rc;

/// The main file.
pub(crate) const MAIN: FileId = FileId(0);

/// Where the text of a file comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// The file that was given to the tool.
    Main,
    /// A file of the user's that another one includes.
    User,
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
}

/// A line marker.
#[derive(Debug)]
struct Mark {
    /// The first line that it names, counted in the file.
    from: u32,
    /// The number of that line.
    line: u32,
    name: Option<Rc<str>>,
}

/// All files of a translation unit.
#[derive(Default, Debug)]
pub(crate) struct Files {
    files: Vec<File>,
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
        let id = FileId(u16::try_from(self.files.len()).ok()?);
        let ends = text.match_indices('\n').map(|(at, _)| at as u32 + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        self.files.push(File {
            name: Rc::from(name),
            text,
            source,
            included,
            lines,
            marks: Vec::new(),
        });
        Some(id)
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
        (0..self.files.len()).map(|index| FileId(index as u16))
    }

    fn file(&self, file: FileId) -> &File {
        &self.files[usize::from(file.0)]
    }

    /// The place in the main file that stands for a place: itself, or the `#include` line through
    /// which its file is read. What comes before the main file belongs to its beginning.
    pub(crate) fn in_main(&self, mut place: Place) -> Place {
        while place.file != MAIN {
            // A file is included by one that was opened before it.
            place = self.file(place.file).included.unwrap_or(Place {
                file: MAIN,
                start: 0,
                end: 0,
            });
        }
        place
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
    pub(super) fn mark(&mut self, place: Place, line: u32, name: Option<Rc<str>>) {
        let last = place.end.saturating_sub(1).max(place.start);
        let from = self.line_of(place.file, last) + 1;
        let marks = &mut self.files[usize::from(place.file.0)].marks;
        marks.push(Mark { from, line, name });
    }

    /// The diagnostic with its span at a place of any file. If that is not in the main file, the span
    /// is the `#include` line, and a note names file and line.
    pub(crate) fn locate(&self, place: Place, mut diagnostic: Diagnostic) -> Diagnostic {
        let shown = self.in_main(place);
        diagnostic.span = shown.start as usize..shown.end as usize;
        let file = self.file(place.file);
        match file.source {
            Source::Main if file.marks.is_empty() => diagnostic,
            Source::Main => {
                let (name, line) = self.presumed(place);
                diagnostic.note(format!("this is line {line} of `{name}`"))
            }
            Source::User => {
                let line = self.line(place);
                diagnostic.note(format!("this is in line {line} of `{}`", file.name))
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
                let definition = line.trim_start_matches("#define ");
                diagnostic.note(format!("this is in `-D {definition}`"))
            }
        }
    }
}
