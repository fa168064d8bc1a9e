//! Flags: which instructions must set flags that a jump reads.
//!
//! Flags hold the outcome of a comparison, so they are modelled as its two sides, in two extra
//! registers, which are set only if a jump reads them. Comparisons and subtractions compare their
//! operands, bitwise operations their result with 0. Additions, INC, DEC and XADD also compare
//! their result with 0, which is right for the zero and the sign flag; a jump that reads other
//! flags after them is rejected.

use super::instruction::{Arithmetic, Code, Instruction, Opcode};
use crate::text::Diagnostic;

/// What an instruction does to the flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    None,
    /// All flags, as a comparison does.
    All,
    /// Zero and sign according to its result; the others in a way that is not modelled.
    Result,
}

fn effect(kind: Opcode) -> Effect {
    match kind {
        Opcode::Cmp
        | Opcode::Test
        | Opcode::Cmpxchg
        | Opcode::Neg
        | Opcode::Arithmetic(
            Arithmetic::Sub | Arithmetic::And | Arithmetic::Or | Arithmetic::Xor,
        ) => Effect::All,
        Opcode::Inc | Opcode::Dec | Opcode::Xadd | Opcode::Arithmetic(Arithmetic::Add) => {
            Effect::Result
        }
        Opcode::Mov
        | Opcode::ZeroExtend(_)
        | Opcode::SignExtend(_)
        | Opcode::Lea
        | Opcode::Xchg
        | Opcode::Not
        | Opcode::Jump
        | Opcode::JumpIf(_)
        | Opcode::Mfence
        | Opcode::Sfence
        | Opcode::Nothing
        | Opcode::Ret => Effect::None,
    }
}

/// The successors of an instruction; those of the last one are its number, `len`.
pub(super) fn successors(
    code: &[Instruction],
    at: usize,
    target: impl Fn(&Instruction) -> Option<usize>,
) -> Vec<usize> {
    match code[at].kind {
        Opcode::Ret => vec![code.len()],
        Opcode::Jump => target(&code[at]).into_iter().collect(),
        Opcode::JumpIf(_) => target(&code[at]).into_iter().chain([at + 1]).collect(),
        Opcode::Mov
        | Opcode::ZeroExtend(_)
        | Opcode::SignExtend(_)
        | Opcode::Lea
        | Opcode::Xchg
        | Opcode::Xadd
        | Opcode::Cmpxchg
        | Opcode::Inc
        | Opcode::Dec
        | Opcode::Neg
        | Opcode::Not
        | Opcode::Arithmetic(_)
        | Opcode::Cmp
        | Opcode::Test
        | Opcode::Mfence
        | Opcode::Sfence
        | Opcode::Nothing => vec![at + 1],
    }
}

/// Which instructions have to set the flags. Reports jumps that read flags which no instruction has
/// set, or which are not modelled.
pub(super) fn needed(
    code: &Code,
    target: impl Fn(&Instruction) -> Option<usize>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<bool> {
    let instructions = &code.instructions;
    let len = instructions.len();
    let successors: Vec<Vec<usize>> = (0..len)
        .map(|at| successors(instructions, at, &target))
        .collect();
    let reads = |at: usize| matches!(instructions[at].kind, Opcode::JumpIf(_));
    // Before each instruction: whether the flags may be unset, and whether they may be set by a
    // result only.
    let mut before = vec![(false, false); len + 1];
    let mut reached = vec![false; len + 1];
    let mut work = vec![0];
    before[0] = (true, false);
    reached[0] = true;
    while let Some(at) = work.pop() {
        if at == len {
            continue;
        }
        let after = match effect(instructions[at].kind) {
            Effect::None => before[at],
            Effect::All => (false, false),
            Effect::Result => (false, true),
        };
        for &next in &successors[at] {
            let old = before[next];
            before[next] = (old.0 || after.0, old.1 || after.1);
            if before[next] != old || !reached[next] {
                reached[next] = true;
                work.push(next);
            }
        }
    }
    for (at, instruction) in instructions.iter().enumerate() {
        let Opcode::JumpIf(test) = instruction.kind else {
            continue;
        };
        let (unset, partial) = before[at];
        if unset && reached[at] {
            diagnostics.push(
                Diagnostic::error(
                    "no instruction sets the flags that this jump reads",
                    instruction.span.clone(),
                )
                .label("on some path to this jump"),
            );
        } else if partial && !test.reads_result_only() {
            diagnostics.push(
                Diagnostic::error(
                    "this jump reads the carry or overflow flag of an addition",
                    instruction.span.clone(),
                )
                .label("not supported")
                .note(
                    "after ADD, INC, DEC and XADD, only jumps on the zero and sign flags are supported; CMP sets all flags",
                ),
            );
        }
    }
    live(instructions, &successors, reads)
}

/// Which instructions set flags that are read before they are set again.
fn live(
    instructions: &[Instruction],
    successors: &[Vec<usize>],
    reads: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let len = instructions.len();
    let mut predecessors = vec![Vec::new(); len + 1];
    for (at, next) in successors.iter().enumerate() {
        for &next in next {
            predecessors[next].push(at);
        }
    }
    let mut live_before = vec![false; len + 1];
    let mut needed = vec![false; len];
    let mut work: Vec<usize> = (0..len).filter(|&at| reads(at)).collect();
    for &at in &work {
        live_before[at] = true;
    }
    while let Some(at) = work.pop() {
        for &previous in &predecessors[at] {
            if effect(instructions[previous].kind) != Effect::None {
                needed[previous] = true;
            } else if !live_before[previous] {
                live_before[previous] = true;
                work.push(previous);
            }
        }
    }
    needed
}
