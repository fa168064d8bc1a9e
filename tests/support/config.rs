//! How property tests are run: how many cases, and where failures are kept as seeds.

use proptest::test_runner::{Config, FileFailurePersistence};

/// So many cases, unless `PROPTEST_CASES` says otherwise. Seeds are kept in a file of the test
/// binary's own.
pub fn config(cases: u32) -> Config {
    let cases = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(cases);
    Config {
        cases,
        max_global_rejects: 1 << 20,
        max_shrink_iters: 2000,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(concat!(
            "proptest-regressions/",
            env!("CARGO_CRATE_NAME"),
            ".txt"
        )))),
        ..Config::default()
    }
}
