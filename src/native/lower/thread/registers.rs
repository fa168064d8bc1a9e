//! The registers of a thread: one per name, and temporaries that hold a value for one statement.

use crate::program::RegId;
use ahash::{AHashMap, AHashSet};

/// A generator of unique names.
#[derive(Default)]
pub(super) struct Unique {
    taken: AHashSet<String>,
    /// How often each name was requested.
    requests: AHashMap<String, usize>,
}

impl Unique {
    /// This name, or this name with a number.
    pub(super) fn make(&mut self, name: &str) -> String {
        let requests = self.requests.entry(name.to_owned()).or_insert(0);
        loop {
            *requests += 1;
            let unique = match *requests {
                1 => name.to_owned(),
                number => format!("{name}'{number}"),
            };
            if self.taken.insert(unique.clone()) {
                return unique;
            }
        }
    }
}

/// All registers of a thread, in the order of their numbers.
#[derive(Default)]
pub(super) struct Registers {
    list: Vec<(String, i32)>,
    names: Unique,
    /// Temporaries by name, and how many of them the current statement has used.
    temporaries: AHashMap<String, (Vec<RegId>, usize)>,
    /// The names of those that the current statement has used.
    used: Vec<String>,
}

impl Registers {
    /// A new register with this name, or with this name and a number.
    pub(super) fn named(&mut self, name: &str, init: i32) -> RegId {
        let unique = self.names.make(name);
        self.list.push((unique, init));
        (self.list.len() - 1).into()
    }

    /// A register for an intermediate value. It belongs to the current statement; later statements
    /// reuse it, so that no more registers than needed hold values after their use.
    pub(super) fn temporary(&mut self, name: &str) -> RegId {
        let key = format!("${}", name.trim_start_matches('$'));
        let entry = self.temporaries.entry(key.clone()).or_default();
        let used = entry.1;
        entry.1 += 1;
        self.used.push(key.clone());
        if let Some(reg) = entry.0.get(used) {
            return *reg;
        }
        let reg = self.named(&key, 0);
        if let Some((regs, _)) = self.temporaries.get_mut(&key) {
            regs.push(reg);
        }
        reg
    }

    /// Frees all temporaries.
    pub(super) fn end_statement(&mut self) {
        for name in self.used.drain(..) {
            if let Some((_, used)) = self.temporaries.get_mut(&name) {
                *used = 0;
            }
        }
    }

    /// Names and initial values.
    pub(super) fn into_list(self) -> Vec<(String, i32)> {
        self.list
    }
}
