//! Results as pages of HTML: one file that needs nothing else, to attach to a mail or a pull request.
//!
//! A page contains everything as text: what the text report says with `-v`, the source, each execution as a
//! table, and its picture. A script adds what moves: a slider over the steps, with the current line of the
//! source, the buffers and the memory beside it; fences to remove; filters for a table of results.
//!
//! **Invariant.** No text from outside is part of the markup or of the script: it is escaped in elements,
//! and in the data of the script, which creates text only. A page loads nothing, which its content security
//! policy also says.

mod corpus;
mod execution;
mod html;
mod prose;
mod writer;

use super::Source;
use super::draw;
use super::text;
use super::view::Report;
use html::Html;
use writer::PageWriter;

pub use corpus::corpus;

/// The page of a result.
pub fn report(report: &Report<'_>) -> String {
    let source = match report {
        Report::Check(view) => view.common.source,
        Report::Robust(view) => view.common.source,
        Report::Races(view) => view.common.source,
        Report::Fences(view) => view.common.source,
        Report::Corpus(_) | Report::Unread(_) | Report::Failed(_) => return Html::new("").finish(),
    };
    let mut out = PageWriter::new();
    text::into(&mut out, report);
    out.page(&text::headline(report), &source)
}

/// The automata of a program as a page.
pub fn automata(source: &Source<'_>) -> String {
    let mut out = PageWriter::new();
    out.image(&draw::automata(source));
    out.page(source.program.name(), source)
}
