//! For any text, the parser returns, and its result is consistent.
//!
//! A few thousand mutated texts are parsed in every run, always the same ones. The property below
//! them takes its number of cases from `PROPTEST_CASES`.

use super::super::*;
use super::PETERSON;
use super::mutate::{Change, Material, read};
use proptest::prelude::*;

const CASES: usize = 3_000;

pub(crate) const SEEDS: [&str; 5] = [
    PETERSON,
    "shared m, s[3] = {1, 2, -3}; const N = 2;\nproc lock(l) { while (xchg(*l, 1) == 1) { } }\n\
     thread w[N] { local r = tid; lock(&m); choose { s[r] = r ? 1 : *(&m + r); } or { goto e; }\n\
     do { @cost 3 r = cas(s[1], 0, r) + nondet(0, 3); if (r == 1) { continue; } else if (r) { break; }\n\
     else { return; } } while (!(r > 2)); atomic { m = 0; fence(m, s[1]); } e: fence store; barrier all; }\n\
     final assert s[0] == 1 || w.0.r != 0;\nexists w.1@e;\n",
    "thread t1 regs r1, r2 = 5 locations l0, (q1), l2 init l0 begin\n  l0: mem[x] <- r1 + 1; goto q1;\n\
     q1: r1 <- cas(mem[y], 0, r2); goto l2;\n  @nofence l2: property !r1; goto l0;\n\
     l0: fence x y; goto l2;\nend\nforbid t1@q1 && x == 1;\n",
    "shared x, y, s[2]; thread t { local r; while (fence, x == 1 && (fence store, y)) { }\n\
     do { r = (fence(x, s[0]), barrier all, s[(fence, r)]); } while (fence(y), !(fence, x));\n\
     if (fence, fence, 1) { assume((fence, x) ? (fence, y) : r); } *(fence, &x) = -(fence, 3); }\n",
    "shared x, y, s[2]; const A = 1, B = true;\nproc f(a) { if (a) return a + x; else y++; return false; }\n\
     thread t { local r = f(1); for (local i = 0; i < 2; i++) { s[i] += r; if (x) continue; --x; }\n\
     for (r = 0; fence, f(x) + y; fence, r -= 2) if (y) @cost 2 s[r] <<= 1; else l: x = 1;\n\
     for (;;) if (x) break; else y |= x;\n  while (x) if (y)\n    x *= y;\n  else\n    y = 3;\n\
     assert(f(f(2)) == r, \"a \\\"reason\\\"\"); }\n",
];

const SNIPPETS: [&str; 50] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    ":",
    "*",
    "&",
    "-",
    "!",
    "?",
    "@",
    ".",
    "0",
    "x",
    "r1",
    "thread",
    "shared",
    "proc",
    "if (x) {",
    "while (1) { }",
    "loop {",
    "goto l;",
    "l:",
    "/*",
    "\"",
    "`",
    "//: check tso holds\n",
    "//: observed tso x == 1 yes\n",
    "99999999999",
    "0x",
    "é",
    "\u{0}",
    "local r;",
    "atomic {",
    "lock(&m);",
    "x = x + x && y || z;",
    "x++;",
    "--x;",
    "x += y;",
    "if (x)",
    "else",
    "while (y)",
    "for (x = 0; x < 2; x++)",
    "for (;;)",
    "return x;",
    "\"a\"",
];

pub(crate) const MATERIAL: Material = Material {
    seeds: &SEEDS,
    snippets: &SNIPPETS,
};

fn check(text: &str) {
    let _ = read(text, parse);
}

#[test]
fn no_mutation_of_a_text_breaks_the_parser() {
    MATERIAL.many(CASES, check);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_breaks_the_parser(
        seed in 0..SEEDS.len(),
        changes in prop::collection::vec(any::<Change>(), 1..6),
        noise in prop::option::weighted(0.1, ".{0,200}"),
        bytes in prop::option::weighted(0.05, prop::collection::vec(any::<u8>(), 0..200)),
    ) {
        if let Some(bytes) = bytes {
            let _ = parse_bytes(&bytes, "-", None);
        }
        match noise {
            Some(noise) => check(&noise),
            None => check(&MATERIAL.mutated(seed, &changes)),
        }
    }
}

