//! Expressions without side effects, over registers or over a configuration's observables.
//!
//! Evaluation is total: arithmetic wraps at 32 bits, shifts take their count modulo 32, `>>` keeps
//! the sign, comparisons are signed, truth is 1. Division by 0 gives 0, so that evaluation has no
//! error case: front ends make it a violation, or accept only constant divisors other than 0.

/// An expression over variables of type `V`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr<V> {
    /// A constant.
    Const(i32),
    /// A variable's value.
    Var(V),
    /// An operator and its operand.
    Unary(UnaryOp, Box<Expr<V>>),
    /// An operator and its operands.
    Binary(BinaryOp, Box<Expr<V>>, Box<Expr<V>>),
    /// The second operand if the first is not 0, else the third.
    Conditional(Box<[Expr<V>; 3]>),
}

/// A disjunction of no more operands than this is written as a chain, as a person would.
const LONGEST_CHAIN: usize = 64;

impl<V: Copy> Expr<V> {
    /// Whether one of these holds. Of many it is a balanced tree: a chain would be as deep as there are
    /// many, and expressions are followed by recursion.
    pub fn any_of(all: &[Self]) -> Self {
        if all.len() > LONGEST_CHAIN {
            let (some, others) = all.split_at(all.len() / 2);
            return Self::binary(BinaryOp::Or, Self::any_of(some), Self::any_of(others));
        }
        let all = all.iter().cloned();
        all.reduce(|a, b| Self::binary(BinaryOp::Or, a, b))
            .unwrap_or(Self::Const(0))
    }
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// 1 if the operand is 0, else 0.
    Not,
    /// All bits flipped.
    BitNot,
    /// Wrapping negation.
    Neg,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// 1 if either operand is not 0, else 0.
    Or,
    /// 1 if neither operand is 0, else 0.
    And,
    /// Bitwise or.
    BitOr,
    /// Bitwise exclusive or.
    BitXor,
    /// Bitwise and.
    BitAnd,
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less, signed.
    Lt,
    /// Less or equal, signed.
    Le,
    /// Greater, signed.
    Gt,
    /// Greater or equal, signed.
    Ge,
    /// Shift left.
    Shl,
    /// Shift right, keeping the sign.
    Shr,
    /// Wrapping addition.
    Add,
    /// Wrapping subtraction.
    Sub,
    /// Wrapping multiplication.
    Mul,
    /// Division, rounding to zero.
    Div,
    /// Remainder, with the sign of the dividend.
    Rem,
}

impl UnaryOp {
    /// The operator's value.
    pub fn apply(self, a: i32) -> i32 {
        self.exact(a) as i32
    }

    /// The operator's value over the integers, of which [`apply`](Self::apply) keeps 32 bits.
    pub fn exact(self, a: i32) -> i64 {
        match self {
            UnaryOp::Not => i64::from(a == 0),
            UnaryOp::BitNot => i64::from(!a),
            UnaryOp::Neg => -i64::from(a),
        }
    }
}

impl BinaryOp {
    /// How tightly the operator binds, from 1, as in C. All operators are left-associative.
    pub fn precedence(self) -> u8 {
        match self {
            BinaryOp::Or => 1,
            BinaryOp::And => 2,
            BinaryOp::BitOr => 3,
            BinaryOp::BitXor => 4,
            BinaryOp::BitAnd => 5,
            BinaryOp::Eq | BinaryOp::Ne => 6,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => 7,
            BinaryOp::Shl | BinaryOp::Shr => 8,
            BinaryOp::Add | BinaryOp::Sub => 9,
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 10,
        }
    }

    /// Whether the results are 0 and 1: a comparison, "and" or "or".
    pub fn is_truth(self) -> bool {
        self.precedence() <= BinaryOp::And.precedence() || self.opposite().is_some()
    }

