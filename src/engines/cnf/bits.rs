//! Two's complement numbers as vectors of literals.
//!
//! A number holds as many bits as it needs, least significant first; the last bit is the sign and
//! extends to all higher positions. So 0 is one false literal, 1 two literals, and a register that
//! is always 0 or 1 costs one variable. Results are truncated to 32 bits, so arithmetic wraps.
//!
//! **Invariant.** Between 1 and 32 bits; the last two differ unless there is only one.

use super::Cnf;
use crate::program::{BinaryOp, Expr, UnaryOp};
use rustsat::types::Lit;
use std::sync::Arc;

const WIDTH: usize = 32;

/// A 32-bit number whose bits are literals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bits(Vec<Lit>);

impl Bits {
    fn new(mut bits: Vec<Lit>) -> Self {
        bits.truncate(WIDTH);
        while bits.len() > 1 && bits[bits.len() - 1] == bits[bits.len() - 2] {
            bits.pop();
        }
        Self(bits)
    }

    /// A constant.
    pub(crate) fn constant(value: i32) -> Self {
        Self::new(
            (0..WIDTH)
                .map(|i| Cnf::constant(value >> i & 1 == 1))
                .collect(),
        )
    }

    /// 1 if the literal is true, else 0.
    pub(crate) fn boolean(lit: Lit) -> Self {
        Self::new(vec![lit, Cnf::FALSE])
    }

    /// A new number that can take at least the values from `low` to `high`.
    pub(crate) fn fresh(cnf: &mut Cnf, low: i32, high: i32) -> Self {
        if low == high {
            return Self::constant(low);
        }
        let magnitude = |v: i32| WIDTH - (if v < 0 { !v } else { v }).leading_zeros() as usize;
        let width = magnitude(low).max(magnitude(high));
        let mut bits: Vec<Lit> = (0..width).map(|_| cnf.fresh()).collect();
        bits.push(match (low < 0, high < 0) {
            (false, _) => Cnf::FALSE,
            (true, true) => Cnf::TRUE,
            (true, false) => cnf.fresh(),
        });
        Self::new(bits)
    }

    /// The literal of a bit, of the sign for all that are not stored.
    pub(crate) fn bit(&self, i: usize) -> Lit {
        self.0[i.min(self.0.len() - 1)]
    }

    fn sign(&self) -> Lit {
        self.0[self.0.len() - 1]
    }

    /// The number of bits that are stored, at least 1.
    pub(crate) fn width(&self) -> usize {
        self.0.len()
    }

    /// The value, if every bit is constant.
    pub(crate) fn as_const(&self) -> Option<i32> {
        self.value(|lit| match lit {
            Cnf::TRUE => Some(true),
            Cnf::FALSE => Some(false),
            _ => None,
        })
    }

    /// The value under an assignment, if it assigns every bit.
    pub(crate) fn value(&self, mut assigned: impl FnMut(Lit) -> Option<bool>) -> Option<i32> {
        let mut value = 0;
        for i in 0..WIDTH {
            if i >= self.width() && i > 0 {
                value |= (value >> (i - 1) & 1) << i;
            } else {
                value |= i32::from(assigned(self.0[i])?) << i;
            }
        }
        Some(value)
    }

    /// True if and only if the number is not 0.
    pub(crate) fn nonzero(&self, cnf: &mut Cnf) -> Lit {
        cnf.or_all(self.0.iter().copied())
    }

    /// True if and only if the numbers are equal.
    pub(crate) fn equal(&self, other: &Bits, cnf: &mut Cnf) -> Lit {
        let width = self.width().max(other.width());
        let same: Vec<Lit> = (0..width)
            .map(|i| !cnf.xor(self.bit(i), other.bit(i)))
            .collect();
        cnf.and_all(same)
    }

    /// Clauses for `condition → self = other`.
    pub(crate) fn equal_if(&self, condition: Lit, other: &Bits, cnf: &mut Cnf) {
        for i in 0..self.width().max(other.width()) {
            let (a, b) = (self.bit(i), other.bit(i));
            if a != b {
                cnf.clause(&[!condition, !a, b]);
                cnf.clause(&[!condition, a, !b]);
            }
        }
    }

    /// `condition ? self : other`.
    pub(crate) fn mux(&self, condition: Lit, other: &Bits, cnf: &mut Cnf) -> Bits {
        let width = self.width().max(other.width());
        Bits::new(
            (0..width)
                .map(|i| cnf.mux(condition, self.bit(i), other.bit(i)))
                .collect(),
        )
    }

