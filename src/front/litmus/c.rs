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
//! A weak compare-and-exchange fails only if the strong one does. Locals without an initial value are 0, and
//! so are those without a declaration. Integers may hold addresses ([`Kinds`]).

use super::condition::{self, Place};
use super::frame::Frame;
use super::initial::{self, RegisterInit};
use super::memory::{Memory, Value};
use super::resolve::{ResolvedRegister, Scope, resolve};
use super::types::{Size, Type};
use super::words::words;
use crate::c::litmus::{
    self as code, Cells, Fact, Function, Functions, Holder, Initial, Kinds, Named, Reading, Scalar,
    Spots,
};
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
    let types = initial_types(&registers);
    let functions = code::parse(text, frame.rest.start..tail_start, &types, diagnostics);
    if functions.as_ref().is_some_and(|f| f.threads.is_empty()) {
        diagnostics.push(
            Diagnostic::error("the test has no threads", tail_start..tail_start)
                .note("a thread is a function: `P0 (atomic_int *x) { … }`"),
        );
    }
    let tail_words = words(text, tail_start..frame.rest.end, diagnostics);
    let tail = condition::read(&tail_words, frame.rest.end, diagnostics);
    let mut functions = functions?;
    let cells = cell_types(&functions.threads, &mut memory, diagnostics);
    if let Some(tail) = &tail {
        tail.mention(&mut memory);
    }
    let facts = facts(&functions, &memory, &registers);
    let kinds = functions.kinds(&scalars(&memory, &cells), &facts, diagnostics);
    check_values(&memory, &cells, &kinds, diagnostics);
    memory.check_sizes(diagnostics);
    let shared = shared(&memory, &cells, diagnostics);
    let observed = tail
        .as_ref()
        .map(condition::Tail::registers)
        .unwrap_or_default();
    declare(&mut functions, &registers, tail.as_ref(), diagnostics);
    let named = named(
        &functions,
        registers,
        &observed,
        &memory,
        &kinds,
        diagnostics,
    );
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
        let number = numbers[thread.index()];
        let declared = &declared[thread.index()];
        local
            .map(|local| ResolvedRegister {
                id: local.register,
                name: name.to_owned(),
                size: type_of(local.scalar).size(),
                high: None,
                pointer: {
                    let holder = Holder::Local(thread.index(), name.to_owned());
                    local.scalar.stars > 0 || compared(tail.as_ref(), &kinds, &holder, number)
                },
            })
            .ok_or_else(|| {
                let near = nearest(name, declared.iter().map(String::as_str));
                let hint =
                    near.map_or_else(String::new, |near| format!(": did you mean `{near}`?"));
                format!("the thread has no local variable `{name}`{hint}")
            })
    };
    let is_pointer = |region: usize| {
        let holder = Holder::Cell(memory.region(region).name.clone());
        cells.get(&region).is_some_and(|kind| kind.stars > 0)
            || compared(tail.as_ref(), &kinds, &holder, 0)
    };
    let mut scope = Scope {
        memory: &memory,
        threads: &numbers,
        register: &mut find,
        is_pointer: &is_pointer,
    };
    let test = resolve(tail.as_ref()?, name, &mut scope, diagnostics)?;
    let (spots, builder) = (program.spots, program.builder);
    let (program, test) = super::finish(builder, test, &tail?.span, lines, diagnostics)?;
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

fn scalar_of(kind: Type) -> Scalar {
    Scalar {
        bits: (kind.base.bytes() * 8) as u8,
        signed: kind.signed,
        stars: kind.stars,
    }
}

/// What the initial state says of the types of the threads' variables.
fn initial_types(registers: &[RegisterInit]) -> Vec<(i64, String, Initial)> {
    let of = |init: &RegisterInit| {
        let initial = match (&init.declared, &init.value.0) {
            (Some(kind), _) => Initial::Declared(scalar_of(*kind)),
            (None, Value::Address(name)) => Initial::AddressOf(name.clone()),
            (None, Value::Number(_)) => return None,
        };
        Some((init.thread, init.name.clone(), initial))
    };
    registers.iter().filter_map(of).collect()
}

/// The types of all shared variables.
fn scalars(memory: &Memory, cells: &BTreeMap<usize, Type>) -> BTreeMap<String, Scalar> {
    let regions = memory.regions().iter().enumerate();
    regions
        .map(|(at, region)| {
            let kind = cells.get(&at).copied().unwrap_or(Type::INT);
            (region.name.clone(), scalar_of(kind))
        })
        .collect()
}

