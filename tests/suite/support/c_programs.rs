//! Random sequential C programs with a defined meaning, for comparison with a compiler.
//!
//! Their meaning is the same in every compiler that wraps signed numbers: shifts are in range, divisors
//! are not 0, loops are counted, and no two unsequenced parts of an expression get in each other's way.
//! For the last, an expression has effects on *side* variables alone, and next to an operand with
//! effects the other one is *frozen*: made of constants, inputs and loop counters.

/// Whether the first thread is alone, so that it is executed, or everything is instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Solo,
    Dynamic,
}

/// A program without the end of `main`, and what can be seen of it.
#[derive(Clone, Debug)]
pub struct Draft {
    pub text: String,
    /// Scalars in memory, each with its type.
    pub seen: Vec<(String, &'static str)>,
}

impl Draft {
    /// The program that prints what is seen, a number a line.
    pub fn printing(&self) -> String {
        let prints = self.seen.iter().map(|(name, _)| {
            format!("    printf(\"%lld\\n\", (long long)({name}));\n")
        });
        format!("{}{}    return 0;\n}}\n", self.text, prints.collect::<String>())
    }

    /// The program that asserts what is seen to be this.
    pub fn asserting(&self, values: &[i64]) -> String {
        let seen = self.seen.iter().zip(values);
        let asserts = seen.map(|((name, ty), value)| {
            format!("    assert({name} == ({ty})({}));\n", number(*value))
        });
        format!("{}{}    return 0;\n}}\n", self.text, asserts.collect::<String>())
    }
}

fn number(value: i64) -> String {
    if value == i64::MIN {
        format!("({}LL - 1)", value + 1)
    } else {
        format!("{value}LL")
    }
}

/// A generator of random numbers: splitmix64.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// Once in so many times.
    pub fn rarely(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}

const NARROW: [&str; 7] = [
    "int",
    "unsigned",
    "_Bool",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
];
const WIDE: [&str; 3] = ["long", "unsigned long", "long long"];

/// The program that a seed stands for.
pub fn draft(seed: u64, mode: Mode) -> Draft {
    let mut maker = Maker {
        random: Random(seed),
        mode,
        wide: false,
        text: String::new(),
        seen: Vec::new(),
        globals: Vec::new(),
        sides: Vec::new(),
        locals: Vec::new(),
        frozen: Vec::new(),
        functions: 0,
        fresh: 0,
        depth: 0,
        leaves: Vec::new(),
    };
    maker.wide = maker.random.rarely(4);
    maker.program();
    Draft {
        text: maker.text,
        seen: maker.seen,
    }
}

struct Maker {
    random: Random,
    mode: Mode,
    /// Whether there are 64-bit types.
    wide: bool,
    text: String,
    seen: Vec<(String, &'static str)>,
    /// What statements assign.
    globals: Vec<String>,
    /// What expressions assign.
    sides: Vec<String>,
    locals: Vec<String>,
    /// What nothing assigns.
    frozen: Vec<String>,
    functions: usize,
    fresh: usize,
    depth: usize,
    /// How the innermost loops and switches can be left: `break;`, `continue;`, `goto L;`.
    leaves: Vec<Vec<String>>,
}

impl Maker {
    fn ty(&mut self) -> &'static str {
        if self.wide && self.random.rarely(4) {
            self.random.of(&WIDE)
        } else {
            self.random.of(&NARROW)
        }
    }

    fn line(&mut self, text: &str) {
        self.text += &"    ".repeat(self.depth);
        self.text += text;
        self.text.push('\n');
    }

