//! The configuration of property tests: the number of cases, and the files for seeds of failures.

use proptest::test_runner::{Config, FileFailurePersistence};
use std::panic::Location;
use std::path::Path;

/// A configuration with this many cases, unless `PROPTEST_CASES` overrides it. Each calling module has
/// its own file of seeds.
#[track_caller]
pub fn config(cases: u32) -> Config {
    let cases = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(cases);
    let module = Path::new(Location::caller().file()).file_stem();
    let module = module.unwrap_or_default().to_string_lossy();
    // proptest requires a static name; each test leaks one.
    let seeds = Box::leak(format!("proptest-regressions/{module}.txt").into_boxed_str());
    Config {
        cases,
        max_global_rejects: 1 << 20,
        max_shrink_iters: 2000,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(seeds))),
        ..Config::default()
    }
}
