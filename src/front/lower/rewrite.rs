//! Changes of a program back into a text, for the languages that are lowered here: where fences and stronger
//! stores are written, and that the result has the meaning asked for.
//!
//! A language says how it writes them ([`Words`]).
//!
//! **Invariant.** The result was parsed again, and is the program after the changes up to numbering and
//! steps that do nothing.

mod files;

pub(crate) use files::{TextFiles, afterwards, edited, rewritten};

use super::{Form, Spots};
use crate::program::{
    Change, Expr, Fence, Instruction, LocId, Observable, Op, Origin, Program, Site, ThreadId,
};
use crate::text::{
    Compiler, Edits, Layer, Parsed, Span, Unwritable, implements_changes, observed, unwritable,
};
use std::collections::BTreeMap;

/// What is written around a text.
pub(crate) struct Around {
    /// What is before it, with the calls.
    pub(crate) open: String,
    /// What is after it, if anything is.
    pub(crate) close: Option<(Layer, &'static str)>,
}

/// `f();`, for each call.
fn statements(calls: &[String]) -> Vec<String> {
    calls.iter().map(|call| format!("{call};")).collect()
}

/// `{ f(); g(); `
pub(crate) fn opened_block(calls: &[String]) -> String {
    format!("{{ {} ", statements(calls).join(" "))
}

/// How a language writes fences and stronger stores.
pub(crate) trait Words {
    /// The name of the language.
    fn language(&self) -> &'static str;

    /// A call that is this fence, at this position; `None` if there is none.
    fn call(&self, fence: &Fence, at: usize) -> Option<String>;

    /// What has to be around the text at a position so that these calls precede it; `None` if they can be
    /// statements before it.
    fn around(&self, text: &str, start: usize, form: Form, calls: &[String]) -> Option<Around>;

    /// Inserts calls before what is here in the text.
    fn insert(
        &self,
        edits: &mut Edits,
        text: &str,
        (start, end): (usize, usize),
        form: Form,
        calls: &[String],
    ) {
        let is_end = form == Form::Statement && text[start..end] == *"}";
        let around = self.around(text, start, form, calls).filter(|_| !is_end);
        match around {
            Some(Around { open, close }) => {
                edits.insert(start, Layer::Around, open);
                if let Some((layer, words)) = close {
                    edits.insert(end, layer, words);
                }
            }
            None if is_end => edits.insert_at_end(text, start, &statements(calls)),
            None => edits.insert_before(text, start, &statements(calls)),
        }
    }

    /// What fences at these positions need elsewhere: where it is inserted, and what.
    fn imports(&self, _places: &[usize]) -> Vec<(usize, String)> {
        Vec::new()
    }

    /// The replacements that make the store in this text an exchange; `None` if there are none.
    fn strengthened(&self, text: &str) -> Option<Vec<(Span, String)>>;

    /// The replacements that make the weaker fence in this text a full one; `None` if there are none.
    fn strengthened_fence(&self, text: &str) -> Option<Vec<(Span, String)>>;
}

/// What is edited, by its position in the text.
#[derive(Default)]
pub(crate) struct Places {
    /// Where fences are inserted: where that ends which follows, what that is, and the calls.
    pub(crate) fences: BTreeMap<usize, (usize, Form, Vec<String>)>,
    /// What is replaced, and by what.
    pub(crate) stronger: BTreeMap<(usize, usize), String>,
    /// The weaker fences that become the ones inserted beside them.
    replaced: Vec<Site>,
}

impl Places {
    /// What the edits change in the program.
    fn changes(&self, wanted: &[Change]) -> Vec<Change> {
        let replaced = self.replaced.iter().copied().map(Change::Remove);
        wanted.iter().cloned().chain(replaced).collect()
    }
}

/// What replaces parts of a text, which are from one position to another.
type Replacements = Vec<((usize, usize), String)>;

/// A text that is to be edited.
pub(crate) struct Written<'w> {
    pub(crate) program: &'w Program,
    pub(crate) spots: &'w Spots,
    pub(crate) words: &'w dyn Words,
    /// Why an edit at a place is refused.
    pub(crate) refused: &'w dyn Fn(Origin) -> Option<String>,
    /// What is written at a place.
    pub(crate) text: &'w dyn Fn(Origin) -> Option<&'w str>,
}

