//! The oracle: what does a program do under TSO that it does not do under SC? [BCDM15, section 4]
//!
//! Each thread's witness of non-robustness, if it has one, tells a path along which its stores are
//! delayed. One witness a thread is asked for, whatever else could be delayed: that decides
//! robustness as well, and is much cheaper.

use super::sequence::{Sequence, buffered};
use crate::analysis::Loops;
use crate::engines::ladder::TRACES_EACH;
use crate::engines::{CheckOptions, Engine, Stats, Until};
use crate::explicit::{Run, Step, replay};
use crate::model::Model;
use crate::program::{InstrId, Op, Program, ThreadId};
use crate::robustness::{self, Attack, RobustOptions, RobustReport, check_witness};
use crate::verdict::{Budget, Defect, Reason, Verdict};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// What the oracle says.
pub(super) struct Suggestion {
    /// The delays, the shortest first.
    pub(super) sequences: Vec<Sequence>,
    /// Whether the program is robust.
    pub(super) verdict: Verdict<()>,
    /// How many attacks the text did not refute.
    pub(super) attacks: usize,
    pub(super) engine: Option<Engine>,
    pub(super) stats: Stats,
}

impl Suggestion {
    /// No delays.
    fn with(verdict: Verdict<()>) -> Self {
        Self {
            sequences: Vec::new(),
            verdict,
            attacks: 0,
            engine: None,
            stats: Stats::default(),
        }
    }
}

/// Asks the oracle about a program.
///
/// # Errors
///
/// If a witness is refused.
pub(super) fn suggest(
    program: &Program,
    options: &CheckOptions,
    budget: &Budget,
) -> Result<Suggestion, Defect> {
    let mut budget = budget.clone();
    let stores = |thread: &ThreadId| {
        let instructions = program.thread(*thread).instructions();
        instructions
            .iter()
            .any(|i| matches!(i.op, Op::Store { .. }))
    };
    let mut threads: Vec<ThreadId> = program.thread_ids().filter(stores).collect();
    if program.has_barrier() {
        if Loops::in_program(program) {
            // All computations have to be looked at, and there is no end of them.
            let why = "what else may be delayed is not known for a program with `barrier all` and \
                       loops";
            return Ok(Suggestion::with(Verdict::Unknown(Reason::Unsupported(
                why.to_owned(),
            ))));
        }
        // Attacks mean nothing then: all threads may delay at once, and one question is enough.
        threads.truncate(1);
        budget = budget.with_states(budget.states.min(TRACES_EACH));
    }
    let ask = |thread: ThreadId| {
        let options = RobustOptions {
            attacker: Some(thread),
            until: Until::Violated,
            solver: options.solver,
            reduction: options.reduction,
            ..RobustOptions::new(Model::Tso)
        };
        robustness::decide(program, &options, &budget)
    };
    let reports: Vec<Result<RobustReport, Defect>> = threads.into_par_iter().map(ask).collect();
    let mut suggestion = Suggestion::with(Verdict::Holds);
    for report in reports {
        let report = report?;
        suggestion.attacks += report.answers.len();
        suggestion.engine = report.engine.or(suggestion.engine);
        suggestion.stats = suggestion.stats.plus(report.stats);
        let so_far = std::mem::replace(&mut suggestion.verdict, Verdict::Holds);
        let verdict = report.verdict().map(|_| ());
        suggestion.verdict = Verdict::all([so_far, verdict]);
        for (attack, run) in report.feasible() {
            let (attack, run) = sooner(program, attack, run.clone());
            let sequence = Sequence::delayed(program, &run, attack.thread);
            suggestion.sequences.extend(sequence);
        }
        if let Some(Verdict::Violated(run)) = report.by_definition() {
            let delayed = program.thread_ids();
            let delayed = delayed.filter_map(|thread| Sequence::delayed(program, run, thread));
            suggestion.sequences.extend(delayed);
        }
    }
    let length = |sequence: &Sequence| sequence.instrs().len();
    suggestion.sequences.sort();
    suggestion.sequences.sort_by_key(length);
    suggestion.sequences.dedup();
    Ok(suggestion)
}

/// A witness that delays less: stores reach memory at once, from the first one on, as long as what
/// is left is a witness.
fn sooner(program: &Program, mut attack: Attack, mut run: Run) -> (Attack, Run) {
    while let Some((issued, flushed, _)) = first_delayed(&run, attack.thread) {
        let mut steps: Vec<Step> = run.moments.iter().map(|moment| moment.step).collect();
        let flush = steps.remove(flushed);
        steps.insert(issued + 1, flush);
        let Ok(shorter) = replay(program, Model::Tso, &steps) else {
            break;
        };
        let Some((_, _, store)) = first_delayed(&shorter, attack.thread) else {
            break;
        };
        let nearer = Attack { store, ..attack };
        if check_witness(&shorter, nearer).is_err() {
            break;
        }
        (attack, run) = (nearer, shorter);
    }
    (attack, run)
}

/// The first store of the thread that reaches memory after the thread has gone on: when it is
/// issued, when it reaches memory, and which one it is.
fn first_delayed(run: &Run, thread: ThreadId) -> Option<(usize, usize, InstrId)> {
    let goes_on = |from: usize, to: usize| {
        run.moments[from + 1..to].iter().any(|moment| {
            moment.site.thread == thread && matches!(moment.step, Step::Execute { .. })
        })
    };
    let mut delayed = buffered(run, thread).filter(|&(issued, flushed)| goes_on(issued, flushed));
    let (issued, flushed) = delayed.next()?;
    Some((issued, flushed, run.moments[issued].site.instr))
}

/// Of the sequences that begin with the same store the shortest, and those that go so far beyond
/// it as the rounds before allow: twice as far each time. A store that matters is mostly seen to
/// with the first load that overtakes it, and whatever else is delayed makes every later question
/// harder. Requires that the shortest come first.
pub(super) fn nearest(sequences: Vec<Sequence>, round: usize) -> Vec<Sequence> {
    let mut shortest: BTreeMap<(ThreadId, InstrId), usize> = BTreeMap::new();
    sequences
        .into_iter()
        .filter(|sequence| {
            let length = sequence.instrs().len();
            let root = (sequence.thread(), sequence.instrs()[0]);
            let shortest = *shortest.entry(root).or_insert(length);
            length <= shortest << round.min(16)
        })
        .collect()
}
