//! The `fencepost` program: everything it does is in [`fencepost::cli`].

fn main() -> ! {
    fencepost::cli::main()
}
