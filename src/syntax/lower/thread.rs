//! Threads of the structured form.
//!
//! Every statement is drawn between two locations that are given. Branches and loops need no
//! steps of their own then: a `while` is its condition's two exits and a body that leads back.

use super::super::ast::{Block, Expr, ExprKind, Name, Stmt, StmtKind};
use super::super::diagnostic::{Diagnostic, Span};
use super::expr::strip;
use super::graph::{Graph, Node, Value};
use super::{Names, Scope, is_builtin};
use crate::program::{Addr, Fence, FencePlace, Op, Origin, ProgramBuilder, RegId, ThreadId};
use ahash::{AHashMap, AHashSet};
use std::collections::BTreeMap;

/// Blocks and procedures together nest this deep at most.
const MOST_NESTED: usize = 256;

/// What a private name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Binding {
    Register(RegId),
    /// A parameter that is never assigned to, called with a constant.
    Value(i32),
}

/// Where `break` and `continue` lead.
struct Loop {
    after: Node,
    again: Node,
    atomic: bool,
}

/// Statements that go on elsewhere, without a label.
#[derive(Clone, Copy)]
enum Jump {
    Break,
    Continue,
    Return,
}

/// A body: the thread's own, or that of a procedure at one call.
struct Frame<'a> {
    /// The procedure; absent for the thread itself.
    procedure: Option<usize>,
    /// The first of its scopes and loops.
    scopes: usize,
    loops: usize,
    exit: Node,
    atomic: bool,
    labels: AHashMap<&'a str, Node>,
}

/// Names, each made once.
#[derive(Default)]
struct Unique {
    taken: AHashSet<String>,
    /// How often each name was asked for.
    asked: AHashMap<String, usize>,
}

impl Unique {
    /// This name, or this name with a number.
    fn make(&mut self, name: &str) -> String {
        let asked = self.asked.entry(name.to_owned()).or_insert(0);
        loop {
            *asked += 1;
            let unique = match *asked {
                1 => name.to_owned(),
                number => format!("{name}'{number}"),
            };
            if self.taken.insert(unique.clone()) {
                return unique;
            }
        }
    }
}

/// A thread while it is being lowered.
pub(super) struct ThreadDraft<'s, 'a> {
    pub(super) scope: &'s mut Scope<'a>,
    pub(super) graph: Graph,
    pub(super) tid: Option<i32>,
    /// Whether this is a procedure that nobody calls, read for its errors only.
    pub(super) uncalled: bool,
    registers: Vec<(String, i32)>,
    register_names: Unique,
    /// Temporaries by name, and how many of them the statement at hand has used.
    temporaries: AHashMap<String, (Vec<RegId>, usize)>,
    /// The names of those that the statement at hand has used.
    used: Vec<String>,
    scopes: Vec<AHashMap<&'a str, (Binding, Span)>>,
    loops: Vec<Loop>,
    frames: Vec<Frame<'a>>,
    atomic: bool,
    depth: usize,
    /// Whether a label or loop was passed, so that what follows may run more than once.
    repeats: bool,
    /// Names of the thread's own labels, for properties.
    labels: BTreeMap<String, Node>,
    label_names: Unique,
}

