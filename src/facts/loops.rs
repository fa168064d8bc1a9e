//! Loops of a thread: its weak topological order.
//!
//! A weak topological order \[Bou93\] nests the locations in *components*, each with a head, such
//! that every edge that does not go forward ends at the head of a component around its source. For
//! structured programs these are the loops of the source text; if control jumps into the middle of
//! a loop the order still exists, and one of the entries becomes the head.
//!
//!   1 (2 (3 4) 5) 6        2 is the head of {2,3,4,5}, 3 of {3,4}; 4→3, 5→2 are back edges
//!
//! It is computed as in [Bou93, Section 4]: the strongly connected components of the graph are
//! ordered; in each that has a cycle, the location where the search entered it becomes the head,
//! its incoming edges are removed, and the rest is decomposed in the same way. Work lists replace
//! the recursion, because generated programs may nest loops deeply.
//!
//! **Invariant.** For each edge `u → v`: `position(u) < position(v)`, or `v` is the head of a
//! component that contains `u`. The head comes first in its component, and a component occupies
//! contiguous positions.
//!
//! Cost: edges × nesting depth.
//!
//! \[Bou93\] F. Bourdoncle. Efficient chaotic iteration strategies with widenings. FMPA 1993.

use crate::program::{InstrId, LocId, Origin, Program, Thread};
use std::fmt;

/// A loop of one thread: a component of its weak topological order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(pub u32);

impl LoopId {
    /// The index in dense tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for LoopId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "l{}", self.0)
    }
}

impl fmt::Debug for LoopId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The loops of one thread. An outer loop has a smaller id than the loops inside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loops {
    table: Vec<LoopInfo>,
    /// The innermost loop around each location.
    innermost: Vec<Option<LoopId>>,
    /// Each location's position in the order.
    position: Vec<u32>,
    /// The locations in order.
    order: Vec<LocId>,
    /// The loop that each instruction continues, if it is a back edge.
    continues: Vec<Option<LoopId>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct LoopInfo {
    head: LocId,
    parent: Option<LoopId>,
    depth: u32,
    origin: Origin,
    back_edges: Vec<InstrId>,
}

impl Loops {
    /// The loops of a thread. Unreachable locations are ordered as well.
    pub fn of(thread: &Thread) -> Self {
        let mut successors = vec![Vec::new(); thread.locations().len()];
        for instruction in thread.instructions() {
            successors[instruction.from.index()].push(instruction.to);
        }
        let mut search = Decomposition::new(successors);
        search.run(thread.entry());
        let Decomposition {
            mut loops,
            innermost,
            order,
            ..
        } = search;
        for found in &mut loops {
            found.origin = thread.location(found.head).origin;
        }
        let mut position = vec![0; order.len()];
        for (i, loc) in order.iter().enumerate() {
            position[loc.index()] = i as u32;
        }
        let mut result = Self {
            table: loops,
            innermost,
            position,
            order,
            continues: vec![None; thread.instructions().len()],
        };
        for (i, instruction) in thread.instructions().iter().enumerate() {
            let (from, to) = (instruction.from, instruction.to);
            if result.position(from) >= result.position(to) {
                let id = result.innermost[to.index()];
                debug_assert!(id.is_some_and(|id| result.head(id) == to));
                debug_assert!(id.is_some_and(|id| result.contains(id, from)));
                result.continues[i] = id;
                if let Some(id) = id {
                    result.table[id.index()].back_edges.push(i.into());
                }
            }
        }
        result
    }

    /// Whether some thread of the program has a loop.
    pub fn in_program(program: &Program) -> bool {
        let mut threads = program.threads().iter();
        threads.any(|thread| Loops::of(thread).ids().len() > 0)
    }

    /// The ids of all loops, outer ones before inner ones.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = LoopId> + Clone + use<> {
        (0..self.table.len() as u32).map(LoopId)
    }

    /// The location where each iteration of the loop starts.
    pub fn head(&self, id: LoopId) -> LocId {
        self.table[id.index()].head
    }

    /// The loop directly around this one.
    pub fn parent(&self, id: LoopId) -> Option<LoopId> {
        self.table[id.index()].parent
    }

