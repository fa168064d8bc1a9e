//! Declarations: the program's name, constants, shared variables and procedures.
//!
//! They are processed in this order, whatever their order in the file. A constant may use those
//! before it, the size of an array may use all constants, and an initial value all addresses.

use super::builtin::Builtin;
use super::{Procedure, Scope, SharedName, thread};
use crate::native::ast::{Initial, Item, Name, SharedAst, Stmt, StmtKind};
use crate::program::{Addr, FIRST_ADDRESS, ProgramBuilder};
use crate::text::{Diagnostic, Span};
use ahash::AHashMap;

/// A program has at most this many cells.
const MOST_CELLS: usize = 1 << 20;

impl<'a> Scope<'a> {
    /// Finds the program's name; a second one is an error.
    pub(super) fn program_name(&mut self, items: &[Item]) -> String {
        let mut found: Option<&Name> = None;
        for item in items {
            if let Item::Program(name) = item {
                if let Some(first) = found {
                    let first = first.span.clone();
                    self.error(
                        Diagnostic::error("the program has two names", name.span.clone())
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

    /// Evaluates the constants. `true` and `false` are constants, too, unless a shared variable or
    /// another constant has that name.
    pub(super) fn constants(&mut self, items: &'a [Item]) {
        let declared = |word: &str| {
            items.iter().any(|item| match item {
                Item::Shared(list) => list.iter().any(|shared| shared.name.text == word),
                Item::Const(list) => list.iter().any(|(name, _)| name.text == word),
                Item::Program(_)
                | Item::Thread(..)
                | Item::Automaton(..)
                | Item::Proc(..)
                | Item::Property(..)
                | Item::Stuck(..)
                | Item::Error => false,
            })
        };
        for (word, value) in [("true", 1), ("false", 0)] {
            if !declared(word) {
                self.constants.insert(word, value);
            }
        }
        let mut places: AHashMap<&str, &Span> = AHashMap::new();
        for item in items {
            let Item::Const(list) = item else { continue };
            for (name, value) in list {
                let value = self.constant(value);
                if let Some(first) = places.insert(&name.text, &name.span) {
                    self.declared_twice("constant", name, first);
                    continue;
                }
                // An invalid value is reported once, not at each use.
                if value.is_none() {
                    self.bad_constants.insert(&name.text);
                }
                self.constants.insert(&name.text, value.unwrap_or(1));
            }
        }
    }

    /// Declares the shared variables. Returns whether there are any `shared` declarations,
    /// including those that could not be parsed.
    pub(super) fn cells(&mut self, items: &'a [Item], builder: &mut ProgramBuilder) -> bool {
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
                self.declared_twice("shared variable", name, first);
                continue;
            }
            if self.constants.contains_key(name.text.as_str()) {
                self.error(
                    Diagnostic::error(
                        format!("`{}` is already declared as a constant", name.text),
                        name.span.clone(),
                    )
                    .label("a shared variable and a constant cannot have the same name"),
                );
                continue;
            }
            let most = MOST_CELLS as i32 - next + FIRST_ADDRESS;
            let mut bad_len = false;
            let len = match &shared.size {
                None => 1,
                Some(size) => match self.constant(size) {
                    Some(len) if len >= 1 && len <= most => len,
                    Some(len) => {
                        let message = if len < 1 {
                            format!("an array needs at least one element, not {len}")
                        } else {
                            format!("the program has more than {MOST_CELLS} memory cells")
                        };
                        self.error(Diagnostic::error(message, size.span.clone()));
                        bad_len = true;
                        1
                    }
                    None => {
                        bad_len = true;
                        1
                    }
                },
            };
            self.regions.insert(
                name.text.clone(),
                SharedName {
                    base: Addr(next),
                    len: len as usize,
                    array: shared.size.is_some(),
                    bad_len,
                },
            );
            next += len;
            declared.push((*shared, len as usize));
        }
        // Initial values may be addresses of any cell, so all addresses must be known first.
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

    /// The initial values of all cells of a shared variable.
    fn initial(&mut self, shared: &SharedAst, len: usize) -> Vec<i32> {
        match &shared.initial {
            Initial::Zero => vec![0; len],
            Initial::All(value) => vec![self.constant(value).unwrap_or(0); len],
            Initial::Each(_)
                if self
                    .regions
                    .get(&shared.name.text)
                    .is_some_and(|r| r.bad_len) =>
            {
                vec![0; len]
            }
            Initial::Each(values) => {
                if shared.size.is_none() || values.len() != len {
                    let message = if shared.size.is_none() {
                        format!(
                            "`{}` is not an array and takes a single value",
                            shared.name.text
                        )
                    } else {
                        format!(
                            "`{}` has {len} elements, but {} values are given",
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

    /// Collects the heads of the procedures. Their bodies are lowered where they are called.
    pub(super) fn procedures(&mut self, items: &'a [Item]) {
        for item in items {
            let Item::Proc(name, params, body) = item else {
                continue;
            };
            if Builtin::named(&name.text).is_some() {
                self.error(
                    Diagnostic::error(
                        format!("`{}` is a built-in instruction", name.text),
                        name.span.clone(),
                    )
                    .label("choose another name for this procedure"),
                );
                continue;
            }
            if let Some(&first) = self.procedure_names.get(name.text.as_str()) {
                let first = self.procedures[first].name.span.clone();
                self.declared_twice("procedure", name, &first);
                continue;
            }
            for (i, param) in params.iter().enumerate() {
                if let Some(first) = params[..i].iter().find(|p| p.text == param.text) {
                    self.declared_twice("parameter", param, &first.span);
                }
            }
            let returned = |stmt: &&Stmt| matches!(stmt.kind, StmtKind::Return(Some(_)));
            let returns = body.all_stmts().iter().any(returned);
            if returns && !body.never_ends() {
                self.error(
                    Diagnostic::error(
                        format!("procedure `{}` can end without a value", name.text),
                        body.end.clone(),
                    )
                    .label("expected `return e;` before this")
                    .other(name.span.clone(), "returns a value elsewhere"),
                );
            }
            self.procedure_names
                .insert(&name.text, self.procedures.len());
            self.procedures.push(Procedure {
                name,
                params,
                body,
                assigned: thread::assigned(body),
                called: false,
                returns,
            });
        }
    }
}
