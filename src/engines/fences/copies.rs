//! Fences for a program with threads in any number of copies (`[*]`).
//!
//! Copies run the same code, so a place is one for all of them, and costs what it costs in one
//! [BDM13, Theorem 6]. The search is the usual one: each probe decides the program with the fences
//! inserted, for any number of copies, and an execution of an instance that is still possible gives the
//! places that would exclude it, those of any of its copies.
//!
//! Assertions are decided for any number of copies through robustness, so a cheap set may be left
//! undecided. Then the search ends, and the cheapest set for robustness is taken if the assertions hold
//! with it: what is known about cheaper sets is the lower bound.
//!
//! **Absent.** Fences against threads that wait forever, fences at labels that a property negates, and
//! the algorithms other than hitting sets: callers refuse them.

use super::choices::Choices;
use super::cut::cuts;
use super::negated::NegatedLabels;
use super::place::{self, Place, places};
use super::project::project;
use super::search::{Best, Failures, Oracle, Probe, Progress, SearchEnd, Set, search};
use super::{
    FenceOptions, FenceReport, Obstacle, Outcome, Sets, Shortfall, goals, validate, without_fences,
};
use crate::check::decide_goals;
use crate::engines::{CheckOptions, Stats, Until};
use crate::instances::{embedded, union_of_sizes};
use crate::model::Model;
use crate::program::{Aim, Change, Goal, InstanceSize, Origin, Program, ThreadId};
use crate::reference::{Run, replay};
use crate::robustness::{RobustOptions, has_attacks, robust};
use crate::verdict::{Budget, Defect, Reason, Verdict};
use std::collections::BTreeMap;

/// The cheapest fences that make every instance robust, or its assertions hold.
///
/// # Errors
///
/// If the reference rejects a computation.
pub(super) fn cheapest(
    program: &Program,
    options: &FenceOptions,
    budget: &Budget,
) -> Result<FenceReport, Defect> {
    let bare = if options.minimise {
        without_fences(program).0
    } else {
        program.clone()
    };
    let all = if options.minimise {
        place::existing(program, &options.costs)
    } else {
        let (kinds, costs) = (&options.kinds, &options.costs);
        places(&bare, &bare, options.model, kinds, costs)
    };
    let places: Vec<Place> = all
        .into_iter()
        .map(|place| once_per_class(program, place))
        .collect();
    if let Some(why) = unsupported(&bare, &places, options) {
        return Ok(FenceReport::undecided(
            options,
            Reason::Unsupported(why.to_owned()),
        ));
    }
    let choices = Choices::all(places.clone());
    let mut oracle = Copies::new(&bare, &places, options, budget);
    let ended = search(&mut oracle, &choices, options.all, options.solver, budget)?;
    let (outcome, progress) = match ended {
        SearchEnd::Impossible(obstacle, shortfall, progress) => {
            let (obstacle, shortfall) = match oracle.wrong_under_sc()? {
                Some(wrong) => (Obstacle::Sequential, wrong),
                None => (obstacle, shortfall),
            };
            let outcome = Outcome::Impossible {
                shortfall,
                obstacle,
            };
            (outcome, progress)
        }
        SearchEnd::Searched(mut progress) => {
            if progress.best.is_none()
                && options.aim == Aim::Assertions
                && let Some(best) = oracle.through_robustness(&choices)?
            {
                progress.best = Some(best);
                progress = progress.with_optimality();
            }
            (oracle.found(&progress)?, progress)
        }
    };
    let (outcome, size) = oracle.in_instance(outcome)?;
    Ok(FenceReport {
        lower_bound: progress.lower_bound,
        places: places.len(),
        probes: progress.probes,
        cuts: progress.cuts,
        stats: oracle.stats,
        // Reports name the computations as the places, which are of the program. The instance has the
        // fences that can be removed.
        instance: Some(program.instance(&size).with_names_of(program)),
        ..FenceReport::new(options, outcome)
    })
}

