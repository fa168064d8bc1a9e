//! The integers that registers, cells and addresses can hold: a sound over-approximation, computed
//! by abstract interpretation of the automata.
//!
//! Registers are tracked along each thread, state by state, and conditions (`check`) narrow them.
//! Memory has one set per address, whichever thread writes it, and whenever. Loops terminate by
//! *widening*: a set that keeps growing is enlarged to the next constant of the program, and finally
//! to all values; afterwards, conditions narrow it again.
//!
//! Sets, expressions, conditions and widening are those of [`facts`](crate::facts), over
//! integers. The fixpoint is different: `facts::Values` tracks the live registers of a finished
//! program with its cells, while cells are laid out from the result of this analysis. Any integer may
//! be an address here, the number of writes matters (see below), and the work is limited, because a
//! text of any size may still be rejected.
//!
//! Without further arguments, `write + t 1 5` after `read t 5` would count up forever, because memory
//! is unordered. But a write on no cycle of its automaton is executed at most once. So an execution
//! has at most as many of these writes as the longest paths of its threads, and memory is computed in
//! that many *rounds*: first the effect of all writes on cycles, then each other write once, and so
//! on. A value that needs `n` of the latter is found by round `n`.
//!
//! **Invariant.** The analysis ignores the lock and the order in which buffers are emptied, so its
//! sets are valid under every memory model.

mod memory;

use super::cycles::components;
use super::raw::{Automaton, Instr, Transition};
use crate::facts::{Reach, ValueSet, eval_exact, refine_exact};
use crate::program::{Expr, RegId};
use crate::text::Span;
use memory::{Memory, PATIENCE, grow};

/// If an execution may have more writes outside cycles than this, they are treated like writes on
/// cycles.
const MOST_ROUNDS: usize = 64;
/// The number of narrowing passes after widening.
const DESCENTS: usize = 16;
/// The maximum number of constants to widen to.
const MOST_STOPS: usize = 128;
/// The maximum number of steps, weighted by the number of registers. Beyond it the analysis gives up.
const MOST_WORK: usize = 4_000_000;

/// The result.
pub(super) struct Values {
    /// By thread and transition: the addresses accessed; empty if it does not access memory, or is
    /// never executed.
    pub(super) addresses: Vec<Vec<ValueSet>>,
    pub(super) overflows: Vec<Overflow>,
    /// Whether the program was too large for the analysis, so that nothing is known.
    pub(super) gave_up: bool,
}

/// An expression that may leave 32 bits.
pub(super) struct Overflow {
    pub(super) thread: usize,
    pub(super) transition: usize,
    /// The operand that it is a part of.
    pub(super) span: Span,
    pub(super) e: Expr<RegId>,
    pub(super) reach: Reach,
}

/// Analyses a program.
pub(super) fn analyse(automata: &[Automaton]) -> Values {
    let mut analysis = Analysis::new(automata);
    if analysis.run().is_none() {
        analysis.give_up();
    }
    analysis.result()
}

/// What a thread's registers can hold at a state. None of the sets is empty.
type Registers = Vec<ValueSet>;

struct Follow<'a> {
    automaton: &'a Automaton,
    outgoing: Vec<Vec<usize>>,
    /// By transition: whether it lies on a cycle.
    cyclic: Vec<bool>,
    /// How many writes on no cycle one execution has at most.
    once: usize,
    /// By transition: about how many sets are looked at to execute it.
    weights: Vec<usize>,
    /// By state, the registers; none if it is not reached.
    states: Vec<Option<Registers>>,
    grown: Vec<u32>,
}

struct Analysis<'a> {
    threads: Vec<Follow<'a>>,
    memory: Memory,
    /// Where widening stops first: constants and their neighbours, ascending.
    stops: Vec<i32>,
    work: usize,
    gave_up: bool,
}

impl<'a> Analysis<'a> {
    fn new(automata: &'a [Automaton]) -> Self {
        let mut constants = Vec::new();
        let threads = automata.iter().map(|automaton| {
            let mut outgoing = vec![Vec::new(); automaton.states.len()];
            for (at, transition) in automaton.transitions.iter().enumerate() {
                outgoing[transition.from].push(at);
                for operand in transition.instr.operands() {
                    constants.extend(operand.e.constants());
                }
            }
            let all = &automaton.transitions;
            let components = components(automaton.states.len(), all);
            Follow {
                automaton,
                outgoing,
                weights: all.iter().map(weight).collect(),
                cyclic: all.iter().map(|t| components.is_cyclic(t)).collect(),
                once: components.most_on_a_path(automaton.initial, all, |t| {
                    matches!(t.instr, Instr::Write { .. })
                }),
                states: vec![None; automaton.states.len()],
                grown: vec![0; automaton.states.len()],
            }
        });
        let threads = threads.collect();
        let stops = ValueSet::stops(constants);
        let every = stops.len().div_ceil(MOST_STOPS).max(1);
        Self {
            threads,
            memory: Memory::default(),
            stops: stops.into_iter().step_by(every).collect(),
            work: 0,
            gave_up: false,
        }
    }

