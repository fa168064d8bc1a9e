//! Configurations as numbers, and the machine as a system of them.

use super::{Buffer, Config, Item, Machine};
use crate::closed::System;
use crate::codec::Numbers;

impl Machine<'_> {
    /// Appends the numbers of a thread: its location, and the registers that may still be read.
    pub(super) fn write_thread(&self, config: &Config, t: usize, out: &mut Vec<i32>) {
        let at = config.locations[t];
        out.push(at as i32);
        let live = config.registers[t].iter().zip(&self.live[t][at]);
        out.extend(live.map(|(&value, &live)| if live { value } else { 0 }));
    }

    /// Gives a thread the location and registers with these numbers; `None` if there are none.
    pub(super) fn read_thread(
        &self,
        config: &mut Config,
        t: usize,
        numbers: &mut Numbers<'_>,
    ) -> Option<()> {
        config.locations[t] = numbers.below(self.program.threads[t].locations.len())?;
        for value in &mut config.registers[t] {
            *value = numbers.next()?;
        }
        Some(())
    }
}

impl System for Machine<'_> {
    type State = Config;

    fn initial(&self) -> Config {
        let threads = self.program.threads.iter();
        Config {
            locations: threads.clone().map(|thread| thread.entry).collect(),
            registers: threads
                .clone()
                .map(|thread| thread.registers.iter().map(|(_, value)| *value).collect())
                .collect(),
            cells: self.program.cells.clone(),
            buffers: threads.map(|_| Buffer::default()).collect(),
        }
    }

    fn successors(&self, config: &Config, see: &mut dyn FnMut(Config)) {
        let mut steps = Vec::new();
        self.proposals(config, &mut steps);
        for step in steps {
            if let Some(next) = self.after(config, step) {
                see(next);
            }
        }
    }

    fn bad(&self, config: &Config) -> Option<String> {
        self.reached(config)
    }

    fn write(&self, config: &Config, out: &mut Vec<i32>) {
        for t in 0..config.locations.len() {
            self.write_thread(config, t, out);
        }
        out.extend(&config.cells);
        for Buffer { waiting, queue } in &config.buffers {
            for items in [waiting, queue] {
                out.push(items.len() as i32);
                for item in items {
                    match item {
                        Item::Store { cell, value } => out.extend([*cell as i32 + 1, *value]),
                        Item::Fence(number) => out.extend([-1, *number as i32]),
                    }
                }
            }
        }
    }

    fn read(&self, numbers: &mut Numbers<'_>) -> Option<Config> {
        let mut config = self.initial();
        for t in 0..config.locations.len() {
            self.read_thread(&mut config, t, numbers)?;
        }
        for value in &mut config.cells {
            *value = numbers.next()?;
        }
        for t in 0..config.buffers.len() {
            for at in 0..2 {
                let mut items = Vec::new();
                // The first number of an item is not 0, so there is a byte for each.
                for _ in 0..numbers.below(numbers.0.len().saturating_add(1))? {
                    let first = numbers.next()?;
                    items.push(if first == -1 {
                        Item::Fence(numbers.below(self.fences.len())?)
                    } else {
                        let cell = usize::try_from(first.checked_sub(1)?).ok()?;
                        let value = numbers.next()?;
                        Some(Item::Store { cell, value }).filter(|_| cell < config.cells.len())?
                    });
                }
                let buffer = &mut config.buffers[t];
                *(if at == 0 {
                    &mut buffer.waiting
                } else {
                    &mut buffer.queue
                }) = items;
            }
        }
        Some(config)
    }
}
