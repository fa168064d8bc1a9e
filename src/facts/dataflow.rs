//! Data flow: the least values that agree along all edges of an automaton.
//!
//! ```text
//! value[l]    ⊇ start[l]                    for each location l
//! value[to]   ⊇ step(e, value[from])        for each edge e, if values flow forward
//! value[from] ⊇ step(e, value[to])          for each edge e, if values flow backward
//! ```
//!
//! **Theorem.** If `step` is monotone and no value can grow forever, the iteration ends with the least
//! solution. It ends because each step after the first of its edge follows a value that grew. It is a
//! solution, because an edge is applied again whenever the value at its source has grown. And it is the
//! least one, because by induction each value that occurs is below that of every solution. So the order
//! of the steps does not matter for the result.
//!
//! It matters for the time. The rounds go through the locations in reverse post-order of the direction in
//! which values flow, so that all edges but those that close cycles lead to a location that comes later
//! in the same round. What a value depends on along a path with `k` such edges has arrived after `k + 1`
//! rounds, and a round costs a step for each edge whose source has grown. Without loops that is one step
//! per edge.
//!
//! **Absent.** Values that flow between threads or are widened: `values` iterates over those.

use crate::program::{Instruction, Thread};
use std::collections::{BTreeMap, BTreeSet};

/// Values of which any two have a least one that contains both.
pub trait Lattice {
    /// Adds everything in another value to this one; returns whether that was anything new.
    fn join(&mut self, other: Self) -> bool;
}

/// Something may be the case.
impl Lattice for bool {
    fn join(&mut self, other: Self) -> bool {
        let grows = other && !*self;
        *self |= other;
        grows
    }
}

/// A number; a smaller one contains a greater one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Least(pub usize);

impl Lattice for Least {
    fn join(&mut self, other: Self) -> bool {
        let grows = other.0 < self.0;
        self.0 = self.0.min(other.0);
        grows
    }
}

/// `None` is less than all values: nothing has arrived.
impl<L: Lattice> Lattice for Option<L> {
    fn join(&mut self, other: Self) -> bool {
        match (&mut *self, other) {
            (_, None) => false,
            (None, some) => {
                *self = some;
                true
            }
            (Some(value), Some(other)) => value.join(other),
        }
    }
}

impl<T: Ord> Lattice for BTreeSet<T> {
    fn join(&mut self, other: Self) -> bool {
        let known = self.len();
        self.extend(other);
        self.len() > known
    }
}

/// What is not in a map has less than all values.
impl<K: Ord, L: Lattice> Lattice for BTreeMap<K, L> {
    fn join(&mut self, other: Self) -> bool {
        let mut grows = false;
        for (key, value) in other {
            if let Some(known) = self.get_mut(&key) {
                grows |= known.join(value);
            } else {
                self.insert(key, value);
                grows = true;
            }
        }
        grows
    }
}

/// Locations, numbered from 0, and edges between them.
pub trait Graph {
    /// An edge.
    type Edge;

    /// The number of locations.
    fn locations(&self) -> usize;

    /// All edges.
    fn edges(&self) -> &[Self::Edge];

    /// Where an edge comes from, and where it leads.
    fn ends(edge: &Self::Edge) -> (usize, usize);
}

impl Graph for Thread {
    type Edge = Instruction;

    fn locations(&self) -> usize {
        self.locations().len()
    }

    fn edges(&self) -> &[Instruction] {
        self.instructions()
    }

    fn ends(edge: &Instruction) -> (usize, usize) {
        (edge.from.index(), edge.to.index())
    }
}

/// A graph, and the direction in which values flow along its edges.
pub struct Flow<'g, G: Graph> {
    graph: &'g G,
    /// The edges, sorted by the location that values come from: each with the location that they flow to.
    edges: Vec<(usize, usize)>,
    /// By location: where its edges begin among these, and then the number of all.
    first: Vec<usize>,
}

impl<'g, G: Graph> Flow<'g, G> {
    /// Values flow from the beginning of each edge to its end.
    pub fn forward(graph: &'g G) -> Self {
        Self::new(graph, G::ends)
    }

