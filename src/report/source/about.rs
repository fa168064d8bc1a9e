//! What a verdict about a text is not about: compiled code, other editions of the language, some executions.

use super::super::text::counted;
use super::Source;
use crate::formats::AssumedEdition;

impl Source<'_> {
    /// What the verdict is about, in sentences after a blank: not compiled code, if the text has data
    /// races, one edition of Rust, if the text depends on it and does not state it, and not all executions,
    /// if the program lacks some.
    pub(in crate::report) fn about_text(&self) -> String {
        self.about_races() + &self.about_edition() + &self.about_left_out()
    }

    fn about_left_out(&self) -> String {
        let Some(first) = self.left_out.first() else {
            return String::new();
        };
        let more = match self.left_out.len() - 1 {
            0 => String::new(),
            more => format!(", and those of {}", counted(more as u64, "more warning")),
        };
        let (executions, line) = (&first.executions, self.line_words(first.origin));
        format!(" This leaves out executions where {executions} ({line}){more}.")
    }

    fn about_edition(&self) -> String {
        let Some(AssumedEdition { edition, origin }) = self.assumed_edition else {
            return String::new();
        };
        let line = self.line_words(origin);
        format!(
            " This is about edition {edition}, which is assumed: in other editions a value of {line} is \
             dropped elsewhere, and `--edition` chooses one."
        )
    }

    fn about_races(&self) -> String {
        let Some(first) = self.races.first() else {
            return String::new();
        };
        let more = match self.races.len() - 1 {
            0 => String::new(),
            more => format!(
                ", and {more} more such pair{}",
                if more == 1 { "" } else { "s" }
            ),
        };
        format!(
            " This is about the text, not the compiled code: {}{more}.",
            first.message()
        )
    }
}
