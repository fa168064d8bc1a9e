//! `realloc`: what is in one block is copied to another one.

use super::Lowering;
use super::allocate::pointer_to;
use super::arguments::Evaluated;
use super::deferred::{Gap, Question};
use super::heap::target;
use super::layout::bytes;
use super::value::{Value, binary, c, unsigned_long};
use crate::lower::operation::Meaning;
use crate::lower::typed::{Expr, ExprKind, Type};
use crate::program::{self, BinaryOp, Fault, Op, Ordering};
use crate::text::Place;

impl Lowering<'_> {
    /// Moves what is in one block, or nowhere, to another one of so many bytes.
    pub(super) fn replace(
        &mut self,
        (old, text): (Value, &Expr),
        (block, element): (&Value, &Type),
        size: &Value,
        place: Place,
    ) {
        let Some(before) = self.size_of_block(&old, place) else {
            return;
        };
        let bits = |value: &Value| match value {
            Value::Known(known) => c(*known as i32),
            Value::Unknown(bits) => bits.clone(),
        };
        let count = if let (Value::Known(before), Value::Known(size)) = (&before, size) {
            Value::Known(*before.min(size))
        } else {
            let (before, size) = (bits(&before), bits(size));
            let is_less = binary(BinaryOp::Lt, before.clone(), size.clone());
            Value::Unknown(program::Expr::conditional(is_less, before, size))
        };
        let of = target(text);
        let of = if of.is_void() { element.clone() } else { of };
        // What pointers there are; they were evaluated.
        let pointer = |to: &Type| Expr {
            kind: ExprKind::Const(0),
            ty: pointer_to(to),
            place,
        };
        let texts = [pointer(element), pointer(&of)];
        let ty = unsigned_long();
        let evaluated = |value: &Value, ty| Evaluated {
            value: value.clone(),
            ty,
            place,
        };
        let arguments = [
            evaluated(block, &texts[0].ty),
            evaluated(&old, &texts[1].ty),
            evaluated(&count, &ty),
        ];
        self.access_bytes(Meaning::CopyBytes, &arguments, &texts, place);
        self.free_block(old, &of, place);
    }

    /// How many bytes the block has that begins at an address, 0 for the null pointer; `None` after a violation.
    fn size_of_block(&mut self, pointer: &Value, place: Place) -> Option<Value> {
        match pointer {
            Value::Known(0) => Some(Value::ZERO),
            Value::Known(address) => {
                let block = self.memory.object_at(*address);
                let block = block.filter(|block| block.start == *address && block.on_heap);
                let Some(block) = block else {
                    self.violation(Fault::NotAllocated, place);
                    return None;
                };
                Some(Value::Known(bytes(self.unit, &block.ty)))
            }
            Value::Unknown(pointer) => {
                let pointer = pointer.clone();
                let question = Question::Allocated {
                    pointer: pointer.clone(),
                };
                self.gap(question, place);
                let into = self.temporary();
                let value = c(0);
                self.emit_as(Op::Assign { into, value }, Ordering::Relaxed, place);
                let instr = self.code.instructions.len() - 1;
                let question = Question::Size { pointer };
                self.code.gaps.push(Gap { instr, question });
                Some(Value::Unknown(program::Expr::Var(into)))
            }
        }
    }
}
