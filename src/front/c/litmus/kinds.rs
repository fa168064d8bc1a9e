//! Numbers and addresses: which of the two each variable of a test holds.
//!
//! A test has no types to herd: a location, and a register, may hold the address of another one. Its value
//! means nothing to the author of the test, who compares and prints addresses as names, and computes nothing
//! with them. So each variable holds one or the other; 0 is both. A test that mixes them is refused.
//!
//! Variables that exchange values are in one class. What a pointer points to that is not the parameter of
//! a thread itself may be any variable of that size whose address is a value somewhere (*escapes*).
//!
//! **Absent** where integers and pointers do not exchange values at all: types say which is which.

mod fold;
mod walk;

use super::{Functions, Reporter, Scalar, scalar};
use crate::text::{Diagnostic, Place, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A variable of a test.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Holder {
    /// A shared variable, or the elements of an array.
    Cell(String),
    /// A variable of a thread, by the index of the thread.
    Local(usize, String),
}

/// What the initial state says of a variable.
pub(crate) struct Fact {
    pub(crate) holder: Holder,
    /// The shared variable whose address it holds; otherwise it holds a number that is not 0.
    pub(crate) address: Option<String>,
    pub(crate) span: Span,
}

/// What exchanges values with others.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Node {
    Cell(String),
    /// By function and local variable.
    Local(usize, usize),
    Result(usize),
    /// What an access through a pointer finds, by its size and whether it is a pointer.
    Through(u8, bool),
}

/// The value of an expression.
#[derive(Clone, Copy, Debug)]
enum Flow {
    /// 0, or nothing.
    Zero,
    Number(Place),
    Address(Place),
    /// What is in this class.
    Class(usize),
}

/// Classes of variables, with the kinds of their values.
#[derive(Default)]
pub(crate) struct Kinds {
    nodes: BTreeMap<Node, usize>,
    parent: Vec<usize>,
    /// Whether it holds addresses, and where that is determined.
    kind: Vec<Option<(bool, Span)>>,
    /// What may be accessed through a pointer, and its type.
    escaped: BTreeSet<(Node, u8, bool)>,
    /// Whether integers and pointers exchange values anywhere.
    mixed: bool,
    conflicts: Vec<Diagnostic>,
    /// Of each thread, its function and the names of its variables.
    threads: Vec<(usize, BTreeMap<String, Vec<usize>>)>,
}

impl Kinds {
    fn class(&mut self, node: Node) -> usize {
        let next = self.parent.len();
        let class = *self.nodes.entry(node).or_insert(next);
        if class == next {
            self.parent.push(next);
            self.kind.push(None);
        }
        self.root(class)
    }

    fn root(&self, mut at: usize) -> usize {
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }

    fn mark(&mut self, at: usize, address: bool, span: &Span) {
        let at = self.root(at);
        match &self.kind[at] {
            None => self.kind[at] = Some((address, span.clone())),
            Some((known, first)) if *known != address => {
                let what = |address| {
                    if address {
                        "an address here"
                    } else {
                        "a number here"
                    }
                };
                let error = Diagnostic::error("an address is used as a number", span.clone())
                    .label(what(address))
                    .other(first.clone(), what(*known))
                    .note("addresses can only be copied, compared and dereferenced");
                self.conflicts.push(error);
            }
            Some(_) => {}
        }
    }

