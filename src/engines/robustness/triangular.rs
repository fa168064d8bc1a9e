//! Triangular race freedom: a stronger notion than robustness that is easier to state.
//!
//! A *triangular race* is a point of an SC execution where one thread is about to load a cell, has
//! executed a store of its own with nothing since that drains the buffer, and another thread is
//! about to store to the cell [Owens10, section 4]. Without a triangular race, every TSO execution
//! is an SC execution. The converse is false: a race may be harmless. For example, a lock may be
//! released by a plain store that is followed by a load of a cell that others may write. So the
//! notion requires unnecessary fences [BDM13, section 8.3]. It is implemented here for comparison.
//!
//! ```text
//! race(r, w)  r and w belong to different threads, both may come next, both access one cell, and
//!             a store of r's thread is pending
//! ```
//!
//! Under PSO and PGAS a thread's next store may overtake the pending one just as a load does. It
//! races with any access of another thread to its cell.
//!
//! **Differs from** \[Owens10\]: a store that is part of a locked instruction or an atomic block
//! races too. For a block, it is enough that the block may store to the cell.

use super::decide::RobustOptions;
use crate::engines::{BUFFERED, CheckOptions, Stats, Until};
use crate::facts::Values;
use crate::model::Model;
use crate::program::{
    Addr, BinaryOp, Expr, Goal, LocId, Observable, Op, Origin, Program, ProgramBuilder,
    PropertyKind, RegId, Site, ThreadId,
};
use crate::reference::{Run, Step, replay};
use crate::search::shorten_while;
use crate::verdict::{Budget, Defect, Reason, Verdict};

/// A triangular race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    /// The access that races while a store is pending.
    pub access: Site,
    /// The next instruction of the other thread: a store to the cell or, if `access` is a store,
    /// any access to it. The beginning of an atomic block represents the accesses in the block.
    pub other: Site,
    /// An SC execution up to the point where both may come next, if there is one, or why that is
    /// unknown.
    pub verdict: Verdict<Run>,
}

/// The report on all pairs that may race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RaceReport {
    /// The memory model.
    pub model: Model,
    /// The pairs, ascending.
    pub races: Vec<Race>,
    /// Why no search was made; `None` if one was.
    pub refused: Option<Reason>,
    /// The cost.
    pub stats: Stats,
}

impl RaceReport {
    /// Holds if there is no triangular race. The evidence is the first race.
    pub fn verdict(&self) -> Verdict<&Race> {
        if let Some(reason) = &self.refused {
            return Verdict::Unknown(reason.clone());
        }
        let races = self.races.iter();
        Verdict::all(races.map(|race| race.verdict.as_ref().map(|_| race)))
    }

    /// A report that decides nothing, for this reason.
    pub fn undecided(model: Model, reason: Reason) -> Self {
        Self {
            model,
            races: Vec::new(),
            refused: Some(reason),
            stats: Stats::default(),
        }
    }
}

/// Looks for triangular races.
///
/// # Errors
///
/// If the reference rejects an execution found.
pub fn triangular(
    program: &Program,
    options: &RobustOptions,
    budget: &Budget,
) -> Result<RaceReport, Defect> {
    if program.is_parametric() {
        let why = "triangular races of threads with any number of copies (`[*]`) are not decided: \
                   declare a number of copies, as in `[3]`";
        let reason = Reason::Unsupported(why.to_owned());
        return Ok(RaceReport::undecided(options.model, reason));
    }
    if program.has_words() {
        let why = "triangular races of accesses of several cells (`atomic word`) are not defined";
        let reason = Reason::Unsupported(why.to_owned());
        return Ok(RaceReport::undecided(options.model, reason));
    }
    let values = Values::of(program);
    let watched = Watched::new(program, &values, options.model);
    let query = CheckOptions {
        engine: options.engine,
        unroll: options.unroll,
        solver: options.solver,
        techniques: options.techniques,
        until: Until::AllAnswered,
        ..CheckOptions::new(Model::Sc)
    };
    let goals: Vec<Goal> = (0..watched.pairs.len()).map(Goal::Property).collect();
    let answered = BUFFERED.decide(&watched.program, &goals, &query, budget)?;
    let mut races = Vec::new();
    for (&(access, other), answer) in watched.pairs.iter().zip(answered.answers) {
        let verdict = answer
            .verdict
            .try_map(|run| watched.execution(program, &run))
            .map_err(Defect::witness)?;
        races.push(Race {
            access,
            other,
            verdict,
        });
    }
    Ok(RaceReport {
        model: options.model,
        races,
        refused: None,
        stats: answered.stats,
    })
}

/// The program with a register in each thread that records whether a store is pending.
struct Watched {
    program: Program,
    /// The pairs that may race, with one property each.
    pairs: Vec<(Site, Site)>,
    /// By thread: the number of original instructions. They keep their ids.
    own: Vec<usize>,
}

