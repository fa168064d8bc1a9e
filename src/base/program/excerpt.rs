//! Excerpts: some threads of a program as a program of its own.

use super::computed::Computed;
use super::{Expr, Goal, Observable, Program, Property, Site, Thread, ThreadId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A program of some threads of another one, in which these are numbered from 0 again, and so are the
/// properties that it keeps. It has all cells.
pub struct Excerpt {
    /// The program of these threads.
    pub program: Program,
    numbers: Numbers,
}

/// What the threads and properties of an excerpt are in the whole, by their numbers in the excerpt; ascending.
struct Numbers {
    threads: Vec<ThreadId>,
    properties: Vec<usize>,
}

impl Excerpt {
    /// The excerpt with these threads, ascending, and with the properties among the goals, which are about
    /// these threads only and not about waiting.
    pub fn new(whole: &Program, threads: &[ThreadId], goals: &[Goal]) -> Self {
        let properties = goals.iter().filter_map(|goal| match *goal {
            Goal::Property(number) => Some(number),
            Goal::Assert(_) | Goal::Outside(_) => None,
        });
        let numbers = Numbers {
            threads: threads.to_vec(),
            properties: properties.collect(),
        };
        let limits = whole.limits.iter().filter_map(|&site| numbers.site(site));
        let program = Program {
            name: whole.name.clone(),
            regions: Arc::clone(&whole.regions),
            threads: numbers.threads_of(whole),
            properties: numbers.properties_of(whole),
            limits: limits.collect(),
            continues_past_limits: whole.continues_past_limits,
            calls: whole.calls.clone(),
            faults: numbers.notes(&whole.faults),
            reasons: numbers.notes(&whole.reasons),
            init: Arc::clone(&whole.init),
            files: whole.files.clone(),
            unwritten: whole.unwritten,
            computed: Computed::default(),
        };
        Self {
            program: program.made(),
            numbers,
        }
    }

    /// What a goal of the whole is in the excerpt.
    ///
    /// # Panics
    ///
    /// If the excerpt was made without it.
    pub fn goal(&self, goal: Goal) -> Goal {
        let inside = match goal {
            Goal::Assert(site) => self.numbers.site(site).map(Goal::Assert),
            Goal::Outside(site) => self.numbers.site(site).map(Goal::Outside),
            Goal::Property(number) => {
                let found = self.numbers.properties.binary_search(&number);
                found.ok().map(Goal::Property)
            }
        };
        inside.expect("the excerpt has its goals")
    }

    /// What a thread of the whole is in the excerpt.
    ///
    /// # Panics
    ///
    /// If it is not there.
    pub fn inner(&self, thread: ThreadId) -> ThreadId {
        self.numbers
            .thread(thread)
            .expect("a thread of the excerpt")
    }

    /// What a thread of the excerpt is in the whole.
    pub fn outer(&self, thread: ThreadId) -> ThreadId {
        self.numbers.threads[thread.index()]
    }
}

impl Numbers {
    /// What a thread of the whole is in the excerpt, if it is there.
    fn thread(&self, thread: ThreadId) -> Option<ThreadId> {
        self.threads.binary_search(&thread).ok().map(ThreadId::from)
    }

    fn site(&self, site: Site) -> Option<Site> {
        let thread = self.thread(site.thread)?;
        Some(Site { thread, ..site })
    }

    fn notes<T: Clone>(&self, notes: &BTreeMap<Site, T>) -> BTreeMap<Site, T> {
        let notes = notes.iter();
        notes
            .filter_map(|(&site, note)| Some((self.site(site)?, note.clone())))
            .collect()
    }

    fn threads_of(&self, whole: &Program) -> Vec<Thread> {
        let threads = self.threads.iter().map(|&thread| whole.thread(thread));
        let kept = |thread: &Thread| Thread {
            family: thread.family.and_then(|family| self.thread(family)),
            ..thread.clone()
        };
        threads.map(kept).collect()
    }

    fn properties_of(&self, whole: &Program) -> Vec<Property> {
        let inside = |thread| {
            self.thread(thread)
                .expect("the excerpt has the threads of its goals")
        };
        let kept = |property: &Property| Property {
            predicate: property.predicate.map(&mut |observable| {
                Expr::Var(match observable {
                    Observable::Register(thread, register) => {
                        Observable::Register(inside(thread), register)
                    }
                    Observable::At(thread, loc) => Observable::At(inside(thread), loc),
                    Observable::Cell(cell) => Observable::Cell(cell),
                })
            }),
            ..property.clone()
        };
        let properties = self.properties.iter();
        properties
            .map(|&number| kept(&whole.properties[number]))
            .collect()
    }
}
