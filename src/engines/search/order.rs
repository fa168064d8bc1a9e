//! In which order a search expands the configurations that it has stored.

use crate::program::ThreadId;
use crate::reference::Step;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The order, and how far it has come.
pub(super) enum Order {
    Levels(Levels),
    Directed(Directed),
}

impl Default for Order {
    fn default() -> Self {
        Self::Levels(Levels::default())
    }
}

/// In the order in which they were found. Those that are so many stored configurations away from the first one
/// are a level, and it is expanded before the next one.
#[derive(Clone, Copy, Default)]
pub(super) struct Levels {
    expanded: u32,
    /// How many levels are expanded.
    pub(super) done: u32,
    /// Where the next level ends.
    end: u32,
}

impl Levels {
    fn is_expanded(&mut self, stored: u32) {
        self.expanded += 1;
        if self.expanded >= self.end {
            self.done += 1;
            self.end = stored;
        }
    }
}

/// Those first that seem to be close to a goal. There are two opinions on that, which take turns [Röger, Helmert:
/// The more, the merrier, ICAPS 2010]: first those that take the fewest context switches to get to [Musuvathi,
/// Qadeer: Iterative context bounding for systematic testing of multithreaded programs, PLDI 2007], and first
/// those where threads are closest to where a goal needs them [Edelkamp, Leue, Lluch Lafuente: Directed
/// explicit-state model checking, STTT 5, 2004]. Each is the other's opinion on what is equal. Of those that are
/// equal for both, the one that was found last is first.
///
/// A step is a switch if another thread took the last one, unless it is a step of the only thread that needs to
/// act there: such a step does not interrupt the thread that acted before.
#[derive(Default)]
pub(super) struct Directed {
    /// What may wait.
    few_switches: BinaryHeap<Waiting>,
    close: BinaryHeap<Waiting>,
    /// By configuration.
    ways: Vec<Way>,
    expanded: usize,
    /// What is being expanded.
    next: Option<u32>,
    /// How often a configuration was found, for the first time or on a better way.
    found: u32,
}

/// By rank, the least first, and by when it was found.
type Waiting = (Reverse<(u32, u32)>, u32, u32);

/// The best way to a configuration that is known.
#[derive(Clone, Copy)]
struct Way {
    switches: u16,
    /// The thread that acted last; `None` at the beginning. Sorting threads that are alike may have given it
    /// another number: then one switch more or less is counted.
    thread: Option<ThreadId>,
    is_expanded: bool,
}

impl Directed {
    /// The one that is next, until it is expanded: by the opinion whose turn it is.
    fn pending(&mut self) -> Option<u32> {
        if self.next.is_none() {
            let waiting = if self.expanded.is_multiple_of(2) {
                &mut self.few_switches
            } else {
                &mut self.close
            };
            while let Some((_, _, id)) = waiting.pop() {
                if !self.ways[id as usize].is_expanded {
                    self.next = Some(id);
                    break;
                }
            }
        }
        self.next
    }

    fn is_expanded(&mut self) {
        if let Some(id) = self.next.take() {
            self.ways[id as usize].is_expanded = true;
            self.expanded += 1;
        }
    }

    fn reached(&mut self, id: u32, is_new: bool, arrival: &Arrival<'_>) {
        let before = self.ways.get(arrival.from as usize).copied();
        let actor = arrival.steps.last().map(|step| step.thread());
        let (switches, thread) = match (before, actor) {
            (Some(before), Some(actor)) => {
                let goes_on = before.thread.is_none_or(|thread| thread == actor);
                if arrival.is_forced || goes_on {
                    let thread = if goes_on { Some(actor) } else { before.thread };
                    (before.switches, thread)
                } else {
                    (before.switches.saturating_add(1), Some(actor))
                }
            }
            _ => (0, None),
        };
        let way = Way {
            switches,
            thread,
            is_expanded: false,
        };
        if is_new {
            self.ways.push(way);
        } else {
            let known = &mut self.ways[id as usize];
            if known.is_expanded || known.switches <= switches {
                return;
            }
            *known = way;
        }
        let found = self.found;
        self.found += 1;
        let (switches, distance) = (u32::from(switches), arrival.distance);
        self.few_switches
            .push((Reverse((switches, distance)), found, id));
        self.close.push((Reverse((distance, switches)), found, id));
    }
}

/// How a configuration was reached.
pub(super) struct Arrival<'s> {
    /// The stored configuration before it.
    pub(super) from: u32,
    pub(super) steps: &'s [Step],
    /// Whether no thread but that of the first step needs to act there.
    pub(super) is_forced: bool,
    /// How far it is from a goal.
    pub(super) distance: u32,
}

impl Order {
    /// What seems to be close to a goal first.
    pub(super) fn directed() -> Self {
        Self::Directed(Directed::default())
    }

    /// The next one, of so many.
    pub(super) fn pending(&mut self, stored: u32) -> Option<u32> {
        match self {
            Self::Levels(levels) => (levels.expanded < stored).then_some(levels.expanded),
            Self::Directed(directed) => directed.pending(),
        }
    }

    /// Notes that the next one is expanded, which has led to so many altogether.
    pub(super) fn is_expanded(&mut self, stored: u32) {
        match self {
            Self::Levels(levels) => levels.is_expanded(stored),
            Self::Directed(directed) => directed.is_expanded(),
        }
    }

    /// Whether this one is expanded.
    pub(super) fn has_expanded(&self, id: u32) -> bool {
        match self {
            Self::Levels(levels) => id < levels.expanded,
            Self::Directed(directed) => directed.ways[id as usize].is_expanded,
        }
    }

    /// How many are expanded.
    pub(super) fn expanded(&self) -> usize {
        match self {
            Self::Levels(levels) => levels.expanded as usize,
            Self::Directed(directed) => directed.expanded,
        }
    }

    /// How many levels are expanded; 0 if they are not expanded level by level.
    pub(super) fn levels(&self) -> u32 {
        match self {
            Self::Levels(levels) => levels.done,
            Self::Directed(_) => 0,
        }
    }

    /// Notes that a configuration was reached, for the first time or again.
    pub(super) fn reached(&mut self, id: u32, is_new: bool, arrival: &Arrival<'_>) {
        if let Self::Directed(directed) = self {
            directed.reached(id, is_new, arrival);
        }
    }
}
