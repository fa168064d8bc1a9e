//! A search for goals in one instance.
//!
//! A goal names parts of the program; an instance has more copies that may do the same. A search for
//! the goal in an instance looks for it in every copy, so that the copies stay alike and the search
//! can exchange them. What it finds is renamed, so that the copies that the goal names reach it.

use crate::engines::{CheckOptions, Engines, Stats, reaches, replayed};
use crate::model::Model;
use crate::program::{
    BinaryOp, Expr, Goal, InstanceSize, Observable, Origin, Program, Property, PropertyKind, Site,
    ThreadId,
};
use crate::reference::{Run, Step};
use crate::verdict::{Budget, Defect, Verdict};
use crate::views::named_copies;

/// A goal about several named copies is looked for in at most this many ways.
const MOST_CHOICES: usize = 400;

/// A search for goals in one instance.
pub(crate) struct CopiesSearch<'a> {
    program: &'a Program,
    goals: &'a [Goal],
    pub(crate) instance: Program,
    /// The instance with a property that looks for a goal in all copies, for each goal that needs it.
    asking: Program,
    /// By goal: the goals of that program any of which is reached if it is.
    wanted: Vec<Vec<Goal>>,
}

impl<'a> CopiesSearch<'a> {
    /// For these goals, in the instance of this size, which has all copies that they name.
    pub(crate) fn new(program: &'a Program, goals: &'a [Goal], size: &InstanceSize) -> Self {
        let instance = program.instance(size);
        let mut asking = instance.clone();
        let mut wanted = Vec::new();
        for &goal in goals {
            wanted.push(match goal {
                Goal::Assert(site) => everywhere(program, &instance, site, Goal::Assert),
                Goal::Outside(site) => everywhere(program, &instance, site, Goal::Outside),
                Goal::Property(number) => {
                    let choices = choices(program, &instance, &named_copies(program, number));
                    let property = &program.properties()[number];
                    match symmetric(property, program, number, &choices) {
                        None => vec![goal],
                        Some(property) => {
                            asking = asking.with_property(property);
                            vec![Goal::Property(asking.properties().len() - 1)]
                        }
                    }
                }
            });
        }
        Self {
            program,
            goals,
            instance,
            asking,
            wanted,
        }
    }

    /// The verdicts on the goals in this instance, in their order, and the cost.
    ///
    /// # Errors
    ///
    /// If a computation found does not replay.
    pub(crate) fn decide(
        &self,
        engines: Engines,
        options: &CheckOptions,
        budget: &Budget,
    ) -> Result<(Vec<Verdict<Run>>, Stats), Defect> {
        let all: Vec<Goal> = self.wanted.iter().flatten().copied().collect();
        let answered = engines.decide(&self.asking, &all, options, budget)?;
        let mut answers = answered.answers.into_iter();
        let mut verdicts = Vec::new();
        for (&goal, wanted) in self.goals.iter().zip(&self.wanted) {
            let own = answers.by_ref().take(wanted.len());
            let own: Vec<(Goal, Verdict<Run>)> =
                own.map(|answer| (answer.goal, answer.verdict)).collect();
            let all = own
                .into_iter()
                .map(|(reached, verdict)| verdict.map(|run| (reached, run)));
            verdicts.push(
                Verdict::all(all)
                    .try_map(|(reached, run)| self.renamed(options.model, goal, reached, &run))?,
            );
        }
        Ok((verdicts, answered.stats))
    }

