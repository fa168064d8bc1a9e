//! Straight lines of accesses as an x86 litmus test.

use super::{Line, Thread, Values};
use crate::program::Addr;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// X86's registers that a test may use.
const FEW: [&str; 7] = ["EAX", "EBX", "ECX", "EDX", "ESI", "EDI", "EBP"];

/// `X86_64`'s, with the names of the lower halves that 32-bit accesses use.
const MANY: [(&str, &str); 15] = [
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

/// What the test is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    X86,
    X86_64,
}

impl Dialect {
    /// The first one that has this many registers.
    ///
    /// # Errors
    ///
    /// The most that there are.
    pub(super) fn with_registers(most: usize) -> Result<Self, usize> {
        if most <= FEW.len() {
            Ok(Dialect::X86)
        } else if most <= MANY.len() {
            Ok(Dialect::X86_64)
        } else {
            Err(MANY.len())
        }
    }

    /// The word that a test begins with.
    pub(super) fn name(self) -> &'static str {
        match self {
            Dialect::X86 => "X86",
            Dialect::X86_64 => "X86_64",
        }
    }
}

/// What follows the comments of a test, each line ended.
pub(super) fn print(
    threads: &[Thread],
    names: &BTreeMap<Addr, String>,
    values: &Values,
    finals: &[(Addr, i32)],
    dialect: Dialect,
) -> String {
    let shown = |register: usize| match dialect {
        Dialect::X86 => FEW[register],
        Dialect::X86_64 => MANY[register].0,
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
    // Writing to a string does not fail.
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
            format!("MOV {},[{}]", FEW[*register], cell(c))
        }
        (Line::Load { cell: c, register }, Dialect::X86_64) => {
            format!("movl ({}),%{}", cell(c), MANY[*register].1)
        }
        (Line::Exchange { cell: c, register }, Dialect::X86) => {
            format!("XCHG [{}],{}", cell(c), FEW[*register])
        }
        (Line::Exchange { cell: c, register }, Dialect::X86_64) => {
            format!("xchgl %{},({})", MANY[*register].1, cell(c))
        }
        (Line::Full, Dialect::X86) => "MFENCE".to_owned(),
        (Line::Full, Dialect::X86_64) => "mfence".to_owned(),
        (Line::StoreFence, Dialect::X86) => "SFENCE".to_owned(),
        (Line::StoreFence, Dialect::X86_64) => "sfence".to_owned(),
    }
}
