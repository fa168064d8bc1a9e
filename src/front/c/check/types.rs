//! Types: predicates, sizes as of LP64, and how messages spell them.

use super::{Checked, Checker, Reported};
use crate::lower::typed::{LibraryType, Struct, Type, TypeKind};
use crate::text::Place;

pub(crate) const VOID: Type = plain(TypeKind::Void);
pub(crate) const BOOL: Type = plain(TypeKind::Bool);
pub(crate) const CHAR: Type = integer(8, true);
pub(crate) const INT: Type = integer(32, true);
pub(crate) const UNSIGNED: Type = integer(32, false);
pub(crate) const LONG: Type = integer(64, true);
pub(crate) const UNSIGNED_LONG: Type = integer(64, false);

/// No type has more parts than this: no recursion over one overflows the stack, and no chain of
/// `typedef`s doubles its size for long.
const MOST_PARTS: usize = 300;

/// Objects are smaller than this many bytes. Each scalar is a cell, and a program has at most a million.
pub(crate) const LARGEST: u64 = 1 << 21;

const fn plain(kind: TypeKind) -> Type {
    Type {
        kind,
        atomic: false,
        volatile: false,
    }
}

/// An integer type.
pub(crate) const fn integer(bits: u8, signed: bool) -> Type {
    plain(TypeKind::Int { bits, signed })
}

/// A floating-point type.
pub(crate) const fn float(bits: u8) -> Type {
    plain(TypeKind::Float { bits })
}

/// A pointer to this type.
pub(crate) fn pointer(to: Type) -> Type {
    plain(TypeKind::Pointer(Box::new(to)))
}

/// The type of values that an object of this type holds.
pub(crate) fn unqualified(ty: &Type) -> Type {
    plain(ty.kind.clone())
}

/// The type with more qualifiers. Those of an array are its elements'.
pub(crate) fn qualified(mut ty: Type, atomic: bool, volatile: bool) -> Type {
    if let TypeKind::Array(element, length) = ty.kind {
        let element = qualified(*element, atomic, volatile);
        return plain(TypeKind::Array(Box::new(element), length));
    }
    ty.atomic |= atomic;
    ty.volatile |= volatile;
    ty
}

/// From the start of the first to the end of the last.
pub(crate) fn to(first: Place, last: Place) -> Place {
    if first.file != last.file {
        return first;
    }
    Place {
        file: first.file,
        start: first.start.min(last.start),
        end: first.end.max(last.end),
    }
}

