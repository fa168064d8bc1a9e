//! A graph with conditional edges that must have no cycle.
//!
//! The encoder states edges, `condition → a before b`; this file ensures that the edges whose
//! condition is true form no cycle. There are three encodings, because which one is fastest depends
//! on the query, and because each checks the others:
//!
//! ```text
//! Clock       each node has a number; (less) condition → clock a < clock b
//! Transitive  each pair has a literal; (trans) a<b ∧ b<c → a<c, totality by one literal per pair
//! Lazy        nothing at first; after each model, (cycle) one clause per cycle found in it
//! ```
//!
//! Lazy is the default. Measured on the families of `benches/scaling` (`cargo bench --bench scaling
//! -- --table`, seconds with varisat for lazy, clock, transitive): fenced store-buffering ring of
//! 128 threads 0.004, 0.44, more than 4; message-passing chain of 128 threads 0.008, 0.28, 2.2;
//! fenced Peterson entered 8 times 0.10, more than 4, 0.30, entered 16 times 4.0, not run, more
//! than 4. Program order decides most pairs, so few cycles are left to learn; where many remain, in
//! long proofs, the advantage of lazy shrinks.
//!
//! Unconditional edges are closed under transitivity in advance, for all three: an edge against the
//! closure becomes a unit clause, an edge along it needs no clause.
//!
//! **Invariant.** Every clause added is valid for all later queries: a cycle clause contains the
//! conditions, and a condition depends on its switches.

mod clock;
mod lazy;
mod transitive;

use super::Cnf;
use ahash::AHashMap;
use clock::Clocks;
use lazy::Cycles;
use rustsat::types::Lit;

/// How cycles are excluded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Acyclicity {
    /// Clock numbers: few variables, weak propagation.
    Clock,
    /// One literal per pair, and transitivity: strong propagation, cubic size.
    Transitive,
    /// Cycles are excluded when a model contains them.
    #[default]
    Lazy,
}

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct NodeId(pub(crate) u32);

impl NodeId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct ConditionalEdge {
    condition: Lit,
    from: NodeId,
    to: NodeId,
}

/// The graph.
#[derive(Debug)]
pub(crate) struct Order {
    kind: Acyclicity,
    nodes: usize,
    edges: Vec<ConditionalEdge>,
    /// Bit `b` of row `a`: `a` is before `b` along unconditional edges.
    closure: Vec<Vec<u64>>,
    pairs: AHashMap<(NodeId, NodeId), Lit>,
    /// The pairs in the order of their creation.
    paired: Vec<(NodeId, NodeId)>,
    implications: AHashMap<(NodeId, NodeId), Lit>,
    clocks: Clocks,
    /// For `Transitive`: the number of nodes whose triples have all been emitted.
    emitted_nodes: usize,
    cycles: Cycles,
    contradictory: bool,
}

impl Order {
    /// A graph without nodes.
    pub(crate) fn new(kind: Acyclicity) -> Self {
        Self {
            kind,
            nodes: 0,
            edges: Vec::new(),
            closure: Vec::new(),
            pairs: AHashMap::new(),
            paired: Vec::new(),
            implications: AHashMap::new(),
            clocks: Clocks::default(),
            emitted_nodes: 0,
            cycles: Cycles::default(),
            contradictory: false,
        }
    }

    /// Whether the unconditional edges have a cycle, as of the last [`Order::close`]. Then no order
    /// exists and every query would be unsatisfiable: the encoder has a defect, and no query may be
    /// made.
    pub(crate) fn is_contradictory(&self) -> bool {
        self.contradictory
    }

    /// Adds a node.
    pub(crate) fn node(&mut self) -> NodeId {
        self.nodes += 1;
        NodeId(self.nodes as u32 - 1)
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes
    }

    /// Adds an unconditional edge from `a` to `b`. [`Order::close`] must follow before other edges.
    pub(crate) fn always(&mut self, a: NodeId, b: NodeId) {
        self.edges.push(ConditionalEdge {
            condition: Cnf::TRUE,
            from: a,
            to: b,
        });
    }

    /// Closes the unconditional edges under transitivity, and fixes the pair literals that the
    /// closure decides.
    pub(crate) fn close(&mut self, cnf: &mut Cnf) {
        let words = self.nodes.div_ceil(64);
        let mut successors: Vec<Vec<usize>> = vec![Vec::new(); self.nodes];
        let mut indegree = vec![0usize; self.nodes];
        for edge in self.edges.iter().filter(|edge| edge.condition == Cnf::TRUE) {
            successors[edge.from.index()].push(edge.to.index());
            indegree[edge.to.index()] += 1;
        }
        let mut order: Vec<usize> = (0..self.nodes).filter(|&n| indegree[n] == 0).collect();
        let mut next = 0;
        while next < order.len() {
            for &to in &successors[order[next]] {
                indegree[to] -= 1;
                if indegree[to] == 0 {
                    order.push(to);
                }
            }
            next += 1;
        }
        self.contradictory = order.len() < self.nodes;
        self.closure = vec![vec![0; words]; self.nodes];
        for &node in order.iter().rev() {
            let mut row = std::mem::take(&mut self.closure[node]);
            for &to in &successors[node] {
                row[to / 64] |= 1 << (to % 64);
                for (word, other) in row.iter_mut().zip(&self.closure[to]) {
                    *word |= other;
                }
            }
            self.closure[node] = row;
        }
        for &(a, b) in &self.paired {
            if self.is_always_before(a, b) {
                cnf.clause(&[self.pairs[&(a, b)]]);
            } else if self.is_always_before(b, a) {
                cnf.clause(&[!self.pairs[&(a, b)]]);
            }
        }
    }

