//! Stored configurations: the packed bytes of millions of them, one after another, each once.
//!
//! ```text
//!   bytes   … [length, packed configuration, note] [length, packed configuration, note] …
//!   starts      ▲ 4 bytes per entry                 ▲
//!   numbers   a hash table of entry numbers, compared by the bytes that they refer to
//! ```
//!
//! Entries are numbered from 0 in the order in which they are added, so the number also identifies a
//! configuration in a search's other tables, and a breadth-first search needs no queue: it visits
//! entry after entry. A note is what a search wants to keep with an entry, such as the steps to it.
//!
//! Cost per entry: its bytes, 1 for their length, 4 for the start, and 6 to 11 in the hash table.
//!
//! **Absent.** Lossy hashing. Two configurations are the same only if all their bytes are.

use ahash::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// Starts are relative to those of blocks of this many entries, so that 4 bytes are enough for each.
const BLOCK: usize = 64;

/// Byte strings, each with a number and a note.
#[derive(Default)]
pub struct Store {
    bytes: Vec<u8>,
    /// By block: where its first entry starts.
    blocks: Vec<usize>,
    /// By entry: where it starts, from the start of its block.
    starts: Vec<u32>,
    numbers: HashTable<u32>,
    hasher: RandomState,
}

impl Store {
    /// The number of entries.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The number of this configuration, and whether it is new. If it is, `note` appends the note to
    /// the bytes that it is given, and must leave them otherwise alone.
    pub fn insert(&mut self, packed: &[u8], note: impl FnOnce(&mut Vec<u8>)) -> (u32, bool) {
        let Self {
            bytes,
            blocks,
            starts,
            numbers,
            hasher,
        } = self;
        let stored = |number: u32| {
            let start = start(blocks, starts, number as usize);
            split(&bytes[start..]).0
        };
        let entry = numbers.entry(
            hasher.hash_one(packed),
            |&number| stored(number) == packed,
            |&number| hasher.hash_one(stored(number)),
        );
        match entry {
            Entry::Occupied(known) => (*known.get(), false),
            Entry::Vacant(free) => {
                let number = starts.len();
                free.insert(number as u32);
                if number.is_multiple_of(BLOCK) {
                    blocks.push(bytes.len());
                }
                starts.push((bytes.len() - blocks[number / BLOCK]) as u32);
                put_length(bytes, packed.len());
                bytes.extend_from_slice(packed);
                note(bytes);
                (number as u32, true)
            }
        }
    }

    /// The configuration with this number, packed.
    pub fn packed(&self, number: u32) -> &[u8] {
        self.entry(number).0
    }

    /// The note of an entry.
    pub fn note(&self, number: u32) -> &[u8] {
        self.entry(number).1
    }

    fn entry(&self, number: u32) -> (&[u8], &[u8]) {
        let number = number as usize;
        let end = if number + 1 < self.len() {
            start(&self.blocks, &self.starts, number + 1)
        } else {
            self.bytes.len()
        };
        split(&self.bytes[start(&self.blocks, &self.starts, number)..end])
    }
}

/// Where an entry starts.
fn start(blocks: &[usize], starts: &[u32], number: usize) -> usize {
    blocks[number / BLOCK] + starts[number] as usize
}

/// The packed configuration at the beginning of these bytes, and the bytes after it.
fn split(bytes: &[u8]) -> (&[u8], &[u8]) {
    let mut length = 0;
    let mut shift = 0;
    for (index, &byte) in bytes.iter().enumerate() {
        length |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return bytes[index + 1..].split_at(length);
        }
        shift += 7;
    }
    (&[], &[])
}

/// Appends a length, seven bits per byte.
fn put_length(bytes: &mut Vec<u8>, mut length: usize) {
    while length >= 0x80 {
        bytes.push(length as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn each_configuration_has_one_number_and_its_first_note(
            entries in prop::collection::vec(
                (prop::collection::vec(0..3_u8, 0..5), prop::collection::vec(any::<u8>(), 0..3)),
                0..400,
            ),
        ) {
            let mut store = Store::default();
            let mut known: BTreeMap<Vec<u8>, (u32, Vec<u8>)> = BTreeMap::new();
            for (packed, note) in entries {
                let (number, new) = store.insert(&packed, |bytes| bytes.extend(&note));
                prop_assert_eq!(new, !known.contains_key(&packed));
                let next = known.len() as u32;
                let (expected, _) = known.entry(packed).or_insert((next, note));
                prop_assert_eq!(number, *expected);
            }
            prop_assert_eq!(store.len(), known.len());
            for (packed, (number, note)) in &known {
                prop_assert_eq!(store.packed(*number), packed);
                prop_assert_eq!(store.note(*number), note);
            }
        }
    }

    #[test]
    fn long_configurations_are_kept_whole() {
        let mut store = Store::default();
        for length in [127, 128, 300, 20_000] {
            let packed = vec![7; length];
            let (number, new) = store.insert(&packed, |bytes| bytes.push(1));
            assert!(new);
            assert_eq!(store.packed(number), packed);
            assert_eq!(store.note(number), [1]);
        }
        assert_eq!(store.len(), 4);
    }
}
