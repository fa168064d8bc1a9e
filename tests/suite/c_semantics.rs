//! Sequential C against a compiler: what a program computes natively is what is proved of it, and
//! nothing else is.
//!
//! The programs are random, with seeds 0, 1, 2, …: `PROPTEST_CASES` says how many. Without a compiler
//! on the machine there is nothing to compare with.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot start the compiler has failed"
)]

use crate::support::{c_programs, config};
use c_programs::bits::bits;
use c_programs::wide::{constant, is_represented, wide};
use c_programs::{Draft, Mode, Random, draft, number};
use config::config;
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::formats::{Format, parse_as};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::Budget;
use fencepost::program::Program;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const STATES: usize = 200_000;
/// No small text becomes a larger program, whatever its loops and calls are.
const MOST_INSTRUCTIONS: usize = 200_000;

fn has_compiler() -> bool {
    let mut command = Command::new("cc");
    let command = command.arg("--version").stdout(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// What a program prints, a number a line, when it was compiled.
fn printed(text: &str, directory: &Path) -> Vec<i64> {
    let (source, binary) = (directory.join("p.c"), directory.join("p"));
    fs::write(&source, text).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-std=gnu11", "-O0", "-fwrapv", "-w", "-pthread", "-o"]);
    let status = compiler.arg(&binary).arg(&source).status().unwrap();
    assert!(status.success(), "the compiler refuses\n{text}");
    let output = Command::new(&binary).output().unwrap();
    assert!(output.status.success(), "{}\n{text}", output.status);
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.parse().unwrap()).collect()
}

fn parsed(text: &str) -> Option<Program> {
    let program = parse_as(Format::C, text).program?;
    let threads = program.thread_ids();
    let size: usize = threads
        .map(|id| program.thread(id).instructions().len())
        .sum();
    assert!(size < MOST_INSTRUCTIONS, "{size} instructions for\n{text}");
    Some(program)
}

/// What the explicit search under SC says, if the program is in the subset.
fn word(text: &str) -> Option<String> {
    let program = parsed(text)?;
    let options = CheckOptions::new(Model::Sc).engine(Engine::Explicit);
    let report = check(&program, &options, &Budget::default().with_states(STATES));
    Some(report.expect("no defect").verdict().word().to_owned())
}

/// How many of both answers about a draft with these values were found; none is wrong.
fn decided(draft: &Draft, values: &[i64], seed: u64) -> usize {
    let mut changed = values.to_vec();
    let at = Random(seed).below(changed.len());
    changed[at] ^= 1;
    let mut decided = 0;
    for (values, right, wrong) in [
        (values, "holds", "violated"),
        (&changed, "violated", "holds"),
    ] {
        let text = draft.asserting(values);
        let word = word(&text).unwrap_or_default();
        assert_ne!(word, wrong, "seed {seed} in\n{text}");
        decided += usize::from(word == right);
    }
    decided
}

fn is_decided(draft: &Draft, seed: u64, directory: &Path) -> bool {
    let values = printed(&draft.printing(), directory);
    decided(draft, &values, seed) == 2
}

/// Most programs have an answer: few of them leave the subset, or 32 bits.
fn agrees(mode: Mode) {
    if !has_compiler() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let cases = config(12).cases;
    let decided = (0..u64::from(cases))
        .filter(|&seed| is_decided(&draft(seed, mode), seed, directory.path()))
        .count();
    assert!(
        decided * 3 >= cases as usize,
        "only {decided} of {cases} programs were decided"
    );
}

#[test]
fn what_main_executes_alone_has_the_values_of_the_compiled_program() {
    agrees(Mode::Solo);
}

#[test]
fn instructions_compute_the_values_of_the_compiled_program() {
    agrees(Mode::Dynamic);
}

#[test]
fn values_of_64_bits_are_those_of_the_compiled_program_wherever_they_are_represented() {
    if !has_compiler() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let cases = config(12).cases;
    for seed in 0..u64::from(cases) {
        let wide = wide(seed, Mode::Dynamic);
        let values = printed(&wide.draft.printing(), directory.path());
        let mut seen = wide.draft.seen.iter().zip(&values);
        let is_represented = seen.all(|((_, ty), value)| is_represented(ty, *value));
        let decided = decided(&wide.draft, &values, seed);
        let text = wide.draft.asserting(&values);
        if is_represented && wide.is_exact {
            assert_eq!(decided, 2, "seed {seed} in\n{text}");
        }
        // Other values are exact where the program shows that they are wide, and never wrong.
    }
}

/// Bit-fields are refused where no scalar of 32 bits holds them.
fn bit_fields_agree(mode: Mode) {
    if !has_compiler() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let cases = config(12).cases;
    let decided = (0..u64::from(cases)).filter(|&seed| {
        let draft = bits(seed, mode);
        let values = printed(&draft.printing(), directory.path());
        decided(&draft, &values, seed) == 2
    });
    let decided = decided.count();
    assert!(
        decided * 2 >= cases as usize,
        "only {decided} of {cases} programs were decided"
    );
}

#[test]
fn known_bit_fields_have_the_values_of_the_compiled_program() {
    bit_fields_agree(Mode::Solo);
}

#[test]
fn instructions_give_bit_fields_the_values_of_the_compiled_program() {
    bit_fields_agree(Mode::Dynamic);
}

#[test]
fn known_values_of_64_bits_are_those_of_the_compiled_program() {
    if !has_compiler() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    for seed in 0..u64::from(config(12).cases) {
        let draft = wide(seed, Mode::Solo).draft;
        let values = printed(&draft.printing(), directory.path());
        decided(&draft, &values, seed);
    }
}

#[test]
fn constant_expressions_of_64_bits_have_the_values_of_the_compiled_program() {
    if !has_compiler() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    for seed in 0..u64::from(config(12).cases) {
        let mut random = Random(seed);
        let all: Vec<String> = (0..8).map(|_| constant(&mut random, 3)).collect();
        let head = "#include <stdint.h>\n#include <stdio.h>\nint main(void) {\n";
        let prints = all
            .iter()
            .map(|e| format!("    printf(\"%lld\\n\", (long long)({e}));\n"));
        let text = format!("{head}{}    return 0;\n}}\n", prints.collect::<String>());
        let values = printed(&text, directory.path());
        let checks = all.iter().zip(&values);
        let checks = checks.map(|(e, value)| {
            format!(
                "    _Static_assert({e} == (uint64_t){}, \"\");\n",
                number(*value)
            )
        });
        let text = format!("{head}{}    return 0;\n}}\n", checks.collect::<String>());
        let parsed = parse_as(Format::C, &text);
        assert!(parsed.program.is_some(), "seed {seed} in\n{text}");
    }
}

/// Structures whose members have alignments of their own, or none.
fn structures(random: &mut Random) -> String {
    let mut text = String::new();
    for at in 0..4 {
        let packed = random.of(&["", "", "", "__attribute__((packed)) "]);
        let _ = write!(text, "struct {packed}S{at} {{");
        for member in 0..=random.below(4) {
            let own = ["char", "short", "int *", "uint64_t", "_Bool"];
            let ty = match random.below(7) {
                5 if at > 0 => format!("struct S{}", random.below(at)),
                6 => "struct { char x; int y; }".to_owned(),
                _ => random.of(&own).to_owned(),
            };
            // No alignment is smaller than that of the type.
            let before = match random.below(5) {
                0 if !ty.contains('S') => "_Alignas(16) ",
                1 if !ty.contains('S') => "_Alignas(long) ",
                _ => "",
            };
            let length = random.of(&["", "", "[3]"]);
            if member > 0 && random.rarely(3) {
                let (ty, most) = random.of(&[("char", 8), ("unsigned", 32), ("uint64_t", 64)]);
                let (width, after) = (random.below(most), random.of(&["", "packed", "aligned(4)"]));
                let name = random.of(&["", "m"]);
                let name = if width > 0 && name == "m" {
                    format!("m{member}")
                } else {
                    String::new()
                };
                let after = if name.is_empty() { "" } else { after };
                let _ = write!(text, " {ty} {name} : {width} __attribute__(({after}));");
                continue;
            }
            let after = [
                "",
                "",
                "",
                "__attribute__((aligned(2)))",
                "__attribute__((__aligned__(64), unused))",
                "__attribute__((aligned))",
                "__attribute__((packed))",
            ];
            let after = random.of(&after);
            let _ = write!(text, " {before}{ty} m{member}{length} {after};");
        }
        let after = [
            "",
            "",
            "__attribute__((aligned(32)))",
            "__attribute__((packed, aligned(4)))",
            "__attribute__((packed))",
        ];
        let _ = writeln!(text, " }} {};", random.of(&after));
    }
    text
}

#[test]
fn sizes_and_alignments_are_those_of_the_compiled_program() {
    if !has_compiler() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let all = [
        "sizeof(struct S@)",
        "_Alignof(struct S@)",
        "offsetof(struct S@, m0)",
    ];
    let all: Vec<String> = (0..4)
        .flat_map(|at| all.map(|e| e.replace('@', &at.to_string())))
        .chain((0..4).map(|at| format!("sizeof(struct {{ char x; struct S{at} y[2]; }})")))
        .collect();
    for seed in 0..u64::from(config(12).cases) {
        let head = format!(
            "#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n{}int main(void) {{\n",
            structures(&mut Random(seed))
        );
        let prints = all
            .iter()
            .map(|e| format!("    printf(\"%ld\\n\", (long)({e}));\n"));
        let text = format!("{head}{}    return 0;\n}}\n", prints.collect::<String>());
        let values = printed(&text, directory.path());
        let checks = all.iter().zip(&values);
        let checks =
            checks.map(|(e, value)| format!("    _Static_assert({e} == {value}, \"\");\n"));
        let text = format!("{head}{}    return 0;\n}}\n", checks.collect::<String>());
        let parsed = parse_as(Format::C, &text);
        assert!(parsed.program.is_some(), "seed {seed} in\n{text}");
    }
}

/// The tokens of a program, roughly, with the blanks after them.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = if is_word(first) {
            rest.find(|c| !is_word(c))
        } else {
            Some(first.len_utf8())
        };
        let end = end.unwrap_or(rest.len());
        let blanks = rest[end..].find(|c: char| !c.is_whitespace());
        let (token, after) = rest.split_at(blanks.map_or(rest.len(), |blanks| end + blanks));
        tokens.push(token);
        rest = after;
    }
    tokens
}

