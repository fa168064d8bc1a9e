//! Feasible attacks, by looking for computations of the shape of a witness.
//!
//! Stores that are not delayed go to memory in the same breath as they are issued, and lightweight
//! fences that are not delayed retire. Where the attacker may delay, both ways are tried. After
//! `last` only helpers act, and only with accesses that depend on it; whether they do is seen from
//! the cells and threads that the dependence has come to: [BDM13, Lemma 3] with blocks as nodes.
//! What is found must then pass [`check_witness`], which looks at the relation itself.

use super::check::check_witness;
use super::course::{Allowance, Course, Live};
use super::dependence::{Access, Dependent, Level};
use fencepost::explicit::{Action, Run, Step};
use fencepost::model::Model;
use fencepost::program::{Addr, Fence, InstrId, Op, Program, ThreadId};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The attacker, the store that it delays first, and the last instruction that it executes.
pub type Attack = (ThreadId, InstrId, InstrId);

/// The attacks that have a witness; nothing if the search takes more than so many steps.
pub fn feasible_attacks(program: &Program, model: Model, limit: usize) -> Option<BTreeSet<Attack>> {
    Some(witnesses(program, model, limit)?.into_keys().collect())
}

/// The attacks that have a witness, each with one.
pub fn witnesses(program: &Program, model: Model, limit: usize) -> Option<BTreeMap<Attack, Run>> {
    let mut allowance = Allowance::new(limit);
    let mut found = BTreeMap::new();
    for attacker in program.thread_ids() {
        let mut seen = HashSet::new();
        let mut open = vec![Node {
            attacker,
            course: Course::new(program, model),
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

/// A prefix of what may become a witness.
#[derive(Clone)]
struct Node<'p> {
    attacker: ThreadId,
    course: Course<'p>,
    phase: Phase,
}

/// How far the prefix is.
#[derive(Clone)]
enum Phase {
    /// In tau1: nobody delays anything.
    Before,
    /// In tau2: the attacker holds this store back.
    Delaying(Delayed),
    /// In tau3: the attacker has stopped.
    After {
        store: Delayed,
        last: InstrId,
        dependent: Dependent,
        /// What a helper has accessed in the block in which it stands.
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
            course: live.course,
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
        self.course.encode(&mut key);
        key
    }

    /// The attack with the finished witness, if it is new and some helper's access to the delayed
    /// store's cell depends on `last`: what is buffered goes to memory, that store first.
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
        if self.course.inside().is_some()
            || known.contains_key(&attack)
            || !dependent.reaches(conflict)
        {
            return None;
        }
        let mut live = self.course.again();
        live.release(self.attacker, store.addr)?;
        while !live.course.is_halting() {
            let releases = live.course.releases(self.attacker);
            let next = releases.iter().find_map(|steps| {
                let mut next = live.course.again();
                next.take_all(steps).map(|()| next)
            });
            live = next.expect("outside blocks a buffer can always be emptied");
        }
        Some((attack, live.finish()))
    }

    /// Every way to go on by one instruction, or by one thread's local ones.
    fn successors(&self, allowance: &mut Allowance) -> Option<Vec<Self>> {
        let course = &self.course;
        let stopped = |thread| thread == self.attacker && matches!(self.phase, Phase::After { .. });
        // A local step moves to the left, over whatever is in its way, and is never `last`.
        let local = course.local_steps(|thread| !stopped(thread), allowance)?;
        if !local.is_empty() {
            let next = local.into_iter();
            return Some(
                next.map(|live| self.with(live, self.phase.clone()))
                    .collect(),
            );
        }
        let mut found = Vec::new();
        let owner = course.inside();
        for thread in course.program.thread_ids() {
            if stopped(thread) || owner.is_some_and(|owner| owner != thread) {
                continue;
            }
            for step in course.executions(thread) {
                allowance.spend()?;
                found.extend(self.at_once(thread, step));
                if thread == self.attacker {
                    found.extend(self.delaying(step));
                }
            }
        }
        Some(found)
    }

    /// The step with nothing delayed, and what that makes of the phase.
    fn at_once(&self, thread: ThreadId, step: Step) -> Vec<Self> {
        let mut live = self.course.again();
        let Some(action) = live.take(step) else {
            return Vec::new();
        };
        let mut is_last = false;
        match action {
            Action::Issue { addr, .. } => {
                // An older store to the cell would be the one to go.
                if self.course.stores(thread).contains(&addr)
                    || live.release(thread, addr).is_none()
                {
                    return Vec::new();
                }
                is_last = true;
            }
            Action::Load { early, .. } => is_last = !early,
            Action::Fence => {
                let older = self.course.has_fence(thread);
                let issued = live.course.has_fence(thread);
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
                    let course = live.course.clone();
                    found.push(Self {
                        attacker: thread,
                        course,
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
                if live.course.inside().is_none()
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

    /// The attacker has stopped with this access.
    fn stopping(&self, store: Delayed, last: InstrId, accesses: &[Access]) -> Phase {
        Phase::After {
            store,
            last,
            dependent: Dependent::new(self.course.program, accesses),
            block: Vec::new(),
        }
    }

    /// The attacker's step with what it puts into the buffer left there.
    fn delaying(&self, step: Step) -> Vec<Self> {
        let Step::Execute { instr, .. } = step else {
            return Vec::new();
        };
        let lightweight = matches!(
            self.course.op(step),
            Some(Op::Fence(Fence::Store | Fence::Cells(_)))
        );
        let preludes = if lightweight && matches!(self.phase, Phase::Delaying(_)) {
            self.course.fence_preludes(self.attacker)
        } else {
            vec![Vec::new()]
        };
        let mut found = Vec::new();
        for prelude in preludes {
            let mut live = self.course.again();
            if live.take_all(&prelude).is_none() {
                continue;
            }
            let action = live.take(step);
            let phase = match (&self.phase, action) {
                (Phase::Before, Some(Action::Issue { addr, .. })) => {
                    Phase::Delaying(Delayed { instr, addr })
                }
                (Phase::Delaying(store), Some(Action::Issue { .. })) => Phase::Delaying(*store),
                // Not a fence that a block swallows or that waits for an empty buffer.
                (Phase::Delaying(store), Some(Action::Fence))
                    if live.course.has_fence(self.attacker) =>
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
