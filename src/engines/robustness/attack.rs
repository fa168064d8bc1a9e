//! Attacks: which store of which thread may be delayed past which later access.
//!
//! An attack is syntactic: an attacker thread, the instruction of its first delayed store, and the
//! instruction of its last action before the delayed stores reach memory. The number of attacks is
//! quadratic, and a program is robust if and only if none of them has a witness [BDM13, Theorem 1],
//! [DMS17, Prop. 2]. Many are ruled out statically:
//!
//! * (fenced) every path from the store to the last action drains the buffer
//!   [BDM13, section 8: NR1];
//! * (same cell) both certainly access the same cell: a load would read the delayed store early,
//!   contradicting (W5), and a store could not overtake it;
//! * (no cycle) no chain of conflicts and program order through the other threads leads from the
//!   last action back to the store: in no execution can the cycle be closed. Nor in one where the
//!   attacker stops after the last action (`stopped`).
//!
//! Each part of a word access is an access here: an attack by a part is one by the whole, which starts, or is the
//! last, at the cell of that part. The papers have no such accesses. Their proofs rearrange issues, arrivals and
//! loads by whether two of them conflict, and an access of several cells is one issue and one arrival, or one load, that
//! conflicts where it has a cell in common. Only (W5) is about a part: a last load may read one of its cells from the
//! buffer and another one from memory, and then the cycle goes through the latter.
//!
//! Is it enough that the helpers depend on the last action through that one part? After a load it is: what conflicts with
//! another part only is a store, which can as well happen before the load, as nothing uses the values loaded. After a
//! store it is not: one helper may have to read one part, and another helper another part, before the two of them together
//! get back to the first delayed store. So a store that is last is so with all of its parts, and the first of them
//! stands for it. A law compares the verdicts with the definition (`tests/suite/words.rs`).
//!
//! With several threads, a search under SC rules out more before attacks are searched for (`too_late`).
//!
//! **Invariant.** An attack that is ruled out here has no witness, for any number of iterations.

mod conflicts;
mod stopped;

use crate::facts::{Flow, Values};
use crate::model::Model;
use crate::program::{InstrId, Op, Program, Site, Thread, ThreadId};
use crate::techniques::Pruning;
use crate::verdict::Budget;
use conflicts::Conflicts;

/// An attack [BDM13, Def. 1], [DMS17, section 8].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Attack {
    /// The attacker: the one thread that delays stores.
    pub thread: ThreadId,
    /// The first store that it delays.
    pub store: InstrId,
    /// Its last action before the delayed stores reach memory: a load, or under models that
    /// relax the order of stores, also a store.
    pub last: InstrId,
}

impl Attack {
    /// The site of the delayed store.
    pub fn store_site(self) -> Site {
        Site {
            thread: self.thread,
            instr: self.store,
        }
    }

    /// The site of the last action.
    pub fn last_site(self) -> Site {
        Site {
            thread: self.thread,
            instr: self.last,
        }
    }
}

/// The attacks of a program under a model, split into open ones and those ruled out statically.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Attacks {
    /// The attacks that a search must decide, ascending.
    pub open: Vec<Attack>,
    /// The attacks ruled out, ascending.
    pub pruned: Vec<Attack>,
}

impl Attacks {
    /// The number of all attacks.
    pub fn candidates(&self) -> usize {
        self.open.len() + self.pruned.len()
    }
}

/// All attacks of a program: each pair of a store and a load of one thread, and under PSO and PGAS
/// also each pair of two stores. Under SC there are none. Accesses inside atomic blocks and locked
/// instructions are not part of attacks: they begin and end with an empty buffer.
pub fn attacks(program: &Program, values: &Values, model: Model, pruning: Pruning) -> Attacks {
    let found = attacks_within(program, values, model, pruning, &Budget::default());
    found.unwrap_or_default()
}

/// Whether static arguments rule out all attacks: the program is robust. Requires that attacks are
/// defined for the program. Not tried where it would take long: nothing else may need the answer.
pub(crate) fn is_robust_statically(
    program: &Program,
    values: &Values,
    model: Model,
    budget: &Budget,
) -> bool {
    let squared = |thread| accesses(program, thread).count().pow(2);
    if program.thread_ids().map(squared).sum::<usize>() > CANDIDATES {
        return false;
    }
    let listed = listed(program, values, model, Pruning::ALL, budget);
    listed.is_some_and(|Attacks { open, .. }| {
        open.len() <= FEW && !stopped::is_any_possible(program, values, &open, budget)
    })
}

/// How many attacks are listed if nothing else asks for them.
const CANDIDATES: usize = 1 << 18;
/// How many of them may be left for the arguments that cost more.
const FEW: usize = 64;

