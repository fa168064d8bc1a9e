//! The syntax tree: names are not resolved, and nothing but the grammar has been checked.

use crate::program::{BinaryOp, FencePlace, Overlap, PropertyKind};
use crate::text::Span;
pub(super) use crate::text::expression::{Expr, ExprKind, FenceForm, Name};

/// How the ends of a block are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Enclosure {
    Braces,
    /// A single statement, with its labels and annotations, is the block.
    Bare,
    /// A semicolon is the block.
    Empty,
}

/// Statements between braces, or a single one after the head of a branch or loop.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) enclosure: Enclosure,
    /// Where it starts.
    pub(super) start: usize,
    pub(super) stmts: Vec<Stmt>,
    /// The span of the closing brace, or of the last character.
    pub(super) end: Span,
}

impl Block {
    /// Whether control cannot reach the end of the block, judged by its last statements.
    pub(super) fn never_ends(&self) -> bool {
        self.stmts.last().is_some_and(Stmt::never_ends)
    }

    /// Whether a `break` inside leaves the loop whose body this is.
    fn breaks(&self) -> bool {
        self.stmts.iter().any(|stmt| {
            let inside = || stmt.blocks().into_iter().any(Self::breaks);
            matches!(stmt.kind, StmtKind::Break) || !stmt.is_loop() && inside()
        })
    }

    /// All statements: those of a block before those of the blocks inside it.
    pub(super) fn all_stmts(&self) -> Vec<&Stmt> {
        let mut found = Vec::new();
        let mut work = vec![self];
        while let Some(block) = work.pop() {
            found.extend(&block.stmts);
            found.extend(block.stmts.iter().flat_map(Stmt::clauses));
            let inner: Vec<&Self> = block.stmts.iter().flat_map(Stmt::blocks).collect();
            work.extend(inner.into_iter().rev());
        }
        found
    }
}

/// A statement and its span; for statements with blocks, the span of their head.
#[derive(Clone, Debug)]
pub(super) struct Stmt {
    pub(super) kind: StmtKind,
    pub(super) span: Span,
    /// The span of all of it, with its blocks and its semicolon.
    pub(super) whole: Span,
}

impl Stmt {
    /// A statement whose whole span is this one.
    pub(super) fn new(kind: StmtKind, span: Span) -> Self {
        Self {
            kind,
            whole: span.clone(),
            span,
        }
    }

    /// Whether it is a loop whose iterations start with its body, so that the position before it is
    /// not where they start.
    pub(super) fn loops_to_its_body(&self) -> bool {
        matches!(self.kind, StmtKind::DoWhile(..) | StmtKind::Loop(_))
    }

    /// Whether control continues elsewhere.
    pub(super) fn jumps(&self) -> bool {
        matches!(
            self.kind,
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) | StmtKind::Goto(_)
        )
    }

    /// Whether other paths lead to where the statement starts: each iteration of a loop starts
    /// there, and a jump is merged with its target.
    pub(super) fn shares_its_front(&self) -> bool {
        let is_loop = matches!(
            self.kind,
            StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::Loop(_) | StmtKind::Await(_)
        );
        // The declaration in a `for` may be no step; any other first clause is one.
        let is_for = if let StmtKind::For(head, _) = &self.kind {
            let mut init = head.init.iter();
            init.all(|init| matches!(init.kind, StmtKind::Local(_)))
        } else {
            false
        };
        // The value of a `return` is computed first.
        let computes = matches!(self.kind, StmtKind::Return(Some(_)));
        is_loop || is_for || self.jumps() && !computes
    }

    /// Whether control cannot reach the position after the statement. Code that could not be parsed
    /// may do anything.
    fn never_ends(&self) -> bool {
        let is_true = |e: &Expr| {
            let e = e.strip();
            matches!(e.kind, ExprKind::Int(value) if value != 0)
                || matches!(&e.kind, ExprKind::Name(name) if name == "true")
        };
        match &self.kind {
            StmtKind::If(branches, Some(last)) => {
                branches.iter().all(|(_, block)| block.never_ends()) && last.never_ends()
            }
            StmtKind::Choose(blocks) => blocks.iter().all(Block::never_ends),
            StmtKind::Block(block) => block.never_ends(),
            StmtKind::Loop(block) => !block.breaks(),
            StmtKind::While(e, block) => is_true(e) && !block.breaks(),
            StmtKind::For(head, block) => {
                head.condition.as_ref().is_none_or(is_true) && !block.breaks()
            }
            StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Goto(_)
            | StmtKind::Error => true,
            StmtKind::If(_, None)
            | StmtKind::DoWhile(..)
            | StmtKind::Atomic(..)
            | StmtKind::Local(_)
            | StmtKind::Assign(..)
            | StmtKind::Update(..)
            | StmtKind::Call(_)
            | StmtKind::Label(_)
            | StmtKind::Assume(_)
            | StmtKind::Assert(..)
            | StmtKind::Await(_)
            | StmtKind::Skip
            | StmtKind::Fence(_)
            | StmtKind::Place(_) => false,
        }
    }

    /// Whether it is a loop, which a `break` inside leaves.
    fn is_loop(&self) -> bool {
        matches!(
            self.kind,
            StmtKind::While(..) | StmtKind::For(..) | StmtKind::DoWhile(..) | StmtKind::Loop(_)
        )
    }

    /// The statements in its head, in the order of the text.
    pub(super) fn clauses(&self) -> Vec<&Self> {
        let StmtKind::For(head, _) = &self.kind else {
            return Vec::new();
        };
        let step = head.step.as_ref().map(|(_, step)| step);
        head.init.iter().chain(step).collect()
    }

    /// The blocks inside, in the order of the text.
    pub(super) fn blocks(&self) -> Vec<&Block> {
        match &self.kind {
            StmtKind::If(branches, last) => branches
                .iter()
                .map(|(_, block)| block)
                .chain(last)
                .collect(),
            StmtKind::While(_, block)
            | StmtKind::For(_, block)
            | StmtKind::DoWhile(block, _)
            | StmtKind::Loop(block)
            | StmtKind::Atomic(_, block)
            | StmtKind::Block(block) => vec![block],
            StmtKind::Choose(blocks) => blocks.iter().collect(),
            StmtKind::Local(_)
            | StmtKind::Assign(..)
            | StmtKind::Update(..)
            | StmtKind::Call(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Assume(_)
            | StmtKind::Assert(..)
            | StmtKind::Await(_)
            | StmtKind::Skip
            | StmtKind::Fence(_)
            | StmtKind::Place(_)
            | StmtKind::Error => Vec::new(),
        }
    }
}

