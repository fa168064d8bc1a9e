//! Checks that depend on all objects of the program, which are known at the end of the walks only.
//!
//!   load       ─▶ load; assert(value ≠ unwritten)        if it may reach a cell that begins indeterminate
//!   access     ─▶ assert(address ≠ guard); access        if it may reach a guard
//!   access     ─▶ f ← freed mark; assert(f = 0); access  if it may reach a block that may be freed,
//!                                                        or a variable that may have ended
//!   p + n      ─▶ assert(both are in one run)            if the object is not known
//!   (T *)p     ─▶ limit(p points to a T)                 from `void *`, if not all cells are seen as `T`
//!   access     ─▶ limit(address), converted access       if its type is recast (`view`)
//!
//! An assumption of the same condition follows each assertion. An access by a known address needs no
//! check unless that cell does. Until the address of a block is a value at run time, only the thread
//! that allocated it can free it, by its name.

use super::Lowering;
use super::bitfield::any_rest;
use super::bounds::{Reach, between, inside, root};
use super::choices::by_classes;
use super::code::{Code, Instr, Loc};
use super::layout::bytes;
use super::lifetime::Variable;
use super::narrow::narrow;
use super::objects::{Object, Storage, of_library, runs};
use super::pointer::{LEAST, NUMBERS};
use super::value::{UNWRITTEN, Value, binary, c, not};
use super::view::{Rep, rep, unqualified};
use super::words::access::alone;
use crate::lower::typed::{LibraryType, Type, TypeKind};
use crate::program::{self, BinaryOp, Fault, Op, Ordering, RegId};
use std::ops::RangeInclusive;

type Bits = program::Expr<RegId>;

/// What happens to a value that is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reads {
    /// It is used, so it has to be there.
    Uses,
    /// It is copied with its structure.
    Copies,
    /// It is an integer of which other bits are replaced: these belong to bit-fields, too.
    Merges { others: u32 },
    /// It is that of a lock or the like, which has to be initialised.
    Prepared,
}

impl Reads {
    /// What is wrong if it is not there.
    pub(super) fn fault(self) -> Option<Fault> {
        match self {
            Reads::Uses => Some(Fault::Unwritten),
            Reads::Copies | Reads::Merges { .. } => None,
            Reads::Prepared => Some(Fault::NotInitialised),
        }
    }
}

/// An access of a scalar.
#[derive(Debug)]
pub(super) struct Access {
    /// The index of the instruction.
    pub(super) instr: usize,
    /// What it accesses; `None` if that may be anything.
    pub(super) of: Option<Type>,
    /// How that is represented; `None` for locks and the like.
    pub(super) rep: Option<Rep>,
    pub(super) reads: Reads,
    /// The access of a word that it is a part of.
    pub(super) word: Option<usize>,
    /// Whether it is one of a block that no other thread can know yet.
    pub(super) is_private: bool,
    /// The variables in memory that certainly live there.
    pub(super) alive: Vec<Variable>,
}

impl Access {
    /// The instructions before and after which it is checked: those around the word that it is a part of.
    pub(super) fn ends(&self, code: &Code) -> (usize, usize) {
        let word = self.word.map(|word| code.words[word]);
        word.unwrap_or((self.instr, self.instr))
    }
}

/// Two steps in a row that await their instructions, by the index of the first.
#[derive(Debug)]
pub(super) struct Gap {
    pub(super) instr: usize,
    pub(super) question: Question,
}

#[derive(Debug)]
pub(super) enum Question {
    /// Is a pointer to elements of this type and size moved inside a run?
    Moved {
        from: Bits,
        to: Bits,
        number: Value,
        of: Type,
        size: i64,
        reach: Reach,
        /// Whether it is a `void *`: only where it points to bytes does a step of one byte lead to the next cell.
        is_void: bool,
    },
    /// Is this the address of an object of this type?
    Converted { pointer: Bits, to: Type },
    /// Is the number of an address aligned to so many bytes?
    Aligned { number: Bits, to: u64 },
    /// Is this the address of an allocated block?
    Allocated { pointer: Bits },
    /// The first step accesses the mark of this block.
    Mark { pointer: Bits },
    /// How many bytes has the block that begins there?
    Size { pointer: Bits },
    /// The step loads this condition variable, if it may not be initialised or not be there.
    Prepared { pointer: Bits },
}

/// The size of a scalar, as [`Access`] has it.
pub(super) fn bits_of(ty: &Type) -> Option<u8> {
    match ty.kind {
        TypeKind::Library(_) => None,
        _ => Some(super::value::shape(ty).bits),
    }
}

