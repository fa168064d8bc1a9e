//! Programs made of functions of a library, each executed by threads that nothing in the text creates.
//!
//! What the threads are called with is made by the types of the parameters: any value of an integer type, and for
//! a pointer the address of one object of the type that it points to, which is the same for all parameters of that
//! type. Such an object is 0 at first, as a global object is; the function of the setup is called with it before
//! the threads begin.

use super::missing::any_value;
use super::{BOOL, Checker, VOID, expr, pointer, unqualified};
use crate::lower::direct::SPAWN;
use crate::lower::operation::{Meaning, Operation};
use crate::lower::scan::look;
use crate::lower::typed::{
    Callee, Expr, ExprKind, Function, FunctionId, Initialised, LocalId, Lvalue, LvalueKind, Object,
    ObjectId, Stmt, StmtKind, Type, TypeKind,
};
use crate::text::{Diagnostic, Place, Threads, nearest};

/// The function that starts the threads. Nothing in the text can have this name.
pub(crate) const STARTS: &str = "the start";

/// The values that a parameter of 64 bits has: those that fit into a cell.
static SIGNED: Operation = Operation {
    name: "a parameter",
    meaning: Meaning::Nondet {
        low: i32::MIN,
        high: i32::MAX,
    },
};
static UNSIGNED: Operation = Operation {
    name: "a parameter",
    meaning: Meaning::Nondet {
        low: 0,
        high: i32::MAX,
    },
};

