//! The syntax tree: names are not resolved, and nothing but the grammar has been checked.

use crate::program::{FencePlace, PropertyKind};
use crate::text::Span;
pub(super) use crate::text::expression::{Expr, ExprKind, FenceForm, Name};

/// Statements between braces.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) stmts: Vec<Stmt>,
    /// The span of the closing brace.
    pub(super) end: Span,
}

impl Block {
    /// All statements: those of a block before those of the blocks inside it.
    pub(super) fn all_stmts(&self) -> Vec<&Stmt> {
        let mut found = Vec::new();
        let mut work = vec![self];
        while let Some(block) = work.pop() {
            found.extend(&block.stmts);
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
            StmtKind::Break | StmtKind::Continue | StmtKind::Return | StmtKind::Goto(_)
        )
    }

    /// Whether other paths lead to where the statement starts: each iteration of a loop starts
    /// there, and a jump is merged with its target.
    pub(super) fn shares_its_front(&self) -> bool {
        let is_loop = matches!(
            self.kind,
            StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::Loop(_) | StmtKind::Await(_)
        );
        is_loop || self.jumps()
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
            | StmtKind::DoWhile(block, _)
            | StmtKind::Loop(block)
            | StmtKind::Atomic(block)
            | StmtKind::Block(block) => vec![block],
            StmtKind::Choose(blocks) => blocks.iter().collect(),
            StmtKind::Local(_)
            | StmtKind::Assign(..)
            | StmtKind::Call(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Assume(_)
            | StmtKind::Assert(_)
            | StmtKind::Await(_)
            | StmtKind::Skip
            | StmtKind::Fence(_)
            | StmtKind::Place(_)
            | StmtKind::Error => Vec::new(),
        }
    }
}

/// The kind of a statement.
#[derive(Clone, Debug)]
pub(super) enum StmtKind {
    Local(Vec<(Name, Option<Expr>)>),
    Assign(Expr, Expr),
    /// A call of a procedure or of a locked instruction.
    Call(Expr),
    /// Conditions with their blocks, then the last `else`.
    If(Vec<(Expr, Block)>, Option<Block>),
    While(Expr, Block),
    DoWhile(Block, Expr),
    Loop(Block),
    Choose(Vec<Block>),
    Atomic(Block),
    Block(Block),
    Break,
    Continue,
    Return,
    Goto(Name),
    Label(Name),
    Assume(Expr),
    Assert(Expr),
    /// `await(e)`: `while (!(e)) { }`.
    Await(Expr),
    Skip,
    Fence(FenceForm),
    /// `@cost`, `@nofence` or `@exchange`, for the next statement.
    Place(FencePlace),
    /// Could not be parsed; an error was reported.
    Error,
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
    Lock,
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
