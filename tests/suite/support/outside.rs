//! Programs of others that some tests need: whether they are there, and what is said if not.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot start a process has failed"
)]

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Says that a test did not run. Not with the macros for that: the test runner keeps to itself what they
/// print in a test that passes.
pub fn skipped(what: &str) {
    let _ = writeln!(io::stderr(), "NOTICE: skipped: {what}");
}

/// Whether a program can be found.
pub fn exists(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Waits until something is so; gives up, and returns `false`, after this many seconds.
pub fn until(seconds: u64, is_so: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(seconds) {
        if is_so() {
            return true;
        }
        thread::sleep(Duration::from_millis(50));
    }
    is_so()
}

/// Runs a process, and ends it after this many seconds; `None` if it had to be, or cannot be started.
/// The folder is for what it prints.
pub fn run_for(seconds: u64, command: &mut Command, folder: &Path) -> Option<Output> {
    let (out, err) = (folder.join("stdout"), folder.join("stderr"));
    let mut child = command
        .stdin(Stdio::null())
        .stdout(File::create(&out).unwrap())
        .stderr(File::create(&err).unwrap())
        .spawn()
        .ok()?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(Output {
                status,
                stdout: fs::read(out).unwrap(),
                stderr: fs::read(err).unwrap(),
            });
        }
        if start.elapsed() > Duration::from_secs(seconds) {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        thread::sleep(Duration::from_millis(20));
    }
}
