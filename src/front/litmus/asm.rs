//! Tests in assembly: columns of instructions, in two dialects, and their meaning.
//!
//! ```text
//!   columns ──cell──▶ instructions ──thread, flags, kinds, mixed──▶ facts ──lower──▶ Program
//! ```
//!
//! The dialects differ in how operands are written and ordered (`x86`, `x86_64`), and are the same
//! from there on.

mod cell;
mod columns;
mod flags;
mod instruction;
mod kinds;
mod lower;
mod mixed;
mod thread;
mod x86;
mod x86_64;

use super::condition::{self, Tail};
use super::frame::Frame;
use super::initial::{self, RegisterInit};
use super::memory::{Memory, Value};
use super::resolve::{ResolvedRegister, Scope, resolve};
use super::types::Size;
use super::words::words;
use crate::program::{Program, ProgramBuilder, RegId};
use crate::text::{Diagnostic, Lines, LitmusTest, Severity, Span};
use cell::Dialect;
use instruction::{Instruction, Mem, Opcode, Operand, REGISTERS, Reg};
use kinds::{Holder, Kinds};
use std::collections::BTreeMap;
use thread::{Target, Thread};

/// The dialect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Assembly {
    X86,
    X86_64,
}

/// Everything that is known about a test before it is lowered.
struct Test {
    assembly: Assembly,
    threads: Vec<Thread>,
    memory: Memory,
    kinds: Kinds,
}

/// Parses and lowers a test.
pub(super) fn read(
    assembly: Assembly,
    frame: &Frame,
    lines: &Lines<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(Program, LitmusTest)> {
    let text = frame.blanked.as_str();
    let mut memory = Memory::default();
    let initial = words(text, frame.initial.clone(), diagnostics);
    let registers = initial::read(&initial, frame.initial.end, &mut memory, diagnostics);
    let dialect: &dyn Dialect = match assembly {
        Assembly::X86 => &x86::X86,
        Assembly::X86_64 => &x86_64::X86_64,
    };
    let (columns, tail_start) = columns::read(dialect, text, frame.rest.clone(), diagnostics);
    let tail_words = words(text, tail_start..frame.rest.end, diagnostics);
    let tail = condition::read(&tail_words, frame.rest.end, diagnostics);
    let threads: Vec<Thread> = columns
        .into_iter()
        .map(|column| Thread::new(column, diagnostics))
        .collect();
    let kinds = Kinds::new(0, 0);
    let mut test = Test {
        assembly,
        threads,
        memory,
        kinds,
    };
    test.initialise(registers, diagnostics);
    test.mention_cells(tail.as_ref());
    test.note_sizes(diagnostics);
    test.memory.check_cells(diagnostics);
    test.find_kinds(tail.as_ref(), diagnostics);
    if test.is_mixed() {
        test.cut(diagnostics);
    }
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return None;
    }
    test.build(&text[frame.name.clone()], &tail?, lines, diagnostics)
}

impl Test {
    /// Sets the initial values of registers.
    fn initialise(&mut self, registers: Vec<RegisterInit>, diagnostics: &mut Vec<Diagnostic>) {
        for RegisterInit {
            thread,
            name,
            place,
            declared,
            value,
        } in registers
        {
            let Some(at) = self.threads.iter().position(|t| t.column.number == thread) else {
                let message = format!("there is no thread `P{thread}`");
                diagnostics.push(Diagnostic::error(message, place));
                continue;
            };
            let Some(reg) = Reg::named(&name) else {
                diagnostics.push(Diagnostic::error(
                    format!("`{name}` is not a register"),
                    place,
                ));
                continue;
            };
            let register = &mut self.threads[at].registers[usize::from(reg.number)];
            if let Some((_, first)) = &register.init {
                diagnostics.push(
                    Diagnostic::error(format!("`{name}` has two initial values"), place)
                        .other(first.clone(), "first value here"),
                );
                continue;
            }
            // A register that is used as a value declares its own size.
            if let (Some(kind), None) = (declared, &register.size)
                && kind.stars == 0
            {
                register.size = Some((kind.size(), place));
            }
            register.init = Some(value);
        }
    }

