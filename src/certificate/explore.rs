//! All states of a system, as a closed set.

use crate::verdict::Budget;
use crate::verify::{System, encoded, pack};
use ahash::AHashSet;
use std::collections::VecDeque;
use std::fmt;

/// The most bytes of all states: a set that does not compress would be a file of that size.
const MOST_BYTES: usize = 400 << 20;

/// Why there is no closed set without a bad state.
#[derive(Debug)]
pub(super) enum Unfinished {
    /// A bad state is reachable.
    Bad(String),
    /// There are more states than this.
    TooMany(usize),
    /// The stop flag was raised.
    Stopped,
}

impl fmt::Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfinished::Bad(why) => f.write_str(why),
            Unfinished::TooMany(states) => write!(f, "there are more than {states} states"),
            Unfinished::Stopped => f.write_str("stopped before all states were listed"),
        }
    }
}

/// Visits all states, up to a number of them; returns them as text.
pub(super) fn explore<S: System>(
    system: &S,
    most: usize,
    budget: &Budget,
) -> Result<String, Unfinished> {
    let initial = system.initial();
    let mut seen: AHashSet<Box<[u8]>> = AHashSet::new();
    let mut size = 0;
    seen.insert(encoded(system, &initial).into());
    // Breadth first: buffers that grow without end stay short for as long as possible.
    let mut work = VecDeque::from([initial]);
    while let Some(state) = work.pop_front() {
        if budget.is_stopped() {
            return Err(Unfinished::Stopped);
        }
        if let Some(why) = system.bad(&state) {
            return Err(Unfinished::Bad(why));
        }
        system.successors(&state, &mut |next| {
            let bytes = encoded(system, &next);
            if !seen.contains(bytes.as_slice()) {
                size += bytes.len();
                seen.insert(bytes.into());
                work.push_back(next);
            }
        });
        if seen.len() > most || size > MOST_BYTES {
            return Err(Unfinished::TooMany(most.min(seen.len())));
        }
    }
    let mut states: Vec<Box<[u8]>> = seen.into_iter().collect();
    states.sort_unstable();
    Ok(pack(&states))
}
