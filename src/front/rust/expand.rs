//! Macros of the program: `macro_rules!` and what their calls stand for.
//!
//! ```text
//!   files ──joined──▶ tokens ──expand calls──▶ tokens ──name apart──▶ text ──syn──▶ syntax
//!                                │  ▲                   (hygiene)      │
//!                           rules, matching,                      positions: where each token is
//!                           scopes, transcribe                    in the text of the user
//! ```
//!
//! A crate is one text, in which the files of its modules are where the modules are; the crates that it names come before it. All calls are expanded before anything else is read. The result is a text of its own, which has a
//! position for each token, so that whatever a macro makes several times is several things; its positions
//! lead back to the user's text. What the user wrote is where it was written, and what a macro wrote is where
//! it was called. A fence can be inserted before a call that is a statement, and in what the user gave to it as
//! an expression, a statement or an item and the macro writes once.
//!
//! A call that cannot be expanded stays, with the reason: that is an error only where the program gets there.
//! Definitions are visible as in the language: after their text, to the end of their block or module unless
//! that has `#[macro_use]`, and by a path or an import wherever they are, also in other crates if they are exported (`scopes`).
//!
//! **Absent.** `macro` 2.0, procedural macros, metavariable expressions.

mod edits;
mod fragments;
mod hygiene;
mod joined;
mod marks;
mod matching;
mod positions;
mod rules;
mod scopes;
mod syntax;
mod token;
mod transcribe;

pub(super) use hygiene::without_number;
pub(super) use positions::Positions;
pub(super) use scopes::crate_number;

use super::source::{Lexeme, lexemes};
use crate::text::{Edition, Reached, Span};
use edits::{Edit, edited, tag};
use fragments::Fragments;
use marks::Marks;
use proc_macro2::TokenStream;
use rules::Definition;
use scopes::Scopes;
use std::collections::BTreeMap;
use std::rc::Rc;
use syn::Attribute;
use syntax::{Call, Event, Part};
use token::{Bracket, Fragment, Kind, Tag, Token, Written};

/// Macros stand for calls of macros up to this depth.
const MOST_DEPTH: usize = 128;
/// A file has no more tokens than these after its macros are expanded.
const MOST_TOKENS: usize = 400_000;
/// What a macro stands for has no brackets nested deeper than these.
const MOST_NESTING: usize = 60;

/// A crate without calls of its macros, as one file.
pub(super) struct Expanded {
    pub(super) file: syn::File,
    pub(super) lexemes: Vec<Lexeme>,
    /// Where its text ends.
    pub(super) end: usize,
    /// The files that it consists of.
    pub(super) files: Vec<usize>,
}

/// Whether a file defines macros.
pub(super) fn has_macros(lexemes: &[Lexeme]) -> bool {
    let mut words = lexemes.iter().filter_map(|lexeme| lexeme.word.as_deref());
    words.any(|word| word == "macro_rules")
}

/// A crate whose macros are expanded.
pub(super) struct Crate<'c> {
    pub(super) number: usize,
    pub(super) edition: Edition,
    /// The crates that it can name.
    pub(super) names: &'c BTreeMap<String, Reached>,
    /// Whether conditions of compilation hold.
    pub(super) holds: &'c dyn Fn(&[Attribute]) -> bool,
    /// Its first file.
    pub(super) first: usize,
    /// The file of the module whose item begins here.
    pub(super) outside: &'c dyn Fn(usize) -> Option<usize>,
    /// The file of a module that a macro makes, by the place of its name and the name: `None` if that was not looked for.
    pub(super) made: &'c dyn Fn(usize, &str) -> Option<Option<usize>>,
}

/// A module that a macro makes, and whose file was not looked for.
pub(super) struct Wanted {
    /// Where its name is.
    pub(super) name: Span,
    pub(super) module: Inner,
    /// The modules that it is in, from the outside to the inside.
    pub(super) around: Vec<Inner>,
}

/// A module in another one.
#[derive(Clone)]
pub(super) struct Inner {
    /// Where its name is.
    pub(super) at: usize,
    pub(super) name: String,
    pub(super) attributes: Vec<Attribute>,
}

