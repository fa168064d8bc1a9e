//! Fence places: where fences are allowed, their cost, and which places are useful.
//!
//! A place is a location with a kind of fence: all instructions that leave the location come after
//! the fence [BDM13, section 7]. A source location may correspond to several program locations
//! (copies of a thread, procedures called twice). They form one place, which costs as much as all
//! of them together.
//!
//! Most locations can be excluded:
//!
//! ```text
//! (useless) no store can be pending there, or nothing that it could be delayed past follows
//! ```
//!
//! No set of least cost contains one of these.

use crate::facts::{Flow, Loops};
use crate::model::Model;
use crate::program::{
    Change, Fence, FenceKind, FencePlace, FencePoint, Instruction, LocId, Op, Origin, Program,
    Role, Thread, ThreadId,
};
use ahash::AHashMap;
use std::collections::BTreeMap;

/// A place for a fence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The locations, ascending; never empty.
    pub points: Vec<(ThreadId, LocId)>,
    /// The kind of fence.
    pub kind: FenceKind,
    /// The total cost over all locations; at most 1,000,000.
    pub cost: u32,
    /// The cost at each location.
    pub each: Vec<u32>,
}

impl Place {
    /// The switches that enable a fence here.
    pub(super) fn switches(&self) -> impl Iterator<Item = FencePoint> {
        self.points.iter().map(|&(thread, loc)| FencePoint {
            thread,
            loc,
            kind: self.kind,
        })
    }

    /// The names of the threads with a location of this place.
    pub fn threads<'p>(&self, program: &'p Program) -> impl Iterator<Item = &'p str> {
        let mut threads: Vec<ThreadId> = self.points.iter().map(|&(thread, _)| thread).collect();
        threads.dedup();
        threads
            .into_iter()
            .map(|thread| program.thread(thread).name())
    }

    /// Whether no statement can be inserted here: it is inside an expression.
    pub fn is_inside(&self, program: &Program) -> bool {
        self.points.iter().any(|&(thread, loc)| {
            let thread = program.thread(thread);
            let mut leaving = thread.outgoing(loc).iter();
            leaving.any(|&instr| thread.instruction(instr).role == Role::Inside)
        })
    }

    /// The changes to the program that insert a fence here.
    pub fn changes(&self, program: &Program) -> Vec<Change> {
        self.switches()
            .flat_map(|point| point.changes(program))
            .collect()
    }
}

/// The cost model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Costs {
    /// Each fence costs 1.
    #[default]
    Unit,
    /// Each fence costs 1, times 10 per loop around the location.
    Loops,
    /// The cycles that a fence takes on x86.
    X86(Cycles),
    /// Costs given by thread and location name; 1 for all others.
    Stated(BTreeMap<(String, String), u32>),
}

/// The cycles of fences on x86, as measured on a Xeon without contention, together with the store
/// before: an exchange takes 15, a fence by a locked instruction 17, one by `mfence` 38. The store fence
/// is no instruction there; it counts as 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cycles {
    /// Whether full fences are `mfence` instructions, and not locked ones.
    pub mfence: bool,
    /// Whether each loop around the location multiplies them by 10.
    pub loops: bool,
}

impl Cycles {
    /// Those of a fence of this kind, outside loops.
    pub fn of(self, kind: FenceKind) -> u32 {
        match kind {
            FenceKind::Full if self.mfence => 38,
            FenceKind::Full => 17,
            FenceKind::Exchange => 15,
            FenceKind::Store => 1,
        }
    }
}

impl Costs {
    /// Parses a cost file. Each line has a place and a cost, as in `t0@l2 5`; `#` starts a comment.
    ///
    /// # Errors
    ///
    /// The first invalid line, counted from 1, and a message.
    pub fn read(text: &str, program: &Program) -> Result<Costs, (usize, String)> {
        let mut stated = BTreeMap::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let wrong = |message: String| (number + 1, message);
            let expected = || wrong(format!("expected `THREAD@LABEL COST`, found `{line}`"));
            let (place, cost) = line.rsplit_once(char::is_whitespace).ok_or_else(expected)?;
            let (thread, label) = place.trim().split_once('@').ok_or_else(expected)?;
            let cost: u32 = cost.parse().map_err(|_| expected())?;
            if cost > MAX_COST {
                return Err(wrong(format!("a fence costs at most {MAX_COST}")));
            }
            let id = program
                .find_thread(thread)
                .ok_or_else(|| wrong(format!("there is no thread `{thread}`")))?;
            let locations = program.thread(id).locations();
            if !locations.iter().any(|location| location.name == label) {
                return Err(wrong(format!("thread `{thread}` has no label `{label}`")));
            }
            stated.insert((thread.to_owned(), label.to_owned()), cost);
        }
        Ok(Costs::Stated(stated))
    }
}

