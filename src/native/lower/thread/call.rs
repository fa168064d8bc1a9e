//! Procedures, which are inlined at each call: a parameter becomes a register, or is substituted if
//! it is a constant that the procedure does not assign to.
//!
//! **Absent.** Recursion: a procedure whose body is being lowered cannot be called again.

use super::ThreadDraft;
use super::label::Labels;
use super::private::{Binding, Level};
use crate::native::ast::{Block, Expr, ExprKind, StmtKind};
use crate::native::lower::Scope;
use crate::native::lower::builtin::Builtin;
use crate::native::lower::graph::Node;
use crate::program::{self, Op};
use crate::text::Diagnostic;
use ahash::AHashSet;

/// A body: the thread's own, or that of a procedure at one call.
pub(super) struct Frame<'a> {
    /// The procedure; `None` for the thread itself.
    pub(super) procedure: Option<usize>,
    /// The first of its loops.
    pub(super) loops: usize,
    pub(super) exit: Node,
    pub(super) atomic: bool,
    pub(super) labels: Labels<'a>,
}

/// Lowers the procedures that no thread calls, for their errors.
pub(in super::super) fn check_uncalled(scope: &mut Scope<'_>) {
    for at in 0..scope.procedures.len() {
        if scope.procedures[at].called || scope.too_large {
            continue;
        }
        let procedure = &scope.procedures[at];
        let (params, body) = (procedure.params, procedure.body);
        let mut draft = ThreadDraft::new(scope, None);
        draft.uncalled = true;
        let mut parameters = Level::new();
        for param in params {
            let reg = draft.registers.named(&param.text, 0);
            parameters.insert(&param.text, (Binding::Register(reg), param.span.clone()));
        }
        let (entry, exit) = (draft.graph.fresh(), draft.graph.exit);
        draft.body(Some(at), parameters, body, entry, exit);
        let drawn = draft.graph.len();
        scope.instructions += drawn;
    }
}

/// The names that a block assigns to.
pub(in super::super) fn assigned(block: &Block) -> AHashSet<&str> {
    let mut names = AHashSet::new();
    for stmt in block.all_stmts() {
        if let StmtKind::Assign(target, _) = &stmt.kind
            && let ExprKind::Name(name) = &target.strip().kind
        {
            names.insert(name.as_str());
        }
    }
    names
}

impl<'a> ThreadDraft<'_, 'a> {
    /// Lowers a body with its own parameters and labels.
    pub(super) fn body(
        &mut self,
        procedure: Option<usize>,
        parameters: Level<'a>,
        body: &'a Block,
        from: Node,
        exit: Node,
    ) {
        let frame = Frame {
            procedure,
            loops: self.loops.len(),
            exit,
            atomic: self.atomic,
            labels: self.collect_labels(body),
        };
        self.frames.push(frame);
        self.private.enter_body(parameters);
        self.block(body, from, exit);
        self.private.leave_body();
        self.frames.pop();
    }

    /// A call of a procedure, or a locked instruction as a statement.
    pub(super) fn call(&mut self, call: &'a Expr, from: Node, to: Node) {
        let ExprKind::Call(name, arguments) = &call.strip().kind else {
            self.scope.error(
                Diagnostic::error("this expression has no effect", call.span.clone())
                    .label("expected a statement")
                    .note("`x = e;` assigns, `p(e);` calls a procedure"),
            );
            return;
        };
        let mut at = from;
        if Builtin::named(&name.text).is_some() {
            let into = self.registers.temporary(&name.text);
            self.locked(name, arguments, into, &mut at, Some(to), &call.span);
            return;
        }
        let Some(&index) = self.scope.procedure_names.get(name.text.as_str()) else {
            self.scope.unknown_call(name);
            return;
        };
        self.scope.procedures[index].called = true;
        if self
            .frames
            .iter()
            .any(|frame| frame.procedure == Some(index))
        {
            self.scope.error(
                Diagnostic::error(
                    format!("procedure `{}` calls itself", name.text),
                    name.span.clone(),
                )
                .label("recursive call")
                .note("procedures are inlined, so recursion is not supported; use a loop"),
            );
            return;
        }
        let procedure = &self.scope.procedures[index];
        let (params, body) = (procedure.params, procedure.body);
        if params.len() != arguments.len() {
            let plural = if params.len() == 1 { "" } else { "s" };
            let expected = format!("{} argument{plural}", params.len());
            self.scope.wrong_count(name, arguments.len(), &expected);
            return;
        }
        let mut parameters = Level::new();
        for (param, argument) in params.iter().zip(arguments) {
            let value = self.value(argument, &mut at);
            let assigned = self.scope.procedures[index]
                .assigned
                .contains(param.text.as_str());
            let binding = match value.as_const() {
                Some(value) if !assigned => Binding::Value(value),
                _ => {
                    let reg = self
                        .registers
                        .named(&format!("{}'{}", name.text, param.text), 0);
                    self.step(&mut at, Op::Assign { into: reg, value }, &argument.span);
                    Binding::Register(reg)
                }
            };
            parameters.insert(&param.text, (binding, param.span.clone()));
        }
        self.registers.end_statement();
        let outer = self.graph.call;
        self.graph.calls.push(program::Call {
            caller: outer,
            procedure: name.text.clone(),
            origin: self.scope.lines.origin(&call.span),
        });
        self.graph.call = Some((self.graph.calls.len() - 1).into());
        self.body(Some(index), parameters, body, at, to);
        self.graph.call = outer;
    }
}
