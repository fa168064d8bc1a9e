//! Manifests: what `Cargo.toml` says of a package.
//!
//! A key may be that of the workspace, whose manifest is in a folder further up. Only the keys that matter are read: a
//! manifest that Cargo refuses may be accepted here.

use crate::cli::input;
use crate::formats::{self, Edition};
use std::path::{Component, Path, PathBuf};
use toml::{Table, Value};

/// The name of manifests.
pub(crate) const MANIFEST: &str = "Cargo.toml";

/// The tables of dependencies that code outside of tests can name, and those that only tests can.
const DEPENDENCIES: [&str; 2] = ["dependencies", "dev-dependencies"];

/// The manifest of a package or of a workspace.
#[derive(Clone, Debug)]
pub(crate) struct Manifest {
    /// The folder that it is in.
    folder: PathBuf,
    table: Table,
    /// That of the workspace, if a key is inherited from it.
    workspace: Option<(PathBuf, Table)>,
}

/// A dependency.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a key of its own")]
pub(super) struct Dependency {
    /// The key in the manifest.
    pub(super) key: String,
    /// Whether code has to call it by the key, and not by the name of its library.
    pub(super) is_renamed: bool,
    /// Its folder, if the manifest names it.
    pub(super) folder: Option<PathBuf>,
    pub(super) features: Vec<String>,
    pub(super) default_features: bool,
    pub(super) optional: bool,
    /// Whether only tests can name it.
    pub(super) for_tests: bool,
}

impl Manifest {
    /// That of the package of a file: the nearest one above it, if that has a package.
    ///
    /// # Errors
    ///
    /// The message to print, if a manifest cannot be read.
    pub(crate) fn of_file(file: &Path) -> Result<Option<Self>, String> {
        let Ok(file) = std::path::absolute(file) else {
            return Ok(None);
        };
        let mut above = file.ancestors().skip(1);
        let Some(folder) = above.find(|folder| folder.join(MANIFEST).is_file()) else {
            return Ok(None);
        };
        let manifest = Self::read(&folder.join(MANIFEST))?;
        Ok(manifest.is_package().then_some(manifest))
    }

