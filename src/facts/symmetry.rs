//! Threads that are alike: what may be exchanged in a program without changing what it can do.
//!
//! Threads are identical if their automata and initial registers are equal, except for names and
//! positions in the text. Exchanging two of them maps computations to computations. If it also maps
//! some goals to goals among them, it is a *symmetry* of the program with these goals [Ip, Dill 1996].
//!
//! A *class* is a largest set of threads of which any two may be exchanged. Symmetries can be
//! composed, and `(a c) = (a b)(b c)(a b)`, so "may be exchanged" is an equivalence, and every
//! permutation of a class is a symmetry.
//!
//! **What belongs to a thread.** Threads of a queue lock differ in the node that each brings along, and in
//! nothing else. They may be exchanged if their nodes are exchanged, too: the contents of the cells, and every
//! value that refers to one of the two, wherever it is.
//!
//! A *kind* is a set of registers and cells between which values are only copied and
//! compared for equality, together with the constants that get there, and what is computed from those of
//! another kind as `factor * value + offset`, with numbers that all threads share: addresses that are
//! kept, for example. A constant in which the threads of the class differ *belongs* to the thread that it
//! is written in. The values of different threads must be different, and different from the constants that
//! all threads share, such as a null pointer. Exchanging threads `a` and `b` then exchanges, in everything
//! of a kind, each value of `a` with the value of `b` that is written at the same place.
//!
//! A cell belongs to a thread if its address does, as a constant or because it is computed
//! from a value of a kind in the same way. The addresses that such a computation can give are those of
//! the constants of the kind, because nothing else is ever in it.
//!
//! **Why this is a symmetry.** Each instruction of one thread, on exchanged registers and memory, does
//! what the same instruction of the other does on the original ones, exchanged: a copy and an equality
//! of values of one kind commute with any one-to-one map of values; a computation from one kind to another
//! commutes because what it gives for the values of the owners belongs to the same owners, at the same
//! places, and what it gives for the others to no owner; an address commutes because cells and values are
//! exchanged alike; all other operators work on values that no exchange changes. A register that is not
//! read again may have any value, so its value is not exchanged, and does not matter.
//!
//! **Absent.** Rings, and other sets of threads that only some permutations map to themselves: threads that
//! know their neighbours. Values that are computed from those of a kind in another way and kept, such as the
//! sum of two.

mod alike;
mod goals;
mod kinds;

pub use goals::{Goals, Images};
pub use kinds::Kinds;

use super::liveness::Liveness;
use crate::program::{Addr, Expr, Goal, Observable, Program, RegId, Thread, ThreadId};
use ahash::AHashMap;
use alike::are_alike;
use std::ops::Range;

/// More threads than this are a class only if they are identical: to sort others takes time that grows with
/// all that belongs to the class.
pub const MOST_OWNERS: usize = 16;

/// At least two threads of which any two may be exchanged. Classes are disjoint.
pub struct Class {
    /// Ascending.
    pub threads: Vec<ThreadId>,
    /// What is exchanged with them; `None` if they are identical.
    pub kinds: Option<Kinds>,
}

/// An exchange of two threads, and of what belongs to them.
pub struct Exchange {
    /// The threads.
    pub threads: (ThreadId, ThreadId),
    /// Cells of the one with those of the other.
    pub cells: Vec<(Addr, Addr)>,
}

impl Exchange {
    /// An exchange of two threads of a class, given by their indices in it.
    pub fn new(class: &Class, (a, b): (usize, usize)) -> Self {
        let pairs = class.kinds.as_ref().map_or_else(Vec::new, |kinds| {
            let pairs = kinds.cells[a].iter().zip(&kinds.cells[b]);
            pairs.map(|(&a, &b)| (a, b)).collect()
        });
        Self {
            threads: (class.threads[a], class.threads[b]),
            cells: pairs,
        }
    }

    /// What a thread becomes.
    pub fn thread(&self, thread: ThreadId) -> ThreadId {
        let (a, b) = self.threads;
        if thread == a {
            b
        } else if thread == b {
            a
        } else {
            thread
        }
    }

    /// What a cell becomes.
    pub fn cell(&self, cell: Addr) -> Addr {
        let mut pairs = self.cells.iter();
        let found = pairs.find_map(|&(a, b)| match cell {
            cell if cell == a => Some(b),
            cell if cell == b => Some(a),
            _ => None,
        });
        found.unwrap_or(cell)
    }
}

/// The registers of all threads, numbered thread by thread.
pub struct Slots {
    /// By thread, and one more: how many registers come before its own.
    starts: Vec<usize>,
}

