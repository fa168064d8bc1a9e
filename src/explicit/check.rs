//! Which goals are reachable? Breadth first, so that the evidence is short.
//!
//! One search answers several goals and notes which instructions were ever executed. A goal is
//! seen at a step (a failing assertion) or in a configuration (an access outside shared memory, a
//! property where nothing is buffered). That suffices for properties, although they speak of
//! configurations after all buffers are drained: the drained configuration is visited too.
//!
//! Evidence is a path of the search, completed by moves that empty the buffers. Reductions
//! ([`Reduction`]) may put steps into the path that the goal does not need; they are taken out
//! again, last one first, as long as what is left is a computation that reaches the goal.

use super::machine::{Config, Machine};
use super::pack::{pack, unpack};
use super::reduce::{Reduce, Reduction};
use super::shorten::shorten;
use super::{Step, explore::wide_choice};
use crate::model::Model;
use crate::program::{Goal, Program, Site};
use crate::verdict::{Budget, Reason, Verdict};
use ahash::AHashMap;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

/// What one search found out about several goals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answers {
    /// Each goal, in the order asked, with a computation that reaches it if there is one.
    pub verdicts: Vec<(Goal, Verdict<Vec<Step>>)>,
    /// How many configurations were visited.
    pub states: usize,
    /// The instructions that some visited computation executes.
    pub executed: BTreeSet<Site>,
    /// Whether everything was visited, up to the reductions: `executed` is then all that can be
    /// executed at all. A search stops early once every goal is reached.
    pub complete: bool,
}

/// Whether a goal is reachable; a short computation that reaches it is the evidence. The second
/// part is the number of configurations visited.
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

/// Answers several goals with one search, all reductions on. With no goals, visits everything.
pub fn check_all(program: &Program, model: Model, goals: &[Goal], budget: &Budget) -> Answers {
    check_all_with(program, model, goals, Reduction::ALL, budget)
}

/// [`check_all`] with a choice of reductions. Without any, the evidence is a shortest one up to
/// the point where the goal is decided.
///
/// **Incomplete:** a `nondet` over more than 256 values is not followed; goals that are not reached
/// without it are then `Unknown`.
pub fn check_all_with(
    program: &Program,
    model: Model,
    goals: &[Goal],
    reduction: Reduction,
    budget: &Budget,
) -> Answers {
    let machine = Machine::new(program, model);
    let reduce = Reduce::new(&machine, goals, reduction);
    let mut search = Search {
        machine,
        reduce,
        goals,
        found: vec![None; goals.len()],
        ids: AHashMap::new(),
        parents: Vec::new(),
        queue: VecDeque::new(),
        executed: program
            .threads()
            .iter()
            .map(|thread| vec![false; thread.instructions().len()])
            .collect(),
    };
    let unfinished = search.run(budget);
    search.answers(unfinished.as_ref())
}

/// Where in the search a goal was reached.
#[derive(Clone, Copy)]
struct Hit {
    /// The configuration.
    at: u32,
    /// The failing assertion executed there, if that is the goal.
    last: Option<Step>,
}

struct Search<'p> {
    machine: Machine<'p>,
    reduce: Reduce,
    goals: &'p [Goal],
    found: Vec<Option<Hit>>,
    ids: AHashMap<Rc<[u8]>, u32>,
    /// For each configuration the one before and the step between; for the first one nothing.
    parents: Vec<Option<(u32, Step)>>,
    queue: VecDeque<(u32, Rc<[u8]>)>,
    executed: Vec<Vec<bool>>,
}

