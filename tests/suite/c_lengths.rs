//! `memcpy` and its kind with a number of bytes that is known at run time only, against the bytes of the objects.
//!
//! The structures are random, and laid out here by the rules of the x86-64 ABI. For each number of bytes, from -1 to more
//! than there are, a program executes the function and looks at all scalars. What they hold then is known from which
//! bytes were accessed, and not from how the front end divides them into cases.

use crate::support::config::config;
use fencepost::internals::check::{CheckOptions, check};
use fencepost::internals::formats::{Format, parse_as};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::Budget;
use proptest::prelude::*;
use std::fmt::Write as _;

/// A type, its size and alignment, and the number of elements; 0 for a scalar that is no array.
type Member = (&'static str, usize, usize);

const MEMBERS: [Member; 6] = [
    ("char", 1, 0),
    ("short", 2, 0),
    ("int", 4, 0),
    ("char", 1, 3),
    ("short", 2, 2),
    ("int", 4, 2),
];

/// A scalar of a structure: how it is accessed, where it begins, and its size.
struct Scalar {
    text: String,
    offset: usize,
    size: usize,
}

/// The declarations of the members, the scalars, and the size of all.
fn laid_out(members: &[Member]) -> (String, Vec<Scalar>, usize) {
    let (mut text, mut scalars) = (String::new(), Vec::new());
    let (mut end, mut most) = (0_usize, 1);
    for (number, &(ty, size, elements)) in members.iter().enumerate() {
        end = end.next_multiple_of(size);
        most = most.max(size);
        let brackets = match elements {
            0 => String::new(),
            _ => format!("[{elements}]"),
        };
        let _ = write!(text, "{ty} m{number}{brackets}; ");
        for element in 0..elements.max(1) {
            let index = match elements {
                0 => String::new(),
                _ => format!("[{element}]"),
            };
            scalars.push(Scalar {
                text: format!("m{number}{index}"),
                offset: end,
                size,
            });
            end += size;
        }
    }
    (text, scalars, end.next_multiple_of(most))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Function {
    Copy,
    Move,
    Fill,
    Compare,
}

/// What is given to the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Into {
    /// The address of an object.
    Known,
    /// That of one of two.
    OneOfTwo,
}

#[derive(Debug)]
struct Case {
    members: Vec<Member>,
    function: Function,
    into: Into,
    /// So many of the first scalars are the same in both objects.
    same: usize,
}

fn case() -> impl Strategy<Value = Case> {
    let functions = [
        Function::Copy,
        Function::Move,
        Function::Fill,
        Function::Compare,
    ];
    (
        prop::collection::vec(prop::sample::select(MEMBERS.to_vec()), 1..5),
        prop::sample::select(functions.to_vec()),
        prop::sample::select(vec![Into::Known, Into::OneOfTwo]),
        0..5_usize,
    )
        .prop_map(|(members, function, into, same)| Case {
            members,
            function,
            into,
            same,
        })
}

impl Case {
    /// What scalar number `i` holds at first where the function writes, and where it reads.
    fn values(&self, i: usize) -> (usize, usize) {
        let into = if i < self.same { i + 1 } else { 50 + i };
        (into, i + 1)
    }

    /// The program for this number of bytes. It asserts that this holds, or that it does not.
    fn text(&self, n: i64, asserted: &str) -> String {
        let (declared, scalars, _) = laid_out(&self.members);
        let set = |object: &str, value: fn((usize, usize)) -> usize| {
            let each = scalars.iter().enumerate();
            each.fold(String::new(), |mut text, (i, scalar)| {
                let value = value(self.values(i));
                let _ = write!(text, "{object}.{} = {value}; ", scalar.text);
                text
            })
        };
        let first = ["to", "other"].map(|object| set(object, |(into, _)| into));
        let from = set("from", |(_, from)| from);
        let into = match self.into {
            Into::Known => "&to",
            Into::OneOfTwo => "__VERIFIER_nondet_bool() ? &to : &other",
        };
        let call = match self.function {
            Function::Copy => "memcpy(p, &from, n); int sign = 0;",
            Function::Move => "memmove(p, &from, n); int sign = 0;",
            Function::Fill => "memset(p, 0, n); int sign = 0;",
            Function::Compare => "int d = memcmp(p, &from, n); int sign = (d > 0) - (d < 0);",
        };
        format!(
            "#include <assert.h>\n#include <string.h>\n\
             struct s {{ {declared}}}; static struct s to, other, from;\n\
             int main(void) {{ {}{}{from}\n\
             int n = __VERIFIER_nondet_int(); if (n != {n}) return 0;\n\
             struct s *p = {into}; {call} assert({asserted}); return 0; }}\n",
            first[0], first[1]
        )
    }

    /// What is true after the function has accessed so many whole scalars.
    fn truth(&self, n: usize) -> String {
        let (_, scalars, _) = laid_out(&self.members);
        let mut all = Vec::new();
        let mut sign = 0;
        for (i, scalar) in scalars.iter().enumerate() {
            let (into, from) = self.values(i);
            let is_covered = scalar.offset + scalar.size <= n;
            let value = match (self.function, is_covered) {
                (Function::Copy | Function::Move, true) => from,
                (Function::Fill, true) => 0,
                (_, false) | (Function::Compare, true) => into,
            };
            all.push(format!("p->{} == {value}", scalar.text));
            if self.function == Function::Compare && is_covered && sign == 0 {
                // Only the first byte of each scalar is not 0.
                sign = i32::from(into > from) - i32::from(into < from);
            }
        }
        all.push(format!("sign == {sign}"));
        all.join(" && ")
    }
}

fn word(text: &str) -> &'static str {
    let parsed = parse_as(Format::C, text);
    let Some(program) = parsed.program else {
        return "refused";
    };
    let report = check(
        &program,
        &CheckOptions::new(Model::Sc),
        &Budget::default().with_states(20_000),
    );
    report.expect("no defect").verdict().word()
}

