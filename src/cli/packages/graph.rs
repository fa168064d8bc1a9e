//! The crates that one reaches by path dependencies, and the features of each.
//!
//! As in Cargo, a package is there once, with all features that anything asks of it; features only add, so the sets grow
//! until nothing changes. Only the tests of the package itself can name what it needs for tests.

use super::manifest::{Dependency, Manifest};
use super::shown_path;
use crate::formats::{Crate, Crates, Reached};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// No program has more packages.
const MOST_PACKAGES: usize = 1000;

/// A package.
struct Package {
    manifest: Manifest,
    dependencies: Vec<Dependency>,
    /// What was asked for and what that implies.
    features: BTreeSet<String>,
    /// The optional dependencies that are on.
    on: BTreeSet<String>,
}

/// The crates of a file, which belongs to this package, with these features and perhaps the default ones.
///
/// # Errors
///
/// The message to print, if a manifest cannot be read, or there is no such feature.
pub(super) fn crates(
    package: &Manifest,
    file: &Path,
    features: &[String],
    has_default: bool,
) -> Result<Crates, String> {
    let mut packages = Packages::default();
    let first = packages.add(package.clone());
    for name in features {
        // `a/b` is the feature `b` of the dependency `a`.
        let is_own = !name.contains('/');
        if is_own && !packages.all[first].has_feature(name) {
            return Err(format!(
                "--features: the package of `{}` has no feature `{name}`",
                file.display()
            ));
        }
        packages.turn_on(first, name)?;
    }
    if has_default {
        packages.turn_on(first, "default")?;
    }
    packages.reach()?;
    packages.crates(first, file)
}

impl Package {
    fn has_feature(&self, name: &str) -> bool {
        let mut optional = self.dependencies.iter().filter(|one| one.optional);
        self.manifest.feature(name).is_some() || optional.any(|one| one.key == name)
    }

    /// Whether code can name a dependency; that of the package itself those for tests, too.
    fn names(&self, of: &Dependency, is_first: bool) -> bool {
        (!of.optional || self.on.contains(&of.key)) && (is_first || !of.for_tests)
    }
}

#[derive(Default)]
struct Packages {
    all: Vec<Package>,
    /// By their folders.
    numbers: BTreeMap<PathBuf, usize>,
    /// The folders that have no manifest.
    absent: BTreeSet<PathBuf>,
}

impl Packages {
    fn add(&mut self, manifest: Manifest) -> usize {
        let folder = manifest.folder().to_owned();
        self.all.push(Package {
            dependencies: manifest.dependencies(),
            manifest,
            features: BTreeSet::new(),
            on: BTreeSet::new(),
        });
        let number = self.all.len() - 1;
        self.numbers.insert(folder, number);
        number
    }

    /// The package in a folder; `None` if there is none.
    fn in_folder(&mut self, folder: &Path) -> Result<Option<usize>, String> {
        if let Some(number) = self.numbers.get(folder) {
            return Ok(Some(*number));
        }
        if !folder.join(super::MANIFEST).is_file() {
            self.absent.insert(folder.to_owned());
            return Ok(None);
        }
        if self.all.len() >= MOST_PACKAGES {
            return Err(format!("there are more than {MOST_PACKAGES} packages"));
        }
        Ok(Some(self.add(Manifest::in_folder(folder)?)))
    }

    /// Turns on a feature of a package, and what that implies.
    fn turn_on(&mut self, number: usize, name: &str) -> Result<(), String> {
        let mut open = vec![name.to_owned()];
        while let Some(name) = open.pop() {
            if let Some(key) = name.strip_prefix("dep:") {
                self.all[number].on.insert(key.to_owned());
                continue;
            }
            if let Some((key, feature)) = name.split_once('/') {
                let of = &mut self.all[number];
                let key = match key.strip_suffix('?') {
                    Some(key) if !of.on.contains(key) => continue,
                    Some(key) => key,
                    None => {
                        of.on.insert(key.to_owned());
                        key
                    }
                };
                let of = of.dependencies.iter().find(|one| one.key == key);
                if let Some(folder) = of.and_then(|one| one.folder.clone())
                    && let Some(other) = self.in_folder(&folder)?
                    && !self.all[other].features.contains(feature)
                {
                    self.turn_on(other, feature)?;
                }
                continue;
            }
            let of = &mut self.all[number];
            if !of.features.insert(name.clone()) {
                continue;
            }
            match of.manifest.feature(&name) {
                Some(list) => open.extend(list),
                None => {
                    of.on.insert(name);
                }
            }
        }
        Ok(())
    }

