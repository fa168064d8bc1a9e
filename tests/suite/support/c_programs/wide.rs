//! Random programs over 64-bit types: one operation a statement, each with a variable of its own.
//!
//! Signed types are represented from -2³¹ to 2³¹ - 1; unsigned ones in addition to the values below 2³¹
//! from 2⁶⁴ - 2³¹ on. So it is known of each program whether all its values are, and whether it has an
//! operation that gives up although they are.

use super::{Draft, Mode, Random};
use std::fmt::Write as _;

/// A program, and whether it must be decided if all values that are seen are represented.
pub struct Wide {
    pub draft: Draft,
    pub is_exact: bool,
}

const LONG: &str = "int64_t";
const UNSIGNED_LONG: &str = "uint64_t";
const TYPES: [&str; 9] = [
    UNSIGNED_LONG,
    UNSIGNED_LONG,
    UNSIGNED_LONG,
    LONG,
    LONG,
    "int",
    "unsigned",
    "signed char",
    "unsigned short",
];

/// Whether a value of a type is represented; those of unsigned types by their bits.
pub fn is_represented(ty: &str, value: i64) -> bool {
    ![LONG, UNSIGNED_LONG].contains(&ty) || i32::try_from(value).is_ok()
}

struct Maker {
    random: Random,
    /// All variables so far.
    values: Vec<(String, &'static str)>,
    /// What is also seen.
    converted: Vec<(String, &'static str)>,
    text: String,
    is_exact: bool,
}

/// The program that a seed stands for.
pub fn wide(seed: u64, mode: Mode) -> Wide {
    let mut maker = Maker {
        random: Random(seed ^ 0x77_6964_6500),
        values: Vec::new(),
        converted: Vec::new(),
        text: String::new(),
        is_exact: true,
    };
    let mut globals = String::new();
    let mut inputs = String::new();
    for at in 0..4 {
        let ty = if at < 2 { UNSIGNED_LONG } else { maker.ty() };
        let (name, value) = (format!("v{at}"), maker.word(ty));
        match mode {
            Mode::Solo => _ = writeln!(globals, "{ty} {name} = {value};"),
            Mode::Dynamic => {
                _ = writeln!(globals, "{ty} {name};");
                _ = write!(inputs, "{name} = {value}; ");
            }
        }
        maker.values.push((name, ty));
    }
    for _ in 0..=maker.random.below(6) {
        maker.step();
    }
    let start = match mode {
        Mode::Solo => "",
        Mode::Dynamic => {
            "    pthread_t id;\n    pthread_create(&id, 0, thread, 0);\n    pthread_join(id, 0);\n"
        }
    };
    let text = format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdint.h>\n\
         #include <stdio.h>\n{globals}_Atomic uint64_t au;\n_Atomic int64_t as;\n\
         void *thread(void *unused) {{ {inputs}return 0; }}\nint main(void) {{\n{start}{}",
        maker.text
    );
    let mut seen = maker.values;
    seen.extend(maker.converted);
    Wide {
        draft: Draft { text, seen },
        is_exact: maker.is_exact,
    }
}

impl Maker {
    fn ty(&mut self) -> &'static str {
        self.random.of(&TYPES)
    }

    fn wide_type(&mut self) -> &'static str {
        self.random.of(&[UNSIGNED_LONG, UNSIGNED_LONG, LONG])
    }

    /// A constant that is represented.
    fn word(&mut self, ty: &str) -> String {
        let small = ["0", "1", "2", "3", "7", "10", "64", "1000", "2147483647"];
        let largest = ["UINT64_MAX", "-1", "-2", "-3", "-64", "UINT64_MAX - 7"];
        let far = ["(-2147483647 - 1)", "-2147483647", "-1000000", "123456789"];
        let all: &[&str] = match self.random.below(7) {
            0..3 => &small,
            3..6 => &largest,
            _ => &far,
        };
        format!("({ty})({})", self.random.of(all))
    }

    /// A constant that is not represented.
    fn huge(&mut self, ty: &str) -> String {
        let all = [
            "0x80000000UL",
            "0xffffffffUL",
            "0x100000000UL",
            "0x180000001UL",
            "0x7fffffffffffffffUL",
            "0x8000000000000000UL",
            "0xffffffff7fffffffUL",
            "0x5555555555555555UL",
        ];
        format!("({ty}){}", self.random.of(&all))
    }

    /// A variable of a type: one that is there, or a copy of one.
    fn value(&mut self, ty: &'static str) -> String {
        let such: Vec<_> = self.values.iter().filter(|value| value.1 == ty).collect();
        if such.is_empty() || self.random.rarely(6) {
            let from = self.any().0;
            return self.push(ty, &from);
        }
        such[self.random.below(such.len())].0.clone()
    }

    fn any(&mut self) -> (String, &'static str) {
        let all = self.values.clone();
        self.random.of(&all)
    }

    /// A variable of any type, whose value in a type is seen, too.
    fn converted(&mut self, ty: &'static str) -> String {
        let name = self.any().0;
        self.converted.push((format!("({ty}){name}"), ty));
        name
    }

    /// A new variable with this value.
    fn push(&mut self, ty: &'static str, value: &str) -> String {
        let name = format!("v{}", self.values.len());
        _ = writeln!(self.text, "    {ty} {name} = {value};");
        self.values.push((name.clone(), ty));
        name
    }

    /// A right operand of a type, and whether it is a huge constant.
    fn operand(&mut self, ty: &'static str) -> (String, bool) {
        match self.random.below(8) {
            0 | 1 => (self.word(ty), false),
            2 => (self.huge(ty), true),
            3 if ty == UNSIGNED_LONG => (self.converted(ty), false),
            _ => (self.value(ty), false),
        }
    }

    fn step(&mut self) {
        let ty = self.wide_type();
        let x = self.value(ty);
        match self.random.below(18) {
            0..5 => {
                let op = self.random.of(&["+", "-", "*", "&", "|", "^"]);
                let (y, is_huge) = self.operand(ty);
                self.is_exact &= !(op == "*" && is_huge);
                if self.random.rarely(3) {
                    self.push(ty, &format!("{y} {op} {x}"));
                } else {
                    self.push(ty, &format!("{x} {op} {y}"));
                }
            }
            5..8 => {
                let op = self.random.of(&["<", "<=", ">", ">=", "==", "!="]);
                let y = self.operand(ty).0;
                let value = if self.random.rarely(2) {
                    format!("{x} {op} {y}")
                } else {
                    format!("{y} {op} {x}")
                };
                self.push("int", &value);
            }
            8 => {
                let op = self.random.of(&["~", "-"]);
                self.push(ty, &format!("{op}{x}"));
            }
            9 => {
                let to = self.random.of(&[
                    LONG,
                    UNSIGNED_LONG,
                    "int",
                    "unsigned",
                    "short",
                    "unsigned char",
                    "_Bool",
                ]);
                self.push(to, &format!("({to}){x}"));
            }
            10 => self.shift(ty, &x),
            11 | 12 => self.division(ty, &x),
            13 => self.update(ty, &x),
            14 => {
                let (y, z) = (self.word(ty), self.huge(ty));
                let name = self.push("int", "0");
                _ = writeln!(
                    self.text,
                    "    switch ({x}) {{ case {y}: {name} = 1; break; case {z}: {name} = 2; break; \
                     default: {name} = 3; }}"
                );
            }
            15 => {
                let (y, ty) = (self.converted(ty), self.wide_type());
                self.push(ty, &format!("{x} ? {y} : {x}"));
            }
            _ => self.atomic(),
        }
    }

    fn shift(&mut self, ty: &'static str, x: &str) {
        let op = self.random.of(&["<<", ">>"]);
        // What leaves even 64 bits to the left is a limit, whatever is left of it.
        if self.random.rarely(2) {
            let all = [0, 1, 2, 5, 30, 31, 32, 33, 34, 40, 62, 63];
            let by = self.random.of(&all);
            self.is_exact &= op == ">>" || by < 33;
            self.push(ty, &format!("{x} {op} {by}"));
        } else {
            let by = self.any().0;
            let most = self.random.of(&[31, 63]);
            self.is_exact &= op == ">>" || most == 31;
            let by = self.push("int", &format!("(int)({by} & {most})"));
            self.push(ty, &format!("{x} {op} {by}"));
        }
    }

    /// Neither by 0, nor of the least number by -1.
    fn division(&mut self, ty: &'static str, x: &str) {
        let op = self.random.of(&["/", "%"]);
        let is_unsigned = ty == UNSIGNED_LONG;
        let value = match self.random.below(4) {
            0 | 1 => {
                let small = ["1", "2", "3", "7", "10", "64", "2147483647"];
                let large = ["-1", "-2", "-2147483647 - 1"];
                let all: &[&str] = if is_unsigned && self.random.rarely(2) {
                    &large
                } else {
                    &small
                };
                // 32 bits of most quotients of large values are lost, and so they are not represented.
                format!("{x} {op} ({ty})({})", self.random.of(all))
            }
            2 => {
                self.is_exact = false;
                format!("{x} {op} {}", self.huge(ty))
            }
            _ => {
                self.is_exact &= !is_unsigned;
                let y = self.value(ty);
                let guard = if is_unsigned {
                    y.clone()
                } else {
                    format!("{y} && ({y} != -1 || {x} > -2147483648L)")
                };
                format!("{x} {op} ({guard} ? {y} : 3)")
            }
        };
        self.push(ty, &value);
    }

    fn update(&mut self, ty: &'static str, x: &str) {
        let name = self.push(ty, x);
        let line = if self.random.below(3) == 0 {
            self.random.of(&["@++;", "@--;", "--@;", "++@;"]).to_owned()
        } else {
            let y = self.converted(ty);
            let op = self.random.of(&["+=", "-=", "&=", "|=", "^="]);
            format!("@ {op} {y};")
        };
        _ = writeln!(self.text, "    {}", line.replace('@', &name));
    }

    fn atomic(&mut self) {
        let (cell, ty) = self.random.of(&[("au", UNSIGNED_LONG), ("as", LONG)]);
        let (x, y) = (self.value(ty), self.value(ty));
        _ = writeln!(self.text, "    atomic_store(&{cell}, {x});");
        let op = self.random.of(&["add", "sub", "or", "and", "xor"]);
        match self.random.below(5) {
            0 | 1 => _ = self.push(ty, &format!("atomic_fetch_{op}(&{cell}, {y})")),
            2 => _ = self.push(ty, &format!("__atomic_{op}_fetch(&{cell}, {y}, 5)")),
            3 => _ = self.push(ty, &format!("atomic_exchange(&{cell}, {y})")),
            _ => {
                let expected = self.value(ty);
                let wanted = self.push(ty, &expected);
                self.push(
                    "int",
                    &format!("atomic_compare_exchange_strong(&{cell}, &{wanted}, {y})"),
                );
            }
        }
        self.push(ty, &format!("atomic_load(&{cell})"));
    }
}

/// A constant expression, unsigned in 64 bits.
pub fn constant(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.rarely(6) {
        return random
            .of(&[
                "0UL",
                "1UL",
                "7UL",
                "UINT64_MAX",
                "SIZE_MAX",
                "(uint64_t)-5",
                "(uint64_t)INT64_MAX",
                "0x80000000UL",
                "~0ul",
                "(-1UL)",
                "(uint64_t)(-1 - 1)",
            ])
            .to_owned();
    }
    let a = constant(random, depth - 1);
    match random.below(4) {
        0 => {
            let b = constant(random, depth - 1);
            let op = random.of(&["+", "-", "*", "&", "|", "^"]);
            format!("({a} {op} {b})")
        }
        1 => {
            let b = constant(random, depth - 1);
            let op = random.of(&["<", "<=", ">", ">=", "==", "!="]);
            format!("(uint64_t)({a} {op} {b})")
        }
        2 => {
            let op = random.of(&[
                "<< 63",
                ">> 63",
                "<< 31",
                ">> 33",
                "/ 3",
                "% 10",
                "/ UINT64_MAX",
            ]);
            format!("({a} {op})")
        }
        _ => {
            let ty = random.of(&["int", "unsigned", "long", "short", "_Bool", "unsigned char"]);
            // The negative of the least number has no value.
            let op = match random.of(&["~", "-", "!", ""]) {
                "-" if ["int", "long"].contains(&ty) => "~",
                op => op,
            };
            format!("(uint64_t)({op}({ty}){a})")
        }
    }
}
