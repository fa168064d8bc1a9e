//! Shared memory: which object is in which cells, what they are called, what they hold at first.
//!
//! One cell per scalar, in the order of members and elements.

use super::code::Loc;
use super::deferred::bits_of;
use super::layout::{Scalar, cells, scalars};
use super::objects::Object;
use super::value::UNWRITTEN;
use crate::lower::typed::{Type, TypeKind, Unit};
use crate::program::{FIRST_ADDRESS, ProgramBuilder};
use std::collections::{BTreeMap, BTreeSet};

/// A range of cells with a name of their own: a scalar, or an array of scalars.
#[derive(Debug)]
struct Region {
    name: String,
    init: Vec<i32>,
    array: bool,
}

/// Shared memory while it is laid out.
#[derive(Default, Debug)]
pub(super) struct Memory {
    regions: Vec<Region>,
    /// By cell: its region.
    cells: Vec<usize>,
    /// By cell: what it holds.
    scalars: Vec<Scalar>,
    names: BTreeSet<String>,
    /// Where each object with static storage duration is, once it was mentioned.
    pub(super) objects: BTreeMap<(usize, Option<usize>), i64>,
    /// All objects that pointers may lead to, by address.
    pub(super) placed: Vec<Object>,
    /// The starts of blocks whose address was stored, handed to a thread, or freed.
    pub(super) published: BTreeSet<i64>,
    /// The addresses that become values at run time, and what the pointers point to.
    pub(super) exposed: BTreeSet<(i64, Type)>,
    /// A cell that is always 0, as the mark of what is never freed.
    pub(super) unmarked: Option<i64>,
    /// What structures were copied to that may have members without a value: cells, and, where the
    /// address is not known, scalars of these sizes.
    copied: BTreeSet<i64>,
    copied_anywhere: BTreeSet<Option<u8>>,
    /// Whether a structure was copied that has a member without a value.
    copies_unset: bool,
    /// All cells that may be read before anything is written to them.
    unwritten: BTreeSet<i64>,
    /// The threads that handles in memory stand for, in the order in which they were stored.
    pub(super) handles: Vec<Handle>,
    /// Those that were taken for certain where they were read.
    pub(super) handles_read: Vec<Handle>,
}

/// A thread's handle that was stored in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handle {
    /// The number of the thread.
    pub(super) address: i64,
    pub(super) number: i64,
    /// The thread that stored it, and where.
    pub(super) by: usize,
    pub(super) at: Loc,
}

impl Memory {
    /// Puts an object of this type into new cells, all 0, and returns the address of the first.
    pub(super) fn place(&mut self, unit: &Unit, name: &str, ty: &Type) -> i64 {
        let address = self.next();
        let mut unique = name.to_owned();
        let mut number = 1;
        while !self.names.insert(unique.clone()) {
            number += 1;
            unique = format!("{name}#{number}");
        }
        self.put(unit, &unique, ty);
        self.scalars.extend(scalars(unit, ty));
        address
    }

    fn next(&self) -> i64 {
        i64::from(FIRST_ADDRESS) + self.cells.len() as i64
    }

    fn put(&mut self, unit: &Unit, name: &str, ty: &Type) {
        match &ty.kind {
            TypeKind::Array(element, count) => {
                if matches!(element.kind, TypeKind::Array(..) | TypeKind::Struct(_))
                    || cells(unit, element) != 1
                {
                    for index in 0..*count {
                        self.put(unit, &format!("{name}[{index}]"), element);
                    }
                } else {
                    self.region(name, *count as usize, true);
                }
            }
            TypeKind::Struct(id) => {
                for member in unit.structs[id.0].stored() {
                    let name = if member.name.is_empty() {
                        name.to_owned()
                    } else {
                        format!("{name}.{}", member.name)
                    };
                    self.put(unit, &name, &member.ty);
                }
            }
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Pointer(_)
            | TypeKind::Function(..)
            | TypeKind::Library(_) => {
                let count = cells(unit, ty) as usize;
                self.region(name, count, count > 1);
            }
        }
    }

    fn region(&mut self, name: &str, count: usize, array: bool) {
        // An array without a length may have no elements.
        if count == 0 {
            return;
        }
        self.cells
            .extend(std::iter::repeat_n(self.regions.len(), count));
        self.regions.push(Region {
            name: name.to_owned(),
            init: vec![0; count],
            array,
        });
    }

