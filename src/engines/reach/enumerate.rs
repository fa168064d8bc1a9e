//! All configurations that the bounded engine can reach, each from one solver model.
//!
//! This is not meant for queries by users. It is the strongest way to compare the SAT path with the
//! reference: two engines may agree on a "yes" for different reasons, but rarely on a set of
//! configurations.

use super::Fault;
use super::{Method, Reach, ReachAnswer};
use crate::encode::Plan;
use crate::model::Model;
use crate::program::{
    BinaryOp, Expr, Goal, LocId, Observable, Origin, Program, Property, PropertyKind, RegId,
};
use crate::reference::Halt;
use crate::trace::Mismatch;
use crate::verdict::{Budget, Stop};
use std::collections::BTreeSet;

/// The halting configurations in which every thread has ended, or all of them, that are reachable
/// when each loop returns to its head at most `returns` times.
///
/// # Errors
///
/// If the stop flag was raised first, or a computation found does not replay.
pub fn configurations(
    program: &Program,
    model: Model,
    ended: bool,
    returns: u32,
    method: Method,
    budget: &Budget,
) -> Result<BTreeSet<Halt>, Stop<Fault>> {
    let mut shown: Vec<Observable> = program.cells().map(Observable::Cell).collect();
    for thread in program.thread_ids() {
        let automaton = program.thread(thread);
        let registers = 0..automaton.registers().len();
        shown.extend(registers.map(|r| Observable::Register(thread, RegId::from(r))));
        let locations = (0..automaton.locations().len()).map(LocId::from);
        shown.extend(
            locations
                .filter(|&loc| !automaton.location(loc).atomic)
                .map(|loc| Observable::At(thread, loc)),
        );
    }
    // Always true, but mentions every observable, so that none is sliced away.
    let predicate = shown.iter().fold(Expr::Const(1), |all, &observable| {
        Expr::binary(BinaryOp::Or, all, Expr::Var(observable))
    });
    let kind = if ended {
        PropertyKind::Exists
    } else {
        PropertyKind::Forbid
    };
    let origin = Origin::default();
    let extended = program.with_property(Property {
        kind,
        predicate,
        origin,
    });
    let goal = Goal::Property(program.properties().len());
    let plan = Plan {
        returns,
        ..Plan::new(vec![goal], model)
    };
    let mut reach = Reach::open(&extended, plan, method, budget);
    let mut halts = BTreeSet::new();
    loop {
        match reach.ask(goal, model, &[])? {
            ReachAnswer::Reachable(run) => {
                reach.exclude(&shown, &run.end);
                if !halts.insert(run.end) {
                    let message = "a configuration was found twice".to_owned();
                    return Err(Fault::from(Mismatch { message }).into());
                }
            }
            ReachAnswer::Unreachable(_) => return Ok(halts),
        }
    }
}

impl Reach<'_> {
    /// Excludes from now on every configuration with the same observables.
    fn exclude(&mut self, shown: &[Observable], halt: &Halt) {
        let mut clause = Vec::new();
        for &observable in shown {
            let value = match observable {
                Observable::Cell(cell) => halt.memory[cell.index()],
                Observable::Register(thread, reg) => halt.registers[thread.index()][reg.index()],
                Observable::At(thread, loc) => i32::from(halt.locations[thread.index()] == loc),
            };
            let bits = self.encoding.observe(observable);
            clause.push(!bits.equal(&crate::cnf::Bits::constant(value), &mut self.encoding.cnf));
        }
        self.encoding.cnf.clause(&clause);
    }
}
