//! What a search may leave out without losing an answer.
//!
//! Five reductions, each with a switch of its own; a property test compares every one with none.
//!
//! * (liveness) A register that no path from the location reads before writing it, and that no
//!   asked property looks at, is set to 0: configurations that differ in it alone have the same
//!   future.
//! * (local) Where one thread has nothing to do but invisible steps of its own, only these are
//!   followed.
//! * (retire) Where a lightweight fence can leave a buffer, only that is followed.
//! * (advance) Under PGAS a store advances only into an empty FIFO, or where its thread is about to
//!   issue a lightweight fence.
//! * (chains) A configuration is passed through without being kept where (local) or (retire) has
//!   chosen, or where a thread is inside an atomic block: nobody else acts there, and what follows
//!   is found again from the configuration before. Every cycle has one that is kept, and so has every
//!   place where paths of the thread meet: else their number could be exponential.
//!
//! Why (local) and (retire) lose nothing. Take a computation `w` from a configuration `s` to the
//! point where it reaches a goal. Let `t` be the chosen thread.
//!
//! * If `w` contains a step of `t`'s control, the first one, `a`, is among those chosen: which of
//!   them are enabled depends on `t`'s location, registers and (empty) buffer alone, and nobody
//!   else changes these. `a` changes nothing that another thread's step, or a move of a buffer,
//!   looks at, so it can be taken first: `a·w'` ends where `w` ended. An atomic block that `w`
//!   enters before `a` does not matter, since its first step does not look at `t`.
//! * Otherwise `a·w` is a computation for each enabled `a` of `t`, and there is one, because
//!   otherwise `t` is not chosen. It executes what `w` executes, so it fails the same
//!   assertions. It ends where `w` ends but for `t`, which has left its location; that is not
//!   seen by any asked property, because neither the two locations nor the register written are
//!   named in one, and `final assert` and `exists` were not decided with `t` at a location that
//!   is no end. `t` stood before no access.
//!
//! (retire) is the same with the fence's departure for `a`: it blocks nobody and changes no value,
//! stores that are issued later line up behind what is left, and where a fence is still buffered
//! no property is decided.
//!
//! Nothing is postponed forever: a departure shortens a buffer, and every cycle of a thread's
//! local instructions contains a location where (local) does not apply ([`Reduce::cut`]). So after
//! finitely many chosen steps comes a configuration that is followed completely, and there `w`,
//! which has not become longer but for these steps, can make its first step.
//!
//! Why (advance) loses nothing. Postpone each advance in `w` until just before the store's flush,
//! or until just before the first lightweight fence that its thread issues between the two, the
//! order of what is postponed to one place kept; drop it if neither comes. Nobody looks at where a
//! store of a thread waits but the thread's fences, and none is in between. The FIFO still has the
//! order of the flushes. What was ahead in it has left when a store is flushed; what was behind
//! advances later, unless a fence was issued before the flush, and then the store itself advanced
//! for that fence. So the FIFO is empty where a store advances for its own flush.
//! The arguments above survive: at a location where (local) applies no lightweight fence leaves, so
//! that taking `a` first forbids no advance, and a fence that retires leaves the FIFO emptier.

use super::Step;
use super::buffer::Item;
use super::machine::{Config, Machine};
use crate::model::Model;
use crate::program::{Fence, Goal, LocId, Observable, Op, RegId, Thread, ThreadId};
use ahash::AHashSet;
use std::str::FromStr;

/// Which reductions a search uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the reductions are independent switches, so that each can be tested alone"
)]
pub struct Reduction {
    /// Forget the values of registers that are not read again.
    pub liveness: bool,
    /// Follow only one thread where it has only invisible local steps.
    pub local_steps: bool,
    /// Let lightweight fences leave the buffers as soon as they can.
    pub retire: bool,
    /// PGAS: move stores to the FIFO no earlier than their flush or a lightweight fence asks.
    pub advance: bool,
    /// Keep no configurations that are only passed through.
    pub chains: bool,
}

impl Reduction {
    /// Every configuration is visited.
    pub const NONE: Reduction = Reduction {
        liveness: false,
        local_steps: false,
        retire: false,
        advance: false,
        chains: false,
    };

