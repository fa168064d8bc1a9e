//! Trace-robustness by its definitions, for comparison with faster methods.
//!
//! Nothing here uses a formula or an instrumented program. Computations are built step by step, and the
//! reference's `Replay` decides which steps are legal.
//!
//! * [`robust`]: no computation has a cyclic happens-before relation [BDM13, Lemma 1];
//! * [`feasible_attacks`]: the attacks that have a witness [BDM13, Definition 1],
//!   [DMS17, Proposition 2]; [`witnesses`] returns each with one;
//! * [`check_witness`]: whether a given computation is a witness;
//! * [`every_computation`]: without any reduction, to test the three above on tiny programs.
//!
//! A computation ends with empty buffers and outside atomic blocks. An atomic block is one node of
//! happens-before. Programs are small and have no endless loops; a search that exceeds its number of
//! steps returns `None`. With `barrier all` in a program the attacks are still those of the definition,
//! but it is not proved that they suffice.
//!
//! ```text
//!   tau1 . isu(stA) . tau2 . last . tau3 . stA . tau4         [BDM13, Fig. 4]
//! ```
//!
//! (W1) only the attacker delays stores; (W2) `stA` is the first store that it delays and `last` the
//! last instruction that it executes; (W3) every access of tau3, and `stA`, happens after `last` through
//! accesses in between; (W4) tau4 consists of the attacker's remaining buffer moves; (W5) `last` is not
//! served by the buffer. Under TSO `last` is a load, otherwise a load or a store that reaches memory at
//! once.

#[path = "witnesses/attacks.rs"]
mod attacks;
#[path = "witnesses/check.rs"]
mod check;
#[path = "witnesses/cycles.rs"]
mod cycles;
#[path = "witnesses/dependence.rs"]
mod dependence;
#[path = "witnesses/partial.rs"]
mod partial;

pub use attacks::{Attack, feasible_attacks, witnesses};
pub use check::check_witness;
pub use cycles::{every_computation, robust};
