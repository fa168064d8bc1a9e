//! Integers in parts: where they are cut, and the structures that they become.
//!
//! An integer is cut into parts of 1, 2 or 4 bytes, each aligned: at the bytes where another scalar begins or ends that is
//! seen in the same memory, and nowhere else if that is possible.

use super::infer::Classes;
use super::pairs::Pair;
use crate::lower::layout::scalars;
use crate::lower::typed::{Layout, Member, Struct, StructId, Type, TypeKind, Unit};
use crate::text::Place;
use std::collections::BTreeSet;

/// A set of bytes inside an integer at which a part begins: the bit `k` is the byte `k`.
pub(super) type Cuts = u8;

/// An unsigned integer of so many bytes.
pub(super) fn unsigned(bytes: u8) -> Type {
    Type {
        kind: TypeKind::Int {
            bits: 8 * bytes,
            signed: false,
        },
        atomic: false,
        volatile: false,
    }
}

/// The sizes of the aligned parts between these bytes.
pub(super) fn between(from: u64, to: u64) -> Vec<u8> {
    let mut sizes = Vec::new();
    let mut at = from;
    while at < to {
        let mut size = 8;
        while !at.is_multiple_of(size) || at + size > to {
            size /= 2;
        }
        sizes.push(size as u8);
        at += size;
    }
    sizes
}

/// The sizes of the parts of an integer of so many bytes; `None` if it stays whole.
pub(super) fn pieces(bytes: u8, cuts: Cuts) -> Option<Vec<u8>> {
    let is_inside = |at: &u8| cuts & (1 << at) != 0;
    let mut at: Vec<u8> = (1..bytes.min(8)).filter(is_inside).collect();
    if at.is_empty() {
        return None;
    }
    if bytes == 8 && !at.contains(&4) {
        at.push(4);
        at.sort_unstable();
    }
    at.push(bytes);
    let mut sizes = Vec::new();
    let mut from = 0;
    for to in at {
        sizes.extend(between(from.into(), to.into()));
        from = to;
    }
    Some(sizes)
}

/// Whether members of a union that have these types can share parts: they consist of integers without gaps.
pub(crate) fn can_be_cut<'t>(unit: &Unit, members: impl Iterator<Item = &'t Type>) -> bool {
    let mut members = members;
    members.all(|ty| {
        let mut end = 0;
        let all = scalars(unit, ty);
        let is_next = |scalar: &crate::lower::layout::Scalar| {
            let TypeKind::Int { bits, .. } = scalar.ty.kind else {
                return false;
            };
            let size = i64::from(bits) / 8;
            let is_next = scalar.offset == end && scalar.offset % size == 0;
            end += size;
            is_next
        };
        all.iter().all(is_next) && !has_union(unit, ty)
    })
}

fn has_union(unit: &Unit, ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Array(of, _) => has_union(unit, of),
        TypeKind::Struct(id) => {
            let of = &unit.structs[id.0];
            let mut members = of.members.iter();
            of.union.is_some() || members.any(|member| has_union(unit, &member.ty))
        }
        _ => false,
    }
}

/// The structures of integers in parts.
#[derive(Default)]
pub(super) struct Words {
    /// The number of the first one.
    first: usize,
    /// Of each, the sizes of its parts in bytes.
    sizes: Vec<Vec<u8>>,
}

impl Words {
    pub(super) fn after(unit: &Unit) -> Self {
        // Each union that is cut has a structure for its cells.
        let cells = unit.structs.iter().filter(|of| !of.apart.is_empty());
        Self {
            first: unit.structs.len() + cells.count(),
            sizes: Vec::new(),
        }
    }

    /// The kind of an integer with parts of these sizes.
    pub(super) fn kind(&mut self, sizes: Vec<u8>) -> TypeKind {
        let mut known = self.sizes.iter();
        let number = known.position(|known| *known == sizes);
        let number = number.unwrap_or_else(|| {
            self.sizes.push(sizes);
            self.sizes.len() - 1
        });
        TypeKind::Struct(StructId(self.first + number))
    }

    /// The sizes of the parts of an integer, if this type is one in parts.
    pub(super) fn sizes(&self, ty: &Type) -> Option<&[u8]> {
        let TypeKind::Struct(StructId(id)) = ty.kind else {
            return None;
        };
        let number = id.checked_sub(self.first)?;
        self.sizes.get(number).map(Vec::as_slice)
    }

    /// All of these structures.
    pub(super) fn structs(&self, place: Place) -> Vec<Struct> {
        let all = self.sizes.iter();
        all.map(|sizes| structure(sizes, place)).collect()
    }
}

/// The structure of an integer, in the order of its bytes.
fn structure(sizes: &[u8], place: Place) -> Struct {
    let (mut members, mut offsets) = (Vec::new(), Vec::new());
    let mut at = 0;
    for size in sizes {
        members.push(Member {
            name: match (sizes, at) {
                ([4, 4], 0) => "lo".to_owned(),
                ([4, 4], _) => "hi".to_owned(),
                _ => name_of(at, *size),
            },
            ty: unsigned(*size),
        });
        offsets.push(at);
        at += u64::from(*size);
    }
    Struct {
        name: "word".to_owned(),
        members,
        fields: Vec::new(),
        union: None,
        apart: Vec::new(),
        layout: Some(Layout {
            size: at,
            align: at,
            offsets,
        }),
        word: true,
        place,
    }
}

