//! Scopes and what names in them mean; objects and functions.

use super::operand::{Constant, Operand, local};
use super::reach::Reached;
use super::{Checked, Checker, External, INT, Reported, VOID, expr};
use crate::c::library;
use crate::c::parse::cleanup::Cleanup;
use crate::lower::typed::{
    ExprKind, FunctionId, Local, LocalId, Lvalue, LvalueKind, Object, ObjectId, StructId, Type,
    TypeKind,
};
use crate::text::{Diagnostic, Place, nearest};
use std::collections::BTreeMap;

/// The names of a block or of the file.
#[derive(Clone, Default, Debug)]
pub(crate) struct Scope {
    pub(crate) names: BTreeMap<String, (Symbol, Place)>,
    pub(crate) tags: BTreeMap<String, Tag>,
}

/// What an identifier means.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Symbol {
    Typedef(Type, bool),
    /// An object, and whether it is `const`.
    Object(ObjectId, bool),
    Local(LocalId, bool),
    /// A constant of an enumeration.
    Enumerator(i64),
    /// A function, by its place in [`Checker::functions`].
    Function(usize),
}

/// What a tag means.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Tag {
    Struct(StructId),
    Enum(Type),
}

/// What is known of an object in addition to its definition.
#[derive(Clone, Debug)]
pub(crate) struct ObjectFacts {
    /// Whether some declaration of it is not `extern`, or has an initialiser.
    pub(crate) defined: bool,
    /// The translation unit of its last declaration.
    pub(crate) unit: usize,
    pub(crate) initialised: bool,
    pub(crate) used: Option<Place>,
    /// The value of a `const` integer.
    pub(crate) constant: Option<i64>,
    /// Whether it is a variable of each processor: an array of them.
    pub(crate) each: bool,
}

/// A declared function.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// Whether its parameters are known: `f(void)`, not `f()`.
    pub(crate) prototype: bool,
    /// Whether more arguments may follow: `...`.
    pub(crate) variadic: bool,
    /// Of its body, if it has one anywhere.
    pub(crate) id: Option<FunctionId>,
    pub(crate) place: Place,
}

/// The function whose body is being read.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) name: String,
    pub(crate) returns: Type,
    pub(crate) locals: Vec<Local>,
    /// The values of those that are `const` integers with a constant value.
    pub(crate) constants: BTreeMap<LocalId, i64>,
    pub(crate) labels: BTreeMap<String, Place>,
    pub(crate) jumps: Vec<(String, Place)>,
    /// The variables that nothing declares, with the places of their first uses.
    pub(crate) registers: Vec<(LocalId, Place)>,
    /// How many loops, and loops and switches, are around the present statement.
    pub(crate) loops: usize,
    pub(crate) breakable: usize,
    /// The switches around, each with its type and its cases so far.
    pub(crate) switches: Vec<(Type, BTreeMap<i64, Place>, Option<Place>)>,
    /// The variables around that have something called at their end.
    pub(crate) cleanups: Vec<Cleanup>,
    /// The arrays of a length that is known at run time only, with the variables that have their sizes in bytes.
    pub(crate) variable_arrays: BTreeMap<LocalId, LocalId>,
}

impl Body {
    pub(crate) fn new(name: String, returns: Type) -> Self {
        Self {
            name,
            returns,
            locals: Vec::new(),
            constants: BTreeMap::new(),
            labels: BTreeMap::new(),
            jumps: Vec::new(),
            registers: Vec::new(),
            loops: 0,
            breakable: 0,
            switches: Vec::new(),
            cleanups: Vec::new(),
            variable_arrays: BTreeMap::new(),
        }
    }
}

