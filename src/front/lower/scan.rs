//! What can be seen of statements and functions without following them: which locals a loop assigns,
//! and whether it does anything that may be done a fixed number of times only.

mod calls;

use super::accesses::function;
use super::objects::innermost;
use super::view::{is_scalar, unqualified};
use crate::lower::typed::{
    BinaryOp, Expr, ExprKind, FunctionId, LocalId, Lvalue, LvalueKind, ObjectId, Path, Step, Stmt,
    StmtKind, StructId, Type, TypeKind, Unit, WordAccess, WordOrder,
};
use crate::text::Place;
use std::collections::{BTreeMap, BTreeSet};

/// What is seen of each function.
#[derive(Debug)]
pub(super) struct Facts {
    /// Whether it creates or joins threads, itself or through others.
    fixed: Vec<bool>,
    /// The same, except by what a loop may also do on its way out.
    fixed_otherwise: Vec<bool>,
    /// Whether it creates threads, itself or through others.
    creates: Vec<bool>,
    /// Whether it allocates memory, itself or through others.
    allocates: Vec<bool>,
    /// Those that are used as values.
    taken: BTreeSet<FunctionId>,
    /// What pointers point to that are moved.
    moved: Vec<Type>,
    /// Whether memory is freed anywhere.
    frees: bool,
    /// Pointers to a structure that become pointers to a scalar.
    walks: Walks,
    /// Structures that are others with a longer last member.
    grown_from: BTreeMap<StructId, StructId>,
    /// Whether there are integers in parts.
    has_words: bool,
}

/// Which pointers become pointers to other types.
#[derive(Clone, Default, Debug)]
pub(super) struct Walks {
    /// From a structure to a scalar.
    direct: BTreeSet<(StructId, Type)>,
    /// From a structure to `void`.
    to_void: BTreeSet<StructId>,
    /// From `void` to a scalar.
    from_void: BTreeSet<Type>,
}

impl Walks {
    fn add(&mut self, from: &Type, to: &Type) {
        // What is stored as one is loaded as the other.
        if let (Some(a), Some(b)) = (from.pointee(), to.pointee())
            && unqualified(a) != unqualified(b)
        {
            self.add(a, b);
            self.add(b, a);
        }
        let structure = match innermost(from).kind {
            TypeKind::Struct(id) => Some(id),
            _ => None,
        };
        match structure {
            Some(id) if to.is_void() => {
                self.to_void.insert(id);
            }
            Some(id) if is_scalar(to) => {
                self.direct.insert((id, unqualified(to)));
            }
            None if from.is_void() && is_scalar(to) => {
                self.from_void.insert(unqualified(to));
            }
            _ => {}
        }
    }

    fn extend(&mut self, other: Self) {
        self.direct.extend(other.direct);
        self.to_void.extend(other.to_void);
        self.from_void.extend(other.from_void);
    }
}

/// What a part of a function does.
#[derive(Default, Debug)]
pub(crate) struct Seen {
    /// Locals that it assigns.
    pub(super) assigned: BTreeSet<LocalId>,
    /// Locals that it declares.
    pub(super) declared: BTreeSet<LocalId>,
    /// Whether it calls functions or writes through pointers.
    pub(super) reaches_out: bool,
    /// Whether it does what may be done a fixed number of times only, by itself.
    pub(super) fixed: bool,
    /// How many calls in it do, except what a loop may also do on its way out: wait for readers, or have something done
    /// later.
    pub(super) fixed_otherwise: usize,
    /// How many calls in it create threads.
    pub(super) creates: usize,
    pub(crate) calls: BTreeSet<FunctionId>,
    /// Labels that are jumped to.
    pub(super) gotos: BTreeSet<String>,
    /// Functions that are used as values.
    pub(crate) taken: BTreeSet<FunctionId>,
    /// Functions whose address goes nowhere but into a new thread.
    pub(crate) routines: BTreeSet<FunctionId>,
    /// Objects that are named.
    pub(crate) objects: BTreeSet<ObjectId>,
    /// Ways to scalars in locals that are initialised, through members, and not with 0.
    pub(crate) filled: Vec<(LocalId, Path, Place)>,
    /// Members of structures that are named, and where first.
    pub(crate) members: BTreeMap<(StructId, usize), Place>,
    /// What pointers point to that it moves.
    pub(super) moved: Vec<Type>,
    /// The same that it passes as pointers to `void`.
    pub(super) passed: Vec<Type>,
    /// How many calls in it move what it gets as pointers to `void` (`hand_out`).
    pub(super) moves_passed: usize,
    /// Whether it allocates memory, by itself.
    pub(super) allocates: bool,
    /// How many calls in it free memory.
    pub(super) frees: usize,
    /// Those that a jump after them leads back to.
    pub(super) back: BTreeSet<String>,
    pub(super) labels: BTreeSet<String>,
    /// Which pointers become pointers to other types.
    pub(super) walks: Walks,
    /// Locals that are more than converted to `void`, and where first.
    pub(crate) mentioned: BTreeMap<LocalId, Place>,
}

