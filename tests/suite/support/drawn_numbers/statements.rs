//! Statements, blocks and loops.

use super::values::{USUAL, parts, written};
use super::{FIELDS, Int, Kind, Pen, Returns, Var};

impl Pen<'_> {
    pub(super) fn statements(&mut self, depth: u32) -> String {
        (0..self.choose(4))
            .map(|_| self.statement(depth) + " ")
            .collect()
    }

    /// A block with a value.
    pub(super) fn block(&mut self, ty: Int, depth: u32) -> String {
        let inner = self.scoped(|pen| {
            let stmts = pen.statements(depth.min(1));
            stmts + &pen.number(ty, depth)
        });
        format!("{{ {inner} }}")
    }

    /// A block without one.
    fn body(&mut self, depth: u32) -> String {
        let inner = self.scoped(|pen| {
            let before = pen.vars.len();
            pen.statements(depth) + &pen.seen(before)
        });
        format!("{{ {inner}}}")
    }

    /// Mixes what the variables from this one on hold into `H`.
    pub(super) fn seen(&self, from: usize) -> String {
        let own = |name: &str| self.vars[from..].iter().any(|var| var.name == name);
        let all = self.visible().filter(|var| own(&var.name));
        all.map(|Var { name, kind, .. }| match kind {
            Kind::Int(_) | Kind::Bool | Kind::Const(_) => format!("e({name} as u32); "),
            Kind::Atomic(_) | Kind::AtomicBool => format!("e({name}.load(Relaxed) as u32); "),
            Kind::Array(..) => format!("e({name}[0] as u32); "),
            Kind::Fields => format!("e({name}.a as u32); e({name}.c as u32); "),
            Kind::Option(_) => format!("e({name}.unwrap_or(77) as u32); "),
            Kind::Function(..) => String::new(),
        })
        .collect()
    }

    pub(super) fn labelled(&mut self, ty: Int, depth: u32) -> String {
        let label = format!("'{}", self.fresh('b'));
        let inner = self.scoped(|pen| {
            let stmts = pen.statements(depth.min(1));
            let (condition, early) = (pen.condition(depth), pen.number(ty, depth));
            let last = pen.number(ty, depth);
            format!("{stmts}if {condition} {{ break {label} {early}; }} {last}")
        });
        format!("({label}: {{ {inner} }})")
    }

    /// `loop` with a value.
    pub(super) fn repeated(&mut self, ty: Int, depth: u32) -> String {
        let count = self.fresh('k');
        let of = self.int();
        let inner = self.scoped(|pen| {
            pen.declare(&count, Kind::Int(of), false);
            pen.loops.push(None);
            let stmts = pen.statements(depth.min(1));
            let (condition, value) = (pen.condition(depth), pen.number(ty, depth));
            pen.loops.pop();
            format!("{stmts}if {condition} || {count} > 2 {{ break {value}; }}")
        });
        let name = of.name;
        format!("{{ let mut {count} = 0{name}; loop {{ {count} += 1; {inner} }} }}")
    }

    /// Something that can be assigned to.
    fn target(&mut self, ty: Int) -> Option<String> {
        let (name, kind) = self.variable(|var| var.mutable && parts(var.kind, ty))?;
        Some(self.part(&name, kind, ty))
    }

    /// The name of a new variable, perhaps one that hides another, but no counter.
    fn named(&mut self) -> String {
        if self.choose(4) == 3
            && let Some((name, _)) = self.variable(|var| var.name.starts_with('x'))
        {
            return name;
        }
        self.fresh('x')
    }

    fn statement(&mut self, depth: u32) -> String {
        let deeper = depth.saturating_sub(1);
        match self.choose(if depth == 0 { 11 } else { 25 }) {
            0 | 1 => {
                let ty = self.int();
                let value = self.number(ty, depth);
                let name = self.named();
                let written = match self.choose(2) {
                    0 => String::new(),
                    _ => format!(": {}", ty.name),
                };
                self.declare(&name, Kind::Int(ty), true);
                format!("let mut {name}{written} = {value};")
            }
            2 => {
                let ty = self.int();
                format!("e({} as u32);", self.number(ty, depth))
            }
            3..=5 => self.assignment(depth),
            6 => {
                let ty = self.int();
                let name = self.fresh('A');
                self.declare(&name, Kind::Atomic(ty), false);
                let value = self.value(ty);
                let atomic = ty.atomic;
                format!("static {name}: Atomic{atomic} = Atomic{atomic}::new({value});")
            }
            7 => {
                let ty = self.int();
                let atomic = self.variable(|var| var.kind == Kind::Atomic(ty));
                match (atomic, self.choose(2)) {
                    (Some((name, _)), 0) => {
                        format!("{name}.store({}, Relaxed);", self.number(ty, depth))
                    }
                    (Some(_), _) => format!("e({} as u32);", self.exchanged(ty, depth)),
                    (None, _) => String::new(),
                }
            }
            8 => {
                let (name, value) = (self.fresh('c'), self.condition(depth));
                self.declare(&name, Kind::Bool, false);
                format!("let {name} = {value};")
            }
            9 => self.constant(),
            10 => {
                let name = self.fresh('B');
                self.declare(&name, Kind::AtomicBool, false);
                let value = self.choose(2) == 0;
                format!("static {name}: AtomicBool = AtomicBool::new({value});")
            }
            11 => {
                let (condition, then) = (self.condition(deeper), self.body(deeper));
                match self.choose(3) {
                    0 => format!("if {condition} {then}"),
                    _ => format!("if {condition} {then} else {}", self.body(deeper)),
                }
            }
            12 => {
                let (ty, length) = (self.int(), 1 + self.choose(3));
                let all: Vec<String> = (0..length).map(|_| self.number(ty, deeper)).collect();
                let name = self.fresh('a');
                self.declare(&name, Kind::Array(ty, length), true);
                format!("let mut {name} = [{}];", all.join(", "))
            }
            13 => {
                let all = FIELDS.map(|(field, ty)| format!("{field}: {}", self.number(ty, 1)));
                let name = self.fresh('s');
                self.declare(&name, Kind::Fields, true);
                format!("let mut {name} = P {{ {} }};", all.join(", "))
            }
            14 => {
                let ty = self.int();
                let (name, value) = (self.fresh('o'), self.option(ty, depth));
                self.declare(&name, Kind::Option(ty), false);
                format!("let {name}: Option<{}> = {value};", ty.name)
            }
            15 | 16 => self.for_loop(deeper),
            17 => self.while_loop(deeper),
            18 => {
                let (a, b) = (self.int(), self.int());
                let values = (self.number(a, deeper), self.number(b, deeper));
                let (x, y) = (self.fresh('x'), self.fresh('y'));
                self.declare(&x, Kind::Int(a), false);
                self.declare(&y, Kind::Int(b), false);
                format!("let ({x}, {y}) = ({}, {});", values.0, values.1)
            }
            19 => self.helper(deeper),
            20 => {
                let ty = self.int();
                let (option, name) = (self.option(ty, deeper), self.fresh('x'));
                let leave = self.leave();
                self.declare(&name, Kind::Int(ty), false);
                format!("let Some({name}) = {option} else {{ {leave} }};")
            }
            21 => format!("if {} {{ {} }}", self.condition(deeper), self.leave()),
            22 => {
                let ty = self.int();
                let (value, first) = (self.number(ty, deeper), self.pattern(ty));
                let then = self.body(deeper);
                let second = self.pattern(ty);
                format!(
                    "match {value} {{ {first} => {then} {second} if {} => {} _ => {} }}",
                    self.condition(deeper),
                    self.body(deeper),
                    self.body(deeper)
                )
            }
            23 => {
                // The type of the number is known later.
                let ty = self.int();
                let value = self.value(USUAL).clamp(ty.least(), ty.most());
                let (name, by) = (self.fresh('x'), self.number(ty, deeper));
                self.declare(&name, Kind::Int(ty), true);
                format!("let mut {name} = {}; {name} ^= {by};", written(value, ""))
            }
            _ => match self.loops.iter().flatten().next_back().cloned() {
                Some(label) => {
                    let jump = ["break", "continue"][self.choose(2) as usize];
                    format!("if {} {{ {jump} {label}; }}", self.condition(deeper))
                }
                None => self.body(deeper),
            },
        }
    }

    fn leave(&mut self) -> String {
        match self.returns {
            Returns::Nothing => "return;".to_owned(),
            Returns::Value(ty) => format!("return {};", self.number(ty, 1)),
        }
    }

    fn assignment(&mut self, depth: u32) -> String {
        let var = self.variable(|var| var.mutable);
        let ty = match var.map(|(_, kind)| kind) {
            Some(Kind::Int(ty) | Kind::Array(ty, _)) => ty,
            Some(Kind::Fields) => FIELDS[self.choose(5) as usize].1,
            _ => return String::new(),
        };
        let Some(target) = self.target(ty) else {
            return String::new();
        };
        let (op, value) = match self.choose(8) {
            0 => ("", self.number(ty, depth)),
            1 => ("+", self.tame(ty, depth)),
            2 => (
                ["+", "-", "*"][self.choose(3) as usize],
                self.tame(ty, depth),
            ),
            3 => {
                let by = format!("({} | 1)", self.number(ty, depth));
                (["/", "%"][self.choose(2) as usize], by)
            }
            4 if ty.bits < 64 => ("<<", self.shift(ty, depth)),
            4 | 5 => (">>", self.shift(ty, depth)),
            _ => {
                let op = ["&", "|", "^"][self.choose(3) as usize];
                (op, self.other(ty, depth))
            }
        };
        // An index that changes a variable.
        let target = match (target.split_once('['), self.choose(6)) {
            (Some((name, _)), 5) => format!("{name}[({} & 0) as usize]", self.changing(ty, 0)),
            _ => target,
        };
        format!("{target} {op}= {value};")
    }

    /// A constant, whose value is computed here: it has to be one of its type.
    fn constant(&mut self) -> String {
        let ty = self.int();
        let mut value = self.value(ty);
        let mut text = written(value, ty.name);
        for _ in 0..self.choose(3) {
            let by = self.value(ty);
            let (next, op) = match self.choose(6) {
                0 => (value + by, "+"),
                1 => (value - by, "-"),
                2 => (value.wrapping_mul(by), "*"),
                3 if by > 0 => (value / by, "/"),
                4 if by > 0 => (value % by, "%"),
                _ => {
                    // What is cast to another type comes back changed.
                    let other = self.int();
                    value = ty.reduced(other.reduced(value));
                    text = format!("(({text} as {}) as {})", other.name, ty.name);
                    continue;
                }
            };
            if ty.holds(next) && ty.bits < 64 {
                value = next;
                text = format!("({text} {op} {})", written(by, ""));
            }
        }
        let name = self.fresh('C');
        self.declare(&name, Kind::Const(ty), false);
        format!("const {name}: {} = {text};", ty.name)
    }

    /// A function or a closure of one argument.
    fn helper(&mut self, depth: u32) -> String {
        let (from, to) = (self.int(), self.int());
        let name = self.fresh('f');
        let argument = self.fresh('x');
        let closure = self.choose(2) == 1;
        let body = self.inside(closure, Returns::Value(to), |pen| {
            pen.declare(&argument, Kind::Int(from), false);
            let stmts = pen.statements(depth);
            stmts + &pen.number(to, depth)
        });
        self.declare(&name, Kind::Function(from, to), false);
        let (from, to) = (from.name, to.name);
        if closure {
            format!("let {name} = |{argument}: {from}| -> {to} {{ {body} }};")
        } else {
            format!("fn {name}({argument}: {from}) -> {to} {{ {body} }}")
        }
    }

    fn for_loop(&mut self, depth: u32) -> String {
        let ty = self.int();
        let low = self.value(ty);
        let most = ty
            .most()
            .min(if ty.bits == 64 { 1 << 30 } else { ty.most() });
        let high = (low + i128::from(self.choose(4))).min(most);
        let dots = ["..", "..="][self.choose(2) as usize];
        let name = ty.name;
        let (low, high) = match self.choose(3) {
            0 => (written(low, name), written(high, "")),
            1 => (written(low, ""), format!("h_{name}({high})")),
            _ => (format!("h_{name}({low})"), format!("h_{name}({high})")),
        };
        let (label, x) = (format!("'{}", self.fresh('l')), self.fresh('i'));
        self.loops.push(Some(label.clone()));
        let body = self.scoped(|pen| {
            pen.declare(&x, Kind::Int(ty), false);
            format!("e({x} as u32); {}", pen.statements(depth))
        });
        self.loops.pop();
        match self.choose(60) {
            58 => format!("{label}: for {x} in ({low}{dots}{high}).rev() {{ {body}}}"),
            59 => format!("{label}: for {x} in ({low}{dots}{high}).step_by(2) {{ {body}}}"),
            _ => format!("{label}: for {x} in {low}{dots}{high} {{ {body}}}"),
        }
    }

    fn while_loop(&mut self, depth: u32) -> String {
        let ty = self.int();
        let (name, count) = (ty.name, self.fresh('k'));
        let label = format!("'{}", self.fresh('l'));
        let times = 1 + self.choose(3);
        if self.choose(2) == 0 {
            let condition = self.condition(depth);
            self.loops.push(Some(label.clone()));
            let body = self.scoped(|pen| {
                pen.declare(&count, Kind::Int(ty), false);
                pen.statements(depth)
            });
            self.loops.pop();
            return format!(
                "let mut {count} = 0{name}; {label}: while {count} < {times} && {condition} \
                 {{ {count} += 1; {body}}}"
            );
        }
        let x = self.fresh('n');
        let pattern = match self.choose(2) {
            0 => x.clone(),
            _ => format!("{x} @ ({})", self.pattern(ty)),
        };
        self.loops.push(Some(label.clone()));
        let body = self.scoped(|pen| {
            pen.declare(&x, Kind::Int(ty), false);
            format!("e({x} as u32); {}", pen.statements(depth))
        });
        self.loops.pop();
        format!(
            "let mut {count} = {times}{name}; {label}: while let Some({pattern}) = \
             (if {count} > 0 {{ Some({count}) }} else {{ None }}) {{ {count} -= 1; {body}}}"
        )
    }
}
