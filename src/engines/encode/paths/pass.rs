//! Passing an instruction: its effect on the registers, and its event in the memory order.
//!
//! Not every access is an event. A load whose value is never used, or is the same for every store
//! it could read, is not: reading the newest store is always possible. A register that is dead
//! after the instruction is dropped, because the registers that it would be computed from may be
//! dead as well.

use super::super::Encoding;
use super::super::event::{Address, Event, EventId, EventKind};
use super::super::program_order::EventChain;
use super::value::{Env, RegValue};
use super::{Arrival, Passage};
use crate::cnf::Bits;
use crate::facts::{ValueSet, refine};
use crate::program::{
    Expr, Fence, FenceKind, Goal, InstrId, Instruction, Op, RegId, Site, ThreadId, Update,
};
use crate::unroll::LocCopy;
use rustsat::types::Lit;
use std::sync::Arc;

/// The event of an instruction before it has its node.
struct EventDraft {
    kind: EventKind,
    address: Option<Address>,
    read: Option<Bits>,
    write: Option<Bits>,
}

impl EventDraft {
    fn fence(kind: EventKind) -> Self {
        Self {
            kind,
            address: None,
            read: None,
            write: None,
        }
    }
}

/// The effect of an instruction, apart from its effect on the registers.
#[derive(Default)]
struct InstrEffect {
    draft: Option<EventDraft>,
    /// The value that a `nondet` takes.
    choice: Option<Arc<Bits>>,
}

impl From<EventDraft> for InstrEffect {
    fn from(draft: EventDraft) -> Self {
        Self {
            draft: Some(draft),
            choice: None,
        }
    }
}

impl Encoding {
    /// Encodes that control passes along an instruction to a copy: the effect on the registers, and
    /// the event. The chain is the one of the copy that it leaves.
    pub(super) fn pass(
        &mut self,
        thread: ThreadId,
        number: usize,
        instr: InstrId,
        taken: Lit,
        to: LocCopy,
        mut chain: EventChain,
    ) -> Passage {
        let t = thread.index();
        let instruction = self.program.thread(thread).instruction(instr).clone();
        if let Op::Assert(e) = &instruction.op {
            self.note_failing(thread, number, instr, e, taken);
        }
        for &(switch, executed) in &self.paths[t].nodes[number].fences {
            self.cnf.clause(&[!taken, !switch, executed]);
        }
        let mut env = self.paths[t].nodes[number].env.clone();
        let InstrEffect { draft, choice } =
            self.execute(thread, number, (instr, &instruction), &mut env);
        let live = self.liveness.at(thread, instruction.to);
        env.retain(|reg, _| live.binary_search(reg).is_ok());
        let begins = instruction.op.begins_block();
        let from = self.program.thread(thread).location(instruction.from);
        let (is_inside, is_word) = (from.atomic, from.word);
        let place = if begins {
            Some(self.block(thread, &to))
        } else if is_inside {
            let copy = self.paths[t].nodes[number].copy.clone();
            Some(self.block(thread, &copy))
        } else {
            None
        };
        let inside = place.is_some() && !begins && !is_word;
        // A fence inside an atomic block has no effect.
        let draft = draft.filter(|draft| !inside || draft.address.is_some());
        let event = draft.map(|draft| {
            let node = place.unwrap_or_else(|| self.order.node());
            let event = Event {
                thread,
                instr: Some(instr),
                kind: draft.kind,
                guard: taken,
                node,
                inside,
                from: number,
                to: usize::MAX,
                trails: false,
                own: draft
                    .read
                    .as_ref()
                    .and(draft.address.as_ref())
                    .and_then(Address::fixed)
                    .and_then(|cell| chain.certain(cell)),
                address: draft.address,
                read: draft.read,
                write: draft.write,
            };
            let id = self.add_event(event);
            self.order_after(&chain, id);
            chain.pass(id, &self.events[id.index()]);
            id
        });
        let trailing = self.add_trailing_fence(thread, number, taken, &mut chain);
        let arrival = Arrival {
            taken,
            from: Some(number),
            env,
            chain,
        };
        let to = self.paths[t].arrive(to, arrival);
        if let Some(id) = event {
            self.events[id.index()].to = to;
        }
        if let Some(id) = trailing {
            self.events[id.index()].from = to;
            self.events[id.index()].to = to;
        }
        Passage {
            instr,
            taken,
            to: Some(to),
            event,
            choice,
        }
    }