    fn name(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    // Expressions.

    fn constant(&mut self) -> String {
        let random = &mut self.random;
        match random.below(12) {
            0..6 => (random.below(12) as i64 - 3).to_string(),
            6 => random.of(&["127", "128", "255", "256", "-129"]).to_owned(),
            7 => random.of(&["32767", "32768", "65535", "-32769"]).to_owned(),
            8 => random.of(&["2147483647", "(-2147483647 - 1)", "2147483648u"]).to_owned(),
            9 => random.of(&["1u", "0xffffffffu", "7u"]).to_owned(),
            10 if self.wide => random.of(&["3L", "-1L", "5UL", "100000L"]).to_owned(),
            10 => "'a'".to_owned(),
            _ => (random.next() as i32 / 3).to_string(),
        }
    }

    /// An expression that nothing changes while it is computed.
    fn still(&mut self, depth: usize) -> String {
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
    fn pure(&mut self, depth: usize) -> String {
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
            let (c, a, b) = (self.pure(depth - 1), self.pure(depth - 1), self.pure(depth - 1));
            return format!("({c} ? {a} : {b})");
        }
        self.operation(&mut |this| this.pure(depth - 1))
    }

    fn operation(&mut self, operand: &mut dyn FnMut(&mut Self) -> String) -> String {
        let a = operand(self);
        match self.random.below(16) {
            0 => format!("(!{a})"),
            1 => format!("(~{a})"),
            2 => format!("(- {a})"),
            3 | 4 => format!("(({}){a})", self.ty()),
            5 => {
                let (ty, bits) = self.random.of(&[("int", 31), ("unsigned", 31), ("short", 15)]);
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
                let by = self.random.of(&["2", "3", "7u", "-3", "8u", "5", "(short)9"]);
                if self.mode == Mode::Solo && self.random.rarely(4) {
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
    fn effect(&mut self, depth: usize, sides: usize, calls: bool) -> String {
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

    fn call(&mut self) -> String {
        let f = self.random.below(self.functions);
        let pointer = self.pointer();
        format!("f{f}({}, {}, {pointer})", self.pure(1), self.pure(1))
    }

    /// A pointer to an `int`.
    fn pointer(&mut self) -> String {
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
    fn place(&mut self) -> String {
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

    // Statements.

    fn block(&mut self, size: usize, nesting: usize) {
        self.depth += 1;
        for _ in 0..=self.random.below(size) {
            self.statement(nesting);
        }
        self.depth -= 1;
    }

    fn statement(&mut self, nesting: usize) {
        let kind = self.random.below(if nesting == 0 { 10 } else { 18 });
        match kind {
            0..3 => {
                let (to, value) = (self.place(), self.pure(3));
                self.line(&format!("{to} = {value};"));
            }
            3..5 => {
                let to = self.place();
                let value = self.effect(3, self.sides.len(), true);
                self.line(&format!("{to} = {value};"));
            }
            5 => {
                let to = self.place();
                let value = self.effect(2, self.sides.len(), false);
                let op = self.random.of(&["+", "-", "*", "&", "|", "^"]);
                self.line(&format!("{to} {op}= {value};"));
            }
            6 => {
                let to = self.place();
                let form = self.random.of(&["@++;", "--@;", "@ <<= 3;", "@ >>= 2;", "@ /= 3;"]);
                self.line(&form.replace('@', &to));
            }
            7 => self.structure(),
            8 => self.leave(),
            9 => {
                let value = self.effect(3, self.sides.len(), true);
                self.line(&format!("{value};"));
            }
            10 | 11 => {
                let condition = self.effect(2, self.sides.len(), true);
                self.line(&format!("if ({condition}) {{"));
                self.block(3, nesting - 1);
                if self.random.rarely(2) {
                    self.line("} else {");
                    self.block(3, nesting - 1);
                }
                self.line("}");
            }
            12 | 13 => self.counted(nesting),
            14 | 15 => self.switch(nesting),
            16 => self.skipping(nesting),
            _ => self.jump_loop(nesting),
        }
    }

    fn structure(&mut self) {
        let local = self.locals.contains(&"ls.a".to_owned());
        let all: &[&str] = if local {
            &["gs", "gt", "ls"]
        } else {
            &["gs", "gt"]
        };
        let (a, b, c) = (self.random.of(all), self.random.of(all), self.random.of(all));
        let (x, y) = (self.pure(1), self.pure(1));
        let line = match self.random.below(7) {
            0 => format!("{a} = {b};"),
            1 => format!("{a} = {b} = {c};"),
            2 => format!("{a} = turn({b}, {x});"),
            3 => format!("{a} = (struct S){{{x}, {b}.b, {y}, {{{a}.a, {b}.d[0]}}}};"),
            4 => format!("{a} = {x} ? {b} : {c};"),
            5 => format!("change(&{a}, {x});"),
            _ => format!("{a} = {b} = turn({c}, {x});"),
        };
        self.line(&line);
    }

    fn leave(&mut self) {
        let Some(all) = self.leaves.last().cloned().filter(|all| !all.is_empty()) else {
            return self.statement(0);
        };
        let (condition, how) = (self.pure(2), self.random.of(&all));
        self.line(&format!("if ({condition}) {how}"));
    }

    /// What follows can be left in one more way, and in the ways before that still exist.
    fn leaving(&mut self, ways: &[&str]) {
        let mut all: Vec<String> = ways.iter().map(|&way| way.to_owned()).collect();
        let outer = self.leaves.last().into_iter().flatten();
        let keeps_continue = !ways.contains(&"continue;");
        let kept = outer.filter(|way| match way.as_str() {
            "break;" => false,
            "continue;" => keeps_continue,
            _ => true,
        });
        all.extend(kept.cloned());
        self.leaves.push(all);
    }

    fn counted(&mut self, nesting: usize) {
        let n = self.name("n");
        let times = self.random.below(4);
        let condition = if self.random.rarely(2) {
            format!(" && {}", self.effect(2, self.sides.len(), true))
        } else {
            String::new()
        };
        self.line("{");
        let frozen = self.frozen.clone();
        match self.random.below(4) {
            0 => {
                self.line(&format!("for (int {n} = 0; {n} < {times}{condition}; {n}++) {{"));
                self.frozen.push(n);
                self.leaving(&["break;", "continue;"]);
                self.block(3, nesting - 1);
                self.line("}");
            }
            1 => {
                self.line(&format!("int {n} = {times};"));
                self.line(&format!("while ({n}-- > 0{condition}) {{"));
                self.frozen.push(n);
                self.leaving(&["break;", "continue;"]);
                self.block(3, nesting - 1);
                self.line("}");
            }
            2 => {
                self.line(&format!("int {n} = {times};"));
                self.line("do {");
                self.frozen.push(n.clone());
                self.leaving(&["break;", "continue;"]);
                self.block(3, nesting - 1);
                self.line(&format!("}} while (--{n} > 0{condition});"));
            }
            _ => {
                // Variables of the body's own, and pointers to them.
                let (own, pointer) = (self.name("v"), self.name("p"));
                let (value, other) = (self.pure(1), self.pointer());
                self.line(&format!("int {n} = {times}, *{pointer} = {other};"));
                self.line(&format!("for (; {n} > 0{condition}; {n} -= 1) {{"));
                self.depth += 1;
                self.line(&format!("int {own} = {value};"));
                self.depth -= 1;
                let locals = self.locals.clone();
                self.frozen.push(n.clone());
                self.locals.push(own.clone());
                self.locals.push(format!("*{pointer}"));
                self.leaving(&["break;", "continue;"]);
                self.block(3, nesting - 1);
                self.depth += 1;
                let to = self.random.of(&["gi", "gs.a", "ga[1]"]);
                self.line(&format!("{to} += {own};"));
                if self.random.rarely(2) {
                    let next = self.pointer();
                    self.line(&format!("{pointer} = {next};"));
                }
                self.depth -= 1;
                self.locals = locals;
                self.line("}");
            }
        }
        self.leaves.pop();
        self.frozen = frozen;
        self.line("}");
    }

    fn switch(&mut self, nesting: usize) {
        let value = self.effect(2, self.sides.len(), true);
        let form = self.random.of(&["@ & 3", "@", "(unsigned char)@", "(unsigned)@ % 4"]);
        self.line(&format!("switch ({}) {{", form.replace('@', &value)));
        self.leaving(&["break;"]);
        let mut values = vec![0, 1, 2, 3, -1, 255, 7];
        let count = self.random.below(5) + 1;
        let default = self.random.below(count + 1);
        for at in 0..count {
            if at == default {
                self.line("default:");
            } else {
                let case = values.remove(self.random.below(values.len()));
                self.line(&format!("case {case}:"));
            }
            if !self.random.rarely(5) {
                self.block(2, nesting - 1);
                if !self.random.rarely(3) {
                    self.line("    break;");
                }
            }
        }
        self.line("    ;");
        self.leaves.pop();
        self.line("}");
    }

    /// A jump over statements, out of what is inside.
    fn skipping(&mut self, nesting: usize) {
        let label = self.name("L");
        self.line("{");
        let outer = self.leaves.last().cloned().unwrap_or_default();
        let mut all = outer;
        all.push(format!("goto {label};"));
        self.leaves.push(all);
        self.depth += 1;
        self.leave();
        self.depth -= 1;
        self.block(3, nesting - 1);
        self.leaves.pop();
        self.line("}");
        self.line(&format!("{label}:;"));
    }

    fn jump_loop(&mut self, nesting: usize) {
        let (label, n) = (self.name("L"), self.name("n"));
        self.line("{");
        let times = self.random.below(3);
        self.line(&format!("int {n} = {times};"));
        let frozen = self.frozen.clone();
        if self.random.rarely(8) {
            // Into a loop.
            let condition = self.pure(1);
            self.line(&format!("if ({condition}) goto {label};"));
            self.line(&format!("while ({n}-- > 0) {{"));
            self.frozen.push(n);
            self.leaving(&["break;", "continue;"]);
            self.block(2, nesting - 1);
            self.line(&format!("{label}:;"));
            self.block(2, nesting - 1);
            self.leaves.pop();
            self.line("}");
        } else {
            self.line(&format!("{label}:;"));
            self.frozen.push(n.clone());
            self.block(2, nesting - 1);
            let condition = self.effect(2, self.sides.len(), true);
            self.line(&format!("if ({n}-- > 0 && {condition}) goto {label};"));
        }
        self.frozen = frozen;
        self.line("}");
    }

    // The parts of the program.

    fn program(&mut self) {
        self.line("#include <assert.h>\n#include <pthread.h>\n#include <stdio.h>");
        self.line("struct S { int a; unsigned char b; short c; int d[2]; };");
        self.line("struct S gs = { 1, 200, -3, { 4 } }, gt;");
        self.line("int gi = 5, ga[4] = { 1, 2 };");
        self.line("_Bool done;");
        for (name, ty) in [
            ("gi", "int"),
            ("gs.a", "int"),
            ("gs.b", "unsigned char"),
            ("gs.c", "short"),
            ("gs.d[1]", "int"),
            ("gt.a", "int"),
            ("gt.d[0]", "int"),
            ("ga[0]", "int"),
            ("ga[1]", "int"),
            ("ga[2]", "int"),
            ("ga[3]", "int"),
        ] {
            self.globals.push(name.to_owned());
            self.seen.push((name.to_owned(), ty));
        }
        for at in 0..6 {
            let (ty, name) = (self.ty(), format!("g{at}"));
            let qualifier = self.random.of(&["", "", "volatile ", "_Atomic "]);
            let value = self.random.below(200) as i64 - 50;
            self.line(&format!("{qualifier}{ty} {name} = {value};"));
            self.seen.push((name.clone(), ty));
            if at < 3 {
                self.sides.push(name);
            } else {
                self.globals.push(name);
            }
        }
        let mut inputs = String::new();
        for at in 0..3 {
            let (ty, name) = (self.ty(), format!("in{at}"));
            let value = self.constant();
            if self.mode == Mode::Dynamic {
                self.line(&format!("{ty} {name};"));
                inputs += &format!("{name} = {value}; ");
            } else {
                self.line(&format!("{ty} {name} = {value};"));
            }
            self.frozen.push(name);
        }
        self.line(&format!("void *thread(void *unused) {{ {inputs}done = 1; return 0; }}"));
        self.line("struct S turn(struct S s, int x) { s.a += x; s.d[0] = s.d[1]; s.d[1] = x; return s; }");
        self.line("void change(struct S *s, int x) { s->b += x; s->c--; s->d[x & 1]++; }");
        let fall = "static int down(int n, int x) { if (n <= 0) return x; int y = down(n - 1, x ^ n); return n & 1 ? y + down(n - 2, x) : y - 1; }";
        self.line(fall);
        for _ in 0..self.random.below(4) {
            self.function();
        }
        self.line("int main(void) {");
        self.depth = 1;
        if self.mode == Mode::Dynamic {
            self.line("pthread_t id;");
            self.line("pthread_create(&id, 0, thread, 0);");
            self.line("pthread_join(id, 0);");
        }
        self.locals();
        if self.functions > 0 && self.random.rarely(2) {
            let f = self.random.below(self.functions);
            let (call, to) = (self.call(), self.place());
            let arguments = call.split_once('(').map_or("", |(_, rest)| rest);
            self.line(&format!("int (*fp)(int, int, int *) = f{f};"));
            self.line(&format!("{to} = fp({arguments};"));
        }
        if self.random.rarely(3) {
            let value = self.still(1);
            let n = self.random.below(4);
            self.line(&format!("gi = down({n}, {value});"));
        }
        self.depth = 0;
        self.leaves.push(Vec::new());
        self.block(5, 3);
        self.leaves.pop();
        // Locals are seen through a global.
        self.depth = 1;
        self.line("gt.a ^= li + la[0] * 3 + la[1] * 5 + la[2] * 7 + ls.a + ls.b + ls.c + ls.d[0] + lu;");
        self.depth = 0;
    }

    fn locals(&mut self) {
        let ty = self.ty();
        let values = [self.still(1), self.still(1), self.still(0), self.still(0)];
        let [a, b, c, d] = values;
        self.line(&format!("int li = {a}, la[3] = {{ {b} }};"));
        self.line(&format!("struct S ls = {{ {c}, .c = 7 }};"));
        self.line(&format!("{ty} lu = {d};"));
        for name in ["li", "la[0]", "la[1]", "ls.a", "ls.b", "ls.d[0]"] {
            self.locals.push(name.to_owned());
        }
        self.sides.push("lu".to_owned());
    }

    fn function(&mut self) {
        let (globals, sides) = (self.globals.clone(), self.sides.clone());
        let frozen = self.frozen.clone();
        self.line(&format!("int f{}(int a, int b, int *p) {{", self.functions));
        self.depth = 1;
        if self.random.rarely(2) {
            self.line("static int kept = 3;");
            self.locals.push("kept".to_owned());
        }
        self.locals();
        self.frozen.push("a".to_owned());
        self.locals.push("b".to_owned());
        self.locals.push("*p".to_owned());
        self.depth = 0;
        let value = self.pure(1);
        self.leaves.push(vec![format!("return {value};")]);
        self.block(3, 2);
        self.leaves.pop();
        self.depth = 1;
        let all = ["li", "lu + b", "la[1] ^ ls.a", "*p", "b++", "++lu"];
        let value = self.random.of(&all);
        self.line(&format!("return {value};"));
        self.depth = 0;
        self.line("}");
        self.locals.clear();
        (self.globals, self.sides, self.frozen) = (globals, sides, frozen);
        self.functions += 1;
    }
}
