//! What is inferred of types.
//!
//! A type that is not written is a variable, which is *unified* with others where they have to be equal.
//! A body is checked repeatedly: each time the variables of the time before are known from the
//! beginning, so that no part of the typed program depends on what is found out later.

use super::{I32, Ptr, Ty};
use std::collections::BTreeMap;

/// Where a variable comes from: a position of the text, the part of the body that it is in, and its number there.
pub(in crate::rust) type Key = (usize, usize, usize);

/// What is known of the types of a body.
///
/// What is tried out is undone where it fails: each change is recorded, as a copy of everything would be made for each of the
/// `impl`s among which a method is looked up.
#[derive(Default, Debug)]
pub(in crate::rust) struct Infer {
    vars: Vec<Entry>,
    /// How many there are of each position in each part.
    counts: BTreeMap<(usize, usize), usize>,
    /// The part at hand: 0, or a number for a function that is inlined. The same text is part of a body several times, each
    /// with types of its own.
    part: usize,
    /// The numbers of parts, by the part around, the position of the call, and how many there were before.
    parts: BTreeMap<Key, usize>,
    /// How many calls at each position of a part were inlined.
    inlined: BTreeMap<(usize, usize), usize>,
    /// The number of `Vec` among the structures.
    vec: usize,
    /// The numbers of closures, which stay the same.
    closures: BTreeMap<Key, usize>,
    /// What the time before has found out.
    solved: BTreeMap<Key, Ty>,
    /// What was changed, to undo it.
    changes: Vec<Change>,
}

/// What is known at some moment.
#[derive(Clone, Copy, Debug)]
pub(in crate::rust) struct Known(usize);

/// How a change is undone.
#[derive(Debug)]
enum Change {
    /// There is a variable more.
    Variable,
    /// A variable was this.
    Was(usize, Entry),
    /// There were so many at a position.
    Count((usize, usize), usize),
    /// There were so many calls at a position.
    Inlined((usize, usize), usize),
    /// A part has a number.
    Part(Key),
    /// The part at hand was this.
    At(usize),
    /// A closure has a number.
    Closure(Key),
}

#[derive(Clone, Debug)]
struct Entry {
    /// `None` if it is found out again each time.
    key: Option<Key>,
    is: Option<Ty>,
    integer: bool,
}

/// What positions are marked with where not a variable but a closure has a number, and where what a function has as
/// parameters and result gets types: how many there are must not depend on what is known.
const OF_CLOSURES: usize = 1 << 40;
const OF_PARAMETERS: usize = 1 << 41;

impl Infer {
    pub(in crate::rust) fn with_vec(vec: usize) -> Self {
        Self {
            vec,
            ..Self::default()
        }
    }

    /// What is known now.
    pub(in crate::rust) fn now(&self) -> Known {
        Known(self.changes.len())
    }

    /// Forgets what was found out since then.
    pub(in crate::rust) fn undo(&mut self, known: Known) {
        while self.changes.len() > known.0 {
            match self.changes.pop() {
                None => return,
                Some(Change::Variable) => {
                    self.vars.pop();
                }
                Some(Change::Was(var, entry)) => self.vars[var] = entry,
                Some(Change::Count(at, count)) => {
                    self.counts.insert(at, count);
                }
                Some(Change::Inlined(at, count)) => {
                    self.inlined.insert(at, count);
                }
                Some(Change::Part(key)) => {
                    self.parts.remove(&key);
                }
                Some(Change::At(part)) => self.part = part,
                Some(Change::Closure(key)) => {
                    self.closures.remove(&key);
                }
            }
        }
    }

    fn add(&mut self, entry: Entry) -> Ty {
        self.changes.push(Change::Variable);
        self.vars.push(entry);
        Ty::Var(self.vars.len() - 1)
    }

    /// A variable, which is about to change.
    fn change(&mut self, var: usize) -> &mut Entry {
        let entry = &mut self.vars[var];
        self.changes.push(Change::Was(var, entry.clone()));
        entry
    }

    /// The key of the next one at a position of the part at hand.
    fn next_at(&mut self, at: usize) -> Key {
        let position = (at, self.part);
        let count = self.counts.entry(position).or_default();
        self.changes.push(Change::Count(position, *count));
        *count += 1;
        (at, self.part, *count - 1)
    }

    /// Lets a type that a function has which is inlined at this position be known from the beginning the next time.
    pub(in crate::rust) fn remember(&mut self, ty: &Ty, at: usize) {
        let known = self.fresh(at | OF_PARAMETERS, false);
        self.unify(ty, &known);
    }

    /// A type that is not known; that of an integer, perhaps.
    pub(in crate::rust) fn fresh(&mut self, at: usize, integer: bool) -> Ty {
        let key = self.next_at(at);
        let is = self.solved.get(&key).cloned();
        let key = Some(key);
        self.add(Entry { key, is, integer })
    }

