//! Goals that value analysis alone refutes.

use super::eval::eval;
use super::set::ValueSet;
use super::values::Values;
use crate::program::{Goal, LocId, Observable, Op, Program, PropertyKind};

/// Whether the possible values of registers and cells show that no execution under any model
/// reaches the goal. False if they do not show it.
pub fn refuted(program: &Program, values: &Values, goal: Goal) -> bool {
    match goal {
        Goal::Assert(site) => {
            let instruction = program.instruction(site);
            let Op::Assert(e) = &instruction.op else {
                return true;
            };
            let set = values.eval_at(site.thread, instruction.from, e);
            !set.may_be_false()
        }
        Goal::Outside(site) => !values.addresses(program, site).outside,
        Goal::Property(index) => {
            let property = &program.properties()[index];
            if property.kind.is_about_waiting() {
                return false;
            }
            let part = |part| match part {
                Observable::At(thread, loc) if values.reachable(thread, loc) => {
                    ValueSet::of([0, 1])
                }
                Observable::At(_, _) => ValueSet::one(0),
                Observable::Register(thread, register) => {
                    values.register_ever(thread, register).clone()
                }
                Observable::Cell(addr) => values.cell(addr).clone(),
            };
            let predicate = eval(&property.predicate, part);
            let never = |kind| match kind {
                PropertyKind::Forbid | PropertyKind::Exists => !predicate.may_be_true(),
                PropertyKind::FinalAssert => !predicate.may_be_false(),
                PropertyKind::Stuck | PropertyKind::Starved(_) => false,
            };
            never(property.kind)
                || property.kind != PropertyKind::Forbid && !all_end(program, values)
        }
    }
}

/// Whether each thread may reach an end.
fn all_end(program: &Program, values: &Values) -> bool {
    program.thread_ids().all(|thread| {
        let automaton = program.thread(thread);
        let mut locations = (0..automaton.locations().len()).map(LocId::from);
        locations.any(|loc| automaton.is_end(loc) && values.reachable(thread, loc))
    })
}
