//! Does a set of fences make the program robust?
//!
//! Fences of one thread say nothing about the delays of another, so that each thread's attacks
//! are a question of their own, and its answer depends on the fences of that thread alone:
//!
//! ```text
//! text        all attacks refuted                                   ─▶ suffices
//! one formula a thread, fences as switches ([`Direct`])  cycle      ─▶ fails
//!                                          no frontier in the core  ─▶ suffices
//! the derived programs of the program with these fences, explicit   ─▶ whatever comes out
//! the formulas, loops followed further                              ─▶ fails, or suffices within
//! ```
//!
//! For programs with `barrier all` attacks mean nothing, and the definition decides.

use super::cut::cuts;
use super::place::Place;
use super::search::{Oracle, Probe, Set};
use super::{FenceOptions, Shortfall};
use crate::analysis::{LoopId, Values};
use crate::encode::{Plan, Switch};
use crate::engines::{COMPLETE, DEEPEST, Engine, Stats, Until};
use crate::explicit::Run;
use crate::program::{Change, FencePoint, Program, ThreadId};
use crate::robustness::{Attack, Direct, Found, Pruning, RobustOptions, attacks, robust, unfenced};
use crate::verdict::{Bounds, Budget, Defect, Reason, Verdict, unless_cancelled};

/// The oracle.
pub(super) struct Robust<'p> {
    program: &'p Program,
    places: &'p [Place],
    options: &'p FenceOptions,
    budget: &'p Budget,
    threads: Vec<Attacker<'p>>,
    stats: Stats,
}

/// What is known of one thread.
struct Attacker<'p> {
    /// Absent: any thread, in a program for which attacks mean nothing.
    thread: Option<ThreadId>,
    attacks: Vec<Attack>,
    /// The places with a location in the thread.
    own: Set,
    question: Option<Direct<'p>>,
    /// Sets of own places that suffice, each with how that is bounded.
    sufficient: Vec<(Set, Option<Bounds>)>,
}

impl<'p> Robust<'p> {
    pub(super) fn new(
        program: &'p Program,
        places: &'p [Place],
        options: &'p FenceOptions,
        budget: &'p Budget,
    ) -> Self {
        let mut threads: Vec<Attacker<'p>> = Vec::new();
        if program.has_barrier() {
            threads.push(Attacker {
                thread: None,
                attacks: Vec::new(),
                own: (0..places.len()).collect(),
                question: None,
                sufficient: Vec::new(),
            });
        } else {
            let values = Values::of(program);
            let open = attacks(program, &values, options.model, Pruning::default()).open;
            for attacks in open.chunk_by(|a, b| a.thread == b.thread) {
                let thread = attacks[0].thread;
                let own = |&n: &usize| places[n].points.iter().any(|&(t, _)| t == thread);
                threads.push(Attacker {
                    thread: Some(thread),
                    attacks: attacks.to_vec(),
                    own: (0..places.len()).filter(own).collect(),
                    question: None,
                    sufficient: Vec::new(),
                });
            }
        }
        Self {
            program,
            places,
            options,
            budget,
            threads,
            stats: Stats::default(),
        }
    }

    pub(super) fn stats(&self) -> Stats {
        let questions = self.threads.iter().filter_map(|t| t.question.as_ref());
        questions.fold(self.stats, |stats, question| stats.plus(question.stats()))
    }

    /// The feasible attacks of the program as it is, each by itself: whether fences at these places
    /// eliminate one.
    pub(super) fn attacks(&self) -> Vec<Attack> {
        let all = self.threads.iter().flat_map(|t| t.attacks.iter().copied());
        all.collect()
    }

    /// Whether these of a thread's attacks are infeasible with fences at these places.
    fn ask(&mut self, at: usize, among: &[Attack], set: &Set) -> Result<Probe, Defect> {
        let (program, places) = (self.program, self.places);
        let Attacker {
            thread,
            own,
            attacks: all,
            question,
            ..
        } = &mut self.threads[at];
        let here: Set = set.intersection(own).copied().collect();
        let changes: Vec<Change> = here
            .iter()
            .flat_map(|&n| places[n].changes(program))
            .collect();
        let changed = program.changed(&changes);
        let Some(thread) = *thread else {
            return self.by_all_means(&changed, None, Engine::Auto);
        };
        // Fences change nothing else that the text refutes by.
        let values = Values::of(&changed);
        let among = unfenced(&changed, &values, self.options.model, among);
        if among.is_empty() {
            return Ok(Probe::Suffices(None));
        }
        let points = |set: &Set| -> Vec<FencePoint> {
            let points = set.iter().flat_map(|&n| places[n].switches());
            points.filter(|point| point.thread == thread).collect()
        };
        let question = question.get_or_insert_with(|| {
            let plan = Plan {
                returns: 0,
                fences: points(own),
                ..Plan::new(Vec::new(), self.options.model)
            };
            Direct::open(program, all, plan, self.options.solver, self.budget)
        });
        let on: Vec<Switch> = points(&here).into_iter().map(Switch::Fence).collect();
        // Most attacks need no loop, and a formula without is a small one.
        let loops = match unless_cancelled(question.settle(&among, &on, 1))? {
            Some(Found::Feasible(attack, run)) => {
                return Ok(self.fails(*run, |run| Shortfall::Attack { attack, run }));
            }
            Some(Found::Infeasible(loops)) if loops.is_empty() => {
                return Ok(Probe::Suffices(None));
            }
            Some(Found::Infeasible(loops)) => loops,
            None => return Ok(Probe::Open(Reason::Stopped)),
        };
        // Where loops matter, an engine that follows them without end.
        match self.by_all_means(&changed, Some(thread), Engine::Explicit)? {
            Probe::Open(_) if !self.budget.is_stopped() => {}
            decided @ (Probe::Fails { .. } | Probe::Suffices(_) | Probe::Open(_)) => {
                return Ok(decided);
            }
        }
        self.deeper(at, &among, &on, loops)
    }

