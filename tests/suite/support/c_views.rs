//! Random C programs that look at memory through pointers to other types, for comparison with a
//! compiler (`-fno-strict-aliasing -fwrapv`).
//!
//! Unions are objects like others, whose members begin at the same byte. Objects are known by their bytes here: sizes and offsets of scalars, and nothing about cells. Every
//! access is inside its object and aligned, but the type of the pointer may be any: of the same width
//! and another sign, a number for a pointer, or of another width. Pointers get their type by a cast,
//! through `void *`, in memory, as arguments of functions, by walking, and as results of threads.

use super::c_programs::Random;
use std::fmt::Write as _;

/// Scalars and their sizes.
const SCALARS: [(&str, usize); 12] = [
    ("signed char", 1),
    ("unsigned char", 1),
    ("char", 1),
    ("short", 2),
    ("unsigned short", 2),
    ("int", 4),
    ("unsigned", 4),
    ("long", 8),
    ("unsigned long", 8),
    ("intptr_t", 8),
    ("uintptr_t", 8),
    ("void *", 8),
];

/// A scalar of a structure: its offset, its type, and the way to it.
type Part = (usize, &'static str, &'static str);

/// Structures: their names, members, sizes and scalars.
const STRUCTS: [(&str, &str, usize, &[Part]); 8] = [
    (
        "struct A",
        "size_t a, b;",
        16,
        &[(0, "unsigned long", ".a"), (8, "unsigned long", ".b")],
    ),
    (
        "struct B",
        "unsigned char c; signed char d; short e; int f; long g;",
        16,
        &[
            (0, "unsigned char", ".c"),
            (1, "signed char", ".d"),
            (2, "short", ".e"),
            (4, "int", ".f"),
            (8, "long", ".g"),
        ],
    ),
    (
        "struct C",
        "unsigned char r[4]; int n;",
        8,
        &[
            (0, "unsigned char", ".r[0]"),
            (1, "unsigned char", ".r[1]"),
            (2, "unsigned char", ".r[2]"),
            (3, "unsigned char", ".r[3]"),
            (4, "int", ".n"),
        ],
    ),
    (
        "struct D",
        "long a; void *p; uintptr_t q;",
        24,
        &[
            (0, "long", ".a"),
            (8, "void *", ".p"),
            (16, "uintptr_t", ".q"),
        ],
    ),
    (
        "struct E",
        "struct A x; long y;",
        24,
        &[
            (0, "unsigned long", ".x.a"),
            (8, "unsigned long", ".x.b"),
            (16, "long", ".y"),
        ],
    ),
    (
        "struct F",
        "short a; signed char b[2]; unsigned short c[2];",
        8,
        &[
            (0, "short", ".a"),
            (2, "signed char", ".b[0]"),
            (3, "signed char", ".b[1]"),
            (4, "unsigned short", ".c[0]"),
            (6, "unsigned short", ".c[1]"),
        ],
    ),
    (
        "union G",
        "long l; void *p; double unused; uintptr_t n;",
        8,
        &[
            (0, "long", ".l"),
            (0, "void *", ".p"),
            (0, "uintptr_t", ".n"),
        ],
    ),
    (
        "struct H",
        "int k; union { unsigned short s; struct { short t; unsigned char b; }; union { short u; char v[4]; } w; };\
         long z;",
        16,
        &[
            (0, "int", ".k"),
            (4, "unsigned short", ".s"),
            (4, "short", ".t"),
            (4, "short", ".w.u"),
            (6, "unsigned char", ".b"),
            (8, "long", ".z"),
        ],
    ),
];

/// What structures with a last member without a length begin with: members, their size, and their scalars.
const HEADS: [(&str, usize, &[Part]); 4] = [
    ("int n;", 4, &[(0, "int", ".n")]),
    ("unsigned long n;", 8, &[(0, "unsigned long", ".n")]),
    (
        "short n; unsigned char c;",
        3,
        &[(0, "short", ".n"), (2, "unsigned char", ".c")],
    ),
    (
        "void *p; signed char c;",
        9,
        &[(0, "void *", ".p"), (8, "signed char", ".c")],
    ),
];

/// Where what a program does happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// In `main`, which is alone.
    Alone,
    /// In a thread, with indices that are known at run time only.
    InThread,
    /// In two threads, which access the same objects.
    Racing,
}

