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
//! An instance may have fewer copies than have names of their own. The others do not take part: they
//! have ended before their first instruction, and no property mentions them.
//!
//! **Invariant.** Every thread of the program has the same id in its instances, and those that take part
//! have all their locations and instructions. A computation of an instance is, with its copies renamed
//! ([`Program::embedding`]), one of each instance with as many copies or more of each class.

use super::{Copies, Expr, Observable, Program, PropertyKind, Site, ThreadId};
use std::collections::BTreeMap;

/// How many copies of each class an instance has, and which of those with names of their own it has to
/// have.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InstanceSize {
    /// By class, in the order of [`Program::classes`].
    pub counts: Vec<usize>,
    /// Copies that take part; at most as many of each class as there are copies.
    pub needed: Vec<ThreadId>,
}

impl InstanceSize {
    /// The number of copies of all classes.
    pub fn sum(&self) -> usize {
        self.counts.iter().sum()
    }
}

/// All numbers of copies with this sum, one for each class, each of them at least as large as its least.
pub fn counts_with_sum(least: &[usize], sum: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for at in 0..least.len() {
        let after: usize = least[at + 1..].iter().sum();
        let mut longer = Vec::new();
        for one in &all {
            let left = sum.saturating_sub(one.iter().sum::<usize>() + after);
            // The last class takes all that is left.
            let lowest = if at + 1 == least.len() {
                left.max(least[at])
            } else {
                least[at]
            };
            for count in lowest..=left {
                longer.push([one.as_slice(), &[count]].concat());
            }
        }
        all = longer;
    }
    all
}

impl Program {
    /// The threads in any number of copies.
    pub fn classes(&self) -> Vec<ThreadId> {
        let any = |&id: &ThreadId| self.thread(id).copies == Copies::Any;
        self.thread_ids().filter(any).collect()
    }

    /// The thread in any number of copies that this one is, or is a copy of, if there is one.
    pub fn class_of(&self, thread: ThreadId) -> Option<ThreadId> {
        let mut classes = self.classes().into_iter();
        classes.find(|&class| self.are_copies(class, thread))
    }

    /// The threads of a class, in order.
    pub fn class_members(&self, class: ThreadId) -> Vec<ThreadId> {
        let same = |&id: &ThreadId| self.are_copies(class, id);
        self.thread_ids().filter(same).collect()
    }

    fn are_copies(&self, a: ThreadId, b: ThreadId) -> bool {
        let (one, other) = (self.thread(a), self.thread(b));
        a == b || (one.family.is_some() && one.family == other.family && one.runs_like(other))
    }

    /// The copies of a class in one of its instances, in order: without those that do not take part.
    pub fn members_in(&self, instance: &Program, class: ThreadId) -> Vec<ThreadId> {
        let class = self.thread(class);
        let same = |&id: &ThreadId| {
            let thread = instance.thread(id);
            thread.family == class.family && thread.runs_like(class)
        };
        instance.thread_ids().filter(same).collect()
    }

    /// The instance of this size.
    #[must_use]
    pub fn instance(&self, size: &InstanceSize) -> Program {
        let mut program = self.clone();
        let mut out: Vec<ThreadId> = Vec::new();
        // Each class, with the copies that it has already, and as many as it needs.
        let mut wanted: Vec<(ThreadId, usize, usize)> = Vec::new();
        for (class, &count) in self.classes().into_iter().zip(&size.counts) {
            let members = self.class_members(class);
            let is_needed = |id: &ThreadId| size.needed.contains(id);
            let (needed, others): (Vec<_>, Vec<_>) =
                members.iter().copied().partition(|id| is_needed(id));
            let spare = count.saturating_sub(needed.len()).min(others.len());
            out.extend(&others[spare..]);
            wanted.push((class, members.len(), count));
        }
        for &(class, ..) in &wanted {
            program.threads[class.index()].copies = Copies::One;
        }
        for &(class, ..) in &wanted {
            let name = program.free_name(self.thread(class).name());
            program.threads[class.index()].name = name;
        }
        let most = size.counts.iter().copied().max().unwrap_or(0);
        for number in 0..most {
            for &(class, named, count) in &wanted {
                if number >= named && number < count {
                    program.add_copy(class, self.thread(class).name());
                }
            }
        }
        program.leave_out(&out);
        program.made()
    }

    /// Makes these threads end before their first instruction, and the properties that mention them
    /// such that they are never violated.
    fn leave_out(&mut self, out: &[ThreadId]) {
        let is_out = |thread: ThreadId| out.contains(&thread);
        for &thread in out {
            self.threads[thread.index()].stop();
        }
        self.limits.retain(|limit| !is_out(limit.thread));
        self.faults.retain(|site, _| !is_out(site.thread));
        self.reasons.retain(|site, _| !is_out(site.thread));
        for property in &mut self.properties {
            let mut mentions = false;
            property.predicate.for_each_var(&mut |var| match var {
                Observable::At(thread, _) | Observable::Register(thread, _) => {
                    mentions |= is_out(thread);
                }
                Observable::Cell(_) => {}
            });
            if mentions {
                property.predicate = Expr::Const(match property.kind {
                    PropertyKind::FinalAssert => 1,
                    PropertyKind::Forbid
                    | PropertyKind::Exists
                    | PropertyKind::Stuck
                    | PropertyKind::Starved(_) => 0,
                });
            }
        }
    }

    /// By thread of the smaller of two instances of this program: the thread of the larger one that
    /// does the same, such that different threads stay different. Those that are needed are themselves.
    pub fn embedding(&self, smaller: (&Program, &InstanceSize), larger: &Program) -> Vec<ThreadId> {
        let (small, size) = smaller;
        let mut to: Vec<ThreadId> = small.thread_ids().collect();
        for class in self.classes() {
            let members = self.members_in(small, class);
            let mut free = self.members_in(larger, class);
            let stays = |id: &ThreadId| size.needed.contains(id);
            free.retain(|id| !(stays(id) && members.contains(id)));
            let moving = members.into_iter().filter(|id| !stays(id));
            for (member, place) in moving.zip(free) {
                to[member.index()] = place;
            }
        }
        to
    }

    /// The same program, whose first threads have the names of those of another one.
    #[must_use]
    pub fn with_names_of(mut self, other: &Program) -> Program {
        for (thread, named) in self.threads.iter_mut().zip(&other.threads) {
            thread.name.clone_from(&named.name);
        }
        self.made()
    }

    /// The same program with one more thread, which runs the code of this one. Returns the new thread.
    pub fn with_copy(&self, class: ThreadId) -> (Program, ThreadId) {
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
