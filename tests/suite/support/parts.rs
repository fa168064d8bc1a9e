//! Programs whose words are stored at once and read in parts, or the other way round, and which go on only where they read
//! what was stored: the paths back to a delayed store need several parts.

use proptest::prelude::*;
use std::fmt::Write;

/// What a thread does to the cells `f`, `a`, `b` and `z`, of which `a` and `b` are next to each other.
#[derive(Clone, Copy, Debug)]
enum Move {
    Store(usize),
    /// Both, at once.
    StorePair,
    /// And goes on if it finds a 1, or whatever it finds.
    Load(usize, bool),
    LoadPair(bool),
    StoreFence,
}

const CELLS: [&str; 4] = ["f", "p[0]", "p[1]", "z"];

/// Up to so many moves; the more often loads, the larger the weight.
fn moves(most: usize, loads: u32) -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        2 => (0..CELLS.len()).prop_map(Move::Store),
        2 => Just(Move::StorePair),
        loads => (0..CELLS.len(), any::<bool>()).prop_map(|(cell, waits)| Move::Load(cell, waits)),
        loads / 2 => any::<bool>().prop_map(Move::LoadPair),
        1 => Just(Move::StoreFence),
    ];
    prop::collection::vec(one, 1..=most)
}

/// The program of these threads.
fn written(threads: &[Vec<Move>]) -> String {
    let mut text = String::from("shared f, p[2], z;\n");
    for (t, moves) in threads.iter().enumerate() {
        let _ = write!(text, "thread t{t} {{ local r, s;");
        for one in moves {
            let _ = match *one {
                Move::Store(cell) => write!(text, " {} = 1;", CELLS[cell]),
                Move::StoreFence => write!(text, " fence store;"),
                Move::StorePair => write!(text, " atomic word {{ p[0] = 1; p[1] = 1; }}"),
                Move::Load(cell, waits) => {
                    let wait = if waits { " assume(r == 1);" } else { "" };
                    write!(text, " r = {};{wait}", CELLS[cell])
                }
                Move::LoadPair(waits) => {
                    let wait = if waits {
                        " assume(r == 1 || s == 1);"
                    } else {
                        ""
                    };
                    write!(text, " atomic word {{ r = p[0]; s = p[1]; }}{wait}")
                }
            };
        }
        let _ = writeln!(text, " }}");
    }
    text
}

/// A program, as a text.
pub fn read_in_parts() -> impl Strategy<Value = String> {
    let threads = prop_oneof![
        (moves(3, 1), moves(3, 3), moves(3, 3)).prop_map(|(a, b, c)| vec![a, b, c]),
        (moves(4, 2), moves(4, 3)).prop_map(|(a, b)| vec![a, b]),
    ];
    threads.prop_map(|threads| written(&threads))
}
