//! Memory whose type is not written where it is allocated (`allocate` says why any type will do).

use super::Lowering;
use super::allocate::Site;
use super::layout::bytes;
use super::value::Value;
use crate::lower::typed::{Type, TypeKind};
use crate::text::Place;

impl Lowering<'_> {
    /// This place, and how it is reached.
    pub(super) fn site(&self, place: Place) -> Site {
        let frames = self.env().map_or(&[][..], |env| &env.frames);
        let calls = frames.iter().map(|frame| frame.called);
        calls.chain([place]).collect()
    }

    /// Whether so many bytes are more than objects of this type need: perhaps those of a structure that begins with one.
    pub(super) fn is_base(&self, element: &Type, size: i64) -> bool {
        matches!(element.kind, TypeKind::Struct(_)) && size > bytes(self.unit, element)
    }

    /// Whether a structure begins with an object of this type.
    fn begins_with(&self, whole: &Type, first: &Type) -> bool {
        let TypeKind::Struct(id) = whole.kind else {
            return false;
        };
        let member = self.unit.structs[id.0].members.first();
        member.is_some_and(|member| {
            member.ty.kind == first.kind || self.begins_with(&member.ty, first)
        })
    }

    /// The best type for a block of so many bytes that is allocated there as this type.
    pub(super) fn type_at(&self, site: &Site, element: &Type, size: Option<i64>) -> Type {
        let own = self.learned.allocated.get(site);
        if !element.is_void() {
            let mut derived = own
                .into_iter()
                .flatten()
                .filter(|ty| size == Some(bytes(self.unit, ty)) && self.begins_with(ty, element));
            return derived.next().unwrap_or(element).clone();
        }
        // Pointers whose value is not known.
        let others = self.learned.allocated.get(&Site::new());
        let exactly = |ty: &&Type| size == Some(bytes(self.unit, ty));
        let fits = |ty: &&Type| size.is_none_or(|size| size >= bytes(self.unit, ty));
        let own = || own.into_iter().flatten();
        let ty = own()
            .find(exactly)
            .or_else(|| own().filter(fits).max_by_key(|ty| bytes(self.unit, ty)))
            .or_else(|| others.into_iter().flatten().find(exactly));
        ty.cloned().unwrap_or_else(byte)
    }

    /// A pointer is converted to one to this type: what it points to may be a block whose type is not known.
    pub(super) fn learn_type(&mut self, pointer: &Value, from: &Type, to: &Type) {
        if to.is_void() || is_byte(to) {
            return;
        }
        let is_function = matches!(to.kind, TypeKind::Function(..));
        if is_function || bytes(self.unit, to) == 0 {
            return;
        }
        let site = match pointer {
            Value::Known(address) => match self.untyped.get(address) {
                Some(site) => site.clone(),
                None => return,
            },
            Value::Unknown(_) if from.is_void() || is_byte(from) => Site::new(),
            Value::Unknown(_) => return,
        };
        // The structures that have grown are numbered anew in each walk.
        let to = Type {
            kind: match to.kind {
                TypeKind::Struct(id) => TypeKind::Struct(self.facts.first_of(id)),
                ref kind => kind.clone(),
            },
            atomic: to.atomic,
            volatile: false,
        };
        self.now.allocated.entry(site).or_default().insert(to);
    }
}

fn byte() -> Type {
    Type {
        kind: TypeKind::Int {
            bits: 8,
            signed: true,
        },
        atomic: false,
        volatile: false,
    }
}

fn is_byte(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Int { bits: 8, .. })
}
