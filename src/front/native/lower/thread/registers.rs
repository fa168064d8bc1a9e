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

/// The temporaries of one name.
#[derive(Default)]
struct Temporaries {
    list: Vec<RegId>,
    /// How many of them are in use.
    used: usize,
    /// How many of these belong to statements that contain the current one: those whose values come
    /// from a procedure that is being lowered.
    reserved: usize,
}

/// The temporaries of a statement whose value comes from a procedure: their names, and how many were
/// reserved before.
pub(super) struct Reserved(Vec<(String, usize)>);

/// All registers of a thread, in the order of their numbers.
#[derive(Default)]
pub(super) struct Registers {
    list: Vec<(String, i32)>,
    names: Unique,
    /// By name.
    temporaries: AHashMap<String, Temporaries>,
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
        let used = entry.used;
        entry.used += 1;
        self.used.push(key.clone());
        if let Some(reg) = entry.list.get(used) {
            return *reg;
        }
        let reg = self.named(&key, 0);
        if let Some(temporaries) = self.temporaries.get_mut(&key) {
            temporaries.list.push(reg);
        }
        reg
    }

    /// Frees all temporaries of the current statement.
    pub(super) fn end_statement(&mut self) {
        for name in self.used.drain(..) {
            if let Some(temporaries) = self.temporaries.get_mut(&name) {
                temporaries.used = temporaries.reserved;
            }
        }
    }

    /// Keeps the temporaries of the current statement while other statements are lowered.
    pub(super) fn reserve(&mut self) -> Reserved {
        let names = std::mem::take(&mut self.used).into_iter();
        let reserved = names.map(|name| {
            let temporaries = self.temporaries.entry(name.clone()).or_default();
            let before = std::mem::replace(&mut temporaries.reserved, temporaries.used);
            (name, before)
        });
        Reserved(reserved.collect())
    }

    /// Continues with the statement whose temporaries these are.
    pub(super) fn release(&mut self, reserved: Reserved) {
        self.end_statement();
        // A name may be there twice; what was reserved at first is restored last.
        for (name, before) in reserved.0.into_iter().rev() {
            if let Some(temporaries) = self.temporaries.get_mut(&name) {
                temporaries.reserved = before;
            }
            self.used.push(name);
        }
    }

    /// Names and initial values.
    pub(super) fn into_list(self) -> Vec<(String, i32)> {
        self.list
    }
}
