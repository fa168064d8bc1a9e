//! What a thread in any number of copies does with `tid`, the number of its copy.
//!
//! Copies that only compare their number with constants, and look at its remainder by constants, are of
//! finitely many kinds. The copies with small numbers are threads that exist once, and all others are in
//! any number, one class for each remainder:
//!
//! ```text
//! thread w[*] { … tid == 1 … tid % 2 … }   ─▶   w.0, w.1, and 2, 4, 6, … and 3, 5, 7, …
//! ```
//!
//! The copies of a class run the same code. Of any number of copies, each has its place among these
//! threads; threads that are too many need not move. So the same goals are reached, except those
//! about all threads, which are refused; and attacks are the same.
//!
//! **Absent.** Numbers that are kept, passed on, or used as addresses.

use super::super::ast::{Block, Expr, ExprKind, FenceForm, Name, Stmt, StmtKind};
use super::{MOST_NAMED, Scope};
use crate::program::BinaryOp;
use crate::text::{Diagnostic, Span};

/// Remainders by more than this are too many classes.
const MOST_REMAINDERS: i32 = 8;

/// The kinds of copies of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kinds {
    /// The copies with smaller numbers than this are apart from all others.
    pub(super) apart: i32,
    /// What the numbers of the others are divided by.
    pub(super) modulus: i32,
}

impl Kinds {
    /// The numbers of one copy of each class.
    pub(super) fn representatives(self) -> std::ops::Range<i32> {
        self.apart..self.apart + self.modulus
    }
}

/// A use of `tid` by which arbitrarily many copies differ.
struct Other {
    /// What depends on it, in code font if it is code.
    by: String,
    span: Span,
}

/// Collects the uses of `tid`.
struct Uses<'s, 'a> {
    scope: &'s Scope<'a>,
    kinds: Option<Kinds>,
    other: Option<Other>,
    /// Whether a local name hides it.
    is_hidden: bool,
    /// The procedures that were looked at.
    procedures: Vec<usize>,
}

impl Scope<'_> {
    /// The kinds of copies of a thread in any number of them; `None` if it does not use `tid`, or
    /// something else has that name. Reports uses by which arbitrarily many copies differ.
    pub(super) fn kinds_of_copies(&mut self, thread: &str, body: &Block) -> Option<Kinds> {
        if self.regions.contains_key("tid") || self.constants.contains_key("tid") {
            return None;
        }
        let mut uses = Uses {
            scope: self,
            kinds: None,
            other: None,
            is_hidden: false,
            procedures: Vec::new(),
        };
        uses.block(body);
        let Uses {
            kinds,
            other,
            is_hidden,
            ..
        } = uses;
        if is_hidden {
            return None;
        }
        if let Some(Other { by, span }) = other {
            self.error(
                Diagnostic::error("`tid` in a thread in any number of copies", span)
                    .label(format!(
                        "its copies are told apart by {by}: declare a number, as in `{thread}[3]`"
                    ))
                    .note(
                        "with any number of copies, `tid` can be compared with constants, as in \
                         `tid == 0`, and divided by them, as in `tid % 2`",
                    ),
            );
            return Some(kinds.unwrap_or(Kinds {
                apart: 1,
                modulus: 1,
            }));
        }
        kinds
    }
}

