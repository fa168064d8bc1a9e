//! A machine that executes programs of C11 and the kernel under SC, step by step, and records every access
//! with vector clocks: all executions are visited.
//!
//! The rules are those of C++20 (release sequences are continued by read-modify-writes only) and, for
//! accesses by `READ_ONCE` and its kind, of the kernel's memory model. An access is a pair of its thread
//! and a number that grows; it happens before what a thread does next if the thread's clock has reached the
//! number.

use std::collections::{BTreeSet, HashSet};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
    Once,
}

impl Order {
    pub fn name(self) -> &'static str {
        match self {
            Order::Relaxed | Order::Once => "memory_order_relaxed",
            Order::Acquire => "memory_order_acquire",
            Order::Release => "memory_order_release",
            Order::AcqRel => "memory_order_acq_rel",
            Order::SeqCst => "memory_order_seq_cst",
        }
    }

    pub fn builtin(self) -> &'static str {
        match self {
            Order::Relaxed | Order::Once => "__ATOMIC_RELAXED",
            Order::Acquire => "__ATOMIC_ACQUIRE",
            Order::Release => "__ATOMIC_RELEASE",
            Order::AcqRel => "__ATOMIC_ACQ_REL",
            Order::SeqCst => "__ATOMIC_SEQ_CST",
        }
    }

    fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }

    fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }
}

/// A step. Jumps look at the value that was loaded last.
#[derive(Clone, Debug)]
pub enum Ins {
    Plain {
        cell: usize,
        write: bool,
        line: usize,
    },
    /// An atomic store to a plain variable. No atomic load reads from it, so its order is nothing.
    Mixed {
        cell: usize,
        line: usize,
    },
    /// A plain load of the element whose index was loaded last.
    Element {
        line: usize,
    },
    Load {
        at: usize,
        order: Order,
    },
    Store {
        at: usize,
        value: i32,
        order: Order,
    },
    Add {
        at: usize,
        by: i32,
        order: Order,
    },
    Cas {
        at: usize,
        expected: i32,
        desired: i32,
        orders: [Order; 2],
    },
    /// A compare-exchange of what was loaded last with one more; where to go if it fails.
    CasInc {
        at: usize,
        order: Order,
        failed: usize,
    },
    Fence(Order),
    Save,
    StoreSavedPlusOne {
        at: usize,
        order: Order,
    },
    Jump(usize),
    JumpUnless(i32, usize),
    JumpUnlessBelow(i32, usize),
    JumpUnlessSaved(usize),
    /// A branch of the text depends on what was loaded last.
    Branch,
    Lock,
    TryLock,
    Unlock,
    ReadLock,
    ReadUnlock,
    WriteLock,
    WriteUnlock,
    Arrive,
    Depart,
    OnceEnter,
    OnceDone,
    Create(usize),
    Join(usize),
}

pub struct Program {
    /// The first is `main`, which creates the others.
    pub threads: Vec<Vec<Ins>>,
}

const MOST: usize = 4;
type Clock = [u16; MOST];

#[derive(Clone, PartialEq, Eq, Hash)]
struct Thread {
    at: usize,
    running: bool,
    loaded: i32,
    saved: i32,
    now: Clock,
    released: Clock,
    pending: Clock,
    /// What the value loaded last depends on.
    carried: Clock,
    control: Clock,
    observed: Clock,
    phase: u8,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    threads: Vec<Thread>,
    values: [i32; 6],
    published: [Clock; 6],
    /// Cell, thread, number, whether it is plain and a store, line.
    accesses: BTreeSet<(usize, usize, u16, bool, bool, usize)>,
    mutex: (bool, Clock),
    /// Readers, whether there is a writer, what writers and readers published.
    shared: (u8, bool, Clock, Clock),
    arrived: u8,
    phase: u8,
    barrier: Clock,
    once: (u8, Clock),
}

fn join(a: &mut Clock, b: Clock) {
    for (a, b) in a.iter_mut().zip(b) {
        *a = (*a).max(b);
    }
}

