//! The smallest closed set of actors, and an index that finds dependencies where actors are many.

use super::Node;
use crate::search::footprint::Cells;
use smallvec::{SmallVec, smallvec};

/// A set of actors.
pub(super) type Set = SmallVec<[usize; 16]>;

/// The closed set with the fewest enabled actors, but at least one: the nodes from which nothing
/// else that is enabled can be reached along dependencies. `None` if that is every actor.
pub(super) fn smallest_closed(nodes: &[Node<'_>], properties: &Cells) -> Option<Set> {
    smallest_closed_by(nodes, properties, Index::new(nodes))
}

/// The same, with an index or without.
fn smallest_closed_by(nodes: &[Node<'_>], properties: &Cells, index: Option<Index>) -> Option<Set> {
    let mut best: Option<Set> = None;
    let mut search = Closure {
        nodes,
        properties,
        index,
        hopeless: smallvec![false; nodes.len()],
        inside: smallvec![false; nodes.len()],
        set: SmallVec::new(),
        most: nodes.iter().filter(|node| node.enabled).count(),
    };
    if search.most < 2 {
        return None;
    }
    for first in (0..nodes.len()).filter(|&node| nodes[node].enabled) {
        if let Some(enabled) = search.close(first) {
            best = Some(search.set.clone());
            search.most = enabled;
            if enabled == 1 {
                break;
            }
        }
        search.hopeless[first] = true;
    }
    best
}

/// By actor. Searches for closed sets are made for each configuration, most of them for few actors.
type Flags = SmallVec<[bool; 16]>;

/// A search for closed sets.
struct Closure<'a> {
    nodes: &'a [Node<'a>],
    properties: &'a Cells,
    index: Option<Index>,
    /// The actors whose own sets were not better than the best one: a set that contains one of them
    /// is not better either.
    hopeless: Flags,
    inside: Flags,
    set: Set,
    /// The number of enabled actors to be undercut.
    most: usize,
}

impl Closure<'_> {
    /// Makes `set` the least closed set that contains an actor, and returns the number of its enabled
    /// actors, if they are fewer than `most` and none is hopeless.
    fn close(&mut self, first: usize) -> Option<usize> {
        for &actor in &self.set {
            self.inside[actor] = false;
        }
        self.set.clear();
        let mut enabled = 0;
        self.insert(first, &mut enabled)?;
        let mut next = 0;
        while let Some(&at) = self.set.get(next) {
            next += 1;
            if let Some(index) = self.index.take() {
                let mut found = index.near(&self.nodes[at]);
                let all = found.try_for_each(|other| self.consider(at, other, &mut enabled));
                drop(found);
                self.index = Some(index);
                all?;
            } else {
                (0..self.nodes.len())
                    .try_for_each(|other| self.consider(at, other, &mut enabled))?;
            }
        }
        Some(enabled)
    }

    /// Adds an actor to the set if one that is in it depends on it.
    fn consider(&mut self, at: usize, other: usize, enabled: &mut usize) -> Option<()> {
        if !self.inside[other] && self.depends(at, other) {
            self.insert(other, enabled)?;
        }
        Some(())
    }

    /// Adds an actor to the set; `None` if the set is not worth closing then.
    fn insert(&mut self, actor: usize, enabled: &mut usize) -> Option<()> {
        *enabled += usize::from(self.nodes[actor].enabled);
        if self.hopeless[actor] || *enabled >= self.most {
            return None;
        }
        self.inside[actor] = true;
        self.set.push(actor);
        Some(())
    }

    /// Whether a set with the first actor has to contain the other.
    fn depends(&self, at: usize, other: usize) -> bool {
        let (node, candidate) = (&self.nodes[at], &self.nodes[other]);
        node.waits_for == Some(other)
            || node.coupled == Some(other)
            || if candidate.actor.thread() == node.actor.thread() {
                other != at && node.next.both_write(&candidate.all, self.properties)
            } else {
                node.next.conflicts(&candidate.all)
            }
    }
}

/// Who touches which cell: for many actors, most of which touch few of many cells.
struct Index {
    /// By cell: where its actors start.
    starts: Vec<u32>,
    /// The actors that may write a cell or read it before any other actor takes a step, cell by cell.
    actors: Vec<u32>,
}

impl Index {
    /// With fewer actors, all are compared with all.
    const MANY: usize = 64;
    /// With more cells per actor than this on average, too.
    const FEW_CELLS: usize = 16;

