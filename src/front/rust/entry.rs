//! The tests of a program, each of which is a program of its own.
//!
//! A test may create threads if `spawn` is among its words, or among those of a function that may be called by its words:
//! one with the name of one of them, in any type and module. That is more than what is called, and no call is by another
//! name: macros have their words in their arguments, or are defined by words that are looked through alike.

use super::files::{Sources, Syntax};
use super::names::{Named, Names, Target};
use super::source::{Lexeme, span, words};
use crate::text::{Diagnostic, Entry, ParseOptions, StatedOption, nearest};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};

/// What creates threads.
const SPAWN: &str = "spawn";

/// The tests of a text; `None` if it cannot be read.
pub(super) fn tests(text: &str, options: &ParseOptions) -> Option<Vec<Entry>> {
    let tests = tests_here(text, options);
    proc_macro2::extra::invalidate_current_thread_spans();
    tests
}

fn tests_here(text: &str, options: &ParseOptions) -> Option<Vec<Entry>> {
    let (sources, syntax) = Sources::read(text, options, None, true, &mut Vec::new())?;
    let names = Names::of(&sources, &syntax, &mut Vec::new());
    let all = names_of_tests(&names, sources.files().len() > 1);
    let creators = creators(&syntax);
    let tests = names.tests.iter().zip(all).map(|((module, test), name)| {
        let of = span(&test.block);
        let mut own = words(syntax.tokens(), &of);
        Entry {
            name,
            path: names.path_of_test(*module, test),
            creates_threads: own.any(|word| creators.contains(&word)),
            stated: names.attributes(&test.attrs).iter().find_map(stated),
        }
    });
    Some(tests.collect())
}

/// What an attribute says, if it is that of `fencepost-test`: `#[fencepost::test(model = "tso", forbid_stuck)]`, or
/// `#[test(…)]` with options, which that of the language has not.
fn stated(attribute: &syn::Attribute) -> Option<Vec<StatedOption>> {
    let words: Vec<String> = attribute
        .path()
        .segments
        .iter()
        .map(|one| one.ident.to_string())
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let is_own = matches!(
        (&words[..], &attribute.meta),
        (["fencepost" | "fencepost_test", "test"], _) | (["test"], syn::Meta::List(_))
    );
    if !is_own {
        return None;
    }
    let syn::Meta::List(list) = &attribute.meta else {
        return Some(Vec::new());
    };
    let metas = list.parse_args_with(Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated);
    let metas = metas.into_iter().flatten();
    let stated = metas.map(|meta| {
        let name = meta
            .path()
            .segments
            .last()
            .map(|last| last.ident.to_string());
        let value = match &meta {
            syn::Meta::NameValue(syn::MetaNameValue {
                value: syn::Expr::Lit(of),
                ..
            }) => Some(match &of.lit {
                syn::Lit::Str(text) => text.value(),
                other => other.to_token_stream().to_string(),
            }),
            _ => None,
        };
        (name.unwrap_or_default(), value)
    });
    Some(stated.collect())
}

/// The words that may lead to threads: that which creates one, and the names of functions and macros with such a word.
fn creators(syntax: &Syntax) -> BTreeSet<String> {
    let mut functions = Functions {
        lexemes: syntax.tokens(),
        by_word: BTreeMap::new(),
    };
    let files = syntax.files.iter();
    files.for_each(|file| functions.visit_file(file));
    let mut creators = BTreeSet::from([SPAWN.to_owned()]);
    let mut open = vec![SPAWN.to_owned()];
    while let Some(word) = open.pop() {
        for name in functions.by_word.get(&word).into_iter().flatten() {
            if creators.insert(name.clone()) {
                open.push(name.clone());
            }
        }
    }
    creators
}

/// The names of the functions and macros that have each word.
struct Functions<'l> {
    lexemes: &'l [Lexeme],
    by_word: BTreeMap<String, BTreeSet<String>>,
}

impl Functions<'_> {
    fn add(&mut self, name: &syn::Ident, of: &impl syn::spanned::Spanned) {
        for word in words(self.lexemes, &span(of)) {
            let names = self.by_word.entry(word).or_default();
            names.insert(name.to_string());
        }
    }
}

