//! `#include`: built-in headers and the user's files.

use super::directive::spelled;
use super::expand::Stream;
use super::{Delimiters, Preprocessor, Source};
use crate::c::headers;
use crate::c::lex::{Kind, Lexeme};
use crate::text::{Diagnostic, FoundFile, Place, nearest};
use std::rc::Rc;

/// Files may include each other this deep.
const DEEPEST: usize = 64;

/// No more files than this are opened.
const MOST_FILES: usize = 4096;

/// No more bytes than this are included.
const MOST_BYTES: usize = 64 << 20;

/// A file's name in an `#include`.
struct Name {
    text: String,
    delimiters: Delimiters,
}

/// A file that was found.
struct Found {
    name: String,
    text: Rc<str>,
    source: Source,
}

impl Preprocessor<'_> {
    /// `#include`, with the lexemes after it.
    pub(super) fn include(&mut self, directive: &Lexeme, rest: &[Lexeme], whole: Place) {
        let Some(name) = self.written_name(rest) else {
            let message = "expected `\"file.h\"` or `<file.h>` after `#include`";
            self.report(directive.place, Diagnostic::error(message, 0..0));
            return;
        };
        let found = match self.find(&name) {
            Ok(Some(found)) => found,
            Ok(None) => {
                let error = self.not_found(&name);
                self.report(whole, error);
                return;
            }
            Err(why) => {
                let message = format!("`{}` cannot be read: {why}", name.text);
                self.report(whole, Diagnostic::error(message, 0..0));
                return;
            }
        };
        if self.once.contains(&found.name) {
            return;
        }
        self.included += found.text.len();
        if self.frames.len() > DEEPEST {
            self.stop(whole, "files include each other too deeply");
        } else if self.included > MOST_BYTES || self.files.ids().count() >= MOST_FILES {
            self.stop(whole, "too many files are included");
        } else {
            self.open(&found.name, &found.text, found.source, Some(whole));
        }
    }

    /// Whether `__has_include` finds a file: `None` if its argument is not a file's name.
    pub(super) fn has_include(&mut self, argument: &[Lexeme]) -> Option<bool> {
        let name = self.written_name(argument)?;
        // One that cannot be read is there.
        Some(!matches!(self.find(&name), Ok(None)))
    }

    /// The name in a directive, from macros if need be.
    fn written_name(&mut self, rest: &[Lexeme]) -> Option<Name> {
        let first = rest.first()?;
        if first.is("<") {
            // What is between the brackets is not divided into tokens.
            let text = self.files.text(first.place.file);
            let after = &text[first.place.end as usize..];
            let line = after.lines().next().unwrap_or_default();
            let (name, _) = line.split_once('>')?;
            return Some(Name {
                text: name.to_owned(),
                delimiters: Delimiters::Angled,
            });
        }
        if let Some(name) = quoted(first) {
            return Some(name);
        }
        let toks = self.expand_line(Stream::of_line(rest))?;
        let lexemes: Vec<Lexeme> = toks.into_iter().map(|tok| tok.lexeme).collect();
        let (first, rest) = lexemes.split_first()?;
        if first.is("<") {
            let end = rest.iter().position(|lexeme| lexeme.is(">"))?;
            return Some(Name {
                text: spelled(&rest[..end]),
                delimiters: Delimiters::Angled,
            });
        }
        quoted(first)
    }

    /// The file that a name means. A header of the system counts before a built-in one only if the user says so,
    /// and those of `-I` and `-isystem` never do: the built-in ones are what the meanings of functions belong to.
    fn find(&self, name: &Name) -> Result<Option<Found>, String> {
        let built_in = || {
            headers::find(&name.text).map(|text| Found {
                name: name.text.clone(),
                text: Rc::from(text),
                source: Source::BuiltIn,
            })
        };
        let from = self.frames.last();
        let from = from.map(|from| (self.files.source(from.file), self.files.name(from.file)));
        let (within, file) = from.unwrap_or((Source::Main, ""));
        let found = |found: FoundFile| Found {
            name: found.name,
            text: Rc::from(found.text),
            // What a header of the system includes is one, too.
            source: if found.system || within == Source::System {
                Source::System
            } else {
                Source::User
            },
        };
        let users = || -> Result<Option<Found>, String> {
            // A built-in header includes no file of the user's.
            let Some(include) = self.include.filter(|_| within != Source::BuiltIn) else {
                return Ok(None);
            };
            let beside = match name.delimiters {
                Delimiters::Quoted => Some(file),
                Delimiters::Angled => None,
            };
            Ok(include.find(&name.text, beside)?.map(found))
        };
        let instead = || -> Result<Option<Found>, String> {
            let Some(include) = self.include.filter(|_| within != Source::BuiltIn) else {
                return Ok(None);
            };
            // What a system has of the kernel's headers is what its calls need, and not what the kernel uses.
            let is_of_kernel = ["linux/", "asm/"]
                .iter()
                .any(|of| name.text.starts_with(of));
            if is_of_kernel && headers::find(&name.text).is_some() {
                return Ok(None);
            }
            Ok(include.instead_of_built_in(&name.text)?.map(found))
        };
        match name.delimiters {
            Delimiters::Quoted => match users()? {
                Some(found) => Ok(Some(found)),
                None => Ok(instead()?.or_else(built_in)),
            },
            Delimiters::Angled => match instead()?.or_else(built_in) {
                Some(found) => Ok(Some(found)),
                None => users(),
            },
        }
    }

    /// `#include_next`: a header that stands in for another one includes that one. Here it is the built-in one.
    pub(super) fn include_next(&mut self, directive: &Lexeme, rest: &[Lexeme], whole: Place) {
        let Some(name) = self.written_name(rest) else {
            let message = "expected `<file.h>` after `#include_next`";
            self.report(directive.place, Diagnostic::error(message, 0..0));
            return;
        };
        if self.once.contains(&name.text) {
            return;
        }
        match headers::find(&name.text) {
            Some(text) if self.frames.len() <= DEEPEST => {
                let text = Rc::from(text);
                self.open(&name.text, &text, Source::BuiltIn, Some(whole));
            }
            Some(_) => self.stop(whole, "files include each other too deeply"),
            None => {
                let message = format!("no built-in header is `{}`", name.text);
                let error = Diagnostic::error(message, 0..0);
                let error = error.note(
                    "`#include_next` finds built-in headers only: include the next one by its path",
                );
                self.report(whole, error);
            }
        }
    }

    fn not_found(&self, name: &Name) -> Diagnostic {
        let text = &name.text;
        match name.delimiters {
            Delimiters::Quoted if self.include.is_none() => {
                let message =
                    format!("`{text}` cannot be read: only built-in headers are available");
                Diagnostic::error(message, 0..0).note(
                    "pass a way to find files to the parser, preprocess the text first (`cc -E`), or \
                     paste the header into it",
                )
            }
            Delimiters::Quoted => Diagnostic::error(
                format!("the file `{text}` is not found"),
                0..0,
            )
            .note(
                "files are searched beside the one that includes them, then in the folders of `-I`",
            ),
            // What only such a header declares, and is needed, is an error where it is.
            Delimiters::Angled if is_of_system(text) => {
                let message =
                    format!("unknown header `<{text}>`: what it declares is not known here");
                Diagnostic::warning(message, 0..0)
                    .leaving_out(format!("a macro of `<{text}>` chooses other code"))
                    .note("`-I DIR` and `-isystem DIR` name folders of headers")
            }
            Delimiters::Angled => {
                let error = Diagnostic::error(format!("unknown header `<{text}>`"), 0..0);
                let error = match nearest(text, headers::names()) {
                    Some(near) => error.label(format!("did you mean `<{near}>`?")),
                    None => error,
                };
                let known: Vec<&str> = headers::names().collect();
                let error = error.note(format!("the known headers are {}", known.join(", ")));
                error.note(
                    "a header of your own is found through `-I DIR`, one of the system through `-isystem DIR`; or \
                     preprocess the text first (`cc -E`)",
                )
            }
        }
    }
}

