//! The programs: what is shared, statements and expressions.
//!
//! Objects are the same in all programs: two atomic numbers, a plain one, a volatile one, an atomic byte,
//! an array, plain pairs, nodes with a pointer to another one, a pointer to a node, locks (one of its own,
//! and two inside of structures), a semaphore, a barrier, and what is done once.

/// The numbers of the cells. Pointers to nodes are numbers of cells too; 0 is null.
pub const X: usize = 1;
pub const Y: usize = 2;
pub const W: usize = 3;
pub const V: usize = 4;
pub const BYTE: usize = 5;
pub const ARRAY: usize = 6;
pub const PAIRS: usize = 8;
pub const NODES: usize = 12;
pub const HEAD: usize = 18;
pub const LOCKS: [usize; 3] = [19, 20, 22];
pub const INSIDE: [usize; 2] = [21, 23];
pub const SEMAPHORE: usize = 24;
pub const BARRIER: usize = 25;
pub const ONCE: usize = 27;
pub const LOCAL_NODE: usize = 28;
/// The static variable of the first function, before those of the others.
pub const CALLS: usize = 31;
/// The first cell that is not declared; a node has three cells.
pub const HEAP: usize = 48;
pub const NODE: usize = 3;

/// Scalars that have a name, with the text of each.
pub const NAMED: [(usize, &str, Shape); 16] = [
    (X, "x", Shape::Atomic),
    (Y, "y", Shape::Atomic),
    (W, "w", Shape::Plain),
    (V, "v", Shape::Volatile),
    (BYTE, "n", Shape::Byte),
    (ARRAY, "a[0]", Shape::Atomic),
    (ARRAY + 1, "a[1]", Shape::Atomic),
    (PAIRS, "pairs[0].a", Shape::Plain),
    (PAIRS + 1, "pairs[0].b", Shape::Plain),
    (PAIRS + 2, "pairs[1].a", Shape::Plain),
    (PAIRS + 3, "pairs[1].b", Shape::Plain),
    (NODES, "nodes[0].key", Shape::Atomic),
    (NODES + 1, "nodes[0].value", Shape::Plain),
    (NODES + 3, "nodes[1].key", Shape::Atomic),
    (INSIDE[0], "guarded[0].inside", Shape::Plain),
    (INSIDE[1], "guarded[1].inside", Shape::Plain),
];

/// The locals of each function: numbers, one without a first value, counters, pointers, results.
pub const UNSET: usize = 4;
pub const COUNTERS: usize = 5;
pub const MOST_COUNTERS: usize = 4;
pub const POINTERS: usize = 9;
/// In `main`, the results of threads.
pub const RESULTS: usize = 11;
pub const LOCALS: usize = 15;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    Atomic,
    Plain,
    Volatile,
    /// An atomic unsigned byte.
    Byte,
}

