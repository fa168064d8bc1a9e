//! What engines have begun at a problem, for later slices of work.

use std::any::Any;
use std::cell::RefCell;

/// One slot for each kind of thing that an engine goes on with. What is in it names its question, and an engine that
/// finds another one there begins anew: passes may make several problems out of one.
#[derive(Default)]
pub(crate) struct Memory {
    slots: RefCell<Vec<Box<dyn Any + Send>>>,
}

impl Memory {
    /// What was kept of this kind, which leaves the slot empty.
    pub(crate) fn take<T: Any>(&self) -> Option<T> {
        let mut slots = self.slots.borrow_mut();
        let place = slots.iter().position(|slot| slot.is::<T>())?;
        slots.swap_remove(place).downcast().ok().map(|kept| *kept)
    }

    /// Keeps this, and forgets what was kept of its kind.
    pub(crate) fn keep<T: Any + Send>(&self, begun: T) {
        let mut slots = self.slots.borrow_mut();
        slots.retain(|slot| !slot.is::<T>());
        slots.push(Box::new(begun));
    }

    /// Whether something of this kind is kept.
    pub(crate) fn has<T: Any>(&self) -> bool {
        self.slots.borrow().iter().any(|slot| slot.is::<T>())
    }

    /// All that is kept, which leaves nothing here.
    pub(crate) fn take_all(&self) -> Memory {
        Memory {
            slots: RefCell::new(self.slots.take()),
        }
    }

    /// Keeps all that is kept there, and forgets what was here.
    pub(crate) fn keep_all(&self, other: Memory) {
        self.slots.replace(other.slots.into_inner());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_a_slot() {
        let memory = Memory::default();
        memory.keep(1_u32);
        memory.keep("text".to_owned());
        memory.keep(2_u32);
        assert!(memory.has::<u32>() && !memory.has::<u64>());
        assert_eq!(memory.take::<u32>(), Some(2));
        assert_eq!(memory.take::<u32>(), None);
        let other = Memory::default();
        other.keep(3_u32);
        other.keep_all(memory.take_all());
        assert!(!memory.has::<String>());
        assert_eq!(other.take::<String>().as_deref(), Some("text"));
        assert!(!other.has::<u32>());
    }
}
