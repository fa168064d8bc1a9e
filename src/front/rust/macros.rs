//! The arguments of macros, read before everything else.

use super::source::span;
use proc_macro2::TokenStream;
use std::collections::BTreeMap;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, Pat, Token};

/// The arguments of a macro.
pub(super) enum Arguments {
    List(Vec<Expr>),
    /// `matches!(e, p)`
    Matches(Box<Expr>, Box<Pat>),
    /// What they are is not known.
    Other,
}

/// The arguments of all macros, by the positions of their names.
#[derive(Default)]
pub(super) struct Macros(BTreeMap<usize, Arguments>);

impl Macros {
    pub(super) fn of(files: &[syn::File], library: &syn::File) -> Self {
        let mut all = Self::default();
        let mut open = Open::default();
        for file in files.iter().chain([library]) {
            open.visit_file(file);
        }
        while let Some((start, name, tokens)) = open.0.pop() {
            let arguments = arguments(&name, tokens);
            match &arguments {
                Arguments::List(list) => list.iter().for_each(|e| open.visit_expr(e)),
                Arguments::Matches(e, pattern) => {
                    open.visit_expr(e);
                    open.visit_pat(pattern);
                }
                Arguments::Other => {}
            }
            all.0.insert(start, arguments);
        }
        all
    }

    pub(super) fn get(&self, of: &syn::Macro) -> Option<&Arguments> {
        self.0.get(&span(&of.path).start)
    }
}

/// The macros that were found and not read: where, their names and tokens.
#[derive(Default)]
struct Open(Vec<(usize, String, TokenStream)>);

impl<'f> Visit<'f> for Open {
    fn visit_macro(&mut self, of: &'f syn::Macro) {
        let name = of.path.segments.last().map(|last| last.ident.to_string());
        let start = span(&of.path).start;
        self.0
            .push((start, name.unwrap_or_default(), of.tokens.clone()));
        visit::visit_macro(self, of);
    }
}

fn arguments(name: &str, tokens: TokenStream) -> Arguments {
    if name == "matches" {
        struct Both(Expr, Pat);
        impl Parse for Both {
            fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
                let e = input.parse()?;
                input.parse::<Token![,]>()?;
                let pattern = Pat::parse_multi_with_leading_vert(input)?;
                let _: Option<Token![,]> = input.parse()?;
                Ok(Both(e, pattern))
            }
        }
        return match syn::parse2::<Both>(tokens) {
            Ok(Both(e, pattern)) => Arguments::Matches(Box::new(e), Box::new(pattern)),
            Err(_) => Arguments::Other,
        };
    }
    let list = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens);
    list.map_or(Arguments::Other, |list| {
        Arguments::List(list.into_iter().collect())
    })
}
