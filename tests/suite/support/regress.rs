//! The programs of `corpus/regress`, each written for one rule.

use fencepost::program::Program;
use std::path::PathBuf;

/// All that can be parsed as programs, each with its file.
pub fn programs() -> Vec<(PathBuf, Program)> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/regress");
    let files = std::fs::read_dir(directory).expect("the corpus is there");
    let read = |file: std::io::Result<std::fs::DirEntry>| {
        let path = file.expect("a readable directory").path();
        let text = std::fs::read_to_string(&path).expect("a readable file");
        Some((path, fencepost::internals::formats::parse(&text).program?))
    };
    files.filter_map(read).collect()
}
