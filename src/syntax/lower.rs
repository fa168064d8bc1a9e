//! Syntax tree to program: names are resolved, procedures inlined, expressions cut into loads.
//!
//! Errors do not stop the lowering: what cannot be resolved is left out, and everything else is
//! still checked, so that all errors of a file come at once. A name that is unknown is reported
//! once, however often it occurs, and not at all if its declaration may have been lost by an error
//! of the grammar.
//!
//! **Bounded:** a program has no more than [`MOST_INSTRUCTIONS`] instructions, so that nested
//! procedures cannot unfold without end.

mod automaton;
mod builtin;
mod graph;
mod property;
mod thread;

use super::ast::{CopiesAst, Expr, ExprKind, Initial, Item, Name, SharedAst};
use super::diagnostic::{Diagnostic, Span, nearest};
use super::lines::Lines;
use crate::program::{
    Addr, BinaryOp, Copies, FIRST_ADDRESS, LocId, Program, ProgramBuilder, RegId, ThreadId,
};
use ahash::{AHashMap, AHashSet};
use builtin::Builtin;
use std::collections::BTreeMap;

/// A program has no more instructions than this.
pub(super) const MOST_INSTRUCTIONS: usize = 100_000;
/// A program has no more cells than this.
const MOST_CELLS: usize = 1 << 20;
/// A thread has no more declared copies than this.
const MOST_COPIES: i32 = 1_000;

/// A shared name.
#[derive(Clone, Copy, Debug)]
struct Region {
    base: Addr,
    len: usize,
    array: bool,
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
    lines: &'a Lines<'a>,
    diagnostics: Vec<Diagnostic>,
    doubtful: AHashSet<&'a str>,
    reported: AHashSet<String>,
    constants: BTreeMap<&'a str, i32>,
    regions: BTreeMap<String, Region>,
    procedures: Vec<Procedure<'a>>,
    procedure_names: BTreeMap<&'a str, usize>,
    /// By thread name.
    threads: BTreeMap<String, Names>,
    instructions: usize,
    too_large: bool,
    papers_assert: Option<Span>,
}

/// A lowered file.
pub(super) struct Lowered<'a> {
    /// Absent if there is an error in `diagnostics`.
    pub(super) program: Option<Program>,
    pub(super) scope: Scope<'a>,
}

