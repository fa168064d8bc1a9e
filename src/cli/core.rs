//! `--litmus`: the racing core of a run, written to a file.

use super::{Exit, output, streams};
use crate::explicit::Run;
use crate::report::{Source, core};
use std::path::Path;

/// Writes the core of a run where the user asked for it; without a run, says so.
pub(super) fn write(path: Option<&Path>, source: &Source<'_>, run: Option<&Run>) -> Exit {
    let Some(path) = path else {
        return Exit::Holds;
    };
    let Some(run) = run else {
        streams::complain("no litmus test was written: there is no run to show");
        return Exit::Holds;
    };
    let text = match core(source, run) {
        Ok(text) => text,
        Err(why) => {
            streams::complain(&format!("no litmus test was written: {why}"));
            return Exit::Usage;
        }
    };
    if path.as_os_str() == "-" {
        return streams::print(&text);
    }
    output::write(path, &text)
}
