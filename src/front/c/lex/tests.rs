//! Tests of the lexer.

use super::*;
use crate::c::headers;

fn lexemes(text: &str) -> Vec<Lexeme> {
    lex(text, FileId(0)).lexemes
}

fn texts(text: &str) -> Vec<String> {
    lexemes(text)
        .iter()
        .map(|lexeme| lexeme.text.to_string())
        .collect()
}

#[test]
fn the_longest_token_is_taken() {
    assert_eq!(texts("x+++++y"), ["x", "++", "++", "+", "y"]);
    assert_eq!(
        texts("a<<=b>>=c->d...e..f"),
        [
            "a", "<<=", "b", ">>=", "c", "->", "d", "...", "e", ".", ".", "f"
        ]
    );
    // C11 6.4.8: these are single preprocessing numbers.
    assert_eq!(
        texts("1Ex 0xE+1 .5e-3f 1.2.3 3rd"),
        ["1Ex", "0xE+1", ".5e-3f", "1.2.3", "3rd"]
    );
    assert_eq!(texts("1+1"), ["1", "+", "1"]);
}

#[test]
fn digraphs_keep_their_spelling_and_have_their_meaning() {
    let found = lexemes("<: :> <% %> %: %:%:");
    let kinds: Vec<Kind> = found.iter().map(|lexeme| lexeme.kind).collect();
    assert_eq!(kinds, ["[", "]", "{", "}", "#", "##"].map(Kind::Punct));
    assert_eq!(texts("<:%:%:"), ["<:", "%:%:"]);
}

#[test]
fn line_splices_vanish_from_the_text_and_stay_in_the_place() {
    let found = lexemes("ab\\\ncd \\  \n+\\\r\n= 1");
    let seen: Vec<(&str, u32, u32, bool)> = found
        .iter()
        .map(|lexeme| {
            (
                &*lexeme.text,
                lexeme.place.start,
                lexeme.place.end,
                lexeme.first,
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("abcd", 0, 6, true),
            ("+=", 11, 16, false),
            ("1", 17, 18, false)
        ]
    );
}

#[test]
fn comments_are_white_space_and_begin_no_line() {
    let found = lexemes("a/* x\n # */b // c \\\n d\n# e /\\\n* f *\\\n/ g");
    let seen: Vec<(&str, bool, bool)> = found
        .iter()
        .map(|lexeme| (&*lexeme.text, lexeme.space, lexeme.first))
        .collect();
    assert_eq!(
        seen,
        [
            ("a", false, true),
            ("b", true, false),
            ("#", true, true),
            ("e", true, false),
            ("g", true, false),
        ]
    );
}

#[test]
fn literals_end_at_their_quote_or_with_the_line() {
    let kinds =
        |text: &str| -> Vec<Kind> { lexemes(text).iter().map(|lexeme| lexeme.kind).collect() };
    assert_eq!(
        kinds(r#""a\"b" 'c' L"d" u8"e" U'f' '\'' "\\""#),
        [
            Kind::Text,
            Kind::Char,
            Kind::Text,
            Kind::Text,
            Kind::Char,
            Kind::Char,
            Kind::Text
        ]
    );
    // `u8'a'` and `R"…"` are not C11.
    assert_eq!(texts("u8'a' R\"b\""), ["u8", "'a'", "R", "\"b\""]);
    assert_eq!(texts("don't go\n\"x"), ["don", "'t go", "\"x"]);
    assert_eq!(kinds("don't go\n\"x"), [Kind::Word, Kind::Open, Kind::Open]);
}

#[test]
fn a_comment_that_does_not_end_is_found() {
    let lexed = lex("a /* b", FileId(0));
    assert_eq!(lexed.lexemes.len(), 1);
    let place = lexed.open_comment.expect("it does not end");
    assert_eq!((place.start, place.end), (2, 4));
    assert!(lex("a /*/ b */", FileId(0)).open_comment.is_none());
}

#[test]
fn one_token_is_told_from_several() {
    assert_eq!(single("->"), Some(Kind::Punct("->")));
    assert_eq!(single("x1"), Some(Kind::Word));
    assert_eq!(single(".5"), Some(Kind::Number));
    for text in ["", "+-", "//", "/*", "x-", "'a", "@", "1 "] {
        assert_eq!(single(text), None, "{text}");
    }
}

#[test]
fn headers_that_come_with_the_tool_are_read_once_and_at_their_places() {
    for name in headers::names() {
        let text: Rc<str> = headers::find(name).expect("it has a text").into();
        for file in [FileId(3), FileId(7)] {
            let (known, fresh) = (lex_built_in(&text, file), lex(&text, file));
            assert!(fresh.open_comment.is_none(), "{name}");
            let written = |lexed: Lexed| format!("{:?}", lexed.lexemes);
            assert_eq!(written(known), written(fresh), "{name}");
        }
    }
}
