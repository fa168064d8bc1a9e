//! The options of the attribute. They are checked here, where the compiler can point at them; their meaning is that of the
//! options of `cargo fencepost`, which reads them in the text of the function.

use crate::Wrong;
use proc_macro::{Span, TokenStream, TokenTree};

/// What an option is set to.
enum Kind {
    /// Nothing.
    Word,
    /// One of these.
    One(&'static [&'static str]),
    /// Some of these.
    List(&'static [&'static str]),
    Number,
    Seconds,
}

const ENGINES: &[&str] = &["auto", "bmc", "explicit", "ic3", "lazy"];

/// The names of models, and those of machines that have them.
const MODELS: &[&str] = &[
    "sc",
    "tso",
    "pso",
    "pgas",
    "x86",
    "x86-64",
    "x86-tso",
    "sparc",
    "ztso",
    "sparc-pso",
];

const OPTIONS: [(&str, Kind); 10] = [
    ("model", Kind::List(MODELS)),
    ("robust", Kind::Word),
    ("forbid_stuck", Kind::Word),
    ("allow_stuck", Kind::Word),
    ("accept_bounded", Kind::Word),
    ("any_number", Kind::Word),
    ("engine", Kind::One(ENGINES)),
    ("capacity", Kind::Number),
    ("unroll", Kind::Number),
    ("timeout", Kind::Seconds),
];

/// Checks `name, name = value, …`.
///
/// # Errors
///
/// The first that is not an option, or whose value is not one.
pub(crate) fn check(attribute: TokenStream) -> Result<(), Wrong> {
    let mut tokens = attribute.into_iter().peekable();
    let mut given: Vec<String> = Vec::new();
    while let Some(token) = tokens.next() {
        let span = token.span();
        let TokenTree::Ident(name) = token else {
            return Err(Wrong::new(format!("expected {}", names()), span));
        };
        let name = name.to_string();
        let Some((_, kind)) = OPTIONS.iter().find(|(own, _)| *own == name) else {
            let message = format!("`{name}` is not an option: expected {}", names());
            return Err(Wrong::new(message, span));
        };
        if given.contains(&name) {
            return Err(Wrong::new(format!("`{name}` is given twice"), span));
        }
        let stuck = ["forbid_stuck", "allow_stuck"];
        if stuck.contains(&&*name) && given.iter().any(|given| stuck.contains(&&**given)) {
            let message = "`forbid_stuck` and `allow_stuck` contradict each other";
            return Err(Wrong::new(message, span));
        }
        let equals = tokens.next_if(|token| is(token, '='));
        let value = equals.and_then(|_| tokens.next_if(|token| !is(token, ',')));
        check_value(&name, kind, value, span)?;
        given.push(name);
        match tokens.next() {
            None => {}
            Some(token) if is(&token, ',') => {}
            Some(token) => return Err(Wrong::new("expected `,`", token.span())),
        }
    }
    Ok(())
}

fn check_value(name: &str, kind: &Kind, value: Option<TokenTree>, span: Span) -> Result<(), Wrong> {
    let Some(value) = value else {
        let example = match kind {
            Kind::Word => return Ok(()),
            Kind::One(all) | Kind::List(all) => format!("\"{}\"", all[1]),
            Kind::Number => "8".to_owned(),
            Kind::Seconds => "60".to_owned(),
        };
        let message = format!("`{name}` needs a value, as in `{name} = {example}`");
        return Err(Wrong::new(message, span));
    };
    let span = value.span();
    let text = match &value {
        TokenTree::Literal(value) => value.to_string(),
        TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Punct(_) => String::new(),
    };
    let inner = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    let one_of = |word: Option<&str>, all: &[&str]| match word {
        Some(word) if all.contains(&word) => Ok(()),
        Some(_) | None => {
            let all = all.join("`, `");
            Err(format!("expected a text with one of `{all}`"))
        }
    };
    let checked = match kind {
        Kind::Word => Err(format!("`{name}` has no value")),
        Kind::One(all) => one_of(inner, all),
        Kind::List(all) => match inner {
            Some(inner) => {
                let mut words = inner.split(',').map(|word| one_of(Some(word.trim()), all));
                words.find(Result::is_err).unwrap_or(Ok(()))
            }
            None => one_of(None, all),
        },
        Kind::Number => match text.parse::<u32>() {
            Ok(_) => Ok(()),
            Err(_) => Err("expected a number, as in `8`".to_owned()),
        },
        Kind::Seconds => match text.parse::<f64>() {
            Ok(seconds) if seconds.is_finite() => Ok(()),
            Ok(_) | Err(_) => Err("expected a number of seconds, as in `60`".to_owned()),
        },
    };
    checked.map_err(|message| Wrong::new(message, span))
}

fn is(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(one) if one.as_char() == sign)
}

fn names() -> String {
    let all: Vec<String> = OPTIONS
        .iter()
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    format!("one of {}", all.join(", "))
}
