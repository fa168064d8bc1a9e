//! Memory models as data: which pairs of a thread's accesses may reach memory out of order.
//!
//! Each model is defined twice in this crate, in two styles: here and in `encode` as a set of
//! program-order pairs that stay ordered (the axiomatic style), and in `reference` as buffers (the
//! operational style). Property tests check that the two agree; they share no code.

use std::fmt;
use std::str::FromStr;

/// A store-buffer memory model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Model {
    /// Sequential consistency: a store takes effect immediately.
    Sc,
    /// Total store order (x86, SPARC TSO, RISC-V Ztso): one FIFO buffer per thread.
    Tso,
    /// Partial store order: one FIFO buffer per thread and address.
    Pso,
    /// The store-atomic framework [DMS17, Fig. 3]: per-address buffers that feed a FIFO, with
    /// lightweight fences. Approximates partitioned global address spaces.
    Pgas,
}

impl Model {
    /// All models, from the strongest to the weakest.
    pub const ALL: [Model; 4] = [Model::Sc, Model::Tso, Model::Pso, Model::Pgas];

    /// Whether a load may take effect before an earlier store of its thread.
    pub fn relaxes_store_load(self) -> bool {
        match self {
            Model::Sc => false,
            Model::Tso | Model::Pso | Model::Pgas => true,
        }
    }

    /// Whether stores of one thread to different addresses may reach memory out of order.
    pub fn relaxes_store_store(self) -> bool {
        match self {
            Model::Sc | Model::Tso => false,
            Model::Pso | Model::Pgas => true,
        }
    }

    /// Whether stores take effect in two steps: from the buffer of their address into the thread's
    /// FIFO, and from there into memory.
    pub fn has_two_stages(self) -> bool {
        match self {
            Model::Sc | Model::Tso | Model::Pso => false,
            Model::Pgas => true,
        }
    }

    /// The name on the command line and in expectations: `sc`, `tso`, `pso`, `pgas`.
    pub fn name(self) -> &'static str {
        match self {
            Model::Sc => "sc",
            Model::Tso => "tso",
            Model::Pso => "pso",
            Model::Pgas => "pgas",
        }
    }
}

impl fmt::Display for Model {
    /// The name as people write it: `TSO`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Model::Sc => "SC",
            Model::Tso => "TSO",
            Model::Pso => "PSO",
            Model::Pgas => "PGAS",
        })
    }
}

impl FromStr for Model {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        Model::ALL
            .into_iter()
            .find(|model| model.name() == s)
            .ok_or_else(|| format!("unknown memory model `{s}`: expected sc, tso, pso or pgas"))
    }
}