    /// Values flow from the end of each edge to its beginning.
    pub fn backward(graph: &'g G) -> Self {
        Self::new(graph, |edge| {
            let (from, to) = G::ends(edge);
            (to, from)
        })
    }

    fn new(graph: &'g G, ends: impl Fn(&G::Edge) -> (usize, usize)) -> Self {
        let mut first = vec![0; graph.locations() + 1];
        for edge in graph.edges() {
            first[ends(edge).0] += 1;
        }
        let mut sum = 0;
        for count in &mut first {
            sum += *count;
            *count = sum;
        }
        // Each location's place moves from the end of its edges to their beginning.
        let mut edges = vec![(0, 0); sum];
        for (number, edge) in graph.edges().iter().enumerate().rev() {
            let (from, to) = ends(edge);
            first[from] -= 1;
            edges[first[from]] = (number, to);
        }
        Self {
            graph,
            edges,
            first,
        }
    }

    /// The edges from a location, in order: each with the location that values flow to.
    fn leaving(&self, at: usize) -> &[(usize, usize)] {
        &self.edges[self.first[at]..self.first[at + 1]]
    }

    /// The least values that contain those given, by location, and what a monotone function makes along
    /// each edge of the value where it flows from. Requires that no value can grow forever.
    pub fn solve<L: Lattice>(
        &self,
        start: Vec<L>,
        mut step: impl FnMut(usize, &'g G::Edge, &L) -> L,
    ) -> Vec<L> {
        let mut values = start;
        let mut order = self.search(0..self.graph.locations(), |_, _| true).left;
        order.reverse();
        let mut is_open = vec![true; order.len()];
        let mut open = order.len();
        while open > 0 {
            for &at in &order {
                if !std::mem::replace(&mut is_open[at], false) {
                    continue;
                }
                open -= 1;
                for &(number, to) in self.leaving(at) {
                    let value = step(number, &self.graph.edges()[number], &values[at]);
                    if values[to].join(value) && !std::mem::replace(&mut is_open[to], true) {
                        open += 1;
                    }
                }
            }
        }
        values
    }

    /// By location: whether values flow there from one of these, along edges that satisfy a predicate.
    pub fn reached(
        &self,
        from: impl IntoIterator<Item = usize>,
        passes: impl Fn(&'g G::Edge) -> bool,
    ) -> Vec<bool> {
        let mut reached = vec![false; self.graph.locations()];
        let mut open: Vec<usize> = from.into_iter().collect();
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut reached[at], true) {
                let leaving = self.leaving(at).iter();
                let passed = leaving.filter(|edge| passes(&self.graph.edges()[edge.0]));
                open.extend(passed.map(|edge| edge.1));
            }
        }
        reached
    }

    /// Goes through the graph depth first, from each of these locations in turn, along edges that satisfy a
    /// predicate.
    pub fn search(
        &self,
        roots: impl IntoIterator<Item = usize>,
        follows: impl Fn(usize, &'g G::Edge) -> bool,
    ) -> DepthFirst {
        let locations = self.graph.locations();
        let mut found = DepthFirst {
            left: Vec::with_capacity(locations),
            closes: vec![false; locations],
        };
        let (mut seen, mut open) = (vec![false; locations], vec![false; locations]);
        // Each location with the next of its edges to follow.
        let mut path: Vec<(usize, usize)> = Vec::new();
        for root in roots {
            if !std::mem::replace(&mut seen[root], true) {
                path.push((root, 0));
            }
            while let Some((at, next)) = path.last_mut() {
                open[*at] = true;
                let Some(&(number, to)) = self.leaving(*at).get(*next) else {
                    open[*at] = false;
                    found.left.push(*at);
                    path.pop();
                    continue;
                };
                *next += 1;
                if follows(number, &self.graph.edges()[number]) {
                    found.closes[to] |= open[to];
                    if !std::mem::replace(&mut seen[to], true) {
                        path.push((to, 0));
                    }
                }
            }
        }
        found
    }
}

/// What a depth-first search finds.
pub struct DepthFirst {
    /// The locations, each after those that it was left for: without cycles, after all that follow it.
    pub left: Vec<usize>,
    /// By location: whether an edge leads back to it from the path that the search was on. Each cycle that it
    /// found contains such a location.
    pub closes: Vec<bool>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Edges among this many locations, each with a number that says what it does.
    #[derive(Debug)]
    struct Random(usize, Vec<(usize, usize, u32)>);

