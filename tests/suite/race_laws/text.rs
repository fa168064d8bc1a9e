//! Programs of the law about data races: their statements, as C text and as steps of the machine.

use super::machine::{Ins, Order, Program};
use std::fmt::Write as _;

/// Plain variables, of which `__atomic_store_n` may also store to the first.
pub const PLAIN: [&str; 2] = ["x", "y"];
/// Atomic ones.
pub const ATOMIC: [&str; 2] = ["f", "g"];

/// The number of a library object in the machine.
const ATOMIC_AT: usize = 0;
const LOCK_AT: usize = 2;
const NEXT: usize = 3;
const SERVING: usize = 4;
const INDEX: usize = 5;
/// What a writer stores in the lock for readers and a writer.
const WRITER: i32 = 9;

#[derive(Clone, Debug)]
pub enum Stmt {
    Read(usize),
    Write(usize),
    /// `__atomic_store_n` to a plain variable.
    Mixed(usize, Order),
    Store(usize, i32, Order),
    /// Waits for a value.
    Await(usize, i32, Order),
    IfLoad(usize, i32, Order, Vec<Stmt>),
    Add(usize, Order),
    IfAdd(usize, i32, Order, Vec<Stmt>),
    /// Expected, desired, the orders of success and failure, what follows in these cases.
    IfCas(usize, [i32; 2], [Order; 2], [Vec<Stmt>; 2]),
    Fence(Order),
    Mutex(Vec<Stmt>),
    /// An attempt that fails, too.
    TryMutex([Vec<Stmt>; 2]),
    Read3(Vec<Stmt>),
    Write3(Vec<Stmt>),
    /// A lock by compare-exchange for readers, or a writer, with the orders of taking and releasing it.
    CasRead(Vec<Stmt>, [Order; 2]),
    CasWrite(Vec<Stmt>, [Order; 2]),
    Ticket(Vec<Stmt>, [Order; 2]),
    Barrier,
    Once,
    /// An index that is published by `smp_store_release` or `WRITE_ONCE`, with the element that it is for.
    Publish(bool),
    /// `i = READ_ONCE(index); … t[i]`, or by a branch instead of the address.
    Depends,
    Branches,
    /// A branch, and then a store by `WRITE_ONCE` to the element.
    BranchesToStore,
}

/// C text and steps at the same time.
struct Writer {
    text: String,
    line: usize,
    code: Vec<Ins>,
    names: usize,
}

impl Writer {
    fn put(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("a string");
        self.line += 1;
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("r{}", self.names)
    }

    /// A jump that is taken unless the value loaded last is this; where to set its target.
    fn unless(&mut self, value: i32) -> usize {
        self.code.push(Ins::JumpUnless(value, 0));
        self.code.len() - 1
    }

    fn land(&mut self, jump: usize) {
        let here = self.code.len();
        if let Ins::JumpUnless(_, to) | Ins::Jump(to) = &mut self.code[jump] {
            *to = here;
        } else {
            panic!("not a jump");
        }
    }

    fn all(&mut self, body: &[Stmt]) {
        for stmt in body {
            self.stmt(stmt);
        }
    }