    /// The comparison that is true where this one is not.
    fn opposite(self) -> Option<Self> {
        match self {
            BinaryOp::Eq => Some(BinaryOp::Ne),
            BinaryOp::Ne => Some(BinaryOp::Eq),
            BinaryOp::Lt => Some(BinaryOp::Ge),
            BinaryOp::Ge => Some(BinaryOp::Lt),
            BinaryOp::Gt => Some(BinaryOp::Le),
            BinaryOp::Le => Some(BinaryOp::Gt),
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
            | BinaryOp::Rem => None,
        }
    }

    /// The operator's value.
    pub fn apply(self, a: i32, b: i32) -> i32 {
        self.exact(a, b) as i32
    }

    /// The operator's value over the integers, of which [`apply`](Self::apply) keeps 32 bits.
    pub fn exact(self, a: i32, b: i32) -> i64 {
        let (x, y) = (i64::from(a), i64::from(b));
        match self {
            BinaryOp::Or => i64::from(a != 0 || b != 0),
            BinaryOp::And => i64::from(a != 0 && b != 0),
            BinaryOp::BitOr => x | y,
            BinaryOp::BitXor => x ^ y,
            BinaryOp::BitAnd => x & y,
            BinaryOp::Eq => i64::from(a == b),
            BinaryOp::Ne => i64::from(a != b),
            BinaryOp::Lt => i64::from(a < b),
            BinaryOp::Le => i64::from(a <= b),
            BinaryOp::Gt => i64::from(a > b),
            BinaryOp::Ge => i64::from(a >= b),
            BinaryOp::Shl => x << (b & 31),
            BinaryOp::Shr => x >> (b & 31),
            BinaryOp::Add => x + y,
            BinaryOp::Sub => x - y,
            BinaryOp::Mul => x * y,
            // In 64 bits only the division by 0 fails: -2³¹ / -1 fits.
            BinaryOp::Div => x.checked_div(y).unwrap_or(0),
            BinaryOp::Rem => x.checked_rem(y).unwrap_or(0),
        }
    }
}

impl<V: Copy> Expr<V> {
    /// `op e`.
    pub fn unary(op: UnaryOp, e: Expr<V>) -> Self {
        Expr::Unary(op, Box::new(e))
    }

    /// `a op b`.
    pub fn binary(op: BinaryOp, a: Expr<V>, b: Expr<V>) -> Self {
        Expr::Binary(op, Box::new(a), Box::new(b))
    }

    /// `c ? a : b`.
    pub fn conditional(c: Expr<V>, a: Expr<V>, b: Expr<V>) -> Self {
        Expr::Conditional(Box::new([c, a, b]))
    }

    /// The expression's value, given the values of its variables.
    pub fn eval(&self, mut value: impl FnMut(V) -> i32) -> i32 {
        self.eval_with(&mut value)
    }

    fn eval_with(&self, value: &mut impl FnMut(V) -> i32) -> i32 {
        match self {
            Expr::Const(c) => *c,
            Expr::Var(v) => value(*v),
            Expr::Unary(op, e) => op.apply(e.eval_with(value)),
            Expr::Binary(op, a, b) => {
                let a = a.eval_with(value);
                // Expressions have no side effects, so `&&` and `||` may stop after the left
                // operand.
                match (op, a) {
                    (BinaryOp::And, 0) => 0,
                    (BinaryOp::Or, a) if a != 0 => 1,
                    _ => op.apply(a, b.eval_with(value)),
                }
            }
            Expr::Conditional(parts) => {
                let [c, a, b] = &**parts;
                if c.eval_with(value) == 0 {
                    b.eval_with(value)
                } else {
                    a.eval_with(value)
                }
            }
        }
    }

    /// Calls `visit` for every mention of a variable, left to right.
    pub fn for_each_var(&self, visit: &mut impl FnMut(V)) {
        match self {
            Expr::Const(_) => {}
            Expr::Var(v) => visit(*v),
            Expr::Unary(_, e) => e.for_each_var(visit),
            Expr::Binary(_, a, b) => {
                a.for_each_var(visit);
                b.for_each_var(visit);
            }
            Expr::Conditional(parts) => parts.iter().for_each(|e| e.for_each_var(visit)),
        }
    }

