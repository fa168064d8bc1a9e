//! How a text is parsed, where the text itself does not say it.
//!
//! There is one type for all formats. What only a compiler's driver would know (macros, folders of
//! headers, more translation units, the function to start with) is refused by formats that have no
//! preprocessor: see [`ParseOptions::needs_preprocessor`].

use super::{Compiler, Crates, Edition};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Finds the files that a text includes, or that are modules of it.
pub trait FindFile: Send + Sync {
    /// The file with this name, as the text writes it. `from` is the name of the file that includes it
    /// if files beside that one count: `#include "file.h"`, and not `#include <file.h>`. `None` if
    /// there is no such file.
    ///
    /// # Errors
    ///
    /// Why a file that is there cannot be read, as a sentence without a full stop.
    fn find(&self, name: &str, from: Option<&str>) -> Result<Option<FoundFile>, String>;

    /// The same for a header of the system that is read instead of a built-in one of this name. There is none
    /// by default.
    ///
    /// # Errors
    ///
    /// As for [`find`](Self::find).
    fn instead_of_built_in(&self, _name: &str) -> Result<Option<FoundFile>, String> {
        Ok(None)
    }
}

impl<F> FindFile for F
where
    F: Fn(&str, Option<&str>) -> Result<Option<FoundFile>, String> + Send + Sync,
{
    fn find(&self, name: &str, from: Option<&str>) -> Result<Option<FoundFile>, String> {
        self(name, from)
    }
}

/// A file that a text includes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundFile {
    /// The name in diagnostics. Two files are the same if their names are.
    pub name: String,
    /// The contents.
    pub text: String,
    /// Whether it is a header of the system: what it declares and what is not supported matters only where it is
    /// used, and no fence is written into it.
    pub system: bool,
}

/// Another translation unit of a program.
#[derive(Clone)]
pub(crate) struct OtherUnit {
    pub(crate) name: String,
    pub(crate) text: String,
    /// The macros and the files that are its own.
    pub(crate) own: Option<Box<ParseOptions>>,
}

/// Threads that execute functions of a library, where no function of the text creates them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Threads {
    /// What is called before they begin.
    pub(crate) setup: Option<String>,
    pub(crate) threads: Vec<StartedThread>,
}

impl Threads {
    /// What is wrong with them, if there is also this function to start with.
    pub(crate) fn conflict(&self, entry: Option<&str>) -> Option<&'static str> {
        match (self.threads.is_empty(), &self.setup, entry) {
            (false, _, Some(_)) => {
                Some("`--entry` and `--thread` both say what the program executes")
            }
            (true, Some(_), _) => Some(
                "`--setup` is called before threads begin that `--thread` names, and there is none",
            ),
            _ => None,
        }
    }
}

/// A function that threads execute: `f`, `f:3` for so many of them, `f:any` for any number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StartedThread {
    pub(crate) function: String,
    /// How many; `None` for any number.
    pub(crate) copies: Option<u16>,
}

impl FromStr for StartedThread {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (function, copies) = match text.split_once(':') {
            None => (text, Some(1)),
            Some((function, "any")) => (function, None),
            Some((function, copies)) => {
                (function, copies.parse().ok().filter(|&copies| copies > 0))
            }
        };
        let is_wrong = copies.is_none() && !text.ends_with(":any");
        if function.is_empty() || is_wrong {
            return Err(format!(
                "`{text}` does not say what threads do: write `FUNCTION`, `FUNCTION:3` or `FUNCTION:any`"
            ));
        }
        Ok(Self {
            function: function.to_owned(),
            copies,
        })
    }
}

impl fmt::Display for StartedThread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let function = &self.function;
        match self.copies {
            Some(1) => write!(f, "{function}"),
            Some(copies) => write!(f, "{function}:{copies}"),
            None => write!(f, "{function}:any"),
        }
    }
}

/// What a call of a function does that has no body, and no meaning here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallModel {
    /// It returns any value of its type, and does nothing else.
    Nondet,
    /// It does nothing.
    Nothing,
    /// It violates a property.
    Violation,
}

impl CallModel {
    /// All, with their names.
    pub const ALL: [(&'static str, CallModel); 3] = [
        ("nondet", CallModel::Nondet),
        ("nothing", CallModel::Nothing),
        ("violation", CallModel::Violation),
    ];
}

impl FromStr for CallModel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut all = Self::ALL.into_iter();
        match all.find(|(name, _)| *name == text) {
            Some((_, model)) => Ok(model),
            None => Err(format!(
                "`{text}` is not what a call does: it is `nondet`, `nothing` or `violation`"
            )),
        }
    }
}

/// Which accesses of cells load them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Loads {
    /// Those of cells that something changes (`lower`).
    #[default]
    Changing,
    /// All.
    All,
}

/// The elements that a collection has room for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Capacity(u16);

impl Capacity {
    pub(crate) fn elements(self) -> u16 {
        self.0
    }
}

