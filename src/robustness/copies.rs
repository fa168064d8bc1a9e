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

use super::attack::{Attack, Attacks, Pruning, attacks_within};
use super::decide::{Method, RobustOptions, ask, form, has_attacks};
use super::instrument::instrument;
use super::report::{AttackAnswer, RobustReport};
use crate::analysis::Values;
use crate::engines::{
    AnyNumber, BUFFERED, Engine, Excluded, MOST_COPIES, Until, any_number_undecided, ladder,
};
use crate::explicit::{ReplayError, Run, Step, replay};
use crate::program::{Goal, Program, ThreadId};
use crate::verdict::{Budget, Decided, Defect, Reason, Verdict};
use crate::views::Prover;

/// The states for each attacker of one instance, and the views of one size, in the first and the second
/// attempt.
const EFFORTS: [(usize, usize); 2] = [(20_000, 30_000), (300_000, 600_000)];

/// The attacks of one thread, and what is known about each.
struct Attacker {
    thread: ThreadId,
    attacks: Vec<(Attack, Known)>,
    /// The program with this attacker set apart, instrumented, and its goals.
    derived: Option<(Program, Vec<Goal>)>,
    /// The sizes of views that were finished.
    finished: Vec<usize>,
    /// Instances with up to this many copies were searched completely.
    searched: usize,
}

/// What is known about an attack.
enum Known {
    Open,
    Infeasible,
    /// With this number of copies.
    Feasible(Run, usize),
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
        let Some(attacker) = attacker(program, thread, options, budget, &mut pruned) else {
            return Ok(RobustReport::refused(options, &Reason::Stopped));
        };
        attackers.push(attacker);
    }
    let mut query = Query {
        program,
        options,
        budget,
        attackers,
        report: RobustReport::empty(options, pruned),
        any: AnyNumber::default(),
        obstacle: None,
    };
    query.run()?;
    query.finish()
}

/// Why the options or the program are not supported.
fn unsupported(program: &Program, options: &RobustOptions) -> Option<&'static str> {
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

/// The attacks of one thread; `None` if the stop flag is raised.
fn attacker(
    program: &Program,
    thread: ThreadId,
    options: &RobustOptions,
    budget: &Budget,
    pruned: &mut Vec<Attack>,
) -> Option<Attacker> {
    let (apart, own) = match program.class_of(thread) {
        Some(class) => program.with_copy(class),
        None => (program.clone(), thread),
    };
    let values = Values::of(&apart);
    let pruning = Pruning {
        cycles: false,
        ..options.pruning
    };
    let found = attacks_within(&apart, &values, options.model, pruning, budget)?;
    let of_thread = |attacks: Vec<Attack>| {
        let own: Vec<Attack> = attacks.into_iter().filter(|a| a.thread == own).collect();
        own
    };
    let Attacks { open, pruned: out } = found;
    let (open, out) = (of_thread(open), of_thread(out));
    let known = |attack: Attack| Attack { thread, ..attack };
    pruned.extend(out.into_iter().map(known));
    let derived = (!open.is_empty()).then(|| {
        let form = form(program, options);
        let derived = instrument(&apart, &values, options.model, form, &open);
        let goals = derived.attacks.iter().map(|&(_, goal)| goal).collect();
        (derived.program, goals)
    });
    let attacks = open.into_iter().map(|attack| (known(attack), Known::Open));
    Some(Attacker {
        thread,
        attacks: attacks.collect(),
        derived,
        finished: Vec::new(),
        searched: program.least_copies() - 1,
    })
}

impl Attacker {
    fn open(&self) -> Vec<usize> {
        let open = |&at: &usize| matches!(self.attacks[at].1, Known::Open);
        (0..self.attacks.len()).filter(open).collect()
    }
}

struct Query<'a> {
    program: &'a Program,
    options: &'a RobustOptions,
    budget: &'a Budget,
    attackers: Vec<Attacker>,
    report: RobustReport,
    any: AnyNumber,
    obstacle: Option<String>,
}

