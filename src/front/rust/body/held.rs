//! Closures and functions as values.
//!
//! A closure that is only called, by its name or by functions that it is given to, is part of the text where that
//! happens (`closure`). One that is kept in a variable of another type, in a field, or returned, is a value: what it
//! captures, as a structure, and a function that has the captures and the arguments as parameters. Which of both it is
//! turns out while the body is checked; the next time it is made so.
//!
//! A closure that moves out of what it captures is called once, with the captures themselves. Any other one gets the
//! addresses of those that may change or end: they stay in the value, and end where that does.

use super::build::{call, load, member, sequence, unit};
use super::call::Operand;
use super::captures::{Captured, How};
use super::control::without_brackets;
use super::moves::Part;
use super::scope::{Callable, Extent, Frame, Scope, Where};
use super::{Body, Pl, Return, Val};
use crate::lower::typed::{self, FunctionId, Initialised, LocalId, LvalueKind, Step, StmtKind};
use crate::rust::source::{at, implied, span};
use crate::rust::types::{Ptr, Ty};
use crate::rust::unit::Res;
use crate::text::{Place, Span};
use syn::Expr;

/// What is called by a value.
#[derive(Clone, Debug)]
pub(in crate::rust) struct Held {
    pub(in crate::rust) members: Vec<(String, Ty)>,
    /// Whether the address of a member is given to the function, and not its value.
    by_address: Vec<bool>,
    /// Whether calling it consumes it.
    once: bool,
    inputs: Vec<Ty>,
    result: Ty,
}

impl Held {
    /// What it is called with, and what it yields.
    pub(in crate::rust) fn signature(&self) -> (Vec<Ty>, Ty) {
        (self.inputs.clone(), self.result.clone())
    }
}

