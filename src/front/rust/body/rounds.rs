//! How often a body is checked: until all types are known from its beginning.

use super::Body;
use super::captures::Used;
use super::moves::{Owners, Ways};
use super::scope::{Frame, Scope};
use crate::lower::typed::FunctionId;
use crate::rust::types::Infer;
use crate::rust::unit::{Context, Translator};
use std::collections::{BTreeMap, BTreeSet};

/// A body is checked at most this many times: each time, more types may be known from the beginning.
const MOST_ROUNDS: usize = 40;

/// Checks a body until nothing changes.
pub(super) fn rounds<'a>(
    t: &mut Translator<'a>,
    id: FunctionId,
    context: &Context,
    mut check: impl FnMut(&mut Body<'_, 'a>),
) {
    let (errors, requests) = (t.errors.len(), t.requests());
    let mut infer = Infer::with_vec(t.names.lang.vec);
    let mut known = None;
    let mut moved = Ways::new();
    let mut values = BTreeSet::new();
    for round in 1..=MOST_ROUNDS {
        let mut body = Body {
            t,
            context: context.clone(),
            infer,
            frames: vec![Frame::new(id)],
            vars: Vec::new(),
            scopes: vec![Scope::default()],
            exits: Vec::new(),
            returns: Vec::new(),
            pending: Vec::new(),
            statement: None,
            owners: Owners::new(),
            contents: Vec::new(),
            droppers: BTreeSet::new(),
            boxes: Vec::new(),
            kept_by_closure: 0,
            held_before: values.clone(),
            held_now: BTreeSet::new(),
            converted_to: Vec::new(),
            held_here: Vec::new(),
            is_called_once: false,
            mutably: false,
            shared: 0,
            changes_receiver: false,
            moved_before: moved.clone(),
            moved_now: Ways::new(),
            extended: BTreeMap::new(),
            labels: 0,
            known: known.clone(),
            used: Used::new(),
            depth: 0,
            names_thread: None,
            closures: BTreeMap::new(),
            declared: Vec::new(),
        };
        check(&mut body);
        let declared = std::mem::take(&mut body.declared);
        let unknown = declared
            .into_iter()
            .find(|(ty, typed, _)| body.typed(ty) != *typed);
        body.settle_held();
        let used = body.used;
        let held = body.held_now;
        let escapes = !held.is_subset(&values);
        let converted = body.converted_to;
        infer = body.infer;
        let found = body.moved_now;
        let failed = t.errors.len() > errors;
        if escapes && round < MOST_ROUNDS {
            // What was found out is of no use: it is another program.
            values.extend(held);
            infer = Infer::with_vec(t.names.lang.vec);
            known = None;
            t.errors.truncate(errors);
            t.forget_requests(requests);
            continue;
        }
        let changed = infer.again(failed) || !found.is_empty();
        let other = known.as_ref() != Some(&used);
        if !changed && (!other || used.is_empty()) {
            // What was made before a type was known does not have it.
            if let (Some((_, _, name)), false) = (unknown, failed) {
                let place = t.unit.functions[id.0].place;
                t.refuse(
                    format!("the type of `{name}` is not found out in this function"),
                    place.start as usize..place.end as usize,
                    "write the types of its variables",
                );
            }
            t.converts_to(converted);
            return;
        }
        if round == MOST_ROUNDS {
            t.converts_to(converted);
            // Nodes that were made before a type was known do not have it.
            let place = t.unit.functions[id.0].place;
            if changed && t.errors.len() == errors {
                t.refuse(
                    "the types in this function depend on each other too much",
                    place.start as usize..place.end as usize,
                    "write the types of its variables",
                );
            }
            // What is moved has to be known.
            if let Some(((start, end), _)) = found.first_key_value() {
                t.refuse(
                    "too many parts of this value are moved on their own",
                    *start..*end,
                    "move it as a whole",
                );
            }
            return;
        }
        for (of, ways) in found {
            moved.entry(of).or_default().extend(ways);
        }
        known = Some(used);
        t.errors.truncate(errors);
        t.forget_requests(requests);
    }
}
