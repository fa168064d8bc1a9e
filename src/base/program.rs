//! Threads as control-flow automata over private registers and shared cells.
//!
//! A [`Program`] is what every other module works on. A thread is a graph of *locations* (control
//! locations; the papers call them labels) and *instructions* between them; several instructions
//! may leave one location. This and an explicit `nondet()` are the only nondeterminism inside a
//! thread. Registers are private, cells are shared; every value is a 32-bit two's complement
//! integer. Cells are numbered from [`FIRST_ADDRESS`] on, region after region, so that address 0 is
//! not a cell and can serve as a null pointer.
//!
//! **Invariant.** Only [`ProgramBuilder`] makes a `Program`, and it checks it first; a `Program`
//! never changes afterwards. Every id inside resolves, every thread has an entry, atomic blocks are
//! entered and left along every path, and every divisor is a constant other than 0. Code that walks
//! a program has no error cases.
//!
//! **Absent.** Memory models, buffers and verdicts. A program defines what each thread does, not
//! when other threads see it.

mod blocks;
mod builder;
mod change;
mod computed;
mod excerpt;
mod expr;
mod fault;
mod fence;
mod files;
mod id;
mod instance;
mod limits;
mod note;
mod op;
mod ordering;

mod print;
mod property;
mod thread;

pub use builder::{BuildError, ProgramBuilder};
pub use change::Change;
pub use excerpt::Excerpt;
pub use expr::{BinaryOp, Expr, UnaryOp};
#[doc(hidden)]
pub use fault::Fault;
#[doc(hidden)]
pub use fence::FencePoint;
pub use fence::{Aim, FenceKind};
pub use files::Files;
pub use files::Part;
#[doc(hidden)]
pub use id::FIRST_ADDRESS;
pub use id::{Addr, CallId, InstrId, LocId, Origin, RegId, Site, ThreadId};
pub use instance::{InstanceSize, counts_with_sum};
pub use note::{Call, Role};
#[doc(hidden)]
pub use op::AccessKind;
pub use op::{Fence, FencePlace, FetchOp, Op, Overlap, Update};
#[doc(hidden)]
pub use ordering::{Context, Ordered, Ordering, Suspect, Written};
pub use print::RESERVED;
#[doc(hidden)]
pub use print::print;
pub use print::quoted;
pub use property::{Goal, Observable, Property, PropertyKind};
pub use thread::{Copies, Instruction, Location, Register, Thread};

use crate::visible::visible_line;
use computed::Computed;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A run of consecutive cells with one name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// Its name, unique in the program.
    pub name: String,
    /// The address of its first cell.
    pub base: Addr,
    /// The cells' initial values, one per cell; never empty.
    pub init: Vec<i32>,
    /// Whether it was declared as an array; a scalar prints without an index.
    pub array: bool,
}

/// By thread and number of the line: its instructions.
struct Lines(Vec<BTreeMap<u32, Vec<InstrId>>>);

impl Lines {
    fn of(program: &Program) -> Self {
        let mut lines = vec![BTreeMap::new(); program.threads().len()];
        for (site, instruction) in program.sites() {
            let of_thread: &mut BTreeMap<u32, Vec<InstrId>> = &mut lines[site.thread.index()];
            let on_line = of_thread.entry(instruction.origin.line).or_default();
            on_line.push(site.instr);
        }
        Self(lines)
    }
}

/// A checked concurrent program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    name: String,
    regions: Arc<[Region]>,
    threads: Vec<Thread>,
    properties: Vec<Property>,
    limits: Vec<Site>,
    continues_past_limits: bool,
    calls: Vec<Call>,
    faults: BTreeMap<Site, Fault>,
    reasons: BTreeMap<Site, String>,
    init: Arc<[i32]>,
    files: Files,
    unwritten: Option<i32>,
    computed: Computed,
}

