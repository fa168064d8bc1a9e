//! Lowering: syntax tree to program. Names are resolved, procedures are inlined, and expressions
//! are split into loads.
//!
//! Errors do not stop the lowering: what cannot be resolved is left out and everything else is
//! still checked, so that all errors of a file are reported at once. Errors that several modules
//! report have one wording (`errors`).
//!
//! Declarations come first (`declare`, `constant`), then the threads in either form (`thread`,
//! `automaton`), then the properties (`property`). The lowering also records which location each
//! position of the text has (`insertion`).
//!
//! **Bounded:** a program has at most [`MOST_INSTRUCTIONS`] instructions, so that nested procedures
//! cannot expand without limit.

mod automaton;
mod builtin;
mod constant;
mod declare;
mod errors;
mod graph;
mod insertion;
mod numbers;
mod property;
mod thread;

pub(super) use insertion::{InsertionPoint, InsertionPoints};

use super::ast::{CopiesAst, Item, Name};
use crate::program::{Addr, Copies, LocId, Program, ProgramBuilder, RegId, ThreadId};
use crate::text::{Diagnostic, Lines, Positions, Span, has_errors};
use ahash::{AHashMap, AHashSet};
use numbers::Kinds;
use std::collections::{BTreeMap, BTreeSet};

/// A program has at most this many instructions.
pub(super) const MOST_INSTRUCTIONS: usize = 100_000;
/// A thread has at most this many declared copies.
const MOST_COPIES: i32 = 1_000;

/// Properties can name this many copies of a thread in any number of copies.
const MOST_NAMED: i32 = 6;

/// A shared variable or array.
#[derive(Clone, Copy, Debug)]
struct SharedName {
    base: Addr,
    len: usize,
    array: bool,
    /// Whether the number of elements is unknown, which has been reported.
    bad_len: bool,
}

/// A procedure.
struct Procedure<'a> {
    name: &'a Name,
    params: &'a [Name],
    body: &'a super::ast::Block,
    /// The names that it assigns to, which may include its parameters.
    assigned: AHashSet<&'a str>,
    called: bool,
    /// Whether it returns a value.
    returns: bool,
}

/// The parts of a thread that properties can refer to.
#[derive(Debug)]
pub(super) struct ThreadNames {
    registers: BTreeMap<String, RegId>,
    labels: BTreeMap<String, LocId>,
    thread: ThreadId,
}

impl ThreadNames {
    fn new(thread: ThreadId) -> Self {
        Self {
            registers: BTreeMap::new(),
            labels: BTreeMap::new(),
            thread,
        }
    }
}

/// Everything that a file declares, and its diagnostics so far.
pub(super) struct Scope<'a> {
    positions: Positions,
    lines: &'a Lines<'a>,
    diagnostics: Vec<Diagnostic>,
    skipped_names: AHashSet<&'a str>,
    /// Malformed numbers, which have been reported.
    bad_numbers: &'a [Span],
    /// Constants whose values are unknown, which has been reported.
    bad_constants: BTreeSet<&'a str>,
    reported: AHashSet<String>,
    constants: BTreeMap<&'a str, i32>,
    regions: BTreeMap<String, SharedName>,
    procedures: Vec<Procedure<'a>>,
    procedure_names: BTreeMap<&'a str, usize>,
    /// By thread name.
    threads: BTreeMap<String, ThreadNames>,
    insertion_points: InsertionPoints,
    instructions: usize,
    too_large: bool,
    papers_assert: Option<Span>,
    /// The labels, as written in threads and procedures, that some property requires a thread not
    /// to be at.
    negated: BTreeSet<&'a str>,
    /// By thread: the greatest number of a copy that a property names.
    named_copies: BTreeMap<String, i32>,
    /// The names of all threads.
    declared: BTreeSet<String>,
    /// The copies that properties name, before their thread with `[*]` is lowered.
    unclaimed: Vec<ThreadId>,
    /// Whether copies that are in any number differ by `tid`.
    told_apart: bool,
}

