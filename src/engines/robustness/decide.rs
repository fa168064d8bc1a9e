//! Deciding robustness: options, report, and procedure.
//!
//! ```text
//! RobustOptions ──▶ unsupported?  one delayed store under TSO, …
//!                   any number?   `copies`
//!                   barrier all?  the definition: all computations, any thread delaying
//!                   else          the attacks: ruled out statically, or open
//!                                 open ──▶ passes ──▶ one query per thread ──▶ passes ──▶ engine
//! ```
//!
//! The queries for the threads ([`AttackQuery`]) are independent and run in parallel. The report
//! combines their answers in the order of the attacks, so the result does not depend on which query
//! finishes first. The results of all shards (`shard`) add up to the whole.
//!
//! **Invariant.** Every feasible attack has a computation that is a witness of it. A program is
//! reported robust for all executions only if the answer depends on no bound.

mod rounds;

use super::attack::{Attack, Attacks, attacks_within};
use super::copies;
use super::instrument::{Derived, Form, instrument};
use super::limits::limited;
use super::query::{AttackQuery, Begun};
use super::report::{Basis, RobustReport};
use crate::engines::{BUFFERED, CheckOptions, Engine, Until};
use crate::facts::{Values, skeleton};
use crate::model::Model;
use crate::passes::{Pass, through};
use crate::problem::{Found, Memory, Problem};
use crate::program::{Fence, Op, Overlap, Program, ThreadId};
use crate::race::ROUNDS;
use crate::reference::{ReplayError, Run, replay};
use crate::search::{cyclic, shorten_while};
use crate::solve::SolverKind;
use crate::techniques::Techniques;
use crate::verdict::{Budget, Decided, Defect, Reason, Verdict};
use crate::work::BRIEF;
use rounds::{in_rounds, take, until_feasible};
use std::sync::Mutex;
use strum::VariantArray;

/// What makes the problem of all attacks easier.
const EASIER: [Pass<Attack>; 1] = [Pass::ALIKE];

/// The method that looks for attacks.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Debug,
    Default,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Method {
    /// Chosen to suit the model and the program.
    #[default]
    Auto,
    /// Instrumentation with any number of delayed stores.
    Locality,
    /// Instrumentation with one delayed store.
    Singularity,
    /// Cycles on the event graph, without instrumentation. Bounded where there are loops.
    Direct,
}

