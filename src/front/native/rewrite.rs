//! Changes of a program as edits of its source text.
//!
//!   changes ──insertion points──▶ edits ──▶ text ──parse──▶ program ═══ program.changed(changes)
//!
//! Everything else stays byte for byte the same: comments, indentation, `//:` lines. A fence
//! becomes a statement where one is allowed, and otherwise goes before a value:
//! `while (fence, flag)`. A store becomes `xchg(x, e);`.
//!
//! One position in the text may correspond to several locations of the program: in a thread with
//! copies, or in a procedure that is called twice. An edit there changes all of them, so a change
//! is made together with the others at its position ([`SourceText::sites_alike`]) or not at all.
//!
//! **Invariant.** Every returned text has been parsed again, and the result is [`Program::changed`]
//! up to numbering and generated names (`canonical`). If no attempt passes, the result is
//! [`Unwritable`].
//!
//! **Incomplete:** the language cannot express a fence between the last load of a statement and the
//! use of its value, as in `r = x + y`. A fence with the only mention of a cell, in a text without
//! declarations, must stay.

mod words;
mod writer;

use super::ast::Item;
use super::lower::{InsertionPoint, InsertionPoints};
use super::{grammar, lower, parse};
use crate::program::{Change, Expr, Fence, LocId, Observable, Op, Program, Site, ThreadId};
use crate::text::expression::{balance, lex};
use crate::text::{
    Edits, Lines, Positions, Unwritable, implements_changes, observed, unwritable, written_labels,
};
use std::collections::{BTreeMap, BTreeSet};
use writer::{Replacement, Writer};

/// The text with these changes made and everything else unchanged. Requires that the program was
/// parsed from the text.
///
/// # Errors
///
/// The first change for which no edit of the text was found, and why: it is inside an atomic block,
/// at a point that the language cannot express, or in text that also stands for locations that do
/// not change.
pub(crate) fn rewrite(
    text: &str,
    program: &Program,
    changes: &[Change],
) -> Result<String, Unwritable> {
    match (SourceText::new(text, program), changes) {
        (Some(source), _) => source.rewrite(changes),
        (None, []) => Ok(text.to_owned()),
        (None, [first, ..]) => Err(unwritable(
            program,
            first,
            "the text does not match the program",
        )),
    }
}

/// A program together with its text.
pub(crate) struct SourceText<'a> {
    /// With line feeds at the ends of all lines.
    text: &'a str,
    program: &'a Program,
    /// Which of the two programs of the text this is.
    positions: Positions,
    observed: Vec<Expr<Observable>>,
    items: Vec<Item>,
    insertion_points: InsertionPoints,
    names: BTreeSet<String>,
}

impl<'a> SourceText<'a> {
    /// Parses the text again; `None` if it is not the text of the program.
    pub(crate) fn new(text: &'a str, program: &'a Program) -> Option<Self> {
        let parsed = parse(text);
        let positions = if parsed.program.as_ref() == Some(program) {
            Positions::Merged
        } else if parsed.apart.as_ref() == Some(program) {
            Positions::Apart
        } else {
            return None;
        };
        let mut silent = Vec::new();
        let words = balance(lex(text).tokens, &mut silent);
        let items = grammar::parse(text, &words, &mut silent).items;
        let lines = Lines::new(text);
        let insertion_points =
            lower::lower(&items, &[], &[], &lines, positions).into_insertion_points();
        let names = words::names(text);
        Some(Self {
            text,
            program,
            positions,
            observed: observed(parsed.expectations),
            items,
            insertion_points,
            names,
        })
    }

    /// All instructions of the same kind that are written at the same position as this one.
    pub(crate) fn sites_alike(&self, site: Site) -> Vec<Site> {
        let this = self.program.instruction(site);
        let kind = std::mem::discriminant(&this.op);
        let alike = self.program.sites().filter(|(_, other)| {
            other.origin == this.origin && std::mem::discriminant(&other.op) == kind
        });
        alike.map(|(site, _)| site).collect()
    }

