//! Reachability of goals by breadth-first search, so that the evidence is short. Searches that get large try
//! for a while to get to the goals on short cuts: see `order`.
//!
//! One search decides several goals and records which instructions were ever executed. A goal is
//! detected at a step (a failing assertion) or in a configuration (an access outside shared memory,
//! or a property when nothing is buffered). This suffices for properties, although they are defined
//! on configurations after all buffers are drained: the drained configuration is visited too.
//!
//! Evidence is a path of the search, completed by moves that empty the buffers. Reductions
//! ([`Reduction`]) may add steps to the path that the goal does not need; they are removed again,
//! last one first, as long as the rest is a computation that reaches the goal. If threads are
//! identical, the path is one of sorted configurations, and is translated ([`Symmetry`]).

mod evidence;
mod expansion;
mod stages;

use super::ahead::{Ahead, View};
use super::distance::Distance;
use super::hopeless::Hopeless;
use super::order::Arrival;
use super::persistent::Persistent;
use super::reduce::{Reduce, Reduction};
use super::symmetry::Symmetry;
use super::visited::{Hit, Place, Stage, Visited};
use super::watch::Watch;
use crate::model::Model;
use crate::program::{Goal, Program, PropertyKind, Site};
use crate::reference::machine::{Config, Machine};
use crate::reference::pack::{pack, unpack};
use crate::reference::wait::{self, Alone};
use crate::reference::{Step, explore::wide_choice, starve};
use crate::verdict::{self, Budget, Reason, Verdict};
use crate::work::CONFIGURATION;
use expansion::{EarlyEnd, Extent, Kept, Progress, Scratch};
use smallvec::SmallVec;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// The result of one search for several goals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answers {
    /// Each goal, in the order given, with a computation that reaches it if there is one.
    pub verdicts: Vec<(Goal, Verdict<Vec<Step>>)>,
    /// The number of configurations visited.
    pub states: usize,
    /// The instructions executed by some visited computation.
    pub executed: BTreeSet<Site>,
    /// Whether everything was visited, up to the reductions; `executed` then contains every
    /// instruction that can be executed. A search stops early once every goal is reached.
    pub complete: bool,
}

/// Decides whether a goal is reachable; the evidence is a short computation that reaches it. Also
/// returns the number of configurations visited.
pub fn check(
    program: &Program,
    model: Model,
    goal: Goal,
    budget: &Budget,
) -> (Verdict<Vec<Step>>, usize) {
    let mut answers = check_all(program, model, &[goal], budget);
    let verdict = answers.verdicts.pop().map(|(_, verdict)| verdict);
    (
        verdict.unwrap_or(Verdict::Unknown(Reason::Stopped)),
        answers.states,
    )
}

/// Decides several goals with one search and all reductions. Without goals, visits everything.
pub fn check_all(program: &Program, model: Model, goals: &[Goal], budget: &Budget) -> Answers {
    check_all_with(program, model, goals, Reduction::ALL, budget)
}

/// [`check_all`] with a choice of reductions. Without any reduction, the evidence is a shortest one
/// up to the point where the goal is decided.
///
/// **Incomplete:** a `nondet` over more than 256 values is not explored; goals that are not reached
/// without it are then `Unknown`.
pub fn check_all_with(
    program: &Program,
    model: Model,
    goals: &[Goal],
    reduction: Reduction,
    budget: &Budget,
) -> Answers {
    let question = Question {
        program,
        model,
        goals,
        reduction,
    };
    go_on(&mut Visited::default(), question, budget)
}

/// What a search decides: which of these goals the program reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question<'p> {
    /// The program.
    pub program: &'p Program,
    /// The memory model.
    pub model: Model,
    /// Which of these it reaches.
    pub goals: &'p [Goal],
    /// What the search leaves out.
    pub reduction: Reduction,
}

