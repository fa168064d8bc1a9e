//! `#pragma` and `_Pragma`: what changes the meaning of a program is an error, and never skipped.

use super::Preprocessor;
use super::directive::spelled;
use crate::c::lex::{Kind, Lexeme, lex};
use crate::text::{Diagnostic, Place};
use std::rc::Rc;

/// First words of pragmas that change no program's behaviour: diagnostics, optimisation, editors.
const HARMLESS: [&str; 7] = [
    "STDC",
    "GCC",
    "clang",
    "message",
    "region",
    "endregion",
    "mark",
];

impl Preprocessor<'_> {
    /// `#pragma`, with the lexemes after it.
    pub(super) fn pragma(&mut self, rest: &[Lexeme], whole: Place) {
        let Some((first, rest)) = rest.split_first() else {
            return;
        };
        match &*first.text {
            "once" => {
                let file = self.frames.last().map(|frame| frame.file);
                if let Some(file) = file {
                    self.once.insert(self.files.name(file).to_owned());
                }
            }
            "push_macro" | "pop_macro" => self.saved_macro(first, rest, whole),
            "omp" | "acc" => {
                let message = format!(
                    "`#pragma {}` is not supported: it may add threads",
                    first.text
                );
                let error = Diagnostic::error(message, 0..0);
                self.report(whole, error.note("write the threads with `pthread_create`"));
            }
            "weak" | "redefine_extname" => {
                let message = format!("`#pragma {}` is not supported", first.text);
                self.report(whole, Diagnostic::error(message, 0..0));
            }
            word if HARMLESS.contains(&word) => {}
            _ => {
                let message = format!("`#pragma {}` is ignored", first.text);
                self.report(whole, Diagnostic::warning(message, 0..0));
            }
        }
    }

    /// `#pragma push_macro("X")` and `#pragma pop_macro("X")`
    fn saved_macro(&mut self, pragma: &Lexeme, rest: &[Lexeme], whole: Place) {
        let name = match rest {
            [open, name, close] if open.is("(") && close.is(")") && name.kind == Kind::Text => {
                super::literal::text(&name.text)
            }
            _ => {
                let message = format!("expected `#pragma {}(\"name\")`", pragma.text);
                self.report(whole, Diagnostic::error(message, 0..0));
                return;
            }
        };
        if &*pragma.text == "push_macro" {
            let now = self.macros.get(&*name).cloned();
            self.pushed.entry(name).or_default().push(now);
            return;
        }
        match self.pushed.get_mut(&name).and_then(Vec::pop) {
            Some(Some(saved)) => {
                self.macros.insert(Rc::from(name), saved);
            }
            Some(None) => {
                self.macros.remove(&*name);
            }
            None => {
                let message = format!("`{name}` was not saved by `#pragma push_macro`");
                self.report(whole, Diagnostic::warning(message, 0..0));
            }
        }
    }

    /// `_Pragma("…")`, which is found after all macros are expanded.
    pub(super) fn pragma_operator(&mut self, literal: &str, place: Place) {
        let text = super::literal::text(literal);
        // The lexemes' places are in the literal's text, and are not shown.
        let lexemes = lex(&text, place.file).lexemes;
        match lexemes.first() {
            // It is too late for these.
            Some(first) if matches!(&*first.text, "once" | "push_macro" | "pop_macro") => {
                let message = format!("`_Pragma` cannot be used for `{}`", spelled(&lexemes));
                self.report(place, Diagnostic::error(message, 0..0));
            }
            Some(_) | None => self.pragma(&lexemes, place),
        }
    }
}
