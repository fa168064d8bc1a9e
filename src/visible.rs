//! Text from outside, made safe to show: no name, comment or file name can steer a terminal.
//!
//! What a reader cannot see is shown as an escape: control characters such as the start of a
//! terminal's commands as `\x1b`, characters that turn the direction of writing or take no room as
//! `\u{202e}`. Line breaks and tabs stay; a carriage return stays only before a line feed. The
//! result is made of characters that XML allows as well.
//!
//! Everything that people read passes through [`visible`]: diagnostics, reports, `show`, drawings,
//! complaints. JSON has escapes of its own, and what is written into the user's files keeps every
//! byte.

use std::borrow::Cow;
use std::fmt::Write as _;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

/// The text with everything that cannot be seen as escapes. Changes nothing in its own results.
///
/// ```
/// use fencepost::visible::visible;
///
/// assert_eq!(visible("r = 1; // \u{1b}[2J\u{202e}"), "r = 1; // \\x1b[2J\\u{202e}");
/// assert_eq!(visible("größer\n"), "größer\n");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|b| matches!(b, b' '..=b'~' | b'\n')) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let stays = match c {
            '\n' | '\t' => true,
            '\r' => chars.peek() == Some(&'\n'),
            c => is_visible(c),
        };
        if stays {
            out.push(c);
        } else {
            push_escaped(&mut out, c);
        }
    }
    Cow::Owned(out)
}

/// The same for what belongs on one line: line breaks and tabs are escapes too, as `\n` and `\t`, so
/// that no name begins a line of its own.
pub fn visible_line(text: &str) -> String {
    visible(text)
        .replace('\r', "\\x0d")
        .replace('\n', "\\n")
        .replace('\t', "\\t")
}

/// Appends the escape of a character, as quoted names in the language have it.
fn push_escaped(out: &mut String, c: char) {
    let code = u32::from(c);
    // Writing to a string does not fail.
    let _ = if code < 0x80 {
        write!(out, "\\x{code:02x}")
    } else {
        write!(out, "\\u{{{code:x}}}")
    };
}

/// Whether a character leaves a mark of its own where it stands, or a space.
fn is_visible(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    let steering = matches!(
        c.general_category(),
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
            | GeneralCategory::Surrogate
            | GeneralCategory::Unassigned
    );
    // Fillers and selectors: letters and marks by category that nothing shows.
    let blank = matches!(
        c,
        '\u{34f}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{ffa0}'
            | '\u{e0100}'..='\u{e01ef}'
    );
    !steering && !blank
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_or_cannot_be_seen_is_escaped() {
        for (c, escape) in [
            ('\u{0}', "\\x00"),
            ('\u{7}', "\\x07"),
            ('\u{8}', "\\x08"),
            ('\u{b}', "\\x0b"),
            ('\u{1b}', "\\x1b"),
            ('\u{7f}', "\\x7f"),
            // The eight-bit form of ESC [.
            ('\u{9b}', "\\u{9b}"),
            ('\u{ad}', "\\u{ad}"),
            ('\u{61c}', "\\u{61c}"),
            ('\u{200b}', "\\u{200b}"),
            ('\u{200f}', "\\u{200f}"),
            ('\u{2028}', "\\u{2028}"),
            ('\u{202e}', "\\u{202e}"),
            ('\u{2066}', "\\u{2066}"),
            ('\u{3164}', "\\u{3164}"),
            ('\u{fe0f}', "\\u{fe0f}"),
            ('\u{feff}', "\\u{feff}"),
            ('\u{ffff}', "\\u{ffff}"),
            ('\u{e0041}', "\\u{e0041}"),
        ] {
            assert_eq!(visible(&format!("a{c}b")), format!("a{escape}b"));
        }
    }

    #[test]
    fn what_can_be_seen_stays() {
        for text in [
            "",
            "r = x; // ok",
            "größer, 変数, שלום, e\u{301}",
            "a\tb\r\nc\n",
        ] {
            assert_eq!(visible(text), text);
        }
    }

    #[test]
    fn a_carriage_return_may_only_end_a_line() {
        assert_eq!(visible("ok\rbad\r\n\r"), "ok\\x0dbad\r\n\\x0d");
    }

    #[test]
    fn a_name_begins_no_line_of_its_own() {
        assert_eq!(visible_line("a\n\tb\u{1b}\r\nc"), "a\\n\\tb\\x1b\\x0d\\nc");
    }

    #[test]
    fn nothing_is_escaped_twice() {
        for c in (0..0x11_0000).filter_map(char::from_u32) {
            let text = c.to_string();
            let once = visible(&text);
            assert_eq!(visible(&once), once);
        }
    }
}