    /// The variables mentioned, left to right, with repetitions.
    pub fn vars(&self) -> Vec<V> {
        let mut vars = Vec::new();
        self.for_each_var(&mut |v| vars.push(v));
        vars
    }

    /// The constants mentioned, left to right, with repetitions.
    pub fn constants(&self) -> Vec<i32> {
        let mut constants = Vec::new();
        let mut work = vec![self];
        while let Some(e) = work.pop() {
            match e {
                Expr::Const(c) => constants.push(*c),
                Expr::Var(_) => {}
                Expr::Unary(_, a) => work.push(a),
                Expr::Binary(_, a, b) => work.extend([&**b, &**a]),
                Expr::Conditional(parts) => work.extend(parts.iter().rev()),
            }
        }
        constants
    }

    /// The same expression with each variable replaced.
    pub fn map<W: Copy>(&self, f: &mut impl FnMut(V) -> Expr<W>) -> Expr<W> {
        match self {
            Expr::Const(c) => Expr::Const(*c),
            Expr::Var(v) => f(*v),
            Expr::Unary(op, e) => Expr::unary(*op, e.map(f)),
            Expr::Binary(op, a, b) => {
                let a = a.map(f);
                Expr::binary(*op, a, b.map(f))
            }
            Expr::Conditional(parts) => {
                let [c, a, b] = &**parts;
                let c = c.map(f);
                let a = a.map(f);
                Expr::conditional(c, a, b.map(f))
            }
        }
    }

    /// The value, if no variable is mentioned.
    pub fn as_const(&self) -> Option<i32> {
        self.vars().is_empty().then(|| self.eval(|_| 0))
    }

    /// The deepest nesting: 1 for a constant or variable.
    pub fn depth(&self) -> usize {
        match self {
            Expr::Const(_) | Expr::Var(_) => 1,
            Expr::Unary(_, e) => 1 + e.depth(),
            Expr::Binary(_, a, b) => 1 + a.depth().max(b.depth()),
            Expr::Conditional(parts) => 1 + parts.iter().map(Expr::depth).max().unwrap_or(0),
        }
    }

    /// Whether one of the two is 0 exactly where the other is not, as their form shows: `!e` and `e`, or
    /// comparisons of the same operands.
    pub fn is_opposite(&self, other: &Self) -> bool
    where
        V: PartialEq,
    {
        match (self, other) {
            (Expr::Unary(UnaryOp::Not, e), f) | (f, Expr::Unary(UnaryOp::Not, e)) if **e == *f => {
                true
            }
            (Expr::Binary(op, a, b), Expr::Binary(other, c, d)) => {
                op.opposite() == Some(*other) && a == c && b == d
            }
            _ => false,
        }
    }

