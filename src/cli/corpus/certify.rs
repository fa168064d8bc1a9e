//! `--certify`: a certificate of each answer that was expected.

use crate::certificate::Certificate;
use crate::cli::driver::Session;
use crate::cli::limits::Ended;
use crate::expect;
use crate::formats::Parsed;
use crate::verdict::Defect;
use std::sync::Arc;

/// A certificate of a file of a corpus has at most this many states in one set.
const MOST_STATES: usize = 400_000;

/// The certificate of an answer that was expected; `None` if there can be none.
///
/// # Errors
///
/// An internal error, in words: the answer is contradicted, or the checker refuses the certificate.
pub(super) fn certificate(
    parsed: &Arc<Parsed>,
    index: usize,
    session: &Session,
) -> Result<Option<Certificate>, String> {
    let (parsed, tools) = (Arc::clone(parsed), session.global.tools());
    let limits = session.limits.restarted().without_progress();
    made(limits.run(move |budget| {
        let budget = &budget.with_states(budget.states.min(MOST_STATES));
        expect::certify(&parsed, &parsed.expectations[index], tools, budget)
    }))
}

fn made(ended: Ended<Result<Option<Certificate>, Defect>>) -> Result<Option<Certificate>, String> {
    match ended {
        Ended::Answered(made) | Ended::Stopped(made, _) => {
            made.map_err(|defect| format!("internal error: {defect}"))
        }
        Ended::Panicked => Err("internal error".to_owned()),
        Ended::Abandoned(reason) => Ok(Some(Certificate::None(reason.to_string()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::corpus::totals::Totals;
    use crate::cli::exit::Exit;
    use crate::report::{CorpusFile, CorpusLine, LineResult};
    use crate::verdict::Reason;

    #[test]
    fn what_contradicts_an_answer_is_an_error_and_what_takes_too_long_is_none() {
        let refused = || Err(Defect::new("the checker refuses a certificate"));
        for ended in [
            Ended::Answered(refused()),
            Ended::Stopped(refused(), Reason::Stopped),
            Ended::Panicked,
        ] {
            let error = made(ended).expect_err("it is an internal error");
            assert!(error.starts_with("internal error"), "{error}");
        }
        let late = made(Ended::Abandoned(Reason::Stopped)).expect("no error");
        assert!(matches!(late, Some(Certificate::None(_))));
        assert_eq!(made(Ended::Answered(Ok(None))), Ok(None));
    }

    #[test]
    fn a_file_with_an_internal_error_counts_as_failed() {
        let line = |result: LineResult| CorpusLine {
            number: 1,
            text: "check tso holds".to_owned(),
            kind: "check".into(),
            seconds: None,
            result,
            certificate: None,
        };
        let met = || line(LineResult::Met);
        let file = |lines: Vec<CorpusLine>, defect: bool| CorpusFile {
            lines,
            defect,
            ..CorpusFile::default()
        };
        let mut totals = Totals::default();
        assert_eq!(totals.add(&file(vec![met()], false)), Exit::Holds);
        assert_eq!(totals.add(&file(vec![met()], true)), Exit::Internal);
        let failed = LineResult::failed(
            "holds".to_owned(),
            "internal error: the checker refuses a certificate".to_owned(),
        );
        assert_eq!(
            totals.add(&file(vec![met(), line(failed)], true)),
            Exit::Internal
        );
        assert_eq!(
            totals.to_string(),
            "3 files, 2 failed: 3 expectations met, 1 missed"
        );
    }
}
