//! A query as a DIMACS file, with comments that explain its switches.
//!
//! The file contains the program's formula, for all goals and models of the plan, and then one
//! query as unit clauses. It is self-contained: satisfiable if and only if the goal is reached
//! under the model by an execution within the bounds of all loops.
//!
//! ```text
//! c goal 1 assume 205: forbid at line 33
//! c model sc assume 12 13
//! c switch 17: frontier t0, loop at line 18: at most 2 returns to its head
//! c query goal 1 under tso assume 205 13 17
//! p cnf 205 1204
//! …the formula…
//! 205 0
//! …the rest of the query…
//! ```
//!
//! Another query is another set of unit clauses: those of a goal, of a model, and of any switches.
//! A switch without a unit clause is free. Since every switch only removes executions, a free
//! switch has the same effect as one that is off. The exception is frontiers: without them,
//! "satisfiable" may refer to executions that the formula does not describe, and "unsatisfiable"
//! covers all executions.
//!
//! **Absent.** Lazy acyclicity, which would leave the file incomplete: orders are encoded as
//! numbers (`Clock`) unless the method requires transitivity. Solvers.

use super::{Method, encoding};
use crate::cnf::Acyclicity;
use crate::encode::{Encoding, Plan, Switch};
use crate::facts::LoopId;
use crate::model::Model;
use crate::program::{FenceKind, Goal, LocId, Origin, Program, Site, ThreadId};
use crate::solve::{CertifyError, Clauses, drat};
use crate::verdict::Budget;
use rustsat::types::Lit;
use std::fmt::Write as _;

/// The query whether a goal of the plan is reached under a model of the plan, with all loops within
/// their bounds, as a DIMACS file. The program must have no thread that represents any number of
/// copies.
pub fn dimacs(program: &Program, plan: Plan, method: Method, goal: Goal, model: Model) -> String {
    let method = Method {
        acyclicity: match method.acyclicity {
            Acyclicity::Transitive => Acyclicity::Transitive,
            Acyclicity::Clock | Acyclicity::Lazy => Acyclicity::Clock,
        },
        ..method
    };
    let (goals, models) = (plan.goals.clone(), plan.models.clone());
    let points = plan.fences.clone();
    let pairs = plan.pairs.clone();
    let mut encoding = encoding(program, plan, method, &Budget::default());
    let wanted: Vec<Vec<Lit>> = goals.iter().map(|&goal| encoding.ask(goal)).collect();
    // The queries added new pairs of events to the order.
    encoding.order.emit(&mut encoding.cnf);
    let labels = Labels {
        program,
        encoding: &encoding,
    };

    let mut out = format!("c fencepost {}\n", env!("CARGO_PKG_VERSION"));
    let mut comment = |text: String| {
        // A name may contain a line break, which would end the comment.
        let text = text.replace(char::is_control, "\u{fffd}");
        let _ = writeln!(out, "c {text}");
    };
    if !program.name().is_empty() {
        comment(format!("program {}", program.name()));
    }
    comment("satisfiable: the goal is reached, by an execution within the bounds".to_owned());
    let mut query = Vec::new();
    let mut number = 0;
    for (index, (&one, lits)) in goals.iter().zip(&wanted).enumerate() {
        let named = labels.goal(one);
        comment(format!(
            "goal {} assume{}: {named}",
            index + 1,
            numbers(lits)
        ));
        if one == goal {
            query.clone_from(lits);
            number = index + 1;
        }
    }
    for &one in &models {
        let lits: Vec<Lit> = literals(&encoding.model_switches(one));
        comment(format!("model {} assume{}", one.name(), numbers(&lits)));
    }
    // Has no meaning to the user, but is part of every query.
    let order = encoding.order.assumption();
    if let Some(lit) = order {
        comment(format!("always assume{}", numbers(&[lit])));
    }
    let mut switches = encoding.model_switches(Model::Sc);
    for pair in pairs {
        let lit = encoding.pair_switch(pair);
        switches.extend(lit.map(|lit| (Switch::Order(pair.0, pair.1), lit)));
    }
    for point in points {
        let lit = encoding.fence_switch(&point);
        switches.extend(lit.map(|lit| (Switch::Fence(point), lit)));
    }
    let frontier = encoding.frontier();
    for (switch, lit) in switches.iter().chain(&frontier) {
        comment(format!(
            "switch{}: {}",
            numbers(&[*lit]),
            labels.switch(switch)
        ));
    }
    query.extend(literals(&encoding.model_switches(model)));
    query.extend(order);
    query.extend(literals(&frontier));
    let under = model.name();
    comment(format!(
        "query goal {number} under {under} assume{}",
        numbers(&query)
    ));

    let clauses = encoding.cnf.clauses() + query.len();
    let _ = writeln!(out, "p cnf {} {clauses}", encoding.cnf.variables());
    for clause in encoding.cnf.clauses_from(0).chain(query.chunks(1)) {
        for lit in clause {
            let _ = write!(out, "{} ", lit.to_ipasir());
        }
        out.push_str("0\n");
    }
    out
}

