//! The goals of a search, and what exchanges map them to.
//!
//! Two predicates are the same here if they are equal up to the order of the operands of `&&`, `||` and
//! other commutative operators.

use super::Exchange;
use crate::program::{
    Addr, BinaryOp, Expr, Goal, Observable, Program, PropertyKind, Site, ThreadId,
};
use ahash::AHashMap;

/// Goals in ascending order, each with the first of those that it is mapped to; all other goals are
/// mapped to themselves. On first goals this is its own inverse.
pub type Images = Vec<(usize, usize)>;

/// The goals of a search, so that they can be found again after an exchange of threads.
pub struct Goals<'p> {
    program: &'p Program,
    /// The goals.
    pub list: &'p [Goal],
    /// By goal: the first goal that is the same.
    pub firsts: Vec<usize>,
    numbers: AHashMap<Key, usize>,
    /// The goals that mention a thread or cell.
    mentions: AHashMap<Name, Vec<usize>>,
}

/// What threads and cells are called instead.
trait Rename {
    fn thread(&mut self, thread: ThreadId) -> ThreadId;
    fn cell(&mut self, cell: Addr) -> Addr;
}

impl Rename for &Exchange {
    fn thread(&mut self, thread: ThreadId) -> ThreadId {
        Exchange::thread(self, thread)
    }

    fn cell(&mut self, cell: Addr) -> Addr {
        Exchange::cell(self, cell)
    }
}

/// Renames nothing, and notes what a goal mentions.
struct Mentions<'m> {
    goal: usize,
    mentions: &'m mut AHashMap<Name, Vec<usize>>,
}

impl Mentions<'_> {
    fn note(&mut self, name: Name) {
        let mentions = self.mentions.entry(name).or_default();
        if mentions.last() != Some(&self.goal) {
            mentions.push(self.goal);
        }
    }
}

impl Rename for Mentions<'_> {
    fn thread(&mut self, thread: ThreadId) -> ThreadId {
        self.note(Name::Thread(thread));
        thread
    }

    fn cell(&mut self, cell: Addr) -> Addr {
        self.note(Name::Cell(cell));
        cell
    }
}

/// A thread or cell that a goal mentions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Name {
    Thread(ThreadId),
    Cell(Addr),
}

impl<'p> Goals<'p> {
    /// Prepares these goals of a program.
    pub fn new(program: &'p Program, goals: &'p [Goal]) -> Self {
        let mut firsts = Vec::new();
        let mut numbers = AHashMap::new();
        let mut mentions: AHashMap<Name, Vec<usize>> = AHashMap::new();
        for (number, &goal) in goals.iter().enumerate() {
            let mut mentions = Mentions {
                goal: number,
                mentions: &mut mentions,
            };
            let key = Key::of(program, goal, &mut mentions);
            firsts.push(*numbers.entry(key).or_insert(number));
        }
        Self {
            program,
            list: goals,
            firsts,
            numbers,
            mentions,
        }
    }

    /// What the exchange maps goals to; `None` if it maps some goal to none of the goals.
    pub fn images(&self, exchange: &Exchange) -> Option<Images> {
        let image = |number: usize| {
            let mut rename = exchange;
            let key = Key::of(self.program, self.list[number], &mut rename);
            Some((number, *self.numbers.get(&key)?))
        };
        let (a, b) = exchange.threads;
        let threads = [a, b].map(Name::Thread);
        let cells = exchange.cells.iter();
        let cells = cells.flat_map(|&(a, b)| [a, b].map(Name::Cell));
        let mentions = threads.into_iter().chain(cells);
        let mut moved: Vec<usize> = mentions
            .filter_map(|name| self.mentions.get(&name))
            .flatten()
            .copied()
            .collect();
        moved.sort_unstable();
        moved.dedup();
        moved.into_iter().map(image).collect()
    }
}

/// What makes two goals the same.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Assert(Site),
    Outside(Site),
    Property(PropertyKind, Vec<i64>),
}

impl Key {
    /// The key of a goal with its threads and cells renamed.
    fn of(program: &Program, goal: Goal, rename: &mut impl Rename) -> Self {
        let mut site = |site: Site| Site {
            thread: rename.thread(site.thread),
            ..site
        };
        match goal {
            Goal::Assert(at) => Key::Assert(site(at)),
            Goal::Outside(at) => Key::Outside(site(at)),
            Goal::Property(number) => {
                let property = &program.properties()[number];
                let kind = match property.kind {
                    PropertyKind::Starved(thread) => PropertyKind::Starved(rename.thread(thread)),
                    kind @ (PropertyKind::Forbid
                    | PropertyKind::FinalAssert
                    | PropertyKind::Exists
                    | PropertyKind::Stuck) => kind,
                };
                Key::Property(kind, normal_form(&property.predicate, rename))
            }
        }
    }
}

/// A predicate in prefix notation, with the operands of commutative operators sorted.
fn normal_form(e: &Expr<Observable>, rename: &mut impl Rename) -> Vec<i64> {
    let id = |index: usize| index as i64;
    match e {
        Expr::Const(value) => vec![0, i64::from(*value)],
        Expr::Var(Observable::Register(thread, reg)) => {
            vec![1, id(rename.thread(*thread).index()), id(reg.index())]
        }
        Expr::Var(Observable::At(thread, loc)) => {
            vec![2, id(rename.thread(*thread).index()), id(loc.index())]
        }
        Expr::Var(Observable::Cell(addr)) => vec![3, i64::from(rename.cell(*addr).0)],
        Expr::Unary(op, e) => [vec![4, *op as i64], normal_form(e, rename)].concat(),
        Expr::Binary(op, a, b) => {
            let mut operands = Vec::new();
            match order(*op) {
                Order::Free => {
                    // From left to right, without recursion along the left side.
                    let mut work = vec![&**b, &**a];
                    while let Some(e) = work.pop() {
                        match e {
                            Expr::Binary(inner, a, b) if inner == op => work.extend([&**b, &**a]),
                            Expr::Binary(..)
                            | Expr::Const(_)
                            | Expr::Var(_)
                            | Expr::Unary(..)
                            | Expr::Conditional(_) => operands.push(normal_form(e, rename)),
                        }
                    }
                    operands.sort();
                }
                Order::Swapped => {
                    operands.extend([normal_form(a, rename), normal_form(b, rename)]);
                    operands.sort();
                }
                Order::Fixed => {
                    operands.extend([normal_form(a, rename), normal_form(b, rename)]);
                }
            }
            let head = vec![5, *op as i64, id(operands.len())];
            [head, operands.concat()].concat()
        }
        Expr::Conditional(parts) => {
            let mut form = vec![6];
            for part in &**parts {
                form.extend(normal_form(part, rename));
            }
            form
        }
    }
}

/// How the operands of an operator may be rearranged.
enum Order {
    /// In any way, those of nested operators of the same kind included.
    Free,
    /// The two may be exchanged.
    Swapped,
    Fixed,
}

fn order(op: BinaryOp) -> Order {
    match op {
        // `&&` and `||` give 0 or 1, so nesting does not matter.
        BinaryOp::Or
        | BinaryOp::And
        | BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::BitAnd
        | BinaryOp::Add
        | BinaryOp::Mul => Order::Free,
        BinaryOp::Eq | BinaryOp::Ne => Order::Swapped,
        BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::Sub
        | BinaryOp::Div
        | BinaryOp::Rem => Order::Fixed,
    }
}
