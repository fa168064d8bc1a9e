//! Is there a state that is in no cube and satisfies some conditions? By units and cases.
//!
//! What is known of a state: the locations where each thread may be, and some bits of each value. A cube of
//! which all parts but one are true makes that one false. When no cube does, one with as few open parts as
//! possible is taken, and its parts are made false one after another.
//!
//! *Complete enough.* It may say that there is a state where there is none, as it does not know all there is to
//! know of values. Then a certificate is refused that could be accepted, and never the other way round.

use crate::Refusal;
use crate::program::Program;

/// More looks at parts of cubes than this are given up.
const MOST_LOOKS: u64 = 3_000_000_000;

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Register(usize, usize),
    Cell(usize),
}

/// A part of a cube.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// The thread is at one of these locations.
    At(usize, Vec<bool>),
    /// `value & mask == bits`, where `bits` has no other bits than `mask`.
    Bits(Place, i32, i32),
}

/// What is known of a state.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// By thread and location: whether it may be there.
    at: Vec<Vec<bool>>,
    /// By thread and register: which bits are known, and these.
    registers: Vec<Vec<(i32, i32)>>,
    cells: Vec<(i32, i32)>,
    /// `value & mask != bits`.
    not: Vec<(Place, i32, i32)>,
    /// Whether it is known that there is no such state.
    contradicts: bool,
}

impl State {
    /// Any state.
    pub(super) fn any(program: &Program) -> Self {
        let threads = program.threads.iter();
        Self {
            at: threads
                .clone()
                .map(|thread| vec![true; thread.locations.len()])
                .collect(),
            registers: threads
                .map(|thread| vec![(0, 0); thread.registers.len()])
                .collect(),
            cells: vec![(0, 0); program.cells.len()],
            not: Vec::new(),
            contradicts: false,
        }
    }

    fn known(&mut self, place: Place) -> &mut (i32, i32) {
        match place {
            Place::Register(t, register) => &mut self.registers[t][register],
            Place::Cell(cell) => &mut self.cells[cell],
        }
    }

    fn bits(&self, place: Place) -> (i32, i32) {
        match place {
            Place::Register(t, register) => self.registers[t][register],
            Place::Cell(cell) => self.cells[cell],
        }
    }

    /// The thread is at this location.
    pub(super) fn put(&mut self, t: usize, at: usize) {
        let may = self.at[t][at];
        self.at[t].fill(false);
        self.at[t][at] = may;
        self.contradicts |= !may;
    }

    /// The thread is at none of these locations.
    pub(super) fn leave(&mut self, t: usize, locations: &[bool]) {
        for (may, out) in self.at[t].iter_mut().zip(locations) {
            *may &= !out;
        }
        self.contradicts |= !self.at[t].contains(&true);
    }

    /// Whether the thread is at this location, if that is known.
    pub(super) fn is_at(&self, t: usize, at: usize) -> Option<bool> {
        if !self.at[t][at] {
            return Some(false);
        }
        let others = self.at[t].iter().filter(|may| **may).count();
        (others == 1).then_some(true)
    }

    fn fix(&mut self, place: Place, mask: i32, bits: i32) {
        let (known, values) = self.bits(place);
        self.contradicts |= (values ^ bits) & known & mask != 0;
        *self.known(place) = (known | mask, values & !mask | bits & mask);
    }

    /// The value is this one.
    pub(super) fn set(&mut self, place: Place, value: i32) {
        self.fix(place, -1, value);
    }

    /// The value is in this range: the bits that all values of it have in common are known.
    pub(super) fn bound(&mut self, place: Place, range: Option<(i32, i32)>) {
        if let Some((low, high)) = range {
            let differ = (low ^ high) as u32;
            let mask = u32::MAX
                .checked_shl(32 - differ.leading_zeros())
                .unwrap_or(0);
            self.fix(place, mask as i32, low & mask as i32);
        }
    }

