//! The middle layer of C and Rust: the typed program (`typed`, `operation`, `direct`), its lowering to
//! automata, and what front ends over it share (`parsed`, `rewrite`).
//!
//! Functions are inlined, what is known is computed, the rest becomes instructions.
//!
//! Each thread is lowered by one walk over the statements that it executes, from its routine on. The
//! walk knows the values of local variables as long as they are constants (`env`), so the loop that
//! creates the threads is unrolled, and each thread gets its argument as a constant. Other loops become
//! loops of the automaton; before one, what it assigns moves into registers.
//!
//! As long as `main` is alone and deterministic, it is *executed*: what it stores becomes the initial
//! memory, so a program that initialises its data and then creates threads has no instructions for
//! that (`solo`).
//!
//! A pointer or an integer at file scope that only `main` sets, as long as it is alone, has one value afterwards. This
//! is assumed of all whose address is not taken; where one turns out to change, the walk starts again.
//!
//! A variable or memory that is read before it has a value, a pointer that leaves its object, and an
//! access of what was freed or has ended are violations: `bounds`, `deferred`, `heap`, `lifetime`.
//!
//! Integers that need more than one cell, because they have more than 32 bits or are accessed in parts, become structures
//! before that, of which each access is one (`words`).
//!
//! A local variable lives in registers, under an address of its own that no cell has. If such an
//! address has to become a value at run time, the walk starts again with that variable in memory.
//!
//! **Bounded:** calls nest up to [`MOST_DEPTH`], loops are unrolled up to [`MOST_ITERATIONS`] times, and
//! a thread has up to [`MOST_INSTRUCTIONS`] instructions; more is an error at its place.

#![allow(
    clippy::wildcard_enum_match_arm,
    clippy::needless_pass_by_value,
    reason = "most code here treats one kind of expression or operator and hands on all others; values \
              are small, and consumed where they are used"
)]

mod accesses;
mod address;
mod allocate;
mod arguments;
mod arith;
mod assign;
mod atomic;
mod barrier;
mod bitfield;
pub(crate) mod bits;
mod bounds;
mod branch;
mod call;
mod choices;
mod code;
mod compiled;
mod container;
mod control;
mod copy;
mod deferred;
pub(crate) mod direct;
mod divide;
mod ending;
mod env;
mod error_number;
mod expr;
mod fair;
mod fill;
mod fixed;
mod follow;
mod futex;
mod grace;
mod hand_out;
mod heap;
mod hold;
mod layout;
mod learned;
mod lengths;
mod library;
mod lifetime;
mod locks;
mod meet;
mod membarrier;
mod memory;
mod narrow;
mod objects;
pub(crate) mod operation;
mod order;
pub(crate) mod parsed;
mod place;
mod pointer;
mod position;
mod recast;
mod refuse;
mod resize;
pub(crate) mod rewrite;
mod rounds;
pub(crate) mod scan;
mod slot;
#[cfg(test)]
mod tests;
mod thread;
pub(crate) mod typed;
mod untyped;
mod value;
mod variable;
mod view;
mod wake;
mod wide;
pub(crate) mod words;

pub(crate) use thread::litmus::{Lowered, Test, Thread, lower_test};

use crate::program::{Context, Op, Ordered, Ordering, Origin, Program, RegId, Site, Written};
use crate::text::{Compiler, Diagnostic, FileId, Loads, Place, Positions, Span};
use code::Code;
use env::{Env, SlotId, State};
use follow::{Ending, Reached};
use learned::Learned;
use lifetime::Variable;
use memory::Memory;
pub(crate) use position::Form;
pub(crate) use position::Spots;
use scan::Facts;
use std::collections::{BTreeMap, BTreeSet};
use thread::Created;
use thread::any::AnyNumber;
use typed::{Function, FunctionId, LocalId, Type, Unit};
pub(crate) use view::begins_with;
use wake::Waits;

