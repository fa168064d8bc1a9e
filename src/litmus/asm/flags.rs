//! Flags: which instructions set some that a jump reads.
//!
//! What flags say is the outcome of a comparison, so they are modelled as its two sides, in two
//! registers of their own, set only where a jump reads them. Comparisons and subtractions compare
//! their operands, bitwise operations their result with 0. Additions, INC, DEC and XADD compare
//! their result with 0 too, which is right for the zero and the sign flag; a jump that reads the
//! others behind them is refused.

use super::instruction::{Arithmetic, Code, Instruction, Kind};
use crate::text::Diagnostic;

/// What an instruction does to the flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    None,
    /// All flags, as a comparison.
    All,
    /// Zero and sign as its result; the others in a way that is not modelled.
    Result,
}

fn effect(kind: Kind) -> Effect {
    match kind {
        Kind::Cmp
        | Kind::Test
        | Kind::Cmpxchg
        | Kind::Neg
        | Kind::Arithmetic(Arithmetic::Sub | Arithmetic::And | Arithmetic::Or | Arithmetic::Xor) => {
            Effect::All
        }
        Kind::Inc | Kind::Dec | Kind::Xadd | Kind::Arithmetic(Arithmetic::Add) => Effect::Result,
        Kind::Mov
        | Kind::Extend(_)
        | Kind::Lea
        | Kind::Xchg
        | Kind::Not
        | Kind::Jump
        | Kind::JumpIf(_)
        | Kind::Mfence
        | Kind::Sfence
        | Kind::Nothing
        | Kind::Ret => Effect::None,
    }
}

/// The instructions behind one; those behind the last are its number, `len`.
pub(super) fn successors(
    code: &[Instruction],
    at: usize,
    target: impl Fn(&Instruction) -> Option<usize>,
) -> Vec<usize> {
    match code[at].kind {
        Kind::Ret => vec![code.len()],
        Kind::Jump => target(&code[at]).into_iter().collect(),
        Kind::JumpIf(_) => target(&code[at]).into_iter().chain([at + 1]).collect(),
        Kind::Mov
        | Kind::Extend(_)
        | Kind::Lea
        | Kind::Xchg
        | Kind::Xadd
        | Kind::Cmpxchg
        | Kind::Inc
        | Kind::Dec
        | Kind::Neg
        | Kind::Not
        | Kind::Arithmetic(_)
        | Kind::Cmp
        | Kind::Test
        | Kind::Mfence
        | Kind::Sfence
        | Kind::Nothing => vec![at + 1],
    }
}

/// Which instructions have to set the flags. Jumps that read flags which nobody has set, or which
/// are not modelled, are said.
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
    let reads = |at: usize| matches!(instructions[at].kind, Kind::JumpIf(_));
    // What may have set the flags before each instruction: nobody, or somebody by a result only.
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
        let Kind::JumpIf(test) = instruction.kind else {
            continue;
        };
        let (unset, partial) = before[at];
        if unset && reached[at] {
            diagnostics.push(
                Diagnostic::error(
                    "nothing sets the flags that this jump reads",
                    instruction.span.clone(),
                )
                .label("on some way to here"),
            );
        } else if partial && !test.reads_result_only() {
            diagnostics.push(
                Diagnostic::error(
                    "this jump reads the carry or overflow flag of an addition",
                    instruction.span.clone(),
                )
                .label("not supported")
                .note(
                    "behind ADD, INC, DEC and XADD, jumps on zero and sign are; CMP sets all flags",
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