    /// All of them.
    pub const ALL: Reduction = Reduction {
        liveness: true,
        local_steps: true,
        retire: true,
        advance: true,
        chains: true,
    };
}

impl FromStr for Reduction {
    type Err = String;

    /// `all`, `none`, or some of `liveness`, `local`, `retire`, `advance` and `chains`, separated by
    /// commas.
    fn from_str(s: &str) -> Result<Self, String> {
        match s {
            "all" => return Ok(Self::ALL),
            "none" => return Ok(Self::NONE),
            _ => {}
        }
        let mut chosen = Self::NONE;
        for name in s.split(',') {
            let switch = match name {
                "liveness" => &mut chosen.liveness,
                "local" => &mut chosen.local_steps,
                "retire" => &mut chosen.retire,
                "advance" => &mut chosen.advance,
                "chains" => &mut chosen.chains,
                _ => {
                    return Err(format!(
                        "unknown reduction `{name}`: expected all, none, or a list of liveness, \
                         local, retire, advance, chains"
                    ));
                }
            };
            *switch = true;
        }
        Ok(chosen)
    }
}

impl Default for Reduction {
    fn default() -> Self {
        Self::ALL
    }
}

/// When a thread at a location has only invisible local steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Local {
    Never,
    /// If its own buffer is empty: a full fence leaves the location.
    WhenDrained,
    Always,
}

/// The reductions, made ready for one program and the asked goals.
pub(super) struct Reduce {
    /// For each thread and location the dead registers, as positions in the configuration.
    dead: Vec<Vec<Vec<usize>>>,
    /// For each thread and location.
    local: Vec<Vec<Local>>,
    /// For each thread and location whether a lightweight fence that travels leaves it.
    fences: Vec<Vec<bool>>,
    /// For each thread and location whether several instructions lead to it.
    joins: Vec<Vec<bool>>,
    retire: bool,
    advance: bool,
    chains: bool,
}

impl Reduce {
    pub(super) fn new(machine: &Machine<'_>, goals: &[Goal], reduction: Reduction) -> Self {
        let program = machine.program;
        let mut observed: AHashSet<Observable> = AHashSet::new();
        for goal in goals {
            if let Goal::Property(property) = goal {
                let predicate = &program.properties()[*property].predicate;
                observed.extend(predicate.vars());
            }
        }
        let mut dead = Vec::new();
        let mut local = Vec::new();
        let mut fences = Vec::new();
        let mut joins = Vec::new();
        for (t, thread) in program.thread_ids().zip(program.threads()) {
            let is_observed = |reg| observed.contains(&Observable::Register(t, reg));
            let is_named = |loc| observed.contains(&Observable::At(t, loc));
            dead.push(if reduction.liveness {
                dead_registers(thread, is_observed)
                    .into_iter()
                    .map(|dead| dead.into_iter().map(|reg| machine.slot(t, reg)).collect())
                    .collect()
            } else {
                vec![Vec::new(); thread.locations().len()]
            });
            local.push(if reduction.local_steps {
                let mut local = local_locations(thread, machine.model, is_observed, is_named);
                Self::cut(thread, &mut local);
                local
            } else {
                vec![Local::Never; thread.locations().len()]
            });
            let mut leaves = vec![false; thread.locations().len()];
            for instruction in thread.instructions() {
                leaves[instruction.from.index()] |= machine.travelling(t, instruction).is_some();
            }
            fences.push(leaves);
            let mut ways = vec![0_usize; thread.locations().len()];
            for instruction in thread.instructions() {
                ways[instruction.to.index()] += 1;
            }
            joins.push(ways.into_iter().map(|ways| ways > 1).collect());
        }
        Self {
            dead,
            local,
            fences,
            joins,
            retire: reduction.retire,
            advance: reduction.advance,
            chains: reduction.chains,
        }
    }

