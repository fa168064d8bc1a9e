//! The certificate of a result as JSON.

use crate::certificate::Certificate;
use schemars::JsonSchema;
use serde::Serialize;

/// What others can check, or why there is nothing.
#[derive(JsonSchema, Serialize)]
pub(super) struct CertificateJson<'a> {
    /// The file that it is written to; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    /// The number of states in it; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<usize>,
    /// The number of views in it, for threads in any number of copies; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    views: Option<usize>,
    /// The number of clauses of invariants in it; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    clauses: Option<usize>,
    /// Its size; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<usize>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    none_because: Option<&'a str>,
}

impl<'a> CertificateJson<'a> {
    pub(super) fn new(file: Option<&'a str>, certificate: &'a Certificate) -> Self {
        match certificate {
            Certificate::Made { text, evidence } => Self {
                file,
                states: Some(evidence.states),
                views: Some(evidence.views).filter(|&views| views > 0),
                clauses: Some(evidence.clauses).filter(|&clauses| clauses > 0),
                bytes: Some(text.len()),
                none_because: None,
            },
            Certificate::None(why) => Self {
                file: None,
                states: None,
                views: None,
                clauses: None,
                bytes: None,
                none_because: Some(why),
            },
        }
    }
}