impl Checker<'_> {
    /// Adds the function that calls the setup and starts the threads. An error is reported if a function is not
    /// there, or what it is called with is not known.
    pub(super) fn start(&mut self, threads: &Threads) {
        let mut shared = Vec::new();
        let mut body = Vec::new();
        let mut first = None;
        if let Some(name) = &threads.setup
            && let Some((id, place)) = self.body_of(name, "--setup")
        {
            let call = Callee::Defined(id);
            let call = ExprKind::Call(call, self.made_for(id, &mut shared));
            body.push(statement(expr(call, VOID, place)));
        }
        for thread in &threads.threads {
            let Some((id, place)) = self.body_of(&thread.function, "--thread") else {
                continue;
            };
            first.get_or_insert(place);
            let routine = self.routine(id, &mut shared);
            for _ in 0..thread.copies.unwrap_or(1) {
                let arguments = vec![expr(ExprKind::Function(routine), routine_type(), place)];
                let call = ExprKind::Call(Callee::Library(&SPAWN), arguments);
                let one = statement(expr(call, VOID, place));
                body.push(match thread.copies {
                    Some(_) => one,
                    None => any_number_of(one),
                });
            }
        }
        // Otherwise an error was reported.
        let Some(place) = first else { return };
        self.bodies.push(Some(Function {
            name: STARTS.to_owned(),
            parameters: 0,
            locals: Vec::new(),
            returns: VOID,
            body,
            place,
        }));
    }

    /// What a thread executes: the function with variables in the place of its parameters, so that evidence does not
    /// begin with a call. The thread chooses their values, so nothing is handed over.
    fn routine(&mut self, id: FunctionId, shared: &mut Vec<(Type, ObjectId)>) -> FunctionId {
        let values = self.made_for(id, shared).into_iter().enumerate();
        let declared = values.map(|(number, value)| {
            let place = value.place;
            let init = vec![(Vec::new(), value)];
            let kind = StmtKind::Declare(LocalId(number), init, Initialised::Yes);
            Stmt { kind, place }
        });
        let mut body: Vec<Stmt> = declared.collect();
        let function = self.bodies[id.0].clone();
        self.bodies.push(function.map(|function| Function {
            parameters: 0,
            body: {
                body.extend(function.body);
                body
            },
            ..function
        }));
        let copy = FunctionId(self.bodies.len() - 1);
        self.share_aside(id, copy);
        copy
    }

    /// The function of this name, and where it is defined.
    fn body_of(&mut self, name: &str, option: &str) -> Option<(FunctionId, Place)> {
        let bodies = self.bodies.iter().enumerate();
        let mut named = bodies.filter_map(|(number, body)| Some((number, body.as_ref()?)));
        if let Some((number, body)) = named.find(|(_, body)| body.name == name) {
            let (id, place) = (FunctionId(number), body.place);
            if let Some((_, other)) =
                named.find(|(_, body)| body.name == name && body.place != place)
            {
                let message = format!("`{option}` names `{name}`, and there are two");
                let error = Diagnostic::error(message, self.span(place))
                    .other(self.span(other.place), "another one")
                    .note("give them different names: both are `static`");
                self.report(error);
            }
            return Some((id, place));
        }
        let message = format!("there is no function `{name}`, which `{option}` names");
        let names = self.bodies.iter().flatten().map(|body| body.name.as_str());
        let near = nearest(name, names);
        let mut bodies = self.bodies.iter().flatten();
        let near = bodies.find(|body| near == Some(body.name.as_str()));
        self.report(match near {
            None => Diagnostic::nowhere(message),
            Some(near) => {
                let label = format!("did you mean `{}`?", near.name);
                Diagnostic::error(message, self.span(near.place)).label(label)
            }
        });
        None
    }

    /// What a function is called with.
    fn made_for(&mut self, id: FunctionId, shared: &mut Vec<(Type, ObjectId)>) -> Vec<Expr> {
        let Some(function) = self.bodies[id.0].clone() else {
            return Vec::new();
        };
        // What a parameter that is not used has for a value does not matter.
        let mentioned = look(&function.body, &[]).mentioned;
        let parameters = function.locals.iter().take(function.parameters);
        let made = parameters.enumerate().map(|(number, parameter)| {
            let ty = unqualified(&parameter.ty);
            let is_used = mentioned.contains_key(&LocalId(number));
            let value = is_used.then(|| self.made(&ty, &function, &parameter.name, shared));
            let value = value.flatten().unwrap_or(ExprKind::Const(0));
            expr(value, ty, function.place)
        });
        made.collect()
    }

    /// A value of a type; `None` if it is null, or an error was reported.
    fn made(
        &mut self,
        ty: &Type,
        function: &Function,
        parameter: &str,
        shared: &mut Vec<(Type, ObjectId)>,
    ) -> Option<ExprKind> {
        let place = function.place;
        if let Some(operation) = any_value(ty) {
            return Some(ExprKind::Call(Callee::Library(operation), Vec::new()));
        }
        let what = format!("`{parameter}` of `{}`", function.name);
        if let TypeKind::Int { bits: 64, signed } = ty.kind {
            let (operation, values, others) = if signed {
                (&SIGNED, "of 32 bits", "does not fit into 32 bits")
            } else {
                (&UNSIGNED, "below 2147483648", "is more than 2147483647")
            };
            let message = format!("{what} is any number {values} here");
            self.leave_out(message, format!("{what} {others}"), place);
            return Some(ExprKind::Call(Callee::Library(operation), Vec::new()));
        }
        let of = match ty.pointee() {
            Some(of) if of.is_void() => {
                let message =
                    format!("{what} is null here: a pointer to `void` does not say to what");
                self.leave_out(message, format!("{what} is not null"), place);
                return None;
            }
            Some(of) if !of.is_function() && self.layout(of).is_some() => unqualified(of),
            Some(_) | None => {
                let message = format!("{what} has a type of which no value is made");
                let note = "any integer is, and an object for a pointer: write a function that calls \
                            this one with what it needs, and name that one";
                self.error_with(message, place, note);
                return None;
            }
        };
        let known = shared.iter().find(|(other, _)| *other == of);
        let object = known.map_or_else(
            || self.shared_object(&of, format!("{}.{parameter}", function.name), place),
            |(_, object)| *object,
        );
        if known.is_none() {
            shared.push((of.clone(), object));
        }
        Some(ExprKind::AddressOf(Box::new(Lvalue {
            kind: LvalueKind::Object(object),
            ty: of,
            place,
        })))
    }

    /// Warns that the program lacks executions of the source.
    fn leave_out(&mut self, message: String, executions: String, place: Place) {
        let warning = Diagnostic::warning(message, self.span(place));
        self.diagnostics.push(warning.leaving_out(executions));
    }

    fn shared_object(&mut self, ty: &Type, name: String, place: Place) -> ObjectId {
        let object = Object {
            name,
            ty: ty.clone(),
            init: Vec::new(),
            tail: 0,
            thread_local: false,
            reached: true,
            place,
        };
        self.new_object(object, true)
    }
}

/// That of a function without parameters and result.
fn routine_type() -> Type {
    let kind = TypeKind::Function(Box::new(VOID), Vec::new());
    pointer(Type { kind, ..VOID })
}

/// A statement that is executed any number of times.
fn any_number_of(one: Stmt) -> Stmt {
    let place = one.place;
    let again = any_value(&BOOL).map_or(ExprKind::Const(0), |operation| {
        ExprKind::Call(Callee::Library(operation), Vec::new())
    });
    let kind = StmtKind::While(expr(again, BOOL, place), Box::new(one));
    Stmt { kind, place }
}

fn statement(e: Expr) -> Stmt {
    let place = e.place;
    let kind = StmtKind::Expr(e);
    Stmt { kind, place }
}
