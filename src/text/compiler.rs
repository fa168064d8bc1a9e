//! Which compilers the machine code of a C program may come from.

use std::fmt;
use std::str::FromStr;

/// Whose machine code is meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Compiler {
    /// Any: whatever gcc, clang or rustc emit may be executed.
    #[default]
    Any,
    /// gcc, which makes every atomic read-modify-write a locked instruction.
    Gcc,
}

impl Compiler {
    /// All of them, as listed on the command line.
    pub const ALL: [Compiler; 2] = [Compiler::Any, Compiler::Gcc];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Compiler::Any => "any",
            Compiler::Gcc => "gcc",
        }
    }
}

impl fmt::Display for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Compiler {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        Compiler::ALL
            .into_iter()
            .find(|compiler| compiler.name() == s)
            .ok_or_else(|| format!("unknown compiler `{s}`"))
    }
}
