//! Where macros are defined and called in a part of the language.

use crate::rust::source::span;
use crate::text::Span;
use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Expr, Pat, Token};

/// A part of the language that a macro may stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Items,
    /// What an `impl` has, or a trait.
    Members,
    TraitMembers,
    Statements,
    Expr,
    Pat,
    Type,
}

impl Part {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Items => "items",
            Self::Members | Self::TraitMembers => "items of an `impl` or a trait",
            Self::Statements => "statements",
            Self::Expr => "an expression",
            Self::Pat => "a pattern",
            Self::Type => "a type",
        }
    }
}

/// What matters for macros, in the order of the text.
pub(super) enum Event {
    /// What is in a block or a module.
    Scope(Scope),
    Definition(Definition),
    Call(Call),
    Import(Import),
    Outside(Outside),
}

/// A module whose items are in another file.
pub(super) struct Outside {
    pub(super) name: Span,
    pub(super) semicolon: Span,
    pub(super) keeps: bool,
    pub(super) conditions: Vec<Attribute>,
}

/// `use`, or `extern crate`.
pub(super) struct Import {
    /// What each name stands for.
    pub(super) names: Vec<(String, Vec<String>)>,
    /// That of which everything is imported.
    pub(super) globs: Vec<Vec<String>>,
    /// The crate whose macros are known everywhere: `#[macro_use] extern crate x;`
    pub(super) everywhere: Option<String>,
    pub(super) conditions: Vec<Attribute>,
}

pub(super) struct Scope {
    /// Whether it is a module, in which names of imports around it are not known.
    pub(super) is_module: bool,
    /// The name of the module.
    pub(super) name: Option<Span>,
    /// Whether its macros are visible afterwards.
    pub(super) keeps: bool,
    pub(super) conditions: Vec<Attribute>,
    pub(super) inside: Vec<Event>,
}

pub(super) struct Definition {
    pub(super) name: Span,
    /// The tokens in its brackets.
    pub(super) rules: Span,
    /// Whether other crates can name it: `#[macro_export]`
    pub(super) is_exported: bool,
    pub(super) conditions: Vec<Attribute>,
}

pub(super) struct Call {
    pub(super) part: Part,
    /// All of it, with its attributes, without a semicolon.
    pub(super) whole: Span,
    pub(super) path: Vec<String>,
    pub(super) name: Span,
    /// From bracket to bracket.
    pub(super) arguments: Span,
    pub(super) semicolon: Option<Span>,
    pub(super) conditions: Vec<Attribute>,
    /// What matters in the arguments if the macro is one that is known.
    pub(super) inside: Vec<Event>,
}

/// What matters in a part of the language.
///
/// # Errors
///
/// Why it is none.
pub(super) fn events(part: Part, text: &str) -> syn::Result<Vec<Event>> {
    let mut found = Found::default();
    let stream: TokenStream = text.parse()?;
    match part {
        Part::Items => {
            let file = syn::parse2::<syn::File>(stream)?;
            found.visit_file(&file);
        }
        Part::Members => {
            let items = all::<syn::ImplItem>.parse2(stream)?;
            for item in &items {
                found.visit_impl_item(item);
            }
        }
        Part::TraitMembers => {
            let items = all::<syn::TraitItem>.parse2(stream)?;
            for item in &items {
                found.visit_trait_item(item);
            }
        }
        Part::Statements => {
            let stmts = Block::parse_within.parse2(stream)?;
            let (last, first) = match stmts.split_last() {
                // A call at the end of what a macro writes is a statement there.
                Some((syn::Stmt::Expr(Expr::Macro(of), None), first)) => (Some(of), first),
                Some(_) | None => (None, &stmts[..]),
            };
            for stmt in first {
                found.visit_stmt(stmt);
            }
            if let Some(of) = last {
                found.call(Part::Statements, &of.mac, &of.attrs, None);
            }
        }
        Part::Expr => found.visit_expr(&syn::parse2(stream)?),
        Part::Pat => found.visit_pat(&Pat::parse_multi_with_leading_vert.parse2(stream)?),
        Part::Type => found.visit_type(&syn::parse2(stream)?),
    }
    Ok(found.events)
}

fn all<T: syn::parse::Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    let mut items = Vec::new();
    while !input.is_empty() {
        items.push(input.parse()?);
    }
    Ok(items)
}