/// A condition and the assumption of it.
pub(super) fn checked(holds: &Bits, fault: Fault) -> [(Op, Option<Fault>); 2] {
    [
        (Op::Assert(holds.clone()), Some(fault)),
        (Op::Assume(holds.clone()), Some(fault)),
    ]
}

impl Lowering<'_> {
    /// The last instruction accesses a scalar of this type.
    pub(super) fn accessed(&mut self, of: Option<&Type>, reads: Reads) {
        // Where no execution gets, there is no such instruction.
        let Some(instr) = self.code.instructions.len().checked_sub(1) else {
            return;
        };
        if self.state.is_none() {
            return;
        }
        // A locked instruction is noted twice, first without its type.
        self.code.accesses.retain(|access| access.instr != instr);
        let op = &self.code.instructions[instr].op;
        let known = op.address().and_then(program::Expr::as_const);
        let block = known.and_then(|known| self.memory.object_at(i64::from(known)));
        let is_private = block.is_some_and(|block| {
            // In a loop, the block may have been published in the iteration before.
            let once = self.loops == 0 && self.jumps == 0;
            once && block.on_heap && !self.memory.published.contains(&block.start)
        });
        self.code.accesses.push(Access {
            instr,
            of: of.map(unqualified),
            rep: of.map(rep).filter(|rep| !matches!(rep, Rep::Library(_))),
            reads,
            word: self.code.word,
            is_private,
            alive: self.alive_in_memory(),
        });
    }

    /// The address of a block, or one inside it, becomes a value at run time or in another thread.
    pub(super) fn publish(&mut self, value: i64) {
        if let Some(block) = self.memory.object_at(value)
            && block.on_heap
        {
            let start = block.start;
            self.memory.published.insert(start);
        }
    }

    /// Adds the checks to a thread.
    pub(super) fn complete(&mut self, code: &mut Code, ends: &[Loc]) {
        alone(code);
        for gap in std::mem::take(&mut code.gaps) {
            self.fill(code, gap);
        }
        for access in std::mem::take(&mut code.accesses) {
            self.check(code, &access);
        }
        // The registers of a litmus test are looked at in the end.
        if self.test.is_none() {
            narrow(code, ends);
            by_classes(code);
        }
    }

    // Gaps.

    fn fill(&mut self, code: &mut Code, gap: Gap) {
        let (holds, fault, limit) = match gap.question {
            Question::Moved {
                from,
                to,
                number,
                of,
                size,
                reach,
                is_void,
            } => {
                let mut found = Vec::new();
                for object in &self.memory.placed {
                    runs(
                        self.unit,
                        &object.ty,
                        object.start,
                        &of,
                        &self.facts,
                        &mut found,
                    );
                }
                let moved = inside(&from, &to, &number, &found, size, reach);
                let is_number = binary(BinaryOp::Ge, from, c((NUMBERS + LEAST) as i32));
                let mut holds = binary(BinaryOp::Or, moved, is_number);
                if let (Value::Unknown(number), Reach::PastEnd) = (number, reach) {
                    let nothing = binary(BinaryOp::Eq, number, c(0));
                    holds = binary(BinaryOp::Or, holds, nothing);
                }
                if is_void {
                    (holds, Fault::OtherSize, true)
                } else {
                    (holds, Fault::Bounds, false)
                }
            }
            Question::Converted { pointer, to } => {
                let Some(fits) = self.points_to(&pointer, &to) else {
                    return;
                };
                (fits, Fault::OtherSize, true)
            }
            Question::Aligned { number, to } => {
                let fits = self.is_aligned(&number, to);
                if fits == c(1) {
                    return;
                }
                (fits, Fault::Address, true)
            }
            Question::Allocated { pointer } => {
                let mut holds = binary(BinaryOp::Eq, pointer.clone(), c(0));
                for block in self.memory.blocks() {
                    let here = binary(BinaryOp::Eq, pointer.clone(), c(block.start as i32));
                    holds = binary(BinaryOp::Or, holds, here);
                }
                (holds, Fault::NotAllocated, false)
            }
            Question::Mark { pointer } => {
                let mark = self.mark_of(&pointer, |object| object.on_heap);
                match &mut code.instructions[gap.instr].op {
                    Op::Load { addr, .. } | Op::Store { addr, .. } => *addr = mark,
                    _ => {}
                }
                return;
            }
            Question::Size { pointer } => {
                let mut size = c(0);
                for block in self.memory.blocks() {
                    let here = binary(BinaryOp::Eq, pointer.clone(), c(block.start as i32));
                    let own = c(bytes(self.unit, &block.ty) as i32);
                    size = program::Expr::conditional(here, own, size);
                }
                if let Op::Assign { value, .. } = &mut code.instructions[gap.instr].op {
                    *value = size;
                }
                return;
            }
            Question::Prepared { pointer } => {
                let accesses = &code.accesses;
                let access = accesses.iter().find(|access| access.instr == gap.instr);
                let is_looked_at = access.is_some_and(|access| {
                    let at = code.instructions[access.instr].from;
                    self.may_read_nothing(&pointer, access)
                        || self
                            .reachable(&pointer, access)
                            .any(|object| self.may_be_gone(object, access, at))
                });
                if is_looked_at {
                    let (into, addr) = (code.register("$t"), pointer);
                    code.instructions[gap.instr].op = Op::Load { into, addr };
                }
                return;
            }
        };
        let first = &mut code.instructions[gap.instr];
        (first.op, first.fault) = (Op::Assert(holds.clone()), Some(fault));
        first.limit = limit;
        let second = &mut code.instructions[gap.instr + 1];
        (second.op, second.fault) = (Op::Assume(holds), Some(fault));
    }

    /// The address of the mark of the block that a pointer points into, among these blocks; that of a
    /// cell that is always 0 if there is none.
    fn mark_of(&mut self, pointer: &Bits, among: impl Fn(&Object) -> bool) -> Bits {
        let nothing = self.memory.unmarked.unwrap_or_else(|| {
            let ty = of_library(LibraryType::Ignored);
            self.place("#freed", &ty, Storage::Hidden)
        });
        self.memory.unmarked = Some(nothing);
        let mut mark = c(nothing as i32);
        let objects = self.memory.placed.iter();
        for block in objects.filter(|object| among(object)) {
            let here = between(block.start, pointer, block.start + block.cells - 1);
            let own = c(block.mark.unwrap_or(nothing) as i32);
            mark = program::Expr::conditional(here, own, mark);
        }
        mark
    }

    // Accesses.

    fn check(&mut self, code: &mut Code, access: &Access) {
        let op = &code.instructions[access.instr].op;
        let Some(address) = op.address().cloned() else {
            return;
        };
        let read = match op {
            Op::Load { into, .. } | Op::Rmw { into, .. } => Some(*into),
            _ => None,
        };
        let at = code.instructions[access.instr].from;
        let (first, last) = access.ends(code);
        self.convert_access(code, access, &address);
        if let Some(into) = read
            && let Some(fault) = access.reads.fault()
            && self.may_read_nothing(&address, access)
        {
            let value = program::Expr::Var(into);
            let holds = binary(BinaryOp::Ne, value, c(UNWRITTEN));
            after(code, last, checked(&holds, fault));
            self.reserved.is_checked = true;
        }
        if let (Some(into), Reads::Merges { others }) = (read, access.reads)
            && self.may_read_nothing(&address, access)
        {
            any_rest(code, last, into, others);
            self.reserved.is_checked = true;
        }
        self.check_life(code, access, (&address, at));
        // What is at a known address was checked during the walk.
        let guards: Vec<RangeInclusive<i64>> = if address.as_const().is_some() {
            Vec::new()
        } else {
            let objects = self.reachable(&address, access);
            objects.filter_map(|object| object.guard.clone()).collect()
        };
        let others = guards.into_iter().map(|guard| {
            if guard.start() == guard.end() {
                binary(BinaryOp::Ne, address.clone(), c(*guard.start() as i32))
            } else {
                not(between(*guard.start(), &address, *guard.end()))
            }
        });
        if let Some(holds) = others.reduce(|a, b| binary(BinaryOp::And, a, b)) {
            before(code, first, checked(&holds, Fault::Bounds));
        }
    }

    /// Whether an access at a location may come when this object has been freed or has ended.
    fn may_be_gone(&self, object: &Object, access: &Access, at: Loc) -> bool {
        let is_there = match object.owner {
            Some((variable, _)) => access.alive.contains(&variable),
            None => !object.on_heap || access.is_private,
        };
        !is_there && self.may_have_ended(object, at)
    }

    /// An access of what may have been freed or ended looks at the mark of that first.
    fn check_life(&mut self, code: &mut Code, access: &Access, (address, at): (&Bits, Loc)) {
        let (mut freed, mut ended) = (Vec::new(), Vec::new());
        let mut unmarked = Vec::new();
        for object in self.reachable(address, access) {
            if !self.may_be_gone(object, access, at) {
                continue;
            }
            match object.owner {
                None => freed.push(object.start),
                Some(_) if object.mark.is_some() => ended.push(object.start),
                Some((variable, _)) => unmarked.push((variable.function, variable.local)),
            }
        }
        self.now.ends.extend(unmarked);
        for (among, fault) in [(freed, Fault::Freed), (ended, Fault::Ended)] {
            let Some(first) = among.first() else {
                continue;
            };
            let mark = if address.as_const().is_some() {
                let object = self.memory.object_at(*first);
                c(object.and_then(|object| object.mark).unwrap_or_default() as i32)
            } else {
                self.mark_of(address, |object| among.contains(&object.start))
            };
            let into = code.register("$t");
            let holds = binary(BinaryOp::Eq, program::Expr::Var(into), c(0));
            let [assert, assume] = checked(&holds, fault);
            let load = (Op::Load { into, addr: mark }, Some(fault));
            before(code, access.ends(code).0, [load, assert, assume]);
        }
    }

    /// The objects that an access may reach: those with scalars that it sees, and only the one from
    /// which its address is computed if that is known.
    pub(super) fn reachable<'a>(
        &'a self,
        address: &Bits,
        access: &'a Access,
    ) -> impl Iterator<Item = &'a Object> {
        let known = address.as_const().map(i64::from);
        let object = root(address).and_then(|known| self.memory.object_at(known));
        let only = object.map(|object| object.start);
        let may_reach = move |object: &Object| match known {
            Some(known) => (object.start..object.start + object.cells).contains(&known),
            None => only.is_none_or(|start| start == object.start),
        };
        let has_such = |object: &Object| {
            let mut cells = object.start..object.start + object.cells;
            cells.any(|cell| self.may_see(cell, access))
        };
        let objects = self.memory.placed.iter();
        objects.filter(move |object| may_reach(object) && has_such(object))
    }

    /// Whether an access may reach a cell to which nothing has been written.
    fn may_read_nothing(&self, address: &Bits, access: &Access) -> bool {
        if let Some(known) = address.as_const() {
            return self.memory.may_be_unwritten(i64::from(known));
        }
        let objects = self.reachable(address, access);
        let mut cells = objects.flat_map(|object| object.start..object.start + object.cells);
        cells.any(|cell| self.may_see(cell, access) && self.memory.may_be_unwritten(cell))
    }
}

