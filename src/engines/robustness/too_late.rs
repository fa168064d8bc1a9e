//! Attacks that come too late: when the attacker gets to its store, no other thread has an access left that
//! the way back to the store could begin with.
//!
//! In a witness, everything before the delayed store is a computation under SC, and the first step of
//! another thread after the last action conflicts with that action [BDM13, section 4]. So under SC a
//! configuration is reachable in which the attacker is at the store, and another thread at a location from
//! which some path leads to such an access. Whether it is depends on the control of the program only, which
//! has far fewer states than the derived program. The last thread to arrive at a barrier opens it, and finds
//! that all others have done before what it reads.
//!
//! **Theorem.** An attack that comes too late is infeasible.
//!
//! **Incomplete:** an attack that does not come too late may be infeasible nevertheless.
//!
//! It pays where the explicit engine decides the attacks of several threads.

use super::attack::Attack;
use crate::engines::{BUFFERED, CheckOptions, Engine, Stats, Until};
use crate::facts::{Flow, Values};
use crate::model::Model;
use crate::passes::{Below, Pass, PassName, When};
use crate::problem::{Found, Problem};
use crate::program::{
    Addr, BinaryOp, Expr, Goal, Instruction, LocId, Observable, Origin, Program, Property,
    PropertyKind, Site, ThreadId, UnaryOp,
};
use crate::verdict::{Budget, Defect, Reason, Verdict};
use crate::work::GLANCE;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The row in the table of passes.
pub(super) const TOO_LATE: Pass<Attack> = Pass {
    name: PassName::TooLate,
    decide,
};

/// With fewer threads, the search itself is short; with more, the goals about all of them get too large.
const SEVERAL: RangeInclusive<usize> = 6..=256;

/// Attacks of one thread are not looked at if their number times that of the threads is larger.
const MOST: usize = 2048;

/// A thread is taken to have a conflicting access left if that depends on more locations than this.
const MOST_PLACES: usize = 64;

fn decide(
    problem: &Problem<'_, Attack>,
    when: When,
    below: Below<'_, Attack>,
) -> Result<Option<Found<Attack>>, Defect> {
    let Problem {
        program,
        queries,
        budget,
        ..
    } = *problem;
    if when == When::Pays && !SEVERAL.contains(&program.threads().len()) {
        return Ok(None);
    }
    // The same ones each time, so that the search for the others goes on where it has stopped.
    let budget = GLANCE.of_searches(budget);
    let (late, stats) = too_late(program, &Values::of(program), queries, &budget)?;
    let is_late = |attack: &Attack| late.binary_search(attack).is_ok();
    let mut found = Found::open(queries, &Reason::Stopped);
    for answer in &mut found.answers {
        if is_late(&answer.query) {
            answer.verdict = Verdict::Holds;
        }
    }
    found.engine = Some(Engine::Explicit);
    found.stats = stats;
    let others = queries.iter().copied();
    let others: Vec<Attack> = others.filter(|attack| !is_late(attack)).collect();
    if !others.is_empty() {
        found.take(below(&Problem {
            queries: &others,
            ..*problem
        })?);
    }
    Ok(Some(found))
}

