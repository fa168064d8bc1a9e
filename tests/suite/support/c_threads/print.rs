//! Programs as C text, with the line of each statement.

use super::ast::{
    Action, Argument, Draft, Function, Gives, Locks, NAMED, Order, Sharing, Stmt, Takes,
};
use super::words::{Words, local, lock_of, order_of};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The number of empty lines before the second file: each statement has a line number of its own.
const APART: usize = 1000;

/// A program as text.
#[derive(Clone, Debug)]
pub struct Text {
    pub main: String,
    /// The second file.
    pub other: Option<String>,
    /// The statement of each line.
    pub lines: BTreeMap<usize, usize>,
}

/// The text of a program that asserts that the final values are among these; `None` asserts nothing.
pub fn print(draft: &Draft, finals: Option<&[Vec<i32>]>) -> Text {
    let mut printer = Printer {
        draft,
        words: Words(draft.locks),
        out: String::new(),
        lines: BTreeMap::new(),
        depth: 1,
        in_routine: false,
    };
    let (main, helpers) = draft.functions.split_last().expect("there is `main`");
    let is_helper = |function: &Function| function.gives != Gives::Result;
    printer.head(false);
    for (id, function) in helpers.iter().enumerate() {
        if draft.split && is_helper(function) {
            let _ = writeln!(printer.out, "{};", printer.signature(id));
        }
    }
    for (id, function) in helpers.iter().enumerate() {
        if !(draft.split && is_helper(function)) {
            printer.function(id, function);
        }
        if Some(&id) == draft.table.last() {
            printer.table();
        }
    }
    printer.main(main, finals);
    let main = std::mem::take(&mut printer.out);
    if !draft.split {
        let lines = printer.lines;
        let other = None;
        return Text { main, other, lines };
    }
    printer.out = "\n".repeat(APART);
    printer.head(true);
    for (id, function) in helpers.iter().enumerate() {
        if is_helper(function) {
            printer.function(id, function);
        }
        if Some(&id) == draft.table.last() {
            printer.table();
        }
    }
    Text {
        main,
        other: Some(printer.out),
        lines: printer.lines,
    }
}

struct Printer<'d> {
    draft: &'d Draft,
    words: Words,
    out: String,
    lines: BTreeMap<usize, usize>,
    depth: usize,
    in_routine: bool,
}

