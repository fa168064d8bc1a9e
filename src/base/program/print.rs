//! A program as text in the automaton form, which parses to the same program.
//!
//! Registers, locations and instructions are declared in the order of their ids; locations with
//! generated names are in parentheses. Only origins are lost.

use super::{
    Copies, Expr, Fence, FencePlace, FetchOp, Observable, Op, Overlap, Program, PropertyKind,
    RegId, Thread, UnaryOp, Update,
};
use crate::program::{Addr, BinaryOp};
use crate::visible::visible;
use std::fmt::Write;

/// The program in the automaton form.
pub fn print(program: &Program) -> String {
    let mut out = String::new();
    if !program.name().is_empty() {
        line(&mut out, &format!("program {};\n", quoted(program.name())));
    }
    for region in program.regions() {
        let name = quoted(&region.name);
        let init = &region.init;
        let text = match (region.array, init.iter().all(|v| *v == init[0])) {
            (false, _) => format!("shared {name} = {};", init[0]),
            (true, true) => format!("shared {name}[{}] = {};", init.len(), init[0]),
            (true, false) => {
                let values: Vec<String> = init.iter().map(i32::to_string).collect();
                format!("shared {name}[{}] = {{{}}};", init.len(), values.join(", "))
            }
        };
        line(&mut out, &text);
    }
    for thread in program.threads() {
        print_thread(&mut out, program, thread);
    }
    if !program.properties().is_empty() {
        out.push('\n');
    }
    for property in program.properties() {
        let predicate = expression(&property.predicate, &mut |observable| {
            observed(program, observable)
        });
        let kind = property.kind.keyword();
        let all = property
            .predicate
            .as_const()
            .is_some_and(|value| value != 0);
        let whom = match property.kind {
            PropertyKind::Forbid | PropertyKind::FinalAssert | PropertyKind::Exists => None,
            PropertyKind::Stuck => Some(String::new()),
            PropertyKind::Starved(thread) => {
                Some(format!(" {}", dotted(program.thread(thread).name())))
            }
        };
        line(
            &mut out,
            &match whom {
                None => format!("{kind} {predicate};"),
                Some(whom) if all => format!("{kind}{whom};"),
                Some(whom) => format!("{kind}{whom} && ({predicate});"),
            },
        );
    }
    out
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn print_thread(out: &mut String, program: &Program, thread: &Thread) {
    let copies = match thread.copies() {
        Copies::One => "",
        Copies::Any => "[*]",
    };
    let _ = write!(out, "\nthread {}{copies}", dotted(thread.name()));
    for (i, register) in thread.registers().iter().enumerate() {
        out.push_str(if i == 0 { " regs " } else { ", " });
        out.push_str(&quoted(&register.name));
        if register.init != 0 {
            let _ = write!(out, " = {}", register.init);
        }
    }
    let name = |loc: super::LocId| quoted(&thread.location(loc).name);
    for (i, location) in thread.locations().iter().enumerate() {
        out.push_str(if i == 0 { " locations " } else { ", " });
        let name = quoted(&location.name);
        if location.labelled {
            out.push_str(&name);
        } else {
            let _ = write!(out, "({name})");
        }
    }
    line(out, &format!(" init {} begin", name(thread.entry())));
    for instruction in thread.instructions() {
        let place = match instruction.place {
            FencePlace::Default => String::new(),
            FencePlace::Cost(cost) => format!("@cost {cost} "),
            FencePlace::Forbidden => "@nofence ".to_owned(),
            FencePlace::Exchange => "@exchange ".to_owned(),
        };
        let op = operation(program, thread, &instruction.op);
        let (from, to) = (name(instruction.from), name(instruction.to));
        line(out, &format!("  {place}{from}: {op}; goto {to};"));
    }
    line(out, "end");
}

fn operation(program: &Program, thread: &Thread, op: &Op) -> String {
    let register = |reg: RegId| quoted(&thread.registers()[reg.index()].name);
    let value = |e: &Expr<RegId>| expression(e, &mut |reg| register(reg));
    let memory = |e: &Expr<RegId>| {
        // A constant address is printed as the cell's name, unless a register hides that name or
        // the name is `mem`, a keyword of the form.
        if let Expr::Const(addr) = e
            && let Some(cell) = program.cell_at(*addr)
            && region_name(program, cell) != Some("mem")
            && let Some(name) = cell_name(program, cell)
            && thread
                .registers()
                .iter()
                .all(|r| Some(r.name.as_str()) != region_name(program, cell))
        {
            return format!("mem[{name}]");
        }
        format!("mem[{}]", value(e))
    };
    match op {
        Op::Skip => "noop".to_owned(),
        Op::Assign { into, value: e } => format!("{} <- {}", register(*into), value(e)),
        Op::Havoc { into, low, high } => format!("{} <- nondet({low}, {high})", register(*into)),
        Op::Assume(e) => format!("assume {}", value(e)),
        Op::Assert(e) => format!("property {}", value(e)),
        Op::Load { into, addr } => format!("{} <- {}", register(*into), memory(addr)),
        Op::Store { addr, value: e } => format!("{} <- {}", memory(addr), value(e)),
        Op::Rmw { into, addr, update } => {
            let (into, cell) = (register(*into), memory(addr));
            match update {
                Update::CompareExchange { expected, desired } => {
                    format!(
                        "{into} <- cas({cell}, {}, {})",
                        value(expected),
                        value(desired)
                    )
                }
                Update::Exchange(e) => format!("{into} <- xchg({cell}, {})", value(e)),
                Update::Fetch(op, e) => {
                    let word = match op {
                        FetchOp::Add => "fetch_add",
                        FetchOp::Sub => "fetch_sub",
                        FetchOp::And => "fetch_and",
                        FetchOp::Or => "fetch_or",
                    };
                    format!("{into} <- {word}({cell}, {})", value(e))
                }
            }
        }
        Op::Fence(Fence::Full) => "mfence".to_owned(),
        Op::Fence(Fence::Store) => "sfence".to_owned(),
        Op::Fence(Fence::All) => "barrier all".to_owned(),
        Op::Fence(Fence::Cells(cells)) => {
            let names: Vec<String> = cells
                .iter()
                .map(|cell| cell_name(program, *cell).unwrap_or_else(|| cell.0.to_string()))
                .collect();
            format!("fence {}", names.join(", "))
        }
        Op::AtomicBegin => "lock".to_owned(),
        Op::WordBegin(Overlap::Combine) => "lock word".to_owned(),
        Op::WordBegin(Overlap::Wait) => "lock word wait".to_owned(),
        Op::AtomicEnd => "unlock".to_owned(),
    }
}

fn observed(program: &Program, observable: Observable) -> String {
    match observable {
        Observable::Register(thread, reg) => {
            let thread = program.thread(thread);
            let register = &thread.registers()[reg.index()].name;
            format!("{}.{}", dotted(thread.name()), quoted(register))
        }
        Observable::At(thread, loc) => {
            let thread = program.thread(thread);
            let location = &thread.location(loc).name;
            format!("{}@{}", dotted(thread.name()), quoted(location))
        }
        Observable::Cell(cell) => cell_name(program, cell).unwrap_or_else(|| cell.0.to_string()),
    }
}

/// The name of the region that contains a cell.
fn region_name(program: &Program, cell: Addr) -> Option<&str> {
    let region = program.regions().iter().rev().find(|r| r.base <= cell)?;
    Some(&region.name)
}

/// A cell's name in the syntax of the language.
fn cell_name(program: &Program, cell: Addr) -> Option<String> {
    let region = program.regions().iter().rev().find(|r| r.base <= cell)?;
    let name = quoted(&region.name);
    Some(if region.array {
        format!("{name}[{}]", cell.0 - region.base.0)
    } else {
        name
    })
}

/// The reserved words of the language: a name equal to one of them must be quoted. A test in
/// `native` compares this list with the parser's.
pub const RESERVED: [&str; 27] = [
    "program", "shared", "const", "thread", "proc", "forbid", "final", "exists", "local", "if",
    "else", "while", "for", "do", "loop", "break", "continue", "return", "choose", "or", "goto",
    "assume", "assert", "skip", "fence", "barrier", "atomic",
];

/// Words that are keywords in some positions of the automaton form.
const WORDS: [&str; 24] = [
    "regs",
    "locations",
    "init",
    "begin",
    "end",
    "mem",
    "mfence",
    "sfence",
    "scfence",
    "property",
    "lock",
    "unlock",
    "noop",
    "all",
    "store",
    "cas",
    "xchg",
    "nondet",
    "cost",
    "nofence",
    "exchange",
    "yes",
    "no",
    "stuck",
];

/// A name as it must be written: in backticks unless it is a plain word, with escapes for invisible
/// characters.
pub fn quoted(name: &str) -> String {
    let mut chars = name.chars();
    let plain = chars
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_' || c == '$')
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '\''));
    if plain && !RESERVED.contains(&name) && !WORDS.contains(&name) {
        return name.to_owned();
    }
    let escaped = name
        .replace('\\', "\\\\")
        .replace('`', "\\`")
        .replace('\n', "\\n");
    format!("`{}`", visible(&escaped))
}