    /// Declares the cells that only the code or the tail names.
    fn mention_cells(&mut self, tail: Option<&Tail>) {
        for thread in &self.threads {
            for instruction in &thread.column.code.instructions {
                for (operand, span) in &instruction.operands {
                    let (Operand::Memory(Mem::Cell(name, _)) | Operand::AddressOf(name)) = operand
                    else {
                        continue;
                    };
                    let region = self.memory.mention(name, span);
                    self.memory.mark_used(region);
                }
            }
        }
        if let Some(tail) = tail {
            tail.mention(&mut self.memory);
        }
    }

    /// The size of an instruction if its text determines it.
    fn explicit_size(instruction: &Instruction) -> Option<Size> {
        let of_register = |(operand, _): &(Operand, Span)| match operand {
            Operand::Register(reg) => Some(reg.size),
            Operand::Immediate(_) | Operand::AddressOf(_) | Operand::Memory(_) => None,
        };
        let register = instruction.operands.iter().find_map(of_register);
        // The size of an extension is that of its source.
        if let Opcode::ZeroExtend(from) | Opcode::SignExtend(from) = instruction.kind {
            let source = instruction.operands.last().and_then(of_register);
            return match instruction.size {
                Some(size @ (Size::Byte | Size::Word)) => Some(size),
                Some(Size::Long | Size::Quad) => Some(from),
                None => source.or(Some(from)),
            };
        }
        instruction.size.or(register)
    }

    /// Records which cells are accessed with which size.
    fn note_sizes(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let taken = self.taken();
        for thread in &self.threads {
            for instruction in &thread.column.code.instructions {
                let Some(size) = Self::explicit_size(instruction) else {
                    continue;
                };
                for (at, (operand, span)) in instruction.operands.iter().enumerate() {
                    // What is extended is of this size, and not what it is extended to.
                    let is_extended = at == 0 && is_extension(instruction);
                    match operand {
                        Operand::Register(reg) if reg.size != size && !is_extended => {
                            diagnostics.push(
                                Diagnostic::error(
                                    "the operands differ in size",
                                    instruction.span.clone(),
                                )
                                .other(span.clone(), format!("{} bytes here", reg.size.bytes())),
                            );
                        }
                        Operand::Memory(mem) if instruction.kind != Opcode::Lea => {
                            match thread.place(mem, &self.memory) {
                                Some(Target::Region(region)) => {
                                    let at = (region, mem.offset());
                                    self.memory.access_at(at, size, span);
                                }
                                Some(Target::Through(_)) => {
                                    for &region in &taken {
                                        self.memory.access(region, size, span);
                                    }
                                }
                                None => {}
                            }
                        }
                        Operand::Register(_)
                        | Operand::Memory(_)
                        | Operand::Immediate(_)
                        | Operand::AddressOf(_) => {}
                    }
                }
            }
        }
    }

    /// The regions whose address is used as a value, and not only as the base of an access.
    fn taken(&self) -> Vec<usize> {
        let mut taken = Vec::new();
        let mut take = |name: &str| taken.extend(self.memory.find(name));
        for region in self.memory.regions() {
            for (value, _) in &region.init {
                if let Value::Address(name) = value {
                    take(name);
                }
            }
        }
        for thread in &self.threads {
            for (number, register) in thread.registers.iter().enumerate() {
                if let Some((Value::Address(name), _)) = &register.init
                    && !thread.is_base_only(number)
                {
                    take(name);
                }
            }
            for instruction in &thread.column.code.instructions {
                for (operand, _) in &instruction.operands {
                    match operand {
                        Operand::AddressOf(name) => take(name),
                        Operand::Memory(Mem::Cell(name, _)) if instruction.kind == Opcode::Lea => {
                            take(name);
                        }
                        Operand::Memory(_) | Operand::Register(_) | Operand::Immediate(_) => {}
                    }
                }
            }
        }
        taken.sort_unstable();
        taken.dedup();
        taken
    }

