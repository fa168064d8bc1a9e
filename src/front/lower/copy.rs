//! `memcpy`, `memset`, `memcmp` and their kind: scalar by scalar, in the order of their addresses.
//!
//!   memcpy(&to, &from, 8) of two `int`s ─▶ load, load, store, store
//!
//! They are not atomic, and compilers know what they do, so each access is a plain one of the scalar that is
//! there. Everything is loaded before anything is stored: the objects of `memmove` may overlap.
//!
//! What there is to access is known by the address, if that is known; otherwise by the type of the pointer before it became one to
//! `void`, whose target the invariant of `view` describes.
//!
//! **Incomplete:** parts of scalars are refused; so are patterns
//! other than 0 in pointers, and comparisons of padding and of pointers.

use super::Lowering;
use super::allocate::pointer_to;
use super::arguments::Evaluated;
use super::bounds::Reach;
use super::layout::{Scalar, bytes, scalars};
use super::value::{Value, binary, c, narrowed, shape};
use super::view::{Rep, rep, sees};
use crate::lower::operation::Meaning;
use crate::lower::typed::{BinaryOp, Expr, LibraryType, Type, TypeKind};
use crate::program::{self, Expr as Bits, Fault, RegId};
use crate::text::{Diagnostic, Place};

/// No call accesses more scalars.
const MOST_SCALARS: i64 = 1 << 16;

/// A scalar that is accessed, and where.
pub(super) struct Cell {
    pub(super) address: Value,
    pub(super) ty: Type,
    /// In bytes, from the first one that the call accesses.
    pub(super) offset: i64,
}

