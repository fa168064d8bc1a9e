//! The specifiers of a declaration: storage, qualifiers and the type that declarators start from.

use super::Parser;
use super::attributes::Attributes;
use crate::c::check::{
    BOOL, Checked, INT, Reported, Symbol, VOID, float, integer, qualified, unqualified,
};
use crate::lower::typed::{LibraryType, Type, TypeKind};
use crate::text::{Diagnostic, Place, nearest};

/// Where an object lives or what a declaration is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Storage {
    Unspecified,
    Typedef,
    Extern,
    Static,
    /// `auto`, `register`
    Automatic,
}

/// The specifiers of a declaration.
#[allow(clippy::struct_excessive_bools, reason = "C combines them freely")]
#[derive(Clone, Debug)]
pub(super) struct Specifiers {
    pub(super) ty: Type,
    pub(super) constant: bool,
    pub(super) storage: Storage,
    pub(super) thread_local: bool,
    /// `__auto_type`: the type is that of the initialiser.
    pub(super) deduced: bool,
    /// Whether the type defines or names a structure or an enumeration, so that a declaration may
    /// have no declarators.
    pub(super) tagged: bool,
    /// Those of what is declared, not of a structure that is defined here.
    pub(super) attributes: Attributes,
    pub(super) place: Place,
}

/// The words of an arithmetic type so far.
#[allow(clippy::struct_excessive_bools, reason = "C combines them freely")]
#[derive(Clone, Copy, Default)]
struct Words {
    char: bool,
    short: bool,
    int: bool,
    long: u8,
    signed: bool,
    unsigned: bool,
}

impl Words {
    fn any(self) -> bool {
        self.char || self.short || self.int || self.long > 0 || self.signed || self.unsigned
    }

    /// The type that these words name in any order.
    fn ty(self) -> Option<Type> {
        let bits = match (self.char, self.short, self.long) {
            (true, false, 0) if !self.int => 8,
            (false, true, 0) => 16,
            (false, false, 0) => 32,
            (false, false, 1 | 2) => 64,
            _ => return None,
        };
        (!(self.signed && self.unsigned)).then(|| integer(bits, !self.unsigned))
    }
}

