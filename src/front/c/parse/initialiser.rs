//! Initialisers: values, lists with and without designators, lists with inner braces left out.

mod designator;

use super::Parser;
use crate::c::MUTEX_KIND;
use crate::c::check::{Checked, INT, Operand, UNSIGNED, Wanted, cast, expr, folded};
use crate::c::token::TokenKind;
use crate::lower::typed::{
    BinaryOp, Bits, Expr, ExprKind, LibraryType, Part, Path, Step, Type, TypeKind,
};
use crate::text::Place;

/// What an object holds initially.
#[derive(Clone, Debug)]
pub(super) enum Initial {
    /// These scalars; the others are 0.
    Scalars(Vec<(Path, Expr)>),
    /// The value of a structure.
    Whole(Expr),
}

/// The scalars of one initialiser.
struct List {
    scalars: Vec<(Path, Expr)>,
    /// Whether the object has static storage duration: its values must be constant.
    lasting: bool,
    /// Whether there were designators, so that a scalar may be given twice.
    designated: bool,
    /// If what comes next is a bit-field: its bits, and the type of the scalar that they are a part of.
    bits: Option<(Bits, Option<Type>)>,
}

impl List {
    fn push(&mut self, path: &[Step], value: Expr) {
        if self.designated {
            self.scalars.retain(|(before, _)| !before.starts_with(path));
        }
        self.scalars.push((path.to_vec(), value));
    }

    /// A value for the member of a union that this path leads to comes: the members share their memory, and the last
    /// one counts.
    fn enters_union(&mut self, member: &[Step]) {
        let Some((_, of)) = member.split_last() else {
            return;
        };
        let is_same = |before: &Path| before.starts_with(member);
        let is_other = |before: &Path| before.starts_with(of);
        self.scalars
            .retain(|(before, _)| is_same(before) || !is_other(before));
    }

    /// A value for some bits of a scalar.
    fn push_bits(&mut self, path: &[Step], (unit, bits): (&Type, Bits), value: Expr) {
        let before = self.scalars.iter().position(|(known, _)| known == path);
        let before = before.map(|index| self.scalars.remove(index).1);
        let whole = with_bits(before, unit, bits, value);
        self.scalars.push((path.to_vec(), whole));
    }
}

