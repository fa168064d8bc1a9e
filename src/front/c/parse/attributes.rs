//! Attributes, and what they say about sizes: `aligned(N)`, `packed`, `_Alignas(N)`.
//!
//! Sizes are those that a program can ask for. In memory, a scalar is one cell, however it is aligned.
//!
//! **Absent.** The alignment of a `typedef`, which GNU C keeps apart from that of the type, and that of
//! objects, of which nothing depends.

use super::Parser;
use crate::c::check::Checked;
use crate::c::token::TokenKind;
use crate::text::Place;

/// Attributes that change what a program does. The others are for compilers.
const REFUSED: [&str; 1] = ["destructor"];

/// Attributes that make another type of a type.
const OF_TYPES: [&str; 4] = [
    "ext_vector_type",
    "mode",
    "scalar_storage_order",
    "vector_size",
];

/// What `aligned` without a number means on x86-64.
const MOST_ALIGNED: u64 = 16;

/// No compiler aligns more than this.
const LARGEST_ALIGNMENT: i64 = 1 << 28;

/// What attributes say about sizes, and about what is called.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Attributes {
    /// In bytes; 0 if nothing is said.
    pub(super) align: u64,
    /// `packed`, if it is there.
    pub(super) packed: Option<Place>,
    /// `constructor`: called before `main`, in the order of these numbers.
    pub(super) constructor: Option<(i64, Place)>,
    /// `weak`: it may be defined nowhere.
    pub(super) weak: bool,
    /// The token in the brackets of `cleanup(f)`.
    pub(super) cleanup: Option<usize>,
    /// The token in the brackets of `alias("f")`.
    pub(super) alias: Option<usize>,
    /// The initialiser is that of each element of an array: a variable of each processor.
    pub(super) each: bool,
}

impl Attributes {
    /// These and others.
    pub(super) fn and(self, other: Attributes) -> Attributes {
        Attributes {
            align: self.align.max(other.align),
            packed: self.packed.or(other.packed),
            constructor: self.constructor.or(other.constructor),
            weak: self.weak || other.weak,
            cleanup: self.cleanup.or(other.cleanup),
            alias: self.alias.or(other.alias),
            each: self.each || other.each,
        }
    }
}

impl Parser<'_> {
    /// Reads `__attribute__((…))` as often as it occurs, where nothing can be packed.
    pub(super) fn attributes(&mut self) -> Checked<Attributes> {
        let attributes = self.size_attributes()?;
        if let Some(place) = attributes.packed {
            let message = "the attribute `packed` is not supported here";
            let note = "structures and their members can be packed";
            return Err(self.check.error_with(message, place, note));
        }
        Ok(attributes)
    }

    /// The same for a structure or a member.
    pub(super) fn size_attributes(&mut self) -> Checked<Attributes> {
        let mut attributes = Attributes::default();
        while matches!(self.word(), Some("__attribute__" | "__attribute")) {
            self.at += 1;
            let first = self.at;
            self.skip_brackets()?;
            let after = std::mem::replace(&mut self.at, first);
            while self.at < after {
                let word = self.word().unwrap_or_default().trim_matches('_').to_owned();
                let place = self.place();
                // What a library of the system does when it is loaded is its own.
                if REFUSED.contains(&word.as_str()) && !self.check.is_system(place) {
                    let message = format!("the attribute `{word}` is not supported");
                    // Constructors are executed, although nothing calls them.
                    return Err(self.check.certain(message, place));
                }
                if OF_TYPES.contains(&word.as_str()) && self.is_after(1, "(") {
                    let message = format!("the attribute `{word}` is not supported");
                    let note =
                        "name the type that is meant: `long` instead of `int` of another mode";
                    return Err(self.check.error_with(message, place, note));
                }
                self.at += 1;
                match word.as_str() {
                    "packed" => attributes.packed = Some(place),
                    "weak" => attributes.weak = true,
                    "fencepost_each" => attributes.each = true,
                    "constructor" if !self.check.is_system(place) => {
                        let priority = self.priority()?;
                        attributes.constructor = Some((priority, place));
                    }
                    "cleanup" if self.is("(") => attributes.cleanup = Some(self.at + 1),
                    "alias" if self.is("(") => attributes.alias = Some(self.at + 1),
                    "aligned" if self.is("(") => {
                        let align = self.alignment()?;
                        attributes.align = attributes.align.max(align);
                    }
                    "aligned" => attributes.align = attributes.align.max(MOST_ALIGNED),
                    _ => {}
                }
            }
            self.at = after;
        }
        Ok(attributes)
    }

    /// `(101)` after `constructor`; those without a number come last.
    fn priority(&mut self) -> Checked<i64> {
        if !self.eat("(") {
            return Ok(i64::MAX);
        }
        let value = self.full_assignment()?;
        let value = self.check.value(value)?;
        let priority = self
            .check
            .constant(&value, "the priority of a constructor")?;
        self.expect(")")?;
        Ok(priority)
    }

    /// `_Alignas(64)`, `_Alignas(long)`
    pub(super) fn alignas(&mut self) -> Checked<Attributes> {
        self.at += 1;
        let align = if self.is("(") && self.starts_type_after(1) {
            let start = self.at;
            self.at += 1;
            let ty = self.type_name()?;
            self.expect(")")?;
            self.check.size(&ty, self.since(start))?;
            self.check.layout(&ty).map_or(0, |(_, align)| align)
        } else {
            self.alignment()?
        };
        Ok(Attributes {
            align,
            ..Attributes::default()
        })
    }

    /// `(64)`
    fn alignment(&mut self) -> Checked<u64> {
        self.expect("(")?;
        let value = self.full_assignment()?;
        let value = self.check.value(value)?;
        let align = self.check.constant(&value, "an alignment")?;
        self.expect(")")?;
        match u64::try_from(align) {
            Ok(0) => Ok(0),
            Ok(bytes) if bytes.is_power_of_two() && align <= LARGEST_ALIGNMENT => Ok(bytes),
            Ok(_) | Err(_) => {
                let message = format!("the alignment {align} is not a power of two");
                Err(self.check.error(message, value.place))
            }
        }
    }

    /// Whether the attributes after this token say `packed`.
    pub(super) fn is_packed_after(&self, mut at: usize) -> Option<Place> {
        loop {
            let word = self.tokens.get(at + 1).map(|token| &token.kind);
            let Some(TokenKind::Word(word)) = word else {
                return None;
            };
            if word != "__attribute__" && word != "__attribute" {
                return None;
            }
            let closed = self.brackets.other(at + 2)?;
            let packed = self.tokens[at + 2..closed].iter().find(|token| {
                matches!(&token.kind, TokenKind::Word(word) if word.trim_matches('_') == "packed")
            });
            if let Some(token) = packed {
                return Some(token.place);
            }
            at = closed;
        }
    }
}
