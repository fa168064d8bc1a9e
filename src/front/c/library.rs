//! The functions of libraries and built-ins of compilers whose meaning is known, by name.
//!
//! The table is all that is known of them: a function that is neither defined in the program nor here
//! is refused where it is called.

mod atomics;
mod bits;
mod format;
mod kernel;
mod locks;
mod other;
mod system;
mod threads;

pub(crate) use format::{Scanned, conversions, stores, texts};

use super::check::integer;
use crate::lower::operation::{Meaning, Operation};
use crate::lower::typed::Type;

/// A known function.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) operation: Operation,
    /// The type of a call.
    pub(crate) returns: Returns,
    pub(crate) arguments: Arguments,
}

/// The type of a call of a known function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Returns {
    Void,
    Int,
    UnsignedInt,
    UnsignedShort,
    UnsignedLong,
    Long,
    Bool,
    /// `void *`
    Pointer,
    /// The (unqualified) type that the first argument points to: `atomic_load(&x)`, `READ_ONCE(x)`
    /// as `*__fencepost_read_once(&x)`.
    Pointee,
    /// `pthread_t`
    Thread,
}

impl Returns {
    /// The integer type, if it is one.
    pub(crate) fn number(self) -> Option<Type> {
        match self {
            Returns::Int => Some(integer(32, true)),
            Returns::UnsignedInt => Some(integer(32, false)),
            Returns::UnsignedShort => Some(integer(16, false)),
            Returns::UnsignedLong => Some(integer(64, false)),
            Returns::Long => Some(integer(64, true)),
            Returns::Void
            | Returns::Bool
            | Returns::Pointer
            | Returns::Pointee
            | Returns::Thread => None,
        }
    }
}

/// The number of arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arguments {
    Exactly(u8),
    AtLeast(u8),
    /// The last one of so many is a printf-like format; those that it names follow.
    Formatted(u8),
    /// The same of a scanf-like format.
    Scanned(u8),
}

/// The entry of this name. What competitions call `__VERIFIER_nondet_int` is `nondet_int` in many tests.
pub(crate) fn find(name: &str) -> Option<&'static Entry> {
    let own = entries().find(|entry| entry.operation.name == name);
    own.or_else(|| {
        let ty = name.strip_prefix("nondet_")?;
        entries().find(|entry| entry.operation.name.strip_prefix("__VERIFIER_nondet_") == Some(ty))
    })
}

/// All names, in the order of the tables.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    entries().map(|entry| entry.operation.name)
}

fn entries() -> impl Iterator<Item = &'static Entry> {
    TABLE.iter().copied().flatten()
}

/// All known functions.
const TABLE: &[&[Entry]] = &[
    atomics::C11,
    atomics::BUILTIN,
    atomics::SYNC,
    kernel::ATOMIC,
    locks::BARRIERS,
    locks::LOCKS,
    locks::SECTIONS,
    threads::POSIX,
    threads::IGNORED,
    threads::C11,
    threads::SEMAPHORES,
    threads::KERNEL,
    other::ENDS,
    other::VERIFIER,
    other::MEMORY,
    other::MACHINE,
    other::IGNORED,
    bits::BITS,
    bits::OVERFLOW,
    system::FILLED,
    system::ANY,
    system::SIGNALS,
    system::IGNORED,
    system::ENDS,
    system::SCANNED,
    system::JUMPS,
    system::REFUSED,
];

/// An entry with a fixed number of arguments.
const fn exactly(name: &'static str, returns: Returns, arguments: u8, meaning: Meaning) -> Entry {
    Entry {
        operation: Operation { name, meaning },
        returns,
        arguments: Arguments::Exactly(arguments),
    }
}

/// An entry with a variable number of arguments.
const fn at_least(name: &'static str, returns: Returns, arguments: u8, meaning: Meaning) -> Entry {
    Entry {
        operation: Operation { name, meaning },
        returns,
        arguments: Arguments::AtLeast(arguments),
    }
}

