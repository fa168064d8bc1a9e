//! Several files that change together: all of them, or none.
//!
//! The new contents of all files are written beside them first. Only then are they renamed, one after
//! the other; if one of these steps fails, the files that were renamed before get their old contents
//! again.
//!
//! **Incomplete:** a kill between two renames leaves some files old and some new.

use super::{Staged, replace};
use crate::formats::{BYTE_ORDER_MARK, decoded};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The new text of a file that was read.
pub(in crate::cli) struct NewText<'a> {
    /// Its name.
    pub(in crate::cli) name: &'a str,
    /// The text that was read.
    pub(in crate::cli) before: &'a str,
    pub(in crate::cli) after: &'a str,
}

/// A file whose new contents are ready.
struct Ready<'a> {
    name: &'a str,
    old: Vec<u8>,
    new: Vec<u8>,
    staged: Staged,
}

/// Replaces the contents of these files.
///
/// # Errors
///
/// The message to print, with the files that changed nevertheless. Usually none did.
pub(in crate::cli) fn replace_all(files: &[NewText<'_>]) -> Result<(), String> {
    let mut ready = Vec::new();
    for file in distinct(files)? {
        let prepared = prepared(file);
        ready.push(prepared.map_err(|why| format!("{why}; no file was changed"))?);
    }
    let mut changed: Vec<(&str, Vec<u8>)> = Vec::new();
    for file in ready {
        if let Err(error) = file.staged.put(&file.new) {
            let left = restored(&changed);
            let result = if left.is_empty() {
                "no file was changed".to_owned()
            } else {
                format!(
                    "these files were changed and could not be restored: {}",
                    left.join(", ")
                )
            };
            return Err(format!("{}; {result}", cannot_write(file.name, &error)));
        }
        changed.push((file.name, file.old));
    }
    Ok(())
}

/// The files, each once. One that was read under two names must change in the same way.
fn distinct<'f, 'a>(files: &'f [NewText<'a>]) -> Result<Vec<&'f NewText<'a>>, String> {
    let mut found: Vec<(PathBuf, &NewText<'_>)> = Vec::new();
    for file in files {
        let path = fs::canonicalize(file.name)
            .map_err(|error| format!("{}; no file was changed", cannot_write(file.name, &error)))?;
        match found.iter().find(|(other, _)| *other == path) {
            Some((_, other)) if other.after != file.after => {
                return Err(format!(
                    "`{}` and `{}` are one file, which would change in two ways; no file was changed",
                    other.name, file.name
                ));
            }
            Some(_) => {}
            None => found.push((path, file)),
        }
    }
    Ok(found.into_iter().map(|(_, file)| file).collect())
}

fn prepared<'a>(file: &NewText<'a>) -> Result<Ready<'a>, String> {
    let path = Path::new(file.name);
    let failed = |error: io::Error| cannot_write(file.name, &error);
    let metadata = fs::metadata(path).map_err(failed)?;
    let old = fs::read(path).map_err(failed)?;
    if !metadata.is_file() || decoded(&old).as_deref() != Ok(file.before) {
        return Err(format!(
            "`{}` is no longer the file that was read",
            file.name
        ));
    }
    let mark = BYTE_ORDER_MARK.as_bytes();
    let mark = if old.starts_with(mark) { mark } else { &[] };
    let new = [mark, file.after.as_bytes()].concat();
    let staged = Staged::of(path, &new, &metadata).map_err(failed)?;
    Ok(Ready {
        name: file.name,
        old,
        new,
        staged,
    })
}

/// Gives these files their old contents. Those for which that fails, in quotes.
fn restored(changed: &[(&str, Vec<u8>)]) -> Vec<String> {
    let left = changed
        .iter()
        .filter(|(name, old)| replace(Path::new(name), old).is_err());
    left.map(|(name, _)| format!("`{name}`")).collect()
}

fn cannot_write(name: &str, error: &io::Error) -> String {
    super::cannot_write(Path::new(name), error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::tempdir;

    /// Two files in a new folder, with their names.
    fn two(first: &[u8], second: &[u8]) -> (tempfile::TempDir, [String; 2]) {
        let folder = tempdir().expect("a folder");
        let names = ["a.c", "b.c"].map(|name| folder.path().join(name));
        for (name, text) in names.iter().zip([first, second]) {
            fs::write(name, text).expect("it can be written");
        }
        (folder, names.map(|name| name.display().to_string()))
    }

    fn text<'a>(name: &'a str, before: &'a str, after: &'a str) -> NewText<'a> {
        NewText {
            name,
            before,
            after,
        }
    }

    #[test]
    fn all_files_change_and_keep_their_marks() {
        let (folder, [a, b]) = two(b"old a", "\u{feff}old b".as_bytes());
        let files = [text(&a, "old a", "new a"), text(&b, "old b", "new b")];
        assert_eq!(replace_all(&files), Ok(()));
        assert_eq!(fs::read(&a).expect("a"), b"new a");
        assert_eq!(fs::read(&b).expect("b"), "\u{feff}new b".as_bytes());
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
    }

    #[test]
    fn no_file_changes_if_one_is_not_what_was_read() {
        let (folder, [a, b]) = two(b"old a", b"edited since");
        let files = [text(&a, "old a", "new a"), text(&b, "old b", "new b")];
        let why = replace_all(&files).expect_err("the second file has another text");
        assert!(
            why.contains("b.c") && why.ends_with("no file was changed"),
            "{why}"
        );
        assert_eq!(fs::read(&a).expect("a"), b"old a");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
    }

    #[test]
    fn files_that_were_replaced_before_a_failure_are_restored() {
        let (_folder, [a, b]) = two(b"new a", b"old b");
        assert_eq!(restored(&[(a.as_str(), b"old a".to_vec())]), [""; 0]);
        assert_eq!(fs::read(&a).expect("a"), b"old a");
        let missing = format!("{b}/no/such");
        let left = restored(&[(missing.as_str(), Vec::new())]);
        assert_eq!(left, [format!("`{missing}`")]);
    }

    #[test]
    fn one_file_under_two_names_changes_once() {
        let (folder, [a, _]) = two(b"old", b"");
        let other = folder.path().join("./a.c").display().to_string();
        let same = [text(&a, "old", "new"), text(&other, "old", "new")];
        assert_eq!(replace_all(&same), Ok(()));
        let differ = [text(&a, "new", "one"), text(&other, "new", "two")];
        assert!(replace_all(&differ).is_err());
        assert_eq!(fs::read(&a).expect("a"), b"new");
    }
}
