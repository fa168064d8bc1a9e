//! A thread as part of the program, when all of its instructions are known.

use crate::lower::code::{Code, Instr, Loc};
use crate::lower::hold;
use crate::program::{
    self, CallId, Context, Copies, FencePlace, LocId, Op, Ordering, ProgramBuilder, RegId, Role,
    Site, ThreadId, Update, Written,
};
use std::collections::BTreeMap;

/// Adds the end of a thread that is joined: it stores its result and sets its flag.
pub(super) fn hand_over(
    code: &mut Code,
    ends: &[(Loc, Vec<program::Expr<RegId>>)],
    count: usize,
    done: Option<(i64, i64)>,
) {
    let origin = code.origin;
    if let Some((flag, result)) = done {
        for (at, value) in ends {
            let mut at = *at;
            for part in 0..if result == 0 { 0 } else { count } {
                let value = value.get(part).cloned();
                let value = value.unwrap_or(program::Expr::Const(0));
                let addr = program::Expr::Const((result + part as i64) as i32);
                at = code.step(at, Op::Store { addr, value }, origin);
                if let Some(last) = code.last() {
                    last.role = Role::End;
                }
            }
            let into = code.register("$t");
            let update = Update::Exchange(program::Expr::Const(1));
            let addr = program::Expr::Const(flag as i32);
            code.step(at, Op::Rmw { into, addr, update }, origin);
            if let Some(last) = code.last() {
                last.role = Role::End;
            }
        }
    }
}

/// What the language promises about the instructions of a thread.
#[derive(Default)]
pub(super) struct Promises {
    pub(super) orderings: Vec<Ordering>,
    /// The orders of compare-exchanges that fail.
    pub(super) failures: Vec<(Site, Ordering)>,
    /// What accesses are in the text.
    pub(super) written: Vec<(Site, Written)>,
    pub(super) contexts: Vec<Context>,
    pub(super) placed: Option<Placed>,
    /// Where one of any number of threads may release a lock that another one holds.
    pub(super) unproved: Option<usize>,
}

/// Where the locations of a thread are in the program.
pub(in crate::lower) struct Placed {
    pub(in crate::lower) thread: ThreadId,
    pub(in crate::lower) locations: BTreeMap<Loc, LocId>,
    /// Those that no instruction leaves.
    pub(in crate::lower) ends: Vec<LocId>,
}

/// Adds a thread to the program, without steps that do nothing; the orders of its instructions.
pub(super) fn finish(
    builder: &mut ProgramBuilder,
    code: &mut Code,
    copies: Copies,
    apart: bool,
) -> Promises {
    let origin = code.origin;
    let known = hold::contexts(code);
    hold::drop_checks(code, &known);
    let target = merged(code);
    let thread = builder.thread(code.name.clone(), copies, origin);
    for name in &code.registers {
        builder.register(thread, name.clone(), 0);
    }
    let mut locations: BTreeMap<Loc, LocId> = BTreeMap::new();
    let mut reached = vec![target[0]];
    let mut order = Vec::new();
    let mut seen = vec![false; code.locations.len()];
    seen[target[0]] = true;
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); code.locations.len()];
    for (index, instr) in code.instructions.iter().enumerate() {
        outgoing[instr.from].push(index);
    }
    while let Some(at) = reached.pop() {
        let origin = code.locations[at];
        locations.insert(at, builder.location(thread, origin));
        for &index in &outgoing[at] {
            order.push(index);
            let to = target[code.instructions[index].to];
            if !std::mem::replace(&mut seen[to], true) {
                reached.push(to);
            }
        }
    }
    order.sort_unstable();
    builder.entry(thread, locations[&target[0]]);
    let mut calls: Vec<CallId> = Vec::new();
    for call in &code.calls {
        let caller = call.caller.map(|id| calls[id.index()]);
        calls.push(builder.call(program::Call {
            caller,
            ..call.clone()
        }));
    }
    let mut promises = Promises::default();
    // The cell of a lock does not say which copy holds it.
    let is_open = |instr: &Instr| instr.role == Role::Unlock && matches!(instr.op, Op::Assert(_));
    if copies == Copies::Any {
        promises.unproved = code.instructions.iter().position(is_open);
    }
    for index in order {
        let instr = &code.instructions[index];
        let (from, to) = (locations[&instr.from], locations[&target[instr.to]]);
        let id = builder.instruction(thread, from, instr.op.clone(), to, instr.origin);
        let call = instr.call.map(|id| calls[id.index()]);
        builder.note(thread, id, call, instr.role);
        promises.orderings.push(instr.ordering);
        let site = Site { thread, instr: id };
        let failure = instr.failure.map(|order| (site, order));
        promises.failures.extend(failure);
        let written = instr.written.map(|written| (site, written));
        promises.written.extend(written);
        let context = known[instr.from].clone().unwrap_or_default();
        promises.contexts.push(context);
        if instr.limit {
            builder.limit(thread, id);
        }
        if let Some(fault) = instr.fault {
            builder.fault(thread, id, fault);
        }
        if apart && !instr.position {
            // A fence here could not be written, at most an exchange.
            let place = if instr.strengthened {
                FencePlace::Exchange
            } else {
                FencePlace::Forbidden
            };
            builder.fence_place(thread, id, place);
        }
    }
    let leaves = |at: &Loc| !outgoing[*at].is_empty();
    let ends = locations.iter().filter(|(at, _)| !leaves(at));
    let ends = ends.map(|(_, &loc)| loc).collect();
    // A location that was merged with another one is where that one is.
    let all = (0..code.locations.len()).filter_map(|at| Some((at, *locations.get(&target[at])?)));
    promises.placed = Some(Placed {
        thread,
        ends,
        locations: all.collect(),
    });
    promises
}

/// For each location the one where control is after all steps that do nothing and are the only ones to
/// leave.
fn merged(code: &Code) -> Vec<Loc> {
    let mut only: Vec<Option<Loc>> = vec![None; code.locations.len()];
    let mut count = vec![0; code.locations.len()];
    for instr in &code.instructions {
        count[instr.from] += 1;
        if instr.op == Op::Skip && !instr.position && instr.ordering == Ordering::Relaxed {
            only[instr.from] = Some(instr.to);
        }
    }
    (0..code.locations.len())
        .map(|start| {
            let mut at = start;
            let mut steps = 0;
            while let (Some(next), 1) = (only[at], count[at]) {
                at = next;
                steps += 1;
                // A loop that does nothing stays one.
                if steps > code.locations.len() {
                    return start;
                }
            }
            at
        })
        .collect()
}
