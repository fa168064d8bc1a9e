//! The program with integers in parts: types, objects, statements.
//!
//! An expression whose value is wide becomes statements that compute two halves (`halves`); they are collected in
//! `out`, and go before the statement or, as a statement expression, into the expression that needs them. So
//! everything is evaluated in the order in which it was, and what is not evaluated is not evaluated.
//!
//! **Invariant.** The type of each new expression is that of its class. Where a pointer goes from one class to another
//! all the same, it is converted, and the lowering decides what it sees there.

use super::changes::changed_by;
use super::cut::Words;
use super::halves::VOID;
use super::infer::{Class, Classes, constant};
use super::pairs::{HALF, Halves, Pair};
use super::parts::{part_of, parts};
use crate::lower::begins_with;
use crate::lower::operation::{Meaning, Operation};
use crate::lower::typed::{
    Expr, ExprKind, Function, Initialised, Local, LocalId, Lvalue, LvalueKind, Member, Object,
    Path, Stmt, StmtKind, Struct, StructId, Type, TypeKind, Unit, Word, WordOrder,
};
use crate::text::Place;
use std::collections::BTreeSet;

pub(super) struct Rewriter<'u> {
    pub(super) unit: &'u Unit,
    pub(super) classes: Classes<'u>,
    /// The types of integers in parts.
    pub(super) words: Words,
    /// How many locals the function at hand has, without those that are added.
    pub(super) first: usize,
    fresh: Vec<Local>,
    /// That of the statement at hand.
    pub(super) place: Place,
    /// What is done before the value of the expression at hand is known.
    pub(super) out: Vec<Stmt>,
    /// The variables that the statement at hand changes before it ends.
    pub(super) changed: BTreeSet<LocalId>,
}

/// The same program with all integers in parts that have to be; `None` if there are none. Also the unions whose members
/// cannot share them.
pub(super) fn rewritten(unit: &Unit) -> Option<(Unit, Vec<Place>)> {
    let classes = Classes::of(unit)?;
    let place = unit.functions.first()?.place;
    let mut rewriter = Rewriter {
        unit,
        classes,
        words: Words::after(unit),
        first: 0,
        fresh: Vec::new(),
        place,
        out: Vec::new(),
        changed: BTreeSet::new(),
    };
    let new = rewriter.unit();
    let unions = unit.structs.iter().zip(&new.structs).enumerate();
    let refused = unions.filter(|(id, (old, of))| {
        let whole = Type {
            kind: TypeKind::Struct(StructId(*id)),
            ..VOID
        };
        let mut used = old.apart.iter().map(|index| &of.members[*index].ty);
        !used.all(|part| begins_with(&new, &whole, part))
    });
    let refused = refused.map(|(_, (of, _))| of.place).collect();
    Some((new, refused))
}

/// What no object begins with.
static NOT_CONSTANT: Operation = Operation {
    name: "an initial value",
    meaning: Meaning::Refuse(
        "an address beside other bits is not supported as an initial value",
        "assign it before there are other threads",
    ),
};

impl<'u> Rewriter<'u> {
    fn unit(&mut self) -> Unit {
        let unit = self.unit;
        let mut structs = Vec::new();
        for (id, of) in unit.structs.iter().enumerate() {
            let members = of.members.iter().enumerate();
            let members = members.map(|(index, member)| Member {
                name: member.name.clone(),
                ty: self.typed(&member.ty, self.classes.member(id, index)),
            });
            structs.push(Struct {
                members: members.collect(),
                ..of.clone()
            });
        }
        for (id, of) in unit.structs.iter().enumerate() {
            if of.apart.is_empty() {
                continue;
            }
            // The cells are those of one more member.
            let cells = self.classes.cells_of(id, of.place);
            let ty = Type {
                kind: TypeKind::Struct(StructId(structs.len())),
                ..VOID
            };
            structs.push(cells);
            let union = &mut structs[id];
            union.union = Some(union.members.len());
            union.members.push(Member {
                name: String::new(),
                ty,
            });
            if let Some(layout) = &mut union.layout {
                layout.offsets.push(0);
            }
            union.apart.clear();
        }
        let objects = unit.objects.iter().enumerate();
        let objects = objects
            .map(|(id, object)| self.object(id, object))
            .collect();
        let functions = unit.functions.iter().enumerate();
        let functions = functions
            .map(|(id, function)| self.function(id, function))
            .collect();
        structs.extend(self.words.structs(self.place));
        Unit {
            structs,
            objects,
            functions,
            has_error_number: unit.has_error_number,
        }
    }

