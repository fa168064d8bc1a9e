//! The oracle: what does a program do under TSO that it does not do under SC? [BCDM15, section 4]
//!
//! Each thread's witness of non-robustness, if there is one, yields a path along which the thread's
//! stores are delayed. Only one witness per thread is computed, even if other stores could be
//! delayed too: that decides robustness as well, and is much cheaper.

use super::sequence::{Sequence, buffered};
use crate::engines::{CheckOptions, Engine, Stats, Until};
use crate::facts::Loops;
use crate::facts::Twins;
use crate::model::Model;
use crate::program::{InstrId, Op, Program, ThreadId};
use crate::reference::{Run, Step, replay};
use crate::robustness::{self, Attack, RobustOptions, RobustReport, check_witness};
use crate::techniques::PassName;
use crate::verdict::{Budget, Defect, Reason, Verdict};
use crate::work::GLANCE;
use std::collections::BTreeMap;

/// The oracle's answer.
pub(super) struct Suggestion {
    /// The delays, shortest first.
    pub(super) sequences: Vec<Sequence>,
    /// Whether the program is robust.
    pub(super) verdict: Verdict<()>,
    /// The number of attacks that were not ruled out statically.
    pub(super) attacks: usize,
    pub(super) engine: Option<Engine>,
    pub(super) stats: Stats,
}

impl Suggestion {
    /// An answer without delays.
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

/// The reports about these threads, each with the number of those that it stands for: of threads that
/// are alike the first is asked, and the others only if its stores can be delayed, since each then has a
/// witness of its own.
fn ask_all(
    threads: &[ThreadId],
    twins: Option<&Twins>,
    budget: &Budget,
    ask: impl Fn(&ThreadId, &Budget) -> Result<RobustReport, Defect> + Sync,
) -> Result<Vec<(usize, RobustReport)>, Defect> {
    let alike = |thread: ThreadId| {
        let of_thread = twins.map_or(&[][..], |twins| twins.of_thread(thread));
        let mut asked = threads.iter().filter(move |t| of_thread.contains(t));
        let first = asked.next().copied().unwrap_or(thread);
        (first, 1 + asked.count())
    };
    let (firsts, mut others): (Vec<ThreadId>, Vec<ThreadId>) = threads
        .iter()
        .partition(|&&thread| alike(thread).0 == thread);
    let mut reports = Vec::new();
    for (&thread, report) in firsts.iter().zip(budget.share(&firsts, &ask)) {
        let report = report?;
        let decides_all = matches!(report.verdict(), Verdict::Holds);
        let stands_for = if decides_all { alike(thread).1 } else { 1 };
        if decides_all {
            others.retain(|&other| alike(other).0 != thread);
        }
        reports.push((stands_for, report));
    }
    for report in budget.share(&others, &ask) {
        reports.push((1, report?));
    }
    Ok(reports)
}

/// Queries the oracle about a program.
///
/// # Errors
///
/// If the reference rejects a witness.
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
            // This requires all computations, and there is no bound on their number.
            let why = "the lazy engine cannot decide robustness of a program with both `barrier all` \
                       and loops";
            return Ok(Suggestion::with(Verdict::Unknown(Reason::Unsupported(
                why.to_owned(),
            ))));
        }
        // Attacks are not defined in this case: all threads may delay at once, and one query is
        // enough.
        threads.truncate(1);
        budget = GLANCE.times(4).of_searches(&budget);
    }
    let ask = |&thread: &ThreadId, budget: &Budget| {
        let options = RobustOptions {
            attacker: Some(thread),
            until: Until::Violated,
            solver: options.solver,
            techniques: options.techniques,
            ..RobustOptions::new(Model::Tso)
        };
        robustness::decide(program, &options, budget)
    };
    let twins = options
        .techniques
        .uses(PassName::Alike)
        .then(|| Twins::of(program));
    let reports = ask_all(&threads, twins.as_ref(), &budget, ask)?;
    let mut suggestion = Suggestion::with(Verdict::Holds);
    for (stands_for, report) in reports {
        suggestion.attacks += stands_for * report.answers.len();
        suggestion.engine = report.engine.or(suggestion.engine);
        suggestion.stats = suggestion.stats.plus(report.stats);
        let earlier = std::mem::replace(&mut suggestion.verdict, Verdict::Holds);
        let verdict = report.verdict().map(|_| ());
        suggestion.verdict = Verdict::all([earlier, verdict]);
        for (attack, run) in report.feasible() {
            let (attack, run) = with_less_delay(program, attack, run.clone());
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

/// A witness that delays less: starting with the first store, stores reach memory immediately as
/// long as the computation remains a witness.
fn with_less_delay(program: &Program, mut attack: Attack, mut run: Run) -> (Attack, Run) {
    while let Some((issued, flushed, _)) = first_delayed(&run, attack.thread) {
        let mut steps = run.steps();
        let flush = steps.remove(flushed);
        steps.insert(issued + 1, flush);
        let Ok(shorter) = replay(program, Model::Tso, &steps) else {
            break;
        };
        let Some((_, _, store)) = first_delayed(&shorter, attack.thread) else {
            break;
        };
        let candidate = Attack { store, ..attack };
        if check_witness(&shorter, candidate).is_err() {
            break;
        }
        (attack, run) = (candidate, shorter);
    }
    (attack, run)
}

/// The first store of the thread that reaches memory after the thread has continued: when it is
/// issued, when it reaches memory, and which store it is.
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

/// The shortest sequence for each initial store, and those that are longer by at most a factor,
/// which doubles each round. An extension up to the first load that overtakes the store is mostly
/// enough, and every additional delay makes the later queries harder. Requires sequences sorted by
/// length.
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
