//! `memcpy` and its kind with a number of bytes that is known at run time only: one case for each number of scalars
//! that these may be.
//!
//!   memcpy(to, from, n) of an array of `int` ─▶ n = 0: nothing; n = 4: one element; n = 8: …
//!   memset(p, 0, n) of { char c; int i; }    ─▶ n = 0: nothing; 1 ≤ n ≤ 4: `c`; n = 8: both
//!
//! A number belongs to a case if it cuts no scalar of either object, and if what it covers can be accessed in this
//! way: so it makes no difference what follows in an object, as long as no execution gets there. More bytes than an
//! object has are a violation. **Incomplete:** an execution with another number is not covered, nor is one with more
//! than [`MOST`] bytes where it is not known which objects these are.

use super::Lowering;
use super::allocate::pointer_to;
use super::arguments::Evaluated;
use super::bounds::{Reach, between};
use super::copy::{can_be_filled, has_order};
use super::layout::{Scalar, bytes, scalars};
use super::value::{Value, binary, c, int};
use super::view::{rep, sees};
use crate::lower::operation::Meaning;
use crate::lower::typed::BinaryOp::PointerAdd;
use crate::lower::typed::{Expr, ExprKind, Lvalue, LvalueKind, TypeKind};
use crate::program::{BinaryOp, Expr as Bits, Fault, RegId};
use crate::text::Place;
use std::ops::RangeInclusive;

/// Of objects that are not known, no more bytes are accessed.
const MOST: i64 = 64;
/// There are no more cases.
const MOST_CASES: usize = 64;

