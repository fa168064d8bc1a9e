//! Random C programs with several threads, their text, and a machine of their own that executes them.
//!
//! A program is a tree ([`ast`]) that is drawn at random ([`make`]), written as C ([`print`]), and
//! translated into the code of a stack machine ([`compile`]), which visits all states with store
//! buffers ([`machine`]). None of this is shared with the front end or the engines: the meaning of each
//! operation is defined here a second time, and a pointer is the number of a cell.

#![allow(
    clippy::wildcard_enum_match_arm,
    clippy::unused_self,
    reason = "each part of the machine treats some operations and hands on all others; a wrong one panics"
)]

pub mod ast;
mod compile;
mod machine;
mod make;
mod print;
mod words;

pub use compile::compile;
pub use machine::{Kind, Outcome, explore};
pub use make::{draft, draft_that_waits};
pub use print::{Text, print};
