//! A program as text that reads back to the same program: the automaton form.

use super::Program;

/// The program in the automaton form.
pub fn print(program: &Program) -> String {
    format!("program {};\n", program.name())
}
