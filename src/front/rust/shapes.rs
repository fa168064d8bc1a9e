//! What types consist of, and what they are in the typed program.

use super::source::{at, place};
use super::types::{Held, I32, Slot, Ty};
use super::unit::{Context, MOST_HANDLES, Res, TAG, Translator, payload, plain, substitution};
use crate::lower::typed::{Layout, LibraryType, Member, Struct, StructId, Type, TypeKind};
use std::collections::BTreeSet;

impl Translator<'_> {
    /// The fields of a structure with these arguments, by their names or numbers. Those of an enumeration are
    /// its tag, if a variant holds values, and then those of all variants, by the names of both.
    pub(super) fn fields(&mut self, id: usize, arguments: &[Ty]) -> Res<Vec<(String, Ty)>> {
        let names = self.names;
        let of = &names.adts[id];
        if of.is_number() {
            return Ok(Vec::new());
        }
        let context = Context {
            module: of.module,
            subst: substitution(of.generics(), arguments),
            own: Some(Ty::Adt(id, arguments.to_vec())),
            text: (0, 0),
        };
        let variants = of.variants();
        let mut fields = Vec::new();
        if variants.iter().any(|(name, _)| name.is_some()) {
            fields.push((TAG.to_owned(), self.tag(id)));
        }
        for (at, (variant, all)) in variants.into_iter().enumerate() {
            if !self.is_there(of.attributes_of_variant(at))? {
                continue;
            }
            let mut number = 0;
            for field in all {
                if !self.is_there(&field.attrs)? {
                    continue;
                }
                let name = match &field.ident {
                    Some(name) => name.to_string(),
                    None => number.to_string(),
                };
                number += 1;
                let name =
                    variant.map_or_else(|| name.clone(), |of| payload(&of.to_string(), &name));
                fields.push((name, self.ty(&field.ty, &context, None)?));
            }
        }
        Ok(fields)
    }

    /// The type of the tag of an enumeration whose variants hold values: the number of the variant.
    pub(super) fn tag(&self, id: usize) -> Ty {
        if self.names.adts[id].variants().len() <= 2 {
            Ty::Bool
        } else {
            I32
        }
    }

    /// `Option<T>`
    pub(super) fn option(&self, of: Ty) -> Ty {
        Ty::Adt(self.names.lang.option, vec![of])
    }

    /// `Result<T, E>`
    pub(super) fn result(&self, of: Ty, error: Ty) -> Ty {
        Ty::Adt(self.names.lang.result, vec![of, error])
    }

    /// What `lock` and its like yield of a guard.
    pub(super) fn lock_result(&self, guard: Ty) -> Ty {
        let poison = Ty::Adt(self.names.lang.poison, vec![guard.clone()]);
        self.result(guard, poison)
    }

    /// What `try_lock` and its like yield of a guard.
    pub(super) fn try_lock_result(&self, guard: Ty) -> Ty {
        let error = Ty::Adt(self.names.lang.try_lock, vec![guard.clone()]);
        self.result(guard, error)
    }

    /// The types of the parts of a type that has several, each `()` where it has no cell.
    pub(super) fn parts(&mut self, ty: &Ty) -> Vec<(String, Ty)> {
        match ty {
            Ty::Adt(id, arguments) => self.fields(*id, arguments).unwrap_or_default(),
            Ty::Tuple(types) => {
                let types = types.iter().enumerate();
                types.map(|(at, ty)| (at.to_string(), ty.clone())).collect()
            }
            Ty::Closure(id) => {
                let held = self.held.get(id);
                held.map(|held| held.members.clone()).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    /// The parts of a type in the order in which a derived `==` compares them: those first that are written as numbers, other
    /// than `usize` and `isize`, as pointers, or as references to such. The language promises no order; the compiler has this one.
    pub(super) fn compared_parts(&mut self, ty: &Ty) -> Vec<(String, Ty)> {
        let parts = self.parts(ty);
        let Ty::Adt(id, _) = ty else {
            return parts;
        };
        let variants = self.names.adts[*id].variants();
        let mut is_first = BTreeSet::from([TAG.to_owned()]);
        for (variant, fields) in variants {
            for (number, field) in fields.into_iter().enumerate() {
                if is_simple(&field.ty) {
                    let own = field.ident.as_ref();
                    let own = own.map_or_else(|| number.to_string(), ToString::to_string);
                    is_first.insert(match variant {
                        Some(variant) => payload(&variant.to_string(), &own),
                        None => own,
                    });
                }
            }
        }
        let parts = parts.into_iter();
        let (mut first, last): (Vec<_>, Vec<_>) =
            parts.partition(|(name, _)| is_first.contains(name));
        first.extend(last);
        first
    }

    /// Forgets what the structures are that have parts of this type.
    pub(super) fn forget_structures(&mut self, of: &Ty) {
        let mut seen = std::mem::take(&mut self.structs);
        // What is captured by another closure is not written in its type.
        seen.retain(|ty, _| !ty.mentions(of) && !matches!(ty, Ty::Closure(_)));
        self.structs = seen;
    }

    /// The type of the typed program.
    pub(super) fn typed(&mut self, ty: &Ty) -> Type {
        let kind = match ty {
            Ty::Unit
            | Ty::Never
            | Ty::Failure
            | Ty::Text
            | Ty::Called(_)
            | Ty::Var(_)
            | Ty::Const(_) => TypeKind::Void,
            Ty::Bool => TypeKind::Bool,
            Ty::Char => TypeKind::Int {
                bits: 32,
                signed: false,
            },
            Ty::Int { bits, signed, .. } => TypeKind::Int {
                bits: *bits,
                signed: *signed,
            },
            Ty::Ordering | Ty::Scope | Ty::Model => TypeKind::Int {
                bits: 32,
                signed: true,
            },
            Ty::Adt(id, _) if self.names.adts[*id].is_number() => TypeKind::Int {
                bits: 32,
                signed: true,
            },
            Ty::Atomic(of) => {
                return Type {
                    atomic: true,
                    ..self.typed(of)
                };
            }
            Ty::Ptr(_, to) if matches!(**to, Ty::Dyn(_)) => return self.typed(to),
            Ty::Ptr(kind, to) => {
                let counted = self.counted(*kind, to);
                TypeKind::Pointer(Box::new(self.typed(counted.as_ref().unwrap_or(to))))
            }
            Ty::Guard(held, of) => {
                let lock = match held {
                    Held::Mutex => Ty::Mutex(of.clone()),
                    Held::Read | Held::Write => Ty::RwLock(of.clone()),
                };
                TypeKind::Pointer(Box::new(self.typed(&lock)))
            }
            Ty::Condvar => TypeKind::Library(LibraryType::Condition),
            Ty::Cell(of) | Ty::Slot(Slot::Manual | Slot::Cell, of) => return self.typed(of),
            // A structure, because what has no value can be copied as a part of one only.
            Ty::Slot(Slot::Uninit, of) if self.typed(of).is_void() => TypeKind::Void,
            Ty::Array(of, count) => TypeKind::Array(Box::new(self.typed(of)), *count),
            Ty::Handle(_) | Ty::Thread => TypeKind::Library(LibraryType::Thread),
            Ty::Adt(..)
            | Ty::Tuple(_)
            | Ty::Closure(_)
            | Ty::Dyn(_)
            | Ty::Handles(_)
            | Ty::Slot(Slot::Uninit, _)
            | Ty::Mutex(_)
            | Ty::RwLock(_) => TypeKind::Struct(self.structure(ty)),
        };
        plain(kind)
    }

    fn structure(&mut self, ty: &Ty) -> StructId {
        if let Some(id) = self.structs.get(ty) {
            return *id;
        }
        let id = StructId(self.unit.structs.len());
        let (name, place) = match ty {
            Ty::Adt(of, _) => {
                let name = self.names.adts[*of].name();
                (name.to_string(), at(name))
            }
            _ => (String::new(), place(0..0)),
        };
        self.unit.structs.push(Struct {
            union: None,
            name,
            members: Vec::new(),
            fields: Vec::new(),
            layout: None,
            apart: Vec::new(),
            word: false,
            place,
        });
        self.structs.insert(ty.clone(), id);
        let member = |name: &str, ty| Member {
            name: name.to_owned(),
            ty,
        };
        let mut members = match ty {
            Ty::Mutex(of) | Ty::RwLock(of) => {
                let kind = match ty {
                    Ty::Mutex(_) => LibraryType::Mutex,
                    _ => LibraryType::RwLock,
                };
                let lock = plain(TypeKind::Library(kind));
                vec![member("lock", lock), member("value", self.typed(of))]
            }
            Ty::Slot(_, of) => vec![member("value", self.typed(of))],
            Ty::Dyn(_) => {
                let address = plain(TypeKind::Pointer(Box::new(super::unit::void())));
                vec![member("tag", self.typed(&I32)), member("address", address)]
            }
            Ty::Handles(of) => {
                let handle = self.typed(&Ty::Handle(of.clone()));
                let all = TypeKind::Array(Box::new(handle), MOST_HANDLES);
                vec![
                    member("length", self.typed(&super::types::USIZE)),
                    member("handles", plain(all)),
                ]
            }
            _ => {
                let parts = self.parts(ty);
                parts
                    .into_iter()
                    .map(|(name, ty)| member(&name, self.typed(&ty)))
                    .collect()
            }
        };
        members.retain(|member| !matches!(member.ty.kind, TypeKind::Void));
        if members.is_empty() {
            members.push(member("nothing", plain(TypeKind::Bool)));
        }
        let layout = Layout::in_order(&self.unit, &members);
        self.unit.structs[id.0].layout = Some(layout);
        self.unit.structs[id.0].members = members;
        id
    }
}

/// Whether a type is written as a number that a derived `==` compares before other parts.
fn is_simple(ty: &syn::Type) -> bool {
    const SIMPLE: [&str; 12] = [
        "bool", "char", "i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "u128",
    ];
    match ty {
        syn::Type::Reference(inner) => is_simple(&inner.elem),
        syn::Type::Ptr(_) => true,
        syn::Type::Path(path) => match path.path.get_ident() {
            Some(name) => SIMPLE.iter().any(|own| name == own),
            None => false,
        },
        _ => false,
    }
}
