//! Instructions of both assembly dialects, in one form: the destination comes first.

use super::super::types::Size;
use crate::text::Span;

/// A register or a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reg {
    /// Which of the sixteen; 0 is RAX.
    pub(super) number: u8,
    /// How much of it is named.
    pub(super) size: Size,
}

/// The accumulator, which CMPXCHG compares with.
pub(super) const ACCUMULATOR: u8 = 0;

/// How many registers there are.
pub(super) const REGISTERS: usize = 16;

const OLD: [&str; 8] = ["ax", "bx", "cx", "dx", "si", "di", "bp", "sp"];

impl Reg {
    /// The register of this name, in upper or lower case.
    pub(super) fn named(name: &str) -> Option<Reg> {
        let name = name.to_ascii_lowercase();
        let reg = |number: usize, size| {
            Some(Reg {
                number: number as u8,
                size,
            })
        };
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
            return reg(number, Size::Byte);
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

    /// The name of a register, whole or its lower half, in lower case.
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
    /// A cell by its name.
    Cell(String),
    /// The cell whose address this register holds.
    Through(u8),
}

/// What an instruction works on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Operand {
    Immediate(i64),
    /// `$x`: the address of a cell.
    AddressOf(String),
    Register(Reg),
    Memory(Mem),
}

/// The arithmetic that has two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arithmetic {
    Add,
    Sub,
    Xor,
    And,
    Or,
}

/// Which flags a conditional jump reads, as a question about the last comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Test {
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

impl Test {
    /// Whether the zero and sign flags suffice, which every arithmetic sets by its result.
    pub(super) fn reads_result_only(self) -> bool {
        match self {
            Test::Equal | Test::NotEqual | Test::Negative | Test::NotNegative => true,
            Test::Less
            | Test::LessEqual
            | Test::Greater
            | Test::GreaterEqual
            | Test::Below
            | Test::BelowEqual
            | Test::Above
            | Test::AboveEqual => false,
        }
    }
}

/// What an instruction does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Mov,
    /// MOVZX and MOVSX of a byte or word.
    Extend(Size),
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
    JumpIf(Test),
    Mfence,
    Sfence,
    /// NOP, LFENCE, ENDBR64, PAUSE: nothing that matters here.
    Nothing,
    Ret,
}

/// One instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Instruction {
    pub(super) kind: Kind,
    /// Whether it has the LOCK prefix.
    pub(super) lock: bool,
    /// The size that its suffix says.
    pub(super) size: Option<Size>,
    /// Destination first.
    pub(super) operands: Vec<(Operand, Span)>,
    /// The label that a jump goes to.
    pub(super) target: Option<(String, Span)>,
    /// All of it, prefix included.
    pub(super) span: Span,
}

/// A thread as it is written.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    /// The instructions in their order.
    pub(super) instructions: Vec<Instruction>,
    /// Labels, and the number of the instruction that they stand before.
    pub(super) labels: Vec<(String, usize, Span)>,
}

/// What a mnemonic stands for, with the size that its suffix says.
pub(super) fn mnemonic(word: &str) -> Option<(Kind, Option<Size>)> {
    let word = word.to_ascii_lowercase();
    if let Some(found) = exact(&word) {
        return Some((found, None));
    }
    if let Some(rest) = word.strip_prefix('j') {
        return jump(rest).map(|test| (Kind::JumpIf(test), None));
    }
    let extend = word.strip_prefix("movz").or(word.strip_prefix("movs"));
    match extend {
        Some("x") => return Some((Kind::Extend(Size::Byte), None)),
        Some("bl") => return Some((Kind::Extend(Size::Byte), Some(Size::Long))),
        Some("wl") => return Some((Kind::Extend(Size::Word), Some(Size::Long))),
        Some("bq") => return Some((Kind::Extend(Size::Byte), Some(Size::Quad))),
        Some("wq") => return Some((Kind::Extend(Size::Word), Some(Size::Quad))),
        Some(_) | None => {}
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
        Kind::Mfence | Kind::Sfence | Kind::Nothing | Kind::Jump => None,
        Kind::Ret => (size == Size::Quad).then_some((kind, None)),
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
        | Kind::JumpIf(_) => Some((kind, Some(size))),
    }
}

fn exact(word: &str) -> Option<Kind> {
    Some(match word {
        "mov" | "movabs" => Kind::Mov,
        "lea" => Kind::Lea,
        "xchg" => Kind::Xchg,
        "xadd" => Kind::Xadd,
        "cmpxchg" => Kind::Cmpxchg,
        "inc" => Kind::Inc,
        "dec" => Kind::Dec,
        "neg" => Kind::Neg,
        "not" => Kind::Not,
        "add" => Kind::Arithmetic(Arithmetic::Add),
        "sub" => Kind::Arithmetic(Arithmetic::Sub),
        "xor" => Kind::Arithmetic(Arithmetic::Xor),
        "and" => Kind::Arithmetic(Arithmetic::And),
        "or" => Kind::Arithmetic(Arithmetic::Or),
        "cmp" => Kind::Cmp,
        "test" => Kind::Test,
        "jmp" => Kind::Jump,
        "mfence" => Kind::Mfence,
        "sfence" => Kind::Sfence,
        "nop" | "lfence" | "endbr64" | "pause" => Kind::Nothing,
        "ret" => Kind::Ret,
        _ => return None,
    })
}

fn jump(condition: &str) -> Option<Test> {
    Some(match condition {
        "e" | "z" => Test::Equal,
        "ne" | "nz" => Test::NotEqual,
        "l" | "nge" => Test::Less,
        "le" | "ng" => Test::LessEqual,
        "g" | "nle" => Test::Greater,
        "ge" | "nl" => Test::GreaterEqual,
        "b" | "c" | "nae" => Test::Below,
        "be" | "na" => Test::BelowEqual,
        "a" | "nbe" => Test::Above,
        "ae" | "nb" | "nc" => Test::AboveEqual,
        "s" => Test::Negative,
        "ns" => Test::NotNegative,
        _ => return None,
    })
}

/// Every mnemonic without suffix, to offer the nearest.
pub(super) const MNEMONICS: [&str; 36] = [
    "mov", "movzx", "lea", "xchg", "xadd", "cmpxchg", "inc", "dec", "neg", "not", "add", "sub",
    "xor", "and", "or", "cmp", "test", "jmp", "je", "jne", "jl", "jle", "jg", "jge", "jb", "jbe",
    "ja", "jae", "js", "jns", "mfence", "sfence", "lfence", "nop", "ret", "lock",
];
