//! The edition of the package that a file in Rust belongs to.
//!
//! The package is that of the nearest `Cargo.toml` in the folders around the file. Its edition may be that
//! of the workspace, whose manifest is in a folder further up; a package that names none has edition 2015.
//!
//! Only the keys that matter are read: a manifest that Cargo refuses may be accepted here.

use super::input;
use crate::formats::{self, Edition};
use std::path::{Path, PathBuf};

/// The name of manifests.
const MANIFEST: &str = "Cargo.toml";

/// The edition of the package of this file; `None` if it belongs to none.
///
/// # Errors
///
/// The message to print, if a manifest cannot be read or has an edition that is not known.
pub(super) fn edition(file: &Path) -> Result<Option<Edition>, String> {
    let Ok(file) = std::path::absolute(file) else {
        return Ok(None);
    };
    let mut above = file.ancestors().skip(1);
    let Some(folder) = above.find(|folder| folder.join(MANIFEST).is_file()) else {
        return Ok(None);
    };
    let path = folder.join(MANIFEST);
    let package = Manifest::read(&path)?;
    if !package.has("package") {
        return Ok(None);
    }
    let named = match package.value("package", "edition") {
        Some(Value::Text(edition)) => Some((path, edition)),
        Some(Value::Inherited) => of_workspace(folder, &package)?,
        None => return Ok(Some(Edition::E2015)),
    };
    let Some((path, edition)) = named else {
        return Ok(None);
    };
    let parsed = edition.parse();
    parsed
        .map(Some)
        .map_err(|why: String| format!("`{}`: {why}", path.display()))
}

/// The edition that the workspace of a package gives, and its manifest.
fn of_workspace(folder: &Path, package: &Manifest) -> Result<Option<(PathBuf, String)>, String> {
    let given = match package.value("package", "workspace") {
        Some(Value::Text(path)) => Some(folder.join(path)),
        Some(Value::Inherited) | None => None,
    };
    let roots = given
        .into_iter()
        .chain(folder.ancestors().map(Path::to_owned));
    for root in roots {
        let path = root.join(MANIFEST);
        if !path.is_file() {
            continue;
        }
        let manifest = Manifest::read(&path)?;
        if !manifest.has("workspace") {
            continue;
        }
        return match manifest.value("workspace.package", "edition") {
            Some(Value::Text(edition)) => Ok(Some((path, edition))),
            Some(Value::Inherited) | None => Err(format!(
                "`{}`: the workspace has no edition",
                path.display()
            )),
        };
    }
    Ok(None)
}

/// The value of a key.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Value {
    Text(String),
    /// It is that of the workspace.
    Inherited,
}

/// The keys of a manifest with their values, as they are written, in the order of the lines.
struct Manifest(Vec<(String, String)>);

impl Manifest {
    fn read(path: &Path) -> Result<Self, String> {
        let text = formats::decoded(&input::bytes(path)?)
            .map_err(|why| format!("cannot read `{}`: {why}", path.display()))?;
        Ok(Self::of(&text))
    }

    fn of(text: &str) -> Self {
        let mut table = String::new();
        let mut keys = Vec::new();
        // The quotes that end a text of several lines.
        let mut open: Option<&str> = None;
        for line in text.lines() {
            if let Some(quotes) = open {
                if line.contains(quotes) {
                    open = None;
                }
                continue;
            }
            let line = without_comment(line).trim();
            if let Some(name) = line.strip_prefix('[') {
                table = path_of(name.trim_matches(['[', ']']));
                keys.push((table.clone(), String::new()));
            } else if let Some((key, value)) = line.split_once('=') {
                let value = value.trim();
                let quotes = ["\"\"\"", "'''"].into_iter();
                let mut quotes = quotes.filter(|quotes| value.starts_with(quotes));
                open = quotes.next().filter(|quotes| !value[3..].contains(quotes));
                let key = path_of(key);
                let path = if table.is_empty() {
                    key
                } else {
                    format!("{table}.{key}")
                };
                keys.push((path, value.to_owned()));
            }
        }
        Self(keys)
    }

    /// Whether it has this table, or a key in it.
    fn has(&self, table: &str) -> bool {
        let inside = |path: &str| {
            let rest = path.strip_prefix(table);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.0.iter().any(|(path, _)| inside(path))
    }

    fn value(&self, table: &str, key: &str) -> Option<Value> {
        let path = format!("{table}.{key}");
        let inherited = format!("{path}.workspace");
        self.0.iter().find_map(|(own, value)| {
            if *own == inherited {
                return (value == "true").then_some(Value::Inherited);
            }
            if *own != path {
                return None;
            }
            let without_quotes = value.trim_matches(['"', '\'']);
            if value.starts_with('{') {
                let all: String = value.chars().filter(|c| !c.is_whitespace()).collect();
                return all.contains("workspace=true").then_some(Value::Inherited);
            }
            Some(Value::Text(without_quotes.to_owned()))
        })
    }
}

/// `a . "b"` as `a.b`
fn path_of(key: &str) -> String {
    let parts = key
        .split('.')
        .map(|part| part.trim().trim_matches(['"', '\'']));
    parts.collect::<Vec<_>>().join(".")
}

/// A line up to its comment.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (c, quote) {
            ('#', None) => return &line[..at],
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            _ => {}
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edition_of_a_package_is_found_however_it_is_written() {
        let text = |edition: &str| Some(Value::Text(edition.to_owned()));
        for (manifest, edition) in [
            (
                "[package]\nname = \"a\"\nedition = \"2021\" # now\n",
                text("2021"),
            ),
            ("[ package ]\n'edition' = '2018'", text("2018")),
            ("package.edition = \"2024\"", text("2024")),
            (
                "[package]\nedition.workspace = true",
                Some(Value::Inherited),
            ),
            (
                "[package]\nedition = { workspace = true }",
                Some(Value::Inherited),
            ),
            ("[package]\nname = \"a\"\n[lib]\nedition = \"2018\"", None),
            (
                "[package]\ndescription = \"\"\"\nedition = \"2018\"\n\"\"\"",
                None,
            ),
        ] {
            assert_eq!(
                Manifest::of(manifest).value("package", "edition"),
                edition,
                "{manifest}"
            );
            assert!(Manifest::of(manifest).has("package"));
        }
        assert!(!Manifest::of("[workspace]\nmembers = [\"package\"]").has("package"));
    }

    #[test]
    fn a_file_has_the_edition_of_the_nearest_package() {
        let folder = tempfile::tempdir().expect("there is room");
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("it is made");
            std::fs::write(path, text).expect("it is written");
        };
        write(
            "Cargo.toml",
            "[workspace]\n[workspace.package]\nedition = \"2018\"",
        );
        write("old/Cargo.toml", "[package]\nname = \"old\"");
        write("own/Cargo.toml", "[package]\nedition = \"2021\"");
        write("same/Cargo.toml", "[package]\nedition.workspace = true");
        write("odd/Cargo.toml", "[package]\nedition = \"2020\"");
        let of = |path: &str| edition(&folder.path().join(path));
        assert_eq!(of("old/src/a.rs"), Ok(Some(Edition::E2015)));
        assert_eq!(of("own/tests/deep/a.rs"), Ok(Some(Edition::E2021)));
        assert_eq!(of("same/a.rs"), Ok(Some(Edition::E2018)));
        assert_eq!(of("a.rs"), Ok(None));
        let message = of("odd/a.rs").expect_err("there is no such edition");
        assert!(
            message.ends_with("Cargo.toml`: unknown edition `2020`"),
            "{message}"
        );
    }
}
