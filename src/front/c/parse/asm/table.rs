//! The instructions of x86 that inline assembly may contain: a row for each name.
//!
//! **Absent.** Jumps, moves under a condition, addresses that are computed, shifts, strings, vectors, and
//! `cmpxchg8b` and `cmpxchg16b`, which access two words at once.

use crate::lower::typed::BinaryOp;

/// What an instruction does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// No access, no operand: `pause`, `nop`, `lfence`.
    Nothing,
    /// `mfence`
    FullFence,
    /// `sfence`
    StoreFence,
    /// `mov`
    Move,
    /// `xchg`, which with memory is locked in any case.
    Exchange,
    /// `cmpxchg`: with the register a.
    CompareExchange,
    /// `xadd`
    ExchangeAdd,
    /// The destination becomes `destination op source`.
    Combine(BinaryOp),
    /// The same with 1, and the carry stays what it was.
    Step(BinaryOp),
    /// `cmp`, `test`: the flags of an operation whose result goes nowhere.
    Compare(BinaryOp),
    /// `not`, which changes no flag.
    Complement,
    /// `neg`
    Negate,
    /// A bit of the destination becomes the carry.
    Bit(BitAction),
    /// `sbb` of a register from itself: minus the carry.
    Spread,
    /// `movzb…`, `movzw…`: from so many bits.
    Extend(u32),
    /// `set…`
    Set(Condition),
    /// `rdtsc`: any number in a and d.
    Clock,
    /// `rdtscp`: in a, d and c.
    ClockAndProcessor,
    /// `cpuid`: any number in a, b, c and d; it waits for all stores.
    Identify,
}

/// What happens to a bit after it was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BitAction {
    Test,
    Set,
    Reset,
    Flip,
}

/// The flags that conditions can read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Flag {
    Zero,
    Carry,
    Sign,
}

/// That a flag is set, or is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Condition {
    pub(super) flag: Flag,
    pub(super) set: bool,
}

/// The registers that constraints and instructions name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Register {
    A,
    B,
    C,
    D,
    Si,
    Di,
}

/// Names, actions, and numbers of operands. Names with the letter of a width after them mean the same.
const ACTIONS: &[(&str, Action, usize)] = &[
    ("nop", Action::Nothing, 0),
    ("pause", Action::Nothing, 0),
    ("rep nop", Action::Nothing, 0),
    ("rep", Action::Nothing, 0),
    ("lfence", Action::Nothing, 0),
    ("mfence", Action::FullFence, 0),
    ("sfence", Action::StoreFence, 0),
    ("mov", Action::Move, 2),
    ("xchg", Action::Exchange, 2),
    ("cmpxchg", Action::CompareExchange, 2),
    ("xadd", Action::ExchangeAdd, 2),
    ("add", Action::Combine(BinaryOp::Add), 2),
    ("sub", Action::Combine(BinaryOp::Sub), 2),
    ("and", Action::Combine(BinaryOp::BitAnd), 2),
    ("or", Action::Combine(BinaryOp::BitOr), 2),
    ("xor", Action::Combine(BinaryOp::BitXor), 2),
    ("cmp", Action::Compare(BinaryOp::Sub), 2),
    ("test", Action::Compare(BinaryOp::BitAnd), 2),
    ("inc", Action::Step(BinaryOp::Add), 1),
    ("dec", Action::Step(BinaryOp::Sub), 1),
    ("not", Action::Complement, 1),
    ("neg", Action::Negate, 1),
    ("bt", Action::Bit(BitAction::Test), 2),
    ("bts", Action::Bit(BitAction::Set), 2),
    ("btr", Action::Bit(BitAction::Reset), 2),
    ("btc", Action::Bit(BitAction::Flip), 2),
    ("sbb", Action::Spread, 2),
    ("movzb", Action::Extend(8), 2),
    ("movzw", Action::Extend(16), 2),
    ("rdtsc", Action::Clock, 0),
    ("rdtscp", Action::ClockAndProcessor, 0),
    ("cpuid", Action::Identify, 0),
];

