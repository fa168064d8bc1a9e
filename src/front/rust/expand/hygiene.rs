//! Names of local variables and labels that macros write are others than those of the user.
//!
//! ```text
//!     macro_rules! twice { ($e:expr) => { { let x = $e; x + x } } }
//!     let x = 1;                          let x = 1;
//!     let y = twice!(x + 1);      →       let y = { let x·1 = x + 1; x·1 + x·1 };
//! ```
//!
//! A name is looked up with its mark, from the inside to the outside, and loses the mark of an expansion
//! where the macro of that expansion is defined: so a macro sees the variables around its definition. This is
//! how the compiler does it. Variables that macros declare get names of their own, and so do those that
//! would catch a name which means another one, or an item. All other names are those of items, fields, types and
//! methods, which have no marks.
//!
//! Whether a name in a pattern declares a variable depends on whether it is that of a constant: those of
//! the file are known, and names such as `Some` are taken for variants.

use super::marks::{Mark, Marks};
use super::syntax::{Arguments, arguments};
use super::token::{Kind, Tag, Token, Written};
use super::transcribe::is_name;
use crate::rust::source::span;
use crate::text::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use syn::visit::{self, Visit};
use syn::{Expr, Item, Pat};

/// The tokens of a file in which each name means one thing; `None` if they are no file.
pub(super) fn named_apart(tokens: Vec<Token>, marks: &Marks) -> Option<Vec<Token>> {
    let written = Written::of(&tokens);
    let file = syn::parse_file(&written.text).ok()?;
    let mut constants = Constants::default();
    constants.visit_file(&file);
    let mut resolver = Resolver {
        tokens: &tokens,
        written: &written,
        marks,
        constants: constants.0,
        ribs: Vec::new(),
        variables: Vec::new(),
    };
    resolver.visit_file(&file);
    let variables = resolver.variables;
    Some(renamed(tokens, variables))
}

/// The character before the number in the name of a variable of a macro.
const APART: char = '·';

/// The name of a variable as its macro writes it.
pub(in crate::rust) fn without_number(name: &str) -> &str {
    name.split(APART).next().unwrap_or(name)
}

fn renamed(mut tokens: Vec<Token>, variables: Vec<Variable>) -> Vec<Token> {
    let words: BTreeSet<Rc<str>> = tokens.iter().map(|token| token.text.clone()).collect();
    let mut insertions: BTreeMap<usize, Vec<Token>> = BTreeMap::new();
    let mut number = 0;
    for variable in variables.iter().filter(|one| one.renamed) {
        let name: Rc<str> = loop {
            number += 1;
            let name: Rc<str> = format!("{}{APART}{number}", variable.name).into();
            if !words.contains(&name) {
                break name;
            }
        };
        for one in &variable.uses {
            if let Some(before) = one.field {
                let field = Token {
                    kind: Kind::Word,
                    begins: tokens[before].begins.clone(),
                    ..tokens[one.token].clone()
                };
                let colon = Token {
                    kind: Kind::Punct,
                    text: ":".into(),
                    begins: Vec::new(),
                    ..field.clone()
                };
                insertions.insert(before, vec![field, colon]);
            }
        }
        for one in &variable.uses {
            tokens[one.token].text = name.clone();
        }
    }
    if insertions.is_empty() {
        return tokens;
    }
    let mut made = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.into_iter().enumerate() {
        made.extend(insertions.remove(&at).into_iter().flatten());
        made.push(token);
    }
    made
}

/// The names that are constants in patterns.
#[derive(Default)]
struct Constants(BTreeSet<String>);

impl<'f> Visit<'f> for Constants {
    fn visit_item_const(&mut self, item: &'f syn::ItemConst) {
        self.0.insert(item.ident.to_string());
        visit::visit_item_const(self, item);
    }

    fn visit_item_static(&mut self, item: &'f syn::ItemStatic) {
        self.0.insert(item.ident.to_string());
        visit::visit_item_static(self, item);
    }

    fn visit_item_struct(&mut self, item: &'f syn::ItemStruct) {
        if matches!(item.fields, syn::Fields::Unit) {
            self.0.insert(item.ident.to_string());
        }
    }

    fn visit_variant(&mut self, variant: &'f syn::Variant) {
        self.0.insert(variant.ident.to_string());
        visit::visit_variant(self, variant);
    }
}

/// A variable or a label.
struct Variable {
    name: Rc<str>,
    mark: Mark,
    /// Where it is declared and used.
    uses: Vec<Use>,
    renamed: bool,
}

struct Use {
    token: usize,
    /// If it is the name of a field, too: where that has to be written.
    field: Option<usize>,
}

enum Rib {
    Names(Vec<usize>),
    /// A macro is defined here.
    Definition(usize),
    /// Variables outside are not visible.
    Item,
}

struct Resolver<'r> {
    tokens: &'r [Token],
    written: &'r Written,
    marks: &'r Marks,
    constants: BTreeSet<String>,
    ribs: Vec<Rib>,
    variables: Vec<Variable>,
}

