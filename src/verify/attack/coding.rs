//! Witnesses as systems of states, and as families of threads.

use super::{Mode, Phase, State, Witness};
use crate::closed::System;
use crate::codec::Numbers;
use crate::program::Program;
use crate::views::{Family, Needs};

impl Witness<'_> {
    fn write_thread(&self, state: &State, t: usize, out: &mut Vec<i32>) {
        let at = state.locations[t];
        out.push(at as i32);
        let live = state.registers[t].iter().zip(&self.live[t][at]);
        out.extend(live.map(|(&value, &live)| if live { value } else { 0 }));
    }

    fn read_thread(&self, state: &mut State, t: usize, numbers: &mut Numbers<'_>) -> Option<()> {
        state.locations[t] = numbers.below(self.program.threads[t].locations.len())?;
        for value in &mut state.registers[t] {
            *value = numbers.next()?;
        }
        Some(())
    }
}

impl Mode {
    fn write(self, out: &mut Vec<i32>) {
        match self {
            Mode::Independent => out.push(0),
            Mode::Dependent => out.push(1),
            Mode::Entering {
                cell,
                level,
                entered,
            } => out.extend([2, cell as i32, level, i32::from(entered)]),
        }
    }

    fn read(cells: usize, numbers: &mut Numbers<'_>) -> Option<Self> {
        Some(match numbers.below(3)? {
            0 => Mode::Independent,
            1 => Mode::Dependent,
            _ => Mode::Entering {
                cell: numbers.below(cells)?,
                level: numbers.below(3)? as i32,
                entered: numbers.below(2)? == 1,
            },
        })
    }
}

impl System for Witness<'_> {
    type State = State;

    fn initial(&self) -> State {
        let threads = self.program.threads.iter();
        let cells = self.program.cells.len();
        State {
            locations: threads.clone().map(|thread| thread.entry).collect(),
            registers: threads
                .clone()
                .map(|thread| thread.registers.iter().map(|(_, value)| *value).collect())
                .collect(),
            cells: self.program.cells.clone(),
            phase: Phase::Before,
            first: 0,
            held: vec![None; cells],
            fenced: false,
            levels: vec![0; cells],
            modes: threads.map(|_| Mode::Independent).collect(),
        }
    }

    fn successors(&self, state: &State, see: &mut dyn FnMut(State)) {
        for t in 0..self.program.threads.len() {
            self.steps_of(state, t, see);
        }
    }

    fn bad(&self, state: &State) -> Option<String> {
        // What a block does counts when it ends: it may not be able to.
        let closed = state.phase == Phase::Closing
            && state.levels[state.first] > 0
            && self.inside(state).is_none();
        closed.then(|| {
            let (thread, first) = (&self.program.threads[self.attacker], state.first);
            let cell = self.program.cell_name(first);
            format!(
                "a delayed store of thread {} to {cell} closes a cycle",
                thread.name
            )
        })
    }

    fn write(&self, state: &State, out: &mut Vec<i32>) {
        out.push(state.phase as i32);
        for t in 0..state.locations.len() {
            self.write_thread(state, t, out);
        }
        out.extend(&state.cells);
        match state.phase {
            Phase::Before => {}
            Phase::Delaying => {
                out.extend([state.first as i32, i32::from(state.fenced)]);
                for value in &state.held {
                    match value {
                        None => out.push(0),
                        Some(value) => out.extend([1, *value]),
                    }
                }
            }
            Phase::Closing => {
                out.push(state.first as i32);
                out.extend(&state.levels);
                state.modes.iter().for_each(|mode| mode.write(out));
            }
        }
    }

    fn read(&self, numbers: &mut Numbers<'_>) -> Option<State> {
        let mut state = self.initial();
        let cells = state.cells.len();
        state.phase = [Phase::Before, Phase::Delaying, Phase::Closing][numbers.below(3)?];
        for t in 0..state.locations.len() {
            self.read_thread(&mut state, t, numbers)?;
        }
        for value in &mut state.cells {
            *value = numbers.next()?;
        }
        match state.phase {
            Phase::Before => {}
            Phase::Delaying => {
                state.first = numbers.below(cells)?;
                state.fenced = numbers.below(2)? == 1;
                for value in &mut state.held {
                    *value = if numbers.below(2)? == 1 {
                        Some(numbers.next()?)
                    } else {
                        None
                    };
                }
            }
            Phase::Closing => {
                state.first = numbers.below(cells)?;
                for level in &mut state.levels {
                    *level = numbers.below(3)? as i32;
                }
                for mode in &mut state.modes {
                    *mode = Mode::read(cells, numbers)?;
                }
            }
        }
        Some(state)
    }
}

impl Family for Witness<'_> {
    fn program(&self) -> &Program {
        self.program
    }

    fn inside(&self, state: &State) -> Option<usize> {
        self.inside(state)
    }

    fn location(&self, state: &State, thread: usize) -> usize {
        state.locations[thread]
    }

    fn steps_of(&self, state: &State, thread: usize, see: &mut dyn FnMut(State)) {
        self.steps_of(state, thread, see);
    }

    fn write_local(&self, state: &State, thread: usize, out: &mut Vec<i32>) {
        self.write_thread(state, thread, out);
        state.modes[thread].write(out);
    }

    fn read_local(
        &self,
        state: &mut State,
        thread: usize,
        numbers: &mut Numbers<'_>,
    ) -> Option<()> {
        self.read_thread(state, thread, numbers)?;
        state.modes[thread] = Mode::read(state.cells.len(), numbers)?;
        Some(())
    }

    fn fails(&self, _: &State, _: usize) -> Option<String> {
        None
    }

    fn seen(
        &self,
        state: &State,
        _: &[usize],
        _: &dyn Fn(&mut State, usize, usize),
    ) -> Option<String> {
        self.bad(state)
    }

    fn needs(&self) -> Needs {
        Needs::default()
    }
}
