//! Types and constants as they are written.

use super::implemented::unnamed;
use super::names::{AdtItem, Named, Target};
use super::source::span;
use super::types::{Held, Infer, Ptr, Slot, Ty};
use super::unit::{Context, Res, Translator, substitution, words_of};
use crate::text::Span;
use syn::{Expr, GenericArgument, GenericParam, PathArguments};

/// Types nest and constants depend on constants up to this depth.
pub(super) const MOST_DEPTH: usize = 64;

/// Types of the language that are not supported.
const OTHER_TYPES: [&str; 5] = ["f32", "f64", "str", "i128", "u128"];

impl Translator<'_> {
    /// A type of the text. Where it is `_`, there has to be something to infer.
    pub(super) fn ty(
        &mut self,
        ty: &syn::Type,
        context: &Context,
        infer: Option<&mut Infer>,
    ) -> Res<Ty> {
        let mut infer = infer;
        self.depth += 1;
        let found = if self.depth > MOST_DEPTH {
            Err(self.error("this type is nested too deeply", span(ty)))
        } else {
            self.ty_of(ty, context, &mut infer)
        };
        self.depth -= 1;
        found
    }

    pub(super) fn ty_of(
        &mut self,
        ty: &syn::Type,
        context: &Context,
        infer: &mut Option<&mut Infer>,
    ) -> Res<Ty> {
        Ok(match ty {
            syn::Type::Never(_) => Ty::Never,
            syn::Type::Paren(ty) => self.ty(&ty.elem, context, infer.as_deref_mut())?,
            syn::Type::Group(ty) => self.ty(&ty.elem, context, infer.as_deref_mut())?,
            syn::Type::Tuple(ty) if ty.elems.is_empty() => Ty::Unit,
            syn::Type::Tuple(ty) => {
                let mut types = Vec::new();
                for ty in &ty.elems {
                    types.push(self.ty(ty, context, infer.as_deref_mut())?);
                }
                Ty::Tuple(types)
            }
            syn::Type::Reference(ty) if is_str(&ty.elem) => Ty::Text,
            syn::Type::Reference(ty) if let syn::Type::Slice(of) = &*ty.elem => {
                let element = self.ty(&of.elem, context, infer.as_deref_mut())?;
                Ty::Adt(self.names.lang.slice, vec![element])
            }
            syn::Type::Reference(ty) => {
                let to = self.ty(&ty.elem, context, infer.as_deref_mut())?;
                Ty::pointer(Ptr::Ref, to)
            }
            syn::Type::Ptr(ty) => {
                let to = self.ty(&ty.elem, context, infer.as_deref_mut())?;
                Ty::pointer(Ptr::Raw, to)
            }
            syn::Type::Array(ty) => {
                let element = self.ty(&ty.elem, context, infer.as_deref_mut())?;
                Ty::Array(Box::new(element), self.length(&ty.len, context)?)
            }
            syn::Type::ImplTrait(of) if context.subst.contains_key(&unnamed(of)) => {
                context.subst[&unnamed(of)].clone()
            }
            syn::Type::TraitObject(of) => {
                self.object(of.bounds.iter().cloned(), span(of), context, infer)?
            }
            syn::Type::BareFn(of) => self.function_pointer(of, context, infer)?,
            syn::Type::Infer(ty) => match infer {
                Some(infer) => infer.fresh(span(ty).start, false),
                None => return Err(self.error("this type has to be written", span(ty))),
            },
            syn::Type::Path(ty) => match &ty.qself {
                None => self.type_path(&ty.path, context, infer)?,
                Some(of) => {
                    let own = self.ty(&of.ty, context, infer.as_deref_mut())?;
                    let last = ty.path.segments.last();
                    let name = last.map(|last| last.ident.to_string()).unwrap_or_default();
                    self.associated_type(&own, &name, infer, span(ty))?
                }
            },
            _ => {
                return Err(self.refuse(
                    "a type of this kind is not supported",
                    span(ty),
                    "booleans, integers, atomics, references, arrays and structures of these are",
                ));
            }
        })
    }

    /// The length of an array.
    pub(super) fn length(&mut self, e: &Expr, context: &Context) -> Res<u32> {
        if let Expr::Path(path) = e
            && let Some(name) = path.path.get_ident()
            && let Some(parameter) = context.subst.get(&name.to_string())
            && !matches!(parameter, Ty::Const(_))
        {
            // What comes later may say how long it is: then this is forgotten.
            let _reported = self.error("the length of this array is not known here", span(e));
            return Ok(1);
        }
        let value = self.constant(e, context)?;
        match u32::try_from(value) {
            Ok(value @ 0..=65_536) => Ok(value),
            _ => Err(self.error(
                format!("an array of {value} elements is not supported"),
                span(e),
            )),
        }
    }

    pub(super) fn type_path(
        &mut self,
        path: &syn::Path,
        context: &Context,
        infer: &mut Option<&mut Infer>,
    ) -> Res<Ty> {
        let words = words_of(path);
        if let [name] = &words[..] {
            if name == "Self"
                && let Some(own) = &context.own
            {
                return Ok(own.clone());
            }
            if let Some(ty) = context.subst.get(name) {
                return Ok(ty.clone());
            }
            if name == "bool" {
                return Ok(Ty::Bool);
            }
            if name == "char" {
                return Ok(Ty::Char);
            }
            if let Some(ty) = Ty::integer(name) {
                return Ok(ty);
            }
        }
        if let [own, name] = &words[..]
            && own == "Self"
            && let Some(ty) = context.subst.get(&format!("Self::{name}"))
        {
            return Ok(ty.clone());
        }
        if let [own, name] = &words[..]
            && let Some(own) = match own.as_str() {
                "Self" => context.own.as_ref(),
                own => context.subst.get(own),
            }
        {
            let own = own.clone();
            return self.associated_type(&own, name, infer, span(path));
        }
        let last = path.segments.last();
        let given = last.map(|last| &last.arguments);
        match self.names.resolve(context.module, &words) {
            Target::Item(_, Named::Struct(id) | Named::Enum(id)) => {
                if self.names.adts[id].is_number() {
                    self.variants(id)?;
                }
                let arguments = self.arguments_of(id, given, path, context, infer)?;
                Ok(match &arguments[..] {
                    [element] if id == self.names.lang.vec => {
                        self.vector_of(element.clone(), infer.as_deref())
                    }
                    _ => Ty::Adt(id, arguments),
                })
            }
            Target::Item(module, Named::Alias(item)) if item.generics.params.is_empty() => {
                let context = Context {
                    module,
                    ..Context::default()
                };
                self.ty(&item.ty, &context, None)
            }
            Target::Item(_, _) => Err(self.refuse(
                format!("`{}` is not a type that is supported", words.join("::")),
                span(path),
                "structures and enumerations are; in place of a union, use the type of the member that is accessed, or an \
                 integer and shifts; a trait can be the type itself",
            )),
            Target::Known(known) => self.known_type(&known, given, path, context, infer),
            Target::None => {
                let name = words.join("::");
                if OTHER_TYPES.contains(&&*name) {
                    return Err(self.refuse(
                        format!("the type `{name}` is not supported"),
                        span(path),
                        "booleans and integers of up to 64 bits are",
                    ));
                }
                Err(self.unknown_name(&name, context.module, span(path)))
            }
        }
    }

    /// `Vec` of these elements.
    fn vector_of(&self, element: Ty, infer: Option<&Infer>) -> Ty {
        let known = infer.map_or_else(|| element.clone(), |infer| infer.shallow(&element));
        match known {
            Ty::Handle(result) => Ty::Handles(result),
            _ => Ty::Adt(self.names.lang.vec, vec![element]),
        }
    }

    /// The type that an `impl` of a type gives this name.
    fn associated_type(
        &mut self,
        own: &Ty,
        name: &str,
        infer: &mut Option<&mut Infer>,
        of: Span,
    ) -> Res<Ty> {
        let mut alone = Infer::default();
        let infer = infer.as_deref_mut().unwrap_or(&mut alone);
        if let Ty::Var(_) = infer.shallow(own) {
            // What the library has is known from the function that it is a part of.
            return Ok(if self.is_library(&of) {
                infer.open()
            } else {
                infer.fresh(of.start, false)
            });
        }
        let names = self.names;
        for number in 0..names.impls.len() {
            let mut items = names.impls[number].item.items.iter();
            let has =
                items.any(|item| matches!(item, syn::ImplItem::Type(item) if item.ident == name));
            if has
                && let Some(context) = self.applies(number, own, infer)
                && let Some(ty) = context.subst.get(&format!("Self::{name}"))
            {
                return Ok(infer.deep(ty));
            }
        }
        let own = self.shown(&infer.deep(own));
        Err(self.error(format!("`{own}` has no type `{name}`"), of))
    }

    /// The generic arguments of a structure.
    pub(super) fn arguments_of(
        &mut self,
        id: usize,
        given: Option<&PathArguments>,
        path: &syn::Path,
        context: &Context,
        infer: &mut Option<&mut Infer>,
    ) -> Res<Vec<Ty>> {
        let names = self.names;
        let defaults = !std::mem::take(&mut self.infers_defaults) || infer.is_none();
        let parameters = &names.adts[id].generics().params;
        let mut written = Vec::new();
        if let Some(PathArguments::AngleBracketed(given)) = given {
            for argument in &given.args {
                if !matches!(argument, GenericArgument::Lifetime(_)) {
                    written.push(argument);
                }
            }
        }
        let mut written = written.into_iter();
        let mut arguments = Vec::new();
        for parameter in parameters {
            let is_const = match parameter {
                GenericParam::Lifetime(_) => continue,
                GenericParam::Type(_) => false,
                GenericParam::Const(_) => true,
            };
            arguments.push(match (written.next(), parameter) {
                (Some(argument), _) => self.argument(argument, is_const, context, infer)?,
                (None, GenericParam::Type(parameter))
                    if parameter.default.is_some() && defaults =>
                {
                    // It may mention the parameters before it.
                    let context = Context {
                        module: names.adts[id].module,
                        subst: substitution(names.adts[id].generics(), &arguments),
                        ..Context::default()
                    };
                    match &parameter.default {
                        Some(ty) => self.ty(ty, &context, None)?,
                        None => Ty::Unit,
                    }
                }
                (None, _) => match infer {
                    Some(infer) => infer.fresh(span(path).start, false),
                    None => {
                        return Err(
                            self.error("its generic arguments have to be written", span(path))
                        );
                    }
                },
            });
        }
        Ok(arguments)
    }

    /// A generic argument.
    pub(super) fn argument(
        &mut self,
        argument: &GenericArgument,
        is_const: bool,
        context: &Context,
        infer: &mut Option<&mut Infer>,
    ) -> Res<Ty> {
        match argument {
            GenericArgument::Const(e) => Ok(Ty::Const(self.constant(e, context)?)),
            GenericArgument::Type(syn::Type::Path(ty))
                if is_const
                    && let Some(name) = ty.path.get_ident()
                    && let Some(parameter) = context.subst.get(&name.to_string()) =>
            {
                Ok(parameter.clone())
            }
            // A constant looks like a type. One that stands for another parameter may not be known yet.
            GenericArgument::Type(syn::Type::Path(ty)) if is_const => {
                let name = ty.path.get_ident().map(ToString::to_string);
                if let Some(of) = name.and_then(|name| context.subst.get(&name)) {
                    return Ok(of.clone());
                }
                let e = Expr::Path(syn::ExprPath {
                    attrs: Vec::new(),
                    qself: None,
                    path: ty.path.clone(),
                });
                Ok(Ty::Const(self.constant(&e, context)?))
            }
            GenericArgument::Type(ty) => self.ty(ty, context, infer.as_deref_mut()),
            _ => Err(self.error(
                "a generic argument of this kind is not supported",
                span(argument),
            )),
        }
    }

    pub(super) fn known_type(
        &mut self,
        known: &[String],
        given: Option<&PathArguments>,
        path: &syn::Path,
        context: &Context,
        infer: &mut Option<&mut Infer>,
    ) -> Res<Ty> {
        let name = known.last().map_or("", String::as_str);
        let mut arguments = Vec::new();
        if let Some(of) = slice_given(given) {
            // What owns a slice is a `Vec` that gets no more elements.
            let element = self.ty(&of.elem, context, infer.as_deref_mut())?;
            let all = self.vector_of(element, infer.as_deref());
            return match name {
                "Box" => Ok(all),
                "Arc" => Ok(Ty::pointer(Ptr::Arc, all)),
                "Rc" => Ok(Ty::pointer(Ptr::Rc, all)),
                _ => Err(self.refuse(
                    format!("`{name}` of a slice is not supported"),
                    span(path),
                    "`Box`, `Arc` and `Rc` of slices are, and references to them",
                )),
            };
        }
        if let Some(PathArguments::AngleBracketed(given)) = given {
            for argument in &given.args {
                if !matches!(argument, GenericArgument::Lifetime(_)) {
                    arguments.push(self.argument(argument, false, context, infer)?);
                }
            }
        }
        if let Some(ty) = Ty::atomic(name) {
            return Ok(Ty::Atomic(Box::new(ty)));
        }
        let mut arguments = arguments.into_iter();
        let start = span(path).start;
        let mut next = |infer: &mut Option<&mut Infer>| {
            let given = arguments.next();
            given.or_else(|| infer.as_mut().map(|infer| infer.fresh(start, false)))
        };
        let ty = match name {
            "Ordering" => Some(Ty::Ordering),
            // Which number did not fit makes no difference.
            "PhantomData" | "TryFromIntError" => Some(Ty::Unit),
            "Scope" => Some(Ty::Scope),
            "Thread" => Some(Ty::Thread),
            "Arc" => next(infer).map(|ty| Ty::pointer(Ptr::Arc, ty)),
            "Rc" => next(infer).map(|ty| Ty::pointer(Ptr::Rc, ty)),
            "NonNull" => next(infer).map(|ty| Ty::pointer(Ptr::NonNull, ty)),
            "ManuallyDrop" => next(infer).map(|ty| Ty::Slot(Slot::Manual, Box::new(ty))),
            "MaybeUninit" => next(infer).map(|ty| Ty::Slot(Slot::Uninit, Box::new(ty))),
            "Box" => next(infer).map(|ty| Ty::pointer(Ptr::Box, ty)),
            "AtomicPtr" => next(infer).map(|ty| Ty::Atomic(Box::new(Ty::pointer(Ptr::Raw, ty)))),
            "Mutex" => next(infer).map(|ty| Ty::Mutex(Box::new(ty))),
            "RwLock" => next(infer).map(|ty| Ty::RwLock(Box::new(ty))),
            "MutexGuard" => next(infer).map(|ty| Ty::Guard(Held::Mutex, Box::new(ty))),
            "RwLockReadGuard" => next(infer).map(|ty| Ty::Guard(Held::Read, Box::new(ty))),
            "RwLockWriteGuard" => next(infer).map(|ty| Ty::Guard(Held::Write, Box::new(ty))),
            "Condvar" => Some(Ty::Condvar),
            "UnsafeCell" => next(infer).map(|ty| Ty::Cell(Box::new(ty))),
            "Cell" => next(infer).map(|ty| Ty::Slot(Slot::Cell, Box::new(ty))),
            "JoinHandle" | "ScopedJoinHandle" => next(infer).map(|ty| Ty::Handle(Box::new(ty))),
            "String" => Some(Ty::Text),
            _ => None,
        };
        ty.ok_or_else(|| {
            self.refuse(
                format!("the type `{name}` is not supported"),
                span(path),
                match name {
                    "Once" | "OnceLock" | "Barrier" => {
                        "write it with atomics or a `Mutex`"
                    }
                    _ => {
                        "booleans, integers, atomics, `Arc`, `Mutex`, `UnsafeCell`, `Option`, `Result`, \
                         arrays and structures of these are"
                    }
                },
            )
        })
    }

    /// The numbers of the variants of an enumeration.
    pub(super) fn variants(&mut self, id: usize) -> Res<Vec<i32>> {
        let names = self.names;
        let of = &names.adts[id];
        let AdtItem::Enum(item) = of.item else {
            return Ok(Vec::new());
        };
        let context = Context {
            module: of.module,
            ..Context::default()
        };
        let mut next = 0_i128;
        let mut numbers = Vec::new();
        for variant in &item.variants {
            if !self.is_there(&variant.attrs)? {
                // Nothing names it, and variants are known by their positions.
                numbers.push(0);
                continue;
            }
            if let Some((_, e)) = &variant.discriminant {
                next = self.constant(e, &context)?;
            }
            let Ok(number) = i32::try_from(next) else {
                return Err(self.error(
                    format!("the number {next} of this variant is not supported"),
                    span(variant),
                ));
            };
            numbers.push(number);
            next += 1;
        }
        Ok(numbers)
    }
}

/// `[T]` in `Box<[T]>`
fn slice_given(given: Option<&PathArguments>) -> Option<&syn::TypeSlice> {
    let Some(PathArguments::AngleBracketed(given)) = given else {
        return None;
    };
    match given.args.first() {
        Some(GenericArgument::Type(syn::Type::Slice(of))) => Some(of),
        _ => None,
    }
}

/// Whether a type is `str`.
fn is_str(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(of) if of.path.is_ident("str"))
}
