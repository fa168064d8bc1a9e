//! `thread_local!`: the statics that each thread has of its own.
//!
//! The macro of `std` makes a static and a function of each of them: the function yields the value that a thread's own one
//! gets where the thread first mentions it.

use super::source::span;
use std::collections::BTreeMap;
use syn::parse::{Parse, ParseStream, Parser};
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Token};

/// A static that each thread has of its own.
pub(super) struct Local {
    /// It has the attribute `thread_local`, and the type of the value.
    pub(super) item: syn::ItemStatic,
    /// What makes the value.
    pub(super) initial: syn::ItemFn,
}

/// Those of all files, by where the macros are called.
#[derive(Default)]
pub(super) struct Locals(BTreeMap<usize, Vec<Local>>);

impl Locals {
    pub(super) fn of(files: &[syn::File]) -> Self {
        let mut all = Self::default();
        for file in files {
            all.visit_file(file);
        }
        all
    }

    /// What makes the first value of a static, if it is one of them.
    pub(super) fn initial(&self, of: &syn::ItemStatic) -> Option<&syn::ItemFn> {
        let start = span(&of.ident).start;
        let mut all = self.all();
        let found = all.find(|local| span(&local.item.ident).start == start);
        found.map(|local| &local.initial)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Local> {
        self.0.values().flatten()
    }

    /// What a call of a macro defines; `None` if it is another macro, or is not understood.
    pub(super) fn get(&self, of: &syn::Macro) -> Option<&[Local]> {
        self.0.get(&span(&of.path).start).map(Vec::as_slice)
    }
}

impl<'a> Visit<'a> for Locals {
    fn visit_macro(&mut self, of: &'a syn::Macro) {
        let is_one = of
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == "thread_local");
        if is_one && let Ok(all) = locals.parse2(of.tokens.clone()) {
            self.0.insert(span(&of.path).start, all);
        }
        visit::visit_macro(self, of);
    }
}

fn locals(input: ParseStream<'_>) -> syn::Result<Vec<Local>> {
    let mut all = Vec::new();
    while !input.is_empty() {
        all.push(input.parse()?);
    }
    Ok(all)
}

impl Parse for Local {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut attrs = input.call(Attribute::parse_outer)?;
        let vis: syn::Visibility = input.parse()?;
        let static_token: Token![static] = input.parse()?;
        let ident: syn::Ident = input.parse()?;
        let colon_token: Token![:] = input.parse()?;
        let ty: syn::Type = input.parse()?;
        let eq_token: Token![=] = input.parse()?;
        let value: Expr = input.parse()?;
        let end: Option<Token![;]> = input.parse()?;
        let at = ident.span();
        let block = match &value {
            Expr::Const(of) => of.block.clone(),
            _ => syn::Block {
                brace_token: syn::token::Brace(at),
                stmts: vec![syn::Stmt::Expr(value.clone(), None)],
            },
        };
        let own = syn::Path::from(syn::Ident::new("thread_local", at));
        attrs.push(Attribute {
            pound_token: Token![#](at),
            style: syn::AttrStyle::Outer,
            bracket_token: syn::token::Bracket(at),
            meta: syn::Meta::Path(own),
        });
        let initial = syn::ItemFn {
            attrs: Vec::new(),
            vis: syn::Visibility::Inherited,
            sig: syn::Signature {
                constness: None,
                asyncness: None,
                unsafety: None,
                abi: None,
                fn_token: Token![fn](at),
                ident: ident.clone(),
                generics: syn::Generics::default(),
                paren_token: syn::token::Paren(at),
                inputs: syn::punctuated::Punctuated::new(),
                variadic: None,
                output: syn::ReturnType::Type(Token![->](at), Box::new(ty.clone())),
            },
            block: Box::new(block),
        };
        let item = syn::ItemStatic {
            attrs,
            vis,
            static_token,
            mutability: syn::StaticMutability::None,
            ident,
            colon_token,
            ty: Box::new(ty),
            eq_token,
            expr: Box::new(value),
            semi_token: end.unwrap_or(Token![;](at)),
        };
        Ok(Local { item, initial })
    }
}
