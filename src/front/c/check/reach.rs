//! What a program can execute: from the entry, through calls, functions that are used as values, and what
//! the objects are initialised with that are named on the way.

use crate::lower::scan::{Seen, look};
use crate::lower::typed::{FunctionId, ObjectId, Unit};
use std::collections::BTreeSet;

/// What is reached of a unit.
#[derive(Debug)]
pub(super) struct Reached {
    pub(super) functions: BTreeSet<FunctionId>,
    pub(super) objects: BTreeSet<ObjectId>,
}

impl Reached {
    /// Everything.
    pub(super) fn all(unit: &Unit) -> Self {
        Self {
            functions: (0..unit.functions.len()).map(FunctionId).collect(),
            objects: (0..unit.objects.len()).map(ObjectId).collect(),
        }
    }

    /// What is reached from the functions of this name.
    pub(super) fn from(unit: &Unit, entry: &str) -> Self {
        let mut reached = Self {
            functions: BTreeSet::new(),
            objects: BTreeSet::new(),
        };
        let functions = unit.functions.iter().enumerate();
        let mut open: Vec<FunctionId> = functions
            .filter(|(_, function)| function.name == entry)
            .map(|(at, _)| FunctionId(at))
            .collect();
        while let Some(id) = open.pop() {
            if !reached.functions.insert(id) {
                continue;
            }
            let mut seen = vec![look(&unit.functions[id.0].body, &[])];
            while let Some(Seen {
                calls,
                taken,
                objects,
                ..
            }) = seen.pop()
            {
                open.extend(calls.into_iter().chain(taken));
                for object in objects {
                    if reached.objects.insert(object) {
                        let inits = unit.objects[object.0].init.iter();
                        let inits: Vec<_> = inits.map(|(_, e)| e).collect();
                        seen.push(look(&[], &inits));
                    }
                }
            }
        }
        reached
    }

    /// Leaves only this in the unit: other functions do nothing, and other objects have no cells.
    pub(super) fn keep(&self, unit: &mut Unit) {
        for (at, function) in unit.functions.iter_mut().enumerate() {
            if !self.functions.contains(&FunctionId(at)) {
                function.body.clear();
            }
        }
        for (at, object) in unit.objects.iter_mut().enumerate() {
            if !self.objects.contains(&ObjectId(at)) {
                object.init.clear();
                object.reached = false;
            }
        }
    }
}