impl Parser<'_> {
    /// Whether a declaration starts at the next token.
    pub(super) fn starts_declaration(&self) -> bool {
        let Some(word) = self.word() else {
            return false;
        };
        matches!(
            word,
            "typedef"
                | "extern"
                | "static"
                | "auto"
                | "register"
                | "inline"
                | "__inline"
                | "__inline__"
                | "_Thread_local"
                | "__thread"
                | "thread_local"
                | "_Alignas"
                | "_Noreturn"
                | "_Static_assert"
                | "static_assert"
                | "__auto_type"
        ) || word == "__extension__" && !self.is_after(1, "(")
            || word == "__attribute__"
            || self.starts_type()
    }

    /// Whether a type name starts at the next token.
    pub(super) fn starts_type(&self) -> bool {
        self.starts_type_after(0)
    }

    /// Whether a type name starts after this many more tokens.
    pub(super) fn starts_type_after(&self, ahead: usize) -> bool {
        let Some(word) = self.word_after(ahead) else {
            return false;
        };
        if let Some(symbol) = self.check.lookup(word) {
            return matches!(symbol, Symbol::Typedef(..));
        }
        is_type_word(word) || library_type(word).is_some()
    }

    /// All specifiers of a declaration; at least one names a type.
    pub(super) fn specifiers(&mut self) -> Checked<Specifiers> {
        let start = self.at;
        let mut words = Words::default();
        let mut found: Option<Type> = None;
        let (mut atomic, mut volatile) = (false, false);
        let mut specifiers = Specifiers {
            ty: INT.clone(),
            constant: false,
            storage: Storage::Unspecified,
            thread_local: false,
            deduced: false,
            tagged: false,
            attributes: Attributes::default(),
            place: self.place(),
        };
        while let Some(word) = self.word() {
            let here = self.at;
            match word {
                "typedef" | "extern" | "static" | "auto" | "register" => {
                    self.storage(word, &mut specifiers)?;
                }
                "inline" | "__inline" | "__inline__" | "_Noreturn" | "__extension__"
                | "restrict" | "__restrict" | "__restrict__" => self.at += 1,
                "const" | "__const" | "__const__" => {
                    specifiers.constant = true;
                    self.at += 1;
                }
                "volatile" | "__volatile__" | "__volatile" => {
                    volatile = true;
                    self.at += 1;
                }
                "_Thread_local" | "__thread" | "thread_local" => {
                    specifiers.thread_local = true;
                    self.at += 1;
                }
                "__attribute__" | "__attribute" => {
                    let found = self.attributes()?;
                    specifiers.attributes = specifiers.attributes.and(found);
                }
                "_Alignas" => {
                    let found = self.alignas()?;
                    specifiers.attributes = specifiers.attributes.and(found);
                }
                "_Atomic" => {
                    self.at += 1;
                    atomic = true;
                    if self.is("(") {
                        self.at += 1;
                        self.single(found.as_ref(), words, here)?;
                        let ty = self.type_name()?;
                        self.expect(")")?;
                        if matches!(ty.kind, TypeKind::Array(..) | TypeKind::Function(..)) {
                            let message = "`_Atomic(…)` needs the type of a value";
                            return Err(self.check.error(message, self.since(here)));
                        }
                        found = Some(ty);
                    }
                }
                "char" | "short" | "int" | "long" | "signed" | "__signed__" | "unsigned" => {
                    if found.is_some() {
                        return Err(self.two_types(here));
                    }
                    self.at += 1;
                    let twice = match word {
                        "char" => std::mem::replace(&mut words.char, true),
                        "short" => std::mem::replace(&mut words.short, true),
                        "int" => std::mem::replace(&mut words.int, true),
                        "unsigned" => std::mem::replace(&mut words.unsigned, true),
                        "long" => {
                            words.long += 1;
                            words.long > 2
                        }
                        _ => std::mem::replace(&mut words.signed, true),
                    };
                    if twice {
                        return Err(self.two_types(here));
                    }
                    if self.is_word("double") && words.long == 1 {
                        self.at += 1;
                        words = Words::default();
                        found = Some(float(128));
                    }
                }
                "struct" | "union" | "enum" => {
                    self.single(found.as_ref(), words, here)?;
                    specifiers.tagged = true;
                    found = Some(match word {
                        "enum" => self.enumeration()?,
                        _ => self.deeper(Self::structure)?,
                    });
                }
                _ => {
                    // A second name is what is declared: `typedef int T; T T;`.
                    if found.is_some() || words.any() || specifiers.deduced {
                        break;
                    }
                    match self.named_type(word, &mut specifiers)? {
                        Some(ty) => found = Some(ty),
                        None => break,
                    }
                }
            }
        }
        specifiers.place = self.since(start);
        specifiers.ty = match (found, words.any()) {
            (Some(ty), _) => qualified(ty, atomic, volatile),
            (None, true) => {
                let Some(ty) = words.ty() else {
                    let message = "these words together name no type";
                    return Err(self.check.error(message, specifiers.place));
                };
                qualified(ty, atomic, volatile)
            }
            (None, false) if specifiers.deduced => qualified(INT.clone(), atomic, volatile),
            (None, false) => return Err(self.no_type(start)),
        };
        Ok(specifiers)
    }

    fn storage(&mut self, word: &str, specifiers: &mut Specifiers) -> Checked<()> {
        if specifiers.storage != Storage::Unspecified {
            let message = format!("`{word}` after another storage class");
            return Err(self.check.error(message, self.place()));
        }
        specifiers.storage = match word {
            "typedef" => Storage::Typedef,
            "extern" => Storage::Extern,
            "static" => Storage::Static,
            _ => Storage::Automatic,
        };
        self.at += 1;
        Ok(())
    }

    /// A type that is one word, or `typeof(…)`; none if the word does not name a type.
    fn named_type(&mut self, word: &str, specifiers: &mut Specifiers) -> Checked<Option<Type>> {
        match self.check.lookup(word) {
            Some(Symbol::Typedef(ty, constant)) => {
                let ty = ty.clone();
                specifiers.constant |= constant;
                // It may be declared again as another type.
                if let Some(reported) = self.check.is_aside(word) {
                    return Err(reported);
                }
                self.at += 1;
                return Ok(Some(ty));
            }
            Some(_) => return Ok(None),
            None => {}
        }
        if let Some(library) = library_type(word) {
            self.at += 1;
            return Ok(Some(Type {
                kind: TypeKind::Library(library),
                ..VOID
            }));
        }
        Ok(match word {
            "void" => {
                self.at += 1;
                Some(VOID.clone())
            }
            "_Bool" => {
                self.at += 1;
                Some(BOOL.clone())
            }
            "__auto_type" => {
                self.at += 1;
                specifiers.deduced = true;
                Some(INT.clone())
            }
            "typeof" | "__typeof__" | "__typeof" | "typeof_unqual" => {
                self.at += 1;
                Some(self.typeof_operand(word)?)
            }
            "float" | "_Float32" => Some(self.floating(32)?),
            "double" | "_Float64" | "_Float32x" => Some(self.floating(64)?),
            "__float128" | "_Float128" | "_Float64x" => Some(self.floating(128)?),
            "_Complex" | "__complex__" => return Err(self.no_complex()),
            "__int128" | "__int128_t" | "__uint128_t" => {
                let message = "128-bit integers are not supported";
                return Err(self.check.error(message, self.place()));
            }
            // The number of an argument among those without parameters.
            "__builtin_va_list" | "va_list" | "__gnuc_va_list" => {
                self.at += 1;
                Some(INT.clone())
            }
            _ => None,
        })
    }

    fn typeof_operand(&mut self, word: &str) -> Checked<Type> {
        self.expect("(")?;
        let ty = if self.starts_type() {
            self.type_name()?
        } else {
            self.unevaluated(|parser| {
                let operand = parser.expression()?;
                Ok(parser.check.type_of(&operand))
            })?
        };
        self.expect(")")?;
        Ok(if word == "typeof_unqual" {
            unqualified(&ty)
        } else {
            ty
        })
    }

    fn single(&mut self, found: Option<&Type>, words: Words, at: usize) -> Checked<()> {
        if found.is_some() || words.any() {
            return Err(self.two_types(at));
        }
        Ok(())
    }

    fn two_types(&mut self, at: usize) -> Reported {
        let place = self.tokens[at].place;
        self.check.error("a second type in one declaration", place)
    }

    /// A floating-point type.
    fn floating(&mut self, bits: u8) -> Checked<Type> {
        self.at += 1;
        // `double long`
        let bits = if bits == 64 && self.eat_word("long") {
            128
        } else {
            bits
        };
        if matches!(self.word(), Some("_Complex" | "__complex__")) {
            return Err(self.no_complex());
        }
        Ok(float(bits))
    }

    fn no_complex(&mut self) -> Reported {
        let place = self.place();
        self.check.error("complex numbers are not supported", place)
    }

    /// Reports that a declaration names no type.
    fn no_type(&mut self, start: usize) -> Reported {
        let Some(word) = self.word() else {
            return self.unexpected("a type");
        };
        if self.check.poisoned.contains(word) && !self.is_after(1, "(") {
            return self.check.again();
        }
        let place = self.place();
        let a_type = self.word_after(1).is_some() || self.is_after(1, "*");
        if !a_type {
            let name = word;
            if self.is_after(1, "(") && self.is_macro_before_declaration() {
                return self.unknown_macro(self.at);
            }
            let declared = self.at > start;
            let message = format!("the declaration of `{name}` has no type");
            let note = if declared || !self.is_after(1, "(") {
                format!("write `int {name}` if it is an `int`")
            } else {
                format!("C11 has no implicit `int`: write `int {name}(…)` or `void {name}(…)`")
            };
            return self.check.error_with(message, place, note);
        }
        self.unknown_type(word, place)
    }

    /// Reports a name that is used as a type and is none.
    pub(super) fn unknown_type(&mut self, word: &str, place: Place) -> Reported {
        if self.check.poisoned.contains(word) {
            return self.check.again();
        }
        if let Some(reported) = self.check.is_unsupported(word, place) {
            return reported;
        }
        let scopes = self.check.scopes.iter().flat_map(|scope| &scope.names);
        let types = scopes.filter(|(_, (symbol, _))| matches!(symbol, Symbol::Typedef(..)));
        let near = nearest(word, types.map(|(name, _)| name.as_str()));
        let label = near.map_or_else(String::new, |near| format!("did you mean `{near}`?"));
        let span = self.check.span(place);
        let error = Diagnostic::error(format!("unknown type `{word}`"), span).label(label);
        let mut error = error.note("declare it with `typedef`, or include its header");
        if self.word() == Some(word) && (self.starts_type_after(1) || self.is_after(1, "static")) {
            error = error.note(format!(
                "if it is a macro: `-D {word}=` defines it as nothing"
            ));
        }
        self.check.report(error)
    }

    /// Reads brackets with anything between them.
    pub(super) fn skip_brackets(&mut self) -> Checked<()> {
        match (self.is("("), self.brackets.other(self.at)) {
            (true, Some(closed)) => {
                self.at = closed + 1;
                Ok(())
            }
            _ => Err(self.unexpected("`(`")),
        }
    }
}

fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "_Bool"
            | "char"
            | "short"
            | "int"
            | "long"
            | "signed"
            | "__signed__"
            | "unsigned"
            | "float"
            | "double"
            | "_Complex"
            | "__complex__"
            | "struct"
            | "union"
            | "enum"
            | "const"
            | "__const"
            | "__const__"
            | "volatile"
            | "__volatile__"
            | "__volatile"
            | "_Atomic"
            | "typeof"
            | "__typeof__"
            | "__typeof"
            | "typeof_unqual"
            | "restrict"
            | "__restrict"
            | "__int128"
            | "__int128_t"
            | "__uint128_t"
            | "__builtin_va_list"
            | "va_list"
            | "__float128"
            | "_Float128"
            | "_Float64"
            | "_Float64x"
            | "_Float32"
            | "_Float32x"
    )
}

/// The types that the built-in headers name.
fn library_type(word: &str) -> Option<LibraryType> {
    Some(match word {
        "__fencepost_thread" => LibraryType::Thread,
        "__fencepost_mutex" => LibraryType::Mutex,
        "__fencepost_spinlock" => LibraryType::Spinlock,
        "__fencepost_condition" => LibraryType::Condition,
        "__fencepost_rwlock" => LibraryType::RwLock,
        "__fencepost_barrier" => LibraryType::Barrier,
        "__fencepost_semaphore" => LibraryType::Semaphore,
        "__fencepost_once" => LibraryType::Once,
        "__fencepost_ignored" => LibraryType::Ignored,
        _ => return None,
    })
}
