//! Arrays whose length is known at run time only.
//!
//! ```text
//! T a[n];  …  }   ─▶   unsigned long size = n * sizeof(T); T *const a = allocated(size);  …  free(a); }
//! ```
//!
//! They are blocks of memory that end with their scope, so an access after that is found like one after `free`. What is
//! different of an array and a pointer is asked here: `sizeof a` is the size, and `&a` is refused.

use super::Parser;
use super::cleanup::Cleanup;
use super::declarator::Declarator;
use super::initialiser::Initial;
use super::object::declare;
use crate::c::check::{Checked, UNSIGNED_LONG, VOID, cast, expr, pointer};
use crate::lower::operation::{Meaning, Operation};
use crate::lower::typed::{
    BinaryOp, Callee, Expr, ExprKind, LocalId, Lvalue, LvalueKind, Path, Stmt, StmtKind, Type,
};
use crate::text::Place;

static ALLOCATE: Operation = Operation {
    name: "the array",
    meaning: Meaning::Malloc,
};
static END: Operation = Operation {
    name: "the end of the array",
    meaning: Meaning::Free,
};

impl Parser<'_> {
    /// Declares the array with this many elements; its declarator says that it is a pointer to them.
    pub(super) fn variable_array(
        &mut self,
        declarator: &Declarator,
        length: Expr,
        start: usize,
        statements: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let place = declarator.place;
        if self.is("=") {
            let message = "an array whose length is no constant has no initialiser";
            return Err(self.check.error(message, place));
        }
        let Some(element) = declarator.ty.pointee().cloned() else {
            return Ok(());
        };
        let of = self.check.size(&element, place)?;
        let ty = UNSIGNED_LONG;
        let of = super::primary::integer_constant(of as i64, &ty, place);
        let product = ExprKind::Binary(BinaryOp::Mul, Box::new(cast(length, &ty)), Box::new(of));
        let none = "no variable can be declared here";
        let Some((made, size)) = self.check.temporary(expr(product, ty.clone(), place)) else {
            return Err(self.check.error(none, place));
        };
        statements.push(made);
        let LvalueKind::Local(size_id) = size.kind else {
            return Ok(());
        };
        let Some(id) = self.local(declarator)? else {
            return Err(self.check.error(none, place));
        };
        let block = call(&ALLOCATE, load(size, ty), pointer(VOID), place);
        let block = expr(
            ExprKind::Cast(Box::new(block)),
            declarator.ty.clone(),
            place,
        );
        let initial = Some(Initial::Scalars(vec![(Path::new(), block)]));
        let whole = self.since(start);
        declare(id, &declarator.ty, initial, whole, statements);
        let kind = LvalueKind::Local(id);
        let ty = declarator.ty.clone();
        let array = load(
            Lvalue {
                kind,
                ty: ty.clone(),
                place,
            },
            ty,
        );
        let end = StmtKind::Expr(call(&END, array, VOID, place));
        if let Some(body) = &mut self.check.body {
            body.variable_arrays.insert(id, size_id);
            let (loops, breakable) = (body.loops, body.breakable);
            body.cleanups.push(Cleanup {
                call: Stmt { kind: end, place },
                loops,
                breakable,
            });
        }
        Ok(())
    }

    /// `sizeof a` of such an array.
    pub(super) fn size_of_variable(&self, array: LocalId, place: Place) -> Option<Expr> {
        let body = self.check.body.as_ref()?;
        let size = *body.variable_arrays.get(&array)?;
        let ty = UNSIGNED_LONG;
        let kind = LvalueKind::Local(size);
        let size = Lvalue {
            kind,
            ty: ty.clone(),
            place,
        };
        Some(load(size, ty))
    }
}

fn load(from: Lvalue, ty: Type) -> Expr {
    let place = from.place;
    expr(ExprKind::Load(Box::new(from)), ty, place)
}

fn call(of: &'static Operation, argument: Expr, returns: Type, place: Place) -> Expr {
    let kind = ExprKind::Call(Callee::Library(of), vec![argument]);
    expr(kind, returns, place)
}
