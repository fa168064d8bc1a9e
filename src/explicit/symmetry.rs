//! Identical threads: configurations that differ only in which of them is where are the same.
//!
//! Threads are identical if their automata and initial registers are equal, except for names and
//! positions in the text. Exchanging two of them maps computations to computations. If it also maps
//! the goals of a search to goals of the search, it is a *symmetry*, and the search may store one
//! configuration for all that symmetries map to each other: the one in which the local parts of the
//! threads of each class (location, registers, buffer) are sorted. That is up to n! fewer for n
//! threads [Ip, Dill 1996].
//!
//! A *class* is a largest set of threads of which any two may be exchanged. Symmetries can be
//! composed, and `(a c) = (a b)(b c)(a b)`, so "may be exchanged" is an equivalence, and every
//! permutation of a class is a symmetry.
//!
//! Goals that symmetries map to each other form an *orbit*. If one is reached, all are, by the same
//! computation with its threads exchanged. Two predicates are the same here if they are equal up to
//! the order of the operands of `&&`, `||` and other commutative operators. If a goal has no
//! counterpart for some thread, that thread is in another class.
//!
//! Evidence is composed along the path of the search. Its steps refer to the threads of sorted
//! configurations; [`Names`] keeps track of which thread of the computation each of them is.
//!
//! The other reductions are unaffected: what they skip depends on a thread's automaton and on what
//! the goals observe of it, and both are alike in a class. Their arguments are about the length of a
//! computation and the numbers of local steps in a row, which no exchange of threads changes.
//!
//! **Absent.** Threads that are identical only up to the cells that they access, such as `x[i]` of
//! thread `i`.

use super::Step;
use super::buffer::Buffer;
use super::machine::{Config, Machine};
use crate::program::{
    BinaryOp, Expr, Goal, LocId, Observable, Program, PropertyKind, Site, ThreadId,
};
use ahash::AHashMap;
use std::ops::Range;

/// The symmetries of a program with the goals of a search.
pub(super) struct Symmetry {
    /// Sets of at least two threads, disjoint and ascending.
    classes: Vec<Vec<ThreadId>>,
    /// By thread: its registers, as indices into [`Config::registers`].
    registers: Vec<Range<usize>>,
    /// The exchanges that all others are composed of: of neighbours in a class, class by class.
    exchanges: Vec<(ThreadId, ThreadId)>,
    /// By exchange: what it maps goals to.
    images: Vec<Images>,
    /// By goal: the first goal that is the same.
    firsts: Vec<usize>,
    /// By goal: the first goal of its orbit.
    orbits: Vec<usize>,
}

/// Goals in ascending order, each with the first of those that it is mapped to; all other goals are
/// mapped to themselves. On first goals this is its own inverse.
type Images = Vec<(usize, usize)>;

impl Symmetry {
    /// The symmetries of the machine's program with these goals.
    pub(super) fn new(machine: &Machine<'_>, goals: &[Goal]) -> Self {
        let program = machine.program;
        let goals = Goals::new(program, goals);
        let mut classes: Vec<Vec<ThreadId>> = Vec::new();
        for thread in program.thread_ids() {
            let class = classes.iter_mut().find(|class| {
                let first = class[0];
                let (a, b) = (program.thread(first), program.thread(thread));
                a.copies() == b.copies()
                    && a.runs_like(b)
                    && goals.images((first, thread)).is_some()
            });
            match class {
                Some(class) => class.push(thread),
                None => classes.push(vec![thread]),
            }
        }
        classes.retain(|class| class.len() > 1);
        let mut symmetry = Self {
            classes,
            firsts: goals.firsts.clone(),
            orbits: goals.firsts.clone(),
            ..Self::none(machine, goals.list.len())
        };
        for class in &symmetry.classes {
            for pair in class.windows(2) {
                let exchange = (pair[0], pair[1]);
                let images = goals.images(exchange);
                debug_assert!(images.is_some(), "exchanges are not an equivalence");
                symmetry.exchanges.push(exchange);
                symmetry.images.push(images.unwrap_or_default());
            }
        }
        symmetry.find_orbits();
        symmetry
    }

    /// No symmetry, for a search for this number of goals.
    pub(super) fn none(machine: &Machine<'_>, goals: usize) -> Self {
        let threads = machine.program.thread_ids();
        Self {
            classes: Vec::new(),
            registers: threads.map(|thread| machine.slots(thread)).collect(),
            exchanges: Vec::new(),
            images: Vec::new(),
            firsts: (0..goals).collect(),
            orbits: (0..goals).collect(),
        }
    }

