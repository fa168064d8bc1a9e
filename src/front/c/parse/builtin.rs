//! Words of compilers that look like functions and are not: their operands are types, or are not
//! evaluated.

use super::Parser;
use super::primary::constant;
use crate::c::check::{
    Checked, INT, Operand, Operator, Symbol, UNSIGNED_LONG, VOID, Wanted, expr, folded, pointer,
    unqualified,
};
use crate::c::library;
use crate::c::token::TokenKind;
use crate::lower::operation::{Meaning, Operation};
use crate::lower::typed::{BinaryOp, Callee, ExprKind, Part, Type, TypeKind, Yields};
use crate::text::Place;

/// The arguments of the function at hand that have no parameters.
static ARGUMENTS: Operation = Operation {
    name: "va_start",
    meaning: Meaning::ArgumentList,
};

/// The next one of them.
static NEXT: Operation = Operation {
    name: "va_arg",
    meaning: Meaning::NextArgument,
};

impl Parser<'_> {
    /// The expression that starts with this word, if it is a special one.
    pub(super) fn builtin(&mut self, word: &str) -> Checked<Option<Operand>> {
        let start = self.at;
        if matches!(word, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            let name = self.check.body.as_ref().map(|body| body.name.clone());
            self.at += 1;
            return Ok(Some(Operand::Text(
                name.unwrap_or_default(),
                self.last_place(),
            )));
        }
        if !self.is_after(1, "(") || self.is_taken(word) {
            return Ok(None);
        }
        let parse = match word {
            "_Generic" => Self::generic,
            "__builtin_expect" | "__builtin_expect_with_probability" => Self::expect_builtin,
            "__builtin_assume_aligned" => Self::aligned_builtin,
            "__builtin_object_size" | "__builtin_dynamic_object_size" => Self::size_builtin,
            "__errno_location" => Self::errno_location,
            "__builtin_constant_p" => Self::constant_builtin,
            "__builtin_types_compatible_p" => Self::compatible_builtin,
            "__builtin_choose_expr" => Self::choose_builtin,
            "__atomic_load"
            | "__atomic_store"
            | "__atomic_exchange"
            | "__atomic_compare_exchange" => Self::object_builtin,
            "pthread_equal" | "thrd_equal" => Self::equal_threads,
            "offsetof" | "__builtin_offsetof" => Self::offset_of,
            "__builtin_va_start" | "va_start" | "__builtin_va_end" | "va_end"
            | "__builtin_va_copy" | "va_copy" => Self::list_builtin,
            "__builtin_va_arg" | "va_arg" => Self::next_argument,
            _ => return Ok(None),
        };
        self.at += 2;
        let value = self.deeper(|parser| parse(parser, start))?;
        self.expect(")")?;
        Ok(Some(value.at(self.since(start))))
    }

    /// Whether the program has given a word another meaning: a function that is only declared keeps that
    /// of the library.
    fn is_taken(&self, word: &str) -> bool {
        match self.check.lookup(word) {
            Some(Symbol::Function(number)) => self.check.functions[*number].id.is_some(),
            Some(_) => true,
            None => self.check.defined.contains_key(word),
        }
    }

    /// `pthread_equal(a, b)`, which the built-in headers define as a macro.
    fn equal_threads(&mut self, _start: usize) -> Checked<Operand> {
        let first = self.full_assignment()?;
        self.expect(",")?;
        let second = self.full_assignment()?;
        let equal = Operator::Plain(BinaryOp::Eq);
        self.check.binary(equal, first, second)
    }

    /// `__builtin_expect(value, expected)`, `__builtin_expect_with_probability(value, expected, probability)`
    fn expect_builtin(&mut self, _start: usize) -> Checked<Operand> {
        let value = self.assignment()?;
        self.expect(",")?;
        self.unevaluated(Self::assignment)?;
        if self.eat(",") {
            self.skip_argument();
        }
        let place = value.place();
        self.check.expected(value, place)
    }

    /// `va_start(list, last)`, `va_copy(list, other)`, `va_end(list)`
    fn list_builtin(&mut self, start: usize) -> Checked<Operand> {
        let is_copy =
            matches!(&self.tokens[start].kind, TokenKind::Word(word) if word.ends_with("va_copy"));
        let list = self.full_assignment()?;
        if !self.eat(",") {
            return Ok(constant(0, &INT, self.since(start)));
        }
        let value = if is_copy {
            self.full_assignment()?
        } else {
            self.skip_argument();
            let call = ExprKind::Call(Callee::Library(&ARGUMENTS), Vec::new());
            Operand::Value(expr(call, INT, self.since(start)))
        };
        self.check.assign(list, value)
    }

    /// `va_arg(list, T)`
    fn next_argument(&mut self, start: usize) -> Checked<Operand> {
        let list = self.full_assignment()?;
        self.expect(",")?;
        let at = self.place();
        let ty = self.type_name()?;
        let place = self.since(start);
        let is_passed = ty.is_float()
            || ty.pointee().is_some()
            || ty.width().is_some_and(|(bits, _)| bits >= 32);
        if !is_passed {
            let message = format!("no argument is read as `{}` here", self.check.show(&ty));
            let note = "arguments without parameters are promoted to `int` at least; of structures, pass pointers";
            return Err(self.check.error_with(message, at, note));
        }
        let before = self
            .check
            .step(BinaryOp::Add, list, Yields::Before, place)?;
        let before = self.check.value(before)?;
        let call = ExprKind::Call(Callee::Library(&NEXT), vec![before]);
        Ok(Operand::Value(expr(call, unqualified(&ty), place)))
    }

    /// `__builtin_assume_aligned(pointer, alignment, offset)`: the pointer.
    fn aligned_builtin(&mut self, _start: usize) -> Checked<Operand> {
        let given = self.full_assignment()?;
        let given = self.check.value(given)?;
        while self.eat(",") {
            self.skip_argument();
        }
        let wanted = Wanted::Argument(1);
        let converted = self.check.converted(given, &pointer(VOID), wanted)?;
        Ok(Operand::Value(converted))
    }

    /// `__builtin_object_size(pointer, kind)`: not known, as to a compiler that does not optimise.
    fn size_builtin(&mut self, start: usize) -> Checked<Operand> {
        self.unevaluated(Self::assignment)?;
        self.expect(",")?;
        let kind = self.full_assignment()?;
        let kind = self.check.value(kind)?;
        let kind = self.check.constant(&kind, "the kind of a size")?;
        let size = if kind & 2 == 0 { -1 } else { 0 };
        Ok(constant(size, &UNSIGNED_LONG, self.since(start)))
    }

    /// `__errno_location()`
    fn errno_location(&mut self, start: usize) -> Checked<Operand> {
        let place = self.since(start);
        let entry = library::find("__errno_location").filter(|_| self.check.body.is_some());
        let Some(entry) = entry else {
            let message = "`errno` is not a constant";
            return Err(self.check.error(message, place));
        };
        self.check.unit.has_error_number = true;
        let call = ExprKind::Call(Callee::Library(&entry.operation), Vec::new());
        Ok(Operand::Value(expr(call, pointer(INT), place)))
    }

    fn constant_builtin(&mut self, start: usize) -> Checked<Operand> {
        let value = self.unevaluated(|parser| {
            let value = parser.assignment()?;
            parser.check.value(value)
        })?;
        let known = folded(&value).is_ok();
        Ok(constant(i64::from(known), &INT, self.since(start)))
    }

    fn compatible_builtin(&mut self, start: usize) -> Checked<Operand> {
        let first = self.type_name()?;
        self.expect(",")?;
        let second = self.type_name()?;
        let same = first.kind == second.kind;
        Ok(constant(i64::from(same), &INT, self.since(start)))
    }

    /// `__builtin_choose_expr(constant, then, otherwise)`: the other one need not have a meaning.
    fn choose_builtin(&mut self, _start: usize) -> Checked<Operand> {
        let condition = self.assignment()?;
        let condition = self.check.value(condition)?;
        let chosen = self.check.constant(&condition, "what chooses")?;
        self.expect(",")?;
        if chosen == 0 {
            self.skip_argument();
            self.expect(",")?;
            return self.assignment();
        }
        let value = self.assignment()?;
        self.expect(",")?;
        self.skip_argument();
        Ok(value)
    }

    /// Reads up to the next comma or closing bracket of this level.
    fn skip_argument(&mut self) {
        while !matches!(
            self.kind(),
            None | Some(TokenKind::Punct("," | ")" | "]" | "}" | ";"))
        ) {
            let other = self.brackets.other(self.at);
            self.at = other.filter(|other| *other > self.at).unwrap_or(self.at) + 1;
        }
    }

    /// `_Generic(value, T: e, default: e)`. Types that differ in C and not here, such as `long` and `long long`, or
    /// pointers to `const`, cannot be told apart: what is chosen for both must be the same.
    fn generic(&mut self, start: usize) -> Checked<Operand> {
        let value = self.unevaluated(|parser| {
            let value = parser.assignment()?;
            parser.check.value(value)
        })?;
        let mut types: Vec<(Type, Vec<TokenKind>)> = Vec::new();
        let (mut chosen, mut default) = (None, None);
        while self.eat(",") {
            let place = self.place();
            if self.eat_word("default") {
                self.expect(":")?;
                default = Some(self.at);
            } else {
                let ty = self.type_name()?;
                self.expect(":")?;
                let from = self.at;
                self.skip_argument();
                let case = self.tokens[from..self.at].iter().map(|token| &token.kind);
                let before = types.iter().find(|(known, _)| *known == ty);
                if before.is_some_and(|(_, other)| case.clone().ne(other.iter())) {
                    let message = format!(
                        "two cases of `_Generic` are `{}` here",
                        self.check.show(&ty)
                    );
                    return Err(self.check.error(message, place));
                }
                if ty == value.ty {
                    chosen.get_or_insert(from);
                }
                types.push((ty, case.cloned().collect::<Vec<TokenKind>>()));
                continue;
            }
            self.skip_argument();
        }
        let end = self.at;
        let Some(at) = chosen.or(default) else {
            let message = format!("no case of `_Generic` is `{}`", self.check.show(&value.ty));
            let place = self.since(start);
            return Err(self.check.error(message, place));
        };
        self.at = at;
        let value = self.assignment()?;
        if !self.is(",") && !self.is(")") {
            return Err(self.unexpected("`,` or `)`"));
        }
        self.at = end;
        Ok(value)
    }

    /// `offsetof(T, a.b[2])`
    fn offset_of(&mut self, start: usize) -> Checked<Operand> {
        let mut ty = self.type_name()?;
        self.expect(",")?;
        let mut offset = 0_u64;
        let mut first = true;
        loop {
            let place = self.place();
            if first || self.eat(".") {
                let place = self.place();
                let Some(name) = self.word() else {
                    return Err(self.unexpected("the name of a member"));
                };
                self.at += 1;
                for number in self.check.member_path(&ty, name, place)? {
                    let TypeKind::Struct(id) = ty.kind else {
                        return Err(self.unexpected("a structure"));
                    };
                    let known = &self.check.unit.structs[id.0];
                    let Some(Part::Member(index)) = known.part(number) else {
                        return Err(self.check.error("a bit-field has no offset", place));
                    };
                    offset += known
                        .layout
                        .as_ref()
                        .map_or(0, |layout| layout.offsets[index]);
                    ty = known.members[index].ty.clone();
                }
            } else if self.eat("[") {
                let index = self.full_assignment()?;
                let index = self.check.value(index)?;
                let index = self.check.constant(&index, "an index")?;
                self.expect("]")?;
                ty = self.element_type(&ty, place)?;
                let size = self.check.size(&ty, place)?;
                let by = u64::try_from(index)
                    .ok()
                    .and_then(|index| size.checked_mul(index));
                let Some(sum) = by.and_then(|by| offset.checked_add(by)) else {
                    return Err(self.check.error("this offset is too large", place));
                };
                offset = sum;
            } else {
                break;
            }
            first = false;
        }
        Ok(constant(offset as i64, &UNSIGNED_LONG, self.since(start)))
    }

    fn element_type(&mut self, ty: &Type, place: Place) -> Checked<Type> {
        if let TypeKind::Array(element, _) = &ty.kind {
            return Ok((**element).clone());
        }
        let message = format!("`{}` is not an array", self.check.show(ty));
        Err(self.check.error(message, place))
    }
}
