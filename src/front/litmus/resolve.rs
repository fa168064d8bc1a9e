//! Resolution of a test's names: its condition and what its states show, in terms of the program.

use super::condition::{Place, Proposition, Tail};
use super::memory::parts::{self, Part};
use super::memory::{Memory, Value};
use super::types::Size;
use crate::program::{BinaryOp, Expr, Observable, RegId, ThreadId, UnaryOp};
use crate::text::{Bits, Diagnostic, LitmusTest, Quantifier, Shown, Span, shown_number};

/// The register that a name denotes.
pub(super) struct ResolvedRegister {
    pub(super) id: RegId,
    /// Its name in states.
    pub(super) name: String,
    pub(super) size: Size,
    pub(super) pointer: bool,
    /// The register that holds the upper half, if there is one.
    pub(super) high: Option<RegId>,
}

/// The parts of a value, the least significant first, and which bits of it they are. A value that is not in
/// parts is one without bits.
type Pieces = Vec<(Observable, Option<Bits>)>;

/// What a place of a tail denotes.
struct Resolved {
    pieces: Pieces,
    size: Size,
    pointer: bool,
    name: String,
}

/// What names in a tail can refer to.
pub(super) struct Scope<'s> {
    pub(super) memory: &'s Memory,
    /// The threads' numbers, in the order of their ids.
    pub(super) threads: &'s [i64],
    /// The register of a thread.
    pub(super) register: &'s mut dyn FnMut(ThreadId, &str) -> Result<ResolvedRegister, String>,
    /// Whether a region's cells hold addresses.
    pub(super) is_pointer: &'s dyn Fn(usize) -> bool,
}

