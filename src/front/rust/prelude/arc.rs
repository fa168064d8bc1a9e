//! `Weak` pointers beside `Arc`, and what `Arc` has to do with them, as `std` has it.
//!
//! The numbers of both kinds of pointers are before and after the value. All `Arc`s together are one `Weak` pointer: the value
//! ends with the last of the former, and the memory with the last of the latter. Each function executes the atomic accesses
//! of `std`. So `upgrade` has a locked instruction where it succeeds, and only a load where it fails.

use super::option::{None, Option, Some};
use core::intrinsics;
use core::mem::{self, ManuallyDrop};
use core::ptr;
use core::sync::Arc;
use core::sync::atomic::Ordering;

// The number of `Weak` pointers while the only one is not to get others.
const LOCKED: u32 = u32::MAX;

pub struct Weak<T> {
    // Null if there never was an object.
    arc: ManuallyDrop<Arc<T>>,
}

impl<T> Weak<T> {
    pub const fn new() -> Weak<T> {
        Weak {
            arc: ManuallyDrop::new(intrinsics::no_arc()),
        }
    }

    fn is_of_none(&self) -> bool {
        intrinsics::is_no_arc(&*self.arc)
    }

    pub fn upgrade(&self) -> Option<Arc<T>> {
        if self.is_of_none() {
            return None;
        }
        let strong = intrinsics::strong(&*self.arc);
        let mut count = strong.load(Ordering::Relaxed);
        loop {
            if count == 0 {
                return None;
            }
            match strong.compare_exchange_weak(
                count,
                count + 1,
                Ordering::Acquire,
                Ordering::Relaxed,
            ) {
                Ok(_) => return Some(ptr::read(&*self.arc)),
                Err(other) => count = other,
            }
        }
    }

    pub fn strong_count(&self) -> usize {
        if self.is_of_none() {
            0
        } else {
            intrinsics::strong(&*self.arc).load(Ordering::Relaxed) as usize
        }
    }

    pub fn weak_count(&self) -> usize {
        if self.is_of_none() {
            return 0;
        }
        let weak = intrinsics::weak(&*self.arc).load(Ordering::Acquire);
        let strong = intrinsics::strong(&*self.arc).load(Ordering::Relaxed);
        if strong == 0 { 0 } else { (weak - 1) as usize }
    }

    pub fn ptr_eq(&self, other: &Weak<T>) -> bool {
        Arc::ptr_eq(&*self.arc, &*other.arc)
    }
}

impl<T> Clone for Weak<T> {
    fn clone(&self) -> Weak<T> {
        if !self.is_of_none() {
            intrinsics::weak(&*self.arc).fetch_add(1, Ordering::Relaxed);
        }
        Weak {
            arc: ManuallyDrop::new(ptr::read(&*self.arc)),
        }
    }
}

impl<T> Drop for Weak<T> {
    fn drop(&mut self) {
        if !self.is_of_none() {
            intrinsics::end_weak(&*self.arc);
        }
    }
}

impl<T> Default for Weak<T> {
    fn default() -> Weak<T> {
        Weak::new()
    }
}

pub fn downgrade<T>(this: &Arc<T>) -> Weak<T> {
    let weak = intrinsics::weak(this);
    let mut count = weak.load(Ordering::Relaxed);
    loop {
        if count == LOCKED {
            count = weak.load(Ordering::Relaxed);
        } else {
            match weak.compare_exchange_weak(count, count + 1, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => {
                    return Weak {
                        arc: ManuallyDrop::new(ptr::read(this)),
                    };
                }
                Err(other) => count = other,
            }
        }
    }
}

pub fn weak_count<T>(this: &Arc<T>) -> usize {
    let count = intrinsics::weak(this).load(Ordering::Relaxed);
    if count == LOCKED { 0 } else { (count - 1) as usize }
}

// Where there are `Weak` pointers, which may become others.
pub fn get_mut<T>(this: &mut Arc<T>) -> Option<&mut T> {
    let weak = intrinsics::weak(this);
    if weak
        .compare_exchange(1, LOCKED, Ordering::Acquire, Ordering::Relaxed)
        .is_err()
    {
        return None;
    }
    let is_only = intrinsics::strong(this).load(Ordering::Acquire) == 1;
    weak.store(1, Ordering::Release);
    if is_only { Some(intrinsics::content(this)) } else { None }
}

pub fn make_mut<T>(this: &mut Arc<T>) -> &mut T {
    let strong = intrinsics::strong(this);
    if strong
        .compare_exchange(1, 0, Ordering::Acquire, Ordering::Relaxed)
        .is_err()
    {
        let value = (**this).clone();
        *this = Arc::new(value);
    } else if intrinsics::weak(this).load(Ordering::Relaxed) == 1 {
        strong.store(1, Ordering::Release);
    } else {
        // The others lead to no value from here on.
        let left = Weak {
            arc: ManuallyDrop::new(ptr::read(this)),
        };
        ptr::write(this, Arc::new(ptr::read(intrinsics::content(this))));
        drop(left);
    }
    intrinsics::content(this)
}

pub fn from<T>(value: T) -> Arc<T> {
    Arc::new(value)
}

pub fn unwrap_or_clone<T>(this: Arc<T>) -> T {
    match Arc::try_unwrap(this) {
        Ok(value) => value,
        Err(shared) => (*shared).clone(),
    }
}

pub fn new_cyclic<T>(f: impl FnOnce(&Weak<T>) -> T) -> Arc<T> {
    let weak = Weak {
        arc: ManuallyDrop::new(intrinsics::new_arc()),
    };
    let value = f(&weak);
    ptr::write(intrinsics::content(&*weak.arc), value);
    intrinsics::strong(&*weak.arc).fetch_add(1, Ordering::Release);
    let made = ptr::read(&*weak.arc);
    mem::forget(weak);
    made
}
