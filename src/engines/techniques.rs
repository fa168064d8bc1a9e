//! Techniques: what makes questions easier and searches shorter.
//!
//! Each can be switched off, on the command line by `--without`, so that everyone can see what it is worth. No
//! verdict depends on any of them, except that a question may stay undecided; their laws compare answers with
//! and without each.

pub use crate::search::Reduction;

use crate::search::Onset;
use strum::VariantArray;

/// All techniques, of all kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Techniques {
    /// What makes problems easier before an engine decides them.
    pub passes: Passes,
    /// What the explicit engine leaves out.
    pub reduction: Reduction,
    /// The static arguments against attacks.
    pub pruning: Pruning,
    /// How much [work](crate::work) an engine gets in the first round of a race; `None` for the default. If it is
    /// given, an engine that is asked alone gets its work in slices, too.
    pub first_slice: Option<u64>,
}

impl From<Passes> for Techniques {
    /// All techniques, with these passes.
    fn from(passes: Passes) -> Self {
        Self {
            passes,
            ..Self::default()
        }
    }
}

impl From<Reduction> for Techniques {
    /// All techniques, with these reductions.
    fn from(reduction: Reduction) -> Self {
        Self {
            reduction,
            ..Self::default()
        }
    }
}

impl From<Pruning> for Techniques {
    /// All techniques, with these static arguments.
    fn from(pruning: Pruning) -> Self {
        Self {
            pruning,
            ..Self::default()
        }
    }
}

/// A technique by its name, and how it is switched off.
type Switch = (&'static str, fn(&mut Techniques));

/// The techniques that are no passes.
const SWITCHES: [Switch; 13] = [
    ("liveness", |all| all.reduction.liveness = false),
    ("local", |all| all.reduction.local_steps = false),
    ("retire", |all| all.reduction.retire = false),
    ("advance", |all| all.reduction.advance = false),
    ("chains", |all| all.reduction.chains = false),
    ("persistent", |all| all.reduction.persistent = false),
    ("lookahead", |all| all.reduction.lookahead = Onset::Never),
    ("directed", |all| all.reduction.directed = Onset::Never),
    ("symmetry", |all| all.reduction.symmetry = false),
    ("hopeless", |all| all.reduction.hopeless = false),
    ("fenced", |all| all.pruning.fences = false),
    ("same-cell", |all| all.pruning.cells = false),
    ("no-cycle", |all| all.pruning.cycles = false),
];

impl Techniques {
    /// Nothing but the search itself.
    pub const NONE: Techniques = Techniques {
        passes: Passes([When::Never; PassName::VARIANTS.len()]),
        reduction: Reduction::NONE,
        pruning: Pruning::NONE,
        first_slice: None,
    };

    /// All techniques wherever they are possible, whether they pay or not. Those that only long searches use begin
    /// after this many configurations.
    pub fn eager(after: u32) -> Self {
        Self {
            passes: Passes([When::Possible; PassName::VARIANTS.len()]),
            reduction: Reduction {
                lookahead: Onset::After(after),
                directed: Onset::After(after),
                ..Reduction::ALL
            },
            ..Self::default()
        }
    }

    /// The names of all techniques.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let passes = PassName::ALL.iter().map(|pass| pass.name());
        passes.chain(SWITCHES.iter().map(|(name, _)| *name))
    }

    /// The same without the technique of this name; `None` if there is none.
    #[must_use]
    pub fn without(mut self, name: &str) -> Option<Self> {
        if let Some(&pass) = PassName::ALL.iter().find(|pass| pass.name() == name) {
            self.passes = self.passes.with(pass, When::Never);
            return Some(self);
        }
        let (_, switch_off) = SWITCHES.iter().find(|(other, _)| *other == name)?;
        switch_off(&mut self);
        Some(self)
    }

    /// Whether a pass may be used.
    pub(crate) fn uses(self, pass: PassName) -> bool {
        self.passes.when(pass) != When::Never
    }
}

/// The name of a [pass](crate::passes).
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Debug,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum PassName {
    /// Symmetric goals.
    Alike,
    /// Threads that influence the goals.
    Cone,
    /// Robust, so decided under SC.
    ToSc,
    /// Waiting as a predicate.
    Predicates,
    /// Data and branches that influence the goals.
    Slice,
    /// Goals one by one.
    Split,
    /// Attacks that come too late.
    TooLate,
}

impl PassName {
    /// All passes.
    pub const ALL: &[PassName] = PassName::VARIANTS;

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// When a pass is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum When {
    /// Never.
    Never,
    /// Where it pays.
    #[default]
    Pays,
    /// Wherever it is possible.
    Possible,
}

/// When each pass is used. No verdict depends on it, except that a problem may stay undecided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Passes([When; PassName::VARIANTS.len()]);

impl Passes {
    /// When this pass is used.
    pub fn when(self, pass: PassName) -> When {
        self.0[pass as usize]
    }

    /// The same, but for one pass.
    #[must_use]
    pub fn with(mut self, pass: PassName, when: When) -> Self {
        self.0[pass as usize] = when;
        self
    }
}

/// Which arguments are used to rule out attacks before they are searched for. Each of them is sound. Without
/// the refined ones the counts are comparable to the papers'.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pruning {
    /// (fenced)
    pub fences: bool,
    /// (same cell)
    pub cells: bool,
    /// (no cycle)
    pub cycles: bool,
}

impl Pruning {
    /// No attack is ruled out.
    pub const NONE: Pruning = Pruning {
        fences: false,
        cells: false,
        cycles: false,
    };

    /// All arguments are used.
    pub const ALL: Pruning = Pruning {
        fences: true,
        cells: true,
        cycles: true,
    };
}

impl Default for Pruning {
    fn default() -> Self {
        Self::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_all_there_is_none() {
        let mut left = Techniques::default();
        for name in Techniques::names() {
            let fewer = left.without(name).expect("its own name");
            assert_ne!(fewer, left, "{name}");
            left = fewer;
        }
        assert_eq!(left, Techniques::NONE);
        assert_eq!(left.without("all"), None);
    }
}
