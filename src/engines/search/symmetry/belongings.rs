//! What belongs to each thread of a class, in configurations: see [`symmetry`](crate::facts::symmetry).

use super::MOST_OWNERS;
use crate::facts::symmetry::{Kinds, dead};
use crate::program::{Addr, Goal, RegId, ThreadId};
use crate::reference::machine::{Config, Machine};
use crate::reference::{buffer::Buffer, buffer::BufferItem};
use ahash::AHashMap;
use smallvec::SmallVec;

/// What belongs to the threads of one class. An *owner* is the index of a thread in its class.
pub(super) struct Belongings {
    kinds: Vec<Kind>,
    /// By owner: its cells. All owners have equally many.
    cells: Vec<Vec<Addr>>,
    /// By [`Addr::index`]: the owner, and where the cell is among its cells.
    owners: Vec<Option<(usize, usize)>>,
    /// By [`Addr::index`]: the kind of the contents.
    contents: Vec<Option<usize>>,
    /// The cells whose contents have a kind.
    marked: Vec<(Addr, usize)>,
    /// By thread and location: the registers that have a kind and whose value matters, as indices into
    /// [`Config::registers`], with their kind.
    live: Vec<Vec<Vec<(usize, usize)>>>,
    /// By thread and location: the other registers that have a kind.
    dead: Vec<Vec<Vec<usize>>>,
    /// By index into [`Config::registers`].
    has_kind: Vec<bool>,
}

struct Kind {
    /// By owner: its values. All owners have equally many.
    values: Vec<Vec<i32>>,
    /// The owner of each value, and where it is among the owner's values.
    owners: AHashMap<i32, (usize, usize)>,
}

impl Kind {
    fn new(values: Vec<Vec<i32>>) -> Self {
        let mut owners = AHashMap::new();
        for (owner, values) in values.iter().enumerate() {
            for (index, &value) in values.iter().enumerate() {
                owners.insert(value, (owner, index));
            }
        }
        Self { values, owners }
    }

    /// What a value becomes where each owner `i` becomes owner `to[i]`.
    fn rename(&self, value: &mut i32, to: &[usize]) {
        if let Some(&(owner, index)) = self.owners.get(value) {
            *value = self.values[to[owner]][index];
        }
    }
}

impl Belongings {
    /// These kinds of values and cells, in a search for the goals.
    pub(super) fn new(machine: &Machine<'_>, kinds: Kinds, goals: &[Goal]) -> Self {
        let program = machine.program;
        let dead = dead(program, goals);
        let Kinds {
            values,
            registers,
            contents,
            cells,
        } = kinds;
        let mut owners = vec![None; program.cell_count()];
        for (owner, cells) in cells.iter().enumerate() {
            for (index, cell) in cells.iter().enumerate() {
                owners[cell.index()] = Some((owner, index));
            }
        }
        let mut live = Vec::new();
        let mut forgotten = Vec::new();
        for (id, dead) in program.thread_ids().zip(&dead) {
            let all = (0..program.thread(id).registers().len()).map(RegId::from);
            let marked = all.filter_map(|reg| {
                let slot = machine.slot(id, reg);
                Some((reg, slot, registers[slot]?))
            });
            let marked: Vec<(RegId, usize, usize)> = marked.collect();
            let live_at = |dead: &Vec<RegId>| {
                let live = marked.iter().filter(|(reg, _, _)| !dead.contains(reg));
                live.map(|&(_, slot, kind)| (slot, kind)).collect()
            };
            let dead_at = |dead: &Vec<RegId>| {
                let dead = marked.iter().filter(|(reg, _, _)| dead.contains(reg));
                dead.map(|&(_, slot, _)| slot).collect()
            };
            live.push(dead.iter().map(live_at).collect());
            forgotten.push(dead.iter().map(dead_at).collect());
        }
        Self {
            kinds: values.into_iter().map(Kind::new).collect(),
            owners,
            marked: program
                .cells()
                .filter_map(|addr| Some((addr, contents[addr.index()]?)))
                .collect(),
            contents,
            live,
            dead: forgotten,
            has_kind: registers.iter().map(Option::is_some).collect(),
            cells,
        }
    }

