//! Litmus tests: small programs in assembly or C with a condition on their final states.
//!
//! ```text
//!   text ──frame──▶ header, initial state, code, tail
//!                     │          │          │
//!                  memory ◀── asm or c ──▶ threads ──▶ Program, LitmusTest
//! ```
//!
//! | in X86 and `X86_64` tests | means |
//! |---|---|
//! | `MOV` with a register, `[x]` or `$1` on either side | a load, a store, an assignment |
//! | `XCHG` with memory on either side, `LOCK` with `INC DEC NEG NOT ADD SUB XOR AND OR XADD CMPXCHG` | a locked instruction |
//! | these without `LOCK` on memory | a load and a store |
//! | `CMP`, `TEST`, `JE JNE JL JLE JG JGE JB JBE JA JAE JS JNS` and their other names, `JMP`, labels | a comparison, a jump |
//! | `MFENCE` | a full fence |
//! | `SFENCE` | a store fence: without effect where stores are in order, as under TSO |
//! | `LFENCE`, `NOP`, `PAUSE`, `ENDBR64` | no effect |
//! | `MOVZX`, `MOVSX`, `LEA`, `RET` | a load, the address of a cell, the end |
//!
//! X86 is written in Intel's order, destination first; `X86_64` in AT&T's, with the suffixes
//! `b w l q`. Both may be in upper or lower case. Module `c` documents C.
//!
//! A value is 32 bits wide. 32-bit arithmetic wraps, as it does on the machine. A test for which
//! another size could make a difference is rejected: constants that do not fit, 64-bit arithmetic that
//! may overflow 32 bits, in C accesses of two sizes to one cell. A test in assembly that accesses
//! locations or registers in parts has several cells per location (`memory::parts`) and exact values
//! of up to 64 bits (`asm::mixed`, `asm::lower::parts`).
//! Addresses are names: a location that holds addresses holds nothing else (`asm::kinds`).
//!
//! Every register and cell is 0 unless the initial state gives it a value. A state has one value
//! per name; [`LitmusTest::shown`] lists what states show. Expectations are in comments that begin
//! with `(*:`, one per line; `observed MODEL yes|no` refers to the test's own condition.
//!
//! **Absent.** Processors other than x86; SSE, I/O, exceptions, virtual memory.

mod asm;
mod c;
mod condition;
mod frame;
mod initial;
mod memory;
mod resolve;
mod rewrite;
mod types;
mod wide;
mod words;

use crate::c::idiom_of_test;
use crate::c::litmus::{Reading, Spots, rewrite_test};
use crate::program::{Change, Files, Origin, Program, ProgramBuilder};
use crate::text::{
    Compiler, Diagnostic, FrontEnd, Idiom, Lines, LitmusTest, Names, ParseOptions, Parsed,
    Positions, Rewritten, Span, Unprintable, Unwritable, expectation, has_errors, nearest,
    sort_and_truncate,
};
use asm::Assembly;
pub use asm::is_register_name;

/// The front ends of litmus tests, by the language of their code.
pub(crate) enum Litmus {
    /// x86 assembly, in Intel's or AT&T's syntax.
    Assembly,
    /// C with the atomics of C11 or the macros of Linux.
    C,
}

impl FrontEnd for Litmus {
    fn begins(&self, text: &str) -> bool {
        match (self, language(first_word(text))) {
            (Litmus::Assembly, Some(Language::Assembly(_))) | (Litmus::C, Some(Language::C)) => {
                true
            }
            (_, None) | (Litmus::Assembly, Some(Language::C)) | (Litmus::C, Some(_)) => false,
        }
    }

    fn idiom(&self, text: &str) -> Option<Idiom> {
        Some(match self {
            Litmus::Assembly => Idiom::Asm,
            Litmus::C => idiom_of_test(text),
        })
    }

    fn parse(&self, text: &str, options: &ParseOptions) -> Parsed {
        parse(text, options.compiler)
    }

    fn rewrite(
        &self,
        text: &str,
        _: &ParseOptions,
        program: &Program,
        changes: &[Change],
    ) -> Result<Rewritten, Unwritable> {
        let rewritten = match self {
            Litmus::Assembly => rewrite::rewrite(text, program, changes),
            Litmus::C => rewrite_test(text, program, changes, &parse_with_spots),
        };
        rewritten.map(Rewritten::from)
    }

    /// Litmus tests are not a format for whole programs; `core` of the reports writes the
    /// racing core of a run as one.
    fn print(&self, _: &Program) -> Result<String, Vec<Unprintable>> {
        Err(vec![Unprintable {
            origin: Origin::default(),
            why: "programs cannot be printed as litmus tests".to_owned(),
        }])
    }
}

/// The language of a test, by its first word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Language {
    Assembly(Assembly),
    C,
}