    /// The number of a closure at this position that becomes a value.
    pub(in crate::rust) fn closure(&mut self, at: usize) -> usize {
        let key = self.next_at(at | OF_CLOSURES);
        let next = self.closures.len();
        let number = *self.closures.entry(key).or_insert(next);
        if number == next {
            self.changes.push(Change::Closure(key));
        }
        number
    }

    /// Begins the part that is inlined for a call at this position; the part around it.
    pub(in crate::rust) fn enter(&mut self, at: usize) -> usize {
        let position = (self.part, at);
        let count = self.inlined.entry(position).or_default();
        let key = (self.part, at, *count);
        self.changes.push(Change::Inlined(position, *count));
        *count += 1;
        let next = self.parts.len() + 1;
        let part = *self.parts.entry(key).or_insert(next);
        if part == next {
            self.changes.push(Change::Part(key));
        }
        self.changes.push(Change::At(self.part));
        std::mem::replace(&mut self.part, part)
    }

    /// Goes on in this part.
    pub(in crate::rust) fn leave(&mut self, part: usize) {
        self.changes.push(Change::At(self.part));
        self.part = part;
    }

    /// A type that is not known, and that is made equal to another one at once: what it was the time before does not
    /// matter, because what is asked then may be something else.
    pub(in crate::rust) fn open(&mut self) -> Ty {
        self.add(Entry {
            key: None,
            is: None,
            integer: false,
        })
    }

    /// The type without variables that are known, at its root.
    pub(in crate::rust) fn shallow(&self, ty: &Ty) -> Ty {
        let mut ty = ty.clone();
        while let Ty::Var(var) = ty
            && let Some(is) = &self.vars[var].is
        {
            ty = is.clone();
        }
        ty
    }

    /// How many variables there are.
    pub(in crate::rust) fn count(&self) -> usize {
        self.vars.len()
    }

    /// Forgets where the variables after so many come from: what they are made equal to counts this time only.
    pub(in crate::rust) fn forget_after(&mut self, count: usize) {
        for var in count..self.vars.len() {
            if self.vars[var].key.is_some() {
                self.change(var).key = None;
            }
        }
    }

