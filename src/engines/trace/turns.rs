//! Chooses which event comes next, where the model leaves the order open.
//!
//! Among the orders that the model allows, it prefers those in which a thread continues as long as
//! it can and a store reaches memory as soon as it may: a store that is late in the trace has to be
//! late.
//!
//! A lightweight fence has no turn. Its position in the order only orders stores; its thread may
//! execute it before or after that position.

use crate::cnf::NodeId;
use crate::encode::{Encoding, EventId, EventKind, Passage};
use crate::program::ThreadId;

/// Chooses the next event among those that may come next.
pub(super) struct Turns {
    /// The executed events of each node, without lightweight fences; more than one only for an
    /// atomic block.
    at: Vec<Vec<EventId>>,
    /// For each node, its thread and its position on the thread's path.
    owners: Vec<Option<(ThreadId, usize)>>,
    due: Vec<Due>,
    current: ThreadId,
}

/// The turns of one thread.
#[derive(Default)]
struct Due {
    /// The positions of the events on its path, ascending, and whether each has had its turn.
    events: Vec<(usize, bool)>,
    /// The index of the first event that has not had its turn.
    first: usize,
    /// The greatest position of an event that has had its turn.
    last: Option<usize>,
}

impl Due {
    /// The position of the first event that has not had its turn.
    fn next(&self) -> Option<usize> {
        self.events.get(self.first).map(|&(position, _)| position)
    }

    /// Records that the event at a position has its turn.
    fn place(&mut self, position: usize) {
        let index = self.events.binary_search_by_key(&position, |&(at, _)| at);
        if let Ok(index) = index {
            self.events[index].1 = true;
        }
        while self
            .events
            .get(self.first)
            .is_some_and(|&(_, placed)| placed)
        {
            self.first += 1;
        }
        self.last = self.last.max(Some(position));
    }
}

impl Turns {
    /// The state before the first turn, for these paths.
    pub(super) fn new(encoding: &Encoding, paths: &[Vec<&Passage>]) -> Self {
        let mut at = vec![Vec::new(); encoding.order.len()];
        let mut owners = vec![None; encoding.order.len()];
        let mut due: Vec<Due> = Vec::new();
        due.resize_with(paths.len(), Due::default);
        for (t, path) in paths.iter().enumerate() {
            for (position, event) in path
                .iter()
                .enumerate()
                .filter_map(|(i, p)| p.event.map(|event| (i, event)))
            {
                let found = &encoding.events()[event.index()];
                if let EventKind::Light(_) = found.kind {
                    continue;
                }
                let node = found.node.index();
                at[node].push(event);
                if owners[node].is_none() {
                    owners[node] = Some((ThreadId::from(t), position));
                    due[t].events.push((position, false));
                }
            }
        }
        Self {
            at,
            owners,
            due,
            current: ThreadId(0),
        }
    }

    /// The events of a node, in the order of their thread.
    pub(super) fn at(&self, node: NodeId) -> &[EventId] {
        &self.at[node.index()]
    }

    /// Sorts the nodes after `end` by program order. Requires that they all belong to one thread.
    pub(super) fn sort_after(&self, order: &mut [NodeId], end: NodeId) {
        let after = order.iter().position(|&node| node == end);
        let after = after.map_or(order.len(), |at| at + 1);
        order[after..].sort_by_key(|node| self.owners[node.index()]);
    }

    /// Chooses one of the nodes that may come next, by its index. In order of preference: nodes
    /// that are not executed; stores that their thread has overtaken; the next event of the current
    /// thread; the next event of another thread; and last, an event that overtakes an earlier one.
    pub(super) fn choose(&mut self, ready: &[NodeId]) -> usize {
        let rank = |index: &usize| {
            let Some((thread, position)) = self.owners[ready[*index].index()] else {
                // Not executed, so it does not matter.
                return (0, 0, 0);
            };
            let due = &self.due[thread.index()];
            let overtaken = due.last > Some(position);
            let next = due.next() == Some(position);
            let class = match (overtaken, next, thread == self.current) {
                (true, _, _) => 1,
                (false, true, true) => 2,
                (false, true, false) => 3,
                (false, false, _) => 4,
            };
            (class, thread.index(), position)
        };
        let best = (0..ready.len()).min_by_key(rank).unwrap_or(0);
        if let Some((thread, position)) = self.owners[ready[best].index()] {
            self.current = thread;
            self.due[thread.index()].place(position);
        }
        best
    }
}
