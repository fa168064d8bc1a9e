//! The macro-steps from one stop, as gates: local instructions in the order of their dependence, with
//! one value per register where paths meet, up to the visible instructions that end them.
//!
//! ```text
//! (meet)  guard(q) = ⋁ taken(i) of the edges into q; a register's value is the one of that edge
//! (take)  taken(i) = guard(q) ∧ the condition of i ∧ i is picked, unless conditions exclude others
//! (bad)   a goal is reached: guard(q) ∧ i is picked ∧ the assertion is 0, or the address is not a cell
//! ```
//!
//! If the instruction that is picked cannot be executed, no edge is taken, and the thread stays at its
//! stop.

use super::stops::Stops;
use super::system::goal_at;
use crate::cnf::{Bits, Cnf, term};
use crate::facts::{Liveness, Values};
use crate::program::{
    Addr, BinaryOp, Expr, FIRST_ADDRESS, Goal, InstrId, Instruction, LocId, Op, Program, RegId,
    Site, ThreadId, Update,
};
use rustsat::types::Lit;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An instruction on the way from a stop.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) instr: InstrId,
    pub(super) from: LocId,
    pub(super) taken: Lit,
    /// The value that a `nondet` takes.
    pub(super) choice: Option<Arc<Bits>>,
}

/// The end of a macro-step.
#[derive(Debug)]
pub(super) struct Arrival {
    pub(super) taken: Lit,
    /// The code of the stop.
    pub(super) code: usize,
    pub(super) registers: BTreeMap<RegId, Arc<Bits>>,
    /// The cells that may be written, with their values after the step.
    pub(super) written: BTreeMap<Addr, Arc<Bits>>,
}

/// What is known at a location of the walk.
#[derive(Clone)]
struct Env {
    registers: BTreeMap<RegId, Arc<Bits>>,
    written: BTreeMap<Addr, Arc<Bits>>,
}

/// Encodes the macro-steps from one stop.
pub(super) struct Walker<'a> {
    pub(super) program: &'a Program,
    pub(super) thread: ThreadId,
    pub(super) values: &'a Values,
    pub(super) liveness: &'a Liveness,
    pub(super) stops: &'a Stops,
    /// The cells in the state, by [`Addr::index`].
    pub(super) memory: &'a [Arc<Bits>],
    pub(super) goals: &'a [Goal],
    pub(super) cnf: &'a mut Cnf,
    /// Inputs for choices, shared by all walks: only one of them is taken.
    pub(super) picks: &'a mut Vec<Lit>,
    /// How many of them this walk uses.
    pub(super) picked: usize,
    pub(super) inputs: &'a mut Vec<Lit>,
    pub(super) failing: &'a mut BTreeMap<Goal, Vec<Lit>>,
    pub(super) edges: Vec<Edge>,
    pub(super) arrivals: &'a mut Vec<Arrival>,
}

/// An instruction with its condition.
struct Candidate {
    instr: InstrId,
    condition: Lit,
    /// For an access: the cells, each with the literal of being the one.
    cells: Vec<(Addr, Lit)>,
    choice: Option<Arc<Bits>>,
}

