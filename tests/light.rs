//! What any build of the library does, with the languages that it has and without the others.

#![allow(clippy::expect_used, reason = "a test that panics has failed")]

use fencepost::texts::print_as;
use fencepost::{
    Aim, Budget, CheckOptions, Error, FenceOptions, Format, Model, RobustOptions, Verdict,
    assert_robust, cheapest_fences, check, parse, parse_as, rewrite_as, robust,
};

const STORE_BUFFERING: &str = "shared x, y;
    thread t0 { local r; x = 1; r = y; }
    thread t1 { local r; y = 1; r = x; }
    final assert t0.r == 1 || t1.r == 1;";

/// A program in each language, and whether this build reads it.
const LANGUAGES: [(Format, &str, &str, bool); 6] = [
    (Format::Fence, "", STORE_BUFFERING, true),
    (
        Format::Trencher,
        "trencher",
        "thread t\ninitial q0\ntransition q0 q1 write 1 0\nend\n",
        cfg!(feature = "trencher"),
    ),
    (
        Format::Litmus,
        "litmus",
        "X86 SB\n{ }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n",
        cfg!(feature = "litmus"),
    ),
    (
        Format::LitmusC,
        "litmus",
        "C W\n{ }\nP0(int *x) { WRITE_ONCE(*x, 1); }\nexists (x=1)\n",
        cfg!(feature = "litmus"),
    ),
    (
        Format::C,
        "c",
        "#include <assert.h>\nint main(void) { assert(1); }\n",
        cfg!(feature = "c"),
    ),
    (
        Format::Rust,
        "rust",
        "fn main() { assert!(true); }\n",
        cfg!(feature = "rust"),
    ),
];

#[test]
fn the_three_verbs_answer() -> Result<(), Error> {
    let program = parse(STORE_BUFFERING).into_program()?;
    let budget = Budget::default();
    let report = check(&program, &CheckOptions::new(Model::Tso), &budget)?;
    assert!(matches!(report.verdict(), Verdict::Violated(_)));
    let report = robust(&program, &RobustOptions::new(Model::Tso), &budget)?;
    assert!(matches!(report.verdict(), Verdict::Violated(_)));
    let options = FenceOptions::new(Model::Tso, Aim::Robustness);
    let report = cheapest_fences(&program, &options, &budget)?;
    let changes = report.changes(&program).expect("two fences are enough");
    let fenced = rewrite_as(Format::Fence, STORE_BUFFERING, &program, &changes)?;
    assert_robust!(Format::Fence, &fenced, Model::Tso);
    Ok(())
}

#[test]
fn a_language_is_read_or_the_error_names_its_feature() {
    for (format, feature, text, is_here) in LANGUAGES {
        let message = match parse_as(format, text).into_program() {
            Ok(_) => {
                assert!(is_here, "{format}");
                continue;
            }
            Err(error) => error.to_string(),
        };
        assert!(!is_here, "{format}: {message}");
        let named = format!("`features = [\"{feature}\"]`");
        assert!(message.contains(&named), "{format}: {message}");
    }
}

#[test]
fn a_program_is_not_printed_in_a_language_that_is_left_out() {
    let program = parse(STORE_BUFFERING).into_program().expect("it is valid");
    for (format, feature, _, is_here) in LANGUAGES {
        // What the language cannot express is another reason.
        let why: String = match print_as(format, &program) {
            Ok(_) => String::new(),
            Err(whys) => whys.iter().map(ToString::to_string).collect(),
        };
        let is_named = why.contains(&format!("`features = [\"{feature}\"]`"));
        assert_eq!(is_named, !is_here, "{format}: {why}");
    }
}