/// Lowers a thread and returns what properties can name of it.
pub(super) fn lower<'a>(
    scope: &mut Scope<'a>,
    builder: &mut ProgramBuilder,
    thread: ThreadId,
    body: &'a Block,
    tid: Option<i32>,
) -> Names {
    let mut draft = ThreadDraft::new(scope, tid);
    let entry = draft.graph.fresh();
    let exit = draft.graph.exit;
    draft.body(None, body, entry, exit);
    draft.scope.instructions += draft.graph.len();
    let ThreadDraft {
        graph,
        registers,
        labels,
        ..
    } = draft;
    let mut names = Names::new(thread);
    for (name, init) in registers {
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
    names
}

/// Reads the procedures that no thread calls, for their errors.
pub(super) fn check_uncalled(scope: &mut Scope<'_>) {
    for at in 0..scope.procedures.len() {
        if !scope.procedures[at].called && !scope.too_large {
            let procedure = &scope.procedures[at];
            let (params, body) = (procedure.params, procedure.body);
            let mut draft = ThreadDraft::new(scope, None);
            draft.uncalled = true;
            let mut names = AHashMap::new();
            for param in params {
                let reg = draft.register(&param.text, 0);
                names.insert(
                    param.text.as_str(),
                    (Binding::Register(reg), param.span.clone()),
                );
            }
            draft.scopes.push(names);
            let (entry, exit) = (draft.graph.fresh(), draft.graph.exit);
            draft.body(Some(at), body, entry, exit);
            let drawn = draft.graph.len();
            scope.instructions += drawn;
        }
    }
}

/// The names that a block assigns to or declares.
pub(super) fn assigned(block: &Block) -> AHashSet<&str> {
    let mut names = AHashSet::new();
    let mut work = vec![block];
    while let Some(block) = work.pop() {
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Assign(target, _) => {
                    if let ExprKind::Name(name) = &strip(target).kind {
                        names.insert(name.as_str());
                    }
                }
                StmtKind::If(branches, last) => {
                    work.extend(branches.iter().map(|(_, block)| block));
                    work.extend(last);
                }
                StmtKind::While(_, block)
                | StmtKind::DoWhile(block, _)
                | StmtKind::Loop(block)
                | StmtKind::Atomic(block)
                | StmtKind::Block(block) => work.push(block),
                StmtKind::Choose(blocks) => work.extend(blocks),
                StmtKind::Local(_)
                | StmtKind::Call(_)
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Return
                | StmtKind::Goto(_)
                | StmtKind::Label(_)
                | StmtKind::Assume(_)
                | StmtKind::Assert(_)
                | StmtKind::Skip
                | StmtKind::FenceFull
                | StmtKind::FenceStore
                | StmtKind::FenceCells(_)
                | StmtKind::BarrierAll
                | StmtKind::Place(_)
                | StmtKind::Error => {}
            }
        }
    }
    names
}

impl Scope<'_> {
    pub(super) fn unknown_call(&mut self, name: &Name) {
        if !self.is_news("procedure", &name.text) {
            return;
        }
        let mut candidates: Vec<&str> = self.procedure_names.keys().copied().collect();
        candidates.extend([
            "cas",
            "xchg",
            "fetch_add",
            "fetch_sub",
            "fetch_and",
            "fetch_or",
            "nondet",
        ]);
        self.unknown("procedure", &name.text, &name.span, &candidates);
    }

    pub(super) fn wrong_count(&mut self, name: &Name, found: usize, expected: &str) {
        self.error(
            Diagnostic::error(
                format!("`{}` takes {expected}, not {found}", name.text),
                name.span.clone(),
            )
            .label(format!("{found} given")),
        );
    }
}

impl<'s, 'a> ThreadDraft<'s, 'a> {
    fn new(scope: &'s mut Scope<'a>, tid: Option<i32>) -> Self {
        Self {
            scope,
            graph: Graph::new(),
            tid,
            uncalled: false,
            registers: Vec::new(),
            register_names: Unique::default(),
            temporaries: AHashMap::new(),
            used: Vec::new(),
            scopes: Vec::new(),
            loops: Vec::new(),
            frames: Vec::new(),
            atomic: false,
            depth: 0,
            repeats: false,
            labels: BTreeMap::new(),
            label_names: Unique::default(),
        }
    }

    /// What a private name stands for here.
    pub(super) fn binding(&self, name: &str) -> Option<Binding> {
        let first = self.frames.last().map_or(0, |frame| frame.scopes);
        self.scopes[first..]
            .iter()
            .rev()
            .find_map(|names| names.get(name))
            .map(|(binding, _)| *binding)
    }

    pub(super) fn unknown_name(&mut self, what: &str, name: &str, span: &Span) {
        if !self.scope.is_news(what, name) {
            return;
        }
        let first = self.frames.last().map_or(0, |frame| frame.scopes);
        let mut candidates: Vec<String> = self.scopes[first..]
            .iter()
            .flat_map(|names| names.keys().map(|name| (*name).to_owned()))
            .collect();
        candidates.sort();
        candidates.extend(self.scope.regions.keys().cloned());
        candidates.extend(self.scope.constants.keys().map(|name| (*name).to_owned()));
        let candidates: Vec<&str> = candidates.iter().map(String::as_str).collect();
        self.scope.unknown(what, name, span, &candidates);
    }