    /// Whether a configuration need not be kept. Requires that it is normalised.
    pub(super) fn passes(&self, machine: &Machine<'_>, config: &Config) -> bool {
        if !self.chains {
            return false;
        }
        let meets = |thread: ThreadId| {
            let loc = config.locations[thread.index()];
            self.joins[thread.index()][loc.index()]
        };
        if let Some(thread) = machine.inside(config) {
            // No thread starts inside a block, so a loop there has a place where it is entered.
            return !meets(thread);
        }
        self.retires(machine, config).is_some()
            || self
                .runs_locally(machine, config)
                .is_some_and(|thread| !meets(thread))
    }

    /// A thread whose oldest lightweight fence can leave.
    fn retires(&self, machine: &Machine<'_>, config: &Config) -> Option<ThreadId> {
        let mut threads = machine.program.thread_ids().zip(&config.buffers);
        let found = threads.find(|(_, buffer)| may_retire(machine, &buffer.waiting, &buffer.fifo));
        found.filter(|_| self.retire).map(|(thread, _)| thread)
    }

    /// A thread that has nothing to do but invisible steps of its own, and can take one.
    fn runs_locally(&self, machine: &Machine<'_>, config: &Config) -> Option<ThreadId> {
        machine.program.thread_ids().find(|&thread| {
            let loc = config.locations[thread.index()];
            let local = match self.local[thread.index()][loc.index()] {
                Local::Never => false,
                Local::WhenDrained => config.buffers[thread.index()].is_empty(),
                Local::Always => true,
            };
            local && some_step(machine, config, thread, loc)
        })
    }

    /// Sets dead registers to 0.
    pub(super) fn normalise(&self, config: &mut Config) {
        for (dead, loc) in self.dead.iter().zip(&config.locations) {
            for &slot in &dead[loc.index()] {
                config.registers[slot] = 0;
            }
        }
    }

    /// Keeps only the chosen steps, where there is a choice. Requires that the steps are all those
    /// that [`Machine::propose`] proposes.
    pub(super) fn choose(&self, machine: &Machine<'_>, config: &Config, steps: &mut Vec<Step>) {
        // Inside a block only its thread moves anyway.
        if machine.inside(config).is_some() {
            return;
        }
        if let Some(thread) = self.retires(machine, config) {
            steps.clear();
            steps.push(Step::Retire { thread });
            return;
        }
        if self.advance {
            steps.retain(|step| match step {
                Step::Advance { thread, .. } => {
                    let t = thread.index();
                    config.buffers[t].fifo.is_empty() || self.fences[t][config.locations[t].index()]
                }
                Step::Execute { .. } | Step::Flush { .. } | Step::Retire { .. } => true,
            });
        }
        if let Some(thread) = self.runs_locally(machine, config) {
            steps.retain(|step| match step {
                Step::Execute { thread: t, .. } => *t == thread,
                Step::Advance { .. } | Step::Flush { .. } | Step::Retire { .. } => false,
            });
        }
    }

    /// Takes the targets of back edges out, so that each cycle of local instructions contains a
    /// location that is not local.
    fn cut(thread: &Thread, local: &mut [Local]) {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let mut marks = vec![Mark::New; local.len()];
        for root in 0..local.len() {
            // Depth first over local locations; the stack holds the next instruction to follow.
            let mut path = vec![(LocId::from(root), 0)];
            while let Some((loc, next)) = path.last_mut() {
                let loc = *loc;
                if *next == 0 {
                    if marks[loc.index()] != Mark::New || local[loc.index()] == Local::Never {
                        path.pop();
                        continue;
                    }
                    marks[loc.index()] = Mark::Open;
                }
                let Some(&instr) = thread.outgoing(loc).get(*next) else {
                    marks[loc.index()] = Mark::Done;
                    path.pop();
                    continue;
                };
                *next += 1;
                let to = thread.instruction(instr).to;
                match marks[to.index()] {
                    Mark::New => path.push((to, 0)),
                    Mark::Open => local[to.index()] = Local::Never,
                    Mark::Done => {}
                }
            }
        }
    }
}

