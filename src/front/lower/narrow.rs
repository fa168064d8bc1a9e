//! Choices of which few values matter, by what a thread does with them at once.
//!
//!   x = any of 2³²; assume (x >= 0); assume (x < 3)     ─▶   x = 0 to 2; …
//!   x = any of 2³²; y = x & 3                           ─▶   x = 0 to 3; …
//!
//! **Theorem.** Between the choice and an assumption that no other step than assignments to registers and other assumptions
//! comes before, a thread does nothing that another one sees. An execution in which the assumption fails is one in which
//! the thread waits forever there, and so it is but for itself a part of one in which it waits before the choice. As an
//! assumption says that such executions do not count, they are not missed where it matters whether a thread waits. And
//! of a value that is only read as `x & m`, `m` one less than a power of two, no other bits than those of `m` matter.
//!
//! `choices` goes on with what is left. Law: `c_semantics` computes the same from all values by brute force.

use super::choices::constant;
use super::code::{Code, Instr, Loc};
use crate::program::{BinaryOp, Expr, Op, RegId, UnaryOp};
use std::collections::{BTreeMap, BTreeSet};

type Bits = Expr<RegId>;

/// Values of a register, from one to another.
#[derive(Clone, Copy)]
struct Range {
    low: i32,
    high: i32,
}

impl Range {
    /// Where this holds, too, which is about one of these registers or says nothing.
    fn within(self, holds: &Bits, own: &BTreeSet<RegId>) -> Self {
        match holds {
            Expr::Binary(BinaryOp::And, a, b) => self.within(a, own).within(b, own),
            Expr::Unary(UnaryOp::Not, inner) => match &**inner {
                Expr::Binary(op, a, b) => match negated(*op) {
                    Some(op) => self.compared(op, a, b, own),
                    None => self,
                },
                _ => self,
            },
            Expr::Binary(op, a, b) => self.compared(*op, a, b, own),
            _ => self,
        }
    }

    fn compared(self, op: BinaryOp, a: &Bits, b: &Bits, own: &BTreeSet<RegId>) -> Self {
        let is_own = |e: &Bits| matches!(e, Expr::Var(register) if own.contains(register));
        let flipped = |e: &Bits| match e {
            Expr::Binary(BinaryOp::BitXor, a, b) => is_own(a) && **b == Expr::Const(i32::MIN),
            _ => false,
        };
        if let (false, Some(k)) = (constant(a).is_some(), constant(b)) {
            if is_own(a) {
                return self.signed(op, k);
            }
            // Without signs, those below a number that is none of a negative one are the first ones.
            let below = match op {
                BinaryOp::Lt => Some(k ^ i32::MIN),
                BinaryOp::Le => (k ^ i32::MIN).checked_add(1),
                _ => None,
            };
            if let (true, Some(end @ 1..)) = (flipped(a), below) {
                return self.signed(BinaryOp::Ge, 0).signed(BinaryOp::Lt, end);
            }
            return self;
        }
        match (constant(a), is_own(b), mirrored(op)) {
            (Some(k), true, Some(op)) => self.signed(op, k),
            _ => self,
        }
    }

    fn signed(self, op: BinaryOp, k: i32) -> Self {
        let Self { low, high } = self;
        let (least, most) = match op {
            BinaryOp::Eq => (k, k),
            BinaryOp::Lt if k > i32::MIN => (low, k - 1),
            BinaryOp::Le => (low, k),
            BinaryOp::Gt if k < i32::MAX => (k + 1, high),
            BinaryOp::Ge => (k, high),
            _ => (low, high),
        };
        Self {
            low: low.max(least),
            high: high.min(most),
        }
    }
}

fn negated(op: BinaryOp) -> Option<BinaryOp> {
    match op {
        BinaryOp::Lt => Some(BinaryOp::Ge),
        BinaryOp::Le => Some(BinaryOp::Gt),
        BinaryOp::Gt => Some(BinaryOp::Le),
        BinaryOp::Ge => Some(BinaryOp::Lt),
        BinaryOp::Ne => Some(BinaryOp::Eq),
        _ => None,
    }
}

fn mirrored(op: BinaryOp) -> Option<BinaryOp> {
    match op {
        BinaryOp::Lt => Some(BinaryOp::Gt),
        BinaryOp::Le => Some(BinaryOp::Ge),
        BinaryOp::Gt => Some(BinaryOp::Lt),
        BinaryOp::Ge => Some(BinaryOp::Le),
        BinaryOp::Eq => Some(BinaryOp::Eq),
        _ => None,
    }
}

