//! Edits of a text that consists of several files.

use super::{Places, Words};
use crate::text::{
    Edits, FileId, FindFile, FoundFile, Layer, ParseOptions, Rewritten, RewrittenFile,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The files that a text consists of.
pub(crate) trait TextFiles {
    /// The file that a position of the text belongs to, and where it begins there.
    fn at(&self, position: usize) -> (FileId, usize);

    /// The text of a file.
    fn text(&self, file: FileId) -> &str;

    /// The name of a file.
    fn name(&self, file: FileId) -> &str;
}

/// The files with fences inserted, without those that stay; `None` if edits exclude each other.
pub(crate) fn edited(
    files: &dyn TextFiles,
    words: &dyn Words,
    places: &Places,
) -> Option<BTreeMap<FileId, String>> {
    let mut edits: BTreeMap<FileId, Edits> = BTreeMap::new();
    for (start, (end, form, calls)) in &places.fences {
        let (file, base) = files.at(*start);
        let edits = edits.entry(file).or_default();
        let at = (start - base, end - base);
        words.insert(edits, files.text(file), at, *form, calls);
    }
    for ((start, end), new) in &places.stronger {
        let (file, base) = files.at(*start);
        let edits = edits.entry(file).or_default();
        edits.replace(start - base..end - base, Layer::Within, new);
    }
    let starts: Vec<usize> = places.fences.keys().copied().collect();
    for (at, import) in words.imports(&starts) {
        let (file, base) = files.at(at);
        let edits = edits.entry(file).or_default();
        edits.insert(at - base, Layer::CloseOuter, import);
    }
    let edits = edits.into_iter();
    let edited = edits.map(|(file, edits)| Some((file, edits.apply(files.text(file))?)));
    edited.collect()
}

/// The text whose first file this is, after these changes of some of its files.
pub(crate) fn rewritten(
    text: &str,
    files: &dyn TextFiles,
    edited: BTreeMap<FileId, String>,
) -> Rewritten {
    let mut all = Rewritten::from(text.to_owned());
    for (file, after) in edited {
        if file == FileId(0) {
            all.text = after;
        } else {
            all.others.push(RewrittenFile {
                name: files.name(file).to_owned(),
                before: files.text(file).to_owned(),
                after,
            });
        }
    }
    all
}

/// The options under which the other files are those after the changes.
pub(crate) fn afterwards(options: &ParseOptions, rewritten: &Rewritten) -> ParseOptions {
    let after = |name: &str| {
        let mut others = rewritten.others.iter();
        others
            .find(|other| other.name == name)
            .map(|other| other.after.clone())
    };
    let mut options = options.clone();
    for unit in &mut options.units {
        unit.text = after(&unit.name).unwrap_or_else(|| unit.text.clone());
    }
    let others = rewritten.others.clone();
    options.files = options.files.map(|inner| {
        let edited: Arc<dyn FindFile> = Arc::new(Edited { inner, others });
        edited
    });
    options
}

/// Files of which some were edited.
struct Edited {
    inner: Arc<dyn FindFile>,
    others: Vec<RewrittenFile>,
}

impl FindFile for Edited {
    fn find(&self, name: &str, from: Option<&str>) -> Result<Option<FoundFile>, String> {
        let found = self.inner.find(name, from)?;
        Ok(found.map(|mut found| {
            let mut others = self.others.iter();
            if let Some(other) = others.find(|other| other.name == found.name) {
                found.text.clone_from(&other.after);
            }
            found
        }))
    }
}
