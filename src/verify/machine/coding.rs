//! Configurations as numbers, and the machine as a system of them.
//!
//! ```text
//!   threads   per thread: location, registers           cells   their values
//!   buffers   per thread and list: how many items, and these
//!   item      cell + 1, value                           a store
//!             -(cell + 2), value, distance, bits        a store of an access of several cells: how far its cell is
//!                                                       from the first, and a bit for each cell
//!             -1, number                                a light fence
//!   leaving   thread + 1, whether to the queue, the first cell, bits; nothing if nothing is leaving
//! ```

use super::{Buffer, Cells, Config, Item, Leaving, Machine};
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

    /// The cell with this number.
    fn read_cell(&self, number: i32) -> Option<usize> {
        let cell = usize::try_from(number).ok()?;
        (cell < self.program.cells.len()).then_some(cell)
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
            leaving: None,
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
                    match *item {
                        Item::Store { cell, value, cells } if cells.is_one() => {
                            out.extend([cell as i32 + 1, value]);
                        }
                        Item::Store { cell, value, cells } => {
                            let distance = cell.saturating_sub(cells.first) as i32;
                            let bits = i32::from(cells.bits);
                            out.extend([-(cell as i32) - 2, value, distance, bits]);
                        }
                        Item::Fence(number) => out.extend([-1, number as i32]),
                    }
                }
            }
        }
        if let Some(Leaving {
            thread,
            advances,
            rest,
        }) = config.leaving
        {
            let (first, bits) = (rest.first as i32, i32::from(rest.bits));
            out.extend([thread as i32 + 1, i32::from(advances), first, bits]);
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
                    items.push(match first {
                        -1 => Item::Fence(numbers.below(self.fences.len())?),
                        0.. => {
                            let cell = self.read_cell(first.checked_sub(1)?)?;
                            let value = numbers.next()?;
                            let cells = Cells::one(cell);
                            Item::Store { cell, value, cells }
                        }
                        ..-1 => {
                            let cell = self.read_cell(first.checked_add(2)?.checked_neg()?)?;
                            let value = numbers.next()?;
                            let first = cell.checked_sub(numbers.below(8)?)?;
                            let bits = numbers.below(256)? as u8;
                            let cells = Cells { first, bits };
                            let is_part = cells.contains(cell) && !cells.is_one();
                            Some(Item::Store { cell, value, cells }).filter(|_| is_part)?
                        }
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
        if let Some(thread) = numbers.below(config.locations.len() + 1)?.checked_sub(1) {
            config.leaving = Some(Leaving {
                thread,
                advances: numbers.below(2)? == 1,
                rest: Cells {
                    first: numbers.below(config.cells.len())?,
                    bits: numbers.below(256)? as u8,
                },
            });
        }
        Some(config)
    }
}