/// [`check_all_with`], from where an earlier search for the same question has stopped for its budget. All
/// that was visited counts for the budget.
pub fn go_on(visited: &mut Visited, question: Question<'_>, budget: &Budget) -> Answers {
    let Question {
        program,
        model,
        goals,
        reduction,
    } = question;
    let reduction = reduction.suited_to(program, model);
    visited.prepare(program, goals);
    let machine = Machine::with_properties(program, model);
    let reduce = Reduce::new(&machine, goals, reduction);
    let persistent = Persistent::new(&machine, goals, reduction);
    let symmetry = if reduction.symmetry {
        Symmetry::new(&machine, goals)
    } else {
        Symmetry::none(&machine, goals.len())
    };
    let ahead = persistent
        .as_ref()
        .and_then(|_| Ahead::new(&machine, reduction));
    let hopeless = if reduction.hopeless {
        Hopeless::new(program, goals)
    } else {
        None
    };
    let mut search = GoalSearch {
        machine,
        reduce,
        persistent,
        ahead,
        symmetry,
        hopeless,
        reduction,
        goals,
        watch: Watch::new(program, goals),
        distance: None,
        visited,
        counters: budget.progress(),
    };
    let unfinished = search.run(budget);
    if let Some(ahead) = &search.ahead {
        search.visited.was_executed(&ahead.executed);
    }
    search.symmetry.share(&mut search.visited.executed);
    let mut answers = search.answers(unfinished.as_ref());
    for (goal, verdict) in &mut answers.verdicts {
        if let Goal::Property(number) = *goal
            && let PropertyKind::Starved(thread) = program.properties()[number].kind
        {
            let (found, states) = starve::starved(program, model, number, thread, budget);
            *verdict = found;
            answers.states += states;
        }
    }
    answers
}

struct GoalSearch<'p> {
    machine: Machine<'p>,
    reduce: Reduce,
    persistent: Option<Persistent>,
    ahead: Option<Ahead>,
    symmetry: Symmetry,
    hopeless: Option<Hopeless>,
    reduction: Reduction,
    goals: &'p [Goal],
    watch: Watch,
    /// What the search is directed at, if it is directed.
    distance: Option<Distance>,
    visited: &'p mut Visited,
    /// How far the search has come, for others to read.
    counters: &'p verdict::Progress,
}

