//! Emulations: a program that does under SC what another program does under TSO, and how to map its
//! computations back.
//!
//! Each instruction records what it stands for. So a computation of the emulation under SC maps to
//! a computation of the original under TSO, however often the program has been extended.

use super::extension::extend;
use super::sequence::Sequence;
use crate::engines::Extension;
use crate::model::Model;
use crate::program::{Fence, Goal, InstrId, Op, Program, Site, ThreadId};
use crate::reference::{Action, Buffered, Replay, ReplayError, Run, Step};
use std::collections::BTreeSet;

/// What an instruction does in the emulated program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Act {
    /// Nothing: bookkeeping.
    Nothing,
    /// The instruction is executed and takes effect immediately.
    Execute(Site),
    /// The store is issued and stays in the buffer.
    Issue(Site),
    /// The oldest store in the thread's buffer reaches memory.
    Flush,
}

/// A program, with what each of its instructions stands for in another program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Emulation {
    pub(super) program: Program,
    /// By thread and instruction.
    pub(super) acts: Vec<Vec<Act>>,
    /// The number of extensions.
    pub(super) extensions: usize,
    /// The instructions that stand for barriers.
    pub(super) barriers: BTreeSet<Site>,
}

impl Emulation {
    /// The program itself, without extensions.
    pub fn of(program: &Program) -> Self {
        let acts = program.thread_ids().map(|thread| {
            let count = program.thread(thread).instructions().len();
            let site = |instr| Site { thread, instr };
            let all = (0..count).map(InstrId::from);
            all.map(|instr| Act::Execute(site(instr))).collect()
        });
        Self::new(program.clone(), acts.collect())
    }

    /// A program in which each instruction is bookkeeping or executes an instruction of another
    /// program.
    pub(super) fn new(program: Program, acts: Vec<Vec<Act>>) -> Self {
        let barriers = program
            .sites()
            .filter(|(_, instruction)| instruction.op == Op::Fence(Fence::All))
            .map(|(site, _)| site)
            .collect();
        Self {
            program,
            acts,
            extensions: 0,
            barriers,
        }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The program that also does by itself, under SC, what these sequences of it do under TSO: `⊕`
    /// of [BCDM15, section 3]. All threads, registers, locations and instructions keep their ids,
    /// and new ones follow them. Requires sequences of this program.
    #[must_use]
    pub fn extended(&self, sequences: &[Sequence], extension: Extension) -> Self {
        extend(self, sequences, extension)
    }

    /// The number of instructions.
    pub(super) fn size(&self) -> usize {
        self.acts.iter().map(Vec::len).sum()
    }

    pub(super) fn act(&self, site: Site) -> Act {
        self.acts[site.thread.index()][site.instr.index()]
    }

    /// The instruction of the emulated program that is executed or issued here.
    pub(super) fn executes(&self, site: Site) -> Option<Site> {
        match self.act(site) {
            Act::Execute(site) | Act::Issue(site) => Some(site),
            Act::Nothing | Act::Flush => None,
        }
    }

    /// The goals of the emulation that correspond to a goal of the emulated program.
    pub fn images(&self, goal: Goal) -> Vec<Goal> {
        let stands_for = |image: &Goal| match (goal, *image) {
            (Goal::Property(a), Goal::Property(b)) => a == b,
            (Goal::Assert(a), Goal::Assert(b)) | (Goal::Outside(a), Goal::Outside(b)) => {
                self.act(b) == Act::Execute(a)
            }
            (Goal::Property(_) | Goal::Assert(_) | Goal::Outside(_), _) => false,
        };
        // The limits of the program are assertions, too, and no goals of it.
        let limits = self.program.limits().iter().copied().map(Goal::Assert);
        let mut goals = self.program.goals();
        goals.extend(limits);
        goals.retain(stands_for);
        goals
    }

    /// The steps of the emulated program that an SC computation of the emulation stands for. Stores
    /// that are still buffered at the end are flushed, as far as that is possible.
    pub(super) fn steps(&self, emulated: &Program, run: &Run) -> Result<Vec<Step>, ReplayError> {
        let mut steps = Steps {
            replay: Replay::new(emulated, Model::Tso),
            taken: Vec::new(),
        };
        for moment in &run.moments {
            let Step::Execute { thread, choice, .. } = moment.step else {
                continue;
            };
            match self.act(moment.site) {
                Act::Nothing => {}
                Act::Issue(site) => {
                    steps.execute(site, choice)?;
                }
                Act::Execute(site) => {
                    if steps.execute(site, choice)? {
                        steps.flush(thread)?;
                    }
                }
                Act::Flush => steps.flush(thread)?,
            }
        }
        for thread in emulated.thread_ids() {
            let late = steps.replay.buffered(thread).count();
            if (0..late).any(|_| steps.flush(thread).is_err()) {
                break;
            }
        }
        Ok(steps.taken)
    }
}

/// A TSO computation under construction.
struct Steps<'p> {
    replay: Replay<'p>,
    taken: Vec<Step>,
}

impl Steps<'_> {
    /// Returns whether a store went into the buffer.
    fn execute(&mut self, site: Site, choice: Option<i32>) -> Result<bool, ReplayError> {
        let Site { thread, instr } = site;
        let step = Step::Execute {
            thread,
            instr,
            choice,
        };
        let issued = matches!(self.replay.step(step)?.action, Action::Issue { .. });
        self.taken.push(step);
        Ok(issued)
    }

    fn flush(&mut self, thread: ThreadId) -> Result<(), ReplayError> {
        let oldest = self.replay.buffered(thread).next();
        let Some(&Buffered::Store { addr, .. }) = oldest else {
            return Err(ReplayError {
                at: self.taken.len(),
                message: "a store reaches memory that was never issued".to_owned(),
            });
        };
        let step = Step::Flush { thread, addr };
        self.replay.step(step)?;
        self.taken.push(step);
        Ok(())
    }
}
