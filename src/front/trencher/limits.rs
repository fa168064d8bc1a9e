//! Unbounded integers in 32 bits: which values fit, and steps that end where one does not.
//!
//! ```text
//! q0 ──local r + * a b c──▶ q1     becomes
//!
//! q0 ─assert a * b fits─▶ ─assume it─▶ ─$part1 := a * b─▶ ─assert $part1 + c fits─▶ … ─r := …─▶ q1
//!     limit                                               limit
//! ```
//!
//! The assertions are the program's limits. Each operator whose result may overflow 32 bits is a
//! separate step, so that conditions stay small.
//!
//! **Invariant.** Up to its limits, the program does what the automaton does, with the same values.

use super::raw::{Instr, Operand};
use crate::program::{BinaryOp, Expr, RegId, UnaryOp};
use crate::text::Span;

type E = Expr<RegId>;

/// A step on the way from one state to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// Continues if this is not 0, and otherwise ends at a limit; with the span of the operand.
    Fits(E, Span),
    /// Stores a value in a register for later steps.
    Keep(RegId, E),
}

/// Splits expressions.
pub(super) struct Parts<'r> {
    /// The register for the part with this number.
    pub(super) register: &'r mut dyn FnMut(usize) -> RegId,
    pub(super) found: Vec<Part>,
    kept: usize,
}

impl<'r> Parts<'r> {
    pub(super) fn new(register: &'r mut dyn FnMut(usize) -> RegId) -> Self {
        Self {
            register,
            found: Vec::new(),
            kept: 0,
        }
    }

    /// An instruction whose operands are computed by the parts if they `may` overflow 32 bits.
    pub(super) fn instruction(&mut self, instr: &Instr, may: impl Fn(&Operand) -> bool) -> Instr {
        let mut operand = |operand: &Operand| Operand {
            e: if may(operand) {
                self.checked(&operand.e, &operand.span)
            } else {
                operand.e.clone()
            },
            span: operand.span.clone(),
        };
        match instr {
            Instr::Read { into, addr } => Instr::Read {
                into: *into,
                addr: operand(addr),
            },
            Instr::Write { value, addr } => Instr::Write {
                value: operand(value),
                addr: operand(addr),
            },
            Instr::Local { into, value } => Instr::Local {
                into: *into,
                value: operand(value),
            },
            Instr::Check(e) => Instr::Check(operand(e)),
            Instr::Mfence | Instr::Noop | Instr::Lock | Instr::Unlock => instr.clone(),
        }
    }

    /// The expression, after checks that each of its parts stays inside 32 bits.
    fn checked(&mut self, e: &E, place: &Span) -> E {
        match e {
            Expr::Const(_) | Expr::Var(_) => e.clone(),
            Expr::Unary(op, a) => {
                let a = self.checked(a, place);
                match op {
                    UnaryOp::Not | UnaryOp::BitNot => Expr::unary(*op, a),
                    UnaryOp::Neg => self.arithmetic(BinaryOp::Sub, Expr::Const(0), a, place),
                }
            }
            Expr::Binary(op, a, b) => {
                let a = self.checked(a, place);
                let b = self.checked(b, place);
                if matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) {
                    self.arithmetic(*op, a, b, place)
                } else {
                    Expr::binary(*op, a, b)
                }
            }
            Expr::Conditional(parts) => {
                let [c, a, b] = &**parts;
                let c = self.checked(c, place);
                let a = self.checked(a, place);
                Expr::conditional(c, a, self.checked(b, place))
            }
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, a: E, b: E, place: &Span) -> E {
        let (a, b) = (self.leaf(a), self.leaf(b));
        let fits = fits(op, &a, &b);
        // Constants are the most common operands, and often nothing is left to check.
        if fits.as_const() != Some(1) {
            self.found.push(Part::Fits(fits, place.clone()));
        }
        Expr::binary(op, a, b)
    }

    /// The value of an expression as a register or a constant.
    fn leaf(&mut self, e: E) -> E {
        match e {
            Expr::Const(_) | Expr::Var(_) => e,
            Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(_) => {
                let register = (self.register)(self.kept);
                self.kept += 1;
                self.found.push(Part::Keep(register, e));
                Expr::Var(register)
            }
        }
    }
}

/// Whether `a op b` stays inside 32 bits: 1 or 0, computed in 32 bits. Requires registers and
/// constants, and one of `+`, `-`, `*`.
fn fits(op: BinaryOp, a: &E, b: &E) -> E {
    let (least, most) = (Expr::Const(i32::MIN), Expr::Const(i32::MAX));
    let bin = |op, a: &E, b: E| Expr::binary(op, a.clone(), b);
    let (from_0, to_0) = (
        bin(BinaryOp::Ge, b, Expr::Const(0)),
        bin(BinaryOp::Le, b, Expr::Const(0)),
    );
    let both = |one: E, then: E| Expr::binary(BinaryOp::And, one, then);
    let (rising, falling) = if op == BinaryOp::Add {
        (
            bin(BinaryOp::Le, a, bin(BinaryOp::Sub, &most, b.clone())),
            bin(BinaryOp::Ge, a, bin(BinaryOp::Sub, &least, b.clone())),
        )
    } else if op == BinaryOp::Sub {
        (
            bin(BinaryOp::Ge, a, bin(BinaryOp::Add, &least, b.clone())),
            bin(BinaryOp::Le, a, bin(BinaryOp::Add, &most, b.clone())),
        )
    } else {
        return product_fits(a, b);
    };
    Expr::binary(BinaryOp::Or, both(from_0, rising), both(to_0, falling))
}

