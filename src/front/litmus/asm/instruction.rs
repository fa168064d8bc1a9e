//! Instructions of both assembly dialects, in one form: the destination comes first.

use super::super::types::Size;
use crate::text::Span;

/// A register or a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reg {
    /// Which of the sixteen; 0 is RAX.
    pub(super) number: u8,
    /// How much of it is accessed.
    pub(super) size: Size,
    /// The first bit of it: 8 for AH and the like, otherwise 0.
    pub(super) bit: u8,
}

/// The accumulator, which CMPXCHG compares with.
pub(super) const ACCUMULATOR: u8 = 0;

/// How many registers there are.
pub(super) const REGISTERS: usize = 16;

const OLD: [&str; 8] = ["ax", "bx", "cx", "dx", "si", "di", "bp", "sp"];

impl Reg {
    /// The register with this name, in upper or lower case.
    pub(super) fn named(name: &str) -> Option<Reg> {
        let name = name.to_ascii_lowercase();
        let part = |number: usize, size, bit| {
            Some(Reg {
                number: number as u8,
                size,
                bit,
            })
        };
        let reg = |number: usize, size| part(number, size, 0);
        let old = |rest: &str| OLD.iter().position(|old| *old == rest);
        if let Some(number) = name.strip_prefix('r').and_then(old) {
            return reg(number, Size::Quad);
        }
        if let Some(number) = name.strip_prefix('e').and_then(old) {
            return reg(number, Size::Long);
        }
        if let Some(number) = old(&name) {
            return reg(number, Size::Word);
        }
        let low = ["al", "bl", "cl", "dl", "sil", "dil", "bpl", "spl"];
        if let Some(number) = low.iter().position(|low| *low == name) {
            return reg(number, Size::Byte);
        }
        let high = ["ah", "bh", "ch", "dh"];
        if let Some(number) = high.iter().position(|high| *high == name) {
            return part(number, Size::Byte, 8);
        }
        let rest = name.strip_prefix('r')?;
        let (digits, size) = match rest.strip_suffix(['d', 'w', 'b']) {
            Some(digits) if rest.ends_with('d') => (digits, Size::Long),
            Some(digits) if rest.ends_with('w') => (digits, Size::Word),
            Some(digits) => (digits, Size::Byte),
            None => (rest, Size::Quad),
        };
        let number: usize = digits.parse().ok()?;
        ((8..=15).contains(&number) && digits == number.to_string())
            .then(|| reg(number, size))
            .flatten()
    }

    /// The name of a register, or of its lower half, in lower case.
    pub(super) fn name(number: u8, size: Size) -> String {
        let whole = size == Size::Quad;
        match OLD.get(usize::from(number)) {
            Some(old) => format!("{}{old}", if whole { 'r' } else { 'e' }),
            None => format!("r{number}{}", if whole { "" } else { "d" }),
        }
    }
}

/// Where memory is accessed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Mem {
    /// A location by its name, and the offset from its first byte.
    Cell(String, i64),
    /// The location whose address this register holds, and the offset.
    Through(u8, i64),
}

impl Mem {
    /// So many bytes further up.
    pub(super) fn plus(self, bytes: i64) -> Self {
        match self {
            Mem::Cell(name, offset) => Mem::Cell(name, offset.saturating_add(bytes)),
            Mem::Through(number, offset) => Mem::Through(number, offset.saturating_add(bytes)),
        }
    }

    /// The offset in bytes.
    pub(super) fn offset(&self) -> i64 {
        match self {
            Mem::Cell(_, offset) | Mem::Through(_, offset) => *offset,
        }
    }
}

/// An operand of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Operand {
    Immediate(i64),
    /// `$x`: the address of a cell.
    AddressOf(String),
    Register(Reg),
    Memory(Mem),
}

/// Arithmetic with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arithmetic {
    Add,
    Sub,
    Xor,
    And,
    Or,
}

/// The condition of a conditional jump, as a property of the last comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum JumpCondition {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Below,
    BelowEqual,
    Above,
    AboveEqual,
    Negative,
    NotNegative,
}

impl JumpCondition {
    /// Whether the zero and sign flags suffice, which all arithmetic sets according to its result.
    pub(super) fn reads_result_only(self) -> bool {
        match self {
            JumpCondition::Equal
            | JumpCondition::NotEqual
            | JumpCondition::Negative
            | JumpCondition::NotNegative => true,
            JumpCondition::Less
            | JumpCondition::LessEqual
            | JumpCondition::Greater
            | JumpCondition::GreaterEqual
            | JumpCondition::Below
            | JumpCondition::BelowEqual
            | JumpCondition::Above
            | JumpCondition::AboveEqual => false,
        }
    }
}

/// What an instruction does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opcode {
    Mov,
    /// MOVZX of a byte or word.
    ZeroExtend(Size),
    /// MOVSX of a byte or word, MOVSXD of 32 bits.
    SignExtend(Size),
    Lea,
    Xchg,
    Xadd,
    Cmpxchg,
    Inc,
    Dec,
    Neg,
    Not,
    Arithmetic(Arithmetic),
    Cmp,
    Test,
    Jump,
    JumpIf(JumpCondition),
    Mfence,
    Sfence,
    /// NOP, LFENCE, ENDBR64, PAUSE: no effect here.
    Nothing,
    Ret,
}

