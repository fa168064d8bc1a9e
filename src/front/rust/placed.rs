//! Where steps of the library are: where it is called.
//!
//! Functions of the library are inlined, so what they do is inside of a statement of the user's text, whose place it
//! gets. It is no place that a fence could be inserted at.

use super::source::{implied, place};
use crate::lower::typed::{
    Callee, Expr, ExprKind, Lvalue, LvalueKind, Stmt, StmtKind, Unit, WordAccess, WordOrder,
};
use crate::text::Place;

/// Gives all nodes from the library, whose positions begin here, places of the text.
pub(super) fn in_text(unit: &mut Unit, library: usize) {
    let placer = Placer {
        library: library as u32,
    };
    let nowhere = place(0..0);
    for function in &mut unit.functions {
        placer.place(&mut function.place, nowhere);
        let outside = function.place;
        for stmt in &mut function.body {
            placer.stmt(stmt, outside);
        }
    }
    for object in &mut unit.objects {
        placer.place(&mut object.place, nowhere);
    }
    for of in &mut unit.structs {
        placer.place(&mut of.place, nowhere);
    }
}

struct Placer {
    library: u32,
}

impl Placer {
    /// What it is inside of gives a node of the library its place; the place for what is inside of the node.
    fn place(&self, place: &mut Place, outside: Place) {
        if place.start >= self.library && self.library > 0 {
            *place = implied(outside);
        }
    }

    fn stmt(&self, of: &mut Stmt, outside: Place) {
        self.place(&mut of.place, outside);
        let here = of.place;
        match &mut of.kind {
            StmtKind::Expr(e) => self.expr(e, here),
            StmtKind::Declare(_, values, _) => {
                for (_, value) in values {
                    self.expr(value, here);
                }
            }
            StmtKind::Block(stmts) => self.stmts(stmts, here),
            StmtKind::If(condition, then, other) => {
                self.expr(condition, here);
                self.stmt(then, here);
                if let Some(other) = other {
                    self.stmt(other, here);
                }
            }
            StmtKind::While(e, body) | StmtKind::DoWhile(body, e) | StmtKind::Switch(e, body) => {
                self.expr(e, here);
                self.stmt(body, here);
            }
            StmtKind::For(condition, step, body) => {
                for e in [condition, step].into_iter().flatten() {
                    self.expr(e, here);
                }
                self.stmt(body, here);
            }
            StmtKind::Case(_, body) | StmtKind::Default(body) | StmtKind::Label(_, body) => {
                self.stmt(body, here);
            }
            StmtKind::Return(e) => {
                if let Some(e) = e {
                    self.expr(e, here);
                }
            }
            StmtKind::Word(of) => {
                match &mut of.access {
                    WordAccess::Store(of) | WordAccess::Locked(of) => self.lvalue(of, here),
                    WordAccess::Operation(of, _, operand) => {
                        self.lvalue(of, here);
                        for part in operand {
                            self.expr(part, here);
                        }
                    }
                    WordAccess::Plain | WordAccess::Order => {}
                }
                match &mut of.order {
                    WordOrder::Given(e) => self.expr(e, here),
                    WordOrder::Fixed(_) => {}
                }
                self.stmts(&mut of.body, here);
            }
            StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Asm(_)
            | StmtKind::Empty
            | StmtKind::InMacro => {}
        }
    }

    fn stmts(&self, stmts: &mut [Stmt], outside: Place) {
        for stmt in stmts {
            self.stmt(stmt, outside);
        }
    }

    fn expr(&self, of: &mut Expr, outside: Place) {
        self.place(&mut of.place, outside);
        let here = of.place;
        match &mut of.kind {
            ExprKind::Load(place) | ExprKind::AddressOf(place) => self.lvalue(place, here),
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.expr(a, here),
            ExprKind::Binary(_, a, b)
            | ExprKind::Checked(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Comma(a, b) => {
                self.expr(a, here);
                self.expr(b, here);
            }
            ExprKind::Conditional(a, b, c) => {
                for e in [a, b, c] {
                    self.expr(e, here);
                }
            }
            ExprKind::Assign(into, value) => {
                self.lvalue(into, here);
                self.expr(value, here);
            }
            ExprKind::Update { into, operand, .. } => {
                self.lvalue(into, here);
                self.expr(operand, here);
            }
            ExprKind::Call(callee, arguments) => {
                if let Callee::Pointer(callee) = callee {
                    self.expr(callee, here);
                }
                for argument in arguments {
                    self.expr(argument, here);
                }
            }
            ExprKind::Statement(stmts) => self.stmts(stmts, here),
            ExprKind::Const(_) | ExprKind::Text(_) | ExprKind::Function(_) | ExprKind::New(_) => {}
        }
    }

    fn lvalue(&self, of: &mut Lvalue, outside: Place) {
        self.place(&mut of.place, outside);
        let here = of.place;
        match &mut of.kind {
            LvalueKind::Object(_) | LvalueKind::Local(_) => {}
            LvalueKind::Deref(e) => self.expr(e, here),
            LvalueKind::Member(inner, _) | LvalueKind::Bits(inner, _) => self.lvalue(inner, here),
            LvalueKind::Element(inner, index) => {
                self.lvalue(inner, here);
                self.expr(index, here);
            }
        }
    }
}
