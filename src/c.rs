//! C with threads: C11, POSIX threads, the kernel's macros.
//!
//!   text ──preprocess──▶ tokens ──parse──▶ typed program ──lower──▶ Program

mod headers;
mod hir;
mod lex;
mod library;
mod preprocess;
mod token;
