//! Declarators: what is around a name, from the inside out.

use super::Parser;
use crate::c::check::{
    Checked, NoConstant, UNSIGNED_LONG, folded, pointer, qualified, unqualified,
};
use crate::lower::typed::{Expr, Type, TypeKind};
use crate::text::Place;

/// A declared name with its type.
#[derive(Clone, Debug)]
pub(super) struct Declarator {
    /// Empty for a type name or an unnamed parameter.
    pub(super) name: String,
    pub(super) ty: Type,
    /// Whether the object itself is `const`.
    pub(super) constant: bool,
    /// If the name is that of a function: its parameters.
    pub(super) function: Option<Parameters>,
    /// The name, or where it would be.
    pub(super) place: Place,
    /// The number of elements, if it is an array of which only the execution shows that: a pointer to them here.
    pub(super) length: Option<Expr>,
}

/// The parameters of a function.
#[derive(Clone, Default, Debug)]
pub(super) struct Parameters {
    pub(super) list: Vec<Declarator>,
    /// Not `()`.
    pub(super) prototype: bool,
    /// The place of `...`.
    pub(super) variadic: Option<Place>,
}

/// One step from a name towards the type that it starts from.
#[derive(Clone, Debug)]
enum Derive {
    Pointer {
        constant: bool,
        volatile: bool,
        atomic: bool,
    },
    /// 0 if no length is given.
    Array(u32),
    Function(Parameters),
}

/// What kind of declaration a declarator is part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Declares {
    /// There is a name.
    Name,
    /// A parameter: with or without a name; the length of an array does not matter.
    Parameter,
    /// `sizeof(int *)`: no name.
    Type,
}

struct Chain {
    name: Option<(String, Place)>,
    derived: Vec<Derive>,
}

