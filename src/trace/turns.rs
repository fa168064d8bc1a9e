//! Which event comes next, where the model leaves that open.
//!
//! Of the orders that the model admits one is chosen in which a thread goes on while it can and a
//! store is out as soon as it may: what is late in the trace has to be late.
//!
//! A lightweight fence has no turn. Its place in the order binds stores to each other, and its
//! thread may well pass it before or after that.

use crate::cnf::NodeId;
use crate::encode::{Encoding, EventId, Kind, Passage};
use crate::program::ThreadId;

/// Which of the events that may come next does.
pub(super) struct Turns {
    /// The executed events of each node, lightweight fences left out; more than one only for an
    /// atomic block.
    at: Vec<Vec<EventId>>,
    /// For each node, its thread and where it stands on its path.
    stands: Vec<Option<(ThreadId, usize)>>,
    /// For each thread, the positions on its path that are events, ascending, and whether placed.
    due: Vec<Vec<(usize, bool)>>,
    current: ThreadId,
}

impl Turns {
    /// No turn taken yet, on these paths.
    pub(super) fn new(encoding: &Encoding, paths: &[Vec<&Passage>]) -> Self {
        let mut at = vec![Vec::new(); encoding.order.len()];
        let mut stands = vec![None; encoding.order.len()];
        let mut due = vec![Vec::new(); paths.len()];
        for (t, path) in paths.iter().enumerate() {
            for (position, event) in path
                .iter()
                .enumerate()
                .filter_map(|(i, p)| p.event.map(|event| (i, event)))
            {
                let found = &encoding.events()[event.index()];
                if let Kind::Light(_) = found.kind {
                    continue;
                }
                let node = found.node.index();
                at[node].push(event);
                if stands[node].is_none() {
                    stands[node] = Some((ThreadId::from(t), position));
                    due[t].push((position, false));
                }
            }
        }
        Self {
            at,
            stands,
            due,
            current: ThreadId(0),
        }
    }

    /// The events of a node, in the order of their thread.
    pub(super) fn at(&self, node: NodeId) -> &[EventId] {
        &self.at[node.index()]
    }

    /// Brings what is behind a node into program order. Requires that all of it is of one thread.
    pub(super) fn sort_behind(&self, order: &mut [NodeId], end: NodeId) {
        let behind = order.iter().position(|&node| node == end);
        let behind = behind.map_or(order.len(), |at| at + 1);
        order[behind..].sort_by_key(|node| self.stands[node.index()]);
    }

    /// Takes one of the nodes that may come next, by its index. First what is not executed; then
    /// stores that their thread has overtaken; then the thread whose turn it was, any other that
    /// comes to its next event, and last whoever overtakes.
    pub(super) fn choose(&mut self, ready: &[NodeId]) -> usize {
        let rank = |index: &usize| {
            let Some((thread, position)) = self.stands[ready[*index].index()] else {
                // Not executed: out of the way.
                return (0, 0, 0);
            };
            let due = &self.due[thread.index()];
            let overtaken = due
                .iter()
                .any(|&(later, placed)| later > position && placed);
            let next = due
                .iter()
                .find(|(_, placed)| !placed)
                .map(|&(first, _)| first);
            let class = match (overtaken, next == Some(position), thread == self.current) {
                (true, _, _) => 1,
                (false, true, true) => 2,
                (false, true, false) => 3,
                (false, false, _) => 4,
            };
            (class, thread.index(), position)
        };
        let best = (0..ready.len()).min_by_key(rank).unwrap_or(0);
        if let Some((thread, position)) = self.stands[ready[best].index()] {
            self.current = thread;
            if let Some(entry) = self.due[thread.index()]
                .iter_mut()
                .find(|(other, _)| *other == position)
            {
                entry.1 = true;
            }
        }
        best
    }
}
