//! Which locations of a thread are inside atomic blocks (`lock`), and which inside accesses of several cells
//! (`lock word`). Both end with `unlock`, and every path to a location is inside of the same.
//!
//! An access of several cells is a straight line of loads, or of stores, between which registers may be computed. Its
//! cells are at most 8, upwards from the first, at distances that the text shows: the addresses are sums that
//! differ in constants only, and no register in it is written on the way. So all cells of an access are known as
//! soon as one of them is.

use super::{Instruction, Op, Thread};
use crate::Refusal;
use crate::expr::{Binary, Expr, Var};

/// An access has at most this many cells, and its last cell is nearer to its first than this.
const MOST_PARTS: usize = 8;

/// A location inside an access of several cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Word {
    /// How far the cell that is accessed here is from the first one; of no meaning if none is.
    pub(crate) distance: usize,
    /// For each cell the bit of its distance from the first one.
    pub(crate) bits: u8,
}

/// What a location is inside of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Inside {
    Nothing,
    Block,
    Word,
}

impl Inside {
    /// After an instruction; `None` if it cannot be here.
    fn after(self, op: &Op) -> Option<Self> {
        let (is_allowed, after) = match op {
            Op::Lock => (self == Inside::Nothing, Inside::Block),
            Op::Word(_) => (self == Inside::Nothing, Inside::Word),
            Op::Barrier => (self == Inside::Nothing, self),
            Op::Unlock => (self != Inside::Nothing, Inside::Nothing),
            Op::Choose(..)
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Locked(..)
            | Op::Fence
            | Op::LightFence(_) => (self != Inside::Word, self),
            Op::Skip | Op::Assign(..) | Op::Load(..) | Op::Store(..) => (true, self),
        };
        is_allowed.then_some(after)
    }
}

impl Thread {
    /// Finds what each location is inside of. Refuses blocks that do not match, and accesses that are not of the form
    /// above.
    pub(super) fn find_blocks(&mut self) -> Result<(), Refusal> {
        let mut known: Vec<Option<Inside>> = vec![None; self.locations.len()];
        known[self.entry] = Some(Inside::Nothing);
        let mut work = vec![self.entry];
        while let Some(at) = work.pop() {
            let here = known[at].unwrap_or(Inside::Nothing);
            for &number in &self.leaving[at] {
                let Instruction { op, to, .. } = &self.instructions[number];
                let after = here.after(op);
                let after = after.ok_or_else(|| self.badly_locked(at))?;
                match known[*to] {
                    None => {
                        known[*to] = Some(after);
                        work.push(*to);
                    }
                    Some(other) if other != after => return Err(self.badly_locked(*to)),
                    Some(_) => {}
                }
            }
        }
        let is_in = |inside: &Option<Inside>| matches!(inside, Some(Inside::Block | Inside::Word));
        self.inside = known.iter().map(is_in).collect();
        self.words = vec![None; self.locations.len()];
        // How many instructions lead to a location of an access; none to another one. What no path leads to is
        // never executed.
        let mut ways = vec![0_usize; self.locations.len()];
        let mut begins = Vec::new();
        for instruction in &self.instructions {
            let to = instruction.to;
            if known[instruction.from].is_some() && known[to] == Some(Inside::Word) {
                ways[to] += 1;
                begins.extend(matches!(instruction.op, Op::Word(_)).then_some(to));
            }
        }
        for begin in begins {
            self.follow(begin, &ways)
                .ok_or_else(|| self.badly_accessed(begin))?;
        }
        Ok(())
    }

    /// Follows an access from its first location to its end; `None` if it is not of the form above.
    fn follow(&mut self, begin: usize, ways: &[usize]) -> Option<()> {
        let mut at = begin;
        let mut line: Vec<(usize, usize)> = Vec::new();
        let mut first: Option<(&Expr, bool)> = None;
        let mut written = Vec::new();
        let mut bits = 0_u8;
        while ways[at] > 0 {
            // One instruction leads here, and one leads on.
            let [number] = self.leaving[at][..] else {
                return None;
            };
            if ways[at] > 1 {
                return None;
            }
            let instruction = &self.instructions[number];
            let mut distance = 0;
            if let Some((address, writes)) = instruction.op.access() {
                let &mut (start, all_write) = first.get_or_insert((address, writes));
                let changes = |var| matches!(var, Var::Own(reg) if written.contains(&reg));
                let mut same = all_write == writes;
                address.each_var(&mut |var| same &= !changes(var));
                distance = apart(start, address).filter(|_| same)?;
                // Upwards: above all cells so far.
                if distance >= MOST_PARTS || bits >> distance != 0 {
                    return None;
                }
                bits |= 1 << distance;
            }
            line.push((at, distance));
            written.extend(instruction.op.writes_register());
            at = instruction.to;
        }
        for (at, distance) in line {
            self.words[at] = Some(Word { distance, bits });
        }
        Some(())
    }

    fn badly_locked(&self, at: usize) -> Refusal {
        let (thread, at) = (&self.name, &self.locations[at]);
        Refusal::unreadable(format!(
            "thread {thread}: atomic blocks do not match at {at}"
        ))
    }

    fn badly_accessed(&self, at: usize) -> Refusal {
        let (thread, at) = (&self.name, &self.locations[at]);
        Refusal::unreadable(format!(
            "thread {thread}: no access of several cells begins at {at}: no straight line of loads, or of stores, of at \
             most {MOST_PARTS} cells after each other"
        ))
    }
}

/// How far the second address is after the first; `None` if that cannot be told, or it is before.
fn apart(first: &Expr, second: &Expr) -> Option<usize> {
    let (mut from, mut to) = ((Vec::new(), 0_i32), (Vec::new(), 0_i32));
    sum(first, &mut from);
    sum(second, &mut to);
    for part in from.0 {
        let same = to.0.iter().position(|other| *other == part)?;
        to.0.remove(same);
    }
    let distance = to.1.wrapping_sub(from.1);
    usize::try_from(distance).ok().filter(|_| to.0.is_empty())
}

/// An address as expressions and a number that are added.
fn sum<'e>(address: &'e Expr, (parts, number): &mut (Vec<&'e Expr>, i32)) {
    match address {
        Expr::Number(own) => *number = number.wrapping_add(*own),
        Expr::Binary(Binary::Add, a, b) => {
            let mut both = (std::mem::take(parts), *number);
            sum(a, &mut both);
            sum(b, &mut both);
            (*parts, *number) = both;
        }
        Expr::Var(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::If(_) => parts.push(address),
    }
}