/// One instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Instruction {
    pub(super) kind: Opcode,
    /// Whether it has the LOCK prefix.
    pub(super) lock: bool,
    /// The size that its suffix specifies.
    pub(super) size: Option<Size>,
    /// Destination first.
    pub(super) operands: Vec<(Operand, Span)>,
    /// The target label of a jump.
    pub(super) target: Option<(String, Span)>,
    /// All of it, prefix included.
    pub(super) span: Span,
}

/// The code of a thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    /// The instructions in order.
    pub(super) instructions: Vec<Instruction>,
    /// Labels, and the number of the instruction that follows them.
    pub(super) labels: Vec<(String, usize, Span)>,
}

/// The instruction that a mnemonic denotes, with the size that its suffix specifies.
pub(super) fn mnemonic(word: &str) -> Option<(Opcode, Option<Size>)> {
    let word = word.to_ascii_lowercase();
    if let Some(found) = exact(&word) {
        return Some((found, None));
    }
    if let Some(rest) = word.strip_prefix('j') {
        return jump(rest).map(|test| (Opcode::JumpIf(test), None));
    }
    if let Some(found) = extension(&word) {
        return Some(found);
    }
    let (stem, size) = match word.as_bytes().last()? {
        b'b' => (&word[..word.len() - 1], Size::Byte),
        b'w' => (&word[..word.len() - 1], Size::Word),
        b'l' => (&word[..word.len() - 1], Size::Long),
        b'q' => (&word[..word.len() - 1], Size::Quad),
        _ => return None,
    };
    let kind = exact(stem)?;
    match kind {
        Opcode::Mfence | Opcode::Sfence | Opcode::Nothing | Opcode::Jump => None,
        Opcode::Ret => (size == Size::Quad).then_some((kind, None)),
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
        | Opcode::JumpIf(_) => Some((kind, Some(size))),
    }
}

/// An extension, with the size that it extends to if its suffixes specify it.
fn extension(word: &str) -> Option<(Opcode, Option<Size>)> {
    if word == "movsxd" || word == "movslq" {
        let to = (word == "movslq").then_some(Size::Quad);
        return Some((Opcode::SignExtend(Size::Long), to));
    }
    let (rest, kind): (_, fn(Size) -> Opcode) = match word.strip_prefix("movz") {
        Some(rest) => (rest, Opcode::ZeroExtend),
        None => (word.strip_prefix("movs")?, Opcode::SignExtend),
    };
    let (from, to) = match rest {
        "x" | "bw" => (Size::Byte, None),
        "bl" => (Size::Byte, Some(Size::Long)),
        "wl" => (Size::Word, Some(Size::Long)),
        "bq" => (Size::Byte, Some(Size::Quad)),
        "wq" => (Size::Word, Some(Size::Quad)),
        _ => return None,
    };
    Some((kind(from), to))
}

fn exact(word: &str) -> Option<Opcode> {
    Some(match word {
        "mov" | "movabs" => Opcode::Mov,
        "lea" => Opcode::Lea,
        "xchg" => Opcode::Xchg,
        "xadd" => Opcode::Xadd,
        "cmpxchg" => Opcode::Cmpxchg,
        "inc" => Opcode::Inc,
        "dec" => Opcode::Dec,
        "neg" => Opcode::Neg,
        "not" => Opcode::Not,
        "add" => Opcode::Arithmetic(Arithmetic::Add),
        "sub" => Opcode::Arithmetic(Arithmetic::Sub),
        "xor" => Opcode::Arithmetic(Arithmetic::Xor),
        "and" => Opcode::Arithmetic(Arithmetic::And),
        "or" => Opcode::Arithmetic(Arithmetic::Or),
        "cmp" => Opcode::Cmp,
        "test" => Opcode::Test,
        "jmp" => Opcode::Jump,
        "mfence" => Opcode::Mfence,
        "sfence" => Opcode::Sfence,
        "nop" | "lfence" | "endbr64" | "pause" => Opcode::Nothing,
        "ret" => Opcode::Ret,
        _ => return None,
    })
}

fn jump(condition: &str) -> Option<JumpCondition> {
    Some(match condition {
        "e" | "z" => JumpCondition::Equal,
        "ne" | "nz" => JumpCondition::NotEqual,
        "l" | "nge" => JumpCondition::Less,
        "le" | "ng" => JumpCondition::LessEqual,
        "g" | "nle" => JumpCondition::Greater,
        "ge" | "nl" => JumpCondition::GreaterEqual,
        "b" | "c" | "nae" => JumpCondition::Below,
        "be" | "na" => JumpCondition::BelowEqual,
        "a" | "nbe" => JumpCondition::Above,
        "ae" | "nb" | "nc" => JumpCondition::AboveEqual,
        "s" => JumpCondition::Negative,
        "ns" => JumpCondition::NotNegative,
        _ => return None,
    })
}

/// Every mnemonic without suffix, for suggestions.
pub(super) const MNEMONICS: [&str; 36] = [
    "mov", "movzx", "lea", "xchg", "xadd", "cmpxchg", "inc", "dec", "neg", "not", "add", "sub",
    "xor", "and", "or", "cmp", "test", "jmp", "je", "jne", "jl", "jle", "jg", "jge", "jb", "jbe",
    "ja", "jae", "js", "jns", "mfence", "sfence", "lfence", "nop", "ret", "lock",
];
