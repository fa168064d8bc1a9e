//! Straight-line threads as an x86 litmus test.

use super::{Line, Thread, Values};
use crate::program::Addr;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The registers that an X86 test may use.
const X86_REGISTERS: [&str; 7] = ["EAX", "EBX", "ECX", "EDX", "ESI", "EDI", "EBP"];

/// The registers that an `X86_64` test may use, with the names of their lower halves for 32-bit
/// accesses.
const X86_64_REGISTERS: [(&str, &str); 15] = [
    ("rax", "eax"),
    ("rbx", "ebx"),
    ("rcx", "ecx"),
    ("rdx", "edx"),
    ("rsi", "esi"),
    ("rdi", "edi"),
    ("rbp", "ebp"),
    ("r8", "r8d"),
    ("r9", "r9d"),
    ("r10", "r10d"),
    ("r11", "r11d"),
    ("r12", "r12d"),
    ("r13", "r13d"),
    ("r14", "r14d"),
    ("r15", "r15d"),
];

/// The language of the test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    X86,
    X86_64,
}

impl Dialect {
    /// The first dialect with at least this many registers.
    ///
    /// # Errors
    ///
    /// The largest number of registers that a dialect has, if that is too few.
    pub(super) fn with_registers(most: usize) -> Result<Self, usize> {
        if most <= X86_REGISTERS.len() {
            Ok(Dialect::X86)
        } else if most <= X86_64_REGISTERS.len() {
            Ok(Dialect::X86_64)
        } else {
            Err(X86_64_REGISTERS.len())
        }
    }

    /// The keyword at the beginning of a test.
    pub(super) fn name(self) -> &'static str {
        match self {
            Dialect::X86 => "X86",
            Dialect::X86_64 => "X86_64",
        }
    }
}

/// The part of a test after its comments, each line terminated.
pub(super) fn print(
    threads: &[Thread],
    names: &BTreeMap<Addr, String>,
    values: &Values,
    finals: &[(Addr, i32)],
    dialect: Dialect,
) -> String {
    let shown = |register: usize| match dialect {
        Dialect::X86 => X86_REGISTERS[register],
        Dialect::X86_64 => X86_64_REGISTERS[register].0,
    };
    let mut initial: Vec<String> = values
        .initial
        .iter()
        .map(|(cell, value)| format!("{}={value};", names[cell]))
        .collect();
    let mut atoms = Vec::new();
    for (number, thread) in threads.iter().enumerate() {
        for (register, &(first, last)) in thread.registers.iter().enumerate() {
            if first != 0 {
                initial.push(format!("{number}:{}={first};", shown(register)));
            }
            atoms.push(format!("{number}:{}={last}", shown(register)));
        }
    }
    atoms.extend(
        finals
            .iter()
            .map(|(cell, value)| format!("{}={value}", names[cell])),
    );
    if atoms.is_empty() {
        atoms.push("true".to_owned());
    }
    let columns: Vec<Vec<String>> = threads
        .iter()
        .enumerate()
        .map(|(number, thread)| {
            let lines = thread
                .lines
                .iter()
                .map(|line| instruction(line, names, dialect));
            std::iter::once(format!("P{number}")).chain(lines).collect()
        })
        .collect();
    // Writing to a string cannot fail.
    let mut out = String::new();
    let _ = writeln!(out, "{{ {} }}", initial.join(" "));
    let rows = columns.iter().map(Vec::len).max().unwrap_or(0);
    for row in 0..rows {
        let cells: Vec<String> = columns
            .iter()
            .map(|column| {
                let width = column.iter().map(String::len).max().unwrap_or(0);
                let text = column.get(row).map_or("", String::as_str);
                format!(" {text:width$} ")
            })
            .collect();
        let _ = writeln!(out, "{};", cells.join("|"));
    }
    let _ = writeln!(out, "exists ({})", atoms.join(" /\\ "));
    out
}

fn instruction(line: &Line, names: &BTreeMap<Addr, String>, dialect: Dialect) -> String {
    let cell = |cell: &Addr| names[cell].as_str();
    match (line, dialect) {
        (Line::Store { cell: c, value }, Dialect::X86) => format!("MOV [{}],${value}", cell(c)),
        (Line::Store { cell: c, value }, Dialect::X86_64) => format!("movl ${value},({})", cell(c)),
        (Line::Load { cell: c, register }, Dialect::X86) => {
            format!("MOV {},[{}]", X86_REGISTERS[*register], cell(c))
        }
        (Line::Load { cell: c, register }, Dialect::X86_64) => {
            format!("movl ({}),%{}", cell(c), X86_64_REGISTERS[*register].1)
        }
        (Line::Exchange { cell: c, register }, Dialect::X86) => {
            format!("XCHG [{}],{}", cell(c), X86_REGISTERS[*register])
        }
        (Line::Exchange { cell: c, register }, Dialect::X86_64) => {
            format!("xchgl %{},({})", X86_64_REGISTERS[*register].1, cell(c))
        }
        (Line::Full, Dialect::X86) => "MFENCE".to_owned(),
        (Line::Full, Dialect::X86_64) => "mfence".to_owned(),
        (Line::StoreFence, Dialect::X86) => "SFENCE".to_owned(),
        (Line::StoreFence, Dialect::X86_64) => "sfence".to_owned(),
    }
}
