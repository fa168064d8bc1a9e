//! The typed program: the result of parsers and type checkers, those of C and of Rust, and what is lowered.
//!
//! Names are resolved, every expression has a type, conversions are explicit [`ExprKind::Cast`]s
//! (also the usual arithmetic conversions, integer promotions, array decay and conversions in
//! assignments, arguments and returns), enum constants and `sizeof` are constants. Conditions are
//! scalar. Statements keep the structure that the user wrote.
//!
//! **Absent.** Values of floating-point numbers (their objects and accesses are there). Calls have more arguments than
//! their function has parameters where that has a variable number of them.

mod kind;

use crate::text::Place;

/// A translation unit, or several that were linked.
#[derive(Clone, Default, Debug)]
pub(crate) struct Unit {
    pub(crate) structs: Vec<Struct>,
    /// Everything with static or thread storage duration, static locals included.
    pub(crate) objects: Vec<Object>,
    /// Functions with a body.
    pub(crate) functions: Vec<Function>,
    /// Whether the last local of each function is `errno`, for where a thread executes it.
    pub(crate) has_error_number: bool,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub(crate) struct $name(pub(crate) usize);
    )*};
}

ids! {
    /// An index of [`Unit::structs`].
    StructId,
    /// An index of [`Unit::objects`].
    ObjectId,
    /// An index of [`Unit::functions`].
    FunctionId,
    /// An index of [`Function::locals`].
    LocalId
}

/// A structure or union type.
#[derive(Clone, Debug)]
pub(crate) struct Struct {
    /// The tag, or the typedef's name, or empty.
    pub(crate) name: String,
    pub(crate) members: Vec<Member>,
    /// The bit-fields, in order. Those that share memory are parts of one member, which has no name that a
    /// program can write.
    pub(crate) fields: Vec<BitField>,
    /// Of a union: the member whose scalars are its cells. The others that are used are seen in them.
    pub(crate) union: Option<usize>,
    /// Of a union: the members that are used, if they see the same bytes in scalars of different sizes. `words` chooses
    /// its cells.
    pub(crate) apart: Vec<usize>,
    /// `None` until the members are known.
    pub(crate) layout: Option<Layout>,
    /// Whether it is one scalar in parts, from the lowest address on: each access of an object of this type is one
    /// access of all of its cells.
    pub(crate) word: bool,
    pub(crate) place: Place,
}

/// What has a name of its own in a structure.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part<'s> {
    Member(usize),
    Field(&'s BitField),
}

impl Struct {
    /// The members and bit-fields in their order, and so that of the values in a list without designators.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        let is_shared = |index| {
            let mut fields = self.fields.iter();
            fields.any(|field| field.member == Some(index))
        };
        (0..=self.members.len()).flat_map(move |index| {
            let fields = self.fields.iter();
            let fields =
                fields.filter(move |field| field.before == index && !field.name.is_empty());
            let is_member = index < self.members.len() && !is_shared(index);
            let member = is_member.then_some(Part::Member(index));
            fields.map(Part::Field).chain(member)
        })
    }

    /// One of these by its number.
    pub(crate) fn part(&self, number: usize) -> Option<Part<'_>> {
        if self.fields.is_empty() {
            return (number < self.members.len()).then_some(Part::Member(number));
        }
        self.parts().nth(number)
    }

    /// The name of one of these; empty if it has none.
    pub(crate) fn name_of<'s>(&'s self, part: Part<'s>) -> &'s str {
        match part {
            Part::Member(index) => &self.members[index].name,
            Part::Field(field) => &field.name,
        }
    }

    /// The members that have cells of their own, one after the other: all of a structure, one of a union.
    pub(crate) fn stored(&self) -> &[Member] {
        match self.union {
            None => &self.members,
            Some(member) => self.members.get(member..=member).unwrap_or_default(),
        }
    }

    /// What the last member consists of, if it is an array without a length. Objects may have elements there.
    pub(crate) fn tail(&self) -> Option<&Type> {
        match &self.members.last()?.ty.kind {
            TypeKind::Array(element, 0) => Some(element),
            _ => None,
        }
    }
}

/// Where the members of a structure are.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// In bytes.
    pub(crate) size: u64,
    /// In bytes.
    pub(crate) align: u64,
    /// Of each member, in bytes.
    pub(crate) offsets: Vec<u64>,
}

/// A member of a structure. Members of a structure without a name in another one are its members; unions
/// without a name are members with an empty one.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) ty: Type,
}

/// A bit-field of a structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BitField {
    pub(crate) name: String,
    /// As it is declared.
    pub(crate) ty: Type,
    /// The member that it is a part of; `None` if it shares memory with so many others that no scalar of 32 bits
    /// holds them.
    pub(crate) member: Option<usize>,
    /// The member that follows it, or that it is a part of.
    pub(crate) before: usize,
    pub(crate) bits: Bits,
}

