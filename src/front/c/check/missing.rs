//! Functions without a body here: what the user says of them, and what is said to the user.

use super::{Checked, Checker, INT, Operand, VOID, expr, pointer, unqualified};
use crate::c::headers;
use crate::c::library;
use crate::lower::operation::{Meaning, Operation};
use crate::lower::typed::{Callee, Expr, ExprKind, FunctionId, Type, TypeKind};
use crate::text::{CallModel, Diagnostic, Place, nearest};

/// A call that violates a property.
static FAILS: Operation = Operation {
    name: "a function that is modelled",
    meaning: Meaning::Fail,
};

/// A call that does nothing.
static IGNORED: Operation = Operation {
    name: "a function that is modelled",
    meaning: Meaning::Ignore,
};

/// Calls that return any value of an integer type: its size in bits, whether it has a sign.
static ANY: [(u8, bool, Operation); 7] = [
    (1, false, any(0, 1)),
    (8, true, any(-128, 127)),
    (8, false, any(0, 255)),
    (16, true, any(-32_768, 32_767)),
    (16, false, any(0, 65_535)),
    (32, true, any(i32::MIN, i32::MAX)),
    (32, false, any(i32::MIN, i32::MAX)),
];

const fn any(low: i32, high: i32) -> Operation {
    Operation {
        name: "a function that is modelled",
        meaning: Meaning::Nondet { low, high },
    }
}

/// The operation that yields any value of a type.
pub(super) fn any_value(ty: &Type) -> Option<&'static Operation> {
    if ty.is_float() {
        return Some(&IGNORED);
    }
    let width = ty.width().filter(|_| ty.is_integer())?;
    let mut all = ANY.iter();
    let found = all.find(|(bits, signed, _)| (u32::from(*bits), *signed) == width);
    found.map(|(_, _, operation)| operation)
}

/// The errors about functions that have neither a body nor a meaning begin like this, with the name after it.
const UNKNOWN_FUNCTION: &str = "unknown function `";

/// What can be done about a function that no header defines.
const NO_BODY: &str = "define it, even if its body does nothing, or name the file that does, too: \
                       `fencepost check a.c b.c`; or say what it does: `--model-call NAME=nondet`, `nothing` or \
                       `violation`";

/// The options that give a meaning to all functions without one, said with the first of them instead of with each.
pub(crate) fn with_all_models(diagnostics: &mut [Diagnostic]) {
    let name_of = |one: &Diagnostic| -> Option<String> {
        let name = one.message.strip_prefix(UNKNOWN_FUNCTION)?;
        let has_note = one.notes.iter().any(|note| note == NO_BODY);
        has_note.then(|| name.trim_end_matches('`').to_owned())
    };
    let names: Vec<String> = diagnostics.iter().filter_map(name_of).collect();
    if names.len() < 2 {
        return;
    }
    let options = names.iter();
    let options: Vec<String> = options
        .map(|name| format!("--model-call {name}=nondet"))
        .collect();
    let mut all = Some(format!(
        "define them, even if their bodies do nothing, or name the files that do, too: `fencepost check a.c b.c`; or \
         say what each does, `nondet`, `nothing` or `violation`: `{}`",
        options.join(" ")
    ));
    for one in diagnostics {
        if name_of(one).is_some() {
            one.notes.retain(|note| note != NO_BODY);
            one.notes.extend(all.take());
        }
    }
}

/// Functions of libraries whose addresses programs pass, each a function of an address: those in C that call them.
const ADDRESSED: [(&str, &str); 1] = [("free", "__fencepost_free")];

/// The function in C that calls one of a library where its address is needed.
pub(crate) fn in_c(name: &str) -> Option<&'static str> {
    let found = ADDRESSED.iter().find(|(known, _)| *known == name);
    found.map(|(_, own)| *own)
}

