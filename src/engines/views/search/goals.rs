//! What goals look like on views: a property, with some of the copies for those that it names.

use super::super::stepper::Stepper;
use super::Search;
use crate::program::{Goal, Observable, Program, PropertyKind, ThreadId};

/// What a goal looks like on a view.
pub(super) enum Shown {
    /// Where a thread takes a step.
    Step,
    /// A property: the copies that it names, by thread.
    Property {
        number: usize,
        named: Vec<ThreadId>,
        kind: PropertyKind,
    },
}

impl Search<'_, '_> {
    /// Whether a view shows a property: some choice of its copies for those that are named does.
    ///
    /// A thread that waits forever whatever the others do waits if it acts alone, too. That is what a
    /// view shows of it.
    pub(super) fn shows(&mut self, control: &[u32], copies: &[u32], goal: usize) -> bool {
        let Shown::Property { kind, .. } = self.shown[goal] else {
            return false;
        };
        let mut all = control[1..].iter().chain(copies);
        // By place in the control or among the copies: whether that thread may wait there.
        let mut waits: Vec<bool> = Vec::new();
        match kind {
            PropertyKind::FinalAssert | PropertyKind::Exists => {
                if !all.all(|&local| self.stepper.has_ended(local)) {
                    return false;
                }
            }
            PropertyKind::Stuck => {
                let mut any = false;
                for &local in all {
                    if self.stepper.has_ended(local) {
                        continue;
                    }
                    any = true;
                    if !self.stepper.may_wait(control[0], local) {
                        return false;
                    }
                }
                if !any {
                    return false;
                }
            }
            PropertyKind::Starved(_) => {
                for &local in all {
                    let ended = self.stepper.has_ended(local);
                    waits.push(!ended && self.stepper.may_wait(control[0], local));
                }
            }
            PropertyKind::Forbid => {}
        }
        let Shown::Property { number, named, .. } = &self.shown[goal] else {
            return false;
        };
        self.choose(copies, named, &mut Vec::new(), &mut |chosen| {
            let holds = self.observes(control, copies, *number, named, chosen);
            match kind {
                PropertyKind::Forbid | PropertyKind::Exists | PropertyKind::Stuck => holds,
                PropertyKind::FinalAssert => !holds,
                PropertyKind::Starved(thread) => {
                    let copy = named.iter().position(|&name| name == thread);
                    let single = self.singles.iter().position(|&one| one == thread);
                    let place = match (copy, single) {
                        (Some(copy), _) => Some(self.singles.len() + chosen[copy]),
                        (None, single) => single,
                    };
                    holds && place.is_none_or(|place| waits[place])
                }
            }
        })
    }

    /// Whether some choice of different copies, each of the right class, is as wanted.
    fn choose(
        &self,
        copies: &[u32],
        named: &[ThreadId],
        chosen: &mut Vec<usize>,
        wanted: &mut impl FnMut(&[usize]) -> bool,
    ) -> bool {
        let Some(&thread) = named.get(chosen.len()) else {
            return wanted(chosen);
        };
        let class = self.stepper.classes[thread.index()];
        for (place, &local) in copies.iter().enumerate() {
            if chosen.contains(&place) || self.stepper.parts(local).0 != class {
                continue;
            }
            chosen.push(place);
            let found = self.choose(copies, named, chosen, wanted);
            chosen.pop();
            if found {
                return true;
            }
        }
        false
    }

    fn observes(
        &self,
        control: &[u32],
        copies: &[u32],
        number: usize,
        named: &[ThreadId],
        chosen: &[usize],
    ) -> bool {
        let local = |thread: ThreadId| {
            let single = self.singles.iter().position(|&single| single == thread);
            if let Some(place) = single {
                return control[place + 1];
            }
            let name = named.iter().position(|&name| name == thread);
            copies[chosen[name.unwrap_or_default()]]
        };
        let predicate = &self.stepper.program.properties()[number].predicate;
        let memory = self.stepper.memories.get(control[0]);
        predicate.eval(|observable| match observable {
            Observable::Cell(addr) => memory[addr.index()],
            Observable::At(thread, loc) => i32::from(self.stepper.parts(local(thread)).1 == loc),
            Observable::Register(thread, reg) => self.stepper.parts(local(thread)).2[reg.index()],
        }) != 0
    }
}

pub(super) fn shown(stepper: &Stepper<'_>, goal: Goal) -> Shown {
    let program = stepper.program;
    let number = match goal {
        Goal::Assert(_) | Goal::Outside(_) => return Shown::Step,
        Goal::Property(number) => number,
    };
    let property = &program.properties()[number];
    let mut named = named(program, number);
    if let PropertyKind::Starved(thread) = property.kind
        && program.class_of(thread).is_some()
        && !named.contains(&thread)
    {
        named.push(thread);
        named.sort_unstable();
    }
    Shown::Property {
        number,
        named,
        kind: property.kind,
    }
}

/// The threads of classes that a property names, ascending.
pub(in crate::views) fn named(program: &Program, property: usize) -> Vec<ThreadId> {
    let mut named = Vec::new();
    program.properties()[property]
        .predicate
        .for_each_var(&mut |var| match var {
            Observable::At(thread, _) | Observable::Register(thread, _) => {
                if program.class_of(thread).is_some() {
                    named.push(thread);
                }
            }
            Observable::Cell(_) => {}
        });
    named.sort_unstable();
    named.dedup();
    named
}
