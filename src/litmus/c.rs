//! Tests in C: threads as functions, with the atomics of C11 and of the Linux kernel.
//!
//! The code that a compiler generates for x86 is verified, access by access, not C's own memory
//! model: data races are not undefined here, and nothing is optimised.
//!
//! | in C | means |
//! |---|---|
//! | `atomic_load[_explicit]`, `READ_ONCE`, `smp_load_acquire`, `rcu_dereference`, `atomic_read`, plain reads | a load |
//! | `atomic_store_explicit` relaxed, `WRITE_ONCE`, `atomic_set`, `atomic_init`, plain assignments | a store |
//! | the same with release; `smp_store_release`, `rcu_assign_pointer`, `atomic_set_release` | a store fence, which only matters under PSO, and a store |
//! | `atomic_store`, `atomic_store_explicit` with `seq_cst`, `smp_store_mb` | a locked exchange |
//! | `atomic_exchange`, `atomic_compare_exchange_*`, `atomic_fetch_*`, `xchg`, `cmpxchg`, `atomic_inc`, `atomic_add_return` …, any order | a locked instruction; for the exceptions see `compiled` |
//! | `atomic_thread_fence(memory_order_seq_cst)`, `smp_mb` | a full fence |
//! | a release fence, `smp_wmb` | a store fence |
//! | an acquire or relaxed fence, `smp_rmb`, `barrier`, `smp_mb__before_atomic`, `smp_mb__after_atomic` | no effect |
//! | declarations, assignments, `if`, `while`, `do`, `break`, `continue`, `return`, C's operators | as in C |
//!
//! A weak compare-and-exchange fails only if the strong one does. Locals without an initial value
//! are 0.

mod ast;
mod call;
mod compiled;
mod lower;
mod parse;
mod value;

use super::condition;
use super::frame::Frame;
use super::initial::{self, RegisterInit};
use super::memory::{Memory, Value};
use super::resolve::{ResolvedRegister, Scope, resolve};
use super::types::{Size, Type};
use super::words::{Reader, words};
use crate::program::{Program, ProgramBuilder, ThreadId};
use crate::text::{Compiler, Diagnostic, Lines, LitmusTest, Severity, Span, nearest};
use ast::Function;
use std::collections::BTreeMap;

