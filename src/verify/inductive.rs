//! Evidence by an invariant: clauses over where threads are and what registers and cells hold, under SC.
//!
//! The invariant says that each value is in its *range*, and that a state is in none of the *cubes*. A cube
//! is a conjunction: a thread is at one of some locations, some bits of a value are these. It is proved by
//!
//! ```text
//! (initial) the initial state is in no cube, and its values are in their ranges
//! (step)    from no state that satisfies the invariant a single instruction leads to one that does not
//! (goal)    no state that satisfies the invariant shows a goal
//! ```
//!
//! *How (step) is checked, without a solver.* The instructions are few, and each touches little. For each
//! one, all values that it reads are enumerated, by their ranges; what it writes is then known. A cube that
//! the state after it could be in leaves conditions on what the instruction does not touch, thus on the
//! state before it. A small [`search`] shows that they contradict the clauses, by units and by
//! cases. That takes exponential time at worst, and is given up after so much work. A proof for each case by a
//! solver would be checked in linear time. But it would be about a formula, and the encoder would have to be
//! trusted, or repeated here; and it would be larger than all the rest.
//!
//! A value without a range that can be enumerated is unknown: conditions on it may be true and false, and
//! what is computed from it is unknown as well. So are counters without bound that do not matter.
//!
//! A register that is not read before it is written again counts as the value that the invariant gives for
//! it, whatever it is: what the thread does is the same.

mod eval;
mod goals;
mod read;
mod search;

use super::Refusal;
use super::expr::{Expr, Var};
use super::machine::Machine;
use super::program::{Op, Program, Update};
use eval::{Got, evaluate};
use search::{Part, Place, Search, State};

/// A range with more values than this is not enumerated.
const MOST_VALUES: i64 = 64;

/// A range; `None` for any value.
type Range = Option<(i32, i32)>;

/// An invariant.
#[derive(Debug)]
pub(super) struct Invariant {
    /// By thread and register: its value where it is not read before it is written again.
    dead: Vec<Vec<i32>>,
    /// By thread, location and register.
    registers: Vec<Vec<Vec<Range>>>,
    /// By cell.
    cells: Vec<Range>,
    /// No reachable state satisfies all parts of one of these.
    cubes: Vec<Vec<Part>>,
}

fn contains(range: Range, value: i32) -> bool {
    range.is_none_or(|(low, high)| (low..=high).contains(&value))
}

/// What an instruction leads to, given some of the values that it reads.
enum After {
    /// It depends on this value.
    Needs(Place),
    /// Nothing: it cannot be executed.
    Blocked,
    /// Something that must not be possible.
    Bad(&'static str),
    /// The values that change, each of these ways.
    Changed(Vec<Values>),
}

/// The values of some places; `None` for an unknown one.
type Values = Vec<(Place, Option<i32>)>;

/// A check of an invariant.
struct Check<'c> {
    program: &'c Program,
    machine: &'c Machine<'c>,
    invariant: &'c Invariant,
    /// By thread and register: its range wherever the thread is.
    anywhere: Vec<Vec<Range>>,
    /// How many values, and locations of threads, a state is about.
    size: u64,
    search: Search<'c>,
}

/// Checks that an invariant proves that no goal is reached under SC. Returns the number of its clauses.
///
/// # Errors
///
/// The first thing that is not proved.
pub(super) fn check(machine: &Machine<'_>, invariant: &Invariant) -> Result<usize, Refusal> {
    let program = machine.program;
    let mut check = Check {
        program,
        machine,
        invariant,
        anywhere: Vec::new(),
        size: program.cells.len() as u64,
        search: Search::new(&invariant.cubes),
    };
    for (t, thread) in program.threads.iter().enumerate() {
        let registers = 0..thread.registers.len();
        check.size += (thread.registers.len() + thread.locations.len()) as u64;
        let anywhere = registers.map(|register| check.anywhere(t, register));
        let anywhere = anywhere.collect();
        check.anywhere.push(anywhere);
    }
    check.initial()?;
    for (t, thread) in program.threads.iter().enumerate() {
        for number in 0..thread.instructions.len() {
            check.instruction(t, number, &mut Vec::new())?;
        }
    }
    for number in 0..program.properties.len() {
        check.property(number)?;
    }
    Ok(invariant.cubes.len())
}

