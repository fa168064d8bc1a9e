//! Words of 64 bits on a machine whose cells have 32.

#[allow(
    dead_code,
    unused_imports,
    reason = "arithmetic comes before what computes with it"
)]
mod pairs;