    /// An instruction's effect on the registers, given as they are before it.
    fn execute(
        &mut self,
        thread: ThreadId,
        number: usize,
        (instr, instruction): (InstrId, &Instruction),
        env: &mut Env,
    ) -> InstrEffect {
        let live = |encoding: &Self, reg| encoding.liveness.is_live(thread, instruction.to, reg);
        match &instruction.op {
            Op::Skip | Op::Assert(_) | Op::WordBegin(_) | Op::AtomicEnd => InstrEffect::default(),
            Op::Assign { into, value } => {
                if live(self, *into) {
                    let value = self.evaluate(thread, number, value);
                    env.insert(*into, value);
                }
                InstrEffect::default()
            }
            Op::Havoc { into, low, high } => {
                let bits = Arc::new(self.anything_between(*low, *high));
                let choice = Some(Arc::clone(&bits));
                let set = ValueSet::interval(*low, *high);
                env.insert(*into, RegValue { bits, set });
                InstrEffect {
                    draft: None,
                    choice,
                }
            }
            Op::Assume(e) => {
                narrow(e, env);
                InstrEffect::default()
            }
            Op::Load { into, addr } => {
                let (address, _) = self.address(thread, number, addr);
                let need = match (
                    self.waiting.contains(Site { thread, instr }),
                    live(self, *into),
                ) {
                    (true, _) => Need::Source,
                    (false, true) => Need::Value,
                    (false, false) => Need::Nothing,
                };
                self.load(*into, address, need, env)
            }
            Op::Store { addr, value } => {
                let (address, _) = self.address(thread, number, addr);
                let value = self.evaluate(thread, number, value);
                InstrEffect::from(EventDraft {
                    kind: EventKind::Store,
                    address: Some(address),
                    read: None,
                    write: Some((*value.bits).clone()),
                })
            }
            Op::Rmw { into, addr, update } => {
                let (address, _) = self.address(thread, number, addr);
                let set = self.readable(&address);
                let read = self.fresh_value(&set);
                let write = self.updated(thread, number, update, &read);
                let bits = Arc::new(read.clone());
                env.insert(*into, RegValue { bits, set });
                InstrEffect::from(EventDraft {
                    kind: EventKind::Rmw,
                    address: Some(address),
                    read: Some(read),
                    write: Some(write),
                })
            }
            Op::Fence(fence) => InstrEffect::from(EventDraft::fence(match fence {
                Fence::Full => EventKind::Full,
                Fence::All => EventKind::Barrier,
                Fence::Store => EventKind::Light(self.program.cells().collect()),
                Fence::Cells(cells) => EventKind::Light(cells.clone()),
            })),
            Op::AtomicBegin => InstrEffect::from(EventDraft::fence(EventKind::Full)),
        }
    }

    /// Records an assertion of the plan that may fail when it is passed. Inside an atomic block a
    /// failing assertion is never passed: the computation ends there.
    fn note_failing(
        &mut self,
        thread: ThreadId,
        number: usize,
        instr: InstrId,
        e: &Expr<RegId>,
        taken: Lit,
    ) {
        let automaton = self.program.thread(thread);
        let from = automaton.instruction(instr).from;
        let atomic = automaton.location(from).atomic;
        if !atomic && self.is_planned(Goal::Assert(Site { thread, instr })) {
            let failing = self.fails(thread, number, e, taken);
            self.paths[thread.index()].nodes[number]
                .failing
                .push((instr, failing));
        }
    }

    /// A load. It is an event if its value is needed and depends on the store that it reads.
    /// Otherwise its position matters only to happens-before and to pairs that are kept in order: a
    /// computation contains each load at some position, and must not reorder a pair that is kept.
    fn load(&mut self, into: RegId, address: Address, need: Need, env: &mut Env) -> InstrEffect {
        let set = self.readable(&address);
        let is_free = match need {
            Need::Nothing => true,
            Need::Value => set.as_constant().is_some(),
            Need::Source => false,
        };
        if is_free {
            env.insert(into, RegValue::constant(set.as_constant().unwrap_or(0)));
            if self.plan.delay.is_none() && self.plan.pairs.is_empty() {
                return InstrEffect::default();
            }
            return InstrEffect::from(EventDraft {
                kind: EventKind::Load,
                address: Some(address),
                read: None,
                write: None,
            });
        }
        let read = self.fresh_value(&set);
        let bits = Arc::new(read.clone());
        env.insert(into, RegValue { bits, set });
        InstrEffect::from(EventDraft {
            kind: EventKind::Load,
            address: Some(address),
            read: Some(read),
            write: None,
        })
    }

