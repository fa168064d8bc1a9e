//! Threads as control-flow automata over private registers and shared cells.
//!
//! A [`Program`] is what every other room works on. A thread is a graph of *locations* (control
//! locations, the papers' labels) and *instructions* between them; several instructions may leave
//! one location, and that is the only choice inside a thread besides an explicit `nondet()`.
//! Registers are private, cells are shared; the value of everything is a 32-bit two's complement
//! integer. Cells are numbered from [`FIRST_ADDRESS`] on, region after region, so that address 0
//! is no cell: a null pointer.
//!
//! **Invariant.** A `Program` is only made by [`ProgramBuilder`], which checks it, and never
//! changes afterwards: every id inside resolves, every thread has an entry, atomic blocks are
//! entered and left along every path, every divisor is a constant other than 0. Code that walks a
//! program has no error cases.
//!
//! **Absent.** Memory models, buffers, properties' verdicts: a program only says what each thread
//! does, not when others see it.

mod builder;
mod expr;
mod print;

pub use builder::{BuildError, ProgramBuilder};
pub use expr::{BinaryOp, Expr, UnaryOp};
#[cfg(test)]
pub(crate) use print::RESERVED;
pub use print::print;

use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the dense table that this id indexes.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            fn from(index: usize) -> Self {
                Self(index as u32)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

id!(
    /// A thread of a program; copies of a thread have ids of their own.
    ThreadId,
    "t"
);
id!(
    /// A control location of one thread.
    LocId,
    "q"
);
id!(
    /// A register of one thread.
    RegId,
    "r"
);
id!(
    /// An instruction of one thread.
    InstrId,
    "i"
);

/// The address of a shared cell, as the program's own arithmetic sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Addr(pub i32);

/// The address of the first declared cell. Lower addresses, 0 among them, are no cells.
pub const FIRST_ADDRESS: i32 = 1;

impl Addr {
    /// The position of the cell in dense tables. Requires that the address is a cell.
    pub fn index(self) -> usize {
        (self.0 - FIRST_ADDRESS) as usize
    }

    /// The cell at a position of a dense table.
    pub fn from_index(index: usize) -> Self {
        Self(index as i32 + FIRST_ADDRESS)
    }
}

/// Where in the user's text something was written. Lines and columns count from 1; the span is in
/// bytes. Everything made without a text (generated programs) has the default origin, line 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Origin {
    /// Line, from 1; 0 if there is no text.
    pub line: u32,
    /// Column in characters, from 1; 0 if there is no text.
    pub column: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// One instruction of one thread: what fences, switches and evidence refer to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// The thread.
    pub thread: ThreadId,
    /// The instruction in it.
    pub instr: InstrId,
}

/// What a fence orders.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Fence {
    /// Waits until the own buffers are empty (`mfence`, `scfence`).
    Full,
    /// Orders earlier stores before later stores: the lightweight fence on all addresses
    /// (`sfence` as used on PSO, `membar #StoreStore`).
    Store,
    /// Orders earlier stores to these cells before later stores [DMS17, Fig. 3]. Sorted, distinct.
    Cells(Vec<Addr>),
    /// Waits until the buffers of *every* thread are empty (membarrier, inter-processor
    /// interrupt).
    All,
}

/// How a locked instruction changes its cell, given the value before.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Update {
    /// Stores `desired` if the cell holds `expected`, else stores back what is there.
    CompareExchange {
        /// The value compared with.
        expected: Expr<RegId>,
        /// The value stored on success.
        desired: Expr<RegId>,
    },
    /// Stores this value.
    Exchange(Expr<RegId>),
    /// Stores `old op operand`.
    Fetch(FetchOp, Expr<RegId>),
}

/// The operators of fetch-and-op.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FetchOp {
    /// Wrapping addition.
    Add,
    /// Wrapping subtraction.
    Sub,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
}

