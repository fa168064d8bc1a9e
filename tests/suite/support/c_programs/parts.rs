//! Random declarations, functions and `main`.

use super::{Maker, Mode, NARROW};
use std::fmt::Write as _;

impl Maker {
    pub(super) fn program(&mut self) {
        self.line(
            "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>",
        );
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
        self.line("struct S sa[2]; int gm[2][3];");
        let (x, y) = (self.ty(), self.random.of(&NARROW));
        let x = if x == "_Bool" { "int" } else { x };
        self.line(&format!("_Atomic {x} gx = 9; _Atomic {y} gy = 1;"));
        self.seen
            .extend([("gx".to_owned(), x), ("gy".to_owned(), y)]);
        for at in 0..6 {
            let name = [
                "sa[0].a",
                "sa[1].d[1]",
                "sa[1].b",
                "gm[0][2]",
                "gm[1][0]",
                "gm[1][2]",
            ][at];
            let ty = if at == 2 { "unsigned char" } else { "int" };
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
                let _ = write!(inputs, "{name} = {value}; ");
            } else {
                self.line(&format!("{ty} {name} = {value};"));
            }
            self.frozen.push(name);
        }
        self.line(&format!(
            "void *thread(void *unused) {{ {inputs}done = 1; return 0; }}"
        ));
        self.line(
            "struct S turn(struct S s, int x) { s.a += x; s.d[0] = s.d[1]; s.d[1] = x; return s; }",
        );
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
        self.line(
            "gt.a ^= li + la[0] * 3 + la[1] * 5 + la[2] * 7 + ls.a + ls.b + ls.c + ls.d[0] + lu;",
        );
        self.depth = 0;
    }

    pub(super) fn locals(&mut self) {
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

    pub(super) fn function(&mut self) {
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
