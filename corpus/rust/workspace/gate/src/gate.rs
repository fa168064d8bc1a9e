use crate::sync::{AtomicBool, Ordering};

/// Either side may enter if the other one does not want to.
pub struct Gate {
    wants: [AtomicBool; 2],
}

/// That a side has entered; it leaves when this is dropped.
pub struct Pass<'g> {
    gate: &'g Gate,
    side: usize,
}

impl Gate {
    pub const fn new() -> Self {
        Gate {
            wants: [AtomicBool::new(false), AtomicBool::new(false)],
        }
    }

    /// Lets a side in, unless the other one is inside or wants to be.
    pub fn enter(&self, side: usize) -> Option<Pass<'_>> {
        self.wants[side].store(true, Ordering::Release);
        #[cfg(feature = "fenced")]
        crate::sync::fence(Ordering::SeqCst);
        if self.wants[1 - side].load(Ordering::Acquire) {
            self.wants[side].store(false, Ordering::Release);
            return None;
        }
        Some(Pass { gate: self, side })
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.gate.wants[self.side].store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests;
