//! Automata to a program: cells from addresses, atomic blocks from the lock, a property from the
//! final states.
//!
//! A state becomes a location of the same name. Where a state is reached both with and without the
//! lock, it becomes two: the second one is named `q (held)`, which no state of a text can be, and
//! its instructions have only what they do for their place, since no fence is ever wanted there.
//! A `lock` of somebody who holds it, and an `unlock` of somebody who does not, block for ever.

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

/// Makes a program of automata in which nothing is wrong so far, and the same with the ends of edges
/// at locations of their own; none if something is wrong.
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
    // What there was to say was said.
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

/// By state: whether several ways lead to it whose ends are to be apart.
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

/// By state: whether it is reached without and with the lock. What cannot be passed is left out.
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

/// Whether the lock is held behind an instruction; none if it blocks for ever.
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
    /// By state: whether the ends of the edges that lead to it are locations of their own, where
    /// fences can be written.
    joined: Vec<bool>,
    /// By state: its locations without and with the lock.
    locations: Vec<[Option<LocId>; 2]>,
    /// The registers that keep parts of expressions.
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
            // What no path reaches is kept, as if it were reached without the lock.
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
                    // Never executed: where it leads does not matter.
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

    /// The end of an edge that leads to a location: its own, with a step that does nothing, which
    /// has the place of the edge's states.
    fn end(&mut self, transition: &Transition, to: LocId) -> LocId {
        let span = transition.span.start..transition.does.start;
        let origin = self.lines.origin(&span);
        let end = self.builder.location(self.thread, origin);
        self.builder
            .instruction(self.thread, end, Op::Skip, to, origin);
        end
    }

    /// An instruction and what comes before it where its operands may leave 32 bits: those at these
    /// places.
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

    /// Computes the parts from a location on; returns where control is then. No fence is wanted
    /// between them.
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
                    // Whoever stops behind the limit has not ended: what was made of this goes on.
                    let behind = self.builder.location(thread, origin);
                    let place = self.lines.origin(operand);
                    let limit = Op::Assert(fits.clone());
                    let limit = self.instruction(here, from, limit, behind, place);
                    self.builder.limit(thread, limit);
                    here = behind;
                    Op::Assume(fits.clone())
                }
            };
            self.instruction(here, from, op, next, origin);
            here = next;
        }
        here
    }

    /// Adds an instruction. No fence is wanted there unless it leaves the location of a state.
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

    /// A state where the lock is held and that nothing leaves is no end of the thread: it stands
    /// there for ever, and everybody else with it.
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
                "`lock` while the lock is held blocks for ever",
                "the lock is not re-entrant",
            )
        } else {
            (
                "`unlock` without the lock blocks for ever",
                "only the thread that holds the lock passes it",
            )
        };
        self.diagnostics.push(
            Diagnostic::warning(message, span.clone())
                .label("reached so along some path of the automaton")
                .note(note),
        );
    }

    /// The thread is at one of its final states; none if it has none.
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
                    .label("no goal can lie between `lock` and `unlock`")
                    .note(
                        "goals are asked of configurations in which nobody holds the lock; make \
                         the state behind the `unlock` final",
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
        "the program is too large for the analysis that would tell how far its values go"
    } else {
        "values have 32 bits here, and are integers without bounds in this format: an answer that \
         depends on what happens beyond is not given; a `check` that bounds the registers helps, as \
         in `check < r 10`"
    };
    Diagnostic::warning(format!("`{e}` may leave 32 bits"), found.span.clone())
        .label(format!("as far as can be told, between {low} and {high}"))
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
        Diagnostic::error("this address may be too many integers", span)
            .label(format!("as far as can be told, between {low} and {high}"))
            .note(format!(
                "no more than {WIDEST} cells can be chosen from; a `check` that bounds the \
                 registers helps, as in `check < r 10`"
            ))
    } else {
        Diagnostic::error("the program accesses too many cells", span)
            .label(format!("this access alone those from {low} to {high}"))
            .note(format!("no more than {MOST_CELLS} cells are possible"))
    }
}
