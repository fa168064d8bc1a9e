//! Labels and `goto`: each body has its own labels, whose locations are created before its first
//! statement is lowered.

use super::ThreadDraft;
use crate::native::ast::{Block, Name, StmtKind};
use crate::native::lower::graph::Node;
use crate::program::Origin;
use ahash::AHashMap;

/// The labels of one body.
pub(super) type Labels<'a> = AHashMap<&'a str, Node>;

impl<'a> ThreadDraft<'_, 'a> {
    /// Creates a location for each label of a body.
    pub(super) fn collect_labels(&mut self, body: &'a Block) -> Labels<'a> {
        let mut labels = Labels::new();
        let mut places = AHashMap::new();
        for stmt in body.all_stmts() {
            let StmtKind::Label(name) = &stmt.kind else {
                continue;
            };
            if let Some(first) = places.insert(&name.text, &name.span) {
                let (a, b) = (first.clone(), name.span.clone());
                let (first, again) = if a.start < b.start { (a, b) } else { (b, a) };
                let name = Name {
                    text: name.text.clone(),
                    span: again,
                };
                self.scope.declared_twice("label", &name, &first);
            } else {
                labels.insert(&name.text, self.graph.fresh());
            }
        }
        labels
    }

    /// Binds a label to this location. What follows may run more than once.
    pub(super) fn bind_label(&mut self, name: &'a Name, at: Node) {
        self.repeats = true;
        let Some(node) = self.label_node(&name.text) else {
            return;
        };
        let shown = self.shown(&name.text);
        let unique = self.label_names.make(&shown);
        self.graph.merge(at, node);
        if self.scope.negated.contains(name.text.as_str()) {
            self.graph.keep_unsplit(at);
        }
        let origin = self.scope.lines.origin(&name.span);
        self.graph.label(at, unique.clone(), origin);
        self.labels.insert(unique, at);
    }

    pub(super) fn goto(&mut self, name: &Name, from: Node, origin: Origin) {
        if let Some(target) = self.label_node(&name.text) {
            self.graph.silent(from, target, origin);
            return;
        }
        self.scope.unknown("label", &name.text, &name.span, |_| {
            let own = self.frames.last().map(|frame| frame.labels.keys());
            let own = own.into_iter().flatten().copied();
            let mut labels: Vec<String> = own.map(str::to_owned).collect();
            labels.sort_unstable();
            labels
        });
    }

    /// The location of a label of the innermost body.
    fn label_node(&self, name: &str) -> Option<Node> {
        self.frames.last()?.labels.get(name).copied()
    }
}
