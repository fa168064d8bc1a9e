//! Tokens in a row, with where each is from; and the text that they are.
//!
//! Brackets are tokens of their own. What a fragment such as `$e:expr` matched is in brackets, too, which
//! most texts do not show: `$a * 2` multiplies all of `$a`, and no other macro looks into it.

use super::marks::Mark;
use crate::text::Span;
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::ops::Range;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Word,
    Lifetime,
    Punct,
    Literal,
    Open(Bracket),
    Close(Bracket),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bracket {
    Round,
    Square,
    Brace,
    /// Around what a fragment matched, or what a macro stands for.
    Part(Fragment),
}

/// The kinds of fragments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Fragment {
    Block,
    /// Since edition 2024, also `_` and `const { … }`.
    Expr,
    Expr2021,
    Ident,
    Item,
    Lifetime,
    Literal,
    Meta,
    Pat,
    PatParam,
    Path,
    Stmt,
    Tt,
    Ty,
    Vis,
}

/// What is known about the name of a macro.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Tag {
    /// The call is not expanded, and why.
    Failed(Rc<str>),
    /// The number of the definition.
    Definition(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) text: Rc<str>,
    pub(super) mark: Mark,
    /// Where it is in the text of the user: what a macro writes is where the macro is called.
    pub(super) from: Span,
    /// Whether the user wrote it, and a fence written beside it leaves what macros match as it is.
    pub(super) is_own: bool,
    /// The calls whose expansions begin here.
    pub(super) begins: Vec<Span>,
    pub(super) tag: Option<Tag>,
}

impl Token {
    pub(super) fn new(kind: Kind, text: &str, from: Span) -> Self {
        Self {
            kind,
            text: text.into(),
            mark: Mark::default(),
            from,
            is_own: true,
            begins: Vec::new(),
            tag: None,
        }
    }

    /// A token that a call at this place stands for.
    pub(super) fn made(kind: Kind, text: &str, call: &Span) -> Self {
        Self {
            is_own: false,
            ..Self::new(kind, text, call.clone())
        }
    }

    pub(super) fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Punct | Kind::Word) && &*self.text == text
    }

    pub(super) fn opens(&self, bracket: Bracket) -> bool {
        self.kind == Kind::Open(bracket)
    }

    /// Whether two tokens look the same, whatever they stand for.
    pub(super) fn looks_like(&self, other: &Self) -> bool {
        self.kind == other.kind && self.text == other.text
    }
}

/// The operators of several characters, the longest first.
const OPERATORS: [&str; 24] = [
    "<<=", ">>=", "...", "..=", "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=",
    "*=", "/=", "%=", "^=", "&=", "|=", "<<", ">>", "..",
];

/// The tokens of a stream.
pub(super) fn tokens(stream: TokenStream) -> Vec<Token> {
    let mut made = Vec::new();
    collect(stream, &mut made);
    made
}

fn collect(stream: TokenStream, made: &mut Vec<Token>) {
    let mut trees = stream.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let span = tree.span().byte_range();
        match tree {
            TokenTree::Group(group) => {
                let (bracket, open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => (Bracket::Round, "(", ")"),
                    Delimiter::Bracket => (Bracket::Square, "[", "]"),
                    Delimiter::Brace => (Bracket::Brace, "{", "}"),
                    Delimiter::None => (Bracket::Part(Fragment::Tt), "", ""),
                };
                let (first, last) = (group.span_open(), group.span_close());
                made.push(Token::new(Kind::Open(bracket), open, first.byte_range()));
                collect(group.stream(), made);
                made.push(Token::new(Kind::Close(bracket), close, last.byte_range()));
            }
            TokenTree::Ident(word) => made.push(Token::new(Kind::Word, &word.to_string(), span)),
            TokenTree::Literal(of) => made.push(Token::new(Kind::Literal, &of.to_string(), span)),
            TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                if let Some(TokenTree::Ident(name)) = trees.peek() {
                    let span = span.start..name.span().byte_range().end;
                    made.push(Token::new(Kind::Lifetime, &format!("'{name}"), span));
                    trees.next();
                }
            }
            TokenTree::Punct(punct) => {
                let mut run = String::from(punct.as_char());
                let mut joint = punct.spacing() == Spacing::Joint;
                while joint
                    && let Some(TokenTree::Punct(next)) = trees.peek()
                    && next.as_char() != '\''
                {
                    run.push(next.as_char());
                    joint = next.spacing() == Spacing::Joint;
                    trees.next();
                }
                operators(&run, span.start, made);
            }
        }
    }
}

/// The operators in a row of punctuation.
fn operators(run: &str, start: usize, made: &mut Vec<Token>) {
    let mut at = 0;
    while let Some(rest) = run.get(at..).filter(|rest| !rest.is_empty()) {
        let long = OPERATORS.iter().find(|one| rest.starts_with(**one));
        let length = long.map_or(1, |one| one.len());
        let range = start + at..start + at + length;
        made.push(Token::new(Kind::Punct, &rest[..length], range));
        at += length;
    }
}

