//! The number of parallel jobs.

use super::{Global, streams};
use std::num::NonZero;
use std::sync::Once;
use std::thread;

/// The number of jobs: as requested, but at most the number of CPUs. More jobs would gain nothing, and
/// each would cost a stack. Warns once if too many were requested.
pub(super) fn number(global: &Global) -> usize {
    static WARNED: Once = Once::new();
    let cpus = thread::available_parallelism().map_or(1, NonZero::get);
    let (jobs, note) = capped(global.jobs, cpus);
    if let Some(note) = note {
        WARNED.call_once(|| streams::print_message(&note));
    }
    jobs
}

/// The number of jobs, given the number of CPUs, with a warning if it was capped.
fn capped(requested: Option<u16>, cpus: usize) -> (usize, Option<String>) {
    match requested.map(usize::from) {
        None => (cpus, None),
        Some(jobs) if jobs <= cpus => (jobs, None),
        Some(jobs) => {
            let note = format!("warning: `--jobs {jobs}` is capped at the number of CPUs, {cpus}");
            (cpus, Some(note))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_no_more_jobs_than_cpus() {
        assert_eq!(capped(None, 4), (4, None));
        assert_eq!(capped(Some(1), 4), (1, None));
        assert_eq!(capped(Some(4), 4), (4, None));
        let (jobs, note) = capped(Some(u16::MAX), 4);
        assert_eq!(jobs, 4);
        let note = note.expect("a cap is reported");
        assert!(
            note.contains("--jobs 65535") && note.contains('4'),
            "{note}"
        );
    }
}
