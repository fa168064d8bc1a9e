//! Visits every reachable configuration, without any reduction.
//!
//! Everything else is compared with this module, so it is as simple as possible: the visited
//! configurations in the order in which they were found, and the rules. Cost: one hash lookup per
//! step; each configuration is stored once, packed.

use super::machine::{Config, Machine};
use super::pack::{pack, unpack};
use super::rules::MOST_CHOICES;
use super::store::Store;
use super::{Exploration, Halt};
use crate::model::Model;
use crate::program::{Program, Site};
use crate::verdict::{Budget, Reason};
use std::collections::BTreeSet;

/// All configurations in which every thread has ended.
///
/// **Incomplete:** a `nondet` over more than 256 values is not explored; `incomplete` then says so.
pub fn explore(program: &Program, model: Model, budget: &Budget) -> Exploration {
    let mut finals = BTreeSet::new();
    let (states, incomplete) = visit(program, model, budget, |machine, config| {
        if machine.is_halting(config) && machine.all_ended(config) {
            finals.insert(machine.halt(config));
        }
    });
    Exploration {
        finals,
        states,
        incomplete,
    }
}

/// All halting configurations, at any locations, and why some may be missing.
pub fn explore_halts(
    program: &Program,
    model: Model,
    budget: &Budget,
) -> (BTreeSet<Halt>, Option<Reason>) {
    let mut halts = BTreeSet::new();
    let (_, incomplete) = visit(program, model, budget, |machine, config| {
        if machine.is_halting(config) {
            halts.insert(machine.halt(config));
        }
    });
    (halts, incomplete)
}

/// Calls `see` once for each reachable configuration. Returns their number, and why there may be
/// more.
fn visit(
    program: &Program,
    model: Model,
    budget: &Budget,
    mut see: impl FnMut(&Machine<'_>, &Config),
) -> (usize, Option<Reason>) {
    let machine = Machine::new(program, model);
    let mut config = machine.initial();
    let mut next = config.clone();
    let mut bytes = Vec::new();
    pack(&config, &mut bytes);
    let mut seen = Store::default();
    seen.insert(&bytes, |_| {});
    let mut visited = 0;
    let mut steps = Vec::new();
    let mut too_wide = None;

    while visited < seen.len() {
        if budget.is_stopped() {
            return (seen.len(), Some(Reason::Stopped));
        }
        budget.progress().visited(visited);
        unpack(seen.packed(visited as u32), &mut config);
        visited += 1;
        see(&machine, &config);
        steps.clear();
        too_wide = too_wide.or(machine.propose(&config, &mut steps));
        next.clone_from(&config);
        for &step in &steps {
            if machine.apply(&mut next, step).is_err() {
                continue;
            }
            pack(&next, &mut bytes);
            let (_, new) = seen.insert(&bytes, |_| {});
            if new && seen.len() > budget.states {
                return (budget.states, Some(Reason::StateBudget(budget.states)));
            }
            next.clone_from(&config);
        }
    }
    (seen.len(), too_wide.map(|site| wide_choice(program, site)))
}

/// The reason for not exploring a `nondet`.
pub fn wide_choice(program: &Program, site: Site) -> Reason {
    let line = program.line_words(program.instruction(site).origin);
    Reason::Unsupported(format!(
        "{line}: a `nondet` over more than {MOST_CHOICES} values is not enumerated"
    ))
}
