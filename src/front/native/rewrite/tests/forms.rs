//! Which programs count as equal.

use super::super::*;
use super::read;

#[test]
fn different_programs_differ_and_equivalent_ones_do_not() {
    let text = "shared x, y; thread t { local r; x = 1; while (y) { r = y; } l: y = r; } \
                forbid t@l && t.r == 1;";
    let program = read(text);
    let source = SourceText::new(text, &program).expect("its own text");
    let same = |other: &str| source.text_means(other, &[]);
    for (from, to) in [
        ("x = 1;", "x = 2;"),
        ("x = 1;", "y = 1;"),
        ("x = 1;", "@cost 2 x = 1;"),
        ("x = 1;", "x = 1; fence;"),
        ("x = 1; while (y) {", "while (y) { x = 1;"),
        ("l: y = r;", "y = r; l:"),
        ("local r;", "local r = 1;"),
        ("local r; x = 1;", "local r, s; x = 1; s = y;"),
        ("r = y; }", "r = y; } r = r + 1;"),
        ("shared x, y", "shared x, y = 1"),
        ("shared x, y", "shared x, y, z"),
        ("t@l &&", "t@l ||"),
        ("thread t", "thread u {} thread t"),
    ] {
        let other = text.replace(from, to);
        assert_ne!(other, text, "`{from}` is in the text");
        assert!(!same(&other), "{other}");
    }
    for (from, to) in [
        ("x = 1;", "{ x = 1; skip; }"),
        ("local r;", "local s, r;"),
        ("l: y = r;", "l: skip; y = r;"),
        ("l: y = r;", "l: skip; m: y = r;"),
        ("l: y = r;", "l: y = r; return; fence;"),
    ] {
        let other = text.replace(from, to);
        assert_ne!(other, text, "`{from}` is in the text");
        assert!(same(&other), "{other}");
    }
}
