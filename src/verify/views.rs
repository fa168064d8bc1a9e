//! Evidence by views: what any number of copies have in common, seen through some of them at a time.
//!
//! A configuration is a *control* (all that is not a copy) and the local states of the copies, of which
//! there are any number. Copies have no identity. A *view* is a control with `k` of the local states. A
//! set of views proves that nothing bad is reached, with any number of copies, if
//!
//! ```text
//! (initial)  it contains each view of the initial configurations
//! (others)   (g, m) in it, a thread that is no copy moves g to g'      ⇒ (g', m) in it
//! (seen)     (g, m) in it, a copy in m moves: g to g', m to m'         ⇒ (g', m') in it
//! (unseen)   all views of (g, m + l) in it, l moves g to g'            ⇒ (g', m) in it
//! (good)     nothing bad is seen in any of its views
//! ```
//!
//! *Why.* All views of each reachable configuration are in the set, by induction. Take a step, and a view
//! after it. If the mover is no copy, (others); if it is in the view, (seen). Else the view and the mover
//! are `k + 1` copies of the configuration before, all their views are in the set, and (unseen) applies
//! [Abdulla, Haziza, Holík, VMCAI 2013]. What is bad is seen in a view: no access, assertion or property
//! is about more than `k` copies.
//!
//! A configuration with fewer copies than `k` has no view. If it is bad, so is the one in which further
//! copies have not moved; unless it is bad because *all* threads have ended, or wait. Where a property is
//! about that, there is one more set for each smaller number of copies: of all configurations with that
//! many, without (unseen), as there is no copy that is not seen.
//!
//! A copy is never seen inside an atomic block: it takes a block in one step, as nothing else moves in
//! between. Nor is it seen, but for its entry, where it only [computes](silent) with its own registers.

mod family;
mod silent;

pub use family::{Family, Needs};

use super::Refusal;
use super::closed::encoded;
use super::codec::{self, Numbers};
use std::collections::{HashMap, HashSet};

/// Views have at most this many copies.
pub const MOST_COPIES: usize = 8;

/// An atomic block with more states than this is not followed.
const MOST_INSIDE: usize = 50_000;

/// A set that takes more looks than this is given up.
const MOST_LOOKS: u64 = 1_000_000_000;

/// The controls and local states after the steps of one thread.
pub type Moves = Vec<(Vec<u8>, Vec<u8>)>;

/// The steps of a family, between controls and local states as bytes.
#[derive(Debug)]
pub struct Stepper<'f, F> {
    family: &'f F,
    /// The threads that exist once.
    others: Vec<usize>,
    /// The threads with `[*]`.
    pub classes: Vec<usize>,
    /// By class and location: whether copies are not seen there.
    silent: Vec<Vec<bool>>,
}

impl<'f, F: Family> Stepper<'f, F> {
    /// Of this family.
    pub fn new(family: &'f F) -> Self {
        let classes = family.program().classes();
        let is_copy = |t: &usize| classes.iter().any(|class| class.members.contains(t));
        let others = (0..family.program().threads.len()).filter(|t| !is_copy(t));
        Self {
            family,
            others: others.collect(),
            classes: classes.iter().map(|class| class.thread).collect(),
            silent: classes
                .iter()
                .map(|class| silent::silent(family.program(), class.thread))
                .collect(),
        }
    }

    /// Whether a copy is not seen in a state.
    fn is_unseen(&self, state: &F::State, class: usize) -> bool {
        let at = self.family.location(state, class);
        let mut silent = self.classes.iter().zip(&self.silent);
        let silent = silent.any(|(other, silent)| *other == class && silent[at]);
        silent || self.family.inside(state) == Some(class)
    }

    /// The initial control.
    pub fn initial(&self) -> Vec<u8> {
        encoded(self.family, &self.family.initial())
    }

    /// The initial local state of each class, in their order.
    pub fn initial_locals(&self) -> Vec<Vec<u8>> {
        let initial = self.family.initial();
        let classes = self.classes.iter();
        classes.map(|&class| self.local(&initial, class)).collect()
    }

    fn local(&self, state: &F::State, thread: usize) -> Vec<u8> {
        let (mut numbers, mut bytes) = (vec![thread as i32], Vec::new());
        self.family.write_local(state, thread, &mut numbers);
        codec::numbers(&numbers, &mut bytes);
        bytes
    }