    /// A computation that reaches the goal itself, made from one that reaches what was asked for.
    fn renamed(&self, model: Model, goal: Goal, reached: Goal, run: &Run) -> Result<Run, Defect> {
        let steps = run.steps();
        let (Goal::Assert(wanted) | Goal::Outside(wanted)) = goal else {
            let Goal::Property(number) = goal else {
                return replayed(&self.instance, model, goal, &steps);
            };
            let named = named_copies(self.program, number);
            for choice in choices(self.program, &self.instance, &named) {
                let pairs: Vec<(ThreadId, ThreadId)> =
                    choice.into_iter().zip(named.iter().copied()).collect();
                let renamed = exchanged(&steps, &pairs);
                let run = replayed(&self.instance, model, goal, &renamed);
                if run
                    .as_ref()
                    .is_ok_and(|run| reaches(&self.instance, model, goal, run))
                {
                    return run;
                }
            }
            return replayed(&self.instance, model, goal, &steps);
        };
        let (Goal::Assert(found) | Goal::Outside(found)) = reached else {
            return replayed(&self.instance, model, goal, &steps);
        };
        let renamed = exchanged(&steps, &[(found.thread, wanted.thread)]);
        replayed(&self.instance, model, goal, &renamed)
    }
}

/// Steps whose threads are exchanged so that the first of each pair becomes the second.
fn exchanged(steps: &[Step], pairs: &[(ThreadId, ThreadId)]) -> Vec<Step> {
    let mut exchanges: Vec<(ThreadId, ThreadId)> = Vec::new();
    let swap = |(a, b): (ThreadId, ThreadId), thread| {
        if thread == a {
            b
        } else if thread == b {
            a
        } else {
            thread
        }
    };
    for &(from, to) in pairs {
        // Where the exchanges so far have put it.
        let now = exchanges.iter().fold(from, |thread, &e| swap(e, thread));
        exchanges.push((now, to));
    }
    let name = |thread| exchanges.iter().fold(thread, |thread, &e| swap(e, thread));
    steps
        .iter()
        .map(|&step| step.renamed(name, |cell| cell))
        .collect()
}

/// The goal in all threads that run the same code, if they are copies.
fn everywhere(
    program: &Program,
    instance: &Program,
    site: Site,
    goal: fn(Site) -> Goal,
) -> Vec<Goal> {
    let Some(class) = program.class_of(site.thread) else {
        return vec![goal(site)];
    };
    let members = program.members_in(instance, class).into_iter();
    members
        .map(|thread| goal(Site { thread, ..site }))
        .collect()
}

/// All choices of different copies for those that are named: in each, one copy per name.
fn choices(program: &Program, instance: &Program, named: &[ThreadId]) -> Vec<Vec<ThreadId>> {
    let mut all: Vec<Vec<ThreadId>> = vec![Vec::new()];
    for &thread in named {
        let class = program.class_of(thread).unwrap_or(thread);
        let members = program.members_in(instance, class);
        let mut longer = Vec::new();
        for one in &all {
            for &member in &members {
                if !one.contains(&member) {
                    longer.push([one.as_slice(), &[member]].concat());
                }
            }
        }
        all = longer;
    }
    all
}

/// A property that is violated if this one is for any choice of copies; `None` if that is the property
/// itself, or there are very many choices.
fn symmetric(
    property: &Property,
    program: &Program,
    number: usize,
    choices: &[Vec<ThreadId>],
) -> Option<Property> {
    let together = match property.kind {
        PropertyKind::Forbid | PropertyKind::Exists => BinaryOp::Or,
        PropertyKind::FinalAssert => BinaryOp::And,
        PropertyKind::Stuck | PropertyKind::Starved(_) => return None,
    };
    let named = named_copies(program, number);
    if named.is_empty() || choices.len() > MOST_CHOICES {
        return None;
    }
    let predicates = choices.iter().map(|choice| {
        let copy = |thread: ThreadId| {
            let place = named.iter().position(|&name| name == thread);
            place.map_or(thread, |place| choice[place])
        };
        property.predicate.map(&mut |observable| {
            Expr::Var(match observable {
                Observable::At(thread, loc) => Observable::At(copy(thread), loc),
                Observable::Register(thread, reg) => Observable::Register(copy(thread), reg),
                Observable::Cell(addr) => Observable::Cell(addr),
            })
        })
    });
    Some(Property {
        kind: property.kind,
        predicate: predicates.reduce(|a, b| Expr::binary(together, a, b))?,
        origin: Origin::default(),
    })
}