/// A text that is one file with these changes made: `parse` reads it for a compiler, and finds its
/// positions.
///
/// # Errors
///
/// The first change that no edit of the text makes, and why.
pub(crate) fn rewrite_text(
    text: &str,
    program: &Program,
    changes: &[Change],
    words: &dyn Words,
    parse: &dyn Fn(&str, Compiler) -> (Parsed, Spots),
) -> Result<String, Unwritable> {
    let Some(first) = changes.first() else {
        return Ok(text.to_owned());
    };
    let matching = |compiler| {
        let (parsed, spots) = parse(text, compiler);
        let which = same(&parsed, program)?;
        Some((compiler, parsed, spots, which))
    };
    let Some((compiler, parsed, spots, which)) = Compiler::ALL.into_iter().find_map(matching)
    else {
        return Err(unwritable(program, first, OTHER_TEXT));
    };
    let written = Written {
        program,
        spots: &spots,
        words,
        refused: &|_| None,
        text: &|origin| text.get(origin.start as usize..origin.end as usize),
    };
    let edit = |places: &Places| {
        let mut edits = Edits::default();
        for (start, (end, form, calls)) in &places.fences {
            words.insert(&mut edits, text, (*start, *end), *form, calls);
        }
        for ((start, end), new) in &places.stronger {
            edits.replace(*start..*end, Layer::Within, new);
        }
        let starts: Vec<usize> = places.fences.keys().copied().collect();
        for (at, import) in words.imports(&starts) {
            edits.insert(at, Layer::CloseOuter, import);
        }
        edits.apply(text)
    };
    let before = observed(parsed.expectations);
    written.edited(changes, edit, |out, changes| {
        implements(parse(out, compiler).0, which, program, changes, &before)
    })
}

pub(crate) const OTHER_TEXT: &str = "the text is not that of the program";
const OTHER_MEANING: &str = "the text would mean something else";

/// Which of the two programs of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    Merged,
    Apart,
}

/// Which of the programs of a text this one is.
pub(crate) fn same(parsed: &Parsed, program: &Program) -> Option<Which> {
    if parsed.program.as_ref() == Some(program) {
        Some(Which::Merged)
    } else if parsed.apart.as_ref() == Some(program) {
        Some(Which::Apart)
    } else {
        None
    }
}

/// Whether a text that was read again is the program with these changes.
pub(crate) fn implements(
    mut again: Parsed,
    which: Which,
    program: &Program,
    changes: &[Change],
    observed_before: &[Expr<Observable>],
) -> bool {
    if which == Which::Apart {
        again.program = again.apart.take();
    }
    let again = Parsed {
        program: again.program.map(|program| program.without_places()),
        ..again
    };
    let released = changes.iter().filter_map(|change| match change {
        Change::Exchange(site) => released(program, *site).map(Change::Remove),
        Change::Fence { .. } | Change::Remove(_) => None,
    });
    let changes: Vec<Change> = changes.iter().cloned().chain(released).collect();
    let program = program.without_places();
    implements_changes(again, &program, &changes, observed_before, &[])
}

