//! Printing of programs in Trencher's format, as far as the format can express them.
//!
//! The program becomes automata (`raw`), which are analysed and laid out as if they had been
//! parsed. So addresses are the numbers of cells, whatever they were in another text, and the
//! printed text parses to a program that prints the same.
//!
//! ```text
//! r <- cas(mem[x], e, d)     lock; read $old x; check == $old e; write d x    ; local r $old; unlock
//!                                               check != $old e; write $old x
//! ```
//!
//! Names of threads, states and registers are kept, except those that cannot be words of the
//! format. Origins, zero costs, and the names of cells and of the program are lost, and so are
//! properties that only observe (`exists`): no verdict depends on them, and the caller reports that
//! they are missing. Everything else that the format cannot express is an error; all errors are
//! reported at once, and nothing is omitted silently.

mod transitions;

use super::layout::Layout;
use super::raw::{Automaton, Instr, NOT, Named, Operand, SIGNS};
use super::values::analyse;
use super::words::{is_blank, is_numeric};
use crate::program::{
    BinaryOp, Copies, Expr, LocId, Observable, Origin, Program, PropertyKind, RegId, Thread,
    ThreadId,
};
use crate::text::Unprintable;
use crate::visible::visible;
use ahash::AHashSet;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use transitions::AutomatonBuilder;

/// The program in Trencher's format.
///
/// # Errors
///
/// Everything in it that the format cannot express: initial values, fences other than full ones,
/// `nondet`, assertions, properties other than the locations of threads, some operators, costs of
/// fences, threads in any number of copies; arithmetic that wraps, and addresses that may not be
/// cells.
pub(super) fn print(program: &Program) -> Result<String, Vec<Unprintable>> {
    let mut printer = Printer {
        program,
        errors: Vec::new(),
        automata: Vec::new(),
        origins: Vec::new(),
    };
    if program.threads().is_empty() {
        printer.refuse(
            Origin::default(),
            "the format cannot express a program without threads",
        );
    }
    printer.memory();
    let names = unique(program.threads().iter().map(Thread::name), |_| true);
    let mut finals = printer.finals();
    for (id, name) in program.thread_ids().zip(names) {
        let finals = finals.remove(&id).unwrap_or_default();
        printer.thread(id, name, &finals);
    }
    if printer.errors.is_empty() {
        let text = printer.text();
        if let Some(text) = text.filter(|_| printer.errors.is_empty()) {
            return Ok(text);
        }
    }
    Err(printer.errors)
}

struct Printer<'p> {
    program: &'p Program,
    errors: Vec<Unprintable>,
    automata: Vec<Automaton>,
    /// For each thread and transition: where it was written.
    origins: Vec<Vec<Origin>>,
}

impl Printer<'_> {
    fn refuse(&mut self, origin: Origin, why: impl Into<String>) {
        self.errors.push(Unprintable {
            origin,
            why: why.into(),
        });
    }

    fn memory(&mut self) {
        let program = self.program;
        for cell in program.cells() {
            let init = program.initial_memory()[cell.index()];
            if init != 0 {
                let name = program.cell_name(cell);
                let why = format!(
                    "`{name}` is initially {init}, but every cell is initially 0 in this format"
                );
                self.refuse(Origin::default(), why);
            }
        }
    }

    /// The final states that the property requires, by thread.
    fn finals(&mut self) -> BTreeMap<ThreadId, Vec<LocId>> {
        let mut finals = BTreeMap::new();
        let properties = self.program.properties().iter();
        let stated = properties.filter(|property| property.kind != PropertyKind::Exists);
        for (number, property) in stated.enumerate() {
            let places = match property.kind {
                PropertyKind::Forbid if number == 0 => final_locations(&property.predicate),
                PropertyKind::Forbid
                | PropertyKind::FinalAssert
                | PropertyKind::Exists
                | PropertyKind::Stuck
                | PropertyKind::Starved(_) => None,
            };
            match places {
                Some(places) => finals = places,
                None => self.refuse(
                    property.origin,
                    "the format can only express one `forbid` property, of threads being at one of their \
                     final states each, as in `forbid (t0@a || t0@b) && t1@c`",
                ),
            }
        }
        finals
    }

    fn thread(&mut self, id: ThreadId, name: String, finals: &[LocId]) {
        let thread = self.program.thread(id);
        if thread.copies() == Copies::Any {
            let why = format!(
                "the format cannot express any number of copies of thread `{}`",
                thread.name()
            );
            self.refuse(thread.origin(), why);
        }
        for register in thread.registers().iter().filter(|r| r.init != 0) {
            let (register, init) = (&register.name, register.init);
            let why = format!(
                "`{register}` of `{}` is initially {init}, but every register is initially 0 in this format",
                thread.name()
            );
            self.refuse(thread.origin(), why);
        }
        let states = thread.locations().iter().map(|l| l.name.as_str());
        let registers = thread.registers().iter().map(|r| r.name.as_str());
        let is_register =
            |n: &str| !is_numeric(n) && n != NOT && SIGNS.iter().all(|(sign, _)| *sign != n);
        let automaton = Automaton {
            name: named(name),
            states: unique(states, |_| true).into_iter().map(named).collect(),
            registers: unique(registers, is_register)
                .into_iter()
                .map(named)
                .collect(),
            initial: thread.entry().index(),
            finals: finals.iter().map(|loc| (loc.index(), 0..0)).collect(),
            transitions: Vec::new(),
        };
        let mut builder = AutomatonBuilder::new(thread, automaton, &mut self.errors);
        for instruction in thread.instructions() {
            builder.instruction(instruction);
        }
        builder.dead_ends();
        let (automaton, origins) = (builder.automaton, builder.origins);
        self.automata.push(automaton);
        self.origins.push(origins);
    }

    /// The text of the automata; `None` if values or addresses would differ in this format.
    fn text(&mut self) -> Option<String> {
        let found = analyse(&self.automata);
        let mut errors = Vec::new();
        for overflow in &found.overflows {
            let e = self.automata[overflow.thread].show(&overflow.e);
            errors.push(Unprintable {
                origin: self.origins[overflow.thread][overflow.transition],
                why: format!(
                    "`{e}` may overflow 32 bits, but integers are unbounded in this format"
                ),
            });
        }
        let cells = self.program.cell_count();
        let layout = match Layout::new(&self.automata, &found) {
            Ok(layout) if layout.stays_within(cells) => layout,
            Ok(_) | Err(_) => {
                for (thread, automaton) in self.automata.iter().enumerate() {
                    for (at, transition) in automaton.transitions.iter().enumerate() {
                        let set = &found.addresses[thread][at];
                        let stays = transition.instr.addr().is_none_or(|addr| {
                            super::layout::hull(addr, set)
                                .is_none_or(|(low, high)| 1 <= low && high <= cells as i64)
                        });
                        if !stays {
                            errors.push(Unprintable {
                                origin: self.origins[thread][at],
                                why:
                                    "the address may not be a cell, but every integer is an address in this format"
                                        .to_owned(),
                            });
                        }
                    }
                }
                self.errors.append(&mut errors);
                return None;
            }
        };
        self.errors.append(&mut errors);
        let mut out = String::new();
        for (thread, automaton) in self.automata.iter().enumerate() {
            if thread > 0 {
                out.push('\n');
            }
            let state = |state: usize| &automaton.states[state].name;
            let _ = writeln!(out, "thread {}", automaton.name.name);
            let _ = writeln!(out, "initial {}", state(automaton.initial));
            for (at, transition) in automaton.transitions.iter().enumerate() {
                let set = &found.addresses[thread][at];
                let does = words(automaton, &transition.instr, |addr| layout.place(addr, set));
                let (from, to) = (state(transition.from), state(transition.to));
                let _ = writeln!(out, "transition {from} {to} {does}");
            }
            for (last, _) in &automaton.finals {
                let _ = writeln!(out, "final {}", state(*last));
            }
            out.push_str("end\n");
        }
        Some(out)
    }
}