/// The cells and lines that race in some execution; `None` if there are more configurations than this.
pub fn races(program: &Program, most: usize) -> Option<BTreeSet<(usize, [usize; 2])>> {
    let thread = |number: usize| Thread {
        at: 0,
        running: number == 0,
        loaded: 0,
        saved: 0,
        now: [0; MOST],
        released: [0; MOST],
        pending: [0; MOST],
        carried: [0; MOST],
        control: [0; MOST],
        observed: [0; MOST],
        phase: 0,
    };
    let first = State {
        threads: (0..program.threads.len()).map(thread).collect(),
        values: [0; 6],
        published: [[0; MOST]; 6],
        accesses: BTreeSet::new(),
        mutex: (false, [0; MOST]),
        shared: (0, false, [0; MOST], [0; MOST]),
        arrived: 0,
        phase: 0,
        barrier: [0; MOST],
        once: (0, [0; MOST]),
    };
    let mut found = BTreeSet::new();
    let mut seen = HashSet::from([first.clone()]);
    let mut stack = vec![first];
    while let Some(state) = stack.pop() {
        for t in 0..program.threads.len() {
            let mut next = state.clone();
            if next.step(program, t, &mut found) && !seen.contains(&next) {
                if seen.len() >= most {
                    return None;
                }
                seen.insert(next.clone());
                stack.push(next);
            }
        }
    }
    Some(found)
}

type Found = BTreeSet<(usize, [usize; 2])>;

impl State {
    /// Takes the next step of a thread, if it can take one.
    fn step(&mut self, program: &Program, t: usize, found: &mut Found) -> bool {
        let thread = &mut self.threads[t];
        let Some(ins) = program.threads[t].get(thread.at).filter(|_| thread.running) else {
            return false;
        };
        thread.at += 1;
        match *ins {
            Ins::Plain { cell, write, line } => {
                self.access(t, (cell, line), (true, write), [0; MOST], found);
            }
            Ins::Element { line } => {
                let cell = 2 + self.threads[t].loaded as usize;
                let after = self.threads[t].carried;
                self.access(t, (cell, line), (true, false), after, found);
            }
            Ins::Mixed { cell, line } => {
                // Nothing loads these atomically, so what is published does not matter.
                let after = self.threads[t].control;
                self.access(t, (cell, line), (false, true), after, found);
            }
            Ins::Load { at, order } => self.load(t, at, order),
            Ins::Store { at, value, order } => self.store(t, at, value, order, false),
            Ins::Add { at, by, order } => {
                self.load(t, at, order);
                self.store(t, at, self.values[at] + by, order, true);
            }
            Ins::Cas {
                at,
                expected,
                desired,
                orders: [success, failure],
            } => {
                if self.values[at] == expected {
                    self.load(t, at, success);
                    self.store(t, at, desired, success, true);
                } else {
                    self.load(t, at, failure);
                }
            }
            Ins::CasInc { at, order, failed } => {
                let expected = self.threads[t].loaded;
                if self.values[at] == expected {
                    self.load(t, at, order);
                    self.store(t, at, expected + 1, order, true);
                } else {
                    self.load(t, at, Order::Relaxed);
                    self.threads[t].at = failed;
                }
            }
            Ins::Fence(order) => {
                if order.acquires() {
                    let pending = thread.pending;
                    join(&mut thread.now, pending);
                }
                if order.releases() {
                    thread.released = thread.now;
                }
            }
            Ins::Save => thread.saved = thread.loaded,
            Ins::StoreSavedPlusOne { at, order } => {
                let value = thread.saved + 1;
                self.store(t, at, value, order, false);
            }
            Ins::Jump(to) => thread.at = to,
            Ins::JumpUnless(value, to) => {
                if thread.loaded != value {
                    thread.at = to;
                }
            }
            Ins::JumpUnlessBelow(value, to) => {
                if thread.loaded >= value {
                    thread.at = to;
                }
            }
            Ins::JumpUnlessSaved(to) => {
                if thread.loaded != thread.saved {
                    thread.at = to;
                }
            }
            Ins::Branch => {
                let carried = thread.carried;
                join(&mut thread.control, carried);
            }
            Ins::Lock | Ins::TryLock => {
                if self.mutex.0 && matches!(ins, Ins::Lock) {
                    return false;
                }
                thread.loaded = i32::from(!self.mutex.0);
                if !self.mutex.0 {
                    self.mutex.0 = true;
                    join(&mut thread.now, self.mutex.1);
                }
            }
            Ins::Unlock => self.mutex = (false, thread.now),
            Ins::ReadLock => {
                if self.shared.1 {
                    return false;
                }
                self.shared.0 += 1;
                join(&mut thread.now, self.shared.2);
            }
            Ins::ReadUnlock => {
                self.shared.0 -= 1;
                join(&mut self.shared.3, thread.now);
            }
            Ins::WriteLock => {
                if self.shared.1 || self.shared.0 > 0 {
                    return false;
                }
                self.shared.1 = true;
                join(&mut thread.now, self.shared.2);
                join(&mut thread.now, self.shared.3);
            }
            Ins::WriteUnlock => {
                self.shared.1 = false;
                self.shared.2 = thread.now;
            }
            Ins::Arrive => {
                join(&mut self.barrier, thread.now);
                thread.phase = self.phase;
                self.arrived += 1;
                if self.arrived == 2 {
                    self.arrived = 0;
                    self.phase ^= 1;
                }
            }
            Ins::Depart => {
                if thread.phase == self.phase {
                    return false;
                }
                join(&mut thread.now, self.barrier);
            }
            Ins::OnceEnter => match self.once.0 {
                0 => {
                    self.once.0 = 1;
                    thread.loaded = 1;
                }
                1 => return false,
                _ => {
                    thread.loaded = 0;
                    join(&mut thread.now, self.once.1);
                }
            },
            Ins::OnceDone => self.once = (2, thread.now),
            Ins::Create(other) => {
                let now = thread.now;
                self.threads[other].running = true;
                self.threads[other].now = now;
            }
            Ins::Join(other) => {
                let ended = &self.threads[other];
                if ended.at < program.threads[other].len() {
                    return false;
                }
                let now = ended.now;
                join(&mut self.threads[t].now, now);
            }
        }
        true
    }