/// Why the options or the program are not supported.
fn unsupported(
    program: &Program,
    places: &[Place],
    options: &FenceOptions,
) -> Option<&'static str> {
    if options.aim == Aim::Assertions {
        let goals = goals(program);
        let waits = |&goal: &Goal| match goal {
            Goal::Property(number) => program.properties()[number].kind.is_about_waiting(),
            Goal::Assert(_) | Goal::Outside(_) => false,
        };
        if goals.iter().any(waits) {
            return Some(
                "fences against threads in any number of copies (`[*]`) that wait forever are not \
                 searched for: use `--for robustness`, after which they wait under the model only if \
                 they do under SC, or declare a number of copies, as in `[3]`",
            );
        }
        let labels = NegatedLabels::of(program, &goals);
        if places.iter().any(|place| labels.displaced_by(place)) {
            return Some(
                "a property negates a label of a thread in any number of copies (`[*]`) or beside one, \
                 and a fence there may violate it: use `--for robustness`, or declare a number of \
                 copies, as in `[3]`",
            );
        }
        return None;
    }
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
            "robustness of threads in any number of copies (`[*]`) is not decided with `barrier all`: \
             declare a number of copies, as in `[3]`",
        );
    }
    None
}

/// The place, with the cost of one thread for each declaration with `[*]`: copies that properties name or
/// that differ by `tid` have their fences with the others.
fn once_per_class(program: &Program, mut place: Place) -> Place {
    let mut declared: BTreeMap<Declared, BTreeMap<ThreadId, u32>> = BTreeMap::new();
    for (&(thread, _), each) in place.points.iter().zip(&place.each) {
        let threads = declared.entry(declaration(program, thread)).or_default();
        *threads.entry(thread).or_default() += each;
    }
    // A copy may lack a location of the place that others have.
    let counted: Vec<ThreadId> = declared
        .into_values()
        .filter_map(|threads| {
            let most = |a: &(ThreadId, u32), b: &(ThreadId, u32)| (a.1, a.0).cmp(&(b.1, b.0));
            threads.into_iter().max_by(most).map(|(thread, _)| thread)
        })
        .collect();
    for (&(thread, _), each) in place.points.iter().zip(&mut place.each) {
        if !counted.contains(&thread) {
            *each = 0;
        }
    }
    place.cost = place.each.iter().sum();
    place
}

/// What threads have in common that one declaration with `[*]` stands for: its position, or else the class;
/// a thread that exists once has only itself.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Declared {
    At(u32),
    Thread(ThreadId),
}

fn declaration(program: &Program, thread: ThreadId) -> Declared {
    let origin = program.thread(thread).origin();
    let mut classes = program.classes().into_iter();
    if origin != Origin::default() && classes.any(|class| program.thread(class).origin() == origin)
    {
        return Declared::At(origin.start);
    }
    Declared::Thread(program.class_of(thread).unwrap_or(thread))
}

/// The oracle for every instance.
struct Copies<'p> {
    /// Without its own fences, if they are minimised.
    program: &'p Program,
    places: &'p [Place],
    options: &'p FenceOptions,
    budget: &'p Budget,
    failures: Failures,
    /// The computations found, each with the size of its instance.
    sizes: Vec<(Run, InstanceSize)>,
    stats: Stats,
}

/// What is still possible with some fences.
struct Found {
    /// Of the changed program.
    shortfall: Shortfall,
    size: InstanceSize,
}

impl<'p> Copies<'p> {
    fn new(
        program: &'p Program,
        places: &'p [Place],
        options: &'p FenceOptions,
        budget: &'p Budget,
    ) -> Self {
        Self {
            program,
            places,
            options,
            budget,
            failures: Failures::default(),
            sizes: Vec::new(),
            stats: Stats::default(),
        }
    }

    /// The places in this instance: the same fences in every copy.
    fn places_of(&self, instance: &Program) -> Vec<Place> {
        let everywhere = |place: &Place| {
            let mut points = place.points.clone();
            for &(thread, loc) in &place.points {
                if let Some(class) = self.program.class_of(thread) {
                    let members = self.program.members_in(instance, class).into_iter();
                    points.extend(members.map(|member| (member, loc)));
                }
            }
            points.sort_unstable();
            points.dedup();
            Place {
                points,
                ..place.clone()
            }
        };
        self.places.iter().map(everywhere).collect()
    }

