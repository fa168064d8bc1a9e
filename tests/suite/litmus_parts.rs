//! Litmus tests with accesses of different sizes, on a machine of bytes.
//!
//! Random tests are written as text and executed here once more: memory is bytes, registers have 64 bits,
//! buffers are lists of bytes with addresses, and a load takes each byte from the newest own store that is
//! still buffered, or else from memory. Neither cells nor halves occur in that.

mod machine;

use crate::support::config;
use config::config;
use fencepost::internals::formats::{Format, parse_as, render};
use fencepost::internals::litmus::FinalStates;
use fencepost::internals::model::Model;
use fencepost::internals::reference::explore;
use fencepost::internals::verdict::Budget;
use machine::{Arg, Condition, Instr, LOCATIONS, Op, REGISTERS, finals};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Decisions, one after the other.
struct Draw<'d>(&'d [u32], usize);

impl Draw<'_> {
    fn below(&mut self, most: usize) -> usize {
        let value = self.0.get(self.1).copied().unwrap_or(0);
        self.1 += 1;
        value as usize % most
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

const NUMBERS: [i64; 12] = [
    1,
    0,
    -1,
    2,
    0x7f,
    0x80,
    0xff01,
    0x7fff_ffff,
    0x8000_0000,
    -0x8000,
    0x0102_0304_0506_0708,
    -0x0102_0304_0506_0708,
];

/// A number that instructions of this size can have.
fn number(size: u32, draw: &mut Draw<'_>) -> Arg {
    let number = draw.of(&NUMBERS);
    Arg::Number(match size {
        1 => (number as i8).into(),
        2 => (number as i16).into(),
        4 => (number as i32).into(),
        _ => number,
    })
}

fn memory(size: u32, draw: &mut Draw<'_>) -> Arg {
    let wide: Vec<(usize, u32)> = LOCATIONS
        .iter()
        .enumerate()
        .filter(|(_, location)| location.bytes >= size)
        .map(|(at, location)| (at, location.bytes / size))
        .collect();
    let (location, places) = draw.of(&wide);
    Arg::Memory(location, draw.below(places as usize) as u32 * size)
}

fn register(size: u32, draw: &mut Draw<'_>) -> Arg {
    let is_high = size == 1 && draw.below(3) == 0;
    Arg::Register(draw.below(REGISTERS.len()), is_high)
}

/// What an instruction reads and writes first: memory more often than not.
fn target(size: u32, draw: &mut Draw<'_>) -> Arg {
    if draw.below(3) == 0 {
        register(size, draw)
    } else {
        memory(size, draw)
    }
}

fn source(to: &Arg, size: u32, draw: &mut Draw<'_>) -> Arg {
    match (to, draw.below(3)) {
        (_, 0) => register(size, draw),
        (Arg::Register(..), 1) => memory(size, draw),
        (Arg::Register(..) | Arg::Memory(..) | Arg::Number(_), _) => number(size, draw),
    }
}

/// An instruction, and perhaps a jump according to its flags.
fn instructions(draw: &mut Draw<'_>) -> Vec<Instr> {
    let mut size = draw.of(&[1, 2, 4, 8]);
    let to = target(size, draw);
    let (op, args) = match draw.below(16) {
        0..=5 => {
            let from = source(&to, size, draw);
            (Op::Mov, vec![to, from])
        }
        6 => {
            let (from, wider) = draw.of(&[(1, 2), (1, 4), (1, 8), (2, 4), (2, 8), (4, 8)]);
            size = from;
            let is_signed = from == 4 || draw.below(2) == 0;
            let from = match draw.below(2) {
                // High bytes cannot be extended to 64 bits.
                0 => Arg::Register(draw.below(REGISTERS.len()), false),
                _ => memory(size, draw),
            };
            let into = Arg::Register(draw.below(REGISTERS.len()), false);
            (Op::Extend(is_signed, wider), vec![into, from])
        }
        7 => (Op::Xchg, vec![to, register(size, draw)]),
        8 => (Op::Xadd, vec![to, register(size, draw)]),
        9 | 10 => (Op::Cmpxchg, vec![to, register(size, draw)]),
        11 => (Op::Unary(draw.below(4)), vec![to]),
        12 => {
            let from = source(&to, size, draw);
            (Op::Binary(draw.below(5)), vec![to, from])
        }
        13 => (Op::Mfence, Vec::new()),
        _ => {
            let from = source(&to, size, draw);
            (draw.of(&[Op::Cmp, Op::Test]), vec![to, from])
        }
    };
    let in_memory = matches!(args.first(), Some(Arg::Memory(..)));
    let can_be = matches!(op, Op::Xadd | Op::Cmpxchg | Op::Unary(_) | Op::Binary(_));
    let is_locked = op == Op::Xchg || (can_be && in_memory && draw.below(2) == 0);
    let jump = op.flags().filter(|_| draw.below(2) == 0);
    let conditions: Vec<Condition> = jump.map(Condition::after).unwrap_or_default();
    let mut all = vec![Instr {
        op,
        size,
        is_locked,
        args,
    }];
    if !conditions.is_empty() {
        all.push(Instr {
            op: Op::Jump(draw.of(&conditions)),
            size,
            is_locked: false,
            args: Vec::new(),
        });
    }
    all
}

fn thread(draw: &mut Draw<'_>) -> Vec<Instr> {
    let count = 1 + draw.below(3);
    let mut code: Vec<Instr> = (0..count).flat_map(|_| instructions(draw)).collect();
    // There is something after the last jump.
    let size = draw.of(&[1, 2, 4, 8]);
    let args = vec![register(size, draw), memory(size, draw)];
    code.push(Instr {
        op: Op::Mov,
        size,
        is_locked: false,
        args,
    });
    code
}

/// The cells of a thread's column.
fn column(code: &[Instr]) -> Vec<String> {
    let mut cells = Vec::new();
    let mut label: Option<usize> = None;
    for (at, instr) in code.iter().enumerate() {
        cells.push(instr.written(at));
        if let Some(from) = label.take() {
            cells.push(format!("L{from}:"));
        }
        label = matches!(instr.op, Op::Jump(_)).then_some(at);
    }
    cells
}

/// A test in which a part of a register occurs, whatever the threads do.
fn written(threads: &[Vec<Instr>], init: &[i64]) -> String {
    let mut text = "X86_64 random\n{ ".to_owned();
    for (location, value) in LOCATIONS.iter().zip(init) {
        let (ty, name) = (location.ty, location.name);
        write!(text, "{ty} {name}={value}; ").expect("strings can be written to");
    }
    text.push_str("}\n P0 | P1 ;\n movb $0,%sil | ;\n");
    let columns: Vec<Vec<String>> = threads.iter().map(|code| column(code)).collect();
    let rows = columns.iter().map(Vec::len).max().unwrap_or(0);
    for row in 0..rows {
        let cells = columns.iter().map(|cells| cells.get(row));
        let cells: Vec<&str> = cells.map(|cell| cell.map_or("", |cell| cell)).collect();
        writeln!(text, " {} ;", cells.join(" | ")).expect("strings can be written to");
    }
    text.push_str("locations [");
    for name in shown_names() {
        write!(text, "{name}; ").expect("strings can be written to");
    }
    text.push_str("]\n");
    text
}

fn shown_names() -> Vec<String> {
    let registers = (0..2).flat_map(|t| REGISTERS.map(|name| format!("{t}:r{name}x")));
    let cells = LOCATIONS.iter().map(|location| location.name.to_owned());
    registers.chain(cells).collect()
}

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn tests_with_accesses_of_several_sizes_have_the_states_of_a_machine_of_bytes(
        decisions in prop::collection::vec(any::<u32>(), 80),
        on_tso in any::<bool>(),
    ) {
        let mut draw = Draw(&decisions, 0);
        let init: Vec<i64> = LOCATIONS
            .iter()
            .map(|location| match number(location.bytes, &mut draw) {
                Arg::Number(number) => number,
                Arg::Register(..) | Arg::Memory(..) => 0,
            })
            .collect();
        let threads = [thread(&mut draw), thread(&mut draw)];
        let start = written(&threads, &init);
        let parsed = parse_as(Format::Litmus, &start);
        // Not all flags are modelled.
        let of_flags = |message: &str| message.starts_with("this jump");
        if parsed.diagnostics.iter().any(|d| of_flags(&d.message)) {
            return Ok(());
        }
        let report = || format!("{start}\n{}", render(&parsed.diagnostics, "test", &start, false));
        prop_assert!(parsed.program.is_some(), "{}", report());
        let (Some(program), Some(test)) = (&parsed.program, &parsed.litmus) else {
            return Ok(());
        };
        let model = if on_tso { Model::Tso } else { Model::Sc };
        let explored = explore(program, model, &Budget::default());
        let states = FinalStates::new(test, &explored);
        prop_assert!(states.incomplete.is_none());
        let found: BTreeSet<BTreeSet<(String, i64)>> = states
            .values()
            .map(|values| {
                let named = test.named(values).into_iter();
                named.map(|(shown, value)| (shown.name.clone(), value)).collect()
            })
            .collect();
        // Where only 32 bits of a register occur, its upper half is 0, and the others are shown with a sign.
        let is_wide = |name: &str| {
            let mut shown = test.shown.iter();
            shown.any(|shown| shown.name == name && shown.part.is_some())
        };
        let expected: BTreeSet<BTreeSet<(String, i64)>> = finals(&threads, &init, on_tso)
            .into_iter()
            .map(|end| {
                let registers = end.registers.iter().enumerate().flat_map(|(t, registers)| {
                    let named = REGISTERS.iter().zip(registers);
                    named.map(move |(name, value)| (format!("{t}:r{name}x"), *value))
                });
                let registers = registers.map(|(name, value)| {
                    let is_wide = is_wide(&name);
                    assert!(is_wide || value >> 32 == 0, "{name}");
                    let value = if is_wide { value as i64 } else { (value as i32).into() };
                    (name, value)
                });
                let cells = LOCATIONS.iter().enumerate().map(|(at, location)| {
                    (format!("[{}]", location.name), end.shown(at))
                });
                registers.chain(cells).collect()
            })
            .collect();
        prop_assert_eq!(found, expected, "{} {}", start, model);
    }
}