    /// Finds everything; none if that takes too long.
    fn run(&mut self) -> Option<()> {
        let size = |f: &Follow<'_>| f.automaton.states.len() * (f.automaton.registers.len() + 1);
        if self.threads.iter().map(size).sum::<usize>() > MOST_WORK {
            return None;
        }
        let once: Vec<(usize, usize)> = self.writes(|thread, at| !thread.cyclic[at]);
        let rounds = self.threads.iter().map(|thread| thread.once).sum();
        if rounds > MOST_ROUNDS {
            for thread in &mut self.threads {
                thread.cyclic.fill(true);
            }
            return self.close();
        }
        for _ in 0..rounds {
            self.close()?;
            let mut grew = false;
            for &(thread, at) in &once {
                grew |= self.write(thread, at, false);
            }
            if !grew {
                return Some(());
            }
        }
        self.close()
    }

    /// The transitions that write, by thread and position.
    fn writes(&self, wanted: impl Fn(&Follow<'_>, usize) -> bool) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for (number, thread) in self.threads.iter().enumerate() {
            for (at, transition) in thread.automaton.transitions.iter().enumerate() {
                if matches!(transition.instr, Instr::Write { .. }) && wanted(thread, at) {
                    found.push((number, at));
                }
            }
        }
        found
    }

    /// All that threads can do with memory as it is and with what is written in cycles.
    fn close(&mut self) -> Option<()> {
        let repeated = self.writes(|thread, at| thread.cyclic[at]);
        for thread in &mut self.threads {
            thread.grown.fill(0);
        }
        self.memory.be_patient();
        loop {
            for number in 0..self.threads.len() {
                self.follow(number)?;
            }
            let mut grew = false;
            for &(thread, at) in &repeated {
                grew |= self.write(thread, at, true);
            }
            if !grew {
                return Some(());
            }
        }
    }

    /// Follows a thread to all its states, with memory as it is.
    fn follow(&mut self, number: usize) -> Option<()> {
        let registers = self.threads[number].automaton.registers.len();
        let initial = self.threads[number].automaton.initial;
        let states = &mut self.threads[number].states;
        if states[initial].is_none() {
            states[initial] = Some(vec![ValueSet::one(0); registers]);
        }
        let mut work: Vec<usize> = (0..states.len()).rev().collect();
        let mut waiting = vec![true; states.len()];
        while let Some(state) = work.pop() {
            waiting[state] = false;
            let thread = &self.threads[number];
            let Some(here) = &thread.states[state] else {
                continue;
            };
            let mut reached = Vec::new();
            for &at in &thread.outgoing[state] {
                let transition = &thread.automaton.transitions[at];
                self.work += registers + thread.weights[at];
                if let Some(after) = self.after(here, transition) {
                    reached.push((transition.to, after));
                }
            }
            if self.work > MOST_WORK {
                return None;
            }
            for (to, after) in reached {
                if self.arrive(number, to, after) && !waiting[to] {
                    waiting[to] = true;
                    work.push(to);
                }
            }
        }
        if self.threads[number]
            .grown
            .iter()
            .any(|&grown| grown >= PATIENCE[0])
        {
            self.descend(number);
        }
        Some(())
    }

    /// Takes back what widening added without need. The registers at each state are found once
    /// more, from what is known of the states before it: that holds for every execution, so what
    /// follows from it in one step does, too.
    fn descend(&mut self, number: usize) {
        for _ in 0..DESCENTS {
            let thread = &self.threads[number];
            let automaton = thread.automaton;
            let mut states: Vec<Option<Registers>> = vec![None; thread.states.len()];
            states[automaton.initial] = Some(vec![ValueSet::one(0); automaton.registers.len()]);
            for (at, transition) in automaton.transitions.iter().enumerate() {
                self.work += automaton.registers.len() + thread.weights[at];
                let Some(here) = &thread.states[transition.from] else {
                    continue;
                };
                let Some(after) = self.after(here, transition) else {
                    continue;
                };
                match &mut states[transition.to] {
                    Some(before) => {
                        let both = before.iter().zip(&after).map(|(a, b)| a.join(b));
                        *before = both.collect();
                    }
                    none => *none = Some(after),
                }
            }
            if states == thread.states || self.work > MOST_WORK {
                return;
            }
            self.threads[number].states = states;
        }
    }