    /// Records that a value passes between these two.
    fn pass(&mut self, a: usize, b: usize, span: &Span) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        self.parent[b] = a;
        if let Some((address, first)) = self.kind[b].take() {
            let place = if self.kind[a].is_some() { span } else { &first };
            self.mark(a, address, place);
        }
    }

    /// What holds a value of the thread of this name, in every block.
    fn nodes_of(&self, holder: &Holder) -> Vec<Node> {
        match holder {
            Holder::Cell(name) => vec![Node::Cell(name.clone())],
            Holder::Local(thread, name) => {
                let found = self.threads.get(*thread);
                let found =
                    found.and_then(|(function, locals)| Some((*function, locals.get(name)?)));
                found.map_or_else(Vec::new, |(function, locals)| {
                    let locals = locals.iter();
                    locals.map(|local| Node::Local(function, *local)).collect()
                })
            }
        }
    }

    fn fact(&mut self, fact: &Fact, cells: &BTreeMap<String, Scalar>) {
        let own = match &fact.holder {
            Holder::Cell(name) => cells.get(name).copied(),
            Holder::Local(..) => None,
        };
        self.mixed |= fact.address.is_some() && own.is_some_and(|scalar| scalar.stars == 0);
        for node in self.nodes_of(&fact.holder) {
            let class = self.class(node);
            self.mark(class, fact.address.is_some(), &fact.span);
        }
        if let Some(to) = &fact.address {
            self.escapes(to, cells);
        }
    }

    fn escapes(&mut self, name: &str, cells: &BTreeMap<String, Scalar>) {
        if let Some(scalar) = cells.get(name) {
            let (bits, pointer) = accessed(*scalar);
            self.escaped
                .insert((Node::Cell(name.to_owned()), bits, pointer));
        }
    }

    /// Joins what pointers access with what they may point to.
    fn finish(&mut self, span: &Span) {
        let through: Vec<Node> = self.nodes.keys().cloned().collect();
        for node in through {
            let Node::Through(bits, pointer) = node else {
                continue;
            };
            let class = self.class(node);
            for (to, of, is_pointer) in self.escaped.clone() {
                if of == bits && (self.mixed || is_pointer == pointer) {
                    let to = self.class(to);
                    self.pass(class, to, span);
                }
            }
        }
        for (node, _, pointer) in self.escaped.clone() {
            if pointer {
                let class = self.class(node);
                self.mark(class, true, span);
            }
        }
    }

    /// Whether integers hold addresses anywhere.
    pub(crate) fn is_mixed(&self) -> bool {
        self.mixed
    }

    /// Whether a variable holds addresses; `None` if it holds 0 alone.
    pub(crate) fn is_address(&self, holder: &Holder) -> Option<bool> {
        if !self.mixed {
            return None;
        }
        let nodes = self.nodes_of(holder);
        let mut kinds = nodes.iter().filter_map(|node| {
            let class = self.root(*self.nodes.get(node)?);
            self.kind[class].as_ref().map(|(address, _)| *address)
        });
        kinds.next()
    }
}

/// The size of an access to a variable, and whether it is one of a pointer.
fn accessed(scalar: Scalar) -> (u8, bool) {
    if scalar.stars > 0 {
        (64, true)
    } else {
        (scalar.bits, false)
    }
}

impl Functions {
    /// What the variables of a test hold, whose shared variables have these types. Replaces what is 0 whatever
    /// the values are, as in `x + (r ^ r)`.
    pub(crate) fn kinds(
        &mut self,
        cells: &BTreeMap<String, Scalar>,
        facts: &[Fact],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Kinds {
        let mut kinds = Kinds::default();
        for thread in &self.threads {
            let mut locals: BTreeMap<String, Vec<usize>> = BTreeMap::new();
            let function = &self.unit.functions[thread.id.0];
            for (at, local) in function.locals.iter().enumerate() {
                locals.entry(local.name.clone()).or_default().push(at);
            }
            kinds.threads.push((thread.id.0, locals));
        }
        let check = Reporter {
            diagnostics,
            files: &self.files,
        };
        for id in 0..self.unit.functions.len() {
            let is_thread = self.threads.iter().any(|thread| thread.id.0 == id);
            let mut body = std::mem::take(&mut self.unit.functions[id].body);
            let function = &self.unit.functions[id];
            fold::stmts(&mut body, &function.locals);
            let mut walk = walk::Walk::new(&mut kinds, &check, id, function, is_thread, cells);
            walk.stmts(&body);
            self.unit.functions[id].body = body;
        }
        for fact in facts {
            kinds.fact(fact, cells);
        }
        let span = self.threads.first().map_or(0..0, |thread| {
            super::span(&self.files, self.unit.functions[thread.id.0].place)
        });
        kinds.finish(&span);
        if kinds.mixed {
            diagnostics.append(&mut kinds.conflicts);
        }
        kinds
    }
}