    /// Follows loops on the event graph as far as it goes.
    fn deeper(
        &mut self,
        at: usize,
        among: &[Attack],
        on: &[Switch],
        loops: Vec<(ThreadId, LoopId)>,
    ) -> Result<Probe, Defect> {
        let deepest = self.options.unroll.unwrap_or(DEEPEST);
        let Some(question) = &mut self.threads[at].question else {
            return Ok(Probe::Open(Reason::Stopped));
        };
        let found = if question.follow(&loops, deepest) {
            unless_cancelled(question.settle(among, on, deepest))?
        } else {
            Some(Found::Infeasible(loops))
        };
        Ok(match found {
            Some(Found::Feasible(attack, run)) => {
                self.fails(*run, |run| Shortfall::Attack { attack, run })
            }
            Some(Found::Infeasible(loops)) if loops.is_empty() => Probe::Suffices(None),
            Some(Found::Infeasible(loops)) => Probe::Suffices(Some(question.bounds(&loops))),
            None => Probe::Open(Reason::Stopped),
        })
    }

    fn fails(&self, run: Run, shortfall: impl FnOnce(Run) -> Shortfall) -> Probe {
        Probe::Fails {
            cut: cuts(self.program, self.program, &run, self.places),
            brought_by: Vec::new(),
            shortfall: shortfall(run),
        }
    }

    /// Asks about the program with the fences in it.
    fn by_all_means(
        &mut self,
        changed: &Program,
        attacker: Option<ThreadId>,
        engine: Engine,
    ) -> Result<Probe, Defect> {
        let states = self.budget.states.min(COMPLETE);
        let budget = self.budget.with_states(states);
        let options = RobustOptions {
            engine,
            solver: self.options.solver,
            until: Until::Violated,
            unroll: self.options.unroll,
            attacker,
            ..RobustOptions::new(self.options.model)
        };
        let report = robust(changed, &options, &budget)?;
        self.stats = self.stats.plus(report.stats);
        let attack = report.feasible().next().map(|(attack, _)| attack);
        Ok(match report.verdict() {
            Verdict::Violated(run) => self.fails(run.clone(), |run| match attack {
                Some(attack) => Shortfall::Attack { attack, run },
                None => Shortfall::Cycle(run),
            }),
            Verdict::Holds => Probe::Suffices(None),
            Verdict::HoldsWithin(bounds) => Probe::Suffices(Some(bounds)),
            Verdict::Unknown(reason) => Probe::Open(reason),
        })
    }
}

impl Oracle for Robust<'_> {
    fn probe(&mut self, set: &Set) -> Result<Probe, Defect> {
        let mut within = None;
        for at in 0..self.threads.len() {
            let attacker = &self.threads[at];
            let known = attacker.sufficient.iter().find(|(s, _)| s.is_subset(set));
            if let Some((_, bounds)) = known {
                within = within.or_else(|| bounds.clone());
                continue;
            }
            let all = attacker.attacks.clone();
            match self.ask(at, &all, set)? {
                Probe::Suffices(bounds) => {
                    let attacker = &mut self.threads[at];
                    let own = set.intersection(&attacker.own).copied().collect();
                    attacker.sufficient.push((own, bounds.clone()));
                    within = within.or(bounds);
                }
                failed @ (Probe::Fails { .. } | Probe::Open(_)) => return Ok(failed),
            }
        }
        Ok(Probe::Suffices(within))
    }
}

/// Whether one attack is infeasible with fences at places.
pub(super) struct One<'o, 'p> {
    pub(super) oracle: &'o mut Robust<'p>,
    pub(super) attack: Attack,
}

impl Oracle for One<'_, '_> {
    fn probe(&mut self, set: &Set) -> Result<Probe, Defect> {
        let attack = self.attack;
        let at = self.oracle.threads.iter();
        let at = at.clone().position(|t| t.thread == Some(attack.thread));
        match at {
            Some(at) => self.oracle.ask(at, &[attack], set),
            None => self.oracle.probe(set),
        }
    }
}
