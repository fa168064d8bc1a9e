//! The arguments of every command that reads a program: its files, and what a compiler's driver would
//! have to know of them.

mod found;

pub(super) use found::{is_unit, units};

use super::database::{Database, Flags, macro_of};
use super::packages::RustArgs;
use super::{Global, INPUT, input};
use crate::formats::{self, CallModel, Entry, Format, ParseOptions, StartedThread};
use clap::Args;
use found::{has_units, matching, programs_in};
use std::path::{Path, PathBuf};

#[derive(Args, Clone, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an independent option"
)]
pub(super) struct ProgramArgs {
    /// Input files; `-` for standard input. Files in C, or a folder of them, are the translation units of
    /// one program. Each other file is a program, and a folder or a pattern such as `models/*.fence` stands
    /// for those in it
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Take each file, or folder of files in C, for a program of its own (C)
    #[arg(help_heading = INPUT, long)]
    each: bool,
    /// Define a macro (C)
    #[arg(help_heading = INPUT, short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Undefine a macro, after all `-D` (C)
    #[arg(help_heading = INPUT, short = 'U', value_name = "NAME")]
    undefine: Vec<String>,
    /// Search headers in this folder, after the folder of the file that includes them (C)
    #[arg(help_heading = INPUT, short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
    /// Search headers of the system in this folder, after those of `-I` and the built-in ones (C)
    #[arg(help_heading = INPUT, long, value_name = "DIR")]
    isystem: Vec<PathBuf>,
    /// Read headers of the system from this folder instead of the built-in ones, if it has them (C)
    #[arg(help_heading = INPUT, long, value_name = "DIR")]
    system_headers: Vec<PathBuf>,
    /// Include this file before each translation unit (C)
    #[arg(help_heading = INPUT, long = "include", value_name = "FILE")]
    forced: Vec<PathBuf>,
    /// Take macros and folders of headers of each file from this `compile_commands.json`, or from the one in this
    /// folder (C)
    #[arg(help_heading = INPUT, long, value_name = "PATH")]
    compile_commands: Option<PathBuf>,
    /// Start with this function instead of `main` (C), or with this test (Rust)
    #[arg(help_heading = INPUT, long, visible_alias = "test", value_name = "FUNCTION")]
    entry: Option<String>,
    /// Make a program of threads that execute this function of a library, called with any integers and with one
    /// object of each type that pointers point to: `push`, `push:3` for so many threads, `push:any` for any number (C)
    #[arg(help_heading = INPUT, long, value_name = "FUNCTION[:N]", conflicts_with = "entry")]
    thread: Vec<StartedThread>,
    /// Call this function before the threads of `--thread` begin (C)
    #[arg(help_heading = INPUT, long, value_name = "FUNCTION")]
    setup: Option<String>,
    /// Give this many blocks to each allocation in a loop whose number of iterations is not known (C)
    #[arg(help_heading = INPUT, long, value_name = "N", default_value_t = 0)]
    heap: u16,
    /// Take each loop of `main` that creates threads for one that creates any number of them (C, Rust)
    #[arg(long)]
    any_number: bool,
    /// Say what calls of a function without a body do: return any value (`nondet`), `nothing`, or violate a property
    /// (`violation`) (C)
    #[arg(help_heading = INPUT, long, value_name = "FUNCTION=MEANING", value_parser = call_model)]
    model_call: Vec<(String, CallModel)>,
    /// List, as warnings, what is not supported in functions and declarations that nothing executes or uses (C)
    #[arg(help_heading = INPUT, long)]
    explain_refusals: bool,
    #[command(flatten)]
    rust: RustArgs,
    /// Check, too, that the threads never wait forever, all that have not ended: `forbid stuck`
    #[arg(long)]
    forbid_stuck: bool,
    /// The programs, if they were chosen otherwise than by files.
    #[arg(skip)]
    chosen: Option<Vec<ProgramArgs>>,
}

impl ProgramArgs {
    /// The same for this test in Rust, or for all of the file.
    pub(super) fn of_test(&self, file: PathBuf, test: Option<String>) -> Self {
        Self {
            files: vec![file],
            entry: test,
            ..self.clone()
        }
    }

    pub(super) fn forbids_stuck(&self) -> bool {
        self.forbid_stuck
    }

