//! From integers to cells: which addresses there are, and the cell of each of them.
//!
//! Cells of a program are numbered without gaps. The addresses that the text contains or that an
//! expression may compute are sorted, and the first one becomes the first cell. A constant is
//! replaced by its cell. The possible values of a computed address form an interval, all of which
//! becomes cells, so that adding a single number to the expression maps each access to its cell:
//!
//! ```text
//! addresses   3   7  8  9   40        read r 3            →  cell 1
//! cells       1   2  3  4    5        write 1 + 7 i       →  cell (7 + i) + -5
//! ```

use super::raw::{Automaton, Operand};
use super::values::Values;
use crate::facts::ValueSet;
use crate::program::{Addr, BinaryOp, Expr, FIRST_ADDRESS, RegId};

/// A computed address chooses from at most this many cells.
pub(super) const WIDEST: i64 = 1_024;
/// A program has at most this many cells.
pub(super) const MOST_CELLS: i64 = 65_536;

/// The cell of each address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    /// Disjoint, non-adjacent intervals of addresses, ascending; each with the number of cells
    /// before it.
    runs: Vec<(i64, i64, i64)>,
}

/// An access with too many possible addresses.
pub(super) struct TooWide {
    pub(super) thread: usize,
    pub(super) transition: usize,
    pub(super) low: i64,
    pub(super) high: i64,
}

impl Layout {
    /// Lays out all accessed addresses.
    ///
    /// # Errors
    ///
    /// The accesses with too many addresses; if all of them together are too many, one with the
    /// most.
    pub(super) fn new(automata: &[Automaton], found: &Values) -> Result<Layout, Vec<TooWide>> {
        let mut intervals = Vec::new();
        let mut wide = Vec::new();
        let mut widest: Option<TooWide> = None;
        for (thread, automaton) in automata.iter().enumerate() {
            for (transition, t) in automaton.transitions.iter().enumerate() {
                let Some(addr) = t.instr.addr() else {
                    continue;
                };
                let Some((low, high)) = hull(addr, &found.addresses[thread][transition]) else {
                    continue;
                };
                let too = TooWide {
                    thread,
                    transition,
                    low,
                    high,
                };
                if high - low >= WIDEST {
                    wide.push(too);
                    continue;
                }
                if widest.as_ref().is_none_or(|w| w.high - w.low < high - low) {
                    widest = Some(too);
                }
                intervals.push((low, high));
            }
        }
        if !wide.is_empty() {
            return Err(wide);
        }
        intervals.sort_unstable();
        let mut runs: Vec<(i64, i64, i64)> = Vec::new();
        for (low, high) in intervals {
            match runs.last_mut() {
                Some((_, end, _)) if low <= *end + 1 => *end = high.max(*end),
                _ => runs.push((low, high, 0)),
            }
        }
        let mut cells = 0;
        for (low, high, before) in &mut runs {
            *before = cells;
            cells += *high - *low + 1;
        }
        match widest {
            Some(widest) if cells > MOST_CELLS => Err(vec![widest]),
            _ => Ok(Layout { runs }),
        }
    }

    /// All addresses, in the order of their cells.
    pub(super) fn addresses(&self) -> impl Iterator<Item = i64> {
        self.runs.iter().flat_map(|(low, high, _)| *low..=*high)
    }

    /// The cell of an address.
    pub(super) fn cell(&self, address: i64) -> Option<Addr> {
        let at = self.runs.partition_point(|(low, ..)| *low <= address);
        let (low, high, before) = *self.runs.get(at.checked_sub(1)?)?;
        (address <= high).then(|| Addr::from_index((before + address - low) as usize))
    }

    /// The cell that an access goes to, as an expression. `set`: the addresses it may have, as the
    /// layout was made with.
    pub(super) fn place(&self, addr: &Operand, set: &ValueSet) -> Expr<RegId> {
        let cell = hull(addr, set).and_then(|(low, _)| Some((low, self.cell(low)?)));
        match cell {
            Some((_, cell)) if addr.e.vars().is_empty() => Expr::Const(cell.0),
            Some((low, cell)) if i64::from(cell.0) != low => {
                let off = (i64::from(cell.0) - low) as i32;
                Expr::binary(BinaryOp::Add, addr.e.clone(), Expr::Const(off))
            }
            Some(_) | None => addr.e.clone(),
        }
    }

    /// Whether every address equals the number of its cell, with this many cells.
    pub(super) fn stays_within(&self, cells: usize) -> bool {
        let (first, last) = (i64::from(FIRST_ADDRESS), cells as i64);
        self.runs
            .iter()
            .all(|(low, high, _)| first <= *low && *high <= last)
    }
}

/// The least and the greatest address of an access. A constant is one even where it is never
/// accessed, so that it has a cell to be shown with.
pub(super) fn hull(addr: &Operand, set: &ValueSet) -> Option<(i64, i64)> {
    let constant = addr.e.as_const().map(|value| (value, value));
    let (low, high) = constant.or(set.bounds())?;
    Some((low.into(), high.into()))
}