fn language(word: &str) -> Option<Language> {
    match word {
        "X86" => Some(Language::Assembly(Assembly::X86)),
        "X86_64" => Some(Language::Assembly(Assembly::X86_64)),
        "C" => Some(Language::C),
        _ => None,
    }
}

/// The other architectures of herd. Most of them are not multi-copy atomic, or order less than stores.
const OTHERS: [&str; 11] = [
    "AArch64", "ARM", "ASL", "Bell", "BPF", "CPP", "JAVA", "LISA", "MIPS", "PPC", "RISCV",
];

/// The first word of a text, after comments.
fn first_word(text: &str) -> &str {
    let mut rest = text.trim_start();
    // Comments nest, but the text after the first line is only used for a guess.
    while let Some(comment) = rest.strip_prefix("(*") {
        let Some(end) = comment.find("*)") else { break };
        rest = comment[end + 2..].trim_start();
    }
    let len = rest.find(char::is_whitespace).unwrap_or(rest.len());
    &rest[..len]
}

/// Parses a test; if it is in C, as the code that this compiler produces.
fn parse(text: &str, compiler: Compiler) -> Parsed {
    parse_with_spots(text, compiler).0
}

/// The same, and the positions of a test in C.
fn parse_with_spots(text: &str, compiler: Compiler) -> (Parsed, Spots) {
    let lines = Lines::new(text);
    let mut diagnostics = Vec::new();
    let is_c = language(first_word(text)) == Some(Language::C);
    let spans = frame::expectations(text, is_c);
    let comments: Vec<(&str, Span)> = spans
        .into_iter()
        .map(|span| (&text[span.clone()], span))
        .collect();
    let mut drafts = expectation::read(&comments, &lines, &mut diagnostics);
    let reading = |positions| Reading {
        compiler,
        positions,
    };
    let merged = reading(Positions::Merged);
    let found = read(text, is_c, merged, &lines, &mut diagnostics);
    let read = found.filter(|_| !has_errors(&diagnostics));
    let apart = read.as_ref().filter(|_| is_c).and_then(|_| {
        let apart = reading(Positions::Apart);
        self::read(text, is_c, apart, &lines, &mut Vec::new())
    });
    let (apart, spots) = apart.map(|(program, _, spots)| (program, spots)).unzip();
    let read = read.map(|(program, test, _)| (program, test));
    if let Some((program, test)) = &read {
        let mut names = Names::of_test(program, test.positive());
        expectation::resolve(&mut drafts, &mut names);
        diagnostics.extend(names.into_diagnostics());
    }
    sort_and_truncate(&mut diagnostics);
    let read = read.filter(|_| !has_errors(&diagnostics));
    let (program, litmus) = read.unzip();
    let apart = apart.filter(|_| program.is_some());
    let parsed = Parsed {
        program,
        expectations: expectation::finish(drafts),
        diagnostics,
        litmus,
        apart,
        joined: None,
        files: Files::default(),
        ordered: None,
        assumed_edition: None,
    };
    (parsed, spots.unwrap_or_default())
}

fn read(
    text: &str,
    is_c: bool,
    reading: Reading,
    lines: &Lines<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(Program, LitmusTest, Spots)> {
    let frame = frame::frame(text, is_c, diagnostics)?;
    match language(&text[frame.arch.clone()]) {
        Some(Language::Assembly(assembly)) => {
            let (program, test) = asm::read(assembly, &frame, lines, diagnostics)?;
            Some((program, test, Spots::new()))
        }
        Some(Language::C) => c::read(&frame, reading, lines, diagnostics),
        None => {
            let arch = &text[frame.arch.clone()];
            if OTHERS.iter().any(|other| other.eq_ignore_ascii_case(arch)) {
                let message = format!("litmus tests for {arch} are not supported");
                let error = Diagnostic::error(message, frame.arch.clone());
                diagnostics.push(error.label("expected X86, X86_64 or C"));
                return None;
            }
            let hint = nearest(arch, ["X86", "X86_64", "C"].into_iter()).map_or_else(
                || "expected X86, X86_64 or C".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            diagnostics.push(
                Diagnostic::error(format!("unknown architecture `{arch}`"), frame.arch.clone())
                    .label(hint),
            );
            None
        }
    }
}

/// Adds the condition to a program that is otherwise complete. Reports its errors.
fn finish(
    mut builder: ProgramBuilder,
    test: LitmusTest,
    span: &Span,
    lines: &Lines<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(Program, LitmusTest)> {
    let (kind, predicate) = test.property();
    builder.property(kind, predicate, lines.origin(span));
    match builder.build() {
        Ok(program) => Some((program, test)),
        Err(errors) => {
            diagnostics.extend(errors.into_iter().map(|error| {
                let span = error.origin.start as usize..error.origin.end as usize;
                Diagnostic::error(error.message, span)
            }));
            None
        }
    }
}