/// Conditions after `set` and `=@cc`.
const CONDITIONS: &[(&str, Flag, bool)] = &[
    ("e", Flag::Zero, true),
    ("z", Flag::Zero, true),
    ("ne", Flag::Zero, false),
    ("nz", Flag::Zero, false),
    ("c", Flag::Carry, true),
    ("b", Flag::Carry, true),
    ("nae", Flag::Carry, true),
    ("nc", Flag::Carry, false),
    ("ae", Flag::Carry, false),
    ("nb", Flag::Carry, false),
    ("s", Flag::Sign, true),
    ("ns", Flag::Sign, false),
];

const REGISTERS: &[(Register, [&str; 4])] = &[
    (Register::A, ["al", "ax", "eax", "rax"]),
    (Register::B, ["bl", "bx", "ebx", "rbx"]),
    (Register::C, ["cl", "cx", "ecx", "rcx"]),
    (Register::D, ["dl", "dx", "edx", "rdx"]),
    (Register::Si, ["sil", "si", "esi", "rsi"]),
    (Register::Di, ["dil", "di", "edi", "rdi"]),
];

/// How many bits the letter after a name, or before an operand's number, stands for.
pub(super) fn width(letter: char) -> Option<u32> {
    match letter {
        'b' => Some(8),
        'w' => Some(16),
        'l' | 'k' => Some(32),
        'q' => Some(64),
        _ => None,
    }
}

/// The condition with this name.
pub(super) fn condition(name: &str) -> Option<Condition> {
    let found = CONDITIONS.iter().find(|(known, ..)| *known == name);
    found.map(|&(_, flag, set)| Condition { flag, set })
}

/// The register with this name, and how many bits of it the name means.
pub(super) fn register(name: &str) -> Option<(Register, u32)> {
    REGISTERS.iter().find_map(|(register, names)| {
        let at = names.iter().position(|known| *known == name)?;
        Some((*register, 8 << at))
    })
}

/// What the instruction with this name does, its number of operands, and its width if the name has one.
pub(super) fn action(name: &str) -> Option<(Action, usize, Option<u32>)> {
    let exact = |name: &str| {
        let found = ACTIONS.iter().find(|(known, ..)| *known == name);
        found.map(|&(_, action, count)| (action, count))
    };
    if let Some((action, count)) = exact(name) {
        return Some((action, count, None));
    }
    if let Some(condition) = name.strip_prefix("set").and_then(condition) {
        return Some((Action::Set(condition), 1, Some(8)));
    }
    let (last, letter) = name.char_indices().next_back()?;
    let bits = width(letter).filter(|_| letter != 'k')?;
    let (action, count) = exact(&name[..last])?;
    (count > 0).then_some((action, count, Some(bits)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_with_a_width_or_not() {
        let sub = Action::Combine(BinaryOp::Sub);
        for (name, expected) in [
            ("sub", Some((sub, 2, None))),
            ("subb", Some((sub, 2, Some(8)))),
            ("subq", Some((sub, 2, Some(64)))),
            ("subk", None),
            ("bt", Some((Action::Bit(BitAction::Test), 2, None))),
            ("btcl", Some((Action::Bit(BitAction::Flip), 2, Some(32)))),
            ("sbb", Some((Action::Spread, 2, None))),
            ("movzbl", Some((Action::Extend(8), 2, Some(32)))),
            ("mfencel", None),
            ("cmpxchg16b", None),
            ("cmpxchg8b", None),
            ("", None),
            ("é", None),
            ("seto", None),
        ] {
            assert_eq!(action(name), expected, "{name}");
        }
        let zero = Condition {
            flag: Flag::Zero,
            set: true,
        };
        assert_eq!(action("setz"), Some((Action::Set(zero), 1, Some(8))));
        assert_eq!(register("rdx"), Some((Register::D, 64)));
        assert_eq!(register("r8"), None);
    }
}
