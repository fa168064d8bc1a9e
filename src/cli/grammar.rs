//! `fencepost grammar`: a TextMate grammar of the language, by which editors colour `.fence` files.
//!
//! It is made from the tables of the lexer, so that a new keyword is in it. At each position the first pattern
//! that matches counts; words and numbers are matched whole, so that none begins in the middle of another.

use super::Session;
use super::driver::{Stream, print};
use super::exit::Exit;
use crate::text::{SIGNS, WORDS};
use clap::Args;
use serde_json::{Value, json};

#[derive(Args, Clone, Debug)]
pub(super) struct Grammar {}

/// Prints the grammar.
pub(super) fn run(_: &Grammar, _: &Session) -> Exit {
    let text = serde_json::to_string_pretty(&grammar());
    print(text.map(|text| text + "\n"), Stream::Output)
}

/// Keywords that declare something.
const DECLARATIONS: [&str; 6] = ["program", "shared", "const", "thread", "proc", "local"];

/// Keywords that begin a property.
const PROPERTIES: [&str; 4] = ["forbid", "final", "exists", "assert"];

/// What may follow the first character of a name.
const NAME: &str = r"[\p{Alphabetic}\p{N}_$']";

fn grammar() -> Value {
    let is_control = |word: &&str| !DECLARATIONS.contains(word) && !PROPERTIES.contains(word);
    let control: Vec<&str> = WORDS.iter().copied().filter(is_control).collect();
    let is_operator = |sign: &&str| !"()[]{};:,.@".contains(sign);
    let (mut operators, others): (Vec<&str>, Vec<&str>) =
        SIGNS.iter().copied().partition(is_operator);
    // The first alternative that matches counts, and `<=` begins like `<`.
    operators.sort_by_key(|sign| std::cmp::Reverse(sign.len()));
    json!({
        "name": "Fencepost",
        "scopeName": "source.fence",
        "fileTypes": ["fence"],
        "patterns": [
            pattern("comment.line.documentation.fence", "//:.*$"),
            pattern("comment.line.double-slash.fence", "//.*$"),
            {
                "name": "comment.block.fence",
                "begin": r"/\*",
                "end": r"\*/",
            },
            pattern("string.quoted.double.fence", r#""(?:[^"\\]|\\.)*""#),
            pattern("variable.other.quoted.fence", r"`(?:[^`\\]|\\.)*`"),
            pattern("constant.numeric.fence", "[0-9][0-9A-Za-z_]*"),
            pattern("storage.type.fence", &words(&DECLARATIONS)),
            pattern("keyword.other.property.fence", &words(&PROPERTIES)),
            pattern("keyword.control.fence", &words(&control)),
            pattern("variable.other.fence", &format!(r"[\p{{Alphabetic}}_$]{NAME}*")),
            pattern("keyword.operator.fence", &any(&operators)),
            pattern("punctuation.fence", &any(&others)),
        ],
    })
}

fn pattern(scope: &str, regex: &str) -> Value {
    json!({ "name": scope, "match": regex })
}

/// Any of these words, if no longer name begins with it.
fn words(words: &[&str]) -> String {
    format!("(?:{})(?!{NAME})", words.join("|"))
}

/// Any of these signs. Only what has a meaning is escaped: `\<` would have one.
fn any(signs: &[&str]) -> String {
    let means = |c: char| r"()[]{}.?|^*+\$".contains(c);
    let escaped = signs.iter().map(|sign| {
        let chars = sign.chars();
        chars
            .flat_map(|c| [Some('\\').filter(|_| means(c)), Some(c)])
            .flatten()
            .collect::<String>()
    });
    escaped.collect::<Vec<_>>().join("|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::corpus_files;
    use crate::text::{TokenKind, token_kinds};
    use fancy_regex::Regex;
    use std::fs;
    use std::ops::Range;
    use std::path::Path;

    /// A pattern as an editor uses it: where it begins and, if it may span several lines, where it ends.
    struct Pattern {
        scope: String,
        begin: Regex,
        end: Option<Regex>,
    }

    fn patterns() -> Vec<Pattern> {
        let grammar = grammar();
        let patterns = grammar["patterns"].as_array().expect("it has patterns");
        let regex = |text: &Value| Regex::new(text.as_str().expect("a text")).expect("it is one");
        let one = |pattern: &Value| Pattern {
            scope: pattern["name"].as_str().expect("a scope").to_owned(),
            begin: regex(pattern.get("match").unwrap_or(&pattern["begin"])),
            end: pattern.get("end").map(regex),
        };
        patterns.iter().map(one).collect()
    }

    /// What an editor shows: line by line, at each position the earliest match, and the first pattern among those.
    fn shown(text: &str, patterns: &[Pattern]) -> Vec<(String, Range<usize>)> {
        let mut found = Vec::new();
        let mut open: Option<(&Pattern, usize)> = None;
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let content = line.trim_end_matches('\n');
            let find = |regex: &Regex, at: usize| {
                let matched = regex.find_from_pos(content, at).expect("it ends");
                matched.map(|one| one.start()..one.end())
            };
            // The next match of each pattern is kept until it is passed.
            let mut next: Vec<_> = patterns.iter().map(|one| find(&one.begin, 0)).collect();
            let mut at = 0;
            loop {
                if let Some((pattern, from)) = open {
                    let end = pattern.end.as_ref().and_then(|end| find(end, at));
                    let Some(end) = end else {
                        break;
                    };
                    found.push((pattern.scope.clone(), from..start + end.end));
                    (open, at) = (None, end.end);
                    continue;
                }
                for (pattern, next) in patterns.iter().zip(&mut next) {
                    if next.as_ref().is_some_and(|place| place.start < at) {
                        *next = find(&pattern.begin, at);
                    }
                }
                let matches = patterns.iter().zip(&next);
                let matches = matches.filter_map(|(one, place)| Some((one, place.clone()?)));
                let Some((pattern, place)) = matches.min_by_key(|(_, place)| place.start) else {
                    break;
                };
                if pattern.end.is_some() {
                    open = Some((pattern, start + place.start));
                } else {
                    let place = start + place.start..start + place.end;
                    found.push((pattern.scope.clone(), place));
                }
                assert!(place.end > at, "{} matches nothing", pattern.scope);
                at = place.end;
            }
            start += line.len();
        }
        if let Some((pattern, from)) = open {
            found.push((pattern.scope.clone(), from..text.len()));
        }
        found
    }

    fn kind(scope: &str) -> Option<TokenKind> {
        match scope {
            "comment.line.documentation.fence"
            | "comment.line.double-slash.fence"
            | "comment.block.fence" => None,
            "string.quoted.double.fence" => Some(TokenKind::Text),
            "variable.other.quoted.fence" => Some(TokenKind::Quoted),
            "variable.other.fence" => Some(TokenKind::Name),
            "constant.numeric.fence" => Some(TokenKind::Number),
            "keyword.operator.fence" | "punctuation.fence" => Some(TokenKind::Sign),
            _ => Some(TokenKind::Word),
        }
    }

    /// Checks that an editor sees the tokens of the lexer, and comments where it sees none.
    fn agrees(text: &str, patterns: &[Pattern], name: &str) {
        let is_token = |(kind, _): &(TokenKind, Range<usize>)| *kind != TokenKind::Stray;
        let lexed: Vec<_> = token_kinds(text).into_iter().filter(is_token).collect();
        let shown = shown(text, patterns).into_iter();
        let shown = shown.filter_map(|(scope, place)| Some((kind(&scope)?, place)));
        let shown: Vec<_> = shown.collect();
        for (lexed, shown) in lexed.iter().zip(&shown) {
            assert_eq!(lexed, shown, "{name}: {:?}", &text[lexed.1.clone()]);
        }
        assert_eq!(lexed.len(), shown.len(), "{name}");
    }

    #[test]
    fn editors_see_the_tokens_of_the_lexer_in_all_programs() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
        let mut files = Vec::new();
        corpus_files(&corpus, &mut files).expect("the corpus is there");
        let patterns = patterns();
        let mut programs = 0;
        for file in files
            .iter()
            .filter(|file| file.extension().is_some_and(|one| one == "fence"))
        {
            let text = fs::read_to_string(file).unwrap_or_default();
            // What is no token at all may be anything in an editor.
            if token_kinds(&text)
                .iter()
                .any(|(kind, _)| *kind == TokenKind::Stray)
            {
                continue;
            }
            agrees(&text, &patterns, &file.display().to_string());
            programs += 1;
        }
        assert!(programs > 300, "{programs}");
    }

    #[test]
    fn names_numbers_and_comments_end_where_they_do_for_the_lexer() {
        let text = "iffy if' größe $x 1if 0x1F a<=b<<c /* if \"\n // */ if // /* while\n\"a\\\"b\" `x\\`y` é2¼ _ ²";
        agrees(text, &patterns(), "text");
    }

    #[test]
    fn every_keyword_of_a_group_is_one_of_the_lexer() {
        for word in DECLARATIONS.iter().chain(&PROPERTIES) {
            assert!(WORDS.contains(word), "{word}");
        }
    }
}
