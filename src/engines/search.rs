//! The explicit engine: a reduced search through the configurations of the reference.
//!
//! * `visited`, `reduce`, `symmetry`, `footprint`, `persistent`, `ahead`, `hopeless`, `check`: a reduced
//!   breadth-first search, with a computation for each goal that is reached;
//! * `order`, `distance`: short cuts to the goals, in searches that get large;
//! * `paused`: where a search has stopped;
//! * `watch`: properties along a computation;
//! * `minimise`, `shorten`, `shortest`: an execution that shows the same with fewer threads, iterations and
//!   steps;
//! * `data_race`: races in the sense of languages whose compilers reorder plain accesses;
//! * `traces`: every computation with its trace, to find cycles of happens-before.
//!
//! **Invariant.** The rules are those of [`reference`](crate::reference), which replays what is found.

mod ahead;
mod check;
mod data_race;
mod distance;
mod footprint;
mod hopeless;
mod minimise;
mod order;
mod paused;
mod persistent;
mod reduce;
mod shorten;
mod shortest;
mod symmetry;
mod traces;
mod visited;
mod watch;

pub use check::{Answers, check, check_all, check_all_with};
#[doc(hidden)]
pub use check::{Question, go_on};
pub use data_race::{Races, data_races};
pub use minimise::{Minimised, minimise, minimise_while};
pub use paused::Paused;
pub use reduce::{Onset, Reduction};
pub use shorten::{shorten, shorten_while};
pub use traces::cyclic;
#[doc(hidden)]
pub use visited::Visited;