    /// Applies an operator with one operand.
    pub(crate) fn unary(op: UnaryOp, a: &Bits, cnf: &mut Cnf) -> Bits {
        match op {
            UnaryOp::Not => Bits::boolean(!a.nonzero(cnf)),
            UnaryOp::BitNot => a.not(),
            UnaryOp::Neg => Bits::sum(&Bits::constant(0), &a.not(), Cnf::TRUE, cnf),
        }
    }

    /// Applies an operator with two operands.
    pub(crate) fn binary(op: BinaryOp, a: &Bits, b: &Bits, cnf: &mut Cnf) -> Bits {
        match op {
            BinaryOp::Or => {
                let (a, b) = (a.nonzero(cnf), b.nonzero(cnf));
                Bits::boolean(cnf.or(a, b))
            }
            BinaryOp::And => {
                let (a, b) = (a.nonzero(cnf), b.nonzero(cnf));
                Bits::boolean(cnf.and(a, b))
            }
            BinaryOp::BitOr => Bits::bitwise(a, b, |a, b| cnf.or(a, b)),
            BinaryOp::BitXor => Bits::bitwise(a, b, |a, b| cnf.xor(a, b)),
            BinaryOp::BitAnd => Bits::bitwise(a, b, |a, b| cnf.and(a, b)),
            BinaryOp::Eq => Bits::boolean(a.equal(b, cnf)),
            BinaryOp::Ne => Bits::boolean(!a.equal(b, cnf)),
            BinaryOp::Lt => Bits::boolean(a.less(b, cnf)),
            BinaryOp::Le => Bits::boolean(!b.less(a, cnf)),
            BinaryOp::Gt => Bits::boolean(b.less(a, cnf)),
            BinaryOp::Ge => Bits::boolean(!a.less(b, cnf)),
            BinaryOp::Add => Bits::sum(a, b, Cnf::FALSE, cnf),
            BinaryOp::Sub => Bits::sum(a, &b.not(), Cnf::TRUE, cnf),
            BinaryOp::Mul => Bits::product(a, b, cnf),
            BinaryOp::Shl => a.shifted(b, cnf, Bits::left),
            BinaryOp::Shr => a.shifted(b, cnf, Bits::right),
            BinaryOp::Div => Bits::quotient(a, b, cnf).0,
            BinaryOp::Rem => Bits::quotient(a, b, cnf).1,
        }
    }

    fn not(&self) -> Bits {
        Bits(self.0.iter().map(|&lit| !lit).collect())
    }

    fn bitwise(a: &Bits, b: &Bits, mut gate: impl FnMut(Lit, Lit) -> Lit) -> Bits {
        let width = a.width().max(b.width());
        Bits::new((0..width).map(|i| gate(a.bit(i), b.bit(i))).collect())
    }

    /// `a + b + carry`, wrapping: one bit more than the wider operand, up to 32.
    fn sum(a: &Bits, b: &Bits, mut carry: Lit, cnf: &mut Cnf) -> Bits {
        let width = (a.width().max(b.width()) + 1).min(WIDTH);
        let mut bits = Vec::with_capacity(width);
        for i in 0..width {
            let (x, y) = (a.bit(i), b.bit(i));
            let half = cnf.xor(x, y);
            bits.push(cnf.xor(half, carry));
            // The majority: the carry where exactly one operand bit is set, else either operand.
            carry = cnf.mux(half, carry, x);
        }
        Bits::new(bits)
    }

    fn product(a: &Bits, b: &Bits, cnf: &mut Cnf) -> Bits {
        // If one operand is constant, it selects the summands without gates.
        let (a, b) = if a.as_const().is_some() {
            (b, a)
        } else {
            (a, b)
        };
        let width = (a.width() + b.width()).min(WIDTH);
        let mut sum = Bits::constant(0);
        for i in 0..b.width() {
            let selected: Vec<Lit> = std::iter::repeat_n(Cnf::FALSE, i)
                .chain((0..width.saturating_sub(i)).map(|j| a.bit(j)))
                .collect();
            let selected: Vec<Lit> = selected
                .into_iter()
                .map(|lit| cnf.and(lit, b.bit(i)))
                .collect();
            let summand = Bits::new(selected);
            // The sign bit of a two's complement number has negative weight.
            sum = if i + 1 == b.width() {
                Bits::sum(&sum, &summand.not(), Cnf::TRUE, cnf)
            } else {
                Bits::sum(&sum, &summand, Cnf::FALSE, cnf)
            };
        }
        let bits = (0..width).map(|i| sum.bit(i)).collect();
        Bits::new(bits)
    }

