//! All views of a family of threads, as a set of the checker.
//!
//! The least set that satisfies the rules of [`verify`](mod@crate::verify), by its own step functions: a view
//! that is new is expanded, together with each local state that is seen with the same control.

use super::explore::Unfinished;
use crate::verdict::Budget;
use crate::verify::{Family, MOST_COPIES, Moves, Stepper, multisets, number_string, pack};
use ahash::{AHashMap, AHashSet};
use serde_json::{Value, json};

/// The stop flag is polled after this many looks.
const POLLED: u64 = 4096;

/// The first attempt is made with a part of the views.
const BRIEFLY: usize = 40;

/// For each view that is allowed, a search may look at this many views.
const LOOKS_PER_VIEW: u64 = 400;

/// A set of views for the smallest number of copies in a view that suffices, and those of fewer copies.
pub(super) fn views<F: Family>(
    family: &F,
    most: usize,
    budget: &Budget,
) -> Result<Value, Unfinished> {
    let needs = family.needs();
    let mut ended = Unfinished::TooMany(most);
    // Small views may be the more: they allow what is not possible, such as counters without bound. So all
    // sizes are tried with few of them first.
    for (most, failures) in [(most / BRIEFLY, MOST_COPIES), (most, 2)] {
        let mut left = failures;
        for size in needs.copies.max(1)..=MOST_COPIES {
            match Search::new(family, size, false).run(most, budget) {
                Ok(mut set) => {
                    set["size"] = json!(size);
                    if needs.few {
                        let few =
                            (1..size).map(|size| Search::new(family, size, true).run(most, budget));
                        set["few"] = few.collect::<Result<Vec<Value>, Unfinished>>()?.into();
                    }
                    return Ok(set);
                }
                Err(Unfinished::Stopped) => return Err(Unfinished::Stopped),
                // Views of more copies may exclude it.
                Err(unfinished @ Unfinished::Bad(_)) => ended = unfinished,
                Err(unfinished @ Unfinished::TooMany(_)) => {
                    left -= 1;
                    ended = unfinished;
                }
            }
            if left == 0 {
                break;
            }
        }
    }
    Err(ended)
}

/// Byte strings with numbers in the order in which they were found.
#[derive(Default)]
struct Numbered {
    numbers: AHashMap<Vec<u8>, u32>,
    list: Vec<Vec<u8>>,
}

impl Numbered {
    fn add(&mut self, bytes: Vec<u8>) -> u32 {
        let new = self.list.len() as u32;
        let number = *self.numbers.entry(bytes.clone()).or_insert(new);
        if number == new {
            self.list.push(bytes);
        }
        number
    }

    /// The strings in order, packed, and the new number of each.
    fn packed(&self) -> (String, Vec<u32>) {
        let mut order: Vec<usize> = (0..self.list.len()).collect();
        order.sort_unstable_by_key(|&number| &self.list[number]);
        let mut places = vec![0; order.len()];
        for (place, &number) in order.iter().enumerate() {
            places[number] = place as u32;
        }
        let sorted: Vec<&Vec<u8>> = order.iter().map(|&number| &self.list[number]).collect();
        (pack(&sorted), places)
    }
}

/// What is known about a control.
struct Control<S> {
    state: S,
    /// The controls after the steps of threads that exist once.
    others: Vec<u32>,
    /// The local states that are seen, in the order in which they were found.
    locals: Vec<u32>,
    known: AHashSet<u32>,
    moves: AHashMap<u32, Vec<(u32, u32)>>,
}

struct Search<'f, F: Family> {
    stepper: Stepper<'f, F>,
    size: usize,
    exact: bool,
    locals: Numbered,
    controls: Numbered,
    table: Vec<Option<Control<F::State>>>,
    views: AHashSet<Box<[u32]>>,
    work: Vec<Box<[u32]>>,
    looks: u64,
}

impl<'f, F: Family> Search<'f, F> {
    fn new(family: &'f F, size: usize, exact: bool) -> Self {
        Self {
            stepper: Stepper::new(family),
            size,
            exact,
            locals: Numbered::default(),
            controls: Numbered::default(),
            table: Vec::new(),
            views: AHashSet::new(),
            work: Vec::new(),
            looks: 0,
        }
    }

    /// The least set, if it has up to so many views.
    fn run(mut self, most: usize, budget: &Budget) -> Result<Value, Unfinished> {
        let initial = self.stepper.initial_locals();
        let classes = initial.len();
        let initial = initial.into_iter().map(|local| self.locals.add(local));
        let initial: Vec<u32> = initial.collect();
        let control = self.controls.add(self.stepper.initial());
        for taken in multisets(classes, self.size) {
            let has = |class: usize| taken.contains(&(class as u32));
            if self.exact && !(0..classes).all(has) {
                continue;
            }
            let copies = taken.iter().map(|&class| initial[class as usize]);
            self.add(control, copies.collect());
        }
        while let Some(view) = self.work.pop() {
            self.expand(&view, most, budget)?;
            if self.views.len() > most {
                return Err(Unfinished::TooMany(most));
            }
        }
        let (locals, local_places) = self.locals.packed();
        let (controls, control_places) = self.controls.packed();
        let renumbered = self.views.iter().map(|view| {
            let copies = view[1..].iter().map(|&local| local_places[local as usize]);
            let mut copies: Vec<u32> = copies.collect();
            copies.sort_unstable();
            copies.insert(0, control_places[view[0] as usize]);
            number_string(&copies)
        });
        let mut views: Vec<Vec<u8>> = renumbered.collect();
        views.sort_unstable();
        Ok(json!({ "locals": locals, "controls": controls, "views": pack(&views) }))
    }

