//! Which pointers are counted, and what they point to.
//!
//! Whether there is a count is a question about a type: does the program execute anything that depends on it? That is
//! known when all of the program is translated. So it is translated again with the counts that were asked for, until
//! it asks for no more; why the others can be left out is said in `body::counts`. `Weak` pointers are counted in the same way,
//! where there is one.

use super::types::{Ptr, Ty, U32};
use super::unit::Translator;
use crate::lower::typed::{FunctionId, Type, TypeKind};
use crate::text::Place;

impl Translator<'_> {
    /// What an `Arc` or an `Rc` to this type points to, if there is a count: that, the value, and the number of `Weak`
    /// pointers if there are any.
    pub(super) fn counted(&self, kind: Ptr, to: &Ty) -> Option<Ty> {
        let number = match kind {
            Ptr::Arc => Ty::Atomic(Box::new(U32)),
            Ptr::Rc => U32,
            Ptr::Ref | Ptr::Raw | Ptr::NonNull | Ptr::Box => return None,
        };
        let is_counted = self.options.counted.contains(to);
        is_counted.then(|| {
            let mut parts = vec![number.clone(), to.clone()];
            if self.has_weak(to) {
                parts.push(number);
            }
            Ty::Tuple(parts)
        })
    }

    /// Whether the `Weak` pointers to this type are counted.
    pub(super) fn has_weak(&self, to: &Ty) -> bool {
        self.options.weak.contains(to)
    }

    /// Notes that the `Weak` pointers to this type have to be counted, and so all.
    pub(super) fn ask_for_weak(&mut self, to: Ty) {
        if !self.has_weak(&to) {
            self.to_weaken.insert(to.clone());
        }
        self.ask_for_count(to);
    }

    /// Notes that the pointers to this type have to be counted: then the program is translated again.
    pub(super) fn ask_for_count(&mut self, to: Ty) {
        if !self.options.counted.contains(&to) {
            self.to_count.insert(to);
        }
    }

    /// Where a member of a structure is, in bytes.
    pub(super) fn offset(&self, ty: &Type, member: usize) -> Option<i64> {
        let TypeKind::Struct(id) = ty.kind else {
            return None;
        };
        let layout = self.unit.structs[id.0].layout.as_ref()?;
        layout.offsets.get(member).map(|&offset| offset as i64)
    }

    /// The function that drops values of a type.
    pub(super) fn dropper(&mut self, ty: &Ty, place: Place) -> FunctionId {
        if let Some(id) = self.droppers.get(ty) {
            return *id;
        }
        let id = self.reserve("drop", place);
        self.droppers.insert(ty.clone(), id);
        id
    }
}