/// A proof in DRAT, as text, that a formula which [`dimacs`] wrote has no model.
///
/// # Errors
///
/// If it has one, or the stop flag was raised.
pub fn refutation(dimacs: &str, budget: &Budget) -> Result<String, CertifyError> {
    let mut clauses = Clauses::default();
    let lines = dimacs.lines().filter(|line| !line.starts_with(['c', 'p']));
    for line in lines {
        let numbers = line.split(' ').map_while(|number| number.parse().ok());
        let lits: Vec<Lit> = numbers
            .map_while(|number| Lit::from_ipasir(number).ok())
            .collect();
        clauses.push(&lits);
    }
    let (_, proof) = drat(&clauses, &[], budget)?;
    String::from_utf8(proof).map_err(|error| CertifyError::Rejected(error.to_string()))
}

fn literals(switches: &[(Switch, Lit)]) -> Vec<Lit> {
    switches.iter().map(|&(_, lit)| lit).collect()
}

/// The literals as DIMACS numbers, each after a space.
fn numbers(lits: &[Lit]) -> String {
    lits.iter().fold(String::new(), |mut text, lit| {
        let _ = write!(text, " {}", lit.to_ipasir());
        text
    })
}

/// Describes goals and switches in the comments.
struct Labels<'a> {
    program: &'a Program,
    encoding: &'a Encoding,
}

