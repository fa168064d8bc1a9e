//! Memory that the program allocates: an object of its own for each call that is executed.

use super::Lowering;
use super::value::Value;
use crate::c::hir::{self, Expr, ExprKind, LibraryType, Type, TypeKind};
use crate::c::library::Meaning;
use crate::text::Diagnostic;

impl Lowering<'_> {
    /// The address of memory that is allocated as this type; `None` if the expression allocates none.
    pub(super) fn allocation(&mut self, e: &Expr, as_ty: &Type) -> Option<Value> {
        let ExprKind::Call(hir::Callee::Library(entry), arguments) = &e.kind else {
            return None;
        };
        let TypeKind::Pointer(element) = &as_ty.kind else {
            return None;
        };
        let sizes: Vec<Option<i64>> = match entry.meaning {
            Meaning::Malloc | Meaning::Calloc => {
                arguments.iter().map(|e| self.eval(e).known()).collect()
            }
            _ => return None,
        };
        if self.state.is_none() {
            return Some(Value::ZERO);
        }
        let bytes = sizes
            .into_iter()
            .try_fold(1_i64, |all, size| Some(all * size?));
        let size = bytes_of(self.unit, element).0;
        let count = bytes.map(|bytes| bytes / size.max(1));
        if self.loops > 0 {
            self.report(
                Diagnostic::error(
                    "memory is allocated in a loop whose number of iterations is not known",
                    self.positions.span(e.place),
                )
                .note("allocate it before the loop, or bound the loop by a constant"),
            );
            return Some(Value::ZERO);
        }
        let Some(count @ 1..=65_536) = count else {
            self.error("the size of this allocation is not a constant", e.place);
            return Some(Value::ZERO);
        };
        let name = match &element.kind {
            TypeKind::Struct(id) if !self.unit.structs[id.0].name.is_empty() => {
                self.unit.structs[id.0].name.clone()
            }
            _ => "heap".to_owned(),
        };
        let ty = if count == 1 {
            (**element).clone()
        } else {
            Type {
                kind: TypeKind::Array(element.clone(), count as u32),
                atomic: false,
                volatile: false,
            }
        };
        Some(Value::Known(self.memory.place(
            self.unit,
            &format!("{name}#1"),
            &ty,
        )))
    }
}

/// Size and alignment of a type in bytes, as on 64-bit Linux.
fn bytes_of(unit: &hir::Unit, ty: &Type) -> (i64, i64) {
    match &ty.kind {
        TypeKind::Void | TypeKind::Function(..) | TypeKind::Bool => (1, 1),
        TypeKind::Int { bits, .. } => (i64::from(*bits) / 8, i64::from(*bits) / 8),
        TypeKind::Pointer(_) => (8, 8),
        TypeKind::Array(element, count) => {
            let (size, align) = bytes_of(unit, element);
            (size * i64::from(*count), align)
        }
        TypeKind::Struct(id) => {
            let (mut size, mut most) = (0_i64, 1);
            for member in &unit.structs[id.0].members {
                let (own, align) = bytes_of(unit, &member.ty);
                size = (size + align - 1) / align * align + own;
                most = most.max(align);
            }
            ((size + most - 1) / most * most, most)
        }
        TypeKind::Library(library) => match library {
            LibraryType::Thread => (8, 8),
            LibraryType::Mutex => (40, 8),
            LibraryType::Spinlock | LibraryType::Once | LibraryType::Key => (4, 4),
            LibraryType::Condition => (48, 8),
            LibraryType::RwLock | LibraryType::Ignored => (56, 8),
            LibraryType::Barrier | LibraryType::Semaphore => (32, 8),
        },
    }
}