/// Whether a product stays inside 32 bits. Absolute values are multiplied in halves of 16 bits:
///
/// ```text
/// |a| = ah * 2^16 + al,  |b| = bh * 2^16 + bl,  and ah or bh is 0, or the product is too large
/// |a| * |b| = (ah * bl + al * bh) * 2^16 + al * bl
/// ```
fn product_fits(a: &E, b: &E) -> E {
    let bin = |op, a: E, b: E| Expr::binary(op, a, b);
    let constant = |value: i32| Expr::Const(value);
    let least = |e: &E| bin(BinaryOp::Eq, e.clone(), constant(i32::MIN));
    // The least number has no absolute value: it may only be multiplied by 0 and 1.
    let small = |e: &E| {
        let is = |value| bin(BinaryOp::Eq, e.clone(), constant(value));
        bin(BinaryOp::Or, is(0), is(1))
    };
    let amount = |e: &E| {
        let negative = bin(BinaryOp::Lt, e.clone(), constant(0));
        Expr::conditional(negative, Expr::unary(UnaryOp::Neg, e.clone()), e.clone())
    };
    let high = |e: &E| bin(BinaryOp::Shr, amount(e), constant(16));
    let low = |e: &E| bin(BinaryOp::BitAnd, amount(e), constant(0xffff));
    let cross = bin(
        BinaryOp::Add,
        bin(BinaryOp::Mul, high(a), low(b)),
        bin(BinaryOp::Mul, low(a), high(b)),
    );
    let lows = bin(BinaryOp::Mul, low(a), low(b));
    let carried = bin(
        BinaryOp::BitAnd,
        bin(BinaryOp::Shr, lows.clone(), constant(16)),
        constant(0xffff),
    );
    let top = bin(BinaryOp::Add, cross, carried);
    let one_is_low = bin(
        BinaryOp::Or,
        bin(BinaryOp::Eq, high(a), constant(0)),
        bin(BinaryOp::Eq, high(b), constant(0)),
    );
    let below = bin(BinaryOp::Lt, top.clone(), constant(0x8000));
    // -2^31 itself.
    let negative = bin(
        BinaryOp::Ne,
        bin(BinaryOp::Lt, a.clone(), constant(0)),
        bin(BinaryOp::Lt, b.clone(), constant(0)),
    );
    let at_the_end = bin(
        BinaryOp::And,
        bin(BinaryOp::Eq, top, constant(0x8000)),
        bin(
            BinaryOp::Eq,
            bin(BinaryOp::BitAnd, lows, constant(0xffff)),
            constant(0),
        ),
    );
    let ends = bin(BinaryOp::And, negative, at_the_end);
    let halves = bin(BinaryOp::And, one_is_low, bin(BinaryOp::Or, below, ends));
    Expr::conditional(
        least(a),
        small(b),
        Expr::conditional(least(b), small(a), halves),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = i32> {
        prop_oneof![
            any::<i32>(),
            -70_000..70_000_i32,
            (0..32_u32, -2..3_i32)
                .prop_map(|(bits, off)| (1_i32.wrapping_shl(bits)).wrapping_add(off)),
            (0..32_u32, -2..3_i32)
                .prop_map(|(bits, off)| (-1_i32).wrapping_shl(bits).wrapping_add(off)),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn a_result_fits_if_and_only_if_32_bits_can_hold_it(a in number(), b in number(), divide in any::<bool>()) {
            // Products at the ends are rare by chance.
            let b = if divide && a != 0 && a != -1 { i32::MAX / a } else { b };
            let (x, y) = (Expr::Var(RegId(0)), Expr::Var(RegId(1)));
            for b in [b, b.wrapping_add(1), b.wrapping_neg(), b.wrapping_neg().wrapping_sub(1)] {
                for (op, exact) in [
                    (BinaryOp::Add, i64::from(a) + i64::from(b)),
                    (BinaryOp::Sub, i64::from(a) - i64::from(b)),
                    (BinaryOp::Mul, i64::from(a) * i64::from(b)),
                ] {
                    let fits = fits(op, &x, &y).eval(|reg| if reg == RegId(0) { a } else { b });
                    prop_assert_eq!(fits != 0, i32::try_from(exact).is_ok(), "{} {:?} {}", a, op, b);
                }
            }
        }
    }
}
