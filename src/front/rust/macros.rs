//! The arguments of macros, read before everything else.

use super::expand::Positions;
use super::locals::Locals;
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
    /// `matches!(e, p)`, perhaps with a condition.
    Matches(Box<Expr>, Box<Pat>, Option<Box<Expr>>),
    /// `vec![e; n]`
    Repeat(Box<Expr>, Box<Expr>),
    /// What they are is not known.
    Other,
}

/// The arguments of all macros.
pub(super) struct Macros<'p> {
    /// By the positions of their names.
    arguments: BTreeMap<usize, Arguments>,
    positions: &'p Positions,
}

impl<'p> Macros<'p> {
    pub(super) fn of(
        files: &[syn::File],
        library: &syn::File,
        locals: &Locals,
        positions: &'p Positions,
    ) -> Self {
        let mut all = Self {
            arguments: BTreeMap::new(),
            positions,
        };
        let mut open = Open::default();
        for file in files.iter().chain([library]) {
            open.visit_file(file);
        }
        for local in locals.all() {
            open.visit_item_fn(&local.initial);
        }
        while let Some((start, name, tokens)) = open.0.pop() {
            let arguments = arguments(&name, tokens);
            match &arguments {
                Arguments::List(list) => {
                    for e in list {
                        open.visit_expr(e);
                    }
                }
                Arguments::Matches(e, pattern, guard) => {
                    open.visit_expr(e);
                    open.visit_pat(pattern);
                    if let Some(guard) = guard {
                        open.visit_expr(guard);
                    }
                }
                Arguments::Repeat(value, length) => {
                    open.visit_expr(value);
                    open.visit_expr(length);
                }
                Arguments::Other => {}
            }
            all.arguments.insert(start, arguments);
        }
        all
    }

    pub(super) fn get(&self, of: &syn::Macro) -> Option<&Arguments> {
        self.arguments.get(&span(&of.path).start)
    }

    /// Why a macro of the file is not expanded.
    pub(super) fn reason(&self, of: &syn::Macro) -> Option<&str> {
        let name = of.path.segments.last()?;
        self.positions.reason(&span(&name.ident))
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
        struct Both(Expr, Pat, Option<Box<Expr>>);
        impl Parse for Both {
            fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
                let e = input.parse()?;
                input.parse::<Token![,]>()?;
                let pattern = Pat::parse_multi_with_leading_vert(input)?;
                let guard = match input.parse::<Option<Token![if]>>()? {
                    Some(_) => Some(Box::new(input.parse()?)),
                    None => None,
                };
                let _: Option<Token![,]> = input.parse()?;
                Ok(Both(e, pattern, guard))
            }
        }
        return match syn::parse2::<Both>(tokens) {
            Ok(Both(e, pattern, guard)) => {
                Arguments::Matches(Box::new(e), Box::new(pattern), guard)
            }
            Err(_) => Arguments::Other,
        };
    }
    if name == "vec" {
        let both = |input: ParseStream<'_>| {
            let value: Expr = input.parse()?;
            input.parse::<Token![;]>()?;
            let length: Expr = input.parse()?;
            Ok((value, length))
        };
        if let Ok((value, length)) = both.parse2(tokens.clone()) {
            return Arguments::Repeat(Box::new(value), Box::new(length));
        }
    }
    let list = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens);
    list.map_or(Arguments::Other, |list| {
        Arguments::List(list.into_iter().collect())
    })
}