/// Makes the choices of a thread, which ends at these locations, ones among the values that matter.
pub(super) fn narrow(code: &mut Code, ends: &[Loc]) {
    if !code
        .instructions
        .iter()
        .any(|instr| matches!(instr.op, Op::Havoc { .. }))
    {
        return;
    }
    let mut outgoing: BTreeMap<Loc, Vec<usize>> = BTreeMap::new();
    for (index, instr) in code.instructions.iter().enumerate() {
        outgoing.entry(instr.from).or_default().push(index);
    }
    for index in 0..code.instructions.len() {
        let Op::Havoc { into, low, high } = code.instructions[index].op else {
            continue;
        };
        let mut range = assumed(code, &outgoing, ends, index, into, Range { low, high });
        if let Some(mask) = mask(code, into)
            && i64::from(range.high) - i64::from(range.low) >= i64::from(mask)
        {
            range = Range { low: 0, high: mask };
        }
        if range.low <= range.high
            && let Op::Havoc { low, high, .. } = &mut code.instructions[index].op
        {
            (*low, *high) = (range.low, range.high);
        }
    }
}

/// The values with which a thread comes past the assumptions that follow a choice at once.
fn assumed(
    code: &Code,
    outgoing: &BTreeMap<Loc, Vec<usize>>,
    ends: &[Loc],
    choice: usize,
    into: RegId,
    mut range: Range,
) -> Range {
    let mut own = BTreeSet::from([into]);
    let mut at = code.instructions[choice].to;
    let mut seen = BTreeSet::new();
    while seen.insert(at) {
        let all = outgoing.get(&at).into_iter().flatten();
        let leads_on = |instr: &&Instr| {
            !matches!(instr.op, Op::Assume(_)) || !is_stuck(code, outgoing, ends, instr.to)
        };
        let mut on = all.map(|index| &code.instructions[*index]).filter(leads_on);
        let (Some(instr), None) = (on.next(), on.next()) else {
            break;
        };
        match &instr.op {
            Op::Skip => {}
            Op::Assign { into, value } => {
                if matches!(value, Expr::Var(register) if own.contains(register)) {
                    own.insert(*into);
                } else {
                    own.remove(into);
                }
            }
            Op::Assume(holds) => range = range.within(holds, &own),
            Op::Havoc { .. }
            | Op::Assert(_)
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Rmw { .. }
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd => break,
        }
        at = instr.to;
    }
    range
}

/// Whether a thread does nothing after this location, which is none where it ends.
fn is_stuck(code: &Code, outgoing: &BTreeMap<Loc, Vec<usize>>, ends: &[Loc], at: Loc) -> bool {
    let mut at = at;
    // A few steps join the ways on which an assumption fails.
    for _ in 0..8 {
        if ends.contains(&at) {
            return false;
        }
        let Some(next) = outgoing.get(&at) else {
            return true;
        };
        let [only] = next.as_slice() else {
            return false;
        };
        let instr = &code.instructions[*only];
        if instr.op != Op::Skip {
            return false;
        }
        at = instr.to;
    }
    false
}

/// The bits of a register that matter, if it is only read with all others masked.
fn mask(code: &Code, register: RegId) -> Option<i32> {
    let mut mask = 0;
    for instr in &code.instructions {
        for operand in instr.op.operands() {
            masked(operand, register, &mut mask)?;
        }
    }
    (mask > 0).then_some(mask)
}

fn masked(e: &Bits, register: RegId, mask: &mut i32) -> Option<()> {
    match e {
        Expr::Const(_) => Some(()),
        Expr::Var(read) => (*read != register).then_some(()),
        Expr::Binary(BinaryOp::BitAnd, a, b) => match (&**a, constant(b)) {
            (Expr::Var(read), Some(bits)) if *read == register => {
                let is_low = bits >= 0 && (bits & bits.wrapping_add(1)) == 0;
                *mask = (*mask).max(bits);
                is_low.then_some(())
            }
            _ => {
                masked(a, register, mask)?;
                masked(b, register, mask)
            }
        },
        Expr::Unary(_, a) => masked(a, register, mask),
        Expr::Binary(_, a, b) => {
            masked(a, register, mask)?;
            masked(b, register, mask)
        }
        Expr::Conditional(parts) => parts
            .iter()
            .try_for_each(|part| masked(part, register, mask)),
    }
}