impl Program {
    /// The program's name; may be empty.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The files that origins refer to.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// The file of an origin, if it is not the one that the program was read from: a header, or
    /// another translation unit.
    pub fn file(&self, origin: Origin) -> Option<&str> {
        self.files.name(origin.start as usize)
    }

    /// Whether two origins are on the same line of the same file.
    pub fn is_same_line(&self, a: Origin, b: Origin) -> bool {
        a.line == b.line && self.file(a) == self.file(b)
    }

    /// The instructions of the thread whose origins are on the line of this one.
    pub fn on_line_of(&self, site: Site) -> Vec<InstrId> {
        let lines = self.computed(Lines::of);
        let origin = self.instruction(site).origin;
        let on_line = lines.0[site.thread.index()].get(&origin.line);
        let instrs = on_line.into_iter().flatten().copied();
        let is_on_it = |&instr: &InstrId| {
            let thread = site.thread;
            let other = self.instruction(Site { thread, instr });
            self.is_same_line(other.origin, origin)
        };
        instrs.filter(is_on_it).collect()
    }

    /// [`file`](Self::file) without folders, if that is enough to know the file.
    pub fn short_file(&self, origin: Origin) -> Option<&str> {
        self.files.short(origin.start as usize)
    }

    /// The number that registers and cells hold which have never been written, if there is one. In such
    /// a program no other value is this number.
    pub fn unwritten(&self) -> Option<i32> {
        self.unwritten
    }

