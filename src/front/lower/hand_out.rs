//! Memory that is handed to the world outside: `write`, `fwrite` load what they write.
//!
//!   write(fd, &message, sizeof message) ─▶ a load of each scalar of it, whose value nothing depends on
//!
//! The loads are plain ones, so those of memory that another thread stores to at the same time are races. Of a number
//! of bytes that is known at run time only, each further load is executed if it is larger. Of a text that `puts` or `%s`
//! prints, each further load is executed if the one before found no end.
//!
//! **Incomplete:** nothing is loaded where neither the object is known nor the type of what the pointer leads to, in the
//! function at hand or in those that it gets the pointer from; no more than [`MOST`] bytes if their number is not known.
//! Of a text whose address is known at run time only, just the first character is loaded.

use super::Lowering;
use super::arguments::Evaluated;
use super::copy::Cell;
use super::env::Env;
use super::heap::target;
use super::layout::bytes;
use super::value::{Value, binary, c};
use crate::lower::typed::{Expr, ExprKind, LvalueKind, Type, TypeKind};
use crate::program::{BinaryOp, Expr as Bits, Fault, RegId};
use crate::text::Place;

/// Of a number of bytes that is not known, no more are loaded.
const MOST: i64 = 64;

impl Lowering<'_> {
    /// What a pointer leads to by its type before it became one to `void`, also in the functions that pass it on.
    pub(super) fn target_of(&self, text: &Expr) -> Type {
        let ty = target(text);
        if !ty.is_void() {
            return ty;
        }
        let mut inner = text;
        while let ExprKind::Cast(of) = &inner.kind {
            inner = of;
        }
        let parameter = match &inner.kind {
            ExprKind::Load(lvalue) => match lvalue.kind {
                LvalueKind::Local(local) => Some(local.0),
                _ => None,
            },
            _ => None,
        };
        let depth = self.env().map_or(0, |env| env.frames.len());
        let given = self.given.last().filter(|(at, _)| *at == depth);
        let known = given.and_then(|(_, targets)| targets.get(parameter?));
        known.cloned().unwrap_or(ty)
    }

    /// Loads what a pointer leads to, as many bytes as argument 1 says.
    pub(super) fn hand_out(
        &mut self,
        arguments: &[Evaluated],
        texts: &[Expr],
        place: Place,
    ) -> Value {
        self.load_bytes(arguments, texts, place);
        Value::ZERO
    }

    /// Loads a text, if the pointer is not null; what is printed of it, or whether that fails, is any value.
    pub(super) fn print(
        &mut self,
        arguments: &[Evaluated],
        texts: &[Expr],
        used: bool,
        place: Place,
    ) -> Value {
        if let ([pointer, ..], Some(_)) = (arguments, &self.state) {
            match pointer.value {
                // No other thread stores to what is in registers.
                Value::Known(address) if address == 0 || Env::is_virtual(address) => {}
                Value::Known(address) => self.load_text(address, place),
                Value::Unknown(_) => {
                    let of = self.target_of(&texts[0]);
                    let is_text = matches!(of.kind, TypeKind::Int { bits: 8, .. });
                    let (some, null) = self.split(pointer.value.clone(), place);
                    self.state = some;
                    let cells = is_text.then(|| self.typed_cells(pointer, &of, 1)).flatten();
                    for cell in cells.unwrap_or_default() {
                        self.read(&cell.address, &cell.ty, place);
                    }
                    let both = self.state.take().into_iter().chain(null).collect();
                    self.state = self.join(both, place);
                }
            }
        }
        if used {
            self.any_value(i32::MIN, i32::MAX, place)
        } else {
            Value::ZERO
        }
    }

    /// Loads the characters from an address on, up to the first 0.
    fn load_text(&mut self, address: i64, place: Place) {
        let Some((offset, ty)) = self.offset_in(address) else {
            return;
        };
        let mut ends = Vec::new();
        for cell in self
            .known_cells(address, offset, &ty)
            .into_iter()
            .take(MOST as usize)
        {
            if !matches!(cell.ty.kind, TypeKind::Int { bits: 8, .. }) {
                break;
            }
            let value = self.read(&cell.address, &cell.ty, place);
            let (more, end) = self.split(value, place);
            ends.extend(end);
            self.state = more;
        }
        if bytes(self.unit, &ty) - offset <= MOST {
            self.violation(Fault::Bounds, place);
        }
        ends.extend(self.state.take());
        self.state = self.join(ends, place);
    }

    fn load_bytes(&mut self, arguments: &[Evaluated], texts: &[Expr], place: Place) {
        let [pointer, count] = arguments else {
            return;
        };
        if self.state.is_none() || count.value == Value::ZERO {
            return;
        }
        let most = match count.value {
            Value::Known(count) => count,
            Value::Unknown(_) => MOST,
        };
        let cells = match &pointer.value {
            // No other thread stores to what is in registers.
            Value::Known(address) if Env::is_virtual(*address) => return,
            Value::Known(0) => {
                self.violation_if(&count.value, Fault::Null, place);
                return;
            }
            Value::Known(address) => {
                let Some((offset, ty)) = self.offset_in(*address) else {
                    return;
                };
                let left = bytes(self.unit, &ty) - offset;
                if count.value.known().is_some_and(|count| count > left) {
                    self.violation(Fault::Bounds, place);
                    return;
                }
                self.known_cells(*address, offset, &ty)
            }
            Value::Unknown(_) => {
                let of = self.target_of(&texts[0]);
                let is_known = !of.is_void() && !of.is_function() && bytes(self.unit, &of) > 0;
                let most = most.max(1);
                if !is_known || self.tail_of(&of).is_some() {
                    return;
                }
                let size = bytes(self.unit, &of);
                let whole = if count.value.known().is_some() {
                    most
                } else {
                    // One element is there if anything is.
                    size
                };
                let Some(cells) = self.typed_cells(pointer, &of, whole) else {
                    return;
                };
                cells
            }
        };
        let cells = cells.into_iter().filter(|cell| cell.offset < most);
        self.load_cells(cells.collect(), &count.value, place);
    }

    fn load_cells(&mut self, cells: Vec<Cell>, count: &Value, place: Place) {
        let count = match count {
            Value::Known(_) => None,
            Value::Unknown(count) => Some(self.copy(count.clone(), place)),
        };
        let mut ends = Vec::new();
        for cell in cells {
            if matches!(cell.ty.kind, TypeKind::Library(_) | TypeKind::Float { .. }) {
                continue;
            }
            if let Some(count) = &count {
                let (more, done) = self.split(Value::Unknown(exceeds(count, cell.offset)), place);
                ends.extend(done);
                self.state = more;
            }
            self.read_copied(&cell.address, &cell.ty, place);
        }
        ends.extend(self.state.take());
        self.state = self.join(ends, place);
    }

    /// A violation if a number is not 0.
    fn violation_if(&mut self, number: &Value, fault: Fault, place: Place) {
        let (some, none) = self.split(number.clone(), place);
        self.state = some;
        self.violation(fault, place);
        self.state = none;
    }
}

/// Whether a number of bytes is larger than this; without a sign.
fn exceeds(count: &Bits<RegId>, offset: i64) -> Bits<RegId> {
    let is_less = binary(BinaryOp::Le, count.clone(), c(offset as i32));
    let is_natural = binary(BinaryOp::Le, c(0), count.clone());
    let fits = binary(BinaryOp::BitAnd, is_less, is_natural);
    binary(BinaryOp::Eq, fits, c(0))
}
