//! Types and functions of the standard library that are written in Rust, as `std` has them.
//!
//! The text is read with each program, after its own, and names of `std` are first looked up here. What it defines
//! is translated as the user's items are, and so only where the program uses it; but its functions are *inlined* where
//! they are called, so that a step of one is a step of the line that calls it. What has no meaning in terms of
//! other Rust (atomics, threads, locks, the heap) is known to the translator itself.

/// The modules of the library, with their texts; the first one is what every module sees.
const MODULES: [(&str, &str); 24] = [
    ("root", include_str!("prelude/root.rs")),
    ("cmp", include_str!("prelude/cmp.rs")),
    ("num", include_str!("prelude/num.rs")),
    ("option", include_str!("prelude/option.rs")),
    ("result", include_str!("prelude/result.rs")),
    (
        "sync",
        concat!(
            include_str!("prelude/sync.rs"),
            "pub mod mpsc {\n",
            include_str!("prelude/mpsc.rs"),
            "}\n"
        ),
    ),
    ("arc", include_str!("prelude/arc.rs")),
    ("rc", include_str!("prelude/rc.rs")),
    ("collections", include_str!("prelude/collections.rs")),
    (
        "crossbeam_utils",
        include_str!("prelude/crossbeam_utils.rs"),
    ),
    ("parking_lot", include_str!("prelude/parking_lot.rs")),
    ("ops", include_str!("prelude/ops.rs")),
    ("iter", include_str!("prelude/iter.rs")),
    ("sources", include_str!("prelude/sources.rs")),
    ("adaptors", include_str!("prelude/adaptors.rs")),
    ("repeated", include_str!("prelude/repeated.rs")),
    ("slice", include_str!("prelude/slice.rs")),
    ("parts", include_str!("prelude/parts.rs")),
    ("array", include_str!("prelude/array.rs")),
    ("cell", include_str!("prelude/cell.rs")),
    ("thread", include_str!("prelude/thread.rs")),
    ("time", include_str!("prelude/time.rs")),
    ("once_cell", include_str!("prelude/once_cell.rs")),
    ("vec", include_str!("prelude/vec.rs")),
];

/// The text of the library, whose positions begin after those of a text of this length, with room for so many elements in a
/// collection.
pub(super) fn text(after: usize, capacity: u16) -> String {
    let mut text = " ".repeat(after);
    for (number, (name, module)) in MODULES.iter().enumerate() {
        match number {
            0 => text.push_str(module),
            _ => {
                for part in ["\npub mod ", name, " {\n", module, "}\n"] {
                    text.push_str(part);
                }
            }
        }
    }
    let capacity = capacity.to_string();
    for part in [
        "\npub mod capacity {\npub const CAPACITY: usize = ",
        &capacity,
        ";\n}\n",
    ] {
        text.push_str(part);
    }
    text
}
