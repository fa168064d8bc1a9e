//! Syntax tree to program: names are resolved, procedures inlined, expressions cut into loads.
//!
//! Errors do not stop the lowering: what cannot be resolved is left out, and everything else is
//! still checked, so that all errors of a file come at once. What several rooms may complain
//! of is worded once (`complaint`).
//!
//! Declarations come first (`declare`, `constant`), then the threads, each in its form (`thread`,
//! `automaton`), then what is asked of all of them (`property`). On the way it is written down where
//! in the text control passes (`spot`).
//!
//! **Bounded:** a program has no more than [`MOST_INSTRUCTIONS`] instructions, so that nested
//! procedures cannot unfold without end.

mod automaton;
mod builtin;
mod complaint;
mod constant;
mod declare;
mod graph;
mod property;
mod spot;
mod thread;

pub(super) use spot::{Spot, Spots};

use super::ast::{CopiesAst, Item, Name};
use crate::program::{Addr, Copies, LocId, Program, ProgramBuilder, RegId, ThreadId};
use crate::text::{Diagnostic, Lines, Positions, Span, has_errors};
use ahash::{AHashMap, AHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// A program has no more instructions than this.
pub(super) const MOST_INSTRUCTIONS: usize = 100_000;
/// A thread has no more declared copies than this.
const MOST_COPIES: i32 = 1_000;

/// A shared name.
#[derive(Clone, Copy, Debug)]
struct Region {
    base: Addr,
    len: usize,
    array: bool,
    /// Whether the number of cells is not known, which was said.
    lost: bool,
}

/// A procedure.
struct Procedure<'a> {
    name: &'a Name,
    params: &'a [Name],
    body: &'a super::ast::Block,
    /// The names that it assigns to, its parameters perhaps among them.
    assigned: AHashSet<&'a str>,
    called: bool,
}

/// What properties can name of a thread.
#[derive(Debug)]
pub(super) struct Names {
    registers: BTreeMap<String, RegId>,
    labels: BTreeMap<String, LocId>,
    thread: ThreadId,
}

impl Names {
    fn new(thread: ThreadId) -> Self {
        Self {
            registers: BTreeMap::new(),
            labels: BTreeMap::new(),
            thread,
        }
    }
}

/// Everything that a file declares, and what is wrong with it so far.
pub(super) struct Scope<'a> {
    positions: Positions,
    lines: &'a Lines<'a>,
    diagnostics: Vec<Diagnostic>,
    doubtful: AHashSet<&'a str>,
    /// Numbers that were none, which was said.
    lost: &'a [Span],
    /// Constants whose values are not known, which was said.
    lost_constants: BTreeSet<&'a str>,
    reported: AHashSet<String>,
    constants: BTreeMap<&'a str, i32>,
    regions: BTreeMap<String, Region>,
    procedures: Vec<Procedure<'a>>,
    procedure_names: BTreeMap<&'a str, usize>,
    /// By thread name.
    threads: BTreeMap<String, Names>,
    spots: Spots,
    instructions: usize,
    too_large: bool,
    papers_assert: Option<Span>,
    /// The labels, as threads and procedures write them, that some property asks a thread not to be
    /// at.
    negated: BTreeSet<&'a str>,
}

/// A lowered file.
pub(super) struct Lowered<'a> {
    /// Absent if there is an error in `diagnostics`.
    pub(super) program: Option<Program>,
    pub(super) scope: Scope<'a>,
}

