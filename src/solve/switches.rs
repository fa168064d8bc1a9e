//! Switches: assumptions with a meaning, so that questions and cores speak the caller's language.
//!
//! A switch is a pair of a meaning, of any type `S`, and the literal that is assumed while the
//! switch is on. A question switches some on; a core names those that were needed for the "no".
//!
//! **Absent.** What a switch means, and how it is wired to the formula: that is the encoder's.

use super::{Answer, Session};
use rustsat::types::Lit;

/// An answer in terms of switches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome<S> {
    /// There is a model with all these switches on, and [`Session::value`] reads it.
    Sat,
    /// There is none, and these switches already suffice for that.
    ///
    /// The core is a subset of the switches given, in the order given. It need not be minimal.
    /// Minimise before showing a core to a person. An empty core: no model at all, whatever is
    /// switched on. Of several switches with one literal, the first stands for all.
    Unsat(Vec<S>),
    /// Not known: see [`Answer::Stopped`].
    Stopped,
}

impl Session {
    /// Whether the formula has a model with these switches on. Switches not given are free.
    pub fn ask<S: Clone + Ord>(&mut self, switches: &[(S, Lit)]) -> Outcome<S> {
        match self.solve(&literals(switches)) {
            Answer::Sat => Outcome::Sat,
            Answer::Unsat(core) => Outcome::Unsat(meanings(switches, &core)),
            Answer::Stopped => Outcome::Stopped,
        }
    }

    /// As [`Session::ask`], with an irreducible core: with any one of its switches left free there
    /// is a model. A stop while minimising loses the answer, too.
    pub fn ask_minimal<S: Clone + Ord>(&mut self, switches: &[(S, Lit)]) -> Outcome<S> {
        match self.solve(&literals(switches)) {
            Answer::Sat => Outcome::Sat,
            Answer::Unsat(core) => match self.minimise(core) {
                Some(core) => Outcome::Unsat(meanings(switches, &core)),
                None => Outcome::Stopped,
            },
            Answer::Stopped => Outcome::Stopped,
        }
    }
}

fn literals<S>(switches: &[(S, Lit)]) -> Vec<Lit> {
    switches.iter().map(|&(_, lit)| lit).collect()
}

/// The meanings of a core, whose literals come in the order of the first switch for each.
fn meanings<S: Clone>(switches: &[(S, Lit)], core: &[Lit]) -> Vec<S> {
    let mut rest = core.iter().peekable();
    let mut meanings = Vec::with_capacity(core.len());
    for (meaning, lit) in switches {
        if rest.peek() == Some(&lit) {
            meanings.push(meaning.clone());
            rest.next();
        }
    }
    meanings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::SolverKind;
    use crate::verdict::Budget;

    fn lit(number: i32) -> Lit {
        Lit::from_ipasir(number).expect("not zero")
    }

    fn session(kind: SolverKind, clauses: &[&[i32]]) -> Session {
        let mut session = Session::new(kind, &Budget::default());
        for clause in clauses {
            let clause: Vec<Lit> = clause.iter().map(|&number| lit(number)).collect();
            session.add_clause(&clause);
        }
        session
    }

    #[test]
    fn a_core_names_the_switches_in_the_order_given() {
        for &kind in SolverKind::ALL {
            let mut session = session(kind, &[&[-1, -3], &[2, 4]]);
            let switches = [("d", lit(4)), ("c", lit(3)), ("b", lit(2)), ("a", lit(1))];
            assert_eq!(
                session.ask_minimal(&switches),
                Outcome::Unsat(vec!["c", "a"])
            );
            assert_eq!(session.ask(&switches[..3]), Outcome::Sat);
            assert!(session.value(lit(3)) && !session.value(lit(1)) && session.value(lit(-1)));
        }
    }

    #[test]
    fn an_unsatisfiable_formula_needs_no_switch() {
        for &kind in SolverKind::ALL {
            let mut session = session(kind, &[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]]);
            let switches = [("x", lit(5)), ("y", lit(1))];
            assert_eq!(session.ask_minimal(&switches), Outcome::Unsat(vec![]));
        }
    }

    #[test]
    fn the_empty_clause_makes_every_answer_no() {
        for &kind in SolverKind::ALL {
            let mut session = session(kind, &[&[]]);
            assert_eq!(session.ask(&[("x", lit(1))]), Outcome::Unsat(vec![]));
            assert_eq!(session.solve(&[]), Answer::Unsat(vec![]));
        }
    }

    #[test]
    fn contradictory_and_repeated_switches_are_settled_without_the_solver() {
        for &kind in SolverKind::ALL {
            let mut session = session(kind, &[&[1, 2]]);
            let on_and_off = [("p", lit(7)), ("q", lit(1)), ("r", lit(7)), ("s", lit(-7))];
            assert_eq!(session.ask(&on_and_off), Outcome::Unsat(vec!["p", "s"]));
            assert_eq!(
                session.ask_minimal(&on_and_off),
                Outcome::Unsat(vec!["p", "s"])
            );
            assert_eq!(session.ask(&on_and_off[..3]), Outcome::Sat);
            session.add_clause(&[lit(-7)]);
            assert_eq!(session.ask_minimal(&on_and_off), Outcome::Unsat(vec!["p"]));
        }
    }

    #[test]
    fn variables_that_the_solver_never_saw_are_false() {
        for &kind in SolverKind::ALL {
            let mut session = session(kind, &[&[1, 2]]);
            assert_eq!(session.ask(&[("far", lit(40))]), Outcome::Sat);
            assert!(session.value(lit(40)));
            assert!(!session.value(lit(1000)) && session.value(lit(-1000)));
        }
    }

    #[test]
    fn clauses_added_while_a_model_is_read_leave_it_alone() {
        for &kind in SolverKind::ALL {
            let mut session = session(kind, &[&[1], &[2, 3]]);
            assert_eq!(session.solve(&[lit(-2)]), Answer::Sat);
            session.add_clause(&[lit(-3), lit(9)]);
            assert!(session.value(lit(1)) && session.value(lit(3)) && !session.value(lit(9)));
            assert_eq!(
                session.solve(&[lit(-2), lit(-9)]),
                Answer::Unsat(vec![lit(-2), lit(-9)])
            );
            assert_eq!((session.stats().queries, session.stats().clauses), (2, 3));
        }
    }
}
