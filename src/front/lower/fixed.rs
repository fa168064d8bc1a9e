//! Cells that hold forever what they held before there were other threads.
//!
//! A walk takes a cell for fixed unless an earlier one, or itself, found a store to it. The last walk finds no store to
//! a cell that it took for fixed, so what it computed from them holds.
//!
//! **Which cells a store may reach.** One at a known address: that cell. Any other: the cells of its type among those that
//! are *exposed*, in the same object if its address is computed from a known one. An address can only come to be a value
//! at run time if
//!
//! * it is written into an instruction as one (`Lowering::expose`),
//! * it is in a cell from the beginning, and an instruction loads it from there, or
//! * it is computed from such a value. Then it leads into the same object; or anywhere, if numbers become addresses
//!   (`address`).
//!
//! A pointer to an element that has a run of such elements for itself stays in this run (`objects`), unless the program
//! makes something else of such pointers: it converts them, or pointers to their members, at run time
//! (`Learned::reshaped`), walks over a structure by pointers to scalars (`scan`), goes from members to what is around
//! them, passes them through functions of other types (`Learned::mixes`), or stores them as pointers to something else
//! (`Learned::doubtful`).
//!
//! Law: `c_fixed` compares with programs that load every cell. For each of these exceptions there is a program in
//! `corpus/c/regress/changed-*` that is wrong without it.

use super::Lowering;
use super::bounds::root;
use super::code::Code;
use super::deferred::Access;
use super::layout::cells;
use super::objects::{Object, innermost, runs};
use super::value::UNWRITTEN;
use super::view::unqualified;
use crate::lower::typed::{Type, TypeKind};
use crate::program::Op;
use crate::text::Loads;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Cells that change: by the names of their regions, which of them.
pub(super) type Changing = BTreeMap<String, BTreeSet<usize>>;

/// Whether plain accesses of this type may be left out where the value is known.
fn is_plain(ty: &Type) -> bool {
    let is_scalar = match ty.kind {
        TypeKind::Pointer(_) | TypeKind::Bool | TypeKind::Int { .. } => true,
        TypeKind::Void
        | TypeKind::Float { .. }
        | TypeKind::Array(..)
        | TypeKind::Struct(_)
        | TypeKind::Function(..)
        | TypeKind::Library(_) => false,
    };
    is_scalar && !ty.atomic && !ty.volatile
}

