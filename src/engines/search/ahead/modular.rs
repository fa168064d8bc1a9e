//! What other actors may do before those of a set take a step, thread by thread.
//!
//! Footprints say what a thread may access in all of its future, whatever it reads. Much of that takes a
//! step of the very threads that are to go first: a thread that waits for a lock enters the critical
//! section only after its predecessor has left it. So (lookahead) bounds what the other actors can do
//! while those of a set take no step, by thread-modular reasoning [Flanagan, Qadeer 2003]:
//!
//! * Each thread is followed alone, from where it is, on all its ways.
//! * What it stores may reach memory at once, or wait. A load gives what the thread itself has stored in the
//!   cell last, or what the cell holds if it has stored nothing there, or any value that another
//!   thread was found to store there.
//! * If a thread is found to store a new value, the loads of others that may give it are followed again,
//!   until nothing is new.
//!
//! Every computation without steps of the set is covered. By induction on its length: each thread is where it
//! was followed to, and each cell holds what it held here or a value that was found to be stored there.
//! A load gives the value of the last store to its cell. If that is one of another thread, it was found.
//! If it is one of its own thread, then it is the newest one, since a thread's stores to a cell reach memory
//! in order. If there is none, the thread has not stored there either: it would read its own store.
//! Atomic blocks are followed as if they were none, which covers more, and so does going on after an assertion
//! that fails. An access outside shared memory ends a way, as it ends its thread.
//!
//! A thread of the set whose buffer is stopped goes on until it needs an empty buffer. Others see none of its
//! stores. A thread whose control is stopped has nothing but the stores in its buffer.

use super::deciding::Deciding;
use super::moves::Unclear;
use crate::program::{Addr, InstrId, LocId, Op, ThreadId};
use crate::reference::buffer::BufferItem;
use crate::reference::machine::{Config, Machine};
use crate::reference::rules::MOST_CHOICES;
use crate::reference::{Action, Step};
use crate::search::footprint::{Footprint, Touch};
use crate::search::reduce::Reduce;
use ahash::{AHashMap, AHashSet};
use smallvec::SmallVec;

/// By thread: which of its actors take no step.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(in crate::search) struct Stopped {
    pub(in crate::search) control: bool,
    pub(in crate::search) buffer: bool,
}

/// How an actor touches cells or properties.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum By {
    /// By a store that is in the buffer already.
    Buffer,
    /// By a store that the control issues, or by a locked instruction.
    Store,
    /// By a load, or through the thread's own state.
    Other,
}

/// Memory for bounds.
#[derive(Default)]
pub(super) struct Modular {
    /// Where threads were followed to.
    places: Vec<(ThreadId, Place)>,
    known: AHashSet<(ThreadId, Place)>,
    /// By cell: what was found to be stored there.
    stored: AHashMap<Addr, SmallVec<[Stored; 4]>>,
    /// By cell: loads and locked instructions, each with the place before it.
    loads: AHashMap<Addr, Vec<(usize, InstrId)>>,
    work: Vec<Work>,
}

/// A thread's location, its registers, and cells with the values that it has stored there last.
type Place = SmallVec<[i32; 16]>;

/// A value that some thread may store.
#[derive(Clone, Copy)]
struct Stored {
    value: i32,
    /// The first thread that was found to store it, and whether there are others.
    by: ThreadId,
    also_by_others: bool,
}

impl Stored {
    /// Whether the thread may read the value from another thread.
    fn is_for(self, thread: ThreadId) -> bool {
        self.by != thread || self.also_by_others
    }
}

/// What is still to be followed.
#[derive(Clone, Copy)]
enum Work {
    /// The instructions at a place.
    Place(usize),
    /// An instruction that reads this value.
    Read {
        place: usize,
        instr: InstrId,
        addr: Addr,
        value: i32,
    },
}

impl Modular {
    fn clear(&mut self) {
        self.places.clear();
        self.known.clear();
        self.stored.clear();
        self.loads.clear();
        self.work.clear();
    }
}

/// A bound on what actors do.
pub(super) struct Bound<'b, 'p, F> {
    pub(super) machine: &'b Machine<'p>,
    pub(super) reduce: &'b Reduce,
    pub(super) footprint: &'b Footprint,
    pub(super) deciding: &'b Deciding,
    pub(super) config: &'b Config,
    /// The same. Each thread is put where it is followed to, and back.
    pub(super) here: &'b mut Config,
    pub(super) stopped: &'b [Stopped],
    pub(super) modular: &'b mut Modular,
    /// How many instructions may still be followed.
    pub(super) left: &'b mut usize,
    /// Whether the set depends on such a touch.
    pub(super) depends: F,
}

