//! The table of the corpus: the files whose expectations take the most memory or time.
//!
//! Every file is checked by a process of its own, one after the other.

use crate::child::{self, Finished, Limit};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How many files are listed by default.
pub(crate) const LISTED: usize = 20;

const LIMIT: Limit = Limit {
    time: Duration::from_mins(10),
    memory: 8 << 30,
};

/// Measures the files whose path contains one of the filters, or all files, and writes two tables.
///
/// # Errors
///
/// If writing, or running the tool, fails.
pub(crate) fn write(out: &mut impl Write, filters: &[String], listed: usize) -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();
    let mut measured: Vec<(String, Finished)> = Vec::new();
    for file in files {
        let name = file.strip_prefix(&root).unwrap_or(&file);
        let name = name.display().to_string();
        if filters.is_empty() || filters.iter().any(|filter| name.contains(filter)) {
            let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
            command
                .args(["corpus", "--quiet", "--jobs=1"])
                .arg(&root)
                .arg(&name);
            let finished = child::run(&mut command, LIMIT)?;
            measured.push((name, finished));
        }
    }
    let total: Duration = measured.iter().map(|(_, finished)| finished.time).sum();
    writeln!(
        out,
        "{} files, {:.1} s of processor time.\n",
        measured.len(),
        total.as_secs_f64()
    )?;
    measured.sort_by_key(|(_, finished)| std::cmp::Reverse(finished.peak));
    list(out, "The most memory", &measured, listed)?;
    measured.sort_by_key(|(_, finished)| std::cmp::Reverse(finished.time));
    list(out, "The most time", &measured, listed)
}

fn list(
    out: &mut impl Write,
    title: &str,
    measured: &[(String, Finished)],
    listed: usize,
) -> io::Result<()> {
    writeln!(out, "### {title}\n\n| file | peak MiB | s |\n|---|--:|--:|")?;
    for (name, finished) in measured.iter().take(listed) {
        let (peak, time) = (finished.peak >> 20, finished.time.as_secs_f64());
        writeln!(out, "| {name} | {peak} | {time:.2} |")?;
    }
    writeln!(out)
}

/// Adds the files below a directory.
fn collect(dir: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
