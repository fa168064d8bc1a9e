//! Types in initial states: their width, whether they are signed, whether they are pointers.
//!
//! Values are 32 bits wide here. Narrower and wider types are accepted, but code that computes with
//! them must ensure that the result is the same.

use super::words::{Reader, Word};

/// The size of an access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Size {
    /// 8 bits.
    Byte,
    /// 16 bits.
    Word,
    /// 32 bits.
    Long,
    /// 64 bits.
    Quad,
}

impl Size {
    /// In bytes.
    pub(super) fn bytes(self) -> u32 {
        match self {
            Size::Byte => 1,
            Size::Word => 2,
            Size::Long => 4,
            Size::Quad => 8,
        }
    }

    /// A number as a value of this size.
    ///
    /// # Errors
    ///
    /// If a 32-bit cell cannot represent it.
    pub(super) fn value(self, number: i64) -> Result<i32, String> {
        let fits = |least: i64, most: i64| (least..=most).contains(&number);
        let ok = match self {
            // A byte that is 255 to one reader and -1 to another has no single value.
            Size::Byte => fits(0, 127),
            Size::Word => fits(0, 32_767),
            Size::Long => fits(i32::MIN.into(), u32::MAX.into()),
            Size::Quad => fits(i32::MIN.into(), i32::MAX.into()),
        };
        if ok {
            return Ok(number as i32);
        }
        Err(match self {
            Size::Long => format!("{number} does not fit in 32 bits"),
            Size::Byte | Size::Word | Size::Quad => format!(
                "the {}-byte value {number} does not fit in a 32-bit cell",
                self.bytes()
            ),
        })
    }
}

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Type {
    /// What is pointed to in the end, or the type itself.
    pub(super) base: Size,
    /// Whether that is signed.
    pub(super) signed: bool,
    /// The number of stars.
    pub(super) stars: u8,
}

impl Type {
    /// `int`.
    pub(super) const INT: Type = Type {
        base: Size::Long,
        signed: true,
        stars: 0,
    };

    /// The size of a value of this type.
    pub(super) fn size(self) -> Size {
        if self.stars > 0 {
            Size::Quad
        } else {
            self.base
        }
    }

    /// The type of what it points to.
    pub(super) fn pointee(self) -> Option<Type> {
        let stars = self.stars.checked_sub(1)?;
        Some(Type { stars, ..self })
    }

    /// The type in C syntax.
    pub(super) fn name(self) -> String {
        let base = match (self.base, self.signed) {
            (Size::Byte, true) => "int8_t",
            (Size::Byte, false) => "uint8_t",
            (Size::Word, true) => "int16_t",
            (Size::Word, false) => "uint16_t",
            (Size::Long, true) => "int",
            (Size::Long, false) => "unsigned int",
            (Size::Quad, true) => "int64_t",
            (Size::Quad, false) => "uint64_t",
        };
        format!("{base}{}", "*".repeat(self.stars.into()))
    }
}

fn is_qualifier(word: &str) -> bool {
    matches!(
        word,
        "const" | "volatile" | "_Atomic" | "register" | "static"
    )
}

/// The size and sign that one word denotes.
fn basic(word: &str) -> Option<(Size, bool)> {
    let word = word.strip_prefix("__").unwrap_or(word);
    let word = word.strip_prefix("atomic_").unwrap_or(word);
    Some(match word {
        "char" | "int8_t" | "s8" => (Size::Byte, true),
        "uchar" | "uint8_t" | "u8" | "bool" | "_Bool" => (Size::Byte, false),
        "short" | "int16_t" | "s16" => (Size::Word, true),
        "ushort" | "uint16_t" | "u16" => (Size::Word, false),
        "int" | "int32_t" | "s32" | "signed" | "t" | "spinlock_t" => (Size::Long, true),
        "uint" | "uint32_t" | "u32" | "unsigned" => (Size::Long, false),
        "long" | "llong" | "int64_t" | "s64" | "intptr_t" | "atomic64_t" | "ssize_t" => {
            (Size::Quad, true)
        }
        "ulong" | "ullong" | "uint64_t" | "u64" | "uintptr_t" | "size_t" => (Size::Quad, false),
        _ => return None,
    })
}

/// Parses a type with its stars, if one begins here: `unsigned long *`, `_Atomic int`.
pub(super) fn read(reader: &mut Reader<'_, '_>) -> Option<Type> {
    let mut kind: Option<(Size, bool)> = None;
    let mut stars = 0u8;
    let mut any = false;
    while let Some(word) = reader.peek() {
        match word {
            Word::Name(name) if is_qualifier(name) => {
                any = true;
            }
            Word::Name(name) => {
                // `t` alone is the rest of `atomic_t`, not a type.
                let Some(next) = basic(name).filter(|_| name != "t" && stars == 0) else {
                    break;
                };
                kind = Some(match (kind, name) {
                    (None, _) => next,
                    (Some((Size::Long, signed)), "long" | "char" | "short") => (next.0, signed),
                    (Some((size, _)), "unsigned") => (size, false),
                    (Some(known), _) => known,
                });
                any = true;
            }
            Word::Sign("*") if kind.is_some() => stars = stars.saturating_add(1),
            Word::Sign("(") if kind.is_none() && reader.peek_at(2) == Some(Word::Sign(")")) => {
                // `_Atomic(int)`.
                let Some(Word::Name(name)) = reader.peek_at(1) else {
                    break;
                };
                let Some(inner) = basic(name).filter(|_| any) else {
                    break;
                };
                kind = Some(inner);
                reader.next();
                reader.next();
            }
            Word::Sign(_) | Word::Number(_) => break,
        }
        reader.next();
    }
    let (base, signed) = kind.or(any.then_some((Size::Long, true)))?;
    Some(Type {
        base,
        signed,
        stars,
    })
}
