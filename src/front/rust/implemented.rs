//! Which `impl`s are those of a type.

use super::names::{Named, Target};
use super::source::span;
use super::types::{Infer, Ty};
use super::unit::{Context, Translator, words_of};
use std::collections::BTreeMap;
use syn::visit::Visit;
use syn::{Expr, GenericParam, ImplItem, TypeParamBound, WherePredicate};

/// `impl`s for all types with a trait depend on each other up to this depth.
const MOST_DEPTH: usize = 8;

/// The traits of what can be called.
const CALLED: [&str; 4] = ["Fn", "FnMut", "FnOnce", "Future"];
/// The traits that types have without saying so.
const AUTOMATIC: [&str; 6] = [
    "Send",
    "Sync",
    "Sized",
    "Unpin",
    "UnwindSafe",
    "RefUnwindSafe",
];

/// The names of generic parameters.
fn names_of(of: &syn::Generics) -> impl Iterator<Item = String> {
    of.params.iter().filter_map(|parameter| match parameter {
        GenericParam::Lifetime(_) => None,
        GenericParam::Type(parameter) => Some(parameter.ident.to_string()),
        GenericParam::Const(parameter) => Some(parameter.ident.to_string()),
    })
}

/// `FnOnce(…)`
fn is_called_once(bound: &TypeParamBound) -> bool {
    match bound {
        TypeParamBound::Trait(of) => {
            let last = of.path.segments.last();
            last.is_some_and(|last| last.ident == "FnOnce")
        }
        _ => false,
    }
}

/// The parameters that are called by their values, by names that nothing else has.
fn called_once(of: &syn::Generics, subst: &mut BTreeMap<String, Ty>) {
    let mut found = Vec::new();
    for parameter in of.type_params() {
        if parameter.bounds.iter().any(is_called_once) {
            found.push(parameter.ident.to_string());
        }
    }
    for clause in of.where_clause.iter().flat_map(|of| &of.predicates) {
        if let WherePredicate::Type(clause) = clause
            && let syn::Type::Path(path) = &clause.bounded_ty
            && let Some(name) = path.path.get_ident()
            && clause.bounds.iter().any(is_called_once)
        {
            found.push(name.to_string());
        }
    }
    for name in found {
        if let Some(ty) = subst.get(&name).cloned() {
            subst.insert(format!("FnOnce {name}"), ty);
        }
    }
}

/// A variable for each generic parameter of a function, whose arguments may have types of which only traits are written.
pub(super) fn parameters_of(
    infer: &mut Infer,
    of: &syn::Signature,
    start: usize,
) -> BTreeMap<String, Ty> {
    let mut subst = BTreeMap::new();
    for name in names_of(&of.generics) {
        subst.insert(name, infer.fresh(start, false));
    }
    let mut found = Unnamed::default();
    found.visit_signature(of);
    for (name, is_once) in found.0 {
        let ty = infer.fresh(start, false);
        if is_once {
            subst.insert(format!("FnOnce {name}"), ty.clone());
        }
        subst.insert(name, ty);
    }
    called_once(&of.generics, &mut subst);
    subst
}

/// The name of a type of which only traits are written.
pub(super) fn unnamed(of: &syn::TypeImplTrait) -> String {
    format!("impl {}", span(of).start)
}

/// The names of such types in the result of a function: what they are, its body says.
pub(super) fn unnamed_of(of: &syn::ReturnType) -> Vec<String> {
    let mut found = Unnamed::default();
    if let syn::ReturnType::Type(_, ty) = of {
        found.visit_type(ty);
    }
    found.0.into_iter().map(|(name, _)| name).collect()
}

/// Such types of the arguments of a function.
#[derive(Default)]
struct Unnamed(Vec<(String, bool)>);

impl<'t> Visit<'t> for Unnamed {
    fn visit_type_impl_trait(&mut self, of: &'t syn::TypeImplTrait) {
        let is_once = of.bounds.iter().any(is_called_once);
        self.0.push((unnamed(of), is_once));
    }

