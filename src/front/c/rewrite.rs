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
//! **Absent.** Removing fences; places in what a macro is given, and in built-in headers.

mod insert;
mod strengthen;

pub(super) use strengthen::{strengthened, strengthened_fence};

use super::parse;
use super::preprocess::{Files, Source};
use crate::lower::Spots;
use crate::lower::rewrite::{
    OTHER_TEXT, Places, TextFiles, Written, afterwards, edited, implements, rewrite_text,
    rewritten, same,
};
use crate::program::{Change, Origin, Program};
use crate::text::{
    Compiler, FileId, ParseOptions, Parsed, Rewritten, Unwritable, observed, unwritable,
};
use insert::Vocabulary;
pub(crate) use insert::{idiom_of, idiom_of_test};

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
    let before = observed(found.parsed.expectations);
    let edit = |places: &Places| {
        let edited = edited(files, &vocabulary, places)?;
        Some(rewritten(text, files, edited))
    };
    written.edited(changes, edit, |rewritten, changes| {
        let again = parse(&rewritten.text, &afterwards(&options, rewritten)).parsed;
        implements(again, which, program, changes, &before)
    })
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

impl TextFiles for Files {
    fn at(&self, position: usize) -> (FileId, usize) {
        self.at(position)
    }

    fn text(&self, file: FileId) -> &str {
        self.text(file)
    }

    fn name(&self, file: FileId) -> &str {
        self.name(file)
    }
}
