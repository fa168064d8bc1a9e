//! The tail of a test: what is shown of the final states, and the condition on them.
//!
//! `locations [x; 0:EAX;]`, `filter (…)`, then `exists`, `~exists`, `forall` or `final` with a
//! proposition: atoms `0:EAX=1`, `x=1`, `[x]=1`, `*x=1`, `true`; `/\`, `\/`, `=>`, `~`,
//! `not`, parentheses. Names are resolved later, when the threads are known.
//!
//! Expectations for single memory models, as in `with tso: exists cc: ~exists`, are parsed and
//! ignored.

use super::initial::{register, value};
use super::memory::{Memory, Value};
use super::types;
use super::words::{Placed, Reader, Word};
use crate::text::{Diagnostic, Quantifier, Span};
use std::collections::{BTreeMap, BTreeSet};

/// Propositions nest at most this deep.
const DEEPEST: usize = 50;

/// A proposition has at most this many atoms.
const MOST_ATOMS: usize = 5_000;

/// Something that has a value in a final state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// `0:EAX`
    Register { thread: i64, name: String },
    /// `x`, or `a[1]`
    Cell { name: String, index: Option<i64> },
}

/// A proposition about final states.
#[derive(Clone, Debug)]
pub(super) enum Proposition {
    /// `true`, `false`
    Constant(bool),
    /// A place has this value.
    Atom {
        place: Place,
        span: Span,
        value: (Value, Span),
    },
    Not(Box<Proposition>),
    And(Vec<Proposition>),
    Or(Vec<Proposition>),
    /// If the first, then the second.
    Implies(Box<[Proposition; 2]>),
}

/// Everything after the code.
#[derive(Clone, Debug)]
pub(super) struct Tail {
    pub(super) locations: Vec<(Place, Span)>,
    pub(super) filter: Option<Proposition>,
    pub(super) quantifier: Quantifier,
    pub(super) condition: Proposition,
    /// From the quantifier to the end of the proposition.
    pub(super) span: Span,
    /// The quantifiers for single memory models, if there are any.
    of_models: Option<Span>,
}

impl Tail {
    /// Calls `visit` for each comparison in condition and filter.
    pub(super) fn for_each_atom(&self, visit: &mut dyn FnMut(&Place, &Value, &Span)) {
        for proposition in [Some(&self.condition), self.filter.as_ref()]
            .into_iter()
            .flatten()
        {
            proposition.for_each_atom(visit);
        }
    }

    /// The local variables that the tail refers to, by thread.
    pub(super) fn registers(&self) -> BTreeMap<i64, BTreeSet<String>> {
        let mut found: BTreeMap<i64, BTreeSet<String>> = BTreeMap::new();
        let mut note = |place: &Place| {
            if let Place::Register { thread, name } = place {
                found.entry(*thread).or_default().insert(name.clone());
            }
        };
        for (place, _) in &self.locations {
            note(place);
        }
        self.for_each_atom(&mut |place, _, _| note(place));
        found
    }

    /// Declares the cells that only the tail names.
    pub(super) fn mention(&self, memory: &mut Memory) {
        let mut cells: Vec<(String, Span)> = Vec::new();
        let mut note = |place: &Place, span: &Span| {
            if let Place::Cell { name, .. } = place {
                cells.push((name.clone(), span.clone()));
            }
        };
        for (place, span) in &self.locations {
            note(place, span);
        }
        self.for_each_atom(&mut |place, value, span| {
            note(place, span);
            if let Value::Address(name) = value {
                let name = name.clone();
                note(&Place::Cell { name, index: None }, span);
            }
        });
        for (name, span) in cells {
            memory.mention(&name, &span);
        }
    }
}

impl Proposition {
    fn for_each_atom(&self, visit: &mut dyn FnMut(&Place, &Value, &Span)) {
        match self {
            Proposition::Constant(_) => {}
            Proposition::Atom { place, span, value } => visit(place, &value.0, span),
            Proposition::Not(inside) => inside.for_each_atom(visit),
            Proposition::And(parts) | Proposition::Or(parts) => {
                for part in parts {
                    part.for_each_atom(visit);
                }
            }
            Proposition::Implies(parts) => {
                for part in parts.iter() {
                    part.for_each_atom(visit);
                }
            }
        }
    }
}