    /// That of a result is no parameter.
    fn visit_return_type(&mut self, _: &'t syn::ReturnType) {}
}

impl Translator<'_> {
    /// What the parameters of an `impl` stand for, if it is one of this type.
    pub(super) fn applies(
        &mut self,
        number: usize,
        own: &Ty,
        infer: &mut Infer,
    ) -> Option<Context> {
        let names = self.names;
        let of = &names.impls[number];
        let shallow = infer.shallow(own);
        if !self.may_be(&of.item.self_ty, of.module, &of.item.generics, &shallow) {
            return None;
        }
        let mut context = Context {
            module: of.module,
            subst: names_of(&of.item.generics)
                .map(|name| (name, infer.open()))
                .collect(),
            own: None,
            text: (0, 0),
        };
        called_once(&of.item.generics, &mut context.subst);
        let before = infer.now();
        let errors = self.errors.len();
        // The length of an array says what the parameter that it is stands for.
        let (written, referred) = match (&*of.item.self_ty, &shallow) {
            (syn::Type::Reference(of), Ty::Ptr(_, to)) => (&*of.elem, infer.shallow(to)),
            (written, _) => (written, shallow),
        };
        if let (syn::Type::Array(array), Ty::Array(_, count)) = (written, &referred)
            && let Expr::Path(length) = &array.len
            && let Some(name) = length.path.get_ident()
            && let Some(parameter) = context.subst.get_mut(&name.to_string())
        {
            *parameter = Ty::Const(i128::from(*count));
        }
        let found = self.ty(&of.item.self_ty, &context, Some(infer));
        self.errors.truncate(errors);
        let fits = found.is_ok_and(|found| infer.unify(own, &found))
            && self.bounded(&of.item.generics, &context, infer);
        if !fits {
            infer.undo(before);
            return None;
        }
        // Lengths of arrays are computed from numbers, not from what is inferred to be one.
        for ty in context.subst.values_mut() {
            if let number @ Ty::Const(_) = infer.shallow(ty) {
                *ty = number;
            }
        }
        context.own = Some(own.clone());
        for item in &of.item.items {
            if let ImplItem::Type(item) = item {
                let found = self.ty(&item.ty, &context, Some(infer));
                self.errors.truncate(errors);
                if let Ok(ty) = found {
                    context.subst.insert(format!("Self::{}", item.ident), ty);
                }
            }
        }
        Some(context)
    }

    /// Whether a type may be the one that is written, by what is outermost in both.
    fn may_be(
        &self,
        written: &syn::Type,
        module: usize,
        generics: &syn::Generics,
        own: &Ty,
    ) -> bool {
        match written {
            syn::Type::Path(path) if path.qself.is_none() => {
                let words = words_of(&path.path);
                if let [name] = &words[..]
                    && generics
                        .type_params()
                        .any(|parameter| parameter.ident == name)
                {
                    return true;
                }
                match (self.names.resolve(module, &words), own) {
                    (Target::Item(_, Named::Struct(of) | Named::Enum(of)), Ty::Adt(id, _)) => {
                        of == *id
                    }
                    (Target::Item(_, Named::Alias(_)) | Target::Known(_), _) => true,
                    (Target::Item(..), _) => false,
                    (Target::None, own) => {
                        matches!(own, Ty::Bool | Ty::Char | Ty::Int { .. } | Ty::Text)
                    }
                }
            }
            syn::Type::Paren(of) => self.may_be(&of.elem, module, generics, own),
            syn::Type::Group(of) => self.may_be(&of.elem, module, generics, own),
            syn::Type::Reference(_) | syn::Type::Ptr(_) => matches!(own, Ty::Ptr(..) | Ty::Text),
            syn::Type::Tuple(of) if of.elems.is_empty() => *own == Ty::Unit,
            syn::Type::Tuple(_) => matches!(own, Ty::Tuple(_)),
            syn::Type::Array(_) => matches!(own, Ty::Array(..)),
            _ => false,
        }
    }

