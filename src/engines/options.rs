//! Options are made by `new` and changed by chaining: one method per option, named like the option.
//!
//! The three types share the names of what they have in common: `model`, `engine`, `unroll`,
//! `solver`, `until`. Options that only the crate's own experiments use are hidden from the
//! documentation.

use crate::check::{CheckOptions, Engine, Extension, Until};
use crate::fences::{Algorithm, Costs, FenceOptions, Kinds};
use crate::program::{FenceKind, ThreadId};
use crate::robustness::{Method, RobustOptions};
use crate::solve::SolverKind;
use crate::techniques::Techniques;

/// Methods that set one option each.
macro_rules! options {
    ($options:ident: $($(#[$meta:meta])* $name:ident($type:ty);)*) => {
        impl $options {
            $(
                $(#[$meta])*
                #[must_use]
                pub fn $name(mut self, $name: impl Into<$type>) -> Self {
                    self.$name = $name.into();
                    self
                }
            )*
        }
    };
}

options! { CheckOptions:
    /// With this engine.
    engine(Engine);
    /// With this unroll bound for every loop, instead of one that the bounded engine chooses.
    unroll(Option<u32>);
    /// With this solver in the bounded engine.
    solver(SolverKind);
    /// Stopping at the first violation, or not.
    until(Until);
    /// With these techniques, and no others.
    #[doc(hidden)]
    techniques(Techniques);
    /// With a short search for executions that never finish, or without one.
    note_waiting(bool);
    /// With a search for what no execution reaches, or without one.
    note_unreachable(bool);
    /// With this way to extend programs in the lazy engine.
    #[doc(hidden)]
    extension(Extension);
}

options! { RobustOptions:
    /// With this method of looking for attacks.
    method(Method);
    /// With this engine.
    engine(Engine);
    /// With this unroll bound for every loop, instead of one that the bounded engine chooses.
    unroll(Option<u32>);
    /// With this solver in the bounded engine.
    solver(SolverKind);
    /// Stopping at the first feasible attack, or not.
    until(Until);
    /// Deciding every attack, however long it takes, or not.
    every(bool);
    /// With these techniques, and no others.
    #[doc(hidden)]
    techniques(Techniques);
    /// With the attacks of this thread alone.
    #[doc(hidden)]
    attacker(Option<ThreadId>);
    /// With this part of the attacks alone.
    #[doc(hidden)]
    shard(Option<(usize, usize)>);
}

options! { FenceOptions:
    /// With these costs.
    costs(Costs);
    /// With this unroll bound for every loop, instead of one that the bounded engine chooses.
    unroll(Option<u32>);
    /// With this solver in the bounded engine.
    solver(SolverKind);
    /// With this algorithm.
    #[doc(hidden)]
    algorithm(Algorithm);
    /// With these techniques, and no others.
    #[doc(hidden)]
    techniques(Techniques);
    /// With the formula before searches that have cost so much.
    #[doc(hidden)]
    formula_after(usize);
    /// With this first bound on reordered pairs.
    #[doc(hidden)]
    k1(usize);
    /// With this last bound on reordered pairs.
    #[doc(hidden)]
    k2(Option<usize>);
}

impl FenceOptions {
    /// With fences of these kinds, each with the factor that its cost is multiplied by; full fences
    /// alone by default.
    #[must_use]
    pub fn kinds(mut self, kinds: impl IntoIterator<Item = (FenceKind, u32)>) -> Self {
        self.kinds = Kinds(kinds.into_iter().collect());
        self
    }

    /// With all cheapest sets listed, instead of one.
    #[must_use]
    pub fn all(mut self) -> Self {
        self.all = true;
        self
    }

    /// With the program's own fences as the only places: which of them can be removed?
    #[must_use]
    pub fn minimise(mut self) -> Self {
        self.minimise = true;
        self
    }
}
