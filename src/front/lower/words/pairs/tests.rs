//! Pairs against the 64-bit arithmetic of the machine that runs the tests, by an evaluator of the typed code.

use super::*;
use crate::lower::operation::BitFunction;
use crate::lower::typed::UnaryOp;
use crate::text::FileId;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn place() -> Place {
    Place {
        file: FileId(0),
        start: 0,
        end: 0,
    }
}

/// The values of locals.
type Values = BTreeMap<LocalId, u32>;

/// A number reduced to a type.
fn wrap(value: i128, ty: &Type) -> i128 {
    match ty.kind {
        TypeKind::Bool => i128::from(value != 0),
        TypeKind::Int { bits: 8, signed } if signed => (value as i8).into(),
        TypeKind::Int { bits: 8, .. } => (value as u8).into(),
        TypeKind::Int { bits: 16, signed } if signed => (value as i16).into(),
        TypeKind::Int { bits: 16, .. } => (value as u16).into(),
        TypeKind::Int { bits: 32, signed } if signed => (value as i32).into(),
        TypeKind::Int { bits: 32, .. } => (value as u32).into(),
        TypeKind::Int { bits: 64, signed } if signed => (value as i64).into(),
        TypeKind::Int { bits: 64, .. } => (value as u64).into(),
        _ => panic!("{ty:?} has no numbers"),
    }
}

/// The value of an expression, as a number of its type.
fn eval(e: &Expr, values: &Values) -> i128 {
    let result = match &e.kind {
        ExprKind::Const(value) => {
            assert_eq!(wrap((*value).into(), &e.ty), (*value).into());
            (*value).into()
        }
        ExprKind::Load(from) => match from.kind {
            LvalueKind::Local(local) => values[&local].into(),
            _ => panic!("{from:?} is no local"),
        },
        ExprKind::Cast(inner) => eval(inner, values),
        ExprKind::Unary(op, inner) => {
            let value = eval(inner, values);
            match op {
                UnaryOp::Not => i128::from(value == 0),
                UnaryOp::BitNot => !value,
                UnaryOp::Neg => -value,
            }
        }
        ExprKind::Binary(op, left, right) => {
            let (a, b) = (eval(left, values), eval(right, values));
            let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
            if is_shift {
                assert!((0..32).contains(&b), "a shift by {b}");
                assert!(shows_its_range(right), "{right:?} needs a check");
            } else {
                assert_eq!(left.ty, right.ty, "{e:?}");
            }
            match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::BitAnd => a & b,
                BinaryOp::BitOr => a | b,
                BinaryOp::BitXor => a ^ b,
                BinaryOp::Shl => a << b,
                BinaryOp::Shr => a >> b,
                BinaryOp::Eq => (a == b).into(),
                BinaryOp::Ne => (a != b).into(),
                BinaryOp::Lt => (a < b).into(),
                BinaryOp::Le => (a <= b).into(),
                _ => panic!("{op:?} is not made here"),
            }
        }
        _ => panic!("{e:?} is not made here"),
    };
    wrap(result, &e.ty)
}

/// Whether lowering can see that this is a width of shifts: it is a constant or masked.
fn shows_its_range(by: &Expr) -> bool {
    match &by.kind {
        ExprKind::Const(_) => true,
        ExprKind::Binary(BinaryOp::BitAnd, _, mask) => known(mask) == Some(31),
        _ => false,
    }
}

fn load(local: usize) -> Expr {
    let from = Lvalue {
        kind: LvalueKind::Local(LocalId(local)),
        ty: HALF,
        place: place(),
    };
    Expr {
        kind: ExprKind::Load(Box::new(from)),
        ty: HALF,
        place: place(),
    }
}

/// How an operand is given: which of its halves are constants.
#[derive(Clone, Copy, Debug)]
struct Given {
    low: bool,
    high: bool,
}

/// The numbers that operands are, in locals or as constants.
struct Inputs {
    values: Values,
}

impl Inputs {
    fn new() -> Inputs {
        let values = Values::new();
        Inputs { values }
    }

    fn half(&mut self, value: u32, is_known: bool) -> Expr {
        if is_known {
            return constant(value, place());
        }
        let local = self.values.len();
        self.values.insert(LocalId(local), value);
        load(local)
    }

    fn pair(&mut self, value: u64, given: Given) -> Pair {
        Pair {
            low: self.half(value as u32, given.low),
            high: self.half((value >> 32) as u32, given.high),
        }
    }

