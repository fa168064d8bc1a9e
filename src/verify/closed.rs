//! Evidence by a closed set: the initial state is in it, no step leaves it, no state in it is bad.
//!
//! By induction all reachable states are in the set, so none of them is bad. States that are not reachable
//! do no harm as long as the set is closed.

use super::Refusal;
use super::codec::{self, Numbers};
use std::collections::HashSet;

/// States and steps between them.
pub trait System {
    /// A state.
    type State;

    /// The initial state.
    fn initial(&self) -> Self::State;

    /// Calls `see` with each state after one step.
    fn successors(&self, state: &Self::State, see: &mut dyn FnMut(Self::State));

    /// What is bad about a state, if it is.
    fn bad(&self, state: &Self::State) -> Option<String>;

    /// Appends the numbers of a state: the same for states that behave alike.
    fn write(&self, state: &Self::State, out: &mut Vec<i32>);

    /// The state with these numbers; `None` if there is none.
    fn read(&self, numbers: &mut Numbers<'_>) -> Option<Self::State>;
}

/// A state as bytes.
pub fn encoded<S: System>(system: &S, state: &S::State) -> Vec<u8> {
    let (mut numbers, mut bytes) = (Vec::new(), Vec::new());
    encode(system, state, &mut numbers, &mut bytes);
    bytes
}

fn encode<S: System>(system: &S, state: &S::State, numbers: &mut Vec<i32>, bytes: &mut Vec<u8>) {
    numbers.clear();
    system.write(state, numbers);
    codec::numbers(numbers, bytes);
}

/// Checks that a set of states is closed and contains the initial state and no bad one. Returns the
/// number of its states.
///
/// # Errors
///
/// The first state at fault.
pub(super) fn check<S: System>(system: &S, set: &str) -> Result<usize, Refusal> {
    let Some((bytes, ends)) = codec::unpack(set) else {
        return Err(Refusal::refuted("the set of states cannot be unpacked"));
    };
    let mut starts = ends
        .iter()
        .scan(0, |start, &end| Some((std::mem::replace(start, end), end)));
    let states: HashSet<&[u8]> = starts
        .by_ref()
        .map(|(start, end)| &bytes[start..end])
        .collect();
    if !states.contains(encoded(system, &system.initial()).as_slice()) {
        return Err(Refusal::refuted("the initial state is not in the set"));
    }
    let (mut numbers, mut next) = (Vec::new(), Vec::new());
    let mut start = 0;
    for (number, &end) in ends.iter().enumerate() {
        let mut read = Numbers(&bytes[start..end]);
        start = end;
        let Some(state) = system.read(&mut read).filter(|_| read.0.is_empty()) else {
            return Err(Refusal::refuted(format!(
                "state {number} is no state of the program"
            )));
        };
        if let Some(why) = system.bad(&state) {
            return Err(Refusal::refuted(format!("state {number} is bad: {why}")));
        }
        let mut leaves = false;
        system.successors(&state, &mut |after| {
            encode(system, &after, &mut numbers, &mut next);
            leaves |= !states.contains(next.as_slice());
        });
        if leaves {
            return Err(Refusal::refuted(format!(
                "a step leaves the set from state {number}"
            )));
        }
    }
    Ok(states.len())
}
