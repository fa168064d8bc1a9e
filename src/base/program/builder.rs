//! The only way to make a program: collect its parts, then check them all together.
//!
//! Ids are handed out as parts are declared; instructions may name locations that are declared
//! later. [`ProgramBuilder::build`] reports every error it finds, each with its origin.

mod draft;

use super::{
    Addr, Call, CallId, Computed, Copies, Expr, FIRST_ADDRESS, Fault, FencePlace, Files, InstrId,
    Instruction, LocId, Location, Observable, Op, Origin, Program, Property, PropertyKind, RegId,
    Region, Register, Role, Site, Thread, ThreadId,
};
use draft::{Draft, check_predicate, unique};
use std::collections::BTreeMap;
use std::fmt;

/// The maximum number of cells that a user may declare. It keeps addresses far from the ends of the
/// value range.
const MOST_CELLS: usize = 1 << 20;
/// The same for programs that are derived from others: one for robustness has up to three more cells for
/// each and for address 0, and one of its own.
const MOST_DERIVED: usize = MOST_CELLS + 3 * (MOST_CELLS + 1) + 1;

/// An error in the collected parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildError {
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
    /// Where it was written.
    pub origin: Origin,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.origin.line {
            0 => f.write_str(&self.message),
            line => write!(f, "line {line}: {}", self.message),
        }
    }
}

impl std::error::Error for BuildError {}

/// Collects the parts of a [`Program`].
#[derive(Clone, Debug, Default)]
pub struct ProgramBuilder {
    name: String,
    regions: Vec<Region>,
    cells: usize,
    is_derived: bool,
    threads: Vec<Draft>,
    properties: Vec<Property>,
    limits: Vec<Site>,
    continues_past_limits: bool,
    files: Files,
    calls: Vec<Call>,
    faults: BTreeMap<Site, Fault>,
    reasons: BTreeMap<Site, String>,
    errors: Vec<BuildError>,
}

impl ProgramBuilder {
    /// An empty program with this name.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// A program with the same shared memory as another one and the same threads, with their
    /// registers and locations, but without instructions and properties. All ids are the same.
    #[doc(hidden)]
    pub fn like(program: &Program) -> Self {
        let mut builder = Self::new(program.name());
        builder.is_derived = true;
        builder.files = program.files().clone();
        for region in program.regions() {
            builder.region(region.name.clone(), region.init.clone(), region.array);
        }
        for id in program.thread_ids() {
            let thread = program.thread(id);
            builder.thread(thread.name(), thread.copies(), thread.origin());
            if let Some(class) = thread.family {
                builder.copy_of(id, class);
            }
            for register in thread.registers() {
                builder.register(id, &register.name, register.init);
            }
            for location in thread.locations() {
                let name = if location.labelled {
                    location.name.clone()
                } else {
                    String::new()
                };
                builder.push_location(id, name, location.labelled, location.origin);
            }
            builder.entry(id, thread.entry());
        }
        builder
    }

    /// Declares a shared scalar and returns its address.
    pub fn cell(&mut self, name: impl Into<String>, init: i32) -> Addr {
        self.region(name.into(), vec![init], false)
    }

    /// Declares a shared array, with one initial value per cell, and returns its first address.
    pub fn array(&mut self, name: impl Into<String>, init: Vec<i32>) -> Addr {
        self.region(name.into(), init, true)
    }

    fn region(&mut self, name: String, init: Vec<i32>, array: bool) -> Addr {
        let base = Addr(FIRST_ADDRESS + self.cells as i32);
        let most = if self.is_derived {
            MOST_DERIVED
        } else {
            MOST_CELLS
        };
        if init.is_empty() || self.cells + init.len() > most {
            self.errors.push(BuildError {
                message: format!("`{name}` must have between 1 and {most} cells"),
                origin: Origin::default(),
            });
            return base;
        }
        self.cells += init.len();
        self.regions.push(Region {
            name,
            base,
            init,
            array,
        });
        base
    }

