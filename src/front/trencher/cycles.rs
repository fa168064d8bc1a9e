//! Which transitions of an automaton lie on a cycle, and how many of the others one path has.

use super::raw::Transition;
use crate::facts;
use crate::program::LocId;

/// The strongly connected components of an automaton.
pub(super) struct Components {
    /// By state. Transitions lead to components of the same number, or of a greater one.
    of: Vec<usize>,
}

/// Finds them.
pub(super) fn components(states: usize, transitions: &[Transition]) -> Components {
    let mut successors = vec![Vec::new(); states];
    for transition in transitions {
        successors[transition.from].push(LocId::from(transition.to));
    }
    Components {
        of: facts::components(successors),
    }
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

#[cfg(test)]
mod tests {
    use super::super::raw::Instr;
    use super::*;
    use proptest::prelude::*;

    const STATES: usize = 8;

    fn transitions() -> BoxedStrategy<Vec<Transition>> {
        let transition = |(from, to, counts)| Transition {
            from,
            to,
            instr: if counts { Instr::Mfence } else { Instr::Noop },
            span: 0..0,
            does: 0..0,
        };
        let ends = (0..STATES, 0..STATES, any::<bool>());
        prop::collection::vec(ends.prop_map(transition), 0..14).boxed()
    }

    /// The most counted transitions on a path from a state that passes no state twice.
    fn most(transitions: &[Transition], state: usize, passed: &mut Vec<usize>) -> usize {
        passed.push(state);
        let mut found = 0;
        for transition in transitions.iter().filter(|t| t.from == state) {
            if !passed.contains(&transition.to) {
                let here = usize::from(matches!(transition.instr, Instr::Mfence));
                found = found.max(here + most(transitions, transition.to, passed));
            }
        }
        passed.pop();
        found
    }

    proptest! {
        #[test]
        fn cycles_are_where_the_end_leads_back(transitions in transitions()) {
            let mut reaches = [[false; STATES]; STATES];
            for (at, row) in reaches.iter_mut().enumerate() {
                row[at] = true;
            }
            for _ in 0..STATES {
                for t in &transitions {
                    for row in &mut reaches {
                        row[t.to] |= row[t.from];
                    }
                }
            }
            let found = components(STATES, &transitions);
            for t in &transitions {
                prop_assert_eq!(found.is_cyclic(t), reaches[t.to][t.from]);
                prop_assert!(found.of[t.from] <= found.of[t.to]);
            }
            // Each component passed at no cost: only what lies between them counts.
            let between: Vec<Transition> = transitions
                .iter()
                .filter(|t| !found.is_cyclic(t))
                .map(|t| Transition { from: found.of[t.from], to: found.of[t.to], ..t.clone() })
                .collect();
            let counts = |t: &Transition| matches!(t.instr, Instr::Mfence);
            let expected = most(&between, found.of[0], &mut Vec::new());
            prop_assert_eq!(found.most_on_a_path(0, &transitions, counts), expected);
        }
    }
}
