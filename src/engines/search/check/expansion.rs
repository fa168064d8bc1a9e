//! What the expansion of a configuration uses and reports.

use crate::reference::Step;
use crate::reference::machine::Config;
use crate::verdict::Reason;

/// A configuration that was to be stored.
pub(super) struct Kept {
    /// Its number.
    pub(super) id: u32,
    /// Whether sorting changed it.
    pub(super) is_sorted: bool,
}

/// Which steps of a stored configuration are taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// Those that all reductions leave.
    Reduced,
    /// All but those that (advance) skips.
    Full,
}

/// Whether the steps that were taken may stand for those that were not: see `persistent`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// All were taken, or some path leads to a configuration that is expanded later.
    Enough,
    /// Some were skipped, and all paths lead to configurations that were expanded before.
    Nothing,
}

/// What an expansion uses, so that nothing is allocated anew.
pub(super) struct Scratch {
    pub(super) config: Config,
    pub(super) next: Config,
    pub(super) steps: Vec<Step>,
    pub(super) bytes: Vec<u8>,
    /// The steps from the stored configuration.
    pub(super) suffix: Vec<Step>,
    /// Configurations that are not stored, with the steps from the stored one.
    pub(super) passing: Vec<(Config, Vec<Step>)>,
    /// Memory for more of them.
    pub(super) spare: Vec<(Config, Vec<Step>)>,
}

impl Scratch {
    pub(super) fn new(config: &Config) -> Self {
        Self {
            config: config.clone(),
            next: config.clone(),
            steps: Vec::new(),
            bytes: Vec::new(),
            suffix: Vec::new(),
            passing: Vec::new(),
            spare: Vec::new(),
        }
    }
}

/// Why a search did not visit everything.
pub(super) enum EarlyEnd {
    AllFound,
    Unfinished(Reason),
}
