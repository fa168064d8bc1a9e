//! `std::mem`

pub fn replace<T>(place: &mut T, value: T) -> T {
    let place = place as *mut T;
    let old = place.read();
    place.write(value);
    old
}

pub fn take<T>(place: &mut T) -> T {
    replace(place, T::default())
}

pub fn swap<T>(a: &mut T, b: &mut T) {
    let a = a as *mut T;
    let b = b as *mut T;
    let first = a.read();
    a.write(b.read());
    b.write(first);
}