fn words(automaton: &Automaton, instr: &Instr, place: impl Fn(&Operand) -> Expr<RegId>) -> String {
    let register = |reg: &RegId| &automaton.registers[reg.index()].name;
    match instr {
        Instr::Read { into, addr } => {
            format!("read {} {}", register(into), automaton.show(&place(addr)))
        }
        Instr::Write { value, addr } => {
            let value = automaton.show(&value.e);
            format!("write {value} {}", automaton.show(&place(addr)))
        }
        Instr::Mfence => "mfence".to_owned(),
        Instr::Local { into, value } => {
            format!("local {} {}", register(into), automaton.show(&value.e))
        }
        Instr::Check(e) => format!("check {}", automaton.show(&e.e)),
        Instr::Noop => "noop".to_owned(),
        Instr::Lock => "lock".to_owned(),
        Instr::Unlock => "unlock".to_owned(),
    }
}

/// The locations in a predicate that states, for some threads, that each is at one of these.
fn final_locations(predicate: &Expr<Observable>) -> Option<BTreeMap<ThreadId, Vec<LocId>>> {
    fn one(e: &Expr<Observable>) -> Option<(ThreadId, Vec<LocId>)> {
        match e {
            Expr::Var(Observable::At(thread, loc)) => Some((*thread, vec![*loc])),
            Expr::Binary(BinaryOp::Eq, a, b) if **b == Expr::Const(1) => one(a),
            Expr::Binary(BinaryOp::Or, a, b) => {
                let ((thread, mut locs), (other, more)) = (one(a)?, one(b)?);
                locs.extend(more);
                (thread == other).then_some((thread, locs))
            }
            Expr::Const(_)
            | Expr::Var(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Conditional(_) => None,
        }
    }
    let mut found = BTreeMap::new();
    let mut rest = vec![predicate];
    while let Some(e) = rest.pop() {
        if let Expr::Binary(BinaryOp::And, a, b) = e {
            rest.extend([&**b, &**a]);
            continue;
        }
        let (thread, locs) = one(e)?;
        if found.insert(thread, locs).is_some() {
            return None;
        }
    }
    Some(found)
}

fn named(name: String) -> Named {
    Named { name, span: 0..0 }
}

/// Unique names that are words of the format. Most are unchanged.
fn unique<'n>(names: impl Iterator<Item = &'n str>, may_be: impl Fn(&str) -> bool) -> Vec<String> {
    let mut taken: AHashSet<String> = AHashSet::new();
    let mut found = Vec::new();
    for name in names {
        let name = name.replace(|c: char| is_blank(c) || c.is_control(), "_");
        let mut name = visible(&name).into_owned();
        if name.is_empty() || !may_be(&name) {
            name.insert(0, '_');
        }
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        found.push(name);
    }
    found
}
