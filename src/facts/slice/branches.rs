//! Slicing for SC: branches without effect are omitted, too.
//!
//! ```text
//!   L ─ assume i == 0 ─▶ · ─ full = 1 ─▶ M        L ─ skip ─▶ · ─ skip ─▶ M
//!   L ─ assume i != 0 ─────────────────▶ M   ⇒    L ─ assume 0 ─────────▶ M
//! ```
//!
//! A *region* starts at a branch. All paths from there meet again at one location, none of them is
//! endless or may have to wait, and what they do is irrelevant. So whichever is taken, the rest of the
//! execution is the same: the slice takes the first one, and the conditions no longer matter. What only
//! they depend on is omitted in turn. Conditions are simplified first: what is the same in all
//! executions depends on nothing.
//!
//! **Theorem.** Under SC, one of the given goals is reachable in the slice if and only if it is in the
//! original. When a thread of either enters a region, the other's goes through its own at once: in the
//! original as the conditions decide, in the slice by the first path. No other thread notices: the steps
//! in regions write irrelevant registers and cells only. None of them can be prevented, because under SC
//! they wait for nothing. No goal observes whether a thread that has left the start of a region is inside
//! or at its end.
//!
//! **Differs from** slicing for weak models, where stores that are left out make a buffer shorter.

