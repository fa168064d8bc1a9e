//! Threads that a loop in C or Rust creates in any number: the same verdicts as for `[*]`, and for each
//! small number of them.

#![allow(clippy::expect_used, reason = "a text that is not read has failed")]

use crate::support::config::config;
use fencepost::internals::check::{CheckOptions, CheckReport, Engine, check};
use fencepost::internals::formats::{Format, ParseOptions, parse_as, parse_with, render};
use fencepost::internals::model::Model;
use fencepost::internals::races::race_warnings;
use fencepost::internals::robustness::{RobustOptions, RobustReport, robust};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Copies, Program};
use proptest::prelude::*;

/// The largest number of threads that the laws compare with.
const MOST: usize = 3;

/// A statement of a thread, over the cells `x` and `y` and its own `r`.
#[derive(Clone, Debug)]
enum Step {
    Store(char, i32),
    Load(char),
    Swap(char, i32),
    Fence,
    If(i32, Box<Step>),
    Spin(char, i32),
    Locked(Vec<Step>),
    Assert(i32),
}

/// A program: a thread `other`, and any number of copies of `worker`.
#[derive(Clone, Debug)]
struct Draft {
    before: Vec<Step>,
    other: Option<(bool, Vec<Step>)>,
    worker: Vec<Step>,
    after: Vec<Step>,
    joins: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Language {
    Fence,
    C,
    Rust,
}

impl Step {
    fn text(&self, language: Language) -> String {
        let all = |steps: &[Step]| texts(steps, language);
        match (self, language) {
            (Step::Store(c, v), Language::Fence) => format!("{c} = {v};"),
            (Step::Store(c, v), Language::C) => {
                format!("atomic_store_explicit(&{c}, {v}, memory_order_relaxed);")
            }
            (Step::Store(c, v), Language::Rust) => format!("{}.store({v}, Relaxed);", upper(*c)),
            (Step::Load(c), Language::Fence) => format!("r = {c};"),
            (Step::Load(c), Language::C) => {
                format!("r = atomic_load_explicit(&{c}, memory_order_relaxed);")
            }
            (Step::Load(c), Language::Rust) => format!("r = {}.load(Relaxed);", upper(*c)),
            (Step::Swap(c, v), Language::Fence) => format!("r = xchg({c}, {v});"),
            (Step::Swap(c, v), Language::C) => format!("r = atomic_exchange(&{c}, {v});"),
            (Step::Swap(c, v), Language::Rust) => format!("r = {}.swap({v}, SeqCst);", upper(*c)),
            (Step::Fence, Language::Fence) => "fence;".to_owned(),
            (Step::Fence, Language::C) => "atomic_thread_fence(memory_order_seq_cst);".to_owned(),
            (Step::Fence, Language::Rust) => "fence(SeqCst);".to_owned(),
            (Step::If(v, then), Language::Rust) => {
                format!("if r == {v} {{ {} }}", then.text(language))
            }
            (Step::If(v, then), Language::Fence | Language::C) => {
                format!("if (r == {v}) {{ {} }}", then.text(language))
            }
            (Step::Spin(c, v), Language::Fence) => format!("while ({c} == {v}) {{ }}"),
            (Step::Spin(c, v), Language::C) => {
                format!("while (atomic_load_explicit(&{c}, memory_order_relaxed) == {v}) ;")
            }
            (Step::Spin(c, v), Language::Rust) => {
                format!("while {}.load(Relaxed) == {v} {{}}", upper(*c))
            }
            (Step::Locked(steps), Language::Fence) => {
                format!("do {{ s = xchg(l, 1); }} while (s); {} l = 0;", all(steps))
            }
            (Step::Locked(steps), Language::C) => format!(
                "while (atomic_exchange(&l, 1)) ; {} \
                 atomic_store_explicit(&l, 0, memory_order_relaxed);",
                all(steps)
            ),
            (Step::Locked(steps), Language::Rust) => format!(
                "while L.swap(1, SeqCst) == 1 {{}} {} L.store(0, Relaxed);",
                all(steps)
            ),
            (Step::Assert(v), Language::Rust) => format!("assert!(r != {v});"),
            (Step::Assert(v), Language::C) => format!("assert(r != {v});"),
            // A program in C or Rust ends where an assertion fails.
            (Step::Assert(v), Language::Fence) => format!("assert(r != {v}); assume(r != {v});"),
        }
    }
}

fn upper(c: char) -> char {
    c.to_ascii_uppercase()
}

fn texts(steps: &[Step], language: Language) -> String {
    let all: Vec<String> = steps.iter().map(|step| step.text(language)).collect();
    all.join(" ")
}

impl Draft {
    /// In the language of this project, with `[*]`.
    fn fence(&self) -> String {
        let all = |steps: &[Step]| texts(steps, Language::Fence);
        let (create, other) = match &self.other {
            None => ("", String::new()),
            Some((true, steps)) => ("", all(steps)),
            Some((false, steps)) => (
                "s = xchg(so, 1);",
                format!("assume(so == 1); {}", all(steps)),
            ),
        };
        let other = match self.other {
            Some(_) => format!("thread other {{ local r, s; {other} }}\n"),
            None => String::new(),
        };
        format!(
            "shared x, y, l, so, sw;\n\
             thread main {{ local r, s; {} {create} \
             choose {{ s = xchg(sw, 1); }} or {{ skip; }} {} }}\n{other}\
             thread worker[*] {{ local r, s; assume(sw == 1); {} }}\n",
            all(&self.before),
            all(&self.after),
            all(&self.worker)
        )
    }

