//! Finds the kinds of values and the cells of each thread of a class: see [`symmetry`](super).
//!
//! Registers and cells are united where a value of one gets into, or is compared with, the other. Where
//! it is computed on the way, as `factor * value + offset`, they are not: what the computation gives for
//! each constant of the one gets into the other. What is known of a set only grows, so the instructions
//! are looked at again until nothing changes. A class of one member stands for a thread outside the class:
//! its constants are shared ones.

mod values;

use super::Slots;
use crate::program::{
    Addr, BinaryOp, Expr, Fence, Observable, Op, Program, RegId, ThreadId, Update,
};
use std::collections::{BTreeMap, BTreeSet};
use values::Value;

/// A set with more constants than this, such as that of a counter, is fixed.
const MOST_CONSTANTS: usize = 256;

/// The threads differ in more than what belongs to them.
#[derive(Debug)]
pub(super) struct Different;

/// What belongs to each thread of a class. An *owner* is the index of a thread in the class.
pub struct Kinds {
    /// By kind and owner: values.
    pub values: Vec<Vec<Vec<i32>>>,
    /// By index into the registers of a configuration: the kind.
    pub registers: Vec<Option<usize>>,
    /// By [`Addr::index`]: the kind of what the cell contains.
    pub contents: Vec<Option<usize>>,
    /// By owner: cells.
    pub cells: Vec<Vec<Addr>>,
}

/// What belongs to the threads of a class, which are alike up to constants. `dead` has, by thread and
/// location, the registers whose values do not matter.
pub(super) fn find(
    program: &Program,
    class: &[ThreadId],
    observed: &[Observable],
    dead: &[Vec<Vec<RegId>>],
) -> Result<Kinds, Different> {
    let slots = Slots::of(program);
    let registers = slots.count();
    let mut search = Search {
        program,
        slots,
        registers,
        parents: BTreeMap::new(),
        facts: BTreeMap::new(),
        shared: BTreeSet::new(),
        own: BTreeSet::new(),
        demands: Vec::new(),
        changed: true,
    };
    for &observable in observed {
        match observable {
            Observable::Register(thread, reg) => {
                let slot = search.slots.slot(thread, reg);
                search.fix(slot);
            }
            Observable::Cell(addr) => search.fix(registers + addr.index()),
            Observable::At(..) => {}
        }
    }
    let others = program
        .thread_ids()
        .filter(|thread| !class.contains(thread));
    let others: Vec<[ThreadId; 1]> = others.map(|thread| [thread]).collect();
    let groups = || std::iter::once(class).chain(others.iter().map(<[_; 1]>::as_slice));
    for group in groups() {
        search.enter(group, dead)?;
    }
    while search.changed {
        search.changed = false;
        search.demands.clear();
        for group in groups() {
            for instr in 0..program.thread(group[0]).instructions().len() {
                search.instruction(group, instr)?;
            }
        }
        search.initial_cells()?;
    }
    search.kinds(class.len())
}

/// A condition on a value that all threads of the class must agree on for their own values.
struct Demand {
    node: usize,
    factor: i32,
    offset: i32,
    op: BinaryOp,
    constant: i32,
    /// Whether the constant is the left operand.
    is_left: bool,
}

/// What is known of a set of registers and cells.
#[derive(Clone, Default)]
struct Facts {
    /// Something gets there that is no constant, or a goal observes it: no exchange may change it.
    is_fixed: bool,
    /// The constants that all threads share.
    shared: BTreeSet<i32>,
    /// Constants that differ, by owner.
    own: BTreeSet<Vec<i32>>,
}

struct Search<'p> {
    program: &'p Program,
    slots: Slots,
    /// How many registers there are; the nodes after them are cells.
    registers: usize,
    /// Towards the node that stands for the set; a node without an entry stands for its own. Most cells
    /// of a large array have none.
    parents: BTreeMap<usize, usize>,
    /// By node that stands for a set, if anything is known of it.
    facts: BTreeMap<usize, Facts>,
    /// The cells that no exchange moves.
    shared: BTreeSet<Addr>,
    /// Cells that belong to the threads of the class, by owner.
    own: BTreeSet<Vec<Addr>>,
    demands: Vec<Demand>,
    changed: bool,
}