    /// Whether the value is computed without dividing by 0; `None` if it always is. As in C, what
    /// `&&`, `||` and `?:` do not need is not computed.
    pub fn divides(&self) -> Option<Expr<V>> {
        let both = |a: Option<Expr<V>>, b: Option<Expr<V>>| match (a, b) {
            (Some(a), Some(b)) => Some(Expr::binary(BinaryOp::And, a, b)),
            (a, b) => a.or(b),
        };
        let unless = |a: Expr<V>, b: Expr<V>| Expr::binary(BinaryOp::Or, a, b);
        match self {
            Expr::Const(_) | Expr::Var(_) => None,
            Expr::Unary(_, e) => e.divides(),
            Expr::Binary(op, a, b) => {
                let right = match op {
                    BinaryOp::Or => b.divides().map(|b| unless((**a).clone(), b)),
                    BinaryOp::And => {
                        let not = Expr::unary(UnaryOp::Not, (**a).clone());
                        b.divides().map(|b| unless(not, b))
                    }
                    BinaryOp::Div | BinaryOp::Rem => {
                        let zero = b.as_const().is_none_or(|by| by == 0);
                        let by = (**b).clone();
                        let by = zero.then(|| Expr::binary(BinaryOp::Ne, by, Expr::Const(0)));
                        both(b.divides(), by)
                    }
                    BinaryOp::BitOr
                    | BinaryOp::BitXor
                    | BinaryOp::BitAnd
                    | BinaryOp::Eq
                    | BinaryOp::Ne
                    | BinaryOp::Lt
                    | BinaryOp::Le
                    | BinaryOp::Gt
                    | BinaryOp::Ge
                    | BinaryOp::Shl
                    | BinaryOp::Shr
                    | BinaryOp::Add
                    | BinaryOp::Sub
                    | BinaryOp::Mul => b.divides(),
                };
                both(a.divides(), right)
            }
            Expr::Conditional(parts) => {
                let [c, a, b] = &**parts;
                let chosen = match (a.divides(), b.divides()) {
                    (None, None) => None,
                    (a, b) => Some(Expr::conditional(
                        c.clone(),
                        a.unwrap_or(Expr::Const(1)),
                        b.unwrap_or(Expr::Const(1)),
                    )),
                };
                both(c.divides(), chosen)
            }
        }
    }

    /// Whether every divisor is a constant other than 0.
    pub fn divides_by_constants_only(&self) -> bool {
        match self {
            Expr::Const(_) | Expr::Var(_) => true,
            Expr::Unary(_, e) => e.divides_by_constants_only(),
            Expr::Binary(op, a, b) => {
                let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
                (!divides || b.as_const().is_some_and(|c| c != 0))
                    && a.divides_by_constants_only()
                    && b.divides_by_constants_only()
            }
            Expr::Conditional(parts) => parts.iter().all(Expr::divides_by_constants_only),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number() -> BoxedStrategy<i32> {
        prop_oneof![-3..40_i32, any::<i32>(), Just(i32::MIN), Just(i32::MAX)].boxed()
    }

    /// How deep an expression is.
    fn depth(e: &Expr<usize>) -> usize {
        match e {
            Expr::Binary(_, a, b) => 1 + depth(a).max(depth(b)),
            Expr::Const(_) | Expr::Var(_) | Expr::Unary(..) | Expr::Conditional(_) => 0,
        }
    }

    #[test]
    fn a_disjunction_of_many_is_not_deep() {
        for count in [0, 1, 2, 64, 65, 1000] {
            let all: Vec<Expr<usize>> = (0..count).map(Expr::Var).collect();
            let any = Expr::any_of(&all);
            assert_eq!(any.eval(|_| 0), 0, "{count}");
            for one in 0..count {
                assert_eq!(any.eval(|var| i32::from(var == one)), 1, "{one} of {count}");
            }
            assert!(depth(&any) < 70, "{count}");
        }
    }

    proptest! {
        #[test]
        fn arithmetic_wraps_at_32_bits(a in number(), b in number()) {
            for (op, expected) in [
                (BinaryOp::Add, a.wrapping_add(b)),
                (BinaryOp::Sub, a.wrapping_sub(b)),
                (BinaryOp::Mul, a.wrapping_mul(b)),
                (BinaryOp::Shl, a.wrapping_shl(b as u32)),
                (BinaryOp::Shr, a.wrapping_shr(b as u32)),
                (BinaryOp::Div, if b == 0 { 0 } else { a.wrapping_div(b) }),
                (BinaryOp::Rem, if b == 0 { 0 } else { a.wrapping_rem(b) }),
                (BinaryOp::BitOr, a | b),
                (BinaryOp::BitXor, a ^ b),
                (BinaryOp::BitAnd, a & b),
            ] {
                prop_assert_eq!(op.apply(a, b), expected, "{} {:?} {}", a, op, b);
            }
            prop_assert_eq!(UnaryOp::Neg.apply(a), a.wrapping_neg());
            prop_assert_eq!(UnaryOp::BitNot.apply(a), !a);
        }
    }
}
