//! Tests in C: threads as functions, with the atomics of C11 and of the Linux kernel.
//!
//! The functions are read by the front end of C ([`crate::c`]), so each operation means here what it
//! means in a program; here are the initial state and the condition around them. The code that a
//! compiler generates for x86 is verified, access by access, not C's own memory model: data races are
//! not undefined here, and nothing is optimised.
//!
//! | in C | means |
//! |---|---|
//! | `atomic_load[_explicit]`, `READ_ONCE`, `smp_load_acquire`, `rcu_dereference`, `atomic_read`, plain reads | a load |
//! | `atomic_store_explicit` relaxed, `WRITE_ONCE`, `atomic_set`, `atomic_init`, assignments to what is not `_Atomic` | a store |
//! | the same with release; `smp_store_release`, `rcu_assign_pointer`, `atomic_set_release`, `spin_unlock` | a store fence, which only matters under PSO, and a store |
//! | `atomic_store`, `atomic_store_explicit` with `seq_cst`, assignments to what is `_Atomic`, `smp_store_mb` | a locked exchange |
//! | `atomic_exchange`, `atomic_compare_exchange_*`, `atomic_fetch_*`, `xchg`, `cmpxchg`, `atomic_inc`, `atomic_add_return` …, any order | a locked instruction; for the exceptions see `lower::compiled` |
//! | `atomic_thread_fence(memory_order_seq_cst)`, `smp_mb` | a full fence |
//! | a release fence, `smp_wmb` | a store fence |
//! | an acquire or relaxed fence, `smp_rmb`, `barrier`, `smp_mb__before_atomic`, `smp_mb__after_atomic` | no effect |
//! | everything else | as in C |
//!
//! A weak compare-and-exchange fails only if the strong one does. Locals without an initial value
//! are 0.

use super::condition;
use super::frame::Frame;
use super::initial::{self, RegisterInit};
use super::memory::{Memory, Value};
use super::resolve::{ResolvedRegister, Scope, resolve};
use super::types::{Size, Type};
use super::words::words;
use crate::c::litmus::{self as code, Cells, Function, Functions, Named, Reading, Scalar, Spots};
use crate::program::{Program, ThreadId};
use crate::text::{Diagnostic, Lines, LitmusTest, Severity, Span, nearest};
use std::collections::{BTreeMap, BTreeSet};

