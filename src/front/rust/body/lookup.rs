//! The functions that a type has.
//!
//! Inherent ones hide those of traits, and a name that several traits give to a type is not looked up but where the trait
//! is written. In a function with type parameters it is the traits that count, since nothing else is known of a parameter
//! there; but the function is read with the types that the parameters stand for. So the function of the trait is taken if
//! one of them stands for this type, and nothing if the text of the function also has the name of the type itself: then
//! either may be meant.

use super::Body;
use super::call::Operand;
use crate::rust::source::{span, words};
use crate::rust::types::Ty;
use crate::rust::unit::{Context, Def, Res};
use std::collections::BTreeSet;
use syn::{ImplItem, TraitItem};

/// Whose functions are looked up.
#[derive(Clone, Copy)]
pub(super) enum Whose<'w> {
    Any,
    /// Those of any trait: a type parameter has no others.
    Traits,
    /// Those of a trait of the text.
    Trait(usize),
    /// Those of a trait of the standard library.
    Known(&'w str),
}

/// What is known of the types of the arguments, that of `self` among them or not, and of the result of a call.
#[derive(Default)]
pub(super) struct Given {
    pub(super) arguments: Vec<Ty>,
    pub(super) result: Option<Ty>,
}

/// A function, and what names stand for in it.
pub(super) type Found<'a> = (Def<'a>, Context);