/// A thread's name. A number after the last dot stays unquoted.
fn dotted(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((first, number))
            if number
                .parse::<i32>()
                .is_ok_and(|n| n >= 0 && n.to_string() == number) =>
        {
            format!("{}.{number}", quoted(first))
        }
        _ => quoted(name),
    }
}

/// How an operator is written.
pub(crate) fn sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Or => "||",
        BinaryOp::And => "&&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::BitAnd => "&",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
    }
}

/// An expression with no more parentheses than it needs.
fn expression<V: Copy>(e: &Expr<V>, variable: &mut impl FnMut(V) -> String) -> String {
    let mut out = String::new();
    write_expression(&mut out, e, 0, variable);
    out
}

/// The precedence of unary operators: higher than that of every binary operator.
const UNARY: u8 = 11;

/// Writes an expression where only operators of at least this precedence may appear without
/// parentheses.
fn write_expression<V: Copy>(
    out: &mut String,
    e: &Expr<V>,
    least: u8,
    variable: &mut impl FnMut(V) -> String,
) {
    match e {
        Expr::Const(value) => parenthesised(out, least == u8::MAX, |out| {
            let _ = write!(out, "{value}");
        }),
        Expr::Var(v) => out.push_str(&variable(*v)),
        Expr::Unary(op, a) => {
            out.push_str(match op {
                UnaryOp::Not => "!",
                UnaryOp::BitNot => "~",
                UnaryOp::Neg => "-",
            });
            // `-5` would be parsed as a number, and `--5` as the negation of one.
            let number = *op == UnaryOp::Neg && matches!(**a, Expr::Const(_));
            write_expression(out, a, if number { u8::MAX } else { UNARY }, variable);
        }
        Expr::Binary(op, a, b) => {
            let own = op.precedence();
            parenthesised(out, own < least, |out| {
                write_expression(out, a, own, variable);
                let _ = write!(out, " {} ", sign(*op));
                write_expression(out, b, own + 1, variable);
            });
        }
        Expr::Conditional(parts) => parenthesised(out, least > 0, |out| {
            let [c, a, b] = &**parts;
            write_expression(out, c, 1, variable);
            out.push_str(" ? ");
            write_expression(out, a, 0, variable);
            out.push_str(" : ");
            write_expression(out, b, 0, variable);
        }),
    }
}

fn parenthesised(out: &mut String, needed: bool, write: impl FnOnce(&mut String)) {
    if needed {
        out.push('(');
    }
    write(out);
    if needed {
        out.push(')');
    }
}