/// Makes a program of a file's items. `lost`: numbers that were none.
pub(super) fn lower<'a>(
    items: &'a [Item],
    doubtful: &[&'a str],
    lost: &'a [Span],
    lines: &'a Lines<'a>,
    positions: Positions,
) -> Lowered<'a> {
    let mut scope = Scope {
        positions,
        lines,
        diagnostics: Vec::new(),
        doubtful: doubtful.iter().copied().collect(),
        lost,
        lost_constants: BTreeSet::new(),
        reported: AHashSet::new(),
        constants: BTreeMap::new(),
        regions: BTreeMap::new(),
        procedures: Vec::new(),
        procedure_names: BTreeMap::new(),
        threads: BTreeMap::new(),
        spots: Spots::default(),
        instructions: 0,
        too_large: false,
        papers_assert: None,
        negated: property::negated(items),
    };
    let mut builder = ProgramBuilder::new(scope.program_name(items));
    scope.constants(items);
    let declares = scope.cells(items, &mut builder);
    scope.procedures(items);
    if !declares {
        automaton::implicit_cells(items, &mut scope, &mut builder);
    }
    scope.threads(items, &mut builder);
    thread::check_uncalled(&mut scope);
    for item in items {
        if let Item::Property(kind, predicate, span) = item
            && let Some(predicate) = scope.predicate(predicate)
        {
            builder.property(*kind, predicate, scope.lines.origin(span));
        }
    }
    if let Some(span) = scope.papers_assert.take() {
        scope.diagnostics.push(
            Diagnostic::warning("`assert` blocks in the automaton form", span)
                .label("the first one here")
                .note(
                    "as in the papers, it is passed only where it holds; `assume` says the same, \
                     `property` states what must hold",
                ),
        );
    }
    let failed = has_errors(&scope.diagnostics);
    let program = if failed {
        None
    } else {
        match builder.build() {
            Ok(program) => Some(program),
            Err(errors) => {
                scope.diagnostics.extend(errors.into_iter().map(|error| {
                    Diagnostic::error(
                        error.message,
                        error.origin.start as usize..error.origin.end as usize,
                    )
                }));
                None
            }
        }
    };
    Lowered { program, scope }
}

impl<'a> Scope<'a> {
    fn error(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Whether the program has grown too large, with these many instructions more. Says so once.
    fn is_too_large(&mut self, more: usize, span: &Span) -> bool {
        if self.instructions + more > MOST_INSTRUCTIONS && !self.too_large {
            self.too_large = true;
            self.error(
                Diagnostic::error(
                    format!("the program unfolds to more than {MOST_INSTRUCTIONS} instructions"),
                    span.clone(),
                )
                .label("too many from here on")
                .note(
                    "procedures are inlined at each call, and copies of threads are made one by one",
                ),
            );
        }
        self.too_large
    }

    fn threads(&mut self, items: &'a [Item], builder: &mut ProgramBuilder) {
        let mut places: AHashMap<String, Span> = AHashMap::new();
        for item in items {
            let (Item::Thread(head, _) | Item::Automaton(head, _)) = item else {
                continue;
            };
            let (name, span) = joined(&head.name);
            if let Some(first) = places.insert(name.clone(), span.clone()) {
                let name = Name { text: name, span };
                self.twice("thread", &name, &first);
                continue;
            }
            let (copies, count) = match &head.copies {
                CopiesAst::One => (Copies::One, None),
                CopiesAst::Any => (Copies::Any, None),
                CopiesAst::Count(e) => match self.constant(e) {
                    Some(count) if (1..=MOST_COPIES).contains(&count) => (Copies::One, Some(count)),
                    Some(count) => {
                        self.error(
                            Diagnostic::error(
                                format!("a thread cannot have {count} copies"),
                                e.span.clone(),
                            )
                            .label(format!("between 1 and {MOST_COPIES}"))
                            .note("`[*]` stands for any number of copies"),
                        );
                        (Copies::One, Some(1))
                    }
                    None => (Copies::One, Some(1)),
                },
            };
            for tid in 0..count.unwrap_or(1) {
                let full = match count {
                    None => name.clone(),
                    Some(_) => format!("{name}.{tid}"),
                };
                if self.threads.contains_key(&full) {
                    let name = Name {
                        text: full,
                        span: span.clone(),
                    };
                    self.twice("thread", &name, &span);
                    continue;
                }
                let thread = builder.thread(&full, copies, self.lines.origin(&span));
                let tid = count.map(|_| tid);
                let names = if let Item::Thread(_, body) = item {
                    thread::lower(self, builder, thread, body, tid)
                } else if let Item::Automaton(_, body) = item {
                    automaton::lower(self, builder, thread, body)
                } else {
                    continue;
                };
                self.threads.insert(full, names);
            }
        }
    }
}

/// The parts of a dotted name, and the place of all of them.
fn joined(parts: &[Name]) -> (String, Span) {
    let text: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
    let start = parts.first().map_or(0, |part| part.span.start);
    let end = parts.last().map_or(0, |part| part.span.end);
    (text.join("."), start..end)
}

impl Lowered<'_> {
    /// Where fences can be written.
    pub(super) fn into_spots(self) -> Spots {
        self.scope.spots
    }

    /// The diagnostics since the last call, but for what follows from numbers that are none.
    pub(super) fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        let mut all = std::mem::take(&mut self.scope.diagnostics);
        all.retain(|diagnostic| !self.scope.is_lost(&diagnostic.span));
        all
    }
}
