//! The established names of happens-before cycles.
//!
//! A cycle alternates between edges inside a thread and edges between threads. In the notation of
//! the `diy` tool, `PodWR Fre PodWR Fre` is a cycle over two threads: each has a store before a
//! load of another cell in program order, and the other thread's store overwrites the value that
//! the load read. This is store buffering, SB. The adjacent edges determine whether an access in
//! the cycle is a load or a store: `rf` goes from a store to a load, `co` from a store to a store,
//! `fr` from a load to a store. The same holds for the role of a locked instruction.
//!
//! A thread with one access in the cycle appears as two adjacent edges between threads.

use super::happens_before::{HappensBefore, Relation};
use crate::program::ThreadId;
use std::fmt;

/// The kind of a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A cycle with an established name.
    Named(&'static str),
    /// Any other cycle, with its number of threads.
    Cycle(usize),
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Named(name) => match spelled_out(name) {
                Some(words) => write!(f, "{words} ({name})"),
                None => f.write_str(name),
            },
            Shape::Cycle(threads) => write!(f, "cycle over {threads} threads"),
        }
    }
}

impl Shape {
    /// The shape with this name, whatever its case: `sb`, or `store buffering`.
    pub fn named(text: &str) -> Option<Self> {
        let mut names = NAMES.iter().map(|&(name, _)| name);
        let is_called = |name: &str| {
            let mut all = [Some(name), spelled_out(name)].into_iter().flatten();
            all.any(|one| one.eq_ignore_ascii_case(text))
        };
        names.find(|name| is_called(name)).map(Shape::Named)
    }

    /// The shape in one or two words: `store buffering`, or its short name, such as `R`, if there
    /// are none.
    pub fn words(self) -> String {
        match self {
            Shape::Named(name) => spelled_out(name).unwrap_or(name).to_owned(),
            Shape::Cycle(_) => self.to_string(),
        }
    }
}

/// One edge of a cycle, with the kinds of its accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Piece {
    /// Program order, from a store (or load) to a store (or load).
    Po {
        stores: bool,
        then_stores: bool,
    },
    Rf,
    Co,
    Fr,
}

const WW: Piece = Piece::Po {
    stores: true,
    then_stores: true,
};
const WR: Piece = Piece::Po {
    stores: true,
    then_stores: false,
};
const RW: Piece = Piece::Po {
    stores: false,
    then_stores: true,
};
const RR: Piece = Piece::Po {
    stores: false,
    then_stores: false,
};

/// The names with their cycles, each starting at an arbitrary edge.
const NAMES: &[(&str, &[Piece])] = {
    use Piece::{Co, Fr, Rf};
    &[
        // Two threads.
        ("SB", &[WR, Fr, WR, Fr]),
        ("MP", &[WW, Rf, RR, Fr]),
        ("LB", &[RW, Rf, RW, Rf]),
        ("R", &[WW, Co, WR, Fr]),
        ("S", &[WW, Rf, RW, Co]),
        ("2+2W", &[WW, Co, WW, Co]),
        // Three threads, two accesses each.
        ("3.SB", &[WR, Fr, WR, Fr, WR, Fr]),
        ("3.LB", &[RW, Rf, RW, Rf, RW, Rf]),
        ("3.2W", &[WW, Co, WW, Co, WW, Co]),
        ("ISA2", &[WW, Rf, RW, Rf, RR, Fr]),
        ("W+RWC", &[WW, Rf, RR, Fr, WR, Fr]),
        ("Z6.0", &[WW, Rf, RW, Co, WR, Fr]),
        ("Z6.1", &[WW, Co, WW, Rf, RW, Co]),
        ("Z6.2", &[WW, Rf, RW, Rf, RW, Co]),
        ("Z6.3", &[WW, Co, WW, Rf, RR, Fr]),
        ("Z6.4", &[WW, Co, WR, Fr, WR, Fr]),
        ("Z6.5", &[WW, Co, WW, Co, WR, Fr]),
        // One of the three threads has a single store.
        ("WRC", &[Rf, RW, Rf, RR, Fr]),
        ("WWC", &[Rf, RW, Rf, RW, Co]),
        ("RWC", &[Rf, RR, Fr, WR, Fr]),
        ("WRW+WR", &[Rf, RW, Co, WR, Fr]),
        ("WRR+2W", &[Rf, RR, Fr, WW, Co]),
        ("WRW+2W", &[Rf, RW, Co, WW, Co]),
        // Two of the four threads have a single store.
        ("IRIW", &[Rf, RR, Fr, Rf, RR, Fr]),
        ("IRRWIW", &[Rf, RR, Fr, Rf, RW, Co]),
        ("IRWIW", &[Rf, RW, Co, Rf, RW, Co]),
    ]
};