    /// A new register whose name is this one, or this one with a number.
    fn register(&mut self, name: &str, init: i32) -> RegId {
        let unique = self.register_names.make(name);
        self.registers.push((unique, init));
        (self.registers.len() - 1).into()
    }

    /// A register for an intermediate value. It is the statement's own; later statements use it
    /// again, so that no value outlives its use in more registers than needed.
    pub(super) fn temporary(&mut self, name: &str) -> RegId {
        let key = format!("${}", name.trim_start_matches('$'));
        let entry = self.temporaries.entry(key.clone()).or_default();
        let used = entry.1;
        entry.1 += 1;
        self.used.push(key.clone());
        if let Some(reg) = entry.0.get(used) {
            return *reg;
        }
        let reg = self.register(&key, 0);
        if let Some((regs, _)) = self.temporaries.get_mut(&key) {
            regs.push(reg);
        }
        reg
    }

    /// Adds an instruction to a new location and goes there.
    pub(super) fn step(&mut self, at: &mut Node, op: Op, span: &Span) {
        let to = self.graph.fresh();
        let origin = self.scope.lines.origin(span);
        self.graph.edge(*at, op, to, origin);
        *at = to;
    }

    /// Lowers a body with labels of its own. Names of its parameters are in the last scope.
    fn body(&mut self, procedure: Option<usize>, body: &'a Block, from: Node, exit: Node) {
        let scopes = if procedure.is_some() {
            self.scopes.len() - 1
        } else {
            self.scopes.len()
        };
        let mut frame = Frame {
            procedure,
            scopes,
            loops: self.loops.len(),
            exit,
            atomic: self.atomic,
            labels: AHashMap::new(),
        };
        self.collect_labels(body, &mut frame.labels);
        self.frames.push(frame);
        self.block(body, from, exit);
        self.frames.pop();
    }

    /// Makes a location for each label of a body.
    fn collect_labels(&mut self, body: &'a Block, labels: &mut AHashMap<&'a str, Node>) {
        let mut places: AHashMap<&str, &Span> = AHashMap::new();
        let mut work = vec![body];
        while let Some(block) = work.pop() {
            let mut blocks = Vec::new();
            for stmt in &block.stmts {
                match &stmt.kind {
                    StmtKind::Label(name) => {
                        if let Some(first) = places.insert(&name.text, &name.span) {
                            let (a, b) = (first.clone(), name.span.clone());
                            let (first, again) = if a.start < b.start { (a, b) } else { (b, a) };
                            let name = Name {
                                text: name.text.clone(),
                                span: again,
                            };
                            self.scope.twice("label", &name, &first);
                        } else {
                            labels.insert(&name.text, self.graph.fresh());
                        }
                    }
                    StmtKind::If(branches, last) => {
                        blocks.extend(branches.iter().map(|(_, block)| block));
                        blocks.extend(last);
                    }
                    StmtKind::While(_, block)
                    | StmtKind::DoWhile(block, _)
                    | StmtKind::Loop(block)
                    | StmtKind::Atomic(block)
                    | StmtKind::Block(block) => blocks.push(block),
                    StmtKind::Choose(more) => blocks.extend(more),
                    StmtKind::Local(_)
                    | StmtKind::Assign(..)
                    | StmtKind::Call(_)
                    | StmtKind::Break
                    | StmtKind::Continue
                    | StmtKind::Return
                    | StmtKind::Goto(_)
                    | StmtKind::Assume(_)
                    | StmtKind::Assert(_)
                    | StmtKind::Skip
                    | StmtKind::FenceFull
                    | StmtKind::FenceStore
                    | StmtKind::FenceCells(_)
                    | StmtKind::BarrierAll
                    | StmtKind::Place(_)
                    | StmtKind::Error => {}
                }
            }
            work.extend(blocks.into_iter().rev());
        }
    }

    /// Whether this is the beginning of the thread, where a declaration is an initial value.
    fn at_start(&self, from: Node, entry: Node) -> bool {
        from == entry && self.frames.len() == 1 && self.scopes.len() == 1 && !self.repeats
    }