/// Whether a header is one of the many of a kernel or a C library, most of which declare what programs of other kinds
/// use. Those of an architecture have macros that choose code.
fn is_of_system(name: &str) -> bool {
    const FOLDERS: [&str; 7] = [
        "linux/", "net/", "netinet/", "arpa/", "sys/", "bits/", "gnu/",
    ];
    const FILES: [&str; 38] = [
        "aio.h",
        "byteswap.h",
        "complex.h",
        "dirent.h",
        "dlfcn.h",
        "elf.h",
        "endian.h",
        "execinfo.h",
        "fenv.h",
        "float.h",
        "fnmatch.h",
        "ftw.h",
        "glob.h",
        "grp.h",
        "iconv.h",
        "ifaddrs.h",
        "langinfo.h",
        "libgen.h",
        "link.h",
        "locale.h",
        "mqueue.h",
        "netdb.h",
        "numa.h",
        "paths.h",
        "pwd.h",
        "regex.h",
        "resolv.h",
        "search.h",
        "spawn.h",
        "syslog.h",
        "termios.h",
        "tgmath.h",
        "uchar.h",
        "ucontext.h",
        "utime.h",
        "wchar.h",
        "wctype.h",
        "wordexp.h",
    ];
    FOLDERS.iter().any(|folder| name.starts_with(folder)) || FILES.contains(&name)
}

/// The name in a string literal, in which a backslash is a character like others.
fn quoted(lexeme: &Lexeme) -> Option<Name> {
    let text = lexeme.text.strip_prefix('"')?.strip_suffix('"')?;
    let name = Name {
        text: text.to_owned(),
        delimiters: Delimiters::Quoted,
    };
    (lexeme.kind == Kind::Text && !text.is_empty()).then_some(name)
}