    /// Reads a manifest, and that of the workspace if there is one.
    ///
    /// # Errors
    ///
    /// The message to print, if one cannot be read.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let table = table(&path)?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let given = table.get("package").and_then(|of| of.get("workspace"));
        let given = given.and_then(Value::as_str);
        let given = given.map(|to| without_dots(&folder.join(to)));
        let above = folder.ancestors().map(Path::to_owned);
        let mut workspace = None;
        for root in given.into_iter().chain(above) {
            let path = root.join(MANIFEST);
            if !path.is_file() {
                continue;
            }
            let other = self::table(&path)?;
            if other.contains_key("workspace") {
                workspace = Some((root, other));
                break;
            }
        }
        Ok(Self {
            folder,
            table,
            workspace,
        })
    }

    /// That of the package in this folder.
    ///
    /// # Errors
    ///
    /// The message to print, if it cannot be read.
    pub(super) fn in_folder(folder: &Path) -> Result<Self, String> {
        Self::read(&folder.join(MANIFEST))
    }

    pub(crate) fn is_package(&self) -> bool {
        self.table.contains_key("package")
    }

    pub(super) fn is_workspace(&self) -> bool {
        self.table.contains_key("workspace")
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of the workspace, or of the package if it is in none.
    pub(super) fn root(&self) -> &Path {
        let workspace = self.workspace.as_ref();
        workspace.map_or(&self.folder, |(root, _)| root)
    }

    /// The profiles, which are those of the workspace.
    pub(super) fn profiles(&self) -> Option<&Table> {
        let workspace = self.workspace.as_ref();
        let table = workspace.map_or(&self.table, |(_, table)| table);
        table.get("profile").and_then(Value::as_table)
    }

    /// A text in the table of the package, which may be that of the workspace.
    fn of_package(&self, key: &str) -> Result<Option<String>, String> {
        let value = self.table.get("package").and_then(|of| of.get(key));
        match value {
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(value) if is_inherited(value) => {
                let Some((root, workspace)) = &self.workspace else {
                    return Ok(None);
                };
                let of = workspace.get("workspace").and_then(|of| of.get("package"));
                let value = of.and_then(|of| of.get(key)).and_then(Value::as_str);
                match value {
                    Some(text) => Ok(Some(text.to_owned())),
                    None => Err(format!(
                        "`{}`: the workspace has no {key}",
                        root.join(MANIFEST).display()
                    )),
                }
            }
            Some(_) | None => Ok(None),
        }
    }

    /// The edition: 2015 if it names none, and not known if it is that of a workspace that is not there.
    ///
    /// # Errors
    ///
    /// The message to print, if there is no such edition.
    pub(super) fn edition(&self) -> Result<Option<Edition>, String> {
        let value = self.table.get("package").and_then(|of| of.get("edition"));
        if value.is_none() {
            return Ok(Some(Edition::E2015));
        }
        let named = self.of_package("edition")?;
        let parsed = named.map(|name| name.parse::<Edition>()).transpose();
        parsed.map_err(|why| format!("`{}`: {why}", self.folder.join(MANIFEST).display()))
    }

    /// The name of the package.
    pub(super) fn name(&self) -> String {
        let name = self.of_package("name").ok().flatten();
        name.unwrap_or_default()
    }

    /// The name by which code calls the library, and its first file.
    pub(super) fn library(&self) -> Option<(String, PathBuf)> {
        let of = self.table.get("lib");
        let text = |key: &str| of.and_then(|of| of.get(key)).and_then(Value::as_str);
        let name = text("name").map_or_else(|| self.name(), str::to_owned);
        let path = without_dots(&self.folder.join(text("path").unwrap_or("src/lib.rs")));
        path.is_file()
            .then(|| (name.replace('-', "_"), shown_path(&path)))
    }

    /// The first file of the program.
    pub(super) fn main(&self) -> Option<PathBuf> {
        let path = self.folder.join("src/main.rs");
        path.is_file().then(|| shown_path(&path))
    }

    /// What a feature turns on; `None` if there is no such feature.
    pub(super) fn feature(&self, name: &str) -> Option<Vec<String>> {
        let list = self.table.get("features")?.get(name)?.as_array()?;
        Some(texts(list))
    }

    /// All dependencies, for any target.
    pub(super) fn dependencies(&self) -> Vec<Dependency> {
        let mut all = Vec::new();
        let targets = self.table.get("target").and_then(Value::as_table);
        let targets = targets.into_iter().flat_map(Table::values);
        let tables = targets.filter_map(Value::as_table).chain([&self.table]);
        for table in tables {
            for (kind, for_tests) in DEPENDENCIES.into_iter().zip([false, true]) {
                let of = table.get(kind).and_then(Value::as_table);
                for (key, value) in of.into_iter().flatten() {
                    all.push(self.dependency(key, value, for_tests));
                }
            }
        }
        all
    }

    fn dependency(&self, key: &str, value: &Value, for_tests: bool) -> Dependency {
        // What the workspace says of it, and the folder that its path is relative to.
        let inherited = is_inherited(value).then(|| {
            let (root, workspace) = self.workspace.as_ref()?;
            let of = workspace.get("workspace")?.get("dependencies")?;
            Some((root, of.get(key)?))
        });
        let inherited = inherited.flatten();
        let (folder, about) = match inherited {
            Some((root, about)) => (root, about),
            None => (&self.folder, value),
        };
        let is_false = |value: &Value, key: &str| value.get(key) == Some(&Value::Boolean(false));
        let mut features = Vec::new();
        for about in [Some(value), inherited.map(|(_, about)| about)] {
            let list = about.and_then(|about| about.get("features"));
            features.extend(
                list.and_then(Value::as_array)
                    .map(|list| texts(list))
                    .unwrap_or_default(),
            );
        }
        let path = about.get("path").and_then(Value::as_str);
        Dependency {
            key: key.to_owned(),
            is_renamed: about.get("package").is_some(),
            folder: path.map(|path| without_dots(&folder.join(path))),
            features,
            default_features: !is_false(about, "default-features"),
            optional: value.get("optional") == Some(&Value::Boolean(true)),
            for_tests,
        }
    }
}

/// Reads a file in TOML.
///
/// # Errors
///
/// The message to print, if it is none.
pub(super) fn table(path: &Path) -> Result<Table, String> {
    let cannot = |why: &dyn std::fmt::Display| format!("cannot read `{}`: {why}", path.display());
    let text = formats::decoded(&input::bytes(path)?).map_err(|why| cannot(&why))?;
    let table: Result<Table, toml::de::Error> = text.parse();
    table.map_err(|error| cannot(&error.message()))
}