/// One past the last token of the tree that begins here.
pub(super) fn end_of_tree(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.kind {
            Kind::Open(_) => depth += 1,
            Kind::Close(_) => depth = depth.saturating_sub(1),
            Kind::Word | Kind::Lifetime | Kind::Punct | Kind::Literal => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// Whether each bracket is closed.
pub(super) fn is_balanced(tokens: &[Token]) -> bool {
    let mut depth = 0_usize;
    for token in tokens {
        match token.kind {
            Kind::Open(_) => depth += 1,
            Kind::Close(_) => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return false,
            },
            Kind::Word | Kind::Lifetime | Kind::Punct | Kind::Literal => {}
        }
    }
    depth == 0
}

/// How deep brackets nest.
pub(super) fn nesting(tokens: &[Token]) -> usize {
    let (mut depth, mut most) = (0_usize, 0);
    for token in tokens {
        match token.kind {
            Kind::Open(_) => depth += 1,
            Kind::Close(_) => depth = depth.saturating_sub(1),
            Kind::Word | Kind::Lifetime | Kind::Punct | Kind::Literal => {}
        }
        most = most.max(depth);
    }
    most
}

/// The part of the user's text where these tokens are.
pub(super) fn hull(tokens: &[Token]) -> Span {
    let starts = tokens.iter().map(|token| token.from.start);
    let ends = tokens.iter().map(|token| token.from.end);
    starts.min().unwrap_or(0)..ends.max().unwrap_or(0)
}

/// Tokens as a text.
pub(super) struct Written {
    pub(super) text: String,
    /// Where each token is in the text; empty for brackets that are not shown.
    pub(super) ranges: Vec<Range<usize>>,
}

impl Written {
    pub(super) fn of(tokens: &[Token]) -> Self {
        let mut text = String::new();
        let mut ranges = Vec::with_capacity(tokens.len());
        let mut open: Vec<Shown> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let shown = match token.kind {
                Kind::Open(Bracket::Part(fragment)) => {
                    let shown = brackets(fragment, tokens, at);
                    open.push(shown);
                    shown.0
                }
                Kind::Close(Bracket::Part(_)) => open.pop().map_or("", |shown| shown.1),
                Kind::Open(_)
                | Kind::Close(_)
                | Kind::Word
                | Kind::Lifetime
                | Kind::Punct
                | Kind::Literal => &*token.text,
            };
            if !shown.is_empty() && !text.is_empty() {
                text.push(' ');
            }
            let start = text.len();
            text.push_str(shown);
            ranges.push(start..text.len());
        }
        Self { text, ranges }
    }

    /// The first token that ends after a position; those that are not shown belong to what they enclose.
    pub(super) fn token_at(&self, position: usize) -> usize {
        let mut at = self.ranges.partition_point(|range| range.end <= position);
        while at > 0 && self.ranges[at - 1].is_empty() && self.ranges[at - 1].start == position {
            at -= 1;
        }
        at
    }

    /// The tokens that a part of the text is, without brackets around it that are not shown.
    pub(super) fn tokens_in(&self, span: &Span) -> Range<usize> {
        let first = self.ranges.partition_point(|range| range.end <= span.start);
        let last = self.ranges.partition_point(|range| range.end <= span.end);
        let mut last = last.max(first);
        while last > first && self.ranges[last - 1].is_empty() {
            last -= 1;
        }
        first..last
    }
}

/// How brackets are shown.
type Shown = (&'static str, &'static str);

/// The brackets that a text needs around what a fragment matched, which begins here.
fn brackets(fragment: Fragment, tokens: &[Token], start: usize) -> Shown {
    let end = end_of_tree(tokens, start);
    let inner = tokens.get(start + 1..end.saturating_sub(1));
    let inner = inner.unwrap_or_default();
    let is_one_tree = !inner.is_empty() && end_of_tree(inner, 0) == inner.len();
    let at_top = |text: &str| {
        let mut at = 0;
        while at < inner.len() {
            if inner[at].is(text) {
                return true;
            }
            at = end_of_tree(inner, at);
        }
        false
    };
    match fragment {
        Fragment::Expr | Fragment::Expr2021 => {
            let is_closed = is_one_tree && !inner[0].opens(Bracket::Brace);
            if is_closed || inner.is_empty() {
                ("", "")
            } else {
                ("(", ")")
            }
        }
        Fragment::Literal if inner.len() > 1 => ("(", ")"),
        Fragment::Ty => {
            let is_path = |token: &Token| token.kind == Kind::Word || token.is("::");
            let is_prefix = tokens.get(end).is_some_and(|after| after.is("::"));
            if is_prefix && !inner.iter().all(is_path) {
                ("<", ">")
            } else if at_top("+") {
                ("(", ")")
            } else {
                ("", "")
            }
        }
        Fragment::Pat | Fragment::PatParam if at_top("|") || at_top("..=") || at_top("..") => {
            ("(", ")")
        }
        Fragment::Block
        | Fragment::Ident
        | Fragment::Item
        | Fragment::Lifetime
        | Fragment::Literal
        | Fragment::Meta
        | Fragment::Pat
        | Fragment::PatParam
        | Fragment::Path
        | Fragment::Stmt
        | Fragment::Tt
        | Fragment::Vis => ("", ""),
    }
}
