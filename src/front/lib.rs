//! The languages that Fencepost reads and writes: texts to programs, and changes of programs to texts.
//!
//! ```text
//!   .fence ──▶ native ─────────────────────────────┐
//!   .c     ──▶ c ──────┐                           │
//!   .rs    ──▶ rust ───┴──▶ typed program ──lower──┼──▶ Program
//!   .litmus ─▶ litmus  (threads in C by `c`) ──────┤
//!   .txt   ──▶ trencher ───────────────────────────┘
//! ```
//!
//! | module | is about |
//! |---|---|
//! | [`text`] | what all input languages share: diagnostics, expectations, edits, the trait of front ends |
//! | [`lower`] | the typed program of C and Rust, and its way to automata and back |
//! | `c` | the front end of C: texts to typed programs |
//! | `native`, `litmus`, `trencher` | the other front ends |
//! | `rust` | the front end of Rust: texts to typed programs |
//! | [`formats`] | the table of input languages |
//! | [`error`] | the one error type of the public interface |
//!
//! The features `c`, `litmus`, `rust` and `trencher` are the languages that are read beside Fencepost's own. The table
//! of languages lists all of them in any build; a text in one that is left out is an error that names its feature.
//!
//! This crate is a part of `fencepost`, which is the interface for users: no promise of stability here.

#![cfg_attr(
    not(all(feature = "litmus", feature = "rust", feature = "trencher")),
    allow(
        dead_code,
        unused_imports,
        reason = "what languages share, and those that are left out need"
    )
)]
#![allow(
    rustdoc::private_intra_doc_links,
    reason = "the pages of this crate are for contributors, who build them with private items"
)]

#[cfg(feature = "c")]
mod c;
pub mod error;
pub mod formats;
#[cfg(feature = "litmus")]
mod litmus;
#[cfg(any(feature = "c", feature = "rust"))]
pub mod lower;
mod native;
#[cfg(feature = "rust")]
mod rust;
pub mod text;
#[cfg(feature = "trencher")]
mod trencher;

use fencepost_base::{model, program, verdict, visible};
#[cfg(test)]
use fencepost_engines::search;
use fencepost_facts as facts;
#[cfg(test)]
use fencepost_reference as reference;
