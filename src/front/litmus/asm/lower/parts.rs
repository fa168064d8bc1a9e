//! Whole values in tests with accesses of several sizes: registers, memory, arithmetic.
//!
//! ```text
//!   RAX = rax.high:rax.low        EAX = rax.low        AH = rax.low >> 8 & 255
//!   movl (x),%eax                 WordBegin; load x+0; load x+1; load x+2; AtomicEnd;
//!                                 rax.high = 0; rax.low = x+0 | x+1 << 8 | x+2 << 16
//! ```
//!
//! A value of 8 or 16 bits is a number without sign. One of 64 bits consists of two halves, as do the registers
//! that hold it. Addresses are numbers of the program, whatever their size.

use super::super::super::memory::parts::{Part, bits, part};
use super::super::super::memory::{Memory, Value};
use super::super::super::types::Size;
use super::super::instruction::{Arithmetic, Mem, Reg};
use super::super::thread::{RegisterUse, Target};
use super::{BinaryOp, E, Expr, Held, Lowering, Op, ProgramBuilder, RegId, ThreadId, sum};
use crate::program::Overlap;
use crate::text::Diagnostic;

/// A value: all of it, or two halves.
#[derive(Clone)]
pub(super) struct Whole {
    pub(super) low: E,
    /// The upper half of 64 bits that are no address.
    pub(super) high: Option<E>,
}

/// What an access accesses.
#[derive(Clone)]
pub(super) enum Place {
    /// These cells, the least significant first.
    Cells(Vec<Part>),
    /// The cell at this address.
    Computed(E),
}

impl From<E> for Whole {
    fn from(low: E) -> Self {
        Self { low, high: None }
    }
}

/// The bits of a value of this size that a cell or register of 32 bits has.
fn mask(size: Size) -> i32 {
    match size {
        Size::Byte => 0xff,
        Size::Word => 0xffff,
        Size::Long | Size::Quad => -1,
    }
}

/// `e` as a number of this size without sign.
fn masked(e: E, size: Size) -> E {
    match (mask(size), e) {
        (-1, e) => e,
        (mask, Expr::Const(value)) => Expr::Const(value & mask),
        (mask, e) => Expr::binary(BinaryOp::BitAnd, e, Expr::Const(mask)),
    }
}

fn shifted(op: BinaryOp, e: E, by: u32) -> E {
    match (by, e) {
        (0, e) => e,
        (by, Expr::Const(value)) => Expr::Const(op.apply(value, by as i32)),
        (by, e) => Expr::binary(op, e, Expr::Const(by as i32)),
    }
}

/// Whether the first is less, as numbers without sign.
fn below(a: E, b: E) -> E {
    let flip = |e: E| Expr::binary(BinaryOp::BitXor, e, Expr::Const(i32::MIN));
    Expr::binary(BinaryOp::Lt, flip(a), flip(b))
}

impl Whole {
    /// A number.
    ///
    /// # Errors
    ///
    /// If it does not fit.
    pub(super) fn number(number: i64, size: Size) -> Result<Self, String> {
        let bits = bits(number, size.bytes())?;
        let half = |first| Expr::Const(part(bits, first, size.bytes().min(4)));
        let high = (size == Size::Quad).then(|| half(4));
        Ok(Self { low: half(0), high })
    }

    /// Whether they are equal. An address has one half, and so has what it is compared with.
    pub(super) fn equals(&self, other: &Self) -> E {
        let equal = |a: &E, b: &E| Expr::binary(BinaryOp::Eq, a.clone(), b.clone());
        let low = equal(&self.low, &other.low);
        match (&self.high, &other.high) {
            (Some(a), Some(b)) => Expr::binary(BinaryOp::And, low, equal(a, b)),
            (_, _) => low,
        }
    }

    /// This value if `c`, otherwise the other.
    pub(super) fn if_or(self, c: &E, other: Self) -> Self {
        let choose = |(a, b): (E, E)| Expr::conditional(c.clone(), a, b);
        Self {
            low: choose((self.low, other.low)),
            high: self.high.zip(other.high).map(choose),
        }
    }

    /// The result of arithmetic of this size.
    pub(super) fn with(self, op: Arithmetic, other: Self, size: Size) -> Self {
        let low = sum(op, self.low.clone(), other.low.clone());
        let high = self.high.zip(other.high).map(|(a, b)| {
            let high = sum(op, a, b);
            match op {
                // The lower halves overflow if their sum is less than either of them.
                Arithmetic::Add => sum(op, high, below(low.clone(), self.low)),
                Arithmetic::Sub => sum(op, high, below(self.low, other.low)),
                Arithmetic::Xor | Arithmetic::And | Arithmetic::Or => high,
            }
        });
        let low = masked(low, size);
        Self { low, high }
    }

