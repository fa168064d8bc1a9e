//! Trencher's automata: parsing, writing and editing its text format.
//!
//! ```text
//! # Comments are only allowed between threads.
//! #: robust tso no
//! thread t0
//! initial q0
//! transition q0 q1 write 1 + 7 i      a value and its address, in prefix notation
//! transition q1 q2 read r 3
//! final q2                            a goal: every thread at one of its final states
//! end
//! ```
//!
//!   text ──words──▶ lines ──read, instr──▶ automata ──values──▶ sets ──layout, limits──▶ lower ──▶ Program
//!
//! Where the format differs from a [`Program`], and how the two correspond:
//!
//! * *Addresses are arbitrary integers*, computed in any way. `values` finds a set that contains
//!   all addresses of an access, and `layout` assigns a cell to each of them. `mem[7]` is the cell
//!   of address 7.
//! * *Values are unbounded integers.* If `values` cannot show that all values stay inside 32 bits,
//!   the program ends at a [limit](crate::program::Program::limits) wherever a value overflows
//!   (`limits`), and answers that depend on this say so.
//! * *Registers and states are declared by use*, with value 0. Those that are never written or
//!   entered get a warning.
//! * *`lock` and `unlock`* empty the thread's own buffer, and acquire and release a single global
//!   lock. Between them no other thread accesses memory, so what the others do at that time (local
//!   steps, stores into their own buffers, loads from these) might as well be done before or after:
//!   it is an atomic block. No thread halts inside one: a goal there is rejected, and a thread that
//!   never leaves one has not ended; as in Trencher, it stops the others. As everywhere in
//!   Fencepost, a block is *one* node of happens-before, whereas Trencher has one for each access.
//! * *`final`*: a `forbid` property: all threads with final states are at one of them.
//!
//! **Absent.** Trencher's instructions for other memory models.

mod cycles;
mod instr;
mod layout;
mod limits;
mod lower;
mod print;
mod raw;
mod read;
mod rewrite;
mod values;
mod words;

use crate::program::{Change, Files, Program};
use crate::text::{
    FrontEnd, Lines, Names, ParseOptions, Parsed, Rewritten, Unprintable, Unwritable, expectation,
    has_errors, sort_and_truncate,
};

/// The front end of Trencher's automata.
pub(crate) struct Trencher;

impl FrontEnd for Trencher {
    /// After comments there is a line `thread NAME`, and then a line that begins with `initial`, or
    /// with another keyword of the format. A text in the Fencepost language may also begin with
    /// `thread NAME`, but then a brace, `regs`, `locations`, `init` or a number of copies follows;
    /// and no line of it begins with `#`.
    fn begins(&self, text: &str) -> bool {
        let mut lines = text
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>())
            .filter(|words| words.first().is_some_and(|word| !word.starts_with('#')));
        matches!(lines.next().as_deref(), Some(["thread", _]))
            && lines
                .next()
                .is_some_and(|words| matches!(words[0], "initial" | "transition" | "final" | "end"))
    }

    fn parse(&self, text: &str, _: &ParseOptions) -> Parsed {
        parse(text)
    }

    fn rewrite(
        &self,
        text: &str,
        _: &ParseOptions,
        program: &Program,
        changes: &[Change],
    ) -> Result<Rewritten, Unwritable> {
        rewrite::rewrite(text, program, changes).map(Rewritten::from)
    }

    fn print(&self, program: &Program) -> Result<String, Vec<Unprintable>> {
        print::print(program)
    }
}

/// Parses a text. Requires that it is not too long.
fn parse(text: &str) -> Parsed {
    let lines = Lines::new(text);
    let mut reading = read::read(text);
    let mut diagnostics = std::mem::take(&mut reading.diagnostics);
    let mut expectations = expectation::read(&reading.expectations, &lines, &mut diagnostics);
    let mut programs = None;
    if !has_errors(&diagnostics) {
        programs = lower::lower(&reading.automata, &lines, &mut diagnostics);
    }
    if let Some((program, _)) = &programs {
        let mut names = Names::new(program);
        expectation::resolve(&mut expectations, &mut names);
        diagnostics.extend(names.into_diagnostics());
    }
    sort_and_truncate(&mut diagnostics);
    let (program, apart) = programs.filter(|_| !has_errors(&diagnostics)).unzip();
    Parsed {
        program,
        expectations: expectation::finish(expectations),
        diagnostics,
        litmus: None,
        apart,
        joined: None,
        files: Files::default(),
        ordered: None,
        assumed_edition: None,
    }
}

#[cfg(test)]
mod tests;
