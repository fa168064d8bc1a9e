//! A thread as it was declared, and the checks before it becomes a [`Thread`]: ids resolve, and
//! atomic blocks are entered and left along every path. Also the checks of properties.

use super::BuildError;
use crate::program::{
    Addr, BinaryOp, Copies, Expr, FIRST_ADDRESS, Fence, InstrId, Instruction, LocId, Location,
    Observable, Op, Origin, Property, RegId, Register, Thread, ThreadId,
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

    /// Finds which locations lie inside atomic blocks and word accesses, along all paths from the entry.
    fn mark_atomic(
        &mut self,
        entry: LocId,
        outgoing: &[Vec<InstrId>],
        errors: &mut Vec<BuildError>,
    ) {
        let mut inside: Vec<Option<Inside>> = vec![None; self.locations.len()];
        inside[entry.index()] = Some(Inside::Nothing);
        let mut work = vec![entry];
        while let Some(loc) = work.pop() {
            let here = inside[loc.index()].unwrap_or(Inside::Nothing);
            for &instr in &outgoing[loc.index()] {
                let instruction = &self.instructions[instr.index()];
                let op = &instruction.op;
                let there = here.after(op);
                let message = here.refuses(op);
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
            let inside = inside.unwrap_or(Inside::Nothing);
            location.atomic = inside != Inside::Nothing;
            location.word = matches!(inside, Inside::Word(_));
        }
        self.check_words(outgoing, errors);
    }

    /// Checks that word accesses are straight lines, and their cells next to each other: upwards, with gaps
    /// where a part that does not matter was left out.
    fn check_words(&self, outgoing: &[Vec<InstrId>], errors: &mut Vec<BuildError>) {
        let mut complain = |message: &str, origin| {
            errors.push(BuildError {
                message: message.to_owned(),
                origin,
            });
        };
        let begins = self.instructions.iter();
        for begin in begins.filter(|instruction| instruction.op.begins_word()) {
            let mut at = begin.to;
            let mut first: Option<&Expr<RegId>> = None;
            let mut next = 0;
            let mut written = Vec::new();
            // A sequence that goes on for more locations than there are is a loop.
            let mut left = self.locations.len();
            while self.locations[at.index()].word {
                let ([instr], 1..) = (&outgoing[at.index()][..], left) else {
                    complain(
                        "a word access is a sequence of instructions that ends",
                        begin.origin,
                    );
                    break;
                };
                left -= 1;
                let instruction = &self.instructions[instr.index()];
                if let Some(address) = instruction.op.address() {
                    let first = *first.get_or_insert(address);
                    let distance = distance(first, address);
                    let is_near =
                        distance.is_some_and(|d| (next..i32::from(MOST_PARTS)).contains(&d));
                    let is_same = address.vars().iter().all(|reg| !written.contains(reg));
                    if !(is_near && is_same) {
                        complain(
                            "the cells of a word access follow each other",
                            instruction.origin,
                        );
                        break;
                    }
                    next = distance.unwrap_or(0) + 1;
                }
                written.extend(instruction.op.target());
                at = instruction.to;
            }
        }
    }
}

/// What a location is inside of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Inside {
    Nothing,
    Block,
    Word(Word),
}

/// What was accessed so far in a word access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    Nothing,
    /// So many cells.
    Loads(u8),
    Stores(u8),
}

/// The most cells of a word access: 64 bits, byte by byte.
const MOST_PARTS: u8 = 8;

impl Inside {
    fn after(self, op: &Op) -> Self {
        match (self, op) {
            (_, Op::AtomicEnd) => Inside::Nothing,
            (_, Op::AtomicBegin) => Inside::Block,
            (_, Op::WordBegin(_)) => Inside::Word(Word::Nothing),
            (Inside::Word(word), Op::Load { .. }) => {
                Inside::Word(Word::Loads(word.count().saturating_add(1)))
            }
            (Inside::Word(word), Op::Store { .. }) => {
                Inside::Word(Word::Stores(word.count().saturating_add(1)))
            }
            (here, _) => here,
        }
    }

    /// What is wrong with the instruction here.
    fn refuses(self, op: &Op) -> Option<&'static str> {
        match (self, op) {
            (Inside::Nothing, Op::AtomicEnd) => Some("end of an atomic block that was not entered"),
            (Inside::Block, Op::AtomicBegin) => Some("atomic block inside an atomic block"),
            (Inside::Block, Op::WordBegin(_)) => Some("word access inside an atomic block"),
            (Inside::Block, Op::Fence(Fence::All)) => {
                Some("`barrier all` cannot stand inside an atomic block")
            }
            (Inside::Nothing | Inside::Block, _)
            | (Inside::Word(_), Op::Skip | Op::Assign { .. } | Op::AtomicEnd) => None,
            (Inside::Word(word @ (Word::Nothing | Word::Loads(_))), Op::Load { .. })
            | (Inside::Word(word @ (Word::Nothing | Word::Stores(_))), Op::Store { .. }) => {
                (word.count() == MOST_PARTS).then_some("a word access has at most 8 cells")
            }
            (Inside::Word(_), Op::Load { .. } | Op::Store { .. }) => {
                Some("a word access loads or stores, not both")
            }
            (
                Inside::Word(_),
                Op::Havoc { .. }
                | Op::Assume(_)
                | Op::Assert(_)
                | Op::Rmw { .. }
                | Op::Fence(_)
                | Op::AtomicBegin
                | Op::WordBegin(_),
            ) => Some("a word access consists of loads or of stores"),
        }
    }
}

/// How many cells the second address is after the first; `None` if that cannot be told.
fn distance(first: &Expr<RegId>, second: &Expr<RegId>) -> Option<i32> {
    let (mut a, mut b) = (Sum::default(), Sum::default());
    a.add(first);
    b.add(second);
    let mut others = b.terms;
    for term in a.terms {
        let same = others.iter().position(|&other| *other == *term)?;
        others.swap_remove(same);
    }
    let is_same = others.is_empty();
    is_same.then(|| b.number.wrapping_sub(a.number))
}

/// An address as a sum.
#[derive(Default)]
struct Sum<'e> {
    number: i32,
    terms: Vec<&'e Expr<RegId>>,
}

impl<'e> Sum<'e> {
    fn add(&mut self, e: &'e Expr<RegId>) {
        match e {
            Expr::Const(value) => self.number = self.number.wrapping_add(*value),
            Expr::Binary(BinaryOp::Add, a, b) => {
                self.add(a);
                self.add(b);
            }
            Expr::Var(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(_) => {
                self.terms.push(e);
            }
        }
    }
}

impl Word {
    fn count(self) -> u8 {
        match self {
            Word::Nothing => 0,
            Word::Loads(count) | Word::Stores(count) => count,
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