    /// The value that MOVSX makes of one of this size.
    pub(super) fn sign_extended(self, from: Size, to: Size) -> Self {
        let by = 32 - 8 * from.bytes().min(4);
        let low = shifted(BinaryOp::Shl, self.low, by);
        let low = shifted(BinaryOp::Shr, low, by);
        let high = (to == Size::Quad).then(|| shifted(BinaryOp::Shr, low.clone(), 31));
        let low = masked(low, to);
        Self { low, high }
    }

    /// Two numbers of 32 bits that are in the same order as these values, with sign and without.
    ///
    /// The sign of their difference is that of the values' difference, except for 64 bits.
    pub(super) fn compared(self, other: Self, size: Size) -> (E, E) {
        let (Some(a), Some(b)) = (self.high, other.high) else {
            // The uppermost bits have to be the sign.
            let by = match size {
                Size::Byte | Size::Word => 32 - 8 * size.bytes(),
                Size::Long | Size::Quad => 0,
            };
            let [a, b] = [self.low, other.low].map(|e| shifted(BinaryOp::Shl, e, by));
            return (a, b);
        };
        // The upper halves decide if they differ, and otherwise the lower ones, which have no sign.
        let differ = Expr::binary(BinaryOp::Ne, a.clone(), b.clone());
        let (more, less) = (
            below(other.low.clone(), self.low.clone()),
            below(self.low, other.low),
        );
        let choose = |high, low| Expr::conditional(differ.clone(), high, low);
        (choose(a, more), choose(b, less))
    }

    /// A part of it, `offset` bytes after its first one.
    fn part(&self, offset: u32, bytes: u32) -> E {
        let half = match (offset, &self.high) {
            (4.., Some(high)) => high,
            (_, _) => &self.low,
        };
        if bytes >= 4 {
            return half.clone();
        }
        let bits = shifted(BinaryOp::Shr, half.clone(), 8 * (offset % 4));
        let mask = (1 << (8 * bytes)) - 1;
        match bits {
            Expr::Const(value) => Expr::Const(value & mask),
            bits @ (Expr::Var(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(_)) => {
                Expr::binary(BinaryOp::BitAnd, bits, Expr::Const(mask))
            }
        }
    }

    /// The value of these parts.
    fn of_parts(parts: &[(Part, E)]) -> Self {
        let first = parts.first().map_or(0, |(part, _)| part.offset);
        let joined = |half: u32| {
            let within = parts.iter().filter_map(|(part, e)| {
                let offset = part.offset - first;
                let shift = 8 * (offset % 4);
                (offset / 4 == half).then(|| shifted(BinaryOp::Shl, e.clone(), shift))
            });
            within.reduce(|a, b| Expr::binary(BinaryOp::BitOr, a, b))
        };
        Self {
            low: joined(0).unwrap_or(Expr::Const(0)),
            high: joined(1),
        }
    }
}

/// Declares the registers that hold one of the machine.
pub(super) fn declare(
    (register, is_wide): (&RegisterUse, bool),
    (thread, name): (ThreadId, &str),
    memory: &Memory,
    builder: &mut ProgramBuilder,
    diagnostics: &mut Vec<Diagnostic>,
) -> Held {
    let value = match &register.init {
        None => Ok(0),
        Some((Value::Number(number), _)) => bits(*number, if is_wide { 8 } else { 4 }),
        Some((value @ Value::Address(_), _)) => {
            memory.value(value, Size::Quad).map(|value| value as u64)
        }
    };
    let value = value.unwrap_or_else(|message| {
        let span = register
            .init
            .as_ref()
            .map_or(0..0, |(_, span)| span.clone());
        diagnostics.push(Diagnostic::error(message, span));
        0
    });
    let (low, high) = (part(value, 0, 4), part(value, 4, 4));
    if is_wide {
        let low = builder.register(thread, format!("{name}.low"), low);
        let high = builder.register(thread, format!("{name}.high"), high);
        let high = Some(high);
        return Held { low, high };
    }
    let low = builder.register(thread, name, low);
    Held { low, high: None }
}

impl Lowering<'_> {
    /// The value of a register or of a part of it.
    pub(super) fn read(&self, reg: Reg) -> Whole {
        let held = self.registers[&reg.number];
        let low = shifted(BinaryOp::Shr, Expr::Var(held.low), reg.bit.into());
        let high = held.high.filter(|_| reg.size == Size::Quad);
        Whole {
            low: masked(low, reg.size),
            high: high.map(Expr::Var),
        }
    }