impl Shape {
    pub fn is_atomic(self) -> bool {
        matches!(self, Shape::Atomic | Shape::Byte)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Relaxed,
    /// Acquire for a load, release for a store.
    Half,
    SeqCst,
}

#[derive(Clone, Debug)]
pub enum Pointer {
    Local(usize),
    /// The shared pointer.
    Head,
    /// `p->next` of a local pointer.
    Next(usize),
    Node(usize),
    /// A node on the stack of `main`.
    OfMain,
    Null,
    /// What a function yields.
    Call(usize, Box<Expr>),
}

#[derive(Clone, Debug)]
pub enum Place {
    /// An entry of [`NAMED`].
    Named(usize),
    /// An element of the array.
    Element(Box<Expr>),
    /// The key (atomic) or the value (plain) of a node.
    Key(Pointer),
    Value(Pointer),
    /// Thread-local.
    Own,
    /// An atomic static variable of the function.
    Calls,
}

impl Place {
    pub fn shape(&self) -> Shape {
        match self {
            Place::Named(at) => NAMED[*at].2,
            Place::Element(_) | Place::Key(_) | Place::Calls => Shape::Atomic,
            Place::Value(_) | Place::Own => Shape::Plain,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    Add,
    Sub,
    Eq,
    Ne,
    Lt,
    And,
    Xor,
    Mul,
    Div,
}

#[derive(Clone, Debug)]
pub enum Callee {
    Direct(usize),
    /// An element of the table of functions.
    Table(Box<Expr>),
    /// `(c ? f : g)(…)`
    Chosen(Box<Expr>, usize, usize),
    /// `apply(f, …)`
    Applied(usize),
    /// `ops.run(…)`
    Member,
}

#[derive(Clone, Debug)]
pub enum Expr {
    Const(i32),
    Int(usize),
    Load(Place),
    LoadAs(Place, Order),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Both(Box<Expr>, Box<Expr>),
    Either(Box<Expr>, Box<Expr>),
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    /// `x = e`
    Set(Place, Box<Expr>),
    StoreAs(Place, Box<Expr>, Order),
    /// `x += e`, `-=`, `^=`
    Update(Binary, Place, Box<Expr>),
    /// `++x`, `x--`: whether it counts up, and whether it yields the new value.
    Step(Place, bool, bool),
    Fetch(Binary, Place, Box<Expr>, Order),
    Exchange(Place, Box<Expr>),
    /// A compare-exchange whose expected value is in a local.
    Compare(Place, usize, Box<Expr>),
    Call(Callee, Box<Expr>),
    CallNode(usize, Pointer),
    IsSet(Pointer),
    TryLock(usize, Sharing),
    TryWait,
    Barrier,
}

/// How a lock for readers and a writer is taken; other locks have one way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharing {
    Reader,
    Writer,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Locks {
    Mutex,
    C11,
    Spin,
    ReadWrite,
}

#[derive(Clone, Debug)]
pub enum Argument {
    Nothing,
    Int(Expr),
    Node(Pointer),
}

#[derive(Clone, Debug)]
pub enum Action {
    Do(Expr),
    SetInt(usize, Expr),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// A counter counts from 0.
    For(usize, i32, Vec<Stmt>),
    /// `while (counter++ < n && e)`
    While(usize, i32, Expr, Vec<Stmt>),
    /// `do { … } while (++counter < n && e);`
    DoWhile(usize, i32, Expr, Vec<Stmt>),
    /// The cases 0, 1, …, each with whether it falls through; the last one is the default.
    Switch(Expr, Vec<(Vec<Stmt>, bool)>),
    Break,
    Continue,
    /// `if (e) goto` the next label of this number.
    GotoIf(Expr, usize),
    Label(usize),
    Spin(Place, i32),
    /// `while (e) { … }`
    Loop(Expr, Vec<Stmt>),
    Lock(usize, Sharing),
    Unlock(usize),
    /// Waits for the condition with the lock 0.
    WaitCondition,
    /// Wakes one of the threads that wait for the condition, or all.
    Signal(bool),
    Post,
    Take,
    Once(usize),
    Fence(bool),
    Point(usize, Pointer),
    Publish(Pointer, Order),
    Link(usize, Pointer),
    Allocate(usize, bool),
    Free(usize),
    CopyPair(usize, usize),
    Atomic(Vec<Stmt>),
    Assert(Expr),
    /// What does not satisfy it is no execution.
    Assume(Expr),
    Return(Option<Expr>),
    ReturnNode(Pointer),
    /// `pthread_exit`
    Exit(Expr),
    /// `exit`
    EndProcess,
    /// Creates a thread in a slot of handles.
    Create(usize, usize, Argument),
    /// Creates threads with arguments 0, 1, … in a loop.
    CreateAll(usize, usize),
    /// Waits for a thread; whether its result is taken.
    Join(usize, bool),
    JoinAll(usize),
}

/// A statement with a number of its own.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub id: usize,
    pub action: Action,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    Nothing,
    Int,
    Node,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gives {
    Nothing,
    Int,
    Node,
    /// It is the routine of a thread.
    Result,
    /// It is `main`.
    Main,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub takes: Takes,
    pub gives: Gives,
    pub body: Vec<Stmt>,
    /// About how many shared accesses a call executes.
    pub cost: usize,
    pub has_unset: bool,
    pub is_recursive: bool,
    /// Whether it may end without its value.
    pub lacks_value: bool,
}

#[derive(Clone, Debug)]
pub struct Draft {
    /// The last one is `main`; a function calls earlier ones, or itself.
    pub functions: Vec<Function>,
    pub locks: Locks,
    /// The functions from a number to a number whose addresses are taken.
    pub table: Vec<usize>,
    /// The entries of [`NAMED`] whose final values are compared.
    pub observed: Vec<usize>,
    /// How many threads `main` creates.
    pub threads: usize,
    /// How many threads the barrier waits for.
    pub waiting: usize,
    /// The first value of the semaphore.
    pub permits: i32,
    /// Whether functions are in a file of their own.
    pub split: bool,
}
