//! Lowering of automata: cells from addresses, atomic blocks from the lock, a property from the
//! final states.
//!
//! A state becomes a location with the same name. A state that is reached both with and without the
//! lock becomes two: the second one is named `q (held)`, which cannot be a state of a text, and its
//! instructions have the span of the instruction alone, since fences are never inserted there. A
//! `lock` by a thread that holds the lock, and an `unlock` by one that does not, block forever.

use super::layout::{Layout, MOST_CELLS, TooWide, WIDEST};
use super::limits::{Part, Parts};
use super::raw::{Automaton, Instr, Transition};
use super::values::{Overflow, Values, analyse};
use crate::program::{
    BinaryOp, Copies, Expr, Fence, FencePlace, InstrId, LocId, Observable, Op, Origin, Program,
    ProgramBuilder, PropertyKind, RegId, ThreadId,
};
use crate::text::{Diagnostic, Lines, Positions, Severity, Span};
use std::collections::BTreeSet;

/// Lowers automata without errors so far, to a program and to the same program with separate
/// locations at the ends of edges; `None` if there is an error.
pub(super) fn lower(
    automata: &[Automaton],
    lines: &Lines<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(Program, Program)> {
    let found = analyse(automata);
    let overflows = found.overflows.iter();
    diagnostics.extend(overflows.map(|o| overflow(automata, o, found.gave_up)));
    let layout = match Layout::new(automata, &found) {
        Ok(layout) => layout,
        Err(wide) => {
            diagnostics.extend(wide.iter().map(|w| too_wide(automata, w)));
            return None;
        }
    };
    let made = |positions, diagnostics: &mut Vec<Diagnostic>| {
        build(automata, (&found, &layout), positions, lines, diagnostics)
    };
    let program = made(Positions::Merged, diagnostics)?;
    // All diagnostics have been reported.
    let apart = made(Positions::Apart, &mut Vec::new())?;
    Some((program, apart))
}

fn build(
    automata: &[Automaton],
    (found, layout): (&Values, &Layout),
    positions: Positions,
    lines: &Lines<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Program> {
    let mut builder = ProgramBuilder::new("");
    builder.continue_past_limits();
    for address in layout.addresses() {
        builder.cell(format!("mem[{address}]"), 0);
    }
    let mut goal: Option<Expr<Observable>> = None;
    let mut goal_span: Option<Span> = None;
    for (number, automaton) in automata.iter().enumerate() {
        let origin = lines.origin(&automaton.name.span);
        let thread = builder.thread(&automaton.name.name, Copies::One, origin);
        let mut lowering = Lowering {
            automaton,
            thread,
            lines,
            builder: &mut builder,
            diagnostics,
            copies: copies(automaton),
            joined: joined(automaton, positions),
            locations: Vec::new(),
            kept: Vec::new(),
        };
        lowering.locations();
        lowering.instructions(layout, found, number);
        if let Some(there) = lowering.at_a_final_state() {
            goal = Some(match goal {
                Some(others) => Expr::binary(BinaryOp::And, others, there),
                None => there,
            });
            let (_, span) = &automaton.finals[0];
            goal_span = goal_span.or(Some(span.clone()));
        }
    }
    if let (Some(goal), Some(span)) = (goal, goal_span) {
        builder.property(PropertyKind::Forbid, goal, lines.origin(&span));
    }
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return None;
    }
    match builder.build() {
        Ok(program) => Some(program),
        Err(errors) => {
            diagnostics.extend(errors.into_iter().map(|error| {
                let span = error.origin.start as usize..error.origin.end as usize;
                Diagnostic::error(error.message, span)
            }));
            None
        }
    }
}

/// For each state: whether several edges lead to it and positions are to be apart.
fn joined(automaton: &Automaton, positions: Positions) -> Vec<bool> {
    let mut ways = vec![0_usize; automaton.states.len()];
    ways[automaton.initial] += 1;
    for transition in &automaton.transitions {
        ways[transition.to] += 1;
    }
    let apart = positions == Positions::Apart;
    ways.into_iter().map(|count| apart && count > 1).collect()
}

/// How a state is reached.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Reached {
    pub(super) free: bool,
    pub(super) held: bool,
}