    /// Whether the types that parameters stand for have the traits of the text that they need.
    pub(super) fn bounded(
        &mut self,
        generics: &syn::Generics,
        context: &Context,
        infer: &mut Infer,
    ) -> bool {
        let mut needed: Vec<(syn::Type, &TypeParamBound)> = Vec::new();
        for parameter in generics.type_params() {
            let name = &parameter.ident;
            let ty: syn::Type = syn::parse_quote!(#name);
            needed.extend(parameter.bounds.iter().map(|bound| (ty.clone(), bound)));
        }
        for clause in generics.where_clause.iter().flat_map(|of| &of.predicates) {
            if let WherePredicate::Type(clause) = clause {
                let bounds = clause.bounds.iter();
                needed.extend(bounds.map(|bound| (clause.bounded_ty.clone(), bound)));
            }
        }
        needed.into_iter().all(|(ty, bound)| {
            let TypeParamBound::Trait(bound) = bound else {
                return true;
            };
            let words = words_of(&bound.path);
            let errors = self.errors.len();
            let ty = self.ty(&ty, context, Some(infer));
            self.errors.truncate(errors);
            let Ok(ty) = ty else {
                return false;
            };
            self.calls_as(&ty, bound, context, infer);
            match self.names.resolve(context.module, &words) {
                Target::Item(_, Named::Trait(of)) => self.has_trait(&ty, of, infer),
                Target::Item(..) | Target::Known(_) | Target::None => {
                    self.has_known_trait(&ty, words.last().map_or("", String::as_str), infer)
                }
            }
        })
    }

    /// Says of a closure what it is called with and what it yields, as a bound has that.
    fn calls_as(&mut self, ty: &Ty, bound: &syn::TraitBound, context: &Context, infer: &mut Infer) {
        let last = bound.path.segments.last();
        let (Ty::Closure(id), Some(syn::PathArguments::Parenthesized(given))) =
            (infer.shallow(ty), last.map(|last| &last.arguments))
        else {
            return;
        };
        let Some((inputs, result)) = self.held.get(&id).map(super::body::Held::signature) else {
            return;
        };
        let errors = self.errors.len();
        let output = match &given.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, ty) => Some((&**ty, result)),
        };
        for (written, own) in given.inputs.iter().zip(inputs).chain(output) {
            if let Ok(found) = self.ty(written, context, Some(infer)) {
                let before = infer.now();
                if !infer.unify(&found, &own) {
                    infer.undo(before);
                }
            }
        }
        self.errors.truncate(errors);
    }

    /// Whether a type implements a trait of the standard library, as far as that is said in the text: structures and
    /// enumerations do if they derive it, or if an `impl` says so. Closures have no type here, so nothing can be called.
    fn has_known_trait(&mut self, ty: &Ty, name: &str, infer: &mut Infer) -> bool {
        let ty = &infer.shallow(ty);
        let id = match ty {
            Ty::Adt(id, _) => id,
            Ty::Called(_) => return CALLED.contains(&name),
            Ty::Closure(_) => return true,
            Ty::Var(_) => return name != "Future",
            Ty::Ptr(_, to) if CALLED.contains(&name) => {
                return self.has_known_trait(&to.clone(), name, infer);
            }
            _ => return !CALLED.contains(&name),
        };
        if AUTOMATIC.contains(&name) || ["Into", "TryInto"].contains(&name) {
            return true;
        }
        let names = self.names;
        let derives = names.adts[*id].derives(name);
        self.depth += 1;
        let found = derives
            || self.depth < MOST_DEPTH + super::written::MOST_DEPTH
                && (0..names.impls.len()).any(|number| {
                    let of = names.impls[number].item.trait_.as_ref();
                    let last = of.and_then(|(_, path, _)| path.segments.last());
                    last.is_some_and(|last| last.ident == name)
                        && self.would_apply(number, ty, infer)
                });
        self.depth -= 1;
        found
    }

    /// Whether an `impl` is one for this type, which is not made it by that.
    fn would_apply(&mut self, number: usize, ty: &Ty, infer: &mut Infer) -> bool {
        let before = infer.now();
        let applies = self.applies(number, ty, infer).is_some();
        infer.undo(before);
        applies
    }

    /// Makes an integer whose type is not known of the only type of integers that implements a trait, if there is one.
    fn only_integer(&mut self, ty: &Ty, of: usize, infer: &mut Infer) {
        if !infer.is_integer(ty) {
            return;
        }
        let names = self.names;
        let mut found = Vec::new();
        for number in (0..names.impls.len()).filter(|number| names.trait_of(*number) == Some(of)) {
            if let syn::Type::Path(path) = &*names.impls[number].item.self_ty
                && let Some(name) = path.path.get_ident()
            {
                found.extend(Ty::integer(&name.to_string()));
            }
        }
        if let [only] = &found[..] {
            infer.unify(ty, only);
        }
    }

    /// Whether a type implements a trait of the text.
    pub(super) fn has_trait(&mut self, ty: &Ty, of: usize, infer: &mut Infer) -> bool {
        if let Ty::Var(_) = infer.shallow(ty) {
            self.only_integer(ty, of, infer);
            return true;
        }
        if let Ty::Dyn(object) = infer.shallow(ty)
            && self.is_object_of(object, of)
        {
            return true;
        }
        self.depth += 1;
        let found = self.depth < MOST_DEPTH + super::written::MOST_DEPTH
            && (0..self.names.impls.len()).any(|number| {
                self.names.trait_of(number) == Some(of) && self.would_apply(number, ty, infer)
            });
        self.depth -= 1;
        found
    }
}