/// Calls nest no deeper than this.
const MOST_DEPTH: usize = 64;
/// No loop is unrolled further than this.
const MOST_ITERATIONS: usize = 4096;
/// No thread has more instructions than this.
const MOST_INSTRUCTIONS: usize = 100_000;

/// Where places of the program are in the main file.
pub(crate) trait Places {
    fn span(&self, place: Place) -> Span;
    fn origin(&self, place: Place) -> Origin;
    /// Whether a place is in the main file.
    fn is_written(&self, place: Place) -> bool;
    /// The main file up to a place.
    fn before(&self, place: Place) -> &str;
    /// The text at a place.
    fn text(&self, place: Place) -> &str;
    /// Whether the text can make the store at a place an exchange.
    fn strengthens(&self, place: Place) -> bool;
    /// What makes an operation a locked instruction that compilers may replace by less, in a sentence.
    fn locked(&self) -> &'static str {
        "`--compiler gcc` treats it as a locked instruction; `memory_order_seq_cst` makes it one"
    }
}

/// What the user chooses.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Options {
    /// Whose machine code the program is.
    pub(crate) compiler: Compiler,
    /// How many blocks an allocation provides that is executed repeatedly; 0 refuses such an allocation.
    pub(crate) heap: usize,
    /// Whether waiting forever is forbidden.
    pub(crate) forbid_stuck: bool,
    /// Whether each loop that creates threads creates any number of them.
    pub(crate) any_number: bool,
    /// Which cells are loaded.
    pub(crate) loads: Loads,
    /// Whether the process ends where the first function returns, as it does with `main`. Other functions have
    /// callers.
    pub(crate) ends_with_entry: bool,
}