use super::{Sliced, Slicer, Values};
use crate::program::{Expr, Goal, LocId, Observable, Op, Program, RegId, Site, Thread, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// Regions with more locations are not looked for.
const MOST_LOCATIONS: usize = 32;

/// All paths from a branch to where they meet again.
struct Region {
    /// Without the end.
    locations: Vec<LocId>,
    end: LocId,
}

/// The part of a program that can influence the goals under SC. Requires the values of this program.
pub(super) fn slice_under_sc(program: &Program, values: &Values, goals: &[Goal]) -> Sliced {
    let program = simplified(program, values);
    let observed = observed(&program, goals);
    let found = candidates(&program, &observed);
    let mut search = Slicer::new(&program, values, goals);
    search.keep_goals(goals);
    let regions = loop {
        search.close();
        let regions = regions(&search, &found);
        let guards = program.sites().filter(|(site, instruction)| {
            let inside = &regions[site.thread.index()];
            matches!(instruction.op, Op::Assume(_))
                && !search.is_kept(*site)
                && !inside.contains_key(&instruction.from)
        });
        let guards: Vec<Site> = guards.map(|(site, _)| site).collect();
        if guards.is_empty() {
            break regions;
        }
        for guard in guards {
            search.keep(guard);
        }
    };
    let sliced = search.data_only().map_ops(|site, op| {
        let thread = program.thread(site.thread);
        let from = thread.instruction(site.instr).from;
        if !regions[site.thread.index()].contains_key(&from) {
            op.clone()
        } else if thread.outgoing(from).first() == Some(&site.instr) {
            Op::Skip
        } else {
            Op::Assume(Expr::Const(0))
        }
    });
    Sliced {
        program: sliced,
        ends: regions,
        cells: search.cells,
    }
}

/// The locations that a goal observes.
fn observed(program: &Program, goals: &[Goal]) -> BTreeSet<(ThreadId, LocId)> {
    let mut observed = BTreeSet::new();
    for goal in goals {
        if let Goal::Property(number) = *goal {
            let predicate = &program.properties()[number].predicate;
            predicate.for_each_var(&mut |var| {
                if let Observable::At(thread, loc) = var {
                    observed.insert((thread, loc));
                }
            });
        }
    }
    observed
}

/// By thread: the regions of which no goal observes more than the start, the smallest first.
fn candidates(program: &Program, observed: &BTreeSet<(ThreadId, LocId)>) -> Vec<Vec<Region>> {
    let of_thread = |id: ThreadId| {
        let thread = program.thread(id);
        let is_hidden = |region: &Region| {
            let inside = region.locations.iter().skip(1).chain([&region.end]);
            inside.copied().all(|loc| !observed.contains(&(id, loc)))
        };
        let branches = (0..thread.locations().len()).map(LocId::from);
        let branches = branches.filter(|&loc| thread.outgoing(loc).len() > 1);
        let regions = branches.filter_map(|start| region(thread, start));
        let mut regions: Vec<Region> = regions.filter(is_hidden).collect();
        regions.sort_by_key(|region| region.locations.len());
        regions
    };
    program.thread_ids().map(of_thread).collect()
}

/// By thread: each location of a region that can be omitted, with the end of the largest such region.
fn regions(search: &Slicer<'_>, candidates: &[Vec<Region>]) -> Vec<BTreeMap<LocId, LocId>> {
    let of_thread = |id: ThreadId| {
        let thread = search.program.thread(id);
        let is_irrelevant = |&&loc: &&LocId| {
            let mut out = thread.outgoing(loc).iter();
            out.all(|&instr| can_be_omitted(search, Site { thread: id, instr }))
        };
        let omitted = candidates[id.index()]
            .iter()
            .filter(|region| region.locations.iter().all(|loc| is_irrelevant(&loc)));
        let places = omitted.flat_map(|region| {
            let locations = region.locations.iter();
            locations.map(|&loc| (loc, region.end))
        });
        places.collect()
    };
    search.program.thread_ids().map(of_thread).collect()
}

/// Whether an instruction never waits under SC, and has no relevant effect.
fn can_be_omitted(search: &Slicer<'_>, site: Site) -> bool {
    match search.program.instruction(site).op {
        Op::Skip | Op::Assume(_) => true,
        Op::Assign { .. }
        | Op::Havoc { .. }
        | Op::Assert(_)
        | Op::Load { .. }
        | Op::Store { .. }
        | Op::Rmw { .. } => !search.is_kept(site),
        Op::Fence(_) | Op::AtomicBegin | Op::WordBegin(_) | Op::AtomicEnd => false,
    }
}

/// All paths from a location to where they meet again; `None` if they do not, or if one of them may be
/// endless or may not go on.
fn region(thread: &Thread, start: LocId) -> Option<Region> {
    let order = order(thread, start);
    // The locations on some path that are to be passed next, the first one in the order first.
    let mut next = BTreeSet::from([(0, start)]);
    let mut locations = Vec::new();
    while let Some((_, loc)) = next.pop_first() {
        if !locations.is_empty() && next.is_empty() {
            return Some(Region {
                locations,
                end: loc,
            });
        }
        if locations.len() == MOST_LOCATIONS || !goes_on(thread, loc) {
            return None;
        }
        locations.push(loc);
        for &instr in thread.outgoing(loc) {
            let to = thread.instruction(instr).to;
            if locations.contains(&to) {
                return None;
            }
            next.insert((*order.get(&to)?, to));
        }
    }
    None
}

/// Numbers for the locations near this one: each before its successors, except in loops.
fn order(thread: &Thread, start: LocId) -> BTreeMap<LocId, usize> {
    let successor = |loc: LocId, index: usize| {
        let instr = thread.outgoing(loc).get(index);
        instr.map(|&instr| thread.instruction(instr).to)
    };
    let mut near = vec![start];
    let mut at = 0;
    while at < near.len() && near.len() < 2 * MOST_LOCATIONS {
        for index in 0..thread.outgoing(near[at]).len() {
            let found = successor(near[at], index);
            near.extend(found.filter(|to| !near.contains(to)));
        }
        at += 1;
    }
    let mut seen = BTreeSet::from([start]);
    let mut path = vec![(start, 0)];
    let mut left = Vec::new();
    while let Some((loc, index)) = path.last_mut() {
        let to = successor(*loc, *index);
        *index += 1;
        match to {
            Some(to) if near.contains(&to) && seen.insert(to) => path.push((to, 0)),
            Some(_) => {}
            None => {
                left.push(*loc);
                path.pop();
            }
        }
    }
    let numbered = left.into_iter().rev().enumerate();
    numbered.map(|(number, loc)| (loc, number)).collect()
}

/// Whether some instruction can be executed at a location, whatever the registers are.
fn goes_on(thread: &Thread, loc: LocId) -> bool {
    let outgoing = thread.outgoing(loc).iter();
    let conditions: Vec<Option<&Expr<RegId>>> = outgoing
        .map(|&instr| thread.instruction(instr).op.condition())
        .collect();
    let mut pairs = conditions
        .iter()
        .enumerate()
        .flat_map(|(at, a)| conditions[at..].iter().map(move |b| (*a, *b)));
    pairs.any(|pair| match pair {
        (None, _) | (_, None) => true,
        (Some(a), Some(b)) => is_true(a) || is_true(b) || a.is_opposite(b),
    })
}

fn is_true(e: &Expr<RegId>) -> bool {
    matches!(e, Expr::Const(value) if *value != 0)
}

/// The program with everything replaced in conditions that is the same in all executions.
fn simplified(program: &Program, values: &Values) -> Program {
    program.map_ops(|site, op| {
        let from = program.instruction(site).from;
        let simpler = |e: &Expr<RegId>| simpler(values, (site.thread, from), e);
        match op {
            Op::Assume(condition) => Op::Assume(simpler(condition)),
            Op::Assert(condition) => Op::Assert(simpler(condition)),
            Op::Skip
            | Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Rmw { .. }
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd => op.clone(),
        }
    })
}

fn simpler(values: &Values, at: (ThreadId, LocId), e: &Expr<RegId>) -> Expr<RegId> {
    if let Some(value) = values.eval_at(at.0, at.1, e).as_constant() {
        return Expr::Const(value);
    }
    match e {
        Expr::Const(_) | Expr::Var(_) => e.clone(),
        Expr::Unary(op, a) => Expr::unary(*op, simpler(values, at, a)),
        Expr::Binary(op, a, b) => Expr::binary(*op, simpler(values, at, a), simpler(values, at, b)),
        Expr::Conditional(parts) => {
            let [c, a, b] = &**parts;
            let [c, a, b] = [c, a, b].map(|part| simpler(values, at, part));
            Expr::conditional(c, a, b)
        }
    }
}
