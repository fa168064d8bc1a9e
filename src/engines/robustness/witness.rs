//! Witnesses: maps a computation of a derived program to one of the original program, and checks
//! that it has the properties that the theorems state.
//!
//! ```text
//! τ = τ1 · issue(st) · τ2 · last · τ3 · st · τ4
//! (W1) only the attacker delays stores
//! (W2) st is the first delayed store, an instance of the attack's store; last is the attacker's last
//!      action and an instance of the attack's last
//! (W3) every access of τ3, and st, happens after last
//! (W4) τ4 consists of the attacker's delayed stores
//! (W5) last does not read from the attacker's own buffer
//! ```
//! [BDM13, Fig. 4], [DMS17, Prop. 2]
//!
//! **Invariant.** Witnesses are made as steps. They become executions in one place, [`witnessed`], where the
//! reference executes them and all five properties hold.

use super::attack::Attack;
use super::instrument::{Derived, Role, pause};
use crate::model::Model;
use crate::problem::Steps;
use crate::program::{LocId, Op, Program, Site, ThreadId};
use crate::reference::{
    Buffered, Event, EventId, HappensBefore, Moment, Replay, ReplayError, Run, Step, replay,
};
use crate::search::shorten_while;
use crate::verdict::Defect;
use std::collections::BTreeMap;

/// The original computation that a computation of the derived program stands for, shortened.
///
/// # Errors
///
/// If there is none: a defect of this program.
pub(super) fn witness(
    program: &Program,
    model: Model,
    derived: &Derived,
    attack: Attack,
    of_derived: &[Step],
) -> Result<Steps, Defect> {
    let steps = steps(program, model, derived, attack.thread, of_derived).map_err(rejected)?;
    Ok(shortened(program, model, attack, steps))
}

fn rejected(ReplayError { at, message }: ReplayError) -> Defect {
    Defect::witness(format!("step {at}: {message}"))
}

/// The execution of this program that the steps stand for, a witness of the attack.
///
/// # Errors
///
/// If the reference rejects the steps, or they are not a witness.
pub(crate) fn witnessed(
    program: &Program,
    model: Model,
    attack: Attack,
    steps: &[Step],
) -> Result<Run, Defect> {
    let run = replay(program, model, steps).map_err(rejected)?;
    check_witness(&run, attack).map_err(Defect::witness)?;
    Ok(run)
}

/// The witness obtained from a computation that is one except for (W3): whatever happens after the
/// last action without depending on it is moved before it.
///
/// # Errors
///
/// If the attacker accesses nothing: a defect of this program.
pub(super) fn hoist_independent(
    program: &Program,
    model: Model,
    attack: Attack,
    run: &Run,
) -> Result<Steps, Defect> {
    let hb = run.happens_before();
    let own = hb.events.iter().enumerate();
    let last = own
        .filter(|(_, event)| event.site.thread == attack.thread)
        .max_by_key(|(_, event)| event.executed);
    let Some((last, event)) = last else {
        return Err(Defect::witness("the attacker accesses nothing"));
    };
    let after = dependent(&hb, EventId(last as u32), attack.thread);
    // The position of each helper's first dependent access, or of the block that contains it.
    let mut starts = vec![usize::MAX; program.threads().len()];
    for (event, _) in hb.events.iter().zip(&after).filter(|&(_, &after)| after) {
        let begins = |moment: &Moment| event.block.is_some() && moment.block == event.block;
        let begin = run.moments.iter().position(begins);
        let start = &mut starts[event.site.thread.index()];
        *start = begin.unwrap_or(event.executed).min(*start);
    }
    let (mut steps, mut rest): (Vec<Step>, Vec<Step>) = (Vec::new(), Vec::new());
    for (at, moment) in run.moments.iter().enumerate() {
        let thread = moment.site.thread;
        let independent = thread != attack.thread && at < starts[thread.index()];
        if at < event.executed || independent {
            steps.push(moment.step);
        } else {
            rest.push(moment.step);
        }
    }
    steps.extend(rest);
    Ok(shortened(program, model, attack, steps))
}

/// The steps of a witness, without those that it does not need. What is no witness is left as it is, and rejected
/// where it is replayed.
fn shortened(program: &Program, model: Model, attack: Attack, steps: Steps) -> Steps {
    let is_witness = |run: &Run| check_witness(run, attack).is_ok();
    match replay(program, model, &steps) {
        Ok(run) if is_witness(&run) => shorten_while(program, model, steps, is_witness),
        Ok(_) | Err(_) => steps,
    }
}