/// What one instruction does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Nothing.
    Skip,
    /// `into := value`.
    Assign {
        /// The register written.
        into: RegId,
        /// Its new value.
        value: Expr<RegId>,
    },
    /// `into :=` any value between `low` and `high`, both included.
    Havoc {
        /// The register written.
        into: RegId,
        /// The least value.
        low: i32,
        /// The greatest value; not less than `low`.
        high: i32,
    },
    /// Blocks where the value is 0 (the papers' `assert`, Trencher's `check`).
    Assume(Expr<RegId>),
    /// A property: reaching it with value 0 is a violation. Passed whatever the value.
    Assert(Expr<RegId>),
    /// `into := mem[addr]`.
    Load {
        /// The register written.
        into: RegId,
        /// The address read.
        addr: Expr<RegId>,
    },
    /// `mem[addr] := value`, through the buffer.
    Store {
        /// The address written.
        addr: Expr<RegId>,
        /// The value written.
        value: Expr<RegId>,
    },
    /// A locked instruction: waits for empty own buffers, then reads and writes memory at once.
    Rmw {
        /// Receives the value before.
        into: RegId,
        /// The address updated.
        addr: Expr<RegId>,
        /// How.
        update: Update,
    },
    /// A fence or barrier.
    Fence(Fence),
    /// Enters an atomic block: waits for empty own buffers; nobody else acts until its end.
    AtomicBegin,
    /// Leaves the atomic block.
    AtomicEnd,
}

/// What fence insertion may do before an instruction (`@cost`, `@nofence`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FencePlace {
    /// A fence here has the default cost.
    #[default]
    Default,
    /// A fence here costs this much.
    Cost(u32),
    /// No fence may stand here.
    Forbidden,
}

/// An edge of a thread's automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// Where it starts.
    pub from: LocId,
    /// What it does.
    pub op: Op,
    /// Where it ends.
    pub to: LocId,
    /// What a fence before it would cost.
    pub place: FencePlace,
    /// Where it was written.
    pub origin: Origin,
}

/// A control location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// Its name, unique in the thread: the user's label, or a generated one.
    pub name: String,
    /// Whether the name is the user's.
    pub labelled: bool,
    /// Whether a thread that is here is inside an atomic block, where it cannot halt.
    pub atomic: bool,
    /// Where the label, or what comes next, was written.
    pub origin: Origin,
}

/// A register.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Register {
    /// Its name, unique in the thread. Names with a `$` are temporaries of the front end.
    pub name: String,
    /// Its value at the start.
    pub init: i32,
}

/// How many threads a declaration stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Copies {
    /// One. Declared copies (`[3]`) are threads of their own.
    One,
    /// Any number (`[*]`).
    Any,
}

/// A thread's automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread {
    name: String,
    copies: Copies,
    registers: Vec<Register>,
    locations: Vec<Location>,
    instructions: Vec<Instruction>,
    entry: LocId,
    outgoing: Vec<Vec<InstrId>>,
    origin: Origin,
}

impl Thread {
    /// The name, unique in the program; copy 2 of `worker` is `worker.2`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many threads this one stands for.
    pub fn copies(&self) -> Copies {
        self.copies
    }

    /// All registers.
    pub fn registers(&self) -> &[Register] {
        &self.registers
    }

    /// All locations.
    pub fn locations(&self) -> &[Location] {
        &self.locations
    }

    /// One location.
    pub fn location(&self, loc: LocId) -> &Location {
        &self.locations[loc.index()]
    }

    /// All instructions.
    pub fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }

    /// One instruction.
    pub fn instruction(&self, instr: InstrId) -> &Instruction {
        &self.instructions[instr.index()]
    }

    /// Where the thread starts.
    pub fn entry(&self) -> LocId {
        self.entry
    }

    /// The instructions that leave a location, in the order of their declaration.
    pub fn outgoing(&self, loc: LocId) -> &[InstrId] {
        &self.outgoing[loc.index()]
    }

    /// Whether a thread at this location has ended: no instruction leaves it.
    pub fn is_end(&self, loc: LocId) -> bool {
        self.outgoing[loc.index()].is_empty()
    }

    /// Where the thread was declared.
    pub fn origin(&self) -> Origin {
        self.origin
    }
}

/// A run of consecutive cells with one name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// Its name, unique in the program.
    pub name: String,
    /// The address of its first cell.
    pub base: Addr,
    /// The cells' values at the start; one entry a cell, never empty.
    pub init: Vec<i32>,
    /// Whether it was declared as an array; a scalar prints without an index.
    pub array: bool,
}

/// What a property's predicate can look at in a halting configuration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Observable {
    /// The value of a register.
    Register(ThreadId, RegId),
    /// 1 if the thread is at the location, else 0.
    At(ThreadId, LocId),
    /// The value of a cell in memory, all buffers drained.
    Cell(Addr),
}

