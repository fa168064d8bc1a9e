//! Reachability: the one door through which every question goes to the solver.
//!
//! A [`Reach`] holds a program's formula and a session, and stays open: ask for goals, under
//! models, with switches; deepen; ask again. Every "yes" is a computation that `explicit` has
//! replayed; every "no" names the switches it needed.
//!
//! ```text
//!   ask ──▶ solve ──sat──▶ cycle in the model? ──yes──▶ one clause a cycle, solve again
//!             │                     └──no──▶ trace ──replayed──▶ Reachable(run)
//!             └──unsat──▶ core, shrunk ──▶ Unreachable(switches)
//! ```
//!
//! A "no" is only worth what the formula is worth, so it is looked at twice. The formula *without*
//! the goal must have a model: the initial configuration is always reachable, and a formula that is
//! contradictory by itself would refute everything. And a "no" for every number of iterations is
//! proved once more by a fresh solver whose proof a checker accepts. Measured on the whole corpus,
//! the first costs 2 % of the time and the second 25 %.
//!
//! **Invariant.** A "no" whose core has no [`Switch::Frontier`] holds for every number of
//! iterations. One that has is bounded, and says by which loops.

mod cycle;
mod decide;
#[cfg(test)]
mod deepening;
mod dimacs;
mod enumerate;
mod fault;
mod settle;

pub use crate::cnf::Acyclicity;
pub use cycle::CycleAnswer;
pub use dimacs::dimacs;
pub use enumerate::configurations;
pub use fault::Fault;
pub use settle::Settled;

use crate::analysis::{LoopId, Values, slice};
use crate::encode::{Encoding, Plan, Switch};
use crate::explicit::Run;
use crate::model::Model;
use crate::program::{Goal, Program, Site, ThreadId};
use crate::solve::{Session, SolverKind};
use crate::trace::witness;
use crate::verdict::{Bounds, Budget, LoopBound, Stop};
use decide::{Decided, Solved};
use rustsat::types::Lit;

/// How the bounded engine goes about its work. No choice changes an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Method {
    /// The solver.
    pub solver: SolverKind,
    /// How cyclic orders are excluded.
    pub acyclicity: Acyclicity,
    /// Whether what cannot influence the goals is left out.
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

/// An answer to one question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// This computation reaches the goal.
    Reachable(Box<Run>),
    /// None does, and these of the switches given, or of the model's or the frontier's, were
    /// needed for that. No switch can be dropped from the list by itself, as far as single
    /// questions to the solver showed.
    Unreachable(Vec<Switch>),
}

/// What an open question has cost so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// How many times a goal or a cycle was asked for.
    pub asked: u64,
    /// Questions asked of the solver, those for cores and after cycles included.
    pub queries: u64,
    /// Models that had a cyclic order and were refined away.
    pub refinements: u64,
    /// Variables of the formula.
    pub variables: usize,
    /// Clauses of the formula.
    pub clauses: usize,
    /// Events in the order of memory.
    pub events: usize,
}

/// A program's formula with a solver, open for questions.
pub struct Reach<'p> {
    program: &'p Program,
    encoding: Encoding,
    session: Session,
    /// How many clauses the session has.
    fed: usize,
    asked: u64,
    refinements: u64,
    /// The models under which the formula, as deep as it is now, is known to have an execution.
    consistent: Vec<Model>,
}

impl<'p> Reach<'p> {
    /// Encodes what the plan needs of a program. The program must have no thread that stands for
    /// any number of copies. If the stop flag is raised meanwhile, the encoding is left off and
    /// every question ends with [`Stop::Cancelled`] from then on.
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
    /// All loops stay inside their present bounds.
    ///
    /// # Errors
    ///
    /// If the stop flag was raised first; or if the computation found does not replay, or a "no" is
    /// not confirmed: a defect of this program.
    pub fn ask(&mut self, goal: Goal, model: Model, on: &[Switch]) -> Result<Answer, Stop<Fault>> {
        self.ask_for(goal, model, on, |_| true)
    }

    /// As [`ask`](Self::ask), for whoever does not care which pairs, fences and model a "no" needs:
    /// what could be dropped from the core is found out for bounds alone, of loops and of
    /// reorderings.
    ///
    /// # Errors
    ///
    /// As [`ask`](Self::ask).
    pub fn ask_for_bounds(
        &mut self,
        goal: Goal,
        model: Model,
        on: &[Switch],
    ) -> Result<Answer, Stop<Fault>> {
        self.ask_for(goal, model, on, Switch::is_bound)
    }

