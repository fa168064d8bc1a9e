//! Programs in Rust against the same programs in C and in Fencepost's own language: the same verdicts.

#![allow(clippy::expect_used, reason = "a text that is not read has failed")]

use crate::support::{config, twins};
use config::config;
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::formats::{Format, parse_as, render};
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{RobustOptions, robust};
use fencepost::internals::verdict::Budget;
use proptest::prelude::*;
use twins::{LANGUAGES, program, stmt};

const STATES: usize = 100_000;
/// Whether the assertions of a program hold under a model, and whether it is robust; `None` where that
/// is not decided.
fn answers(format: Format, text: &str, model: Model) -> [Option<String>; 2] {
    let parsed = parse_as(format, text);
    let shown = render(&parsed.diagnostics, "program", text, false);
    let program = parsed.program.unwrap_or_else(|| panic!("{text}\n{shown}"));
    let budget = Budget::default().with_states(STATES);
    let options = CheckOptions::new(model).engine(Engine::Explicit);
    let checked = check(&program, &options, &budget).expect("no defect");
    let decided = |word: &str| (word != "unknown" && word != "within").then(|| word.to_owned());
    let checked = decided(checked.verdict().word());
    if model == Model::Sc {
        return [checked, None];
    }
    let report = robust(&program, &RobustOptions::new(model), &budget).expect("no defect");
    [checked, decided(report.verdict().word())]
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn twins_in_rust_have_the_same_verdicts(
        threads in prop::collection::vec(prop::collection::vec(stmt(), 1..5), 2..4),
        model in prop::sample::select(vec![Model::Sc, Model::Tso, Model::Pso]),
    ) {
        let texts = LANGUAGES.map(|language| program(&threads, language));
        let [own, c, rust] = [0, 1, 2].map(|n| answers(LANGUAGES[n], &texts[n], model));
        for (number, rust) in rust.into_iter().enumerate() {
            // One of them may have more states. The own language's lock does not check its owner, and
            // a guard's value is one more variable, so robustness is compared without locks.
            let locks = texts[0].contains("(lock") || texts[0].contains("(rw");
            if number == 1 && locks {
                continue;
            }
            for other in [&own[number], &c[number]] {
                if let (Some(rust), Some(other)) = (&rust, other) {
                    prop_assert_eq!(rust, other, "{}\n{}\n{}\n{}", model, texts[0], texts[1], texts[2]);
                }
            }
        }
    }
}

/// The integer types, with their bits.
const TYPES: [(&str, &str, u32, bool); 8] = [
    ("i8", "AtomicI8", 8, true),
    ("u8", "AtomicU8", 8, false),
    ("i16", "AtomicI16", 16, true),
    ("u16", "AtomicU16", 16, false),
    ("i32", "AtomicI32", 32, true),
    ("u32", "AtomicU32", 32, false),
    ("i64", "AtomicI64", 64, true),
    ("usize", "AtomicUsize", 64, false),
];

/// What `a op b` is, exactly.
fn exact(op: &str, a: i128, b: i128, bits: u32) -> Option<i128> {
    let shift = u32::try_from(b).ok().filter(|by| *by < bits);
    match op {
        "+" => Some(a + b),
        "-" => Some(a - b),
        "*" => a.checked_mul(b),
        "/" => a.checked_div(b),
        "%" => a.checked_rem(b),
        "&" => Some(a & b),
        "|" => Some(a | b),
        "^" => Some(a ^ b),
        "<<" => Some(a << shift?),
        _ => Some(a >> shift?),
    }
}

proptest! {
    #![proptest_config(config(150))]

    /// The operands are known to no analysis of the text: they come from another thread.
    #[test]
    fn arithmetic_is_that_of_rust(
        (name, atomic, bits, signed) in prop::sample::select(TYPES.to_vec()),
        op in prop::sample::select(vec!["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"]),
        (a, b) in (any::<i64>(), any::<i64>()),
        near in 0..4_usize,
    ) {
        let (least, most) = if signed {
            (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
        } else {
            (0, (1_i128 << bits) - 1)
        };
        // Cells have 32 bits.
        let (low, high) = (least.max(-(1 << 31)), most.min(if bits == 64 { (1 << 31) - 1 } else { most }));
        let inside = |value: i64, near: bool| {
            let any = i128::from(value).rem_euclid(high - low + 1) + low;
            // Unsigned values of 64 bits may also be just below the end.
            let large = if bits == 64 && !signed { most } else { high };
            let ends = [low, low + 1, high, large - 1, 0, 1, large, 2];
            if near { ends[(value & 7) as usize] } else { any }
        };
        let shifts = matches!(op, "<<" | ">>");
        let a = inside(a, near % 2 == 1);
        let b = if shifts {
            i128::from(b).rem_euclid(i128::from(bits) + 2)
        } else {
            inside(b, near / 2 == 1)
        };
        let result = exact(op, a, b, bits).map(|exact| match op {
            // What is shifted out is lost.
            "<<" => {
                let wrapped = exact & ((1 << bits) - 1);
                if signed && wrapped > most { wrapped - (1 << bits) } else { wrapped }
            }
            _ => exact,
        });
        let quotient_fits = !(op == "%" && signed && a == least && b == -1);
        let fits = result.filter(|value| (least..=most).contains(value) && quotient_fits);
        let right = if shifts { "(b as u32)" } else { "b" };
        let check = match fits {
            Some(value) => format!("assert_eq!(a {op} {right}, {value});"),
            None => format!("let c = a {op} {right}; assert!(c == c);"),
        };
        // The number that marks memory without contents is refused.
        let reserved = [a, b, fits.unwrap_or(0)].iter().any(|v| *v as u32 == 0x9d3f_5a27);
        prop_assume!(!reserved);
        let text = format!(
            "use std::sync::atomic::{{{atomic}, Ordering::SeqCst}};\n\
             static A: {atomic} = {atomic}::new(0);\nstatic B: {atomic} = {atomic}::new(0);\n\
             #[test]\nfn test() {{\n\
             let t = std::thread::spawn(|| {{ A.store({a}, SeqCst); B.store({b}, SeqCst); }});\n\
             t.join().unwrap();\nlet (a, b): ({name}, {name}) = (A.load(SeqCst), B.load(SeqCst));\n\
             {check}\n}}\n"
        );
        let [checked, _] = answers(Format::Rust, &text, Model::Sc);
        let expected = if fits.is_some() { "holds" } else { "violated" };
        // Values of 64 bits that have no word are not decided, and neither are large unsigned dividends.
        let is_open = bits == 64 || name == "u32" && matches!(op, "/" | "%");
        match checked {
            Some(checked) => prop_assert_eq!(checked, expected, "{}", text),
            None => prop_assert!(is_open, "{}", text),
        }
    }
}