impl Default for Capacity {
    fn default() -> Self {
        Self(ParseOptions::CAPACITY)
    }
}

/// Options of parsing; the default for all formats but C and Rust.
///
/// ```
/// use fencepost_front::formats::{Format, ParseOptions, parse_with};
///
/// let text = "int main(void) { __VERIFIER_assert(N == 3); }";
/// let options = ParseOptions::new().define("N", "3");
/// assert!(parse_with(Format::C, text, &options).program.is_some());
/// // Only C has macros.
/// let text = "shared x; thread t { x = 1; }";
/// assert!(parse_with(Format::Fence, text, &options).program.is_none());
/// ```
#[derive(Clone, Default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an independent option"
)]
pub struct ParseOptions {
    pub(crate) compiler: Compiler,
    pub(crate) name: Option<String>,
    pub(crate) defines: Vec<(String, String)>,
    pub(crate) undefines: Vec<String>,
    pub(crate) includes: Vec<String>,
    pub(crate) entry: Option<String>,
    pub(crate) threads: Threads,
    pub(crate) files: Option<Arc<dyn FindFile>>,
    pub(crate) units: Vec<OtherUnit>,
    pub(crate) edit_headers: bool,
    pub(crate) explains_refusals: bool,
    pub(crate) heap: usize,
    pub(crate) capacity: Capacity,
    pub(crate) forbid_stuck: bool,
    /// Whether arithmetic wraps.
    pub(crate) wraps: bool,
    /// Whether `debug_assert!` does nothing.
    pub(crate) omits_debug: bool,
    pub(crate) edition: Option<Edition>,
    pub(crate) crates: Crates,
    pub(crate) cfgs: BTreeSet<(String, Option<String>)>,
    pub(crate) any_number: bool,
    pub(crate) loads: Loads,
    pub(crate) models: BTreeMap<String, CallModel>,
}

impl ParseOptions {
    /// The elements that a collection has room for by default.
    pub const CAPACITY: u16 = 16;

    /// The default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// With the machine code that this compiler produces.
    #[must_use]
    pub fn compiler(mut self, compiler: Compiler) -> Self {
        self.compiler = compiler;
        self
    }

    /// With this name of the text's file, for `__FILE__` and the search beside it.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// With a macro: `("N", "3")`, `("MAX(a, b)", "((a) > (b) ? (a) : (b))")`.
    #[must_use]
    pub fn define(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.defines.push((name.into(), value.into()));
        self
    }

    /// Without a macro that would otherwise be defined before the text begins.
    #[must_use]
    pub fn undefine(mut self, name: impl Into<String>) -> Self {
        self.undefines.push(name.into());
        self
    }

    /// With the function that the program executes, instead of `main`: in Rust, which test.
    #[must_use]
    pub fn entry(mut self, function: impl Into<String>) -> Self {
        self.entry = Some(function.into());
        self
    }

    /// With threads that execute this function, instead of those that `main` creates (C).
    #[must_use]
    pub fn thread(mut self, thread: StartedThread) -> Self {
        self.threads.threads.push(thread);
        self
    }

    /// With a call of this function before the threads of [`thread`](Self::thread) begin.
    #[must_use]
    pub fn setup(mut self, function: impl Into<String>) -> Self {
        self.threads.setup = Some(function.into());
        self
    }

    /// With a way to find the files that the text includes. Without one, there are only built-in
    /// headers.
    #[must_use]
    pub fn files(mut self, files: Arc<dyn FindFile>) -> Self {
        self.files = Some(files);
        self
    }

    /// With another translation unit of the program.
    #[must_use]
    pub fn unit(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.units.push(OtherUnit {
            name: name.into(),
            text: text.into(),
            own: None,
        });
        self
    }

    /// With another translation unit that is preprocessed by options of its own: their macros, and their ways to
    /// find files. All else is the same for the whole program.
    #[must_use]
    pub fn unit_with(
        mut self,
        name: impl Into<String>,
        text: impl Into<String>,
        own: &ParseOptions,
    ) -> Self {
        self.units.push(OtherUnit {
            name: name.into(),
            text: text.into(),
            own: Some(Box::new(own.clone())),
        });
        self
    }

    /// With a file that is included before the text begins.
    #[must_use]
    pub fn include(mut self, file: impl Into<String>) -> Self {
        self.includes.push(file.into());
        self
    }

    /// With a warning for each part of a text in C that is not supported and that nothing needs.
    #[must_use]
    pub fn explain_refusals(mut self) -> Self {
        self.explains_refusals = true;
        self
    }

    /// With changes of a program written into the files that it includes, too.
    #[must_use]
    pub fn edit_headers(mut self) -> Self {
        self.edit_headers = true;
        self
    }

    /// With this many blocks for each allocation that a thread may execute repeatedly, so that the
    /// number of blocks is not known. An execution that needs more is not covered. By default, 0: such
    /// allocations are refused.
    #[must_use]
    pub fn heap(mut self, blocks: usize) -> Self {
        self.heap = blocks;
        self
    }

