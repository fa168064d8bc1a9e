//! The instruction set: what one step of a thread may do to its registers and to shared cells.
//!
//! Loads and stores go through the thread's buffers. A *locked* instruction waits until they are
//! empty and then reads and writes memory in one step; full fences and the beginning of an atomic
//! block wait as well. The memory model defines the buffers; see [`Model`](crate::model::Model).
//!
//! **Invariant.** This module classifies what an instruction does to memory and buffers, by matches on
//! every variant of [`Op`]: [`Op::access`], [`Op::drains`], [`Op::target`], [`Op::operands`]. Other
//! modules use these, and match on [`Op`] only where each variant is treated differently. So a new
//! variant is a compile error everywhere it matters.

use super::{Addr, BinaryOp, Expr, RegId};

/// What a fence orders.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fence {
    /// Waits until the thread's own buffers are empty (`mfence`, `scfence`).
    Full,
    /// Orders earlier stores before later stores: the lightweight fence on all addresses
    /// (`sfence` as used on PSO, `membar #StoreStore`).
    Store,
    /// Orders earlier stores to these cells before later stores [DMS17, Fig. 3]. Sorted, distinct.
    Cells(Vec<Addr>),
    /// Waits until the buffers of *every* thread are empty (membarrier, inter-processor
    /// interrupt).
    All,
}

/// How a locked instruction changes its cell, given the old value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Update {
    /// Stores `desired` if the cell holds `expected`, else stores the old value again.
    CompareExchange {
        /// The value compared with.
        expected: Expr<RegId>,
        /// The value stored on success.
        desired: Expr<RegId>,
    },
    /// Stores this value.
    Exchange(Expr<RegId>),
    /// Stores `old op operand`.
    Fetch(FetchOp, Expr<RegId>),
}

/// The operators of fetch-and-op.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FetchOp {
    /// Wrapping addition.
    Add,
    /// Wrapping subtraction.
    Sub,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
}

/// What one instruction does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Nothing.
    Skip,
    /// `into := value`.
    Assign {
        /// The register written.
        into: RegId,
        /// Its new value.
        value: Expr<RegId>,
    },
    /// `into :=` any value between `low` and `high`, both included.
    Havoc {
        /// The register written.
        into: RegId,
        /// The least value.
        low: i32,
        /// The greatest value; not less than `low`.
        high: i32,
    },
    /// Blocks if the value is 0 (the papers' `assert`, Trencher's `check`).
    Assume(Expr<RegId>),
    /// A property: reaching it with value 0 is a violation. Never blocks.
    Assert(Expr<RegId>),
    /// `into := mem[addr]`.
    Load {
        /// The register written.
        into: RegId,
        /// The address read.
        addr: Expr<RegId>,
    },
    /// `mem[addr] := value`, through the buffer.
    Store {
        /// The address written.
        addr: Expr<RegId>,
        /// The value written.
        value: Expr<RegId>,
    },
    /// A locked instruction: waits until the thread's own buffers are empty, then reads and writes
    /// memory in one step.
    Rmw {
        /// Receives the old value.
        into: RegId,
        /// The address updated.
        addr: Expr<RegId>,
        /// The update.
        update: Update,
    },
    /// A fence or barrier.
    Fence(Fence),
    /// Enters an atomic block: waits until the thread's own buffers are empty; no other thread
    /// takes a step until the block ends.
    AtomicBegin,
    /// Enters a word access: the loads, or the stores, of adjacent cells up to the end of the block are
    /// one access. No other thread takes a step in between, and nothing leaves a buffer. Stores are one
    /// item in the buffer, whose cells reach memory at once. Each cell is loaded from the newest own store that
    /// is still buffered, or else from memory.
    WordBegin(Overlap),
    /// Leaves the atomic block, or the word access.
    AtomicEnd,
}

/// What a load of several cells does if an own store that is still buffered has some of its cells, and not all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Overlap {
    /// It combines what is buffered with what is in memory.
    Combine,
    /// It waits until the store has left the buffer: either the newest own stores to its cells that are buffered are one
    /// access, to all of them, or there are none. Makes no difference to stores.
    Wait,
}

