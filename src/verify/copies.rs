//! Threads in any number of copies (`[*]`): which threads of a text are the same class.
//!
//! A property about two copies has one of them as a thread of its own: `w.0` beside `w[*]`. It is a copy
//! like any other if it has the same code. If it does not, it counts as a thread that exists once.

use super::program::{Program, Thread};

/// A thread in any number of copies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Class {
    /// The thread with `[*]`.
    pub(super) thread: usize,
    /// The threads that stand for a copy: that one, and those with names of their own.
    pub(super) members: Vec<usize>,
}

impl Program {
    /// Whether some thread exists in any number of copies.
    pub fn is_parametric(&self) -> bool {
        self.threads.iter().any(|thread| thread.any_number)
    }

    /// The threads in any number of copies.
    pub(super) fn classes(&self) -> Vec<Class> {
        let numbered = self.threads.iter().enumerate();
        let all = numbered.filter(|(_, thread)| thread.any_number);
        all.map(|(number, class)| {
            let is_member = |&t: &usize| t == number || self.threads[t].is_copy_of(class);
            Class {
                thread: number,
                members: (0..self.threads.len()).filter(is_member).collect(),
            }
        })
        .collect()
    }

    /// The thread with `[*]` that this one is a copy of, or is; `None` if it exists once.
    pub fn class_of(&self, thread: usize) -> Option<usize> {
        let mut classes = self.classes().into_iter();
        let class = classes.find(|class| class.members.contains(&thread));
        class.map(|class| class.thread)
    }

    /// The program in which one copy is apart from the others, if the thread exists in any number of
    /// copies; and that copy, or else the thread.
    #[must_use]
    pub fn with_one_apart(&self, thread: usize) -> (Program, usize) {
        let mut program = self.clone();
        match self.threads.get(thread).filter(|thread| thread.any_number) {
            None => (program, thread),
            Some(class) => {
                let mut copy = class.clone();
                copy.any_number = false;
                // No copy that a text can name.
                copy.name = format!("one {}", class.name);
                program.threads.push(copy);
                (program, self.threads.len())
            }
        }
    }
}

impl Thread {
    fn is_copy_of(&self, class: &Thread) -> bool {
        let number = self.name.strip_prefix(class.name.as_str());
        let number = number.and_then(|rest| rest.strip_prefix('.'));
        let is_named = number.is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()));
        let values = |thread: &Thread| -> Vec<i32> {
            thread.registers.iter().map(|&(_, value)| value).collect()
        };
        let same = |(a, b): (&super::program::Instruction, &super::program::Instruction)| {
            a.from == b.from && a.op == b.op && a.to == b.to
        };
        is_named
            && !self.any_number
            && self.entry == class.entry
            && self.locations.len() == class.locations.len()
            && values(self) == values(class)
            && self.instructions.len() == class.instructions.len()
            && self.instructions.iter().zip(&class.instructions).all(same)
    }
}
