//! Programs that no user would write: the seeds and mutants of the parser's fuzz tests.

use super::super::*;
use crate::formats::tests::fuzz::{MATERIAL, SEEDS};
use crate::formats::tests::mutate::Change as Mutation;
use proptest::prelude::*;

/// Tries all single changes of a text, each with the changes it must be made with and with fences
/// after it. Returns those that cannot be written, as far as they are exchanges, removals, or
/// fences after stores.
fn refused(text: &str) -> Vec<Change> {
    let Some(program) = parse(text).program else {
        return Vec::new();
    };
    let source = SourceText::new(text, &program).expect("its own text");
    let mut refused = Vec::new();
    for (site, instruction) in program.sites().take(60) {
        let (thread, loc) = (site.thread, instruction.to);
        let alike = source.places_alike(thread, loc);
        let inside = program.thread(thread).location(loc).atomic;
        let matters = instruction.op.is_store() && !program.thread(thread).is_end(loc);
        let fence = Fence::Store;
        if alike.is_empty() && matters && !inside {
            refused.push(Change::Fence { thread, loc, fence });
            continue;
        }
        let places: BTreeSet<(ThreadId, LocId)> = alike.into_iter().collect();
        let mut changes: Vec<Change> = fences(&places, &fence).collect();
        source.rewrite(&changes).expect("it can be written");
        let own = source.sites_alike(site).into_iter();
        if instruction.op.is_store() {
            changes.extend(own.map(Change::Exchange));
        } else if matches!(instruction.op, Op::Fence(_)) {
            changes.extend(own.map(Change::Remove));
        }
        if let Err(unwritable) = source.rewrite(&changes) {
            refused.push(unwritable.change);
        }
    }
    refused
}

#[test]
fn odd_programs_are_changed_like_others() {
    for text in SEEDS {
        assert_eq!(refused(text), [], "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_change_of_a_mutated_text_can_be_written(
        seed in 0..SEEDS.len(),
        changes in prop::collection::vec(any::<Mutation>(), 1..3),
    ) {
        let text = MATERIAL.mutated(seed, &changes);
        // A fence must stay if it has the only mention of an undeclared cell, or an expectation
        // between its words.
        let mut refused = refused(&text);
        refused.retain(|change| !matches!(change, Change::Remove(_)));
        prop_assert!(refused.is_empty(), "{:?} in {}", refused, text);
    }
}