/// How the last statement of several ends, which need a semicolon after them.
pub(super) fn wants_semicolon(text: &str) -> bool {
    let stream: Result<TokenStream, _> = text.parse();
    let stmts = stream.ok().map(|stream| Block::parse_within.parse2(stream));
    let last = stmts.and_then(|stmts| stmts.ok()?.pop());
    match last {
        Some(syn::Stmt::Expr(_, semicolon)) => semicolon.is_none(),
        Some(syn::Stmt::Macro(of)) => of.semi_token.is_none(),
        Some(syn::Stmt::Local(_) | syn::Stmt::Item(_)) | None => false,
    }
}

#[derive(Default)]
struct Found {
    events: Vec<Event>,
}

impl Found {
    fn scope(
        &mut self,
        (name, keeps): (Option<Span>, bool),
        attributes: &[Attribute],
        visit: impl FnOnce(&mut Self),
    ) {
        let around = std::mem::take(&mut self.events);
        visit(self);
        let inside = std::mem::replace(&mut self.events, around);
        self.events.push(Event::Scope(Scope {
            is_module: name.is_some(),
            name,
            keeps,
            conditions: attributes.to_vec(),
            inside,
        }));
    }

    fn call(
        &mut self,
        part: Part,
        of: &syn::Macro,
        attributes: &[Attribute],
        semicolon: Option<&Token![;]>,
    ) {
        let inside = inside(of);
        let (open, close) = match &of.delimiter {
            syn::MacroDelimiter::Paren(of) => (of.span.open(), of.span.close()),
            syn::MacroDelimiter::Brace(of) => (of.span.open(), of.span.close()),
            syn::MacroDelimiter::Bracket(of) => (of.span.open(), of.span.close()),
        };
        let path = span(&of.path);
        let start = attributes.first().map_or(path.start, |one| span(one).start);
        let arguments = open.byte_range().start..close.byte_range().end;
        let words = of.path.segments.iter().map(|one| one.ident.to_string());
        let name = of.path.segments.last().map(|last| span(&last.ident));
        self.events.push(Event::Call(Call {
            part,
            whole: start..arguments.end,
            path: words.collect(),
            name: name.unwrap_or(path),
            arguments,
            semicolon: semicolon.map(span),
            conditions: attributes.to_vec(),
            inside,
        }));
    }
}

/// Whether there is an attribute of this name, also in `cfg_attr`, whose condition is not looked at: a macro that is visible
/// in too many places hides none that would be there instead.
fn has(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|one| {
        let metas = Punctuated::<syn::Meta, Token![,]>::parse_terminated;
        one.path().is_ident(name)
            || one.path().is_ident("cfg_attr")
                && one
                    .parse_args_with(metas)
                    .is_ok_and(|metas| metas.iter().skip(1).any(|meta| meta.path().is_ident(name)))
    })
}

/// What a tree of `use` imports.
fn imported(tree: &syn::UseTree, path: &mut Vec<String>, import: &mut Import) {
    let with = |path: &[String], last: &syn::Ident| {
        let mut path = path.to_vec();
        if last != "self" || path.is_empty() {
            path.push(last.to_string());
        }
        path
    };
    match tree {
        syn::UseTree::Path(of) => {
            path.push(of.ident.to_string());
            imported(&of.tree, path, import);
            path.pop();
        }
        syn::UseTree::Name(of) => {
            let path = with(path, &of.ident);
            import
                .names
                .extend(path.last().cloned().map(|name| (name, path)));
        }
        syn::UseTree::Rename(of) => {
            import
                .names
                .push((of.rename.to_string(), with(path, &of.ident)));
        }
        syn::UseTree::Glob(_) => import.globs.push(path.clone()),
        syn::UseTree::Group(of) => {
            for tree in &of.items {
                imported(tree, path, import);
            }
        }
    }
}

/// What matters in the arguments of a macro of the standard library.
fn inside(of: &syn::Macro) -> Vec<Event> {
    let mut found = Found::default();
    match arguments(of) {
        Some(Arguments::List(list)) => {
            for e in &list {
                found.visit_expr(e);
            }
        }
        Some(Arguments::Matches(of)) => {
            let (e, pattern, guard) = *of;
            found.visit_expr(&e);
            found.visit_pat(&pattern);
            if let Some(e) = &guard {
                found.visit_expr(e);
            }
        }
        None => {}
    }
    found.events
}

/// The arguments of a macro of the standard library.
pub(super) enum Arguments {
    List(Vec<Expr>),
    /// `matches!(e, p if g)`
    Matches(Box<(Expr, Pat, Option<Expr>)>),
}