impl Walker<'_> {
    /// Follows the thread from a stop, given that it moves and the registers that are live.
    pub(super) fn walk(&mut self, stop: LocId, guard: Lit, registers: BTreeMap<RegId, Arc<Bits>>) {
        let automaton = self.program.thread(self.thread);
        let mut reached: BTreeMap<LocId, Vec<(Lit, Env)>> = BTreeMap::new();
        let env = Env {
            registers,
            written: BTreeMap::new(),
        };
        reached.insert(stop, vec![(guard, env)]);
        for loc in self.stops.walk(automaton, stop) {
            let Some(arrived) = reached.remove(&loc) else {
                continue;
            };
            let (guard, env) = self.meet(arrived);
            if guard == Cnf::FALSE {
                continue;
            }
            let outgoing = automaton.outgoing(loc);
            let candidates = outgoing
                .iter()
                .map(|&instr| self.candidate(instr, guard, &env));
            let candidates: Vec<Candidate> = candidates.collect();
            let picks = self.picks(&candidates);
            for (candidate, pick) in candidates.into_iter().zip(picks) {
                let instruction = automaton.instruction(candidate.instr);
                let picked = self.cnf.and(guard, pick);
                self.fails(candidate.instr, instruction, picked, &env);
                let taken = self.cnf.and(picked, candidate.condition);
                if taken == Cnf::FALSE {
                    continue;
                }
                let env = self.after(instruction, &candidate, &env);
                self.edges.push(Edge {
                    instr: candidate.instr,
                    from: loc,
                    taken,
                    choice: candidate.choice,
                });
                if !self.stops.ends_after(automaton, candidate.instr) {
                    reached
                        .entry(instruction.to)
                        .or_default()
                        .push((taken, env));
                } else if let Some(code) = self.stops.code(instruction.to) {
                    self.arrivals.push(Arrival {
                        taken,
                        code,
                        registers: env.registers,
                        written: env.written,
                    });
                }
            }
        }
    }

    /// (meet)
    fn meet(&mut self, arrived: Vec<(Lit, Env)>) -> (Lit, Env) {
        let guard = self.cnf.or_all(arrived.iter().map(|&(taken, _)| taken));
        let mut arrived = arrived.into_iter();
        let Some((_, mut all)) = arrived.next() else {
            return (
                Cnf::FALSE,
                Env {
                    registers: BTreeMap::new(),
                    written: BTreeMap::new(),
                },
            );
        };
        for (taken, env) in arrived {
            for (reg, value) in env.registers {
                let old = all.registers.get(&reg);
                let old = old.map_or_else(|| Arc::clone(&value), Arc::clone);
                let both = self.mux(taken, &value, &old);
                all.registers.insert(reg, both);
            }
            let cells: Vec<Addr> = all
                .written
                .keys()
                .chain(env.written.keys())
                .copied()
                .collect();
            for cell in cells {
                let of = |written: &BTreeMap<Addr, Arc<Bits>>| {
                    Arc::clone(written.get(&cell).unwrap_or(&self.memory[cell.index()]))
                };
                let (new, old) = (of(&env.written), of(&all.written));
                let both = self.mux(taken, &new, &old);
                all.written.insert(cell, both);
            }
        }
        (guard, all)
    }

    fn mux(&mut self, condition: Lit, a: &Arc<Bits>, b: &Arc<Bits>) -> Arc<Bits> {
        if Arc::ptr_eq(a, b) || a == b {
            Arc::clone(a)
        } else {
            Arc::new(a.mux(condition, b, self.cnf))
        }
    }

    fn value(&mut self, e: &Expr<RegId>, env: &Env) -> Arc<Bits> {
        term(e, self.cnf, &|reg| match env.registers.get(&reg) {
            Some(value) => Arc::clone(value),
            // No execution gets here.
            None => Arc::new(Bits::constant(0)),
        })
    }

    fn candidate(&mut self, instr: InstrId, guard: Lit, env: &Env) -> Candidate {
        let instruction = self.program.thread(self.thread).instruction(instr);
        let (mut cells, mut choice) = (Vec::new(), None);
        let condition = match &instruction.op {
            Op::Assume(e) => {
                let value = self.value(e, env);
                value.nonzero(self.cnf)
            }
            Op::Havoc { low, high, .. } => {
                let value = Bits::fresh(self.cnf, *low, *high);
                for position in 0..value.width() {
                    let lit = value.bit(position);
                    if lit.var() != Cnf::TRUE.var() {
                        self.inputs.push(lit);
                    }
                }
                let above = self.compare(BinaryOp::Ge, &value, *low);
                let below = self.compare(BinaryOp::Le, &value, *high);
                choice = Some(Arc::new(value));
                self.cnf.and(above, below)
            }
            Op::Load { addr, .. } | Op::Store { addr, .. } | Op::Rmw { addr, .. } => {
                let site = Site {
                    thread: self.thread,
                    instr,
                };
                let value = self.value(addr, env);
                for cell in self.values.addresses(self.program, site).cells {
                    let here = value.equal(&Bits::constant(cell.0), self.cnf);
                    if here != Cnf::FALSE {
                        cells.push((cell, here));
                    }
                }
                if let Some(goal) = goal_at(self.goals, Goal::Outside, site) {
                    let last = FIRST_ADDRESS + self.program.cell_count() as i32 - 1;
                    let above = self.compare(BinaryOp::Ge, &value, FIRST_ADDRESS);
                    let below = self.compare(BinaryOp::Le, &value, last);
                    let inside = self.cnf.and(above, below);
                    let outside = self.cnf.and(guard, !inside);
                    self.failing.entry(goal).or_default().push(outside);
                }
                self.cnf.or_all(cells.iter().map(|&(_, here)| here))
            }
            Op::Skip
            | Op::Assign { .. }
            | Op::Assert(_)
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd => Cnf::TRUE,
        };
        Candidate {
            instr,
            condition,
            cells,
            choice,
        }
    }

    fn compare(&mut self, op: BinaryOp, value: &Bits, with: i32) -> Lit {
        Bits::binary(op, value, &Bits::constant(with), self.cnf).nonzero(self.cnf)
    }

    /// The literals of "is picked" of the instructions that leave one location. Exactly one of them is
    /// true, or all are because the conditions exclude each other.
    fn picks(&mut self, candidates: &[Candidate]) -> Vec<Lit> {
        let mut exclusive = true;
        for (index, a) in candidates.iter().enumerate() {
            for b in &candidates[index + 1..] {
                exclusive &= a.condition == !b.condition
                    || a.condition == Cnf::FALSE
                    || b.condition == Cnf::FALSE;
            }
        }
        if exclusive {
            return vec![Cnf::TRUE; candidates.len()];
        }
        let mut rest = Cnf::TRUE;
        let mut all = Vec::new();
        for number in 0..candidates.len() {
            if number + 1 == candidates.len() {
                all.push(rest);
                break;
            }
            if self.picked == self.picks.len() {
                let pick = self.cnf.fresh();
                self.picks.push(pick);
                self.inputs.push(pick);
            }
            let pick = self.picks[self.picked];
            self.picked += 1;
            all.push(self.cnf.and(rest, pick));
            rest = self.cnf.and(rest, !pick);
        }
        all
    }

    /// (bad), for assertions
    fn fails(&mut self, instr: InstrId, instruction: &Instruction, picked: Lit, env: &Env) {
        let site = Site {
            thread: self.thread,
            instr,
        };
        if let Op::Assert(e) = &instruction.op
            && let Some(goal) = goal_at(self.goals, Goal::Assert, site)
        {
            let value = self.value(e, env);
            let holds = value.nonzero(self.cnf);
            let fails = self.cnf.and(picked, !holds);
            self.failing.entry(goal).or_default().push(fails);
        }
    }

    /// The registers and cells after an instruction, without registers that are dead there.
    fn after(&mut self, instruction: &Instruction, candidate: &Candidate, env: &Env) -> Env {
        let live = |reg: RegId| self.liveness.is_live(self.thread, instruction.to, reg);
        let target = instruction.op.target().filter(|&reg| live(reg));
        let kept = env.registers.iter().filter(|&(&reg, _)| live(reg));
        let kept = kept.map(|(&reg, value)| (reg, Arc::clone(value)));
        let mut after = Env {
            registers: kept.collect(),
            written: env.written.clone(),
        };
        let new = match &instruction.op {
            Op::Assign { value, .. } => target.map(|_| self.value(value, env)),
            Op::Havoc { .. } => candidate.choice.clone(),
            Op::Load { .. } => target.map(|_| self.read(&candidate.cells, env)),
            Op::Store { value, .. } => {
                let value = self.value(value, env);
                self.write(&candidate.cells, env, &mut after, &value);
                None
            }
            Op::Rmw { update, .. } => {
                let old = self.read(&candidate.cells, env);
                let new = self.updated(update, &old, env);
                self.write(&candidate.cells, env, &mut after, &new);
                Some(old)
            }
            Op::Skip
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd => None,
        };
        if let (Some(reg), Some(new)) = (target, new) {
            after.registers.insert(reg, new);
        }
        after
    }

    /// The value of one of these cells.
    fn read(&mut self, cells: &[(Addr, Lit)], env: &Env) -> Arc<Bits> {
        let mut value: Option<Arc<Bits>> = None;
        for &(cell, here) in cells {
            let stored = env.written.get(&cell).unwrap_or(&self.memory[cell.index()]);
            value = Some(match value {
                None => Arc::clone(stored),
                Some(other) => self.mux(here, &Arc::clone(stored), &other),
            });
        }
        value.unwrap_or_else(|| Arc::new(Bits::constant(0)))
    }

    fn write(&mut self, cells: &[(Addr, Lit)], env: &Env, after: &mut Env, value: &Arc<Bits>) {
        for &(cell, here) in cells {
            let old = env.written.get(&cell).unwrap_or(&self.memory[cell.index()]);
            let new = self.mux(here, value, &Arc::clone(old));
            after.written.insert(cell, new);
        }
    }

    fn updated(&mut self, update: &Update, old: &Arc<Bits>, env: &Env) -> Arc<Bits> {
        match update {
            Update::CompareExchange { expected, desired } => {
                let (expected, desired) = (self.value(expected, env), self.value(desired, env));
                let same = old.equal(&expected, self.cnf);
                self.mux(same, &desired, old)
            }
            Update::Exchange(value) => self.value(value, env),
            Update::Fetch(op, operand) => {
                let operand = self.value(operand, env);
                Arc::new(Bits::binary(op.operator(), old, &operand, self.cnf))
            }
        }
    }
}
