//! Which goals a configuration may reach. A search looks at each configuration for all of them: C programs
//! have dozens, and an instrumented program has one per attack, which may be thousands.

use crate::program::{
    Addr, BinaryOp, Expr, Goal, Instruction, LocId, Observable, Program, PropertyKind, RegId,
    ThreadId,
};
use crate::reference::machine::{Config, Machine};
use ahash::AHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// The goals of a search, by where they may be reached.
pub(super) struct Watch {
    /// Those that are not bound to a location.
    anywhere: Group,
    /// By thread and location: those that are reached only there, if there are any.
    at: Vec<Vec<Option<Box<Group>>>>,
}

/// Fewer goals than this about the same variables are not looked up by their values: to evaluate them is
/// as fast.
const FEW: usize = 4;

/// Goals, by the values that they are reached with.
#[derive(Default)]
struct Group {
    /// Those to look at whatever the values are, by index.
    always: Vec<usize>,
    with: Vec<With>,
}

/// The goals that are reached only if the same variables have some values.
struct With {
    variables: Vec<Variable>,
    /// By the values of the variables, in their order.
    goals: AHashMap<Vec<i32>, Vec<usize>>,
}

/// The goals of a group while it is made, each with the values of its variables.
type ByVariables = BTreeMap<Vec<Variable>, Vec<(Vec<i32>, usize)>>;

/// What has values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Variable {
    Register(ThreadId, RegId),
    Cell(Addr),
}

/// What is necessary for a predicate: some conjuncts.
#[derive(Default)]
struct Demand {
    at: Option<(ThreadId, LocId)>,
    variables: Vec<Variable>,
    values: Vec<i32>,
}

impl Demand {
    fn of(predicate: &Expr<Observable>) -> Self {
        let mut demand = Self::default();
        demand.add(predicate);
        demand
    }

    fn add(&mut self, conjunct: &Expr<Observable>) {
        match conjunct {
            Expr::Binary(BinaryOp::And, a, b) => {
                self.add(a);
                self.add(b);
            }
            Expr::Var(Observable::At(thread, loc)) => self.at = Some((*thread, *loc)),
            Expr::Binary(BinaryOp::Eq, a, b) => match (&**a, &**b) {
                (Expr::Var(variable), Expr::Const(value))
                | (Expr::Const(value), Expr::Var(variable)) => {
                    let variable = match *variable {
                        Observable::Register(thread, reg) => Variable::Register(thread, reg),
                        Observable::Cell(addr) => Variable::Cell(addr),
                        Observable::At(..) => return,
                    };
                    self.variables.push(variable);
                    self.values.push(*value);
                }
                _ => {}
            },
            Expr::Const(_)
            | Expr::Var(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Conditional(_) => {}
        }
    }
}

impl Group {
    fn new(goals: ByVariables) -> Self {
        let mut group = Self::default();
        for (variables, goals) in goals {
            if variables.is_empty() || goals.len() < FEW {
                group.always.extend(goals.iter().map(|&(_, goal)| goal));
                continue;
            }
            let mut by_values: AHashMap<Vec<i32>, Vec<usize>> = AHashMap::new();
            for (values, goal) in goals {
                by_values.entry(values).or_default().push(goal);
            }
            group.with.push(With {
                variables,
                goals: by_values,
            });
        }
        group
    }

    fn is_empty(&self) -> bool {
        self.always.is_empty() && self.with.is_empty()
    }

    fn goals(&self, machine: &Machine<'_>, config: &Config) -> impl Iterator<Item = usize> {
        let with = self.with.iter().filter_map(|with| {
            let value = |&variable: &Variable| match variable {
                Variable::Register(thread, reg) => {
                    machine.registers_of(config, thread)[reg.index()]
                }
                Variable::Cell(addr) => config.memory[addr.index()],
            };
            let values: SmallVec<[i32; 4]> = with.variables.iter().map(value).collect();
            with.goals.get(values.as_slice())
        });
        self.always.iter().chain(with.flatten()).copied()
    }
}

impl Watch {
    pub(super) fn new(program: &Program, goals: &[Goal]) -> Self {
        let mut anywhere = ByVariables::default();
        let threads = program.threads().iter();
        let mut at: Vec<Vec<ByVariables>> = threads
            .map(|thread| vec![ByVariables::default(); thread.locations().len()])
            .collect();
        for (number, goal) in goals.iter().enumerate() {
            let demand = match *goal {
                // Reached by a step, not in a configuration.
                Goal::Assert(_) => continue,
                Goal::Outside(site) => {
                    let Instruction { from, .. } = *program.instruction(site);
                    Demand {
                        at: Some((site.thread, from)),
                        ..Demand::default()
                    }
                }
                Goal::Property(property) => {
                    let property = &program.properties()[property];
                    match property.kind {
                        PropertyKind::Forbid | PropertyKind::Exists | PropertyKind::Stuck => {
                            Demand::of(&property.predicate)
                        }
                        // Reached where the predicate is false.
                        PropertyKind::FinalAssert => Demand::default(),
                        // Not decided by one configuration: see `starve`.
                        PropertyKind::Starved(_) => continue,
                    }
                }
            };
            let group = match demand.at {
                Some((thread, loc)) => &mut at[thread.index()][loc.index()],
                None => &mut anywhere,
            };
            let goals = group.entry(demand.variables).or_default();
            goals.push((demand.values, number));
        }
        let group = |goals| {
            let group = Group::new(goals);
            (!group.is_empty()).then(|| Box::new(group))
        };
        let all = |at: Vec<ByVariables>| at.into_iter().map(group).collect();
        Self {
            anywhere: Group::new(anywhere),
            at: at.into_iter().map(all).collect(),
        }
    }

    /// The goals that a configuration may reach, by index.
    pub(super) fn goals(
        &self,
        machine: &Machine<'_>,
        config: &Config,
    ) -> impl Iterator<Item = usize> {
        let here = self.at.iter().zip(&config.locations);
        let here = here.filter_map(|(at, loc)| at[loc.index()].as_deref());
        let groups = std::iter::once(&self.anywhere).chain(here);
        groups.flat_map(move |group| group.goals(machine, config))
    }
}
