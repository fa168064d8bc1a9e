//! What memory may hold, whoever wrote it when, and how sets that grow are enlarged.

use super::super::set::Set;
use std::collections::BTreeMap;

/// So often a set may grow before it is enlarged to the next constant, and before to everything.
pub(super) const PATIENCE: [u32; 2] = [48, 256];

/// What one cell may hold, and how often that grew.
#[derive(Clone)]
struct Cell {
    set: Set,
    grown: u32,
}

impl Default for Cell {
    fn default() -> Self {
        Cell {
            set: Set::One(0),
            grown: 0,
        }
    }
}

/// All cells.
#[derive(Default)]
pub(super) struct Memory {
    cells: BTreeMap<i64, Cell>,
    /// What is written to addresses that are not known one by one.
    elsewhere: Option<Cell>,
}

impl Memory {
    /// Forgets how often sets grew.
    pub(super) fn be_patient(&mut self) {
        let cells = self.cells.values_mut().chain(&mut self.elsewhere);
        cells.for_each(|cell| cell.grown = 0);
    }

    /// What can be read at these addresses.
    pub(super) fn read(&self, addresses: &Set) -> Set {
        let mut found = Set::One(0);
        let mut add = |cell: &Cell| found = found.join(&cell.set);
        match (addresses.values(), addresses.hull()) {
            (Some(values), _) => {
                for value in values {
                    if let Some(cell) = self.cells.get(value) {
                        add(cell);
                    }
                }
            }
            (None, (low, high)) => self.cells.range(low..=high).for_each(|(_, c)| add(c)),
        }
        if let Some(cell) = &self.elsewhere {
            add(cell);
        }
        found
    }

    /// One of these values is written to one of these addresses. Returns whether that is news.
    /// `stops`: where sets that grow and grow are enlarged to; none for a write that is executed
    /// once at most.
    pub(super) fn write(&mut self, value: &Set, addresses: &Set, stops: Option<&[i64]>) -> bool {
        let mut grew = false;
        let mut put = |cell: &mut Cell| {
            let both = cell.set.join(value);
            if both != cell.set {
                grew = true;
                cell.set = match stops {
                    Some(stops) => {
                        cell.grown += 1;
                        widened(&cell.set, both, cell.grown, stops)
                    }
                    None => both,
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

/// A set that grew to `both`, enlarged where it has grown often.
pub(super) fn widened(old: &Set, both: Set, grown: u32, stops: &[i64]) -> Set {
    if grown < PATIENCE[0] {
        return both;
    }
    let ((a, b), (c, d)) = (old.hull(), both.hull());
    let (mut low, mut high) = (c, d);
    if c < a {
        let below = stops.iter().rev().find(|stop| **stop <= c);
        low = below
            .copied()
            .filter(|_| grown < PATIENCE[1])
            .unwrap_or(i64::MIN);
    }
    if d > b {
        let above = stops.iter().find(|stop| **stop >= d);
        high = above
            .copied()
            .filter(|_| grown < PATIENCE[1])
            .unwrap_or(i64::MAX);
    }
    if low == c && high == d && grown < PATIENCE[1] {
        return both;
    }
    Set::between(low, high).unwrap_or(Set::ALL)
}
