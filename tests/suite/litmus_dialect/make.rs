//! Random threads in the dialect, as operations and as text.

use std::fmt::Write as _;

/// A value: a number, or the address of this cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    Number(i32),
    Address(usize),
}

pub const ZERO: Value = Value::Number(0);

/// Two cells with numbers, then two with addresses.
pub const CELLS: [&str; 4] = ["x", "y", "p", "q"];

/// What is stored or compared.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    Constant(Value),
    /// A register, by its number.
    Register(usize),
}

/// Registers are assigned at most once, and named `r` and their number.
#[derive(Clone, Debug)]
pub enum Op {
    Load {
        into: usize,
        cell: usize,
    },
    Store {
        cell: usize,
        value: Operand,
    },
    Exchange {
        into: usize,
        cell: usize,
        value: Operand,
    },
    /// Loads from an address, unless that is 0.
    Follow {
        into: usize,
        address: usize,
    },
    /// Stores to an address, unless that is 0.
    Through {
        address: usize,
        value: Operand,
    },
    /// Whether a register holds this.
    Compare {
        into: usize,
        register: usize,
        with: Operand,
    },
    /// Loads, with a dependency on a register that is none.
    Depending {
        into: usize,
        cell: usize,
    },
    /// Stores if a register is not 0.
    If {
        register: usize,
        cell: usize,
        value: Operand,
    },
    Fence,
    StoreFence,
}

pub struct Thread {
    pub ops: Vec<Op>,
    pub text: String,
    /// Of each register, whether it holds addresses.
    pub addresses: Vec<bool>,
}

/// A source of choices.
pub struct Draw<'d> {
    pub numbers: std::slice::Iter<'d, usize>,
}

impl Draw<'_> {
    pub fn below(&mut self, bound: usize) -> usize {
        self.numbers.next().copied().unwrap_or(0) % bound
    }
}

impl Thread {
    fn new() -> Self {
        Self {
            ops: Vec::new(),
            text: String::new(),
            addresses: Vec::new(),
        }
    }

    fn register(&mut self, address: bool) -> usize {
        self.addresses.push(address);
        self.addresses.len() - 1
    }

    /// A register that holds such values, if there is one.
    fn some(&self, address: bool, draw: &mut Draw<'_>) -> Option<usize> {
        let all: Vec<usize> = (0..self.addresses.len())
            .filter(|&r| self.addresses[r] == address)
            .collect();
        let at = draw.below(all.len().max(1));
        all.get(at).copied()
    }

    /// A value for a cell with addresses or numbers, and its text.
    fn operand(&self, address: bool, draw: &mut Draw<'_>) -> (Operand, String) {
        if draw.below(3) == 0
            && let Some(r) = self.some(address, draw)
        {
            return (Operand::Register(r), format!("r{r}"));
        }
        if address {
            let to = draw.below(2);
            let text = [CELLS[to].to_owned(), format!("(intptr_t){}", CELLS[to])];
            let constant = Operand::Constant(Value::Address(to));
            return (constant, text[draw.below(2)].clone());
        }
        let number = draw.below(3) as i32;
        let constant = Operand::Constant(Value::Number(number));
        (constant, number.to_string())
    }

    /// The beginning of an assignment to a register, with a declaration or without one.
    fn target(&self, r: usize, draw: &mut Draw<'_>) -> String {
        let ty = match (self.addresses[r], draw.below(4)) {
            (_, 0 | 1) => "",
            (false, _) => "int ",
            (true, 2) => "intptr_t ",
            (true, _) => "int *",
        };
        format!("{ty}r{r}")
    }

    fn push(&mut self, op: Op, line: &str) {
        self.ops.push(op);
        writeln!(self.text, "  {line}").expect("strings grow");
    }

    fn statement(&mut self, draw: &mut Draw<'_>) {
        let cell = draw.below(4);
        let name = CELLS[cell];
        let is_address = cell >= 2;
        match draw.below(12) {
            0 | 1 => {
                let into = self.register(is_address);
                let target = self.target(into, draw);
                let load = Op::Load { into, cell };
                self.push(load, &format!("{target} = READ_ONCE(*{name});"));
            }
            2 | 3 => {
                let (value, text) = self.operand(is_address, draw);
                self.push(
                    Op::Store { cell, value },
                    &format!("WRITE_ONCE(*{name}, {text});"),
                );
            }
            4 => {
                let (value, text) = self.operand(is_address, draw);
                let into = self.register(is_address);
                let target = self.target(into, draw);
                self.push(
                    Op::Exchange { into, cell, value },
                    &format!("{target} = xchg({name}, {text});"),
                );
            }
            5 | 6 => {
                if let Some(address) = self.some(true, draw) {
                    let into = self.register(false);
                    self.push(
                        Op::Follow { into, address },
                        &format!("if (r{address}) {{ r{into} = READ_ONCE(*(int *)r{address}); }}"),
                    );
                }
            }
            7 => {
                if let Some(address) = self.some(true, draw) {
                    let (value, text) = self.operand(false, draw);
                    let line =
                        format!("if (r{address} != 0) WRITE_ONCE(*((int *)r{address}), {text});");
                    self.push(Op::Through { address, value }, &line);
                }
            }
            8 => {
                let address = draw.below(2) == 0;
                if let Some(register) = self.some(address, draw) {
                    let (with, text) = self.operand(address, draw);
                    let into = self.register(false);
                    let target = self.target(into, draw);
                    let compare = Op::Compare {
                        into,
                        register,
                        with,
                    };
                    self.push(compare, &format!("{target} = r{register} == {text};"));
                }
            }
            9 => {
                if let Some(on) = self.some(false, draw) {
                    let (cell, into) = (draw.below(2), self.register(false));
                    let target = self.target(into, draw);
                    let (name, zero) = (CELLS[cell], ["r ^ r", "r & 0", "r - r"][draw.below(3)]);
                    let zero = zero.replace('r', &format!("r{on}"));
                    let load = Op::Depending { into, cell };
                    self.push(
                        load,
                        &format!("{target} = READ_ONCE(*({name} + ({zero})));"),
                    );
                }
            }
            10 => {
                if let Some(register) = self.some(draw.below(2) == 0, draw) {
                    let (value, text) = self.operand(is_address, draw);
                    let line = format!("if (r{register}) {{ WRITE_ONCE(*{name}, {text}); }}");
                    let store = Op::If {
                        register,
                        cell,
                        value,
                    };
                    self.push(store, &line);
                }
            }
            _ => match draw.below(2) {
                0 => self.push(Op::Fence, "smp_mb(); // all of it"),
                _ => self.push(Op::StoreFence, "smp_wmb(); /* stores */"),
            },
        }
    }
}

pub fn threads(numbers: &[Vec<usize>]) -> Vec<Thread> {
    let drawn = numbers.iter().map(|numbers| {
        let mut draw = Draw {
            numbers: numbers.iter(),
        };
        let mut thread = Thread::new();
        for _ in 0..2 + draw.below(3) {
            thread.statement(&mut draw);
        }
        thread
    });
    drawn.collect()
}