    /// What an operation yields, and the values of all locals after it.
    fn run<T>(mut self, operation: impl FnOnce(&mut Halves<'_>) -> T) -> (T, Values) {
        let mut next = self.values.len();
        let mut fresh = || {
            next += 1;
            LocalId(next - 1)
        };
        let mut halves = Halves {
            fresh: &mut fresh,
            statements: Vec::new(),
            place: place(),
        };
        let result = operation(&mut halves);
        let is_known = self.values.is_empty();
        assert!(!is_known || halves.statements.is_empty());
        for stmt in halves.statements {
            let StmtKind::Declare(local, init, Initialised::Yes) = stmt.kind else {
                panic!("{stmt:?} declares nothing");
            };
            let [(path, value)] = init.as_slice() else {
                panic!("{init:?} is not one value");
            };
            assert!(path.is_empty());
            assert_eq!(value.ty, HALF);
            let value = eval(value, &self.values) as u32;
            assert_eq!(self.values.insert(local, value), None);
        }
        (result, self.values)
    }
}

/// The number that a pair is.
fn number(pair: &Pair, values: &Values) -> u64 {
    for half in [&pair.low, &pair.high] {
        assert_eq!(half.ty, HALF);
        assert!(matches!(half.kind, ExprKind::Const(_) | ExprKind::Load(_)));
    }
    let [low, high] = [&pair.low, &pair.high].map(|half| eval(half, values) as u64);
    high << 32 | low
}

/// Whether a condition is met.
fn is_met(condition: &Expr, values: &Values) -> bool {
    assert_eq!(condition.ty, CONDITION);
    let value = eval(condition, values);
    assert!((0..2).contains(&value));
    value == 1
}

fn given() -> impl Strategy<Value = Given> {
    prop_oneof![
        3 => Just(Given { low: false, high: false }),
        3 => Just(Given { low: true, high: true }),
        1 => Just(Given { low: true, high: false }),
        1 => Just(Given { low: false, high: true }),
    ]
}

fn near_power() -> impl Strategy<Value = u64> {
    (0..64_u32, -2..3_i64).prop_map(|(bits, off)| (1_u64 << bits).wrapping_add_signed(off))
}

fn any_number() -> impl Strategy<Value = u64> {
    let half = || {
        prop_oneof![
            Just(0),
            Just(1),
            Just(u32::MAX),
            Just(0x7fff_ffff),
            Just(0x8000_0000),
            0..70_000_u32,
            any::<u32>()
        ]
    };
    prop_oneof![
        any::<u64>(),
        0..70_000_u64,
        near_power(),
        near_power().prop_map(u64::wrapping_neg),
        (near_power(), near_power()).prop_map(|(a, b)| a.wrapping_add(b)),
        (half(), half()).prop_map(|(low, high)| u64::from(high) << 32 | u64::from(low)),
        (0..64_u32, any::<u64>()).prop_map(|(by, value)| value >> by),
    ]
}

/// Two numbers that often have to do with each other.
fn two() -> impl Strategy<Value = (u64, u64)> {
    (any_number(), any_number(), -2..3_i64, 0..8_u8).prop_map(|(a, b, off, how)| {
        let b = match how {
            0 => a.wrapping_add_signed(off),
            1 => a.wrapping_neg().wrapping_add_signed(off),
            2 => a ^ (b & 0xffff_ffff),
            3 => a ^ (b << 32),
            // Products at the ends of the types.
            4 => (u64::MAX / a.max(1)).wrapping_add_signed(off),
            5 if !matches!(a as i64, 0 | -1) => (i64::MAX / a as i64).wrapping_add(off) as u64,
            6 if !matches!(a as i64, 0 | -1) => (i64::MIN / a as i64).wrapping_add(off) as u64,
            _ => b,
        };
        (a, b)
    })
}

/// A number of a type as an exact one.
fn exact(value: u64, signed: bool) -> i128 {
    if signed {
        (value as i64).into()
    } else {
        value.into()
    }
}

/// Whether an exact number is a value of the type.
fn is_value(number: i128, signed: bool) -> bool {
    if signed {
        i64::try_from(number).is_ok()
    } else {
        u64::try_from(number).is_ok()
    }
}

const ARITHMETIC: [BinaryOp; 6] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
];

