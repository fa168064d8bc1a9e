//! Configurations from which no goal can be reached.
//!
//! A goal may need a thread at a location: an assertion fails there, and a property such as
//! `t1@a && t2@b` needs both. Two arguments show that a thread will not get there:
//!
//! * (path) No path of its automaton leads there.
//! * (spin) It only goes around. Its steps are determined by its registers alone, and lead back to the
//!   same location with the same values, or there is none. So reads an attacker its own delayed store, in a
//!   loop that waits for another thread to overwrite it.
//!
//! A configuration is hopeless if each goal that is not reached yet needs a thread where it will not get.
//! It is neither stored nor expanded. No computation that reaches a goal visits one, so none is lost, and
//! the evidence is the same. What is executed only from there on is not recorded.
//!
//! With (persistent), a step to a hopeless configuration counts as one that leads to a configuration that
//! is expanded later, except inside a block. If a computation `w` to a goal had no step of the persistent
//! set, then `a·w` would reach the goal too, for each enabled step `a` of the set. So `w` has such a step,
//! and gets shorter.

use super::reduce::back_edges;
use crate::facts::Flow;
use crate::program::{
    BinaryOp, Expr, Goal, LocId, Observable, Op, Program, PropertyKind, RegId, Thread, ThreadId,
};
use crate::reference::machine::{Config, Machine};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeSet;

/// A set of goals, one bit per index.
type Goals = SmallVec<[u64; 2]>;

/// Tables of more entries than this are not made.
const MOST: usize = 1 << 20;

/// How many steps of a thread are followed to see whether it only goes around.
const AROUND: usize = 100;

/// Where the goals of a search need the threads.
pub(super) struct Hopeless {
    /// The number of goals.
    goals: usize,
    /// Those that are not reached yet.
    open: Goals,
    threads: Vec<Needed>,
}

/// A thread that some goal needs at a location.
struct Needed {
    thread: ThreadId,
    /// The goals, by index, with the locations.
    at: Vec<(usize, LocId)>,
    /// By location: the goals that need the thread nowhere, or where it may still get.
    possible: Vec<Goals>,
    /// By location: whether a loop of local steps comes back to it.
    may_spin: Vec<bool>,
}

impl Hopeless {
    /// `None` if no configuration is hopeless, or the tables would be too large.
    pub(super) fn new(program: &Program, goals: &[Goal]) -> Option<Self> {
        let mut at: Vec<Vec<(usize, LocId)>> = vec![Vec::new(); program.threads().len()];
        for (number, &goal) in goals.iter().enumerate() {
            let needs = needs(program, goal);
            if needs.is_empty() {
                // This one always remains possible.
                return None;
            }
            for (thread, loc) in needs {
                at[thread.index()].push((number, loc));
            }
        }
        let words = goals.len().div_ceil(64);
        let threads = program.thread_ids().zip(program.threads()).zip(at);
        let needed = threads.filter(|(_, at)| !at.is_empty());
        let threads = needed.map(|((id, thread), at)| Needed::new(id, thread, at, words));
        let threads: Vec<Needed> = threads.collect::<Option<_>>()?;
        (!goals.is_empty()).then_some(Self {
            goals: goals.len(),
            open: smallvec![u64::MAX; words],
            threads,
        })
    }

    /// Keeps these goals only.
    pub(super) fn keep(&mut self, is_open: impl Fn(usize) -> bool) {
        for (word, open) in self.open.iter_mut().enumerate() {
            for bit in 0..64 {
                let number = 64 * word + bit;
                if number >= self.goals || !is_open(number) {
                    *open &= !(1 << bit);
                }
            }
        }
    }

    /// Whether a configuration is hopeless.
    pub(super) fn is(&self, machine: &Machine<'_>, config: &Config) -> bool {
        let mut left = self.open.clone();
        for needed in &self.threads {
            let loc = config.locations[needed.thread.index()].index();
            for (left, possible) in left.iter_mut().zip(&needed.possible[loc]) {
                *left &= possible;
            }
        }
        for needed in &self.threads {
            if left.iter().all(|&word| word == 0) {
                return true;
            }
            let loc = config.locations[needed.thread.index()].index();
            if needed.may_spin[loc]
                && let Some(around) = needed.spins(machine, config)
            {
                for &(number, _) in needed.at.iter().filter(|(_, loc)| !around.contains(loc)) {
                    left[number / 64] &= !(1 << (number % 64));
                }
            }
        }
        left.iter().all(|&word| word == 0)
    }
}

