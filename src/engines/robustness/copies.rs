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

use super::attack::{Attack, Attacks, attacks_within};
use super::decide::{Method, RobustOptions, ask, form, has_attacks};
use super::instrument::instrument;
use super::report::{AttackAnswer, RobustReport};
use crate::engines::{
    AnyNumber, BUFFERED, Engine, Excluded, MOST_COPIES, Until, any_number_undecided, embedded,
    union_of_sizes,
};
use crate::facts::Values;
use crate::program::{Goal, InstanceSize, Program, ThreadId, counts_with_sum};
use crate::reference::{ReplayError, Run, replay};
use crate::techniques::Pruning;
use crate::verdict::{Budget, Decided, Defect, Reason, Verdict};
use crate::views::Prover;
use crate::work::BRIEF;

/// The states for each attacker of one instance, and the views of one size, in the first and the second
/// attempt.
const EFFORTS: [(usize, usize); 2] = [(20_000, 30_000), (300_000, 600_000)];

/// All instances of one attempt may have this many times the states of one.
const INSTANCES: usize = 8;

/// The attacks of one thread, and what is known about each.
struct Attacker {
    thread: ThreadId,
    attacks: Vec<(Attack, Known)>,
    /// The program with this attacker set apart, instrumented, and its goals.
    derived: Option<(Program, Vec<Goal>)>,
    /// The sizes of views that were finished.
    finished: Vec<usize>,
    /// All instances with up to this many copies in total were searched completely, or do not count.
    searched: usize,
    /// The instance with this many copies of each class was searched completely.
    squared: usize,
    /// The states that further instances of this attempt may have.
    spare: usize,
}

/// What is known about an attack.
enum Known {
    Open,
    Infeasible,
    /// In the instance of this size.
    Feasible(Run, InstanceSize),
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
        ..options.techniques.pruning
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
        searched: program.classes().len() - 1,
        squared: 0,
        spare: 0,
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
        for (states, most) in EFFORTS {
            for attacker in &mut self.attackers {
                attacker.spare = INSTANCES * states;
            }
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
                    if is_open(self) && searching[at] {
                        searching[at] = self.search_level(at, size, states)?;
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

    /// Searches all instances with this many copies in total for attacks of one thread, and then that with
    /// the same number of each class. Returns whether all of the former were searched completely.
    fn search_level(&mut self, at: usize, level: usize, states: usize) -> Result<bool, Defect> {
        let classes = self.program.classes().len();
        let sum = level + classes - 1;
        let mut complete = true;
        for counts in counts_with_sum(&vec![1; classes], sum) {
            let attacker = &self.attackers[at];
            let covered = counts.iter().all(|&count| count <= attacker.squared);
            if attacker.searched < sum && !covered && !attacker.open().is_empty() {
                complete &= self.search(at, &self.size(counts), states)?;
            }
        }
        let attacker = &mut self.attackers[at];
        if complete && attacker.searched + 1 == sum {
            attacker.searched = sum;
        }
        if classes > 1 && level > 1 && attacker.squared < level && !attacker.open().is_empty() {
            let before = attacker.open();
            let size = self.size(vec![level; classes]);
            if self.search(at, &size, states)? {
                self.attackers[at].squared = level;
            }
            self.shrink(at, &before, states)?;
        }
        Ok(complete)
    }

    /// An instance in which only the thread with `[*]` attacks for its class, and no other copy has to be
    /// there.
    fn size(&self, counts: Vec<usize>) -> InstanceSize {
        InstanceSize {
            counts,
            needed: self.program.classes(),
        }
    }

    /// What the instance of this size shows of the attacks of one thread.
    fn answers(
        &mut self,
        at: usize,
        size: &InstanceSize,
        states: usize,
    ) -> Result<Vec<AttackAnswer>, Defect> {
        let instance = self.program.instance(size);
        let options = RobustOptions {
            attacker: Some(self.attackers[at].thread),
            ..self.options.clone()
        };
        let budget = self.budget.with_states(states.min(self.budget.states));
        let budget = budget.with_work(BRIEF.0);
        let report = ask(&instance, &options, &budget)?;
        self.report.stats = self.report.stats.plus(report.stats);
        let states = report.stats.states.unwrap_or(0);
        let states = usize::try_from(states).unwrap_or(usize::MAX);
        let attacker = &mut self.attackers[at];
        attacker.spare = attacker.spare.saturating_sub(states);
        Ok(report.answers)
    }

    /// Searches the instance of this size for attacks of one thread. Returns whether that was complete.
    fn search(&mut self, at: usize, size: &InstanceSize, states: usize) -> Result<bool, Defect> {
        if self.attackers[at].spare == 0 || self.budget.is_stopped() {
            return Ok(false);
        }
        let mut complete = true;
        for answer in self.answers(at, size, states)? {
            let own = self.attackers[at].attacks.iter_mut();
            for (_, known) in own.filter(|(attack, _)| *attack == answer.attack) {
                match (&answer.verdict, &known) {
                    (Verdict::Violated(run), Known::Open) => {
                        *known = Known::Feasible(run.clone(), size.clone());
                    }
                    (Verdict::HoldsWithin(_) | Verdict::Unknown(_), Known::Open) => {
                        complete = false;
                    }
                    (_, Known::Open | Known::Infeasible | Known::Feasible(..)) => {}
                }
            }
        }
        Ok(complete)
    }

    /// Shows those of these attacks that are feasible with fewer copies, if they are with one less of some
    /// class.
    fn shrink(&mut self, at: usize, attacks: &[usize], states: usize) -> Result<(), Defect> {
        for &number in attacks {
            for class in 0..self.program.classes().len() {
                loop {
                    let attacker = &self.attackers[at];
                    let (attack, Known::Feasible(_, size)) = &attacker.attacks[number] else {
                        break;
                    };
                    let (attack, mut fewer) = (*attack, size.clone());
                    if fewer.counts[class] == 1 || attacker.spare == 0 {
                        break;
                    }
                    fewer.counts[class] -= 1;
                    let answers = self.answers(at, &fewer, states)?;
                    let mut own = answers.into_iter().filter(|one| one.attack == attack);
                    let Some(Verdict::Violated(run)) = own.next().map(|one| one.verdict) else {
                        break;
                    };
                    self.attackers[at].attacks[number].1 = Known::Feasible(run, fewer);
                }
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<RobustReport, Defect> {
        let is_enough = self.is_enough();
        let all = self.attackers.iter().flat_map(|one| &one.attacks);
        let sizes: Vec<&InstanceSize> = all
            .filter_map(|(_, known)| match known {
                Known::Feasible(_, size) => Some(size),
                Known::Open | Known::Infeasible => None,
            })
            .collect();
        let most = (!sizes.is_empty()).then(|| union_of_sizes(self.program, &sizes));
        if let Some(size) = &most {
            self.any.set_instance(self.program, size);
        }
        let classes = self.program.classes().len();
        let open = self.attackers.iter().filter(|one| !one.open().is_empty());
        // Before the first instance, none was searched, though smaller ones need not be.
        let searched_of = |one: &Attacker| {
            if one.searched < classes {
                0
            } else {
                one.searched
            }
        };
        let searched = open.map(searched_of).min().unwrap_or(0);
        self.any.searched = searched;
        let (program, options, budget) = (self.program, self.options, self.budget);
        for attacker in self.attackers {
            let excluded = Excluded {
                from: 1,
                to: searched_of(&attacker),
                classes,
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
                    Known::Feasible(run, size) => match &self.any.instance {
                        Some(instance) if Some(&size) != most.as_ref() => {
                            Verdict::Violated(in_instance(program, &size, instance, &run)?)
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
