//! Configurations as short byte strings, so that millions of them can be hashed and stored.
//!
//! Every number is zigzag-encoded and written as a varint with seven bits per byte, so that small
//! values take one byte each. Two configurations pack to the same bytes if and only if they are
//! equal.
//!
//! The steps to a configuration are packed in the same way.

use super::Step;
use super::buffer::{Buffer, BufferItem, Join};
use super::machine::Config;
use crate::program::{Addr, InstrId, LocId, ThreadId};

/// Writes the configuration into `out`, which is cleared first.
pub fn pack(config: &Config, out: &mut Vec<u8>) {
    out.clear();
    for loc in &config.locations {
        put(out, loc.0 as i32);
    }
    for &value in config.registers.iter().chain(&config.memory) {
        put(out, value);
    }
    for buffer in &config.buffers {
        // Most buffers are empty, and few models use both lists: one byte for both lengths then.
        let (waiting, fifo) = (buffer.waiting.len() as i32, buffer.fifo.len() as i32);
        if waiting > 0 {
            put(out, -waiting);
        }
        put(out, fifo);
        for list in [&buffer.waiting, &buffer.fifo] {
            for &item in list {
                // Address 0 is not a cell, so it marks a fence; negative ones mark word accesses.
                match item {
                    BufferItem::Store { addr, value, join } => {
                        let is_alone = join == Join::ALONE;
                        put(out, if is_alone { addr.0 } else { -addr.0 });
                        put(out, value);
                        if !is_alone {
                            put(out, join.0 as i32);
                        }
                    }
                    BufferItem::Fence(fence) => {
                        put(out, 0);
                        put(out, fence as i32);
                    }
                }
            }
        }
    }
}

/// Decodes the output of [`pack`] into `config`, which must belong to the same machine.
pub fn unpack(mut bytes: &[u8], config: &mut Config) {
    let bytes = &mut bytes;
    for loc in &mut config.locations {
        *loc = LocId(get(bytes) as u32);
    }
    for value in config.registers.iter_mut().chain(&mut config.memory) {
        *value = get(bytes);
    }
    for Buffer { waiting, fifo } in &mut config.buffers {
        let (in_waiting, in_fifo) = match get(bytes) {
            length @ ..0 => (-length, get(bytes)),
            length => (0, length),
        };
        for (list, length) in [(waiting, in_waiting), (fifo, in_fifo)] {
            list.clear();
            for _ in 0..length {
                let first = get(bytes);
                let second = get(bytes);
                list.push(match first {
                    0 => BufferItem::Fence(second as usize),
                    1.. => BufferItem::store(Addr(first), second),
                    ..0 => BufferItem::Store {
                        addr: Addr(-first),
                        value: second,
                        join: Join(get(bytes) as u32),
                    },
                });
            }
        }
    }
}

/// The number of kinds of steps; an execution with a choice is another kind than one without.
const KINDS: u32 = 5;

/// Appends the steps to `out`.
pub fn pack_steps(steps: &[Step], out: &mut Vec<u8>) {
    for &step in steps {
        let (kind, thread, operands) = match step {
            Step::Execute {
                thread,
                instr,
                choice: None,
            } => (0, thread, [Some(instr.0 as i32), None]),
            Step::Execute {
                thread,
                instr,
                choice,
            } => (1, thread, [Some(instr.0 as i32), choice]),
            Step::Advance { thread, addr } => (2, thread, [Some(addr.0), None]),
            Step::Flush { thread, addr } => (3, thread, [Some(addr.0), None]),
            Step::Retire { thread } => (4, thread, [None, None]),
        };
        put(out, (thread.0 * KINDS + kind) as i32);
        for operand in operands.into_iter().flatten() {
            put(out, operand);
        }
    }
}

/// Decodes the output of [`pack_steps`].
pub fn unpack_steps(mut bytes: &[u8]) -> Vec<Step> {
    let bytes = &mut bytes;
    let mut steps = Vec::new();
    while !bytes.is_empty() {
        let head = get(bytes) as u32;
        let thread = ThreadId(head / KINDS);
        steps.push(match head % KINDS {
            kind @ (0 | 1) => Step::Execute {
                thread,
                instr: InstrId(get(bytes) as u32),
                choice: (kind == 1).then(|| get(bytes)),
            },
            2 => Step::Advance {
                thread,
                addr: Addr(get(bytes)),
            },
            3 => Step::Flush {
                thread,
                addr: Addr(get(bytes)),
            },
            _ => Step::Retire { thread },
        });
    }
    steps
}

fn put(out: &mut Vec<u8>, value: i32) {
    let mut rest = ((value << 1) ^ (value >> 31)) as u32;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

fn get(bytes: &mut &[u8]) -> i32 {
    let mut value = 0u32;
    let mut shift = 0;
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        value |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
        shift += 7;
    }
    (value >> 1) as i32 ^ -((value & 1) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_round_trips() {
        for value in [0, 1, -1, 63, 64, -64, -65, 8191, i32::MAX, i32::MIN] {
            let mut out = Vec::new();
            put(&mut out, value);
            let mut bytes = out.as_slice();
            assert_eq!(get(&mut bytes), value);
            assert!(bytes.is_empty());
        }
    }

    #[test]
    fn steps_round_trip() {
        let execute = |thread, instr, choice| Step::Execute {
            thread: ThreadId(thread),
            instr: InstrId(instr),
            choice,
        };
        let thread = ThreadId(40);
        let steps = [
            execute(0, 0, None),
            execute(1, 700, Some(-3)),
            execute(2, 1, Some(i32::MAX)),
            Step::Advance {
                thread,
                addr: Addr(1),
            },
            Step::Flush {
                thread,
                addr: Addr(300),
            },
            Step::Retire { thread },
        ];
        let mut bytes = Vec::new();
        pack_steps(&steps, &mut bytes);
        assert_eq!(unpack_steps(&bytes), steps);
        assert_eq!(unpack_steps(&[]), []);
    }

    #[test]
    fn a_configuration_round_trips() {
        let buffer = Buffer {
            waiting: vec![
                BufferItem::store(Addr(3), -7),
                BufferItem::Store {
                    addr: Addr(4),
                    value: 300,
                    join: Join(1 << 29 | 1 << 7),
                },
                BufferItem::Fence(0),
            ],
            fifo: vec![BufferItem::Fence(1)],
        };
        let waiting = Buffer {
            waiting: buffer.waiting.clone(),
            fifo: Vec::new(),
        };
        let fifo = Buffer {
            waiting: Vec::new(),
            fifo: buffer.waiting.clone(),
        };
        let config = Config {
            locations: vec![LocId(300), LocId(0), LocId(1), LocId(2)],
            registers: vec![-1, 200],
            memory: vec![5, 6, i32::MIN],
            buffers: vec![buffer, Buffer::default(), waiting, fifo],
        };
        let mut bytes = Vec::new();
        pack(&config, &mut bytes);
        let mut read = Config {
            locations: vec![LocId(0); 4],
            registers: vec![0; 2],
            memory: vec![0; 3],
            buffers: vec![Buffer::default(); 4],
        };
        unpack(&bytes, &mut read);
        assert_eq!(read, config);
    }
}