impl Checker<'_> {
    /// Size and alignment in bytes; `None` for incomplete types and functions.
    pub(crate) fn layout(&self, ty: &Type) -> Option<(u64, u64)> {
        self.unit.layout(ty)
    }

    /// Whether a structure ends with an array without a length, or an array consists of such structures.
    pub(crate) fn is_flexible(&self, ty: &Type) -> bool {
        match &ty.kind {
            TypeKind::Array(element, _) => self.is_flexible(element),
            TypeKind::Struct(id) => self.unit.structs[id.0].tail().is_some(),
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Pointer(_)
            | TypeKind::Function(..)
            | TypeKind::Library(_) => false,
        }
    }

    /// The size in bytes of an object; an error if there is none of this type.
    pub(crate) fn size(&mut self, ty: &Type, place: Place) -> Checked<u64> {
        match self.layout(ty) {
            Some((size, _)) if size < LARGEST => Ok(size),
            Some(_) => Err(self.error(format!("`{}` is too large", self.show(ty)), place)),
            None => Err(self.incomplete(ty, place)),
        }
    }

    fn incomplete(&mut self, ty: &Type, place: Place) -> Reported {
        if let TypeKind::Struct(id) = ty.kind
            && let Some(reported) = self.is_struct_aside(id)
        {
            return reported;
        }
        let shown = self.show(ty);
        let what = match ty.kind {
            TypeKind::Function(..) => format!("`{shown}` is a function, which has no size"),
            TypeKind::Array(_, 0) => format!("the array `{shown}` has no length"),
            TypeKind::Array(..) => format!("`{shown}` is too large"),
            TypeKind::Struct(_) => format!("`{shown}` is not defined"),
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Pointer(_)
            | TypeKind::Library(_) => format!("`{shown}` has no values"),
        };
        self.error(what, place)
    }

    /// The type, unless it has too many parts.
    pub(crate) fn bounded(&mut self, ty: Type, place: Place) -> Checked<Type> {
        if parts(&ty, MOST_PARTS) > MOST_PARTS {
            return Err(self.error("this type is nested too deeply", place));
        }
        Ok(ty)
    }

    /// The definition of the structure that a type names.
    pub(crate) fn structure(&self, ty: &Type) -> Option<&Struct> {
        match ty.kind {
            TypeKind::Struct(id) => self.unit.structs.get(id.0),
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Pointer(_)
            | TypeKind::Array(..)
            | TypeKind::Function(..)
            | TypeKind::Library(_) => None,
        }
    }

    /// The type as C spells it without a name.
    pub(crate) fn show(&self, ty: &Type) -> String {
        self.declare(ty, String::new()).trim_end().to_owned()
    }

    /// A declaration of `inner` with this type.
    fn declare(&self, ty: &Type, inner: String) -> String {
        let bracketed = |inner: String| {
            if inner.starts_with('*') {
                format!("({inner})")
            } else {
                inner
            }
        };
        let base = match &ty.kind {
            TypeKind::Pointer(to) => {
                let qualifiers = qualifiers(ty);
                let space = if qualifiers.is_empty() || inner.is_empty() {
                    ""
                } else {
                    " "
                };
                let own = format!("*{}{space}{inner}", qualifiers.trim_end());
                return self.declare(to, own);
            }
            TypeKind::Array(element, length) => {
                let length = match length {
                    0 => String::new(),
                    length => length.to_string(),
                };
                return self.declare(element, format!("{}[{length}]", bracketed(inner)));
            }
            TypeKind::Function(returns, parameters) => {
                let parameters: Vec<String> = parameters.iter().map(|ty| self.show(ty)).collect();
                let parameters = if parameters.is_empty() {
                    "void".to_owned()
                } else {
                    parameters.join(", ")
                };
                return self.declare(returns, format!("{}({parameters})", bracketed(inner)));
            }
            TypeKind::Void => "void".to_owned(),
            TypeKind::Bool => "_Bool".to_owned(),
            TypeKind::Int { bits, signed } => integer_name(*bits, *signed).to_owned(),
            TypeKind::Float { bits } => match bits {
                32 => "float",
                64 => "double",
                _ => "long double",
            }
            .to_owned(),
            TypeKind::Struct(id) => match self.unit.structs.get(id.0) {
                Some(known) => {
                    let word = known.union.map_or("struct", |_| "union");
                    format!("{word} {}", known.name).trim_end().to_owned()
                }
                None => "struct".to_owned(),
            },
            TypeKind::Library(library) => library_name(*library).to_owned(),
        };
        format!("{}{base} {inner}", qualifiers(ty))
    }
}

fn qualifiers(ty: &Type) -> &'static str {
    match (ty.atomic, ty.volatile) {
        (false, false) => "",
        (true, false) => "_Atomic ",
        (false, true) => "volatile ",
        (true, true) => "_Atomic volatile ",
    }
}

fn integer_name(bits: u8, signed: bool) -> &'static str {
    match (bits, signed) {
        (8, true) => "char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (64, true) => "long",
        (64, false) => "unsigned long",
        (_, true) => "int",
        (_, false) => "unsigned int",
    }
}

fn library_name(library: LibraryType) -> &'static str {
    match library {
        LibraryType::Thread => "pthread_t",
        LibraryType::Mutex => "pthread_mutex_t",
        LibraryType::Spinlock => "spinlock_t",
        LibraryType::Condition => "pthread_cond_t",
        LibraryType::RwLock => "pthread_rwlock_t",
        LibraryType::Barrier => "pthread_barrier_t",
        LibraryType::Semaphore => "sem_t",
        LibraryType::Once => "pthread_once_t",
        LibraryType::Ignored => "library type",
    }
}

/// The number of parts of a type, or more than `most`.
fn parts(ty: &Type, most: usize) -> usize {
    let mut count = 0;
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        count += 1;
        if count > most {
            break;
        }
        match &ty.kind {
            TypeKind::Pointer(to) | TypeKind::Array(to, _) => open.push(to),
            TypeKind::Function(returns, parameters) => {
                open.push(returns);
                open.extend(parameters);
            }
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Struct(_)
            | TypeKind::Library(_) => {}
        }
    }
    count
}