/// How a predicate is meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PropertyKind {
    /// No reachable configuration satisfies it.
    Forbid,
    /// Every configuration where all threads have ended satisfies it.
    FinalAssert,
    /// Some configuration where all threads have ended satisfies it: an observation, reported
    /// as observed or not, and never a violation.
    Exists,
}

/// A property of configurations. Properties inside threads are [`Op::Assert`] instructions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// How the predicate is meant.
    pub kind: PropertyKind,
    /// The predicate; true where not 0.
    pub predicate: Expr<Observable>,
    /// Where it was written.
    pub origin: Origin,
}

/// One question about a program: can this happen?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Goal {
    /// The `assert` at this site is reached with value 0.
    Assert(Site),
    /// The access at this site is reached with an address that is no declared cell. The access
    /// is not executed then: the thread halts there.
    Outside(Site),
    /// The property of this position in [`Program::properties`] decides: its predicate is true
    /// in a halting configuration (`forbid`, `exists`), or false in one where all threads have
    /// ended (`final assert`).
    Property(usize),
}

/// A checked concurrent program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    name: String,
    regions: Vec<Region>,
    threads: Vec<Thread>,
    properties: Vec<Property>,
    init: Vec<i32>,
}

impl Program {
    /// The program's name; may be empty.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All declared regions, by address.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// All threads.
    pub fn threads(&self) -> &[Thread] {
        &self.threads
    }

    /// One thread.
    pub fn thread(&self, thread: ThreadId) -> &Thread {
        &self.threads[thread.index()]
    }

    /// The ids of all threads.
    pub fn thread_ids(&self) -> impl ExactSizeIterator<Item = ThreadId> + Clone + use<> {
        (0..self.threads.len()).map(ThreadId::from)
    }

    /// One instruction.
    pub fn instruction(&self, site: Site) -> &Instruction {
        self.thread(site.thread).instruction(site.instr)
    }

    /// Every instruction of every thread, thread by thread.
    pub fn sites(&self) -> impl Iterator<Item = (Site, &Instruction)> {
        self.threads.iter().enumerate().flat_map(|(t, thread)| {
            thread
                .instructions
                .iter()
                .enumerate()
                .map(move |(i, instruction)| {
                    (
                        Site {
                            thread: t.into(),
                            instr: i.into(),
                        },
                        instruction,
                    )
                })
        })
    }

    /// The properties, in the order of their declaration.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// Every question that the program asks: its assertions and the accesses whose address is not
    /// a constant cell, in the order of [`Program::sites`], then its properties.
    pub fn goals(&self) -> Vec<Goal> {
        let mut goals = Vec::new();
        for (site, instruction) in self.sites() {
            if let Op::Assert(_) = instruction.op {
                goals.push(Goal::Assert(site));
            }
            if let Some(addr) = instruction.op.address()
                && addr
                    .as_const()
                    .and_then(|value| self.cell_at(value))
                    .is_none()
            {
                goals.push(Goal::Outside(site));
            }
        }
        goals.extend((0..self.properties.len()).map(Goal::Property));
        goals
    }

    /// How many cells there are.
    pub fn cell_count(&self) -> usize {
        self.init.len()
    }

