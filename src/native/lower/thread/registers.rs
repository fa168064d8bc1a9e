//! The registers of a thread: one for each name, and those that hold a value for one statement.

use crate::program::RegId;
use ahash::{AHashMap, AHashSet};

/// Names, each made once.
#[derive(Default)]
pub(super) struct Unique {
    taken: AHashSet<String>,
    /// How often each name was asked for.
    asked: AHashMap<String, usize>,
}

impl Unique {
    /// This name, or this name with a number.
    pub(super) fn make(&mut self, name: &str) -> String {
        let asked = self.asked.entry(name.to_owned()).or_insert(0);
        loop {
            *asked += 1;
            let unique = match *asked {
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
    /// Temporaries by name, and how many of them the statement at hand has used.
    temporaries: AHashMap<String, (Vec<RegId>, usize)>,
    /// The names of those that the statement at hand has used.
    used: Vec<String>,
}

impl Registers {
    /// A new register whose name is this one, or this one with a number.
    pub(super) fn named(&mut self, name: &str, init: i32) -> RegId {
        let unique = self.names.make(name);
        self.list.push((unique, init));
        (self.list.len() - 1).into()
    }

    /// A register for an intermediate value. It is the statement's own; later statements use it
    /// again, so that no value outlives its use in more registers than needed.
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

    /// Makes all temporaries free again.
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