impl Lowering<'_> {
    /// A call of one of these functions; `texts` are the arguments as they are written.
    pub(super) fn access_bytes(
        &mut self,
        meaning: Meaning,
        arguments: &[Evaluated],
        texts: &[Expr],
        place: Place,
    ) -> Value {
        let [first, second, count] = arguments else {
            return Value::ZERO;
        };
        let count = match &count.value {
            Value::Known(count) => *count,
            Value::Unknown(bits) => {
                let bits = bits.clone();
                return self.access_so_many(meaning, arguments, texts, bits, place);
            }
        };
        if self.state.is_none() || count == 0 {
            let is_comparison = meaning == Meaning::CompareBytes;
            return if is_comparison {
                Value::ZERO
            } else {
                first.value.clone()
            };
        }
        match meaning {
            Meaning::FillBytes => {
                for cell in self.cells_at(first, &texts[0], count).unwrap_or_default() {
                    self.fill_cell(&cell, second, place);
                }
            }
            Meaning::AnyBytes => {
                for cell in self.cells_at(first, &texts[0], count).unwrap_or_default() {
                    self.write_any("user space", &cell.address, &cell.ty, place);
                }
            }
            Meaning::CompareBytes => {
                let a = self.cells_at(first, &texts[0], count);
                let b = self.cells_at(second, &texts[1], count);
                if let (Some(a), Some(b)) = (a, b) {
                    return self.compare_bytes(&a, &b, count, place);
                }
            }
            _ => {
                let into = self.cells_at(first, &texts[0], count);
                let from = self.cells_at(second, &texts[1], count);
                if let (Some(into), Some(from)) = (into, from) {
                    self.copy_cells(&into, &from, place);
                }
            }
        }
        first.value.clone()
    }

    /// The scalars in so many bytes from a pointer on; reports if they are not known, or not whole.
    fn cells_at(&mut self, pointer: &Evaluated, text: &Expr, count: i64) -> Option<Vec<Cell>> {
        let place = pointer.place;
        if !(0..=MOST_SCALARS * 8).contains(&count) {
            self.error("this number of bytes is too large", place);
            return None;
        }
        let cells = match &pointer.value {
            Value::Known(0) => {
                self.violation(Fault::Null, place);
                return None;
            }
            Value::Known(address) if let Some((offset, ty)) = self.offset_in(*address) => {
                if offset + count > bytes(self.unit, &ty) {
                    self.violation(Fault::Bounds, place);
                    return None;
                }
                self.known_cells(*address, offset, &ty)
            }
            Value::Known(_) | Value::Unknown(_) => {
                self.typed_cells(pointer, &self.target_of(text), count)?
            }
        };
        let size = |cell: &Cell| bytes(self.unit, &cell.ty);
        let is_cut = |cell: &Cell| cell.offset < count && cell.offset + size(cell) > count;
        if cells.iter().any(is_cut) {
            self.report(
                Diagnostic::error("a part of a scalar is accessed", self.positions.span(place))
                    .note("memory consists of whole scalars here, which have no bytes"),
            );
            return None;
        }
        let inside = cells.into_iter().filter(|cell| cell.offset < count);
        Some(inside.collect())
    }

    /// The scalars from a known address on, which is so many bytes inside an object of this type.
    pub(super) fn known_cells(&self, address: i64, offset: i64, ty: &Type) -> Vec<Cell> {
        let all = scalars(self.unit, ty);
        let from = all.partition_point(|scalar| scalar.offset < offset);
        let cells = (address..).zip(&all[from..]);
        cells
            .map(|(at, scalar)| Cell {
                address: Value::Known(at),
                ty: scalar.ty.clone(),
                offset: scalar.offset - offset,
            })
            .collect()
    }

    /// The scalars where a pointer leads to whose value is not known, by its type.
    pub(super) fn typed_cells(
        &mut self,
        pointer: &Evaluated,
        of: &Type,
        count: i64,
    ) -> Option<Vec<Cell>> {
        let place = pointer.place;
        let size = match of.kind {
            TypeKind::Void | TypeKind::Function(..) => 0,
            _ => bytes(self.unit, of),
        };
        if size == 0 {
            self.unknown_target(place);
            return None;
        }
        if let Some(last) = self.tail_of(of) {
            return self.cells_with_tail((pointer, count), of, &last);
        }
        let part: Vec<Scalar> = scalars(self.unit, of);
        let elements = (count + size - 1) / size;
        if elements.saturating_mul(part.len() as i64) > MOST_SCALARS {
            self.error("this number of bytes is too large", place);
            return None;
        }
        let ty = Type {
            kind: TypeKind::Pointer(Box::new(of.clone())),
            atomic: false,
            volatile: false,
        };
        let value = self.convert(pointer.value.clone(), pointer.ty, &ty, place);
        self.not_stray(&value, of, place);
        let mut cells = Vec::new();
        for element in 0..elements {
            let first = if element == 0 {
                value.clone()
            } else {
                let number = Value::Known(element);
                self.move_pointer(
                    BinaryOp::PointerAdd,
                    (value.clone(), &ty),
                    number,
                    Reach::Access,
                    place,
                )
            };
            for (at, scalar) in (0..).zip(&part) {
                cells.push(Cell {
                    address: self.offset(&first, at),
                    ty: scalar.ty.clone(),
                    offset: element * size + scalar.offset,
                });
            }
        }
        Some(cells)
    }

    pub(super) fn unknown_target(&mut self, place: Place) {
        self.report(
            Diagnostic::error(
                "it is not known what kind of object this pointer leads to",
                self.positions.span(place),
            )
            .note("convert the pointer to one to the type of the object: `(struct s *)p`"),
        );
    }

    /// The same if what it leads to ends with an array without a length, of these elements: what comes after the
    /// structure is there.
    fn cells_with_tail(
        &mut self,
        (pointer, count): (&Evaluated, i64),
        of: &Type,
        last: &Type,
    ) -> Option<Vec<Cell>> {
        let place = pointer.place;
        let begin = self.tail_begin(of);
        let head = scalars(self.unit, of);
        let ty = pointer_to(of);
        let value = self.convert(pointer.value.clone(), pointer.ty, &ty, place);
        self.not_stray(&value, of, place);
        let mut cells: Vec<Cell> = Vec::new();
        for (at, scalar) in (0..).zip(&head) {
            cells.push(Cell {
                address: self.offset(&value, at),
                ty: scalar.ty.clone(),
                offset: scalar.offset,
            });
        }
        if count > begin {
            let ty = pointer_to(last);
            let rest = Evaluated {
                value: self.offset(&value, head.len() as i64),
                ty: &ty,
                place,
            };
            let elements = self.typed_cells(&rest, last, count - begin)?;
            cells.extend(elements.into_iter().map(|cell| Cell {
                offset: begin + cell.offset,
                ..cell
            }));
        }
        Some(cells)
    }

    fn copy_cells(&mut self, into: &[Cell], from: &[Cell], place: Place) {
        if !self.alike(into, from, place) {
            return;
        }
        let mut values = Vec::new();
        for cell in from {
            let value = self.read_copied(&cell.address, &cell.ty, place);
            // What is in a register may change before it is stored.
            values.push(match value {
                Value::Unknown(e) => Value::Unknown(self.copy(e, place)),
                value @ Value::Known(_) => value,
            });
        }
        for ((cell, source), value) in into.iter().zip(from).zip(values) {
            let value = self.as_stored(value, &source.ty, &cell.ty, place);
            self.write_copied(&cell.address, &cell.ty, value, place);
        }
    }

    /// Whether the same scalars are at both places; reports if not.
    fn alike(&mut self, a: &[Cell], b: &[Cell], place: Place) -> bool {
        let is_alike =
            |(a, b): (&Cell, &Cell)| a.offset == b.offset && sees(rep(&a.ty), rep(&b.ty)).is_some();
        let alike = a.len() == b.len() && a.iter().zip(b).all(is_alike);
        if !alike {
            self.report(
                Diagnostic::error(
                    "objects of different scalars are copied or compared",
                    self.positions.span(place),
                )
                .note("memory consists of whole scalars here, which have no bytes"),
            );
        }
        alike
    }

    /// Stores a byte in all bytes of a scalar.
    fn fill_cell(&mut self, cell: &Cell, byte: &Evaluated, place: Place) {
        match filled(&cell.ty, byte) {
            Filled::Ignored => {}
            Filled::Value(value) => self.write(&cell.address, &cell.ty, value, place),
            Filled::Refused => self.error("this object can only be filled with 0 here", place),
        }
    }

    /// `memcmp`: the difference of the first bytes that differ, as to its sign.
    fn compare_bytes(&mut self, a: &[Cell], b: &[Cell], count: i64, place: Place) -> Value {
        if !self.alike(a, b, place) {
            return Value::ZERO;
        }
        let mut end = 0;
        for cell in a {
            if cell.offset != end || !has_order(&cell.ty) {
                self.error(
                    "only integers without gaps between them can be compared by their bytes here",
                    place,
                );
                return Value::ZERO;
            }
            end += bytes(self.unit, &cell.ty);
        }
        if end != count {
            self.error("padding is compared, which has no value", place);
            return Value::ZERO;
        }
        let mut pairs = Vec::new();
        for (a, b) in a.iter().zip(b) {
            let value = |this: &mut Self, cell: &Cell| {
                let value = this.read(&cell.address, &cell.ty, place);
                let bits = this.dynamic_of(&value, Some(&cell.ty), place);
                this.copy(bits, place)
            };
            let pair = (value(self, a), value(self, b));
            self.orders_bytes(&pair.0, &pair.1, &a.ty, place);
            pairs.push((pair, shape(&a.ty).bits));
        }
        let mut result = c(0);
        for ((a, b), bits) in pairs.into_iter().rev() {
            // The same bits are other numbers where one is seen with a sign.
            let (a, b) = (in_order(&a, bits), in_order(&b, bits));
            let differs = binary(program::BinaryOp::Ne, a.clone(), b.clone());
            let (a, b) = (super::arith::biased(&a), super::arith::biased(&b));
            let is_less = binary(program::BinaryOp::Lt, a, b);
            let sign = Bits::conditional(is_less, c(-1), c(1));
            result = Bits::conditional(differs, sign, result);
        }
        Value::Unknown(result)
    }
}

