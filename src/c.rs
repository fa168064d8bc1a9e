//! C with threads: C11, POSIX threads, the kernel's macros.
//!
//!   text ──preprocess──▶ tokens ──parse──▶ typed program ──lower──▶ Program

mod check;
mod hir;
mod library;
mod parse;
mod token;
