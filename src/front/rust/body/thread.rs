//! Threads: `spawn`, `scope`, `join`, and vectors of handles.

use super::build::{
    assign, binary, block, compare, constant, declare, expr, known, load, local, sequence, stmt,
    unit, word,
};
use super::control::without_brackets;
use super::method::Method;
use super::scope::{Callable, Extent, Frame, Scope};
use super::{Body, Pl, Return, Val};
use crate::lower::direct;
use crate::lower::typed::{self, BinaryOp, ExprKind, FunctionId, StmtKind};
use crate::rust::source::{at, implied, span};
use crate::rust::types::Ty;
use crate::rust::unit::{Context, Res, plain, void};
use crate::text::Place;
use syn::Expr;

impl<'a> Body<'_, 'a> {
    /// Methods that create threads; `None` if it is none of them.
    pub(super) fn spawns(
        &mut self,
        e: &'a syn::ExprMethodCall,
        of: &Method<'_, 'a>,
    ) -> Res<Option<Val>> {
        match (of.name, of.arguments.len()) {
            ("spawn", 1) => {
                if let Expr::Path(path) = without_brackets(&e.receiver)
                    && let Some(name) = path.path.get_ident()
                    && let Some(number) = self.find(&name.to_string())
                {
                    let var = &self.vars[number];
                    let ty = self.infer.shallow(&var.ty);
                    let ty = match ty {
                        Ty::Ptr(_, to) => self.infer.shallow(&to),
                        ty => ty,
                    };
                    if ty == Ty::Scope {
                        if var.frame + 1 != self.frames.len() {
                            return self.refuse(
                                "a thread of a scope that creates more threads is not supported",
                                of.span.clone(),
                                "create them outside of the thread",
                            );
                        }
                        return self.spawn(&of.arguments[0], of.place).map(Some);
                    }
                }
                Ok(None)
            }
            // `Builder::check` of `loom`
            ("check", 1) if self.is_model(&e.receiver) => {
                self.is_called_once = true;
                self.inline_closure(&of.arguments[0], &[], None, of.place)
                    .map(Some)
            }
            ("collect", 0) => {
                let Expr::MethodCall(map) = &*e.receiver else {
                    return Ok(None);
                };
                if map.method != "map" || map.args.len() != 1 {
                    return Ok(None);
                }
                let Expr::Range(range) = without_brackets(&map.receiver) else {
                    return Ok(None);
                };
                // What is collected is known the next time.
                let element = self.infer.fresh(span(range).start, false);
                let handles = match of.want.map(|ty| self.infer.shallow(ty)) {
                    Some(Ty::Handles(_)) => true,
                    Some(_) | None => match self.infer.shallow(&element) {
                        Ty::Handle(_) => true,
                        Ty::Var(_) => {
                            let made = self.found_method(e, of)?;
                            let all = Ty::Adt(self.t.names.lang.vec, vec![element]);
                            self.prefer(&all, &made.ty);
                            return Ok(Some(made));
                        }
                        _ => false,
                    },
                };
                if !handles {
                    return Ok(None);
                }
                self.collect_threads(range, &map.args[0], of.place)
                    .map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Whether this is a variable that holds a `model::Builder`.
    pub(super) fn is_model(&mut self, e: &Expr) -> bool {
        let Expr::Path(path) = without_brackets(e) else {
            return false;
        };
        let name = path.path.get_ident().map(ToString::to_string);
        let number = name.and_then(|name| self.find(&name));
        number.is_some_and(|number| {
            let ty = self.vars[number].ty.clone();
            self.infer.shallow(&ty) == Ty::Model
        })
    }

    /// `(a..b).map(|i| spawn(…)).collect()`
    fn collect_threads(
        &mut self,
        range: &'a syn::ExprRange,
        closure: &'a Expr,
        place: Place,
    ) -> Res<Val> {
        let start = span(range).start;
        let inside = implied(place);
        let (Some(from), Some(to)) = (&range.start, &range.end) else {
            return self.error("this range has no end", span(range));
        };
        let name = self.names_thread.take();
        let ty = self.infer.fresh(start, true);
        let (from, to) = (self.expr_as(from, &ty)?, self.expr_as(to, &ty)?);
        let result = self.infer.fresh(start, false);
        let handle = Ty::Handle(Box::new(result.clone()));
        let handles = Ty::Handles(Box::new(result));
        let mut stmts = Vec::new();
        let (id, pl) = self.temporary(&handles, place);
        let kind = StmtKind::Declare(id, Vec::new(), typed::Initialised::Yes);
        stmts.push(stmt(kind, inside));
        let counter = self.local("counter", &ty);
        let typed = self.typed(&ty);
        stmts.push(declare(counter, vec![(Vec::new(), from.e)], inside));
        let end = self.hold(to.e, &ty, &mut stmts);
        let value = || load(local(counter, typed.clone(), inside), inside);
        let closed = matches!(range.limits, syn::RangeLimits::Closed(_));
        let op = if closed { BinaryOp::Le } else { BinaryOp::Lt };
        let condition = compare(op, value(), end, inside);
        self.names_thread = name;
        let argument = Val {
            e: value(),
            ty: ty.clone(),
        };
        let made = self.inline_closure(closure, &[argument], Some(&handle), place)?;
        let made = self.coerce(made, &handle, span(closure))?;
        let mut body = Vec::new();
        let held = self.hold(made.e, &handle, &mut body);
        body.extend(self.push_handle(&pl.lvalue, held, place));
        let next = binary(
            BinaryOp::Add,
            value(),
            constant(1, typed.clone(), inside),
            typed.clone(),
            inside,
        );
        let step = assign(local(counter, typed.clone(), inside), next, inside);
        let body = Box::new(block(body, inside));
        stmts.push(stmt(
            StmtKind::For(Some(condition), Some(step), body),
            inside,
        ));
        Ok(Val {
            e: sequence(stmts, load(pl.lvalue, place)),
            ty: handles,
        })
    }

    /// `spawn(closure)`
    pub(super) fn spawn(&mut self, e: &'a Expr, place: Place) -> Res<Val> {
        let name = self
            .names_thread
            .take()
            .unwrap_or_else(|| "thread".to_owned());
        let e = without_brackets(e);
        let callable = match e {
            Expr::Closure(closure) => {
                return self.spawn_closure(closure, None, &name, place);
            }
            Expr::Path(path) if self.names_value(path) => return self.spawn_held(e, &name, place),
            Expr::Path(_) => {
                let mut stmts = Vec::new();
                self.callable(e, &mut stmts)?
            }
            Expr::Block(of) if of.label.is_none() => {
                return self.spawn_after(&of.block, name, place);
            }
            _ => return self.spawn_held(e, &name, place),
        };
        match callable {
            Callable::Closure {
                closure,
                scopes,
                context,
            } => self.spawn_closure(closure, Some((scopes, context)), &name, place),
            Callable::Path { .. } => {
                let made = self.call_callable(&callable, Vec::new(), None, place)?;
                let ExprKind::Call(typed::Callee::Defined(id), _) = made.e.kind else {
                    return self.error("this is not a function that is known here", span(e));
                };
                Ok(self.spawned(id, Vec::new(), made.ty, place))
            }
        }
    }

    /// A thread that executes a closure that is a value.
    fn spawn_held(&mut self, e: &'a Expr, name: &str, place: Place) -> Res<Val> {
        let value = self.expr(e, None)?;
        let (function, result) = self.calls_held(&value.ty, name, &span(e))?;
        let arguments = if value.e.ty.is_void() {
            Vec::new()
        } else {
            vec![value.e]
        };
        Ok(self.spawned(function, arguments, result, place))
    }

    /// A thread that executes a closure.
    fn spawn_closure(
        &mut self,
        closure: &'a syn::ExprClosure,
        named: Option<(Vec<Scope>, Context)>,
        name: &str,
        place: Place,
    ) -> Res<Val> {
        let (function, arguments, result) = self.thread(closure, named, name)?;
        Ok(self.spawned(function, arguments, result, place))
    }

    /// The creation of a thread, and its handle.
    fn spawned(
        &mut self,
        function: FunctionId,
        arguments: Vec<typed::Expr>,
        result: Ty,
        place: Place,
    ) -> Val {
        let routine = expr(
            ExprKind::Function(function),
            plain(typed::TypeKind::Pointer(Box::new(void()))),
            place,
        );
        let mut all = vec![routine];
        all.extend(arguments);
        let ty = Ty::Handle(Box::new(result));
        let typed = self.typed(&ty);
        Val {
            e: known(&direct::SPAWN, all, typed, place),
            ty,
        }
    }

    /// `spawn({ …; closure })`
    fn spawn_after(&mut self, of: &'a syn::Block, name: String, place: Place) -> Res<Val> {
        let Some((syn::Stmt::Expr(last, None), first)) = of.stmts.split_last() else {
            return self.error("what a thread executes has to be a closure", span(of));
        };
        let floor = self.scopes.len();
        self.scopes.push(Scope::default());
        let mut stmts = Vec::new();
        let mut made = Ok(());
        for stmt in first {
            made = made.and(self.statement(stmt, &mut stmts));
        }
        let made = made.and_then(|()| {
            self.names_thread = Some(name);
            let handle = self.spawn(last, place)?;
            let e = self.hold(handle.e, &handle.ty, &mut stmts);
            self.leave(floor, place, &mut stmts)?;
            Ok(Val { e, ty: handle.ty })
        });
        self.scopes.truncate(floor);
        let made = made?;
        Ok(Val {
            e: sequence(stmts, made.e),
            ty: made.ty,
        })
    }

    /// A closure as the function of a thread; what it captures, and its result.
    fn thread(
        &mut self,
        closure: &'a syn::ExprClosure,
        named: Option<(Vec<Scope>, Context)>,
        name: &str,
    ) -> Res<(FunctionId, Vec<typed::Expr>, Ty)> {
        if closure.inputs.len() > 1 {
            return self.error("the closure of a thread takes no arguments", span(closure));
        }
        let Some((scopes, context)) = named else {
            return self.thread_here(closure, name);
        };
        let scopes = std::mem::replace(&mut self.scopes, scopes);
        let context = std::mem::replace(&mut self.context, context);
        let made = self.thread_here(closure, name);
        self.scopes = scopes;
        self.context = context;
        made
    }

    fn thread_here(
        &mut self,
        closure: &'a syn::ExprClosure,
        name: &str,
    ) -> Res<(FunctionId, Vec<typed::Expr>, Ty)> {
        let start = span(closure).start;
        let (captured, arguments) = self.captures(closure)?;
        let inside = self
            .frames
            .last()
            .map_or(FunctionId(0), |frame| frame.function);
        let head = span(&closure.or1_token).start..span(&closure.or2_token).end;
        let id = self.t.closure(inside, head, name);
        let mut frame = Frame::new(id);
        frame.closure = Some(start);
        self.parameters_of(&captured, &[], &mut frame);
        let parameters = captured.len();
        let result = match &closure.output {
            syn::ReturnType::Type(_, ty) => self.written(ty)?,
            syn::ReturnType::Default => self.infer.fresh(start, false),
        };
        self.frames.push(frame);
        let floor = self.scopes.len();
        self.scopes.push(Scope::default());
        let exits = std::mem::take(&mut self.exits);
        let pending = std::mem::take(&mut self.pending);
        let kept = std::mem::take(&mut self.kept_by_closure);
        self.returns.push(Return {
            ty: result.clone(),
            depth: floor,
            inline: None,
        });
        let mut body = Vec::new();
        self.own_captured(closure, &captured, &mut body);
        let made = self.thread_body(closure, &result, &mut body);
        self.returns.pop();
        self.exits = exits;
        self.pending = pending;
        self.kept_by_closure = kept;
        self.scopes.truncate(floor);
        let frame = self.frames.pop();
        made?;
        if self.drops_otherwise(&result) {
            return self.refuse(
                "the result of a thread whose end has an effect is not supported",
                span(closure),
                "put it where the other thread finds it, under a lock",
            );
        }
        let returns = self.typed(&result);
        let function = &mut self.t.unit.functions[id.0];
        function.parameters = parameters;
        function.locals = frame.map(|frame| frame.locals).unwrap_or_default();
        function.returns = returns;
        function.body = body;
        Ok((id, arguments, result))
    }

    fn thread_body(
        &mut self,
        closure: &'a syn::ExprClosure,
        result: &Ty,
        stmts: &mut Vec<typed::Stmt>,
    ) -> Res<()> {
        if let Some(pattern) = closure.inputs.first() {
            // `s.spawn(|_| …)`
            if !matches!(pattern, syn::Pat::Wild(_)) {
                return self.error("the closure of a thread takes no arguments", span(pattern));
            }
        }
        match &*closure.body {
            Expr::Block(of) if of.label.is_none() => {
                let made = self.function_block(&of.block, result)?;
                stmts.extend(made);
                Ok(())
            }
            e => self.within(Extent::Temporaries, at(e), stmts, |body, stmts| {
                body.return_value(e, stmts)
            }),
        }
    }

    /// `thread::scope(|s| …)`
    pub(super) fn scope(&mut self, e: &'a Expr, want: Option<&Ty>, place: Place) -> Res<Val> {
        let scope = Val {
            e: constant(0, word(), place),
            ty: Ty::Scope,
        };
        let begin = known(&direct::SCOPE_BEGIN, Vec::new(), void(), place);
        let mut stmts = vec![Self::effect(begin)];
        self.is_called_once = true;
        let value = self.inline_closure(e, &[scope], want, place)?;
        let result = self.hold(value.e, &value.ty, &mut stmts);
        stmts.push(Self::effect(known(
            &direct::SCOPE_END,
            Vec::new(),
            void(),
            place,
        )));
        Ok(Val {
            e: sequence(stmts, result),
            ty: value.ty,
        })
    }

    pub(super) fn handle_method(
        &mut self,
        handle: Val,
        result: &Ty,
        of: &Method<'_, 'a>,
    ) -> Res<Option<Val>> {
        let place = of.place;
        match (of.name, of.arguments.len()) {
            ("join", 0) => {
                let ty = self.t.result(result.clone(), Ty::Failure);
                let mut stmts = Vec::new();
                let (id, pl) = self.temporary(result, place);
                let (to, value) = if pl.lvalue.ty.is_void() {
                    let null = plain(typed::TypeKind::Pointer(Box::new(void())));
                    (constant(0, null, place), unit(place))
                } else {
                    stmts.push(declare(id, Vec::new(), implied(place)));
                    let to = self.address_of(pl.lvalue.clone(), place);
                    (to, load(pl.lvalue, place))
                };
                let join = known(&direct::JOIN, vec![handle.e, to], word(), place);
                stmts.push(Self::effect(join));
                let is_err = super::build::truth(false, place);
                let e = self.tagged(&ty, is_err, value, place);
                Ok(Some(Val {
                    e: sequence(stmts, e),
                    ty,
                }))
            }
            ("is_finished", 0) => self.refuse(
                "`is_finished` is not supported",
                of.span.clone(),
                "use a flag of its own",
            ),
            _ => Ok(None),
        }
    }

    /// `park`, which may return at any time: it matters where waiting forever is a property.
    pub(super) fn park(place: Place) -> Val {
        Val {
            e: known(&direct::PARK, Vec::new(), void(), place),
            ty: Ty::Unit,
        }
    }

    /// `unpark` of the thread in a place.
    pub(super) fn unpark(&mut self, pl: &Pl, of: &Method<'_, 'a>) -> Res<Val> {
        self.exactly(of, 0)?;
        let thread = load(pl.lvalue.clone(), of.place);
        Ok(Val {
            e: known(&direct::UNPARK, vec![thread], void(), of.place),
            ty: Ty::Unit,
        })
    }
}
