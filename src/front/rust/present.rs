//! Which parts of items and functions are compiled: those whose conditions hold.

use super::unit::{Res, Translator};

impl<'a> Translator<'a> {
    /// Whether the conditions among these attributes hold.
    pub(super) fn is_there(&mut self, attributes: &[syn::Attribute]) -> Res<bool> {
        let holds = self.names.holds_all(attributes);
        holds.map_err(|error| self.report(error))
    }

    /// The parameters of a function whose conditions hold.
    pub(super) fn inputs(&mut self, of: &'a syn::Signature) -> Res<Vec<&'a syn::FnArg>> {
        let mut inputs = Vec::new();
        for input in &of.inputs {
            let attributes = match input {
                syn::FnArg::Receiver(input) => &input.attrs,
                syn::FnArg::Typed(input) => &input.attrs,
            };
            if self.is_there(attributes)? {
                inputs.push(input);
            }
        }
        Ok(inputs)
    }
}
