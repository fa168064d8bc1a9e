//! Reductions: what a search may skip without changing its result.
//!
//! There are ten reductions, each with its own switch; a property test compares each with the
//! unreduced search.
//!
//! * (liveness) A register that no path from the location reads before writing it, except to compute
//!   another such register, and that no property among the goals reads, is set to 0: configurations that differ only in such a
//!   register have the same continuations.
//! * (local) If one thread can take only invisible local steps, only these are explored. A branch that leads
//!   to a location that a property names does not matter where its condition is false.
//! * (retire) If a lightweight fence can leave a buffer, only that step is explored.
//! * (advance) Under PGAS a store advances only into an empty FIFO, or when its thread is about to
//!   issue a lightweight fence.
//! * (chains) A configuration is not stored if (local) or (retire) restricts its steps, or if a
//!   thread is inside an atomic block, where no other thread acts: its successors are found again
//!   from its predecessor. Every cycle contains a stored configuration. Configurations where
//!   several paths of the thread meet are stored too: otherwise the number of paths could be
//!   exponential.
//! * (persistent) Only the steps of a persistent set are explored: see `persistent`.
//! * (lookahead) Persistent sets are also found by following other threads for a while: see `ahead`.
//! * (directed) For a while, what seems to be close to a goal is visited first: see `order`. This leaves out
//!   nothing.
//! * (symmetry) Configurations that differ only in which of several threads is where are stored once, if the
//!   threads are identical but for names and cells of their own. This one is in `symmetry`.
//! * (hopeless) Configurations from which no goal can be reached are left out: see `hopeless`.
//!
//! (local) and (retire) are sound. Take a computation `w` from a configuration `s` to the point
//! where it reaches a goal. Let `t` be the chosen thread.
//!
//! * If `w` contains a step of `t`'s control, the first one, `a`, is among those chosen: which of
//!   them are enabled depends only on `t`'s location, registers and (empty) buffer, and no other
//!   thread changes these. `a` changes nothing that another thread's step or a buffer move depends
//!   on, so it can be taken first: `a·w'` ends where `w` ends. An atomic block that `w` enters
//!   before `a` does not matter, since its first step does not depend on `t`.
//! * Otherwise `a·w` is a computation for each enabled `a` of `t`, and there is one, because
//!   otherwise `t` is not chosen. It executes what `w` executes, so the same assertions fail. It
//!   ends where `w` ends, except that `t` has left its location. No property among the goals
//!   depends on that: none names either of the two locations or the register written, and `final
//!   assert` and `exists` were not decided while `t` was at a location that is not an end. No
//!   access was a next instruction of `t`.
//!
//! For (retire) the argument is the same, where `a` is the retirement of the fence: it blocks no
//! step and changes no value, stores issued later are queued after the remaining items, and while a
//! fence is buffered no property is decided.
//!
//! No step is postponed forever: a retirement shortens a buffer, and every cycle of a thread's
//! local instructions contains a location where (local) does not apply (`local::cut`). So after
//! finitely many chosen steps the search reaches a configuration whose steps are all explored.
//! There `w`, which has grown only by these steps, can take its first step.
//!
//! (advance) is sound. Postpone each advance in `w` until just before the store's flush, or until
//! just before the first lightweight fence that its thread issues between the two, keeping the
//! order of advances that are postponed to the same point; drop it if neither follows. Only the
//! thread's own fences depend on where its stores wait, and none is issued in between. The FIFO
//! still has the order of the flushes. The items before a store in the FIFO have left when the
//! store is flushed; the items after it advance later, unless a fence was issued before the flush,
//! and then the store itself advanced for that fence. So the FIFO is empty when a store advances
//! for its own flush. The arguments above remain valid: no lightweight fence leaves a location
//! where (local) applies, so taking `a` first forbids no advance, and a fence that retires only
//! shortens the FIFO.

mod local;

use crate::model::Model;
use crate::program::{Goal, LocId, Observable, Op, Program, ThreadId};
use crate::reference::Step;
use crate::reference::buffer::BufferItem;
use crate::reference::dead_registers;
use crate::reference::machine::{Config, Machine};
use ahash::AHashSet;
pub(super) use local::back_edges;
use local::{Locality, cut, local_locations, meetings};
use std::str::FromStr;

/// When a search begins to use what small searches do not need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Onset {
    /// Never.
    Never,
    /// When so many configurations are expanded.
    After(u32),
}

impl Onset {
    /// Programs that have fewer configurations are visited in less time than it takes to do more.
    const LATE: Onset = Onset::After(2_000);
}

