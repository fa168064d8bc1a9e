//! What flows where: one pass over the program, repeated until nothing changes.

use super::samples::{Samples, are_beyond, grows};
use super::{Class, Classes, is_64_bit};
use crate::lower::typed::{
    BinaryOp, Expr, ExprKind, FunctionId, LocalId, Lvalue, LvalueKind, Path, Step, Stmt, StmtKind,
    Type, TypeKind, WordOrder,
};
use crate::lower::wide::in_32_bits;

impl<'u> Classes<'u> {
    pub(super) fn pass(&mut self) {
        let unit = self.unit;
        for (id, _) in unit
            .structs
            .iter()
            .enumerate()
            .filter(|(_, of)| !of.apart.is_empty())
        {
            self.cut_union(id);
        }
        for (id, object) in unit.objects.iter().enumerate() {
            for (path, e) in &object.init {
                self.fills(&object.ty, self.objects[id], path, e);
            }
        }
        for (id, function) in unit.functions.iter().enumerate() {
            self.function = id;
            for stmt in &function.body {
                self.stmt(stmt);
            }
        }
    }

    /// The class and the type of a scalar, by the way to it.
    pub(in crate::lower::words) fn at_path(
        &mut self,
        ty: &'u Type,
        class: Class,
        path: &Path,
    ) -> (Class, &'u Type) {
        let (mut ty, mut class) = (ty, class);
        for step in path {
            match (step, &ty.kind) {
                (Step::Member(index), TypeKind::Struct(id)) => {
                    class = self.members[id.0][*index];
                    ty = &self.unit.structs[id.0].members[*index].ty;
                }
                (Step::Element(_), TypeKind::Array(element, _)) => {
                    class = self.inner(class);
                    ty = element;
                }
                _ => return (class, ty),
            }
        }
        (class, ty)
    }

    fn fills(&mut self, ty: &'u Type, class: Class, path: &Path, e: &'u Expr) {
        let (class, _) = self.at_path(ty, class, path);
        self.flow(e, class);
    }

    /// The value of an expression goes where things of a class are.
    pub(super) fn flow(&mut self, e: &'u Expr, into: Class) {
        let value = self.value(e);
        if e.ty.is_integer() {
            if self.is_wide(e) {
                self.widen(into);
            }
            let samples = self.samples(e);
            self.join(into, &samples);
        } else {
            self.unify(into, value);
        }
    }

