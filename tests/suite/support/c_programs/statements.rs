//! Random statements.

use super::Maker;

impl Maker {
    pub(super) fn block(&mut self, size: usize, nesting: usize) {
        self.depth += 1;
        for _ in 0..=self.random.below(size) {
            self.statement(nesting);
        }
        self.depth -= 1;
    }

    pub(super) fn statement(&mut self, nesting: usize) {
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
                let form = self
                    .random
                    .of(&["@++;", "--@;", "@ <<= 3;", "@ >>= 2;", "@ /= 3;"]);
                self.line(&form.replace('@', &format!("({to})")));
            }
            7 if self.random.rarely(2) => self.special(),
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

    /// A statement over pointers, arrays of arrays or of structures, or atomic operations.
    pub(super) fn special(&mut self) {
        let (x, y, k) = (self.pure(1), self.pure(2), self.still(1));
        let (p, q) = (self.pointer(), self.pointer());
        let op = self.random.of(&["add", "sub", "and", "or", "xor"]);
        let to = self.place();
        let lines = match self.random.below(10) {
            0 => format!("{{ int *w; if ({x}) w = {p}; else w = {q}; *w = {y}; gi ^= *w; }}"),
            1 => format!("{{ int *w = {x} ? {p} : {q}; *w += {k}; {to} = w == {q}; }}"),
            2 => format!("{{ int *w = {p}, **ww = &w; **ww = {y}; *ww = {q}; (*w)++; }}"),
            3 => format!(
                "{{ int *w = ga; while (w < ga + 4 && *w != {k}) *w++ ^= {k}; gi += w - ga; }}"
            ),
            4 => format!(
                "{{ struct S *z = &sa[{k} & 1]; z->d[{k} & 1] = {x}; (*z).a--; {to} = z - sa; }}"
            ),
            5 => format!("sa[{k} & 1] = {x} ? gs : sa[{y} && 1];"),
            6 => format!(
                "{{ int *w = &gm[1][{k} & 1]; *w++ = {x}; *w-- += {k}; w[1]++; {to} = 1[w]; }}"
            ),
            7 => format!("gm[{k} & 1][({k} & 0xff) % 3] = {y};"),
            8 => format!("{to} = atomic_fetch_{op}(&gx, {k});"),
            _ => format!(
                "{to} = atomic_exchange(&gx, {y}); gy {} {k};",
                self.random.of(&["+=", "-=", "&=", "|=", "^="])
            ),
        };
        self.line(&lines);
    }

    pub(super) fn structure(&mut self) {
        let local = self.locals.contains(&"ls.a".to_owned());
        let all: &[&str] = if local {
            &["gs", "gt", "ls"]
        } else {
            &["gs", "gt"]
        };
        let (a, b, c) = (
            self.random.of(all),
            self.random.of(all),
            self.random.of(all),
        );
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

    pub(super) fn leave(&mut self) {
        let Some(all) = self.leaves.last().cloned().filter(|all| !all.is_empty()) else {
            return self.statement(0);
        };
        let (condition, how) = (self.pure(2), self.random.of(&all));
        self.line(&format!("if ({condition}) {how}"));
    }

    /// What follows can be left in one more way, and in the ways before that still exist.
    pub(super) fn leaving(&mut self, ways: &[&str]) {
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

    pub(super) fn counted(&mut self, nesting: usize) {
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
                self.line(&format!(
                    "for (int {n} = 0; {n} < {times}{condition}; {n}++) {{"
                ));
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

    pub(super) fn switch(&mut self, nesting: usize) {
        let value = self.effect(2, self.sides.len(), true);
        let form = self
            .random
            .of(&["@ & 3", "@", "(unsigned char)@", "(unsigned)@ % 4"]);
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
    pub(super) fn skipping(&mut self, nesting: usize) {
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

    pub(super) fn jump_loop(&mut self, nesting: usize) {
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
}