/// A condition that an address is one of these, which are in order.
pub(super) fn one_of(cells: &[i64], address: &Bits) -> Bits {
    let ranges = cells.chunk_by(|a, b| a + 1 == *b);
    let ranges = ranges.map(|cells| between(cells[0], address, cells[cells.len() - 1]));
    let any = ranges.reduce(|a, b| binary(BinaryOp::Or, a, b));
    any.unwrap_or(c(0))
}

/// Adds instructions before one.
pub(super) fn before<const N: usize>(code: &mut Code, instr: usize, ops: [(Op, Option<Fault>); N]) {
    let (mut at, origin) = (
        code.instructions[instr].from,
        code.instructions[instr].origin,
    );
    for (op, fault) in ops {
        let to = code.location(origin);
        push(code, (at, to), op, fault, instr);
        at = to;
    }
    code.instructions[instr].from = at;
}

/// Adds instructions after one.
pub(super) fn after<const N: usize>(code: &mut Code, instr: usize, ops: [(Op, Option<Fault>); N]) {
    let (end, origin) = (code.instructions[instr].to, code.instructions[instr].origin);
    let mut at = code.location(origin);
    code.instructions[instr].to = at;
    for (index, (op, fault)) in ops.into_iter().enumerate() {
        let to = if index + 1 == N {
            end
        } else {
            code.location(origin)
        };
        push(code, (at, to), op, fault, instr);
        at = to;
    }
}

pub(super) fn push(
    code: &mut Code,
    (from, to): (usize, usize),
    op: Op,
    fault: Option<Fault>,
    like: usize,
) {
    let origin = code.instructions[like].origin;
    let (call, role) = (code.instructions[like].call, code.instructions[like].role);
    code.instructions.push(Instr {
        from,
        op,
        to,
        origin,
        limit: false,
        fault,
        position: false,
        strengthened: false,
        ordering: Ordering::Relaxed,
        failure: None,
        written: None,
        call,
        role,
        checks: None,
        holds: None,
    });
}