    /// All cells, by address.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Addr> + Clone + use<> {
        (0..self.init.len()).map(Addr::from_index)
    }

    /// The cell that a value denotes as an address, if it denotes one.
    pub fn cell_at(&self, value: i32) -> Option<Addr> {
        let last = FIRST_ADDRESS + (self.init.len() as i32) - 1;
        (FIRST_ADDRESS..=last)
            .contains(&value)
            .then_some(Addr(value))
    }

    /// The values of all cells at the start, by [`Addr::index`].
    pub fn initial_memory(&self) -> &[i32] {
        &self.init
    }

    /// A cell's name as the user would write it: `flag`, `slot[2]`.
    pub fn cell_name(&self, addr: Addr) -> String {
        let region = self.regions.iter().rev().find(|region| region.base <= addr);
        match region {
            Some(region) if region.array => {
                format!("{}[{}]", region.name, addr.0 - region.base.0)
            }
            Some(region) => region.name.clone(),
            None => addr.0.to_string(),
        }
    }

    /// The thread of this name.
    pub fn find_thread(&self, name: &str) -> Option<ThreadId> {
        self.threads
            .iter()
            .position(|thread| thread.name == name)
            .map(ThreadId::from)
    }

    /// Whether some thread stands for any number of copies.
    pub fn is_parametric(&self) -> bool {
        self.threads
            .iter()
            .any(|thread| thread.copies == Copies::Any)
    }

    /// The same program with one more property, the last of [`Program::properties`]: a question
    /// asked from outside. Requires that the predicate looks at parts of this program only, and at
    /// no location inside an atomic block, as a parsed predicate does.
    #[must_use]
    pub fn with_property(&self, property: Property) -> Program {
        let mut program = self.clone();
        program.properties.push(property);
        program
    }

    /// The same program as if written without a text: equal for two programs that differ only in
    /// where their parts were written.
    #[must_use]
    pub fn without_origins(&self) -> Program {
        let mut program = self.clone();
        for thread in &mut program.threads {
            thread.origin = Origin::default();
            for location in &mut thread.locations {
                location.origin = Origin::default();
            }
            for instruction in &mut thread.instructions {
                instruction.origin = Origin::default();
            }
        }
        for property in &mut program.properties {
            property.origin = Origin::default();
        }
        program
    }

    /// The program with each instruction's operation replaced by what `op` returns for it, all
    /// locations, ids and origins kept. Requires that `op` keeps begins and ends of atomic blocks
    /// where they are and introduces no new registers.
    pub(crate) fn map_ops(&self, mut op: impl FnMut(Site, &Op) -> Op) -> Program {
        let mut program = self.clone();
        for (t, thread) in program.threads.iter_mut().enumerate() {
            for (i, instruction) in thread.instructions.iter_mut().enumerate() {
                let site = Site {
                    thread: t.into(),
                    instr: i.into(),
                };
                instruction.op = op(site, &instruction.op);
            }
        }
        program
    }
}

impl Update {
    /// The value stored, given the value before and the values of the registers.
    pub fn apply(&self, old: i32, mut register: impl FnMut(RegId) -> i32) -> i32 {
        match self {
            Update::CompareExchange { expected, desired } => {
                if old == expected.eval(&mut register) {
                    desired.eval(&mut register)
                } else {
                    old
                }
            }
            Update::Exchange(value) => value.eval(&mut register),
            Update::Fetch(op, operand) => op.apply(old, operand.eval(&mut register)),
        }
    }

    /// The expressions it evaluates.
    pub fn operands(&self) -> Vec<&Expr<RegId>> {
        match self {
            Update::CompareExchange { expected, desired } => vec![expected, desired],
            Update::Exchange(value) | Update::Fetch(_, value) => vec![value],
        }
    }
}

impl FetchOp {
    /// `old op operand`, wrapping.
    pub fn apply(self, old: i32, operand: i32) -> i32 {
        match self {
            FetchOp::Add => old.wrapping_add(operand),
            FetchOp::Sub => old.wrapping_sub(operand),
            FetchOp::And => old & operand,
            FetchOp::Or => old | operand,
        }
    }
}

impl Op {
    /// The register that the instruction writes.
    pub fn target(&self) -> Option<RegId> {
        match self {
            Op::Assign { into, .. }
            | Op::Havoc { into, .. }
            | Op::Load { into, .. }
            | Op::Rmw { into, .. } => Some(*into),
            Op::Skip
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Store { .. }
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::AtomicEnd => None,
        }
    }

    /// The expressions that the instruction evaluates.
    pub fn operands(&self) -> Vec<&Expr<RegId>> {
        match self {
            Op::Assign { value, .. } => vec![value],
            Op::Assume(e) | Op::Assert(e) | Op::Load { addr: e, .. } => vec![e],
            Op::Store { addr, value } => vec![addr, value],
            Op::Rmw { addr, update, .. } => {
                let mut operands = vec![addr];
                operands.extend(update.operands());
                operands
            }
            Op::Skip | Op::Havoc { .. } | Op::Fence(_) | Op::AtomicBegin | Op::AtomicEnd => {
                Vec::new()
            }
        }
    }

    /// The address expression of a load, store or locked instruction.
    pub fn address(&self) -> Option<&Expr<RegId>> {
        match self {
            Op::Load { addr, .. } | Op::Store { addr, .. } | Op::Rmw { addr, .. } => Some(addr),
            Op::Skip
            | Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::AtomicEnd => None,
        }
    }
}
