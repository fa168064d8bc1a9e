//! Declarations of objects: global, static, thread-local and automatic.

use super::Parser;
use super::declarator::Declarator;
use super::initialiser::Initial;
use super::specifiers::{Specifiers, Storage};
use crate::c::check::{Checked, External, Symbol, expr, unqualified};
use crate::lower::typed::{
    Expr, ExprKind, Initialised, LocalId, Lvalue, LvalueKind, Object, ObjectId, Path, Step, Stmt,
    StmtKind, Struct, Type, TypeKind,
};
use crate::text::Place;

impl Parser<'_> {
    /// An object after its declarator, with its initialiser.
    pub(super) fn object(
        &mut self,
        specifiers: &Specifiers,
        mut declarator: Declarator,
        start: usize,
        statements: &mut Vec<Stmt>,
    ) -> Checked<()> {
        if declarator.ty.is_void() {
            let message = format!("`{}` cannot have type `void`", declarator.name);
            return Err(self.check.error(message, declarator.place));
        }
        if specifiers.deduced {
            return self.deduced(specifiers, declarator, start, statements);
        }
        if let Some(length) = declarator.length.take() {
            return self.variable_array(&declarator, length, start, statements);
        }
        let lasting = specifiers.storage == Storage::Static || specifiers.thread_local;
        if self.check.is_file_scope() || specifiers.storage == Storage::Extern {
            return self.global(specifiers, declarator);
        }
        if lasting {
            return self.static_local(specifiers, declarator);
        }
        let Some(id) = self.local(&declarator)? else {
            return Err(self
                .check
                .error("no variable can be declared here", declarator.place));
        };
        let initial = if self.eat("=") {
            Some(self.initialiser(&mut declarator.ty, false)?)
        } else {
            None
        };
        self.check.size(&declarator.ty, declarator.place)?;
        let constant = match &initial {
            Some(Initial::Scalars(scalars)) if declarator.constant => {
                self.check.constant_of(&declarator.ty, scalars)
            }
            _ => None,
        };
        if let Some(body) = &mut self.check.body {
            body.locals[id.0].ty = declarator.ty.clone();
            body.constants.extend(constant.map(|value| (id, value)));
        }
        let place = self.since(start);
        declare(id, &declarator.ty, initial, place, statements);
        Ok(())
    }

    pub(super) fn local(&mut self, declarator: &Declarator) -> Checked<Option<LocalId>> {
        let Declarator {
            name, ty, place, ..
        } = declarator;
        let Some(id) = self.check.new_local(name, ty) else {
            return Ok(None);
        };
        let symbol = Symbol::Local(id, declarator.constant);
        self.check.introduce(name, symbol, *place)?;
        Ok(Some(id))
    }

    /// `__auto_type x = e;`
    fn deduced(
        &mut self,
        specifiers: &Specifiers,
        mut declarator: Declarator,
        start: usize,
        statements: &mut Vec<Stmt>,
    ) -> Checked<()> {
        if !self.is("=") || self.check.is_file_scope() || specifiers.storage == Storage::Static {
            let message = "`__auto_type` needs a local variable with an initialiser";
            return Err(self.check.error(message, declarator.place));
        }
        self.at += 1;
        let value = self.full_assignment()?;
        let value = self.check.value(value)?;
        let value = self.check.with_texts(value);
        declarator.ty = unqualified(&value.ty);
        if declarator.ty.is_void() {
            return Err(self.check.error("this has no value", value.place));
        }
        let Some(id) = self.local(&declarator)? else {
            return Err(self
                .check
                .error("no variable can be declared here", declarator.place));
        };
        let initial = if declarator.ty.is_scalar() {
            Initial::Scalars(vec![(Vec::new(), value)])
        } else {
            Initial::Whole(value)
        };
        let place = self.since(start);
        declare(id, &declarator.ty, Some(initial), place, statements);
        Ok(())
    }

    /// An object of the file, possibly declared before.
    fn global(&mut self, specifiers: &Specifiers, mut declarator: Declarator) -> Checked<()> {
        let Declarator { name, place, .. } = declarator.clone();
        let is_extern = specifiers.storage == Storage::Extern;
        let defines = !is_extern || self.is("=");
        let is_static = specifiers.storage == Storage::Static;
        let known = self.check.scopes[0].names.get(&name).cloned();
        let known = known.or_else(|| self.external_object(&declarator).filter(|_| !is_static));
        let id = match known {
            Some((Symbol::Object(id, _), first)) => {
                self.same_object(id, &declarator, specifiers.thread_local, first)?;
                id
            }
            Some((_, first)) => return Err(self.check.redeclared(&name, place, first)),
            None => {
                let object = Object {
                    name: name.clone(),
                    ty: declarator.ty.clone(),
                    init: Vec::new(),
                    tail: 0,
                    thread_local: specifiers.thread_local,
                    reached: true,
                    place,
                };
                let id = self.check.new_object(object, false);
                if !is_static {
                    let external = External::Object(id);
                    self.check.link.externals.insert(name.clone(), external);
                }
                id
            }
        };
        let symbol = Symbol::Object(id, declarator.constant);
        let names = &mut self.check.scopes[0].names;
        names.entry(name.clone()).or_insert((symbol, place));
        if !self.check.is_file_scope() {
            let symbol = Symbol::Object(id, declarator.constant);
            self.check.introduce(&name, symbol, place)?;
        }
        if defines {
            self.defined_once(id, &name, place)?;
            self.check.unit.objects[id.0].place = place;
            self.check.objects[id.0].unit = self.check.link.unit;
        }
        self.check.objects[id.0].defined |= defines;
        self.check.objects[id.0].each |= self.each;
        if self.eat("=") {
            if std::mem::replace(&mut self.check.objects[id.0].initialised, true) {
                let message = format!("`{name}` is initialised twice");
                return Err(self.check.error(message, place));
            }
            self.static_initialiser(id, &mut declarator)?;
        }
        Ok(())
    }

    /// The object or function of earlier units that a name means.
    fn external_object(&self, declarator: &Declarator) -> Option<(Symbol, Place)> {
        Some(match self.check.external(&declarator.name)? {
            External::Object(id) => {
                let place = self.check.unit.objects[id.0].place;
                (Symbol::Object(id, declarator.constant), place)
            }
            External::Function(number) => {
                let place = self.check.functions[number].place;
                (Symbol::Function(number), place)
            }
        })
    }

    /// No object is defined in two translation units.
    fn defined_once(&mut self, id: ObjectId, name: &str, place: Place) -> Checked<()> {
        let facts = &self.check.objects[id.0];
        if !facts.defined || facts.unit == self.check.link.unit {
            return Ok(());
        }
        let first = self.check.unit.objects[id.0].place;
        let message = format!("`{name}` is defined in two files");
        let error = crate::text::Diagnostic::error(message, self.check.span(place))
            .other(self.check.span(first), "first defined here")
            .note("declare it `extern` in one of them, or make it `static` if each has its own");
        Err(self.check.conflict(error))
    }

    fn same_object(
        &mut self,
        id: ObjectId,
        declarator: &Declarator,
        thread_local: bool,
        first: Place,
    ) -> Checked<()> {
        let known = &mut self.check.unit.objects[id.0];
        let same = match (&known.ty.kind, &declarator.ty.kind) {
            (TypeKind::Array(a, 0), TypeKind::Array(b, _))
            | (TypeKind::Array(a, _), TypeKind::Array(b, 0)) => a == b,
            _ => known.ty == declarator.ty,
        };
        if !same || known.thread_local != thread_local {
            let name = &declarator.name;
            let message = format!("`{name}` is declared with two types");
            let error = crate::text::Diagnostic::error(message, self.check.span(declarator.place))
                .other(self.check.span(first), "declared differently here");
            return Err(self.check.conflict(error));
        }
        if !matches!(declarator.ty.kind, TypeKind::Array(_, 0)) {
            known.ty = declarator.ty.clone();
        }
        Ok(())
    }

    fn static_local(&mut self, specifiers: &Specifiers, mut declarator: Declarator) -> Checked<()> {
        let function = self.check.body.as_ref().map(|body| body.name.clone());
        let object = Object {
            name: format!("{}.{}", function.unwrap_or_default(), declarator.name),
            ty: declarator.ty.clone(),
            init: Vec::new(),
            tail: 0,
            thread_local: specifiers.thread_local,
            reached: true,
            place: declarator.place,
        };
        let id = self.check.new_object(object, true);
        self.check.objects[id.0].each = self.each;
        let symbol = Symbol::Object(id, declarator.constant);
        self.check
            .introduce(&declarator.name, symbol, declarator.place)?;
        if self.eat("=") {
            self.static_initialiser(id, &mut declarator)?;
        }
        Ok(())
    }

    fn static_initialiser(&mut self, id: ObjectId, declarator: &mut Declarator) -> Checked<()> {
        let ty = &mut declarator.ty;
        let initial = if std::mem::take(&mut self.each) {
            self.initialiser_of_each(ty)?
        } else {
            self.initialiser(ty, true)?
        };
        if let (Initial::Scalars(scalars), true) = (&initial, declarator.constant) {
            self.check.objects[id.0].constant = self.check.constant_of(ty, scalars);
        }
        let object = &mut self.check.unit.objects[id.0];
        object.ty = ty.clone();
        match initial {
            Initial::Scalars(scalars) => {
                object.tail = tail_of(&self.check.unit.structs, ty, &scalars);
                if object.tail > 0
                    && let TypeKind::Struct(of) = ty.kind
                    && self.check.empty_tails.contains(&of)
                {
                    let message = "an array of length 0 has no elements that could be initialised";
                    let place = object.place;
                    let note = "write `[]` where the structure is defined";
                    return Err(self.check.error_with(message, place, note));
                }
                let zero = |value: &ExprKind| matches!(value, ExprKind::Const(0));
                object.init = scalars
                    .into_iter()
                    .filter(|(_, value)| !zero(&value.kind))
                    .collect();
                Ok(())
            }
            Initial::Whole(value) => Err(self.check.error_with(
                "the initial value of a static object must be constant",
                value.place,
                "list its members: `{ … }`",
            )),
        }
    }
}

