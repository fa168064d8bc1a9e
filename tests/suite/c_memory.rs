//! Pointers, arrays and blocks in C against an interpreter: a program violates its first misuse of
//! memory, and if it has none, it computes what the interpreter computes.
//!
//! The interpreter is independent of the front end: its pointers are an object and an offset, not
//! addresses. The programs are random, with seeds 0, 1, 2, …: `PROPTEST_CASES` says how many. In half of
//! them `main` is alone, so everything is known while the text is read; in the other half a thread
//! computes with indices that are known at run time only.

use crate::support::{c_programs, config};
use c_programs::Random;
use config::config;
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::formats::{Format, parse_as};
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{RobustOptions, robust};
use fencepost::internals::verdict::Budget;
use fencepost::{CheckReport, Source};
use std::fmt::Write;

const POINTERS: usize = 3;
const NUMBERS: usize = 2;
/// The arrays: their names, sizes and first values.
const ARRAYS: [(&str, usize, Option<i32>); 3] =
    [("g", 3, Some(10)), ("h", 2, Some(20)), ("l", 2, None)];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Misuse {
    Unset,
    Unwritten,
    Bounds,
    Null,
    Freed,
    FreedTwice,
    NotAllocated,
}

impl Misuse {
    /// What a report says about it. Variables may be in registers or in memory, and a null pointer with
    /// an index leaves every object.
    fn sentences(self) -> &'static [&'static str] {
        const UNSET: &str = "reads a variable that has no value";
        const UNWRITTEN: &str = "reads memory that has not been written";
        const BOUNDS: &str = "leaves the bounds of an object";
        match self {
            Misuse::Unset => &[UNSET, UNWRITTEN],
            Misuse::Unwritten => &[UNWRITTEN],
            Misuse::Bounds => &[BOUNDS],
            Misuse::Null => &[BOUNDS, "follows a null or stray pointer"],
            Misuse::Freed => &["accesses memory that has been freed"],
            Misuse::FreedTwice => &["frees memory that has been freed already"],
            Misuse::NotAllocated => &["frees what is not the start of an allocated block"],
        }
    }
}

/// An index: a constant, in the text or at run time.
#[derive(Clone, Copy, Debug)]
struct Index(i64, bool);

impl Index {
    fn text(self) -> String {
        if self.1 {
            format!("zero + {}", self.0)
        } else {
            self.0.to_string()
        }
    }
}

#[derive(Clone, Debug)]
enum Stmt {
    Point(usize, usize, Index),
    Move(usize, usize, Index),
    Allocate(usize, bool),
    Forget(usize),
    Free(usize),
    /// The pointer is stored and loaded.
    Hide(usize),
    Store(usize, Index, i32),
    Load(usize, usize, Index),
    Set(usize, i32),
    Copy(usize, usize),
    If(bool, Vec<Stmt>),
}

fn stmt(random: &mut Random, depth: usize) -> Stmt {
    let pointer = random.below(POINTERS);
    let small = Index(random.below(3) as i64, random.rarely(2));
    let any = Index(random.below(6) as i64 - 2, random.rarely(2));
    let index = if random.rarely(4) { any } else { small };
    let number = random.below(NUMBERS);
    match random.below(16) {
        0..=2 => Stmt::Point(pointer, random.below(ARRAYS.len()), index),
        3 => Stmt::Move(pointer, random.below(POINTERS), index),
        4 | 5 => Stmt::Allocate(pointer, random.rarely(2)),
        6 if random.rarely(3) => Stmt::Forget(pointer),
        6 | 7 => Stmt::Free(pointer),
        8 => Stmt::Hide(pointer),
        9..=11 => Stmt::Store(pointer, index, random.below(100) as i32),
        12 => Stmt::Load(number, pointer, index),
        13 => Stmt::Set(number, random.below(100) as i32),
        14 => Stmt::Copy(number, random.below(NUMBERS)),
        _ if depth > 0 => {
            let taken = random.rarely(2);
            let body = (0..=random.below(3)).map(|_| stmt(random, depth - 1));
            Stmt::If(taken, body.collect())
        }
        _ => Stmt::Hide(pointer),
    }
}

