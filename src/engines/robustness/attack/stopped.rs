//! The argument (no cycle) where the attacker stops.
//!
//! The attacker does nothing after its last action, and no other thread sees its delayed stores. So
//! whatever it does only later has no influence on the others: a node that it would publish later is not
//! known to them, and they do not access it. The argument (no cycle) is repeated with the values and
//! conflicts of the program in which the attacker's code ends with the last action, and in which a
//! compare-and-swap fails that must fail to get there. In lock-free data structures this rules out the
//! stores that initialise a node.
//!
//! **Invariant.** As in `conflicts`: the program that is looked at has every computation of an attack's
//! witness, up to the last action by the attacker and to the end by the others.

use super::Attack;
use super::conflicts::Conflicts;
use crate::facts::{Flow, Values};
use crate::program::{
    BinaryOp, Expr, InstrId, LocId, Op, Program, RegId, Site, Thread, ThreadId, Update,
};
use crate::verdict::Budget;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How many instructions are looked at in all, if there are many last actions. The values of a program
/// cost some microseconds per instruction.
const MOST: usize = 50_000;

/// What an instruction counts for where work is limited.
const WORK: u64 = 50;

/// Those of these attacks that remain possible if the attacker's code ends with the last action. What
/// comes late in a long list is not looked at, and remains.
pub(super) fn possible(
    program: &Program,
    values: &Values,
    attacks: &[Attack],
    budget: &Budget,
) -> Vec<Attack> {
    let mut possible: Vec<Attack> = by_last(program, values, attacks, budget)
        .flatten()
        .collect();
    possible.sort_unstable();
    possible
}

/// Whether some of these attacks remains possible.
pub(super) fn is_any_possible(
    program: &Program,
    values: &Values,
    attacks: &[Attack],
    budget: &Budget,
) -> bool {
    by_last(program, values, attacks, budget).any(|left| !left.is_empty())
}

/// The attacks that remain possible, a list per last action.
fn by_last(
    program: &Program,
    values: &Values,
    attacks: &[Attack],
    budget: &Budget,
) -> impl Iterator<Item = Vec<Attack>> {
    let mut by_last: BTreeMap<Site, Vec<Attack>> = BTreeMap::new();
    for &attack in attacks {
        by_last.entry(attack.last_site()).or_default().push(attack);
    }
    let size = program.sites().count();
    let mut left = MOST;
    by_last.into_iter().map(move |(last, mut attacks)| {
        if left < size || budget.is_stopped() {
            return attacks;
        }
        left -= size;
        budget.spend(WORK * size as u64);
        let stopped = stopped_at(program, last);
        if writes_less(program, &stopped, values) {
            let values = Values::of(&stopped);
            let mut conflicts = Conflicts::new(&stopped, &values);
            attacks.retain(|attack| conflicts.close(*attack));
        }
        attacks
    })
}

/// The programs that are looked at, by last action: for each model they are the same, with their values.
#[derive(Default)]
struct Stopped(Mutex<BTreeMap<Site, Arc<Program>>>);

/// The program in which the code of the action's thread ends with it.
fn stopped_at(program: &Program, last: Site) -> Arc<Program> {
    let known = program.computed(|_| Stopped::default());
    let mut programs = known.0.lock().unwrap_or_else(PoisonError::into_inner);
    let make = || Arc::new(without(program, last.thread, &after(program, last)));
    Arc::clone(programs.entry(last).or_insert_with(make))
}

/// Whether some instruction that may be executed writes memory in the program, and not when it stops.
fn writes_less(program: &Program, stopped: &Program, values: &Values) -> bool {
    let writes = |program: &Program, site| program.instruction(site).op.writes() == Some(true);
    let mut sites = program.sites();
    sites.any(|(site, instruction)| {
        let is_gone = writes(program, site) && !writes(stopped, site);
        is_gone && values.reachable(site.thread, instruction.from)
    })
}

/// The instructions of the thread that it executes only after the last execution of this one.
fn after(program: &Program, last: Site) -> Vec<InstrId> {
    let thread = program.thread(last.thread);
    let start = program.instruction(last).from.index();
    let before = Flow::backward(thread).reached([start], |_| true);
    let instructions = thread.instructions().iter().enumerate();
    instructions
        .filter(|(index, instruction)| {
            !before[instruction.to.index()] && *index != last.instr.index()
        })
        .map(|(index, _)| index.into())
        .collect()
}

/// The program without these instructions of a thread, but for the borders of atomic blocks. A
/// compare-and-swap after whose success only these come does not succeed: it is a load.
fn without(program: &Program, thread: ThreadId, gone: &[InstrId]) -> Program {
    let is_gone = |instr: &InstrId| gone.binary_search(instr).is_ok();
    let automaton = program.thread(thread);
    let fails = |instr: InstrId, is_success: &Expr<RegId>| {
        let after = past_skips(automaton, automaton.instruction(instr).to);
        after.iter().all(|next| {
            let condition = automaton.instruction(*next).op.condition();
            is_gone(next) || condition.is_some_and(|condition| condition.is_opposite(is_success))
        })
    };
    program.map_ops(|site, op| {
        let is_border = op.begins_block() || *op == Op::AtomicEnd;
        // A word access ends once it was entered, also that of the last action.
        let is_part = |instr| automaton.location(automaton.instruction(instr).from).word;
        if site.thread != thread || is_border || is_part(site.instr) {
            return op.clone();
        }
        if is_gone(&site.instr) {
            return Op::Assume(Expr::Const(0));
        }
        if let Op::Rmw { into, addr, update } = op
            && let Update::CompareExchange { expected, .. } = update
            && !expected.vars().contains(into)
            && fails(site.instr, &equals(*into, expected))
        {
            let (into, addr) = (*into, addr.clone());
            return Op::Load { into, addr };
        }
        op.clone()
    })
}

/// The first instructions from a location on that are not just steps to another one.
fn past_skips(automaton: &Thread, from: LocId) -> Vec<InstrId> {
    let mut seen = vec![false; automaton.locations().len()];
    seen[from.index()] = true;
    let mut work = vec![from];
    let mut found = Vec::new();
    while let Some(loc) = work.pop() {
        for &instr in automaton.outgoing(loc) {
            let instruction = automaton.instruction(instr);
            if !matches!(instruction.op, Op::Skip) {
                found.push(instr);
            } else if !std::mem::replace(&mut seen[instruction.to.index()], true) {
                work.push(instruction.to);
            }
        }
    }
    found
}

fn equals(register: RegId, value: &Expr<RegId>) -> Expr<RegId> {
    Expr::binary(BinaryOp::Eq, Expr::Var(register), value.clone())
}