/// The kinds of fences that may be inserted, each with a cost factor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kinds(pub Vec<(FenceKind, u32)>);

impl Default for Kinds {
    fn default() -> Self {
        Self(vec![(FenceKind::Full, 1)])
    }
}

/// The maximum cost of one place, so that sums of costs do not overflow.
const MAX_COST: u32 = 1_000_000;

/// The useful places, ordered by first location. `seen` is the program without the accesses that do
/// not matter, as [`slice`](crate::facts::slice) computes it, or the program itself.
pub fn places(
    program: &Program,
    seen: &Program,
    model: Model,
    kinds: &Kinds,
    costs: &Costs,
) -> Vec<Place> {
    let threads: Vec<BufferFacts> = seen
        .threads()
        .iter()
        .map(|thread| BufferFacts::of(thread, model))
        .collect();
    let mut places = Vec::new();
    for &(kind, factor) in &kinds.0 {
        let useful = |&(t, loc): &(ThreadId, LocId)| {
            threads[t.index()].is_useful(seen.thread(t), loc, kind, model)
        };
        let of_kind: Vec<Place> = grouped(program, kind)
            .into_iter()
            .filter(|points| points.iter().any(useful))
            .filter_map(|points| {
                let each = points.iter().map(|&(t, loc)| {
                    let cost = cost(program, t, loc, kind, costs)?;
                    Some(cost.saturating_mul(factor).min(MAX_COST))
                });
                let each = each.collect::<Option<Vec<u32>>>()?;
                Some(Place {
                    points,
                    kind,
                    cost: sum(&each),
                    each,
                })
            })
            .collect();
        places.extend(of_kind);
    }
    places.sort_by(|a, b| a.points.cmp(&b.points));
    places
}

fn sum(each: &[u32]) -> u32 {
    let sum: u64 = each.iter().map(|&cost| u64::from(cost)).sum();
    sum.min(MAX_COST.into()) as u32
}

/// The cost of one fence at a location; `None` if no fence of this kind is allowed there.
fn cost(
    program: &Program,
    thread: ThreadId,
    loc: LocId,
    kind: FenceKind,
    costs: &Costs,
) -> Option<u32> {
    let automaton = program.thread(thread);
    if automaton.location(loc).atomic {
        return None;
    }
    let usual = match costs {
        Costs::Unit => 1,
        Costs::Loops => by_loops(automaton, loc),
        Costs::X86(cycles) => {
            let loops = if cycles.loops {
                by_loops(automaton, loc)
            } else {
                1
            };
            cycles.of(kind).saturating_mul(loops)
        }
        Costs::Stated(stated) => {
            let key = (
                automaton.name().to_owned(),
                automaton.location(loc).name.clone(),
            );
            stated.get(&key).copied().unwrap_or(1)
        }
    };
    let mut most = None;
    for &instr in automaton.outgoing(loc) {
        let cost = match automaton.instruction(instr).place {
            FencePlace::Forbidden => return None,
            FencePlace::Exchange if kind != FenceKind::Exchange => return None,
            FencePlace::Default | FencePlace::Exchange => usual,
            FencePlace::Cost(cost) => cost,
        };
        most = most.max(Some(cost));
    }
    most.map(|cost| cost.min(MAX_COST))
}

/// Ten times as much for each loop around a location.
fn by_loops(thread: &Thread, loc: LocId) -> u32 {
    let depth = Loops::of(thread).depth(loc);
    10_u32.saturating_pow(depth as u32)
}