    fn block(&mut self, block: &'a Block, from: Node, to: Node) {
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
        self.scopes.push(AHashMap::new());
        let mut at = from;
        let mut place: Option<(FencePlace, &Span)> = None;
        for stmt in &block.stmts {
            self.scope.instructions += 1;
            if self.scope.is_too_large(self.graph.len(), &stmt.span) {
                break;
            }
            let first = self.graph.len();
            let origin = self.scope.lines.origin(&stmt.span);
            match &stmt.kind {
                StmtKind::Label(name) => {
                    self.bind_label(name, at);
                    continue;
                }
                StmtKind::Place(what) => {
                    place = Some((*what, &stmt.span));
                    continue;
                }
                StmtKind::Local(list) => {
                    let start = self.at_start(at, from);
                    for (name, value) in list {
                        self.local(name, value.as_ref(), start, &mut at, origin);
                    }
                }
                StmtKind::Error => {}
                StmtKind::Assign(..)
                | StmtKind::Call(_)
                | StmtKind::If(..)
                | StmtKind::While(..)
                | StmtKind::DoWhile(..)
                | StmtKind::Loop(_)
                | StmtKind::Choose(_)
                | StmtKind::Atomic(_)
                | StmtKind::Block(_)
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Return
                | StmtKind::Goto(_)
                | StmtKind::Assume(_)
                | StmtKind::Assert(_)
                | StmtKind::Skip
                | StmtKind::FenceFull
                | StmtKind::FenceStore
                | StmtKind::FenceCells(_)
                | StmtKind::BarrierAll => {
                    let next = self.graph.fresh();
                    self.statement(stmt, at, next);
                    let only = stmt_has_blocks(stmt).then_some(at);
                    if let Some((what, _)) = place {
                        self.graph.place(first, only, what);
                    }
                    at = next;
                    place = None;
                    self.end_statement();
                    continue;
                }
            }
            if let Some((what, _)) = place.take() {
                self.graph.place(first, None, what);
            }
            self.end_statement();
        }
        if let Some((_, span)) = place {
            self.scope.error(
                Diagnostic::error("annotation without a statement", span.clone())
                    .label("nothing follows it in this block"),
            );
        }
        let origin = self.scope.lines.origin(&block.end);
        self.graph.silent(at, to, origin);
        self.scopes.pop();
        self.depth -= 1;
    }

    fn end_statement(&mut self) {
        for name in self.used.drain(..) {
            if let Some((_, used)) = self.temporaries.get_mut(&name) {
                *used = 0;
            }
        }
    }

    fn bind_label(&mut self, name: &'a Name, at: Node) {
        self.repeats = true;
        let Some(frame) = self.frames.last() else {
            return;
        };
        let Some(&node) = frame.labels.get(name.text.as_str()) else {
            return;
        };
        let shown = match frame.procedure {
            None => name.text.clone(),
            Some(procedure) => {
                format!(
                    "{}'{}",
                    self.scope.procedures[procedure].name.text, name.text
                )
            }
        };
        let unique = self.label_names.make(&shown);
        self.graph.merge(at, node);
        let origin = self.scope.lines.origin(&name.span);
        self.graph.label(at, unique.clone(), origin);
        self.labels.insert(unique, at);
    }

    fn local(
        &mut self,
        name: &'a Name,
        value: Option<&'a Expr>,
        start: bool,
        at: &mut Node,
        origin: Origin,
    ) {
        let first = self.frames.last().map_or(0, |frame| frame.scopes);
        let before = self.scopes[first..]
            .iter()
            .find_map(|names| names.get(name.text.as_str()))
            .map(|(_, span)| span.clone());
        if let Some(before) = before {
            self.scope.twice("register", name, &before);
        } else if self.scope.regions.contains_key(&name.text)
            || self.scope.constants.contains_key(name.text.as_str())
        {
            self.scope.error(
                Diagnostic::error(
                    format!("`{}` is a shared name or constant already", name.text),
                    name.span.clone(),
                )
                .label("a register needs another name"),
            );
        }
        let shown = match self.frames.last().and_then(|frame| frame.procedure) {
            None => name.text.clone(),
            Some(procedure) => {
                format!(
                    "{}'{}",
                    self.scope.procedures[procedure].name.text, name.text
                )
            }
        };
        let known = value.map_or(Some(0), |value| self.known(value));
        // What runs at most once need not set to 0 what is 0; and at the very start of the
        // thread, an initial value is one.
        let once = !self.repeats && self.loops.is_empty();
        if let Some(init) = known
            && (start || once && init == 0)
        {
            let reg = self.register(&shown, init);
            self.declare(name, Binding::Register(reg));
            return;
        }
        let reg = self.register(&shown, 0);
        let next = self.graph.fresh();
        // The new name is not known in its own initial value.
        if let Some(value) = value {
            self.assign(reg, value, *at, next);
        } else {
            let value = Value::Const(0);
            self.graph
                .edge(*at, Op::Assign { into: reg, value }, next, origin);
        }
        *at = next;
        self.declare(name, Binding::Register(reg));
    }