    fn object(&mut self, id: usize, object: &'u Object) -> Object {
        let class = self.classes.object(id);
        let mut init = Vec::new();
        for (path, e) in &object.init {
            let (class, ty) = self.classes.at_path(&object.ty, class, path);
            let new = self.typed(ty, class);
            let sizes = self.words.sizes(&new).map(<[u8]>::to_vec);
            match (constant(e), sizes) {
                (Some(value), Some(sizes)) => {
                    let pair = Pair::constant(value as u64, e.place);
                    for (index, part) in parts(&pair, &sizes).into_iter().enumerate() {
                        init.push(part_of(path, index, part));
                    }
                }
                (None, Some(_)) => {
                    // An address: there are no other constants.
                    let low = if self.classes.is_wide(e) {
                        super::atomics::refusal(&NOT_CONSTANT, e.place)
                    } else {
                        self.expr(e)
                    };
                    let kind = ExprKind::Cast(Box::new(low));
                    let (ty, place) = (HALF, e.place);
                    init.push(part_of(path, 0, Expr { kind, ty, place }));
                }
                (_, None) => init.push((path.clone(), self.value_for(e, class))),
            }
        }
        Object {
            ty: self.typed(&object.ty, class),
            init,
            ..object.clone()
        }
    }

    fn function(&mut self, id: usize, function: &'u Function) -> Function {
        self.classes.function = id;
        let mut locals = Vec::new();
        for (number, local) in function.locals.iter().enumerate() {
            locals.push(Local {
                ty: self.typed(&local.ty, self.classes.local(id, number)),
                ..local.clone()
            });
        }
        // That of `errno` stays the last one.
        let last = if self.unit.has_error_number {
            locals.pop()
        } else {
            None
        };
        self.first = locals.len();
        let body = self.all(&function.body);
        locals.append(&mut self.fresh);
        locals.extend(last);
        Function {
            locals,
            returns: self.typed(&function.returns, self.classes.result(id)),
            body,
            ..function.clone()
        }
    }

    // Types.

    pub(super) fn typed(&mut self, ty: &Type, class: Class) -> Type {
        self.classes.ty(ty, class, &mut self.words)
    }

    /// The type of what an expression becomes.
    pub(super) fn type_of(&mut self, e: &'u Expr) -> Type {
        let class = self.classes.value(e);
        self.typed(&e.ty, class)
    }

    // New variables.

    /// A new variable of the function at hand, which nothing uses after paths have met on which it differs, unless it is
    /// to stay.
    pub(super) fn variable(&mut self, ty: Type, temporary: bool) -> LocalId {
        self.fresh.push(Local {
            name: String::new(),
            ty,
            addressed: false,
            temporary,
        });
        LocalId(self.first + self.fresh.len() - 1)
    }

    /// Arithmetic on halves, whose statements come next.
    pub(super) fn halves<T>(&mut self, act: impl FnOnce(&mut Halves) -> T) -> T {
        let (first, fresh) = (self.first, &mut self.fresh);
        let mut make = || {
            fresh.push(Local {
                name: String::new(),
                ty: HALF,
                addressed: false,
                temporary: true,
            });
            LocalId(first + fresh.len() - 1)
        };
        let mut halves = Halves {
            fresh: &mut make,
            statements: Vec::new(),
            place: self.place,
        };
        let result = act(&mut halves);
        self.out.append(&mut halves.statements);
        result
    }

    pub(super) fn push(&mut self, kind: StmtKind) {
        let place = self.place;
        self.out.push(Stmt { kind, place });
    }

    pub(super) fn push_word(
        &mut self,
        access: crate::lower::typed::WordAccess,
        order: WordOrder,
        body: Vec<Stmt>,
    ) {
        self.push(StmtKind::Word(Box::new(Word {
            access,
            order,
            body,
        })));
    }

    /// A new variable with this value.
    pub(super) fn kept(&mut self, e: Expr) -> Lvalue {
        let ty = Type {
            atomic: false,
            volatile: false,
            ..e.ty.clone()
        };
        let local = self.variable(ty.clone(), true);
        let init = vec![(Vec::new(), e)];
        self.push(StmtKind::Declare(local, init, Initialised::Yes));
        self.local(local, ty)
    }

    pub(super) fn local(&self, local: LocalId, ty: Type) -> Lvalue {
        Lvalue {
            kind: LvalueKind::Local(local),
            ty,
            place: self.place,
        }
    }

    /// What is done to evaluate something.
    pub(super) fn collected(&mut self, act: impl FnOnce(&mut Self)) -> Vec<Stmt> {
        let outer = std::mem::take(&mut self.out);
        act(self);
        std::mem::replace(&mut self.out, outer)
    }

