//! Shortest cycles of a happens-before relation.
//!
//! **Differs from \[BDM13\]**, which has no atomic blocks: no other thread takes a step during a
//! block, under SC or TSO, so a block is *one* node of the graph that is searched for cycles. For
//! that reason a trace can be acyclic access by access and still not be SC.
//!
//! The relations are closed under transitivity, so that a shortest cycle passes through each thread
//! at most once and contains no unnecessary access: the critical cycles of Shasha and Snir.
//!
//! Cost: a breadth-first search from every node. Program order needs no edges: a search that has come
//! to one place of a thread comes to all later ones, and to each of them once. In the worst case, many
//! accesses of several threads to one cell, the time is cubic in their number. Whether there is a cycle
//! at all is decided in linear time.

use super::happens_before::{Edge, Event, EventId, HappensBefore, Relation, overwriting};
use std::collections::VecDeque;

impl HappensBefore {
    /// A shortest cycle: each access with its relation to the next one, and the last with its
    /// relation to the first. The accesses of one thread are adjacent in it, and at most two, plus
    /// up to two more if the cycle enters and leaves an atomic block. Deterministic.
    pub fn cycle(&self) -> Option<Vec<(EventId, Relation)>> {
        let graph = BlockGraph::new(self);
        let mut best: Option<Vec<Edge>> = None;
        for start in (0..graph.out.len()).filter(|&node| graph.nodes[node].place.is_some()) {
            let limit = best.as_ref().map_or(usize::MAX, Vec::len);
            if let Some(cycle) = graph.shortest_through(start, limit) {
                best = Some(cycle);
            }
        }
        best.map(|cycle| expand(&cycle))
    }

    /// Whether there is a cycle. A topological sort: nodes without predecessors are removed until
    /// none is left. The immediate edges suffice, since every related pair is connected by a path
    /// along them.
    pub fn is_cyclic(&self) -> bool {
        let (nodes, count) = nodes(&self.events);
        let mut out: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut waits_for = vec![0_usize; count];
        for edge in &self.edges {
            let (from, to) = (nodes[edge.from.index()], nodes[edge.to.index()]);
            if from != to {
                out[from].push(to);
                waits_for[to] += 1;
            }
        }
        let mut free: Vec<usize> = (0..count).filter(|&node| waits_for[node] == 0).collect();
        let mut removed = 0;
        while let Some(node) = free.pop() {
            removed += 1;
            for &to in &out[node] {
                waits_for[to] -= 1;
                if waits_for[to] == 0 {
                    free.push(to);
                }
            }
        }
        removed < count
    }
}

/// The node of each access, and the number of nodes: an atomic block is one node.
fn nodes(events: &[Event]) -> (Vec<usize>, usize) {
    let mut nodes: Vec<usize> = Vec::with_capacity(events.len());
    let mut blocks: Vec<Option<usize>> = Vec::new();
    let mut count = 0;
    for event in events {
        let node = match event.block {
            None => count,
            Some(block) => {
                let block = block as usize;
                if blocks.len() <= block {
                    blocks.resize(block + 1, None);
                }
                *blocks[block].get_or_insert(count)
            }
        };
        count = count.max(node + 1);
        nodes.push(node);
    }
    (nodes, count)
}

/// By cell: whether two threads access it. The accesses to any other cell are in program order.
fn shared_cells(hb: &HappensBefore) -> Vec<bool> {
    let mut accessed_by = vec![None; hb.coherence.len()];
    let mut is_shared = vec![false; hb.coherence.len()];
    for event in &hb.events {
        let cell = event.addr.index();
        let first = *accessed_by[cell].get_or_insert(event.site.thread);
        is_shared[cell] |= first != event.site.thread;
    }
    is_shared
}

/// Turns a cycle of nodes into a cycle of accesses: connects the accesses at which it enters and
/// leaves a block.
fn expand(cycle: &[Edge]) -> Vec<(EventId, Relation)> {
    let mut events = Vec::new();
    for (index, edge) in cycle.iter().enumerate() {
        events.push((edge.from, edge.relation));
        let next = cycle[(index + 1) % cycle.len()].from;
        if edge.to != next {
            let relation = if edge.to < next {
                Relation::Po
            } else {
                Relation::Block
            };
            events.push((edge.to, relation));
        }
    }
    events
}

