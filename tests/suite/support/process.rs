//! Starts the program under test, for tests of the command line.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot start the program has failed"
)]

use std::io::Write as _;
use std::process::{Child, Command, Output, Stdio};

/// Store buffering: both loads may miss both stores, except under SC.
pub const STORE_BUFFERING: &str = "\
shared x, y;
thread t0 { local r; x = 1; r = y; }
thread t1 { local r; y = 1; r = x; }
final assert t0.r == 1 || t1.r == 1;
";

pub fn fencepost(arguments: &[&str], stdin: &str) -> Output {
    run(arguments, stdin.as_bytes())
}

pub fn run(arguments: &[&str], stdin: &[u8]) -> Output {
    let mut child = command(arguments);
    // A process need not read its input. If it does not, the pipe is closed, which is not an error.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    child.wait_with_output().expect("the program ends")
}

pub fn command(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(arguments)
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

pub fn code(output: &Output) -> i32 {
    output.status.code().expect("the program was not killed")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("answers are text")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("complaints are text")
}