    /// An expression, with what is done before its value is known.
    pub(super) fn enclosed(&mut self, act: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let outer = std::mem::take(&mut self.out);
        let e = act(self);
        let mut stmts = std::mem::replace(&mut self.out, outer);
        if stmts.is_empty() {
            return e;
        }
        let (ty, place) = (e.ty.clone(), e.place);
        stmts.push(Stmt {
            kind: StmtKind::Expr(e),
            place: self.place,
        });
        Expr {
            kind: ExprKind::Statement(stmts),
            ty,
            place,
        }
    }

    // Statements.

    fn all(&mut self, stmts: &'u [Stmt]) -> Vec<Stmt> {
        stmts.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn boxed(&mut self, stmt: &'u Stmt) -> Box<Stmt> {
        Box::new(self.stmt(stmt))
    }

    pub(super) fn stmt(&mut self, stmt: &'u Stmt) -> Stmt {
        let (outer, place) = (self.place, stmt.place);
        self.place = place;
        let before = self.changed.clone();
        self.changed.extend(changed_by(stmt));
        let kind = match &stmt.kind {
            StmtKind::Expr(e) => {
                let mut stmts = self.collected(|this| this.effect(e));
                match stmts.pop() {
                    Some(only) if stmts.is_empty() => only.kind,
                    Some(last) => {
                        stmts.push(last);
                        StmtKind::Block(stmts)
                    }
                    None => StmtKind::Empty,
                }
            }
            StmtKind::Declare(local, init, initialised) => {
                self.declaration(*local, init, *initialised)
            }
            StmtKind::Block(stmts) => StmtKind::Block(self.all(stmts)),
            StmtKind::If(c, then, other) => {
                let c = self.condition(c);
                let then = self.boxed(then);
                StmtKind::If(c, then, other.as_ref().map(|other| self.boxed(other)))
            }
            StmtKind::While(c, body) => {
                let c = self.condition(c);
                StmtKind::While(c, self.boxed(body))
            }
            StmtKind::DoWhile(body, c) => {
                let c = self.condition(c);
                StmtKind::DoWhile(self.boxed(body), c)
            }
            StmtKind::For(c, step, body) => {
                let c = c.as_ref().map(|c| self.condition(c));
                let step = step.as_ref().map(|step| self.effect_of(step));
                StmtKind::For(c, step, self.boxed(body))
            }
            StmtKind::Switch(value, body) => {
                let value = self.expr(value);
                StmtKind::Switch(value, self.boxed(body))
            }
            StmtKind::Case(value, body) => StmtKind::Case(*value, self.boxed(body)),
            StmtKind::Default(body) => StmtKind::Default(self.boxed(body)),
            StmtKind::Label(name, body) => StmtKind::Label(name.clone(), self.boxed(body)),
            StmtKind::Return(Some(e)) => {
                let class = self.classes.result(self.classes.function);
                StmtKind::Return(Some(self.value_for(e, class)))
            }
            StmtKind::Word(word) => StmtKind::Word(word.clone()),
            StmtKind::Return(None)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Asm(_)
            | StmtKind::Empty
            | StmtKind::InMacro => stmt.kind.clone(),
        };
        self.place = outer;
        self.changed = before;
        Stmt { kind, place }
    }

    fn declaration(
        &mut self,
        local: LocalId,
        init: &'u [(Path, Expr)],
        initialised: Initialised,
    ) -> StmtKind {
        let unit = self.unit;
        let of = &unit.functions[self.classes.function].locals[local.0];
        let class = self.classes.local(self.classes.function, local.0);
        let mut new = Vec::new();
        for (path, e) in init {
            let (class, _) = self.classes.at_path(&of.ty, class, path);
            new.push((path.clone(), self.value_for(e, class)));
        }
        StmtKind::Declare(local, new, initialised)
    }

    /// The value of an expression where things of a class are.
    pub(super) fn value_for(&mut self, e: &'u Expr, class: Class) -> Expr {
        if e.ty.is_integer() {
            let ty = self.typed(&e.ty, class);
            return if self.words.sizes(&ty).is_some() {
                self.word_of(e, &ty)
            } else {
                self.expr(e)
            };
        }
        let value = self.expr(e);
        let ty = self.typed(&e.ty, class);
        if e.ty.is_pointer() && value.ty.kind != ty.kind {
            let place = value.place;
            let kind = ExprKind::Cast(Box::new(value));
            return Expr { kind, ty, place };
        }
        value
    }
}
