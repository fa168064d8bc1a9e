//! Objects that certainly hold what they held before there were other threads.

use super::Lowering;
use super::objects::innermost;
use crate::lower::typed::{ObjectId, Type, TypeKind};

impl Lowering<'_> {
    /// The object at this address, if it is a pointer that is accessed by its name alone.
    pub(super) fn pointer_at(&self, address: i64) -> Option<usize> {
        let mut objects = self.memory.objects.iter();
        let Some(((id, thread), _)) = objects.find(|(_, at)| **at == address) else {
            return self.table_at(address);
        };
        let ty = &self.unit.objects[*id].ty;
        // The variables of a litmus test are accessed by its instructions.
        let is_fixed = match ty.kind {
            TypeKind::Pointer(_) => true,
            TypeKind::Bool | TypeKind::Int { .. } => self.test.is_none(),
            TypeKind::Void
            | TypeKind::Float { .. }
            | TypeKind::Function(..)
            | TypeKind::Library(_) => false,
            TypeKind::Array(..) | TypeKind::Struct(_) => return self.table_at(address),
        };
        let plain = is_fixed && !ty.atomic && !ty.volatile;
        (plain && thread.is_none() && !self.facts.is_addressed(ObjectId(*id))).then_some(*id)
    }

    /// The array or structure that this address is in, if nothing stores to it, as to a table of functions.
    fn table_at(&self, address: i64) -> Option<usize> {
        let is_plain = |ty: &Type| {
            matches!(
                ty.kind,
                TypeKind::Pointer(_) | TypeKind::Bool | TypeKind::Int { .. }
            ) && !ty.atomic
                && !ty.volatile
        };
        self.memory
            .scalar(address)
            .filter(|scalar| is_plain(&scalar.ty))?;
        let start = self.memory.object_at(address)?.start;
        let mut objects = self.memory.objects.iter();
        let ((id, thread), _) = objects.find(|(_, at)| **at == start)?;
        let id = ObjectId(*id);
        let ty = innermost(&self.unit.objects[id.0].ty);
        let is_fixed = thread.is_none() && self.test.is_none() && !ty.atomic && !ty.volatile;
        let changes = self.facts.is_addressed(id) || self.facts.is_written(id);
        (is_fixed && !changes).then_some(id.0)
    }
}
