//! `cargo fencepost`: everything it does is in the module `cli` of the library.

fn main() -> ! {
    fencepost::internals::cli::cargo_main()
}
