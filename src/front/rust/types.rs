//! Types of Rust, as far as they are supported, and what is [inferred](infer) of them.

mod infer;
mod shown;

pub(super) use infer::Infer;
pub(super) use shown::Shown;

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