/// A text in which a few tokens were dropped, doubled, exchanged or replaced by others of it.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut tokens = tokens(text);
    for _ in 0..=random.below(3) {
        let (at, other) = (random.below(tokens.len()), random.below(tokens.len()));
        match random.below(4) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at]),
            2 => tokens.swap(at, other),
            _ => tokens[at] = tokens[other],
        }
    }
    tokens.concat()
}

#[test]
fn no_mutated_program_is_too_much_to_read() {
    for seed in 0..u64::from(config(12).cases) {
        let mut random = Random(seed);
        for mode in [Mode::Solo, Mode::Dynamic] {
            let text = draft(seed, mode).printing();
            for _ in 0..8 {
                parsed(&mutated(&text, &mut random));
            }
        }
    }
}

/// A comparison of a chosen value with a constant: its text, and its meaning.
fn comparison(random: &mut Random) -> (String, impl Fn(i32) -> bool + use<>) {
    let k = random.of(&[-32768, -300, -2, -1, 0, 1, 2, 77, 78, 300, 32766, 32767]);
    let (op, unsigned) = (random.below(7), random.rarely(3));
    let words = ["==", "!=", "<", "<=", ">", ">="];
    let text = match (op, unsigned) {
        (6, _) => "v".to_owned(),
        (op, true) => format!("(unsigned)v {} (unsigned){k}", words[op]),
        (op, false) => format!("v {} {k}", words[op]),
    };
    let holds = move |v: i32| {
        let flip = |v: i32| if unsigned { v ^ i32::MIN } else { v };
        let (a, b) = (flip(v), flip(k));
        match op {
            0 => a == b,
            1 => a != b,
            2 => a < b,
            3 => a <= b,
            4 => a > b,
            5 => a >= b,
            _ => v != 0,
        }
    };
    (text, holds)
}

