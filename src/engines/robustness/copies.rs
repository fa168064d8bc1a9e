//! Robustness of a program with threads in any number of copies (`[*]`) [BDM13, section 6].
//!
//! The program is robust if all its instances are. In every witness one copy delays; so the attacker is
//! one copy *apart from the others*, and all others are helpers. This is exact, and needs neither the
//! flag nor the test-and-set of \[BDM13\]: the copy that is set apart runs the original code first, as
//! any other, and the instrumented program has any number of helpers.
//!
//! ```text
//! w[*]  ─▶  w.0 and w[*]  ─▶  attacker w.0', any number of helpers w'  ─▶  views: attacks not shown
//!       └▶  instances with 1, 2, … copies  ─▶  attacks of one copy, with witnesses
//! ```
//!
//! The static arguments that look at one thread, (fenced) and (same cell), are used as usual. The one
//! about cycles would have to regard several copies of a thread, and is left to the views; instances
//! use all arguments.
//!
//! **Differs from** [BDM13, appendix D], which counts tokens in a Petri net.

use super::attack::{Attack, attacks_within};
use super::decide::{Method, RobustOptions, ask, form, has_attacks};
use super::instrument::instrument;
use super::report::{AttackAnswer, RobustReport};
use crate::engines::{BUFFERED, Engine, Stats};
use crate::facts::Values;
use crate::instances::{AnyNumber, Instances, Known, Search, embedded, union_of_sizes};
use crate::program::{Goal, InstanceSize, Program, ThreadId};
use crate::reference::{ReplayError, Run, replay};
use crate::techniques::Pruning;
use crate::verdict::{Budget, Decided, Defect, Reason, Verdict};
use crate::views::Prover;
use crate::work::BRIEF;

/// The attacks of one thread that are open, in the program with this thread set apart.
struct Attacker {
    attacks: Vec<Attack>,
    /// That program, instrumented.
    derived: Program,
    /// In the order of the attacks.
    goals: Vec<Goal>,
}

/// Decides whether all instances are robust.
///
/// # Errors
///
/// As [`robust`](super::robust).
pub(super) fn decide(
    program: &Program,
    options: &RobustOptions,
    budget: &Budget,
) -> Result<RobustReport, Defect> {
    if let Some(why) = unsupported(program, options) {
        let mut report = RobustReport::refused(options, &Reason::Unsupported(why.to_owned()));
        report.any_number = Some(AnyNumber::default());
        return Ok(report);
    }
    let mut pruned = Vec::new();
    let mut attackers = Vec::new();
    for thread in program.thread_ids() {
        let class = program.class_of(thread);
        // A copy that a property names attacks like any other.
        let is_other = class.is_some_and(|class| class != thread);
        if is_other || options.attacker.is_some_and(|only| only != thread) {
            continue;
        }
        let (apart, own) = match class {
            Some(class) => program.with_copy(class),
            None => (program.clone(), thread),
        };
        let values = Values::of(&apart);
        let pruning = Pruning {
            cycles: false,
            ..options.techniques.pruning
        };
        let Some(all) = attacks_within(&apart, &values, options.model, pruning, budget) else {
            return Ok(RobustReport::refused(options, &Reason::Stopped));
        };
        let is_own = |attack: &Attack| attack.thread == own;
        let known = |attack: Attack| Attack { thread, ..attack };
        let ruled_out = all.pruned.into_iter().filter(is_own);
        pruned.extend(ruled_out.map(known));
        let open: Vec<Attack> = all.open.into_iter().filter(is_own).collect();
        if !open.is_empty() {
            let form = form(program, options);
            let derived = instrument(&apart, &values, options.model, form, &open);
            attackers.push(Attacker {
                attacks: open.into_iter().map(known).collect(),
                goals: derived.attacks.iter().map(|&(_, goal)| goal).collect(),
                derived: derived.program,
            });
        }
    }
    let asked = Attacks { program, options };
    let groups = attackers.iter().map(|attacker| {
        let prover = Prover::new(&attacker.derived, &attacker.goals);
        (attacker.attacks.clone(), Some(prover))
    });
    let mut search = Search::new(&asked, groups.collect(), options.until, budget);
    let obstacle = search.run()?;
    let mut report = RobustReport::empty(options, pruned);
    asked.finish(&mut report, &search, obstacle.as_deref())?;
    Ok(report)
}

