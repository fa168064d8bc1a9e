//! Matching tokens against the pattern of a rule.
//!
//! All ways to match are tried, repetitions as often as possible first. The language allows a rule only
//! if one way is left at each token, so what it accepts is matched in that way.

use super::fragments::Fragments;
use super::rules::{Matcher, Repeat, Times};
use super::token::{Fragment, Token};
use std::collections::BTreeMap;
use std::rc::Rc;

/// No match needs more steps.
const MOST_STEPS: usize = 200_000;

/// What a name of a pattern stands for.
pub(super) enum Bound {
    One(Vec<Token>),
    /// One for each time that a part is repeated.
    Many(Vec<Bound>),
}

pub(super) type Bindings = BTreeMap<Rc<str>, Bound>;

/// What the names of a pattern stand for; `None` if the tokens do not match it.
///
/// # Errors
///
/// If that takes too long.
pub(super) fn matched(
    pattern: &[Matcher],
    tokens: &[Token],
    fragments: &Fragments,
) -> Result<Option<Bindings>, String> {
    let mut search = Search {
        tokens,
        fragments,
        log: Vec::new(),
        ends: BTreeMap::new(),
        steps: 0,
    };
    let found = search.go(pattern, &After::End, 0);
    if search.steps > MOST_STEPS {
        return Err("its tokens take too long to match".to_owned());
    }
    let mut log = search.log.into_iter();
    Ok(found.then(|| bindings(pattern, &mut log)))
}

/// What has to match after a part of a pattern.
enum After<'p> {
    End,
    /// The repetition that the part is in, what is after it, and where this time began.
    Again(&'p Repeat<Matcher>, &'p [Matcher], &'p After<'p>, usize),
}

/// What was matched, in order.
enum Event {
    Part(Vec<Token>),
    /// A repetition begins.
    Begin,
    /// One more time.
    Next,
    /// It ends.
    End,
}

struct Search<'s> {
    tokens: &'s [Token],
    fragments: &'s Fragments,
    log: Vec<Event>,
    /// Where fragments end that begin at a token.
    ends: BTreeMap<(usize, Fragment), Option<usize>>,
    steps: usize,
}

impl Search<'_> {
    fn go(&mut self, pattern: &[Matcher], after: &After<'_>, at: usize) -> bool {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return false;
        }
        let logged = self.log.len();
        let Some((first, rest)) = pattern.split_first() else {
            return match after {
                After::End => at == self.tokens.len(),
                After::Again(of, rest, outer, began) => {
                    let next = match &of.separator {
                        _ if of.times == Times::AtMostOnce || at == *began => None,
                        None => Some(at),
                        Some(separator) => {
                            let here = self.tokens.get(at);
                            let is_there = here.is_some_and(|here| here.looks_like(separator));
                            is_there.then_some(at + 1)
                        }
                    };
                    if let Some(next) = next {
                        self.log.push(Event::Next);
                        if self.go(&of.of, &After::Again(of, rest, outer, next), next) {
                            return true;
                        }
                        self.log.truncate(logged);
                    }
                    self.log.push(Event::End);
                    self.go(rest, outer, at) || {
                        self.log.truncate(logged);
                        false
                    }
                }
            };
        };
        match first {
            Matcher::Token(token) => {
                let here = self.tokens.get(at);
                here.is_some_and(|here| here.looks_like(token)) && self.go(rest, after, at + 1)
            }
            Matcher::Part(_, fragment) => {
                let (tokens, fragments) = (self.tokens, self.fragments);
                let end = self.ends.entry((at, *fragment));
                let end = *end.or_insert_with(|| fragments.end(*fragment, tokens, at));
                let Some(end) = end else {
                    return false;
                };
                self.log
                    .push(Event::Part(Fragments::part(*fragment, &tokens[at..end])));
                self.go(rest, after, end) || {
                    self.log.truncate(logged);
                    false
                }
            }
            Matcher::Repeat(of) => {
                self.log.extend([Event::Begin, Event::Next]);
                if self.go(&of.of, &After::Again(of, rest, after, at), at) {
                    return true;
                }
                self.log.truncate(logged);
                if of.times == Times::AtLeastOnce {
                    return false;
                }
                self.log.extend([Event::Begin, Event::End]);
                self.go(rest, after, at) || {
                    self.log.truncate(logged);
                    false
                }
            }
        }
    }
}

/// What the names of a part of a pattern stand for, by what was matched.
fn bindings(pattern: &[Matcher], log: &mut impl Iterator<Item = Event>) -> Bindings {
    let mut made = Bindings::new();
    for part in pattern {
        match part {
            Matcher::Token(_) => {}
            Matcher::Part(name, _) => {
                if let Some(Event::Part(tokens)) = log.next() {
                    made.insert(name.clone(), Bound::One(tokens));
                }
            }
            Matcher::Repeat(of) => {
                let mut all: BTreeMap<Rc<str>, Vec<Bound>> = BTreeMap::new();
                names(&of.of, &mut all);
                let mut next = log.next();
                while let Some(Event::Begin | Event::Next) = next {
                    next = match next {
                        Some(Event::Next) => {
                            for (name, bound) in bindings(&of.of, log) {
                                all.entry(name).or_default().push(bound);
                            }
                            log.next()
                        }
                        _ => log.next(),
                    };
                }
                let many = all.into_iter();
                made.extend(many.map(|(name, all)| (name, Bound::Many(all))));
            }
        }
    }
    made
}

fn names(pattern: &[Matcher], all: &mut BTreeMap<Rc<str>, Vec<Bound>>) {
    for part in pattern {
        match part {
            Matcher::Token(_) => {}
            Matcher::Part(name, _) => {
                all.entry(name.clone()).or_default();
            }
            Matcher::Repeat(of) => names(&of.of, all),
        }
    }
}