impl Query<'_> {
    /// Whether one feasible attack is enough and was found.
    fn is_enough(&self) -> bool {
        let mut attacks = self.attackers.iter().flat_map(|one| &one.attacks);
        let feasible = attacks.any(|(_, known)| matches!(known, Known::Feasible(..)));
        feasible && self.options.until == Until::Violated
    }

    fn run(&mut self) -> Result<(), Defect> {
        // The programs outlive the provers, which refer to them.
        let derived: Vec<Option<(Program, Vec<Goal>)>> = self
            .attackers
            .iter_mut()
            .map(|attacker| attacker.derived.take())
            .collect();
        let mut provers: Vec<Option<Prover<'_>>> = derived
            .iter()
            .map(|derived| {
                let (program, goals) = derived.as_ref()?;
                Some(Prover::new(program, goals))
            })
            .collect();
        let least = self.program.least_copies();
        for (states, most) in EFFORTS {
            let mut searching = vec![true; self.attackers.len()];
            let mut failures = vec![0; self.attackers.len()];
            for size in 1..=MOST_COPIES {
                for at in 0..self.attackers.len() {
                    if self.is_enough() || self.budget.is_stopped() {
                        return Ok(());
                    }
                    let is_open = |query: &Self| !query.attackers[at].open().is_empty();
                    if is_open(self)
                        && failures[at] < 2
                        && let Some(prover) = &mut provers[at]
                    {
                        let finished = self.views(at, prover, size, most);
                        failures[at] = if finished { 0 } else { failures[at] + 1 };
                    }
                    if is_open(self) && searching[at] && size >= least {
                        searching[at] = self.search(at, size, states)?;
                    }
                }
            }
        }
        self.obstacle = provers.iter().flatten().find_map(Prover::obstacle);
        Ok(())
    }

    /// Rules out attacks by views of this size. Returns whether all views were found.
    fn views(&mut self, at: usize, prover: &mut Prover<'_>, size: usize, most: usize) -> bool {
        let attacker = &mut self.attackers[at];
        if attacker.finished.contains(&size) {
            return true;
        }
        let shown = prover.at(size, most, self.budget);
        if !shown.finished {
            return false;
        }
        attacker.finished.push(size);
        let mut decided = false;
        for ((_, known), shown) in attacker.attacks.iter_mut().zip(shown.goals) {
            if !shown && matches!(known, Known::Open) {
                *known = Known::Infeasible;
                decided = true;
            }
        }
        if decided {
            self.any.note_views(size, shown.views);
        }
        true
    }

    /// Searches the instance with this many copies for attacks of one thread. Returns whether that was
    /// complete.
    fn search(&mut self, at: usize, copies: usize, states: usize) -> Result<bool, Defect> {
        let attacker = &mut self.attackers[at];
        if attacker.searched >= copies {
            return Ok(true);
        }
        let instance = self.program.instance(copies);
        let options = RobustOptions {
            attacker: Some(attacker.thread),
            ..self.options.clone()
        };
        let budget = self.budget.with_states(states.min(self.budget.states));
        let budget = budget.with_work(ladder::BRIEF);
        let report = ask(&instance, &options, &budget)?;
        self.report.stats = self.report.stats.plus(report.stats);
        let mut complete = true;
        for answer in report.answers {
            let own = attacker.attacks.iter_mut();
            for (_, known) in own.filter(|(attack, _)| *attack == answer.attack) {
                match (&answer.verdict, &known) {
                    (Verdict::Violated(run), Known::Open) => {
                        *known = Known::Feasible(run.clone(), copies);
                    }
                    (Verdict::HoldsWithin(_) | Verdict::Unknown(_), Known::Open) => {
                        complete = false;
                    }
                    (_, Known::Open | Known::Infeasible | Known::Feasible(..)) => {}
                }
            }
        }
        if complete && attacker.searched + 1 == copies {
            attacker.searched = copies;
        }
        Ok(complete)
    }

    fn finish(mut self) -> Result<RobustReport, Defect> {
        let is_enough = self.is_enough();
        let all = self.attackers.iter().flat_map(|one| &one.attacks);
        let most = all
            .filter_map(|(_, known)| match known {
                Known::Feasible(_, copies) => Some(*copies),
                Known::Open | Known::Infeasible => None,
            })
            .max();
        if let Some(copies) = most {
            self.any.set_instance(self.program, copies);
        }
        let open = self.attackers.iter().filter(|one| !one.open().is_empty());
        // Before the first instance, none was searched, though smaller ones need not be.
        let least = self.program.least_copies();
        let searched_of = |one: &Attacker| {
            if one.searched < least {
                0
            } else {
                one.searched
            }
        };
        let searched = open.map(searched_of).min().unwrap_or(0);
        self.any.searched = searched;
        let (options, budget) = (self.options, self.budget);
        for attacker in self.attackers {
            // What some copies do, more of them can: so equal numbers are enough.
            let excluded = Excluded {
                from: 1,
                to: searched_of(&attacker),
                same_number: false,
            };
            for (attack, known) in attacker.attacks {
                let verdict = match known {
                    Known::Infeasible => Verdict::Holds,
                    Known::Open if is_enough => {
                        Verdict::Unknown(Reason::Decided(Decided::ByAttack))
                    }
                    Known::Open if budget.is_stopped() => Verdict::Unknown(Reason::Stopped),
                    Known::Open => {
                        Verdict::Unknown(any_number_undecided(excluded, self.obstacle.as_deref()))
                    }
                    Known::Feasible(run, copies) => match &self.any.instance {
                        Some(instance) if Some(copies) != most => {
                            Verdict::Violated(in_instance(instance, &run)?)
                        }
                        Some(_) | None => Verdict::Violated(run),
                    },
                };
                self.report.answers.push(AttackAnswer { attack, verdict });
            }
        }
        self.report.answers.sort_by_key(|answer| answer.attack);
        self.report.pruned.sort_unstable();
        if self.report.answers.is_empty() {
            self.report.form = None;
        } else {
            self.report.form = Some(form(self.program, options));
            self.report.engine = most.and(BUFFERED.row(Engine::Explicit).map(|row| row.engine));
        }
        self.report.any_number = Some(self.any);
        Ok(self.report)
    }
}

/// A computation of an instance with fewer copies, in this one, where further copies do nothing.
fn in_instance(instance: &Program, run: &Run) -> Result<Run, Defect> {
    let steps: Vec<Step> = run.moments.iter().map(|moment| moment.step).collect();
    let replayed = replay(instance, run.model, &steps);
    let replayed = replayed
        .map_err(|ReplayError { at, message }| Defect::witness(format!("step {at}: {message}")))?;
    Ok(Run {
        shortest: run.shortest,
        ..replayed
    })
}
