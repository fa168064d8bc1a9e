//! Definitions: what `macro_rules! name { (matcher) => { transcriber }; … }` says.

use super::token::{Bracket, Fragment, Kind, Token, end_of_tree};
use std::rc::Rc;

/// The rules of a macro, in order.
pub(super) struct Definition {
    pub(super) rules: Vec<Rule>,
}

pub(super) struct Rule {
    pub(super) matcher: Vec<Matcher>,
    pub(super) body: Vec<Piece>,
}

/// What tokens have to be.
pub(super) enum Matcher {
    Token(Token),
    /// `$name:fragment`
    Part(Rc<str>, Fragment),
    Repeat(Repeat<Matcher>),
}

/// What tokens are written.
pub(super) enum Piece {
    Token(Token),
    /// `$name`: the dollar and the name, which stay if nothing has the name.
    Variable(Token, Token),
    /// `$crate`
    Crate,
    Repeat(Repeat<Piece>),
}

/// `$( … ) separator op`
pub(super) struct Repeat<T> {
    pub(super) of: Vec<T>,
    pub(super) separator: Option<Token>,
    pub(super) times: Times,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Times {
    /// `?`
    AtMostOnce,
    /// `*`
    Any,
    /// `+`
    AtLeastOnce,
}

/// The rules in the brackets of a definition.
///
/// # Errors
///
/// Why it has none.
pub(super) fn definition(tokens: &[Token]) -> Result<Definition, String> {
    let mut rules = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let after = end_of_tree(tokens, at);
        let matcher = inside(tokens.get(at..after))?;
        let is_arrow = tokens.get(after).is_some_and(|token| token.is("=>"));
        if !is_arrow {
            return Err("`=>` is missing after the pattern of a rule".to_owned());
        }
        let end = end_of_tree(tokens, after + 1);
        let body = inside(tokens.get(after + 1..end))?;
        rules.push(Rule {
            matcher: matchers(matcher)?,
            body: pieces(body)?,
        });
        at = end;
        if let Some(next) = tokens.get(at) {
            if !next.is(";") {
                return Err("`;` is missing between two rules".to_owned());
            }
            at += 1;
        }
    }
    Ok(Definition { rules })
}

/// What is in the brackets that a tree is.
fn inside(tree: Option<&[Token]>) -> Result<&[Token], String> {
    match tree {
        Some([open, inner @ .., close])
            if matches!((open.kind, close.kind), (Kind::Open(_), Kind::Close(_))) =>
        {
            Ok(inner)
        }
        Some(_) | None => Err("a rule is `(pattern) => { what it stands for }`".to_owned()),
    }
}

fn matchers(tokens: &[Token]) -> Result<Vec<Matcher>, String> {
    let mut made = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if !token.is("$") {
            made.push(Matcher::Token(token.clone()));
            at += 1;
            continue;
        }
        match tokens.get(at + 1) {
            Some(open) if open.opens(Bracket::Round) => {
                let (inner, separator, times, end) = repeated(tokens, at + 1)?;
                made.push(Matcher::Repeat(Repeat {
                    of: matchers(inner)?,
                    separator,
                    times,
                }));
                at = end;
            }
            Some(name) if name.kind == Kind::Word && &*name.text != "crate" => {
                let (colon, kind) = (tokens.get(at + 2), tokens.get(at + 3));
                let kind = kind.filter(|_| colon.is_some_and(|colon| colon.is(":")));
                let Some(fragment) = kind.and_then(|kind| fragment(&kind.text)) else {
                    return Err(format!(
                        "the kind of `${}` is missing or not known",
                        name.text
                    ));
                };
                made.push(Matcher::Part(name.text.clone(), fragment));
                at += 4;
            }
            Some(_) | None => {
                made.push(Matcher::Token(token.clone()));
                at += 1;
            }
        }
    }
    Ok(made)
}

fn pieces(tokens: &[Token]) -> Result<Vec<Piece>, String> {
    let mut made = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if !token.is("$") {
            made.push(Piece::Token(token.clone()));
            at += 1;
            continue;
        }
        match tokens.get(at + 1) {
            Some(open) if open.opens(Bracket::Round) => {
                let (inner, separator, times, end) = repeated(tokens, at + 1)?;
                made.push(Piece::Repeat(Repeat {
                    of: pieces(inner)?,
                    separator,
                    times,
                }));
                at = end;
            }
            Some(open) if open.opens(Bracket::Brace) => {
                return Err("expressions of metavariables (`${ … }`) are not supported".to_owned());
            }
            Some(name) if name.is("crate") => {
                made.push(Piece::Crate);
                at += 2;
            }
            Some(name) if name.kind == Kind::Word => {
                made.push(Piece::Variable(token.clone(), name.clone()));
                at += 2;
            }
            Some(_) | None => {
                made.push(Piece::Token(token.clone()));
                at += 1;
            }
        }
    }
    Ok(made)
}

/// What is repeated, how, and where that ends; the brackets begin here.
type Repeated<'t> = (&'t [Token], Option<Token>, Times, usize);

fn repeated(tokens: &[Token], open: usize) -> Result<Repeated<'_>, String> {
    let end = end_of_tree(tokens, open);
    let inner = inside(tokens.get(open..end))?;
    let times = |at: usize| match &*tokens.get(at)?.text {
        "?" => Some(Times::AtMostOnce),
        "*" => Some(Times::Any),
        "+" => Some(Times::AtLeastOnce),
        _ => None,
    };
    if let Some(times) = times(end) {
        return Ok((inner, None, times, end + 1));
    }
    match (tokens.get(end), times(end + 1)) {
        (Some(separator), Some(times)) => Ok((inner, Some(separator.clone()), times, end + 2)),
        _ => Err("`*`, `+` or `?` is missing after `$( … )`".to_owned()),
    }
}

fn fragment(name: &str) -> Option<Fragment> {
    Some(match name {
        "block" => Fragment::Block,
        "expr" => Fragment::Expr,
        "expr_2021" => Fragment::Expr2021,
        "ident" => Fragment::Ident,
        "item" => Fragment::Item,
        "lifetime" => Fragment::Lifetime,
        "literal" => Fragment::Literal,
        "meta" => Fragment::Meta,
        "pat" => Fragment::Pat,
        "pat_param" => Fragment::PatParam,
        "path" => Fragment::Path,
        "stmt" => Fragment::Stmt,
        "tt" => Fragment::Tt,
        "ty" => Fragment::Ty,
        "vis" => Fragment::Vis,
        _ => return None,
    })
}
