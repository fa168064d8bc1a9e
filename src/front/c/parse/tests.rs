//! Whole texts through the parser: what is refused, what types declarations have, what constants are.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a test that finds anything else has failed"
)]

mod assembly;
mod bitfields;
mod constants;
mod declarators;
mod refused;
mod soup;
mod tokens;
mod typed;

use super::{Wanted, parse};
use crate::lower::typed::Unit;
use crate::text::{Diagnostic, Place, Severity, on_large_stack};

/// The unit of a text, and what was reported.
fn read(text: &str) -> (Option<Unit>, Vec<Diagnostic>) {
    let tokens = tokens::tokens(text);
    let mut diagnostics = Vec::new();
    let to_span = |place: Place| place.start as usize..place.end as usize;
    // As texts are: some of these are nested as deeply as may be.
    let parsed = on_large_stack(64 << 20, || {
        parse(&[tokens], &Wanted::default(), &mut diagnostics, &to_span)
    });
    let unit = parsed.expect("there is a stack");
    (unit, diagnostics)
}

/// The unit of a text without errors.
fn accepted(text: &str) -> Unit {
    let (unit, diagnostics) = read(text);
    unit.unwrap_or_else(|| panic!("{text}\n{diagnostics:#?}"))
}

/// The errors of a text: their lines from 1, and their messages.
fn errors(text: &str) -> Vec<(usize, String)> {
    let (unit, diagnostics) = read(text);
    let errors: Vec<(usize, String)> = diagnostics
        .into_iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .map(|diagnostic| {
            let line = text[..diagnostic.span.start].matches('\n').count() + 1;
            (line, diagnostic.message)
        })
        .collect();
    assert_eq!(unit.is_none(), !errors.is_empty(), "{text}");
    errors
}
