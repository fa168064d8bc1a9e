//! Designators: which part of an object a value in a list is for.

use super::List;
use crate::c::check::{Checked, LARGEST, folded};
use crate::c::parse::{DEEPEST, Parser};
use crate::c::token::TokenKind;
use crate::lower::typed::{Expr, Path, Step, Type, TypeKind};
use crate::text::Place;

/// Which part of an object a designator names.
pub(super) struct Designator {
    pub(super) first: usize,
    /// The way on, to a member of an anonymous union.
    pub(super) inside: Vec<usize>,
    /// Of a range of elements.
    pub(super) last: Option<usize>,
}

impl Parser<'_> {
    /// `.name`, `[3]` or `[0 ... 3]`.
    pub(super) fn designator(&mut self, ty: &Type, list: &mut List) -> Checked<Designator> {
        if self.eat(".") {
            let place = self.place();
            let Some(name) = self.word() else {
                return Err(self.unexpected("the name of a member"));
            };
            self.at += 1;
            let mut inside = self.check.member_path(ty, name, place)?;
            let first = inside.remove(0);
            return Ok(Designator {
                first,
                inside,
                last: None,
            });
        }
        self.expect("[")?;
        let first = self.index_of(ty, list)?;
        let last = if self.eat("...") {
            let place = self.place();
            let last = self.index_of(ty, list)?;
            if last < first {
                return Err(self.check.error("this range has no elements", place));
            }
            Some(last)
        } else {
            None
        };
        self.expect("]")?;
        Ok(Designator {
            first,
            inside: Vec::new(),
            last,
        })
    }

    /// The number of an element in a designator.
    fn index_of(&mut self, ty: &Type, list: &mut List) -> Checked<usize> {
        let place = self.place();
        let index = self.full_assignment()?;
        let index = self.check.value(index)?;
        let index = self.check.constant(&index, "an index")?;
        match usize::try_from(index) {
            Ok(index)
                if matches!(ty.kind, TypeKind::Array(..))
                    && self.part(ty, index, list).is_some() =>
            {
                Ok(index)
            }
            Ok(_) | Err(_) => {
                let message = format!("`{}` has no element {index}", self.check.show(ty));
                Err(self.check.error(message, place))
            }
        }
    }

    /// Gives all elements of a range the values of its first one. They are evaluated once, so that they have to
    /// be constants here.
    pub(super) fn repeated(
        &mut self,
        (first, last): (usize, usize),
        of: &[Step],
        values: &[(Path, Expr)],
        list: &mut List,
        place: Place,
    ) -> Checked<()> {
        for (_, value) in values {
            if folded(value).is_err() && !list.lasting {
                let message = "the value of a range of elements is not a constant";
                let note = "assign it in a loop";
                return Err(self.check.error_with(message, value.place, note));
            }
        }
        let count = (last - first + 1).saturating_mul(values.len());
        // The array may have no length yet.
        if count as u64 > LARGEST {
            return Err(self.check.error("this range is too long", place));
        }
        let range = first as u32..=last as u32;
        list.scalars.retain(|(path, _)| {
            let again = matches!(path.get(of.len()), Some(Step::Element(at)) if range.contains(at));
            !(path.starts_with(of) && again)
        });
        for index in range {
            for (path, value) in values {
                let mut path = path.clone();
                if let Some(Step::Element(number)) = path.get_mut(of.len()) {
                    *number = index;
                }
                list.scalars.push((path, value.clone()));
            }
        }
        Ok(())
    }

    /// The rest of `.a.b[2] = value`.
    pub(super) fn nested_designators(
        &mut self,
        part: &mut Type,
        path: &mut Path,
        list: &mut List,
    ) -> Checked<()> {
        let mut steps = 0;
        while self.is(".") || self.is("[") {
            steps += 1;
            if steps > DEEPEST {
                return Err(self.check.error("too many designators", self.place()));
            }
            let place = self.place();
            let designator = self.designator(part, list)?;
            if designator.last.is_some() {
                let message = "a range of elements after other designators is not supported";
                return Err(self.check.error_with(message, place, "list the elements"));
            }
            for index in std::iter::once(designator.first).chain(designator.inside) {
                let Some((step, inner)) = self.part(part, index, list) else {
                    return Err(self.check.error("there is no such part", place));
                };
                path.push(step);
                if self.is_union(part) {
                    list.enters_union(path);
                }
                *part = inner;
            }
        }
        self.eat("=");
        self.deeper(|parser| parser.element(part, path, list))?;
        let more =
            self.is(",") && !matches!(self.kind_after(1), Some(TokenKind::Punct("." | "[" | "}")));
        if more {
            let message = "a value without a designator after one of several steps";
            let note = "give this value a designator too";
            return Err(self.check.error_with(message, self.place(), note));
        }
        Ok(())
    }
}
