//! Random C programs over words of 64 bits and over the parts of words, with what they compute.
//!
//! Objects are arrays of bytes here, lowest first, and a place is some of these bytes with a type: a scalar, a member of
//! a union, or a part that a cast of the address selects. Expressions have the types and values that C gives them on
//! x86-64. A program does nothing that C leaves undefined, and has one result: two threads have objects of their own, and
//! what they share they only add to.

mod execute;
mod generate;
mod racing;
mod types;

pub use generate::{Mode, words};
pub use racing::{Race, race};
pub use types::Int;

use std::fmt::Write as _;

const HEADERS: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdint.h>\n\
                       #include <stdio.h>\n";

/// A scalar that an expression reads or a statement writes: bytes of an object.
#[derive(Clone, Debug)]
pub struct Place {
    object: usize,
    offset: usize,
    ty: Int,
    text: String,
    /// Whether the type is `_Atomic`.
    atomic: bool,
}

#[derive(Clone, Debug)]
enum Expr {
    Const(i128, Int),
    Load(Place),
    /// A parameter of the function.
    Parameter(usize, Int),
    Cast(Int, Box<Expr>),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Call(usize, Vec<Expr>),
}

#[derive(Clone, Debug)]
enum Stmt {
    Assign(Place, Expr),
    /// `op=`
    Update(Place, &'static str, Expr),
    /// `into = place++` and its kind: the operator, whether it is before the place.
    Step(Place, Place, &'static str, bool),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// The number of rounds.
    Repeat(usize, Vec<Stmt>),
    Switch(Expr, Vec<Stmt>, Vec<Stmt>),
    /// One object becomes a copy of another one.
    Copy(usize, usize),
    /// `into = fetch_op(place, operand)`, or without a result.
    Fetch(Option<Place>, Place, Atomic, Expr),
    /// `into = compare_exchange(place, &expected, desired)`
    Exchange(Place, Place, Place, Expr, Dialect),
}

/// How an atomic operation is written.
#[derive(Clone, Copy, Debug)]
enum Dialect {
    C11,
    Gnu,
    Sync,
}

/// An atomic operation with one operand.
#[derive(Clone, Copy, Debug)]
struct Atomic {
    op: &'static str,
    dialect: Dialect,
    order: &'static str,
}

/// `static ty f(ty p0, ty p1) { return body; }`
#[derive(Clone, Debug)]
struct Function {
    ty: Int,
    parameters: Vec<Int>,
    body: Expr,
}

#[derive(Clone, Debug)]
struct Object {
    name: String,
    /// With `#` for the name.
    declaration: String,
    places: Vec<Place>,
    bytes: Vec<u8>,
    /// The values of these make up all bytes.
    initial: Vec<Place>,
    /// The thread that alone uses it.
    owner: Option<usize>,
    /// Whether it is a variable of that thread.
    local: bool,
    copied: Option<&'static str>,
}

/// A program, and what its places hold at the end.
#[derive(Clone, Debug)]
pub struct Words {
    mode: Mode,
    objects: Vec<Object>,
    functions: Vec<Function>,
    threads: Vec<Vec<Stmt>>,
    /// In each thread, and in `main` at the end.
    checks: Vec<Vec<(Place, i128)>>,
}

impl Words {
    /// How many assertions there are.
    pub fn checks(&self) -> usize {
        self.checks.iter().map(Vec::len).sum()
    }

    /// The program with its assertions, of which this one is wrong in some bit.
    pub fn asserting(&self, wrong: Option<(usize, u32)>) -> String {
        let body = self.text(wrong, "assert");
        format!("{HEADERS}{}{}", generate::types_of_unions(), body).replace('@', "")
    }

    /// All of these in one program, which prints the numbers of those with an assertion that fails.
    pub fn printing(all: &[Words]) -> String {
        let mut text = format!("{HEADERS}{}", generate::types_of_unions());
        for (number, one) in all.iter().enumerate() {
            let expect = format!("expect_{number}");
            let _ = writeln!(
                text,
                "static void {expect}(int holds) {{ if (!holds) printf(\"{number}\\n\"); }}"
            );
            text += &one.text(None, &expect).replace('@', &format!("_{number}"));
        }
        text += "int main(void) {\n";
        for number in 0..all.len() {
            let _ = writeln!(text, "main_{number}();");
        }
        text + "return 0;\n}\n"
    }

    fn text(&self, wrong: Option<(usize, u32)>, expect: &str) -> String {
        let mut text = globals(&self.objects);
        for (number, function) in self.functions.iter().enumerate() {
            let parameters = function.parameters.iter().enumerate();
            let parameters: Vec<String> = parameters
                .map(|(at, ty)| format!("{} p{at}", ty.name()))
                .collect();
            let _ = writeln!(
                text,
                "static {} f{number}@({}) {{ return {}; }}",
                function.ty.name(),
                parameters.join(", "),
                expr(&function.body)
            );
        }
        let mut number = 0;
        let mut checks = |checks: &[(Place, i128)]| {
            checks
                .iter()
                .fold(String::new(), |mut text, (place, value)| {
                    let is_wrong = wrong.filter(|(at, _)| *at == number);
                    let value = match is_wrong {
                        Some((_, bit)) => place.ty.wrap(value ^ (1 << (bit % place.ty.bits))),
                        None => *value,
                    };
                    number += 1;
                    let value = place.ty.constant(value);
                    let _ = writeln!(text, "{expect}({} == {value});", place.text);
                    text
                })
        };
        let mut bodies = Vec::new();
        for (thread, stmts) in self.threads.iter().enumerate() {
            let mut body = String::new();
            for object in &self.objects {
                if object.local && object.owner == Some(thread) {
                    let _ = writeln!(body, "{};", object.declared());
                    body += &object.filled();
                }
            }
            body += &self.stmts(stmts);
            body += &checks(&self.checks[thread]);
            bodies.push(body);
        }
        let last = checks(&self.checks[self.threads.len()]);
        let filled = filled(&self.objects);
        let mut main = String::new();
        match self.mode {
            Mode::Alone => main = filled + &bodies.concat() + &last,
            Mode::InThread | Mode::TwoThreads | Mode::Racing => {
                for (thread, body) in bodies.iter().enumerate() {
                    let _ = writeln!(
                        text,
                        "static void *run{thread}@(void *unused) {{\n{body}return 0;\n}}"
                    );
                    let _ = writeln!(
                        main,
                        "pthread_t t{thread}; pthread_create(&t{thread}, 0, run{thread}@, 0);"
                    );
                }
                for thread in 0..bodies.len() {
                    let _ = writeln!(main, "pthread_join(t{thread}, 0);");
                }
                main = filled + &main + &last;
            }
        }
        let _ = writeln!(text, "int main@(void) {{\n{main}return 0;\n}}");
        text
    }

    fn stmts(&self, stmts: &[Stmt]) -> String {
        stmts.iter().map(|stmt| self.stmt(stmt) + "\n").collect()
    }

    fn stmt(&self, stmt: &Stmt) -> String {
        match stmt {
            Stmt::Assign(into, e) => format!("{} = {};", into.text, expr(e)),
            Stmt::Update(into, op, e) => format!("{} {op}= {};", into.text, expr(e)),
            Stmt::Step(into, place, op, true) => format!("{} = {op}{};", into.text, place.text),
            Stmt::Step(into, place, op, false) => format!("{} = {}{op};", into.text, place.text),
            Stmt::If(c, yes, no) => format!(
                "if ({}) {{\n{}}} else {{\n{}}}",
                expr(c),
                self.stmts(yes),
                self.stmts(no)
            ),
            Stmt::Repeat(times, body) => format!(
                "for (int i = 0; i < {times}; i++) {{\n{}}}",
                self.stmts(body)
            ),
            Stmt::Switch(e, one, other) => format!(
                "switch ({}) {{ case 0: {{\n{}break; }} default: {{\n{}}} }}",
                expr(e),
                self.stmts(one),
                self.stmts(other)
            ),
            Stmt::Copy(into, from) => {
                let name = |at: usize| &self.objects[at].name;
                format!("{} = {};", name(*into), name(*from))
            }
            Stmt::Fetch(into, place, atomic, operand) => {
                let call = atomic.call(place, &expr(operand));
                match into {
                    Some(into) => format!("{} = {call};", into.text),
                    None => format!("{call};"),
                }
            }
            Stmt::Exchange(into, place, expected, desired, dialect) => {
                let (into, place, expected) = (&into.text, &place.text, &expected.text);
                let desired = expr(desired);
                match dialect {
                    Dialect::C11 => format!(
                        "{into} = atomic_compare_exchange_strong(&{place}, &{expected}, {desired});"
                    ),
                    Dialect::Gnu => format!(
                        "{into} = __atomic_compare_exchange_n(&{place}, &{expected}, {desired}, 0, \
                         __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);"
                    ),
                    Dialect::Sync => format!(
                        "{into} = __sync_bool_compare_and_swap(&{place}, {expected}, {desired});"
                    ),
                }
            }
        }
    }
}

/// An expression, without brackets around it.
fn expr(e: &Expr) -> String {
    match e {
        Expr::Const(value, ty) => ty.constant(*value),
        Expr::Load(place) => place.text.clone(),
        Expr::Parameter(at, _) => format!("p{at}"),
        Expr::Cast(ty, e) => format!("({})({})", ty.name(), expr(e)),
        Expr::Unary(op, e) => format!("{op}({})", expr(e)),
        Expr::Binary(op, a, b) => format!("({}) {op} ({})", expr(a), expr(b)),
        Expr::Conditional(c, a, b) => {
            format!("({}) ? ({}) : ({})", expr(c), expr(a), expr(b))
        }
        Expr::Call(function, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(expr).collect();
            format!("f{function}@({})", arguments.join(", "))
        }
    }
}

/// The declarations of objects at file scope.
fn globals(objects: &[Object]) -> String {
    let globals = objects.iter().filter(|object| !object.local);
    let declared = globals.map(|object| format!("static {};\n", object.declared()));
    declared.collect()
}

/// The statements that give these their first values.
fn filled(objects: &[Object]) -> String {
    let globals = objects.iter().filter(|object| !object.local);
    globals.map(Object::filled).collect()
}

impl Object {
    fn declared(&self) -> String {
        self.declaration.replace('#', &self.name)
    }

    /// The statements that give it its first values.
    fn filled(&self) -> String {
        self.initial.iter().fold(String::new(), |mut text, place| {
            let value = place.ty.constant(place.read(&self.bytes));
            let _ = writeln!(text, "{} = {value};", place.text);
            text
        })
    }
}

impl Atomic {
    fn call(self, place: &Place, operand: &str) -> String {
        let (op, place, order) = (self.op, &place.text, self.order);
        match (self.dialect, op) {
            (Dialect::C11, "load") => {
                format!("atomic_load_explicit(&{place}, memory_order_{order})")
            }
            (Dialect::C11, "store" | "exchange") => {
                format!("atomic_{op}_explicit(&{place}, {operand}, memory_order_{order})")
            }
            (Dialect::C11, _) => {
                format!("atomic_fetch_{op}_explicit(&{place}, {operand}, memory_order_{order})")
            }
            (Dialect::Gnu, "load") => {
                format!(
                    "__atomic_load_n(&{place}, __ATOMIC_{})",
                    order.to_uppercase()
                )
            }
            (Dialect::Gnu, "store" | "exchange") => format!(
                "__atomic_{op}_n(&{place}, {operand}, __ATOMIC_{})",
                order.to_uppercase()
            ),
            (Dialect::Gnu, _) => format!(
                "__atomic_fetch_{op}(&{place}, {operand}, __ATOMIC_{})",
                order.to_uppercase()
            ),
            (Dialect::Sync, _) => format!("__sync_fetch_and_{op}(&{place}, {operand})"),
        }
    }
}