fn text_of(stmts: &[Stmt], out: &mut String) {
    for stmt in stmts {
        let line = match stmt {
            Stmt::Point(p, array, i) => format!("p{p} = {} + ({});", ARRAYS[*array].0, i.text()),
            Stmt::Move(p, q, i) => format!("p{p} = p{q} + ({});", i.text()),
            Stmt::Allocate(p, true) => format!("p{p} = (int *)calloc(2, sizeof(int));"),
            Stmt::Allocate(p, false) => format!("p{p} = malloc(2 * sizeof(int));"),
            Stmt::Forget(p) => format!("p{p} = 0;"),
            Stmt::Free(p) => format!("free(p{p});"),
            Stmt::Hide(p) => format!("hidden = p{p}; p{p} = hidden;"),
            Stmt::Store(p, i, value) => format!("p{p}[{}] = {value};", i.text()),
            Stmt::Load(v, p, i) => format!("v{v} = p{p}[{}];", i.text()),
            Stmt::Set(v, value) => format!("v{v} = {value};"),
            Stmt::Copy(v, w) => format!("v{v} = v{w} + 1;"),
            Stmt::If(taken, body) => {
                let condition = if *taken { "one" } else { "zero" };
                let mut inner = String::new();
                text_of(body, &mut inner);
                format!("if ({condition}) {{\n{inner}}}")
            }
        };
        out.push_str(&line);
        out.push('\n');
    }
}

/// The program, which asserts these final values.
fn program(stmts: &[Stmt], values: &[Option<i32>], in_thread: bool) -> String {
    let mut body = String::new();
    text_of(stmts, &mut body);
    for (v, value) in values.iter().enumerate() {
        if let Some(value) = value {
            let _ = writeln!(body, "assert(v{v} == {value});");
        }
    }
    let (head, tail) = if in_thread {
        (
            "static void *body(void *unused) {",
            "return NULL; }\nint main(void) { pthread_t t; pthread_create(&t, NULL, body, NULL);\n\
             pthread_join(t, NULL); return 0; }",
        )
    } else {
        ("int main(void) {", "return 0; }")
    };
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n\
         static volatile int zero, one = 1;\nstatic int *volatile hidden;\n\
         static int g[3] = {{10, 10, 10}}, h[2] = {{20, 20}};\n\
         {head}\nint l[2], v0, v1, *p0, *p1, *p2;\n{body}{tail}\n"
    )
}

#[derive(Clone, Copy, Debug)]
enum Pointer {
    Null,
    /// An object, and an element of it.
    To(usize, i64),
}

struct Object {
    cells: Vec<Option<i32>>,
    on_heap: bool,
    freed: bool,
    /// What reading a cell without a value is.
    empty: Misuse,
}

struct Machine {
    objects: Vec<Object>,
    pointers: [Option<Pointer>; POINTERS],
    numbers: [Option<i32>; NUMBERS],
}

impl Machine {
    fn new() -> Self {
        let objects = ARRAYS.iter().map(|(_, size, value)| Object {
            cells: vec![*value; *size],
            on_heap: false,
            freed: false,
            empty: Misuse::Unset,
        });
        Self {
            objects: objects.collect(),
            pointers: [None; POINTERS],
            numbers: [None; NUMBERS],
        }
    }

    fn moved(&self, p: usize, by: i64) -> Result<Pointer, Misuse> {
        match self.pointers[p].ok_or(Misuse::Unset)? {
            Pointer::Null if by == 0 => Ok(Pointer::Null),
            Pointer::Null => Err(Misuse::Bounds),
            Pointer::To(object, at) => {
                let size = self.objects[object].cells.len() as i64;
                let inside = (0..=size).contains(&(at + by));
                inside
                    .then_some(Pointer::To(object, at + by))
                    .ok_or(Misuse::Bounds)
            }
        }
    }