impl Slots {
    /// Those of this program.
    pub fn of(program: &Program) -> Self {
        let mut starts = vec![0];
        for thread in program.threads() {
            let before = starts[starts.len() - 1];
            starts.push(before + thread.registers().len());
        }
        Self { starts }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// The number of a register.
    pub fn slot(&self, thread: ThreadId, reg: RegId) -> usize {
        self.starts[thread.index()] + reg.index()
    }

    /// The numbers of a thread's registers.
    pub fn of_thread(&self, thread: ThreadId) -> Range<usize> {
        self.starts[thread.index()]..self.starts[thread.index() + 1]
    }
}

/// The classes of a program with these goals.
pub fn classes(program: &Program, known: &Goals<'_>) -> Vec<Class> {
    let mut groups: Vec<Vec<ThreadId>> = Vec::new();
    for thread in program.thread_ids() {
        let alike = |other| are_alike(program.thread(other), program.thread(thread));
        match groups.iter_mut().find(|group| alike(group[0])) {
            Some(group) => group.push(thread),
            None => groups.push(vec![thread]),
        }
    }
    let classes = groups
        .iter()
        .flat_map(|group| match of_owners(program, group, known) {
            Some(class) => vec![class],
            None => of_identical(program, group, known),
        });
    classes.collect()
}

/// These threads, if they differ only in what belongs to each of them.
fn of_owners(program: &Program, threads: &[ThreadId], known: &Goals<'_>) -> Option<Class> {
    let first = program.thread(threads[0]);
    let is_first = |&thread: &ThreadId| first.runs_like(program.thread(thread));
    if threads.iter().all(is_first) || threads.len() > MOST_OWNERS {
        return None;
    }
    let observed: Vec<Observable> = known
        .list
        .iter()
        .filter_map(|&goal| match goal {
            Goal::Property(number) => Some(&program.properties()[number].predicate),
            Goal::Assert(_) | Goal::Outside(_) => None,
        })
        .flat_map(Expr::vars)
        .collect();
    let kinds = kinds::find(program, threads, &observed, &dead(program, known.list)).ok()?;
    let class = Class {
        threads: threads.to_vec(),
        kinds: Some(kinds),
    };
    let mut exchanges = (1..threads.len()).map(|other| Exchange::new(&class, (0, other)));
    let allowed = exchanges.all(|exchange| known.images(&exchange).is_some());
    allowed.then_some(class)
}

/// By thread and location: the registers whose values do not matter, whatever assertions are goals.
pub fn dead(program: &Program, goals: &[Goal]) -> Vec<Vec<Vec<RegId>>> {
    let live = Liveness::for_properties(program, goals);
    let of_thread = |(id, thread): (ThreadId, &Thread)| {
        let at = |loc: usize| {
            let live = live.at(id, loc.into());
            let all = (0..thread.registers().len()).map(RegId::from);
            all.filter(|reg| live.binary_search(reg).is_err()).collect()
        };
        (0..thread.locations().len()).map(at).collect()
    };
    let threads = program.thread_ids().zip(program.threads());
    threads.map(of_thread).collect()
}

/// The classes of identical threads among these.
fn of_identical(program: &Program, threads: &[ThreadId], known: &Goals<'_>) -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::new();
    let mut by_code: AHashMap<u64, Vec<usize>> = AHashMap::new();
    for &thread in threads {
        let same_code = by_code.entry(program.thread(thread).code()).or_default();
        let class = same_code.iter().copied().find(|&number| {
            let first = classes[number].threads[0];
            let exchange = Exchange {
                threads: (first, thread),
                cells: Vec::new(),
            };
            program.thread(first).runs_like(program.thread(thread))
                && known.images(&exchange).is_some()
        });
        if let Some(number) = class {
            classes[number].threads.push(thread);
        } else {
            same_code.push(classes.len());
            classes.push(Class {
                threads: vec![thread],
                kinds: None,
            });
        }
    }
    classes.retain(|class| class.threads.len() > 1);
    classes
}

/// Threads that may be exchanged, whatever is asked about the program's executions.
pub struct Twins(Vec<Class>);

impl Twins {
    /// Those of this program.
    pub fn of(program: &Program) -> Self {
        Self(classes(program, &Goals::new(program, &[])))
    }

    /// The threads that may be exchanged with this one, and itself, ascending; none if it has no twin.
    pub fn of_thread(&self, thread: ThreadId) -> &[ThreadId] {
        let mut classes = self.0.iter().map(|class| &class.threads);
        classes
            .find(|threads| threads.contains(&thread))
            .map_or(&[], Vec::as_slice)
    }

    /// The exchange of two threads; `None` if they are no twins.
    pub fn exchange(&self, a: ThreadId, b: ThreadId) -> Option<Exchange> {
        self.0.iter().find_map(|class| {
            let index = |thread| class.threads.iter().position(|&other| other == thread);
            Some(Exchange::new(class, (index(a)?, index(b)?)))
        })
    }
}