/// A program and what it computes. `@` in the text is a suffix of all names.
#[derive(Clone, Debug)]
pub struct Views {
    text: String,
    results: usize,
    mode: Mode,
    /// Whether pointers stay in the arrays that they point into, as the standard wants it. Compiled
    /// programs do not care.
    pub is_strict: bool,
}

const HEADERS: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stddef.h>\n\
    #include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n#include <threads.h>\n";

fn structures() -> String {
    let mut text = String::new();
    for (name, members, ..) in STRUCTS {
        let _ = writeln!(text, "{name} {{ {members} }};");
    }
    text
}

impl Views {
    /// The program that asserts these results.
    pub fn asserting(&self, values: &[i64]) -> String {
        let all = Self::equalities(values);
        let asserts = all.map(|equality| format!("assert({equality});\n"));
        self.ending_with(&asserts.collect::<String>())
    }

    /// The program that asserts that the results are not these.
    pub fn excluding(&self, values: &[i64]) -> String {
        let all: Vec<String> = Self::equalities(values).collect();
        self.ending_with(&format!("assert(!({}));\n", all.join(" && ")))
    }

    fn equalities(values: &[i64]) -> impl Iterator<Item = String> {
        let number = super::c_programs::number;
        let all = values.iter().enumerate();
        all.map(move |(at, value)| format!("out{at} == {}", number(*value)))
    }

    fn ending_with(&self, end: &str) -> String {
        format!(
            "{HEADERS}{}{}int main(void) {{\n{}\n{end}return 0;\n}}\n",
            structures(),
            self.text.replace('@', ""),
            self.call("")
        )
    }

    fn call(&self, suffix: &str) -> String {
        match self.mode {
            Mode::Alone => format!("run{suffix}(0);"),
            Mode::InThread => format!(
                "pthread_t t{suffix}; pthread_create(&t{suffix}, 0, run{suffix}, 0);\n\
                 pthread_join(t{suffix}, 0);"
            ),
            Mode::Racing => format!(
                "pthread_t t{suffix}, u{suffix}; pthread_create(&t{suffix}, 0, run{suffix}, 0);\n\
                 pthread_create(&u{suffix}, 0, other{suffix}, 0);\n\
                 pthread_join(t{suffix}, 0); pthread_join(u{suffix}, 0);"
            ),
        }
    }

    /// One program that prints the results of all of these, a number a line.
    pub fn printing(all: &[Views]) -> String {
        let mut text = format!("{HEADERS}#include <stdio.h>\n{}", structures());
        for (number, one) in all.iter().enumerate() {
            text += &one.text.replace('@', &format!("_{number}"));
        }
        text += "int main(void) {\n";
        for (number, one) in all.iter().enumerate() {
            let _ = writeln!(text, "{}", one.call(&format!("_{number}")));
            for at in 0..one.results {
                let _ = writeln!(text, "printf(\"%lld\\n\", out{at}_{number});");
            }
        }
        text + "return 0;\n}\n"
    }

    pub fn results(&self) -> usize {
        self.results
    }
}

/// An object of the program.
struct Object {
    name: String,
    /// The type of its elements, and how many there are.
    element: String,
    count: usize,
    size: usize,
    /// The offset, the type and the way to each of its scalars.
    scalars: Vec<(usize, String, String)>,
}

struct Maker {
    random: Random,
    globals: String,
    body: String,
    objects: Vec<Object>,
    results: usize,
    fresh: usize,
    mode: Mode,
    is_strict: bool,
    /// Whether addresses become numbers.
    numbers: bool,
}

fn size_of(ty: &str) -> usize {
    let scalars = SCALARS.iter().find(|(name, _)| *name == ty);
    let structs = || STRUCTS.iter().find(|(name, ..)| *name == ty);
    scalars.map_or_else(|| structs().map_or(8, |of| of.2), |of| of.1)
}

