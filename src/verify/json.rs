//! JSON in which no object has a key twice.
//!
//! Of two values with the same key, one reader takes the first and another the last: what a person reads
//! in a certificate would not be what is checked.

use super::Refusal;
use serde_json::Value;
use std::collections::BTreeSet;

/// Reads a text.
///
/// # Errors
///
/// If it is not JSON, or an object has a key twice.
pub(super) fn read(text: &str) -> Result<Value, Refusal> {
    let value = serde_json::from_str(text)
        .map_err(|error| Refusal::unreadable(format!("this is not JSON: {error}")))?;
    match repeated(text) {
        Some(key) => Err(Refusal::unreadable(format!(
            "the key {key} occurs twice in one object"
        ))),
        None => Ok(value),
    }
}

/// The first key that occurs twice in an object, as it is written. Requires that the text is JSON.
fn repeated(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    // The objects and lists around, with the keys of objects.
    let mut open: Vec<Option<BTreeSet<String>>> = Vec::new();
    let (mut at, mut is_key) = (0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' => {
                open.push(Some(BTreeSet::new()));
                is_key = true;
            }
            b'[' => {
                open.push(None);
                is_key = false;
            }
            b'}' | b']' => drop(open.pop()),
            b',' => is_key = matches!(open.last(), Some(Some(_))),
            b'"' => {
                let start = at;
                at += 1;
                while bytes.get(at).is_some_and(|&byte| byte != b'"') {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                if is_key && let Some(Some(keys)) = open.last_mut() {
                    is_key = false;
                    let written = text.get(start..=at)?;
                    // Two ways to write a key are the same key.
                    let key = serde_json::from_str(written).ok()?;
                    if !keys.insert(key) {
                        return Some(written);
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn a_key_that_occurs_twice_in_one_object_is_found() {
        for (text, key) in [
            (r#"{"a": 1, "a": 1}"#, r#""a""#),
            (r#"[{"b": [], "a": {"b": 2}, "b": 3}]"#, r#""b""#),
            (r#"{"a": {"x": "}", "y": 1, "x": 2}}"#, r#""x""#),
            (r#"{"a\"": ",", "b": "{", "a\u0022": 2}"#, r#""a\u0022""#),
            (r#"{"A": 1, "\u0041": 2}"#, r#""\u0041""#),
            (r#"{"": 1, "": 2}"#, r#""""#),
        ] {
            let Err(Refusal::Unreadable(why)) = read(text) else {
                panic!("{text} is read")
            };
            assert_eq!(why, format!("the key {key} occurs twice in one object"));
        }
    }

    #[test]
    fn keys_of_different_objects_and_strings_that_are_no_keys_may_be_equal() {
        for text in [
            r#"{"a": {"a": {"a": "a"}}, "b": ["a", "a", "b", "b"]}"#,
            r#"[{"a": 1}, {"a": 1}, "a", "a"]"#,
            r#"{"a": "\",\"a\":1", "b": "\\", "c": "\\\""}"#,
            "\"a\"",
            "{}",
        ] {
            assert_eq!(read(text), Ok(serde_json::from_str(text).expect("JSON")));
        }
    }

    /// A value with few keys and strings, so that many are equal.
    fn value() -> impl Strategy<Value = Value> {
        let text = || prop::sample::select(vec!["a", "b", "\"", "\\", "{\"a\":", ",", "é"]);
        let leaf = prop_oneof![Just(Value::Null), text().prop_map(Value::from)];
        leaf.prop_recursive(4, 24, 4, move |inner| {
            let object = prop::collection::vec((text(), inner.clone()), 0..4);
            prop_oneof![
                prop::collection::vec(inner, 0..4).prop_map(Value::from),
                object.prop_map(|pairs| pairs
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value))
                    .collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_a_writer_of_json_writes_is_read(value in value()) {
            prop_assert_eq!(read(&value.to_string()), Ok(value.clone()));
            // With a key more, it is refused, however deep.
            let text = json!([{ "k": 1, "of": value }]).to_string();
            let twice = text.replacen("\"k\":1", "\"k\":1,\"k\":2", 1);
            prop_assert!(twice != text && read(&twice).is_err());
            let last = format!("{},\"k\":2}}]", text.strip_suffix("}]").expect("its end"));
            prop_assert!(read(&last).is_err());
        }
    }
}