    fn branches(&mut self, value: i32, [yes, no]: [&[Stmt]; 2]) {
        let other = self.unless(value);
        self.all(yes);
        self.code.push(Ins::Jump(0));
        let end = self.code.len() - 1;
        self.land(other);
        self.put("} else {");
        self.all(no);
        self.land(end);
        self.put("}");
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let line = self.line;
        match stmt {
            Stmt::Read(cell) => {
                let name = self.name();
                self.put(&format!("int {name} = {};", PLAIN[*cell]));
                self.code.push(Ins::Plain {
                    cell: *cell,
                    write: false,
                    line,
                });
            }
            Stmt::Write(cell) => {
                self.put(&format!("{} = 1;", PLAIN[*cell]));
                self.code.push(Ins::Plain {
                    cell: *cell,
                    write: true,
                    line,
                });
            }
            Stmt::Mixed(cell, order) => {
                self.put(&format!(
                    "__atomic_store_n(&{}, 1, {});",
                    PLAIN[*cell],
                    order.builtin()
                ));
                self.code.push(Ins::Mixed { cell: *cell, line });
            }
            Stmt::Store(at, value, order) => {
                self.put(&format!(
                    "atomic_store_explicit(&{}, {value}, {});",
                    ATOMIC[*at],
                    order.name()
                ));
                self.code.push(Ins::Store {
                    at: ATOMIC_AT + at,
                    value: *value,
                    order: *order,
                });
            }
            Stmt::Await(at, value, order) => {
                self.put(&format!(
                    "while (atomic_load_explicit(&{}, {}) != {value});",
                    ATOMIC[*at],
                    order.name()
                ));
                let head = self.code.len();
                self.code.push(Ins::Load {
                    at: ATOMIC_AT + at,
                    order: *order,
                });
                self.code.push(Ins::JumpUnless(*value, head));
            }
            Stmt::IfLoad(at, value, order, body) => {
                self.put(&format!(
                    "if (atomic_load_explicit(&{}, {}) == {value}) {{",
                    ATOMIC[*at],
                    order.name()
                ));
                self.code.push(Ins::Load {
                    at: ATOMIC_AT + at,
                    order: *order,
                });
                self.branches(*value, [body, &[]]);
            }
            Stmt::Add(at, order) => {
                self.put(&format!(
                    "atomic_fetch_add_explicit(&{}, 1, {});",
                    ATOMIC[*at],
                    order.name()
                ));
                self.code.push(Ins::Add {
                    at: ATOMIC_AT + at,
                    by: 1,
                    order: *order,
                });
            }
            Stmt::IfAdd(at, value, order, body) => {
                self.put(&format!(
                    "if (atomic_fetch_add_explicit(&{}, 1, {}) == {value}) {{",
                    ATOMIC[*at],
                    order.name()
                ));
                self.code.push(Ins::Add {
                    at: ATOMIC_AT + at,
                    by: 1,
                    order: *order,
                });
                self.branches(*value, [body, &[]]);
            }
            Stmt::IfCas(at, [expected, desired], [success, failure], [yes, no]) => {
                let name = self.name();
                self.put(&format!("int {name} = {expected};"));
                self.put(&format!(
                    "if (atomic_compare_exchange_strong_explicit(&{}, &{name}, {desired}, {}, {})) {{",
                    ATOMIC[*at], success.name(), failure.name()
                ));
                self.code.push(Ins::Cas {
                    at: ATOMIC_AT + at,
                    expected: *expected,
                    desired: *desired,
                    orders: [*success, *failure],
                });
                self.branches(*expected, [yes, no]);
            }
            Stmt::Fence(order) => {
                self.put(&format!("atomic_thread_fence({});", order.name()));
                self.code.push(Ins::Fence(*order));
            }
            Stmt::Mutex(body) => {
                self.put("pthread_mutex_lock(&m);");
                self.code.push(Ins::Lock);
                self.all(body);
                self.put("pthread_mutex_unlock(&m);");
                self.code.push(Ins::Unlock);
            }
            Stmt::TryMutex([yes, no]) => {
                self.put("if (!pthread_mutex_trylock(&m)) {");
                self.code.push(Ins::TryLock);
                let other = self.unless(1);
                self.all(yes);
                self.put("pthread_mutex_unlock(&m);");
                self.code.push(Ins::Unlock);
                self.code.push(Ins::Jump(0));
                let end = self.code.len() - 1;
                self.land(other);
                self.put("} else {");
                self.all(no);
                self.put("}");
                self.land(end);
            }
            Stmt::Read3(body) => self.around(
                ["pthread_rwlock_rdlock(&rw);", "pthread_rwlock_unlock(&rw);"],
                [Ins::ReadLock, Ins::ReadUnlock],
                body,
            ),
            Stmt::Write3(body) => self.around(
                ["pthread_rwlock_wrlock(&rw);", "pthread_rwlock_unlock(&rw);"],
                [Ins::WriteLock, Ins::WriteUnlock],
                body,
            ),
            Stmt::CasWrite(body, [take, free]) => {
                let name = self.name();
                self.put(&format!("int {name} = 0;"));
                self.put(&format!(
                    "while (!atomic_compare_exchange_weak_explicit(&l, &{name}, {WRITER}, {}, memory_order_relaxed)) {name} = 0;",
                    take.name()
                ));
                let head = self.code.len();
                self.code.push(Ins::Cas {
                    at: LOCK_AT,
                    expected: 0,
                    desired: WRITER,
                    orders: [*take, Order::Relaxed],
                });
                self.code.push(Ins::JumpUnless(0, head));
                self.all(body);
                self.put(&format!("atomic_store_explicit(&l, 0, {});", free.name()));
                self.code.push(Ins::Store {
                    at: LOCK_AT,
                    value: 0,
                    order: *free,
                });
            }
            Stmt::CasRead(body, [take, free]) => {
                let name = self.name();
                self.put(&format!(
                    "int {name} = atomic_load_explicit(&l, memory_order_relaxed);"
                ));
                self.put(&format!(
                    "while ({name} == {WRITER} || !atomic_compare_exchange_weak_explicit(&l, &{name}, {name} + 1, {}, memory_order_relaxed))",
                    take.name()
                ));
                self.put(&format!("if ({name} == {WRITER}) {name} = atomic_load_explicit(&l, memory_order_relaxed);"));
                self.code.push(Ins::Load {
                    at: LOCK_AT,
                    order: Order::Relaxed,
                });
                let head = self.code.len();
                self.code.push(Ins::JumpUnlessBelow(WRITER, head + 3));
                self.code.push(Ins::CasInc {
                    at: LOCK_AT,
                    order: *take,
                    failed: head,
                });
                self.code.push(Ins::Jump(head + 5));
                self.code.push(Ins::Load {
                    at: LOCK_AT,
                    order: Order::Relaxed,
                });
                self.code.push(Ins::Jump(head));
                self.all(body);
                self.put(&format!(
                    "atomic_fetch_sub_explicit(&l, 1, {});",
                    free.name()
                ));
                self.code.push(Ins::Add {
                    at: LOCK_AT,
                    by: -1,
                    order: *free,
                });
            }
            Stmt::Ticket(body, [take, free]) => {
                let name = self.name();
                self.put(&format!(
                    "int {name} = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);"
                ));
                self.put(&format!(
                    "while (atomic_load_explicit(&serving, {}) != {name});",
                    take.name()
                ));
                self.code.push(Ins::Add {
                    at: NEXT,
                    by: 1,
                    order: Order::Relaxed,
                });
                self.code.push(Ins::Save);
                let head = self.code.len();
                self.code.push(Ins::Load {
                    at: SERVING,
                    order: *take,
                });
                self.code.push(Ins::JumpUnlessSaved(head));
                self.all(body);
                self.put(&format!(
                    "atomic_store_explicit(&serving, {name} + 1, {});",
                    free.name()
                ));
                self.code.push(Ins::StoreSavedPlusOne {
                    at: SERVING,
                    order: *free,
                });
            }
            Stmt::Barrier => {
                self.put("pthread_barrier_wait(&b);");
                self.code.extend([Ins::Arrive, Ins::Depart]);
            }
            Stmt::Once => {
                self.put("pthread_once(&o, first);");
                self.code.push(Ins::OnceEnter);
                let done = self.unless(1);
                // The line of its body.
                self.code.push(Ins::Plain {
                    cell: 1,
                    write: true,
                    line: ONCE_LINE,
                });
                self.code.push(Ins::OnceDone);
                self.land(done);
            }
            Stmt::Publish(releases) => {
                self.put("t[1] = 1;");
                self.code.push(Ins::Plain {
                    cell: 3,
                    write: true,
                    line,
                });
                let order = if *releases {
                    self.put("smp_store_release(&index, 1);");
                    Order::Release
                } else {
                    self.put("WRITE_ONCE(index, 1);");
                    Order::Once
                };
                self.code.push(Ins::Store {
                    at: INDEX,
                    value: 1,
                    order,
                });
            }
            Stmt::Depends => {
                let (name, other) = (self.name(), self.name());
                self.put(&format!("int {name} = READ_ONCE(index);"));
                self.put(&format!("int {other} = t[{name}];"));
                self.code.push(Ins::Load {
                    at: INDEX,
                    order: Order::Once,
                });
                self.code.push(Ins::Element { line: line + 1 });
            }
            Stmt::Branches => {
                let name = self.name();
                self.put("if (READ_ONCE(index) == 1) {");
                self.put(&format!("int {name} = t[1];"));
                self.code.push(Ins::Load {
                    at: INDEX,
                    order: Order::Once,
                });
                self.code.push(Ins::Branch);
                let other = self.unless(1);
                self.code.push(Ins::Plain {
                    cell: 3,
                    write: false,
                    line: line + 1,
                });
                self.land(other);
                self.put("}");
            }
            Stmt::BranchesToStore => {
                self.put("if (READ_ONCE(index) == 1) {");
                self.put("WRITE_ONCE(t[1], 1);");
                self.code.push(Ins::Load {
                    at: INDEX,
                    order: Order::Once,
                });
                self.code.push(Ins::Branch);
                let other = self.unless(1);
                self.code.push(Ins::Mixed {
                    cell: 3,
                    line: line + 1,
                });
                self.land(other);
                self.put("}");
            }
        }
    }