    /// Where the loop was written.
    pub fn origin(&self, id: LoopId) -> Origin {
        self.table[id.index()].origin
    }

    /// The instructions that start another iteration, in order.
    pub fn back_edges(&self, id: LoopId) -> &[InstrId] {
        &self.table[id.index()].back_edges
    }

    /// The loop of which the instruction starts another iteration, if it leads from inside a loop
    /// to its head.
    pub fn is_back_edge(&self, instr: InstrId) -> Option<LoopId> {
        self.continues[instr.index()]
    }

    /// The innermost loop around a location; a head is inside its loop.
    pub fn innermost(&self, loc: LocId) -> Option<LoopId> {
        self.innermost[loc.index()]
    }

    /// The loops around a location, outermost first.
    pub fn around(&self, loc: LocId) -> Vec<LoopId> {
        let mut stack: Vec<LoopId> =
            std::iter::successors(self.innermost(loc), |&id| self.parent(id)).collect();
        stack.reverse();
        stack
    }

    /// The number of loops around a location.
    pub fn depth(&self, loc: LocId) -> usize {
        self.innermost(loc)
            .map_or(0, |id| self.table[id.index()].depth as usize)
    }

    /// Whether a location is inside a loop, inner loops included.
    pub fn contains(&self, id: LoopId, loc: LocId) -> bool {
        std::iter::successors(self.innermost(loc), |&inner| self.parent(inner))
            .any(|inner| inner == id)
    }

    /// Whether a location is the head of some loop.
    pub fn is_head(&self, loc: LocId) -> bool {
        self.innermost(loc).is_some_and(|id| self.head(id) == loc)
    }

    /// The location's position in an order in which every edge except back edges goes forward.
    pub fn position(&self, loc: LocId) -> usize {
        self.position[loc.index()] as usize
    }

    /// All locations in that order.
    pub fn order(&self) -> &[LocId] {
        &self.order
    }

    /// The locations of a loop, in order, its head first.
    pub fn body(&self, id: LoopId) -> &[LocId] {
        let start = self.position(self.head(id));
        let inside = self.order[start..].iter();
        let length = inside.take_while(|&&loc| self.contains(id, loc)).count();
        &self.order[start..start + length]
    }
}

/// The strongly connected component of each location: a number. Edges lead to components of the
/// same number, or of a greater one. `successors`: where the edges lead, by location.
pub fn components(successors: Vec<Vec<LocId>>) -> Vec<usize> {
    let mut search = Decomposition::new(successors);
    let items = search.components(None, search.locations().collect());
    let mut of_loop = vec![0; search.loops.len()];
    let mut of = vec![0; search.successors.len()];
    for (number, item) in items.iter().rev().enumerate() {
        match item {
            OrderItem::Location(loc) => of[loc.index()] = number,
            OrderItem::Component(id) => of_loop[id.index()] = number,
        }
    }
    for (of, id) in of.iter_mut().zip(&search.innermost) {
        *of = id.map_or(*of, |id| of_loop[id.index()]);
    }
    of
}

/// An item of the order under construction: a location, or a component that is not decomposed yet.
#[derive(Clone, Copy)]
enum OrderItem {
    Location(LocId),
    Component(LoopId),
}

/// The decomposition in progress. The current subgraph consists of the locations whose innermost
/// component so far is the one being decomposed, without its head.
struct Decomposition {
    successors: Vec<Vec<LocId>>,
    loops: Vec<LoopInfo>,
    innermost: Vec<Option<LoopId>>,
    is_head: Vec<bool>,
    order: Vec<LocId>,
    /// Tarjan's numbers; 0 if unvisited, `u32::MAX` if assigned to a component.
    number: Vec<u32>,
    low: Vec<u32>,
    count: u32,
}

impl Decomposition {
    fn new(successors: Vec<Vec<LocId>>) -> Self {
        let locations = successors.len();
        Self {
            successors,
            loops: Vec::new(),
            innermost: vec![None; locations],
            is_head: vec![false; locations],
            order: Vec::with_capacity(locations),
            number: vec![0; locations],
            low: vec![0; locations],
            count: 0,
        }
    }

    fn locations(&self) -> impl Iterator<Item = LocId> + use<> {
        (0..self.successors.len()).map(LocId::from)
    }

