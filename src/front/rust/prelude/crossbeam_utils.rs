//! `crossbeam_utils`: what has to do with other threads, but not with memory order.

pub struct CachePadded<T> {
    value: T,
}

impl<T> CachePadded<T> {
    pub const fn new(value: T) -> CachePadded<T> {
        CachePadded { value }
    }

    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T> Deref for CachePadded<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for CachePadded<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T> Default for CachePadded<T> {
    fn default() -> CachePadded<T> {
        CachePadded {
            value: T::default(),
        }
    }
}

// How long it waits makes no difference.
pub struct Backoff {
    step: u32,
}

impl Backoff {
    pub fn new() -> Backoff {
        Backoff { step: 0 }
    }

    pub fn reset(&self) {}

    pub fn spin(&self) {}

    pub fn snooze(&self) {}
}
