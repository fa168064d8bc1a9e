//! What is known of local variables at a point of the program: the frames of the functions that are
//! being inlined, and the value or the register of each scalar in them.

use super::code::Loc;
use super::value::{UNSET, Value};
use crate::lower::typed::{FunctionId, LocalId};
use crate::program::RegId;
use crate::text::Place;

/// The first address of locals that live in registers. No cell has one, and it is not a number that a
/// program is likely to compute.
const FIRST_VIRTUAL: i64 = 0x4f1d_93a7_0000_0000;
/// The number of such addresses.
const VIRTUALS: i64 = 1 << 31;

/// A scalar of a local.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    /// It has this value, or none if that is `UNSET`; if it has a register, that may hold anything.
    Known(i64),
    /// It is in its register.
    Register,
    /// It is in its register, unless that holds `UNWRITTEN`: then it has no value.
    Perhaps,
}

/// Where a local is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Home {
    /// Its scalars, and the registers of those that ever needed one.
    Slots { slots: Vec<Slot>, address: i64 },
    /// In memory, from this address on.
    Cells(i64),
}

impl Home {
    /// Its first address.
    pub(super) fn address(&self) -> i64 {
        match self {
            Home::Slots { address, .. } | Home::Cells(address) => *address,
        }
    }
}

/// The locals of a function that is being inlined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Frame {
    pub(super) function: FunctionId,
    /// Where it is called.
    pub(super) called: Place,
    /// Numbers activations of functions, all distinct within a thread.
    pub(super) activation: usize,
    pub(super) homes: Vec<Home>,
}

/// What is known of all locals.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Env {
    pub(super) frames: Vec<Frame>,
}

/// A point of a thread and what is known there.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) at: Loc,
    pub(super) env: Env,
}

/// Names a scalar of a local of an activation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct SlotId {
    pub(super) activation: usize,
    pub(super) local: LocalId,
    pub(super) index: usize,
}

impl Slot {
    /// Whether the scalar may have no value.
    pub(super) fn is_doubtful(&self) -> bool {
        match self {
            Slot::Known(value) => *value == UNSET,
            Slot::Register => false,
            Slot::Perhaps => true,
        }
    }
}

impl Env {
    /// Whether this is an address of a local in registers.
    pub(super) fn is_virtual(address: i64) -> bool {
        (FIRST_VIRTUAL..FIRST_VIRTUAL + VIRTUALS).contains(&address)
    }

    /// The first virtual address that the `n`-th scalar would have.
    pub(super) fn virtual_address(n: usize) -> i64 {
        FIRST_VIRTUAL + n as i64
    }

    /// The scalar at a virtual address, if it still lives.
    pub(super) fn find(&self, address: i64) -> Option<SlotId> {
        for frame in self.frames.iter().rev() {
            for (local, home) in frame.homes.iter().enumerate() {
                if let Home::Slots {
                    slots,
                    address: start,
                } = home
                    && (*start..*start + slots.len() as i64).contains(&address)
                {
                    return Some(SlotId {
                        activation: frame.activation,
                        local: LocalId(local),
                        index: (address - start) as usize,
                    });
                }
            }
        }
        None
    }

    fn frame_mut(&mut self, activation: usize) -> Option<&mut Frame> {
        let mut frames = self.frames.iter_mut();
        frames.find(|frame| frame.activation == activation)
    }

    pub(super) fn slot_mut(&mut self, id: SlotId) -> Option<&mut Slot> {
        match &mut self.frame_mut(id.activation)?.homes[id.local.0] {
            Home::Slots { slots, .. } => slots.get_mut(id.index),
            Home::Cells(_) => None,
        }
    }

    pub(super) fn slot(&self, id: SlotId) -> Option<&Slot> {
        let mut frames = self.frames.iter();
        let frame = frames.find(|frame| frame.activation == id.activation)?;
        match &frame.homes[id.local.0] {
            Home::Slots { slots, .. } => slots.get(id.index),
            Home::Cells(_) => None,
        }
    }

    /// All scalars in registers or known, frame by frame.
    pub(super) fn all(&self) -> Vec<SlotId> {
        let mut all = Vec::new();
        for frame in &self.frames {
            for (local, home) in frame.homes.iter().enumerate() {
                if let Home::Slots { slots, .. } = home {
                    all.extend((0..slots.len()).map(|index| SlotId {
                        activation: frame.activation,
                        local: LocalId(local),
                        index,
                    }));
                }
            }
        }
        all
    }
}

/// The value of a slot.
pub(super) fn value_of(slot: &Slot, register: impl FnOnce() -> RegId) -> Value {
    match slot {
        Slot::Known(value) => Value::Known(*value),
        Slot::Register | Slot::Perhaps => Value::Unknown(crate::program::Expr::Var(register())),
    }
}
