//! The structure of a SARIF 2.1.0 log, as far as Fencepost writes it: which properties each object may
//! and must have, their types, and what the specification requires between them.

use serde_json::Value;
use std::collections::BTreeSet;

/// The results of a log, after its structure has been checked.
pub fn results(text: &str) -> Vec<Value> {
    let log: Value = serde_json::from_str(text).expect("a log is JSON");
    object(&log, &["version", "runs"], &["$schema"]);
    assert_eq!(log["version"], "2.1.0");
    let runs = array(&log["runs"]);
    assert_eq!(runs.len(), 1);
    let optional = ["columnKind", "invocations", "results"];
    object(&runs[0], &["tool"], &optional);
    assert_eq!(runs[0]["columnKind"], "unicodeCodePoints");
    for invocation in array(&runs[0]["invocations"]) {
        object(invocation, &["executionSuccessful"], &[]);
        assert!(invocation["executionSuccessful"].is_boolean());
    }
    object(&runs[0]["tool"], &["driver"], &[]);
    let driver = &runs[0]["tool"]["driver"];
    object(driver, &["name"], &["version", "semanticVersion", "rules"]);
    let rules = array(&driver["rules"]);
    let ids: BTreeSet<&str> = rules.iter().map(|rule| string(&rule["id"])).collect();
    assert_eq!(ids.len(), rules.len(), "rules are unique");
    for rule in rules {
        object(rule, &["id"], &["shortDescription"]);
        message(&rule["shortDescription"]);
    }
    let results = array(&runs[0]["results"]);
    let mut prints = BTreeSet::new();
    for result in results {
        check_result(result, rules);
        for print in result["partialFingerprints"]
            .as_object()
            .expect("an object")
            .values()
        {
            assert!(prints.insert(string(print)), "{print} is not unique");
        }
    }
    results.clone()
}

fn check_result(result: &Value, rules: &[Value]) {
    let optional = [
        "ruleId",
        "ruleIndex",
        "kind",
        "level",
        "locations",
        "relatedLocations",
        "partialFingerprints",
        "codeFlows",
        "fixes",
    ];
    object(result, &["message"], &optional);
    message(&result["message"]);
    let index = result["ruleIndex"].as_u64().expect("an index") as usize;
    assert_eq!(rules[index]["id"], result["ruleId"]);
    let (kind, level) = (string(&result["kind"]), string(&result["level"]));
    assert!(["fail", "open"].contains(&kind), "{kind}");
    assert!(
        ["none", "note", "warning", "error"].contains(&level),
        "{level}"
    );
    assert_eq!(
        kind == "fail",
        level != "none",
        "only a failure has a level"
    );
    assert_eq!(array(&result["locations"]).len(), 1);
    location(&result["locations"][0]);
    for related in optional_array(&result["relatedLocations"]) {
        object(related, &[], &["id", "physicalLocation", "message"]);
        physical(&related["physicalLocation"]);
        if let Some(text) = related.get("message") {
            message(text);
        }
    }
    for flow in optional_array(&result["codeFlows"]) {
        object(flow, &["threadFlows"], &["message"]);
        check_flow(flow);
    }
    for fix in optional_array(&result["fixes"]) {
        object(fix, &["artifactChanges"], &["description"]);
        message(&fix["description"]);
        assert!(!array(&fix["artifactChanges"]).is_empty());
        for change in array(&fix["artifactChanges"]) {
            object(change, &["artifactLocation", "replacements"], &[]);
            artifact(&change["artifactLocation"]);
            assert!(!array(&change["replacements"]).is_empty());
            for replacement in array(&change["replacements"]) {
                object(replacement, &["deletedRegion"], &["insertedContent"]);
                region(&replacement["deletedRegion"]);
                object(&replacement["insertedContent"], &["text"], &[]);
            }
        }
    }
}

/// The steps of all threads are numbered together, from 1.
fn check_flow(flow: &Value) {
    let flows = array(&flow["threadFlows"]);
    assert!(!flows.is_empty());
    let mut orders = BTreeSet::new();
    for thread in flows {
        object(thread, &["locations"], &["id"]);
        let steps = array(&thread["locations"]);
        assert!(!steps.is_empty());
        for step in steps {
            object(step, &[], &["location", "executionOrder", "state"]);
            let order = step["executionOrder"].as_u64().expect("a number");
            assert!(orders.insert(order), "{order} occurs twice");
            location(&step["location"]);
            if let Some(state) = step.get("state") {
                let state = state.as_object().expect("an object");
                state.values().for_each(message);
            }
        }
    }
    assert!(
        orders.iter().copied().eq(1..=orders.len() as u64),
        "{orders:?}"
    );
}

fn location(value: &Value) {
    object(value, &[], &["physicalLocation", "message"]);
    physical(&value["physicalLocation"]);
    if let Some(text) = value.get("message") {
        message(text);
    }
}

fn physical(value: &Value) {
    object(value, &["artifactLocation"], &["region"]);
    artifact(&value["artifactLocation"]);
    if let Some(part) = value.get("region") {
        region(part);
    }
}

fn artifact(value: &Value) {
    object(value, &["uri"], &[]);
    let uri = string(&value["uri"]);
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-._~/%:".contains(c);
    assert!(uri.chars().all(allowed), "{uri}");
    assert!(!uri.contains(':') || uri.starts_with("file:///"), "{uri}");
}

fn region(value: &Value) {
    object(
        value,
        &["startLine"],
        &["startColumn", "endLine", "endColumn"],
    );
    let number = |key: &str| value.get(key).map(|n| n.as_u64().expect("a number"));
    let start = (number("startLine"), number("startColumn"));
    assert!(start.0 >= Some(1) && (start.1.is_none() || start.1 >= Some(1)));
    if let Some(end) = number("endLine") {
        assert!((Some(end), number("endColumn")) >= start, "{value}");
    }
}

fn message(value: &Value) {
    object(value, &["text"], &[]);
    assert!(!string(&value["text"]).is_empty());
}

/// The schema forbids properties that it does not name.
fn object(value: &Value, required: &[&str], optional: &[&str]) {
    let map = value.as_object().expect("an object");
    for key in required {
        assert!(map.contains_key(*key), "{key} is missing in {value}");
    }
    for key in map.keys().map(String::as_str) {
        let known = required.contains(&key) || optional.contains(&key);
        assert!(known, "{key} is unknown in {value}");
    }
}

fn array(value: &Value) -> &Vec<Value> {
    value.as_array().expect("an array")
}

fn optional_array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn string(value: &Value) -> &str {
    value.as_str().expect("a string")
}

/// The text with replacements, which do not overlap, of one file.
pub fn replaced<'v>(text: &str, replacements: impl IntoIterator<Item = &'v Value>) -> String {
    let position = |line: u64, column: u64| -> usize {
        let lines = text.split_inclusive('\n').take(line as usize - 1);
        let before: usize = lines.map(str::len).sum();
        let within = text[before..].chars().take(column as usize - 1);
        before + within.map(char::len_utf8).sum::<usize>()
    };
    let mut edits: Vec<(usize, usize, &str)> = replacements
        .into_iter()
        .map(|replacement| {
            let number = |key: &str| replacement["deletedRegion"][key].as_u64().unwrap_or(1);
            let start = position(number("startLine"), number("startColumn"));
            let end = position(number("endLine"), number("endColumn"));
            (start, end, string(&replacement["insertedContent"]["text"]))
        })
        .collect();
    edits.sort_unstable();
    let mut out = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        out.replace_range(start..end, new);
    }
    out
}