    /// The control with these bytes; `None` if there is none.
    pub fn control(&self, bytes: &[u8]) -> Option<F::State> {
        let mut numbers = Numbers(bytes);
        let state = self.family.read(&mut numbers)?;
        (numbers.0.is_empty() && encoded(self.family, &state) == bytes).then_some(state)
    }

    /// The class of a local state.
    pub fn class(&self, local: &[u8]) -> Option<usize> {
        let class = Numbers(local).below(self.family.program().threads.len())?;
        self.classes.contains(&class).then_some(class)
    }

    /// Gives a thread the local state with these bytes, whose class has the same code.
    fn give(&self, state: &mut F::State, thread: usize, local: &[u8]) -> Option<()> {
        let mut numbers = Numbers(local);
        numbers.next()?;
        self.family.read_local(state, thread, &mut numbers)?;
        numbers.0.is_empty().then_some(())
    }

    /// The controls after the steps of the threads that exist once.
    ///
    /// # Errors
    ///
    /// What is bad about their next steps.
    pub fn others(&self, control: &F::State) -> Result<Vec<Vec<u8>>, String> {
        let mut found = Vec::new();
        for &thread in &self.others {
            if let Some(why) = self.family.fails(control, thread) {
                return Err(why);
            }
            self.family.steps_of(control, thread, &mut |next| {
                found.push(encoded(self.family, &next));
            });
        }
        Ok(found)
    }

    /// The controls and local states after the steps of a copy; `None` if it has no such local state.
    ///
    /// # Errors
    ///
    /// What is bad about its next steps.
    pub fn moves(&self, control: &F::State, local: &[u8]) -> Option<Result<Moves, String>> {
        let class = self.class(local)?;
        let mut state = control.clone();
        self.give(&mut state, class, local)?;
        // While another thread is inside a block, nothing else moves.
        match self.family.inside(&state) {
            None => {}
            Some(other) if other == class => return None,
            Some(_) => return Some(Ok(Vec::new())),
        }
        let initial = self.local(&self.family.initial(), class);
        let (mut found, mut seen, mut work) = (Vec::new(), HashSet::new(), vec![state]);
        while let Some(state) = work.pop() {
            if let Some(why) = self.family.fails(&state, class) {
                return Some(Err(why));
            }
            let mut goes_on = false;
            self.family.steps_of(&state, class, &mut |next| {
                goes_on = true;
                if !self.is_unseen(&next, class) {
                    found.push(next);
                } else if seen.insert((encoded(self.family, &next), self.local(&next, class))) {
                    work.push(next);
                }
            });
            // A copy that cannot go on stays where it is.
            if !goes_on && self.family.inside(&state).is_none() {
                found.push(state);
            }
            if seen.len() > MOST_INSIDE {
                return Some(Err("an atomic block has too many states".to_owned()));
            }
        }
        let apart = |mut state: F::State| {
            let local = self.local(&state, class);
            let _ = self.give(&mut state, class, &initial);
            (encoded(self.family, &state), local)
        };
        let mut moves: Moves = found.into_iter().map(apart).collect();
        moves.sort_unstable();
        moves.dedup();
        Some(Ok(moves))
    }

    /// What is bad about a view with these local states.
    pub fn seen(&self, control: &F::State, copies: &[&[u8]]) -> Option<String> {
        let classes = copies.iter().filter_map(|local| self.class(local));
        let classes: Vec<usize> = classes.collect();
        self.family.seen(control, &classes, &|state, thread, copy| {
            let _ = self.give(state, thread, copies[copy]);
        })
    }
}

/// All ways to take this many of the numbers below `choices`, each in ascending order.
pub fn multisets(choices: usize, size: usize) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..size {
        let longer = all.iter().flat_map(|taken| {
            let first = taken.last().copied().unwrap_or(0);
            (first..choices as u32).map(|next| [taken.as_slice(), &[next]].concat())
        });
        all = longer.collect();
    }
    all
}

/// A set of views as text: `locals` and `controls` are byte strings, and a view is the number of its
/// control and those of its local states, ascending.
#[derive(Clone, Copy, Debug)]
pub struct Packed<'t> {
    /// All local states.
    pub locals: &'t str,
    /// All controls.
    pub controls: &'t str,
    /// All views.
    pub views: &'t str,
}

