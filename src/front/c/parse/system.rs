//! Declarations with errors, which matter only to what uses them, and headers of the system.
//!
//! An error in a declaration is not reported at once, but [set aside](crate::c::check) with what it would have
//! declared. Of headers of the system, in preprocessed text, not the error is reported when a name is used,
//! but that the name is not supported. The types of libraries are known by their names, whatever they are
//! made of.

use super::declarator::is_keyword;
use super::{Parser, brackets};
use crate::c::check::{Symbol, VOID, qualified};
use crate::c::is_written_in_c;
use crate::c::token::{Token, TokenKind};
use crate::lower::typed::{Function, LibraryType, Type, TypeKind};
use crate::text::Severity;

/// What was known before a declaration.
pub(super) struct Before {
    at: usize,
    is_system: bool,
    diagnostics: usize,
    errors: usize,
}

/// The types of libraries in the headers of C libraries, and what the names of their functions begin with.
const TYPES: [(&str, LibraryType, &str); 20] = [
    ("pthread_t", LibraryType::Thread, "pthread_"),
    ("thrd_t", LibraryType::Thread, "thrd_"),
    ("pthread_mutex_t", LibraryType::Mutex, "pthread_mutex_"),
    ("mtx_t", LibraryType::Mutex, "mtx_"),
    ("pthread_spinlock_t", LibraryType::Spinlock, "pthread_spin_"),
    ("pthread_cond_t", LibraryType::Condition, "pthread_cond_"),
    ("cnd_t", LibraryType::Condition, "cnd_"),
    ("pthread_rwlock_t", LibraryType::RwLock, "pthread_rwlock_"),
    (
        "pthread_barrier_t",
        LibraryType::Barrier,
        "pthread_barrier_",
    ),
    ("sem_t", LibraryType::Semaphore, "sem_"),
    ("pthread_once_t", LibraryType::Once, "pthread_once"),
    ("once_flag", LibraryType::Once, "call_once"),
    ("pthread_attr_t", LibraryType::Ignored, "pthread_attr_"),
    (
        "pthread_mutexattr_t",
        LibraryType::Ignored,
        "pthread_mutexattr_",
    ),
    (
        "pthread_condattr_t",
        LibraryType::Ignored,
        "pthread_condattr_",
    ),
    (
        "pthread_rwlockattr_t",
        LibraryType::Ignored,
        "pthread_rwlockattr_",
    ),
    (
        "pthread_barrierattr_t",
        LibraryType::Ignored,
        "pthread_barrierattr_",
    ),
    ("cpu_set_t", LibraryType::Ignored, "sched_"),
    ("mbstate_t", LibraryType::Ignored, "mb"),
    ("FILE", LibraryType::Ignored, "fopen"),
];

fn library_type(name: &str) -> Option<(Type, &'static str)> {
    let (_, library, family) = TYPES.iter().find(|(known, ..)| *known == name)?;
    let ty = Type {
        kind: TypeKind::Library(*library),
        ..VOID
    };
    Some((ty, family))
}

