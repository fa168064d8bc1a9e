//! How a build compiles each file: `compile_commands.json`, which most build systems write, or tools that watch them.
//!
//! Of a command, what the preprocessor has to know is taken: `-D`, `-U`, `-I`, `-iquote`, `-isystem`, `-idirafter` and
//! `-include`. All else is about machine code. Paths are relative to the folder that the entry names.

use super::input;
use crate::formats::{self, FindFile, FoundFile, ParseOptions};
use serde_json::Value;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The name of the file in a build's folder.
const NAME: &str = "compile_commands.json";

/// What the preprocessor has to know of a translation unit.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Flags {
    pub(super) defines: Vec<(String, String)>,
    pub(super) undefines: Vec<String>,
    /// Files that come before the text.
    pub(super) includes: Vec<String>,
    pub(super) folders: Folders,
}

impl Flags {
    /// These options with what the flags say.
    pub(super) fn on(self, mut options: ParseOptions) -> ParseOptions {
        for (name, value) in self.defines {
            options = options.define(name, value);
        }
        for name in self.undefines {
            options = options.undefine(name);
        }
        for file in self.includes {
            options = options.include(file);
        }
        options.files(Arc::new(self.folders))
    }

    /// The flags of a compiler's command without the compiler itself.
    fn of_words(words: &[String], folder: &Path) -> Self {
        let mut flags = Self::default();
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let mut value_of = |option: &str| -> Option<String> {
                let value = word.strip_prefix(option)?;
                if value.is_empty() {
                    words.next().map(str::to_owned)
                } else {
                    Some(value.to_owned())
                }
            };
            if let Some(found) = value_of("-isystem").or_else(|| value_of("-idirafter")) {
                flags.folders.system.push(folder.join(found));
            } else if let Some(file) = value_of("-include") {
                flags.includes.push(folder.join(file).display().to_string());
            } else if let Some(found) = value_of("-iquote").or_else(|| value_of("-I")) {
                flags.folders.user.push(folder.join(found));
            } else if let Some(define) = value_of("-D") {
                let (name, value) = macro_of(&define);
                flags.undefines.retain(|other| *other != name);
                flags.defines.push((name, value));
            } else if let Some(name) = value_of("-U") {
                flags.defines.retain(|(other, _)| *other != name);
                flags.undefines.push(name);
            }
        }
        flags
    }
}

/// `NAME=VALUE`, or `NAME`, which is 1.
pub(super) fn macro_of(define: &str) -> (String, String) {
    let (name, value) = define.split_once('=').unwrap_or((define, "1"));
    (name.to_owned(), value.to_owned())
}

/// The entries of a `compile_commands.json`.
pub(super) struct Database {
    path: PathBuf,
    entries: Vec<Entry>,
}

struct Entry {
    /// As the file system has it.
    file: PathBuf,
    folder: PathBuf,
    words: Vec<String>,
}

