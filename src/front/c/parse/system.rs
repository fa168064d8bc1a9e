//! Headers of the system, in preprocessed text.
//!
//! What they declare need not be in the subset, as long as the program does not use it: an error in a
//! declaration there is not reported, but kept with the names that it would have declared, for their
//! first use. The types of libraries are known by their names, whatever they are made of.

use super::{Parser, brackets};
use crate::c::check::{Symbol, VOID, qualified};
use crate::c::token::TokenKind;
use crate::lower::typed::{Function, LibraryType, StructId, Type, TypeKind};

/// What was known before a declaration.
pub(super) struct Before {
    at: usize,
    diagnostics: usize,
    errors: usize,
    structures: usize,
}

/// The types of libraries in the headers of C libraries.
const TYPES: [(&str, LibraryType); 22] = [
    ("pthread_t", LibraryType::Thread),
    ("thrd_t", LibraryType::Thread),
    ("pthread_mutex_t", LibraryType::Mutex),
    ("mtx_t", LibraryType::Mutex),
    ("pthread_spinlock_t", LibraryType::Spinlock),
    ("pthread_cond_t", LibraryType::Condition),
    ("cnd_t", LibraryType::Condition),
    ("pthread_rwlock_t", LibraryType::RwLock),
    ("pthread_barrier_t", LibraryType::Barrier),
    ("sem_t", LibraryType::Semaphore),
    ("pthread_once_t", LibraryType::Once),
    ("once_flag", LibraryType::Once),
    ("pthread_key_t", LibraryType::Key),
    ("tss_t", LibraryType::Key),
    ("pthread_attr_t", LibraryType::Ignored),
    ("pthread_mutexattr_t", LibraryType::Ignored),
    ("pthread_condattr_t", LibraryType::Ignored),
    ("pthread_rwlockattr_t", LibraryType::Ignored),
    ("pthread_barrierattr_t", LibraryType::Ignored),
    ("cpu_set_t", LibraryType::Ignored),
    ("mbstate_t", LibraryType::Ignored),
    ("FILE", LibraryType::Ignored),
];

fn library_type(name: &str) -> Option<Type> {
    let (_, library) = TYPES.iter().find(|(known, _)| *known == name)?;
    Some(Type {
        kind: TypeKind::Library(*library),
        ..VOID
    })
}

impl Parser<'_> {
    /// Whether the next token is in a header of the system.
    fn is_in_system_header(&self) -> bool {
        let token = self.tokens.get(self.at);
        token.is_some_and(|token| self.check.is_system(token.place))
    }

    /// What is known before a declaration, if that is in a header of the system.
    pub(super) fn before_system(&self) -> Option<Before> {
        self.is_in_system_header().then(|| Before {
            at: self.at,
            diagnostics: self.check.reported(),
            errors: self.check.errors,
            structures: self.check.unit.structs.len(),
        })
    }

    /// Reads the definition of a type of a library in a header of the system, if it comes next.
    pub(super) fn typedef_of_library(&mut self) -> bool {
        if !self.is_in_system_header() || !self.is_word("typedef") {
            return false;
        }
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
            library_type(name)
        };
        let Some(ty) = ty else {
            return false;
        };
        let place = self.place();
        self.at = end + 1;
        let symbol = (Symbol::Typedef(ty, false), place);
        self.check.scopes[0].names.insert(name.to_owned(), symbol);
        true
    }

    /// Keeps the errors in a declaration of a header of the system for the uses of its names.
    pub(super) fn forgive(&mut self, before: &Before) {
        let known = self.check.forget(before.diagnostics, before.errors);
        let Some(why) = known else {
            return;
        };
        // A structure with members that are not supported is incomplete.
        for index in before.structures..self.check.unit.structs.len() {
            let id = StructId(index);
            if self.check.broken.remove(&id) {
                self.check.unit.structs[index].layout = None;
            }
        }
        let defined = brackets::defined_at(self.tokens, before.at, &self.brackets);
        if let Some(name) = defined
            && let Some(id) = self.check.defined.get(name)
        {
            // Nothing calls it.
            self.check.scopes[0].names.remove(name);
            self.check.bodies[id.0] = Some(Function {
                name: name.to_owned(),
                parameters: 0,
                locals: Vec::new(),
                returns: VOID,
                body: Vec::new(),
                place: self.tokens[before.at].place,
            });
        }
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
}