impl Search<'_> {
    fn root(&mut self, mut node: usize) -> usize {
        while let Some(&parent) = self.parents.get(&node) {
            if let Some(&next) = self.parents.get(&parent) {
                self.parents.insert(node, next);
            }
            node = parent;
        }
        node
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.changed = true;
            self.parents.insert(b, a);
            if let Some(other) = self.facts.remove(&b) {
                let facts = self.facts.entry(a).or_default();
                facts.is_fixed |= other.is_fixed;
                facts.shared.extend(other.shared);
                facts.own.extend(other.own);
            }
        }
    }

    fn fix(&mut self, node: usize) {
        let root = self.root(node);
        let facts = self.facts.entry(root).or_default();
        self.changed |= !facts.is_fixed;
        facts.is_fixed = true;
    }

    /// A constant, by thread of a group, gets into a node or is compared with what is there.
    fn add(&mut self, node: usize, constants: Vec<i32>) -> Result<(), Different> {
        let root = self.root(node);
        let facts = self.facts.entry(root).or_default();
        let has_room = facts.shared.len() + facts.own.len() < MOST_CONSTANTS;
        match all_equal(&constants) {
            Some(_) if facts.is_fixed => {}
            Some(constant) if has_room => self.changed |= facts.shared.insert(constant),
            Some(constant) => {
                if !facts.shared.contains(&constant) {
                    self.fix(root);
                }
            }
            None if has_room && !facts.is_fixed => self.changed |= facts.own.insert(constants),
            None if facts.own.contains(&constants) && !facts.is_fixed => {}
            None => return Err(Different),
        }
        Ok(())
    }

    /// `factor * value + offset`, of a value of one node, gets into another one or is compared with what is
    /// there.
    fn flow(
        &mut self,
        node: usize,
        factor: i32,
        offset: i32,
        into: usize,
    ) -> Result<(), Different> {
        let (from, into) = (self.root(node), self.root(into));
        let facts = self.facts.get(&from).cloned().unwrap_or_default();
        if facts.is_fixed || from == into {
            // If both are in one set, what is computed gets to where it came from.
            self.fix(into);
        }
        if from == into {
            return Ok(());
        }
        let image = |value: &i32| value.wrapping_mul(factor).wrapping_add(offset);
        for constant in &facts.shared {
            self.add(into, vec![image(constant)])?;
        }
        for constants in &facts.own {
            self.add(into, constants.iter().map(image).collect())?;
        }
        Ok(())
    }

    /// The registers of the threads of a group are alike, and have their initial values.
    fn enter(&mut self, group: &[ThreadId], dead: &[Vec<Vec<RegId>>]) -> Result<(), Different> {
        let program = self.program;
        let first = program.thread(group[0]);
        for reg in (0..first.registers().len()).map(RegId::from) {
            let node = self.slots.slot(group[0], reg);
            for &thread in group {
                self.unite(node, self.slots.slot(thread, reg));
            }
            let is_dead = |&thread: &ThreadId| {
                let entry = program.thread(thread).entry();
                dead[thread.index()][entry.index()].contains(&reg)
            };
            if !group.iter().all(is_dead) {
                let initial =
                    |&thread: &ThreadId| program.thread(thread).registers()[reg.index()].init;
                self.add(node, group.iter().map(initial).collect())?;
            }
        }
        Ok(())
    }

    fn initial_cells(&mut self) -> Result<(), Different> {
        let initial = self.program.initial_memory();
        for cells in self.own.clone() {
            let contents = cells.iter().map(|cell| initial[cell.index()]).collect();
            self.add(self.registers + cells[0].index(), contents)?;
        }
        for cell in self.shared.clone() {
            self.add(self.registers + cell.index(), vec![initial[cell.index()]])?;
        }
        Ok(())
    }

    fn instruction(&mut self, group: &[ThreadId], instr: usize) -> Result<(), Different> {
        let program = self.program;
        let ops: Vec<&Op> = group
            .iter()
            .map(|&thread| &program.thread(thread).instructions()[instr].op)
            .collect();
        let operands: Vec<Vec<&Expr<RegId>>> = ops.iter().map(|op| op.operands()).collect();
        let operand = |number: usize| operands.iter().map(|all| all[number]).collect::<Vec<_>>();
        let target = ops[0].target().map(|into| self.slots.slot(group[0], into));
        match ops[0] {
            Op::Skip | Op::AtomicBegin | Op::WordBegin(_) | Op::AtomicEnd => {}
            Op::Fence(fence) => match fence {
                Fence::Full | Fence::Store | Fence::All => {}
                Fence::Cells(cells) => {
                    for &cell in cells {
                        self.changed |= self.shared.insert(cell);
                    }
                }
            },
            Op::Havoc { .. } => self.fix(target.ok_or(Different)?),
            Op::Assign { .. } => {
                let value = self.value(group, &operand(0))?;
                self.put(target.ok_or(Different)?, value)?;
            }
            Op::Assume(_) | Op::Assert(_) => {
                let value = self.value(group, &operand(0))?;
                self.ask(value, BinaryOp::Ne, 0, false)?;
            }
            Op::Load { .. } => {
                if let Some(cell) = self.cells(group, &operand(0))? {
                    self.unite(target.ok_or(Different)?, cell);
                }
            }
            Op::Store { .. } => {
                let value = self.value(group, &operand(1))?;
                if let Some(cell) = self.cells(group, &operand(0))? {
                    self.put(cell, value)?;
                }
            }
            Op::Rmw { update, .. } => {
                let Some(cell) = self.cells(group, &operand(0))? else {
                    return Ok(());
                };
                self.unite(target.ok_or(Different)?, cell);
                let value = self.value(group, &operand(1))?;
                match update {
                    Update::Exchange(_) => self.put(cell, value)?,
                    Update::CompareExchange { .. } => {
                        self.put(cell, value)?;
                        let desired = self.value(group, &operand(2))?;
                        self.put(cell, desired)?;
                    }
                    Update::Fetch(..) => {
                        self.fix(cell);
                        self.fixed(value)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The cells that an address may be, united; `None` if it is never a cell.
    fn cells(
        &mut self,
        group: &[ThreadId],
        address: &[&Expr<RegId>],
    ) -> Result<Option<usize>, Different> {
        let (node, factor, offset) = match self.value(group, address)? {
            Value::Constants(constants) => {
                let mut any = None;
                self.reach(&constants, &mut any)?;
                return Ok(any);
            }
            Value::Of {
                node,
                factor,
                offset,
            } => (self.root(node), factor, offset),
            Value::Fixed => return Ok(self.any_cell()),
        };
        let Facts {
            is_fixed,
            shared,
            own,
        } = self.facts.get(&node).cloned().unwrap_or_default();
        if is_fixed {
            return Ok(self.any_cell());
        }
        let image = |value: &i32| value.wrapping_mul(factor).wrapping_add(offset);
        let mut any = None;
        for constant in &shared {
            self.reach(&[image(constant)], &mut any)?;
        }
        for constants in &own {
            let images: Vec<i32> = constants.iter().map(image).collect();
            self.reach(&images, &mut any)?;
        }
        Ok(any)
    }

    /// An address, by thread of a group, is used; unites the cells that it may be.
    fn reach(&mut self, addresses: &[i32], any: &mut Option<usize>) -> Result<(), Different> {
        let program = self.program;
        let cells = addresses.iter().map(|&value| program.cell_at(value));
        let cells: Vec<Option<Addr>> = cells.collect();
        if cells.iter().all(Option::is_none) {
            return Ok(());
        }
        let cells: Option<Vec<Addr>> = cells.into_iter().collect();
        let cells = cells.ok_or(Different)?;
        let node = self.registers + cells[0].index();
        for cell in &cells {
            self.unite(node, self.registers + cell.index());
        }
        if let &mut Some(other) = any {
            self.unite(node, other);
        }
        *any = Some(node);
        self.changed |= match all_equal(&cells) {
            Some(cell) => self.shared.insert(cell),
            None => self.own.insert(cells),
        };
        (self.own.len() <= MOST_CONSTANTS)
            .then_some(())
            .ok_or(Different)
    }

    /// All cells, united: an address may be any of them.
    fn any_cell(&mut self) -> Option<usize> {
        for cell in self.program.cells() {
            self.changed |= self.shared.insert(cell);
            self.unite(self.registers, self.registers + cell.index());
        }
        (self.program.cell_count() > 0).then_some(self.registers)
    }

    /// What belongs to each thread, if that is all in which they differ.
    fn kinds(mut self, threads: usize) -> Result<Kinds, Different> {
        let cells = by_owner(&self.own, &self.shared, threads)?;
        for demand in std::mem::take(&mut self.demands) {
            let root = self.root(demand.node);
            for constants in self.facts.get(&root).iter().flat_map(|facts| &facts.own) {
                let result = |value: &i32| {
                    let value = value.wrapping_mul(demand.factor);
                    let value = value.wrapping_add(demand.offset);
                    apply(demand.op, value, demand.constant, demand.is_left)
                };
                all_equal(&constants.iter().map(result).collect::<Vec<_>>()).ok_or(Different)?;
            }
        }
        let mut values = Vec::new();
        let mut numbers = BTreeMap::new();
        for (&node, facts) in &self.facts {
            let Facts {
                is_fixed,
                shared,
                own,
            } = facts;
            if !own.is_empty() {
                if *is_fixed {
                    return Err(Different);
                }
                numbers.insert(node, values.len());
                values.push(by_owner(own, shared, threads)?);
            }
        }
        let all = 0..self.registers + self.program.cell_count();
        let mut kinds: Vec<Option<usize>> = all
            .map(|node| numbers.get(&self.root(node)).copied())
            .collect();
        let contents = kinds.split_off(self.registers);
        Ok(Kinds {
            values,
            registers: kinds,
            contents,
            cells,
        })
    }
}

/// What belongs to each owner, in the same order for all; `None` if something belongs to two, or to one
/// and to all.
fn by_owner<T: Copy + Ord>(
    own: &BTreeSet<Vec<T>>,
    shared: &BTreeSet<T>,
    owners: usize,
) -> Result<Vec<Vec<T>>, Different> {
    let mut taken = shared.clone();
    for thing in own.iter().flatten() {
        if !taken.insert(*thing) {
            return Err(Different);
        }
    }
    let of = |owner: usize| own.iter().map(|things| things[owner]).collect();
    Ok((0..owners).map(of).collect())
}

/// The value of all of these, if they are equal.
fn all_equal<T: Copy + PartialEq>(values: &[T]) -> Option<T> {
    let first = *values.first()?;
    values.iter().all(|&value| value == first).then_some(first)
}

fn apply(op: BinaryOp, value: i32, constant: i32, is_left: bool) -> i32 {
    if is_left {
        op.apply(constant, value)
    } else {
        op.apply(value, constant)
    }
}
