//! What happens before what, as sets of accesses to one cell.
//!
//! Vectors of counters would make every configuration a new one. Here the clocks are finite: at most the
//! *last* access of each thread and kind to the cell can matter, because an earlier one happens before
//! everything that the last one happens before. So a clock is a set of such accesses: those that happen
//! before.
//!
//! ```text
//!   current   of a thread: what happens before its next step
//!   released  what happened before its last releasing fence, which its relaxed stores publish
//!   pending   what its relaxed loads have read, which its next acquiring fence takes
//!   published of a cell: what an acquiring load takes
//!   blocks    what atomic blocks publish
//! ```
//!
//! A store begins a release sequence, which replaces what was published; a read-modify-write by any thread
//! continues it, as in C++20. A compare-exchange that fails is a load, with the order that the text asks
//! for in that case. `dependencies` adds the order that the kernel's memory model keeps.
//!
//! Clocks that differ only in accesses that no later one can race with have the same future, so these are
//! removed: see [`Clocks::forget`].

use super::dependencies::Dependencies;
use super::future::Futures;
use crate::program::{Addr, Op, Ordered, Ordering, Site, ThreadId, Update, Written};
use crate::reference::Action;
use crate::reference::machine::{Config, Machine};
use crate::search::reduce::Reduce;
use std::collections::BTreeMap;

/// A set of accesses to the cell: for each thread and kind, its last one.
pub(super) type Clock = u128;

/// The kinds of accesses.
pub(super) const PLAIN_LOAD: usize = 0;
pub(super) const PLAIN_STORE: usize = 1;
pub(super) const LOAD: usize = 2;
pub(super) const STORE: usize = 3;
pub(super) const KINDS: usize = 4;

/// The number of threads for which a clock has room.
pub(super) const MOST_THREADS: usize = 128 / KINDS;

/// Whether accesses of these kinds by two threads race, if nothing orders them.
pub(super) fn conflict(a: usize, b: usize) -> bool {
    let stores = |kind: usize| kind == PLAIN_STORE || kind == STORE;
    let plain = |kind: usize| kind == PLAIN_LOAD || kind == PLAIN_STORE;
    (stores(a) || stores(b)) && (plain(a) || plain(b))
}

/// The kinds of an access, which may load and store.
pub(super) fn kinds(plain: bool, [loads, stores]: [bool; 2]) -> impl Iterator<Item = usize> {
    let [load, store] = if plain {
        [PLAIN_LOAD, PLAIN_STORE]
    } else {
        [LOAD, STORE]
    };
    let load = loads.then_some(load);
    load.into_iter().chain(stores.then_some(store))
}

pub(super) fn bit(thread: ThreadId, kind: usize) -> Clock {
    1 << (thread.index() * KINDS + kind)
}

/// An access as the language sees it.
#[derive(Clone, Copy)]
struct Access {
    addr: Addr,
    site: Site,
    ordering: Ordering,
    loads: bool,
    stores: bool,
}

#[derive(Clone)]
pub(super) struct Clocks {
    current: Vec<Clock>,
    released: Vec<Clock>,
    pending: Vec<Clock>,
    blocks: Clock,
    /// By cell; those that publish nothing are not listed.
    published: BTreeMap<Addr, Clock>,
    dependencies: Dependencies,
    /// The accesses that there were.
    all: Clock,
    /// The last access of each thread and kind.
    last: Vec<Option<Site>>,
}

impl Clocks {
    pub(super) fn new(threads: usize) -> Self {
        Self {
            current: vec![0; threads],
            released: vec![0; threads],
            pending: vec![0; threads],
            blocks: 0,
            published: BTreeMap::new(),
            dependencies: Dependencies::new(threads),
            all: 0,
            last: vec![None; threads * KINDS],
        }
    }

    /// Appends the clocks. Which instructions were the last accesses makes no difference for what can
    /// follow.
    pub(super) fn pack(&self, out: &mut Vec<u8>) {
        let clocks = self.current.iter().chain(&self.released);
        for clock in clocks.chain(&self.pending).chain([&self.blocks, &self.all]) {
            out.extend(clock.to_le_bytes());
        }
        out.extend((self.published.len() as u32).to_le_bytes());
        for (cell, clock) in &self.published {
            out.extend(cell.0.to_le_bytes());
            out.extend(clock.to_le_bytes());
        }
        self.dependencies.pack(out);
    }

    /// Follows a step from a configuration; an earlier access that races with it.
    pub(super) fn step(
        &mut self,
        machine: &Machine<'_>,
        ordered: &Ordered,
        cell: Addr,
        (before, site, action): (&Config, Site, &Action),
    ) -> Option<Site> {
        let (ordering, t) = (ordered.ordering(site), site.thread.index());
        let op = &ordered.program.instruction(site).op;
        let written = ordered.written.get(&site);
        let access = |addr, loads, stores| Access {
            addr,
            site,
            ordering,
            loads,
            stores,
        };
        let access = match *action {
            Action::Load { addr, .. } => Some(access(addr, true, false)),
            Action::Flush { addr, .. } | Action::Issue { addr, .. } => {
                Some(access(addr, false, true))
            }
            Action::Rmw { addr, old, .. } if fails(machine, before, site, old) => Some(Access {
                ordering: ordered.failures.get(&site).copied().unwrap_or(ordering),
                ..access(addr, true, false)
            }),
            Action::Rmw { addr, .. } => Some(access(addr, written != Some(&Written::Store), true)),
            Action::Fence | Action::Local => {
                self.synchronise(op, t, ordering);
                None
            }
            Action::Advance { .. } | Action::Retire => None,
        };
        let stores = access.is_some_and(|access| access.stores) && ordering != Ordering::Plain;
        let follows = self.dependencies.follows(machine, site.thread, op, stores);
        let race = access.and_then(|access| {
            let continues = access.loads || written == Some(&Written::Update);
            if access.loads {
                self.acquire(t, access.addr, access.ordering);
            }
            let race = self.record(cell, &access, follows);
            if access.stores {
                self.publish(t, &access, continues);
            }
            race
        });
        let read = access.filter(|access| access.loads);
        let read = read.and_then(|access| self.published.get(&access.addr));
        let read = read.copied().unwrap_or_default();
        let read = (ordering == Ordering::Once).then_some(read);
        self.dependencies.step(machine, site.thread, op, read);
        race
    }

