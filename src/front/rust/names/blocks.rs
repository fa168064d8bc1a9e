//! Blocks with items, which are modules without names.

use super::items::Reader;
use super::{Module, Names};
use crate::rust::source::span;
use syn::visit::{self, Visit};
use syn::{Block, Item, Stmt};

impl<'a> Names<'a> {
    /// Finds the blocks with items in the body of a function of this module.
    pub(super) fn blocks_in(
        &mut self,
        module: usize,
        body: &'a Block,
        reader: &mut Reader<'_, 'a>,
    ) {
        let mut blocks = Blocks {
            names: self,
            module,
            reader,
        };
        blocks.visit_block(body);
    }

    /// The module that a block is, if it has items.
    pub(in crate::rust) fn block(&self, of: &Block) -> Option<usize> {
        self.blocks.get(&start(of)).copied()
    }
}

/// Where a block begins.
fn start(of: &Block) -> usize {
    span(&of.brace_token.span.open()).start
}

struct Blocks<'n, 'r, 'a> {
    names: &'n mut Names<'a>,
    module: usize,
    reader: &'n mut Reader<'r, 'a>,
}

impl<'a> Visit<'a> for Blocks<'_, '_, 'a> {
    fn visit_block(&mut self, of: &'a Block) {
        let items = of.stmts.iter().filter_map(|stmt| match stmt {
            Stmt::Item(item) => Some(item),
            Stmt::Local(_) | Stmt::Expr(..) | Stmt::Macro(_) => None,
        });
        let items: Vec<&Item> = items.collect();
        let macros = of.stmts.iter().filter_map(|stmt| match stmt {
            Stmt::Macro(of) if self.names.is_local(&of.mac) => Some(&of.mac),
            _ => None,
        });
        let macros: Vec<&syn::Macro> = macros.collect();
        let outside = self.module;
        if !items.is_empty() || !macros.is_empty() {
            self.module = self.names.modules.len();
            self.names.modules.push(Module {
                parent: outside,
                of_crate: self.names.modules[outside].of_crate,
                is_block: true,
                span: (span(of).start, span(of).end),
                ..Module::default()
            });
            self.names.blocks.insert(start(of), self.module);
            self.names.module(self.module, items, self.reader);
            for of in macros {
                self.names.locals_of(self.module, of, self.reader);
            }
        }
        visit::visit_block(self, of);
        self.module = outside;
    }

    /// The module has them.
    fn visit_item(&mut self, _: &'a Item) {}
}