    /// Sets registers of a kind to 0 where their value does not matter; returns whether that changes
    /// anything. An exchange could not tell which of the values that a thread never reads is its own.
    pub(super) fn forget(&self, config: &mut Config) -> bool {
        let mut any = false;
        for (dead, loc) in self.dead.iter().zip(&config.locations) {
            for &slot in &dead[loc.index()] {
                any |= config.registers[slot] != 0;
                config.registers[slot] = 0;
            }
        }
        any
    }

    /// Gives what belongs to each owner `i` to owner `to[i]`. The threads' own parts have moved already.
    pub(super) fn rename(&self, config: &mut Config, to: &[usize]) {
        for (live, loc) in self.live.iter().zip(&config.locations) {
            for &(slot, kind) in &live[loc.index()] {
                self.kinds[kind].rename(&mut config.registers[slot], to);
            }
        }
        for &(addr, kind) in &self.marked {
            self.kinds[kind].rename(&mut config.memory[addr.index()], to);
        }
        for index in 0..self.cells[0].len() {
            let cell = |owner: usize| self.cells[owner][index].index();
            move_each(to, &mut config.memory, cell);
        }
        for buffer in &mut config.buffers {
            if !buffer.is_empty() {
                buffer.map_stores(|addr, value| {
                    if let Some(kind) = self.contents[addr.index()] {
                        self.kinds[kind].rename(value, to);
                    }
                    match self.owners[addr.index()] {
                        Some((owner, index)) => self.cells[to[owner]][index],
                        None => addr,
                    }
                });
            }
        }
    }

    /// A number for each thread of the class that no exchange changes, except that the numbers of the
    /// two are exchanged, too. Threads with different numbers have a definite order then; those with
    /// equal numbers differ in nothing or, seldom, in something that this does not see.
    ///
    /// The numbers are found by colour refinement: at first by what a thread is and has, then by the
    /// numbers of those that it refers to and that refer to it.
    pub(super) fn colours(
        &self,
        machine: &Machine<'_>,
        config: &Config,
        class: &[ThreadId],
    ) -> Vec<u64> {
        let mut view = View {
            colours: vec![0; class.len()],
            links: Vec::new(),
        };
        for thread in machine.program.thread_ids() {
            let owner = class.iter().position(|&member| member == thread);
            self.look_at(machine, config, thread, owner, &mut view);
        }
        for &(addr, kind) in &self.marked {
            let from = self.owners[addr.index()];
            let label = from.map_or(addr.index() as u64, |(_, index)| mix(2, index as u64));
            let from = from.map(|(owner, _)| owner);
            let value = config.memory[addr.index()];
            self.refer(from, mix(3, label), kind, value, &mut view);
        }
        for (owner, cells) in self.cells.iter().enumerate() {
            for cell in cells {
                if self.contents[cell.index()].is_none() {
                    let value = config.memory[cell.index()];
                    view.colours[owner] = mix(view.colours[owner], number(value));
                }
            }
        }
        view.refined()
    }