impl Check<'_> {
    fn is_live(&self, t: usize, at: usize, register: usize) -> bool {
        self.machine.live[t][at][register]
    }

    /// (initial)
    fn initial(&self) -> Result<(), Refusal> {
        let mut state = State::any(self.program);
        for (t, thread) in self.program.threads.iter().enumerate() {
            state.put(t, thread.entry);
            for (register, &(_, value)) in thread.registers.iter().enumerate() {
                let live = self.is_live(t, thread.entry, register);
                let value = if live {
                    value
                } else {
                    self.invariant.dead[t][register]
                };
                let range = self.invariant.registers[t][thread.entry][register];
                if live && !contains(range, value) {
                    return Err(Refusal::refuted("an initial value is not in its range"));
                }
                state.set(Place::Register(t, register), value);
            }
        }
        for (cell, &value) in self.program.cells.iter().enumerate() {
            if !contains(self.invariant.cells[cell], value) {
                return Err(Refusal::refuted("an initial value is not in its range"));
            }
            state.set(Place::Cell(cell), value);
        }
        let mut cubes = self.invariant.cubes.iter();
        match cubes.position(|cube| cube.iter().all(|part| state.truth(part) == Some(true))) {
            Some(number) => Err(Refusal::refuted(format!(
                "clause {number} is not true in the initial state"
            ))),
            None => Ok(()),
        }
    }

    /// The range of a place while a thread is at a location.
    fn range(&self, place: Place, of: Option<(usize, usize)>) -> Range {
        match (place, of) {
            (Place::Cell(cell), _) => self.invariant.cells[cell],
            (Place::Register(t, register), Some((mover, at))) if mover == t => {
                if self.is_live(t, at, register) {
                    self.invariant.registers[t][at][register]
                } else {
                    let value = self.invariant.dead[t][register];
                    Some((value, value))
                }
            }
            (Place::Register(t, register), _) => self.anywhere[t][register],
        }
    }

    /// The range of a register wherever its thread is.
    fn anywhere(&self, t: usize, register: usize) -> Range {
        let place = Place::Register(t, register);
        let all =
            (0..self.program.threads[t].locations.len()).map(|at| self.range(place, Some((t, at))));
        let all = all.reduce(|a, b| {
            let ((a, b), (c, d)) = (a?, b?);
            Some((a.min(c), b.max(d)))
        });
        all.flatten()
    }

    /// Calls `go` with each value of a place that is in its range, or with none if they are too many.
    fn each(
        &mut self,
        place: Place,
        of: Option<(usize, usize)>,
        chosen: &mut Values,
        go: &mut dyn FnMut(&mut Self, &mut Values) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let range = self.range(place, of);
        let few = range.filter(|&(low, high)| i64::from(high) - i64::from(low) < MOST_VALUES);
        let values = match few {
            Some((low, high)) => (low..=high).map(Some).collect(),
            None => vec![None],
        };
        for value in values {
            chosen.push((place, value));
            go(self, chosen)?;
            chosen.pop();
        }
        Ok(())
    }

    /// All states in which a thread may take a step from a location, with the values chosen.
    fn before(&self, mover: Option<(usize, usize)>, chosen: &Values) -> State {
        let mut state = State::any(self.program);
        for (t, thread) in self.program.threads.iter().enumerate() {
            match mover {
                Some((mover, at)) if mover == t => state.put(t, at),
                // While a thread is inside a block, no other one moves.
                Some(_) | None => state.leave(t, &thread.inside),
            }
            for register in 0..thread.registers.len() {
                let place = Place::Register(t, register);
                state.bound(place, self.range(place, mover));
            }
        }
        for (cell, &range) in self.invariant.cells.iter().enumerate() {
            state.bound(Place::Cell(cell), range);
        }
        for &(place, value) in chosen {
            if let Some(value) = value {
                state.set(place, value);
            }
        }
        state
    }

    /// Requires that there is no such state.
    fn excluded(&mut self, state: State, why: &str) -> Result<(), Refusal> {
        self.search.spend(self.size)?;
        if self.search.possible(state)? {
            return Err(Refusal::refuted(format!(
                "the invariant does not exclude that {why}"
            )));
        }
        Ok(())
    }

    /// (step), and (goal) for assertions and accesses.
    fn instruction(&mut self, t: usize, number: usize, chosen: &mut Values) -> Result<(), Refusal> {
        let from = self.program.threads[t].instructions[number].from;
        self.search.spend(1)?;
        match self.after(t, number, chosen) {
            After::Needs(place) => {
                self.each(place, Some((t, from)), chosen, &mut |check, chosen| {
                    check.instruction(t, number, chosen)
                })
            }
            After::Blocked => Ok(()),
            After::Bad(why) => {
                let state = self.before(Some((t, from)), chosen);
                let (thread, from) = (&self.program.threads[t], from);
                let why = format!(
                    "{why} in thread {} at {}",
                    thread.name, thread.locations[from]
                );
                self.excluded(state, &why)
            }
            After::Changed(ways) => {
                for changed in ways {
                    self.preserved(t, number, chosen, &changed)?;
                }
                Ok(())
            }
        }
    }

    fn after(&self, t: usize, number: usize, chosen: &Values) -> After {
        let instruction = &self.program.threads[t].instructions[number];
        let get = |place: Place| {
            let known = chosen.iter().find(|(other, _)| *other == place);
            known.map_or(Got::Needs(place), |(_, value)| {
                value.map_or(Got::Unknown, Got::Value)
            })
        };
        let eval = |e: &Expr| {
            evaluate(e, &|var| match var {
                Var::Own(register) if !self.is_live(t, instruction.from, register) => {
                    Got::Value(self.invariant.dead[t][register])
                }
                Var::Own(register) => get(Place::Register(t, register)),
                Var::Of(..) | Var::At(..) | Var::Cell(_) => Got::Unknown,
            })
        };
        let cell = |address: &Expr| match eval(address) {
            Got::Needs(place) => Err(After::Needs(place)),
            Got::Unknown | Got::Undecided(..) => Err(After::Bad("an access may be outside memory")),
            Got::Value(address) => {
                let cell = self.program.cell_at(address);
                cell.ok_or(After::Bad("an access is outside memory"))
            }
        };
        // The value, if it is known; or the place that it depends on.
        let value = |got: Got| match got {
            Got::Needs(place) => Err(After::Needs(place)),
            Got::Unknown | Got::Undecided(..) => Ok(None),
            Got::Value(value) => Ok(Some(value)),
        };
        let changed = || -> Result<Vec<Values>, After> {
            Ok(match &instruction.op {
                Op::Skip
                | Op::Fence
                | Op::LightFence(_)
                | Op::Barrier
                | Op::Lock
                | Op::Word(_)
                | Op::Unlock => {
                    vec![Vec::new()]
                }
                Op::Assume(e) => match value(eval(e))? {
                    Some(0) => return Err(After::Blocked),
                    Some(_) | None => vec![Vec::new()],
                },
                Op::Assert(e) => match value(eval(e))? {
                    Some(0) => return Err(After::Bad("an assertion fails")),
                    None => return Err(After::Bad("an assertion may fail")),
                    Some(_) => vec![Vec::new()],
                },
                Op::Assign(into, e) => {
                    vec![vec![(Place::Register(t, *into), value(eval(e))?)]]
                }
                Op::Choose(into, low, high) => (*low..=*high)
                    .map(|choice| vec![(Place::Register(t, *into), Some(choice))])
                    .collect(),
                Op::Load(into, address) => {
                    let cell = cell(address)?;
                    let loaded = value(get(Place::Cell(cell)))?;
                    vec![vec![(Place::Register(t, *into), loaded)]]
                }
                Op::Store(address, e) => {
                    let cell = cell(address)?;
                    vec![vec![(Place::Cell(cell), value(eval(e))?)]]
                }
                Op::Locked(into, address, update) => {
                    let cell = cell(address)?;
                    let old = value(get(Place::Cell(cell)))?;
                    let mut new = old;
                    // The operands, in the order in which they are needed.
                    if let Some(old) = old {
                        let known = |e: &Expr| value(eval(e));
                        new = match update {
                            Update::CompareExchange(expected, e) => match known(expected)? {
                                None => None,
                                Some(expected) if expected == old => known(e)?,
                                Some(_) => Some(old),
                            },
                            Update::Exchange(e)
                            | Update::Add(e)
                            | Update::Sub(e)
                            | Update::And(e)
                            | Update::Or(e) => {
                                known(e)?.map(|operand| update.apply(old, |_| operand))
                            }
                        };
                    }
                    vec![vec![
                        (Place::Cell(cell), new),
                        (Place::Register(t, *into), old),
                    ]]
                }
            })
        };
        changed().map_or_else(|other| other, After::Changed)
    }

    /// Requires that the invariant is true after a step, given what changes.
    fn preserved(
        &mut self,
        t: usize,
        number: usize,
        chosen: &Values,
        changed: &[(Place, Option<i32>)],
    ) -> Result<(), Refusal> {
        self.search
            .spend(10 * self.invariant.cubes.len() as u64 + self.size)?;
        let instruction = &self.program.threads[t].instructions[number];
        let (from, to) = (instruction.from, instruction.to);
        let before = self.before(Some((t, from)), chosen);
        let new = |place: Place| {
            let all = changed.iter().find(|(other, _)| *other == place);
            all.map(|&(_, value)| value)
        };
        let mut stays = changed.iter().all(|&(place, value)| match place {
            Place::Cell(cell) => {
                let range = self.invariant.cells[cell];
                value.map_or(range.is_none(), |value| contains(range, value))
            }
            Place::Register(..) => true,
        });
        for register in 0..self.program.threads[t].registers.len() {
            if !self.is_live(t, to, register) {
                continue;
            }
            let place = Place::Register(t, register);
            let range = self.invariant.registers[t][to][register];
            let old = || {
                let known = chosen.iter().find(|(other, _)| *other == place);
                known.and_then(|(_, value)| *value)
            };
            stays &= match new(place) {
                Some(value) => value.map_or(range.is_none(), |value| contains(range, value)),
                None => match (old(), self.range(place, Some((t, from)))) {
                    (Some(value), _) => contains(range, value),
                    (None, Some((low, high))) => contains(range, low) && contains(range, high),
                    (None, None) => range.is_none(),
                },
            };
        }
        if !stays {
            self.excluded(before.clone(), "a value leaves its range")?;
        }
        for number in 0..self.invariant.cubes.len() {
            if let Some(state) = self.entering(number, t, from, to, &before, &new) {
                self.excluded(state, &format!("a step leaves clause {number}"))?;
            }
        }
        Ok(())
    }

    /// The states before a step that leads into a cube, if it may; `None` also if they are in it already.
    fn entering(
        &self,
        number: usize,
        t: usize,
        from: usize,
        to: usize,
        before: &State,
        new: &dyn Fn(Place) -> Option<Option<i32>>,
    ) -> Option<State> {
        let (mut rest, mut enters) = (Vec::new(), false);
        for part in &self.invariant.cubes[number] {
            match part {
                Part::At(thread, locations) if *thread == t => {
                    if !locations[to] {
                        return None;
                    }
                    enters |= !locations[from];
                }
                Part::At(..) => rest.push(part),
                Part::Bits(place, mask, bits) => {
                    let after = match (new(*place), *place) {
                        (_, Place::Register(thread, register))
                            if thread == t && !self.is_live(t, to, register) =>
                        {
                            Some(Some(self.invariant.dead[t][register]))
                        }
                        (changed, Place::Register(..) | Place::Cell(_)) => changed,
                    };
                    match after {
                        None => rest.push(part),
                        Some(Some(value)) if value & mask != *bits => return None,
                        Some(_) => enters = true,
                    }
                }
            }
        }
        if !enters {
            return None;
        }
        let mut state = before.clone();
        rest.iter().all(|part| state.require(part)).then_some(state)
    }
}