    /// The value that a locked instruction writes, given the value that it read.
    fn updated(&mut self, thread: ThreadId, number: usize, update: &Update, old: &Bits) -> Bits {
        match update {
            Update::CompareExchange { expected, desired } => {
                let expected = self.evaluate(thread, number, expected);
                let desired = self.evaluate(thread, number, desired);
                let matches = old.equal(&expected.bits, &mut self.cnf);
                desired.bits.mux(matches, old, &mut self.cnf)
            }
            Update::Exchange(value) => (*self.evaluate(thread, number, value).bits).clone(),
            Update::Fetch(op, operand) => {
                let operand = self.evaluate(thread, number, operand);
                Bits::binary(op.operator(), old, &operand.bits, &mut self.cnf)
            }
        }
    }

    /// Adds the switched fences of the plan before the instructions of a copy.
    pub(super) fn add_switched_fences(&mut self, thread: ThreadId, number: usize) {
        let t = thread.index();
        let loc = self.paths[t].nodes[number].copy.loc;
        let here: Vec<(FenceKind, Lit)> = self
            .fences
            .iter()
            .filter(|(point, _)| point.thread == thread && point.loc == loc)
            .map(|(point, lit)| (point.kind, *lit))
            .collect();
        for (kind, switch) in here {
            // A thread that halts here has not executed the fence.
            let guard = self.cnf.fresh();
            self.paths[t].nodes[number].fences.push((switch, guard));
            let kind = match kind {
                FenceKind::Full | FenceKind::Exchange => EventKind::Full,
                FenceKind::Store => EventKind::Light(self.program.cells().collect()),
            };
            let mut chain = std::mem::take(&mut self.paths[t].nodes[number].chain);
            self.switched_fence(thread, number, false, kind, guard, &mut chain);
            self.paths[t].nodes[number].chain = chain;
        }
    }

    /// The second half of a store that a switch turns into an exchange: the fence after it. The
    /// copy of that fence is not known yet.
    fn add_trailing_fence(
        &mut self,
        thread: ThreadId,
        number: usize,
        taken: Lit,
        chain: &mut EventChain,
    ) -> Option<EventId> {
        let loc = self.paths[thread.index()].nodes[number].copy.loc;
        let exchanged = self.fences.iter().find(|(point, _)| {
            point.thread == thread && point.loc == loc && point.kind == FenceKind::Exchange
        });
        let switch = exchanged.map(|&(_, lit)| lit)?;
        let guard = self.cnf.and(switch, taken);
        Some(self.switched_fence(thread, usize::MAX, true, EventKind::Full, guard, chain))
    }

    /// Adds a fence that a switch inserts at a copy.
    fn switched_fence(
        &mut self,
        thread: ThreadId,
        number: usize,
        trails: bool,
        kind: EventKind,
        guard: Lit,
        chain: &mut EventChain,
    ) -> EventId {
        let event = Event {
            thread,
            instr: None,
            kind,
            guard,
            node: self.order.node(),
            inside: false,
            from: number,
            to: number,
            trails,
            address: None,
            read: None,
            write: None,
            own: None,
        };
        let id = self.add_event(event);
        self.order_after(chain, id);
        chain.pass(id, &self.events[id.index()]);
        id
    }

    fn add_event(&mut self, event: Event) -> EventId {
        self.events.push(event);
        EventId(self.events.len() as u32 - 1)
    }
}

/// What is needed of a load.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Need {
    Nothing,
    /// Its value is read.
    Value,
    /// Whether it may happen depends on where its value comes from.
    Source,
}

/// Narrows the sets of the registers that an `assume` reads.
fn narrow(e: &Expr<RegId>, env: &mut Env) {
    let narrowed = refine(e, true, |reg| env[&reg].set.clone());
    for (reg, set) in narrowed.unwrap_or_default() {
        let bits = match set.as_constant() {
            Some(value) => Arc::new(Bits::constant(value)),
            None => Arc::clone(&env[&reg].bits),
        };
        env.insert(reg, RegValue { bits, set });
    }
}
