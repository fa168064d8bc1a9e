//! The types of trait objects and of pointers to functions, and the types that are converted to them.

use super::names::{Named, Target};
use super::source::span;
use super::types::{Infer, Ptr, Ty};
use super::unit::{Context, Res, Translator, substitution, words_of};
use crate::lower::typed::FunctionId;
use crate::text::{Place, Span};
use std::collections::{BTreeMap, BTreeSet};
use syn::{GenericArgument, PathArguments, TraitItem, TypeParamBound};

/// What can be done with an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    Trait {
        of: usize,
        /// The generic parameters and the associated types of the trait.
        subst: BTreeMap<String, Ty>,
    },
    Call {
        inputs: Vec<Ty>,
        result: Ty,
        /// Whether calling it consumes it.
        once: bool,
    },
}

/// A type of objects.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) shape: Shape,
    /// The types of its values by their numbers, and whether one is made of it by what the program executes.
    pub(super) types: Vec<(Ty, bool)>,
}

/// A function that distinguishes objects.
#[derive(Clone, Debug)]
pub(super) struct Dispatcher {
    pub(super) id: FunctionId,
    pub(super) inputs: Vec<Ty>,
    pub(super) result: Ty,
    /// How many types it knows.
    pub(super) types: Option<usize>,
}

impl Translator<'_> {
    /// `dyn Trait`, `dyn Fn(…)`
    pub(super) fn object(
        &mut self,
        bounds: impl Iterator<Item = TypeParamBound>,
        of: Span,
        context: &Context,
        infer: &mut Option<&mut Infer>,
    ) -> Res<Ty> {
        for bound in bounds {
            let TypeParamBound::Trait(bound) = &bound else {
                continue;
            };
            let words = words_of(&bound.path);
            let last = bound.path.segments.last();
            let given = last.map(|last| &last.arguments);
            if let Some(PathArguments::Parenthesized(given)) = given {
                let once = words.last().is_some_and(|last| last == "FnOnce");
                let inputs: Vec<&syn::Type> = given.inputs.iter().collect();
                return self.callable_object((&inputs, &given.output, once), &of, context, infer);
            }
            let Target::Item(_, Named::Trait(number)) = self.names.resolve(context.module, &words)
            else {
                continue;
            };
            let (mut types, mut bindings) = (Vec::new(), Vec::new());
            if let Some(PathArguments::AngleBracketed(given)) = given {
                for argument in &given.args {
                    match argument {
                        GenericArgument::Type(ty) => {
                            types.push(self.ty(ty, context, infer.as_deref_mut())?);
                        }
                        GenericArgument::AssocType(of) => {
                            let ty = self.ty(&of.ty, context, infer.as_deref_mut())?;
                            bindings.push((format!("Self::{}", of.ident), ty));
                        }
                        _ => {}
                    }
                }
            }
            let mut subst = substitution(&self.names.traits[number].item.generics, &types);
            subst.extend(bindings);
            for ty in subst.values_mut() {
                *ty = self.known_whole(ty, &of, infer)?;
            }
            return Ok(self.object_of_shape(Shape::Trait { of: number, subst }));
        }
        Err(self.refuse(
            "an object of this trait is not supported",
            of,
            "those of traits of the text, and of `Fn`, `FnMut` and `FnOnce`, are",
        ))
    }

    /// `fn(…)`, which is a reference to such an object.
    pub(super) fn function_pointer(
        &mut self,
        of: &syn::TypeBareFn,
        context: &Context,
        infer: &mut Option<&mut Infer>,
    ) -> Res<Ty> {
        let inputs: Vec<&syn::Type> = of.inputs.iter().map(|input| &input.ty).collect();
        let object =
            self.callable_object((&inputs, &of.output, false), &span(of), context, infer)?;
        Ok(Ty::pointer(Ptr::Ref, object))
    }

    fn callable_object(
        &mut self,
        (inputs, output, once): (&[&syn::Type], &syn::ReturnType, bool),
        of: &Span,
        context: &Context,
        infer: &mut Option<&mut Infer>,
    ) -> Res<Ty> {
        let mut types = Vec::new();
        for ty in inputs {
            let ty = self.ty(ty, context, infer.as_deref_mut())?;
            types.push(self.known_whole(&ty, of, infer)?);
        }
        let result = match output {
            syn::ReturnType::Default => Ty::Unit,
            syn::ReturnType::Type(_, ty) => {
                let ty = self.ty(ty, context, infer.as_deref_mut())?;
                self.known_whole(&ty, of, infer)?
            }
        };
        Ok(self.object_of_shape(Shape::Call {
            inputs: types,
            result,
            once,
        }))
    }

    /// A type that has to be known, since it is part of what an object is.
    fn known_whole(&mut self, ty: &Ty, of: &Span, infer: &mut Option<&mut Infer>) -> Res<Ty> {
        let Some(infer) = infer else {
            return Ok(ty.clone());
        };
        let deep = infer.deep(ty);
        if deep == infer.settled(ty) {
            return Ok(deep);
        }
        Err(self.error("the types in this type are not known here", of.clone()))
    }

    fn object_of_shape(&mut self, shape: Shape) -> Ty {
        let found = self.objects.iter().position(|one| one.shape == shape);
        Ty::Dyn(found.unwrap_or_else(|| {
            self.objects.push(Object {
                shape,
                types: Vec::new(),
            });
            self.objects.len() - 1
        }))
    }

    /// The number of a type of the values of an object.
    pub(super) fn tag_in(&mut self, object: usize, ty: Ty) -> usize {
        let types = &mut self.objects[object].types;
        let found = types.iter().position(|(own, _)| *own == ty);
        found.unwrap_or_else(|| {
            types.push((ty, false));
            types.len() - 1
        })
    }

    /// Notes that the program makes objects of these types.
    pub(super) fn converts_to(&mut self, all: Vec<(usize, usize)>) {
        for (object, tag) in all {
            self.objects[object].types[tag].1 = true;
        }
    }

    /// The function that does this with an object of any type; it is made later.
    pub(super) fn dispatcher(
        &mut self,
        object: usize,
        name: &str,
        (inputs, result): (Vec<Ty>, Ty),
        place: Place,
    ) -> FunctionId {
        let key = (object, name.to_owned());
        if let Some(of) = self.dispatchers.get(&key) {
            return of.id;
        }
        let id = self.reserve(name, place);
        let of = Dispatcher {
            id,
            inputs,
            result,
            types: None,
        };
        self.dispatchers.insert(key, of);
        id
    }
}