impl Labels<'_> {
    fn goal(&self, goal: Goal) -> String {
        match goal {
            Goal::Assert(site) => format!("assert of {} fails", self.site(site)),
            Goal::Outside(site) => format!(
                "{} accesses an address that is not a shared cell",
                self.site(site)
            ),
            Goal::Property(index) => {
                let property = &self.program.properties()[index];
                let kind = property.kind.keyword();
                match property.origin.line {
                    0 => format!("{kind}, property {}", index + 1),
                    line => format!("{kind} at line {line}"),
                }
            }
        }
    }

    fn switch(&self, switch: &Switch) -> String {
        match switch {
            Switch::KeepStoreLoad => "stores stay before later loads of their thread".to_owned(),
            Switch::KeepStoreStore => "stores stay before later stores of their thread".to_owned(),
            Switch::Order(a, b) => format!("{} stays before {}", self.site(*a), self.site(*b)),
            Switch::AtMost(most) => format!("at most {most} pairs are free to be reordered"),
            Switch::Fence(point) => {
                let kind = match point.kind {
                    FenceKind::Full => "full fence",
                    FenceKind::Store => "store fence",
                    FenceKind::Exchange => "exchange",
                };
                let location = self.program.thread(point.thread).location(point.loc);
                format!(
                    "{kind} {}",
                    self.position(point.thread, point.loc, location.origin)
                )
            }
            Switch::Frontier(thread, id) => self.frontier(*thread, *id),
        }
    }

    fn frontier(&self, thread: ThreadId, id: LoopId) -> String {
        let loops = self.encoding.loops(thread);
        let position = self.position(thread, loops.head(id), loops.origin(id));
        let returns = self.encoding.returns(thread, id);
        format!("frontier {position}: loop, at most {returns} returns to its head")
    }

    fn site(&self, site: Site) -> String {
        let instruction = self.program.instruction(site);
        self.position(site.thread, instruction.from, instruction.origin)
    }

    fn position(&self, thread: ThreadId, loc: LocId, origin: Origin) -> String {
        let thread = self.program.thread(thread);
        match origin.line {
            0 => format!("{} at {}", thread.name(), thread.location(loc).name),
            line => format!("{} at line {line}", thread.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::parse;
    use crate::program::FencePoint;
    use crate::reach::{Reach, ReachAnswer};
    use rustsat::solvers::{Solve, SolverResult};
    use rustsat_batsat::BasicSolver;

    const STORE_BUFFERING: &str = "shared x, y;
        thread t0 { local r; x = 1; r = y; }
        thread t1 { local r; y = 1; r = x; }
        forbid t0.r == 0 && t1.r == 0 && x == 1 && y == 1;
        final assert t0.r == 1 || t1.r == 1;
        exists t0.r == 1 && t1.r == 1;";

    const MESSAGE_PASSING: &str = "shared x, y;
        thread t0 { x = 1; y = 1; }
        thread t1 { local r, s; r = y; s = x; assert(r == 0 || s == 1); }";

    const LOOP: &str = "shared x;
        thread t0 { local i; while (i < 3) { x = x + 1; i = i + 1; } }
        thread t1 { local r; r = x; assert(r < 3); }
        forbid x == 2;";

    fn program(text: &str) -> Program {
        parse(text).program.expect("the text is a program")
    }

    fn plan(program: &Program) -> Plan {
        let models = Model::ALL.to_vec();
        Plan {
            models,
            ..Plan::new(program.goals(), Model::Tso)
        }
    }

    /// The clauses of a DIMACS file. Checks that the header is right.
    fn read(text: &str) -> Vec<Vec<Lit>> {
        let mut lines = text.lines().skip_while(|line| line.starts_with("c "));
        let header = lines.next().expect("a header");
        let mut clauses = Vec::new();
        let mut variables = 0;
        for line in lines {
            let numbers: Vec<i32> = line
                .split(' ')
                .map(|n| n.parse().expect("a number"))
                .collect();
            let (end, clause) = numbers.split_last().expect("not empty");
            assert_eq!(*end, 0);
            variables = clause
                .iter()
                .map(|n| n.abs())
                .chain([variables])
                .max()
                .expect("some");
            let lit = |&n: &i32| Lit::from_ipasir(n).expect("not 0");
            clauses.push(clause.iter().map(lit).collect());
        }
        let claimed: Vec<usize> = header
            .split(' ')
            .filter_map(|word| word.parse().ok())
            .collect();
        assert_eq!(claimed.len(), 2, "{header}");
        assert!(claimed[0] >= variables as usize, "{header}");
        assert_eq!(claimed[1], clauses.len(), "{header}");
        clauses
    }

    fn satisfiable(clauses: &[Vec<Lit>]) -> bool {
        let mut solver = BasicSolver::default();
        for clause in clauses {
            solver
                .add_clause(clause.iter().copied().collect())
                .expect("a clause");
        }
        match solver.solve().expect("an answer") {
            SolverResult::Sat => true,
            SolverResult::Unsat => false,
            SolverResult::Interrupted => panic!("the solver is never interrupted"),
        }
    }

    #[test]
    fn another_solver_gives_the_same_result_for_the_file() {
        let mut reached = 0;
        let mut asked = 0;
        for text in [STORE_BUFFERING, MESSAGE_PASSING, LOOP] {
            let program = program(text);
            for acyclicity in [Acyclicity::Clock, Acyclicity::Transitive, Acyclicity::Lazy] {
                let plan = plan(&program);
                let method = Method {
                    acyclicity,
                    ..Method::default()
                };
                let mut open = Reach::open(&program, plan.clone(), method, &Budget::default());
                for model in Model::ALL {
                    for &goal in &plan.goals {
                        let expected = match open.ask(goal, model, &[]) {
                            Ok(ReachAnswer::Reachable(_)) => true,
                            Ok(ReachAnswer::Unreachable(_)) => false,
                            other => panic!("{other:?}"),
                        };
                        let file = dimacs(&program, plan.clone(), method, goal, model);
                        assert_eq!(satisfiable(&read(&file)), expected, "{model} {goal:?}");
                        reached += u32::from(expected);
                        asked += 1;
                    }
                }
            }
        }
        // Six goals under four models, three times. Unreachable are: the `final assert` under SC,
        // the `assert` of the loop program, and the `assert` of message passing under SC and TSO.
        assert_eq!((asked, reached), (72, 51));
    }

    #[test]
    fn fences_enabled_in_the_file_make_it_unsatisfiable() {
        let program = program(STORE_BUFFERING);
        let goal = Goal::Property(1);
        let kind = FenceKind::Full;
        let fences: Vec<FencePoint> = program
            .sites()
            .map(|(site, instruction)| (site.thread, instruction.from))
            .map(|(thread, loc)| FencePoint { thread, loc, kind })
            .collect();
        let plan = Plan {
            fences,
            ..plan(&program)
        };
        let file = dimacs(&program, plan, Method::default(), goal, Model::Tso);
        let mut clauses = read(&file);
        assert!(satisfiable(&clauses));
        let named = file.lines().filter(|line| line.contains(": full fence t"));
        for line in named {
            let number = line.trim_start_matches("c switch ").split(':').next();
            let number = number.and_then(|n| n.parse().ok()).expect("a number");
            clauses.push(vec![Lit::from_ipasir(number).expect("not 0")]);
        }
        assert!(!satisfiable(&clauses));
    }

    #[test]
    fn the_comments_name_goals_models_and_loops_by_their_lines() {
        let program = program(LOOP);
        let plan = plan(&program);
        let file = dimacs(
            &program,
            plan,
            Method::default(),
            Goal::Property(0),
            Model::Pso,
        );
        for words in [
            "c goal 1 assume ",
            ": assert of t1 at line 3 fails",
            ": forbid at line 4",
            "c model sc assume ",
            ": stores stay before later loads of their thread",
            ": frontier t0 at line 2: loop, at most 1 returns to its head",
            "c query goal 2 under pso assume ",
        ] {
            assert!(file.contains(words), "{words}: {file}");
        }
    }
}