impl<'f> Visit<'f> for Functions<'_> {
    fn visit_item_fn(&mut self, of: &'f syn::ItemFn) {
        self.add(&of.sig.ident, of);
        visit::visit_item_fn(self, of);
    }

    fn visit_impl_item_fn(&mut self, of: &'f syn::ImplItemFn) {
        self.add(&of.sig.ident, of);
        visit::visit_impl_item_fn(self, of);
    }

    fn visit_trait_item_fn(&mut self, of: &'f syn::TraitItemFn) {
        self.add(&of.sig.ident, of);
        visit::visit_trait_item_fn(self, of);
    }

    fn visit_item_macro(&mut self, of: &'f syn::ItemMacro) {
        if let Some(name) = &of.ident {
            self.add(name, of);
        }
    }
}

/// The names of all tests: with their modules if the program has several files, or where the last name is that of several.
fn names_of_tests(names: &Names<'_>, with_modules: bool) -> Vec<String> {
    let tests = names.tests.iter().map(|(module, test)| {
        let name = test.sig.ident.to_string();
        let same = names.tests.iter().filter(|(_, one)| one.sig.ident == name);
        if with_modules || same.count() > 1 {
            names.path_of_test(*module, test)
        } else {
            name
        }
    });
    tests.collect()
}

/// The function that the program executes.
pub(super) fn entry<'a>(
    names: &Names<'a>,
    wanted: Option<&str>,
) -> Result<(usize, &'a syn::ItemFn), Diagnostic> {
    let all = names_of_tests(names, false);
    let list = || {
        let all = all.iter().map(|name| format!("`{name}`"));
        all.collect::<Vec<_>>().join(", ")
    };
    let found = match (wanted, &names.tests[..]) {
        (Some(name), tests) => {
            // `a::b::c` is `c` in `b`, too.
            let inside = format!("::{name}");
            let own = tests.iter().filter(|(module, test)| {
                let path = names.path_of_test(*module, test);
                path == name || path.ends_with(&inside)
            });
            let own: Vec<_> = own.copied().collect();
            let whole = own
                .iter()
                .find(|(module, test)| names.path_of_test(*module, test) == name);
            let own = match (whole, &own[..]) {
                (Some(whole), _) => Some(*whole),
                (None, [first, _, ..]) => {
                    let of = own
                        .iter()
                        .map(|(module, test)| format!("`{}`", names.path_of_test(*module, test)));
                    let of: Vec<String> = of.collect();
                    let message = format!("there are {} tests `{name}`", own.len());
                    let first = span(&first.1.sig.ident);
                    let error = Diagnostic::error(message, first).label("the first one");
                    return Err(error.note(format!("they are {}", of.join(", "))));
                }
                (None, own) => own.first().copied(),
            };
            let function = || {
                let path: Vec<String> = name.split("::").map(str::to_owned).collect();
                match names.resolve(0, &path) {
                    Target::Item(module, Named::Fn(item)) => Some((module, item)),
                    Target::Item(..) | Target::Known(_) | Target::None => None,
                }
            };
            own.or_else(function).ok_or_else(|| {
                let error = Diagnostic::error(format!("there is no test `{name}`"), 0..0);
                let error = match nearest(name, all.iter().map(String::as_str)) {
                    Some(near) => error.label(format!("did you mean `{near}`?")),
                    None => error,
                };
                if all.is_empty() {
                    error.note("the file has no tests; a function of it can be named, too")
                } else {
                    error.note(format!("the tests of the file are {}", list()))
                }
            })?
        }
        (None, [one]) => *one,
        (None, []) => match names.resolve(0, &["main".to_owned()]) {
            Target::Item(module, Named::Fn(item)) => (module, item),
            Target::Item(..) | Target::Known(_) | Target::None => {
                let error =
                    Diagnostic::error("there is neither a test nor a function `main`", 0..0);
                return Err(error.note(
                    "the program is what a function with `#[test]` does, and the threads that it \
                     creates",
                ));
            }
        },
        (None, several) => {
            let message = format!(
                "the file has {} tests, each a program of its own",
                several.len()
            );
            let first = span(&several[0].1.sig.ident);
            return Err(Diagnostic::error(message, first)
                .label("the first one")
                .note(format!("`--test NAME` selects one: {}", list())));
        }
    };
    let sig = &found.1.sig;
    let at = span(&sig.ident);
    if !sig.inputs.is_empty() {
        let message = format!("`{}` takes arguments, which nothing gives it", sig.ident);
        return Err(Diagnostic::error(message, at));
    }
    let panics = found
        .1
        .attrs
        .iter()
        .find(|a| a.path().is_ident("should_panic"));
    if let Some(attribute) = panics {
        let message = "a test that should panic is not supported";
        return Err(Diagnostic::error(message, span(attribute))
            .note("a panic is a violation: check a test that should pass"));
    }
    Ok(found)
}