/// Which variables hold numbers initially, and which hold addresses.
fn facts(functions: &Functions, memory: &Memory, registers: &[RegisterInit]) -> Vec<Fact> {
    let fact = |holder: Holder, (value, span): &(Value, Span)| {
        let address = match value {
            Value::Number(0) => return None,
            Value::Number(_) => None,
            Value::Address(name) => Some(name.clone()),
        };
        let span = span.clone();
        Some(Fact {
            holder,
            address,
            span,
        })
    };
    let regions = memory.regions().iter();
    let cells = regions.flat_map(|region| {
        let values = region.init.iter();
        values.filter_map(|value| fact(Holder::Cell(region.name.clone()), value))
    });
    let locals = registers.iter().filter_map(|init| {
        let mut threads = functions.threads.iter();
        let thread = threads.position(|thread| thread.number == init.thread)?;
        fact(Holder::Local(thread, init.name.clone()), &init.value)
    });
    cells.chain(locals).collect()
}

/// Whether a variable is shown and compared as an address: it holds some, or it holds nothing but 0 and is
/// compared with one. The number of its thread, if it has one.
fn compared(tail: Option<&condition::Tail>, kinds: &Kinds, holder: &Holder, number: i64) -> bool {
    if let Some(address) = kinds.is_address(holder) {
        return address;
    }
    let mut found = false;
    if let Some(tail) = tail.filter(|_| kinds.is_mixed()) {
        tail.for_each_atom(&mut |place, value, _| {
            let same = match (place, holder) {
                (Place::Cell { name, .. }, Holder::Cell(own)) => name == own,
                (Place::Register { thread, name }, Holder::Local(_, own)) => {
                    *thread == number && name == own
                }
                (Place::Cell { .. }, Holder::Local(..))
                | (Place::Register { .. }, Holder::Cell(_)) => false,
            };
            found |= same && matches!(value, Value::Address(_));
        });
    }
    found
}

/// Declares the variables of threads that no thread uses: they keep their values.
fn declare(
    functions: &mut Functions,
    registers: &[RegisterInit],
    tail: Option<&condition::Tail>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for init in registers {
        let mut threads = functions.threads.iter();
        if let Some(at) = threads.position(|thread| thread.number == init.thread)
            && functions.locals(at).all(|local| local != init.name)
        {
            let address = Type {
                stars: 1,
                ..Type::INT
            };
            let kind = match init.value.0 {
                Value::Address(_) => address,
                Value::Number(_) => init.declared.unwrap_or(Type::INT),
            };
            functions.declare(at, &init.name, scalar_of(kind));
        }
    }
    let mut found: Vec<(i64, String, Span)> = Vec::new();
    if let Some(tail) = tail {
        let mut note = |place: &Place, span: &Span| {
            if let Place::Register { thread, name } = place {
                found.push((*thread, name.clone(), span.clone()));
            }
        };
        for (place, span) in &tail.locations {
            note(place, span);
        }
        tail.for_each_atom(&mut |place, _, span| note(place, span));
    }
    for (thread, name, span) in found {
        let mut threads = functions.threads.iter();
        let Some(at) = threads.position(|own| own.number == thread) else {
            continue;
        };
        if functions.locals(at).any(|local| local == name) {
            continue;
        }
        let message = format!("the thread P{thread} does not use `{name}`");
        let mut warning = Diagnostic::warning(message, span).label("always 0");
        if let Some(near) = nearest(&name, functions.locals(at)) {
            warning = warning.note(format!("did you mean `{near}`?"));
        }
        diagnostics.push(warning);
        functions.declare(at, &name, scalar_of(Type::INT));
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
            Some((known, first)) if known.size() != kind.size() && known.stars != kind.stars => {
                diagnostics.push(
                    Diagnostic::error(format!("`{name}` has two types"), span.clone())
                        .label(format!("{} here", kind.name()))
                        .other(first.clone(), format!("{} here", known.name())),
                );
            }
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
fn check_values(
    memory: &Memory,
    cells: &BTreeMap<usize, Type>,
    kinds: &Kinds,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (at, region) in memory.regions().iter().enumerate() {
        let kind = cells.get(&at).copied().unwrap_or(Type::INT);
        for (value, span) in &region.init {
            let wrong = match (value, kind.pointee()) {
                (Value::Number(0), _) | (Value::Number(_), None) => None,
                (Value::Number(number), Some(_)) => Some(format!("{number} is not an address")),
                (Value::Address(_), None)
                    if kinds.is_address(&Holder::Cell(region.name.clone())) == Some(true) =>
                {
                    None
                }
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
                scalar: scalar_of(kind),
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
    kinds: &Kinds,
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
        let holder = Holder::Local(at, init.name.clone());
        let mut kind = type_of(scalar);
        if kind.stars == 0 && kinds.is_address(&holder) == Some(true) {
            kind = Type { stars: 1, ..kind };
        }
        let initial = Some(initial_local(&init, kind, memory, diagnostics));
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