    fn left(&self, by: usize) -> Bits {
        let low = std::iter::repeat_n(Cnf::FALSE, by);
        Bits::new(low.chain(self.0.iter().copied()).collect())
    }

    fn right(&self, by: usize) -> Bits {
        Bits::new(
            (by..(by + 1).max(self.width()))
                .map(|i| self.bit(i))
                .collect(),
        )
    }

    /// A shift by the low five bits of `by`.
    fn shifted(&self, by: &Bits, cnf: &mut Cnf, shift: impl Fn(&Bits, usize) -> Bits) -> Bits {
        (0..5).fold(self.clone(), |value, i| {
            let moved = shift(&value, 1 << i);
            moved.mux(by.bit(i), &value, cnf)
        })
    }

    fn less(&self, other: &Bits, cnf: &mut Cnf) -> Lit {
        let width = self.width().max(other.width());
        let mut less = Cnf::FALSE;
        for i in 0..width {
            let (a, b) = (self.bit(i), other.bit(i));
            let differ = cnf.xor(a, b);
            // Where the numbers differ, the one with the sign bit set is smaller, and the one with
            // any other bit set is larger.
            less = cnf.mux(differ, if i + 1 == width { a } else { b }, less);
        }
        less
    }

    fn magnitude(&self, cnf: &mut Cnf) -> Bits {
        let negated = Bits::unary(UnaryOp::Neg, self, cnf);
        negated.mux(self.sign(), self, cnf)
    }

    fn negate_if(&self, condition: Lit, cnf: &mut Cnf) -> Bits {
        let negated = Bits::unary(UnaryOp::Neg, self, cnf);
        negated.mux(condition, self, cnf)
    }

    /// Quotient and remainder as in [`crate::program::BinaryOp::apply`]: rounding to zero, and 0
    /// for both if the divisor is 0. Long division of the magnitudes, which are unsigned 32-bit
    /// numbers so that the magnitude of the least integer fits.
    fn quotient(a: &Bits, b: &Bits, cnf: &mut Cnf) -> (Bits, Bits) {
        let (dividend, divisor) = (a.magnitude(cnf), b.magnitude(cnf));
        // Unsigned arithmetic on 33 bits: the partial remainder stays below twice the divisor.
        let wide = |bits: &Bits, i: usize| if i < WIDTH { bits.bit(i) } else { Cnf::FALSE };
        let subtrahend: Vec<Lit> = (0..=WIDTH).map(|i| wide(&divisor, i)).collect();
        let mut rest = vec![Cnf::FALSE; WIDTH + 1];
        let mut quotient = vec![Cnf::FALSE; WIDTH];
        for i in (0..WIDTH).rev() {
            rest.pop();
            rest.insert(0, wide(&dividend, i));
            let mut carry = Cnf::TRUE;
            let mut difference = Vec::with_capacity(WIDTH + 1);
            for (&x, &y) in rest.iter().zip(&subtrahend) {
                let half = cnf.xor(x, !y);
                difference.push(cnf.xor(half, carry));
                carry = cnf.mux(half, carry, x);
            }
            // No borrow: the divisor fits.
            quotient[i] = carry;
            rest = rest
                .iter()
                .zip(&difference)
                .map(|(&r, &d)| cnf.mux(carry, d, r))
                .collect();
        }
        let defined = b.nonzero(cnf);
        let opposite = cnf.xor(a.sign(), b.sign());
        let quotient = Bits::new(quotient).negate_if(opposite, cnf);
        rest.truncate(WIDTH);
        let rest = Bits::new(rest).negate_if(a.sign(), cnf);
        let zero = Bits::constant(0);
        (
            quotient.mux(defined, &zero, cnf),
            rest.mux(defined, &zero, cnf),
        )
    }
}

