//! What flows where: one pass over the program, repeated until nothing changes.

use super::{Class, Classes, is_64_bit, is_atomic};
use crate::lower::accesses::function;
use crate::lower::operation::{Compared, Expected, Meaning};
use crate::lower::typed::{
    BinaryOp, Callee, Expr, ExprKind, FunctionId, LocalId, Lvalue, LvalueKind, Path, Step, Stmt,
    StmtKind, Type, TypeKind, WordOrder,
};

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
    fn flow(&mut self, e: &'u Expr, into: Class) {
        let value = self.value(e);
        if e.ty.is_integer() {
            if self.is_wide(e) {
                self.widen(into);
            }
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
            StmtKind::While(c, body) | StmtKind::DoWhile(body, c) | StmtKind::Switch(c, body) => {
                self.value(c);
                self.stmt(body);
            }
            StmtKind::For(c, step, body) => {
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
            | StmtKind::Empty => {}
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
                self.value(e);
                let array = self.contents(inner);
                self.inner(array)
            }
        }
    }

    fn own(&mut self, e: &Expr) -> Class {
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
            ExprKind::Const(_) | ExprKind::Text(_) | ExprKind::New(_) => self.own(e),
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
                let left = self.value(a);
                self.value(b);
                match op {
                    BinaryOp::PointerAdd | BinaryOp::PointerSub => left,
                    _ => self.own(e),
                }
            }
            ExprKind::Checked(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
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
                let is_wide = is_64_bit(computed_in) && self.makes_wide(*op, None, operand);
                if is_wide && is_64_bit(&into.ty) {
                    self.widen(class);
                }
                class
            }
            ExprKind::Cast(a) => {
                let value = self.value(a);
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
                return self.own(e);
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

    fn call(&mut self, e: &'u Expr, callee: &'u Callee, arguments: &'u [Expr]) -> Class {
        match callee {
            Callee::Defined(FunctionId(id)) => {
                let known = self.unit.functions[*id].parameters;
                for (at, argument) in arguments.iter().enumerate() {
                    if at < known {
                        self.flow(argument, self.locals[*id][at]);
                    } else {
                        self.value(argument);
                    }
                }
                self.results[*id]
            }
            Callee::Pointer(pointer) => {
                let pointer_class = self.value(pointer);
                let function = if pointer.ty.is_pointer() {
                    self.inner(pointer_class)
                } else {
                    pointer_class
                };
                let (result, parameters) = self.signature(function, arguments.len());
                for (argument, parameter) in arguments.iter().zip(parameters) {
                    self.flow(argument, parameter);
                    // Which function it is may be found out in other ways.
                    self.keep_narrow(&argument.ty, parameter);
                }
                self.keep_narrow(&e.ty, result);
                result
            }
            Callee::Library(operation) => self.operation(e, operation.meaning, arguments),
        }
    }

    /// What a function gets and yields that is called in ways that are not followed.
    fn keep_whole(&mut self, id: usize) {
        let function = &self.unit.functions[id];
        for (at, local) in function.locals.iter().enumerate().take(function.parameters) {
            if local.ty.is_integer() {
                self.keep_narrow(&local.ty, self.locals[id][at]);
            }
        }
        if function.returns.is_integer() {
            self.keep_narrow(&function.returns, self.results[id]);
        }
    }

    fn operation(&mut self, e: &'u Expr, meaning: Meaning, arguments: &'u [Expr]) -> Class {
        if let Meaning::Spawn | Meaning::Start | Meaning::Later = meaning
            && let Some((routine, given)) = arguments.split_first()
            && let Some(FunctionId(id)) = function(routine)
        {
            // It is called with these arguments, and nowhere else by this.
            let returns = &self.unit.functions[id].returns;
            if returns.is_integer() {
                self.keep_narrow(returns, self.results[id]);
            }
            self.routine(Some(routine), given);
            return self.own(e);
        }
        let classes: Vec<Class> = arguments.iter().map(|e| self.value(e)).collect();
        let class = |at: usize| classes.get(at).copied();
        if let Some(first) = class(0)
            && is_atomic(meaning)
        {
            let object = self.inner(first);
            let stored = match meaning {
                Meaning::CompareExchange { expected, .. } => {
                    match expected {
                        Expected::ByValue => self.flow(&arguments[1], object),
                        Expected::ByPointer => {
                            let there = self.inner(classes[1]);
                            self.unify(object, there);
                        }
                    }
                    arguments.get(2)
                }
                Meaning::Fetch { op, .. } => {
                    if let Some(operand) = arguments.get(1)
                        && arguments[0].ty.pointee().is_some_and(is_64_bit)
                        && self.makes_wide(op, None, operand)
                    {
                        self.widen(object);
                    }
                    None
                }
                Meaning::Store(_) | Meaning::Exchange(_) => arguments.get(1),
                _ => None,
            };
            if let Some(stored) = stored {
                self.flow(stored, object);
            }
            return match meaning {
                Meaning::CompareExchange {
                    yields: Compared::Success,
                    ..
                }
                | Meaning::TestAndSet(_) => self.own(e),
                _ => object,
            };
        }
        match meaning {
            Meaning::PthreadCreate => self.routine(arguments.get(2), &arguments[3..]),
            Meaning::ThrdCreate => self.routine(arguments.get(1), &arguments[2..]),
            Meaning::CopyBytes | Meaning::CompareBytes => {
                if let (Some(a), Some(b)) = (class(0), class(1)) {
                    let (a, b) = (self.inner(a), self.inner(b));
                    self.unify(a, b);
                }
                if let Some(first) = class(0).filter(|_| e.ty.is_pointer()) {
                    return first;
                }
            }
            Meaning::AnyBytes
            | Meaning::HandOut
            | Meaning::Print
            | Meaning::Ignore
            | Meaning::Free
            | Meaning::Unmap => {}
            Meaning::FillBytes | Meaning::Realloc => {
                if let Some(first) = class(0) {
                    return first;
                }
            }
            _ => {
                for (argument, class) in arguments.iter().zip(classes) {
                    if argument.ty.is_pointer() {
                        self.keep_narrow(&argument.ty, class);
                    }
                }
            }
        }
        self.own(e)
    }

    /// What a thread is given goes to the parameters of its routine.
    fn routine(&mut self, routine: Option<&'u Expr>, given: &'u [Expr]) {
        let Some(FunctionId(id)) = routine.and_then(function) else {
            return;
        };
        let parameters = self.unit.functions[id].parameters;
        for (at, argument) in given.iter().enumerate().take(parameters) {
            self.flow(argument, self.locals[id][at]);
        }
    }
}