impl<'a> Body<'_, 'a> {
    /// A function that a type has by this name; `None` if it has none, or it is not clear which.
    pub(super) fn function_of(&mut self, own: &Ty, name: &str) -> Option<Found<'a>> {
        self.function_in(own, name, Whose::Any)
    }

    /// The same among these.
    pub(super) fn function_in(
        &mut self,
        own: &Ty,
        name: &str,
        whose: Whose<'_>,
    ) -> Option<Found<'a>> {
        self.function_for(own, name, whose, &Given::default())
    }

    /// The same, where `impl`s of one trait for one type are told apart by the types of the arguments and of the result.
    pub(super) fn function_for(
        &mut self,
        own: &Ty,
        name: &str,
        whose: Whose<'_>,
        given: &Given,
    ) -> Option<Found<'a>> {
        let names = self.t.names;
        if let Ty::Var(_) = self.infer.shallow(own) {
            return None;
        }
        let mut inherent = None;
        let mut of_traits: Vec<(String, Found<'a>)> = Vec::new();
        for number in 0..names.impls.len() {
            let item = names.impls[number].item;
            let Some((_, path, _)) = &item.trait_ else {
                if matches!(whose, Whose::Any) && inherent.is_none() {
                    inherent = self.function_here(number, own, name);
                }
                continue;
            };
            let of = names.trait_of(number);
            let last = path.segments.last().map(|last| last.ident.to_string());
            let last = last.unwrap_or_default();
            let fits = match whose {
                Whose::Any | Whose::Traits => true,
                Whose::Trait(wanted) => of == Some(wanted),
                Whose::Known(wanted) => of.is_none() && last == wanted,
            };
            let key = of.map_or(last, |of| format!("{of}"));
            if !fits || of_traits.iter().any(|(own, _)| *own == key) {
                continue;
            }
            let known = self.infer.now();
            let found = match self.function_here(number, own, name) {
                Some(found) => Some(found),
                None => of.and_then(|of| self.function_by_default(number, of, own, name)),
            };
            match found {
                Some(found) if self.takes(&found, given) => {
                    self.is_found_alike(number, of, name);
                    of_traits.push((key, found));
                }
                _ => self.infer.undo(known),
            }
        }
        let is_clear = of_traits.len() <= 1;
        let of_trait = of_traits.pop().map(|(_, found)| found);
        match (inherent, of_trait) {
            (Some(_), Some(of_trait)) if self.is_parameter(own) => {
                (is_clear && !self.mentions(own)).then_some(of_trait)
            }
            (Some(inherent), _) => Some(inherent),
            (None, of_trait) => of_trait.filter(|_| is_clear),
        }
    }

    /// Refuses what is found in another way than the language does it: pointers are looked through here, so their `impl`s
    /// have to do what those of what they point to do.
    fn is_found_alike(&mut self, number: usize, of: Option<usize>, name: &str) {
        let names = self.t.names;
        let item = names.impls[number].item;
        let mark = span(&item.self_ty);
        if self.t.is_library(&mark) {
            return;
        }
        let Some(of) = of else {
            return;
        };
        let trait_is_own = !self.t.is_library(&span(&names.traits[of].item.ident));
        let functions = || {
            item.items.iter().filter_map(|item| match item {
                ImplItem::Fn(item) => Some(item),
                _ => None,
            })
        };
        if !trait_is_own {
            // What the library calls is the function that it has itself.
            let known = ["next", "nth", "next_back", "size_hint"];
            let other = functions().find(|own| {
                names.traits[of].item.ident == "Iterator"
                    && !known.iter().any(|name| own.sig.ident == name)
            });
            if let Some(other) = other {
                self.t.refuse(
                    format!(
                        "an iterator with a function `{}` of its own is not supported",
                        other.sig.ident
                    ),
                    span(&other.sig.ident),
                    "define `next` only",
                );
            }
            return;
        }
        let all = (0..names.impls.len()).filter(|&other| names.trait_of(other) == Some(of));
        let (pointers, others): (Vec<usize>, Vec<usize>) =
            all.partition(|&other| is_pointer(&names.impls[other].item.self_ty));
        if others.is_empty() {
            return;
        }
        let differs = pointers.iter().find(|&&pointer| {
            names.impls[pointer]
                .item
                .items
                .iter()
                .any(|item| match item {
                    ImplItem::Fn(item) => item.sig.ident == name && !forwards(item),
                    _ => false,
                })
        });
        if let Some(&differs) = differs {
            self.t.refuse(
                format!("`{name}` of a pointer does something else than that of what it points to, which is not supported"),
                span(&names.impls[differs].item.self_ty),
                "give one of the functions another name",
            );
        }
    }

    /// Whether a function takes arguments of these types.
    fn takes(&mut self, (def, context): &Found<'a>, given: &Given) -> bool {
        if given.arguments.is_empty() && given.result.is_none() {
            return true;
        }
        let (known, errors) = (self.infer.now(), self.t.errors.len());
        let mut context = context.clone();
        let parameters = self.generics_of(def.sig, span(def.sig).start);
        context.subst.extend(parameters);
        let mut inputs = def.sig.inputs.iter();
        if inputs.len() > given.arguments.len() {
            inputs.next();
        }
        let mut fits = inputs.zip(&given.arguments).all(|(input, ty)| {
            let own = self.input_type(input, &context);
            *ty == Ty::Never || own.is_ok_and(|own| self.infer.unify(&own, ty))
        });
        if let (Some(wanted), syn::ReturnType::Type(_, ty)) = (&given.result, &def.sig.output) {
            let own = self.t.ty(ty, &context, Some(&mut self.infer));
            fits &= own.is_ok_and(|own| self.infer.unify(&own, wanted));
        }
        self.t.errors.truncate(errors);
        self.infer.undo(known);
        fits
    }

    /// Whether a type has this function by several `impl`s of one trait.
    pub(super) fn is_overloaded(&mut self, own: &Ty, name: &str) -> bool {
        let names = self.t.names;
        let mut seen = BTreeSet::new();
        for number in 0..names.impls.len() {
            let Some((_, path, _)) = &names.impls[number].item.trait_ else {
                continue;
            };
            let known = self.infer.now();
            let has = self.function_here(number, own, name).is_some();
            self.infer.undo(known);
            if has {
                let last = path.segments.last().map(|last| last.ident.to_string());
                let key = match names.trait_of(number) {
                    Some(of) => format!("{of}"),
                    None => last.unwrap_or_default(),
                };
                if !seen.insert(key) {
                    return true;
                }
            }
        }
        false
    }

    /// The type of an expression that is evaluated elsewhere.
    pub(super) fn type_only(&mut self, e: &'a syn::Expr) -> Res<Ty> {
        let count = self.infer.count();
        let value = self.expr(e, None);
        self.infer.forget_after(count);
        Ok(self.infer.shallow(&value?.ty))
    }

    /// What distinguishes `impl`s of one trait in a call, if that is needed.
    pub(super) fn given(
        &mut self,
        own: &Ty,
        name: &str,
        operands: &[Operand<'a>],
        want: Option<&Ty>,
    ) -> Res<Given> {
        let mut given = Given::default();
        if !self.is_overloaded(own, name) {
            return Ok(given);
        }
        for operand in operands {
            given.arguments.push(match operand {
                Operand::Made(value) => self.infer.shallow(&value.ty),
                Operand::Called(_) => Ty::Never,
                // Only its type counts here.
                Operand::Written(e) => self.type_only(e)?,
            });
        }
        let want = want.map(|ty| self.infer.shallow(ty));
        given.result = want.filter(|ty| !matches!(ty, Ty::Ptr(..) | Ty::Var(_)));
        Ok(given)
    }

    /// A function that an `impl` has, if it is one of this type.
    fn function_here(&mut self, number: usize, own: &Ty, name: &str) -> Option<Found<'a>> {
        let (names, viewer) = (self.t.names, self.module());
        let mut functions = names.impls[number]
            .item
            .items
            .iter()
            .filter_map(|item| match item {
                ImplItem::Fn(item) if item.sig.ident == name => {
                    // One that is not known is reported where the program uses it.
                    let holds = names.holds_all(&item.attrs).unwrap_or(true);
                    // A private one is passed over: the method is that of what the value is dereferenced to.
                    let of = &names.impls[number];
                    let is_seen =
                        of.item.trait_.is_some() || names.sees_part(viewer, of.module, &item.vis);
                    (holds && is_seen).then_some(item)
                }
                _ => None,
            });
        let found = functions.next()?;
        let context = self.applies(number, own)?;
        let def = Def {
            sig: &found.sig,
            block: &found.block,
        };
        Some((def, context))
    }

    /// A function that a trait itself has, if an `impl` implements it for this type.
    fn function_by_default(
        &mut self,
        number: usize,
        of: usize,
        own: &Ty,
        name: &str,
    ) -> Option<Found<'a>> {
        let names = self.t.names;
        for item in &names.traits[of].item.items {
            if let TraitItem::Fn(item) = item
                && item.sig.ident == name
                && let Some(block) = &item.default
            {
                let context = self.defaults(number, of, own)?;
                let def = Def {
                    sig: &item.sig,
                    block,
                };
                return Some((def, context));
            }
        }
        None
    }

    /// Whether a type parameter of the function at hand stands for this type, `Self` of a trait among them.
    pub(super) fn is_parameter(&self, own: &Ty) -> bool {
        let own = self.infer.settled(own);
        let mut parameters = self.context.subst.iter();
        parameters.any(|(name, ty)| !name.starts_with("Self::") && self.infer.settled(ty) == own)
    }

    /// Whether the first part of a path is a type parameter of the function at hand.
    pub(super) fn begins_with_parameter(&self, first: &[String]) -> bool {
        matches!(first, [name] if self.context.subst.contains_key(name))
    }

    /// Whether the text of the function at hand has the name of a type.
    fn mentions(&self, own: &Ty) -> bool {
        let Ty::Adt(id, _) = self.infer.shallow(own) else {
            return true;
        };
        let name = self.t.names.adts[id].name().to_string();
        let (start, end) = self.context.text;
        words(self.t.lexemes, &(start..end)).any(|word| word == name)
    }
}

