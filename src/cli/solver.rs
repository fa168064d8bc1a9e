//! `--solver-command`: another program as the SAT solver.
//!
//! It is started for each query, with the name of a file in DIMACS as its last argument, and prints its
//! answer as in SAT competitions. It is stopped with the search that waits for it.

use super::streams;
use crate::verdict::OutsideSolver;
use std::fs::File;
use std::io::{Read as _, Seek as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;
use tempfile::NamedTempFile;

/// The first interval at which the process is checked; it doubles up to [`LONGEST_WAIT`].
const SHORTEST_WAIT: Duration = Duration::from_micros(200);
const LONGEST_WAIT: Duration = Duration::from_millis(10);

static CHOSEN: OnceLock<Arc<SolverCommand>> = OnceLock::new();

/// The program that the user chose.
pub(super) fn chosen() -> Option<Arc<dyn OutsideSolver>> {
    let chosen = Arc::clone(CHOSEN.get()?);
    Some(chosen)
}

/// Makes all searches use this command.
pub(super) fn choose(command: &SolverCommand) {
    let _ = CHOSEN.set(Arc::new(command.clone()));
}

/// A program and its first arguments.
#[derive(Clone, Debug)]
pub(super) struct SolverCommand {
    program: String,
    arguments: Vec<String>,
    /// Whether its failure was reported: once is enough.
    failed: Arc<AtomicBool>,
}

/// Parses the argument: words, separated by blanks.
///
/// # Errors
///
/// There is none.
pub(super) fn command(text: &str) -> Result<SolverCommand, String> {
    let mut words = text.split_whitespace().map(str::to_owned);
    let program = words
        .next()
        .ok_or("a program is needed, such as `kissat -q`")?;
    Ok(SolverCommand {
        program,
        arguments: words.collect(),
        failed: Arc::default(),
    })
}

impl OutsideSolver for SolverCommand {
    fn solve(&self, dimacs: &str, stopped: &dyn Fn() -> bool) -> Result<String, String> {
        let file = |error| format!("a temporary file cannot be used: {error}");
        let mut formula = tempfile::Builder::new()
            .suffix(".cnf")
            .tempfile()
            .map_err(file)?;
        formula.write_all(dimacs.as_bytes()).map_err(file)?;
        let output = NamedTempFile::new().map_err(file)?;
        let mut child = Command::new(&self.program)
            .args(&self.arguments)
            .arg(formula.path())
            .stdin(Stdio::null())
            .stdout(output.reopen().map_err(file)?)
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("it cannot be started: {error}"))?;
        wait(&mut child, stopped)?;
        let mut output: File = output.into_file();
        output.rewind().map_err(file)?;
        let mut bytes = Vec::new();
        output.read_to_end(&mut bytes).map_err(file)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn failed(&self, why: &str) {
        if !self.failed.swap(true, Ordering::Relaxed) {
            streams::print_message(&format!("--solver-command `{}`: {why}", self.program));
        }
    }
}

/// Waits for a process to end, or ends it with the search.
fn wait(child: &mut Child, stopped: &dyn Fn() -> bool) -> Result<(), String> {
    let mut interval = SHORTEST_WAIT;
    loop {
        match child.try_wait() {
            Ok(Some(_)) => return Ok(()),
            Ok(None) if !stopped() => {}
            Ok(None) => {
                // It may have ended in between.
                let _ = child.kill();
                let _ = child.wait();
                return Err("it was stopped".to_owned());
            }
            Err(error) => return Err(format!("it cannot be waited for: {error}")),
        }
        thread::sleep(interval);
        interval = LONGEST_WAIT.min(interval * 2);
    }
}
