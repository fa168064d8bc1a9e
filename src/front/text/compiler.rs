//! Which compilers may have produced the machine code of a C program.

use std::fmt;
use std::str::FromStr;

/// The compiler that produced the machine code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Compiler {
    /// Any: the machine code may be whatever gcc, clang or rustc emit.
    #[default]
    Any,
    /// gcc, which compiles every atomic read-modify-write to a locked instruction.
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
