//! The results of a corpus as JUnit XML, which build servers show as tests.
//!
//! A file is a test suite, and each of its expectations a test case: a failure if it is missed, an error if
//! Fencepost itself failed, skipped if it was not run.
//!
//! **Invariant.** The result is well-formed, whatever the names and expectations contain: characters that
//! XML does not allow are shown as escapes.

use super::view::{CorpusFile, CorpusLine, LineResult};
use crate::visible::visible;
use std::fmt::Write as _;

/// The counts that a suite states.
#[derive(Clone, Copy, Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    seconds: f64,
}

impl Counts {
    fn of(file: &CorpusFile) -> Self {
        let mut counts = Counts::default();
        for line in &file.lines {
            counts.tests += 1;
            counts.seconds += line.seconds.unwrap_or_default();
            match &line.result {
                LineResult::Met => {}
                LineResult::NotRun(_) => counts.skipped += 1,
                LineResult::Missed { .. } => counts.failures += 1,
            }
        }
        counts.errors = file.defect.into();
        counts.tests += counts.errors;
        counts
    }

    fn add(&mut self, other: Counts) {
        self.tests += other.tests;
        self.failures += other.failures;
        self.errors += other.errors;
        self.skipped += other.skipped;
        self.seconds += other.seconds;
    }

    fn attributes(self) -> String {
        format!(
            "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3}\"",
            self.tests, self.failures, self.errors, self.skipped, self.seconds
        )
    }
}

/// The results of these files.
pub fn junit(files: &[CorpusFile]) -> String {
    let mut totals = Counts::default();
    let mut suites = String::new();
    for file in files {
        let counts = Counts::of(file);
        totals.add(counts);
        let (name, attributes) = (quoted(&file.name), counts.attributes());
        let _ = writeln!(suites, "  <testsuite name={name} {attributes}>");
        for line in &file.lines {
            suites.push_str(&test_case(file, line));
        }
        if file.defect {
            let message = quoted("internal error of Fencepost: please report it with this file");
            let _ = writeln!(
                suites,
                "    <testcase classname={name} name=\"no internal error\"><error \
                 message={message}/></testcase>"
            );
        }
        suites.push_str("  </testsuite>\n");
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"fencepost corpus\" {}>\n\
         {suites}</testsuites>\n",
        totals.attributes()
    )
}

fn test_case(file: &CorpusFile, line: &CorpusLine) -> String {
    let name = match line.number {
        0 => line.text.clone(),
        number => format!("line {number}: {}", line.text),
    };
    let start = format!(
        "    <testcase classname={} name={} file={}{} time=\"{:.3}\"",
        quoted(&file.name),
        quoted(&name),
        quoted(&file.path),
        match line.number {
            0 => String::new(),
            number => format!(" line=\"{number}\""),
        },
        line.seconds.unwrap_or_default()
    );
    let message = quoted(&line.result.to_string());
    match &line.result {
        LineResult::Met => format!("{start}/>\n"),
        LineResult::Missed { .. } => {
            let kind = quoted(&line.kind);
            format!("{start}><failure type={kind} message={message}/></testcase>\n")
        }
        LineResult::NotRun(_) => format!("{start}><skipped message={message}/></testcase>\n"),
    }
}

/// The text as the value of an attribute.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Parsers turn these into spaces otherwise.
            '\n' | '\r' | '\t' => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use roxmltree::{Document, Node};

    fn line(text: &str, result: LineResult) -> CorpusLine {
        CorpusLine {
            certificate: None,
            number: 3,
            text: text.to_owned(),
            kind: "check".into(),
            seconds: Some(0.25),
            result,
        }
    }

    #[test]
    fn any_text_gets_through_and_the_counts_add_up() {
        let odd = "<a b=\"1\">&amp;\n\tend\u{1b}]";
        let failed = LineResult::failed("holds".to_owned(), odd.to_owned());
        let file = CorpusFile {
            name: odd.to_owned(),
            path: "corpus/odd".to_owned(),
            lines: vec![
                line(odd, LineResult::Met),
                line("second", failed),
                line("third", LineResult::NotRun("interrupted".to_owned())),
            ],
            defect: true,
            ..CorpusFile::default()
        };
        let text = junit(&[file]);
        let document = Document::parse(&text).expect("it is well-formed");
        let shown = odd.replace('\u{1b}', "\\x1b");
        let all = |name: &str| -> Vec<Node<'_, '_>> {
            let nodes = document.descendants();
            nodes.filter(|node| node.has_tag_name(name)).collect()
        };
        for total in [document.root_element(), all("testsuite")[0]] {
            let counts = ["tests", "failures", "errors", "skipped", "time"];
            let counts = counts.map(|name| total.attribute(name).unwrap_or_default());
            assert_eq!(counts, ["4", "1", "1", "1", "0.750"]);
        }
        assert_eq!(all("testsuite")[0].attribute("name"), Some(shown.as_str()));
        let cases = all("testcase");
        let name = format!("line 3: {shown}");
        assert_eq!(cases[0].attribute("name"), Some(name.as_str()));
        assert_eq!((cases[0].attribute("line"), cases.len()), (Some("3"), 4));
        let message = format!("expected holds, found {shown}");
        assert_eq!(
            all("failure")[0].attribute("message"),
            Some(message.as_str())
        );
        let skipped = all("skipped")[0].attribute("message");
        assert_eq!(skipped, Some("not run: interrupted"));
    }
}
