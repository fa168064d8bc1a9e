//! What is known of registers behind a condition.

use super::set::{Set, exact, values};
use crate::program::{BinaryOp, Expr, RegId, UnaryOp};

/// Keeps of each register's values those for which the condition may come out as wanted. Returns
/// whether it can come out so at all.
///
/// **Incomplete:** relations between registers are not kept, only what follows for each by itself.
pub(super) fn refine(e: &Expr<RegId>, wanted: bool, registers: &mut [Set]) -> bool {
    let here = match e {
        Expr::Unary(UnaryOp::Not, a) => return refine(a, !wanted, registers),
        Expr::Binary(BinaryOp::And, a, b) => joined(a, b, wanted, true, registers),
        Expr::Binary(BinaryOp::Or, a, b) => joined(a, b, wanted, false, registers),
        Expr::Binary(op, a, b) => match comparison(*op, wanted) {
            Some(op) => compared(op, a, b, registers),
            None => truth(e, wanted, registers),
        },
        Expr::Const(_) | Expr::Var(_) | Expr::Unary(..) | Expr::Conditional(_) => {
            truth(e, wanted, registers)
        }
    };
    here && one_by_one(e, wanted, registers)
}

fn of(e: &Expr<RegId>, registers: &[Set]) -> Set {
    values(e, &|reg| registers[reg.index()].clone(), &mut |_, _| {})
}

/// `a && b` (`and`) or `a || b`.
fn joined(
    a: &Expr<RegId>,
    b: &Expr<RegId>,
    wanted: bool,
    and: bool,
    registers: &mut [Set],
) -> bool {
    if wanted == and {
        return refine(a, wanted, registers) && refine(b, wanted, registers);
    }
    // One of the two decides; which one is known only where the other one cannot.
    let can = |e: &Expr<RegId>, registers: &[Set]| {
        let mut copy = registers.to_vec();
        refine(e, wanted, &mut copy).then_some(copy)
    };
    match (can(a, registers), can(b, registers)) {
        (Some(first), Some(second)) => {
            for (at, set) in registers.iter_mut().enumerate() {
                *set = first[at].join(&second[at]);
            }
            true
        }
        (Some(only), None) | (None, Some(only)) => {
            registers.clone_from_slice(&only);
            true
        }
        (None, None) => false,
    }
}

/// The comparison that must hold.
fn comparison(op: BinaryOp, wanted: bool) -> Option<BinaryOp> {
    Some(match (op, wanted) {
        (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => BinaryOp::Eq,
        (BinaryOp::Ne, true) | (BinaryOp::Eq, false) => BinaryOp::Ne,
        (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => BinaryOp::Lt,
        (BinaryOp::Le, true) | (BinaryOp::Gt, false) => BinaryOp::Le,
        (BinaryOp::Gt, true) | (BinaryOp::Le, false) => BinaryOp::Gt,
        (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => BinaryOp::Ge,
        _ => return None,
    })
}

fn compared(op: BinaryOp, a: &Expr<RegId>, b: &Expr<RegId>, registers: &mut [Set]) -> bool {
    let ((al, ah), (bl, bh)) = (of(a, registers).hull(), of(b, registers).hull());
    match op {
        BinaryOp::Eq => narrow(a, bl, bh, registers) && narrow(b, al, ah, registers),
        BinaryOp::Lt => narrow(a, al, bh - 1, registers) && narrow(b, al + 1, bh, registers),
        BinaryOp::Le => narrow(a, al, bh, registers) && narrow(b, al, bh, registers),
        BinaryOp::Gt => narrow(a, bl + 1, ah, registers) && narrow(b, bl, ah - 1, registers),
        BinaryOp::Ge => narrow(a, bl, ah, registers) && narrow(b, bl, ah, registers),
        BinaryOp::Ne => {
            (bl != bh || exclude(a, bl, registers)) && (al != ah || exclude(b, al, registers))
        }
        BinaryOp::Or
        | BinaryOp::And
        | BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::BitAnd
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem => true,
    }
}

/// Keeps what makes the expression's value lie between two values.
fn narrow(e: &Expr<RegId>, low: i64, high: i64, registers: &mut [Set]) -> bool {
    let (least, most) = of(e, registers).hull();
    if low > most || high < least {
        return false;
    }
    match e {
        Expr::Var(reg) => keep(registers, *reg, |set| set.within(low, high)),
        Expr::Binary(BinaryOp::Add, a, b) => {
            let ((al, ah), (bl, bh)) = (of(a, registers).hull(), of(b, registers).hull());
            narrow(a, low - bh, high - bl, registers) && narrow(b, low - ah, high - al, registers)
        }
        Expr::Binary(BinaryOp::Sub, a, b) => {
            let ((al, ah), (bl, bh)) = (of(a, registers).hull(), of(b, registers).hull());
            narrow(a, low + bl, high + bh, registers) && narrow(b, al - high, ah - low, registers)
        }
        Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(_) => true,
    }
}

/// Keeps what makes the expression's value other than this one.
fn exclude(e: &Expr<RegId>, value: i64, registers: &mut [Set]) -> bool {
    match e {
        Expr::Var(reg) => keep(registers, *reg, |set| set.keep(|v| v != value)),
        Expr::Binary(BinaryOp::Add, a, b) => match (a.as_const(), b.as_const()) {
            (_, Some(c)) => exclude(a, value - i64::from(c), registers),
            (Some(c), None) => exclude(b, value - i64::from(c), registers),
            (None, None) => true,
        },
        Expr::Binary(BinaryOp::Sub, a, b) => match b.as_const() {
            Some(c) => exclude(a, value + i64::from(c), registers),
            None => true,
        },
        Expr::Const(c) => i64::from(*c) != value,
        Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(_) => true,
    }
}

/// Keeps what makes the expression other than 0, or 0.
fn truth(e: &Expr<RegId>, wanted: bool, registers: &mut [Set]) -> bool {
    if wanted {
        of(e, registers).may().0 && exclude(e, 0, registers)
    } else {
        of(e, registers).may().1 && narrow(e, 0, 0, registers)
    }
}

fn keep(registers: &mut [Set], reg: RegId, part: impl FnOnce(&Set) -> Option<Set>) -> bool {
    match part(&registers[reg.index()]) {
        Some(kept) => {
            registers[reg.index()] = kept;
            true
        }
        None => false,
    }
}

/// Where one register of few values decides alone, each of them is tried.
fn one_by_one(e: &Expr<RegId>, wanted: bool, registers: &mut [Set]) -> bool {
    let mut mentioned = e.vars();
    mentioned.sort_unstable();
    mentioned.dedup();
    let [reg] = mentioned[..] else {
        return true;
    };
    if registers[reg.index()].values().is_none() {
        return true;
    }
    // A value for which some part leaves 32 bits stays: it is refused elsewhere.
    keep(registers, reg, |set| {
        set.keep(|v| exact(e, v).is_none_or(|found| (found != 0) == wanted))
    })
}
