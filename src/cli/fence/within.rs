//! The functions and files into which fences may be inserted: `--within FUNCTION|FILE`.

use crate::cli::input::Input;
use crate::program::{LocId, Site, ThreadId};
use std::collections::BTreeSet;

/// An error message, if no fence may be anywhere, or the search has no such restriction.
pub(super) fn contradiction(input: &Input, names: &[String]) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    if input.program.is_parametric() {
        return Some("`--within` does not support threads in any number of copies".to_owned());
    }
    let is_nowhere = |name: &&String| locations(input, std::slice::from_ref(*name)).is_empty();
    let unknown = names.iter().find(is_nowhere)?;
    Some(format!(
        "`--within {unknown}`: no thread executes a function of this name, or a part of such a file or macro"
    ))
}

/// The locations of the program in the text of these functions and files.
pub(super) fn locations(input: &Input, names: &[String]) -> BTreeSet<(ThreadId, LocId)> {
    let sites = input.program.sites();
    let sites = sites.filter(|&(site, _)| names.iter().any(|name| is_in(input, site, name)));
    let points = sites.map(|(site, instruction)| (site.thread, instruction.from));
    points.collect()
}

/// Whether an instruction is in the text of the function, or of the file, with this name.
fn is_in(input: &Input, site: Site, name: &str) -> bool {
    let program = &input.program;
    let file = program.file(program.instruction(site).origin);
    let file = file.unwrap_or(&input.file);
    if file == name || file.ends_with(&format!("/{name}")) {
        return true;
    }
    // A definition is not in the functions that name it.
    if let Some(of) = input.source().macro_around(site) {
        return of == name;
    }
    match program.calls(site).first() {
        Some(call) => is_named(&call.procedure, name),
        // A thread has the name of its function, perhaps with a number.
        None => is_named(without_number(program.thread(site.thread).name()), name),
    }
}

/// Whether a function, perhaps with the path of its module or type, has this name.
fn is_named(function: &str, name: &str) -> bool {
    function == name || function.ends_with(&format!("::{name}"))
}

/// `worker` of `worker.2`.
fn without_number(thread: &str) -> &str {
    match thread.rsplit_once('.') {
        Some((name, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => name,
        Some(_) | None => thread,
    }
}
