//! Stages, with searches that need a known number of rounds.

use super::*;
use crate::model::Model;
use crate::problem::Memory;
use crate::race::{ENTRANTS, Standing};
use crate::verdict::{Reason, Verdict};
use std::sync::atomic::{AtomicUsize, Ordering};

/// One attack of each of two threads.
fn attacks() -> [Attack; 2] {
    let attack = |thread: usize| Attack {
        thread: thread.into(),
        store: 0.into(),
        last: 1.into(),
    };
    [attack(0), attack(1)]
}

/// A race that has not begun.
fn start() -> Standing {
    let program = crate::formats::parse("thread t { }").program;
    Standing::new(&ENTRANTS, None, &program.expect("no errors in the text"))
}

/// The verdicts on the two attacks, and how many searches there were: the first attack is feasible, which takes
/// any number of rows, and the second one is not, which takes so many.
fn searched(every: bool, needed: u32) -> (Vec<Verdict<()>>, usize) {
    let attacks = attacks();
    let mut options = RobustOptions::new(Model::Tso);
    options.every = every;
    let searches = AtomicUsize::new(0);
    let search = |attacks: &[Attack], begun: Option<Begun>, rounds: u32, _: &Budget| {
        searches.fetch_add(1, Ordering::Relaxed);
        let mut begun = begun.unwrap_or_else(|| Begun::new(attacks, start(), Memory::default()));
        for answer in &mut begun.found.answers {
            if answer.query.thread.index() == 0 {
                answer.verdict = Verdict::Violated(Vec::new());
            } else if rounds >= needed {
                answer.verdict = Verdict::Holds;
            }
        }
        Ok(begun)
    };
    let by_thread = [&attacks[..1], &attacks[1..]];
    let begun = in_rounds(&by_thread, &options, &Budget::default(), search).expect("no defect");
    let answers = begun.into_iter().flat_map(|begun| begun.found.answers);
    let verdicts = answers.map(|answer| answer.verdict.map(|_| ()));
    (verdicts.collect(), searches.into_inner())
}

#[test]
fn what_is_open_after_a_round_with_a_feasible_attack_is_left_unless_every_one_is_asked_for() {
    let (first, last) = (QUICK.0, ROUNDS);
    let left = Verdict::Unknown(Reason::Decided(Decided::ByAttackSooner));
    let feasible = Verdict::Violated(());
    assert_eq!(
        searched(false, last),
        (vec![feasible.clone(), left], 2),
        "one round of two threads"
    );
    for needed in [first, first + 1, last] {
        let (verdicts, searches) = searched(true, needed);
        assert_eq!(
            verdicts,
            [feasible.clone(), Verdict::Holds],
            "{needed} rounds"
        );
        // A thread whose attacks are decided is not searched again.
        let stages = stages(&RobustOptions::new(Model::Tso));
        let stages = stages.iter().position(|&(rounds, _)| rounds >= needed);
        let stages = stages.expect("the last stage has all rounds") + 1;
        assert_eq!(searches, 1 + stages);
    }
    assert_eq!(
        searched(false, first),
        (vec![feasible, Verdict::Holds], 2),
        "what the round decides is kept"
    );
}
