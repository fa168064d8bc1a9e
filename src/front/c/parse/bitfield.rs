//! Bit-fields: where they are, as gcc and clang have it on x86-64, and which of them share a scalar.
//!
//!   struct { unsigned a : 3, b : 7; char c; }   a: bits 0 to 2, b: bits 3 to 9 of a scalar of 2 bytes; c: byte 2
//!
//! A bit-field begins where the one before it ends, or where the next unit of its type begins if it would not fit
//! into the unit that this is in (System V ABI, 3.1.2). Those whose units overlap are parts of one scalar: the unit,
//! or the bytes that they need where other members are in the rest of it.

use super::Parser;
use super::attributes::Attributes;
use super::structure::Members;
use crate::c::check::Checked;
use crate::lower::typed::{BitField, Bits, Member, Type, TypeKind};
use crate::text::Place;
use std::ops::Range;

/// Adjacent bit-fields.
#[derive(Default)]
pub(super) struct Run {
    /// The first byte that no member before them has.
    start: u64,
    /// The bit after the last one, from the beginning of the structure.
    end: u64,
    fields: Vec<Declared>,
}

struct Declared {
    /// Empty if it is only there to take room.
    name: String,
    ty: Type,
    /// From the beginning of the structure.
    bits: Range<u64>,
    /// The bytes of the unit of its type that it is in.
    unit: Range<u64>,
}

/// Bit-fields that share a scalar.
struct Group {
    fields: Vec<Declared>,
    bytes: Range<u64>,
}

impl Group {
    fn of(field: Declared, bytes: Range<u64>) -> Self {
        let fields = vec![field];
        Self { fields, bytes }
    }

    /// Whether all bytes are those of one scalar inside these limits.
    fn is_scalar(&self, limits: &Range<u64>) -> bool {
        let size = self.bytes.end - self.bytes.start;
        matches!(size, 1 | 2 | 4)
            && self.bytes.start.is_multiple_of(size)
            && limits.start <= self.bytes.start
            && self.bytes.end <= limits.end
    }

    /// The bytes of the smallest scalar that contains these.
    fn widened(&self) -> Option<Range<u64>> {
        [1, 2, 4].into_iter().find_map(|size| {
            let start = self.bytes.start / size * size;
            (self.bytes.end <= start + size).then_some(start..start + size)
        })
    }
}

/// Adds a group after others: those whose bytes overlap are one.
fn add(groups: &mut Vec<Group>, mut group: Group) {
    while let Some(last) = groups.pop_if(|last| group.bytes.start < last.bytes.end) {
        let start = last.bytes.start.min(group.bytes.start);
        let end = last.bytes.end.max(group.bytes.end);
        let mut fields = last.fields;
        fields.append(&mut group.fields);
        let bytes = start..end;
        group = Group { fields, bytes };
    }
    groups.push(group);
}

/// Groups whose bytes are those of scalars, as far as there are such.
fn widened(groups: Vec<Group>) -> Vec<Group> {
    let count = groups.len();
    let mut wide = Vec::new();
    for mut group in groups {
        if let Some(bytes) = group.widened() {
            group.bytes = bytes;
        }
        add(&mut wide, group);
    }
    if wide.len() < count {
        return widened(wide);
    }
    wide
}

impl Run {
    /// The bit-fields by the scalars that they share; none is that of a group that does not fit into one.
    fn groups(self, limits: &Range<u64>) -> Vec<(Group, bool)> {
        let mut by_unit = Vec::new();
        for field in self.fields {
            let unit = field.unit.clone();
            add(&mut by_unit, Group::of(field, unit));
        }
        let mut found = Vec::new();
        for group in by_unit {
            if group.is_scalar(limits) {
                found.push((group, true));
                continue;
            }
            let mut by_bytes = Vec::new();
            for field in group.fields {
                let bytes = field.bits.start / 8..field.bits.end.div_ceil(8);
                add(&mut by_bytes, Group::of(field, bytes));
            }
            let by_bytes = widened(by_bytes);
            found.extend(by_bytes.into_iter().map(|group| {
                let fits = group.is_scalar(limits);
                (group, fits)
            }));
        }
        found
    }
}