/// How many elements an initialiser gives to a last member without a length.
fn tail_of(structs: &[Struct], ty: &Type, scalars: &[(Path, Expr)]) -> u32 {
    let TypeKind::Struct(id) = ty.kind else {
        return 0;
    };
    let known = &structs[id.0];
    if known.tail().is_none() {
        return 0;
    }
    let last = known.members.len() - 1;
    let in_tail = scalars.iter().filter_map(|(path, _)| match path[..] {
        [Step::Member(member), Step::Element(index), ..] if member == last => Some(index + 1),
        _ => None,
    });
    in_tail.max().unwrap_or(0)
}

/// The statements that a local variable's declaration becomes.
pub(super) fn declare(
    id: LocalId,
    ty: &Type,
    initial: Option<Initial>,
    place: Place,
    statements: &mut Vec<Stmt>,
) {
    let mut push = |kind| statements.push(Stmt { kind, place });
    match initial {
        None => push(StmtKind::Declare(id, Vec::new(), Initialised::No)),
        Some(Initial::Scalars(scalars)) => {
            push(StmtKind::Declare(id, scalars, Initialised::Yes));
        }
        Some(Initial::Whole(value)) => {
            push(StmtKind::Declare(id, Vec::new(), Initialised::No));
            let kind = LvalueKind::Local(id);
            let ty = ty.clone();
            let into = Lvalue {
                kind,
                ty: ty.clone(),
                place,
            };
            let assign = ExprKind::Assign(Box::new(into), Box::new(value));
            push(StmtKind::Expr(expr(assign, unqualified(&ty), place)));
        }
    }
}
