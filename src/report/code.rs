//! Instructions and expressions as one line of text, for programs without source text and for the
//! labels in drawings.

use crate::program::{
    BinaryOp, Expr, Fence, FetchOp, Op, Overlap, Program, RegId, Site, Thread, UnaryOp, Update,
};

/// An instruction in the automaton form: `r1 <- mem[y]`.
pub fn instruction(program: &Program, site: Site) -> String {
    let thread = program.thread(site.thread);
    let e = |e: &Expr<RegId>| expression(e, &|reg: &RegId| register(thread, *reg));
    let mem = |addr: &Expr<RegId>| {
        let cell = addr.as_const().and_then(|value| program.cell_at(value));
        let inside = cell.map_or_else(|| e(addr), |cell| program.cell_name(cell));
        format!("mem[{inside}]")
    };
    match &program.instruction(site).op {
        Op::Skip => "noop".to_owned(),
        Op::Assign { into, value } => format!("{} <- {}", register(thread, *into), e(value)),
        Op::Havoc { into, low, high } => {
            format!("{} <- nondet({low}, {high})", register(thread, *into))
        }
        Op::Assume(value) => format!("assume {}", e(value)),
        Op::Assert(value) => format!("assert {}", e(value)),
        Op::Load { into, addr } => format!("{} <- {}", register(thread, *into), mem(addr)),
        Op::Store { addr, value } => format!("{} <- {}", mem(addr), e(value)),
        Op::Rmw { into, addr, update } => {
            let (name, operands) = match update {
                Update::CompareExchange { expected, desired } => {
                    ("cas", format!("{}, {}", e(expected), e(desired)))
                }
                Update::Exchange(value) => ("xchg", e(value)),
                Update::Fetch(op, operand) => (fetch_name(*op), e(operand)),
            };
            format!(
                "{} <- {name}({}, {operands})",
                register(thread, *into),
                mem(addr),
            )
        }
        Op::Fence(Fence::Full) => "mfence".to_owned(),
        Op::Fence(Fence::Store) => "sfence".to_owned(),
        Op::Fence(Fence::All) => "barrier all".to_owned(),
        Op::Fence(Fence::Cells(cells)) => {
            let names: Vec<String> = cells.iter().map(|&cell| program.cell_name(cell)).collect();
            format!("fence {}", names.join(" "))
        }
        Op::AtomicBegin => "lock".to_owned(),
        Op::WordBegin(Overlap::Combine) => "lock word".to_owned(),
        Op::WordBegin(Overlap::Wait) => "lock word wait".to_owned(),
        Op::AtomicEnd => "unlock".to_owned(),
    }
}

fn register(thread: &Thread, reg: RegId) -> String {
    thread.registers()[reg.index()].name.clone()
}

fn fetch_name(op: FetchOp) -> &'static str {
    match op {
        FetchOp::Add => "fetch_add",
        FetchOp::Sub => "fetch_sub",
        FetchOp::And => "fetch_and",
        FetchOp::Or => "fetch_or",
    }
}

/// An expression in C's notation, with no more parentheses than C needs.
pub(super) fn expression<V>(e: &Expr<V>, name: &impl Fn(&V) -> String) -> String {
    let mut text = String::new();
    write(e, 0, name, &mut text);
    text
}

fn write<V>(e: &Expr<V>, above: u8, name: &impl Fn(&V) -> String, out: &mut String) {
    match e {
        Expr::Const(value) => out.push_str(&value.to_string()),
        Expr::Var(v) => out.push_str(&name(v)),
        Expr::Unary(op, operand) => {
            out.push(match op {
                UnaryOp::Not => '!',
                UnaryOp::BitNot => '~',
                UnaryOp::Neg => '-',
            });
            write(operand, 11, name, out);
        }
        Expr::Binary(op, a, b) => {
            let (symbol, strength) = binary(*op);
            let parenthesised = strength < above;
            if parenthesised {
                out.push('(');
            }
            write(a, strength, name, out);
            out.push(' ');
            out.push_str(symbol);
            out.push(' ');
            write(b, strength + 1, name, out);
            if parenthesised {
                out.push(')');
            }
        }
        Expr::Conditional(parts) => {
            let [c, a, b] = &**parts;
            if above > 0 {
                out.push('(');
            }
            write(c, 1, name, out);
            out.push_str(" ? ");
            write(a, 1, name, out);
            out.push_str(" : ");
            write(b, 0, name, out);
            if above > 0 {
                out.push(')');
            }
        }
    }
}

fn binary(op: BinaryOp) -> (&'static str, u8) {
    match op {
        BinaryOp::Or => ("||", 1),
        BinaryOp::And => ("&&", 2),
        BinaryOp::BitOr => ("|", 3),
        BinaryOp::BitXor => ("^", 4),
        BinaryOp::BitAnd => ("&", 5),
        BinaryOp::Eq => ("==", 6),
        BinaryOp::Ne => ("!=", 6),
        BinaryOp::Lt => ("<", 7),
        BinaryOp::Le => ("<=", 7),
        BinaryOp::Gt => (">", 7),
        BinaryOp::Ge => (">=", 7),
        BinaryOp::Shl => ("<<", 8),
        BinaryOp::Shr => (">>", 8),
        BinaryOp::Add => ("+", 9),
        BinaryOp::Sub => ("-", 9),
        BinaryOp::Mul => ("*", 10),
        BinaryOp::Div => ("/", 10),
        BinaryOp::Rem => ("%", 10),
    }
}
