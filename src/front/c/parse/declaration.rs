//! Declarations: of the file and of blocks.

use super::Parser;
use super::attributes::Attributes;
use super::declarator::{Declarator, Declares};
use super::specifiers::{Specifiers, Storage};
use crate::c::check::{Checked, Declared, Symbol, to};
use crate::c::token::TokenKind;
use crate::lower::typed::{Stmt, TypeKind};

impl Parser<'_> {
    /// A declaration or a function with a body, at the level of the file.
    pub(super) fn external_declaration(&mut self) -> Checked<()> {
        if self.eat(";") {
            return Ok(());
        }
        if matches!(self.word(), Some("asm" | "__asm__" | "__asm")) {
            let message = "inline assembly outside of functions is not supported";
            return Err(self.check.error(message, self.place()));
        }
        self.declaration().map(|_| ())
    }

    /// A declaration; the statements that it becomes in a block.
    pub(super) fn declaration(&mut self) -> Checked<Vec<Stmt>> {
        let start = self.at;
        if self.static_assertion()? {
            return Ok(Vec::new());
        }
        if self.word().is_none() {
            return Err(self.unexpected("a declaration"));
        }
        let specifiers = self.specifiers()?;
        if self.eat(";") {
            if !specifiers.tagged {
                self.check.warn("this declares nothing", self.since(start));
            }
            return Ok(Vec::new());
        }
        let mut statements = Vec::new();
        let mut first = true;
        loop {
            let own = if first { start } else { self.at };
            let is_automatic = matches!(
                specifiers.storage,
                Storage::Unspecified | Storage::Automatic
            ) && !specifiers.thread_local;
            self.may_vary = is_automatic && !self.check.is_file_scope();
            let declarator = self.declarator(&specifiers.ty, specifiers.constant, Declares::Name);
            self.may_vary = false;
            let declarator = declarator?;
            if self.check.is_file_scope() {
                self.declarators.push(declarator.name.clone());
            }
            let attributes = specifiers.attributes.and(self.assembler_name()?);
            let name = declarator.name.clone();
            if declarator.ty.is_function() {
                self.before_function(&name, &attributes)?;
            }
            if first && self.is("{") && declarator.function.is_some() {
                self.definition(&specifiers, &declarator)?;
                self.attributed(&name, &attributes)?;
                return Ok(Vec::new());
            }
            if specifiers.storage == Storage::Typedef
                && let Some((_, align)) = self.check.layout(&declarator.ty)
                && attributes.align > align
            {
                let message = "the alignment of a `typedef` changes no sizes here";
                self.check.warn(message, declarator.place);
            }
            self.each = attributes.each;
            self.declared(&specifiers, declarator, own, &mut statements)?;
            self.attributed(&name, &attributes)?;
            first = false;
            if !self.eat(",") {
                break;
            }
        }
        if !self.eat(";") {
            return Err(match self.beside_declaration() {
                Some(at) => self.unknown_macro(at),
                None => self.unexpected("`,` or `;`"),
            });
        }
        if let Some(last) = statements.last_mut() {
            last.place = to(last.place, self.last_place());
        }
        Ok(statements)
    }

    /// `asm("name")` after a declarator, and attributes.
    fn assembler_name(&mut self) -> Checked<Attributes> {
        let mut attributes = self.attributes()?;
        if matches!(self.word(), Some("asm" | "__asm__" | "__asm")) {
            self.at += 1;
            self.skip_brackets()?;
            attributes = attributes.and(self.attributes()?);
        }
        Ok(attributes)
    }

    fn declared(
        &mut self,
        specifiers: &Specifiers,
        declarator: Declarator,
        start: usize,
        statements: &mut Vec<Stmt>,
    ) -> Checked<()> {
        if specifiers.storage == Storage::Typedef {
            return self.typedef(specifiers, declarator);
        }
        if declarator.ty.is_function() {
            if specifiers.thread_local {
                let message = "a function cannot be thread-local";
                return Err(self.check.error(message, declarator.place));
            }
            // A function's type may come from a typedef: then its parameters have no names here.
            let prototype = declarator.function.as_ref().is_none_or(|one| one.prototype);
            self.declare_function(&declarator, prototype)?;
            if self.is("=") {
                return Err(self.unexpected("`;`"));
            }
            return Ok(());
        }
        self.object(specifiers, declarator, start, statements)
    }

    /// Makes a function known, with or without a body; its number.
    pub(super) fn declare_function(
        &mut self,
        declarator: &Declarator,
        prototype: bool,
    ) -> Checked<usize> {
        let id = self.check.defined.get(&declarator.name).copied();
        self.check.declare_function(Declared {
            name: declarator.name.clone(),
            ty: declarator.ty.clone(),
            prototype,
            variadic: declarator
                .function
                .as_ref()
                .is_some_and(|function| function.variadic.is_some()),
            id,
            place: declarator.place,
        })
    }

    fn typedef(&mut self, specifiers: &Specifiers, mut declarator: Declarator) -> Checked<()> {
        if specifiers.thread_local {
            let message = "a type cannot be thread-local";
            return Err(self.check.error(message, declarator.place));
        }
        if let TypeKind::Struct(id) = declarator.ty.kind {
            let known = &mut self.check.unit.structs[id.0];
            if known.name.is_empty() {
                known.name.clone_from(&declarator.name);
                if let Some(shared) = self.check.shared_name(&declarator.name, id) {
                    declarator.ty.kind = TypeKind::Struct(shared);
                }
            }
        }
        let symbol = Symbol::Typedef(declarator.ty, declarator.constant);
        self.check
            .introduce(&declarator.name, symbol, declarator.place)
    }

    /// Reads `_Static_assert(e, "…");`, if it comes next.
    pub(super) fn static_assertion(&mut self) -> Checked<bool> {
        if !matches!(self.word(), Some("_Static_assert" | "static_assert"))
            || !self.is_after(1, "(")
        {
            return Ok(false);
        }
        self.at += 2;
        let value = self.full_assignment()?;
        let value = self.check.value(value)?;
        let holds = self
            .check
            .constant(&value, "what `_Static_assert` checks")?;
        let mut text = String::new();
        if self.eat(",") {
            let Some(TokenKind::String(message)) = self.kind() else {
                return Err(self.unexpected("a string"));
            };
            text = format!(": {message}");
            self.at += 1;
        }
        if holds == 0 {
            let message = format!("a static assertion fails{text}");
            return Err(self.check.certain(message, value.place));
        }
        self.expect(")")?;
        self.expect(";")?;
        Ok(true)
    }
}
