//! Families of programs with one size parameter, and what is known about all of their members.
//!
//! ```text
//! locks        mutual exclusion: locks of hardware and of textbooks
//! structures   queues, stacks, sequence locks: data handed from thread to thread
//! data         wide values, counters, arrays with computed indices
//! long         long threads: straight lines, loops and branches
//! many         many small threads
//! ```
//!
//! Every mode of the bench chooses from this one table, by name. The programs are written in Fencepost's
//! own language, so that a member can be printed, saved and checked on the command line. A member
//! contains its expectations, like a corpus file.
//!
//! **Invariant.** What is known holds for every size from the smallest listed one, and is known by
//! reasoning about the algorithm: a benchmark of wrong answers would be meaningless.

#[path = "families/data.rs"]
mod data;
#[path = "families/locks.rs"]
mod locks;
#[path = "families/long.rs"]
mod long;
#[path = "families/many.rs"]
mod many;
#[path = "families/structures.rs"]
mod structures;

use fencepost::internals::model::Model;

/// Whether a program has the fences that repair it under TSO.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fences {
    Absent,
    Present,
}

impl Fences {
    fn text(self) -> &'static str {
        match self {
            Fences::Absent => "",
            Fences::Present => "fence;",
        }
    }
}

/// Whether a thread enters once or repeatedly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rounds {
    Once,
    Forever,
}

impl Rounds {
    fn around(self, body: &str) -> String {
        match self {
            Rounds::Once => body.to_owned(),
            Rounds::Forever => format!("loop {{\n{body}}}\n"),
        }
    }
}

/// Whether the goals of the members are reachable, and whether the members are robust under TSO.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    /// Unreachable under SC and TSO, and robust.
    Robust,
    /// Unreachable under SC and TSO. Whether the members are robust is left open.
    Safe,
    /// Unreachable under SC and TSO, and not robust.
    SafeNotRobust,
    /// Unreachable under SC, reachable under TSO, and so not robust.
    Weak,
    /// Reachable under SC, and so under every model.
    Wrong,
}

impl Known {
    /// Whether a goal is reachable under a model, if that is known.
    pub(crate) fn violated(self, model: Model) -> Option<bool> {
        match self {
            Known::Wrong => Some(true),
            Known::Weak => match model {
                Model::Sc => Some(false),
                Model::Tso | Model::Pso => Some(true),
                Model::Pgas => None,
            },
            Known::Robust | Known::Safe | Known::SafeNotRobust => match model {
                Model::Sc | Model::Tso => Some(false),
                Model::Pso | Model::Pgas => None,
            },
        }
    }

    /// Whether the members are robust under TSO, if that is known.
    pub(crate) fn robust(self) -> Option<bool> {
        match self {
            Known::Robust => Some(true),
            Known::SafeNotRobust | Known::Weak => Some(false),
            Known::Safe | Known::Wrong => None,
        }
    }
}

/// One family. Its members differ only in `n`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// What grows, in a few words.
    pub(crate) what: &'static str,
    program: fn(u32) -> String,
    /// The sizes to measure, in ascending order. The first one is the smallest for which the family is
    /// defined, except that 0 means "forever".
    pub(crate) sizes: &'static [u32],
    pub(crate) known: Known,
}

impl Family {
    /// The family with this name.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub(crate) fn named(name: &str) -> &'static Family {
        let mut all = FAMILIES.iter();
        all.find(|family| family.name == name)
            .unwrap_or_else(|| panic!("no family is named `{name}`"))
    }

    /// The smallest size that is a number of something.
    pub(crate) fn smallest(&self) -> u32 {
        self.sizes[0].max(1)
    }

    /// The member of this size as the text of a file, with its expectations.
    pub(crate) fn text(&self, n: u32) -> String {
        let Family { name, known, .. } = self;
        let check = [Model::Sc, Model::Tso].into_iter().filter_map(|model| {
            let word = if known.violated(model)? {
                "violated"
            } else {
                "holds"
            };
            Some(format!("//: check {} {word}\n", model.name()))
        });
        let robust = known.robust().map(|robust| {
            let word = if robust { "yes" } else { "no" };
            format!("//: robust tso {word}\n")
        });
        let expected: String = check.chain(robust).collect();
        let program = (self.program)(n);
        format!("//: about {name} of size {n}\n{expected}{program}")
    }
}