impl Printer<'_> {
    fn head(&mut self, again: bool) {
        let lock = match self.draft.locks {
            Locks::Mutex => "pthread_mutex_t",
            Locks::C11 => "mtx_t",
            Locks::Spin => "pthread_spinlock_t",
            Locks::ReadWrite => "pthread_rwlock_t",
        };
        let (storage, array) = match (self.draft.split, again) {
            (false, _) => ("static ", "[2]"),
            (true, false) => ("", "[2]"),
            (true, true) => ("extern ", "[2]"),
        };
        let local = if again { "extern " } else { "" };
        let _ = write!(
            self.out,
            "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n\
             #include <stdatomic.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <threads.h>\n\
             void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\nvoid __VERIFIER_assume(int);\n\
             struct node {{ atomic_int key; int value; struct node *next; }};\n\
             struct pair {{ int a, b; }};\n\
             struct guarded {{ {lock} lock; int inside; }};\n\
             {storage}atomic_int x, y, a{array};\n{storage}int w;\n{storage}volatile int v;\n\
             {storage}_Atomic unsigned char n;\n{storage}struct pair pairs[2];\n\
             {storage}struct node nodes[2];\n{storage}struct node *_Atomic head;\n\
             {storage}{lock} m;\n{storage}struct guarded guarded[2];\n\
             {storage}pthread_cond_t condition;\n{storage}cnd_t signal;\n\
             {storage}sem_t semaphore;\n{storage}pthread_barrier_t barrier;\n\
             {storage}pthread_once_t once{};\n{local}_Thread_local int own;\n\
             {storage}struct node *stacked;\n",
            if again { "" } else { " = PTHREAD_ONCE_INIT" },
        );
        let _ = writeln!(
            self.out,
            "static int apply(int (*f)(int), int n) {{ return f(n); }}"
        );
    }

    fn table(&mut self) {
        let names: Vec<String> = self.draft.table.iter().map(|id| format!("f{id}")).collect();
        let _ = writeln!(
            self.out,
            "static int (*const table[{}])(int) = {{ {} }};\n\
             static const struct {{ int unused; int (*run)(int); }} ops = {{ 0, {} }};",
            names.len(),
            names.join(", "),
            names[0]
        );
    }

    fn signature(&self, id: usize) -> String {
        let function = &self.draft.functions[id];
        let storage = if self.draft.split { "" } else { "static " };
        let takes = match function.takes {
            Takes::Nothing => "void",
            Takes::Int => "int i0",
            Takes::Node => "struct node *p0",
        };
        match function.gives {
            Gives::Nothing => format!("{storage}void f{id}({takes})"),
            Gives::Int => format!("{storage}int f{id}({takes})"),
            Gives::Node => format!("{storage}struct node *f{id}({takes})"),
            Gives::Result => format!("static void *f{id}(void *given)"),
            Gives::Main => "int main(void)".to_owned(),
        }
    }

    fn line(&mut self, text: &str) {
        self.out += &"    ".repeat(self.depth);
        self.out += text;
        self.out.push('\n');
    }

    fn locals(&mut self, function: &Function) {
        let is_routine = function.gives == Gives::Result;
        let first = match function.takes {
            Takes::Int if is_routine => "int i0 = (intptr_t)given, i1 = 0, i2 = 0, i3 = 0;",
            Takes::Int => "int i1 = 0, i2 = 0, i3 = 0;",
            Takes::Nothing | Takes::Node => "int i0 = 0, i1 = 0, i2 = 0, i3 = 0;",
        };
        self.line(first);
        let pointers = match function.takes {
            Takes::Node if is_routine => "struct node *p0 = given, *p1 = NULL;",
            Takes::Node => "struct node *p1 = NULL;",
            Takes::Nothing | Takes::Int => "struct node *p0 = &nodes[0], *p1 = NULL;",
        };
        self.line(pointers);
        if function.has_unset {
            self.line("int u;");
        }
    }

    fn function(&mut self, id: usize, function: &Function) {
        let signature = self.signature(id);
        let _ = writeln!(self.out, "{signature} {{");
        self.line("static atomic_int calls;");
        self.locals(function);
        self.in_routine = function.gives == Gives::Result;
        self.stmts(&function.body);
        if function.gives == Gives::Result {
            self.line("return NULL;");
        }
        self.out += "}\n";
    }

    fn main(&mut self, main: &Function, finals: Option<&[Vec<i32>]>) {
        self.out += "int main(void) {\n";
        self.line("pthread_t t[4];");
        self.line("struct node box = { 0 };");
        self.line("void *result;");
        self.line("int r[4] = { 0 };");
        self.line("stacked = &box;");
        let waiting = self.draft.waiting;
        self.line(&format!("pthread_barrier_init(&barrier, NULL, {waiting});"));
        let permits = self.draft.permits;
        self.line(&format!("sem_init(&semaphore, 0, {permits});"));
        self.locals(main);
        self.stmts(&main.body);
        for (number, at) in self.draft.observed.iter().enumerate() {
            self.line(&format!("int o{number} = {};", NAMED[*at].1));
        }
        let (from, to) = (self.draft.observed.len(), self.draft.threads);
        for slot in 0..to {
            self.line(&format!("int o{} = r[{slot}];", from + slot));
        }
        if let Some(finals) = finals {
            let one = |values: &Vec<i32>| {
                let values = values.iter().enumerate();
                let parts: Vec<String> = values.map(|(at, v)| format!("o{at} == {v}")).collect();
                format!("({})", parts.join(" && "))
            };
            let all: Vec<String> = finals.iter().map(one).collect();
            let all = if all.is_empty() {
                "0".to_owned()
            } else {
                all.join(" || ")
            };
            self.line(&format!("int is_final = {all};"));
            self.line("assert(is_final);");
        }
        self.line("return 0;");
        self.out += "}\n";
    }

    fn block(&mut self, stmts: &[Stmt]) {
        self.depth += 1;
        self.stmts(stmts);
        self.depth -= 1;
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            let line = self.out.matches('\n').count() + 1;
            self.lines.insert(line, stmt.id);
            self.stmt(&stmt.action);
        }
    }

    fn stmt(&mut self, action: &Action) {
        let simple = match action {
            Action::If(e, yes, no) => {
                self.line(&format!("if ({}) {{", self.words.expr(e)));
                self.block(yes);
                if !no.is_empty() {
                    self.line("} else {");
                    self.block(no);
                }
                "}".to_owned()
            }
            Action::For(c, times, body) => {
                let c = local(*c);
                self.line(&format!("for (int {c} = 0; {c} < {times}; {c}++) {{"));
                self.block(body);
                "}".to_owned()
            }
            Action::While(c, times, e, body) => {
                let c = local(*c);
                let e = self.words.expr(e);
                self.line(&format!("int {c} = 0; while ({c}++ < {times} && ({e})) {{"));
                self.block(body);
                "}".to_owned()
            }
            Action::DoWhile(c, times, e, body) => {
                let c = local(*c);
                self.line(&format!("int {c} = 0; do {{"));
                self.block(body);
                format!("}} while (++{c} < {times} && ({}));", self.words.expr(e))
            }
            Action::Loop(e, body) => {
                self.line(&format!("while ({}) {{", self.words.expr(e)));
                self.block(body);
                "}".to_owned()
            }
            Action::Switch(e, cases) => {
                self.line(&format!("switch ({}) {{", self.words.expr(e)));
                for (at, (body, falls)) in cases.iter().enumerate() {
                    if at + 1 == cases.len() {
                        self.line("default: {");
                    } else {
                        self.line(&format!("case {at}: {{"));
                    }
                    self.block(body);
                    self.line(if *falls { "}" } else { "} break;" });
                }
                "}".to_owned()
            }
            Action::Atomic(body) => {
                self.line("__VERIFIER_atomic_begin();");
                self.stmts(body);
                "__VERIFIER_atomic_end();".to_owned()
            }
            Action::CreateAll(threads, routine) => {
                self.line(&format!("for (int k = 0; k < {threads}; k++)"));
                format!("    pthread_create(&t[k], NULL, f{routine}, (void *)(intptr_t)k);")
            }
            Action::JoinAll(threads) => {
                self.line(&format!("for (int k = 0; k < {threads}; k++) {{"));
                self.line("    pthread_join(t[k], &result);");
                self.line("    r[k] = (intptr_t)result;");
                "}".to_owned()
            }
            Action::Do(_)
            | Action::SetInt(..)
            | Action::Break
            | Action::Continue
            | Action::GotoIf(..)
            | Action::Label(_)
            | Action::Spin(..)
            | Action::Lock(..)
            | Action::Unlock(_)
            | Action::WaitCondition
            | Action::Signal(_)
            | Action::Post
            | Action::Take
            | Action::Once(_)
            | Action::Fence(_)
            | Action::Point(..)
            | Action::Publish(..)
            | Action::Link(..)
            | Action::Allocate(..)
            | Action::Free(_)
            | Action::CopyPair(..)
            | Action::Assert(_)
            | Action::Assume(_)
            | Action::EndProcess
            | Action::Return(_)
            | Action::ReturnNode(_)
            | Action::Exit(_)
            | Action::Create(..)
            | Action::Join(..) => self.simple(action),
        };
        self.line(&simple);
    }

    /// A statement of one line.
    fn simple(&self, action: &Action) -> String {
        let c11 = self.draft.locks == Locks::C11;
        match action {
            Action::Do(e) => format!("{};", self.words.expr(e)),
            Action::SetInt(l, e) => format!("{} = {};", local(*l), self.words.expr(e)),
            Action::Break => "break;".to_owned(),
            Action::Continue => "continue;".to_owned(),
            Action::GotoIf(e, label) => format!("if ({}) goto l{label};", self.words.expr(e)),
            Action::Label(label) => format!("l{label}: ;"),
            Action::Spin(at, value) => format!("while ({} != {value}) ;", self.words.place(at)),
            Action::Lock(lock, sharing) => {
                let name = match (self.draft.locks, sharing) {
                    (Locks::Mutex, _) => "pthread_mutex_lock",
                    (Locks::C11, _) => "mtx_lock",
                    (Locks::Spin, _) => "pthread_spin_lock",
                    (Locks::ReadWrite, Sharing::Reader) => "pthread_rwlock_rdlock",
                    (Locks::ReadWrite, Sharing::Writer) => "pthread_rwlock_wrlock",
                };
                format!("{name}({});", lock_of(*lock))
            }
            Action::Unlock(lock) => {
                let name = match self.draft.locks {
                    Locks::Mutex => "pthread_mutex_unlock",
                    Locks::C11 => "mtx_unlock",
                    Locks::Spin => "pthread_spin_unlock",
                    Locks::ReadWrite => "pthread_rwlock_unlock",
                };
                format!("{name}({});", lock_of(*lock))
            }
            Action::WaitCondition if c11 => format!("cnd_wait(&signal, {});", lock_of(0)),
            Action::WaitCondition => format!("pthread_cond_wait(&condition, {});", lock_of(0)),
            Action::Signal(all) => match (c11, all) {
                (true, false) => "cnd_signal(&signal);",
                (true, true) => "cnd_broadcast(&signal);",
                (false, false) => "pthread_cond_signal(&condition);",
                (false, true) => "pthread_cond_broadcast(&condition);",
            }
            .to_owned(),
            Action::Post => "sem_post(&semaphore);".to_owned(),
            Action::Take => "sem_wait(&semaphore);".to_owned(),
            Action::Once(id) => format!("pthread_once(&once, f{id});"),
            Action::Fence(true) => "atomic_thread_fence(memory_order_seq_cst);".to_owned(),
            Action::Fence(false) => "atomic_thread_fence(memory_order_release);".to_owned(),
            Action::Point(p, to) => format!("{} = {};", local(*p), self.words.pointer(to)),
            Action::Publish(to, order) => match order {
                Order::SeqCst => format!("head = {};", self.words.pointer(to)),
                Order::Relaxed | Order::Half => format!(
                    "atomic_store_explicit(&head, {}, {});",
                    self.words.pointer(to),
                    order_of(*order, false)
                ),
            },
            Action::Link(p, to) => format!("{}->next = {};", local(*p), self.words.pointer(to)),
            Action::Allocate(p, true) => {
                format!("{} = calloc(1, sizeof(struct node));", local(*p))
            }
            Action::Allocate(p, false) => {
                format!("{} = malloc(sizeof(struct node));", local(*p))
            }
            Action::Free(p) => format!("free({});", local(*p)),
            Action::CopyPair(to, from) => format!("pairs[{to}] = pairs[{from}];"),
            Action::Assert(e) => format!("assert({});", self.words.expr(e)),
            Action::Assume(e) => format!("__VERIFIER_assume({});", self.words.expr(e)),
            Action::EndProcess => "exit(0);".to_owned(),
            Action::Return(Some(e)) if self.in_routine => {
                format!("return (void *)(intptr_t)({});", self.words.expr(e))
            }
            Action::Return(Some(e)) => format!("return {};", self.words.expr(e)),
            Action::Return(None) => "return;".to_owned(),
            Action::ReturnNode(to) => format!("return {};", self.words.pointer(to)),
            Action::Exit(e) => format!("pthread_exit((void *)(intptr_t)({}));", self.words.expr(e)),
            Action::Create(slot, routine, argument) => {
                let argument = match argument {
                    Argument::Nothing => "NULL".to_owned(),
                    Argument::Int(e) => format!("(void *)(intptr_t)({})", self.words.expr(e)),
                    Argument::Node(to) => self.words.pointer(to),
                };
                format!("pthread_create(&t[{slot}], NULL, f{routine}, {argument});")
            }
            Action::Join(slot, false) => format!("pthread_join(t[{slot}], NULL);"),
            Action::Join(slot, true) => {
                format!("pthread_join(t[{slot}], &result); r[{slot}] = (intptr_t)result;")
            }
            Action::If(..)
            | Action::Loop(..)
            | Action::For(..)
            | Action::While(..)
            | Action::DoWhile(..)
            | Action::Switch(..)
            | Action::Atomic(_)
            | Action::CreateAll(..)
            | Action::JoinAll(_) => unreachable!("it has several lines"),
        }
    }
}
