//! Calls: of functions with a body, of library functions, through pointers.

use super::convert::{Wanted, cast, promote};
use super::fold::fold;
use super::types::{BOOL, LONG, VOID, integer};
use super::{Checked, Checker, INT, Operand, expr, pointer, to, unqualified};
use crate::c::library::{self, Arguments, Entry, Returns};
use crate::lower::bits::of_constant;
use crate::lower::direct;
use crate::lower::operation::Meaning;
use crate::lower::typed::{Callee, Expr, ExprKind, LibraryType, Type, TypeKind};
use crate::text::Place;

/// Whether a type is `char *`.
fn is_text(ty: &Type) -> bool {
    let of = ty.pointee();
    of.is_some_and(|of| matches!(of.kind, TypeKind::Int { bits: 8, .. }))
}

/// Whether this is one of some texts that are written there: nothing has to be loaded to know it.
fn is_literal(value: &Expr) -> bool {
    if let ExprKind::Cast(of) | ExprKind::Comma(_, of) = &value.kind {
        is_literal(of)
    } else if let ExprKind::Conditional(_, yes, no) = &value.kind {
        is_literal(yes) && is_literal(no)
    } else {
        matches!(value.kind, ExprKind::Text(_))
    }
}

impl Checker<'_> {
    /// A call with these arguments; `end` is the closing bracket.
    pub(crate) fn call(
        &mut self,
        callee: Operand,
        mut arguments: Vec<Operand>,
        end: Place,
    ) -> Checked<Operand> {
        let place = to(callee.place(), end);
        let callee = if matches!(callee, Operand::Function(number, _) if self.is_absent(number)) {
            Operand::Value(self.value(callee)?)
        } else {
            callee
        };
        match callee {
            Operand::Library(entry, named) => self.call_library(entry, arguments, named, place),
            Operand::Function(number, named) => {
                let declared = &self.functions[number];
                let id = match (declared.id, library::find(&declared.name)) {
                    (None, Some(entry)) => {
                        return self.call_library(entry, arguments, named, place);
                    }
                    (Some(id), _) => id,
                    (None, None) if let Some(model) = self.models.get(&declared.name) => {
                        return self.call_modelled(number, *model, arguments, place);
                    }
                    (None, None) => match self.with_body(number, named) {
                        Ok(id) => id,
                        Err(reported) => return self.instead(number, place).ok_or(reported),
                    },
                };
                let declared = &self.functions[number];
                let (ty, prototype) = (declared.ty.clone(), declared.prototype);
                let name = format!("`{}`", declared.name);
                let beyond = if declared.variadic {
                    self.beyond(&ty, &mut arguments)?
                } else {
                    Vec::new()
                };
                let open = !prototype;
                let (returns, mut arguments) =
                    self.arguments(&ty, arguments, open, &name, place)?;
                // A literal that nothing reads has no value, and nothing to do.
                arguments.extend(
                    beyond
                        .into_iter()
                        .filter(|e| !matches!(e.kind, ExprKind::Text(_))),
                );
                let kind = ExprKind::Call(Callee::Defined(id), arguments);
                Ok(Operand::Value(expr(kind, returns, place)))
            }
            Operand::Value(_) | Operand::Place(..) | Operand::Temporary(..) | Operand::Text(..) => {
                let pointer = self.value(callee)?;
                let Some(ty) = pointer.ty.pointee().filter(|ty| ty.is_function()).cloned() else {
                    let message = format!("`{}` is not a function", self.show(&pointer.ty));
                    return Err(self.error(message, pointer.place));
                };
                let open = matches!(&ty.kind, TypeKind::Function(_, list) if list.is_empty());
                let name = "this function";
                let (returns, arguments) = self.arguments(&ty, arguments, open, name, place)?;
                // What stands for a function that was reported.
                if matches!(pointer.kind, ExprKind::Const(0)) {
                    let zero = expr(ExprKind::Const(0), INT.clone(), place);
                    return Ok(Operand::Value(zero));
                }
                let kind = ExprKind::Call(Callee::Pointer(Box::new(pointer)), arguments);
                Ok(Operand::Value(expr(kind, returns, place)))
            }
        }
    }

    /// The arguments in the types of the parameters, and the type of the call. A function declared
    /// with `()` takes any arguments.
    pub(super) fn arguments(
        &mut self,
        ty: &Type,
        arguments: Vec<Operand>,
        open: bool,
        name: &str,
        place: Place,
    ) -> Checked<(Type, Vec<Expr>)> {
        let TypeKind::Function(returns, parameters) = &ty.kind else {
            return Err(self.error("this is not a function", place));
        };
        if !open && parameters.len() != arguments.len() {
            let (wanted, given) = (parameters.len(), arguments.len());
            let s = if wanted == 1 { "" } else { "s" };
            let message = format!("{name} takes {wanted} argument{s}, and {given} are given");
            return Err(self.error(message, place));
        }
        let mut values = Vec::new();
        for (number, argument) in arguments.into_iter().enumerate() {
            let value = self.value(argument)?;
            values.push(if let Some(ty) = parameters.get(number) {
                self.converted(value, ty, Wanted::Argument(number + 1))?
            } else {
                let value = self.with_texts(value);
                self.has_value(&value)?;
                promote(value)
            });
        }
        if !returns.is_void() {
            self.size(returns, place)?;
        }
        Ok((unqualified(returns), values))
    }

    /// Leaves those arguments of a function that have a parameter; the others. Where programs hand arguments to
    /// functions that print, what is printed could be stored through (`%n`), unless the last parameter is a format
    /// without that.
    fn beyond(&mut self, ty: &Type, arguments: &mut Vec<Operand>) -> Checked<Vec<Expr>> {
        let TypeKind::Function(_, parameters) = &ty.kind else {
            return Ok(Vec::new());
        };
        let known = parameters.len().min(arguments.len());
        let rest = arguments.split_off(known);
        let mut values = Vec::new();
        for argument in rest {
            let value = self.value(argument)?;
            self.has_value(&value)?;
            values.push(if self.lists.read {
                promote(self.with_texts(value))
            } else {
                value
            });
        }
        match arguments.last() {
            _ if !self.lists.printed || !parameters.last().is_some_and(is_text) => {}
            Some(Operand::Text(format, place)) => self.no_store(format, *place)?,
            _ => self.no_pointer(&values)?,
        }
        Ok(values)
    }

    fn has_value(&mut self, value: &Expr) -> Checked<()> {
        if value.ty.is_void() {
            return Err(self.error("this argument has no value", value.place));
        }
        Ok(())
    }

    fn call_library(
        &mut self,
        entry: &'static Entry,
        arguments: Vec<Operand>,
        named: Place,
        place: Place,
    ) -> Checked<Operand> {
        let given = arguments.len();
        let (fits, wanted) = match entry.arguments {
            Arguments::Exactly(count) => (given == usize::from(count), format!("{count}")),
            Arguments::AtLeast(count) | Arguments::Formatted(count) | Arguments::Scanned(count) => {
                (given >= usize::from(count), format!("at least {count}"))
            }
        };
        if !fits {
            let s = if wanted == "1" { "" } else { "s" };
            let name = entry.operation.name;
            let message = format!("`{name}` takes {wanted} argument{s}, and {given} are given");
            return Err(self.error(message, place));
        }
        if let Arguments::Scanned(count) = entry.arguments {
            return self.scan(entry, (usize::from(count), arguments), place);
        }
        let format = match entry.arguments {
            Arguments::Formatted(count) => arguments.get(usize::from(count) - 1),
            Arguments::Exactly(_) | Arguments::AtLeast(_) | Arguments::Scanned(_) => None,
        };
        let (unknown, printed) = match format {
            Some(Operand::Text(text, place)) => {
                self.no_store(text, *place)?;
                (false, library::texts(text))
            }
            format => (format.is_some(), Vec::new()),
        };
        let before = match entry.arguments {
            Arguments::Formatted(count) => usize::from(count),
            Arguments::Exactly(_) | Arguments::AtLeast(_) | Arguments::Scanned(_) => 0,
        };
        let mut operation = &entry.operation;
        let mut values = Vec::new();
        for (at, argument) in arguments.into_iter().enumerate() {
            let value = self.value(argument)?;
            if operation.meaning == Meaning::Print && at == 0 && is_literal(&value) {
                operation = &direct::PRINT_KNOWN;
            }
            let is_printed = at
                .checked_sub(before)
                .is_some_and(|at| printed.contains(&at));
            let value = if is_printed && is_text(&value.ty) && !is_literal(&value) {
                let place = value.place;
                let text = self.with_texts(value);
                expr(
                    ExprKind::Call(Callee::Library(&direct::PRINT), vec![text]),
                    INT,
                    place,
                )
            } else {
                value
            };
            self.has_value(&value)?;
            // What is printed is not looked at.
            let is_ignored = matches!(
                operation.meaning,
                Meaning::Ignore
                    | Meaning::Nondet { .. }
                    | Meaning::Assert
                    | Meaning::Fail
                    | Meaning::Exit
                    | Meaning::OrderlyExit
            );
            values.push(if is_ignored {
                value
            } else {
                self.with_texts(value)
            });
        }
        if let (true, Arguments::Formatted(count)) = (unknown, entry.arguments) {
            self.no_pointer(&values[usize::from(count)..])?;
        }
        if let Meaning::Bits { what, width } = entry.operation.meaning {
            for value in &mut values {
                self.is_integer(entry, value)?;
                *value = cast(value.clone(), &integer(width, false));
            }
            if let Some(Ok(known)) = values.first().map(fold)
                && let Some(result) = of_constant(what, width, known as u64)
            {
                let ty = entry.returns.number().unwrap_or(INT);
                return Ok(Operand::Value(expr(ExprKind::Const(result), ty, place)));
            }
        }
        if let Meaning::Overflow(_, ty) = entry.operation.meaning {
            self.overflowing(entry, &mut values, ty)?;
        }
        let ty = match entry.returns {
            Returns::Void => VOID,
            Returns::Int
            | Returns::UnsignedInt
            | Returns::UnsignedShort
            | Returns::UnsignedLong
            | Returns::Long => entry.returns.number().unwrap_or(INT),
            Returns::Bool => BOOL,
            Returns::Pointer => pointer(VOID),
            Returns::Pointee => self.pointee_of(entry, values.first(), named)?,
            Returns::Thread => Type {
                kind: TypeKind::Library(LibraryType::Thread),
                ..VOID
            },
        };
        let kind = ExprKind::Call(Callee::Library(operation), values);
        Ok(Operand::Value(expr(kind, ty, place)))
    }

    fn is_integer(&mut self, entry: &Entry, value: &Expr) -> Checked<()> {
        if value.ty.is_integer() {
            return Ok(());
        }
        let shown = self.show(&value.ty);
        let message = format!("`{}` takes an integer, not `{shown}`", entry.operation.name);
        Err(self.error(message, value.place))
    }

    /// The arguments of `__builtin_add_overflow` and its kind: two integers, and a pointer to one.
    fn overflowing(
        &mut self,
        entry: &Entry,
        values: &mut [Expr],
        ty: Option<(u8, bool)>,
    ) -> Checked<()> {
        let [a, b, to] = values else {
            return Ok(());
        };
        for value in [a, b] {
            self.is_integer(entry, value)?;
            if let Some((bits, signed)) = ty {
                *value = cast(value.clone(), &integer(bits, signed));
            }
        }
        let stored = to
            .ty
            .pointee()
            .filter(|ty| ty.is_integer() && ty.kind != TypeKind::Bool);
        if stored.is_none_or(|ty| ty.atomic) {
            let shown = self.show(&to.ty);
            let message = format!(
                "`{}` needs a pointer to an integer, not `{shown}`",
                entry.operation.name
            );
            return Err(self.error(message, to.place));
        }
        Ok(())
    }

    /// Refuses a format that stores.
    fn no_store(&mut self, format: &str, place: Place) -> Checked<()> {
        if !library::stores(format) {
            return Ok(());
        }
        Err(self.error_with(
            "`%n` stores through a pointer, which is not supported",
            place,
            "leave it out: what is printed, and how much, is not modelled",
        ))
    }

    /// Refuses what a format that is not known could store through.
    fn no_pointer(&mut self, printed: &[Expr]) -> Checked<()> {
        let is_stored = |e: &&Expr| {
            matches!(e.ty.kind, TypeKind::Pointer(_)) && !matches!(e.kind, ExprKind::Text(_))
        };
        match printed.iter().find(is_stored) {
            None => Ok(()),
            Some(pointer) => Err(self.error_with(
                "the format is not a literal, so it may store through this pointer (`%n`)",
                pointer.place,
                "write the format as a literal, or leave the pointer out",
            )),
        }
    }

    /// The type of the object that a generic function accesses through its first argument.
    fn pointee_of(&mut self, entry: &Entry, first: Option<&Expr>, named: Place) -> Checked<Type> {
        let Some(first) = first else {
            return Err(self.error(
                format!("`{}` needs an argument", entry.operation.name),
                named,
            ));
        };
        let shown = self.show(&first.ty);
        let name = entry.operation.name;
        match first.ty.pointee() {
            Some(ty) if ty.is_integer() || ty.is_pointer() => Ok(unqualified(ty)),
            Some(ty) if self.structure(ty).is_some() => Err(self.error_with(
                format!("argument 1 of `{name}` points to a structure: `{shown}`"),
                first.place,
                "structures are not accessed at once: name one of its members",
            )),
            Some(_) | None => Err(self.error(
                format!(
                    "argument 1 of `{name}` must point to an integer or a pointer, not be `{shown}`"
                ),
                first.place,
            )),
        }
    }

    /// `__builtin_expect(value, …)`
    pub(crate) fn expected(&mut self, value: Operand, place: Place) -> Checked<Operand> {
        let value = self.condition(value)?;
        let mut value = cast(value, &LONG);
        value.place = place;
        Ok(Operand::Value(value))
    }
}
