//! Whatever the text, the reader returns, and what it returns is consistent.

use super::super::super::diagnostic::{Severity, render};
use super::super::{parse, print};
use proptest::prelude::*;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

const CASES: u64 = 3_000;

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

/// One change of a text: what, where, how much, and which snippet or other place.
type Mutation = (u8, u16, u16, u16);

fn mutated(seed: usize, mutations: &[Mutation]) -> String {
    let mut chars: Vec<char> = SEEDS[seed % SEEDS.len()].chars().collect();
    for &(what, at, len, other) in mutations {
        let at = usize::from(at) % (chars.len() + 1);
        let end = (at + usize::from(len) % 40).min(chars.len());
        let snippet = SNIPPETS[usize::from(other) % SNIPPETS.len()];
        match what % 6 {
            0 => {
                chars.drain(at..end);
            }
            1 => {
                chars.splice(at..at, snippet.chars());
            }
            2 => {
                let piece: Vec<char> = chars[at..end].to_vec();
                let to = usize::from(other) % (chars.len() + 1);
                chars.splice(to..to, piece);
            }
            3 => chars.truncate(end.max(chars.len() / 2)),
            4 => {
                let many = snippet.repeat(usize::from(len) % 300);
                chars.splice(at..at, many.chars());
            }
            _ => {
                // Whole lines change places.
                let text: String = chars.iter().collect();
                let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
                let count = lines.len().max(1);
                if !lines.is_empty() {
                    lines.swap(at % count, usize::from(other) % count);
                }
                chars = lines.concat().chars().collect();
            }
        }
        chars.truncate(20_000);
    }
    chars.into_iter().collect()
}

/// No text of twenty kilobytes takes longer to read.
const LONGEST: Duration = Duration::from_secs(1);

fn check(text: &str) {
    let start = Instant::now();
    let parsed = parse(text);
    let mut took = start.elapsed();
    if took > LONGEST {
        // A busy machine takes longer now and then, a slow reader always.
        let again = Instant::now();
        let _ = parse(text);
        took = took.min(again.elapsed());
    }
    assert!(took <= LONGEST, "{took:?}: {text:?}");
    let failed = parsed
        .diagnostics
        .iter()
        .any(|d| d.severity == Severity::Error);
    assert_eq!(parsed.program.is_none(), failed, "{text:?}");
    for diagnostic in &parsed.diagnostics {
        let span = &diagnostic.span;
        assert!(
            span.start <= span.end && span.end <= text.len(),
            "{text:?}: {diagnostic:?}"
        );
        assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
    }
    if let Some(program) = &parsed.program {
        let printed = print(program).unwrap_or_else(|why| panic!("{text:?}: {why:?}"));
        let again = parse(&printed);
        let shown = render(&again.diagnostics, "printed", &printed, false);
        let again = again.program.unwrap_or_else(|| panic!("{text:?}\n{shown}"));
        assert_eq!(print(&again), Ok(printed), "{text:?}");
        // The automata read back as Fencepost's own, too.
        let own = crate::program::print(program);
        let again = crate::syntax::parse(&own).program;
        assert!(
            again.map(|p| p.without_origins()) == Some(program.without_origins()),
            "{text:?}\n{own}"
        );
    } else if parsed.diagnostics.len() < 10 {
        assert!(!render(&parsed.diagnostics, "fuzz", text, false).is_empty());
    }
}

#[test]
fn no_mutation_of_a_text_makes_the_reader_stumble() {
    // A linear congruential generator: the same texts on every machine.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u16
    };
    for case in 0..CASES {
        let count = case % 5 + 1;
        let mutations: Vec<Mutation> = (0..count)
            .map(|_| (next() as u8, next(), next(), next()))
            .collect();
        check(&mutated(usize::from(next()), &mutations));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_reader_stumble(
        seed in 0..SEEDS.len(),
        mutations in prop::collection::vec(any::<Mutation>(), 1..6),
        noise in prop::option::weighted(0.1, ".{0,200}"),
    ) {
        match noise {
            Some(noise) => check(&noise),
            None => check(&mutated(seed, &mutations)),
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
