//! What the constraint of an operand says: where it is, and whether it is read and written.

use super::table::{self, Condition, Register};

/// A constraint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Constraint {
    /// `=`, `+`
    pub(super) written: bool,
    /// `+`, or an input.
    pub(super) read: bool,
    /// `&`: it shares its register with no input.
    pub(super) early: bool,
    pub(super) home: Home,
}

/// Where an operand is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Home {
    /// In this register, or in any.
    Register(Option<Register>),
    Memory,
    /// In a register or in memory, as the compiler likes.
    Anywhere,
    /// In the instruction.
    Constant,
    /// In a register or, if it is constant, in the instruction.
    RegisterOrConstant,
    /// `=@cc…`: a flag.
    Flag(Condition),
    /// Where this output is, by its number or its name.
    SameAs(String),
}

/// Reads a constraint; `None` if it is not supported.
pub(super) fn constraint(text: &str, output: bool) -> Option<Constraint> {
    let (direction, rest) = match text.chars().next()? {
        c @ ('=' | '+') => (Some(c), &text[1..]),
        _ => (None, text),
    };
    if direction.is_some() != output {
        return None;
    }
    let one = |home, early| Constraint {
        written: output,
        read: direction != Some('='),
        early,
        home,
    };
    if let Some(name) = rest.strip_prefix("@cc") {
        let flag = Home::Flag(table::condition(name)?);
        return (direction == Some('=')).then(|| one(flag, false));
    }
    let same = rest
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let digits = !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(same) = same.or(digits.then_some(rest)) {
        return (!output).then(|| one(Home::SameAs(same.to_owned()), false));
    }
    let early = rest.contains('&');
    home(rest).map(|home| one(home, early))
}

/// The places that letters allow.
fn home(letters: &str) -> Option<Home> {
    let (mut register, mut memory, mut constant) = (false, false, false);
    let mut fixed = Vec::new();
    for letter in letters.chars() {
        match letter {
            '&' | ',' | '?' | '!' => {}
            'r' | 'q' | 'Q' | 'R' | 'l' => register = true,
            'm' | 'o' | 'V' => memory = true,
            'i' | 'n' | 'e' | 'Z' | 'I' | 'J' | 'K' | 'L' | 'M' | 'N' => constant = true,
            'g' | 'X' => (register, memory, constant) = (true, true, true),
            'a' => fixed.push(Register::A),
            'b' => fixed.push(Register::B),
            'c' => fixed.push(Register::C),
            'd' => fixed.push(Register::D),
            'S' => fixed.push(Register::Si),
            'D' => fixed.push(Register::Di),
            _ => return None,
        }
    }
    match (&*fixed, register, memory, constant) {
        ([], true, false, false) => Some(Home::Register(None)),
        ([one], false, false, false) => Some(Home::Register(Some(*one))),
        ([], false, true, false) => Some(Home::Memory),
        ([], false, false, true) => Some(Home::Constant),
        ([], true, false, true) => Some(Home::RegisterOrConstant),
        ([], true, true, _) => Some(Home::Anywhere),
        // Among them `Nd`, of ports.
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_say_where_an_operand_is() {
        let known = |text, output| constraint(text, output).map(|one| one.home);
        for (text, output, expected) in [
            ("=r", true, Some(Home::Register(None))),
            ("=&q", true, Some(Home::Register(None))),
            ("+a", true, Some(Home::Register(Some(Register::A)))),
            ("+m", true, Some(Home::Memory)),
            ("ir", false, Some(Home::RegisterOrConstant)),
            ("er", false, Some(Home::RegisterOrConstant)),
            ("n", false, Some(Home::Constant)),
            ("+m,r", true, Some(Home::Anywhere)),
            ("g", false, Some(Home::Anywhere)),
            ("0", false, Some(Home::SameAs("0".to_owned()))),
            ("[out]", false, Some(Home::SameAs("out".to_owned()))),
            ("0", true, None),
            ("r", true, None),
            ("=r", false, None),
            ("=A", true, None),
            ("x", false, None),
            ("=@cco", true, None),
            ("+@ccz", true, None),
            ("", false, None),
            ("ab", false, None),
        ] {
            assert_eq!(known(text, output), expected, "{text}");
        }
        assert!(constraint("=&r", true).is_some_and(|one| one.early && !one.read));
        assert!(constraint("+r", true).is_some_and(|one| one.read && one.written));
    }
}