impl Facts {
    /// `grown_from` says which structures are others with a longer last member.
    pub(super) fn of(unit: &Unit, grown_from: BTreeMap<StructId, StructId>) -> Self {
        let seen: Vec<Seen> = unit.functions.iter().map(|f| look(&f.body, &[])).collect();
        let fixed = spread(&seen, |seen| seen.fixed);
        let fixed_otherwise = spread(&seen, |seen| seen.fixed_otherwise > 0);
        let creates = spread(&seen, |seen| seen.creates > 0);
        let allocates = spread(&seen, |seen| seen.allocates);
        let inits = unit.objects.iter().flat_map(|object| &object.init);
        let inits: Vec<&Expr> = inits.map(|(_, e)| e).collect();
        let mut taken = BTreeSet::new();
        let (mut moved, mut frees) = (Vec::new(), false);
        let mut walks = Walks::default();
        let moves_passed = seen.iter().any(|seen| seen.moves_passed > 0);
        for seen in seen.into_iter().chain([look(&[], &inits)]) {
            taken.extend(seen.taken);
            moved.extend(seen.moved);
            moved.extend(seen.passed.into_iter().filter(|_| moves_passed));
            frees |= seen.frees > 0;
            walks.extend(seen.walks);
        }
        Self {
            fixed,
            fixed_otherwise,
            creates,
            allocates,
            taken,
            moved,
            frees,
            walks,
            grown_from,
            has_words: unit.structs.iter().any(|of| of.word),
        }
    }

    /// The functions that are used as values.
    pub(super) fn taken(&self) -> impl Iterator<Item = FunctionId> {
        self.taken.iter().copied()
    }

    /// What pointers point to that the program moves.
    pub(super) fn moved(&self) -> &[Type] {
        &self.moved
    }

    /// Whether the program may walk over a structure by a pointer to a scalar of this type, because it
    /// makes one from a pointer to the structure.
    pub(super) fn walks_over(&self, id: StructId, by: &Type) -> bool {
        if !is_scalar(by) {
            return false;
        }
        let by = unqualified(by);
        let id = self.first_of(id);
        let through_void = self.walks.to_void.contains(&id) && self.walks.from_void.contains(&by);
        through_void || self.walks.direct.contains(&(id, by))
    }

    /// The structure of the text that a structure is, which may have a longer last member.
    pub(super) fn first_of(&self, id: StructId) -> StructId {
        self.grown_from.get(&id).copied().unwrap_or(id)
    }

    /// Whether the program may walk over a structure by a pointer to any scalar.
    pub(super) fn walks_over_some(&self, id: StructId) -> bool {
        let id = self.first_of(id);
        let through_void = self.walks.to_void.contains(&id) && !self.walks.from_void.is_empty();
        through_void || self.walks.direct.iter().any(|(of, _)| *of == id)
    }

    /// Whether there are integers in parts.
    pub(super) fn has_words(&self) -> bool {
        self.has_words
    }

    /// Whether the program frees memory.
    pub(super) fn frees(&self) -> bool {
        self.frees
    }

    /// Whether this creates or joins threads: it must be executed a number of times that is known.
    pub(super) fn is_fixed(&self, seen: &Seen) -> bool {
        seen.fixed || seen.calls.iter().any(|f| self.fixed[f.0])
    }

    /// Whether all of this that is to be done a fixed number of times may be done in a loop of any length: on its way
    /// out, or if it is to queue something (`rounds`).
    pub(super) fn may_leave(&self, seen: &Seen) -> bool {
        let otherwise =
            seen.fixed_otherwise > 0 || seen.calls.iter().any(|f| self.fixed_otherwise[f.0]);
        self.is_fixed(seen) && !otherwise
    }

    /// Whether this creates threads.
    pub(super) fn creates(&self, seen: &Seen) -> bool {
        seen.creates > 0 || seen.calls.iter().any(|f| self.creates[f.0])
    }

    /// Whether this allocates memory.
    pub(super) fn allocates(&self, seen: &Seen) -> bool {
        seen.allocates || seen.calls.iter().any(|f| self.allocates[f.0])
    }
}

/// What each function does, itself or through others.
fn spread(seen: &[Seen], own: impl Fn(&Seen) -> bool) -> Vec<bool> {
    let mut does: Vec<bool> = seen.iter().map(own).collect();
    loop {
        let through = |seen: &Seen| seen.calls.iter().any(|f| does[f.0]);
        let next: Vec<bool> = seen
            .iter()
            .zip(&does)
            .map(|(seen, own)| *own || through(seen))
            .collect();
        if next == does {
            return does;
        }
        does = next;
    }
}

/// What these statements and expressions do.
pub(crate) fn look(stmts: &[Stmt], exprs: &[&Expr]) -> Seen {
    let mut seen = Seen::default();
    for stmt in stmts {
        seen.stmt(stmt);
    }
    for e in exprs {
        seen.expr(e);
    }
    seen
}