impl Parser<'_> {
    /// Whether the next token is in a header of the system.
    fn is_in_system_header(&self) -> bool {
        let token = self.tokens.get(self.at);
        token.is_some_and(|token| self.check.is_system(token.place))
    }

    /// What is known before a declaration.
    pub(super) fn before(&self) -> Before {
        Before {
            at: self.at,
            is_system: self.is_in_system_header(),
            diagnostics: self.check.reported(),
            errors: self.check.errors,
        }
    }

    /// Reads the definition of a type of a library, if it comes next: in a header of the system, or in text that
    /// a preprocessor made of one without naming it.
    pub(super) fn typedef_of_library(&mut self) -> bool {
        if !self.is_word("typedef") {
            return false;
        }
        let is_system = self.is_in_system_header();
        let mut end = self.at;
        let mut name = "";
        while let Some(token) = self.tokens.get(end) {
            match &token.kind {
                TokenKind::Punct(";") => break,
                TokenKind::Punct("(" | "[" | "{") => {
                    end = self.brackets.other(end).unwrap_or(end);
                }
                TokenKind::Word(word) if !word.starts_with("__attribute") => name = word,
                TokenKind::Word(_)
                | TokenKind::Number(_)
                | TokenKind::Char(_)
                | TokenKind::String(_)
                | TokenKind::Punct(_) => {}
            }
            end += 1;
        }
        // Its one value is a `_Bool`, in a structure in some headers.
        let ty = if name == "atomic_flag" {
            Some(qualified(crate::c::check::BOOL, true, false))
        } else {
            let known = library_type(name);
            let known = known.filter(|(_, family)| is_system || self.is_of_library(end, family));
            known.map(|(ty, _)| ty)
        };
        let Some(ty) = ty.filter(|_| is_system || name != "atomic_flag") else {
            return false;
        };
        let place = self.place();
        self.at = end + 1;
        let symbol = (Symbol::Typedef(ty, false), place);
        self.check.scopes[0].names.insert(name.to_owned(), symbol);
        true
    }

    /// Whether the definition from here to there is a C library's own one, as one without line markers shows: it has
    /// reserved names, or is a number and there are the functions to which it is handed. None of them has a body
    /// here.
    fn is_of_library(&self, end: usize, family: &str) -> bool {
        let of_family = |name: &str| name.starts_with(family);
        let mut defined = self.check.defined.keys();
        if defined.any(|name| of_family(name) && !is_written_in_c(name)) {
            return false;
        }
        let words = |tokens: &'_ [Token], wanted: &dyn Fn(&str) -> bool| {
            let mut tokens = tokens.iter();
            tokens.any(|token| matches!(&token.kind, TokenKind::Word(word) if wanted(word)))
        };
        let own = &self.tokens[self.at..end.min(self.tokens.len())];
        let is_reserved = |word: &str| {
            let mut rest = word.strip_prefix('_').into_iter().flat_map(str::chars);
            let is_so = rest
                .next()
                .is_some_and(|c| c == '_' || c.is_ascii_uppercase());
            is_so && !word.starts_with("__attribute")
        };
        let is_composed = words(own, &|word| matches!(word, "struct" | "union"));
        words(own, &is_reserved) || !is_composed && words(self.tokens, &of_family)
    }

    /// Keeps what was reported in a declaration for the uses of what it declares.
    pub(super) fn set_aside(&mut self, before: &Before) {
        let has_errors = self.check.errors > before.errors;
        self.check.poisoned.clear();
        let all = self.check.take_back(before.diagnostics, before.errors);
        let defined = brackets::defined_at(self.tokens, before.at, &self.brackets);
        let defined = defined.and_then(|name| Some((name, *self.check.defined.get(name)?)));
        if !has_errors {
            match defined {
                Some((_, id)) => self.check.set_aside_function(id, all),
                None => self.check.remark(all),
            }
            return;
        }
        self.check.set_aside_structs(&all);
        if let Some((name, id)) = defined {
            if self.check.bodies[id.0].is_none() {
                self.check.bodies[id.0] = Some(Function {
                    name: name.to_owned(),
                    parameters: 0,
                    locals: Vec::new(),
                    returns: VOID,
                    body: Vec::new(),
                    place: self.tokens[before.at].place,
                });
            }
            // The entry is not named in the text, and what other units call has no error there.
            self.check.set_aside_function(id, all.clone());
            if !before.is_system && self.check.is_function(name) {
                return;
            }
            self.check.scopes[0].names.remove(name);
        }
        if !before.is_system {
            let mut names = self.declared_since(before.at);
            names.append(&mut self.declarators);
            self.check.set_aside_names(names, all);
            return;
        }
        let errors = all.into_iter();
        let mut errors = errors.filter(|one| one.severity == Severity::Error);
        let why = errors.next().map_or_else(String::new, |one| one.message);
        let mut at = before.at;
        while at < self.at.min(self.tokens.len()) {
            if let TokenKind::Word(word) = &self.tokens[at].kind
                && !self.check.scopes[0].names.contains_key(word)
            {
                let unsupported = &mut self.check.unsupported;
                unsupported.entry(word.clone()).or_insert(why.clone());
            }
            // Names in brackets are those of parameters and members.
            let closed = self.brackets.other(at).filter(|other| *other > at);
            at = closed.unwrap_or(at) + 1;
        }
    }

    /// The names that the declaration from this position to the next token should have declared, beside
    /// those that it has, as far as that can be seen: words before what may come after a declarator, and the
    /// constants of an enumeration. What is missed here is unknown where it is used, which is an error, too.
    fn declared_since(&self, start: usize) -> Vec<String> {
        let mut names = Vec::new();
        let mut at = start;
        let punct = |at: usize| match self.tokens.get(at).map(|token| &token.kind) {
            Some(TokenKind::Punct(punct)) => *punct,
            _ => "",
        };
        let word = |at: usize| match self.tokens.get(at).map(|token| &token.kind) {
            Some(TokenKind::Word(word)) => Some(word.as_str()),
            _ => None,
        };
        while at < self.at.min(self.tokens.len()) {
            if let Some(name) = word(at) {
                let ends = matches!(punct(at + 1), ";" | "," | "=" | "[" | "(" | ")");
                let attribute = word(at + 1)
                    .is_some_and(|next| next.starts_with("__attribute") || next.contains("asm"));
                if (ends || attribute) && !is_keyword(name) && !name.starts_with("__attribute") {
                    names.push(name.to_owned());
                }
            }
            let closed = self.brackets.other(at).filter(|other| *other > at);
            let is_enum = punct(at) == "{"
                && (1..=2).any(|back| at.checked_sub(back).and_then(word) == Some("enum"));
            // `T (*name)(int)`
            let is_nested = punct(at) == "(" && punct(at + 1) == "*";
            match closed {
                Some(closed) if !is_enum && !is_nested => at = closed + 1,
                _ => at += 1,
            }
        }
        names
    }
}
