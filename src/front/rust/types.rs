//! Types of Rust, as far as they are supported, and what is inferred of them.
//!
//! A type that is not written is a variable, which is *unified* with others where they have to be equal.
//! A body is checked repeatedly: each time the variables of the time before are known from the
//! beginning, so that no part of the typed program depends on what is found out later.

mod shown;

pub(super) use shown::Shown;

use std::collections::BTreeMap;
use std::rc::Rc;

/// A type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Ty {
    Unit,
    Never,
    Bool,
    /// A character, which is its number.
    Char,
    Int {
        bits: u8,
        signed: bool,
        /// Whether it is `isize` or `usize`.
        size: bool,
    },
    /// A memory order, or the result of a comparison: both have the name `Ordering`, and are never mixed.
    Ordering,
    /// An atomic of a boolean, an integer or a pointer.
    Atomic(Box<Ty>),
    Ptr(Ptr, Box<Ty>),
    /// A structure or an enumeration of the text or of the prelude, by its number, with its arguments.
    Adt(usize, Vec<Ty>),
    /// An argument that is a number.
    Const(i128),
    Tuple(Vec<Ty>),
    Array(Box<Ty>, u32),
    /// The handle of a thread with this result.
    Handle(Box<Ty>),
    /// `Vec<JoinHandle<_>>`
    Handles(Box<Ty>),
    Mutex(Box<Ty>),
    RwLock(Box<Ty>),
    Guard(Held, Box<Ty>),
    Condvar,
    /// `UnsafeCell`: what is in it, accessed through pointers.
    Cell(Box<Ty>),
    /// `ManuallyDrop` and its like.
    Slot(Slot, Box<Ty>),
    /// `&Scope`
    Scope,
    /// `model::Builder` of `loom`
    Model,
    /// `Thread`: what `unpark` is called on.
    Thread,
    /// An error that cannot occur, such as that of `join`, whose thread would have panicked.
    Failure,
    /// A text: only in messages.
    Text,
    /// What the library is given to call, by its number in the body: it has no cells, since what it captures are
    /// variables of the function that it is part of.
    Called(usize),
    /// A closure or a function as a value, by the number of its function.
    Closure(usize),
    /// What a trait object points to, by its number.
    Dyn(usize),
    Var(usize),
}

/// How a guard holds its lock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Held {
    Mutex,
    Read,
    Write,
}

/// The types that hold one value, and are used by their methods.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Slot {
    /// `ManuallyDrop`
    Manual,
    /// `MaybeUninit`, which may have no value.
    Uninit,
    /// `Cell`, which is dropped with its value.
    Cell,
}

/// The kinds of pointers, which are all addresses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Ptr {
    Ref,
    Raw,
    NonNull,
    Arc,
    Rc,
    Box,
}

/// `bool`, an integer, or a pointer: what one cell holds.
pub(super) const I32: Ty = Ty::Int {
    bits: 32,
    signed: true,
    size: false,
};
pub(super) const U32: Ty = Ty::Int {
    bits: 32,
    signed: false,
    size: false,
};
pub(super) const USIZE: Ty = Ty::Int {
    bits: 64,
    signed: false,
    size: true,
};

impl Ty {
    pub(super) fn pointer(kind: Ptr, to: Ty) -> Ty {
        Ty::Ptr(kind, Box::new(to))
    }

    /// The integer type of this name.
    pub(super) fn integer(name: &str) -> Option<Ty> {
        let (signed, bits) = match name.split_at_checked(1)? {
            ("i", bits) => (true, bits),
            ("u", bits) => (false, bits),
            _ => return None,
        };
        let size = bits == "size";
        let bits = match bits {
            "8" => 8,
            "16" => 16,
            "32" => 32,
            "64" | "size" => 64,
            _ => return None,
        };
        Some(Ty::Int { bits, signed, size })
    }

    /// What an atomic type of this name holds.
    pub(super) fn atomic(name: &str) -> Option<Ty> {
        let of = match name.strip_prefix("Atomic")? {
            "Bool" => return Some(Ty::Bool),
            "Usize" => "usize",
            "Isize" => "isize",
            "U64" => "u64",
            "I64" => "i64",
            "U32" => "u32",
            "I32" => "i32",
            "U16" => "u16",
            "I16" => "i16",
            "U8" => "u8",
            "I8" => "i8",
            _ => return None,
        };
        Ty::integer(of)
    }

    /// Whether a type is this one, or has parts of it that are written in it.
    pub(super) fn mentions(&self, of: &Ty) -> bool {
        self == of
            || match self {
                Ty::Atomic(ty)
                | Ty::Ptr(_, ty)
                | Ty::Array(ty, _)
                | Ty::Handle(ty)
                | Ty::Handles(ty)
                | Ty::Mutex(ty)
                | Ty::RwLock(ty)
                | Ty::Guard(_, ty)
                | Ty::Cell(ty)
                | Ty::Slot(_, ty) => ty.mentions(of),
                Ty::Adt(_, types) | Ty::Tuple(types) => types.iter().any(|ty| ty.mentions(of)),
                _ => false,
            }
    }