/// Those of the attacks that come too late, ascending, as far as a search within the budget shows, and what
/// the search took. Requires the values of this program.
///
/// # Errors
///
/// If the reference rejects the evidence that one does not.
pub fn too_late(
    program: &Program,
    values: &Values,
    attacks: &[Attack],
    budget: &Budget,
) -> Result<(Vec<Attack>, Stats), Defect> {
    if attacks.len() * program.threads().len() > MOST {
        return Ok((Vec::new(), Stats::default()));
    }
    let mut by_goal: BTreeMap<(ThreadId, LocId, Site), Vec<Attack>> = BTreeMap::new();
    for &attack in attacks {
        let from = program.instruction(attack.store_site()).from;
        // No property is about a location inside a word access.
        if program.thread(attack.thread).location(from).atomic {
            continue;
        }
        let key = (attack.thread, from, attack.last_site());
        by_goal.entry(key).or_default().push(attack);
    }
    let mut conditions: BTreeMap<Site, Expr<Observable>> = BTreeMap::new();
    let properties = by_goal.keys().map(|&(attacker, from, last)| {
        let is_there = Expr::Var(Observable::At(attacker, from));
        let condition = conditions.entry(last);
        let may_begin = condition.or_insert_with(|| may_begin(program, values, last));
        Property {
            kind: PropertyKind::Forbid,
            predicate: Expr::binary(BinaryOp::And, is_there, may_begin.clone()),
            origin: Origin::default(),
        }
    });
    let asking = program.with_properties(properties.collect());
    let added = program.properties().len()..asking.properties().len();
    let goals: Vec<Goal> = added.map(Goal::Property).collect();
    let options = CheckOptions {
        engine: Engine::Explicit,
        until: Until::AllAnswered,
        note_unreachable: false,
        ..CheckOptions::new(Model::Sc)
    };
    let answered = BUFFERED.decide(&asking, &goals, &options, budget)?;
    let answers = answered.answers.iter().zip(by_goal.into_values());
    let refuted = answers.filter(|(answer, _)| answer.verdict == Verdict::Holds);
    let mut late: Vec<Attack> = refuted.flat_map(|(_, attacks)| attacks).collect();
    late.sort_unstable();
    Ok((late, answered.stats))
}

/// Whether some thread other than that of the last action is where a path leads to an access that conflicts
/// with it.
fn may_begin(program: &Program, values: &Values, last: Site) -> Expr<Observable> {
    let helpers = program.thread_ids().filter(|&t| t != last.thread);
    let each = helpers.filter_map(|helper| is_before_conflict(program, values, helper, last));
    Expr::any_of(&each.collect::<Vec<_>>())
}

/// Whether a thread is where a path leads to an access that conflicts with the last action; `None` if there
/// is no such access.
fn is_before_conflict(
    program: &Program,
    values: &Values,
    helper: ThreadId,
    last: Site,
) -> Option<Expr<Observable>> {
    let parts = program.thread(last.thread).together(last.instr).into_iter();
    let cells = parts.flat_map(|instr| values.addresses(program, Site { instr, ..last }).cells);
    let cells: Vec<Addr> = cells.collect();
    let writes = program.instruction(last).op.is_store();
    let thread = program.thread(helper);
    let access = |(index, instruction): (usize, &Instruction)| {
        let site = Site {
            thread: helper,
            instr: index.into(),
        };
        let conflicts = instruction.op.writes().is_some_and(|w| w || writes);
        let meets = || {
            let others = values.addresses(program, site).cells;
            others.iter().any(|cell| cells.contains(cell))
        };
        (conflicts && meets()).then_some(instruction.from.index())
    };
    let instructions = thread.instructions().iter().enumerate();
    let accesses: Vec<usize> = instructions.filter_map(access).collect();
    if accesses.is_empty() {
        return None;
    }
    let before = Flow::backward(thread).reached(accesses, |_| true);
    // No other thread is inside an atomic block where the attacker acts.
    let outside = (0..before.len())
        .map(LocId::from)
        .filter(|&loc| !thread.location(loc).atomic);
    let (there, elsewhere): (Vec<LocId>, Vec<LocId>) = outside.partition(|loc| before[loc.index()]);
    if there.len().min(elsewhere.len()) > MOST_PLACES {
        return Some(Expr::Const(1));
    }
    let at_any = |places: Vec<LocId>| {
        let at = |loc| Expr::Var(Observable::At(helper, loc));
        Expr::any_of(&places.into_iter().map(at).collect::<Vec<_>>())
    };
    Some(if there.len() <= elsewhere.len() {
        at_any(there)
    } else {
        Expr::unary(UnaryOp::Not, at_any(elsewhere))
    })
}