    impl Graph for Random {
        type Edge = (usize, usize, u32);

        fn locations(&self) -> usize {
            self.0
        }

        fn edges(&self) -> &[Self::Edge] {
            &self.1
        }

        fn ends(edge: &Self::Edge) -> (usize, usize) {
            (edge.0, edge.1)
        }
    }

    fn graph() -> impl Strategy<Value = Random> {
        (1..10_usize).prop_flat_map(|locations| {
            let edge = (0..locations, 0..locations, any::<u32>());
            let edges = prop::collection::vec(edge, 0..24);
            edges.prop_map(move |edges| Random(locations, edges))
        })
    }

    /// By definition: all edges again and again, in the order of their declaration, until nothing changes.
    fn naive<L: Lattice>(
        graph: &Random,
        is_forward: bool,
        mut values: Vec<L>,
        step: impl Fn(u32, &L) -> L,
    ) -> Vec<L> {
        loop {
            let mut grows = false;
            for &(from, to, does) in &graph.1 {
                let (from, to) = if is_forward { (from, to) } else { (to, from) };
                let value = step(does, &values[from]);
                grows |= values[to].join(value);
            }
            if !grows {
                return values;
            }
        }
    }

    fn flow(graph: &Random, is_forward: bool) -> Flow<'_, Random> {
        if is_forward {
            Flow::forward(graph)
        } else {
            Flow::backward(graph)
        }
    }

    /// A few elements are removed and others are added, one of them only if another was there.
    fn set(does: u32, before: &BTreeSet<u32>) -> BTreeSet<u32> {
        let bits = |by: u32| (0..8).filter(move |bit| does >> by >> bit & 1 == 1);
        let mut after = before.clone();
        for element in bits(0) {
            after.remove(&element);
        }
        after.extend(bits(8).filter(|_| does >> 31 == 1));
        if before.contains(&(does >> 16 & 7)) {
            after.insert(does >> 19 & 7);
        }
        after
    }

    /// The length of the shortest path; some edges cannot be passed.
    fn distance(does: u32, before: Option<Least>) -> Option<Least> {
        let length = does as usize % 7;
        let passed = before.filter(|_| length > 0);
        passed.map(|Least(before)| Least(before + length))
    }