/// The steps of the original that the derived computation stands for. Each action takes effect
/// immediately, except for what the attacker delays, which leaves the buffer at the end.
fn steps(
    program: &Program,
    model: Model,
    derived: &Derived,
    attacker: ThreadId,
    of_derived: &[Step],
) -> Result<Steps, ReplayError> {
    let mut rebuilt = Rebuilt {
        program,
        model,
        replay: Replay::new(program, model),
        steps: Vec::new(),
        advanced: 0,
        word: (0, Role::Executed),
    };
    for &step in of_derived {
        let Step::Execute {
            thread,
            instr,
            choice,
        } = step
        else {
            continue;
        };
        if let Some((site, role)) = derived.act(Site { thread, instr }) {
            let fence = matches!(program.instruction(site).op, Op::Fence(_));
            if role == Role::Delayed && fence {
                rebuilt.advance_all(site.thread)?;
            }
            rebuilt.execute(site, choice, role)?;
        }
    }
    rebuilt.advance_all(attacker)?;
    let late: Vec<Buffered> = rebuilt.replay.buffered(attacker).cloned().collect();
    for item in &late {
        rebuilt.leave(attacker, item)?;
    }
    Ok(rebuilt.steps)
}

/// A computation of the original program under construction.
struct Rebuilt<'p> {
    program: &'p Program,
    model: Model,
    replay: Replay<'p>,
    steps: Vec<Step>,
    /// PGAS: how many of the attacker's oldest buffered items are in its FIFO.
    advanced: usize,
    /// Of the word access that is executed: how much was buffered before, and whether its stores are delayed.
    word: (usize, Role),
}

impl Rebuilt<'_> {
    fn step(&mut self, step: Step) -> Result<(), ReplayError> {
        self.replay.step(step)?;
        self.steps.push(step);
        Ok(())
    }

    fn execute(&mut self, site: Site, choice: Option<i32>, role: Role) -> Result<(), ReplayError> {
        let Site { thread, instr } = site;
        self.pass(site)?;
        let before = self.replay.buffered(thread).count();
        self.step(Step::Execute {
            thread,
            instr,
            choice,
        })?;
        let automaton = self.program.thread(thread);
        let is_in_word = |loc: LocId| automaton.location(loc).word;
        if is_in_word(self.replay.location(thread)) {
            // What a word access stores moves once it has ended.
            if self.program.instruction(site).op.begins_word() {
                self.word = (before, Role::Executed);
            }
            if role == Role::Delayed {
                self.word.1 = role;
            }
            return Ok(());
        }
        if is_in_word(automaton.instruction(instr).from) {
            return self.leave_word(thread);
        }
        let Some(issued) = self.replay.buffered(thread).nth(before).cloned() else {
            return Ok(());
        };
        match (role, &issued) {
            (Role::Executed, &Buffered::Store { addr, .. }) => {
                if self.model.has_two_stages() {
                    self.step(Step::Advance { thread, addr })?;
                }
                self.leave(thread, &issued)
            }
            (Role::Executed, Buffered::Fence { .. }) => self.leave(thread, &issued),
            (Role::Delayed, Buffered::Fence { .. }) => {
                self.advanced = before + 1;
                Ok(())
            }
            (Role::Delayed, Buffered::Store { .. }) => Ok(()),
        }
    }

    /// The word access has ended: its stores take effect unless they are delayed.
    fn leave_word(&mut self, thread: ThreadId) -> Result<(), ReplayError> {
        let (before, role) = self.word;
        if role == Role::Delayed {
            return Ok(());
        }
        let stored = self.replay.buffered(thread).skip(before).cloned();
        let stored: Vec<Buffered> = stored.collect();
        for item in stored.iter().filter(|_| self.model.has_two_stages()) {
            if let &Buffered::Store { addr, .. } = item {
                self.steps.push(Step::Advance { thread, addr });
                self.replay.step(Step::Advance { thread, addr })?;
            }
        }
        stored.iter().try_for_each(|item| self.leave(thread, item))
    }

    /// Passes the positions before an instruction that the derived program has left out.
    fn pass(&mut self, site: Site) -> Result<(), ReplayError> {
        let Site { thread, instr } = site;
        let automaton = self.program.thread(thread);
        let from = automaton.instruction(instr).from;
        for _ in 0..automaton.locations().len() {
            let here = self.replay.location(thread);
            match pause(automaton, here) {
                Some(instr) if here != from => self.step(Step::Execute {
                    thread,
                    instr,
                    choice: None,
                })?,
                _ => break,
            }
        }
        Ok(())
    }

    /// PGAS: moves all waiting stores to the FIFO, oldest first. A lightweight fence that has to
    /// wait is issued after them, and whatever is issued after the fence has to wait with it. So
    /// the FIFO holds everything in the order of issue.
    fn advance_all(&mut self, thread: ThreadId) -> Result<(), ReplayError> {
        if !self.model.has_two_stages() {
            return Ok(());
        }
        let items = self.replay.buffered(thread).skip(self.advanced).cloned();
        for item in items.collect::<Vec<_>>() {
            if let Buffered::Store { addr, .. } = item {
                self.step(Step::Advance { thread, addr })?;
            }
            self.advanced += 1;
        }
        Ok(())
    }

    /// Removes the oldest item like this one from the buffer.
    fn leave(&mut self, thread: ThreadId, item: &Buffered) -> Result<(), ReplayError> {
        self.step(match *item {
            Buffered::Store { addr, .. } => Step::Flush { thread, addr },
            Buffered::Fence { .. } => Step::Retire { thread },
        })
    }
}

