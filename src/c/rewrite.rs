//! Fences as statements of a C text, in the words that the text already uses.
//!
//! ```text
//!     flag0 = 1;                          flag0 = 1;
//!     r = flag1;                    →     atomic_thread_fence(memory_order_seq_cst);
//!                                         r = flag1;
//! ```
//!
//! A fence goes before a statement or at the end of a block; a statement without braces that is the
//! body of a branch or loop gets some. A store becomes an exchange by a stronger memory order
//! (`strengthen`). Everything else stays byte for byte. Edits go into any translation unit, and into
//! headers on request.
//!
//! **Invariant.** The result was parsed again, and is the program after the changes up to numbering and
//! steps that do nothing.
//!
//! **Absent.** Removing fences; places inside macros and built-in headers.

mod strengthen;

pub(super) use strengthen::strengthened;

use super::preprocess::{Files, MAIN, Source};
use super::token::FileId;
use super::{Found, parse, without_directives};
use crate::program::{Change, Fence, Instruction, Op, Origin, Program, Site};
use crate::text::{
    Compiler, Edits, FindFile, FoundFile, Layer, ParseOptions, Parsed, Rewritten, RewrittenFile,
    Unwritable, implements_changes, observed, unwritable,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is edited, by its position in the text.
#[derive(Default)]
struct Places {
    /// Where statements are inserted: the end of the statement that is there, and what is inserted.
    statements: BTreeMap<usize, (usize, Vec<String>)>,
    /// What is replaced, and by what.
    stronger: BTreeMap<(usize, usize), String>,
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
        let merged = found.parsed.program.as_ref() == Some(program);
        let matches = merged || found.parsed.apart.as_ref() == Some(program);
        matches.then_some((options, found, merged))
    };
    let Some((options, found, merged)) = Compiler::ALL.into_iter().find_map(matching) else {
        let why = "the text is not that of the program";
        return Err(unwritable(program, first, why));
    };
    let places = places(&found, &options, program, changes)?;
    let refuse = || unwritable(program, first, "the text would mean something else");
    let edited = edited(&found.files, &places).ok_or_else(refuse)?;
    let rewritten = rewritten(text, &found.files, edited);
    let before = observed(found.parsed.expectations);
    let mut again = parse(&rewritten.text, &afterwards(&options, &rewritten)).parsed;
    if !merged {
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
    if implements_changes(again, &program, &changes, &before, &[]) {
        Ok(rewritten)
    } else {
        Err(refuse())
    }
}

/// Where these changes insert which statements.
fn places(
    found: &Found,
    options: &ParseOptions,
    program: &Program,
    changes: &[Change],
) -> Result<Places, Unwritable> {
    let files = &found.files;
    let vocabulary = Vocabulary::of(files);
    let mut places = Places::default();
    for change in changes {
        let refuse = |why: &str| Err(unwritable(program, change, why));
        let (thread, loc, fence) = match change {
            Change::Fence { thread, loc, fence } => (thread, loc, fence),
            Change::Exchange(site) => {
                let origin = program.instruction(*site).origin;
                if let Some(why) = in_header(files, options, origin) {
                    return refuse(&why);
                }
                let Some(edits) = stronger(files, origin) else {
                    return refuse("the text has no stronger form of this store");
                };
                places.stronger.extend(edits);
                continue;
            }
            Change::Remove(_) => return refuse("no fence is removed from a C program"),
        };
        let automaton = program.thread(*thread);
        let leaving = automaton.outgoing(*loc);
        let mut position = leaving.iter().map(|&instr| automaton.instruction(instr));
        let Some(position) = position.find(|i| i.op == Op::Skip && i.origin.line > 0) else {
            return refuse("no statement of the text begins here");
        };
        let statement = match fence {
            Fence::Full => vocabulary.full(),
            Fence::Store => vocabulary.store(),
            Fence::Cells(_) | Fence::All => return refuse("C has no such fence"),
        };
        let start = position.origin.start as usize;
        if let Some(why) = in_header(files, options, position.origin) {
            return refuse(&why);
        }
        let end = found.ends.get(&start).copied().unwrap_or(start);
        let (_, statements) = places.statements.entry(start).or_insert((end, Vec::new()));
        // The same words in another thread, or in another call, are one place of the text.
        if statements.is_empty() {
            statements.push(statement.to_owned());
        }
    }
    Ok(places)
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

/// The replacements that make the store at this place an exchange.
fn stronger(files: &Files, origin: Origin) -> Option<Vec<((usize, usize), String)>> {
    let (start, end) = (origin.start as usize, origin.end as usize);
    let (file, base) = files.at(start);
    let text = files.text(file).get(start - base..end.checked_sub(base)?)?;
    let edits = strengthened(text)?.into_iter();
    Some(
        edits
            .map(|(span, new)| ((start + span.start, start + span.end), new))
            .collect(),
    )
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

/// The files with statements inserted; `None` if edits exclude each other.
fn edited(files: &Files, places: &Places) -> Option<BTreeMap<FileId, String>> {
    let mut edits: BTreeMap<FileId, Edits> = BTreeMap::new();
    for (start, (end, statements)) in &places.statements {
        let (file, base) = files.at(*start);
        let (start, end) = (start - base, end - base);
        let text = files.text(file);
        let edits = edits.entry(file).or_default();
        if text[start..end] == *"}" {
            edits.insert_at_end(text, start, statements);
        } else if is_bare(text, start) {
            let open = format!("{{ {} ", statements.join(" "));
            edits.insert(start, Layer::Around, open);
            edits.insert(end, Layer::CloseOuter, " }");
        } else {
            edits.insert_before(text, start, statements);
        }
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

/// Whether a statement is the body of a branch or loop, without braces.
fn is_bare(text: &str, start: usize) -> bool {
    let before = without_directives(&text[..start]);
    before.ends_with(')') || before.ends_with("else") || before.ends_with("do")
}

/// The fences that a text would write.
#[derive(Clone, Copy)]
enum Vocabulary {
    Kernel,
    C11,
    Builtin,
    Sync,
    /// No macro has a meaning any more.
    Preprocessed,
}

impl Vocabulary {
    /// That of a program's files.
    fn of(files: &Files) -> Self {
        let has = |word: &str| files.joined().contains(word);
        if files.is_preprocessed() {
            Vocabulary::Preprocessed
        } else if has("smp_mb") || has("READ_ONCE") || has("WRITE_ONCE") || has("<linux/") {
            Vocabulary::Kernel
        } else if has("<stdatomic.h>") {
            Vocabulary::C11
        } else if has("__atomic_") {
            Vocabulary::Builtin
        } else {
            Vocabulary::Sync
        }
    }

    fn full(self) -> &'static str {
        match self {
            Vocabulary::Kernel => "smp_mb();",
            Vocabulary::C11 => "atomic_thread_fence(memory_order_seq_cst);",
            Vocabulary::Builtin => "__atomic_thread_fence(__ATOMIC_SEQ_CST);",
            Vocabulary::Sync | Vocabulary::Preprocessed => "__sync_synchronize();",
        }
    }

    fn store(self) -> &'static str {
        match self {
            Vocabulary::Kernel => "smp_wmb();",
            Vocabulary::C11 => "atomic_thread_fence(memory_order_release);",
            Vocabulary::Builtin | Vocabulary::Sync => "__atomic_thread_fence(__ATOMIC_RELEASE);",
            Vocabulary::Preprocessed => "__atomic_thread_fence(3);",
        }
    }
}