impl Uses<'_, '_> {
    fn block(&mut self, block: &Block) {
        for stmt in block.all_stmts() {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Local(all) => {
                for (name, init) in all {
                    self.is_hidden |= name.text == "tid";
                    if let Some(init) = init {
                        self.value(init, &format!("`{}`, which keeps it", name.text));
                    }
                }
            }
            StmtKind::Assign(to, e) | StmtKind::Update(to, _, e, _) => {
                self.expr(to);
                let kept = match &to.strip().kind {
                    ExprKind::Name(name) | ExprKind::Index(Name { text: name, .. }, _) => {
                        format!("`{name}`, which keeps it")
                    }
                    ExprKind::Int(_)
                    | ExprKind::Deref(_)
                    | ExprKind::AddressOf(_)
                    | ExprKind::Unary(..)
                    | ExprKind::Binary(..)
                    | ExprKind::Conditional(_)
                    | ExprKind::Paren(_)
                    | ExprKind::Call(..)
                    | ExprKind::Path(_)
                    | ExprKind::At(..)
                    | ExprKind::Fenced(..) => "a cell that keeps it".to_owned(),
                };
                self.value(e, &kept);
            }
            StmtKind::Call(e)
            | StmtKind::While(e, _)
            | StmtKind::DoWhile(_, e)
            | StmtKind::Return(Some(e))
            | StmtKind::Assume(e)
            | StmtKind::Assert(e, _)
            | StmtKind::Await(e) => self.expr(e),
            StmtKind::If(branches, _) => {
                for (condition, _) in branches {
                    self.expr(condition);
                }
            }
            StmtKind::For(head, _) => {
                if let Some(condition) = &head.condition {
                    self.expr(condition);
                }
                if let Some((fences, _)) = &head.step {
                    for (fence, _) in fences {
                        self.fence(fence);
                    }
                }
            }
            StmtKind::Fence(fence) => self.fence(fence),
            StmtKind::Loop(_)
            | StmtKind::Choose(_)
            | StmtKind::Atomic(..)
            | StmtKind::Block(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Skip
            | StmtKind::Place(_)
            | StmtKind::Error => {}
        }
    }

    fn fence(&mut self, fence: &FenceForm) {
        match fence {
            FenceForm::Cells(cells) => cells.iter().for_each(|cell| self.expr(cell)),
            FenceForm::Full | FenceForm::Store | FenceForm::All => {}
        }
    }

    fn expr(&mut self, e: &Expr) {
        self.value(e, "its value");
    }

    /// An expression, and what depends on its value.
    fn value(&mut self, e: &Expr, by: &str) {
        match &e.kind {
            ExprKind::Name(name) if name == "tid" => {
                let (by, span) = (by.to_owned(), e.span.clone());
                self.other.get_or_insert(Other { by, span });
            }
            ExprKind::Int(_) | ExprKind::Name(_) | ExprKind::Path(_) | ExprKind::At(..) => {}
            ExprKind::Paren(inner) | ExprKind::Unary(_, inner) => self.value(inner, by),
            ExprKind::Deref(inner) | ExprKind::AddressOf(inner) => {
                self.value(inner, "an address that depends on it");
            }
            ExprKind::Index(name, index) => {
                let by = if is_number(index) {
                    format!("`{}[tid]`", name.text)
                } else {
                    format!("an index of `{}`", name.text)
                };
                self.value(index, &by);
            }
            ExprKind::Binary(op, a, b) => {
                if !self.is_finite(*op, a, b) {
                    self.value(a, by);
                    self.value(b, by);
                }
            }
            ExprKind::Conditional(parts) => {
                for part in &**parts {
                    self.value(part, by);
                }
            }
            ExprKind::Fenced(fences, inner) => {
                for (fence, _) in fences {
                    self.fence(fence);
                }
                self.value(inner, by);
            }
            ExprKind::Call(name, arguments) => {
                for argument in arguments {
                    self.value(argument, &format!("an argument of `{}`", name.text));
                }
                let known = self.scope.procedure_names.get(name.text.as_str()).copied();
                if let Some(at) = known.filter(|at| !self.procedures.contains(at)) {
                    self.procedures.push(at);
                    let scope = self.scope;
                    let procedure = &scope.procedures[at];
                    let mut params = procedure.params.iter();
                    self.is_hidden |= params.any(|param| param.text == "tid");
                    self.block(procedure.body);
                }
            }
        }
    }

    /// Whether this is a comparison of `tid` with a constant, or its remainder by one, of which
    /// there are few enough kinds. Notes them.
    fn is_finite(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> bool {
        let known = self.kinds.unwrap_or(Kinds {
            apart: 0,
            modulus: 1,
        });
        let found = match op {
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => {
                let constant = if is_number(a) {
                    self.constant(b)
                } else if is_number(b) {
                    self.constant(a)
                } else {
                    None
                };
                constant
                    .filter(|&constant| constant < MOST_NAMED)
                    .map(|constant| Kinds {
                        apart: known.apart.max(constant + 1),
                        ..known
                    })
            }
            BinaryOp::Rem if is_number(a) => self
                .constant(b)
                .filter(|divisor| (1..=MOST_REMAINDERS).contains(divisor))
                .map(|divisor| multiple(known.modulus, divisor))
                .filter(|&modulus| modulus <= MOST_REMAINDERS)
                .map(|modulus| Kinds { modulus, ..known }),
            BinaryOp::Rem
            | BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Shl
            | BinaryOp::Shr => None,
        };
        self.kinds = found.or(self.kinds);
        found.is_some()
    }

    fn constant(&self, e: &Expr) -> Option<i32> {
        match &e.strip().kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Name(name) => self.scope.constants.get(name.as_str()).copied(),
            ExprKind::Index(..)
            | ExprKind::Deref(_)
            | ExprKind::AddressOf(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(_)
            | ExprKind::Paren(_)
            | ExprKind::Call(..)
            | ExprKind::Path(_)
            | ExprKind::At(..)
            | ExprKind::Fenced(..) => None,
        }
    }
}

fn is_number(e: &Expr) -> bool {
    matches!(&e.strip().kind, ExprKind::Name(name) if name == "tid")
}

/// The least common multiple of two small positive numbers.
fn multiple(a: i32, b: i32) -> i32 {
    (1..=a * b)
        .find(|n| n % a == 0 && n % b == 0)
        .unwrap_or(a * b)
}
