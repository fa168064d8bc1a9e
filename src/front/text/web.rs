//! Webs, in the sense of register allocation: a register, split into the definitions and uses that
//! belong together.
//!
//! A definition reaches the uses that some path leads to without another definition of the
//! register. Definitions that reach a common use belong to the same web, transitively. Two webs of
//! a register are independent: they might as well be two registers. A register that is observed
//! from outside is a single web.

use super::canonical::Flow;
use crate::program::RegId;
use ahash::AHashMap;

/// The webs of a thread, numbered in the order in which they are requested.
pub(crate) struct Webs {
    /// A node of the same web: first for the definition of each step, then for the initial values.
    same: Vec<usize>,
    steps: usize,
    /// For each register, whether it is observed, and its initial value.
    registers: Vec<(bool, i32)>,
    /// A definition that reaches the use of a register by a step.
    reaching: AHashMap<(usize, RegId), usize>,
    numbers: AHashMap<usize, RegId>,
    /// By number.
    init: Vec<Option<i32>>,
}

impl Webs {
    /// Splits the registers of a thread, except those that are observed.
    pub(crate) fn new(flow: &Flow<'_>, watched: impl Fn(RegId) -> bool) -> Self {
        let registers: Vec<(bool, i32)> = flow
            .thread
            .registers()
            .iter()
            .enumerate()
            .map(|(at, register)| (watched(at.into()), register.init))
            .collect();
        let steps = flow.steps.len();
        let mut webs = Self {
            same: (0..steps + registers.len()).collect(),
            steps,
            registers,
            reaching: AHashMap::new(),
            numbers: AHashMap::new(),
            init: Vec::new(),
        };
        let mut reached = vec![usize::MAX; flow.outgoing.len()];
        for (at, step) in flow.steps.iter().enumerate() {
            if let Some(reg) = step.op.target() {
                webs.follow(flow, at, reg, step.to, &mut reached);
            }
        }
        for at in 0..webs.registers.len() {
            webs.follow(flow, steps + at, at.into(), flow.entry, &mut reached);
        }
        webs
    }

    /// Joins a definition with all others that reach the same uses.
    fn follow(
        &mut self,
        flow: &Flow<'_>,
        definition: usize,
        reg: RegId,
        start: usize,
        reached: &mut [usize],
    ) {
        if self.registers[reg.index()].0 {
            return;
        }
        let mut work = vec![start];
        while let Some(loc) = work.pop() {
            if std::mem::replace(&mut reached[loc], definition) == definition {
                continue;
            }
            for &at in &flow.outgoing[loc] {
                let step = &flow.steps[at];
                if step.op.operands().iter().any(|e| e.vars().contains(&reg)) {
                    let other = *self.reaching.entry((at, reg)).or_insert(definition);
                    let (a, b) = (self.find(definition), self.find(other));
                    self.same[a] = b;
                }
                if step.op.target() != Some(reg) {
                    work.push(step.to);
                }
            }
        }
    }

    fn find(&mut self, mut node: usize) -> usize {
        while self.same[node] != node {
            self.same[node] = self.same[self.same[node]];
            node = self.same[node];
        }
        node
    }

    /// The number of the web that a step defines.
    pub(crate) fn defined(&mut self, step: usize, reg: RegId) -> RegId {
        self.number(step, reg)
    }

    /// The number of the web that a step uses.
    pub(crate) fn used(&mut self, step: usize, reg: RegId) -> RegId {
        // A use that no definition reaches is not reachable from the entry.
        let initial = self.steps + reg.index();
        let node = self.reaching.get(&(step, reg)).copied().unwrap_or(initial);
        self.number(node, reg)
    }

    /// The number of a register that is observed.
    pub(crate) fn watched(&mut self, reg: RegId) -> usize {
        self.number(self.steps + reg.index(), reg).index()
    }

    fn number(&mut self, node: usize, reg: RegId) -> RegId {
        let (watched, init) = self.registers[reg.index()];
        let initial = self.steps + reg.index();
        let web = if watched { initial } else { self.find(node) };
        let starts = self.find(initial) == web;
        let next = RegId::from(self.init.len());
        let number = *self.numbers.entry(web).or_insert(next);
        if number == next {
            self.init.push(starts.then_some(init));
        }
        number
    }

    /// The initial values, by number; `None` where a definition comes first.
    pub(crate) fn into_init(self) -> Vec<Option<i32>> {
        self.init
    }
}