impl Parser<'_> {
    /// `int (*)[3]`: specifiers and a declarator without a name.
    pub(super) fn type_name(&mut self) -> Checked<Type> {
        let specifiers = self.specifiers()?;
        let declarator = self.declarator(&specifiers.ty, specifiers.constant, Declares::Type)?;
        Ok(declarator.ty)
    }

    pub(super) fn declarator(
        &mut self,
        base: &Type,
        constant: bool,
        declares: Declares,
    ) -> Checked<Declarator> {
        let start = self.at;
        let mut chain = self.chain(declares)?;
        if chain.name.is_none() && declares == Declares::Name {
            return Err(self.unexpected("a name"));
        }
        let place = match &chain.name {
            Some((_, place)) => *place,
            None => self.since(start),
        };
        let constant = chain
            .derived
            .iter()
            .find_map(|step| match step {
                Derive::Pointer { constant, .. } => Some(*constant),
                Derive::Array(_) => None,
                Derive::Function(_) => Some(false),
            })
            .unwrap_or(constant);
        let mut ty = base.clone();
        let own = chain.derived.len();
        let mut function = None;
        for (index, step) in chain.derived.drain(..).rev().enumerate() {
            let innermost = index + 1 == own;
            ty = self.derive(ty, step, innermost.then_some(&mut function), place)?;
        }
        if declares == Declares::Parameter {
            ty = match ty.kind {
                TypeKind::Array(element, _) => pointer(*element),
                TypeKind::Function(..) => pointer(ty),
                TypeKind::Void
                | TypeKind::Bool
                | TypeKind::Int { .. }
                | TypeKind::Float { .. }
                | TypeKind::Pointer(_)
                | TypeKind::Struct(_)
                | TypeKind::Library(_) => ty,
            };
            function = None;
        }
        let ty = self.check.bounded(ty, place)?;
        let length = match declares {
            Declares::Name => self.length.take(),
            Declares::Parameter | Declares::Type => None,
        };
        let name = chain.name.map(|(name, _)| name).unwrap_or_default();
        Ok(Declarator {
            name,
            ty,
            constant,
            function,
            place,
            length,
        })
    }

    fn derive(
        &mut self,
        ty: Type,
        step: Derive,
        function: Option<&mut Option<Parameters>>,
        place: Place,
    ) -> Checked<Type> {
        // Each step is bounded, so that the type never becomes too deep to be copied.
        let ty = self.check.bounded(ty, place)?;
        let kind = match step {
            Derive::Pointer {
                volatile, atomic, ..
            } => return Ok(qualified(pointer(ty), atomic, volatile)),
            Derive::Array(length) => {
                if ty.is_function() || ty.is_void() || matches!(ty.kind, TypeKind::Array(_, 0)) {
                    let message = format!(
                        "an array cannot have elements of type `{}`",
                        self.check.show(&ty)
                    );
                    return Err(self.check.error(message, place));
                }
                TypeKind::Array(Box::new(ty), length)
            }
            Derive::Function(parameters) => {
                if ty.is_function() || matches!(ty.kind, TypeKind::Array(..)) {
                    let message = format!("a function cannot return `{}`", self.check.show(&ty));
                    return Err(self.check.error(message, place));
                }
                // Qualifiers of parameters concern the body alone.
                let types = parameters.list.iter().map(|one| unqualified(&one.ty));
                let types = types.collect();
                if let Some(function) = function {
                    *function = Some(parameters);
                }
                TypeKind::Function(Box::new(ty), types)
            }
        };
        Ok(Type {
            kind,
            atomic: false,
            volatile: false,
        })
    }

    fn chain(&mut self, declares: Declares) -> Checked<Chain> {
        let mut pointers = Vec::new();
        while self.eat("*") {
            pointers.push(self.pointer_qualifiers()?);
            self.steps(pointers.len())?;
        }
        self.attributes()?;
        let nested = self.is("(")
            && (declares == Declares::Name || !self.is_after(1, ")") && !self.starts_type_after(1));
        let mut chain = if nested {
            self.at += 1;
            let inner = self.deeper(|parser| parser.chain(declares))?;
            self.attributes()?;
            self.expect(")")?;
            inner
        } else {
            let name = self.declared_name(declares)?;
            Chain {
                name,
                derived: Vec::new(),
            }
        };
        loop {
            let parameter = declares == Declares::Parameter && chain.derived.is_empty();
            if self.is("[") {
                let is_first = declares == Declares::Name && chain.derived.is_empty();
                self.may_vary &= is_first;
                let length = self.array_length(parameter)?;
                chain.derived.push(match length {
                    Some(length) => Derive::Array(length),
                    // A pointer that nothing can be assigned to.
                    None => Derive::Pointer {
                        constant: true,
                        volatile: false,
                        atomic: false,
                    },
                });
            } else if self.is("(") {
                let parameters = self.deeper(Self::parameters)?;
                chain.derived.push(Derive::Function(parameters));
            } else {
                break;
            }
            self.steps(chain.derived.len())?;
        }
        chain.derived.extend(pointers.into_iter().rev());
        Ok(chain)
    }

    /// Bounds the steps of one declarator.
    fn steps(&mut self, count: usize) -> Checked<()> {
        if count > super::DEEPEST {
            return Err(self
                .check
                .error("this type is nested too deeply", self.place()));
        }
        Ok(())
    }

    fn declared_name(&mut self, declares: Declares) -> Checked<Option<(String, Place)>> {
        let Some(word) = self.word() else {
            return Ok(None);
        };
        if declares == Declares::Type {
            return Ok(None);
        }
        if is_keyword(word) {
            let message = format!("`{word}` is a keyword, not a name");
            return Err(self.check.error(message, self.place()));
        }
        self.at += 1;
        let place = self.last_place();
        Ok(Some((word.to_owned(), place)))
    }

    fn pointer_qualifiers(&mut self) -> Checked<Derive> {
        let (mut constant, mut volatile, mut atomic) = (false, false, false);
        loop {
            match self.word() {
                Some("const" | "__const" | "__const__") => constant = true,
                Some("volatile" | "__volatile__" | "__volatile") => volatile = true,
                Some("_Atomic") => atomic = true,
                Some("restrict" | "__restrict" | "__restrict__" | "__extension__") => {}
                Some("__attribute__" | "__attribute") => {
                    self.attributes()?;
                    continue;
                }
                _ => break,
            }
            self.at += 1;
        }
        Ok(Derive::Pointer {
            constant,
            volatile,
            atomic,
        })
    }

    /// The length of an array; `None` if it is known at run time only, where that may be.
    fn array_length(&mut self, parameter: bool) -> Checked<Option<u32>> {
        let open = self.at;
        self.expect("[")?;
        if self.eat("]") {
            return Ok(Some(0));
        }
        if parameter && let Some(closed) = self.brackets.other(open) {
            // A parameter is a pointer, whatever the length.
            self.at = closed + 1;
            return Ok(Some(0));
        }
        let value = self.full_assignment()?;
        let value = self.check.integer_value(value, "the length of an array")?;
        self.expect("]")?;
        let place = self.since(open);
        let value = self.check.with_constants(value);
        let length = match folded(&value) {
            Ok(length) => length,
            Err(NoConstant::Varies(_)) if self.may_vary => {
                self.may_vary = false;
                self.length = Some(value);
                return Ok(None);
            }
            Err(NoConstant::Varies(at)) => {
                return Err(self.check.error_with(
                    "the length of this array is not a constant, which only that of a whole local variable may be",
                    at,
                    "use a constant, for example from `#define` or `enum`, or a `const` integer that has one",
                ));
            }
            Err(NoConstant::Undefined(..)) => {
                self.check.constant(&value, "the length of an array")?
            }
        };
        let huge = value.ty == UNSIGNED_LONG && length < 0;
        // `T x[0]` has no size, and may be the last member of a structure.
        if length < 0 && !huge {
            let message = format!("the length of an array is {length}");
            let note = "arrays have at least one element";
            return Err(self.check.error_with(message, place, note));
        }
        match u32::try_from(length) {
            Ok(length) => Ok(Some(length)),
            Err(_) => Err(self.check.error("this array is too long", place)),
        }
    }

    fn parameters(&mut self) -> Checked<Parameters> {
        self.expect("(")?;
        let mut parameters = Parameters::default();
        if self.eat(")") {
            return Ok(parameters);
        }
        parameters.prototype = true;
        if self.is_word("void") && self.is_after(1, ")") {
            self.at += 2;
            return Ok(parameters);
        }
        loop {
            if self.is("...") {
                parameters.variadic = Some(self.place());
                self.at += 1;
                break;
            }
            let start = self.at;
            let specifiers = self.specifiers()?;
            let constant = specifiers.constant;
            let parameter = self.declarator(&specifiers.ty, constant, Declares::Parameter)?;
            self.attributes()?;
            if parameter.ty.is_void() {
                let message = "a parameter cannot have type `void`";
                return Err(self.check.error(message, self.since(start)));
            }
            parameters.list.push(parameter);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(parameters)
    }
}

/// Words that C reserves and that no declaration may name.
pub(super) fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "auto"
            | "break"
            | "case"
            | "char"
            | "const"
            | "continue"
            | "default"
            | "do"
            | "double"
            | "else"
            | "enum"
            | "extern"
            | "float"
            | "for"
            | "goto"
            | "if"
            | "inline"
            | "int"
            | "long"
            | "register"
            | "restrict"
            | "return"
            | "short"
            | "signed"
            | "sizeof"
            | "static"
            | "struct"
            | "switch"
            | "typedef"
            | "union"
            | "unsigned"
            | "void"
            | "volatile"
            | "while"
            | "_Alignas"
            | "_Alignof"
            | "_Atomic"
            | "_Bool"
            | "_Complex"
            | "_Generic"
            | "_Imaginary"
            | "_Noreturn"
            | "_Static_assert"
            | "_Thread_local"
            | "__attribute__"
            | "__extension__"
            | "__asm__"
            | "__typeof__"
    )
}