/// Whether the tail begins with this word.
pub(super) fn begins_tail(word: Word<'_>) -> bool {
    match word {
        Word::Name(name) => matches!(
            name,
            "locations" | "filter" | "exists" | "forall" | "final" | "not"
        ),
        Word::Sign(sign) => sign == "~",
        Word::Number(_) => false,
    }
}

/// Parses the tail; `None` if it has an error, which is reported.
pub(super) fn read(
    words: &[Placed<'_>],
    end: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Tail> {
    let mut parser = Parser {
        reader: Reader::new(words, end),
        depth: 0,
        atoms: 0,
    };
    match parser.tail() {
        Ok(tail) => {
            if let Some(span) = &tail.of_models {
                diagnostics.push(
                    Diagnostic::warning(
                        "expectations for single memory models are ignored",
                        span.clone(),
                    )
                    .label("ignored")
                    .note("the condition before this is checked under every model"),
                );
            }
            Some(tail)
        }
        Err(diagnostic) => {
            diagnostics.push(diagnostic);
            None
        }
    }
}

struct Parser<'w, 't> {
    reader: Reader<'w, 't>,
    depth: usize,
    atoms: usize,
}

impl Parser<'_, '_> {
    fn tail(&mut self) -> Result<Tail, Diagnostic> {
        let mut locations = Vec::new();
        let mut filter = None;
        loop {
            let start = self.reader.span().start;
            match self.reader.peek() {
                Some(Word::Name("locations")) => {
                    self.reader.next();
                    self.locations(&mut locations)?;
                }
                Some(Word::Name("filter")) if filter.is_none() => {
                    self.reader.next();
                    filter = Some(self.proposition()?);
                    self.reader.take(";");
                }
                None if !locations.is_empty() => {
                    // Without a condition, all states are as they should be.
                    return Ok(Tail {
                        locations,
                        filter,
                        quantifier: Quantifier::ForAll,
                        condition: Proposition::Constant(true),
                        span: start..start,
                        of_models: None,
                    });
                }
                _ => break,
            }
        }
        let start = self.reader.span().start;
        let quantifier = self.quantifier()?;
        let condition = self.proposition()?;
        let span = start..self.reader.last_end();
        self.reader.take(";");
        let mut of_models = None;
        if self.reader.peek() == Some(Word::Name("with")) {
            of_models = Some(self.of_models()?);
        }
        if !self.reader.is_done() {
            return Err(self.reader.expected("the end of the test"));
        }
        Ok(Tail {
            locations,
            filter,
            quantifier,
            condition,
            span,
            of_models,
        })
    }

    fn quantifier(&mut self) -> Result<Quantifier, Diagnostic> {
        let negated = self.reader.take("~") || {
            let not = self.reader.peek() == Some(Word::Name("not"));
            if not {
                self.reader.next();
            }
            not
        };
        let quantifier = match (self.reader.peek(), negated) {
            (Some(Word::Name("exists" | "final")), false) => Quantifier::Exists,
            (Some(Word::Name("exists")), true) => Quantifier::NotExists,
            (Some(Word::Name("forall")), false) => Quantifier::ForAll,
            _ => {
                return Err(self
                    .reader
                    .expected("a condition: `exists`, `~exists`, `forall` or `final`"));
            }
        };
        self.reader.next();
        Ok(quantifier)
    }

    /// `with tso: exists, x86-cc: ~exists (…);`, each model with a quantifier and optionally a
    /// proposition.
    fn of_models(&mut self) -> Result<Span, Diagnostic> {
        let start = self.reader.span().start;
        self.reader.next();
        loop {
            self.reader.name("a model, as in `with tso: exists`")?;
            // `x86-tso`, `power7`, `c11-2`
            while self.reader.take("-") {
                if self.reader.name("more of the model's name").is_err() {
                    self.reader.number()?;
                }
            }
            self.reader.sign(":")?;
            self.quantifier()?;
            if self.reader.is("(") {
                self.proposition()?;
            }
            let _ = self.reader.take(";") || self.reader.take(",");
            if self.reader.is_done() {
                return Ok(start..self.reader.last_end());
            }
        }
    }

    fn locations(&mut self, locations: &mut Vec<(Place, Span)>) -> Result<(), Diagnostic> {
        self.reader.sign("[")?;
        while !self.reader.take("]") {
            locations.push(self.place()?);
            // The format of the value. It is known here: addresses are names.
            let _ = types::read(&mut self.reader);
            if !self.reader.take(";") {
                self.reader.sign("]")?;
                break;
            }
        }
        self.reader.take(";");
        Ok(())
    }

    fn place(&mut self) -> Result<(Place, Span), Diagnostic> {
        let start = self.reader.span().start;
        if let Some((thread, name, span)) = register(&mut self.reader)? {
            return Ok((Place::Register { thread, name }, span));
        }
        let bracket = self.reader.take("[");
        if !bracket {
            self.reader.take("*");
        }
        let (name, _) = self
            .reader
            .name("a register, as in `0:EAX`, or a shared variable")?;
        let name = name.to_owned();
        if bracket {
            self.reader.sign("]")?;
        }
        let mut index = None;
        if !bracket && self.reader.take("[") {
            index = Some(self.reader.number()?.0);
            self.reader.sign("]")?;
        }
        let span = start..self.reader.last_end();
        Ok((Place::Cell { name, index }, span))
    }

    fn proposition(&mut self) -> Result<Proposition, Diagnostic> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let message = format!("the condition nests deeper than {DEEPEST}");
            return Err(Diagnostic::error(message, self.reader.span()));
        }
        let mut any = vec![self.conjunction()?];
        while self.reader.take("\\/") || self.reader.take("||") {
            any.push(self.conjunction()?);
        }
        let mut found = single(any, Proposition::Or);
        // It binds most loosely, and `a => b => c` is `a => (b => c)`.
        if self.reader.take("=>") {
            let then = self.proposition()?;
            found = Proposition::Implies(Box::new([found, then]));
        }
        self.depth -= 1;
        Ok(found)
    }

    fn conjunction(&mut self) -> Result<Proposition, Diagnostic> {
        let mut all = vec![self.literal()?];
        while self.reader.take("/\\") || self.reader.take("&&") {
            all.push(self.literal()?);
        }
        Ok(single(all, Proposition::And))
    }

    fn literal(&mut self) -> Result<Proposition, Diagnostic> {
        let mut negations = 0usize;
        loop {
            if self.reader.take("~") || self.reader.take("!") {
                negations += 1;
            } else if self.reader.peek() == Some(Word::Name("not")) {
                self.reader.next();
                negations += 1;
            } else {
                break;
            }
        }
        let inside = if self.reader.take("(") {
            let inside = self.proposition()?;
            self.reader.sign(")")?;
            inside
        } else {
            self.atom()?
        };
        Ok(if negations % 2 == 1 {
            Proposition::Not(Box::new(inside))
        } else {
            inside
        })
    }

    fn atom(&mut self) -> Result<Proposition, Diagnostic> {
        let named = |word: &str| match word {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        if let Some(Word::Name(word)) = self.reader.peek()
            && let Some(constant) = named(word)
        {
            self.reader.next();
            return Ok(Proposition::Constant(constant));
        }
        self.atoms += 1;
        if self.atoms > MOST_ATOMS {
            let message = format!("the condition has more than {MOST_ATOMS} atoms");
            return Err(Diagnostic::error(message, self.reader.span()));
        }
        let (place, span) = self.place()?;
        let differs = self.reader.is("!=");
        if !differs && !self.reader.take("==") {
            self.reader.sign("=")?;
        } else if differs {
            self.reader.next();
        }
        let value = value(&mut self.reader)?;
        let atom = Proposition::Atom { place, span, value };
        Ok(if differs {
            Proposition::Not(Box::new(atom))
        } else {
            atom
        })
    }
}

fn single(mut parts: Vec<Proposition>, many: fn(Vec<Proposition>) -> Proposition) -> Proposition {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        Some(last) => {
            parts.push(last);
            many(parts)
        }
        None => Proposition::Constant(true),
    }
}