    fn ask_for(
        &mut self,
        goal: Goal,
        model: Model,
        on: &[Switch],
        matters: impl Fn(&Switch) -> bool,
    ) -> Result<Answer, Stop<Fault>> {
        if self.encoding.is_cut_short() {
            return Err(Stop::Cancelled);
        }
        let fixed = self.encoding.ask(goal);
        let mut switches = self.encoding.model_switches(model);
        switches.extend(self.switched(on));
        Ok(match self.decide(model, &fixed, switches, matters)? {
            Decided::Sat => {
                let session = &self.session;
                let run = witness(self.program, model, goal, &self.encoding, |lit| {
                    value(session, lit)
                });
                let run = run.map_err(Fault::from)?;
                Answer::Reachable(Box::new(run))
            }
            Decided::Unsat(core) => Answer::Unreachable(core),
        })
    }

    /// Demands of all executions from now on that one of these switches is on. Those that the plan
    /// does not know count as off.
    pub fn require_one(&mut self, of: &[Switch]) {
        let clause: Vec<Lit> = self.switched(of).into_iter().map(|(_, lit)| lit).collect();
        self.encoding.cnf.clause(&clause);
    }

    /// The literals of the switches that the encoding knows.
    fn switched(&mut self, on: &[Switch]) -> Vec<(Switch, Lit)> {
        on.iter()
            .filter_map(|switch| Some((switch.clone(), self.literal(switch)?)))
            .collect()
    }

    /// Which of these instructions some execution may execute, whatever goals it reaches. The others are never executed, for any number of iterations. Requires a plan
    /// without slicing for the answer to speak of instructions that no goal needs.
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
        let mut open: Vec<(Site, Lit)> = sites
            .iter()
            .map(|&site| (site, self.encoding.executed(site)))
            .collect();
        let mut executed = Vec::new();
        // Each model shows many at once; ask only for one that none has shown.
        while let Some(&(_, lit)) = open.last() {
            match self.solve(&fixed, &[lit])? {
                Solved::Sat => {
                    let session = &self.session;
                    let (shown, rest): (Vec<_>, Vec<_>) =
                        open.into_iter().partition(|&(_, lit)| value(session, lit));
                    executed.extend(shown.into_iter().map(|(site, _)| site));
                    open = rest;
                }
                Solved::Unsat(_) => {
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

    /// Grants these loops so many more returns to their heads, unless the stop flag is raised
    /// meanwhile: see [`open`](Self::open).
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

    /// How often a loop may return to its head now.
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

/// The formula of what the plan needs of a program, or of all of it. Happens-before knows all
/// accesses, so that nothing is left out where it is asked about.
fn encoding(program: &Program, plan: Plan, method: Method, budget: &Budget) -> Encoding {
    let values = Values::of(program);
    let encoded = if method.slicing && plan.delay.is_none() {
        slice(program, &values, &plan.goals)
    } else {
        program.clone()
    };
    Encoding::new(encoded, values, plan, method.acyclicity, budget)
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

    /// A formula that nobody could wait for, and whose missing parts would look unreachable.
    #[test]
    fn what_is_stopped_while_it_is_encoded_answers_nothing() {
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
    fn a_solver_that_lies_once_proves_nothing() {
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
                        Ok(Answer::Reachable(_)) => break,
                        Ok(Answer::Unreachable(core)) => {
                            let loops: Vec<_> = core.iter().filter_map(Switch::frontier).collect();
                            assert_ne!(loops, vec![], "a false proof: {text}, lie {call}");
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
        assert!(caught > 2, "no lie came to anything");
    }

    #[test]
    fn a_formula_without_executions_answers_nothing() {
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
    fn what_is_stopped_while_it_is_deepened_answers_nothing() {
        let program = counting();
        let stop = Arc::new(AtomicBool::new(false));
        let budget = Budget::with_stop(Arc::clone(&stop));
        let goal = Goal::Property(0);
        let plan = Plan::new(vec![goal], Model::Tso);
        let mut reach = Reach::open(&program, plan, Method::default(), &budget);
        let Ok(Answer::Unreachable(core)) = reach.ask(goal, Model::Tso, &[]) else {
            panic!("one return is not enough");
        };
        let loops: Vec<_> = core.iter().filter_map(Switch::frontier).collect();
        assert_eq!(loops.len(), 1);
        stop.store(true, Ordering::Relaxed);
        reach.deepen(&loops, u32::MAX - 1);
        assert_eq!(reach.ask(goal, Model::Tso, &[]), Err(Stop::Cancelled));
        // An encoding that was left off is not taken up again.
        stop.store(false, Ordering::Relaxed);
        assert_eq!(reach.ask(goal, Model::Tso, &[]), Err(Stop::Cancelled));
    }
}
