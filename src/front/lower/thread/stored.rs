//! Handles of threads in memory. As long as it is certain which thread each of them stands for, they are no values that the
//! program stores and loads, and a thread is joined by its number.

use super::handles::LOST;
use crate::lower::Lowering;
use crate::lower::memory::Handle;
use crate::lower::typed::{LibraryType, Type, TypeKind};
use crate::lower::value::Value;
use crate::program::Expr;

impl Lowering<'_> {
    /// What is read at a known address where a handle is, unless it has to be loaded.
    pub(in crate::lower) fn certain_handle(&mut self, address: i64) -> Option<Value> {
        if self.learned.handles_vary {
            return None;
        }
        let Some(number) = self.handle(address) else {
            // A loop that creates any number of threads stores none that is known afterwards.
            let mut stored = self.memory.handles.iter();
            let is_lost = stored.any(|one| one.address == address && one.number == LOST);
            return is_lost.then_some(Value::Unknown(Expr::Const(0)));
        };
        self.memory.handles_read.push(Handle {
            address,
            number,
            by: self.current,
            at: 0,
        });
        Some(Value::Known(number))
    }

    /// The thread that a handle at a known address stands for, if that is certain: the one stored last, on all
    /// ways to here, by this thread and no other. Where it is not, all handles are values in memory: the
    /// next walk stores and loads them.
    fn handle(&self, address: i64) -> Option<i64> {
        let of = |handle: &&Handle| handle.address == address;
        let stored: Vec<&Handle> = self.memory.handles.iter().filter(of).collect();
        let Some(last) = stored.last() else {
            return Some(0);
        };
        let at = self.state.as_ref().map(|state| state.at);
        let is_last = || at.is_some_and(|at| self.code.dominates(last.at, at));
        // Another thread may read it before it is stored.
        let is_certain = stored.iter().all(|one| one.by == self.current)
            && (stored.iter().all(|one| one.number == last.number) || is_last());
        is_certain.then_some(last.number)
    }

    /// A handle is stored at a known address: what was read there by another thread, or in a loop around, did not know
    /// of it.
    pub(in crate::lower) fn stores_handle(&mut self, address: i64, number: i64) {
        let (by, at) = (
            self.current,
            self.state.as_ref().map_or(0, |state| state.at),
        );
        let in_loop = self.loops > 0 || self.jumps > 0;
        let mut read = self.memory.handles_read.iter();
        let is_late = |read: &Handle| {
            read.address == address && read.number != number && (read.by != by || in_loop)
        };
        self.now.handles_vary |= read.any(is_late);
        self.memory.handles.push(Handle {
            address,
            number,
            by,
            at,
        });
    }
}

pub(in crate::lower) fn is_handle(ty: &Type) -> bool {
    ty.kind == TypeKind::Library(LibraryType::Thread)
}
