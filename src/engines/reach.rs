//! Reachability: the only interface through which queries reach the solver.
//!
//! A [`Reach`] holds a program's formula and a solver session, and is incremental: query goals,
//! under models, with switches; deepen; query again. Every "yes" is a computation that `reference`
//! has replayed; every "no" names the switches that it needed.
//!
//! ```text
//!   ask ──▶ solve ──sat──▶ cycle in the model? ──yes──▶ one clause per cycle, solve again
//!             │                     └──no──▶ trace ──replayed──▶ Reachable(run)
//!             └──unsat──▶ core, shrunk ──▶ Unreachable(switches)
//! ```
//!
//! A "no" is only as good as the formula, so it is checked in two ways. First, the formula
//! *without* the goal must have a model: the initial configuration is always reachable, and a
//! contradictory formula would refute everything. Second, a "no" for every number of iterations is
//! proved again by a fresh solver, and a checker checks the proof. Measured on the whole corpus,
//! the first costs 2 % of the time and the second 25 %.
//!
//! **Invariant.** A "no" whose core has no [`Switch::Frontier`] holds for every number of
//! iterations. A "no" whose core has one is bounded, and the core names the loops.

mod aside;
mod cycle;
mod decide;
#[cfg(test)]
mod deepening;
mod dimacs;
mod enumerate;
mod fault;
mod formula;
mod settle;

pub use crate::cnf::Acyclicity;
pub use crate::solve::CertifyError;
pub(crate) use aside::Aside;
pub use cycle::CycleAnswer;
pub use dimacs::{dimacs, refutation};
pub use enumerate::configurations;
pub use fault::Fault;
pub use settle::Settled;

use crate::encode::{Encoding, Plan, Switch};
use crate::facts::LoopId;
use crate::model::Model;
use crate::program::{Goal, Program, Site, ThreadId};
use crate::reference::Run;
use crate::solve::{Session, SolverKind};
use crate::trace::witness;
use crate::verdict::{Bounds, Budget, LoopBound, Stop};
use decide::{LiteralAnswer, SwitchAnswer};
use formula::encoding;
use rustsat::types::Lit;

/// Options of the bounded engine. No option changes a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Method {
    /// The solver.
    pub solver: SolverKind,
    /// The encoding of acyclicity.
    pub acyclicity: Acyclicity,
    /// Whether parts of the program that cannot influence the goals are omitted.
    pub slicing: bool,
}

impl Default for Method {
    fn default() -> Self {
        Self {
            solver: SolverKind::default(),
            acyclicity: Acyclicity::default(),
            slicing: true,
        }
    }
}

/// The result of one query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReachAnswer {
    /// This computation reaches the goal.
    Reachable(Box<Run>),
    /// No computation reaches it, given these switches: a subset of the switches given, the
    /// model's, and the frontiers. According to the solver, no single switch can be dropped from
    /// the list.
    Unreachable(Vec<Switch>),
}

/// The cost of all queries so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// The number of queries for a goal or a cycle.
    pub asked: u64,
    /// Solver calls, including those that shrink cores and those after a cycle was refined.
    pub queries: u64,
    /// Models that had a cyclic order and were excluded by refinement.
    pub refinements: u64,
    /// Variables of the formula.
    pub variables: usize,
    /// Clauses of the formula.
    pub clauses: usize,
    /// Events in the memory order.
    pub events: usize,
}

/// A program's formula with a solver, for any number of queries.
pub struct Reach<'p> {
    program: &'p Program,
    encoding: Encoding,
    session: Session,
    /// The number of clauses that the session has.
    fed: usize,
    asked: u64,
    refinements: u64,
    /// The memory models under which the formula, at its present depth, is known to have an
    /// execution.
    consistent: Vec<Model>,
}

impl<'p> Reach<'p> {
    /// Encodes the part of a program that the plan needs. The program must have no thread that
    /// represents any number of copies. If the stop flag is raised during encoding, the encoding
    /// stops early and every later query ends with [`Stop::Cancelled`].
    pub fn open(program: &'p Program, plan: Plan, method: Method, budget: &Budget) -> Self {
        Self {
            program,
            encoding: encoding(program, plan, method, budget),
            session: Session::new(method.solver, budget),
            fed: 0,
            asked: 0,
            refinements: 0,
            consistent: Vec::new(),
        }
    }