    fn declare(&mut self, name: &'a Name, binding: Binding) {
        if let Some(names) = self.scopes.last_mut() {
            names.insert(&name.text, (binding, name.span.clone()));
        }
    }

    fn statement(&mut self, stmt: &'a Stmt, from: Node, to: Node) {
        let origin = self.scope.lines.origin(&stmt.span);
        let mut at = from;
        match &stmt.kind {
            StmtKind::Assign(target, value) => self.assignment(target, value, from, to, origin),
            StmtKind::Call(call) => self.call(call, from, to),
            StmtKind::If(branches, last) => self.conditional(branches, last.as_ref(), from, to),
            StmtKind::While(condition, body) => match self.known(condition) {
                Some(0) => self.graph.silent(from, to, origin),
                Some(_) => self.looped(body, (from, from), (to, from)),
                None => {
                    let inside = self.graph.fresh();
                    self.condition(condition, from, inside, to);
                    self.end_statement();
                    self.looped(body, (inside, from), (to, from));
                }
            },
            StmtKind::DoWhile(body, condition) => {
                let test = self.graph.fresh();
                self.looped(body, (from, test), (to, test));
                self.condition(condition, test, from, to);
            }
            StmtKind::Loop(body) => self.looped(body, (from, from), (to, from)),
            StmtKind::Choose(blocks) => {
                for block in blocks {
                    let start = self.graph.fresh();
                    self.graph.branch(from, start, origin);
                    self.block(block, start, to);
                }
            }
            StmtKind::Atomic(body) => {
                if self.atomic {
                    self.scope.error(
                        Diagnostic::error("atomic block inside an atomic block", stmt.span.clone())
                            .label("already inside one"),
                    );
                    self.block(body, from, to);
                    return;
                }
                let (begin, end) = (self.graph.fresh(), self.graph.fresh());
                self.graph.edge(from, Op::AtomicBegin, begin, origin);
                self.atomic = true;
                self.block(body, begin, end);
                self.atomic = false;
                let closing = self.scope.lines.origin(&body.end);
                self.graph.edge(end, Op::AtomicEnd, to, closing);
            }
            StmtKind::Block(body) => self.block(body, from, to),
            StmtKind::Break => self.jump(Jump::Break, &stmt.span, from),
            StmtKind::Continue => self.jump(Jump::Continue, &stmt.span, from),
            StmtKind::Return => self.jump(Jump::Return, &stmt.span, from),
            StmtKind::Goto(name) => {
                let target = self
                    .frames
                    .last()
                    .and_then(|frame| frame.labels.get(name.text.as_str()).copied());
                if let Some(target) = target {
                    self.graph.silent(from, target, origin);
                } else {
                    let mut labels: Vec<&str> = self
                        .frames
                        .last()
                        .map(|frame| frame.labels.keys().copied().collect())
                        .unwrap_or_default();
                    labels.sort_unstable();
                    self.scope.unknown("label", &name.text, &name.span, &labels);
                }
            }
            StmtKind::Assume(e) => {
                if self.known(e).is_none() && self.branches(e) {
                    let nowhere = self.graph.nowhere;
                    self.condition(e, from, to, nowhere);
                } else {
                    let value = self.value(e, &mut at);
                    self.graph.edge(at, Op::Assume(value), to, origin);
                }
            }
            StmtKind::Assert(e) => {
                let value = self.value(e, &mut at);
                self.graph.edge(at, Op::Assert(value), to, origin);
            }
            StmtKind::Skip => self.graph.edge(from, Op::Skip, to, origin),
            StmtKind::FenceFull => self.graph.edge(from, Op::Fence(Fence::Full), to, origin),
            StmtKind::FenceStore => self.graph.edge(from, Op::Fence(Fence::Store), to, origin),
            StmtKind::FenceCells(cells) => {
                if let Some(cells) = self.cells(cells) {
                    self.graph
                        .edge(from, Op::Fence(Fence::Cells(cells)), to, origin);
                }
            }
            StmtKind::BarrierAll => {
                if self.atomic {
                    self.scope.error(
                        Diagnostic::error(
                            "`barrier all` inside an atomic block",
                            stmt.span.clone(),
                        )
                        .label("nobody else can drain a buffer here"),
                    );
                }
                self.graph.edge(from, Op::Fence(Fence::All), to, origin);
            }
            StmtKind::Local(_) | StmtKind::Label(_) | StmtKind::Place(_) | StmtKind::Error => {}
        }
    }

