//! The statics that each thread has of its own.
//!
//! One is a `LocalKey` of the library, in memory that each thread has for itself. It gets its value where it is mentioned for
//! the first time, which is where a method of it is called.
//!
//! **Absent.** What values do that end with their threads: they are refused. Memory that they own stays.

use super::build::{assign, deref, load, not, sequence, truth, when};
use super::{Body, Pl};
use crate::rust::source::span;
use crate::rust::types::{Slot, Ty};
use crate::rust::unit::{Context, Def, Res};
use crate::text::Place;

/// Types nest up to this depth.
const MOST_DEPTH: usize = 16;

impl<'a> Body<'_, 'a> {
    /// The static that the thread at hand has, which gets its value if it has none.
    pub(super) fn thread_local(
        &mut self,
        own: Pl,
        initial: &'a syn::ItemFn,
        module: usize,
        place: Place,
    ) -> Res<Pl> {
        let Ty::Adt(_, arguments) = self.infer.shallow(&own.ty) else {
            return Err(self.t.reported());
        };
        let ty = arguments[0].clone();
        if !self.ends_silently(&ty, 0) {
            return self.refuse(
                "a thread-local value whose end has an effect is not supported",
                span(&initial.sig),
                "it ends with each thread: keep it in a variable of what the threads execute",
            );
        }
        let is_made = self.part(&own, "is_made", place)?;
        let slot = self.part(&own, "value", place)?;
        let value = self.in_slot(&slot, Slot::Uninit, &ty);
        let def = Def {
            sig: &initial.sig,
            block: &initial.block,
        };
        let context = Context {
            module,
            ..Context::default()
        };
        let made = self.call_function(def, context, None, Vec::new(), None, place)?;
        let mut first = Vec::new();
        Self::overwrite(&value, made.e, &mut first, place);
        let is_made = is_made.lvalue;
        let set = assign(is_made.clone(), truth(true, place), place);
        first.push(Self::effect(set));
        let made = when(not(load(is_made, place)), first);
        let address = self.address_of(own.lvalue, place);
        Ok(Pl {
            lvalue: deref(sequence(vec![made], address), place),
            ty: own.ty,
        })
    }

    /// Whether the end of a value does nothing, or frees memory.
    fn ends_silently(&mut self, ty: &Ty, depth: usize) -> bool {
        let ty = self.infer.settled(ty);
        if !self.needs_drop(&ty) || self.is_vector(&ty) {
            return true;
        }
        match &ty {
            Ty::Adt(..) | Ty::Tuple(_) => {
                depth < MOST_DEPTH
                    && self.drop_method(&ty).is_none()
                    && self
                        .t
                        .parts(&ty)
                        .iter()
                        .all(|(_, part)| self.ends_silently(part, depth + 1))
            }
            Ty::Array(part, _) | Ty::Cell(part) | Ty::Slot(Slot::Cell, part) => {
                depth < MOST_DEPTH && self.ends_silently(part, depth + 1)
            }
            _ => false,
        }
    }
}