impl Lowering<'_> {
    /// What a cell holds forever, if it holds something and that is known. The variables of a litmus test are accessed by
    /// its instructions.
    pub(super) fn fixed(&self, address: i64) -> Option<i32> {
        let takes_none = self.options.loads == Loads::All || self.test.is_some();
        if takes_none {
            return None;
        }
        self.unchanged(address)
    }

    /// The same, whether accesses take it or load it.
    pub(super) fn unchanged(&self, address: i64) -> Option<i32> {
        if !is_plain(&self.memory.scalar(address)?.ty) {
            return None;
        }
        // What the lowering itself keeps in memory is stored to where the walk has ended.
        let whole = innermost(&self.memory.object_at(address)?.ty);
        if whole.atomic || whole.volatile {
            return None;
        }
        let (region, index) = self.memory.region_of(address)?;
        let changes = |by: &Changing| by.get(region).is_some_and(|cells| cells.contains(&index));
        (!changes(&self.learned.changing) && !changes(&self.now.changing))
            .then(|| self.memory.initial(address))
            .flatten()
            .filter(|bits| *bits != UNWRITTEN)
    }

    /// Whether a cell is one of a block or variable that may end, where accesses have to be checked.
    pub(super) fn has_an_end(&self, address: i64) -> bool {
        let object = self.memory.object_at(address);
        object.is_some_and(|object| object.on_heap || object.owner.is_some())
    }

    /// A store to a cell was found.
    pub(super) fn changes(&mut self, address: i64) {
        if let Some((region, index)) = self.memory.region_of(address) {
            let cells = self.now.changing.entry(region.to_owned()).or_default();
            cells.insert(index);
        }
    }

    /// The address of an object of this type becomes a value at run time; of any, if it is `void`.
    pub(super) fn expose(&mut self, address: i64, to: &Type) {
        self.publish(address);
        if self.memory.object_at(address).is_some() {
            self.memory.exposed.insert((address, unqualified(to)));
        }
    }

    /// The walk is at its end: finds out which cells change.
    pub(super) fn find_changes(&mut self) {
        if self.test.is_some() {
            return;
        }
        let codes = self
            .threads
            .iter()
            .filter_map(|thread| thread.code.as_ref());
        let codes: Vec<&Code> = codes.collect();
        let exposed = self.exposed(&codes);
        let (mut found, mut seen) = (BTreeSet::new(), BTreeSet::new());
        for code in &codes {
            let accesses = code.accesses.iter().map(|access| (access.instr, access));
            let accesses: BTreeMap<usize, &Access> = accesses.collect();
            for (number, instr) in code.instructions.iter().enumerate() {
                let address = instr
                    .op
                    .address()
                    .filter(|_| instr.op.writes() == Some(true));
                let Some(address) = address else {
                    continue;
                };
                if let Some(known) = address.as_const() {
                    found.insert(i64::from(known));
                    continue;
                }
                let access = accesses.get(&number);
                let own = root(address).and_then(|from| self.memory.object_at(from));
                let own = own.map(Object::range);
                if !seen.insert((
                    own.clone().map(|own| own.start),
                    access.map(|a| (&a.of, a.rep)),
                )) {
                    continue;
                }
                let is_own = |cell: &i64| own.as_ref().is_none_or(|own| own.contains(cell));
                let may_reach =
                    |cell: &i64| access.is_none_or(|access| self.may_write(*cell, access));
                let all = exposed.iter().copied().filter(is_own);
                found.extend(all.filter(may_reach));
            }
        }
        for address in found {
            self.changes(address);
        }
    }

    /// Whether a store at an address that is not known may be one to this cell.
    fn may_write(&self, cell: i64, access: &Access) -> bool {
        let there = self.memory.scalar(cell).map(|scalar| &scalar.ty);
        let (Some(there), Some(own)) = (there, &access.of) else {
            return self.may_see(cell, access);
        };
        if !self.learned.recast.is_empty() {
            return true;
        }
        if self.mixes() {
            return self.may_see(cell, access);
        }
        match (&there.kind, &own.kind) {
            (TypeKind::Library(there), TypeKind::Library(own)) => there == own,
            // Pointers that are stored as pointers to something else are doubtful, except for these.
            (TypeKind::Pointer(there), TypeKind::Pointer(own)) => {
                let is_any = |ty: &Type| matches!(ty.kind, TypeKind::Void | TypeKind::Function(..));
                is_any(there) || is_any(own) || unqualified(there) == unqualified(own)
            }
            _ => self.may_see(cell, access),
        }
    }

    /// The cells that an address at run time may lead to.
    fn exposed(&self, codes: &[&Code]) -> BTreeSet<i64> {
        if self.learned.numbered || self.now.numbered {
            return self.memory.placed.iter().flat_map(Object::range).collect();
        }
        let instructions = codes.iter().flat_map(|code| &code.instructions);
        let loads = instructions.filter(|instr| !matches!(instr.op, Op::Store { .. }));
        let known = loads.filter_map(|instr| instr.op.address()?.as_const());
        let loaded: BTreeSet<i64> = known.map(i64::from).collect();
        let mut exposed = BTreeSet::new();
        let values = loaded.iter().filter_map(|cell| self.pointer_in(*cell));
        let mut values: Vec<(i64, Type)> = values.collect();
        values.extend(self.memory.exposed.iter().cloned());
        let mut seen = BTreeSet::new();
        while let Some(value) = values.pop() {
            if seen.insert(value.clone()) {
                let (address, to) = value;
                for cell in self.within_reach(address, &to) {
                    if exposed.insert(cell) {
                        values.extend(self.pointer_in(cell));
                    }
                }
            }
        }
        exposed
    }

    /// The pointer that a cell holds from the beginning: to where, and to what.
    fn pointer_in(&self, cell: i64) -> Option<(i64, Type)> {
        let to = self.memory.scalar(cell)?.ty.pointee()?;
        let address = i64::from(self.memory.initial(cell)?);
        self.memory.object_at(address)?;
        Some((address, unqualified(to)))
    }

    /// The cells that addresses may lead to which are computed from one of an object of this type.
    fn within_reach(&self, address: i64, to: &Type) -> Range<i64> {
        let Some(object) = self.memory.object_at(address) else {
            return 0..0;
        };
        let run = self.own_run(object, address, to);
        run.map_or(object.range(), |(from, end)| from..end)
    }

    /// The run of elements that a pointer to one of them stays in; `None` if it may leave that.
    fn own_run(&self, object: &Object, address: i64, to: &Type) -> Option<(i64, i64)> {
        let is_lost = to.is_void() || self.mixes() || self.is_reshaped(to);
        if is_lost || self.walks_in(&object.ty) {
            return None;
        }
        let mut all = Vec::new();
        runs(
            self.unit,
            &object.ty,
            object.start,
            to,
            &self.facts,
            &mut all,
        );
        let (from, end) = *all.iter().find(|run| (run.0..run.1).contains(&address))?;
        // The end of one run may be taken for the beginning of the next.
        let touches = all.iter().any(|run| run.1 == from || run.0 == end);
        let is_element = (address - from) % cells(self.unit, to).max(1) == 0;
        (is_element && !touches).then_some((from, end))
    }

    /// Whether pointers to a type may be anything else, too, or what is around a member may be accessed from it.
    fn mixes(&self) -> bool {
        let learned = self.learned;
        learned.mixes
            || self.now.mixes
            || !learned.doubtful.is_empty()
            || !learned.strays.is_empty()
    }

    /// Whether the program may walk over a structure in this type by a pointer to a scalar.
    fn walks_in(&self, ty: &Type) -> bool {
        match &ty.kind {
            TypeKind::Array(element, _) => self.walks_in(element),
            TypeKind::Struct(id) => {
                let mut members = self.unit.structs[id.0].stored().iter();
                self.facts.walks_over_some(*id) || members.any(|member| self.walks_in(&member.ty))
            }
            _ => false,
        }
    }

    /// Whether a pointer at run time to this, or to a part of it, is converted to one to something else.
    fn is_reshaped(&self, ty: &Type) -> bool {
        let reshaped = [&self.learned.reshaped, &self.now.reshaped];
        let is_one = |ty: &Type| reshaped.iter().any(|all| all.contains(&unqualified(ty)));
        is_one(ty)
            || match &ty.kind {
                TypeKind::Array(element, _) => self.is_reshaped(element),
                TypeKind::Struct(id) => {
                    let members = self.unit.structs[id.0].stored();
                    members.iter().any(|member| self.is_reshaped(&member.ty))
                }
                _ => false,
            }
    }
}