/// `{ workspace = true }`
fn is_inherited(value: &Value) -> bool {
    value.get("workspace") == Some(&Value::Boolean(true))
}

fn texts(list: &[Value]) -> Vec<String> {
    let texts = list.iter().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

/// A path without `.` and `..`, as it is written.
fn without_dots(path: &Path) -> PathBuf {
    let mut all = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if all.file_name().is_some() => {
                all.pop();
            }
            Component::Prefix(_)
            | Component::RootDir
            | Component::ParentDir
            | Component::Normal(_) => {
                all.push(part);
            }
        }
    }
    all
}

/// A path from the current folder, if it is below.
pub(crate) fn shown_path(path: &Path) -> PathBuf {
    let here = std::path::absolute("").or_else(|_| std::env::current_dir());
    let below = here
        .ok()
        .and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    below.unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("there is room");
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("it is made");
            std::fs::write(path, text).expect("it is written");
        }
        folder
    }

    #[test]
    fn the_edition_of_a_package_is_found_however_it_is_written() {
        for (manifest, edition) in [
            (
                "[package]\nname = \"a\"\nedition = \"2021\" # now\n",
                Some(Edition::E2021),
            ),
            ("[ package ]\n'edition' = '2018'", Some(Edition::E2018)),
            ("package.edition = \"2024\"", Some(Edition::E2024)),
            ("[package]\nedition.workspace = true", None),
            ("[package]\nedition = { workspace = true }", None),
            (
                "[package]\nname = \"a\"\n[lib]\nedition = \"2018\"",
                Some(Edition::E2015),
            ),
            (
                "[package]\ndescription = \"\"\"\nedition = \"2018\"\n\"\"\"",
                Some(Edition::E2015),
            ),
        ] {
            let folder = folder(&[("Cargo.toml", manifest)]);
            let read = Manifest::in_folder(folder.path()).expect("it can be read");
            assert!(read.is_package());
            assert_eq!(read.edition(), Ok(edition), "{manifest}");
        }
        let folder = folder(&[("Cargo.toml", "[workspace]\nmembers = [\"package\"]")]);
        let read = Manifest::in_folder(folder.path()).expect("it can be read");
        assert!(!read.is_package());
    }

    #[test]
    fn a_file_has_the_edition_of_the_nearest_package() {
        let folder = folder(&[
            (
                "Cargo.toml",
                "[workspace]\n[workspace.package]\nedition = \"2018\"",
            ),
            ("old/Cargo.toml", "[package]\nname = \"old\""),
            ("own/Cargo.toml", "[package]\nedition = \"2021\""),
            ("same/Cargo.toml", "[package]\nedition.workspace = true"),
            ("odd/Cargo.toml", "[package]\nedition = \"2020\""),
        ]);
        let of = |path: &str| {
            let found = Manifest::of_file(&folder.path().join(path))?;
            found.map_or(Ok(None), |found| found.edition())
        };
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

    #[test]
    fn dependencies_are_found_however_they_are_written() {
        let folder = folder(&[
            (
                "Cargo.toml",
                "[workspace]\n[workspace.dependencies]\nshared = { path = \"shared\", default-features = false }",
            ),
            (
                "a/Cargo.toml",
                "[package]\nname = \"a\"\n[dependencies]\nloom = \"0.7\"\n\
                 shared = { workspace = true, features = [\"x\"] }\n\
                 other = { package = \"long-name\", path = \"../b\", optional = true }\n\
                 [dev-dependencies.tools]\npath = \"tools\"\n",
            ),
        ]);
        let a = Manifest::in_folder(&folder.path().join("a")).expect("it can be read");
        let mut all = a.dependencies();
        all.sort_by(|a, b| a.key.cmp(&b.key));
        let below = |path: &str| Some(folder.path().join(path));
        let found: Vec<_> = all
            .iter()
            .map(|one| (one.key.as_str(), one.folder.clone()))
            .collect();
        assert_eq!(
            found,
            [
                ("loom", None),
                ("other", below("b")),
                ("shared", below("shared")),
                ("tools", below("a/tools")),
            ]
        );
        assert!(all[1].is_renamed && all[1].optional && !all[1].for_tests);
        assert!(!all[2].default_features && all[2].features == ["x"]);
        assert!(all[3].for_tests);
    }
}
