//! What kind of type a type is, and how wide its values are.

use super::{Type, TypeKind};

impl Type {
    /// Whether it is an integer type; `_Bool` is one.
    pub(crate) fn is_integer(&self) -> bool {
        matches!(self.kind, TypeKind::Int { .. } | TypeKind::Bool)
    }

    pub(crate) fn is_pointer(&self) -> bool {
        matches!(self.kind, TypeKind::Pointer(_))
    }

    pub(crate) fn is_float(&self) -> bool {
        matches!(self.kind, TypeKind::Float { .. })
    }

    /// Whether values are numbers or pointers.
    pub(crate) fn is_scalar(&self) -> bool {
        self.is_integer() || self.is_pointer() || self.is_float()
    }

    pub(crate) fn is_void(&self) -> bool {
        self.kind == TypeKind::Void
    }

    pub(crate) fn is_function(&self) -> bool {
        matches!(self.kind, TypeKind::Function(..))
    }

    /// What a pointer points to.
    pub(crate) fn pointee(&self) -> Option<&Type> {
        match &self.kind {
            TypeKind::Pointer(to) => Some(to),
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Array(..)
            | TypeKind::Struct(_)
            | TypeKind::Function(..)
            | TypeKind::Library(_) => None,
        }
    }

    /// How many bits values have, and whether they are signed. Pointers are 64-bit numbers.
    pub(crate) fn width(&self) -> Option<(u32, bool)> {
        match self.kind {
            TypeKind::Int { bits, signed } => Some((u32::from(bits), signed)),
            TypeKind::Bool => Some((1, false)),
            TypeKind::Pointer(_) => Some((64, false)),
            TypeKind::Float { .. }
            | TypeKind::Void
            | TypeKind::Array(..)
            | TypeKind::Struct(_)
            | TypeKind::Function(..)
            | TypeKind::Library(_) => None,
        }
    }
}
