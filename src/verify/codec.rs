//! Sets of states as text: numbers, sorted byte strings with their common beginnings left out, base 64.
//!
//! ```text
//!   state     its numbers, zigzag and seven bits per byte, zeros at the end left out
//!   set       per state: how many bytes it shares with the one before, how many follow, and these
//! ```

/// The most bytes that the states of one set may have together: 1 GiB.
const MOST_BYTES: usize = 1 << 30;

/// The most states of one set. With fewer bytes each, they still take memory.
const MOST_STATES: usize = 1 << 23;

/// The most bytes of one state.
const MOST_STATE: usize = 1 << 16;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Appends a number, seven bits per byte.
fn put(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// The number at the beginning of the bytes, which is removed from them.
fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..=56).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// The numbers of a state as bytes.
pub(super) fn numbers(state: &[i32], out: &mut Vec<u8>) {
    out.clear();
    let end = state
        .iter()
        .rposition(|&n| n != 0)
        .map_or(0, |last| last + 1);
    for &number in &state[..end] {
        put(u64::from(((number << 1) ^ (number >> 31)) as u32), out);
    }
}

/// Numbers that are not negative as bytes.
pub fn number_string(list: &[u32]) -> Vec<u8> {
    let list: Vec<i32> = list.iter().map(|&number| number as i32).collect();
    let mut bytes = Vec::new();
    numbers(&list, &mut bytes);
    bytes
}

/// Reads the numbers of a state; all that are left out are 0.
#[derive(Debug)]
pub struct Numbers<'b>(pub(super) &'b [u8]);

impl Numbers<'_> {
    /// The next number; `None` if the bytes are none.
    pub(super) fn next(&mut self) -> Option<i32> {
        if self.0.is_empty() {
            return Some(0);
        }
        let number = u32::try_from(take(&mut self.0)?).ok()?;
        Some((number >> 1) as i32 ^ -((number & 1) as i32))
    }

    /// The next number, if it is below the limit and not negative.
    pub(super) fn below(&mut self, limit: usize) -> Option<usize> {
        let number = usize::try_from(self.next()?).ok()?;
        (number < limit).then_some(number)
    }
}

/// A sorted set of states as text.
pub fn pack(states: &[impl AsRef<[u8]>]) -> String {
    let mut bytes = Vec::new();
    let mut last: &[u8] = &[];
    for state in states {
        let state = state.as_ref();
        let shared = last.iter().zip(state).take_while(|(a, b)| a == b).count();
        put(shared as u64, &mut bytes);
        put((state.len() - shared) as u64, &mut bytes);
        bytes.extend_from_slice(&state[shared..]);
        last = state;
    }
    to_base64(&bytes)
}

/// The states in a text, one after another, and where each of them ends.
pub(super) fn unpack(text: &str) -> Option<(Vec<u8>, Vec<usize>)> {
    let packed = from_base64(text.as_bytes())?;
    let mut rest = packed.as_slice();
    let (mut bytes, mut ends) = (Vec::new(), Vec::new());
    let mut start = 0;
    while !rest.is_empty() {
        let shared = usize::try_from(take(&mut rest)?).ok()?;
        let more = usize::try_from(take(&mut rest)?).ok()?;
        let last_length = bytes.len() - start;
        if shared > last_length || more > rest.len() || shared + more > MOST_STATE {
            return None;
        }
        let (new, left) = rest.split_at(more);
        rest = left;
        let next = bytes.len();
        bytes.extend_from_within(start..start + shared);
        bytes.extend_from_slice(new);
        start = next;
        ends.push(bytes.len());
        if bytes.len() > MOST_BYTES || ends.len() > MOST_STATES {
            return None;
        }
    }
    Some((bytes, ends))
}

/// The byte strings in a text, one by one.
pub fn strings(text: &str) -> Option<Vec<Vec<u8>>> {
    let (bytes, ends) = unpack(text)?;
    let strings = ends.iter().scan(0, |start, &end| {
        let string = bytes[*start..end].to_vec();
        *start = end;
        Some(string)
    });
    Some(strings.collect())
}

fn to_base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let mut group = [0; 3];
        group[..three.len()].copy_from_slice(three);
        let bits = u32::from_be_bytes([0, group[0], group[1], group[2]]);
        for at in 0..=three.len() {
            let digit = (bits >> (18 - 6 * at)) & 63;
            text.push(char::from(DIGITS[digit as usize]));
        }
    }
    text
}

fn from_base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for four in text.chunks(4) {
        let mut bits = 0_u32;
        for (at, &digit) in four.iter().enumerate() {
            let value = match digit {
                b'A'..=b'Z' => digit - b'A',
                b'a'..=b'z' => digit - b'a' + 26,
                b'0'..=b'9' => digit - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            bits |= u32::from(value) << (18 - 6 * at);
        }
        let count = four.len().checked_sub(1).filter(|&count| count > 0)?;
        bytes.extend_from_slice(&bits.to_be_bytes()[1..=count]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn a_set_of_states_round_trips(
            set in prop::collection::btree_set(prop::collection::vec(0..4_u8, 0..6), 0..60),
        ) {
            let states: Vec<Vec<u8>> = set.iter().cloned().collect();
            let (bytes, ends) = unpack(&pack(&states)).expect("it was packed");
            let mut start = 0;
            let mut read = BTreeSet::new();
            for end in ends {
                read.insert(bytes[start..end].to_vec());
                start = end;
            }
            prop_assert_eq!(read, set);
        }

        #[test]
        fn the_numbers_of_a_state_round_trip(state in prop::collection::vec(any::<i32>(), 0..9)) {
            let mut bytes = Vec::new();
            numbers(&state, &mut bytes);
            let mut read = Numbers(&bytes);
            for number in state {
                prop_assert_eq!(read.next(), Some(number));
            }
            prop_assert_eq!(read.next(), Some(0));
        }

        #[test]
        fn any_text_is_unpacked_or_refused(text in "[A-Za-z0-9+/]{0,40}") {
            if let Some((bytes, ends)) = unpack(&text) {
                prop_assert_eq!(ends.last().copied().unwrap_or(0), bytes.len());
            }
        }
    }
}