    pub(super) fn has_any_number(&self) -> bool {
        self.any_number
    }

    /// The room of collections, if it is said.
    pub(super) fn capacity(&self) -> Option<u16> {
        self.rust.capacity()
    }

    /// The same with what another one says about threads that wait forever, numbers of threads, and the room of collections.
    pub(super) fn with(self, forbid_stuck: bool, any_number: bool, capacity: Option<u16>) -> Self {
        Self {
            any_number,
            forbid_stuck,
            rust: self.rust.with_capacity(capacity),
            ..self
        }
    }

    /// Takes these programs instead of the files.
    pub(super) fn choose(&mut self, programs: Vec<Self>) {
        self.chosen = Some(programs);
    }

    /// Whether they were chosen so.
    pub(super) fn are_chosen(&self) -> bool {
        self.chosen.is_some()
    }

    pub(super) fn set_rust(&mut self, rust: RustArgs) {
        self.rust = rust;
    }

    /// These arguments, as one would type them.
    pub(super) fn words(&self) -> String {
        let mut words: Vec<String> = self.files.iter().map(|file| quoted(&shell(file))).collect();
        words.extend(self.define.iter().map(|one| quoted(&format!("-D{one}"))));
        words.extend(self.undefine.iter().map(|one| quoted(&format!("-U{one}"))));
        let include = self.include.iter();
        words.extend(include.map(|one| quoted(&format!("-I{}", shell(one)))));
        let paths = [
            ("isystem", &self.isystem),
            ("system-headers", &self.system_headers),
            ("include", &self.forced),
        ];
        for (option, paths) in paths {
            let paths = paths.iter();
            words.extend(paths.map(|path| format!("--{option} {}", quoted(&shell(path)))));
        }
        let commands = self.compile_commands.iter();
        words.extend(commands.map(|path| format!("--compile-commands {}", quoted(&shell(path)))));
        words.extend(self.entry_words());
        words.extend(self.thread_words());
        words.extend(self.rust.words());
        words.extend((self.heap > 0).then(|| format!("--heap {}", self.heap)));
        for (function, model) in &self.model_call {
            let all = CallModel::ALL.into_iter();
            let name = all.filter(|(_, one)| one == model).map(|(name, _)| name);
            words.extend(name.map(|name| format!("--model-call {function}={name}")));
        }
        words.extend(self.any_number.then(|| "--any-number".to_owned()));
        words.extend(self.forbid_stuck.then(|| "--forbid-stuck".to_owned()));
        words.join(" ")
    }

    /// The first file, as it was given.
    pub(super) fn file(&self) -> String {
        self.files
            .first()
            .map_or_else(String::new, |file| shell(file))
    }

    /// What the program is called where there are several: its file, and the function if one was chosen.
    pub(super) fn title(&self) -> String {
        let mut words = vec![self.file()];
        words.extend(self.entry_words());
        words.extend(self.thread_words());
        words.join(" ")
    }

    /// The arguments of each program: the files in C (all files, if that is the format) are the
    /// translation units of one, unless each is a program (`--each`), and every other file is a program, or one
    /// for each test in it (Rust). A folder without translation units stands for the programs in it, and a
    /// pattern such as `models/*.fence` for the files that it matches. The order is that of the arguments.
    ///
    /// # Errors
    ///
    /// The message to print, if a folder or a pattern has no program.
    pub(super) fn programs(&self, format: Option<Format>) -> Result<Vec<Self>, String> {
        if let Some(chosen) = &self.chosen {
            return Ok(chosen.clone());
        }
        let mut units = Vec::new();
        // The number of programs before that of the translation units.
        let mut before_units = 0;
        let mut programs = Vec::new();
        let mut files = Vec::new();
        for file in &self.files {
            files.extend(matching(file)?);
        }
        let several = files.len() > 1;
        if files.iter().filter(|file| file.as_os_str() == "-").count() > 1 {
            return Err("`-`: standard input can be read only once".to_owned());
        }
        let is_of_c =
            |file: &Path| format.map_or_else(|| is_of_c(file), |format| format == Format::C);
        for file in files {
            if file.is_dir() && !has_units(&file) {
                programs.extend(programs_in(&file)?);
            } else if !self.each && (file.is_dir() || several && is_of_c(&file)) {
                if units.is_empty() {
                    before_units = programs.len();
                }
                units.push(file);
            } else {
                programs.push(file);
            }
        }
        let one = |files: Vec<PathBuf>, entry: Option<String>| Self {
            files,
            entry: entry.or_else(|| self.entry.clone()),
            ..self.clone()
        };
        let mut all = Vec::new();
        let later = programs.split_off(before_units);
        let expand = |all: &mut Vec<Self>, files: Vec<PathBuf>| {
            for file in files {
                let tests = match &self.entry {
                    Some(_) => Vec::new(),
                    None => self.tests(&file, format).unwrap_or_default(),
                };
                if tests.len() < 2 {
                    all.push(one(vec![file], None));
                } else {
                    let tests = tests.into_iter().map(|test| Some(test.name));
                    all.extend(tests.map(|test| one(vec![file.clone()], test)));
                }
            }
        };
        expand(&mut all, programs);
        if !units.is_empty() {
            all.push(one(units, None));
        }
        expand(&mut all, later);
        Ok(all)
    }