    fn assignment(
        &mut self,
        target: &'a Expr,
        value: &'a Expr,
        from: Node,
        to: Node,
        origin: Origin,
    ) {
        let target = strip(target);
        if let ExprKind::Name(name) = &target.kind {
            match self.binding(name) {
                Some(Binding::Register(reg)) => {
                    let first = self.graph.len();
                    self.assign(reg, value, from, to);
                    // The last instruction is the assignment itself.
                    if self.graph.len() == first + 1 {
                        self.graph.set_origin(first, origin);
                    }
                    return;
                }
                Some(Binding::Value(_)) => return,
                None => {}
            }
            if self.scope.constants.contains_key(name.as_str()) {
                self.scope.error(
                    Diagnostic::error(
                        format!("assignment to the constant `{name}`"),
                        target.span.clone(),
                    )
                    .label("constants do not change"),
                );
                return;
            }
            if name == "tid" && !self.scope.regions.contains_key(name) {
                self.scope.error(Diagnostic::error(
                    "assignment to `tid`, which is the copy's number",
                    target.span.clone(),
                ));
                return;
            }
        }
        let mut at = from;
        let place = self.place(target, &mut at);
        let value = self.value(value, &mut at);
        if let Some((addr, _)) = place {
            self.graph.edge(at, Op::Store { addr, value }, to, origin);
        }
    }

    fn conditional(
        &mut self,
        branches: &'a [(Expr, Block)],
        last: Option<&'a Block>,
        from: Node,
        to: Node,
    ) {
        let mut at = from;
        for (i, (condition, block)) in branches.iter().enumerate() {
            let origin = self.scope.lines.origin(&condition.span);
            let is_last = i + 1 == branches.len() && last.is_none();
            match self.known(condition) {
                // What cannot be reached is still read, for its errors.
                Some(0) => {
                    let never = self.graph.fresh();
                    self.block(block, never, to);
                    if is_last {
                        self.graph.silent(at, to, origin);
                        return;
                    }
                }
                Some(_) => {
                    self.block(block, at, to);
                    at = self.graph.fresh();
                    if is_last {
                        return;
                    }
                }
                None => {
                    let then = self.graph.fresh();
                    let other = if is_last { to } else { self.graph.fresh() };
                    self.condition(condition, at, then, other);
                    self.end_statement();
                    self.block(block, then, to);
                    at = other;
                }
            }
        }
        if let Some(block) = last {
            self.block(block, at, to);
        }
    }

    /// A loop's body between two locations; `after` and `again` are where `break` and `continue`
    /// lead.
    fn looped(&mut self, body: &'a Block, between: (Node, Node), (after, again): (Node, Node)) {
        self.loops.push(Loop {
            after,
            again,
            atomic: self.atomic,
        });
        self.block(body, between.0, between.1);
        self.loops.pop();
    }

