//! Trait objects, and pointers to functions: a number that says of which type the value is, and its address.
//!
//! The program is read as a whole, so the types that are converted to an object are known: those of the conversions that it
//! executes. A method is called by a function that distinguishes them, and that is made when all else is; it may need
//! more functions, with more conversions, and then is made again.

use super::build::{
    call, compare, constant, declare, deref, load, local, member, sequence, unit, when, word,
};
use super::call::Operand;
use super::lookup::Whose;
use super::method::Method;
use super::{Body, Pl, Val, rounds};
use crate::lower::direct;
use crate::lower::typed::{
    self, BinaryOp, FunctionId, Initialised, Local, LocalId, Step, Stmt, StmtKind,
};
use crate::rust::dynamic::Shape;
use crate::rust::source::implied;
use crate::rust::types::{I32, Ptr, Ty};
use crate::rust::unit::{Context, Res, Translator, plain, void, words_of};
use crate::text::{Place, Span};

/// What is called of an object that is no method of a trait.
const CALL: &str = "(call)";
const DROP: &str = "(drop)";

/// The type of addresses of which it is not known what they point to.
fn anything() -> typed::Type {
    plain(typed::TypeKind::Pointer(Box::new(void())))
}

impl<'a> Body<'_, 'a> {
    /// A pointer as one to an object, if that is what is wanted and it is none yet.
    pub(super) fn as_object(&mut self, value: &Val, want: &Ty, of: &Span) -> Res<Option<Val>> {
        let Ty::Ptr(kind, to) = self.infer.shallow(want) else {
            return Ok(None);
        };
        let Ty::Dyn(object) = self.infer.shallow(&to) else {
            return Ok(None);
        };
        let place = value.e.place;
        let (content, address) = match self.infer.shallow(&value.ty) {
            // A function, or a closure that captures nothing.
            Ty::Closure(id) if kind == Ptr::Ref => {
                let held = self.t.held.get(&id);
                let captures = held.is_none_or(|held| !held.members.is_empty());
                if captures || !self.fits(object, &Ty::Closure(id)) {
                    return Ok(None);
                }
                (Ty::Closure(id), constant(0, anything(), place))
            }
            Ty::Ptr(own, content) if own == kind || matches!(kind, Ptr::Ref | Ptr::Raw) => {
                let content = self.infer.shallow(&content);
                if matches!(content, Ty::Dyn(_)) || !self.fits(object, &content) {
                    return Ok(None);
                }
                if self.t.counted(own, &self.infer.settled(&content)).is_some() {
                    let shown = self.t.shown(&self.infer.deep(&content));
                    return self.refuse(
                        format!("an object in an `Arc` whose type `{shown}` has an end with an effect is not supported"),
                        of.clone(),
                        "use a `Box`, or a generic parameter",
                    );
                }
                (content, value.e.clone())
            }
            _ => return Ok(None),
        };
        let content = self.infer.settled(&content);
        let tag = self.t.tag_in(object, content);
        self.converted_to.push((object, tag));
        let ty = Ty::pointer(kind, Ty::Dyn(object));
        let (id, pl) = self.temporary(&ty, place);
        let values = vec![
            (vec![Step::Member(0)], constant(tag as i64, word(), place)),
            (vec![Step::Member(1)], address),
        ];
        let kind = StmtKind::Declare(id, values, Initialised::Yes);
        let set = super::build::stmt(kind, implied(place));
        Ok(Some(Val {
            e: sequence(vec![set], load(pl.lvalue, place)),
            ty,
        }))
    }

    /// Whether a value of this type may be such an object.
    fn fits(&mut self, object: usize, ty: &Ty) -> bool {
        match self.t.objects[object].shape.clone() {
            Shape::Call { inputs, result, .. } => {
                let Ty::Closure(id) = ty else {
                    return false;
                };
                let Some((own, own_result)) = self.t.held.get(id).map(super::Held::signature)
                else {
                    return false;
                };
                // What it is called with says of which types its parameters are.
                let pairs = own.iter().zip(&inputs);
                let mut pairs = pairs.chain(std::iter::once((&own_result, &result)));
                own.len() == inputs.len() && pairs.all(|(own, of)| self.infer.unify(own, of))
            }
            Shape::Trait { of, .. } => {
                !matches!(ty, Ty::Var(_)) && self.t.has_trait(ty, of, &mut self.infer)
            }
        }
    }

    /// The address of a place; of an object, the pointer that is there.
    pub(super) fn borrowed(&mut self, pl: &Pl, place: Place) -> typed::Expr {
        match self.infer.shallow(&pl.ty) {
            Ty::Dyn(_) => load(pl.lvalue.clone(), place),
            _ => self.address_of(pl.lvalue.clone(), place),
        }
    }

    /// Whether it is an object, or points to one.
    pub(super) fn object_of(&self, ty: &Ty) -> Option<usize> {
        match self.infer.shallow(ty) {
            Ty::Dyn(object) => Some(object),
            Ty::Ptr(_, to) => match self.infer.shallow(&to) {
                Ty::Dyn(object) => Some(object),
                _ => None,
            },
            _ => None,
        }
    }

    /// The number and the address in a place that holds an object.
    fn halves(pl: &Pl, place: Place) -> Vec<typed::Expr> {
        let half = |number, ty| load(member(pl.lvalue.clone(), number, ty, place), place);
        vec![half(0, word()), half(1, anything())]
    }

    /// A method of an object, if its trait has it.
    pub(super) fn object_method(&mut self, pl: &Pl, of: &Method<'_, 'a>) -> Res<Option<Val>> {
        let Some(object) = self.object_of(&pl.ty) else {
            return Ok(None);
        };
        let Shape::Trait {
            of: of_trait,
            subst,
        } = self.t.objects[object].shape.clone()
        else {
            return Ok(None);
        };
        let Some((sig, module)) = self.t.method_of_trait(of_trait, of.name, 0) else {
            return Ok(None);
        };
        let receiver = match sig.inputs.first() {
            Some(syn::FnArg::Receiver(receiver)) => Some(receiver),
            Some(syn::FnArg::Typed(_)) | None => None,
        };
        let is_by_reference = receiver.is_some_and(|of| of.reference.is_some());
        let is_boxed = receiver.is_some_and(
            |of| matches!(&*of.ty, syn::Type::Path(path) if words_of(&path.path) == ["Box"]),
        ) && matches!(self.infer.shallow(&pl.ty), Ty::Ptr(Ptr::Box, _));
        if !(is_by_reference || is_boxed) || sig.generics.type_params().next().is_some() {
            return self.refuse(
                format!("`{}` cannot be called on an object here", of.name),
                of.span.clone(),
                "methods with `&self`, `&mut self` and `self: Box<Self>` can",
            );
        }
        let context = Context {
            module,
            subst,
            own: Some(Ty::Dyn(object)),
            text: (0, 0),
        };
        let mut inputs = Vec::new();
        for input in sig.inputs.iter().skip(1) {
            inputs.push(self.input_type(input, &context)?);
        }
        let result = match &sig.output {
            syn::ReturnType::Default => Ty::Unit,
            syn::ReturnType::Type(_, ty) => self.t.ty(ty, &context, Some(&mut self.infer))?,
        };
        let signature = (inputs, result);
        let operands = Operand::all(of.arguments);
        if is_by_reference {
            return self
                .dispatched((object, of.name), pl, operands, signature, of.place)
                .map(Some);
        }
        let value = self.moved_value(pl, of.place, &of.span)?;
        let mut stmts = Vec::new();
        let own = self.spill(value, &mut stmts);
        let value = self.dispatched((object, of.name), &own, operands, signature, of.place)?;
        Ok(Some(Val {
            e: sequence(stmts, value.e),
            ty: value.ty,
        }))
    }

    /// Calls an object that is a closure or a function.
    pub(super) fn call_object(
        &mut self,
        pl: &Pl,
        operands: Vec<Operand<'a>>,
        place: Place,
    ) -> Res<Val> {
        let of = place.start as usize..place.end as usize;
        let object = self.object_of(&pl.ty).unwrap_or_default();
        let Shape::Call {
            inputs,
            result,
            once,
        } = self.t.objects[object].shape.clone()
        else {
            return self.error("this object is not a function", of);
        };
        if !once {
            return self.dispatched((object, CALL), pl, operands, (inputs, result), place);
        }
        let value = self.moved_value(pl, place, &of)?;
        let mut stmts = Vec::new();
        let own = self.spill(value, &mut stmts);
        let value = self.dispatched((object, CALL), &own, operands, (inputs, result), place)?;
        Ok(Val {
            e: sequence(stmts, value.e),
            ty: value.ty,
        })
    }

    /// Calls the function that finds out of which type an object is.
    fn dispatched(
        &mut self,
        (object, name): (usize, &str),
        pl: &Pl,
        operands: Vec<Operand<'a>>,
        (inputs, result): (Vec<Ty>, Ty),
        place: Place,
    ) -> Res<Val> {
        let of = place.start as usize..place.end as usize;
        if operands.len() != inputs.len() {
            return self.error("this takes another number of arguments", of);
        }
        let mut stmts = Vec::new();
        let mut values = Vec::new();
        let pl = &self.steady(pl.clone(), true, &mut stmts, place);
        for half in Self::halves(pl, place) {
            values.push(self.hold_typed(half, &mut stmts));
        }
        for (operand, ty) in operands.iter().zip(&inputs) {
            let value = self.operand(operand, ty)?;
            if value.e.ty.is_void() {
                stmts.push(Self::effect(value.e));
            } else {
                values.push(self.hold(value.e, ty, &mut stmts));
            }
        }
        let signature = (
            inputs.iter().map(|ty| self.infer.settled(ty)).collect(),
            self.infer.settled(&result),
        );
        let id = self.t.dispatcher(object, name, signature, place);
        let typed = self.typed(&result);
        Ok(Val {
            e: sequence(stmts, call(id, values, typed, place)),
            ty: result,
        })
    }

    /// Drops what a `Box` holds that is an object, and frees it.
    pub(super) fn drop_object(
        &mut self,
        object: usize,
        pl: &Pl,
        place: Place,
        stmts: &mut Vec<Stmt>,
    ) {
        let id = self
            .t
            .dispatcher(object, DROP, (Vec::new(), Ty::Unit), place);
        let halves = Self::halves(pl, place);
        stmts.push(Self::effect(call(id, halves, void(), place)));
    }

    /// The function that finds out of which type an object is, and does this for each.
    fn dispatcher(
        &mut self,
        id: FunctionId,
        (object, name): (usize, &str),
        (inputs, result): (&[Ty], &Ty),
    ) -> Res<typed::Function> {
        let place = self.t.unit.functions[id.0].place;
        let of = self.t.objects[object].clone();
        let tag = self.local("tag", &I32);
        let address = LocalId(tag.0 + 1);
        if let Some(frame) = self.frames.last_mut() {
            frame.locals.push(Local {
                name: "address".to_owned(),
                ty: anything(),
                addressed: false,
                temporary: false,
            });
        }
        let mut operands = Vec::new();
        for ty in inputs {
            let typed = self.typed(ty);
            operands.push(Val {
                e: if typed.is_void() {
                    unit(place)
                } else {
                    let own = self.local("argument", ty);
                    load(local(own, typed, place), place)
                },
                ty: ty.clone(),
            });
        }
        let parameters = 2 + operands.iter().filter(|one| !one.e.ty.is_void()).count();
        let mut body = Vec::new();
        for (number, (ty, is_used)) in of.types.iter().enumerate() {
            if !is_used {
                continue;
            }
            let typed = self.typed(ty);
            let pointer = super::build::pointer_to(&typed);
            let own = load(local(address, pointer.clone(), place), place);
            let mut inner = Vec::new();
            let operands = operands.iter().cloned().map(Operand::Made).collect();
            self.one_of((&of.shape, name), ty, own, operands, &mut inner)?;
            let number = constant(number as i64, word(), place);
            let is = load(local(tag, word(), place), place);
            let is = compare(BinaryOp::Eq, is, number, place);
            body.push(when(is, inner));
        }
        // No other number is made.
        let never = super::build::truth(false, place);
        let check = super::build::known(&direct::ASSERT, vec![never], void(), place);
        body.push(Self::effect(check));
        let returns = self.typed(result);
        if returns.is_void() {
            body.push(super::build::stmt(StmtKind::Return(None), place));
        } else {
            let (value, pl) = self.temporary(result, place);
            body.push(declare(value, Vec::new(), place));
            let value = Some(load(pl.lvalue, place));
            body.push(super::build::stmt(StmtKind::Return(value), place));
        }
        let frame = self.frames.pop();
        Ok(typed::Function {
            name: self.t.unit.functions[id.0].name.clone(),
            parameters,
            locals: frame.map(|frame| frame.locals).unwrap_or_default(),
            returns,
            body,
            place,
        })
    }

    /// What is done with an object of this type, whose address this is; the result is returned.
    fn one_of(
        &mut self,
        (shape, name): (&Shape, &str),
        ty: &Ty,
        own: typed::Expr,
        operands: Vec<Operand<'a>>,
        stmts: &mut Vec<Stmt>,
    ) -> Res<()> {
        let place = own.place;
        let of = place.start as usize..place.end as usize;
        if name == DROP {
            let boxed = Ty::pointer(Ptr::Box, ty.clone());
            let value = Val { e: own, ty: boxed };
            let pl = self.spill(value, stmts);
            self.drop_place(&pl, place, &of, stmts)?;
            stmts.push(super::build::stmt(StmtKind::Return(None), place));
            return Ok(());
        }
        let inside = Pl {
            lvalue: deref(own.clone(), place),
            ty: ty.clone(),
        };
        let made = match shape {
            Shape::Call { once: true, .. } => {
                let value = Val {
                    e: if inside.lvalue.ty.is_void() {
                        unit(place)
                    } else {
                        load(inside.lvalue, place)
                    },
                    ty: ty.clone(),
                };
                let pl = self.spill(value, stmts);
                stmts.push(Self::free(own, place));
                return self.call_at_end(pl, operands, &of, stmts);
            }
            Shape::Call { .. } => self.call_held(&inside, operands, place)?,
            Shape::Trait { of: of_trait, .. } => {
                let found = match self.t.trait_with(*of_trait, name, 0) {
                    Some(of_trait) => self.function_in(ty, name, Whose::Trait(of_trait)),
                    None => None,
                };
                let Some((def, context)) = found else {
                    let shown = self.t.shown(ty);
                    return self.error(format!("`{shown}` has no function `{name}`"), of);
                };
                self.call_function(def, context, Some(own), operands, None, place)?
            }
        };
        let result = self.hold(made.e, &made.ty, stmts);
        let value = (!result.ty.is_void()).then_some(result);
        stmts.push(super::build::stmt(StmtKind::Return(value), place));
        Ok(())
    }
}

impl Translator<'_> {
    /// Makes the functions that tell objects apart that have not all types yet; whether there was one.
    pub(in crate::rust) fn dispatch(&mut self) -> bool {
        let mut made = false;
        let all: Vec<(usize, String)> = self.dispatchers.keys().cloned().collect();
        for key in all {
            let (object, name) = &key;
            let count = self.objects[*object]
                .types
                .iter()
                .filter(|one| one.1)
                .count();
            let Some(of) = self.dispatchers.get_mut(&key) else {
                continue;
            };
            if of.types == Some(count) {
                continue;
            }
            of.types = Some(count);
            let of = of.clone();
            made = true;
            rounds(self, of.id, &Context::default(), |body| {
                let signature = (&of.inputs[..], &of.result);
                let function = body.dispatcher(of.id, (*object, name), signature);
                if let Ok(function) = function {
                    body.t.unit.functions[of.id.0] = function;
                }
            });
        }
        made
    }
}
