//! Memory that the program allocates: an object of its own for each call that is executed.
//!
//! A call in a loop of the automaton has a pool of blocks, as many as the user chooses; what happens
//! when they are used up is not covered. Memory that was freed is never allocated again.

use super::Lowering;
use super::code::{Code, Once, Single};
use super::deferred::{Gap, Question};
use super::follow::Ended;
use super::layout::bytes;
use super::objects::Storage;
use super::value::{Value, binary, c};
use crate::lower::operation::{Meaning, Operation};
use crate::lower::typed::{self, Expr, ExprKind, StructId, Type, TypeKind};
use crate::program::{self, BinaryOp, Fault, Op, Ordering, RegId};
use crate::text::{Diagnostic, Place};

/// What `posix_memalign` does after all.
static ALLOCATE: Operation = Operation {
    name: "posix_memalign",
    meaning: Meaning::Malloc,
};

impl Lowering<'_> {
    /// The address of memory that is allocated as this type; `None` if the expression allocates none.
    pub(super) fn allocation(&mut self, e: &Expr, as_ty: &Type) -> Option<Value> {
        let TypeKind::Pointer(element) = &as_ty.kind else {
            return None;
        };
        let size = bytes(self.unit, element);
        let (bytes, storage) = match &e.kind {
            ExprKind::New(_) => (Some(size), Storage::Cleared),
            ExprKind::Call(typed::Callee::Library(entry), arguments) => {
                let (storage, sizes) = match (entry.meaning, arguments.as_slice()) {
                    (Meaning::Malloc, sizes) => (Storage::Heap, sizes),
                    (Meaning::Calloc, sizes) => (Storage::Cleared, sizes),
                    (Meaning::AlignedAlloc, [align, size]) => {
                        self.effect(align, align.place);
                        (Storage::Heap, std::slice::from_ref(size))
                    }
                    (Meaning::Realloc, [old, size]) => {
                        self.refuse_move(old);
                        (Storage::Heap, std::slice::from_ref(size))
                    }
                    _ => return None,
                };
                let sizes: Vec<Option<i64>> = sizes.iter().map(|e| self.eval(e).known()).collect();
                let mut sizes = sizes.into_iter();
                (
                    sizes.try_fold(1_i64, |all, size| Some(all * size?)),
                    storage,
                )
            }
            _ => return None,
        };
        if self.state.is_none() {
            return Some(Value::ZERO);
        }
        let tail = bytes.and_then(|bytes| self.tail_in(element, bytes));
        let count = match tail {
            Some(_) => Some(1),
            None => bytes.map(|bytes| (bytes / size.max(1)).max(i64::from(size == 0))),
        };
        let is_repeated = self.loops > 0 || self.learned.repeated.contains(&e.place);
        if is_repeated && self.options.heap == 0 {
            self.refuse_repetition(e.place);
            return Some(Value::ZERO);
        }
        if bytes.is_some_and(|bytes| (0..size).contains(&bytes)) {
            self.error(
                "fewer bytes are allocated than an object of this type has",
                e.place,
            );
            return Some(Value::ZERO);
        }
        let Some(count @ 1..=65_536) = count else {
            self.error("the size of this allocation is not a constant", e.place);
            return Some(Value::ZERO);
        };
        let name = match (&e.kind, &element.kind) {
            (ExprKind::New(name), _) => name.clone(),
            (_, TypeKind::Struct(id)) if !self.unit.structs[id.0].name.is_empty() => {
                format!("{}#1", self.unit.structs[id.0].name)
            }
            _ => "heap#1".to_owned(),
        };
        let ty = if let (TypeKind::Struct(id), Some(tail @ 1..)) = (&element.kind, tail) {
            self.with_tail(*id, tail)
        } else if count == 1 {
            (**element).clone()
        } else {
            Type {
                kind: TypeKind::Array(element.clone(), count as u32),
                atomic: false,
                volatile: false,
            }
        };
        if is_repeated {
            return Some(self.pool(&name, &ty, storage, e.place));
        }
        let address = self.place(&name, &ty, storage);
        self.once_only(Single::Allocation, e.place);
        Some(Value::Known(address))
    }

    /// How many elements after a structure fit into so many bytes, if it ends with an array without a length.
    fn tail_in(&self, ty: &Type, size: i64) -> Option<u32> {
        let TypeKind::Struct(id) = ty.kind else {
            return None;
        };
        let known = &self.unit.structs[id.0];
        let element = bytes(self.unit, known.tail()?).max(1);
        let begin = *known.layout.as_ref()?.offsets.last()? as i64;
        let least = bytes(self.unit, ty);
        let room = (size >= least).then(|| (size - begin) / element)?;
        u32::try_from(room).ok().filter(|room| *room <= 65_536)
    }

    /// The type of an object of this structure whose last member has so many elements. The next walk knows it.
    pub(super) fn with_tail(&mut self, id: StructId, count: u32) -> Type {
        self.now.tails.insert((id, count));
        let known = self
            .learned
            .tails
            .iter()
            .position(|one| *one == (id, count));
        let added = self.unit.structs.len() - self.learned.tails.len();
        let id = known.map_or(id, |at| StructId(added + at));
        Type {
            kind: TypeKind::Struct(id),
            atomic: false,
            volatile: false,
        }
    }

    /// `realloc` of a block may move it.
    fn refuse_move(&mut self, old: &Expr) {
        if self.eval(old) != Value::ZERO && self.state.is_some() {
            self.report(
                Diagnostic::error(
                    "`realloc` of a block, which may move, is not supported",
                    self.positions.span(old.place),
                )
                .note("`realloc` of a null pointer is; or allocate another block, copy it, and free this one"),
            );
        }
    }

    /// `posix_memalign(&p, alignment, size)`, where what `p` points to decides the type. It succeeds.
    pub(super) fn allocate_at(&mut self, to: &Expr, size: &Expr, place: Place) {
        let mut to = to;
        while let ExprKind::Cast(inner) = &to.kind
            && inner.ty.pointee().is_some()
        {
            to = inner;
        }
        let pointer = to.ty.pointee().cloned();
        let pointer = pointer.filter(|ty| ty.pointee().is_some_and(|of| !of.is_void()));
        let Some(pointer) = pointer else {
            self.report(
                Diagnostic::error(
                    "the type of what `posix_memalign` allocates is not known",
                    self.positions.span(place),
                )
                .note("pass the address of a pointer to the type of the elements"),
            );
            return;
        };
        let call = Expr {
            kind: ExprKind::Call(typed::Callee::Library(&ALLOCATE), vec![size.clone()]),
            ty: pointer.clone(),
            place,
        };
        if let Some(block) = self.allocation(&call, &pointer) {
            let address = self.accessible(to);
            self.write(&address, &pointer, block, place);
        }
    }

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

    fn refuse_repetition(&mut self, place: Place) {
        self.report(
            Diagnostic::error(
                "memory is allocated in a loop whose number of iterations is not known",
                self.positions.span(place),
            )
            .note("`--heap N` provides N blocks; or bound the loop by a constant"),
        );
    }

    /// The next one of the blocks that an allocation has which is executed repeatedly.
    fn pool(&mut self, name: &str, ty: &Type, storage: Storage, place: Place) -> Value {
        let mut blocks = Vec::new();
        for _ in 0..self.options.heap {
            blocks.push(self.place(name, ty, storage));
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
        self.ends_here(Ended::Type(target(argument)));
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
        (_, Some(ty)) => ty.clone(),
        (_, None) => e.ty.clone(),
    }
}