/// For each state: whether it is reached without and with the lock. Instructions that block forever
/// are not followed.
pub(super) fn copies(automaton: &Automaton) -> Vec<Reached> {
    let mut reached = vec![Reached::default(); automaton.states.len()];
    let mut outgoing = vec![Vec::new(); automaton.states.len()];
    for transition in &automaton.transitions {
        outgoing[transition.from].push(transition);
    }
    let mut work = vec![(automaton.initial, false)];
    reached[automaton.initial].free = true;
    while let Some((state, held)) = work.pop() {
        for transition in &outgoing[state] {
            let Some(after) = held_after(&transition.instr, held) else {
                continue;
            };
            let flags = &mut reached[transition.to];
            let flag = if after {
                &mut flags.held
            } else {
                &mut flags.free
            };
            if !std::mem::replace(flag, true) {
                work.push((transition.to, after));
            }
        }
    }
    reached
}

/// Whether the lock is held after an instruction; `None` if it blocks forever.
fn held_after(instr: &Instr, held: bool) -> Option<bool> {
    match instr {
        Instr::Lock => (!held).then_some(true),
        Instr::Unlock => held.then_some(false),
        Instr::Read { .. }
        | Instr::Write { .. }
        | Instr::Mfence
        | Instr::Local { .. }
        | Instr::Check(_)
        | Instr::Noop => Some(held),
    }
}

struct Lowering<'l> {
    automaton: &'l Automaton,
    thread: ThreadId,
    lines: &'l Lines<'l>,
    builder: &'l mut ProgramBuilder,
    diagnostics: &'l mut Vec<Diagnostic>,
    copies: Vec<Reached>,
    /// For each state: whether the edges into it end at separate locations, where fences can be
    /// inserted.
    joined: Vec<bool>,
    /// For each state: its locations without and with the lock.
    locations: Vec<[Option<LocId>; 2]>,
    /// The registers that hold parts of expressions.
    kept: Vec<RegId>,
}