    /// With room for this many elements in each collection of the library, which an execution is covered that needs no more than
    /// (Rust). By default, 16.
    #[must_use]
    pub fn capacity(mut self, elements: u16) -> Self {
        self.capacity = Capacity(elements);
        self
    }

    /// With `forbid stuck` as a property of the program, if the text does not state it.
    #[must_use]
    pub fn forbid_stuck(mut self) -> Self {
        self.forbid_stuck = true;
        self
    }

    /// With any number of threads from each loop that creates some, whatever its condition is. The rest of
    /// the text keeps the numbers that it states.
    #[must_use]
    pub fn any_number(mut self) -> Self {
        self.any_number = true;
        self
    }

    /// With a load for each access of a cell that nothing changes, whose value is known otherwise. For tests: the verdicts
    /// are the same, where both programs are read.
    #[doc(hidden)]
    #[must_use]
    pub fn load_all(mut self) -> Self {
        self.loads = Loads::All;
        self
    }

    /// With this meaning of a function that has no body.
    #[must_use]
    pub fn model_call(mut self, function: impl Into<String>, model: CallModel) -> Self {
        self.models.insert(function.into(), model);
        self
    }

    /// As in release builds of Rust: without overflow checks and debug assertions.
    #[must_use]
    pub fn release(self) -> Self {
        self.overflow_checks(false).debug_assertions(false)
    }

    /// Whether it is a violation if a result does not fit into its type, as by default and in `cargo test`; otherwise
    /// arithmetic wraps (Rust).
    #[must_use]
    pub fn overflow_checks(mut self, are_on: bool) -> Self {
        self.wraps = !are_on;
        self
    }

    /// Whether `cfg(debug_assertions)` holds, as by default and in `cargo test`; otherwise `debug_assert!` and its like
    /// do nothing (Rust).
    #[must_use]
    pub fn debug_assertions(mut self, are_on: bool) -> Self {
        self.omits_debug = !are_on;
        self
    }

    /// In this edition of Rust, whatever the text and its package state.
    #[must_use]
    pub fn edition(mut self, edition: Edition) -> Self {
        self.edition = Some(edition);
        self
    }

    /// An option that is set and that only formats with functions support, as the command line names
    /// it.
    pub(crate) fn needs_functions(&self) -> Option<&'static str> {
        let set = [
            (self.entry.is_some(), "--entry"),
            (self.heap > 0, "--heap"),
            (self.any_number, "--any-number"),
        ];
        let mut set = set.into_iter().filter(|(is_set, _)| *is_set);
        set.next().map(|(_, option)| option)
    }

    /// An option that is set and that only formats with builds support, as the command line names it.
    pub(crate) fn needs_builds(&self) -> Option<&'static str> {
        let set = [
            (self.wraps || self.omits_debug, "--release"),
            (self.edition.is_some(), "--edition"),
            (!self.cfgs.is_empty(), "--cfg"),
        ];
        let mut set = set.into_iter().filter(|(is_set, _)| *is_set);
        set.next().map(|(_, option)| option)
    }

    /// An option that is set and that only formats with a preprocessor support, as the command line
    /// names it.
    pub(crate) fn needs_preprocessor(&self) -> Option<&'static str> {
        let set = [
            (!self.defines.is_empty(), "-D"),
            (!self.undefines.is_empty(), "-U"),
            (!self.models.is_empty(), "--model-call"),
            (!self.threads.threads.is_empty(), "--thread"),
            (self.threads.setup.is_some(), "--setup"),
            (!self.units.is_empty(), "several files"),
            (self.edit_headers, "--edit-headers"),
            (self.explains_refusals, "--explain-refusals"),
        ];
        let mut set = set.into_iter().filter(|(is_set, _)| *is_set);
        set.next().map(|(_, option)| option)
    }
}

impl fmt::Debug for ParseOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units: Vec<&str> = self.units.iter().map(|unit| unit.name.as_str()).collect();
        f.debug_struct("ParseOptions")
            .field("compiler", &self.compiler)
            .field("name", &self.name)
            .field("defines", &self.defines)
            .field("undefines", &self.undefines)
            .field("includes", &self.includes)
            .field("entry", &self.entry)
            .field("threads", &self.threads)
            .field("finds_files", &self.files.is_some())
            .field("units", &units)
            .field("edit_headers", &self.edit_headers)
            .field("explains_refusals", &self.explains_refusals)
            .field("heap", &self.heap)
            .field("capacity", &self.capacity)
            .field("forbid_stuck", &self.forbid_stuck)
            .field("wraps", &self.wraps)
            .field("omits_debug", &self.omits_debug)
            .field("edition", &self.edition)
            .field("crates", &self.crates)
            .field("cfgs", &self.cfgs)
            .field("any_number", &self.any_number)
            .field("loads", &self.loads)
            .field("models", &self.models)
            .finish()
    }
}
