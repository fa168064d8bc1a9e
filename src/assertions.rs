//! Assertions about programs, for the tests of other crates.
//!
//! The macros take a text, which `include_str!` makes of a file, so a module can be checked by the tests
//! of the crate that it belongs to.

use crate::formats::{Format, ParseOptions, parse_with};
use crate::model::Model;
use crate::report::Source;
use crate::verdict::{Budget, Verdict};
use crate::{CheckOptions, RobustOptions};

/// Asserts that all assertions and properties of a program hold under a model, for all executions.
///
/// The arguments are the format, the text and the model, and the name of the test or function that the
/// program executes if the text has several.
///
/// ```
/// use fencepost::{Format, Model, assert_holds};
///
/// // In a test: `include_str!("../src/lock.rs")`.
/// let text = r#"
///     use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
///     use std::thread;
///
///     static DATA: AtomicU32 = AtomicU32::new(0);
///     static READY: AtomicBool = AtomicBool::new(false);
///
///     #[test]
///     fn published() {
///         let t = thread::spawn(|| {
///             DATA.store(1, Ordering::Relaxed);
///             READY.store(true, Ordering::Release);
///         });
///         if READY.load(Ordering::Acquire) {
///             assert_eq!(DATA.load(Ordering::Relaxed), 1);
///         }
///         t.join().unwrap();
///     }
/// "#;
/// assert_holds!(Format::Rust, text, Model::Pso);
/// assert_holds!(Format::Rust, text, Model::Pso, "published");
/// ```
///
/// # Panics
///
/// With the report, if they do not, if that is not decided with a few minutes of work, if the text
/// has errors, or if it states no property.
#[macro_export]
macro_rules! assert_holds {
    ($format:expr, $text:expr, $model:expr $(,)?) => {
        if let Err(report) = $crate::internals::assertions::holds($format, $text, $model, None) {
            panic!("{report}");
        }
    };
    ($format:expr, $text:expr, $model:expr, $entry:expr $(,)?) => {
        if let Err(report) =
            $crate::internals::assertions::holds($format, $text, $model, Some($entry))
        {
            panic!("{report}");
        }
    };
}

/// Asserts that a program is robust under a model: that store buffers add no behaviour.
///
/// The arguments are those of [`assert_holds!`].
///
/// ```
/// use fencepost::{Format, Model, assert_robust};
///
/// let text = "shared data, flag;
///     thread t0 { data = 1; flag = 1; }
///     thread t1 { local r, s; r = flag; s = data; }";
/// assert_robust!(Format::Fence, text, Model::Tso);
/// ```
///
/// ```should_panic
/// # use fencepost::{Format, Model, assert_robust};
/// # let text = "shared data, flag;
/// #   thread t0 { data = 1; flag = 1; }
/// #   thread t1 { local r, s; r = flag; s = data; }";
/// assert_robust!(Format::Fence, text, Model::Pso);
/// ```
///
/// # Panics
///
/// As [`assert_holds!`].
#[macro_export]
macro_rules! assert_robust {
    ($format:expr, $text:expr, $model:expr $(,)?) => {
        if let Err(report) = $crate::internals::assertions::robust($format, $text, $model, None) {
            panic!("{report}");
        }
    };
    ($format:expr, $text:expr, $model:expr, $entry:expr $(,)?) => {
        if let Err(report) =
            $crate::internals::assertions::robust($format, $text, $model, Some($entry))
        {
            panic!("{report}");
        }
    };
}

/// How much work SAT solvers may have, in bytes of proof: a few minutes. A test should fail rather than
/// run until it is stopped, and it should do so on every machine or on none, so this is no time.
const MOST_WORK: u64 = 1 << 32;

/// The limits of a test.
fn budget() -> Budget {
    Budget::default().with_work(MOST_WORK)
}

/// A text as a program.
///
/// # Errors
///
/// The diagnostics.
fn program(
    format: Format,
    text: &str,
    entry: Option<&str>,
) -> Result<crate::program::Program, String> {
    let options = entry
        .into_iter()
        .fold(ParseOptions::new(), ParseOptions::entry);
    let parsed = parse_with(format, text, &options);
    let shown = parsed.render("program", text, false);
    parsed.program.ok_or(shown)
}

/// Whether the properties of a program hold.
///
/// # Errors
///
/// The report otherwise, or that there is no property.
pub fn holds(format: Format, text: &str, model: Model, entry: Option<&str>) -> Result<(), String> {
    holds_with(format, text, model, entry, &budget())
}

fn holds_with(
    format: Format,
    text: &str,
    model: Model,
    entry: Option<&str>,
    budget: &Budget,
) -> Result<(), String> {
    let program = program(format, text, entry)?;
    if !program.states_property() {
        return Err("the program states no property: nothing would be checked".to_owned());
    }
    let report = crate::check(&program, &CheckOptions::new(model), budget);
    let report = report.map_err(|error| error.to_string())?;
    let source = Source::of(&program).text(text).format(format);
    proved(&report.verdict(), || source.show(&report).to_string())
}

/// Whether a program is robust.
///
/// # Errors
///
/// The report otherwise.
pub fn robust(format: Format, text: &str, model: Model, entry: Option<&str>) -> Result<(), String> {
    let program = program(format, text, entry)?;
    let report = crate::robust(&program, &RobustOptions::new(model), &budget());
    let report = report.map_err(|error| error.to_string())?;
    let source = Source::of(&program).text(text).format(format);
    proved(&report.verdict(), || source.show(&report).to_string())
}

/// Nothing less than a proof for all executions is enough.
fn proved<W>(verdict: &Verdict<W>, report: impl FnOnce() -> String) -> Result<(), String> {
    match verdict {
        Verdict::Holds => Ok(()),
        Verdict::HoldsWithin(_) | Verdict::Violated(_) | Verdict::Unknown(_) => Err(report()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_a_property_does_not_hold() {
        let text = "shared x; thread t { x = 1; }";
        let message = holds(Format::Fence, text, Model::Tso, None).expect_err("nothing to check");
        assert!(message.contains("states no property"), "{message}");
        assert_eq!(robust(Format::Fence, text, Model::Tso, None), Ok(()));
    }

    #[test]
    fn an_answer_within_bounds_is_no_proof() {
        // A counter that grows without end: no engine proves this, and with this little work none finds
        // the violation either.
        let text = "shared x; thread t { loop { x = x + 1; } } forbid x == 1000000;";
        let budget = Budget::default().with_states(1_000).with_work(1_000_000);
        let answer = holds_with(Format::Fence, text, Model::Sc, None, &budget);
        assert!(answer.is_err(), "{answer:?}");
    }
}
