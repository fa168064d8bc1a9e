//! Integers in parts as values: the halves that the parts are, and the parts of halves.

use super::cut::{half_of, in_half, unsigned};
use super::pairs::{HALF, Pair, part_in, with_part};
use super::rewrite::Rewriter;
use crate::lower::typed::{
    Expr, ExprKind, Initialised, LocalId, Lvalue, LvalueKind, Path, Step, StmtKind, Type,
};

impl Rewriter<'_> {
    /// The halves of the value of an expression whose type is an integer in parts.
    pub(super) fn halves_of(&mut self, e: Expr) -> Pair {
        let known = match &e.kind {
            ExprKind::Load(from) => match &from.kind {
                LvalueKind::Local(LocalId(id)) if *id >= self.first => Some((**from).clone()),
                _ => None,
            },
            _ => None,
        };
        let from = match known {
            Some(from) => from,
            None => self.kept(e),
        };
        self.halves_in(&from)
    }

    /// The halves of what is in a variable whose type is an integer in parts.
    pub(super) fn halves_in(&mut self, from: &Lvalue) -> Pair {
        let sizes = self.words.sizes(&from.ty).unwrap_or_default().to_vec();
        let mut pair = Pair::constant(0, from.place);
        let mut at = 0;
        for (index, size) in sizes.into_iter().enumerate() {
            let part = member(from, index, size);
            let ty = part.ty.clone();
            let (number, by) = in_half(at);
            let half = if number == 0 {
                &mut pair.low
            } else {
                &mut pair.high
            };
            *half = with_part(half, load(part, ty), by);
            at += u64::from(size);
        }
        let Pair { low, high } = pair;
        let [low, high] = [low, high].map(|half| self.atom(half));
        Pair { low, high }
    }

    /// A half that can be used several times.
    fn atom(&mut self, half: Expr) -> Expr {
        match &half.kind {
            ExprKind::Const(_) | ExprKind::Load(_) => half,
            _ => load(self.kept(half), HALF),
        }
    }

    /// Halves as a value whose type is this integer in parts.
    pub(super) fn joined(&mut self, pair: &Pair, ty: &Type) -> Expr {
        let ty = Type {
            atomic: false,
            volatile: false,
            ..ty.clone()
        };
        let sizes = self.words.sizes(&ty).unwrap_or_default().to_vec();
        if sizes == [4, 4]
            && let (Some((a, 0)), Some((b, 1))) = (half_from(&pair.low), half_from(&pair.high))
            && a == b
        {
            return load(self.local(a, ty.clone()), ty);
        }
        let parts = parts(pair, &sizes).into_iter().enumerate();
        let init = parts.map(|(index, part)| part_of(&Vec::new(), index, part));
        let init = init.collect();
        let local = self.variable(ty.clone(), true);
        self.push(StmtKind::Declare(local, init, Initialised::Yes));
        load(self.local(local, ty.clone()), ty)
    }
}

/// The parts of a number.
pub(super) fn parts(pair: &Pair, sizes: &[u8]) -> Vec<Expr> {
    let mut parts = Vec::new();
    let mut at = 0;
    for size in sizes {
        let (number, by) = in_half(at);
        parts.push(part_in(half_of(pair, number), by, *size));
        at += u64::from(*size);
    }
    parts
}

/// The initial value of a part of what is at the end of a path.
pub(super) fn part_of(path: &Path, index: usize, e: Expr) -> (Path, Expr) {
    let mut path = path.clone();
    path.push(Step::Member(index));
    (path, e)
}

/// A part of so many bytes of an integer in parts.
pub(super) fn member(of: &Lvalue, index: usize, bytes: u8) -> Lvalue {
    Lvalue {
        kind: LvalueKind::Member(Box::new(of.clone()), index),
        ty: unsigned(bytes),
        place: of.place,
    }
}

pub(super) fn load(from: Lvalue, ty: Type) -> Expr {
    let place = from.place;
    let kind = ExprKind::Load(Box::new(from));
    Expr { kind, ty, place }
}

/// The variable that an expression loads a half of, and which.
pub(super) fn half_from(e: &Expr) -> Option<(LocalId, usize)> {
    let ExprKind::Load(from) = &e.kind else {
        return None;
    };
    match &from.kind {
        LvalueKind::Member(of, index) => match of.kind {
            LvalueKind::Local(local) => Some((local, *index)),
            _ => None,
        },
        _ => None,
    }
}
