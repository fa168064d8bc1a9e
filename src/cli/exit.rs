//! Exit codes.

use crate::verdict::Verdict;

/// The exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Exit {
    /// 0: the property holds, or the command succeeded.
    #[default]
    Holds,
    /// 1: it is violated, and the evidence has been shown.
    Violated,
    /// 2: the input or the command line is invalid.
    Usage,
    /// 3: undecided.
    Undecided,
    /// 70: a defect of Fencepost itself; never a verdict.
    Internal,
}

/// How a verdict within bounds counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bounded {
    /// As undecided.
    IsOpen,
    /// As success, with `--accept-bounded`.
    IsAccepted,
}

impl Bounded {
    /// The choice made by the flag.
    pub(super) fn new(accept_bounded: bool) -> Self {
        if accept_bounded {
            Bounded::IsAccepted
        } else {
            Bounded::IsOpen
        }
    }
}

impl Exit {
    /// The exit code of a verdict.
    pub(super) fn of<W>(verdict: &Verdict<W>, bounded: Bounded) -> Self {
        match (verdict, bounded) {
            (Verdict::Holds, _) | (Verdict::HoldsWithin(_), Bounded::IsAccepted) => Exit::Holds,
            (Verdict::Violated(_), _) => Exit::Violated,
            (Verdict::HoldsWithin(_), Bounded::IsOpen) | (Verdict::Unknown(_), _) => {
                Exit::Undecided
            }
        }
    }

    pub(super) fn code(self) -> i32 {
        match self {
            Exit::Holds => 0,
            Exit::Violated => 1,
            Exit::Usage => 2,
            Exit::Undecided => 3,
            Exit::Internal => 70,
        }
    }

    /// The worse of the two. An internal error is worst, then invalid input, a violation, and undecided.
    pub(super) fn worst(self, other: Exit) -> Exit {
        let badness = |exit: Exit| match exit {
            Exit::Holds => 0,
            Exit::Undecided => 1,
            Exit::Violated => 2,
            Exit::Usage => 3,
            Exit::Internal => 4,
        };
        if badness(other) > badness(self) {
            other
        } else {
            self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{Bounds, Reason};

    #[test]
    fn each_verdict_has_its_exit_code_and_only_bounds_can_be_accepted() {
        let verdicts: [Verdict<()>; 4] = [
            Verdict::Holds,
            Verdict::HoldsWithin(Bounds::default()),
            Verdict::Violated(()),
            Verdict::Unknown(Reason::Stopped),
        ];
        let codes = |bounded| verdicts.each_ref().map(|v| Exit::of(v, bounded).code());
        assert_eq!(codes(Bounded::IsOpen), [0, 3, 1, 3]);
        assert_eq!(codes(Bounded::IsAccepted), [0, 0, 1, 3]);
    }
}
