//! Changes of a program as edits of its text.
//!
//! A fence at a state becomes a new state, which gets the outgoing transitions of the old one:
//!
//! ```text
//! transition q0 q1 read r 5           transition q0 q0.fenced mfence
//!                               →     transition q0.fenced q1 read r 5
//! ```
//!
//! and one at the end of an edge becomes an intermediate state:
//!
//! ```text
//! transition q0 q1 write 1 5          transition q0 q0.fenced write 1 5
//!                               →     transition q0.fenced q1 mfence
//! ```
//!
//! A thread at the old state is before the fence, as in [`Program::changed`]. A removed fence
//! becomes a `noop`. Everything else stays the same, byte for byte.
//!
//! **Invariant.** The result has been parsed again, and is the program after the changes.

use super::parse;
use super::raw::{Automaton, Instr};
use super::read::read;
use super::words::words;
use crate::program::{Change, Fence, LocId, Op, Program, Site, ThreadId};
use crate::text::{Unwritable, implements_changes, observed, unwritable};
use std::collections::{BTreeMap, BTreeSet};

/// The text with these changes made.
///
/// # Errors
///
/// The first change that no edit of the text can make, and why.
pub(super) fn rewrite(
    text: &str,
    program: &Program,
    changes: &[Change],
) -> Result<String, Unwritable> {
    let Some(first) = changes.first() else {
        return Ok(text.to_owned());
    };
    let parsed = parse(text);
    let merged = parsed.program.as_ref() == Some(program);
    if !merged && parsed.apart.as_ref() != Some(program) {
        let why = "the text does not match the program";
        return Err(unwritable(program, first, why));
    }
    let automata = read(text).automata;
    let mut edits: BTreeMap<usize, (usize, String)> = BTreeMap::new();
    let mut fences: BTreeMap<(usize, usize), (usize, &Change)> = BTreeMap::new();
    let mut on_edges: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for change in changes {
        let refuse = |why: &str| Err(unwritable(program, change, why));
        match change {
            Change::Fence { thread, loc, fence } => {
                if *fence != Fence::Full {
                    return refuse("the format has full fences only");
                }
                let location = program.thread(*thread).location(*loc);
                if location.atomic {
                    return refuse("it would be where the lock is held");
                }
                let automaton = &automata[thread.index()];
                if let Some(edge) = edge(automaton, program, *thread, *loc) {
                    *on_edges.entry((thread.index(), edge)).or_default() += 1;
                    continue;
                }
                let states = &automaton.states;
                let Some(state) = states.iter().position(|s| s.name == location.name) else {
                    return refuse("the text has no such state");
                };
                if super::lower::copies(automaton)[state].held {
                    return refuse(
                        "the same state is also reached with the lock held, where no fence may be",
                    );
                }
                let fences = fences.entry((thread.index(), state)).or_insert((0, change));
                fences.0 += 1;
            }
            Change::Exchange(_) => return refuse("the format has no exchange"),
            Change::Remove(site) => {
                let Some(word) = mfence(&automata, program, text, *site) else {
                    return refuse("the instruction is of a different kind");
                };
                edits.insert(word, (word + "mfence".len(), "noop".to_owned()));
            }
        }
    }
    let mut names = FreshNames::default();
    for ((thread, edge), count) in on_edges {
        let made = names.fresh(
            thread,
            &automata[thread],
            automata[thread].transitions[edge].from,
            count,
        );
        put_on_edge(text, &automata[thread], edge, &made, &mut edits);
    }
    for ((thread, state), (count, change)) in fences {
        let made = names.fresh(thread, &automata[thread], state, count);
        if !put(text, &automata[thread], state, &made, &mut edits) {
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
    let mut again = parse(&out);
    if !merged {
        again.program = again.apart.take();
    }
    if implements_changes(again, program, changes, &before, &labels) {
        Ok(out)
    } else {
        let why = "the edited text would have a different meaning";
        Err(unwritable(program, first, why))
    }
}

/// The position of the word `mfence` of an instruction.
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

/// The edge at whose end this location is, if it is the end of one.
fn edge(automaton: &Automaton, program: &Program, thread: ThreadId, loc: LocId) -> Option<usize> {
    let lowered = program.thread(thread);
    let [leaving] = lowered.outgoing(loc) else {
        return None;
    };
    let leaving = lowered.instruction(*leaving);
    let start = leaving.origin.start as usize;
    let mut transitions = automaton.transitions.iter();
    let found = transitions.position(|t| t.span.start == start);
    found.filter(|_| leaving.op == Op::Skip && !lowered.location(loc).labelled)
}

/// Generated names of states, by thread.
#[derive(Default)]
struct FreshNames(BTreeMap<usize, BTreeSet<String>>);

impl FreshNames {
    /// This many new names derived from the name of a state.
    fn fresh(
        &mut self,
        thread: usize,
        automaton: &Automaton,
        state: usize,
        count: usize,
    ) -> Vec<String> {
        let made = self.0.entry(thread).or_default();
        let name = &automaton.states[state].name;
        let fresh = (0..count).map(|_| {
            let mut new = format!("{name}.fenced");
            while automaton.states.iter().any(|s| s.name == new) || !made.insert(new.clone()) {
                new.push('_');
            }
            new
        });
        fresh.collect()
    }
}

/// Inserts a fence at the end of an edge after each of these new states.
fn put_on_edge(
    text: &str,
    automaton: &Automaton,
    edge: usize,
    made: &[String],
    edits: &mut BTreeMap<usize, (usize, String)>,
) {
    let transition = &automaton.transitions[edge];
    let words = words(&text[transition.span.clone()], transition.span.start);
    let (source, target) = (words[1].span.clone(), words[2].span.clone());
    let line = text[..source.start].rfind('\n').map_or(0, |at| at + 1);
    let before = &text[line..source.start];
    let rest = text[target.end..].lines().next().unwrap_or_default();
    let end = target.end + rest.len();
    let ends = if text[end..].starts_with("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let after = made.iter().skip(1).map(String::as_str);
    let nexts = after.chain([&text[target.clone()]]);
    let lines = made.iter().zip(nexts);
    let lines = lines.flat_map(|(here, next)| [ends, before, here, " ", next, " mfence"]);
    edits.insert(end, (end, lines.collect()));
    edits.insert(target.start, (target.end, made[0].clone()));
}

/// Inserts a fence before each of these new states, starting from a state. Returns whether any
/// transition leaves it.
fn put(
    text: &str,
    automaton: &Automaton,
    state: usize,
    made: &[String],
    edits: &mut BTreeMap<usize, (usize, String)>,
) -> bool {
    let leaving = automaton.transitions.iter().filter(|t| t.from == state);
    let sources: Vec<usize> = leaving
        .map(|t| words(&text[t.span.clone()], t.span.start)[1].span.start)
        .collect();
    let name = &automaton.states[state].name;
    let names = [std::slice::from_ref(name), made].concat();
    let Some(first) = sources.first() else {
        return false;
    };
    // Before the first one, on lines with the same indentation.
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
    let last = &names[made.len()];
    for source in sources {
        edits.insert(source, (source + name.len(), last.clone()));
    }
    edits.insert(line, (line, lines));
    true
}