/// Checks that a computation is a witness of the attack.
///
/// # Errors
///
/// The property of (W1) to (W5) that it violates.
pub fn check_witness(run: &Run, attack: Attack) -> Result<(), String> {
    let hb = run.happens_before();
    let executions = |thread: ThreadId, event: &Event| {
        let between = run.moments.iter().take(event.effective);
        between.skip(event.executed + 1).any(|moment| {
            let is_same = event.block.is_some() && moment.block == event.block;
            let executes = matches!(moment.step, Step::Execute { .. }) && !is_same;
            executes && moment.site.thread == thread
        })
    };
    // The parts of a word access are one action.
    let part = |of: &Event, site: Site| -> Option<EventId> {
        let is_together = |event: &Event| {
            event.executed == of.executed || of.block.is_some() && event.block == of.block
        };
        let mut events = hb.events.iter();
        let found = events.position(|event| is_together(event) && event.site == site);
        found.map(|index| EventId(index as u32))
    };
    let delayed: Vec<&Event> = hb
        .events
        .iter()
        .filter(|event| executions(event.site.thread, event))
        .collect();
    // (W1)
    if delayed.iter().any(|e| e.site.thread != attack.thread) {
        return Err("(W1): a helper delays a store".to_owned());
    }
    // (W2)
    let Some(oldest) = delayed.iter().min_by_key(|event| event.executed) else {
        return Err("(W2): no store is delayed".to_owned());
    };
    let own = hb.events.iter().enumerate();
    let last = own
        .filter(|(_, event)| event.site.thread == attack.thread)
        .max_by_key(|(_, event)| event.executed);
    let Some((_, last_event)) = last else {
        return Err("(W2): the attacker does nothing".to_owned());
    };
    let Some(first) = part(oldest, attack.store_site()) else {
        return Err("(W2): another store is the first delayed one".to_owned());
    };
    let first = hb.event(first);
    let last = part(last_event, attack.last_site());
    let Some(last) = last.filter(|_| last_event.effective <= first.effective) else {
        return Err("(W2): another action is the last one".to_owned());
    };
    let last_event = hb.event(last);
    // (W3)
    let dependent = dependent(&hb, last, attack.thread);
    let mut back = false;
    for (event, &dependent) in hb.events.iter().zip(&dependent) {
        if event.site.thread == attack.thread || event.effective < last_event.effective {
            continue;
        }
        if !dependent {
            return Err("(W3): a helper's access does not happen after the last action".to_owned());
        }
        back |= event.addr == first.addr && event.effective < first.effective;
    }
    if !back {
        return Err("(W3): the delayed store does not happen after the last action".to_owned());
    }
    // (W4)
    let rest = run.moments.iter().skip(oldest.effective);
    let is_flush = |moment: &Moment| {
        moment.site.thread == attack.thread && !matches!(moment.step, Step::Execute { .. })
    };
    if !rest.into_iter().all(is_flush) {
        return Err("(W4): something else comes after the delayed store".to_owned());
    }
    // (W5)
    let source = hb.source[last.index()].map(|store| hb.event(store));
    if source.is_some_and(|store| {
        store.site.thread == attack.thread && store.effective > last_event.executed
    }) {
        return Err("(W5): the last action reads a delayed store".to_owned());
    }
    if !hb.is_cyclic() {
        return Err("happens-before has no cycle".to_owned());
    }
    Ok(())
}

/// Which accesses happen after `last` through accesses of the helpers, with each atomic block, and each word access, also
/// the last one, treated as one node.
fn dependent(hb: &HappensBefore, last: EventId, attacker: ThreadId) -> Vec<bool> {
    let mut successors = vec![Vec::new(); hb.events.len()];
    for edge in hb
        .edges
        .iter()
        .filter(|edge| hb.thread(edge.to) != attacker)
    {
        successors[edge.from.index()].push(edge.to);
    }
    let mut blocks: BTreeMap<u32, Vec<EventId>> = BTreeMap::new();
    for (event, index) in hb.events.iter().zip(0..) {
        if let Some(block) = event.block {
            blocks.entry(block).or_default().push(EventId(index));
        }
    }
    let mut dependent = vec![false; hb.events.len()];
    let mut work = match hb.event(last).block {
        None => vec![last],
        Some(block) => blocks[&block].clone(),
    };
    while let Some(event) = work.pop() {
        for next in std::mem::take(&mut successors[event.index()]) {
            let node = match hb.event(next).block {
                None => std::slice::from_ref(&next),
                Some(block) => &blocks[&block],
            };
            for &event in node {
                if !std::mem::replace(&mut dependent[event.index()], true) {
                    work.push(event);
                }
            }
        }
    }
    dependent
}