    fn run(&mut self, entry: LocId) {
        let others = self.locations().filter(|&loc| loc != entry);
        let roots = std::iter::once(entry).chain(others);
        let mut work = self.components(None, roots.collect());
        while let Some(item) = work.pop() {
            match item {
                OrderItem::Location(loc) => self.order.push(loc),
                OrderItem::Component(id) => {
                    let head = self.loops[id.index()].head;
                    self.order.push(head);
                    let roots = self.successors[head.index()].clone();
                    let inside = self.components(Some(id), roots);
                    work.extend(inside);
                }
            }
        }
    }

    /// The strongly connected components of a subgraph, the last in topological order first
    /// (Tarjan). Roots outside the subgraph are skipped.
    fn components(&mut self, within: Option<LoopId>, roots: Vec<LocId>) -> Vec<OrderItem> {
        let mut items = Vec::new();
        let mut open: Vec<LocId> = Vec::new();
        let mut path: Vec<(LocId, usize)> = Vec::new();
        for root in roots {
            if !self.is_unvisited(within, root) {
                continue;
            }
            self.enter(root, &mut open, &mut path);
            while let Some(&mut (loc, ref mut next)) = path.last_mut() {
                let Some(&to) = self.successors[loc.index()].get(*next) else {
                    path.pop();
                    let low = self.low[loc.index()];
                    if let Some(&(before, _)) = path.last() {
                        let below = &mut self.low[before.index()];
                        *below = low.min(*below);
                    }
                    if low == self.number[loc.index()] {
                        items.push(self.close(within, loc, &mut open));
                    }
                    continue;
                };
                *next += 1;
                if self.is_unvisited(within, to) {
                    self.enter(to, &mut open, &mut path);
                } else if self.is_inside(within, to) {
                    // Closed components have the greatest number and change nothing.
                    let low = &mut self.low[loc.index()];
                    *low = (*low).min(self.number[to.index()]);
                }
            }
        }
        items
    }

    fn is_inside(&self, within: Option<LoopId>, loc: LocId) -> bool {
        self.innermost[loc.index()] == within && !self.is_head[loc.index()]
    }

    fn is_unvisited(&self, within: Option<LoopId>, loc: LocId) -> bool {
        self.is_inside(within, loc) && self.number[loc.index()] == 0
    }

    fn enter(&mut self, loc: LocId, open: &mut Vec<LocId>, path: &mut Vec<(LocId, usize)>) {
        self.count += 1;
        self.number[loc.index()] = self.count;
        self.low[loc.index()] = self.count;
        open.push(loc);
        path.push((loc, 0));
    }

