//! `std::num`: what integers have that is no operation of them

impl usize {
    pub fn next_power_of_two(self) -> usize {
        let mut power = 1;
        while power < self {
            power *= 2;
        }
        power
    }
}

impl u64 {
    pub fn next_power_of_two(self) -> u64 {
        let mut power = 1;
        while power < self {
            power *= 2;
        }
        power
    }
}

impl u32 {
    pub fn next_power_of_two(self) -> u32 {
        let mut power = 1;
        while power < self {
            power *= 2;
        }
        power
    }
}
