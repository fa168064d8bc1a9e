//! Which transitions of an automaton lie on a cycle, and how many of the others one path has.

use super::raw::Transition;

/// The strongly connected components of an automaton.
pub(super) struct Components {
    /// By state. Transitions lead to components of the same number, or of a greater one.
    of: Vec<usize>,
}

/// Finds them. `outgoing`: the transitions that leave each state.
pub(super) fn components(
    states: usize,
    transitions: &[Transition],
    outgoing: &[Vec<usize>],
) -> Components {
    // Kosaraju: states in the order in which a search leaves them; then, from the last one on,
    // backwards: each search finds one component.
    let mut order = Vec::with_capacity(states);
    let mut seen = vec![false; states];
    for root in 0..states {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((state, next)) = path.last_mut() {
            let Some(&at) = outgoing[*state].get(*next) else {
                order.push(*state);
                path.pop();
                continue;
            };
            *next += 1;
            let to = transitions[at].to;
            if !std::mem::replace(&mut seen[to], true) {
                path.push((to, 0));
            }
        }
    }
    let mut incoming = vec![Vec::new(); states];
    for transition in transitions {
        incoming[transition.to].push(transition.from);
    }
    let mut component = vec![usize::MAX; states];
    let mut count = 0;
    for &root in order.iter().rev() {
        if component[root] != usize::MAX {
            continue;
        }
        component[root] = count;
        let mut work = vec![root];
        while let Some(state) = work.pop() {
            for &from in &incoming[state] {
                if component[from] == usize::MAX {
                    component[from] = count;
                    work.push(from);
                }
            }
        }
        count += 1;
    }
    Components { of: component }
}

impl Components {
    /// Whether a transition may be executed more than once, since its ends reach each other.
    pub(super) fn is_cyclic(&self, transition: &Transition) -> bool {
        self.of[transition.from] == self.of[transition.to]
    }

    /// How many transitions of a kind one path from a state can have at most, of those that lie on
    /// no cycle.
    pub(super) fn most_on_a_path(
        &self,
        start: usize,
        transitions: &[Transition],
        counts: impl Fn(&Transition) -> bool,
    ) -> usize {
        let mut between: Vec<&Transition> =
            transitions.iter().filter(|t| !self.is_cyclic(t)).collect();
        between.sort_by_key(|transition| self.of[transition.from]);
        let mut most: Vec<Option<usize>> = vec![None; self.of.len()];
        most[self.of[start]] = Some(0);
        for transition in between {
            if let Some(before) = most[self.of[transition.from]] {
                let after = before + usize::from(counts(transition));
                let known = &mut most[self.of[transition.to]];
                *known = (*known).max(Some(after));
            }
        }
        most.into_iter().flatten().max().unwrap_or(0)
    }
}