impl Lowering<'_> {
    fn locations(&mut self) {
        let mut first = vec![None; self.automaton.states.len()];
        for transition in &self.automaton.transitions {
            first[transition.from].get_or_insert(&transition.span);
        }
        for (at, state) in self.automaton.states.iter().enumerate() {
            let span = first[at].unwrap_or(&state.span);
            let origin = self.lines.origin(span);
            let reached = self.copies[at];
            // An unreachable state is kept, as if it were reached without the lock.
            let free = reached.free || !reached.held;
            let mut label = |name: &str| self.builder.label(self.thread, name, origin);
            let own = free.then(|| label(&state.name));
            let held = reached.held.then(|| match own {
                Some(_) => label(&format!("{} (held)", state.name)),
                None => label(&state.name),
            });
            self.locations.push([own, held]);
        }
        for register in &self.automaton.registers {
            self.builder.register(self.thread, &register.name, 0);
        }
        if let [Some(entry), _] = self.locations[self.automaton.initial] {
            self.builder.entry(self.thread, entry);
        }
    }

    fn instructions(&mut self, layout: &Layout, found: &Values, number: usize) {
        let overflows: BTreeSet<(usize, usize)> = found
            .overflows
            .iter()
            .filter(|overflow| overflow.thread == number)
            .map(|overflow| (overflow.transition, overflow.span.start))
            .collect();
        for (at, transition) in self.automaton.transitions.iter().enumerate() {
            let (parts, instr) = self.parts(&transition.instr, |span| {
                overflows.contains(&(at, span.start))
            });
            let place = |addr| layout.place(addr, &found.addresses[number][at]);
            let op = match &instr {
                Instr::Read { into, addr } => Op::Load {
                    into: *into,
                    addr: place(addr),
                },
                Instr::Write { value, addr } => Op::Store {
                    addr: place(addr),
                    value: value.e.clone(),
                },
                Instr::Mfence => Op::Fence(Fence::Full),
                Instr::Local { into, value } => Op::Assign {
                    into: *into,
                    value: value.e.clone(),
                },
                Instr::Check(e) => Op::Assume(e.e.clone()),
                Instr::Noop => Op::Skip,
                Instr::Lock => Op::AtomicBegin,
                Instr::Unlock => Op::AtomicEnd,
            };
            let reached = self.copies[transition.from];
            for held in [false, true] {
                let Some(from) = self.locations[transition.from][usize::from(held)] else {
                    continue;
                };
                let twice = reached.free && reached.held;
                let span = if held && twice {
                    &transition.does
                } else {
                    &transition.span
                };
                let origin = self.lines.origin(span);
                let after = held_after(&transition.instr, held);
                let to = after.and_then(|after| self.locations[transition.to][usize::from(after)]);
                let is_reached = if held { reached.held } else { reached.free };
                let (op, to) = match (is_reached, to) {
                    (_, Some(to)) => (op.clone(), to),
                    // Never executed: the target does not matter.
                    (false, None) => {
                        let [free, held] = self.locations[transition.to];
                        (op.clone(), free.or(held).unwrap_or(from))
                    }
                    (true, None) => {
                        self.blocks(&transition.instr, &transition.does);
                        (Op::Assume(Expr::Const(0)), from)
                    }
                };
                let to = if self.joined[transition.to] && !reached.held && after == Some(false) {
                    self.end(transition, to)
                } else {
                    to
                };
                let here = self.up_to(from, &parts, span);
                self.instruction(here, from, op, to, origin);
            }
        }
        self.dead_ends();
    }

    /// The end of an edge that leads to a location: a separate location, with a step that does
    /// nothing, which has the span of the edge's states.
    fn end(&mut self, transition: &Transition, to: LocId) -> LocId {
        let span = transition.span.start..transition.does.start;
        let origin = self.lines.origin(&span);
        let end = self.builder.location(self.thread, origin);
        self.builder
            .instruction(self.thread, end, Op::Skip, to, origin);
        end
    }

    /// An instruction and the steps before it, for the operands at these spans, which may overflow
    /// 32 bits.
    fn parts(&mut self, instr: &Instr, may: impl Fn(&Span) -> bool) -> (Vec<Part>, Instr) {
        let Lowering {
            automaton,
            thread,
            builder,
            kept,
            ..
        } = self;
        let mut register = |number: usize| {
            while kept.len() <= number {
                let mut name = format!("$part{}", kept.len() + 1);
                while automaton.registers.iter().any(|known| known.name == name) {
                    name.push('_');
                }
                kept.push(builder.register(*thread, name, 0));
            }
            kept[number]
        };
        let mut parts = Parts::new(&mut register);
        let instr = parts.instruction(instr, |operand| may(&operand.span));
        (parts.found, instr)
    }

    /// Computes the parts, starting from a location; returns the location after them. Fences are
    /// not inserted between them.
    fn up_to(&mut self, from: LocId, parts: &[Part], span: &Span) -> LocId {
        let (thread, origin) = (self.thread, self.lines.origin(span));
        let mut here = from;
        for part in parts {
            let next = self.builder.location(thread, origin);
            let op = match part {
                Part::Keep(into, value) => Op::Assign {
                    into: *into,
                    value: value.clone(),
                },
                Part::Fits(fits, operand) => {
                    // A thread that stops after the limit has not ended: what caused this
                    // continues.
                    let after = self.builder.location(thread, origin);
                    let place = self.lines.origin(operand);
                    let limit = Op::Assert(fits.clone());
                    let limit = self.instruction(here, from, limit, after, place);
                    self.builder.limit(thread, limit);
                    here = after;
                    Op::Assume(fits.clone())
                }
            };
            self.instruction(here, from, op, next, origin);
            here = next;
        }
        here
    }

    /// Adds an instruction. Fences are not inserted there unless it leaves the location of a state.
    fn instruction(
        &mut self,
        here: LocId,
        state: LocId,
        op: Op,
        to: LocId,
        origin: Origin,
    ) -> InstrId {
        let step = self.builder.instruction(self.thread, here, op, to, origin);
        if here != state {
            let place = FencePlace::Forbidden;
            self.builder.fence_place(self.thread, step, place);
        }
        step
    }

    /// A state without successors where the lock is held is not an end of the thread: the thread
    /// stays there forever, and all others wait.
    fn dead_ends(&mut self) {
        let mut left = vec![false; self.locations.len()];
        for transition in &self.automaton.transitions {
            left[transition.from] = true;
        }
        for (at, locations) in self.locations.iter().enumerate() {
            if let ([_, Some(held)], false) = (locations, left[at]) {
                let origin = self.lines.origin(&self.automaton.states[at].span);
                let op = Op::Assume(Expr::Const(0));
                self.builder
                    .instruction(self.thread, *held, op, *held, origin);
            }
        }
    }

    fn blocks(&mut self, instr: &Instr, span: &Span) {
        let (message, note) = if matches!(instr, Instr::Lock) {
            (
                "`lock` while the lock is held blocks forever",
                "the lock is not re-entrant",
            )
        } else {
            (
                "`unlock` without the lock blocks forever",
                "only the thread that holds the lock can release it",
            )
        };
        self.diagnostics.push(
            Diagnostic::warning(message, span.clone())
                .label("some path of the automaton reaches it like this")
                .note(note),
        );
    }

    /// A predicate for the thread being at one of its final states; `None` if it has none.
    fn at_a_final_state(&mut self) -> Option<Expr<Observable>> {
        let mut predicate: Option<Expr<Observable>> = None;
        for (state, span) in &self.automaton.finals {
            let [free, held] = self.locations[*state];
            if held.is_some() {
                let name = &self.automaton.states[*state].name;
                self.diagnostics.push(
                    Diagnostic::error(
                        format!("final state `{name}` is reached while the lock is held"),
                        span.clone(),
                    )
                    .label("a goal cannot be between `lock` and `unlock`")
                    .note(
                        "goals are checked in configurations in which no thread holds the lock; make \
                         the state after the `unlock` final",
                    ),
                );
            }
            let Some(free) = free else { continue };
            let at = Expr::Var(Observable::At(self.thread, free));
            predicate = Some(match predicate {
                Some(others) => Expr::binary(BinaryOp::Or, others, at),
                None => at,
            });
        }
        predicate
    }
}

