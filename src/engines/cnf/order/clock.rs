//! Acyclicity by numbers: each node has a clock, and edges lead to nodes with greater clocks.
//!
//! ```text
//! (less)  generation ∧ condition → clock a < clock b
//! ```
//!
//! Clocks are just wide enough for the number of nodes. More nodes may need wider clocks; the
//! comparisons of the old width are then retired with their generation literal, which is why the
//! current generation must be assumed.

use super::ConditionalEdge;
use crate::cnf::Cnf;
use rustsat::types::Lit;

/// The clocks of all nodes.
#[derive(Debug, Default)]
pub(super) struct Clocks {
    /// By node, least significant bit first.
    numbers: Vec<Vec<Lit>>,
    /// The literal under which the comparisons of this width hold.
    generation: Option<Lit>,
    /// The number of edges whose comparison was emitted.
    emitted: usize,
}

impl Clocks {
    /// The literal under which the comparisons hold, if any were emitted.
    pub(super) fn generation(&self) -> Option<Lit> {
        self.generation
    }

    /// Emits the comparisons of all edges. `edges` must start with the edges of the last call.
    pub(super) fn emit(&mut self, nodes: usize, edges: &[ConditionalEdge], cnf: &mut Cnf) {
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