    /// The tests of a file, each a program; `None` if it cannot be read. What can be read only once, such as a pipe, is not read here; what is
    /// wrong with a file is reported when it is parsed.
    pub(super) fn tests(&self, file: &Path, format: Option<Format>) -> Option<Vec<Entry>> {
        let name = shell(file);
        let format = format.or_else(|| Format::of_file(&name).next());
        if format != Some(Format::Rust) || !file.is_file() {
            return None;
        }
        let text = || formats::decoded(&input::bytes(file).ok()?).ok();
        let options = self.rust.on(ParseOptions::new().name(shown(file)), file);
        match (text(), options) {
            (Some(text), Ok(options)) => Format::Rust.entries(&text, &options),
            (None, _) | (_, Err(_)) => None,
        }
    }

    /// The option that chooses the function, as one would type it.
    fn entry_words(&self) -> Option<String> {
        let is_rust = Format::of_file(&self.file()).any(|format| format == Format::Rust);
        let option = if is_rust { "--test" } else { "--entry" };
        self.entry.as_ref().map(|entry| format!("{option} {entry}"))
    }

    /// The options that say what threads execute, as one would type them.
    fn thread_words(&self) -> Vec<String> {
        let setup = self.setup.iter().map(|setup| format!("--setup {setup}"));
        let threads = self
            .thread
            .iter()
            .map(|thread| format!("--thread {thread}"));
        setup.chain(threads).collect()
    }

    /// Whether standard input is read.
    pub(super) fn reads_standard_input(&self) -> bool {
        self.files.iter().any(|file| file.as_os_str() == "-")
    }

    /// The first option that says where headers are.
    pub(super) fn includes(&self) -> Option<&'static str> {
        let paths = [
            ("-I", self.include.is_empty()),
            ("--isystem", self.isystem.is_empty()),
            ("--system-headers", self.system_headers.is_empty()),
            ("--include", self.forced.is_empty()),
            ("--compile-commands", self.compile_commands.is_none()),
        ];
        let (option, _) = paths.into_iter().find(|(_, absent)| !absent)?;
        Some(option)
    }

    /// How a translation unit is preprocessed: as where it is compiled, and then as the command line says.
    fn flags(&self, file: &Path, database: Option<&Database>) -> Result<Flags, String> {
        let mut flags = match database {
            Some(database) => database.flags(file)?,
            None => Flags::default(),
        };
        for define in &self.define {
            let (name, value) = macro_of(define);
            flags.undefines.retain(|other| *other != name);
            flags.defines.push((name, value));
        }
        flags.undefines.extend(self.undefine.iter().cloned());
        flags.folders.user.extend(self.include.iter().cloned());
        flags.folders.system.extend(self.isystem.iter().cloned());
        let instead = self.system_headers.iter().cloned();
        flags.folders.instead.extend(instead);
        flags
            .includes
            .extend(self.forced.iter().map(|file| shell(file)));
        Ok(flags)
    }

    /// These options with what only programs in Rust have.
    fn of_rust(&self, options: ParseOptions, file: &Path) -> Result<ParseOptions, String> {
        if is_of_rust(file) {
            return self.rust.on(options, file);
        }
        match self.rust.of_packages() {
            Some(option) => Err(format!(
                "{option}: only programs in Rust belong to packages, and not `{}`",
                file.display()
            )),
            None => self.rust.without_package(options),
        }
    }

    /// The options of parsing, with the files after the first one.
    ///
    /// # Errors
    ///
    /// The message to print, if a file cannot be read.
    pub(super) fn options(&self, global: &Global) -> Result<(PathBuf, ParseOptions), String> {
        let mut files = Vec::new();
        for file in &self.files {
            files.extend(units(file)?);
        }
        let first = files.remove(0);
        let database = self.compile_commands.as_deref();
        let database = database.map(Database::read).transpose()?;
        let flags = |file: &Path| self.flags(file, database.as_ref());
        let options = options_of(&first, &files, &flags)?.compiler(global.compiler);
        let mut options = self.of_rust(options, &first)?;
        if let Some(entry) = &self.entry {
            options = options.entry(entry);
        }
        for thread in &self.thread {
            options = options.thread(thread.clone());
        }
        if let Some(setup) = &self.setup {
            options = options.setup(setup);
        }
        for (function, model) in &self.model_call {
            options = options.model_call(function, *model);
        }
        if self.explain_refusals {
            options = options.explain_refusals();
        }
        if self.any_number {
            options = options.any_number();
        }
        if self.forbid_stuck {
            options = options.forbid_stuck();
        }
        Ok((first, options.heap(self.heap.into())))
    }
}