impl Search<'_> {
    /// Runs the search; returns why it did not visit everything, if it did not.
    fn run(&mut self, budget: &Budget) -> Option<Stop> {
        let mut config = self.machine.initial();
        let mut bytes = Vec::new();
        self.reduce.normalise(&mut config);
        self.visit(&config, None, &mut bytes);
        let mut next = config.clone();
        let mut steps = Vec::new();
        let mut too_wide = None;
        while let Some((id, packed)) = self.queue.pop_front() {
            if !self.found.is_empty() && self.found.iter().all(Option::is_some) {
                return Some(Stop::AllFound);
            }
            if budget.is_stopped() {
                return Some(Stop::Unfinished(Reason::Stopped));
            }
            unpack(&packed, &mut config);
            steps.clear();
            too_wide = too_wide.or(self.machine.propose(&config, &mut steps));
            self.reduce.choose(&self.machine, &config, &mut steps);
            next.clone_from(&config);
            for &step in &steps {
                let failed = self.machine.failed_assert(&config, step);
                if self.machine.apply(&mut next, step).is_err() {
                    continue;
                }
                if let Step::Execute { thread, instr, .. } = step {
                    self.executed[thread.index()][instr.index()] = true;
                }
                if let Some(site) = failed {
                    let last = Some(step);
                    self.hit(Goal::Assert(site), Hit { at: id, last });
                }
                self.reduce.normalise(&mut next);
                let known = self.parents.len();
                self.visit(&next, Some((id, step)), &mut bytes);
                if self.parents.len() > known && known >= budget.states {
                    return Some(Stop::Unfinished(Reason::StateBudget(budget.states)));
                }
                next.clone_from(&config);
            }
        }
        too_wide.map(|site| Stop::Unfinished(wide_choice(self.machine.program, site)))
    }

    /// Adds a configuration if it is new, and notes the goals that it reaches.
    fn visit(&mut self, config: &Config, parent: Option<(u32, Step)>, bytes: &mut Vec<u8>) {
        pack(config, bytes);
        if self.ids.contains_key(bytes.as_slice()) {
            return;
        }
        let id = self.parents.len() as u32;
        let packed: Rc<[u8]> = bytes.as_slice().into();
        self.ids.insert(Rc::clone(&packed), id);
        self.parents.push(parent);
        self.queue.push_back((id, packed));

        let hit = Hit { at: id, last: None };
        let inside = self.machine.inside(config);
        let halting = self.machine.is_halting(config);
        for (&goal, found) in self.goals.iter().zip(&mut self.found) {
            let reached = found.is_none()
                && match goal {
                    Goal::Assert(_) => false,
                    // Another thread's block has to end first; what is before it was seen.
                    Goal::Outside(site) => {
                        inside.is_none_or(|owner| owner == site.thread)
                            && self.machine.outside(config, site.thread).any(|s| s == site)
                    }
                    Goal::Property(property) => halting && self.machine.decides(config, property),
                };
            if reached {
                *found = Some(hit);
            }
        }
    }

    fn hit(&mut self, goal: Goal, hit: Hit) {
        for (&asked, found) in self.goals.iter().zip(&mut self.found) {
            if asked == goal {
                found.get_or_insert(hit);
            }
        }
    }

    fn answers(&self, stop: Option<&Stop>) -> Answers {
        let verdicts = self
            .goals
            .iter()
            .zip(&self.found)
            .map(|(&goal, found)| {
                let verdict = match (found, stop) {
                    (Some(hit), _) => Verdict::Violated(self.computation(goal, *hit)),
                    (None, Some(Stop::Unfinished(reason))) => Verdict::Unknown(reason.clone()),
                    (None, Some(Stop::AllFound) | None) => Verdict::Holds,
                };
                (goal, verdict)
            })
            .collect();
        let mut executed = BTreeSet::new();
        for (site, _) in self.machine.program.sites() {
            if self.executed[site.thread.index()][site.instr.index()] {
                executed.insert(site);
            }
        }
        Answers {
            verdicts,
            states: self.parents.len(),
            executed,
            complete: stop.is_none(),
        }
    }

    /// A computation that leads to the hit and ends where a computation may.
    fn computation(&self, goal: Goal, hit: Hit) -> Vec<Step> {
        let mut steps: Vec<Step> = hit.last.into_iter().collect();
        let mut at = hit.at;
        while let Some((before, step)) = self.parents[at as usize] {
            steps.push(step);
            at = before;
        }
        steps.reverse();
        self.drain(&mut steps);
        shorten(self.machine.program, self.machine.model, goal, steps)
    }

    /// Appends moves until nothing is buffered, or nothing can move.
    fn drain(&self, steps: &mut Vec<Step>) {
        let mut config = self.machine.initial();
        for &step in &*steps {
            let taken = self.machine.apply(&mut config, step);
            debug_assert!(taken.is_ok(), "the search took a step that is none");
        }
        let mut moves = Vec::new();
        loop {
            moves.clear();
            for thread in self.machine.program.thread_ids() {
                self.machine.propose_moves(&config, thread, &mut moves);
            }
            let taken = moves
                .iter()
                .find(|&&step| self.machine.apply(&mut config, step).is_ok());
            match taken {
                Some(&step) => steps.push(step),
                None => return,
            }
        }
    }
}

/// Why a search did not visit everything.
enum Stop {
    AllFound,
    Unfinished(Reason),
}