/// The program that a seed stands for.
pub fn views(seed: u64, mode: Mode) -> Views {
    let mut maker = Maker {
        random: Random(seed.wrapping_mul(3).wrapping_add(mode as u64)),
        globals: "static volatile int zero@;\nstatic void *hidden@;\n\
            static void *make@(size_t n, size_t of) { void *p = calloc(n, of); if (!p) abort(); return p; }\n"
            .to_owned(),
        body: String::new(),
        objects: Vec::new(),
        results: 0,
        fresh: 0,
        mode,
        is_strict: true,
        numbers: false,
    };
    maker.numbers = maker.random.rarely(4);
    for _ in 0..=maker.random.below(if mode == Mode::Racing { 2 } else { 3 }) {
        maker.object();
    }
    if mode == Mode::Racing {
        for _ in 0..2 + maker.random.below(2) {
            maker.access();
        }
        let body = std::mem::take(&mut maker.body);
        let _ = writeln!(
            maker.globals,
            "static void *other@(void *unused) {{\n{body}return 0;\n}}"
        );
        for _ in 0..2 + maker.random.below(2) {
            maker.access();
        }
    } else {
        for _ in 0..2 + maker.random.below(5) {
            maker.statement();
        }
    }
    if maker.results == 0 {
        maker.load();
    }
    let outs = (0..maker.results).map(|at| format!("static long long out{at}@;\n"));
    let text = format!(
        "{}{}static void *run@(void *unused) {{\n{}return 0;\n}}\n",
        outs.collect::<String>(),
        maker.globals,
        maker.body
    );
    Views {
        text,
        results: maker.results,
        mode,
        is_strict: maker.is_strict,
    }
}

impl Maker {
    fn name(&mut self, of: &str) -> String {
        self.fresh += 1;
        format!("{of}{}@", self.fresh)
    }

    fn object(&mut self) {
        if self.random.rarely(5) {
            return self.with_tail();
        }
        let name = self.name("o");
        let (element, scalars): (&str, Vec<(usize, &str, &str)>) = if self.random.rarely(3) {
            let (name, _, _, members) = self.random.of(&STRUCTS);
            (name, members.to_vec())
        } else {
            let (name, _) = self.random.of(&SCALARS);
            (name, vec![(0, name, "")])
        };
        let count = 1 + self.random.below(3);
        let size = size_of(element);
        let mut all = Vec::new();
        for index in 0..count {
            for (offset, ty, way) in &scalars {
                let way = format!("{name}[{index}]{way}");
                all.push((index * size + offset, (*ty).to_owned(), way));
            }
        }
        let aligned = "__attribute__((aligned(8)))";
        let storage = self.random.below(4);
        match storage {
            0 if self.mode != Mode::Racing => {
                let _ = writeln!(self.body, "{element} {name}[{count}] {aligned} = {{ 0 }};");
            }
            1 if self.mode != Mode::Racing => {
                let number = self.index(count);
                let bytes = format!("{number}, sizeof({element})");
                let allocated = match self.random.below(3) {
                    // Of a type that is not written there, by a function that is written once in each program.
                    0 => format!("make@({bytes})"),
                    _ => format!("({element} *)calloc({bytes})"),
                };
                let _ = writeln!(self.body, "{element} *{name} = {allocated};");
            }
            _ => {
                let _ = writeln!(self.globals, "static {element} {name}[{count}] {aligned};");
            }
        }
        let object = Object {
            name,
            element: element.to_owned(),
            count,
            size: size * count,
            scalars: all,
        };
        if storage == 1 && self.mode != Mode::Racing && self.random.rarely(2) {
            return self.resized(object);
        }
        self.objects.push(object);
    }

    /// A block that was smaller or larger before, and was used.
    fn resized(&mut self, mut object: Object) {
        let (name, element) = (object.name.clone(), object.element.clone());
        let (size, last) = (size_of(&element), object.count);
        let first = 1 + self.random.below(3);
        let bytes = |number: &str| format!("({number}) * sizeof({element})");
        let before = bytes(&self.index(first));
        // What is there so far is another block, which `realloc` ends.
        let _ = writeln!(self.body, "free({name}); {name} = calloc(1, {before});");
        let all = std::mem::take(&mut object.scalars);
        let both = first.min(last);
        object.scalars = all
            .iter()
            .filter(|one| one.0 < both * size)
            .cloned()
            .collect();
        (object.count, object.size) = (both, both * size);
        self.objects.push(object);
        for _ in 0..=self.random.below(2) {
            self.access();
        }
        let Some(mut object) = self.objects.pop() else {
            return;
        };
        let after = bytes(&self.index(last));
        let _ = writeln!(self.body, "{name} = realloc({name}, {after});");
        if last > first {
            let new = bytes(&(last - first).to_string());
            let _ = writeln!(self.body, "memset({name} + {first}, 0, {new});");
        }
        object.scalars = all;
        (object.count, object.size) = (last, last * size);
        self.objects.push(object);
    }

