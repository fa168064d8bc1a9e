//! Fences as statements of a C text, in the words that the text already uses.
//!
//! ```text
//!     flag0 = 1;                          flag0 = 1;
//!     r = flag1;                    →     atomic_thread_fence(memory_order_seq_cst);
//!                                         r = flag1;
//! ```
//!
//! A fence goes before a statement, at the end of a block, or into an expression (`insert`); a statement
//! without braces that is the body of a branch or loop gets some. A store becomes an exchange by a
//! stronger memory order (`strengthen`). Everything else stays byte for byte. Edits go into any
//! translation unit, and into headers on request. Litmus tests in C are edited in the same way.
//!
//! **Invariant.** The result was parsed again, and is the program after the changes up to numbering and
//! steps that do nothing.
//!
//! **Absent.** Removing fences; places inside macros and built-in headers.

mod insert;
mod strengthen;

pub(super) use strengthen::strengthened;

use super::lower::{Form, Spots};
use super::parse;
use super::preprocess::{Files, MAIN, Source};
use super::token::FileId;
use crate::program::{Change, Expr, Fence, Instruction, Observable, Op, Origin, Program, Site};
use crate::text::{
    Compiler, Edits, FindFile, FoundFile, Layer, ParseOptions, Parsed, Rewritten, RewrittenFile,
    Span, Unwritable, implements_changes, observed, unwritable,
};
use insert::Vocabulary;
pub(crate) use insert::is_kernel_text;
use std::collections::BTreeMap;
use std::sync::Arc;

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

    /// Whatever else fences at these positions need.
    fn finish(&self, _edits: &mut Edits, _text: &str, _places: &[usize]) {}

    /// The replacements that make the store in this text an exchange; `None` if there are none.
    fn strengthened(&self, text: &str) -> Option<Vec<(Span, String)>>;
}

/// What is edited, by its position in the text.
#[derive(Default)]
struct Places {
    /// Where fences are inserted: where that ends which follows, what that is, and the calls.
    fences: BTreeMap<usize, (usize, Form, Vec<String>)>,
    /// What is replaced, and by what.
    stronger: BTreeMap<(usize, usize), String>,
}

/// A text that is to be edited.
struct Written<'w> {
    program: &'w Program,
    spots: &'w Spots,
    words: &'w dyn Words,
    /// Why an edit at a place is refused.
    refused: &'w dyn Fn(Origin) -> Option<String>,
    /// What is written at a place.
    text: &'w dyn Fn(Origin) -> Option<&'w str>,
}

/// The text with these changes made.
///
/// # Errors
///
/// The first change that no edit of the text makes, and why.
pub(super) fn rewrite(
    text: &str,
    options: &ParseOptions,
    program: &Program,
    changes: &[Change],
) -> Result<Rewritten, Unwritable> {
    let Some(first) = changes.first() else {
        return Ok(Rewritten::from(text.to_owned()));
    };
    let matching = |compiler| {
        let options = options.clone().compiler(compiler);
        let found = parse(text, &options);
        let program = same(&found.parsed, program)?;
        Some((options, found, program))
    };
    let Some((options, found, which)) = Compiler::ALL.into_iter().find_map(matching) else {
        return Err(unwritable(program, first, OTHER_TEXT));
    };
    let files = &found.files;
    let vocabulary = Vocabulary::of(files.joined(), files.is_preprocessed());
    let written = Written {
        program,
        spots: &found.spots,
        words: &vocabulary,
        refused: &|origin| in_header(files, &options, origin),
        text: &|origin| {
            let (start, end) = (origin.start as usize, origin.end as usize);
            let (file, base) = files.at(start);
            files.text(file).get(start - base..end.checked_sub(base)?)
        },
    };
    let places = written.places(changes)?;
    let refuse = || unwritable(program, first, OTHER_MEANING);
    let edited = edited(files, &vocabulary, &places).ok_or_else(refuse)?;
    let rewritten = rewritten(text, files, edited);
    let before = observed(found.parsed.expectations);
    let again = parse(&rewritten.text, &afterwards(&options, &rewritten)).parsed;
    if implements(again, which, program, changes, &before) {
        Ok(rewritten)
    } else {
        Err(refuse())
    }
}

/// A litmus test with these changes made: `parse` reads one for a compiler, and finds its positions.
///
/// # Errors
///
/// As [`rewrite`].
pub(crate) fn rewrite_test(
    text: &str,
    program: &Program,
    changes: &[Change],
    parse: &dyn Fn(&str, Compiler) -> (Parsed, Spots),
) -> Result<String, Unwritable> {
    let vocabulary = Vocabulary::of_test(text);
    rewrite_text(text, program, changes, &vocabulary, parse)
}