/// Which bits of a scalar a bit-field is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bits {
    /// How many less significant ones there are.
    pub(crate) shift: u8,
    pub(crate) width: u8,
    /// A mask of those that belong to other bit-fields.
    pub(crate) others: u32,
    /// How many scalars before and after this one have adjacent bit-fields, all one memory location.
    pub(crate) beside: (u8, u8),
}

/// A type with its qualifiers. `const` is checked by the parser and not kept.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Type {
    pub(crate) kind: TypeKind,
    pub(crate) atomic: bool,
    pub(crate) volatile: bool,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum TypeKind {
    Void,
    Bool,
    /// Widths are 8, 16, 32 and 64; `char` is signed, as on x86.
    Int {
        bits: u8,
        signed: bool,
    },
    /// Floating point. No value is known, and nothing depends on one: what is stored is 0.
    Float {
        bits: u8,
    },
    Pointer(Box<Type>),
    Array(Box<Type>, u32),
    Struct(StructId),
    /// Only as what a pointer points to: results and parameters.
    Function(Box<Type>, Vec<Type>),
    /// An opaque type of a library: `pthread_t`, `pthread_mutex_t`, `spinlock_t`.
    Library(LibraryType),
}

/// The types of libraries whose contents no program looks at. Each is one or two cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum LibraryType {
    /// `pthread_t`, `thrd_t`
    Thread,
    /// `pthread_mutex_t`, `mtx_t`, `struct mutex`
    Mutex,
    /// `pthread_spinlock_t`, `spinlock_t`, `raw_spinlock_t`
    Spinlock,
    /// `pthread_cond_t`, `cnd_t`
    Condition,
    /// `pthread_rwlock_t`, `rwlock_t`
    RwLock,
    /// `pthread_barrier_t`
    Barrier,
    /// `sem_t`
    Semaphore,
    /// `pthread_once_t`, `once_flag`
    Once,
    /// Attributes, `struct timespec` and the like: never looked at.
    Ignored,
}

/// An object with static or thread storage duration.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    /// As the user wrote it; `function.name` for a static local.
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// All scalars that are not 0 initially, as constant expressions or addresses.
    pub(crate) init: Vec<(Path, Expr)>,
    /// How many elements the last member of the structure has, if that is an array without a length.
    pub(crate) tail: u32,
    pub(crate) thread_local: bool,
    /// Whether what can be executed names it; otherwise it has no cells.
    pub(crate) reached: bool,
    pub(crate) place: Place,
}

/// The way from an object to one of its scalars.
pub(crate) type Path = Vec<Step>;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Step {
    /// A member, by its index.
    Member(usize),
    /// An element of an array.
    Element(u32),
}

/// A function with a body.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// The first locals are the parameters, in order.
    pub(crate) parameters: usize,
    pub(crate) locals: Vec<Local>,
    /// `void *f()` in the style of K&R takes any arguments.
    pub(crate) returns: Type,
    pub(crate) body: Vec<Stmt>,
    /// The name in the definition.
    pub(crate) place: Place,
}

/// A parameter or a variable with automatic storage duration.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// Whether its address is taken anywhere, or it is an array or a structure that is indexed by a
    /// value that is no constant.
    pub(crate) addressed: bool,
    /// Whether it is declared in one place, and used only where no path has come by another way since: where paths meet
    /// that have given it different values, nothing uses it any more.
    pub(crate) temporary: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub(crate) kind: StmtKind,
    /// From its first to its last token, as far as it has a text of the user's. What comes from a macro
    /// is where the macro is called.
    pub(crate) place: Place,
}

#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    /// An expression whose value is not used.
    Expr(Expr),
    /// A place in the definition of a macro before a statement of its, where a fence can be inserted: from the end
    /// of the token before it to the end of the statement, as far as that is in the definition.
    InMacro,
    /// A local begins to live; scalars that are not mentioned are 0 if anything is initialised, and
    /// arbitrary otherwise.
    Declare(LocalId, Vec<(Path, Expr)>, Initialised),
    Block(Vec<Stmt>),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    DoWhile(Box<Stmt>, Expr),
    /// `for`: the condition, the step, the body. What comes before is a statement of its own in the
    /// block around it.
    For(Option<Expr>, Option<Expr>, Box<Stmt>),
    /// The value; the body, in which `Case` and `Default` are labels.
    Switch(Expr, Box<Stmt>),
    Case(i64, Box<Stmt>),
    Default(Box<Stmt>),
    Label(String, Box<Stmt>),
    Goto(String),
    Break,
    Continue,
    Return(Option<Expr>),
    /// Inline assembly of a known template.
    Asm(Asm),
    /// Accesses of words with an order.
    Word(Box<Word>),
    Empty,
}