/// What the crates of a program have in common.
#[derive(Default)]
pub(super) struct Expansions {
    marks: Marks,
    definitions: Vec<Rc<Known>>,
    scopes: Scopes,
    /// The modules whose files have to be read before all is expanded.
    wanted: Vec<Wanted>,
}

/// A definition that was read.
struct Known {
    rules: Result<Definition, String>,
    of_crate: usize,
    edition: Edition,
}

impl Expansions {
    /// Whether some crate so far exports macros.
    pub(super) fn has_exported(&self) -> bool {
        self.scopes.has_exported()
    }

    /// The modules whose files were not looked for.
    pub(super) fn wanted(self) -> Vec<Wanted> {
        self.wanted
    }

    /// A crate with what its calls of macros stand for; `None` if that is no text of the language. The crates that it names
    /// come before it.
    ///
    /// `at` is where its text begins among those of all files, and what leads back is added to `positions`.
    pub(super) fn expanded(
        &mut self,
        of: &Crate<'_>,
        files: &[syn::File],
        at: usize,
        positions: &mut Positions,
    ) -> Option<Expanded> {
        let mut used = Vec::new();
        let tokens = joined::joined(of.first, files, of.outside, &mut used);
        self.scopes.begin(of.number, of.names);
        let mut expander = Expander {
            holds: of.holds,
            of,
            files,
            used,
            modules: Vec::new(),
            all: self,
            made: 0,
        };
        expander.collect(&tokens);
        let tokens = expander.expand(tokens, Part::Items, 0).ok()?;
        let used = std::mem::take(&mut expander.used);
        let tokens = hygiene::named_apart(tokens, &self.marks)?;
        let written = Written::of(&tokens);
        // Positions begin with the text, so that is preceded by nothing.
        let text = format!("{}{}", " ".repeat(at), written.text);
        let stream: TokenStream = text.parse().ok()?;
        let lexemes = lexemes(stream.clone()).ok()?;
        let file = syn::parse2(stream).ok()?;
        let ranges = written.ranges.into_iter();
        positions.add(
            tokens,
            ranges
                .map(|range| at + range.start..at + range.end)
                .collect(),
        );
        Some(Expanded {
            file,
            lexemes,
            end: text.len(),
            files: used,
        })
    }
}

struct Expander<'e> {
    holds: &'e dyn Fn(&[Attribute]) -> bool,
    of: &'e Crate<'e>,
    files: &'e [syn::File],
    /// The files that the crate consists of so far.
    used: Vec<usize>,
    /// The modules at hand, from the outside to the inside.
    modules: Vec<Inner>,
    all: &'e mut Expansions,
    /// How many tokens macros made so far.
    made: usize,
}