impl Watched {
    fn new(program: &Program, values: &Values, model: Model) -> Self {
        let mut builder = ProgramBuilder::like(program);
        let mut pending = Vec::new();
        for thread in program.thread_ids() {
            pending.push(watch(&mut builder, program, thread));
        }
        let mut pairs = Vec::new();
        for (access, instruction) in program.sites() {
            let loads = matches!(instruction.op, Op::Load { .. });
            let races = loads && model.relaxes_store_load()
                || instruction.op.is_store() && model.relaxes_store_store();
            let automaton = program.thread(access.thread);
            if !races || automaton.location(instruction.from).atomic {
                continue;
            }
            for (other, theirs) in program.sites() {
                if other.thread == access.thread {
                    continue;
                }
                if let Some(predicate) = race(program, values, access, other) {
                    let waits = Observable::Register(access.thread, pending[access.thread.index()]);
                    let here = Observable::At(access.thread, instruction.from);
                    let there = Observable::At(other.thread, theirs.from);
                    let all = [here, there, waits]
                        .into_iter()
                        .map(Expr::Var)
                        .fold(predicate, |a, b| Expr::binary(BinaryOp::And, a, b));
                    builder.property(PropertyKind::Forbid, all, instruction.origin);
                    pairs.push((access, other));
                }
            }
        }
        let own = program.threads().iter();
        Self {
            pairs,
            own: own.map(|thread| thread.instructions().len()).collect(),
            program: builder.build().expect("added registers preserve validity"),
        }
    }

    /// The execution of the original program.
    fn execution(&self, program: &Program, run: &Run) -> Result<Run, String> {
        let steps: Vec<Step> = run
            .moments
            .iter()
            .map(|moment| moment.step)
            .filter(|step| match *step {
                Step::Execute { thread, instr, .. } => instr.index() < self.own[thread.index()],
                Step::Advance { .. } | Step::Flush { .. } | Step::Retire { .. } => true,
            })
            .collect();
        let end = run.end.locations.clone();
        let steps = shorten_while(program, Model::Sc, steps, |run| run.end.locations == end);
        replay(program, Model::Sc, &steps).map_err(|e| format!("step {}: {}", e.at, e.message))
    }
}

/// Writes a thread. Returns the register that records whether a store is pending.
fn watch(builder: &mut ProgramBuilder, program: &Program, id: ThreadId) -> RegId {
    let thread = program.thread(id);
    let pending = builder.register(id, "$pending", 0);
    let mut marks: Vec<(LocId, i32, LocId, Origin)> = Vec::new();
    for instruction in thread.instructions() {
        let (from, op, to, origin) = (
            instruction.from,
            instruction.op.clone(),
            instruction.to,
            instruction.origin,
        );
        // Inside a block everything takes effect immediately, and the block's start has drained the
        // buffer.
        let inside = thread.location(from).atomic;
        let mark = if inside {
            None
        } else if op.is_store() {
            Some(1)
        } else {
            op.drains().then_some(0)
        };
        let Some(value) = mark else {
            builder.instruction(id, from, op, to, origin);
            continue;
        };
        let after = builder.location(id, origin);
        builder.instruction(id, from, op, after, origin);
        marks.push((after, value, to, origin));
    }
    for (from, value, to, origin) in marks {
        let assign = Op::Assign {
            into: pending,
            value: Expr::Const(value),
        };
        builder.instruction(id, from, assign, to, origin);
    }
    pending
}

/// The condition under which an access and another thread's instruction touch one cell, one of them
/// storing, given that both come next.
fn race(program: &Program, values: &Values, access: Site, other: Site) -> Option<Expr<Observable>> {
    let stores = program.instruction(access).op.is_store();
    let cells = values.addresses(program, access).cells;
    let address = |site: Site| {
        let addr = program.instruction(site).op.address()?;
        Some(addr.map(&mut |reg| Expr::Var(Observable::Register(site.thread, reg))))
    };
    match &program.instruction(other).op {
        Op::Load { .. } if !stores => None,
        Op::Load { .. } | Op::Store { .. } | Op::Rmw { .. } => {
            let touched = values.addresses(program, other).cells;
            let outside = !program
                .thread(other.thread)
                .location(program.instruction(other).from)
                .atomic;
            let meet = touched.iter().any(|cell| cells.contains(cell));
            (outside && meet)
                .then(|| {
                    Some(Expr::binary(
                        BinaryOp::Eq,
                        address(access)?,
                        address(other)?,
                    ))
                })
                .flatten()
        }
        Op::AtomicBegin | Op::WordBegin(_) => {
            let touched = touched_in_block(program, values, other, stores);
            let common = touched.iter().filter(|cell| cells.contains(cell));
            let here = address(access)?;
            let each: Vec<Expr<Observable>> = common
                .map(|cell| Expr::binary(BinaryOp::Eq, here.clone(), Expr::Const(cell.0)))
                .collect();
            (!each.is_empty()).then(|| Expr::any_of(&each))
        }
        Op::Skip
        | Op::Assign { .. }
        | Op::Havoc { .. }
        | Op::Assume(_)
        | Op::Assert(_)
        | Op::Fence(_)
        | Op::AtomicEnd => None,
    }
}

/// The cells that an atomic block may store to, and with `loads` those that it may load.
fn touched_in_block(program: &Program, values: &Values, begin: Site, loads: bool) -> Vec<Addr> {
    let thread = begin.thread;
    let automaton = program.thread(thread);
    let mut cells = Vec::new();
    for instr in automaton.block(program.instruction(begin).to) {
        let writes = automaton.instruction(instr).op.writes();
        if writes.is_some_and(|writes| writes || loads) {
            cells.extend(values.addresses(program, Site { thread, instr }).cells);
        }
    }
    cells.sort_unstable();
    cells.dedup();
    cells
}
