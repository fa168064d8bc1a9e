//! `once_cell`: what `std` has by other names.

pub mod sync {
    pub use super::super::sync::{LazyLock as Lazy, OnceLock as OnceCell};
}

pub mod unsync {
    pub use super::super::cell::{LazyCell as Lazy, OnceCell};
}