    /// Whether a goal of the plan is reachable under a model of the plan, with these switches on.
    /// All loops stay within their present bounds.
    ///
    /// # Errors
    ///
    /// If the stop flag was raised first; or if the computation found does not replay or a "no" is
    /// not confirmed, which is a defect of Fencepost.
    pub fn ask(
        &mut self,
        goal: Goal,
        model: Model,
        on: &[Switch],
    ) -> Result<ReachAnswer, Stop<Fault>> {
        self.ask_for(goal, model, on, |_| true)
    }

    /// As [`ask`](Self::ask), for callers that need only the bounds in the core, of loops and of
    /// reorderings: only bounds are dropped from it if possible; its pairs, fences and model
    /// switches may be redundant.
    ///
    /// # Errors
    ///
    /// As [`ask`](Self::ask).
    pub fn ask_for_bounds(
        &mut self,
        goal: Goal,
        model: Model,
        on: &[Switch],
    ) -> Result<ReachAnswer, Stop<Fault>> {
        self.ask_for(goal, model, on, Switch::is_bound)
    }

    /// Whether any of these goals is reachable: one query, and one proof, for all of them. A "no"
    /// holds for each goal. The computation of a "yes" may reach several of them.
    ///
    /// Goals that [cannot be grouped](Self::is_groupable) must be queried one by one.
    ///
    /// # Errors
    ///
    /// As [`ask`](Self::ask).
    pub fn ask_any(&mut self, goals: &[Goal], model: Model) -> Result<ReachAnswer, Stop<Fault>> {
        if self.encoding.is_cut_short() {
            return Err(Stop::Cancelled);
        }
        let (fixed, literals) = self.encoding.ask_any(goals);
        let switches = self.encoding.model_switches(model);
        let of_model = |reach: &Self| {
            let reached = literals.iter().position(|&lit| value(&reach.session, lit));
            goals[reached.unwrap_or(0)]
        };
        self.decide_for(model, &fixed, switches, of_model, |_| true)
    }

    /// Whether [`ask_any`](Self::ask_any) may be used for a goal.
    pub fn is_groupable(&self, goal: Goal) -> bool {
        self.encoding.is_groupable(goal)
    }

    fn ask_for(
        &mut self,
        goal: Goal,
        model: Model,
        on: &[Switch],
        matters: impl Fn(&Switch) -> bool,
    ) -> Result<ReachAnswer, Stop<Fault>> {
        if self.encoding.is_cut_short() {
            return Err(Stop::Cancelled);
        }
        let fixed = self.encoding.ask(goal);
        let mut switches = self.encoding.model_switches(model);
        switches.extend(self.switched(on));
        self.decide_for(model, &fixed, switches, |_| goal, matters)
    }

    /// Decides a query, and replays the computation for the goal that the solver's model reaches.
    fn decide_for(
        &mut self,
        model: Model,
        fixed: &[Lit],
        switches: Vec<(Switch, Lit)>,
        of_model: impl Fn(&Self) -> Goal,
        matters: impl Fn(&Switch) -> bool,
    ) -> Result<ReachAnswer, Stop<Fault>> {
        Ok(match self.decide(model, fixed, switches, matters)? {
            SwitchAnswer::Sat => {
                let goal = of_model(self);
                let session = &self.session;
                let run = witness(self.program, model, goal, &self.encoding, |lit| {
                    value(session, lit)
                });
                let run = run.map_err(Fault::from)?;
                ReachAnswer::Reachable(Box::new(run))
            }
            SwitchAnswer::Unsat(core) => ReachAnswer::Unreachable(core),
        })
    }

    /// Requires from now on that one of these switches is on in every execution. Switches that are
    /// not in the plan count as off.
    pub fn require_one(&mut self, of: &[Switch]) {
        let clause: Vec<Lit> = self.switched(of).into_iter().map(|(_, lit)| lit).collect();
        self.encoding.cnf.clause(&clause);
    }