    /// The registers after a transition; `None` if it cannot be taken.
    fn after(&self, here: &[ValueSet], transition: &Transition) -> Option<Registers> {
        let mut after = here.to_vec();
        match &transition.instr {
            Instr::Read { into, addr } => {
                after[into.index()] = self.memory.read(&of(&addr.e, here));
            }
            Instr::Local { into, value } => after[into.index()] = of(&value.e, here),
            Instr::Check(e) => {
                for (reg, set) in refine_exact(&e.e, true, |reg| here[reg.index()].clone())? {
                    after[reg.index()] = set;
                }
            }
            Instr::Write { .. } | Instr::Mfence | Instr::Noop | Instr::Lock | Instr::Unlock => {}
        }
        Some(after)
    }

    /// A thread may be at a state with these registers. Returns whether this is new.
    fn arrive(&mut self, number: usize, state: usize, registers: Registers) -> bool {
        let thread = &mut self.threads[number];
        let Some(before) = &mut thread.states[state] else {
            thread.states[state] = Some(registers);
            return true;
        };
        let mut grew = false;
        for (old, new) in before.iter_mut().zip(&registers) {
            if !new.is_subset(old) {
                grew = true;
                *old = grow(old, new, thread.grown[state], &self.stops);
            }
        }
        thread.grown[state] += u32::from(grew);
        grew
    }

    /// Executes a write. Returns whether memory may hold anything new. `often`: whether it may be
    /// executed any number of times.
    fn write(&mut self, number: usize, at: usize, often: bool) -> bool {
        let thread = &self.threads[number];
        let transition = &thread.automaton.transitions[at];
        let (Instr::Write { value, addr }, Some(here)) =
            (&transition.instr, &thread.states[transition.from])
        else {
            return false;
        };
        let (value, addr) = (of(&value.e, here), of(&addr.e, here));
        let stops = often.then_some(self.stops.as_slice());
        self.memory.write(&value, &addr, stops)
    }

    /// Nothing is known: every state is reached, with every value in every register.
    fn give_up(&mut self) {
        self.gave_up = true;
        self.threads
            .iter_mut()
            .for_each(|thread| thread.states = Vec::new());
    }

    fn result(&self) -> Values {
        let mut overflows = Vec::new();
        let mut addresses = Vec::new();
        for (number, thread) in self.threads.iter().enumerate() {
            let of_thread = thread.automaton.transitions.iter().enumerate();
            let of_thread = of_thread.map(|(at, transition)| {
                let mut accessed = ValueSet::EMPTY;
                let here = match thread.states.get(transition.from) {
                    Some(Some(here)) => Some(here),
                    Some(None) => return accessed,
                    None => None,
                };
                let register = |reg: RegId| here.map_or(ValueSet::FULL, |h| h[reg.index()].clone());
                for operand in transition.instr.operands() {
                    let mut told = false;
                    let set = eval_exact(&operand.e, register, |e, reach| {
                        // What follows from the first is not worth saying.
                        if !std::mem::replace(&mut told, true) {
                            overflows.push(Overflow {
                                thread: number,
                                transition: at,
                                span: operand.span.clone(),
                                e: e.clone(),
                                reach,
                            });
                        }
                    });
                    let addr = transition.instr.addr();
                    if addr.is_some_and(|addr| std::ptr::eq(addr, operand)) {
                        accessed = set;
                    }
                }
                accessed
            });
            addresses.push(of_thread.collect());
        }
        Values {
            addresses,
            overflows,
            gave_up: self.gave_up,
        }
    }
}

/// Conditions are looked at once for each of their parts.
fn weight(transition: &Transition) -> usize {
    let operands = transition.instr.operands().into_iter();
    let sizes = operands.map(|operand| operand.e.constants().len() + operand.e.vars().len());
    sizes.map(|size| 16 * size + 2 * size * size).sum::<usize>() + 8
}

/// What an expression may be. Parts that leave 32 bits are reported in the end.
fn of(e: &Expr<RegId>, registers: &[ValueSet]) -> ValueSet {
    eval_exact(e, |reg| registers[reg.index()].clone(), |_, _| {})
}
