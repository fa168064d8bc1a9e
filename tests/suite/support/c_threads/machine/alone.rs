//! Waiting forever, by definition: each thread is run alone, with memory as it is.

use super::{Machine, World};
use std::collections::HashMap;

impl Machine<'_> {
    /// Whether nothing is buffered, the process goes on, some thread has not ended, and each of these
    /// waits.
    pub(super) fn is_stuck(&mut self, world: &World) -> bool {
        let is_quiet = world.threads.iter().all(|it| it.buffer.is_empty());
        if !is_quiet || world.is_over || world.alone.is_some() {
            return false;
        }
        let mut open = (0..world.threads.len())
            .filter(|&thread| world.threads[thread].result.is_none())
            .peekable();
        open.peek().is_some() && open.all(|thread| self.waits(world, thread))
    }

    /// Whether a thread that runs alone never ends, never leaves another memory, and goes on forever:
    /// it repeats itself, or is in an operation that others have to make possible. Nothing that went
    /// wrong, and nothing that is assumed not to happen, is a wait.
    fn waits(&mut self, first: &World, thread: usize) -> bool {
        if first.threads[thread].is_halted {
            return false;
        }
        let model = std::mem::replace(&mut self.model, fencepost::internals::model::Model::Sc);
        let found = self.repeats(first, thread);
        self.model = model;
        found
    }

    fn repeats(&mut self, first: &World, thread: usize) -> bool {
        let mut numbers = HashMap::from([(first.clone(), 0)]);
        let mut worlds = vec![first.clone()];
        let mut edges: Vec<Vec<usize>> = Vec::new();
        let mut is_blocked = false;
        while let Some(world) = worlds.get(edges.len()).cloned() {
            let mut next = Vec::new();
            if !world.threads[thread].is_halted {
                let successors = self.successors(&world, thread);
                is_blocked |= successors.is_empty();
                for after in successors {
                    if moves(first, &after, thread) {
                        return false;
                    }
                    let fresh = numbers.len();
                    let number = *numbers.entry(after.clone()).or_insert(fresh);
                    if number == fresh {
                        worlds.push(after);
                    }
                    next.push(number);
                }
            }
            edges.push(next);
        }
        is_blocked || has_cycle(edges)
    }
}

/// Whether a thread that ran alone has ended, or has changed what others see.
fn moves(first: &World, after: &World, thread: usize) -> bool {
    let has_ended = after.threads[thread].result.is_some() || after.is_over;
    if has_ended || after.alone.is_some() {
        // An atomic section is one action.
        return has_ended;
    }
    let others = |world: &World| {
        let all = world.threads.iter().enumerate();
        let awake = all.filter(|(number, it)| *number != thread && !it.is_asleep);
        awake.count()
    };
    let sleeps = |world: &World| world.threads[thread].is_asleep;
    after.memory != first.memory
        || after.freed != first.freed
        || after.threads.len() != first.threads.len()
        || others(after) != others(first)
        || sleeps(after) != sleeps(first)
}

/// Whether a graph has a cycle: removes what leads nowhere until nothing more can be removed.
fn has_cycle(mut edges: Vec<Vec<usize>>) -> bool {
    let mut is_open = vec![true; edges.len()];
    loop {
        let ends: Vec<usize> = (0..edges.len())
            .filter(|&at| is_open[at] && edges[at].is_empty())
            .collect();
        if ends.is_empty() {
            return is_open.contains(&true);
        }
        for at in ends {
            is_open[at] = false;
        }
        for next in &mut edges {
            next.retain(|to| is_open[*to]);
        }
    }
}