    fn jump(&mut self, jump: Jump, span: &Span, from: Node) {
        let Some(frame) = self.frames.last() else {
            return;
        };
        let inner = self.loops[frame.loops..].last();
        let (word, target) = match jump {
            Jump::Return => ("return", Some((frame.exit, frame.atomic))),
            Jump::Break => ("break", inner.map(|l| (l.after, l.atomic))),
            Jump::Continue => ("continue", inner.map(|l| (l.again, l.atomic))),
        };
        let Some((target, atomic)) = target else {
            self.scope.error(
                Diagnostic::error(format!("`{word}` outside of a loop"), span.clone())
                    .label("there is no loop around this"),
            );
            return;
        };
        if atomic != self.atomic {
            self.scope.error(
                Diagnostic::error(
                    format!("`{word}` cannot leave an atomic block"),
                    span.clone(),
                )
                .label("would never unlock"),
            );
            return;
        }
        self.graph
            .silent(from, target, self.scope.lines.origin(span));
    }

    /// The cells of a lightweight fence, sorted.
    fn cells(&mut self, list: &'a [Expr]) -> Option<Vec<Addr>> {
        let mut cells = Vec::new();
        let mut whole = true;
        for e in list {
            let inner = strip(e);
            if let ExprKind::Name(name) = &inner.kind
                && let Some(binding) = self.binding(name)
            {
                let Binding::Value(_) = binding else {
                    self.fence_of_register(inner, name);
                    whole = false;
                    continue;
                };
            }
            // Parameters that stand for constant addresses are cells, too.
            if let ExprKind::Deref(address) = &inner.kind {
                let mut at = self.graph.nowhere;
                if !matches!(&strip(address).kind, ExprKind::Name(name)
                    if matches!(self.binding(name), Some(Binding::Register(_))))
                    && let Some(value) = self.value(address, &mut at).as_const()
                {
                    cells.push(Addr(value));
                    continue;
                }
                self.fence_of_register(inner, "…");
                whole = false;
                continue;
            }
            match self.scope.static_place(inner) {
                Some((base, len)) => {
                    cells.extend((0..len).map(|i| Addr(base.0 + i as i32)));
                }
                None => whole = false,
            }
        }
        cells.sort_unstable();
        cells.dedup();
        whole.then_some(cells)
    }

    fn fence_of_register(&mut self, e: &Expr, name: &str) {
        if self.uncalled {
            return;
        }
        let message = if name == "…" {
            "a fence needs cells that are known beforehand".to_owned()
        } else {
            format!("fence of the register `{name}`")
        };
        self.scope.error(
            Diagnostic::error(message, e.span.clone())
                .label("expected a shared name or an element of an array"),
        );
    }

    /// A call of a procedure, or a locked instruction as a statement.
    fn call(&mut self, call: &'a Expr, from: Node, to: Node) {
        let ExprKind::Call(name, arguments) = &strip(call).kind else {
            self.scope.error(
                Diagnostic::error("this has no effect", call.span.clone())
                    .label("expected a statement")
                    .note("`x = e;` assigns, `p(e);` calls a procedure"),
            );
            return;
        };
        let mut at = from;
        if is_builtin(&name.text) {
            let into = self.temporary(&name.text);
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
                .label("a call of a procedure that has not returned")
                .note("procedures are inlined, so there is no recursion; use a loop"),
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
        let mut names = AHashMap::new();
        for (param, argument) in params.iter().zip(arguments) {
            let value = self.value(argument, &mut at);
            let assigned = self.scope.procedures[index]
                .assigned
                .contains(param.text.as_str());
            let binding = match value.as_const() {
                Some(value) if !assigned => Binding::Value(value),
                _ => {
                    let reg = self.register(&format!("{}'{}", name.text, param.text), 0);
                    self.step(&mut at, Op::Assign { into: reg, value }, &argument.span);
                    Binding::Register(reg)
                }
            };
            names.insert(param.text.as_str(), (binding, param.span.clone()));
        }
        self.end_statement();
        self.scopes.push(names);
        self.body(Some(index), body, at, to);
        self.scopes.pop();
    }
}

/// Whether annotations in front of a statement speak of its beginning only.
fn stmt_has_blocks(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::If(..)
            | StmtKind::While(..)
            | StmtKind::DoWhile(..)
            | StmtKind::Loop(_)
            | StmtKind::Choose(_)
            | StmtKind::Atomic(_)
            | StmtKind::Block(_)
    )
}
