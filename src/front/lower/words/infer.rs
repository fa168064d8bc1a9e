//! Which storage has to hold numbers of 64 bits that no 32 represent.
//!
//! Objects, variables, members, results, what pointers lead to and elements are put into *classes*: one for all that a
//! pointer may lead to (the unification of Steensgaard's analysis). A class is *wide* if something flows into it that
//! is computed from a constant beyond 32 bits, from a shift to the left by 24 bits or more, or from a few values that are
//! tried (`samples`) and give one beyond 32 bits.
//!
//! **Any choice of classes is sound**: where a number passes from a wide class to a narrow one, it is a limit if it does
//! not fit, and pointers to wide and to narrow numbers are pointers to different types. So what is not followed here,
//! such as pointers that become numbers and back, costs answers, and makes none wrong.
//!
//! Integers of other sizes, too, are cut into parts where something else is seen in their memory: in unions, and through
//! pointers to integers of another size.
//!
//! What operations of libraries access by themselves stays narrow, and so do members of other unions.

mod calls;
mod flow;
mod samples;
mod width;

use super::cut::{Cuts, Words, pieces};
use crate::lower::operation::Meaning;
use crate::lower::typed::{Type, TypeKind, Unit};
use samples::Samples;
use std::collections::BTreeMap;
pub(super) use width::{constant, is_64_bit};

/// A class of storage, or of values.
pub(super) type Class = usize;

#[derive(Clone, Default, Debug)]
struct Node {
    /// Another one that it is the same as.
    same: Option<Class>,
    /// What a pointer leads to, and the elements of an array.
    inner: Option<Class>,
    /// Of a function: what it returns, and its parameters.
    signature: Option<(Class, Vec<Class>)>,
    /// Where integers in it are cut.
    cuts: Cuts,
    /// Whether they have to stay whole.
    narrow: bool,
    /// Values that these integers may have.
    samples: Samples,
}

/// The classes of a program.
pub(super) struct Classes<'u> {
    pub(super) unit: &'u Unit,
    nodes: Vec<Node>,
    objects: Vec<Class>,
    locals: Vec<Vec<Class>>,
    members: Vec<Vec<Class>>,
    results: Vec<Class>,
    functions: Vec<Class>,
    /// By their addresses in the typed program: expressions whose values have classes of their own.
    own: BTreeMap<usize, Class>,
    /// All expressions, once nothing changes any more.
    all: BTreeMap<usize, Class>,
    /// The same: their values, as the pass at hand found them.
    sampled: BTreeMap<usize, Samples>,
    passes: usize,
    /// Whether some number that is stored nowhere needs more than 32 bits.
    has_large: bool,
    is_final: bool,
    changed: bool,
    /// The function at hand.
    pub(super) function: usize,
}

impl<'u> Classes<'u> {
    /// The classes of a program; `None` if none is wide.
    pub(super) fn of(unit: &'u Unit) -> Option<Self> {
        let mut classes = Self {
            unit,
            nodes: Vec::new(),
            objects: Vec::new(),
            locals: Vec::new(),
            members: Vec::new(),
            results: Vec::new(),
            functions: Vec::new(),
            own: BTreeMap::new(),
            all: BTreeMap::new(),
            sampled: BTreeMap::new(),
            passes: 0,
            has_large: false,
            is_final: false,
            changed: false,
            function: 0,
        };
        classes.objects = unit.objects.iter().map(|_| classes.fresh()).collect();
        for function in &unit.functions {
            let locals: Vec<Class> = function.locals.iter().map(|_| classes.fresh()).collect();
            let result = classes.fresh();
            let itself = classes.fresh();
            let parameters = locals[..function.parameters].to_vec();
            classes.nodes[itself].signature = Some((result, parameters));
            classes.locals.push(locals);
            classes.results.push(result);
            classes.functions.push(itself);
        }
        for of in &unit.structs {
            let members = of.members.iter().map(|_| classes.fresh()).collect();
            classes.members.push(members);
        }
        for id in 0..unit.structs.len() {
            classes.keep_unions(id);
        }
        loop {
            classes.changed = false;
            classes.sampled.clear();
            classes.pass();
            classes.passes += 1;
            if !classes.changed {
                break;
            }
        }
        let mut nodes = classes.nodes.iter();
        let mut structs = unit.structs.iter();
        let is_cut = nodes.any(|node| node.cuts != 0 && !node.narrow);
        let is_cut = is_cut || classes.has_large;
        classes.sampled.clear();
        (is_cut || structs.any(|of| !of.apart.is_empty())).then(|| {
            classes.is_final = true;
            classes
        })
    }

    // Classes.

    fn fresh(&mut self) -> Class {
        self.nodes.push(Node::default());
        self.nodes.len() - 1
    }

    fn find(&self, class: Class) -> Class {
        let mut class = class;
        while let Some(same) = self.nodes[class].same {
            class = same;
        }
        class
    }

    /// What a pointer leads to, or the elements of an array.
    pub(super) fn inner(&mut self, class: Class) -> Class {
        let class = self.find(class);
        if let Some(inner) = self.nodes[class].inner {
            return self.find(inner);
        }
        let inner = self.fresh();
        self.nodes[class].inner = Some(inner);
        inner
    }

    fn signature(&mut self, class: Class, parameters: usize) -> (Class, Vec<Class>) {
        let class = self.find(class);
        let (result, mut known) = match self.nodes[class].signature.clone() {
            Some(signature) => signature,
            None => (self.fresh(), Vec::new()),
        };
        while known.len() < parameters {
            known.push(self.fresh());
        }
        self.nodes[class].signature = Some((result, known.clone()));
        (result, known)
    }

