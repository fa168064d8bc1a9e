//! Findings as workflow commands of GitHub Actions, which it shows beside the lines of a pull request.
//!
//! ```text
//! ::error file=a.fence,line=4,col=5,endLine=4,endColumn=11,title=fencepost: SB::Not robust under TSO: …
//! ```
//!
//! **Invariant.** A finding is one line, whatever the names in the program are: `%` and line ends are
//! escaped, and in properties `:` and `,` too. No text from outside starts a line.

use super::Report;
use super::finding::{Finding, Level, findings};
use crate::visible::visible;
use std::fmt::Write as _;

/// The findings of a report, each line terminated; empty if there are none.
pub(super) fn write(report: &Report<'_>) -> String {
    findings(report).iter().map(command).collect()
}

fn command(finding: &Finding<'_>) -> String {
    let level = match finding.level {
        Level::Error => "error",
        Level::Warning | Level::Open => "warning",
        Level::Note => "notice",
    };
    let place = finding.place;
    let mut properties = String::new();
    // Standard input has no name that could be shown beside.
    if place.file != "-" && !place.file.is_empty() {
        let _ = write!(properties, "file={},", property(place.file));
        if place.line > 0 {
            let _ = write!(properties, "line={},", place.line);
        }
        // GitHub ignores columns of findings that span several lines.
        if place.column > 0 {
            let _ = write!(
                properties,
                "col={},endLine={},endColumn={},",
                place.column, place.end_line, place.end_column
            );
        }
    }
    let title = property(&format!("fencepost: {}", finding.rule.id()));
    format!(
        "::{level} {properties}title={title}::{}\n",
        data(&finding.message)
    )
}

/// The text as the message of a command.
fn data(text: &str) -> String {
    visible(text)
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The text as the value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_commands_interpret_is_escaped() {
        assert_eq!(data("100%\r\n::error::x,y"), "100%25%0D%0A::error::x,y");
        assert_eq!(property("a,b:c%2C.c"), "a%2Cb%3Ac%252C.c");
        assert_eq!(property("a\u{1b}[2J"), "a\\x1b[2J");
    }
}
