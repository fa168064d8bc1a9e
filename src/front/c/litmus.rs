//! Threads of litmus tests in C.
//!
//!   text ──preprocess──▶ tokens ──`void` before `P0 (…)`──▶ parse, check ──prepare──▶ lower
//!
//! The caller has the test's initial state and condition; here are the functions between them. Places
//! and diagnostics are those of the whole text: what surrounds the functions is blanked, and a first
//! line that includes the header of litmus tests is not counted.
//!
//! A thread is a function named `P` and a number, whose parameters point to shared variables: `x` is the
//! address of the variable `x`. Other functions are called like any others.

mod kinds;
mod prepare;
mod threads;

use super::check::{INT, InitialType, Registers, integer, pointer};
use super::parse as parser;
use super::preprocess::{Files, MAIN, Options, preprocess};
pub(crate) use super::rewrite::rewrite_test;
use super::without_directives;
pub(crate) use crate::lower::Spots;
use crate::lower::typed::{
    FunctionId, Initialised, LibraryType, LocalId, Object, Stmt, StmtKind, Type, TypeKind, Unit,
};
use crate::lower::{Lowered, Places, Test, Thread, lower_test};
use crate::program::{Origin, ProgramBuilder, RegId};
use crate::text::{Compiler, Diagnostic, Lines, Place, Positions, Span, has_errors};
pub(crate) use kinds::{Fact, Holder, Kinds};
use std::collections::BTreeMap;
use std::ops::Range;
pub(super) use threads::thread_number;
use threads::{threads, with_results};

/// The line before the text.
const FIRST: &str = "#include <fencepost/litmus.h>\n";

/// A scalar type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Scalar {
    /// Of what is pointed to in the end, or of the type itself.
    pub(crate) bits: u8,
    pub(crate) signed: bool,
    /// How many pointers lead there.
    pub(crate) stars: u8,
}

/// A parameter of a thread: the shared variable of this name.
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) span: Span,
    /// The type of the shared variable.
    pub(crate) scalar: Scalar,
}

/// A thread of a test.
pub(crate) struct Function {
    /// `7` of `P7`.
    pub(crate) number: i64,
    pub(crate) parameters: Vec<Parameter>,
    id: FunctionId,
}

/// A shared variable, or an array of them.
pub(crate) struct Cells {
    pub(crate) name: String,
    /// What they hold initially.
    pub(crate) init: Vec<i32>,
    pub(crate) array: bool,
    /// The type of each, unless a parameter of this name has one.
    pub(crate) scalar: Scalar,
    /// The address of the first one. The cells of all variables follow each other.
    pub(crate) address: i64,
}

/// What a test says of a local variable.
#[derive(Default)]
pub(crate) struct Named {
    /// Its value before the thread begins.
    pub(crate) initial: Option<i32>,
}

/// A local variable with a final value.
pub(crate) struct Local {
    pub(crate) register: RegId,
    pub(crate) scalar: Scalar,
}

/// A test as a program without its condition.
pub(crate) struct Program {
    pub(crate) builder: ProgramBuilder,
    /// Of each thread: the local variables that the test names.
    pub(crate) locals: Vec<BTreeMap<String, Local>>,
    /// The 64-bit sums, and whether each is in a loop.
    pub(crate) sums: Vec<(Span, bool)>,
    /// The greatest constant, without its sign.
    pub(crate) greatest: u64,
    /// The positions of the text.
    pub(crate) spots: Spots,
}

/// Whose code a test is, and whether its positions have locations of their own.
#[derive(Clone, Copy)]
pub(crate) struct Reading {
    pub(crate) compiler: Compiler,
    pub(crate) positions: Positions,
}

/// The functions of a test.
pub(crate) struct Functions {
    pub(crate) threads: Vec<Function>,
    unit: Unit,
    files: Files,
}