    pub(super) fn unify(&mut self, a: Class, b: Class) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        self.changed = true;
        let old = std::mem::take(&mut self.nodes[b]);
        self.nodes[b].same = Some(a);
        self.nodes[a].cuts |= old.cuts;
        self.nodes[a].narrow |= old.narrow;
        self.join(a, &old.samples);
        match (self.nodes[a].inner, old.inner) {
            (Some(x), Some(y)) => self.unify(x, y),
            (None, inner) => self.nodes[a].inner = inner,
            (Some(_), None) => {}
        }
        let a = self.find(a);
        match (self.nodes[a].signature.clone(), old.signature) {
            (Some((x, xs)), Some((y, ys))) => {
                if ys.len() > xs.len() {
                    self.nodes[a].signature = Some((x, ys.clone()));
                }
                self.unify(x, y);
                for (x, y) in xs.into_iter().zip(ys) {
                    self.unify(x, y);
                }
            }
            (None, signature) => self.nodes[a].signature = signature,
            (Some(_), None) => {}
        }
    }

    /// Where integers in this class are cut.
    pub(super) fn cuts(&self, class: Class) -> Cuts {
        let node = &self.nodes[self.find(class)];
        if node.narrow { 0 } else { node.cuts }
    }

    /// Whether numbers of 64 bits in this class are in parts.
    fn is_wide_class(&self, class: Class) -> bool {
        pieces(8, self.cuts(class)).is_some()
    }

    /// Integers in this class are cut there, too.
    pub(super) fn cut(&mut self, class: Class, at: Cuts) {
        let class = self.find(class);
        if self.nodes[class].cuts & at != at {
            self.nodes[class].cuts |= at;
            self.changed = true;
        }
    }

    /// Numbers of 64 bits in this class have two halves.
    fn widen(&mut self, class: Class) {
        self.cut(class, 1 << 4);
    }

    /// All numbers in something of this type stay narrow, also those that it points to.
    fn keep_narrow(&mut self, ty: &Type, class: Class) {
        if self.is_final {
            return;
        }
        match &ty.kind {
            TypeKind::Int { .. } => {
                let class = self.find(class);
                if !self.nodes[class].narrow {
                    self.nodes[class].narrow = true;
                    self.changed = true;
                }
            }
            TypeKind::Pointer(to) | TypeKind::Array(to, _) => {
                if !matches!(to.kind, TypeKind::Struct(_) | TypeKind::Function(..)) {
                    let inner = self.inner(class);
                    self.keep_narrow(to, inner);
                }
            }
            TypeKind::Struct(id) => {
                for index in 0..self.unit.structs[id.0].members.len() {
                    let ty = &self.unit.structs[id.0].members[index].ty;
                    if !ty.is_pointer() {
                        self.keep_narrow(ty, self.members[id.0][index]);
                    }
                }
            }
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Float { .. }
            | TypeKind::Function(..)
            | TypeKind::Library(_) => {}
        }
    }

    fn keep_unions(&mut self, id: usize) {
        let of = &self.unit.structs[id];
        if of.union.is_none() || !of.apart.is_empty() {
            return;
        }
        for (index, member) in of.members.iter().enumerate() {
            if !member.ty.is_pointer() {
                self.keep_narrow(&member.ty, self.members[id][index]);
            }
        }
    }

    // Types.

    /// A type whose values are in this class, with these for integers in parts.
    pub(super) fn ty(&mut self, ty: &Type, class: Class, words: &mut Words) -> Type {
        let kind = match &ty.kind {
            TypeKind::Int { bits, .. } => match pieces(bits / 8, self.cuts(class)) {
                Some(sizes) => words.kind(sizes),
                None => ty.kind.clone(),
            },
            TypeKind::Pointer(to) => {
                let inner = self.inner(class);
                TypeKind::Pointer(Box::new(self.ty(to, inner, words)))
            }
            TypeKind::Array(of, count) => {
                let inner = self.inner(class);
                TypeKind::Array(Box::new(self.ty(of, inner, words)), *count)
            }
            TypeKind::Function(result, parameters) => {
                let (returns, classes) = self.signature(class, parameters.len());
                let types = parameters.iter().zip(classes);
                let types = types.map(|(ty, class)| self.ty(ty, class, words)).collect();
                TypeKind::Function(Box::new(self.ty(result, returns, words)), types)
            }
            kind => kind.clone(),
        };
        Type { kind, ..ty.clone() }
    }

    pub(super) fn object(&self, id: usize) -> Class {
        self.objects[id]
    }

    pub(super) fn local(&self, function: usize, id: usize) -> Class {
        self.locals[function][id]
    }

    pub(super) fn member(&self, id: usize, index: usize) -> Class {
        self.members[id][index]
    }

    pub(super) fn result(&self, function: usize) -> Class {
        self.results[function]
    }
}

/// Whether it is an operation on the object that its first argument points to.
pub(super) fn is_atomic(meaning: Meaning) -> bool {
    matches!(
        meaning,
        Meaning::Load(_)
            | Meaning::Store(_)
            | Meaning::Clear(_)
            | Meaning::Exchange(_)
            | Meaning::TestAndSet(_)
            | Meaning::Fetch { .. }
            | Meaning::CompareExchange { .. }
    )
}
