//! Closed sets by what actors can do, instead of by what they may do in all of their future.

use super::closed::Set;
use super::{Actor, Node, Persistent};
use crate::program::ThreadId;
use crate::search::ahead::{By, Stopped, View};
use crate::search::footprint::Touch;
use smallvec::smallvec;

impl Persistent {
    /// A closed set with fewer enabled actors than `most`, but at least one, if looking ahead finds one.
    /// From each enabled actor on, a set is extended by the actors on which it is found to depend.
    pub(super) fn bounded(
        &self,
        nodes: &[Node<'_>],
        most: usize,
        view: &mut View<'_, '_>,
    ) -> Option<Set> {
        let mut best = None;
        let mut most = most;
        let mut hopeless = vec![false; nodes.len()];
        for first in (0..nodes.len()).filter(|&node| nodes[node].enabled) {
            if most < 2 || !view.has_bounds() {
                break;
            }
            if let Some(set) = self.bounded_from(nodes, first, most, &hopeless, view) {
                most = set.iter().filter(|&&node| nodes[node].enabled).count();
                best = Some(set);
            }
            hopeless[first] = true;
        }
        best
    }

    fn bounded_from(
        &self,
        nodes: &[Node<'_>],
        first: usize,
        most: usize,
        hopeless: &[bool],
        view: &mut View<'_, '_>,
    ) -> Option<Set> {
        let properties = self.footprint.properties();
        let depends = |at: &Node<'_>, thread: ThreadId, touch: &Touch| {
            if at.actor.thread() == thread {
                at.next.both_write(touch, properties)
            } else {
                at.next.conflicts(touch)
            }
        };
        let mut set: Set = smallvec![first];
        let mut stopped = vec![Stopped::default(); view.machine.program.threads().len()];
        let mut enabled = 0;
        let mut next = 0;
        loop {
            while let Some(&at) = set.get(next) {
                next += 1;
                let node = &nodes[at];
                enabled += usize::from(node.enabled);
                if enabled >= most || hopeless[at] {
                    return None;
                }
                let stopped = &mut stopped[node.actor.thread().index()];
                match node.actor {
                    Actor::Control(_) => stopped.control = true,
                    Actor::Buffer(_) => stopped.buffer = true,
                    Actor::Cell(..) => return None,
                }
                // Its next steps are possible now.
                let others = (0..nodes.len()).filter(|&other| {
                    let candidate = &nodes[other];
                    node.waits_for == Some(other)
                        || node.coupled == Some(other)
                        || other != at && depends(node, candidate.actor.thread(), &candidate.next)
                });
                for other in others {
                    if !set.contains(&other) {
                        set.push(other);
                    }
                }
            }
            let touch = view.first_touch(&self.footprint, &stopped, |thread, _, touch| {
                set.iter().any(|&at| depends(&nodes[at], thread, touch))
            });
            let Some((thread, by)) = touch.ok()? else {
                return Some(set);
            };
            let find = |actor| nodes.iter().position(|node| node.actor == actor);
            let buffer = find(Actor::Buffer(thread));
            // A store that is issued later comes out of the buffer later, too.
            let other = match by {
                By::Buffer | By::Store => buffer.or_else(|| find(Actor::Control(thread))),
                By::Other => find(Actor::Control(thread)),
            };
            let other = other.filter(|other| !set.contains(other))?;
            set.push(other);
        }
    }
}
