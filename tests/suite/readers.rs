//! The two readers of programs in the automaton form: what the checker of certificates accepts is a program
//! for Fencepost as well, and the same one.
//!
//! They share no code. Texts are those that certificates have, and the same with random changes: tokens that
//! are missing, doubled, exchanged, or others, and blanks that are missing.

use crate::support::automata::{Mix, automata};
use crate::support::config::config;
use crate::support::random::{Shape, sketch};
use fencepost::internals::formats::parse;
use fencepost::program::{Program, print};
use fencepost::verify;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use std::fmt::Write as _;

/// Programs with everything that the form has.
const SAMPLES: [&str; 5] = [
    "shared x, a[3] = {0, 1, 2}; thread w[*] { local r, s = 2; r = a[1]; a[r] = 1; here: skip; \
     if (r / 2 == 1 || !s) { fence; } } thread v { local r; atomic { r = x; x = r + 1; } \
     fence(x, a[2]); assert(r < 5); } forbid w.0@here && v.r == 1; forbid stuck; \
     exists w.1.r == -1 && a[0] % 2 == 0;",
    "program `two words`; shared x, y = -3; thread t { local r; @cost 3 r = x; @nofence y = r; \
     @exchange x = 1; r = cas(y, r + 1, 2); r = fetch_add(x, 1); r = nondet(0, 2); fence store; \
     assume(r != 1); } thread t.1 { barrier all; y = 2147483647; } final assert t.r == (x ? y : ~2) - 1;",
    "shared `lock`, end; thread `mem` { local goto_, `regs`; `lock` = 1; `regs` = end; `all`: skip; } \
     thread `a.b` { local r; r = xchg(end, 1); } forbid stuck `mem` && (end == 0); \
     forbid `mem`@`all` && `a.b`.r > 0;",
    "shared g; thread c[2] { local r; loop { r = fetch_or(g, 1) & 3; if (r > 1) { break; } \
     r = fetch_and(g, -2) << 1 >> 1; r = fetch_sub(g, r * 2); } } \
     forbid c.0.r == 1 ^ c.1.r == 2 | g;",
    "shared a[4]; thread t { local r, s, u; atomic word { a[0] = r; a[1] = 2; a[3] = s; } \
     atomic word { r = a[1]; s = a[2]; } atomic word { s = a[r]; } atomic { u = a[0]; } }",
];

/// What a token may become.
const WORDS: [&str; 67] = [
    "x",
    "y",
    "a",
    "r",
    "s",
    "t",
    "q0",
    "q1",
    "q2",
    "w",
    "v",
    "here",
    "stuck",
    "regs",
    "locations",
    "init",
    "begin",
    "end",
    "mem",
    "goto",
    "lock",
    "unlock",
    "word",
    "lock word",
    "r + 1",
    "noop",
    "mfence",
    "sfence",
    "fence",
    "assume",
    "property",
    "barrier",
    "all",
    "cas",
    "xchg",
    "nondet",
    "thread",
    "shared",
    "forbid",
    "final",
    "assert",
    "exists",
    "program",
    "true",
    "tid",
    "0",
    "1",
    "2",
    "3",
    "007",
    "2147483648",
    "99999999999",
    "-",
    "/",
    "%",
    "*",
    "(",
    ")",
    "[",
    "]",
    "==",
    "&&",
    "@",
    ".",
    "`x`",
    "`lock`",
    "`w.0`",
];

fn program(text: &str) -> Program {
    parse(text)
        .program
        .unwrap_or_else(|| panic!("it parses: {text}"))
}

/// The text of a certificate.
fn printed() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => select(SAMPLES.to_vec()).prop_map(|text| print(&program(text))),
        1 => sketch(Shape::ALL).prop_map(|sketch| print(&sketch.build())),
        1 => automata(4, Mix::Blocks).prop_map(|automata| print(&automata.build())),
    ]
}