/// What a part without another name is called.
fn name_of(at: u64, size: u8) -> String {
    match size {
        1 => format!("byte{at}"),
        _ => format!("bytes{at}_{}", at + u64::from(size) - 1),
    }
}

/// A scalar of a member of a union.
struct Seen {
    at: u64,
    ty: Type,
    class: usize,
    name: String,
}

impl Seen {
    fn size(&self) -> u64 {
        match self.ty.kind {
            TypeKind::Int { bits, .. } => u64::from(bits) / 8,
            _ => 1,
        }
    }
}

impl Classes<'_> {
    fn seen(&mut self, id: usize) -> Vec<Seen> {
        let of = &self.unit.structs[id];
        let mut found = Vec::new();
        for &index in &of.apart {
            let member = &of.members[index];
            let class = self.member(id, index);
            self.collect(&member.ty, class, (0, &member.name), &mut found);
        }
        found
    }

    fn collect(&mut self, ty: &Type, class: usize, (at, name): (u64, &str), found: &mut Vec<Seen>) {
        match &ty.kind {
            TypeKind::Array(element, count) => {
                let inner = self.inner(class);
                let size = self.unit.layout(element).map_or(0, |(size, _)| size);
                for index in 0..u64::from(*count) {
                    let name = format!("{name}{index}");
                    self.collect(element, inner, (at + index * size, &name), found);
                }
            }
            TypeKind::Struct(id) => {
                let unit = self.unit;
                let of = &unit.structs[id.0];
                let offsets = of.layout.iter().flat_map(|layout| &layout.offsets);
                for (index, (member, offset)) in of.members.iter().zip(offsets).enumerate() {
                    let class = self.member(id.0, index);
                    self.collect(&member.ty, class, (at + offset, &member.name), found);
                }
            }
            _ => found.push(Seen {
                at,
                ty: ty.clone(),
                class,
                name: name.to_owned(),
            }),
        }
    }

    /// Where the parts of a union begin and end.
    fn bounds(&self, seen: &[Seen]) -> Vec<u64> {
        let mut bounds = BTreeSet::new();
        for scalar in seen {
            let size = scalar.size();
            bounds.extend([scalar.at, scalar.at + size]);
            let cuts = self.cuts(scalar.class);
            let inside = (1..size).filter(|at| cuts & (1 << at) != 0);
            bounds.extend(inside.map(|at| scalar.at + at));
        }
        for scalar in seen.iter().filter(|scalar| scalar.size() == 8) {
            let inside = scalar.at + 1..scalar.at + 8;
            if bounds.range(inside).next().is_some() {
                bounds.insert(scalar.at + 4);
            }
        }
        let bounds: Vec<u64> = bounds.into_iter().collect();
        let mut all = bounds.get(..1).unwrap_or_default().to_vec();
        for pair in bounds.windows(2) {
            let mut at = pair[0];
            for size in between(pair[0], pair[1]) {
                at += u64::from(size);
                all.push(at);
            }
        }
        all
    }

    /// Cuts the integers in a union where its parts begin.
    pub(super) fn cut_union(&mut self, id: usize) {
        let seen = self.seen(id);
        let bounds = self.bounds(&seen);
        for scalar in &seen {
            let inside = bounds.iter().filter(|bound| **bound > scalar.at);
            for bound in inside.take_while(|bound| **bound < scalar.at + scalar.size()) {
                self.cut(scalar.class, 1 << (bound - scalar.at));
            }
        }
    }

    /// The structure of the cells of a union.
    pub(super) fn cells_of(&mut self, id: usize, place: Place) -> Struct {
        let seen = self.seen(id);
        let bounds = self.bounds(&seen);
        let (mut members, mut offsets) = (Vec::new(), Vec::new());
        let mut names = BTreeSet::new();
        for pair in bounds.windows(2) {
            let (at, size) = (pair[0], (pair[1] - pair[0]) as u8);
            let mut own = seen
                .iter()
                .filter(|scalar| (scalar.at, scalar.size()) == (at, size.into()));
            let exact = own.next();
            let is_shared = seen.iter().any(|scalar| {
                scalar.at < pair[1] && at < scalar.at + scalar.size() && scalar.size() > size.into()
            });
            let name = exact.map(|scalar| scalar.name.clone());
            let name = name.filter(|name| !name.is_empty() && !names.contains(name));
            let name = name.unwrap_or_else(|| name_of(at, size));
            names.insert(name.clone());
            let ty = exact.filter(|_| !is_shared).map(|scalar| scalar.ty.clone());
            members.push(Member {
                name,
                ty: ty.unwrap_or_else(|| unsigned(size)),
            });
            offsets.push(at);
        }
        let of = &self.unit.structs[id];
        let (size, align) = of.layout.as_ref().map_or((0, 1), |of| (of.size, of.align));
        Struct {
            name: String::new(),
            members,
            fields: Vec::new(),
            union: None,
            apart: Vec::new(),
            layout: Some(Layout {
                size,
                align,
                offsets,
            }),
            word: false,
            place,
        }
    }
}

/// What a part contributes: the half that it is in, and its distance from the lower end of that in bits.
pub(super) fn in_half(at: u64) -> (usize, u32) {
    ((at / 4) as usize, 8 * (at % 4) as u32)
}

/// A half by its number.
pub(super) fn half_of(pair: &Pair, number: usize) -> &crate::lower::typed::Expr {
    if number == 0 { &pair.low } else { &pair.high }
}