/// Byte strings, none of them twice, by their numbers.
struct Strings {
    list: Vec<Vec<u8>>,
    numbers: HashMap<Vec<u8>, u32>,
}

impl Strings {
    fn unpack(text: &str, what: &str) -> Result<Self, Refusal> {
        let mut strings = Self {
            list: Vec::new(),
            numbers: HashMap::new(),
        };
        for string in unpacked(text, what)? {
            let number = strings.list.len() as u32;
            if strings.numbers.insert(string.clone(), number).is_some() {
                return Err(Refusal::refuted(format!(
                    "one of the {what} is there twice"
                )));
            }
            strings.list.push(string);
        }
        Ok(strings)
    }

    fn number(&self, string: &[u8], what: &str) -> Result<u32, Refusal> {
        let number = self.numbers.get(string).copied();
        number.ok_or_else(|| {
            Refusal::refuted(format!(
                "one of the {what} that are reached is not in the set"
            ))
        })
    }
}

const LOCALS: &str = "local states";
const CONTROLS: &str = "controls";

fn unpacked(text: &str, what: &str) -> Result<Vec<Vec<u8>>, Refusal> {
    let strings = codec::strings(text);
    strings.ok_or_else(|| Refusal::refuted(format!("the {what} cannot be unpacked")))
}

/// A set of views, unpacked.
struct Set<'f, F> {
    stepper: Stepper<'f, F>,
    size: usize,
    /// Whether there are no other copies than those that are seen.
    exact: bool,
    locals: Strings,
    controls: Strings,
    /// The number of the control and those of the local states.
    views: HashSet<Vec<u32>>,
    scratch: Vec<u32>,
    looks: u64,
}

/// Checks that a set of views proves that nothing bad is reached: with at least `size` copies, or with
/// exactly so many. Returns the number of its views.
///
/// # Errors
///
/// The first view at fault.
pub(super) fn check<F: Family>(
    family: &F,
    size: usize,
    exact: bool,
    packed: Packed<'_>,
) -> Result<usize, Refusal> {
    let needs = family.needs();
    if size == 0 || size > MOST_COPIES || size < needs.copies && !exact {
        return Err(Refusal::refuted(format!(
            "a property needs views of {} to {MOST_COPIES} copies",
            needs.copies.max(1)
        )));
    }
    // Without one there is no initial view.
    if !family.program().is_parametric() {
        return Err(Refusal::refuted("views are about threads with `[*]` only"));
    }
    let listed = unpacked(packed.views, "views")?;
    let mut set = Set {
        stepper: Stepper::new(family),
        size,
        exact,
        views: HashSet::with_capacity(listed.len()),
        locals: Strings::unpack(packed.locals, LOCALS)?,
        controls: Strings::unpack(packed.controls, CONTROLS)?,
        scratch: Vec::new(),
        looks: 0,
    };
    let mut of_control: Vec<Vec<Vec<u32>>> = vec![Vec::new(); set.controls.list.len()];
    for bytes in &listed {
        let view = set.view(bytes);
        let view = view.ok_or_else(|| Refusal::refuted("a view is none of the program"))?;
        of_control[view[0] as usize].push(view[1..].to_vec());
        if !set.views.insert(view) {
            return Err(Refusal::refuted("a view is there twice"));
        }
    }
    drop(listed);
    set.initial()?;
    for (number, views) in of_control.iter().enumerate() {
        set.closed(number as u32, views)?;
    }
    Ok(set.views.len())
}

