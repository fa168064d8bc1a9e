//! From a hit of the search to a computation of the program.

use super::GoalSearch;
use crate::reference::Step;
use crate::search::shorten::shorten;
use crate::search::symmetry::Names;
use crate::search::visited::Hit;

impl GoalSearch<'_> {
    /// A computation that reaches the goal by way of the hit and ends where a computation may stop.
    pub(super) fn computation(&self, goal: usize, hit: &Hit) -> Vec<Step> {
        // Follow the path again to see how its configurations were sorted.
        let mut config = self.machine.initial();
        let mut names = Names::new(&self.symmetry);
        let mut steps: Vec<Step> = Vec::new();
        for taken in self.visited.way(hit) {
            for step in taken {
                let taken = self.machine.apply(&mut config, step);
                debug_assert!(taken.is_ok(), "the search took an impossible step");
                self.reduce.normalise(&mut config);
                steps.push(names.step(step));
            }
            names.sort(&self.machine, &mut config);
        }
        steps.extend(hit.suffix.iter().map(|&step| names.step(step)));
        let reached = names.goal(hit.goal);
        self.symmetry.redirect(&mut steps, reached, goal);
        self.drain(&mut steps);
        let (program, model) = (self.machine.program, self.machine.model);
        shorten(program, model, self.goals[goal], steps)
    }

    /// Appends moves until nothing is buffered, or nothing can move.
    fn drain(&self, steps: &mut Vec<Step>) {
        let mut config = self.machine.initial();
        for &step in &*steps {
            let taken = self.machine.apply(&mut config, step);
            debug_assert!(taken.is_ok(), "the search took an impossible step");
        }
        let mut moves = Vec::new();
        loop {
            moves.clear();
            for thread in self.machine.program.thread_ids() {
                self.machine.propose_moves(&config, thread, &mut moves);
            }
            let taken = moves
                .iter()
                .find(|&&step| self.machine.apply(&mut config, step).is_ok());
            match taken {
                Some(&step) => steps.push(step),
                None => return,
            }
        }
    }
}
