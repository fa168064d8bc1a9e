//! Built-ins of C compilers that compute, of operands that only an execution shows: their results are those
//! of Rust's integers, and no others.

#![allow(
    clippy::expect_used,
    reason = "a test that cannot read a program has failed"
)]

use crate::support::config::config;
use fencepost::internals::check::{CheckOptions, check};
use fencepost::internals::formats::{Format, ParseOptions, parse_with};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::{Budget, Verdict};
use proptest::prelude::*;
use std::fmt::Write;

/// The verdict about a program whose operands a thread stores before these assertions.
fn verdict(objects: &[(String, i64)], asserted: &[String]) -> Result<bool, TestCaseError> {
    let mut text = "#include <assert.h>\n#include <pthread.h>\n".to_owned();
    for (at, (ty, _)) in objects.iter().enumerate() {
        writeln!(text, "static {ty} v{at};").expect("a text is written");
    }
    text.push_str("static void *store(void *unused) {\n");
    for (at, (ty, value)) in objects.iter().enumerate() {
        writeln!(text, "    v{at} = ({ty}){value}L;").expect("a text is written");
    }
    text.push_str(
        "    return 0;\n}\nint main(void) {\n    pthread_t t; unsigned r; int n; unsigned char b;\n    \
         signed char c; unsigned long w; long s; (void)r; (void)n; (void)b; (void)c; (void)w; (void)s;\n    \
         pthread_create(&t, 0, store, 0);\n    pthread_join(t, 0);\n",
    );
    for line in asserted {
        writeln!(text, "    {line}").expect("a text is written");
    }
    text.push_str("    return 0;\n}\n");
    let parsed = parse_with(Format::C, &text, &ParseOptions::default());
    let Some(program) = parsed.program else {
        return Err(TestCaseError::fail(format!(
            "{:?}\n{text}",
            parsed.diagnostics
        )));
    };
    let report = check(&program, &CheckOptions::new(Model::Sc), &Budget::default());
    match report.expect("the query is supported").verdict() {
        Verdict::Holds => Ok(true),
        Verdict::Violated(_) => Ok(false),
        other @ (Verdict::HoldsWithin(_) | Verdict::Unknown(_)) => {
            Err(TestCaseError::fail(format!("{other:?}\n{text}")))
        }
    }
}

/// Words with few ones, few zeros, near the ends of the range, and any.
fn word() -> impl Strategy<Value = i32> {
    prop_oneof![
        Just(0),
        Just(1),
        Just(-1),
        Just(i32::MIN),
        Just(i32::MAX),
        (0_u32..32).prop_map(|bit| (1_u32 << bit) as i32),
        (0_u32..32).prop_map(|bit| !(1_u32 << bit) as i32),
        -70_000_i32..70_000,
        any::<i32>(),
    ]
}

/// The halves of 65536 are 1 and 0, so all parts of the product but the highest are 0.
#[test]
fn a_product_of_high_halves_alone_overflows() -> Result<(), TestCaseError> {
    let objects = ["unsigned", "unsigned"].map(|ty| (ty.to_owned(), 0x1_0000));
    let over = "assert(__builtin_mul_overflow(v0, v1, &r) == 1);".to_owned();
    assert!(verdict(&objects, &[over, "assert(r == 0);".to_owned()])?);
    Ok(())
}

proptest! {
    #![proptest_config(config(24))]

    #[test]
    fn functions_of_bits_are_those_of_integers(x in word(), wrong in 0_usize..8) {
        let (narrow, wide) = (x as u32, i64::from(x) as u64);
        let results = [
            ("popcount", narrow.count_ones(), wide.count_ones()),
            ("parity", narrow.count_ones() % 2, wide.count_ones() % 2),
            ("ffs", (narrow.trailing_zeros() + 1) % 33, (wide.trailing_zeros() + 1) % 65),
            ("ctz", narrow.trailing_zeros(), wide.trailing_zeros()),
            ("clz", narrow.leading_zeros(), wide.leading_zeros()),
        ];
        let objects = [("unsigned".to_owned(), i64::from(x)), ("long".to_owned(), i64::from(x))];
        let mut asserted = vec![
            format!("assert(__builtin_bswap32(v0) == {}u);", narrow.swap_bytes()),
            format!("assert(__builtin_bswap16(v0) == {}u);", (narrow as u16).swap_bytes()),
        ];
        for (name, narrow, wide) in results {
            if x != 0 || !matches!(name, "ctz" | "clz") {
                asserted.push(format!("assert(__builtin_{name}(v0) == {narrow});"));
                asserted.push(format!("assert(__builtin_{name}ll(v1) == {wide});"));
            }
        }
        prop_assert!(verdict(&objects, &asserted)?);
        let wrong = wrong % asserted.len();
        asserted[wrong] = asserted[wrong].replace(" == ", " != ");
        prop_assert!(!verdict(&objects, &asserted)?);
    }

    #[test]
    fn an_overflow_is_one_of_integers(
        x in word(),
        y in word(),
        types in (0_usize..6, 0_usize..6, 0_usize..6),
        name in prop::sample::select(vec!["add", "sub", "mul"]),
    ) {
        const TYPES: [(&str, &str, u32, bool); 6] = [
            ("int", "n", 32, true),
            ("unsigned", "r", 32, false),
            ("unsigned char", "b", 8, false),
            ("signed char", "c", 8, true),
            ("long", "s", 64, true),
            ("unsigned long", "w", 64, false),
        ];
        let wrap = |value: i128, bits: u32, signed: bool| {
            let reduced = value.rem_euclid(1 << bits);
            if signed && reduced >= 1 << (bits - 1) { reduced - (1 << bits) } else { reduced }
        };
        let [a, b, to] = [types.0, types.1, types.2].map(|at| TYPES[at]);
        let given = [(x, a), (y, b)].map(|(x, ty)| wrap(i128::from(x), ty.2, ty.3));
        let exact = match name {
            "add" => given[0] + given[1],
            "sub" => given[0] - given[1],
            // Of two unsigned numbers of 64 bits it may have no number in Rust either.
            _ => {
                let product = given[0].checked_mul(given[1]);
                prop_assume!(product.is_some());
                product.unwrap_or_default()
            }
        };
        let result = wrap(exact, to.2, to.3);
        // What has no word, or is an operand of the other sign, is not covered.
        let has_word = |value: i128| i32::try_from(wrap(value, 64, true)).is_ok();
        prop_assume!(to.2 < 64 || has_word(exact));
        let is_unsigned = !to.3 && to.2 >= 32;
        let is_covered = |value: i128, ty: (&str, &str, u32, bool)| {
            let same = if to.2 == 64 { ty.3 == to.3 && ty.2 == 64 } else { ty.3 != is_unsigned && ty.2 == 32 };
            same || value <= i128::from(i32::MAX) && (value >= 0 || !is_unsigned)
        };
        prop_assume!(is_covered(given[0], a) && is_covered(given[1], b));
        let objects = [(a.0.to_owned(), given[0] as i64), (b.0.to_owned(), given[1] as i64)];
        let over = i32::from(result != exact);
        let into = to.1;
        let suffix = if is_unsigned { "ul" } else { "l" };
        let call = format!("assert(__builtin_{name}_overflow(v0, v1, &{into}) == {over});");
        let stored = format!("assert({into} == ({})({result}{suffix}));", to.0);
        prop_assert!(verdict(&objects, &[call.clone(), stored.clone()])?);
        prop_assert!(!verdict(&objects, &[call.replace("==", "!=")])?);
        prop_assert!(!verdict(&objects, &[call, stored.replace("==", "!=")])?);
    }
}