impl Written<'_> {
    /// The text after these changes, as `edit` makes them, if it has that meaning: that of the program after the
    /// changes that are given. A weaker fence may be executed elsewhere, too, so that a stronger one would be
    /// another program; then the fence is inserted beside it.
    ///
    /// # Errors
    ///
    /// The first change that no edit of the text makes, and why.
    pub(crate) fn edited<R>(
        &self,
        changes: &[Change],
        edit: impl Fn(&Places) -> Option<R>,
        is_meant: impl Fn(&R, &[Change]) -> bool,
    ) -> Result<R, Unwritable> {
        for replaces in [true, false] {
            let places = self.places(changes, replaces)?;
            let all = places.changes(changes);
            if let Some(edited) = edit(&places).filter(|edited| is_meant(edited, &all)) {
                return Ok(edited);
            }
            if places.replaced.is_empty() {
                break;
            }
        }
        Err(unwritable(self.program, &changes[0], OTHER_MEANING))
    }

    /// Where these changes insert what, and whether weaker fences are replaced.
    fn places(&self, changes: &[Change], replaces: bool) -> Result<Places, Unwritable> {
        let program = self.program;
        let mut places = Places::default();
        for change in changes {
            let refuse = |why: &str| Err(unwritable(program, change, why));
            let (thread, loc, fence) = match change {
                Change::Fence { thread, loc, fence } => (thread, loc, fence),
                Change::Exchange(site) => {
                    let origin = program.instruction(*site).origin;
                    if let Some(why) = (self.refused)(origin) {
                        return refuse(&why);
                    }
                    let Some(edits) = self.stronger(origin) else {
                        return refuse("the text has no stronger form of this store");
                    };
                    places.stronger.extend(edits);
                    continue;
                }
                Change::Remove(_) => {
                    let language = self.words.language();
                    return refuse(&format!("no fence is removed from a {language} program"));
                }
            };
            let automaton = program.thread(*thread);
            let leaving = automaton.outgoing(*loc);
            let mut position = leaving.iter().map(|&instr| automaton.instruction(instr));
            let Some(position) = position.find(|i| i.op == Op::Skip && i.origin.line > 0) else {
                return refuse("no statement of the text begins here");
            };
            let refuse = |why: &str| {
                let refused = unwritable(program, change, why);
                Err(Unwritable {
                    origin: position.origin,
                    file: program.short_file(position.origin).map(str::to_owned),
                    ..refused
                })
            };
            let start = position.origin.start as usize;
            let Some(call) = self.words.call(fence, start) else {
                return refuse(&format!("{} has no such fence", self.words.language()));
            };
            if let Some(why) = (self.refused)(position.origin) {
                return refuse(&why);
            }
            let Some(spot) = self.spots.get(&start) else {
                return refuse("no statement of the text begins here");
            };
            if let Some((weaker, edits)) = self.weaker(fence, *thread, *loc).filter(|_| replaces) {
                places.stronger.extend(edits);
                places.replaced.push(weaker);
                continue;
            }
            let calls = places.fences.entry(start);
            let (_, _, calls) = calls.or_insert((spot.end, spot.form, Vec::new()));
            // The same words in another thread, or in another call, are one place of the text.
            if calls.is_empty() {
                calls.push(call);
            }
        }
        Ok(places)
    }

    /// The store fence beside this location, with the replacements that make it a full one: rather than two fences
    /// beside each other, a text has one that is strong enough.
    fn weaker(&self, fence: &Fence, thread: ThreadId, loc: LocId) -> Option<(Site, Replacements)> {
        if *fence != Fence::Full {
            return None;
        }
        let automaton = self.program.thread(thread);
        let all = automaton.instructions();
        let numbered = || all.iter().enumerate();
        let only = |mut found: Vec<usize>| found.pop().filter(|_| found.is_empty());
        let after = |at: LocId| {
            let leaving: Vec<usize> = automaton.outgoing(at).iter().map(|i| i.index()).collect();
            only(leaving)
        };
        let before = |at: LocId| {
            let arriving = numbered().filter(|(_, i)| i.to == at);
            only(arriving.map(|(number, _)| number).collect())
        };
        let beside = |next: &dyn Fn(LocId) -> Option<usize>, forward: bool| {
            let mut at = loc;
            // Positions are steps that do nothing.
            for _ in 0..all.len() {
                let number = next(at)?;
                let instruction = &all[number];
                if instruction.op != Op::Skip {
                    return Some(number);
                }
                at = if forward {
                    instruction.to
                } else {
                    instruction.from
                };
            }
            None
        };
        let found = [beside(&after, true), beside(&before, false)];
        found.into_iter().flatten().find_map(|number| {
            let instruction = &all[number];
            if instruction.op != Op::Fence(Fence::Store) {
                return None;
            }
            let start = instruction.origin.start as usize;
            let edits = self
                .words
                .strengthened_fence((self.text)(instruction.origin)?)?;
            let edits = edits.into_iter();
            let edits = edits.map(|(span, new)| ((start + span.start, start + span.end), new));
            let instr = number.into();
            Some((Site { thread, instr }, edits.collect()))
        })
    }

    /// The replacements that make the store at this place an exchange.
    fn stronger(&self, origin: Origin) -> Option<Replacements> {
        let start = origin.start as usize;
        let edits = self.words.strengthened((self.text)(origin)?)?.into_iter();
        Some(
            edits
                .map(|(span, new)| ((start + span.start, start + span.end), new))
                .collect(),
        )
    }
}

/// The store fence that is part of a store-release: an exchange has none.
fn released(program: &Program, store: Site) -> Option<Site> {
    let automaton = program.thread(store.thread);
    let own = automaton.instruction(store.instr);
    let mut at = own.from;
    // Between them there may be checks of the address.
    for _ in automaton.instructions() {
        let part = |i: &Instruction| i.to == at && i.origin == own.origin;
        let before = automaton.instructions().iter().position(part)?;
        let instruction = &automaton.instructions()[before];
        if instruction.op == Op::Fence(Fence::Store) {
            let instr = before.into();
            return Some(Site { instr, ..store });
        }
        at = instruction.from;
    }
    None
}