#[test]
fn what_a_chosen_value_leads_to_is_what_some_value_leads_to() {
    for seed in 0..u64::from(config(24).cases) {
        let mut random = Random(seed ^ 0x63_686f);
        let count = 1 + random.below(3);
        let all: Vec<_> = (0..count).map(|_| comparison(&mut random)).collect();
        let copied = random.rarely(2);
        let mut text = "#include <assert.h>\nextern short __VERIFIER_nondet_short(void);\n\
                        int main(void) {\n    int v = __VERIFIER_nondet_short(), bits = 0;\n"
            .to_owned();
        // What is added to the choice where each comparison is.
        let (mut sum, mut copy, mut sums) = (0, 0, Vec::new());
        for (at, (condition, _)) in all.iter().enumerate() {
            if random.rarely(2) {
                let by = random.of(&[-40_000, -300, -1, 1, 77, 1000, 32_768]);
                sum += by;
                let _ = writeln!(text, "    v += {by};");
            }
            if copied && at == 1 {
                text += "    int w = v;\n";
                copy = sum;
            }
            let condition = if copied && at > 0 {
                sums.push(copy);
                condition.replace('v', "w")
            } else {
                sums.push(sum);
                condition.clone()
            };
            let _ = writeln!(text, "    if ({condition}) bits |= {};", 1 << at);
        }
        let outcomes: std::collections::BTreeSet<usize> = (-32768..=32767)
            .map(|v| {
                let bits = all.iter().zip(&sums).enumerate();
                bits.map(|(at, ((_, holds), sum))| usize::from(holds(v + sum)) << at)
                    .sum()
            })
            .collect();
        for outcome in 0..1 << count {
            let text = format!("{text}    assert(bits != {outcome});\n}}\n");
            let expected = if outcomes.contains(&outcome) {
                "violated"
            } else {
                "holds"
            };
            assert_eq!(
                word(&text).as_deref(),
                Some(expected),
                "seed {seed} in\n{text}"
            );
        }
    }
}

