//! Looks for an execution that reaches a goal in fewer steps than a known one.
//!
//! A breadth-first search visits configurations, one step further each round. A configuration is left
//! out if the goal is too far away from it: each buffered item has to leave its buffer, and threads have
//! to get to certain locations, to their ends or to the access or assertion that is at fault. That lower
//! bound ([`Distance`]) keeps the search close to the shortest executions.
//!
//! Two reductions keep their lengths. Registers that are not read again are forgotten; and if a thread
//! has to go on from its location, and can take only invisible local steps, no other step is taken there:
//! the thread has to take one of them in any case, and the others do not notice when.
//!
//! An execution at whose end threads wait forever is long enough for each of them to arrive where it waits: a
//! thread that has not begun may wait in this sense, too, but shows nothing.
//!
//! If there are too many configurations, executions in which only two of the threads act are searched
//! alone: most violations need no more, and there are far fewer configurations.
//!
//! **Absent.** Goals about a thread that waits forever while others act: one configuration does not decide
//! them.

use super::distance::distances;
use super::reduce::{Reduce, Reduction};
use crate::model::Model;
use crate::program::{
    BinaryOp, Expr, Goal, Instruction, LocId, Observable, Op, Program, PropertyKind, Thread,
    ThreadId,
};
use crate::reference::machine::{Config, Machine};
use crate::reference::pack::{pack, unpack};
use crate::reference::store::Store;
use crate::reference::{Step, buffer::BufferItem};
use crate::verdict::Budget;

/// The maximum number of configurations that are stored.
const MOST_STATES: usize = 100_000;

/// The same if each halting configuration is examined for threads that wait.
const MOST_STATES_WAITING: usize = 10_000;

/// The maximum number of pairs of threads that are searched alone.
const MOST_PAIRS: usize = 10;

/// The result of a search for a shorter execution.
pub(super) enum Shorter {
    /// A shortest execution; it is shorter than the known one.
    Found(Vec<Step>),
    /// A shorter execution than the known one. There may be even shorter ones.
    Better(Vec<Step>),
    /// There is no shorter one.
    None,
    /// Nothing is known: the search was limited.
    GaveUp,
}

/// A shortest execution that reaches the goal, if there is one with fewer than `length` steps.
pub(super) fn shorter(
    program: &Program,
    model: Model,
    goal: Goal,
    length: usize,
    budget: &Budget,
) -> Shorter {
    let most = match goal {
        Goal::Assert(_) | Goal::Outside(_) => MOST_STATES,
        Goal::Property(number) => match program.properties()[number].kind {
            PropertyKind::Forbid | PropertyKind::FinalAssert | PropertyKind::Exists => MOST_STATES,
            PropertyKind::Stuck => MOST_STATES_WAITING,
            PropertyKind::Starved(_) => return Shorter::GaveUp,
        },
    };
    shorter_within(program, model, goal, length, most, budget)
}

/// The same with this many configurations at most in each search.
fn shorter_within(
    program: &Program,
    model: Model,
    goal: Goal,
    length: usize,
    most: usize,
    budget: &Budget,
) -> Shorter {
    let mut search = Search::new(program, model, goal, length);
    if search.run(most, budget) {
        return match search.hit.take() {
            Some((at, last)) => Shorter::Found(search.path(at, last)),
            None => Shorter::None,
        };
    }
    // What it found before it gave up is an execution, too.
    let mut best = search.hit.take().map(|(at, last)| search.path(at, last));
    let threads: Vec<ThreadId> = program.thread_ids().collect();
    if threads.len() > 2 {
        let pairs = threads
            .iter()
            .enumerate()
            .flat_map(|(at, &a)| threads[at + 1..].iter().map(move |&b| [a, b]));
        for pair in pairs.take(MOST_PAIRS) {
            let length = best.as_ref().map_or(length, Vec::len);
            let mut search = Search::new(program, model, goal, length);
            search.acting = Some(pair);
            search.run(most, budget);
            if let Some((at, last)) = search.hit.take() {
                best = Some(search.path(at, last));
            }
        }
    }
    best.map_or(Shorter::GaveUp, Shorter::Better)
}