pub(super) fn arguments(of: &syn::Macro) -> Option<Arguments> {
    let commas = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(of.tokens.clone());
    if let Ok(list) = commas {
        return Some(Arguments::List(list.into_iter().collect()));
    }
    let semicolons = Punctuated::<Expr, Token![;]>::parse_terminated.parse2(of.tokens.clone());
    if let Ok(list) = semicolons {
        return Some(Arguments::List(list.into_iter().collect()));
    }
    let matches = |input: ParseStream<'_>| {
        let e = input.parse::<Expr>()?;
        input.parse::<Token![,]>()?;
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        let guard = match input.parse::<Option<Token![if]>>()? {
            Some(_) => Some(input.parse::<Expr>()?),
            None => None,
        };
        input.parse::<Option<Token![,]>>()?;
        Ok(Arguments::Matches(Box::new((e, pattern, guard))))
    };
    matches.parse2(of.tokens.clone()).ok()
}

impl<'f> Visit<'f> for Found {
    fn visit_block(&mut self, block: &'f Block) {
        self.scope((None, false), &[], |this| visit::visit_block(this, block));
    }

    fn visit_item_mod(&mut self, module: &'f syn::ItemMod) {
        let keeps = has(&module.attrs, "macro_use");
        let name = span(&module.ident);
        if let Some(semicolon) = &module.semi {
            self.events.push(Event::Outside(Outside {
                name,
                semicolon: span(semicolon),
                keeps,
                conditions: module.attrs.clone(),
            }));
            return;
        }
        self.scope((Some(name), keeps), &module.attrs, |this| {
            visit::visit_item_mod(this, module);
        });
    }

    fn visit_item_macro(&mut self, item: &'f syn::ItemMacro) {
        match &item.ident {
            Some(name) if item.mac.path.is_ident("macro_rules") => {
                let rules = item.mac.tokens.clone().into_iter();
                let mut rules = rules.map(|tree| tree.span().byte_range());
                let first = rules.next();
                let last = rules.last().or_else(|| first.clone());
                let rules = first.zip(last).map(|(first, last)| first.start..last.end);
                self.events.push(Event::Definition(Definition {
                    name: span(name),
                    rules: rules.unwrap_or(0..0),
                    is_exported: has(&item.attrs, "macro_export"),
                    conditions: item.attrs.clone(),
                }));
            }
            Some(_) => {}
            None => {
                let semicolon = item.semi_token.as_ref();
                self.call(Part::Items, &item.mac, &item.attrs, semicolon);
            }
        }
    }

    fn visit_item_use(&mut self, item: &'f syn::ItemUse) {
        let mut import = Import {
            names: Vec::new(),
            globs: Vec::new(),
            everywhere: None,
            conditions: item.attrs.clone(),
        };
        imported(&item.tree, &mut Vec::new(), &mut import);
        self.events.push(Event::Import(import));
    }

    fn visit_item_extern_crate(&mut self, item: &'f syn::ItemExternCrate) {
        let name = item.ident.to_string();
        let own = item.rename.as_ref().map(|(_, own)| own.to_string());
        let names = own.map(|own| (own, vec![name.clone()]));
        self.events.push(Event::Import(Import {
            names: names.into_iter().collect(),
            globs: Vec::new(),
            everywhere: has(&item.attrs, "macro_use").then_some(name),
            conditions: item.attrs.clone(),
        }));
    }

    fn visit_stmt_macro(&mut self, of: &'f syn::StmtMacro) {
        self.call(Part::Statements, &of.mac, &of.attrs, of.semi_token.as_ref());
    }

    fn visit_expr_macro(&mut self, of: &'f syn::ExprMacro) {
        self.call(Part::Expr, &of.mac, &of.attrs, None);
    }

    fn visit_pat(&mut self, pattern: &'f Pat) {
        match pattern {
            Pat::Macro(of) => self.call(Part::Pat, &of.mac, &of.attrs, None),
            _ => visit::visit_pat(self, pattern),
        }
    }

    fn visit_type_macro(&mut self, of: &'f syn::TypeMacro) {
        self.call(Part::Type, &of.mac, &[], None);
    }

    fn visit_impl_item_macro(&mut self, of: &'f syn::ImplItemMacro) {
        self.call(Part::Members, &of.mac, &of.attrs, of.semi_token.as_ref());
    }

    fn visit_trait_item_macro(&mut self, of: &'f syn::TraitItemMacro) {
        let semicolon = of.semi_token.as_ref();
        self.call(Part::TraitMembers, &of.mac, &of.attrs, semicolon);
    }
}