    /// Declares a thread without registers, locations or instructions.
    pub fn thread(&mut self, name: impl Into<String>, copies: Copies, origin: Origin) -> ThreadId {
        let id = ThreadId::from(self.threads.len());
        self.threads.push(Draft {
            name: name.into(),
            copies,
            family: (copies == Copies::Any).then_some(id),
            registers: Vec::new(),
            locations: Vec::new(),
            instructions: Vec::new(),
            entry: None,
            origin,
        });
        id
    }

    /// Says that a thread is a copy of one with `[*]`: one of those that properties name.
    pub fn copy_of(&mut self, thread: ThreadId, class: ThreadId) {
        self.threads[thread.index()].family = Some(class);
    }

    /// Declares a register of a thread.
    pub fn register(&mut self, thread: ThreadId, name: impl Into<String>, init: i32) -> RegId {
        let registers = &mut self.threads[thread.index()].registers;
        registers.push(Register {
            name: name.into(),
            init,
        });
        (registers.len() - 1).into()
    }

    /// Declares a location with the user's label.
    pub fn label(&mut self, thread: ThreadId, name: impl Into<String>, origin: Origin) -> LocId {
        self.push_location(thread, name.into(), true, origin)
    }

    /// Declares a location without a label. When the program is built it is named `q` and a number
    /// that makes the name differ from every label.
    pub fn location(&mut self, thread: ThreadId, origin: Origin) -> LocId {
        self.push_location(thread, String::new(), false, origin)
    }

    /// Gives a label to a location that has none. Returns whether it had none.
    pub fn name_location(
        &mut self,
        thread: ThreadId,
        loc: LocId,
        name: impl Into<String>,
        origin: Origin,
    ) -> bool {
        let location = &mut self.threads[thread.index()].locations[loc.index()];
        if location.labelled {
            return false;
        }
        location.name = name.into();
        location.labelled = true;
        location.origin = origin;
        true
    }

    fn push_location(
        &mut self,
        thread: ThreadId,
        name: String,
        labelled: bool,
        origin: Origin,
    ) -> LocId {
        let locations = &mut self.threads[thread.index()].locations;
        locations.push(Location {
            name,
            labelled,
            atomic: false,
            word: false,
            origin,
        });
        (locations.len() - 1).into()
    }

    /// Sets where a thread starts.
    pub fn entry(&mut self, thread: ThreadId, loc: LocId) {
        self.threads[thread.index()].entry = Some(loc);
    }

    /// Adds an instruction from one location to another.
    pub fn instruction(
        &mut self,
        thread: ThreadId,
        from: LocId,
        op: Op,
        to: LocId,
        origin: Origin,
    ) -> InstrId {
        let instructions = &mut self.threads[thread.index()].instructions;
        instructions.push(Instruction {
            from,
            op,
            to,
            place: FencePlace::Default,
            origin,
            call: None,
            role: Role::default(),
        });
        (instructions.len() - 1).into()
    }

    /// Adds a call of a procedure.
    pub fn call(&mut self, call: Call) -> CallId {
        self.calls.push(call);
        (self.calls.len() - 1).into()
    }

    /// Says through which call control gets to an instruction, and what that is for.
    pub fn note(&mut self, thread: ThreadId, instr: InstrId, call: Option<CallId>, role: Role) {
        let instruction = &mut self.threads[thread.index()].instructions[instr.index()];
        (instruction.call, instruction.role) = (call, role);
    }

    /// Sets the cost of a fence before an instruction, or forbids one.
    pub fn fence_place(&mut self, thread: ThreadId, instr: InstrId, place: FencePlace) {
        let instruction = &mut self.threads[thread.index()].instructions[instr.index()];
        instruction.place = place.before(&instruction.op);
    }

    /// Marks an assertion as a [limit](Program::limits).
    #[doc(hidden)]
    pub fn limit(&mut self, thread: ThreadId, instr: InstrId) {
        self.limits.push(Site { thread, instr });
    }

    /// Says that the program [continues past its limits](Program::continues_past_limits).
    #[doc(hidden)]
    pub fn continue_past_limits(&mut self) {
        self.continues_past_limits = true;
    }