impl Checker<'_> {
    /// The innermost meaning of a name.
    pub(crate) fn lookup(&self, name: &str) -> Option<&Symbol> {
        let mut scopes = self.scopes.iter().rev();
        scopes.find_map(|scope| scope.names.get(name).map(|(symbol, _)| symbol))
    }

    pub(crate) fn lookup_tag(&self, name: &str) -> Option<&Tag> {
        let mut scopes = self.scopes.iter().rev();
        scopes.find_map(|scope| scope.tags.get(name))
    }

    pub(crate) fn scope(&mut self) -> &mut Scope {
        if self.scopes.is_empty() {
            self.scopes.push(Scope::default());
        }
        let last = self.scopes.len() - 1;
        &mut self.scopes[last]
    }

    pub(crate) fn is_file_scope(&self) -> bool {
        self.scopes.len() == 1
    }

    /// Makes a name known in the innermost scope, where it must be new.
    pub(crate) fn introduce(&mut self, name: &str, symbol: Symbol, place: Place) -> Checked<()> {
        let scope = self.scope();
        let before = scope.names.get(name).cloned();
        match before {
            // A typedef may be repeated, and so may the declaration of the same thing.
            Some((before, _)) if before == symbol => Ok(()),
            Some((_, first)) => Err(self.redeclared(name, place, first)),
            None => {
                self.scope().names.insert(name.to_owned(), (symbol, place));
                Ok(())
            }
        }
    }

    pub(crate) fn redeclared(&mut self, name: &str, place: Place, first: Place) -> Reported {
        let error = Diagnostic::error(format!("`{name}` is declared twice"), self.span(place))
            .other(self.span(first), "first declared here");
        self.conflict(error)
    }

    /// A new local variable. Its name is not yet in scope.
    pub(crate) fn new_local(&mut self, name: &str, ty: &Type) -> Option<LocalId> {
        let body = self.body.as_mut()?;
        body.locals.push(Local {
            name: name.to_owned(),
            ty: ty.clone(),
            addressed: false,
            temporary: false,
        });
        Some(LocalId(body.locals.len() - 1))
    }

    pub(crate) fn unnamed_local(&mut self, ty: &Type) -> Option<LocalId> {
        self.new_local("", ty)
    }

    /// A new object with static or thread storage duration.
    pub(crate) fn new_object(&mut self, object: Object, defined: bool) -> ObjectId {
        self.unit.objects.push(object);
        self.objects.push(ObjectFacts {
            defined,
            unit: self.link.unit,
            initialised: false,
            used: None,
            constant: None,
            each: false,
        });
        ObjectId(self.unit.objects.len() - 1)
    }

    /// What a name in an expression denotes. `called` if an opening bracket follows.
    pub(crate) fn named(&mut self, name: &str, called: bool, place: Place) -> Checked<Operand> {
        let Some(symbol) = self.lookup(name).cloned() else {
            return self.undeclared(name, called, place);
        };
        // It may be declared again in another way.
        if !matches!(symbol, Symbol::Local(..))
            && let Some(reported) = self.is_aside(name)
        {
            return Err(reported);
        }
        Ok(match symbol {
            Symbol::Typedef(..) => {
                return Err(self.error(format!("`{name}` is a type, not a value"), place));
            }
            Symbol::Object(id, constant) => {
                if self.unevaluated == 0 {
                    self.objects[id.0].used.get_or_insert(place);
                }
                let ty = self.unit.objects[id.0].ty.clone();
                let kind = LvalueKind::Object(id);
                Operand::Place(Lvalue { kind, ty, place }, constant.into())
            }
            Symbol::Local(id, constant) => {
                let Some(body) = &self.body else {
                    return Err(self.error(format!("unknown name `{name}`"), place));
                };
                let ty = body.locals[id.0].ty.clone();
                Operand::Place(local(id, ty, place), Constant::from(constant))
            }
            Symbol::Enumerator(value) => {
                Operand::Value(expr(ExprKind::Const(value), INT.clone(), place))
            }
            Symbol::Function(number) => Operand::Function(number, place),
        })
    }

    fn undeclared(&mut self, name: &str, called: bool, place: Place) -> Checked<Operand> {
        if self.poisoned.contains(name) {
            return Err(Reported(()));
        }
        // The program's own one, even if a library has another.
        if let Some(reported) = self.is_aside(name) {
            return Err(reported);
        }
        let known = library::find(name);
        if known.is_none()
            && let Some(reported) = self.is_unsupported(name, place)
        {
            return Err(reported);
        }
        if self.defined.contains_key(name) {
            return Err(self.error_with(
                format!("`{name}` is used before it is declared"),
                place,
                "declare it first, or move its definition up",
            ));
        }
        if called && self.models.contains_key(name) {
            let ty = Type {
                kind: TypeKind::Function(Box::new(INT), Vec::new()),
                ..VOID
            };
            let number = self.declare_function(Declared {
                name: name.to_owned(),
                ty,
                prototype: false,
                variadic: false,
                id: None,
                place,
            })?;
            return Ok(Operand::Function(number, place));
        }
        if let Some(entry) = known {
            return Ok(Operand::Library(entry, place));
        }
        if called
            && name == "assert"
            && let Some(entry) = library::find("__fencepost_assert")
        {
            let warning = Diagnostic::warning("`assert` is not declared", self.span(place));
            self.diagnostics
                .push(warning.note("`#include <assert.h>` defines it"));
            return Ok(Operand::Library(entry, place));
        }
        if called {
            let reported = self.unknown_function(name, place, None);
            // The call goes on as that of a function that returns an `int`.
            return if self.poisoned.contains(name) {
                Err(reported)
            } else {
                Ok(Operand::Value(Self::some_function(place)))
            };
        }
        let scopes = self.scopes.iter().flat_map(|scope| scope.names.keys());
        let near = nearest(name, scopes.map(String::as_str));
        let mut locals = self.body.iter().flat_map(|body| &body.locals);
        let label = if locals.any(|local| local.name == name) {
            "the block that declares it has ended".to_owned()
        } else {
            near.map_or_else(String::new, |near| format!("did you mean `{near}`?"))
        };
        let error = Diagnostic::error(format!("unknown name `{name}`"), self.span(place));
        Err(self.report(error.label(label)))
    }

    /// Makes a function known, or checks that it is declared as before. Its number.
    pub(crate) fn declare_function(&mut self, mut new: Declared) -> Checked<usize> {
        let place = new.place;
        let name = new.name.clone();
        let known = match self.scopes[0].names.get(&name) {
            Some((Symbol::Function(number), _)) => Some(*number),
            Some((_, first)) => {
                let first = *first;
                return Err(self.redeclared(&name, place, first));
            }
            None if self.is_another(&new) => {
                new.id = None;
                None
            }
            None => self.external_function(&name, place)?,
        };
        let number = if let Some(number) = known {
            let before = &mut self.functions[number];
            let same = if before.prototype && new.prototype {
                before.ty == new.ty
            } else {
                returned(&before.ty) == returned(&new.ty)
            };
            if !same {
                let first = before.place;
                let message = format!("`{name}` is declared with two types");
                let error = Diagnostic::error(message, self.span(place))
                    .other(self.span(first), "declared differently here");
                return Err(self.conflict(error));
            }
            if new.prototype && !before.prototype {
                before.ty = new.ty;
                before.prototype = true;
            }
            before.variadic |= new.variadic;
            number
        } else {
            self.functions.push(new);
            let number = self.functions.len() - 1;
            if !self.is_internal(&name) {
                let external = External::Function(number);
                self.link.externals.insert(name.clone(), external);
            }
            number
        };
        let symbol = (Symbol::Function(number), place);
        self.scopes[0].names.entry(name.clone()).or_insert(symbol);
        if !self.is_file_scope() {
            let symbol = (Symbol::Function(number), place);
            self.scope().names.insert(name, symbol);
        }
        Ok(number)
    }

    /// The function of earlier units that this name means.
    fn external_function(&mut self, name: &str, place: Place) -> Checked<Option<usize>> {
        if self.is_internal(name) {
            return Ok(None);
        }
        match self.external(name) {
            Some(External::Function(number)) => Ok(Some(number)),
            Some(External::Object(id)) => {
                let first = self.unit.objects[id.0].place;
                Err(self.redeclared(name, place, first))
            }
            None => Ok(None),
        }
    }

    /// Objects that are reached must be defined.
    pub(super) fn report_undefined_objects(&mut self, reached: &Reached) {
        for &ObjectId(index) in &reached.objects {
            let facts = &self.objects[index];
            let (Some(used), false) = (facts.used, facts.defined) else {
                continue;
            };
            let object = &self.unit.objects[index];
            // The streams of a system's own headers: nothing looks at what they are.
            if matches!(object.name.as_str(), "stdin" | "stdout" | "stderr")
                && object.ty.is_pointer()
            {
                continue;
            }
            let message = format!(
                "`{}` is declared `extern`, and defined nowhere",
                object.name
            );
            let error = Diagnostic::error(message, self.span(used))
                .other(self.span(object.place), "declared here")
                .note("define it, or name the file that does, too: `fencepost check a.c b.c`");
            self.report(error);
        }
        for &ObjectId(index) in &reached.objects {
            let object = &self.unit.objects[index];
            let (ty, place) = (object.ty.clone(), object.place);
            if self.objects[index].defined {
                // Reports what is still incomplete: `struct s x;` without the structure.
                let _: Checked<u64> = self.size(&ty, place);
            }
        }
    }
}

fn returned(ty: &Type) -> Option<&Type> {
    match &ty.kind {
        TypeKind::Function(returns, _) => Some(returns),
        TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Float { .. }
        | TypeKind::Pointer(_)
        | TypeKind::Array(..)
        | TypeKind::Struct(_)
        | TypeKind::Library(_) => None,
    }
}