    /// A structure whose last member has no length, and elements there.
    fn with_tail(&mut self) {
        let (name, tag) = (self.name("o"), self.name("tail"));
        let (members, head, parts): (&str, usize, &[Part]) = self.random.of(&HEADS);
        let (element, size, scalars): (&str, usize, Vec<Part>) = if self.random.rarely(3) {
            let (name, _, size, members) = self.random.of(&STRUCTS);
            (name, size, members.to_vec())
        } else {
            let (name, size) = self.random.of(&SCALARS);
            (name, size, vec![(0, name, "")])
        };
        let largest = |parts: &[Part]| parts.iter().map(|part| size_of(part.1)).max();
        let align = largest(&scalars).unwrap_or(1);
        let begin = head.next_multiple_of(align);
        let whole = begin.next_multiple_of(align.max(largest(parts).unwrap_or(1)));
        let count = 1 + self.random.below(3);
        let on_heap = self.mode != Mode::Racing && self.random.rarely(2);
        // Only a length that is left out is given by an initialiser.
        let length = self.random.of(if on_heap { &["", "0"] } else { &[""] });
        let _ = writeln!(
            self.globals,
            "struct {tag} {{ {members} {element} t[{length}]; }};"
        );
        let (arrow, bytes) = if on_heap {
            let allocate = self.random.of(&["calloc(1, ", "memset(malloc(", "calloc("]);
            let number = self.index(count);
            let bytes = format!("sizeof(struct {tag}) + ({number}) * sizeof({element})");
            let allocated = match allocate {
                "calloc(" => format!("calloc({bytes}, 1)"),
                "memset(malloc(" => {
                    let _ = writeln!(self.body, "struct {tag} *{name} = malloc({bytes});");
                    let _ = writeln!(self.body, "memset({name}, 0, {bytes});");
                    String::new()
                }
                _ => format!("calloc(1, {bytes})"),
            };
            if !allocated.is_empty() {
                let _ = writeln!(self.body, "struct {tag} *{name} = {allocated};");
            }
            ("->", whole + count * size)
        } else {
            let zeros = vec!["{ 0 }"; count].join(", ");
            let _ = writeln!(
                self.globals,
                "static struct {tag} {name} __attribute__((aligned(8))) = {{ .t = {{ {zeros} }} }};"
            );
            (".", (begin + count * size).max(whole))
        };
        let mut all = Vec::new();
        for (offset, ty, way) in parts {
            all.push((
                *offset,
                (*ty).to_owned(),
                format!("{name}{arrow}{}", &way[1..]),
            ));
        }
        let room = if on_heap {
            (bytes - begin) / size
        } else {
            count
        };
        for index in 0..room {
            for (offset, ty, way) in &scalars {
                let way = format!("{name}{arrow}t[{index}]{way}");
                all.push((begin + index * size + offset, (*ty).to_owned(), way));
            }
        }
        self.objects.push(Object {
            name: if on_heap { name } else { format!("(&{name})") },
            element: "int".to_owned(),
            count: room,
            size: bytes,
            scalars: all,
        });
    }

    fn number(&mut self) -> String {
        let all = [
            "0", "1", "2", "7", "-1", "127", "128", "200", "255", "256", "-129", "40000",
        ];
        self.random.of(&all).to_owned()
    }

    fn index(&mut self, index: usize) -> String {
        if self.random.rarely(2) {
            index.to_string()
        } else {
            format!("zero@ + {index}")
        }
    }

