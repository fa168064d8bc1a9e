//! The crates whose names are known, and what imports of everything in them name.

/// The crates whose names are known.
const KNOWN: [&str; 10] = [
    "std", "core", "alloc", "loom", "shuttle", PORTABLE, WAITING, PADDED, PARKING, ONCE,
];

/// A crate that is the module of atomics.
const PORTABLE: &str = "portable_atomic";

/// The crate of futexes.
const WAITING: &str = "atomic_wait";

/// Crates some of whose types are in the library that is written in Rust.
const PADDED: &str = "crossbeam_utils";
const PARKING: &str = "parking_lot";
const ONCE: &str = "once_cell";

/// A path of a known crate without the crate, as it is in `std`.
pub(super) fn known(path: &[String]) -> Option<Vec<String>> {
    let (first, rest) = path.split_first()?;
    let before: &[&str] = match first.as_str() {
        PORTABLE => &["sync", "atomic"],
        WAITING => &[WAITING],
        PADDED => &[PADDED],
        PARKING => &[PARKING],
        ONCE => &[ONCE],
        name if is_known_crate(name) => &[],
        _ => return None,
    };
    let before = before.iter().map(|&part| part.to_owned());
    Some(before.chain(rest.iter().cloned()).collect())
}

/// Whether it is the name of a crate whose names are known.
pub(in crate::rust) fn is_known_crate(name: &str) -> bool {
    KNOWN.contains(&name)
}

/// Whether a module of a known crate has this name, as far as they matter.
pub(super) fn is_of_glob(path: &[String], name: &str) -> bool {
    match path.last().map(String::as_str) {
        Some("Ordering") => ORDERS.contains(&name) || ["Less", "Equal", "Greater"].contains(&name),
        Some("atomic") => {
            name.starts_with("Atomic") || ["Ordering", "fence", "compiler_fence"].contains(&name)
        }
        Some("sync") => SYNC.contains(&name),
        Some("thread") => [
            "spawn",
            "scope",
            "park",
            "yield_now",
            "current",
            "JoinHandle",
            "Thread",
        ]
        .contains(&name),
        Some("cell") => ["UnsafeCell", "Cell"].contains(&name),
        Some(WAITING) => ["wait", "wake_one", "wake_all"].contains(&name),
        Some("mem") => MEM.contains(&name),
        Some("ptr") => ["NonNull", "null", "null_mut"].contains(&name),
        Some(_) | None => false,
    }
}

/// What an import of everything in `std::mem` names.
const MEM: [&str; 7] = [
    "ManuallyDrop",
    "MaybeUninit",
    "drop",
    "forget",
    "replace",
    "swap",
    "take",
];

/// What an import of everything in `std::sync` names.
const SYNC: [&str; 8] = [
    "Arc",
    "Mutex",
    "MutexGuard",
    "RwLock",
    "RwLockReadGuard",
    "RwLockWriteGuard",
    "Condvar",
    "atomic",
];

/// The memory orders.
pub(in crate::rust) const ORDERS: [&str; 5] = ["Relaxed", "Acquire", "Release", "AcqRel", "SeqCst"];

/// What every module sees.
pub(super) const PRELUDE: [&str; 16] = [
    "Option",
    "Some",
    "None",
    "Result",
    "Ok",
    "Err",
    "Vec",
    "Box",
    "drop",
    "Clone",
    "Default",
    "Iterator",
    "IntoIterator",
    "FromIterator",
    "DoubleEndedIterator",
    "ExactSizeIterator",
];
