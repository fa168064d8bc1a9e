//! When a search begins again, to look further ahead.

use super::GoalSearch;
use crate::explicit::reduce::Lookahead;
use crate::explicit::visited::Stage;

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
    /// Whether the search is to begin again, and to look further ahead, before this configuration is expanded.
    pub(super) fn looks_further(&mut self, id: u32) -> bool {
        let (Lookahead::After(most), Some(ahead)) = (self.reduction.lookahead, &self.ahead) else {
            return false;
        };
        let visited = &mut *self.visited;
        match visited.stage {
            Stage::Near if id == most => {
                if most == 0 {
                    visited.stage = Stage::Decided;
                    visited.credit.use_bounds(AT_ONCE);
                    return false;
                }
                visited.begin_again(Stage::OneThread)
            }
            Stage::OneThread if id == LATER.saturating_mul(most) && ahead.applies_to_several() => {
                let visited_before = id as usize;
                let levels = visited.levels;
                let stage = Stage::Trial {
                    visited: visited_before,
                    levels,
                };
                let begins = visited.begin_trial(stage);
                if begins {
                    visited.credit.try_bounds(visited_before);
                }
                begins
            }
            Stage::Trial {
                visited: before,
                levels,
            } => {
                let spent = id as usize + visited.credit.spent_on_trial(before);
                let is_over = visited.levels >= levels;
                if !is_over && WORTH_IT * spent < before {
                    return false;
                }
                let each_stands_for = before / (id as usize).max(1);
                let is_worth_it = each_stands_for >= FEW || WORTH_IT * spent <= before;
                visited.stage = Stage::Decided;
                if is_over && is_worth_it {
                    visited.credit.use_bounds(each_stands_for);
                    visited.decide_trial();
                    false
                } else {
                    visited.credit.use_bounds(0);
                    visited.go_back()
                }
            }
            Stage::Near | Stage::OneThread | Stage::Decided => false,
        }
    }
}