    /// A pointer to some scalar type into some object: its name, its type, and how many elements may be
    /// accessed.
    fn pointer(&mut self) -> (String, &'static str, usize) {
        let at = self.random.below(self.objects.len());
        let scalar = self.random.below(self.objects[at].scalars.len());
        let (offset, there, way) = self.objects[at].scalars[scalar].clone();
        let size = size_of(&there);
        let same: Vec<&'static str> = SCALARS
            .iter()
            .filter(|of| of.1 == size)
            .map(|of| of.0)
            .collect();
        let smaller: Vec<&'static str> = SCALARS
            .iter()
            .filter(|of| offset % of.1 == 0 && offset + of.1 <= self.objects[at].size)
            .map(|of| of.0)
            .collect();
        let ty = if self.random.rarely(5) {
            self.random.of(&smaller)
        } else {
            self.random.of(&same)
        };
        // Elements of an array are reached by its name, too, and so are the words of a structure.
        let by_name = offset == 0 && self.random.rarely(2);
        let from = if by_name {
            self.objects[at].name.clone()
        } else {
            format!("&{way}")
        };
        let object = &self.objects[at];
        let array = |way: &str| way.rsplit_once('[').map(|(array, _)| array.to_owned());
        let rest = &object.scalars[scalar..];
        let mut end = offset;
        let strict = rest.iter().take_while(|(at, there, own)| {
            let follows = *at == end && size_of(there) == size;
            end += size;
            let in_array = !way.ends_with(|last: char| last.is_alphabetic());
            let is_same = *own == way || in_array && array(own) == array(&way);
            follows && (by_name || is_same)
        });
        let strict = strict.count();
        let all = (object.size - offset) / size_of(ty);
        let count = if size_of(ty) == size && !self.random.rarely(6) {
            strict
        } else {
            all
        };
        self.is_strict &= size_of(ty) == size && count <= strict;
        let name = self.name("p");
        // What is in memory, both threads would use.
        let ways = if self.mode == Mode::Racing { 4 } else { 8 };
        let from = match self.random.below(ways) + 8 - ways {
            0 => {
                let _ = writeln!(self.body, "hidden@ = {from};");
                "hidden@".to_owned()
            }
            1 => {
                let own = self.name("h");
                let _ = writeln!(self.globals, "static {ty} *{own};");
                let _ = writeln!(self.body, "{own} = ({ty} *)({from});");
                own
            }
            4 => format!("(void *)({from})"),
            5 => {
                let by = self.index(0);
                format!("({ty} *)({from} + ({by}))")
            }
            2 => {
                let own = self.name("q");
                let _ = writeln!(self.globals, "static {ty} *{own}[2];");
                let by = self.index(1);
                let _ = writeln!(self.body, "*(void **)&{own}[{by}] = {from};");
                format!("{own}[1]")
            }
            _ => format!("({ty} *)({from})"),
        };
        let _ = writeln!(self.body, "{ty} *{name} = {from};");
        (name, ty, count)
    }

    fn result(&mut self, e: &str) {
        let _ = writeln!(self.body, "out{}@ = {e};", self.results);
        self.results += 1;
    }

    /// A scalar as a number.
    fn number_of(ty: &str, e: &str) -> String {
        if ty == "void *" {
            format!("(long long)(intptr_t)({e})")
        } else {
            format!("(long long)({e})")
        }
    }

    fn value_of(ty: &str, e: &str) -> String {
        if ty == "void *" {
            format!("(void *)(intptr_t)({e})")
        } else {
            format!("({ty})({e})")
        }
    }

    fn element(&mut self, pointer: &str, count: usize) -> String {
        let index = self.random.below(count);
        let index = self.index(index);
        match self.random.below(4) {
            0 => format!("*({pointer} + {index})"),
            _ => format!("{pointer}[{index}]"),
        }
    }

    fn load(&mut self) {
        let (pointer, ty, count) = self.pointer();
        let element = self.element(&pointer, count);
        let e = match self.random.below(4) {
            0 => {
                let get = self.name("get");
                let _ = writeln!(
                    self.globals,
                    "static {ty} {get}({ty} *p, long i) {{ return p[i]; }}"
                );
                let at = self.random.below(count);
                let index = self.index(at);
                format!("{get}({pointer}, {index})")
            }
            1 => format!("__atomic_load_n(&{element}, __ATOMIC_RELAXED)"),
            _ => element,
        };
        self.result(&Self::number_of(ty, &e));
    }

    fn store(&mut self) {
        let (pointer, ty, count) = self.pointer();
        let element = self.element(&pointer, count);
        let value = self.number();
        let value = Self::value_of(ty, &value);
        match self.random.below(4) {
            0 => {
                let put = self.name("put");
                let _ = writeln!(
                    self.globals,
                    "static void {put}({ty} *p, {ty} v) {{ *p = v; }}"
                );
                let _ = writeln!(self.body, "{put}(&{element}, {value});");
            }
            1 => {
                let _ = writeln!(
                    self.body,
                    "__atomic_store_n(&{element}, {value}, __ATOMIC_RELEASE);"
                );
            }
            _ => {
                let _ = writeln!(self.body, "{element} = {value};");
            }
        }
    }