/// The result of one of these modulo 2⁶⁴, and whether it is exact.
fn expected(op: BinaryOp, signed: bool, a: u64, b: u64) -> (u64, bool) {
    let (x, y) = (exact(a, signed), exact(b, signed));
    // A product of unsigned numbers may have 128 bits.
    let exact = match op {
        BinaryOp::Add => Some(x + y),
        BinaryOp::Sub => Some(x - y),
        BinaryOp::Mul => x.checked_mul(y),
        _ => None,
    };
    let fits = exact.is_some_and(|exact| is_value(exact, signed));
    match op {
        BinaryOp::Add => (a.wrapping_add(b), fits),
        BinaryOp::Sub => (a.wrapping_sub(b), fits),
        BinaryOp::Mul => (a.wrapping_mul(b), fits),
        BinaryOp::BitAnd => (a & b, true),
        BinaryOp::BitOr => (a | b, true),
        _ => (a ^ b, true),
    }
}

type Relation = fn(&i128, &i128) -> bool;

const ORDER: [(BinaryOp, Relation); 6] = [
    (BinaryOp::Eq, i128::eq),
    (BinaryOp::Ne, i128::ne),
    (BinaryOp::Lt, i128::lt),
    (BinaryOp::Le, i128::le),
    (BinaryOp::Gt, i128::gt),
    (BinaryOp::Ge, i128::ge),
];