/// Which reductions a search uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the reductions are independent switches, so that each can be tested alone"
)]
pub struct Reduction {
    /// Forget the values of registers that are not read again.
    pub liveness: bool,
    /// If a thread has only invisible local steps, explore only these.
    pub local_steps: bool,
    /// Retire lightweight fences as soon as possible.
    pub retire: bool,
    /// PGAS: advance stores to the FIFO only when their flush or a lightweight fence requires it.
    pub advance: bool,
    /// Do not store configurations inside chains.
    pub chains: bool,
    /// Explore the steps of a persistent set only.
    pub persistent: bool,
    /// With persistent sets: follow the other thread to see with which steps it interferes. After fifty times as
    /// many configurations, follow several, if that is worth it. The search begins again: it stays narrow only
    /// if it does so from the beginning on.
    pub lookahead: Onset,
    /// Store configurations that differ only by a permutation of threads that are alike once.
    pub symmetry: bool,
    /// Visit for a while what seems to be close to a goal first: see `order`.
    pub directed: Onset,
    /// Leave out configurations from which no goal can be reached. What is executed only from there on is
    /// then not known.
    pub hopeless: bool,
}

impl Reduction {
    /// No reduction: every configuration is visited.
    pub const NONE: Reduction = Reduction {
        liveness: false,
        local_steps: false,
        retire: false,
        advance: false,
        chains: false,
        persistent: false,
        lookahead: Onset::Never,
        directed: Onset::Never,
        symmetry: false,
        hopeless: false,
    };

    /// Those of them that suit the program. Persistent sets take only fences to wait for what the thread itself has
    /// buffered, and not loads ([`Overlap::Wait`](crate::program::Overlap::Wait)).
    pub(super) fn suited_to(self, program: &Program, model: Model) -> Self {
        if !(model.relaxes_store_load() && program.has_waiting_loads()) {
            return self;
        }
        Self {
            persistent: false,
            lookahead: Onset::Never,
            ..self
        }
    }

    /// All reductions.
    pub const ALL: Reduction = Reduction {
        liveness: true,
        local_steps: true,
        retire: true,
        advance: true,
        chains: true,
        persistent: true,
        lookahead: Onset::LATE,
        directed: Onset::LATE,
        symmetry: true,
        hopeless: true,
    };
}

impl FromStr for Reduction {
    type Err = String;

