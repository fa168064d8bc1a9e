//! Weakening: the fences and locked instructions that the robustness of a program depends on.
//!
//! Each one is weakened separately, and robustness is decided again. A fence is removed. A locked
//! instruction becomes a load followed by a store, as it would be in the source without the lock
//! prefix. **Absent:** atomic blocks, which have no such weaker form, and sets of instructions of
//! which at least one is necessary, but no particular one.

use super::attack::Attack;
use super::decide::{RobustOptions, robust};
use crate::engines::Until;
use crate::facts::Twins;
use crate::program::{AccessKind, Expr, Fence, InstrId, Op, Program, ProgramBuilder, Site};
use crate::techniques::PassName;
use crate::verdict::{Budget, Defect, Verdict};
use crate::work::MOMENT;
use std::cell::LazyCell;

/// An instruction that robustness depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoadBearing {
    /// The fence or locked instruction.
    pub site: Site,
    /// An attack that is feasible without it. If the instruction takes part in the attack, it does
    /// so as its load or its store.
    pub attack: Attack,
}

/// What the robustness of a program depends on, and may depend on: fences and locked instructions outside
/// atomic blocks.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Dependence {
    /// Those without which the program is not robust, each taken separately, in program order.
    pub needed: Vec<LoadBearing>,
    /// Those for which this was not decided, in program order.
    pub undecided: Vec<Site>,
}

/// How an instruction can be weakened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weakenable {
    /// By removing it: it is a fence of its thread.
    Fence,
    /// By removing the lock, which leaves a load and a store.
    Lock,
}

impl Weakenable {
    /// How this instruction can be weakened, if it can.
    pub fn of(op: &Op) -> Option<Self> {
        if let Some(fence) = op.fence() {
            return match fence {
                Fence::Full | Fence::Store | Fence::Cells(_) => Some(Weakenable::Fence),
                Fence::All => None,
            };
        }
        match op.access()?.1 {
            AccessKind::Rmw { .. } => Some(Weakenable::Lock),
            AccessKind::Load { .. } | AccessKind::Store { .. } => None,
        }
    }
}

/// The fences and locked instructions without which a robust program is not robust. This only comes with
/// the answer, so it is decided within small limits for each of them and for all together. Threads that
/// are alike share what is found.
///
/// Nothing is listed for a program with threads in any number of copies, nor for one of which
/// robustness is decided by its definition, since it has no attacks.
///
/// # Errors
///
/// As [`robust`].
pub fn load_bearing(
    program: &Program,
    options: &RobustOptions,
    budget: &Budget,
) -> Result<Dependence, Defect> {
    let options = RobustOptions {
        until: Until::Violated,
        ..options.clone()
    };
    let mut found = Dependence::default();
    if program.is_parametric() {
        // Each weaker program would be decided for any number of copies, and the copies with names of
        // their own would have to be weakened together.
        return Ok(found);
    }
    let uses_twins = options.techniques.uses(PassName::Alike);
    let twins = LazyCell::new(|| uses_twins.then(|| Twins::of(program)));
    let mut looked_at: Vec<Site> = Vec::new();
    let all = budget.with_work(MOMENT.times(6).0);
    for (site, instruction) in program.sites() {
        let automaton = program.thread(site.thread);
        if automaton.location(instruction.from).atomic {
            continue;
        }
        let Some(weakenable) = Weakenable::of(&instruction.op) else {
            continue;
        };
        let alike = twins.as_ref().map_or(&[][..], |t| t.of_thread(site.thread));
        let is_alike = |other: &&Site| other.instr == site.instr && alike.contains(&other.thread);
        if let Some(&twin) = looked_at.iter().find(is_alike) {
            found.needed.extend(exchanged(&found.needed, twin, site));
            if found.undecided.contains(&twin) {
                found.undecided.push(site);
            }
            continue;
        }
        looked_at.push(site);
        let weaker = match weakenable {
            Weakenable::Fence => without_fence(program, site),
            Weakenable::Lock => without_lock(program, site),
        };
        let report = robust(&weaker, &options, &MOMENT.of_all(&all))?;
        if let Some((attack, _)) = report.feasible().next() {
            // The added instructions stand for the weakened one.
            let own = |instr: InstrId| {
                if instr.index() < automaton.instructions().len() || attack.thread != site.thread {
                    instr
                } else {
                    site.instr
                }
            };
            let attack = Attack {
                store: own(attack.store),
                last: own(attack.last),
                ..attack
            };
            found.needed.push(LoadBearing { site, attack });
        } else if report.by_definition().is_none() && report.verdict() != Verdict::Holds {
            found.undecided.push(site);
        }
    }
    Ok(found)
}