    /// Writes to a register or to a part of it: 32 bits clear the upper half, and 8 or 16 bits leave the others.
    ///
    /// A lower half never depends on an upper one, so the upper ones are written first.
    pub(super) fn write(&self, reg: Reg, value: Whole, ops: &mut Vec<Op>) {
        let held = self.registers[&reg.number];
        let into = held.low;
        if matches!(reg.size, Size::Byte | Size::Word) {
            let others = Expr::Const(!(mask(reg.size) << reg.bit));
            let others = Expr::binary(BinaryOp::BitAnd, Expr::Var(into), others);
            let own = shifted(BinaryOp::Shl, value.low, reg.bit.into());
            let value = Expr::binary(BinaryOp::BitOr, others, own);
            ops.push(Op::Assign { into, value });
            return;
        }
        if let Some(into) = held.high {
            let value = value.high.unwrap_or(Expr::Const(0));
            ops.push(Op::Assign { into, value });
        }
        let value = value.low;
        ops.push(Op::Assign { into, value });
    }

    /// A register that holds a value until the instruction ends.
    fn kept_register(&mut self) -> RegId {
        if self.in_use == self.kept.len() {
            let name = format!("$part{}", self.in_use);
            self.kept.push(self.builder.register(self.id, name, 0));
        }
        self.in_use += 1;
        self.kept[self.in_use - 1]
    }

    /// The same value, whatever is written afterwards.
    pub(super) fn keep(&mut self, value: Whole, ops: &mut Vec<Op>) -> Whole {
        let mut keep = |value: E| {
            let into = self.kept_register();
            ops.push(Op::Assign { into, value });
            Expr::Var(into)
        };
        Whole {
            low: keep(value.low),
            high: value.high.map(keep),
        }
    }

    /// What an operand of this size accesses.
    pub(super) fn accessed(&self, mem: &Mem, size: Size) -> Option<Place> {
        let target = self.thread.place(mem, self.memory)?;
        Some(match target {
            Target::Region(region) => {
                let first = u32::try_from(mem.offset()).ok()?;
                Place::Cells(self.memory.parts(region, first, size.bytes()).to_vec())
            }
            Target::Through(_) => Place::Computed(self.address(target)),
        })
    }

    /// Loads in one access.
    pub(super) fn load(&mut self, place: &Place, ops: &mut Vec<Op>) -> Whole {
        let is_word = place.is_word();
        ops.extend(is_word.then_some(Op::WordBegin(Overlap::Combine)));
        let value = self.load_in_block(place, ops);
        ops.extend(is_word.then_some(Op::AtomicEnd));
        value
    }

    /// Loads within an atomic block.
    pub(super) fn load_in_block(&mut self, place: &Place, ops: &mut Vec<Op>) -> Whole {
        let mut load = |addr: E| {
            let into = self.kept_register();
            ops.push(Op::Load { into, addr });
            Expr::Var(into)
        };
        match place {
            Place::Computed(addr) => load(addr.clone()).into(),
            Place::Cells(parts) => {
                let parts = parts.iter();
                let loaded = parts.map(|part| (*part, load(Expr::Const(part.cell.0))));
                Whole::of_parts(&loaded.collect::<Vec<_>>())
            }
        }
    }
}

impl Place {
    fn is_word(&self) -> bool {
        match self {
            Place::Cells(parts) => parts.len() > 1,
            Place::Computed(_) => false,
        }
    }

    /// The address, if it is a single cell.
    pub(super) fn cell(&self) -> Option<E> {
        match self {
            Place::Computed(addr) => Some(addr.clone()),
            Place::Cells(parts) => match parts[..] {
                [part] => Some(Expr::Const(part.cell.0)),
                _ => None,
            },
        }
    }

    /// Stores in one access.
    pub(super) fn store(&self, value: &Whole, ops: &mut Vec<Op>) {
        let is_word = self.is_word();
        ops.extend(is_word.then_some(Op::WordBegin(Overlap::Combine)));
        self.store_in_block(value, ops);
        ops.extend(is_word.then_some(Op::AtomicEnd));
    }

    /// Stores within an atomic block.
    pub(super) fn store_in_block(&self, value: &Whole, ops: &mut Vec<Op>) {
        match self {
            Place::Computed(addr) => ops.push(Op::Store {
                addr: addr.clone(),
                value: value.low.clone(),
            }),
            Place::Cells(parts) => {
                let first = parts.first().map_or(0, |part| part.offset);
                ops.extend(parts.iter().map(|part| Op::Store {
                    addr: Expr::Const(part.cell.0),
                    value: value.part(part.offset - first, part.bytes),
                }));
            }
        }
    }
}
