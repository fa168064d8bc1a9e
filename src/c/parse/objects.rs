//! `__atomic_load` and the other built-in functions that take their operands by pointers, which is what
//! the headers of compilers make of `atomic_load`.

use super::Parser;
use crate::c::check::{Checked, Operand};
use crate::c::library;
use crate::c::token::{Place, TokenKind};

impl Parser<'_> {
    /// The rest of a call after its opening bracket, as a call of the function on values.
    pub(super) fn object_builtin(&mut self, start: usize) -> Checked<Operand> {
        let named = self.tokens[start].place;
        let object = self.full_assignment()?;
        self.expect(",")?;
        let word = match &self.tokens[start].kind {
            TokenKind::Word(word) => word.as_str(),
            TokenKind::Number(_)
            | TokenKind::Char(_)
            | TokenKind::String(_)
            | TokenKind::Punct(_) => "",
        };
        match word {
            "__atomic_load" => {
                let result = self.pointed()?;
                let orders = self.further()?;
                let value = self.on_values("__atomic_load_n", object, orders, named)?;
                self.check.assign(result, value)
            }
            "__atomic_store" => {
                let mut values = vec![self.pointed()?];
                values.extend(self.further()?);
                self.on_values("__atomic_store_n", object, values, named)
            }
            "__atomic_exchange" => {
                let mut values = vec![self.pointed()?];
                self.expect(",")?;
                let result = self.pointed()?;
                values.extend(self.further()?);
                let value = self.on_values("__atomic_exchange_n", object, values, named)?;
                self.check.assign(result, value)
            }
            _ => {
                let mut values = vec![self.full_assignment()?];
                self.expect(",")?;
                values.push(self.pointed()?);
                values.extend(self.further()?);
                self.on_values("__atomic_compare_exchange_n", object, values, named)
            }
        }
    }

    /// What an argument points to. The variable in `&x` is not accessed through a pointer.
    fn pointed(&mut self) -> Checked<Operand> {
        if self.eat("&") {
            return self.unary();
        }
        let place = self.place();
        let pointer = self.full_assignment()?;
        self.check.dereference(pointer, place)
    }

    /// The arguments that follow.
    fn further(&mut self) -> Checked<Vec<Operand>> {
        let mut arguments = Vec::new();
        while self.eat(",") {
            arguments.push(self.full_assignment()?);
        }
        Ok(arguments)
    }

    fn on_values(
        &mut self,
        name: &str,
        object: Operand,
        values: Vec<Operand>,
        named: Place,
    ) -> Checked<Operand> {
        let Some(entry) = library::find(name) else {
            return Err(self.unexpected("another function"));
        };
        let mut arguments = vec![object];
        arguments.extend(values);
        let end = self.place();
        self.check
            .call(Operand::Library(entry, named), arguments, end)
    }
}
