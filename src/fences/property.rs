//! Does a set of fences make the program's own assertions hold?
//!
//! ```text
//! one formula, fences as switches   goal reached             ─▶ fails
//!                                   no frontier in the core  ─▶ suffices
//! the program with these fences, all means of `check`        ─▶ whatever comes out
//! ```

use super::cut::cuts;
use super::place::Place;
use super::search::{Oracle, Probe, Set};
use super::{Defect, FenceOptions, Shortfall};
use crate::analysis::LoopId;
use crate::check::{CheckOptions, Stats, Until, check_goals};
use crate::encode::{Plan, Switch};
use crate::program::{Change, Goal, Program, ThreadId};
use crate::reach::{Answer, Method, Reach};
use crate::verdict::{Bounds, Budget, Reason, Verdict};
use std::collections::BTreeSet;

/// How often the formula follows loops before all means are asked.
const SHALLOW: u32 = 2;

/// The oracle.
pub(super) struct Property<'p> {
    program: &'p Program,
    /// Its slice for the goals.
    seen: &'p Program,
    places: &'p [Place],
    options: &'p FenceOptions,
    budget: &'p Budget,
    goals: Vec<Goal>,
    reach: Reach<'p>,
    stats: Stats,
}

impl<'p> Property<'p> {
    pub(super) fn new(
        program: &'p Program,
        seen: &'p Program,
        goals: Vec<Goal>,
        places: &'p [Place],
        options: &'p FenceOptions,
        budget: &'p Budget,
    ) -> Self {
        let plan = Plan {
            returns: 1,
            fences: places.iter().flat_map(Place::switches).collect(),
            ..Plan::new(goals.clone(), options.model)
        };
        let method = Method {
            solver: options.solver,
            ..Method::default()
        };
        Self {
            program,
            seen,
            places,
            options,
            budget,
            goals,
            reach: Reach::open(program, plan, method, budget),
            stats: Stats::default(),
        }
    }

    pub(super) fn stats(&self) -> Stats {
        let effort = self.reach.effort();
        self.stats.plus(Stats {
            queries: Some(effort.queries),
            variables: Some(effort.variables as u64),
            clauses: Some(effort.clauses as u64),
            ..Stats::default()
        })
    }

    /// Asks about the program with the fences in it.
    fn by_all_means(&mut self, set: &Set, goals: &[Goal]) -> Result<Probe, Defect> {
        let changes: Vec<Change> = set
            .iter()
            .flat_map(|&n| self.places[n].changes(self.program))
            .collect();
        let changed = self.program.changed(&changes);
        let options = CheckOptions {
            solver: self.options.solver,
            unroll: self.options.unroll,
            until: Until::Violated,
            ..CheckOptions::new(self.options.model)
        };
        let report = check_goals(&changed, goals, &options, self.budget)?;
        self.stats = self.stats.plus(report.stats);
        Ok(match report.verdict() {
            Verdict::Violated((goal, run)) => Probe::Fails {
                cut: cuts(self.program, self.seen, run, self.places),
                shortfall: Shortfall::Goal {
                    goal,
                    run: run.clone(),
                },
            },
            Verdict::Holds => Probe::Suffices(None),
            Verdict::HoldsWithin(bounds) => Probe::Suffices(Some(bounds)),
            Verdict::Unknown(reason) => Probe::Open(reason),
        })
    }
}

impl Oracle for Property<'_> {
    fn probe(&mut self, set: &Set) -> Result<Probe, Defect> {
        let points = set.iter().flat_map(|&n| self.places[n].switches());
        let on: Vec<Switch> = points.map(Switch::Fence).collect();
        let mut bounded: Vec<Goal> = Vec::new();
        for goal in self.goals.clone() {
            loop {
                match self.reach.ask_for_bounds(goal, self.options.model, &on)? {
                    Answer::Reachable(run) => {
                        return Ok(Probe::Fails {
                            cut: cuts(self.program, self.seen, &run, self.places),
                            shortfall: Shortfall::Goal { goal, run: *run },
                        });
                    }
                    Answer::Unreachable(core) => {
                        let loops: BTreeSet<(ThreadId, LoopId)> =
                            core.iter().filter_map(Switch::frontier).collect();
                        let further: Vec<_> = loops
                            .iter()
                            .copied()
                            .filter(|&(thread, id)| self.reach.returns(thread, id) < SHALLOW)
                            .collect();
                        if further.is_empty() {
                            bounded.extend((!loops.is_empty()).then_some(goal));
                            break;
                        }
                        self.reach.deepen(&further, 1);
                    }
                    Answer::Stopped => return Ok(Probe::Open(Reason::Stopped)),
                }
            }
        }
        if bounded.is_empty() {
            return Ok(Probe::Suffices(None::<Bounds>));
        }
        self.by_all_means(set, &bounded)
    }
}