/// A condition on `v` that an assumption may have, and whether a value fulfils it.
fn assumption(kind: usize, random: &mut Random) -> (String, Box<dyn Fn(i32) -> bool>) {
    let k = random.below(40) as i32 - 20;
    match kind {
        0 => (format!("v >= {k}"), Box::new(move |v| v >= k)),
        1 => (format!("v < {k}"), Box::new(move |v| v < k)),
        2 => (format!("!(v > {k})"), Box::new(move |v| v <= k)),
        3 => (format!("{k} <= v"), Box::new(move |v| v >= k)),
        4 => (format!("{k} > v"), Box::new(move |v| v < k)),
        5 => (format!("v != {k}"), Box::new(move |v| v != k)),
        6 => (
            format!("v == {k} || v > {k} + 4"),
            Box::new(move |v| v == k || v > k + 4),
        ),
        7 => {
            let k = k.unsigned_abs();
            let holds = move |v: i32| v.cast_unsigned() < k;
            (format!("(unsigned)v < {k}u"), Box::new(holds))
        }
        _ => {
            let k = k.unsigned_abs();
            let holds = move |v: i32| v.cast_unsigned() <= k;
            (format!("(unsigned)v <= {k}u"), Box::new(holds))
        }
    }
}

/// What is computed from a chosen value that is assumed to be in some range, or of which only some bits are read, is
/// what is computed from some value of which that is true.
#[test]
fn what_is_computed_from_a_choice_that_is_bounded_is_computed_from_some_value() {
    let mut decided = 0;
    for seed in 0..u64::from(config(24).cases) {
        let mut random = Random(seed ^ 0x6e_6172);
        let mut kinds = vec![random.of(&[0, 3]), random.of(&[1, 2, 4, 7, 8])];
        kinds.extend(random.rarely(2).then(|| random.below(9)));
        let all: Vec<_> = kinds
            .into_iter()
            .map(|kind| assumption(kind, &mut random))
            .collect();
        let conditions: Vec<String> = all.iter().map(|(text, _)| format!("({text})")).collect();
        let assumed = match random.below(4) {
            0 => format!(
                "__VERIFIER_assume{};\n",
                conditions.join(";\n__VERIFIER_assume")
            ),
            1 => format!("if (!({})) return 0;\n", conditions.join(" && ")),
            2 => format!(
                "int w = v; v = w; if (!({})) exit(0);\n",
                conditions.join(" && ")
            ),
            _ => format!("__VERIFIER_assume({});\n", conditions.join(" && ")),
        };
        let mask = random.of(&[1, 3, 7, 5, 15]);
        let (used, value): (String, Box<dyn Fn(i32) -> i32>) = if random.rarely(2) {
            (
                format!("(v & {mask}) * 2 + 1"),
                Box::new(move |v| (v & mask) * 2 + 1),
            )
        } else {
            ("v * 2 + 1".to_owned(), Box::new(|v| v * 2 + 1))
        };
        // All of the conditions and values repeat or are monotone beyond these.
        let values: std::collections::BTreeSet<i32> = (-100..=100)
            .filter(|v| all.iter().all(|(_, holds)| holds(*v)))
            .map(&value)
            .collect();
        for outcome in [-41, -21, -9, -1, 1, 3, 7, 9, 15, 23, 37, 41] {
            let text = format!(
                "#include <assert.h>\n#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n\
                 extern void __VERIFIER_assume(int);\n\
                 int main(void) {{\n    int v = __VERIFIER_nondet_int();\n{assumed}\
                 if (v > 1000 || v < -1000) return 0;\n    assert({used} != {outcome});\n}}\n"
            );
            let expected = if values.contains(&outcome) {
                "violated"
            } else {
                "holds"
            };
            // A choice that stays one among too many values is none that this engine makes.
            let found = word(&text);
            if found.as_deref() != Some("unknown") {
                assert_eq!(found.as_deref(), Some(expected), "seed {seed} in\n{text}");
                decided += 1;
            }
        }
    }
    assert!(decided > 4 * config(24).cases, "{decided}");
}
