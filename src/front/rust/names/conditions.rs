//! Conditions of compilation: `#[cfg(…)]`, `#[cfg_attr(…)]` and `cfg!(…)`.
//!
//! They mean what they mean to the compiler for 64-bit Linux on x86, with the features of the package that are on: a name
//! that nothing sets is off. A program that mentions `loom` is compiled with `--cfg loom`. Tests are those of the first
//! crate; the others are compiled as its dependencies.

use super::Names;
use crate::rust::source::span;
use crate::text::Diagnostic;
use std::collections::BTreeSet;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token};

/// Configurations with a value that are on.
const TARGET: [(&str, &str); 15] = [
    ("panic", "unwind"),
    ("target_arch", "x86_64"),
    ("target_endian", "little"),
    ("target_env", "gnu"),
    ("target_family", "unix"),
    ("target_feature", "fxsr"),
    ("target_feature", "sse"),
    ("target_feature", "sse2"),
    ("target_has_atomic", "8"),
    ("target_has_atomic", "16"),
    ("target_has_atomic", "32"),
    ("target_has_atomic", "64"),
    ("target_has_atomic", "ptr"),
    ("target_os", "linux"),
    ("target_pointer_width", "64"),
];

/// Those without a value.
const PLAIN: [&str; 3] = ["panic", "target_thread_local", "unix"];

/// How a crate is compiled.
#[derive(Clone, Default, Debug)]
pub(in crate::rust) struct Configuration {
    /// Whether its tests are.
    pub(in crate::rust) is_test: bool,
    /// Whether `debug_assert!` and its like do nothing.
    pub(in crate::rust) omits_debug: bool,
    /// Whether the program mentions `loom`.
    pub(in crate::rust) loom: bool,
    pub(in crate::rust) features: BTreeSet<String>,
    /// What the user sets.
    pub(in crate::rust) set: BTreeSet<(String, Option<String>)>,
}

impl Configuration {
    /// Whether the conditions among these attributes hold.
    ///
    /// # Errors
    ///
    /// One that has no meaning.
    pub(in crate::rust) fn holds_all(&self, attributes: &[Attribute]) -> Result<bool, Diagnostic> {
        for attribute in self.attributes(attributes)? {
            if attribute.path().is_ident("cfg") {
                let holds = attribute
                    .parse_args::<Meta>()
                    .ok()
                    .and_then(|meta| self.holds(&meta));
                match holds {
                    Some(true) => {}
                    Some(false) => return Ok(false),
                    None => return Err(unknown(&attribute)),
                }
            }
        }
        Ok(true)
    }

    /// These attributes, and those of `cfg_attr` whose conditions hold.
    ///
    /// # Errors
    ///
    /// A condition that has no meaning.
    pub(in crate::rust) fn attributes(
        &self,
        attributes: &[Attribute],
    ) -> Result<Vec<Attribute>, Diagnostic> {
        let mut all = Vec::new();
        let mut open: Vec<Attribute> = attributes.iter().rev().cloned().collect();
        while let Some(attribute) = open.pop() {
            if !attribute.path().is_ident("cfg_attr") {
                all.push(attribute);
                continue;
            }
            let metas = Punctuated::<Meta, Token![,]>::parse_terminated;
            let metas = attribute.parse_args_with(metas).ok();
            let mut metas = metas.into_iter().flatten();
            let condition = metas.next().and_then(|condition| self.holds(&condition));
            if condition.ok_or_else(|| unknown(&attribute))? {
                let inner = metas.map(|meta| Attribute {
                    meta,
                    ..attribute.clone()
                });
                let inner: Vec<Attribute> = inner.collect();
                open.extend(inner.into_iter().rev());
            }
        }
        Ok(all)
    }

    /// Whether a condition holds; `None` if it has no meaning.
    pub(in crate::rust) fn holds(&self, meta: &Meta) -> Option<bool> {
        match meta {
            Meta::Path(path) => {
                let name = path.get_ident()?.to_string();
                Some(match name.as_str() {
                    "test" => self.is_test,
                    "debug_assertions" => !self.omits_debug,
                    "true" => true,
                    "loom" if self.loom => true,
                    plain if PLAIN.contains(&plain) => true,
                    _ => self.set.contains(&(name, None)),
                })
            }
            Meta::NameValue(meta) => {
                let name = meta.path.get_ident()?.to_string();
                let syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(value),
                    ..
                }) = &meta.value
                else {
                    return None;
                };
                let value = value.value();
                Some(
                    name == "feature" && self.features.contains(&value)
                        || TARGET.contains(&(&*name, &*value))
                        || self.set.contains(&(name, Some(value))),
                )
            }
            Meta::List(list) => {
                let metas = Punctuated::<Meta, Token![,]>::parse_terminated;
                let inner = list.parse_args_with(metas).ok()?;
                let mut inner = inner.iter().map(|meta| self.holds(meta));
                match list.path.get_ident()?.to_string().as_str() {
                    "not" => inner.next()?.map(|holds| !holds),
                    "all" => inner.try_fold(true, |all, holds| Some(all && holds?)),
                    "any" => inner.try_fold(false, |any, holds| Some(any || holds?)),
                    _ => None,
                }
            }
        }
    }
}

fn unknown(attribute: &Attribute) -> Diagnostic {
    let message = "whether this configuration is that of the program is not known";
    Diagnostic::error(message, span(attribute)).note(
        "names, names with a value, `not`, `all` and `any` have a meaning: remove the attribute, or the item",
    )
}

impl Names<'_> {
    /// Whether the conditions among these attributes hold in the crate that they are in.
    ///
    /// # Errors
    ///
    /// One that has no meaning.
    pub(in crate::rust) fn holds_all(&self, attributes: &[Attribute]) -> Result<bool, Diagnostic> {
        let Some(first) = attributes.first() else {
            return Ok(true);
        };
        self.configuration(span(first).start).holds_all(attributes)
    }

    /// These attributes, and those of `cfg_attr` whose conditions hold. What has no meaning is left out: it is reported
    /// with the item.
    pub(in crate::rust) fn attributes(&self, attributes: &[Attribute]) -> Vec<Attribute> {
        let Some(first) = attributes.first() else {
            return Vec::new();
        };
        let configuration = self.configuration(span(first).start);
        configuration.attributes(attributes).unwrap_or_default()
    }

    /// Whether `debug_assert!` and its like do nothing here.
    pub(in crate::rust) fn omits_debug(&self, of: &syn::Macro) -> bool {
        self.configuration(span(&of.path).start).omits_debug
    }

    /// Whether the condition of `cfg!(…)` holds, whose arguments these are; `None` if it has no meaning.
    pub(in crate::rust) fn holds_here(&self, of: &syn::Macro) -> Option<bool> {
        let metas = Punctuated::<Meta, Token![,]>::parse_terminated;
        let metas = metas.parse2(of.tokens.clone()).ok()?;
        let configuration = self.configuration(span(&of.path).start);
        match metas.first() {
            Some(meta) if metas.len() == 1 => configuration.holds(meta),
            Some(_) | None => None,
        }
    }
}
