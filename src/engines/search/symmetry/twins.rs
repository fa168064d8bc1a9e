//! Threads that may be exchanged, whatever is asked about the program's executions.

use super::{Class, Exchange, Step, Symmetry, renamed};
use crate::model::Model;
use crate::program::{Program, ThreadId};
use crate::reference::machine::Machine;

/// The classes of a program's threads: exchanging two threads of a class, and what belongs to them, maps
/// executions to executions.
pub(crate) struct Twins(Vec<Class>);

impl Twins {
    pub(crate) fn of(program: &Program) -> Self {
        // The classes are a property of the text: every model has the same.
        let machine = Machine::new(program, Model::Sc);
        Self(Symmetry::new(&machine, &[]).classes)
    }

    /// The threads that may be exchanged with this one, and itself, ascending; none if it has no twin.
    pub(crate) fn of_thread(&self, thread: ThreadId) -> &[ThreadId] {
        let mut classes = self.0.iter().map(|class| &class.threads);
        classes
            .find(|threads| threads.contains(&thread))
            .map_or(&[], Vec::as_slice)
    }

    /// The steps of an execution with two threads of a class exchanged.
    pub(crate) fn exchanged(&self, mut steps: Vec<Step>, a: ThreadId, b: ThreadId) -> Vec<Step> {
        for class in &self.0 {
            let index = |thread| class.threads.iter().position(|&other| other == thread);
            if let (Some(a), Some(b)) = (index(a), index(b)) {
                let exchange = Exchange::new(class, (a, b));
                for step in &mut steps {
                    let thread = |thread| exchange.thread(thread);
                    *step = renamed(*step, thread, |cell| exchange.cell(cell));
                }
            }
        }
        steps
    }
}