impl Resolver<'_> {
    fn token(&self, span: &Span) -> Option<usize> {
        let range = self
            .written
            .ranges
            .partition_point(|range| range.end <= span.start);
        let token = self.tokens.get(range)?;
        is_name(token).then_some(range)
    }

    /// The variables that a name may mean, and their marks, the nearest first.
    fn lookup(&self, name: &str, mark: Mark) -> Option<usize> {
        let mut mark = mark;
        for rib in self.ribs.iter().rev() {
            match rib {
                Rib::Names(all) => {
                    let found = all.iter().rev().find(|&&one| {
                        let one = &self.variables[one];
                        *one.name == *name && one.mark == mark
                    });
                    if let Some(found) = found {
                        return Some(*found);
                    }
                }
                Rib::Definition(number) => {
                    if let Some((before, definition)) = self.marks.last(mark)
                        && definition == *number
                    {
                        mark = before;
                    }
                }
                Rib::Item => return None,
            }
        }
        None
    }

    /// A name is used here.
    fn refer(&mut self, at: usize, field: Option<usize>) {
        let (name, mark) = (self.tokens[at].text.clone(), self.tokens[at].mark);
        if let Some(found) = self.lookup(&name, mark) {
            let variable = &mut self.variables[found];
            variable.renamed |= variable.mark != mark;
            variable.uses.push(Use { token: at, field });
            return;
        }
        if mark == Mark::default() {
            return;
        }
        // It is an item: no variable may catch it.
        for rib in self.ribs.iter().rev() {
            match rib {
                Rib::Names(all) => {
                    for one in all {
                        let variable = &mut self.variables[*one];
                        variable.renamed |= variable.name == name;
                    }
                }
                Rib::Definition(_) => {}
                Rib::Item => return,
            }
        }
    }

    fn declare(&mut self, found: Vec<Use>) {
        let first = self.variables.len();
        for one in found {
            let (name, mark) = (
                self.tokens[one.token].text.clone(),
                self.tokens[one.token].mark,
            );
            // Alternatives of one pattern declare the same variables.
            let mut same = self.variables[first..].iter_mut();
            match same.find(|own| own.name == name && own.mark == mark) {
                Some(own) => own.uses.push(one),
                None => self.variables.push(Variable {
                    name,
                    mark,
                    uses: vec![one],
                    renamed: mark != Mark::default(),
                }),
            }
        }
        let all = first..self.variables.len();
        self.ribs.push(Rib::Names(all.collect()));
    }

    /// Declares the variables of patterns.
    fn patterns<'p>(&mut self, patterns: impl IntoIterator<Item = &'p Pat>) {
        let mut found = Vec::new();
        for pattern in patterns {
            let mut declared = Declared {
                resolver: self,
                found: Vec::new(),
            };
            declared.visit_pat(pattern);
            found.extend(declared.found);
        }
        self.declare(found);
    }

    fn label(&mut self, label: Option<&syn::Label>) {
        let token = label.and_then(|label| self.token(&lifetime(&label.name)));
        let token = token.map(|token| Use { token, field: None });
        self.declare(token.into_iter().collect());
    }

    fn jump(&mut self, label: Option<&syn::Lifetime>) {
        if let Some(token) = label.and_then(|label| self.token(&lifetime(label))) {
            self.refer(token, None);
        }
    }

    fn within(&mut self, visit: impl FnOnce(&mut Self)) {
        let around = self.ribs.len();
        visit(self);
        self.ribs.truncate(around);
    }

    fn function(&mut self, sig: &syn::Signature, block: &syn::Block) {
        self.within(|this| {
            this.ribs.push(Rib::Item);
            this.visit_signature(sig);
            let patterns = sig.inputs.iter().filter_map(|input| match input {
                syn::FnArg::Typed(input) => Some(&*input.pat),
                syn::FnArg::Receiver(_) => None,
            });
            this.patterns(patterns);
            this.visit_block(block);
        });
    }
}

fn lifetime(of: &syn::Lifetime) -> Span {
    span(of)
}

