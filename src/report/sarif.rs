//! Findings as a SARIF 2.1.0 log: what code hosts and editors show beside the code.
//!
//! ```text
//! runs[0]  tool.driver.rules   the kinds of problems that were found: SB, R, assertion, stuck …
//!          results             one per finding: level, message, location, execution, fix, fingerprint
//! ```
//!
//! An execution is one `codeFlow` with a `threadFlow` per thread of the program; `executionOrder` is the
//! number of the step in the report for people. A fix is the change for one place alone. The fingerprint
//! consists of the rule, the model and the statements, so it stays when lines move; equal ones are
//! numbered. Columns count characters.
//!
//! **Absent.** Times: the same input gives the same log.

use super::evidence::Shown;
use super::finding::{Finding, Level, Place, Rule, findings};
use super::view::{Edited, Fix};
use super::{Report, ShownRun, evidence};
use serde_json::{Map, Value, json};
use similar::{DiffTag, TextDiff};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The name of the schema, for editors and validators.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The name of our fingerprints. A change of what they consist of changes the number.
const FINGERPRINT: &str = "fencepost/v1";

/// The results of several reports.
#[derive(Debug, Default)]
pub(super) struct Log {
    rules: Vec<Rule>,
    results: Vec<Value>,
    /// How often each fingerprint was used.
    fingerprints: BTreeMap<String, usize>,
}

impl Log {
    /// Adds the findings of a report.
    pub(super) fn add(&mut self, report: &Report<'_>) {
        for finding in findings(report) {
            let result = self.result(&finding);
            // The data races of a text are found again with each model.
            let again = finding.rule == Rule::DataRace && self.has(&result);
            if !again {
                self.results.push(result);
            }
        }
    }

    /// The whole log, terminated; `completed` is whether all reports were made.
    ///
    /// # Errors
    ///
    /// If serialization fails, which no value is expected to cause.
    pub(super) fn finish(self, completed: bool) -> Result<String, serde_json::Error> {
        let rules: Vec<Value> = self.rules.iter().map(|rule| rule_json(*rule)).collect();
        let log = json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "fencepost",
                    "version": env!("CARGO_PKG_VERSION"),
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                } },
                "columnKind": "unicodeCodePoints",
                "invocations": [{ "executionSuccessful": completed }],
                "results": self.results,
            }],
        });
        serde_json::to_string_pretty(&log).map(|text| text + "\n")
    }

    fn has(&self, result: &Value) -> bool {
        let same = |other: &&Value| {
            ["ruleId", "message", "locations"]
                .iter()
                .all(|key| other[key] == result[key])
        };
        self.results.iter().any(|other| same(&other))
    }

    fn result(&mut self, finding: &Finding<'_>) -> Value {
        let (kind, level) = match finding.level {
            Level::Error => ("fail", "error"),
            Level::Warning => ("fail", "warning"),
            Level::Note => ("fail", "note"),
            Level::Open => ("open", "none"),
        };
        let mut result = json!({
            "ruleId": finding.rule.id(),
            "ruleIndex": self.rule_index(finding.rule),
            "kind": kind,
            "level": level,
            "message": { "text": finding.message },
            "locations": [{ "physicalLocation": location(finding.place) }],
            "partialFingerprints": { FINGERPRINT: self.fingerprint(finding) },
        });
        let other = finding.other.map(|place| (place, None));
        let waits = finding.waits.iter();
        let waits = waits.map(|(place, words)| (*place, Some(words)));
        let related = other.into_iter().chain(waits).zip(1..);
        let related: Vec<Value> = related
            .map(|((place, words), id)| {
                let mut related = json!({ "id": id, "physicalLocation": location(place) });
                if let Some(words) = words {
                    related["message"] = json!({ "text": words });
                }
                related
            })
            .collect();
        if !related.is_empty() {
            result["relatedLocations"] = related.into();
        }
        if let Some(shown) = &finding.run {
            let flows = code_flow(shown);
            // In the initial state no thread has done anything.
            if !flows.is_empty() {
                result["codeFlows"] = json!([{ "threadFlows": flows }]);
            }
        }
        if let Some(fix) = finding.fix {
            result["fixes"] = json!([fix_json(fix, finding)]);
        }
        result
    }

    /// The position of the rule in the list of rules, where it is added if need be.
    fn rule_index(&mut self, rule: Rule) -> usize {
        let known = self.rules.iter().position(|other| other.id() == rule.id());
        known.unwrap_or_else(|| {
            self.rules.push(rule);
            self.rules.len() - 1
        })
    }

    fn fingerprint(&mut self, finding: &Finding<'_>) -> String {
        let mut parts = vec![finding.rule.id(), finding.place.file];
        parts.extend(finding.identity.iter().map(String::as_str));
        let mut print = parts.join(" | ");
        let count = self.fingerprints.entry(print.clone()).or_default();
        *count += 1;
        if *count > 1 {
            let _ = write!(print, " | {count}");
        }
        print
    }
}

fn rule_json(rule: Rule) -> Value {
    json!({ "id": rule.id(), "shortDescription": { "text": rule.about() } })
}

