//! A thread as it was declared, and the checks before it becomes a [`Thread`]: ids resolve, and
//! atomic blocks are entered and left along every path. Also the checks of properties.

use super::BuildError;
use crate::program::{
    Addr, Copies, FIRST_ADDRESS, Fence, InstrId, Instruction, LocId, Location, Observable, Op,
    Origin, Property, RegId, Register, Thread, ThreadId,
};
use std::collections::HashSet;

#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) copies: Copies,
    pub(super) family: Option<ThreadId>,
    pub(super) registers: Vec<Register>,
    pub(super) locations: Vec<Location>,
    pub(super) instructions: Vec<Instruction>,
    pub(super) entry: Option<LocId>,
    pub(super) origin: Origin,
}

impl Draft {
    /// The finished thread. Appends what is wrong with it to `errors`.
    pub(super) fn finish(mut self, cells: usize, errors: &mut Vec<BuildError>) -> Thread {
        unique(
            self.registers
                .iter()
                .map(|register| (register.name.as_str(), self.origin)),
            "register",
            errors,
        );
        unique(
            self.locations
                .iter()
                .filter(|location| location.labelled)
                .map(|location| (location.name.as_str(), location.origin)),
            "label",
            errors,
        );
        self.name_locations();
        let entry = self.entry.unwrap_or_else(|| {
            errors.push(BuildError {
                message: format!("thread `{}` has no first instruction", self.name),
                origin: self.origin,
            });
            LocId(0)
        });
        let mut outgoing = vec![Vec::new(); self.locations.len()];
        for (i, instruction) in self.instructions.iter().enumerate() {
            if instruction.to.index() >= self.locations.len()
                || instruction.from.index() >= self.locations.len()
            {
                errors.push(BuildError {
                    message: "instruction at a location that does not exist".to_owned(),
                    origin: instruction.origin,
                });
                continue;
            }
            outgoing[instruction.from.index()].push(InstrId::from(i));
            if let Some(message) = defect(&instruction.op, self.registers.len(), cells) {
                errors.push(BuildError {
                    message,
                    origin: instruction.origin,
                });
            }
        }
        if entry.index() < self.locations.len() {
            self.mark_atomic(entry, &outgoing, errors);
        }
        Thread {
            name: self.name,
            copies: self.copies,
            family: self.family,
            registers: self.registers,
            locations: self.locations,
            instructions: self.instructions,
            entry,
            outgoing,
            origin: self.origin,
        }
    }

    fn name_locations(&mut self) {
        let taken: HashSet<String> = self
            .locations
            .iter()
            .filter(|location| location.labelled)
            .map(|location| location.name.clone())
            .collect();
        for (index, location) in self.locations.iter_mut().enumerate() {
            if !location.labelled {
                let mut name = format!("q{index}");
                while taken.contains(&name) {
                    name.push('_');
                }
                location.name = name;
            }
        }
    }

    /// Finds which locations lie inside atomic blocks, along all paths from the entry.
    fn mark_atomic(
        &mut self,
        entry: LocId,
        outgoing: &[Vec<InstrId>],
        errors: &mut Vec<BuildError>,
    ) {
        let mut inside: Vec<Option<bool>> = vec![None; self.locations.len()];
        inside[entry.index()] = Some(false);
        let mut work = vec![entry];
        while let Some(loc) = work.pop() {
            let here = inside[loc.index()] == Some(true);
            for &instr in &outgoing[loc.index()] {
                let instruction = &self.instructions[instr.index()];
                let op = &instruction.op;
                let there = op.is_in_block_after(here);
                let message = if *op == Op::AtomicBegin && here {
                    Some("atomic block inside an atomic block")
                } else if *op == Op::AtomicEnd && !here {
                    Some("end of an atomic block that was not entered")
                } else if *op == Op::Fence(Fence::All) && here {
                    Some("`barrier all` cannot stand inside an atomic block")
                } else {
                    None
                };
                if let Some(message) = message {
                    errors.push(BuildError {
                        message: message.to_owned(),
                        origin: instruction.origin,
                    });
                }
                let target = &mut inside[instruction.to.index()];
                match *target {
                    None => {
                        *target = Some(there);
                        work.push(instruction.to);
                    }
                    Some(before) if before != there => errors.push(BuildError {
                        message: format!(
                            "location `{}` is reached both inside and outside an atomic block",
                            self.locations[instruction.to.index()].name
                        ),
                        origin: instruction.origin,
                    }),
                    Some(_) => {}
                }
            }
        }
        for (location, inside) in self.locations.iter_mut().zip(inside) {
            location.atomic = inside == Some(true);
        }
    }
}

/// Reports names that are declared twice.
pub(super) fn unique<'a>(
    names: impl Iterator<Item = (&'a str, Origin)>,
    what: &str,
    errors: &mut Vec<BuildError>,
) {
    let mut seen = HashSet::new();
    for (name, origin) in names {
        if !seen.insert(name) {
            errors.push(BuildError {
                message: format!("{what} `{name}` is declared twice"),
                origin,
            });
        }
    }
}

fn defect(op: &Op, registers: usize, cells: usize) -> Option<String> {
    let known = |reg: RegId| reg.index() < registers;
    if op.target().is_some_and(|reg| !known(reg))
        || op
            .operands()
            .iter()
            .any(|e| e.vars().into_iter().any(|reg| !known(reg)))
    {
        return Some("instruction with a register that does not exist".to_owned());
    }
    if let Op::Havoc { low, high, .. } = op
        && low > high
    {
        return Some(format!("there is no value between {low} and {high}"));
    }
    match op.fence()? {
        Fence::Cells(addrs) => {
            let sorted = addrs.windows(2).all(|pair| pair[0] < pair[1]);
            let real = addrs.iter().all(|&addr| is_cell(addr, cells));
            (!sorted || !real || addrs.is_empty())
                .then(|| "a lightweight fence needs distinct shared cells".to_owned())
        }
        Fence::Full | Fence::Store | Fence::All => None,
    }
}

fn is_cell(addr: Addr, cells: usize) -> bool {
    addr.0 >= FIRST_ADDRESS && addr.index() < cells
}

/// Reports what is wrong with a property.
pub(super) fn check_predicate(
    property: &Property,
    threads: &[Thread],
    cells: usize,
    errors: &mut Vec<BuildError>,
) {
    let mut complain = |message: String| {
        errors.push(BuildError {
            message,
            origin: property.origin,
        });
    };
    if !property.predicate.divides_by_constants_only() {
        complain("`/` and `%` need a nonzero constant as their right operand".to_owned());
    }
    for observable in property.predicate.vars() {
        let thread = match observable {
            Observable::Register(thread, _) | Observable::At(thread, _) => {
                threads.get(thread.index())
            }
            Observable::Cell(addr) => {
                if !is_cell(addr, cells) {
                    complain(format!("address {} is not a shared cell", addr.0));
                }
                continue;
            }
        };
        let Some(thread) = thread else {
            complain("property of a thread that does not exist".to_owned());
            continue;
        };
        match observable {
            Observable::Register(_, reg) if reg.index() >= thread.registers.len() => {
                complain("property of a register that does not exist".to_owned());
            }
            Observable::At(_, loc) if loc.index() >= thread.locations.len() => {
                complain("property of a location that does not exist".to_owned());
            }
            Observable::At(_, loc) if thread.location(loc).atomic => complain(format!(
                "no thread halts at `{}`: it is inside an atomic block",
                thread.location(loc).name
            )),
            Observable::Register(..) | Observable::At(..) | Observable::Cell(_) => {}
        }
    }
}
