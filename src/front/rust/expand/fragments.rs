//! Fragments: how many tokens an expression, a type or another part of the language is.

use super::token::{Bracket, Fragment, Kind, Token, Written, end_of_tree, hull, is_balanced};
use crate::text::Edition;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Item, Meta, Pat, Path, Stmt, Type, Visibility};

/// What fragments are in an edition.
pub(super) struct Fragments {
    pub(super) edition: Edition,
}

impl Fragments {
    /// Where the fragment ends that begins at this token; `None` if none does.
    pub(super) fn end(&self, fragment: Fragment, tokens: &[Token], at: usize) -> Option<usize> {
        let Some(first) = tokens.get(at) else {
            return (fragment == Fragment::Vis).then_some(at);
        };
        let rest = tokens.get(at..)?;
        if let Kind::Open(Bracket::Part(of)) = first.kind
            && is_part(of, fragment)
        {
            let end = end_of_tree(tokens, at);
            let is_whole = tokens.get(end).is_none_or(|next| {
                let is_separator = [",", ";", "=>"].iter().any(|one| next.is(one));
                is_separator || matches!(next.kind, Kind::Close(_))
            });
            if is_whole {
                return Some(end);
            }
        }
        let is_word = first.kind == Kind::Word;
        match fragment {
            Fragment::Tt => {
                let closes = matches!(first.kind, Kind::Close(_));
                (!closes).then(|| end_of_tree(tokens, at))
            }
            Fragment::Ident => (is_word && &*first.text != "_").then_some(at + 1),
            Fragment::Lifetime => (first.kind == Kind::Lifetime).then_some(at + 1),
            Fragment::Block => first.opens(Bracket::Brace).then(|| end_of_tree(tokens, at)),
            Fragment::Literal => {
                let is_literal = |token: &Token| {
                    token.kind == Kind::Literal || token.is("true") || token.is("false")
                };
                let number = tokens.get(at + 1);
                let is_number = number.is_some_and(|number| number.kind == Kind::Literal);
                match first {
                    one if is_literal(one) => Some(at + 1),
                    sign if sign.is("-") && is_number => Some(at + 2),
                    _ => None,
                }
            }
            Fragment::Expr | Fragment::Expr2021 => {
                let rescopes = self.edition.rescopes() && fragment == Fragment::Expr;
                let is_later = first.is("_") || first.is("const");
                let is_none = first.is("let") || is_later && !rescopes || first.is("=>");
                let parse = |input: ParseStream<'_>| input.parse::<Expr>().map(|_| ());
                (!is_none).then(|| Self::parsed(rest, at, parse)).flatten()
            }
            Fragment::Ty => Self::parsed(rest, at, |input| input.parse::<Type>().map(|_| ())),
            Fragment::Path => Self::parsed(rest, at, |input| input.parse::<Path>().map(|_| ())),
            Fragment::Meta => Self::parsed(rest, at, |input| input.parse::<Meta>().map(|_| ())),
            Fragment::Item => Self::parsed(rest, at, |input| input.parse::<Item>().map(|_| ())),
            Fragment::Vis => {
                Self::parsed(rest, at, |input| input.parse::<Visibility>().map(|_| ()))
            }
            Fragment::Pat if self.edition.has_alternatives_in_fragments() => {
                let parse =
                    |input: ParseStream<'_>| Pat::parse_multi_with_leading_vert(input).map(|_| ());
                Self::parsed(rest, at, parse)
            }
            Fragment::Pat | Fragment::PatParam => {
                Self::parsed(rest, at, |input| Pat::parse_single(input).map(|_| ()))
            }
            Fragment::Stmt => Self::statement(rest, at),
        }
    }

