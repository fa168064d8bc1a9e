//! The threads of a litmus test: functions that start together, with the addresses of shared variables
//! as their arguments, and local variables whose final values a condition names.
//!
//! **Differs from** a program that begins with `main`: nothing is executed ahead, so every access of the
//! text is an instruction; every thread is there, even one that does nothing; nothing is assumed of
//! pointers in memory. A test has no limits: 64-bit arithmetic that could leave 32 bits is an error or,
//! for sums, left to the caller.

use super::{Created, finish};
use crate::lower::code::{Code, Loc};
use crate::lower::env::{Home, SlotId, State as Point};
use crate::lower::typed::{FunctionId, LocalId, Unit};
use crate::lower::value::Value;
use crate::lower::{Learned, Lowering, Options, Places, Spots};
use crate::program::{self, Copies, Op, Origin, ProgramBuilder, RegId};
use crate::text::{Compiler, Diagnostic, Place, Positions};
use std::collections::{BTreeMap, BTreeSet};

/// The threads of a test.
pub(crate) struct Test<'t> {
    pub(crate) unit: &'t Unit,
    pub(crate) name: &'t str,
    pub(crate) compiler: Compiler,
    pub(crate) positions: Positions,
    /// The initial values of the cells of each object, in the order of the objects.
    pub(crate) cells: Vec<Vec<i32>>,
    pub(crate) threads: Vec<Thread>,
}

/// A thread of a test.
pub(crate) struct Thread {
    pub(crate) function: FunctionId,
    /// The addresses that its parameters hold.
    pub(crate) arguments: Vec<i64>,
    /// The local variables whose final values are observed, which are scalars.
    pub(crate) observed: BTreeSet<LocalId>,
}

/// A test as a program without its condition.
pub(crate) struct Lowered {
    pub(crate) builder: ProgramBuilder,
    /// Of each thread: the registers of the observed variables.
    pub(crate) registers: Vec<BTreeMap<LocalId, RegId>>,
    /// The sums and differences of 64 bits, and whether each is in a loop.
    pub(crate) sums: Vec<(Place, bool)>,
    /// The positions of the text.
    pub(crate) spots: Spots,
}

/// What is known of a test while it is lowered.
#[derive(Default)]
pub(in crate::lower) struct State {
    /// The registers of the observed variables of the present thread.
    observed: BTreeMap<LocalId, RegId>,
    sums: Vec<(Place, bool)>,
}

