//! How property tests are run: how many cases, and where failures are kept as seeds.

use proptest::test_runner::{Config, FileFailurePersistence};
use std::panic::Location;
use std::path::Path;

/// So many cases, unless `PROPTEST_CASES` says otherwise. Seeds are kept in a file of the calling
/// module's own.
#[track_caller]
pub fn config(cases: u32) -> Config {
    let cases = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(cases);
    let module = Path::new(Location::caller().file()).file_stem();
    let module = module.unwrap_or_default().to_string_lossy();
    // proptest wants a name that lives as long as the process, of which each test needs one.
    let seeds = Box::leak(format!("proptest-regressions/{module}.txt").into_boxed_str());
    Config {
        cases,
        max_global_rejects: 1 << 20,
        max_shrink_iters: 2000,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(seeds))),
        ..Config::default()
    }
}
