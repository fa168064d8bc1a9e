//! Robustness: does weak memory add any behaviour that sequential consistency lacks?
//!
//! A program is *robust* if every computation has an acyclic happens-before relation
//! `po ∪ rf ∪ co ∪ fr`, each atomic block and each access of several cells taken as one action. Looking for a cyclic one directly
//! means modelling every store buffer. \[BDM13\] shows that it is enough to look for *attacks*: one
//! thread, the **attacker**, delays stores past one of its own later accesses, and the other
//! threads, the **helpers**, close the cycle while running under SC. \[DMS17\] extends this to
//! models that relax the order of stores.
//!
//! **Invariant.** Nothing here mentions literals or clauses, and the reference has executed every
//! witness that leaves this module.

mod attack;
mod copies;
mod decide;
mod direct;
mod instrument;
mod limits;
mod minimal;
mod problem;
mod query;
mod report;
mod too_late;
mod triangular;
mod weaken;
mod witness;

pub use crate::techniques::Pruning;
pub use attack::{Attack, Attacks, attacks};
pub(crate) use attack::{is_robust_statically, unfenced};
pub use decide::{Method, RobustOptions, derived_program, has_attacks, is_singular, robust};
pub(crate) use decide::{decide, find, keeps_goals};
pub(crate) use direct::{Direct, Feasibility};
pub use instrument::{Derived, Form, Role, instrument};
pub use report::Basis;
pub use report::{AttackAnswer, RobustReport};
#[doc(hidden)]
pub use too_late::too_late;
pub use triangular::{Race, RaceReport, triangular};
pub use weaken::{Dependence, LoadBearing, Weakenable, load_bearing};
pub use witness::check_witness;
pub(crate) use witness::witnessed;
