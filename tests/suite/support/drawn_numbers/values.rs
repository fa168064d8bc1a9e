//! Values, conditions and patterns.

use super::{I32, Int, Kind, Pen};
use std::fmt::Write as _;

impl Pen<'_> {
    /// A number of a type: often a small one, or one at an end of the type.
    pub(super) fn value(&mut self, ty: Int) -> i128 {
        let near = |at: i128| at.clamp(ty.least(), ty.most());
        let is_long = ty.bits == 64;
        match self.choose(12) {
            0 => 1,
            1 => 0,
            2 => i128::from(self.choose(8)),
            3 => i128::from(self.choose(256)).min(ty.most()),
            4 => near(-1 - i128::from(self.choose(100))),
            5 => near(-1 - i128::from(self.choose(4))),
            6 if is_long && ty.signed => -7,
            6 => ty.most(),
            7 if is_long => 100,
            7 => ty.least(),
            8 if is_long => 1 << 30,
            8 => ty.most() - i128::from(self.choose(3)),
            9 => near(ty.least().max(-(1 << 30)) + i128::from(self.choose(3))),
            10 => 1 << self.choose(ty.bits.min(32) - 1),
            _ => ty.most().min(1 << 30) / 3,
        }
    }

    pub(super) fn literal(&mut self, ty: Int) -> String {
        let value = self.value(ty);
        written(value, ty.name)
    }

    /// A number whose type is known from what is around it.
    fn bare(&mut self, ty: Int) -> String {
        let value = self.value(ty);
        written(value, "")
    }

    /// A small number that is not negative.
    pub(super) fn tame(&mut self, ty: Int, depth: u32) -> String {
        match self.choose(3) {
            0 => format!("{}{}", self.choose(8), ty.name),
            1 => format!("h_{0}({1}{0})", ty.name, self.choose(8)),
            _ => format!("({} & {})", self.number(ty, depth), self.choose(16)),
        }
    }

    /// A number of a type, as an operand.
    pub(super) fn number(&mut self, ty: Int, depth: u32) -> String {
        let name = ty.name;
        if depth == 0 {
            return self.atom(ty);
        }
        let deeper = depth - 1;
        match self.choose(38) {
            0..=3 => self.atom(ty),
            34 | 35 => self.changing(ty, deeper),
            36 | 37 => self.ordered(ty, deeper),
            4 => {
                let op = ["+", "-", "*"][self.choose(3) as usize];
                format!("({} {op} {})", self.tame(ty, deeper), self.tame(ty, 0))
            }
            5 => {
                let op = ["+", "-", "*"][self.choose(3) as usize];
                let other = self.other(ty, deeper);
                format!("({} {op} {other})", self.number(ty, deeper))
            }
            6 | 7 => {
                let op = ["/", "%"][self.choose(2) as usize];
                let value = self.number(ty, deeper);
                let by = match self.choose(8) {
                    0 | 1 => format!("{}", self.choose(9) + 1),
                    2 | 3 => format!("({} | 1)", self.tame(ty, deeper)),
                    4 if ty.signed => "(-1)".to_owned(),
                    5 if ty.signed => format!("h_{name}(-{})", self.choose(3) + 1),
                    6 => format!("({} | 1)", self.number(ty, deeper)),
                    _ => format!("h_{name}({})", self.choose(5)),
                };
                format!("({value} {op} {by})")
            }
            8..=10 => {
                let op = ["&", "|", "^"][self.choose(3) as usize];
                let other = self.other(ty, deeper);
                format!("({} {op} {other})", self.number(ty, deeper))
            }
            11 | 12 => {
                let op = [">>", "<<"][self.choose(2) as usize];
                let value = if ty.bits == 64 && op == "<<" {
                    self.tame(ty, deeper)
                } else {
                    self.number(ty, deeper)
                };
                let by = self.shift(ty, deeper);
                format!("({value} {op} {by})")
            }
            13 if ty.signed => format!("(-{})", self.number(ty, deeper)),
            13 | 14 => format!("(!{})", self.number(ty, deeper)),
            15 | 16 => {
                let op = ["add", "sub", "mul"][self.choose(3) as usize];
                let (a, b) = if ty.bits == 64 {
                    (self.tame(ty, deeper), self.tame(ty, deeper))
                } else {
                    (self.number(ty, deeper), self.other(ty, deeper))
                };
                format!("{a}.wrapping_{op}({b})")
            }
            17 => {
                let op = ["min", "max"][self.choose(2) as usize];
                format!(
                    "{}.{op}({})",
                    self.number(ty, deeper),
                    self.other(ty, deeper)
                )
            }
            18..=20 => {
                let from = self.int();
                format!("({} as {name})", self.number(from, deeper))
            }
            21 => format!("({} as {name})", self.condition(deeper)),
            22 => {
                let condition = self.condition(deeper);
                let then = self.block(ty, deeper);
                format!("(if {condition} {then} else {})", self.block(ty, deeper))
            }
            23 => self.matching(ty, deeper),
            24 => self.block(ty, deeper),
            25 => format!(
                "pick_{name}({}, {}, {})",
                self.condition(deeper),
                self.number(ty, deeper),
                self.bare(ty)
            ),
            26 => self.exchanged(ty, deeper),
            27 => self.labelled(ty, deeper),
            28 => {
                let option = self.option(ty, deeper);
                match self.choose(2) {
                    0 => format!("{option}.unwrap_or({})", self.bare(ty)),
                    _ => self.some_or(&option, ty, deeper),
                }
            }
            29 => {
                match self.variable(|var| matches!(var.kind, Kind::Function(_, to) if to == ty)) {
                    Some((f, Kind::Function(from, _))) => {
                        format!("{f}({})", self.number(from, deeper))
                    }
                    _ => self.atom(ty),
                }
            }
            30 => self.repeated(ty, deeper),
            31 => {
                let from = self.int();
                let middle = self.int();
                format!(
                    "(({} as {}) as {name})",
                    self.number(from, deeper),
                    middle.name
                )
            }
            32 if self.choose(8) == 0 => self.rare(ty, deeper),
            _ => format!("h_{name}({})", self.number(ty, deeper)),
        }
    }

    /// A value whose evaluation changes a variable, which others beside it may read.
    pub(super) fn changing(&mut self, ty: Int, depth: u32) -> String {
        let var = self.variable(|var| var.mutable && matches!(var.kind, Kind::Int(_)));
        let Some((name, Kind::Int(of))) = var else {
            return self.atom(ty);
        };
        let by = self.tame(of, 0);
        let change = match self.choose(3) {
            0 => format!("{name} ^= {by};"),
            1 => format!("{name} = {};", self.number(of, depth)),
            _ => format!("{name} = {name}.wrapping_add({by});"),
        };
        match self.choose(3) {
            0 => format!("{{ {change} ({name} as {}) }}", ty.name),
            _ => format!("{{ {change} {} }}", self.number(ty, depth)),
        }
    }

    /// A part of a value of several parts, or what an operation yields on one of several atomics, which are
    /// evaluated in their order.
    fn ordered(&mut self, ty: Int, depth: u32) -> String {
        let value = |pen: &mut Self, of| match pen.choose(3) {
            0 => pen.changing(of, depth),
            _ => pen.number(of, depth),
        };
        let other = self.int();
        let few = |pen: &mut Self, most: u32| match pen.choose(3) {
            0 => format!("({} & {}) as usize", pen.changing(super::U8, 0), most - 1),
            1 => {
                let var = pen.variable(|var| matches!(var.kind, Kind::Int(_)));
                var.map_or("0".to_owned(), |(name, _)| {
                    format!("({name} as usize) & {}", most - 1)
                })
            }
            _ => pen.choose(most).to_string(),
        };
        match self.choose(8) {
            0 => {
                let (a, b) = (value(self, ty), value(self, other));
                let (part, c) = (self.choose(2), value(self, ty));
                match part {
                    0 => format!("({a}, {b}, {c}).0"),
                    _ => format!("({a}, {b}, {c}).2"),
                }
            }
            1 => {
                let (a, b) = (value(self, ty), value(self, ty));
                format!("[{a}, {b}][{}]", few(self, 2))
            }
            2 => {
                let all = super::FIELDS.map(|(field, of)| format!("{field}: {}", value(self, of)));
                let at = self.choose(5) as usize;
                let field = super::FIELDS[at].0;
                format!("(P {{ {} }}.{field} as {})", all.join(", "), ty.name)
            }
            3 => {
                let (a, b) = (value(self, ty), value(self, ty));
                format!("pick_{}({}, {a}, {b})", ty.name, self.condition(0))
            }
            4 => {
                let (a, b) = (value(self, ty), value(self, other));
                let sign = ["==", "<"][self.choose(2) as usize];
                format!(
                    "(if ({a}, {b}) {sign} ({}, {}) {{ 1 }} else {{ {} }})",
                    value(self, ty),
                    value(self, other),
                    value(self, ty)
                )
            }
            5 => {
                let (name, receiver) = (self.fresh('Q'), few(self, 2));
                let atomic = ty.atomic;
                let operand = value(self, ty);
                let made = format!("Atomic{atomic}::new(1), Atomic{atomic}::new(2)");
                let order = "Relaxed";
                let call = match self.choose(5) {
                    0 => format!("swap({operand}, {order})"),
                    1 => format!("fetch_xor({operand}, {order})"),
                    2 => format!("fetch_max({operand}, {order})"),
                    3 => {
                        let by = value(self, ty);
                        format!(
                            "compare_exchange({operand}, {by}, {order}, {order}).unwrap_or_else(|v| v ^ 1)"
                        )
                    }
                    _ => format!(
                        "fetch_update({order}, {order}, |v| Some(v ^ {})).unwrap_or(0)",
                        self.bare(ty)
                    ),
                };
                format!(
                    "{{ static {name}: [Atomic{atomic}; 2] = [{made}]; let v = {name}[{receiver}].{call}; \
                     e({name}[0].load({order}) as u32); e({name}[1].load({order}) as u32); v }}"
                )
            }
            6 => {
                let (a, b) = (value(self, ty), value(self, ty));
                let op = ["wrapping_sub", "wrapping_mul"][self.choose(2) as usize];
                let op = if ty.bits == 64 { "max" } else { op };
                format!("{a}.{op}({b})")
            }
            _ => {
                let (a, b) = (value(self, ty), value(self, other));
                let c = value(self, ty);
                format!("(match Some(({a}, {b})) {{ Some((v, _)) => v, None => {c} }})")
            }
        }
    }

    /// Methods that may be refused.
    fn rare(&mut self, ty: Int, depth: u32) -> String {
        let (a, b) = if ty.bits == 64 {
            (self.tame(ty, depth), self.tame(ty, 0))
        } else {
            (self.number(ty, depth), self.number(ty, 0))
        };
        let (name, few) = (ty.name, self.choose(ty.bits));
        let op = ["add", "sub", "mul"][self.choose(3) as usize];
        match self.choose(28) {
            0 | 1 => format!("{a}.checked_{op}({b}).unwrap_or(1)"),
            2 | 3 => format!("{a}.saturating_{op}({b})"),
            4 => format!("{a}.rotate_left({few})"),
            5 => format!("{a}.rotate_right({few})"),
            6 => format!("({a}.count_ones() as {name})"),
            7 => format!("({a}.leading_zeros() as {name})"),
            8 => format!("({a}.trailing_zeros() as {name})"),
            9 | 10 => format!(
                "(match {a}.overflowing_{op}({b}) {{ (v, l) => if l {{ !v }} else {{ v }} }})"
            ),
            11 => format!("({a}.abs_diff({b}) as {name})"),
            12 => format!("{a}.wrapping_shl({few})"),
            13 => format!("{a}.wrapping_shr({few})"),
            14 => format!("{a}.wrapping_neg()"),
            15 => format!("{a}.rem_euclid({b})"),
            16 => format!("({a} & 3).pow(2)"),
            17 => format!("{a}.wrapping_pow(3)"),
            18 => format!("{a}.checked_div({b}).unwrap_or(2)"),
            19 => format!("{a}.checked_rem({b}).unwrap_or(3)"),
            20 => format!("{a}.clamp({b}, {})", self.number(ty, 0)),
            21 => format!(
                "(match {a}.cmp(&{b}) {{ std::cmp::Ordering::Less => 1, std::cmp::Ordering::Equal => 2, \
                 std::cmp::Ordering::Greater => 3 }})"
            ),
            22 if ty.signed => format!("{a}.abs()"),
            23 if ty.signed => format!("{a}.signum()"),
            24 if ty.signed => format!("({a}.unsigned_abs() as {name})"),
            22..=24 => format!("(if {a}.is_power_of_two() {{ 1 }} else {{ {b} }})"),
            25 => {
                let from = self.int();
                let value = self.number(from, depth);
                format!("{name}::try_from({value}).unwrap_or({b})")
            }
            26 => format!("<{name}>::MAX"),
            _ => format!("(if ({a}, {b}) < ({b}, {a}) {{ core::{name}::MAX }} else {{ {a} }})"),
        }
    }

    fn atom(&mut self, ty: Int) -> String {
        match self.choose(12) {
            0 => self.literal(ty),
            8..=11 => {
                // What is not known is converted.
                let from = self.int();
                format!("(h_{}({}) as {})", from.name, self.bare(from), ty.name)
            }
            1 | 2 => format!("h_{}({})", ty.name, self.bare(ty)),
            3 => {
                let is_end = ty.bits < 64 || !ty.signed;
                let end = ["MAX", "MIN", "BITS"][self.choose(if is_end { 2 } else { 1 }) as usize];
                if is_end {
                    format!("{}::{end}", ty.name)
                } else {
                    format!("({}::BITS as {})", ty.name, ty.name)
                }
            }
            4 => match self.variable(|var| var.kind == Kind::Atomic(ty)) {
                Some((name, _)) => format!("{name}.load(Relaxed)"),
                None => self.literal(ty),
            },
            _ => match self.variable(|var| parts(var.kind, ty)) {
                Some((name, kind)) => self.part(&name, kind, ty),
                None => self.literal(ty),
            },
        }
    }

    /// The part of a variable that is a number of this type.
    pub(super) fn part(&mut self, name: &str, kind: Kind, ty: Int) -> String {
        match kind {
            Kind::Array(_, length) => {
                let index = match self.choose(6) {
                    0..=2 => format!("{}", self.choose(length)),
                    3 => format!("h_usize({})", self.choose(length)),
                    4 => format!("(h_i32({}) as usize)", self.choose(length)),
                    _ => format!("h_usize({})", self.choose(length + 1)),
                };
                format!("{name}[{index}]")
            }
            Kind::Fields => {
                let field = super::FIELDS.iter().find(|(_, of)| *of == ty);
                format!("{name}.{}", field.map_or("a", |(field, _)| field))
            }
            Kind::Int(_)
            | Kind::Bool
            | Kind::Option(_)
            | Kind::Atomic(_)
            | Kind::AtomicBool
            | Kind::Const(_)
            | Kind::Function(..) => name.to_owned(),
        }
    }

    /// The other operand, perhaps without the name of its type.
    pub(super) fn other(&mut self, ty: Int, depth: u32) -> String {
        match self.choose(3) {
            0 => self.bare(ty),
            _ => self.number(ty, depth),
        }
    }

    /// By how many bits a value is shifted: a number of any type.
    pub(super) fn shift(&mut self, ty: Int, depth: u32) -> String {
        let most = if ty.bits == 64 { 20 } else { ty.bits };
        let of = self.int();
        match self.choose(6) {
            0 | 1 => format!("{}", self.choose(most)),
            2 => format!("{}{}", self.choose(most), of.name),
            3 => format!("h_{}({})", of.name, self.choose(most)),
            4 => format!("({} & {})", self.number(of, depth), most.min(32) - 1),
            _ => format!("h_{}({})", of.name, self.choose(ty.bits + 3).min(127)),
        }
    }

    pub(super) fn condition(&mut self, depth: u32) -> String {
        let deeper = depth.saturating_sub(1);
        match self.choose(if depth == 0 { 4 } else { 13 }) {
            0 => "true".to_owned(),
            1 => format!("h_bool({})", self.choose(2) == 0),
            2 => match self.variable(|var| matches!(var.kind, Kind::Bool | Kind::AtomicBool)) {
                Some((name, Kind::Bool)) => name,
                Some((name, _)) => format!("{name}.load(Relaxed)"),
                None => "false".to_owned(),
            },
            3..=7 => {
                let ty = self.int();
                let op = ["<", "<=", ">", ">=", "==", "!="][self.choose(6) as usize];
                let (a, b) = (self.number(ty, deeper), self.other(ty, deeper));
                match self.choose(6) {
                    0 => format!("({} {op} {a})", self.bare(ty)),
                    _ => format!("({a} {op} {b})"),
                }
            }
            8 => {
                let op = ["&&", "||", "&", "|", "^", "==", "<", ">="][self.choose(8) as usize];
                format!(
                    "({} {op} {})",
                    self.condition(deeper),
                    self.condition(deeper)
                )
            }
            9 => format!("(!{})", self.condition(deeper)),
            10 => {
                let ty = self.int();
                let value = self.number(ty, deeper);
                format!("matches!({value}, ({}))", self.pattern(ty))
            }
            11 => match self.variable(|var| var.kind == Kind::AtomicBool) {
                Some((name, _)) => {
                    let op = ["swap", "fetch_and", "fetch_or", "fetch_xor", "fetch_nand"]
                        [self.choose(5) as usize];
                    format!("{name}.{op}({}, Relaxed)", self.condition(deeper))
                }
                None => "true".to_owned(),
            },
            _ => {
                let ty = self.int();
                let (a, b) = (self.option(ty, deeper), self.option(ty, 0));
                format!("({a} == {b})")
            }
        }
    }

    pub(super) fn option(&mut self, ty: Int, depth: u32) -> String {
        let deeper = depth.saturating_sub(1);
        match self.choose(if depth == 0 { 2 } else { 4 }) {
            1 => match self.variable(|var| var.kind == Kind::Option(ty)) {
                Some((name, _)) => name,
                None => format!("None::<{}>", ty.name),
            },
            2 => {
                let condition = self.condition(deeper);
                format!(
                    "(if {condition} {{ Some({}) }} else {{ None }})",
                    self.number(ty, deeper)
                )
            }
            _ => format!("Some({})", self.number(ty, deeper)),
        }
    }

    /// A pattern without names.
    pub(super) fn pattern(&mut self, ty: Int) -> String {
        let (a, b) = (self.value(ty), self.value(ty));
        let (low, high) = (a.min(b), a.max(b));
        match self.choose(9) {
            0 => format!("{a}"),
            1 | 2 => format!("{low}..={high}"),
            3 if low < high => format!("{low}..{high}"),
            4 => format!("{low}.."),
            5 => format!("..={high}"),
            6 if high > ty.least() => format!("..{high}"),
            7 => match self.variable(|var| var.kind == Kind::Const(ty)) {
                Some((name, _)) => name,
                None => format!("{a}{}", ty.name),
            },
            _ => format!("{a} | {low}..={high}"),
        }
    }

    /// `match` with a value.
    fn matching(&mut self, ty: Int, depth: u32) -> String {
        let of = self.int();
        let mut arms = String::new();
        let shape = self.choose(4);
        let value = self.number(of, depth);
        let other = self.int();
        let value = match shape {
            0 | 1 => value,
            2 => format!("({value}, {})", self.number(other, depth)),
            _ => self.option(of, depth),
        };
        for _ in 0..=self.choose(3) {
            let name = self.fresh('n');
            let before = self.vars.len();
            let binds = |pen: &mut Self, of| {
                let pattern = pen.pattern(of);
                if pen.choose(2) == 0 {
                    return pattern;
                }
                pen.declare(&name, Kind::Int(of), false);
                match pen.choose(2) {
                    0 => name.clone(),
                    _ => format!("{name} @ ({pattern})"),
                }
            };
            let pattern = match shape {
                0 | 1 => binds(self, of),
                2 if self.choose(2) == 0 => format!("({}, _)", binds(self, of)),
                2 => format!("({}, {})", self.pattern(of), binds(self, other)),
                _ if self.choose(3) == 0 => "None".to_owned(),
                _ => format!("Some({})", binds(self, of)),
            };
            let guard = match self.choose(3) {
                1 => format!(" if {}", self.condition(depth)),
                _ => String::new(),
            };
            let arm = self.number(ty, depth);
            self.vars.truncate(before);
            write!(arms, "{pattern}{guard} => {arm}, ").expect("a text can be written to");
        }
        format!("(match {value} {{ {arms}_ => {} }})", self.bare(ty))
    }

    fn some_or(&mut self, option: &str, ty: Int, depth: u32) -> String {
        let name = self.fresh('n');
        let pattern = match self.choose(2) {
            0 => name.clone(),
            _ => format!("{name} @ ({})", self.pattern(ty)),
        };
        let then = self.scoped(|pen| {
            pen.declare(&name, Kind::Int(ty), false);
            pen.number(ty, depth)
        });
        let other = self.number(ty, depth);
        format!("(if let Some({pattern}) = {option} {{ {then} }} else {{ {other} }})")
    }

    /// What an operation on an atomic yields.
    pub(super) fn exchanged(&mut self, ty: Int, depth: u32) -> String {
        let atomic = self.variable(|var| var.kind == Kind::Atomic(ty));
        let Some((name, _)) = atomic else {
            return self.atom(ty);
        };
        let a = if ty.bits == 64 {
            self.tame(ty, depth)
        } else {
            self.other(ty, depth)
        };
        let all = [
            "fetch_add",
            "fetch_sub",
            "fetch_and",
            "fetch_or",
            "fetch_xor",
            "fetch_max",
            "fetch_min",
            "swap",
            "fetch_nand",
        ];
        match self.choose(12) {
            at @ 0..=8 => format!("{name}.{}({a}, Relaxed)", all[at as usize]),
            9 => format!(
                "(match {name}.compare_exchange({}, {a}, Relaxed, Relaxed) \
                 {{ Ok(v) => v, Err(v) => v ^ 1 }})",
                self.other(ty, depth)
            ),
            10 => format!(
                "(if {name}.compare_exchange({name}.load(Relaxed), {a}, Relaxed, Relaxed).is_ok() \
                 {{ 1 }} else {{ {} }})",
                self.bare(ty)
            ),
            _ => format!(
                "{name}.fetch_update(Relaxed, Relaxed, |v| if v > 3 {{ Some(v ^ {}) }} \
                 else {{ None }}).unwrap_or({})",
                self.bare(ty),
                self.bare(ty)
            ),
        }
    }
}

/// Whether a variable of this kind has a part of this type.
pub(super) fn parts(kind: Kind, ty: Int) -> bool {
    match kind {
        Kind::Int(of) | Kind::Array(of, _) | Kind::Const(of) => of == ty,
        Kind::Fields => super::FIELDS.iter().any(|(_, of)| *of == ty),
        Kind::Bool | Kind::Option(_) | Kind::Atomic(_) | Kind::AtomicBool | Kind::Function(..) => {
            false
        }
    }
}

/// A number with this at its end.
pub(super) fn written(value: i128, suffix: &str) -> String {
    if value < 0 {
        format!("({value}{suffix})")
    } else {
        format!("{value}{suffix}")
    }
}

/// The type of numbers that have none.
pub(super) const USUAL: Int = I32;