fn spelled_out(name: &str) -> Option<&'static str> {
    const WORDS: &[(&str, &str)] = &[
        ("SB", "store buffering"),
        ("MP", "message passing"),
        ("LB", "load buffering"),
        ("IRIW", "independent reads of independent writes"),
        ("WRC", "write-to-read causality"),
        ("RWC", "read-to-write causality"),
    ];
    WORDS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|&(_, words)| words)
}

impl HappensBefore {
    /// The shape of a shortest cycle ([`HappensBefore::cycle`]), if there is a cycle.
    pub fn shape(&self) -> Option<Shape> {
        self.cycle().map(|cycle| {
            let mut threads: Vec<ThreadId> =
                cycle.iter().map(|&(event, _)| self.thread(event)).collect();
            threads.sort_unstable();
            threads.dedup();
            let relations: Vec<Relation> = cycle.iter().map(|&(_, relation)| relation).collect();
            pieces(&relations)
                .and_then(|pieces| name(&pieces))
                .map_or(Shape::Cycle(threads.len()), Shape::Named)
        })
    }
}

/// The pieces of a cycle; `None` if it goes against program order inside a block, or has more than
/// two consecutive accesses of one thread.
fn pieces(relations: &[Relation]) -> Option<Vec<Piece>> {
    let count = relations.len();
    relations
        .iter()
        .enumerate()
        .map(|(index, relation)| match relation {
            Relation::Rf => Some(Piece::Rf),
            Relation::Co => Some(Piece::Co),
            Relation::Fr => Some(Piece::Fr),
            Relation::Block => None,
            Relation::Po => {
                let stores = match relations[(index + count - 1) % count] {
                    Relation::Rf => false,
                    Relation::Co | Relation::Fr => true,
                    Relation::Po | Relation::Block => return None,
                };
                let then_stores = match relations[(index + 1) % count] {
                    Relation::Rf | Relation::Co => true,
                    Relation::Fr => false,
                    Relation::Po | Relation::Block => return None,
                };
                Some(Piece::Po {
                    stores,
                    then_stores,
                })
            }
        })
        .collect()
}

fn name(pieces: &[Piece]) -> Option<&'static str> {
    let is_rotation = |named: &[Piece]| {
        named.len() == pieces.len()
            && (0..pieces.len()).any(|shift| {
                let (end, start) = named.split_at(shift);
                pieces.iter().eq(start.iter().chain(end))
            })
    };
    NAMES
        .iter()
        .find(|(_, named)| is_rotation(named))
        .map(|&(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relations(pieces: &[Piece]) -> Vec<Relation> {
        pieces
            .iter()
            .map(|piece| match piece {
                Piece::Po { .. } => Relation::Po,
                Piece::Rf => Relation::Rf,
                Piece::Co => Relation::Co,
                Piece::Fr => Relation::Fr,
            })
            .collect()
    }

    #[test]
    fn the_relations_of_a_named_cycle_determine_its_pieces_and_its_name() {
        for &(expected, named) in NAMES {
            let found = pieces(&relations(named)).expect("every named cycle is regular");
            assert_eq!(found, named, "{expected}");
            assert_eq!(name(&found), Some(expected));
        }
    }

    #[test]
    fn a_name_does_not_depend_on_where_the_cycle_starts() {
        let rotated = [RR, Piece::Fr, WW, Piece::Rf];
        assert_eq!(name(&rotated), Some("MP"));
        assert_eq!(name(&[RR, Piece::Fr]), None);
    }

    #[test]
    fn shapes_are_shown_by_their_established_names() {
        assert_eq!(Shape::Named("SB").to_string(), "store buffering (SB)");
        assert_eq!(Shape::Named("Z6.3").to_string(), "Z6.3");
        assert_eq!(Shape::Cycle(4).to_string(), "cycle over 4 threads");
    }
}