    /// What two variables are, copied to each other or set to a number.
    fn copies(does: u32, before: &BTreeMap<u32, BTreeSet<u32>>) -> BTreeMap<u32, BTreeSet<u32>> {
        let mut after = before.clone();
        let (into, from) = (does & 1, does >> 1 & 1);
        match does >> 2 & 3 {
            0 => after.insert(into, BTreeSet::from([does >> 4 & 3])),
            1 => after.remove(&into),
            _ => match before.get(&from) {
                Some(value) => after.insert(into, value.clone()),
                None => after.remove(&into),
            },
        };
        after
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_500))]

        #[test]
        fn the_solution_is_that_of_naive_iteration(
            graph in graph(),
            is_forward: bool,
            starts: [u32; 10],
        ) {
            let flow = flow(&graph, is_forward);
            let start = || starts.iter().take(graph.0).copied();

            let sets = || start().map(|bits| set(bits | 1 << 31, &BTreeSet::new())).collect();
            let found = flow.solve(sets(), |_, edge, before| set(edge.2, before));
            prop_assert_eq!(found, naive(&graph, is_forward, sets(), set));

            let some = |bits: u32| bits.is_multiple_of(3).then_some(Least(bits as usize % 11));
            let far = || start().map(some).collect();
            let found = flow.solve(far(), |_, edge, &before| distance(edge.2, before));
            prop_assert_eq!(found, naive(&graph, is_forward, far(), |does, &before| distance(does, before)));

            let maps = || start().map(|bits| copies(bits, &BTreeMap::new())).collect();
            let found = flow.solve(maps(), |_, edge, before| copies(edge.2, before));
            prop_assert_eq!(found, naive(&graph, is_forward, maps(), copies));
        }

        #[test]
        fn a_location_is_reached_if_a_path_leads_there(graph in graph(), is_forward: bool, bits: u16) {
            let is_start = |at: &usize| bits >> at & 1 == 1;
            let passes = |does: u32| !does.is_multiple_of(4);
            let found = flow(&graph, is_forward)
                .reached((0..graph.0).filter(is_start), |edge| passes(edge.2));
            let start = (0..graph.0).map(|at| is_start(&at)).collect();
            let expected = naive(&graph, is_forward, start, |does, &before| before && passes(does));
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn a_search_cuts_each_cycle_that_it_reaches(
            graph in graph(),
            is_forward: bool,
            first in 0..10_usize,
        ) {
            let flow = flow(&graph, is_forward);
            let passes = |does: u32| !does.is_multiple_of(4);
            let first = first % graph.0;
            let found = flow.search([first, 0], |_, edge| passes(edge.2));
            let reached = flow.reached([first, 0], |edge| passes(edge.2));
            let mut left = found.left.clone();
            left.sort_unstable();
            let all: Vec<usize> = (0..graph.0).filter(|&at| reached[at]).collect();
            prop_assert_eq!(left, all);
            let place = |at: usize| found.left.iter().position(|&left| left == at);
            for &(from, to, does) in graph.1.iter().filter(|edge| passes(edge.2)) {
                let (from, to) = if is_forward { (from, to) } else { (to, from) };
                // Edges that do not lead back to a cut lead to what was left before.
                prop_assert!(!reached[from] || found.closes[to] || place(to) < place(from), "{does}");
            }
            for at in (0..graph.0).filter(|&at| found.closes[at]) {
                let after = flow.leaving(at).iter().filter(|edge| passes(graph.1[edge.0].2));
                let comes_back = flow.reached(after.map(|edge| edge.1), |edge| passes(edge.2));
                prop_assert!(comes_back[at]);
            }
        }

        /// All values have arrived at a location when it is visited.
        #[test]
        fn without_loops_each_edge_takes_one_step(graph in graph(), is_forward: bool, by in 0..10_usize) {
            // Edges lead upwards in an order that is not that of the locations.
            let place = |at: usize| (at * 7 + by) % graph.0;
            let upwards = graph.1.iter().filter(|edge| place(edge.0) < place(edge.1));
            let acyclic = Random(graph.0, upwards.copied().collect());
            let mut steps = vec![0; acyclic.1.len()];
            let start = vec![BTreeSet::from([7]); graph.0];
            flow(&acyclic, is_forward).solve(start, |number, edge, before| {
                steps[number] += 1;
                set(edge.2, before)
            });
            prop_assert!(steps.into_iter().all(|steps| steps == 1));
        }
    }

    /// A loop in a loop: what begins in the inner one gets everywhere in three rounds.
    #[test]
    fn a_value_needs_a_round_for_each_cycle_that_it_goes_around() {
        let edges = [(0, 1), (1, 2), (2, 3), (3, 2), (3, 1), (1, 4)];
        let nested = Random(5, edges.map(|(from, to)| (from, to, 0)).into());
        let mut steps = 0;
        let start = vec![BTreeSet::new(); 5];
        let found = Flow::forward(&nested).solve(start, |number, _, before| {
            steps += 1;
            let mut after: BTreeSet<usize> = before.clone();
            after.insert(number);
            after
        });
        assert_eq!(found[4], BTreeSet::from([0, 1, 2, 3, 4, 5]));
        assert!(steps <= 3 * edges.len(), "{steps} steps");
    }
}
