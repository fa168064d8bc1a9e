//! Numbers and addresses: which of the two each register and cell holds.
//!
//! An address is a number to the program, but its value means nothing to the author of a test:
//! addresses are compared and printed as names, and nothing computes with them. So each register
//! and each cell always holds one or the other; 0 is both. A test that mixes them is rejected.

use super::super::memory::Memory;
use super::instruction::{ACCUMULATOR, Arithmetic, Instruction, Opcode, Operand, REGISTERS};
use super::thread::{Target, Thread};
use crate::text::{Diagnostic, Span};

/// Something that holds values: numbered registers, then regions, then everything that is accessed
/// through unknown addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holder {
    Register(usize, u8),
    Region(usize),
    Anywhere,
}

/// Classes of holders that exchange values, with the kind of value that they hold.
pub(super) struct Kinds {
    threads: usize,
    parent: Vec<usize>,
    /// Whether it holds addresses, and where that is determined.
    kind: Vec<Option<(bool, Span)>>,
}

impl Kinds {
    /// No holder has a kind yet.
    pub(super) fn new(threads: usize, regions: usize) -> Self {
        let count = threads * REGISTERS + regions + 1;
        Self {
            threads,
            parent: (0..count).collect(),
            kind: vec![None; count],
        }
    }

    fn index(&self, holder: Holder) -> usize {
        match holder {
            Holder::Register(thread, number) => thread * REGISTERS + usize::from(number),
            Holder::Region(region) => self.threads * REGISTERS + region,
            Holder::Anywhere => self.parent.len() - 1,
        }
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    /// Records that a value passes between these two.
    pub(super) fn pass(
        &mut self,
        a: Holder,
        b: Holder,
        span: &Span,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let (a, b) = (self.index(a), self.index(b));
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        self.parent[b] = a;
        if let Some((address, _)) = self.kind[b].take() {
            self.mark(a, address, span, diagnostics);
        }
    }

    /// Records that a holder holds addresses, or numbers.
    pub(super) fn holds(
        &mut self,
        holder: Holder,
        address: bool,
        span: &Span,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let at = self.index(holder);
        let at = self.root(at);
        self.mark(at, address, span, diagnostics);
    }

    fn mark(&mut self, at: usize, address: bool, span: &Span, diagnostics: &mut Vec<Diagnostic>) {
        match &self.kind[at] {
            None => self.kind[at] = Some((address, span.clone())),
            Some((known, first)) if *known != address => diagnostics.push(
                Diagnostic::error("an address is used as a number", span.clone())
                    .label(if address {
                        "an address here"
                    } else {
                        "a number here"
                    })
                    .other(
                        first.clone(),
                        if *known {
                            "an address here"
                        } else {
                            "a number here"
                        },
                    )
                    .note("addresses can only be copied, compared and dereferenced"),
            ),
            Some(_) => {}
        }
    }

    /// Whether it holds addresses.
    pub(super) fn is_pointer(&mut self, holder: Holder) -> bool {
        let at = self.index(holder);
        let at = self.root(at);
        matches!(self.kind[at], Some((true, _)))
    }
}

impl Kinds {
    /// Records which values an instruction passes between holders.
    pub(super) fn instruction(
        &mut self,
        at: usize,
        thread: &Thread,
        memory: &Memory,
        instruction: &Instruction,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let span = &instruction.span;
        let mut holders = Vec::new();
        for (operand, place) in &instruction.operands {
            let target = match operand {
                Operand::Memory(mem) => thread.place(mem, memory),
                Operand::Register(_) | Operand::Immediate(_) | Operand::AddressOf(_) => None,
            };
            if let Some(Target::Through(number)) = target {
                self.holds(Holder::Register(at, number), true, place, diagnostics);
            }
            holders.push(match (operand, target) {
                (Operand::Register(reg), _) => Some(Holder::Register(at, reg.number)),
                (_, Some(Target::Region(region))) => Some(Holder::Region(region)),
                (_, Some(Target::Through(_))) => Some(Holder::Anywhere),
                (_, None) => None,
            });
        }
        let constant = instruction
            .operands
            .iter()
            .find_map(|(operand, place)| match operand {
                Operand::Immediate(0) | Operand::Register(_) | Operand::Memory(_) => None,
                Operand::Immediate(_) => Some((false, place.clone())),
                Operand::AddressOf(_) => Some((true, place.clone())),
            });
        let known: Vec<Holder> = holders.iter().flatten().copied().collect();
        match instruction.kind {
            Opcode::Mov
            | Opcode::ZeroExtend(_)
            | Opcode::SignExtend(_)
            | Opcode::Xchg
            | Opcode::Cmp
            | Opcode::Cmpxchg => {
                if let [a, b] = known[..] {
                    self.pass(a, b, span, diagnostics);
                }
                if let (Some((address, place)), Some(&holder)) = (constant, known.first()) {
                    self.holds(holder, address, &place, diagnostics);
                }
                if instruction.kind == Opcode::Cmpxchg
                    && let Some(&holder) = known.first()
                {
                    let accumulator = Holder::Register(at, ACCUMULATOR);
                    self.pass(holder, accumulator, span, diagnostics);
                }
            }
            Opcode::Lea => {
                if let Some(Some(holder)) = holders.first() {
                    self.holds(*holder, true, span, diagnostics);
                }
            }
            Opcode::Test | Opcode::Arithmetic(Arithmetic::Xor)
                if known.len() == 2 && known[0] == known[1] => {}
            Opcode::Xadd
            | Opcode::Inc
            | Opcode::Dec
            | Opcode::Neg
            | Opcode::Not
            | Opcode::Test
            | Opcode::Arithmetic(_) => {
                for holder in known {
                    self.holds(holder, false, span, diagnostics);
                }
                if let Some((true, place)) = constant {
                    diagnostics.push(Diagnostic::error("arithmetic on an address", place));
                }
            }
            Opcode::Jump
            | Opcode::JumpIf(_)
            | Opcode::Mfence
            | Opcode::Sfence
            | Opcode::Nothing
            | Opcode::Ret => {}
        }
    }
}