/// Concludes about `site` what is known about `twin`, the same instruction of an identical thread: renaming
/// the two threads turns the program without the one instruction into the program without the other, and
/// the attacks with it.
fn exchanged(known: &[LoadBearing], twin: Site, site: Site) -> Option<LoadBearing> {
    let LoadBearing { attack, .. } = *known.iter().find(|bearing| bearing.site == twin)?;
    let thread = if attack.thread == twin.thread {
        site.thread
    } else if attack.thread == site.thread {
        twin.thread
    } else {
        attack.thread
    };
    Some(LoadBearing {
        site,
        attack: Attack { thread, ..attack },
    })
}

fn without_fence(program: &Program, fence: Site) -> Program {
    program.map_ops(|site, op| if site == fence { Op::Skip } else { op.clone() })
}

/// The program with a locked instruction split in two: the load in its place, then the store and
/// the assignment to the register, numbered after all other instructions of the thread.
fn without_lock(program: &Program, lock: Site) -> Program {
    let mut builder = ProgramBuilder::like(program);
    for id in program.thread_ids() {
        let thread = program.thread(id);
        let mut halves = None;
        for (index, instruction) in thread.instructions().iter().enumerate() {
            let (from, to, origin) = (instruction.from, instruction.to, instruction.origin);
            let weakened = id == lock.thread && index == lock.instr.index();
            let Op::Rmw { into, addr, update } = &instruction.op else {
                builder.instruction(id, from, instruction.op.clone(), to, origin);
                continue;
            };
            if !weakened {
                builder.instruction(id, from, instruction.op.clone(), to, origin);
                continue;
            }
            let old = builder.register(id, "$old", 0);
            let middle = builder.location(id, origin);
            let last = builder.location(id, origin);
            let load = Op::Load {
                into: old,
                addr: addr.clone(),
            };
            builder.instruction(id, from, load, middle, origin);
            let store = Op::Store {
                addr: addr.clone(),
                value: update.stored(Expr::Var(old), Expr::clone),
            };
            let assign = Op::Assign {
                into: *into,
                value: Expr::Var(old),
            };
            halves = Some([
                ((middle, store, last), origin),
                ((last, assign, to), origin),
            ]);
        }
        for ((from, op, to), origin) in halves.into_iter().flatten() {
            builder.instruction(id, from, op, to, origin);
        }
    }
    builder
        .build()
        .expect("a locked instruction can be split into a load and a store")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::parse;

    /// How each instruction of the thread can be weakened, in order.
    fn weakenable(body: &str) -> Vec<Option<Weakenable>> {
        let text = format!("shared x; thread t {{ local r; {body} }}");
        let program = parse(&text).program.expect("no errors in the text");
        let sites = program.sites();
        sites
            .map(|(_, instruction)| Weakenable::of(&instruction.op))
            .collect()
    }

    #[test]
    fn only_fences_of_one_thread_and_locks_can_be_weakened() {
        let (fence, lock) = (Some(Weakenable::Fence), Some(Weakenable::Lock));
        assert_eq!(weakenable("x = 1; r = x; r = r + 1;"), [None, None, None]);
        assert_eq!(
            weakenable("fence; fence store; barrier all;"),
            [fence, fence, None]
        );
        assert_eq!(weakenable("r = xchg(x, 1);"), [lock]);
        assert_eq!(weakenable("atomic { x = 1; }"), [None, None, None]);
    }
}
