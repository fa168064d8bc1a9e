//! Structures, unions and enumerations.

use super::Parser;
use super::attributes::Attributes;
use super::bitfield::Run;
use super::declarator::{Declarator, Declares};
use super::specifiers::Specifiers;
use crate::c::check::{Checked, INT, Symbol, Tag, UNSIGNED, qualified};
use crate::lower::typed::{
    BitField, Layout, LibraryType, Member, Struct, StructId, Type, TypeKind,
};
use crate::text::Place;

/// The members of a structure or union while they are parsed, with their offsets.
#[derive(Default)]
pub(super) struct Members {
    pub(super) is_union: bool,
    pub(super) list: Vec<Member>,
    pub(super) offsets: Vec<u64>,
    /// The bit-fields of runs that have ended.
    pub(super) fields: Vec<BitField>,
    /// Adjacent bit-fields at the end.
    pub(super) run: Option<Run>,
    pub(super) size: u64,
    pub(super) align: u64,
    /// `packed`: members follow each other without gaps, unless they ask for an alignment.
    pub(super) packed: Option<Place>,
    /// Whether the last one is an array of length 0, to which an initialiser gives no elements.
    empty: bool,
}

impl Members {
    /// Makes room for a member, with the alignment that its declaration asks for; its offset. Bit-fields before it
    /// end there.
    fn place(&mut self, (size, align): (u64, u64), aligned: u64) -> u64 {
        let align = if self.packed.is_some() { 1 } else { align };
        let align = align.max(aligned).max(1);
        let offset = if self.is_union {
            0
        } else {
            self.size.next_multiple_of(align)
        };
        self.end_run(offset);
        self.size = self.size.max(offset.saturating_add(size));
        self.align = self.align.max(align);
        offset
    }
}

