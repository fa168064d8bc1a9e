//! What is before a place in a text.

/// A text without white space, comments, line markers and other directives at its end. A `#pragma` stays: it may be about
/// the statement after it, which then has to follow it.
pub(crate) fn without_directives(text: &str) -> &str {
    let mut text = text.trim_end();
    loop {
        let start = text.rfind('\n').map_or(0, |at| at + 1);
        let line = text[start..].trim_start();
        if line.starts_with('#') && !line[1..].trim_start().starts_with("pragma") {
            text = text[..start].trim_end();
        } else if let Some(comment) = line_comment(&text[start..]) {
            text = text[..start + comment].trim_end();
        } else if let Some(begun) = text.strip_suffix("*/").and_then(|text| text.rfind("/*")) {
            text = text[..begun].trim_end();
        } else {
            return text;
        }
    }
}

/// Where a comment up to the end of a line begins in it.
fn line_comment(line: &str) -> Option<usize> {
    let mut quote = None;
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        match (quote, c) {
            (Some(_), '\\') => {
                chars.next();
            }
            (Some(open), c) if open == c => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '/') if next == Some('/') => return Some(at),
            (None, '/') if next == Some('*') => {
                let end = line[at + 2..].find("*/")? + at + 4;
                while chars.next_if(|(at, _)| *at < end).is_some() {}
            }
            _ => {}
        }
    }
    None
}