    /// In C; the number of workers is `N`, or not known.
    fn c(&self) -> String {
        let all = |steps: &[Step]| texts(steps, Language::C);
        let create = "pthread_create(&o, 0, other, 0);";
        let (early, late, other) = match &self.other {
            None => ("", "", String::new()),
            Some((true, steps)) => (create, "", all(steps)),
            Some((false, steps)) => ("", create, all(steps)),
        };
        let join = if self.joins {
            "for (int i = 0; i < n; i++) pthread_join(t[i], 0);"
        } else {
            ""
        };
        format!(
            "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
             extern int __VERIFIER_nondet_int(void);\n\
             #ifndef N\n#define N __VERIFIER_nondet_int()\n#endif\n\
             atomic_int x, y, l;\n\
             void *worker(void *unused) {{ int r = 0; {} return 0; }}\n\
             void *other(void *unused) {{ int r = 0; {other} return 0; }}\n\
             int main(void) {{ pthread_t o, t[9]; int r = 0; {early} {} {late}\n\
             int n = N; for (int i = 0; i < n; i++) pthread_create(&t[i], 0, worker, 0);\n\
             {} {join} return 0; }}\n",
            all(&self.worker),
            all(&self.before),
            all(&self.after)
        )
    }

    /// In Rust, with two workers.
    fn rust(&self) -> String {
        let all = |steps: &[Step]| texts(steps, Language::Rust);
        let spawn =
            |steps: &[Step]| format!("thread::spawn(|| {{ let mut r = 0; {} }});", all(steps));
        let (early, late) = match &self.other {
            None => (String::new(), String::new()),
            Some((true, steps)) => (spawn(steps), String::new()),
            Some((false, steps)) => (String::new(), spawn(steps)),
        };
        let worker = spawn(&self.worker);
        let create = if self.joins {
            let worker = worker.trim_end_matches(';');
            format!(
                "let all: Vec<_> = (0..2).map(|_| {worker}).collect(); {} \
                 for one in all {{ one.join().unwrap(); }}",
                all(&self.after)
            )
        } else {
            format!("for _ in 0..2 {{ {worker} }} {}", all(&self.after))
        };
        format!(
            "#![allow(unused)]\nuse std::sync::atomic::{{AtomicI32, Ordering::*, fence}};\n\
             use std::thread;\n\
             static X: AtomicI32 = AtomicI32::new(0);\nstatic Y: AtomicI32 = AtomicI32::new(0);\n\
             static L: AtomicI32 = AtomicI32::new(0);\n\
             fn main() {{ let mut r = 0; {early} {} {late} {create} }}\n",
            all(&self.before)
        )
    }
}

fn read(format: Format, text: &str, options: &ParseOptions) -> Program {
    let parsed = parse_with(format, text, options);
    let shown = render(&parsed.diagnostics, "program", text, false);
    parsed.program.unwrap_or_else(|| panic!("{text}\n{shown}"))
}

fn budget() -> Budget {
    Budget::default().with_states(200_000)
}

fn checked(program: &Program, model: Model) -> CheckReport {
    let any = program
        .thread_ids()
        .any(|id| program.thread(id).copies() == Copies::Any);
    let engine = if any { Engine::Auto } else { Engine::Explicit };
    let mut options = CheckOptions::new(model).engine(engine);
    options.note_unreachable = false;
    check(program, &options, &budget()).expect("no defect")
}

fn attacked(program: &Program, model: Model) -> RobustReport {
    let mut options = RobustOptions::new(model);
    options.until = fencepost::internals::check::Until::Violated;
    robust(program, &options, &budget()).expect("no defect")
}

/// The number of copies that a report needs, if it has a run.
fn needed(any: Option<&fencepost::internals::check::AnyNumber>) -> usize {
    let copies = any.map(|any| any.copies.iter().map(|(_, count)| *count));
    copies.and_then(Iterator::max).unwrap_or(0)
}

/// What is said of a program with any number of threads: the word, and the number of copies.
fn answers(program: &Program, model: Model) -> [(&'static str, usize); 2] {
    let checked = checked(program, model);
    let attacked = (model != Model::Sc).then(|| attacked(program, model));
    [
        (checked.verdict().word(), needed(checked.any_number())),
        attacked.map_or(("unknown", 0), |report| {
            (report.verdict().word(), needed(report.any_number()))
        }),
    ]
}

fn simple() -> impl Strategy<Value = Step> {
    let cell = || prop::sample::select(vec!['x', 'y']);
    prop_oneof![
        3 => (cell(), 0..3).prop_map(|(c, v)| Step::Store(c, v)),
        3 => cell().prop_map(Step::Load),
        1 => (cell(), 0..3).prop_map(|(c, v)| Step::Swap(c, v)),
        1 => Just(Step::Fence),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let cell = prop::sample::select(vec!['x', 'y']);
    prop_oneof![
        6 => simple(),
        2 => (0..3, simple()).prop_map(|(v, then)| Step::If(v, Box::new(then))),
        1 => (cell, 0..3).prop_map(|(c, v)| Step::Spin(c, v)),
        2 => prop::collection::vec(simple(), 1..3).prop_map(Step::Locked),
        2 => (0..3).prop_map(Step::Assert),
    ]
}

fn draft() -> impl Strategy<Value = Draft> {
    let other = prop::option::weighted(0.5, (any::<bool>(), prop::collection::vec(step(), 1..3)));
    (
        prop::collection::vec(simple(), 0..3),
        other,
        prop::collection::vec(step(), 1..5),
        prop::collection::vec(step(), 0..3),
        any::<bool>(),
        1..3,
    )
        .prop_map(|(before, other, mut worker, after, joins, asserted)| {
            worker.push(Step::Assert(asserted));
            // `main` does nothing more once it has waited, so what it does comes before that.
            Draft {
                before,
                other,
                worker,
                after,
                joins,
            }
        })
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn threads_created_in_any_number_are_copies(
        draft in draft(),
        model in prop::sample::select(vec![Model::Sc, Model::Tso, Model::Pso]),
    ) {
        let [fence, c, rust] = [draft.fence(), draft.c(), draft.rust()];
        let any = ParseOptions::new().any_number();
        let own = answers(&read(Format::Fence, &fence, &ParseOptions::new()), model);
        let unknown = read(Format::C, &c, &ParseOptions::new());
        let is_any = |program: &Program| {
            let copies = program.thread_ids().filter(|&id| program.thread(id).copies() == Copies::Any);
            copies.count() == 1
        };
        prop_assert!(is_any(&unknown), "{}", c);
        let found = answers(&unknown, model);
        // The option has the same effect, whatever the text says.
        let chosen = read(Format::C, &c, &any.clone().define("N", "2"));
        let chosen = answers(&chosen, model);
        let rust = answers(&read(Format::Rust, &rust, &any), model);
        for question in 0..2 {
            for (word, copies) in [own[question], rust[question], chosen[question]] {
                let all = [word, found[question].0];
                if !all.contains(&"unknown") && !all.contains(&"within") {
prop_assert_eq!(word, found[question].0, "{}\n{}\n{}", model, fence, c);
                    // Which of several attacks is shown first may differ.
                    if question == 0 && model == Model::Sc {
                        prop_assert_eq!(copies, found[0].1, "{}\n{}", fence, c);
                    }
                }
            }
        }
        // With no thread at all, `main` goes on without having drained its buffer.
        // Where it does nothing either, there is no program.
        let none = parse_with(Format::C, &c, &ParseOptions::new().define("N", "0"));
        let none = none.program.map_or([false; 2], |none| {
            [
                checked(&none, model).verdict().word() == "violated",
                model != Model::Sc && attacked(&none, model).verdict().word() == "violated",
            ]
        });
        prop_assert!(!(none[0] && found[0].0 == "holds"), "{}", c);
        prop_assert!(!(none[1] && found[1].0 == "holds"), "{}", c);
        for number in 1..=MOST {
            let fixed = ParseOptions::new().define("N", number.to_string());
            let fixed = read(Format::C, &c, &fixed);
            let checked = checked(&fixed, model);
            if !none[0] {
 agrees(&checked.verdict(), found[0], number, model == Model::Sc, &c)?;
 }
            if found[1].0 != "unknown" && !none[1] {
                let attacked = attacked(&fixed, model);
                agrees(&attacked.verdict(), found[1], number, false, &c)?;
            }
        }
    }
}

/// What holds for any number of threads holds for this one, and what is violated with so many is.
fn agrees<W>(
    one: &Verdict<W>,
    (word, copies): (&str, usize),
    number: usize,
    is_least: bool,
    text: &str,
) -> Result<(), TestCaseError> {
    let violated = matches!(one, Verdict::Violated(_));
    let holds = matches!(one, Verdict::Holds);
    prop_assert!(!(word == "holds" && violated), "{number}: {text}");
    prop_assert!(
        !(word == "violated" && number >= copies && holds),
        "{number}: {text}"
    );
    let is_fewer = word == "violated" && is_least && number < copies;
    prop_assert!(!(is_fewer && violated), "{number}: {text}");
    Ok(())
}

/// What the errors in a text say.
fn errors(format: Format, text: &str, options: &ParseOptions) -> Vec<String> {
    let parsed = parse_with(format, text, options);
    let errors = parsed.diagnostics.iter();
    let errors =
        errors.filter(|one| one.severity == fencepost::internals::formats::Severity::Error);
    errors.map(|one| one.message.clone()).collect()
}

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
    #include <stdio.h>\n#include <stdlib.h>\n\
    extern int __VERIFIER_nondet_int(void);\nextern _Bool __VERIFIER_nondet_bool(void);\nextern void __VERIFIER_assume(int);\n\
    atomic_int x, y; int plain; int *volatile shared; pthread_t t[8]; pthread_mutex_t m; _Thread_local int own;\n\
    void *worker(void *unused) { x = 1; assert(x == 1); return 0; }\n\
    void *with(void *argument) { x = (int) (long) argument; return 0; }\n\
    void *taken(void *unused) { int v = 0; shared = &v; v = 1; return 0; }\n\
    void *thread_local(void *unused) { own = own + 1; return 0; }\n\
    void *self(void *unused) { pthread_t s = pthread_self(); t[0] = s; return 0; }\n\
    void *allocating(void *unused) { int *p = malloc(sizeof(int)); *p = 1; free(p); return 0; }\n\
    void *unlocking(void *unused) { pthread_mutex_unlock(&m); return 0; }\n\
    void *locking(void *unused) { pthread_mutex_lock(&m); plain = plain + 1; \
      pthread_mutex_unlock(&m); return 0; }\n\
    void *creating(void *unused) { pthread_t u; pthread_create(&u, 0, worker, 0); return 0; }\n";

/// Bodies of `main`, whether it needs the option, and what is refused, if anything is.
const CASES: [(&str, bool, Option<&str>); 32] = [
    (
        "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, worker, 0);",
        false,
        None,
    ),
    (
        "for (int i = 0; i != n; ++i) pthread_create(&t[i], 0, locking, 0);",
        false,
        None,
    ),
    (
        "int i = 0; while (n > i) { pthread_create(&t[0], 0, worker, 0); i += 2; }",
        false,
        None,
    ),
    (
        "while (__VERIFIER_nondet_int()) pthread_create(t, 0, worker, 0);",
        false,
        None,
    ),
    ("for (;;) pthread_create(t, 0, worker, 0);", false, None),
    (
        "__VERIFIER_assume(n > 0); for (int i = 0; i < n; i++) pthread_create(t, 0, worker, 0);",
        false,
        None,
    ),
    (
        "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, worker, (void *) (long) i);",
        false,
        None,
    ),
    (
        "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, with, (void *) 3);",
        false,
        None,
    ),
    (
        "for (int i = 0; i < n; i++) { pthread_create(&t[i], 0, worker, 0); \
      pthread_create(&t[i], 0, locking, 0); }",
        false,
        None,
    ),
    (
        "for (int i = 0; i < n; i++) if (pthread_create(&t[i], 0, worker, 0)) abort(); \
      for (int i = 0; i < n; i++) { void *r; if (pthread_join(t[i], &r)) abort(); } \
      printf(\"done\\n\");",
        false,
        None,
    ),
    (
        "for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0); int i; \
      for (i = 0; i < 2; i++) pthread_join(t[i], 0); i = 3;",
        true,
        None,
    ),
    // The number of threads matters.
    (
        "__VERIFIER_assume(n < 5); for (int i = 0; i < n; i++) pthread_create(t, 0, worker, 0);",
        false,
        Some("how many threads there are matters here"),
    ),
    (
        "for (int i = 0; i < n; i++) pthread_create(t, 0, worker, 0); x = n;",
        false,
        Some("how many threads there are matters here"),
    ),
    (
        "int i; for (i = 0; i < n; i++) pthread_create(t, 0, worker, 0); x = i;",
        false,
        Some("this depends on how many threads a loop creates"),
    ),
    (
        "int i, j; for (i = 0; i < n; i++) pthread_create(t, 0, worker, 0); j = i + 1; assert(j > 0);",
        false,
        Some("this depends on how many threads a loop creates"),
    ),
    (
        "for (int i = 0; i < n && i < 4; i++) pthread_create(t, 0, worker, 0);",
        false,
        None,
    ),
    (
        "for (int i = 0; i < (unsigned char) n; i++) pthread_create(t, 0, worker, 0); x = 1;",
        false,
        Some("the number of iterations of this loop is not known"),
    ),
    // The threads are told apart.
    (
        "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, with, (void *) (long) i);",
        false,
        Some("any number of threads execute `with`, and what each is called with"),
    ),
    (
        "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, taken, 0);",
        false,
        Some("any number of threads execute `taken`, and each has"),
    ),
    (
        "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, thread_local, 0);",
        false,
        Some("and each has thread-local variables"),
    ),
    (
        "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, self, 0);",
        false,
        Some("any number of threads execute `self`, and each has a handle"),
    ),
    (
        "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, allocating, 0);",
        false,
        Some("any number of threads execute `allocating`, and each has"),
    ),
    (
        "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, unlocking, 0);",
        false,
        Some("whether this thread holds the lock is not known"),
    ),
    (
        "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, creating, 0);",
        false,
        Some("any number of threads execute `creating`, and each has threads of its own"),
    ),
    // What `main` does.
    (
        "for (int i = 0; i < n; i++) { pthread_create(t, 0, worker, 0); x = 2; }",
        false,
        Some("a loop that creates any number of threads does more than that"),
    ),
    (
        "for (int i = 0; i < n; i++) { if (__VERIFIER_nondet_int()) pthread_create(t, 0, worker, 0); }",
        false,
        Some("which threads are created in each iteration is not known"),
    ),
    (
        "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, worker, 0); \
      for (int i = 0; i < n; i++) pthread_join(t[i], 0); assert(x == 1);",
        false,
        Some("what `main` does after any number of threads have ended is not decided"),
    ),
    (
        "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, worker, 0); \
      for (int i = 0; i < n; i++) { pthread_join(t[i], 0); x = 0; }",
        false,
        Some("a loop that waits for any number of threads does more than that"),
    ),
    (
        "pthread_create(&t[0], 0, locking, 0); \
      for (int i = 0; i < n; i++) pthread_create(&t[i], 0, worker, 0); pthread_join(t[0], 0);",
        false,
        Some("which thread is joined here is not known when the program is read"),
    ),
    (
        "for (int i = 0; i < n; i++) { int *p = malloc(4); pthread_create(&t[i], 0, worker, 0); }",
        false,
        Some("memory is allocated for each of any number of threads"),
    ),
    (
        "pthread_create(t, 0, worker, 0); for (int i = 0; i < 2; i++) x = i;",
        true,
        None,
    ),
    (
        "pthread_create(&t[0], 0, worker, 0); pthread_join(t[0], 0); assert(x == 1);",
        true,
        None,
    ),
];

#[test]
fn what_is_not_the_same_for_any_number_is_refused_with_its_place() {
    for (body, chosen, refused) in CASES {
        let text = format!(
            "{HEAD}int main(void) {{ int n = __VERIFIER_nondet_int(); {body} return 0; }}\n"
        );
        let options = if chosen {
            ParseOptions::new().any_number()
        } else {
            ParseOptions::new()
        };
        let errors = errors(Format::C, &text, &options);
        match refused {
            None => assert!(errors.is_empty(), "{body}: {errors:?}"),
            Some(why) => {
                let is_said = errors.iter().any(|error| error.contains(why));
                assert!(is_said, "{body}: {errors:?}");
            }
        }
    }
}

#[test]
fn threads_that_get_different_arguments_are_one_mistake() {
    let create = "pthread_create(&t[i], 0, with, (void *) (long) i);";
    for (chosen, bound) in [(false, "n"), (true, "3")] {
        let text = format!(
            "{HEAD}int main(void) {{ int n = __VERIFIER_nondet_int(); \
             for (int i = 0; i < {bound}; i++) {create} return 0; }}\n"
        );
        let options = if chosen {
            ParseOptions::new().any_number()
        } else {
            ParseOptions::new()
        };
        let parsed = parse_with(Format::C, &text, &options);
        let spans = parsed.diagnostics.iter().map(|one| &text[one.span.clone()]);
        assert_eq!(spans.collect::<Vec<_>>(), [create], "{bound}");
    }
}

#[test]
fn main_may_count_its_arguments() {
    let text = "#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\natomic_int x;\n\
        void *worker(void *unused) { x = 1; assert(x == 1); return 0; }\n\
        int main(int argc, char **argv) { pthread_t t; \
        for (int i = 1; i < argc; i++) pthread_create(&t, 0, worker, 0); return 0; }\n";
    let parsed = parse_as(Format::C, text);
    let program = parsed.program.expect("it is read");
    assert_eq!(program.thread_ids().count(), 1);
    let only = program.thread_ids().next().expect("it has one thread");
    assert_eq!(program.thread(only).copies(), Copies::Any);
}

#[test]
fn waiting_forever_is_refused_for_any_number_of_threads() {
    let text =
        format!("{HEAD}int main(void) {{ for (;;) pthread_create(t, 0, worker, 0); return 0; }}\n");
    let errors = errors(Format::C, &text, &ParseOptions::new().forbid_stuck());
    let why = "whether threads wait forever is not decided for any number of them";
    assert!(errors.iter().any(|error| error.contains(why)), "{errors:?}");
}

#[test]
fn two_copies_of_one_thread_race() {
    let body = "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, ";
    for (worker, races) in [("bare", true), ("locking", false)] {
        let text = format!(
            "{HEAD}void *bare(void *unused) {{ plain = 1; return 0; }}\n\
             int main(void) {{ int n = __VERIFIER_nondet_int(); {body}{worker}, 0); return 0; }}\n"
        );
        let parsed = parse_as(Format::C, &text);
        let found = race_warnings(&parsed, &Budget::default());
        assert_eq!(!found.is_empty(), races, "{worker}");
    }
}

#[test]
fn without_such_a_loop_the_option_has_no_effect_and_says_so() {
    let text = format!("{HEAD}int main(void) {{ pthread_create(t, 0, worker, 0); return 0; }}\n");
    let parsed = parse_with(Format::C, &text, &ParseOptions::new().any_number());
    let is_said = |one: &fencepost::internals::formats::Diagnostic| {
        one.message == "there is no loop here that creates any number of threads"
    };
    assert!(parsed.diagnostics.iter().any(is_said));
}

#[test]
fn copies_start_after_what_main_does_before_the_loop() {
    let other = "pthread_create(&t[0], 0, locking, 0);";
    let store = "atomic_store_explicit(&y, 1, memory_order_relaxed);";
    let create = "for (int i = 1; i < n; i++) pthread_create(&t[1], 0, looking, 0);";
    for (body, expected) in [
        (format!("{other} {store} {create}"), "holds"),
        (format!("{other} {create} {store}"), "violated"),
        // Without another thread, it is what memory holds at first.
        (format!("{store} {create}"), "holds"),
        (
            format!("if (__VERIFIER_nondet_bool()) {{ {store} {create} }}"),
            "holds",
        ),
    ] {
        let text = format!(
            "{HEAD}void *looking(void *unused) {{ assert(y == 1); return 0; }}\n\
             int main(void) {{ int n = __VERIFIER_nondet_int(); {body} return 0; }}\n"
        );
        let program = read(Format::C, &text, &ParseOptions::new());
        for model in [Model::Sc, Model::Tso, Model::Pso] {
            let report = checked(&program, model);
            assert_eq!(report.verdict().word(), expected, "{model}: {body}");
        }
    }
}