    /// The literals of the switches that the encoding has.
    fn switched(&mut self, on: &[Switch]) -> Vec<(Switch, Lit)> {
        on.iter()
            .filter_map(|switch| Some((switch.clone(), self.literal(switch)?)))
            .collect()
    }

    /// The instructions among these that some execution may execute, whatever goals it reaches. The
    /// others are never executed, for any number of iterations. To cover instructions that no goal
    /// needs, slicing must be off.
    ///
    /// # Errors
    ///
    /// If the stop flag was raised first.
    pub fn executed(&mut self, model: Model, sites: &[Site]) -> Result<Vec<Site>, Stop<Fault>> {
        if self.encoding.is_cut_short() {
            return Err(Stop::Cancelled);
        }
        let mut fixed: Vec<Lit> = self
            .encoding
            .model_switches(model)
            .into_iter()
            .map(|(_, lit)| lit)
            .collect();
        fixed.extend(self.encoding.no_stops());
        let mut open = self.encoding.executed(sites);
        let mut executed = Vec::new();
        // Each model executes many instructions at once; query only those that no model has
        // executed so far.
        while let Some(&(_, lit)) = open.last() {
            match self.solve(&fixed, &[lit])? {
                LiteralAnswer::Sat => {
                    let session = &self.session;
                    let (shown, rest): (Vec<_>, Vec<_>) =
                        open.into_iter().partition(|&(_, lit)| value(session, lit));
                    executed.extend(shown.into_iter().map(|(site, _)| site));
                    open = rest;
                }
                LiteralAnswer::Unsat(_) => {
                    open.pop();
                }
            }
        }
        executed.sort_unstable();
        executed.dedup();
        Ok(executed)
    }

    fn literal(&mut self, switch: &Switch) -> Option<Lit> {
        match switch {
            Switch::Order(a, b) => self.encoding.pair_switch((*a, *b)),
            Switch::AtMost(most) => self.encoding.at_most(*most),
            Switch::Fence(point) => self.encoding.fence_switch(point),
            Switch::KeepStoreLoad | Switch::KeepStoreStore | Switch::Frontier(..) => None,
        }
    }

    fn feed(&mut self) {
        for clause in self.encoding.cnf.clauses_from(self.fed) {
            self.session.add_clause(clause);
        }
        self.fed = self.encoding.cnf.clauses();
    }

    /// Raises the unroll bounds of these loops by `by`, unless the stop flag is raised while it
    /// runs: see [`open`](Self::open).
    pub fn deepen(&mut self, loops: &[(ThreadId, LoopId)], by: u32) {
        self.consistent.clear();
        self.encoding.deepen(loops, by);
    }

    /// The bounds of these loops, for a verdict.
    pub fn bounds(&self, loops: &[(ThreadId, LoopId)]) -> Bounds {
        let bound = |&(thread, id): &(ThreadId, LoopId)| LoopBound {
            thread,
            head: self.encoding.loops(thread).head(id),
            origin: self.encoding.loops(thread).origin(id),
            iterations: self.encoding.returns(thread, id),
        };
        let mut loops: Vec<LoopBound> = loops.iter().map(bound).collect();
        loops.dedup();
        Bounds { loops }
    }

    /// The loop's present unroll bound.
    pub fn returns(&self, thread: ThreadId, id: LoopId) -> u32 {
        self.encoding.returns(thread, id)
    }

    /// The cost so far.
    pub fn effort(&self) -> Effort {
        let stats = self.session.stats();
        Effort {
            asked: self.asked,
            queries: stats.queries + stats.checks,
            refinements: self.refinements,
            variables: self.encoding.cnf.variables(),
            clauses: self.encoding.cnf.clauses(),
            events: self.encoding.events().len(),
        }
    }
}

