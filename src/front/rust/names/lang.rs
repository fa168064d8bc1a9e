//! The types of the library that the language itself makes.

use super::{Named, Names, Target};

/// The types of the library that the language itself makes.
#[derive(Clone, Copy, Default)]
pub(in crate::rust) struct Lang {
    pub(in crate::rust) option: usize,
    pub(in crate::rust) result: usize,
    pub(in crate::rust) poison: usize,
    pub(in crate::rust) try_lock: usize,
    pub(in crate::rust) slice: usize,
    pub(in crate::rust) vec: usize,
    pub(in crate::rust) vec_iter: usize,
    pub(in crate::rust) deque: usize,
    pub(in crate::rust) range: usize,
    pub(in crate::rust) range_inclusive: usize,
    pub(in crate::rust) local_key: usize,
    pub(in crate::rust) range_from: usize,
    pub(in crate::rust) range_to: usize,
    pub(in crate::rust) range_to_inclusive: usize,
    pub(in crate::rust) range_full: usize,
}

impl Names<'_> {
    /// Where they are in the library.
    pub(super) fn lang_items(&self) -> Lang {
        let adt = |path: [&str; 2]| match self.in_library(&path.map(str::to_owned)) {
            Some(Target::Item(_, Named::Struct(id) | Named::Enum(id))) => id,
            _ => usize::MAX,
        };
        Lang {
            option: adt(["option", "Option"]),
            result: adt(["result", "Result"]),
            poison: adt(["sync", "PoisonError"]),
            try_lock: adt(["sync", "TryLockError"]),
            slice: adt(["slice", "Slice"]),
            vec: adt(["vec", "Vec"]),
            vec_iter: adt(["vec", "IntoIter"]),
            deque: adt(["collections", "VecDeque"]),
            range: adt(["ops", "Range"]),
            range_inclusive: adt(["ops", "RangeInclusive"]),
            local_key: adt(["thread", "LocalKey"]),
            range_from: adt(["ops", "RangeFrom"]),
            range_to: adt(["ops", "RangeTo"]),
            range_to_inclusive: adt(["ops", "RangeToInclusive"]),
            range_full: adt(["ops", "RangeFull"]),
        }
    }
}