impl<'a> Translator<'a> {
    /// The signature of a method of a trait or of one that it extends, and the module of that.
    pub(super) fn method_of_trait(
        &self,
        of: usize,
        name: &str,
        depth: usize,
    ) -> Option<(&'a syn::Signature, usize)> {
        let of = self.trait_with(of, name, depth)?;
        let names = self.names;
        let item = names.traits[of].item;
        item.items.iter().find_map(|item| match item {
            TraitItem::Fn(item) if item.sig.ident == name => {
                Some((&item.sig, names.traits[of].module))
            }
            _ => None,
        })
    }

    /// Whether an object is one of a trait or of one that extends it.
    pub(super) fn is_object_of(&self, object: usize, of: usize) -> bool {
        let Shape::Trait { of: own, .. } = &self.objects[object].shape else {
            return false;
        };
        let (mut open, mut seen) = (vec![*own], BTreeSet::new());
        while let Some(one) = open.pop() {
            if one == of {
                return true;
            }
            if seen.insert(one) {
                open.extend(self.extended_by(one));
            }
        }
        false
    }

    /// The traits of the text that a trait extends.
    fn extended_by(&self, of: usize) -> Vec<usize> {
        let names = self.names;
        let of = &names.traits[of];
        let bounds = of.item.supertraits.iter();
        let found = bounds.filter_map(|bound| match bound {
            TypeParamBound::Trait(bound) => {
                match names.resolve(of.module, &words_of(&bound.path)) {
                    Target::Item(_, Named::Trait(other)) => Some(other),
                    Target::Item(..) | Target::Known(_) | Target::None => None,
                }
            }
            _ => None,
        });
        found.collect()
    }

    /// The trait that has a method: this one, or one that it extends.
    pub(super) fn trait_with(&self, of: usize, name: &str, depth: usize) -> Option<usize> {
        const MOST_DEPTH: usize = 16;
        let names = self.names;
        let item = names.traits[of].item;
        let has = |item: &TraitItem| matches!(item, TraitItem::Fn(item) if item.sig.ident == name);
        if item.items.iter().any(has) {
            return Some(of);
        }
        if depth > MOST_DEPTH {
            return None;
        }
        let mut extended = self.extended_by(of).into_iter();
        extended.find_map(|other| self.trait_with(other, name, depth + 1))
    }
}
