//! How control leaves a copy: along one of the instructions, or not at all.
//!
//! ```text
//! (take)   taken p → guard c ∧ condition p,   at most one p leaves c
//! ```
//!
//! A thread may halt anywhere, but there is no need to let it. Whoever halts where no goal looks
//! could go on after everybody else: its further stores come last, and only a goal that observes
//! memory would see them. So control is only allowed to stop where a goal can tell, where nothing
//! else is possible, and where a loop is cut; the guards of straight-line code are then one
//! literal, often a constant.

use super::super::Encoding;
use super::{Cut, Passage};
use crate::cnf::Cnf;
use crate::program::{Goal, InstrId, Op, Site, ThreadId};
use crate::unroll::Target;
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
        let mut ways: Vec<(InstrId, Lit, Target)> = Vec::new();
        for &instr in &outgoing {
            let target = self.paths[t]
                .unroller
                .target(self.program.thread(thread), &copy, instr);
            let condition = self.condition(thread, number, instr);
            if condition != Cnf::FALSE {
                ways.push((instr, condition, target));
            }
        }
        let halts = self.may_halt(thread, loc) || self.may_be_stuck(thread, &outgoing);
        let exclusive = match ways[..] {
            [_] => true,
            [(_, a, _), (_, b, _)] => a == !b,
            _ => false,
        };
        let mut taken: Vec<Lit> = Vec::with_capacity(ways.len());
        for (index, &(instr, condition, ref target)) in ways.iter().enumerate() {
            let cut = matches!(target, Target::Cut(_));
            let certain = self.cnf.and(guard, condition);
            let lit = if *target == Target::Dropped {
                self.drop_edge(thread, number, instr, certain);
                Cnf::FALSE
            } else if exclusive && !halts && !cut {
                certain
            } else if !exclusive
                && !halts
                && !cut
                && condition == Cnf::TRUE
                && index + 1 == ways.len()
            {
                // Some way is always open, so control goes on.
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
        for ((instr, _, target), taken) in ways.into_iter().zip(taken) {
            match target {
                Target::Dropped => {}
                Target::Cut(id) => {
                    let out = &mut self.paths[t].nodes[number].out;
                    out.push(Passage {
                        instr,
                        taken,
                        to: None,
                        event: None,
                        choice: None,
                    });
                    let passage = out.len() - 1;
                    self.paths[t].cuts.push(Cut {
                        id,
                        node: number,
                        passage,
                    });
                    self.land(thread, number, id);
                }
                Target::Copy(to) => {
                    let passage = self.pass(thread, number, instr, taken, to);
                    self.paths[t].nodes[number].out.push(passage);
                }
            }
        }
    }

    /// An edge that closes an iteration without a trace is not followed, but its instruction can be
    /// executed, and fail if it is an assertion.
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
            self.paths[t].nodes[number].facing.push((instr, failing));
        }
    }

    /// When control may take an instruction, by its operands alone. Notes accesses that may lie
    /// outside shared memory.
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
                let astray = self.cnf.and(guard, !inside);
                self.paths[thread.index()].nodes[number]
                    .facing
                    .push((instr, astray));
                inside
            }
            Op::Skip
            | Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Assert(_)
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::AtomicEnd => Cnf::TRUE,
        }
    }
}