/// Parses the functions in this part of a text. What is not a thread of a test is reported.
pub(crate) fn parse(
    text: &str,
    code: Range<usize>,
    initial: &[(i64, String, Initial)],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Functions> {
    let blank = |c: char| if c == '\n' { "\n" } else { " " }.repeat(c.len_utf8());
    let before: String = text[..code.start].chars().map(blank).collect();
    let main = format!("{FIRST}{before}{}", &text[code]);
    let options = Options {
        includes: &[],
        defines: &[],
        undefines: &[],
        include: None,
    };
    let mut found = Vec::new();
    let preprocessed = preprocess(&main, "<input>", &options, Files::default(), &mut found);
    for diagnostic in &mut found {
        diagnostic.span = shifted(&diagnostic.span);
        for (span, _) in &mut diagnostic.others {
            *span = shifted(span);
        }
    }
    diagnostics.append(&mut found);
    if has_errors(diagnostics) {
        return None;
    }
    let files = preprocessed.files;
    let mut check = Reporter {
        diagnostics,
        files: &files,
    };
    let tokens = with_results(&preprocessed.tokens, &mut check);
    let to_span = |place: Place| span(&files, place);
    let registers = registers(initial);
    let unit = parser::parse(
        std::slice::from_ref(&tokens),
        &parser::Wanted {
            test: Some(&registers),
            ..parser::Wanted::default()
        },
        check.diagnostics,
        &to_span,
    )?;
    let threads = threads(&unit, &tokens, &mut check);
    Some(Functions {
        threads,
        unit,
        files,
    })
}

/// What the initial state says of the type of a thread's variable.
pub(crate) enum Initial {
    Declared(Scalar),
    /// That of a pointer to this shared variable.
    AddressOf(String),
}

fn registers(initial: &[(i64, String, Initial)]) -> Registers {
    let of = |(thread, name, initial): &(i64, String, Initial)| {
        let ty = match initial {
            Initial::Declared(scalar) => InitialType::Declared(type_of(*scalar)),
            Initial::AddressOf(name) => InitialType::AddressOf(name.clone()),
        };
        ((format!("P{thread}"), name.clone()), ty)
    };
    initial.iter().map(of).collect()
}

/// A span of the text with its first line as one without.
fn shifted(span: &Span) -> Span {
    span.start.saturating_sub(FIRST.len())..span.end.saturating_sub(FIRST.len())
}

fn span(files: &Files, place: Place) -> Span {
    shifted(&files.span(place))
}

/// Reports errors at places of the text.
struct Reporter<'r> {
    diagnostics: &'r mut Vec<Diagnostic>,
    files: &'r Files,
}

impl Reporter<'_> {
    fn error(&self, message: impl Into<String>, place: Place) -> Diagnostic {
        Diagnostic::error(message, span(self.files, place))
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }
}

/// A type as a scalar.
fn scalar(ty: &Type) -> Option<Scalar> {
    let (bits, signed, stars) = match &ty.kind {
        TypeKind::Bool => (8, false, 0),
        TypeKind::Int { bits, signed } => (*bits, *signed, 0),
        TypeKind::Pointer(to) => {
            let to = scalar(to)?;
            (to.bits, to.signed, to.stars.saturating_add(1))
        }
        TypeKind::Library(LibraryType::Mutex | LibraryType::Spinlock) => (32, true, 0),
        TypeKind::Void
        | TypeKind::Float { .. }
        | TypeKind::Array(..)
        | TypeKind::Struct(_)
        | TypeKind::Function(..)
        | TypeKind::Library(_) => return None,
    };
    Some(Scalar {
        bits,
        signed,
        stars,
    })
}

/// A scalar as a type.
fn type_of(scalar: Scalar) -> Type {
    let base = integer(scalar.bits, scalar.signed);
    (0..scalar.stars).fold(base, |ty, _| pointer(ty))
}

/// Places of a test in its text.
struct InTest<'a> {
    files: &'a Files,
    lines: &'a Lines<'a>,
}

impl Places for InTest<'_> {
    fn is_written(&self, place: Place) -> bool {
        self.files.written(place).is_some()
    }

    fn before(&self, place: Place) -> &str {
        without_directives(&self.files.joined()[..self.files.span(place).start])
    }

    fn strengthens(&self, place: Place) -> bool {
        super::rewrite::strengthened(Places::text(self, place)).is_some()
    }

    fn text(&self, place: Place) -> &str {
        &self.files.joined()[self.files.span(place)]
    }

    fn span(&self, place: Place) -> Span {
        span(self.files, place)
    }

    fn origin(&self, place: Place) -> Origin {
        self.lines.origin(&self.span(place))
    }
}

impl Functions {
    /// The local variables of a thread, for messages.
    pub(crate) fn locals(&self, thread: usize) -> impl Iterator<Item = &str> {
        let function = &self.unit.functions[self.threads[thread].id.0];
        let locals = function.locals.iter().skip(function.parameters);
        locals.map(|local| local.name.as_str())
    }