/// The scalars that may be accessed from a pointer on, with their offsets from there.
struct Extent {
    scalars: Vec<Scalar>,
    /// These are all in so many bytes.
    listed: i64,
    /// How many bytes the object has from there on, if it is known.
    left: Option<i64>,
    /// How many bytes the array has from there on that the pointer is an element of, if the object is not known. More
    /// may be accessed where it is part of a longer run.
    in_array: Option<i64>,
}

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
        let mut pointers = vec![(first, &texts[0])];
        if !matches!(meaning, Meaning::FillBytes | Meaning::AnyBytes) {
            pointers.push((second, &texts[1]));
        }
        let mut objects = Vec::new();
        for (pointer, text) in &pointers {
            let Some(object) = self.extent(pointer, text) else {
                self.unknown_target(pointer.place);
                return Value::ZERO;
            };
            objects.push(object);
        }
        let left = objects.iter().filter_map(|object| object.left).min();
        let in_array = objects.iter().filter_map(|object| object.in_array).min();
        let most = left.into_iter().chain(in_array).min().unwrap_or(MOST);
        let listed = objects.iter().map(|object| object.listed).min();
        let cases = self.cases(meaning, second, &objects, most.min(listed.unwrap_or(0)));
        let count = self.copy(count, place);
        let with = |so_many: i64| {
            let known = Evaluated {
                value: Value::Known(so_many),
                ty: number.ty,
                place: number.place,
            };
            [first.clone(), second.clone(), known]
        };
        let mut ends = Vec::new();
        for case in &cases {
            let is_this = if case.start() == case.end() {
                binary(BinaryOp::Eq, count.clone(), c(*case.start() as i32))
            } else {
                between(*case.start(), &count, *case.end())
            };
            let (yes, no) = self.split(Value::Unknown(is_this), place);
            self.state = yes;
            let value = self.access_bytes(meaning, &with(*case.start()), texts, place);
            if let Some(state) = self.state.take() {
                ends.push((state, vec![value]));
            }
            self.state = no;
        }
        if let Some(left) = left {
            let is_null = pointers.iter().any(|(at, _)| at.value == Value::ZERO);
            let fault = if is_null { Fault::Null } else { Fault::Bounds };
            // As a number without a sign: a negative one is too large as well.
            self.require(between(0, &count, left), fault, place);
        }
        if left.is_none_or(|left| left > most)
            && let Some(in_array) = in_array
        {
            let is_more = between(0, &count, in_array);
            let (cut, more) = self.split(Value::Unknown(is_more), place);
            self.state = more;
            for (pointer, object) in pointers.iter().zip(&objects) {
                if object.in_array == Some(in_array) {
                    self.leave_array(in_array, *pointer);
                }
            }
            let both = [cut, self.state.take()];
            self.state = self.join(both.into_iter().flatten().collect(), place);
        }
        if left != Some(most) || !all_covered(&cases, most) {
            self.limit(c(0), place);
            self.blame_limit(Fault::CutByBytes);
        }
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

    /// The numbers of bytes, up to one, of which each covers whole scalars that can be accessed in this way: first 0,
    /// then those that cover one scalar, and so on.
    fn cases(
        &self,
        meaning: Meaning,
        byte: &Evaluated,
        objects: &[Extent],
        most: i64,
    ) -> Vec<RangeInclusive<i64>> {
        let mut cases = vec![0..=0];
        let (mut covered, mut end) = (0, 0);
        for so_many in 1..=most {
            // In each object the next scalar begins here, or in none.
            let mut next = objects.iter().map(|object| object.scalars.get(covered));
            if next.any(|next| next.is_some_and(|scalar| scalar.offset < so_many)) {
                let next = objects.iter().map(|object| object.scalars.get(covered));
                let next: Option<Vec<&Scalar>> = next.collect();
                let is_compared = meaning == Meaning::CompareBytes;
                let Some(next) = next.filter(|next| {
                    let is_next = next.iter().all(|scalar| scalar.offset == next[0].offset);
                    let is_whole = !is_compared || next[0].offset == end;
                    is_next && is_whole && can_be_accessed(meaning, byte, next)
                }) else {
                    break;
                };
                let ends = next
                    .iter()
                    .map(|scalar| scalar.offset + bytes(self.unit, &scalar.ty));
                end = ends.max().unwrap_or(so_many);
                covered += 1;
                if covered > MOST_CASES {
                    break;
                }
                if end > so_many {
                    continue;
                }
                cases.push(so_many..=so_many);
            } else if end == so_many {
                cases.push(so_many..=so_many);
            } else if end < so_many
                && meaning != Meaning::CompareBytes
                && let Some(last) = cases.last_mut()
            {
                // It ends in padding, or before a scalar.
                *last = *last.start()..=so_many;
            }
        }
        cases
    }

    /// What may be accessed from a pointer on; `None` if it is not known what kind of object this leads to.
    fn extent(&self, pointer: &Evaluated, text: &Expr) -> Option<Extent> {
        if let Value::Known(address) = pointer.value
            && let Some((offset, ty)) = self.offset_in(address)
        {
            let cells = self.known_cells(address, offset, &ty).into_iter();
            let scalars = cells.map(|cell| Scalar {
                ty: cell.ty,
                offset: cell.offset,
            });
            let left = bytes(self.unit, &ty) - offset;
            return Some(Extent {
                scalars: scalars.collect(),
                listed: left,
                left: Some(left),
                in_array: None,
            });
        }
        if pointer.value == Value::ZERO {
            return Some(Extent {
                scalars: Vec::new(),
                listed: 0,
                left: Some(0),
                in_array: None,
            });
        }
        let of = self.target_of(text);
        let is_known = !matches!(of.kind, TypeKind::Void | TypeKind::Function(..));
        if !is_known || bytes(self.unit, &of) == 0 {
            return None;
        }
        // After a structure there may be elements of its last member.
        let (mut all, mut begin, element) = match self.tail_of(&of) {
            Some(last) => (scalars(self.unit, &of), self.tail_begin(&of), last),
            None => (Vec::new(), 0, of),
        };
        let part = scalars(self.unit, &element);
        let size = bytes(self.unit, &element);
        while size > 0 && begin < MOST {
            all.extend(part.iter().map(|scalar| Scalar {
                ty: scalar.ty.clone(),
                offset: begin + scalar.offset,
            }));
            begin += size;
        }
        Some(Extent {
            scalars: all,
            listed: begin,
            left: None,
            in_array: self.left_in_array(text),
        })
    }

    /// How many bytes an array has from an element on to which this points, through all dimensions.
    fn left_in_array(&self, text: &Expr) -> Option<i64> {
        let mut inner = text;
        while let ExprKind::Cast(of) = &inner.kind {
            inner = of;
        }
        let ExprKind::AddressOf(lvalue) = &inner.kind else {
            return None;
        };
        let mut left = None;
        let mut part: &Lvalue = lvalue;
        while let LvalueKind::Element(array, index) = &part.kind {
            let ExprKind::Const(index) = index.kind else {
                return None;
            };
            let before = index * bytes(self.unit, &part.ty);
            let skipped = left.map_or(0, |left| bytes(self.unit, &part.ty) - left);
            left = Some(bytes(self.unit, &array.ty) - before - skipped);
            part = array;
        }
        left.filter(|left| *left > 0)
    }

    /// An execution that accesses more bytes than an array has needs the next element, too: that is a violation, if
    /// there is none in the run that the array belongs to.
    fn leave_array(&mut self, in_array: i64, (pointer, text): (&Evaluated, &Expr)) {
        let of = self.target_of(text);
        let size = bytes(self.unit, &of);
        if self.state.is_none() || size == 0 || in_array % size != 0 {
            return;
        }
        let ty = pointer_to(&of);
        let value = self.convert(pointer.value.clone(), pointer.ty, &ty, pointer.place);
        let next = Value::Known(in_array / size);
        let moved = (value, &ty);
        self.move_pointer(PointerAdd, moved, next, Reach::Access, pointer.place);
    }
}

/// Whether scalars of these types, one of each object, can be accessed in this way.
fn can_be_accessed(meaning: Meaning, byte: &Evaluated, scalars: &[&Scalar]) -> bool {
    let is_alike = |a: &Scalar, b: &Scalar| sees(rep(&a.ty), rep(&b.ty)).is_some();
    match (meaning, scalars) {
        (Meaning::FillBytes, [into, ..]) => can_be_filled(&into.ty, byte),
        (Meaning::AnyBytes, [into, ..]) => !matches!(into.ty.kind, TypeKind::Pointer(_)),
        (Meaning::CompareBytes, [a, b]) => is_alike(a, b) && has_order(&a.ty),
        (_, [into, from]) => is_alike(into, from),
        (_, _) => false,
    }
}

/// Whether each number of bytes up to one belongs to a case.
fn all_covered(cases: &[RangeInclusive<i64>], most: i64) -> bool {
    let mut next = 0;
    for case in cases {
        if *case.start() != next {
            return false;
        }
        next = case.end() + 1;
    }
    next > most
}
