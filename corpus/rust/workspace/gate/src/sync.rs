//! Where atomics come from.

#[cfg(loom)]
pub(crate) use loom::sync::atomic::*;
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::*;