/// The parts of a text, blanks among them, which make up the whole.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '\'');
        let length = if first == '`' {
            rest[1..].find('`').map_or(rest.len(), |at| at + 2)
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if ["<-", "==", "&&", "||", "!=", "<=", ">=", "<<", ">>"]
            .iter()
            .any(|sign| rest.starts_with(sign))
        {
            2
        } else {
            first.len_utf8()
        };
        let (part, left) = rest.split_at(length);
        parts.push(part);
        rest = left;
    }
    parts
}

/// One change: which, where, and with what.
type Change = (u8, Index, Index);

fn changed(text: &str, changes: &[Change]) -> String {
    let mut parts: Vec<String> = parts(text).into_iter().map(str::to_owned).collect();
    for &(kind, at, other) in changes {
        let is_blank = |part: &String| part.trim().is_empty();
        let solid: Vec<usize> = (0..parts.len())
            .filter(|&at| !is_blank(&parts[at]))
            .collect();
        let (at, from) = (
            solid[at.index(solid.len())],
            solid[other.index(solid.len())],
        );
        match kind {
            0 => parts[at].clear(),
            1 => {
                let twice = format!("{0} {0}", parts[at]);
                parts[at] = twice;
            }
            2 => {
                let other = parts[from].clone();
                parts[at] = other;
            }
            3 => parts.swap(at, from),
            4 => WORDS[other.index(WORDS.len())].clone_into(&mut parts[at]),
            5 if at + 1 < parts.len() && is_blank(&parts[at + 1]) => parts[at + 1].clear(),
            6 => parts[at] = format!("({})", parts[at]),
            7 => {
                let word = WORDS[other.index(WORDS.len())];
                parts[at] = format!("{word} {}", parts[at]);
            }
            8 => {
                let longer = format!("{}0", parts[at]);
                parts[at] = longer;
            }
            // Another token of the same kind, which is often accepted.
            _ => {
                let kind = |part: &str| {
                    part.chars()
                        .next()
                        .map(|c| (c.is_numeric(), c.is_alphabetic()))
                };
                let alike = solid
                    .iter()
                    .filter(|&&from| kind(&parts[from]) == kind(&parts[at]));
                let alike: Vec<usize> = alike.copied().collect();
                let another = parts[alike[other.index(alike.len())]].clone();
                parts[at] = another;
            }
        }
        parts.retain(|part| !part.is_empty());
    }
    parts.concat()
}

/// What a program is to the checker, without the names of locations, of which Fencepost makes some itself,
/// and with signs of numbers evaluated, which it does in properties.
fn meaning(program: &verify::Program) -> String {
    type Sign = (&'static str, fn(i32) -> i32);
    let text = format!("{program:?}");
    let mut parts = text.split("locations: [");
    let mut meaning = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (names, rest) = part.split_once("], entry: ").unwrap_or_default();
        let count = names.split("\", \"").count();
        let _ = write!(meaning, "{count} locations, entry {rest}");
    }
    let signs: [Sign; 3] = [
        ("Unary(Minus, Number(", i32::wrapping_neg),
        ("Unary(Not, Number(", |number| i32::from(number == 0)),
        ("Unary(Flip, Number(", |number| !number),
    ];
    while let Some((start, (lead, value))) = signs
        .iter()
        .filter_map(|sign| Some((meaning.find(sign.0)?, sign)))
        .max_by_key(|(start, _)| *start)
    {
        let from = start + lead.len();
        let end = from + meaning[from..].find("))").unwrap_or_default();
        let number: i32 = meaning[from..end].parse().expect("a number");
        meaning.replace_range(start..end + 2, &format!("Number({})", value(number)));
    }
    meaning
}

