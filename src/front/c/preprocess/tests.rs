//! Tests of preprocessing.

mod bounds;
mod calls;
mod compiler;
mod directives;
mod generated;
mod headers;
mod places;
mod standard;

use super::{Files, Options, Preprocessor, preprocess};
use crate::c::token::{Token, TokenKind};
use crate::text::{Diagnostic, FoundFile, Severity};

/// Only built-in headers, and no definitions.
fn alone() -> Options<'static> {
    Options {
        defines: &[],
        undefines: &[],
        includes: &[],
        include: None,
    }
}

/// A file that is found.
#[allow(clippy::unnecessary_wraps, reason = "the result of a search")]
fn file(name: &str, text: impl Into<String>) -> std::result::Result<Option<FoundFile>, String> {
    Ok(Some(FoundFile {
        name: name.to_owned(),
        text: text.into(),
        system: false,
    }))
}

/// What a text becomes.
struct Result {
    tokens: Vec<Token>,
    files: Files,
    diagnostics: Vec<Diagnostic>,
}

fn with(options: &Options<'_>, text: &str) -> Result {
    let mut diagnostics = Vec::new();
    let files = Files::default();
    let done = preprocess(text, "main.c", options, files, &mut diagnostics);
    Result {
        tokens: done.tokens,
        files: done.files,
        diagnostics,
    }
}

fn run(text: &str) -> Result {
    with(&alone(), text)
}

impl Result {
    /// The tokens, separated by spaces.
    fn text(&self) -> String {
        let tokens: Vec<String> = self
            .tokens
            .iter()
            .map(|token| spelled(&token.kind))
            .collect();
        tokens.join(" ")
    }

    fn errors(&self) -> Vec<&str> {
        self.of(Severity::Error)
    }

    fn warnings(&self) -> Vec<&str> {
        self.of(Severity::Warning)
    }

    fn of(&self, severity: Severity) -> Vec<&str> {
        let these = self
            .diagnostics
            .iter()
            .filter(|found| found.severity == severity);
        these.map(|found| found.message.as_str()).collect()
    }
}

fn spelled(kind: &TokenKind) -> String {
    match kind {
        TokenKind::Word(text) | TokenKind::Number(text) => text.clone(),
        TokenKind::Char(value) => format!("'{value}'"),
        TokenKind::String(text) => format!("{text:?}"),
        TokenKind::Punct(punct) => (*punct).to_owned(),
    }
}

/// The tokens of a text that has nothing wrong with it.
fn clean(text: &str) -> String {
    let result = run(text);
    assert!(
        result.diagnostics.is_empty(),
        "{text}\n{:?}",
        result.diagnostics
    );
    result.text()
}

/// The only error in a text.
fn error(text: &str) -> String {
    let result = run(text);
    let errors = result.errors();
    assert_eq!(errors.len(), 1, "{text}\n{errors:?}");
    errors[0].to_owned()
}

/// The spellings of a text's tokens after the expansion of macros, if nothing is wrong with them.
fn spellings(text: &str) -> Option<Vec<String>> {
    let mut state = Preprocessor::new(text, "main.c", &alone(), Files::default());
    let toks = state.run();
    let errors = crate::text::has_errors(&state.diagnostics);
    let texts = toks.iter().map(|tok| tok.lexeme.text.to_string());
    (!errors).then(|| texts.collect())
}
