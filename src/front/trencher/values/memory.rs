//! The values that memory may hold, whichever thread wrote them, and the widening of growing sets.

use crate::facts::ValueSet;
use std::collections::BTreeMap;

/// How many times a set may grow before it is widened to the next constant, and to all values.
pub(super) const PATIENCE: [u32; 2] = [80, 288];

/// The values that a cell may hold, and how many times the set grew.
#[derive(Clone)]
struct Cell {
    set: ValueSet,
    grown: u32,
}

impl Default for Cell {
    fn default() -> Self {
        Cell {
            set: ValueSet::one(0),
            grown: 0,
        }
    }
}

/// All cells.
#[derive(Default)]
pub(super) struct Memory {
    cells: BTreeMap<i32, Cell>,
    /// The values written to addresses that are not listed one by one.
    elsewhere: Option<Cell>,
}

impl Memory {
    /// Resets the growth counts.
    pub(super) fn be_patient(&mut self) {
        let cells = self.cells.values_mut().chain(&mut self.elsewhere);
        cells.for_each(|cell| cell.grown = 0);
    }

    /// The values that can be read at these addresses.
    pub(super) fn read(&self, addresses: &ValueSet) -> ValueSet {
        let mut found = ValueSet::one(0);
        let mut add = |cell: &Cell| found = found.join(&cell.set);
        if let Some(values) = addresses.values() {
            values
                .iter()
                .filter_map(|v| self.cells.get(v))
                .for_each(&mut add);
        } else if let Some((low, high)) = addresses.bounds() {
            self.cells.range(low..=high).for_each(|(_, c)| add(c));
        }
        if let Some(cell) = &self.elsewhere {
            add(cell);
        }
        found
    }

    /// One of these values is written to one of these addresses. Returns whether that is news.
    /// `stops`: where sets that grow and grow are enlarged to; none for a write that is executed
    /// once at most.
    pub(super) fn write(
        &mut self,
        value: &ValueSet,
        addresses: &ValueSet,
        stops: Option<&[i32]>,
    ) -> bool {
        let mut grew = false;
        let mut put = |cell: &mut Cell| {
            if !value.is_subset(&cell.set) {
                grew = true;
                cell.set = match stops {
                    Some(stops) => {
                        cell.grown += 1;
                        grow(&cell.set, value, cell.grown, stops)
                    }
                    None => cell.set.join(value),
                };
            }
        };
        match addresses.values() {
            Some(addresses) => {
                for address in addresses {
                    put(self.cells.entry(*address).or_default());
                }
            }
            None => put(self.elsewhere.get_or_insert_default()),
        }
        grew
    }
}

/// The values of both sets, widened where the first has grown often.
pub(super) fn grow(old: &ValueSet, new: &ValueSet, grown: u32, stops: &[i32]) -> ValueSet {
    let both = old.join(new);
    if grown < PATIENCE[0] {
        return both;
    }
    if grown >= PATIENCE[1] {
        return old.widen(&both, &[]);
    }
    let widened = old.widen(&both, stops);
    // An interval between the same ends is no progress.
    if widened.bounds() == both.bounds() {
        both
    } else {
        widened
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_whose_ends_are_stops_stays_a_list() {
        let [zero, one_and_eight] = [vec![0], vec![1, 8]].map(ValueSet::of);
        let stops = ValueSet::stops(vec![8]);
        for grown in [0, PATIENCE[0]] {
            let both = grow(&zero, &one_and_eight, grown, &stops);
            assert_eq!(both, ValueSet::of([0, 1, 8]));
        }
        let to_the_stop = grow(&zero, &ValueSet::one(5), PATIENCE[0], &stops);
        assert_eq!(to_the_stop, ValueSet::interval(0, 7));
        let to_the_end = grow(&zero, &ValueSet::one(5), PATIENCE[1], &stops);
        assert_eq!(to_the_end, ValueSet::interval(0, i32::MAX));
    }
}
