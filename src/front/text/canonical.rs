//! Whether two programs are equal up to numbering and generated names.
//!
//! Both are brought into a canonical form and compared. Locations are numbered in the order in
//! which a walk from the entry meets them. A step that does nothing and is the only one that leaves
//! a location is removed, unless a label or property would notice. Registers are split into *webs*
//! (`web`), so it does not matter which intermediate values share a register.
//!
//! **Sound:** programs with equal forms have the same computations up to steps that do nothing, and
//! the same values of everything that their properties observe. **Incomplete:** programs with
//! different forms may still behave alike.
//!
//! **Absent.** Locations that no path from the entry or a label reaches.

use super::web::Webs;
use crate::program::{
    Copies, Expr, FencePlace, LocId, Observable, Op, Program, PropertyKind, RegId, Region, Thread,
    ThreadId, Update,
};
use std::collections::{BTreeMap, BTreeSet};

/// A program and the predicates that are observed of it.
pub(crate) struct ObservedProgram<'a> {
    pub(crate) program: &'a Program,
    /// Predicates in addition to the program's own properties.
    pub(crate) observed: &'a [Expr<Observable>],
}

/// A program in canonical form.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct CanonicalForm {
    name: String,
    regions: Vec<Region>,
    threads: Vec<ThreadForm>,
    properties: Vec<(PropertyKind, Expr<Observable>)>,
    observed: Vec<Expr<Observable>>,
}

#[derive(PartialEq, Eq, Debug)]
struct ThreadForm {
    name: String,
    copies: Copies,
    /// The thread with `[*]` that this one is, or is a copy of.
    family: Option<ThreadId>,
    steps: Vec<Step<Op>>,
    /// The initial values of the registers, where they matter.
    init: Vec<Option<i32>>,
    labels: BTreeMap<String, usize>,
}

/// An instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Step<O> {
    pub(crate) from: usize,
    pub(crate) op: O,
    pub(crate) to: usize,
    place: FencePlace,
}

/// A thread without the removed steps.
pub(crate) struct Flow<'a> {
    pub(crate) thread: &'a Thread,
    pub(crate) entry: usize,
    pub(crate) steps: Vec<Step<&'a Op>>,
    /// By location.
    pub(crate) outgoing: Vec<Vec<usize>>,
    /// Locations that the user named.
    labels: BTreeMap<&'a str, usize>,
}

/// The canonical form of a program. `labels` are the names that the user wrote, by thread; all
/// others count as generated.
pub(crate) fn canonical_form(of: &ObservedProgram<'_>, labels: &[BTreeSet<&str>]) -> CanonicalForm {
    let program = of.program;
    let predicates: Vec<&Expr<Observable>> = program
        .properties()
        .iter()
        .map(|property| &property.predicate)
        .chain(of.observed)
        .collect();
    let seen: BTreeSet<Observable> = predicates.iter().flat_map(|e| e.vars()).collect();
    let mut threads = Vec::new();
    let mut locations: Vec<BTreeMap<usize, usize>> = Vec::new();
    let mut registers: Vec<BTreeMap<RegId, usize>> = Vec::new();
    for id in program.thread_ids() {
        let known = labels.get(id.index());
        let flow = Flow::new(program, id, known, &seen);
        let mut webs = Webs::new(&flow, |reg| seen.contains(&Observable::Register(id, reg)));
        let (steps, numbers) = flow.walk(&mut webs);
        let watched = seen.iter().filter_map(|observable| match observable {
            Observable::Register(thread, reg) if *thread == id => Some(*reg),
            Observable::Register(..) | Observable::At(..) | Observable::Cell(_) => None,
        });
        registers.push(watched.map(|reg| (reg, webs.watched(reg))).collect());
        let thread = flow.thread;
        threads.push(ThreadForm {
            name: thread.name().to_owned(),
            copies: thread.copies(),
            family: thread.family(),
            steps,
            init: webs.into_init(),
            labels: flow
                .labels
                .iter()
                .map(|(name, loc)| ((*name).to_owned(), numbers[loc]))
                .collect(),
        });
        locations.push(numbers);
    }
    let renamed = |e: &Expr<Observable>| {
        e.map(&mut |observable| {
            Expr::Var(match observable {
                Observable::Register(thread, reg) => {
                    Observable::Register(thread, registers[thread.index()][&reg].into())
                }
                Observable::At(thread, loc) => {
                    // An unreachable location has no number.
                    let number = locations[thread.index()].get(&loc.index());
                    Observable::At(thread, number.map_or(LocId(u32::MAX), |n| LocId::from(*n)))
                }
                Observable::Cell(addr) => Observable::Cell(addr),
            })
        })
    };
    CanonicalForm {
        name: program.name().to_owned(),
        regions: program.regions().to_vec(),
        threads,
        properties: program
            .properties()
            .iter()
            .map(|property| (property.kind, renamed(&property.predicate)))
            .collect(),
        observed: of.observed.iter().map(renamed).collect(),
    }
}

