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

impl usize {
    pub fn pow(self, exponent: u32) -> usize {
        let mut power = 1;
        for _ in 0..exponent {
            power *= self;
        }
        power
    }
}

impl u64 {
    pub fn pow(self, exponent: u32) -> u64 {
        let mut power = 1;
        for _ in 0..exponent {
            power *= self;
        }
        power
    }
}

impl u32 {
    pub fn pow(self, exponent: u32) -> u32 {
        let mut power = 1;
        for _ in 0..exponent {
            power *= self;
        }
        power
    }
}

impl i64 {
    pub fn pow(self, exponent: u32) -> i64 {
        let mut power = 1;
        for _ in 0..exponent {
            power *= self;
        }
        power
    }
}

impl i32 {
    pub fn pow(self, exponent: u32) -> i32 {
        let mut power = 1;
        for _ in 0..exponent {
            power *= self;
        }
        power
    }
}