/// Parses and lowers a test.
pub(super) fn read(
    frame: &Frame,
    compiler: Compiler,
    lines: &Lines<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(Program, LitmusTest)> {
    let text = frame.blanked.as_str();
    let mut memory = Memory::default();
    let initial = words(text, frame.initial.clone(), diagnostics);
    let registers = initial::read(&initial, frame.initial.end, &mut memory, diagnostics);
    let code = words(text, frame.rest.clone(), diagnostics);
    let mut parser = parse::Parser::new(Reader::new(&code, frame.rest.end), diagnostics);
    let functions = parser.functions();
    let tail_start = parser.reader.span().start;
    let tail_words: Vec<_> = code
        .iter()
        .filter(|(_, span)| span.start >= tail_start)
        .cloned()
        .collect();
    if functions.is_empty() && !has_errors(diagnostics) {
        diagnostics.push(
            Diagnostic::error("the test has no threads", tail_start..tail_start)
                .note("a thread is a function: `P0 (atomic_int *x) { … }`"),
        );
    }
    let tail = condition::read(&tail_words, frame.rest.end, diagnostics);
    let cells = cell_types(&functions, &mut memory, diagnostics);
    if let Some(tail) = &tail {
        tail.mention(&mut memory);
    }
    check_values(&memory, &cells, diagnostics);
    memory.check_sizes(diagnostics);
    if has_errors(diagnostics) {
        return None;
    }
    let name = &text[frame.name.clone()];
    let mut builder = ProgramBuilder::new(name);
    memory.build(&mut builder, diagnostics);
    let observed = tail
        .as_ref()
        .map(condition::Tail::registers)
        .unwrap_or_default();
    let threads = lower::lower(
        &functions,
        registers,
        &memory,
        (compiler, &observed),
        lines,
        &mut builder,
        diagnostics,
    );
    let numbers: Vec<i64> = functions.iter().map(|function| function.number).collect();
    let mut find = |thread: ThreadId, name: &str| {
        let locals = &threads[thread.index()];
        locals
            .get(name)
            .map(|local| ResolvedRegister {
                id: local.register,
                name: name.to_owned(),
                size: local.kind.size(),
                pointer: local.kind.stars > 0,
            })
            .ok_or_else(|| {
                let near = nearest(name, locals.keys().map(String::as_str));
                let hint =
                    near.map_or_else(String::new, |near| format!(": did you mean `{near}`?"));
                format!("the thread has no local variable `{name}`{hint}")
            })
    };
    let is_pointer = |region: usize| cells.get(&region).is_some_and(|kind| kind.stars > 0);
    let mut scope = Scope {
        memory: &memory,
        threads: &numbers,
        register: &mut find,
        is_pointer: &is_pointer,
    };
    let tail = tail?;
    let test = resolve(&tail, name, &mut scope, diagnostics)?;
    super::finish(builder, test, &tail.span, lines, diagnostics)
}

fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

/// The types of all cells that have one, according to the initial state and the threads'
/// parameters.
fn cell_types(
    functions: &[Function],
    memory: &mut Memory,
    diagnostics: &mut Vec<Diagnostic>,
) -> BTreeMap<usize, Type> {
    let mut cells: BTreeMap<usize, (Type, Span)> = BTreeMap::new();
    for (at, region) in memory.regions().iter().enumerate() {
        if let Some((kind, span)) = &region.declared {
            cells.insert(at, (*kind, span.clone()));
        }
    }
    for function in functions {
        for (kind, name, span) in &function.params {
            let Some(kind) = kind.pointee() else { continue };
            let region = memory.mention(name, span);
            memory.mark_used(region);
            memory.access(region, kind.size(), span);
            match cells.get(&region) {
                Some((known, first)) if known.stars != kind.stars => diagnostics.push(
                    Diagnostic::error(format!("`{name}` has two types"), span.clone())
                        .label(format!("{} here", kind.name()))
                        .other(first.clone(), format!("{} here", known.name())),
                ),
                Some(_) => {}
                None => {
                    cells.insert(region, (kind, span.clone()));
                }
            }
        }
    }
    cells
        .into_iter()
        .map(|(at, (kind, _))| (at, kind))
        .collect()
}

/// Checks that cells initialised with addresses are pointers, and to cells of the right size.
fn check_values(memory: &Memory, cells: &BTreeMap<usize, Type>, diagnostics: &mut Vec<Diagnostic>) {
    for (at, region) in memory.regions().iter().enumerate() {
        let kind = cells.get(&at).copied().unwrap_or(Type::INT);
        for (value, span) in &region.init {
            let wrong = match (value, kind.pointee()) {
                (Value::Number(0), _) | (Value::Number(_), None) => None,
                (Value::Number(number), Some(_)) => Some(format!("{number} is not an address")),
                (Value::Address(_), None) => Some(format!(
                    "`{}` holds numbers, but this is an address",
                    region.name
                )),
                (Value::Address(to), Some(pointee)) => memory
                    .find(to)
                    .filter(|&to| memory.size(to) != pointee.size())
                    .map(|_| format!("`{to}` is not of type `{}`", pointee.name())),
            };
            if let Some(message) = wrong {
                diagnostics.push(Diagnostic::error(message, span.clone()));
            }
        }
    }
}

/// An initial value as a local variable of this type holds it.
fn initial_local(
    init: &RegisterInit,
    kind: Type,
    memory: &Memory,
    diagnostics: &mut Vec<Diagnostic>,
) -> i32 {
    let (value, span) = &init.value;
    let message = match (value, kind.stars > 0) {
        (Value::Number(number), true) if *number != 0 => format!("{number} is not an address"),
        (Value::Address(_), false) => "an address is used as a number".to_owned(),
        (Value::Number(_) | Value::Address(_), _) => match memory.value(value, kind.size()) {
            Ok(value) => return value,
            Err(message) => message,
        },
    };
    diagnostics.push(Diagnostic::error(message, span.clone()));
    0
}

/// Whether values of one size can represent those of the other.
fn widens(from: Size, to: Size) -> bool {
    from <= to || (from, to) == (Size::Quad, Size::Long)
}
