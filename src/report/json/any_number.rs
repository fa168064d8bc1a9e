//! How a program with threads in any number of copies was decided, as JSON.

use crate::check::AnyNumber;
use schemars::JsonSchema;
use serde::Serialize;

/// How a program with threads in any number of copies was decided. A verdict that something holds is
/// then for every number of copies, and executions are those of an instance.
#[derive(JsonSchema, Serialize)]
pub(super) struct AnyNumberJson<'a> {
    /// The views that decided that something holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    views: Option<ViewsJson>,
    /// The number of counts that decided that something holds: configurations in which only no, one and many
    /// copies in each local state are told apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<usize>,
    /// The number of copies of each thread in the instance whose executions are shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    copies: Vec<CopiesJson<'a>>,
    /// All instances with up to this many copies, those of all threads together, were searched completely
    /// for what is undecided; 0 if there are none.
    searched: usize,
    /// Whether it was decided under SC, because the program is robust.
    through_robustness: bool,
}

#[derive(JsonSchema, Serialize)]
struct ViewsJson {
    /// The number of copies in each view.
    copies: usize,
    count: usize,
}

#[derive(JsonSchema, Serialize)]
pub(super) struct CopiesJson<'a> {
    thread: &'a str,
    copies: usize,
}

/// The number of copies of each thread.
pub(super) fn copies(copies: &[(String, usize)]) -> Vec<CopiesJson<'_>> {
    let copies = copies.iter();
    copies
        .map(|(thread, copies)| CopiesJson {
            thread,
            copies: *copies,
        })
        .collect()
}

/// How it was decided.
pub(super) fn any_number(any: &AnyNumber) -> AnyNumberJson<'_> {
    AnyNumberJson {
        views: any.views.map(|(copies, count)| ViewsJson { copies, count }),
        counts: any.counts,
        copies: copies(&any.copies),
        searched: any.searched,
        through_robustness: any.through_robustness,
    }
}
