//! Threads of the structured form.
//!
//! Every statement is lowered between two given locations. So branches and loops need no steps of
//! their own: a `while` is its condition's two exits and a body that leads back.
//!
//! A draft traverses the thread once. Its state is here; the traversal is in the submodules:
//! sequences of statements (`stmt`), branches and jumps (`control`), labels (`label`), procedures
//! (`call`), expressions as values (`expr`), as control flow (`condition`) and as cells (`place`),
//! fences (`fence`), and instructions with the syntax of calls (`locked`). It maintains three
//! tables: the registers (`registers`), the private names bound to them (`private`), and marks of
//! where control is at each point of the text where a fence can be inserted.

mod call;
mod condition;
mod control;
mod expr;
mod fence;
mod label;
mod locked;
mod place;
mod private;
mod registers;
mod stmt;

pub(super) use call::{assigned, check_uncalled};

use super::super::ast::Block;
use super::graph::{Graph, Node};
use super::{InsertionPoint, Scope, ThreadNames};
use crate::program::{Op, ProgramBuilder, ThreadId};
use crate::text::Span;
use call::Frame;
use control::Loop;
use private::{Level, PrivateNames};
use registers::{Registers, Unique};
use std::collections::BTreeMap;

/// An insertion point, and where control is there.
#[derive(PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) point: InsertionPoint,
    /// The call depth at which it was lowered.
    pub(super) calls: usize,
    node: Node,
}

/// A thread that is being lowered.
struct ThreadDraft<'s, 'a> {
    scope: &'s mut Scope<'a>,
    graph: Graph,
    tid: Option<i32>,
    /// Whether this is an uncalled procedure, which is lowered for its errors only.
    uncalled: bool,
    registers: Registers,
    private: PrivateNames<'a>,
    loops: Vec<Loop>,
    frames: Vec<Frame<'a>>,
    atomic: bool,
    depth: usize,
    /// Whether a label or loop has occurred, so that what follows may run more than once.
    repeats: bool,
    /// Names of the thread's own labels, for properties.
    labels: BTreeMap<String, Node>,
    label_names: Unique,
    marks: Vec<Mark>,
}

/// Lowers a thread and returns the parts of it that properties can refer to.
pub(super) fn lower<'a>(
    scope: &mut Scope<'a>,
    builder: &mut ProgramBuilder,
    thread: ThreadId,
    body: &'a Block,
    tid: Option<i32>,
) -> ThreadNames {
    let mut draft = ThreadDraft::new(scope, tid);
    let entry = draft.graph.fresh();
    let exit = draft.graph.exit;
    draft.body(None, Level::new(), body, entry, exit);
    draft.scope.instructions += draft.graph.len();
    let ThreadDraft {
        graph,
        registers,
        labels,
        marks,
        ..
    } = draft;
    let mut names = ThreadNames::new(thread);
    for (name, init) in registers.into_list() {
        let reg = builder.register(thread, &name, init);
        names.registers.insert(name, reg);
    }
    let end = scope.lines.origin(&body.end);
    let mut location = graph.finish(builder, thread, entry, end);
    for (name, node) in labels {
        if let Some(loc) = location(node) {
            names.labels.insert(name, loc);
        }
    }
    for mark in marks {
        scope
            .insertion_points
            .mark(&mark, thread, location(mark.node));
    }
    names
}

impl<'s, 'a> ThreadDraft<'s, 'a> {
    fn new(scope: &'s mut Scope<'a>, tid: Option<i32>) -> Self {
        Self {
            scope,
            graph: Graph::new(),
            tid,
            uncalled: false,
            registers: Registers::default(),
            private: PrivateNames::default(),
            loops: Vec::new(),
            frames: Vec::new(),
            atomic: false,
            depth: 0,
            repeats: false,
            labels: BTreeMap::new(),
            label_names: Unique::default(),
            marks: Vec::new(),
        }
    }

    /// Records that control is at this node at an insertion point.
    fn mark(&mut self, point: InsertionPoint, node: Node) {
        let calls = self.frames.len();
        match point {
            InsertionPoint::Statement(_)
            | InsertionPoint::BlockEnd(..)
            | InsertionPoint::Else(..)
            | InsertionPoint::Label(_)
            | InsertionPoint::Edge(_) => self.graph.begins_statement(node),
            InsertionPoint::Within(_) | InsertionPoint::Around(..) => {}
        }
        self.marks.push(Mark { point, calls, node });
    }

    /// Adds an instruction to a new location and moves `at` there.
    fn step(&mut self, at: &mut Node, op: Op, span: &Span) {
        let to = self.graph.fresh();
        let origin = self.scope.lines.origin(span);
        self.graph.checked(*at, op, to, origin);
        *at = to;
    }

    /// The name outside of the innermost body for a name in it.
    fn shown(&self, name: &str) -> String {
        match self.frames.last().and_then(|frame| frame.procedure) {
            None => name.to_owned(),
            Some(at) => format!("{}'{name}", self.scope.procedures[at].name.text),
        }
    }
}
