//! Tests whose accesses differ in size: what has several parts, before the code is lowered.
//!
//! A test is *mixed* if it accesses a location in parts or uses a part of a register. Its locations are cut
//! (`memory::parts`), and its registers hold whole values (`lower::parts`). All other tests have one cell per
//! variable and one register per register, as if memory consisted of numbers.

use super::super::memory::parts::Use;
use super::super::types::Size;
use super::instruction::{ACCUMULATOR, Instruction, Opcode, Operand};
use super::kinds::Holder;
use super::thread::Target;
use super::{Test, Thread};
use crate::text::{Diagnostic, Span};

/// Whether an instruction can be expressed only if values have parts.
fn needs_parts(instruction: &Instruction) -> bool {
    let is_computed = match instruction.kind {
        Opcode::Xchg
        | Opcode::Xadd
        | Opcode::Cmpxchg
        | Opcode::Inc
        | Opcode::Dec
        | Opcode::Neg
        | Opcode::Not
        | Opcode::Arithmetic(_)
        | Opcode::Test => matches!(instruction.size, Some(Size::Byte | Size::Word)),
        Opcode::ZeroExtend(_) | Opcode::SignExtend(_) => {
            let source = instruction.operands.last();
            source.is_some_and(|(operand, _)| matches!(operand, Operand::Register(_)))
        }
        Opcode::Mov
        | Opcode::Lea
        | Opcode::Cmp
        | Opcode::Jump
        | Opcode::JumpIf(_)
        | Opcode::Mfence
        | Opcode::Sfence
        | Opcode::Nothing
        | Opcode::Ret => false,
    };
    let has_offset = |(operand, _): &(Operand, Span)| match operand {
        Operand::Memory(mem) => mem.offset() != 0,
        Operand::Immediate(_) | Operand::AddressOf(_) | Operand::Register(_) => false,
    };
    is_computed || instruction.operands.iter().any(has_offset)
}

impl Test {
    /// Whether some value has parts that matter. Requires that the sizes of accesses were recorded.
    pub(super) fn is_mixed(&self) -> bool {
        let needs = |thread: &Thread| {
            let code = &thread.column.code.instructions;
            thread.is_mixed || code.iter().any(needs_parts)
        };
        self.memory.is_mixed() || self.threads.iter().any(needs)
    }

    /// Cuts the locations. Requires that it is known which of them hold addresses. Reports accesses that cannot
    /// be expressed.
    pub(super) fn cut(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        self.note_unsized(diagnostics);
        let taken = self.taken();
        let regions = 0..self.memory.regions().len();
        let uses = regions.map(|region| {
            if self.kinds.is_pointer(Holder::Region(region)) {
                Use::Addresses
            } else if taken.contains(&region) {
                Use::Taken
            } else {
                Use::Numbers
            }
        });
        let uses: Vec<Use> = uses.collect();
        self.memory.cut(&uses, diagnostics);
        self.find_wide();
        self.check_addresses(diagnostics);
    }

    /// Records accesses whose instruction does not say its size: it is that of the location.
    fn note_unsized(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        for thread in &self.threads {
            for instruction in &thread.column.code.instructions {
                if Test::explicit_size(instruction).is_some() || instruction.kind == Opcode::Lea {
                    continue;
                }
                for (operand, span) in &instruction.operands {
                    let Operand::Memory(mem) = operand else {
                        continue;
                    };
                    let place = thread.place(mem, &self.memory);
                    let Some(Target::Region(region)) = place else {
                        continue;
                    };
                    match self.memory.only_size(region) {
                        Some(size) => {
                            self.memory.access_at((region, mem.offset()), size, span);
                        }
                        None => diagnostics.push(
                            Diagnostic::error("the size of this access is not known", span.clone())
                                .label("add a suffix to the instruction, or a size")
                                .note("other accesses to this location have several sizes"),
                        ),
                    }
                }
            }
        }
    }

    /// Finds the registers whose upper halves matter.
    fn find_wide(&mut self) {
        for (t, thread) in self.threads.iter_mut().enumerate() {
            let mut quads = Vec::new();
            for instruction in &thread.column.code.instructions {
                let registers = instruction.operands.iter();
                quads.extend(registers.filter_map(|(operand, _)| match operand {
                    Operand::Register(reg) if reg.size == Size::Quad => Some(reg.number),
                    Operand::Register(_)
                    | Operand::Immediate(_)
                    | Operand::AddressOf(_)
                    | Operand::Memory(_) => None,
                }));
                let size = Test::explicit_size(instruction);
                if instruction.kind == Opcode::Cmpxchg && size == Some(Size::Quad) {
                    quads.push(ACCUMULATOR);
                }
            }
            for (at, register) in thread.registers.iter_mut().enumerate() {
                let number = at as u8;
                let declared = register.size.as_ref().map(|(size, _)| *size);
                let is_quad = quads.contains(&number) || declared == Some(Size::Quad);
                let is_pointer = self.kinds.is_pointer(Holder::Register(t, number));
                thread.is_wide[at] = is_quad && !is_pointer;
                if let Some((size, _)) = &mut register.size {
                    *size = if is_quad { Size::Quad } else { Size::Long };
                }
            }
        }
    }

    /// Reports computed addresses that are not those of elements, and addresses in parts of registers.
    fn check_addresses(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        for (t, thread) in self.threads.iter().enumerate() {
            for instruction in &thread.column.code.instructions {
                for (operand, span) in &instruction.operands {
                    let message = match operand {
                        Operand::Memory(mem) => match thread.place(mem, &self.memory) {
                            Some(Target::Through(_)) if mem.offset() != 0 => {
                                Some("an offset from a computed address")
                            }
                            _ if instruction.kind == Opcode::Lea && mem.offset() != 0 => {
                                Some("the address of a part of a location is used as a value")
                            }
                            Some(Target::Through(_) | Target::Region(_)) | None => None,
                        },
                        Operand::Register(reg) => {
                            let holder = Holder::Register(t, reg.number);
                            let whole = thread.registers[usize::from(reg.number)].size.as_ref();
                            let is_part = whole.is_some_and(|(size, _)| *size != reg.size);
                            let is_pointer = self.kinds.is_pointer(holder);
                            (is_part && is_pointer).then_some("an address is accessed in parts")
                        }
                        Operand::Immediate(_) | Operand::AddressOf(_) => None,
                    };
                    if let Some(message) = message {
                        let note = "parts of locations are accessed by names and constant offsets";
                        let error = Diagnostic::error(message, span.clone());
                        diagnostics.push(error.label("not supported").note(note));
                    }
                }
            }
        }
    }
}
