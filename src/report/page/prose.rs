//! Texts as elements: code between backticks, and places where long words may be broken.

use crate::report::draw::escaped;
use crate::report::table::tokens;
use crate::visible::visible_line;
use unicode_width::UnicodeWidthStr as _;

/// Words up to this width are not broken.
const SHORT: usize = 10;

/// An element with this text, escaped; an empty class is left out.
pub(super) fn element(name: &str, class: &str, text: &str) -> String {
    wrapped(name, class, &escaped(text))
}

/// An element with this code, which may be broken between its tokens.
pub(super) fn code(name: &str, class: &str, text: &str) -> String {
    wrapped(name, class, &breakable(text))
}

/// An element with these elements and escaped texts.
pub(super) fn wrapped(name: &str, class: &str, inside: &str) -> String {
    let class = if class.is_empty() {
        String::new()
    } else {
        format!(" class=\"{class}\"")
    };
    format!("<{name}{class}>{inside}</{name}>")
}

/// The text, escaped, with what is between backticks as code.
pub(super) fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // A single backtick quotes nothing.
    let paired = parts.len() % 2 == 1;
    let parts = parts.iter().enumerate().map(|(number, part)| {
        if !paired {
            breakable(part)
        } else if number % 2 == 1 {
            code("code", "", part)
        } else {
            breakable(part)
        }
    });
    let joint = if paired { "" } else { "`" };
    parts.collect::<Vec<_>>().join(joint)
}

/// The text, escaped, with a place for a break between the tokens of long words.
fn breakable(text: &str) -> String {
    let text = visible_line(text);
    let words = text.split(' ').map(|word| {
        if word.width() <= SHORT {
            return escaped(word);
        }
        let tokens = tokens(word).into_iter().map(escaped);
        tokens.collect::<Vec<_>>().join("<wbr/>")
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_what_backticks_enclose_and_long_words_break_between_tokens() {
        assert_eq!(
            prose("`x = 1;` (line 4) <b>"),
            "<code>x = 1;</code> (line 4) &lt;b&gt;"
        );
        assert_eq!(prose("a ` b"), "a ` b");
        assert_eq!(
            prose("`assert(a_long_name)`"),
            "<code>assert<wbr/>(<wbr/>a_long_name<wbr/>)</code>"
        );
        assert_eq!(code("td", "", "short(a)"), "<td>short(a)</td>");
    }
}