    fn atomic(&mut self) {
        let (pointer, ty, count) = self.pointer();
        let element = self.element(&pointer, count);
        let value = self.number();
        let value = Self::value_of(ty, &value);
        let order = self
            .random
            .of(&["__ATOMIC_RELAXED", "__ATOMIC_SEQ_CST", "__ATOMIC_RELEASE"]);
        let e = match self.random.below(6) {
            0 if ty != "void *" => format!("__atomic_fetch_add(&{element}, {value}, {order})"),
            1 if ty != "void *" => format!("__atomic_and_fetch(&{element}, {value}, {order})"),
            2 if ty != "void *" => format!("__atomic_fetch_or(&{element}, {value}, {order})"),
            3 => {
                let wanted = self.number();
                let wanted = Self::value_of(ty, &wanted);
                let expected = self.name("e");
                let _ = writeln!(self.body, "{ty} {expected} = {wanted};");
                let done = format!(
                    "__atomic_compare_exchange_n(&{element}, &{expected}, {value}, 0, \
                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)"
                );
                self.result(&done);
                self.result(&Self::number_of(ty, &expected));
                return;
            }
            _ => format!("__atomic_exchange_n(&{element}, {value}, {order})"),
        };
        if self.random.rarely(3) {
            let _ = writeln!(self.body, "{e};");
        } else {
            self.result(&Self::number_of(ty, &e));
        }
    }

    fn walk(&mut self) {
        let (pointer, ty, count) = self.pointer();
        let sum = self.name("s");
        let element = Self::number_of(ty, &format!("{pointer}[i]"));
        let moved = Self::number_of(ty, &format!("*{pointer}++"));
        let (head, tail) = ("for (int i = 0; i < ", "; i++)");
        let e = if self.random.rarely(3) {
            moved
        } else {
            element
        };
        let _ = writeln!(
            self.body,
            "long {sum} = 0;\n{head}{count}{tail} {sum} = {sum} * 3 + {e};"
        );
        self.result(&sum);
    }

    /// Bytes that are copied, also over themselves, filled or compared; and one of the elements afterwards.
    fn bytes(&mut self) {
        let (into, ty, most) = self.pointer();
        if most > 1 && self.random.rarely(3) {
            for at in 0..most {
                let value = self.number();
                let value = Self::value_of(ty, &value);
                let _ = writeln!(self.body, "{into}[{at}] = {value};");
            }
            let (to, from) = self.random.of(&[(1, 0), (0, 1)]);
            let _ = writeln!(
                self.body,
                "memmove({into} + {to}, {into} + {from}, {} * sizeof({ty}));",
                most - 1
            );
            return self.one_of(ty, &into, most);
        }
        let (from, other, room) = self.pointer();
        let room = most.min(room * size_of(other) / size_of(ty));
        let count = self.random.below(room + 1);
        // Perhaps known at run time only.
        let number = if self.random.rarely(3) {
            self.index(count)
        } else {
            count.to_string()
        };
        let size = format!("({number}) * sizeof({ty})");
        match self.random.below(4) {
            0 => {
                let value = self.random.of(&["0", "0", "1", "200", "-1"]);
                let _ = writeln!(self.body, "memset({into}, {value}, {size});");
            }
            1 => {
                if count > 0 {
                    let (one, two) = (self.number(), self.number());
                    let (one, two) = (Self::value_of(ty, &one), Self::value_of(other, &two));
                    let _ = writeln!(self.body, "{into}[0] = {one};\n{from}[0] = {two};");
                }
                let difference = self.name("d");
                let _ = writeln!(
                    self.body,
                    "int {difference} = memcmp({into}, {from}, {size});"
                );
                return self.result(&format!("({difference} > 0) - ({difference} < 0)"));
            }
            _ => {
                let _ = writeln!(self.body, "memmove({into}, {from}, {size});");
            }
        }
        self.one_of(ty, &into, count);
    }

    /// A scalar of an object by its name, perhaps at an index that is known at run time only.
    fn named(&mut self) {
        let at = self.random.below(self.objects.len());
        let scalar = self.random.below(self.objects[at].scalars.len());
        let (_, ty, way) = self.objects[at].scalars[scalar].clone();
        let Some((name, rest)) = way.split_once('[') else {
            return self.load();
        };
        let Some((index, rest)) = rest.split_once(']') else {
            return self.load();
        };
        let index = self.index(index.parse().unwrap_or(0));
        let way = format!("{name}[{index}]{rest}");
        if self.random.rarely(2) {
            let value = self.number();
            let value = Self::value_of(&ty, &value);
            let _ = writeln!(self.body, "{way} = {value};");
        } else {
            self.result(&Self::number_of(&ty, &way));
        }
    }