impl Parser<'_> {
    /// `struct tag`, `struct tag { … }` or `struct { … }`, and the same of unions.
    pub(super) fn structure(&mut self) -> Checked<Type> {
        let start = self.at;
        let is_union = self.is_word("union");
        self.at += 1;
        let before = self.size_attributes()?;
        let tag = self.tag();
        let mut attributes = before.and(self.size_attributes()?);
        let place = self.since(start);
        if !self.is("{") {
            let Some(tag) = tag else {
                return Err(self.unexpected("a name or `{`"));
            };
            return self.structure_named(&tag, is_union, place);
        }
        let known = tag
            .as_ref()
            .and_then(|tag| self.check.scope().tags.get(tag).cloned());
        let shared = |id: StructId| self.check.link.shared.contains(&id);
        let id = match known {
            Some(Tag::Struct(id))
                if self.check.unit.structs[id.0].layout.is_none() || shared(id) =>
            {
                id
            }
            Some(_) => {
                let word = if is_union { "union" } else { "struct" };
                let tag = tag.unwrap_or_default();
                let message = format!("`{word} {tag}` is defined twice");
                return Err(self.check.certain(message, place));
            }
            None => self.new_structure(tag.as_deref(), is_union, place),
        };
        self.same_kind(id, is_union, place)?;
        let closed = self.brackets.other(self.at);
        let packed = closed.and_then(|closed| self.is_packed_after(closed));
        let members = Members {
            is_union,
            packed: attributes.packed.or(packed),
            ..Members::default()
        };
        let mut members = self.members(id, members)?;
        if members.empty {
            self.check.empty_tails.insert(id);
        }
        attributes = attributes.and(self.size_attributes()?);
        let align = members.align.max(attributes.align).max(1);
        let size = members.size.next_multiple_of(align);
        members.end_run(size);
        if self.check.unit.structs[id.0].layout.is_some() {
            let new = Struct {
                name: String::new(),
                members: members.list,
                fields: members.fields,
                union: None,
                layout: None,
                apart: Vec::new(),
                word: false,
                place,
            };
            self.check.agree(&tag.unwrap_or_default(), id, &new);
            return Ok(struct_type(id));
        }
        self.check.unit.structs[id.0].place = place;
        self.check.link.shared.remove(&id);
        self.check.unit.structs[id.0].members = members.list;
        self.check.unit.structs[id.0].fields = members.fields;
        self.check.unit.structs[id.0].layout = Some(Layout {
            size,
            align,
            offsets: members.offsets,
        });
        Ok(struct_type(id))
    }

    fn tag(&mut self) -> Option<String> {
        let word = self.word()?;
        self.at += 1;
        Some(word.to_owned())
    }

    /// A tag means a structure or a union, as it did before.
    fn same_kind(&mut self, id: StructId, is_union: bool, place: Place) -> Checked<()> {
        let known = &self.check.unit.structs[id.0];
        if known.union.is_some() == is_union {
            return Ok(());
        }
        let message = format!("`{}` is a {}", known.name, word(!is_union));
        Err(self.check.certain(message, place))
    }

    fn new_structure(&mut self, tag: Option<&str>, is_union: bool, place: Place) -> StructId {
        if let Some(tag) = tag
            && let Some(id) = self.check.shared_tag(tag, is_union)
        {
            self.check
                .scope()
                .tags
                .insert(tag.to_owned(), Tag::Struct(id));
            return id;
        }
        let id = StructId(self.check.unit.structs.len());
        self.check.unit.structs.push(Struct {
            name: tag.unwrap_or_default().to_owned(),
            members: Vec::new(),
            fields: Vec::new(),
            union: is_union.then_some(0),
            layout: None,
            apart: Vec::new(),
            word: false,
            place,
        });
        if let Some(tag) = tag {
            self.check
                .scope()
                .tags
                .insert(tag.to_owned(), Tag::Struct(id));
        }
        id
    }

    fn structure_named(&mut self, tag: &str, is_union: bool, place: Place) -> Checked<Type> {
        match self.check.lookup_tag(tag) {
            Some(Tag::Struct(id)) => {
                let id = *id;
                self.same_kind(id, is_union, place)?;
                return Ok(struct_type(id));
            }
            Some(Tag::Enum(_)) => {
                let message = format!("`{tag}` is an enumeration");
                return Err(self.check.error(message, place));
            }
            None => {}
        }
        let library = match tag {
            "mutex" => LibraryType::Mutex,
            "timespec" | "timeval" | "sched_param" | "timezone" => LibraryType::Ignored,
            _ => return Ok(struct_type(self.new_structure(Some(tag), is_union, place))),
        };
        Ok(Type {
            kind: TypeKind::Library(library),
            ..crate::c::check::VOID
        })
    }

    fn members(&mut self, id: StructId, mut members: Members) -> Checked<Members> {
        let closed = self.brackets.other(self.at);
        self.expect("{")?;
        while !self.is("}") && self.kind().is_some() {
            let start = self.at;
            if self.member_declaration(&mut members).is_err() {
                self.check.broken.insert(id);
                self.recover(start);
                if self.at == start {
                    self.at += 1;
                }
            }
            if closed.is_some_and(|closed| self.at > closed) {
                break;
            }
        }
        if closed.is_none_or(|closed| self.at <= closed) {
            self.expect("}")?;
        }
        Ok(members)
    }

    fn member_declaration(&mut self, members: &mut Members) -> Checked<()> {
        if self.eat(";") {
            return Ok(());
        }
        if self.static_assertion()? {
            return Ok(());
        }
        let specifiers = self.specifiers()?;
        if self.is(";") {
            self.at += 1;
            return self.anonymous(&specifiers, members);
        }
        loop {
            if self.is(":") {
                self.bit_field(members, None, &specifiers.ty, &specifiers.attributes)?;
                if !self.eat(",") {
                    break;
                }
                continue;
            }
            let declarator =
                self.declarator(&specifiers.ty, specifiers.constant, Declares::Name)?;
            let end = self.at;
            let attributes = specifiers.attributes.and(self.size_attributes()?);
            if self.is(":") {
                let named = Some((declarator.name, declarator.place));
                self.bit_field(members, named, &declarator.ty, &attributes)?;
                if !self.eat(",") {
                    break;
                }
                continue;
            }
            if let Some(before) = members.list.last()
                && !members.is_union
                && matches!(before.ty.kind, TypeKind::Array(_, 0))
            {
                let message = format!("`{}` is no last member, and has no length", before.name);
                return Err(self.check.error(message, declarator.place));
            }
            if let TypeKind::Array(element, 0) = &declarator.ty.kind {
                let element = (**element).clone();
                // `T x[0]`, and not `T x[]`.
                members.empty |= self
                    .brackets
                    .other(end - 1)
                    .is_none_or(|open| open + 2 < end);
                self.flexible(members, declarator, &element, &attributes)?;
                break;
            }
            if self.check.is_flexible(&declarator.ty) {
                let message = "a member cannot end with an array without a length";
                let note = "give the array in it its largest length, or make this a pointer";
                return Err(self.check.error_with(message, declarator.place, note));
            }
            if declarator.ty.is_void() {
                let message = "a member cannot have type `void`";
                return Err(self.check.error(message, declarator.place));
            }
            self.check.size(&declarator.ty, declarator.place)?;
            let (size, align) = self.check.layout(&declarator.ty).unwrap_or((0, 1));
            let packed = attributes.packed.or(members.packed).is_some();
            let least = if packed { 1 } else { align };
            let offset = members.place((size, least), attributes.align);
            if !offset.is_multiple_of(align) {
                let message = format!(
                    "`{}` is not aligned: accesses to it are not atomic on every processor, and they \
                     are here",
                    declarator.name
                );
                self.check.warn(message, declarator.place);
            }
            self.add_member(
                members,
                declarator.name,
                declarator.ty,
                offset,
                declarator.place,
            )?;
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(())
    }

    /// A last member `T x[]`, or `T x[0]`: it begins where elements would, and has none.
    fn flexible(
        &mut self,
        members: &mut Members,
        declarator: Declarator,
        element: &Type,
        attributes: &Attributes,
    ) -> Checked<()> {
        if members.is_union {
            let message = "an array in a union needs a length";
            return Err(self.check.error(message, declarator.place));
        }
        self.check.size(element, declarator.place)?;
        let align = self.check.layout(element).map_or(1, |(_, align)| align);
        let offset = members.place((0, align), attributes.align);
        self.add_member(
            members,
            declarator.name,
            declarator.ty,
            offset,
            declarator.place,
        )?;
        if self.is(",") {
            return Err(self.unexpected("`;`"));
        }
        Ok(())
    }

    fn add_member(
        &mut self,
        members: &mut Members,
        name: String,
        ty: Type,
        offset: u64,
        place: Place,
    ) -> Checked<()> {
        if members.has(&name) {
            let message = format!("there are two members `{name}`");
            return Err(self.check.error(message, place));
        }
        members.list.push(Member { name, ty });
        members.offsets.push(offset);
        Ok(())
    }

    /// Adds the members of an anonymous structure to those of the one around it. Of an anonymous union, and
    /// of a structure in one, it is a member without a name.
    fn anonymous(&mut self, specifiers: &Specifiers, members: &mut Members) -> Checked<()> {
        let (ty, place) = (&specifiers.ty, specifiers.place);
        let TypeKind::Struct(id) = ty.kind else {
            // `enum { A, B };` among the members declares its constants.
            return Ok(());
        };
        let inner = self.check.unit.structs[id.0].clone();
        if !inner.name.is_empty() {
            return Ok(());
        }
        let Some(layout) = inner.layout.clone() else {
            return Ok(());
        };
        if self.check.broken.contains(&id) {
            return Err(self.check.again());
        }
        let align = specifiers.attributes.align;
        let start = members.place((layout.size, layout.align), align);
        if inner.union.is_some() || members.is_union {
            return self.add_member(members, String::new(), ty.clone(), start, place);
        }
        let first = members.list.len();
        for mut field in inner.fields.clone() {
            if members.has(&field.name) {
                let message = format!("there are two members `{}`", field.name);
                return Err(self.check.error(message, place));
            }
            field.member = field.member.map(|member| first + member);
            field.before += first;
            field.ty = qualified(field.ty, false, ty.volatile);
            members.fields.push(field);
        }
        for (index, (member, offset)) in inner.members.into_iter().zip(layout.offsets).enumerate() {
            let member_ty = qualified(member.ty, false, ty.volatile);
            let mut fields = inner.fields.iter();
            if fields.any(|field| field.member == Some(index)) {
                members.list.push(Member {
                    name: member.name,
                    ty: member_ty,
                });
                members.offsets.push(start + offset);
            } else {
                self.add_member(members, member.name, member_ty, start + offset, place)?;
            }
        }
        Ok(())
    }

    /// `enum tag { A, B = 3 }`. As compilers have it, the type is unsigned unless a constant is
    /// negative; the constants themselves are `int`.
    pub(super) fn enumeration(&mut self) -> Checked<Type> {
        let start = self.at;
        self.at += 1;
        self.attributes()?;
        let tag = self.tag();
        self.attributes()?;
        if !self.is("{") {
            let Some(tag) = tag else {
                return Err(self.unexpected("a name or `{`"));
            };
            return match self.check.lookup_tag(&tag) {
                Some(Tag::Enum(ty)) => Ok(ty.clone()),
                Some(Tag::Struct(_)) | None => {
                    let message = format!("`enum {tag}` is not defined");
                    Err(self.check.error(message, self.since(start)))
                }
            };
        }
        self.at += 1;
        let mut next = 0_i64;
        let mut negative = false;
        while !self.is("}") {
            let place = self.place();
            let Some(name) = self.word() else {
                return Err(self.unexpected("a name"));
            };
            self.at += 1;
            self.attributes()?;
            if self.eat("=") {
                let value = self.full_assignment()?;
                let value = self.check.value(value)?;
                next = self
                    .check
                    .constant(&value, "a constant of an enumeration")?;
            }
            if i32::try_from(next).is_err() {
                let message = format!("`{name}` is {next}, which is no `int`");
                return Err(self.check.error(message, place));
            }
            negative |= next < 0;
            self.check
                .introduce(name, Symbol::Enumerator(next), place)?;
            next += 1;
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")?;
        self.attributes()?;
        let ty = if negative { INT } else { UNSIGNED };
        if let Some(tag) = tag {
            if self.check.scope().tags.contains_key(&tag) {
                let message = format!("`enum {tag}` is defined twice");
                return Err(self.check.certain(message, self.since(start)));
            }
            self.check.scope().tags.insert(tag, Tag::Enum(ty.clone()));
        }
        Ok(ty)
    }
}

fn word(is_union: bool) -> &'static str {
    if is_union { "union" } else { "structure" }
}

fn struct_type(id: StructId) -> Type {
    Type {
        kind: TypeKind::Struct(id),
        ..crate::c::check::VOID
    }
}
