//! Patches with the paths that `git apply` and `patch -p1` expect: below `a/` and `b/`.
//!
//! Both refuse absolute paths and `..`, so a file outside the current folder gets the path from the root of the
//! file system, where such a patch is applied. Standard input has no path, and stays `-`.

use crate::report::diff::unified;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The change of one file, which `git apply` and `patch -p1` make.
pub(super) fn patch(old_name: &str, new_name: &str, old: &str, new: &str) -> String {
    let old_name =
        in_patch(old_name).map_or_else(|| old_name.to_owned(), |path| format!("a/{path}"));
    let new_name =
        in_patch(new_name).map_or_else(|| new_name.to_owned(), |path| format!("b/{path}"));
    unified(&old_name, old, &new_name, new)
}

/// The path of a file from where a patch is applied: the current folder, or the root of the file system if
/// the file is not below that. `None` for standard input.
fn in_patch(name: &str) -> Option<String> {
    if name == "-" {
        return None;
    }
    let is_below = |path: &Path| {
        let mut parts = path.components();
        parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    };
    let path = PathBuf::from(name);
    let path = if is_below(&path) {
        path
    } else {
        let whole = |path: &Path| fs::canonicalize(path).or_else(|_| std::path::absolute(path));
        let here = whole(Path::new("."));
        let path = whole(&path).unwrap_or(path);
        let below = here.ok().and_then(|here| path.strip_prefix(here).ok());
        below.map(Path::to_path_buf).unwrap_or(path)
    };
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(part) => Some(part.to_string_lossy()),
        Component::CurDir | Component::RootDir | Component::Prefix(_) | Component::ParentDir => {
            None
        }
    });
    Some(parts.collect::<Vec<_>>().join("/"))
}