/// [`attacks`]; `None` if the stop flag is raised before they are listed.
pub(crate) fn attacks_within(
    program: &Program,
    values: &Values,
    model: Model,
    pruning: Pruning,
    budget: &Budget,
) -> Option<Attacks> {
    let mut attacks = listed(program, values, model, pruning, budget)?;
    if pruning.cycles {
        let possible = stopped::possible(program, values, &attacks.open, budget);
        let (open, refuted): (Vec<Attack>, Vec<Attack>) = attacks
            .open
            .into_iter()
            .partition(|attack| possible.binary_search(attack).is_ok());
        attacks.open = open;
        attacks.pruned.extend(refuted);
        attacks.pruned.sort_unstable();
    }
    Some(attacks)
}

/// The attacks, without the argument about where the attacker stops; `None` if the stop flag is raised.
fn listed(
    program: &Program,
    values: &Values,
    model: Model,
    pruning: Pruning,
    budget: &Budget,
) -> Option<Attacks> {
    let mut attacks = Attacks::default();
    if !model.relaxes_store_load() {
        return Some(attacks);
    }
    let mut conflicts = Conflicts::new(program, values);
    for thread in program.thread_ids() {
        let plain: Vec<InstrId> = accesses(program, thread).collect();
        let flow = Flow::forward(program.thread(thread));
        let is_store = |instr: &&InstrId| program.thread(thread).instruction(**instr).op.is_store();
        for &store in plain.iter().filter(is_store) {
            if budget.is_stopped() {
                return None;
            }
            let site = Site {
                thread,
                instr: store,
            };
            let reached = Reached::from(program, values, model, &flow, site);
            for &last in &plain {
                // The stores of a word access are one last action.
                let stands_for_others = program.thread(thread).together(last)[0] == last;
                if is_store(&&last) && !(model.relaxes_store_store() && stands_for_others) {
                    continue;
                }
                let attack = Attack {
                    thread,
                    store,
                    last,
                };
                let refuted = pruning.fences && !reached.contains(program, attack)
                    || pruning.cells && conflicts.same_cell(attack)
                    || pruning.cycles && !conflicts.close(attack);
                if refuted {
                    attacks.pruned.push(attack);
                } else {
                    attacks.open.push(attack);
                }
            }
        }
    }
    Some(attacks)
}

/// The loads and stores of a thread outside atomic blocks.
fn accesses(program: &Program, thread: ThreadId) -> impl Iterator<Item = InstrId> + '_ {
    let automaton = program.thread(thread);
    let instructions = automaton.instructions().iter().enumerate();
    instructions
        .filter(|(_, instruction)| {
            matches!(instruction.op, Op::Load { .. } | Op::Store { .. })
                && !automaton.location(instruction.from).is_locked()
        })
        .map(|(index, _)| index.into())
}

/// The attacks that fences do not rule out, and exchanges instead of stores.
pub(crate) fn unfenced(
    program: &Program,
    values: &Values,
    model: Model,
    attacks: &[Attack],
) -> Vec<Attack> {
    let mut left = Vec::new();
    for of_store in attacks.chunk_by(|a, b| a.store_site() == b.store_site()) {
        let store = of_store[0].store_site();
        let flow = Flow::forward(program.thread(store.thread));
        let reached = Reached::from(program, values, model, &flow, store);
        let is_plain = |site: Site| {
            matches!(
                program.instruction(site).op,
                Op::Load { .. } | Op::Store { .. }
            )
        };
        let contained = of_store.iter().filter(|attack| {
            is_plain(attack.store_site())
                && is_plain(attack.last_site())
                && reached.contains(program, **attack)
        });
        left.extend(contained.copied());
    }
    left
}

/// The locations that a thread may reach while a store stays in its buffer.
struct Reached {
    /// By location.
    undrained: Vec<bool>,
    /// By location: reachable along a path on which no lightweight fence certainly orders the store
    /// before later stores, so that later stores can overtake it.
    unfenced: Vec<bool>,
}

impl Reached {
    /// Requires the flow forward in the store's thread.
    fn from(
        program: &Program,
        values: &Values,
        model: Model,
        flow: &Flow<'_, Thread>,
        store: Site,
    ) -> Self {
        let cells = values.addresses(program, store).cells;
        let relaxed = model.relaxes_store_store();
        let start = program.instruction(store).to.index();
        Self {
            undrained: flow.reached([start], |i| !i.op.drains()),
            unfenced: flow.reached([start], |i| {
                !i.op.drains() && relaxed && !i.op.orders_stores_to(&cells)
            }),
        }
    }

    fn contains(&self, program: &Program, attack: Attack) -> bool {
        let last = program.instruction(attack.last_site());
        let reached = if last.op.is_store() {
            &self.unfenced
        } else {
            &self.undrained
        };
        reached[last.from.index()]
    }
}
