//! What a program can execute: from the entry, through calls, functions that are used as values, and what
//! the objects are initialised with that are named on the way.

use crate::lower::scan::{Seen, look};
use crate::lower::typed::{FunctionId, LocalId, ObjectId, Path, StructId, Unit};
use crate::text::Place;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What is reached of a unit.
#[derive(Default, Debug)]
pub(super) struct Reached {
    pub(super) functions: BTreeSet<FunctionId>,
    pub(super) objects: BTreeSet<ObjectId>,
    /// Members of structures that are named, and where first.
    pub(super) members: BTreeMap<(StructId, usize), Place>,
    /// Of each function but the first, one that leads to it, on the shortest way from the first.
    from: BTreeMap<FunctionId, FunctionId>,
    /// Scalars in structures that are initialised, and not with 0.
    pub(super) filled: Vec<(FunctionId, LocalId, Path, Place)>,
}

impl Reached {
    /// Everything.
    pub(super) fn all(unit: &Unit) -> Self {
        let mut reached = Self::default();
        reached.follow(unit, (0..unit.functions.len()).map(FunctionId).collect());
        for object in 0..unit.objects.len() {
            let functions = reached.object(unit, ObjectId(object));
            reached.follow(unit, functions);
        }
        reached
    }

    /// What is reached from the functions of this name.
    pub(super) fn from(unit: &Unit, entry: &str) -> Self {
        let mut reached = Self::default();
        let functions = unit.functions.iter().enumerate();
        let open = functions.filter(|(_, function)| function.name == entry);
        reached.follow(unit, open.map(|(at, _)| FunctionId(at)).collect());
        reached
    }

    /// Adds functions, and what they reach.
    fn follow(&mut self, unit: &Unit, open: Vec<FunctionId>) {
        let mut open = VecDeque::from(open);
        while let Some(id) = open.pop_front() {
            if self.functions.insert(id) {
                let seen = look(&unit.functions[id.0].body, &[]);
                let filled = seen.filled.iter().cloned();
                self.filled
                    .extend(filled.map(|(local, path, place)| (id, local, path, place)));
                for next in self.seen(unit, seen) {
                    if !self.functions.contains(&next) {
                        self.from.entry(next).or_insert(id);
                        open.push_back(next);
                    }
                }
            }
        }
    }

    /// The functions through which one is reached, from the first to itself.
    pub(super) fn chain(&self, id: FunctionId) -> Vec<FunctionId> {
        let before = |id: &FunctionId| self.from.get(id).copied();
        let mut chain: Vec<_> = std::iter::successors(Some(id), before).collect();
        chain.reverse();
        chain
    }

    /// Adds an object, and those that it is initialised with; the functions that are reached then.
    fn object(&mut self, unit: &Unit, id: ObjectId) -> Vec<FunctionId> {
        if !self.objects.insert(id) {
            return Vec::new();
        }
        let inits = unit.objects[id.0].init.iter();
        let inits: Vec<_> = inits.map(|(_, e)| e).collect();
        let seen = look(&[], &inits);
        self.seen(unit, seen)
    }

    fn seen(&mut self, unit: &Unit, seen: Seen) -> Vec<FunctionId> {
        let mut functions = Vec::new();
        let mut open = vec![seen];
        while let Some(seen) = open.pop() {
            functions.extend(
                seen.calls
                    .into_iter()
                    .chain(seen.taken)
                    .chain(seen.routines),
            );
            for (member, place) in seen.members {
                self.members.entry(member).or_insert(place);
            }
            for object in seen.objects {
                if self.objects.insert(object) {
                    let inits = unit.objects[object.0].init.iter();
                    let inits: Vec<_> = inits.map(|(_, e)| e).collect();
                    open.push(look(&[], &inits));
                }
            }
        }
        functions
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
