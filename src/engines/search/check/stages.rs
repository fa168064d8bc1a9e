//! When a search goes through the configurations in another way.

use super::GoalSearch;
use crate::search::order::Order;
use crate::search::reduce::Onset;
use crate::search::visited::{Directed, Stage};

/// Directed searches. Each begins when this many times as many configurations as [`Reduction::directed`] says are
/// expanded, and ends when it has stored that many times as many since it last found a goal.
///
/// [`Reduction::directed`]: crate::search::Reduction
const DIRECTED: [[usize; 2]; 2] = [[1, 1], [20, 5]];

/// The search looks ahead to what several threads do after this many times as many configurations as to what
/// one does.
const LATER: u32 = 50;

/// Looking ahead to what several threads do is worth it if the search is this many times as fast.
const WORTH_IT: usize = 2;

/// It is worth it, too, if it visits this many times fewer configurations: their number grows with each level.
const FEW: usize = 8;

/// If it is to be done at once, what it is worth is not known; then so much is supposed.
const AT_ONCE: usize = 1 << 8;

impl GoalSearch<'_> {
    /// Whether the search goes through the configurations in another way from now on, before the next one is
    /// expanded.
    pub(super) fn changes_its_way(&mut self) -> bool {
        let expanded = self.visited.expanded();
        self.begins_directed(expanded)
            || self.ends_directed()
            || self.visited.directed.is_none() && self.looks_further(expanded)
    }

    /// Whether a directed search begins where so many configurations are expanded.
    fn begins_directed(&mut self, expanded: usize) -> bool {
        let Onset::After(most) = self.reduction.directed else {
            return false;
        };
        let visited = &mut *self.visited;
        let next = DIRECTED.get(visited.directed_searches);
        let begins = next.is_some_and(|[after, _]| expanded == after * most as usize)
            && !visited.may_go_back()
            && !self.goals.is_empty();
        if begins {
            visited.directed_searches += 1;
            visited.directed = Some(Directed::default());
            visited.begin_trial(Order::directed());
        }
        begins
    }

    /// Whether a directed search ends, and the one before it goes on. One from the beginning on does not end.
    fn ends_directed(&mut self) -> bool {
        let Onset::After(most @ 1..) = self.reduction.directed else {
            return false;
        };
        let visited = &mut *self.visited;
        let Some(Directed { stored, success }) = visited.directed else {
            return false;
        };
        let [_, share] = DIRECTED[visited.directed_searches - 1];
        let ends = stored >= success + share * most as usize;
        if ends {
            visited.directed = None;
            visited.go_back();
        }
        ends
    }

    /// Whether the search is to begin again, and to look further ahead, where so many configurations are expanded.
    fn looks_further(&mut self, expanded: usize) -> bool {
        let (Onset::After(most), Some(ahead)) = (self.reduction.lookahead, &self.ahead) else {
            return false;
        };
        let most = most as usize;
        let visited = &mut *self.visited;
        match visited.stage {
            Stage::Near if expanded == most => {
                if most == 0 {
                    visited.stage = Stage::Decided;
                    visited.pass.credit.use_bounds(AT_ONCE);
                    return false;
                }
                visited.stage = Stage::OneThread;
                visited.begin_again();
                true
            }
            Stage::OneThread if expanded == LATER as usize * most && ahead.applies_to_several() => {
                let levels = visited.levels();
                visited.stage = Stage::Trial {
                    visited: expanded,
                    levels,
                };
                visited.begin_trial(Order::default());
                visited.pass.credit.try_bounds(expanded);
                true
            }
            Stage::Trial {
                visited: before,
                levels,
            } => {
                let spent = expanded + visited.pass.credit.spent_on_trial(before);
                let is_over = visited.levels() >= levels;
                if !is_over && WORTH_IT * spent < before {
                    return false;
                }
                let each_stands_for = before / expanded.max(1);
                let is_worth_it = each_stands_for >= FEW || WORTH_IT * spent <= before;
                visited.stage = Stage::Decided;
                if is_over && is_worth_it {
                    visited.pass.credit.use_bounds(each_stands_for);
                    visited.end_trial();
                    false
                } else {
                    visited.go_back();
                    visited.pass.credit.use_bounds(0);
                    true
                }
            }
            Stage::Near | Stage::OneThread | Stage::Decided => false,
        }
    }
}