/// A literal's value in the session's model.
fn value(session: &Session, lit: Lit) -> bool {
    session.value(lit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::parse;
    use crate::solve::liar::lying_at;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    fn counting() -> Program {
        let text = "shared x; thread t { loop { x = x + 1; } } forbid x == 3;";
        parse(text).program.expect("no errors in the text")
    }

    /// A formula that would take far too long to encode, and whose missing parts would look
    /// unreachable.
    #[test]
    fn queries_after_an_interrupted_encoding_are_cancelled() {
        let program = counting();
        let budget = Budget::with_stop(Arc::new(AtomicBool::new(true)));
        let goal = Goal::Property(0);
        let plan = Plan {
            returns: u32::MAX,
            ..Plan::new(vec![goal], Model::Tso)
        };
        let mut reach = Reach::open(&program, plan, Method::default(), &budget);
        assert_eq!(reach.ask(goal, Model::Tso, &[]), Err(Stop::Cancelled));
        assert_eq!(reach.executed(Model::Tso, &[]), Err(Stop::Cancelled));
    }

    /// All three properties are violated, the last one after three rounds.
    const VIOLATED: [&str; 3] = [
        "shared x, y; thread t { x = 1; a: y = x; } forbid t@a;",
        "shared x, y; thread t { local r; x = 1; r = y; } thread u { local r; y = 1; r = x; }
         final assert t.r == 1 || u.r == 1;",
        "shared x; thread t { local i; while (i < 4) { x = i; i = i + 1; } } forbid x == 3;",
    ];

    #[test]
    fn one_wrong_solver_result_never_gives_a_false_proof() {
        let mut caught = 0;
        for text in VIOLATED {
            let program = parse(text).program.expect("no errors in the text");
            for call in 0..20 {
                let goal = Goal::Property(0);
                let plan = Plan::new(vec![goal], Model::Tso);
                let budget = Budget::default();
                let mut reach = Reach::open(&program, plan, Method::default(), &budget);
                reach.session = lying_at(call);
                loop {
                    match reach.ask(goal, Model::Tso, &[]) {
                        Ok(ReachAnswer::Reachable(_)) => break,
                        Ok(ReachAnswer::Unreachable(core)) => {
                            let loops: Vec<_> = core.iter().filter_map(Switch::frontier).collect();
                            assert_ne!(
                                loops,
                                vec![],
                                "a false proof: {text}, wrong result at call {call}"
                            );
                            reach.deepen(&loops, 1);
                        }
                        Err(Stop::Defect(Fault::Proof(_) | Fault::NoExecution)) => {
                            caught += 1;
                            break;
                        }
                        Err(stop) => panic!("{stop:?}"),
                    }
                }
            }
        }
        assert!(caught > 2, "no wrong result mattered");
    }

    #[test]
    fn a_formula_without_executions_is_reported_as_a_fault() {
        let program = parse(VIOLATED[0]).program.expect("no errors in the text");
        let goal = Goal::Property(0);
        let open = || {
            let plan = Plan::new(vec![goal], Model::Tso);
            Reach::open(&program, plan, Method::default(), &Budget::default())
        };
        let mut reach = open();
        reach.encoding.cnf.clause(&[]);
        assert_eq!(
            reach.ask(goal, Model::Tso, &[]),
            Err(Fault::NoExecution.into())
        );
        let mut reach = open();
        let node = reach.encoding.order.node();
        reach.encoding.order.always(node, node);
        reach.encoding.order.close(&mut reach.encoding.cnf);
        assert_eq!(reach.ask(goal, Model::Tso, &[]), Err(Fault::Order.into()));
    }

    #[test]
    fn queries_after_an_interrupted_deepening_are_cancelled() {
        let program = counting();
        let stop = Arc::new(AtomicBool::new(false));
        let budget = Budget::with_stop(Arc::clone(&stop));
        let goal = Goal::Property(0);
        let plan = Plan::new(vec![goal], Model::Tso);
        let mut reach = Reach::open(&program, plan, Method::default(), &budget);
        let Ok(ReachAnswer::Unreachable(core)) = reach.ask(goal, Model::Tso, &[]) else {
            panic!("one return is not enough");
        };
        let loops: Vec<_> = core.iter().filter_map(Switch::frontier).collect();
        assert_eq!(loops.len(), 1);
        stop.store(true, Ordering::Relaxed);
        reach.deepen(&loops, u32::MAX - 1);
        assert_eq!(reach.ask(goal, Model::Tso, &[]), Err(Stop::Cancelled));
        // An encoding that stopped early is never resumed.
        stop.store(false, Ordering::Relaxed);
        assert_eq!(reach.ask(goal, Model::Tso, &[]), Err(Stop::Cancelled));
    }
}
