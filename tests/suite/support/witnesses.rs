//! Trace-robustness by its definitions, for comparison with faster roads.
//!
//! Nothing here knows a formula or an instrumented program. Computations are built step by step,
//! and the reference's `Replay` decides which steps are legal.
//!
//! * [`robust`]: no computation has a cyclic happens-before relation [BDM13, Lemma 1];
//! * [`feasible_attacks`]: the attacks that have a witness [BDM13, Definition 1],
//!   [DMS17, Proposition 2], each [`witnesses`] with one;
//! * [`check_witness`]: whether a given computation is one;
//! * [`every_computation`]: without any reduction, to test the three above on tiny programs.
//!
//! A computation ends with empty buffers and outside atomic blocks. An atomic block is one node of
//! happens-before. Programs are small and have no loops that go on for ever; a search that takes
//! more steps than it is allowed says so by returning nothing. With `barrier all` in a program the
//! attacks are still those of the definition, but nobody has proved that they are enough.
//!
//! ```text
//!   tau1 . isu(stA) . tau2 . last . tau3 . stA . tau4         [BDM13, Fig. 4]
//! ```
//!
//! (W1) the attacker alone delays; (W2) `stA` is the first store that it delays and `last` the last
//! instruction that it executes; (W3) every access of tau3 happens after `last` by way of those in
//! between, and so does `stA`; (W4) tau4 is what the attacker still has to move; (W5) `last` is
//! not answered by the buffer. Under TSO `last` is a load, else a load or a store that reaches
//! memory at once.

#[path = "witnesses/attacks.rs"]
mod attacks;
#[path = "witnesses/check.rs"]
mod check;
#[path = "witnesses/course.rs"]
mod course;
#[path = "witnesses/cycles.rs"]
mod cycles;
#[path = "witnesses/dependence.rs"]
mod dependence;

pub use attacks::{Attack, feasible_attacks, witnesses};
pub use check::check_witness;
pub use cycles::{every_computation, robust};
