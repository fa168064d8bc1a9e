# What is run by hand is what CI runs: `just ci` is `.ci/run`.

# Formatting, lints, documentation.
check:
    cargo fmt --check
    cargo clippy --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --document-private-items

# All tests.
test:
    cargo test

# The expectations of all corpus files, or of those whose path contains the filter.
corpus filter="":
    cargo run --release -- corpus corpus {{filter}} --timeout 60

# The property tests with this many cases each, as fast as what users get, every assertion checked.
props cases="1000":
    PROPTEST_CASES={{cases}} cargo test --profile laws --test suite

# Writes what was found into the corpus files; look at the difference before committing it.
bless:
    cargo run --release -- corpus corpus --bless

# The benchmarks, or those whose name contains the filter.
bench filter="":
    cargo bench -- {{filter}}

# Exactly what CI runs.
ci:
    .ci/run