    /// Removes the component that the search entered at `first` from the open locations.
    fn close(&mut self, within: Option<LoopId>, first: LocId, open: &mut Vec<LocId>) -> OrderItem {
        let start = open.iter().rposition(|&loc| loc == first).unwrap_or(0);
        let members = open.split_off(start);
        if members.len() == 1 && !self.successors[first.index()].contains(&first) {
            self.number[first.index()] = u32::MAX;
            return OrderItem::Location(first);
        }
        let id = LoopId(self.loops.len() as u32);
        let outer = within.map_or(0, |outer| self.loops[outer.index()].depth);
        self.loops.push(LoopInfo {
            head: first,
            parent: within,
            depth: outer + 1,
            origin: Origin::default(),
            back_edges: Vec::new(),
        });
        for loc in members {
            self.innermost[loc.index()] = Some(id);
            self.number[loc.index()] = 0;
        }
        self.is_head[first.index()] = true;
        OrderItem::Component(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Copies, Op, Program, ProgramBuilder, ThreadId};
    use proptest::prelude::*;

    /// A program of one thread with these edges, all of them skips; entry 0.
    fn graph(locations: usize, edges: &[(usize, usize)]) -> Program {
        let mut builder = ProgramBuilder::new("graph");
        let t = builder.thread("t", Copies::One, Origin::default());
        for _ in 0..locations {
            builder.location(t, Origin::default());
        }
        builder.entry(t, LocId(0));
        for &(from, to) in edges {
            builder.instruction(t, from.into(), Op::Skip, to.into(), Origin::default());
        }
        builder.build().expect("a graph is a program")
    }

    fn loops(locations: usize, edges: &[(usize, usize)]) -> Loops {
        Loops::of(graph(locations, edges).thread(ThreadId(0)))
    }

    /// The order in Bourdoncle's notation.
    fn notation(loops: &Loops) -> String {
        let mut text = String::new();
        let mut depth = 0;
        for &loc in loops.order() {
            let inside = loops.depth(loc);
            let stays = if loops.is_head(loc) {
                inside - 1
            } else {
                inside
            };
            text.push_str(&")".repeat(depth - stays.min(depth)));
            if !text.is_empty() {
                text.push(' ');
            }
            if loops.is_head(loc) {
                text.push('(');
            }
            text.push_str(&loc.0.to_string());
            depth = inside;
        }
        text.push_str(&")".repeat(depth));
        text
    }

    #[test]
    fn nested_loops_nest() {
        let edges = [(0, 1), (1, 2), (2, 3), (3, 2), (3, 4), (4, 1), (1, 5)];
        let loops = loops(6, &edges);
        assert_eq!(notation(&loops), "0 (1 (2 3) 4) 5");
        assert_eq!(loops.around(LocId(3)), [LoopId(0), LoopId(1)]);
        assert_eq!(loops.is_back_edge(InstrId(3)), Some(LoopId(1)));
        assert_eq!(loops.back_edges(LoopId(0)), [InstrId(5)]);
        assert_eq!(loops.is_back_edge(InstrId(2)), None);
    }

    #[test]
    fn bourdoncles_example_is_decomposed_as_in_the_paper() {
        // [Bou93, Fig. 1], locations from 0.
        let edges = [
            (0, 1),
            (1, 2),
            (1, 7),
            (2, 3),
            (3, 4),
            (3, 6),
            (4, 5),
            (5, 4),
            (5, 6),
            (6, 2),
            (6, 7),
        ];
        assert_eq!(notation(&loops(8, &edges)), "0 1 (2 3 (4 5) 6) 7");
    }

    #[test]
    fn a_loop_with_two_entries_has_one_head() {
        let loops = loops(3, &[(0, 1), (0, 2), (1, 2), (2, 1)]);
        assert_eq!(notation(&loops), "0 (1 2)");
        assert_eq!(loops.is_back_edge(InstrId(3)), Some(LoopId(0)));
    }

    #[test]
    fn an_edge_to_its_own_start_is_a_loop() {
        let loops = loops(2, &[(0, 0), (0, 1)]);
        assert_eq!(notation(&loops), "(0) 1");
        assert_eq!(loops.is_back_edge(InstrId(0)), Some(LoopId(0)));
    }

    #[test]
    fn loops_may_be_nested_a_thousand_deep() {
        let n = 1000;
        let mut edges: Vec<(usize, usize)> = (0..n).map(|i| (i, i + 1)).collect();
        edges.extend((0..n).map(|i| (n, i)));
        assert_eq!(loops(n + 1, &edges).depth(LocId::from(n)), n);
    }

    proptest! {
        #[test]
        fn every_edge_goes_forward_or_to_a_head_around_its_start(
            edges in prop::collection::vec((0..12_usize, 0..12_usize), 0..40)
        ) {
            let loops = loops(12, &edges);
            let mut order = loops.order().to_vec();
            order.sort_unstable();
            prop_assert_eq!(order, (0..12).map(LocId::from).collect::<Vec<_>>());
            for (i, &(from, to)) in edges.iter().enumerate() {
                let (from, to) = (LocId::from(from), LocId::from(to));
                match loops.is_back_edge(i.into()) {
                    Some(id) => {
                        prop_assert_eq!(loops.head(id), to);
                        prop_assert!(loops.contains(id, from));
                    }
                    None => prop_assert!(loops.position(from) < loops.position(to)),
                }
            }
            for id in loops.ids() {
                prop_assert_eq!(loops.body(id)[0], loops.head(id));
                for loc in (0..12).map(LocId::from) {
                    prop_assert_eq!(loops.body(id).contains(&loc), loops.contains(id, loc));
                }
                prop_assert!(!loops.back_edges(id).is_empty());
                prop_assert!(loops.parent(id).is_none_or(|outer| outer < id));
            }
        }
    }
}