impl Expander<'_> {
    /// Finds the definitions and imports that paths may lead to before they are in scope.
    fn collect(&mut self, tokens: &[Token]) {
        let written = Written::of(tokens);
        let Ok(events) = syntax::events(Part::Items, &written.text) else {
            return;
        };
        self.collect_in(&events, tokens, &written);
        self.all.scopes.restart();
    }

    fn collect_in(&mut self, events: &[Event], tokens: &[Token], written: &Written) {
        for event in events {
            match event {
                Event::Definition(of) if (self.holds)(&of.conditions) => {
                    self.define(tokens, written, of);
                }
                Event::Scope(of) if (self.holds)(&of.conditions) => {
                    self.collect_in(&of.inside, tokens, written);
                }
                Event::Import(of) if (self.holds)(&of.conditions) => self.all.scopes.import(of),
                Event::Definition(_)
                | Event::Scope(_)
                | Event::Call(_)
                | Event::Import(_)
                | Event::Outside(_) => {}
            }
        }
    }

    fn define(&mut self, tokens: &[Token], written: &Written, of: &syntax::Definition) -> usize {
        let rules = rules::definition(&tokens[written.tokens_in(&of.rules)]);
        let number = self.all.definitions.len();
        self.all.definitions.push(Rc::new(Known {
            rules,
            of_crate: self.of.number,
            edition: self.of.edition,
        }));
        if let Some(name) = tokens.get(written.token_at(of.name.start)) {
            self.all.scopes.define(&name.text, number, of.is_exported);
        }
        number
    }

    /// Tokens that are a part of the language, without calls of macros.
    fn expand(
        &mut self,
        tokens: Vec<Token>,
        part: Part,
        depth: usize,
    ) -> Result<Vec<Token>, String> {
        let written = Written::of(&tokens);
        let events = syntax::events(part, &written.text)
            .map_err(|error| format!("what it stands for is not {}: {error}", part.name()))?;
        let mut edits = Vec::new();
        self.events(&events, &tokens, &written, depth, &mut edits);
        Ok(edited(tokens, edits))
    }

    fn events(
        &mut self,
        events: &[Event],
        tokens: &[Token],
        written: &Written,
        depth: usize,
        edits: &mut Vec<Edit>,
    ) {
        // Imports are known before their text, too.
        for event in events {
            match event {
                Event::Import(of) if (self.holds)(&of.conditions) => self.all.scopes.import(of),
                Event::Definition(_)
                | Event::Scope(_)
                | Event::Call(_)
                | Event::Import(_)
                | Event::Outside(_) => {}
            }
        }
        for event in events {
            match event {
                Event::Import(_) => {}
                // Those that no macro makes are there already, or have no file.
                Event::Outside(of) => {
                    if depth > 0 && (self.holds)(&of.conditions) {
                        edits.extend(self.outside(of, tokens, written, depth));
                    }
                }
                Event::Scope(of) => {
                    if (self.holds)(&of.conditions) {
                        let visible = self.all.scopes.count();
                        self.all.scopes.enter(of.is_module);
                        let around = self.modules.len();
                        let name = of.name.as_ref();
                        self.modules.extend(
                            name.and_then(|name| inner(tokens, written, name, &of.conditions)),
                        );
                        self.events(&of.inside, tokens, written, depth, edits);
                        self.modules.truncate(around);
                        self.all.scopes.leave();
                        if !of.keeps {
                            self.all.scopes.truncate(visible);
                        }
                    }
                }
                Event::Definition(of) => {
                    if (self.holds)(&of.conditions) {
                        let number = self.define(tokens, written, of);
                        edits.push(tag(tokens, written, &of.name, Tag::Definition(number)));
                    }
                }
                Event::Call(call) => match self.all.scopes.find(&call.path) {
                    Some(number) if (self.holds)(&call.conditions) => {
                        let visible = self.all.scopes.count();
                        match self.call(call, number, tokens, written, depth) {
                            Ok(edit) => edits.push(edit),
                            Err(reason) => {
                                self.all.scopes.truncate(visible);
                                let failed = Tag::Failed(reason.into());
                                edits.push(tag(tokens, written, &call.name, failed));
                            }
                        }
                    }
                    Some(_) => {}
                    None => self.events(&call.inside, tokens, written, depth, edits),
                },
            }
        }
    }

    /// What the file of a module has, which a macro makes.
    fn outside(
        &mut self,
        of: &syntax::Outside,
        tokens: &[Token],
        written: &Written,
        depth: usize,
    ) -> Option<Edit> {
        let module = inner(tokens, written, &of.name, &of.conditions)?;
        let name = tokens[written.token_at(of.name.start)].from.clone();
        let Some(file) = (self.of.made)(module.at, &module.name) else {
            let around = self.modules.clone();
            self.all.wanted.push(Wanted {
                name,
                module,
                around,
            });
            return None;
        };
        let own = joined::joined(file?, self.files, self.of.outside, &mut self.used);
        let visible = self.all.scopes.count();
        self.all.scopes.enter(true);
        self.modules.push(module);
        let made = self.expand(own, Part::Items, depth);
        self.modules.pop();
        self.all.scopes.leave();
        if !of.keeps {
            self.all.scopes.truncate(visible);
        }
        let semicolon = written.tokens_in(&of.semicolon);
        let bracket = |kind, text| Token::made(kind, text, &tokens[semicolon.start].from);
        let open = bracket(Kind::Open(Bracket::Brace), "{");
        let close = bracket(Kind::Close(Bracket::Brace), "}");
        let by = [vec![open], made.ok()?, vec![close]].concat();
        Some(Edit {
            tokens: semicolon,
            by,
        })
    }

    /// What a call stands for.
    fn call(
        &mut self,
        call: &Call,
        number: usize,
        tokens: &[Token],
        written: &Written,
        depth: usize,
    ) -> Result<Edit, String> {
        if depth >= MOST_DEPTH {
            return Err(format!(
                "macros stand for macros more than {MOST_DEPTH} times"
            ));
        }
        if self.made > MOST_TOKENS {
            return Err(format!(
                "the macros of the crate make more than {MOST_TOKENS} tokens"
            ));
        }
        let mut whole = written.tokens_in(&call.whole);
        // Attributes are not where the call is.
        let path = written.token_at(call.name.start);
        let start = path.saturating_sub(2 * (call.path.len() - 1));
        let here = token::hull(&tokens[start..whole.end]);
        let arguments = written.tokens_in(&call.arguments);
        let arguments = &tokens[arguments.start + 1..arguments.end - 1];
        let known = self.all.definitions[number].clone();
        let definition = known.rules.as_ref().map_err(Clone::clone)?;
        let fragments = Fragments {
            edition: known.edition,
        };
        let mut found = None;
        for rule in &definition.rules {
            if let Some(bindings) = matching::matched(&rule.matcher, arguments, &fragments)? {
                found = Some((rule, bindings));
                break;
            }
        }
        let Some((rule, bindings)) = found else {
            return Err("no rule matches what it is given".to_owned());
        };
        let marks = &mut self.all.marks;
        let expansion = marks.expansion(number);
        let of_crate = match known.of_crate {
            own if own == self.of.number => "crate".to_owned(),
            other => scopes::crate_name(other),
        };
        let made =
            transcribe::transcribed(&rule.body, &bindings, marks, expansion, &of_crate, &here)?;
        self.made += made.len();
        if token::nesting(&made) > MOST_NESTING {
            return Err(format!("its brackets nest deeper than {MOST_NESTING}"));
        }
        let mut made = self.result(call, made, &here, depth)?;
        if let Some(semicolon) = &call.semicolon {
            let semicolon = written.tokens_in(semicolon);
            whole.end = whole.end.max(semicolon.end);
        }
        if let Some(first) = made.first_mut() {
            let before = &tokens[start];
            first.begins.extend(before.begins.iter().cloned());
            if before.is_own {
                first.begins.push(here);
            }
            if matches!(first.kind, Kind::Open(Bracket::Part(_))) {
                let begins = first.begins.clone();
                if let Some(second) = made.get_mut(1) {
                    second.begins.extend(begins);
                }
            }
        }
        Ok(Edit {
            tokens: whole,
            by: made,
        })
    }

    /// What a rule stands for as a part of the language.
    fn result(
        &mut self,
        call: &Call,
        mut made: Vec<Token>,
        here: &Span,
        depth: usize,
    ) -> Result<Vec<Token>, String> {
        let part = call.part;
        if part == Part::Expr {
            while made.last().is_some_and(|last| last.is(";")) {
                made.pop();
            }
        }
        let mut made = self.expand(made, part, depth + 1)?;
        let fragment = match part {
            Part::Items | Part::Members | Part::TraitMembers => return Ok(made),
            Part::Statements => {
                let wants =
                    call.semicolon.is_some() && syntax::wants_semicolon(&Written::of(&made).text);
                if wants {
                    made.push(Token::made(Kind::Punct, ";", here));
                }
                return Ok(made);
            }
            Part::Expr => Fragment::Expr,
            Part::Pat => Fragment::Pat,
            Part::Type => Fragment::Ty,
        };
        let bracket = Bracket::Part(fragment);
        made.insert(0, Token::made(Kind::Open(bracket), "", here));
        made.push(Token::made(Kind::Close(bracket), "", here));
        Ok(made)
    }
}

/// A module whose name is here.
fn inner(
    tokens: &[Token],
    written: &Written,
    name: &Span,
    attributes: &[Attribute],
) -> Option<Inner> {
    let token = tokens.get(written.token_at(name.start))?;
    Some(Inner {
        at: token.from.start,
        name: token.text.to_string(),
        attributes: attributes.to_vec(),
    })
}