    /// The part of these tokens that a parser accepts, which begin at the given one.
    fn parsed(
        rest: &[Token],
        at: usize,
        parse: impl Fn(ParseStream<'_>) -> syn::Result<()>,
    ) -> Option<usize> {
        // Up to the bracket that encloses it.
        let mut end = 0;
        while end < rest.len() && !matches!(rest[end].kind, Kind::Close(_)) {
            end = end_of_tree(rest, end);
        }
        let rest = rest.get(..end)?;
        let written = Written::of(rest);
        let stream: proc_macro2::TokenStream = written.text.parse().ok()?;
        let parser = |input: ParseStream<'_>| {
            parse(input)?;
            let next = (!input.is_empty()).then(|| input.span().byte_range().start);
            input.parse::<proc_macro2::TokenStream>()?;
            Ok(next)
        };
        let count = match parser.parse2(stream).ok()? {
            None => rest.len(),
            Some(start) => written.token_at(start),
        };
        let taken = rest.get(..count)?;
        is_balanced(taken).then_some(at + count)
    }

    /// A statement without its semicolon.
    fn statement(rest: &[Token], at: usize) -> Option<usize> {
        if rest.first().is_some_and(|first| first.is("let")) {
            let mut end = 0;
            while end < rest.len()
                && !rest[end].is(";")
                && !matches!(rest[end].kind, Kind::Close(_))
            {
                end = end_of_tree(rest, end);
            }
            let mut text = Written::of(rest.get(..end)?).text;
            text.push(';');
            let is_statement = syn::parse_str::<Stmt>(&text).is_ok();
            return is_statement.then_some(at + end);
        }
        let item = Self::parsed(rest, at, |input| match input.parse::<Item>()? {
            Item::Verbatim(_) | Item::Macro(_) => Err(input.error("an expression")),
            _ => Ok(()),
        });
        item.or_else(|| Self::parsed(rest, at, |input| input.parse::<Expr>().map(|_| ())))
    }

    /// What a fragment stands for: these tokens as one.
    pub(super) fn part(fragment: Fragment, tokens: &[Token]) -> Vec<Token> {
        let keeps = match fragment {
            Fragment::Tt if tokens.len() == 1 => None,
            // The name of a function is where it is written.
            Fragment::Ident | Fragment::Lifetime | Fragment::Tt => return tokens.to_vec(),
            Fragment::Expr
            | Fragment::Expr2021
            | Fragment::Block
            | Fragment::Stmt
            | Fragment::Item => Some(true),
            Fragment::Literal
            | Fragment::Meta
            | Fragment::Pat
            | Fragment::PatParam
            | Fragment::Path
            | Fragment::Ty
            | Fragment::Vis => Some(false),
        };
        let place = hull(tokens);
        let mut made = Vec::with_capacity(tokens.len() + 2);
        let is_own = keeps == Some(true) && tokens.iter().all(|token| token.is_own);
        let bracket = |kind| Token {
            is_own,
            ..Token::made(kind, "", &place)
        };
        let is_wrapped = keeps.is_some() && !tokens.is_empty();
        if is_wrapped {
            made.push(bracket(Kind::Open(Bracket::Part(fragment))));
        }
        made.extend(tokens.iter().map(|token| Token {
            is_own: token.is_own && keeps == Some(true),
            ..token.clone()
        }));
        if is_wrapped {
            made.push(bracket(Kind::Close(Bracket::Part(fragment))));
        }
        made
    }
}

/// Whether what a fragment matched is one of another kind as it is.
fn is_part(of: Fragment, wanted: Fragment) -> bool {
    match wanted {
        Fragment::Expr | Fragment::Expr2021 => matches!(
            of,
            Fragment::Expr
                | Fragment::Expr2021
                | Fragment::Literal
                | Fragment::Block
                | Fragment::Path
        ),
        Fragment::Ty => matches!(of, Fragment::Ty | Fragment::Path),
        Fragment::Pat | Fragment::PatParam => matches!(
            of,
            Fragment::Pat | Fragment::PatParam | Fragment::Literal | Fragment::Path
        ),
        Fragment::Stmt => matches!(of, Fragment::Stmt | Fragment::Item),
        Fragment::Block
        | Fragment::Ident
        | Fragment::Item
        | Fragment::Lifetime
        | Fragment::Literal
        | Fragment::Meta
        | Fragment::Path
        | Fragment::Tt
        | Fragment::Vis => of == wanted,
    }
}
