//! Fencepost checks concurrent programs on machines that buffer stores (TSO, PSO, PGAS): whether
//! assertions hold, whether the buffers matter at all, and which fences repair the program.
//!
//! Three functions answer these questions, each with options of its own and under a [`Budget`].
//! Programs are [parsed](parse) from a text or [built](program::ProgramBuilder). Verdicts about all executions
//! ([`Verdict::Holds`]) and about those within bounds ([`Verdict::HoldsWithin`]) are never mixed up.
//!
//! # Do the assertions hold?
//!
//! ```
//! use fencepost::{Budget, CheckOptions, Model, Source, Verdict, check, parse};
//!
//! let text = "shared x, y;
//!     thread t0 { local r; x = 1; r = y; }
//!     thread t1 { local r; y = 1; r = x; }
//!     final assert t0.r == 1 || t1.r == 1;";
//! let program = parse(text).into_program()?;
//! let report = check(&program, &CheckOptions::new(Model::Tso), &Budget::default())?;
//! assert!(matches!(report.verdict(), Verdict::Violated(_)));
//! println!("{}", Source::of(&program).text(text).show(&report));
//! # Ok::<(), fencepost::Error>(())
//! ```
//!
//! The evidence of a violation is an execution, which [`Source::steps`] lists step by step:
//!
//! ```
//! # use fencepost::{Budget, CheckOptions, Model, Source, check, parse};
//! # let text = "shared x; thread t0 { x = 7; } thread t1 { local r; r = x; assert(r == 0); }";
//! # let program = parse(text).into_program()?;
//! # let report = check(&program, &CheckOptions::new(Model::Sc), &Budget::default())?;
//! let run = report.run().expect("the assertion fails");
//! for step in Source::of(&program).steps(run) {
//!     println!("{} {:?} {} {:?}", step.thread, step.line, step.text, step.value);
//! }
//! # assert!(Source::of(&program).steps(run).any(|step| step.thread == "t1" && step.value == Some(7)));
//! # Ok::<(), fencepost::Error>(())
//! ```
//!
//! # Do store buffers matter?
//!
//! A program is *robust* if a weak memory model adds no behaviour to those under sequential
//! consistency. That needs no assertions:
//!
//! ```
//! use fencepost::{Budget, Model, RobustOptions, Verdict, parse, robust};
//!
//! let text = "shared x, y;
//!     thread t0 { local r; x = 1; fence; r = y; }
//!     thread t1 { local r; y = 1; r = x; }";
//! let program = parse(text).into_program()?;
//! let report = robust(&program, &RobustOptions::new(Model::Tso), &Budget::default())?;
//! assert!(matches!(report.verdict(), Verdict::Violated(_)));
//! let culprits: Vec<_> = report.feasible().map(|(attack, _)| attack.thread).collect();
//! assert_eq!(culprits, [program.find_thread("t1").expect("`t1` is declared")]);
//! # Ok::<(), fencepost::Error>(())
//! ```
//!
//! # Which fences repair the program?
//!
//! ```
//! use fencepost::{Aim, Budget, FenceOptions, Format, Model, cheapest_fences, parse, rewrite_as};
//!
//! let text = "shared x, y;
//!     thread t0 { local r; x = 1; fence; r = y; }
//!     thread t1 { local r; y = 1; r = x; }";
//! let program = parse(text).into_program()?;
//! let options = FenceOptions::new(Model::Tso, Aim::Robustness);
//! let report = cheapest_fences(&program, &options, &Budget::default())?;
//! let changes = report.changes(&program).expect("a fence in `t1` is enough");
//! let fenced = rewrite_as(Format::Fence, text, &program, &changes)?;
//! assert!(fenced.contains("y = 1; fence; r = x;"));
//! # Ok::<(), fencepost::Error>(())
//! ```
//!
//! # In property tests
//!
//! Programs that a [`ProgramBuilder`](program::ProgramBuilder) makes can be drawn at random, so laws about verdicts can be
//! tested, with `proptest` or any other generator:
//!
//! ```
//! use fencepost::program::{Copies, Expr, Fence, Op, Origin, ProgramBuilder};
//! use fencepost::{Budget, Error, Model, RobustOptions, Verdict, robust};
//!
//! /// Two threads that store to one cell and load another, with or without a fence in between.
//! fn is_robust(fences: [bool; 2]) -> Result<bool, Error> {
//!     let mut builder = ProgramBuilder::new("store buffering");
//!     let cells = [builder.cell("x", 0), builder.cell("y", 0)];
//!     for (thread, fence) in fences.into_iter().enumerate() {
//!         let [mine, other] = [cells[thread], cells[1 - thread]].map(|cell| Expr::Const(cell.0));
//!         let id = builder.thread(format!("t{thread}"), Copies::One, Origin::default());
//!         let into = builder.register(id, "r", 0);
//!         let store = Op::Store { addr: mine, value: Expr::Const(1) };
//!         let between = if fence { Op::Fence(Fence::Full) } else { Op::Skip };
//!         let mut here = builder.location(id, Origin::default());
//!         builder.entry(id, here);
//!         for op in [store, between, Op::Load { into, addr: other }] {
//!             let next = builder.location(id, Origin::default());
//!             builder.instruction(id, here, op, next, Origin::default());
//!             here = next;
//!         }
//!     }
//!     let program = builder.build()?;
//!     let report = robust(&program, &RobustOptions::new(Model::Tso), &Budget::default())?;
//!     Ok(matches!(report.verdict(), Verdict::Holds))
//! }
//!
//! // proptest!(|(a: bool, b: bool)| prop_assert_eq!(is_robust([a, b])?, a && b));
//! for [a, b] in [[false, false], [false, true], [true, false], [true, true]] {
//!     assert_eq!(is_robust([a, b])?, a && b);
//! }
//! # Ok::<(), Error>(())
//! ```
//!
//! # Features
//!
//! A crate that uses Fencepost in its tests needs no command line, and few languages. `default-features = false` leaves
//! out both, and a third of the time to compile; the languages other than Fencepost's own are features:
//!
//! | feature | is about |
//! |---|---|
//! | `c` | programs in [C](guide::c) |
//! | `litmus` | [litmus tests](guide::formats) in x86 assembly and in C; includes `c` |
//! | `rust` | programs and tests in [Rust](guide::rust) |
//! | `trencher` | [Trencher's automata](guide::formats) |
//! | `parallel` | queries that do not depend on one another are made on all processors |
//! | `cli` (default) | the command line; includes all of these |
//! | `cadical` | the solver `CaDiCaL` beside varisat; needs a C++ compiler |
//!
//! [`Format`] lists all languages in any build. A text in one that is left out is an error that names its feature.
//!
//! # For contributors
//!
//! ## The idea
//!
//! A program becomes a formula **once**. Everything that may vary afterwards is a *switch*: an
//! assumption literal with a meaning, such as "stores stay before later loads", "there is a fence
//! here", "no execution runs past the unrolling of this loop". A query is a set of switches. The
//! answer is a model, which becomes an execution, or a *core*: the switches that the "no" needed. The
//! switches that are not in the core matter, too: a core without the end of any unrolling is a proof
//! for every number of iterations, and not only for those that were unrolled.
//!
//! ```text
//!   text ──front──▶ Program ──facts──▶ widths, aliases, slices, loops, symmetry
//!                      │                       │
//!                      │                    unroll ──▶ copies ──encode──▶ events ──▶ clauses
//!                      │                                                    │ (cnf)    │
//!                      ▼                                                    ▼          ▼
//!                   reference ◀──replay── trace ◀──model── reach ◀──answer, core──── solve
//!                      │                                   │
//!                      └─ rules ─▶ search ──▶ engines ◀────┘      (a problem goes through `passes` first)
//!                                               │
//!                 attacks, each a program ──▶ robustness
//!                                               │
//!           delays, each an extended program ──▶ lazy ──▶ check
//!                                               │
//!        places, each a change of a program ──▶ fences
//!                                               │
//!                                   Verdict ────┴──▶ report ──▶ cli
//! ```
//!
//! The memory models are defined twice, in two styles: as buffers that delay stores (`reference`),
//! and as an order of events in memory (`encode`). A computation that the formula claims is replayed
//! through the buffers before it is returned.
//!
//! ## The crates, bottom up
//!
//! Each is a folder below `src`, published as `fencepost-NAME`; its `lib.rs` has the map of its modules.
//!
//! | crate | is about | uses |
//! |---|---|---|
//! | `base` | [programs](program), memory models, verdicts, text made safe to show | |
//! | `verify` | the checker of [certificates](verify) | nothing of the others |
//! | `reference` | the memory models step by step: replay, happens-before, waiting, all configurations | `base` |
//! | `facts` | sound facts about all executions: values, aliases, loops, spins, waits, slices, symmetry | `base` |
//! | `front` | the languages: C, Rust, litmus tests, automata, Fencepost's own | `base`, `facts` |
//! | `engines` | search, formulas, induction, views; robustness and fences | `base`, `facts`, `reference` |
//! | `test` | the attribute `#[fencepost::test]`, a test that `cargo-fencepost` checks | nothing of the others |
//!
//! and this package, whose modules are
//!
//! | module | is about |
//! |---|---|
//! | [`guide`] | what users need to know, a page for each topic |
//! | `races` | warnings about data races of a text |
//! | `litmus` | the answer to a litmus test |
//! | `certificate` | evidence of answers for all executions that others can check |
//! | `verbs` | the public functions |
//! | `expect` | the expected results in a corpus file, compared with the actual ones |
//! | `report` | answers for people and machines: decided once, then written in any format |
//! | `assertions` | macros for the tests of other crates |
//! | `cli` | arguments, files, colour, clock: the only module with input and output |
//!
//! The compiler holds the order of the crates; within a crate, calls go up its table only, which
//! `tests/suite/tidy.rs` checks. Our own laws use `internals`.
//!
//! ## Architecture rules
//!
//! 1. `reference` shares nothing with the engines but the program type, the models' names and the
//!    verdicts. It is the second opinion. The search that uses its rules may explore a slice of the program
//!    instead, and what it finds there is replayed on the program itself.
//! 2. No trace is returned that `reference` has not replayed. One that does not replay is a bug of
//!    Fencepost with an exit code of its own, never a verdict.
//! 3. No module but `cli` reads the clock, the environment, the disk, a terminal or a global. Limits
//!    arrive as a [`Budget`].
//! 4. Same input, same output, byte for byte: nothing iterates over a hash map where order shows,
//!    and no race decides an answer.
//! 5. Names are for people: no code decides anything by looking at a string that other code made.
//! 6. No literal above `reach` and `induction`, and no solver above `solve`.
//! 7. No core leaves `solve` that a second call has not confirmed, and no "no" for all
//!    iterations leaves `reach` or `induction` without a proof that a checker has followed, of a formula that has an
//!    execution.
//! 8. A new instruction is a compile error everywhere it matters: there are no wildcard arms over
//!    our own enums.
//! 9. A bounded "no" is never called a proof: [`Verdict::HoldsWithin`] names the loops that were
//!    cut.
//!
//! **Absent.** Input languages other than our own, Trencher's, C, Rust, and litmus tests for x86 and in
//! C. Models without store atomicity.
//!
//! ## Bibliography
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
//! * \[Bradley11\] A. Bradley. SAT-Based Model Checking without Unrolling. VMCAI 2011.
//! * \[EMB11\] N. Een, A. Mishchenko, R. Brayton. Efficient Implementation of Property Directed
//!   Reachability. FMCAD 2011.
//! * \[HBS13\] Z. Hassan, A. Bradley, F. Somenzi. Better Generalization in IC3. FMCAD 2013.
//! * \[Bou93\] F. Bourdoncle. Efficient Chaotic Iteration Strategies with Widenings. FMPA 1993.