struct Search<'p> {
    machine: Machine<'p>,
    reduce: Reduce,
    distance: Distance,
    goal: Goal,
    /// The threads that act, if not all of them may.
    acting: Option<[ThreadId; 2]>,
    /// The length of the shortest known execution.
    best: usize,
    /// The shortest execution found: to this configuration, and on from there.
    hit: Option<(u32, Vec<Step>)>,
    store: Store,
    /// By configuration: the one before it, and the step.
    parents: Vec<(u32, Step)>,
    depths: Vec<u32>,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program, model: Model, goal: Goal, length: usize) -> Self {
        let machine = Machine::with_properties(program, model);
        let liveness = Reduction {
            liveness: true,
            local_steps: true,
            ..Reduction::NONE
        };
        Self {
            reduce: Reduce::new(&machine, &[goal], liveness),
            distance: Distance::new(&machine, goal),
            machine,
            goal,
            acting: None,
            best: length,
            hit: None,
            store: Store::default(),
            parents: Vec::new(),
            depths: Vec::new(),
        }
    }

    /// Whether everything was visited that may be on a shorter execution.
    fn run(&mut self, most: usize, budget: &Budget) -> bool {
        let mut config = self.machine.initial();
        let mut next = config.clone();
        let mut bytes = Vec::new();
        let mut steps = Vec::new();
        pack(&config, &mut bytes);
        self.store.insert(&bytes, |_| {});
        self.depths.push(0);
        let mut visited = 0;
        while visited < self.store.len() {
            if budget.is_stopped() || self.store.len() > most {
                return false;
            }
            let at = visited as u32;
            let depth = self.depths[visited] as usize;
            unpack(self.store.packed(at), &mut config);
            visited += 1;
            let is_near =
                |far: Option<usize>, depth, best| far.is_some_and(|far| depth + far < best);
            if !is_near(self.distance.of(&self.machine, &config), depth, self.best) {
                continue;
            }
            if self.is_reached(&config) {
                self.best = depth;
                self.hit = Some((at, Vec::new()));
                continue;
            }
            steps.clear();
            if self.machine.propose(&config, &mut steps).is_some() {
                return false;
            }
            let goes_on = |thread| self.distance.goes_on(thread, &config);
            if let Some(thread) = self.reduce.only_local(&self.machine, &config, goes_on) {
                steps
                    .retain(|step| matches!(step, Step::Execute { thread: t, .. } if *t == thread));
            }
            if let Some(acting) = self.acting {
                steps.retain(|&step| acting.contains(&step.thread()));
            }
            next.clone_from(&config);
            for &step in &steps {
                let fails = self.machine.failed_assert(&config, step);
                if self.machine.apply(&mut next, step).is_err() {
                    continue;
                }
                if fails.is_some_and(|site| self.goal == Goal::Assert(site)) {
                    let mut last = vec![step];
                    if self.machine.inside(&next).is_none() {
                        last.extend(self.drained(&next));
                    }
                    if depth + last.len() < self.best {
                        self.best = depth + last.len();
                        self.hit = Some((at, last));
                    }
                } else if is_near(self.distance.of(&self.machine, &next), depth + 1, self.best) {
                    self.reduce.normalise(&mut next);
                    pack(&next, &mut bytes);
                    let (_, is_new) = self.store.insert(&bytes, |_| {});
                    if is_new {
                        self.depths.push(depth as u32 + 1);
                        self.parents.push((at, step));
                    }
                }
                next.clone_from(&config);
            }
        }
        true
    }

    /// Whether an execution that ends here reaches the goal.
    fn is_reached(&self, config: &Config) -> bool {
        match self.goal {
            Goal::Assert(_) => false,
            Goal::Property(number) => {
                self.machine.is_halting(config)
                    && self.machine.decides(config, number)
                    && self.have_arrived(config, number)
            }
            Goal::Outside(site) => {
                let may_stop = match self.machine.inside(config) {
                    Some(owner) => owner == site.thread,
                    None => self.machine.is_halting(config),
                };
                let mut outside = self.machine.outside(config, site.thread);
                may_stop && outside.any(|found| found == site)
            }
        }
    }

    /// Whether each thread has arrived where it waits, if the property is about that.
    fn have_arrived(&self, config: &Config, property: usize) -> bool {
        match self.machine.program.properties()[property].kind {
            PropertyKind::Stuck => {
                let alone = self.machine.alone();
                alone.is_some_and(|alone| alone.have_arrived(config))
            }
            PropertyKind::Forbid
            | PropertyKind::FinalAssert
            | PropertyKind::Exists
            | PropertyKind::Starved(_) => true,
        }
    }

    /// The moves that empty all buffers.
    fn drained(&self, config: &Config) -> Vec<Step> {
        let mut config = config.clone();
        let (mut drained, mut moves) = (Vec::new(), Vec::new());
        for thread in self.machine.program.thread_ids() {
            loop {
                moves.clear();
                self.machine.propose_moves(&config, thread, &mut moves);
                // The last proposal is the one that gets furthest: under PGAS, out of the FIFO.
                let mut moves = moves.iter().rev();
                let made = moves.find(|&&step| self.machine.apply(&mut config, step).is_ok());
                let Some(&made) = made else {
                    break;
                };
                drained.push(made);
            }
        }
        drained
    }

    /// The steps to a configuration, and these.
    fn path(&self, to: u32, last: Vec<Step>) -> Vec<Step> {
        let mut steps: Vec<Step> = last.into_iter().rev().collect();
        let mut at = to;
        while at > 0 {
            let (before, step) = self.parents[at as usize - 1];
            steps.push(step);
            at = before;
        }
        steps.reverse();
        steps
    }
}

/// A lower bound of the number of steps to a goal.
struct Distance {
    /// Whose stores have to reach memory before the goal.
    flushed: Flushed,
    /// For each thread that has to get somewhere: the number of steps from each location, including those
    /// that its stores on the way take to leave their buffers; `None` if it does not get there.
    threads: Vec<Option<Vec<Option<usize>>>>,
}

