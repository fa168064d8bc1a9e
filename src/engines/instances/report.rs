//! How programs with threads in any number of copies were decided, as reports show it.

use crate::engines::Vacuity;
use crate::program::{Goal, InstanceSize, Program, Site, ThreadId};
use crate::reference::{Run, Step};
use crate::verdict::Reason;
use std::collections::BTreeSet;

/// How a program with threads in any number of copies was decided.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct AnyNumber {
    /// The number of copies in each view, and the number of views, of the largest set of views that
    /// decided something.
    pub views: Option<(usize, usize)>,
    /// The number of counts that decided something: configurations in which only no, one and many copies in
    /// each local state are told apart.
    pub counts: Option<usize>,
    /// All instances with up to this many copies, those of all threads together, were searched
    /// completely for what is left undecided; 0 if there are none.
    pub searched: usize,
    /// The instance that the execution of the report is one of, if there is one: that of the first
    /// violation, or else of the first observation.
    #[doc(hidden)]
    pub instance: Option<Program>,
    /// The threads in any number of copies, each with the number of copies in that instance.
    pub copies: Vec<(String, usize)>,
    /// The goals that are reached, each with the instance that its execution is one of.
    #[doc(hidden)]
    pub reached: Vec<ReachedGoal>,
    /// The size of the instance, if there is one.
    pub(crate) size: InstanceSize,
    /// Whether the program was found to be robust, and decided under SC for that reason.
    pub through_robustness: bool,
}

/// A goal that an instance reaches.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReachedGoal {
    /// The goal.
    pub goal: Goal,
    /// The threads in any number of copies, each with the number of copies in the instance.
    pub copies: Vec<(String, usize)>,
    /// The instance.
    pub instance: Program,
    /// Its size.
    pub(crate) size: InstanceSize,
}

impl ReachedGoal {
    /// For a goal that the instance of this size reaches.
    pub(crate) fn new(program: &Program, goal: Goal, size: &InstanceSize) -> Self {
        let instance = program.instance(size);
        Self {
            goal,
            copies: copies_in(program, &instance),
            instance,
            size: size.clone(),
        }
    }
}

impl AnyNumber {
    /// The goal among those that are reached.
    pub fn reached_goal(&self, goal: Goal) -> Option<&ReachedGoal> {
        self.reached.iter().find(|reached| reached.goal == goal)
    }

    /// Notes a set of views that decided something.
    pub(crate) fn note_views(&mut self, size: usize, count: usize) {
        let known = self.views.unwrap_or((0, 0));
        self.views = Some(known.max((size, count)));
    }

    /// Sets the instance that runs are of.
    pub(crate) fn set_instance(&mut self, program: &Program, size: &InstanceSize) {
        let instance = program.instance(size);
        self.copies = copies_in(program, &instance);
        self.instance = Some(instance);
        self.size = size.clone();
    }
}

/// The classes by name, each with the number of copies in an instance.
fn copies_in(program: &Program, instance: &Program) -> Vec<(String, usize)> {
    let classes = program.classes().into_iter();
    let copies = classes.map(|class| {
        let name = program.thread(class).name().to_owned();
        (name, program.members_in(instance, class).len())
    });
    copies.collect()
}

/// The steps of a computation of the smaller instance, as those of the larger one.
pub(crate) fn embedded(
    program: &Program,
    smaller: (&Program, &InstanceSize),
    larger: &Program,
    run: &Run,
) -> Vec<Step> {
    let to = program.embedding(smaller, larger);
    let steps = run.steps().into_iter();
    steps
        .map(|step| step.renamed(|thread| to[thread.index()], |cell| cell))
        .collect()
}

/// The smallest size that has as many copies of each class as each of these, and all that they need.
pub(crate) fn union_of_sizes(program: &Program, sizes: &[&InstanceSize]) -> InstanceSize {
    let mut needed: Vec<ThreadId> = sizes.iter().flat_map(|size| size.needed.clone()).collect();
    needed.sort_unstable();
    needed.dedup();
    let classes = program.classes().into_iter().enumerate();
    let counts = classes.map(|(at, class)| {
        let counts = sizes.iter().map(|size| size.counts[at]);
        let own = |&&thread: &&ThreadId| program.class_of(thread) == Some(class);
        let needed = needed.iter().filter(own).count();
        counts.max().unwrap_or(1).max(needed)
    });
    InstanceSize {
        counts: counts.collect(),
        needed,
    }
}

/// The instances in which there is no violation.
#[derive(Clone, Copy)]
pub(super) struct Excluded {
    /// The smallest number of copies, those of all classes together; 1 if a violation with fewer copies
    /// is one with more.
    pub(super) from: usize,
    /// The largest; 0 if no instance was searched completely.
    pub(super) to: usize,
    /// The number of classes.
    pub(super) classes: usize,
}

/// Why some numbers of copies are not decided.
pub(super) fn undecided(excluded: Excluded, obstacle: Option<&str>) -> Reason {
    let Excluded { from, to, classes } = excluded;
    let numbers = match (from, to) {
        (1, 1) => "one copy".to_owned(),
        (1, to) => format!("up to {to} copies"),
        (from, to) if from == to => format!("{to} copies"),
        (from, to) => format!("{from} to {to} copies"),
    };
    let found = if to < from || to < classes {
        "no violation was found".to_owned()
    } else if classes > 1 {
        format!("there is no violation with {numbers} in total")
    } else {
        format!("there is no violation with {numbers}")
    };
    let why = obstacle.unwrap_or("views of some copies at a time do not exclude one with more");
    Reason::Copies(format!("{found}, but {why}"))
}

/// What no number of copies executes, given what views show to be executed by the threads of classes.
pub(crate) fn vacuity(program: &Program, executed: &BTreeSet<Site>) -> Vacuity {
    let all = program.sites().map(|(site, _)| site).filter(|site| {
        let class = program.class_of(site.thread).unwrap_or(site.thread);
        executed.contains(&Site {
            thread: class,
            ..*site
        })
    });
    Vacuity::new(program, &all.collect())
}
