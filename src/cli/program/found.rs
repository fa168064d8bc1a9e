//! The files of programs: what folders and patterns stand for.

use super::shell;
use crate::cli::packages;
use crate::formats::Format;
use std::path::{Path, PathBuf};

/// The name of the file in a folder that a program of several files begins with.
const MAIN: &str = "main.c";

/// The translation units of a program: the file itself, or those in the folder, `main.c` first.
///
/// # Errors
///
/// The message to print, if it is a folder without any.
pub(crate) fn units(path: &Path) -> Result<Vec<PathBuf>, String> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let cannot = |why: &dyn std::fmt::Display| format!("cannot read `{}`: {why}", path.display());
    let mut units = Vec::new();
    for entry in path.read_dir().map_err(|error| cannot(&error))? {
        let file = entry.map_err(|error| cannot(&error))?.path();
        if is_unit(&file) && file.is_file() {
            units.push(file);
        }
    }
    units.sort_by_key(|file| (file.file_name() != Some(MAIN.as_ref()), file.clone()));
    if units.is_empty() {
        return Err(cannot(&"the folder contains no `.c` files"));
    }
    Ok(units)
}

/// The files that a path names: itself, or those that it matches if it is a pattern.
///
/// # Errors
///
/// The message to print, if it is a pattern that matches nothing.
pub(super) fn matching(path: &Path) -> Result<Vec<PathBuf>, String> {
    if let Some(first) = packages::first_file(path)? {
        return Ok(vec![first]);
    }
    let text = path.to_string_lossy();
    if path.exists() || !text.contains(['*', '?', '[']) {
        return Ok(vec![path.to_owned()]);
    }
    let cannot = |why: &dyn std::fmt::Display| format!("cannot read `{}`: {why}", path.display());
    let found = glob::glob(&text).map_err(|error| cannot(&error))?;
    let files: Vec<PathBuf> = found.filter_map(Result::ok).collect();
    if files.is_empty() {
        return Err(cannot(&"no file matches"));
    }
    Ok(files)
}

/// Whether a folder has translation units, which are then one program.
pub(super) fn has_units(folder: &Path) -> bool {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .any(|file| is_unit(&file) && file.is_file())
}

/// The programs in a folder and the folders in it, sorted.
///
/// # Errors
///
/// The message to print, if there are none.
pub(super) fn programs_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let cannot = |why: &dyn std::fmt::Display| format!("cannot read `{}`: {why}", folder.display());
    let mut programs = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in folder.read_dir().map_err(|error| cannot(&error))? {
            let entry = entry.map_err(|error| cannot(&error))?;
            let path = entry.path();
            // Links to folders are not followed, since they may form a cycle.
            if entry.file_type().map_err(|error| cannot(&error))?.is_dir() {
                let is_one = is_unit(&path) && has_units(&path);
                let list = if is_one { &mut programs } else { &mut open };
                list.push(path);
            } else if Format::of_file(&shell(&path)).next().is_some() {
                programs.push(path);
            }
        }
    }
    if programs.is_empty() {
        return Err(cannot(&"the folder contains no programs"));
    }
    programs.sort();
    Ok(programs)
}

/// Whether a path is named like a translation unit. A folder that is named like one is a program of
/// several.
pub(crate) fn is_unit(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_units_of_a_folder_begin_with_main() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/c/units/queue.c");
        let units = units(&folder).expect("there are some");
        let names: Vec<_> = units.iter().filter_map(|unit| unit.file_name()).collect();
        assert_eq!(names, ["main.c", "queue.c"]);
    }
}
