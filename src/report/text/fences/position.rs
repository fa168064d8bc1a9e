//! Where a fence is, in words that can be followed literally.
//!
//! ```text
//! before `r = y;` (line 5)
//! after `head = h;` (line 10), at the end of the block, or anywhere between line 10 and the next test in line 8
//! in the condition: `while (fence, flag == 0)` (line 4)
//! ```
//!
//! Inside an expression the words are those of the changed text, so they agree with the patch.

use super::super::super::Source;
use super::first_site;
use crate::fences::{Interval, Place, Until, interval};
use crate::formats::Format;
use crate::program::{Op, Role, Site};
use crate::report::source::shortened;
use crate::report::view::Fix;

/// The number of characters shown before and after a change in a long line.
const AROUND: usize = 28;

/// Where the fence of this place is, with its line. `fix` is the change of the text for this place
/// alone, if that is known.
pub(super) fn placed(source: &Source<'_>, place: &Place, fix: Option<&Fix>) -> String {
    let site = first_site(source, place);
    let at = source.place(site);
    let instruction = source.program.instruction(site);
    let is_in_macro = source.macro_around(site).is_some();
    if instruction.role == Role::Inside
        && !is_in_macro
        && let Some(line) = fix.and_then(changed_line)
    {
        return format!("{} `{}` ({at})", lead(&line), line.shown());
    }
    let before = if starts(source, site, &["}", ";"]) {
        statement_before(source, site)
    } else {
        None
    };
    let words = match before {
        Some(before) => format!("{before}, at the end of the block"),
        None => format!("{} ({at})", position(source, site)),
    };
    format!("{words}{}", elsewhere(source, place))
}

/// ``after `x = 1;` (line 4)``, if a single statement is before this.
fn statement_before(source: &Source<'_>, site: Site) -> Option<String> {
    let thread = source.program.thread(site.thread);
    let loc = thread.instruction(site.instr).from;
    let arriving = thread.instructions().iter().enumerate();
    let mut arriving = arriving.filter(|(_, instruction)| instruction.to == loc);
    let (instr, only) = arriving.next()?;
    let is_statement = only.op.address().is_some() || matches!(only.op, Op::Assign { .. });
    if arriving.next().is_some() || !is_statement || only.origin.line == 0 {
        return None;
    }
    let before = Site {
        instr: instr.into(),
        ..site
    };
    let (statement, at) = (source.statement(before), source.place(before));
    Some(format!("after `{statement}` ({at})"))
}

/// Where else the fence may be: `, or anywhere between line 4 and line 7`.
fn elsewhere(source: &Source<'_>, place: &Place) -> String {
    let interval = interval(source.program, place).filter(Interval::has_several_lines);
    let Some(interval) = interval else {
        return String::new();
    };
    let end = match interval.last {
        Until::Before(origin) => format!("line {}", origin.line),
        Until::Head(origin) => {
            let head = source.line(origin).unwrap_or_default();
            let part = if head.starts_with("for") {
                "head of the loop"
            } else {
                "test"
            };
            format!("the {part} in line {}", origin.line)
        }
        Until::NextTest(origin) => format!("the next test in line {}", origin.line),
    };
    match interval.after {
        Some(after) => format!(", or anywhere between line {} and {end}", after.line),
        None => format!(", or anywhere from there to {end}"),
    }
}

