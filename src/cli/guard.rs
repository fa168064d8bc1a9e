//! Panics: a defect that the work on one file meets does not end the work on the others.
//!
//! Engines run on threads of their own, where panics are caught (`limits`). Everything else that is done
//! for a file, such as reports, is guarded here.

use super::exit::Exit;
use super::streams;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does the work for one file. What it leaves half done is only of that file.
///
/// # Errors
///
/// [`Exit::Internal`] if it panics; the panic has been reported.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Exit> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        streams::report_panic(payload.as_ref());
        Exit::Internal
    })
}

/// [`guarded`], of work that fails with an exit code.
///
/// # Errors
///
/// As [`guarded`], and those of the work.
pub(super) fn guarded_result<T>(work: impl FnOnce() -> Result<T, Exit>) -> Result<T, Exit> {
    guarded(work).and_then(|result| result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_internal_error_of_its_file_and_the_others_are_answered() {
        let files = ["good", "broken", "open"];
        let exits = files.map(|file| {
            guarded_result(|| match file {
                "good" => Ok(Exit::Holds),
                "open" => Err(Exit::Undecided),
                other => panic!("{other}"),
            })
        });
        assert_eq!(
            exits,
            [Ok(Exit::Holds), Err(Exit::Internal), Err(Exit::Undecided)]
        );
        let all = exits.map(|exit| exit.unwrap_or_else(|exit| exit));
        assert_eq!(
            all.into_iter().fold(Exit::Holds, Exit::worst),
            Exit::Internal
        );
    }
}