/// One of the threads that a declaration stands for.
#[derive(Clone)]
struct Copy {
    full: String,
    /// The name in properties.
    known_as: String,
    copies: Copies,
    /// Its number, if it has one.
    tid: Option<i32>,
    /// Whether it is a copy of the thread with `[*]` that follows.
    is_of_class: bool,
}

/// A lowered file.
pub(super) struct Lowered<'a> {
    /// `None` if there is an error in `diagnostics`.
    pub(super) program: Option<Program>,
    pub(super) scope: Scope<'a>,
}

/// Lowers the items of a file. `bad_numbers`: the spans of malformed numbers.
pub(super) fn lower<'a>(
    items: &'a [Item],
    skipped_names: &[&'a str],
    bad_numbers: &'a [Span],
    lines: &'a Lines<'a>,
    positions: Positions,
) -> Lowered<'a> {
    let mut scope = Scope {
        positions,
        lines,
        diagnostics: Vec::new(),
        skipped_names: skipped_names.iter().copied().collect(),
        bad_numbers,
        bad_constants: BTreeSet::new(),
        reported: AHashSet::new(),
        constants: BTreeMap::new(),
        regions: BTreeMap::new(),
        procedures: Vec::new(),
        procedure_names: BTreeMap::new(),
        threads: BTreeMap::new(),
        insertion_points: InsertionPoints::default(),
        instructions: 0,
        too_large: false,
        papers_assert: None,
        negated: property::negated(items),
        named_copies: property::named_copies(items),
        declared: items.iter().filter_map(declared).collect(),
        unclaimed: Vec::new(),
        told_apart: false,
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
        scope.refuse_if_about_all(item);
        if let Item::Property(kind, predicate, span) = item
            && let Some(predicate) = scope.predicate(predicate)
        {
            builder.property(*kind, predicate, scope.lines.origin(span));
        }
        if let Item::Stuck(thread, predicate, span) = item
            && let Some((kind, predicate)) =
                scope.stuck(thread.as_deref(), predicate.as_ref(), span)
        {
            builder.property(kind, predicate, scope.lines.origin(span));
        }
    }
    if let Some(span) = scope.papers_assert.take() {
        scope.diagnostics.push(
            Diagnostic::warning("`assert` blocks the thread in the automaton form", span)
                .label("first used here")
                .note(
                    "as in the papers, a thread waits at an `assert` that does not hold; write \
                     `assume` to keep this meaning, or `property` to check that it holds",
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

    /// Whether the program is too large with this many more instructions. Reports it once.
    fn is_too_large(&mut self, more: usize, span: &Span) -> bool {
        if self.instructions + more > MOST_INSTRUCTIONS && !self.too_large {
            self.too_large = true;
            self.error(
                Diagnostic::error(
                    format!("the program expands to more than {MOST_INSTRUCTIONS} instructions"),
                    span.clone(),
                )
                .label("limit exceeded here")
                .note("procedures are inlined at each call, and each copy of a thread is lowered"),
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
                self.declared_twice("thread", &name, &first);
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
                            .label(format!("expected between 1 and {MOST_COPIES}"))
                            .note("`[*]` means any number of copies"),
                        );
                        (Copies::One, Some(1))
                    }
                    None => (Copies::One, Some(1)),
                },
            };
            for copy in self.copies(item, &name, copies, count, &span) {
                self.copy(item, &span, copy, builder);
            }
        }
    }

    /// The threads that a declaration stands for.
    fn copies(
        &mut self,
        item: &'a Item,
        name: &str,
        copies: Copies,
        count: Option<i32>,
        span: &Span,
    ) -> Vec<Copy> {
        let numbered = |tid: i32| Copy {
            full: format!("{name}.{tid}"),
            known_as: format!("{name}.{tid}"),
            copies: Copies::One,
            tid: None,
            is_of_class: false,
        };
        let whole = Copy {
            full: name.to_owned(),
            known_as: name.to_owned(),
            copies,
            ..numbered(0)
        };
        if let Some(count) = count {
            let all = (0..count).map(|tid| Copy {
                tid: Some(tid),
                ..numbered(tid)
            });
            return all.collect();
        }
        if copies == Copies::One {
            return vec![whole];
        }
        let last = self.last_named(name, copies, span);
        if let Item::Thread(_, body) = item
            && let Some(kinds) = self.kinds_of_copies(name, body)
        {
            // A copy that a property names is the one with that number.
            let apart = kinds.apart.max(last.map_or(0, |last| last + 1));
            let kinds = Kinds { apart, ..kinds };
            self.told_apart = true;
            let singles = (0..apart).map(|tid| Copy {
                tid: Some(tid),
                ..numbered(tid)
            });
            let rest = kinds.representatives().map(|tid| {
                let full = if kinds.modulus == 1 {
                    name.to_owned()
                } else {
                    format!("{name}.mod{}_{}", kinds.modulus, tid % kinds.modulus)
                };
                Copy {
                    known_as: full.clone(),
                    full,
                    tid: Some(tid),
                    ..whole.clone()
                }
            });
            return singles.chain(rest).collect();
        }
        // The copies that properties name are threads of their own, and the thread with `[*]` is the
        // last of them.
        let Some(last) = last else {
            return vec![whole];
        };
        let named = (0..last).map(|tid| Copy {
            is_of_class: true,
            ..numbered(tid)
        });
        let known_as = format!("{name}.{last}");
        named.chain([Copy { known_as, ..whole }]).collect()
    }

    /// Lowers one of the threads that a declaration stands for.
    fn copy(&mut self, item: &'a Item, span: &Span, copy: Copy, builder: &mut ProgramBuilder) {
        if self.threads.contains_key(&copy.full) {
            let name = Name {
                text: copy.full,
                span: span.clone(),
            };
            self.declared_twice("thread", &name, span);
            return;
        }
        let thread = builder.thread(&copy.full, copy.copies, self.lines.origin(span));
        let names = if let Item::Thread(_, body) = item {
            thread::lower(self, builder, thread, body, copy.tid)
        } else if let Item::Automaton(_, body) = item {
            automaton::lower(self, builder, thread, body)
        } else {
            return;
        };
        if copy.is_of_class {
            self.unclaimed.push(thread);
        } else if copy.copies == Copies::Any {
            for named in self.unclaimed.drain(..) {
                builder.copy_of(named, thread);
            }
        }
        self.threads.insert(copy.known_as, names);
    }

    /// The number of the last copy of this thread in any number of copies that a property names, if
    /// it is not declared itself.
    fn last_named(&mut self, name: &str, copies: Copies, span: &Span) -> Option<i32> {
        let last = match copies {
            Copies::Any => *self.named_copies.get(name)?,
            Copies::One => return None,
        };
        if (0..=last).any(|number| self.declared.contains(&format!("{name}.{number}"))) {
            return None;
        }
        if last < MOST_NAMED {
            return Some(last);
        }
        self.error(
            Diagnostic::error(
                format!("a property names copy {last} of thread `{name}`"),
                span.clone(),
            )
            .label(format!("properties can name {MOST_NAMED} copies of it"))
            .note(format!(
                "`{name}.0` and `{name}.1` are any two copies, so small numbers are enough"
            )),
        );
        None
    }
}

/// The name of the thread that an item declares.
fn declared(item: &Item) -> Option<String> {
    match item {
        Item::Thread(head, _) | Item::Automaton(head, _) => Some(joined(&head.name).0),
        Item::Program(..)
        | Item::Shared(..)
        | Item::Const(..)
        | Item::Proc(..)
        | Item::Property(..)
        | Item::Stuck(..)
        | Item::Error => None,
    }
}

/// The parts of a dotted name, joined, and the span of all of them.
fn joined(parts: &[Name]) -> (String, Span) {
    let text: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
    let start = parts.first().map_or(0, |part| part.span.start);
    let end = parts.last().map_or(0, |part| part.span.end);
    (text.join("."), start..end)
}

impl Lowered<'_> {
    /// Where fences can be inserted.
    pub(super) fn into_insertion_points(self) -> InsertionPoints {
        self.scope.insertion_points
    }

    /// The diagnostics since the last call, except those that only follow from malformed numbers.
    pub(super) fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        let mut all = std::mem::take(&mut self.scope.diagnostics);
        all.retain(|diagnostic| !self.scope.has_bad_number(&diagnostic.span));
        all
    }
}