/// The first touch that the set depends on.
type Found = Option<(ThreadId, By)>;

impl<F: FnMut(ThreadId, By, &Touch) -> bool> Bound<'_, '_, F> {
    /// Follows all actors that are not stopped until the set is found to depend on one; returns which one.
    pub(super) fn find(&mut self) -> Result<Found, Unclear> {
        self.modular.clear();
        let threads = self.machine.program.thread_ids();
        for thread in threads {
            let found = self.begin(thread);
            if found.is_some() {
                return Ok(found);
            }
        }
        while let Some(work) = self.modular.work.pop() {
            let found = match work {
                Work::Place(place) => self.follow(place)?,
                Work::Read {
                    place,
                    instr,
                    addr,
                    value,
                } => self.step(place, instr, None, Some((addr, value)))?,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Notes what a thread has buffered, and where it is.
    fn begin(&mut self, thread: ThreadId) -> Found {
        let (t, stopped) = (thread.index(), self.stopped[thread.index()]);
        let machine = self.machine;
        let mut place = Place::new();
        place.push(self.config.locations[t].0 as i32);
        place.extend_from_slice(machine.registers_of(self.config, thread));
        let own = place.len();
        for item in &self.config.buffers[t].fifo {
            let &BufferItem::Store { addr, value, .. } = item else {
                continue;
            };
            if self.deciding.may_read(thread, addr) {
                put(&mut place, own, addr, value);
            }
            if !stopped.buffer {
                if (self.depends)(thread, By::Buffer, self.footprint.stored(addr)) {
                    return Some((thread, By::Buffer));
                }
                self.store(thread, addr, value);
            }
        }
        if !stopped.control {
            self.reach(thread, place);
        }
        None
    }

    fn reach(&mut self, thread: ThreadId, place: Place) {
        let Modular {
            places,
            known,
            work,
            ..
        } = &mut *self.modular;
        if known.insert((thread, place.clone())) {
            work.push(Work::Place(places.len()));
            places.push((thread, place));
        }
    }

    /// Notes that a thread may store a value.
    fn store(&mut self, thread: ThreadId, addr: Addr, value: i32) {
        if !self.deciding.is_cell(addr) {
            return;
        }
        let Modular {
            places,
            stored,
            loads,
            work,
            ..
        } = &mut *self.modular;
        let all = stored.entry(addr).or_default();
        // For all other threads this is new, or only for the one that was known to store it.
        let known = all.iter_mut().find(|stored| stored.value == value);
        let only_for = match known {
            Some(stored) if stored.is_for(thread) => {
                if stored.also_by_others {
                    return;
                }
                stored.also_by_others = true;
                Some(stored.by)
            }
            Some(_) => return,
            None => {
                all.push(Stored {
                    value,
                    by: thread,
                    also_by_others: false,
                });
                None
            }
        };
        for &(place, instr) in loads.get(&addr).map_or(&[][..], Vec::as_slice) {
            let reader = places[place].0;
            if only_for.map_or(reader != thread, |only| reader == only) {
                work.push(Work::Read {
                    place,
                    instr,
                    addr,
                    value,
                });
            }
        }
    }

    /// Gives the thread the registers that it had at a place.
    fn put_registers(&mut self, place: usize) {
        let (thread, place) = &self.modular.places[place];
        let slots = self.machine.slots(*thread);
        let registers = slots.len();
        self.here.registers[slots].copy_from_slice(&place[1..=registers]);
    }

    /// Follows the instructions at a place.
    fn follow(&mut self, place: usize) -> Result<Found, Unclear> {
        let thread = self.modular.places[place].0;
        let automaton = self.machine.program.thread(thread);
        let loc = LocId(self.modular.places[place].1[0] as u32);
        for &instr in automaton.outgoing(loc) {
            let op = &automaton.instruction(instr).op;
            if op.drains() && self.stopped[thread.index()].buffer {
                continue;
            }
            if (self.depends)(thread, By::Other, self.footprint.own(thread, instr)) {
                return Ok(Some((thread, By::Other)));
            }
            let found = match op {
                Op::Load { into, addr } | Op::Rmw { into, addr, .. } => {
                    self.put_registers(place);
                    // An access outside shared memory is not executed.
                    let Ok(addr) = self.machine.cell(self.here, thread, addr) else {
                        continue;
                    };
                    if (self.depends)(thread, By::Other, self.footprint.loaded(addr)) {
                        return Ok(Some((thread, By::Other)));
                    }
                    // A locked instruction may pass the value on in its cell.
                    let passes_on = op.drains() && self.deciding.is_cell(addr);
                    if passes_on || self.deciding.is_register(thread, *into) {
                        self.load(place, instr, addr);
                        None
                    } else {
                        self.step(place, instr, None, None)?
                    }
                }
                Op::Havoc { low, high, .. } => {
                    if i64::from(*high) - i64::from(*low) >= MOST_CHOICES {
                        return Err(Unclear);
                    }
                    for value in *low..=*high {
                        self.step(place, instr, Some(value), None)?;
                    }
                    None
                }
                Op::Skip
                | Op::Assign { .. }
                | Op::Assume(_)
                | Op::Assert(_)
                | Op::Store { .. }
                | Op::Fence(_)
                | Op::AtomicBegin
                | Op::WordBegin(_)
                | Op::AtomicEnd => self.step(place, instr, None, None)?,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Follows a load with all values that were found so far.
    fn load(&mut self, place: usize, instr: InstrId, addr: Addr) {
        let Modular {
            places,
            stored,
            loads,
            work,
            ..
        } = &mut *self.modular;
        let (thread, before) = &places[place];
        let own = 1 + self.machine.slots(*thread).len();
        let mut of_own = before[own..].chunks_exact(2);
        let own = of_own.find(|cell| cell[0] == addr.0);
        let own = own.map_or(self.config.memory[addr.index()], |cell| cell[1]);
        loads.entry(addr).or_default().push((place, instr));
        let others = stored.get(&addr).map_or(&[][..], SmallVec::as_slice);
        let others = others.iter().filter(|stored| stored.is_for(*thread));
        let others = others.map(|stored| stored.value);
        let read = |value| Work::Read {
            place,
            instr,
            addr,
            value,
        };
        work.push(read(own));
        work.extend(others.filter(|&value| value != own).map(read));
    }

    /// Executes an instruction at a place, with the value that it chooses, or that it reads from a cell.
    fn step(
        &mut self,
        place: usize,
        instr: InstrId,
        choice: Option<i32>,
        read: Option<(Addr, i32)>,
    ) -> Result<Found, Unclear> {
        *self.left = self.left.checked_sub(1).ok_or(Unclear)?;
        let machine = self.machine;
        self.put_registers(place);
        let thread = self.modular.places[place].0;
        let t = thread.index();
        self.here.locations[t] = LocId(self.modular.places[place].1[0] as u32);
        // What else is in memory was left there by other reads, and decides nothing.
        if let Some((addr, value)) = read {
            self.here.memory[addr.index()] = value;
        }
        // What it has buffered is known from its place.
        let buffer = std::mem::take(&mut self.here.buffers[t]);
        let step = Step::Execute {
            thread,
            instr,
            choice,
        };
        let action = machine.apply(self.here, step);
        self.here.buffers[t] = buffer;
        if action.is_ok() {
            self.reduce.normalise_thread(self.here, thread);
        }
        let loc = std::mem::replace(&mut self.here.locations[t], self.config.locations[t]);
        let Ok(action) = action else {
            return Ok(None);
        };
        let mut after = Place::new();
        after.push(loc.0 as i32);
        let registers = machine.registers_of(self.here, thread).iter();
        let decides = self.deciding.registers(thread);
        after.extend(
            registers
                .zip(decides)
                .map(|(&value, &decides)| if decides { value } else { 0 }),
        );
        let own = after.len();
        after.extend_from_slice(&self.modular.places[place].1[own..]);
        let stored = match action {
            Action::Issue { addr, value }
            | Action::Flush { addr, value }
            | Action::Rmw {
                addr, new: value, ..
            } => Some((addr, value)),
            Action::Load { .. }
            | Action::Fence
            | Action::Local
            | Action::Advance { .. }
            | Action::Retire => None,
        };
        if let Some((addr, value)) = stored {
            if self.deciding.may_read(thread, addr) {
                put(&mut after, own, addr, value);
            }
            if let Action::Issue { .. } = action
                && (self.depends)(thread, By::Other, self.footprint.issued(addr))
            {
                return Ok(Some((thread, By::Other)));
            }
            if !self.stopped[t].buffer {
                if (self.depends)(thread, By::Store, self.footprint.stored(addr)) {
                    return Ok(Some((thread, By::Store)));
                }
                self.store(thread, addr, value);
            }
        }
        self.reach(thread, after);
        Ok(None)
    }
}

/// Notes in a place that a cell was stored to; `own` is where such notes start. They are in the order of cells.
fn put(place: &mut Place, own: usize, addr: Addr, value: i32) {
    let cell = addr.0;
    let mut at = own;
    while at < place.len() && place[at] < cell {
        at += 2;
    }
    if at < place.len() && place[at] == cell {
        place[at + 1] = value;
    } else {
        place.insert_from_slice(at, &[cell, value]);
    }
}

#[cfg(test)]
mod tests;