    /// Replaces the configuration by the one that is stored for it, and returns whether that is
    /// another one. Calls `exchanged` for each exchange made, in order, with its index.
    pub(super) fn sort(&self, config: &mut Config, mut exchanged: impl FnMut(usize)) -> bool {
        let mut any = false;
        // Little has changed since the last time: insertion sort makes few comparisons.
        let mut before = 0;
        for class in &self.classes {
            for end in 1..class.len() {
                let mut at = end;
                while at > 0 && self.local(config, class[at]) < self.local(config, class[at - 1]) {
                    self.exchange(config, class[at - 1], class[at]);
                    exchanged(before + at - 1);
                    any = true;
                    at -= 1;
                }
            }
            before += class.len() - 1;
        }
        any
    }

    /// The goals that are reached if this one is, by index: its orbit.
    pub(super) fn orbit(&self, goal: usize) -> impl Iterator<Item = usize> + use<'_> {
        let first = self.orbits[goal];
        let orbits = self.orbits.iter().enumerate();
        orbits
            .filter(move |&(_, &other)| other == first)
            .map(|(goal, _)| goal)
    }

    /// Marks what a thread has executed for all threads of its class.
    pub(super) fn share(&self, executed: &mut [Vec<bool>]) {
        for class in &self.classes {
            for instr in 0..executed[class[0].index()].len() {
                let any = class.iter().any(|thread| executed[thread.index()][instr]);
                for thread in class {
                    executed[thread.index()][instr] = any;
                }
            }
        }
    }

    /// Exchanges the threads of a computation that reaches one goal, so that it reaches another of
    /// the same orbit.
    pub(super) fn redirect(&self, steps: &mut [Step], reached: usize, wanted: usize) {
        let (reached, wanted) = (self.firsts[reached], self.firsts[wanted]);
        // Breadth first over the orbit: for each goal found, the exchange that leads to it.
        let mut from: Vec<Option<usize>> = vec![None; self.orbits.len()];
        let mut found = vec![reached];
        let mut next = 0;
        while let Some(&goal) = found.get(next) {
            next += 1;
            for exchange in 0..self.images.len() {
                let image = self.image(exchange, goal);
                if image != reached && from[image].is_none() {
                    from[image] = Some(exchange);
                    found.push(image);
                }
            }
        }
        let mut path = Vec::new();
        let mut goal = wanted;
        while goal != reached {
            let Some(exchange) = from[goal] else {
                debug_assert!(false, "the goals are not in one orbit");
                return;
            };
            path.push(self.exchanges[exchange]);
            goal = self.image(exchange, goal);
        }
        for step in steps {
            for &exchange in path.iter().rev() {
                *step = renamed(*step, |thread| swapped(exchange, thread));
            }
        }
    }

    fn find_orbits(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for images in &self.images {
                for &(goal, image) in images {
                    let first = self.orbits[goal].min(self.orbits[image]);
                    changed |= self.orbits[goal] != first || self.orbits[image] != first;
                    self.orbits[goal] = first;
                    self.orbits[image] = first;
                }
            }
        }
    }

    fn image(&self, exchange: usize, goal: usize) -> usize {
        let images = &self.images[exchange];
        let found = images.binary_search_by_key(&goal, |&(goal, _)| goal);
        found.map_or(goal, |index| images[index].1)
    }

    /// What sorting compares.
    fn local<'c>(&self, config: &'c Config, thread: ThreadId) -> (LocId, &'c [i32], &'c Buffer) {
        let t = thread.index();
        let registers = &config.registers[self.registers[t].clone()];
        (config.locations[t], registers, &config.buffers[t])
    }

    fn exchange(&self, config: &mut Config, a: ThreadId, b: ThreadId) {
        config.locations.swap(a.index(), b.index());
        config.buffers.swap(a.index(), b.index());
        let [a, b] = [a, b].map(|thread| self.registers[thread.index()].clone());
        for (a, b) in a.zip(b) {
            config.registers.swap(a, b);
        }
    }
}

/// Which thread of a computation each thread of a configuration of the search is.
pub(super) struct Names<'s> {
    symmetry: &'s Symmetry,
    threads: Vec<ThreadId>,
    /// The exchanges made so far.
    made: Vec<usize>,
}

