//! The invariant of the inductive engine in text.

use super::super::Detail;
use super::super::view::InvariantView;
use super::super::writer::Writer;
use crate::model::Model;

/// How the engine proved what holds, and the clauses if they are listed.
pub(super) fn invariant(out: &mut dyn Writer, model: Model, view: &InvariantView) {
    let clauses = match view.clauses {
        1 => "1 clause".to_owned(),
        count => format!("{count} clauses"),
    };
    let robust = if model.relaxes_store_load() {
        format!(", and the program is robust under {model}, so {model} adds no behaviour")
    } else {
        String::new()
    };
    let list = if view.excluded.is_some() || out.detail() == Detail::Verdict {
        ""
    } else {
        " (`--show-invariant` lists them.)"
    };
    out.blank();
    out.paragraph(&format!(
        "Proved by induction, with an invariant of {clauses}{robust}.{list}"
    ));
    if let Some(clauses) = &view.excluded {
        out.paragraph("No reachable state between two visible steps satisfies one of these lines:");
        for clause in clauses {
            out.item(&clause.join(" && "));
        }
    }
}
