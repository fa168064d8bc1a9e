//! How Fencepost decides: reachability under a memory model, robustness, cheapest fences.
//!
//! This crate is a part of `fencepost`, which is the interface for users: no promise of stability here.

#![allow(
    rustdoc::private_intra_doc_links,
    reason = "the pages of this crate are for contributors, who build them with private items"
)]

pub mod check;
pub mod cnf;
pub mod encode;
pub mod engines;
pub mod fences;
pub mod induction;
pub mod lazy;
mod options;
pub mod reach;
mod reports;
pub mod robustness;
pub mod search;
pub mod solve;
pub mod trace;
pub mod unroll;
pub mod views;

use fencepost_base::{model, program, verdict};
use fencepost_facts as facts;
#[cfg(test)]
use fencepost_front::formats;
use fencepost_reference as reference;
