//! Untrusted text, made safe to display: no name, comment or file name can control a terminal.
//!
//! Invisible characters are shown as escapes: control characters, such as the one that starts a
//! terminal's escape sequences, as `\x1b`; characters that change the writing direction or have no
//! width as `\u{202e}`. Line breaks and tabs stay; a carriage return stays only before a line feed.
//! The result consists only of characters that XML allows.
//!
//! All output for people passes through [`visible`]: diagnostics, reports, `show`, drawings, error
//! messages. JSON has its own escapes, and text written into the user's files keeps every byte.

use std::borrow::Cow;
use std::fmt::Write as _;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

/// The text with every invisible character escaped. Idempotent.
///
/// ```
/// use fencepost_base::visible::visible;
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

/// The same for text that must stay on one line: line breaks and tabs are escaped too, as `\n` and
/// `\t`, so that no name can start a new line.
pub fn visible_line(text: &str) -> String {
    visible(text)
        .replace('\r', "\\x0d")
        .replace('\n', "\\n")
        .replace('\t', "\\t")
}

/// Appends the escape of a character, in the syntax of quoted names in the language.
fn push_escaped(out: &mut String, c: char) {
    let code = u32::from(c);
    // Writing to a string does not fail.
    let _ = if code < 0x80 {
        write!(out, "\\x{code:02x}")
    } else {
        write!(out, "\\u{{{code:x}}}")
    };
}

/// Whether a character shows as a mark or a space.
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
    // Fillers and variation selectors: letters and marks by category, but displayed as nothing.
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
    fn control_and_invisible_characters_are_escaped() {
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
    fn visible_characters_stay() {
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
    fn a_name_cannot_start_a_new_line() {
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
