//! A checker of views: does a set of views prove that goals are not reached?
//!
//! A [`ViewCertificate`] lists, for each control, all views of one size. The checker computes the
//! steps of single instructions from the text of the program alone. It has its own rules, without
//! macro-steps and without regard to which registers are dead, and shares no code with the search.
//!
//! **Invariant.** The checker accepts only if the set contains the views of the initial configurations,
//! is closed under all steps of all configurations that the views allow, and no view shows one of the
//! goals. Then no configuration with at least `size` copies reaches a goal; and for goals other than
//! those about the end, none with fewer, because copies need not move.
//!
//! An atomic block is one step here as well: no other thread moves while one is inside, and predicates
//! are not evaluated there.

mod rules;

use fencepost::Budget;
use fencepost::internals::views::{LocalState, ViewCertificate, ViewTable};
use fencepost::program::{Goal, LocId, Observable, Program, PropertyKind, ThreadId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Why a certificate is rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection(pub String);

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Checks that a set of views proves that the goals are reached with no number of copies.
///
/// Goals are those of the program; a goal at a copy that a property names is that of its class.
///
/// # Errors
///
/// What is wrong with the set, or with the goals: views prove nothing about threads that wait forever,
/// nor about ends with fewer copies than a view has.
pub fn verify_views(
    program: &Program,
    goals: &[Goal],
    certificate: &ViewCertificate,
    budget: &Budget,
) -> Result<(), Rejection> {
    let checker = Checker::new(program, certificate)?;
    checker.goals(goals)?;
    checker.initial()?;
    for control in 0..certificate.tables.len() {
        if budget.is_stopped() {
            return Err(Rejection(
                "stopped before everything was checked".to_owned(),
            ));
        }
        checker.closed(control, goals)?;
    }
    Ok(())
}

/// The memory, and the local states of the threads that exist once.
type Control<'a> = (&'a [i32], &'a [u32]);

/// A set of views, found by control.
struct Checker<'a> {
    program: &'a Program,
    certificate: &'a ViewCertificate,
    numbers: BTreeMap<&'a LocalState, u32>,
    /// By memory and single threads: the views.
    views: BTreeMap<Control<'a>, BTreeSet<&'a [u32]>>,
    /// The threads that exist once.
    singles: Vec<ThreadId>,
}

fn reject<T>(why: impl Into<String>) -> Result<T, Rejection> {
    Err(Rejection(why.into()))
}

impl<'a> Checker<'a> {
    fn new(program: &'a Program, certificate: &'a ViewCertificate) -> Result<Self, Rejection> {
        let singles: Vec<ThreadId> = program
            .thread_ids()
            .filter(|&thread| program.class_of(thread).is_none())
            .collect();
        if certificate.size == 0 {
            return reject("views of no copies");
        }
        let mut checker = Self {
            program,
            certificate,
            numbers: BTreeMap::new(),
            views: BTreeMap::new(),
            singles,
        };
        for (number, local) in certificate.locals.iter().enumerate() {
            checker.well_formed(local)?;
            if checker.numbers.insert(local, number as u32).is_some() {
                return reject(format!("local state {number} is listed twice"));
            }
        }
        for (number, table) in certificate.tables.iter().enumerate() {
            let views = checker.table(number, table)?;
            let key = (table.memory.as_slice(), table.singles.as_slice());
            if checker.views.insert(key, views).is_some() {
                return reject(format!("control {number} is listed twice"));
            }
        }
        Ok(checker)
    }

    fn well_formed(&self, local: &LocalState) -> Result<(), Rejection> {
        let index = local.thread as usize;
        let Some(thread) = self.program.threads().get(index) else {
            return reject(format!("there is no thread {index}"));
        };
        let location = thread.locations().get(local.location as usize);
        if location.is_none_or(|location| location.atomic)
            || local.registers.len() != thread.registers().len()
        {
            return reject(format!("a local state of thread {index} is malformed"));
        }
        Ok(())
    }