    /// Whether `a` is before `b` under all conditions, as of the last [`Order::close`].
    pub(crate) fn is_always_before(&self, a: NodeId, b: NodeId) -> bool {
        self.closure
            .get(a.index())
            .and_then(|row| row.get(b.index() / 64))
            .is_some_and(|word| word >> (b.index() % 64) & 1 == 1)
    }

    /// Adds the edge `condition → a before b`.
    pub(crate) fn edge(&mut self, cnf: &mut Cnf, condition: Lit, a: NodeId, b: NodeId) {
        if condition == Cnf::FALSE || self.is_always_before(a, b) {
            return;
        }
        if a == b || self.is_always_before(b, a) {
            cnf.clause(&[!condition]);
            return;
        }
        if self.kind == Acyclicity::Transitive {
            let before = self.before(cnf, a, b);
            if before != condition {
                cnf.clause(&[!condition, before]);
            }
            return;
        }
        self.edges.push(ConditionalEdge {
            condition,
            from: a,
            to: b,
        });
    }

    /// A literal that is equivalent to "`a` is before `b`": its negation means "`b` is before `a`".
    pub(crate) fn before(&mut self, cnf: &mut Cnf, a: NodeId, b: NodeId) -> Lit {
        if a == b || self.is_always_before(b, a) {
            return Cnf::FALSE;
        }
        if self.is_always_before(a, b) {
            return Cnf::TRUE;
        }
        if b < a {
            return !self.before(cnf, b, a);
        }
        if let Some(&lit) = self.pairs.get(&(a, b)) {
            return lit;
        }
        let lit = cnf.fresh();
        self.pairs.insert((a, b), lit);
        self.paired.push((a, b));
        self.edges.push(ConditionalEdge {
            condition: lit,
            from: a,
            to: b,
        });
        self.edges.push(ConditionalEdge {
            condition: !lit,
            from: b,
            to: a,
        });
        lit
    }

    /// A literal that implies "`a` is before `b`".
    pub(crate) fn implied(&mut self, cnf: &mut Cnf, a: NodeId, b: NodeId) -> Lit {
        if a == b || self.is_always_before(b, a) {
            return Cnf::FALSE;
        }
        if self.kind == Acyclicity::Transitive || self.is_always_before(a, b) {
            return self.before(cnf, a, b);
        }
        let (low, high) = (a.min(b), a.max(b));
        if let Some(&lit) = self.pairs.get(&(low, high)) {
            return if a == low { lit } else { !lit };
        }
        if let Some(&lit) = self.implications.get(&(a, b)) {
            return lit;
        }
        let lit = cnf.fresh();
        self.implications.insert((a, b), lit);
        self.edges.push(ConditionalEdge {
            condition: lit,
            from: a,
            to: b,
        });
        lit
    }

    /// Emits the clauses that the new nodes and edges need. Call before every query.
    pub(crate) fn emit(&mut self, cnf: &mut Cnf) {
        match self.kind {
            Acyclicity::Lazy => {}
            Acyclicity::Clock => self.clocks.emit(self.nodes, &self.edges, cnf),
            Acyclicity::Transitive => self.emit_transitivity(cnf),
        }
    }

    /// The literal that must be assumed in every query for the order to hold. It has no meaning to
    /// the caller and must not appear in a core.
    pub(crate) fn assumption(&self) -> Option<Lit> {
        self.clocks.generation()
    }

    /// Examines a model: adds clauses for cycles among the edges whose condition is true in it.
    /// Returns whether there was a cycle; if so, solve again.
    pub(crate) fn refine(&mut self, cnf: &mut Cnf, value: impl Fn(Lit) -> bool) -> bool {
        match self.kind {
            Acyclicity::Lazy => self.cycles.refine(self.nodes, &self.edges, cnf, value),
            Acyclicity::Clock | Acyclicity::Transitive => false,
        }
    }

