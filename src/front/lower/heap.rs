//! The blocks of memory that the program allocates (`allocate`), and what ends them.
//!
//! A call in a loop of the automaton has a pool of blocks, as many as the user chooses; what happens
//! when they are used up is not covered. Memory that was freed is never allocated again.

use super::Lowering;
use super::code::{Code, Once, Single};
use super::deferred::{Gap, Question};
use super::follow::Ended;
use super::layout::bytes;
use super::objects::Storage;
use super::value::{Value, binary, c, condition, void};
use crate::lower::typed::{Expr, ExprKind, Type, TypeKind};
use crate::program::{self, BinaryOp, Fault, Op, Ordering, RegId};
use crate::text::{Diagnostic, Place};

impl Lowering<'_> {
    /// What is done here can be done once only.
    pub(super) fn once_only(&mut self, what: Single, place: Place) {
        let Some(from) = self.state.as_ref().map(|state| state.at) else {
            return;
        };
        if !self.solo {
            self.emit_as(Op::Skip, Ordering::Relaxed, place);
            let to = self.state.as_ref().map_or(from, |state| state.at);
            let once = Once {
                from,
                to,
                place,
                what,
            };
            self.code.once.push(once);
        }
    }

    pub(super) fn refuse_repetition(&mut self, place: Place) {
        self.report(
            Diagnostic::error(
                "memory is allocated in a loop whose number of iterations is not known",
                self.positions.span(place),
            )
            .note("`--heap N` provides N blocks; or bound the loop by a constant"),
        );
    }

    /// The next one of the blocks that an allocation has which is executed repeatedly.
    pub(super) fn pool(&mut self, name: &str, ty: &Type, storage: Storage, place: Place) -> Value {
        let mut blocks = Vec::new();
        for _ in 0..self.options.heap {
            let block = self.place(name, ty, storage);
            self.expose(block, &void());
            blocks.push(block);
        }
        let (first, most) = (blocks[0], blocks.len() as i32);
        let stride = blocks.get(1).map_or(1, |second| second - first) as i32;
        // Registers are 0 at first.
        let used = self.code.register("$blocks");
        let count = program::Expr::Var(used);
        self.limit(binary(BinaryOp::Lt, count.clone(), c(most)), place);
        self.blame_limit(Fault::Allocations);
        let offset = binary(BinaryOp::Mul, count.clone(), c(stride));
        let address = binary(BinaryOp::Add, c(first as i32), offset);
        let address = self.copy(address, place);
        let value = binary(BinaryOp::Add, count, c(1));
        self.emit(Op::Assign { into: used, value }, place);
        Value::Unknown(address)
    }

    /// That a collection has room, without which an execution is not covered.
    pub(super) fn within_capacity(&mut self, fits: &Expr, room: &Expr, place: Place) {
        let fits = condition(self.eval(fits));
        let room = self
            .eval(room)
            .known()
            .and_then(|room| u16::try_from(room).ok());
        if fits != c(1) {
            self.limit(fits, place);
            self.blame_limit(Fault::Capacity(room.unwrap_or(u16::MAX)));
        }
    }

    /// The last limit is about this.
    pub(super) fn blame_limit(&mut self, fault: Fault) {
        let mut last = self.code.instructions.iter_mut().rev();
        if let Some(limit) = last.find(|instr| instr.limit) {
            limit.fault = Some(fault);
        }
    }

    /// Jumps backwards repeat no allocation that is not one of a pool, and no creation of a thread.
    pub(super) fn check_once(&mut self, code: &Code) {
        let repeated = code
            .once
            .iter()
            .filter(|once| code.leads(once.to, once.from));
        for once in repeated {
            match once.what {
                Single::Allocation if self.options.heap > 0 => {
                    self.now.repeated.insert(once.place);
                }
                Single::Allocation => self.refuse_repetition(once.place),
                Single::Creation => self.refuse_creation(once.place),
                Single::Ending => self.refuse_ending("this is done", once.place),
                Single::GracePeriod => self.refuse_periods(once.place),
            }
        }
    }

    /// `free`: the block is marked, once.
    ///
    /// The mark is an ordinary store. Whatever an execution does between the call and an access of the
    /// block, there is one in which the store reaches memory immediately before the access looks at the
    /// mark, and all else is the same. So no use after free is missed, and `free` is not a fence.
    /// **Incomplete:** an access is checked where it is executed. A store that is still buffered when
    /// another thread frees the block is none after that.
    pub(super) fn free(&mut self, argument: &Expr, place: Place) {
        let value = self.eval(argument);
        self.free_block(value, &target(argument), place);
    }

    /// `free` of a pointer to this type.
    pub(super) fn free_block(&mut self, value: Value, of: &Type, place: Place) {
        if self.state.is_none() || self.is_after_all() {
            return;
        }
        let pointer = match value {
            Value::Known(0) => return,
            Value::Known(address) => {
                self.publish(address);
                let block = self.memory.object_at(address);
                let block = block.filter(|block| block.start == address && block.on_heap);
                if let Some(mark) = block.and_then(|block| block.mark) {
                    self.ends_here(Ended::Object(address));
                    self.release(mark, place);
                } else {
                    self.violation(Fault::NotAllocated, place);
                }
                return;
            }
            Value::Unknown(pointer) => pointer,
        };
        self.ends_here(Ended::Type(of.clone()));
        let pointer = self.copy(pointer, place);
        let question = Question::Allocated {
            pointer: pointer.clone(),
        };
        self.gap(question, place);
        let (some, null) = self.split(Value::Unknown(pointer.clone()), place);
        self.state = some;
        let into = self.temporary();
        let addr = c(0);
        self.emit_at_mark(Op::Load { into, addr }, &pointer, place);
        let is_free = binary(BinaryOp::Eq, program::Expr::Var(into), c(0));
        self.require(is_free, Fault::FreedTwice, place);
        let (addr, value) = (c(0), c(1));
        self.emit_at_mark(Op::Store { addr, value }, &pointer, place);
        let both = self.state.take().into_iter().chain(null).collect();
        self.state = self.join(both, place);
    }

    /// The block ends with the call of the function at hand.
    pub(super) fn ends_with_call(&mut self, block: &Value, of: &Type, place: Place) {
        if self.state.is_none() {
            return;
        }
        if let (Value::Known(address), Some((activation, _))) = (block, self.control.activation) {
            self.stacked.push((activation, *address, of.clone()));
        } else {
            let message = "it is not known how much memory of its own this call gets";
            let error = Diagnostic::error(message, self.positions.span(place));
            self.report(
                error.note(
                    "`alloca` of a constant size outside of loops is supported, and `malloc`",
                ),
            );
        }
    }

    /// A function returns: its blocks end. Or all of a thread do.
    pub(super) fn end_stacked(&mut self, activation: Option<usize>, place: Place) {
        let all = self.stacked.clone();
        for (of, address, ty) in all {
            if activation.is_none_or(|activation| activation == of) {
                self.free_block(Value::Known(address), &ty, place);
            }
        }
    }

    /// `munmap`: the memory is all of a block.
    pub(super) fn unmap(&mut self, pointer: &Expr, size: &Expr, place: Place) {
        let value = self.eval(pointer);
        let size = self.eval(size);
        let block = value
            .known()
            .and_then(|address| self.memory.object_at(address));
        let is_part = block.is_some_and(|block| {
            let whole = bytes(self.unit, &block.ty);
            let pages = |size: i64| (size + 4095) / 4096;
            Some(block.start) != value.known()
                || size.known().is_some_and(|size| pages(size) < pages(whole))
        });
        if is_part && self.state.is_some() {
            let place = self.in_the_text(place);
            let error = Diagnostic::error(
                "a part of a mapping ends, and the rest stays",
                self.positions.span(place),
            );
            self.report(error.note("unmap all of what `mmap` returned, or nothing"));
            return;
        }
        self.free_block(value, &target(pointer), place);
    }

    /// Marks a known block.
    fn release(&mut self, mark: i64, place: Place) {
        if self.solo {
            if self.memory.initial(mark) == Some(1) {
                self.violation(Fault::FreedTwice, place);
            }
            self.memory.set_initial(mark, 1);
            return;
        }
        let into = self.temporary();
        let addr = c(mark as i32);
        let load = Op::Load {
            into,
            addr: addr.clone(),
        };
        self.emit_as(load, Ordering::Relaxed, place);
        let is_free = binary(BinaryOp::Eq, program::Expr::Var(into), c(0));
        self.require(is_free, Fault::FreedTwice, place);
        let value = c(1);
        self.emit_as(Op::Store { addr, value }, Ordering::Relaxed, place);
    }

    /// An access of the mark of a block, whose address is filled in at the end.
    fn emit_at_mark(&mut self, op: Op, pointer: &program::Expr<RegId>, place: Place) {
        self.emit_as(op, Ordering::Relaxed, place);
        let instr = self.code.instructions.len() - 1;
        let pointer = pointer.clone();
        let question = Question::Mark { pointer };
        self.code.gaps.push(Gap { instr, question });
    }
}

/// What a pointer points to before it is converted to `void *`.
pub(super) fn target(e: &Expr) -> Type {
    match (&e.kind, e.ty.pointee()) {
        (ExprKind::Cast(inner), _) if inner.ty.pointee().is_some() => target(inner),
        // An array without a length, at the end of a structure, is as many elements as there are.
        (_, Some(ty)) => match &ty.kind {
            TypeKind::Array(element, 0) => (**element).clone(),
            _ => ty.clone(),
        },
        (_, None) => e.ty.clone(),
    }
}