    /// Whether a part of a cube is true, if that is known.
    pub(super) fn truth(&self, part: &Part) -> Option<bool> {
        match part {
            Part::At(t, locations) => {
                let mut some = self.at[*t].iter().zip(locations);
                let may = some.clone().any(|(may, inside)| *may && *inside);
                let must = some.all(|(may, inside)| !may || *inside);
                match (may, must) {
                    (false, _) => Some(false),
                    (true, true) => Some(true),
                    (true, false) => None,
                }
            }
            Part::Bits(place, mask, bits) => {
                let (known, values) = self.bits(*place);
                if (values ^ bits) & known & mask != 0 || self.not.contains(&(*place, *mask, *bits))
                {
                    return Some(false);
                }
                (mask & !known == 0).then_some(true)
            }
        }
    }

    /// Makes a part true. Returns whether that is possible.
    pub(super) fn require(&mut self, part: &Part) -> bool {
        match part {
            Part::At(t, locations) => {
                let others: Vec<bool> = locations.iter().map(|inside| !inside).collect();
                self.leave(*t, &others);
            }
            Part::Bits(place, mask, bits) => self.fix(*place, *mask, *bits),
        }
        !self.contradicts
    }

    /// Makes a part false. Returns whether that is possible.
    fn refute(&mut self, part: &Part) -> bool {
        match part {
            Part::At(t, locations) => self.leave(*t, locations),
            Part::Bits(place, mask, bits) => {
                let (known, values) = self.bits(*place);
                let open = mask & !known;
                if (values ^ bits) & known & mask != 0 {
                    return true;
                }
                match open.count_ones() {
                    0 => self.contradicts = true,
                    1 => self.fix(*place, open, !bits & open),
                    _ => self.not.push((*place, *mask, *bits)),
                }
            }
        }
        !self.contradicts
    }
}

/// A search for states.
pub(super) struct Search<'c> {
    cubes: &'c [Vec<Part>],
    looks: u64,
}

impl<'c> Search<'c> {
    pub(super) fn new(cubes: &'c [Vec<Part>]) -> Self {
        Self { cubes, looks: 0 }
    }

    /// Counts so many looks.
    pub(super) fn spend(&mut self, looks: u64) -> Result<(), Refusal> {
        self.looks += looks;
        if self.looks > MOST_LOOKS {
            return Err(Refusal::refuted(
                "to check the invariant takes too much work",
            ));
        }
        Ok(())
    }

    /// Whether there may be such a state that is in no cube.
    pub(super) fn possible(&mut self, mut state: State) -> Result<bool, Refusal> {
        if state.contradicts {
            return Ok(false);
        }
        // The cube with the fewest open parts.
        let mut fewest: Option<(usize, usize)> = None;
        let mut changed = true;
        while changed {
            (changed, fewest) = (false, None);
            for (number, cube) in self.cubes.iter().enumerate() {
                self.looks += cube.len() as u64 + 1;
                let (mut open, mut count) = (None, 0);
                let outside = cube.iter().any(|part| {
                    let truth = state.truth(part);
                    if truth.is_none() {
                        open = Some(part);
                        count += 1;
                    }
                    truth == Some(false)
                });
                match (outside, open) {
                    (true, _) => {}
                    (false, None) => return Ok(false),
                    (false, Some(part)) if count == 1 => {
                        if !state.refute(part) {
                            return Ok(false);
                        }
                        changed = true;
                    }
                    (false, Some(_)) => {
                        if fewest.is_none_or(|(least, _)| count < least) {
                            fewest = Some((count, number));
                        }
                    }
                }
            }
            // What was made false becomes known bit by bit.
            for (place, mask, bits) in std::mem::take(&mut state.not) {
                if !state.refute(&Part::Bits(place, mask, bits)) {
                    return Ok(false);
                }
            }
            self.spend(0)?;
        }
        let Some((_, number)) = fewest else {
            return Ok(true);
        };
        let cubes = self.cubes;
        for part in &cubes[number] {
            match state.truth(part) {
                Some(true) => continue,
                // What was required of a part before it makes this one false, and so the cube.
                Some(false) => return self.possible(state),
                None => {}
            }
            let mut without = state.clone();
            if without.refute(part) && self.possible(without)? {
                return Ok(true);
            }
            if !state.require(part) {
                return Ok(false);
            }
        }
        Ok(false)
    }
}