    /// Determines what holds addresses.
    fn find_kinds(&mut self, tail: Option<&Tail>, diagnostics: &mut Vec<Diagnostic>) {
        let mut kinds = Kinds::new(self.threads.len(), self.memory.regions().len());
        for region in self.taken() {
            let span = self.memory.region(region).mention.clone();
            kinds.pass(Holder::Region(region), Holder::Anywhere, &span, diagnostics);
        }
        for (at, region) in self.memory.regions().iter().enumerate() {
            for (value, span) in &region.init {
                initial_kind(&mut kinds, Holder::Region(at), value, span, diagnostics);
            }
        }
        for (t, thread) in self.threads.iter().enumerate() {
            for (number, register) in thread.registers.iter().enumerate() {
                if let Some((value, span)) = &register.init {
                    let holder = Holder::Register(t, number as u8);
                    initial_kind(&mut kinds, holder, value, span, diagnostics);
                }
            }
            for instruction in &thread.column.code.instructions {
                kinds.instruction(t, thread, &self.memory, instruction, diagnostics);
            }
        }
        if let Some(tail) = tail {
            tail.for_each_atom(&mut |place, value, span| {
                // A place that only the condition names holds what the condition compares it with.
                let holder = match place {
                    condition::Place::Cell { name, .. } => {
                        self.memory.find(name).map(Holder::Region)
                    }
                    condition::Place::Register { thread, name } => {
                        let t = self.threads.iter().position(|t| t.column.number == *thread);
                        t.zip(Reg::named(name))
                            .map(|(t, reg)| Holder::Register(t, reg.number))
                    }
                };
                if let Some(holder) = holder {
                    initial_kind(&mut kinds, holder, value, span, diagnostics);
                }
            });
        }
        self.kinds = kinds;
    }

    /// The program and its condition. Requires that no error has been found so far.
    fn build(
        mut self,
        name: &str,
        tail: &Tail,
        lines: &Lines<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<(Program, LitmusTest)> {
        let mut builder = ProgramBuilder::new(name);
        self.memory.build(&mut builder, diagnostics);
        let mut registers = lower::lower(
            &self.threads,
            self.assembly,
            &self.memory,
            lines,
            &mut builder,
            diagnostics,
        );
        let numbers: Vec<i64> = self.threads.iter().map(|t| t.column.number).collect();
        let (memory, assembly) = (&self.memory, self.assembly);
        let kinds = std::cell::RefCell::new(&mut self.kinds);
        let mut find = |thread: crate::program::ThreadId, name: &str| {
            let reg = Reg::named(name).ok_or_else(|| format!("`{name}` is not a register"))?;
            let known = self.threads[thread.index()].registers[usize::from(reg.number)]
                .size
                .as_ref()
                .map(|(size, _)| *size);
            if reg.size < known.unwrap_or(Size::Long) || reg.size < Size::Long {
                return Err(format!("`{name}` is only part of a register"));
            }
            let id = *registers[thread.index()]
                .entry(reg.number)
                .or_insert_with(|| {
                    let name = lower::register_name(assembly, reg.number, known);
                    let low = builder.register(thread, name, 0);
                    Held { low, high: None }
                });
            let holder = Holder::Register(thread.index(), reg.number);
            Ok(ResolvedRegister {
                id: id.low,
                name: lower::register_name(assembly, reg.number, known),
                size: known.unwrap_or(Size::Long),
                pointer: kinds.borrow_mut().is_pointer(holder),
                high: id.high,
            })
        };
        let is_pointer = |region| kinds.borrow_mut().is_pointer(Holder::Region(region));
        let mut scope = Scope {
            memory,
            threads: &numbers,
            register: &mut find,
            is_pointer: &is_pointer,
        };
        let test = resolve(tail, name, &mut scope, diagnostics)?;
        super::finish(builder, test, &tail.span, lines, diagnostics)
    }
}

/// Whether its first operand is wider than the second.
fn is_extension(instruction: &Instruction) -> bool {
    matches!(
        instruction.kind,
        Opcode::ZeroExtend(_) | Opcode::SignExtend(_)
    )
}

/// Whether a name in an assembly test is that of a register, and therefore not of a cell.
pub fn is_register_name(name: &str) -> bool {
    Reg::named(name).is_some()
}

/// Records a value that something has initially, or is compared with at the end.
fn initial_kind(
    kinds: &mut Kinds,
    holder: Holder,
    value: &Value,
    span: &Span,
    diagnostics: &mut Vec<Diagnostic>,
) {
    match value {
        Value::Number(0) => {}
        Value::Number(_) => kinds.holds(holder, false, span, diagnostics),
        Value::Address(_) => kinds.holds(holder, true, span, diagnostics),
    }
}

/// The program's registers for one of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Held {
    /// All of it, or its lower half.
    low: RegId,
    /// Its upper half, if it is modelled.
    high: Option<RegId>,
}

/// The program's registers of each thread, by number.
type Registers = Vec<BTreeMap<u8, Held>>;

const _: () = assert!(REGISTERS <= u8::MAX as usize);