/// Statements that access a word, the part of an atomic operation that has its order.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) access: WordAccess,
    pub(crate) order: WordOrder,
    pub(crate) body: Vec<Stmt>,
}

/// What is accessed, and how.
#[derive(Clone, Debug)]
pub(crate) enum WordAccess {
    /// By accesses of their own.
    Plain,
    /// By a store, which is a locked exchange if it is sequentially consistent.
    Store(Lvalue),
    /// By a locked instruction: all accesses are one.
    Locked(Lvalue),
    /// The same, of an operation that compilers may translate in several ways: which, an exchange if none, and the parts of
    /// its operand.
    Operation(Lvalue, Option<BinaryOp>, Vec<Expr>),
    /// Nothing; accesses before and after have this order, too.
    Order,
}

/// The order of the accesses of a word.
#[derive(Clone, Debug)]
pub(crate) enum WordOrder {
    Fixed(super::operation::Order),
    /// By its number in C.
    Given(Expr),
}

/// Whether a declaration has an initialiser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Initialised {
    Yes,
    No,
}

/// What inline assembly does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Asm {
    /// `""`, `pause`, `nop`, `lfence`: nothing.
    Nothing,
    /// The same with `memory` among what it changes: compilers move no access over it.
    CompilerBarrier,
    /// `mfence`, `lock; addl $0,…`: a full fence.
    FullFence,
    /// `sfence`: a store fence.
    StoreFence,
}

/// An expression that is evaluated to a value.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) ty: Type,
    pub(crate) place: Place,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Const(i64),
    /// A string literal: only as an argument of library functions that ignore it. Elsewhere it is an object.
    Text(String),
    /// The address of a function.
    Function(FunctionId),
    /// The value of an object: a load if it is in memory. For a structure: of all of it.
    Load(Box<Lvalue>),
    AddressOf(Box<Lvalue>),
    Unary(UnaryOp, Box<Expr>),
    /// Operands have the type of the operation: for shifts that of the left one; for comparisons and
    /// for pointers see the operator.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `&&`: the value is 0 or 1.
    And(Box<Expr>, Box<Expr>),
    /// `||`
    Or(Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    /// The value is that stored.
    Assign(Box<Lvalue>, Box<Expr>),
    /// `a op= b`: computed in the type given, then converted to that of the place. On an atomic place
    /// it is one atomic operation.
    Update {
        op: BinaryOp,
        into: Box<Lvalue>,
        operand: Box<Expr>,
        computed_in: Type,
        /// Which value the expression has.
        yields: Yields,
    },
    /// The same as `Binary`, where the result has to be a value of the type: it is a violation
    /// otherwise. Addition, subtraction, multiplication, shifts, and division, also by 0.
    Checked(BinaryOp, Box<Expr>, Box<Expr>),
    Cast(Box<Expr>),
    /// A new object of the type that the expression's type points to, all 0, with this name.
    New(String),
    Call(Callee, Vec<Expr>),
    /// `({ … })`: the value is that of the last statement, if it is an expression.
    Statement(Vec<Stmt>),
}

/// Whether an update has the value before (`x++`) or after (`++x`, `x += 1`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Yields {
    Before,
    After,
}

/// What is called.
#[derive(Clone, Debug)]
pub(crate) enum Callee {
    /// A function with a body in this program.
    Defined(FunctionId),
    /// An operation of a library or a compiler.
    Library(&'static super::operation::Operation),
    /// Through a pointer.
    Pointer(Box<Expr>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnaryOp {
    /// `!`: 0 or 1.
    Not,
    BitNot,
    Neg,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    /// Comparisons have the value 0 or 1; both operands have one type, which says how to compare.
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// A pointer and a number of elements, of type 64-bit signed; the type is the pointer's.
    PointerAdd,
    PointerSub,
    /// The number of elements between two pointers.
    PointerDiff,
}

/// An expression that names an object.
#[derive(Clone, Debug)]
pub(crate) struct Lvalue {
    pub(crate) kind: LvalueKind,
    pub(crate) ty: Type,
    pub(crate) place: Place,
}

#[derive(Clone, Debug)]
pub(crate) enum LvalueKind {
    Object(ObjectId),
    Local(LocalId),
    /// What a pointer points to.
    Deref(Expr),
    /// A member, by its index.
    Member(Box<Lvalue>, usize),
    /// Some bits of an integer: a bit-field, of which the type is that declared.
    Bits(Box<Lvalue>, Bits),
    /// An element of an array; the index is 64-bit signed.
    Element(Box<Lvalue>, Expr),
}
