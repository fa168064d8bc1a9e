//! The certificate of a result as JSON.

use crate::certificate::{Certificate, Evidence};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What others can check, or why there is nothing.
#[derive(Default, JsonSchema, Serialize, Deserialize)]
pub(super) struct CertificateJson<'a> {
    /// The file that it is written to; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<Cow<'a, str>>,
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
    none_because: Option<Cow<'a, str>>,
}

impl<'a> CertificateJson<'a> {
    pub(super) fn new(file: Option<&'a str>, certificate: &'a Certificate) -> Self {
        match certificate {
            Certificate::Made { text, evidence } => Self {
                file: file.map(Cow::Borrowed),
                states: Some(evidence.states),
                views: Some(evidence.views).filter(|&views| views > 0),
                clauses: Some(evidence.clauses).filter(|&clauses| clauses > 0),
                bytes: Some(text.len()),
                none_because: None,
            },
            Certificate::None(why) => Self {
                none_because: Some(Cow::Borrowed(why)),
                ..Self::default()
            },
        }
    }

    /// The certificate without its text, which is not in the report.
    pub(super) fn read(self) -> Certificate {
        match self.none_because {
            Some(why) => Certificate::None(why.into_owned()),
            None => Certificate::Made {
                text: String::new(),
                evidence: Evidence {
                    states: self.states.unwrap_or_default(),
                    views: self.views.unwrap_or_default(),
                    clauses: self.clauses.unwrap_or_default(),
                },
            },
        }
    }
}
