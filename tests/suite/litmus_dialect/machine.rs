//! The meaning of the operations: every order of steps, with store buffers that are lists.

use super::make::{Op, Operand, Thread, Value, ZERO};
use fencepost::internals::model::Model;
use std::collections::HashSet;

#[derive(Clone, PartialEq, Eq, Hash)]
pub struct World {
    pub at: Vec<usize>,
    pub registers: Vec<Vec<Value>>,
    pub memory: [Value; 4],
    /// Stores, oldest first; `None` is a store fence.
    pub buffers: Vec<Vec<Option<(usize, Value)>>>,
}

impl World {
    fn read(&self, thread: usize, cell: usize) -> Value {
        let mut own = self.buffers[thread].iter().rev().flatten();
        own.find(|(of, _)| *of == cell)
            .map_or(self.memory[cell], |(_, value)| *value)
    }

    fn operand(&self, thread: usize, operand: Operand) -> Value {
        match operand {
            Operand::Constant(value) => value,
            Operand::Register(r) => self.registers[thread][r],
        }
    }

    fn store(&mut self, thread: usize, cell: usize, value: Value, model: Model) {
        if model == Model::Sc {
            self.memory[cell] = value;
        } else {
            self.buffers[thread].push(Some((cell, value)));
        }
    }

    /// The next step of a thread, if it is possible now.
    fn step(&self, thread: usize, op: &Op, model: Model) -> Option<World> {
        let mut next = self.clone();
        next.at[thread] += 1;
        match op {
            Op::Load { into, cell } | Op::Depending { into, cell } => {
                next.registers[thread][*into] = self.read(thread, *cell);
            }
            Op::Store { cell, value } => {
                next.store(thread, *cell, self.operand(thread, *value), model);
            }
            Op::Exchange { into, cell, value } => {
                if !self.buffers[thread].is_empty() {
                    return None;
                }
                next.registers[thread][*into] = self.memory[*cell];
                next.memory[*cell] = self.operand(thread, *value);
            }
            Op::Follow { into, address } => {
                if let Value::Address(cell) = self.registers[thread][*address] {
                    next.registers[thread][*into] = self.read(thread, cell);
                }
            }
            Op::Through { address, value } => {
                if let Value::Address(cell) = self.registers[thread][*address] {
                    next.store(thread, cell, self.operand(thread, *value), model);
                }
            }
            Op::Compare {
                into,
                register,
                with,
            } => {
                let same = self.registers[thread][*register] == self.operand(thread, *with);
                next.registers[thread][*into] = Value::Number(same.into());
            }
            Op::If {
                register,
                cell,
                value,
            } => {
                if self.registers[thread][*register] != ZERO {
                    next.store(thread, *cell, self.operand(thread, *value), model);
                }
            }
            Op::Fence => {
                if !self.buffers[thread].is_empty() {
                    return None;
                }
            }
            Op::StoreFence => {
                if !self.buffers[thread].is_empty() {
                    next.buffers[thread].push(None);
                }
            }
        }
        Some(next)
    }

    /// What may reach memory next from the buffer of a thread.
    fn drained(&self, thread: usize, model: Model) -> Vec<World> {
        let buffer = &self.buffers[thread];
        let fence = buffer.iter().position(Option::is_none);
        let until = if model == Model::Pso {
            fence.unwrap_or(buffer.len())
        } else {
            1
        };
        let mut found = Vec::new();
        if buffer.first() == Some(&None) {
            let mut next = self.clone();
            next.buffers[thread].remove(0);
            return vec![next];
        }
        for (at, entry) in buffer.iter().enumerate().take(until) {
            let Some((cell, value)) = entry else { break };
            let earlier = buffer[..at].iter().flatten();
            if earlier.clone().any(|(other, _)| other == cell) {
                continue;
            }
            let mut next = self.clone();
            next.memory[*cell] = *value;
            next.buffers[thread].remove(at);
            found.push(next);
        }
        found
    }
}

/// The final states.
pub fn finals(threads: &[Thread], model: Model) -> Vec<World> {
    let first = World {
        at: vec![0; threads.len()],
        registers: threads
            .iter()
            .map(|thread| vec![ZERO; thread.addresses.len()])
            .collect(),
        memory: [ZERO, ZERO, ZERO, Value::Address(1)],
        buffers: vec![Vec::new(); threads.len()],
    };
    let mut seen = HashSet::from([first.clone()]);
    let mut open = vec![first];
    let mut found = Vec::new();
    while let Some(world) = open.pop() {
        let mut next = Vec::new();
        for (id, thread) in threads.iter().enumerate() {
            if let Some(op) = thread.ops.get(world.at[id]) {
                next.extend(world.step(id, op, model));
            }
            next.extend(world.drained(id, model));
        }
        let over = (0..threads.len()).all(|id| world.at[id] == threads[id].ops.len());
        if over && world.buffers.iter().all(Vec::is_empty) {
            found.push(world);
        }
        open.extend(next.into_iter().filter(|world| seen.insert(world.clone())));
    }
    found
}
