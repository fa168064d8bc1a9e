//! Acyclicity by numbers: each node has a clock, and edges lead to later ones.
//!
//! ```text
//! (less)  generation ∧ condition → clock a < clock b
//! ```
//!
//! Clocks are as wide as the number of nodes needs. More nodes may need wider ones; the comparisons
//! of the old width are retired with their generation, which is why it must be assumed.

use super::Edge;
use crate::cnf::Cnf;
use rustsat::types::Lit;

/// The clocks of all nodes.
#[derive(Debug, Default)]
pub(super) struct Clocks {
    /// By node, the least bit first.
    numbers: Vec<Vec<Lit>>,
    /// The literal under which the comparisons of this width hold.
    generation: Option<Lit>,
    /// How many edges have their comparison.
    emitted: usize,
}

impl Clocks {
    /// The literal under which clocks are compared, once there are any.
    pub(super) fn generation(&self) -> Option<Lit> {
        self.generation
    }

    /// Compares the clocks of all edges. The edges given before must be the first of these.
    pub(super) fn emit(&mut self, nodes: usize, edges: &[Edge], cnf: &mut Cnf) {
        let width = usize::BITS as usize - nodes.leading_zeros() as usize;
        if self.numbers.first().map(Vec::len) != Some(width) {
            // Wider clocks for more nodes: the comparisons of the old width are retired.
            if let Some(old) = self.generation.replace(cnf.fresh()) {
                cnf.clause(&[!old]);
            }
            self.numbers.clear();
            self.emitted = 0;
        }
        while self.numbers.len() < nodes {
            let clock = (0..width).map(|_| cnf.fresh()).collect();
            self.numbers.push(clock);
        }
        for &edge in &edges[self.emitted..] {
            let mut less = Cnf::FALSE;
            for bit in 0..width {
                let a = self.numbers[edge.from.index()][bit];
                let b = self.numbers[edge.to.index()][bit];
                let differ = cnf.xor(a, b);
                less = cnf.mux(differ, b, less);
            }
            let generation = self.generation.unwrap_or(Cnf::TRUE);
            cnf.clause(&[!generation, !edge.condition, less]);
        }
        self.emitted = edges.len();
    }
}
