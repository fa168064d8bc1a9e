//! Random sequential C programs with a defined meaning, for comparison with a compiler.
//!
//! Their meaning is the same in every compiler that wraps signed numbers: shifts are in range, divisors
//! are not 0, loops are counted, and no two unsequenced parts of an expression get in each other's way.
//! For the last, an expression has effects on *side* variables alone, and next to an operand with
//! effects the other one is *frozen*: made of constants, inputs and loop counters.

pub mod bits;
mod expressions;
mod parts;
mod statements;
pub mod wide;

/// Whether the first thread is alone, so that it is executed, or everything is instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Solo,
    Dynamic,
}

/// A program without the end of `main`, and what can be seen of it.
#[derive(Clone, Debug)]
pub struct Draft {
    pub text: String,
    /// Scalars in memory, each with its type.
    pub seen: Vec<(String, &'static str)>,
}

impl Draft {
    /// The program that prints what is seen, a number a line.
    pub fn printing(&self) -> String {
        let prints = self
            .seen
            .iter()
            .map(|(name, _)| format!("    printf(\"%lld\\n\", (long long)({name}));\n"));
        format!(
            "{}{}    return 0;\n}}\n",
            self.text,
            prints.collect::<String>()
        )
    }

    /// The program that asserts what is seen to be this.
    pub fn asserting(&self, values: &[i64]) -> String {
        let seen = self.seen.iter().zip(values);
        let asserts = seen.map(|((name, ty), value)| {
            format!("    assert({name} == ({ty})({}));\n", number(*value))
        });
        format!(
            "{}{}    return 0;\n}}\n",
            self.text,
            asserts.collect::<String>()
        )
    }
}

/// A constant of type `long long`.
pub fn number(value: i64) -> String {
    if value == i64::MIN {
        format!("({}LL - 1)", value + 1)
    } else {
        format!("{value}LL")
    }
}

/// A generator of random numbers: splitmix64.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// Once in a number of times.
    pub fn rarely(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}

const NARROW: [&str; 7] = [
    "int",
    "unsigned",
    "_Bool",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
];
const WIDE: [&str; 3] = ["long", "unsigned long", "long long"];

/// The program that a seed stands for.
pub fn draft(seed: u64, mode: Mode) -> Draft {
    let mut maker = Maker {
        random: Random(seed),
        mode,
        wide: false,
        text: String::new(),
        seen: Vec::new(),
        globals: Vec::new(),
        sides: Vec::new(),
        locals: Vec::new(),
        frozen: Vec::new(),
        functions: 0,
        fresh: 0,
        depth: 0,
        leaves: Vec::new(),
    };
    maker.wide = maker.random.rarely(4);
    maker.program();
    Draft {
        text: maker.text,
        seen: maker.seen,
    }
}

struct Maker {
    random: Random,
    mode: Mode,
    /// Whether there are 64-bit types.
    wide: bool,
    text: String,
    seen: Vec<(String, &'static str)>,
    /// What statements assign.
    globals: Vec<String>,
    /// What expressions assign.
    sides: Vec<String>,
    locals: Vec<String>,
    /// What nothing assigns.
    frozen: Vec<String>,
    functions: usize,
    fresh: usize,
    depth: usize,
    /// How the innermost loops and switches can be left: `break;`, `continue;`, `goto L;`.
    leaves: Vec<Vec<String>>,
}

impl Maker {
    fn ty(&mut self) -> &'static str {
        if self.wide && self.random.rarely(4) {
            self.random.of(&WIDE)
        } else {
            self.random.of(&NARROW)
        }
    }

    fn line(&mut self, text: &str) {
        self.text += &"    ".repeat(self.depth);
        self.text += text;
        self.text.push('\n');
    }

    fn name(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }
}