    /// Whether a type is an integer, perhaps one that is not known.
    pub(in crate::rust) fn is_integer(&self, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Int { .. } => true,
            Ty::Var(var) => self.vars[var].integer,
            _ => false,
        }
    }

    /// The type without variables that are known.
    pub(in crate::rust) fn deep(&self, ty: &Ty) -> Ty {
        let boxed = |ty: &Ty| Box::new(self.deep(ty));
        let all = |types: &[Ty]| -> Vec<Ty> { types.iter().map(|ty| self.deep(ty)).collect() };
        match self.shallow(ty) {
            Ty::Atomic(ty) => Ty::Atomic(boxed(&ty)),
            Ty::Ptr(kind, ty) => Ty::Ptr(kind, boxed(&ty)),
            Ty::Adt(id, types) => match &all(&types)[..] {
                [Ty::Handle(result)] if id == self.vec => Ty::Handles(result.clone()),
                types => Ty::Adt(id, types.to_vec()),
            },
            Ty::Tuple(types) => Ty::Tuple(all(&types)),
            Ty::Array(ty, count) => Ty::Array(boxed(&ty), count),
            Ty::Handle(ty) => Ty::Handle(boxed(&ty)),
            Ty::Handles(ty) => Ty::Handles(boxed(&ty)),
            Ty::Mutex(ty) => Ty::Mutex(boxed(&ty)),
            Ty::RwLock(ty) => Ty::RwLock(boxed(&ty)),
            Ty::Guard(held, ty) => Ty::Guard(held, boxed(&ty)),
            Ty::Cell(ty) => Ty::Cell(boxed(&ty)),
            Ty::Slot(slot, ty) => Ty::Slot(slot, boxed(&ty)),
            ty => ty,
        }
    }

    /// The type, where integers that are not known have 32 bits, as in Rust.
    pub(in crate::rust) fn settled(&self, ty: &Ty) -> Ty {
        fn settle(infer: &Infer, ty: &mut Ty) {
            match ty {
                Ty::Var(var) => {
                    *ty = if infer.vars[*var].integer {
                        I32
                    } else {
                        Ty::Unit
                    };
                }
                Ty::Atomic(ty)
                | Ty::Ptr(_, ty)
                | Ty::Array(ty, _)
                | Ty::Handle(ty)
                | Ty::Handles(ty)
                | Ty::Mutex(ty)
                | Ty::RwLock(ty)
                | Ty::Guard(_, ty)
                | Ty::Cell(ty)
                | Ty::Slot(_, ty) => settle(infer, ty),
                Ty::Adt(_, types) | Ty::Tuple(types) => {
                    for ty in types {
                        settle(infer, ty);
                    }
                }
                _ => {}
            }
        }
        let mut ty = self.deep(ty);
        settle(self, &mut ty);
        ty
    }

    /// Makes two types equal; whether that is possible.
    pub(in crate::rust) fn unify(&mut self, a: &Ty, b: &Ty) -> bool {
        let (a, b) = (self.shallow(a), self.shallow(b));
        match (&a, &b) {
            (Ty::Var(x), Ty::Var(y)) if x == y => true,
            (Ty::Var(x), Ty::Var(y)) => {
                let integer = self.vars[*x].integer || self.vars[*y].integer;
                if self.vars[*y].integer != integer {
                    self.change(*y).integer = integer;
                }
                self.change(*x).is = Some(b.clone());
                true
            }
            (Ty::Var(var), other) | (other, Ty::Var(var)) => {
                if self.vars[*var].integer && !matches!(other, Ty::Int { .. })
                    || self.occurs(*var, other)
                {
                    return false;
                }
                self.change(*var).is = Some(other.clone());
                true
            }
            (Ty::Atomic(a), Ty::Atomic(b))
            | (Ty::Handle(a), Ty::Handle(b))
            | (Ty::Handles(a), Ty::Handles(b))
            | (Ty::Mutex(a), Ty::Mutex(b))
            | (Ty::RwLock(a), Ty::RwLock(b))
            | (Ty::Cell(a), Ty::Cell(b)) => self.unify(a, b),
            (Ty::Guard(x, a), Ty::Guard(y, b)) => x == y && self.unify(a, b),
            (Ty::Slot(x, a), Ty::Slot(y, b)) => x == y && self.unify(a, b),
            (Ty::Ptr(x, a), Ty::Ptr(y, b)) => {
                let refs = |kind: &Ptr| matches!(kind, Ptr::Ref | Ptr::Raw);
                (x == y || refs(x) && refs(y)) && self.unify(a, b)
            }
            (Ty::Array(a, m), Ty::Array(b, n)) => m == n && self.unify(a, b),
            (Ty::Tuple(a), Ty::Tuple(b)) => self.unify_all(a, b),
            (Ty::Handles(result), Ty::Adt(id, of)) | (Ty::Adt(id, of), Ty::Handles(result))
                if *id == self.vec =>
            {
                self.unify(&of[0], &Ty::Handle(result.clone()))
            }
            (Ty::Adt(i, a), Ty::Adt(j, b)) => i == j && self.unify_all(a, b),
            (a, b) => a == b,
        }
    }

    fn unify_all(&mut self, a: &[Ty], b: &[Ty]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.unify(a, b))
    }

    fn occurs(&self, var: usize, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Var(other) => other == var,
            Ty::Atomic(ty)
            | Ty::Ptr(_, ty)
            | Ty::Array(ty, _)
            | Ty::Handle(ty)
            | Ty::Handles(ty)
            | Ty::Mutex(ty)
            | Ty::RwLock(ty)
            | Ty::Guard(_, ty)
            | Ty::Cell(ty)
            | Ty::Slot(_, ty) => self.occurs(var, &ty),
            Ty::Adt(_, types) | Ty::Tuple(types) => types.iter().any(|ty| self.occurs(var, ty)),
            _ => false,
        }
    }

    /// Whether nothing in a type is unknown. Integers of which nothing says more are `i32`, unless something was not
    /// understood.
    fn is_found(&self, ty: &Ty, failed: bool) -> bool {
        match self.shallow(ty) {
            Ty::Var(var) => !failed && self.vars[var].integer,
            Ty::Atomic(ty)
            | Ty::Ptr(_, ty)
            | Ty::Array(ty, _)
            | Ty::Handle(ty)
            | Ty::Handles(ty)
            | Ty::Mutex(ty)
            | Ty::RwLock(ty)
            | Ty::Guard(_, ty)
            | Ty::Cell(ty)
            | Ty::Slot(_, ty) => self.is_found(&ty, failed),
            Ty::Adt(_, types) | Ty::Tuple(types) => {
                types.iter().all(|ty| self.is_found(ty, failed))
            }
            _ => true,
        }
    }

    /// Prepares the next time, after one that failed or did not; whether it may find out more.
    pub(in crate::rust) fn again(&mut self, failed: bool) -> bool {
        let mut solved = BTreeMap::new();
        for var in 0..self.vars.len() {
            if let Some(key) = self.vars[var].key
                && self.is_found(&Ty::Var(var), failed)
            {
                solved.insert(key, self.settled(&Ty::Var(var)));
            }
        }
        self.changes.clear();
        self.vars.clear();
        self.counts.clear();
        self.inlined.clear();
        self.part = 0;
        let changed = solved != self.solved;
        self.solved = solved;
        changed
    }
}