    fn decide(&mut self, set: &Set) -> Result<Probe, Defect> {
        self.budget.progress().probed();
        let changes: Vec<Change> = set
            .iter()
            .flat_map(|&n| self.places[n].changes(self.program))
            .collect();
        let changed = self.program.changed(&changes);
        let verdict = match self.options.aim {
            Aim::Robustness => self.robust(&changed)?,
            Aim::Assertions => self.checked(&changed, self.options.model)?,
        };
        Ok(match verdict {
            Verdict::Violated(Found { shortfall, size }) => {
                let instance = self.program.instance(&size);
                let everywhere = self.places_of(&instance);
                let cut = cuts(&instance, &instance, shortfall.run(), &everywhere);
                let shortfall = project(&instance, shortfall)?;
                self.sizes.push((shortfall.run().clone(), size));
                Probe::Fails {
                    cut,
                    caused_by: Vec::new(),
                    shortfall,
                }
            }
            Verdict::Holds => Probe::Suffices(None),
            Verdict::HoldsWithin(bounds) => Probe::Suffices(Some(bounds)),
            Verdict::Unknown(reason) => Probe::Open(reason),
        })
    }

    fn robust(&mut self, changed: &Program) -> Result<Verdict<Found>, Defect> {
        let options = RobustOptions {
            solver: self.options.solver,
            until: Until::Violated,
            techniques: self.options.techniques,
            ..RobustOptions::new(self.options.model)
        };
        let report = robust(changed, &options, self.budget)?;
        self.stats = self.stats.plus(report.stats);
        let attack = report.feasible().next().map(|(attack, _)| attack);
        Ok(match (report.verdict(), attack, report.any_number()) {
            (Verdict::Violated(run), Some(attack), Some(any)) => {
                let run = run.clone();
                Verdict::Violated(Found {
                    shortfall: Shortfall::Attack { attack, run },
                    size: any.size.clone(),
                })
            }
            (Verdict::Violated(_), _, _) => Verdict::Unknown(Reason::Stopped),
            (Verdict::Holds, _, _) => Verdict::Holds,
            (Verdict::HoldsWithin(bounds), _, _) => Verdict::HoldsWithin(bounds),
            (Verdict::Unknown(reason), _, _) => Verdict::Unknown(reason),
        })
    }

    /// The verdict on the assertions under a model.
    fn checked(&mut self, changed: &Program, model: Model) -> Result<Verdict<Found>, Defect> {
        let options = CheckOptions {
            solver: self.options.solver,
            until: Until::Violated,
            note_unreachable: false,
            techniques: self.options.techniques,
            ..CheckOptions::new(model)
        };
        let report = decide_goals(changed, &goals(changed), &options, self.budget)?;
        self.stats = self.stats.plus(report.stats);
        Ok(match report.verdict() {
            Verdict::Violated((goal, run)) => {
                let any = report.any_number();
                match any.and_then(|any| any.reached_goal(goal)) {
                    Some(reached) => Verdict::Violated(Found {
                        shortfall: Shortfall::Goal {
                            goal,
                            run: run.clone(),
                        },
                        size: reached.size.clone(),
                    }),
                    None => Verdict::Unknown(Reason::Stopped),
                }
            }
            Verdict::Holds => Verdict::Holds,
            Verdict::HoldsWithin(bounds) => Verdict::HoldsWithin(bounds),
            Verdict::Unknown(reason) => Verdict::Unknown(reason),
        })
    }

    /// A computation under SC that reaches a goal. No fences exclude it.
    fn wrong_under_sc(&mut self) -> Result<Option<Shortfall>, Defect> {
        if self.options.aim == Aim::Robustness {
            return Ok(None);
        }
        let Verdict::Violated(found) = self.checked(self.program, Model::Sc)? else {
            return Ok(None);
        };
        self.sizes.push((found.shortfall.run().clone(), found.size));
        Ok(Some(found.shortfall))
    }

    /// The cheapest set for robustness, if the assertions hold with it.
    fn through_robustness(&mut self, choices: &Choices) -> Result<Option<Best>, Defect> {
        let options = FenceOptions {
            aim: Aim::Robustness,
            ..self.options.clone()
        };
        let mut oracle = Copies::new(self.program, self.places, &options, self.budget);
        let ended = search(&mut oracle, choices, false, options.solver, self.budget)?;
        self.stats = self.stats.plus(oracle.stats);
        let SearchEnd::Searched(Progress {
            best: Some(best), ..
        }) = ended
        else {
            return Ok(None);
        };
        Ok(match self.decide(&best.sets[0])? {
            Probe::Suffices(bounds) => Some(Best { bounds, ..best }),
            Probe::Fails { .. } | Probe::Open(_) => None,
        })
    }