/// Whether both readers accept the text; they may both refuse it, or the checker alone.
fn agrees(text: &str) -> Result<bool, TestCaseError> {
    let Ok(of_checker) = verify::Program::read(text) else {
        return Ok(false);
    };
    let parsed = parse(text);
    let errors: Vec<&String> = parsed
        .diagnostics
        .iter()
        .map(|error| &error.message)
        .collect();
    let Some(read) = &parsed.program else {
        return Err(TestCaseError::fail(format!("{errors:?}\n{text}")));
    };
    let again = verify::Program::read(&print(read));
    let again = again.map_err(|refusal| TestCaseError::fail(format!("{refusal:?}\n{text}")))?;
    prop_assert_eq!(meaning(&of_checker), meaning(&again), "{}", text);
    Ok(true)
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn what_the_checker_accepts_is_the_same_program_for_both_readers(
        text in printed(),
        changes in prop::collection::vec((0..14_u8, any::<Index>(), any::<Index>()), 1..3),
    ) {
        agrees(&changed(&text, &changes))?;
    }
}

proptest! {
    #![proptest_config(config(30))]

    #[test]
    fn what_is_printed_is_accepted_by_both_readers(text in printed()) {
        prop_assert!(agrees(&text)?, "{}", text);
    }
}

#[test]
fn many_changed_texts_are_accepted() {
    let mut runner = TestRunner::deterministic();
    let changes = prop::collection::vec((0..14_u8, any::<Index>(), any::<Index>()), 1..3);
    let drawn = (printed(), changes);
    let mut accepted = 0;
    for _ in 0..300 {
        let tree = drawn.new_tree(&mut runner).expect("a text");
        let (text, changes) = tree.current();
        let changed = changed(&text, &changes);
        accepted += usize::from(changed != text && verify::Program::read(&changed).is_ok());
    }
    assert!(accepted > 6, "{accepted}");
}