/// A physical location.
fn location(place: Place<'_>) -> Value {
    let mut location = json!({ "artifactLocation": artifact(place.file) });
    if place.line > 0 {
        let mut region = Map::new();
        region.insert("startLine".to_owned(), place.line.into());
        if place.column > 0 {
            region.insert("startColumn".to_owned(), place.column.into());
            region.insert("endLine".to_owned(), place.end_line.into());
            region.insert("endColumn".to_owned(), place.end_column.into());
        }
        location["region"] = Value::Object(region);
    }
    location
}

fn artifact(file: &str) -> Value {
    json!({ "uri": uri(file) })
}

/// The name of a file as a URI reference: absolute names with their scheme, others relative.
fn uri(file: &str) -> String {
    let (scheme, file) = match file {
        "-" | "" => return "stdin".to_owned(),
        file if file.starts_with('/') => ("file://", file),
        file => ("", file.strip_prefix("./").unwrap_or(file)),
    };
    let mut uri = scheme.to_owned();
    for byte in file.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            other => {
                let _ = write!(uri, "%{other:02X}");
            }
        }
    }
    uri
}

/// A run: one flow for each thread that acts in it, and the steps numbered over all of them.
fn code_flow(of: &ShownRun<'_>) -> Vec<Value> {
    let source = &of.source;
    let rows = evidence::evidence(of, Shown::Accesses).rows;
    let threads = source.program.thread_ids().map(|thread| {
        let own = rows.iter().zip(1..).filter(|(row, _)| row.thread == thread);
        let steps: Vec<Value> = own
            .map(|(row, number)| {
                let what = [row.text.as_str(), row.effect.as_str()];
                let what: Vec<&str> = what.into_iter().filter(|text| !text.is_empty()).collect();
                let mut step = json!({
                    "executionOrder": number,
                    "location": {
                        "physicalLocation": location(Place::of_site(source, row.site)),
                        "message": { "text": what.join(" ") },
                    },
                });
                if !row.buffers.is_empty() {
                    step["state"] = json!({ "store buffers": { "text": row.buffers } });
                }
                step
            })
            .collect();
        let name = source.thread(thread);
        (steps, name)
    });
    // A flow has at least one location: threads that do nothing here have none.
    threads
        .filter(|(steps, _)| !steps.is_empty())
        .map(|(steps, name)| json!({ "id": name, "locations": steps }))
        .collect()
}

fn fix_json(fix: &Fix, finding: &Finding<'_>) -> Value {
    let changes: Vec<Value> = fix
        .iter()
        .map(|file| {
            json!({
                "artifactLocation": artifact(&file.name),
                "replacements": replacements(file),
            })
        })
        .collect();
    json!({ "description": { "text": finding.message }, "artifactChanges": changes })
}

/// The changes to a file, in whole lines.
fn replacements(file: &Edited) -> Vec<Value> {
    let before: Vec<&str> = file.before.split_inclusive('\n').collect();
    let after: Vec<&str> = file.after.split_inclusive('\n').collect();
    let diff = TextDiff::from_slices(&before, &after);
    let changed = diff.ops().iter().filter(|op| op.tag() != DiffTag::Equal);
    let replacements = changed.map(|op| {
        let (old, new) = (op.old_range(), op.new_range());
        let last = before[old.clone()].last();
        // The end of the region is the beginning of the line after it, if there is one.
        let (end_line, end_column) = match last.filter(|line| !line.ends_with('\n')) {
            Some(line) => (old.end, line.chars().count() + 1),
            None => (old.end + 1, 1),
        };
        json!({
            "deletedRegion": {
                "startLine": old.start + 1,
                "startColumn": 1,
                "endLine": end_line,
                "endColumn": end_column,
            },
            "insertedContent": { "text": after[new].concat() },
        })
    });
    replacements.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_uri_references() {
        for (file, expected) in [
            ("-", "stdin"),
            ("./a/b.fence", "a/b.fence"),
            ("a b:c%.c", "a%20b%3Ac%25.c"),
            ("/tmp/ü", "file:///tmp/%C3%BC"),
        ] {
            assert_eq!(uri(file), expected);
        }
    }

    #[test]
    fn changes_are_whole_lines_and_the_last_one_need_not_end() {
        let edited = |before: &str, after: &str| Edited {
            name: "t".to_owned(),
            before: before.to_owned(),
            after: after.to_owned(),
        };
        let regions = |before: &str, after: &str| -> Vec<(Vec<u64>, String)> {
            let one = |change: &Value| {
                let keys = ["startLine", "startColumn", "endLine", "endColumn"];
                let region = keys.map(|key| change["deletedRegion"][key].as_u64());
                let text = change["insertedContent"]["text"].as_str();
                (
                    region.into_iter().flatten().collect(),
                    text.unwrap_or_default().to_owned(),
                )
            };
            replacements(&edited(before, after))
                .iter()
                .map(one)
                .collect()
        };
        assert_eq!(
            regions("a\nb\n", "a\nf\nb\n"),
            [(vec![2, 1, 2, 1], "f\n".to_owned())]
        );
        assert_eq!(
            regions("a\nüb", "a\nc"),
            [(vec![2, 1, 2, 3], "c".to_owned())]
        );
        assert_eq!(regions("a\n", "a\n"), []);
    }
}