/// The bits of an expression.
pub(crate) fn term<V: Clone>(
    e: &Expr<V>,
    cnf: &mut Cnf,
    value: &impl Fn(V) -> Arc<Bits>,
) -> Arc<Bits> {
    match e {
        Expr::Const(c) => Arc::new(Bits::constant(*c)),
        Expr::Var(v) => value(v.clone()),
        Expr::Unary(op, a) => {
            let a = term(a, cnf, value);
            Arc::new(Bits::unary(*op, &a, cnf))
        }
        Expr::Binary(op, a, b) => {
            let (a, b) = (term(a, cnf, value), term(b, cnf, value));
            Arc::new(Bits::binary(*op, &a, &b, cnf))
        }
        Expr::Conditional(parts) => {
            let [c, a, b] = &**parts;
            let c = term(c, cnf, value).nonzero(cnf);
            let (a, b) = (term(a, cnf, value), term(b, cnf, value));
            Arc::new(a.mux(c, &b, cnf))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Evaluates an operator on constants: the gates fold constants.
    fn folded(op: BinaryOp, a: i32, b: i32) -> Option<i32> {
        let mut cnf = Cnf::new();
        Bits::binary(op, &Bits::constant(a), &Bits::constant(b), &mut cnf).as_const()
    }

    const OPERATORS: [BinaryOp; 18] = [
        BinaryOp::Or,
        BinaryOp::And,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::BitAnd,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
    ];

    fn number() -> impl Strategy<Value = i32> {
        prop_oneof![
            -5..6i32,
            any::<i32>(),
            Just(i32::MIN),
            Just(i32::MAX),
            Just(i32::MIN + 1),
            (0..32u32).prop_map(|i| 1i32.wrapping_shl(i)),
        ]
    }

    proptest! {
        #[test]
        fn operators_on_constants_agree_with_the_language(
            op in proptest::sample::select(&OPERATORS[..]), a in number(), b in number()
        ) {
            prop_assert_eq!(folded(op, a, b), Some(op.apply(a, b)), "{:?} {} {}", op, a, b);
        }

        #[test]
        fn unary_operators_on_constants_agree_with_the_language(a in number()) {
            for op in [UnaryOp::Not, UnaryOp::BitNot, UnaryOp::Neg] {
                let mut cnf = Cnf::new();
                let bits = Bits::unary(op, &Bits::constant(a), &mut cnf);
                prop_assert_eq!(bits.as_const(), Some(op.apply(a)));
            }
        }
    }

    /// Evaluates a formula whose gates are defined in the order of their variables.
    fn evaluate(cnf: &Cnf, inputs: &[(Lit, bool)]) -> Vec<bool> {
        let mut model: Vec<Option<bool>> = vec![None; cnf.variables()];
        model[0] = Some(true);
        for &(lit, value) in inputs {
            model[lit.vidx()] = Some(value != lit.is_neg());
        }
        loop {
            let mut changed = false;
            for clause in cnf.clauses_from(0) {
                let value = |l: Lit| model[l.vidx()].map(|v| v != l.is_neg());
                if clause.iter().any(|&l| value(l) == Some(true)) {
                    continue;
                }
                let open: Vec<Lit> = clause
                    .iter()
                    .copied()
                    .filter(|&l| value(l).is_none())
                    .collect();
                assert!(!open.is_empty(), "the inputs contradict the gates");
                if let [lit] = open[..] {
                    model[lit.vidx()] = Some(!lit.is_neg());
                    changed = true;
                }
            }
            if !changed {
                return model.into_iter().map(Option::unwrap_or_default).collect();
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn operators_on_variables_agree_with_the_language(
            op in proptest::sample::select(&OPERATORS[..]), a in number(), b in number()
        ) {
            let mut cnf = Cnf::new();
            let x = Bits::fresh(&mut cnf, a.min(0), a.max(0));
            let y = Bits::fresh(&mut cnf, b.min(1), b.max(1));
            let out = Bits::binary(op, &x, &y, &mut cnf);
            let inputs = |bits: &Bits, v: i32| -> Vec<(Lit, bool)> {
                bits.0
                    .iter()
                    .enumerate()
                    .filter(|(_, l)| l.vidx() != 0)
                    .map(|(i, &l)| (l, v >> i & 1 == 1))
                    .collect()
            };
            let mut given = inputs(&x, a);
            given.extend(inputs(&y, b));
            let model = evaluate(&cnf, &given);
            let value = out.value(|l| Some(model[l.vidx()] != l.is_neg()));
            prop_assert_eq!(value, Some(op.apply(a, b)), "{:?} {} {}", op, a, b);
        }
    }
}