/// Why the options or the program are not supported.
fn unsupported(program: &Program, options: &RobustOptions) -> Option<&'static str> {
    if program.has_words() {
        return Some(
            "robustness of threads in any number of copies (`[*]`) is not decided with accesses of \
             several cells (`atomic word`): declare a number of copies, as in `[3]`",
        );
    }
    if !program.has_barrier() && !has_attacks(program, options.model) {
        return Some(
            "robustness of threads in any number of copies (`[*]`) is not decided with an atomic block \
             that may wait after two reads, for which attacks by one thread are not enough: declare a \
             number of copies, as in `[3]`",
        );
    }
    if program.has_barrier() {
        return Some(
            "robustness of threads in any number of copies (`[*]`) is not decided with `barrier all`, \
             for which attacks by one thread are not known to be enough: declare a number of copies, \
             as in `[3]`",
        );
    }
    if options.shard.is_some() {
        return Some(
            "attacks of threads in any number of copies (`[*]`) are not split into shards",
        );
    }
    if options.engine != Engine::Auto || options.method == Method::Direct {
        return Some(
            "threads in any number of copies (`[*]`) are decided with `--engine auto` on instrumented \
             programs only: declare a number of copies, as in `[3]`",
        );
    }
    None
}

/// Attacks, each of them by the thread with `[*]` for its class.
struct Attacks<'a> {
    program: &'a Program,
    options: &'a RobustOptions,
}

impl Instances for Attacks<'_> {
    type Query = Attack;

    fn program(&self) -> &Program {
        self.program
    }

    /// No other copy has to be there.
    fn needed(&self, _: Attack) -> Vec<ThreadId> {
        self.program.classes()
    }

    fn is_about_all(&self, _: Attack) -> bool {
        false
    }

    fn is_observation(&self, _: Attack) -> bool {
        false
    }

    /// All of them are of one thread.
    fn verdicts(
        &self,
        size: &InstanceSize,
        attacks: &[Attack],
        budget: &Budget,
    ) -> Result<(Vec<Verdict<Run>>, Stats), Defect> {
        let instance = self.program.instance(size);
        let options = RobustOptions {
            attacker: attacks.first().map(|attack| attack.thread),
            ..self.options.clone()
        };
        let report = ask(&instance, &options, &budget.with_work(BRIEF.0))?;
        let stats = report.stats;
        let verdict = |attack: &Attack| {
            let own = report.answers.iter().find(|one| one.attack == *attack);
            // What the report does not list is ruled out in the instance.
            own.map_or(Verdict::Holds, |one| one.verdict.clone())
        };
        Ok((attacks.iter().map(verdict).collect(), stats))
    }
}

impl Attacks<'_> {
    /// The answers, with runs of one instance, which has all copies that they need.
    fn finish(
        &self,
        report: &mut RobustReport,
        search: &Search<'_, '_, Self>,
        obstacle: Option<&str>,
    ) -> Result<(), Defect> {
        let program = self.program;
        let mut any = search.any.clone();
        let sizes: Vec<&InstanceSize> = search
            .questions()
            .filter_map(|question| match &question.known {
                Known::Reached(_, size) => Some(size),
                Known::Open | Known::Holds => None,
            })
            .collect();
        let most = (!sizes.is_empty()).then(|| union_of_sizes(program, &sizes));
        if let Some(size) = &most {
            any.set_instance(program, size);
        }
        let mut searched: Option<usize> = None;
        for question in search.questions() {
            let verdict = match &question.known {
                Known::Holds => Verdict::Holds,
                Known::Open => {
                    let own = search.searched_for(question);
                    searched = Some(searched.map_or(own, |least| least.min(own)));
                    Verdict::Unknown(search.why_open(question, Decided::ByAttack, obstacle))
                }
                Known::Reached(run, size) => match &any.instance {
                    Some(instance) if Some(size) != most.as_ref() => {
                        Verdict::Violated(in_instance(program, size, instance, run)?)
                    }
                    Some(_) | None => Verdict::Violated(run.clone()),
                },
            };
            report.answers.push(AttackAnswer {
                attack: question.query,
                verdict,
            });
        }
        any.searched = searched.unwrap_or(0);
        report.answers.sort_by_key(|answer| answer.attack);
        report.pruned.sort_unstable();
        if report.answers.is_empty() {
            report.form = None;
        } else {
            report.form = Some(form(program, self.options));
            report.engine = most.and(BUFFERED.row(Engine::Explicit).map(|row| row.engine));
        }
        report.stats = search.stats;
        report.any_number = Some(any);
        Ok(())
    }
}

/// A computation of an instance with fewer copies, in this one, where further copies do nothing.
fn in_instance(
    program: &Program,
    size: &InstanceSize,
    instance: &Program,
    run: &Run,
) -> Result<Run, Defect> {
    let smaller = program.instance(size);
    let steps = embedded(program, (&smaller, size), instance, run);
    let replayed = replay(instance, run.model, &steps);
    let mut replayed = replayed
        .map_err(|ReplayError { at, message }| Defect::witness(format!("step {at}: {message}")))?;
    replayed.shortest = run.shortest;
    Ok(replayed)
}
