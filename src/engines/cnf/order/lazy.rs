//! Acyclicity on demand: a cycle is excluded once a model contains it.
//!
//! ```text
//! (cycle)  not all conditions of the edges along a cycle
//! ```
//!
//! A model with one cycle usually has many. In each strongly connected component, one shortest
//! cycle through each of its first 64 nodes is excluded: short clauses exclude the most, and adding
//! many at a time saves solver calls.

use super::ConditionalEdge;
use crate::cnf::Cnf;
use ahash::AHashSet;
use rustsat::types::Lit;
use std::collections::VecDeque;

/// The cycles that have been excluded.
#[derive(Debug, Default)]
pub(super) struct Cycles {
    /// The conditions of each, sorted.
    seen: AHashSet<Vec<Lit>>,
}

impl Cycles {
    /// Examines a model: adds clauses for cycles among the edges whose condition is true in it.
    /// Returns whether there was a cycle.
    pub(super) fn refine(
        &mut self,
        nodes: usize,
        edges: &[ConditionalEdge],
        cnf: &mut Cnf,
        value: impl Fn(Lit) -> bool,
    ) -> bool {
        let mut out: Vec<Vec<(usize, Lit)>> = vec![Vec::new(); nodes];
        for edge in edges.iter().filter(|edge| value(edge.condition)) {
            out[edge.from.index()].push((edge.to.index(), edge.condition));
        }
        let mut found = false;
        let components = components(&out);
        let mut shortest = Shortest::new(nodes, &components);
        for component in &components {
            // One shortest cycle through each node, so that one model gives many clauses.
            for &start in component.iter().take(64) {
                let mut cycle = shortest.cycle(&out, start);
                cycle.retain(|&lit| lit != Cnf::TRUE);
                cycle.sort_unstable();
                cycle.dedup();
                found = true;
                if self.seen.insert(cycle.clone()) {
                    let clause: Vec<Lit> = cycle.into_iter().map(|lit| !lit).collect();
                    cnf.clause(&clause);
                }
            }
        }
        found
    }
}

/// The strongly connected components with more than one node, each in ascending order.
fn components(out: &[Vec<(usize, Lit)>]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let n = out.len();
    let (mut index, mut low) = (vec![UNSEEN; n], vec![0; n]);
    let mut on_stack = vec![false; n];
    let (mut stack, mut result, mut counter) = (Vec::new(), Vec::new(), 0);
    for root in 0..n {
        if index[root] != UNSEEN {
            continue;
        }
        let mut work = vec![(root, 0)];
        while let Some(&mut (node, ref mut position)) = work.last_mut() {
            if *position == 0 {
                index[node] = counter;
                low[node] = counter;
                counter += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(&(to, _)) = out[node].get(*position) {
                *position += 1;
                if index[to] == UNSEEN {
                    work.push((to, 0));
                } else if on_stack[to] {
                    low[node] = low[node].min(index[to]);
                }
                continue;
            }
            work.pop();
            if let Some(&mut (parent, _)) = work.last_mut() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == index[node] {
                let from = stack.iter().rposition(|&m| m == node).unwrap_or(0);
                let mut component = stack.split_off(from);
                for &member in &component {
                    on_stack[member] = false;
                }
                if component.len() > 1 {
                    component.sort_unstable();
                    result.push(component);
                }
            }
        }
    }
    result
}

/// The search for shortest cycles. Its arrays are allocated once per model, not once per cycle.
struct Shortest {
    /// By node: the component that it is in, if any.
    component: Vec<Option<usize>>,
    /// By node: the number of the last search that found it, and how that search arrived there.
    found: Vec<(usize, usize, Lit)>,
    searches: usize,
    queue: VecDeque<usize>,
}

impl Shortest {
    fn new(nodes: usize, components: &[Vec<usize>]) -> Self {
        let mut component = vec![None; nodes];
        for (number, members) in components.iter().enumerate() {
            for &member in members {
                component[member] = Some(number);
            }
        }
        Self {
            component,
            found: vec![(0, 0, Cnf::TRUE); nodes],
            searches: 0,
            queue: VecDeque::new(),
        }
    }

    /// The conditions along a shortest cycle through `start`, which is in a component.
    fn cycle(&mut self, out: &[Vec<(usize, Lit)>], start: usize) -> Vec<Lit> {
        self.searches += 1;
        self.queue.clear();
        self.queue.push_back(start);
        while let Some(node) = self.queue.pop_front() {
            for &(to, condition) in &out[node] {
                if to == start {
                    let mut cycle = vec![condition];
                    let mut at = node;
                    while at != start {
                        let (_, from, condition) = self.found[at];
                        cycle.push(condition);
                        at = from;
                    }
                    return cycle;
                }
                let is_inside = self.component[to] == self.component[start];
                if is_inside && self.found[to].0 != self.searches {
                    self.found[to] = (self.searches, node, condition);
                    self.queue.push_back(to);
                }
            }
        }
        Vec::new()
    }
}