impl GoalSearch<'_> {
    /// Runs the search; returns why it did not visit everything, if it did not.
    fn run(&mut self, budget: &Budget) -> Option<EarlyEnd> {
        let early = self.visit(budget);
        self.visited.gave_up |= self.machine.alone().is_some_and(Alone::gave_up);
        early.or_else(|| {
            let program = self.machine.program;
            let wide = self.visited.too_wide.map(|site| wide_choice(program, site));
            let open = || Reason::StateBudget(wait::MOST_STATES);
            let unfinished = wide.or_else(|| self.visited.gave_up.then(open));
            unfinished.map(EarlyEnd::Unfinished)
        })
    }

    /// Expands all configurations; returns why not, if it did not.
    fn visit(&mut self, budget: &Budget) -> Option<EarlyEnd> {
        let mut scratch = Scratch::new(&self.machine.initial());
        self.begin(&mut scratch);
        let most = budget.states;
        while let Some(id) = self.visited.pending() {
            if self.changes_its_way() {
                self.begin(&mut scratch);
                continue;
            }
            if !self.goals.is_empty() && self.visited.has_found_all() {
                return Some(EarlyEnd::AllFound);
            }
            if budget.is_stopped() {
                return Some(EarlyEnd::Unfinished(Reason::Stopped));
            }
            let before = self.visited.spent;
            let credit = self.visited.pass.credit;
            if self.expand(id, Extent::Reduced, most, &mut scratch) == Progress::Nothing {
                self.expand(id, Extent::Full, most, &mut scratch);
            }
            budget.spend(CONFIGURATION * (self.visited.spent - before) as u64);
            if self.visited.spent > most {
                // What is left of its steps is taken when the search goes on, by the same ways.
                self.visited.pass.credit = credit;
                return Some(EarlyEnd::Unfinished(Reason::StateBudget(most)));
            }
            let has_found = self.visited.is_expanded(id);
            let ahead = self.visited.pass.credit.go_on(self.visited.waiting());
            self.visited.spent += ahead;
            budget.spend(CONFIGURATION * ahead as u64);
            if has_found {
                self.leave_reached();
            }
        }
        None
    }

    /// Begins with the first configuration, or goes on.
    fn begin(&mut self, scratch: &mut Scratch) {
        if self.visited.is_empty() {
            let mut first = self.machine.initial();
            self.reduce.normalise(&mut first);
            self.look(&first, 0, &[]);
            let arrival = Arrival {
                from: 0,
                steps: &[],
                is_forced: false,
                distance: 0,
            };
            self.keep(&mut first, &arrival, &mut scratch.bytes);
        }
        let distance = || Distance::new(self.machine.program, self.goals);
        self.distance = self.visited.directed.map(|_| distance());
        self.leave_reached();
    }

    /// Leaves out, from now on, what is of use only for goals that were reached in earlier expansions. What
    /// is reached in the present one does not count, so that it can be repeated.
    fn leave_reached(&mut self) {
        let is_open = |number| !self.visited.is_found_before(number);
        if let Some(hopeless) = &mut self.hopeless {
            hopeless.keep(is_open);
        }
        if let Some(distance) = &mut self.distance {
            distance.keep(is_open);
        }
    }

    /// Takes the steps of a stored configuration, and on through those that are not stored, until
    /// they count for more than `most`.
    fn expand(&mut self, id: u32, extent: Extent, most: usize, scratch: &mut Scratch) -> Progress {
        let Scratch {
            config,
            next,
            steps,
            bytes,
            suffix,
            passing,
            spare,
        } = scratch;
        unpack(self.visited.packed(id), config);
        suffix.clear();
        let mut is_stored = true;
        let mut is_reduced = false;
        let mut is_later = false;
        let mut is_forced = false;
        loop {
            steps.clear();
            let too_wide = self.machine.propose(config, steps);
            self.visited.too_wide = self.visited.too_wide.or(too_wide);
            match extent {
                Extent::Full if is_stored => self.reduce.order_advances(config, steps),
                Extent::Reduced if is_stored => is_reduced = self.choose(config, steps),
                Extent::Full | Extent::Reduced => {
                    self.reduce.choose(&self.machine, config, steps);
                }
            }
            if is_stored {
                let first = steps.first().map(|step| step.thread());
                is_forced = is_reduced && steps.iter().all(|step| Some(step.thread()) == first);
                self.symmetry.leave_same(config, steps);
            }
            is_stored = false;
            next.clone_from(config);
            for &step in &*steps {
                let failed = self.machine.failed_assert(config, step);
                if self.machine.apply(next, step).is_err() {
                    continue;
                }
                if let Step::Execute { thread, instr, .. } = step {
                    self.visited.executed[thread.index()][instr.index()] = true;
                }
                suffix.push(step);
                if let Some(site) = failed {
                    self.hit(Goal::Assert(site), id, suffix);
                }
                self.reduce.normalise_thread(next, step.thread());
                self.look(next, id, suffix);
                let mut is_sorted = false;
                if self.is_hopeless(next) {
                    is_later |= self.machine.inside(next).is_none();
                } else if self.reduce.passes(&self.machine, next) {
                    let mut through = spare.pop().unwrap_or_default();
                    through.0.clone_from(next);
                    through.1.clone_from(suffix);
                    passing.push(through);
                } else {
                    // Inside a block no other thread's step can be taken to make up for it.
                    let may_go_on = self.machine.inside(next).is_none();
                    let arrival = Arrival {
                        from: id,
                        steps: suffix,
                        is_forced,
                        distance: self
                            .distance
                            .as_ref()
                            .map_or(0, |distance| distance.of(next)),
                    };
                    let kept = self.keep(next, &arrival, bytes);
                    is_later |= may_go_on && self.visited.is_later(kept.id, id);
                    is_sorted = kept.is_sorted;
                    if self.visited.spent > most {
                        return Progress::Enough;
                    }
                }
                suffix.pop();
                if is_sorted {
                    next.clone_from(config);
                } else {
                    self.machine.undo(next, config, step);
                }
            }
            match passing.pop() {
                Some(mut through) => {
                    std::mem::swap(config, &mut through.0);
                    std::mem::swap(suffix, &mut through.1);
                    spare.push(through);
                }
                None if is_reduced && !is_later => return Progress::Nothing,
                None => return Progress::Enough,
            }
        }
    }

    /// Whether no goal that is left can be reached from a configuration.
    fn is_hopeless(&mut self, config: &Config) -> bool {
        let hopeless = self.hopeless.as_ref();
        let is_hopeless = hopeless.is_some_and(|hopeless| hopeless.is(&self.machine, config));
        self.visited.omitted |= is_hopeless;
        is_hopeless
    }

    /// Removes the steps that need not be explored. If it returns `true`, some step that is left must
    /// lead to a stored configuration that is expanded later.
    fn choose(&mut self, config: &Config, steps: &mut Vec<Step>) -> bool {
        let all = steps.len();
        let is_restricted = self.reduce.choose(&self.machine, config, steps);
        let Some(persistent) = &self.persistent else {
            return false;
        };
        if is_restricted {
            return steps.len() < all;
        }
        if self.machine.inside(config).is_some() {
            return false;
        }
        let (machine, reduce) = (&self.machine, &self.reduce);
        let looks_ahead = self.visited.stage != Stage::Near;
        let ahead = self.ahead.as_mut().filter(|_| looks_ahead);
        let view = ahead.map(|ahead| View {
            ahead,
            machine,
            reduce,
            config,
            credit: &mut self.visited.pass.credit,
        });
        persistent.choose(machine, config, steps, view)
    }

    /// Sorts a configuration, and stores it if it is new.
    fn keep(&mut self, config: &mut Config, arrival: &Arrival<'_>, bytes: &mut Vec<u8>) -> Kept {
        let is_sorted = self.symmetry.sort(&self.machine, config, |_| {});
        pack(config, bytes);
        let threads = config.locations.len();
        let (id, is_new) = self.visited.insert(bytes, arrival, threads);
        if is_new {
            self.counters.visited(self.visited.states());
        }
        Kept { id, is_sorted }
    }

    /// Records the goals that a configuration reaches.
    fn look(&mut self, config: &Config, at: u32, suffix: &[Step]) {
        let inside = self.machine.inside(config);
        let halting = OnceCell::new();
        let is_halting = || *halting.get_or_init(|| self.machine.is_halting(config));
        let mut reached: SmallVec<[usize; 4]> = SmallVec::new();
        for number in self.watch.goals(&self.machine, config) {
            let is_reached = self.visited.found[number].is_none()
                && match self.goals[number] {
                    Goal::Assert(_) => false,
                    // While another thread is inside a block, this access was already detected
                    // before the block.
                    Goal::Outside(site) => {
                        inside.is_none_or(|owner| owner == site.thread)
                            && self.machine.outside(config, site.thread).any(|s| s == site)
                    }
                    Goal::Property(property) => {
                        (is_halting() || self.is_settled(config, property))
                            && self.machine.decides(config, property)
                    }
                };
            if is_reached {
                reached.push(number);
            }
        }
        for number in reached {
            self.found(number, at, suffix);
        }
    }

    /// Whether the property is already decided by what reductions leave: see `persistent`.
    fn is_settled(&self, config: &Config, property: usize) -> bool {
        let persistent = self.persistent.as_ref();
        persistent.is_some_and(|persistent| persistent.settled(config, property))
            && self.machine.inside(config).is_none()
    }

    /// Records that a step reaches a goal.
    fn hit(&mut self, goal: Goal, at: u32, suffix: &[Step]) {
        for (number, &asked) in self.goals.iter().enumerate() {
            if asked == goal && self.visited.found[number].is_none() {
                self.found(number, at, suffix);
            }
        }
    }

    /// Records that a goal is reached, and with it those that symmetries map it to.
    fn found(&mut self, goal: usize, at: u32, suffix: &[Step]) {
        for number in self.symmetry.orbit(goal) {
            self.visited.found[number].get_or_insert_with(|| Hit {
                goal,
                at: Place::Here(at),
                suffix: suffix.to_vec(),
            });
        }
    }

    fn answers(&self, stop: Option<&EarlyEnd>) -> Answers {
        let verdicts = self
            .goals
            .iter()
            .zip(&self.visited.found)
            .enumerate()
            .map(|(number, (&goal, found))| {
                let verdict = match (found, stop) {
                    (Some(hit), _) => Verdict::Violated(self.computation(number, hit)),
                    (None, Some(EarlyEnd::Unfinished(reason))) => Verdict::Unknown(reason.clone()),
                    (None, Some(EarlyEnd::AllFound) | None) => Verdict::Holds,
                };
                (goal, verdict)
            })
            .collect();
        let mut executed = BTreeSet::new();
        for (site, _) in self.machine.program.sites() {
            if self.visited.executed[site.thread.index()][site.instr.index()] {
                executed.insert(site);
            }
        }
        Answers {
            verdicts,
            states: self.visited.states(),
            executed,
            complete: stop.is_none() && !self.visited.omitted,
        }
    }
}
