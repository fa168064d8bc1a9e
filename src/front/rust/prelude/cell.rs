//! `std::cell`: what is borrowed at run time, or made once.

use super::option::{None, Option, Some};
use super::result::{Err, Ok, Result};
use core::cell::{Cell, UnsafeCell};
use core::mem;

#[derive(Clone, Copy, Debug)]
pub struct BorrowError;

#[derive(Clone, Copy, Debug)]
pub struct BorrowMutError;

pub struct RefCell<T> {
    // So many references, or -1 for one that is mutable.
    borrowed: Cell<i32>,
    value: T,
}

impl<T> RefCell<T> {
    pub const fn new(value: T) -> RefCell<T> {
        RefCell {
            borrowed: Cell::new(0),
            value,
        }
    }

    pub fn into_inner(self) -> T {
        self.value
    }

    pub fn get_mut(&mut self) -> &mut T {
        &mut self.value
    }

    pub fn as_ptr(&self) -> *mut T {
        &self.value as *const T as *mut T
    }

    pub fn try_borrow(&self) -> Result<Ref<T>, BorrowError> {
        if self.borrowed.get() < 0 {
            return Err(BorrowError);
        }
        self.borrowed.set(self.borrowed.get() + 1);
        Ok(Ref {
            value: &self.value,
            borrowed: &self.borrowed,
        })
    }

    pub fn borrow(&self) -> Ref<T> {
        assert!(self.borrowed.get() >= 0);
        self.borrowed.set(self.borrowed.get() + 1);
        Ref {
            value: &self.value,
            borrowed: &self.borrowed,
        }
    }

    pub fn try_borrow_mut(&self) -> Result<RefMut<T>, BorrowMutError> {
        if self.borrowed.get() != 0 {
            return Err(BorrowMutError);
        }
        self.borrowed.set(-1);
        Ok(RefMut {
            value: &mut *self.as_ptr(),
            borrowed: &self.borrowed,
        })
    }

    pub fn borrow_mut(&self) -> RefMut<T> {
        assert!(self.borrowed.get() == 0);
        self.borrowed.set(-1);
        RefMut {
            value: &mut *self.as_ptr(),
            borrowed: &self.borrowed,
        }
    }

    pub fn replace(&self, value: T) -> T {
        assert!(self.borrowed.get() == 0);
        mem::replace(&mut *self.as_ptr(), value)
    }

    pub fn replace_with<F: FnOnce(&mut T) -> T>(&self, f: F) -> T {
        let mut old = self.borrow_mut();
        let new = f(&mut *old);
        mem::replace(&mut *old, new)
    }

    pub fn take(&self) -> T {
        assert!(self.borrowed.get() == 0);
        mem::take(&mut *self.as_ptr())
    }

    pub fn swap(&self, other: &RefCell<T>) {
        assert!(self.borrowed.get() == 0);
        self.borrowed.set(-1);
        assert!(other.borrowed.get() == 0);
        self.borrowed.set(0);
        mem::swap(&mut *self.as_ptr(), &mut *other.as_ptr());
    }
}

impl<T> Default for RefCell<T> {
    fn default() -> RefCell<T> {
        RefCell::new(T::default())
    }
}

impl<T> Clone for RefCell<T> {
    fn clone(&self) -> RefCell<T> {
        let value = self.borrow();
        RefCell::new((*value).clone())
    }
}

impl<T> PartialEq for RefCell<T> {
    fn eq(&self, other: &RefCell<T>) -> bool {
        let (a, b) = (self.borrow(), other.borrow());
        *a == *b
    }
}

pub struct Ref<T> {
    value: &T,
    borrowed: &Cell<i32>,
}

impl<T> Ref<T> {
    pub fn clone(of: &Ref<T>) -> Ref<T> {
        of.borrowed.set(of.borrowed.get() + 1);
        Ref {
            value: of.value,
            borrowed: of.borrowed,
        }
    }

    pub fn map<U>(of: Ref<T>, f: impl FnOnce(&T) -> &U) -> Ref<U> {
        let made = Ref {
            value: f(of.value),
            borrowed: of.borrowed,
        };
        mem::forget(of);
        made
    }
}

impl<T> Deref for Ref<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value
    }
}

impl<T> Drop for Ref<T> {
    fn drop(&mut self) {
        self.borrowed.set(self.borrowed.get() - 1);
    }
}

pub struct RefMut<T> {
    value: &mut T,
    borrowed: &Cell<i32>,
}

impl<T> RefMut<T> {
    pub fn map<U>(of: RefMut<T>, f: impl FnOnce(&mut T) -> &mut U) -> RefMut<U> {
        let made = RefMut {
            value: f(of.value),
            borrowed: of.borrowed,
        };
        mem::forget(of);
        made
    }
}

impl<T> Deref for RefMut<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value
    }
}

impl<T> DerefMut for RefMut<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.value
    }
}

impl<T> Drop for RefMut<T> {
    fn drop(&mut self) {
        self.borrowed.set(0);
    }
}

pub struct OnceCell<T> {
    value: UnsafeCell<Option<T>>,
}

impl<T> OnceCell<T> {
    pub const fn new() -> OnceCell<T> {
        OnceCell {
            value: UnsafeCell::new(None),
        }
    }

    pub fn get(&self) -> Option<&T> {
        let value = &*self.value.get();
        value.as_ref()
    }

    pub fn get_mut(&mut self) -> Option<&mut T> {
        let value = &mut *self.value.get();
        value.as_mut()
    }

    pub fn set(&self, value: T) -> Result<(), T> {
        let own = &mut *self.value.get();
        if own.is_some() {
            return Err(value);
        }
        *own = Some(value);
        Ok(())
    }

    pub fn get_or_init(&self, f: impl FnOnce() -> T) -> &T {
        let is_there = (&*self.value.get()).is_some();
        if !is_there {
            let value = f();
            let own = &mut *self.value.get();
            // It is not to be made while it is made.
            assert!(own.is_none());
            *own = Some(value);
        }
        let value = &*self.value.get();
        match value {
            Some(value) => value,
            None => panic!(),
        }
    }

    pub fn take(&mut self) -> Option<T> {
        let own = &mut *self.value.get();
        own.take()
    }
}

impl<T> Default for OnceCell<T> {
    fn default() -> OnceCell<T> {
        OnceCell::new()
    }
}

pub struct LazyCell<T, F = fn() -> T> {
    cell: OnceCell<T>,
    make: Cell<Option<F>>,
}

impl<T, F> LazyCell<T, F> {
    pub const fn new(f: F) -> LazyCell<T, F> {
        LazyCell {
            cell: OnceCell::new(),
            make: Cell::new(Some(f)),
        }
    }

    pub fn force(this: &LazyCell<T, F>) -> &T {
        this.cell.get_or_init(|| match this.make.take() {
            Some(make) => make(),
            None => panic!(),
        })
    }
}

impl<T, F> Deref for LazyCell<T, F> {
    type Target = T;

    fn deref(&self) -> &T {
        LazyCell::force(self)
    }
}
