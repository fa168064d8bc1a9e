//! Standard output and standard error: width, colour and escaping.

use super::exit::Exit;
use super::{Color, Global};
use crate::report::{Detail, Style};
use crate::visible::visible;
use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::io::{self, ErrorKind, IsTerminal as _, Write as _};
use std::{env, panic};

/// The width if the output is not a terminal.
const DEFAULT_WIDTH: usize = 100;

/// The minimum width that tables need; narrower terminals wrap them.
const NARROWEST: usize = 40;

/// The width if nothing is to be wrapped: with `--quiet`, each result is a line.
const UNLIMITED: usize = 1 << 20;

/// Whether standard output is a terminal.
pub(super) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// The layout of reports on standard output.
pub(super) fn style(global: &Global) -> Style {
    let terminal = is_terminal();
    let width = terminal
        .then(terminal_size::terminal_size)
        .flatten()
        .map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0));
    Style {
        width: if global.quiet {
            UNLIMITED
        } else {
            width.max(NARROWEST)
        },
        color: use_color(global, terminal),
        detail: match (global.quiet, global.verbose) {
            (true, _) => Detail::Verdict,
            (false, false) => Detail::Evidence,
            (false, true) => Detail::Everything,
        },
    }
}

/// Whether diagnostics on standard error may be coloured.
pub(super) fn color_on_stderr(global: &Global) -> bool {
    use_color(global, io::stderr().is_terminal())
}

fn use_color(global: &Global, terminal: bool) -> bool {
    match global.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
            terminal && !unwanted && !dumb
        }
    }
}

/// Escapes a text, which may contain anything from input files, and writes it to standard output as
/// [`print()`] does.
pub(super) fn show(text: &str) -> Exit {
    print(&visible(text))
}

/// Writes to standard output, byte for byte. A closed pipe is not an error; any other failure is
/// reported, and returned as an exit code.
pub(super) fn print(text: &str) -> Exit {
    let mut stdout = io::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Ok(()) => Exit::Holds,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Exit::Holds,
        Err(error) => {
            print_message(&format!("cannot write to standard output: {error}"));
            Exit::Usage
        }
    }
}

/// Writes an escaped line to standard error, prefixed by the program's name. Ignores write errors.
pub(super) fn print_message(message: &str) {
    let _ = writeln!(io::stderr(), "fencepost: {}", visible(message));
}

/// Reports a defect of Fencepost itself.
pub(super) fn report_defect(defect: &dyn fmt::Display) {
    print_message(&format!(
        "internal error: {defect}. No verdict. Please report this with the input."
    ));
}

/// Writes text that was escaped before to standard error, unchanged.
pub(super) fn diagnose(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

thread_local! {
    /// The source location of this thread's last panic.
    static PANICKED_AT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps panics from being printed. A panic in a solver is caught where the solver is used, and the
/// query is repeated, so the user need not see it. A panic that escapes is reported separately.
pub(super) fn keep_panics_silent() {
    panic::set_hook(Box::new(|info| {
        let place = info
            .location()
            .map(|at| format!(" ({}:{})", at.file(), at.line()));
        PANICKED_AT.with_borrow_mut(|last| *last = place.unwrap_or_default());
    }));
}

/// Reports a panic that escaped as an internal error. Requires: called on the thread that panicked, with
/// the payload of the panic.
pub(super) fn report_panic(payload: &(dyn Any + Send)) {
    let literal = payload.downcast_ref::<&str>().copied();
    let message = literal.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let place = PANICKED_AT.with_borrow(String::clone);
    let message = message.unwrap_or("no message");
    report_defect(&format_args!("{message}{place}"));
}