/// A text that is one file with these changes made: `parse` reads it for a compiler, and finds its
/// positions.
///
/// # Errors
///
/// As [`rewrite`].
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
    let places = written.places(changes)?;
    let mut edits = Edits::default();
    for (start, (end, form, calls)) in &places.fences {
        words.insert(&mut edits, text, (*start, *end), *form, calls);
    }
    for ((start, end), new) in &places.stronger {
        edits.replace(*start..*end, Layer::Within, new);
    }
    let starts: Vec<usize> = places.fences.keys().copied().collect();
    words.finish(&mut edits, text, &starts);
    let before = observed(parsed.expectations);
    let meant = |out: &String| implements(parse(out, compiler).0, which, program, changes, &before);
    let edited = edits.apply(text).filter(meant);
    edited.ok_or_else(|| unwritable(program, first, OTHER_MEANING))
}

const OTHER_TEXT: &str = "the text is not that of the program";
const OTHER_MEANING: &str = "the text would mean something else";

/// Which of the two programs of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Merged,
    Apart,
}

/// Which of the programs of a text this one is.
fn same(parsed: &Parsed, program: &Program) -> Option<Which> {
    if parsed.program.as_ref() == Some(program) {
        Some(Which::Merged)
    } else if parsed.apart.as_ref() == Some(program) {
        Some(Which::Apart)
    } else {
        None
    }
}

/// Whether a text that was read again is the program with these changes.
fn implements(
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
    /// Where these changes insert what.
    fn places(&self, changes: &[Change]) -> Result<Places, Unwritable> {
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
            let calls = places.fences.entry(start);
            let (_, _, calls) = calls.or_insert((spot.end, spot.form, Vec::new()));
            // The same words in another thread, or in another call, are one place of the text.
            if calls.is_empty() {
                calls.push(call);
            }
        }
        Ok(places)
    }

    /// The replacements that make the store at this place an exchange.
    fn stronger(&self, origin: Origin) -> Option<Vec<((usize, usize), String)>> {
        let start = origin.start as usize;
        let edits = self.words.strengthened((self.text)(origin)?)?.into_iter();
        Some(
            edits
                .map(|(span, new)| ((start + span.start, start + span.end), new))
                .collect(),
        )
    }
}

/// Why an edit at this place is refused: it is in a header.
fn in_header(files: &Files, options: &ParseOptions, origin: Origin) -> Option<String> {
    let (file, _) = files.at(origin.start as usize);
    let refused = files.source(file) == Source::User && !options.edit_headers;
    refused.then(|| {
        format!(
            "line {} of `{}` is in a header, which may be part of other programs, too; \
             `--edit-headers` writes into it",
            origin.line,
            files.name(file),
        )
    })
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

/// The files with fences inserted; `None` if edits exclude each other.
fn edited(files: &Files, words: &dyn Words, places: &Places) -> Option<BTreeMap<FileId, String>> {
    let mut edits: BTreeMap<FileId, Edits> = BTreeMap::new();
    for (start, (end, form, calls)) in &places.fences {
        let (file, base) = files.at(*start);
        let edits = edits.entry(file).or_default();
        let at = (start - base, end - base);
        words.insert(edits, files.text(file), at, *form, calls);
    }
    for ((start, end), new) in &places.stronger {
        let (file, base) = files.at(*start);
        let edits = edits.entry(file).or_default();
        edits.replace(start - base..end - base, Layer::Within, new);
    }
    let edits = edits.into_iter();
    let edited = edits.map(|(file, edits)| Some((file, edits.apply(files.text(file))?)));
    edited.collect()
}

fn rewritten(text: &str, files: &Files, edited: BTreeMap<FileId, String>) -> Rewritten {
    let mut all = Rewritten::from(text.to_owned());
    for (file, after) in edited {
        if file == MAIN {
            all.text = after;
        } else {
            all.others.push(RewrittenFile {
                name: files.name(file).to_owned(),
                before: files.text(file).to_owned(),
                after,
            });
        }
    }
    all
}

/// The options under which the other files are those after the changes.
fn afterwards(options: &ParseOptions, rewritten: &Rewritten) -> ParseOptions {
    let after = |name: &str| {
        let mut others = rewritten.others.iter();
        others
            .find(|other| other.name == name)
            .map(|other| other.after.clone())
    };
    let mut options = options.clone();
    for unit in &mut options.units {
        unit.text = after(&unit.name).unwrap_or_else(|| unit.text.clone());
    }
    let others = rewritten.others.clone();
    options.files = options.files.map(|inner| {
        let edited: Arc<dyn FindFile> = Arc::new(Edited { inner, others });
        edited
    });
    options
}

/// Files of which some were edited.
struct Edited {
    inner: Arc<dyn FindFile>,
    others: Vec<RewrittenFile>,
}

impl FindFile for Edited {
    fn find(&self, name: &str, from: Option<&str>) -> Result<Option<FoundFile>, String> {
        let found = self.inner.find(name, from)?;
        Ok(found.map(|mut found| {
            let mut others = self.others.iter();
            if let Some(other) = others.find(|other| other.name == found.name) {
                found.text.clone_from(&other.after);
            }
            found
        }))
    }
}