/// The program of a unit whose first thread executes this function, and the positions of its text;
/// `None` with errors among the diagnostics.
pub(crate) fn lower(
    unit: &Unit,
    name: &str,
    entry: FunctionId,
    positions: &dyn Places,
    apart: Positions,
    options: Options,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(Program, Spots)> {
    let mut learned = Learned::default();
    loop {
        let unit = learned.grown(unit);
        let mut lowering = Lowering::new(&unit, positions, apart, options, &learned);
        let program = lowering.program(name, entry);
        let now = lowering.learned_now();
        if now == learned {
            let failed = !lowering.errors.is_empty();
            diagnostics.append(&mut lowering.errors);
            diagnostics.append(&mut lowering.warnings);
            let program = program.filter(|_| !failed)?;
            return Some((program, lowering.spots));
        }
        learned = now;
    }
}

/// The same program with the orders of all instructions. Requires that the unit has no errors.
pub(crate) fn lower_ordered(
    unit: &Unit,
    name: &str,
    entry: FunctionId,
    positions: &dyn Places,
    options: Options,
) -> Option<Ordered> {
    // Races are about what the text asks for, not about what a compiler makes of it.
    let options = Options {
        compiler: Compiler::Gcc,
        ..options
    };
    let mut learned = Learned::default();
    loop {
        let unit = learned.grown(unit);
        let mut lowering = Lowering::new(&unit, positions, Positions::Merged, options, &learned);
        lowering.marks_orders = true;
        let program = lowering.program(name, entry);
        let now = lowering.learned_now();
        if now == learned {
            let orders = lowering.ordered;
            return program.map(|program| Ordered {
                program,
                orderings: orders.orderings,
                failures: orders.failures,
                written: orders.written,
                contexts: orders.contexts,
                numbers: orders.numbers,
                creators: orders.creators,
            });
        }
        learned = now;
    }
}

/// The parts of [`Ordered`] except the program.
#[derive(Default, Debug)]
struct Orders {
    orderings: Vec<Vec<Ordering>>,
    failures: BTreeMap<Site, Ordering>,
    written: BTreeMap<Site, Written>,
    contexts: Vec<Vec<Context>>,
    numbers: Vec<usize>,
    creators: Vec<Option<usize>>,
}

/// What the program does with the number that marks memory without contents.
#[derive(Clone, Copy, Default, Debug)]
struct Reserved {
    /// There are arbitrary values that may be this number, which has to be excluded if it is checked for.
    may_occur: bool,
    /// Something is checked for not being this number.
    is_checked: bool,
}

/// A walk over the program.
struct Lowering<'u> {
    unit: &'u Unit,
    positions: &'u dyn Places,
    /// Whose machine code the program is.
    compiler: Compiler,
    /// Whether each position of the text has a location of its own.
    apart: bool,
    /// The positions of the text.
    spots: Spots,
    /// Which part of a function begins first where in the text, by its address in the typed program.
    begun: BTreeMap<(FunctionId, FileId, u32), usize>,
    facts: Facts,
    options: Options,
    /// What earlier walks found out.
    learned: &'u Learned,
    /// What this one does.
    now: Learned,
    reserved: Reserved,
    /// Where blocks are freed and variables in memory end, while the walk finds them, and afterwards.
    endings: Vec<Ending>,
    ended: Vec<Reached>,
    /// The variables that live where the walk is, in the order in which they began to.
    alive: Vec<Variable>,
    /// The activations in which variables were declared so far.
    declared: BTreeSet<(usize, LocalId)>,
    /// By address: the variables in registers, of all activations.
    virtual_homes: BTreeMap<i64, (FunctionId, LocalId)>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    memory: Memory,
    /// What follows arrays whose ends are pointers at run time, as far as an element would reach.
    after_arrays: BTreeSet<i64>,
    /// The blocks whose type is not written where they are allocated.
    untyped: BTreeMap<i64, allocate::Site>,
    /// Whether `main` is alone and everything so far was computed.
    solo: bool,
    threads: Vec<Created>,
    any: AnyNumber,
    /// By thread: what it executes that was queued (`rounds`).
    executed: BTreeMap<usize, (i64, FunctionId)>,
    /// The words with functions that are queued, as far as those are not computed.
    functions: BTreeSet<i64>,
    /// By thread: those that wait until its loops queue something.
    waiting: BTreeMap<usize, Vec<usize>>,
    /// The scopes around the walk: how many threads there were when each began.
    scopes: Vec<usize>,
    code: Code,
    /// The order that the operation at hand asks for, if it is explicit.
    ordering: Option<Ordering>,
    /// Whether fences that are no instructions are steps of the program.
    marks_orders: bool,
    /// The orders of the instructions, except the program itself.
    ordered: Orders,
    /// Where the walk is; `None` where no execution gets.
    state: Option<State>,
    registers: BTreeMap<SlotId, RegId>,
    activations: usize,
    virtuals: usize,
    /// How many loops of the automaton are around the walk.
    loops: usize,
    /// How many of the functions around it have jumps backwards.
    jumps: usize,
    /// The handlers for the end of the thread around the walk, each with its argument.
    cleanups: Vec<[value::Value; 2]>,
    /// Of the functions around the walk that are called by their names: how deep they are, and what the pointers lead
    /// to that they get.
    given: Vec<(usize, Vec<Type>)>,
    /// The arguments without parameters of the calls around the walk.
    beyond: Vec<variable::Beyond>,
    /// Blocks that end with the call of a function, by its activation.
    stacked: Vec<(usize, i64, Type)>,
    /// How many calls have asked for a number.
    numbered_calls: i64,
    /// How many functions around the walk are called at the end of a thread or of the process.
    ending: usize,
    control: control::Targets,
    waits: Waits,
    /// The thread that is being lowered.
    current: usize,
    /// What is different in a litmus test.
    test: Option<thread::litmus::State>,
}

