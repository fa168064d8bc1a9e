//! How control leaves a copy: along one of its instructions, or not at all.
//!
//! ```text
//! (take)   taken p → guard c ∧ condition p,   at most one p leaves c
//! ```
//!
//! A thread may halt anywhere, but most halts can be excluded. A thread that halts where no goal
//! depends on it could continue after all other threads: its further stores come last, and only a
//! goal that observes memory could depend on them. So control may halt only where a goal can depend
//! on it, where nothing else is possible, and where a loop is cut. The guards of straight-line code
//! are then one literal, often a constant.

use super::super::Encoding;
use super::{CutEdge, Passage};
use crate::cnf::Cnf;
use crate::program::{Goal, InstrId, Op, Site, ThreadId};
use crate::unroll::EdgeTarget;
use rustsat::types::Lit;

impl Encoding {
    /// (take): control leaves a copy: along one of the instructions, or not at all.
    pub(super) fn leave(&mut self, thread: ThreadId, number: usize) {
        let t = thread.index();
        let automaton = self.program.thread(thread);
        let loc = self.paths[t].nodes[number].copy.loc;
        let copy = self.paths[t].nodes[number].copy.clone();
        let guard = self.paths[t].nodes[number].guard;
        let outgoing = automaton.outgoing(loc).to_vec();
        let atomic = automaton.location(loc).atomic;
        let mut options: Vec<(InstrId, Lit, EdgeTarget)> = Vec::new();
        for &instr in &outgoing {
            let target = self.paths[t]
                .unroller
                .target(self.program.thread(thread), &copy, instr);
            let condition = self.condition(thread, number, instr);
            if condition != Cnf::FALSE {
                options.push((instr, condition, target));
            }
        }
        let halts = self.may_halt(thread, loc) || self.may_be_stuck(thread, &outgoing);
        let exclusive = match options[..] {
            [_] => true,
            [(_, a, _), (_, b, _)] => a == !b,
            _ => false,
        };
        let mut taken: Vec<Lit> = Vec::with_capacity(options.len());
        for (index, &(instr, condition, ref target)) in options.iter().enumerate() {
            let cut = matches!(target, EdgeTarget::Cut(_));
            let certain = self.cnf.and(guard, condition);
            let lit = if *target == EdgeTarget::Dropped {
                self.drop_edge(thread, number, instr, certain);
                Cnf::FALSE
            } else if exclusive && !halts && !cut {
                certain
            } else if !exclusive
                && !halts
                && !cut
                && condition == Cnf::TRUE
                && index + 1 == options.len()
            {
                // Some instruction is always possible, so control continues.
                self.cnf
                    .and_all(taken.iter().map(|&lit| !lit).chain([guard]))
            } else {
                let lit = self.cnf.fresh();
                self.cnf.implies(lit, certain);
                lit
            };
            taken.push(lit);
        }
        if !exclusive {
            let open: Vec<Lit> = taken
                .iter()
                .copied()
                .filter(|&lit| lit != Cnf::FALSE)
                .collect();
            self.cnf.at_most_one(&open);
        }
        if atomic {
            self.finish_block(thread, number, guard, &taken);
        }
        // The chain stays with the copy only if an edge is cut here: straight-line code in which
        // each copy had a chain of its own would cost a quadratic amount of memory.
        let is_cut = |(_, _, target): &(_, _, EdgeTarget)| matches!(target, EdgeTarget::Cut(_));
        let last = options.len().checked_sub(1);
        let last = last.filter(|_| !options.iter().any(is_cut));
        for (index, ((instr, _, target), taken)) in options.into_iter().zip(taken).enumerate() {
            match target {
                EdgeTarget::Dropped => {}
                EdgeTarget::Cut(id) => {
                    let out = &mut self.paths[t].nodes[number].out;
                    out.push(Passage {
                        instr,
                        taken,
                        to: None,
                        event: None,
                        choice: None,
                    });
                    let passage = out.len() - 1;
                    self.paths[t].cuts.push(CutEdge {
                        id,
                        node: number,
                        passage,
                    });
                    self.land(thread, number, id);
                }
                EdgeTarget::Copy(to) => {
                    let chain = &mut self.paths[t].nodes[number].chain;
                    let chain = if last == Some(index) {
                        std::mem::take(chain)
                    } else {
                        chain.clone()
                    };
                    let passage = self.pass(thread, number, instr, taken, to, chain);
                    self.paths[t].nodes[number].out.push(passage);
                }
            }
        }
    }

    /// An edge that ends an iteration without effects is not followed, but its instruction can be
    /// executed, and can fail if it is an assertion.
    fn drop_edge(&mut self, thread: ThreadId, number: usize, instr: InstrId, taken: Lit) {
        let t = thread.index();
        self.paths[t].nodes[number].dropped.push((instr, taken));
        let instruction = self.program.thread(thread).instruction(instr).clone();
        if let Op::Assert(e) = &instruction.op
            && self.is_planned(Goal::Assert(Site { thread, instr }))
            && !self
                .program
                .thread(thread)
                .location(instruction.from)
                .atomic
        {
            let failing = self.fails(thread, number, e, taken);
            self.paths[t].nodes[number]
                .halt_goals
                .push((instr, failing));
        }
    }

    /// The condition on the operands under which control may take an instruction. Records accesses
    /// that may be outside shared memory.
    fn condition(&mut self, thread: ThreadId, number: usize, instr: InstrId) -> Lit {
        let instruction = self.program.thread(thread).instruction(instr).clone();
        match &instruction.op {
            Op::Assume(e) => {
                let value = self.evaluate(thread, number, e);
                if !value.set.may_be_true() {
                    Cnf::FALSE
                } else if !value.set.may_be_false() {
                    Cnf::TRUE
                } else {
                    value.bits.nonzero(&mut self.cnf)
                }
            }
            Op::Load { addr, .. } | Op::Store { addr, .. } | Op::Rmw { addr, .. } => {
                let (address, outside) = self.address(thread, number, addr);
                if !outside {
                    return Cnf::TRUE;
                }
                let inside = self.cnf.or_all(address.0.iter().map(|&(_, lit)| lit));
                let guard = self.paths[thread.index()].nodes[number].guard;
                let outside_here = self.cnf.and(guard, !inside);
                self.paths[thread.index()].nodes[number]
                    .halt_goals
                    .push((instr, outside_here));
                inside
            }
            Op::Skip
            | Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Assert(_)
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd => Cnf::TRUE,
        }
    }
}