impl<'f> Visit<'f> for Resolver<'_> {
    fn visit_attribute(&mut self, _: &'f syn::Attribute) {}

    fn visit_item(&mut self, item: &'f Item) {
        if let Item::Macro(of) = item {
            let token = of.ident.as_ref().and_then(|name| self.token(&span(name)));
            if let Some(Tag::Definition(number)) = token.and_then(|at| self.tokens[at].tag.as_ref())
            {
                self.ribs.push(Rib::Definition(*number));
            }
            return;
        }
        self.within(|this| {
            this.ribs.push(Rib::Item);
            visit::visit_item(this, item);
        });
    }

    fn visit_item_fn(&mut self, item: &'f syn::ItemFn) {
        self.function(&item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'f syn::ImplItemFn) {
        self.function(&item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'f syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block);
        }
    }

    fn visit_block(&mut self, block: &'f syn::Block) {
        self.within(|this| visit::visit_block(this, block));
    }

    fn visit_local(&mut self, local: &'f syn::Local) {
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            if let Some((_, otherwise)) = &init.diverge {
                self.visit_expr(otherwise);
            }
        }
        self.visit_pat(&local.pat);
        self.patterns([&local.pat]);
    }

    fn visit_expr_closure(&mut self, e: &'f syn::ExprClosure) {
        self.within(|this| {
            this.patterns(&e.inputs);
            this.visit_expr(&e.body);
        });
    }

    fn visit_arm(&mut self, arm: &'f syn::Arm) {
        self.within(|this| {
            this.visit_pat(&arm.pat);
            this.patterns([&arm.pat]);
            if let Some((_, guard)) = &arm.guard {
                this.visit_expr(guard);
            }
            this.visit_expr(&arm.body);
        });
    }

    fn visit_expr_let(&mut self, e: &'f syn::ExprLet) {
        self.visit_expr(&e.expr);
        self.visit_pat(&e.pat);
        self.patterns([&*e.pat]);
    }

    fn visit_expr_if(&mut self, e: &'f syn::ExprIf) {
        self.within(|this| {
            this.visit_expr(&e.cond);
            this.visit_block(&e.then_branch);
        });
        if let Some((_, otherwise)) = &e.else_branch {
            self.visit_expr(otherwise);
        }
    }

    fn visit_expr_while(&mut self, e: &'f syn::ExprWhile) {
        self.within(|this| {
            this.label(e.label.as_ref());
            this.visit_expr(&e.cond);
            this.visit_block(&e.body);
        });
    }

    fn visit_expr_loop(&mut self, e: &'f syn::ExprLoop) {
        self.within(|this| {
            this.label(e.label.as_ref());
            this.visit_block(&e.body);
        });
    }

    fn visit_expr_block(&mut self, e: &'f syn::ExprBlock) {
        self.within(|this| {
            this.label(e.label.as_ref());
            this.visit_block(&e.block);
        });
    }

    fn visit_expr_for_loop(&mut self, e: &'f syn::ExprForLoop) {
        self.visit_expr(&e.expr);
        self.within(|this| {
            this.label(e.label.as_ref());
            this.visit_pat(&e.pat);
            this.patterns([&*e.pat]);
            this.visit_block(&e.body);
        });
    }

    fn visit_expr_break(&mut self, e: &'f syn::ExprBreak) {
        self.jump(e.label.as_ref());
        visit::visit_expr_break(self, e);
    }

    fn visit_expr_continue(&mut self, e: &'f syn::ExprContinue) {
        self.jump(e.label.as_ref());
    }

    fn visit_expr_path(&mut self, e: &'f syn::ExprPath) {
        if e.qself.is_none()
            && let Some(name) = e.path.get_ident()
            && let Some(token) = self.token(&span(name))
        {
            self.refer(token, None);
        }
        visit::visit_expr_path(self, e);
    }

    fn visit_field_value(&mut self, field: &'f syn::FieldValue) {
        if field.colon_token.is_some() {
            self.visit_expr(&field.expr);
        } else if let Some(token) = self.token(&span(&field.member)) {
            self.refer(token, Some(token));
        }
    }

    fn visit_macro(&mut self, of: &'f syn::Macro) {
        match arguments(of) {
            Some(Arguments::List(list)) => {
                for e in &list {
                    self.within(|this| this.visit_expr(e));
                }
            }
            Some(Arguments::Matches(of)) => {
                let (e, pattern, guard) = *of;
                self.visit_expr(&e);
                self.within(|this| {
                    this.visit_pat(&pattern);
                    this.patterns([&pattern]);
                    if let Some(e) = &guard {
                        this.visit_expr(e);
                    }
                });
            }
            None => {}
        }
    }
}

/// What a pattern declares.
struct Declared<'d, 'r> {
    resolver: &'d Resolver<'r>,
    found: Vec<Use>,
}

impl Declared<'_, '_> {
    fn add(&mut self, pattern: &syn::PatIdent, field: Option<usize>) {
        let name = pattern.ident.to_string();
        let is_plain =
            pattern.by_ref.is_none() && pattern.mutability.is_none() && pattern.subpat.is_none();
        let mut letters = name.chars();
        let is_variant =
            letters.next().is_some_and(char::is_uppercase) && letters.any(char::is_lowercase);
        if is_plain && field.is_none() && (is_variant || self.resolver.constants.contains(&name)) {
            return;
        }
        if let Some(token) = self.resolver.token(&span(&pattern.ident)) {
            self.found.push(Use { token, field });
        }
    }
}

impl<'f> Visit<'f> for Declared<'_, '_> {
    fn visit_pat_ident(&mut self, pattern: &'f syn::PatIdent) {
        self.add(pattern, None);
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_field_pat(&mut self, field: &'f syn::FieldPat) {
        if field.colon_token.is_some() {
            self.visit_pat(&field.pat);
        } else if let Pat::Ident(pattern) = &*field.pat {
            let start = span(field).start;
            let ranges = &self.resolver.written.ranges;
            let before = ranges.partition_point(|range| range.end <= start);
            self.add(pattern, Some(before));
        }
    }

    fn visit_expr(&mut self, _: &'f Expr) {}
}
