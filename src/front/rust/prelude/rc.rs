//! `std::rc`: `Weak` pointers beside `Rc`. They are as those beside `Arc`, with plain numbers.

use super::option::{None, Option, Some};
use core::intrinsics;
use core::mem::{self, ManuallyDrop};
use core::ptr;
use core::rc::Rc;

pub struct Weak<T> {
    // Null if there never was an object.
    rc: ManuallyDrop<Rc<T>>,
}

impl<T> Weak<T> {
    pub const fn new() -> Weak<T> {
        Weak {
            rc: ManuallyDrop::new(intrinsics::no_arc()),
        }
    }

    fn is_of_none(&self) -> bool {
        intrinsics::is_no_arc(&*self.rc)
    }

    pub fn upgrade(&self) -> Option<Rc<T>> {
        if self.is_of_none() || *intrinsics::strong(&*self.rc) == 0 {
            None
        } else {
            *intrinsics::strong(&*self.rc) += 1;
            Some(ptr::read(&*self.rc))
        }
    }

    pub fn strong_count(&self) -> usize {
        if self.is_of_none() {
            0
        } else {
            *intrinsics::strong(&*self.rc) as usize
        }
    }

    pub fn weak_count(&self) -> usize {
        if self.is_of_none() || *intrinsics::strong(&*self.rc) == 0 {
            0
        } else {
            (*intrinsics::weak(&*self.rc) - 1) as usize
        }
    }

    pub fn ptr_eq(&self, other: &Weak<T>) -> bool {
        Rc::ptr_eq(&*self.rc, &*other.rc)
    }
}

impl<T> Clone for Weak<T> {
    fn clone(&self) -> Weak<T> {
        if !self.is_of_none() {
            *intrinsics::weak(&*self.rc) += 1;
        }
        Weak {
            rc: ManuallyDrop::new(ptr::read(&*self.rc)),
        }
    }
}

impl<T> Drop for Weak<T> {
    fn drop(&mut self) {
        if !self.is_of_none() {
            intrinsics::end_weak(&*self.rc);
        }
    }
}

impl<T> Default for Weak<T> {
    fn default() -> Weak<T> {
        Weak::new()
    }
}

pub fn downgrade<T>(this: &Rc<T>) -> Weak<T> {
    *intrinsics::weak(this) += 1;
    Weak {
        rc: ManuallyDrop::new(ptr::read(this)),
    }
}

pub fn weak_count<T>(this: &Rc<T>) -> usize {
    (*intrinsics::weak(this) - 1) as usize
}

// Where there are `Weak` pointers, which may become others.
pub fn get_mut<T>(this: &mut Rc<T>) -> Option<&mut T> {
    if *intrinsics::strong(this) == 1 && *intrinsics::weak(this) == 1 {
        Some(intrinsics::content(this))
    } else {
        None
    }
}

pub fn make_mut<T>(this: &mut Rc<T>) -> &mut T {
    if *intrinsics::strong(this) != 1 {
        let value = (**this).clone();
        *this = Rc::new(value);
    } else if *intrinsics::weak(this) != 1 {
        // The others lead to no value from here on.
        let left = Weak {
            rc: ManuallyDrop::new(ptr::read(this)),
        };
        *intrinsics::strong(this) = 0;
        ptr::write(this, Rc::new(ptr::read(intrinsics::content(this))));
        drop(left);
    }
    intrinsics::content(this)
}

pub fn from<T>(value: T) -> Rc<T> {
    Rc::new(value)
}

pub fn unwrap_or_clone<T>(this: Rc<T>) -> T {
    match Rc::try_unwrap(this) {
        Ok(value) => value,
        Err(shared) => (*shared).clone(),
    }
}

pub fn new_cyclic<T>(f: impl FnOnce(&Weak<T>) -> T) -> Rc<T> {
    let weak = Weak {
        rc: ManuallyDrop::new(intrinsics::new_arc()),
    };
    let value = f(&weak);
    ptr::write(intrinsics::content(&*weak.rc), value);
    *intrinsics::strong(&*weak.rc) = 1;
    let made = ptr::read(&*weak.rc);
    mem::forget(weak);
    made
}
