//! Writing what a rule stands for.

use super::marks::{Expansion, Marks};
use super::matching::{Bindings, Bound};
use super::rules::{Piece, Repeat};
use super::token::{Kind, Token};
use crate::text::Span;
use std::collections::BTreeMap;
use std::rc::Rc;

/// No call stands for more tokens.
pub(super) const MOST_TOKENS: usize = 100_000;

/// Words that are not names of variables: those of the language, also where they are words only in some
/// places.
const WORDS: [&str; 60] = [
    "_",
    "abstract",
    "as",
    "async",
    "auto",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "crate",
    "default",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "macro_rules",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "raw",
    "ref",
    "return",
    "safe",
    "self",
    "Self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "union",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
    "'static",
];

/// Whether this is a name, and no word of the language.
pub(super) fn is_name(token: &Token) -> bool {
    matches!(token.kind, Kind::Word | Kind::Lifetime) && !WORDS.contains(&&*token.text)
}

type Names<'b> = BTreeMap<Rc<str>, &'b Bound>;

/// The tokens that a call stands for, which is here in the text.
///
/// # Errors
///
/// Why there are none.
pub(super) fn transcribed(
    pieces: &[Piece],
    bindings: &Bindings,
    marks: &mut Marks,
    expansion: Expansion,
    of_crate: &str,
    call: &Span,
) -> Result<Vec<Token>, String> {
    let mut writer = Writer {
        marks,
        expansion,
        of_crate,
        call,
        made: Vec::new(),
    };
    let names = bindings
        .iter()
        .map(|(name, bound)| (name.clone(), bound))
        .collect();
    writer.pieces(pieces, &names)?;
    let mut made = writer.made;
    once(&mut made);
    Ok(made)
}

/// What the user wrote once and a macro writes several times is no place for a fence: it would be one in
/// each of them.
fn once(made: &mut [Token]) {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    // Brackets that are not shown are where what they enclose is.
    let shown = made.iter().filter(|token| !token.text.is_empty());
    for token in shown.filter(|token| token.is_own) {
        *counts.entry(token.from.start).or_default() += 1;
    }
    for token in made {
        if counts
            .get(&token.from.start)
            .is_some_and(|count| *count > 1)
        {
            token.is_own = false;
        }
    }
}

struct Writer<'w> {
    marks: &'w mut Marks,
    expansion: Expansion,
    /// What `$crate` is.
    of_crate: &'w str,
    call: &'w Span,
    made: Vec<Token>,
}

impl Writer<'_> {
    fn pieces(&mut self, pieces: &[Piece], names: &Names<'_>) -> Result<(), String> {
        for piece in pieces {
            if self.made.len() > MOST_TOKENS {
                return Err(format!("it stands for more than {MOST_TOKENS} tokens"));
            }
            match piece {
                Piece::Token(token) => self.token(token),
                Piece::Crate => {
                    let token = Token::made(Kind::Word, self.of_crate, self.call);
                    self.made.push(token);
                }
                Piece::Variable(dollar, name) => match names.get(&name.text) {
                    Some(Bound::One(tokens)) => self.made.extend(tokens.iter().cloned()),
                    Some(Bound::Many(_)) => {
                        return Err(format!("`${}` has to be repeated", name.text));
                    }
                    None => {
                        self.token(dollar);
                        self.token(name);
                    }
                },
                Piece::Repeat(of) => self.repeat(of, names)?,
            }
        }
        Ok(())
    }

    fn repeat(&mut self, of: &Repeat<Piece>, names: &Names<'_>) -> Result<(), String> {
        let mut used = Vec::new();
        variables(&of.of, &mut used);
        let counts = used.iter().filter_map(|name| match names.get(name) {
            Some(Bound::Many(all)) => Some(all.len()),
            Some(Bound::One(_)) | None => None,
        });
        let counts: Vec<usize> = counts.collect();
        let Some(count) = counts.first().copied() else {
            return Err("a part of a rule is repeated that has no repeated name".to_owned());
        };
        if counts.iter().any(|other| *other != count) {
            return Err("names are repeated together whose numbers differ".to_owned());
        }
        for number in 0..count {
            if number > 0
                && let Some(separator) = &of.separator
            {
                self.token(separator);
            }
            let mut inner = names.clone();
            for name in &used {
                if let Some(Bound::Many(all)) = names.get(name) {
                    inner.insert(name.clone(), &all[number]);
                }
            }
            self.pieces(&of.of, &inner)?;
        }
        Ok(())
    }

    /// A token of the definition, which is where the call is.
    fn token(&mut self, token: &Token) {
        let mark = if is_name(token) {
            self.marks.add(token.mark, self.expansion)
        } else {
            token.mark
        };
        self.made.push(Token {
            mark,
            ..Token::made(token.kind, &token.text, self.call)
        });
    }
}

fn variables(pieces: &[Piece], used: &mut Vec<Rc<str>>) {
    for piece in pieces {
        match piece {
            Piece::Token(_) | Piece::Crate => {}
            Piece::Variable(_, name) => used.push(name.text.clone()),
            Piece::Repeat(of) => variables(&of.of, used),
        }
    }
}