    fn load(&mut self, t: usize, at: usize, order: Order) {
        let thread = &mut self.threads[t];
        let read = self.published[at];
        thread.loaded = self.values[at];
        thread.carried = [0; MOST];
        if order.acquires() {
            join(&mut thread.now, read);
        } else {
            join(&mut thread.pending, read);
        }
        if order == Order::Once {
            thread.carried = read;
            join(&mut thread.observed, read);
        }
    }

    fn store(&mut self, t: usize, at: usize, value: i32, order: Order, continues: bool) {
        let thread = &self.threads[t];
        let mut own = thread.released;
        if order.releases() {
            own = thread.now;
            join(&mut own, thread.observed);
        }
        if continues {
            join(&mut own, self.published[at]);
        }
        self.published[at] = own;
        self.values[at] = value;
    }

    fn access(
        &mut self,
        t: usize,
        (cell, line): (usize, usize),
        (plain, write): (bool, bool),
        after: Clock,
        found: &mut Found,
    ) {
        let mut before = self.threads[t].now;
        join(&mut before, after);
        for &(other, by, number, was_plain, wrote, there) in &self.accesses {
            let conflicts = other == cell && by != t && (write || wrote) && (plain || was_plain);
            if conflicts && number > before[by] {
                let pair = [line.min(there), line.max(there)];
                found.insert((cell, pair));
            }
        }
        let now = &mut self.threads[t].now;
        now[t] += 1;
        let number = now[t];
        self.accesses.insert((cell, t, number, plain, write, line));
    }
}
