//! Laws of programs that were parsed. The front ends depend on this crate, so they are outside of it.

#![allow(clippy::expect_used, reason = "a text that is not read has failed")]

mod blocks;
mod builder;
mod computed;
mod instance;
mod update;
