//! The change of the text that a set of fences needs: made, shown, and written.

use super::Fence;
use super::patch::patch;
use crate::cli::input::Input;
use crate::cli::output::{self, NewText, replace_all};
use crate::fences::FenceReport;
use crate::formats::{Rewritten, rewrite_with};
use crate::program::Change;
use crate::report::{Edited, Fix};
use std::fs;
use std::path::Path;

impl Fence {
    /// Writes the repaired program to the file that the user named, and returns its name; if that is
    /// the program's own, writes all files that change.
    ///
    /// # Errors
    ///
    /// The message to print if a file was not written.
    pub(super) fn write(
        &self,
        input: &Input,
        repaired: Option<&Rewritten>,
    ) -> Result<Vec<String>, String> {
        if self.in_place {
            return repaired.map_or(Ok(Vec::new()), |repaired| replaced(input, repaired));
        }
        let Some(path) = &self.write else {
            return Ok(Vec::new());
        };
        let name = path.display().to_string();
        let repaired = repaired.ok_or_else(|| {
            format!("`{name}` was not written because no set of fences was found")
        })?;
        if self.is_in_place(input) && (path.is_dir() || !repaired.others.is_empty()) {
            return replaced(input, repaired);
        }
        if let Some(other) = repaired.others.first() {
            return Err(format!(
                "`{name}` was not written because there are fences in `{}`, too: `--write {}` changes all \
                 files, and `--diff` shows them, for `patch` to apply",
                other.name, input.file
            ));
        }
        if !is_stdout(path) {
            let text = format!("{}{}", input.mark, repaired.text);
            output::replace(path, text.as_bytes())
                .map_err(|error| output::cannot_write(path, &error))?;
        }
        Ok(vec![name])
    }

    /// Whether the repaired program is to replace the program itself: the user named its first file, or
    /// the folder of that.
    pub(super) fn is_in_place(&self, input: &Input) -> bool {
        let Some(path) = self.write.as_deref().filter(|path| !is_stdout(path)) else {
            return self.in_place;
        };
        let Ok(first) = fs::canonicalize(&input.file) else {
            return false;
        };
        fs::canonicalize(path).is_ok_and(|path| path == first || Some(&*path) == first.parent())
    }

    /// The text with the first set found inserted, if one was found and the text was requested.
    ///
    /// # Errors
    ///
    /// Why the text cannot be changed that way.
    pub(super) fn repaired(
        &self,
        input: &Input,
        report: &FenceReport,
    ) -> Result<Option<Rewritten>, String> {
        if self.write.is_none() && !self.diff && !self.in_place {
            return Ok(None);
        }
        let Some(changes) = report.changes(&input.program) else {
            return Ok(None);
        };
        self.changed(input, &changes).map(Some)
    }

    /// The text with these changes.
    ///
    /// # Errors
    ///
    /// Why the text cannot be changed that way.
    pub(super) fn changed(&self, input: &Input, changes: &[Change]) -> Result<Rewritten, String> {
        let mut options = input.options.clone();
        if self.edit_headers {
            options = options.edit_headers();
        }
        let (own, program) = (input.own_text(), &input.program);
        let changed = rewrite_with(input.format, own, &options, program, changes);
        changed.map_err(|unwritable| {
            format!(
                "fences were found, but cannot be written into the text: {}: {unwritable}",
                input.file
            )
        })
    }

    /// The change for each place of the first set found alone, or for each fence that can be removed;
    /// `None` where the text cannot be changed that way.
    pub(super) fn fixes(&self, input: &Input, report: &FenceReport) -> Vec<Option<Fix>> {
        let Some(found) = report.found() else {
            return Vec::new();
        };
        let apart: Vec<Vec<Change>> = if report.minimise {
            let changes = report.changes(&input.program).unwrap_or_default();
            let removed = changes.into_iter().filter(|change| match change {
                Change::Remove(_) => true,
                Change::Fence { .. } | Change::Exchange(_) => false,
            });
            removed.map(|change| vec![change]).collect()
        } else {
            let set = found.sets.first().into_iter().flatten();
            set.map(|place| place.changes(&input.program)).collect()
        };
        let fix = |changes: Vec<Change>| {
            let new = self.changed(input, &changes).ok()?;
            let own = Edited {
                name: input.file.clone(),
                before: input.own_text().to_owned(),
                after: new.text,
            };
            let others = new.others.into_iter().map(|other| Edited {
                name: other.name,
                before: other.before,
                after: other.after,
            });
            let files = [own].into_iter().chain(others);
            Some(files.filter(|file| file.before != file.after).collect())
        };
        apart.into_iter().map(fix).collect()
    }

    pub(super) fn diff(&self, input: &Input, new: &Rewritten) -> String {
        let path = self.write.as_deref();
        let path = path.filter(|path| !is_stdout(path) && !path.is_dir());
        let name = path.map_or_else(|| input.file.clone(), |path| path.display().to_string());
        let own = patch(&input.file, &name, input.own_text(), &new.text);
        let others = new.others.iter();
        let others = others.map(|one| patch(&one.name, &one.name, &one.before, &one.after));
        [own].into_iter().chain(others).collect()
    }
}

/// Changes the files of the program, all of them or none, and returns the names of those that change.
///
/// # Errors
///
/// The message to print if a file cannot be written.
fn replaced(input: &Input, repaired: &Rewritten) -> Result<Vec<String>, String> {
    let first = NewText {
        name: &input.file,
        before: input.own_text(),
        after: &repaired.text,
    };
    let others = repaired.others.iter().map(|other| NewText {
        name: &other.name,
        before: &other.before,
        after: &other.after,
    });
    let files = [first].into_iter().chain(others);
    let files: Vec<NewText<'_>> = files.filter(|file| file.before != file.after).collect();
    replace_all(&files)?;
    Ok(files.iter().map(|file| file.name.to_owned()).collect())
}

/// Whether some place of the first set is inside an expression: what the text looks like with a fence
/// there is not obvious.
pub(super) fn has_place_inside(input: &Input, report: &FenceReport) -> bool {
    let found = report.found().filter(|_| !report.minimise);
    let mut places = found
        .and_then(|found| found.sets.first())
        .into_iter()
        .flatten();
    places.any(|place| place.is_inside(&input.program))
}

pub(super) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}
