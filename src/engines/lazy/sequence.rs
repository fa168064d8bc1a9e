//! Sequences: paths of one thread from a delayed store to a load that overtakes it.

use super::emulation::Emulation;
use crate::program::{InstrId, Instruction, LocId, Program, Site, ThreadId};
use crate::reference::{Action, Moment, Run, Step};
use std::collections::BTreeMap;

/// A path of a thread, from a store to a load, on which nothing waits for the buffer to drain.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Sequence {
    thread: ThreadId,
    instrs: Vec<InstrId>,
}

impl Sequence {
    /// The path of these instructions. `None` if they do not form a path, if the first one is not a
    /// store or the last one not a load, or if one of them drains the buffer or is in an atomic
    /// block.
    pub fn new(program: &Program, thread: ThreadId, instrs: Vec<InstrId>) -> Option<Self> {
        let automaton = program.thread(thread);
        let instruction = |&instr: &InstrId| automaton.instruction(instr);
        let path: Vec<&Instruction> = instrs.iter().map(instruction).collect();
        let (first, last) = (path.first()?, path.last()?);
        let follows = path.windows(2).all(|pair| pair[0].to == pair[1].from);
        let delays = first.op.is_store() && last.op.writes() == Some(false);
        let waits = path.iter().any(|instruction| instruction.op.drains());
        let inside = path.iter().any(|i| automaton.location(i.from).atomic);
        (follows && delays && !waits && !inside).then_some(Self { thread, instrs })
    }

    /// The thread of the path.
    pub fn thread(&self) -> ThreadId {
        self.thread
    }

    /// The instructions.
    pub fn instrs(&self) -> &[InstrId] {
        &self.instrs
    }

    /// The instructions that a thread executes from its first store delayed past a load to the last
    /// load that overtakes that store. For the attacker of a witness this is the papers' `store ·
    /// τ2 · load` [BCDM15, Fig. 5].
    pub fn delayed(program: &Program, run: &Run, thread: ThreadId) -> Option<Self> {
        let own = run.moments.iter().enumerate();
        let own = own.filter(|(_, moment)| moment.site.thread == thread);
        let load = |from: usize, to: usize| {
            let mut between = own.clone().rev().filter(|&(at, _)| from < at && at < to);
            between.find(|(_, moment)| matches!(moment.action, Action::Load { .. }))
        };
        let (first, last) = buffered(run, thread)
            .find_map(|(issued, flushed)| load(issued, flushed).map(|(last, _)| (issued, last)))?;
        let path = own.filter(|&(at, _)| first <= at && at <= last);
        let instrs = path.filter_map(|(_, moment)| match moment.step {
            Step::Execute { instr, .. } => Some(instr),
            Step::Flush { .. } | Step::Advance { .. } | Step::Retire { .. } => None,
        });
        Self::new(program, thread, instrs.collect())
    }

    /// The instructions of the emulated program that the sequence stands for: the function `h` of
    /// [BCDM15, section 3.1].
    pub fn projected(&self, emulation: &Emulation) -> Vec<Site> {
        let site = |&instr: &InstrId| Site {
            thread: self.thread,
            instr,
        };
        let sites = self.instrs.iter().map(site);
        sites.filter_map(|site| emulation.executes(site)).collect()
    }
}

/// The position in the run at which each store of a thread is issued, and at which it reaches
/// memory.
pub(super) fn buffered(run: &Run, thread: ThreadId) -> impl Iterator<Item = (usize, usize)> {
    let own = move |wanted: fn(&Moment) -> bool| {
        let moments = run.moments.iter().enumerate();
        moments
            .filter(move |(_, moment)| moment.site.thread == thread && wanted(moment))
            .map(|(at, _)| at)
    };
    let issued = own(|moment| matches!(moment.action, Action::Issue { .. }));
    let flushed = own(|moment| matches!(moment.step, Step::Flush { .. }));
    // Stores leave the buffer in FIFO order.
    issued.zip(flushed)
}

/// All sequences of a thread that begin with the same store, as a prefix tree.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) root: InstrId,
    /// The first node is after the store.
    pub(super) nodes: Vec<Node>,
}

/// A prefix of a sequence.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The original location of the thread.
    pub(super) loc: LocId,
    /// The instructions from the store on.
    pub(super) path: Vec<InstrId>,
    /// The child nodes, by instruction.
    pub(super) children: BTreeMap<InstrId, usize>,
    /// Whether a sequence ends here.
    pub(super) ends: bool,
}

/// The sequences of this thread as trees, ordered by their stores.
pub(super) fn trees(program: &Program, thread: ThreadId, sequences: &[Sequence]) -> Vec<Tree> {
    let automaton = program.thread(thread);
    let node = |path: &[InstrId]| Node {
        loc: automaton.instruction(path[path.len() - 1]).to,
        path: path.to_vec(),
        children: BTreeMap::new(),
        ends: false,
    };
    let mut trees: BTreeMap<InstrId, Tree> = BTreeMap::new();
    for sequence in sequences.iter().filter(|s| s.thread == thread) {
        let Some(&root) = sequence.instrs.first() else {
            continue;
        };
        let tree = trees.entry(root).or_insert_with(|| Tree {
            root,
            nodes: vec![node(&[root])],
        });
        let mut at = 0;
        for (index, &instr) in sequence.instrs.iter().enumerate().skip(1) {
            let known = tree.nodes[at].children.get(&instr).copied();
            let child = known.unwrap_or(tree.nodes.len());
            if known.is_none() {
                tree.nodes[at].children.insert(instr, child);
                tree.nodes.push(node(&sequence.instrs[..=index]));
            }
            at = child;
        }
        tree.nodes[at].ends = true;
    }
    trees.into_values().collect()
}