impl<'a> Flow<'a> {
    fn new(
        program: &'a Program,
        id: ThreadId,
        known: Option<&BTreeSet<&str>>,
        seen: &BTreeSet<Observable>,
    ) -> Self {
        let thread = program.thread(id);
        let count = thread.locations().len();
        let mut labels = BTreeMap::new();
        let mut kept = vec![false; count];
        for (at, location) in thread.locations().iter().enumerate() {
            let name = location.name.as_str();
            if location.labelled && known.is_some_and(|known| known.contains(name)) {
                labels.insert(name, at);
                kept[at] = true;
            }
            kept[at] |= seen.contains(&Observable::At(id, at.into()));
        }
        let steps = thread.instructions().iter().map(|instruction| Step {
            from: instruction.from.index(),
            op: &instruction.op,
            to: instruction.to.index(),
            place: instruction.place,
        });
        let mut flow = Self {
            thread,
            entry: thread.entry().index(),
            steps: steps.collect(),
            outgoing: vec![Vec::new(); count],
            labels,
        };
        flow.keep_reachable();
        flow.skip_forward(&kept);
        flow.skip_back(&kept);
        flow.keep_reachable();
        flow
    }

    /// Where walks start: the entry, then the labels.
    fn roots(&self) -> Vec<usize> {
        let labels = self.labels.values().copied();
        std::iter::once(self.entry).chain(labels).collect()
    }

    fn keep_reachable(&mut self) {
        self.index();
        let mut reached = vec![false; self.outgoing.len()];
        let mut work = self.roots();
        while let Some(loc) = work.pop() {
            if !std::mem::replace(&mut reached[loc], true) {
                work.extend(self.outgoing[loc].iter().map(|&step| self.steps[step].to));
            }
        }
        self.steps.retain(|step| reached[step.from]);
        self.index();
    }

    fn index(&mut self) {
        self.outgoing.iter_mut().for_each(Vec::clear);
        for (at, step) in self.steps.iter().enumerate() {
            self.outgoing[step.from].push(at);
        }
    }

    /// The location after this one, if the only step from here leads there and does nothing.
    fn skips_to(&self, loc: usize) -> Option<usize> {
        let [only] = self.outgoing[loc][..] else {
            return None;
        };
        let step = &self.steps[only];
        (*step.op == Op::Skip && step.to != loc).then_some(step.to)
    }

    /// Redirects the steps into an unnamed location that only skips to the location after it. A
    /// cycle of such locations becomes one location with a loop, since nothing happens on it.
    fn skip_forward(&mut self, kept: &[bool]) {
        let count = self.outgoing.len();
        let next: Vec<Option<usize>> = (0..count)
            .map(|loc| if kept[loc] { None } else { self.skips_to(loc) })
            .collect();
        let end = |start: usize| {
            let mut at = start;
            for _ in 0..count {
                match next[at] {
                    Some(to) => at = to,
                    None => return at,
                }
            }
            // After so many steps, this one is on a cycle.
            let cycle = std::iter::successors(next[at], |&loc| next[loc].filter(|_| loc != at));
            cycle.min().unwrap_or(at)
        };
        let ends: Vec<usize> = (0..count).map(end).collect();
        for step in &mut self.steps {
            step.to = ends[step.to];
        }
        self.entry = ends[self.entry];
        self.keep_reachable();
    }

    /// Merges a named location that only skips with the location after it, if no other step leads
    /// there.
    fn skip_back(&mut self, kept: &[bool]) {
        let mut into = vec![0; self.outgoing.len()];
        for step in &self.steps {
            into[step.to] += 1;
        }
        into[self.entry] += 1;
        let mut gone = vec![false; self.steps.len()];
        for loc in (0..self.outgoing.len()).filter(|loc| kept[*loc]) {
            if let Some(next) = self.skips_to(loc)
                && !kept[next]
                && into[next] == 1
            {
                gone[self.outgoing[loc][0]] = true;
                self.outgoing[loc] = std::mem::take(&mut self.outgoing[next]);
                for step in &self.outgoing[loc] {
                    self.steps[*step].from = loc;
                }
            }
        }
        let mut gone = gone.into_iter();
        self.steps.retain(|_| gone.next() == Some(false));
    }

    /// All steps in the order in which a walk meets them, and the numbers of the locations.
    fn walk(&self, webs: &mut Webs) -> (Vec<Step<Op>>, BTreeMap<usize, usize>) {
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        let mut order: Vec<usize> = Vec::new();
        let mut steps = Vec::new();
        let mut number = |loc: usize, order: &mut Vec<usize>| {
            *numbers.entry(loc).or_insert_with(|| {
                order.push(loc);
                order.len() - 1
            })
        };
        let mut done = 0;
        for root in self.roots() {
            number(root, &mut order);
            while let Some(&loc) = order.get(done) {
                for &at in &self.outgoing[loc] {
                    let step = &self.steps[at];
                    let to = number(step.to, &mut order);
                    steps.push(Step {
                        from: done,
                        op: renamed(step.op, at, webs),
                        to,
                        place: step.place,
                    });
                }
                done += 1;
            }
        }
        (steps, numbers)
    }
}