    /// What a thread is, and which threads it refers to.
    fn look_at(
        &self,
        machine: &Machine<'_>,
        config: &Config,
        thread: ThreadId,
        owner: Option<usize>,
        view: &mut View,
    ) {
        let loc = config.locations[thread.index()];
        let slots = machine.slots(thread);
        if let Some(owner) = owner {
            let mut colour = mix(1, loc.index() as u64);
            for slot in slots.clone().filter(|&slot| !self.has_kind[slot]) {
                colour = mix(colour, number(config.registers[slot]));
            }
            view.colours[owner] = colour;
        }
        // The same register of two threads of the class has the same label.
        let name = |index: usize| match owner {
            Some(_) => mix(4, index as u64),
            None => mix(5, mix(thread.index() as u64, index as u64)),
        };
        for &(slot, kind) in &self.live[thread.index()][loc.index()] {
            let label = name(slot - slots.start);
            self.refer(owner, label, kind, config.registers[slot], view);
        }
        let Buffer { waiting, fifo } = &config.buffers[thread.index()];
        // Waiting stores are sorted by address, which exchanges change.
        let waiting = waiting.iter().map(|item| (usize::MAX, item));
        for (position, &item) in waiting.chain(fifo.iter().enumerate()) {
            let label = name(!position);
            let (addr, value) = match item {
                BufferItem::Store { addr, value, .. } => (addr, value),
                BufferItem::Fence(fence) => {
                    if let Some(owner) = owner {
                        view.colours[owner] = mix(view.colours[owner], fence as u64);
                    }
                    continue;
                }
            };
            let cell = match self.owners[addr.index()] {
                Some((to, index)) => {
                    let label = mix(label, index as u64);
                    view.links.push(Link {
                        from: owner,
                        label,
                        to,
                    });
                    mix(label, 6)
                }
                None => mix(label, addr.index() as u64),
            };
            match self.contents[addr.index()] {
                Some(kind) => self.refer(owner, cell, kind, value, view),
                None => view.note(owner, mix(cell, number(value))),
            }
        }
    }

    /// Notes a value of a kind that a thread, or something shared, has under a label.
    fn refer(&self, from: Option<usize>, label: u64, kind: usize, value: i32, view: &mut View) {
        match self.kinds[kind].owners.get(&value) {
            Some(&(to, index)) => {
                let label = mix(label, index as u64);
                view.links.push(Link { from, label, to });
            }
            None => view.note(from, mix(label, number(value))),
        }
    }
}

/// What is known of the threads of a class in one configuration, without their order.
struct View {
    colours: Vec<u64>,
    links: Vec<Link>,
}

/// A thread of the class, or something outside it, refers to a thread of the class.
struct Link {
    from: Option<usize>,
    label: u64,
    to: usize,
}

impl View {
    /// Notes something about a thread of the class, in any order.
    fn note(&mut self, owner: Option<usize>, what: u64) {
        if let Some(owner) = owner {
            self.colours[owner] = self.colours[owner].wrapping_add(mix(7, what));
        }
    }

    fn refined(self) -> Vec<u64> {
        /// Chains of references longer than this are rarely all in which two threads differ.
        const ROUNDS: usize = 3;
        let Self { mut colours, links } = self;
        for _ in 0..ROUNDS {
            let mut next: Vec<u64> = colours.iter().map(|&colour| mix(8, colour)).collect();
            for &Link { from, label, to } in &links {
                match from {
                    Some(from) if from == to => {
                        next[to] = next[to].wrapping_add(mix(9, label));
                    }
                    Some(from) => {
                        let there = mix(mix(10, label), colours[to]);
                        let back = mix(mix(11, label), colours[from]);
                        next[from] = next[from].wrapping_add(there);
                        next[to] = next[to].wrapping_add(back);
                    }
                    None => next[to] = next[to].wrapping_add(mix(12, label)),
                }
            }
            colours = next;
        }
        colours
    }
}

/// Moves the item of each owner `i`, which is at `place(i)`, to the place of owner `to[i]`.
pub(super) fn move_each<T>(to: &[usize], items: &mut [T], place: impl Fn(usize) -> usize) {
    let mut left: SmallVec<[usize; MOST_OWNERS]> = to.into();
    for here in 0..left.len() {
        while left[here] != here {
            let there = left[here];
            items.swap(place(here), place(there));
            left.swap(here, there);
        }
    }
}

fn number(value: i32) -> u64 {
    u64::from(value as u32)
}

/// Two numbers as one that says little about them. It is the same in every run: the order of threads
/// that it decides may show in which of several computations is found.
fn mix(a: u64, b: u64) -> u64 {
    let mixed = (a.rotate_left(23) ^ b).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb)
}