    /// The cheapest sets, with the reasons for the first.
    fn found(&mut self, progress: &Progress) -> Result<Outcome, Defect> {
        let Some(best) = &progress.best else {
            let reason = progress.stopped.clone().unwrap_or(Reason::Stopped);
            return Ok(Outcome::Undecided(reason));
        };
        let mut sets: Vec<&Set> = best.sets.iter().collect();
        sets.sort();
        let needed = validate::needed(self, sets[0])?;
        let listed = |set: &&Set| set.iter().map(|&n| self.places[n].clone()).collect();
        Ok(Outcome::Found(Sets {
            cost: best.cost,
            optimal: progress.optimal,
            all: progress.all,
            bounds: best.bounds.clone(),
            // The same procedure has decided the set, and there is no other.
            proof: None,
            needed,
            sets: sets.iter().map(listed).collect(),
        }))
    }

    /// The size of the instance that a computation is of.
    fn size_of(&self, run: &Run) -> Option<&InstanceSize> {
        let known = self.sizes.iter().find(|(known, _)| known == run);
        known.map(|(_, size)| size)
    }

    /// The outcome, with computations of one instance, whose size is returned with it.
    fn in_instance(&self, outcome: Outcome) -> Result<(Outcome, InstanceSize), Defect> {
        let program = self.program;
        let smallest = InstanceSize {
            counts: vec![1; program.classes().len()],
            needed: Vec::new(),
        };
        let sizes: Vec<&InstanceSize> = match &outcome {
            Outcome::Found(found) => {
                let runs = found.needed.iter().map(|needed| needed.without.run());
                runs.filter_map(|run| self.size_of(run)).collect()
            }
            Outcome::Impossible { shortfall, .. } => {
                self.size_of(shortfall.run()).into_iter().collect()
            }
            Outcome::Undecided(_) => Vec::new(),
        };
        let size = match sizes[..] {
            [] => smallest,
            [one] => one.clone(),
            _ => union_of_sizes(program, &sizes),
        };
        let instance = program.instance(&size);
        let outcome = match outcome {
            Outcome::Found(mut found) => {
                let mut needed = Vec::new();
                for mut one in found.needed {
                    // An end with fewer copies is not one with more: that place has no execution then.
                    if let Some(without) = self.embedded((&instance, &size), one.without)? {
                        one.without = without;
                        needed.push(one);
                    }
                }
                found.needed = needed;
                Outcome::Found(found)
            }
            Outcome::Impossible { .. } | Outcome::Undecided(_) => outcome,
        };
        Ok((outcome, size))
    }

    /// The same computation in this instance, if it shows the same there.
    fn embedded(
        &self,
        to: (&Program, &InstanceSize),
        shortfall: Shortfall,
    ) -> Result<Option<Shortfall>, Defect> {
        let (instance, size) = to;
        let Some(own) = self.size_of(shortfall.run()).filter(|&own| own != size) else {
            return Ok(Some(shortfall));
        };
        let smaller = self.program.instance(own);
        let steps = embedded(self.program, (&smaller, own), instance, shortfall.run());
        let run = replay(instance, shortfall.run().model, &steps).map_err(|error| {
            Defect::new(format_args!(
                "a computation does not replay with more copies: {}",
                error.message
            ))
        })?;
        Ok(match shortfall {
            Shortfall::Attack { attack, .. } => Some(Shortfall::Attack { attack, run }),
            Shortfall::Cycle(_) => Some(Shortfall::Cycle(run)),
            Shortfall::Goal { goal, .. } => {
                let shows = run.reached.contains(&goal);
                shows.then_some(Shortfall::Goal { goal, run })
            }
        })
    }
}

impl Oracle for Copies<'_> {
    fn probe(&mut self, set: &Set) -> Result<Probe, Defect> {
        let probe = self.decide(set)?;
        self.failures.record(set, &probe);
        Ok(probe)
    }

    fn left_possible(&self, set: &Set) -> Option<&Shortfall> {
        self.failures.left_possible(set)
    }
}