    /// One of so many elements.
    fn one_of(&mut self, ty: &str, pointer: &str, count: usize) {
        if count > 0 {
            let at = self.random.below(count);
            self.result(&Self::number_of(ty, &format!("{pointer}[{at}]")));
        }
    }

    /// A value of a structure, copied between an object and a variable, through pointers.
    fn copy(&mut self) {
        let such = |object: &&Object| {
            object.element.starts_with(['s', 'u']) && object.scalars.len() > object.count
        };
        let Some(object) = self.objects.iter().find(such) else {
            return self.store();
        };
        let (name, element, count) = (object.name.clone(), object.element.clone(), object.count);
        let ways: Vec<(usize, String, String)> = object.scalars.clone();
        let (from, to) = (self.random.below(count), self.random.below(count));
        let own = self.name("c");
        let (from, to) = (self.index(from), self.index(to));
        let _ = writeln!(
            self.body,
            "{element} *{own} = (void *){name};\n{own}[{to}] = {own}[{from}];"
        );
        let (_, ty, way) = self.random.of(&ways);
        self.result(&Self::number_of(&ty, &way));
    }

    /// The result of a thread, through a pointer of any type.
    fn join(&mut self) {
        let routine = self.name("routine");
        let value = self.number();
        if self.random.rarely(3) {
            let _ = writeln!(
                self.globals,
                "static int {routine}(void *unused) {{ return {value}; }}"
            );
            let (result, thread) = (self.name("r"), self.name("thread"));
            let cast = self.random.of(&["", "(void *)", "(int *)(void *)"]);
            let _ = writeln!(
                self.body,
                "thrd_t {thread}; int {result} = 5;\nthrd_create(&{thread}, {routine}, 0);\n\
                 thrd_join({thread}, {cast}&{result});"
            );
            self.result(&result);
            return;
        }
        let exits = self.random.rarely(3);
        let leave = if exits { "pthread_exit(" } else { "return (" };
        let _ = writeln!(
            self.globals,
            "static void *{routine}(void *unused) {{ {leave}(void *)(intptr_t){value}); }}"
        );
        let (result, thread) = (self.name("r"), self.name("thread"));
        let ty = self
            .random
            .of(&["intptr_t", "void *", "long", "unsigned long", "uintptr_t"]);
        let (element, to) = match self.random.below(3) {
            0 => {
                let _ = writeln!(self.body, "{ty} {result}[2] = {{ 0 }};");
                let index = self.index(1);
                (format!("{result}[1]"), format!("&{result}[{index}]"))
            }
            1 => {
                let _ = writeln!(self.globals, "static struct {{ int n; {ty} v; }} {result};");
                (format!("{result}.v"), format!("&{result}.v"))
            }
            _ => {
                let _ = writeln!(self.body, "{ty} {result} = 0;");
                (result.clone(), format!("&{result}"))
            }
        };
        let cast = self.random.of(&["(void *)", "(void **)"]);
        let _ = writeln!(
            self.body,
            "pthread_t {thread}; pthread_create(&{thread}, 0, {routine}, 0);\n\
             pthread_join({thread}, {cast}{to});"
        );
        self.result(&Self::number_of(ty, &element));
    }

    /// One access, as a thread does that races with another.
    fn access(&mut self) {
        match self.random.below(5) {
            0 | 1 => self.load(),
            2 | 3 => self.store(),
            _ => self.atomic(),
        }
    }