impl Overlap {
    /// Both, as listed on the command line.
    pub const ALL: [Overlap; 2] = [Overlap::Combine, Overlap::Wait];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Overlap::Combine => "combine",
            Overlap::Wait => "wait",
        }
    }
}

/// How an instruction accesses memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessKind<'a> {
    /// It loads.
    Load {
        /// The register written.
        into: RegId,
    },
    /// It stores, through the buffer.
    Store {
        /// The value written.
        value: &'a Expr<RegId>,
    },
    /// It is locked: it reads and writes memory at once.
    Rmw {
        /// Receives the value before.
        into: RegId,
        /// How the cell changes.
        update: &'a Update,
    },
}

/// What fence insertion may do before an instruction (`@cost`, `@nofence`, `@exchange`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FencePlace {
    /// A fence here has the default cost.
    #[default]
    Default,
    /// A fence here costs this much.
    Cost(u32),
    /// No fence may be inserted here.
    Forbidden,
    /// No fence may be inserted here, but the store that follows may become a locked exchange.
    /// Before any other instruction this is [`FencePlace::Forbidden`].
    Exchange,
}

impl FencePlace {
    /// The same, without what is impossible before this instruction.
    pub(crate) fn before(self, op: &Op) -> Self {
        match self {
            FencePlace::Exchange if !op.is_store() => FencePlace::Forbidden,
            FencePlace::Default
            | FencePlace::Cost(_)
            | FencePlace::Forbidden
            | FencePlace::Exchange => self,
        }
    }
}

impl Update {
    /// The value stored, given the old value and the values of the registers.
    pub fn apply(&self, old: i32, mut register: impl FnMut(RegId) -> i32) -> i32 {
        match self {
            Update::CompareExchange { expected, desired } => {
                if old == expected.eval(&mut register) {
                    desired.eval(&mut register)
                } else {
                    old
                }
            }
            Update::Exchange(value) => value.eval(&mut register),
            Update::Fetch(op, operand) => op.apply(old, operand.eval(&mut register)),
        }
    }

    /// The same as an expression, given the expressions for the old value and for those that the update
    /// evaluates.
    pub fn stored<V: Copy>(
        &self,
        old: Expr<V>,
        value: impl Fn(&Expr<RegId>) -> Expr<V>,
    ) -> Expr<V> {
        match self {
            Update::CompareExchange { expected, desired } => {
                let equal = Expr::binary(BinaryOp::Eq, old.clone(), value(expected));
                Expr::conditional(equal, value(desired), old)
            }
            Update::Exchange(new) => value(new),
            Update::Fetch(op, operand) => Expr::binary(op.operator(), old, value(operand)),
        }
    }

    /// The expressions that the update evaluates.
    pub fn operands(&self) -> Vec<&Expr<RegId>> {
        match self {
            Update::CompareExchange { expected, desired } => vec![expected, desired],
            Update::Exchange(value) | Update::Fetch(_, value) => vec![value],
        }
    }
}

impl FetchOp {
    /// The operator that is applied to the old value and the operand.
    pub fn operator(self) -> BinaryOp {
        match self {
            FetchOp::Add => BinaryOp::Add,
            FetchOp::Sub => BinaryOp::Sub,
            FetchOp::And => BinaryOp::BitAnd,
            FetchOp::Or => BinaryOp::BitOr,
        }
    }

    /// `old op operand`, wrapping.
    pub fn apply(self, old: i32, operand: i32) -> i32 {
        match self {
            FetchOp::Add => old.wrapping_add(operand),
            FetchOp::Sub => old.wrapping_sub(operand),
            FetchOp::And => old & operand,
            FetchOp::Or => old | operand,
        }
    }
}

impl Op {
    /// Whether the instruction is a plain store, not a locked instruction.
    pub fn is_store(&self) -> bool {
        matches!(self, Op::Store { .. })
    }

