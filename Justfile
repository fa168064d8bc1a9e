# Developer commands. `just ci` runs exactly what CI runs (`.ci/run`).

# Check formatting, lints and documentation.
check:
    cargo fmt --all --check
    cargo clippy --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --document-private-items

# Run all tests.
test:
    cargo test

# Make the archive that a release has for a target (this machine's): binaries linked as a whole, manual, completions.
dist target="":
    .ci/dist {{target}}

# Check the expectations of all corpus files, or of those whose path contains the filter.
corpus filter="":
    cargo run --release -- corpus corpus {{filter}} --timeout 60

# Run the property tests with this many cases each, optimised like a release, with all assertions.
props cases="1000":
    PROPTEST_CASES={{cases}} cargo test --profile laws --test suite

# Write the actual results into the corpus files; review the diff before committing it.
bless:
    cargo run --release -- corpus corpus --bless

# Look at pages and pictures in a browser (needs chromium and puppeteer-core); pictures of them are in the folder.
browse out="target/browse":
    cargo build
    .ci/browse {{out}}

# Run the benchmarks, or those whose name contains the filter.
bench filter="":
    cargo bench -- {{filter}}

# Run exactly what CI runs.
ci:
    .ci/run