/// All families, by theme.
#[rustfmt::skip]
pub(crate) const FAMILIES: &[Family] = &[
    Family { name: "peterson", what: "Peterson's lock, entered n times, or forever for 0", program: |k| locks::peterson(k, Fences::Absent), sizes: &[0, 1, 2, 3, 4, 5, 10], known: Known::Weak },
    Family { name: "peterson-fenced", what: "the same with fences", program: |k| locks::peterson(k, Fences::Present), sizes: &[0, 1, 2, 3, 4, 5, 10], known: Known::Robust },
    Family { name: "dekker", what: "Dekker's lock, entered n times, or forever for 0", program: |k| locks::dekker(k, Fences::Absent), sizes: &[0, 1, 2, 3, 4, 5, 10], known: Known::Weak },
    Family { name: "dekker-fenced", what: "the same with fences", program: |k| locks::dekker(k, Fences::Present), sizes: &[0, 1, 2, 3, 4, 5, 10], known: Known::Robust },
    Family { name: "lamport", what: "Lamport's fast lock of n threads", program: |n| locks::lamport(n, Fences::Absent, Rounds::Once), sizes: &[2, 3, 4, 5, 6], known: Known::Weak },
    Family { name: "lamport-fenced", what: "the same with fences", program: |n| locks::lamport(n, Fences::Present, Rounds::Once), sizes: &[2, 3, 4, 5, 6], known: Known::Robust },
    Family { name: "lamport-loop", what: "the same, entered forever, without fences", program: |n| locks::lamport(n, Fences::Absent, Rounds::Forever), sizes: &[2, 3, 4, 5, 6], known: Known::Weak },
    Family { name: "lamport-loop-fenced", what: "the same, entered forever, with fences", program: |n| locks::lamport(n, Fences::Present, Rounds::Forever), sizes: &[2, 3, 4, 5, 6], known: Known::Robust },
    Family { name: "mcs", what: "MCS queue lock of n threads", program: locks::mcs, sizes: &[1, 2, 3, 4], known: Known::Safe },
    Family { name: "ticket", what: "ticket lock of n threads", program: locks::ticket, sizes: &[1, 2, 3, 4, 6], known: Known::Robust },
    Family { name: "ticket-loop", what: "ticket lock of n threads, entered forever, tickets modulo a power of two", program: locks::ticket_loop, sizes: &[2, 3, 4], known: Known::Safe },
    Family { name: "spinlock", what: "exchange lock of n threads", program: locks::spinlock, sizes: &[1, 2, 4, 8], known: Known::Robust },
    Family { name: "bakery", what: "Lamport's bakery of n threads, fenced", program: locks::bakery, sizes: &[2, 3, 4], known: Known::Safe },
    Family { name: "filter", what: "filter lock of n threads, fenced", program: locks::filter, sizes: &[2, 3, 4], known: Known::Safe },
    Family { name: "philosophers", what: "n dining philosophers, forks in order", program: locks::philosophers, sizes: &[2, 3, 4, 6], known: Known::Robust },

    Family { name: "seqlock", what: "sequence lock, one write, n readers", program: structures::seqlock, sizes: &[1, 2, 4], known: Known::Robust },
    Family { name: "seqlock-writes", what: "sequence lock, n writes, one reader", program: structures::seqlock_writes, sizes: &[1, 2, 4, 8], known: Known::Robust },
    Family { name: "spsc", what: "ring buffer of n places, 2n items", program: structures::spsc, sizes: &[1, 2, 4], known: Known::Safe },
    Family { name: "treiber", what: "Treiber's stack, n pushes, one pop", program: structures::treiber, sizes: &[1, 2, 3], known: Known::Safe },
    Family { name: "ms-queue", what: "Michael and Scott's queue, n enqueues, one dequeue", program: structures::ms_queue, sizes: &[1, 2, 3], known: Known::Safe },
    Family { name: "chase-lev", what: "Chase and Lev's deque, n pushes, n takes, n steals, fenced", program: structures::chase_lev, sizes: &[1, 2, 3], known: Known::Safe },
    Family { name: "rcu", what: "read-copy-update, n readers, one grace period, fenced", program: structures::rcu, sizes: &[1, 2, 4], known: Known::Safe },
    Family { name: "handshake", what: "n items handed over one by one", program: structures::handshake, sizes: &[1, 2, 4, 8], known: Known::Safe },

    Family { name: "retry", what: "n increments each by two threads, by compare-and-swap", program: data::retry, sizes: &[1, 2, 4], known: Known::Robust },
    Family { name: "counter", what: "a private counter to n - 1 in memory, then fenced store buffering", program: data::counter, sizes: &[2, 4, 8], known: Known::Robust },
    Family { name: "wide", what: "message passing of one of n values", program: data::wide, sizes: &[2, 16, 256], known: Known::Robust },
    Family { name: "wide-sum", what: "the sum of two of n values each", program: data::wide_sum, sizes: &[2, 16, 256], known: Known::Robust },
    Family { name: "hash", what: "insertion into a hash table of n places", program: data::hash, sizes: &[2, 4, 8, 64], known: Known::Safe },
    Family { name: "array-buffering", what: "store buffering on chosen cells of an array of n", program: data::array_buffering, sizes: &[3, 8, 64], known: Known::Wrong },
    Family { name: "fill", what: "an array of n, filled and read in loops", program: data::fill, sizes: &[1, 2, 4, 8], known: Known::Robust },

    Family { name: "straight", what: "store buffering around n private stores and loads", program: |n| long::straight(n, Fences::Absent), sizes: &[1, 8, 64], known: Known::Weak },
    Family { name: "straight-fenced", what: "the same with fences", program: |n| long::straight(n, Fences::Present), sizes: &[1, 8, 64], known: Known::Robust },
    Family { name: "straight-local", what: "store buffering around n local instructions", program: long::straight_local, sizes: &[1, 8, 64], known: Known::Weak },
    Family { name: "local-loop", what: "store buffering around a local loop of n iterations", program: |n| long::local_loop(n, Fences::Absent), sizes: &[1, 8, 64], known: Known::Weak },
    Family { name: "local-loop-fenced", what: "the same with fences", program: |n| long::local_loop(n, Fences::Present), sizes: &[1, 8, 64], known: Known::Robust },
    Family { name: "nested", what: "store buffering around local loops of n times n iterations", program: long::nested, sizes: &[1, 2, 4, 8], known: Known::Weak },
    Family { name: "cells", what: "n cells, stored in order and loaded in reverse", program: long::cells, sizes: &[2, 8, 32], known: Known::Robust },
    Family { name: "diamonds", what: "store buffering around n diamonds, 2^n paths", program: |n| long::diamonds(n, Fences::Absent), sizes: &[2, 4, 8, 10, 11, 25, 50, 100], known: Known::Weak },
    Family { name: "diamonds-fenced", what: "the same with fences", program: |n| long::diamonds(n, Fences::Present), sizes: &[2, 4, 8, 10, 11, 25, 50, 100], known: Known::Robust },
    Family { name: "diamonds-sum", what: "the same with fences, where paths differ in a sum only", program: long::diamonds_sum, sizes: &[1, 4, 8], known: Known::Robust },
    Family { name: "branching", what: "store buffering around one diamond of n ways [BCDM15, Fig. 8]", program: |n| long::branching(n, Fences::Absent), sizes: &[2, 5, 10, 20, 50], known: Known::Weak },
    Family { name: "branching-fenced", what: "the same with fences", program: |n| long::branching(n, Fences::Present), sizes: &[2, 5, 10, 20, 50], known: Known::Robust },
    Family { name: "twice", what: "a loop of length n, seen only in its second round [BCDM15, Fig. 9]", program: long::twice, sizes: &[2, 5, 10, 20], known: Known::Weak },
    Family { name: "beside", what: "n innocent pairs, then Peterson's lock", program: |n| long::beside(n, Rounds::Once), sizes: &[2, 5, 7, 8, 9, 25, 50, 100], known: Known::Weak },
    Family { name: "beside-loop", what: "the same forever", program: |n| long::beside(n, Rounds::Forever), sizes: &[2, 3, 4, 5, 10, 20], known: Known::Weak },
    Family { name: "jk15-fig2", what: "n innocent pairs [JK15, Fig. 2]", program: long::jk15_fig2, sizes: &[2, 5, 10], known: Known::SafeNotRobust },
    Family { name: "jk15-beside", what: "n innocent pairs before Peterson's counter, fenced: slicing removes them", program: long::jk15_beside, sizes: &[2, 5, 10], known: Known::SafeNotRobust },
    Family { name: "jk15-fed", what: "n innocent pairs before Peterson's counter: slicing cannot remove them", program: |n| long::jk15_fed(n, Fences::Absent), sizes: &[2, 5, 10], known: Known::Weak },
    Family { name: "jk15-fed-fenced", what: "the same with fences", program: |n| long::jk15_fed(n, Fences::Present), sizes: &[2, 5, 10], known: Known::SafeNotRobust },

    Family { name: "ring", what: "store buffering around n threads", program: |n| many::ring(n, Fences::Absent), sizes: &[4, 8, 10, 12, 13, 16, 20, 40], known: Known::Weak },
    Family { name: "ring-fenced", what: "the same with fences", program: |n| many::ring(n, Fences::Present), sizes: &[4, 8, 10, 12, 13, 16, 20, 40], known: Known::Robust },
    Family { name: "chain", what: "message passing over n threads", program: many::chain, sizes: &[2, 4, 8, 16], known: Known::Safe },
    Family { name: "pairs", what: "n independent pairs of threads with store buffering", program: |n| many::pairs(n, Fences::Absent), sizes: &[1, 2, 4], known: Known::Weak },
    Family { name: "pairs-fenced", what: "the same with fences", program: |n| many::pairs(n, Fences::Present), sizes: &[1, 2, 4], known: Known::Robust },
    Family { name: "broadcast", what: "message passing to n readers", program: many::broadcast, sizes: &[1, 2, 4, 8], known: Known::Robust },
    Family { name: "broadcast-wait", what: "the same, where the readers wait", program: many::broadcast_wait, sizes: &[1, 2, 4, 8], known: Known::Robust },
    Family { name: "barrier", what: "one round of a central barrier of n threads", program: many::barrier, sizes: &[1, 2, 3, 4], known: Known::Safe },
    Family { name: "fetch-add", what: "one atomic addition by each of n threads", program: many::fetch_add, sizes: &[1, 2, 4, 8], known: Known::Robust },
    Family { name: "sum", what: "n workers, and a master that waits for all and adds", program: many::sum, sizes: &[1, 2, 4], known: Known::Robust },
];

