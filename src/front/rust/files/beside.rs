//! Where the compiler looks for the files of modules.
//!
//! ```text
//! src/lib.rs    mod a;                     src/a.rs, src/a/mod.rs
//! src/a.rs      mod b;                     src/a/b.rs, src/a/b/mod.rs
//! src/a.rs      mod c { mod d; }           src/a/c/d.rs, src/a/c/d/mod.rs
//! src/a.rs      #[path = "e.rs"] mod e;    src/e.rs; its modules are beside it, as those of `lib.rs`
//! ```

/// Where the files of modules are, from the folder of the file that names them.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Folder {
    /// The folders of the modules that are written out.
    path: Vec<String>,
    /// The folder of the file's own name, which counts without `#[path]`.
    own: Option<String>,
    /// Whether the file is the given one: its modules may be beside it, too, and are if both are there.
    is_given: bool,
}

impl Folder {
    /// That of the given file. By its name it may be that of a module.
    pub(super) fn of_given(name: &str) -> Self {
        let file = name.rsplit(['/', '\\']).next().unwrap_or_default();
        let stem = file.strip_suffix(".rs");
        let is_first = |stem: &&str| !["lib", "main", "mod"].contains(stem);
        Self {
            own: stem.filter(is_first).map(str::to_owned),
            is_given: true,
            ..Self::default()
        }
    }

    /// That of a module in this one which is written out.
    pub(super) fn inner(&self, name: &str, path: Option<&str>) -> Self {
        let mut inner = self.clone();
        if let Some(path) = path {
            inner.path.push(path.to_owned());
            return Self { own: None, ..inner };
        }
        if !inner.is_given {
            inner.path.extend(inner.own.take());
        }
        inner.path.push(name.to_owned());
        inner
    }

    /// The paths of a module's file, each with the folder of the modules in it.
    pub(super) fn candidates(&self, name: &str, path: Option<&str>) -> Vec<(String, Self)> {
        let within = |folders: &[&str], file: &str| {
            let folders = folders.iter().copied();
            let here = self.path.iter().map(String::as_str);
            let all: Vec<&str> = folders.chain(here).chain([file]).collect();
            all.join("/")
        };
        if let Some(path) = path {
            return vec![(within(&[], path), Self::default())];
        }
        let folder = Self {
            own: Some(name.to_owned()),
            ..Self::default()
        };
        let mut all = Vec::new();
        let both = self.own.as_deref().map(|own| vec![own]);
        let beside = (self.own.is_none() || self.is_given).then(Vec::new);
        for folders in beside.into_iter().chain(both) {
            all.push((within(&folders, &format!("{name}.rs")), folder.clone()));
            all.push((within(&folders, &format!("{name}/mod.rs")), Self::default()));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Folder, path: Option<&str>) -> Vec<String> {
        let all = folder.candidates("x", path).into_iter();
        all.map(|(path, _)| path).collect()
    }

    #[test]
    fn files_are_where_the_compiler_looks_for_them() {
        let root = Folder::of_given("src/lib.rs");
        assert_eq!(names(&root, None), ["x.rs", "x/mod.rs"]);
        let (_, a) = root.candidates("a", None).swap_remove(0);
        assert_eq!(names(&a, None), ["a/x.rs", "a/x/mod.rs"]);
        assert_eq!(names(&a, Some("y.rs")), ["y.rs"]);
        let c = a.inner("c", None);
        assert_eq!(names(&c, None), ["a/c/x.rs", "a/c/x/mod.rs"]);
        assert_eq!(names(&c, Some("y.rs")), ["a/c/y.rs"]);
        let placed = a.inner("c", Some("there"));
        assert_eq!(names(&placed, Some("y.rs")), ["there/y.rs"]);
        let (_, of_mod) = root.candidates("a", None).swap_remove(1);
        assert_eq!(names(&of_mod, None), ["x.rs", "x/mod.rs"]);
    }

    #[test]
    fn the_given_file_may_be_that_of_a_module() {
        let given = Folder::of_given("src/lock.rs");
        let all = ["x.rs", "x/mod.rs", "lock/x.rs", "lock/x/mod.rs"];
        assert_eq!(names(&given, None), all);
        let inner = ["c/x.rs", "c/x/mod.rs", "lock/c/x.rs", "lock/c/x/mod.rs"];
        assert_eq!(names(&given.inner("c", None), None), inner);
    }
}