/// The same operation with webs in place of registers.
fn renamed(op: &Op, step: usize, webs: &mut Webs) -> Op {
    let value =
        |e: &Expr<RegId>, webs: &mut Webs| e.map(&mut |reg| Expr::Var(webs.used(step, reg)));
    match op {
        Op::Skip => Op::Skip,
        Op::Assign { into, value: e } => Op::Assign {
            value: value(e, webs),
            into: webs.defined(step, *into),
        },
        Op::Havoc { into, low, high } => Op::Havoc {
            into: webs.defined(step, *into),
            low: *low,
            high: *high,
        },
        Op::Assume(e) => Op::Assume(value(e, webs)),
        Op::Assert(e) => Op::Assert(value(e, webs)),
        Op::Load { into, addr } => Op::Load {
            addr: value(addr, webs),
            into: webs.defined(step, *into),
        },
        Op::Store { addr, value: e } => Op::Store {
            addr: value(addr, webs),
            value: value(e, webs),
        },
        Op::Rmw { into, addr, update } => Op::Rmw {
            addr: value(addr, webs),
            update: match update {
                Update::CompareExchange { expected, desired } => Update::CompareExchange {
                    expected: value(expected, webs),
                    desired: value(desired, webs),
                },
                Update::Exchange(e) => Update::Exchange(value(e, webs)),
                Update::Fetch(op, e) => Update::Fetch(*op, value(e, webs)),
            },
            into: webs.defined(step, *into),
        },
        Op::Fence(fence) => Op::Fence(fence.clone()),
        Op::AtomicBegin => Op::AtomicBegin,
        Op::WordBegin(overlap) => Op::WordBegin(*overlap),
        Op::AtomicEnd => Op::AtomicEnd,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Origin, ProgramBuilder};

    /// A thread with any number of copies, and another one with the same code, which may be one of them.
    fn program(is_copy: bool) -> Program {
        let mut builder = ProgramBuilder::new("");
        let addr = Expr::Const(builder.cell("x", 0).0);
        let mut threads = Vec::new();
        for (name, copies) in [("w.0", Copies::One), ("w", Copies::Any)] {
            let thread = builder.thread(name, copies, Origin::default());
            let [start, end] = [0; 2].map(|_| builder.location(thread, Origin::default()));
            builder.entry(thread, start);
            let store = Op::Store {
                addr: addr.clone(),
                value: Expr::Const(1),
            };
            builder.instruction(thread, start, store, end, Origin::default());
            threads.push(thread);
        }
        if is_copy {
            builder.copy_of(threads[0], threads[1]);
        }
        builder.build().expect("the program is well formed")
    }

    #[test]
    fn a_copy_is_not_equal_to_another_thread_with_its_code() {
        let [copy, other] = [true, false].map(program);
        let form = |program| {
            let observed = &[];
            canonical_form(&ObservedProgram { program, observed }, &[])
        };
        assert_ne!(form(&copy), form(&other));
        assert_eq!(form(&copy), form(&program(true)));
        assert!(copy.class_of(ThreadId(0)).is_some() && other.class_of(ThreadId(0)).is_none());
    }

    /// A thread that stores and then does nothing forever, on a way and then a cycle of these lengths.
    fn endless(way: usize, cycle: usize) -> Program {
        let mut builder = ProgramBuilder::new("");
        let addr = Expr::Const(builder.cell("x", 0).0);
        let thread = builder.thread("t", Copies::One, Origin::default());
        let places: Vec<LocId> = (0..=way + cycle)
            .map(|_| builder.location(thread, Origin::default()))
            .collect();
        builder.entry(thread, places[0]);
        let store = Op::Store {
            addr,
            value: Expr::Const(1),
        };
        builder.instruction(thread, places[0], store, places[1], Origin::default());
        for at in 1..=way + cycle {
            let Some(&next) = places.get(at + 1).or(places.get(way + 1)) else {
                break;
            };
            builder.instruction(thread, places[at], Op::Skip, next, Origin::default());
        }
        builder.build().expect("the program is well formed")
    }

    #[test]
    fn cycles_on_which_nothing_happens_are_equal() {
        let form = |program: &Program| {
            canonical_form(
                &ObservedProgram {
                    program,
                    observed: &[],
                },
                &[],
            )
        };
        let shortest = form(&endless(0, 1));
        for (way, cycle) in [(0, 2), (0, 3), (1, 1), (2, 1), (1, 2), (3, 4)] {
            assert_eq!(form(&endless(way, cycle)), shortest, "{way} and {cycle}");
        }
        assert_ne!(form(&endless(2, 0)), shortest);
    }
}