    /// The least and the greatest number of an integer type.
    pub(super) fn range(&self) -> Option<(i128, i128)> {
        match *self {
            Ty::Int {
                bits, signed: true, ..
            } => Some((-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)),
            Ty::Int { bits, .. } => Some((0, (1_i128 << bits) - 1)),
            Ty::Bool => Some((0, 1)),
            _ => None,
        }
    }
}

/// Where a variable comes from: a position of the text, the part of the body that it is in, and its number there.
pub(super) type Key = (usize, usize, usize);

/// What is known of the types of a body.
#[derive(Clone, Default, Debug)]
pub(super) struct Infer {
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
    solved: Rc<BTreeMap<Key, Ty>>,
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
    pub(super) fn with_vec(vec: usize) -> Self {
        Self {
            vec,
            ..Self::default()
        }
    }

    /// Lets a type that a function has which is inlined at this position be known from the beginning the next time.
    pub(super) fn remember(&mut self, ty: &Ty, at: usize) {
        let known = self.fresh(at | OF_PARAMETERS, false);
        self.unify(ty, &known);
    }

    /// A type that is not known; that of an integer, perhaps.
    pub(super) fn fresh(&mut self, at: usize, integer: bool) -> Ty {
        let same = self.counts.entry((at, self.part)).or_default();
        let key = (at, self.part, *same);
        *same += 1;
        let is = self.solved.get(&key).cloned();
        let key = Some(key);
        self.vars.push(Entry { key, is, integer });
        Ty::Var(self.vars.len() - 1)
    }

    /// The number of a closure at this position that becomes a value.
    pub(super) fn closure(&mut self, at: usize) -> usize {
        let at = at | OF_CLOSURES;
        let same = self.counts.entry((at, self.part)).or_default();
        let key = (at, self.part, *same);
        *same += 1;
        let next = self.closures.len();
        *self.closures.entry(key).or_insert(next)
    }

    /// Begins the part that is inlined for a call at this position; the part around it.
    pub(super) fn enter(&mut self, at: usize) -> usize {
        let count = self.inlined.entry((self.part, at)).or_default();
        let key = (self.part, at, *count);
        *count += 1;
        let next = self.parts.len() + 1;
        let part = *self.parts.entry(key).or_insert(next);
        std::mem::replace(&mut self.part, part)
    }

    /// Goes on in this part.
    pub(super) fn leave(&mut self, part: usize) {
        self.part = part;
    }

    /// A type that is not known, and that is made equal to another one at once: what it was the time before does not
    /// matter, because what is asked then may be something else.
    pub(super) fn open(&mut self) -> Ty {
        self.vars.push(Entry {
            key: None,
            is: None,
            integer: false,
        });
        Ty::Var(self.vars.len() - 1)
    }

    /// The type without variables that are known, at its root.
    pub(super) fn shallow(&self, ty: &Ty) -> Ty {
        let mut ty = ty.clone();
        while let Ty::Var(var) = ty
            && let Some(is) = &self.vars[var].is
        {
            ty = is.clone();
        }
        ty
    }

    /// How many variables there are.
    pub(super) fn count(&self) -> usize {
        self.vars.len()
    }

    /// Forgets where the variables after so many come from: what they are made equal to counts this time only.
    pub(super) fn forget_after(&mut self, count: usize) {
        for var in &mut self.vars[count..] {
            var.key = None;
        }
    }

    /// Whether a type is an integer, perhaps one that is not known.
    pub(super) fn is_integer(&self, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Int { .. } => true,
            Ty::Var(var) => self.vars[var].integer,
            _ => false,
        }
    }

    /// The type without variables that are known.
    pub(super) fn deep(&self, ty: &Ty) -> Ty {
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
    pub(super) fn settled(&self, ty: &Ty) -> Ty {
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
    pub(super) fn unify(&mut self, a: &Ty, b: &Ty) -> bool {
        let (a, b) = (self.shallow(a), self.shallow(b));
        match (&a, &b) {
            (Ty::Var(x), Ty::Var(y)) if x == y => true,
            (Ty::Var(x), Ty::Var(y)) => {
                let integer = self.vars[*x].integer || self.vars[*y].integer;
                self.vars[*y].integer = integer;
                self.vars[*x].is = Some(b.clone());
                true
            }
            (Ty::Var(var), other) | (other, Ty::Var(var)) => {
                if self.vars[*var].integer && !matches!(other, Ty::Int { .. })
                    || self.occurs(*var, other)
                {
                    return false;
                }
                self.vars[*var].is = Some(other.clone());
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
    pub(super) fn again(&mut self, failed: bool) -> bool {
        let mut solved = BTreeMap::new();
        for var in 0..self.vars.len() {
            if let Some(key) = self.vars[var].key
                && self.is_found(&Ty::Var(var), failed)
            {
                solved.insert(key, self.settled(&Ty::Var(var)));
            }
        }
        self.vars.clear();
        self.counts.clear();
        self.inlined.clear();
        self.part = 0;
        let changed = solved != *self.solved;
        self.solved = Rc::new(solved);
        changed
    }
}
