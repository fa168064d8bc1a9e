//! For any text, the parser returns, and its result is consistent.

use super::super::parse;
use super::super::print::print;
use crate::formats::tests::mutate::{Change, Material, read};
use crate::text::render;
use proptest::prelude::*;
use std::fmt::Write as _;

const CASES: usize = 3_000;

const SEEDS: [&str; 4] = [
    include_str!("../../../../corpus/trencher/mcs.txt"),
    include_str!("../../../../corpus/trencher/operators.txt"),
    include_str!("../../../../corpus/trencher/lock-branches.txt"),
    include_str!("../../../../corpus/trencher/odd-names.txt"),
];

const SNIPPETS: [&str; 24] = [
    "thread t\n",
    "end\n",
    "initial q0\n",
    "final q1\n",
    "transition ",
    "\n",
    " ",
    "\t",
    "\r\n",
    "# ",
    "#: check tso holds\n",
    "#: observed tso mem[0] == t.r yes\n",
    "99999999999",
    "-2147483648",
    "1abc",
    "+ ",
    "! ",
    "* 65536 ",
    "lock\n",
    "unlock\n",
    "transition q0 q0 local r + r 1\n",
    "transition q1 q0 write & r -1 r\n",
    "é",
    "\u{0}",
];

const MATERIAL: Material = Material {
    seeds: &SEEDS,
    snippets: &SNIPPETS,
};

fn check(text: &str) {
    let parsed = read(text, parse);
    if let Some(program) = &parsed.program {
        let printed = match print(program) {
            Ok(printed) => printed,
            // The format has no words for where a value leaves 32 bits.
            Err(_) if !program.limits().is_empty() => return,
            Err(why) => panic!("{text:?}: {why:?}"),
        };
        let again = parse(&printed);
        let shown = render(&again.diagnostics, "printed", &printed, false);
        let again = again.program.unwrap_or_else(|| panic!("{text:?}\n{shown}"));
        assert_eq!(print(&again), Ok(printed), "{text:?}");
    }
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
        mutations in prop::collection::vec(any::<Change>(), 1..6),
        noise in prop::option::weighted(0.1, ".{0,200}"),
    ) {
        match noise {
            Some(noise) => check(&noise),
            None => check(&MATERIAL.mutated(seed, &mutations)),
        }
    }
}

#[test]
fn a_quarter_of_a_megabyte_of_anything_is_read() {
    let long = |piece: &str| piece.repeat((1 << 18) / piece.len());
    for piece in [
        "a ",
        "a\n",
        "+ ",
        "! ",
        "#",
        "#:\n",
        "thread t\n",
        "end\n",
        "1 ",
        "\u{a0}",
        "initial q\n",
    ] {
        let _ = parse(&long(piece));
        let _ = parse(&format!(
            "thread t\ninitial q\ntransition q q check {}\nend",
            long(piece)
        ));
        let _ = parse(&format!("thread t\ninitial q\n{}\nend", long(piece)));
    }
    // Many states, many registers, many constants.
    let mut chain = String::new();
    for n in 0..4_000 {
        let _ = writeln!(chain, "transition {n} {} local r{n} + r{n} {n}", n + 1);
    }
    let _ = parse(&format!("thread t\ninitial 0\n{chain}end\n"));
    let _ = parse(&format!(
        "thread t\ninitial 0\n{chain}transition 4000 0 noop\nend\n"
    ));
}
