//! Which edition a text is read in, and each other crate that it reaches.
//!
//! The first of these counts: the edition that the user gives; the one that the text states in a line
//! `//: edition 2021`; that of its package; 2024 if the text has a let chain, and 2021 if it has an item
//! with the name `gen`, which later is a keyword. Otherwise [`Edition::ASSUMED`] is assumed, and the
//! verdict says so if the text has a place where the editions differ.
//!
//! They differ in these places, for what is read here:
//!
//! | since | what |
//! |---|---|
//! | 2018 | paths in `use` begin in the module, and not in the file |
//! | 2021 | a closure captures the fields that it uses, and `into_iter` of an array yields its elements |
//! | 2024 | temporary values of the last expression of a block end before the block's variables |
//! | 2024 | temporary values of the condition of an `if let` end before its `else` |
//!
//! What a closure captures makes no difference: a variable whose end has an effect is not moved into one.

use super::names::is_known_crate;
use super::source::{Lexeme, span};
use crate::text::{Diagnostic, Edition, Span};
use syn::visit::{self, Visit};
use syn::{BinOp, Expr};

/// The edition that each of these states, if it does.
#[derive(Clone)]
pub(super) struct Stated {
    pub(super) user: Option<Edition>,
    pub(super) text: Option<Edition>,
    pub(super) package: Option<Edition>,
}

/// An edition, and whether nothing implies it.
#[derive(Clone, Copy)]
pub(super) struct Chosen {
    pub(super) edition: Edition,
    pub(super) is_assumed: bool,
}

/// The edition of a crate, which has these files.
///
/// # Errors
///
/// What does not exist in the edition that is stated.
pub(super) fn choose<'f>(
    files: impl Iterator<Item = (&'f syn::File, &'f [Lexeme])>,
    stated: &Stated,
) -> Result<Chosen, Diagnostic> {
    let mut found = Found::default();
    let mut keyword = None;
    for (file, lexemes) in files {
        found.visit_file(file);
        let mut lexemes = lexemes.iter();
        let own = lexemes.find(|lexeme| lexeme.word.as_deref() == Some("gen"));
        keyword = keyword.or(own.map(|lexeme| lexeme.start..lexeme.end));
    }
    let sources = [
        (stated.user, "as it was chosen"),
        (stated.text, "as the text states"),
        (stated.package, "that of the package"),
    ];
    let mut sources = sources.into_iter();
    let given = sources.find_map(|(edition, why)| Some((edition?, why)));
    let Some((edition, why)) = given else {
        return match (found.chain, keyword) {
            (Some(chain), Some(keyword)) => Err(Diagnostic::error(
                "`gen` is a keyword since edition 2024",
                keyword,
            )
            .other(chain, "a let chain needs that edition")),
            (Some(_), None) => Ok(implied(Edition::E2024)),
            (None, Some(_)) => Ok(implied(Edition::E2021)),
            (None, None) => Ok(Chosen {
                edition: Edition::ASSUMED,
                is_assumed: true,
            }),
        };
    };
    let note = format!("the edition is {edition}, {why}; `--edition` chooses another one");
    if let Some(chain) = found.chain
        && edition < Edition::E2024
    {
        let message = "a let chain needs edition 2024";
        return Err(Diagnostic::error(message, chain).note(note));
    }
    if let Some(keyword) = keyword
        && edition >= Edition::E2024
    {
        let message = "`gen` is a keyword since edition 2024";
        return Err(Diagnostic::error(message, keyword).note(note));
    }
    if let Some(path) = found.global
        && edition == Edition::E2015
    {
        let message = "a path that begins with `::` is not supported in edition 2015";
        return Err(Diagnostic::error(message, path).note(note));
    }
    Ok(implied(edition))
}

fn implied(edition: Edition) -> Chosen {
    Chosen {
        edition,
        is_assumed: false,
    }
}

/// The warning that a text depends on an edition which nothing implies.
pub(super) fn assumed(edition: Edition, span: Span) -> Diagnostic {
    let (other, when) = if edition.rescopes() {
        ("until edition 2021", "later")
    } else {
        ("since edition 2024", "earlier")
    };
    Diagnostic::warning(
        format!("edition {edition} is assumed: {other}, this value is dropped {when}"),
        span,
    )
    .note("`--edition` or a comment `//: edition 2021` states the edition")
}

/// What exists in some editions only, or means something else in one of them.
#[derive(Default)]
struct Found {
    /// The first let chain.
    chain: Option<Span>,
    /// The first path that begins with `::` and not with a known crate.
    global: Option<Span>,
}

impl<'f> Visit<'f> for Found {
    fn visit_expr_binary(&mut self, e: &'f syn::ExprBinary) {
        let is_let = |e: &Expr| matches!(e, Expr::Let(_));
        if matches!(e.op, BinOp::And(_)) && (is_let(&e.left) || is_let(&e.right)) {
            self.chain.get_or_insert_with(|| span(e));
        }
        visit::visit_expr_binary(self, e);
    }

    fn visit_path(&mut self, path: &'f syn::Path) {
        let first = path.segments.first().map(|first| first.ident.to_string());
        if path.leading_colon.is_some() && !first.is_some_and(|first| is_known_crate(&first)) {
            self.global.get_or_insert_with(|| span(path));
        }
        visit::visit_path(self, path);
    }
}
