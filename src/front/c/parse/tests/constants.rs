//! Random constant expressions have the values that the system's C compiler gives them.

use super::{accepted, read};
use crate::lower::typed::ExprKind;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::fmt::Write;
use std::process::Command;

const TYPES: [&str; 9] = [
    "char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "_Bool",
];

const LITERALS: [&str; 20] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "31",
    "100",
    "255",
    "0x80",
    "0xffff",
    "2147483647",
    "0x7fffffff",
    "0x80000000",
    "4294967295u",
    "1u",
    "5l",
    "0xffffffffffffffff",
    "9223372036854775807",
    "3ul",
    "(-2147483647 - 1)",
];

const OPERATORS: [&str; 18] = [
    "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "&&",
    "||",
];

fn expression() -> BoxedStrategy<String> {
    let leaf = proptest::sample::select(&LITERALS[..]).prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 3, |inner| {
        let ty = proptest::sample::select(&TYPES[..]);
        let operator = proptest::sample::select(&OPERATORS[..]);
        let unary = proptest::sample::select(&["-", "~", "!", "+"][..]);
        prop_oneof![
            (inner.clone(), operator, inner.clone())
                .prop_map(|(a, operator, b)| format!("({a} {operator} {b})")),
            (unary, inner.clone()).prop_map(|(unary, a)| format!("({unary} {a})")),
            (ty.clone(), inner.clone()).prop_map(|(ty, a)| format!("(({ty}){a})")),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("({a} ? {b} : {c})")),
            inner.prop_map(|a| format!("sizeof({a})")),
        ]
    })
    .boxed()
}

/// The value of an expression without undefined behaviour, in the type that this one converts it to.
fn value(expression: &str, ty: &str) -> Option<i64> {
    let (unit, _) = read(&format!("{ty} x = {expression};"));
    let unit = unit?;
    match unit.objects[0].init.first() {
        None => Some(0),
        Some((_, value)) => match value.kind {
            ExprKind::Const(value) => Some(value),
            _ => panic!("{expression} is {value:?}"),
        },
    }
}

#[test]
fn constant_expressions_have_the_values_of_the_systems_compiler() {
    let mut runner = TestRunner::deterministic();
    let mut cases = Vec::new();
    while cases.len() < 600 {
        let drawn = expression()
            .new_tree(&mut runner)
            .map(|tree| tree.current());
        let Ok(text) = drawn else { continue };
        // Those without a value are left out: compilers differ.
        if let Some(value) = value(&text, "unsigned long") {
            cases.push((text, value));
        }
    }
    let mut program = String::from("int printf(const char *, ...);\nint main(void) {\n");
    for (text, _) in &cases {
        let _ = writeln!(
            program,
            "    printf(\"%ld\\n\", (long)(unsigned long)({text}));"
        );
    }
    program.push_str("    return 0;\n}\n");
    let Some(printed) = run(&program) else {
        // There is no C compiler.
        return;
    };
    let printed: Vec<i64> = printed
        .lines()
        .filter_map(|line| line.parse().ok())
        .collect();
    assert_eq!(printed.len(), cases.len());
    for ((text, value), printed) in cases.iter().zip(printed) {
        assert_eq!(*value, printed, "{text}");
    }
}

/// What a C program prints; none without a compiler.
fn run(program: &str) -> Option<String> {
    let directory = tempfile::tempdir().ok()?;
    let source = directory.path().join("constants.c");
    let binary = directory.path().join("constants");
    std::fs::write(&source, program).ok()?;
    let built = Command::new("cc")
        .args(["-std=gnu11", "-w", "-O0", "-o"])
        .args([&binary, &source])
        .output()
        .ok()?;
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let output = Command::new(&binary).output().ok()?;
    String::from_utf8(output.stdout).ok()
}

#[test]
fn undefined_constants_have_no_value() {
    for text in [
        "2147483647 + 1",
        "-2147483647 - 2",
        "-(-2147483647 - 1)",
        "65536 * 32768",
        "(-2147483647 - 1) / -1",
        "(-2147483647 - 1) % -1",
        "1 % 0",
        "1 << 32",
        "1 >> -1",
        "9223372036854775807 + 1",
    ] {
        assert_eq!(value(text, "long"), None, "{text}");
    }
}

#[test]
fn only_the_operand_that_is_chosen_is_evaluated() {
    for (text, expected) in [
        ("0 && 1 / 0", 0),
        ("1 || 1 / 0", 1),
        ("1 ? 5 : 1 / 0", 5),
        ("0 ? 1 / 0 : 6", 6),
        ("4294967295u + 1", 0),
        ("-1 < 0u", 0),
        ("(char)200", -56),
        ("(unsigned char)-1", 255),
        ("(_Bool)256", 1),
        ("1 << 31", -2_147_483_648),
        ("sizeof(int[3])", 12),
        ("_Alignof(long)", 8),
        ("'a' + 1", 98),
        ("0 ?: 4", 4),
    ] {
        assert_eq!(value(text, "long"), Some(expected), "{text}");
    }
}

#[test]
fn zeros_are_not_among_the_initial_values() {
    let unit = accepted("int x[4] = { 0, 5, 0, 6 }; struct { int a, b; } y = { .b = 0 };");
    let lengths: Vec<usize> = unit
        .objects
        .iter()
        .map(|object| object.init.len())
        .collect();
    assert_eq!(lengths, [2, 0]);
}