/// Whether a lightweight fence can leave this buffer now.
fn may_retire(machine: &Machine<'_>, waiting: &[Item], fifo: &[Item]) -> bool {
    let is_fence = |item: &Item| matches!(item, Item::Fence(_));
    match machine.model {
        Model::Sc | Model::Tso => false,
        Model::Pgas => fifo.first().is_some_and(is_fence),
        // Under PSO a fence with older stores is left alone: cheaper to see, and as sound.
        Model::Pso => waiting.first().is_some_and(is_fence),
    }
}

/// Whether the thread, at a location with local instructions only, can take a step.
fn some_step(machine: &Machine<'_>, config: &Config, thread: ThreadId, loc: LocId) -> bool {
    let automaton = machine.program.thread(thread);
    automaton.outgoing(loc).iter().any(|&instr| {
        match &automaton.instruction(instr).op {
            Op::Assume(e) => machine.eval(config, thread, e) != 0,
            // A `nondet` that is not enumerated is refused by `local_locations`.
            Op::Havoc { .. } | Op::Skip | Op::Assign { .. } | Op::Assert(_) | Op::Fence(_) => true,
            Op::Load { .. }
            | Op::Store { .. }
            | Op::Rmw { .. }
            | Op::AtomicBegin
            | Op::AtomicEnd => false,
        }
    })
}

/// For each location the registers that nothing reads before they are written, and that are not
/// observed.
fn dead_registers(thread: &Thread, observed: impl Fn(RegId) -> bool) -> Vec<Vec<RegId>> {
    let registers = thread.registers().len();
    let mut live = vec![vec![false; registers]; thread.locations().len()];
    let mut changed = true;
    while changed {
        changed = false;
        // Backwards: most instructions lead to a later one, so that one round does most.
        for instruction in thread.instructions().iter().rev() {
            let mut before = live[instruction.to.index()].clone();
            if let Some(target) = instruction.op.target() {
                before[target.index()] = false;
            }
            for operand in instruction.op.operands() {
                operand.for_each_var(&mut |reg: RegId| before[reg.index()] = true);
            }
            for (here, there) in live[instruction.from.index()].iter_mut().zip(before) {
                changed |= there && !*here;
                *here |= there;
            }
        }
    }
    live.into_iter()
        .map(|live| {
            (0..registers)
                .map(RegId::from)
                .filter(|&reg| !live[reg.index()] && !observed(reg))
                .collect()
        })
        .collect()
}

/// For each location whether only invisible local instructions leave it.
fn local_locations(
    thread: &Thread,
    model: Model,
    observed: impl Fn(RegId) -> bool,
    named: impl Fn(LocId) -> bool,
) -> Vec<Local> {
    let classify = |loc: LocId| {
        let mut local = Local::Always;
        for &instr in thread.outgoing(loc) {
            let instruction = thread.instruction(instr);
            if named(instruction.to) || instruction.op.target().is_some_and(&observed) {
                return Local::Never;
            }
            match &instruction.op {
                Op::Skip | Op::Assign { .. } | Op::Assume(_) | Op::Assert(_) => {}
                Op::Havoc { low, high, .. } => {
                    if i64::from(*high) - i64::from(*low) >= super::rules::MOST_CHOICES {
                        return Local::Never;
                    }
                }
                Op::Fence(fence) => match (fence, model) {
                    (_, Model::Sc) | (Fence::Store | Fence::Cells(_), Model::Tso) => {}
                    (Fence::Full, Model::Tso | Model::Pso | Model::Pgas) => {
                        local = Local::WhenDrained;
                    }
                    (Fence::Store | Fence::Cells(_), Model::Pso | Model::Pgas)
                    | (Fence::All, Model::Tso | Model::Pso | Model::Pgas) => return Local::Never,
                },
                Op::Load { .. }
                | Op::Store { .. }
                | Op::Rmw { .. }
                | Op::AtomicBegin
                | Op::AtomicEnd => return Local::Never,
            }
        }
        local
    };
    (0..thread.locations().len())
        .map(LocId::from)
        .map(|loc| {
            // A location inside a block is only ever left by the one thread that moves.
            let excluded = thread.is_end(loc) || named(loc) || thread.location(loc).atomic;
            if excluded {
                Local::Never
            } else {
                classify(loc)
            }
        })
        .collect()
}