    /// The nodes in an order that respects every edge whose condition is true. If several may come
    /// next, `choose` picks one of them (an index into its argument, which is ascending). Requires
    /// a model whose edges have no cycle.
    pub(crate) fn linear(
        &self,
        value: impl Fn(Lit) -> bool,
        mut choose: impl FnMut(&[NodeId]) -> usize,
    ) -> Vec<NodeId> {
        let mut out: Vec<Vec<usize>> = vec![Vec::new(); self.nodes];
        let mut indegree = vec![0usize; self.nodes];
        for edge in self.edges.iter().filter(|edge| value(edge.condition)) {
            out[edge.from.index()].push(edge.to.index());
            indegree[edge.to.index()] += 1;
        }
        let mut ready: Vec<NodeId> = (0..self.nodes)
            .filter(|&n| indegree[n] == 0)
            .map(|n| NodeId(n as u32))
            .collect();
        let mut order = Vec::with_capacity(self.nodes);
        while !ready.is_empty() {
            let node = ready.remove(choose(&ready));
            order.push(node);
            for &to in &out[node.index()] {
                indegree[to] -= 1;
                if indegree[to] == 0 {
                    let node = NodeId(to as u32);
                    let at = ready.partition_point(|&other| other < node);
                    ready.insert(at, node);
                }
            }
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::satisfiable;
    use super::*;
    use proptest::prelude::*;

    /// Whether some choice of the conditions with these assumed makes the graph acyclic.
    fn acyclic_by_brute_force(n: usize, edges: &[(usize, usize)], chosen: &[bool]) -> bool {
        let mut reach = vec![vec![false; n]; n];
        for (&(a, b), _) in edges.iter().zip(chosen).filter(|(_, c)| **c) {
            reach[a][b] = true;
        }
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    reach[i][j] |= reach[i][k] && reach[k][j];
                }
            }
        }
        (0..n).all(|i| !reach[i][i])
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn the_three_encodings_allow_the_same_sets_of_edges(
            edges in proptest::collection::vec((0usize..4, 0usize..4), 1..6),
            fixed in proptest::collection::vec((0usize..4, 0usize..4), 0..3),
        ) {
            let n = 4;
            let edges: Vec<_> = edges.into_iter().filter(|(a, b)| a != b).collect();
            let fixed: Vec<_> = fixed.into_iter().filter(|(a, b)| a < b).collect();
            for mask in 0..1u32 << edges.len() {
                let chosen: Vec<bool> = (0..edges.len()).map(|i| mask >> i & 1 == 1).collect();
                let mut all = edges.clone();
                let mut all_chosen = chosen.clone();
                all.extend(&fixed);
                all_chosen.extend(vec![true; fixed.len()]);
                let expected = acyclic_by_brute_force(n, &all, &all_chosen);
                for kind in [Acyclicity::Clock, Acyclicity::Transitive, Acyclicity::Lazy] {
                    let mut cnf = Cnf::new();
                    let mut order = Order::new(kind);
                    let nodes: Vec<NodeId> = (0..n).map(|_| order.node()).collect();
                    for &(a, b) in &fixed {
                        order.always(nodes[a], nodes[b]);
                    }
                    order.close(&mut cnf);
                    // The conditions are assumed here; the test checks that each encoding allows
                    // exactly the acyclic choices.
                    let lits: Vec<Lit> = edges.iter().map(|_| cnf.fresh()).collect();
                    for (&(a, b), &lit) in edges.iter().zip(&lits) {
                        order.edge(&mut cnf, lit, nodes[a], nodes[b]);
                    }
                    order.emit(&mut cnf);
                    let mut assumed: Vec<Lit> =
                        lits.iter().zip(&chosen).map(|(&l, &c)| if c { l } else { !l }).collect();
                    assumed.extend(order.assumption());
                    let lits = lits.clone();
                    let chosen = chosen.clone();
                    order.refine(&mut cnf, move |lit| {
                        lit == Cnf::TRUE
                            || lits.iter().position(|&l| l == lit).is_some_and(|i| chosen[i])
                    });
                    if cnf.variables() <= 22 {
                        prop_assert_eq!(satisfiable(&cnf, &assumed), expected, "{:?}", kind);
                    }
                }
            }
        }
    }

    #[test]
    fn an_order_of_the_nodes_respects_the_true_edges() {
        let mut cnf = Cnf::new();
        let mut order = Order::new(Acyclicity::Lazy);
        let nodes: Vec<NodeId> = (0..4).map(|_| order.node()).collect();
        let lit = cnf.fresh();
        order.always(nodes[2], nodes[1]);
        order.edge(&mut cnf, lit, nodes[1], nodes[0]);
        let linear = order.linear(|_| true, |_| 0);
        assert_eq!(linear, vec![nodes[2], nodes[1], nodes[0], nodes[3]]);
    }

    #[test]
    fn permanent_edges_that_have_a_cycle_are_reported() {
        let mut cnf = Cnf::new();
        let mut order = Order::new(Acyclicity::Lazy);
        let nodes: Vec<NodeId> = (0..3).map(|_| order.node()).collect();
        order.always(nodes[0], nodes[1]);
        order.close(&mut cnf);
        assert!(!order.is_contradictory());
        order.always(nodes[1], nodes[2]);
        order.always(nodes[2], nodes[0]);
        order.close(&mut cnf);
        assert!(order.is_contradictory());
        let mut order = Order::new(Acyclicity::Lazy);
        let node = order.node();
        order.always(node, node);
        order.close(&mut cnf);
        assert!(order.is_contradictory());
    }
}