    fn stmt(&mut self, stmt: &'u Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) => {
                if let StmtKind::Return(_) = &stmt.kind {
                    self.flow(e, self.results[self.function]);
                } else {
                    self.value(e);
                }
            }
            StmtKind::Declare(local, init, _) => {
                let unit = self.unit;
                let ty = &unit.functions[self.function].locals[local.0].ty;
                let class = self.locals[self.function][local.0];
                for (path, e) in init {
                    self.fills(ty, class, path, e);
                }
            }
            StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| self.stmt(stmt)),
            StmtKind::If(c, then, other) => {
                self.value(c);
                self.stmt(then);
                if let Some(other) = other {
                    self.stmt(other);
                }
            }
            StmtKind::While(c, body) | StmtKind::DoWhile(body, c) => {
                self.value(c);
                self.bound(c);
                self.stmt(body);
            }
            StmtKind::Switch(c, body) => {
                self.value(c);
                self.stmt(body);
            }
            StmtKind::For(c, step, body) => {
                if let Some(c) = c {
                    self.bound(c);
                }
                for e in c.iter().chain(step) {
                    self.value(e);
                }
                self.stmt(body);
            }
            StmtKind::Case(_, body) | StmtKind::Default(body) | StmtKind::Label(_, body) => {
                self.stmt(body);
            }
            StmtKind::Word(word) => {
                if let WordOrder::Given(e) = &word.order {
                    self.value(e);
                }
                word.body.iter().for_each(|stmt| self.stmt(stmt));
            }
            StmtKind::Return(None)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Asm(_)
            | StmtKind::Empty
            | StmtKind::InMacro => {}
        }
    }

    /// What is in an object.
    pub(in crate::lower::words) fn contents(&mut self, lvalue: &'u Lvalue) -> Class {
        match &lvalue.kind {
            LvalueKind::Object(id) => self.objects[id.0],
            LvalueKind::Local(LocalId(id)) => self.locals[self.function][*id],
            LvalueKind::Deref(e) => {
                let pointer = self.value(e);
                self.inner(pointer)
            }
            LvalueKind::Member(inner, index) => {
                self.contents(inner);
                match inner.ty.kind {
                    TypeKind::Struct(id) => self.members[id.0][*index],
                    _ => self.fresh(),
                }
            }
            LvalueKind::Bits(inner, _) => {
                let class = self.contents(inner);
                self.keep_narrow(&inner.ty, class);
                class
            }
            LvalueKind::Element(inner, e) => {
                self.index(e);
                let array = self.contents(inner);
                self.inner(array)
            }
        }
    }

    /// A number by which a pointer is moved: as large as no object is, it is outside, converted or not.
    fn index(&mut self, e: &'u Expr) {
        match &e.kind {
            ExprKind::Cast(inner) if inner.ty.is_integer() => {
                self.value(inner);
                self.own(e);
            }
            _ => {
                self.value(e);
            }
        }
    }

    pub(super) fn own(&mut self, e: &Expr) -> Class {
        let address = std::ptr::from_ref(e).addr();
        if let Some(class) = self.own.get(&address) {
            return *class;
        }
        let class = self.fresh();
        self.own.insert(address, class);
        class
    }

    /// What the value of an expression is.
    pub(in crate::lower::words) fn value(&mut self, e: &'u Expr) -> Class {
        let address = std::ptr::from_ref(e).addr();
        if self.is_final
            && let Some(class) = self.all.get(&address)
        {
            return *class;
        }
        let class = self.value_now(e);
        if self.is_final {
            self.all.insert(address, class);
        }
        class
    }

    fn value_now(&mut self, e: &'u Expr) -> Class {
        match &e.kind {
            ExprKind::Const(value) => {
                let own = self.own(e);
                if e.ty.is_pointer() && *value != 0 {
                    self.join(own, &Samples::from([i128::from(*value)]));
                }
                own
            }
            ExprKind::Text(_) | ExprKind::New(_) => self.own(e),
            ExprKind::Function(FunctionId(id)) => {
                let own = self.own(e);
                let to = self.inner(own);
                self.unify(self.functions[*id], to);
                self.keep_whole(*id);
                own
            }
            ExprKind::Load(lvalue) => self.contents(lvalue),
            ExprKind::AddressOf(lvalue) => {
                let own = self.own(e);
                let (to, contents) = (self.inner(own), self.contents(lvalue));
                self.unify(to, contents);
                own
            }
            ExprKind::Unary(_, a) => {
                self.value(a);
                self.own(e)
            }
            ExprKind::Binary(op, a, b) => {
                // A comparison of 32 bits needs no more.
                let narrow = in_32_bits(*op, a, b).or_else(|| in_32_bits(*op, b, a));
                if narrow.is_some() {
                    for operand in [a, b] {
                        if let ExprKind::Cast(inner) = &operand.kind {
                            self.value(inner);
                        }
                    }
                    return self.own(e);
                }
                let left = self.value(a);
                if matches!(op, BinaryOp::PointerAdd | BinaryOp::PointerSub) {
                    self.index(b);
                } else {
                    self.value(b);
                }
                self.has_large |= self.is_beyond(*op, e);
                match op {
                    BinaryOp::PointerAdd | BinaryOp::PointerSub => left,
                    _ => self.own(e),
                }
            }
            ExprKind::Checked(op, a, b) => {
                self.value(a);
                self.value(b);
                self.has_large |= self.is_beyond(*op, e);
                self.own(e)
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.value(a);
                self.value(b);
                self.own(e)
            }
            ExprKind::Conditional(c, a, b) => {
                self.value(c);
                let own = self.own(e);
                for arm in [a, b] {
                    self.flow(arm, own);
                }
                own
            }
            ExprKind::Comma(a, b) => {
                self.value(a);
                self.value(b)
            }
            ExprKind::Assign(into, value) => {
                let class = self.contents(into);
                self.flow(value, class);
                class
            }
            ExprKind::Update {
                op,
                into,
                operand,
                computed_in,
                ..
            } => {
                let class = self.contents(into);
                self.value(operand);
                let results = self.updated((class, &into.ty), *op, operand, computed_in);
                self.join(class, &results);
                let is_beyond = grows(*op) && are_beyond(&results);
                let is_wide = is_beyond || self.makes_wide(*op, None, operand);
                if is_wide && is_64_bit(computed_in) && is_64_bit(&into.ty) {
                    self.widen(class);
                }
                class
            }
            ExprKind::Cast(a) => {
                let value = self.value(a);
                self.has_large |= is_64_bit(&e.ty) && self.is_large(a);
                self.cast(e, a, value)
            }
            ExprKind::Call(callee, arguments) => self.call(e, callee, arguments),
            ExprKind::Statement(stmts) => {
                let Some((last, rest)) = stmts.split_last() else {
                    return self.own(e);
                };
                for stmt in rest {
                    self.stmt(stmt);
                }
                if let StmtKind::Expr(last) = &last.kind {
                    self.value(last)
                } else {
                    self.stmt(last);
                    self.own(e)
                }
            }
        }
    }

    /// A pointer to one type becomes one to another: what that leads to.
    fn cast(&mut self, e: &'u Expr, a: &'u Expr, value: Class) -> Class {
        let (Some(to), Some(from)) = (e.ty.pointee(), a.ty.pointee()) else {
            if e.ty.is_scalar() {
                let own = self.own(e);
                if e.ty.is_pointer() {
                    let samples = self.samples(a);
                    self.join(own, &samples);
                }
                return own;
            }
            return value;
        };
        if let (TypeKind::Int { bits: wide, .. }, TypeKind::Int { bits: narrow, .. }) =
            (&from.kind, &to.kind)
            && wide != narrow
        {
            // One is seen in the parts of the other.
            let own = self.own(e);
            let (there, seen) = (self.inner(value), self.inner(own));
            let (larger, part, of) = if wide > narrow {
                (there, narrow / 8, wide / 8)
            } else {
                (seen, wide / 8, narrow / 8)
            };
            for at in (part..of).step_by(usize::from(part)) {
                self.cut(larger, 1 << at);
                if wide > narrow {
                    break;
                }
            }
            return own;
        }
        let (outer, inner) = (self.first(from, value), self.first(to, value));
        match (outer, inner) {
            (None, None) => value,
            (first, _) => {
                // From something to its first scalar, or the other way round.
                let own = self.own(e);
                let scalar = first.unwrap_or_else(|| self.inner(value));
                let there = match self.first(to, own) {
                    Some(first) => first,
                    None => self.inner(own),
                };
                self.unify(scalar, there);
                own
            }
        }
    }

    /// The first scalar of what a pointer leads to, if that is no scalar.
    fn first(&mut self, to: &'u Type, pointer: Class) -> Option<Class> {
        let mut ty = to;
        let mut class = self.inner(pointer);
        let mut is_inside = false;
        loop {
            match &ty.kind {
                TypeKind::Array(of, _) => {
                    class = self.inner(class);
                    ty = of;
                }
                TypeKind::Struct(id) => {
                    let of = &self.unit.structs[id.0];
                    let first = of.union.unwrap_or_default();
                    let member = of.members.get(first)?;
                    class = self.members[id.0][first];
                    ty = &member.ty;
                }
                _ => return is_inside.then_some(class),
            }
            is_inside = true;
        }
    }
}