    /// The type of a local variable of a thread, if it is a scalar that is declared.
    pub(crate) fn local(&self, thread: usize, name: &str) -> Option<Scalar> {
        let function = &self.unit.functions[self.threads[thread].id.0];
        let mut locals = function.locals.iter().skip(function.parameters);
        scalar(&locals.find(|local| local.name == name)?.ty)
    }

    /// Declares a variable of a thread that only the condition or the initial state names: an `int`, or an
    /// address.
    pub(crate) fn declare(&mut self, thread: usize, name: &str, scalar: Scalar) {
        let function = &mut self.unit.functions[self.threads[thread].id.0];
        let (id, place) = (LocalId(function.locals.len()), function.place);
        function.locals.push(crate::lower::typed::Local {
            name: name.to_owned(),
            ty: type_of(scalar),
            addressed: false,
            temporary: false,
        });
        let kind = StmtKind::Declare(id, Vec::new(), Initialised::No);
        function.body.insert(0, Stmt { kind, place });
    }

    /// The program of a test with these shared variables; `named`: by thread, the local variables that
    /// the test names. `None` with errors among the diagnostics.
    pub(crate) fn lower(
        mut self,
        name: &str,
        reading: Reading,
        cells: &[Cells],
        named: &[BTreeMap<String, Named>],
        lines: &Lines<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Program> {
        let mut check = Reporter {
            diagnostics,
            files: &self.files,
        };
        let mut greatest = 0;
        let mut observed = Vec::new();
        let none = BTreeMap::new();
        for id in 0..self.unit.functions.len() {
            let at = self.threads.iter().position(|thread| thread.id.0 == id);
            let named = at.map_or(&none, |at| &named[at]);
            let function = &mut self.unit.functions[id];
            let mut prepare =
                prepare::Prepare::new(function, at.is_some(), named, cells, &mut check);
            let found = prepare.function();
            greatest = greatest.max(prepare.greatest);
            if let Some(at) = at {
                observed.push((at, found));
            }
        }
        if has_errors(check.diagnostics) {
            return None;
        }
        for cells in cells {
            let object = self.object(cells);
            self.unit.objects.push(object);
        }
        let mut threads = Vec::new();
        observed.sort_by_key(|(at, _)| *at);
        for (thread, (_, observed)) in self.threads.iter().zip(&observed) {
            let names = thread.parameters.iter().map(|parameter| &parameter.name);
            let address = |name: &String| cells.iter().find(|cells| cells.name == *name);
            threads.push(Thread {
                function: thread.id,
                arguments: names
                    .map(|name| address(name).map_or(0, |cells| cells.address))
                    .collect(),
                observed: observed.values().copied().collect(),
            });
        }
        let test = Test {
            unit: &self.unit,
            name,
            compiler: reading.compiler,
            positions: reading.positions,
            cells: cells.iter().map(|cells| cells.init.clone()).collect(),
            threads,
        };
        let places = InTest {
            files: &self.files,
            lines,
        };
        let Lowered {
            builder,
            registers,
            sums,
            spots,
        } = lower_test(&test, &places, diagnostics)?;
        let locals = registers.iter().zip(&observed);
        let locals = locals.enumerate().map(|(at, (registers, (_, observed)))| {
            let local = |name: &String, id: &LocalId| {
                Some(Local {
                    register: *registers.get(id)?,
                    scalar: self.local(at, name)?,
                })
            };
            let observed = observed.iter();
            observed
                .filter_map(|(name, id)| Some((name.clone(), local(name, id)?)))
                .collect()
        });
        Some(Program {
            locals: locals.collect(),
            builder,
            sums: sums
                .into_iter()
                .map(|(place, repeated)| (span(&self.files, place), repeated))
                .collect(),
            greatest,
            spots,
        })
    }

    /// Shared variables as an object of the unit.
    fn object(&self, cells: &Cells) -> Object {
        let parameter = self.threads.iter().find_map(|thread| {
            let mut names = thread.parameters.iter();
            let at = names.position(|parameter| parameter.name == cells.name)?;
            self.unit.functions[thread.id.0].locals[at].ty.pointee()
        });
        let ty = parameter.cloned().unwrap_or_else(|| type_of(cells.scalar));
        let kind = TypeKind::Array(Box::new(ty.clone()), cells.init.len() as u32);
        Object {
            name: cells.name.clone(),
            ty: if cells.array {
                Type { kind, ..INT }
            } else {
                ty
            },
            init: Vec::new(),
            tail: 0,
            thread_local: false,
            reached: true,
            place: Place {
                file: MAIN,
                start: 0,
                end: 0,
            },
        }
    }
}