fn types() -> Vec<Type> {
    let mut types = vec![Type {
        kind: TypeKind::Bool,
        ..HALF
    }];
    for bits in [8, 16, 32, 64] {
        for signed in [false, true] {
            types.push(Type {
                kind: TypeKind::Int { bits, signed },
                ..HALF
            });
        }
    }
    types
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn sums_products_and_their_kind_are_those_of_64_bits((a, b) in two(), x in given(), y in given()) {
        for op in ARITHMETIC {
            for signed in [false, true] {
                let (result, fits) = expected(op, signed, a, b);
                let mut inputs = Inputs::new();
                let (p, q) = (inputs.pair(a, x), inputs.pair(b, y));
                let (value, values) = inputs.run(|halves| halves.binary(op, signed, &p, &q).expect("it is arithmetic"));
                prop_assert_eq!(number(&value, &values), result, "{:?}", op);
                let mut inputs = Inputs::new();
                let (p, q) = (inputs.pair(a, x), inputs.pair(b, y));
                let (checked, values) = inputs.run(|halves| halves.checked(op, signed, &p, &q).expect("it is arithmetic"));
                prop_assert_eq!(number(&checked.value, &values), result, "checked {:?}", op);
                prop_assert_eq!(is_met(&checked.holds, &values), fits, "{:?} {}", op, signed);
            }
        }
    }

    #[test]
    fn shifts_are_those_of_64_bits(a in any_number(), by in prop_oneof![0..64_u64, any_number()], x in given(), y in given()) {
        for signed in [false, true] {
            for op in [BinaryOp::Shl, BinaryOp::Shr] {
                let mut inputs = Inputs::new();
                let (p, q) = (inputs.pair(a, x), inputs.pair(by, y));
                let (checked, values) = inputs.run(|halves| halves.checked(op, signed, &p, &q).expect("it is a shift"));
                prop_assert_eq!(is_met(&checked.holds, &values), by < 64);
                let result = match op {
                    BinaryOp::Shl => a.wrapping_shl(by as u32),
                    _ if signed => (a as i64).wrapping_shr(by as u32) as u64,
                    _ => a.wrapping_shr(by as u32),
                };
                prop_assert_eq!(number(&checked.value, &values), result, "{:?} {}", op, signed);
            }
        }
    }

    #[test]
    fn comparisons_are_those_of_64_bits((a, b) in two(), x in given(), y in given()) {
        for signed in [false, true] {
            for (op, holds) in ORDER {
                let mut inputs = Inputs::new();
                let (p, q) = (inputs.pair(a, x), inputs.pair(b, y));
                let (condition, values) = inputs.run(|_| compared(op, signed, &p, &q).expect("it compares"));
                prop_assert_eq!(is_met(&condition, &values), holds(&exact(a, signed), &exact(b, signed)), "{:?} {}", op, signed);
            }
        }
    }

    #[test]
    fn divisions_by_powers_of_two_are_exact_and_others_are_not_made(a in any_number(), by in 0..64_u32, b in any_number(), x in given()) {
        let all = Given { low: true, high: true };
        for divisor in [1 << by, b] {
            for signed in [false, true] {
                for op in [BinaryOp::Div, BinaryOp::Rem] {
                    let mut inputs = Inputs::new();
                    let (p, q) = (inputs.pair(a, x), inputs.pair(divisor, all));
                    let (result, values) = inputs.run(|halves| halves.checked(op, signed, &p, &q));
                    let is_made = divisor.is_power_of_two() && exact(divisor, signed) > 0;
                    prop_assert_eq!(result.is_some(), is_made);
                    if let Some(result) = result {
                        let (n, d) = (exact(a, signed), exact(divisor, signed));
                        let value = if op == BinaryOp::Div { n / d } else { n % d };
                        prop_assert_eq!(number(&result.value, &values), value as u64, "{:?} {}", op, signed);
                        prop_assert!(is_met(&result.holds, &values));
                    }
                }
            }
        }
    }

    #[test]
    fn complements_are_those_of_64_bits(a in any_number(), x in given()) {
        let mut inputs = Inputs::new();
        let p = inputs.pair(a, x);
        let (value, values) = inputs.run(|halves| halves.negated(&p));
        prop_assert_eq!(number(&value, &values), a.wrapping_neg());
        let mut inputs = Inputs::new();
        let p = inputs.pair(a, x);
        let (value, values) = inputs.run(|halves| halves.inverted(&p));
        prop_assert_eq!(number(&value, &values), !a);
        let mut inputs = Inputs::new();
        let p = inputs.pair(a, x);
        prop_assert_eq!(is_met(&p.is_some(), &inputs.values), a != 0);
    }

    #[test]
    fn conversions_are_those_of_the_language(a in any_number(), x in given()) {
        for ty in types() {
            let is_wide = matches!(ty.kind, TypeKind::Int { bits: 64, .. });
            if !is_wide {
                let mut inputs = Inputs::new();
                let half = inputs.half(a as u32, false);
                let (pair, values) = inputs.run(|halves| halves.of_integer(half::cast(half, ty.clone())));
                prop_assert_eq!(number(&pair, &values), wrap((a as u32).into(), &ty) as u64, "from {:?}", ty);
            }
            let constant = Expr { kind: ExprKind::Const(wrap(a.into(), &ty) as i64), ty: ty.clone(), place: place() };
            let (pair, values) = Inputs::new().run(|halves| halves.of_integer(constant));
            prop_assert_eq!(number(&pair, &values), wrap(a.into(), &ty) as u64, "from a constant {:?}", ty);
            // To the type.
            let mut inputs = Inputs::new();
            let p = inputs.pair(a, x);
            let is_narrow = i32::try_from(a as i64).is_ok();
            if is_narrow || !is_wide {
                let e = p.truncated(&ty);
                prop_assert_eq!(&e.ty, &ty);
                prop_assert_eq!(eval(&e, &inputs.values), wrap(a.into(), &ty), "to {:?}", ty);
            }
        }
    }

    #[test]
    fn functions_of_bits_are_those_of_64_bits(a in any_number(), x in given()) {
        for (what, result) in [
            (BitFunction::LeadingZeros, a.leading_zeros().into()),
            (BitFunction::TrailingZeros, a.trailing_zeros().into()),
            (BitFunction::FirstSet, if a == 0 { 0 } else { u64::from(a.trailing_zeros()) + 1 }),
            (BitFunction::Ones, a.count_ones().into()),
            (BitFunction::Parity, u64::from(a.count_ones() % 2)),
            (BitFunction::SwapBytes, a.swap_bytes()),
        ] {
            let mut inputs = Inputs::new();
            let p = inputs.pair(a, x);
            let (value, values) = inputs.run(|halves| halves.function_of_bits(what, &p));
            prop_assert_eq!(number(&value, &values), result, "{:?}", what);
        }
    }
}

#[test]
fn what_is_not_arithmetic_is_not_made() {
    let pair = Pair::constant(1, place());
    for op in [BinaryOp::Eq, BinaryOp::PointerAdd, BinaryOp::PointerDiff] {
        let (result, _) = Inputs::new().run(|halves| halves.binary(op, false, &pair, &pair));
        assert!(result.is_none());
    }
    assert!(compared(BinaryOp::Add, false, &pair, &pair).is_none());
}
