//! Feasible attacks, by searching for computations of the shape of a witness.
//!
//! Stores that are not delayed reach memory as soon as they are issued, and lightweight fences that are
//! not delayed retire at once. If the attacker may delay, both choices are tried. After `last` only
//! helpers act, and only with accesses that depend on it. Whether an access depends on `last` is decided
//! from the cells and threads that the dependence has reached: [BDM13, Lemma 3] with blocks as nodes.
//! Every result must then pass [`check_witness`], which checks the relation itself.

use super::check::check_witness;
use super::dependence::{Access, Dependent, Level};
use super::partial::{Allowance, Live, Partial};
use fencepost::internals::model::Model;
use fencepost::internals::reference::{Action, Run, Step};
use fencepost::program::{Addr, Fence, InstrId, Op, Program, ThreadId};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The attacker, the store that it delays first, and the last instruction that it executes.
pub type Attack = (ThreadId, InstrId, InstrId);

/// The attacks that have a witness; `None` if the search takes more than `limit` steps.
pub fn feasible_attacks(program: &Program, model: Model, limit: usize) -> Option<BTreeSet<Attack>> {
    Some(witnesses(program, model, limit)?.into_keys().collect())
}

/// The attacks that have a witness, each with one; `None` if the search takes more than `limit` steps.
pub fn witnesses(program: &Program, model: Model, limit: usize) -> Option<BTreeMap<Attack, Run>> {
    let mut allowance = Allowance::new(limit);
    let mut found = BTreeMap::new();
    for attacker in program.thread_ids() {
        let mut seen = HashSet::new();
        let mut open = vec![Node {
            attacker,
            partial: Partial::new(program, model),
            phase: Phase::Before,
        }];
        while let Some(node) = open.pop() {
            if let Some((attack, run)) = node.witness(&found) {
                if let Err(reason) = check_witness(&run, attack.0, attack.1, attack.2) {
                    panic!("{attack:?} under {model} has no witness in {run:#?}: {reason}");
                }
                found.insert(attack, run);
            }
            for next in node.successors(&mut allowance)? {
                if seen.insert(next.key()) {
                    open.push(next);
                }
            }
        }
    }
    Some(found)
}

/// A prefix of a potential witness.
#[derive(Clone)]
struct Node<'p> {
    attacker: ThreadId,
    partial: Partial<'p>,
    phase: Phase,
}

/// The phase of a prefix.
#[derive(Clone)]
enum Phase {
    /// In tau1: nothing is delayed.
    Before,
    /// In tau2: the attacker holds this store back.
    Delaying(Delayed),
    /// In tau3: the attacker has stopped.
    After {
        store: Delayed,
        last: InstrId,
        dependent: Dependent,
        /// The accesses of a helper in its current block.
        block: Vec<Access>,
    },
}

/// The first delayed store.
#[derive(Clone, Copy)]
struct Delayed {
    instr: InstrId,
    addr: Addr,
}

impl<'p> Node<'p> {
    /// The same prefix, continued.
    fn with(&self, live: Live<'p>, phase: Phase) -> Self {
        Self {
            attacker: self.attacker,
            partial: live.partial,
            phase,
        }
    }

    fn key(&self) -> Vec<i32> {
        let mut key = Vec::new();
        match &self.phase {
            Phase::Before => key.push(0),
            Phase::Delaying(store) => key.extend([1, store.instr.0 as i32, store.addr.0]),
            Phase::After {
                store,
                last,
                dependent,
                block,
            } => {
                key.extend([2, store.instr.0 as i32, store.addr.0, last.0 as i32]);
                dependent.encode(&mut key);
                key.push(block.len() as i32);
                for access in block {
                    key.extend([access.addr.0, access.level as i32]);
                }
            }
        }
        self.partial.encode(&mut key);
        key
    }

    /// The attack with the completed witness, if it is new and some helper's access to the delayed
    /// store's cell depends on `last`. To complete it, the buffer is drained, starting with that store.
    fn witness(&self, known: &BTreeMap<Attack, Run>) -> Option<(Attack, Run)> {
        let Phase::After {
            store,
            last,
            dependent,
            ..
        } = &self.phase
        else {
            return None;
        };
        let attack = (self.attacker, store.instr, *last);
        let conflict = Access {
            addr: store.addr,
            level: Level::Stored,
        };
        if self.partial.inside().is_some()
            || known.contains_key(&attack)
            || !dependent.reaches(conflict)
        {
            return None;
        }
        let mut live = self.partial.resume();
        live.release(self.attacker, store.addr)?;
        while !live.partial.is_halting() {
            let releases = live.partial.releases(self.attacker);
            let next = releases.iter().find_map(|steps| {
                let mut next = live.partial.resume();
                next.take_all(steps).map(|()| next)
            });
            live = next.expect("outside blocks a buffer can always be emptied");
        }
        Some((attack, live.finish()))
    }

