//! The `fencepost` program: everything it does is in the module `cli` of the library.

fn main() -> ! {
    fencepost::internals::cli::main()
}