impl Database {
    /// Reads a file, or that of this name in a folder.
    ///
    /// # Errors
    ///
    /// The message to print, if there is none, or it is not what such a file is.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let path = if path.is_dir() {
            path.join(NAME)
        } else {
            path.to_owned()
        };
        let text = formats::decoded(&input::bytes(&path)?)
            .map_err(|why| format!("cannot read `{}`: {why}", path.display()))?;
        let wrong = |why: &str| format!("`{}` is no list of commands: {why}", path.display());
        let list: Value = serde_json::from_str(&text).map_err(|error| wrong(&error.to_string()))?;
        let list = list.as_array().ok_or_else(|| wrong("it is not a list"))?;
        let within = path.parent().unwrap_or(Path::new(""));
        let mut entries = Vec::new();
        for (number, entry) in (1..).zip(list) {
            let text = |key: &str| entry.get(key).and_then(Value::as_str);
            let file =
                text("file").ok_or_else(|| wrong(&format!("entry {number} has no `file`")))?;
            let folder = within.join(text("directory").unwrap_or_default());
            let words = match (entry.get("arguments"), text("command")) {
                (Some(Value::Array(words)), _) => {
                    let words = words.iter().filter_map(Value::as_str);
                    words.map(str::to_owned).collect()
                }
                (_, Some(command)) => words_of(command),
                (_, None) => {
                    let why = format!("entry {number} has neither `arguments` nor `command`");
                    return Err(wrong(&why));
                }
            };
            entries.push(Entry {
                file: canonical(&folder.join(file)),
                folder,
                words,
            });
        }
        Ok(Self { path, entries })
    }

    /// How a file is preprocessed when it is compiled: by its first entry.
    ///
    /// # Errors
    ///
    /// The message to print, if it has none.
    pub(super) fn flags(&self, file: &Path) -> Result<Flags, String> {
        let wanted = canonical(file);
        let Some(entry) = self.entries.iter().find(|entry| entry.file == wanted) else {
            return Err(format!(
                "`{}` has no entry for `{}`",
                self.path.display(),
                file.display()
            ));
        };
        let words = entry.words.get(1..).unwrap_or_default();
        Ok(Flags::of_words(words, &entry.folder))
    }
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The words of a command as a POSIX shell divides it, without expansions.
fn words_of(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), c) if open == c => quote = None,
            (None, '\\') => word.get_or_insert_default().extend(chars.next()),
            (Some('"'), '\\') => {
                let escaped = chars.next();
                let stays = !escaped.is_some_and(|c| "\\\"$`".contains(c));
                let word = word.get_or_insert_default();
                word.extend(stays.then_some('\\'));
                word.extend(escaped);
            }
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Finds headers beside the files that include them, and then in folders.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Folders {
    /// Those of the user.
    pub(super) user: Vec<PathBuf>,
    /// Those of the system, after them.
    pub(super) system: Vec<PathBuf>,
    /// Those of the system whose headers count before the built-in ones.
    pub(super) instead: Vec<PathBuf>,
}

impl FindFile for Folders {
    fn find(&self, name: &str, from: Option<&str>) -> Result<Option<FoundFile>, String> {
        let beside = from.map(|file| Path::new(file).parent().unwrap_or(Path::new("")));
        let own = beside.into_iter().chain(paths(&self.user));
        match found_in(own, name, false)? {
            Some(found) => Ok(Some(found)),
            None => found_in(paths(&self.system), name, true),
        }
    }

    fn instead_of_built_in(&self, name: &str) -> Result<Option<FoundFile>, String> {
        found_in(paths(&self.instead), name, true)
    }
}

fn paths(all: &[PathBuf]) -> impl Iterator<Item = &Path> {
    all.iter().map(PathBuf::as_path)
}

/// The first file of this name in these folders.
pub(super) fn found_in<'p>(
    folders: impl Iterator<Item = &'p Path>,
    name: &str,
    system: bool,
) -> Result<Option<FoundFile>, String> {
    for folder in folders {
        let path: PathBuf = folder
            .join(name)
            .components()
            .filter(|part| *part != Component::CurDir)
            .collect();
        if path.is_file() {
            let bytes = input::bytes(&path)?;
            let text = formats::decoded(&bytes)?;
            let name = path.display().to_string();
            return Ok(Some(FoundFile { name, text, system }));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_divided_as_by_a_shell() {
        let command = r#"cc  -DNAME='"a b"' -D "X=\"q\" y" -Ia\ b '' -c "C:\x" x.c"#;
        let words = [
            "cc",
            r#"-DNAME="a b""#,
            "-D",
            r#"X="q" y"#,
            "-Ia b",
            "",
            "-c",
            r"C:\x",
            "x.c",
        ];
        assert_eq!(words_of(command), words);
    }

    #[test]
    fn of_a_command_that_counts_which_the_preprocessor_has_to_know() {
        let words = "-O2 -DN=3 -D M -UN -U K -DK -I inc -Iown/inc -isystem /usr/x -iquote q \
                     -include pre.h -MD -MF x.d -o x.o -c x.c";
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        let flags = Flags::of_words(&words, Path::new("/b"));
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(flags.defines, [pair("M", "1"), pair("K", "1")]);
        assert_eq!(flags.undefines, ["N"]);
        let user = ["/b/inc", "/b/own/inc", "/b/q"].map(PathBuf::from);
        assert_eq!(flags.folders.user, user);
        assert_eq!(flags.folders.system, [PathBuf::from("/usr/x")]);
        assert_eq!(flags.includes, ["/b/pre.h"]);
    }
}
