//! Procedures, which are inlined at each call: a parameter becomes a register, or is substituted if
//! it is a constant that the procedure does not assign to. `return e` assigns to the register that the
//! caller names.
//!
//! **Absent.** Recursion: a procedure whose body is being lowered cannot be called again.

use super::ThreadDraft;
use super::label::Labels;
use super::private::{Binding, Level};
use crate::native::ast::{Block, Expr, ExprKind, Name, StmtKind};
use crate::native::lower::Scope;
use crate::native::lower::builtin::Builtin;
use crate::native::lower::graph::Node;
use crate::program::{self, Op, RegId};
use crate::text::foreign::{self, foreign_word};
use crate::text::{Diagnostic, Span};
use ahash::AHashSet;

/// A body: the thread's own, or that of a procedure at one call.
pub(super) struct Frame<'a> {
    /// The procedure; `None` for the thread itself.
    pub(super) procedure: Option<usize>,
    /// The first of its loops.
    pub(super) loops: usize,
    pub(super) exit: Node,
    /// The register for the value that it returns; `None` if it returns none.
    pub(super) result: Option<RegId>,
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
        let returns = draft.scope.procedures[at].returns;
        let result = returns.then(|| draft.registers.named("$result", 0));
        let (entry, exit) = (draft.graph.fresh(), draft.graph.exit);
        draft.body(Some((at, result)), parameters, body, entry, exit);
        let drawn = draft.graph.len();
        scope.instructions += drawn;
    }
}

/// The names that a block assigns to.
pub(in super::super) fn assigned(block: &Block) -> AHashSet<&str> {
    let mut names = AHashSet::new();
    for stmt in block.all_stmts() {
        if let StmtKind::Assign(target, _) | StmtKind::Update(target, ..) = &stmt.kind
            && let ExprKind::Name(name) = &target.strip().kind
        {
            names.insert(name.as_str());
        }
    }
    names
}

impl<'a> ThreadDraft<'_, 'a> {
    /// Lowers a body with its own parameters and labels. For a procedure, also the register for the
    /// value that it returns.
    pub(super) fn body(
        &mut self,
        procedure: Option<(usize, Option<RegId>)>,
        parameters: Level<'a>,
        body: &'a Block,
        from: Node,
        exit: Node,
    ) {
        let frame = Frame {
            procedure: procedure.map(|(at, _)| at),
            result: procedure.and_then(|(_, result)| result),
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
            if let ExprKind::Name(word) = &call.strip().kind
                && !self.scope.procedure_names.contains_key(word.as_str())
                && self.private.get(word).is_none()
                && !self.scope.regions.contains_key(word)
                && let Some(instead) = foreign::statement(word)
            {
                let error = foreign_word(word, call.span.clone(), instead);
                self.scope.error(error);
                return;
            }
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
        let returns = self.scope.procedures[index].returns;
        let result = returns.then(|| self.registers.temporary(&name.text));
        if let Some(parameters) = self.parameters(index, name, arguments, &mut at) {
            self.registers.end_statement();
            self.inline((index, result), parameters, &call.span, (at, to));
        }
    }

    /// A call whose value is used: goes into this register. Returns whether there was no error.
    pub(super) fn call_for_value(
        &mut self,
        (index, name): (usize, &'a Name),
        arguments: &'a [Expr],
        into: RegId,
        (at, to): (&mut Node, Node),
        span: &Span,
    ) -> bool {
        let Some(parameters) = self.parameters(index, name, arguments, at) else {
            return false;
        };
        // The statements of the procedure must not use the temporaries of this one. And the call may
        // be in the condition of a loop, and run more than once.
        let reserved = self.registers.reserve();
        let repeats = std::mem::replace(&mut self.repeats, true);
        self.inline((index, Some(into)), parameters, span, (*at, to));
        self.repeats = repeats;
        self.registers.release(reserved);
        *at = to;
        true
    }

    /// The parameters of a procedure, bound to the values of the arguments.
    fn parameters(
        &mut self,
        index: usize,
        name: &'a Name,
        arguments: &'a [Expr],
        at: &mut Node,
    ) -> Option<Level<'a>> {
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
            return None;
        }
        let params = self.scope.procedures[index].params;
        if params.len() != arguments.len() {
            let plural = if params.len() == 1 { "" } else { "s" };
            let expected = format!("{} argument{plural}", params.len());
            self.scope.wrong_count(name, arguments.len(), &expected);
            return None;
        }
        let mut parameters = Level::new();
        for (param, argument) in params.iter().zip(arguments) {
            let value = self.value(argument, at);
            let assigned = self.scope.procedures[index]
                .assigned
                .contains(param.text.as_str());
            let binding = match value.as_const() {
                Some(value) if !assigned => Binding::Value(value),
                _ => {
                    let reg = self
                        .registers
                        .named(&format!("{}'{}", name.text, param.text), 0);
                    self.step(at, Op::Assign { into: reg, value }, &argument.span);
                    Binding::Register(reg)
                }
            };
            parameters.insert(&param.text, (binding, param.span.clone()));
        }
        Some(parameters)
    }

    /// The body of a procedure at a call, between two locations.
    fn inline(
        &mut self,
        (index, result): (usize, Option<RegId>),
        parameters: Level<'a>,
        call: &Span,
        (from, to): (Node, Node),
    ) {
        let outer = self.graph.call;
        self.graph.calls.push(program::Call {
            caller: outer,
            procedure: self.scope.procedures[index].name.text.clone(),
            origin: self.scope.lines.origin(call),
        });
        self.graph.call = Some((self.graph.calls.len() - 1).into());
        let body = self.scope.procedures[index].body;
        self.body(Some((index, result)), parameters, body, from, to);
        self.graph.call = outer;
    }
}
