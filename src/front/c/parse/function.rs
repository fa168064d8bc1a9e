//! Functions with a body.

use super::Parser;
use super::declarator::Declarator;
use super::specifiers::{Specifiers, Storage};
use crate::c::check::{Body, Checked, Symbol};
use crate::lower::typed::{Function, FunctionId, Initialised, LocalId, Stmt, StmtKind, TypeKind};
use crate::text::{Diagnostic, Place};

impl Parser<'_> {
    /// A function after its declarator; its body comes next.
    pub(super) fn definition(
        &mut self,
        specifiers: &Specifiers,
        declarator: &Declarator,
    ) -> Checked<()> {
        if !self.check.is_file_scope() {
            return Err(self.check.error_with(
                "nested functions are not supported",
                declarator.place,
                "move the function out of the one around it",
            ));
        }
        if matches!(specifiers.storage, Storage::Typedef | Storage::Automatic) {
            let message = "a function with a body is `static`, `extern` or neither";
            return Err(self.check.error(message, declarator.place));
        }
        let parameters = declarator.function.clone().unwrap_or_default();
        let TypeKind::Function(returns, _) = &declarator.ty.kind else {
            return Err(self.unexpected("`;`"));
        };
        let name = declarator.name.clone();
        let place = declarator.place;
        if !returns.is_void() {
            self.check.size(returns, place)?;
        }
        let id = self.body_id(&name);
        let number = self.declare_function(declarator, parameters.prototype)?;
        self.check.functions[number].id = Some(id);
        if self.check.bodies[id.0].is_some() {
            let first = self.check.bodies[id.0].as_ref().map(|body| body.place);
            return Err(self.check.redeclared(&name, place, first.unwrap_or(place)));
        }
        self.check.body = Some(Body::new(name.clone(), (**returns).clone()));
        self.check.scopes.push(crate::c::check::Scope::default());
        for parameter in &parameters.list {
            self.check.size(&parameter.ty, parameter.place)?;
            let local = self.check.new_local(&parameter.name, &parameter.ty);
            if let Some(local) = local.filter(|_| !parameter.name.is_empty()) {
                let symbol = Symbol::Local(local, parameter.constant);
                self.check
                    .introduce(&parameter.name, symbol, parameter.place)?;
            }
        }
        let mut body = self.block_items()?;
        if returns.is_void() {
            // Its end is that of a block, where a fence can be.
            body.push(Stmt {
                kind: StmtKind::Block(Vec::new()),
                place: self.last_place(),
            });
        }
        self.check.scopes.truncate(1);
        let Some(known) = self.check.body.take() else {
            return Ok(());
        };
        self.labels(&known);
        let registers = known.registers.iter();
        body.splice(
            0..0,
            registers.map(|(local, place)| declared(*local, *place)),
        );
        self.check.bodies[id.0] = Some(Function {
            name,
            parameters: parameters.list.len(),
            locals: known.locals,
            returns: known.returns,
            body,
            place,
        });
        Ok(())
    }

    /// The number of a function with a body.
    fn body_id(&mut self, name: &str) -> FunctionId {
        if let Some(id) = self.check.defined.get(name) {
            return *id;
        }
        let id = FunctionId(self.check.bodies.len());
        self.check.bodies.push(None);
        self.check.defined.insert(name.to_owned(), id);
        id
    }

    /// Every jump has a label.
    fn labels(&mut self, body: &Body) {
        for (label, place) in &body.jumps {
            if body.labels.contains_key(label) {
                continue;
            }
            let labels = body.labels.keys().map(String::as_str);
            let near = crate::text::nearest(label, labels);
            let hint = near.map_or_else(String::new, |near| format!("did you mean `{near}`?"));
            let message = format!("the function has no label `{label}`");
            let error = Diagnostic::error(message, self.check.span(*place)).label(hint);
            self.check.report(error);
        }
    }
}

/// The declaration of a variable that is 0 at first, as all those of litmus tests are.
fn declared(local: LocalId, place: Place) -> Stmt {
    let kind = StmtKind::Declare(local, Vec::new(), Initialised::No);
    Stmt { kind, place }
}