impl<'u> Lowering<'u> {
    fn new(
        unit: &'u Unit,
        positions: &'u dyn Places,
        apart: Positions,
        options: Options,
        learned: &'u Learned,
    ) -> Self {
        Self {
            unit,
            positions,
            compiler: options.compiler,
            apart: apart == Positions::Apart,
            spots: Spots::new(),
            begun: BTreeMap::new(),
            facts: Facts::of(unit, learned.grown_from(unit)),
            options,
            learned,
            now: Learned::default(),
            reserved: Reserved::default(),
            endings: Vec::new(),
            ended: Vec::new(),
            alive: Vec::new(),
            declared: BTreeSet::new(),
            virtual_homes: BTreeMap::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
            memory: Memory::default(),
            after_arrays: BTreeSet::new(),
            untyped: BTreeMap::new(),
            solo: true,
            threads: Vec::new(),
            any: AnyNumber::default(),
            executed: BTreeMap::new(),
            functions: BTreeSet::new(),
            waiting: BTreeMap::new(),
            scopes: Vec::new(),
            code: Code::new(String::new(), Origin::default()),
            ordering: None,
            marks_orders: false,
            ordered: Orders::default(),
            state: None,
            registers: BTreeMap::new(),
            activations: 0,
            virtuals: 0,
            loops: 0,
            jumps: 0,
            cleanups: Vec::new(),
            given: Vec::new(),
            beyond: Vec::new(),
            stacked: Vec::new(),
            numbered_calls: 0,
            ending: 0,
            control: control::Targets::default(),
            waits: Waits::default(),
            current: 0,
            test: None,
        }
    }

    fn error(&mut self, message: impl Into<String>, place: Place) {
        self.report(Diagnostic::error(message, self.positions.span(place)));
    }

    /// Reports an error, once for each place: code that is inlined twice is wrong twice.
    fn report(&mut self, diagnostic: Diagnostic) {
        let is_known = self
            .errors
            .iter()
            .any(|one| one.span == diagnostic.span && one.message == diagnostic.message);
        if is_known {
            return;
        }
        let frames = self.env().map_or(&[][..], |env| &env.frames);
        let names = frames.iter();
        let names = names.map(|frame| self.unit.functions[frame.function.0].name.as_str());
        let names: Vec<&str> = names.collect();
        self.errors.push(diagnostic.through(&names));
    }

    fn warn(&mut self, diagnostic: Diagnostic) {
        if !self.warnings.contains(&diagnostic) {
            self.warnings.push(diagnostic);
        }
    }

    /// Where something is written. What functions of libraries do that are written in C is where the text calls them.
    fn origin(&self, place: Place) -> Origin {
        self.positions.origin(self.in_the_text(place))
    }

    /// Adds an instruction where the walk is, with the order of the operation at hand.
    fn emit(&mut self, op: Op, place: Place) {
        let ordering = self.ordering.unwrap_or(Ordering::AcqRel);
        self.emit_as(op, ordering, place);
    }

    /// Adds an instruction where the walk is.
    fn emit_as(&mut self, op: Op, ordering: Ordering, place: Place) {
        let origin = self.origin(place);
        if self.state.is_some() {
            self.check_after_all(&op, place);
        }
        if let Some(state) = &mut self.state {
            self.solo = false;
            state.at = self.code.step(state.at, op, origin);
            if let Some(last) = self.code.instructions.last_mut() {
                last.ordering = ordering;
            }
            if self.code.instructions.len() > MOST_INSTRUCTIONS {
                self.state = None;
                self.error(
                    format!("a thread has more than {MOST_INSTRUCTIONS} instructions here"),
                    place,
                );
            }
        }
    }

    /// A new temporary register.
    fn temporary(&mut self) -> RegId {
        self.code.lasting("$t")
    }

    /// What is known where the walk is; nothing where no execution gets.
    fn env(&self) -> Option<&Env> {
        self.state.as_ref().map(|state| &state.env)
    }

    /// The function that the walk is in.
    fn function(&self) -> Option<&'u Function> {
        let frame = self.env()?.frames.last()?;
        Some(&self.unit.functions[frame.function.0])
    }

    /// The types of all scalars in an object, in the order of their cells.
    fn scalars(&self, ty: &Type) -> Vec<Type> {
        let scalars = layout::scalars(self.unit, ty).into_iter();
        scalars.map(|scalar| scalar.ty).collect()
    }
}