impl Parser<'_> {
    /// The initialiser of an object, after `=`. An array without a length gets one.
    pub(super) fn initialiser(&mut self, ty: &mut Type, lasting: bool) -> Checked<Initial> {
        let mut list = List {
            scalars: Vec::new(),
            lasting,
            designated: false,
            bits: None,
        };
        self.skip_compound_type(ty)?;
        if self.is("{") {
            self.deeper(|parser| parser.braced(ty, &mut Vec::new(), &mut list))?;
            return Ok(Initial::Scalars(list.scalars));
        }
        if let TypeKind::Array(element, length) = &mut ty.kind {
            if let (Some(TokenKind::String(text)), true) = (self.kind(), is_char(element)) {
                let place = self.place();
                self.at += 1;
                self.characters(text, length, &mut list, place)?;
                return Ok(Initial::Scalars(list.scalars));
            }
            let message = "an array is initialised by a list";
            return Err(self
                .check
                .error_with(message, self.place(), "write `{ … }`"));
        }
        let value = self.full_assignment()?;
        let value = self.check.value(value)?;
        if ty.is_scalar() {
            let value = self.scalar(value, ty, &list)?;
            return Ok(Initial::Scalars(vec![(Vec::new(), value)]));
        }
        if let TypeKind::Library(library) = ty.kind
            && library != LibraryType::Thread
            && value.ty.is_integer()
        {
            // `PTHREAD_ONCE_INIT` and the like: library objects begin in their one initial state.
            self.check
                .constant(&value, "the initialiser of a library type")?;
            return Ok(Initial::Scalars(Vec::new()));
        }
        let value = self.check.converted(value, ty, Wanted::Initial)?;
        Ok(Initial::Whole(value))
    }

    /// The initialiser of an array, after `=`, where it is that of each of its elements.
    pub(super) fn initialiser_of_each(&mut self, ty: &mut Type) -> Checked<Initial> {
        let TypeKind::Array(element, count) = &ty.kind else {
            return self.initialiser(ty, true);
        };
        let start = self.at;
        let mut all = Vec::new();
        for index in 0..*count {
            self.at = start;
            match self.initialiser(&mut element.as_ref().clone(), true)? {
                Initial::Scalars(scalars) => {
                    let at = |path| [Step::Element(index)].into_iter().chain(path).collect();
                    let scalars = scalars.into_iter();
                    all.extend(scalars.map(|(path, value)| (at(path), value)));
                }
                whole @ Initial::Whole(_) => return Ok(whole),
            }
        }
        Ok(Initial::Scalars(all))
    }

    /// What a header of the system makes of the initialiser of a mutex names the kinds that are not
    /// supported.
    fn ordinary(&mut self, open: usize) -> Checked<()> {
        let closed = self.brackets.other(open).unwrap_or(open);
        let kind = self.tokens[open..closed]
            .iter()
            .find_map(|token| match &token.kind {
                TokenKind::Word(word) => match word.as_str() {
                    "PTHREAD_MUTEX_RECURSIVE_NP" => Some((token.place, "recursive")),
                    "PTHREAD_MUTEX_ERRORCHECK_NP" => Some((token.place, "error-checking")),
                    // The text is read again then.
                    word if word == MUTEX_KIND => Some((token.place, MUTEX_KIND)),
                    _ => None,
                },
                TokenKind::Number(_)
                | TokenKind::Char(_)
                | TokenKind::String(_)
                | TokenKind::Punct(_) => None,
            });
        let Some((place, kind)) = kind else {
            return Ok(());
        };
        let message = format!("{kind} mutexes are not supported");
        Err(self.check.error_with(message, place, "use an ordinary one"))
    }

    /// Reads `(T)` before a list that initialises an object of type `T`.
    fn skip_compound_type(&mut self, ty: &Type) -> Checked<()> {
        let Some(closed) = self.brackets.other(self.at).filter(|_| self.is("(")) else {
            return Ok(());
        };
        let opens = |at: usize| {
            matches!(
                self.tokens.get(at).map(|one| &one.kind),
                Some(TokenKind::Punct("{"))
            )
        };
        if !opens(closed + 1) || !self.starts_type_after(1) {
            return Ok(());
        }
        let end = self
            .brackets
            .other(closed + 1)
            .map_or(closed, |end| end + 1);
        let ends = matches!(
            self.tokens.get(end).map(|token| &token.kind),
            None | Some(TokenKind::Punct("," | ";" | "}"))
        );
        let start = self.at;
        self.at += 1;
        let written = self.type_name()?;
        self.expect(")")?;
        if !ends || written.kind != ty.kind {
            self.at = start;
        }
        Ok(())
    }

    fn characters(
        &mut self,
        text: &str,
        length: &mut u32,
        list: &mut List,
        place: Place,
    ) -> Checked<()> {
        let needed = text.len() as u32;
        if *length == 0 {
            *length = needed + 1;
        }
        if needed > *length {
            return Err(self
                .check
                .error("this text is longer than the array", place));
        }
        for (index, byte) in text.bytes().enumerate() {
            let value = expr(
                ExprKind::Const(i64::from(byte as i8)),
                crate::c::check::CHAR.clone(),
                place,
            );
            list.push(&[Step::Element(index as u32)], value);
        }
        Ok(())
    }

    /// A value for a scalar of this type.
    fn scalar(&mut self, value: Expr, ty: &Type, list: &List) -> Checked<Expr> {
        let value = self.check.converted(value, ty, Wanted::Initial)?;
        if list.lasting {
            return self.check.static_value(value);
        }
        Ok(value)
    }

    /// `{ … }` for an object of this type at this path.
    fn braced(&mut self, ty: &mut Type, path: &mut Path, list: &mut List) -> Checked<()> {
        let open = self.at;
        self.expect("{")?;
        match &ty.kind {
            TypeKind::Library(_) => {
                self.ordinary(open)?;
                self.at = self
                    .brackets
                    .other(open)
                    .map_or(self.at, |closed| closed + 1);
                return Ok(());
            }
            TypeKind::Struct(_) | TypeKind::Array(..) => {}
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Pointer(_)
            | TypeKind::Function(..) => {
                if self.eat("}") {
                    let zero = expr(ExprKind::Const(0), INT.clone(), self.last_place());
                    let zero = self.scalar(zero, ty, list)?;
                    return self.give(path, zero, list);
                }
                self.deeper(|parser| parser.element(&mut ty.clone(), path, list))?;
                self.eat(",");
                if !self.is("}") {
                    let message = "too many values for one scalar";
                    return Err(self.check.error(message, self.place()));
                }
                self.at += 1;
                return Ok(());
            }
        }
        let is_union = self
            .check
            .structure(ty)
            .is_some_and(|known| known.union.is_some());
        let mut next = 0_usize;
        let mut longest = 0;
        while !self.is("}") {
            let depth = path.len();
            let place = self.place();
            let is_designated = self.is(".") || self.is("[");
            let mut inside = Vec::new();
            let mut last = None;
            if is_designated {
                list.designated = true;
                let designator = self.designator(ty, list)?;
                (next, inside, last) = (designator.first, designator.inside, designator.last);
            } else if is_union && next > 0 {
                next = usize::MAX;
            }
            let Some((step, mut part)) = self.part(ty, next, list) else {
                let message = format!("too many values for `{}`", self.check.show(ty));
                return Err(self.check.error(message, place));
            };
            path.push(step);
            if is_union {
                list.enters_union(path);
            }
            for index in inside {
                let Some((step, inner)) = self.part(&part, index, list) else {
                    return Err(self.check.error("there is no such part", place));
                };
                path.push(step);
                if self.is_union(&part) {
                    list.enters_union(path);
                }
                part = inner;
            }
            let before = last.map(|_| std::mem::take(&mut list.scalars));
            if is_designated && (self.is(".") || self.is("[")) {
                self.nested_designators(&mut part, path, list)?;
            } else {
                if is_designated {
                    self.eat("=");
                }
                self.deeper(|parser| parser.element(&mut part, path, list))?;
            }
            path.truncate(depth);
            if let (Some(last), Some(before)) = (last, before) {
                let values = std::mem::replace(&mut list.scalars, before);
                self.repeated((next, last), path, &values, list, place)?;
                next = last;
            }
            next += 1;
            longest = longest.max(next);
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")?;
        if let TypeKind::Array(_, length @ 0) = &mut ty.kind {
            *length = u32::try_from(longest).unwrap_or(u32::MAX);
            if longest == 0 {
                let place = self.since(open);
                return Err(self
                    .check
                    .error("an array needs at least one element", place));
            }
        }
        Ok(())
    }

    fn is_union(&self, ty: &Type) -> bool {
        let known = self.check.structure(ty);
        known.is_some_and(|known| known.union.is_some())
    }

    /// The part of an object by its number, for which the next value of a list is; none after the last.
    fn part(&self, ty: &Type, index: usize, list: &mut List) -> Option<(Step, Type)> {
        list.bits = None;
        match &ty.kind {
            TypeKind::Array(element, length) => {
                let number = u32::try_from(index).ok()?;
                let inside = *length == 0 || number < *length;
                inside.then(|| (Step::Element(number), (**element).clone()))
            }
            TypeKind::Struct(_) => {
                let known = self.check.structure(ty)?;
                match known.part(index)? {
                    Part::Member(index) => {
                        Some((Step::Member(index), known.members[index].ty.clone()))
                    }
                    Part::Field(field) => {
                        // Where no scalar holds it, the value is an error (`give`).
                        let unit = field.member.map(|member| known.members[member].ty.clone());
                        list.bits = Some((field.bits, unit));
                        let step = Step::Member(field.member.unwrap_or_default());
                        Some((step, field.ty.clone()))
                    }
                }
            }
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Pointer(_)
            | TypeKind::Function(..)
            | TypeKind::Library(_) => None,
        }
    }

    /// The value of a scalar, or of the bit-field that comes next.
    fn give(&mut self, path: &[Step], value: Expr, list: &mut List) -> Checked<()> {
        match list.bits.take() {
            None => list.push(path, value),
            Some((bits, Some(unit))) => list.push_bits(path, (&unit, bits), value),
            Some((_, None)) => return Err(self.check.no_scalar_of_bits(value.place)),
        }
        Ok(())
    }

    /// The initialiser of a part of an object.
    fn element(&mut self, ty: &mut Type, path: &mut Path, list: &mut List) -> Checked<()> {
        self.skip_compound_type(ty)?;
        if self.is("{") {
            return self.braced(ty, path, list);
        }
        if let TypeKind::Array(element, length) = &mut ty.kind
            && is_char(element)
            && let Some(TokenKind::String(text)) = self.kind()
        {
            let mut inner = List {
                scalars: Vec::new(),
                lasting: list.lasting,
                designated: false,
                bits: None,
            };
            let place = self.place();
            self.at += 1;
            self.characters(text, length, &mut inner, place)?;
            for (rest, value) in inner.scalars {
                let whole: Path = path.iter().copied().chain(rest).collect();
                list.push(&whole, value);
            }
            return Ok(());
        }
        let value = self.full_assignment()?;
        self.filled(ty, path, list, value)
    }

    /// Gives a value to the first scalar of an object, and those that follow in the list to the
    /// other ones: its braces are left out.
    fn filled(
        &mut self,
        ty: &Type,
        path: &mut Path,
        list: &mut List,
        first: Operand,
    ) -> Checked<()> {
        if ty.is_scalar() {
            let value = self.check.value(first)?;
            let value = self.scalar(value, ty, list)?;
            return self.give(path, value, list);
        }
        if let TypeKind::Library(_) = ty.kind {
            return Ok(());
        }
        let place = first.place();
        if self.check.structure(&self.check.type_of(&first)).is_some() {
            let message = "a structure inside of a list is initialised by a list";
            return Err(self
                .check
                .error_with(message, place, "or assign it afterwards"));
        }
        let Some((step, part)) = self.part(ty, 0, list) else {
            let message = format!("`{}` cannot be initialised by this", self.check.show(ty));
            return Err(self.check.error(message, place));
        };
        path.push(step);
        self.deeper(|parser| parser.filled(&part, path, list, first))?;
        path.pop();
        let is_union = self
            .check
            .structure(ty)
            .is_some_and(|known| known.union.is_some());
        let mut index = if is_union { usize::MAX } else { 1 };
        while let Some((step, mut part)) = self.part(ty, index, list) {
            let more = self.is(",")
                && !matches!(self.kind_after(1), Some(TokenKind::Punct("." | "[" | "}")));
            if !more {
                break;
            }
            self.at += 1;
            path.push(step);
            self.deeper(|parser| parser.element(&mut part, path, list))?;
            path.pop();
            index += 1;
        }
        Ok(())
    }
}

/// An integer with a value in some of its bits.
fn with_bits(before: Option<Expr>, unit: &Type, bits: Bits, value: Expr) -> Expr {
    let place = value.place;
    let constant = |value: u32| expr(ExprKind::Const(i64::from(value)), UNSIGNED.clone(), place);
    let both = |op, a, b| {
        let kind = ExprKind::Binary(op, Box::new(a), Box::new(b));
        expr(kind, UNSIGNED.clone(), place)
    };
    let mask = u32::MAX >> (32 - u32::from(bits.width));
    let value = both(BinaryOp::BitAnd, cast(value, &UNSIGNED), constant(mask));
    let value = both(BinaryOp::Shl, value, constant(u32::from(bits.shift)));
    let whole = match before {
        Some(before) => {
            let rest = constant(!(mask << bits.shift));
            let kept = both(BinaryOp::BitAnd, cast(before, &UNSIGNED), rest);
            both(BinaryOp::BitOr, kept, value)
        }
        None => value,
    };
    let whole = cast(whole, unit);
    match folded(&whole) {
        Ok(known) => expr(ExprKind::Const(known), unit.clone(), place),
        Err(_) => whole,
    }
}

fn is_char(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Int { bits: 8, .. })
}