/// What a scalar holds whose bytes are all this one.
enum Filled {
    /// It is never looked at.
    Ignored,
    Value(Value),
    Refused,
}

fn filled(ty: &Type, byte: &Evaluated) -> Filled {
    match (&byte.value, rep(ty)) {
        (_, Rep::Library(LibraryType::Thread)) => Filled::Ignored,
        (Value::Known(byte), _) if byte.trailing_zeros() >= 8 => Filled::Value(Value::ZERO),
        (Value::Known(byte), Rep::Narrow { .. } | Rep::Word | Rep::Long) => {
            let pattern = i128::from(byte & 0xff) * 0x0101_0101_0101_0101;
            Filled::Value(Value::Known(shape(ty).wrap(pattern)))
        }
        (_, Rep::Float { .. }) => Filled::Value(Value::ZERO),
        (Value::Unknown(e), Rep::Narrow { bits: 8, .. }) => {
            Filled::Value(Value::Unknown(narrowed(e.clone(), shape(ty))))
        }
        (
            _,
            Rep::Bool | Rep::Narrow { .. } | Rep::Word | Rep::Long | Rep::Pointer | Rep::Library(_),
        ) => Filled::Refused,
    }
}

/// Whether all bytes of a scalar can be this one.
pub(super) fn can_be_filled(ty: &Type, byte: &Evaluated) -> bool {
    !matches!(filled(ty, byte), Filled::Refused)
}

/// Whether scalars of this type can be compared by their bytes.
pub(super) fn has_order(ty: &Type) -> bool {
    matches!(
        rep(ty),
        Rep::Bool | Rep::Narrow { .. } | Rep::Word | Rep::Long
    )
}

/// The bytes of a number of so many bits in the order of their addresses, the first one as the highest. Of 64 bits
/// the upper half is the sign of the lower one.
fn in_order(e: &Bits<RegId>, bits: u8) -> Bits<RegId> {
    use program::BinaryOp::{BitAnd, BitOr, Shl, Shr};
    let byte = |at: i32| {
        let moved = binary(Shr, e.clone(), c(8 * at));
        binary(BitAnd, moved, c(0xff))
    };
    let count = i32::from(bits.clamp(8, 32)) / 8;
    (0..count).fold(c(0), |all, at| {
        binary(BitOr, binary(Shl, all, c(8)), byte(at))
    })
}
