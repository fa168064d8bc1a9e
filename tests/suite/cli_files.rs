//! Output files: replaced as a whole or not at all, with their permissions and links preserved.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot start the program has failed"
)]
#![cfg(unix)]

use crate::support::process;
use process::{code, fencepost, stderr, stdout};
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use tempfile::TempDir;

/// Store buffering, with the line endings and the byte order mark of some editors.
const STORE_BUFFERING: &str = "\u{feff}\
shared x, y;\r
thread t0 { local r; x = 1; r = y; } // \u{1b}[2J \u{202e}\r
thread t1 { local r; y = 1; r = x; }\r
final assert t0.r == 1 || t1.r == 1;\r
";

/// The commands that write a file. Its name is the last argument, which is omitted here.
const WRITERS: [&[&str]; 8] = [
    &["fence", "-", "--write"],
    &["export", "-", "--cnf"],
    &["check", "-", "--litmus"],
    &["check", "-", "--cycle"],
    &["robust", "-", "--litmus"],
    &["robust", "-", "--dot"],
    &["robust", "-", "--svg"],
    &["fence", "-", "--json", "--write"],
];

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A file with unusual permissions, `real/file`, and a symbolic link to it, `link`.
fn linked(text: &str) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::create_dir(at("real")).unwrap();
    fs::write(at("real/file"), text).unwrap();
    fs::set_permissions(at("real/file"), fs::Permissions::from_mode(0o604)).unwrap();
    symlink("real/file", at("link")).unwrap();
    directory
}

#[test]
fn every_writer_replaces_the_target_of_a_link() {
    for arguments in WRITERS {
        let directory = linked("old");
        let (link, file) = (
            directory.path().join("link"),
            directory.path().join("real/file"),
        );
        let before = fs::metadata(&file).unwrap();
        let out = link.to_str().unwrap();
        let output = fencepost(&[arguments, &[out]].concat(), STORE_BUFFERING);
        assert!(code(&output) < 2, "{arguments:?}: {output:?}");
        let after = fs::metadata(&file).unwrap();
        assert!(after.len() > 20, "{arguments:?}");
        assert_eq!(after.mode(), before.mode(), "{arguments:?}");
        assert_ne!(after.ino(), before.ino(), "{arguments:?}: not replaced");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(names(directory.path()), ["link", "real"]);
        assert_eq!(names(&directory.path().join("real")), ["file"]);
    }
}

#[test]
fn blessing_replaces_a_file_and_keeps_every_other_byte() {
    let directory = linked(&format!("{STORE_BUFFERING}//: check tso holds  why\r\n"));
    let real = directory.path().join("real");
    let file = real.join("a.fence");
    fs::rename(real.join("file"), &file).unwrap();
    let before = fs::metadata(&file).unwrap();
    let output = fencepost(&["corpus", real.to_str().unwrap(), "--bless"], "");
    assert_eq!(code(&output), 0, "{output:?}");
    assert!(stdout(&output).contains("rewritten: line 5: check tso holds"));
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        format!("{STORE_BUFFERING}//: check tso violated  why\r\n")
    );
    let after = fs::metadata(&file).unwrap();
    assert_eq!(after.mode(), before.mode());
    assert_ne!(after.ino(), before.ino());
    assert_eq!(names(&real), ["a.fence"]);
}

#[test]
fn a_repaired_program_keeps_every_other_byte() {
    let directory = linked(STORE_BUFFERING);
    let file = directory.path().join("link");
    let name = file.to_str().unwrap();
    let output = fencepost(&["fence", name, "--format", "fence", "--write", name], "");
    assert_eq!(code(&output), 0, "{output:?}");
    let fenced = fs::read_to_string(&file).unwrap();
    assert_ne!(fenced, STORE_BUFFERING);
    assert_eq!(fenced.replace("fence; ", ""), STORE_BUFFERING);
    let arguments = [
        "fence",
        name,
        "--format",
        "fence",
        "--minimise",
        "--write",
        "-",
    ];
    let output = fencepost(&arguments, "");
    assert_eq!(stdout(&output), fenced);
}

/// Runs a command with a file size limit of zero: writing the first byte to a file kills it.
fn without_room(arguments: &[&str]) -> Output {
    let binary = env!("CARGO_BIN_EXE_fencepost");
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -f 0; exec \"$0\" \"$@\"", binary])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let _ = stdin.write_all(STORE_BUFFERING.as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap()
}

#[test]
fn a_kill_while_writing_leaves_the_old_file() {
    for arguments in WRITERS {
        let directory = linked("the only copy");
        let link = directory.path().join("link");
        let output = without_room(&[arguments, &[link.to_str().unwrap()]].concat());
        assert!(
            output.status.signal().is_some() || output.status.code() == Some(2),
            "{arguments:?}: there was room: {output:?}"
        );
        assert_eq!(fs::read_to_string(&link).unwrap(), "the only copy");
    }
    let text = format!("{STORE_BUFFERING}//: check tso holds\r\n");
    let directory = linked(&text);
    let file = directory.path().join("real/a.fence");
    fs::rename(directory.path().join("real/file"), &file).unwrap();
    without_room(&["corpus", directory.path().to_str().unwrap(), "--bless"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_device_is_named() {
    for arguments in WRITERS {
        let output = fencepost(&[arguments, &["/dev/full"]].concat(), STORE_BUFFERING);
        assert_eq!(code(&output), 2, "{arguments:?}");
        let errors = stderr(&output);
        assert!(errors.contains("cannot write `/dev/full`"), "{errors}");
    }
}

#[test]
fn pipes_and_standard_output_are_written_to() {
    let fenced = fencepost(&["fence", "-", "--quiet", "--write", "-"], STORE_BUFFERING);
    let fenced = stdout(&fenced);
    for name in ["/dev/stdout", "/dev/fd/1"] {
        let output = fencepost(&["fence", "-", "--quiet", "--write", name], STORE_BUFFERING);
        assert_eq!(code(&output), 0, "{output:?}");
        assert!(stdout(&output).contains(&fenced), "{output:?}");
    }
    for drawing in [["check", "--cycle"], ["robust", "--dot"]] {
        let [command, option] = drawing;
        let output = fencepost(&[command, "-", "--quiet", option, "-"], STORE_BUFFERING);
        assert_eq!(code(&output), 1, "{output:?}");
        assert!(stdout(&output).contains("digraph"), "{output:?}");
    }
    let directory = tempfile::tempdir().unwrap();
    let fifo = directory.path().join("fifo");
    assert!(
        Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .unwrap()
            .success()
    );
    let (name, reader) = (fifo.to_str().unwrap().to_owned(), fifo.clone());
    let read = thread::spawn(move || fs::read_to_string(reader).unwrap());
    let output = fencepost(
        &["fence", "-", "--quiet", "--write", &name],
        STORE_BUFFERING,
    );
    assert_eq!(code(&output), 0, "{output:?}");
    assert_eq!(read.join().unwrap(), fenced);
    assert_eq!(names(directory.path()), ["fifo"]);
}

#[test]
fn standard_output_in_a_file_gets_all_that_is_printed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out");
    let mut child = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(["fence", "-", "--write", "/dev/stdout"])
        .stdin(Stdio::piped())
        .stdout(fs::File::create(&path).unwrap())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(STORE_BUFFERING.as_bytes()).unwrap();
    drop(stdin);
    assert!(child.wait().unwrap().success());
    let text = fs::read_to_string(&path).unwrap();
    assert!(
        text.contains("shared x, y;") && text.contains("fences make"),
        "{text}"
    );
}
