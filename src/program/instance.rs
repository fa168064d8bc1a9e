//! Instances: programs in which a thread in any number of copies (`[*]`) has a fixed number of them.
//!
//! A thread with `[*]` and its copies form a *class*. In a program, copies are those with names of their
//! own: a property about `w.0` and `w.1` has `w.0` as a thread beside `w[*]`, which is `w.1` in every
//! instance. Copies never use an identity, so which of them a property names does not matter.
//!
//! Each copy knows its class since it was declared. Equal code alone does not make a copy: a thread that
//! exists once, or another one with `[*]`, may run the same code, and has fences and costs of its own. Nor
//! is a copy whose code was changed alone, as an attacker's is, still one of the class.
//!
//! **Invariant.** Every id of the program is valid in its instances, for the same part, and an
//! instance with more copies only adds threads after those of one with fewer. So a computation of an
//! instance is a computation of the larger ones.

use super::{Copies, Program, Site, ThreadId};
use std::collections::BTreeMap;

impl Program {
    /// The threads in any number of copies.
    pub(crate) fn classes(&self) -> Vec<ThreadId> {
        let any = |&id: &ThreadId| self.thread(id).copies == Copies::Any;
        self.thread_ids().filter(any).collect()
    }

    /// The thread in any number of copies that this one is, or is a copy of, if there is one.
    pub(crate) fn class_of(&self, thread: ThreadId) -> Option<ThreadId> {
        let mut classes = self.classes().into_iter();
        classes.find(|&class| self.are_copies(class, thread))
    }

    /// The threads of a class, in order.
    pub(crate) fn class_members(&self, class: ThreadId) -> Vec<ThreadId> {
        let same = |&id: &ThreadId| self.are_copies(class, id);
        self.thread_ids().filter(same).collect()
    }

    fn are_copies(&self, a: ThreadId, b: ThreadId) -> bool {
        let (one, other) = (self.thread(a), self.thread(b));
        a == b || (one.family.is_some() && one.family == other.family && one.runs_like(other))
    }

    /// The smallest number of copies that an instance can have in every class.
    pub(crate) fn least_copies(&self) -> usize {
        let classes = self.classes().into_iter();
        let least = classes.map(|class| self.class_members(class).len());
        least.max().unwrap_or(1)
    }

    /// The instance in which each class has this many copies, or as many as have names of their own.
    pub(crate) fn instance(&self, copies: usize) -> Program {
        let mut program = self.clone();
        // Each class, with the copies that it has already.
        let mut named: Vec<(ThreadId, usize)> = Vec::new();
        for class in self.classes() {
            program.threads[class.index()].copies = Copies::One;
            named.push((class, self.class_members(class).len()));
        }
        for class in self.classes() {
            let name = program.free_name(self.thread(class).name());
            program.threads[class.index()].name = name;
        }
        for number in 0..copies {
            for &(class, named) in &named {
                if number >= named {
                    program.add_copy(class, self.thread(class).name());
                }
            }
        }
        program.made()
    }

    /// The same program, whose first threads have the names of those of another one.
    pub(crate) fn with_names_of(mut self, other: &Program) -> Program {
        for (thread, named) in self.threads.iter_mut().zip(&other.threads) {
            thread.name.clone_from(&named.name);
        }
        self.made()
    }

    /// The same program with one more thread, which runs the code of this one. Returns the new thread.
    pub(crate) fn with_copy(&self, class: ThreadId) -> (Program, ThreadId) {
        let mut program = self.clone();
        let added = program.add_copy(class, self.thread(class).name());
        (program.made(), added)
    }

    /// `name.0`, or that with the next number that is free.
    fn free_name(&self, name: &str) -> String {
        let names = (0..=self.threads.len()).map(|number| format!("{name}.{number}"));
        let mut free = names.filter(|name| self.find_thread(name).is_none());
        free.next().unwrap_or_default()
    }

    fn add_copy(&mut self, class: ThreadId, name: &str) -> ThreadId {
        let added = ThreadId::from(self.threads.len());
        let mut thread = self.threads[class.index()].clone();
        thread.name = self.free_name(name);
        thread.copies = Copies::One;
        self.threads.push(thread);
        let moved = |site: &Site| Site {
            thread: added,
            ..*site
        };
        let here = |site: &&Site| site.thread == class;
        let limits: Vec<Site> = self.limits.iter().filter(here).map(moved).collect();
        self.limits.extend(limits);
        self.limits.sort_unstable();
        copy_notes(&mut self.faults, class, moved);
        copy_notes(&mut self.reasons, class, moved);
        added
    }
}

fn copy_notes<T: Clone>(
    notes: &mut BTreeMap<Site, T>,
    class: ThreadId,
    moved: impl Fn(&Site) -> Site,
) {
    let own: Vec<(Site, T)> = notes
        .iter()
        .filter(|(site, _)| site.thread == class)
        .map(|(site, note)| (moved(site), note.clone()))
        .collect();
    notes.extend(own);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::parse;
    use crate::program::Thread;

    fn program() -> Program {
        let text = "shared x;
            thread a { x = 1; }
            thread w[*] { local r; r = x; assert(r == 0); here: skip; }
            thread v[*] { x = 2; }
            forbid w.0@here && w.1@here;";
        parse(text).into_program().expect("it parses")
    }

    fn names(program: &Program) -> Vec<&str> {
        program.threads().iter().map(Thread::name).collect()
    }

    #[test]
    fn a_larger_instance_only_adds_threads() {
        let program = program();
        assert_eq!(names(&program), ["a", "w.0", "w", "v"]);
        assert_eq!(program.least_copies(), 2);
        let two = program.instance(2);
        assert_eq!(names(&two), ["a", "w.0", "w.1", "v.0", "v.1"]);
        let three = program.instance(3);
        assert_eq!(
            names(&three),
            ["a", "w.0", "w.1", "v.0", "v.1", "w.2", "v.2"]
        );
        assert!(!three.is_parametric());
        assert_eq!(
            three.goals().len(),
            4,
            "an assertion per copy, and the property"
        );
    }

    #[test]
    fn copies_are_one_class() {
        let program = program();
        let w = program.find_thread("w").expect("it is declared");
        let first = program.find_thread("w.0").expect("it is named");
        assert_eq!(program.class_of(first), Some(w));
        assert_eq!(program.class_members(w), [first, w]);
        let a = program.find_thread("a").expect("it is declared");
        assert_eq!(program.class_of(a), None);
    }

    #[test]
    fn equal_code_alone_does_not_make_a_copy() {
        let text = "shared x;
            thread w[*] { x = 1; }
            thread s { x = 1; }
            thread v[*] { x = 1; }";
        let program = parse(text).into_program().expect("it parses");
        let [w, s, v] = ["w", "s", "v"].map(|name| program.find_thread(name).expect("declared"));
        assert_eq!(program.class_of(s), None);
        assert_eq!(program.class_of(v), Some(v));
        assert_eq!(program.class_members(w), [w]);
        let two = program.instance(2);
        assert_eq!(names(&two), ["w.0", "s", "v.0", "w.1", "v.1"]);
        assert_eq!(two.class_members(w).len(), 2);
    }
}
