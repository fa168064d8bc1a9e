//! Atomic blocks that may not end.
//!
//! A block blocks everyone until it ends, so a computation that enters it and cannot leave it is none at
//! all. What a block reads first then decides whether something that happened before was possible. The
//! theorem that one delaying thread is enough for a violation of robustness [DMS17, Theorem 1] is about
//! instructions one by one: it rearranges a computation up to the access that closes the cycle, which
//! reads what it read before, and cuts off the rest. Where a block reads more than once and blocks after
//! that, the rest cannot be cut off: two threads may have to delay stores for one block to end.

use super::{Expr, Op, Overlap, Program, RegId, Thread};

impl Program {
    /// Whether some access consists of several cells ([`Op::WordBegin`]).
    pub fn has_words(&self) -> bool {
        self.threads()
            .iter()
            .any(|thread| thread.locations().iter().any(|location| location.word))
    }

    /// Whether some load of several cells waits for own stores that overlap it ([`Overlap::Wait`]).
    pub fn has_waiting_loads(&self) -> bool {
        self.sites()
            .any(|(_, instruction)| instruction.op == Op::WordBegin(Overlap::Wait))
    }

    /// The same program, in which each load of several cells does this with own stores that overlap it.
    #[must_use]
    pub fn with_overlap(&self, overlap: Overlap) -> Program {
        if !self.has_words() {
            return self.clone();
        }
        self.map_ops(|site, op| {
            let automaton = self.thread(site.thread);
            let word = op
                .begins_word()
                .then(|| automaton.word(site.instr))
                .flatten();
            let mut parts = word.into_iter().flatten();
            if parts.any(|part| matches!(automaton.instruction(part).op, Op::Load { .. })) {
                Op::WordBegin(overlap)
            } else {
                op.clone()
            }
        })
    }

    /// Whether some atomic block may fail to end after it has read memory this many times or more: it
    /// waits for a condition, has an address that may be outside shared memory, or a loop.
    pub fn may_stay_in_block(&self, reads: usize) -> bool {
        self.threads()
            .iter()
            .any(|thread| may_stay(self, thread, reads))
    }

    /// Whether a goal may be reached inside an atomic block: an assertion, or an access outside shared
    /// memory.
    pub fn has_goal_in_block(&self) -> bool {
        let mut threads = self.threads().iter();
        threads.any(|thread| {
            let mut inside = thread
                .instructions()
                .iter()
                .filter(|instruction| thread.location(instruction.from).atomic);
            inside.any(|instruction| {
                matches!(instruction.op, Op::Assert(_)) || !has_cell(self, &instruction.op)
            })
        })
    }
}

fn may_stay(program: &Program, thread: &Thread, reads: usize) -> bool {
    let locations = thread.locations().len();
    // By location inside a block: the numbers of reads before it, as bits; more count as `reads`.
    let mut before = vec![0_u64; locations];
    let most = reads.min(63);
    let mut work = Vec::new();
    for instruction in thread.instructions() {
        if instruction.op.begins_block() {
            before[instruction.to.index()] |= 1;
            work.push(instruction.to);
        }
    }
    // Edges between locations where the block has read enough.
    let mut later = vec![Vec::new(); locations];
    while let Some(from) = work.pop() {
        for &instr in thread.outgoing(from) {
            let instruction = thread.instruction(instr);
            let to = instruction.to.index();
            if !thread.location(instruction.to).atomic {
                continue;
            }
            let mut after = before[from.index()];
            if reads_memory(&instruction.op) {
                let enough = after & (1 << most);
                after = ((after << 1) & ((1 << (most + 1)) - 1)) | enough;
            }
            if before[to] | after != before[to] {
                before[to] |= after;
                work.push(instruction.to);
            }
        }
    }
    let has_read = |loc: usize| before[loc] & (1 << most) != 0;
    for loc in (0..locations).filter(|&loc| has_read(loc)) {
        let outgoing = thread.outgoing(loc.into());
        let ops: Vec<&Op> = outgoing
            .iter()
            .map(|&instr| &thread.instruction(instr).op)
            .collect();
        if !goes_on(program, &ops) {
            return true;
        }
        let targets = outgoing.iter().map(|&instr| thread.instruction(instr).to);
        later[loc].extend(targets.map(super::LocId::index).filter(|&to| has_read(to)));
    }
    is_cyclic(&later)
}

fn reads_memory(op: &Op) -> bool {
    matches!(op, Op::Load { .. } | Op::Rmw { .. })
}

/// Whether the address is certainly that of a cell; true without an address.
fn has_cell(program: &Program, op: &Op) -> bool {
    op.address().is_none_or(|address| match address {
        Expr::Const(value) => program.cell_at(*value).is_some(),
        Expr::Var(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(_) => false,
    })
}

/// Whether one of these instructions, of which a thread inside a block executes one, can be executed
/// whatever the values are.
fn goes_on(program: &Program, ops: &[&Op]) -> bool {
    let conditions: Vec<&Expr<RegId>> = ops.iter().filter_map(|op| op.condition()).collect();
    let always = |op: &&&Op| op.condition().is_none() && has_cell(program, op);
    ops.iter().find(always).is_some()
        || conditions
            .iter()
            .any(|a| conditions.iter().any(|b| a.is_opposite(b)))
}

fn is_cyclic(edges: &[Vec<usize>]) -> bool {
    // Take away what nothing leads to, until nothing is left or the rest is a cycle.
    let mut ways = vec![0_usize; edges.len()];
    for &to in edges.iter().flatten() {
        ways[to] += 1;
    }
    let mut free: Vec<usize> = (0..edges.len()).filter(|&loc| ways[loc] == 0).collect();
    let mut taken = 0;
    while let Some(loc) = free.pop() {
        taken += 1;
        for &to in &edges[loc] {
            ways[to] -= 1;
            if ways[to] == 0 {
                free.push(to);
            }
        }
    }
    taken < edges.len()
}
