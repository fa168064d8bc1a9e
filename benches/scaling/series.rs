//! Series: families under one model, on which the encodings of acyclicity are compared, and the expected
//! answers to their queries.
//!
//! **Invariant.** Every query has an expected answer, which is checked.

use crate::families::Family;
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::program::Program;
use std::fmt;

/// One family under one model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Series {
    /// The name of the [`Family`].
    pub(crate) name: &'static str,
    pub(crate) model: Model,
    pub(crate) slicing: bool,
    /// The sizes in the table, in ascending order.
    pub(crate) sizes: &'static [u32],
    /// The size that criterion measures.
    pub(crate) small: u32,
    /// Whether a goal is reachable, for every `n`.
    pub(crate) violated: bool,
}

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unsliced = if self.slicing { "" } else { ", unsliced" };
        write!(f, "{} {}{unsliced}", self.name, self.model)
    }
}

/// One program of a series.
#[derive(Clone, Debug)]
pub(crate) struct Member<'s> {
    pub(crate) series: &'s Series,
    pub(crate) n: u32,
    pub(crate) program: Program,
}

impl Series {
    /// The member of this size.
    pub(crate) fn member(&self, n: u32) -> Member<'_> {
        let text = Family::named(self.name).text(n);
        let parsed = parse(&text);
        let program = parsed
            .program
            .unwrap_or_else(|| panic!("{self}, n = {n}: {:?}\n{text}", parsed.diagnostics));
        Member {
            series: self,
            n,
            program,
        }
    }
}

/// All series, in the order of the table.
#[rustfmt::skip]
pub(crate) const SERIES: &[Series] = &[
    Series { name: "ring", model: Model::Tso, slicing: true, sizes: &[4, 8, 16, 32, 64, 128], small: 8, violated: true },
    Series { name: "ring-fenced", model: Model::Tso, slicing: true, sizes: &[4, 8, 16, 32, 64, 128], small: 8, violated: false },
    Series { name: "chain", model: Model::Tso, slicing: true, sizes: &[4, 8, 16, 32, 64, 128], small: 8, violated: false },
    Series { name: "chain", model: Model::Pso, slicing: true, sizes: &[4, 8, 16, 32, 64, 128], small: 8, violated: true },
    Series { name: "peterson", model: Model::Tso, slicing: true, sizes: &[1, 2, 4, 8, 12, 16, 24], small: 2, violated: true },
    Series { name: "peterson-fenced", model: Model::Tso, slicing: true, sizes: &[1, 2, 4, 8, 12, 16, 24], small: 2, violated: false },
    Series { name: "jk15-fig2", model: Model::Tso, slicing: true, sizes: &[2, 5, 10, 20, 40], small: 5, violated: false },
    Series { name: "jk15-fig2", model: Model::Tso, slicing: false, sizes: &[2, 5, 10, 20, 40], small: 5, violated: false },
    Series { name: "jk15-beside", model: Model::Tso, slicing: true, sizes: &[2, 5, 10, 20, 40], small: 5, violated: false },
    Series { name: "jk15-beside", model: Model::Tso, slicing: false, sizes: &[2, 5, 10, 20, 40], small: 5, violated: false },
    Series { name: "jk15-fed", model: Model::Tso, slicing: true, sizes: &[2, 5, 10, 20, 40], small: 5, violated: true },
    Series { name: "jk15-fed-fenced", model: Model::Tso, slicing: true, sizes: &[2, 5, 10, 20, 40], small: 5, violated: false },
];