proptest! {
    #![proptest_config(config(12))]

    #[test]
    fn each_number_of_bytes_does_what_its_bytes_say(case in case()) {
        let (_, scalars, size) = laid_out(&case.members);
        for n in -1..=(size as i64 + 2) {
            let Some(bytes) = usize::try_from(n).ok().filter(|&bytes| bytes <= size) else {
                let text = case.text(n, "1");
                let word = word(&text);
                // Where the object is not known, what follows it is not, either.
                let may_be_open = case.into == Into::OneOfTwo && word == "unknown";
                prop_assert!(word == "violated" || may_be_open, "{word}\n{text}");
                continue;
            };
            let is_cut = |scalar: &Scalar| {
                scalar.offset < bytes && bytes < scalar.offset + scalar.size
            };
            let ends = scalars.iter().map(|scalar| (scalar.offset, scalar.offset + scalar.size));
            let covered: usize = ends.filter(|&(begin, _)| begin < bytes).map(|(begin, end)| end - begin).sum();
            let has_gaps = case.function == Function::Compare && covered != bytes;
            let truth = case.truth(bytes);
            let (right, wrong) = (case.text(n, &truth), case.text(n, &format!("!({truth})")));
            let words = [word(&right), word(&wrong)];
            let expected = if scalars.iter().any(is_cut) || has_gaps {
                ["unknown", "unknown"]
            } else {
                ["holds", "violated"]
            };
            prop_assert_eq!(words, expected, "{}", right);
        }
    }
}

/// Constants that no `unsigned int` has are not made ones that it has.
#[test]
fn comparisons_with_large_and_negative_constants_are_never_wrong() {
    let all = [
        ("u < 0x100000000ULL", true),
        ("u >= 0x100000000ULL", false),
        ("u == 0x100000001ULL", false),
        ("(long)u > 2L - 3L", true),
        ("(long)u == -1L", false),
        ("(long)u == 1L - 2L", false),
        ("u <= 0xffffffffUL", true),
        ("u < sizeof(int[4]) / sizeof(int) || u >= 4", true),
        ("u < sizeof(int[4]) / sizeof(int) || u > 4", false),
    ];
    for (condition, holds) in all {
        // `false`: there is a value for which it does not hold.
        let text = format!(
            "#include <assert.h>\nunsigned __VERIFIER_nondet_uint(void);\n\
             int main(void) {{ unsigned u = __VERIFIER_nondet_uint(); assert({condition}); return 0; }}\n"
        );
        let wrong = if holds { "violated" } else { "holds" };
        assert_ne!(word(&text), wrong, "{condition}");
    }
}