impl Method {
    /// All methods, as listed on the command line.
    pub const ALL: &[Method] = Method::VARIANTS;

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Options of the robustness check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RobustOptions {
    /// The memory model.
    pub model: Model,
    /// The method that looks for attacks.
    pub method: Method,
    /// The engine.
    pub engine: Engine,
    /// What makes it easier.
    #[doc(hidden)]
    pub techniques: Techniques,
    /// The maximum unroll bound of the bounded engine; `None` for the engine's default.
    pub unroll: Option<u32>,
    /// The solver of the bounded engine.
    pub solver: SolverKind,
    /// Whether one feasible attack is enough. Then the others are left undecided.
    pub until: Until,
    /// Whether the attacks that are hard to decide are decided, too, if another one is feasible. With
    /// [`Engine::Auto`] only: the other engines have no quick part.
    pub every: bool,
    /// Decide only the attacks of this thread.
    #[doc(hidden)]
    pub attacker: Option<ThreadId>,
    /// `(index, of)`: decide only every `of`-th open attack, starting at `index`, counted from 0.
    #[doc(hidden)]
    pub shard: Option<(usize, usize)>,
}

impl RobustOptions {
    /// The defaults under this model.
    pub fn new(model: Model) -> Self {
        Self {
            model,
            method: Method::default(),
            engine: Engine::default(),
            techniques: Techniques::default(),
            unroll: None,
            solver: SolverKind::default(),
            until: Until::AllAnswered,
            every: false,
            attacker: None,
            shard: None,
        }
    }
}

/// Decides whether the program is robust against the model of the options.
///
/// # Errors
///
/// If the reference rejects a witness, or it fails one of (W1) to (W5).
pub fn robust(
    program: &Program,
    options: &RobustOptions,
    budget: &Budget,
) -> Result<RobustReport, Defect> {
    let mut report = decide(program, options, budget)?;
    if options.until == Until::AllAnswered && !report.is_refused() && !program.is_parametric() {
        // A robust program executes under the model what it executes under SC, which is easier to
        // search.
        let is_robust = report.verdict() == Verdict::Holds && report.shard.is_none();
        let model = if is_robust { Model::Sc } else { options.model };
        let plain = CheckOptions {
            engine: options.engine,
            solver: options.solver,
            techniques: options.techniques,
            ..CheckOptions::new(model)
        };
        // The skeleton does everything that the program does, also beyond its limits. So what is
        // dead in the skeleton is dead beyond the limits too.
        let skeleton = skeleton(program);
        let whole = if program.limits().is_empty() {
            Some(program)
        } else {
            skeleton.as_ref()
        };
        report.vacuity = whole.and_then(|whole| BUFFERED.vacuity(whole, &plain, budget));
    }
    Ok(report)
}

/// Decides robustness without reporting what is never executed.
///
/// # Errors
///
/// As [`robust`].
pub(crate) fn decide(
    program: &Program,
    options: &RobustOptions,
    budget: &Budget,
) -> Result<RobustReport, Defect> {
    if program.limits().is_empty() {
        ask(program, options, budget)
    } else {
        limited(program, options, budget)
    }
}

/// Decides robustness of the program itself, without regard to what it was made from.
///
/// # Errors
///
/// As [`robust`].
pub(super) fn ask(
    program: &Program,
    options: &RobustOptions,
    budget: &Budget,
) -> Result<RobustReport, Defect> {
    if let Some(reason) = unsupported(program, options) {
        return Ok(RobustReport::undecided(program, options, &reason));
    }
    if program.is_parametric() {
        return copies::decide(program, options, budget);
    }
    if !has_attacks(program, options.model) {
        if program.has_waiting_loads() {
            // Each computation is one of the program whose loads do not wait.
            let combining = program.with_overlap(Overlap::Combine);
            let report = ask(&combining, options, budget)?;
            if report.verdict() == Verdict::Holds {
                return Ok(report);
            }
        }
        return by_definition(program, options, budget);
    }
    let values = Values::of(program);
    let listed = attacks_within(
        program,
        &values,
        options.model,
        options.techniques.pruning,
        budget,
    );
    let Some(Attacks {
        mut open,
        mut pruned,
    }) = listed
    else {
        return Ok(RobustReport::undecided(program, options, &Reason::Stopped));
    };
    if let Some(attacker) = options.attacker {
        open.retain(|attack| attack.thread == attacker);
        pruned.retain(|attack| attack.thread == attacker);
    }
    let mut report = RobustReport::empty(options, pruned);
    // Attacks ruled out statically are counted in the first shard, so that the shards add up.
    if options.shard.is_some_and(|(index, _)| index > 0) {
        report.pruned.clear();
    }
    let open: Vec<Attack> = match options.shard {
        Some((index, of)) => open.into_iter().skip(index).step_by(of).collect(),
        None => open,
    };
    let found = find(&Problem {
        program,
        queries: &open,
        options,
        budget,
        memory: &Memory::default(),
    })?;
    report.form = found.shown.form;
    if found.shown.on_graph && report.form == Some(Form::Singularity) {
        report.form = None;
    }
    report.engine = found.engine;
    report.unroll = found.unroll;
    report.stats = found.stats;
    report.answers = found.witnessed(program, options.model)?;
    Ok(report)
}

/// What is found out about these attacks, ascending, of a program for which attacks are defined, whatever is beyond
/// its limits. Nothing has replayed it.
///
/// # Errors
///
/// If an engine or a pass has a defect.
pub(crate) fn find(problem: &Problem<'_, Attack>) -> Result<Found<Attack>, Defect> {
    let Problem {
        program,
        queries,
        options,
        budget,
        ..
    } = *problem;
    let form = form(program, options);
    let counts = budget.progress().attacks(queries.len());
    through(&EASIER, problem, &|problem| {
        if counts {
            let skipped = queries.len() - problem.queries.len();
            budget.progress().decided(skipped);
        }
        let query = AttackQuery {
            program: problem.program,
            options,
            form,
            counts,
        };
        by_thread(problem, query)
    })
}

/// The answers about the attacks, thread by thread. Where engines have stopped is kept if they are of
/// one thread only.
fn by_thread(
    problem: &Problem<'_, Attack>,
    query: AttackQuery<'_>,
) -> Result<Found<Attack>, Defect> {
    let Problem {
        queries,
        options,
        budget,
        ..
    } = *problem;
    let by_thread: Vec<&[Attack]> = queries.chunk_by(|a, b| a.thread == b.thread).collect();
    let is_one = by_thread.len() == 1;
    let earlier = Mutex::new(is_one.then(|| problem.memory.take_all()));
    let search = |attacks: &[Attack], begun: Option<Begun>, rounds: u32, budget: &Budget| {
        let begun = begun.unwrap_or_else(|| {
            Begun::new(attacks, query.start(), take(&earlier).unwrap_or_default())
        });
        query.decide(begun, rounds, budget)
    };
    let all = match options.until {
        Until::AllAnswered => in_rounds(&by_thread, options, budget, search)?,
        Until::Violated => until_feasible(&by_thread, |attacks, is_decided| {
            if is_decided {
                let mut begun = Begun::new(attacks, query.start(), Memory::default());
                begun.found.leave(Decided::ByAttack);
                Ok(begun)
            } else {
                search(attacks, None, ROUNDS, budget)
            }
        })?,
    };
    let mut sum = Found::open(&[], &Reason::Stopped);
    for begun in all {
        if is_one {
            problem.memory.keep_all(begun.memory);
        }
        sum.add(&begun.found);
        sum.answers.extend(begun.found.answers);
    }
    Ok(sum)
}

/// The form that the method requires, or that suits the model and the program.
pub(super) fn form(program: &Program, options: &RobustOptions) -> Form {
    match options.method {
        Method::Singularity => Form::Singularity,
        Method::Auto if is_singular(program, options.model) => Form::Singularity,
        Method::Auto | Method::Locality | Method::Direct => Form::Locality,
    }
}

/// Whether one delayed store is enough for the model and the program [DMS17, Theorem 2]. The access that
/// closes the cycle may then read another value than before, which the theorem does not mind, but an
/// atomic block may need that value to end.
pub fn is_singular(program: &Program, model: Model) -> bool {
    let light = |op: &Op| matches!(op, Op::Fence(Fence::Store | Fence::Cells(_)));
    model.relaxes_store_store()
        && !program.sites().any(|(_, i)| light(&i.op))
        && !program.has_words()
        && !program.may_stay_in_block(1)
}

/// Whether the program is robust if no single thread that delays stores can close a cycle. That is not
/// proved for programs with `barrier all`, or with loads that wait for stores which overlap them. It is wrong for atomic blocks that can only end because two
/// threads delayed stores: such a block sees stores overtake each other in both, so this takes a model
/// where they do, and a block that waits after two reads.
pub fn has_attacks(program: &Program, model: Model) -> bool {
    let stays = model.relaxes_store_store() && program.may_stay_in_block(2);
    !program.has_barrier() && !stays && !program.has_waiting_loads()
}

/// Whether a program that is robust under the model has no goal that it does not have under SC. An
/// atomic block that never ends is part of no execution, but its assertions and accesses count.
pub(crate) fn keeps_goals(program: &Program, model: Model) -> bool {
    !model.relaxes_store_store() || !program.may_stay_in_block(1) || !program.has_goal_in_block()
}

/// Checks the definition of robustness for programs without attacks ([`has_attacks`]). All computations
/// are enumerated, with every thread allowed to delay.
fn by_definition(
    program: &Program,
    options: &RobustOptions,
    budget: &Budget,
) -> Result<RobustReport, Defect> {
    // There are no attacks to split: each shard decides the whole, so that any of them may be joined.
    let mut report = RobustReport::empty(options, Vec::new());
    // Configurations with traces are many.
    let states = BRIEF.times(2).of_searches(budget);
    let (verdict, states) = cyclic(program, options.model, &states);
    let defect = |ReplayError { at, message }| Defect::witness(format!("step {at}: {message}"));
    let verdict = verdict.try_map(|steps| {
        let bad = |run: &Run| run.happens_before().is_cyclic();
        let steps = shorten_while(program, options.model, steps, bad);
        replay(program, options.model, &steps).map_err(defect)
    })?;
    report.basis = Basis::Definition(verdict);
    report.engine = Some(Engine::Explicit);
    report.stats.states = Some(states as u64);
    Ok(report)
}

/// Whether an engine decides without bounds, which the direct search does not support.
fn is_unbounded(engine: Engine) -> bool {
    BUFFERED.row(engine).is_some() && !BUFFERED.unrolls(engine)
}

/// Why the program or the options are not supported; `None` if they are.
fn unsupported(program: &Program, options: &RobustOptions) -> Option<Reason> {
    let engine = options.engine;
    let unknown = format!(
        "the {} engine decides reachability only: use it with `check`",
        engine.name()
    );
    let why = if options.method == Method::Singularity && !is_singular(program, options.model) {
        "one delayed store is not enough under TSO or with lightweight fences: use `--method \
         locality`"
    } else if options.method == Method::Direct && is_unbounded(engine) {
        "the direct search is bounded: use `--method locality` with the explicit engine"
    } else if options.method == Method::Direct && program.has_words() {
        "the direct search does not support accesses of several cells (`atomic word`): use `--method locality`"
    } else if !BUFFERED.supports(engine) {
        &unknown
    } else {
        return None;
    };
    Some(Reason::Unsupported(why.to_owned()))
}

/// The program that looks for these attacks of one thread, in the form that the method requires.
///
/// # Errors
///
/// If the program or the options are not supported.
pub fn derived_program(
    program: &Program,
    options: &RobustOptions,
    attacks: &[Attack],
) -> Result<Derived, Reason> {
    if let Some(reason) = unsupported(program, options) {
        return Err(reason);
    }
    if program.is_parametric() {
        let why = "threads with any number of copies (`[*]`) have no single program of their attacks: \
                   declare a number of copies, as in `[3]`";
        return Err(Reason::Unsupported(why.to_owned()));
    }
    if program.has_barrier() {
        let why = "a program with `barrier all` cannot be instrumented: a helper's barrier waits \
                   for the attacker's buffer";
        return Err(Reason::Unsupported(why.to_owned()));
    }
    if !has_attacks(program, options.model) {
        let why = "a program with an atomic block that may wait after two reads cannot be \
                   instrumented: several threads may have to delay stores for the block to end";
        return Err(Reason::Unsupported(why.to_owned()));
    }
    let values = Values::of(program);
    let form = form(program, options);
    Ok(instrument(program, &values, options.model, form, attacks))
}
