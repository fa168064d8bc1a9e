//! Warnings about data races of the text: the program is checked as written, access by access, but
//! compilers may reorder, merge or repeat plain accesses.
//!
//! The value analysis names the cells on which plain accesses may conflict. For each of them a search
//! of bounded size looks for a race. **Incomplete:** only executions under SC are searched, which is
//! where the languages define races; if the search is stopped, the accesses *may* race.

use crate::facts::contended;
use crate::formats::{Diagnostic, Parsed};
use crate::program::{Ordered, Ordering, Origin, Site, Suspect};
use crate::search::{Races, data_races};
use crate::verdict::Budget;
use crate::visible::visible_line;
use std::collections::BTreeMap;

/// The number of states for each cell, and for all of them together.
const STATES: usize = 50_000;
const ALL_STATES: usize = 400_000;

/// A file of a text, not the one that was given: a header, or another translation unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OtherFile {
    /// Its name, as it was found.
    pub name: String,
    /// The same without folders, if that is enough to know the file.
    pub short: String,
}

/// A pair of accesses that race, or may race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RaceWarning {
    /// The objects that both access.
    pub objects: Vec<String>,
    /// Where they were written, in the order of the text.
    pub origins: [Origin; 2],
    /// The files of these places, each `None` if it is the one that was given.
    pub files: [Option<OtherFile>; 2],
    /// Whether one of them is atomic or volatile.
    pub mixed: bool,
    /// Whether there is an execution in which they race; otherwise the search was stopped.
    pub certain: bool,
}

impl RaceWarning {
    /// `` plain accesses to `x` race (lines 12 and 20) ``
    pub fn message(&self) -> String {
        let accesses = if self.mixed {
            "a plain access and an atomic one"
        } else {
            "plain accesses"
        };
        let verb = if self.certain { "race" } else { "may race" };
        format!("{accesses} to {} {verb} ({})", self.names(), self.lines())
    }

    /// `lines 12 and 20`, with the files where they are not the one that was given.
    fn lines(&self) -> String {
        let [a, b] = self.origins.map(|origin| origin.line);
        let [first, second] = self.files.each_ref().map(|file| {
            let short = file.as_ref().map(|file| visible_line(&file.short));
            short.map_or_else(String::new, |short| format!(" of {short}"))
        });
        match (self.files[0] == self.files[1], a == b) {
            (true, true) => format!("line {a}{first} in two threads"),
            (true, false) => format!("lines {a} and {b}{first}"),
            (false, _) => format!("line {a}{first}, and line {b}{second}"),
        }
    }

    /// The objects, at most three of them by name.
    pub fn names(&self) -> String {
        let named = self.objects.iter().take(3);
        let named: Vec<String> = named.map(|name| format!("`{name}`")).collect();
        let rest = self.objects.len() - named.len();
        match (named.split_last(), rest) {
            (Some((last, [])), 0) => last.clone(),
            (Some((last, first)), 0) => format!("{} and {last}", first.join(", ")),
            (_, rest) => format!("{} and {rest} more", named.join(", ")),
        }
    }

    /// The warning at its place in the text.
    fn diagnostic(&self) -> Diagnostic {
        let at = self.origins[0];
        let message = format!("{}: a compiler may reorder or merge them", self.message());
        Diagnostic::warning(message, at.start as usize..at.end as usize)
            .note("the verdict is about the text; make the object atomic, or protect it by a lock")
    }
}

/// The data races of a text, one for each pair of places.
pub fn race_warnings(parsed: &Parsed, budget: &Budget) -> Vec<RaceWarning> {
    let Some(ordered) = &parsed.ordered else {
        return Vec::new();
    };
    // One warning for each object: a race that is found, or else a search that does not end.
    let mut objects: BTreeMap<usize, Vec<Suspect>> = BTreeMap::new();
    for suspect in contended(ordered) {
        let region = ordered.program.regions().iter();
        let region = region.take_while(|region| region.base <= suspect.cell);
        objects.entry(region.count() - 1).or_default().push(suspect);
    }
    let (regions, suspects): (Vec<usize>, Vec<Vec<Suspect>>) = objects.into_iter().unzip();
    let budget = budget.with_states(ALL_STATES.min(budget.states));
    let found = data_races(ordered, &suspects, STATES, &budget);
    let mut warnings: Vec<RaceWarning> = Vec::new();
    for (region, races) in regions.into_iter().zip(found) {
        let (pair, certain) = match races {
            Races::Found(pair) => (pair, true),
            Races::Open(pair) => (pair, false),
            Races::None => continue,
        };
        let name = ordered.program.regions()[region].name.clone();
        let warning = warning(ordered, pair, certain);
        let same = |other: &&mut RaceWarning| {
            let lines = other.origins.map(|origin| origin.line);
            lines == warning.origins.map(|origin| origin.line)
                && other.files == warning.files
                && (other.mixed, other.certain) == (warning.mixed, certain)
        };
        if let Some(other) = warnings.iter_mut().find(same) {
            other.objects.push(name);
        } else {
            let objects = vec![name];
            warnings.push(RaceWarning { objects, ..warning });
        }
    }
    warnings
}

fn warning(ordered: &Ordered, pair: [Site; 2], certain: bool) -> RaceWarning {
    let mut origins = pair.map(|site| ordered.program.instruction(site).origin);
    origins.sort_by_key(|origin| (origin.start, origin.end));
    let files = origins.map(|origin| {
        let name = ordered.program.file(origin)?.to_owned();
        let short = ordered
            .program
            .short_file(origin)
            .unwrap_or(&name)
            .to_owned();
        Some(OtherFile { name, short })
    });
    RaceWarning {
        objects: Vec::new(),
        origins,
        files,
        mixed: pair
            .iter()
            .any(|&site| ordered.ordering(site) != Ordering::Plain),
        certain,
    }
}

/// The warnings, each at its place in the text.
pub fn diagnostics(warnings: &[RaceWarning]) -> Vec<Diagnostic> {
    warnings.iter().map(RaceWarning::diagnostic).collect()
}