    /// What the cell at this address holds; `None` if there is no such cell.
    pub(super) fn scalar(&self, address: i64) -> Option<&Scalar> {
        let index = usize::try_from(address - i64::from(FIRST_ADDRESS)).ok()?;
        self.scalars.get(index)
    }

    /// What the cells of an object hold.
    pub(super) fn scalars_of(&self, object: &Object) -> &[Scalar] {
        let from = (object.start - i64::from(FIRST_ADDRESS)) as usize;
        // An object without cells may be where none are yet.
        let all = self.scalars.get(from..from + object.cells as usize);
        all.unwrap_or_default()
    }

    /// The size of the scalar in a cell, in bits; `None` if there is no such cell, or its type is that
    /// of a library.
    pub(super) fn bits(&self, address: i64) -> Option<u8> {
        bits_of(&self.scalar(address)?.ty)
    }

    /// Whether there is a cell at this address.
    pub(super) fn has(&self, address: i64) -> bool {
        (i64::from(FIRST_ADDRESS)..self.next()).contains(&address)
    }

    /// The region of a cell, and which cell of the region it is.
    fn find(&self, address: i64) -> Option<(usize, usize)> {
        let index = usize::try_from(address - i64::from(FIRST_ADDRESS)).ok()?;
        let region = *self.cells.get(index)?;
        let start = self.cells.partition_point(|&other| other < region);
        Some((region, index - start))
    }

    /// The name of the region that a cell is in, and which cell of it.
    pub(super) fn region_of(&self, address: i64) -> Option<(&str, usize)> {
        let (region, index) = self.find(address)?;
        Some((&self.regions[region].name, index))
    }

    /// The initial value of a cell.
    pub(super) fn initial(&self, address: i64) -> Option<i32> {
        let (region, index) = self.find(address)?;
        self.regions[region].init.get(index).copied()
    }

    /// Sets the initial value of a cell.
    pub(super) fn set_initial(&mut self, address: i64, value: i32) {
        if let Some((region, index)) = self.find(address)
            && let Some(cell) = self.regions[region].init.get_mut(index)
        {
            *cell = value;
        }
    }

    /// A scalar that may have no value is stored at an address.
    pub(super) fn copied_to(&mut self, address: Option<i64>, bits: Option<u8>) {
        match address {
            Some(address) => {
                self.copied.insert(address);
            }
            None => {
                self.copied_anywhere.insert(bits);
            }
        }
    }

    /// A scalar that has no value is copied.
    pub(super) fn copies_unset(&mut self) {
        self.copies_unset = true;
    }

    /// All initial values are known: finds out what may be read before it is written.
    pub(super) fn seal(&mut self) {
        let inits = self.regions.iter().flat_map(|region| &region.init);
        let all = (i64::from(FIRST_ADDRESS)..).zip(inits);
        let initially = all.filter(|(_, init)| **init == UNWRITTEN);
        self.unwritten = initially.map(|(cell, _)| cell).collect();
        if self.copies_unset || !self.unwritten.is_empty() {
            self.unwritten.append(&mut self.copied);
            let all = i64::from(FIRST_ADDRESS)..self.next();
            let such = all.filter(|&cell| self.copied_anywhere.contains(&self.bits(cell)));
            let such: Vec<i64> = such.collect();
            self.unwritten.extend(such);
        }
    }

    /// Whether a cell may be read before anything is written to it.
    pub(super) fn may_be_unwritten(&self, cell: i64) -> bool {
        self.unwritten.contains(&cell)
    }

    /// The object that an address is in, or at the guarded end of.
    pub(super) fn object_at(&self, address: i64) -> Option<&Object> {
        let after = self
            .placed
            .partition_point(|object| object.start <= address);
        let object = self.placed.get(after.checked_sub(1)?)?;
        let guard = object.guard.as_ref().map(|guard| *guard.end());
        let end = guard.unwrap_or(object.start + object.cells - 1);
        (address <= end).then_some(object)
    }

    /// The blocks that were allocated.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &Object> {
        self.placed.iter().filter(|object| object.on_heap)
    }

    /// Declares all cells.
    pub(super) fn declare(self, builder: &mut ProgramBuilder) {
        for region in self.regions {
            if region.array {
                builder.array(region.name, region.init);
            } else {
                builder.cell(region.name, region.init.first().copied().unwrap_or(0));
            }
        }
    }
}
