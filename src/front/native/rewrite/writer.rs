//! How each change is written: as a statement, before a value, or as an instruction of the
//! automaton form.
//!
//! The writer does not know whether the result means what it should: names may be shadowed, and an
//! insertion point may not be where it seems to be. The caller parses the text again.

use super::super::ast::{AutoOp, Automaton, Block, Enclosure, Item, Stmt, StmtKind};
use super::super::lower::InsertionPoint;

use crate::program::{Addr, Fence, Program, quoted};
use crate::text::expression::{Token, lex};
use crate::text::{Edits, Ending, Layer, Span};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// What replaces a removed fence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Replacement {
    /// Nothing, or what the automaton form requires.
    Nothing,
    /// A statement that does nothing.
    Skip,
}

/// Edits one text.
pub(super) struct Writer<'a> {
    text: &'a str,
    items: &'a [Item],
    program: &'a Program,
    /// Names that must not be generated.
    taken: BTreeSet<String>,
    /// The new register of each automaton that has one, by the automaton's start.
    registers: BTreeMap<usize, String>,
    /// The single statements in new braces, by their start.
    enclosed: BTreeMap<usize, Option<&'a str>>,
    pub(super) edits: Edits,
}

impl<'a> Writer<'a> {
    /// A writer without edits, which does not generate names in `taken`.
    pub(super) fn new(
        text: &'a str,
        items: &'a [Item],
        program: &'a Program,
        taken: BTreeSet<String>,
    ) -> Self {
        Self {
            text,
            items,
            program,
            taken,
            registers: BTreeMap::new(),
            enclosed: BTreeMap::new(),
            edits: Edits::default(),
        }
    }

    /// Inserts fences at a point, in this order. Returns whether that is possible.
    pub(super) fn fences(&mut self, point: InsertionPoint, fences: &[&Fence]) -> bool {
        let words: Vec<String> = fences.iter().map(|fence| self.word(fence)).collect();
        let statements: Vec<String> = words.iter().map(|word| format!("{word};")).collect();
        let commas: String = words.iter().flat_map(|word| [word, ", "]).collect();
        match point {
            InsertionPoint::Statement(at) => {
                let block = self.block(at);
                match block.map(|block| (block.enclosure, self.enclose(block))) {
                    Some((Enclosure::Bare, None)) => {
                        let text = statements.join(" ") + " ";
                        self.edits.insert(at, Layer::Statement, text);
                    }
                    Some((_, Some(_)) | (Enclosure::Braces | Enclosure::Empty, None)) | None => {
                        self.edits.insert_before(self.text, at, &statements);
                    }
                }
            }
            InsertionPoint::BlockEnd(at, start) => {
                let Some(block) = self.block(start) else {
                    return false;
                };
                match block.enclosure {
                    Enclosure::Braces if self.text[at..].starts_with('}') => {
                        self.edits.insert_at_end(self.text, at, &statements);
                    }
                    // The brace was not closed.
                    Enclosure::Braces => return false,
                    Enclosure::Bare => {
                        let indent = self.enclose(block);
                        let span = start..block.end.end;
                        self.edits
                            .insert_at_end_of(self.text, &span, indent, &statements);
                    }
                    Enclosure::Empty => {
                        let blank = self.text[..start].ends_with([' ', '\t', '\n']);
                        let space = if blank { "" } else { " " };
                        let body = format!("{space}{{ {} }}", statements.join(" "));
                        self.edits
                            .replace(block.end.clone(), Layer::Statement, body);
                    }
                }
            }
            InsertionPoint::Else(at, start) => {
                // An `else` after a single statement might belong to that one.
                if let Some(block) = self.block(start) {
                    self.enclose(block);
                }
                let branch = format!(" else {{ {} }}", statements.join(" "));
                let layer = Layer::BlockEnd(Reverse(start), Ending::Else);
                self.edits.insert(at, layer, branch);
            }
            InsertionPoint::Within(at) => {
                // The statement that a `for` ends its iterations with may become an exchange.
                let layer = if self.is_clause(at) {
                    Layer::Statement
                } else {
                    Layer::Within
                };
                self.edits.insert(at, layer, commas);
            }
            InsertionPoint::Around(start, Reverse(end)) => {
                self.edits
                    .insert(start, Layer::Around, format!("({commas}"));
                self.edits.insert(end, Layer::CloseInner, ")");
            }
            InsertionPoint::Label(at) => return self.label_fences(at, fences),
            InsertionPoint::Edge(at) => return self.edge_fences(at, fences),
        }
        true
    }