/// Whose stores have to reach memory before a goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flushed {
    /// Those of all threads: it is reached in a halting configuration.
    All,
    /// Those of the thread that reaches it inside an atomic block.
    Of(ThreadId),
    /// None: it is reached inside a word access.
    None,
}

impl Distance {
    fn new(machine: &Machine<'_>, goal: Goal) -> Self {
        let program = machine.program;
        let mut threads: Vec<Option<Vec<Option<usize>>>> = vec![None; program.threads().len()];
        let mut flushed = Flushed::All;
        match goal {
            Goal::Assert(site) | Goal::Outside(site) => {
                let thread = program.thread(site.thread);
                let from = thread.instruction(site.instr).from;
                if thread.location(from).word {
                    flushed = Flushed::None;
                } else if thread.location(from).atomic {
                    flushed = Flushed::Of(site.thread);
                }
                // The assertion itself is a step; an access outside shared memory is not executed.
                let more = usize::from(matches!(goal, Goal::Assert(_)));
                let mut far = steps_to(machine, site.thread, |loc| loc == from);
                for far in far.iter_mut().flatten() {
                    *far += more;
                }
                threads[site.thread.index()] = Some(far);
            }
            Goal::Property(number) => {
                let property = &program.properties()[number];
                let ends = match property.kind {
                    PropertyKind::FinalAssert | PropertyKind::Exists => true,
                    PropertyKind::Forbid | PropertyKind::Stuck | PropertyKind::Starved(_) => false,
                };
                if ends {
                    for (thread, far) in program.thread_ids().zip(&mut threads) {
                        let automaton = program.thread(thread);
                        *far = Some(steps_to(machine, thread, |loc| automaton.is_end(loc)));
                    }
                } else {
                    for (thread, loc) in required(&property.predicate) {
                        threads[thread.index()] =
                            Some(steps_to(machine, thread, |other| other == loc));
                    }
                }
            }
        }
        Self { flushed, threads }
    }

    /// `None` if the goal is out of reach.
    fn of(&self, machine: &Machine<'_>, config: &Config) -> Option<usize> {
        let stages = 1 + usize::from(machine.model.has_two_stages());
        let mut sum = 0;
        for (thread, buffer) in config.buffers.iter().enumerate() {
            let is_flushed = match self.flushed {
                Flushed::All => true,
                Flushed::Of(inside) => inside.index() == thread,
                Flushed::None => false,
            };
            if is_flushed {
                let waiting = buffer.waiting.iter().map(|item| match item {
                    BufferItem::Store { .. } => stages,
                    BufferItem::Fence(_) => 1,
                });
                sum += buffer.fifo.len() + waiting.sum::<usize>();
            }
        }
        for (far, loc) in self.threads.iter().zip(&config.locations) {
            if let Some(far) = far {
                sum += far[loc.index()]?;
            }
        }
        Some(sum)
    }

    /// Whether the thread has to take another step before the goal is reached.
    fn goes_on(&self, thread: ThreadId, config: &Config) -> bool {
        let far = self.threads[thread.index()].as_ref();
        let loc = config.locations[thread.index()];
        far.is_some_and(|far| far[loc.index()].is_none_or(|far| far > 0))
    }
}

/// The fewest steps from each location of a thread to one of these.
fn steps_to(
    machine: &Machine<'_>,
    thread: ThreadId,
    is_target: impl Fn(LocId) -> bool,
) -> Vec<Option<usize>> {
    let automaton = machine.program.thread(thread);
    distances(automaton, is_target, |instruction| {
        cost(machine, thread, automaton, instruction)
    })
}

/// The steps that an instruction takes, with those of the buffers.
fn cost(
    machine: &Machine<'_>,
    thread: ThreadId,
    automaton: &Thread,
    instruction: &Instruction,
) -> usize {
    let model = machine.model;
    let is_buffered =
        !automaton.location(instruction.from).is_locked() && model.relaxes_store_load();
    match &instruction.op {
        Op::Store { .. } if is_buffered => 2 + usize::from(model.has_two_stages()),
        Op::Fence(_) if machine.buffered_fence(thread, instruction).is_some() => 2,
        Op::Store { .. }
        | Op::Fence(_)
        | Op::Skip
        | Op::Assign { .. }
        | Op::Assume(_)
        | Op::Assert(_)
        | Op::Havoc { .. }
        | Op::Load { .. }
        | Op::Rmw { .. }
        | Op::AtomicBegin
        | Op::WordBegin(_)
        | Op::AtomicEnd => 1,
    }
}

/// The locations at which threads are if the predicate is true.
fn required(predicate: &Expr<Observable>) -> Vec<(ThreadId, LocId)> {
    match predicate {
        Expr::Var(Observable::At(thread, loc)) => vec![(*thread, *loc)],
        Expr::Binary(BinaryOp::And, left, right) => {
            let mut all = required(left);
            all.extend(required(right));
            all
        }
        Expr::Const(_)
        | Expr::Var(Observable::Register(..) | Observable::Cell(_))
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Conditional(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
