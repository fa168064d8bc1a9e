//! The part of a file that a finding is about, in lines and columns.

use super::super::Source;
use crate::program::{Origin, Site};

/// A part of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::report) struct Place<'a> {
    pub(in crate::report) file: &'a str,
    /// The line, from 1; 0 for the file as a whole.
    pub(in crate::report) line: u32,
    /// The columns in characters, from 1, and the last line; 0 for the whole line. The end is one past
    /// the last character.
    pub(in crate::report) column: u32,
    pub(in crate::report) end_line: u32,
    pub(in crate::report) end_column: u32,
}

impl<'a> Place<'a> {
    /// The place of an instruction.
    pub(in crate::report) fn of_site(source: &Source<'a>, site: Site) -> Self {
        Self::of(source, source.program.instruction(site).origin)
    }

    pub(super) fn of(source: &Source<'a>, origin: Origin) -> Self {
        let file = source.program.file(origin).unwrap_or(source.file);
        let span = source.text.get(origin.start as usize..origin.end as usize);
        let spanned = span.filter(|span| origin.column > 0 && !span.is_empty());
        let Some(span) = spanned else {
            return Self::line(file, origin.line);
        };
        let span = span.trim_end();
        let last = span.rsplit('\n').next().unwrap_or_default();
        let before = if span.contains('\n') {
            1
        } else {
            origin.column
        };
        Self {
            file,
            line: origin.line,
            column: origin.column,
            end_line: origin.line + span.matches('\n').count() as u32,
            end_column: before + last.chars().count() as u32,
        }
    }

    /// A whole line.
    pub(super) fn line(file: &'a str, line: u32) -> Self {
        Self {
            file,
            line,
            column: 0,
            end_line: line,
            end_column: 0,
        }
    }
}