    /// The text with these changes made. See [`rewrite`].
    ///
    /// # Errors
    ///
    /// As [`rewrite`].
    pub(crate) fn rewrite(&self, changes: &[Change]) -> Result<String, Unwritable> {
        let mut open: Vec<bool> = vec![true; changes.len()];
        let mut writer = self.writer();
        for (point, fences) in self.plan(changes, &mut open)? {
            writer.fences(point, &fences);
        }
        for (at, change) in changes.iter().enumerate() {
            if !open[at] {
                continue;
            }
            let refuse = |why: &str| Err(unwritable(self.program, change, why));
            let (Change::Exchange(site) | Change::Remove(site)) = change else {
                continue;
            };
            let own: Vec<Change> = self
                .sites_alike(*site)
                .into_iter()
                .map(|site| match change {
                    Change::Exchange(_) => Change::Exchange(site),
                    Change::Remove(_) | Change::Fence { .. } => Change::Remove(site),
                })
                .collect();
            for other in &own {
                let Some(found) = (0..changes.len()).find(|i| open[*i] && changes[*i] == *other)
                else {
                    return refuse(&self.shared(other));
                };
                open[found] = false;
            }
            let instruction = self.program.instruction(*site);
            let span = instruction.origin.start as usize..instruction.origin.end as usize;
            let tries: &[&dyn Fn(&mut Writer<'_>) -> bool] = match (change, &instruction.op) {
                (Change::Exchange(_), Op::Store { .. }) => &[&|writer| writer.exchange(&span)],
                (Change::Remove(_), Op::Fence(_)) => &[
                    &|writer| writer.remove(&span, Replacement::Nothing),
                    &|writer| writer.remove(&span, Replacement::Skip),
                ],
                _ => return refuse("the instruction is of a different kind"),
            };
            let right = tries.iter().find(|attempt| {
                let mut writer = self.writer();
                attempt(&mut writer) && self.edits_mean(&writer.edits, &own)
            });
            let Some(right) = right else {
                return refuse("the edited text would have a different meaning");
            };
            right(&mut writer);
        }
        match (writer.edits.apply(self.text), changes) {
            (Some(text), _) if self.text_means(&text, changes) => Ok(text),
            (_, []) => Ok(self.text.to_owned()),
            (_, [first, ..]) => Err(unwritable(
                self.program,
                first,
                "together with the other changes, the edited text would have a different meaning",
            )),
        }
    }

    /// Which fences to insert at which point, in the order of the text. Clears `open` for the
    /// changes that this covers.
    fn plan<'c>(
        &self,
        changes: &'c [Change],
        open: &mut [bool],
    ) -> Result<BTreeMap<InsertionPoint, Vec<&'c Fence>>, Unwritable> {
        let mut wanted = Vec::new();
        let mut right: BTreeMap<(InsertionPoint, &Fence), bool> = BTreeMap::new();
        for (at, change) in changes.iter().enumerate() {
            let Change::Fence { thread, loc, fence } = change else {
                continue;
            };
            if self.program.thread(*thread).location(*loc).atomic {
                let why = "it would be inside an atomic block";
                return Err(unwritable(self.program, change, why));
            }
            let mut insertion_points = self.insertion_points.at(*thread, *loc);
            insertion_points.retain(|(point, places)| {
                *right
                    .entry((*point, fence))
                    .or_insert_with(|| self.is_right(*point, places, fence))
            });
            let least = insertion_points
                .first()
                .map_or(0, |(_, places)| places.len());
            wanted.push((at, fence, insertion_points, least));
        }
        // Fences that can only be inserted together with many others come first.
        wanted.sort_by_key(|(.., least)| std::cmp::Reverse(*least));
        let mut plan: BTreeMap<InsertionPoint, Vec<(usize, &Fence)>> = BTreeMap::new();
        for (at, fence, insertion_points, _) in wanted {
            if !open[at] {
                continue;
            }
            let mut why = "no fence can be inserted at exactly this place".to_owned();
            let mut found = false;
            for (point, places) in insertion_points {
                let mut own = Vec::new();
                let mut missing = None;
                for change in fences(places, fence) {
                    match (0..changes.len()).find(|i| open[*i] && changes[*i] == change) {
                        Some(other) => own.push(other),
                        None => missing = missing.or(Some(change)),
                    }
                }
                if let Some(missing) = missing {
                    why = self.shared(&missing);
                    continue;
                }
                for other in own {
                    open[other] = false;
                }
                plan.entry(point).or_default().push((at, fence));
                found = true;
                break;
            }
            if !found {
                return Err(unwritable(self.program, &changes[at], why));
            }
        }
        let ordered = plan.into_iter().map(|(point, mut fences)| {
            // Of two fences at one location, the one listed last comes first.
            fences.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
            (point, fences.into_iter().map(|(_, fence)| fence).collect())
        });
        Ok(ordered.collect())
    }

    /// Whether a fence inserted at this point is at these locations and at no others.
    fn is_right(
        &self,
        point: InsertionPoint,
        places: &BTreeSet<(ThreadId, LocId)>,
        fence: &Fence,
    ) -> bool {
        let mut writer = self.writer();
        let changes: Vec<Change> = fences(places, fence).collect();
        writer.fences(point, &[fence]) && self.edits_mean(&writer.edits, &changes)
    }

    /// Why a change cannot be made without another one.
    fn shared(&self, other: &Change) -> String {
        let (thread, line) = match other {
            Change::Fence { thread, loc, .. } => {
                (thread, self.program.thread(*thread).location(*loc).origin)
            }
            Change::Exchange(site) | Change::Remove(site) => {
                (&site.thread, self.program.instruction(*site).origin)
            }
        };
        format!(
            "the same text also stands for a location of thread `{}` (line {}), which must not change",
            self.program.thread(*thread).name(),
            line.line
        )
    }

    fn writer(&self) -> Writer<'_> {
        Writer::new(self.text, &self.items, self.program, self.names.clone())
    }

    fn edits_mean(&self, edits: &Edits, changes: &[Change]) -> bool {
        edits
            .apply(self.text)
            .is_some_and(|text| self.text_means(&text, changes))
    }

    /// Whether a text means what the program is after these changes.
    fn text_means(&self, text: &str, changes: &[Change]) -> bool {
        let labels = written_labels(self.program);
        let mut again = parse(text);
        if self.positions == Positions::Apart {
            again.program = again.apart.take();
        }
        implements_changes(again, self.program, changes, &self.observed, &labels)
    }
}

/// The same fence at each of these locations.
fn fences<'f>(
    places: &'f BTreeSet<(ThreadId, LocId)>,
    fence: &'f Fence,
) -> impl Iterator<Item = Change> + use<'f> {
    places.iter().map(|(thread, loc)| Change::Fence {
        thread: *thread,
        loc: *loc,
        fence: fence.clone(),
    })
}

#[cfg(test)]
mod tests;