    /// Says what is wrong where an assertion fails.
    #[doc(hidden)]
    pub fn fault(&mut self, thread: ThreadId, instr: InstrId, fault: Fault) {
        self.faults.insert(Site { thread, instr }, fault);
    }

    /// Sets the reason that reports give if this assertion fails.
    pub fn reason(&mut self, thread: ThreadId, instr: InstrId, reason: String) {
        self.reasons.insert(Site { thread, instr }, reason);
    }

    /// Adds a property.
    pub fn property(&mut self, kind: PropertyKind, predicate: Expr<Observable>, origin: Origin) {
        self.properties.push(Property {
            kind,
            predicate,
            origin,
        });
    }

    /// Checks everything and returns the program.
    ///
    /// # Errors
    ///
    /// All errors, in the order of the parts: a name declared twice, a thread without an entry, an
    /// id that was never handed out, a property that divides by something that is not a constant
    /// other than 0, a fence on
    /// something that is not a cell, an empty range for `nondet()`, a location reached both inside
    /// and outside an atomic block, or a property that names a location inside an atomic block.
    pub fn build(self) -> Result<Program, Vec<BuildError>> {
        let Self {
            name,
            regions,
            cells,
            is_derived: _,
            threads,
            properties,
            mut limits,
            continues_past_limits,
            files,
            calls,
            faults,
            reasons,
            mut errors,
        } = self;
        unique(
            regions
                .iter()
                .map(|region| (region.name.as_str(), Origin::default())),
            "shared name",
            &mut errors,
        );
        unique(
            threads
                .iter()
                .map(|thread| (thread.name.as_str(), thread.origin)),
            "thread",
            &mut errors,
        );
        let threads: Vec<Thread> = threads
            .into_iter()
            .map(|draft| draft.finish(cells, &mut errors))
            .collect();
        for property in &properties {
            check_predicate(property, &threads, cells, &mut errors);
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let init = regions
            .iter()
            .flat_map(|region| region.init.iter().copied())
            .collect();
        limits.sort_unstable();
        Ok(Program {
            name,
            regions: regions.into(),
            threads,
            properties,
            limits,
            continues_past_limits,
            calls,
            faults,
            reasons,
            init,
            files,
            unwritten: None,
            computed: Computed::default(),
        })
    }
}

impl Program {
    /// This program, which was made from another one and not by the builder. It must pass the
    /// builder's checks all the same; builds with assertions make them.
    pub(super) fn made(self) -> Program {
        debug_assert!(self.errors().is_empty(), "{:?}", self.errors());
        self
    }

    /// What the builder would not have let pass.
    pub fn errors(&self) -> Vec<BuildError> {
        let cells = self.cell_count();
        let mut errors = Vec::new();
        for thread in &self.threads {
            let draft = Draft {
                name: thread.name.clone(),
                copies: thread.copies,
                family: thread.family,
                registers: thread.registers.clone(),
                locations: thread.locations.clone(),
                instructions: thread.instructions.clone(),
                entry: Some(thread.entry),
                origin: thread.origin,
            };
            let built = draft.finish(cells, &mut errors);
            let inside = |thread: &Thread| -> Vec<(bool, bool)> {
                let locations = thread.locations.iter();
                locations.map(|loc| (loc.atomic, loc.word)).collect()
            };
            // A thread that does nothing keeps its locations as they were.
            let is_same = built.outgoing == thread.outgoing
                && (thread.instructions.is_empty() || inside(&built) == inside(thread));
            if !is_same {
                errors.push(BuildError {
                    message: format!("thread `{}` is not what was declared", thread.name),
                    origin: thread.origin,
                });
            }
        }
        for property in &self.properties {
            check_predicate(property, &self.threads, cells, &mut errors);
        }
        let is_there = |limit: &Site| {
            let thread = self.threads.get(limit.thread.index());
            thread.is_some_and(|thread| limit.instr.index() < thread.instructions.len())
        };
        if !self.limits.is_sorted() || !self.limits.iter().all(is_there) {
            errors.push(BuildError {
                message: "limits that are no instructions".to_owned(),
                origin: Origin::default(),
            });
        }
        errors
    }
}