    /// An address as a number, with tags in its lowest bits.
    fn numbered(&mut self) {
        let Some((mut pointer, ty)) = self.word() else {
            return self.load();
        };
        let number = self.name("n");
        let of = self
            .random
            .of(&["uintptr_t", "unsigned long", "intptr_t", "long"]);
        let shared = self.random.rarely(2);
        let list = if shared {
            &mut self.globals
        } else {
            &mut self.body
        };
        let _ = writeln!(list, "{of} {number}[2];");
        let (own, at) = (format!("{number}[1]"), self.index(1));
        let place = format!("{number}[{at}]");
        let _ = writeln!(self.body, "{place} = ({of}){pointer};");
        let mut tag = 0;
        for _ in 0..self.random.below(4) {
            let by = self.random.below(8);
            let operand = self.index(by);
            let constant = format!("({of}){by}");
            let (op, text) = match self.random.below(4) {
                0 => (tag | by, "|"),
                1 => (tag ^ by, "^"),
                2 if tag + by < 8 => (tag + by, "+"),
                3 if tag >= by => (tag - by, "-"),
                _ => (tag & !by, "&"),
            };
            tag = op;
            let operand = match text {
                "&" => format!("~{constant}"),
                _ => operand,
            };
            let name = match text {
                "|" => "or",
                "^" => "xor",
                "+" => "add",
                "-" => "sub",
                _ => "and",
            };
            let _ = match self.random.below(4) {
                0 => writeln!(
                    self.body,
                    "__atomic_fetch_{name}(&{place}, {operand}, __ATOMIC_SEQ_CST);"
                ),
                1 => writeln!(self.body, "{place} {text}= {operand};"),
                2 => writeln!(
                    self.body,
                    "__atomic_store_n(&{own}, {place} {text} ({operand}), __ATOMIC_SEQ_CST);"
                ),
                _ => writeln!(self.body, "{own} = {own} {text} {operand};"),
            };
        }
        for _ in 0..=self.random.below(2) {
            let other = match self.random.below(3) {
                0 => pointer.clone(),
                _ => self
                    .word()
                    .map_or_else(|| pointer.clone(), |(other, _)| other),
            };
            let mask = self.random.of(&[1, 3, 7]);
            let e = match self.random.below(9) {
                0 => format!("{place} & {mask}"),
                1 => format!("{place} == ({of}){other}"),
                2 => format!("{place} != (({of}){other} | {tag})"),
                3 => format!("!{own} + ({place} > 7) * 2"),
                4 => format!("(void *){place} == (void *){other}"),
                5 => format!("({of})(void *){place} & {mask}"),
                6 => {
                    let old = self.name("old");
                    let _ = writeln!(self.body, "{of} {old} = ({of}){pointer} | {tag};");
                    format!(
                        "__atomic_compare_exchange_n(&{place}, &{old}, ({of}){other}, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)"
                    )
                }
                _ => {
                    let restored = self.name("p");
                    let _ = writeln!(
                        self.body,
                        "{ty} *{restored} = ({ty} *)({place} & ~({of})7);"
                    );
                    pointer = format!("({restored} ? {restored} : {pointer})");
                    let value = self.number();
                    let value = Self::value_of(ty, &value);
                    let _ = writeln!(self.body, "*{restored} = {value};");
                    Self::number_of(ty, &format!("*{pointer}"))
                }
            };
            self.result(&format!("(long long)({e})"));
        }
    }

    /// A pointer to a scalar of eight bytes, perhaps known at run time only, and what it points to.
    fn word(&mut self) -> Option<(String, &'static str)> {
        let all = self.objects.iter().flat_map(|object| &object.scalars);
        // What is less aligned has no room for all tags, and the bits of its number are up to the machine.
        let any = self.random.rarely(6);
        let words: Vec<_> = all
            .filter(|(_, ty, _)| any || size_of(ty) == 8)
            .cloned()
            .collect();
        if words.is_empty() {
            return None;
        }
        let (_, ty, way) = self.random.of(&words);
        let ty = SCALARS.iter().find(|(name, _)| *name == ty)?.0;
        self.is_strict &= size_of(ty) == 8;
        if self.random.rarely(2) {
            return Some((format!("(&{way})"), ty));
        }
        let own = self.name("w");
        let _ = writeln!(self.globals, "static {ty} *{own}[2];");
        let at = self.index(1);
        let _ = writeln!(self.body, "{own}[{at}] = &{way};");
        Some((format!("{own}[1]"), ty))
    }

    fn statement(&mut self) {
        if self.numbers && self.random.rarely(2) {
            return self.numbered();
        }
        match self.random.below(21) {
            16 | 17 => self.bytes(),
            18..=20 => self.named(),
            0..=4 => self.load(),
            5..=8 => self.store(),
            9 | 10 => self.atomic(),
            11 | 12 => self.walk(),
            13 => self.copy(),
            _ => self.join(),
        }
    }
}