    /// `all`, `none`, or some of `liveness`, `local`, `retire`, `advance`, `chains`, `persistent`,
    /// `lookahead`, `directed`, `symmetry` and `hopeless`, separated by commas.
    fn from_str(s: &str) -> Result<Self, String> {
        match s {
            "all" => return Ok(Self::ALL),
            "none" => return Ok(Self::NONE),
            _ => {}
        }
        let mut chosen = Self::NONE;
        for name in s.split(',') {
            let onset = match name {
                "lookahead" => Some(&mut chosen.lookahead),
                "directed" => Some(&mut chosen.directed),
                _ => None,
            };
            if let Some(onset) = onset {
                *onset = Onset::LATE;
                continue;
            }
            let switch = match name {
                "liveness" => &mut chosen.liveness,
                "local" => &mut chosen.local_steps,
                "retire" => &mut chosen.retire,
                "advance" => &mut chosen.advance,
                "chains" => &mut chosen.chains,
                "persistent" => &mut chosen.persistent,
                "symmetry" => &mut chosen.symmetry,
                "hopeless" => &mut chosen.hopeless,
                _ => {
                    return Err(format!(
                        "unknown reduction `{name}`: expected all, none, or a list of liveness, \
                         local, retire, advance, chains, persistent, lookahead, directed, \
                         symmetry, hopeless"
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

/// The reductions, prepared for one program and its goals.
pub(super) struct Reduce {
    /// For each thread and location, the dead registers, as indices into [`Config::registers`].
    dead: Vec<Vec<Vec<usize>>>,
    /// For each thread and location.
    local: Vec<Vec<Locality>>,
    /// For each thread and location, whether a property among the goals names it.
    named: Vec<Vec<bool>>,
    /// For each thread and location, whether a lightweight fence that is buffered leaves it.
    fences: Vec<Vec<bool>>,
    /// For each thread and location, whether several paths of the thread meet there.
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
        let mut named = Vec::new();
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
                cut(thread, &mut local);
                local
            } else {
                vec![Locality::Never; thread.locations().len()]
            });
            let locations = (0..thread.locations().len()).map(LocId::from);
            named.push(locations.map(is_named).collect());
            let mut leaves = vec![false; thread.locations().len()];
            for instruction in thread.instructions() {
                leaves[instruction.from.index()] |=
                    machine.buffered_fence(t, instruction).is_some();
            }
            fences.push(leaves);
            joins.push(meetings(thread, local.last().map_or(&[], Vec::as_slice)));
        }
        Self {
            dead,
            local,
            named,
            fences,
            joins,
            retire: reduction.retire,
            advance: reduction.advance,
            chains: reduction.chains,
        }
    }

    /// Whether a configuration need not be stored. Requires that it is normalised.
    pub(super) fn passes(&self, machine: &Machine<'_>, config: &Config) -> bool {
        if !self.chains {
            return false;
        }
        let meets = |thread: ThreadId| {
            let loc = config.locations[thread.index()];
            self.joins[thread.index()][loc.index()]
        };
        if let Some(thread) = machine.inside(config) {
            // No thread starts inside a block, so every loop there has a location where several
            // instructions meet.
            return !meets(thread);
        }
        self.retires(machine, config).is_some()
            || self
                .only_local(machine, config, |_| true)
                .is_some_and(|thread| !meets(thread))
    }

    /// A thread whose oldest lightweight fence can retire.
    fn retires(&self, machine: &Machine<'_>, config: &Config) -> Option<ThreadId> {
        let mut threads = machine.program.thread_ids().zip(&config.buffers);
        let found = threads.find(|(_, buffer)| may_retire(machine, &buffer.waiting, &buffer.fifo));
        found.filter(|_| self.retire).map(|(thread, _)| thread)
    }

    /// One of these threads that has only invisible local steps, and can take one.
    pub(super) fn only_local(
        &self,
        machine: &Machine<'_>,
        config: &Config,
        which: impl Fn(ThreadId) -> bool,
    ) -> Option<ThreadId> {
        let mut threads = machine.program.thread_ids().filter(|&thread| which(thread));
        threads.find(|&thread| {
            let loc = config.locations[thread.index()];
            let local = match self.local[thread.index()][loc.index()] {
                Locality::Never => false,
                Locality::WhenDrained => config.buffers[thread.index()].is_empty(),
                Locality::Always => true,
            };
            local && self.has_invisible_steps(machine, config, thread)
        })
    }

    /// Whether a thread, at a location with only local instructions, can take a step, and only invisible
    /// ones.
    fn has_invisible_steps(
        &self,
        machine: &Machine<'_>,
        config: &Config,
        thread: ThreadId,
    ) -> bool {
        let automaton = machine.program.thread(thread);
        let loc = config.locations[thread.index()];
        let mut some = false;
        for &instr in automaton.outgoing(loc) {
            let instruction = automaton.instruction(instr);
            let is_possible = match &instruction.op {
                Op::Assume(e) => machine.eval(config, thread, e) != 0,
                // `local_locations` excludes every `nondet` that is not enumerated.
                Op::Havoc { .. } | Op::Skip | Op::Assign { .. } | Op::Assert(_) | Op::Fence(_) => {
                    true
                }
                Op::Load { .. }
                | Op::Store { .. }
                | Op::Rmw { .. }
                | Op::AtomicBegin
                | Op::WordBegin(_)
                | Op::AtomicEnd => false,
            };
            if is_possible && self.named[thread.index()][instruction.to.index()] {
                return false;
            }
            some |= is_possible;
        }
        some
    }

    /// The dead registers of a thread at a location, as indices into [`Config::registers`].
    pub(super) fn dead(&self, thread: ThreadId, loc: LocId) -> &[usize] {
        &self.dead[thread.index()][loc.index()]
    }

    /// Sets dead registers to 0.
    pub(super) fn normalise(&self, config: &mut Config) {
        for (dead, loc) in self.dead.iter().zip(&config.locations) {
            for &slot in &dead[loc.index()] {
                config.registers[slot] = 0;
            }
        }
    }

    /// Sets dead registers to 0 after a step of a thread: those of the others are as they were.
    pub(super) fn normalise_thread(&self, config: &mut Config, thread: ThreadId) {
        let loc = config.locations[thread.index()];
        for &slot in &self.dead[thread.index()][loc.index()] {
            config.registers[slot] = 0;
        }
    }

    /// Removes the steps that these reductions skip; returns whether the rest are those of (local)
    /// or (retire). Requires exactly the steps that [`Machine::propose`] proposes.
    pub(super) fn choose(
        &self,
        machine: &Machine<'_>,
        config: &Config,
        steps: &mut Vec<Step>,
    ) -> bool {
        // Inside a block only its own thread can take steps.
        if machine.inside(config).is_some() {
            return false;
        }
        if let Some(thread) = self.retires(machine, config) {
            steps.clear();
            steps.push(Step::Retire { thread });
            return true;
        }
        self.order_advances(config, steps);
        let Some(thread) = self.only_local(machine, config, |_| true) else {
            return false;
        };
        steps.retain(|step| match step {
            Step::Execute { thread: t, .. } => *t == thread,
            Step::Advance { .. } | Step::Flush { .. } | Step::Retire { .. } => false,
        });
        true
    }

    /// Removes the steps that (advance) skips.
    pub(super) fn order_advances(&self, config: &Config, steps: &mut Vec<Step>) {
        if !self.advance {
            return;
        }
        steps.retain(|step| match step {
            Step::Advance { thread, .. } => {
                let t = thread.index();
                config.buffers[t].fifo.is_empty() || self.fences[t][config.locations[t].index()]
            }
            Step::Execute { .. } | Step::Flush { .. } | Step::Retire { .. } => true,
        });
    }
}

/// Whether a lightweight fence can retire from this buffer now.
fn may_retire(machine: &Machine<'_>, waiting: &[BufferItem], fifo: &[BufferItem]) -> bool {
    let is_fence = |item: &BufferItem| matches!(item, BufferItem::Fence(_));
    match machine.model {
        Model::Sc | Model::Tso => false,
        Model::Pgas => fifo.first().is_some_and(is_fence),
        // Under PSO a fence with older stores is not retired early: this check is cheaper, and as
        // sound.
        Model::Pso => waiting.first().is_some_and(is_fence),
    }
}