/// The texts for 0 to `n - 1`, one after the other.
fn each(n: u32, text: impl FnMut(u32) -> String) -> String {
    (0..n).map(text).collect()
}

/// The texts for all numbers below `n` but one.
fn others(n: u32, me: u32, mut text: impl FnMut(u32) -> String) -> String {
    each(n, |i| if i == me { String::new() } else { text(i) })
}

/// No two of `n` threads are at their locations `cs` at the same time.
fn mutual_exclusion(n: u32) -> String {
    each(n, |i| each(i, |j| format!("forbid t{j}@cs && t{i}@cs;\n")))
}

/// Store buffering by two threads, with this code of each thread between its store and its load. The
/// text `shared` continues the declaration of shared variables, `local` that of registers.
fn store_buffering(
    (shared, local): (&str, &str),
    fences: Fences,
    between: impl Fn(u32) -> String,
) -> String {
    let fence = fences.text();
    let thread = |me, own, other| {
        let code = between(me);
        format!("thread t{me} {{ local r{local};\n{own} = 1;\n{code}{fence} r = {other};\n}}\n")
    };
    let threads = thread(0, 'x', 'y') + &thread(1, 'y', 'x');
    format!("shared x, y{shared};\n{threads}final assert t0.r == 1 || t1.r == 1;\n")
}