/// The transitive relations between nodes: accesses, or whole blocks.
struct BlockGraph {
    /// The outgoing edges of each node to other threads, each with its target node, in a fixed
    /// order.
    out: Vec<Vec<(usize, Edge)>>,
    /// By thread: the nodes that are related to another thread, in program order. A shortest cycle
    /// never has two steps of program order in a row, so the other nodes are on none.
    threads: Vec<Vec<usize>>,
    nodes: Vec<Node>,
}

#[derive(Clone, Copy)]
struct Node {
    first: EventId,
    /// Where it is among those that are related to another thread, if it is one of them.
    place: Option<Place>,
}

#[derive(Clone, Copy)]
struct Place {
    thread: usize,
    position: usize,
}

impl BlockGraph {
    fn new(hb: &HappensBefore) -> Self {
        let events = &hb.events;
        let (node_of, count) = nodes(events);
        let ids = || (0..events.len() as u32).map(EventId);
        // The relations between accesses of different threads; of several between the same nodes,
        // the first of rf, co, fr is used. Inside a thread program order contains the others.
        let mut external: Vec<Edge> = Vec::new();
        let mut push = |from: EventId, relation, to: EventId| {
            let (a, b) = (node_of[from.index()], node_of[to.index()]);
            if a != b && hb.thread(from) != hb.thread(to) {
                external.push(Edge { from, relation, to });
            }
        };
        for load in ids() {
            if let Some(store) = hb.source[load.index()] {
                push(store, Relation::Rf, load);
            }
        }
        let is_shared = shared_cells(hb);
        for stores in &hb.coherence {
            let cell = stores.first().map(|&store| hb.event(store).addr);
            if !cell.is_some_and(|cell| is_shared[cell.index()]) {
                continue;
            }
            for (position, &from) in stores.iter().enumerate() {
                for &to in &stores[position + 1..] {
                    push(from, Relation::Co, to);
                }
            }
        }
        for (load, stores) in overwriting(events, &hb.source, &hb.coherence) {
            if is_shared[hb.event(load).addr.index()] {
                for &store in stores.iter().filter(|&&store| store != load) {
                    push(load, Relation::Fr, store);
                }
            }
        }
        let mut out = vec![Vec::new(); count];
        let mut crosses = vec![false; count];
        for edge in external {
            let (a, b) = (node_of[edge.from.index()], node_of[edge.to.index()]);
            crosses[a] = true;
            crosses[b] = true;
            out[a].push((b, edge));
        }
        let mut threads: Vec<Vec<usize>> = Vec::new();
        let mut nodes: Vec<Node> = Vec::with_capacity(count);
        for first in ids() {
            let node = node_of[first.index()];
            if node < nodes.len() {
                continue;
            }
            let thread = hb.thread(first).index();
            let place = crosses[node].then(|| {
                if threads.len() <= thread {
                    threads.resize(thread + 1, Vec::new());
                }
                threads[thread].push(node);
                let position = threads[thread].len() - 1;
                Place { thread, position }
            });
            nodes.push(Node { first, place });
        }
        Self {
            out,
            threads,
            nodes,
        }
    }

    /// A shortest cycle through the node, if there is one with fewer edges than `limit`.
    fn shortest_through(&self, start: usize, limit: usize) -> Option<Vec<Edge>> {
        let mut reached: Vec<Option<(usize, Edge)>> = vec![None; self.out.len()];
        // By thread: the first position that program order has led to, and so to all after it.
        let mut entered: Vec<usize> = self.threads.iter().map(Vec::len).collect();
        let mut queue = VecDeque::from([(start, 0)]);
        while let Some((node, length)) = queue.pop_front() {
            if length + 1 >= limit {
                return None;
            }
            let Node { first: from, place } = self.nodes[node];
            let later = place.map_or(&[][..], |Place { thread, position }| {
                let end = entered[thread].max(position + 1);
                entered[thread] = entered[thread].min(position + 1);
                &self.threads[thread][position + 1..end]
            });
            let program_order = later.iter().map(|&node| {
                let (to, relation) = (self.nodes[node].first, Relation::Po);
                (node, Edge { from, relation, to })
            });
            for (to, edge) in program_order.chain(self.out[node].iter().copied()) {
                if to == start {
                    let mut cycle = vec![edge];
                    let mut at = node;
                    while at != start {
                        let (before, edge) = reached[at]?;
                        cycle.push(edge);
                        at = before;
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                if reached[to].is_none() {
                    reached[to] = Some((node, edge));
                    queue.push_back((to, length + 1));
                }
            }
        }
        None
    }
}