/// How a compound assignment stores its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stored {
    /// `x += e`
    Plainly,
    /// `xchg(x += e)`: by an exchange.
    Exchanged,
}

/// The kind of a statement.
#[derive(Clone, Debug)]
pub(super) enum StmtKind {
    Local(Vec<(Name, Option<Expr>)>),
    Assign(Expr, Expr),
    /// `x += e` or `x++`: the target, the operator, the other operand, and how the result is stored.
    Update(Expr, BinaryOp, Expr, Stored),
    /// A call of a procedure or of a locked instruction.
    Call(Expr),
    /// Conditions with their blocks, then the last `else`.
    If(Vec<(Expr, Block)>, Option<Block>),
    While(Expr, Block),
    For(Box<ForHead>, Block),
    DoWhile(Block, Expr),
    Loop(Block),
    Choose(Vec<Block>),
    Atomic(Grouping, Block),
    Block(Block),
    Break,
    Continue,
    Return(Option<Expr>),
    Goto(Name),
    Label(Name),
    Assume(Expr),
    /// With the reason to report, if there is one.
    Assert(Expr, Option<String>),
    /// `await(e)`: `while (!(e)) { }`.
    Await(Expr),
    Skip,
    Fence(FenceForm),
    /// `@cost`, `@nofence` or `@exchange`, for the next statement.
    Place(FencePlace),
    /// Could not be parsed; an error was reported.
    Error,
}

/// `init; condition; step`, each of which may be absent. Fences may come before the step.
#[derive(Clone, Debug)]
pub(super) struct ForHead {
    pub(super) init: Option<Stmt>,
    pub(super) condition: Option<Expr>,
    pub(super) step: Option<(Vec<(FenceForm, Span)>, Stmt)>,
}

/// The number of copies in a thread's head.
#[derive(Clone, Debug)]
pub(super) enum CopiesAst {
    One,
    Any,
    Count(Expr),
}

/// The head of a thread.
#[derive(Clone, Debug)]
pub(super) struct ThreadHead {
    /// The name's parts, to be joined by dots.
    pub(super) name: Vec<Name>,
    pub(super) copies: CopiesAst,
}

/// A thread in the papers' form.
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    /// Where its first clause starts.
    pub(super) start: usize,
    pub(super) regs: Vec<(Name, Option<Expr>)>,
    /// The `locations` clause: all locations in order, and whether the name was generated.
    pub(super) locations: Option<Vec<(Name, bool)>>,
    pub(super) init: Name,
    pub(super) instructions: Vec<AutoInstr>,
}

/// `from: op; goto to;`
#[derive(Clone, Debug)]
pub(super) struct AutoInstr {
    pub(super) place: FencePlace,
    pub(super) from: Name,
    pub(super) op: AutoOp,
    pub(super) to: Name,
    /// The span of its operation.
    pub(super) span: Span,
    /// The span of all of it, with annotations and both semicolons.
    pub(super) whole: Span,
}

/// What the accesses of an `atomic` block are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Grouping {
    /// `atomic`: a locked block.
    Locked,
    /// `atomic word`, `atomic word wait`: one access of several cells.
    Word(Overlap),
}

/// What an instruction of the automaton form does.
#[derive(Clone, Debug)]
pub(super) enum AutoOp {
    /// `mem[addr] <- value`
    Store(Expr, Expr),
    /// `r <- e`, where `e` may be `mem[e]`, a locked instruction or a choice.
    Assign(Name, Expr),
    FenceFull,
    FenceStore,
    FenceCells(Vec<Expr>),
    BarrierAll,
    Assume(Expr),
    /// `assert e`: blocks, as in the papers. The span is that of the keyword.
    BlockingAssert(Expr, Span),
    Property(Expr),
    /// `lock`, `lock word`, `lock word wait`
    Lock(Grouping),
    Unlock,
    Noop,
}

/// The initial value of a shared variable.
#[derive(Clone, Debug)]
pub(super) enum Initial {
    Zero,
    All(Expr),
    Each(Vec<Expr>),
}

/// `name[size] = initial`
#[derive(Clone, Debug)]
pub(super) struct SharedAst {
    pub(super) name: Name,
    pub(super) size: Option<Expr>,
    pub(super) initial: Initial,
}

/// A part of the file.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Program(Name),
    Shared(Vec<SharedAst>),
    Const(Vec<(Name, Expr)>),
    Thread(ThreadHead, Block),
    Automaton(ThreadHead, Automaton),
    Proc(Name, Vec<Name>, Block),
    Property(PropertyKind, Expr, Span),
    /// `forbid stuck`, of this thread if one is named, in configurations with this predicate.
    Stuck(Option<Vec<Name>>, Option<Expr>, Span),
    /// Could not be parsed; an error was reported.
    Error,
}
