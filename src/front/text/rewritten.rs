//! Texts that were changed.

/// The result of changing a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rewritten {
    /// The text with the changes.
    pub text: String,
    /// The other files that have changes in them.
    pub others: Vec<RewrittenFile>,
}

/// Another file than the given one, with changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RewrittenFile {
    /// Its name.
    pub name: String,
    /// Its text without the changes.
    pub before: String,
    /// Its text with them.
    pub after: String,
}

impl From<String> for Rewritten {
    fn from(text: String) -> Self {
        let others = Vec::new();
        Self { text, others }
    }
}