/// Makes a program of a file's items.
pub(super) fn lower<'a>(
    items: &'a [Item],
    doubtful: &[&'a str],
    lines: &'a Lines<'a>,
) -> Lowered<'a> {
    let mut scope = Scope {
        lines,
        diagnostics: Vec::new(),
        doubtful: doubtful.iter().copied().collect(),
        reported: AHashSet::new(),
        constants: BTreeMap::new(),
        regions: BTreeMap::new(),
        procedures: Vec::new(),
        procedure_names: BTreeMap::new(),
        threads: BTreeMap::new(),
        instructions: 0,
        too_large: false,
        papers_assert: None,
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
    let failed = scope
        .diagnostics
        .iter()
        .any(|d| d.severity == super::Severity::Error);
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

    /// Whether it would be news that nobody declared this name. Asked before candidates are
    /// collected, which is not free; and nobody reads hundreds of hints.
    fn is_news(&self, what: &str, name: &str) -> bool {
        self.reported.len() < super::diagnostic::MOST_ERRORS
            && !self.doubtful.contains(name)
            && !self.reported.contains(&format!("{what} {name}"))
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

    /// Reports a name that nobody declared, once, with the nearest candidate.
    fn unknown(&mut self, what: &str, name: &str, span: &Span, candidates: &[&str]) {
        if !self.is_news(what, name) {
            return;
        }
        self.reported.insert(format!("{what} {name}"));
        let mut diagnostic = Diagnostic::error(format!("unknown {what} `{name}`"), span.clone());
        match nearest(name, candidates.iter().copied()) {
            Some(near) => diagnostic = diagnostic.label(format!("did you mean `{near}`?")),
            None => diagnostic = diagnostic.label("not declared"),
        }
        self.error(diagnostic);
    }

    /// Finds the program's name; a second one is an error.
    fn program_name(&mut self, items: &[Item]) -> String {
        let mut found: Option<&Name> = None;
        for item in items {
            if let Item::Program(name) = item {
                if let Some(first) = found {
                    let first = first.span.clone();
                    self.error(
                        Diagnostic::error("the program is named twice", name.span.clone())
                            .label("second name")
                            .other(first, "first name"),
                    );
                } else {
                    found = Some(name);
                }
            }
        }
        found.map(|name| name.text.clone()).unwrap_or_default()
    }

    fn constants(&mut self, items: &'a [Item]) {
        let mut places: AHashMap<&str, &Span> = AHashMap::new();
        for item in items {
            let Item::Const(list) = item else { continue };
            for (name, value) in list {
                let value = self.constant(value);
                if let Some(first) = places.insert(&name.text, &name.span) {
                    self.twice("constant", name, first);
                    continue;
                }
                // A wrong value is reported once, not at each use.
                self.constants.insert(&name.text, value.unwrap_or(1));
            }
        }
    }

    fn twice(&mut self, what: &str, name: &Name, first: &Span) {
        self.error(
            Diagnostic::error(
                format!("{what} `{}` is declared twice", name.text),
                name.span.clone(),
            )
            .label("declared again here")
            .other(first.clone(), "first declared here"),
        );
    }

    /// Declares the shared names. Returns whether there are `shared` declarations at all, if only
    /// lost ones.
    fn cells(&mut self, items: &'a [Item], builder: &mut ProgramBuilder) -> bool {
        let list: Vec<&SharedAst> = items
            .iter()
            .filter_map(|item| {
                if let Item::Shared(list) = item {
                    Some(list)
                } else {
                    None
                }
            })
            .flatten()
            .collect();
        let mut places: AHashMap<&str, &Span> = AHashMap::new();
        let mut next = FIRST_ADDRESS;
        let mut declared = Vec::new();
        for shared in &list {
            let name = &shared.name;
            if let Some(first) = places.insert(&name.text, &name.span) {
                self.twice("shared name", name, first);
                continue;
            }
            if self.constants.contains_key(name.text.as_str()) {
                self.error(
                    Diagnostic::error(
                        format!("`{}` is a constant already", name.text),
                        name.span.clone(),
                    )
                    .label("shared names and constants need different names"),
                );
                continue;
            }
            let most = MOST_CELLS as i32 - next + FIRST_ADDRESS;
            let len = match &shared.size {
                None => 1,
                Some(size) => match self.constant(size) {
                    Some(len) if len >= 1 && len <= most => len,
                    Some(len) => {
                        let message = if len < 1 {
                            format!("an array needs at least one cell, not {len}")
                        } else {
                            format!("all cells together must not be more than {MOST_CELLS}")
                        };
                        self.error(Diagnostic::error(message, size.span.clone()));
                        1
                    }
                    None => 1,
                },
            };
            self.regions.insert(
                name.text.clone(),
                Region {
                    base: Addr(next),
                    len: len as usize,
                    array: shared.size.is_some(),
                },
            );
            next += len;
            declared.push((*shared, len as usize));
        }
        // Initial values may be addresses of any cell, so that all must be known first.
        for (shared, len) in declared {
            let init = self.initial(shared, len);
            if shared.size.is_some() {
                builder.array(&shared.name.text, init);
            } else {
                builder.cell(&shared.name.text, init[0]);
            }
        }
        !list.is_empty() || items.iter().any(|item| matches!(item, Item::Error))
    }

    fn initial(&mut self, shared: &SharedAst, len: usize) -> Vec<i32> {
        match &shared.initial {
            Initial::Zero => vec![0; len],
            Initial::All(value) => vec![self.constant(value).unwrap_or(0); len],
            Initial::Each(values) => {
                if shared.size.is_none() || values.len() != len {
                    let message = if shared.size.is_none() {
                        format!("`{}` is one cell and takes one value", shared.name.text)
                    } else {
                        format!(
                            "`{}` has {len} cells, but {} values are given",
                            shared.name.text,
                            values.len()
                        )
                    };
                    self.error(Diagnostic::error(message, shared.name.span.clone()));
                    return vec![0; len];
                }
                values
                    .iter()
                    .map(|value| self.constant(value).unwrap_or(0))
                    .collect()
            }
        }
    }

    fn procedures(&mut self, items: &'a [Item]) {
        for item in items {
            let Item::Proc(name, params, body) = item else {
                continue;
            };
            if Builtin::named(&name.text).is_some() {
                self.error(
                    Diagnostic::error(
                        format!("`{}` is an instruction of the language", name.text),
                        name.span.clone(),
                    )
                    .label("a procedure needs another name"),
                );
                continue;
            }
            if let Some(&first) = self.procedure_names.get(name.text.as_str()) {
                let first = self.procedures[first].name.span.clone();
                self.twice("procedure", name, &first);
                continue;
            }
            for (i, param) in params.iter().enumerate() {
                if let Some(first) = params[..i].iter().find(|p| p.text == param.text) {
                    self.twice("parameter", param, &first.span);
                }
            }
            self.procedure_names
                .insert(&name.text, self.procedures.len());
            self.procedures.push(Procedure {
                name,
                params,
                body,
                assigned: thread::assigned(body),
                called: false,
            });
        }
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

    /// The value of an expression of constants and addresses; reports why it is none.
    fn constant(&mut self, e: &Expr) -> Option<i32> {
        match &e.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Paren(inner) => self.constant(inner),
            ExprKind::Name(name) => {
                if let Some(value) = self.constants.get(name.as_str()) {
                    return Some(*value);
                }
                if self.regions.contains_key(name) {
                    self.error(
                        Diagnostic::error(
                            format!("`{name}` is a shared name, not a constant"),
                            e.span.clone(),
                        )
                        .label("expected a constant"),
                    );
                } else {
                    if !self.is_news("constant", name) {
                        return None;
                    }
                    let candidates: Vec<&str> = self.constants.keys().copied().collect();
                    self.unknown("constant", name, &e.span, &candidates);
                }
                None
            }
            ExprKind::Unary(op, a) => Some(op.apply(self.constant(a)?)),
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.constant(a), self.constant(b));
                let (left, right) = (left?, right?);
                if matches!(op, BinaryOp::Div | BinaryOp::Rem) && right == 0 {
                    self.divides_by_zero(&b.span);
                    return None;
                }
                Some(op.apply(left, right))
            }
            ExprKind::Conditional(parts) => {
                let values = [
                    self.constant(&parts[0]),
                    self.constant(&parts[1]),
                    self.constant(&parts[2]),
                ];
                let [c, a, b] = values;
                Some(if c? == 0 { b? } else { a? })
            }
            ExprKind::AddressOf(place) => self.static_place(place).map(|(addr, _)| addr.0),
            ExprKind::Index(..)
            | ExprKind::Deref(_)
            | ExprKind::Call(..)
            | ExprKind::Path(_)
            | ExprKind::At(..) => {
                self.error(
                    Diagnostic::error("this is no constant", e.span.clone())
                        .label("expected a constant"),
                );
                None
            }
        }
    }

    fn divides_by_zero(&mut self, span: &Span) {
        self.error(Diagnostic::error("division by 0", span.clone()).label("this is 0"));
    }

    /// The cells that a place names without looking at registers or memory: the first, and how
    /// many. Reports why there are none.
    fn static_place(&mut self, e: &Expr) -> Option<(Addr, usize)> {
        match &e.kind {
            ExprKind::Paren(inner) | ExprKind::AddressOf(inner) => self.static_place(inner),
            ExprKind::Name(name) => {
                if let Some(region) = self.regions.get(name) {
                    return Some((region.base, region.len));
                }
                if !self.is_news("shared name", name) {
                    return None;
                }
                let candidates: Vec<String> = self.regions.keys().cloned().collect();
                let candidates: Vec<&str> = candidates.iter().map(String::as_str).collect();
                self.unknown("shared name", name, &e.span, &candidates);
                None
            }
            ExprKind::Index(name, index) => {
                let region = self.array(name)?;
                let index_value = self.constant(index)?;
                self.element(name, region, index_value, &index.span)
                    .map(|addr| (addr, 1))
            }
            ExprKind::Int(_)
            | ExprKind::Deref(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(_)
            | ExprKind::Call(..)
            | ExprKind::Path(_)
            | ExprKind::At(..) => {
                self.error(
                    Diagnostic::error("this is no shared cell", e.span.clone())
                        .label("expected a shared name or an element of an array"),
                );
                None
            }
        }
    }

    /// The array of this name; reports why there is none.
    fn array(&mut self, name: &Name) -> Option<Region> {
        match self.regions.get(&name.text) {
            Some(region) if region.array => Some(*region),
            Some(_) => {
                self.error(
                    Diagnostic::error(
                        format!("`{}` is one cell, not an array", name.text),
                        name.span.clone(),
                    )
                    .label("takes no index"),
                );
                None
            }
            None => {
                if !self.is_news("array", &name.text) {
                    return None;
                }
                let candidates: Vec<String> = self
                    .regions
                    .iter()
                    .filter(|(_, region)| region.array)
                    .map(|(name, _)| name.clone())
                    .collect();
                let candidates: Vec<&str> = candidates.iter().map(String::as_str).collect();
                self.unknown("array", &name.text, &name.span, &candidates);
                None
            }
        }
    }

    /// The cell at a constant position of an array; reports if it is outside.
    fn element(&mut self, name: &Name, region: Region, index: i32, span: &Span) -> Option<Addr> {
        if index >= 0 && (index as usize) < region.len {
            return Some(Addr(region.base.0 + index));
        }
        self.error(
            Diagnostic::error(
                format!("index {index} is outside `{}`", name.text),
                span.clone(),
            )
            .label(format!(
                "`{}` has {} cells, numbered from 0",
                name.text, region.len
            )),
        );
        None
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
    /// The diagnostics since the last call.
    pub(super) fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.scope.diagnostics)
    }
}

impl Scope<'_> {
    /// Reports a place for a fence that does not exist.
    pub(super) fn unknown_place(&mut self, place: &str, span: &Span) {
        if !self.is_news("place", place) {
            return;
        }
        let candidates: Vec<String> = self
            .threads
            .iter()
            .flat_map(|(thread, names)| names.labels.keys().map(move |l| format!("{thread}@{l}")))
            .collect();
        let candidates: Vec<&str> = candidates.iter().map(String::as_str).collect();
        self.unknown("place", place, span, &candidates);
    }

    pub(super) fn wrong_count(&mut self, name: &Name, found: usize, expected: &str) {
        self.error(
            Diagnostic::error(
                format!("`{}` takes {expected}, not {found}", name.text),
                name.span.clone(),
            )
            .label(format!("{found} given")),
        );
    }
}