    fn cell(&mut self, p: usize, by: i64) -> Result<(&mut Option<i32>, Misuse), Misuse> {
        match self.moved(p, by)? {
            Pointer::Null => Err(Misuse::Null),
            Pointer::To(object, at) => {
                let object = &mut self.objects[object];
                let (freed, empty) = (object.freed, object.empty);
                let cell = object.cells.get_mut(at as usize).ok_or(Misuse::Bounds)?;
                if freed {
                    return Err(Misuse::Freed);
                }
                Ok((cell, empty))
            }
        }
    }

    fn run(&mut self, stmts: &[Stmt]) -> Result<(), Misuse> {
        stmts.iter().try_for_each(|stmt| self.step(stmt))
    }

    fn step(&mut self, stmt: &Stmt) -> Result<(), Misuse> {
        match stmt {
            Stmt::Point(p, array, Index(by, _)) => {
                self.pointers[*p] = Some(Pointer::To(*array, 0));
                self.pointers[*p] = Some(self.moved(*p, *by)?);
            }
            Stmt::Move(p, q, Index(by, _)) => self.pointers[*p] = Some(self.moved(*q, *by)?),
            Stmt::Allocate(p, cleared) => {
                self.objects.push(Object {
                    cells: vec![cleared.then_some(0); 2],
                    on_heap: true,
                    freed: false,
                    empty: Misuse::Unwritten,
                });
                self.pointers[*p] = Some(Pointer::To(self.objects.len() - 1, 0));
            }
            Stmt::Forget(p) => self.pointers[*p] = Some(Pointer::Null),
            Stmt::Free(p) => match self.pointers[*p].ok_or(Misuse::Unset)? {
                Pointer::Null => {}
                Pointer::To(object, 0) if self.objects[object].on_heap => {
                    let object = &mut self.objects[object];
                    if std::mem::replace(&mut object.freed, true) {
                        return Err(Misuse::FreedTwice);
                    }
                }
                Pointer::To(..) => return Err(Misuse::NotAllocated),
            },
            Stmt::Hide(p) => {
                self.pointers[*p].ok_or(Misuse::Unset)?;
            }
            Stmt::Store(p, Index(by, _), value) => *self.cell(*p, *by)?.0 = Some(*value),
            Stmt::Load(v, p, Index(by, _)) => {
                let (cell, empty) = self.cell(*p, *by)?;
                self.numbers[*v] = Some(cell.ok_or(empty)?);
            }
            Stmt::Set(v, value) => self.numbers[*v] = Some(*value),
            Stmt::Copy(v, w) => {
                let value = self.numbers[*w].ok_or(Misuse::Unset)?;
                self.numbers[*v] = Some(value + 1);
            }
            Stmt::If(taken, body) => {
                if *taken {
                    self.run(body)?;
                }
            }
        }
        Ok(())
    }
}

/// The answer about a program, in words.
fn answer(text: &str) -> String {
    let parsed = parse_as(Format::C, text);
    let Some(program) = parsed.program else {
        return format!("{:?}", parsed.diagnostics);
    };
    let options = CheckOptions::new(Model::Sc).engine(Engine::Explicit);
    let report = check(&program, &options, &Budget::default()).expect("no defect");
    let source = Source::of(&program).text(text).format(Format::C);
    shown(&report, source)
}

