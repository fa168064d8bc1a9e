//! Changes of a program as edits of its text.
//!
//! A fence at a state becomes a state of its own, from which everything leaves that left before:
//!
//! ```text
//! transition q0 q1 read r 5           transition q0 q0.fenced mfence
//!                               →     transition q0.fenced q1 read r 5
//! ```
//!
//! Whoever is at the state is in front of the fence, as [`Program::changed`] has it. A fence that
//! goes becomes a `noop`. Everything else stays byte for byte.
//!
//! **Invariant.** What comes out has been read back, and says what the program is after the changes.

use super::super::rewrite::{Unwritable, is_meant, observed, unwritable};
use super::parse;
use super::raw::{Automaton, Instr};
use super::read::read;
use super::words::words;
use crate::program::{Change, Fence, Program, Site};
use std::collections::{BTreeMap, BTreeSet};

/// The text with these changes made.
///
/// # Errors
///
/// The first change that no edit of the text makes, and why.
pub(in super::super) fn rewrite(
    text: &str,
    program: &Program,
    changes: &[Change],
) -> Result<String, Unwritable> {
    let Some(first) = changes.first() else {
        return Ok(text.to_owned());
    };
    let parsed = parse(text);
    if parsed.program.as_ref() != Some(program) {
        let why = "the text is not that of the program";
        return Err(unwritable(program, first, why));
    }
    let automata = read(text).automata;
    let mut edits: BTreeMap<usize, (usize, String)> = BTreeMap::new();
    let mut fences: BTreeMap<(usize, usize), (usize, &Change)> = BTreeMap::new();
    for change in changes {
        let refuse = |why: &str| Err(unwritable(program, change, why));
        match change {
            Change::Fence { thread, loc, fence } => {
                if *fence != Fence::Full {
                    return refuse("the format has full fences only");
                }
                let location = program.thread(*thread).location(*loc);
                if location.atomic {
                    return refuse("it would stand where the lock is held");
                }
                let automaton = &automata[thread.index()];
                let states = &automaton.states;
                let Some(state) = states.iter().position(|s| s.name == location.name) else {
                    return refuse("the text has no such state");
                };
                if super::lower::copies(automaton)[state].held {
                    return refuse(
                        "the same state is reached with the lock held, and it would stand there too",
                    );
                }
                let fences = fences.entry((thread.index(), state)).or_insert((0, change));
                fences.0 += 1;
            }
            Change::Exchange(_) => return refuse("the format has no exchange"),
            Change::Remove(site) => {
                let Some(word) = mfence(&automata, program, text, *site) else {
                    return refuse("the instruction is of another kind");
                };
                edits.insert(word, (word + "mfence".len(), "noop".to_owned()));
            }
        }
    }
    for ((thread, state), (count, change)) in fences {
        if !put(text, &automata[thread], state, count, &mut edits) {
            return Err(unwritable(
                program,
                change,
                "no transition leaves the state",
            ));
        }
    }
    let mut out = String::with_capacity(text.len() + 64 * edits.len());
    let mut at = 0;
    for (start, (end, new)) in edits {
        out.push_str(&text[at..start]);
        out.push_str(&new);
        at = end;
    }
    out.push_str(&text[at..]);
    let labels: Vec<BTreeSet<&str>> = program
        .threads()
        .iter()
        .map(|thread| thread.locations().iter().map(|l| l.name.as_str()).collect())
        .collect();
    let before = observed(parsed.expectations);
    if is_meant(parse(&out), program, changes, &before, &labels) {
        Ok(out)
    } else {
        let why = "the text would mean something else";
        Err(unwritable(program, first, why))
    }
}

/// Where the word `mfence` of an instruction stands.
fn mfence(automata: &[Automaton], program: &Program, text: &str, site: Site) -> Option<usize> {
    let start = program.instruction(site).origin.start as usize;
    let transitions = &automata[site.thread.index()].transitions;
    let transition = transitions
        .iter()
        .find(|t| t.span.start == start || t.does.start == start)?;
    let is_fence = matches!(transition.instr, Instr::Mfence);
    let word = transition.does.start;
    (is_fence && text[word..].starts_with("mfence")).then_some(word)
}

/// Puts so many fences at a state. Returns whether anything leaves it.
fn put(
    text: &str,
    automaton: &Automaton,
    state: usize,
    count: usize,
    edits: &mut BTreeMap<usize, (usize, String)>,
) -> bool {
    let leaving = automaton.transitions.iter().filter(|t| t.from == state);
    let sources: Vec<usize> = leaving
        .map(|t| words(&text[t.span.clone()], t.span.start)[1].span.start)
        .collect();
    let name = &automaton.states[state].name;
    let mut names = vec![name.clone()];
    while names.len() <= count {
        let mut new = format!("{name}.fenced");
        while automaton.states.iter().any(|s| s.name == new) || names.contains(&new) {
            new.push('_');
        }
        names.push(new);
    }
    let Some(first) = sources.first() else {
        return false;
    };
    // In front of the first one, on lines that look like its own.
    let line = text[..*first].rfind('\n').map_or(0, |at| at + 1);
    let before = &text[line..*first];
    let rest = &text[*first..];
    let ends = match rest.find('\n') {
        Some(end) if rest[..end].ends_with('\r') => "\r\n",
        Some(_) | None => "\n",
    };
    let lines: String = names
        .windows(2)
        .flat_map(|pair| [before, &pair[0], " ", &pair[1], " mfence", ends])
        .collect();
    let last = &names[count];
    for source in sources {
        edits.insert(source, (source + name.len(), last.clone()));
    }
    edits.insert(line, (line, lines));
    true
}
