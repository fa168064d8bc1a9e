//! Errors that are set aside: what a program cannot execute never refuses it.
//!
//! The diagnostics of each declaration of a file are kept with what it declares: those of a function with
//! the function, those of a type or an object with its name. They are reported if that is reached from the
//! entry: a name is when something that is reached uses it. So an error in one declaration is an error in
//! those that use it, too, and where it is reported, it is so once, at its own place.
//!
//! Some are errors whether or not something uses them: an assertion that fails, which says that the text is
//! meant for another machine, a tag with two meanings, and functions that are executed without being called
//! (constructors).

use super::reach::Reached;
use super::{Checker, Reported, STARTS, Symbol};
use crate::lower::typed::{FunctionId, ObjectId, StructId};
use crate::text::{Diagnostic, Place, Severity};
use std::collections::BTreeMap;

/// What is reported only if it is reached.
#[derive(Default, Debug)]
pub(crate) struct Aside {
    /// In the definitions of functions, warnings as well.
    functions: BTreeMap<FunctionId, Vec<Diagnostic>>,
    /// The first error in the declarations of these objects.
    objects: BTreeMap<ObjectId, Diagnostic>,
    /// The first error in the declarations of these names in the present unit.
    pub(super) names: BTreeMap<String, Diagnostic>,
    /// The first error in the members of these structures.
    structs: BTreeMap<StructId, Diagnostic>,
    /// In declarations that declare no function with a body.
    all: Vec<Diagnostic>,
    /// What is reported in any case.
    certain: Vec<Diagnostic>,
}

impl Checker<'_> {
    /// What was set aside about a function is about this copy of it, too.
    pub(super) fn share_aside(&mut self, id: FunctionId, copy: FunctionId) {
        if let Some(all) = self.aside.functions.get(&id).cloned() {
            self.aside.functions.insert(copy, all);
        }
    }

    /// Keeps the diagnostics of a function's definition.
    pub(crate) fn set_aside_function(&mut self, id: FunctionId, all: Vec<Diagnostic>) {
        if all.is_empty() {
            return;
        }
        self.aside.functions.entry(id).or_default().extend(all);
    }

    /// Keeps the diagnostics of another declaration of these names.
    pub(crate) fn set_aside_names(&mut self, names: Vec<String>, all: Vec<Diagnostic>) {
        let first = all.iter().find(|one| one.severity == Severity::Error);
        if let Some(first) = first {
            for name in names {
                // What was declared before may have been used before, and in other units.
                match self.scopes[0].names.get(&name) {
                    Some((Symbol::Object(id, _), _)) => {
                        let known = self.aside.objects.entry(*id);
                        known.or_insert_with(|| first.clone());
                    }
                    Some((Symbol::Function(number), _)) => {
                        if let Some(id) = self.functions[*number].id {
                            let own = self.aside.functions.entry(id).or_default();
                            own.push(first.clone());
                        }
                    }
                    Some(_) | None => {}
                }
                let known = self.aside.names.entry(name);
                known.or_insert_with(|| first.clone());
            }
        }
        self.aside.all.extend(all);
    }

    /// Keeps them for the structures that they are about, which are incomplete then.
    pub(crate) fn set_aside_structs(&mut self, all: &[Diagnostic]) {
        let first = all.iter().find(|one| one.severity == Severity::Error);
        for id in std::mem::take(&mut self.broken) {
            let known = &mut self.unit.structs[id.0];
            known.layout = None;
            known.members.clear();
            known.fields.clear();
            if let Some(first) = first {
                let known = self.aside.structs.entry(id);
                known.or_insert_with(|| first.clone());
            }
        }
    }

    /// Reports again what are no errors.
    pub(crate) fn remark(&mut self, all: Vec<Diagnostic>) {
        self.diagnostics.extend(all);
    }

    /// Whether a name of the file is that of a function.
    pub(crate) fn is_function(&self, name: &str) -> bool {
        let known = self.scopes[0].names.get(name);
        matches!(known, Some((Symbol::Function(_), _)))
    }

    /// Reports an error that is one in any case, unless it is in a function.
    pub(crate) fn certain(&mut self, message: String, place: Place) -> Reported {
        let error = Diagnostic::error(message, self.span(place));
        if self.is_file_scope() {
            self.aside.certain.push(error.clone());
        }
        self.report(error)
    }

    /// Reports that a name has two meanings. Other units use it, too: there it is an error in any case.
    pub(crate) fn conflict(&mut self, error: Diagnostic) -> Reported {
        if self.link.unit > 0 && self.is_file_scope() {
            self.aside.certain.push(error.clone());
        }
        self.report(error)
    }

    /// Reports the first error in the declaration of a name, if there is one.
    pub(crate) fn is_aside(&mut self, name: &str) -> Option<Reported> {
        let error = self.aside.names.get(name)?.clone();
        Some(self.report(error))
    }

    /// Reports the first error in a structure's members, if there is one.
    pub(crate) fn is_struct_aside(&mut self, id: StructId) -> Option<Reported> {
        let error = self.aside.structs.get(&id)?.clone();
        Some(self.report(error))
    }

    /// Reports what is about what is reached, each once and in the order of the text; or everything. If the user asks
    /// for it, the rest are warnings.
    pub(super) fn report_aside(&mut self, reached: &Reached, everything: bool, explain: bool) {
        let aside = std::mem::take(&mut self.aside);
        let mut found = aside.certain;
        let mut rest = Vec::new();
        for (id, own) in aside.functions {
            if everything || reached.functions.contains(&id) {
                let names = reached.chain(id).into_iter();
                let names = names.map(|id| self.unit.functions[id.0].name.as_str());
                let names: Vec<&str> = names.filter(|name| *name != STARTS).collect();
                found.extend(own.into_iter().map(|one| one.through(&names)));
            } else {
                rest.extend(own);
            }
        }
        for (id, own) in aside.objects {
            let is_reached = reached.objects.contains(&id);
            let list = if is_reached { &mut found } else { &mut rest };
            list.push(own);
        }
        let list = if everything { &mut found } else { &mut rest };
        list.extend(aside.all);
        for one in in_order(&found) {
            if one.severity == Severity::Error {
                self.report(one);
            } else {
                self.diagnostics.push(one);
            }
        }
        let is_error = |one: &Diagnostic| one.severity == Severity::Error;
        let is_new = |one: &Diagnostic| !found.iter().any(|other| same(one, other));
        rest.retain(|one| explain && is_error(one) && is_new(one));
        self.diagnostics
            .extend(in_order(&rest).into_iter().map(|one| Diagnostic {
                severity: Severity::Warning,
                message: format!("not needed, and not read: {}", one.message),
                ..one
            }));
    }
}

fn same(a: &Diagnostic, b: &Diagnostic) -> bool {
    a.span == b.span && a.message == b.message
}

/// Each once, in the order of the text.
fn in_order(all: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut all: Vec<&Diagnostic> = all.iter().collect();
    all.sort_by_key(|one| one.span.start);
    let mut found: Vec<Diagnostic> = Vec::new();
    for one in all {
        let here = found.iter().rev();
        let mut here = here.take_while(|other| other.span.start == one.span.start);
        if !here.any(|other| same(one, other)) {
            found.push(one.clone());
        }
    }
    found
}