    /// `line 9`, or `line 9 of queue.h` if that is not the file that the program was read from.
    pub fn line_words(&self, origin: Origin) -> String {
        match self.short_file(origin) {
            Some(file) => format!("line {} of {}", origin.line, visible_line(file)),
            None => format!("line {}", origin.line),
        }
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

    /// Every goal of the program: its assertions (except [limits](Program::limits)) and the
    /// accesses whose address is not a constant cell, in the order of [`Program::sites`], then its
    /// properties.
    pub fn goals(&self) -> Vec<Goal> {
        let mut goals = Vec::new();
        for (site, instruction) in self.sites() {
            if let Op::Assert(_) = instruction.op
                && self.limits.binary_search(&site).is_err()
            {
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

    /// What is wrong where this assertion fails, if it is not one that the user wrote.
    #[doc(hidden)]
    pub fn fault(&self, site: Site) -> Option<Fault> {
        self.faults.get(&site).copied()
    }

    /// The reason that reports give if this assertion fails: `"text"` in `assert(e, "text")`.
    pub fn reason(&self, site: Site) -> Option<&str> {
        self.reasons.get(&site).map(String::as_str)
    }

    /// Whether the text states a property: an assertion that its front end did not insert, or a
    /// property of configurations.
    pub fn states_property(&self) -> bool {
        let stated = |(site, instruction): (Site, &Instruction)| {
            let generated = self.faults.contains_key(&site) || self.limits.contains(&site);
            matches!(instruction.op, Op::Assert(_)) && !generated
        };
        !self.properties.is_empty() || self.sites().any(stated)
    }

    /// The calls from whose procedures an instruction was copied, the innermost first.
    pub fn calls(&self, site: Site) -> Vec<&Call> {
        let mut found = Vec::new();
        let mut at = self.instruction(site).call;
        while let Some(call) = at.and_then(|id| self.calls.get(id.index())) {
            found.push(call);
            at = call.caller;
        }
        found
    }

    /// The number of cells.
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

    /// An expression that is not 0 if and only if the value is the address of a cell.
    pub fn is_cell(&self, addr: &Expr<RegId>) -> Expr<RegId> {
        let last = FIRST_ADDRESS - 1 + self.init.len() as i32;
        let low = Expr::binary(BinaryOp::Ge, addr.clone(), Expr::Const(FIRST_ADDRESS));
        let high = Expr::binary(BinaryOp::Le, addr.clone(), Expr::Const(last));
        Expr::binary(BinaryOp::And, low, high)
    }

    /// The initial values of all cells, by [`Addr::index`].
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

    /// The thread with this name.
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

    /// Whether some thread waits for the buffers of all threads (`barrier all`).
    pub fn has_barrier(&self) -> bool {
        let mut sites = self.sites();
        sites.any(|(_, instruction)| instruction.op == Op::Fence(Fence::All))
    }

    /// The same program with one more property, the last of [`Program::properties`]. Requires that
    /// the predicate looks at parts of this program only, and at no location inside an atomic
    /// block, as a parsed predicate does.
    #[must_use]
    #[doc(hidden)]
    pub fn with_property(&self, property: Property) -> Program {
        self.with_properties(vec![property])
    }

    /// [`with_property`](Self::with_property) for several of them.
    #[must_use]
    pub fn with_properties(&self, properties: Vec<Property>) -> Program {
        let mut program = self.clone();
        program.properties.extend(properties);
        program.made()
    }

    /// The same program without its last property, if it is this one.
    #[must_use]
    pub fn without_last_property(&self, property: &Property) -> Program {
        let mut program = self.clone();
        program.properties.pop_if(|last| last == property);
        program.made()
    }

    /// The same program with another property in the place of one.
    #[must_use]
    pub fn restated(&self, number: usize, property: Property) -> Program {
        let mut program = self.clone();
        program.properties[number] = property;
        program.made()
    }

    /// The program in which only these threads have instructions; all ids are kept.
    #[must_use]
    pub fn with_only(&self, acts: impl Fn(ThreadId) -> bool) -> Program {
        let mut program = self.clone();
        for (index, thread) in program.threads.iter_mut().enumerate() {
            if !acts(index.into()) {
                thread.stop();
            }
        }
        program.limits.retain(|limit| acts(limit.thread));
        program.made()
    }

    /// The same program with the default cost of a fence before each instruction.
    #[must_use]
    pub fn without_places(&self) -> Program {
        let mut program = self.clone();
        for thread in &mut program.threads {
            for instruction in &mut thread.instructions {
                instruction.place = FencePlace::Default;
            }
        }
        program
    }

    /// The same program, whose origins refer to these files.
    #[must_use]
    pub fn with_files(mut self, files: Files) -> Program {
        self.files = files;
        self
    }

    /// The same program, in which this number marks what has never been written, if it contains the
    /// number.
    #[must_use]
    pub fn with_unwritten(mut self, mark: i32) -> Program {
        let in_memory = self.init.contains(&mark);
        let occurs = in_memory
            || self.sites().any(|(_, instruction)| {
                let operands = instruction.op.operands().into_iter();
                operands
                    .flat_map(Expr::constants)
                    .any(|value| value == mark)
            });
        self.unwritten = occurs.then_some(mark);
        self
    }

    /// The same program without origins: equal for two programs that differ only in where their
    /// parts were written.
    #[must_use]
    #[doc(hidden)]
    pub fn without_origins(&self) -> Program {
        let mut program = self.clone();
        program.calls.clear();
        for thread in &mut program.threads {
            thread.origin = Origin::default();
            for location in &mut thread.locations {
                location.origin = Origin::default();
            }
            for instruction in &mut thread.instructions {
                instruction.origin = Origin::default();
                instruction.call = None;
                instruction.role = Role::default();
            }
        }
        for property in &mut program.properties {
            property.origin = Origin::default();
        }
        program.files = Files::default();
        program.faults.clear();
        program.reasons.clear();
        program.unwritten = None;
        program
    }

    /// The program with each instruction's operation replaced by what `op` returns for it, all
    /// locations, ids and origins kept. Requires that `op` keeps the beginnings and ends of atomic
    /// blocks where they are and introduces no new registers.
    #[must_use]
    pub fn map_ops(&self, mut op: impl FnMut(Site, &Op) -> Op) -> Program {
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
        program.made()
    }
}