impl Members {
    /// Whether there is a member or a bit-field of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        let running = self.run.iter().flat_map(|run| &run.fields);
        !name.is_empty()
            && (self.list.iter().any(|member| member.name == name)
                || self.fields.iter().any(|field| field.name == name)
                || running.map(|field| &field.name).any(|known| known == name))
    }

    /// The next member, or the structure, begins or ends at this byte: bit-fields before it are complete.
    pub(super) fn end_run(&mut self, at: u64) {
        let Some(run) = self.run.take() else {
            return;
        };
        let limits = run.start..if self.is_union { self.size.max(at) } else { at };
        let groups = run.groups(&limits);
        let fitting = groups.iter().filter(|(_, fits)| *fits).count();
        let mut earlier = 0;
        for (group, fits) in groups {
            let before = self.list.len();
            let member = fits.then_some(before);
            let named = group.fields.iter().filter(|field| !field.name.is_empty());
            let all = named.clone().map(|field| mask(field, &group.bytes));
            let all = all.fold(0, |all, one| all | one);
            for field in &group.fields {
                let own = mask(field, &group.bytes);
                let bits = Bits {
                    shift: own.trailing_zeros() as u8,
                    width: (field.bits.end - field.bits.start) as u8,
                    others: all & !own,
                    beside: (earlier, (fitting as u8).saturating_sub(earlier + 1)),
                };
                let (name, ty) = (field.name.clone(), field.ty.clone());
                self.fields.push(BitField {
                    name,
                    ty,
                    member,
                    before,
                    bits,
                });
            }
            if fits {
                earlier += 1;
                let size = group.bytes.end - group.bytes.start;
                let kind = TypeKind::Int {
                    bits: (size * 8) as u8,
                    signed: false,
                };
                let volatile = group.fields.iter().any(|field| field.ty.volatile);
                let names: Vec<&str> = named.map(|field| &*field.name).collect();
                self.list.push(Member {
                    name: names.join("|"),
                    ty: Type {
                        kind,
                        atomic: false,
                        volatile,
                    },
                });
                self.offsets.push(group.bytes.start);
            }
        }
    }
}

/// The bits of a bit-field in the scalar that consists of these bytes, or no bits if it is not inside of 32.
fn mask(field: &Declared, bytes: &Range<u64>) -> u32 {
    let width = field.bits.end - field.bits.start;
    let shift = field.bits.start - bytes.start * 8;
    if shift + width > 32 {
        return 0;
    }
    u32::MAX >> (32 - width) << shift
}

impl Parser<'_> {
    /// `: width` after the name of a bit-field, or after nothing.
    pub(super) fn bit_field(
        &mut self,
        members: &mut Members,
        named: Option<(String, Place)>,
        ty: &Type,
        attributes: &Attributes,
    ) -> Checked<()> {
        self.expect(":")?;
        let place = named.as_ref().map_or(self.place(), |(_, place)| *place);
        let width = self.conditional_constant("the width of a bit-field")?;
        let attributes = attributes.and(self.size_attributes()?);
        let bits = if ty.kind == TypeKind::Bool {
            Some(1)
        } else {
            ty.width().map(|(bits, _)| bits)
        };
        let Some(most) = bits
            .filter(|_| ty.is_integer() && !ty.atomic)
            .map(i64::from)
        else {
            let message = format!("a bit-field cannot have type `{}`", self.check.show(ty));
            return Err(self.check.error(message, place));
        };
        let least = i64::from(named.is_some());
        if !(least..=most).contains(&width) {
            let message = format!("a bit-field of this type has {least} to {most} bits");
            return Err(self.check.error(message, place));
        }
        let width = width as u64;
        let (size, _) = self.check.layout(ty).unwrap_or((1, 1));
        let is_packed = attributes.packed.or(members.packed).is_some();
        let is_union = members.is_union;
        if is_union {
            let size = members.size;
            members.end_run(size);
        }
        let start = if is_union { 0 } else { members.size };
        let run = members.run.get_or_insert_with(|| Run {
            start,
            end: start * 8,
            fields: Vec::new(),
        });
        let mut at = run.end;
        let crosses = at / (size * 8) != (at + width.max(1) - 1) / (size * 8);
        if width == 0 || crosses && !is_packed {
            at = at.next_multiple_of(size * 8);
        }
        if attributes.align > 0 {
            at = at.next_multiple_of(attributes.align * 8);
        }
        run.end = at + width;
        members.size = members.size.max(run.end.div_ceil(8));
        if width == 0 {
            return Ok(());
        }
        let name = named.map(|(name, _)| name).unwrap_or_default();
        if !name.is_empty() {
            let align = if is_packed { 1 } else { size };
            members.align = members.align.max(align).max(attributes.align);
        }
        if members.has(&name) {
            let message = format!("there are two members `{name}`");
            return Err(self.check.error(message, place));
        }
        let bits = at..at + width;
        let unit = if is_packed {
            bits.start / 8..bits.end.div_ceil(8)
        } else {
            let first = bits.start / (size * 8) * size;
            first..first + size
        };
        if let Some(run) = &mut members.run {
            let ty = ty.clone();
            run.fields.push(Declared {
                name,
                ty,
                bits,
                unit,
            });
        }
        Ok(())
    }

    fn conditional_constant(&mut self, what: &str) -> Checked<i64> {
        let value = self.full_assignment()?;
        let value = self.check.value(value)?;
        self.check.constant(&value, what)
    }
}