    fn table(&self, number: usize, table: &'a ViewTable) -> Result<BTreeSet<&'a [u32]>, Rejection> {
        let malformed = || reject(format!("control {number} is malformed"));
        let thread_of = |local: u32| {
            let local = self.certificate.locals.get(local as usize)?;
            Some(ThreadId(local.thread))
        };
        let are_singles = table
            .singles
            .iter()
            .map(|&local| thread_of(local))
            .eq(self.singles.iter().map(|&single| Some(single)));
        if table.memory.len() != self.program.cell_count() || !are_singles {
            return malformed();
        }
        let classes = self.program.classes();
        let mut views = BTreeSet::new();
        for view in &table.views {
            let is_copy = |&local: &u32| {
                let thread = thread_of(local);
                thread.is_some_and(|thread| classes.contains(&thread))
            };
            if view.len() != self.certificate.size || !view.is_sorted() || !view.iter().all(is_copy)
            {
                return malformed();
            }
            views.insert(view.as_slice());
        }
        Ok(views)
    }

    /// Whether views of this size prove anything about the goals.
    fn goals(&self, goals: &[Goal]) -> Result<(), Rejection> {
        let members = |class: ThreadId| self.program.class_members(class).len();
        let least: usize = self.program.classes().into_iter().map(members).sum();
        for &goal in goals {
            let number = match goal {
                Goal::Property(number) => number,
                Goal::Assert(_) | Goal::Outside(_) => continue,
            };
            let Some(property) = self.program.properties().get(number) else {
                return reject(format!("there is no property {number}"));
            };
            match property.kind {
                PropertyKind::Forbid | PropertyKind::FinalAssert | PropertyKind::Exists
                    if self.named(number).len() > self.certificate.size =>
                {
                    return reject("a view has fewer copies than a property names");
                }
                PropertyKind::FinalAssert | PropertyKind::Exists
                    if self.certificate.size > least =>
                {
                    return reject("ends with fewer copies than a view has are not covered");
                }
                PropertyKind::Forbid | PropertyKind::FinalAssert | PropertyKind::Exists => {}
                PropertyKind::Stuck | PropertyKind::Starved(_) => {
                    return reject("views prove nothing about threads that wait");
                }
            }
        }
        Ok(())
    }

    /// The threads of classes that a property names.
    fn named(&self, property: usize) -> BTreeSet<ThreadId> {
        let mut named = BTreeSet::new();
        let predicate = &self.program.properties()[property].predicate;
        predicate.for_each_var(&mut |observable| match observable {
            Observable::At(thread, _) | Observable::Register(thread, _) => {
                named.insert(thread);
            }
            Observable::Cell(_) => {}
        });
        named.retain(|&thread| self.program.class_of(thread).is_some());
        named
    }

    /// The views of the initial configurations are there.
    fn initial(&self) -> Result<(), Rejection> {
        let first = |thread: ThreadId| {
            let automaton = self.program.thread(thread);
            let registers = automaton.registers().iter();
            let local = LocalState {
                thread: thread.0,
                location: automaton.entry().0,
                registers: registers.map(|register| register.init).collect(),
            };
            self.number(&local)
        };
        let singles: Result<Vec<u32>, Rejection> =
            self.singles.iter().map(|&thread| first(thread)).collect();
        let mut copies: BTreeSet<u32> = BTreeSet::new();
        let classes = self.program.classes();
        for &class in &classes {
            copies.insert(first(class)?);
        }
        let singles = singles?;
        let mut views: Vec<Vec<u32>> = vec![Vec::new()];
        for _ in 0..self.certificate.size {
            let longer = views.iter().flat_map(|view| {
                let more = copies.iter().filter(|&&copy| view.last() <= Some(&copy));
                more.map(|&copy| [view.as_slice(), &[copy]].concat())
            });
            views = longer.collect();
        }
        for view in views {
            self.contains(self.program.initial_memory(), &singles, &view)?;
        }
        Ok(())
    }

    fn number(&self, local: &LocalState) -> Result<u32, Rejection> {
        match self.numbers.get(local) {
            Some(&number) => Ok(number),
            None => reject(format!(
                "a local state of thread {} that is reached is missing",
                local.thread
            )),
        }
    }

    fn contains(&self, memory: &[i32], singles: &[u32], view: &[u32]) -> Result<(), Rejection> {
        let views = self.views.get(&(memory, singles));
        if views.is_some_and(|views| views.contains(view)) {
            Ok(())
        } else {
            reject("a view that is reached is missing")
        }
    }

    /// Every step from the views with one control leads to views that are there, and no goal is shown.
    fn closed(&self, control: usize, goals: &[Goal]) -> Result<(), Rejection> {
        let ViewTable {
            memory, singles, ..
        } = &self.certificate.tables[control];
        let Some(views) = self.views.get(&(memory.as_slice(), singles.as_slice())) else {
            return reject("a control is missing");
        };
        let mut locals: BTreeSet<u32> = BTreeSet::new();
        locals.extend(views.iter().flat_map(|view| view.iter().copied()));
        let mut steps: BTreeMap<u32, Vec<(u32, Vec<i32>)>> = BTreeMap::new();
        for &local in locals.iter().chain(singles) {
            steps.insert(local, self.steps(local, memory, goals)?);
        }
        for &view in views {
            self.shows_none(memory, singles, view, goals)?;
            for (place, single) in singles.iter().enumerate() {
                for (after, memory) in &steps[single] {
                    let mut moved = singles.clone();
                    moved[place] = *after;
                    self.contains(memory, &moved, view)?;
                }
            }
            for (place, local) in view.iter().enumerate() {
                for (after, memory) in &steps[local] {
                    let mut moved = view.to_vec();
                    moved[place] = *after;
                    moved.sort_unstable();
                    self.contains(memory, singles, &moved)?;
                }
            }
            for more in &locals {
                let mut all = view.to_vec();
                all.push(*more);
                all.sort_unstable();
                let is_allowed = (0..all.len()).all(|place| {
                    let mut rest = all.clone();
                    rest.remove(place);
                    views.contains(rest.as_slice())
                });
                if is_allowed {
                    for (_, after) in &steps[more] {
                        self.contains(after, singles, view)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// No goal about configurations is shown by this view, whichever copies the goal's are.
    fn shows_none(
        &self,
        memory: &[i32],
        singles: &[u32],
        view: &[u32],
        goals: &[Goal],
    ) -> Result<(), Rejection> {
        for &goal in goals {
            let Goal::Property(number) = goal else {
                continue;
            };
            let named: Vec<ThreadId> = self.named(number).into_iter().collect();
            let mut chosen = Vec::new();
            if self.choose(memory, singles, view, number, &named, &mut chosen) {
                return reject(format!("a view shows property {number}"));
            }
        }
        Ok(())
    }

    fn choose(
        &self,
        memory: &[i32],
        singles: &[u32],
        view: &[u32],
        property: usize,
        named: &[ThreadId],
        chosen: &mut Vec<usize>,
    ) -> bool {
        let Some(&thread) = named.get(chosen.len()) else {
            return self.is_shown(memory, singles, view, property, named, chosen);
        };
        let class = self.program.class_of(thread);
        (0..view.len()).any(|place| {
            let local = &self.certificate.locals[view[place] as usize];
            if chosen.contains(&place) || class != Some(ThreadId(local.thread)) {
                return false;
            }
            chosen.push(place);
            let found = self.choose(memory, singles, view, property, named, chosen);
            chosen.pop();
            found
        })
    }

    fn is_shown(
        &self,
        memory: &[i32],
        singles: &[u32],
        view: &[u32],
        property: usize,
        named: &[ThreadId],
        chosen: &[usize],
    ) -> bool {
        let property = &self.program.properties()[property];
        let local = |number: u32| &self.certificate.locals[number as usize];
        let of = |thread: ThreadId| {
            let single = self.singles.iter().position(|&single| single == thread);
            let name = named.iter().position(|&name| name == thread);
            match (single, name) {
                (Some(place), _) => local(singles[place]),
                (None, Some(name)) => local(view[chosen[name]]),
                (None, None) => local(view[0]),
            }
        };
        let holds = property.predicate.eval(|observable| match observable {
            Observable::Cell(addr) => memory[addr.index()],
            Observable::At(thread, loc) => i32::from(of(thread).location == loc.0),
            Observable::Register(thread, reg) => of(thread).registers[reg.index()],
        }) != 0;
        let ended = || {
            let mut all = singles.iter().chain(view);
            all.all(|&number| {
                let LocalState {
                    thread, location, ..
                } = local(number);
                let thread = self.program.thread(ThreadId(*thread));
                thread.is_end(LocId(*location))
            })
        };
        match property.kind {
            PropertyKind::Forbid => holds,
            PropertyKind::FinalAssert => !holds && ended(),
            PropertyKind::Exists => holds && ended(),
            PropertyKind::Stuck | PropertyKind::Starved(_) => true,
        }
    }
}