#![cfg_attr(
    not(feature = "cli"),
    allow(
        dead_code,
        reason = "parts of reports that the formats of the command line read"
    )
)]

mod assertions;
mod certificate;
#[cfg(feature = "cli")]
mod cli;
mod expect;
pub mod guide;
mod litmus;
mod races;
mod report;
mod verbs;

pub use fencepost_base::program;
#[doc(inline)]
pub use fencepost_verify as verify;

use fencepost_base::{model, verdict, visible};
use fencepost_engines::{check, fences, induction, lazy, robustness, search, solve, techniques};
#[cfg(feature = "cli")]
use fencepost_engines::{encode, reach};
use fencepost_facts as facts;
use fencepost_front::{error, formats, text};
use fencepost_reference as reference;

/// What the crate's own laws (`tests/`, `benches/`), its program and its macros reach: no promise of
/// stability.
#[doc(hidden)]
pub mod internals {
    pub use fencepost_base::{model, verdict, visible};
    pub use fencepost_engines::{
        check, encode, fences, induction, lazy, reach, robustness, search, solve, techniques,
        trace, views,
    };
    pub use fencepost_facts as facts;
    pub use fencepost_front::{error, formats, text};
    pub use fencepost_reference as reference;

    /// The modules of this package.
    macro_rules! own {
        ($($module:ident)*) => {
            $(pub mod $module {
                pub use crate::$module::*;
            })*
        };
    }
    own! { assertions certificate expect litmus races report }
    #[cfg(feature = "cli")]
    own! { cli }
}