    fn add(&mut self, control: u32, mut copies: Vec<u32>) {
        copies.sort_unstable();
        copies.insert(0, control);
        let view: Box<[u32]> = copies.into();
        if !self.views.contains(&view) {
            self.views.insert(view.clone());
            self.work.push(view);
        }
    }

    fn look(&mut self, most: usize, budget: &Budget) -> Result<(), Unfinished> {
        self.looks += 1;
        if self.looks.is_multiple_of(POLLED) && budget.is_stopped() {
            return Err(Unfinished::Stopped);
        }
        if self.looks / LOOKS_PER_VIEW > most as u64 + 1_000 {
            return Err(Unfinished::TooMany(most));
        }
        Ok(())
    }

    /// Takes out what is known about a control, to be put back.
    fn taken(&mut self, number: u32) -> Result<Control<F::State>, Unfinished> {
        let at = number as usize;
        if self.table.len() <= at {
            self.table.resize_with(at + 1, || None);
        }
        if let Some(known) = self.table[at].take() {
            return Ok(known);
        }
        let state = self.stepper.control(&self.controls.list[at]);
        let state = state.ok_or_else(|| Unfinished::Bad("a state cannot be written".to_owned()))?;
        let others = self.stepper.others(&state).map_err(Unfinished::Bad)?;
        let others = others.into_iter().map(|control| self.controls.add(control));
        Ok(Control {
            others: others.collect(),
            state,
            locals: Vec::new(),
            known: AHashSet::new(),
            moves: AHashMap::new(),
        })
    }

    fn moves(&mut self, control: &mut Control<F::State>, local: u32) -> Result<(), Unfinished> {
        if !control.known.insert(local) {
            return Ok(());
        }
        control.locals.push(local);
        let moves = self
            .stepper
            .moves(&control.state, &self.locals.list[local as usize]);
        let moves: Moves = moves
            .ok_or_else(|| Unfinished::Bad("a state cannot be written".to_owned()))?
            .map_err(Unfinished::Bad)?;
        let numbers = moves
            .into_iter()
            .map(|(control, local)| (self.controls.add(control), self.locals.add(local)));
        let numbers = numbers.collect();
        control.moves.insert(local, numbers);
        Ok(())
    }

    fn expand(&mut self, view: &[u32], most: usize, budget: &Budget) -> Result<(), Unfinished> {
        let (number, copies) = (view[0], &view[1..]);
        let mut control = self.taken(number)?;
        for &local in copies {
            self.moves(&mut control, local)?;
        }
        let bytes: Vec<&[u8]> = copies
            .iter()
            .map(|&local| self.locals.list[local as usize].as_slice())
            .collect();
        if let Some(why) = self.stepper.seen(&control.state, &bytes) {
            return Err(Unfinished::Bad(why));
        }
        for &after in &control.others {
            self.look(most, budget)?;
            self.add(after, copies.to_vec());
        }
        for (place, local) in copies.iter().enumerate() {
            for &(after, moved) in &control.moves[local] {
                self.look(most, budget)?;
                let mut copies = copies.to_vec();
                copies[place] = moved;
                self.add(after, copies);
            }
        }
        if !self.exact {
            for &local in &control.locals {
                self.unseen(number, copies, local, &control, most, budget)?;
            }
        }
        self.table[number as usize] = Some(control);
        Ok(())
    }

    /// The steps of each of the copies of a view and one more, as the others see them.
    fn unseen(
        &mut self,
        number: u32,
        copies: &[u32],
        more: u32,
        control: &Control<F::State>,
        most: usize,
        budget: &Budget,
    ) -> Result<(), Unfinished> {
        self.look(most, budget)?;
        let mut all = copies.to_vec();
        all.push(more);
        let changes = |local: &u32| {
            control.moves[local]
                .iter()
                .any(|&(after, _)| after != number)
        };
        if !all.iter().any(changes) {
            return Ok(());
        }
        all.sort_unstable();
        let without = |place: usize| {
            let mut rest = all.clone();
            rest.remove(place);
            rest
        };
        for place in 0..all.len() {
            let mut view = without(place);
            view.insert(0, number);
            if !self.views.contains(view.as_slice()) {
                return Ok(());
            }
        }
        for (place, local) in all.iter().enumerate() {
            for &(after, _) in &control.moves[local] {
                if after != number {
                    self.add(after, without(place));
                }
            }
        }
        Ok(())
    }
}
