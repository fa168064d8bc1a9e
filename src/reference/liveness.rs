//! Registers whose values do not matter: two states of a thread that differ in these alone go on alike.

use crate::program::{Expr, Op, RegId, Thread};

/// A set of registers, 64 to a word.
type Set = Vec<u64>;

/// What an instruction does to the registers that are live after it.
struct Transfer {
    from: usize,
    reads: Set,
    target: Option<RegId>,
    /// Whether it only assigns to its target, which is not observed: then it reads nothing if that is dead.
    may_be_dead: bool,
}

/// For each location, the registers that no instruction reads before they are written, and that are
/// not observed. An assignment to such a register reads nothing: a count that only counts on is dead.
pub fn dead_registers(thread: &Thread, observed: impl Fn(RegId) -> bool) -> Vec<Vec<RegId>> {
    let registers = thread.registers().len();
    let words = registers.div_ceil(64);
    let mut live: Vec<Set> = vec![vec![0; words]; thread.locations().len()];
    let mut into: Vec<Vec<Transfer>> = live.iter().map(|_| Vec::new()).collect();
    for instruction in thread.instructions() {
        // Slices have instructions that are never executed.
        if matches!(instruction.op, Op::Assume(Expr::Const(0))) {
            continue;
        }
        let mut reads = vec![0; words];
        for operand in instruction.op.operands() {
            operand.for_each_var(&mut |reg: RegId| insert(&mut reads, reg));
        }
        let target = instruction.op.target();
        let is_assignment = matches!(instruction.op, Op::Assign { .. });
        into[instruction.to.index()].push(Transfer {
            from: instruction.from.index(),
            reads,
            target,
            may_be_dead: is_assignment && target.is_some_and(|target| !observed(target)),
        });
    }
    // Most instructions lead to a later location, so the last one comes first.
    let mut open: Vec<usize> = (0..live.len()).collect();
    let mut is_open = vec![true; live.len()];
    while let Some(to) = open.pop() {
        is_open[to] = false;
        for transfer in &into[to] {
            let mut before = live[to].clone();
            let is_dead = transfer
                .target
                .is_some_and(|target| !contains(&before, target));
            if let Some(target) = transfer.target {
                before[target.index() / 64] &= !(1 << (target.index() % 64));
            }
            if !(transfer.may_be_dead && is_dead) {
                for (word, reads) in before.iter_mut().zip(&transfer.reads) {
                    *word |= reads;
                }
            }
            let mut grows = false;
            for (here, there) in live[transfer.from].iter_mut().zip(before) {
                grows |= there & !*here != 0;
                *here |= there;
            }
            if grows && !is_open[transfer.from] {
                is_open[transfer.from] = true;
                open.push(transfer.from);
            }
        }
    }
    let all = || (0..registers).map(RegId::from);
    live.iter()
        .map(|live| {
            all()
                .filter(|&reg| !contains(live, reg) && !observed(reg))
                .collect()
        })
        .collect()
}

fn insert(set: &mut Set, reg: RegId) {
    set[reg.index() / 64] |= 1 << (reg.index() % 64);
}

fn contains(set: &Set, reg: RegId) -> bool {
    set[reg.index() / 64] >> (reg.index() % 64) & 1 == 1
}