impl<'a> Body<'_, 'a> {
    /// Notes that this is used as a value, so that the next time it is one.
    pub(super) fn escapes<T>(&mut self, callable: &Callable<'a>) -> Res<T> {
        let of = match callable {
            Callable::Closure { closure, .. } => span(*closure),
            Callable::Path { path, .. } => span(*path),
        };
        self.held_now.insert(of.start);
        let message = "this closure is not supported as a value here";
        self.refuse(message, of, "call it, or give it to a function that does")
    }

    /// Whether a closure or a function is a value.
    pub(super) fn is_held(&self, e: &Expr) -> bool {
        let e = without_brackets(e);
        matches!(e, Expr::Closure(_) | Expr::Path(_)) && self.held_before.contains(&span(e).start)
    }

    /// Keeps what is called by a value for all bodies; structures with other parts are made again.
    fn keep_held(&mut self, id: FunctionId, held: Held) {
        let old = self.t.held.insert(id.0, held);
        let members = old.map(|old| old.members);
        let own = self.t.held.get(&id.0).map(|own| own.members.clone());
        if members != own {
            self.t.forget_structures(&Ty::Closure(id.0));
        }
        self.held_here.push(id.0);
    }

    /// The types of what is called by values that this body has made, once it is checked.
    pub(super) fn settle_held(&mut self) {
        for id in std::mem::take(&mut self.held_here) {
            if let Some(mut held) = self.t.held.get(&id).cloned() {
                held.inputs = held
                    .inputs
                    .iter()
                    .map(|ty| self.infer.settled(ty))
                    .collect();
                held.result = self.infer.settled(&held.result);
                self.t.held.insert(id, held);
            }
        }
    }

    /// A closure as a value.
    pub(super) fn held_closure(&mut self, closure: &'a syn::ExprClosure) -> Res<Val> {
        let place = at(closure);
        let start = span(closure).start;
        let (captured, arguments) = self.captures(closure)?;
        let once = self.moves_any(start);
        let inside = self.frames.last().map_or(FunctionId(0), |of| of.function);
        let head = span(&closure.or1_token).start..span(&closure.or2_token).end;
        let id = self.t.closure(inside, head, "closure");
        let mut frame = Frame::new(id);
        frame.closure = Some(start);
        let mut members = Vec::new();
        for (number, one) in captured.iter().enumerate() {
            let ty = self.captured_type(one);
            members.push((number.to_string(), self.infer.settled(&ty)));
        }
        let result = match &closure.output {
            syn::ReturnType::Type(_, ty) => self.written(ty)?,
            syn::ReturnType::Default => self.infer.fresh(start, false),
        };
        let mut inputs = Vec::new();
        for input in &closure.inputs {
            inputs.push(match input {
                syn::Pat::Type(input) => self.written(&input.ty)?,
                input => self.infer.fresh(span(input).start, false),
            });
        }
        let types: Vec<typed::Type> = inputs.iter().map(|ty| self.typed(ty)).collect();
        let mut by_address = vec![false; captured.len()];
        if once {
            self.parameters_of(&captured, &types, &mut frame);
        } else {
            by_address = self.parameters_at(&captured, &types, &mut frame, &span(closure))?;
        }
        let held = Held {
            members,
            by_address,
            once,
            inputs: inputs.clone(),
            result: result.clone(),
        };
        self.keep_held(id, held);
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
        if once {
            self.own_captured(closure, &captured, &mut body);
        }
        let parameters = types.iter().filter(|ty| !ty.is_void()).count() + captured.len();
        let made = self.held_body(closure, (&inputs, &result), captured.len(), &mut body);
        self.returns.pop();
        self.exits = exits;
        self.pending = pending;
        self.kept_by_closure = kept;
        self.scopes.truncate(floor);
        let frame = self.frames.pop();
        made?;
        let returns = self.typed(&result);
        let function = &mut self.t.unit.functions[id.0];
        function.parameters = parameters;
        function.locals = frame.map(|frame| frame.locals).unwrap_or_default();
        function.returns = returns;
        function.body = body;
        let ty = Ty::Closure(id.0);
        let (value, pl) = self.temporary(&ty, place);
        let arguments = arguments.into_iter().enumerate();
        let values = arguments.map(|(number, e)| (vec![Step::Member(number)], e));
        let kind = StmtKind::Declare(value, values.collect(), Initialised::Yes);
        let set = super::build::stmt(kind, implied(place));
        Ok(Val {
            e: sequence(vec![set], load(pl.lvalue, place)),
            ty,
        })
    }

    /// The body of a closure, with its parameters, which come after so many captures.
    fn held_body(
        &mut self,
        closure: &'a syn::ExprClosure,
        (inputs, result): (&[Ty], &Ty),
        captures: usize,
        stmts: &mut Vec<typed::Stmt>,
    ) -> Res<()> {
        let mut next = captures;
        for (pattern, ty) in closure.inputs.iter().zip(inputs) {
            let pattern = match pattern {
                syn::Pat::Type(pattern) => &*pattern.pat,
                pattern => pattern,
            };
            let local = if self.typed(ty).is_void() {
                self.local("parameter", ty)
            } else {
                next += 1;
                LocalId(next - 1)
            };
            self.parameter(pattern, local, ty.clone(), stmts)?;
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

    /// A function as a value.
    pub(super) fn held_function(
        &mut self,
        path: &'a syn::ExprPath,
        want: Option<&Ty>,
    ) -> Res<Option<Val>> {
        let place = at(path);
        let Some((def, context)) = self.function_named(path, want)? else {
            return Ok(None);
        };
        let mut inputs = Vec::new();
        for input in self.t.inputs(def.sig)? {
            inputs.push(self.input_type(input, &context)?);
        }
        let result = self.returned(def, &context, None)?;
        let context = self.settled_context(&context);
        let id = self.t.instance(def, context, span(path))?;
        let held = Held {
            members: Vec::new(),
            by_address: Vec::new(),
            once: false,
            inputs,
            result,
        };
        self.keep_held(id, held);
        let ty = Ty::Closure(id.0);
        let (value, pl) = self.temporary(&ty, place);
        let kind = StmtKind::Declare(value, Vec::new(), Initialised::Yes);
        let set = super::build::stmt(kind, implied(place));
        Ok(Some(Val {
            e: sequence(vec![set], load(pl.lvalue, place)),
            ty,
        }))
    }

    /// The type of what a value captures.
    fn captured_type(&mut self, one: &Captured) -> Ty {
        let ty = self.vars[one.number].ty.clone();
        match &one.how {
            How::Value => ty,
            How::Address => Ty::pointer(Ptr::Ref, ty),
            How::Moved(way) => {
                let parts = way.iter().filter_map(|part| match part {
                    Part::Member(member) => Some(*member),
                    Part::Content => None,
                });
                parts.fold(ty, |ty, member| {
                    let ty = self.infer.settled(&ty);
                    self.member_of(&ty, member)
                        .map_or(Ty::Unit, |(_, part)| part)
                })
            }
        }
    }

    /// Calls what an expression is the value of.
    pub(super) fn call_value(
        &mut self,
        func: &'a Expr,
        operands: Vec<Operand<'a>>,
        want: Option<&Ty>,
        place: Place,
    ) -> Res<Val> {
        let func = without_brackets(func);
        if let Expr::Closure(_) = func {
            let mut stmts = Vec::new();
            self.is_called_once = true;
            let callable = self.callable(func, &mut stmts)?;
            self.is_called_once = true;
            let value = self.call_callable(&callable, operands, want, place)?;
            return Ok(Val {
                e: sequence(stmts, value.e),
                ty: value.ty,
            });
        }
        let shared = self.shared;
        let pl = if self.is_place(func) {
            self.place(func)?
        } else {
            let value = self.expr(func, None)?;
            self.keep(value, &span(func))?
        };
        let found = self.deref_until(pl.clone(), place, |body, pl| {
            let ty = body.infer.shallow(&pl.ty);
            matches!(ty, Ty::Closure(_) | Ty::Called(_)) || body.object_of(&ty).is_some()
        })?;
        let Some(found) = found else {
            if let Ty::Var(_) = self.infer.shallow(&pl.ty) {
                return self.error("what is called here is not known", span(func));
            }
            return self.refuse(
                "what is called here is not a function or a closure that is known",
                span(func),
                "call functions by their names, and closures by the variables and fields that hold them",
            );
        };
        if self.shared > shared && !self.captures_nothing(&found.ty) {
            // What is changed by its call is reached by `deref_mut`, and all others by `deref`.
            return self.refuse(
                "a call of a closure through `Deref` and `DerefMut` of the text is not supported",
                span(func),
                "make a reference to the closure, `let f = &mut *…`, and call that",
            );
        }
        if let Ty::Called(_) = self.infer.shallow(&found.ty) {
            let callable = self.callable_of(&found.ty, span(func))?;
            return self.call_callable(&callable, operands, want, place);
        }
        if self.object_of(&found.ty).is_some() {
            return self.call_object(&found, operands, place);
        }
        self.call_held(&found, operands, place)
    }

    /// Whether it is a closure or a function that nothing captured belongs to.
    fn captures_nothing(&mut self, ty: &Ty) -> bool {
        match self.infer.shallow(ty) {
            Ty::Closure(id) => {
                let held = self.t.held.get(&id);
                held.is_some_and(|held| held.members.is_empty())
            }
            _ => false,
        }
    }

    /// Calls the closure or the function that is in a place.
    pub(super) fn call_held(
        &mut self,
        pl: &Pl,
        operands: Vec<Operand<'a>>,
        place: Place,
    ) -> Res<Val> {
        let of = place.start as usize..place.end as usize;
        let Ty::Closure(id) = self.infer.shallow(&pl.ty) else {
            return self.error("what is called here is not known", of);
        };
        let Some(held) = self.t.held.get(&id).cloned() else {
            return Err(self.t.reported());
        };
        if held.inputs.len() != operands.len() {
            return self.error("this takes another number of arguments", of);
        }
        let mut stmts = Vec::new();
        let consumes = self.needs_drop(&pl.ty) && (held.once || self.is_called_by_value(id));
        let own = if consumes {
            // It ends with the call.
            let value = self.moved_value(pl, place, &of)?;
            self.spill(value, &mut stmts)
        } else {
            self.steady(pl.clone(), true, &mut stmts, place)
        };
        let mut values = Vec::new();
        let parts = held.members.iter().zip(&held.by_address);
        for (number, ((_, ty), by_address)) in parts.enumerate() {
            let typed = self.typed(ty);
            let part = member(own.lvalue.clone(), number, typed, place);
            let value = if *by_address {
                self.address_of(part, place)
            } else {
                load(part, place)
            };
            values.push(value);
        }
        let pending = self.pending.len();
        for (operand, ty) in operands.iter().zip(&held.inputs) {
            let value = self.operand(operand, ty)?;
            self.pend(ty);
            values.push(if value.e.ty.is_void() {
                stmts.push(Self::effect(value.e));
                unit(place)
            } else {
                self.hold(value.e, &value.ty, &mut stmts)
            });
        }
        self.pending.truncate(pending);
        values.retain(|value| !value.ty.is_void());
        let typed = self.typed(&held.result);
        let made = call(FunctionId(id), values, typed, place);
        let ty = held.result.clone();
        if !consumes || held.once {
            return Ok(Val {
                e: sequence(stmts, made),
                ty,
            });
        }
        let result = self.hold(made, &ty, &mut stmts);
        self.drop_place(&own, implied(place), &of, &mut stmts)?;
        Ok(Val {
            e: sequence(stmts, result),
            ty,
        })
    }

    /// A function that has a value as its parameter, calls it without arguments, and drops what is left of it.
    pub(super) fn calls_held(&mut self, ty: &Ty, name: &str, of: &Span) -> Res<(FunctionId, Ty)> {
        let ty = self.infer.shallow(ty);
        let Ty::Closure(held) = ty else {
            return self.refuse(
                "what a thread executes has to be a closure",
                of.clone(),
                "write the closure itself, or the name of a function",
            );
        };
        let result = match self.t.held.get(&held) {
            Some(held) if held.inputs.is_empty() => held.result.clone(),
            Some(_) => return self.error("the closure of a thread takes no arguments", of.clone()),
            None => return Err(self.t.reported()),
        };
        let place = crate::rust::source::place(of.clone());
        let inside = self.frames.last().map_or(FunctionId(0), |of| of.function);
        let id = self.t.closure(inside, of.clone(), name);
        let kept = std::mem::take(&mut self.kept_by_closure);
        self.frames.push(Frame::new(id));
        let parameter = self.local("called", &ty);
        let typed = self.typed(&ty);
        let own = Pl {
            lvalue: super::build::local(parameter, typed, place),
            ty: ty.clone(),
        };
        let floor = self.scopes.len();
        let mut body = Vec::new();
        let made = self.call_at_end(own, Vec::new(), of, &mut body);
        self.scopes.truncate(floor);
        let frame = self.frames.pop();
        self.kept_by_closure = kept;
        made?;
        if self.drops_otherwise(&result) {
            return self.refuse(
                "the result of a thread whose end has an effect is not supported",
                of.clone(),
                "put it where the other thread finds it, under a lock",
            );
        }
        let returns = self.typed(&result);
        let function = &mut self.t.unit.functions[id.0];
        function.parameters = 1;
        function.locals = frame.map(|frame| frame.locals).unwrap_or_default();
        function.returns = returns;
        function.body = body;
        Ok((id, result))
    }

    /// Calls what is in a variable, and returns the result.
    pub(super) fn call_at_end(
        &mut self,
        own: Pl,
        operands: Vec<Operand<'a>>,
        of: &Span,
        stmts: &mut Vec<typed::Stmt>,
    ) -> Res<()> {
        let place = own.lvalue.place;
        let floor = self.scopes.len();
        self.scopes.push(Scope::default());
        if self.needs_drop(&own.ty)
            && let LvalueKind::Local(local) = own.lvalue.kind
        {
            let dropping = self.own(local, own.ty.clone(), of.clone());
            stmts.extend(Self::declare_flags(&dropping, true, place));
            if let Some(scope) = self.scopes.last_mut() {
                scope.drops.push(dropping);
            }
        }
        let made = self.call_held(&own, operands, place)?;
        let result = self.hold(made.e, &made.ty, stmts);
        self.leave(floor, place, stmts)?;
        self.scopes.truncate(floor);
        let value = (!result.ty.is_void()).then_some(result);
        stmts.push(super::build::stmt(StmtKind::Return(value), implied(place)));
        Ok(())
    }

    /// Whether a path is a variable that holds a value.
    pub(super) fn names_value(&self, path: &syn::ExprPath) -> bool {
        let name = path.path.get_ident().map(ToString::to_string);
        let number = name.and_then(|name| self.find(&name));
        number.is_some_and(|number| matches!(self.vars[number].at, Where::Local(_)))
    }

    /// Whether a type parameter of the function at hand that is called by its value stands for this.
    fn is_called_by_value(&self, id: usize) -> bool {
        let mut all = self.context.subst.iter();
        all.any(|(name, ty)| {
            name.starts_with("FnOnce ") && self.infer.settled(ty) == Ty::Closure(id)
        })
    }
}
