//! The machine of bytes: instructions as text, and what they do.

use std::collections::HashSet;

/// A shared variable.
pub struct Location {
    pub name: &'static str,
    pub ty: &'static str,
    pub bytes: u32,
    /// Where it begins in memory.
    first: usize,
}

pub const LOCATIONS: [Location; 2] = [
    Location {
        name: "x",
        ty: "uint64_t",
        bytes: 8,
        first: 0,
    },
    Location {
        name: "y",
        ty: "uint16_t",
        bytes: 2,
        first: 8,
    },
];

/// The letters of the registers that occur; the first is the accumulator.
pub const REGISTERS: [&str; 3] = ["a", "b", "c"];

const MEMORY: usize = 10;

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arg {
    Number(i64),
    /// A register, and whether it is the second byte.
    Register(usize, bool),
    /// A location, and the offset.
    Memory(usize, u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    Equal,
    NotEqual,
    Negative,
    NotNegative,
    Less,
    LessEqual,
    Below,
    AboveEqual,
}

/// Which flags an instruction sets as a comparison does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flags {
    All,
    Result,
}

impl Condition {
    /// Those that can follow an instruction.
    pub fn after(flags: Flags) -> Vec<Self> {
        let mut all = vec![
            Condition::Equal,
            Condition::NotEqual,
            Condition::Negative,
            Condition::NotNegative,
        ];
        if flags == Flags::All {
            all.extend([
                Condition::Less,
                Condition::LessEqual,
                Condition::Below,
                Condition::AboveEqual,
            ]);
        }
        all
    }