/// An entry whose last argument of this number is a printf-like format. What is printed is not modelled,
/// and neither is how much.
const fn formatted(name: &'static str, arguments: u8) -> Entry {
    let meaning = Meaning::Nondet {
        low: i32::MIN,
        high: i32::MAX,
    };
    Entry {
        operation: Operation { name, meaning },
        returns: Returns::Int,
        arguments: Arguments::Formatted(arguments),
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::wildcard_enum_match_arm,
        reason = "all other meanings have no order"
    )]

    use super::*;
    use crate::lower::operation::Order;
    use std::collections::BTreeSet;

    #[test]
    fn every_name_is_there_once() {
        let all: BTreeSet<&str> = names().collect();
        assert_eq!(all.len(), names().count());
    }

    /// The functions in the first column of the tables of the guide.
    fn in_the_guide() -> BTreeSet<&'static str> {
        let page = include_str!("../../guide/barriers.md");
        // What follows is about Rust.
        let (page, _) = page.split_once("\n## Rust\n").expect("it has that heading");
        let rows = page.lines().filter(|line| line.starts_with("| `"));
        let cells = rows.filter_map(|row| row.split('|').nth(1));
        cells
            .flat_map(|cell| cell.split('`').skip(1).step_by(2))
            .collect()
    }

    /// The name without what makes no difference on x86: the width of an atomic type, a weaker order, and
    /// what a lock does to interrupts.
    fn plain(name: &str) -> String {
        let mut name = name.trim_start_matches("raw_").to_owned();
        for wide in ["atomic64_", "atomic_long_"] {
            if let Some(rest) = name.strip_prefix(wide) {
                name = format!("atomic_{rest}");
            }
        }
        for end in [
            "_relaxed",
            "_acquire",
            "_release",
            "_irq",
            "_bh",
            "_irqsave",
            "_irqrestore",
        ] {
            if let Some(rest) = name.strip_suffix(end) {
                return rest.to_owned();
            }
        }
        name
    }

    #[test]
    fn the_guide_has_every_function_and_no_other() {
        let listed = in_the_guide();
        let is_own = |name: &&str| !name.starts_with("__fencepost_");
        for name in names().filter(is_own) {
            assert!(listed.contains(name), "no row for `{name}`");
        }
        let headers = ["atomic", "bitops", "mutex", "rcupdate", "spinlock"];
        let headers = headers.map(|name| format!("linux/{name}.h"));
        for header in headers.iter().map(String::as_str).chain(["asm/barrier.h"]) {
            let text = crate::c::headers::find(header).unwrap_or_default();
            let defined = text
                .lines()
                .filter_map(|line| line.strip_prefix("#define "));
            for (name, _) in defined.filter_map(|line| line.split_once('(')) {
                let has_parameters = !name.contains(char::is_whitespace);
                let is_internal = name.starts_with("__") || name.to_uppercase() == name;
                let is_listed = listed.contains(name) || listed.contains(plain(name).as_str());
                let is_fine = !has_parameters || is_internal || is_listed;
                assert!(is_fine, "no row for `{name}` of {header}");
            }
        }
        for name in listed {
            let is_known = find(name).is_some()
                || crate::c::headers::defining(name).is_some()
                || crate::c::is_written_in_c(name);
            assert!(is_known, "no function `{name}`");
        }
    }

    #[test]
    fn an_order_that_is_an_argument_has_one() {
        // The object, the operands, and the orders.
        for entry in entries() {
            let least = match entry.operation.meaning {
                Meaning::Load(Order::Argument)
                | Meaning::TestAndSet(Order::Argument)
                | Meaning::Clear(Order::Argument) => 2,
                Meaning::Store(Order::Argument)
                | Meaning::Exchange(Order::Argument)
                | Meaning::Fetch {
                    order: Order::Argument,
                    ..
                } => 3,
                Meaning::CompareExchange {
                    order: Order::Argument,
                    ..
                } => 5,
                Meaning::ThreadFence(Order::Argument) => 1,
                _ => continue,
            };
            let (Arguments::Exactly(count)
            | Arguments::AtLeast(count)
            | Arguments::Formatted(count)
            | Arguments::Scanned(count)) = entry.arguments;
            assert!(count >= least, "{}", entry.operation.name);
        }
    }
}