    /// A fence, or the beginning or end of an atomic block.
    fn synchronise(&mut self, op: &Op, t: usize, ordering: Ordering) {
        match op {
            Op::AtomicBegin if ordering.acquires() => self.current[t] |= self.blocks,
            Op::AtomicEnd if ordering.releases() => self.blocks |= self.current[t],
            Op::Fence(_) | Op::Skip => {
                if ordering.acquires() {
                    self.current[t] |= self.pending[t];
                }
                if ordering.releases() {
                    self.released[t] = self.current[t];
                }
            }
            Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd
            | Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Rmw { .. } => {}
        }
    }

    fn acquire(&mut self, t: usize, addr: Addr, ordering: Ordering) {
        let clock = self.published.get(&addr).copied().unwrap_or_default();
        match ordering {
            Ordering::Plain | Ordering::Hidden => {}
            Ordering::Relaxed | Ordering::Once | Ordering::Release => self.pending[t] |= clock,
            Ordering::Acquire | Ordering::AcqRel => self.current[t] |= clock,
        }
    }

    /// A store publishes what happens before it, if it releases, and what happened before the last
    /// releasing fence otherwise.
    fn publish(&mut self, t: usize, access: &Access, continues: bool) {
        let own = match access.ordering {
            Ordering::Plain | Ordering::Hidden => 0,
            Ordering::Relaxed | Ordering::Once | Ordering::Acquire => self.released[t],
            Ordering::Release | Ordering::AcqRel => self.current[t] | self.dependencies.observed(t),
        };
        let before = self.published.remove(&access.addr).unwrap_or_default();
        let after = if continues { before | own } else { own };
        if after != 0 {
            self.published.insert(access.addr, after);
        }
    }

    /// Records an access that comes after `follows` as well; one that races with it.
    fn record(&mut self, cell: Addr, access: &Access, follows: Clock) -> Option<Site> {
        if access.addr != cell {
            return None;
        }
        let thread = access.site.thread;
        let plain = access.ordering == Ordering::Plain;
        let kinds = || kinds(plain, [access.loads, access.stores]);
        let unordered = self.all & !self.current[thread.index()] & !follows;
        let mut others = self.last.iter().enumerate().filter(|(at, _)| {
            let (other, kind) = (at / KINDS, at % KINDS);
            other != thread.index()
                && unordered & (1 << at) != 0
                && kinds().any(|own| conflict(own, kind))
        });
        let race = others.next().and_then(|(_, last)| *last);
        for kind in kinds() {
            let own = bit(thread, kind);
            self.retain(!own);
            self.current[thread.index()] |= own;
            self.all |= own;
            self.last[thread.index() * KINDS + kind] = Some(access.site);
        }
        race
    }

    /// Removes the other accesses from all clocks.
    fn retain(&mut self, kept: Clock) {
        let clocks = self.current.iter_mut().chain(&mut self.released);
        let clocks = clocks.chain(&mut self.pending);
        for clock in clocks.chain(self.published.values_mut()) {
            *clock &= kept;
        }
        self.published.retain(|_, clock| *clock != 0);
        self.blocks &= kept;
        self.all &= kept;
        self.dependencies.retain(kept);
    }

    /// Removes what makes no difference for later races; returns whether there can be any.
    ///
    /// An access matters if some thread may still execute one that conflicts with it, and does not know
    /// of it yet. If it does not, none of the clocks that have it are of use: what a thread knows, it does
    /// not forget, until that access is repeated and counts as a new one. For the same reason it is of no
    /// use that a thread may learn what it knows. What a thread knows that publishes nothing any more is of
    /// use for its own accesses only.
    pub(super) fn forget(
        &mut self,
        (machine, reduce): (&Machine<'_>, &Reduce),
        futures: &Futures,
        config: &Config,
    ) -> bool {
        let threads = || machine.program.thread_ids().zip(&config.locations);
        let mut matters = 0;
        for (thread, &loc) in threads() {
            matters |= futures.of(thread, loc).races_with & !self.current[thread.index()];
        }
        if matters & self.all == 0 && !futures.may_conflict(config) {
            return false;
        }
        self.retain(matters);
        for (thread, &loc) in threads() {
            let (t, future) = (thread.index(), futures.of(thread, loc));
            if !future.publishes {
                self.current[t] &= future.races_with;
                self.released[t] = 0;
            }
            self.pending[t] &= !self.current[t];
            if !future.fences {
                self.pending[t] = 0;
            }
            let registers = (machine.slots(thread), reduce.dead(thread, loc));
            self.dependencies
                .forget(thread, future, self.current[t], registers);
        }
        true
    }
}

/// Whether an instruction that finds this value is a compare-exchange that fails: then it only loads.
fn fails(machine: &Machine<'_>, before: &Config, site: Site, old: i32) -> bool {
    if let Op::Rmw { update, .. } = &machine.program.instruction(site).op
        && let Update::CompareExchange { expected, .. } = update
    {
        machine.eval(before, site.thread, expected) != old
    } else {
        false
    }
}