    fn new(nodes: &[Node<'_>]) -> Option<Self> {
        if nodes.len() < Self::MANY {
            return None;
        }
        let cells = |node: &Node<'_>| {
            let touched = node.all.reads.iter().zip(&node.all.writes);
            Self::bits(touched.map(|(reads, writes)| reads | writes)).collect::<Vec<usize>>()
        };
        let words = nodes[0].all.reads.len();
        let mut starts = vec![0_u32; 64 * words + 1];
        let mut entries = Vec::new();
        for (number, node) in nodes.iter().enumerate() {
            for cell in cells(node) {
                starts[cell + 1] += 1;
                entries.push((cell as u32, number as u32));
            }
            if entries.len() > Self::FEW_CELLS * nodes.len() {
                return None;
            }
        }
        for cell in 1..starts.len() {
            starts[cell] += starts[cell - 1];
        }
        entries.sort_unstable();
        let actors = entries.into_iter().map(|(_, actor)| actor).collect();
        Some(Self { starts, actors })
    }

    /// The numbers of the bits that are set.
    fn bits(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
        words.enumerate().flat_map(|(word, mut bits)| {
            std::iter::from_fn(move || {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits.wrapping_sub(1);
                (bit < 64).then_some(64 * word + bit)
            })
        })
    }

    /// All actors on which this one may depend: the one that it waits for, the one that belongs to it,
    /// and those that touch a cell that its next steps touch. Properties count as cells, so that
    /// includes those of its own thread that change the same property.
    fn near(&self, node: &Node<'_>) -> impl Iterator<Item = usize> {
        let touched = node.next.reads.iter().zip(&node.next.writes);
        let cells = Self::bits(touched.map(|(reads, writes)| reads | writes));
        let others = cells.flat_map(|cell| {
            let range = self.starts[cell] as usize..self.starts[cell + 1] as usize;
            self.actors[range].iter().map(|&actor| actor as usize)
        });
        let named = node.waits_for.into_iter().chain(node.coupled);
        named.chain(others)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Actor;
    use super::*;
    use crate::program::{Addr, ThreadId};
    use crate::search::footprint::Touch;
    use proptest::prelude::*;
    use std::borrow::Cow;

    /// A few cells of 128, of which the last two are properties.
    fn touch() -> impl Strategy<Value = Touch> {
        let cell = prop_oneof![8 => 0..126_usize, 1 => 126..128_usize];
        let cells = || {
            prop::collection::vec(cell.clone(), 0..2).prop_map(|all| {
                let mut cells: Cells = smallvec![0, 0];
                for cell in all {
                    cells[cell / 64] |= 1 << (cell % 64);
                }
                cells
            })
        };
        (cells(), cells()).prop_map(|(reads, writes)| Touch { reads, writes })
    }

    /// An actor: whether it is enabled, what its next step and all of its steps touch, and whether the
    /// control waits for the first buffer, or a whole buffer belongs to each set with its control.
    type Part = (bool, Touch, Touch, bool);

    /// The actors of a thread: perhaps its buffer, or those of some cells, and its control.
    fn of_thread() -> impl Strategy<Value = Vec<Part>> {
        let parts = prop_oneof![3 => 1..3_usize, 1 => 3..8_usize];
        let part = || (any::<bool>(), touch(), touch(), any::<bool>());
        parts.prop_flat_map(move |count| prop::collection::vec(part(), count))
    }

    fn nodes(threads: Vec<Vec<Part>>) -> Vec<Node<'static>> {
        let mut nodes: Vec<Node<'_>> = Vec::new();
        for (thread, parts) in threads.into_iter().enumerate() {
            let first = nodes.len();
            let last = parts.len() - 1;
            for (part, (enabled, next, mut all, is_bound)) in parts.into_iter().enumerate() {
                let thread = ThreadId::from(thread);
                all.add(&next);
                let actor = match part {
                    _ if part == last => Actor::Control(thread),
                    _ if last == 1 => Actor::Buffer(thread),
                    _ => Actor::Cell(thread, Addr::from_index(part)),
                };
                nodes.push(Node {
                    actor,
                    enabled,
                    next: Cow::Owned(next),
                    all: Cow::Owned(all),
                    waits_for: (part > 0 && part == last && is_bound).then_some(first),
                    coupled: (part == 0 && last == 1 && is_bound).then_some(first + last),
                });
            }
        }
        nodes
    }

    proptest! {
        #[test]
        fn an_index_changes_no_set(threads in prop::collection::vec(of_thread(), 64..90)) {
            let nodes = nodes(threads);
            let properties: Cells = smallvec![0, 3 << 62];
            let index = Index::new(&nodes);
            prop_assert!(index.is_some());
            let sorted = |set: Option<Set>| {
                set.map(|mut set| {
                    set.sort_unstable();
                    set
                })
            };
            prop_assert_eq!(
                sorted(smallest_closed_by(&nodes, &properties, index)),
                sorted(smallest_closed_by(&nodes, &properties, None))
            );
        }
    }
}