    /// Whether a statement in the head of a `for` starts here.
    fn is_clause(&self, start: usize) -> bool {
        self.blocks().any(|body| {
            let stmts = body.all_stmts().into_iter();
            let mut clauses = stmts.flat_map(Stmt::clauses);
            clauses.any(|clause| clause.span.start == start)
        })
    }

    /// The block that starts here.
    fn block(&self, start: usize) -> Option<&'a Block> {
        self.blocks().find_map(|body| {
            let stmts = body.all_stmts().into_iter();
            let mut blocks = std::iter::once(body).chain(stmts.flat_map(Stmt::blocks));
            blocks.find(|block| block.start == start)
        })
    }

    /// Encloses a single statement in braces, once. Returns its indentation if the braces are on
    /// other lines.
    fn enclose(&mut self, block: &Block) -> Option<&'a str> {
        if block.enclosure != Enclosure::Bare {
            return None;
        }
        if let Some(indent) = self.enclosed.get(&block.start) {
            return *indent;
        }
        let span = block.start..block.end.end;
        let indent = self.edits.enclose(self.text, &span);
        self.enclosed.insert(block.start, indent);
        indent
    }

    /// A fence in the structured form.
    fn word(&self, fence: &Fence) -> String {
        match fence {
            Fence::Full => "fence".to_owned(),
            Fence::Store => "fence store".to_owned(),
            Fence::All => "barrier all".to_owned(),
            Fence::Cells(cells) => format!("fence({})", self.cells(cells)),
        }
    }

    /// Cells, with an array by its name if all of its elements are included.
    fn cells(&self, cells: &[Addr]) -> String {
        let mut names = Vec::new();
        for region in self.program.regions() {
            let name = quoted(&region.name);
            let last = region.base.0 + region.init.len() as i32;
            let own: Vec<i32> = cells
                .iter()
                .map(|cell| cell.0)
                .filter(|cell| (region.base.0..last).contains(cell))
                .collect();
            if own.len() == region.init.len() {
                names.push(name);
            } else {
                let element = |cell: &i32| format!("{name}[{}]", cell - region.base.0);
                names.extend(own.iter().map(element));
            }
        }
        names.join(", ")
    }

    /// Inserts instructions before all that leave the location of the instruction that starts here.
    fn label_fences(&mut self, at: usize, fences: &[&Fence]) -> bool {
        let Some((body, first)) = self.automata().find_map(|body| {
            let first = body.instructions.iter().find(|i| i.whole.start == at)?;
            Some((body, first))
        }) else {
            return false;
        };
        let label = &first.from.text;
        let made = self.labels(label, fences.len());
        let labels = [std::slice::from_ref(label), &made].concat();
        let lines = self.chain(&labels, fences);
        let last = made.last().unwrap_or(label);
        self.edits.insert_before(self.text, at, &lines);
        for instruction in body.instructions.iter().filter(|i| i.from.text == *label) {
            let span = instruction.from.span.clone();
            self.edits.replace(span, Layer::Within, quoted(last));
        }
        self.declare(body, &made);
        true
    }

    /// Inserts instructions after the one whose target is written here, on the path to that target.
    fn edge_fences(&mut self, at: usize, fences: &[&Fence]) -> bool {
        let Some((body, edge)) = self.automata().find_map(|body| {
            let edge = body.instructions.iter().find(|i| i.to.span.start == at)?;
            Some((body, edge))
        }) else {
            return false;
        };
        let made = self.labels(&edge.from.text, fences.len());
        let target = &edge.to;
        let labels = [&*made, std::slice::from_ref(&target.text)].concat();
        let lines = self.chain(&labels, fences);
        self.edits
            .replace(target.span.clone(), Layer::Within, quoted(&labels[0]));
        self.edits.insert_after(self.text, &edge.whole, &lines);
        self.declare(body, &made);
        true
    }

    /// New labels derived from the given one.
    fn labels(&mut self, label: &str, count: usize) -> Vec<String> {
        let fresh = (0..count).map(|_| self.fresh(&format!("{label}_f")));
        fresh.collect()
    }

    /// Fences one after the other, each between two labels.
    fn chain(&self, labels: &[String], fences: &[&Fence]) -> Vec<String> {
        let line = |(between, fence): (&[String], &&Fence)| {
            let word = match fence {
                Fence::Full => "mfence".to_owned(),
                Fence::Store => "sfence".to_owned(),
                Fence::All => "barrier all".to_owned(),
                Fence::Cells(cells) => format!("fence {}", self.cells(cells)),
            };
            let (here, there) = (quoted(&between[0]), quoted(&between[1]));
            format!("{here}: {word}; goto {there};")
        };
        labels.windows(2).zip(fences).map(line).collect()
    }

    /// Adds new labels to the `locations` clause, if there is one.
    fn declare(&mut self, body: &Automaton, made: &[String]) {
        if let Some((last, generated)) = body.locations.as_ref().and_then(|list| list.last()) {
            let end = if *generated {
                last.span.end + self.text[last.span.end..].find(')').map_or(0, |at| at + 1)
            } else {
                last.span.end
            };
            for name in made {
                let text = format!(", ({})", quoted(name));
                self.edits.insert(end, Layer::Within, text);
            }
        }
    }

    /// Turns the store at this span into an exchange. Returns whether there is one.
    pub(super) fn exchange(&mut self, store: &Span) -> bool {
        if let Some(Stmt {
            kind: StmtKind::Assign(target, value),
            ..
        }) = self.stmt(store)
        {
            self.edits.insert(target.span.start, Layer::Open, "xchg(");
            return self.comma(&target.span, &value.span);
        }
        if let Some(Stmt {
            kind: StmtKind::Update(target, _, operand, _),
            ..
        }) = self.stmt(store)
        {
            // `++x` has its operand first.
            let start = target.span.start.min(operand.span.start);
            let end = target.span.end.max(operand.span.end);
            self.edits.insert(start, Layer::Open, "xchg(");
            self.edits.insert(end, Layer::CloseOuter, ")");
            return true;
        }
        let Some((body, target, value)) = self.automata().find_map(|body| {
            let found = body.instructions.iter().find(|i| i.span == *store)?;
            if let AutoOp::Store(target, value) = &found.op {
                return Some((body, target, value));
            }
            None
        }) else {
            return false;
        };
        let old = self.register(body);
        let text = format!("{} <- xchg(", quoted(&old));
        self.edits.insert(store.start, Layer::Open, text);
        self.comma(&target.span, &value.span)
    }

    /// Turns both sides of `=` or `<-` into an argument list.
    fn comma(&mut self, target: &Span, value: &Span) -> bool {
        let between = &self.text[target.end..value.start];
        let tokens = lex(between).tokens;
        let sign = |token: &Token<'_>| matches!(token, Token::Equals | Token::Less | Token::Minus);
        let mut signs = tokens.iter().filter(|(token, _)| sign(token));
        let Some((_, first)) = signs.next() else {
            return false;
        };
        // A minus after the sign belongs to the value, which starts there.
        let end = signs.next().map_or(first.end, |(_, last)| last.end);
        let start = between[..first.start].trim_end_matches(' ').len();
        let space = if between[end..].is_empty() { " " } else { "" };
        let span = target.end + start..target.end + end;
        self.edits.replace(span, Layer::Within, format!(",{space}"));
        self.edits.insert(value.end, Layer::CloseOuter, ")");
        true
    }

    /// The unused register of an automaton.
    fn register(&mut self, body: &'a Automaton) -> String {
        if let Some(name) = self.registers.get(&body.start) {
            return name.clone();
        }
        let name = self.fresh("was");
        self.registers.insert(body.start, name.clone());
        let word = "regs";
        match body.regs.last() {
            Some((last, init)) => {
                let end = init.as_ref().map_or(last.span.end, |e| e.span.end);
                self.edits.insert(end, Layer::Within, format!(", {name}"));
            }
            None if self.text[body.start..].starts_with(word) => {
                let end = body.start + word.len();
                self.edits.insert(end, Layer::Within, format!(" {name}"));
            }
            None => {
                let text = format!("{word} {name} ");
                self.edits.insert(body.start, Layer::Within, text);
            }
        }
        name
    }

    /// Removes the fence at this span. Returns whether there is one that can be removed in this
    /// way.
    pub(super) fn remove(&mut self, fence: &Span, replacement: Replacement) -> bool {
        if let Some((start, stmt)) = self.annotated(fence) {
            match replacement {
                Replacement::Nothing => {
                    let span = start..stmt.whole.end;
                    self.edits.remove_statement(self.text, &span);
                }
                Replacement::Skip => {
                    let whole = stmt.whole.clone();
                    self.edits.replace(whole, Layer::Statement, "skip;");
                }
            }
            return true;
        }
        if replacement == Replacement::Skip {
            return false;
        }
        let instructions = self.automata().flat_map(|body| &body.instructions);
        if instructions.into_iter().any(|i| i.span == *fence) {
            self.edits.replace(fence.clone(), Layer::Statement, "noop");
            return true;
        }
        // Before a value: the comma is removed, too.
        let after = &self.text[fence.end..];
        let Some((Token::Comma, comma)) = lex(after).tokens.first().cloned() else {
            return false;
        };
        let rest = &after[comma.end..];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let span = fence.start..fence.end + comma.end + blanks;
        self.edits.replace(span, Layer::Statement, "");
        true
    }

    /// A name that is not taken.
    fn fresh(&mut self, name: &str) -> String {
        let mut fresh = name.to_owned();
        let mut number = 1;
        while !self.taken.insert(fresh.clone()) {
            number += 1;
            fresh = format!("{name}{number}");
        }
        fresh
    }

    fn automata(&self) -> impl Iterator<Item = &'a Automaton> + use<'a> {
        self.items.iter().filter_map(|item| match item {
            Item::Automaton(_, body) => Some(body),
            Item::Thread(..)
            | Item::Proc(..)
            | Item::Program(_)
            | Item::Shared(_)
            | Item::Const(_)
            | Item::Property(..)
            | Item::Stuck(..)
            | Item::Error => None,
        })
    }

    fn blocks(&self) -> impl Iterator<Item = &'a Block> + use<'a> {
        self.items.iter().filter_map(|item| match item {
            Item::Thread(_, body) | Item::Proc(_, _, body) => Some(body),
            Item::Automaton(..)
            | Item::Program(_)
            | Item::Shared(_)
            | Item::Const(_)
            | Item::Property(..)
            | Item::Stuck(..)
            | Item::Error => None,
        })
    }

    /// The statement at this span.
    fn stmt(&self, span: &Span) -> Option<&'a Stmt> {
        self.blocks()
            .find_map(|block| block.all_stmts().into_iter().find(|s| s.span == *span))
    }

    /// The fence statement at this span, and where its annotations start.
    fn annotated(&self, span: &Span) -> Option<(usize, &'a Stmt)> {
        self.blocks().find_map(|block| {
            let stmts = block.all_stmts();
            let at = stmts
                .iter()
                .position(|s| s.span == *span && matches!(s.kind, StmtKind::Fence(_)))?;
            let mut start = stmts[at].whole.start;
            for before in stmts[..at].iter().rev() {
                let StmtKind::Place(_) = before.kind else {
                    break;
                };
                start = before.whole.start;
            }
            Some((start, stmts[at]))
        })
    }
}