impl Checker<'_> {
    /// The function in C that calls one of a library, if the text names that as a value.
    pub(super) fn in_c(&self, name: &str) -> Option<FunctionId> {
        self.defined.get(in_c(name)?).copied()
    }

    /// What stands for the value of a call that was reported, so that more of its statement is looked at.
    pub(super) fn instead(&self, number: usize, place: Place) -> Option<Operand> {
        let TypeKind::Function(returns, _) = &self.functions[number].ty.kind else {
            return None;
        };
        let is_value = returns.is_void() || returns.is_integer() || returns.pointee().is_some();
        let zero = || expr(ExprKind::Const(0), unqualified(returns), place);
        is_value.then(|| Operand::Value(zero()))
    }

    /// What stands for a function that was reported: it takes anything, and returns an `int`.
    pub(super) fn some_function(place: Place) -> Expr {
        let kind = TypeKind::Function(Box::new(INT), Vec::new());
        let ty = pointer(Type { kind, ..VOID });
        expr(ExprKind::Const(0), ty, place)
    }

    /// A call of a function without a body of which the user says what it does.
    pub(super) fn call_modelled(
        &mut self,
        number: usize,
        model: CallModel,
        arguments: Vec<Operand>,
        place: Place,
    ) -> Checked<Operand> {
        let declared = &self.functions[number];
        let (ty, open) = (declared.ty.clone(), !declared.prototype);
        let name = format!("`{}`", declared.name);
        let (returns, arguments) = self.arguments(&ty, arguments, open, &name, place)?;
        let does = match model {
            CallModel::Violation => "violates a property",
            CallModel::Nothing => "does nothing",
            CallModel::Nondet => "returns any value of its type, and does nothing else",
        };
        let operation = match model {
            CallModel::Violation => &FAILS,
            CallModel::Nothing | CallModel::Nondet if returns.is_void() => &IGNORED,
            CallModel::Nothing => {
                let message = format!("{name} returns a value, and is said to do nothing");
                let note = "say `nondet` if any value of its type may be returned";
                return Err(self.error_with(message, place, note));
            }
            CallModel::Nondet => {
                let Some(operation) = any_value(&returns) else {
                    let shown = self.show(&returns);
                    let message = format!("no call has any value of type `{shown}`");
                    let note = "only integers of up to 32 bits do: give the function a body";
                    return Err(self.error_with(message, place, note));
                };
                operation
            }
        };
        self.warn(format!("{name} {does} here, as it is told to"), place);
        let kind = ExprKind::Call(Callee::Library(operation), arguments);
        Ok(Operand::Value(expr(kind, returns, place)))
    }

    /// Whether a function is weak, and neither defined nor known: its address is null.
    pub(super) fn is_absent(&self, number: usize) -> bool {
        let declared = &self.functions[number];
        let name = &declared.name;
        declared.id.is_none()
            && self.weak.contains(name)
            && library::find(name).is_none()
            && !self.models.contains_key(name)
    }

    /// The number of a declared function, which must have a body.
    pub(crate) fn with_body(&mut self, number: usize, place: Place) -> Checked<FunctionId> {
        let declared = &self.functions[number];
        if let Some(id) = declared.id {
            return Ok(id);
        }
        let name = declared.name.clone();
        if let Some(id) = self.in_c(&name) {
            return Ok(id);
        }
        if library::find(&name).is_some() {
            return Err(self.error_with(
                format!("the library function `{name}` can only be called"),
                place,
                "write a function that calls it, and use that one",
            ));
        }
        let declaration = declared.place;
        Err(self.unknown_function(&name, place, Some(declaration)))
    }

    /// Reports a call of a function that has no meaning.
    pub(crate) fn unknown_function(
        &mut self,
        name: &str,
        place: Place,
        declaration: Option<Place>,
    ) -> super::Reported {
        if self.poisoned.contains(name) {
            return super::Reported(());
        }
        let mut known: Vec<&str> = self.defined.keys().map(String::as_str).collect();
        known.extend(library::names().map(|name| -> &str { name }));
        let near = nearest(name, known.into_iter().filter(|near| *near != name));
        let label = match near.filter(|_| declaration.is_none()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "it has no body here and is no known library function".to_owned(),
        };
        let note = match headers::defining(name) {
            Some(header) => format!("`#include <{header}>` defines it"),
            None => NO_BODY.to_owned(),
        };
        let mut error = Diagnostic::error(format!("{UNKNOWN_FUNCTION}{name}`"), self.span(place))
            .label(label)
            .note(note);
        if let Some(declaration) = declaration {
            error = error.other(self.span(declaration), "declared here, without a body");
        }
        self.report(error)
    }
}
