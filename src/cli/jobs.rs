//! How many questions are worked on at once.

use super::{Global, streams};
use std::num::NonZero;
use std::sync::Once;
use std::thread;

/// The number of jobs: what the user asked for, and no more than there are CPUs. More gain nothing,
/// and each would cost a stack. That so many were asked for is said once.
pub(super) fn number(global: &Global) -> usize {
    static SAID: Once = Once::new();
    let cpus = thread::available_parallelism().map_or(1, NonZero::get);
    let (jobs, note) = capped(global.jobs, cpus);
    if let Some(note) = note {
        SAID.call_once(|| streams::complain(&note));
    }
    jobs
}

/// The number of jobs, given the number of CPUs, and what there is to say about it.
fn capped(asked: Option<u16>, cpus: usize) -> (usize, Option<String>) {
    match asked.map(usize::from) {
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
        let note = note.expect("that fewer are used is said");
        assert!(
            note.contains("--jobs 65535") && note.contains('4'),
            "{note}"
        );
    }
}