#[doc(inline)]
pub use check::{CheckOptions, CheckReport, Engine};
pub use error::Error;
#[doc(inline)]
pub use fences::{FenceOptions, FenceReport};
#[doc(inline)]
pub use formats::{Format, parse, parse_as, rewrite_as};
#[doc(inline)]
pub use model::Model;
pub use program::{Aim, Program};
#[doc(inline)]
pub use reference::Run;
#[doc(inline)]
pub use report::Source;
#[doc(inline)]
pub use robustness::{RobustOptions, RobustReport};
pub use verbs::{cheapest_fences, check, check_litmus, check_under_sc, robust};
#[doc(inline)]
pub use verdict::{Budget, Verdict};

/// What options are set to.
pub mod options {
    #[doc(inline)]
    pub use crate::check::{Engine, Until};
    #[doc(inline)]
    pub use crate::fences::Costs;
    pub use crate::program::Aim;
    #[doc(inline)]
    pub use crate::robustness::Method;
    #[doc(inline)]
    pub use crate::solve::SolverKind;
}

/// The parts of answers.
pub mod answers {
    #[doc(inline)]
    pub use crate::check::{AnyNumber, GoalAnswer, ReachedGoal, Stats};
    #[doc(inline)]
    pub use crate::fences::{Cycles, Obstacle, Outcome, Place, Sets, Shortfall};
    #[doc(inline)]
    pub use crate::litmus::{FinalStates, LitmusReport};
    #[doc(inline)]
    pub use crate::report::{Answer, Caller, RunStep};
    #[doc(inline)]
    pub use crate::robustness::{Attack, AttackAnswer};
    #[doc(inline)]
    pub use crate::verdict::{Bounds, Decided, LoopBound, Reason};
}

/// Texts in all languages: how they are read, and what comes of it.
pub mod texts {
    #[doc(inline)]
    pub use crate::formats::{
        CallModel, Compiler, Diagnostic, Edition, FindFile, FoundFile, LitmusTest, ParseOptions,
        Parsed, Rewritten, RewrittenFile, Severity, Unprintable, Unwritable, parse_with, print_as,
        render, rewrite_with,
    };
}
