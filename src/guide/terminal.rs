//! Pages of the guide on a terminal: Markdown, as far as the guide uses it, laid out for a width.
//!
//! Paragraphs and lists are filled, tables get columns that fit, code is indented and stays as it is. With
//! colours, code within sentences is coloured and its backticks are left out; without, they stay.
//!
//! **Absent.** What the pages do not contain: pictures, HTML, quotations, nested lists.

mod inline;
mod table;

use inline::{spans, wrap};

/// How a page is laid out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// The columns of a line.
    pub(crate) width: usize,
    /// Whether there are colours.
    pub(crate) color: bool,
}

/// Longer lines are hard to read, however wide the terminal is. Tables may use all of it.
const TEXT: usize = 100;

/// The margin of code and of lists.
const MARGIN: usize = 4;

/// The code that makes a heading bold.
const BOLD: &str = "1";

/// The page for a terminal. Each line is terminated.
pub(super) fn rendered(markdown: &str, layout: Layout) -> String {
    let mut page = Page {
        layout,
        out: String::new(),
    };
    let mut lines = markdown.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let code = lines.by_ref().take_while(|line| !line.starts_with("```"));
            page.code(language, code);
        } else if line.starts_with('|') {
            let mut rows = vec![line];
            while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                rows.push(row);
            }
            page.out.push_str(&table::rendered(&rows, layout));
        } else if let Some((level, heading)) = heading(line) {
            page.heading(level, heading);
        } else if line.is_empty() {
            page.out.push('\n');
        } else {
            let mut text = line.to_owned();
            while let Some(more) = lines.next_if(|line| goes_on(line)) {
                text.push(' ');
                text.push_str(more.trim());
            }
            page.paragraph(&text);
        }
    }
    page.out
}

/// The level and the words of a heading.
fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.len() - line.trim_start_matches('#').len();
    let words = line[level..].strip_prefix(' ')?;
    (level > 0).then_some((level, words))
}

/// The mark with which a line begins an item of a list: `* `, `- `, `1. `.
fn mark(line: &str) -> Option<&str> {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mark = if digits > 0 { ". " } else { "* " };
    let rest = &line[digits..];
    let is_mark = rest.starts_with(mark) || digits == 0 && rest.starts_with("- ");
    is_mark.then(|| &line[..digits + mark.len()])
}

/// Whether a line belongs to the paragraph or item before it.
fn goes_on(line: &str) -> bool {
    let begins_another = line.is_empty()
        || line.starts_with("```")
        || line.starts_with('|')
        || heading(line).is_some()
        || mark(line).is_some();
    !begins_another
}

struct Page {
    layout: Layout,
    out: String,
}

impl Page {
    fn line(&mut self, line: &str) {
        self.out.push_str(line.trim_end());
        self.out.push('\n');
    }

    fn heading(&mut self, level: usize, words: &str) {
        let mut widest = 0;
        for line in wrap(spans(words, false), self.layout.width) {
            let plain = line.text(false);
            widest = widest.max(line.width());
            if self.layout.color {
                self.line(&format!("\u{1b}[{BOLD}m{plain}\u{1b}[0m"));
            } else {
                self.line(&plain);
            }
        }
        if !self.layout.color {
            let under = if level == 1 { "=" } else { "-" };
            self.line(&under.repeat(widest));
        }
    }

    /// A block of code. In examples for the compiler, lines that begin with `# ` are not for readers.
    fn code<'t>(&mut self, language: &str, lines: impl Iterator<Item = &'t str>) {
        let is_rust = language.is_empty() || language == "should_panic";
        for line in lines.filter(|line| !(is_rust && line.starts_with("# "))) {
            self.line(&format!("{}{line}", " ".repeat(MARGIN)));
        }
    }

    fn paragraph(&mut self, text: &str) {
        let mark = mark(text).unwrap_or_default();
        let margin = if mark.is_empty() { 0 } else { MARGIN };
        let width = self.layout.width.min(TEXT).saturating_sub(margin);
        let words = spans(&text[mark.len()..], self.layout.color);
        let bullet = if mark.starts_with(|c: char| c.is_ascii_digit()) {
            mark.trim()
        } else {
            "*"
        };
        for (number, line) in wrap(words, width).iter().enumerate() {
            let text = line.text(self.layout.color);
            let lead = match (margin, number) {
                (0, _) => String::new(),
                (_, 0) => format!("{bullet:>3} "),
                (_, _) => " ".repeat(margin),
            };
            self.line(&format!("{lead}{text}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guide::PAGES;

    fn plain(markdown: &str, width: usize) -> String {
        let color = false;
        rendered(markdown, Layout { width, color })
    }

    #[test]
    fn paragraphs_are_filled_and_lists_hang() {
        let text = "# A `b`\n\nOne two\nthree four.\n* first item\n  goes on\n12. next\n";
        let expected =
            "A `b`\n=====\n\nOne two three\nfour.\n  * first item\n    goes on\n12. next\n";
        assert_eq!(plain(text, 16), expected);
    }

    #[test]
    fn code_stays_as_it_is_without_what_only_the_compiler_needs() {
        let text = "```text\na   |  b\n# c\n```\n```\nlet x;\n# Ok(())\n```\n";
        assert_eq!(plain(text, 5), "    a   |  b\n    # c\n    let x;\n");
    }

    #[test]
    fn tables_have_columns_that_fit() {
        let text = "| a | long words |\n|---|---|\n| `x\\|y` | one two three |\n| z | |\n";
        let wide = "a      long words\n-----  -------------\n`x|y`  one two three\nz\n";
        assert_eq!(plain(text, 80), wide);
        let narrow = "a      long words\n-----  ----------\n`x|y`  one two\n       three\nz\n";
        assert_eq!(plain(text, 17), narrow);
    }

    #[test]
    fn with_colours_code_loses_its_backticks() {
        let color = true;
        let text = rendered("a `b c` **d**\n", Layout { width: 6, color });
        assert_eq!(text, "a \u{1b}[36mb c\u{1b}[0m\n\u{1b}[1md\u{1b}[0m\n");
    }

    #[test]
    fn no_line_of_a_page_is_wider_than_the_terminal_but_for_code() {
        for page in PAGES {
            for width in [40, 80, 200] {
                let color = false;
                let text = page.on_terminal(Layout { width, color });
                let code: Vec<_> = page.text.split("```").skip(1).step_by(2).collect();
                for line in text.lines() {
                    let is_code = code.iter().any(|code| code.contains(line.trim()));
                    let fits = inline::columns(line) <= width;
                    assert!(fits || is_code, "{} at {width}: {line}", page.name);
                    assert!(!line.contains("super::"), "{}: {line}", page.name);
                }
            }
        }
    }

    #[test]
    fn every_word_of_a_page_is_shown() {
        for page in PAGES {
            let letters =
                |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).collect() };
            let color = false;
            let width = 1 << 20;
            let shown = letters(&page.on_terminal(Layout { width, color }));
            let paragraphs = page.text.split("\n\n");
            for paragraph in paragraphs.filter(|text| !text.contains("](") && !text.contains("```"))
            {
                for line in paragraph.lines().filter(|line| !line.starts_with('|')) {
                    assert!(shown.contains(&letters(line)), "{}: {line}", page.name);
                }
            }
        }
    }
}