    fn name(self) -> &'static str {
        match self {
            Condition::Equal => "je",
            Condition::NotEqual => "jne",
            Condition::Negative => "js",
            Condition::NotNegative => "jns",
            Condition::Less => "jl",
            Condition::LessEqual => "jle",
            Condition::Below => "jb",
            Condition::AboveEqual => "jae",
        }
    }

    fn holds(self, (a, b, size): (u64, u64, u32)) -> bool {
        let sign = |value: u64| value >> (8 * size - 1) & 1 == 1;
        let (signed_a, signed_b) = (signed(a, size), signed(b, size));
        match self {
            Condition::Equal => a == b,
            Condition::NotEqual => a != b,
            Condition::Negative => sign(a.wrapping_sub(b)),
            Condition::NotNegative => !sign(a.wrapping_sub(b)),
            Condition::Less => signed_a < signed_b,
            Condition::LessEqual => signed_a <= signed_b,
            Condition::Below => a < b,
            Condition::AboveEqual => a >= b,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Mov,
    /// With the sign or without, to this size.
    Extend(bool, u32),
    Xchg,
    Xadd,
    Cmpxchg,
    /// INC, DEC, NEG, NOT.
    Unary(usize),
    /// ADD, SUB, XOR, AND, OR.
    Binary(usize),
    Cmp,
    Test,
    /// Over the next instruction.
    Jump(Condition),
    Mfence,
}

impl Op {
    pub fn flags(self) -> Option<Flags> {
        match self {
            Op::Cmpxchg | Op::Cmp | Op::Test | Op::Unary(2) | Op::Binary(1..) => Some(Flags::All),
            Op::Xadd | Op::Unary(0 | 1) | Op::Binary(_) => Some(Flags::Result),
            Op::Mov | Op::Extend(..) | Op::Xchg | Op::Unary(_) | Op::Jump(_) | Op::Mfence => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Op::Mov => "mov",
            Op::Extend(true, _) => "movs",
            Op::Extend(false, _) => "movz",
            Op::Xchg => "xchg",
            Op::Xadd => "xadd",
            Op::Cmpxchg => "cmpxchg",
            Op::Unary(at) => ["inc", "dec", "neg", "not"][at],
            Op::Binary(at) => ["add", "sub", "xor", "and", "or"][at],
            Op::Cmp => "cmp",
            Op::Test => "test",
            Op::Jump(condition) => condition.name(),
            Op::Mfence => "mfence",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Instr {
    pub op: Op,
    pub size: u32,
    pub is_locked: bool,
    /// Destination first.
    pub args: Vec<Arg>,
}

fn suffix(size: u32) -> &'static str {
    match size {
        1 => "b",
        2 => "w",
        4 => "l",
        _ => "q",
    }
}

fn written_arg(arg: Arg, size: u32) -> String {
    match arg {
        Arg::Number(number) => format!("${number}"),
        Arg::Register(at, is_high) => {
            let letter = REGISTERS[at];
            match (size, is_high) {
                (1, true) => format!("%{letter}h"),
                (1, false) => format!("%{letter}l"),
                (2, _) => format!("%{letter}x"),
                (4, _) => format!("%e{letter}x"),
                (_, _) => format!("%r{letter}x"),
            }
        }
        Arg::Memory(location, offset) => {
            let name = LOCATIONS[location].name;
            match offset {
                0 => format!("({name})"),
                1..4 => format!("{offset}({name})"),
                _ => format!("{name}+{offset}"),
            }
        }
    }
}

impl Instr {
    /// The instruction at this position of its thread.
    pub fn written(&self, at: usize) -> String {
        let mut text = String::new();
        if self.is_locked && self.op != Op::Xchg {
            text.push_str("lock ");
        }
        text.push_str(self.op.name());
        let mut sizes = vec![self.size; self.args.len()];
        match self.op {
            Op::Jump(_) => return format!("{text} L{at}"),
            Op::Mfence => {}
            Op::Extend(_, to) => {
                text.push_str(suffix(self.size));
                text.push_str(suffix(to));
                sizes[0] = to;
            }
            Op::Mov
            | Op::Xchg
            | Op::Xadd
            | Op::Cmpxchg
            | Op::Unary(_)
            | Op::Binary(_)
            | Op::Cmp
            | Op::Test => text.push_str(suffix(self.size)),
        }
        let args = self.args.iter().zip(sizes).rev();
        let args: Vec<String> = args.map(|(arg, size)| written_arg(*arg, size)).collect();
        format!("{text} {}", args.join(","))
    }
}

fn mask(size: u32) -> u64 {
    u64::MAX >> (64 - 8 * size)
}

fn signed(value: u64, size: u32) -> i64 {
    let by = 64 - 8 * size;
    ((value << by) as i64) >> by
}

/// A configuration.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct World {
    memory: [u8; MEMORY],
    pub registers: [[u64; 3]; 2],
    buffers: [Vec<(usize, Vec<u8>)>; 2],
    at: [usize; 2],
    /// What the first half of an instruction without lock has read.
    read: [Option<u64>; 2],
    flags: [(u64, u64, u32); 2],
}

impl World {
    /// A location as tests show it.
    pub fn shown(&self, location: usize) -> i64 {
        let Location { bytes, first, .. } = LOCATIONS[location];
        let value = number(&self.memory[first..first + bytes as usize]);
        if bytes >= 4 {
            signed(value, bytes)
        } else {
            value as i64
        }
    }

    fn load(&self, t: usize, first: usize, size: u32) -> u64 {
        let bytes = (first..first + size as usize).map(|at| {
            let own = self.buffers[t].iter().rev();
            let mut own = own.filter_map(|(from, bytes)| bytes.get(at.checked_sub(*from)?));
            own.next().copied().unwrap_or(self.memory[at])
        });
        number(&bytes.collect::<Vec<u8>>())
    }

    fn read(&self, t: usize, arg: Arg, size: u32) -> u64 {
        let value = match arg {
            Arg::Number(number) => number as u64,
            Arg::Register(at, true) => self.registers[t][at] >> 8,
            Arg::Register(at, false) => self.registers[t][at],
            Arg::Memory(location, offset) => {
                self.load(t, LOCATIONS[location].first + offset as usize, size)
            }
        };
        value & mask(size)
    }

    fn write(&mut self, t: usize, arg: Arg, size: u32, value: u64) {
        let value = value & mask(size);
        match arg {
            Arg::Register(at, is_high) => {
                let register = &mut self.registers[t][at];
                let by = if is_high { 8 } else { 0 };
                *register = match size {
                    4 | 8 => value,
                    _ => *register & !(mask(size) << by) | value << by,
                };
            }
            Arg::Memory(location, offset) => {
                let first = LOCATIONS[location].first + offset as usize;
                let bytes = value.to_le_bytes()[..size as usize].to_vec();
                self.buffers[t].push((first, bytes));
            }
            Arg::Number(_) => {}
        }
    }

    /// The oldest store of a thread reaches memory.
    fn drain(&mut self, t: usize) {
        if self.buffers[t].is_empty() {
            return;
        }
        let (first, bytes) = self.buffers[t].remove(0);
        self.memory[first..first + bytes.len()].copy_from_slice(&bytes);
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

/// The next step of a thread; `None` if it has to wait.
fn step(before: &World, t: usize, instr: &Instr) -> Option<World> {
    let mut world = before.clone();
    let size = instr.size;
    let in_memory = |at: usize| matches!(instr.args.get(at), Some(Arg::Memory(..)));
    let waits = instr.op == Op::Mfence
        || (instr.is_locked && (instr.op != Op::Xchg || in_memory(0) || in_memory(1)));
    if waits && !world.buffers[t].is_empty() {
        return None;
    }
    let changes = matches!(
        instr.op,
        Op::Xadd | Op::Cmpxchg | Op::Unary(_) | Op::Binary(_)
    );
    if changes && !instr.is_locked && in_memory(0) && world.read[t].is_none() {
        world.read[t] = Some(world.read(t, instr.args[0], size));
        return Some(world);
    }
    world.at[t] += 1;
    let arg = |at: usize| instr.args[at];
    let first = |world: &mut World| match world.read[t].take() {
        Some(value) => value,
        None => world.read(t, instr.args[0], size),
    };
    match instr.op {
        Op::Mov => {
            let value = world.read(t, arg(1), size);
            world.write(t, arg(0), size, value);
        }
        Op::Extend(is_signed, to) => {
            let value = world.read(t, arg(1), size);
            let value = if is_signed {
                signed(value, size) as u64
            } else {
                value
            };
            world.write(t, arg(0), to, value);
        }
        Op::Xchg => {
            let (a, b) = (world.read(t, arg(0), size), world.read(t, arg(1), size));
            world.write(t, arg(0), size, b);
            world.write(t, arg(1), size, a);
        }
        Op::Xadd => {
            let (a, b) = (first(&mut world), world.read(t, arg(1), size));
            let sum = a.wrapping_add(b) & mask(size);
            world.flags[t] = (sum, 0, size);
            world.write(t, arg(1), size, a);
            world.write(t, arg(0), size, sum);
        }
        Op::Cmpxchg => {
            let accumulator = Arg::Register(0, false);
            let expected = world.read(t, accumulator, size);
            let (old, desired) = (first(&mut world), world.read(t, arg(1), size));
            world.flags[t] = (expected, old, size);
            if old == expected {
                world.write(t, arg(0), size, desired);
            } else {
                world.write(t, arg(0), size, old);
                world.write(t, accumulator, size, old);
            }
        }
        Op::Unary(which) => {
            let old = first(&mut world);
            let new = match which {
                0 => old.wrapping_add(1),
                1 => old.wrapping_sub(1),
                2 => old.wrapping_neg(),
                _ => !old,
            } & mask(size);
            match which {
                0 | 1 => world.flags[t] = (new, 0, size),
                2 => world.flags[t] = (0, old, size),
                _ => {}
            }
            world.write(t, arg(0), size, new);
        }
        Op::Binary(which) => {
            let (old, with) = (first(&mut world), world.read(t, arg(1), size));
            let new = match which {
                0 => old.wrapping_add(with),
                1 => old.wrapping_sub(with),
                2 => old ^ with,
                3 => old & with,
                _ => old | with,
            } & mask(size);
            world.flags[t] = if which == 1 {
                (old, with, size)
            } else {
                (new, 0, size)
            };
            world.write(t, arg(0), size, new);
        }
        Op::Cmp => {
            world.flags[t] = (
                world.read(t, arg(0), size),
                world.read(t, arg(1), size),
                size,
            );
        }
        Op::Test => {
            let both = world.read(t, arg(0), size) & world.read(t, arg(1), size);
            world.flags[t] = (both, 0, size);
        }
        Op::Jump(condition) => {
            if condition.holds(world.flags[t]) {
                world.at[t] += 1;
            }
        }
        Op::Mfence => {}
    }
    if waits {
        world.drain(t);
    }
    Some(world)
}

/// All final configurations, with buffers or without.
pub fn finals(threads: &[Vec<Instr>; 2], init: &[i64], buffered: bool) -> Vec<World> {
    let mut memory = [0; MEMORY];
    for (location, value) in LOCATIONS.iter().zip(init) {
        let bytes = &value.to_le_bytes()[..location.bytes as usize];
        memory[location.first..][..bytes.len()].copy_from_slice(bytes);
    }
    let start = World {
        memory,
        registers: Default::default(),
        buffers: Default::default(),
        at: [0; 2],
        read: [None; 2],
        flags: [(0, 0, 1); 2],
    };
    let mut seen = HashSet::from([start.clone()]);
    let mut work = vec![start];
    let mut ends = Vec::new();
    while let Some(world) = work.pop() {
        let mut next = Vec::new();
        for (t, code) in threads.iter().enumerate() {
            if let Some(instr) = code.get(world.at[t])
                && let Some(mut after) = step(&world, t, instr)
            {
                if !buffered {
                    after.drain(t);
                }
                next.push(after);
            }
            if !world.buffers[t].is_empty() {
                let mut after = world.clone();
                after.drain(t);
                next.push(after);
            }
        }
        if next.is_empty() {
            ends.push(world);
            continue;
        }
        next.retain(|world| seen.insert(world.clone()));
        work.extend(next);
    }
    ends
}
