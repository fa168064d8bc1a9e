//! Integer types of C on x86-64, and places in bytes.

use super::Place;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Int {
    pub bits: u32,
    pub signed: bool,
}

pub const fn int(bits: u32, signed: bool) -> Int {
    Int { bits, signed }
}

pub const U64: Int = int(64, false);
pub const I64: Int = int(64, true);
pub const U32: Int = int(32, false);
pub const I32: Int = int(32, true);
pub const ALL: [Int; 8] = [
    U64,
    I64,
    U32,
    I32,
    int(16, false),
    int(16, true),
    int(8, false),
    int(8, true),
];

impl Int {
    pub fn name(self) -> String {
        let sign = if self.signed { "" } else { "u" };
        format!("{sign}int{}_t", self.bits)
    }

    /// The number reduced to this type.
    pub fn wrap(self, value: i128) -> i128 {
        let value = value.rem_euclid(1 << self.bits);
        if self.signed && value >> (self.bits - 1) == 1 {
            value - (1 << self.bits)
        } else {
            value
        }
    }

    pub fn has(self, value: i128) -> bool {
        self.wrap(value) == value
    }

    pub fn size(self) -> usize {
        self.bits as usize / 8
    }

    /// What operators make of it.
    pub fn promoted(self) -> Int {
        if self.bits < 32 { I32 } else { self }
    }

    /// What operators make of two.
    pub fn common(self, other: Int) -> Int {
        let (a, b) = (self.promoted(), other.promoted());
        let bits = a.bits.max(b.bits);
        // The wider one, and an unsigned one of two as wide.
        let is_unsigned = |ty: Int| ty.bits == bits && !ty.signed;
        int(bits, !is_unsigned(a) && !is_unsigned(b))
    }

    /// A literal whose type this is after promotion.
    pub fn constant(self, value: i128) -> String {
        match (self.promoted().bits, self.promoted().signed) {
            (64, false) => format!("{value:#x}UL"),
            (64, true) if value == i64::MIN.into() => format!("({}L - 1)", value + 1),
            (64, true) => format!("{value}L"),
            (_, false) => format!("{value}U"),
            (_, true) if value == i32::MIN.into() => format!("({} - 1)", value + 1),
            (_, true) => format!("{value}"),
        }
    }
}

impl Place {
    pub fn read(&self, bytes: &[u8]) -> i128 {
        let own = &bytes[self.offset..self.offset + self.ty.size()];
        let value = own
            .iter()
            .rev()
            .fold(0, |value, byte| value << 8 | i128::from(*byte));
        self.ty.wrap(value)
    }

    pub fn write(&self, bytes: &mut [u8], value: i128) {
        let own = &mut bytes[self.offset..self.offset + self.ty.size()];
        for (at, byte) in own.iter_mut().enumerate() {
            *byte = (value >> (8 * at)) as u8;
        }
    }
}
