//! Agreement with the system's C compiler, where there is one.

use super::generated::{conditions, programs};
use super::{run, spellings};
use crate::c::lex::lex;
use crate::text::FileId;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// What `cc -E` writes for a text, and whether it is content; `None` if there is no such compiler.
fn compiled(text: &str, flags: &[&str]) -> Option<(String, bool)> {
    let mut child = Command::new("cc")
        .args(["-E", "-x", "c", "-std=gnu11"])
        .args(flags)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    Some((
        String::from_utf8(output.stdout).ok()?,
        output.status.success(),
    ))
}

const BARE: [&str; 3] = ["-P", "-undef", "-nostdinc"];

/// Spellings to compare: without the white space in strings made by `#`, where an empty expansion
/// before it makes a difference that the standard leaves open.
fn comparable(text: &str) -> String {
    if text.starts_with('"') {
        text.replace(' ', "")
    } else {
        text.to_owned()
    }
}

fn lexed(text: &str) -> Vec<String> {
    let lexemes = lex(text, FileId(0)).lexemes;
    lexemes
        .iter()
        .map(|lexeme| comparable(&lexeme.text))
        .collect()
}

/// The tokens that both make of each text; the compiler reads all in one go.
fn agree(texts: &[String]) {
    let mut whole = String::new();
    let mut ours = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        writeln!(whole, "\"text {index}\"\n{text}").expect("writing to a string");
        let tokens = spellings(text).unwrap_or_else(|| panic!("an error in {text}"));
        ours.push(
            tokens
                .iter()
                .map(|text| comparable(text))
                .collect::<Vec<_>>(),
        );
    }
    let Some((output, content)) = compiled(&whole, &BARE) else {
        return;
    };
    assert!(content, "the compiler finds errors where we do not");
    let tokens = lexed(&output);
    let mut rest = tokens.as_slice();
    for (index, (text, ours)) in texts.iter().zip(&ours).enumerate() {
        assert_eq!(rest.first(), Some(&format!("\"text{index}\"")));
        let next = format!("\"text{}\"", index + 1);
        let end = rest.iter().position(|token| *token == next);
        let (theirs, after) = rest.split_at(end.unwrap_or(rest.len()));
        assert_eq!(&theirs[1..], ours, "{text}");
        rest = after;
    }
}

#[test]
fn generated_macros_expand_as_in_the_compiler() {
    let all = programs(600);
    let (right, wrong): (Vec<String>, Vec<String>) =
        all.into_iter().partition(|text| spellings(text).is_some());
    assert!(right.len() > 200, "only {} are without errors", right.len());
    agree(&right);
    // What is wrong is wrong for the compiler as well.
    for text in wrong.iter().take(30) {
        if let Some((_, content)) = compiled(text, &BARE) {
            assert!(!content, "{text}");
        }
    }
}

#[test]
fn generated_conditions_hold_as_in_the_compiler() {
    let all = conditions(1500);
    let right: Vec<String> = all
        .into_iter()
        .filter(|text| spellings(text).is_some())
        .collect();
    assert!(right.len() > 500, "only {} are without errors", right.len());
    agree(&right);
}

#[test]
fn texts_are_read_as_by_the_compiler() {
    let texts = [
        "#define EMPTY\n#define LPAREN (\n#define RPAREN )\n#define F(x, y) x + y\n#define ELLIP_FUNC(...) __VA_ARGS__\nELLIP_FUNC(F, LPAREN, 'a', 'b', RPAREN);",
        "#define A(x) B(x\n#define B(x) [x]\nA(1)) A((4)))",
        "#define f(x) #x\nf( \"a\\\"b\" 'c' \\t ) f(a\\\nb)",
        "#define cat(a, ...) a ## __VA_ARGS__\ncat(x, y, z) cat(x) cat(,) cat(x,)",
        "#define d1(f, ...) g(f, ##__VA_ARGS__)\n#define d2(...) g(a, ##__VA_ARGS__)\nd1(1) d1(1,) d1(1,2,3) d2() d2(1) d2(,)",
        "#define EVAL(...) __VA_ARGS__\n#define DEFER(x) x EMPTY()\n#define EMPTY()\n#define LOOP() 1 DEFER(LOOP2)()()\n#define LOOP2() LOOP\nLOOP() EVAL(LOOP()) EVAL(EVAL(LOOP()))",
        "#define a a b\n#define b a c\n#define c b\na b c",
        "#define AA BB\n#define BB(x) x AA\nAA(1)(2) AA(AA)(3)",
        "#define x(a) a y\n#define y(a) x(a)\nx(1)(2)(3) y(1)(2)",
        "#define s(x) #x\n#define t(x) s(x)\n#define p(...) t((__VA_ARGS__))\np(a , b,c) t((a,b)) t(\n1\n+\n2)",
        "<: %: %:%: :> <% %> 0x1.8p+3 1e+5+1 a+++++b L'x' u8\"y\" U\"z\"",
        "#if 0\n'\n#elif defined(X) || !defined Y\nyes\n#else\nno\n#endif",
        "#define N(x) x\n#define M N(N)\nM(1) N(N)(1) N(N(N)(2))",
        "#define f(x) <x>\nf\n#undef f\n(4) f\n#define f(x) [x]\nf\n#if 1\n(5)\n#endif\nf\n\n(6) f(\n#if 0\n1\n#else\n2\n#endif\n)",
        "#define i i1\n#define i1 i2\n#define i2 i\ni i1 i2 i\\\n1",
    ];
    for text in texts {
        agree(&[text.to_owned()]);
    }
}

#[test]
fn preprocessed_text_keeps_its_tokens() {
    let text =
        "#include <stdlib.h>\n#include <string.h>\nint main(void) { return EXIT_SUCCESS; }\n";
    let Some((output, true)) = compiled(text, &[]) else {
        return;
    };
    let result = run(&output);
    assert!(result.errors().is_empty(), "{:?}", result.errors());
    assert!(result.text().ends_with("int main ( void ) { return 0 ; }"));
    // The marker names the line that it had before.
    let last = result.tokens.last().expect("there are tokens");
    assert_eq!(result.files.presumed(last.place).1, 3);
}