/// Resolves a tail's names; `None` if some are unknown, which is reported.
pub(super) fn resolve(
    tail: &Tail,
    name: &str,
    scope: &mut Scope<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<LitmusTest> {
    let mut resolver = Resolver {
        scope,
        shown: Vec::new(),
        diagnostics,
        failed: false,
    };
    let proposition = resolver.proposition(&tail.condition);
    // Places that only the filter refers to are not shown.
    let seen = resolver.shown.len();
    let filter = tail
        .filter
        .as_ref()
        .map(|filter| resolver.proposition(filter).0);
    resolver.shown.truncate(seen);
    for (place, span) in &tail.locations {
        resolver.locations(place, span);
    }
    let (mut shown, failed) = (resolver.shown, resolver.failed);
    shown.sort_by(|a, b| (a.0, &a.1.name, a.1.part).cmp(&(b.0, &b.1.name, b.1.part)));
    shown.dedup_by(|a, b| a.1.observable == b.1.observable && a.1.name == b.1.name);
    let quantifier = match tail.quantifier {
        Quantifier::Exists => "exists",
        Quantifier::NotExists => "~exists",
        Quantifier::ForAll => "forall",
    };
    (!failed).then(|| LitmusTest {
        name: name.to_owned(),
        quantifier: tail.quantifier,
        condition: format!("{quantifier} ({})", proposition.1),
        proposition: proposition.0,
        filter,
        shown: shown.into_iter().map(|(_, shown)| shown).collect(),
    })
}

struct Resolver<'r, 's> {
    scope: &'r mut Scope<'s>,
    /// With their sort keys: threads before cells.
    shown: Vec<(usize, Shown)>,
    diagnostics: &'r mut Vec<Diagnostic>,
    failed: bool,
}

impl Resolver<'_, '_> {
    fn error(&mut self, diagnostic: Diagnostic) {
        self.failed = true;
        self.diagnostics.push(diagnostic);
    }

    /// The predicate, and its text.
    fn proposition(&mut self, proposition: &Proposition) -> (Expr<Observable>, String) {
        match proposition {
            Proposition::Constant(value) => (Expr::Const((*value).into()), value.to_string()),
            Proposition::Not(inside) => {
                let (e, text) = self.proposition(inside);
                (Expr::unary(UnaryOp::Not, e), format!("~({text})"))
            }
            Proposition::And(parts) => self.joined(parts, BinaryOp::And, " /\\ "),
            Proposition::Or(parts) => self.joined(parts, BinaryOp::Or, " \\/ "),
            Proposition::Implies(parts) => {
                let [(a, left), (b, right)] = parts.each_ref().map(|part| self.proposition(part));
                let left = match &parts[0] {
                    Proposition::Implies(_) => format!("({left})"),
                    Proposition::Constant(_)
                    | Proposition::Not(_)
                    | Proposition::And(_)
                    | Proposition::Or(_)
                    | Proposition::Atom { .. } => left,
                };
                let e = Expr::binary(BinaryOp::Or, Expr::unary(UnaryOp::Not, a), b);
                (e, format!("{left} => {right}"))
            }
            Proposition::Atom { place, span, value } => self.atom(place, span, value),
        }
    }

    fn joined(
        &mut self,
        parts: &[Proposition],
        op: BinaryOp,
        sign: &str,
    ) -> (Expr<Observable>, String) {
        let (exprs, texts): (Vec<_>, Vec<_>) = parts
            .iter()
            .map(|part| {
                let (e, text) = self.proposition(part);
                let looser = match part {
                    Proposition::Implies(_) => true,
                    Proposition::Or(_) => op == BinaryOp::And,
                    Proposition::Constant(_)
                    | Proposition::Not(_)
                    | Proposition::And(_)
                    | Proposition::Atom { .. } => false,
                };
                (e, if looser { format!("({text})") } else { text })
            })
            .unzip();
        (balanced(exprs, op), texts.join(sign))
    }

    fn atom(
        &mut self,
        place: &Place,
        span: &Span,
        value: &(Value, Span),
    ) -> (Expr<Observable>, String) {
        let nothing = (Expr::Const(0), String::new());
        let Some(resolved) = self.place(place, span) else {
            return nothing;
        };
        let Resolved {
            pieces,
            size,
            pointer,
            name,
        } = resolved;
        let meant = match (&value.0, pointer) {
            (Value::Number(number), true) if *number != 0 => Err(format!(
                "`{name}` holds addresses, but {number} is a number"
            )),
            (Value::Address(cell), false) => Err(format!(
                "`{name}` holds numbers, but `{cell}` is an address"
            )),
            (value, _) => self.equal(&pieces, value, size),
        };
        match meant {
            Ok((e, meant)) => {
                let written = match &value.0 {
                    // As states show it, where 4294967295 is -1.
                    Value::Number(_) => meant.to_string(),
                    Value::Address(cell) => cell.clone(),
                };
                (e, format!("{name}={written}"))
            }
            Err(message) => {
                self.error(Diagnostic::error(message, value.1.clone()));
                nothing
            }
        }
    }

    /// Whether these are the parts of this value, and the value as states show it.
    fn equal(
        &self,
        pieces: &Pieces,
        value: &Value,
        size: Size,
    ) -> Result<(Expr<Observable>, i64), String> {
        let equal = |observable, meant| {
            Expr::binary(BinaryOp::Eq, Expr::Var(observable), Expr::Const(meant))
        };
        let count = pieces.last().and_then(|(_, bits)| *bits);
        let (Some(last), Value::Number(number)) = (count, value) else {
            let meant = self.scope.memory.value(value, size)?;
            let parts = pieces
                .iter()
                .map(|(observable, _)| equal(*observable, meant));
            return Ok((balanced(parts.collect(), BinaryOp::And), meant.into()));
        };
        let count = last.first + last.count;
        let whole = parts::bits(*number, count / 8)?;
        let parts = pieces.iter().filter_map(|(observable, bits)| {
            let bits = (*bits)?;
            let meant = parts::part(whole, bits.first / 8, bits.count / 8);
            Some(equal(*observable, meant))
        });
        let e = balanced(parts.collect(), BinaryOp::And);
        Ok((e, shown_number(whole, count)))
    }

    fn locations(&mut self, place: &Place, span: &Span) {
        let array = match place {
            Place::Cell { name, index: None } => self
                .scope
                .memory
                .find(name)
                .map(|region| self.scope.memory.region(region))
                .filter(|region| region.array)
                .map(|region| (name.clone(), region.init.len())),
            Place::Cell { .. } | Place::Register { .. } => None,
        };
        let Some((name, len)) = array else {
            self.place(place, span);
            return;
        };
        for at in 0..len {
            let index = Some(at as i64);
            self.place(
                &Place::Cell {
                    name: name.clone(),
                    index,
                },
                span,
            );
        }
    }

    /// What a place denotes, which is added to what is shown.
    fn place(&mut self, place: &Place, span: &Span) -> Option<Resolved> {
        match place {
            Place::Register { thread, name } => {
                let at = self
                    .scope
                    .threads
                    .iter()
                    .position(|number| number == thread);
                let Some(at) = at else {
                    let message = format!("there is no thread `P{thread}`");
                    self.error(Diagnostic::error(message, span.clone()));
                    return None;
                };
                let found = match (self.scope.register)(at.into(), name) {
                    Ok(found) => found,
                    Err(message) => {
                        self.error(Diagnostic::error(message, span.clone()));
                        return None;
                    }
                };
                let observable = Observable::Register(at.into(), found.id);
                let name = format!("{thread}:{}", found.name);
                let pieces = match found.high {
                    None => vec![(observable, None)],
                    Some(high) => [observable, Observable::Register(at.into(), high)]
                        .into_iter()
                        .zip([0, 32])
                        .map(|(half, first)| (half, Some(Bits { first, count: 32 })))
                        .collect(),
                };
                let resolved = Resolved {
                    pieces,
                    size: found.size,
                    pointer: found.pointer,
                    name,
                };
                Some(self.show(at, resolved))
            }
            Place::Cell { name, index } => {
                let memory = self.scope.memory;
                let region = memory.find(name)?;
                let cells = memory.region(region);
                let offset = match index {
                    None if cells.array => {
                        Err(format!("`{name}` is an array: name one of its elements"))
                    }
                    None => Ok(0),
                    Some(_) if !cells.array => Err(format!("`{name}` is not an array")),
                    Some(index) => usize::try_from(*index)
                        .ok()
                        .filter(|&index| index < cells.init.len())
                        .ok_or_else(|| {
                            format!(
                                "index out of bounds: `{name}` has {} elements",
                                cells.init.len()
                            )
                        }),
                };
                let offset = match offset {
                    Ok(offset) => offset,
                    Err(message) => {
                        self.error(Diagnostic::error(message, span.clone()));
                        return None;
                    }
                };
                if !cells.used {
                    let mut warning = Diagnostic::warning(
                        format!(
                            "no thread uses the variable `{name}`, and it has no initial value"
                        ),
                        span.clone(),
                    )
                    .label("always 0");
                    if let Some(near) = memory.nearest(name).filter(|near| near != name) {
                        warning = warning.note(format!("did you mean `{near}`?"));
                    }
                    self.diagnostics.push(warning);
                }
                let pieces = pieces(memory, region, offset);
                let pointer = (self.scope.is_pointer)(region);
                let shown = match index {
                    Some(index) => format!("{name}[{index}]"),
                    None => format!("[{name}]"),
                };
                let resolved = Resolved {
                    pieces,
                    size: memory.size(region),
                    pointer,
                    name: shown,
                };
                Some(self.show(usize::MAX, resolved))
            }
        }
    }

    fn show(&mut self, thread: usize, resolved: Resolved) -> Resolved {
        for &(observable, part) in &resolved.pieces {
            let shown = Shown {
                name: resolved.name.clone(),
                observable,
                pointer: resolved.pointer,
                part,
            };
            self.shown.push((thread, shown));
        }
        resolved
    }
}

/// The cells of a region's element.
fn pieces(memory: &Memory, region: usize, element: usize) -> Pieces {
    if !memory.is_cut() {
        let mut addr = memory.address(region);
        addr.0 += element as i32;
        return vec![(Observable::Cell(addr), None)];
    }
    let bytes = memory.element_bytes(region);
    let first = element as u32 * bytes;
    let parts = memory.parts(region, first, bytes);
    let is_whole = parts.len() == 1;
    let piece = |part: &Part| {
        let bits = Bits {
            first: 8 * (part.offset - first),
            count: 8 * part.bytes,
        };
        let cell = Observable::Cell(part.cell);
        (cell, (!(is_whole && part.bytes > 4)).then_some(bits))
    };
    parts.iter().map(piece).collect()
}

/// All of them joined, nested no deeper than needed.
fn balanced(mut parts: Vec<Expr<Observable>>, op: BinaryOp) -> Expr<Observable> {
    while parts.len() > 1 {
        let mut halved = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some(first) = rest.next() {
            halved.push(match rest.next() {
                Some(second) => Expr::binary(op, first, second),
                None => first,
            });
        }
        parts = halved;
    }
    parts.pop().unwrap_or(Expr::Const(1))
}