/// Parses and lowers a test.
pub(super) fn read(
    frame: &Frame,
    reading: Reading,
    lines: &Lines<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(Program, LitmusTest, Spots)> {
    let text = frame.blanked.as_str();
    let mut memory = Memory::default();
    let initial = words(text, frame.initial.clone(), diagnostics);
    let registers = initial::read(&initial, frame.initial.end, &mut memory, diagnostics);
    let tail_start = tail_start(text, &frame.rest);
    let functions = code::parse(text, frame.rest.start..tail_start, diagnostics);
    if functions.as_ref().is_some_and(|f| f.threads.is_empty()) {
        diagnostics.push(
            Diagnostic::error("the test has no threads", tail_start..tail_start)
                .note("a thread is a function: `P0 (atomic_int *x) { … }`"),
        );
    }
    let tail_words = words(text, tail_start..frame.rest.end, diagnostics);
    let tail = condition::read(&tail_words, frame.rest.end, diagnostics);
    let functions = functions?;
    let cells = cell_types(&functions.threads, &mut memory, diagnostics);
    if let Some(tail) = &tail {
        tail.mention(&mut memory);
    }
    check_values(&memory, &cells, diagnostics);
    memory.check_sizes(diagnostics);
    let shared = shared(&memory, &cells, diagnostics);
    let observed = tail
        .as_ref()
        .map(condition::Tail::registers)
        .unwrap_or_default();
    let named = named(&functions, registers, &observed, &memory, diagnostics);
    if has_errors(diagnostics) {
        return None;
    }
    let name = &text[frame.name.clone()];
    let numbers: Vec<i64> = functions.threads.iter().map(|f| f.number).collect();
    let declared: Vec<Vec<String>> = (0..numbers.len())
        .map(|at| functions.locals(at).map(str::to_owned).collect())
        .collect();
    let program = functions.lower(name, reading, &shared, &named, lines, diagnostics)?;
    let greatest = shared.iter().flat_map(|cells| &cells.init);
    let greatest = greatest.map(|value| u64::from(value.unsigned_abs()));
    let greatest = greatest.max().unwrap_or(0).max(program.greatest).max(1);
    super::wide::check(&program.sums, greatest, diagnostics);
    let mut find = |thread: ThreadId, name: &str| {
        let local = program.locals[thread.index()].get(name);
        let declared = &declared[thread.index()];
        local
            .map(|local| ResolvedRegister {
                id: local.register,
                name: name.to_owned(),
                size: type_of(local.scalar).size(),
                pointer: local.scalar.stars > 0,
            })
            .ok_or_else(|| {
                let near = nearest(name, declared.iter().map(String::as_str));
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
    let (spots, builder) = (program.spots, program.builder);
    let (program, test) = super::finish(builder, test, &tail.span, lines, diagnostics)?;
    Some((program, test, spots))
}

fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

/// Where the functions of a test end. If one does not end, where a condition seems to begin.
fn tail_start(text: &str, rest: &Span) -> usize {
    let (mut depth, mut end) = (0_usize, rest.start);
    for (at, byte) in text.bytes().enumerate().take(rest.end).skip(rest.start) {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    end = at + 1;
                }
            }
            _ => {}
        }
    }
    if depth == 0 {
        return end;
    }
    let after = &text[end..rest.end];
    let words = ["locations", "filter", "~exists", "exists", "forall"];
    let first = words.iter().filter_map(|word| after.rfind(word)).min();
    first.map_or(rest.end, |at| end + at)
}

/// A type of the front end of C.
fn type_of(scalar: Scalar) -> Type {
    let base = match scalar.bits {
        0..=8 => Size::Byte,
        9..=16 => Size::Word,
        17..=32 => Size::Long,
        33.. => Size::Quad,
    };
    Type {
        base,
        signed: scalar.signed,
        stars: scalar.stars,
    }
}

/// The types of all cells that have one, according to the initial state and the threads'
/// parameters.
fn cell_types(
    threads: &[Function],
    memory: &mut Memory,
    diagnostics: &mut Vec<Diagnostic>,
) -> BTreeMap<usize, Type> {
    let mut cells: BTreeMap<usize, (Type, Span)> = BTreeMap::new();
    for (at, region) in memory.regions().iter().enumerate() {
        if let Some((kind, span)) = &region.declared {
            cells.insert(at, (*kind, span.clone()));
        }
    }
    for parameter in threads.iter().flat_map(|thread| &thread.parameters) {
        let (name, span) = (&parameter.name, &parameter.span);
        let kind = type_of(parameter.scalar);
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

/// All cells with their types and initial values.
fn shared(
    memory: &Memory,
    cells: &BTreeMap<usize, Type>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Cells> {
    let init = memory.values(diagnostics);
    let regions = memory.regions().iter().zip(init).enumerate();
    regions
        .map(|(at, (region, init))| {
            let kind = cells.get(&at).copied().unwrap_or(Type::INT);
            Cells {
                name: region.name.clone(),
                init,
                array: region.array,
                scalar: Scalar {
                    bits: (kind.base.bytes() * 8) as u8,
                    signed: kind.signed,
                    stars: kind.stars,
                },
                address: memory.address(at).0.into(),
            }
        })
        .collect()
}

/// The local variables that a test names, by thread: in its initial state and in its condition.
fn named(
    functions: &Functions,
    registers: Vec<RegisterInit>,
    observed: &BTreeMap<i64, BTreeSet<String>>,
    memory: &Memory,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<BTreeMap<String, Named>> {
    let threads = functions.threads.iter();
    let mut named: Vec<BTreeMap<String, Named>> = threads
        .map(|thread| {
            let observed = observed.get(&thread.number).into_iter().flatten();
            observed
                .map(|name| (name.clone(), Named::default()))
                .collect()
        })
        .collect();
    for init in registers {
        let mut threads = functions.threads.iter();
        let Some(at) = threads.position(|thread| thread.number == init.thread) else {
            let message = format!("there is no thread `P{}`", init.thread);
            diagnostics.push(Diagnostic::error(message, init.place));
            continue;
        };
        let Some(scalar) = functions.local(at, &init.name) else {
            let message = format!("the thread has no local variable `{}`", init.name);
            diagnostics.push(Diagnostic::error(message, init.place));
            continue;
        };
        let initial = Some(initial_local(&init, type_of(scalar), memory, diagnostics));
        named[at].insert(init.name, Named { initial });
    }
    named
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
