//! Random expressions.

use super::{Maker, Mode};

impl Maker {
    pub(super) fn constant(&mut self) -> String {
        let random = &mut self.random;
        match random.below(12) {
            0..6 => (random.below(12) as i64 - 3).to_string(),
            6 => random.of(&["127", "128", "255", "256", "-129"]).to_owned(),
            7 => random.of(&["32767", "32768", "65535", "-32769"]).to_owned(),
            8 => random
                .of(&["2147483647", "(-2147483647 - 1)", "2147483648u"])
                .to_owned(),
            9 => random.of(&["1u", "0xffffffffu", "7u"]).to_owned(),
            10 if self.wide => random.of(&["3L", "-1L", "5UL", "100000L"]).to_owned(),
            10 => "'a'".to_owned(),
            _ => (random.next() as i32 / 3).to_string(),
        }
    }

    /// An expression that nothing changes while it is computed.
    pub(super) fn still(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.rarely(3) {
            if self.frozen.is_empty() || self.random.rarely(3) {
                return self.constant();
            }
            let all = self.frozen.clone();
            return self.random.of(&all);
        }
        self.operation(&mut |this| this.still(depth - 1))
    }

    /// An expression without effects.
    pub(super) fn pure(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.rarely(5) {
            return match self.random.below(5) {
                0 => self.still(0),
                1 if !self.sides.is_empty() => {
                    let all = self.sides.clone();
                    self.random.of(&all)
                }
                _ => self.place(),
            };
        }
        if self.random.rarely(8) {
            let op = self.random.of(&["&&", "||"]);
            return format!("({} {op} {})", self.pure(depth - 1), self.pure(depth - 1));
        }
        if self.random.rarely(10) {
            let (c, a, b) = (
                self.pure(depth - 1),
                self.pure(depth - 1),
                self.pure(depth - 1),
            );
            return format!("({c} ? {a} : {b})");
        }
        self.operation(&mut |this| this.pure(depth - 1))
    }

    pub(super) fn operation(&mut self, operand: &mut dyn FnMut(&mut Self) -> String) -> String {
        let a = operand(self);
        match self.random.below(16) {
            0 => format!("(!{a})"),
            1 => format!("(~{a})"),
            2 => format!("(- {a})"),
            3 | 4 => format!("(({}){a})", self.ty()),
            5 => {
                let (ty, bits) = self
                    .random
                    .of(&[("int", 31), ("unsigned", 31), ("short", 15)]);
                let op = self.random.of(&["<<", ">>"]);
                let by = if self.random.rarely(2) {
                    self.random.below(bits + 1).to_string()
                } else {
                    format!("({} & {bits})", operand(self))
                };
                format!("(({ty}){a} {op} {by})")
            }
            6 => {
                let op = self.random.of(&["/", "%"]);
                let by = self
                    .random
                    .of(&["2", "3", "7u", "-3", "8u", "5", "(short)9"]);
                if self
                    .random
                    .rarely(if self.mode == Mode::Solo { 8 } else { 3 })
                {
                    format!("({a} {op} (({} & 7) + 1))", operand(self))
                } else {
                    format!("({a} {op} {by})")
                }
            }
            7..10 => {
                let op = self.random.of(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({a} {op} {})", operand(self))
            }
            10 => format!("({a} * {})", self.constant()),
            _ => {
                let op = self.random.of(&["+", "-", "&", "|", "^"]);
                format!("({a} {op} {})", operand(self))
            }
        }
    }

    /// An expression with effects, on the first so many sides alone unless it may call.
    pub(super) fn effect(&mut self, depth: usize, sides: usize, calls: bool) -> String {
        if depth == 0 {
            return self.pure(1);
        }
        match self.random.below(if calls { 10 } else { 8 }) {
            0 | 1 if sides > 0 => {
                let side = self.sides[self.random.below(sides)].clone();
                let form = self.random.of(&["(@++)", "(@--)", "(++@)", "(--@)"]);
                form.replace('@', &side)
            }
            2 if sides > 0 => {
                let at = self.random.below(sides);
                let value = self.effect(depth - 1, at, calls);
                format!("({} = {value})", self.sides[at])
            }
            3 if sides > 0 => {
                let side = self.sides[self.random.below(sides)].clone();
                let op = self.random.of(&["+", "-", "*", "&", "|", "^"]);
                format!("({side} {op}= {})", self.still(1))
            }
            4 => {
                let op = self.random.of(&["&&", "||", ","]);
                let a = self.effect(depth - 1, sides, calls);
                format!("({a} {op} {})", self.effect(depth - 1, sides, calls))
            }
            5 => {
                let c = self.effect(depth - 1, sides, calls);
                let a = self.effect(depth - 1, sides, calls);
                format!("({c} ? {a} : {})", self.effect(depth - 1, sides, calls))
            }
            6 => {
                let a = self.effect(depth - 1, sides, calls);
                let op = self.random.of(&["+", "-", "*", "<", "==", ">=", "^"]);
                if self.random.rarely(2) {
                    format!("({a} {op} {})", self.still(1))
                } else {
                    format!("({} {op} {a})", self.still(1))
                }
            }
            7 => {
                let a = self.effect(depth - 1, sides, calls);
                self.operation(&mut {
                    let mut first = Some(a);
                    move |this: &mut Self| first.take().unwrap_or_else(|| this.still(1))
                })
            }
            8 | 9 if self.functions > 0 => self.call(),
            _ => self.pure(depth - 1),
        }
    }

    pub(super) fn call(&mut self) -> String {
        let f = self.random.below(self.functions);
        let pointer = self.pointer();
        format!("f{f}({}, {}, {pointer})", self.pure(1), self.pure(1))
    }

    /// A pointer to an `int`.
    pub(super) fn pointer(&mut self) -> String {
        match self.random.below(5) {
            0 => "&gi".to_owned(),
            1 => format!("&ga[{} & 3]", self.still(1)),
            2 => format!("ga + {}", self.random.below(4)),
            3 if self.locals.contains(&"la[0]".to_owned()) => {
                format!("&la[{}]", self.random.below(3))
            }
            4 if self.locals.contains(&"ls.a".to_owned()) => "&ls.a".to_owned(),
            _ if self.locals.contains(&"li".to_owned()) => "&li".to_owned(),
            _ => "&gs.a".to_owned(),
        }
    }

    /// What a statement assigns.
    pub(super) fn place(&mut self) -> String {
        let from = if self.random.rarely(2) && !self.locals.is_empty() {
            &self.locals
        } else {
            &self.globals
        };
        let found = from[self.random.below(from.len())].clone();
        match found.as_str() {
            "la[0]" | "ga[0]" if self.random.rarely(2) => {
                let index = self.still(1);
                if found == "la[0]" {
                    format!("la[({index} & 0x7fffffff) % 3]")
                } else {
                    format!("ga[{index} & 3]")
                }
            }
            _ => found,
        }
    }
}
