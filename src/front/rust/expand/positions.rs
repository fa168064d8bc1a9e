//! Where the tokens of an expanded file are in the user's text.

use super::token::{Tag, Token};
use crate::text::{Diagnostic, Place, Span};
use std::ops::Range;

/// The positions of the files: their own, or those of what their macros stand for, which come after all others.
#[derive(Default)]
pub(in crate::rust) struct Positions {
    /// Where each token of the expanded texts is, and what it is, one text after the other.
    ranges: Vec<Range<usize>>,
    tokens: Vec<Token>,
}

impl Positions {
    /// Adds an expanded text, which begins after the others.
    pub(super) fn add(&mut self, tokens: Vec<Token>, ranges: Vec<Range<usize>>) {
        self.tokens.extend(tokens);
        self.ranges.extend(ranges);
    }

    /// Whether something is a part of an expanded text.
    fn is_expanded(&self, span: &Span) -> bool {
        let first = self.ranges.first();
        first.is_some_and(|first| first.start <= span.start)
    }

    fn tokens(&self, span: &Span) -> &[Token] {
        let first = self.ranges.partition_point(|range| range.end <= span.start);
        let last = self.ranges.partition_point(|range| range.start < span.end);
        self.tokens.get(first..last.max(first)).unwrap_or_default()
    }

    /// Where a part of the file is in the user's text.
    pub(in crate::rust) fn span(&self, span: &Span) -> Span {
        if !self.is_expanded(span) {
            return span.clone();
        }
        let tokens = self.tokens(span);
        if !tokens.is_empty() {
            return super::token::hull(tokens);
        }
        // Between two tokens, or at the end.
        let after = self.ranges.partition_point(|range| range.end <= span.start);
        match (self.tokens.get(after), self.tokens.last()) {
            (Some(token), _) => token.from.start..token.from.start,
            (None, Some(last)) => last.from.end..last.from.end,
            (None, None) => 0..0,
        }
    }

    /// Whether what is at a place begins where the user wrote it, or where they wrote the call that it is the
    /// beginning of.
    pub(in crate::rust) fn is_written(&self, place: Place) -> bool {
        let span = place.start as usize..place.end as usize;
        if !self.is_expanded(&span) {
            return true;
        }
        let tokens = self.tokens(&span);
        let start = super::token::hull(tokens).start;
        tokens.first().is_some_and(|first| {
            let mut begins = first.begins.iter();
            first.is_own && first.from.start == start || begins.any(|call| call.start == start)
        })
    }

    /// Why the macro whose name is here is not expanded.
    pub(in crate::rust) fn reason(&self, name: &Span) -> Option<&str> {
        if !self.is_expanded(name) {
            return None;
        }
        let tag = self.tokens(name).first()?.tag.as_ref()?;
        match tag {
            Tag::Failed(reason) => Some(reason),
            Tag::Definition(_) => None,
        }
    }

    /// Diagnostics about the file as those about the user's text.
    pub(in crate::rust) fn place(&self, diagnostics: &mut [Diagnostic]) {
        if self.ranges.is_empty() {
            return;
        }
        for one in diagnostics {
            one.span = self.span(&one.span);
            for (span, _) in &mut one.others {
                *span = self.span(span);
            }
        }
    }
}