/// Whether a type is written as a pointer.
fn is_pointer(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Reference(_) | syn::Type::Ptr(_) => true,
        syn::Type::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|last| ["Box", "Arc", "Rc"].iter().any(|name| last.ident == name)),
        _ => false,
    }
}

/// Whether a function of a pointer only calls that of what it points to.
fn forwards(item: &syn::ImplItemFn) -> bool {
    let [syn::Stmt::Expr(e, _)] = &item.block.stmts[..] else {
        return false;
    };
    let is_self = |e: &syn::Expr| {
        let mut e = e;
        loop {
            e = match e {
                syn::Expr::Paren(inner) => &inner.expr,
                syn::Expr::Reference(inner) => &inner.expr,
                syn::Expr::Unary(inner) => &inner.expr,
                e => return matches!(e, syn::Expr::Path(path) if path.path.is_ident("self")),
            };
        }
    };
    let plain = |e: &syn::Expr| matches!(e, syn::Expr::Path(_));
    let name = &item.sig.ident;
    match e {
        syn::Expr::MethodCall(call) => {
            call.method == *name && is_self(&call.receiver) && call.args.iter().all(plain)
        }
        syn::Expr::Call(call) => {
            let named = matches!(&*call.func, syn::Expr::Path(path)
                if path.path.segments.last().is_some_and(|last| last.ident == *name));
            named && call.args.first().is_some_and(is_self) && call.args.iter().skip(1).all(plain)
        }
        _ => false,
    }
}
