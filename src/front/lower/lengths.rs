//! `memcpy` and its kind with a number of bytes that is known at run time only: one case for each number that it may
//! be, as far as whole scalars are accessed.
//!
//!   memcpy(to, from, n) of an array of `int` ─▶ n = 0: nothing; n = 4: one element; n = 8: …
//!
//! More bytes than an object has are a violation. **Incomplete:** where it is not known which objects these are, an
//! execution with more than [`MOST`] bytes is not covered, nor is one that cuts a scalar.

use super::Lowering;
use super::arguments::Evaluated;
use super::bounds::between;
use super::heap::target;
use super::layout::{bytes, scalars};
use super::value::{Value, binary, c, int};
use crate::lower::operation::Meaning;
use crate::lower::typed::{Expr, Type};
use crate::program::{BinaryOp, Expr as Bits, Fault, RegId};
use crate::text::Place;

/// Of objects that are not known, no more bytes are accessed.
const MOST: i64 = 64;
/// There are no more cases.
const MOST_CASES: i64 = 64;

impl Lowering<'_> {
    /// A call of one of these functions with this number of bytes.
    pub(super) fn access_so_many(
        &mut self,
        meaning: Meaning,
        arguments: &[Evaluated],
        texts: &[Expr],
        count: Bits<RegId>,
        place: Place,
    ) -> Value {
        let [first, second, number] = arguments else {
            return Value::ZERO;
        };
        let objects = if matches!(meaning, Meaning::FillBytes | Meaning::AnyBytes) {
            vec![(first, &texts[0])]
        } else {
            vec![(first, &texts[0]), (second, &texts[1])]
        };
        let steps = objects
            .iter()
            .map(|(pointer, text)| self.step_of(pointer, text));
        let step = steps.max().unwrap_or(1).max(1);
        let left = objects
            .iter()
            .filter_map(|(pointer, _)| self.bytes_left(pointer));
        let left = left.min();
        let most = left.unwrap_or(MOST).min(MOST_CASES * step) / step * step;
        let count = self.copy(count, place);
        let mut ends = Vec::new();
        for so_many in (0..=most).step_by(step as usize) {
            let is_this = binary(BinaryOp::Eq, count.clone(), c(so_many as i32));
            let (yes, no) = self.split(Value::Unknown(is_this), place);
            self.state = yes;
            let known = Evaluated {
                value: Value::Known(so_many),
                ty: number.ty,
                place: number.place,
            };
            let case = [first.clone(), second.clone(), known];
            let value = self.access_bytes(meaning, &case, texts, place);
            if let Some(state) = self.state.take() {
                ends.push((state, vec![value]));
            }
            self.state = no;
        }
        if let Some(left) = left {
            // As a number without a sign: a negative one is too large as well.
            self.require(between(0, &count, left), Fault::Bounds, place);
        }
        // What is left cuts a scalar, or is too much.
        self.limit(c(0), place);
        self.blame_limit(Fault::OtherSize);
        self.state = None;
        if meaning == Meaning::CompareBytes {
            let types = [int()];
            let mut joined = self.join_values(ends, &types, place);
            return joined.pop().unwrap_or(Value::ZERO);
        }
        let states = ends.into_iter().map(|(state, _)| state).collect();
        self.state = self.join(states, place);
        first.value.clone()
    }

    /// The size of the scalars at a pointer.
    fn step_of(&self, pointer: &Evaluated, text: &Expr) -> i64 {
        let first = |this: &Self, ty: &Type| {
            let all = scalars(this.unit, ty).into_iter();
            all.map(|scalar| bytes(this.unit, &scalar.ty)).max()
        };
        let known = match &pointer.value {
            Value::Known(address) => self
                .offset_in(*address)
                .and_then(|(_, ty)| first(self, &ty)),
            Value::Unknown(_) => None,
        };
        known.or_else(|| first(self, &target(text))).unwrap_or(1)
    }

    /// How many bytes an object has from a pointer on, if it is known.
    fn bytes_left(&self, pointer: &Evaluated) -> Option<i64> {
        let Value::Known(address) = pointer.value else {
            return None;
        };
        let (offset, ty) = self.offset_in(address)?;
        Some(bytes(self.unit, &ty) - offset)
    }
}