fn overflow(automata: &[Automaton], found: &Overflow, gave_up: bool) -> Diagnostic {
    let automaton = &automata[found.thread];
    let e = automaton.show(&found.e);
    let (low, high) = found.reach;
    let note = if gave_up {
        "the program is too large for the analysis that bounds its values"
    } else {
        "values have 32 bits here, but are unbounded integers in this format: an answer that \
         depends on the difference is not given; a `check` that bounds the registers helps, as \
         in `check < r 10`"
    };
    Diagnostic::warning(format!("`{e}` may overflow 32 bits"), found.span.clone())
        .label(format!("estimated range: {low} to {high}"))
        .note(note)
}

fn too_wide(automata: &[Automaton], found: &TooWide) -> Diagnostic {
    let transition = &automata[found.thread].transitions[found.transition];
    let span = match transition.instr.addr() {
        Some(addr) => addr.span.clone(),
        None => transition.span.clone(),
    };
    let (low, high) = (found.low, found.high);
    if high - low >= WIDEST {
        Diagnostic::error("this address has too many possible values", span)
            .label(format!("estimated range: {low} to {high}"))
            .note(format!(
                "an access may choose from at most {WIDEST} cells; a `check` that bounds the \
                 registers helps, as in `check < r 10`"
            ))
    } else {
        Diagnostic::error("the program accesses too many cells", span)
            .label(format!("this access alone: those from {low} to {high}"))
            .note(format!("a program may have at most {MOST_CELLS} cells"))
    }
}