/// ``before `r = y;` ``, or where a loop or block has several positions, which one.
pub(super) fn position(source: &Source<'_>, site: Site) -> String {
    let instruction = source.program.instruction(site);
    let statement = source.statement(site);
    if let Some(name) = source.macro_around(site) {
        let part = written(source, site).split_whitespace();
        let part = part.filter(|word| *word != "\\");
        let part = part.collect::<Vec<_>>().join(" ");
        if part.is_empty() {
            format!("in the definition of `{name}`, at the end of a block")
        } else {
            let part = shortened(&part);
            format!("in the definition of `{name}`, before `{part}`")
        }
    } else if instruction.role == Role::Inside {
        let part = written(source, site).split_whitespace();
        let part = part.collect::<Vec<_>>().join(" ");
        let whole = source.line(instruction.origin).unwrap_or_default();
        format!("in `{}`, before `{}`", shortened(whole), shortened(&part))
    } else if let Some((before, target)) = source.edge(site.thread, instruction.from) {
        format!("on the edge from `{before}` to `{target}`")
    } else if starts(source, site, &["}", ";"]) {
        "at the end of the block".to_owned()
    } else if starts(source, site, &["while", "for"]) {
        format!("before the loop `{statement}`")
    } else if starts(source, site, &["do", "loop"]) {
        "before the loop".to_owned()
    } else if starts(source, site, &["if"])
        && !matches!(source.format, Format::C | Format::LitmusC | Format::Rust)
    {
        "in an `else` branch of the `if`".to_owned()
    } else if statement.starts_with("while") {
        format!("in the condition of `{statement}`")
    } else if statement.starts_with("for (") || statement.starts_with("for(") {
        format!("in the head of `{statement}`")
    } else {
        format!("before `{statement}`")
    }
}

/// The text that an instruction spans.
fn written<'a>(source: &Source<'a>, site: Site) -> &'a str {
    let origin = source.program.instruction(site).origin;
    let span = origin.start as usize..origin.end as usize;
    source.text.get(span).unwrap_or_default()
}

/// Whether the instruction is a position before one of these words.
fn starts(source: &Source<'_>, site: Site, words: &[&str]) -> bool {
    let written = written(source, site);
    source.program.instruction(site).op == Op::Skip
        && words.iter().any(|word| written.starts_with(word))
}

/// A line of the changed text, and the part of it that is new.
struct Changed {
    line: String,
    /// In characters.
    new: (usize, usize),
}

/// The line that changes, if no line is added.
fn changed_line(fix: &Fix) -> Option<Changed> {
    let [file] = fix.as_slice() else {
        return None;
    };
    let (before, after) = (file.before.lines(), file.after.lines());
    if before.clone().count() != after.clone().count() {
        return None;
    }
    let (old, new) = before.zip(after).find(|(old, new)| old != new)?;
    let (old, new) = (code(old), code(new));
    let same = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| {
        a.zip(b).take_while(|(a, b)| a == b).count()
    };
    let start = same(&mut old.chars(), &mut new.chars());
    let rest = old.chars().count() - start;
    let end = same(&mut old.chars().rev(), &mut new.chars().rev()).min(rest);
    Some(Changed {
        new: (start, new.chars().count() - end),
        line: new.to_owned(),
    })
}

/// A line without its comment, and without the brace that opens a block.
fn code(line: &str) -> &str {
    let code = line.split("//").next().unwrap_or_default().trim();
    code.strip_suffix('{').unwrap_or(code).trim_end()
}

impl Changed {
    /// The line, or if it is long the part around what is new.
    fn shown(&self) -> String {
        let whole: String = self.line.split_whitespace().collect::<Vec<_>>().join(" ");
        if whole == shortened(&whole) {
            return whole;
        }
        let (start, end) = self.new;
        let length = self.line.chars().count();
        let (from, to) = (start.saturating_sub(AROUND), (end + AROUND).min(length));
        let part: String = self.line.chars().skip(from).take(to - from).collect();
        let (left, right) = (
            if from > 0 { "…" } else { "" },
            if to < length { "…" } else { "" },
        );
        format!("{left}{part}{right}")
    }
}

/// What kind of line a fence is inserted into.
fn lead(changed: &Changed) -> &'static str {
    let line = changed.line.trim_start_matches(['}', ' ']);
    let begins = |words: &[&str]| words.iter().any(|word| line.starts_with(word));
    if begins(&["while", "if", "else if", "await", "switch"]) {
        "in the condition:"
    } else if begins(&["for"]) {
        "in the head of the loop:"
    } else {
        "inside the statement:"
    }
}
