//! Random programs of either kind: written as a text, or put together from instructions.

use super::automata::Automata;
use super::random::Sketch;
use fencepost::program::Program;

#[derive(Clone, Debug)]
pub enum Drawn {
    Sketch(Sketch),
    Automata(Automata),
}

impl Drawn {
    pub fn build(&self) -> Program {
        match self {
            Drawn::Sketch(sketch) => sketch.build(),
            Drawn::Automata(automata) => automata.build(),
        }
    }
}