/// `FUNCTION=MEANING`
fn call_model(text: &str) -> Result<(String, CallModel), String> {
    let (function, model) = text
        .split_once('=')
        .ok_or_else(|| format!("write what `{text}` does: `{text}=nondet`"))?;
    Ok((function.to_owned(), model.parse()?))
}

fn shell(path: &Path) -> String {
    path.display().to_string()
}

/// A word of a command, in quotes if need be.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=+,:@%*?[]".contains(c);
    if word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The options of parsing a program whose first file is this one.
pub(super) fn options(first: &Path, others: &[PathBuf]) -> Result<ParseOptions, String> {
    let options = options_of(first, others, &|_| Ok(Flags::default()))?;
    if is_of_rust(first) {
        return RustArgs::default().on(options, first);
    }
    Ok(options)
}

/// The same with what each file is preprocessed with.
fn options_of(
    first: &Path,
    others: &[PathBuf],
    flags: &dyn Fn(&Path) -> Result<Flags, String>,
) -> Result<ParseOptions, String> {
    let own = flags(first)?;
    let mut options = own.clone().on(ParseOptions::new().name(shown(first)));
    for file in others {
        let text = formats::decoded(&input::bytes(file)?)
            .map_err(|why| format!("cannot read `{}`: {why}", file.display()))?;
        let its = flags(file)?;
        options = if its == own {
            options.unit(shown(file), text)
        } else {
            options.unit_with(shown(file), text, &its.on(ParseOptions::new()))
        };
    }
    Ok(options)
}

/// Whether a path is named like C, preprocessed or not.
fn is_of_c(path: &Path) -> bool {
    Format::of_file(&shell(path)).eq([Format::C])
}

/// Whether a path is named like Rust.
fn is_of_rust(path: &Path) -> bool {
    Format::of_file(&shell(path)).eq([Format::Rust])
}

/// The name of a file in diagnostics.
pub(super) fn shown(path: &Path) -> String {
    if path.as_os_str() == "-" {
        "<stdin>".to_owned()
    } else {
        path.display().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::database::Folders;
    use crate::formats::FindFile;

    #[test]
    fn a_header_beside_the_including_file_comes_before_those_of_the_folders() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/c/units/queue.c");
        let find = Folders {
            user: vec![corpus.clone()],
            ..Folders::default()
        };
        let from = corpus.join("main.c").display().to_string();
        for (name, from) in [("queue.h", Some(from.as_str())), ("./queue.h", None)] {
            let found = find.find(name, from).expect("it can be read");
            let found = found.expect("it is there").name;
            assert_eq!(Path::new(&found), corpus.join("queue.h"));
        }
        assert_eq!(find.find("absent.h", None), Ok(None));
        assert_eq!(Folders::default().find("queue.h", None), Ok(None));
    }
}
