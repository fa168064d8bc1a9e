//! Sequences of statements: blocks, declarations, assignments, and one call for each other kind.

use super::ThreadDraft;
use super::call::Frame;
use super::control::Jump;
use super::private::Binding;
use crate::native::ast::{Block, Expr, ExprKind, Name, Stmt, StmtKind, Stored};
use crate::native::lower::InsertionPoint;
use crate::native::lower::graph::{Node, Value};
use crate::program::{BinaryOp, FencePlace, Op, Origin, RegId, Update};
use crate::text::{Diagnostic, Positions, Span};

/// Blocks and procedures together nest at most this deep.
const MOST_NESTED: usize = 256;

impl<'a> ThreadDraft<'_, 'a> {
    pub(super) fn block(&mut self, block: &'a Block, from: Node, to: Node) {
        if self.depth >= MOST_NESTED {
            if !self.scope.too_large {
                self.scope.too_large = true;
                self.scope.error(
                    Diagnostic::error(
                        format!("blocks and procedures nest deeper than {MOST_NESTED}"),
                        block.end.clone(),
                    )
                    .label("in the block that ends here"),
                );
            }
            return;
        }
        self.depth += 1;
        self.private.enter_block();
        let mut at = from;
        let mut place: Option<(FencePlace, &Span)> = None;
        // The start of the annotations before the next statement.
        let mut start: Option<usize> = None;
        // Whether the user has a label for where control is: a labelled location is not split.
        let mut named = false;
        for stmt in &block.stmts {
            self.scope.instructions += 1;
            if self.scope.is_too_large(self.graph.len(), &stmt.span) {
                break;
            }
            if let StmtKind::Label(name) = &stmt.kind {
                if !named {
                    let (before, first) = (at, self.graph.len());
                    self.mark(
                        InsertionPoint::Statement(start.unwrap_or(stmt.whole.start)),
                        before,
                    );
                    at = self.apart(before, &stmt.span);
                    if let Some((what, _)) = place {
                        self.graph.place(first, Some(before), what);
                    }
                }
                self.bind_label(name, at);
                named = true;
                continue;
            }
            if let StmtKind::Place(what) = &stmt.kind {
                place = Some((*what, &stmt.span));
                start.get_or_insert(stmt.whole.start);
                continue;
            }
            let first = self.graph.len();
            let point = InsertionPoint::Statement(start.take().unwrap_or(stmt.whole.start));
            let before = at;
            let mut only = None;
            if let StmtKind::Local(list) = &stmt.kind {
                let start = self.at_start(at, from);
                let origin = self.scope.lines.origin(&stmt.span);
                for (name, value) in list {
                    self.local(name, value.as_ref(), start, &mut at, origin);
                }
                // The position before a mere declaration is the position before what follows it.
                if at != before {
                    self.mark(point, before);
                }
            } else if !matches!(stmt.kind, StmtKind::Error) {
                let next = self.graph.fresh();
                self.mark(point, at);
                if !named && stmt.shares_its_front() {
                    at = self.apart(at, &stmt.span);
                }
                self.statement(stmt, at, next);
                // Before a statement with blocks, an annotation applies to its beginning only.
                only = (!stmt.blocks().is_empty()).then_some(at);
                if stmt.loops_to_its_body() {
                    // Where positions are merged, there is no position before the loop: an
                    // annotation there would apply to the first one inside.
                    only = (at != before).then_some(before);
                    place = place.filter(|_| only.is_some());
                }
                at = next;
            }
            if let Some((what, _)) = place.take() {
                self.graph.place(first, only, what);
                if only.is_some() {
                    self.graph.place(first, Some(before), what);
                }
            }
            named = false;
            self.registers.end_statement();
        }
        if let Some((_, span)) = place {
            self.scope.error(
                Diagnostic::error("annotation without a statement", span.clone())
                    .label("no statement follows in this block"),
            );
        }
        self.mark(InsertionPoint::BlockEnd(block.end.start, block.start), at);
        if !named && !block.stmts.last().is_some_and(Stmt::jumps) {
            at = self.apart(at, &block.end);
        }
        let origin = self.scope.lines.origin(&block.end);
        self.graph.silent(at, to, origin);
        self.private.leave_block();
        self.depth -= 1;
    }

    /// Continues at a separate location if positions are to be apart; the step to it has this span.
    fn apart(&mut self, at: Node, span: &Span) -> Node {
        if !self.are_apart() {
            return at;
        }
        let next = self.graph.fresh();
        let origin = self.scope.lines.origin(span);
        self.graph.between(at, next, origin);
        next
    }

    /// Whether positions are apart here. They need not be where no fence is allowed.
    pub(super) fn are_apart(&self) -> bool {
        self.scope.positions == Positions::Apart && !self.atomic
    }

    /// Whether this is the beginning of the thread, where a declaration gives an initial value.
    fn at_start(&self, from: Node, entry: Node) -> bool {
        let own = matches!(
            self.frames.as_slice(),
            [Frame {
                procedure: None,
                ..
            }]
        );
        from == entry && own && self.depth == 1 && !self.repeats
    }

    /// One register of a declaration.
    pub(super) fn local(
        &mut self,
        name: &'a Name,
        value: Option<&'a Expr>,
        start: bool,
        at: &mut Node,
        origin: Origin,
    ) {
        if let Some(before) = self.private.place(&name.text).cloned() {
            self.scope.declared_twice("register", name, &before);
        } else if self.scope.regions.contains_key(&name.text)
            || self.scope.constants.contains_key(name.text.as_str())
        {
            self.scope.error(
                Diagnostic::error(
                    format!(
                        "`{}` is already declared as a shared variable or constant",
                        name.text
                    ),
                    name.span.clone(),
                )
                .label("choose another name for this register"),
            );
        }
        let shown = self.shown(&name.text);
        let known = value.map_or(Some(0), |value| self.known(value));
        // Code that runs at most once need not set a register to 0 that is 0 already; and at the
        // very start of the thread, an assignment is an initial value.
        let once = !self.repeats && self.loops.is_empty();
        if let Some(init) = known
            && (start || once && init == 0)
        {
            let reg = self.registers.named(&shown, init);
            self.private.declare(name, Binding::Register(reg));
            return;
        }
        let reg = self.registers.named(&shown, 0);
        let next = self.graph.fresh();
        // The new name is not in scope in its own initial value.
        if let Some(value) = value {
            self.assign(reg, value, *at, next);
        } else {
            let value = Value::Const(0);
            self.graph
                .edge(*at, Op::Assign { into: reg, value }, next, origin);
        }
        *at = next;
        self.private.declare(name, Binding::Register(reg));
    }

    /// Any statement that needs only the locations before and after it.
    pub(super) fn statement(&mut self, stmt: &'a Stmt, from: Node, to: Node) {
        let origin = self.scope.lines.origin(&stmt.span);
        let mut at = from;
        match &stmt.kind {
            StmtKind::Assign(target, value) => {
                self.assignment(target, value, (from, to), origin);
            }
            StmtKind::Update(target, op, operand, stored) => {
                self.compound(target, (*op, operand), *stored, (from, to), origin);
            }
            StmtKind::Call(call) => self.call(call, from, to),
            StmtKind::If(branches, last) => {
                self.conditional(branches, last.as_ref(), from, to, &stmt.span);
            }
            StmtKind::While(condition, body) => self.while_loop(condition, body, from, to, origin),
            StmtKind::For(head, body) => self.for_loop(head, body, from, to, origin),
            StmtKind::DoWhile(body, condition) => self.do_while_loop(body, condition, from, to),
            StmtKind::Loop(body) => self.endless_loop(body, from, to),
            StmtKind::Choose(blocks) => self.choose(blocks, from, to, origin),
            StmtKind::Atomic(grouping, body) => {
                self.atomic_block(*grouping, body, &stmt.span, from, to);
            }
            StmtKind::Block(body) => self.block(body, from, to),
            StmtKind::Break => self.jump(Jump::Break, &stmt.span, from),
            StmtKind::Continue => self.jump(Jump::Continue, &stmt.span, from),
            StmtKind::Return(value) => self.leave(value.as_ref(), &stmt.span, from),
            StmtKind::Goto(name) => self.goto(name, from, origin),
            StmtKind::Assume(e) => {
                if self.known(e).is_none() && self.branches(e) {
                    let nowhere = self.graph.nowhere;
                    self.condition(e, from, to, nowhere);
                } else {
                    let value = self.value(e, &mut at);
                    self.graph.checked(at, Op::Assume(value), to, origin);
                }
            }
            StmtKind::Assert(e, reason) => {
                let value = self.value(e, &mut at);
                self.graph.checked(at, Op::Assert(value), to, origin);
                if let Some(reason) = reason {
                    self.graph.reason(reason.clone());
                }
            }
            StmtKind::Await(e) => self.wait(e, from, to),
            StmtKind::Skip => self.graph.edge(from, Op::Skip, to, origin),
            StmtKind::Fence(form) => {
                if let Some(fence) = self.fence(form, &stmt.span) {
                    self.graph.edge(from, Op::Fence(fence), to, origin);
                }
            }
            StmtKind::Local(_) | StmtKind::Label(_) | StmtKind::Place(_) | StmtKind::Error => {}
        }
    }

    /// `x = e`: the address of a cell is evaluated first, then the value.
    fn assignment(
        &mut self,
        target: &'a Expr,
        value: &'a Expr,
        (from, to): (Node, Node),
        origin: Origin,
    ) {
        let mut at = from;
        match self.target(target, &mut at) {
            Target::Register(reg) => {
                let first = self.graph.len();
                self.assign(reg, value, from, to);
                // The last instruction is the assignment itself.
                if self.graph.len() == first + 1 {
                    self.graph.set_origin(first, origin);
                }
            }
            Target::Cell { addr, .. } => {
                let value = self.value(value, &mut at);
                self.graph
                    .checked(at, Op::Store { addr, value }, to, origin);
            }
            // For its errors.
            Target::Nothing => {
                self.value(value, &mut at);
            }
        }
    }

    /// `x op= e`: the address of a cell is evaluated once, so that the store goes to the cell that was
    /// loaded; then the cell is loaded, then `e` is evaluated.
    fn compound(
        &mut self,
        target: &'a Expr,
        (op, operand): (BinaryOp, &'a Expr),
        stored: Stored,
        (from, to): (Node, Node),
        origin: Origin,
    ) {
        let mut at = from;
        match self.target(target, &mut at) {
            Target::Register(_) if stored == Stored::Exchanged => {
                let message = "`xchg` exchanges a shared variable, an element or `*p`";
                self.scope
                    .error(Diagnostic::error(message, target.span.clone()));
            }
            Target::Register(into) => {
                let value = self.value(operand, &mut at);
                let value = self
                    .scope
                    .binary(op, Value::Var(into), value, &operand.span);
                self.graph
                    .checked(at, Op::Assign { into, value }, to, origin);
            }
            Target::Cell { addr, name } => {
                let into = self.registers.temporary(&name);
                let load = Op::Load {
                    into,
                    addr: addr.clone(),
                };
                self.step(&mut at, load, &target.span);
                let value = self.value(operand, &mut at);
                let value = self
                    .scope
                    .binary(op, Value::Var(into), value, &operand.span);
                // The load has checked the address.
                self.graph.divides(&value, &mut at, origin);
                let op = match stored {
                    Stored::Plainly => Op::Store { addr, value },
                    Stored::Exchanged => Op::Rmw {
                        into: self.registers.temporary(&name),
                        addr,
                        update: Update::Exchange(value),
                    },
                };
                self.graph.edge(at, op, to, origin);
            }
            Target::Nothing => {
                self.value(operand, &mut at);
            }
        }
    }

    /// What is assigned to. Evaluates the address of a cell, and reports what cannot be assigned to.
    fn target(&mut self, target: &'a Expr, at: &mut Node) -> Target {
        let target = target.strip();
        if let ExprKind::Name(name) = &target.kind {
            match self.private.get(name) {
                Some(Binding::Register(reg)) => return Target::Register(reg),
                // A parameter that is assigned to is a register.
                Some(Binding::Value(_)) => return Target::Nothing,
                None => {}
            }
            if self.scope.constants.contains_key(name.as_str()) {
                self.scope.error(
                    Diagnostic::error(
                        format!("cannot assign to the constant `{name}`"),
                        target.span.clone(),
                    )
                    .label("constants cannot change"),
                );
                return Target::Nothing;
            }
            if name == "tid" && !self.scope.regions.contains_key(name) {
                self.scope.error(Diagnostic::error(
                    "cannot assign to `tid`, which is the number of the copy",
                    target.span.clone(),
                ));
                return Target::Nothing;
            }
        }
        match self.place(target, at) {
            Some((addr, name)) => Target::Cell { addr, name },
            None => Target::Nothing,
        }
    }
}

/// What an assignment changes.
enum Target {
    Register(RegId),
    /// The cell at this address, with a name for what is loaded from it.
    Cell {
        addr: Value,
        name: String,
    },
    /// An error has been reported.
    Nothing,
}
