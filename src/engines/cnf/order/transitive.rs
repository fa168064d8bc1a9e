//! Acyclicity by a total order: each pair has a literal, and the pairs compose.
//!
//! ```text
//! (trans)  a<b ∧ b<c → a<c      for all triples, in both directions
//! ```
//!
//! The literals give totality: `b<a` is the negation of `a<b`. The size is cubic and propagation is
//! strong.

use super::{NodeId, Order};
use crate::cnf::Cnf;

impl Order {
    /// Emits (trans) for the triples with a new node.
    pub(super) fn emit_transitivity(&mut self, cnf: &mut Cnf) {
        let nodes: Vec<NodeId> = (0..self.nodes as u32).map(NodeId).collect();
        for (k, &c) in nodes.iter().enumerate().skip(self.emitted_nodes.max(2)) {
            for (j, &b) in nodes[..k].iter().enumerate() {
                let bc = self.before(cnf, b, c);
                for &a in &nodes[..j] {
                    let ab = self.before(cnf, a, b);
                    let ac = self.before(cnf, a, c);
                    cnf.clause(&[!ab, !bc, ac]);
                    cnf.clause(&[ab, bc, !ac]);
                }
            }
        }
        self.emitted_nodes = self.nodes;
    }
}
