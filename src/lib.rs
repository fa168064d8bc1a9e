//! Fencepost: what does the machine's store buffer do to this program?
//!
//! # The trick
//!
//! A program becomes a formula **once**. Everything that one may want to vary afterwards is a
//! *switch*: an assumption literal with a meaning, such as "stores stay before later loads", "a
//! fence stands here", "nobody runs past the unrolling of this loop". A question is a set of
//! switches. The answer is a model, which becomes an execution, or a *core*: the switches that the
//! "no" needed. What is missing from a core says as much as the verdict: a core without a frontier
//! is a proof for every number of iterations, and not only for those that were unrolled.
//!
//! ```text
//!   text ──formats─▶ Program ──analysis──▶ widths, aliases, slices, loops
//!                       │                        │
//!                       │                     unroll ──▶ copies ──encode──▶ events ──▶ clauses
//!                       │                                                     │ (cnf)    │
//!                       ▼                                                     ▼          ▼
//!                    explicit ◀──replay── trace ◀──model── reach ◀──answer, core──── solve
//!                       │                                    │
//!                       └────── states, runs ──▶ engines ◀───┘
//!                                                   │
//!                  attacks, each a program ──▶ robustness
//!                                                   │
//!            delays, each an extended program ──▶ lazy ──▶ check
//!                                                   │
//!         places, each a change of a program ──▶ fences
//!                                                   │
//!                                       Verdict ────┴──▶ report ──▶ cli
//! ```
//!
//! The memory models are defined twice, in two styles: as buffers that delay stores (`explicit`),
//! and as an order of events in memory (`encode`). A computation that the formula claims is run
//! through the buffers before anybody sees it.
//!
//! ```
//! use fencepost::{Budget, CheckOptions, Model, Verdict, check, parse};
//!
//! let text = "shared x, y;
//!     thread t0 { local r; x = 1; r = y; }
//!     thread t1 { local r; y = 1; r = x; }
//!     final assert t0.r == 1 || t1.r == 1;";
//! let program = parse(text).program.expect("no errors in the text");
//! let ask = |model| check(&program, &CheckOptions::new(model), &Budget::default());
//! assert!(matches!(ask(Model::Sc)?.verdict(), Verdict::Holds));
//! assert!(matches!(ask(Model::Tso)?.verdict(), Verdict::Violated(_)));
//! # Ok::<(), fencepost::verdict::Defect>(())
//! ```
//!
//! # The rooms, bottom up
//!
//! | room | is about |
//! |---|---|
//! | [`program`] | threads as automata over registers and shared cells; the builder is the only way in |
//! | [`model`] | SC, TSO, PSO, PGAS: which pairs of a thread's accesses are kept in order |
//! | [`verdict`] | what was decided, for which executions, and why not more; budgets |
//! | [`visible`] | text from outside, made safe to show |
//! | `text` | what all input languages share: diagnostics, expectations, edits, the trait of front ends |
//! | `native`, `litmus`, `trencher` | the front ends: texts to programs, and changes of a program back into its text |
//! | [`formats`] | the table of input languages |
//! | [`explicit`] | the step-by-step reference: replay, and exploration of all configurations |
//! | [`analysis`] | sound facts about all executions: values, aliases, loops, spins, slices |
//! | `cnf` | gates, numbers and acyclic orders as clauses: pure logic |
//! | [`solve`] | the only room that names a solver: sessions, confirmed cores, proofs |
//! | `unroll` | which copies of a location there are when loops are followed so many times |
//! | [`encode`] | program to events to clauses, with the dictionary back |
//! | [`trace`] | from a model of the formula to an execution that the reference accepts |
//! | [`reach`] | the one door: an open question, asked again under other switches and depths |
//! | `engines` | goals of a program under a model, by modelling every buffer |
//! | [`robustness`] | attacks, asked of derived programs under SC or of the event graph directly |
//! | [`lazy`] | goals under TSO by questions under SC, buffers only where they matter |
//! | [`check`](mod@check) | all goals of a program under a model, by the engine that suits; the answer to a litmus test |
//! | [`fences`] | cheapest sets of fences, for robustness and for properties |
//! | [`expect`] | what a corpus file says must come out, compared with what does |
//! | [`report`] | answers as people and machines read them: decided once, then written in any format |
//! | [`cli`] | arguments, files, colour, clock: the only room with input and output |
//!
//! Calls go up this table only, from a room to those above its line; `tests/suite/tidy.rs` holds it.
//!
//! # What does not happen here
//!
//! 1. `explicit` shares nothing with the SAT road but the program type, the models' names and the
//!    verdicts. It is the second opinion.
//! 2. No trace is returned that `explicit` has not replayed. One that does not replay is a defect
//!    with an exit code of its own, never a verdict.
//! 3. No room but `cli` reads the clock, the environment, the disk, a terminal or a global. Limits
//!    arrive as a [`Budget`].
//! 4. Same input, same output, byte for byte: nothing iterates over a hash map where order shows,
//!    and no race decides an answer.
//! 5. Names are for people: no code decides anything by looking at a string that other code made.
//! 6. No literal above `reach`, and no solver above `solve`.
//! 7. No core leaves `solve` that a second call has not confirmed, and no "no" for all
//!    iterations leaves `reach` without a proof that a checker has followed, of a formula that has an
//!    execution.
//! 8. A new instruction is a compile error everywhere it matters: there are no wildcard arms over
//!    our own enums.
//! 9. A bounded "no" is never called a proof: [`Verdict::HoldsWithin`] names the loops that were
//!    cut.
//!
//! **Absent.** Threads in any number of copies: read, not decided. Input languages other than our own,
//! Trencher's, and litmus tests for x86 and in C. Models without store atomicity.
//!
//! # Bibliography
//!
//! * \[BDM13\] A. Bouajjani, E. Derevenetc, R. Meyer. Checking and Enforcing Robustness against TSO.
//!   ESOP 2013, and its extended version.
//! * \[JK15\] S. Joshi, D. Kroening. Property-Driven Fence Insertion Using Reorder Bounded Model
//!   Checking. FM 2015.
//! * \[BCDM15\] A. Bouajjani, G. Calin, E. Derevenetc, R. Meyer. Lazy TSO Reachability. FASE 2015.
//! * \[DMS17\] E. Derevenetc, R. Meyer, S. Schweizer. Locality and Singularity for Store-Atomic
//!   Memory Models. NETYS 2017.
//! * \[Owens10\] S. Owens. Reasoning about the Implementation of Concurrency Abstractions on
//!   x86-TSO. ECOOP 2010.
//! * \[Bou93\] F. Bourdoncle. Efficient Chaotic Iteration Strategies with Widenings. FMPA 1993.

pub mod analysis;
#[allow(
    dead_code,
    reason = "no format reads C yet: the parts are made one by one"
)]
mod c;
pub mod check;
pub mod cli;
mod cnf;
pub mod encode;
mod engines;
pub mod expect;
pub mod explicit;
pub mod fences;
pub mod formats;
pub mod lazy;
mod litmus;
pub mod model;
mod native;
pub mod program;
pub mod reach;
pub mod report;
pub mod robustness;
pub mod solve;
mod text;
pub mod trace;
mod trencher;
mod unroll;
pub mod verdict;
pub mod visible;

pub use check::{CheckOptions, CheckReport, Engine, check};
pub use explicit::Run;
pub use formats::parse;
pub use model::Model;
pub use program::{Goal, Program, ProgramBuilder};
pub use solve::SolverKind;
pub use verdict::{Budget, Verdict};
