//! Private names: what a `local` or a parameter is bound to, from its declaration to the end of its
//! block.
//!
//! Procedures are inlined, but their bodies cannot see the names of their callers: a lookup ends at
//! the parameters of the innermost body.

use super::ThreadDraft;
use crate::native::ast::Name;
use crate::program::RegId;
use crate::text::Span;
use ahash::AHashMap;

/// What a private name is bound to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Binding {
    Register(RegId),
    /// A parameter that is never assigned to and is called with a constant.
    Value(i32),
}

/// The private names of one block, or the parameters of one body, and where they are declared.
pub(super) type Level<'a> = AHashMap<&'a str, (Binding, Span)>;

/// The private names of all enclosing bodies and blocks.
#[derive(Default)]
pub(super) struct PrivateNames<'a> {
    levels: Vec<Level<'a>>,
    /// The first level of each body: its parameters.
    bodies: Vec<usize>,
}

impl<'a> PrivateNames<'a> {
    pub(super) fn enter_body(&mut self, parameters: Level<'a>) {
        self.bodies.push(self.levels.len());
        self.levels.push(parameters);
    }

    pub(super) fn leave_body(&mut self) {
        self.levels.pop();
        self.bodies.pop();
    }

    pub(super) fn enter_block(&mut self) {
        self.levels.push(Level::new());
    }

    pub(super) fn leave_block(&mut self) {
        self.levels.pop();
    }

    /// Declares a name in the innermost block.
    pub(super) fn declare(&mut self, name: &'a Name, binding: Binding) {
        if let Some(level) = self.levels.last_mut() {
            level.insert(&name.text, (binding, name.span.clone()));
        }
    }

    /// What a name is bound to here.
    pub(super) fn get(&self, name: &str) -> Option<Binding> {
        self.visible()
            .iter()
            .rev()
            .find_map(|level| level.get(name))
            .map(|(binding, _)| *binding)
    }

    /// Where a name that is visible here was declared; the outermost declaration if there are
    /// several.
    pub(super) fn place(&self, name: &str) -> Option<&Span> {
        self.visible()
            .iter()
            .find_map(|level| level.get(name))
            .map(|(_, span)| span)
    }

    fn visible(&self) -> &[Level<'a>] {
        &self.levels[self.bodies.last().copied().unwrap_or(0)..]
    }
}

impl ThreadDraft<'_, '_> {
    /// Reports an undeclared name, private or shared.
    pub(super) fn unknown_name(&mut self, what: &str, name: &str, span: &Span) {
        self.scope.unknown(what, name, span, |scope| {
            let private = self.private.visible().iter().flat_map(|level| level.keys());
            let mut candidates: Vec<String> = private.map(|name| (*name).to_owned()).collect();
            candidates.sort();
            candidates.extend(scope.regions.keys().cloned());
            candidates.extend(scope.constants.keys().map(|name| (*name).to_owned()));
            candidates
        });
    }
}
