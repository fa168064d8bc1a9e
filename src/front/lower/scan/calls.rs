//! What calls in a function show of it.

use super::{Seen, function};
use crate::lower::heap::target;
use crate::lower::operation::{Meaning, Section};
use crate::lower::typed::{Callee, Expr, Type};

impl Seen {
    pub(super) fn call(&mut self, callee: &Callee, arguments: &[Expr]) {
        self.reaches_out = true;
        match callee {
            Callee::Defined(function) => {
                self.calls.insert(*function);
            }
            Callee::Library(entry) => {
                self.frees += usize::from(matches!(
                    entry.meaning,
                    Meaning::Free | Meaning::Realloc | Meaning::Alloca | Meaning::Unmap
                ));
                self.allocates |= matches!(
                    entry.meaning,
                    Meaning::Malloc
                        | Meaning::Calloc
                        | Meaning::Alloca
                        | Meaning::AlignedAlloc
                        | Meaning::Realloc
                        | Meaning::AllocateAt
                );
                self.creates += usize::from(entry.meaning.creates());
                let may_leave = matches!(
                    entry.meaning,
                    Meaning::Later | Meaning::ReadSection(Section::Awaited)
                );
                let otherwise = matches!(
                    entry.meaning,
                    Meaning::ScopeBegin | Meaning::ScopeEnd | Meaning::Join
                );
                let is_otherwise = otherwise || entry.meaning.creates() && !may_leave;
                self.fixed_otherwise += usize::from(is_otherwise);
                self.fixed |= is_otherwise || may_leave;
            }
            Callee::Pointer(e) => self.expr(e),
        }
        if let Callee::Library(entry) = callee
            && matches!(
                entry.meaning,
                Meaning::CopyBytes
                    | Meaning::FillBytes
                    | Meaning::AnyBytes
                    | Meaning::CompareBytes
                    | Meaning::HandOut
            )
        {
            // The elements after the first one are accessed, too.
            let pointers = arguments.iter().filter(|e| e.ty.pointee().is_some());
            for pointer in pointers {
                let of = target(pointer);
                self.moves_passed += usize::from(of.is_void());
                self.moved_to(&of);
            }
        } else if matches!(callee, Callee::Defined(_)) {
            let is_void = |e: &&Expr| e.ty.pointee().is_some_and(Type::is_void);
            let targets = arguments.iter().filter(is_void).map(target);
            self.passed.extend(targets.filter(|of| !of.is_void()));
        }
        let routine = match callee {
            Callee::Library(entry) => match entry.meaning {
                Meaning::PthreadCreate => Some(2),
                Meaning::ThrdCreate => Some(1),
                _ => None,
            },
            Callee::Defined(_) | Callee::Pointer(_) => None,
        };
        for (at, e) in arguments.iter().enumerate() {
            match function(e) {
                Some(id) if routine == Some(at) => {
                    self.routines.insert(id);
                }
                _ => self.expr(e),
            }
        }
    }
}
