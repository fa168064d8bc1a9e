//! The Fencepost language: `.fence` files, read, edited and printed.
//!
//!   text ──tokens──▶ balanced tokens ──grammar──▶ items ──lower──▶ Program
//!
//! Each stage continues after what it cannot parse, so that all errors of a file are reported at
//! once. Later stages do not report errors that an earlier one may have caused, so that one typo is
//! one error. The nesting depth of a text is bounded before the first recursive function runs on
//! it; the size of a program is bounded while procedures are inlined.
//!
//! A fence may come before a value, in parentheses or as the condition of a branch or loop:
//! `while (fence, x == 1 && (fence store, y))`. So every path through a program has positions where
//! a fence can be inserted, and `rewrite` finds them.
//!
//! The language has two forms, which a file may mix. The *structured form* is what people write on
//! a whiteboard; the *automaton form* is that of the papers, extended until it can express every
//! [`Program`], because it is what [`crate::program::print`] writes:
//!
//! ```text
//! thread worker.0 regs r, k = 5 locations l0, (q1), l2 init l0 begin
//!   @cost 5 l0: r <- cas(mem[x], 0, 1); goto q1;
//!   q1: property r == 0; goto l2;
//! end
//! ```
//!
//! Short forms mean what they mean written out: `x += e` is `x = x + (e)`, a single statement is a block, and
//! a procedure that returns a value is inlined before the use of the value.
//!
//! `property e` is the structured form's `assert`; `r <- nondet(lo, hi)`, `barrier all` and the
//! locked instructions are the same in both; `sfence` is `fence store`; `lock` and `unlock` enter
//! and leave an atomic block. The `locations` clause lists all locations in order; those in
//! parentheses have generated names. Any name may be quoted with backticks.

mod ast;
mod grammar;
mod lower;
mod rewrite;

pub(crate) use rewrite::rewrite;

use crate::program::{Change, Files, Program, print};
use crate::text::expression::{balance, check_depth, lex};
use crate::text::{
    Diagnostic, FrontEnd, Lines, ParseOptions, Parsed, Positions, Rewritten, Unprintable,
    Unwritable, expectation, has_errors, sort_and_truncate,
};

/// The front end of `.fence` files.
pub(crate) struct Native;

impl FrontEnd for Native {
    /// Texts in this language have no common beginning.
    fn begins(&self, _: &str) -> bool {
        false
    }

    fn parse(&self, text: &str, _: &ParseOptions) -> Parsed {
        parse(text)
    }

    fn rewrite(
        &self,
        text: &str,
        _: &ParseOptions,
        program: &Program,
        changes: &[Change],
    ) -> Result<Rewritten, Unwritable> {
        rewrite(text, program, changes).map(Rewritten::from)
    }

    fn print(&self, program: &Program) -> Result<String, Vec<Unprintable>> {
        Ok(print(program))
    }
}

/// Parses a text with line feeds at the ends of all lines.
fn parse(text: &str) -> Parsed {
    let mut diagnostics = Vec::new();
    let lexed = lex(text);
    diagnostics.extend(lexed.diagnostics);
    let lines = Lines::new(text);
    let (mut program, mut apart) = (None, None);
    let mut expectations = expectation::read(&lexed.expectations, &lines, &mut diagnostics);
    if let Err(too_deep) = check_depth(&lexed.tokens) {
        diagnostics.push(too_deep);
    } else {
        let words = balance(lexed.tokens, &mut diagnostics);
        let grammar = grammar::parse(text, &words, &mut diagnostics);
        if grammar.items.is_empty() && diagnostics.is_empty() {
            diagnostics.push(
                Diagnostic::error("this file contains no program", 0..0)
                    .note("a program declares threads, as in `shared x; thread t { x = 1; }`"),
            );
        }
        let (items, skipped_names) = (&grammar.items, &grammar.skipped_names);
        let mut lowered = lower::lower(
            items,
            skipped_names,
            &lexed.bad_numbers,
            &lines,
            Positions::Merged,
        );
        diagnostics.append(&mut lowered.take_diagnostics());
        if lowered.program.is_some() {
            expectation::resolve(&mut expectations, &mut lowered);
            diagnostics.append(&mut lowered.take_diagnostics());
        }
        program = lowered.program;
        apart = lower::lower(
            items,
            skipped_names,
            &lexed.bad_numbers,
            &lines,
            Positions::Apart,
        )
        .program;
    }
    sort_and_truncate(&mut diagnostics);
    program = program.filter(|_| !has_errors(&diagnostics));
    apart = apart.filter(|_| program.is_some());
    Parsed {
        program,
        expectations: expectation::finish(expectations),
        diagnostics,
        litmus: None,
        apart,
        joined: None,
        files: Files::default(),
        ordered: None,
        assumed_edition: None,
    }
}
