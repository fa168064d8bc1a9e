//! Which transitions of an automaton lie on a cycle.

use super::raw::Transition;

/// By transition: whether it can be executed more than once, since its ends reach each other.
/// `outgoing`: the transitions that leave each state.
pub(super) fn in_cycles(
    states: usize,
    transitions: &[Transition],
    outgoing: &[Vec<usize>],
) -> Vec<bool> {
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
    for &root in order.iter().rev() {
        if component[root] != usize::MAX {
            continue;
        }
        component[root] = root;
        let mut work = vec![root];
        while let Some(state) = work.pop() {
            for &from in &incoming[state] {
                if component[from] == usize::MAX {
                    component[from] = root;
                    work.push(from);
                }
            }
        }
    }
    let cyclic = |t: &Transition| component[t.from] == component[t.to];
    transitions.iter().map(cyclic).collect()
}