    fn around(&mut self, [before, after]: [&str; 2], [enter, leave]: [Ins; 2], body: &[Stmt]) {
        self.put(before);
        self.code.push(enter);
        self.all(body);
        self.put(after);
        self.code.push(leave);
    }
}

/// What `main` does before it creates each thread, and before it waits for it.
#[derive(Clone, Debug)]
pub struct Drawn {
    pub threads: Vec<Vec<Stmt>>,
    pub main: Vec<Vec<Stmt>>,
}

const HEADER: &str = "#include <pthread.h>
#include <stdatomic.h>
#include <linux/compiler.h>
#include <asm/barrier.h>
int x, y, t[2], index;
atomic_int f, g, l, next, serving;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t b;
pthread_once_t o = PTHREAD_ONCE_INIT;
void first(void) {
y = 1;
}
";
const ONCE_LINE: usize = 12;

/// The text and the program of the machine.
pub fn write(drawn: &Drawn) -> (String, Program) {
    let mut writer = Writer {
        text: HEADER.to_owned(),
        line: HEADER.lines().count() + 1,
        code: Vec::new(),
        names: 0,
    };
    let mut codes = Vec::new();
    for (number, body) in drawn.threads.iter().enumerate() {
        writer.put(&format!("void *thread{number}(void *unused) {{"));
        writer.all(body);
        writer.put("return 0; }");
        codes.push(std::mem::take(&mut writer.code));
    }
    writer.put("int main(void) {");
    let handles: Vec<String> = (0..codes.len())
        .map(|number| format!("p{number}"))
        .collect();
    writer.put(&format!("pthread_t {};", handles.join(", ")));
    writer.put("pthread_barrier_init(&b, 0, 2);");
    let mut main = drawn.main.iter();
    for (number, handle) in handles.iter().enumerate() {
        writer.put(&format!("pthread_create(&{handle}, 0, thread{number}, 0);"));
        writer.code.push(Ins::Create(number + 1));
        writer.all(main.next().map_or(&[], Vec::as_slice));
    }
    for (number, handle) in handles.iter().enumerate() {
        writer.put(&format!("pthread_join({handle}, 0);"));
        writer.code.push(Ins::Join(number + 1));
        writer.all(main.next().map_or(&[], Vec::as_slice));
    }
    writer.put("return 0; }");
    codes.insert(0, writer.code);
    (writer.text, Program { threads: codes })
}