#[test]
fn a_quarter_of_a_megabyte_of_anything_is_parsed() {
    let long = |piece: &str| piece.repeat((1 << 18) / piece.len());
    for piece in [
        "(",
        "[",
        "{",
        ")",
        "}",
        "-",
        "a ",
        "a;",
        "1+",
        "thread t{",
        "/*",
        "`",
        "\"",
        "x?",
        "if(x){}",
        "if(x)",
        "if(x);else ",
        "if(x)x=1;else while(x)",
        "for(;;)",
        "x++;",
        "x+=",
        "++",
        "else ",
        "é",
        "#",
        "#a",
    ] {
        let _ = parse(&long(piece));
        let _ = parse(&format!("shared x; thread t {{ x = {}; }}", long(piece)));
        let _ = parse(&format!("shared x; thread t {{ {} }}", long(piece)));
    }
}

#[test]
fn the_deepest_texts_that_are_allowed_are_parsed() {
    // Two mebibytes of stack, those of a test's thread, must suffice.
    let nest = |open: &str, n: usize, inside: &str, close: &str| {
        format!("{}{inside}{}", open.repeat(n), close.repeat(n))
    };
    let body = |text: &str| format!("shared x; thread t {{ local r; {text} }} forbid x == 1;");
    for text in [
        body(&format!("x = {};", nest("(", 190, "x", ")"))),
        body(&format!("x = {}1;", "-".repeat(250))),
        body(&format!("x = {};", nest("*(r + ", 60, "x", ")"))),
        body(&format!("if ({}) {{ }}", nest("x && (", 120, "x", ")"))),
        body(&format!("r = {}0;", "x ? x : ".repeat(250))),
        body(&nest("while (x) {", 190, "x = 1;", "}")),
        body(&format!("{}x = 1;", "while (x) ".repeat(190))),
        body(&format!("{}x = 1;", "if (x) x = 2; else ".repeat(1_000))),
        body(&format!(
            "{}x = 1;",
            "for (;;) if (x) x = 2; else ".repeat(60)
        )),
        body(&nest("choose { atomic { } } or {", 190, "x = 1;", "}")),
        format!(
            "{}proc p0() {{ }} {}",
            (1..120).fold(String::new(), |text, i| {
                text + &format!("proc p{i}() {{ if (x) {{ p{}(); }} }} ", i - 1)
            }),
            body("p119();")
        ),
        format!(
            "proc p0() {{ return x; }} {} shared x;",
            (1..110).fold(String::new(), |text, i| {
                text + &format!("proc p{i}() {{ return 1 + p{}(); }} ", i - 1)
            }),
        ) + "thread t { local r = p109(); }",
    ] {
        assert!(parse(&text).program.is_some(), "{text}");
        check(&text);
    }
}

#[test]
fn short_texts_that_expand_to_long_programs_stop_in_time() {
    let calls = |n: usize, of: &str| format!("{of}; ").repeat(n);
    let load = "x = x".to_owned() + &" + x".repeat(200);
    for text in [
        // A statement with many loads, called often.
        format!(
            "shared x; proc p() {{ {load}; }} proc q() {{ {} }} proc s() {{ {} }} thread t {{ s(); }}",
            calls(300, "p()"),
            calls(300, "q()")
        ),
        // A new register for each call.
        format!(
            "shared x; proc p(v) {{ local k = v; l: x = k; }} proc q() {{ {} }} thread t {{ {} }}",
            calls(200, "p(x)"),
            calls(200, "q()")
        ),
        // Many copies of a large thread; the procedure is uncalled.
        format!(
            "shared x; proc p() {{ {} }} thread t[1000] {{ {} }}",
            calls(900, "z"),
            calls(900, "x = y")
        ),
        format!(
            "thread t[1000] init l begin {} end",
            "l: noop; goto l; ".repeat(900)
        ),
    ] {
        check(&text);
    }
}