impl<'s> Names<'s> {
    /// The names in the first configuration.
    pub(super) fn new(symmetry: &'s Symmetry) -> Self {
        let threads = 0..symmetry.registers.len();
        Self {
            symmetry,
            threads: threads.map(ThreadId::from).collect(),
            made: Vec::new(),
        }
    }

    /// [`Symmetry::sort`], after which the names are those of the sorted configuration.
    pub(super) fn sort(&mut self, config: &mut Config) {
        let Self {
            symmetry,
            threads,
            made,
        } = self;
        symmetry.sort(config, |exchange| {
            let (a, b) = symmetry.exchanges[exchange];
            threads.swap(a.index(), b.index());
            made.push(exchange);
        });
    }

    /// A step of the search as a step of the computation.
    pub(super) fn step(&self, step: Step) -> Step {
        renamed(step, |thread| self.threads[thread.index()])
    }

    /// The goal that the computation reaches if the search reaches this one.
    pub(super) fn goal(&self, goal: usize) -> usize {
        // The last exchange maps the threads here to those before it, and so on.
        let made = self.made.iter().rev();
        made.fold(goal, |goal, &exchange| self.symmetry.image(exchange, goal))
    }
}

/// The goals of a search, so that they can be found again after an exchange of threads.
struct Goals<'p> {
    program: &'p Program,
    list: &'p [Goal],
    /// By goal: the first goal that is the same.
    firsts: Vec<usize>,
    numbers: AHashMap<Key, usize>,
    /// By thread: the goals that mention it.
    mentions: Vec<Vec<usize>>,
}

impl<'p> Goals<'p> {
    fn new(program: &'p Program, goals: &'p [Goal]) -> Self {
        let mut firsts = Vec::new();
        let mut numbers = AHashMap::new();
        let mut mentions = vec![Vec::new(); program.threads().len()];
        for (number, &goal) in goals.iter().enumerate() {
            let key = Key::of(program, goal, &mut |thread| {
                let mentions: &mut Vec<usize> = &mut mentions[thread.index()];
                if mentions.last() != Some(&number) {
                    mentions.push(number);
                }
                thread
            });
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
    fn images(&self, exchange: (ThreadId, ThreadId)) -> Option<Images> {
        let image = |number: usize| {
            let key = Key::of(self.program, self.list[number], &mut |thread| {
                swapped(exchange, thread)
            });
            Some((number, *self.numbers.get(&key)?))
        };
        let (a, b) = exchange;
        let mut moved = [a, b].map(|t| self.mentions[t.index()].as_slice()).concat();
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
    /// The key of a goal with its threads renamed.
    fn of(program: &Program, goal: Goal, rename: &mut impl FnMut(ThreadId) -> ThreadId) -> Self {
        let mut site = |site: Site| Site {
            thread: rename(site.thread),
            ..site
        };
        match goal {
            Goal::Assert(at) => Key::Assert(site(at)),
            Goal::Outside(at) => Key::Outside(site(at)),
            Goal::Property(number) => {
                let property = &program.properties()[number];
                let kind = match property.kind {
                    PropertyKind::Starved(thread) => PropertyKind::Starved(rename(thread)),
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
fn normal_form(e: &Expr<Observable>, rename: &mut impl FnMut(ThreadId) -> ThreadId) -> Vec<i64> {
    let id = |index: usize| index as i64;
    match e {
        Expr::Const(value) => vec![0, i64::from(*value)],
        Expr::Var(Observable::Register(thread, reg)) => {
            vec![1, id(rename(*thread).index()), id(reg.index())]
        }
        Expr::Var(Observable::At(thread, loc)) => {
            vec![2, id(rename(*thread).index()), id(loc.index())]
        }
        Expr::Var(Observable::Cell(addr)) => vec![3, i64::from(addr.0)],
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

fn swapped((a, b): (ThreadId, ThreadId), thread: ThreadId) -> ThreadId {
    if thread == a {
        b
    } else if thread == b {
        a
    } else {
        thread
    }
}

/// A step with its thread renamed.
pub(crate) fn renamed(mut step: Step, name: impl Fn(ThreadId) -> ThreadId) -> Step {
    let (Step::Execute { thread, .. }
    | Step::Advance { thread, .. }
    | Step::Flush { thread, .. }
    | Step::Retire { thread }) = &mut step;
    *thread = name(*thread);
    step
}
