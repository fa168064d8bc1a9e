//! Accesses of a type that is recast (`view`), by an address that is not known: the cell may be
//! represented otherwise.
//!
//!   load of a narrow integer    ─▶ load; what was loaded, converted to the type of the access
//!   store of a narrow integer   ─▶ store of the value, converted to the type of the cell at the address
//!   anything else               ─▶ limit(the cell is represented as the access has it); access
//!
//! Either conversion is right for both representations of a narrow integer, the sign-extended one and the
//! zero-extended one: they have the same lower bits.

use super::Lowering;
use super::bounds::root;
use super::code::Code;
use super::deferred::{Access, after, before, checked, one_of};
use super::value::{Shape, c, narrowed, not};
use super::view::{Rep, View, rep, sees};
use crate::program::{Expr, Fault, Op, RegId};

type Bits = Expr<RegId>;

impl Lowering<'_> {
    /// An access whose type is recast, by an address that is not known: what is in the cell is converted
    /// if that depends on its sign only. Otherwise the execution is not covered.
    pub(super) fn convert_access(&mut self, code: &mut Code, access: &Access, address: &Bits) {
        self.keep_from_ends(code, access, address);
        let Some(own) = access.rep.filter(|rep| self.learned.recast.contains(rep)) else {
            return;
        };
        if address.as_const().is_some() {
            return;
        }
        let (mut same, mut others) = (Vec::new(), Vec::new());
        for object in self.reachable(address, access) {
            for cell in object.start..object.start + object.cells {
                let there = self.memory.scalar(cell).map(|scalar| rep(&scalar.ty));
                match there.and_then(|there| sees(own, there)) {
                    Some(View::Same) => same.push(cell),
                    Some(View::Converted) => others.push(cell),
                    None => {}
                }
            }
        }
        if others.is_empty() {
            return;
        }
        let is_other = if same.is_empty() {
            c(1)
        } else {
            one_of(&others, address)
        };
        let Rep::Narrow { bits, signed } = own else {
            self.never_there(code, access.ends(code).0, not(is_other));
            return;
        };
        let (own, other) = (
            Shape { bits, signed },
            Shape {
                bits,
                signed: !signed,
            },
        );
        match &mut code.instructions[access.instr].op {
            Op::Load { into, .. } => {
                let (into, value) = (*into, narrowed(Expr::Var(*into), own));
                let last = access.ends(code).1;
                after(code, last, [(Op::Assign { into, value }, None)]);
            }
            Op::Store { value, .. } => {
                let converted = narrowed(value.clone(), other);
                *value = Expr::conditional(is_other, converted, value.clone());
            }
            // What compilers make of it depends on its operand.
            _ => self.never_there(code, access.ends(code).0, not(is_other)),
        }
    }

    /// The pointer may be the end of an array inside an object, where something else follows: an access of that by
    /// this pointer is one outside the array.
    fn keep_from_ends(&self, code: &mut Code, access: &Access, address: &Bits) {
        if address.as_const().is_some() {
            return;
        }
        // Locks and the like have no representation of their own.
        let is_seen = |there: Rep| match access.rep {
            Some(own) => sees(own, there).is_some(),
            None => matches!(there, Rep::Library(_)),
        };
        let known = root(address).and_then(|known| self.memory.object_at(known));
        let is_there = |cell: i64| {
            known.is_none_or(|object| (object.start..object.start + object.cells).contains(&cell))
        };
        let others = self.after_arrays.iter().copied().filter(|&cell| {
            let there = self.memory.scalar(cell).map(|scalar| rep(&scalar.ty));
            is_there(cell) && there.is_some_and(|there| !is_seen(there))
        });
        let others: Vec<i64> = others.collect();
        if !others.is_empty() {
            let inside = not(one_of(&others, address));
            before(code, access.ends(code).0, checked(&inside, Fault::Bounds));
        }
    }

    /// An execution in which this does not hold at an access is not covered.
    #[allow(clippy::unused_self, reason = "one of the checks of an access")]
    fn never_there(&self, code: &mut Code, instr: usize, holds: Bits) {
        before(code, instr, checked(&holds, Fault::OtherSize));
        let first = code.instructions.len() - 2;
        code.instructions[first].limit = true;
    }

    /// Whether an access may be one of this cell.
    pub(super) fn may_see(&self, cell: i64, access: &Access) -> bool {
        let there = self.memory.scalar(cell).map(|scalar| rep(&scalar.ty));
        match (there, access.rep) {
            // Locks and the like are accessed as numbers.
            (None | Some(Rep::Library(_)), _) => true,
            (Some(_), None) => false,
            (Some(there), Some(own)) => sees(own, there).is_some(),
        }
    }
}