#[test]
fn each_rule_of_the_language_is_one_of_the_checker() {
    let whole = |threads: &str, property: &str| {
        format!("shared x = 0;\nshared a[2] = {{0, 1}};\n{threads}\n{property}\n")
    };
    let thread = |op: &str| {
        let text =
            format!("thread t regs r locations q0, (q1) init q0 begin\n  q0: {op}; goto q1;\nend");
        whole(&text, "")
    };
    let properties = |property: &str| {
        let text = "thread t regs r locations q0, q1, q2 init q0 begin q0: lock; goto q1; \
                    q1: unlock; goto q2; end";
        whole(text, property)
    };
    // An access of several cells, of these operations.
    let access = |ops: &[&str]| {
        let names: Vec<String> = (0..ops.len() + 3).map(|at| format!("q{at}")).collect();
        let mut text = format!(
            "thread t regs r, s, u locations {} init q0 begin q0: lock word; goto q1; ",
            names.join(", ")
        );
        for (at, op) in (1..).zip(ops) {
            let _ = write!(text, "q{at}: {op}; goto q{}; ", at + 1);
        }
        let end = ops.len() + 1;
        let _ = write!(text, "q{end}: unlock; goto q{}; end", end + 1);
        whole(&text, "").replace("a[2] = {0, 1}", "a[9] = 0")
    };
    let loads: Vec<String> = (0..9).map(|at| format!("r <- mem[a[{at}]]")).collect();
    let loads: Vec<&str> = loads.iter().map(String::as_str).collect();
    for accepted in [
        access(&[]),
        access(&["r <- mem[a[0]]", "noop", "s <- mem[a[1]]"]),
        access(&["mem[a[0]] <- r", "r <- r + 1", "mem[a[3]] <- r"]),
        access(&["s <- mem[r]", "u <- mem[r + 1]"]),
        access(&["mem[r + 1] <- s", "s <- 0", "mem[r + 8] <- s"]),
        access(&["mem[r] <- s", "r <- 0"]),
        access(&["mem[s + r] <- u", "mem[s + r + 1] <- u"]),
        access(&["mem[r] <- 1", "mem[1 + r] <- 1"]),
        access(&["mem[s + r] <- u", "mem[r + (1 + s)] <- u"]),
        access(&loads[..8]),
    ] {
        assert!(matches!(agrees(&accepted), Ok(true)), "{accepted}");
    }
    let elsewhere = "q2: unlock; goto q3; end";
    for refused in [
        access(&["r <- mem[a[1]]", "s <- mem[a[0]]"]),
        access(&["r <- mem[a[1]]", "s <- mem[a[1]]"]),
        access(&["mem[a[0]] <- 1", "r <- mem[a[1]]"]),
        access(&["mem[r + 1] <- 1", "mem[r + 9] <- 1"]),
        access(&["mem[a[0]] <- 1", "mem[r] <- 1"]),
        access(&["mem[r] <- 1", "mem[s + 1] <- 1"]),
        access(&["r <- mem[r]", "s <- mem[r + 1]"]),
        access(&["r <- 0", "s <- mem[r + 1]"]),
        access(&["mem[r] <- 1", "r <- r + 1", "mem[r + 1] <- 1"]),
        access(&loads),
        access(&["assume r"]),
        access(&["property r"]),
        access(&["r <- nondet(0, 1)"]),
        access(&["r <- xchg(mem[a[0]], 1)"]),
        access(&["mfence"]),
        access(&["sfence"]),
        access(&["fence x"]),
        access(&["barrier all"]),
        access(&["lock"]),
        access(&["lock word"]),
        access(&["unlock"]),
        access(&["r <- mem[a[0]]"]).replace(elsewhere, "end"),
        access(&["r <- mem[a[0]]"]).replace(elsewhere, "q2: noop; goto q1; end"),
        access(&["noop"]).replace(elsewhere, "q2: noop; goto q1; end"),
        access(&["r <- mem[a[0]]"]).replace(elsewhere, &format!("q1: noop; goto q2; {elsewhere}")),
    ] {
        assert!(verify::Program::read(&refused).is_err(), "{refused}");
        assert!(parse(&refused).program.is_none(), "{refused}");
    }
    // Two ways into an access, whose cells depend on the way: refused by the checker alone.
    let two_ways = whole(
        "thread t regs r locations q0, q1, q2, q3, q4, q5 init q0 begin q0: lock word; goto q1; \
         q0: lock word; goto q2; q1: mem[a[0]] <- 1; goto q3; q2: mem[a[1]] <- 1; goto q3; \
         q3: mem[a[2]] <- 1; goto q4; q4: unlock; goto q5; end",
        "",
    )
    .replace("a[2] = {0, 1}", "a[9] = 0");
    assert!(verify::Program::read(&two_ways).is_err(), "{two_ways}");
    for accepted in [
        thread("r <- r / 2"),
        thread("r <- nondet(1, 1)"),
        properties("forbid x / 2 == 1 && t@q2;"),
        whole("", "forbid `stuck` == 1;").replace("shared x", "shared `stuck` = 0; shared x"),
    ] {
        assert!(matches!(agrees(&accepted), Ok(true)), "{accepted}");
    }
    for refused in [
        thread("r <- r / 0"),
        thread("r <- r % (2 - 2)"),
        thread("r <- nondet(2, 1)"),
        thread("r <- 00"),
        thread("r <- 2147483648"),
        thread("@exchange r <- 1"),
        thread("noop").replace("q0: noop", "@sometimes q0: noop"),
        thread("noop").replace("q0: noop", "@exchange q0: noop"),
        thread("noop").replace("regs r", "regs lock"),
        thread("noop").replace("regs r", "regs r, `r`"),
        thread("noop").replace("regs r", "regs r = 1locations2"),
        thread("noop").replace("thread t", "thread `t.0`"),
        thread("noop").replace("shared x = 0", "shared x = {0}"),
        thread("noop").replace("shared x", "program p; program p; shared x"),
        thread("lock").replace("end", "q1: barrier all; goto q1; end"),
        properties("forbid x / a[0] == 1;"),
        properties("forbid x % 0 == 1;"),
        properties("forbid t@q1;"),
        properties("forbid stuck u;"),
        properties("forbid `x` == 1;"),
        properties("forbid \u{a0}x == 1;"),
    ] {
        assert!(verify::Program::read(&refused).is_err(), "{refused}");
        // Whatever the checker refuses is no certificate; Fencepost may be more liberal.
    }
}