    /// Every continuation by one instruction, or by one thread's local instructions.
    fn successors(&self, allowance: &mut Allowance) -> Option<Vec<Self>> {
        let partial = &self.partial;
        let stopped = |thread| thread == self.attacker && matches!(self.phase, Phase::After { .. });
        // A local step commutes with all steps before it, and is never `last`.
        let local = partial.local_steps(|thread| !stopped(thread), allowance)?;
        if !local.is_empty() {
            let next = local.into_iter();
            return Some(
                next.map(|live| self.with(live, self.phase.clone()))
                    .collect(),
            );
        }
        let mut found = Vec::new();
        let owner = partial.inside();
        for thread in partial.program.thread_ids() {
            if stopped(thread) || owner.is_some_and(|owner| owner != thread) {
                continue;
            }
            for step in partial.executions(thread) {
                allowance.spend()?;
                found.extend(self.at_once(thread, step));
                if thread == self.attacker {
                    found.extend(self.delaying(step));
                }
            }
        }
        Some(found)
    }

    /// Takes the step without a delay, and updates the phase.
    fn at_once(&self, thread: ThreadId, step: Step) -> Vec<Self> {
        let mut live = self.partial.resume();
        let Some(action) = live.take(step) else {
            return Vec::new();
        };
        let mut is_last = false;
        match action {
            Action::Issue { addr, .. } => {
                // An older store to the cell would leave the buffer first.
                if self.partial.stores(thread).contains(&addr)
                    || live.release(thread, addr).is_none()
                {
                    return Vec::new();
                }
                is_last = true;
            }
            Action::Load { early, .. } => is_last = !early,
            Action::Fence => {
                let older = self.partial.has_fence(thread);
                let issued = live.partial.has_fence(thread);
                if issued && (older || live.take(Step::Retire { thread }).is_none()) {
                    return Vec::new();
                }
            }
            Action::Flush { .. }
            | Action::Rmw { .. }
            | Action::Advance { .. }
            | Action::Retire
            | Action::Local => {}
        }
        let mut found = Vec::new();
        let accesses: Vec<Access> = Access::of(&action).into_iter().collect();
        match &self.phase {
            Phase::Before => found.push(self.with(live, Phase::Before)),
            Phase::Delaying(store) => {
                if let (true, true, Step::Execute { instr, .. }) =
                    (thread == self.attacker, is_last, step)
                {
                    let phase = self.stopping(*store, instr, &accesses);
                    let partial = live.partial.clone();
                    found.push(Self {
                        attacker: thread,
                        partial,
                        phase,
                    });
                }
                found.push(self.with(live, self.phase.clone()));
            }
            Phase::After {
                store,
                last,
                dependent,
                block,
            } => {
                let (mut dependent, mut block) = (dependent.clone(), block.clone());
                block.extend(accesses);
                if live.partial.inside().is_none()
                    && dependent
                        .extend(thread, &std::mem::take(&mut block))
                        .is_none()
                {
                    return found;
                }
                let phase = Phase::After {
                    store: *store,
                    last: *last,
                    dependent,
                    block,
                };
                found.push(self.with(live, phase));
            }
        }
        found
    }

    /// The phase after the attacker has stopped with this access.
    fn stopping(&self, store: Delayed, last: InstrId, accesses: &[Access]) -> Phase {
        Phase::After {
            store,
            last,
            dependent: Dependent::new(self.partial.program, accesses),
            block: Vec::new(),
        }
    }

    /// The attacker's step, whose item stays in the buffer.
    fn delaying(&self, step: Step) -> Vec<Self> {
        let Step::Execute { instr, .. } = step else {
            return Vec::new();
        };
        let lightweight = matches!(
            self.partial.op(step),
            Some(Op::Fence(Fence::Store | Fence::Cells(_)))
        );
        let preludes = if lightweight && matches!(self.phase, Phase::Delaying(_)) {
            self.partial.fence_preludes(self.attacker)
        } else {
            vec![Vec::new()]
        };
        let mut found = Vec::new();
        for prelude in preludes {
            let mut live = self.partial.resume();
            if live.take_all(&prelude).is_none() {
                continue;
            }
            let action = live.take(step);
            let phase = match (&self.phase, action) {
                (Phase::Before, Some(Action::Issue { addr, .. })) => {
                    Phase::Delaying(Delayed { instr, addr })
                }
                (Phase::Delaying(store), Some(Action::Issue { .. })) => Phase::Delaying(*store),
                // Not a fence that is ignored in a block or that waits for an empty buffer.
                (Phase::Delaying(store), Some(Action::Fence))
                    if live.partial.has_fence(self.attacker) =>
                {
                    Phase::Delaying(*store)
                }
                _ => continue,
            };
            found.push(self.with(live, phase));
        }
        found
    }
}