impl Needed {
    fn new(id: ThreadId, thread: &Thread, at: Vec<(usize, LocId)>, words: usize) -> Option<Self> {
        let locations = thread.locations().len();
        let wanted: BTreeSet<LocId> = at.iter().map(|&(_, loc)| loc).collect();
        if locations * (wanted.len() + words) > MOST {
            return None;
        }
        let all: Goals = smallvec![u64::MAX; words];
        let mut possible = vec![all; locations];
        let flow = Flow::backward(thread);
        for target in wanted {
            let leads = flow.reached([target.index()], |_| true);
            for (possible, _) in possible
                .iter_mut()
                .zip(&leads)
                .filter(|(_, leads)| !**leads)
            {
                for (number, _) in at.iter().filter(|(_, loc)| *loc == target) {
                    possible[number / 64] &= !(1 << (number % 64));
                }
            }
        }
        let is_local = |&instr: &_| is_local(&thread.instruction(instr).op);
        let may_spin = back_edges(thread, |loc| thread.outgoing(loc).iter().all(is_local));
        Some(Self {
            thread: id,
            at,
            possible,
            may_spin,
        })
    }

    /// If the thread only goes around from here, whatever the others do: where it comes by.
    fn spins(&self, machine: &Machine<'_>, config: &Config) -> Option<SmallVec<[LocId; 8]>> {
        let thread = machine.program.thread(self.thread);
        let mut loc = config.locations[self.thread.index()];
        let mut registers: SmallVec<[i32; 16]> =
            config.registers[machine.slots(self.thread)].into();
        let mut around: SmallVec<[LocId; 8]> = smallvec![loc];
        // An earlier state to compare with: dead registers may differ at first, so the first one is not
        // always one of those that come again (Brent, BIT 20, 1980).
        let mut mark = (loc, registers.clone());
        for step in 1..AROUND {
            let mut next = None;
            for &instr in thread.outgoing(loc) {
                let op = &thread.instruction(instr).op;
                let value = |e: &Expr<RegId>| e.eval(|reg| registers[reg.index()]);
                let is_possible = !matches!(op, Op::Assume(e) if value(e) == 0);
                if !is_local(op) || is_possible && next.replace(instr).is_some() {
                    return None;
                }
            }
            let Some(instr) = next else {
                return Some(around);
            };
            let instruction = thread.instruction(instr);
            if let Op::Assign { into, value } = &instruction.op {
                registers[into.index()] = value.eval(|reg| registers[reg.index()]);
            }
            loc = instruction.to;
            if (loc, &registers) == (mark.0, &mark.1) {
                return Some(around);
            }
            around.push(loc);
            if step.is_power_of_two() {
                mark = (loc, registers.clone());
            }
        }
        None
    }
}

/// Whether the instruction depends on registers only, and has no choice.
fn is_local(op: &Op) -> bool {
    matches!(op, Op::Skip | Op::Assign { .. } | Op::Assume(_))
}

/// The locations that threads must be at where a goal is reached.
pub(super) fn needs(program: &Program, goal: Goal) -> BTreeSet<(ThreadId, LocId)> {
    match goal {
        Goal::Assert(site) | Goal::Outside(site) => {
            [(site.thread, program.instruction(site).from)].into()
        }
        Goal::Property(number) => {
            let property = &program.properties()[number];
            match property.kind {
                PropertyKind::Forbid => required(&property.predicate),
                PropertyKind::FinalAssert
                | PropertyKind::Exists
                | PropertyKind::Stuck
                | PropertyKind::Starved(_) => BTreeSet::new(),
            }
        }
    }
}

/// The locations that threads must be at where a predicate holds.
fn required(e: &Expr<Observable>) -> BTreeSet<(ThreadId, LocId)> {
    match e {
        Expr::Var(Observable::At(thread, loc)) => [(*thread, *loc)].into(),
        Expr::Binary(BinaryOp::And, a, b) => required(a).union(&required(b)).copied().collect(),
        Expr::Binary(BinaryOp::Or, a, b) => {
            required(a).intersection(&required(b)).copied().collect()
        }
        Expr::Binary(BinaryOp::Eq, a, b) if b.as_const() == Some(1) && is_place(a) => required(a),
        Expr::Const(_)
        | Expr::Var(_)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Conditional(_) => BTreeSet::new(),
    }
}

fn is_place(e: &Expr<Observable>) -> bool {
    matches!(e, Expr::Var(Observable::At(..)))
}
