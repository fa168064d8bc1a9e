//! Where paths meet: the encoding of a copy from its arrivals.
//!
//! ```text
//! (guard)  guard c ↔ ∨ taken(p) over the passages p that arrive at c  ∨  more c
//! (carry)  taken p → register at c = register after p
//! (more)   more c → some loop left on a path to c exceeds its bound
//! ```
//!
//! `more` represents arrivals from iterations that are not encoded. It is defined by the arrivals
//! that a raised bound adds, and by the next `more`. If a loop is cut, every copy to which a later
//! iteration may leave the loop is created, even if no encoded iteration can reach it.

use super::super::Encoding;
use super::super::program_order::EventChain;
use super::Arrival;
use super::value::{Env, RegValue};
use crate::cnf::{Bits, Cnf};
use crate::facts::ValueSet;
use crate::program::{LocId, ThreadId};
use rustsat::types::Lit;
use std::collections::BTreeMap;
use std::sync::Arc;

impl Encoding {
    /// Encodes a copy from its known arrivals, and then the instructions that leave it.
    pub(super) fn visit(&mut self, thread: ThreadId, number: usize) {
        let t = thread.index();
        let node = &mut self.paths[t].nodes[number];
        node.done = true;
        let copy = node.copy.clone();
        let arrivals = std::mem::take(&mut node.arrivals);
        let beyond = self.beyond_before(thread, copy.loc);
        let more = self.open(&beyond);
        // (guard)
        let guard = self
            .cnf
            .or_all(arrivals.iter().map(|arrival| arrival.taken).chain(more));
        let env = self.merge(thread, copy.loc, &arrivals, more.is_some());
        let chain = EventChain::merge(arrivals.into_iter().map(|a| a.chain), more.is_some());
        let node = &mut self.paths[t].nodes[number];
        node.guard = guard;
        node.more = more.map(|more| (more, beyond));
        node.env = env;
        node.chain = chain;
        self.add_switched_fences(thread, number);
        self.leave(thread, number);
    }

    /// (more): a literal for an iteration that is not encoded; it implies that one of these is
    /// true.
    pub(in super::super) fn open(&mut self, beyond: &[Lit]) -> Option<Lit> {
        if beyond.is_empty() {
            return None;
        }
        let more = self.cnf.fresh();
        let clause: Vec<Lit> = std::iter::once(!more)
            .chain(beyond.iter().copied())
            .collect();
        self.cnf.clause(&clause);
        Some(more)
    }

    /// The literals of "exceeds its bound" of the loops from which control could still reach a
    /// location.
    fn beyond_before(&self, thread: ThreadId, loc: LocId) -> Vec<Lit> {
        let paths = &self.paths[thread.index()];
        let left = paths.unroller.left_to(loc);
        if left.is_empty() {
            return Vec::new();
        }
        paths
            .cuts
            .iter()
            .filter(|cut| left.binary_search(&cut.id).is_ok())
            .map(|cut| paths.beyond(cut))
            .collect()
    }

    /// (carry): the registers where paths meet.
    fn merge(&mut self, thread: ThreadId, loc: LocId, arrivals: &[Arrival], open: bool) -> Env {
        let live = self.liveness.at(thread, loc).to_vec();
        let mut env = Env::new();
        let arrivals: Vec<&Arrival> = arrivals.iter().filter(|a| a.taken != Cnf::FALSE).collect();
        if arrivals.is_empty() && !open {
            // Control never reaches this copy.
            return live
                .into_iter()
                .map(|reg| (reg, RegValue::constant(0)))
                .collect();
        }
        for reg in live {
            let values: Vec<&RegValue> = arrivals.iter().map(|a| &a.env[&reg]).collect();
            let all = self.values.register_at(thread, loc, reg).clone();
            let value = if open {
                // Later arrivals may have any value that is possible at this location.
                let (low, high) = all.bounds().unwrap_or((0, 0));
                let bits = Bits::fresh(&mut self.cnf, low, high);
                for (arrival, value) in arrivals.iter().zip(&values) {
                    bits.equal_if(arrival.taken, &value.bits, &mut self.cnf);
                }
                RegValue {
                    bits: Arc::new(bits),
                    set: all,
                }
            } else {
                let mut set = values
                    .iter()
                    .fold(ValueSet::EMPTY, |set, v| set.join(&v.set));
                let narrowed = set.meet(&all);
                if !narrowed.is_empty() {
                    set = narrowed;
                }
                let mut bits = Arc::clone(&values[0].bits);
                for (arrival, value) in arrivals.iter().zip(&values).skip(1) {
                    if bits != value.bits {
                        bits = Arc::new(value.bits.mux(arrival.taken, &bits, &mut self.cnf));
                    }
                }
                RegValue { bits, set }
            };
            env.insert(reg, value);
        }
        env
    }

    /// Adds arrivals to copies that were encoded before them, with a new `more` for later ones.
    pub(super) fn join_late(&mut self, thread: ThreadId) {
        let t = thread.index();
        let mut late: BTreeMap<usize, Vec<Arrival>> = BTreeMap::new();
        for (number, arrival) in std::mem::take(&mut self.paths[t].late) {
            late.entry(number).or_default().push(arrival);
        }
        for number in 0..self.paths[t].nodes.len() {
            let Some((more, before)) = self.paths[t].nodes[number].more.clone() else {
                continue;
            };
            let arrivals = late.remove(&number).unwrap_or_default();
            let beyond = self.beyond_before(thread, self.paths[t].nodes[number].copy.loc);
            if arrivals.is_empty() && beyond == before {
                continue;
            }
            let next = self.open(&beyond);
            let mut clause = vec![!more];
            clause.extend(arrivals.iter().map(|arrival| arrival.taken).chain(next));
            self.cnf.clause(&clause);
            for arrival in &arrivals {
                self.cnf.implies(arrival.taken, more);
                for (reg, value) in self.paths[t].nodes[number].env.clone() {
                    value
                        .bits
                        .equal_if(arrival.taken, &arrival.env[&reg].bits, &mut self.cnf);
                }
            }
            if let Some(next) = next {
                self.cnf.implies(next, more);
            }
            self.paths[t].nodes[number].more = next.map(|next| (next, beyond));
        }
        debug_assert!(late.is_empty(), "an arrival at a copy that was not open");
    }
}