impl Seen {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::Declare(local, init, _) => {
                self.declared.insert(*local);
                for (path, e) in init {
                    let has_member = path.iter().any(|step| matches!(step, Step::Member(_)));
                    if has_member && !matches!(e.kind, ExprKind::Const(0)) {
                        self.filled.push((*local, path.clone(), e.place));
                    }
                    self.expr(e);
                }
            }
            StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| self.stmt(stmt)),
            StmtKind::If(c, then, other) => {
                self.expr(c);
                self.stmt(then);
                if let Some(other) = other {
                    self.stmt(other);
                }
            }
            StmtKind::While(c, body) | StmtKind::DoWhile(body, c) | StmtKind::Switch(c, body) => {
                self.expr(c);
                self.stmt(body);
            }
            StmtKind::For(c, step, body) => {
                if let Some(e) = c {
                    self.expr(e);
                }
                self.stmt(body);
                if let Some(e) = step {
                    self.expr(e);
                }
            }
            StmtKind::Case(_, body) | StmtKind::Default(body) => self.stmt(body),
            StmtKind::Label(name, body) => {
                self.labels.insert(name.clone());
                self.stmt(body);
            }
            StmtKind::Goto(label) => {
                self.gotos.insert(label.clone());
                if self.labels.contains(label) {
                    self.back.insert(label.clone());
                }
            }
            StmtKind::Return(e) => e.iter().for_each(|e| self.expr(e)),
            StmtKind::Word(word) => {
                match &word.access {
                    WordAccess::Store(object) | WordAccess::Locked(object) => self.lvalue(object),
                    WordAccess::Operation(object, _, operand) => {
                        self.lvalue(object);
                        for part in operand {
                            self.expr(part);
                        }
                    }
                    WordAccess::Plain | WordAccess::Order => {}
                }
                if let WordOrder::Given(e) = &word.order {
                    self.expr(e);
                }
                word.body.iter().for_each(|stmt| self.stmt(stmt));
            }
            StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Asm(_)
            | StmtKind::Empty
            | StmtKind::InMacro => {}
        }
    }

    /// A pointer of this type is moved, if this is an operator that does so.
    fn moves(&mut self, op: BinaryOp, ty: &Type) {
        if matches!(op, BinaryOp::PointerAdd | BinaryOp::PointerSub)
            && let Some(to) = ty.pointee()
        {
            self.moved_to(to);
        }
    }

    /// A pointer to an element of this type, or to the end of the elements, is computed.
    fn moved_to(&mut self, element: &Type) {
        if !self.moved.contains(element) {
            self.moved.push(element.clone());
        }
    }

    fn writes(&mut self, place: &Lvalue) {
        match &place.kind {
            LvalueKind::Local(local) => {
                self.assigned.insert(*local);
            }
            LvalueKind::Object(_) => {}
            LvalueKind::Deref(_) => self.reaches_out = true,
            LvalueKind::Member(inner, _)
            | LvalueKind::Bits(inner, _)
            | LvalueKind::Element(inner, _) => self.writes(inner),
        }
    }

    fn lvalue(&mut self, place: &Lvalue) {
        match &place.kind {
            LvalueKind::Local(local) => {
                self.mentioned.entry(*local).or_insert(place.place);
            }
            LvalueKind::Object(id) => {
                self.objects.insert(*id);
            }
            LvalueKind::Deref(e) => self.expr(e),
            LvalueKind::Member(inner, index) => {
                if let TypeKind::Struct(id) = inner.ty.kind {
                    let member = self.members.entry((id, *index));
                    member.or_insert(place.place);
                }
                self.lvalue(inner);
            }
            LvalueKind::Bits(inner, _) => self.lvalue(inner),
            LvalueKind::Element(inner, e) => {
                self.lvalue(inner);
                self.expr(e);
            }
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Const(_) | ExprKind::Text(_) => {}
            ExprKind::New(_) => self.allocates = true,
            ExprKind::Function(function) => {
                self.taken.insert(*function);
            }
            ExprKind::Load(place) => self.lvalue(place),
            ExprKind::AddressOf(place) => {
                if let LvalueKind::Element(..) = &place.kind {
                    self.moved_to(&place.ty);
                }
                self.lvalue(place);
            }
            // `(void)argc;`
            ExprKind::Cast(a) if e.ty.is_void() && is_local(a) => {}
            ExprKind::Cast(a) => {
                if let (Some(from), Some(to)) = (a.ty.pointee(), e.ty.pointee()) {
                    self.walks.add(from, to);
                }
                self.expr(a);
            }
            ExprKind::Unary(_, a) => self.expr(a),
            ExprKind::Binary(op, a, b) => {
                self.moves(*op, &a.ty);
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Checked(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Comma(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Conditional(c, a, b) => {
                self.expr(c);
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Assign(place, value) => {
                self.writes(place);
                self.lvalue(place);
                self.expr(value);
            }
            ExprKind::Update {
                op, into, operand, ..
            } => {
                self.moves(*op, &into.ty);
                self.writes(into);
                self.lvalue(into);
                self.expr(operand);
            }
            ExprKind::Call(callee, arguments) => self.call(callee, arguments),
            ExprKind::Statement(stmts) => stmts.iter().for_each(|stmt| self.stmt(stmt)),
        }
    }
}

/// Whether this is the value of a local.
fn is_local(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Load(place) if matches!(place.kind, LvalueKind::Local(_)))
}