impl<F: Family> Set<'_, F> {
    fn view(&self, bytes: &[u8]) -> Option<Vec<u32>> {
        let mut numbers = Numbers(bytes);
        let mut view = vec![numbers.below(self.controls.list.len())? as u32];
        for _ in 0..self.size {
            view.push(numbers.below(self.locals.list.len())? as u32);
        }
        (numbers.0.is_empty() && view[1..].is_sorted()).then_some(view)
    }

    fn has(&mut self, control: u32, copies: &[u32]) -> bool {
        self.looks += 1;
        self.scratch.clear();
        self.scratch.push(control);
        self.scratch.extend_from_slice(copies);
        self.views.contains(&self.scratch)
    }

    fn contains(&mut self, control: u32, copies: &[u32]) -> Result<(), Refusal> {
        if self.has(control, copies) {
            Ok(())
        } else {
            Err(Refusal::refuted(format!(
                "a view that is reached is not in the set: control {control}, copies {copies:?}"
            )))
        }
    }

    /// (initial)
    fn initial(&mut self) -> Result<(), Refusal> {
        let initial = self.stepper.initial_locals();
        let control = self.controls.number(&self.stepper.initial(), CONTROLS)?;
        for taken in multisets(initial.len(), self.size) {
            let has = |class: usize| taken.contains(&(class as u32));
            if self.exact && !(0..initial.len()).all(has) {
                continue;
            }
            let locals = taken.iter().map(|&class| &initial[class as usize]);
            let numbers = locals.map(|local| self.locals.number(local, LOCALS));
            let mut copies: Vec<u32> = numbers.collect::<Result<_, _>>()?;
            copies.sort_unstable();
            self.contains(control, &copies)?;
        }
        Ok(())
    }

    /// The numbers of the controls and local states after the steps of a copy.
    fn moves(&self, control: &F::State, local: u32) -> Result<Vec<(u32, u32)>, Refusal> {
        let moves = self
            .stepper
            .moves(control, &self.locals.list[local as usize]);
        let moves =
            moves.ok_or_else(|| Refusal::refuted("a local state is none of the program"))?;
        let mut found = Vec::new();
        for (control, local) in moves.map_err(Refusal::refuted)? {
            found.push((
                self.controls.number(&control, CONTROLS)?,
                self.locals.number(&local, LOCALS)?,
            ));
        }
        Ok(found)
    }

    /// (others), (seen), (unseen) and (good), for the views of one control.
    fn closed(&mut self, number: u32, views: &[Vec<u32>]) -> Result<(), Refusal> {
        // With fewer copies than threads with `[*]` there are no configurations, and no views.
        if views.is_empty() {
            return Ok(());
        }
        let control = self.stepper.control(&self.controls.list[number as usize]);
        let control =
            control.ok_or_else(|| Refusal::refuted("a control is none of the program"))?;
        let others = self.stepper.others(&control).map_err(Refusal::refuted)?;
        let others: Vec<u32> = others
            .iter()
            .map(|control| self.controls.number(control, CONTROLS))
            .collect::<Result<_, _>>()?;
        let mut locals: Vec<u32> = views.iter().flatten().copied().collect();
        locals.sort_unstable();
        locals.dedup();
        let mut moves: HashMap<u32, Vec<(u32, u32)>> = HashMap::new();
        for &local in &locals {
            moves.insert(local, self.moves(&control, local)?);
        }
        // Where the control stays as it is, a copy that is not seen changes nothing.
        let mut unseen: Vec<(u32, Vec<u32>)> = Vec::new();
        for &local in locals.iter().filter(|_| !self.exact) {
            let after = moves[&local].iter().map(|&(control, _)| control);
            let mut after: Vec<u32> = after.filter(|&after| after != number).collect();
            after.sort_unstable();
            after.dedup();
            if !after.is_empty() {
                unseen.push((local, after));
            }
        }
        let choices = self.stepper.family.needs().choices(self.size);
        for view in views {
            self.looks += choices;
            let copies = view.iter();
            let copies: Vec<&[u8]> = copies.map(|&l| &self.locals.list[l as usize][..]).collect();
            if let Some(why) = self.stepper.seen(&control, &copies) {
                return Err(Refusal::refuted(format!("a view is bad: {why}")));
            }
            for &after in &others {
                self.contains(after, view)?;
            }
            for (place, local) in view.iter().enumerate() {
                for &(after, moved) in &moves[local] {
                    let mut copies = view.clone();
                    copies[place] = moved;
                    copies.sort_unstable();
                    self.contains(after, &copies)?;
                }
            }
            for (local, after) in &unseen {
                let mut all = [view.as_slice(), &[*local]].concat();
                all.sort_unstable();
                let possible = (0..all.len()).all(|place| {
                    let mut rest = all.clone();
                    rest.remove(place);
                    self.has(number, &rest)
                });
                for &after in after.iter().filter(|_| possible) {
                    self.contains(after, view)?;
                }
            }
            if self.looks > MOST_LOOKS {
                return Err(Refusal::refuted("to check the views takes too long"));
            }
        }
        Ok(())
    }
}
