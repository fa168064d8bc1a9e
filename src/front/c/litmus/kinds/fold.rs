//! Dependencies that a test writes for their own sake: `r ^ r`, `r - r`, `r & 0`, `r * 0`.
//!
//! Machines with store buffers order nothing by them, so such a value is the constant that it is, if nothing
//! but this thread changes its variables; so that `x + (r ^ r)` is `x`.

use crate::lower::typed::{BinaryOp, Expr, ExprKind, Local, Lvalue, LvalueKind, Stmt, StmtKind};

/// Replaces such values in statements of a function with these local variables.
pub(super) fn stmts(stmts: &mut [Stmt], locals: &[Local]) {
    for stmt in stmts {
        self::stmt(stmt, locals);
    }
}

fn stmt(stmt: &mut Stmt, locals: &[Local]) {
    match &mut stmt.kind {
        StmtKind::Expr(e) => expr(e, locals),
        StmtKind::Declare(_, init, _) => init.iter_mut().for_each(|(_, e)| expr(e, locals)),
        StmtKind::Block(inside) => stmts(inside, locals),
        StmtKind::If(condition, then, other) => {
            expr(condition, locals);
            self::stmt(then, locals);
            if let Some(other) = other {
                self::stmt(other, locals);
            }
        }
        StmtKind::While(condition, body)
        | StmtKind::DoWhile(body, condition)
        | StmtKind::Switch(condition, body) => {
            expr(condition, locals);
            self::stmt(body, locals);
        }
        StmtKind::For(condition, step, body) => {
            for e in condition.iter_mut().chain(step) {
                expr(e, locals);
            }
            self::stmt(body, locals);
        }
        StmtKind::Case(_, body) | StmtKind::Default(body) | StmtKind::Label(_, body) => {
            self::stmt(body, locals);
        }
        StmtKind::Return(e) => e.iter_mut().for_each(|e| expr(e, locals)),
        StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Asm(_)
        | StmtKind::Word(_)
        | StmtKind::Empty
        | StmtKind::InMacro => {}
    }
}

fn lvalue(lvalue: &mut Lvalue, locals: &[Local]) {
    match &mut lvalue.kind {
        LvalueKind::Object(_) | LvalueKind::Local(_) => {}
        LvalueKind::Deref(e) => expr(e, locals),
        LvalueKind::Member(inner, _) | LvalueKind::Bits(inner, _) => self::lvalue(inner, locals),
        LvalueKind::Element(inner, index) => {
            self::lvalue(inner, locals);
            expr(index, locals);
        }
    }
}

fn expr(e: &mut Expr, locals: &[Local]) {
    match &mut e.kind {
        ExprKind::Const(_) | ExprKind::Text(_) | ExprKind::Function(_) | ExprKind::New(_) => {}
        ExprKind::Load(place) | ExprKind::AddressOf(place) => lvalue(place, locals),
        ExprKind::Unary(_, a) => expr(a, locals),
        ExprKind::Cast(a) => {
            expr(a, locals);
            if matches!(a.kind, ExprKind::Const(0)) && (e.ty.is_integer() || e.ty.is_pointer()) {
                e.kind = ExprKind::Const(0);
            }
        }
        ExprKind::Binary(op, a, b) => {
            expr(a, locals);
            expr(b, locals);
            if let Some(kind) = folded(*op, a, b, locals) {
                e.kind = kind;
            }
        }
        ExprKind::Checked(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Comma(a, b) => {
            expr(a, locals);
            expr(b, locals);
        }
        ExprKind::Conditional(c, a, b) => {
            for e in [c, a, b] {
                expr(e, locals);
            }
        }
        ExprKind::Assign(into, value) => {
            lvalue(into, locals);
            expr(value, locals);
        }
        ExprKind::Update { into, operand, .. } => {
            lvalue(into, locals);
            expr(operand, locals);
        }
        ExprKind::Call(_, arguments) => arguments.iter_mut().for_each(|e| expr(e, locals)),
        ExprKind::Statement(inside) => stmts(inside, locals),
    }
}

/// What an operation is whatever the values of its variables are.
fn folded(op: BinaryOp, a: &mut Expr, b: &mut Expr, locals: &[Local]) -> Option<ExprKind> {
    let is_zero = |e: &Expr| matches!(e.kind, ExprKind::Const(0));
    let zero = match op {
        BinaryOp::BitXor | BinaryOp::Sub => same(a, b) && is_pure(a, locals),
        BinaryOp::BitAnd | BinaryOp::Mul => {
            is_zero(a) && is_pure(b, locals) || is_zero(b) && is_pure(a, locals)
        }
        BinaryOp::PointerAdd | BinaryOp::PointerSub | BinaryOp::Add if is_zero(b) => {
            return Some(a.kind.clone());
        }
        BinaryOp::Add if is_zero(a) => return Some(b.kind.clone()),
        BinaryOp::PointerAdd
        | BinaryOp::PointerSub
        | BinaryOp::PointerDiff
        | BinaryOp::Add
        | BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::BitOr
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge => false,
    };
    zero.then_some(ExprKind::Const(0))
}

/// Whether an expression only depends on variables that nothing but this thread changes.
fn is_pure(e: &Expr, locals: &[Local]) -> bool {
    match &e.kind {
        ExprKind::Const(_) => true,
        ExprKind::Load(lvalue) => match lvalue.kind {
            LvalueKind::Local(local) => {
                !locals[local.0].addressed && !lvalue.ty.atomic && !lvalue.ty.volatile
            }
            LvalueKind::Object(_)
            | LvalueKind::Deref(_)
            | LvalueKind::Member(..)
            | LvalueKind::Bits(..)
            | LvalueKind::Element(..) => false,
        },
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => is_pure(a, locals),
        ExprKind::Binary(op, a, b) => {
            !matches!(op, BinaryOp::Div | BinaryOp::Rem) && is_pure(a, locals) && is_pure(b, locals)
        }
        ExprKind::Text(_)
        | ExprKind::Function(_)
        | ExprKind::New(_)
        | ExprKind::AddressOf(_)
        | ExprKind::Checked(..)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Comma(..)
        | ExprKind::Conditional(..)
        | ExprKind::Assign(..)
        | ExprKind::Update { .. }
        | ExprKind::Call(..)
        | ExprKind::Statement(_) => false,
    }
}

/// Whether two expressions are the same operations on the same local variables.
fn same(a: &Expr, b: &Expr) -> bool {
    a.ty == b.ty
        && match (&a.kind, &b.kind) {
            (ExprKind::Const(a), ExprKind::Const(b)) => a == b,
            (ExprKind::Load(a), ExprKind::Load(b)) => match (&a.kind, &b.kind) {
                (LvalueKind::Local(a), LvalueKind::Local(b)) => a == b,
                _ => false,
            },
            (ExprKind::Cast(a), ExprKind::Cast(b)) => same(a, b),
            (ExprKind::Unary(op, a), ExprKind::Unary(other, b)) => op == other && same(a, b),
            (ExprKind::Binary(op, a, c), ExprKind::Binary(other, b, d)) => {
                op == other && same(a, b) && same(c, d)
            }
            _ => false,
        }
}