    /// Finds all dependencies, and turns on what is asked of them, until nothing changes.
    fn reach(&mut self) -> Result<(), String> {
        let size = |all: &[Package]| {
            let sizes = all.iter().map(|of| of.features.len() + of.on.len());
            (all.len(), sizes.sum::<usize>())
        };
        loop {
            let before = size(&self.all);
            let mut number = 0;
            while number < self.all.len() {
                let of = &self.all[number];
                let named: Vec<Dependency> = of
                    .dependencies
                    .iter()
                    .filter(|one| of.names(one, number == 0))
                    .cloned()
                    .collect();
                for one in named {
                    let Some(folder) = &one.folder else {
                        continue;
                    };
                    let Some(other) = self.in_folder(folder)? else {
                        continue;
                    };
                    for feature in &one.features {
                        self.turn_on(other, feature)?;
                    }
                    if one.default_features {
                        self.turn_on(other, "default")?;
                    }
                }
                // `a?/b` counts once `a` is on.
                let features: Vec<String> = self.all[number].features.iter().cloned().collect();
                for feature in features {
                    let implied = self.all[number].manifest.feature(&feature);
                    for weak in implied.into_iter().flatten() {
                        if weak.contains("?/") {
                            self.turn_on(number, &weak)?;
                        }
                    }
                }
                number += 1;
            }
            if size(&self.all) == before {
                return Ok(());
            }
        }
    }

    /// The crate of a file of the first package, and the libraries of all.
    fn crates(&mut self, first: usize, file: &Path) -> Result<Crates, String> {
        let libraries: Vec<Option<(String, PathBuf)>> =
            self.all.iter().map(|of| of.manifest.library()).collect();
        let same = |path: &Path| {
            let both = [path, file].map(|path| path.canonicalize().ok());
            both[0].is_some() && both[0] == both[1]
        };
        // The libraries come after the crate of the file.
        let number_of = |package: usize| {
            let before = libraries[..package].iter().flatten();
            1 + before.count()
        };
        let mut all = Vec::new();
        let mut own = self.about(first, true, &libraries, &number_of)?;
        if let Some((name, root)) = &libraries[first]
            && !same(root)
        {
            own.names
                .insert(name.clone(), Reached::Crate(number_of(first)));
        }
        all.push(own);
        for package in 0..self.all.len() {
            if let Some((_, root)) = &libraries[package] {
                let mut about = self.about(package, false, &libraries, &number_of)?;
                about.root = root.display().to_string();
                all.push(about);
            }
        }
        Ok(Crates(all))
    }

    /// What is known of a crate of a package.
    fn about(
        &self,
        package: usize,
        is_first: bool,
        libraries: &[Option<(String, PathBuf)>],
        number_of: &dyn Fn(usize) -> usize,
    ) -> Result<Crate, String> {
        let of = &self.all[package];
        let mut names = BTreeMap::new();
        for one in of.dependencies.iter().filter(|one| of.names(one, is_first)) {
            let key = one.key.replace('-', "_");
            let (name, reached) = match &one.folder {
                None => {
                    let why =
                        "it comes from a registry or a repository: only path dependencies are read";
                    (key, Reached::Absent(why.to_owned()))
                }
                Some(folder) => match self
                    .numbers
                    .get(folder)
                    .map(|other| (*other, &libraries[*other]))
                {
                    Some((other, Some((name, _)))) => {
                        let name = if one.is_renamed { key } else { name.clone() };
                        (name, Reached::Crate(number_of(other)))
                    }
                    Some((_, None)) => {
                        let why = format!(
                            "the package in `{}` has no library",
                            shown_path(folder).display()
                        );
                        (key, Reached::Absent(why))
                    }
                    None => {
                        let manifest = shown_path(&folder.join(super::MANIFEST));
                        let why = format!("looked for `{}`", manifest.display());
                        (key, Reached::Absent(why))
                    }
                },
            };
            names.insert(name, reached);
        }
        Ok(Crate {
            root: String::new(),
            edition: of.manifest.edition()?,
            features: of.features.clone(),
            names,
        })
    }
}