    /// Whether the instruction only concerns the thread's registers, and does not fail.
    pub fn is_local(&self) -> bool {
        match self {
            Op::Skip | Op::Assign { .. } | Op::Havoc { .. } | Op::Assume(_) => true,
            Op::Assert(_)
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Rmw { .. }
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd => false,
        }
    }

    /// The accessed address and the kind of access; `None` if the instruction does not access memory.
    pub fn access(&self) -> Option<(&Expr<RegId>, AccessKind<'_>)> {
        match self {
            Op::Load { into, addr } => Some((addr, AccessKind::Load { into: *into })),
            Op::Store { addr, value } => Some((addr, AccessKind::Store { value })),
            Op::Rmw { into, addr, update } => {
                let into = *into;
                Some((addr, AccessKind::Rmw { into, update }))
            }
            Op::Skip
            | Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd => None,
        }
    }

    /// The address expression of a load, store or locked instruction.
    pub fn address(&self) -> Option<&Expr<RegId>> {
        self.access().map(|(addr, _)| addr)
    }

    /// Whether the instruction writes memory; `None` if it does not access memory.
    pub fn writes(&self) -> Option<bool> {
        self.access().map(|(_, access)| match access {
            AccessKind::Load { .. } => false,
            AccessKind::Store { .. } | AccessKind::Rmw { .. } => true,
        })
    }

    /// Whether the instruction enters an atomic block or a word access.
    pub fn begins_block(&self) -> bool {
        matches!(self, Op::AtomicBegin | Op::WordBegin(_))
    }

    /// Whether the instruction enters a word access.
    pub fn begins_word(&self) -> bool {
        matches!(self, Op::WordBegin(_))
    }

    /// What must not be 0 for the instruction to be executed, if it waits for something.
    pub fn condition(&self) -> Option<&Expr<RegId>> {
        if let Op::Assume(condition) = self {
            Some(condition)
        } else {
            None
        }
    }

    /// The fence, if the instruction is a fence or barrier.
    pub fn fence(&self) -> Option<&Fence> {
        if let Op::Fence(fence) = self {
            Some(fence)
        } else {
            None
        }
    }

    /// Whether the thread's own buffers are empty after the instruction.
    pub fn drains(&self) -> bool {
        match self {
            Op::Rmw { .. } | Op::Fence(Fence::Full | Fence::All) | Op::AtomicBegin => true,
            Op::Skip
            | Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Fence(Fence::Store | Fence::Cells(_))
            | Op::WordBegin(_)
            | Op::AtomicEnd => false,
        }
    }

    /// Whether the instruction is a lightweight fence on all of these cells: a store to one of them
    /// before it stays before every store after it.
    pub fn orders_stores_to(&self, cells: &[Addr]) -> bool {
        self.fence().is_some_and(|fence| match fence {
            Fence::Store => true,
            Fence::Cells(fenced) => cells.iter().all(|cell| fenced.contains(cell)),
            Fence::Full | Fence::All => false,
        })
    }

    /// The register that the instruction writes.
    pub fn target(&self) -> Option<RegId> {
        match self {
            Op::Assign { into, .. }
            | Op::Havoc { into, .. }
            | Op::Load { into, .. }
            | Op::Rmw { into, .. } => Some(*into),
            Op::Skip
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Store { .. }
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd => None,
        }
    }

    /// The expressions that the instruction evaluates.
    pub fn operands(&self) -> Vec<&Expr<RegId>> {
        match self {
            Op::Assign { value, .. } => vec![value],
            Op::Assume(e) | Op::Assert(e) | Op::Load { addr: e, .. } => vec![e],
            Op::Store { addr, value } => vec![addr, value],
            Op::Rmw { addr, update, .. } => {
                let mut operands = vec![addr];
                operands.extend(update.operands());
                operands
            }
            Op::Skip
            | Op::Havoc { .. }
            | Op::Fence(_)
            | Op::AtomicBegin
            | Op::WordBegin(_)
            | Op::AtomicEnd => Vec::new(),
        }
    }
}