/// Lowers a test; `None` with errors among the diagnostics.
pub(crate) fn lower_test(
    test: &Test<'_>,
    positions: &dyn Places,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Lowered> {
    let options = Options {
        compiler: test.compiler,
        ..Options::default()
    };
    let mut learned = Learned::default();
    loop {
        let mut lowering = Lowering::new(test.unit, positions, test.positions, options, &learned);
        lowering.test = Some(State::default());
        let lowered = lowering.whole_test(test);
        let now = lowering.learned_now();
        if now == learned {
            let failed = !lowering.errors.is_empty();
            diagnostics.append(&mut lowering.errors);
            diagnostics.append(&mut lowering.warnings);
            return (!failed).then_some(lowered);
        }
        learned = now;
    }
}

impl Lowering<'_> {
    fn whole_test(&mut self, test: &Test<'_>) -> Lowered {
        for (id, init) in test.cells.iter().enumerate() {
            let address = self.address_of_object(crate::lower::typed::ObjectId(id));
            for (at, value) in init.iter().enumerate() {
                self.memory.set_initial(address + at as i64, *value);
            }
        }
        let mut finished = Vec::new();
        for thread in &test.threads {
            finished.push(self.thread_of_test(thread));
        }
        self.make_sections(finished.iter_mut().map(|(code, _)| code));
        let mut builder = ProgramBuilder::new(test.name);
        std::mem::take(&mut self.memory).declare(&mut builder);
        let mut registers = Vec::new();
        for (mut code, observed) in finished {
            let kept = observed.values().copied().collect();
            self.add_alternatives(&mut code, &kept);
            finish(&mut builder, &mut code, Copies::One, self.apart);
            registers.push(observed);
        }
        let sums = self.test.take().map(|state| state.sums);
        Lowered {
            builder,
            registers,
            sums: sums.unwrap_or_default(),
            spots: std::mem::take(&mut self.spots),
        }
    }

    fn thread_of_test(&mut self, thread: &Thread) -> (Code, BTreeMap<LocalId, RegId>) {
        let function = &self.unit.functions[thread.function.0];
        let origin = self.origin(function.place);
        self.current = self.threads.len();
        self.threads.push(Created {
            any: false,
            routine: thread.function,
            is_of_kernel: false,
            named: None,
            arguments: Vec::new(),
            after: 0,
            start: None,
            done: None,
            token: None,
            code: None,
            ends: Vec::new(),
        });
        self.solo = false;
        self.code = Code::new(function.name.clone(), origin);
        let first = self.before_sections();
        self.begin(first);
        let mut observed = BTreeMap::new();
        for local in &thread.observed {
            let register = self.code.register(&function.locals[local.0].name);
            // That of the call below.
            let slot = SlotId {
                activation: self.activations + 1,
                local: *local,
                index: 0,
            };
            self.registers.insert(slot, register);
            observed.insert(*local, register);
        }
        if let Some(state) = &mut self.test {
            state.observed.clone_from(&observed);
        }
        let arguments = thread.arguments.iter();
        let arguments = arguments.map(|at| vec![Value::Known(*at)]).collect();
        self.inline(thread.function, arguments, false, function.place);
        let code = Code::new(String::new(), Origin::default());
        let code = std::mem::replace(&mut self.code, code);
        self.refuse_assertions(&code);
        (code, observed)
    }

    /// Puts the final values of the observed variables into their registers, where a thread ends.
    pub(in crate::lower) fn settle_observed(
        &mut self,
        ends: &mut [(Point, Vec<Value>)],
        place: Place,
    ) {
        let Some(state) = &self.test else {
            return;
        };
        let observed = state.observed.clone();
        for (local, register) in observed {
            for (state, _) in &mut *ends {
                let Some(frame) = state.env.frames.last() else {
                    continue;
                };
                match frame.homes[local.0] {
                    Home::Slots { .. } => {
                        let activation = frame.activation;
                        let slot = SlotId {
                            activation,
                            local,
                            index: 0,
                        };
                        self.settle(state, slot, place);
                    }
                    Home::Cells(address) => self.load_final(state, register, address, place),
                }
            }
        }
    }

    fn load_final(&mut self, state: &mut Point, into: RegId, address: i64, place: Place) {
        let origin = self.origin(place);
        let addr = program::Expr::Const(address as i32);
        let load = Op::Load { into, addr };
        let at: Loc = state.at;
        state.at = self.code.step(at, load, origin);
    }

    /// What may fail has no meaning in a test, whose only question is its condition.
    fn refuse_assertions(&mut self, code: &Code) {
        for step in &code.instructions {
            if matches!(step.op, Op::Assert(_)) {
                let span = step.origin.start as usize..step.origin.end as usize;
                let message = "an operation that may fail is not supported in litmus tests";
                self.report(Diagnostic::error(message, span));
            }
        }
    }

    /// Whether 64-bit sums are left to the caller; this one is remembered.
    pub(in crate::lower) fn is_sum_of_test(&mut self, place: Place) -> bool {
        let repeated = self.loops > 0;
        let Some(test) = &mut self.test else {
            return false;
        };
        test.sums.push((place, repeated));
        true
    }

    /// Reports that a value of a test may leave 32 bits. Whether this is a test.
    pub(in crate::lower) fn is_limit_of_test(&mut self, place: Place) -> bool {
        if self.test.is_none() {
            return false;
        }
        self.report(
            Diagnostic::error(
                "the value may be outside of what 32 bits can represent here",
                self.positions.span(place),
            )
            .label("not supported")
            .note("values are 32 bits wide here: use 32-bit types, or constants"),
        );
        true
    }
}
