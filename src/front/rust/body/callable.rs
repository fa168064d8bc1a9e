//! Which parameters are called: closures and functions.

/// Whether a parameter is what is called: a closure or a function.
pub(super) fn is_callable(of: &syn::Signature, input: &syn::FnArg) -> bool {
    match input {
        syn::FnArg::Receiver(_) => false,
        syn::FnArg::Typed(input) => is_callable_type(of, &input.ty),
    }
}

fn is_callable_type(of: &syn::Signature, ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Reference(ty) => is_callable_type(of, &ty.elem),
        syn::Type::Paren(ty) => is_callable_type(of, &ty.elem),
        syn::Type::Group(ty) => is_callable_type(of, &ty.elem),
        syn::Type::ImplTrait(ty) => ty.bounds.iter().any(is_call),
        syn::Type::TraitObject(ty) => ty.bounds.iter().any(is_call),
        syn::Type::BareFn(_) => true,
        syn::Type::Path(ty) => {
            let Some(name) = ty.path.get_ident() else {
                return false;
            };
            let bounded = of
                .generics
                .type_params()
                .any(|parameter| parameter.ident == *name && parameter.bounds.iter().any(is_call));
            let clauses = of.generics.where_clause.iter();
            let mut clauses = clauses.flat_map(|clause| &clause.predicates);
            bounded || clauses.any(|clause| match clause {
                syn::WherePredicate::Type(clause) => {
                    let own =
                        matches!(&clause.bounded_ty, syn::Type::Path(of) if of.path.is_ident(name));
                    own && clause.bounds.iter().any(is_call)
                }
                _ => false,
            })
        }
        _ => false,
    }
}

/// `FnOnce(…) -> …` and its like
fn is_call(bound: &syn::TypeParamBound) -> bool {
    match bound {
        syn::TypeParamBound::Trait(of) => {
            let last = of.path.segments.last();
            last.is_some_and(|last| {
                ["Fn", "FnMut", "FnOnce"]
                    .iter()
                    .any(|name| last.ident == name)
            })
        }
        _ => false,
    }
}
