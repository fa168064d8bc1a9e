//! The attacks of a thread, decided in a program that consists of the thread's group.
//!
//! Threads of other groups do not influence it: see [`groups`](super::neighbours::groups). A computation of
//! the group is one of the program in which they do not move, and a witness there, too.

use super::attack::Attack;
use super::query::Part;
use super::witness::check_witness;
use crate::model::Model;
use crate::program::{Excerpt, Program, ThreadId};
use crate::reference::{ReplayError, replay};
use crate::verdict::{Defect, Verdict};

/// The threads of one group.
pub(super) struct Group<'p> {
    whole: &'p Program,
    /// `None` if this is the only group.
    excerpt: Option<Excerpt>,
}

impl<'p> Group<'p> {
    /// The group of a thread, given those of all threads.
    pub(super) fn of(thread: ThreadId, groups: &[usize], whole: &'p Program) -> Self {
        let is_own = |other: &ThreadId| groups[other.index()] == groups[thread.index()];
        let own: Vec<ThreadId> = whole.thread_ids().filter(is_own).collect();
        let is_all = own.len() == groups.len();
        Self {
            whole,
            excerpt: (!is_all).then(|| Excerpt::new(whole, &own, &[])),
        }
    }

    /// The program to search.
    pub(super) fn program(&self) -> &Program {
        self.excerpt
            .as_ref()
            .map_or(self.whole, |excerpt| &excerpt.program)
    }

    /// What attacks of the whole program are in this one.
    pub(super) fn inside(&self, attacks: &[Attack]) -> Vec<Attack> {
        let inside = |thread| {
            self.excerpt
                .as_ref()
                .map_or(thread, |excerpt| excerpt.inner(thread))
        };
        let attacks = attacks.iter();
        let renamed = attacks.map(|&attack| Attack {
            thread: inside(attack.thread),
            ..attack
        });
        renamed.collect()
    }

    /// Answers about attacks of this program as answers about those of the whole.
    ///
    /// # Errors
    ///
    /// If the reference rejects a witness, or it is none.
    pub(super) fn outside(&self, mut part: Part, model: Model) -> Result<Part, Defect> {
        let Some(excerpt) = &self.excerpt else {
            return Ok(part);
        };
        let outer = |thread| excerpt.outer(thread);
        for answer in &mut part.answers {
            answer.attack.thread = outer(answer.attack.thread);
            match &mut answer.verdict {
                Verdict::Violated(run) => {
                    let steps = run.moments.iter();
                    let steps: Vec<_> = steps
                        .map(|moment| moment.step.renamed(outer, |cell| cell))
                        .collect();
                    let refused = |ReplayError { at, message }| {
                        Defect::witness(format!("step {at}: {message}"))
                    };
                    *run = replay(self.whole, model, &steps).map_err(refused)?;
                    check_witness(run, answer.attack).map_err(Defect::witness)?;
                }
                Verdict::HoldsWithin(bounds) => {
                    for bound in &mut bounds.loops {
                        bound.thread = outer(bound.thread);
                    }
                }
                Verdict::Holds | Verdict::Unknown(_) => {}
            }
        }
        Ok(part)
    }
}
