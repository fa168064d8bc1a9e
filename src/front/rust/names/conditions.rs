//! Conditions of compilation: `#[cfg(…)]`.
//!
//! A program that mentions `loom` is compiled with `--cfg loom`; tests are, on 64-bit Linux for x86, without
//! features.

use super::Names;
use crate::rust::source::{span, text_of};
use crate::text::Diagnostic;
use syn::Attribute;

impl Names<'_> {
    /// Whether the conditions among these attributes hold.
    ///
    /// # Errors
    ///
    /// One that is not known.
    pub(in crate::rust) fn holds_all(&self, attributes: &[Attribute]) -> Result<bool, Diagnostic> {
        for attribute in attributes {
            if attribute.path().is_ident("cfg") {
                let holds = attribute
                    .parse_args::<syn::Meta>()
                    .ok()
                    .and_then(|meta| self.holds(&meta));
                match holds {
                    Some(true) => {}
                    Some(false) => return Ok(false),
                    None => {
                        let error = Diagnostic::error(
                            "whether this configuration is that of the program is not known",
                            span(attribute),
                        );
                        return Err(error.note(
                            "`test`, `loom`, `debug_assertions`, `feature`, `not`, `all` and `any` are \
                             known: remove the attribute, or the item",
                        ));
                    }
                }
            }
        }
        Ok(true)
    }

    fn holds(&self, meta: &syn::Meta) -> Option<bool> {
        match meta {
            syn::Meta::Path(path) => {
                let name = path.get_ident()?.to_string();
                match name.as_str() {
                    "test" | "debug_assertions" | "unix" => Some(true),
                    "loom" => Some(self.about.loom),
                    "shuttle" | "miri" | "doc" | "windows" => Some(false),
                    _ => None,
                }
            }
            syn::Meta::NameValue(meta) => match meta.path.get_ident()?.to_string().as_str() {
                "feature" => Some(false),
                "target_pointer_width" => Some(text_of(&meta.value).contains("64")),
                "target_arch" => Some(text_of(&meta.value).contains("x86_64")),
                "target_os" => Some(text_of(&meta.value).contains("linux")),
                _ => None,
            },
            syn::Meta::List(list) => {
                type Metas = syn::punctuated::Punctuated<syn::Meta, syn::Token![,]>;
                let inner = list.parse_args_with(Metas::parse_terminated).ok()?;
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
