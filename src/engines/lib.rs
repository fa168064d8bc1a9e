//! How Fencepost decides: reachability under a memory model, robustness, cheapest fences.
//!
//! | module | is about |
//! |---|---|
//! | `work` | the one unit in which everything is limited, and how much is how long |
//! | [`search`] | reduced exploration of the configurations of the reference |
//! | [`cnf`] | gates, numbers and acyclic orders as clauses: pure logic |
//! | [`solve`] | the only module that names a solver: sessions, confirmed cores, proofs |
//! | [`unroll`] | which copies of a location there are when loops are followed up to N times |
//! | [`encode`] | program to events to clauses, with the dictionary back |
//! | [`trace`] | from a model of the formula to an execution that the reference accepts |
//! | [`reach`] | the one way to query a formula, under any switches and unroll bounds |
//! | [`views`] | goals that no number of copies of a thread reaches under SC |
//! | [`induction`] | the inductive engine: proofs for all executions under SC by IC3 |
//! | [`techniques`] | what can be switched off: passes, reductions, static arguments |
//! | [`problem`] | what is asked, and what is answered |
//! | `race` | engines that get work in turn, in slices that grow |
//! | [`passes`] | what makes a problem easier, with the same answers |
//! | [`engines`] | goals of a program under a model, by modelling every buffer |
//! | [`instances`] | questions about any number of copies: instances from below, views from above |
//! | [`robustness`] | attacks, decided on derived programs under SC or on the event graph directly |
//! | [`lazy`] | goals under TSO by queries under SC, buffers only where they matter |
//! | [`check`] | all goals of a program under a model, by the engine that suits |
//! | [`fences`] | cheapest sets of fences, for robustness and for properties |
//! | `options`, `reports` | the methods that set options, and those that read answers |
//!
//! Calls go up this table only, from a module to those above its line.
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
pub mod instances;
pub mod lazy;
mod options;
pub mod passes;
pub mod problem;
mod race;
pub mod reach;
mod reports;
pub mod robustness;
pub mod search;
pub mod solve;
pub mod techniques;
pub mod trace;
pub mod unroll;
pub mod views;
mod work;

use fencepost_base::{model, program, verdict};
use fencepost_facts as facts;
#[cfg(test)]
use fencepost_front::formats;
use fencepost_reference as reference;