/// The locations that have outgoing instructions, and can have a fence of this kind, grouped by place.
fn grouped(program: &Program, kind: FenceKind) -> Vec<Vec<(ThreadId, LocId)>> {
    let mut groups: Vec<Vec<(ThreadId, LocId)>> = Vec::new();
    // Groups locations by the source text and the annotations of their outgoing instructions, for text
    // with several copies. Steps with other annotations are at other places of one statement.
    let mut by_text: AHashMap<Vec<(Origin, FencePlace)>, usize> = AHashMap::new();
    for t in program.thread_ids() {
        let automaton = program.thread(t);
        for loc in (0..automaton.locations().len()).map(LocId::from) {
            if automaton.is_end(loc) {
                continue;
            }
            let leaving = automaton.outgoing(loc).iter();
            let leaving = leaving.map(|&instr| automaton.instruction(instr));
            // A store may have other steps with the same text.
            if kind == FenceKind::Exchange && !leaving.clone().all(|i| i.op.is_store()) {
                continue;
            }
            let text: Vec<_> = leaving.map(|i| (i.origin, i.place)).collect();
            let written = text.iter().all(|(origin, _)| origin.line > 0);
            let known = by_text.get(&text).copied().filter(|_| written);
            let group = known.unwrap_or_else(|| {
                groups.push(Vec::new());
                by_text.insert(text, groups.len() - 1);
                groups.len() - 1
            });
            groups[group].push((t, loc));
        }
    }
    groups
}

/// What may happen before and after the locations of one thread.
pub(super) struct BufferFacts {
    /// Whether a store may be pending.
    pub(super) pending: Vec<bool>,
    /// Whether a load may follow before anything that drains the buffer.
    load_ahead: Vec<bool>,
    /// The same for a store.
    store_ahead: Vec<bool>,
}

impl BufferFacts {
    pub(super) fn of(thread: &Thread, model: Model) -> Self {
        let nowhere = || vec![false; thread.locations().len()];
        if !model.relaxes_store_load() {
            return Self {
                pending: nowhere(),
                load_ahead: nowhere(),
                store_ahead: nowhere(),
            };
        }
        let buffered = |i: &Instruction| i.op.is_store() && !thread.location(i.from).is_locked();
        let ahead = Flow::backward(thread);
        Self {
            pending: Flow::forward(thread).solve(nowhere(), |_, i, &before| {
                buffered(i) || before && !i.op.drains()
            }),
            load_ahead: ahead.solve(nowhere(), |_, i, &after| {
                matches!(i.op, Op::Load { .. }) || after && !i.op.drains()
            }),
            store_ahead: ahead.solve(nowhere(), |_, i, &after| {
                buffered(i) || after && !i.op.drains()
            }),
        }
    }

    fn is_useful(&self, thread: &Thread, loc: LocId, kind: FenceKind, model: Model) -> bool {
        let at = loc.index();
        let (pending, stores) = (self.pending[at], model.relaxes_store_store());
        match kind {
            FenceKind::Full => pending && (self.load_ahead[at] || stores && self.store_ahead[at]),
            FenceKind::Store => pending && stores && self.store_ahead[at],
            FenceKind::Exchange => {
                let mut leaving = thread.outgoing(loc).iter();
                leaving.all(|&instr| thread.instruction(instr).op.is_store())
                    && !thread.is_end(loc)
                    && model.relaxes_store_load()
            }
        }
    }
}

/// The places of the full and store fences that the program already has.
pub(super) fn existing(program: &Program, costs: &Costs) -> Vec<Place> {
    let mut places = Vec::new();
    for points in grouped(program, FenceKind::Full) {
        let kinds: Vec<Option<FenceKind>> = points
            .iter()
            .flat_map(|&(t, loc)| {
                let thread = program.thread(t);
                thread
                    .outgoing(loc)
                    .iter()
                    .map(|&instr| thread.instruction(instr))
            })
            .map(|instruction| match instruction.op.fence()? {
                Fence::Full => Some(FenceKind::Full),
                Fence::Store => Some(FenceKind::Store),
                Fence::All | Fence::Cells(_) => None,
            })
            .collect();
        let Some(kind) = kinds.iter().flatten().next().copied() else {
            continue;
        };
        let each = points
            .iter()
            .map(|&(t, loc)| cost(program, t, loc, kind, costs).unwrap_or(0));
        let each: Vec<u32> = each.collect();
        places.push(Place {
            cost: sum(&each),
            points,
            kind,
            each,
        });
    }
    places
}
