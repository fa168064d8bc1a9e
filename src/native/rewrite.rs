//! Changes of a program as edits of the text that it was read from.
//!
//!   changes ──spots──▶ edits ──▶ text ──parse──▶ program ═══ program.changed(changes)
//!
//! Everything that is not changed stays byte for byte as it was: comments, indentation, `//:`
//! lines. A fence becomes a statement where one can stand, else it goes in front of a value:
//! `while (fence, flag)`. A store becomes `xchg(x, e);`.
//!
//! One place in the text may stand for several in the program: a thread with copies, a procedure
//! that is called twice. What is written there changes all of them, so a change is written together
//! with the others of its place in the text ([`SourceText::sites_alike`]) or not at all.
//!
//! **Invariant.** Whatever is tried, the text that comes out has been read back, and what it says
//! is [`Program::changed`], up to numbers and names that nobody wrote (`same`). Where no attempt
//! passes, the answer is [`Unwritable`].
//!
//! **Incomplete:** fences between the last load of a statement and what it does with the value, as
//! in `r = x + y`, have no form in the language. A fence that alone mentions a cell, in a text that
//! declares none, must stay.

mod writer;

use super::ast::Item;
use super::lower::{Spot, Spots};
use super::{grammar, lower, parse};
use crate::program::{Change, Expr, Fence, LocId, Observable, Op, Program, Site, ThreadId};
use crate::text::expression::{balance, lex};
use crate::text::{
    Edits, Lines, Positions, Unwritable, is_meant, observed, unwritable, written_labels,
};
use std::collections::{BTreeMap, BTreeSet};
use writer::{Instead, Writer};

/// The text with these changes made, and everything else as it was. Requires that the program was
/// read from the text.
///
/// # Errors
///
/// The first change for which no edit of the text was found, and why: it lies inside an atomic
/// block, in the midst of what the language cannot interrupt, or in text that stands for more than
/// the changes name.
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
            "the text is not that of the program",
        )),
    }
}

/// A program together with its text.
pub(crate) struct SourceText<'a> {
    /// With line feeds at the ends of all lines.
    text: &'a str,
    program: &'a Program,
    /// Of which program of the text this is one.
    positions: Positions,
    observed: Vec<Expr<Observable>>,
    items: Vec<Item>,
    spots: Spots,
    names: BTreeSet<String>,
}

impl<'a> SourceText<'a> {
    /// Reads the text again; none if it is not the text of the program.
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
        let spots = lower::lower(&items, &[], &[], &lines, positions).into_spots();
        let names = writer::names(text);
        Some(Self {
            text,
            program,
            positions,
            observed: observed(parsed.expectations),
            items,
            spots,
            names,
        })
    }

    /// All instructions that are written where this one is and do the same kind of thing.
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
        for (spot, fences) in self.plan(changes, &mut open)? {
            writer.fences(spot, &fences);
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
                    &|writer| writer.remove(&span, Instead::Nothing),
                    &|writer| writer.remove(&span, Instead::Skip),
                ],
                _ => return refuse("the instruction is of another kind"),
            };
            let right = tries.iter().find(|attempt| {
                let mut writer = self.writer();
                attempt(&mut writer) && self.says(&writer.edits, &own)
            });
            let Some(right) = right else {
                return refuse("the text would mean something else");
            };
            right(&mut writer);
        }
        match (writer.edits.apply(self.text), changes) {
            (Some(text), _) if self.reads(&text, changes) => Ok(text),
            (_, []) => Ok(self.text.to_owned()),
            (_, [first, ..]) => Err(unwritable(
                self.program,
                first,
                "together with the other changes it would mean something else",
            )),
        }
    }

    /// Which fences to write where, in the order of the text of each spot. Closes the changes that
    /// are covered by that.
    fn plan<'c>(
        &self,
        changes: &'c [Change],
        open: &mut [bool],
    ) -> Result<BTreeMap<Spot, Vec<&'c Fence>>, Unwritable> {
        let mut wanted = Vec::new();
        let mut right: BTreeMap<(Spot, &Fence), bool> = BTreeMap::new();
        for (at, change) in changes.iter().enumerate() {
            let Change::Fence { thread, loc, fence } = change else {
                continue;
            };
            if self.program.thread(*thread).location(*loc).atomic {
                let why = "it would stand inside an atomic block";
                return Err(unwritable(self.program, change, why));
            }
            let mut spots = self.spots.at(*thread, *loc);
            spots.retain(|(spot, places)| {
                *right
                    .entry((*spot, fence))
                    .or_insert_with(|| self.is_right(*spot, places, fence))
            });
            let least = spots.first().map_or(0, |(_, places)| places.len());
            wanted.push((at, fence, spots, least));
        }
        // What can only be written together with much else is written first.
        wanted.sort_by_key(|(.., least)| std::cmp::Reverse(*least));
        let mut plan: BTreeMap<Spot, Vec<(usize, &Fence)>> = BTreeMap::new();
        for (at, fence, spots, _) in wanted {
            if !open[at] {
                continue;
            }
            let mut why = "no fence can be written at exactly this place".to_owned();
            let mut found = false;
            for (spot, places) in spots {
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
                plan.entry(spot).or_default().push((at, fence));
                found = true;
                break;
            }
            if !found {
                return Err(unwritable(self.program, &changes[at], why));
            }
        }
        let ordered = plan.into_iter().map(|(spot, mut fences)| {
            // Of two fences at one location the one named last comes first.
            fences.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
            (spot, fences.into_iter().map(|(_, fence)| fence).collect())
        });
        Ok(ordered.collect())
    }

    /// Whether a fence written at a spot stands at these locations, and nowhere else.
    fn is_right(&self, spot: Spot, places: &BTreeSet<(ThreadId, LocId)>, fence: &Fence) -> bool {
        let mut writer = self.writer();
        let changes: Vec<Change> = fences(places, fence).collect();
        writer.fences(spot, &[fence]) && self.says(&writer.edits, &changes)
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
            "the same words also stand for a place of thread `{}` (line {}), which is not to change",
            self.program.thread(*thread).name(),
            line.line
        )
    }

    fn writer(&self) -> Writer<'_> {
        Writer::new(self.text, &self.items, self.program, self.names.clone())
    }

    fn says(&self, edits: &Edits, changes: &[Change]) -> bool {
        edits
            .apply(self.text)
            .is_some_and(|text| self.reads(&text, changes))
    }

    /// Whether a text says what the program is after these changes.
    fn reads(&self, text: &str, changes: &[Change]) -> bool {
        let labels = written_labels(self.program);
        let mut again = parse(text);
        if self.positions == Positions::Apart {
            again.program = again.apart.take();
        }
        is_meant(again, self.program, changes, &self.observed, &labels)
    }
}

/// The same fence at each of these places.
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
