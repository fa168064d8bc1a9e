//! Calls: functions of the program are inlined.

use super::code::Loc;
use super::env::{Frame, Home, Slot, State};
use super::expr::FUNCTIONS;
use super::lifetime::Variable;
use super::objects::is_prepared;
use super::scan::look;
use super::value::{Value, binary, c};
use super::view::unqualified;
use super::{Lowering, MOST_DEPTH, control};
use crate::lower::typed::{Callee, Expr, FunctionId, LocalId, Stmt, Type, TypeKind};
use crate::program::{self, Fault, Op, RegId};
use crate::text::Place;

/// A function may be active this many times at once.
const MOST_RECURSION: usize = 16;
/// One whose recursion constants do not end is active this many times.
const MOST_UNKNOWN: usize = 5;
/// No program calls more functions: each call is inlined.
const MOST_CALLS: usize = 100_000;

impl Lowering<'_> {
    /// Calls a function; its values, one for each scalar of the result.
    pub(super) fn call(
        &mut self,
        callee: &Callee,
        arguments: &[Expr],
        returns: &Type,
        used: bool,
        place: Place,
    ) -> Vec<Value> {
        match callee {
            Callee::Defined(id) => {
                let values: Vec<Vec<Value>> = arguments.iter().map(|e| self.eval_all(e)).collect();
                let depth = self.env().map_or(0, |env| env.frames.len());
                let targets = arguments.iter().map(|e| self.target_of(e)).collect();
                self.given.push((depth + 1, targets));
                self.pass_beyond(*id, arguments, &values, place);
                let values = self.inline(*id, values, used, place);
                self.beyond.pop();
                self.given.pop();
                values
            }
            Callee::Library(entry) => {
                let value = self.call_library(entry, arguments, returns, used, place);
                self.error_after(entry.meaning, &value, place);
                vec![value]
            }
            Callee::Pointer(pointer) => {
                let function = self.eval(pointer);
                let values: Vec<Vec<Value>> = arguments.iter().map(|e| self.eval_all(e)).collect();
                match (self.function_of(&function), function) {
                    (Some(id), _) => {
                        self.note_types(id, arguments, returns);
                        self.inline(id, values, used, place)
                    }
                    (None, _) if self.state.is_none() => vec![Value::ZERO],
                    (None, Value::Known(_)) => {
                        self.error("what is called here is no function", place);
                        vec![Value::ZERO]
                    }
                    (None, Value::Unknown(function)) => {
                        let given = (arguments, &*values);
                        self.dispatch((&function, &pointer.ty), given, (returns, used), place)
                    }
                }
            }
        }
    }

    /// A function is called through a pointer that may have another type: what is given and returned is not converted.
    fn note_types(&mut self, id: FunctionId, given: &[Expr], returns: &Type) {
        let function = &self.unit.functions[id.0];
        let parameters = function.locals.iter().take(function.parameters);
        let differs = |a: &Type, b: &Type| unqualified(a) != unqualified(b);
        let mut pairs = parameters.zip(given);
        self.now.mixes |= pairs.any(|(local, given)| differs(&local.ty, &given.ty))
            || differs(&function.returns, returns);
    }

    /// Calls whichever of the functions of this type a value stands for. It is a violation if it is
    /// none of those whose address is taken.
    fn dispatch(
        &mut self,
        (function, pointer): (&program::Expr<RegId>, &Type),
        (given, arguments): (&[Expr], &[Vec<Value>]),
        (returns, used): (&Type, bool),
        place: Place,
    ) -> Vec<Value> {
        let unit = self.unit;
        let fits = |id: &FunctionId| {
            let candidate = &unit.functions[id.0];
            let parameters = candidate.locals.iter().take(candidate.parameters);
            let Some(TypeKind::Function(_, types)) = pointer.pointee().map(|ty| &ty.kind) else {
                return false;
            };
            let given = types.iter().map(|ty| &ty.kind);
            (types.is_empty() || given.eq(parameters.map(|local| &local.ty.kind)))
                && candidate.parameters == arguments.len()
                && candidate.returns.kind == returns.kind
        };
        let candidates: Vec<FunctionId> = self.facts.taken().filter(fits).collect();
        let mut ends = Vec::new();
        for id in candidates {
            let number = program::Expr::Const((FUNCTIONS - id.0 as i64) as i32);
            let this = binary(program::BinaryOp::Eq, function.clone(), number);
            let (yes, no) = self.split(Value::Unknown(this), place);
            self.state = yes;
            self.note_types(id, given, returns);
            let values = self.inline(id, arguments.to_vec(), used, place);
            ends.extend(self.state.take().map(|state| (state, values)));
            self.state = no;
        }
        self.emit(Op::Assert(program::Expr::Const(0)), place);
        self.state = None;
        let types = self.scalars(returns);
        self.join_values(ends, &types, place)
    }

    /// The function that a value stands for.
    pub(super) fn function_of(&self, value: &Value) -> Option<FunctionId> {
        let number = usize::try_from(FUNCTIONS - value.known()?).ok()?;
        (number < self.unit.functions.len()).then_some(FunctionId(number))
    }

    /// Executes a function with these arguments.
    pub(super) fn inline(
        &mut self,
        id: FunctionId,
        arguments: Vec<Vec<Value>>,
        used: bool,
        place: Place,
    ) -> Vec<Value> {
        let unit = self.unit;
        let function = &unit.functions[id.0];
        let result = self.scalars(&function.returns);
        let (depth, active) = match self.env() {
            Some(env) => (
                env.frames.len(),
                env.frames.iter().filter(|f| f.function == id).count(),
            ),
            None => return vec![Value::ZERO; result.len()],
        };
        if self.is_too_deep(id, active, depth, place) {
            self.state = None;
            return vec![Value::ZERO; result.len()];
        }
        if self.activations >= MOST_CALLS {
            self.error(
                format!("the program makes more than {MOST_CALLS} calls that are inlined"),
                place,
            );
            self.state = None;
            return vec![Value::ZERO; result.len()];
        }
        let atomic = function.name.starts_with("__VERIFIER_atomic_");
        if atomic {
            self.emit(Op::AtomicBegin, place);
        }
        let outer = self.code.call;
        if depth > 0 && self.positions.is_written(function.place) {
            let call = program::Call {
                caller: outer,
                procedure: function.name.clone(),
                origin: self.origin(place),
            };
            self.code.calls.push(call);
            self.code.call = Some((self.code.calls.len() - 1).into());
        }
        let floor = self.alive.len();
        self.enter(id, place);
        self.clear_error(depth, place);
        self.perhaps_fails(id, place);
        let activation = self.activations;
        for (local, values) in arguments.into_iter().enumerate().take(function.parameters) {
            let types = self.scalars(&function.locals[local].ty);
            let Some(address) = self.address_of_local(LocalId(local)) else {
                break;
            };
            let is_copied = types.len() > 1 && !self.is_word(&function.locals[local].ty);
            for (at, (value, ty)) in values.into_iter().zip(&types).enumerate() {
                let address = Value::Known(address + at as i64);
                if is_copied {
                    self.write_copied(&address, ty, value, place);
                } else {
                    self.write(&address, ty, value, place);
                }
            }
        }
        let outside = std::mem::take(&mut self.control);
        let seen = look(&function.body, &[]);
        (self.control.gotos, self.control.back) = (seen.gotos, seen.back);
        (self.control.activation, self.control.floor) = (Some((activation, id)), floor);
        let jumps = usize::from(!self.control.back.is_empty());
        self.jumps += jumps;
        self.body(&function.body, place);
        self.jumps -= jumps;
        self.no_jump_left(place);
        if used && !result.is_empty() && self.test.is_none() && self.state.is_some() {
            self.violation(Fault::NoValue, place);
        }
        self.leave(place);
        self.alive.truncate(floor);
        let inside = std::mem::replace(&mut self.control, outside);
        let mut ends = inside.returns;
        if let Some(state) = self.state.take() {
            ends.push((state, vec![Value::ZERO; result.len()]));
        }
        if depth == 0 {
            self.settle_observed(&mut ends, place);
        }
        for (state, _) in &mut ends {
            state.env.frames.pop();
        }
        let values = self.join_values(ends, &result, place);
        self.code.call = outer;
        if atomic {
            self.emit(Op::AtomicEnd, place);
        }
        values
    }

    /// Whether a function is not executed once more. Where constants end the recursion, it may be deep. Where they do
    /// not, what goes deeper than [`MOST_UNKNOWN`] calls is a limit: an execution that is not covered.
    fn is_too_deep(&mut self, id: FunctionId, active: usize, depth: usize, place: Place) -> bool {
        let is_unknown = self.learned.recursive.contains(&id);
        let most = if is_unknown {
            MOST_UNKNOWN
        } else {
            MOST_RECURSION
        };
        if active >= most || depth >= MOST_DEPTH && active > 0 {
            // The next walk says so.
            self.now.recursive.insert(id);
            if is_unknown {
                self.limit(c(0), place);
                self.blame_limit(Fault::Recursion);
            }
            return true;
        }
        if depth >= MOST_DEPTH {
            let name = &self.unit.functions[id.0].name;
            self.error(
                format!("the call of `{name}` is nested in {MOST_DEPTH} others"),
                place,
            );
        }
        depth >= MOST_DEPTH
    }

    /// The statements of a function. Its end is that of its variables, after what it returns is checked.
    fn body(&mut self, stmts: &[Stmt], place: Place) {
        if self.jumps > 0 {
            let outside = self.alive.clone();
            self.declare_all(stmts);
            self.moved_from(&outside, place);
        }
        self.stmts(stmts);
    }

    /// Begins an activation of a function: none of its locals has a value, except those of types of
    /// libraries, and what a thread gets that is created without an argument.
    pub(super) fn enter(&mut self, id: FunctionId, called: Place) {
        let unit = self.unit;
        let function = &unit.functions[id.0];
        self.activations += 1;
        let activation = self.activations;
        let declared = look(&function.body, &[]).declared;
        let mut homes = Vec::new();
        for (number, local) in function.locals.iter().enumerate() {
            if !declared.contains(&LocalId(number)) {
                self.alive.push(Variable {
                    activation,
                    function: id,
                    local: LocalId(number),
                });
            }
            let scalars = self.scalars(&local.ty);
            homes.push(if self.learned.in_memory.contains(&(id, LocalId(number))) {
                let variable = Variable {
                    activation,
                    function: id,
                    local: LocalId(number),
                };
                let name = format!("{}.{}", function.name, local.name);
                Home::Cells(self.place_variable(&name, &local.ty, variable))
            } else {
                let address = super::env::Env::virtual_address(self.virtuals);
                // One address is between two variables: no pointer goes from one to the next.
                self.virtuals += scalars.len() + 1;
                let home = (id, LocalId(number));
                self.virtual_homes.insert(address, home);
                let set = number < function.parameters;
                let slots = scalars.iter().map(|ty| match ty.kind {
                    TypeKind::Library(kind) if !is_prepared(kind) => Slot::Known(0),
                    _ if set => Slot::Known(0),
                    _ => Slot::Known(self.before_assignment()),
                });
                Home::Slots {
                    slots: slots.collect(),
                    address,
                }
            });
        }
        if let Some(state) = &mut self.state {
            state.env.frames.push(Frame {
                function: id,
                called,
                activation,
                homes,
            });
        }
    }

    /// Where the text calls the function of a library at hand that is written in C; the place itself in a function of
    /// the text.
    pub(super) fn in_the_text(&self, place: Place) -> Place {
        let frames = self
            .state
            .iter()
            .flat_map(|state| state.env.frames.iter().rev());
        let of_library = frames.take_while(|frame| {
            let function = &self.unit.functions[frame.function.0];
            !self.positions.is_written(function.place)
        });
        of_library.last().map_or(place, |frame| frame.called)
    }

    /// A new thread's walk begins here.
    pub(super) fn begin(&mut self, at: Loc) {
        self.control = control::Targets::default();
        self.alive.clear();
        self.scopes.clear();
        self.loops = 0;
        self.jumps = 0;
        self.cleanups.clear();
        self.stacked.clear();
        self.registers.clear();
        self.state = Some(State {
            at,
            env: super::env::Env::default(),
        });
    }
}