fn shown(report: &CheckReport, source: Source<'_>) -> String {
    let text = source.show(report).to_string();
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

fn agrees(seed: u64, in_thread: bool) {
    let mut random = Random(seed);
    let length = 3 + random.below(8);
    let stmts: Vec<Stmt> = (0..length).map(|_| stmt(&mut random, 2)).collect();
    let mut machine = Machine::new();
    if let Err(misuse) = machine.run(&stmts) {
        let text = program(&stmts, &[], in_thread);
        let answer = answer(&text);
        let mut sentences = misuse.sentences().iter();
        assert!(
            sentences.any(|sentence| answer.contains(sentence)),
            "seed {seed}: {misuse:?}, not\n{answer}\nin\n{text}"
        );
        return;
    }
    let text = program(&stmts, &machine.numbers, in_thread);
    let right = answer(&text);
    let is_right = right.contains("Holds") || right.contains("Nothing to check");
    assert!(is_right, "seed {seed}: {right}\nin\n{text}");
    if let Some(at) = machine.numbers.iter().position(Option::is_some) {
        let mut numbers = machine.numbers;
        numbers[at] = numbers[at].map(|value| value + 1);
        let text = program(&stmts, &numbers, in_thread);
        let wrong = answer(&text);
        assert!(
            wrong.contains(" fails `"),
            "seed {seed}: {wrong}\nin\n{text}"
        );
    }
}

#[test]
fn the_first_misuse_of_memory_by_main_alone_is_found() {
    for seed in 0..u64::from(config(150).cases) {
        agrees(seed, false);
    }
}

#[test]
fn the_first_misuse_of_memory_by_a_thread_is_found() {
    for seed in 0..u64::from(config(150).cases) {
        agrees(seed, true);
    }
}

#[test]
fn an_object_that_may_be_of_another_size_leaves_the_answer_open() {
    let text = "#include <assert.h>\n#include <pthread.h>\n\
         static int x = 258; static char y = 2; static volatile int choose = CHOICE;\n\
         static void *volatile p;\n\
         static void *thread(void *unused) { p = choose ? (void *)&x : (void *)&y; return NULL; }\n\
         int main(void) { pthread_t t; pthread_create(&t, NULL, thread, NULL);\n\
         pthread_join(t, NULL); char *c = p; assert(*c == 2); return 0; }\n";
    let wrong = answer(&text.replace("CHOICE", "1"));
    let open = "uses an object as one of another size or structure";
    assert!(
        wrong.starts_with("Undecided") && wrong.contains(open),
        "{wrong}"
    );
    let right = answer(&text.replace("CHOICE", "0"));
    assert!(right.starts_with("Holds"), "{right}");
}

/// The lazy engine must not overlook that a value leaves 32 bits.
#[test]
fn no_engine_answers_beyond_the_values_that_are_covered() {
    let text = "
        #include <assert.h>
        #include <pthread.h>
        #include <stdatomic.h>
        atomic_int x;
        atomic_long q;
        void *t(void *unused) {
            atomic_store(&q, 2147483647L);
            atomic_fetch_add(&q, 1);
            assert(q < 2147483648L);
            return 0;
        }
        int main(void) {
            pthread_t p;
            pthread_create(&p, 0, t, 0);
            atomic_store(&x, 1);
            pthread_join(p, 0);
        }";
    let parsed = parse_as(Format::C, text);
    let program = parsed.program.expect("it has no errors");
    for engine in [Engine::Auto, Engine::Bmc, Engine::Explicit, Engine::Lazy] {
        let options = CheckOptions::new(Model::Tso).engine(engine);
        let report = check(&program, &options, &Budget::default()).expect("no defect");
        assert_eq!(report.verdict().word(), "unknown", "{}", engine.name());
    }
}

/// What only a value beyond 32 bits leads to is not in the program at all, so the limits that it reaches
/// are the only sign of it.
#[test]
fn no_answer_is_about_less_than_the_text_beyond_the_values_that_are_covered() {
    let text = "
        #include <assert.h>
        #include <pthread.h>
        #include <stdatomic.h>
        static unsigned narrow = 1;
        static long long wide;
        static atomic_int x, y;
        static int a, b;
        static void *writer(void *unused) { narrow = STORED; return 0; }
        static void *first(void *unused) {
            wide = narrow;
            atomic_store_explicit(&x, 1, memory_order_relaxed);
            if (wide == 4294967167LL) {
                a = atomic_load_explicit(&y, memory_order_relaxed);
                CHECKED
            }
            return 0;
        }
        static void *second(void *unused) {
            atomic_store_explicit(&y, 1, memory_order_relaxed);
            b = atomic_load_explicit(&x, memory_order_relaxed);
            return 0;
        }
        int main(void) {
            pthread_t p, q;
            pthread_create(&p, 0, writer, 0);
            pthread_join(p, 0);
            pthread_create(&p, 0, first, 0);
            pthread_create(&q, 0, second, 0);
            pthread_join(p, 0);
            pthread_join(q, 0);
            OTHER
        }";
    let budget = Budget::default();
    // The same for any number of threads, under SC, where that is decided.
    let many = "
        #include <assert.h>
        #include <pthread.h>
        static unsigned narrow = 1;
        static int seen;
        int __VERIFIER_nondet_int(void);
        static void *writer(void *unused) { narrow = STORED; return 0; }
        static void *reader(void *unused) {
            long long wide = narrow;
            CHECKED
            return 0;
        }
        int main(void) {
            pthread_t p, q;
            pthread_create(&p, 0, writer, 0);
            while (__VERIFIER_nondet_int())
                pthread_create(&q, 0, reader, 0);
            return 0;
        }";
    for (stored, word) in [("4294967167u", "violated"), ("5u", "holds")] {
        for checked in [
            "assert(wide != 4294967167LL);",
            "assert(wide != 4294967167LL); assert(seen == 0);",
            "if (wide == 4294967167LL) assert(0);",
        ] {
            let text = many.replace("STORED", stored).replace("CHECKED", checked);
            let program = parse_as(Format::C, &text).program.expect("no errors");
            assert!(program.is_parametric(), "{text}");
            let report = check(&program, &CheckOptions::new(Model::Sc), &budget);
            let report = report.expect("no defect");
            assert_eq!(report.verdict().word(), word, "{text}");
            let words = shown(&report, Source::of(&program).text(&text).format(Format::C));
            assert_eq!(
                words.contains("leaves 32 bits"),
                word == "unknown",
                "{words}"
            );
        }
    }
    for (stored, word) in [("4294967167u", "violated"), ("5u", "holds")] {
        for checked in ["assert(0);", "assert(a == 1);", ""] {
            // Without an assertion there, only the loads and stores differ.
            let answer = if checked.is_empty() { "holds" } else { word };
            for other in ["assert(b <= 1);", ""] {
                let text = text.replace("STORED", stored);
                let text = text.replace("CHECKED", checked).replace("OTHER", other);
                let parsed = parse_as(Format::C, &text);
                let program = parsed.program.expect("it has no errors");
                let checked = check(&program, &CheckOptions::new(Model::Tso), &budget);
                assert_eq!(
                    checked.expect("no defect").verdict().word(),
                    answer,
                    "{text}"
                );
                let robust = robust(&program, &RobustOptions::new(Model::Tso), &budget);
                assert_eq!(robust.expect("no defect").verdict().word(), word, "{text}");
            }
        }
    }
}

/// Store buffering of which both loads are executed for such a value only: no attack is left in the program
/// but those that are ruled out statically, whatever the values are.
#[test]
fn attacks_that_only_a_value_beyond_those_covered_makes_possible_are_not_ruled_out() {
    let text = "
        #include <pthread.h>
        #include <stdatomic.h>
        static atomic_uint narrow = 1;
        static atomic_int x, y;
        static int a, b;
        static void *writer(void *unused) {
            atomic_store_explicit(&narrow, STORED, memory_order_relaxed);
            return 0;
        }
        static void *first(void *unused) {
            long long wide = atomic_load_explicit(&narrow, memory_order_relaxed);
            atomic_store_explicit(&x, 1, memory_order_relaxed);
            if (wide == 4294967167LL)
                a = atomic_load_explicit(&y, memory_order_relaxed);
            return 0;
        }
        static void *second(void *unused) {
            long long wide = atomic_load_explicit(&narrow, memory_order_relaxed);
            atomic_store_explicit(&y, 1, memory_order_relaxed);
            if (wide == 4294967167LL)
                b = atomic_load_explicit(&x, memory_order_relaxed);
            return 0;
        }
        int main(void) {
            pthread_t p, q, r;
            pthread_create(&r, 0, writer, 0);
            pthread_create(&p, 0, first, 0);
            pthread_create(&q, 0, second, 0);
            pthread_exit(0);
        }";
    for (stored, word) in [("4294967167u", "violated"), ("5u", "holds")] {
        let parsed = parse_as(Format::C, &text.replace("STORED", stored));
        let program = parsed.program.expect("it has no errors");
        let report = robust(
            &program,
            &RobustOptions::new(Model::Tso),
            &Budget::default(),
        );
        assert_eq!(report.expect("no defect").verdict().word(), word);
    }
}
